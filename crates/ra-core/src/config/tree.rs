//! A configured tree: a directory and the files in it that are documents.

use std::fmt;
use std::path::PathBuf;

use globset::{Glob, GlobBuilder, GlobMatcher};

use super::converter::Converters;
use super::source::SettingSource;
use crate::id::TreeName;
use crate::kind::DocumentKind;

/// Whether a tree is the user's or the project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeScope {
    /// Defined in `~/.ra.toml`.
    Global,
    /// Defined in any other configuration file, or implicit because there is none.
    Local,
}

/// A named directory of documents.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The name.
    pub name: TreeName,
    /// The directory, absolute.
    pub root: PathBuf,
    /// The scope; local trees get the `local_boost`.
    pub scope: TreeScope,
    /// True if a project's configuration names a directory outside that project.
    pub outside: bool,
    /// The definition; `None` for the implicit tree.
    pub source: Option<SettingSource>,
    /// True if ignore files apply.
    pub ignore: bool,
    /// The roots that links beginning with `/` are resolved against; empty if none is configured.
    pub link_roots: Vec<LinkRoot>,
    /// Decides which files are documents.
    pub filter: DocumentFilter,
    /// The setting `max_binary_size`.
    pub max_binary_size: u64,
}

/// A root that links beginning with `/` are resolved against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkRoot {
    /// A directory below the tree's root, with `/`; empty for the root itself.
    Directory(String),
    /// The address, such as `/en-US/docs`, that the tree's root is published under.
    Address(String),
}

impl LinkRoot {
    /// Parses an address, which begins with `/`, or a directory.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.contains(&"..") {
            return Err(format!("`{text}` leads out of the tree"));
        }
        Ok(match text.starts_with('/') && !parts.is_empty() {
            true => LinkRoot::Address(format!("/{}", parts.join("/"))),
            false => LinkRoot::Directory(parts.join("/")),
        })
    }
}

impl LinkRoot {
    /// Returns the path below the tree's root of a path below this root, both without a leading `/`; `None` if it is
    /// published elsewhere.
    pub fn path_below(&self, path: &str) -> Option<String> {
        match self {
            LinkRoot::Directory(directory) if directory.is_empty() => Some(path.to_owned()),
            LinkRoot::Directory(directory) => Some(format!("{directory}/{path}")),
            LinkRoot::Address(address) => below(path, address.trim_start_matches('/')).map(str::to_owned),
        }
    }
}

/// Returns the rest of a path after an address, ignoring case: sites often change the case of paths.
fn below<'a>(path: &'a str, address: &str) -> Option<&'a str> {
    let (before, after) = path.split_at_checked(address.len())?;
    let is_below = before.to_lowercase() == address.to_lowercase();
    if after.is_empty() { is_below.then_some("") } else { after.strip_prefix('/').filter(|_| is_below) }
}

impl fmt::Display for LinkRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkRoot::Directory(path) if path.is_empty() => f.write_str("."),
            LinkRoot::Directory(path) | LinkRoot::Address(path) => f.write_str(path),
        }
    }
}

/// Decides which files of a tree are documents.
#[derive(Clone, Debug, Default)]
pub struct DocumentFilter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    only_documents: bool,
    /// The types that are documents; `None` for the default types.
    types: Option<Vec<DocumentType>>,
    /// The programs whose files are documents, too.
    converters: Converters,
}

/// A type of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentType {
    /// All files of this kind.
    Kind(DocumentKind),
    /// The files with this extension, in lower case.
    Extension(String),
}

impl DocumentType {
    /// Parses the name of a kind, or an extension with its dot.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let extension = text.strip_prefix('.').filter(|extension| !extension.is_empty());
        match (extension, DocumentKind::named(text)) {
            (Some(extension), _) if !extension.contains(['/', '.', '*']) => {
                Ok(Self::Extension(extension.to_lowercase()))
            }
            (None, Some(kind)) if kind != DocumentKind::External => Ok(Self::Kind(kind)),
            _ => {
                let kinds = DocumentKind::all().filter(|kind| *kind != DocumentKind::External);
                let kinds: Vec<&str> = kinds.map(DocumentKind::as_str).collect();
                Err(format!(
                    "`{text}` is not a type; types are {}, or an extension such as `.tex`",
                    kinds.join(", ")
                ))
            }
        }
    }

    fn has(&self, path: &str) -> bool {
        match self {
            Self::Kind(kind) => DocumentKind::of_known_type(path) == Some(*kind),
            Self::Extension(extension) => {
                let own = std::path::Path::new(path).extension().and_then(|own| own.to_str());
                own.is_some_and(|own| own.to_lowercase() == *extension)
            }
        }
    }
}

impl fmt::Display for DocumentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => f.write_str(kind.as_str()),
            Self::Extension(extension) => write!(f, ".{extension}"),
        }
    }
}

/// A glob with its source.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The glob as written.
    pub glob: String,
    /// The layer and line that set it.
    pub source: SettingSource,
    matcher: GlobMatcher,
    any_type: bool,
    opens_hidden: bool,
}

/// The verdict of a filter on a path, with the pattern that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A document by the default rule: no include pattern is set.
    Default,
    /// A document by the include pattern with this index.
    Included(usize),
    /// Excluded by the exclude pattern with this index.
    Excluded(usize),
    /// No include pattern matches.
    NotIncluded,
    /// The type isn't indexed here.
    WrongType,
}

impl Verdict {
    /// True for documents.
    pub fn is_document(self) -> bool {
        matches!(self, Verdict::Default | Verdict::Included(_))
    }
}

impl Pattern {
    /// Compiles a glob. A glob without `/` matches at any depth, as in an ignore file; one that ends in `/` matches
    /// everything below.
    pub fn new(glob: &str, source: SettingSource) -> Result<Self, String> {
        let matcher = anchored(glob)?.compile_matcher();
        let last = glob.rsplit('/').next().unwrap_or(glob);
        let wild = |text: &str| text.contains(['*', '?', '[', '{']);
        // `**/rust/**` means the documents below `rust`, not its images; `*.rst` means exactly that.
        let any_type = match last.rsplit_once('.') {
            Some((_, extension)) => !extension.is_empty() && !extension.contains(['*', '?']),
            None => !last.is_empty() && !wild(last),
        };
        Ok(Self { glob: glob.to_owned(), source, matcher, any_type, opens_hidden: true })
    }

    /// Returns the pattern restricted to documents of the default types that aren't hidden.
    pub(super) fn for_documents_only(self) -> Self {
        Self { any_type: false, opens_hidden: false, ..self }
    }

    /// True if the pattern by itself makes the path a document.
    pub fn takes(&self, path: &str) -> bool {
        self.matcher.is_match(path) && (self.any_type || is_document_type(path))
    }

    fn names_hidden(&self) -> bool {
        self.opens_hidden
            && self.glob.split('/').any(|part| part.len() > 1 && part.starts_with('.') && part != "..")
    }
}

/// The maximum length of a glob in bytes, and the maximum depth of its braces. The glob compiler recurses.
const MAX_GLOB_BYTES: usize = 1000;
const MAX_BRACE_DEPTH: usize = 8;

/// True if a glob can be compiled with bounded effort.
pub fn is_bounded_glob(glob: &str) -> bool {
    let mut depth = 0usize;
    let deepest = glob.bytes().fold(0, |deepest, byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest.max(depth)
    });
    glob.len() <= MAX_GLOB_BYTES && deepest <= MAX_BRACE_DEPTH
}

/// Compiles a pattern to a glob anchored at the root.
pub(super) fn anchored(glob: &str) -> Result<Glob, String> {
    if !is_bounded_glob(glob) {
        return Err(format!(
            "a glob has at most {MAX_GLOB_BYTES} bytes and {MAX_BRACE_DEPTH} levels of braces"
        ));
    }
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let mut full =
        if glob.trim_end_matches('/').contains('/') { glob.to_owned() } else { format!("**/{glob}") };
    if full.ends_with('/') {
        full.push_str("**");
    }
    let glob = GlobBuilder::new(full.trim_start_matches('/')).literal_separator(true).build();
    glob.map_err(|error| format!("not a valid glob: {}", error.kind()))
}

/// True for the types that are indexed by default.
pub fn is_document_type(path: &str) -> bool {
    DocumentKind::of_known_type(path).is_some()
}

/// True for the default types whose text is the file itself.
fn is_verbatim_document(path: &str) -> bool {
    DocumentKind::of_known_type(path).is_some_and(|kind| !kind.is_converted())
}

impl DocumentFilter {
    pub(super) fn new(include: Vec<Pattern>, exclude: Vec<Pattern>, outside: bool) -> Self {
        Self { include, exclude, only_documents: outside, types: None, converters: Converters::default() }
    }

    /// Returns the filter with other types of documents; `None` for the default types.
    pub(super) fn with_types(self, types: Option<Vec<DocumentType>>) -> Self {
        Self { types, ..self }
    }

    /// Returns the types of documents; `None` for the default types.
    pub fn types(&self) -> Option<&[DocumentType]> {
        self.types.as_deref()
    }

    fn takes_type(&self, path: &str) -> bool {
        match &self.types {
            Some(types) => types.iter().any(|wanted| wanted.has(path)),
            None => is_document_type(path) || self.converters.for_path(path).is_some(),
        }
    }

    /// Makes the files that programs convert documents by default.
    pub(super) fn add_converters(&mut self, converters: &Converters) {
        self.converters = converters.clone();
    }

    /// Returns the include patterns in the order they are tried.
    pub fn include(&self) -> &[Pattern] {
        &self.include
    }

    /// Returns the exclude patterns in the order they are tried.
    pub fn exclude(&self) -> &[Pattern] {
        &self.exclude
    }

    /// Decides whether a path is a document. The path uses `/` and is relative to the tree's root.
    pub fn verdict(&self, path: &str) -> Verdict {
        if let Some(nr) = self.exclude.iter().position(|pattern| pattern.matcher.is_match(path)) {
            return Verdict::Excluded(nr);
        }
        if self.only_documents && !is_verbatim_document(path) {
            return Verdict::WrongType;
        }
        if self.include.is_empty() {
            return if self.takes_type(path) { Verdict::Default } else { Verdict::WrongType };
        }
        let takes =
            |pattern: &Pattern| pattern.matcher.is_match(path) && (pattern.any_type || self.takes_type(path));
        match self.include.iter().position(takes) {
            Some(nr) => Verdict::Included(nr),
            None if self.include.iter().any(|pattern| pattern.matcher.is_match(path)) => Verdict::WrongType,
            None => Verdict::NotIncluded,
        }
    }

    /// True if hidden files and directories are entered: only if a pattern names one, and never in a tree outside the
    /// project that defines it.
    pub fn enters_hidden(&self) -> bool {
        !self.only_documents && self.include.iter().any(Pattern::names_hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LayerOrigin;

    fn filter(include: &[&str], exclude: &[&str]) -> DocumentFilter {
        let compile = |globs: &[&str]| {
            let source = SettingSource { origin: LayerOrigin::BuiltIn, line: 1 };
            globs.iter().map(|glob| Pattern::new(glob, source.clone()).unwrap()).collect()
        };
        DocumentFilter::new(compile(include), compile(exclude), false)
    }

    #[test]
    fn patterns_choose_documents() {
        let taken: &[(&[&str], &[&str], &str, Verdict)] = &[
            (&[], &[], "a/b.md", Verdict::Default),
            (&[], &[], "a/B.TXT", Verdict::Default),
            (&[], &[], "a/b.mdx", Verdict::Default),
            (&[], &[], "a/b.Markdown", Verdict::Default),
            (&[], &[], "a/b.png", Verdict::WrongType),
            (&[], &["drafts/"], "x/drafts/b.md", Verdict::Excluded(0)),
            (&["**/rust/**"], &[], "rust/a.md", Verdict::Included(0)),
            (&["**/rust/**"], &[], "x/rust/y/a.txt", Verdict::Included(0)),
            (&["**/rust/**"], &[], "x/rust/logo.png", Verdict::WrongType),
            (&["**/rust/**"], &[], "git/a.md", Verdict::NotIncluded),
            (&["**/*"], &[], "a.md", Verdict::Included(0)),
            (&["*.rst", "*.md"], &[], "deep/a.rst", Verdict::Included(0)),
            (&["*.rst", "*.md"], &[], "deep/a.md", Verdict::Included(1)),
            (&["api/*.md"], &[], "api/deep/a.md", Verdict::NotIncluded),
            (&["./api/*.md"], &[], "api/a.md", Verdict::Included(0)),
            (&["LICENSE"], &[], "LICENSE", Verdict::Included(0)),
        ];
        for (include, exclude, path, verdict) in taken {
            assert_eq!(filter(include, exclude).verdict(path), *verdict, "{include:?} {exclude:?} {path}");
        }
    }

    #[test]
    fn types_choose_documents() {
        let types = ["pdf", ".TeX", "markdown"].map(|text| DocumentType::parse(text).unwrap());
        assert_eq!(types.clone().map(|it| it.to_string()), ["pdf", ".tex", "markdown"]);
        let chosen = filter(&[], &[]).with_types(Some(types.to_vec()));
        let included = filter(&["a/**", "*.txt"], &[]).with_types(Some(types.to_vec()));
        for (path, by_type, by_pattern) in [
            ("a/b.pdf", Verdict::Default, Verdict::Included(0)),
            ("a/b.tex", Verdict::Default, Verdict::Included(0)),
            ("b.mdx", Verdict::Default, Verdict::NotIncluded),
            ("a/b.rst", Verdict::WrongType, Verdict::WrongType),
            ("b.txt", Verdict::WrongType, Verdict::Included(1)),
        ] {
            assert_eq!((chosen.verdict(path), included.verdict(path)), (by_type, by_pattern), "{path}");
        }
        for text in ["", ".", "word", "*.md", ".tar.gz", "a.md"] {
            assert!(DocumentType::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn hidden_places_are_entered_only_when_named() {
        assert!(!filter(&["**/*"], &[]).enters_hidden());
        assert!(filter(&[".github/**"], &[]).enters_hidden());
    }

    #[test]
    fn an_address_ends_at_a_slash_and_has_no_case() {
        for (path, rest) in [
            ("en-US/docs/Web", Some("Web")),
            ("en-us/docs", Some("")),
            ("en-US/docs/", Some("")),
            ("en-US/docsets/a", None),
            ("en-US", None),
            ("fr/docs/Web", None),
        ] {
            assert_eq!(below(path, "en-US/docs"), rest, "{path}");
        }
    }
}
