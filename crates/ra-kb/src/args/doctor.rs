//! The command line of `ra doctor`.

pub(crate) const EXAMPLES: &str = "\
Starts the server as each configured client does, and asks it for its tools.

Examples:
  ra doctor
  ra doctor --fix    also update the index, and mend entries that start nothing

Exit codes: 0 all is well, 1 warnings, 2 errors.";

#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Mend what can be mended safely: the index, missing vectors, entries of clients that start nothing
    #[arg(long)]
    pub(crate) fix: bool,
}
