//! Converts PDF files. The pages are read one by one:
//!
//! - `guard` checks the file first.
//! - `glyphs` runs the content of a page and `fonts` tells what it means as text.
//! - `lines` orders the glyphs into lines.
//! - `furniture` removes headers, footers and page numbers.
//! - `tags` and `bookmarks` read the structure and the outline, and `headings` finds the lines that are headings.
//! - `paragraphs` writes markdown.

mod bookmarks;
mod fonts;
mod furniture;
mod glyphs;
mod guard;
mod headings;
mod lines;
mod matrix;
mod paragraphs;
mod tags;

use std::collections::HashMap;

use hayro_syntax::object::{Dict, ObjectIdentifier};
use hayro_syntax::{LoadPdfError, Pdf};

use self::fonts::Fonts;
use self::glyphs::Budget;
use self::lines::PdfLine;
use super::super::page;
use super::markup::{self, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES};
use super::metadata::{Metadata, split_keywords};

/// The maximum number of pages that are read.
const MAX_PAGES: usize = 5_000;

/// The stack of the thread that reads a file. The parser recurses up to 512 levels into objects.
const STACK_BYTES: usize = 32 << 20;

/// How far into a file its header may be.
const MAX_HEADER_OFFSET: usize = 1024;

/// Converts the bytes of a file to markdown. The error is a reason for people, e.g. "the file is encrypted".
pub(super) fn convert(bytes: &[u8]) -> Result<String, String> {
    if bytes.len() > MAX_INPUT_BYTES {
        return Err(format!("the file is larger than {} MiB", MAX_INPUT_BYTES >> 20));
    }
    if memchr::memmem::find(&bytes[..bytes.len().min(MAX_HEADER_OFFSET)], b"%PDF-").is_none() {
        return Err("the file isn't a PDF".to_owned());
    }
    let checked = guard::check(bytes)?;
    // A panic of the parser ends only this thread.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let spawned = thread.spawn_scoped(scope, || convert_checked(bytes, checked));
        let spawned = spawned.map_err(|error| format!("no thread to read the file: {error}"))?;
        spawned.join().unwrap_or_else(|_| Err("the PDF is damaged".to_owned()))
    })
}

fn convert_checked(bytes: &[u8], checked: guard::Checked) -> Result<String, String> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => "the file is encrypted".to_owned(),
        LoadPdfError::Invalid => "the PDF is damaged".to_owned(),
    })?;
    let mut metadata = metadata(&pdf);
    let (mut pages, is_complete) = read_pages(&pdf, checked);
    if pages.iter().all(Vec::is_empty) {
        return Err(format!("{}: the pages are images", markup::NO_TEXT));
    }
    furniture::remove(&mut pages);
    let mut headings = headings::find(&pages, &bookmarks::read(&pdf));
    if headings::show_title(&pages, &headings, &metadata.title) {
        metadata.title.clear();
    } else if !metadata.title.is_empty() {
        headings.iter_mut().flatten().for_each(|heading| heading.level += 1);
    }
    let style = (&paragraphs::WholeWords::of(&pages), is_mostly_mono(&pages));
    let mut markdown = metadata.front_matter();
    for (at, (lines, headings)) in pages.iter().zip(&headings).enumerate() {
        markdown.push_str(&format!("{}\n\n", page::mark(at as u32 + 1)));
        paragraphs::write(lines, headings, style, &mut markdown);
        if markdown.len() > MAX_OUTPUT_BYTES {
            break;
        }
    }
    if !is_complete {
        markdown.push_str(&format!("<!-- the rest of {} pages was left out -->\n", pdf.pages().len()));
    }
    markup::within_limit(markdown)
}

/// Returns the lines of the pages, and false if not all pages were read.
fn read_pages(pdf: &Pdf, checked: guard::Checked) -> (Vec<Vec<PdfLine>>, bool) {
    let mut fonts = Fonts::new(checked);
    let mut budget = Budget::new(checked);
    let mut pages = Vec::new();
    let mut text_bytes = 0;
    for (page, tags) in pdf.pages().iter().zip(tags::read(pdf)).take(MAX_PAGES) {
        if budget.is_spent() || text_bytes > MAX_OUTPUT_BYTES {
            break;
        }
        let lines = lines::lines(glyphs::collect(page, &tags, &mut fonts, &mut budget));
        text_bytes += lines.iter().map(|line| line.text.len()).sum::<usize>();
        pages.push(lines);
    }
    let is_complete = pages.len() == pdf.pages().len();
    (pages, is_complete)
}

/// Returns the index of each page by its id.
fn page_numbers(pdf: &Pdf) -> HashMap<ObjectIdentifier, usize> {
    let pages = pdf.pages().iter().enumerate();
    pages.filter_map(|(at, page)| Some((page.raw().obj_id()?, at))).collect()
}

fn metadata(pdf: &Pdf) -> Metadata {
    let info = pdf.metadata();
    let text =
        |bytes: &Option<Box<[u8]>>| bytes.as_ref().map(|bytes| bookmarks::text_of(bytes)).unwrap_or_default();
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let lang = catalog.and_then(|catalog| catalog.get::<hayro_syntax::object::String<'_>>(b"Lang"));
    let metadata = Metadata {
        title: text(&info.title),
        description: text(&info.subject),
        tags: split_keywords(&text(&info.keywords)),
        lang: lang.map(|lang| bookmarks::text_of(lang.as_bytes())).unwrap_or_default(),
    };
    metadata.without_generated_title()
}

/// True if a document is written in a monospaced font, so the font doesn't mark code.
fn is_mostly_mono(pages: &[Vec<PdfLine>]) -> bool {
    let chars = |is_counted: fn(&PdfLine) -> bool| {
        pages.iter().flatten().filter(|line| is_counted(line)).map(|line| line.text.len()).sum::<usize>()
    };
    chars(|line| line.mono) * 10 > chars(|_| true) * 7
}

#[cfg(test)]
mod tests;
