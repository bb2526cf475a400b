//! Documents: any bytes are a document, and its outline satisfies all invariants.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ra_core::document::{DocumentKind, ParseOptions, parse};

fuzz_target!(|data: &[u8]| {
    let text = ra_fuzz::text(data);
    for chunk_at_headings in [true, false] {
        for kind in [DocumentKind::Markdown, DocumentKind::Plain] {
            let document = parse(&text, &ParseOptions { kind, file_name: "my guide.md", chunk_at_headings });
            ra_fuzz::check_document(&document, &text);
        }
    }
});
