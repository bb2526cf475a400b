//! The program itself: whether clients find it.

use std::path::PathBuf;

use ra_core::files;

use super::shown;
use crate::answers::DoctorCheck;
use crate::env;

/// Returns the program that clients start as `ra`, and what is to be said of it.
pub(super) fn examine() -> (Option<PathBuf>, Vec<DoctorCheck>) {
    let own = env::own_program().and_then(|path| files::real_path(&path).ok());
    let found = env::program_on_path("ra");
    let real = found.as_ref().and_then(|path| files::real_path(path).ok());
    let own_path = own.as_deref().map(shown).unwrap_or_default();
    let check = match &found {
        None => DoctorCheck::warning("program", format!("{own_path} is not on the PATH"))
            .hint("clients start `ra` by its name: add its directory to the PATH"),
        Some(found) if real == own => DoctorCheck::good("program", shown(found)),
        Some(found) => DoctorCheck::warning(
            "program",
            format!("`ra` on the PATH is {}, and this is {own_path}", shown(found)),
        )
        .hint("clients start the one on the PATH; remove one of them"),
    };
    (real.or(own), vec![check])
}
