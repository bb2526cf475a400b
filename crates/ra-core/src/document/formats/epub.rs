//! Converts EPUB books to markdown: every chapter in reading order.

use std::collections::{HashMap, HashSet};

use super::archive::Archive;
use super::html::{self, Xml};
use super::markup::{MAX_OUTPUT_BYTES, output_too_large};
use super::metadata::Metadata;
use crate::document::{Fences, path_parts, percent_decode};

/// The methods of `encryption.xml` that only obfuscate fonts.
const FONT_OBFUSCATION: &[&str] = &["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// Converts the bytes of a book to markdown. The error is a reason for people.
pub(super) fn convert(bytes: &[u8]) -> Result<String, String> {
    let mut archive = Archive::open(bytes)?;
    if is_encrypted(&mut archive) {
        return Err("the book is encrypted".to_owned());
    }
    let package_path = package_path(&mut archive)?;
    let source = archive.read(&package_path)?;
    let source = html::decode(&source);
    let package = Package::read(&Xml::parse(&source)?, folder(&package_path));
    let titles = package.chapter_titles(&mut archive);
    let mut markdown = package.metadata.front_matter();
    // Where the last chapter begins.
    let mut last = markdown.len();
    let mut problem = None;
    let names: HashSet<&str> = package.chapters.iter().map(|path| file_name(path)).collect();
    for path in &package.chapters {
        match archive.read(path).and_then(|bytes| html::convert_chapter(&bytes)) {
            Ok(chapter) => {
                let chapter = with_links_inside(&chapter, &names);
                if is_title_page(&markdown[last..], &chapter) {
                    markdown.truncate(last);
                }
                last = markdown.len();
                push_chapter(&mut markdown, &chapter, titles.get(path));
            }
            Err(reason) => problem = problem.or(Some(reason)),
        }
        if markdown.len() > MAX_OUTPUT_BYTES {
            return Err(output_too_large());
        }
    }
    // A book without one of its chapters is better than none.
    match problem {
        Some(reason) if markdown.len() == package.metadata.front_matter().len() => Err(reason),
        _ => Ok(markdown),
    }
}

/// Returns a chapter whose links to other chapters lead to the same place in the whole book.
fn with_links_inside(chapter: &str, chapter_names: &HashSet<&str>) -> String {
    let mut changed = String::with_capacity(chapter.len());
    let mut rest = chapter;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at + 2);
        let target = &after[..after.find([')', '\n']).unwrap_or(after.len())];
        let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
        let is_chapter = !path.contains(':') && chapter_names.contains(file_name(path));
        changed.push_str(before);
        match is_chapter {
            true => changed.extend(["#", fragment]),
            false => changed.push_str(target),
        }
        rest = &after[target.len()..];
    }
    changed + rest
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// True if a chapter is only the heading that the next one begins with. It would be a section without text. A heading
/// with an id of its own stays, because a link may lead to it.
fn is_title_page(chapter: &str, next: &str) -> bool {
    fn heading(text: &str) -> Option<(&str, Option<&str>)> {
        let line = text.trim_start().lines().next()?.strip_prefix('#')?;
        let title = line.trim_start_matches('#').trim();
        Some(title.split_once(" {#").map_or((title, None), |(title, id)| (title, Some(id))))
    }
    let (Some((title, id)), Some((next_title, next_id))) = (heading(chapter), heading(next)) else {
        return false;
    };
    chapter.trim().lines().count() == 1 && title == next_title && (id.is_none() || id == next_id)
}

/// Adds a chapter, under its title in the table of contents if it has no heading.
fn push_chapter(markdown: &mut String, chapter: &str, title: Option<&String>) {
    if chapter.trim().is_empty() {
        return;
    }
    if !markdown.is_empty() && !markdown.ends_with("\n\n") {
        markdown.push('\n');
    }
    if let Some(title) = title
        && !has_heading(chapter)
    {
        *markdown += &format!("# {}\n\n", html::escape(title));
    }
    *markdown += chapter;
}

/// True if a line of the chapter is a heading. The converter writes no other line that begins with `#`, except in code.
fn has_heading(chapter: &str) -> bool {
    let mut fences = Fences::default();
    chapter.lines().any(|line| !fences.is_code(line) && line.starts_with('#'))
}

/// True if the content of the book is encrypted, and not only its fonts.
fn is_encrypted(archive: &mut Archive<'_>) -> bool {
    let Ok(bytes) = archive.read("META-INF/encryption.xml") else { return false };
    let source = html::decode(&bytes);
    let Ok(xml) = Xml::parse(&source) else { return true };
    xml.elements("EncryptedData").any(|data| {
        let method = xml.find_in(data, "EncryptionMethod").map(|method| xml.attribute(method, "Algorithm"));
        !method.is_some_and(|method| FONT_OBFUSCATION.contains(&&*method))
    })
}

/// Returns the path of the file that describes the book.
fn package_path(archive: &mut Archive<'_>) -> Result<String, String> {
    let bytes = archive.read("META-INF/container.xml")?;
    let source = html::decode(&bytes);
    let xml = Xml::parse(&source)?;
    let paths = xml.elements("rootfile").map(|file| xml.attribute(file, "full-path").into_owned());
    let known: Vec<String> = paths.filter(|path| archive.contains(path)).take(1).collect();
    known.into_iter().next().ok_or_else(|| "the book has no package file".to_owned())
}

/// The description of a book. All paths are those of the archive.
struct Package {
    metadata: Metadata,
    /// The chapters in reading order.
    chapters: Vec<String>,
    /// The table of contents: the navigation document of EPUB 3, or the NCX file of EPUB 2.
    contents: Option<String>,
}

/// A file of a book.
struct Item {
    path: String,
    is_navigation: bool,
    is_ncx: bool,
    is_page: bool,
}

impl Package {
    fn read(xml: &Xml<'_>, folder: &str) -> Self {
        let items = items(xml, folder);
        let spine = xml.elements("itemref").map(|item| xml.attribute(item, "idref").into_owned());
        let pages = spine.filter_map(|id| items.get(&id)).filter(|item| item.is_page && !item.is_navigation);
        // A chapter that is listed again would be read again.
        let mut known = HashSet::new();
        let chapters = pages.filter(|item| known.insert(&item.path)).map(|item| item.path.clone()).collect();
        let mut by_path: Vec<&Item> = items.values().collect();
        by_path.sort_by_key(|item| &item.path);
        let navigation = by_path.iter().find(|item| item.is_navigation);
        let contents =
            navigation.or_else(|| by_path.iter().find(|item| item.is_ncx)).map(|item| item.path.clone());
        Self { metadata: metadata(xml), chapters, contents }
    }

    /// Returns the title of each chapter in the table of contents, by path.
    fn chapter_titles(&self, archive: &mut Archive<'_>) -> HashMap<String, String> {
        let Some(path) = &self.contents else { return HashMap::new() };
        let Ok(bytes) = archive.read(path) else { return HashMap::new() };
        let source = html::decode(&bytes);
        let Ok(xml) = Xml::parse(&source) else { return HashMap::new() };
        let links = xml.elements("a").map(|link| (xml.attribute(link, "href"), xml.text(link)));
        let points = xml.elements("navPoint").filter_map(|point| {
            let content = xml.find_in(point, "content")?;
            Some((xml.attribute(content, "src"), xml.text(xml.find_in(point, "text")?)))
        });
        let mut titles = HashMap::new();
        for (target, title) in links.chain(points) {
            let words: Vec<&str> = title.split_whitespace().collect();
            if !words.is_empty() {
                titles.entry(resolve(folder(path), &target)).or_insert_with(|| words.join(" "));
            }
        }
        titles
    }
}

/// Returns the files of a book by their id.
fn items(xml: &Xml<'_>, folder: &str) -> HashMap<String, Item> {
    let item = |at: usize| {
        let media_type = xml.attribute(at, "media-type").to_ascii_lowercase();
        let properties = xml.attribute(at, "properties");
        let item = Item {
            path: resolve(folder, &xml.attribute(at, "href")),
            is_navigation: properties.split_ascii_whitespace().any(|property| property == "nav"),
            is_ncx: media_type.contains("dtbncx"),
            is_page: media_type.contains("html") || media_type.is_empty(),
        };
        (xml.attribute(at, "id").into_owned(), item)
    };
    xml.elements("item").map(item).collect()
}

fn metadata(xml: &Xml<'_>) -> Metadata {
    let first = |name: &str| xml.elements(name).map(|at| xml.text(at)).find(|text| !text.is_empty());
    // Publishers write descriptions as HTML.
    let description = first("description").and_then(|text| html::convert_chapter(text.as_bytes()).ok());
    Metadata {
        title: first("title").unwrap_or_default(),
        description: description.unwrap_or_default(),
        tags: xml.elements("subject").map(|at| xml.text(at)).collect(),
        lang: first("language").unwrap_or_default(),
    }
}

/// Returns the folder of a path, with a slash at its end.
fn folder(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

/// Returns the path of a link in a file of `folder`, without its fragment.
fn resolve(folder: &str, target: &str) -> String {
    let target = percent_decode(target.split('#').next().unwrap_or(""));
    let base = if target.starts_with('/') { "" } else { folder };
    path_parts(&format!("{base}{target}")).join("/")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::archive::tests::zip;
    use super::*;

    const CONTAINER: &str = "<?xml version='1.0'?><container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'>\
        <rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>";

    const PACKAGE: &str = "<?xml version='1.0'?><package xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata>\
        <dc:title>A &amp; b</dc:title><dc:language>en</dc:language><dc:subject>Trees</dc:subject>\
        <dc:description>&lt;p&gt;All about it.&lt;/p&gt;</dc:description></metadata><manifest>\
        <item id='two' href='text/two%20x.xhtml' media-type='application/xhtml+xml'/>\
        <item id='one' href='text/one.xhtml' media-type='application/xhtml+xml'/>\
        <item id='nav' href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'/>\
        <item id='cover' href='cover.png' media-type='image/png'/></manifest>\
        <spine><itemref idref='nav'/><itemref idref='cover'/><itemref idref='one'/><itemref idref='gone'/>\
        <itemref idref='two'/></spine></package>";

    const NAVIGATION: &str = "<html><body><nav><ol><li><a href='text/one.xhtml#a'>First</a></li>\
        <li><a href='text/two%20x.xhtml'>The\n*second*</a></li></ol></nav></body></html>";

    const ONE: &str =
        "<html><head><title/></head><body><a id='x'/><h1>One</h1><aside>a</aside></body></html>";
    const TWO: &str = "<html><body><pre># b</pre></body></html>";

    #[test]
    fn a_title_page_is_a_heading_that_comes_again() {
        for (chapter, next, expected) in [
            ("\n# Book\n\n", "# Book {#book}\n\nText.\n", true),
            ("# Book\n", "## Book\n", true),
            ("# Book {#a}\n", "# Book {#a}\n", true),
            ("# Book {#a}\n", "# Book {#b}\n", false),
            ("# Book\n\nBy us.\n", "# Book\n", false),
            ("# Book\n", "# Preface\n", false),
            ("Book\n", "Book\n", false),
            ("", "# Book\n", false),
        ] {
            assert_eq!(is_title_page(chapter, next), expected, "{chapter:?} {next:?}");
        }
    }

    #[test]
    fn links_to_chapters_stay_inside_the_book() {
        let chapters = HashSet::from(["ch1.xhtml", "ch2.xhtml"]);
        for (text, expected) in [
            ("see [a](ch2.xhtml#b) and [c](ch1.xhtml)", "see [a](#b) and [c](#)"),
            (
                "[a](../OEBPS/ch2.xhtml#b) [w](https://x.org/ch2.xhtml#b)",
                "[a](#b) [w](https://x.org/ch2.xhtml#b)",
            ),
            ("[a](other.xhtml#b) [b](#c) ](", "[a](other.xhtml#b) [b](#c) ]("),
        ] {
            assert_eq!(with_links_inside(text, &chapters), expected);
        }
    }

    /// Builds a book, with one of its files replaced or added.
    fn book(name: &str, content: &str) -> Vec<u8> {
        let mut files = vec![
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", CONTAINER),
            ("OEBPS/book.opf", PACKAGE),
            ("OEBPS/nav.xhtml", NAVIGATION),
            ("OEBPS/text/one.xhtml", ONE),
            ("OEBPS/text/two x.xhtml", TWO),
        ];
        files.retain(|(known, _)| *known != name);
        files.push((name, content));
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, content)| (*name, content.as_bytes())).collect();
        zip(&files)
    }

    const FRONT_MATTER: &str =
        "---\ntitle: \"A & b\"\ndescription: \"All about it.\"\nlang: \"en\"\ntags: [\"Trees\"]\n---\n\n";

    #[test]
    fn chapters_follow_each_other_in_reading_order() {
        let expected = format!("{FRONT_MATTER}# One {{#x}}\n\n> a\n\n# The \\*second\\*\n\n```\n# b\n```\n");
        assert_eq!(convert(&book("unused", "")).unwrap(), expected);
    }

    #[test]
    fn titles_are_also_read_from_an_ncx_file() {
        let package = PACKAGE.replace(
            "href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'",
            "href='toc.ncx' media-type='application/x-dtbncx+xml'",
        );
        let ncx = "<ncx><navMap><navPoint><navLabel><text>Second</text></navLabel>\
                   <content src='text/two%20x.xhtml'/></navPoint></navMap></ncx>";
        let files: Vec<(&str, &[u8])> = vec![
            ("META-INF/container.xml", CONTAINER.as_bytes()),
            ("OEBPS/book.opf", package.as_bytes()),
            ("OEBPS/toc.ncx", ncx.as_bytes()),
            ("OEBPS/text/two x.xhtml", TWO.as_bytes()),
        ];
        assert_eq!(convert(&zip(&files)).unwrap(), format!("{FRONT_MATTER}# Second\n\n```\n# b\n```\n"));
    }

    #[test]
    fn books_that_cannot_be_read_have_a_reason() {
        let encrypted = |method: &str| {
            format!(
                "<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm='{method}'/></enc:EncryptedData></encryption>"
            )
        };
        let no_pages = PACKAGE.replace("one.xhtml", "missing.xhtml").replace("two%20x", "missing");
        for (name, content, expected) in [
            (
                "META-INF/encryption.xml",
                encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc"),
                "the book is encrypted",
            ),
            ("META-INF/container.xml", "<container/>".to_owned(), "the book has no package file"),
            ("META-INF/container.xml", CONTAINER.replace("book.opf", "x"), "the book has no package file"),
            ("OEBPS/book.opf", no_pages, "the archive has no `OEBPS/text/missing.xhtml`"),
        ] {
            assert_eq!(convert(&book(name, &content)).unwrap_err(), expected, "{content}");
        }
        assert!(
            convert(&book("META-INF/encryption.xml", &encrypted("http://www.idpf.org/2008/embedding")))
                .is_ok()
        );
        assert!(convert(b"PK").is_err() && convert(&zip(&[("a", b"b")])).is_err());
    }

    #[test]
    fn links_are_resolved_inside_the_archive() {
        for (folder, target, expected) in [
            ("a/", "b.html#c", "a/b.html"),
            ("a/b/", "../c.html", "a/c.html"),
            ("", "../../c", "c"),
            ("a/", "/c", "c"),
            ("a/", "%41%4g%c3%a9%", "a/A%4gé%"),
        ] {
            assert_eq!(resolve(folder, target), expected, "{folder} {target}");
        }
    }

    proptest! {
        #[test]
        fn damaged_books_never_panic(at in 0usize..4_000, bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let mut book = book("unused", "");
            let at = at % book.len();
            let end = (at + bytes.len()).min(book.len());
            book[at..end].copy_from_slice(&bytes[..end - at]);
            let _ = convert(&book);
            let _ = convert(&bytes);
        }

        #[test]
        fn any_xml_is_read(package in "(<(package|item|spine|itemref|dc:title|navPoint)?( (id|href|idref)='[a-z%.#/]{0,6}')?/?>?|</|[a-z&;]){0,30}") {
            let _ = convert(&book("OEBPS/book.opf", &package));
            let _ = convert(&book("META-INF/container.xml", &package));
            let _ = convert(&book("OEBPS/nav.xhtml", &package));
        }
    }
}
