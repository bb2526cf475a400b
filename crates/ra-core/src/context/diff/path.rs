//! Paths as diffs write them: quoted with escapes, and prefixed with `a/` and `b/`.

/// The prefixes that git adds to paths: `a/` and `b/`, and with `diff.mnemonicPrefix` a letter for the commit, the
/// index, the work tree, an object, or one of two files.
const PREFIXES: [&str; 8] = ["a/", "b/", "c/", "i/", "o/", "w/", "1/", "2/"];

/// Returns the path at the start of a header line without its quotes, and the rest of the line. An unquoted path ends
/// at a tab, after which plain `diff` writes the time.
pub(super) fn read(text: &str) -> (String, &str) {
    match text.strip_prefix('"').and_then(unquote) {
        Some(found) => found,
        None => {
            let (path, rest) = text.split_once('\t').unwrap_or((text, ""));
            (path.to_owned(), rest)
        }
    }
}

/// Reads a quoted path after its opening quote. Returns it with the text after the closing quote.
fn unquote(text: &str) -> Option<(String, &str)> {
    let bytes = text.as_bytes();
    let mut path = Vec::new();
    let mut at = 0;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some((String::from_utf8_lossy(&path).into_owned(), text.get(at + 1..)?)),
            b'\\' => {
                let (byte, length) = unescape(bytes.get(at + 1..)?)?;
                path.push(byte);
                at += 1 + length;
            }
            byte => {
                path.push(byte);
                at += 1;
            }
        }
    }
}

/// Returns the byte that an escape represents, and the length of the escape after its backslash.
fn unescape(text: &[u8]) -> Option<(u8, usize)> {
    let byte = match *text.first()? {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'0'..=b'7' => {
            let digits = text.iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte));
            let (value, length) = digits.fold((0u8, 0), |(value, length), digit| {
                (value.wrapping_mul(8).wrapping_add(digit - b'0'), length + 1)
            });
            return Some((value, length));
        }
        other => other,
    };
    Some((byte, 1))
}

/// Reads both paths of a `diff --git` line. Unquoted paths can be separated only if they are the same apart from their
/// prefixes; otherwise other lines of the header name them.
pub(super) fn read_pair(text: &str) -> Option<(String, String)> {
    if text.starts_with('"') {
        let (old, rest) = read(text);
        return Some((old, read(rest.strip_prefix(' ')?).0));
    }
    if text.ends_with('"') {
        let (old, new) = text.split_once(" \"")?;
        return Some((old.to_owned(), unquote(new)?.0));
    }
    split_middle(text, " ").filter(|(old, new)| old == new || is_prefixed(old, new))
}

/// Reads both paths of `Binary files … and … differ`.
pub(super) fn read_binary(text: &str) -> Option<(String, String)> {
    let both = text.strip_prefix("Binary files ").or(text.strip_prefix("Files "))?.strip_suffix(" differ")?;
    split_middle(both, " and ").or_else(|| {
        let (old, new) = both.split_once(" and ")?;
        Some((read(old).0, read(new).0))
    })
}

/// Splits a text at a separator exactly in its middle.
fn split_middle(text: &str, separator: &str) -> Option<(String, String)> {
    let half = text.len().checked_sub(separator.len())? / 2;
    let (old, rest) = text.split_at_checked(half)?;
    let new = rest.strip_prefix(separator)?;
    (new.len() == old.len()).then(|| (old.to_owned(), new.to_owned()))
}

/// Returns the path without its prefix.
pub(super) fn without_prefix(path: &str) -> &str {
    PREFIXES.into_iter().find_map(|prefix| path.strip_prefix(prefix)).unwrap_or(path)
}

/// True if both paths have a prefix. With `--no-prefix` both begin with the same directory.
pub(super) fn is_prefixed(old: &str, new: &str) -> bool {
    let prefix = |path: &str| PREFIXES.into_iter().find(|prefix| path.starts_with(prefix));
    match (prefix(old), prefix(new)) {
        (Some(before), Some(after)) => before != after,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_escapes_are_resolved() {
        for (text, path, rest) in [
            ("a/x.md", "a/x.md", ""),
            ("a/x y.md\t", "a/x y.md", ""),
            ("x\t2024-01-02 10:00", "x", "2024-01-02 10:00"),
            (r#""a/sp\303\244ce.md" z"#, "a/späce.md", " z"),
            (r#""a\t\"\\\101\n""#, "a\t\"\\A\n", ""),
            (r#""open"#, "\"open", ""),
            (r#""a\"#, "\"a\\", ""),
            (r#""\777""#, "\u{fffd}", ""),
        ] {
            assert_eq!(read(text), (path.to_owned(), rest), "{text}");
        }
    }

    #[test]
    fn pairs_are_told_apart() {
        for (text, expected) in [
            ("a/x b/x", Some(("a/x", "b/x"))),
            ("a/x y b/x y", Some(("a/x y", "b/x y"))),
            ("x x", Some(("x", "x"))),
            (r#""a/\303\244" "b/\303\244""#, Some(("a/ä", "b/ä"))),
            (r#"a/x "b/\303\244""#, Some(("a/x", "b/ä"))),
            (r#""a/\303\244" b/x"#, Some(("a/ä", "b/x"))),
            ("a/old b/newer", None),
            ("a/x b/y z", None),
            ("", None),
            ("é é", Some(("é", "é"))),
        ] {
            let expected = expected.map(|(old, new)| (old.to_owned(), new.to_owned()));
            assert_eq!(read_pair(text), expected, "{text}");
        }
    }
}
