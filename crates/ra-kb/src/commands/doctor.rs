//! `ra doctor`: says whether everything works, from the program to the clients that start it.

use std::process::ExitCode;

use super::Session;
use crate::args::DoctorArgs;
use crate::doctor::{self, Repair};
use crate::error::Result;

pub(super) fn run(session: &mut Session, args: &DoctorArgs) -> Result<ExitCode> {
    let repair = if args.fix { Repair::WhatIsSafe } else { Repair::Nothing };
    let report = doctor::examine(&session.places, repair, &session.progress());
    session.printer.show(&report)?;
    Ok(ExitCode::from(report.exit_code()))
}
