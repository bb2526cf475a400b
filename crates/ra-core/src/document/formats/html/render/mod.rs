//! Renders the main content of a page as markdown, in one pass over its nodes. `lists` and `tables` render these.

mod inline_elements;
mod lists;
mod tables;

use super::super::markup::{MAX_OUTPUT_BYTES, output_too_large};
use super::inline::{Inline, Mark};
use super::main_content::Content;
use super::names::{heading_id, is_admonition, is_code_fragment, is_page_title};
use super::table::Table;
use super::tag::Tag;
use super::tree::Tree;
use super::writer::Writer;

/// The work to do at the end of an element.
#[derive(Debug)]
enum Exit {
    /// Nothing: the element is part of its paragraph.
    Nothing,
    /// End the paragraph.
    Block,
    /// End the paragraph, and write it as a heading.
    Heading(usize),
    /// End the paragraph, and write it in bold.
    Bold,
    /// End a mark.
    Mark,
    /// End a code span.
    Code,
    /// Add a closing quotation mark.
    Quotation,
    /// End a list, the quote or item around the paragraph, or a note.
    List,
    Container,
    Note,
    /// End a term of a definition list, and the description of one.
    Term(TermStyle),
    Description,
    /// End a table and its parts.
    Table,
    Row,
    Cell,
}

/// How a definition list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TermStyle {
    /// As list items: `- **term**: description`.
    Items,
    /// As paragraphs, because the descriptions are long.
    Paragraphs,
}

/// A list being rendered.
enum OpenList {
    /// A bullet list, or a numbered one with its next number.
    Items { number: Option<u32>, is_begun: bool },
    /// A list around sections: its items aren't indented.
    Layout,
    /// A definition list. `has_item` if a list item is open for a term.
    Terms { style: TermStyle, has_item: bool, is_begun: bool },
}

/// The state of one pass.
pub(super) struct Renderer<'t, 's> {
    tree: &'t Tree<'s>,
    content: &'t Content,
    writer: Writer,
    inline: Inline,
    /// The open elements, outermost first.
    open: Vec<(usize, Exit)>,
    lists: Vec<OpenList>,
    table: Option<Table>,
    /// The code span being read, with the number of code elements around it.
    code: String,
    code_depth: usize,
    /// How many headings, terms and header cells are open. Emphasis isn't written in them.
    plain_depth: usize,
    /// How many notes are open. Headings in them aren't headings of the page.
    note_depth: usize,
    /// The length of the current paragraph if it is only a term, which its description follows on the same line.
    term_length: Option<usize>,
    /// The id of the last empty anchor, and the amount of text before it.
    anchor: Option<(String, u32)>,
}

impl<'t, 's> Renderer<'t, 's> {
    /// Creates a renderer for the content of a page.
    pub(super) fn new(tree: &'t Tree<'s>, content: &'t Content) -> Self {
        Self {
            tree,
            content,
            writer: Writer::default(),
            inline: Inline::default(),
            open: Vec::new(),
            lists: Vec::new(),
            table: None,
            code: String::new(),
            code_depth: 0,
            plain_depth: 0,
            note_depth: 0,
            term_length: None,
            anchor: None,
        }
    }

    /// Renders the content.
    pub(super) fn render(mut self) -> Result<String, String> {
        if let Some(title) = self.content.title {
            self.nodes(title, self.tree.end(title))?;
        }
        self.nodes(self.content.start, self.content.end)?;
        Ok(self.writer.finish())
    }

    /// Renders the nodes from `start` to `end`.
    fn nodes(&mut self, start: usize, end: usize) -> Result<(), String> {
        let mut at = start;
        while at < end && self.writer.len() <= MAX_OUTPUT_BYTES {
            self.leave_until(at);
            at = self.node(at);
        }
        self.leave_until(usize::MAX);
        self.end_paragraph();
        if self.writer.len() > MAX_OUTPUT_BYTES { Err(output_too_large()) } else { Ok(()) }
    }

    /// Ends the elements that don't contain the node at `at`.
    fn leave_until(&mut self, at: usize) {
        while let Some((element, exit)) = self.open.pop_if(|(element, _)| self.tree.end(*element) <= at) {
            self.leave(element, exit);
        }
    }

    /// Renders one node and returns the position of the next.
    fn node(&mut self, at: usize) -> usize {
        let tag = self.tree.tag(at);
        let end = self.tree.end(at);
        if self.tree.nodes[at].is_skipped {
            return end;
        }
        match tag {
            Tag::Text | Tag::RawText if self.code_depth > 0 => self.code.push_str(&self.tree.text(at)),
            Tag::Text | Tag::RawText => self.inline.text(&self.tree.text(at)),
            Tag::Br => self.line_break(),
            Tag::Img => self.image(at),
            Tag::Hr => self.end_paragraph(),
            Tag::Pre | Tag::Xmp => {
                self.preformatted(at);
                return end;
            }
            Tag::Div if is_code_fragment(self.tree, at) => {
                self.preformatted(at);
                return end;
            }
            _ => {
                self.note_anchor(at);
                let exit = self.enter(at, tag);
                self.open.push((at, exit));
            }
        }
        at + 1
    }

    fn enter(&mut self, at: usize, tag: Tag) -> Exit {
        use Tag::*;
        match tag {
            _ if self.code_depth > 0 && !matches!(tag, Code | Tt | Kbd | Samp) && !tag.is_block() => {
                Exit::Nothing
            }
            H1 | H2 | H3 | H4 | H5 | H6 => self.begin_heading(tag),
            B | Strong => self.mark(Mark::Strong),
            Em | I | Cite | Dfn | Var => self.mark(Mark::Emphasis),
            Del | S | Strike => self.mark(Mark::Strike),
            A => self.link(at),
            Code | Tt | Kbd | Samp => self.begin_code(),
            Q => {
                self.inline.text("“");
                Exit::Quotation
            }
            Sup => self.superscript(at),
            Ul | Ol | Menu | Dir => self.begin_list(at, tag),
            Li => self.begin_item(),
            Dl => self.begin_terms(at),
            Dt => self.begin_term(at),
            Dd => self.begin_description(),
            Table if self.table.is_none() => self.begin_table(at),
            Tr | Td | Th if self.table.is_some() => self.begin_table_part(tag),
            Blockquote if !self.content.has_heading(at, self.tree.end(at)) => self.begin_quote(),
            Summary if !self.content.has_heading(at, self.tree.end(at)) => {
                self.end_paragraph();
                self.plain_depth += 1;
                Exit::Bold
            }
            Div | Aside | Section | Table | P => self.begin_division(at, tag),
            _ if tag.is_block() => {
                self.end_paragraph();
                Exit::Block
            }
            _ => Exit::Nothing,
        }
    }

    fn leave(&mut self, at: usize, exit: Exit) {
        match exit {
            Exit::Nothing => {}
            Exit::Block => self.end_paragraph(),
            Exit::Heading(level) => self.end_heading(at, level),
            Exit::Bold => {
                self.plain_depth -= 1;
                self.end_bold();
            }
            Exit::Mark => self.inline.close(),
            Exit::Code => self.end_code(),
            Exit::Quotation => self.inline.text("”"),
            Exit::List => {
                self.end_description();
                self.end_term_item();
                self.lists.pop();
            }
            Exit::Container => self.end_container(),
            Exit::Note => {
                self.note_depth -= 1;
                self.end_container();
            }
            Exit::Term(style) => self.end_term(at, style),
            Exit::Description => self.end_description(),
            Exit::Table => self.end_table(),
            Exit::Row => self.table.iter_mut().for_each(Table::end_row),
            Exit::Cell => self.end_cell(at),
        }
    }

    /// Writes the current paragraph. Inside the cell of a table, paragraphs are joined.
    fn end_paragraph(&mut self) {
        if self.code_depth > 0 {
            return self.code.push(' ');
        }
        if self.table.is_some() || self.plain_depth > 0 {
            return self.inline.space();
        }
        if self.term_length == Some(self.inline.len()) {
            return;
        }
        self.term_length = None;
        let markdown = self.inline.take();
        if !markdown.is_empty() {
            self.writer.paragraph(&markdown);
        }
    }

    fn line_break(&mut self) {
        if self.code_depth > 0 {
            self.code.push(' ');
        } else if self.table.is_some() || self.plain_depth > 0 {
            self.inline.space();
        } else if self.inline.line_break() {
            self.end_paragraph();
        }
    }

    fn begin_heading(&mut self, tag: Tag) -> Exit {
        self.end_paragraph();
        self.plain_depth += 1;
        match tag.heading_level() {
            Some(level) if self.note_depth == 0 && self.table.is_none() => Exit::Heading(level),
            _ => Exit::Bold,
        }
    }

    fn end_heading(&mut self, at: usize, level: usize) {
        self.plain_depth -= 1;
        if self.plain_depth > 0 {
            return self.inline.space();
        }
        let title = self.inline.take();
        if title.is_empty() {
            return;
        }
        let outer = self.open.iter().rev().map(|(element, _)| *element);
        let near = self.anchor.take().filter(|(_, text)| *text == self.content.text_before(at));
        let id = heading_id(self.tree, self.content, at, outer).or(near.map(|(id, _)| id));
        let id = id.map(|id| format!(" {{#{id}}}")).unwrap_or_default();
        self.writer.block(&format!("{} {title}{id}", "#".repeat(level)));
    }

    /// Remembers the id of an element without text, which may be that of the heading after it.
    fn note_anchor(&mut self, at: usize) {
        let is_empty = self.content.text_between(at, self.tree.end(at)) == 0;
        if is_empty && matches!(self.tree.tag(at), Tag::A | Tag::Other | Tag::Div | Tag::P) {
            let id = self.tree.attribute(at, "id").or_else(|| self.tree.attribute(at, "name"));
            self.anchor = id.map(|id| (id.into_owned(), self.content.text_before(at))).or(self.anchor.take());
        }
    }

    fn end_bold(&mut self) {
        if self.table.is_some() || self.plain_depth > 0 {
            return self.inline.space();
        }
        let markdown = self.inline.take();
        if !markdown.is_empty() {
            self.writer.block(&format!("**{markdown}**"));
        }
    }

    fn begin_quote(&mut self) -> Exit {
        self.end_paragraph();
        if self.table.is_some() {
            return Exit::Block;
        }
        self.writer.begin_quote();
        Exit::Container
    }

    fn end_container(&mut self) {
        self.end_paragraph();
        self.writer.end_container();
    }

    fn begin_division(&mut self, at: usize, tag: Tag) -> Exit {
        self.end_paragraph();
        if self.table.is_some() {
            return Exit::Block;
        }
        if is_page_title(self.tree, at, self.open.last().map(|(parent, _)| *parent)) {
            return self.begin_heading(Tag::H1);
        }
        if tag == Tag::P && self.tree.has_class(at, |class| class == "admonition-title") {
            self.plain_depth += 1;
            return Exit::Bold;
        }
        if matches!(tag, Tag::Div | Tag::Aside | Tag::Section) && is_admonition(self.tree, at) {
            self.note_depth += 1;
            self.writer.begin_quote();
            return Exit::Note;
        }
        Exit::Block
    }
}
