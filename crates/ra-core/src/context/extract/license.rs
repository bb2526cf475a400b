//! License headers. Their words are rare in documentation, so they would outweigh the subject of the file.

use super::{Region, RegionKind};
use crate::text::Span;

/// A license is in one of the first comments.
const COMMENTS: usize = 4;

/// Phrases of license headers, in lower case.
const MARKS: [&str; 5] =
    ["copyright", "spdx-license-identifier", "licensed under", "all rights reserved", "permission is hereby"];

/// Marks those of the first comments that state a license as ignored.
pub(super) fn ignore(text: &str, regions: &mut [Region]) {
    let mut from = 0;
    for _ in 0..COMMENTS {
        let Some(start) = regions[from..].iter().position(is_comment).map(|at| from + at) else { return };
        let end = run_end(text, regions, start);
        let comment = Span::new(regions[start].span.start, regions[end - 1].span.end).of(text);
        let lower = comment.to_ascii_lowercase();
        if MARKS.iter().any(|mark| lower.contains(mark)) {
            regions[start..end].iter_mut().for_each(|region| region.kind = RegionKind::Ignored);
        }
        from = end;
    }
}

fn is_comment(region: &Region) -> bool {
    matches!(region.kind, RegionKind::Comment | RegionKind::DocComment)
}

/// Returns one past the last of consecutive comments of the same kind without a blank line between them.
fn run_end(text: &str, regions: &[Region], start: usize) -> usize {
    let mut end = start + 1;
    while let [between, comment, ..] = &regions[end..] {
        let gap = between.span.of(text);
        let is_gap = gap.trim().is_empty() && gap.matches('\n').count() < 2;
        if !is_gap || comment.kind != regions[start].kind {
            break;
        }
        end += 2;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::super::{RegionKind, regions};

    #[test]
    fn only_the_license_is_ignored() {
        for (path, text, expected) in [
            ("x.rs", "// Copyright A\n// b\n//! c\n// d", "//! c // d"),
            ("x.go", "// Copyright A\n// b\n\n// c\npackage d", "// c"),
            ("x.java", "/* Licensed under\n a */\n/** b */", "/** b */"),
            ("x.py", "# SPDX-License-Identifier: MIT\n\n\"\"\"b\"\"\"", "\"\"\"b\"\"\""),
            ("x.rs", "// a\n", "// a"),
            ("x.rs", "", ""),
        ] {
            let comments: Vec<&str> = regions(path, text)
                .iter()
                .filter(|region| matches!(region.kind, RegionKind::Comment | RegionKind::DocComment))
                .map(|region| region.span.of(text))
                .collect();
            assert_eq!(comments.join(" "), expected, "{text:?}");
        }
    }
}
