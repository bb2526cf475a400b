//! Code in documentation comments. Examples in `///` lines are code, although they are in a comment: their keywords
//! say nothing, and they aren't the author's prose.

use super::{Region, RegionKind};

/// Marks the lines between fences as code. A comment of several lines is left unchanged, because its fences aren't at
/// the end of a region.
pub(super) fn mark(text: &str, regions: &mut [Region]) {
    let mut inside = false;
    for region in regions {
        let shown = region.span.of(text);
        match region.kind {
            RegionKind::DocComment if !shown.contains('\n') => {
                let content = shown.trim_start_matches(['/', '!', '-', ';', '#', '|', ' ', '\t']);
                let is_fence = content.starts_with("```") || content.starts_with("~~~");
                if is_fence {
                    region.kind = RegionKind::Ignored;
                } else if inside {
                    region.kind = RegionKind::Code;
                }
                inside ^= is_fence;
            }
            // An unclosed fence ends with its comment.
            _ => inside &= shown.trim().is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words;

    #[test]
    fn examples_are_code() {
        for (text, expected) in [
            ("/// Runs it.\n/// ```rust\n/// let run = fn();\n/// ```\n/// Done let", "Runs it run Done let"),
            ("/// ```\n/// let a\nfn real() {}\n/// let it", "real let it"),
            ("//! ```\n//! open let", "open"),
        ] {
            let found: Vec<String> = words("x.rs", text).into_iter().map(|word| word.text).collect();
            assert_eq!(found.join(" "), expected, "{text:?}");
        }
    }
}
