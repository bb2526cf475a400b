//! The answer of `ra doctor`.

use std::io;

use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{BAD, FAINT, GOOD, HEADING, Page, Present, WARN};

/// The health of the installation.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Doctor {
    /// The version of `ra`.
    pub(crate) program_version: &'static str,
    /// What was examined.
    pub(crate) checks: Vec<DoctorCheck>,
    /// The clients without an entry for `ra`.
    pub(crate) unused_clients: Vec<String>,
}

/// One thing that was examined.
#[derive(JsonSchema, Serialize)]
pub(crate) struct DoctorCheck {
    /// What was examined: `program`, `configuration`, `tree NAME`, `index`, `meaning` or a client.
    pub(crate) topic: String,
    /// How it is; `fixed` if `--fix` has mended it.
    pub(crate) status: DoctorStatus,
    /// What was found.
    pub(crate) message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DoctorStatus {
    Good,
    Fixed,
    Warning,
    Error,
}

impl DoctorCheck {
    fn new(topic: impl Into<String>, status: DoctorStatus, message: impl Into<String>) -> Self {
        Self { topic: topic.into(), status, message: message.into(), hint: None }
    }

    pub(crate) fn good(topic: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(topic, DoctorStatus::Good, message)
    }

    pub(crate) fn fixed(topic: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(topic, DoctorStatus::Fixed, message)
    }

    pub(crate) fn warning(topic: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(topic, DoctorStatus::Warning, message)
    }

    pub(crate) fn error(topic: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(topic, DoctorStatus::Error, message)
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl Doctor {
    /// 0 if all is well, 1 with warnings, 2 with errors.
    pub(crate) fn exit_code(&self) -> u8 {
        let worst = self.checks.iter().map(|check| match check.status {
            DoctorStatus::Good | DoctorStatus::Fixed => 0,
            DoctorStatus::Warning => 1,
            DoctorStatus::Error => 2,
        });
        worst.max().unwrap_or(0)
    }
}

impl Present for Doctor {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("{HEADING}ra {}{HEADING:#}", self.program_version))?;
        let width = self.checks.iter().map(|check| check.topic.chars().count()).max().unwrap_or(0);
        for check in &self.checks {
            let (style, word) = match check.status {
                DoctorStatus::Good => (GOOD, "ok"),
                DoctorStatus::Fixed => (GOOD, "fixed"),
                DoctorStatus::Warning => (WARN, "warning"),
                DoctorStatus::Error => (BAD, "error"),
            };
            let (topic, message) = (page.clean(&check.topic), page.clean(&check.message));
            page.line(format!("  {style}{word:<7}{style:#}  {topic:<width$}  {message}"))?;
            if let Some(hint) = &check.hint {
                page.line(format!(
                    "  {:<7}  {:<width$}  {FAINT}hint: {}{FAINT:#}",
                    "",
                    "",
                    page.clean(hint)
                ))?;
            }
        }
        if !self.unused_clients.is_empty() {
            page.line(format!("\nclients without an entry: {}", self.unused_clients.join(", ")))?;
            page.hint("`ra agents --mcp-config CLIENT --write` adds one")?;
        }
        Ok(())
    }
}
