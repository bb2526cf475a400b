//! Keeps HTML from the sanitizer that would take it too long.
//!
//! The sanitizer's parser, `html5ever`, walks its stack of open elements for most tags, so deep nesting costs quadratic
//! time. Only the parser knows what is open: it has rules for tables, lists, formatting, SVG and comments. So this
//! module runs the same parser, in pieces and without building a tree, and stops at the limit.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, Tracer, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ExpandedName, LocalName, ParseOpts, QualName, local_name, ns, parse_fragment};

use super::html_attributes::most_attributes;

/// How many elements may be open at once. The parser holds a few more than the text opens.
const MAX_OPEN_ELEMENTS: usize = 500;

/// How often the parser may do what takes time in proportion to all that came before.
const MAX_SLOW_STEPS: usize = 1000;

/// How many attributes one tag may have. The parser compares each with all before it.
const MAX_ATTRIBUTES: usize = 1000;

/// How much is parsed between two looks at the open elements: few enough bytes to open only some hundreds.
const CHUNK_BYTES: usize = 1024;

/// True if the sanitizer takes time in proportion to the length of this HTML.
pub(super) fn is_within_limits(html: &str) -> bool {
    if most_attributes(html) > MAX_ATTRIBUTES {
        return false;
    }
    // The sanitizer parses fragments of a `div` too.
    let context = QualName::new(None, ns!(html), local_name!("div"));
    let mut parser =
        parse_fragment(CountingSink::default(), ParseOpts::default(), context, Vec::new(), false);
    let mut rest = html;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES));
        rest = after;
        parser.process(StrTendril::from_slice(chunk));
        let builder = &parser.tokenizer.sink;
        let open = HandleCount::default();
        builder.trace_handles(&open);
        if open.0.get() > MAX_OPEN_ELEMENTS || builder.sink.slow_steps.get() > MAX_SLOW_STEPS {
            return false;
        }
    }
    true
}

/// An element, or a node that has no name.
struct Node {
    name: QualName,
    is_annotation_with_html: bool,
}

impl Node {
    fn nameless() -> Rc<Self> {
        let name = QualName::new(None, ns!(), LocalName::default());
        Rc::new(Self { name, is_annotation_with_html: false })
    }
}

/// Counts the nodes that the parser holds: the open elements, and the formatting to open again in the next block.
#[derive(Default)]
struct HandleCount(Cell<usize>);

impl Tracer for HandleCount {
    type Handle = Rc<Node>;

    fn trace_handle(&self, _node: &Rc<Node>) {
        self.0.set(self.0.get() + 1);
    }
}

/// Answers the parser without building a tree.
#[derive(Default)]
struct CountingSink {
    slow_steps: Cell<usize>,
}

impl CountingSink {
    fn count_slow_steps(&self, steps: usize) {
        self.slow_steps.set(self.slow_steps.get() + steps);
    }
}

impl TreeSink for CountingSink {
    type Handle = Rc<Node>;
    type Output = ();
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) {}

    fn get_document(&self) -> Rc<Node> {
        Node::nameless()
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<Node>) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn same_node(&self, x: &Rc<Node>, y: &Rc<Node>) -> bool {
        Rc::ptr_eq(x, y)
    }

    fn create_element(&self, name: QualName, _attrs: Vec<Attribute>, flags: ElementFlags) -> Rc<Node> {
        // Each of these can leave a marker in the list of formatting elements that nothing removes.
        let leaves_marker =
            [local_name!("applet"), local_name!("marquee"), local_name!("object"), local_name!("template")];
        if leaves_marker.contains(&name.local) {
            self.count_slow_steps(1);
        }
        Rc::new(Node { name, is_annotation_with_html: flags.mathml_annotation_xml_integration_point })
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Rc<Node>) -> bool {
        node.is_annotation_with_html
    }

    /// Moves what is misplaced in a table to before the table, whose place the sanitizer looks for each time.
    fn append_based_on_parent_node(
        &self,
        _element: &Rc<Node>,
        _previous: &Rc<Node>,
        _child: NodeOrText<Rc<Node>>,
    ) {
        self.count_slow_steps(1);
    }

    fn append_before_sibling(&self, _sibling: &Rc<Node>, _new_node: NodeOrText<Rc<Node>>) {
        self.count_slow_steps(1);
    }

    /// Adds to the attributes of `html` or `body`, all of which the sanitizer compares each time.
    fn add_attrs_if_missing(&self, _target: &Rc<Node>, attrs: Vec<Attribute>) {
        self.count_slow_steps(1 + attrs.len());
    }

    fn create_comment(&self, _text: StrTendril) -> Rc<Node> {
        Node::nameless()
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Rc<Node> {
        Node::nameless()
    }

    fn get_template_contents(&self, _target: &Rc<Node>) -> Rc<Node> {
        Node::nameless()
    }

    fn append(&self, _parent: &Rc<Node>, _child: NodeOrText<Rc<Node>>) {}
    fn append_doctype_to_document(&self, _name: StrTendril, _public_id: StrTendril, _system_id: StrTendril) {}
    fn parse_error(&self, _message: Cow<'static, str>) {}
    fn remove_from_parent(&self, _target: &Rc<Node>) {}
    fn reparent_children(&self, _node: &Rc<Node>, _new_parent: &Rc<Node>) {}
    fn set_quirks_mode(&self, _mode: QuirksMode) {}
}
