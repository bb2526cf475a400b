//! Files that teach agents to use `ra`: what stands in them, and how they are written without harm.

mod block;
mod change;
mod clients;
mod section;
mod template;
mod trees;

pub(crate) use self::block::write as write_block;
pub(crate) use self::change::{Change, Goal, Outcome, apply, plan};
pub(crate) use self::clients::{Client, Entry, Place, entry};
pub(crate) use self::section::{SKILL_FILE, section, skill};
pub(crate) use self::template::join;
pub(crate) use self::trees::{Holds, Tree, about, plain, topics};
