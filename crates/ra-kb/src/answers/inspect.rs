//! The answer of `ra inspect`: how a file is read.

use std::io;
use std::path::Path;

use ra_core::corpus::Skip;
use ra_core::document::{Document, DocumentKind, LinkKind, TitleSource};
use ra_core::index::LanguageId;
use ra_core::kb;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::LineRange;
use crate::output::{BAD, FAINT, GOOD, NAME, Page, Present, WARN, count, grouped};

/// How a file is read.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Inspection {
    /// The path of the file, as given.
    pub(crate) file: String,
    /// The format of the file.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = file_types()))]
    pub(crate) kind: &'static str,
    /// Whether any tree indexes it.
    pub(crate) indexed: bool,
    /// The trees that contain the file.
    pub(crate) trees: Vec<Membership>,
    /// The code of its language, or null if it can't be told.
    pub(crate) language: Option<&'static str>,
    #[serde(skip)]
    pub(crate) language_name: Option<&'static str>,
    /// The title; null for a file that is not text.
    pub(crate) title: Option<String>,
    /// Where the title comes from.
    #[schemars(extend("enum" = ["front matter", "first heading", "file name", ()]))]
    pub(crate) title_source: Option<&'static str>,
    /// The keys and values of the front matter, or null.
    pub(crate) front_matter: Option<Map<String, Value>>,
    /// The tags, from front matter and text.
    pub(crate) tags: Vec<String>,
    /// The aliases.
    pub(crate) aliases: Vec<String>,
    /// The description in the front matter, or null.
    pub(crate) description: Option<String>,
    /// All nodes of the document, in document order.
    pub(crate) chunks: Vec<Chunk>,
    /// The links.
    pub(crate) links: Vec<Link>,
    /// The problems of the file.
    pub(crate) warnings: Vec<Warning>,
    /// Why the file has no text that can be read; absent if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
}

/// A tree that contains the file.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Membership {
    /// The tree.
    pub(crate) tree: String,
    /// The id that the document has or would have.
    pub(crate) id: String,
    /// Whether the tree indexes it.
    pub(crate) indexed: bool,
    /// Why it does not, or null.
    pub(crate) reason: Option<String>,
}

/// A node of the document: the document itself, or a heading with its text.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Chunk {
    /// The id.
    pub(crate) id: String,
    /// The heading, or the document's title.
    pub(crate) title: String,
    /// The titles from the document's to the node's own.
    pub(crate) breadcrumb: String,
    /// 0 for the document, 1 to 6 for a heading.
    #[schemars(range(max = 6))]
    pub(crate) depth: u8,
    /// The position of the parent; null for the document.
    pub(crate) parent: Option<u32>,
    /// The position in document order, counted from 0.
    pub(crate) position: u32,
    /// The first and last line in the source file, counted from 1.
    #[schemars(with = "LineRange")]
    pub(crate) lines: (u32, u32),
    /// The span in bytes: the first, and one past the last.
    pub(crate) bytes: (usize, usize),
    /// The number of characters of its own text.
    pub(crate) chars: usize,
    /// The number of tokens of its own text, counted with cl100k_base.
    pub(crate) tokens: usize,
    /// Whether it has text of its own, and therefore is a chunk.
    pub(crate) indexed: bool,
    /// Whether it has more characters than `max_chunk_size`.
    pub(crate) oversized: bool,
}

/// A link in the document.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Link {
    /// The kind of link.
    #[schemars(extend("enum" = ["markdown", "wiki", "image"]))]
    pub(crate) kind: &'static str,
    /// The target.
    pub(crate) target: String,
    /// The visible text.
    pub(crate) text: String,
    /// The line, counted from 1.
    #[schemars(range(min = 1))]
    pub(crate) line: usize,
}

/// A problem of the file.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Warning {
    /// The line, counted from 1.
    #[schemars(range(min = 1))]
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) message: String,
}

/// The names of all formats, and of files that are not text.
fn file_types() -> Vec<&'static str> {
    DocumentKind::all().map(DocumentKind::as_str).chain([BINARY]).collect()
}

const BINARY: &str = "binary";

impl Inspection {
    pub(crate) fn new(file: &Path, found: kb::Inspection) -> Self {
        let trees: Vec<Membership> = found.memberships.iter().map(Membership::new).collect();
        let file = file.to_string_lossy().into_owned();
        let named = trees.iter().find(|tree| tree.indexed).or(trees.first());
        let prefix = named.map_or_else(|| file.clone(), |named| named.id.clone());
        let mut inspection = Inspection {
            kind: found.kind.map_or(BINARY, DocumentKind::as_str),
            indexed: found.nodes.iter().any(|size| size.is_chunk) && trees.iter().any(|tree| tree.indexed),
            language: found.language.map(LanguageId::code),
            language_name: found.language.map(LanguageId::name),
            title: None,
            title_source: None,
            front_matter: None,
            tags: Vec::new(),
            aliases: Vec::new(),
            description: None,
            chunks: Vec::new(),
            links: Vec::new(),
            warnings: Vec::new(),
            refused: found.refused,
            trees,
            file,
        };
        if let Some(document) = found.document {
            inspection.chunks = chunks(&prefix, &document, &found.nodes);
            inspection.describe(document);
        }
        if let Some(line) = found.invalid_line {
            inspection.warnings.push(Warning { line, message: "not valid UTF-8 from here on".to_owned() });
        }
        inspection
    }

    fn describe(&mut self, document: Document) {
        self.title = Some(document.title);
        self.title_source = Some(match document.title_source {
            TitleSource::FrontMatter => "front matter",
            TitleSource::Heading => "first heading",
            TitleSource::FileName => "file name",
        });
        self.front_matter = document.front_matter.map(|front_matter| front_matter.fields);
        self.tags = document.tags;
        self.aliases = document.aliases;
        self.description = document.description;
        self.links = document
            .links
            .into_iter()
            .map(|link| Link {
                kind: match link.kind {
                    LinkKind::Markdown => "markdown",
                    LinkKind::Wiki => "wiki",
                    LinkKind::Image => "image",
                },
                target: link.target,
                text: link.text,
                line: link.line,
            })
            .collect();
        let warnings = document.warnings.into_iter();
        self.warnings
            .extend(warnings.map(|warning| Warning { line: warning.line, message: warning.message }));
    }
}

impl Membership {
    fn new(found: &kb::Membership) -> Self {
        Membership {
            tree: found.tree.to_string(),
            id: found.id.to_string(),
            indexed: found.skip.is_none(),
            reason: found.skip.as_ref().map(reason),
        }
    }
}

fn chunks(prefix: &str, document: &Document, sizes: &[kb::NodeReport]) -> Vec<Chunk> {
    let describe = |(node, size): (&ra_core::document::Node, &kb::NodeReport)| Chunk {
        id: node.slug.as_ref().map_or_else(
            || prefix.to_owned(),
            |slug| format!("{}#{slug}", prefix.strip_suffix('#').unwrap_or(prefix)),
        ),
        title: node.title.clone(),
        breadcrumb: document.outline.breadcrumb(node.ord),
        depth: node.level,
        parent: node.parent,
        position: node.ord,
        lines: node.lines,
        bytes: (node.span.start, node.span.end),
        chars: size.chars,
        tokens: size.tokens,
        indexed: size.is_chunk,
        oversized: size.oversized,
    };
    document.outline.nodes.iter().zip(sizes).map(describe).collect()
}

/// Returns a sentence that says why a file is not indexed.
fn reason(skip: &Skip) -> String {
    match skip {
        Skip::Unreadable(why) => format!("it could not be read: {why}"),
        Skip::LinkOutside => "it is a link that leads out of the project".to_owned(),
        Skip::LinkBarred => {
            "it is a link to a file that is hidden, ignored, or in a directory that is never entered"
                .to_owned()
        }
        Skip::DeadLink => "it is a link to nothing".to_owned(),
        Skip::DirectoryLink => "it lies behind a link to a directory".to_owned(),
        Skip::NotUnicode => "its name is not valid Unicode".to_owned(),
        Skip::TooLarge => "it is larger than 256 MiB, or than `max_binary_size`".to_owned(),
        Skip::Ignored(pattern) => format!("it is ignored by {pattern}"),
        Skip::Never => ".git, .ra and node_modules are never indexed".to_owned(),
        Skip::Hidden => "it is hidden, and no include pattern names it".to_owned(),
        Skip::Filtered(why) => why.clone(),
    }
}

impl Present for Inspection {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let file = page.clean(&self.file);
        page.line(format!("File: {file}"))?;
        page.line(format!("Type: {}", self.kind))?;
        self.membership(page)?;
        self.metadata(page)?;
        self.chunks(page)?;
        self.links(page)?;
        if !self.warnings.is_empty() {
            page.heading("Warnings:")?;
        }
        for warning in &self.warnings {
            let message = page.clean(&warning.message);
            page.line(format!("  {WARN}line {}{WARN:#}: {message}", warning.line))?;
        }
        Ok(())
    }
}

impl Inspection {
    fn membership(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.kind == "binary" {
            return page.line(format!("Indexed: {BAD}no{BAD:#}, it is not text"));
        }
        if let Some(why) = &self.refused {
            return page.line(format!("Indexed: {BAD}no{BAD:#}, {}", page.clean(why)));
        }
        if self.trees.is_empty() {
            return page.line(format!("Indexed: {BAD}no{BAD:#}, it isn't in any tree"));
        }
        for tree in &self.trees {
            match &tree.reason {
                None if !self.chunks.iter().any(|chunk| chunk.indexed) => {
                    page.line(format!("Indexed: {BAD}no{BAD:#}, it has no text"))?;
                }
                None => {
                    let id = page.clean(&tree.id);
                    page.line(format!("Indexed: {GOOD}yes{GOOD:#}, as {id}"))?;
                }
                Some(reason) => {
                    let reason = page.clean(reason);
                    page.line(format!("Indexed: {BAD}no{BAD:#} (tree {}): {reason}", tree.tree))?;
                }
            }
        }
        Ok(())
    }

    fn metadata(&self, page: &mut Page<'_>) -> io::Result<()> {
        if let (Some(title), Some(source)) = (&self.title, self.title_source) {
            let title = page.clean(title);
            page.line(format!("Title: {title:?} (from {source})"))?;
        }
        match (self.language_name, self.language) {
            (Some(name), Some(code)) => page.line(format!("Language: {name} ({code})"))?,
            _ if self.title.is_some() => page.line("Language: unknown")?,
            _ => {}
        }
        if let Some(fields) = &self.front_matter {
            page.line("Frontmatter:")?;
            for (key, value) in fields {
                let text = page.clean(&format!("  {key}: {}", plain(value)));
                page.line(text)?;
            }
        }
        for (name, values) in [("Tags", &self.tags), ("Aliases", &self.aliases)] {
            if !values.is_empty() {
                let text = page.clean(&values.join(", "));
                page.line(format!("{name}: {text}"))?;
            }
        }
        Ok(())
    }

    fn chunks(&self, page: &mut Page<'_>) -> io::Result<()> {
        if !self.chunks.is_empty() {
            page.heading("Chunks:")?;
        }
        // Indent by the depth in the tree and not by heading level, because levels may be skipped.
        let mut depths: Vec<usize> = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            let depth = chunk.parent.map_or(0, |parent| depths[parent as usize] + 1);
            depths.push(depth);
            let indent = "  ".repeat(depth + 1);
            let (id, title) = (page.clean(&chunk.id), page.clean(&chunk.title));
            let number = chunk.position + 1;
            page.line(format!("{indent}{number}. {NAME}{id}{NAME:#}"))?;
            page.line(format!("{indent}   Title: {title:?}"))?;
            let (first, last) = chunk.lines;
            let size = if chunk.indexed {
                format!("{} chars, {}", grouped(chunk.chars), count(chunk.tokens, "token"))
            } else {
                "no text of its own".to_owned()
            };
            let over =
                if chunk.oversized { format!(", {WARN}over max_chunk_size{WARN:#}") } else { String::new() };
            page.line(format!("{indent}   Lines {first}-{last}{FAINT},{FAINT:#} size: {size}{over}"))?;
        }
        Ok(())
    }

    fn links(&self, page: &mut Page<'_>) -> io::Result<()> {
        if !self.links.is_empty() {
            page.heading("Links:")?;
        }
        for link in &self.links {
            let (target, text) = (page.clean(&link.target), page.clean(&link.text));
            page.line(format!("  line {}: {} {NAME}{target}{NAME:#} {text:?}", link.line, link.kind))?;
        }
        Ok(())
    }
}

/// Formats a value as a person would write it in front matter.
fn plain(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(bare).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
