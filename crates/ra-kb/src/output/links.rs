//! Links on file names, for terminals that support them (OSC 8).

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Ends a link.
pub(crate) const CLOSE: &str = "\x1b]8;;\x1b\\";
/// Begins a link, and its end.
const INTRODUCER: &[u8] = b"\x1b]8;;";
/// Ends the sequence that the introducer begins.
const TERMINATOR: &[u8] = b"\x1b\\";

/// Makes links to files.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// The name of this machine, so a terminal that shows the output of another machine doesn't open its own
    /// files.
    pub(crate) host: String,
    /// The directory that relative paths begin at.
    pub(crate) base: PathBuf,
}

impl Links {
    /// Returns the sequence that begins a link to a file.
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

/// Percent-encodes everything in a part of a URL that could have another meaning.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                encoded.push(char::from(byte));
            }
            // Writing to a string cannot fail.
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

/// Removes links. Only [`Links`] writes any, because escape sequences in documents are made visible.
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
