//! Files that teach agents to use `ra`: their contents, and how to write them safely.

mod block;
mod client_file;
mod clients;
mod planned_change;
mod section;
mod template;
mod tree_summary;

pub(crate) use self::block::write as write_block;
pub(crate) use self::client_file::{add as add_entry, find as find_entry};
pub(crate) use self::clients::{Client, ClientConfig, ConfigFormat, ConfigScope};
pub(crate) use self::planned_change::{FileAction, Goal, PlannedChange, apply, plan, target_within};
pub(crate) use self::section::{SKILL_FILE, section, skill};
pub(crate) use self::template::join;
pub(crate) use self::tree_summary::{Tree, TreeSummary, about, fit, plain, topics};
