//! The templates that people write, joined with the section that `ra` writes.

use std::path::{Path, PathBuf};

use super::block;

/// The name of a template, in the project and in the home directory.
pub(crate) const FILE_NAME: &str = ".agents.md";

/// A template that was read.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// The places of templates, in the order in which their texts stand: the project's first, then the user's.
pub(crate) fn places(project: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let home = home.filter(|home| *home != project);
    [Some(project), home].into_iter().flatten().map(|directory| directory.join(FILE_NAME)).collect()
}

/// The text of the block: the templates, then the generated section. A marker in a template would end the
/// block early, so it is refused; the error is the template's place among the others, and the line.
pub(crate) fn join(templates: &[Template], section: &str) -> Result<String, (usize, usize)> {
    let mut parts = Vec::new();
    for (nr, template) in templates.iter().enumerate() {
        if let Some(line) = block::first_marker(template.text.as_bytes()) {
            return Err((nr, line));
        }
        parts.push(plain(&template.text));
    }
    parts.push(plain(section));
    parts.retain(|part| !part.is_empty());
    Ok(parts.join("\n\n") + "\n")
}

/// The text with Unix line ends, and without a byte order mark or empty lines around it.
fn plain(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    let blank = |line: &&str| line.trim().is_empty();
    let from = lines.iter().position(|line| !blank(line)).unwrap_or(lines.len());
    let to = lines.iter().rposition(|line| !blank(line)).map_or(from, |last| last + 1);
    lines[from..to].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template { path: PathBuf::from(FILE_NAME), text: text.to_owned() }
    }

    #[test]
    fn templates_come_first_and_line_ends_are_made_equal() {
        for (texts, joined) in [
            (&[][..], "section\n"),
            (&["\n\na\n"], "a\n\nsection\n"),
            (&["a\r\nb\r\n", "\u{feff}c"], "a\nb\n\nc\n\nsection\n"),
            (&["", " \n"], "section\n"),
            (&["    code\n"], "    code\n\nsection\n"),
        ] {
            let templates: Vec<Template> = texts.iter().map(|text| template(text)).collect();
            assert_eq!(join(&templates, "section\n"), Ok(joined.to_owned()), "{texts:?}");
        }
    }

    #[test]
    fn a_marker_in_a_template_is_refused() {
        let templates = [template("a\n"), template("b\n<!-- ra:end -->\n")];
        assert_eq!(join(&templates, "section\n"), Err((1, 2)));
    }

    #[test]
    fn the_home_directory_as_a_project_has_one_template() {
        let home = Path::new("/home/me");
        assert_eq!(places(home, Some(home)), [home.join(FILE_NAME)]);
        let project = Path::new("/p");
        assert_eq!(places(project, Some(home)), [project.join(FILE_NAME), home.join(FILE_NAME)]);
    }
}
