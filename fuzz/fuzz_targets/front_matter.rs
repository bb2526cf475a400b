//! Front matter: anything between two fences becomes metadata or a warning, and the document after it is
//! complete.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ra_core::document::{Document, DocumentKind, ParseOptions, parse};

fuzz_target!(|data: &[u8]| {
    let text = ra_fuzz::text(data);
    for fence in ["---", "+++"] {
        let text = format!("{fence}\n{text}\n{fence}\n\n# Heading\n\nText below it.\n");
        let options =
            ParseOptions { kind: DocumentKind::Markdown, file_name: "my guide.md", chunk_at_headings: true };
        let document = parse(&text, &options);
        ra_fuzz::check_document(&document, &text);
        check_metadata(&document);
    }
});

/// Checks that no metadata is blank.
fn check_metadata(document: &Document) {
    assert!(!document.title.trim().is_empty(), "{document:?}");
    for word in document.tags.iter().chain(&document.aliases).chain(&document.description) {
        assert!(!word.trim().is_empty(), "{document:?}");
    }
    for warning in &document.warnings {
        assert!(!warning.message.is_empty() && !warning.message.contains('\n'), "{warning:?}");
    }
}
