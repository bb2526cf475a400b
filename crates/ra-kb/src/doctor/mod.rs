//! What `ra doctor` examines: the program, the configuration, the index, and the clients that start the server.

mod clients;
mod handshake;
mod index;
mod program;

use std::path::Path;

use ra_core::config::{Config, SystemDirs};
use ra_core::kb::{KnowledgeBase, Progress};

use crate::answers::{Doctor, DoctorCheck};
use crate::error;

/// Whether problems that can be solved safely are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    Nothing,
    WhatIsSafe,
}

/// Examines everything.
pub(crate) fn examine(places: &SystemDirs, repair: Repair, progress: &dyn Progress) -> Doctor {
    let (program, mut checks) = program::examine();
    let project = match Config::load(places, &[]) {
        Ok(config) => {
            let kb = KnowledgeBase::open(config);
            checks.extend(index::examine(&kb, repair, progress));
            kb.config().project.clone()
        }
        Err(error) => {
            checks.push(DoctorCheck::error("configuration", error::with_causes(&error)));
            places.cwd.clone()
        }
    };
    let (clients, unused) = clients::examine(&project, places.home.as_deref(), program.as_deref(), repair);
    checks.extend(clients);
    Doctor { program_version: env!("CARGO_PKG_VERSION"), checks, unused_clients: unused }
}

/// Returns a path as people read it.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
