//! Finds a language tag in the path of a document, such as that of `content/zh-cn/page.md` or `page.de.md`.
//!
//! Many codes are also ordinary names: `docs/it/` is more often a department than a language. A tag therefore only says
//! where to look, and the text of the document decides.

use std::ops::Range;

use super::language::LanguageId;

/// A part of a path that may be a language tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathTag {
    pub(super) language: LanguageId,
    /// The tag and one separator. Without it, the path names the page in all languages.
    pub(super) span: Range<usize>,
    /// True if it can hardly be anything else.
    pub(super) is_clear: bool,
}

/// Directories that contain one directory for each language.
const LANGUAGE_DIRECTORIES: &[&str] =
    &["content", "i18n", "l10n", "lang", "langs", "languages", "locale", "locales", "translations"];

/// Codes that also name other things, such as a department, a country, an editor or an HTML element. They count only if
/// the text is in that language.
const OTHER_NAMES: &[&str] =
    &["ar", "ca", "cn", "cs", "hr", "id", "it", "jp", "no", "sk", "sr", "th", "tr", "uk", "vi"];

/// The regions and scripts that follow the code in a tag. `no-op` isn't Norwegian.
const PARTS: &str = "
    ae ar at au ba be bg br ca ch cl cn co cz de dk ee eg es fi fr gb gr hk hr hu id ie il in ir is it jp kr lt lu lv ma mo mx
    my nl no nz pe pk pl pt ro rs ru sa se sg si sk th tr tw ua uk us ve vn za
    hans hant latn cyrl arab";

impl PathTag {
    /// True if the tag also names something else, and only the text can tell.
    pub(super) fn needs_text(&self, path: &str) -> bool {
        let tag = path[self.span.clone()].trim_matches(['/', '.', '-', '_']);
        !self.is_clear && OTHER_NAMES.iter().any(|name| name.eq_ignore_ascii_case(tag))
    }

    /// Finds the tag of a file name or else the first one among the directories.
    pub(super) fn find(path: &str) -> Option<PathTag> {
        let (directories, name) = match path.rfind('/') {
            Some(slash) => (&path[..slash + 1], &path[slash + 1..]),
            None => ("", path),
        };
        let in_name = of_file_name(name).map(|tag| PathTag {
            span: directories.len() + tag.span.start..directories.len() + tag.span.end,
            ..tag
        });
        in_name.or_else(|| of_directory(directories))
    }
}

/// Returns the name of a document's language, as its path spells it.
pub(in crate::index) fn language_label(path: &str, language: LanguageId) -> String {
    let tag = PathTag::find(path).filter(|tag| tag.language == language);
    match tag {
        Some(tag) => path[tag.span].trim_matches(['/', '.', '-', '_']).to_owned(),
        None => language.code().to_owned(),
    }
}

/// Finds the tag of a file name: `page.de.md`, `page.pt-BR.md`, `README_fr.md` or `README-zh_CN.md`.
fn of_file_name(name: &str) -> Option<PathTag> {
    let (stem, _) = name.rsplit_once('.')?;
    let candidates = [stem.rfind('.'), second_last_separator(stem), stem.rfind(['-', '_'])];
    candidates.into_iter().flatten().filter(|at| *at > 0).find_map(|at| {
        let (language, is_clear) = parse(&stem[at + 1..])?;
        // `what-it-is.md` isn't in Icelandic, but `README_is.md` is.
        let is_shouted = || stem[..at].chars().all(|c| !c.is_lowercase());
        let may_be = is_clear || stem[at..].starts_with('.') || is_shouted();
        may_be.then_some(PathTag { language, span: at..stem.len(), is_clear })
    })
}

/// Returns the separator before the last two parts of a name, as in `README-zh_CN`.
fn second_last_separator(stem: &str) -> Option<usize> {
    stem[..stem.rfind(['-', '_'])?].rfind(['-', '_', '.'])
}

/// Finds the first tag among directories that end with a slash.
fn of_directory(directories: &str) -> Option<PathTag> {
    let mut start = 0;
    let mut above = "";
    for part in directories.split_terminator('/') {
        let end = start + part.len() + 1;
        if let Some((language, has_region)) = parse(part) {
            let is_clear = has_region || LANGUAGE_DIRECTORIES.contains(&above);
            return Some(PathTag { language, span: start..end, is_clear });
        }
        (start, above) = (end, part);
    }
    None
}

/// Reads a tag: a code of two letters, alone or with a region or script. Says whether it has one of these.
fn parse(tag: &str) -> Option<(LanguageId, bool)> {
    let (code, rest) = tag.split_once(['-', '_']).map_or((tag, None), |(code, rest)| (code, Some(rest)));
    let is_part = |rest: &str| PARTS.split_whitespace().any(|part| part.eq_ignore_ascii_case(rest));
    let is_tag = code.len() == 2 && rest.is_none_or(is_part);
    Some((LanguageId::of_tag(tag).filter(|_| is_tag)?, rest.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_in_directories_and_file_names() {
        for (path, expected) in [
            ("content/zh-cn/docs/page.md", Some(("zh", "content/docs/page.md", true))),
            ("content/de/page.md", Some(("de", "content/page.md", true))),
            ("docs/de/page.md", Some(("de", "docs/page.md", false))),
            ("de/page.md", Some(("de", "page.md", false))),
            ("docs/page.de.md", Some(("de", "docs/page.md", false))),
            ("docs/page.pt-BR.md", Some(("pt", "docs/page.md", true))),
            ("README_fr.md", Some(("fr", "README.md", false))),
            ("README-zh_CN.md", Some(("zh", "README.md", true))),
            ("README.zh-Hans.md", Some(("zh", "README.md", true))),
            ("a/fr/b/page.de.md", Some(("de", "a/fr/b/page.md", false))),
            ("docs/page.md", None),
            ("what-to-do-in-de.md", None),
            ("de.md", None),
            ("docs/german/page.md", None),
            ("docs/en-dash/page.md", None),
            ("docs/no-op/page.md", None),
            ("", None),
            ("/", None),
            ("ä/ö.ü.md", None),
        ] {
            let found = PathTag::find(path).map(|tag| {
                let page = format!("{}{}", &path[..tag.span.start], &path[tag.span.end..]);
                (tag.language.code(), page, tag.is_clear)
            });
            let expected = expected.map(|(code, page, is_clear)| (code, page.to_owned(), is_clear));
            assert_eq!(found, expected, "{path}");
        }
    }
}
