//! Invariants of every document, which the rest of the program relies on.

use std::collections::HashSet;

use ra_core::document::{Document, Outline};
use ra_core::text::Span;

/// Only this many nodes are compared in pairs, because more would make the fuzzer slow.
const MAX_COMPARED_NODES: usize = 64;

/// Panics if a document violates an invariant.
pub fn check_document(document: &Document, text: &str) {
    let outline = &document.outline;
    check_tiling(outline, text);
    check_tree(outline, text);
    check_names(outline);
    let lines = text.matches(['\n', '\r']).count() + 1;
    assert!(
        document.warnings.iter().all(|warning| (1..=lines).contains(&warning.line)),
        "{:?}",
        document.warnings
    );
    for link in &document.links {
        assert!(!link.span.is_empty() && text.get(link.span.start..link.span.end).is_some(), "{link:?}");
        assert!((1..=lines).contains(&link.line), "{link:?}");
    }
    if let Some(block) = &document.front_matter {
        assert!(text.get(block.span.start..block.span.end).is_some(), "{block:?}");
    }
    let packed = postcard::to_stdvec(outline).expect("an outline that can be kept");
    let unpacked: Outline = postcard::from_bytes(&packed).expect("an outline that was kept");
    assert_eq!(&unpacked, outline, "packing loses nothing");
}

/// Headings and bodies together cover the whole text, each byte once.
fn check_tiling(outline: &Outline, text: &str) {
    let bodies = outline.nodes.iter().flat_map(|node| outline.body_spans(node.ord));
    let headings = outline.nodes.iter().map(|node| node.heading).filter(|heading| !heading.is_empty());
    let mut pieces: Vec<Span> = bodies.chain(headings).collect();
    pieces.sort();
    let mut at = 0;
    for piece in &pieces {
        assert_eq!(piece.start, at, "{pieces:?}");
        assert!(piece.end > at && text.is_char_boundary(piece.end), "{pieces:?}");
        at = piece.end;
    }
    assert_eq!(at, text.len(), "{pieces:?}");
}

/// Positions are in pre-order, and spans agree with positions about ancestry.
fn check_tree(outline: &Outline, text: &str) {
    let nodes = &outline.nodes;
    for (at, node) in nodes.iter().enumerate() {
        assert_eq!(node.ord as usize, at);
        assert_eq!(outline.children(node.ord).count(), node.children as usize, "{node:?}");
        assert!(outline.children(node.ord).all(|child| child.parent == Some(node.ord)), "{node:?}");
        assert!(node.children > 0 || node.level == 0 || outline.has_body(node.ord, text), "{node:?}");
        assert!(node.lines.0 <= node.lines.1, "{node:?}");
        let _ = outline.breadcrumb(node.ord);
        for other in nodes.iter().take(MAX_COMPARED_NODES) {
            let inside = node.ord <= other.ord && other.ord < node.end;
            let around = node.ord == other.ord || node.span.contains(other.span) && node.ord < other.ord;
            assert_eq!(inside, around, "{node:?} {other:?}");
        }
        if at >= MAX_COMPARED_NODES {
            break;
        }
    }
}

/// Every section has a unique name and is found by it.
fn check_names(outline: &Outline) {
    let slugs: HashSet<_> = outline.nodes.iter().map(|node| node.slug.as_deref()).collect();
    assert_eq!(slugs.len(), outline.nodes.len());
    for node in outline.nodes.iter().take(MAX_COMPARED_NODES) {
        if let Some(slug) = &node.slug {
            assert_eq!(outline.find(slug).map(|found| found.ord), Some(node.ord), "{slug}");
        }
    }
}
