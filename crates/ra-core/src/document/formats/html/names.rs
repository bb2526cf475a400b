//! Reads ids, classes and addresses.

use super::main_content::Content;
use super::tag::Tag;
use super::tree::Tree;

/// A longer address isn't written: it is data.
const MAX_ADDRESS_BYTES: usize = 1_024;

/// A longer id isn't written.
const MAX_ID_BYTES: usize = 200;

/// How many elements around a code block or heading are looked at.
const MAX_OUTER: usize = 4;

/// The classes of notes and warnings.
#[rustfmt::skip]
const ADMONITIONS: &[&str] = &[
    "admonition", "admonitionblock", "alert", "callout", "caution", "danger", "hint", "important", "note",
    "notecard", "notice", "theme-admonition", "tip", "warning",
];

/// Returns the address of a link or image if it leads somewhere.
pub(super) fn usable_address(address: &str) -> Option<String> {
    let address = address.trim();
    let scheme = address.split(':').next().unwrap_or("");
    let is_script =
        ["javascript", "data", "vbscript", "about", "blob"].iter().any(|s| scheme.eq_ignore_ascii_case(s));
    let is_usable = !is_script || !address.contains(':');
    (is_usable && !address.is_empty() && address.len() <= MAX_ADDRESS_BYTES).then(|| address.to_owned())
}

/// Returns an id if it can be written after a heading.
fn usable_id(id: &str) -> Option<String> {
    let is_simple = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    (!id.is_empty() && id.len() <= MAX_ID_BYTES && id.bytes().all(is_simple)).then(|| id.to_owned())
}

/// Returns the id of an element or, for an old anchor, its name.
fn own_id(tree: &Tree<'_>, at: usize) -> Option<String> {
    let name = || tree.attribute(at, "name").filter(|_| tree.tag(at) == Tag::A);
    tree.attribute(at, "id").or_else(name).and_then(|id| usable_id(&id))
}

/// Returns the id of a heading: its own, that of an element inside it, or that of the section that it begins. `outer`
/// are the elements around it, innermost first.
pub(super) fn heading_id(
    tree: &Tree<'_>,
    content: &Content,
    at: usize,
    outer: impl Iterator<Item = usize>,
) -> Option<String> {
    const MAX_INNER: usize = 20;
    let inner = || {
        (at + 1..tree.end(at))
            .take(MAX_INNER)
            .filter(|inside| matches!(tree.tag(*inside), Tag::A | Tag::Other | Tag::Code))
    };
    let begins = |element: &usize| content.text_before(*element) == content.text_before(at);
    let sections = outer.take(MAX_OUTER).filter(|element| is_section(tree, *element)).take_while(begins);
    own_id(tree, at)
        .or_else(|| inner().find_map(|inside| own_id(tree, inside)))
        .or_else(|| sections.filter_map(|element| own_id(tree, element)).next())
}

fn is_section(tree: &Tree<'_>, at: usize) -> bool {
    let is_section_class = |class: &str| {
        let names =
            ["section", "sect", "chapter", "level", "refsect", "appendix", "preface", "subsection", "topic"];
        names.iter().any(|name| class.starts_with(name))
    };
    match tree.tag(at) {
        Tag::Section | Tag::Article => true,
        Tag::Div => tree.has_class(at, is_section_class),
        _ => false,
    }
}

/// True for a block of code that doxygen has written, and not as `<pre>`.
pub(super) fn is_code_fragment(tree: &Tree<'_>, at: usize) -> bool {
    tree.tag(at) == Tag::Div && tree.has_class(at, |class| class == "fragment")
}

/// True for the title of a page that doxygen has written.
pub(super) fn is_page_title(tree: &Tree<'_>, at: usize, parent: Option<usize>) -> bool {
    let is_headertitle = |parent| tree.has_class(parent, |class| class == "headertitle");
    parent.is_some_and(is_headertitle) && tree.has_class(at, |class| class == "title")
}

/// True for a note or a warning.
pub(super) fn is_admonition(tree: &Tree<'_>, at: usize) -> bool {
    tree.tag(at) == Tag::Aside || tree.has_class(at, |class| ADMONITIONS.contains(&class))
}

/// Returns the language of a code block, from the classes of the block, of the code in it, or of the elements around
/// it; empty if it isn't known.
pub(super) fn code_language(tree: &Tree<'_>, at: usize, outer: impl Iterator<Item = usize>) -> String {
    let inner = (at + 1..tree.end(at)).take(3).filter(|inside| tree.tag(*inside) == Tag::Code);
    let mut elements = std::iter::once(at).chain(inner).chain(outer.take(MAX_OUTER));
    elements.find_map(|element| language_of(tree, element)).unwrap_or_default()
}

fn language_of(tree: &Tree<'_>, at: usize) -> Option<String> {
    let classes = tree.attribute(at, "class")?;
    let classes: Vec<&str> = classes.split_ascii_whitespace().collect();
    let prefixes = ["language-", "lang-", "highlight-source-", "highlight-", "src-", "brush:"];
    let by_prefix = |class| prefixes.iter().find_map(|prefix| str::strip_prefix(class, *prefix));
    let after = |name: &str| classes.iter().skip_while(|class| **class != name).nth(1).copied();
    let found = classes
        .iter()
        .copied()
        .find_map(by_prefix)
        .or_else(|| after("sourceCode"))
        .or_else(|| rust(tree, at, &classes))?;
    let language = match found {
        "default" | "none" | "text" | "plaintext" | "notranslate" | "literal" => return None,
        "python3" | "pycon" | "pycon3" | "ipython3" | "ipython" => "python",
        other => other,
    };
    let is_simple =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'_' | b'-' | b'.');
    (!language.is_empty() && language.len() <= 32 && language.bytes().all(is_simple))
        .then(|| language.to_owned())
}

/// Returns the language of a code block that rustdoc has written.
fn rust<'a>(tree: &Tree<'_>, at: usize, classes: &[&'a str]) -> Option<&'a str> {
    let is_code = matches!(tree.tag(at), Tag::Pre | Tag::Code);
    classes
        .iter()
        .copied()
        .find(|class| is_code && matches!(*class, "rust" | "python" | "bash" | "java" | "js"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_lead_nowhere_are_dropped() {
        for (address, is_usable) in [
            ("a.html", true),
            (" #part ", true),
            ("https://a.b/c:d", true),
            ("mailto:a@b", true),
            ("data", true),
            ("", false),
            ("JavaScript:void(0)", false),
            ("data:image/png;base64,AAAA", false),
        ] {
            assert_eq!(usable_address(address).is_some(), is_usable, "{address}");
        }
        assert_eq!(usable_address(&"a".repeat(3_000)), None);
    }

    #[test]
    fn the_language_of_code_is_found_in_classes() {
        for (classes, expected) in [
            ("language-rust", "rust"),
            ("highlight-python3 notranslate", "python"),
            ("highlight-default", ""),
            ("sourceCode haskell", "haskell"),
            ("src src-c++", "c++"),
            ("rust rust-example-rendered", "rust"),
            ("programlisting", ""),
            ("language-<x>", ""),
        ] {
            let page = format!("<div><pre class='{classes}'><code>x</code></pre></div>");
            let tree = Tree::parse(&page, false).unwrap();
            assert_eq!(code_language(&tree, 1, [0].into_iter()), expected, "{classes}");
        }
    }
}
