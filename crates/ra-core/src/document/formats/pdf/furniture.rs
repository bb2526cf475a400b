//! Finds the headers, footers and page numbers of pages: lines that repeat at the same place.

use std::collections::{HashMap, HashSet};

use super::lines::PdfLine;

/// How many lines at each end of a page can be headers or footers.
const EDGE_LINES: usize = 2;

/// On how many pages a line must repeat.
const MIN_REPEATS: usize = 3;

/// How far apart the same line may be on two pages, in points.
const HEIGHT_STEP: f32 = 4.0;

/// A place on a page: the edge and the height above or below it.
type Place = (bool, i32);

/// Removes headers, footers and page numbers.
pub(super) fn remove(pages: &mut [Vec<PdfLine>]) {
    let edges: Vec<Vec<(usize, Place)>> = pages.iter().map(|lines| edge_lines(lines)).collect();
    let mut repeats: HashMap<(Place, String), HashSet<usize>> = HashMap::new();
    let mut numbered: HashMap<Place, HashSet<usize>> = HashMap::new();
    for (page, places) in edges.iter().enumerate() {
        for &(line, place) in places {
            let text = &pages[page][line].text;
            repeats.entry((place, without_numbers(text))).or_default().insert(page);
            if has_page_number(text) {
                numbered.entry(place).or_default().insert(page);
            }
        }
    }
    let page_count = pages.len();
    for (page, places) in edges.iter().enumerate() {
        let repeats_here = |&(line, place): &(usize, Place)| {
            let text = &pages[page][line].text;
            let repeated = repeats.get(&(place, without_numbers(text))).map_or(0, HashSet::len);
            // The header of a section is only on a few pages, but at the place of all headers.
            let at_place = numbered.get(&place).map_or(0, HashSet::len);
            repeated >= MIN_REPEATS.min(page_count.max(2))
                || has_page_number(text) && at_place >= 4 && at_place * 5 >= page_count * 2
        };
        let removed: HashSet<usize> =
            places.iter().filter(|place| repeats_here(place)).map(|(line, _)| *line).collect();
        let mut at = 0;
        let mut kept = std::mem::take(&mut pages[page]);
        kept.retain(|_| {
            at += 1;
            !removed.contains(&(at - 1))
        });
        pages[page] = kept;
    }
}

/// Returns the topmost and lowest lines with their places.
fn edge_lines(lines: &[PdfLine]) -> Vec<(usize, Place)> {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|a, b| lines[*a].baseline.total_cmp(&lines[*b].baseline));
    let place =
        |line: usize, is_top: bool| (line, (is_top, (lines[line].baseline / HEIGHT_STEP).round() as i32));
    let top = order.iter().take(EDGE_LINES).map(|line| place(*line, true));
    let bottom = order.iter().rev().take(EDGE_LINES).map(|line| place(*line, false));
    top.chain(bottom).collect()
}

/// Returns a text with every number replaced by `#`, to compare lines that only differ in the page number.
fn without_numbers(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let is_number = word.chars().any(|c| c.is_ascii_digit()) && !word.contains(char::is_alphabetic);
        if is_number || is_roman(word) { "#".to_owned() } else { word.to_lowercase() }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_roman(word: &str) -> bool {
    word.len() <= 7 && !word.is_empty() && word.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c'))
}

/// True if a line begins or ends with a page number, and isn't long.
fn has_page_number(text: &str) -> bool {
    let mut words = text.split_whitespace().filter(|word| !matches!(*word, "-" | "–" | "—" | "|"));
    let first = words.next().unwrap_or("");
    let last = words.next_back().unwrap_or(first);
    let is_number = |word: &str| {
        !word.is_empty() && word.len() <= 5 && word.chars().all(|c| c.is_ascii_digit()) || is_roman(word)
    };
    text.chars().count() < 120 && (is_number(first) || is_number(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(texts: &[&str]) -> Vec<PdfLine> {
        let line = |(at, text): (usize, &&str)| PdfLine {
            text: (*text).to_owned(),
            left: 0.0,
            right: 100.0,
            baseline: 20.0 * (at + 1) as f32,
            size: 10.0,
            bold: false,
            mono: false,
            has_mono: false,
            column: (0.0, 100.0),
            heading: None,
        };
        texts.iter().enumerate().map(line).collect()
    }

    #[test]
    fn lines_that_repeat_at_the_edges_are_removed() {
        let mut pages: Vec<Vec<PdfLine>> = (1..6)
            .map(|nr| {
                let (header, footer) = (format!("{nr} The Manual"), format!("Page {nr} of 5"));
                let (first, second) = (format!("Text{nr} a"), format!("Text{nr} b"));
                page(&[&header, &first, &second, "the same on all pages", &second, &first, &footer])
            })
            .collect();
        remove(&mut pages);
        let left: Vec<usize> = pages.iter().map(Vec::len).collect();
        assert_eq!(left, [5; 5]);
        assert!(
            pages.iter().flatten().all(|line| !line.text.contains("Manual") && !line.text.contains("Page"))
        );
        let mut single = vec![page(&["12", "text", "12"])];
        remove(&mut single);
        assert_eq!(single[0].len(), 3);
    }
}
