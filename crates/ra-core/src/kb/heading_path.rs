//! Headings that are named with those above them, as Obsidian writes them: `[[Note#Part#Chapter]]`.

use super::document_name::heading_key;

/// A heading, as a path names it.
pub(super) struct PathHeading {
    /// 1 to 6.
    pub(super) level: u8,
    /// The [`heading_key`] of its title.
    pub(super) key: String,
}

/// Returns the position of the first heading that a path names: its own title is the last part, and the other parts are
/// titles above it, in order. Headings between them may be left out. Returns `None` for a path of one part.
pub(super) fn find_path<'a>(headings: impl Iterator<Item = &'a PathHeading>, path: &str) -> Option<usize> {
    let parts: Vec<String> = path.split('#').map(heading_key).collect();
    let (last, above) = parts.split_last().filter(|(_, above)| !above.is_empty())?;
    // The headings around the current one, each with its level and how many parts of the path they and those above
    // them make up.
    let mut around: Vec<(u8, usize)> = Vec::new();
    for (nr, heading) in headings.enumerate() {
        while around.last().is_some_and(|(level, _)| *level >= heading.level) {
            around.pop();
        }
        let found = around.last().map_or(0, |(_, found)| *found);
        if found == above.len() && heading.key == *last {
            return Some(nr);
        }
        let is_next = above.get(found).is_some_and(|part| *part == heading.key);
        around.push((heading.level, found + usize::from(is_next)));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_the_heading_below_the_others() {
        let titles =
            [(1, "A"), (2, "Set up"), (3, "Steps"), (1, "B"), (2, "Set up"), (4, "Steps"), (1, "Steps")];
        let headings: Vec<PathHeading> = titles
            .iter()
            .map(|(level, title)| PathHeading { level: *level, key: heading_key(title) })
            .collect();
        for (path, expected) in [
            ("A#Set up", Some(1)),
            ("B#set-up", Some(4)),
            ("B#Steps", Some(5)),
            ("B#Set up#Steps", Some(5)),
            ("Set up#B", None),
            ("A#B", None),
            ("Steps", None),
            ("", None),
        ] {
            assert_eq!(find_path(headings.iter(), path), expected, "{path}");
        }
    }
}
