//! `ra config` for people.

use std::io;

use super::{FAINT, NAME, Page, Present, Table};
use crate::wire::Configuration;

impl Present for Configuration {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.files.is_empty() {
            page.line("no configuration file applies here")?;
        }
        for file in self.files.iter().rev() {
            page.line(format!("{NAME}{file}{NAME:#}"))?;
        }
        self.values(page)?;
        page.heading("Trees:")?;
        for tree in &self.trees {
            let outside = if tree.outside_project { ", outside the project" } else { "" };
            let ignore = if tree.ignore { "" } else { ", ignore files not honoured" };
            page.line(format!(
                "  {NAME}{}{NAME:#} = {} ({}{outside}{ignore})",
                tree.name, tree.path, tree.scope
            ))?;
            page.line(format!("    {FAINT}{}{FAINT:#}", tree.source))?;
            for root in &tree.link_root {
                page.line(format!("    link_root {root:?}"))?;
            }
            for (word, globs) in [("include", &tree.include), ("exclude", &tree.exclude)] {
                for glob in globs {
                    page.line(format!("    {word} {:?}  {FAINT}{}{FAINT:#}", glob.glob, glob.source))?;
                }
            }
        }
        self.synonyms(page)?;
        self.patterns(page)?;
        self.rules(page)
    }
}

impl Configuration {
    fn synonyms(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.synonyms.is_empty() {
            return Ok(());
        }
        page.heading("Synonyms:")?;
        let mut table = Table::new(&["words", "set by"]);
        for group in &self.synonyms {
            table.row([&group.words.join(", "), &group.source].map(|cell| page.clean(cell)));
        }
        page.table(&table)
    }

    fn patterns(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.patterns.is_empty() {
            return Ok(());
        }
        page.heading("Context patterns:")?;
        let mut table = Table::new(&["glob", "terms", "set by"]);
        for pattern in &self.patterns {
            let cells = [&pattern.glob, &pattern.terms.join(", "), &pattern.source];
            table.row(cells.map(|cell| page.clean(cell)));
        }
        page.table(&table)
    }

    fn rules(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.rules.is_empty() {
            return Ok(());
        }
        page.heading("Context rules:")?;
        for rule in &self.rules {
            let globs = page.clean(&rule.globs.join(", "));
            page.line(format!("  {NAME}{globs}{NAME:#}  {FAINT}{}{FAINT:#}", page.clean(&rule.source)))?;
            for (word, values) in [("terms", &rule.terms), ("trees", &rule.trees), ("include", &rule.include)]
            {
                if !values.is_empty() {
                    page.line(format!("    {word} {}", page.clean(&values.join(", "))))?;
                }
            }
        }
        Ok(())
    }

    fn values(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        page.heading("Values:")?;
        let mut table = Table::new(&["key", "value", "set by"]);
        for set in &self.values {
            table.row([set.key.clone(), set.value.to_string(), set.source.clone()]);
        }
        page.table(&table)
    }
}
