//! Converts Jupyter notebooks to markdown: text cells as they are, code cells as fenced code, and outputs as text.

mod lenient;

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use self::lenient::{List, Object, Text};
use super::markup::{MAX_OUTPUT_BYTES, fence_around, output_too_large};
use super::metadata::Metadata;
use crate::document::Fences;
use crate::text::collapse;

/// How much of the output of a cell is kept.
const MAX_CELL_OUTPUT_CHARS: usize = 2_000;

/// Converts the bytes of a notebook to markdown. The error is a reason for people.
pub(super) fn convert(bytes: &[u8]) -> Result<String, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let notebook: Notebook =
        serde_json::from_slice(bytes).map_err(|error| format!("the notebook is not valid: {error}"))?;
    let language = notebook.metadata.0.language();
    let title = notebook.metadata.0.title.0;
    let metadata = Metadata { title, ..Metadata::default() };
    let mut markdown = metadata.front_matter();
    let sheets = notebook.worksheets.0.into_iter().flat_map(|sheet| sheet.cells.0);
    for cell in notebook.cells.0.into_iter().chain(sheets) {
        push_cell(&mut markdown, cell, &language);
        if markdown.len() > MAX_OUTPUT_BYTES {
            return Err(output_too_large());
        }
    }
    Ok(markdown)
}

fn push_cell(markdown: &mut String, cell: Cell, language: &str) {
    // Format 3 calls the source of a code cell its input.
    let source = if cell.source.0.is_empty() { cell.input.0 } else { cell.source.0 };
    match cell.kind.0.as_str() {
        "markdown" => push_block(markdown, &without_front_matter(&source)),
        "heading" => {
            let level = cell.level.clamp(1, 6) as usize;
            push_block(markdown, &format!("{} {}", "#".repeat(level), collapse(&source)));
        }
        "code" => {
            let own_language = simple_word(&cell.language.0);
            push_code(markdown, own_language.unwrap_or(language), &source);
            push_code(markdown, "text", &cell.outputs.0);
        }
        _ => push_code(markdown, "text", &source),
    }
}

/// Adds a block with a blank line before it.
fn push_block(markdown: &mut String, block: &str) {
    let block = block.trim_end();
    if block.trim().is_empty() {
        return;
    }
    if !markdown.is_empty() && !markdown.ends_with("\n\n") {
        markdown.push('\n');
    }
    markdown.push_str(block);
    markdown.push('\n');
    // A fence that the author left open would swallow the cells after it.
    if let Some(fence) = open_fence(block) {
        markdown.push_str(fence);
        markdown.push('\n');
    }
}

fn push_code(markdown: &mut String, language: &str, code: &str) {
    let code = code.trim_end().trim_start_matches(['\n', '\r']);
    if code.is_empty() {
        return;
    }
    let fence = fence_around(code);
    push_block(markdown, &format!("{fence}{language}\n{code}\n{fence}"));
}

/// Returns the text of a cell with thematic breaks instead of fences of front matter, which are only valid at the start
/// of a document.
fn without_front_matter(source: &str) -> String {
    let trimmed = source.trim_start_matches(['\u{feff}', '\n', '\r']);
    let first = trimmed.lines().next().unwrap_or("");
    match first.trim_end() {
        "---" => format!("***{}", &trimmed[3..]),
        "+++" => format!("\\{trimmed}"),
        _ => trimmed.to_owned(),
    }
}

/// Returns the fence that a text leaves open.
fn open_fence(text: &str) -> Option<&str> {
    let mut fences = Fences::default();
    for line in text.lines() {
        // Lines with a larger indent are code without fences.
        let indent = &line[..line.len() - line.trim_start().len()];
        if indent.len() <= 3 && !indent.contains('\t') {
            fences.is_code(line);
        }
    }
    fences.open()
}

/// Returns the name of a language if it can follow a fence.
fn simple_word(text: &str) -> Option<&str> {
    let is_simple =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'_' | b'-' | b'.');
    (!text.is_empty() && text.len() <= 32 && text.bytes().all(is_simple)).then_some(text)
}

/// A notebook. Format 3 has its cells in worksheets. Fields that aren't listed are skipped without being stored.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Notebook {
    metadata: Object<NotebookMetadata>,
    cells: List<Cell>,
    worksheets: List<Worksheet>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Worksheet {
    cells: List<Cell>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NotebookMetadata {
    title: Text,
    kernelspec: Object<Kernel>,
    language_info: Object<Kernel>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Kernel {
    language: Text,
    name: Text,
}

impl NotebookMetadata {
    /// Returns the language of the code cells.
    fn language(&self) -> String {
        let language = [&self.language_info.0.name, &self.kernelspec.0.language];
        language.iter().find_map(|name| simple_word(&name.0)).unwrap_or("python").to_lowercase()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cell {
    #[serde(rename = "cell_type")]
    kind: Text,
    source: Text,
    input: Text,
    language: Text,
    level: i64,
    outputs: Outputs,
}

/// The outputs of a cell as text, cut where they are too long.
#[derive(Default)]
struct Outputs(String);

impl<'de> Deserialize<'de> for Outputs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(OutputsVisitor)
    }
}

struct OutputsVisitor;

impl<'de> Visitor<'de> for OutputsVisitor {
    type Value = Outputs;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of outputs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Outputs, A::Error> {
        let mut outputs = OutputText::default();
        while let Some(output) = items.next_element::<Object<Output>>()? {
            outputs.push(&output.0.text());
        }
        Ok(Outputs(outputs.finish()))
    }
}

/// The text of outputs, up to the limit.
#[derive(Default)]
struct OutputText {
    text: String,
    chars: usize,
    is_cut: bool,
}

impl OutputText {
    fn push(&mut self, output: &str) {
        if self.is_cut {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        // The colors of a terminal are escape sequences.
        for c in without_escapes(output) {
            if self.chars == MAX_CELL_OUTPUT_CHARS {
                self.is_cut = true;
                return;
            }
            self.text.push(c);
            self.chars += 1;
        }
    }

    fn finish(mut self) -> String {
        if self.is_cut {
            self.text =
                format!("{}\n[output cut at {MAX_CELL_OUTPUT_CHARS} characters]", self.text.trim_end());
        }
        self.text
    }
}

/// Returns the characters of a text without those that control a terminal.
fn without_escapes(text: &str) -> impl Iterator<Item = char> {
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            match chars.next()? {
                '\u{1b}' if chars.next_if_eq(&'[').is_some() => {
                    while chars.next_if(|c| c.is_ascii_digit() || *c == ';').is_some() {}
                    chars.next();
                }
                c if c.is_control() && !matches!(c, '\n' | '\t') => {}
                c => return Some(c),
            }
        }
    })
}

/// One output of a cell. Format 3 has its text under `text`, format 4 under `data`. Images and HTML are skipped.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Output {
    output_type: Text,
    text: Text,
    data: Object<OutputData>,
    ename: Text,
    evalue: Text,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OutputData {
    #[serde(rename = "text/plain")]
    plain: Text,
}

impl Output {
    fn text(self) -> String {
        match self.output_type.0.as_str() {
            "error" | "pyerr" => format!("{}: {}", self.ename.0, self.evalue.0),
            _ if self.text.0.is_empty() => self.data.0.plain.0,
            _ => self.text.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::lenient::MAX_CELLS;
    use super::*;

    fn converted(notebook: serde_json::Value) -> String {
        convert(notebook.to_string().as_bytes()).unwrap()
    }

    /// Converts a notebook with this cell.
    fn cell(cell: serde_json::Value) -> String {
        converted(json!({"cells": [cell], "metadata": {"language_info": {"name": "R"}}, "nbformat": 4}))
    }

    #[test]
    fn cells_become_blocks() {
        for (json, expected) in [
            (json!({"cell_type": "markdown", "source": ["# A\n", "b"]}), "# A\nb\n"),
            (json!({"cell_type": "markdown", "source": "---\ntitle: x\n---\n"}), "***\ntitle: x\n---\n"),
            (json!({"cell_type": "markdown", "source": "+++\nx\n+++"}), "\\+++\nx\n+++\n"),
            (json!({"cell_type": "markdown", "source": "~~~\nx"}), "~~~\nx\n~~~\n"),
            (json!({"cell_type": "markdown", "source": " \n"}), ""),
            (json!({"cell_type": "code", "source": "x <- 1\n"}), "```r\nx <- 1\n```\n"),
            (json!({"cell_type": "code", "source": "a\n```\n"}), "````r\na\n```\n````\n"),
            (json!({"cell_type": "raw", "source": "a"}), "```text\na\n```\n"),
            (json!({"cell_type": "code", "source": null, "outputs": []}), ""),
            (json!({"cell_type": 5, "source": {"a": [1, 2.5, true]}}), ""),
            (json!({"cell_type": "heading", "level": 2, "source": ["A\n", "b"]}), "## A b\n"),
        ] {
            assert_eq!(cell(json.clone()), expected, "{json}");
        }
    }

    #[test]
    fn outputs_are_kept_as_text() {
        for (json, expected) in [
            (json!([{"output_type": "stream", "text": ["a\n", "b\n"]}]), "a\nb"),
            (json!([{"output_type": "display_data", "data": {"image/png": "AAAA", "text/html": "<b>"}}]), ""),
            (
                json!([{"data": {"text/plain": "1"}}, {"data": {"text/plain": ["2"], "text/html": "x"}}]),
                "1\n2",
            ),
            (json!([{"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["x"]}]), "E: v"),
            (json!([{"text": "\u{1b}[31mred\u{1b}[0m\r"}]), "red"),
        ] {
            let expected =
                if expected.is_empty() { String::new() } else { format!("\n```text\n{expected}\n```\n") };
            let markdown = cell(json!({"cell_type": "code", "source": "x", "outputs": json}));
            assert_eq!(markdown, format!("```r\nx\n```\n{expected}"));
        }
        let long =
            cell(json!({"cell_type": "code", "outputs": [{"text": "é".repeat(5_000)}, {"text": "more"}]}));
        let expected = format!("```text\n{}\n[output cut at 2000 characters]\n```\n", "é".repeat(2_000));
        assert_eq!(long, expected);
    }

    #[test]
    fn both_formats_are_read() {
        let old = json!({"metadata": {"name": "x"}, "nbformat": 3, "worksheets": [{"cells": [
            {"cell_type": "heading", "level": 1, "source": ["T"]},
            {"cell_type": "code", "language": "python", "input": ["1"], "outputs": [{"output_type": "pyout", "text": ["1"]}]},
        ]}]});
        assert_eq!(converted(old), "# T\n\n```python\n1\n```\n\n```text\n1\n```\n");
        let new = json!({"cells": [{"cell_type": "code", "source": "1"}], "metadata": {"title": "A: b",
            "kernelspec": {"language": "julia", "name": "julia-1.9"}}});
        let odd = json!({"cells": [{"cell_type": "code", "source": "1", "outputs": [null, "x", {"data": 5}]}],
            "metadata": {"kernelspec": null, "language_info": "x"}});
        assert_eq!(converted(odd), "```python\n1\n```\n");
        assert_eq!(converted(new), "---\ntitle: \"A: b\"\n---\n\n```julia\n1\n```\n");
    }

    #[test]
    fn hostile_notebooks_are_refused() {
        for (case, notebook) in [
            ("empty", String::new()),
            ("no JSON", "x".to_owned()),
            ("truncated", "{\"cells\": [{\"source\": \"a".to_owned()),
            ("deep", format!("{{\"cells\": {}", "[".repeat(1_000_000))),
            ("deep in a text", format!("{{\"cells\": [{{\"source\": {}", "[".repeat(1_000_000))),
            ("many cells", format!("{{\"cells\": [{{}}{}]}}", ",{}".repeat(MAX_CELLS))),
            ("no list", "{\"cells\": 1}".to_owned()),
        ] {
            let error = convert(notebook.as_bytes()).unwrap_err();
            assert!(error.starts_with("the notebook is not valid: "), "{case}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = convert(&bytes);
        }

        #[test]
        fn cells_never_swallow_the_next_one(source in "([`~]{1,4}|[ab#\\- ]{1,3}|\n){0,12}") {
            let cells = json!([{"cell_type": "markdown", "source": source}, {"cell_type": "markdown", "source": "# End"}]);
            let markdown = converted(json!({"cells": cells}));
            let headings = pulldown_cmark::Parser::new(&markdown)
                .filter(|event| matches!(event, pulldown_cmark::Event::Start(pulldown_cmark::Tag::Heading { .. })));
            prop_assert!(headings.count() > 0, "{}", markdown);
        }
    }
}
