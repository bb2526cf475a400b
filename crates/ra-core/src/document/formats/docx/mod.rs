//! Converts DOCX files: the parts of WordprocessingML that carry text and structure.

mod styles;

use std::collections::HashMap;

use self::styles::{Lists, Styles, lists, styles};
use super::flow::{Flow, Inline, Kind};
use super::markup::{MAX_OUTPUT_BYTES, is_description, within_limit};
use super::office_language::OfficeLanguage;
use super::package::{self, DAMAGED, Element, Package, Visitor, visit};

/// How deep lists nest in Word.
const MAX_LIST_LEVELS: usize = 9;

/// Elements whose content isn't text of the document: deleted and moved text, and copies of drawings for old programs.
const SKIPPED: [&str; 7] =
    ["w:del", "w:moveFrom", "mc:Fallback", "w:instrText", "w:delText", "w:rPrChange", "w:pPrChange"];

/// Converts the bytes of a file to markdown. The error is a reason for people, e.g. "the file is encrypted".
pub(super) fn convert(bytes: &[u8]) -> Result<String, String> {
    let mut package = Package::open(bytes)?;
    let main = main_part(&package.read_optional("_rels/.rels"));
    let Some(document) = package.read(&main)? else {
        return Err("the file isn't a DOCX".to_owned());
    };
    let (folder, file) = main.rsplit_once('/').unwrap_or(("", &main));
    let sibling = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let mut reader = DocxReader {
        styles: styles(&package.read_optional(&sibling("styles.xml"))),
        lists: lists(&package.read_optional(&sibling("numbering.xml"))),
        links: links(&package.read_optional(&sibling(&format!("_rels/{file}.rels")))),
        notes: notes(
            &package.read_optional(&sibling("footnotes.xml")),
            &package.read_optional(&sibling("endnotes.xml")),
        ),
        ..DocxReader::default()
    };
    reader.language.set_default(std::mem::take(&mut reader.styles.language));
    let is_whole = visit(&document, &SKIPPED, &mut reader);
    let mut metadata = package::metadata(&package.read_optional("docProps/core.xml"));
    if metadata.lang.is_empty() {
        metadata.lang = reader.language.tag();
    }
    let text = reader.flow.finish();
    if !is_whole && text.is_empty() {
        return Err(DAMAGED.to_owned());
    }
    within_limit(metadata.front_matter() + &text)
}

/// Returns the path of the document in the package.
fn main_part(relations: &str) -> String {
    let mut found = Relations::default();
    visit(relations, &[], &mut found);
    let main = found.all.iter().find(|relation| relation.kind.ends_with("/officeDocument"));
    main.map_or("word/document.xml", |relation| relation.target.trim_start_matches('/')).to_owned()
}

/// Returns the targets of links by their id.
fn links(relations: &str) -> HashMap<String, String> {
    let mut found = Relations::default();
    visit(relations, &[], &mut found);
    let links = found.all.into_iter().filter(|relation| relation.kind.ends_with("/hyperlink"));
    links.map(|relation| (relation.id, relation.target)).collect()
}

struct Relation {
    id: String,
    kind: String,
    target: String,
}

#[derive(Default)]
struct Relations {
    all: Vec<Relation>,
}

impl Visitor for Relations {
    fn start(&mut self, name: &str, element: &Element<'_>) {
        if name == "Relationship" {
            let get = |key| element.get(key).unwrap_or_default();
            self.all.push(Relation { id: get("Id"), kind: get("Type"), target: get("Target") });
        }
    }
    fn end(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}
}

/// Returns the texts of footnotes and endnotes by their kind and id.
fn notes(footnotes: &str, endnotes: &str) -> HashMap<(bool, String), String> {
    #[derive(Default)]
    struct Notes {
        is_end: bool,
        id: String,
        is_text: bool,
        all: HashMap<(bool, String), String>,
    }
    impl Visitor for Notes {
        fn start(&mut self, name: &str, element: &Element<'_>) {
            match name {
                "w:footnote" | "w:endnote" => self.id = element.get("w:id").unwrap_or_default(),
                "w:t" => self.is_text = true,
                "w:p" | "w:br" | "w:tab" => self.text_of_note(" "),
                _ => {}
            }
        }
        fn end(&mut self, name: &str) {
            self.is_text &= name != "w:t";
        }
        fn text(&mut self, text: &str) {
            if self.is_text {
                self.text_of_note(text);
            }
        }
    }
    impl Notes {
        fn text_of_note(&mut self, text: &str) {
            self.all.entry((self.is_end, self.id.clone())).or_default().push_str(text);
        }
    }
    let mut notes = Notes::default();
    visit(footnotes, &SKIPPED, &mut notes);
    notes.is_end = true;
    visit(endnotes, &SKIPPED, &mut notes);
    notes.all
}

/// The paragraph being read.
#[derive(Default)]
struct Paragraph {
    inline: Inline,
    style: String,
    outline_level: Option<usize>,
    list: Option<String>,
    list_level: Option<usize>,
    /// True while the properties of a character run say that it is code.
    is_code_run: bool,
    /// The language that the properties of a character run name.
    run_language: Option<String>,
}

#[derive(Default)]
struct DocxReader {
    styles: Styles,
    lists: Lists,
    links: HashMap<String, String>,
    notes: HashMap<(bool, String), String>,
    flow: Flow,
    language: OfficeLanguage,
    /// The open paragraphs: one in a text box is inside of another.
    paragraphs: Vec<Paragraph>,
    is_text: bool,
    /// The last numbers of every list, by level.
    numbers: HashMap<String, [usize; MAX_LIST_LEVELS]>,
}

impl Visitor for DocxReader {
    fn start(&mut self, name: &str, element: &Element<'_>) {
        match name {
            "w:p" => self.paragraphs.push(Paragraph::default()),
            "w:tbl" => self.flow.begin_table(),
            "w:tr" => self.flow.begin_row(),
            "w:tc" => self.flow.begin_cell(),
            "w:t" => self.is_text = true,
            _ => self.start_in_paragraph(name, element),
        }
    }

    fn text(&mut self, text: &str) {
        if !self.is_text || self.flow.len() > MAX_OUTPUT_BYTES {
            return;
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            self.language.count(paragraph.run_language.as_deref(), text);
            match paragraph.is_code_run {
                true => paragraph.inline.code(text),
                false => paragraph.inline.text(text),
            }
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "w:p" => self.end_paragraph(),
            "w:tbl" => self.flow.end_table(),
            "w:t" => self.is_text = false,
            "w:r" => self.in_paragraph(|paragraph| {
                paragraph.is_code_run = false;
                paragraph.run_language = None;
            }),
            "w:hyperlink" => self.in_paragraph(|paragraph| paragraph.inline.close_link()),
            _ => {}
        }
    }
}

impl DocxReader {
    fn in_paragraph(&mut self, change: impl FnOnce(&mut Paragraph)) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            change(paragraph);
        }
    }

    fn start_in_paragraph(&mut self, name: &str, element: &Element<'_>) {
        let value = || element.get("w:val").unwrap_or_default();
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match name {
            "w:pStyle" => paragraph.style = value(),
            "w:outlineLvl" => paragraph.outline_level = value().parse().ok(),
            "w:numId" => paragraph.list = Some(value()),
            "w:ilvl" => paragraph.list_level = value().parse().ok(),
            "w:rStyle" => paragraph.is_code_run = self.styles.is_code(&value()),
            "w:lang" => paragraph.run_language = element.get("w:val"),
            // The description of a picture. Programs that ask for none may put the name of the file there.
            "wp:docPr" => {
                let texts = ["descr", "title"].into_iter().filter_map(|key| element.get(key));
                for text in texts.filter(|text| is_description(text)) {
                    paragraph.inline.text(&format!(" {text} "));
                }
            }
            "w:tab" | "w:ptab" if !self.is_text => paragraph.inline.text(" "),
            "w:br" | "w:cr" => paragraph.inline.text("\n"),
            "w:noBreakHyphen" => paragraph.inline.text("-"),
            "w:hyperlink" => {
                if let Some(target) = element.get("r:id").and_then(|id| self.links.get(&id)) {
                    paragraph.inline.open_link(target.clone());
                }
            }
            "w:footnoteReference" | "w:endnoteReference" => {
                let key = (name == "w:endnoteReference", element.get("w:id").unwrap_or_default());
                if let Some(text) = self.notes.remove(&key) {
                    let number = self.flow.begin_note();
                    paragraph.inline.note(number);
                    let mut inline = Inline::default();
                    inline.text(&text);
                    self.flow.push(inline, Kind::Paragraph);
                    self.flow.end_note();
                }
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let Some(mut paragraph) = self.paragraphs.pop() else { return };
        paragraph.inline.close_link();
        if self.styles.is_contents(&paragraph.style) {
            return;
        }
        let kind = self.kind_of(&paragraph);
        self.flow.push(paragraph.inline, kind);
    }

    fn kind_of(&mut self, paragraph: &Paragraph) -> Kind {
        let own_level = paragraph.outline_level.map(|level| (level < 6).then_some(level + 1));
        if let Some(level) = own_level.unwrap_or_else(|| self.styles.heading_level(&paragraph.style)) {
            return Kind::Heading(level);
        }
        if self.styles.is_code(&paragraph.style) {
            return Kind::Code;
        }
        let of_style = self
            .styles
            .chain(&paragraph.style)
            .find_map(|(_, style)| style.list.clone().map(|list| (list, style.list_level)));
        let (list, style_level) = match (&paragraph.list, of_style) {
            (Some(list), _) => (list.clone(), None),
            (None, Some(of_style)) => of_style,
            (None, None) => return Kind::Paragraph,
        };
        if list == "0" {
            return Kind::Paragraph;
        }
        let level = paragraph.list_level.or(style_level).unwrap_or(0).min(MAX_LIST_LEVELS - 1);
        Kind::Item(level, self.next_number(list, level))
    }

    /// Counts an item of a numbered list.
    fn next_number(&mut self, list: String, level: usize) -> Option<usize> {
        if !self.lists.is_numbered(&list, level) {
            return None;
        }
        let numbers = self.numbers.entry(list).or_default();
        numbers[level] += 1;
        numbers[level + 1..].fill(0);
        Some(numbers[level])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::package::testing::package;
    use super::*;

    const STYLES: &str = r#"<w:styles>
        <w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
        <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
        <w:style w:styleId="Mine"><w:name w:val="My Section"/><w:basedOn w:val="berschrift2"/></w:style>
        <w:style w:styleId="Deep"><w:name w:val="deep"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
        <w:style w:styleId="Loop"><w:name w:val="loop"/><w:basedOn w:val="Loop"/></w:style>
        <w:style w:styleId="SourceCode"><w:name w:val="Source Code"/></w:style>
        <w:style w:styleId="Inhalt1"><w:name w:val="toc 1"/></w:style>
        </w:styles>"#;
    const NUMBERING: &str = r#"<w:numbering>
        <w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>
        <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>"#;
    const RELATIONS: &str = r#"<Relationships><Relationship Id="r1" Type="http://x/hyperlink" Target="https://x.org/a?b=1&amp;c=2"/></Relationships>"#;
    const FOOTNOTES: &str = r#"<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>"#;

    fn converted(body: &str) -> Result<String, String> {
        let document = format!("<?xml version='1.0'?><w:document><w:body>{body}</w:body></w:document>");
        convert(&package(&[
            ("word/document.xml", &document),
            ("word/styles.xml", STYLES),
            ("word/numbering.xml", NUMBERING),
            ("word/_rels/document.xml.rels", RELATIONS),
            ("word/footnotes.xml", FOOTNOTES),
        ]))
    }

    fn paragraph(properties: &str, text: &str) -> String {
        format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    }

    #[test]
    fn paragraphs_get_the_structure_of_their_styles() {
        let styled = |style: &str, text: &str| paragraph(&format!("<w:pStyle w:val='{style}'/>"), text);
        let item = |level: usize, text: &str| {
            paragraph(&format!("<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr>"), text)
        };
        for (body, expected) in [
            (styled("Title", "T"), "# T\n\n"),
            (styled("Heading1", "A &amp; B"), "# A & B\n\n"),
            (styled("berschrift2", "Zwei"), "## Zwei\n\n"),
            (styled("Mine", "Own"), "## Own\n\n"),
            (styled("Deep", "Three"), "### Three\n\n"),
            (styled("Loop", "text"), "text\n\n"),
            (styled("Inhalt1", "Contents 3"), ""),
            (paragraph("<w:outlineLvl w:val='3'/>", "Four"), "#### Four\n\n"),
            (
                styled("SourceCode", "let a;") + &styled("SourceCode", "  b();"),
                "```\nlet a;\n  b();\n```\n\n",
            ),
            (
                item(0, "a") + &item(1, "b") + &item(0, "c") + &paragraph("", "d"),
                "1. a\n   - b\n2. c\n\nd\n\n",
            ),
            (paragraph("", "# no heading"), "\\# no heading\n\n"),
            (paragraph("", "---"), "\\---\n\n"),
        ] {
            assert_eq!(converted(&body).as_deref(), Ok(expected), "{body}");
        }
    }

    #[test]
    fn text_has_links_notes_and_accepted_changes() {
        for (inside, expected) in [
            (
                "<w:r><w:t>a </w:t></w:r><w:hyperlink r:id='r1'><w:r><w:t>link</w:t></w:r></w:hyperlink>",
                "a [link](https://x.org/a?b=1&c=2)\n\n",
            ),
            ("<w:hyperlink w:anchor='x'><w:r><w:t>here</w:t></w:r></w:hyperlink>", "here\n\n"),
            ("<w:r><w:t>so</w:t><w:footnoteReference w:id='2'/></w:r>", "so[^1]\n\n[^1]: A note.\n\n"),
            (
                "<w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins>",
                "new\n\n",
            ),
            (
                "<w:moveFrom><w:r><w:t>x</w:t></w:r></w:moveFrom><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r>",
                "a b\n\n",
            ),
            (
                "<w:r><w:t>see</w:t><w:drawing><wp:docPr id='1' name='x' descr='A red kite' title='kites/red.png'/></w:drawing><w:t>there</w:t></w:r>",
                "see A red kite there\n\n",
            ),
            (
                "<w:r><w:rPr><w:rStyle w:val='VerbatimChar'/></w:rPr><w:t>x_y</w:t></w:r><w:r><w:t> z</w:t></w:r>",
                "`x_y` z\n\n",
            ),
            ("<w:r><w:instrText>TOC</w:instrText><w:t>&#65;&lt;&undefined;</w:t></w:r>", "A<\n\n"),
        ] {
            assert_eq!(converted(&format!("<w:p>{inside}</w:p>")).as_deref(), Ok(expected), "{inside}");
        }
    }

    #[test]
    fn the_language_is_that_of_most_text() {
        let run = |lang: &str, text: &str| {
            let mark = if lang.is_empty() { String::new() } else { format!("<w:lang w:val='{lang}'/>") };
            format!("<w:p><w:r><w:rPr>{mark}</w:rPr><w:t>{text}</w:t></w:r></w:p>")
        };
        for (default, body, front_matter) in [
            ("de-DE", run("", "Text"), "---\nlang: \"de-DE\"\n---\n\n"),
            ("en-US", run("", "Text"), ""),
            ("en-US", run("fr-FR", "longtemps") + &run("", "a"), "---\nlang: \"fr-FR\"\n---\n\n"),
        ] {
            let styles = format!(
                "<w:styles><w:docDefaults><w:rPr><w:lang w:val='{default}' w:eastAsia='ja-JP'/></w:rPr></w:docDefaults>\
                 <w:style w:styleId='Foreign'><w:rPr><w:lang w:val='it-IT'/></w:rPr></w:style></w:styles>"
            );
            let parts = [("word/document.xml", body.as_str()), ("word/styles.xml", &styles)];
            let text = convert(&package(&parts)).expect("a text");
            assert!(
                text.starts_with(front_matter) && text.contains("---") != front_matter.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn tables_are_pipe_tables_and_nested_ones_are_text() {
        let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
        let row = |cells: &[&str]| {
            format!("<w:tr>{}</w:tr>", cells.iter().map(|text| cell(text)).collect::<String>())
        };
        let table = format!("<w:tbl>{}{}</w:tbl>", row(&["A", "B|C"]), row(&["1", "2"]));
        assert_eq!(converted(&table).as_deref(), Ok("| A | B\\|C |\n| --- | --- |\n| 1 | 2 |\n\n"));
        let layout = format!("<w:tbl><w:tr><w:tc>{table}</w:tc></w:tr></w:tbl>");
        assert_eq!(converted(&layout).as_deref(), Ok("A B|C 1 2\n\n"));
    }

    #[test]
    fn hostile_xml_is_cheap() {
        let deep = "<w:tbl><w:tr><w:tc>".repeat(200_000);
        assert!(converted(&deep).is_ok());
        let deep = "<w:p>".repeat(1_000_000);
        assert!(converted(&deep).is_ok());
        let laughs = "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><w:document><w:p><w:r><w:t>&b;x</w:t></w:r></w:p></w:document>";
        assert_eq!(convert(&package(&[("word/document.xml", laughs)])).as_deref(), Ok("x\n\n"));
        assert!(convert(&package(&[("word/document.xml", "<w:p")])).is_err());
        assert!(convert(&package(&[("mimetype", "x")])).is_err());
    }

    proptest! {
        #[test]
        fn damaged_files_do_not_panic(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
            splice in any::<Option<(prop::sample::Index, prop::sample::Index)>>(),
            is_xml: bool,
        ) {
            let parts = [("word/document.xml", "<w:document><w:body><w:tbl><w:tr><w:tc><w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>a &amp; b</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>"), ("word/styles.xml", STYLES), ("word/numbering.xml", NUMBERING)];
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
