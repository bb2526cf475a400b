//! Runs the content of a page and collects its glyphs: text, position and size. Everything that isn't text is skipped.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{self, Array, Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};

use super::fonts::{Fonts, TextFont};
use super::guard::{self, Checked};
use super::matrix::Matrix;
use super::tags::{HeadingTag, PageTags};

/// The maximum number of glyphs of a page.
const MAX_PAGE_GLYPHS: usize = 200_000;

/// The maximum number of glyphs of a document.
const MAX_GLYPHS: usize = 40_000_000;

/// The maximum number of operators that are run for a page, and for a document.
const MAX_PAGE_OPERATORS: usize = 3_000_000;
const MAX_OPERATORS: usize = 200_000_000;

/// How deep forms may contain forms.
const MAX_FORM_DEPTH: usize = 12;

/// The maximum number of saved graphics states, and of marked contents in each other.
const MAX_SAVED_STATES: usize = 512;
const MAX_MARKS: usize = 512;

/// How much content is decoded in all. A form counts each time it is drawn.
const MAX_CONTENT_BYTES: usize = 512 << 20;

/// A shown character, in the coordinates of the upright page: x to the right, y down, in points.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    pub(super) text: Rc<str>,
    pub(super) x: f32,
    /// The baseline.
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) mono: bool,
    /// Quarter turns of the text: 0 for upright text.
    pub(super) turns: u8,
    /// The heading that the tags of the document make it a part of.
    pub(super) heading: Option<HeadingTag>,
}

/// The work that may still be spent on a document.
pub(super) struct Budget {
    checked: Checked,
    glyphs: usize,
    operators: usize,
    content_bytes: usize,
}

impl Budget {
    pub(super) fn new(checked: Checked) -> Self {
        Self { checked, glyphs: MAX_GLYPHS, operators: MAX_OPERATORS, content_bytes: MAX_CONTENT_BYTES }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.glyphs == 0 || self.operators == 0 || self.content_bytes == 0
    }
}

/// The part of the graphics state that text depends on.
#[derive(Clone)]
struct State<'a> {
    ctm: Matrix,
    font: Option<Rc<TextFont<'a>>>,
    font_size: f64,
    char_space: f64,
    word_space: f64,
    /// 1 for 100 %.
    scale: f64,
    leading: f64,
    rise: f64,
}

/// Collects the glyphs of one page.
pub(super) struct Collector<'b, 'f, 'a> {
    tags: &'b PageTags,
    fonts: &'f mut Fonts<'a>,
    budget: &'b mut Budget,
    operators: usize,
    glyphs: Vec<Glyph>,
    /// Where glyphs are already: bold text is often the same text printed twice.
    taken: HashSet<(i32, i32, i32, Rc<str>)>,
    state: State<'a>,
    saved: Vec<State<'a>>,
    /// The heading of each marked content around the next glyph.
    marks: Vec<Option<HeadingTag>>,
    text_matrix: Matrix,
    line_matrix: Matrix,
    page_size: (f32, f32),
}

/// Returns the glyphs of a page in the order in which they are shown.
pub(super) fn collect<'a>(
    page: &Page<'a>,
    tags: &PageTags,
    fonts: &mut Fonts<'a>,
    budget: &mut Budget,
) -> Vec<Glyph> {
    let state = State {
        ctm: Matrix(page.initial_transform(true).as_coeffs()),
        font: None,
        font_size: 1.0,
        char_space: 0.0,
        word_space: 0.0,
        scale: 1.0,
        leading: 0.0,
        rise: 0.0,
    };
    let mut collector = Collector {
        tags,
        fonts,
        budget,
        operators: MAX_PAGE_OPERATORS,
        glyphs: Vec::new(),
        taken: HashSet::new(),
        state,
        saved: Vec::new(),
        marks: Vec::new(),
        text_matrix: Matrix::IDENTITY,
        line_matrix: Matrix::IDENTITY,
        page_size: page.render_dimensions(),
    };
    let content = collector.page_content(page);
    collector.run(&content, page.resources(), 0);
    collector.glyphs
}

impl<'a> Collector<'_, '_, 'a> {
    /// Returns the content of a page. Its parts are joined with a space, because a word may not extend over them.
    fn page_content(&mut self, page: &Page<'a>) -> Vec<u8> {
        let mut content = Vec::new();
        let parts = match page.raw().get::<Object<'_>>(b"Contents") {
            Some(Object::Stream(stream)) => vec![stream],
            Some(Object::Array(array)) => array.iter::<Stream<'_>>().take(MAX_PAGE_OPERATORS).collect(),
            _ => Vec::new(),
        };
        for part in parts {
            content.extend(self.decode(&part));
            content.push(b' ');
        }
        content
    }

    fn decode(&mut self, stream: &Stream<'_>) -> Vec<u8> {
        if self.budget.content_bytes == 0 || !guard::is_decodable(stream, self.budget.checked) {
            return Vec::new();
        }
        let decoded = stream.decoded_data().map(|data| data.into_owned()).unwrap_or_default();
        self.budget.content_bytes = self.budget.content_bytes.saturating_sub(decoded.len() + 64);
        decoded
    }

    fn run(&mut self, content: &[u8], resources: &Resources<'a>, depth: usize) {
        let mut named_fonts: HashMap<Vec<u8>, Option<Rc<TextFont<'a>>>> = HashMap::new();
        let (saved, marks) = (self.saved.len(), self.marks.len());
        let mut operations = TypedIter::new(content);
        while let Some(operation) = operations.next() {
            if self.operators == 0 || self.budget.is_spent() || self.glyphs.len() >= MAX_PAGE_GLYPHS {
                break;
            }
            self.operators -= 1;
            self.budget.operators -= 1;
            match operation {
                Op::TextFont(op) => {
                    let name = op.0.to_vec();
                    let font = named_fonts
                        .entry(name)
                        .or_insert_with(|| resources.get_font(op.0).and_then(|dict| self.fonts.load(&dict)));
                    self.state.font = font.clone();
                    self.state.font_size = op.1.as_f64();
                }
                Op::BeginMarkedContent(_) => self.mark(None),
                Op::BeginMarkedContentWithProperties(op) if depth == 0 => {
                    let properties = match op.1 {
                        Object::Dict(dict) => Some(dict.clone()),
                        Object::Name(name) => resources.properties.get::<Dict<'_>>(&**name),
                        _ => None,
                    };
                    self.mark(properties.and_then(|properties| properties.get::<i32>(b"MCID")));
                }
                Op::BeginMarkedContentWithProperties(_) => self.mark(None),
                Op::EndMarkedContent(_) if self.marks.len() > marks => {
                    self.marks.pop();
                }
                Op::XObject(op) => self.form(op.0, resources, depth),
                Op::SaveState(_) if self.saved.len() < MAX_SAVED_STATES => {
                    self.saved.push(self.state.clone())
                }
                Op::RestoreState(_) if self.saved.len() > saved => {
                    if let Some(state) = self.saved.pop() {
                        self.state = state;
                    }
                }
                Op::Transform(op) => {
                    self.state.ctm = Matrix::new([op.0, op.1, op.2, op.3, op.4, op.5]).then(self.state.ctm);
                }
                operation => self.text_operation(operation),
            }
        }
        if let Some(state) = self.saved.drain(saved..).next() {
            self.state = state;
        }
        self.marks.truncate(marks);
    }

    /// Begins marked content, which is a heading if its number is tagged as one, or if it is inside one.
    fn mark(&mut self, number: Option<i32>) {
        if self.marks.len() < MAX_MARKS {
            let around = self.marks.last().copied().flatten();
            let tagged = number.and_then(|number| self.tags.get(&number));
            self.marks.push(tagged.copied().or(around));
        }
    }

    fn text_operation(&mut self, operation: Op<'_, '_>) {
        match operation {
            Op::BeginText(_) => self.set_line(Matrix::IDENTITY),
            Op::SetTextMatrix(op) => self.set_line(Matrix::new([op.0, op.1, op.2, op.3, op.4, op.5])),
            Op::NextLine(op) => self.next_line(op.0.as_f64(), op.1.as_f64()),
            Op::NextLineAndSetLeading(op) => {
                self.state.leading = -op.1.as_f64();
                self.next_line(op.0.as_f64(), op.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => self.next_line(0.0, -self.state.leading),
            Op::ShowText(op) => self.show(op.0),
            Op::ShowTexts(op) => self.show_array(op.0),
            Op::NextLineAndShowText(op) => {
                self.next_line(0.0, -self.state.leading);
                self.show(op.0);
            }
            Op::ShowTextWithParameters(op) => {
                self.state.word_space = op.0.as_f64();
                self.state.char_space = op.1.as_f64();
                self.next_line(0.0, -self.state.leading);
                self.show(op.2);
            }
            Op::CharacterSpacing(op) => self.state.char_space = op.0.as_f64(),
            Op::WordSpacing(op) => self.state.word_space = op.0.as_f64(),
            Op::HorizontalScaling(op) => self.state.scale = op.0.as_f64() / 100.0,
            Op::TextLeading(op) => self.state.leading = op.0.as_f64(),
            Op::TextRise(op) => self.state.rise = op.0.as_f64(),
            _ => {}
        }
    }

    fn set_line(&mut self, matrix: Matrix) {
        self.line_matrix = matrix;
        self.text_matrix = matrix;
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.set_line(Matrix::shift(x, y).then(self.line_matrix));
    }

    /// Runs a form, which is content of its own.
    fn form(&mut self, name: &Name<'_>, resources: &Resources<'a>, depth: usize) {
        let Some(stream) = resources.get_x_object(name) else { return };
        let dict = stream.dict();
        if depth >= MAX_FORM_DEPTH || dict.get::<Name<'_>>(b"Subtype").is_none_or(|kind| *kind != *b"Form") {
            return;
        }
        let content = self.decode(&stream);
        let own = dict.get::<Dict<'a>>(b"Resources").map(Resources::new);
        let (state, text, line) = (self.state.clone(), self.text_matrix, self.line_matrix);
        if let Some(form_matrix) = dict.get::<[f32; 6]>(b"Matrix") {
            self.state.ctm = Matrix(form_matrix.map(f64::from)).then(self.state.ctm);
        }
        self.run(&content, own.as_ref().unwrap_or(resources), depth + 1);
        (self.state, self.text_matrix, self.line_matrix) = (state, text, line);
    }

    fn show_array(&mut self, items: &Array<'_>) {
        for item in items.iter::<Object<'_>>() {
            match item {
                Object::String(string) => self.show(&string),
                Object::Number(number) => {
                    let by = -number.as_f64() / 1000.0 * self.state.font_size;
                    self.advance(by * self.state.scale, by);
                }
                _ => {}
            }
        }
    }

    /// Moves to the next glyph: along the line, or down where the font is vertical.
    fn advance(&mut self, across: f64, down: f64) {
        let is_vertical = self.state.font.as_ref().is_some_and(|font| font.is_vertical());
        let shift = if is_vertical { Matrix::shift(0.0, down) } else { Matrix::shift(across, 0.0) };
        self.text_matrix = shift.then(self.text_matrix);
    }

    fn show(&mut self, string: &object::String<'_>) {
        let Some(font) = self.state.font.clone() else { return };
        let bytes = string.as_bytes();
        let mut at = 0;
        while at < bytes.len() && self.glyphs.len() < MAX_PAGE_GLYPHS && self.budget.glyphs > 0 {
            let (code, length) = font.read_code(bytes, at);
            at += length.max(1);
            self.budget.glyphs -= 1;
            let (text, advance) = font.glyph(code);
            let State { font_size, char_space, scale, .. } = self.state;
            let word_space = if length == 1 && code == 32 { self.state.word_space } else { 0.0 };
            self.push(&font, text, advance.0 * font_size * scale);
            let across = (advance.0 * font_size + char_space + word_space) * scale;
            self.advance(across, advance.1 * font_size + char_space + word_space);
        }
    }

    /// Keeps a glyph unless it isn't on the page, at an angle, or printed over itself.
    fn push(&mut self, font: &TextFont<'_>, text: Option<Rc<str>>, width: f64) {
        let Some(text) = text else { return };
        let State { font_size, scale, rise, ctm, .. } = self.state;
        let to_page =
            Matrix([font_size * scale, 0.0, 0.0, font_size, 0.0, rise]).then(self.text_matrix).then(ctm);
        let [a, b, c, d, x, y] = to_page.0;
        let stretch = self.text_matrix.then(ctm).0;
        let width = width.abs() * stretch[0].hypot(stretch[1]);
        let size = c.hypot(d);
        let is_finite = [x, y, width, size].iter().all(|value| value.is_finite() && value.abs() < 1e6);
        let Some(turns) = quarter_turns(a, b).filter(|_| is_finite && size > 0.1) else { return };
        let (x, y) = (x as f32, y as f32);
        let (page_width, page_height) = self.page_size;
        if x < -2.0 || y < -2.0 || x > page_width + 2.0 || y > page_height + 2.0 {
            return;
        }
        let step = (size as f32 / 8.0).max(0.05);
        let cell = ((x / step) as i32, (y / step) as i32, (size * 8.0) as i32, text.clone());
        if &*text != " " && !self.taken.insert(cell) {
            return;
        }
        let (x, y) = upright(x, y, turns, self.page_size);
        let (bold, mono) = (font.bold, font.mono);
        let heading = self.marks.last().copied().flatten();
        let (width, size) = (width as f32, size as f32);
        self.glyphs.push(Glyph { text, x, y, width, size, bold, mono, turns, heading });
    }
}

/// Returns how often text that runs along (a, b) is turned clockwise; `None` if it is at an angle, as watermarks are.
fn quarter_turns(a: f64, b: f64) -> Option<u8> {
    let along = if a.abs() >= b.abs() { (a, b.abs()) } else { (b, a.abs()) };
    if along.1 > along.0.abs() * 0.2 || along.0 == 0.0 {
        return None;
    }
    Some(match (a.abs() >= b.abs(), along.0 > 0.0) {
        (true, true) => 0,
        (false, true) => 1,
        (true, false) => 2,
        (false, false) => 3,
    })
}

/// Returns where a point is if the page is turned until its text is upright.
fn upright(x: f32, y: f32, turns: u8, (width, height): (f32, f32)) -> (f32, f32) {
    match turns {
        0 => (x, y),
        1 => (y, width - x),
        2 => (width - x, height - y),
        _ => (height - y, x),
    }
}
