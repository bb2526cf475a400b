//! Lines after a name, as in `docs:guide.md:10-20`: one reading for the command line and the server.

use crate::args::line_range;

/// Splits a name into what it names and the lines that follow it. None when no lines follow.
pub(crate) fn split_lines(name: &str) -> Option<(&str, (usize, usize))> {
    let (name, lines) = name.rsplit_once(':')?;
    let lines = line_range(lines).ok()?;
    (!name.is_empty()).then_some((name, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_the_last_colon() {
        for (name, split) in [
            ("docs:guide.md:10-20", Some(("docs:guide.md", (10, 20)))),
            ("docs:guide.md#set-up:5-", Some(("docs:guide.md#set-up", (5, usize::MAX)))),
            ("guide.md:701", Some(("guide.md", (701, 701)))),
            ("docs:guide.md", None),
            ("docs:guide.md:9-2", None),
            ("docs:guide.md:0", None),
            (":7", None),
            ("7", None),
        ] {
            assert_eq!(split_lines(name), split, "{name}");
        }
    }
}
