//! Hints for the place where they are read: shell commands on the command line, tool calls over MCP.

use ra_core::error::Hint;
use ra_core::text::escape::MARK;
use serde_json::json;

use crate::layout::ResultForm;

/// Where an answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surface {
    /// A terminal or a script.
    CommandLine,
    /// A model that calls tools.
    Tools,
}

impl Surface {
    /// Formats a hint of the library.
    pub(crate) fn hint(self, hint: &Hint) -> String {
        match (self, hint) {
            (_, Hint::Text(text)) => text.clone(),
            (Surface::CommandLine, Hint::ListDocuments) => "`ra ls docs` lists every document".to_owned(),
            (Surface::Tools, Hint::ListDocuments) => {
                "`search` finds sections by their words, and `list_sources` names the trees".to_owned()
            }
            (Surface::CommandLine, Hint::ListSections(doc)) => {
                format!("`ra get {doc} --outline` lists its sections")
            }
            (Surface::Tools, Hint::ListSections(doc)) => {
                let arguments = json!({ "ids": [doc.to_string()], "outline": true });
                format!("its sections: get {arguments}")
            }
            (Surface::CommandLine, Hint::Verify) => {
                "`ra verify -` reads it, and says whether the text moved and what is in its place now"
                    .to_owned()
            }
            (Surface::Tools, Hint::Verify) => {
                "`verify` says whether the text moved and what is in its place now".to_owned()
            }
            (Surface::CommandLine, Hint::Rebuild) => {
                "`ra update` builds the index again; if that fails, check the disk space, the memory and the \
                 number of open files"
                    .to_owned()
            }
            (Surface::Tools, Hint::Rebuild) => {
                "retry; if it persists, ask the user to check the disk space, the memory and the number of \
                 open files"
                    .to_owned()
            }
            (Surface::CommandLine, Hint::AllowMore) => {
                "allow more open files or more memory, for example with `ulimit -n 1024`".to_owned()
            }
            (Surface::Tools, Hint::AllowMore) => {
                "retry; if it persists, ask the user to allow the server more open files or memory".to_owned()
            }
        }
    }

    /// Returns the hint for results whose files no longer contain the text.
    pub(crate) fn vanished(self) -> &'static str {
        match self {
            Surface::CommandLine => {
                "retry; if it persists, run `ra update` to rebuild the index: a file may be unreadable, or was \
                 edited without changing its time and size"
            }
            Surface::Tools => {
                "retry; if it persists, a file may be unreadable, or was edited without changing its time and size"
            }
        }
    }

    /// Returns the formatter of the line about results that a token budget omitted.
    pub(crate) fn omitted_line(self, show: ResultForm) -> &'static dyn Fn(usize) -> String {
        match (self, show) {
            (Surface::CommandLine, ResultForm::List) => {
                &|number| format!("+{number} more; raise --max-tokens to list them\n")
            }
            (Surface::CommandLine, ResultForm::Matches) => {
                &|number| format!("+{number} more; raise --max-tokens to show them, or use --list\n")
            }
            (Surface::CommandLine, ResultForm::Full) => {
                &|number| format!("{MARK}+{number} more; raise --max-tokens to show them, or use --list\n")
            }
            (Surface::Tools, ResultForm::List) => {
                &|number| format!("+{number} more; raise max_tokens to list them\n")
            }
            (Surface::Tools, ResultForm::Full | ResultForm::Matches) => {
                &|number| format!("{MARK}+{number} more; raise max_tokens to show them, or set list\n")
            }
        }
    }
}

/// Quotes an argument for a POSIX shell.
pub(crate) fn shell_quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else if argument.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", argument.replace('\'', r"'\''"))
    } else {
        format!("\"{argument}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_for_models_name_tools_and_no_commands() {
        let doc = "docs:guide.md".parse::<ra_core::id::ChunkId>().expect("an id").doc;
        let all =
            [Hint::ListDocuments, Hint::ListSections(doc), Hint::Verify, Hint::Rebuild, Hint::AllowMore];
        let tools = Surface::Tools;
        let mut said: Vec<String> = all.iter().map(|hint| tools.hint(hint)).collect();
        said.push(tools.vanished().to_owned());
        said.extend([ResultForm::List, ResultForm::Full].map(|show| tools.omitted_line(show)(3)));
        for text in said {
            for command in ["`ra ", "--", "ulimit"] {
                assert!(!text.contains(command), "{text}");
            }
        }
        assert_eq!(tools.hint(&all[1]), r#"its sections: get {"ids":["docs:guide.md"],"outline":true}"#);
    }
}
