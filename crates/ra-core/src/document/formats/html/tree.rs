//! The elements of a page as a flat array in document order. Nothing here recurses, and dropping a tree is dropping an
//! array, so deep nesting costs no stack.

use std::borrow::Cow;

use super::attributes::{Attributes, is_space};
use super::entities;
use super::tag::Tag;
use super::tokens::{HtmlToken, Tokens};

/// Elements nested deeper than this are left out; their text belongs to the deepest element that is kept.
const MAX_DEPTH: usize = 512;

/// The maximum number of nodes. A page of 64 MiB has about 3 million.
const MAX_NODES: usize = 8_000_000;

/// An element or a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct HtmlNode {
    /// Its type.
    pub(super) tag: Tag,
    /// True if it isn't converted, and neither is anything inside it.
    pub(super) is_skipped: bool,
    /// The range in the source: of a text, or of the name and attributes of an element.
    start: u32,
    source_end: u32,
    /// One past the position of its last descendant.
    end: u32,
}

/// A parsed page. Node *a* contains node *b* if and only if `a < b && b < end(a)`.
pub(super) struct Tree<'a> {
    source: &'a str,
    /// All nodes in document order.
    pub(super) nodes: Vec<HtmlNode>,
}

impl<'a> Tree<'a> {
    /// Parses a page. In XML, every element may be self-closing.
    pub(super) fn parse(source: &'a str, is_xml: bool) -> Result<Self, String> {
        if u32::try_from(source.len()).is_err() {
            return Err("the page is too large".to_owned());
        }
        let mut builder = Builder::new(Tree { source, nodes: Vec::new() }, is_xml);
        for token in Tokens::new(source) {
            builder.token(token);
            if builder.tree.nodes.len() > MAX_NODES {
                return Err(format!("the page has more than {MAX_NODES} elements"));
            }
        }
        builder.close_to(0);
        Ok(builder.tree)
    }

    /// Returns one past the position of the node's last descendant.
    pub(super) fn end(&self, at: usize) -> usize {
        self.nodes[at].end as usize
    }

    /// Returns the type of a node.
    pub(super) fn tag(&self, at: usize) -> Tag {
        self.nodes[at].tag
    }

    fn source_of(&self, at: usize) -> &'a str {
        let node = &self.nodes[at];
        &self.source[node.start as usize..node.source_end as usize]
    }

    /// Returns the name of an element as written.
    pub(super) fn name(&self, at: usize) -> &'a str {
        let source = self.source_of(at);
        let end = source.bytes().position(|byte| is_space(byte) || byte == b'/').unwrap_or(source.len());
        &source[..end]
    }

    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, at: usize, name: &str) -> Option<Cow<'a, str>> {
        let start = self.name(at).len();
        Attributes::new(self.source_of(at), start).find(name).map(entities::decode)
    }

    /// True if an attribute has this value, ignoring case.
    pub(super) fn has(&self, at: usize, name: &str, value: &str) -> bool {
        self.attribute(at, name).is_some_and(|found| found.trim().eq_ignore_ascii_case(value))
    }

    /// True if one of the element's classes is accepted.
    pub(super) fn has_class(&self, at: usize, accepted: impl FnMut(&str) -> bool) -> bool {
        self.attribute(at, "class").is_some_and(|classes| classes.split_ascii_whitespace().any(accepted))
    }

    /// Returns the text of a text node.
    pub(super) fn text(&self, at: usize) -> Cow<'a, str> {
        match self.tag(at) {
            Tag::RawText => Cow::Borrowed(self.source_of(at)),
            _ => entities::decode(self.source_of(at)),
        }
    }

    /// Returns the number of bytes of a text node that aren't white space.
    pub(super) fn text_bytes(&self, at: usize) -> usize {
        self.source_of(at).bytes().filter(|byte| !is_space(*byte)).count()
    }

    /// Returns all text inside a node that isn't skipped, as it is in the source. Divisions are on lines of their own.
    pub(super) fn inner_text(&self, at: usize) -> String {
        let mut text = String::new();
        let mut inside = at;
        while inside < self.end(at) {
            let node = &self.nodes[inside];
            match node.tag {
                Tag::Text | Tag::RawText => text.push_str(&self.text(inside)),
                Tag::Br => text.push('\n'),
                Tag::Div if !text.is_empty() && !text.ends_with('\n') => text.push('\n'),
                _ => {}
            }
            inside = if node.is_skipped { self.end(inside) } else { inside + 1 };
        }
        text
    }

    /// Returns the positions of the elements inside a node that have this type.
    pub(super) fn descendants(&self, at: usize, tag: Tag) -> impl Iterator<Item = usize> {
        (at + 1..self.end(at)).filter(move |inside| self.tag(*inside) == tag)
    }
}

/// Builds a tree from tokens. It closes elements whose end tag is optional or missing, like a browser, but never moves
/// an element, so the nodes are in the order of the source.
struct Builder<'a> {
    tree: Tree<'a>,
    is_xml: bool,
    /// The positions of the open elements, outermost first.
    open: Vec<usize>,
    /// How many elements of each type are open.
    open_counts: [u32; Tag::COUNT],
    /// How many open elements are nested too deep to be kept.
    too_deep: usize,
}

impl<'a> Builder<'a> {
    fn new(tree: Tree<'a>, is_xml: bool) -> Self {
        Self { tree, is_xml, open: Vec::new(), open_counts: [0; Tag::COUNT], too_deep: 0 }
    }

    fn token(&mut self, token: HtmlToken) {
        match token {
            HtmlToken::Text { start, end, is_raw } => self.text(start, end, is_raw),
            HtmlToken::Start { tag, start, end, is_self_closing } => {
                self.start(tag, start, end, is_self_closing)
            }
            HtmlToken::End { tag, start, end } => self.end(tag, start, end),
        }
    }

    fn push(&mut self, tag: Tag, start: usize, source_end: usize) -> usize {
        let at = self.tree.nodes.len();
        let end = at as u32 + 1;
        self.tree.nodes.push(HtmlNode {
            tag,
            is_skipped: false,
            start: start as u32,
            source_end: source_end as u32,
            end,
        });
        at
    }

    fn open_tag(&self, depth: usize) -> Tag {
        self.tree.tag(self.open[depth])
    }

    fn is_open(&self, tag: Tag) -> bool {
        self.open_counts[tag as usize] > 0
    }

    /// True if the innermost open element is a heading.
    fn is_in_heading(&self) -> bool {
        self.open.last().is_some_and(|at| self.tree.tag(*at).heading_level().is_some())
    }

    /// Closes elements until only `depth` are open.
    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth
            && let Some(at) = self.open.pop()
        {
            self.tree.nodes[at].end = self.tree.nodes.len() as u32;
            self.open_counts[self.tree.tag(at) as usize] -= 1;
        }
    }

    /// Closes the innermost open element of one of these types, and everything in it, unless it is outside of one of
    /// the types in `scope`.
    fn close_any(&mut self, tags: &[Tag], scope: &[Tag]) {
        if !tags.iter().any(|tag| self.is_open(*tag)) {
            return;
        }
        for depth in (0..self.open.len()).rev() {
            let tag = self.open_tag(depth);
            if tags.contains(&tag) {
                return self.close_to(depth);
            }
            if scope.contains(&tag) {
                return;
            }
        }
    }

    fn text(&mut self, start: usize, end: usize, is_raw: bool) {
        let parent = self.open.last().map(|at| self.tree.tag(*at));
        if start == end || matches!(parent, Some(Tag::Script | Tag::Style)) {
            return;
        }
        let is_blank = self.tree.source.as_bytes()[start..end].iter().all(|byte| is_space(*byte));
        if !is_blank && parent == Some(Tag::Head) {
            self.close_any(&[Tag::Head], &[]);
        }
        self.push(if is_raw { Tag::RawText } else { Tag::Text }, start, end);
    }

    fn start(&mut self, tag: Tag, start: usize, end: usize, is_self_closing: bool) {
        let is_repeated = matches!(tag, Tag::Html | Tag::Body | Tag::Head) && self.is_open(tag);
        if is_repeated {
            return;
        }
        let is_empty = tag.is_void() || is_self_closing && (self.is_xml || tag == Tag::Other);
        if self.open.len() >= MAX_DEPTH && !is_empty {
            self.too_deep += 1;
            return;
        }
        self.close_implied(tag);
        let at = self.push(tag, start, end);
        if !is_empty {
            self.open.push(at);
            self.open_counts[tag as usize] += 1;
        }
    }

    /// Closes the elements that a start tag ends.
    fn close_implied(&mut self, tag: Tag) {
        use Tag::*;
        const CELLS: &[Tag] = &[Td, Th, Caption, Table, Template, Object, Button];
        if self.is_open(Head) && !tag.is_head_content() {
            self.close_any(&[Head], &[Svg, Template]);
        }
        if tag.is_block() && !matches!(tag, Caption | Tbody | Thead | Tfoot | Tr | Td | Th) {
            self.close_any(&[P], CELLS);
        }
        match tag {
            Li => self.close_any(&[Li], &[Ul, Ol, Menu, Dir, Table]),
            Dt | Dd => self.close_any(&[Dt, Dd], &[Dl, Table]),
            Td | Th => self.close_any(&[Td, Th], &[Tr, Table]),
            Tr => self.close_any(&[Tr, Caption], &[Table]),
            Tbody | Thead | Tfoot => self.close_any(&[Tbody, Thead, Tfoot, Caption], &[Table]),
            Option | Optgroup => self.close_any(&[Option], &[Select]),
            A => self.close_any(&[A], CELLS),
            _ if tag.heading_level().is_some() && self.is_in_heading() => self.close_to(self.open.len() - 1),
            _ => {}
        }
    }

    fn end(&mut self, tag: Tag, start: usize, end: usize) {
        // Text after `</body>` still belongs to the body.
        if tag.is_void() || matches!(tag, Tag::Html | Tag::Body) {
            return;
        }
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let is_heading = tag.heading_level().is_some();
        if !is_heading && !self.is_open(tag) {
            return;
        }
        let name = &self.tree.source[start..end];
        for depth in (0..self.open.len()).rev() {
            let open = self.open_tag(depth);
            let is_match = open == tag && (tag != Tag::Other || self.tree.name(self.open[depth]) == name);
            if is_match || is_heading && open.heading_level().is_some() {
                return self.close_to(depth);
            }
            if is_barrier(open, tag) {
                return;
            }
        }
    }
}

/// True if the end tag of an element `outer` is ignored inside an open element `inner`.
fn is_barrier(inner: Tag, outer: Tag) -> bool {
    if outer.is_block() {
        matches!(inner, Tag::Td | Tag::Th | Tag::Caption) && !outer.is_table_part()
            || inner == Tag::Table && outer != Tag::Table
    } else {
        inner.is_block()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders a tree with one pair of parentheses per element.
    fn drawn(source: &str, is_xml: bool) -> String {
        let tree = Tree::parse(source, is_xml).unwrap();
        let mut drawn = String::new();
        let mut ends: Vec<usize> = Vec::new();
        for at in 0..=tree.nodes.len() {
            while ends.pop_if(|end| *end <= at).is_some() {
                drawn.push(')');
            }
            if at == tree.nodes.len() {
                break;
            }
            match tree.tag(at) {
                tag if tag.is_text() => drawn += &tree.text(at),
                _ => {
                    drawn += &format!("({} ", tree.name(at));
                    ends.push(tree.end(at));
                }
            }
        }
        drawn
    }

    #[test]
    fn missing_end_tags_are_added() {
        for (source, expected) in [
            ("<p>a<p>b<div>c</div>d", "(p a)(p b)(div c)d"),
            ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "(ul (li a(ul (li b)))(li c))d"),
            ("<dl><dt>a<dd>b<dt>c</dl>", "(dl (dt a)(dd b)(dt c))"),
            ("<table><tr><td>a<td>b<tr><th>c</table>d", "(table (tr (td a)(td b))(tr (th c)))d"),
            (
                "<table><thead><tr><td>a<tbody><tr><td>b</table>",
                "(table (thead (tr (td a)))(tbody (tr (td b))))",
            ),
            ("<div><table><tr><td>a</div>b</table>c</div>d", "(div (table (tr (td ab)))c)d"),
            ("<b>a<p>b</b>c</p>d", "(b a(p bc)d)"),
            ("<i>a<b>b</i>c</b>d", "(i a(b b))cd"),
            ("<h1>a</h2>b<h2>c<h3>d", "(h1 a)b(h2 c)(h3 d)"),
            ("<a href=x>a<a href=y>b</a>c", "(a a)(a b)c"),
            ("<html><head><title>t</title><p>a</body></html>b", "(html (head (title t))(p ab))"),
            ("<head><body>a<body>b", "(head )(body ab)"),
            ("a</b></p>b<br></br>c", "ab(br )c"),
            ("<x-a>a<x-b>b</x-a>c", "(x-a a(x-b b))c"),
            ("<x/>a<div/>b", "(x )a(div b)"),
        ] {
            assert_eq!(drawn(source, false), expected, "{source}");
        }
        assert_eq!(drawn("<a id='x'/>a<p/>b<title/>c", true), "(a )a(p )b(title )c");
    }

    #[test]
    fn attributes_are_decoded_when_they_are_asked_for() {
        let tree = Tree::parse("<a HREF='x?a&amp;b' class='one two'>", false).unwrap();
        assert_eq!(tree.attribute(0, "href").as_deref(), Some("x?a&b"));
        assert!(tree.has_class(0, |class| class == "two") && !tree.has_class(0, |class| class == "on"));
        assert_eq!(tree.attribute(0, "id"), None);
    }

    #[test]
    fn elements_that_are_nested_too_deep_only_keep_their_text() {
        let source = format!("{}x{}y", "<div>".repeat(2_000), "</div>".repeat(2_000));
        let tree = Tree::parse(&source, false).unwrap();
        assert_eq!(tree.nodes.len(), MAX_DEPTH + 2);
        assert_eq!(tree.end(0), MAX_DEPTH + 1);
    }
}
