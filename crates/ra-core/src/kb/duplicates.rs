//! Duplicate documents: the same file in two trees, or the same content in two files.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use super::KnowledgeBase;
use super::finding::{Finding, FindingKind, warning};
use crate::corpus::Scan;
use crate::id::{DocId, TreeName};

/// How many copies of a document a finding names.
const NAMED_COPIES: usize = 5;

impl KnowledgeBase {
    /// Reports the files that more than one tree indexes.
    pub(super) fn shared_files(&self, scans: &BTreeMap<TreeName, Scan>) -> Vec<Finding> {
        let mut owners: HashMap<PathBuf, Vec<DocId>> = HashMap::new();
        for tree in self.config.trees.iter() {
            for file in scans.get(&tree.name).map(|scan| scan.files.as_slice()).unwrap_or_default() {
                let path = Self::file_of(tree, &file.path);
                owners.entry(path).or_default().push(DocId::new(tree.name.clone(), &file.path));
            }
        }
        let mut pairs: BTreeMap<(TreeName, TreeName), (usize, DocId)> = BTreeMap::new();
        for docs in owners.into_values() {
            let Some((first, others)) = docs.split_first() else { continue };
            for other in others {
                let key = (first.tree.clone(), other.tree.clone());
                let pair = pairs.entry(key).or_insert_with(|| (0, other.clone()));
                pair.0 += 1;
                pair.1 = pair.1.clone().min(other.clone());
            }
        }
        let describe = |((first, second), (count, example)): ((TreeName, TreeName), (usize, DocId))| {
            let (documents, them) =
                if count == 1 { ("document is", "it") } else { ("documents are", "them") };
            let message = format!("{count} {documents} also in the tree `{first}`, such as {example}");
            let hint = Some(format!("exclude {them} from `{first}` or from `{second}`"));
            Finding { hint, ..warning(FindingKind::Duplicate, &second, None, message) }
        };
        pairs.into_iter().map(describe).collect()
    }
}

/// The content hash of a document, with its file.
pub(super) struct ContentHash {
    pub(super) doc: DocId,
    pub(super) file: PathBuf,
    pub(super) hash: [u8; 16],
}

/// Reports documents with the same content, one finding per group. A file that two trees index counts once: it isn't a
/// copy of itself.
pub(super) fn copies(hashes: Vec<ContentHash>) -> Vec<Finding> {
    let mut groups: HashMap<[u8; 16], BTreeMap<PathBuf, DocId>> = HashMap::new();
    for ContentHash { doc, file, hash } in hashes {
        groups.entry(hash).or_default().entry(file).or_insert(doc);
    }
    let mut findings = Vec::new();
    for group in groups.into_values() {
        let mut docs: Vec<DocId> = group.into_values().collect();
        docs.sort();
        let [first, others @ ..] = docs.as_slice() else { continue };
        if others.is_empty() {
            continue;
        }
        let named: Vec<String> = others.iter().take(NAMED_COPIES).map(ToString::to_string).collect();
        let more = others.len().saturating_sub(NAMED_COPIES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("has the same content as {}{more}", named.join(", "));
        let hint = Some("keep one of them, or exclude the others".to_owned());
        findings.push(Finding { hint, ..warning(FindingKind::Copy, first, None, message) });
    }
    findings
}
