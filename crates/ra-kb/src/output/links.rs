//! Names of files that a click opens, in terminals that have such links (OSC 8).

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Ends a link.
pub(crate) const CLOSE: &str = "\x1b]8;;\x1b\\";
/// Begins every link, and its end.
const INTRODUCER: &[u8] = b"\x1b]8;;";
/// Ends what the introducer begins.
const TERMINATOR: &[u8] = b"\x1b\\";

/// Makes links to files.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// The name of this machine: a terminal that shows another one's output does not open files of its own.
    pub(crate) host: String,
    /// Where relative paths begin.
    pub(crate) base: PathBuf,
}

impl Links {
    /// What begins a link to a file.
    pub(crate) fn open(&self, file: &str) -> String {
        format!("\x1b]8;;{}\x1b\\", self.url(&self.base.join(file)))
    }

    fn url(&self, path: &Path) -> String {
        let path = path.to_string_lossy();
        let path = if cfg!(windows) { Cow::Owned(path.replace('\\', "/")) } else { path };
        let slash = if path.starts_with('/') { "" } else { "/" };
        format!("file://{}{slash}{}", percent_encoded(&self.host), percent_encoded(&path))
    }
}

/// A part of a URL in which everything is encoded that could mean something else.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                encoded.push(char::from(byte));
            }
            // Writing into a string does not fail.
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

/// The same text without links. Nobody but [`Links`] writes any: escape sequences in documents are made visible.
pub(crate) fn without_links(text: &[u8]) -> Vec<u8> {
    let find = |text: &[u8], what: &[u8]| text.windows(what.len()).position(|window| window == what);
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = find(rest, INTRODUCER) {
        plain.extend_from_slice(&rest[..start]);
        let after = &rest[start..];
        let end = find(after, TERMINATOR).map_or(after.len(), |end| end + TERMINATOR.len());
        rest = &after[end..];
    }
    plain.extend_from_slice(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_names_the_machine_and_encodes_the_path() {
        let links = Links { host: "my host".to_owned(), base: "/home/me/docs".into() };
        for (file, url) in [
            ("guide.md", "file://my%20host/home/me/docs/guide.md"),
            ("/srv/a b#c%é.md", "file://my%20host/srv/a%20b%23c%25%C3%A9.md"),
            ("x\x1b\\y", "file://my%20host/home/me/docs/x%1B%5Cy"),
        ] {
            assert_eq!(links.open(file), format!("\x1b]8;;{url}\x1b\\"));
        }
    }

    #[test]
    fn text_without_links_keeps_its_styles() {
        let links = Links { host: String::new(), base: "/d".into() };
        let text = format!("\x1b[1ma\x1b[0m {}b{CLOSE} c {}d{CLOSE}\n", links.open("b"), links.open("d"));
        assert_eq!(without_links(text.as_bytes()), b"\x1b[1ma\x1b[0m b c d\n");
        assert_eq!(without_links(b"plain"), b"plain");
    }
}
