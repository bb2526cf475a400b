//! The command line of `ra doctor`.

pub(crate) const EXAMPLES: &str = "\
Starts the server as each configured client does, and asks it for its tools.

Examples:
  ra doctor
  ra doctor --fix    also update the index, and rewrite entries that don't start a server

Exit codes: 0 all is well, 1 warnings, 2 errors.";

#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Update the index, encode missing vectors, and rewrite client entries that don't start a server
    #[arg(long)]
    pub(crate) fix: bool,
}
