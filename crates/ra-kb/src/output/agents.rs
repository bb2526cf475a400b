//! `ra agents` for people.

use std::io;

use super::{BAD, FAINT, GOOD, HEADING, Page, Present};
use crate::wire::{AgentFiles, McpConfig};

impl Present for AgentFiles {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if let Some(index) = &self.index {
            index.notes(page)?;
        }
        if let Some(content) = &self.content {
            return page.text(content);
        }
        for diff in self.files.iter().filter_map(|file| file.diff.as_deref()) {
            diff_lines(diff, page)?;
        }
        if !self.written {
            let same = self.files.iter().all(|file| file.diff.is_none());
            return if same { page.note("nothing would change") } else { Ok(()) };
        }
        for file in &self.files {
            let path = page.clean(&file.path);
            page.line(format!("{} {path}", file.status))?;
        }
        Ok(())
    }
}

/// Writes a diff in the usual colors. Its lines may contain text from other people.
fn diff_lines(diff: &str, page: &mut Page<'_>) -> io::Result<()> {
    // Everything before the first hunk is the header, whatever the lines begin with.
    let mut header = true;
    for line in diff.split_terminator('\n') {
        header &= !line.starts_with("@@");
        let text = page.harmless(line);
        let style = match line.as_bytes().first() {
            _ if header => HEADING,
            Some(b'+') => GOOD,
            Some(b'-') => BAD,
            Some(b'@' | b'\\') => FAINT,
            _ => {
                page.line(text)?;
                continue;
            }
        };
        page.line(format!("{style}{text}{style:#}"))?;
    }
    Ok(())
}

impl Present for McpConfig {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let note = match self.scope {
            "project" => format!("add this to {} in the project", self.file),
            _ => format!("add this to your {}", self.file),
        };
        page.note(&note)?;
        page.text(&self.entry)
    }
}
