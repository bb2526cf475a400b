//! How a name is written: a path or the end of one, the name of a page, a wiki link, and the lines after it.

use std::borrow::Cow;

use crate::text::composed;

/// The lines that a name asks for after its last `:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineSuffix {
    /// One line, as in `guide.md:701`: what is meant is the section around it.
    At(usize),
    /// These lines, as in `guide.md:10-20`.
    Range(usize, usize),
}

/// Reads `10-20`, `10` or `10-` as the first and last line, counted from 1.
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

/// Splits the lines off a name: `guide.md:10-20` is lines 10 to 20 of `guide.md`. None when it does not end in lines.
pub fn line_suffix(name: &str) -> Option<(&str, LineSuffix)> {
    let (before, lines) = name.rsplit_once(':').filter(|(before, _)| !before.is_empty())?;
    let (from, to) = line_range(lines).ok()?;
    Some((before, if lines.contains('-') { LineSuffix::Range(from, to) } else { LineSuffix::At(from) }))
}

/// The page and heading that a wiki link leads to, as `page#heading`; other names stay as they are.
pub(super) fn without_brackets(name: &str) -> Cow<'_, str> {
    let trimmed = name.trim();
    let inner = trimmed.strip_prefix('!').unwrap_or(trimmed);
    let Some(inner) = inner.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")) else {
        return Cow::Borrowed(name);
    };
    // Text to show follows `|`, which a table needs to escape.
    let target = inner.split('|').next().unwrap_or(inner).trim_end_matches('\\').trim();
    let (page, headings) = target.split_once('#').unwrap_or((target, ""));
    match headings.rsplit('#').next().map(str::trim) {
        // A block has no name of its own.
        Some(heading) if !heading.is_empty() && !heading.starts_with('^') => {
            Cow::Owned(format!("{}#{heading}", page.trim()))
        }
        _ => Cow::Owned(page.trim().to_owned()),
    }
}

/// A path, or the end of one after a `/`, in a tree that may be named before it.
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
        // People type composed letters, also where the name of a file has them decomposed.
        Self { tree, path: composed(path) }
    }

    /// Whether a document is meant.
    pub(super) fn is_of(&self, tree: &str, path: &str) -> bool {
        self.tree.is_none_or(|wanted| wanted == tree) && is_end(&composed(path), &self.path)
    }
}

/// A name of a document besides its id: its path without the extension or the end of that, its title, or an alias.
/// The case of letters does not count.
pub(super) struct PageName<'a> {
    /// The name may begin with that of a tree.
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

    /// Whether the path of a document has this name, without its extension.
    pub(super) fn is_path(&self, tree: &str, path: &str) -> bool {
        let stem = match path.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') => stem,
            _ => path,
        };
        let stem = folded(stem);
        is_end(&stem, &self.whole) || self.is_in(tree) && is_end(&stem, &self.in_tree)
    }

    /// Whether a title or an alias of a document is this name.
    pub(super) fn is_title(&self, tree: &str, title: &str) -> bool {
        let title = folded(title.trim());
        !title.is_empty() && (title == self.whole || self.is_in(tree) && title == self.in_tree)
    }

    fn is_in(&self, tree: &str) -> bool {
        self.tree == Some(tree)
    }
}

/// Whether `path` is `end`, or ends with it after a `/`.
fn is_end(path: &str, end: &str) -> bool {
    let before = path.strip_suffix(end).filter(|_| !end.is_empty());
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Composed letters in lower case.
fn folded(text: &str) -> String {
    composed(text).to_lowercase()
}

/// The letters and digits of a heading, by which people name it in one way or another.
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
            ("[[ Note # A # B ]]", "Note#B"),
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
}
