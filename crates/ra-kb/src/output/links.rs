//! Links on file names, for terminals that support them (OSC 8).

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

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
        let encoded = |text| utf8_percent_encode(text, RESERVED);
        format!("file://{}{slash}{}", encoded(&self.host), encoded(&path))
    }
}

/// Everything in a part of a URL that could have another meaning.
const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b':');

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
