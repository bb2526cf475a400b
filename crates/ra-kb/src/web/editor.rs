//! Links that open a file in an editor. The server starts no program: the browser hands the link to the editor.

use std::path::Path;

use super::links::encoded_path;
use crate::error::{CliError, Result};

/// Editors that register a scheme, with the names of their programs.
const EDITORS: &[(&str, &[&str], &str)] = &[
    ("vscode", &["code"], "vscode://file/{file}:{line}"),
    ("vscodium", &["codium"], "vscodium://file/{file}:{line}"),
    ("cursor", &["cursor"], "cursor://file/{file}:{line}"),
    ("windsurf", &["windsurf"], "windsurf://file/{file}:{line}"),
    ("zed", &["zed", "zeditor"], "zed://file/{file}:{line}"),
    ("idea", &["idea"], "idea://open?file=/{file}&line={line}"),
    ("textmate", &["mate"], "txmt://open?url=file:///{file}&line={line}"),
    ("sublime", &["subl"], "subl://open?url=file:///{file}&line={line}"),
];

/// A template for links, with `{file}` and `{line}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Editor(String);

impl Editor {
    /// Reads the name of an editor or a template.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if let Some((.., template)) = EDITORS.iter().find(|(name, ..)| *name == text) {
            return Ok(Self((*template).to_owned()));
        }
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        let is_scheme = |scheme: &str| {
            let is_name = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
            is_name && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        let is_usable =
            scheme.is_some_and(|scheme| is_scheme(&scheme) && scheme != "javascript" && scheme != "data");
        if is_usable && text.contains("{file}") {
            return Ok(Self(text.to_owned()));
        }
        let known: Vec<&str> = EDITORS.iter().map(|(name, ..)| *name).collect();
        let hint = format!(
            "name one of {}, or give a link such as `myeditor://open/{{file}}:{{line}}`",
            known.join(", ")
        );
        Err(CliError::new(format!("--editor: `{text}` is neither a known editor nor a link with {{file}}"))
            .hint(hint))
    }

    /// Returns the editor that a command line such as `code --wait` starts, if it has links.
    pub(crate) fn of_command(command: &str) -> Option<Self> {
        let program = Path::new(command.split_whitespace().next()?).file_name()?.to_str()?;
        let is_it = |(_, programs, _): &&(&str, &[&str], &str)| programs.contains(&program);
        EDITORS.iter().find(is_it).map(|(.., template)| Self((*template).to_owned()))
    }

    /// Returns the link to a line of a file.
    pub(super) fn link(&self, file: &Path, line: usize) -> String {
        let path = file.to_string_lossy().replace('\\', "/");
        let path = encoded_path(path.trim_start_matches('/'));
        self.0.replace("{line}", &line.to_string()).replace("{file}", &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_are_named_or_given_as_a_link() {
        let link = |text: &str| Editor::parse(text).expect("an editor").link(Path::new("/a/b c#?.md"), 7);
        assert_eq!(link("vscode"), "vscode://file/a/b%20c%23%3F.md:7");
        assert_eq!(link("my-ed://x?f={file}&l={line}"), "my-ed://x?f=a/b%20c%23%3F.md&l=7");
        for text in ["", "vim", "vscode://file/", "javascript://{file}", "data://{file}", "{file}"] {
            assert!(Editor::parse(text).is_err(), "{text}");
        }
        assert_eq!(Editor::of_command("/usr/bin/code --wait"), Editor::parse("vscode").ok());
        assert_eq!(Editor::of_command("vim"), None);
    }
}
