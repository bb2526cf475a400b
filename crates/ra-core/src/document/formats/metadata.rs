//! The front matter of converted files.

use super::markup::one_line;

/// The maximum length of a title or a tag.
const MAX_TITLE_CHARS: usize = 300;

/// The maximum length of a description.
const MAX_DESCRIPTION_CHARS: usize = 1_000;

/// The maximum number of tags.
const MAX_TAGS: usize = 32;

/// The title, the description, the tags and the language that a file states.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) tags: Vec<String>,
    pub(super) lang: String,
}

impl Metadata {
    /// Returns the metadata without a title that only names a file or a program.
    pub(super) fn without_generated_title(mut self) -> Self {
        self.title = usable_title(&self.title).unwrap_or_default();
        self
    }

    /// Returns the metadata as YAML front matter with a blank line after it; empty if there is none.
    pub(super) fn front_matter(&self) -> String {
        let mut lines = String::new();
        let mut line = |key: &str, text: &str, max_chars: usize| {
            let value = quoted(text, max_chars);
            if value != "\"\"" {
                lines += &format!("{key}: {value}\n");
            }
        };
        line("title", &self.title, MAX_TITLE_CHARS);
        line("description", &self.description, MAX_DESCRIPTION_CHARS);
        if is_language(&self.lang) {
            line("lang", &self.lang, MAX_TITLE_CHARS);
        }
        let tags: Vec<String> = self.tags.iter().map(|tag| quoted(tag, MAX_TITLE_CHARS)).collect();
        let tags: Vec<String> = tags.into_iter().filter(|tag| tag != "\"\"").take(MAX_TAGS).collect();
        if !tags.is_empty() {
            lines += &format!("tags: [{}]\n", tags.join(", "));
        }
        if lines.is_empty() { lines } else { format!("---\n{lines}---\n\n") }
    }
}

/// Splits a list of keywords at commas and semicolons.
pub(super) fn split_keywords(keywords: &str) -> Vec<String> {
    keywords.split([',', ';', '\n']).map(one_line).filter(|keyword| !keyword.is_empty()).collect()
}

/// The tags that programs leave in titles.
const TITLE_TAGS: [&str; 8] = ["b", "code", "em", "i", "span", "strong", "sub", "sup"];

/// Returns a title without tags, unless it is only the name of a file or what a program writes if there is none.
fn usable_title(title: &str) -> Option<String> {
    let mut title = one_line(title);
    for tag in TITLE_TAGS {
        let (start, end) = (format!("<{tag}>"), format!("</{tag}>"));
        if title.contains(&end) {
            title = title.replace(&start, "").replace(&end, "");
        }
    }
    let lower = title.to_lowercase();
    let generated = ["microsoft word - ", "microsoft powerpoint - ", "untitled", "document1", "no title"];
    let is_generated = generated.iter().any(|start| lower.starts_with(start));
    let is_file_name = !lower.contains(' ')
        && lower.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty()
                && (1..=5).contains(&extension.len())
                && extension.starts_with(|c: char| c.is_ascii_alphabetic())
                && extension.chars().all(|c| c.is_ascii_alphanumeric())
        });
    let has_letters = title.chars().any(char::is_alphanumeric);
    (has_letters && !is_generated && !is_file_name).then_some(title)
}

/// Returns the start of a text on one line and in double quotes.
fn quoted(text: &str, max_chars: usize) -> String {
    let is_printable =
        |c: &char| !c.is_control() && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{ad}');
    let clean: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(is_printable).collect();
    let one_line = clean.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let shortened: String = one_line.chars().take(max_chars).collect();
    format!("\"{}\"", shortened.trim_end().replace('\\', "\\\\").replace('"', "\\\""))
}

/// True for a language tag such as `en` or `pt-BR`.
fn is_language(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 35
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn metadata(title: &str, description: &str, tags: &[&str], lang: &str) -> Metadata {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        Metadata { title: title.into(), description: description.into(), tags, lang: lang.into() }
    }

    #[test]
    fn values_are_quoted() {
        for (metadata, expected) in [
            (metadata("", " \n ", &["", " "], ""), ""),
            (
                metadata("A: \"b\" \\ c", "", &[], "en"),
                "---\ntitle: \"A: \\\"b\\\" \\\\ c\"\nlang: \"en\"\n---\n\n",
            ),
            (metadata("a\n---\nb: c", "", &[], "not a language"), "---\ntitle: \"a --- b: c\"\n---\n\n"),
            (metadata("", "d\0e", &["a b", ""], ""), "---\ndescription: \"de\"\ntags: [\"a b\"]\n---\n\n"),
        ] {
            assert_eq!(metadata.front_matter(), expected);
        }
        let long = metadata(&"ab ".repeat(1_000), "", &["x"; 100], "").front_matter();
        assert!(long.len() < MAX_TITLE_CHARS + MAX_TAGS * 5 + 50, "{long}");
    }

    #[test]
    fn generated_titles_are_dropped() {
        for (title, expected) in [
            ("Microsoft Word - report.doc", ""),
            ("report.pdf", ""),
            ("untitled", ""),
            (" \n ", ""),
            ("Version 1.2", "Version 1.2"),
            ("<code>Rc<T></code>, the <i>Counter", "Rc<T>, the <i>Counter"),
            ("two\nlines", "two lines"),
        ] {
            assert_eq!(metadata(title, "", &[], "").without_generated_title().title, expected, "{title:?}");
        }
        assert_eq!(split_keywords("x, y z;w\n"), ["x", "y z", "w"]);
    }

    proptest! {
        #[test]
        fn front_matter_is_always_valid_yaml(title in "\\PC{0,20}|.{0,20}", tag in any::<String>()) {
            let front_matter = metadata(&title, "", &[&tag], "").front_matter();
            if let Some(inside) = front_matter.strip_prefix("---\n") {
                let yaml = inside.strip_suffix("---\n\n").unwrap();
                let value: serde_json::Value = serde_saphyr::from_str(yaml).unwrap();
                prop_assert!(value.is_object());
            }
        }
    }
}
