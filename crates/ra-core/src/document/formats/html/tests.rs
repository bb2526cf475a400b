//! Tests of the whole conversion.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag as MarkdownTag};

use super::*;

/// Converts a page without its front matter.
fn body(html: &str) -> String {
    let markdown = convert(html.as_bytes()).unwrap();
    let start = markdown.strip_prefix("---\n").and_then(|rest| rest.find("---\n\n").map(|end| end + 9));
    markdown[start.unwrap_or(0)..].trim_end().to_owned()
}

fn check(table: &[(&str, &str)]) {
    for (html, expected) in table {
        assert_eq!(body(html), *expected, "{html}");
    }
}

#[test]
fn metadata_becomes_front_matter() {
    for (html, expected) in [
        (
            "<html lang=en><head><title>A &amp; \"b\"</title><meta name=description content='C: d'>\
             <meta name=keywords content='x, y z'></head><body><p>e",
            "---\ntitle: \"A & \\\"b\\\"\"\ndescription: \"C: d\"\nlang: \"en\"\ntags: [\"x\", \"y z\"]\n---\n\ne\n",
        ),
        ("<title> a\n b </title>c", "---\ntitle: \"a b\"\n---\n\nc\n"),
        ("<p>a", "a\n"),
        ("<p>---<p>title: x<p>---", "\\---\n\ntitle: x\n\n\\---\n"),
        ("", ""),
    ] {
        assert_eq!(convert(html.as_bytes()).unwrap(), expected, "{html}");
    }
}

#[test]
fn encodings_are_recognized() {
    for (bytes, expected) in [
        (&b"<p>\xc3\xa9"[..], "é\n"),
        (b"<meta charset=iso-8859-1><p>\xe9", "é\n"),
        (b"<meta http-equiv=Content-Type content='text/html; charset=windows-1252'><p>\x93", "“\n"),
        (b"<?xml version='1.0' encoding='ISO-8859-1'?><p>\xe9</p>", "é\n"),
        (b"\xff\xfe<\0p\0>\0\xe9\0", "é\n"),
        (b"\xef\xbb\xbf<meta charset=latin1><p>\xc3\xa9", "é\n"),
        (b"<meta charset=utf-16><p>\xc3\xa9", "é\n"),
        (b"<meta charset=unknown><p>\xc3\xa9\xff", "é\u{fffd}\n"),
    ] {
        assert_eq!(convert(bytes).unwrap(), expected, "{bytes:?}");
    }
}

#[test]
fn headings_keep_their_ids() {
    check(&[
        ("<h1 id=a>A</h1><h6>B</h6>", "# A {#a}\n\n###### B"),
        ("<h2><a name=a></a>A</h2>", "## A {#a}"),
        ("<section id=a><h2>A</h2></section>", "## A {#a}"),
        (
            "<div class=section id=a><span id=b></span><h2>A<a class=headerlink href=#a>¶</a></h2></div>",
            "## A {#a}",
        ),
        ("<section id=a><p>x</p><h2>A</h2></section>", "x\n\n## A"),
        ("<p><a id=a></a></p><h2>A</h2><h3>B</h3>", "## A {#a}\n\n### B"),
        ("<h2 id='a b'>A</h2>", "## A"),
        ("<h2 id=a><a href=#a>A</a> <b>b</b> <code>c</code></h2>", "## A b `c` {#a}"),
        ("<h2><a id=a href=#a class=anchor><svg></svg></a>A #</h2>", "## A \\# {#a}"),
        ("<h2> </h2><p>x", "x"),
        ("<h1>A<br>b<p>c</h1>d", "# A b c\n\nd"),
    ]);
}

#[test]
fn text_is_collapsed_and_escaped() {
    check(&[
        ("<p>a\n  b\t<b> c </b>d<p># e<p>1. f<p>&lt;b>", "a b **c** d\n\n\\# e\n\n1\\. f\n\n\\<b>"),
        ("<p>a<br>- b<br><br>c<br></p>", "a\\\n\\- b\n\nc"),
        ("<p>```<p>~~~<p>===<p>> x", "\\`\\`\\`\n\n\\~\\~\\~\n\n\\===\n\n\\> x"),
        (
            "<p><i>a</i> <em>b</em> <s>c</s> <q>d</q> 2<sup>10</sup> 2<sup>nd</sup>",
            "*a* *b* ~~c~~ “d” 2^10 2nd",
        ),
        ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
        ("a<div>b</div>c", "a\n\nb\n\nc"),
        ("<p>[x]: y<p>[ ] z<p>#tag", "\\[x\\]: y\n\n\\[ ] z\n\n\\#tag"),
    ]);
}

#[test]
fn links_and_images_keep_their_targets() {
    check(&[
        ("<a href='../b.html#c'>a <code>b</code></a>", "[a `b`](../b.html#c)"),
        ("<a href='a b'>a</a> <a href='javascript:x()'>b</a> <a>c</a>", "[a](<a b>) b c"),
        (
            "<img src=a.png alt='A [b]'> <img src=b.png alt=''> <img src='data:x' alt=c>",
            "![A \\[b\\]](a.png) c",
        ),
        ("<a href=x><p>a</p><p>b</p></a>", "[a](x)\n\nb"),
        ("<a href=x><img src=y alt=z></a>", "[![z](y)](x)"),
    ]);
}

#[test]
fn code_is_kept_as_it_is() {
    check(&[
        ("<pre>\na &lt; b\n\n  <b>c</b>\n</pre>", "```\na < b\n\n  c\n```"),
        ("<pre><code class='language-rs'>x</code></pre>", "```rs\nx\n```"),
        (
            "<div class='highlight-sh notranslate'><div class=highlight><pre>x</pre></div></div>",
            "```sh\nx\n```",
        ),
        ("<pre>```\r\nx</pre>", "````\n```\nx\n````"),
        ("<div class=fragment><div class=line>a</div><div class=line> b</div></div>", "```\na\n b\n```"),
        ("<p><code>a  <b>b</b> | `</code>", "`` a b | ` ``"),
        ("<pre> </pre>x", "x"),
    ]);
}

#[test]
fn lists_are_nested() {
    check(&[
        ("<ul><li>a<li>b<ul><li>c</ul><li><p>d</p><p>e</p></ul>f", "- a\n- b\n  - c\n- d\n\n  e\n\nf"),
        ("<p>x<ol start=9><li>a<li><pre>b</pre></ol>", "x\n\n9. a\n10. ```\n    b\n    ```"),
        ("<ul><li></li><li>a</ul>", "- a"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("<ul><li><h3>A</h3><p>b</p></li></ul>", "### A\n\nb"),
        ("<dl><dt>a<dd>b<dt>c:<dd><p>d</p></dl>", "- **a**: b\n- **c:** d"),
        ("<dl><dt>a<dt>b<dd><p>c</p><p>d</p></dl>", "- **a**\n- **b**: c\n\n  d"),
        ("<dl><dt><code>a</code><dd>b<pre>c</pre></dl>", "`a`\n\nb\n\n```\nc\n```"),
        ("<dl><dt class='sig'><span>f</span>(<em>x</em>)<dd>y</dl>", "- `f(x)`: y"),
    ]);
}

#[test]
fn tables_become_pipe_tables_if_they_hold_data() {
    check(&[
        (
            "<table><caption>T</caption><tr><th>a<th>b<tr><td>1|2<td><code>x|y</code></table>",
            "T\n\n| a | b |\n| --- | --- |\n| 1\\|2 | `x\\|y` |",
        ),
        (
            "<table><tr><td>a<td>b<tr><td><p>c</p><p>d<td></table>",
            "|  |  |\n| --- | --- |\n| a | b |\n| c d |  |",
        ),
        ("<table><tr><td>a<td>b</table>", "a\n\nb"),
        ("<table><tr><td>a<td><ul><li>b</ul><tr><td>c<td>d</table>", "a\n\n- b\n\nc\n\nd"),
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
    ]);
}

#[test]
fn quotes_notes_and_details_are_kept() {
    check(&[
        ("<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
        ("<div class='admonition note'><p class=admonition-title>Note</p><p>a</div>", "> **Note**\n>\n> a"),
        ("<div class=warning><h3>Warning</h3><p>a</div>", "> **Warning**\n>\n> a"),
        ("<details><summary>a</summary><p>b</details>", "**a**\n\nb"),
        ("<details><summary><h3>a</h3></summary><p>b</details>", "### a\n\nb"),
        ("<blockquote><h2>a</h2>b</blockquote>", "## a\n\nb"),
    ]);
}

#[test]
fn navigation_is_left_out() {
    let links =
        "<ul><li><a href=a>one page</a><li><a href=b>another page</a><li><a href=c>a third page</a></ul>";
    let text = "<p>Some text that is long enough to be the content of a page, with several words in it.</p>";
    let expected = "Some text that is long enough to be the content of a page, with several words in it.";
    for around in [
        "<nav>x</nav>{}<footer>x</footer>",
        "<header>x</header><main>{}<nav>x</nav></main><aside>x</aside>",
        "<div>x y z</div><article>{}</article>",
        "<div role=navigation>x</div>{}<div role=contentinfo>x</div>",
        "<div class=navheader>x</div>{}<div class=navfooter>x</div>",
        "<div class='sphinxsidebar'>x</div><div class=body role=main>{}</div>",
        "<p>x</p><div id=mw-content-text>{}</div>",
        "<script>x</script><style>x</style><p hidden>x</p><p aria-hidden=true>x</p>{}<button>x</button>",
        "{links}{}",
        "{}{links}",
        "<p>Next: <a rel=next href=a>x</a>, Previous: <a rel=prev href=b>y</a></p>{}",
        "<div class=toc><a href=#a>x</a><a href=#b>y</a></div>{}",
    ] {
        let html = around.replace("{links}", links).replace("{}", text);
        assert_eq!(body(&html), expected, "{around}");
    }
}

#[test]
fn the_only_content_is_never_left_out() {
    let long = "word ".repeat(50);
    let long = long.trim();
    for (html, expected) in [
        ("<nav>a</nav>".to_owned(), "a".to_owned()),
        (format!("<main>a</main><p>{long}"), format!("a\n\n{long}")),
        (format!("<article>a</article><article>{long}</article>"), long.to_owned()),
        (
            "<ul><li><a href=a>a page</a><li><a href=b>another page with a name</a></ul>".to_owned(),
            "- [a page](a)\n- [another page with a name](b)".to_owned(),
        ),
        (format!("<div id=header><h1>T</h1></div><div id=content>{long}</div>"), format!("# T\n\n{long}")),
        ("<header><h1>T</h1></header><p>a".to_owned(), "# T\n\na".to_owned()),
    ] {
        assert_eq!(body(&html), expected, "{html}");
    }
}

/// Converts a hostile page and returns the size of its markdown.
fn converted_bytes(html: &str) -> usize {
    convert(html.as_bytes()).map_or(0, |markdown| markdown.len())
}

/// Time that isn't linear in the size of a page would make this take hours.
#[test]
fn hostile_pages_end() {
    for tag in [
        "div",
        "b",
        "p",
        "ul><li",
        "table><tr><td",
        "blockquote",
        "a href=x",
        "section",
        "x-y",
        "dl><dt",
        "h1",
    ] {
        for count in [10_000, 200_000 / tag.len()] {
            assert!(converted_bytes(&format!("{}x", format!("<{tag}>").repeat(count))) < 1 << 24, "{tag}");
        }
    }
    for (html, expected) in [
        (format!("<p {}>x", (0..200_000).map(|nr| format!("a{nr}=1 ")).collect::<String>()), 2),
        (format!("<p>{}", "word ".repeat(6_000_000)), 30_000_000),
        (format!("<p>x{}", "<!--".repeat(100_000)), 2),
        (format!("<p>x{}", "<title>".repeat(100_000)), 2),
        (format!("<p>x{}", "<a href='".repeat(100_000)), 2),
        (format!("x{}", "</div>".repeat(100_000)), 2),
        (format!("{}x", "<div></div>".repeat(100_000)), 2),
        (format!("{}x", "\0".repeat(200_000)), 2),
        (format!("<div class='{}'>x", "a ".repeat(200_000)), 2),
        ("&amp".repeat(200_000), 0),
        ("<![CDATA[".repeat(100_000), 0),
        ("<table><tr><td colspan=1000 rowspan=1000>x".repeat(20_000), 0),
        ("<textarea>".repeat(100_000), 0),
    ] {
        let bytes = converted_bytes(&html);
        assert!(expected == 0 || bytes == expected, "{bytes} {}", &html[..html.len().min(40)]);
    }
}

#[test]
fn too_much_output_is_refused() {
    let html = format!("<p>{}", "*".repeat(20 << 20));
    assert!(convert(html.as_bytes()).is_err_and(|error| error == "its text is larger than 32 MiB"));
}

const FRAGMENTS: &[&str] = &[
    "<p>",
    "</p>",
    "<div class=note>",
    "</div>",
    "<ul>",
    "<ol>",
    "<li>",
    "</ul>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<code>",
    "</code>",
    "<pre>",
    "</pre>",
    "<a href=x>",
    "</a>",
    "<table>",
    "<tr>",
    "<td>",
    "<th>",
    "</table>",
    "<h1 id=a>",
    "</h1>",
    "<h2>",
    "<blockquote>",
    "</blockquote>",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<br>",
    "<img alt=a src=b>",
    "<nav>",
    "</nav>",
    "<main>",
    "</main>",
    "<sup>",
    "</sup>",
    "<title>",
    "<script>",
    "<!--",
    "-->",
    "<summary>",
    "</summary>",
    "<details>",
    "<section id=s>",
    "</section>",
    "<q>",
    "<caption>",
    " ",
    "\n",
    "a",
    "#",
    "- ",
    "1. ",
    "```",
    "---",
    "===",
    "|",
    "*",
    "_",
    "[",
    "]",
    "(",
    "<",
    ">",
    "&",
    "&lt;",
    "\\",
    "!",
    "~~",
    "{#x}",
    "é",
    "\0",
];

proptest! {
    #[test]
    fn any_bytes_are_converted(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = convert(&bytes);
        let _ = convert_chapter(&bytes);
    }

    #[test]
    fn any_nesting_gives_clean_markdown(parts in proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..60)) {
        let html = parts.concat();
        let markdown = body(&html);
        let _ = convert_chapter(html.as_bytes()).unwrap();
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_WIKILINKS;
        for event in Parser::new_ext(&markdown, options) {
            let is_html = matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::Start(MarkdownTag::HtmlBlock));
            prop_assert!(!is_html, "{}\n{}", html, markdown);
            let is_heading = matches!(event, Event::Start(MarkdownTag::Heading { .. }));
            prop_assert!(!is_heading || html.contains("<h"), "{}\n{}", html, markdown);
        }
    }

    #[test]
    fn text_never_becomes_structure(text in "[ab#>*_`|<&~=+\\-\\[\\]()!:.1 \\\\]{0,24}") {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        let markdown = convert(format!("<p>{escaped}").as_bytes()).unwrap();
        let mut shown = String::new();
        for event in Parser::new_ext(&markdown, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_WIKILINKS) {
            match event {
                Event::Text(text) => shown.push_str(&text),
                Event::Start(MarkdownTag::Paragraph) | Event::End(_) => {}
                other => prop_assert!(false, "{:?}: {}", other, markdown),
            }
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert_eq!(words(&shown), words(&text));
    }
}
