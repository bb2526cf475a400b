//! Distinguishes HTML tags from other text in angle brackets. In prose about code, most of these are types:
//! `Promise<void>`, `Vec<u8>`.

/// The elements of the HTML standard, including obsolete ones, and the root elements of SVG and MathML.
#[rustfmt::skip]
const ELEMENTS: &[&str] = &[
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont",
    "bdi", "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption",
    "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog",
    "dir", "div", "dl", "dt", "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form",
    "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i",
    "iframe", "img", "input", "ins", "kbd", "keygen", "label", "legend", "li", "link", "main", "map", "mark",
    "marquee", "math", "menu", "menuitem", "meta", "meter", "nav", "nobr", "noembed", "noframes", "noscript",
    "object", "ol", "optgroup", "option", "output", "p", "param", "picture", "plaintext", "pre", "progress",
    "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "search", "section", "select", "slot",
    "small", "source", "spacer", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table",
    "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u",
    "ul", "var", "video", "wbr", "xmp",
];

/// True if an inline tag, as the markdown parser finds it, is markup: an HTML element, a comment or declaration, or a
/// component with quoted attributes, such as `<Badge text="new"/>`.
pub(crate) fn is_html(tag: &str) -> bool {
    let inside = tag.trim_start_matches(['<', '/']);
    let has_name = inside.starts_with(|c: char| c.is_ascii_alphabetic());
    if inside.starts_with(['!', '?']) || has_name && inside.contains(['"', '\'']) {
        return true;
    }
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(inside.len());
    let name = &inside[..end];
    // HTML is written all in lower case or all in capitals. `<Object>` is a type.
    let is_mixed =
        name.contains(|c: char| c.is_ascii_lowercase()) && name.contains(|c: char| c.is_ascii_uppercase());
    !is_mixed && ELEMENTS.binary_search(&name.to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_elements_of_html_are_markup() {
        assert!(ELEMENTS.is_sorted());
        for tag in
            ["<b>", "</b>", "<br/>", "<BR>", "<h1>", "<kbd>", "<img src=\"x\">", "<!-- x -->", "<?php ?>"]
        {
            assert!(is_html(tag), "{tag}");
        }
        for tag in [
            "<void>",
            "</void>",
            "<T>",
            "<u8>",
            "<dyn Error>",
            "<Object>",
            "<my-element>",
            "<string/>",
            "< b, it's c >",
        ] {
            assert!(!is_html(tag), "{tag}");
        }
        assert!(is_html("<Badge type='tip' text=\"new\" />"));
    }
}
