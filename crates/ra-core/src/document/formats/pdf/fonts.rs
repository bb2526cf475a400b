//! Fonts: what the codes of a string mean as text, and how wide they are.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::guard::{self, Checked};
use hayro_cmap::BfString;
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};

/// The maximum number of fonts of a document.
const MAX_FONTS: usize = 4_000;

/// How many bytes of character maps a document may have.
const MAX_CMAP_BYTES: usize = 64 << 20;

/// The largest code of a simple font, leniently.
const MAX_CODE: f32 = 65_535.0;

/// How many widths a font may define.
const MAX_WIDTH_ENTRIES: f64 = 10e6;

/// The bit of a font's flags that says that all glyphs have the same width.
const FIXED_PITCH: u32 = 1;

/// The bit of a font's flags that says that it is bold.
const FORCE_BOLD: u32 = 1 << 18;

/// The ligatures at the codes 11 to 15 of TeX's text fonts.
const TEX_LIGATURES: [&str; 5] = ["ff", "fi", "fl", "ffi", "ffl"];

/// The fonts of a document.
pub(super) struct Fonts<'a> {
    checked: Checked,
    cache: FontCache<'a>,
    loaded: HashMap<ObjectIdentifier, Option<Rc<TextFont<'a>>>>,
    count: usize,
    cmap_bytes: usize,
    font_resolver: FontResolverFn,
    cmap_resolver: CMapResolverFn,
}

/// The text of a code, if it is known, and how far it moves across and down, for a font of size 1.
type CodeGlyph = (Option<Rc<str>>, (f64, f64));

/// A font with what is known about its glyphs so far.
pub(super) struct TextFont<'a> {
    font: Font<'a>,
    is_simple: bool,
    pub(super) bold: bool,
    pub(super) mono: bool,
    glyphs: RefCell<HashMap<u32, CodeGlyph>>,
}

impl<'a> Fonts<'a> {
    pub(super) fn new(checked: Checked) -> Self {
        Self {
            checked,
            cache: FontCache::new(),
            loaded: HashMap::new(),
            count: 0,
            cmap_bytes: 0,
            font_resolver: Arc::new(|query| match query {
                FontQuery::Standard(font) => Some(font.get_font_data()),
                FontQuery::Fallback(query) => Some(query.pick_standard_font().get_font_data()),
            }),
            cmap_resolver: Arc::new(hayro_cmap::load_embedded),
        }
    }

    /// Returns the font that a dictionary describes; `None` if it can't be read.
    pub(super) fn load(&mut self, dict: &Dict<'a>) -> Option<Rc<TextFont<'a>>> {
        let id = dict.obj_id();
        if let Some(font) = id.and_then(|id| self.loaded.get(&id)) {
            return font.clone();
        }
        let font = self.load_new(dict);
        if let Some(id) = id {
            self.loaded.insert(id, font.clone());
        }
        font
    }

    fn load_new(&mut self, dict: &Dict<'a>) -> Option<Rc<TextFont<'a>>> {
        self.count += 1;
        if self.count > MAX_FONTS
            || !has_bounded_widths(dict)
            || !streams(dict).iter().all(|stream| guard::is_decodable(stream, self.checked))
        {
            return None;
        }
        let cmaps = [b"ToUnicode".as_slice(), b"Encoding"].into_iter();
        let cmaps = cmaps.filter_map(|key| dict.get::<Stream<'_>>(key));
        self.cmap_bytes += cmaps.map(|cmap| cmap.decoded_data().map_or(0, |data| data.len())).sum::<usize>();
        if self.cmap_bytes > MAX_CMAP_BYTES {
            return None;
        }
        let font = self.cache.font(dict, &self.font_resolver, &self.cmap_resolver)?;
        let is_simple = dict.get::<Name<'_>>(b"Subtype").is_none_or(|kind| *kind != *b"Type0");
        let style = Style::read(dict);
        let glyphs = RefCell::new(HashMap::new());
        Some(Rc::new(TextFont { font, is_simple, bold: style.bold, mono: style.mono, glyphs }))
    }
}

/// True if the parser can store the widths of a font: it makes an entry for every code of a range.
fn has_bounded_widths(dict: &Dict<'_>) -> bool {
    let codes = [b"FirstChar".as_slice(), b"LastChar"].into_iter().filter_map(|key| dict.get::<f32>(key));
    let descendant =
        dict.get::<Array<'_>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let keys = [b"W".as_slice(), b"W2"].into_iter();
    let mut widths = keys.filter_map(|key| descendant.as_ref()?.get::<Array<'_>>(key));
    // Only the parser can tell which pairs of numbers are ranges, so every adjacent pair counts as one.
    let entries = |widths: Array<'_>| {
        let numbers: Vec<f64> =
            widths.iter::<Object<'_>>().map(|item| item.into_f32().map_or(0.0, f64::from)).collect();
        numbers.windows(2).map(|pair| (pair[1] - pair[0]).max(0.0)).sum::<f64>()
    };
    codes.into_iter().all(|code| code <= MAX_CODE)
        && widths.all(|widths| entries(widths) <= MAX_WIDTH_ENTRIES)
}

/// Returns the streams that are decoded to load a font.
fn streams<'a>(dict: &Dict<'a>) -> Vec<Stream<'a>> {
    const KEYS: [&[u8]; 6] =
        [b"ToUnicode", b"Encoding", b"FontFile", b"FontFile2", b"FontFile3", b"CIDToGIDMap"];
    let descendant =
        dict.get::<Array<'a>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'a>>().next());
    let fonts = [Some(dict.clone()), descendant];
    let dicts =
        fonts.into_iter().flatten().flat_map(|font| [font.get::<Dict<'a>>(b"FontDescriptor"), Some(font)]);
    dicts
        .flatten()
        .flat_map(|dict| KEYS.into_iter().filter_map(move |key| dict.get::<Stream<'a>>(key)))
        .collect()
}

impl TextFont<'_> {
    pub(super) fn is_vertical(&self) -> bool {
        !self.font.is_horizontal()
    }

    /// Returns the code at `at` and its length.
    pub(super) fn read_code(&self, bytes: &[u8], at: usize) -> (u32, usize) {
        self.font.read_code(bytes, at)
    }

    /// Returns the text of a code, if it is known, and how far it moves across and down, for a font of size 1.
    pub(super) fn glyph(&self, code: u32) -> (Option<Rc<str>>, (f64, f64)) {
        if let Some(known) = self.glyphs.borrow().get(&code) {
            return known.clone();
        }
        let advance = self.font.code_advance(code) / f64::from(hayro_font::UNITS_PER_EM);
        let glyph = (self.text(code).map(Rc::from), (advance.x, advance.y));
        self.glyphs.borrow_mut().insert(code, glyph.clone());
        glyph
    }

    fn text(&self, code: u32) -> Option<String> {
        let (unicode, is_drawn) = match self.font.glyph(self.font.map_code(code), code) {
            FontGlyph::Outline(glyph) => (glyph.as_unicode(), false),
            FontGlyph::Type3(glyph) => (glyph.as_unicode(), true),
        };
        let text = match unicode {
            Some(BfString::Char(c)) => c.to_string(),
            Some(BfString::String(text)) => text,
            // Fonts of bitmaps, which old TeX makes, don't name their glyphs; their codes are those of TeX.
            None if is_drawn && (11..16).contains(&code) => TEX_LIGATURES[code as usize - 11].to_owned(),
            None if self.is_simple && (32..127).contains(&code) => char::from(code as u8).to_string(),
            None => return None,
        };
        let shown: String = text.chars().filter_map(shown_char).collect();
        let expanded = expand(&shown);
        (!expanded.is_empty()).then_some(expanded)
    }
}

/// Returns the character that is shown for one in a font; `None` if nothing is.
fn shown_char(c: char) -> Option<char> {
    match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' | '\t' | '\n' | '\r' => Some(' '),
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fffd}' => None,
        // Private characters and surrogates have no meaning outside of their font.
        '\u{e000}'..='\u{f8ff}' => None,
        c if c.is_control() => None,
        c => Some(c),
    }
}

/// Replaces ligatures by their letters.
fn expand(text: &str) -> String {
    let mut expanded = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{fb00}' => expanded.push_str("ff"),
            '\u{fb01}' => expanded.push_str("fi"),
            '\u{fb02}' => expanded.push_str("fl"),
            '\u{fb03}' => expanded.push_str("ffi"),
            '\u{fb04}' => expanded.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => expanded.push_str("st"),
            c => expanded.push(c),
        }
    }
    expanded
}

/// How a font looks.
struct Style {
    bold: bool,
    mono: bool,
}

impl Style {
    fn read(dict: &Dict<'_>) -> Self {
        let descendant =
            dict.get::<Array<'_>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
        let described = descendant.as_ref().unwrap_or(dict);
        let descriptor = described.get::<Dict<'_>>(b"FontDescriptor").unwrap_or_default();
        let flags = descriptor.get::<u32>(b"Flags").unwrap_or(0);
        let name =
            dict.get::<Name<'_>>(b"BaseFont").map(|name| name.as_str().to_lowercase()).unwrap_or_default();
        let weight = descriptor.get::<f32>(b"FontWeight").unwrap_or(400.0);
        let contains = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        // The bold fonts of TeX are called cmbx12, SFBX1000 or ecbx1095.
        let bold = weight >= 600.0
            || flags & FORCE_BOLD != 0
            || contains(&[
                "bold", "black", "heavy", "semibd", "-bd", "cmbx", "sfbx", "ecbx", "cmssbx", "medi",
            ]);
        let mono = flags & FIXED_PITCH != 0
            || has_one_width(dict)
            || contains(&[
                "mono",
                "courier",
                "cmtt",
                "sftt",
                "ectt",
                "typewriter",
                "consola",
                "-tt",
                "menlo",
                "nimbusmonl",
            ]);
        Self { bold, mono }
    }
}

/// True if a simple font says that its many glyphs are equally wide.
fn has_one_width(dict: &Dict<'_>) -> bool {
    let Some(widths) = dict.get::<Array<'_>>(b"Widths") else { return false };
    let numbers = widths.iter::<Object<'_>>().take(256).filter_map(Object::into_f32);
    let widths: Vec<f32> = numbers.filter(|width| *width > 0.0).collect();
    widths.len() >= 20 && widths.iter().all(|width| *width == widths[0])
}
