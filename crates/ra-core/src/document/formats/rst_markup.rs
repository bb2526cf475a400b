//! Explicit markup of reStructuredText, which begins with two dots.

/// Returns what follows `..` in a directive, a target, a footnote or a comment.
pub(super) fn explicit_markup(content: &str) -> Option<&str> {
    let rest = content.strip_prefix("..")?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// Returns the name and the argument of a directive, which may define a substitution: `|name| image:: path`.
pub(super) fn directive(markup: &str) -> Option<(&str, &str)> {
    let rest = match markup.strip_prefix('|') {
        Some(definition) => definition.split_once("| ")?.1,
        None => markup,
    };
    let (name, argument) = rest.split_once("::")?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | ':' | '.');
    let name = name.trim_end();
    (!name.is_empty() && name.chars().all(is_name)).then(|| (name, argument.trim_start()))
}
