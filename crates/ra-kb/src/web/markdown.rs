//! Documents as HTML that is safe to show.
//!
//! `pulldown-cmark` makes HTML of markdown, and `ammonia` keeps only harmless elements and attributes of it, whether
//! they come from markdown or from HTML in the document. Images go through `reading_view`, which decides what is
//! loaded.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ammonia::Builder;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html as cmark_html};
use ra_core::id::DocId;
use ra_core::kind::DocumentKind;
use ra_core::text::Span;

use super::document_links::target;
use super::frame::marked;
use super::html_limits::is_within_limits;
use super::images::has_image_extension;
use super::links::{ANCHOR, query};
use super::reading_view::{ReadingView, finished};

/// A text of a document.
pub(super) struct DocumentText<'a> {
    pub(super) doc: &'a DocId,
    pub(super) kind: DocumentKind,
    pub(super) text: &'a str,
    /// The matches in the text, sorted and disjoint.
    pub(super) matches: &'a [Span],
    /// The lines of the text where sections begin, counted from 1, with their slugs.
    pub(super) sections: &'a [(usize, String)],
    /// How it is shown on its own page; `None` for a passage elsewhere.
    pub(super) view: Option<&'a ReadingView<'a>>,
}

impl DocumentText<'_> {
    /// Returns the text as HTML: rendered if it is markdown, as it is otherwise.
    pub(super) fn html(&self) -> Markup {
        let rendered = if self.kind.is_markdown() { self.rendered() } else { None };
        rendered.map_or_else(|| self.verbatim(), PreEscaped)
    }

    /// Returns the text on one line, without its blocks and links, such as for an excerpt.
    pub(super) fn line(&self) -> Markup {
        if !self.kind.is_markdown() {
            return marked(self.text, self.matches);
        }
        let mut line = String::new();
        let mut depth = 0usize;
        for (event, range) in Parser::new_ext(self.text, options()).into_offset_iter() {
            match event {
                Event::Start(Tag::MetadataBlock(_)) => depth += 1,
                Event::End(TagEnd::MetadataBlock(_)) => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                Event::Text(text) => {
                    let is_source = self.text.get(range.clone()) == Some(&*text);
                    let matches = if is_source { self.matches_in(&range) } else { Vec::new() };
                    line.push_str(&marked(&text, &matches).into_string());
                }
                Event::Code(code) => {
                    if let Event::InlineHtml(html) = self.code(&code, &range) {
                        line.push_str(&html);
                    }
                }
                Event::SoftBreak | Event::HardBreak | Event::Rule => line.push(' '),
                Event::End(end) if !matches!(end, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link) => {
                    line.push(' ')
                }
                _ => {}
            }
        }
        PreEscaped(line)
    }

    /// Returns the text as it is, with an anchor at each section.
    fn verbatim(&self) -> Markup {
        let starts = line_starts(self.text);
        let mut cuts: Vec<(usize, &str)> = self
            .sections
            .iter()
            .filter_map(|(line, slug)| Some((*starts.get(line.checked_sub(1)?)?, slug.as_str())))
            .collect();
        cuts.sort_by_key(|(at, _)| *at);
        let ends = cuts.iter().map(|(at, _)| *at).skip(1).chain([self.text.len()]);
        let first = cuts.first().map_or(self.text.len(), |(at, _)| *at);
        html! {
            pre .verbatim tabindex="0" {
                (self.part(0..first))
                @for ((at, slug), end) in cuts.iter().zip(ends) {
                    span id={ (ANCHOR) (slug) } {
                        @if let Some(link) = self.view.and_then(|view| view.edit_link(slug)) { (link) }
                        (self.part(*at..end))
                    }
                }
            }
        }
    }

    /// Returns a part of the text with its matches marked. A match over an end is cut.
    fn part(&self, range: Range<usize>) -> Markup {
        marked(&self.text[range.clone()], &self.matches_in(&range))
    }

    /// Returns the matches inside a part of the text, relative to its start.
    fn matches_in(&self, range: &Range<usize>) -> Vec<Span> {
        let inside = self.matches.iter().filter(|span| span.start < range.end && span.end > range.start);
        inside
            .map(|span| {
                Span::new(span.start.max(range.start) - range.start, span.end.min(range.end) - range.start)
            })
            .collect()
    }

    /// Returns the text as HTML, or `None` if sanitizing it would take too long, such as when it nests too deeply.
    fn rendered(&self) -> Option<String> {
        let starts = line_starts(self.text);
        let slugs: HashMap<usize, &str> =
            self.sections.iter().map(|(line, slug)| (*line, slug.as_str())).collect();
        let mut events: Vec<Event<'_>> = Vec::new();
        // The text of an image, while its end hasn't come yet.
        let mut image: Option<(String, String)> = None;
        let (mut in_metadata, mut in_embed) = (false, false);
        for (event, range) in Parser::new_ext(self.text, options()).into_offset_iter() {
            match event {
                Event::Start(Tag::MetadataBlock(_)) => in_metadata = true,
                Event::End(TagEnd::MetadataBlock(_)) => in_metadata = false,
                _ if in_metadata => {}
                // Obsidian embeds notes like images.
                Event::Start(Tag::Image { link_type: LinkType::WikiLink { .. }, dest_url, .. })
                    if !has_image_extension(&dest_url) =>
                {
                    in_embed = true;
                    events.push(link_to(wiki_page(&dest_url)));
                }
                Event::End(TagEnd::Image) if in_embed => {
                    in_embed = false;
                    events.push(Event::End(TagEnd::Link));
                }
                Event::Start(Tag::Image { dest_url, .. }) => {
                    image = Some((dest_url.to_string(), String::new()))
                }
                Event::End(TagEnd::Image) => {
                    let (url, alt) = image.take().unwrap_or_default();
                    let html = html! { img src=(url) alt=(alt); };
                    events.push(Event::InlineHtml(html.into_string().into()));
                }
                Event::Text(text) | Event::Code(text) if image.is_some() => {
                    if let Some((_, alt)) = &mut image {
                        alt.push_str(&text);
                    }
                }
                _ if image.is_some() => {}
                Event::Start(Tag::Heading { level, classes, .. }) => {
                    let line = starts.partition_point(|start| *start <= range.start);
                    let id = slugs.get(&line).map(|slug| CowStr::from(format!("{ANCHOR}{slug}")));
                    events.push(Event::Start(Tag::Heading { level, id, classes, attrs: Vec::new() }));
                }
                Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                    events.push(link_to(match link_type {
                        LinkType::WikiLink { .. } => wiki_page(&dest_url),
                        _ => target(self.doc, &dest_url).unwrap_or_default(),
                    }));
                }
                Event::TaskListMarker(done) => {
                    events.push(Event::Text(if done { "☑ " } else { "☐ " }.into()))
                }
                Event::Text(text) => self.push_text(&mut events, text, &range),
                Event::Code(code) => events.push(self.code(&code, &range)),
                other => events.push(other),
            }
        }
        let mut html = String::with_capacity(self.text.len() * 2);
        cmark_html::push_html(&mut html, events.into_iter());
        is_within_limits(&html).then(|| self.sanitized(&html))
    }

    /// Adds text with its matches marked. The text of an entity differs from the source and isn't marked.
    fn push_text<'t>(&self, events: &mut Vec<Event<'t>>, text: CowStr<'t>, range: &Range<usize>) {
        let is_source = self.text.get(range.clone()) == Some(&*text);
        let matches = if is_source { self.matches_in(range) } else { Vec::new() };
        if matches.is_empty() {
            events.push(Event::Text(text));
            return;
        }
        events.push(Event::InlineHtml(marked(&text, &matches).into_string().into()));
    }

    /// Returns inline code with its matches marked.
    fn code(&self, code: &str, range: &Range<usize>) -> Event<'static> {
        let source = self.text.get(range.clone()).unwrap_or_default();
        let matches = match source.find(code) {
            Some(at) => self.matches_in(&(range.start + at..range.start + at + code.len())),
            None => Vec::new(),
        };
        Event::InlineHtml(html! { code { (marked(code, &matches)) } }.into_string().into())
    }

    fn sanitized(&self, html: &str) -> String {
        let doc = self.doc.clone();
        let mut builder = Builder::default();
        // Wide tables and code scroll, which takes focus for the keyboard.
        builder
            .add_tags(["mark"])
            .rm_tags(["map", "area"])
            .set_tag_attribute_value("table", "tabindex", "0")
            .set_tag_attribute_value("pre", "tabindex", "0")
            .add_tag_attributes("code", ["class"])
            .add_tag_attributes("blockquote", ["class"])
            .url_schemes(HashSet::from(["http", "https", "mailto"]))
            .link_rel(Some("noopener noreferrer nofollow"));
        for heading in ["h1", "h2", "h3", "h4", "h5", "h6"] {
            builder.add_tag_attributes(heading, ["id"]);
        }
        builder.attribute_filter(move |_, attribute, value| match attribute {
            "id" => value.starts_with(ANCHOR).then_some(Cow::Borrowed(value)),
            "class" => {
                let is_ours = value.starts_with("markdown-alert-") || value.starts_with("language-");
                is_ours.then_some(Cow::Borrowed(value))
            }
            "href" if is_ours(value) => Some(Cow::Borrowed(value)),
            "href" => target(&doc, value).map(Cow::Owned),
            "cite" => None,
            _ => Some(Cow::Borrowed(value)),
        });
        finished(&builder.clean(html).to_string(), self.doc, self.view)
    }
}

/// The markdown that is understood.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_WIKILINKS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

fn line_starts(text: &str) -> Vec<usize> {
    [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// Returns the start of a link.
fn link_to(address: String) -> Event<'static> {
    let (title, id) = (CowStr::from(""), CowStr::from(""));
    Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url: address.into(), title, id })
}

/// Returns the address that leads to the document with a name.
fn wiki_page(name: &str) -> String {
    format!("/open?{}", query(&[("id", format!("[[{name}]]"))]))
}

/// True if a link was already made into one of these pages.
fn is_ours(link: &str) -> bool {
    link.starts_with("/read/") || link.starts_with("/open?") || link.starts_with(&format!("#{ANCHOR}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc() -> DocId {
        "docs:guide/setup.md".parse::<ra_core::id::ChunkId>().expect("an id").doc
    }

    fn html(text: &str) -> String {
        let doc = doc();
        DocumentText {
            doc: &doc,
            kind: DocumentKind::Markdown,
            text,
            matches: &[],
            sections: &[],
            view: None,
        }
        .html()
        .into_string()
    }

    #[test]
    fn what_nests_too_deeply_is_shown_as_it_is() {
        for (start, deep, end) in [
            ("", "- ", ""),
            ("", "> ", ""),
            ("", "<div>", ""),
            ("", "<div></b>", ""),
            ("", "<li><dd>", ""),
            ("", "<b><div></b>", ""),
            ("", "<ul><li>", ""),
            // End tags that don't end it.
            ("", "<div></div-x>", ""),
            ("", "<div><//div>", ""),
            ("", "<div></ div>", ""),
            ("", "<ul><li></ul-x>", ""),
            ("", "<div title=\"</div>\">", ""),
            ("", "<div title='>\"</div>'>", ""),
            ("", "<div><!--</div>-->", ""),
            ("", "<div><!--></div-x><!---->", ""),
            ("", "<div><style></div></style>", ""),
            // Elements that end without an end tag in HTML, but not in SVG and MathML.
            ("<svg>", "<a>", "</q>"),
            ("<svg>", "<td>", "</q>"),
            ("<math>", "<link>", "</q>"),
            ("", "<svg><a>", "</q>"),
            // Formatting that each paragraph opens again.
            ("", "<p><b id=\"ID\"></p>", ""),
        ] {
            let deep: String = (0..2000).map(|id| deep.replace("ID", &id.to_string())).collect();
            let html = html(&(start.to_owned() + &deep + &end.repeat(2000) + "zebra"));
            assert!(
                html.starts_with("<pre class=\"verbatim\"") && html.contains("zebra"),
                "{start}{deep:.40}: {html:.200}"
            );
        }
    }

    #[test]
    fn what_is_slow_to_sanitize_is_shown_as_it_is() {
        for (start, slow) in [
            ("<table>", "<b></b>"),
            ("<table><tr>", "<i>a</i>"),
            ("", "<html lang=\"en\">"),
            ("", "<table><caption><object></table>"),
            ("", "<template><td></template>"),
        ] {
            let html = html(&(start.to_owned() + &slow.repeat(2000) + "zebra"));
            assert!(html.starts_with("<pre class=\"verbatim\""), "{start}{slow}: {html:.200}");
        }
        for separator in [" ", "/", "=\"\"", "='>'", "\n"] {
            let attributes: String = (0..2000).map(|id| format!("a{id}{separator}")).collect();
            let html = html(&format!("<div {attributes}>zebra"));
            assert!(html.starts_with("<pre class=\"verbatim\""), "{separator}: {html:.200}");
        }
    }

    #[test]
    fn long_pages_that_do_not_nest_are_rendered() {
        for flat in [
            "<br>",
            "<p>zebra</p>\n\n",
            "- a\n",
            "<li>a",
            "<LI><P>a\n",
            "<a name=\"x\"/>",
            "<dt>a<dd>b",
            "<table><tr><td>a<td>b<tr><th>c</table>",
            "<ul><li>a<ol><li>b</ol></ul>",
            "<p>a<div>b</div>",
            // The parser opens at most three of these again in the next paragraph.
            "<p><b>",
            "<div title=\"<div>\">a</div>",
            "<div><!-- <div> -->a</div>",
            "<img alt=\"a > b <div>\">",
            "<details><summary>a</summary>\n\n**b** <kbd>c</kbd>\n\n</details>\n\n",
            "<svg viewBox=\"0 0 9 9\"><a><path d=\"M0 0\"/></a></svg>\n",
            "<math><mi>x</mi><mo>=</mo></math>\n",
            "| a | b |\n| - | - |\n| 長い | *c* `<div>` |\n\n",
        ] {
            assert!(!html(&flat.repeat(2000)).contains("verbatim"), "{flat}");
        }
        let value = "M 0 0 ".repeat(4000);
        assert!(!html(&format!("<svg><path d=\"{value}\"/></svg>")).contains("verbatim"));
    }

    #[test]
    fn nothing_in_a_document_can_run_or_load() {
        let hostile = "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n![x](https://evil.example/p.png)\n\n\
            [a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x) <a href=\"java\
            script:alert(1)\">e</a>\n\n<svg onload=alert(1)><script>alert(2)</script></svg>\n\n<style>*{}</style>\n\n\
            <p style=\"background:url(https://evil.example)\" class=\"top\" id=\"q\" onclick=\"x()\">p</p>\n\n\
            <iframe src=//evil.example></iframe><object data=x></object><embed src=x><form action=/login><input \
            name=token></form><base href=//evil.example><link rel=stylesheet href=//evil.example><meta http-equiv=refresh \
            content=0><math><mtext><img src=x onerror=y></mtext></math><video src=x poster=y></video>\n\n\
            [f](//evil.example/x) [g](\\\\evil.example) [h](https://good.example)\n";
        let html = html(hostile);
        for bad in [
            "<script",
            "<img",
            "onerror",
            "onload",
            "onclick",
            "javascript:",
            "vbscript:",
            "data:",
            "<svg",
            "<style",
            "style=",
            "<iframe",
            "<object",
            "<embed",
            "<form",
            "<input",
            "<base",
            "<link",
            "<meta",
            "<video",
            "id=\"q\"",
            "class=\"top\"",
            "src=",
            "//evil.example/x",
        ] {
            assert!(!html.to_lowercase().contains(bad), "{bad}: {html}");
        }
        assert!(html.contains("<a class=\"image\" href=\"https://evil.example/p.png\""), "{html}");
        assert!(
            html.contains("href=\"https://good.example\" rel=\"noopener noreferrer nofollow\""),
            "{html}"
        );
    }

    #[test]
    fn wiki_links_and_embedded_notes_lead_to_pages() {
        assert!(html("[[Meeting notes]]").contains("/open?id=%5B%5BMeeting+notes%5D%5D"));
        assert!(html("![[Meeting notes]]").contains("href=\"/open?id=%5B%5BMeeting+notes%5D%5D"));
        assert!(html("![[photo.png]]").contains("<span class=\"image\">Image: photo.png</span>"));
    }

    #[test]
    fn matches_and_sections_are_marked() {
        let text = "---\ntitle: x\n---\n# A zebra\n\nThe **zebra** & `a zebra`.\n\n```c\nzebra <b>\n```\n";
        let matches: Vec<Span> =
            text.match_indices("zebra").map(|(at, word)| Span::new(at, at + word.len())).collect();
        let (doc, sections) = (doc(), [(4, "a-zebra".to_owned())]);
        let html = DocumentText {
            doc: &doc,
            kind: DocumentKind::Markdown,
            text,
            matches: &matches,
            sections: &sections,
            view: None,
        }
        .html()
        .into_string();
        assert_eq!(html.matches("<mark>zebra</mark>").count(), 4, "{html}");
        assert!(html.starts_with("<h1 id=\"s-a-zebra\">A <mark>"), "{html}");
        assert!(html.contains("<strong><mark>zebra</mark></strong> &amp; <code>a "), "{html}");
        assert!(html.contains("</mark> &lt;b&gt;"), "{html}");
    }

    #[test]
    fn an_excerpt_is_one_line_of_text() {
        let text =
            "...of `a zebra` in [the **zoo**](x.md) <b onclick=x>&amp; | ![img](https://x.example) <script>";
        let matches = [Span::new(9, 14)];
        let doc = doc();
        let line = DocumentText {
            doc: &doc,
            kind: DocumentKind::Markdown,
            text,
            matches: &matches,
            sections: &[],
            view: None,
        }
        .line()
        .into_string();
        assert_eq!(line.trim(), "...of <code>a <mark>zebra</mark></code> in the zoo &amp; | img");
    }

    #[test]
    fn other_formats_are_shown_as_they_are() {
        let doc = "docs:a.rst".parse::<ra_core::id::ChunkId>().expect("an id").doc;
        let sections = [(1, "top".to_owned()), (4, "below".to_owned())];
        let text = "Top\n===\n\nBelow <b>\n-----\n";
        let html = DocumentText {
            doc: &doc,
            kind: DocumentKind::Rst,
            text,
            matches: &[],
            sections: &sections,
            view: None,
        }
        .html()
        .into_string();
        assert!(html.contains("<span id=\"s-below\">Below &lt;b&gt;\n"), "{html}");
    }
}
