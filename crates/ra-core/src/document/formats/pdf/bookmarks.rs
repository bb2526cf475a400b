//! Reads the outline of a document, its bookmarks.

use std::collections::{HashMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};

use super::page_numbers;

/// The maximum number of bookmarks and of named destinations.
const MAX_BOOKMARKS: usize = 50_000;
const MAX_DESTINATIONS: usize = 500_000;

/// How deep the tree of named destinations may be.
const MAX_TREE_DEPTH: usize = 32;

/// An entry of the outline.
#[derive(Clone, Debug)]
pub(super) struct Bookmark {
    pub(super) title: String,
    /// 1 for the top level.
    pub(super) depth: usize,
    /// The index of the page it leads to.
    pub(super) page: usize,
}

/// Returns the bookmarks in order, without those that lead to no page.
pub(super) fn read(pdf: &Pdf) -> Vec<Bookmark> {
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else { return Vec::new() };
    let Some(outlines) = catalog.get::<Dict<'_>>(b"Outlines") else { return Vec::new() };
    let destinations = Destinations::read(pdf, &catalog);
    let mut bookmarks = Vec::new();
    let mut visited = HashSet::new();
    // The entries still to read, the next one last.
    let mut open: Vec<(Dict<'_>, usize)> =
        outlines.get::<Dict<'_>>(b"First").map(|first| (first, 1)).into_iter().collect();
    while let Some((entry, depth)) = open.pop() {
        let is_new = entry.obj_id().is_none_or(|id| visited.insert(id));
        if !is_new || bookmarks.len() >= MAX_BOOKMARKS {
            continue;
        }
        if let (Some(title), Some(page)) = (title(&entry), destinations.page_of(&entry)) {
            bookmarks.push(Bookmark { title, depth, page });
        }
        // An entry without an id can't be told from one read before, so nothing after it is read.
        if entry.obj_id().is_some() {
            open.extend(entry.get::<Dict<'_>>(b"Next").map(|next| (next, depth)));
            open.extend(entry.get::<Dict<'_>>(b"First").map(|first| (first, depth + 1)));
        }
    }
    bookmarks
}

fn title(entry: &Dict<'_>) -> Option<String> {
    let title = entry.get::<hayro_syntax::object::String<'_>>(b"Title")?;
    Some(text_of(title.as_bytes())).filter(|title| !title.trim().is_empty())
}

/// Where links in the document lead.
struct Destinations<'a> {
    pages: HashMap<ObjectIdentifier, usize>,
    named: HashMap<Vec<u8>, Object<'a>>,
}

impl<'a> Destinations<'a> {
    fn read(pdf: &'a Pdf, catalog: &Dict<'a>) -> Self {
        let mut destinations = Self { pages: page_numbers(pdf), named: HashMap::new() };
        if let Some(dict) = catalog.get::<Dict<'a>>(b"Dests") {
            for key in dict.keys().take(MAX_DESTINATIONS) {
                if let Some(target) = dict.get::<Object<'a>>(&*key) {
                    destinations.named.insert(key.to_vec(), target);
                }
            }
        }
        if let Some(root) =
            catalog.get::<Dict<'a>>(b"Names").and_then(|names| names.get::<Dict<'a>>(b"Dests"))
        {
            destinations.add_tree(root);
        }
        destinations
    }

    fn add_tree(&mut self, root: Dict<'a>) {
        let mut visited = HashSet::new();
        let mut open = vec![(root, 0)];
        while let Some((node, depth)) = open.pop() {
            let is_new = node.obj_id().is_none_or(|id| visited.insert(id));
            if !is_new || depth > MAX_TREE_DEPTH {
                continue;
            }
            if let Some(names) = node.get::<Array<'a>>(b"Names") {
                let mut items = names.iter::<Object<'a>>();
                while let (Some(name), Some(target)) = (items.next(), items.next()) {
                    if self.named.len() >= MAX_DESTINATIONS {
                        return;
                    }
                    if let Object::String(name) = name {
                        self.named.insert(name.as_bytes().to_vec(), target);
                    }
                }
            }
            if let Some(kids) = node.get::<Array<'a>>(b"Kids") {
                open.extend(kids.iter::<Dict<'a>>().map(|kid| (kid, depth + 1)));
            }
        }
    }

    fn page_of(&self, entry: &Dict<'a>) -> Option<usize> {
        let target = match entry.get::<Object<'a>>(b"Dest") {
            Some(target) => target,
            None => {
                let action = entry.get::<Dict<'a>>(b"A")?;
                action.get::<Name<'_>>(b"S").filter(|kind| **kind == *b"GoTo")?;
                action.get::<Object<'a>>(b"D")?
            }
        };
        self.page_of_target(target, true)
    }

    fn page_of_target(&self, target: Object<'a>, may_be_named: bool) -> Option<usize> {
        let named = |name: &[u8]| {
            let target = self.named.get(name).filter(|_| may_be_named)?;
            self.page_of_target(target.clone(), false)
        };
        match target {
            Object::Array(array) => match array.raw_iter().next()? {
                MaybeRef::Ref(page) => self.pages.get(&page.into()).copied(),
                MaybeRef::NotRef(object) => object.into_i32().and_then(|page| usize::try_from(page).ok()),
            },
            Object::Dict(dict) => {
                let array = dict.get::<Array<'a>>(b"D")?;
                self.page_of_target(Object::Array(array), false)
            }
            Object::String(name) => named(name.as_bytes()),
            Object::Name(name) => named(&name),
            _ => None,
        }
    }
}

/// Decodes a text string: UTF-16 or UTF-8 with a byte order mark, else Latin letters.
pub(super) fn text_of(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|byte| pdf_char(*byte)).collect(),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// Returns a character of PDF's own encoding, which is Latin-1 with typographic marks at the control codes.
fn pdf_char(byte: u8) -> char {
    const MARKS: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ',
        'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', ' ', '€',
    ];
    match byte {
        0x80..=0xa0 => MARKS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_have_three_encodings() {
        for (bytes, expected) in [
            (&b"Plain \x84 \xe9"[..], "Plain — é"),
            (b"\xfe\xff\x00A\x20\xac", "A€"),
            (b"\xff\xfeA\x00", "A"),
            (b"\xef\xbb\xbf\xc3\xa9", "é"),
            (b"", ""),
        ] {
            assert_eq!(text_of(bytes), expected);
        }
    }
}
