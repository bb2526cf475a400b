//! `ra inspect` for people.

use std::io;

use serde_json::Value;

use super::{BAD, FAINT, GOOD, NAME, Page, Present, WARN, count, grouped};
use crate::wire::Inspection;

impl Present for Inspection {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        let file = page.clean(&self.file);
        page.line(format!("File: {file}"))?;
        page.line(format!("Type: {}", self.kind))?;
        self.membership(page)?;
        self.metadata(page)?;
        self.chunks(page)?;
        self.links(page)?;
        if !self.warnings.is_empty() {
            page.heading("Warnings:")?;
        }
        for warning in &self.warnings {
            let message = page.clean(&warning.message);
            page.line(format!("  {WARN}line {}{WARN:#}: {message}", warning.line))?;
        }
        Ok(())
    }
}

impl Inspection {
    fn membership(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.kind == "binary" {
            return page.line(format!("Indexed: {BAD}no{BAD:#}, it is not text"));
        }
        if let Some(why) = &self.refused {
            return page.line(format!("Indexed: {BAD}no{BAD:#}, {}", page.clean(why)));
        }
        if self.trees.is_empty() {
            return page.line(format!("Indexed: {BAD}no{BAD:#}, it lies in no tree"));
        }
        for tree in &self.trees {
            match &tree.reason {
                None if !self.chunks.iter().any(|chunk| chunk.indexed) => {
                    page.line(format!("Indexed: {BAD}no{BAD:#}, it has no text"))?;
                }
                None => {
                    let id = page.clean(&tree.id);
                    page.line(format!("Indexed: {GOOD}yes{GOOD:#}, as {id}"))?;
                }
                Some(reason) => {
                    let reason = page.clean(reason);
                    page.line(format!("Indexed: {BAD}no{BAD:#} (tree {}): {reason}", tree.tree))?;
                }
            }
        }
        Ok(())
    }

    fn metadata(&self, page: &mut Page<'_>) -> io::Result<()> {
        if let (Some(title), Some(source)) = (&self.title, self.title_source) {
            let title = page.clean(title);
            page.line(format!("Title: {title:?} (from {source})"))?;
        }
        if let (Some(name), Some(code)) = (self.language_name, self.language) {
            page.line(format!("Language: {name} ({code})"))?;
        }
        if let Some(fields) = &self.front_matter {
            page.line("Frontmatter:")?;
            for (key, value) in fields {
                let text = page.clean(&format!("  {key}: {}", plain(value)));
                page.line(text)?;
            }
        }
        for (name, values) in [("Tags", &self.tags), ("Aliases", &self.aliases)] {
            if !values.is_empty() {
                let text = page.clean(&values.join(", "));
                page.line(format!("{name}: {text}"))?;
            }
        }
        Ok(())
    }

    fn chunks(&self, page: &mut Page<'_>) -> io::Result<()> {
        if !self.chunks.is_empty() {
            page.heading("Chunks:")?;
        }
        // Indent by the depth in the tree and not by heading level, because levels may be skipped.
        let mut depths: Vec<usize> = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            let depth = chunk.parent.map_or(0, |parent| depths[parent as usize] + 1);
            depths.push(depth);
            let indent = "  ".repeat(depth + 1);
            let (id, title) = (page.clean(&chunk.id), page.clean(&chunk.title));
            let number = chunk.position + 1;
            page.line(format!("{indent}{number}. {NAME}{id}{NAME:#}"))?;
            page.line(format!("{indent}   Title: {title:?}"))?;
            let (first, last) = chunk.lines;
            let size = if chunk.indexed {
                format!("{} chars, {}", grouped(chunk.chars), count(chunk.tokens, "token"))
            } else {
                "no text of its own".to_owned()
            };
            let over =
                if chunk.oversized { format!(", {WARN}over max_chunk_size{WARN:#}") } else { String::new() };
            page.line(format!("{indent}   Lines {first}-{last}{FAINT},{FAINT:#} size: {size}{over}"))?;
        }
        Ok(())
    }

    fn links(&self, page: &mut Page<'_>) -> io::Result<()> {
        if !self.links.is_empty() {
            page.heading("Links:")?;
        }
        for link in &self.links {
            let (target, text) = (page.clean(&link.target), page.clean(&link.text));
            page.line(format!("  line {}: {} {NAME}{target}{NAME:#} {text:?}", link.line, link.kind))?;
        }
        Ok(())
    }
}

/// Formats a value as a person would write it in front matter.
fn plain(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(bare).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
