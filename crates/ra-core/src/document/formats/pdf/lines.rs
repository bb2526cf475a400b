//! Glyphs to lines in reading order: glyphs → runs of text → columns → lines.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::glyphs::Glyph;
use super::tags::HeadingTag;

/// A gap between glyphs that separates words, as a share of the font size.
const WORD_GAP: f32 = 0.12;

/// A gap between glyphs that separates runs: columns of a table or of the page.
const RUN_GAP: f32 = 1.2;

/// How far the baselines of one line may differ, as a share of the font size. Superscripts are within.
const BASELINE_TOLERANCE: f32 = 0.45;

/// How often a page may be split into columns.
const MAX_COLUMN_SPLITS: usize = 3;

/// The resolution of the search for the gap between columns, in points.
const GUTTER_STEP: f32 = 2.0;

/// Lines of text on one baseline, in one column.
#[derive(Clone, Debug)]
pub(super) struct PdfLine {
    pub(super) text: String,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    /// The size of most of its characters.
    pub(super) size: f32,
    /// True if nearly all of it is bold.
    pub(super) bold: bool,
    /// True if nearly all of it is monospaced.
    pub(super) mono: bool,
    /// True if some of it is monospaced.
    pub(super) has_mono: bool,
    /// The left and right end of its column.
    pub(super) column: (f32, f32),
    /// The heading that nearly all of it is a part of by the tags of the document.
    pub(super) heading: Option<HeadingTag>,
}

/// Glyphs next to each other on one baseline.
#[derive(Clone, Debug)]
struct Run {
    text: String,
    left: f32,
    right: f32,
    baseline: f32,
    size: f32,
    chars: usize,
    bold_chars: usize,
    mono_chars: usize,
    heading: Option<HeadingTag>,
}

/// Returns the lines of a page in reading order. Text that is turned follows after the rest.
pub(super) fn lines(glyphs: Vec<Glyph>) -> Vec<PdfLine> {
    let mut by_turn: [Vec<Glyph>; 4] = Default::default();
    for glyph in glyphs {
        by_turn[usize::from(glyph.turns.min(3))].push(glyph);
    }
    by_turn.sort_by_key(|glyphs| std::cmp::Reverse(glyphs.len()));
    let mut lines = Vec::new();
    for glyphs in by_turn {
        read_in_columns(runs(join_accents(glyphs)), MAX_COLUMN_SPLITS, &mut lines);
    }
    lines
}

/// Puts an accent that is printed over a letter into the letter. Old TeX fonts have no accented letters.
fn join_accents(glyphs: Vec<Glyph>) -> Vec<Glyph> {
    let mut joined: Vec<Glyph> = Vec::with_capacity(glyphs.len());
    for mut glyph in glyphs {
        if let Some(accent) = joined.last()
            && let Some(mark) = combining_mark(&accent.text)
            && glyph.text.chars().all(char::is_alphabetic)
            && (accent.x + accent.width / 2.0 - glyph.x - glyph.width / 2.0).abs() < 0.3 * glyph.size
            && (accent.y - glyph.y).abs() < 0.6 * glyph.size
        {
            // The dotless letters are only there to carry accents.
            let letter = glyph.text.replace('ı', "i").replace('ȷ', "j");
            glyph.text = letter.chars().chain([mark]).nfc().collect::<String>().into();
            joined.pop();
        }
        joined.push(glyph);
    }
    joined
}

fn combining_mark(text: &str) -> Option<char> {
    Some(match text {
        "`" => '\u{300}',
        "´" => '\u{301}',
        "ˆ" | "^" => '\u{302}',
        "˜" | "~" => '\u{303}',
        "¯" => '\u{304}',
        "˘" => '\u{306}',
        "˙" => '\u{307}',
        "¨" => '\u{308}',
        "˚" => '\u{30a}',
        "˝" => '\u{30b}',
        "ˇ" => '\u{30c}',
        "¸" => '\u{327}',
        "˛" => '\u{328}',
        _ => return None,
    })
}

/// Joins glyphs that follow each other on one baseline.
fn runs(glyphs: Vec<Glyph>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut after_space = false;
    for glyph in glyphs {
        if glyph.text.trim().is_empty() {
            after_space = true;
            continue;
        }
        match runs.last_mut().filter(|run| run.continues_with(&glyph)) {
            Some(run) => run.append(&glyph, after_space),
            None => runs.push(Run::begin(&glyph)),
        }
        after_space = false;
    }
    runs
}

impl Run {
    fn begin(glyph: &Glyph) -> Self {
        let mut run = Self {
            text: String::new(),
            left: glyph.x,
            right: glyph.x,
            baseline: glyph.y,
            size: glyph.size,
            chars: 0,
            bold_chars: 0,
            mono_chars: 0,
            heading: glyph.heading,
        };
        run.add(glyph);
        run
    }

    fn continues_with(&self, glyph: &Glyph) -> bool {
        let gap = glyph.x - self.right;
        let size = self.size.max(glyph.size);
        glyph.heading == self.heading
            && (glyph.y - self.baseline).abs() < 0.1 * size
            && gap > -0.4 * size
            && gap < RUN_GAP * size
            && (self.size - glyph.size).abs() < 0.15 * size
    }

    fn append(&mut self, glyph: &Glyph, after_space: bool) {
        let gap = glyph.x - self.right;
        if glyph.mono && self.mono_chars == self.chars {
            let columns = (gap / char_width(glyph.size, glyph.width)).round().clamp(0.0, 8.0) as usize;
            self.text.push_str(&" ".repeat(columns.max(usize::from(after_space && gap > 0.0))));
        } else if after_space || gap > WORD_GAP * glyph.size {
            self.text.push(' ');
        }
        self.add(glyph);
    }

    fn add(&mut self, glyph: &Glyph) {
        self.text.push_str(&glyph.text);
        self.right = self.right.max(glyph.x + glyph.width);
        self.chars += 1;
        self.bold_chars += usize::from(glyph.bold);
        self.mono_chars += usize::from(glyph.mono);
    }

    fn is_mono(&self) -> bool {
        self.mono_chars == self.chars
    }
}

/// Returns the width of the characters of a monospaced font.
fn char_width(size: f32, width: f32) -> f32 {
    if width > 0.3 * size { width } else { 0.6 * size }
}

/// Splits the runs into columns if there are any, and appends their lines.
fn read_in_columns(runs: Vec<Run>, splits: usize, lines: &mut Vec<PdfLine>) {
    let Some(gutter) = (splits > 0).then(|| find_gutter(&runs)).flatten() else {
        let column = extent(&runs);
        lines.extend(join_runs(runs).into_iter().map(|runs| line(runs, column)));
        return;
    };
    let crosses = |run: &Run| run.left < gutter.0 - 1.0 && run.right > gutter.1 + 1.0;
    let (mut wide, columns): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(crosses);
    wide.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut bands: Vec<(Vec<Run>, Vec<Run>)> = vec![Default::default(); wide.len() + 1];
    for run in columns {
        let band = wide.partition_point(|wide| wide.baseline < run.baseline - BASELINE_TOLERANCE * wide.size);
        let side = if run.left < gutter.0 - 1.0 { &mut bands[band].0 } else { &mut bands[band].1 };
        side.push(run);
    }
    // A line across both columns ends what is above it in each of them.
    let mut wide = wide.into_iter();
    for (left, right) in bands {
        read_in_columns(left, splits - 1, lines);
        read_in_columns(right, splits - 1, lines);
        if let Some(run) = wide.next() {
            let column = (run.left, run.right);
            lines.push(line(vec![run], column));
        }
    }
}

fn extent(runs: &[Run]) -> (f32, f32) {
    let left = runs.iter().map(|run| run.left).fold(f32::MAX, f32::min);
    (left, runs.iter().map(|run| run.right).fold(left, f32::max))
}

/// Returns the gap between two columns of prose; `None` if there is one column, or a table.
fn find_gutter(runs: &[Run]) -> Option<(f32, f32)> {
    if runs.len() < 16 {
        return None;
    }
    let (left, right) = extent(runs);
    let steps = ((right - left) / GUTTER_STEP) as usize;
    if !(50..5_000).contains(&steps) {
        return None;
    }
    let step_of = |x: f32| (((x - left) / GUTTER_STEP) as usize).min(steps);
    // The number of runs over every step, from where runs begin and end.
    let mut changes = vec![0i32; steps + 2];
    for run in runs {
        changes[step_of(run.left)] += 1;
        changes[step_of(run.right) + 1] -= 1;
    }
    let mut covered = 0;
    let coverage: Vec<i32> = changes
        .iter()
        .map(|change| {
            covered += change;
            covered
        })
        .collect();
    let allowed = runs.len() as i32 / 12;
    let (mut best, mut start) = (0..0, None);
    for (step, covered) in coverage.iter().enumerate().take(steps * 3 / 4 + 1).skip(steps / 4) {
        if *covered > allowed {
            start = None;
            continue;
        }
        let from = *start.get_or_insert(step);
        if step + 1 - from > best.len() {
            best = from..step + 1;
        }
    }
    let gutter = (left + best.start as f32 * GUTTER_STEP, left + best.end as f32 * GUTTER_STEP);
    (best.len() >= 4 && are_columns_of_prose(runs, gutter)).then_some(gutter)
}

/// True if the text on both sides of a gap looks like prose: many lines that are about as long as their column.
fn are_columns_of_prose(runs: &[Run], gutter: (f32, f32)) -> bool {
    let middle = (gutter.0 + gutter.1) / 2.0;
    let side = |is_left: bool| {
        let inside = |run: &&Run| if is_left { run.right < middle } else { run.left > middle };
        let side: Vec<Run> = runs.iter().filter(inside).cloned().collect();
        let (left, right) = extent(&side);
        let lines = join_runs(side);
        let mut widths: Vec<f32> = lines
            .iter()
            .map(|line| extent(line))
            .map(|(from, to)| (to - from) / (right - left).max(1.0))
            .collect();
        widths.sort_by(f32::total_cmp);
        let chars: usize = lines.iter().flatten().map(|run| run.chars).sum();
        let parts: usize = lines.iter().map(|line| parts_of(line)).sum();
        let is_prose = lines.len() >= 8
            && widths[widths.len() / 2] > 0.45
            && chars >= 15 * lines.len()
            && parts < 3 * lines.len();
        (is_prose, right - left)
    };
    let ((left_is_prose, left_width), (right_is_prose, right_width)) = (side(true), side(false));
    // With three columns, one side is twice as wide.
    left_is_prose && right_is_prose && (0.4..2.5).contains(&(left_width / right_width.max(1.0)))
}

/// Returns how many parts of a line, whose runs are in order, have wide gaps between them, as the cells of a table do.
/// A logo such as that of TeX takes several runs without gaps, because its letters aren't on one baseline.
fn parts_of(line: &[Run]) -> usize {
    1 + line.windows(2).filter(|pair| pair[1].left - pair[0].right > RUN_GAP * pair[0].size).count()
}

/// Groups runs by baseline, from the top, and each group from the left.
fn join_runs(mut runs: Vec<Run>) -> Vec<Vec<Run>> {
    runs.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut lines: Vec<Vec<Run>> = Vec::new();
    // The baseline, size and length of the longest run of the last line.
    let mut longest = (0.0, 0.0, 0);
    for run in runs {
        let is_same = (run.baseline - longest.0).abs()
            < BASELINE_TOLERANCE * run.size.max(longest.1).min(longest.1 * 2.0);
        match lines.last_mut().filter(|_| is_same) {
            Some(line) => {
                if run.chars > longest.2 {
                    longest = (run.baseline, run.size, run.chars);
                }
                line.push(run);
            }
            None => {
                longest = (run.baseline, run.size, run.chars);
                lines.push(vec![run]);
            }
        }
    }
    for line in &mut lines {
        line.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    lines
}

/// Joins the runs of a line, which are sorted from the left.
fn line(runs: Vec<Run>, column: (f32, f32)) -> PdfLine {
    let (left, right) = extent(&runs);
    let longest = runs.iter().max_by_key(|run| run.chars);
    let baseline = longest.map_or(0.0, |run| run.baseline);
    // The names of code in a line are often smaller, and each of them is a run.
    let size = usual_size(runs.iter().map(|run| (run.size, run.chars))).unwrap_or_default();
    let count = |of: fn(&Run) -> usize| runs.iter().map(of).sum::<usize>();
    let chars = count(|run| run.chars);
    let (bold_chars, mono_chars) = (count(|run| run.bold_chars), count(|run| run.mono_chars));
    let (bold, mono) = (bold_chars * 10 >= chars * 9, mono_chars * 10 >= chars * 9);
    let heading = longest.and_then(|run| run.heading).filter(|heading| {
        let tagged = runs.iter().filter(|run| run.heading == Some(*heading));
        tagged.map(|run| run.chars).sum::<usize>() * 10 >= chars * 9
    });
    let mut text = String::new();
    let mut before: Option<&Run> = None;
    for run in &runs {
        if let Some(before) = before {
            let gap = run.left - before.right;
            if before.is_mono() && run.is_mono() {
                let columns = (gap / char_width(run.size, 0.0)).round().clamp(1.0, 40.0);
                text.push_str(&" ".repeat(columns as usize));
            } else if gap > WORD_GAP * run.size.min(before.size) {
                text.push(' ');
            }
        }
        text.push_str(&run.text);
        before = Some(run);
    }
    PdfLine { text, left, right, baseline, size, bold, mono, has_mono: mono_chars > 0, column, heading }
}

/// Returns the size that most characters have, in steps of a tenth of a point. Of two, the smaller one counts.
pub(super) fn usual_size(texts: impl Iterator<Item = (f32, usize)>) -> Option<f32> {
    let mut chars: HashMap<i32, usize> = HashMap::new();
    for (size, count) in texts {
        *chars.entry(size_key(size)).or_default() += count;
    }
    let most = chars.into_iter().max_by_key(|(key, count)| (*count, -key));
    most.map(|(key, _)| key as f32 / 10.0)
}

/// Returns a size in tenths of a point.
pub(super) fn size_key(size: f32) -> i32 {
    (size * 10.0).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places a text with glyphs half as wide as high.
    fn placed(text: &str, x: f32, y: f32, size: f32) -> Vec<Glyph> {
        let glyph = |(at, c): (usize, char)| Glyph {
            text: c.to_string().into(),
            x: x + at as f32 * size / 2.0,
            y,
            width: size / 2.0,
            size,
            bold: false,
            mono: false,
            turns: 0,
            heading: None,
        };
        text.chars().enumerate().map(glyph).collect()
    }

    fn texts(glyphs: Vec<Glyph>) -> Vec<String> {
        lines(glyphs).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn glyphs_are_joined_by_position() {
        for (glyphs, expected) in [
            (vec![placed("two", 10.0, 50.0, 10.0), placed("one", 10.0, 30.0, 10.0)], vec!["one", "two"]),
            (vec![placed("a b", 10.0, 50.0, 10.0), placed("c", 27.0, 50.0, 10.0)], vec!["a b c"]),
            (vec![placed("kern", 10.0, 50.0, 10.0), placed("ed", 30.5, 50.0, 10.0)], vec!["kerned"]),
            (
                vec![
                    placed("x", 10.0, 50.0, 10.0),
                    placed("2", 15.0, 46.5, 7.0),
                    placed("+y", 18.6, 50.0, 10.0),
                ],
                vec!["x2+y"],
            ),
            (vec![placed("far", 100.0, 50.0, 10.0), placed("left", 10.0, 50.2, 10.0)], vec!["left far"]),
            (vec![placed("¨", 10.0, 50.0, 10.0), placed("ubel", 10.0, 50.0, 10.0)], vec!["übel"]),
        ] {
            assert_eq!(texts(glyphs.concat()), expected);
        }
    }

    #[test]
    fn a_line_has_the_size_of_most_of_its_characters() {
        let glyphs = [
            placed("set the", 10.0, 50.0, 10.0),
            placed("sign_in_count", 50.0, 50.0, 8.5),
            placed("field now", 110.0, 50.0, 10.0),
        ];
        assert_eq!(lines(glyphs.concat())[0].size, 10.0);
    }

    #[test]
    fn columns_of_prose_are_read_one_after_the_other_and_tables_by_row() {
        let prose = |from: usize| -> Vec<String> {
            (from..from + 10).map(|nr| format!("line{nr} of text in a column here")).collect()
        };
        let (left, right) = (prose(10), prose(20));
        let mut glyphs =
            placed("A title that is wide enough to go across both of the columns of text", 20.0, 20.0, 10.0);
        for row in 0..10 {
            let y = 40.0 + 12.0 * row as f32;
            glyphs.extend(placed(&left[row], 20.0, y, 10.0));
            glyphs.extend(placed(&right[row], 200.0, y, 10.0));
        }
        let read = texts(glyphs);
        assert_eq!(read[1..11], left[..]);
        assert_eq!(read[11..], right[..]);
        let mut table = Vec::new();
        for row in 0..10 {
            let y = 40.0 + 12.0 * row as f32;
            table.extend(placed(&format!("key{row}"), 20.0, y, 10.0));
            table.extend(placed(&format!("{row}00"), 200.0, y, 10.0));
        }
        assert_eq!(texts(table)[3], "key3 300");
    }

    #[test]
    fn a_logo_in_every_line_does_not_make_a_table_of_columns() {
        // The letters of the logo of LaTeX are on several baselines.
        let with_logo = |text: &str, x: f32, y: f32| {
            let logo = [
                placed("L", x, y, 10.0),
                placed("A", x + 5.0, y - 2.0, 7.0),
                placed("TEX", x + 8.5, y, 10.0),
            ];
            [logo.concat(), placed(text, x + 25.0, y, 10.0)].concat()
        };
        let text = |nr: usize| format!("line{nr} of text in a column");
        let glyphs: Vec<Glyph> = (0..10)
            .map(|row| (row, 40.0 + 12.0 * row as f32))
            .flat_map(|(row, y)| {
                [with_logo(&text(row), 20.0, y), with_logo(&text(row + 10), 220.0, y)].concat()
            })
            .collect();
        let read = texts(glyphs);
        assert_eq!(read.len(), 20);
        assert!(read.iter().enumerate().all(|(nr, line)| line.ends_with(&text(nr))), "{read:#?}");
    }
}
