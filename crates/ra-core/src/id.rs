//! The ids of trees, documents and chunks. `parse` and `Display` are inverse to each other.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The name of a tree: not empty, without `:`, `#`, `/`, white space or control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TreeName(Arc<str>);

/// The id of a document: `tree:path`, with the path relative to the tree's root, verbatim and with `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocId {
    /// The tree that contains the document.
    pub tree: TreeName,
    /// The path below the tree's root.
    pub path: String,
}

/// The id of a chunk: `tree:path#slug`, or `tree:path` for the document's own node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChunkId {
    /// The document.
    pub doc: DocId,
    /// The heading's slug; `None` for the document's own node.
    pub slug: Option<String>,
}

/// Why a text isn't an id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The tree part breaks the rules of [`TreeName`].
    #[error(
        "`{0}` is not a tree name: it must have 1 to {MAX_TREE_NAME_CHARS} characters, and none of `:`, `#`, `/`, spaces \
         and control characters"
    )]
    TreeName(String),
    /// There is no `tree:` prefix.
    #[error("`{0}` has no tree: an id looks like `tree:path/file.md` or `tree:path/file.md#heading`")]
    NoTree(String),
    /// Nothing follows `tree:`.
    #[error("`{0}` has no path after the tree's name")]
    NoPath(String),
}

/// The name of a tree begins every id of its documents.
const MAX_TREE_NAME_CHARS: usize = 200;

impl TreeName {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TreeName {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let bad = |c: char| matches!(c, ':' | '#' | '/') || c.is_whitespace() || c.is_control();
        if text.is_empty() || text.contains(bad) || text.chars().nth(MAX_TREE_NAME_CHARS).is_some() {
            return Err(IdError::TreeName(text.chars().take(MAX_TREE_NAME_CHARS).collect()));
        }
        Ok(Self(text.into()))
    }
}

impl TryFrom<String> for TreeName {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<TreeName> for String {
    fn from(name: TreeName) -> String {
        name.0.as_ref().to_owned()
    }
}

impl fmt::Display for TreeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl DocId {
    /// Returns the id of the document at `path` in `tree`.
    pub fn new(tree: TreeName, path: impl Into<String>) -> Self {
        Self { tree, path: path.into() }
    }

    /// Returns the document with this id in the index.
    pub fn of_index_id(id: &str) -> Option<Self> {
        let (tree, path) = id.split_once(':')?;
        Some(Self::new(tree.parse().ok()?, path))
    }

    /// Returns the id that the index has, whatever characters the path contains. It may also be that of a section.
    pub fn index_id(&self) -> String {
        index_id(&self.tree, &self.path)
    }

    /// Returns the id of the chunk of this document with the given slug.
    pub fn chunk(&self, slug: Option<&str>) -> ChunkId {
        ChunkId { doc: self.clone(), slug: slug.map(str::to_owned) }
    }
}

/// Returns the id that the index has for a document.
pub fn index_id(tree: &TreeName, path: &str) -> String {
    format!("{tree}:{path}")
}

impl fmt::Display for DocId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.tree, self.path)?;
        // A path such as `notes/C#basics` would parse as a chunk of `notes/C`. An empty fragment names the document
        // itself, so one is added only when needed.
        if split_slug(&self.path).1.is_some() { f.write_str("#") } else { Ok(()) }
    }
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.slug {
            None => self.doc.fmt(f),
            Some(slug) => write!(f, "{}:{}#{slug}", self.doc.tree, self.doc.path),
        }
    }
}

impl FromStr for ChunkId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let (tree, rest) = text.split_once(':').ok_or_else(|| IdError::NoTree(text.to_owned()))?;
        let tree: TreeName = tree.parse()?;
        let (path, slug) = split_slug(rest);
        if path.is_empty() {
            return Err(IdError::NoPath(text.to_owned()));
        }
        let slug = slug.filter(|slug| !slug.is_empty()).map(str::to_owned);
        Ok(Self { doc: DocId::new(tree, path), slug })
    }
}

impl FromStr for DocId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        text.parse::<ChunkId>().map(|id| id.doc)
    }
}

/// Splits `path#slug`. The text after the last `#` is a slug only if it could be one: without `.`, `/`, spaces or
/// control characters; `a#b.md` is a path.
fn split_slug(text: &str) -> (&str, Option<&str>) {
    let in_slug = |c: char| !matches!(c, '.' | '/') && !c.is_whitespace() && !c.is_control();
    match text.rsplit_once('#') {
        Some((path, slug)) if slug.chars().all(in_slug) => (path, Some(slug)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ids_parse_into_their_parts() {
        for (text, path, slug) in [
            ("docs:guide.md", "guide.md", None),
            ("docs:a/b c.md#the-resultt-type", "a/b c.md", Some("the-resultt-type")),
            ("docs:a#b.md", "a#b.md", None),
            ("docs:a#b.md#c", "a#b.md", Some("c")),
            ("docs:C#basics#", "C#basics", None),
            ("docs:a:b.md#überblick", "a:b.md", Some("überblick")),
        ] {
            let id: ChunkId = text.parse().unwrap();
            assert_eq!((id.doc.path.as_str(), id.slug.as_deref()), (path, slug), "{text}");
            assert_eq!(id.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_id_says_why() {
        for (text, error) in [
            ("guide.md", IdError::NoTree("guide.md".into())),
            ("a b:guide.md", IdError::TreeName("a b".into())),
            (format!("{}:guide.md", "é".repeat(201)).as_str(), IdError::TreeName("é".repeat(200))),
            (":guide.md", IdError::TreeName(String::new())),
            ("docs:", IdError::NoPath("docs:".into())),
            ("docs:#x", IdError::NoPath("docs:#x".into())),
        ] {
            assert_eq!(text.parse::<ChunkId>().unwrap_err(), error);
        }
    }

    proptest! {
        #[test]
        fn display_then_parse_is_identity(
            tree in "[a-zA-Z0-9._-]{1,8}",
            path in "[a-z#:/ \\[\\]&.é-]{1,16}",
            slug in proptest::option::of("[a-z0-9_-]{1,8}"),
        ) {
            let id = ChunkId { doc: DocId::new(tree.parse().unwrap(), path), slug };
            prop_assert_eq!(id.to_string().parse::<ChunkId>().unwrap(), id);
        }
    }
}
