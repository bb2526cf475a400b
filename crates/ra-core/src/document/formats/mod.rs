//! The formats of documents. A format is one file here and one row in [`Format::of`].
//!
//! The text of a verbatim format is the file itself, so its lines are those of the file. A converted format is read
//! into markdown first, and its lines are those of that markdown. Conversions are bounded by counts, never by a clock:
//! the same file gives the same text on every machine.

mod archive;
mod asciidoc;
mod asciidoc_inline;
mod asciidoc_lines;
mod docx;
mod epub;
mod flow;
mod html;
mod line_scan;
mod markdown;
mod markdown_blocks;
mod markup;
mod metadata;
mod notebook;
mod obsidian_comments;
mod odt;
mod office_language;
mod org;
mod org_comments;
mod org_inline;
mod package;
mod pdf;
mod plain;
mod rst;
mod rst_inline;
mod rst_markup;
mod rst_toctree;

pub(super) use self::markup::NO_TEXT;
use super::frontmatter::{self, FrontMatter, Metadata};
use super::structure::{BlockKind, Findings};
use super::{BOM, Warning};
use crate::kind::DocumentKind;
use crate::text::Lines;

/// Converts the bytes of a file to markdown. The error is a reason for people.
type Convert = fn(&[u8]) -> Result<String, String>;

/// Returns a text of the same length with blanks in place of its comments; `None` if it has none.
type WithoutComments = fn(&str) -> Option<String>;

/// Finds the structure of a text.
type Scan = fn(&str, &Lines, &mut Vec<Warning>) -> Scanned;

/// Returns the start and the kind of each block from a byte of the text on, in order.
type BlockStarts = fn(&str, usize) -> Vec<(usize, BlockKind)>;

/// How to read one format.
pub(super) struct Format {
    /// `None` for a verbatim format.
    pub(super) convert: Option<Convert>,
    /// Blanks what isn't part of the text of a verbatim format, if it knows how.
    pub(super) without_comments: Option<WithoutComments>,
    pub(super) scan: Scan,
    pub(super) block_starts: BlockStarts,
}

/// The structure of a text.
#[derive(Default)]
pub(super) struct Scanned {
    pub(super) front_matter: Option<FrontMatter>,
    pub(super) metadata: Metadata,
    pub(super) found: Findings,
}

impl Format {
    /// Returns the format of a kind of documents.
    pub(super) fn of(kind: DocumentKind) -> Self {
        match kind {
            DocumentKind::Markdown => MARKDOWN,
            DocumentKind::Plain => PLAIN,
            DocumentKind::Rst => {
                verbatim(|text, lines, _| scanned(rst::scan(text, lines)), rst::block_starts)
            }
            DocumentKind::Asciidoc => {
                verbatim(|text, lines, _| scanned(asciidoc::scan(text, lines)), asciidoc::block_starts)
            }
            DocumentKind::Org => {
                let org = verbatim(|text, lines, _| scanned(org::scan(text, lines)), org::block_starts);
                Format { without_comments: Some(org_comments::without_comments), ..org }
            }
            DocumentKind::Html => converted(html::convert),
            DocumentKind::Notebook => converted(notebook::convert),
            DocumentKind::Epub => converted(epub::convert),
            DocumentKind::Pdf => converted(pdf::convert),
            DocumentKind::Docx => converted(docx::convert),
            DocumentKind::Odt => converted(odt::convert),
            DocumentKind::External => converted(|_| Err("no program converts it any more".to_owned())),
        }
    }
}

const MARKDOWN: Format = verbatim(scan_markdown, markdown_blocks::block_starts);

const PLAIN: Format = verbatim(|_, _, _| Scanned::default(), plain::block_starts);

/// Returns a format whose text is the file.
const fn verbatim(scan: Scan, block_starts: BlockStarts) -> Format {
    Format { convert: None, without_comments: None, scan, block_starts }
}

fn scanned((metadata, found): (Metadata, Findings)) -> Scanned {
    Scanned { front_matter: None, metadata, found }
}

/// Returns a format that is read into markdown.
const fn converted(convert: Convert) -> Format {
    Format { convert: Some(convert), ..MARKDOWN }
}

fn scan_markdown(text: &str, lines: &Lines, warnings: &mut Vec<Warning>) -> Scanned {
    let front_matter = frontmatter::read(text, warnings);
    let bom = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let from = front_matter.as_ref().map_or(bom, |front_matter| front_matter.span.end);
    let metadata = front_matter.as_ref().map(FrontMatter::metadata).unwrap_or_default();
    Scanned { front_matter, metadata, found: markdown::scan(text, from, lines) }
}
