//! Properties that hold for every text in every language.

use proptest::prelude::*;

use super::*;

const PATHS: [&str; 34] = [
    "a.rs", "a.py", "a.js", "a.go", "a.java", "a.kt", "a.c", "a.cpp", "a.cs", "a.rb", "a.php", "a.swift",
    "a.sh", "a.sql", "a.hs", "a.ml", "a.ex", "a.clj", "a.scala", "a.lua", "a.yaml", "a.toml", "a.json",
    "a.css", "a.html", "a.md", "a.rst", "a.adoc", "a.org", "a.txt", "a.pl", "a.ps1", "a.tf", "a.tex",
];

/// Text made of the delimiters that the scanners look for.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\""),
        Just("'"),
        Just("`"),
        Just("\"\"\""),
        Just("'''"),
        Just("/*"),
        Just("*/"),
        Just("/**"),
        Just("//"),
        Just("#"),
        Just("--"),
        Just("--[["),
        Just("]]"),
        Just("{-"),
        Just("-}"),
        Just("(*"),
        Just("*)"),
        Just("r#\""),
        Just("\"#"),
        Just("R\"x("),
        Just(")x\""),
        Just("<<EOF"),
        Just("EOF"),
        Just("\\"),
        Just("\n"),
        Just("\r\n"),
        Just(" "),
        Just("\0"),
        Just("é"),
        Just("語"),
        Just("e\u{301}"),
        Just("fooBar_baz2"),
        Just("x"),
    ];
    let document = prop_oneof![
        Just("---\n"),
        Just("+++\n"),
        Just("title: "),
        Just("- "),
        Just("```"),
        Just("# "),
        Just("==="),
        Just("]("),
        Just(")"),
        Just("["),
        Just("]:"),
        Just("<!--"),
        Just("-->"),
        Just("<h1>"),
        Just("</h1>"),
        Just("<a b=\""),
        Just(">"),
        Just("<script>"),
        Just("</script>"),
        Just("&amp;"),
        Just("https://a.b/c"),
        Just("@param"),
        Just("=begin"),
        Just("=end"),
        Just("\u{feff}"),
        Just(";"),
        Just("%"),
        Just("@doc "),
        Just("Copyright"),
    ];
    proptest::collection::vec(prop_oneof![piece, document], 0..40).prop_map(|pieces| pieces.concat())
}

fn check(path: &str, text: &str) -> Result<(), TestCaseError> {
    let regions = regions(path, text);
    let mut end = 0;
    for region in &regions {
        prop_assert_eq!(region.span.start, end, "{} {:?}", path, &regions);
        prop_assert!(!region.span.is_empty() && text.is_char_boundary(region.span.end));
        end = region.span.end;
    }
    prop_assert_eq!(end, text.len());
    let words = words(path, text);
    let mut seen = std::collections::HashSet::new();
    for word in &words {
        prop_assert!(word.count > 0 && word.weight > 0.0 && word.weight.is_finite());
        prop_assert!(
            seen.insert(word.text.chars().flat_map(char::to_lowercase).collect::<String>()),
            "{} is there twice",
            word.text
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn regions_tile_and_words_are_unique(text in text()) {
        for path in PATHS {
            check(path, &text)?;
        }
    }

    #[test]
    fn any_text_will_do(text in "\\PC{0,100}", path in 0..PATHS.len()) {
        check(PATHS[path], &text)?;
    }
}
