//! Reads which content is a heading from the tags of a document: the tree of its structure, which word processors and
//! browsers write.

use std::collections::{HashMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, MaybeRef, Name, Object, ObjectIdentifier};

use super::page_numbers;

/// How many nodes of the tree are read, and how deep.
const MAX_NODES: usize = 1_000_000;
const MAX_DEPTH: usize = 128;

/// The maximum number of steps from a document's own name of a role to a standard name.
const MAX_ROLE_STEPS: usize = 8;

/// A heading in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HeadingTag {
    pub(super) level: usize,
    /// Tells headings apart that follow each other.
    pub(super) number: usize,
}

/// The headings of a page, by the number of the marked content that they are made of.
pub(super) type PageTags = HashMap<i32, HeadingTag>;

/// A part of the tree that is still to be read.
struct UnreadPart<'a> {
    object: MaybeRef<Object<'a>>,
    depth: usize,
    /// The page and the heading of the element that contains it.
    page: Option<usize>,
    heading: Option<HeadingTag>,
}

/// Returns the headings of every page. They are empty for a document without tags.
pub(super) fn read(pdf: &Pdf) -> Vec<PageTags> {
    let mut tags = vec![PageTags::new(); pdf.pages().len()];
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let Some(root) = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(b"StructTreeRoot")) else {
        return tags;
    };
    let pages = page_numbers(pdf);
    let page_of = |element: &Dict<'_>| pages.get(&element.get_ref(b"Pg")?.into()).copied();
    let roles = root.get::<Dict<'_>>(b"RoleMap").unwrap_or_default();
    let mut visited = HashSet::new();
    let mut left = MAX_NODES;
    let tree = root.get_raw::<Object<'_>>(b"K");
    let mut open: Vec<UnreadPart<'_>> =
        tree.map(|object| UnreadPart { object, depth: 0, page: None, heading: None }).into_iter().collect();
    while let Some(UnreadPart { object, depth, page, heading }) = open.pop() {
        if left == 0 || depth > MAX_DEPTH {
            continue;
        }
        left -= 1;
        let object = match object {
            MaybeRef::NotRef(object) => Some(object),
            MaybeRef::Ref(id) if visited.insert(ObjectIdentifier::from(id)) => pdf.xref().get(id.into()),
            MaybeRef::Ref(_) => None,
        };
        match object {
            Some(Object::Number(content)) => {
                if let (Some(heading), Some(page)) = (heading, page) {
                    tags[page].insert(content.as_f64() as i32, heading);
                }
            }
            Some(Object::Array(parts)) => {
                let part = |object| UnreadPart { object, depth: depth + 1, page, heading };
                open.extend(parts.raw_iter().take(left).map(part));
            }
            // Content of a form has numbers of its own, which aren't those of the page.
            Some(Object::Dict(element)) if !element.contains_key(b"Stm") => {
                let role = element.get::<Name<'_>>(b"S");
                let level = role.and_then(|role| level_of(&role, &roles));
                let heading = heading.or(level.map(|level| HeadingTag { level, number: left }));
                let parts =
                    element.get_raw::<Object<'_>>(if element.contains_key(b"MCID") { "MCID" } else { "K" });
                let page = page_of(&element).or(page);
                open.extend(parts.map(|object| UnreadPart { object, depth: depth + 1, page, heading }));
            }
            _ => {}
        }
    }
    tags
}

/// Returns the level of a heading's role. A document may give roles names of its own.
fn level_of(role: &[u8], roles: &Dict<'_>) -> Option<usize> {
    let mut role = role.to_vec();
    for _ in 0..MAX_ROLE_STEPS {
        match role.as_slice() {
            b"Title" => return Some(1),
            [b'H', digit @ b'1'..=b'6'] => return Some(usize::from(digit - b'0')),
            _ => role = roles.get::<Name<'_>>(&role)?.to_vec(),
        }
    }
    None
}
