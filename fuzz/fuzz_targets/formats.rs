//! Other formats than markdown: any bytes are a document or are refused, and its outline satisfies all invariants. PDF
//! files are left out: their parser comes from elsewhere, and runs in a process of its own.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ra_core::document::{DocumentKind, ParseOptions, blocks, parse, source_text};

const KINDS: &[DocumentKind] = &[
    DocumentKind::Rst,
    DocumentKind::Asciidoc,
    DocumentKind::Org,
    DocumentKind::Html,
    DocumentKind::Notebook,
    DocumentKind::Docx,
    DocumentKind::Odt,
    DocumentKind::Epub,
];

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let kind = KINDS[usize::from(*first) % KINDS.len()];
    let Ok(source) = source_text(kind, bytes.to_vec()) else { return };
    let options = ParseOptions { kind, file_name: "my guide", chunk_at_headings: true };
    ra_fuzz::check_document(&parse(&source.text, &options), &source.text);
    let blocks = blocks(&source.text, 0, kind);
    assert!(blocks.is_sorted_by(|one, next| one.span.end == next.span.start));
});
