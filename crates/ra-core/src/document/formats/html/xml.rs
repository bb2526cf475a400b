//! Reads small XML files, such as those that describe a book.

use std::borrow::Cow;

use super::tree::Tree;

/// A parsed XML file. Elements are positions in document order; names are without their prefix.
pub(in super::super) struct Xml<'a> {
    tree: Tree<'a>,
}

impl<'a> Xml<'a> {
    /// Parses a file.
    pub(in super::super) fn parse(source: &'a str) -> Result<Self, String> {
        Ok(Self { tree: Tree::parse(source, true)? })
    }

    /// Returns the elements with this name.
    pub(in super::super) fn elements<'x>(&'x self, name: &'x str) -> impl Iterator<Item = usize> + 'x {
        (0..self.tree.nodes.len()).filter(move |at| self.is_named(*at, name))
    }

    /// Returns the first element with this name inside another one.
    pub(in super::super) fn find_in(&self, outer: usize, name: &str) -> Option<usize> {
        (outer + 1..self.tree.end(outer)).find(|at| self.is_named(*at, name))
    }

    /// Returns the value of an attribute; empty if there is none.
    pub(in super::super) fn attribute(&self, at: usize, name: &str) -> Cow<'a, str> {
        self.tree.attribute(at, name).unwrap_or_default()
    }

    /// Returns the text of an element.
    pub(in super::super) fn text(&self, at: usize) -> String {
        self.tree.inner_text(at).trim().to_owned()
    }

    fn is_named(&self, at: usize, name: &str) -> bool {
        let written = if self.tree.tag(at).is_text() { "" } else { self.tree.name(at) };
        written.rsplit(':').next() == Some(name)
    }
}
