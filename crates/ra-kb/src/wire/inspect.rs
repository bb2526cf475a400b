//! The report of `ra inspect` about a file.

use std::path::Path;

use ra_core::corpus::Skip;
use ra_core::document::{Document, DocumentKind, LinkKind, TitleSource};
use ra_core::index::LanguageId;
use ra_core::kb;
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Serialize)]
pub(crate) struct Inspection {
    pub(crate) file: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) indexed: bool,
    pub(crate) trees: Vec<Membership>,
    /// The code of its language, or `None` if it can't be told.
    pub(crate) language: Option<&'static str>,
    #[serde(skip)]
    pub(crate) language_name: Option<&'static str>,
    pub(crate) title: Option<String>,
    pub(crate) title_source: Option<&'static str>,
    pub(crate) front_matter: Option<Map<String, Value>>,
    pub(crate) tags: Vec<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) description: Option<String>,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) links: Vec<Link>,
    pub(crate) warnings: Vec<Warning>,
    /// Why the file has no text that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Membership {
    pub(crate) tree: String,
    pub(crate) id: String,
    pub(crate) indexed: bool,
    pub(crate) reason: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Chunk {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) breadcrumb: String,
    pub(crate) depth: u8,
    pub(crate) parent: Option<u32>,
    pub(crate) position: u32,
    pub(crate) lines: (u32, u32),
    pub(crate) bytes: (usize, usize),
    pub(crate) chars: usize,
    pub(crate) tokens: usize,
    pub(crate) indexed: bool,
    pub(crate) oversized: bool,
}

#[derive(Serialize)]
pub(crate) struct Link {
    pub(crate) kind: &'static str,
    pub(crate) target: String,
    pub(crate) text: String,
    pub(crate) line: usize,
}

#[derive(Serialize)]
pub(crate) struct Warning {
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Inspection {
    pub(crate) fn new(file: &Path, found: kb::Inspection) -> Self {
        let trees: Vec<Membership> = found.memberships.iter().map(Membership::new).collect();
        let file = file.to_string_lossy().into_owned();
        let named = trees.iter().find(|tree| tree.indexed).or(trees.first());
        let prefix = named.map_or_else(|| file.clone(), |named| named.id.clone());
        let mut inspection = Inspection {
            kind: "binary",
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
        if inspection.refused.is_some() {
            inspection.kind = DocumentKind::of_path(&inspection.file).as_str();
        }
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
        self.kind = document.kind.as_str();
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
        Skip::TooLarge => "it is larger than 256 MiB".to_owned(),
        Skip::Ignored(pattern) => format!("it is ignored by {pattern}"),
        Skip::Never => ".git, .ra and node_modules are never indexed".to_owned(),
        Skip::Hidden => "it is hidden, and no include pattern names it".to_owned(),
        Skip::Filtered(why) => why.clone(),
    }
}
