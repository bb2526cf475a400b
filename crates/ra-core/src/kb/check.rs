//! `check`: reports problems in a knowledge base's trees, patterns, documents and links.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::KnowledgeBase;
use super::document_name::{PageName, PathEnd, line_suffix, without_brackets};
use super::duplicates::{ContentHash, copies};
use super::finding::{Finding, FindingKind, Severity, warning};
use super::link_facts::LinkFacts;
use super::link_resolver::LinkResolver;
use super::links::{self, LinkGraph, LinkReport};
use super::near_duplicates::{Sketch, near_copies};
use super::oversized::oversized;
use super::resolve::{NameTargets, find};
use crate::config::Tree;
use crate::corpus::{self, Content, Scan, Skip, SourceFile, WalkDetail};
use crate::document::{ConversionCache, DocumentKind, WarningKind};
use crate::error::Result;
use crate::id::{DocId, TreeName};
use crate::index::Snapshot;
use crate::text::Lines;

/// The result of `check`.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// The problems, most severe first, then by place.
    pub findings: Vec<Finding>,
    /// The number of documents in each tree.
    pub documents: BTreeMap<TreeName, usize>,
    /// The trees outside the project that configures them.
    pub outside: Vec<TreeName>,
    /// The number of chunks in all documents.
    pub chunks: usize,
    /// The result of the link check.
    pub links: LinkReport,
    /// True if an index file differs from what was written, which a search may not notice.
    pub damaged: bool,
}

/// The result of reading one document.
#[derive(Default)]
struct Read {
    findings: Vec<Finding>,
    facts: Option<LinkFacts>,
    /// The content hash; `None` if the document has no text.
    hash: Option<ContentHash>,
    sketches: Vec<Sketch>,
    chunks: usize,
}

impl KnowledgeBase {
    /// Walks every tree, reads every document and reports the problems.
    pub fn check(&self) -> CheckReport {
        let scans = self.scan(WalkDetail::Everything);
        let mut report = CheckReport::default();
        for tree in self.config.trees.iter() {
            if let Some(scan) = scans.get(&tree.name) {
                check_tree(tree, scan, &mut report.findings);
                report.documents.insert(tree.name.clone(), 0);
                report.outside.extend(tree.outside.then(|| tree.name.clone()));
            }
        }
        report.findings.extend(self.shared_files(&scans));
        let foreign = self.foreign_index();
        report.findings.extend(foreign.map(|message| Finding {
            hint: Some("remove it, unless another program needs it".to_owned()),
            ..warning(FindingKind::ForeignIndex, &".ra", None, message)
        }));
        let damage = self.damage();
        report.damaged = damage.is_some();
        report.findings.extend(damage);
        let files = self.files_of(&scans);
        let (mut facts, mut hashes, mut sketches) = (Vec::new(), Vec::new(), Vec::new());
        let conversions = self.conversions();
        let reads: Vec<Read> =
            files.par_iter().map(|(tree, file)| self.check_file(tree, file, &conversions)).collect();
        for ((tree, _), read) in files.iter().zip(reads) {
            if let Some(documents) = report.documents.get_mut(&tree.name).filter(|_| read.chunks > 0) {
                *documents += 1;
            }
            report.findings.extend(read.findings);
            report.chunks += read.chunks;
            facts.extend(read.facts);
            hashes.extend(read.hash);
            sketches.extend(read.sketches);
        }
        report.findings.extend(copies(hashes));
        report.findings.extend(near_copies(&sketches));
        report.findings.extend(self.includes(&facts));
        let resolver = LinkResolver::new(&facts, &other_files(&scans), &self.config);
        report.links = links::check(&facts, &resolver);
        let rank =
            |finding: &Finding| (std::cmp::Reverse(finding.severity), finding.place.clone(), finding.line);
        report.findings.sort_by_cached_key(rank);
        report
    }

    /// Reads every document and resolves all its links.
    pub fn link_graph(&self) -> LinkGraph {
        let scans = self.scan(WalkDetail::Everything);
        let conversions = self.conversions();
        let facts = |(tree, file): &(&Tree, &SourceFile)| self.link_facts(tree, &file.path, &conversions);
        let facts: Vec<LinkFacts> = self.files_of(&scans).par_iter().filter_map(facts).collect();
        LinkGraph::new(&facts, &LinkResolver::new(&facts, &other_files(&scans), &self.config))
    }

    /// Reports index damage that searches don't notice, because looking for it would take longer than the search
    /// itself. Damage that a search does notice is repaired by the next one and isn't reported.
    fn damage(&self) -> Option<Finding> {
        let store = self.existing_store();
        let snapshot = Snapshot::open(&store).ok()?.ok()?;
        snapshot.is_damaged().then(|| Finding {
            severity: Severity::Error,
            hint: Some("an update builds it again".to_owned()),
            ..warning(
                FindingKind::Index,
                &store.dir().display(),
                None,
                "a file of the index is not as it was written; results may be missing".to_owned(),
            )
        })
    }

    fn check_file(&self, tree: &Tree, file: &SourceFile, conversions: &ConversionCache) -> Read {
        let doc = DocId::new(tree.name.clone(), &file.path);
        let path = Self::file_of(tree, &file.path);
        let loaded = match corpus::load(&path, conversions) {
            Ok(loaded) => loaded,
            Err(error) => {
                let why = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
                let finding =
                    warning(FindingKind::Unreadable, &doc, None, format!("could not be read: {why}"));
                return Read { findings: vec![finding], ..Read::default() };
            }
        };
        let (text, invalid) = match loaded.content {
            Content::Text(text, invalid) => (text, invalid),
            Content::Binary => {
                let finding =
                    warning(FindingKind::Binary, &doc, None, "is not text and is not indexed".to_owned());
                return Read { findings: vec![finding], ..Read::default() };
            }
            Content::Refused(why) => {
                let finding = warning(FindingKind::Unreadable, &doc, None, format!("is not indexed: {why}"));
                return Read { findings: vec![finding], ..Read::default() };
            }
        };
        let mut findings = Vec::new();
        let lines = Lines::new(&text);
        if let Some(offset) = invalid {
            let message = "is not valid UTF-8; what could not be decoded is shown as \u{fffd}".to_owned();
            findings.push(warning(FindingKind::Encoding, &doc, Some(lines.line_of(offset)), message));
        }
        let document = self.parse(&path, &text);
        for found in &document.warnings {
            let kind = match found.kind {
                WarningKind::TagNotRead => FindingKind::Tags,
                WarningKind::TooManyHeadings => FindingKind::Oversized,
                _ => FindingKind::FrontMatter,
            };
            findings.push(warning(kind, &doc, Some(found.line), found.message.clone()));
        }
        for chunk in oversized(&doc, &document, &text, self.config.settings.max_chunk_size) {
            let hint = Some(chunk.hint.to_owned());
            findings.push(Finding {
                hint,
                ..warning(FindingKind::Oversized, &chunk.id, Some(chunk.line), chunk.message)
            });
        }
        let nodes = document.outline.nodes.iter();
        let chunks = nodes.filter(|node| document.outline.has_body(node.ord, &text)).count();
        // Links can name a heading even if headings don't make chunks.
        let outlined = if self.config.settings.chunk_at_headings {
            document
        } else {
            self.parse_chunked(&path, &text, true)
        };
        let hash = ContentHash { doc: doc.clone(), file: path.clone(), hash: loaded.hash };
        let sketches = Sketch::all(&doc, &outlined, &text);
        let facts = LinkFacts::new(doc, path, &outlined, &text);
        Read { findings, facts: Some(facts), hash: (chunks > 0).then_some(hash), sketches, chunks }
    }

    /// Documents and sections that rules include but that don't exist.
    fn includes(&self, facts: &[LinkFacts]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for rule in self.config.context.rules.iter() {
            for name in rule.include.iter().filter(|name| !is_there(facts, name)) {
                let place =
                    rule.source.origin.file().map(|file| file.display().to_string()).unwrap_or_default();
                let message = format!("`include`: no document or section is called `{name}`");
                findings.push(warning(FindingKind::Include, &place, Some(rule.source.line), message));
            }
        }
        findings
    }
}

/// Returns the absolute paths of all files that aren't documents.
fn other_files(scans: &BTreeMap<TreeName, Scan>) -> Vec<String> {
    let path = |scan: &Scan, path: &String| scan.root.join(path).to_string_lossy().into_owned();
    scans.values().flat_map(|scan| scan.others.iter().map(|other| path(scan, other))).collect()
}

/// True if a name refers to exactly one document or a section of it, by the rules of `ra get`.
fn is_there(facts: &[LinkFacts], name: &str) -> bool {
    let plain = without_brackets(name);
    let is_named = |plain: &str| match find(&facts, plain, name) {
        Ok(Some((facts, slug))) => slug.is_none_or(|slug| slug.is_empty() || facts.has_section(&slug)),
        Ok(None) | Err(_) => false,
    };
    is_named(&plain) || line_suffix(&plain).is_some_and(|(before, _)| is_named(before))
}

impl<'a> NameTargets for &'a [LinkFacts] {
    type Document = &'a LinkFacts;

    fn by_id(&self, id: &DocId) -> Result<Option<&'a LinkFacts>> {
        Ok(self.iter().find(|facts| facts.doc == *id))
    }

    fn by_suffix(&self, path: &str) -> Vec<DocId> {
        let end = PathEnd::new(path);
        docs(self, |facts| end.is_of(facts.doc.tree.as_str(), &facts.doc.path))
    }

    fn by_page(&self, page: &str) -> Result<Vec<DocId>> {
        let page = PageName::new(page);
        let files = docs(self, |facts| page.is_path(facts.doc.tree.as_str(), &facts.doc.path));
        let is_title = |facts: &LinkFacts, title: &str| page.is_title(facts.doc.tree.as_str(), title);
        let titles = || docs(self, |facts| is_title(facts, &facts.title));
        let aliases = || docs(self, |facts| facts.aliases.iter().any(|alias| is_title(facts, alias)));
        let folders = || docs(self, |facts| page.is_folder(facts.doc.tree.as_str(), &facts.doc.path));
        let others: [&dyn Fn() -> Vec<DocId>; 3] = [&titles, &aliases, &folders];
        let mut found = std::iter::once(files).chain(others.into_iter().map(|find| find()));
        Ok(found.find(|found| !found.is_empty()).unwrap_or_default())
    }
}

fn docs(facts: &[LinkFacts], is_it: impl Fn(&LinkFacts) -> bool) -> Vec<DocId> {
    facts.iter().filter(|facts| is_it(facts)).map(|facts| facts.doc.clone()).collect()
}

/// How many files of one kind a finding names before it only counts the rest.
const MAX_NAMED_FILES: usize = 5;

fn check_tree(tree: &Tree, scan: &Scan, findings: &mut Vec<Finding>) {
    for (path, skip) in &scan.skipped {
        let place = DocId::new(tree.name.clone(), path);
        match skip {
            Skip::Unreadable(why) if path.is_empty() => findings.push(Finding {
                severity: Severity::Error,
                hint: Some("create the directory, or correct the path under [trees]".to_owned()),
                ..warning(FindingKind::Tree, &tree.name, None, format!("{}: {why}", tree.root.display()))
            }),
            Skip::Unreadable(why) => {
                findings.push(warning(
                    FindingKind::Unreadable,
                    &place,
                    None,
                    format!("could not be read: {why}"),
                ));
            }
            Skip::LinkOutside => {
                let message = "is a link that leads out of the project, and is not followed".to_owned();
                findings.push(warning(FindingKind::LinkOutside, &place, None, message))
            }
            Skip::LinkBarred => {
                let message = "is a link to what is never a document, and is not followed".to_owned();
                findings.push(warning(FindingKind::LinkBarred, &place, None, message))
            }
            Skip::DeadLink => {
                findings.push(warning(FindingKind::DeadLink, &place, None, "is a link to nothing".to_owned()))
            }
            Skip::TooLarge => {
                let most = match DocumentKind::of_known_type(path).is_some_and(DocumentKind::is_binary) {
                    true => format!("{} bytes, which is `max_binary_size`,", tree.max_binary_size),
                    false => "256 MiB".to_owned(),
                };
                let message = format!("is larger than {most} and is not indexed");
                findings.push(warning(FindingKind::TooLarge, &place, None, message))
            }
            Skip::NotUnicode => {
                findings.push(warning(
                    FindingKind::FileName,
                    &place,
                    None,
                    "has a name that is not valid Unicode".to_owned(),
                ));
            }
            _ => {}
        }
    }
    if scan.files.is_empty() && tree.filter.include().is_empty() && !scan.skipped.contains_key("") {
        findings.push(Finding {
            hint: Some("inspect one of its files to see why it is not indexed".to_owned()),
            ..warning(
                FindingKind::Empty,
                &tree.name,
                None,
                format!("{}: has no documents", tree.root.display()),
            )
        });
    }
    for pattern in tree.filter.include() {
        let matches = scan.files.iter().any(|file| pattern.takes(&file.path));
        if !matches && !scan.skipped.contains_key("") {
            let message = format!("the include pattern `{}` matches no file", pattern.glob);
            findings.push(warning(FindingKind::Pattern, &tree.name, None, message));
        }
    }
    let binary = |path: &&String| matches!(corpus::is_binary(&tree.root.join(path)), Ok(true));
    let binaries: Vec<&String> = scan.others.par_iter().filter(binary).collect();
    if !binaries.is_empty() {
        let named: Vec<&str> = binaries.iter().take(MAX_NAMED_FILES).map(|path| path.as_str()).collect();
        let more = binaries.len().saturating_sub(MAX_NAMED_FILES);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let files = if binaries.len() == 1 { "file is" } else { "files are" };
        let message = format!("{} binary {files} not indexed: {}{tail}", binaries.len(), named.join(", "));
        findings.push(warning(FindingKind::Binary, &tree.name, None, message));
    }
}
