//! Renders elements inside a paragraph, and code.

use super::super::inline::Mark;
use super::super::names::{code_language, usable_address};
use super::super::tag::Tag;
use super::{Exit, Renderer};

impl Renderer<'_, '_> {
    pub(super) fn mark(&mut self, mark: Mark) -> Exit {
        if self.plain_depth > 0 {
            return Exit::Nothing;
        }
        self.inline.open(mark);
        Exit::Mark
    }

    pub(super) fn link(&mut self, at: usize) -> Exit {
        let address = self.tree.attribute(at, "href").and_then(|href| usable_address(&href));
        match address {
            // A heading that links to itself is only a heading.
            Some(address) if self.plain_depth == 0 || !address.starts_with('#') => {
                self.inline.open(Mark::Link(address));
                Exit::Mark
            }
            _ => Exit::Nothing,
        }
    }

    pub(super) fn image(&mut self, at: usize) {
        let alt = self.tree.attribute(at, "alt").unwrap_or_default();
        if self.code_depth > 0 || alt.trim().is_empty() {
            return;
        }
        let address = self.tree.attribute(at, "src").and_then(|src| usable_address(&src));
        let address = address.filter(|_| self.plain_depth == 0);
        self.inline.image(&alt, address.as_deref());
    }

    /// Writes `10<sup>6</sup>` as `10^6`, but `2<sup>nd</sup>` as `2nd`.
    pub(super) fn superscript(&mut self, at: usize) -> Exit {
        let has_link = self.tree.descendants(at, Tag::A).next().is_some();
        if self.tree.end(at) - at == 2 && !has_link {
            let text = self.tree.inner_text(at);
            let is_exponent =
                text.len() == 1 || text.trim_start_matches(['-', '+', '−']).parse::<i64>().is_ok();
            if is_exponent && self.inline.len() > 0 {
                self.inline.text("^");
            }
        }
        Exit::Nothing
    }

    pub(super) fn begin_code(&mut self) -> Exit {
        self.code_depth += 1;
        Exit::Code
    }

    pub(super) fn end_code(&mut self) {
        self.code_depth -= 1;
        if self.code_depth > 0 {
            return;
        }
        let code = std::mem::take(&mut self.code);
        if code.starts_with(char::is_whitespace) {
            self.inline.space();
        }
        self.inline.code(&code);
        if code.ends_with(char::is_whitespace) {
            self.inline.space();
        }
    }

    pub(super) fn preformatted(&mut self, at: usize) {
        let code = self.tree.inner_text(at).replace("\r\n", "\n").replace(['\r', '\0'], "\n");
        let code = code.strip_prefix('\n').unwrap_or(&code).trim_end();
        if self.table.is_some() || self.plain_depth > 0 {
            return self.inline.code(code);
        }
        self.end_paragraph();
        if !code.trim().is_empty() {
            let outer = self.open.iter().rev().map(|(element, _)| *element);
            let language = code_language(self.tree, at, outer);
            self.writer.code(&language, code);
        }
    }
}
