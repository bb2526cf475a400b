//! Documents of other formats than markdown.

use crate::sandbox::Sandbox;

/// Returns an archive of these parts, which are not compressed.
fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
    let (mut archive, mut table) = (Vec::new(), Vec::new());
    for (name, content) in parts {
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(crc32(content.as_bytes()).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        table.extend(b"PK\x01\x02\x14\x00");
        table.extend(&common);
        table.extend([0; 10]);
        table.extend((archive.len() as u32).to_le_bytes());
        table.extend(name.as_bytes());
        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(content.as_bytes());
    }
    let start = archive.len() as u32;
    archive.extend(&table);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([(parts.len() as u16).to_le_bytes(); 2].concat());
    archive.extend((table.len() as u32).to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0, 0]);
    archive
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

/// Returns a PDF file with one heading and one sentence on each page.
fn pdf(pages: &[(&str, &str)]) -> Vec<u8> {
    let kids: String = (0..pages.len()).map(|nr| format!("{} 0 R ", 10 + 2 * nr)).collect();
    let mut file = format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [{kids}] \
         /Count {} >>\nendobj\n3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n",
        pages.len()
    );
    for (nr, (heading, sentence)) in pages.iter().enumerate() {
        let text = format!(
            "BT /F1 24 Tf 40 700 Td ({heading}) Tj ET\nBT /F1 10 Tf 40 650 Td ({sentence}) Tj ET\nBT /F1 10 Tf 40 \
             636 Td (It is written in the usual size, so that headings stand out.) Tj ET\n"
        );
        let (page, content) = (10 + 2 * nr, 11 + 2 * nr);
        file += &format!(
            "{page} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {content} 0 R /Resources << \
             /Font << /F1 3 0 R >> >> >>\nendobj\n{content} 0 obj\n<< /Length {} >>\nstream\n{text}endstream\nendobj\n",
            text.len()
        );
    }
    file += "trailer\n<< /Root 1 0 R >>\n%%EOF\n";
    file.into_bytes()
}

fn docx(paragraphs: &str) -> Vec<u8> {
    let rels = "<Relationships><Relationship Id=\"1\" Type=\"x/officeDocument\" Target=\"word/document.xml\"/></Relationships>";
    let styles = "<w:styles><w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>";
    let document = format!("<w:document><w:body>{paragraphs}</w:body></w:document>");
    zip(&[("_rels/.rels", rels), ("word/document.xml", &document), ("word/styles.xml", styles)])
}

fn odt(content: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:body><office:text>{content}</office:text></office:body></office:document-content>"
    );
    zip(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &content)])
}

fn epub(chapter: &str) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path=\"a.opf\"/></rootfiles></container>";
    let package = "<package><metadata><dc:title>Birds</dc:title></metadata><manifest><item id=\"c\" href=\"c.xhtml\" \
                   media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"c\"/></spine></package>";
    zip(&[("META-INF/container.xml", container), ("a.opf", package), ("c.xhtml", chapter)])
}

/// A project with the same section, `Heron`, in every format.
fn project() -> Sandbox {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/a.rst", "Birds\n=====\n\nHeron\n-----\n\nThe heron stands in shallow water.\n"),
        ("docs/b.adoc", "= Birds\n\n== Heron\n\nThe heron stands in shallow water.\n"),
        ("docs/c.org", "* Birds\n** Heron :bird:\nThe heron stands in shallow water.\n"),
        (
            "docs/d.html",
            "<html><nav>heron heron</nav><main><h1>Birds</h1><h2>Heron</h2><p>The heron stands in shallow water.</main></html>",
        ),
        (
            "docs/e.ipynb",
            r###"{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "source": ["# Birds\n", "\n", "## Heron\n", "\n", "The heron stands in shallow water."]}]}"###,
        ),
    ]);
    let (title, text) = ("Heron", "The heron stands in shallow water.");
    sandbox.write("docs/f.pdf", pdf(&[("Birds", "An introduction to all of them."), (title, text)]));
    let paragraph = |style: &str, text: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    sandbox.write("docs/g.docx", docx(&(paragraph("H1", title) + &paragraph("", text))));
    sandbox.write(
        "docs/h.odt",
        odt(&format!("<text:h text:outline-level=\"1\">{title}</text:h><text:p>{text}</text:p>")),
    );
    sandbox.write("docs/i.epub", epub(&format!("<html><body><h1>{title}</h1><p>{text}</p></body></html>")));
    sandbox
}

#[test]
fn every_format_has_sections_that_are_found_and_fetched() {
    let sandbox = project();
    let found = sandbox.json(&["search", "-n", "20", "heron shallow water"]);
    let results = found["queries"][0]["results"].as_array().unwrap();
    let mut ids: Vec<&str> = results.iter().map(|result| result["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    let expected = ["a.rst", "b.adoc", "c.org", "d.html", "e.ipynb", "f.pdf", "g.docx", "h.odt", "i.epub"];
    assert_eq!(ids, expected.map(|path| format!("docs:{path}#heron")), "{found}");
    for id in ids {
        let fetched = sandbox.json(&["get", id]);
        let content = fetched["documents"][0]["content"].as_str().unwrap();
        assert!(content.contains("The heron stands in shallow water."), "{id}: {content}");
    }
    // What a page shows besides its content isn't indexed.
    assert!(!sandbox.run(&["get", "docs:d.html"]).contains("heron heron"));
}

#[test]
fn the_place_of_a_passage_in_a_pdf_is_its_page() {
    let sandbox = project();
    let found = sandbox.json(&["search", "--path", "docs/f.pdf", "shallow"]);
    assert_eq!(found["queries"][0]["results"][0]["pages"], serde_json::json!([2, 2]), "{found}");
    let shown = sandbox.run(&["search", "--path", "docs/f.pdf", "shallow"]);
    assert!(shown.contains("docs:f.pdf#heron (page 2, lines "), "{shown}");
    assert_eq!(sandbox.json(&["get", "docs:f.pdf"])["documents"][0]["pages"], serde_json::json!([1, 2]));
}

#[test]
fn a_converted_file_is_followed_like_any_other() {
    let sandbox = project();
    assert!(sandbox.run(&["search", "heron"]).contains("docs:g.docx#heron"));
    sandbox.write("docs/g.docx", docx("<w:p><w:r><w:t>A stork nests on roofs.</w:t></w:r></w:p>"));
    assert!(sandbox.run(&["search", "stork"]).contains("docs:g.docx"));
    assert!(!sandbox.run(&["search", "heron"]).contains("docs:g.docx"));
    // The texts of files that are gone are removed.
    let converted = || walk(&sandbox.path("~/.cache")).into_iter().filter(|path| path.contains("converted-"));
    assert_eq!(converted().count(), 6);
    for path in ["d.html", "e.ipynb", "g.docx", "h.odt", "i.epub"] {
        sandbox.remove(&format!("docs/{path}"));
    }
    sandbox.run(&["search", "heron"]);
    assert_eq!(converted().count(), 1);
    // A text that is lost or damaged is made again.
    let only = converted().next().unwrap();
    for damage in [Some(b"damaged".as_slice()), None] {
        match damage {
            Some(bytes) => std::fs::write(&only, bytes).unwrap(),
            None => std::fs::remove_file(&only).unwrap(),
        }
        assert!(sandbox.run(&["get", "docs:f.pdf#heron"]).contains("shallow water"));
    }
}

fn walk(directory: &std::path::Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => files.extend(walk(&path)),
            path => files.push(path.to_string_lossy().into_owned()),
        }
    }
    files
}

#[test]
fn hostile_files_cost_a_warning() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/fine.md", "# Heron\n\nshallow water\n"),
        ("docs/deep.html", &("<div>".repeat(100_000) + "<p>heron at the bottom")),
        ("docs/broken.pdf", "%PDF-1.7\n1 0 obj << /Length 99999999 >> stream heron"),
        ("docs/fake.docx", "PK\u{3}\u{4}heron"),
        ("docs/empty.odt", ""),
        ("docs/fake.epub", "heron"),
        ("docs/broken.ipynb", "{\"cells\": [{\"source\""),
    ]);
    let old_word = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0];
    sandbox.write("docs/old.docx", old_word);
    let mut many_pages = pdf(&[("Heron", "heron")]);
    let at = many_pages.windows(8).position(|bytes| bytes == b"/Count 1").unwrap();
    many_pages.splice(at + 7..at + 8, *b"99999999");
    sandbox.write("docs/count.pdf", many_pages);
    let shown = sandbox.run(&["search", "heron"]);
    assert!(shown.starts_with("exit code 0\n"), "{shown}");
    for id in ["docs:fine.md#heron", "docs:deep.html", "docs:count.pdf"] {
        assert!(shown.contains(id), "{id}: {shown}");
    }
    let checked = sandbox.run(&["check"]);
    for path in ["broken.pdf", "fake.docx", "empty.odt", "fake.epub", "broken.ipynb", "old.docx"] {
        assert!(checked.contains(&format!("docs:{path}: is not indexed: ")), "{path}: {checked}");
    }
    assert!(shown.contains("warning: docs:broken.ipynb is not indexed: "), "{shown}");
    assert!(shown.contains("1 more files are not indexed for such reasons"), "{shown}");
}

#[test]
fn the_context_of_a_converted_file_is_its_text() {
    let sandbox = project();
    let shown = sandbox.run(&["context", "docs/g.docx", "--list"]);
    assert!(shown.contains("docs:a.rst#heron") && !shown.contains("binary"), "{shown}");
}

#[test]
fn letters_of_several_sizes_stay_in_their_words() {
    let sandbox = Sandbox::with(&[(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n")]);
    let page = |text: &str| {
        let file = String::from_utf8(pdf(&[("Title", "text")])).unwrap();
        let (start, end) = (file.find("stream\n").unwrap() + 7, file.find("endstream").unwrap());
        let old = format!("/Length {}", end - start);
        let mut file = file;
        file.replace_range(start..end, text);
        file.replace(&old, &format!("/Length {}", text.len()))
    };
    let text = "BT /F1 16 Tf 200 400 Td (has) Tj ET BT /F1 8 Tf 100 600 Td (hazard) Tj ET\n";
    sandbox.write("docs/sizes.pdf", page(text));
    let shown = sandbox.run(&["get", "docs:sizes.pdf"]);
    assert!(shown.contains("hazard") && shown.contains("has"), "{shown}");
}

#[test]
fn the_same_bytes_are_another_document_in_another_format() {
    let sandbox = project();
    let notebook = r##"{"cells": [{"cell_type": "markdown", "source": "# Cell\n\nwalrus"}], "nbformat": 4, "metadata": {}}"##;
    sandbox.write("docs/n.html", notebook);
    assert!(sandbox.run(&["get", "docs:n.html"]).contains("cell_type"));
    sandbox.write("docs/n.ipynb", notebook);
    assert!(sandbox.run(&["get", "docs:n.ipynb"]).contains("# Cell\n\nwalrus"));
}

#[test]
fn boxes_in_the_text_of_a_page_are_kept() {
    let sandbox = project();
    let box_text = "Only here is the word xylophone explained, in a sentence that is long enough to be one of the text. ";
    let links = "<div class=\"sidebar\"><a href=a>heron one</a> <a href=b>heron two</a></div>";
    let text = format!(
        "<body>{links}<h1>Page</h1><p>Intro.</p><div class=\"sidebar\"><p>{box_text}{box_text}</p></div></body>"
    );
    sandbox.write("docs/box.html", text);
    let shown = sandbox.run(&["get", "docs:box.html"]);
    assert!(shown.contains("xylophone") && !shown.contains("heron two"), "{shown}");
}

#[test]
fn a_link_in_place_of_the_kept_texts_is_not_followed() {
    let sandbox = project();
    sandbox.run(&["search", "heron"]);
    let kept = sandbox.index(ra_core::document::ConversionCache::DIRECTORY);
    std::fs::remove_dir_all(&kept).unwrap();
    sandbox.write("~/precious/0123456789abcdef0123456789abcdef-pdf", "mine");
    std::os::unix::fs::symlink(sandbox.path("~/precious"), &kept).unwrap();
    sandbox.write("docs/new.html", "<p>new heron");
    assert!(sandbox.run(&["search", "new heron"]).contains("docs:new.html"));
    let left = std::fs::read_dir(sandbox.path("~/precious")).unwrap().count();
    assert_eq!((left, sandbox.read("~/precious/0123456789abcdef0123456789abcdef-pdf").as_str()), (1, "mine"));
}

#[test]
fn a_process_that_converts_is_not_a_command() {
    let sandbox = project();
    let shown = sandbox.run(&["convert-for-parent"]);
    assert!(shown.starts_with("exit code 2\n"), "{shown}");
}
