//! Joins the templates that people write with the section that `ra` generates.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ra_core::Error;
use ra_core::files::{self, MAX_SETTINGS_BYTES};

use super::block;
use crate::error::{CliError, Result};

/// The file name of a template, in the project and in the home directory.
const FILE_NAME: &str = ".agents.md";

/// A template that was read.
#[derive(Clone, Debug)]
struct Template {
    path: PathBuf,
    text: String,
}

/// Returns the text of the block: the project's template, the user's, then the generated section.
pub(crate) fn join(project: &Path, home: Option<&Path>, section: &str) -> Result<String> {
    let mut templates = Vec::new();
    for path in places(project, home) {
        // The user's own template may be a symlink. The project's may not, because its text goes into a file
        // that may be published.
        if path.starts_with(project) && path.is_symlink() {
            let message = format!("{} is a link; nothing was written", path.display());
            return Err(CliError::new(message).hint("replace the link with the file itself"));
        }
        match files::read_text(&path, MAX_SETTINGS_BYTES) {
            Ok(text) => templates.push(Template { path, text }),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io("read the template", &path, error).into()),
        }
    }
    joined(&templates, section)
}

/// Returns the paths of the templates. If the project is the home directory, there is only one.
fn places(project: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let home = home.filter(|home| *home != project);
    [Some(project), home].into_iter().flatten().map(|directory| directory.join(FILE_NAME)).collect()
}

/// Joins templates and section. A marker in a template would end the block early, so it is an error.
fn joined(templates: &[Template], section: &str) -> Result<String> {
    let mut parts = Vec::new();
    for Template { path, text } in templates {
        if let Some(line) = block::first_marker(text.as_bytes()) {
            let path = path.display();
            let message = format!("{path}:{line}: a template must not hold a marker; nothing was written");
            return Err(CliError::new(message)
                .hint("take the line out: `ra agents` puts its markers around the whole text"));
        }
        parts.push(plain(text));
    }
    parts.push(plain(section));
    parts.retain(|part| !part.is_empty());
    Ok(parts.join("\n\n") + "\n")
}

/// Returns the text with Unix line endings, without a byte order mark and without leading and trailing empty
/// lines.
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
        for (texts, expected) in [
            (&[][..], "section\n"),
            (&["\n\na\n"], "a\n\nsection\n"),
            (&["a\r\nb\r\n", "\u{feff}c"], "a\nb\n\nc\n\nsection\n"),
            (&["", " \n"], "section\n"),
            (&["    code\n"], "    code\n\nsection\n"),
        ] {
            let templates: Vec<Template> = texts.iter().map(|text| template(text)).collect();
            assert_eq!(joined(&templates, "section\n").unwrap(), expected, "{texts:?}");
        }
    }

    #[test]
    fn a_marker_in_a_template_is_refused() {
        let templates = [template("a\n"), template("b\n<!-- ra:end -->\n")];
        let error = format!("{:?}", joined(&templates, "section\n").unwrap_err());
        assert!(error.contains(".agents.md:2: a template must not hold a marker"), "{error}");
    }

    #[test]
    fn the_home_directory_as_a_project_has_one_template() {
        let home = Path::new("/home/me");
        assert_eq!(places(home, Some(home)), [home.join(FILE_NAME)]);
        let project = Path::new("/p");
        assert_eq!(places(project, Some(home)), [project.join(FILE_NAME), home.join(FILE_NAME)]);
    }
}
