//! The knowledge base: the trees of a configuration and everything that can be asked of them.

mod ask;
mod check;
mod consult;
mod context;
mod empty;
mod fetch;
mod fit;
mod freshen;
mod freshness;
mod inspect;
mod links;
mod list;
mod resolve;
mod status;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use self::ask::{Answer, Answers, Ask, Syntax, Topics};
pub use self::check::{CheckReport, Finding, LinkCounts, Severity};
pub use self::context::{Context, ContextAnswer, Similar, Source, told};
pub use self::empty::{Instead, Unknown};
pub use self::fetch::{Fetched, Section, Want};
pub use self::fit::heading;
pub use self::freshness::{Freshness, Progress, Silent, Updated};
pub use self::inspect::{Inspection, Membership, NodeReport};
pub use self::links::BrokenLink;
pub use self::list::{ListedChunk, ListedDocument, NamedDocument};
pub use self::status::{IndexState, IndexStatus, Status, TreeCounts};

use crate::config::{Config, Tree};
use crate::corpus::{self, Extent, Manifest, Scan, Watchlist};
use crate::id::TreeName;
use crate::index::{Memory, Snapshot};

/// The trees of a configuration.
#[derive(Debug)]
pub struct KnowledgeBase {
    config: Config,
    memory: Memory,
}

impl KnowledgeBase {
    /// Opens the knowledge base that a configuration describes.
    pub fn open(config: Config) -> Self {
        Self { config, memory: Memory::default() }
    }

    /// The knowledge base with a configuration that was read again. What is in memory of the index stays there.
    pub fn with(&self, config: Config) -> Self {
        Self { config, memory: self.memory.clone() }
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What is on the disk, tree by tree.
    fn scan(&self, extent: Extent) -> BTreeMap<TreeName, Scan> {
        self.config.trees.iter().map(|tree| (tree.name.clone(), corpus::walk(tree, extent))).collect()
    }

    /// What the documents depend on. The configuration is not among it.
    pub fn watchlist(&self) -> Watchlist {
        let mut list = Watchlist::default();
        self.config.trees.iter().for_each(|tree| list.absorb(corpus::watchlist(tree)));
        for paths in [&mut list.directories, &mut list.files] {
            paths.sort_unstable();
            paths.dedup();
        }
        list
    }

    /// The trees whose root is at or above an absolute path, with the path below each root.
    fn trees_of<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = (&'a Tree, String)> {
        self.config.trees.iter().filter_map(move |tree| {
            let below = path.strip_prefix(&tree.root).ok()?;
            Some((tree, below.to_str()?.replace(std::path::MAIN_SEPARATOR, "/")))
        })
    }

    /// The file behind a document.
    fn file_of(tree: &Tree, path: &str) -> PathBuf {
        tree.root.join(path)
    }
}

/// What an index was made from; none when that cannot be read.
pub(crate) fn manifest_of(snapshot: &Snapshot) -> Option<Manifest> {
    let pages = snapshot.manifest();
    Manifest::decode(&pages.whole, &pages.changes)
}
