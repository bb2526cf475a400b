//! Reads office files: archives of XML parts.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::archive::Archive;
use super::markup::MAX_INPUT_BYTES;
use super::metadata::{Metadata, split_keywords};

/// The start of OLE files: old office files, and encrypted new ones.
const OLE_MAGIC: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

pub(super) const ENCRYPTED: &str = "the file is encrypted";
pub(super) const DAMAGED: &str = "the file is damaged";

/// An open package.
pub(super) struct Package<'b> {
    archive: Archive<'b>,
}

impl<'b> Package<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, String> {
        if bytes.len() > MAX_INPUT_BYTES {
            return Err(format!("the file is larger than {} MiB", MAX_INPUT_BYTES >> 20));
        }
        if bytes.starts_with(&OLE_MAGIC) {
            let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
            let is_encrypted = memchr::memmem::find(bytes, &name).is_some();
            return Err(if is_encrypted { ENCRYPTED } else { "the file has an old office format" }.to_owned());
        }
        Ok(Self { archive: Archive::open(bytes)? })
    }

    /// Returns the text of a part; `None` if the package has no such part.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.archive.contains(name) {
            true => self.archive.read(name).map(|bytes| Some(decoded(bytes))),
            false => Ok(None),
        }
    }

    /// Returns the text of a part that may be missing or damaged.
    pub(super) fn read_optional(&mut self, name: &str) -> String {
        self.read(name).ok().flatten().unwrap_or_default()
    }
}

fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Receives the elements of a part in order.
pub(super) trait Visitor {
    fn start(&mut self, name: &str, element: &Element<'_>);
    fn end(&mut self, name: &str);
    fn text(&mut self, text: &str);
}

/// The start of an element.
pub(super) struct Element<'e>(&'e BytesStart<'e>);

impl Element<'_> {
    /// Returns an attribute by its name with prefix.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        // The check for duplicates compares every attribute with every other.
        let mut attributes = self.0.attributes();
        let attribute =
            attributes.with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name)?;
        let raw: &str = &attribute.value;
        Some(
            quick_xml::escape::unescape(raw)
                .map(|value| value.into_owned())
                .unwrap_or_else(|_| raw.to_string()),
        )
    }
}

/// Passes the elements of a part to a visitor, without those named in `skipped`. Nothing recurses, and entities that a
/// file defines aren't expanded. Returns false if the XML is damaged: the part was read up to there.
pub(super) fn visit(xml: &str, skipped: &[&str], visitor: &mut impl Visitor) -> bool {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    // How many elements are open inside of a skipped one, including itself.
    let mut skipping = 0usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) if skipping > 0 || is_one_of(&element, skipped) => skipping += 1,
            Ok(Event::End(_)) if skipping > 0 => skipping -= 1,
            Ok(Event::Eof) => return true,
            Ok(_) if skipping > 0 => {}
            Ok(Event::Start(element)) => visitor.start(&name_of(&element), &Element(&element)),
            Ok(Event::Empty(element)) if !is_one_of(&element, skipped) => {
                visitor.start(&name_of(&element), &Element(&element));
                visitor.end(&name_of(&element));
            }
            Ok(Event::End(element)) => visitor.end(element.name().as_ref()),
            Ok(Event::Text(text)) => visitor.text(&text),
            Ok(Event::CData(text)) => visitor.text(&text),
            Ok(Event::GeneralRef(reference)) => {
                let escaped = format!("&{};", &*reference);
                visitor.text(&quick_xml::escape::unescape(&escaped).unwrap_or_default());
            }
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn is_one_of(element: &BytesStart<'_>, names: &[&str]) -> bool {
    names.iter().any(|name| element.name().as_ref() == *name)
}

fn name_of(element: &BytesStart<'_>) -> String {
    element.name().as_ref().to_owned()
}

/// Reads the metadata in `docProps/core.xml` or `meta.xml`.
pub(super) fn metadata(xml: &str) -> Metadata {
    #[derive(Default)]
    struct Fields {
        name: String,
        text: String,
        metadata: Metadata,
    }
    impl Visitor for Fields {
        fn start(&mut self, name: &str, _: &Element<'_>) {
            self.name = name.to_owned();
            self.text.clear();
        }
        fn text(&mut self, text: &str) {
            self.text.push_str(text);
        }
        fn end(&mut self, name: &str) {
            if name != self.name || self.text.trim().is_empty() {
                return;
            }
            let text = std::mem::take(&mut self.text);
            let metadata = &mut self.metadata;
            match name {
                "dc:title" => metadata.title = text,
                "dc:subject" => metadata.description = text,
                "dc:description" if metadata.description.is_empty() => metadata.description = text,
                "dc:language" => metadata.lang = text,
                "cp:keywords" | "meta:keyword" => metadata.tags.extend(split_keywords(&text)),
                _ => {}
            }
        }
    }
    let mut fields = Fields::default();
    visit(xml, &[], &mut fields);
    fields.metadata.without_generated_title()
}

/// Packages for tests.
#[cfg(test)]
pub(super) mod testing {
    use super::super::archive::tests::zip;

    /// Returns a package of the parts.
    pub(in super::super) fn package(parts: &[(&str, &str)]) -> Vec<u8> {
        let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        zip(&parts)
    }
}
