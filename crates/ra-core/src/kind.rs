//! The kinds of documents, and the file types that belong to each.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentKind {
    /// Markdown: front matter, headings, links and tags count.
    Markdown,
    /// Any other text: one chunk, named after its file.
    Plain,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    Asciidoc,
    /// Org.
    Org,
    /// A web page.
    Html,
    /// A Jupyter notebook.
    Notebook,
    /// A PDF file.
    Pdf,
    /// A Word document.
    Docx,
    /// A LibreOffice document.
    Odt,
    /// An electronic book.
    Epub,
    /// A file that a program of the user converts.
    External,
}

/// Every kind with its name and the extensions of its files, in lower case.
const KINDS: &[(DocumentKind, &str, &[&str])] = &[
    (DocumentKind::Markdown, "markdown", &["md", "markdown", "mdx", "mdown"]),
    (DocumentKind::Plain, "plain", &["txt"]),
    (DocumentKind::Rst, "rst", &["rst", "rest"]),
    (DocumentKind::Asciidoc, "asciidoc", &["adoc", "asciidoc"]),
    (DocumentKind::Org, "org", &["org"]),
    (DocumentKind::Html, "html", &["html", "htm", "xhtml"]),
    (DocumentKind::Notebook, "notebook", &["ipynb"]),
    (DocumentKind::Pdf, "pdf", &["pdf"]),
    (DocumentKind::Docx, "docx", &["docx"]),
    (DocumentKind::Odt, "odt", &["odt"]),
    (DocumentKind::Epub, "epub", &["epub"]),
    (DocumentKind::External, "external", &[]),
];

impl DocumentKind {
    /// Returns all kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|(kind, ..)| *kind)
    }

    /// Returns the kind for the extension of `path`, if it is one of those that are indexed by default.
    pub fn of_known_type(path: &str) -> Option<Self> {
        let extension = Path::new(path).extension()?.to_str()?;
        let has = |known: &&str| known.eq_ignore_ascii_case(extension);
        KINDS.iter().find(|(.., extensions)| extensions.iter().any(has)).map(|(kind, ..)| *kind)
    }

    /// Returns the extensions of the files that a site publishes as pages, which links may omit.
    pub fn page_extensions() -> impl Iterator<Item = &'static str> {
        let is_page = |kind| match kind {
            Self::Markdown | Self::Rst | Self::Asciidoc | Self::Org | Self::Html => true,
            Self::Plain | Self::Notebook | Self::Pdf | Self::Docx | Self::Odt | Self::Epub => false,
            Self::External => false,
        };
        let pages = KINDS.iter().filter(move |(kind, ..)| is_page(*kind));
        pages.flat_map(|(.., extensions)| extensions.iter().copied())
    }

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, known, _)| *known == name).map(|(kind, ..)| *kind)
    }

    /// Returns the kind as a word.
    pub fn as_str(self) -> &'static str {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or("plain", |(_, name, _)| name)
    }

    /// True if the kind is one of these.
    pub fn is_among(self, kinds: &[Self]) -> bool {
        kinds.contains(&self)
    }

    /// True if the text that is indexed and shown is made from the file. The text of other kinds is the file itself.
    pub fn is_converted(self) -> bool {
        match self {
            Self::Markdown | Self::Plain | Self::Rst | Self::Asciidoc | Self::Org => false,
            Self::Html | Self::Notebook | Self::Pdf | Self::Docx | Self::Odt | Self::Epub => true,
            Self::External => true,
        }
    }

    /// True if files of this kind are binary and may be very large: `max_binary_size` limits them.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Pdf | Self::Docx | Self::Odt | Self::Epub)
    }

    /// True if the text is markdown: as the file has it, or as it was made from the file.
    pub fn is_markdown(self) -> bool {
        self == Self::Markdown || self.is_converted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_tells_the_kind() {
        for (path, kind) in [
            ("a.md", DocumentKind::Markdown),
            ("a/b.MD", DocumentKind::Markdown),
            ("a.markdown", DocumentKind::Markdown),
            ("a.mdx", DocumentKind::Markdown),
            ("a.Mdown", DocumentKind::Markdown),
            ("a.txt", DocumentKind::Plain),
            ("index.rst", DocumentKind::Rst),
            ("README.adoc", DocumentKind::Asciidoc),
            ("notes.org", DocumentKind::Org),
            ("a.HTM", DocumentKind::Html),
            ("a.ipynb", DocumentKind::Notebook),
            ("paper.pdf", DocumentKind::Pdf),
            ("a.docx", DocumentKind::Docx),
            ("a.odt", DocumentKind::Odt),
            ("a.epub", DocumentKind::Epub),
        ] {
            assert_eq!(DocumentKind::of_known_type(path), Some(kind), "{path}");
        }
        for path in ["a.md/b", "md", "", "a.c"] {
            assert_eq!(DocumentKind::of_known_type(path), None, "{path}");
        }
    }

    #[test]
    fn every_kind_has_a_name_and_a_type() {
        for (kind, name, extensions) in KINDS {
            assert_eq!((kind.as_str(), serde_json::to_value(kind).unwrap()), (*name, (*name).into()));
            let Some(extension) = extensions.first() else { continue };
            assert_eq!(DocumentKind::of_known_type(&format!("a.{extension}")), Some(*kind));
        }
    }
}
