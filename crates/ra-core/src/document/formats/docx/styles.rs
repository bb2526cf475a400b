//! The styles and lists that a DOCX file defines.

use std::collections::HashMap;

use super::super::package::{Element, Visitor, visit};

/// How many styles a style may be based on.
const MAX_STYLE_DEPTH: usize = 16;

/// A style of paragraphs or characters.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    pub(super) name: String,
    pub(super) based_on: Option<String>,
    pub(super) outline_level: Option<usize>,
    pub(super) list: Option<String>,
    pub(super) list_level: Option<usize>,
}

#[derive(Default)]
pub(super) struct Styles {
    pub(super) all: HashMap<String, Style>,
    /// The language of text without a mark of its own.
    pub(super) language: String,
    id: String,
}

pub(super) fn styles(xml: &str) -> Styles {
    let mut styles = Styles::default();
    visit(xml, &[], &mut styles);
    styles
}

impl Visitor for Styles {
    fn start(&mut self, name: &str, element: &Element<'_>) {
        if name == "w:style" {
            self.id = element.get("w:styleId").unwrap_or_default();
            self.all.insert(self.id.clone(), Style::default());
        }
        // Outside of a style, this is the default of the document.
        if name == "w:lang" && self.id.is_empty() {
            self.language = element.get("w:val").unwrap_or_default();
        }
        let Some(style) = self.all.get_mut(&self.id) else { return };
        let value = || element.get("w:val");
        match name {
            "w:name" => style.name = value().unwrap_or_default().to_lowercase(),
            "w:basedOn" => style.based_on = value(),
            "w:outlineLvl" => style.outline_level = value().and_then(|level| level.parse().ok()),
            "w:numId" => style.list = value(),
            "w:ilvl" => style.list_level = value().and_then(|level| level.parse().ok()),
            _ => {}
        }
    }
    fn end(&mut self, name: &str) {
        if name == "w:style" {
            self.id.clear();
        }
    }
    fn text(&mut self, _: &str) {}
}

impl Styles {
    /// Returns a style and those it is based on.
    pub(super) fn chain(&self, id: &str) -> impl Iterator<Item = (&str, &Style)> {
        let first = self.all.get_key_value(id);
        let next = |(_, style): &(&String, &Style)| self.all.get_key_value(style.based_on.as_ref()?);
        std::iter::successors(first, next).take(MAX_STYLE_DEPTH).map(|(id, style)| (id.as_str(), style))
    }

    /// Returns the level of the headings in a style; `None` if it isn't one of headings.
    pub(super) fn heading_level(&self, id: &str) -> Option<usize> {
        let own = heading_level_of_name(id);
        own.or_else(|| {
            self.chain(id).find_map(|(id, style)| {
                let by_name = heading_level_of_name(&style.name).or_else(|| heading_level_of_name(id));
                by_name.or(style.outline_level.filter(|level| *level < 6).map(|level| level + 1))
            })
        })
    }

    pub(super) fn is_code(&self, id: &str) -> bool {
        let words = ["code", "preformatted", "verbatim", "listing", "source", "macro text"];
        let is_code = |name: &str| words.iter().any(|word| name.to_lowercase().contains(word));
        is_code(id) || self.chain(id).take(2).any(|(_, style)| is_code(&style.name))
    }

    pub(super) fn is_contents(&self, id: &str) -> bool {
        let name = self.all.get(id).map_or(id, |style| style.name.as_str()).to_lowercase();
        name.strip_prefix("toc")
            .is_some_and(|rest| rest.trim().chars().all(|c| c.is_ascii_digit()) && !rest.is_empty())
    }
}

/// Returns the level in "heading 2", "Heading2" or "Title".
pub(super) fn heading_level_of_name(name: &str) -> Option<usize> {
    let name = name.to_lowercase().replace(' ', "");
    if name == "title" {
        return Some(1);
    }
    name.strip_prefix("heading")?.parse().ok().filter(|level| (1..=6).contains(level))
}

/// The lists of a document: which levels are numbered.
#[derive(Default)]
pub(super) struct Lists {
    /// The definition of every list.
    definitions: HashMap<String, String>,
    numbered: HashMap<(String, usize), bool>,
    definition: String,
    pub(super) list: String,
    level: usize,
}

pub(super) fn lists(xml: &str) -> Lists {
    let mut lists = Lists::default();
    visit(xml, &["w:lvlOverride"], &mut lists);
    lists
}

impl Visitor for Lists {
    fn start(&mut self, name: &str, element: &Element<'_>) {
        let get = |key| element.get(key).unwrap_or_default();
        match name {
            "w:abstractNum" => self.definition = get("w:abstractNumId"),
            "w:lvl" => self.level = get("w:ilvl").parse().unwrap_or(0),
            "w:numFmt" => {
                let is_numbered = !matches!(get("w:val").as_str(), "bullet" | "none");
                self.numbered.insert((self.definition.clone(), self.level), is_numbered);
            }
            "w:num" => self.list = get("w:numId"),
            "w:abstractNumId" => {
                self.definitions.insert(self.list.clone(), get("w:val"));
            }
            _ => {}
        }
    }
    fn end(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}
}

impl Lists {
    pub(super) fn is_numbered(&self, list: &str, level: usize) -> bool {
        let definition = self.definitions.get(list).cloned().unwrap_or_default();
        self.numbered.get(&(definition, level)).copied().unwrap_or(false)
    }
}
