//! Converts ODT files: the parts of OpenDocument that carry text and structure.

use std::collections::HashMap;

use super::flow::{Flow, Inline, Kind};
use super::markup::{MAX_OUTPUT_BYTES, is_description, within_limit};
use super::office_language::OfficeLanguage;
use super::package::{self, DAMAGED, ENCRYPTED, Element, Package, Visitor, visit};

/// How many styles a style may be based on.
const MAX_STYLE_DEPTH: usize = 16;

/// How many cells an element may repeat.
const MAX_REPEATED_CELLS: usize = 64;

/// Elements whose content isn't text of the document.
const SKIPPED: [&str; 8] = [
    "text:tracked-changes",
    "office:annotation",
    "text:table-of-content",
    "text:alphabetical-index",
    "text:illustration-index",
    "office:forms",
    "text:note-citation",
    "office:scripts",
];

/// Converts the bytes of a file to markdown. The error is a reason for people, e.g. "the file is encrypted".
pub(super) fn convert(bytes: &[u8]) -> Result<String, String> {
    let mut package = Package::open(bytes)?;
    if package.read_optional("META-INF/manifest.xml").contains("encryption-data") {
        return Err(ENCRYPTED.to_owned());
    }
    let Some(content) = package.read("content.xml")? else {
        return Err("the file isn't an ODT".to_owned());
    };
    let mut reader = OdtReader::default();
    visit(&package.read_optional("styles.xml"), &["office:master-styles"], &mut reader.styles);
    let is_whole = visit(&content, &SKIPPED, &mut reader);
    let mut metadata = package::metadata(&package.read_optional("meta.xml"));
    if metadata.lang.is_empty() {
        metadata.lang = reader.language.tag();
    }
    let text = reader.flow.finish();
    if !is_whole && text.is_empty() {
        return Err(DAMAGED.to_owned());
    }
    within_limit(metadata.front_matter() + &text)
}

/// The styles of a document.
#[derive(Default)]
struct Styles {
    /// The style that each style is based on.
    parents: HashMap<String, String>,
    /// Whether the levels of list styles are numbered.
    numbered: HashMap<(String, usize), bool>,
    list: String,
    /// The language of each style that names one. The default of paragraphs has no name.
    languages: HashMap<String, String>,
    /// The open style.
    style: String,
}

impl Visitor for Styles {
    fn start(&mut self, name: &str, element: &Element<'_>) {
        let get = |key| element.get(key).unwrap_or_default();
        match name {
            "style:style" => {
                self.style = get("style:name");
                self.parents.insert(self.style.clone(), get("style:parent-style-name"));
            }
            "style:default-style" => self.style.clear(),
            "style:text-properties" => {
                if let Some(language) = element.get("fo:language") {
                    let country = element.get("fo:country").filter(|country| country != "none");
                    let tag = country.map_or(language.clone(), |country| format!("{language}-{country}"));
                    self.languages.insert(self.style.clone(), tag);
                }
            }
            "text:list-style" => self.list = get("style:name"),
            "text:list-level-style-number" | "text:list-level-style-bullet" => {
                let level = get("text:level").parse().unwrap_or(1);
                let is_numbered = name.ends_with("number") && !get("style:num-format").is_empty();
                self.numbered.insert((self.list.clone(), level), is_numbered);
            }
            _ => {}
        }
    }
    fn end(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}
}

impl Styles {
    /// True if a style, or one that it is based on, has one of the names.
    fn is_any(&self, style: &str, names: &[&str]) -> bool {
        let next = |name: &&str| self.parents.get(*name).map(String::as_str);
        std::iter::successors(Some(style), next).take(MAX_STYLE_DEPTH).any(|style| names.contains(&style))
    }

    /// Returns the language of a style, of one that it is based on, or of the document.
    fn language(&self, style: &str) -> Option<&str> {
        let next = |name: &&str| self.parents.get(*name).map(String::as_str);
        let mut chain = std::iter::successors(Some(style), next).take(MAX_STYLE_DEPTH);
        let own = chain.find_map(|style| self.languages.get(style));
        own.or_else(|| self.languages.get("")).map(String::as_str)
    }
}

/// An open list.
struct ListLevel {
    style: String,
    number: usize,
    /// True until the first paragraph of the item ends.
    is_item_start: bool,
}

#[derive(Default)]
struct OdtReader {
    styles: Styles,
    flow: Flow,
    language: OfficeLanguage,
    /// The style of the last paragraph that began.
    style: String,
    /// The open paragraphs with their kinds: one in a frame or a note is inside of another.
    paragraphs: Vec<(Inline, Kind)>,
    /// The title or the description of a picture, while it is read.
    description: Option<String>,
    lists: Vec<ListLevel>,
    /// The open spans: whether they are code, and their styles.
    spans: Vec<(bool, String)>,
    repeated_cells: usize,
}

const CODE_STYLES: [&str; 4] = ["Preformatted_20_Text", "Source_20_Text", "Code", "Source_20_Code"];

impl Visitor for OdtReader {
    fn start(&mut self, name: &str, element: &Element<'_>) {
        let get = |key| element.get(key).unwrap_or_default();
        match name {
            "text:h" => {
                self.style = get("text:style-name");
                let level = get("text:outline-level").parse().unwrap_or(1);
                self.paragraphs.push((Inline::default(), Kind::Heading(level)));
            }
            "text:p" => {
                self.style = get("text:style-name");
                let kind = self.kind_of(&self.style);
                self.paragraphs.push((Inline::default(), kind));
            }
            "text:list" => {
                let inherited = self.lists.last().map(|list| list.style.clone()).unwrap_or_default();
                let style = element.get("text:style-name").unwrap_or(inherited);
                self.lists.push(ListLevel { style, number: 0, is_item_start: false });
            }
            "text:list-item" => self.in_list(|list| {
                list.number += 1;
                list.is_item_start = true;
            }),
            "table:table" => self.flow.begin_table(),
            "table:table-row" => self.flow.begin_row(),
            "table:table-cell" | "table:covered-table-cell" => {
                self.flow.begin_cell();
                let repeated: usize = get("table:number-columns-repeated").parse().unwrap_or(1);
                self.repeated_cells = repeated.clamp(1, MAX_REPEATED_CELLS) - 1;
            }
            "text:note" => {
                let number = self.flow.begin_note();
                self.in_text(|inline| inline.note(number));
            }
            _ => {
                self.styles.start(name, element);
                self.start_in_text(name, element);
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.flow.len() > MAX_OUTPUT_BYTES {
            return;
        }
        if let Some(description) = &mut self.description {
            return description.push_str(text);
        }
        if !self.paragraphs.is_empty() {
            let style = self.spans.last().map_or(&self.style, |(_, style)| style);
            self.language.count(self.styles.language(style), text);
        }
        let is_code = self.spans.last().is_some_and(|(is_code, _)| *is_code);
        self.in_text(|inline| if is_code { inline.code(text) } else { inline.text(text) });
    }

    fn end(&mut self, name: &str) {
        match name {
            "text:h" | "text:p" => {
                if let Some((mut inline, kind)) = self.paragraphs.pop() {
                    inline.close_link();
                    self.flow.push(inline, kind);
                    self.in_list(|list| list.is_item_start = false);
                }
            }
            "text:list" => {
                self.lists.pop();
            }
            "text:span" => {
                self.spans.pop();
            }
            "text:a" => self.in_text(Inline::close_link),
            "svg:title" | "svg:desc" => {
                if let Some(text) = self.description.take().filter(|text| is_description(text)) {
                    self.in_text(|inline| inline.text(&format!(" {text} ")));
                }
            }
            "text:note" => self.flow.end_note(),
            "table:table" => self.flow.end_table(),
            "table:table-cell" | "table:covered-table-cell" => {
                for _ in 0..std::mem::take(&mut self.repeated_cells) {
                    self.flow.begin_cell();
                }
            }
            _ => {}
        }
    }
}

impl OdtReader {
    fn in_text(&mut self, change: impl FnOnce(&mut Inline)) {
        if let Some((inline, _)) = self.paragraphs.last_mut() {
            change(inline);
        }
    }

    fn in_list(&mut self, change: impl FnOnce(&mut ListLevel)) {
        if let Some(list) = self.lists.last_mut() {
            change(list);
        }
    }

    fn start_in_text(&mut self, name: &str, element: &Element<'_>) {
        match name {
            "text:span" => {
                let style = element.get("text:style-name").unwrap_or_default();
                let is_code = self.styles.is_any(&style, &CODE_STYLES);
                self.spans.push((is_code, style));
            }
            "text:a" => {
                let target = element.get("xlink:href").filter(|target| !target.starts_with('#'));
                self.in_text(|inline| inline.open_link(target.unwrap_or_default()));
            }
            "text:s" => {
                let count = element.get("text:c").and_then(|count| count.parse().ok()).unwrap_or(1usize);
                self.in_text(|inline| inline.text(&" ".repeat(count.min(200))));
            }
            "svg:title" | "svg:desc" => self.description = Some(String::new()),
            "text:tab" => self.in_text(|inline| inline.text(" ")),
            "text:line-break" => self.in_text(|inline| inline.text("\n")),
            _ => {}
        }
    }

    fn kind_of(&self, style: &str) -> Kind {
        if self.styles.is_any(style, &["Title"]) {
            return Kind::Heading(1);
        }
        if self.styles.is_any(style, &CODE_STYLES) {
            return Kind::Code;
        }
        let depth = self.lists.len();
        match self.lists.last().filter(|list| list.is_item_start) {
            Some(list) => {
                let is_numbered =
                    self.styles.numbered.get(&(list.style.clone(), depth)).copied().unwrap_or(false);
                Kind::Item(depth - 1, is_numbered.then_some(list.number))
            }
            None => Kind::Paragraph,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::package::testing::package;
    use super::*;

    const STYLES: &str = r#"<office:automatic-styles>
        <style:style style:name="P1" style:parent-style-name="Preformatted_20_Text"/>
        <style:style style:name="P2" style:parent-style-name="Title"/>
        <style:style style:name="P3" style:parent-style-name="P3"/>
        <text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>
        <text:list-level-style-bullet text:level="2"/></text:list-style></office:automatic-styles>"#;

    fn converted(body: &str) -> Result<String, String> {
        let content = format!(
            "<office:document-content>{STYLES}<office:body>{body}</office:body></office:document-content>"
        );
        convert(&package(&[("content.xml", &content)]))
    }

    #[test]
    fn elements_get_their_structure() {
        for (body, expected) in [
            ("<text:h text:outline-level='2'>A <text:span>b</text:span></text:h>", "## A b\n\n"),
            ("<text:p text:style-name='P2'>T</text:p>", "# T\n\n"),
            ("<text:p text:style-name='P3'>a<text:s text:c='3'/>b<text:tab/>c</text:p>", "a b c\n\n"),
            (
                "<text:p text:style-name='P1'>if x:</text:p><text:p text:style-name='P1'><text:s text:c='2'/>y</text:p>",
                "```\nif x:\n  y\n```\n\n",
            ),
            (
                "<text:list text:style-name='L1'><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p>\
                 </text:list-item></text:list></text:list-item><text:list-item><text:p>c</text:p></text:list-item></text:list>",
                "1. a\n   - b\n2. c\n\n",
            ),
            (
                "<text:p><text:a xlink:href='https://x.org/'>x</text:a> <text:a xlink:href='#y'>y</text:a></text:p>",
                "[x](https://x.org/) y\n\n",
            ),
            (
                "<text:p>so<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note> on</text:p>",
                "so[^1] on\n\n[^1]: A note.\n\n",
            ),
            (
                "<text:p>a<draw:frame><draw:image/><svg:title>kite.png</svg:title><svg:desc>A red kite</svg:desc></draw:frame>b</text:p>",
                "a A red kite b\n\n",
            ),
            (
                "<text:tracked-changes><text:deletion><text:p>old</text:p></text:deletion></text:tracked-changes>\
                 <text:p>new<office:annotation><text:p>hm</text:p></office:annotation></text:p>",
                "new\n\n",
            ),
            (
                "<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row>\
                 <table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell/></table:table-row></table:table>",
                "| A | B |\n| --- | --- |\n| 1 |  |\n\n",
            ),
        ] {
            assert_eq!(converted(body).as_deref(), Ok(expected), "{body}");
        }
    }

    #[test]
    fn the_language_is_that_of_the_styles_of_most_text() {
        let style = |kind: &str, name: &str, language: &str| {
            format!(
                "<style:{kind} style:name='{name}'><style:text-properties fo:language='{language}' fo:country='none'/></style:{kind}>"
            )
        };
        for (default, span, language) in [("de", "en", "de"), ("en", "fr", ""), ("de", "fr", "de")] {
            let styles = style("default-style", "", default);
            let content = format!(
                "<office:automatic-styles>{}</office:automatic-styles><text:p>some text</text:p>\
                 <text:p><text:span text:style-name='T1'>word</text:span></text:p>",
                style("style", "T1", span)
            );
            let text =
                convert(&package(&[("content.xml", &content), ("styles.xml", &styles)])).expect("a text");
            let front_matter = if language.is_empty() {
                String::new()
            } else {
                format!("---\nlang: \"{language}\"\n---\n\n")
            };
            assert_eq!(text, format!("{front_matter}some text\n\nword\n\n"));
        }
    }

    #[test]
    fn encrypted_and_other_files_are_named() {
        let manifest = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>";
        for (parts, expected) in [
            (vec![("META-INF/manifest.xml", manifest), ("content.xml", "x")], ENCRYPTED),
            (vec![("word/document.xml", "x")], "the file isn't an ODT"),
            (vec![("content.xml", "<a")], DAMAGED),
        ] {
            assert_eq!(convert(&package(&parts)).unwrap_err(), expected);
        }
    }

    #[test]
    fn hostile_xml_is_cheap() {
        for deep in [
            "<text:list><text:list-item>",
            "<table:table><table:table-row><table:table-cell>",
            "<text:p>",
            "<text:span>",
            "<text:p><text:note>",
        ] {
            assert!(converted(&deep.repeat(300_000)).is_ok(), "{deep}");
        }
    }

    proptest! {
        #[test]
        fn damaged_files_do_not_panic(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
            splice in any::<Option<(prop::sample::Index, prop::sample::Index)>>(),
            is_xml: bool,
        ) {
            let parts = [("content.xml", "<office:body><text:list><text:list-item><text:p>a<text:note><text:p>b &amp; c</text:p></text:note></text:p></text:list-item></text:list></office:body>"), ("styles.xml", STYLES)];
            let change = |mut bytes: Vec<u8>| {
                for (at, byte) in &changes {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                }
                if let Some((from, to)) = &splice {
                    let part = bytes[from.index(bytes.len())..].to_vec();
                    let at = to.index(bytes.len());
                    bytes.splice(at..at, part);
                }
                bytes
            };
            // Damage in the package rarely reaches the XML, so the XML is damaged separately, too.
            let bytes = if is_xml {
                let texts = parts.map(|(name, text)| (name, String::from_utf8_lossy(&change(text.into())).into_owned()));
                package(&texts.each_ref().map(|(name, text)| (*name, text.as_str())))
            } else {
                change(package(&parts))
            };
            let _ = convert(&bytes);
        }
    }
}
