//! What the page of a document adds to its sanitized HTML: images, and links that open sections in an editor.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use maud::{Markup, html};
use ra_core::config::Tree;
use ra_core::id::DocId;

use super::document_links::{is_remote, origin};
use super::editor::Editor;
use super::html_tags::{HtmlPart, StartTag, parts};
use super::images;
use super::links::{ANCHOR, path_url};

/// How many images of one document are looked for on the disk.
const MAX_IMAGES: usize = 1000;

/// How a document is shown on its own page.
pub(super) struct ReadingView<'a> {
    /// The tree of the document.
    pub(super) tree: &'a Tree,
    /// The editor and the file; `None` if there is no editor, or the lines aren't those of the file.
    pub(super) editor: Option<(&'a Editor, &'a Path)>,
    /// The lines of the file where sections begin, by slug.
    pub(super) lines: HashMap<&'a str, usize>,
    /// The site whose images the reader has asked for.
    pub(super) shown_site: Option<&'a str>,
    /// The sites with images that aren't shown, and the number of these.
    pub(super) other_sites: RefCell<BTreeMap<String, usize>>,
    /// How many images were looked for.
    pub(super) images: Cell<usize>,
}

/// Returns sanitized HTML with its images made into what the view shows. Without a view, they are only named.
pub(super) fn finished(html: &str, doc: &DocId, view: Option<&ReadingView<'_>>) -> String {
    let mut finished = String::with_capacity(html.len() + html.len() / 8);
    let mut is_in_link = false;
    let mut heading_slug: Option<String> = None;
    for part in parts(html) {
        match part {
            HtmlPart::Start(tag) if tag.name == "img" => {
                finished.push_str(&image(&tag, doc, view, is_in_link).into_string());
                continue;
            }
            HtmlPart::Start(tag) if tag.name == "a" => is_in_link = true,
            HtmlPart::End("a") => is_in_link = false,
            HtmlPart::Start(tag) if is_heading(tag.name) => {
                heading_slug = tag.attribute("id").and_then(|id| id.strip_prefix(ANCHOR).map(str::to_owned));
            }
            HtmlPart::End(name) if is_heading(name) => {
                let link = view.zip(heading_slug.take()).and_then(|(view, slug)| view.edit_link(&slug));
                finished.push_str(&link.map(Markup::into_string).unwrap_or_default());
            }
            _ => {}
        }
        match part {
            HtmlPart::Text(text) => finished.push_str(text),
            HtmlPart::Start(tag) => finished.push_str(tag.source),
            HtmlPart::End(name) => finished.push_str(&format!("</{name}>")),
        }
    }
    finished
}

fn is_heading(name: &str) -> bool {
    matches!(name.as_bytes(), [b'h', b'1'..=b'6'])
}

impl ReadingView<'_> {
    /// Returns a link that opens the editor where a section begins.
    pub(super) fn edit_link(&self, slug: &str) -> Option<Markup> {
        let ((editor, file), line) = (self.editor?, *self.lines.get(slug)?);
        Some(html! {
            a .edit href=(editor.link(file, line)) data-line=(line) {
                "Edit" span .visually-hidden { " line " (line) " in the editor" }
            }
        })
    }

    /// Returns the address of an image in a tree, or why it isn't shown.
    fn image_url(&self, doc: &DocId, link: &str) -> Result<String, &'static str> {
        self.images.set(self.images.get() + 1);
        if self.images.get() > MAX_IMAGES {
            return Err("the document has too many images");
        }
        let path = images::resolve(self.tree, doc, link).map_err(images::NotShown::as_str)?;
        Ok(path_url("image", doc.tree.as_str(), &path))
    }
}

/// Returns what is shown in place of an image. To load one from another site tells that site what is read, so this
/// takes a click.
fn image(tag: &StartTag<'_>, doc: &DocId, view: Option<&ReadingView<'_>>, is_in_link: bool) -> Markup {
    let url = tag.attribute("src").unwrap_or_default();
    let alt = tag.attribute("alt").unwrap_or_default();
    let size = |name| tag.attribute(name).filter(|size| size.bytes().all(|byte| byte.is_ascii_digit()));
    let picture = |url: &str| {
        html! { img src=(url) alt=(alt) width=[size("width")] height=[size("height")] loading="lazy"; }
    };
    let file_name = url.split(['?', '#']).next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let name = if alt.trim().is_empty() { file_name } else { alt.trim() };
    if is_remote(&url) {
        let site = origin(&url);
        if site.is_some() && view.is_some_and(|view| view.shown_site == site.as_deref()) {
            return picture(&url);
        }
        if let Some((view, site)) = view.zip(site) {
            *view.other_sites.borrow_mut().entry(site).or_default() += 1;
        }
        let host = url.split('/').nth(2).unwrap_or_default();
        return match is_in_link {
            true => html! { span .image { "Image: " (name) " (" (host) ")" } },
            false => html! {
                a .image href=(url) rel="noopener noreferrer nofollow" { "Image: " (name) " (" (host) ")" }
            },
        };
    }
    let Some(view) = view.filter(|_| !url.is_empty()) else {
        return html! { span .image { "Image: " (name) } };
    };
    match view.image_url(doc, &url) {
        Ok(url) => picture(&url),
        Err(reason) => html! { span .image { "Image: " (name) " (not shown: " (reason) ")" } },
    }
}
