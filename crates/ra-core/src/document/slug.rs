//! Names for headings: the slug that is part of a chunk's id, and the GitHub anchor.

use std::collections::HashMap;

use unicode_normalization::char::is_combining_mark;

use crate::text::composed;

/// The slug of a heading whose text leaves none.
const FALLBACK: &str = "heading";

/// Returns the slug of a heading text: letters and digits of every script, `_`, and single hyphens between them, in
/// lower case and composed.
pub(super) fn slug(title: &str) -> String {
    if title.is_ascii() {
        return ascii_slug(title);
    }
    let mut slug = String::with_capacity(title.len());
    let mut is_kept = false;
    for c in composed(&composed(title).to_lowercase()).chars() {
        // A mark belongs to the letter before it. The mark of an emoji is removed with the emoji.
        is_kept = c.is_alphanumeric() || c == '_' || is_kept && is_combining_mark(c);
        push(&mut slug, c, is_kept);
    }
    // Marks that were apart may now be adjacent, and in another order.
    finish(composed(&slug).into_owned())
}

/// Returns the slug with only ASCII letters and digits, as it was before letters of other scripts were kept.
pub(super) fn ascii_slug(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for c in title.chars().flat_map(char::to_lowercase) {
        push(&mut slug, c, c.is_ascii_alphanumeric() || c == '_');
    }
    finish(slug)
}

fn push(slug: &mut String, c: char, is_kept: bool) {
    if is_kept {
        slug.push(c);
    } else if (c == '-' || c.is_whitespace()) && !slug.is_empty() && !slug.ends_with('-') {
        slug.push('-');
    }
}

fn finish(mut slug: String) -> String {
    if slug.ends_with('-') {
        slug.pop();
    }
    if slug.is_empty() { FALLBACK.to_owned() } else { slug }
}

/// Returns the GitHub anchor of a heading text: letters and digits of every script, `_` and `-` stay, every space
/// becomes a hyphen, everything else is removed. Unlike in a slug, hyphens are neither collapsed nor trimmed.
pub(super) fn github_anchor(title: &str) -> String {
    let mut anchor = String::with_capacity(title.len());
    // Convert the whole string at once, because some letters depend on their neighbors (`Σ`).
    for c in title.to_lowercase().chars() {
        if c.is_alphanumeric() || matches!(c, '_' | '-') || is_combining_mark(c) {
            anchor.push(c);
        } else if c.is_whitespace() {
            anchor.push('-');
        }
    }
    anchor
}

/// Makes names unique within one document: `a`, `a-1`, `a-2` …
#[derive(Debug, Default)]
pub(super) struct Unique {
    /// Every name assigned so far, with the number to try next. Remembering that number keeps a document with many
    /// equal headings linear.
    given: HashMap<String, u32>,
}

impl Unique {
    /// Returns the name itself if it is free, else the name with the first free number.
    pub(super) fn name(&mut self, wanted: String) -> String {
        let Some(&next) = self.given.get(&wanted) else {
            self.given.insert(wanted.clone(), 1);
            return wanted;
        };
        let mut number = next;
        let name = loop {
            let candidate = format!("{wanted}-{number}");
            number += 1;
            // A heading may literally be called `overview-1`.
            if !self.given.contains_key(&candidate) {
                break candidate;
            }
        };
        self.given.insert(wanted, number);
        self.given.insert(name.clone(), 1);
        name
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn titles_become_slugs_and_anchors() {
        for (title, expected_slug, expected_anchor) in [
            ("The Result<T> Type!", "the-resultt-type", "the-resultt-type"),
            ("Overview", "overview", "overview"),
            ("snake_case stays", "snake_case-stays", "snake_case-stays"),
            ("Rock & Roll", "rock-roll", "rock--roll"),
            ("a - b", "a-b", "a---b"),
            ("--flag", "flag", "--flag"),
            ("What's new in v1.2.3?", "whats-new-in-v123", "whats-new-in-v123"),
            ("std::fs::read()", "stdfsread", "stdfsread"),
            ("Überblick über Größen", "überblick-über-größen", "überblick-über-größen"),
            ("概要", "概要", "概要"),
            ("हिन्दी", "हिन्दी", "हिन्दी"),
            ("ΟΔΟΣ", "οδος", "οδος"),
            ("Café", "café", "café"),
            ("Cafe\u{301}", "café", "cafe\u{301}"),
            ("Один – два", "один-два", "один--два"),
            ("٣ أمثلة", "٣-أمثلة", "٣-أمثلة"),
            ("🚀\u{fe0f} Launch", "launch", "\u{fe0f}-launch"),
            ("!?", "heading", ""),
            ("", "heading", ""),
            ("tab\tand  gap", "tab-and-gap", "tab-and--gap"),
            ("🚀 Launch", "launch", "-launch"),
            ("GET /users/{id}", "get-usersid", "get-usersid"),
        ] {
            assert_eq!(slug(title), expected_slug, "{title}");
            assert_eq!(github_anchor(title), expected_anchor, "{title}");
        }
        for (title, ascii) in [
            ("The Result<T> Type!", "the-resultt-type"),
            ("Überblick über Größen", "berblick-ber-gren"),
            ("概要", "heading"),
            ("Café", "caf"),
        ] {
            assert_eq!(ascii_slug(title), ascii, "{title}");
        }
    }

    #[test]
    fn repeated_names_are_numbered() {
        for (wanted, expected) in [
            (["overview", "overview", "overview"], ["overview", "overview-1", "overview-2"]),
            (["overview", "overview", "overview-1"], ["overview", "overview-1", "overview-1-1"]),
            (["overview-1", "overview", "overview"], ["overview-1", "overview", "overview-2"]),
            (["heading", "heading", "intro"], ["heading", "heading-1", "intro"]),
        ] {
            let mut unique = Unique::default();
            assert_eq!(wanted.map(|name| unique.name(name.to_owned())), expected);
        }
    }

    #[test]
    fn many_equal_names_stay_cheap() {
        let mut unique = Unique::default();
        let last = (0..100_000).map(|_| unique.name("example".to_owned())).last();
        assert_eq!(last.as_deref(), Some("example-99999"));
    }

    proptest! {
        #[test]
        fn names_are_unique(wanted in proptest::collection::vec("a(-[12]){0,3}", 0..40)) {
            let mut unique = Unique::default();
            let names: HashSet<String> = wanted.iter().map(|name| unique.name(name.clone())).collect();
            prop_assert_eq!(names.len(), wanted.len());
        }

        #[test]
        fn a_slug_is_its_own_slug(title in "\\PC{0,30}") {
            let once = slug(&title);
            prop_assert_eq!(slug(&once), once);
        }

        #[test]
        fn ascii_headings_keep_their_slug(title in "[ -~\t]{0,30}") {
            prop_assert_eq!(slug(&title), ascii_slug(&title));
        }
    }
}
