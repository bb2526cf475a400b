//! Renders lists and definition lists.

use super::super::tag::Tag;
use super::super::tree::Tree;
use super::{Exit, OpenList, Renderer, TermStyle};

impl Renderer<'_, '_> {
    pub(super) fn begin_list(&mut self, at: usize, tag: Tag) -> Exit {
        self.end_paragraph();
        let is_layout = self.content.has_heading(at, self.tree.end(at)) && self.note_depth == 0;
        let start = self.tree.attribute(at, "start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
        self.lists.push(match tag {
            _ if is_layout => OpenList::Layout,
            Tag::Ol => OpenList::Items { number: Some(start), is_begun: false },
            _ => OpenList::Items { number: None, is_begun: false },
        });
        Exit::List
    }

    pub(super) fn begin_item(&mut self) -> Exit {
        self.end_paragraph();
        let is_nested = self.is_nested_list();
        if self.table.is_some() || self.plain_depth > 0 {
            return Exit::Block;
        }
        let Some(OpenList::Items { number, is_begun }) = self.lists.last_mut() else { return Exit::Block };
        let is_first = !std::mem::replace(is_begun, true);
        // Only a list that begins with 1 can follow a paragraph directly.
        let is_tight = !is_first || is_nested && number.is_none_or(|number| number == 1);
        let marker = match number {
            Some(number) => {
                let marker = format!("{}. ", (*number).min(999_999_999));
                *number = number.saturating_add(1);
                marker
            }
            None => "- ".to_owned(),
        };
        self.writer.begin_item(&marker, is_tight);
        Exit::Container
    }

    /// True if the current list is in an item of another one.
    fn is_nested_list(&self) -> bool {
        let outer = self.lists.iter().rev().nth(1);
        matches!(outer, Some(OpenList::Items { .. } | OpenList::Terms { style: TermStyle::Items, .. }))
    }

    pub(super) fn begin_terms(&mut self, at: usize) -> Exit {
        use Tag::*;
        const MAX_SHORT_NODES: usize = 2_000;
        self.end_paragraph();
        let end = self.tree.end(at);
        let is_long = |tag: Tag| {
            tag.heading_level().is_some() || matches!(tag, Blockquote | Dl | Ol | Pre | Table | Ul | Xmp)
        };
        // A long list is written as paragraphs without a look at the rest of it.
        let is_short =
            end - at <= MAX_SHORT_NODES && !(at + 1..end).any(|inside| is_long(self.tree.tag(inside)));
        let style = if is_short { TermStyle::Items } else { TermStyle::Paragraphs };
        self.lists.push(OpenList::Terms { style, has_item: false, is_begun: false });
        Exit::List
    }

    fn term_style(&self) -> TermStyle {
        match self.lists.last() {
            Some(OpenList::Terms { style, .. }) if self.table.is_none() => *style,
            _ => TermStyle::Paragraphs,
        }
    }

    pub(super) fn begin_term(&mut self, at: usize) -> Exit {
        self.end_description();
        let style = self.term_style();
        self.end_term_item();
        let is_nested = self.is_nested_list();
        if style == TermStyle::Items
            && let Some(OpenList::Terms { has_item, is_begun, .. }) = self.lists.last_mut()
        {
            let is_first = !std::mem::replace(is_begun, true);
            *has_item = true;
            self.writer.begin_item("- ", !is_first || is_nested);
        }
        if self.content.has_heading(at, self.tree.end(at)) {
            return Exit::Block;
        }
        self.plain_depth += 1;
        if is_signature(self.tree, at) {
            self.code_depth += 1;
        }
        Exit::Term(style)
    }

    /// Ends the list item of the last term.
    pub(super) fn end_term_item(&mut self) {
        if let Some(OpenList::Terms { has_item, .. }) = self.lists.last_mut()
            && std::mem::take(has_item)
        {
            self.writer.end_container();
        }
    }

    pub(super) fn end_term(&mut self, at: usize, style: TermStyle) {
        self.plain_depth -= 1;
        if is_signature(self.tree, at) {
            self.end_code();
        }
        if self.table.is_some() || self.plain_depth > 0 {
            return self.inline.space();
        }
        let term = self.inline.take();
        if term.is_empty() {
            return;
        }
        let term = if term.starts_with('`') && term.ends_with('`') { term } else { format!("**{term}**") };
        let is_followed = self.tree.nodes.get(self.next_element(at)).is_some_and(|node| node.tag == Tag::Dd);
        if style == TermStyle::Items && is_followed {
            self.inline.markup(&term);
            self.inline.text(if term.ends_with(":**") { " " } else { ": " });
            self.term_length = Some(self.inline.len());
        } else {
            self.writer.block(&term);
        }
    }

    /// Returns the position of the next element after the one at `at`.
    fn next_element(&self, at: usize) -> usize {
        let end = self.tree.end(at);
        (end..self.content.end).find(|next| !self.tree.tag(*next).is_text()).unwrap_or(self.content.end)
    }

    pub(super) fn begin_description(&mut self) -> Exit {
        self.end_paragraph();
        Exit::Description
    }

    pub(super) fn end_description(&mut self) {
        self.term_length = None;
        self.end_paragraph();
    }
}

/// True for a term that is the signature of a function or a type.
fn is_signature(tree: &Tree<'_>, at: usize) -> bool {
    tree.has_class(at, |class| class == "sig" || class == "sig-object")
}
