use std::io::Write;

use proptest::prelude::*;

use super::*;

/// Builds a file from the contents of its objects, numbered from 1. The first is the catalog.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    file_with_trailer(objects, "")
}

fn file_with_trailer(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        offsets.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", at + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let start = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1).bytes());
    offsets.iter().for_each(|offset| bytes.extend(format!("{offset:010} 00000 n \n").bytes()));
    let size = offsets.len() + 1;
    bytes.extend(
        format!("trailer <</Size {size} /Root 1 0 R {trailer}>>\nstartxref\n{start}\n%%EOF\n").bytes(),
    );
    bytes
}

fn object(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let start = format!("<<{dictionary} /Length {}>>\nstream\n", data.len());
    [start.as_bytes(), data, b"\nendstream"].concat()
}

fn deflated(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// Returns content that shows lines of text from the top, with their sizes.
fn content(lines: &[(&str, u32)]) -> String {
    let show = |(at, (text, size)): (usize, &(&str, u32))| {
        let text = text.replace('(', "\\(").replace(')', "\\)");
        format!("BT /F1 {size} Tf 72 {} Td ({text}) Tj ET\n", 700 - 24 * at as i32)
    };
    lines.iter().enumerate().map(show).collect()
}

const FONTS: &str = "/Resources <</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>";

/// Builds a file with pages of the contents.
fn document(pages: &[String], catalog: &str, trailer: &str) -> Vec<u8> {
    let kids: String = (0..pages.len()).map(|at| format!("{} 0 R ", 3 + 2 * at)).collect();
    let mut objects = vec![
        object(&format!("<</Type /Catalog /Pages 2 0 R {catalog}>>")),
        object(&format!(
            "<</Type /Pages /Kids [{kids}] /Count {} /MediaBox [0 0 612 792] {FONTS}>>",
            pages.len()
        )),
    ];
    for (at, page) in pages.iter().enumerate() {
        objects.push(object(&format!("<</Type /Page /Parent 2 0 R /Contents {} 0 R>>", 4 + 2 * at)));
        objects.push(stream("/Filter /FlateDecode", &deflated(page.as_bytes())));
    }
    file_with_trailer(&objects, trailer)
}

const PROSE: &str = "A line of text that is long enough to be one of a paragraph";

#[test]
fn pages_become_markdown() {
    let page = |number: u32, lines: &[(&str, u32)]| {
        format!("{}BT /F1 10 Tf 300 40 Td ({number}) Tj ET", content(lines))
    };
    let first = page(1, &[("The Guide", 24), (PROSE, 10), ("and it con-", 10), ("tinues here.", 10)]);
    let second = page(2, &[("Usage", 16), ("# not a heading", 10)]);
    let third = page(3, &[("More", 16), (PROSE, 10)]);
    let info = "/Info <</Title (report.pdf) /Keywords (a, b)>>";
    let converted = convert(&document(&[first, second, third], "/Lang (en)", info));
    let expected = format!(
        "---\nlang: \"en\"\ntags: [\"a\", \"b\"]\n---\n\n<!-- page 1 -->\n\n# The Guide\n\n{PROSE} and it continues here.\n\n\
         <!-- page 2 -->\n\n## Usage\n\n\\# not a heading\n\n<!-- page 3 -->\n\n## More\n\n{PROSE}\n\n"
    );
    assert_eq!(converted, Ok(expected));
}

#[test]
fn bookmarks_become_headings() {
    let page = content(&[("Start", 10), (PROSE, 10), ("1.1 Detail", 10), (PROSE, 10)]);
    let catalog = "/Outlines <</First 5 0 R>>";
    let mut objects = vec![
        object(&format!("<</Type /Catalog /Pages 2 0 R {catalog}>>")),
        object(&format!("<</Type /Pages /Kids [3 0 R] /Count 1 {FONTS}>>")),
        object("<</Type /Page /Parent 2 0 R /Contents 4 0 R>>"),
        stream("", page.as_bytes()),
        object("<</Title (Start) /Dest [3 0 R /Fit] /First 6 0 R /Next 5 0 R>>"),
        object("<</Title <FEFF00440065007400610069006C> /A <</S /GoTo /D (name)>> /Next 6 0 R>>"),
    ];
    objects[0] = object(&format!("<</Type /Catalog /Pages 2 0 R {catalog} /Dests <</name [3 0 R /Fit]>>>>"));
    objects[5] = object("<</Title <FEFF00440065007400610069006C> /A <</S /GoTo /D /name>> /Next 6 0 R>>");
    let converted = convert(&file_with_trailer(&objects, "/Info <</Title (A Book)>>")).unwrap();
    let headings: Vec<&str> = converted.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings, ["## Start", "### 1.1 Detail"]);
}

/// Builds a page of tagged content, whose tree of structure is the last object, and perhaps more objects.
fn tagged(content: &str, structure: &str, more: &[&str]) -> Vec<u8> {
    let mut objects = vec![
        object("<</Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R>>"),
        object(&format!("<</Type /Pages /Kids [3 0 R] /Count 1 {FONTS}>>")),
        object("<</Type /Page /Parent 2 0 R /Contents 4 0 R>>"),
        stream("", content.as_bytes()),
        object(&format!("<</Type /StructTreeRoot {structure}>>")),
    ];
    objects.extend(more.iter().map(|text| object(text)));
    file(&objects)
}

#[test]
fn tags_become_headings() {
    let mut content = String::new();
    for (at, text) in ["Guide", PROSE, "Part one", "of two", "Detail", PROSE, "Other"].iter().enumerate() {
        let y = 700 - 24 * at;
        content.push_str(&format!("/X <</MCID {at}>> BDC BT /F1 10 Tf 72 {y} Td ({text}) Tj ET EMC\n"));
    }
    let structure = "/RoleMap <</Chapter /Part /Part /H1>> /K [6 0 R 7 0 R [8 0 R]]";
    let more = [
        "<</S /Chapter /Pg 3 0 R /K 0>>",
        "<</S /H2 /Pg 3 0 R /K [<</S /Span /K 2>> <</Type /MCR /MCID 3>>]>>",
        "<</S /Div /K [<</S /P /Pg 3 0 R /K 1>> 9 0 R <</S /H2 /Pg 3 0 R /K <</MCID 6 /Stm 4 0 R>>>>]>>",
        "<</S /H3 /K <</Type /MCR /Pg 3 0 R /MCID 4>>>>",
    ];
    let converted = convert(&tagged(&content, structure, &more)).unwrap();
    let headings: Vec<&str> = converted.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings, ["# Guide", "## Part one of two", "### Detail"]);
}

#[test]
fn files_without_text_are_refused_with_a_reason() {
    let empty = document(&["0 0 m 5 5 l S".to_owned()], "", "");
    let encrypted = document(
        &[content(&[("x", 10)])],
        "",
        "/Encrypt <</Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (00000000000000000000000000000000) /U (11111111111111111111111111111111)>> /ID [(a) (b)]",
    );
    for (bytes, reason) in [
        (b"".to_vec(), "the file isn't a PDF"),
        (b"%PDF-1.7\n".to_vec(), "the PDF is damaged"),
        (empty, "no text: the pages are images"),
        (encrypted, "the file is encrypted"),
    ] {
        assert_eq!(convert(&bytes).unwrap_err(), reason);
    }
}

/// Returns files that are made to exhaust a parser.
fn hostile_files() -> Vec<(&'static str, Vec<u8>)> {
    let pages = |kids: &str| object(&format!("<</Type /Pages /Kids [{kids}] /Count 1 {FONTS}>>"));
    let page = object("<</Type /Page /Parent 2 0 R /Contents 4 0 R>>");
    let catalog = object("<</Type /Catalog /Pages 2 0 R>>");
    let with = |data: Vec<u8>| file(&[catalog.clone(), pages("3 0 R"), page.clone(), data]);
    let bomb = deflated(&vec![b' '; 100 << 20]);
    let form = "<</Type /XObject /Subtype /Form /Resources <</XObject <</X 5 0 R>>>> /BBox [0 0 9 9]";
    let draws = b"/X Do ".repeat(50);
    let x_page = object(&format!(
        "<</Type /Page /Parent 2 0 R /Contents 4 0 R {}>>",
        "/Resources <</XObject <</X 5 0 R>>>>"
    ));
    let chain: Vec<Vec<u8>> = (0..200_000).map(|at| object(&format!("{} 0 R", at + 2))).collect();
    let same_content = "4 0 R ".repeat(200_000);
    let mut xref_loop = with(stream("", b"BT ET"));
    let at = memchr::memmem::rfind(&xref_loop, b"xref\n0").unwrap();
    xref_loop =
        String::from_utf8_lossy(&xref_loop).replace("/Root", &format!("/Prev {at} /Root")).into_bytes();
    let predictor = stream(
        "/Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns 2147483647 /Colors 32 /BitsPerComponent 16>>",
        &deflated(b"abc"),
    );
    let font = |entries: &str| {
        let resources = format!("/Resources <</Font <</F1 <</Type /Font {entries}>>>>>>");
        let page = object(&format!("<</Type /Page /Parent 2 0 R /Contents 4 0 R {resources}>>"));
        file(&[catalog.clone(), pages("3 0 R"), page, stream("", content(&[("x", 10)]).as_bytes())])
    };
    let wide = "/Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</Subtype /CIDFontType2 /W [0 4294967295 500]>>]";
    let looped = "6 0 R ".repeat(100_000);
    vec![
        (
            "structure in itself",
            tagged("BT ET", "/K 6 0 R", &[&format!("<</S /H1 /Pg 3 0 R /K [{looped} 5 0 R [6 0 R]]>>")]),
        ),
        ("structure of many numbers", tagged("BT ET", &format!("/K [{}]", "7 ".repeat(1_500_000)), &[])),
        ("roles in a circle", tagged("BT ET", "/RoleMap <</A /B /B /A>> /K <</S /A /K 0>>", &[])),
        ("many marks", with(stream("", &b"/X <</MCID 1>> BDC ".repeat(200_000)))),
        ("wide range of widths", font(wide)),
        (
            "large first code",
            font("/Subtype /TrueType /BaseFont /X /FirstChar 4000000000 /LastChar 4000000001 /Widths [1]"),
        ),
        ("flate bomb", with(stream("/Filter /FlateDecode", &bomb))),
        ("chained flate", with(stream("/Filter [/FlateDecode /FlateDecode]", &deflated(&bomb)))),
        ("xref loop", xref_loop),
        ("page tree loop", file(&[catalog.clone(), pages("2 0 R 2 0 R 3 0 R"), pages("2 0 R 3 0 R")])),
        (
            "form in itself",
            file(&[catalog.clone(), pages("3 0 R"), x_page, stream("", &draws), stream(&form[2..], &draws)]),
        ),
        ("nested arrays", with([b"[".repeat(1_000_000), b"]".repeat(1_000_000)].concat())),
        ("nested dictionaries", with(b"<</A ".repeat(300_000))),
        ("nested arrays in content", with(stream("", &b"[".repeat(1_000_000)))),
        ("nested strings", with(stream("", &b"(".repeat(1_000_000)))),
        ("chain of references", file(&chain)),
        (
            "the same content often",
            file(&[
                catalog.clone(),
                pages("3 0 R"),
                object(&format!("<</Type /Page /Contents [{same_content}]>>")),
                stream("/Filter /FlateDecode", &deflated(&vec![b' '; 30 << 20])),
            ]),
        ),
        ("saved states", with(stream("", &b"q ".repeat(1_000_000)))),
        ("huge row", with(predictor)),
        (
            "many streams without end",
            [b"%PDF-1.7\n".to_vec(), b"1 0 obj <<>> stream\n".repeat(300_000)].concat(),
        ),
        ("many objects without end", [b"%PDF-1.7\n".to_vec(), b"1 0 obj (".repeat(20_000)].concat()),
        ("numbers", with(stream("", content(&[("x", 4_000_000_000)]).as_bytes()))),
    ]
}

#[test]
fn hostile_files_end_and_do_not_panic() {
    for (name, bytes) in hostile_files() {
        let converted = convert(&bytes);
        assert!(converted.as_ref().map_or(0, String::len) < 10_000, "{name}");
    }
}

#[test]
fn pages_beyond_the_limit_are_left_out() {
    let pages = vec![content(&[("text", 10)]); MAX_PAGES + 2];
    let converted = convert(&document(&pages, "", "")).unwrap();
    assert_eq!(converted.matches("<!-- page ").count(), MAX_PAGES);
    assert!(converted.ends_with("<!-- the rest of 5002 pages was left out -->\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn damaged_files_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
        cut in any::<prop::sample::Index>(),
        splice in any::<Option<(prop::sample::Index, prop::sample::Index)>>(),
        is_cut: bool,
    ) {
        let page = content(&[("Title", 20), (PROSE, 10), ("1 Part", 10)]);
        let mut bytes = document(&[page.clone(), page], "/Outlines <</First 5 0 R>>", "/Info <</Title (T)>>");
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some((from, to)) = splice {
            let part = bytes[from.index(bytes.len())..].to_vec();
            let at = to.index(bytes.len());
            bytes.splice(at..at, part);
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // A panic would be an error like any other here, so call what the thread calls.
        if let Ok(checked) = guard::check(&bytes) {
            let _ = convert_checked(&bytes, checked);
        }
    }
}
