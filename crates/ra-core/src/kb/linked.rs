//! The filter `linked:ID`: the documents that are connected with a document or section by a link.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::KnowledgeBase;
use super::link_facts::{LinkFacts, LocalLink};
use super::link_resolver::LinkResolver;
use super::link_target::LinkTarget;
use super::question::ParsedQuestion;
use super::resolve::NameResolver;
use crate::config::{LinkRoot, Tree};
use crate::document::{ConversionCache, LinkBase, page_name, stem};
use crate::error::{Error, Result};
use crate::id::{ChunkId, DocId};
use crate::index::{Notice, Snapshot, StoredLink};
use crate::query::Expr;

impl KnowledgeBase {
    /// Replaces the names in `linked:` by the documents that are linked with what they name. Adds a notice for each
    /// name that names nothing.
    pub(super) fn with_linked(
        &self,
        snapshot: &Snapshot,
        mut question: ParsedQuestion,
    ) -> Result<ParsedQuestion> {
        let mut notices = Vec::new();
        let mut find = |name: &str| match NameResolver::of(snapshot).resolve(name) {
            Ok(named) => self.linked_with(snapshot, &named.record.id(named.ord)),
            Err(Error::NotFound { message, candidates, .. }) => {
                let hint = match candidates.is_empty() {
                    true => "`linked:` takes a document or section as `ra get` does".to_owned(),
                    false => format!("did you mean {}?", quoted(&candidates)),
                };
                notices.push(Notice { message: format!("linked: {message}"), hint: Some(hint) });
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        };
        question.expr = question.expr.map(|expr: Expr| expr.resolve_linked(&mut find)).transpose()?;
        question.notices.extend(notices);
        Ok(question)
    }

    /// Returns the ids of the documents that link to a section or a document, or that it links to, without its own
    /// document. Reads no file but its own: the index has the links of the others.
    fn linked_with(&self, snapshot: &Snapshot, id: &ChunkId) -> Result<Vec<String>> {
        let tree = self.config.tree(id.doc.tree.as_str());
        let own = tree.and_then(|tree| self.link_facts(tree, &id.doc.path, &snapshot.conversions()));
        let Some(own) = own else { return Ok(Vec::new()) };
        let names = names_of(self, &own);
        let is_rst = own.is_rst();
        let mut facts = vec![own];
        snapshot.each_head(|head| {
            let tree = self.config.tree(head.doc.tree.as_str()).filter(|_| head.doc != id.doc);
            let file = tree.map(|tree| Self::file_of(tree, &head.doc.path));
            facts.extend(file.map(|file| LinkFacts::of_names(head, file)));
        })?;
        facts.sort_by(|a, b| a.doc.cmp(&b.doc));
        if is_rst {
            // A label of reStructuredText may be in any document.
            for other in facts.iter_mut().filter(|facts| facts.doc != id.doc && facts.is_rst()) {
                if let Some(record) = snapshot.record(&other.doc)? {
                    other.add_sections(&record.outline);
                }
            }
        }
        let resolver = LinkResolver::new(&facts, &[], &self.config);
        let by_id: HashMap<String, &LinkFacts> =
            facts.iter().map(|facts| (facts.doc.index_id(), facts)).collect();
        let Some(own) = by_id.get(&id.doc.index_id()).copied() else { return Ok(Vec::new()) };
        let mut linked: BTreeSet<&DocId> = BTreeSet::new();
        for link in own.links.iter().filter(|link| id.slug.is_none() || own.section_at(link.line) == *id) {
            // A link to a heading that doesn't exist still leads to its document, and only `own` has headings here.
            let (page, _) = page_of(&link.target);
            let page = if page.is_empty() { link.target.as_str() } else { page };
            if let LinkTarget::Document(found, _) = resolver.resolve(own, &local(link.base, page)) {
                linked.insert(&found.doc);
            }
        }
        for name in names {
            for (link, docs) in snapshot.links_named(&name)? {
                for doc in docs.iter().filter_map(|doc| by_id.get(&**doc)) {
                    if leads_to(&resolver, doc, &link, (own, id)) {
                        linked.insert(&doc.doc);
                    }
                }
            }
        }
        linked.remove(&id.doc);
        Ok(linked.into_iter().map(DocId::index_id).collect())
    }

    /// Returns the facts about the links of a document; `None` if it has no text that can be read.
    pub(super) fn link_facts(
        &self,
        tree: &Tree,
        path: &str,
        conversions: &ConversionCache,
    ) -> Option<LinkFacts> {
        let file = Self::file_of(tree, path);
        let read = self.read_document(&file, conversions, true)?;
        Some(LinkFacts::new(DocId::new(tree.name.clone(), path), file, &read.document, &read.text))
    }
}

/// True if a link of a document leads to the section or the document `id`, whose facts are `own`.
fn leads_to<'a>(
    resolver: &LinkResolver<'a>,
    from: &'a LinkFacts,
    link: &StoredLink,
    (own, id): (&LinkFacts, &ChunkId),
) -> bool {
    let (page, fragment) = page_of(&link.target);
    let base = match link.is_wiki {
        true => LinkBase::Page,
        false if page.starts_with('/') => LinkBase::Root,
        false => LinkBase::Document,
    };
    // Only a label needs its fragment to be resolved.
    let target = if page.is_empty() { link.target.as_str() } else { page };
    let LinkTarget::Document(found, _) = resolver.resolve(from, &local(base, target)) else { return false };
    let anchor = || if link.is_wiki { own.wiki_anchor(fragment) } else { fragment.to_owned() };
    found.doc == id.doc && is_section(own, &anchor(), id)
}

/// True if a fragment names the section `id`, or `id` is the document.
fn is_section(own: &LinkFacts, fragment: &str, id: &ChunkId) -> bool {
    id.slug.is_none() || own.section(fragment) == *id
}

fn local(base: LinkBase, target: &str) -> LocalLink {
    LocalLink { base, target: target.to_owned(), text: String::new(), line: 0 }
}

/// Splits a target at its fragment.
fn page_of(target: &str) -> (&str, &str) {
    target.split_once('#').unwrap_or((target, ""))
}

/// Returns the names that links to a document may have in the index.
fn names_of(kb: &KnowledgeBase, own: &LinkFacts) -> BTreeSet<String> {
    let path = own.doc.path.as_str();
    let mut names = BTreeSet::from([page_name(path), stem(path)]);
    // A wiki link may leave out any extension.
    let file_stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    names.extend(file_stem.map(|file_stem| stem(&file_stem)));
    names.extend(own.aliases.iter().flat_map(|alias| [page_name(alias), stem(alias)]));
    if page_name(path).is_empty() {
        // The page of the root: its directory, or an address that the root is published under.
        names.extend(own.file.parent().map(|directory| page_name(&directory.to_string_lossy())));
        let roots = kb.config().trees.iter().flat_map(|tree| &tree.link_roots);
        names.extend(roots.filter_map(|root| match root {
            LinkRoot::Address(address) => Some(page_name(address)),
            LinkRoot::Directory(_) => None,
        }));
    } else if page_name(path) != stem(path) {
        // The page of a directory that is a link root.
        names.insert(String::new());
    }
    if own.is_rst() {
        names.extend(own.labels().map(|(label, _)| format!("#{label}")));
    }
    names
}

/// Joins names, each in backticks.
fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}
