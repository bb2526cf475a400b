//! The syntax of names: a path or the end of one, a page name, a wiki link, and a line suffix.

use std::borrow::Cow;

use crate::text::composed;

/// The lines that a name asks for after its last `:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineSuffix {
    /// One line, as in `guide.md:701`; it means the section around the line.
    At(usize),
    /// These lines, as in `guide.md:10-20`.
    Range(usize, usize),
}

/// Parses `10-20`, `10` or `10-` as the first and last line, counted from 1.
pub fn line_range(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|line| *line > 0);
    let range = match text.split_once('-') {
        Some((from, "")) => number(from).map(|from| (from, usize::MAX)),
        Some((from, to)) => number(from).zip(number(to)),
        None => number(text).map(|line| (line, line)),
    };
    match range {
        Some((from, to)) if from <= to => Ok((from, to)),
        _ => Err("expected lines such as 10-20, 10 or 10-, counted from 1".to_owned()),
    }
}

/// Splits the line suffix off a name: `guide.md:10-20` is lines 10 to 20 of `guide.md`. Returns `None` if the name has
/// no such suffix.
pub fn line_suffix(name: &str) -> Option<(&str, LineSuffix)> {
    let (before, lines) = name.rsplit_once(':').filter(|(before, _)| !before.is_empty())?;
    let (from, to) = line_range(lines).ok()?;
    Some((before, if lines.contains('-') { LineSuffix::Range(from, to) } else { LineSuffix::At(from) }))
}

/// Returns the target of a wiki link or an embed; `None` if a name is neither.
pub(super) fn wiki_target(name: &str) -> Option<&str> {
    let trimmed = name.trim();
    let inner = trimmed.strip_prefix('!').unwrap_or(trimmed).strip_prefix("[[")?.strip_suffix("]]")?;
    // The display text follows `|`, which is escaped inside a table.
    Some(inner.split('|').next().unwrap_or(inner).trim_end_matches('\\').trim())
}

/// Returns the page and heading of a wiki link as `page#heading`; other names are unchanged.
pub(super) fn without_brackets(name: &str) -> Cow<'_, str> {
    let Some(target) = wiki_target(name) else { return Cow::Borrowed(name) };
    let (page, headings) = target.split_once('#').unwrap_or((target, ""));
    // A block reference has no name of its own, so it is dropped.
    let is_block = headings.rsplit('#').next().is_some_and(|last| last.trim().starts_with('^'));
    match headings.trim() {
        "" => Cow::Owned(page.trim().to_owned()),
        _ if is_block => Cow::Owned(page.trim().to_owned()),
        headings => Cow::Owned(format!("{}#{headings}", page.trim())),
    }
}

/// A path, or the end of one after a `/`, optionally with the tree before it.
pub(super) struct PathEnd<'a> {
    tree: Option<&'a str>,
    path: Cow<'a, str>,
}

impl<'a> PathEnd<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        let name = name.trim_start_matches("./");
        let (tree, path) = match name.split_once(':') {
            Some((tree, path)) => (Some(tree), path),
            None => (None, name),
        };
        // Users type composed letters even if the file name has them decomposed.
        Self { tree, path: composed(path) }
    }

    /// True if the path refers to this document.
    pub(super) fn is_of(&self, tree: &str, path: &str) -> bool {
        self.tree.is_none_or(|wanted| wanted == tree) && is_end(&composed(path), &self.path)
    }
}

/// A name of a document other than its id: its path without the extension, the end of that path, its title or an
/// alias. Case is ignored.
pub(super) struct PageName<'a> {
    /// The part before the first `:`, which may be a tree.
    tree: Option<&'a str>,
    in_tree: String,
    whole: String,
}

impl<'a> PageName<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        let name = name.trim().trim_start_matches("./");
        let (tree, rest) = match name.split_once(':') {
            Some((tree, rest)) => (Some(tree), rest.trim()),
            None => (None, name),
        };
        Self { tree, in_tree: folded(rest), whole: folded(name) }
    }

    /// True if the document's path without its extension has this name.
    pub(super) fn is_path(&self, tree: &str, path: &str) -> bool {
        let stem = match path.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') => stem,
            _ => path,
        };
        self.is_end_of(tree, &folded(stem))
    }

    /// True if the document is the page of the folder with this name, such as `fetch/index.md` for `fetch`.
    pub(super) fn is_folder(&self, tree: &str, path: &str) -> bool {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.split_once('.').map_or(file, |(stem, _)| stem).to_lowercase();
        matches!(stem.as_str(), "index" | "_index" | "readme") && self.is_end_of(tree, &folded(folder))
    }

    fn is_end_of(&self, tree: &str, path: &str) -> bool {
        is_end(path, &self.whole) || self.is_in(tree) && is_end(path, &self.in_tree)
    }

    /// True if a title or alias of a document is this name.
    pub(super) fn is_title(&self, tree: &str, title: &str) -> bool {
        let title = folded(title.trim());
        !title.is_empty() && (title == self.whole || self.is_in(tree) && title == self.in_tree)
    }

    fn is_in(&self, tree: &str) -> bool {
        self.tree == Some(tree)
    }
}

/// True if `path` is `end`, or ends with it after a `/`.
fn is_end(path: &str, end: &str) -> bool {
    let before = path.strip_suffix(end).filter(|_| !end.is_empty());
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Returns the text with composed letters, in lower case.
fn folded(text: &str) -> String {
    composed(text).to_lowercase()
}

/// Returns the letters and digits of a heading in lower case. Different spellings of a heading have the same key.
pub(super) fn heading_key(heading: &str) -> String {
    heading.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_the_last_colon() {
        use LineSuffix::{At, Range};
        for (name, split) in [
            ("guide.md:701", Some(("guide.md", At(701)))),
            ("docs:guide.md:10-20", Some(("docs:guide.md", Range(10, 20)))),
            ("guide.md:10-", Some(("guide.md", Range(10, usize::MAX)))),
            ("guide.md:7-7", Some(("guide.md", Range(7, 7)))),
            ("guide.md", None),
            ("guide.md:0", None),
            ("guide.md:20-10", None),
            ("guide.md:a", None),
            (":7", None),
        ] {
            assert_eq!(line_suffix(name), split, "{name}");
        }
    }

    #[test]
    fn a_wiki_link_is_a_page_and_a_heading() {
        for (name, plain) in [
            ("[[Note]]", "Note"),
            ("![[Note]]", "Note"),
            ("[[Note|shown]]", "Note"),
            ("[[Note\\|shown]]", "Note"),
            ("[[ Note # A # B ]]", "Note#A # B"),
            ("[[Note#A#^block]]", "Note"),
            ("[[Note#Heading|shown]]", "Note#Heading"),
            ("[[Note#^block]]", "Note"),
            ("[Note]", "[Note]"),
            ("Note#x", "Note#x"),
        ] {
            assert_eq!(without_brackets(name), plain, "{name}");
        }
    }

    #[test]
    fn a_page_is_called_by_its_path_or_its_title() {
        for (name, is_path, is_title) in [
            ("Meeting Notes", true, false),
            ("team/meeting notes", true, false),
            ("t:meeting notes", true, false),
            ("u:meeting notes", false, false),
            ("notes", false, false),
            ("Part 1: Goals", false, true),
            ("t:part 1: goals", false, true),
        ] {
            let page = PageName::new(name);
            assert_eq!(page.is_path("t", "team/Meeting Notes.md"), is_path, "{name}");
            assert_eq!(page.is_title("t", "Part 1: Goals"), is_title, "{name}");
        }
    }

    #[test]
    fn a_folder_is_called_by_the_end_of_its_path() {
        for (name, path, expected) in [
            ("window/Fetch", "api/window/fetch/index.md", true),
            ("t:api", "api/README.md", true),
            ("api", "api/_index.de.md", true),
            ("fetch", "api/fetch/guide.md", false),
            ("etch", "api/fetch/index.md", false),
            ("index", "index.md", false),
        ] {
            assert_eq!(PageName::new(name).is_folder("t", path), expected, "{name} {path}");
        }
    }
}
