//! Documents: parses text into title, metadata, links and chunk tree. Nothing here fails; problems with a document
//! become a [`Warning`].
//!
//! - `blocks` splits a text into the smallest parts that are shown by themselves.
//! - [`source_text`] turns the bytes of a file into text, with `decode` or a conversion of `formats`.
//! - [`isolation`] converts files in another process.
//! - [`parse`] reads a text into a [`Document`].
//! - `frontmatter` finds and reads the YAML or TOML block at the start, in a `front_matter_format`.
//! - `properties` turns the block into keys and values to filter by.
//! - `salvage` reads what it can from such a block if it is malformed.
//! - `structure` is what a format finds in a text.
//! - `outline` builds the chunk tree over the headings.
//! - `packed` stores a chunk tree in few bytes.
//! - [`pages_of`] says on which pages of a PDF file a text is.
//! - `slug` names the sections.
//! - `tags` limits the tags, and `elements` tells HTML from text that only looks like it.

mod blocks;
mod conversion;
mod decode;
mod elements;
mod fences;
mod formats;
mod front_matter_format;
mod frontmatter;
pub mod isolation;
mod link_target;
mod outline;
mod packed;
mod page;
mod properties;
mod salvage;
mod slug;
mod structure;
mod tags;

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::blocks::{Block, blocks};
pub use self::conversion::{
    ConversionCache, SourceHash, SourceText, convert_here, is_without_text, source_hash, source_text,
};
pub use self::decode::{decode, is_utf16};
pub(crate) use self::elements::is_html;
pub use self::fences::Fences;
use self::formats::{Format, Scanned};
pub use self::front_matter_format::FrontMatterFormat;
pub use self::frontmatter::{FrontMatter, front_matter_end};
pub use self::link_target::{
    INDEX_NAMES, LinkBase, folder_name, is_index_name, page_name, path_parts, percent_decode,
    percent_decode_strict, stem,
};
pub use self::outline::{Node, Outline};
pub use self::page::{Pages, pages_of};
pub use self::properties::Property;
pub use self::structure::BlockKind;
pub use crate::kind::DocumentKind;
use crate::text::{Lines, Span};

/// The byte order mark. It stays in the text, so spans cover the whole file, but is ignored otherwise.
const BOM: char = '\u{feff}';

/// How to parse a text.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions<'a> {
    /// Its format.
    pub kind: DocumentKind,
    /// The name of its file, which is the title if there is no other.
    pub file_name: &'a str,
    /// True if headings make chunks of their own; otherwise the document is one chunk.
    pub chunk_at_headings: bool,
}

/// A parsed document. Its text isn't kept: every span points into it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Its format.
    pub kind: DocumentKind,
    /// Its title.
    pub title: String,
    /// The source of the title.
    pub title_source: TitleSource,
    /// The metadata block at its start.
    pub front_matter: Option<FrontMatter>,
    /// The tags of the front matter, then those in the text; each once, without `#`.
    pub tags: Vec<String>,
    /// Other names, from the front matter.
    pub aliases: Vec<String>,
    /// The description from the front matter.
    pub description: Option<String>,
    /// The other values of the front matter.
    pub properties: Vec<Property>,
    /// All links, in document order.
    pub links: Vec<Link>,
    /// The chunk tree.
    pub outline: Outline,
    /// Problems found while parsing.
    pub warnings: Vec<Warning>,
}

/// The source of a document's title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TitleSource {
    /// The front matter's `title`.
    FrontMatter,
    /// The first heading of level 1.
    Heading,
    /// The name of the file, without its extension.
    FileName,
}

/// A link to something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Its syntax.
    pub kind: LinkKind,
    /// Its target, with escapes and entities resolved.
    pub target: String,
    /// The visible text; for an image, its alternative text.
    pub text: String,
    /// The 1-based line it starts on.
    pub line: usize,
    /// Its span in the text.
    pub span: Span,
}

/// The syntax of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// `[text](target)`, a reference link or `<https://…>`.
    Markdown,
    /// `[[page#heading|text]]`.
    Wiki,
    /// `![alt](target)` or `![[embed]]`.
    Image,
}

/// A problem with a document that didn't keep it from being parsed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The kind of problem.
    pub kind: WarningKind,
    /// The 1-based line it is on.
    pub line: usize,
    /// A description for people.
    pub message: String,
}

/// The kinds of [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// The front matter isn't valid YAML or TOML; only the salvaged keys count.
    MalformedFrontMatter,
    /// The front matter has no closing fence and was read as text.
    UnclosedFrontMatter,
    /// The front matter is valid, but it is a list or a single value instead of keys with values.
    FrontMatterNotMapping,
    /// A tag is too long or has too many levels, or there are too many tags; these are ignored.
    TagNotRead,
    /// There are too many headings; the rest is text.
    TooManyHeadings,
}

/// A section takes some hundred bytes of memory, so a text of nothing but headings would take far more than its size.
const MAX_HEADINGS: usize = 100_000;

/// Parses a text.
pub fn parse(text: &str, options: &ParseOptions<'_>) -> Document {
    let lines = Lines::new(text);
    let mut warnings = Vec::new();
    let Scanned { front_matter, metadata, found } =
        (Format::of(options.kind).scan)(text, &lines, &mut warnings);
    let first_h1 = found.headings.iter().find(|heading| heading.level == 1 && !heading.title.is_empty());
    let (title, title_source) = match (metadata.title, first_h1) {
        (Some(title), _) => (title, TitleSource::FrontMatter),
        (None, Some(heading)) => (heading.title.clone(), TitleSource::Heading),
        (None, None) => (file_stem(options.file_name), TitleSource::FileName),
    };
    let mut headings = if options.chunk_at_headings { found.headings } else { Vec::new() };
    if let Some(first) = headings.get(MAX_HEADINGS) {
        let message = format!("more than {MAX_HEADINGS} headings; from here on they are text");
        let line = lines.line_of(first.span.start);
        warnings.push(Warning { kind: WarningKind::TooManyHeadings, line, message });
        headings.truncate(MAX_HEADINGS);
    }
    let tags = tags(metadata.tags, found.tags, &mut warnings);
    Document {
        kind: options.kind,
        outline: Outline::build(text, &lines, title.clone(), headings),
        title,
        title_source,
        tags,
        aliases: distinct(metadata.aliases),
        description: metadata.description,
        properties: front_matter.as_ref().map(FrontMatter::properties).unwrap_or_default(),
        front_matter,
        links: found.links,
        warnings,
    }
}

/// Returns the name of a file without its extension.
fn file_stem(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Returns the tags of the front matter and of the text that are within the limits.
fn tags(of_front_matter: Vec<String>, inline: Vec<String>, warnings: &mut Vec<Warning>) -> Vec<String> {
    let mut not_read = |message: String| {
        warnings.push(Warning { kind: WarningKind::TagNotRead, line: 1, message });
    };
    let (fitting, others): (Vec<String>, Vec<String>) =
        of_front_matter.into_iter().partition(|tag| tags::fits(tag));
    if let Some(first) = others.first() {
        let beginning: String = first.chars().take(SHOWN_TAG_CHARS).collect();
        not_read(format!(
            "the tag `{beginning}…` is not read: a tag has at most {} characters and {} levels",
            tags::MAX_CHARS,
            tags::MAX_LEVELS
        ));
    }
    let mut tags = distinct(fitting.into_iter().chain(inline));
    if tags.len() > tags::MAX_TAGS {
        not_read(format!("{} tags: only the first {} are read", tags.len(), tags::MAX_TAGS));
        tags.truncate(tags::MAX_TAGS);
    }
    tags
}

/// How much of an overlong tag a warning shows.
const SHOWN_TAG_CHARS: usize = 40;

/// Returns the words in order, each once and as first written, ignoring case.
fn distinct(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    words.into_iter().filter(|word| seen.insert(word.to_lowercase())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn markdown(text: &str) -> Document {
        parse(
            text,
            &ParseOptions { kind: DocumentKind::Markdown, file_name: "my guide.md", chunk_at_headings: true },
        )
    }

    #[test]
    fn titles_come_from_the_best_source() {
        use TitleSource::{FileName, FrontMatter, Heading};
        for (text, title, source) in [
            ("---\ntitle: T\n---\n# H\n", "T", FrontMatter),
            ("\u{feff}---\ntitle: T\n---\n", "T", FrontMatter),
            ("---\ntitle: ''\n---\n# H\n", "H", Heading),
            ("## A\na\n# H\nb", "H", Heading),
            ("\u{feff}# H\n", "H", Heading),
            ("#\n\n# H\n", "H", Heading),
            ("## A\na", "my guide", FileName),
            ("", "my guide", FileName),
        ] {
            let document = markdown(text);
            assert_eq!((document.title.as_str(), document.title_source), (title, source), "{text:?}");
            assert_eq!(document.outline.nodes[0].title, title);
        }
    }

    #[test]
    fn tags_of_all_sources_are_joined() {
        let document = markdown("---\ntags: [Rust, a/b]\naliases: X, x\n---\ntext #rust #new\n");
        assert_eq!(document.tags, ["Rust", "a/b", "new"]);
        assert_eq!(document.aliases, ["X"]);
    }

    #[test]
    fn tags_out_of_bounds_are_no_tags_and_are_named() {
        let deep = vec!["a"; 40].join("/");
        let document = markdown(&format!("---\ntags: [ok, {deep}]\n---\n#{deep}\n"));
        assert_eq!(document.tags, ["ok"]);
        let messages: Vec<&str> = document.warnings.iter().map(|warning| warning.message.as_str()).collect();
        let expected = format!(
            "the tag `{}…` is not read: a tag has at most 256 characters and 32 levels",
            &deep[..SHOWN_TAG_CHARS]
        );
        assert_eq!(messages, [expected]);
        let many: String = (0..tags::MAX_TAGS + 5).map(|nr| format!("#tag{nr} ")).collect();
        let document = markdown(&many);
        assert_eq!(document.tags.len(), tags::MAX_TAGS);
        assert_eq!(document.warnings[0].message, "261 tags: only the first 256 are read");
    }

    #[test]
    fn plain_text_is_one_chunk_without_structure() {
        let text = "---\ntitle: T\n---\n# H\n[a](b) #tag\n";
        let document = parse(
            text,
            &ParseOptions { kind: DocumentKind::Plain, file_name: "log.1.txt", chunk_at_headings: true },
        );
        assert_eq!((document.title.as_str(), document.outline.nodes.len()), ("log.1", 1));
        assert!(document.front_matter.is_none() && document.links.is_empty() && document.tags.is_empty());
        assert_eq!(document.outline.body(0, text), text);
    }

    #[test]
    fn without_chunking_the_document_is_whole() {
        let text = "# H\na\n## B\nb #tag\n";
        let options =
            ParseOptions { kind: DocumentKind::Markdown, file_name: "a.md", chunk_at_headings: false };
        let document = parse(text, &options);
        assert_eq!((document.title.as_str(), document.outline.nodes.len()), ("H", 1));
        assert_eq!((document.outline.body(0, text).as_str(), document.tags.len()), (text, 1));
    }

    #[test]
    fn many_equal_headings_are_all_read() {
        let text = "## Same\nx\n".repeat(100_000);
        let document = markdown(&text);
        assert_eq!(document.outline.nodes.len(), 100_001);
        assert_eq!(document.outline.chunks(&text).count(), 100_000);
    }

    /// Checks the invariants that the rest of the program relies on.
    fn check_invariants(text: &str) -> Result<(), TestCaseError> {
        let document = markdown(text);
        let nodes = &document.outline.nodes;
        let bodies = nodes.iter().flat_map(|node| document.outline.body_spans(node.ord));
        let headings = nodes.iter().map(|node| node.heading).filter(|heading| !heading.is_empty());
        let mut pieces: Vec<Span> = bodies.chain(headings).collect();
        pieces.sort();
        let mut at = 0;
        for piece in &pieces {
            prop_assert_eq!(piece.start, at);
            prop_assert!(piece.end > at && text.is_char_boundary(piece.end));
            at = piece.end;
        }
        prop_assert_eq!(at, text.len());
        let slugs: HashSet<_> = nodes.iter().map(|node| node.slug.as_deref()).collect();
        prop_assert_eq!(slugs.len(), nodes.len());
        for (at, node) in nodes.iter().enumerate() {
            prop_assert_eq!(node.ord as usize, at);
            prop_assert_eq!(document.outline.children(node.ord).count(), node.children as usize);
            prop_assert!(document.outline.children(node.ord).all(|child| child.parent == Some(node.ord)));
            prop_assert!(node.children > 0 || node.level == 0 || document.outline.has_body(node.ord, text));
            for other in nodes {
                let inside = node.ord <= other.ord && other.ord < node.end;
                prop_assert_eq!(
                    inside,
                    node.ord == other.ord || node.span.contains(other.span) && node.ord < other.ord
                );
            }
        }
        prop_assert!(document.links.iter().all(|link| link.span.end <= text.len() && !link.span.is_empty()));
        let _ = document.outline.breadcrumb(nodes.len() as u32 - 1);
        Ok(())
    }

    #[test]
    fn headings_beyond_the_limit_are_text() {
        let text = "# a\n\nb\n\n".repeat(MAX_HEADINGS + 2);
        let options =
            ParseOptions { kind: DocumentKind::Markdown, file_name: "f.md", chunk_at_headings: true };
        let document = parse(&text, &options);
        assert_eq!(document.outline.nodes.len(), MAX_HEADINGS + 1);
        let [warning] = document.warnings.as_slice() else { panic!("{:?}", document.warnings) };
        assert_eq!((warning.kind, warning.line), (WarningKind::TooManyHeadings, 4 * MAX_HEADINGS + 1));
        let last = document.outline.nodes.last().unwrap();
        assert!(last.span.of(&text).ends_with("# a\n\nb\n\n"));
    }

    /// Pieces of markdown that are most likely to break when combined.
    const FRAGMENTS: &[&str] = &[
        "# A",
        "## B {#id}",
        "###### F ##",
        "#",
        "Title\n===",
        "Title\n---",
        "===",
        "---",
        "+++",
        "...",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\u{feff}",
        "\0",
        "é",
        "概要 ",
        "🚀",
        "> ",
        "- ",
        "1. ",
        "    ",
        "\t",
        " ",
        "```",
        "~~~",
        "<!--",
        "-->",
        "\n<!-- page 2 -->\n",
        "<div>",
        "</div>",
        "title: T",
        "tags: [a, b",
        "a: *b",
        "k = 1",
        "#tag",
        "[[p|q]]",
        "![[e]]",
        "[a](b)",
        "[r]: x",
        "[r]",
        "[^1]",
        "[^1]: n",
        "|a|b|",
        "|-|-|",
        "*",
        "_",
        "`",
        "\\",
        "&amp;",
        "<",
        "[",
        "]",
        "!",
        "\u{2028}",
        "\u{a0}",
    ];

    fn fragments(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
        proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..most)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(1500)))]

        #[test]
        fn fragments_keep_the_invariants(parts in fragments(40)) {
            check_invariants(&parts.concat())?;
        }

        #[test]
        fn front_matter_keeps_the_invariants(parts in fragments(12)) {
            check_invariants(&format!("---\n{}\n---\n# A\nx", parts.join("\n")))?;
        }

        #[test]
        fn any_text_keeps_the_invariants(text in any::<String>()) {
            check_invariants(&text)?;
        }

        #[test]
        fn any_lines_keep_the_invariants(text in "([#>\\-` \t]{0,4}\\PC{0,6}[\r\n]{0,2}){0,12}") {
            check_invariants(&text)?;
        }
    }
}
