//! Summarizes each tree in one line. Titles and names come from documents that anybody may have written, and
//! agents read the summary as instructions, so they are reduced to a few plain words.

use std::collections::{BTreeMap, BTreeSet};

use ra_core::text::collapse;
use ra_core::tokens;

/// A tree as described to agents.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) holds: TreeSummary,
}

/// The summary of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreeSummary {
    /// The names of its folders and the titles of its documents.
    Topics(Vec<String>),
    /// Only its name, because the tree is the user's and the file belongs to the project.
    Personal,
    /// Documents outside the project. They are not named, because the file belongs to the project and may be
    /// published.
    Outside,
}

/// The maximum length of a name or title.
const MAX_TOPIC_CHARS: usize = 40;

/// Files that `ra agents` writes. They are skipped because listing them would change the list that they
/// contain.
const OURS: [&str; 4] = ["agents.md", "claude.md", "gemini.md", "skill.md"];

/// Returns the topics of a tree, the most telling first: the title of its front page, its folders, the titles
/// of the documents next to them, and of those in them. Changes to documents deeper in the tree don't affect
/// this.
pub(crate) fn topics<'a>(documents: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let mut documents: Vec<_> =
        documents.into_iter().filter(|(path, _)| !OURS.contains(&&*name(path))).collect();
    documents.sort_unstable();
    let trunk = trunk(documents.iter().map(|(path, _)| *path).collect());
    let (mut front, mut folders, mut titles, mut inner) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (path, title) in documents {
        let is_front = matches!(name(path).split('.').next(), Some("readme" | "index" | "_index"));
        if is_front && !path.contains('/') {
            front.push(plain(title));
        }
        let Some(below) = path.strip_prefix(&trunk) else { continue };
        let folder = below.split_once('/');
        folders.extend(folder.map(|(folder, _)| folder_name(folder)));
        match folder {
            _ if is_front => {}
            None => titles.push(plain(title)),
            Some((_, name)) if !name.contains('/') => inner.push(plain(title)),
            Some(_) => {}
        }
    }
    let trunk = trunk.split_terminator('/').map(folder_name).collect::<String>();
    let all = front.into_iter().chain([trunk]).chain(folders).chain(titles).chain(inner);
    let mut known = BTreeSet::new();
    all.filter(|topic| !topic.is_empty() && known.insert(topic.clone())).collect()
}

/// Returns the file name of a document, in lower case.
fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_lowercase()
}

/// Returns the name of a folder as shown; empty if none of its characters can be shown.
fn folder_name(folder: &str) -> String {
    let name = plain(folder);
    if name.is_empty() { name } else { name + "/" }
}

/// Returns the folder that contains nearly all documents of a larger tree, such as `content/en/`: its contents
/// tell more than its siblings. Empty, or with a trailing `/`.
fn trunk(mut paths: Vec<&str>) -> String {
    const LARGER: usize = 10;
    let mut trunk = String::new();
    while paths.len() >= LARGER {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (folder, _) in paths.iter().filter_map(|path| path.split_once('/')) {
            *counts.entry(folder).or_default() += 1;
        }
        let Some((folder, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else { break };
        if count * 5 < paths.len() * 4 {
            break;
        }
        trunk.push_str(folder);
        trunk.push('/');
        paths = paths.iter().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/')).collect();
    }
    trunk
}

/// The maximum number of trees that are listed, and the widths of their descriptions to try.
const MAX_TREES: usize = 20;
const WIDTHS: [usize; 4] = [120, 80, 50, 25];

/// Returns the first text of at most `max_tokens` tokens: with all trees and less and less about each, then with fewer
/// and fewer trees. `write` gets the number of trees and the width of their descriptions.
pub(crate) fn fit(trees: usize, max_tokens: usize, write: impl Fn(usize, usize) -> String) -> String {
    let most = trees.min(MAX_TREES);
    let fewer = (0..=most).rev().map(|count| (count, 0));
    let mut text = String::new();
    for (count, width) in WIDTHS.map(|width| (most, width)).into_iter().chain(fewer) {
        text = write(count, width);
        if tokens::count(&text) <= max_tokens {
            break;
        }
    }
    text
}

/// Lists at most `count` trees, each with at most `width` characters of description.
pub(super) fn list(trees: &[Tree], count: usize, width: usize) -> String {
    if trees.is_empty() {
        return "No tree is configured yet: `ra init` writes a starter `.ra.toml`.".to_owned();
    }
    let mut text = String::from("Trees, with the names of their folders and documents:\n");
    for tree in trees.iter().take(count) {
        text.push_str(&format!("\n- `{}`{}", plain(&tree.name), about(&tree.holds, width)));
    }
    match trees.len().saturating_sub(count) {
        0 => {}
        more if count == 0 => text.push_str(&format!("\n- {more} trees, which `ra ls trees` lists")),
        more => text.push_str(&format!("\n- and {more} more, which `ra ls trees` lists")),
    }
    text
}

/// Returns the description after a tree's name, with at most `width` characters.
pub(crate) fn about(holds: &TreeSummary, width: usize) -> String {
    let topics = match holds {
        TreeSummary::Personal => return " (the user's own, in every project)".to_owned(),
        TreeSummary::Outside => return " (outside the project)".to_owned(),
        TreeSummary::Topics(topics) if topics.is_empty() => return " (no documents yet)".to_owned(),
        TreeSummary::Topics(topics) => topics,
    };
    let mut text = String::new();
    for (nr, topic) in topics.iter().enumerate() {
        if text.chars().count() + topic.chars().count() > width {
            text.push_str(if nr > 0 { "; …" } else { "" });
            break;
        }
        text.push_str(if nr == 0 { ": " } else { "; " });
        text.push_str(topic);
    }
    text
}

/// Reduces a name or title to a few words on one line: letters, digits and the punctuation that words need.
/// Markup, comments, links, and control and invisible characters are removed.
pub(crate) fn plain(text: &str) -> String {
    let keep =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ',' | '\'' | '&' | '(' | ')' | '+');
    let spaced: String = text.chars().map(|c| if keep(c) { c } else { ' ' }).collect();
    let words = collapse(&spaced);
    if words.chars().count() <= MAX_TOPIC_CHARS {
        return words;
    }
    let cut: String = words.chars().take(MAX_TOPIC_CHARS - 1).collect();
    cut.trim_end().to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_told_by_its_front_page_folders_and_titles() {
        let documents = [
            ("README.md", "The Handbook"),
            ("zebra.md", "About Zebras"),
            ("guide/index.md", "Guides"),
            ("guide/a.md", "A"),
            ("guide/b.md", "B"),
            ("api/deep/c.md", "C"),
            ("apples.md", "About Apples"),
            ("AGENTS.md", "Agents"),
            ("skills/ra/SKILL.md", "Skill"),
        ];
        let expected = ["The Handbook", "api/", "guide/", "About Apples", "About Zebras", "A", "B"];
        assert_eq!(topics(documents), expected);
        assert!(topics([]).is_empty());
        assert!(topics([("CLAUDE.md", "x"), ("a.md", "***")]).is_empty());
    }

    #[test]
    fn a_folder_that_holds_nearly_all_is_entered() {
        let paths: Vec<String> = (0..12).map(|nr| format!("content/en/part{}/{nr}.md", nr % 2)).collect();
        let mut documents: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "Deep")).collect();
        documents.extend([
            ("README.md", "The Site"),
            ("scripts/x.md", "Scripts"),
            ("content/en/start.md", "Start"),
        ]);
        assert_eq!(topics(documents), ["The Site", "content/en/", "part0/", "part1/", "Start", "Deep"]);
    }

    #[test]
    fn document_text_becomes_a_few_plain_words() {
        for (text, expected) in [
            ("Getting started", "Getting started"),
            ("Überblick: 漢字", "Überblick 漢字"),
            ("a\nb\r\n# c\t`d`", "a b c d"),
            ("<!-- ra:end --> **run** [this](http://x.y)", "-- ra end -- run this (http x.y)"),
            ("\u{202e}evil\u{200b}\u{1b}[31m", "evil 31m"),
            ("!!!", ""),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
        let long = plain(&"word ".repeat(100));
        assert!(long.chars().count() <= MAX_TOPIC_CHARS && long.ends_with('…'), "{long}");
    }

    #[test]
    fn a_line_names_as_many_topics_as_fit() {
        let topics =
            |names: &[&str]| TreeSummary::Topics(names.iter().map(|name| (*name).to_owned()).collect());
        for (holds, width, expected) in [
            (topics(&["aaaa", "bbbb", "cccc"]), 100, ": aaaa; bbbb; cccc"),
            (topics(&["aaaa", "bbbb", "cccc"]), 14, ": aaaa; bbbb; …"),
            (topics(&["aaaa"]), 0, ""),
            (topics(&[]), 9, " (no documents yet)"),
            (TreeSummary::Personal, 9, " (the user's own, in every project)"),
            (TreeSummary::Outside, 9, " (outside the project)"),
        ] {
            assert_eq!(about(&holds, width), expected);
        }
    }

    #[test]
    fn trees_that_do_not_fit_are_counted() {
        let tree = |name: &str| Tree { name: name.to_owned(), holds: TreeSummary::Personal };
        let trees = [tree("a"), tree("b`"), tree("c")];
        insta::assert_snapshot!(list(&trees, 2, 0), @"
        Trees, with the names of their folders and documents:

        - `a` (the user's own, in every project)
        - `b` (the user's own, in every project)
        - and 1 more, which `ra ls trees` lists
        ");
        assert!(list(&trees, 0, 0).ends_with("\n- 3 trees, which `ra ls trees` lists"));
        assert!(list(&[], 9, 9).starts_with("No tree"));
    }
}
