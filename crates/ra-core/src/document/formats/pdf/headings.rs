//! Decides which lines are headings: those that are tagged so or that bookmarks name, else those in a larger font.

use std::collections::HashMap;

use super::bookmarks::Bookmark;
use super::lines::{PdfLine, size_key, usual_size};

/// How much larger than the text a heading is.
const MIN_SIZE_RATIO: f32 = 1.12;

/// The maximum number of lines and characters of a heading.
const MAX_HEADING_LINES: usize = 4;
const MAX_HEADING_CHARS: usize = 160;

/// How many lines are compared with bookmarks.
const MAX_COMPARED_LINES: usize = 20_000_000;

/// The maximum number of levels that font sizes make.
const MAX_LEVELS: usize = 4;

/// A heading: some lines of a page, from `start` to before `end`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heading {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) level: usize,
}

/// Returns the headings of every page, in order.
pub(super) fn find(pages: &[Vec<PdfLine>], bookmarks: &[Bookmark]) -> Vec<Vec<Heading>> {
    let count = |headings: &[Vec<Heading>]| headings.iter().map(Vec::len).sum::<usize>();
    let (tagged, named) = (by_tags(pages), by_bookmarks(pages, bookmarks));
    let found = count(&named);
    if count(&tagged) >= found.max(2) {
        return tagged;
    }
    // Bookmarks that name few lines, such as only "Cover", are no outline of the text.
    if found >= 2 && found * 4 >= bookmarks.len() { named } else { by_size(pages) }
}

/// True if a title is one of the headings on the first page that has some.
pub(super) fn show_title(pages: &[Vec<PdfLine>], headings: &[Vec<Heading>], title: &str) -> bool {
    let text = |lines: &[PdfLine]| lines.iter().map(|line| letters(&line.text)).collect::<String>();
    let first = pages.iter().zip(headings).find(|(_, headings)| !headings.is_empty());
    first.is_some_and(|(lines, headings)| {
        headings.iter().any(|heading| text(&lines[heading.start..heading.end]) == letters(title))
    })
}

/// Finds headings by the tags of their lines.
fn by_tags(pages: &[Vec<PdfLine>]) -> Vec<Vec<Heading>> {
    let tagged = |lines: &Vec<PdfLine>| {
        let mut headings = Vec::new();
        let mut start = 0;
        for lines in lines.chunk_by(|line, next| line.heading == next.heading) {
            let chars = lines.iter().map(|line| line.text.chars().count()).sum::<usize>();
            let end = start + lines.len();
            if let Some(tag) = lines[0].heading
                && lines.len() <= MAX_HEADING_LINES
                && chars <= MAX_HEADING_CHARS
            {
                headings.push(Heading { start, end, level: tag.level });
            }
            start = end;
        }
        headings
    };
    pages.iter().map(tagged).collect()
}

/// Finds the line of every bookmark on its page, or on the next if the heading moved there.
fn by_bookmarks(pages: &[Vec<PdfLine>], bookmarks: &[Bookmark]) -> Vec<Vec<Heading>> {
    let mut headings: Vec<Vec<Heading>> = vec![Vec::new(); pages.len()];
    let mut keys: HashMap<usize, Vec<String>> = HashMap::new();
    let mut compared = 0;
    for bookmark in bookmarks {
        let title = letters(&bookmark.title);
        if title.is_empty() {
            continue;
        }
        for page in [bookmark.page, bookmark.page + 1] {
            let Some(lines) = pages.get(page) else { continue };
            let keys =
                keys.entry(page).or_insert_with(|| lines.iter().map(|line| letters(&line.text)).collect());
            let from = headings[page].last().map_or(0, |heading| heading.end);
            compared += keys.len();
            if compared > MAX_COMPARED_LINES {
                return headings;
            }
            if let Some((start, end)) = lines_of(keys, &title, from) {
                let start = without_text_above(&lines[start..end], &keys[start..end], &title) + start;
                headings[page].push(Heading { start, end, level: bookmark.depth });
                break;
            }
        }
    }
    headings
}

/// Returns the first lines that are a title, perhaps with a number before it.
fn lines_of(keys: &[String], title: &str, from: usize) -> Option<(usize, usize)> {
    for start in from..keys.len() {
        let mut joined = String::new();
        for (at, key) in keys.iter().enumerate().skip(start).take(MAX_HEADING_LINES) {
            joined.push_str(key);
            if is_title(&joined, title) {
                return Some((start, at + 1));
            }
            if joined.len() > title.len() + 24 || key.is_empty() {
                break;
            }
        }
    }
    None
}

/// Returns 1 if the first line isn't part of a heading but the end of a paragraph, such as "Chapter 9.", and else 0.
/// The number of a heading on a line of its own looks like the title.
fn without_text_above(lines: &[PdfLine], keys: &[String], title: &str) -> usize {
    let [first, second, ..] = lines else { return 0 };
    let looks_alike = first.bold == second.bold && first.size > 0.75 * second.size;
    usize::from(!looks_alike && is_title(&keys[1..].concat(), title))
}

/// True if a line is a title, or a number or "Chapter 3" and the title.
fn is_title(line: &str, title: &str) -> bool {
    let is_number = |text: &str| {
        let rest = ["chapter", "appendix", "section", "part", "kapitel"]
            .iter()
            .find_map(|word| text.strip_prefix(word));
        let rest = rest.unwrap_or(text);
        rest.len() <= 8
            && (rest.chars().all(|c| c.is_ascii_digit())
                || rest.len() <= 5 && rest.chars().skip(1).all(|c| c.is_ascii_digit()))
    };
    line.strip_suffix(title).is_some_and(is_number)
        || title
            .strip_suffix(line)
            .is_some_and(|number| !line.is_empty() && is_number(number) && line.len() > 3)
}

/// Returns the letters and digits of a text in lower case, to compare titles.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Finds headings by their font: larger than the text, or bold, numbered and alone.
fn by_size(pages: &[Vec<PdfLine>]) -> Vec<Vec<Heading>> {
    let body = body_size(pages);
    let candidates: Vec<Vec<(Heading, i32)>> = pages.iter().map(|lines| candidates(lines, body)).collect();
    let mut sizes: Vec<i32> = candidates.iter().flatten().map(|(_, size)| *size).collect();
    sizes.sort_by(|a, b| b.cmp(a));
    // Sizes that nearly agree are one level.
    let mut levels: Vec<i32> = Vec::new();
    for size in sizes {
        if levels.last().is_none_or(|last| size * 100 < last * 96) {
            levels.push(size);
        }
    }
    let level = |size: i32| {
        levels.iter().take_while(|level| size * 100 < **level * 96).count().min(MAX_LEVELS - 1) + 1
    };
    let leveled = |(heading, size): (Heading, i32)| Heading { level: level(size), ..heading };
    candidates.into_iter().map(|page| page.into_iter().map(leveled).collect()).collect()
}

/// Returns the size of most characters.
pub(super) fn body_size(pages: &[Vec<PdfLine>]) -> f32 {
    usual_size(pages.iter().flatten().map(|line| (line.size, line.text.len()))).unwrap_or(10.0)
}

/// Returns the lines that look like headings, with the size that decides their level.
fn candidates(lines: &[PdfLine], body: f32) -> Vec<(Heading, i32)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let line = &lines[start];
        let is_large = line.size >= body * MIN_SIZE_RATIO;
        let mut end = start + 1;
        while is_large && end < lines.len() && continues(&lines[end - 1], &lines[end], body) {
            end += 1;
        }
        let text: String =
            lines[start..end].iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
        if is_large && end - start <= MAX_HEADING_LINES && is_heading_text(&text) {
            found.push((Heading { start, end, level: 1 }, size_key(line.size)));
        } else if !is_large && is_bold_heading(lines, start, body) {
            found.push((Heading { start, end, level: 1 }, size_key(body)));
        }
        start = end;
    }
    found
}

/// True if a line belongs to the heading above it. Code in a heading may be smaller than the words around it, but is
/// larger than the body.
fn continues(line: &PdfLine, next: &PdfLine, body: f32) -> bool {
    let gap = (next.baseline - line.baseline) / line.size;
    let difference = (line.size - next.size).abs() / line.size;
    let is_large = line.size.min(next.size) >= body * MIN_SIZE_RATIO;
    let (tolerance, max_gap) = if is_large && (line.mono || next.mono) { (0.18, 1.4) } else { (0.04, 1.7) };
    difference < tolerance && gap > 0.0 && gap < max_gap
}

fn is_heading_text(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let chars = text.chars().count();
    letters >= 3
        && letters * 2 >= chars
        && chars <= MAX_HEADING_CHARS
        && !text.trim_end().ends_with([',', ';'])
}

/// True if a line of the size of the text is bold, begins with a number, and its neighbors aren't bold.
fn is_bold_heading(lines: &[PdfLine], at: usize, body: f32) -> bool {
    let line = &lines[at];
    let is_alone =
        |other: Option<&PdfLine>| other.is_none_or(|other| !other.bold || is_numbered(&other.text));
    line.bold
        && line.size >= 0.9 * body
        && line.text.len() <= 100
        && is_numbered(&line.text)
        && is_heading_text(&line.text)
        && is_alone(lines.get(at + 1))
        && at.checked_sub(1).is_none_or(|before| is_alone(lines.get(before)))
}

/// True for "1 Introduction", "2.3. Scope" and "A.1 Terms".
fn is_numbered(text: &str) -> bool {
    let Some((number, rest)) = text.trim().split_once(' ') else { return false };
    let mut parts = number.trim_end_matches('.').split('.');
    let first = parts.next().unwrap_or("");
    let is_number = |part: &str| (1..=3).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit());
    let is_letter =
        first.len() == 1 && first.starts_with(|c: char| c.is_ascii_uppercase()) && number.len() > 1;
    (is_number(first) || is_letter)
        && parts.all(is_number)
        && rest.trim_start().starts_with(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, at: usize, size: f32, bold: bool) -> PdfLine {
        let (text, baseline) = (text.to_owned(), 20.0 * (at + 1) as f32);
        let column = (0.0, 100.0);
        PdfLine {
            text,
            left: 0.0,
            right: 100.0,
            baseline,
            size,
            bold,
            mono: false,
            has_mono: false,
            column,
            heading: None,
        }
    }

    #[test]
    fn bookmarks_name_headings() {
        for (title, lines, expected) in [
            ("Scope", vec!["text", "1.2 Scope", "more"], Some((1, 2))),
            ("2.1 The Scope", vec!["The Scope"], Some((0, 1))),
            ("A long title", vec!["x", "Chapter 3", "A long", "title"], Some((1, 4))),
            ("Scope", vec!["the scope of this"], None),
            ("—", vec!["—"], None),
        ] {
            let keys: Vec<String> = lines.iter().map(|line| letters(line)).collect();
            let title = letters(title);
            let found = if title.is_empty() { None } else { lines_of(&keys, &title, 0) };
            assert_eq!(found, expected, "{title}");
        }
    }

    #[test]
    fn the_end_of_a_paragraph_is_not_the_number_of_a_heading() {
        for (first, expected) in [(("Chapter 9.", 12.0, false), 1), (("Chapter 9", 14.0, true), 0)] {
            let lines = [line(first.0, 0, first.1, first.2), line("Scope", 1, 14.0, true)];
            let keys = lines.each_ref().map(|line| letters(&line.text));
            assert_eq!(without_text_above(&lines, &keys, "scope"), expected, "{first:?}");
        }
        assert_eq!(without_text_above(&[line("Scope", 0, 12.0, false)], &[letters("Scope")], "scope"), 0);
    }

    #[test]
    fn large_and_numbered_bold_lines_are_headings() {
        let texts = [
            ("The Title", 20.0, false),
            ("Text in the most frequent size of the document, so it is long.", 10.0, false),
            ("1 Start", 14.0, true),
            ("More text in that size.", 10.0, false),
            ("1.1 Detail", 10.0, true),
            ("More text in that size.", 10.0, false),
            ("Bold without a number", 10.0, true),
            ("Text.", 10.0, false),
        ];
        let page: Vec<PdfLine> =
            texts.iter().enumerate().map(|(at, (text, size, bold))| line(text, at, *size, *bold)).collect();
        let found: Vec<(usize, usize)> =
            find(&[page], &[])[0].iter().map(|heading| (heading.start, heading.level)).collect();
        assert_eq!(found, [(0, 1), (2, 2), (4, 3)]);
    }

    #[test]
    fn a_heading_goes_on_with_code_of_a_smaller_size() {
        let body = "Text in the most frequent size of the document, so it is long.";
        for (heading, size, mono, gap, lines) in [
            (20.0, 17.0, true, 24.0, 2),
            (20.0, 17.0, false, 24.0, 1),
            (20.0, 17.0, true, 40.0, 1),
            // A listing below a heading isn't a part of it.
            (12.0, 10.0, true, 15.0, 1),
        ] {
            let mut page = [("Errors with", heading), ("panic!", size), (body, 10.0), (body, 10.0)]
                .map(|(text, size)| line(text, 0, size, false));
            (page[1].mono, page[1].baseline, page[2].baseline) = (mono, heading + gap, 120.0);
            page[3].baseline = 150.0;
            let headings = find(&[page.to_vec()], &[]);
            assert_eq!(headings[0][0].end, lines, "{heading} {size} {mono} {gap}");
        }
    }

    #[test]
    fn numbers_begin_headings() {
        for (text, expected) in [
            ("1 Intro", true),
            ("2.3. Scope", true),
            ("A.1 Terms", true),
            ("A Thing", false),
            ("2024 was", false),
            ("1 2 3", false),
            ("Intro", false),
        ] {
            assert_eq!(is_numbered(text), expected, "{text}");
        }
    }
}
