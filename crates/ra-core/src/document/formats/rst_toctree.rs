//! The entries of `toctree` directives, which are links to other documents.

use super::super::{Link, LinkKind};
use super::line_scan::{FoundLink, SourceLine, push_link};
use super::rst_markup::{directive, explicit_markup};
use crate::text::Lines;

/// Returns a link for each entry that names one document. Patterns (`:glob:`) name many, and `self` names none.
pub(super) fn toctree_links(split: &[SourceLine<'_>], lines: &Lines) -> Vec<Link> {
    let mut links = Vec::new();
    let mut toctree: Option<usize> = None;
    for line in split.iter().filter(|line| !line.is_blank()) {
        if toctree.is_some_and(|indent| line.indent <= indent) {
            toctree = None;
        }
        let is_toctree = |markup| directive(markup).is_some_and(|(name, _)| name == "toctree");
        if toctree.is_some() {
            links.extend(entry(line, lines));
        } else if explicit_markup(line.content).is_some_and(is_toctree) {
            toctree = Some(line.indent);
        }
    }
    links
}

/// Returns the link of an entry: `guide/install` or `Installing <guide/install>`.
fn entry(line: &SourceLine<'_>, lines: &Lines) -> Option<Link> {
    let content = line.content;
    let titled = content.strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    let (text, target) = titled.map_or((content, content), |(text, target)| (text.trim_end(), target));
    let is_option = content.starts_with(':');
    let is_document = !matches!(target, "self" | "genindex" | "modindex" | "search");
    if is_option || !is_document || target.contains(['*', '?', '[']) || explicit_markup(content).is_some() {
        return None;
    }
    let mut links = Vec::new();
    push_link(&mut links, lines, FoundLink { kind: LinkKind::Markdown, target, text, span: line.span });
    links.pop()
}

#[cfg(test)]
mod tests {
    use super::super::super::LinkKind::Markdown;
    use super::super::line_scan::checks::check_links;
    use super::super::rst::scan;

    #[test]
    fn entries_of_a_toctree_are_links() {
        check_links(
            scan,
            &[
                (
                    "A\n=\n\n.. toctree::\n   :maxdepth: 2\n   :caption: Parts\n\n   intro\n   The API </api/index>\n\nend `x <y.rst>`_\n",
                    &[
                        (Markdown, "intro", "intro"),
                        (Markdown, "/api/index", "The API"),
                        (Markdown, "y.rst", "x"),
                    ],
                ),
                (".. toctree::\n   :glob:\n\n   news/*\n   self\n   genindex\n", &[]),
                ("- x\n\n  .. toctree::\n\n     a\n\n  b\n", &[(Markdown, "a", "a")]),
                (".. note::\n\n   text\n", &[]),
            ],
        );
    }
}
