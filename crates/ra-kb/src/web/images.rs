//! Images of the trees, which documents may name. Only raster images are sent: an SVG file is a document of its own,
//! which could contain scripts and links.

use std::fs::File;
use std::io::Read;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ra_core::config::{Config, Tree};
use ra_core::corpus::{NotOpened, open_named};
use ra_core::files;
use ra_core::id::DocId;

use super::document_links::path_in_tree;
use super::{WebState, failed, frame};

/// The largest image that is sent.
const MAX_IMAGE_BYTES: u64 = 16 << 20;

/// How many bytes tell the type of an image.
const SIGNATURE_BYTES: u64 = 12;

/// The extensions of images, in lower case.
const EXTENSIONS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "avif"];

/// Why an image isn't shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotShown {
    File(NotOpened),
    LeadsOut,
    TooLarge,
    WrongType,
}

impl NotShown {
    /// Returns the reason in words.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::File(NotOpened::Missing) => "there is no such file",
            Self::File(NotOpened::Link) => "its path has a symbolic link",
            Self::File(NotOpened::Barred) => "the file is hidden, ignored or excluded",
            Self::File(NotOpened::OutsideProject) => "its tree is outside the project",
            Self::File(NotOpened::Unreadable) => "the file can't be read",
            Self::LeadsOut => "its path leads out of the tree",
            Self::TooLarge => "it is larger than 16 MiB",
            Self::WrongType => "it is not a PNG, JPEG, GIF, WebP or AVIF file",
        }
    }
}

/// Sends an image by its tree and path.
pub(super) async fn image(State(web): WebState, Path((tree, path)): Path<(String, String)>) -> Response {
    let found = web.with_index(move |reader| Ok(load(reader.kb().config(), &tree, &path))).await;
    match found {
        Ok(Ok((content_type, bytes))) => ([(header::CONTENT_TYPE, content_type)], bytes).into_response(),
        Ok(Err(reason)) => {
            frame::text(StatusCode::NOT_FOUND, format!("no image is shown: {}\n", reason.as_str()))
        }
        Err(error) => failed(error, StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// Returns the path below the root of its tree of an image that a document names.
pub(super) fn resolve(tree: &Tree, doc: &DocId, link: &str) -> Result<String, NotShown> {
    let mut reason = NotShown::LeadsOut;
    for path in likely_paths(tree, doc, link) {
        match open(tree, &path) {
            Ok(_) => return Ok(path),
            // The first path is what the link says.
            Err(found) if reason == NotShown::LeadsOut => reason = found,
            Err(_) => {}
        }
    }
    Err(reason)
}

/// Returns the paths that a link may mean: below its document, below the roots of links that begin with `/`, or, as in
/// Obsidian, below the root of the tree.
fn likely_paths(tree: &Tree, doc: &DocId, link: &str) -> Vec<String> {
    let mut paths: Vec<String> = path_in_tree(doc, link).into_iter().collect();
    let from_root = path_in_tree(doc, &format!("/{}", link.trim_start_matches('/')));
    let Some(from_root) = from_root.filter(|_| !paths.is_empty()) else { return paths };
    if link.starts_with('/') {
        paths.extend(tree.link_roots.iter().filter_map(|root| root.path_below(&from_root)));
    }
    paths.push(from_root);
    paths
}

/// Opens an image and tells its type.
fn open(tree: &Tree, path: &str) -> Result<(&'static str, File), NotShown> {
    if !has_image_extension(path) {
        return Err(NotShown::WrongType);
    }
    let mut file = open_named(tree, path).map_err(NotShown::File)?;
    let unreadable = |_| NotShown::File(NotOpened::Unreadable);
    if file.metadata().map_err(unreadable)?.len() > MAX_IMAGE_BYTES {
        return Err(NotShown::TooLarge);
    }
    let mut start = Vec::new();
    file.by_ref().take(SIGNATURE_BYTES).read_to_end(&mut start).map_err(unreadable)?;
    Ok((content_type(&start).ok_or(NotShown::WrongType)?, file))
}

fn load(config: &Config, tree: &str, path: &str) -> Result<(&'static str, Vec<u8>), NotShown> {
    let tree = config.tree(tree).ok_or(NotShown::File(NotOpened::Missing))?;
    let (content_type, mut file) = open(tree, path)?;
    let unreadable = |_| NotShown::File(NotOpened::Unreadable);
    std::io::Seek::rewind(&mut file).map_err(unreadable)?;
    let bytes = files::read_all(&mut file, MAX_IMAGE_BYTES).map_err(unreadable)?;
    Ok((content_type, bytes))
}

/// True if a path or link has the extension of an image.
pub(super) fn has_image_extension(path: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}

/// Returns the content type that the first bytes of a file show. The extension proves nothing.
fn content_type(start: &[u8]) -> Option<&'static str> {
    match start {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => Some("image/avif"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_type() {
        for (start, expected) in [
            (&b"\x89PNG\r\n\x1a\n...."[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a", Some("image/gif")),
            (b"RIFF\x10\0\0\0WEBP", Some("image/webp")),
            (b"\0\0\0\x20ftypavif", Some("image/avif")),
            (b"\0\0\0\x20ftypmp42", None),
            (b"<svg xmlns=\"", None),
            (b"<?xml versio", None),
            (b"<html>", None),
            (b"GIF88a", None),
            (b"", None),
        ] {
            assert_eq!(content_type(start), expected, "{start:?}");
        }
        for (path, expected) in
            [("a.PNG", true), ("a.png?raw=true", true), ("a.svg", false), ("a.png.md", false), ("png", false)]
        {
            assert_eq!(has_image_extension(path), expected, "{path}");
        }
    }
}
