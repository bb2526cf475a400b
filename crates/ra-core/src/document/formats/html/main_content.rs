//! Finds the main content of a page and skips navigation, forms and what isn't shown.

use super::known_names::{CONTAINERS, CONTENTS, NAVIGATION, PERMALINKS};
use super::tag::Tag;
use super::tree::Tree;

/// The kind of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    /// A page of a website, with navigation around its content.
    Website,
    /// A chapter of a book, which is all content.
    Chapter,
}

/// The main content of a page, with a count of its text.
pub(super) struct Content {
    /// The positions of the first and one past the last node.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The heading of the page, if it is before the first node.
    pub(super) title: Option<usize>,
    /// How much text comes before each node, in bytes without white space. Skipped text doesn't count.
    text_before: Vec<u32>,
    /// How much of it is in links.
    link_text_before: Vec<u32>,
    /// The positions of all headings.
    headings: Vec<usize>,
}

impl Content {
    /// Finds the main content of a page, and marks the nodes that aren't part of it as skipped.
    pub(super) fn find(tree: &mut Tree<'_>, kind: PageKind) -> Self {
        let mut content = ContentScan::new(tree, kind, true).run();
        if content.text_between(content.start, content.end) == 0 {
            // Everything is navigation, which makes it the content.
            tree.nodes.iter_mut().for_each(|node| node.is_skipped = false);
            content = ContentScan::new(tree, kind, false).run();
        }
        content
    }

    /// Returns how much text comes before a node.
    pub(super) fn text_before(&self, at: usize) -> u32 {
        self.text_before[at]
    }

    /// Returns how much text is between two nodes.
    pub(super) fn text_between(&self, start: usize, end: usize) -> u32 {
        self.text_before[end] - self.text_before[start]
    }

    fn link_text_between(&self, start: usize, end: usize) -> u32 {
        self.link_text_before[end] - self.link_text_before[start]
    }

    /// True if there is a heading between two nodes.
    pub(super) fn has_heading(&self, start: usize, end: usize) -> bool {
        let next = self.headings.partition_point(|heading| *heading < start);
        self.headings.get(next).is_some_and(|heading| *heading < end)
    }

    /// Skips lists of links before the first and after the last text of the page, unless they are most of it.
    fn skip_link_lists(&mut self, tree: &mut Tree<'_>) {
        let lists: Vec<usize> = self.link_lists(tree);
        let text: u32 = lists.iter().map(|list| self.text_between(*list, tree.end(*list))).sum();
        if text * 2 < self.text_between(self.start, self.end) {
            lists.iter().for_each(|list| tree.nodes[*list].is_skipped = true);
        }
    }

    fn link_lists(&self, tree: &Tree<'_>) -> Vec<usize> {
        const MIN_LINKS_TEXT: u32 = 20;
        const MAX_OTHER_TEXT: u32 = 40;
        let plain =
            |start: usize, end: usize| self.text_between(start, end) - self.link_text_between(start, end);
        let mut lists = Vec::new();
        let mut at = self.start;
        while at < self.end {
            let end = tree.end(at);
            let links = self.link_text_between(at, end);
            let is_list = matches!(tree.tag(at), Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir);
            let is_dense = links > MIN_LINKS_TEXT && links * 10 >= self.text_between(at, end) * 9;
            let is_first = plain(self.start, at) < MAX_OTHER_TEXT && !self.has_heading(self.start, at);
            let is_last = plain(end, self.end) < MAX_OTHER_TEXT && !self.follows_heading(at);
            let is_navigation = is_list && is_dense && (is_first || is_last);
            if is_navigation {
                lists.push(at);
            }
            at = if is_navigation || tree.nodes[at].is_skipped { end } else { at + 1 };
        }
        lists
    }

    /// True if there is no text between a node and the heading before it.
    fn follows_heading(&self, at: usize) -> bool {
        let next = self.headings.partition_point(|heading| *heading < at);
        let Some(heading) = next.checked_sub(1).map(|before| self.headings[before]) else { return false };
        // The nodes of a heading are few; its text ends before the next block.
        self.text_between(heading, at) < 80
    }
}

/// One pass over a page.
struct ContentScan<'t, 's> {
    tree: &'t mut Tree<'s>,
    kind: PageKind,
    skips_navigation: bool,
    content: Content,
    /// The candidates for the main content: `<main>`, `<article>` and known containers.
    mains: Vec<usize>,
    articles: Vec<usize>,
    containers: Vec<(usize, usize)>,
    /// The positions of all headings of level 1.
    titles: Vec<usize>,
    /// Where the outermost `<main>` or `<article>` ends.
    main_end: usize,
}

impl<'t, 's> ContentScan<'t, 's> {
    fn new(tree: &'t mut Tree<'s>, kind: PageKind, skips_navigation: bool) -> Self {
        let end = tree.nodes.len();
        let content = Content {
            start: 0,
            end,
            title: None,
            text_before: Vec::with_capacity(end + 1),
            link_text_before: Vec::with_capacity(end + 1),
            headings: Vec::new(),
        };
        let titles = (0..end).filter(|at| tree.tag(*at) == Tag::H1).collect();
        let (mains, articles, containers) = (Vec::new(), Vec::new(), Vec::new());
        Self { tree, kind, skips_navigation, content, mains, articles, containers, titles, main_end: 0 }
    }

    fn run(mut self) -> Content {
        self.count();
        if self.kind == PageKind::Website && self.skips_navigation {
            match self.root() {
                Some(root) => self.limit_to(root),
                None => self.content.skip_link_lists(self.tree),
            }
        }
        self.content
    }

    /// Narrows the content to an element. A container may lack the heading of its page; it is then the one before it.
    fn limit_to(&mut self, root: usize) {
        let end = self.tree.end(root);
        (self.content.start, self.content.end) = (root, end);
        let is_container = self.containers.iter().any(|(_, at)| *at == root);
        let is_title = |at: &&usize| **at < root && self.tree.tag(**at) == Tag::H1;
        if is_container && !self.has_title(root) {
            self.content.title = self.content.headings.iter().rev().find(is_title).copied();
        }
    }

    /// Counts text, marks skipped nodes and collects candidates for the main content.
    fn count(&mut self) {
        let (mut text, mut link_text, mut link_end) = (0, 0, 0);
        let mut at = 0;
        while at < self.tree.nodes.len() {
            self.content.text_before.push(text);
            self.content.link_text_before.push(link_text);
            let tag = self.tree.tag(at);
            let end = self.tree.end(at);
            if tag.is_text() {
                let bytes = self.tree.text_bytes(at) as u32;
                text += bytes;
                link_text += if at < link_end { bytes } else { 0 };
            } else if self.is_skipped(at) {
                self.tree.nodes[at].is_skipped = true;
                self.content.text_before.resize(end, text);
                self.content.link_text_before.resize(end, link_text);
                at = end;
                continue;
            } else {
                self.element(at, tag);
                link_end = if tag == Tag::A { end } else { link_end };
            }
            at += 1;
        }
        self.content.text_before.push(text);
        self.content.link_text_before.push(link_text);
    }

    fn element(&mut self, at: usize, tag: Tag) {
        let is_main = tag == Tag::Main || self.tree.has(at, "role", "main");
        if is_main {
            self.mains.push(at);
        } else if tag == Tag::Article || self.tree.has(at, "itemprop", "articleBody") {
            self.articles.push(at);
        } else if tag.is_block() && tag != Tag::Body {
            let rank = |name: &str| CONTAINERS.iter().position(|known| *known == name);
            let mut found = None;
            any_name(self.tree, at, |name| {
                found = rank(name);
                found.is_some()
            });
            self.containers.extend(found.map(|rank| (rank, at)));
        }
        if is_main || tag == Tag::Article {
            self.main_end = self.main_end.max(self.tree.end(at));
        }
        if tag.heading_level().is_some() {
            self.content.headings.push(at);
        }
    }

    /// Returns the element with the main content. It must contain a good part of the text that isn't navigation.
    fn root(&mut self) -> Option<usize> {
        let total = self.content.text_between(0, self.tree.nodes.len());
        let text = |at: &usize| self.content.text_between(*at, self.tree.end(*at));
        let largest = |candidates: &[usize], parts: u32| {
            // The first of several with the same text is the outermost.
            let largest = candidates.iter().copied().rev().max_by_key(text);
            largest.filter(|at| text(at) >= 1 && text(at) as u64 * 4 >= u64::from(total) * u64::from(parts))
        };
        let in_order = || {
            let mut ranked = self.containers.clone();
            ranked.sort();
            ranked.into_iter().find_map(|(_, at)| largest(&[at], 2))
        };
        largest(&self.mains, 1).or_else(|| largest(&self.articles, 2)).or_else(in_order)
    }

    fn is_skipped(&self, at: usize) -> bool {
        use Tag::*;
        let tag = self.tree.tag(at);
        #[rustfmt::skip]
        let is_never_shown = matches!(
            tag,
            Annotation | Audio | Button | Canvas | Datalist | Dialog | Embed | Head | Iframe | Input | Meter
                | Noembed | Noframes | Noscript | Option | Progress | Rp | Script | Select | Style | Svg
                | Template | Textarea | Title | Video
        );
        if is_never_shown {
            return true;
        }
        let is_hidden = self.tree.attribute(at, "hidden").is_some_and(|value| value != "until-found")
            || self.tree.has(at, "aria-hidden", "true");
        is_hidden || self.is_permalink(at) || self.skips_navigation && self.is_navigation(at, tag)
    }

    fn is_navigation(&self, at: usize, tag: Tag) -> bool {
        let is_in_main = at < self.main_end;
        match tag {
            Tag::Html | Tag::Body | Tag::Main => return false,
            Tag::Nav => return true,
            _ if self.kind == PageKind::Chapter => return false,
            Tag::Footer | Tag::Search => return true,
            Tag::Aside => return !is_in_main,
            Tag::Header if !is_in_main && !self.has_title(at) => return true,
            _ => {}
        }
        let role = self.tree.attribute(at, "role").unwrap_or_default();
        matches!(
            &*role,
            "navigation" | "banner" | "contentinfo" | "search" | "menubar" | "toolbar" | "doc-toc"
        ) || any_name(self.tree, at, |name| NAVIGATION.binary_search(&name).is_ok())
            && !self.has_title(at)
            && !self.is_prose(at)
            || any_name(self.tree, at, is_contents) && self.links_to_itself(at)
            || tag.is_block() && self.has_page_turners(at)
    }

    /// True if an element contains the heading of the page, so it isn't only navigation.
    fn has_title(&self, at: usize) -> bool {
        let next = self.titles.partition_point(|title| *title < at);
        self.titles.get(next).is_some_and(|title| *title < self.tree.end(at))
    }

    /// True if an element has sentences outside of links: some generators call boxes in the text `sidebar`.
    fn is_prose(&self, at: usize) -> bool {
        const MAX_NODES: usize = 2_000;
        const MIN_PROSE_BYTES: usize = 100;
        let (mut text, mut link_text, mut link_end, mut paragraphs) = (0, 0, 0, 0);
        for inside in (at + 1..self.tree.end(at)).take(MAX_NODES) {
            match self.tree.tag(inside) {
                Tag::A => link_end = self.tree.end(inside),
                Tag::P => paragraphs += 1,
                Tag::Text if inside < link_end => link_text += self.tree.text_bytes(inside),
                Tag::Text => text += self.tree.text_bytes(inside),
                _ => {}
            }
        }
        paragraphs > 0 && text >= MIN_PROSE_BYTES && text > 4 * link_text
    }

    /// True if most of an element is links, and most of these lead to other parts of the same page.
    fn links_to_itself(&self, at: usize) -> bool {
        const MAX_NODES: usize = 2_000;
        let (mut links, mut local_links, mut text, mut link_text, mut link_end) = (0, 0, 0, 0, 0);
        for inside in (at + 1..self.tree.end(at)).take(MAX_NODES) {
            match self.tree.tag(inside) {
                Tag::A => {
                    let href = self.tree.attribute(inside, "href").unwrap_or_default();
                    links += 1;
                    local_links += usize::from(href.starts_with('#'));
                    link_end = self.tree.end(inside);
                }
                Tag::Text if inside < link_end => link_text += self.tree.text_bytes(inside),
                Tag::Text => text += self.tree.text_bytes(inside),
                _ => {}
            }
        }
        links >= 2 && local_links * 2 > links && link_text > text
    }

    /// True if an element is little more than two links like "next" and "previous".
    fn has_page_turners(&self, at: usize) -> bool {
        const MAX_NODES: usize = 60;
        const MAX_TEXT_BYTES: usize = 80;
        let tree = &self.tree;
        if tree.end(at) - at > MAX_NODES {
            return false;
        }
        let (mut turners, mut text, mut link_end) = (0, 0, 0);
        for inside in at + 1..tree.end(at) {
            match tree.tag(inside) {
                Tag::A => {
                    turners += usize::from(self.is_page_turner(inside));
                    link_end = tree.end(inside);
                }
                tag if tag.heading_level().is_some() => return false,
                tag if tag.is_text() && inside >= link_end => text += tree.text_bytes(inside),
                _ => {}
            }
        }
        turners >= 2 && text <= MAX_TEXT_BYTES
    }

    fn is_page_turner(&self, link: usize) -> bool {
        let rel = self.tree.attribute(link, "rel").unwrap_or_default();
        matches!(&*rel, "next" | "prev" | "previous" | "up" | "start")
            || self.tree.attribute(link, "accesskey").is_some()
    }

    /// True for the link beside a heading that leads to that heading.
    fn is_permalink(&self, at: usize) -> bool {
        const MAX_NODES: usize = 6;
        let tree = &self.tree;
        let leads_to_part = || tree.attribute(at, "href").is_some_and(|href| href.contains('#'));
        if tree.tag(at) != Tag::A || tree.end(at) - at > MAX_NODES || !leads_to_part() {
            return false;
        }
        let has_image = tree.descendants(at, Tag::Img).next().is_some();
        !has_image && PERMALINKS.contains(&tree.inner_text(at).trim())
    }
}

/// True if an id or class looks like that of a table of contents.
fn is_contents(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CONTENTS.iter().any(|part| name.contains(part))
}

/// True if the id or a class of an element is accepted.
fn any_name(tree: &Tree<'_>, at: usize, mut accepted: impl FnMut(&str) -> bool) -> bool {
    tree.attribute(at, "id").is_some_and(|id| accepted(&id)) || tree.has_class(at, accepted)
}
