//! Splits documents into headings, running text and fenced code.

use super::region::Tiles;
use super::{Language, RegionKind, frontmatter, markup, scan};

/// Link targets and code spans longer than this count as text, which keeps the search for their ends linear.
const MAX_INLINE: usize = 1024;

/// Splits a document into regions.
pub(super) fn scan(text: &str, tiles: &mut Tiles<'_>) {
    frontmatter::scan(text, tiles);
    let mut prose = Prose { text, tiles };
    while prose.tiles.end() < text.len() {
        prose.line();
    }
}

struct Prose<'a, 'b, 't> {
    text: &'a str,
    tiles: &'b mut Tiles<'t>,
}

impl<'a> Prose<'a, '_, '_> {
    /// Splits the next line, or the block that begins with it.
    fn line(&mut self) {
        let start = self.tiles.end();
        let end = line_end(self.text, start);
        let line = &self.text[start..end];
        let language = self.tiles.language();
        if let Some(fence) = Fence::opened_by(line).filter(|_| language != Language::Rst) {
            self.fenced(end, &fence);
        } else if is_heading(line, language) {
            self.inline(end, RegionKind::Heading);
        } else if is_definition(line) {
            self.tiles.push(end, RegionKind::Ignored);
        } else {
            let next = &self.text[end..line_end(self.text, end)];
            let titled = can_be_title(line) && is_underline(next, language);
            self.inline(end, if titled { RegionKind::Heading } else { RegionKind::Prose });
        }
    }

    fn fenced(&mut self, body: usize, fence: &Fence<'a>) {
        self.tiles.push(body, RegionKind::Ignored);
        let mut at = body;
        while at < self.text.len() {
            let end = line_end(self.text, at);
            if fence.is_closed_by(&self.text[at..end]) {
                break;
            }
            at = end;
        }
        let language = Language::of_tag(fence.tag);
        scan::scan(self.text, at, language, self.tiles);
        self.tiles.push(line_end(self.text, at), RegionKind::Ignored);
    }

    /// Splits the tags, comments and link targets out of a line. A comment may extend beyond the line.
    fn inline(&mut self, end: usize, kind: RegionKind) {
        let bytes = self.text.as_bytes();
        let mut at = self.tiles.end();
        while at < end {
            let rest = &bytes[at..end];
            let ignored = match bytes[at] {
                b']' if rest.starts_with(b"](") => target_end(rest).map(|length| at + length),
                b'<' => markup::tag_end(self.text, at),
                b'`' => {
                    at += code_length(rest);
                    continue;
                }
                b'\\' => {
                    at += 2;
                    continue;
                }
                _ => None,
            };
            match ignored {
                Some(after) => {
                    self.tiles.push(at, kind);
                    self.tiles.push(after, RegionKind::Ignored);
                    at = after;
                }
                None => at += 1,
            }
        }
        self.tiles.push(end, kind);
    }
}

/// Returns the end of the line that begins at `start`, including its line feed.
pub(super) fn line_end(text: &str, start: usize) -> usize {
    text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| start + length + 1)
}

/// A line that opens a code block.
struct Fence<'a> {
    mark: char,
    length: usize,
    tag: &'a str,
}

impl<'a> Fence<'a> {
    fn opened_by(line: &'a str) -> Option<Fence<'a>> {
        let line = line.trim();
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let length = line.len() - info.len();
        // `` ```a``` `` on one line is a code span.
        let opens = length >= 3 && !(mark == '`' && info.contains('`'));
        let tag = info
            .trim_start()
            .split(|c: char| c.is_whitespace() || "{},:.".contains(c))
            .find(|tag| !tag.is_empty());
        opens.then_some(Fence { mark, length, tag: tag.unwrap_or_default() })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }
}

/// True for `# a heading`, in the heading syntax of the language.
fn is_heading(line: &str, language: Language) -> bool {
    let (mark, most) = match language {
        Language::AsciiDoc => ('=', 6),
        Language::Org => ('*', usize::MAX),
        Language::Rst => return false,
        _ => ('#', 6),
    };
    let line = if language == Language::Markdown { line.trim_start_matches(' ') } else { line };
    let title = line.trim_start_matches(mark);
    let level = line.len() - title.len();
    (1..=most).contains(&level) && title.starts_with([' ', '\t']) && !title.trim().is_empty()
}

/// True for the underline of a heading.
fn is_underline(line: &str, language: Language) -> bool {
    let marks = match language {
        Language::Rst => "=-~^\"'*+#_:.",
        Language::Markdown | Language::Plain => "=-",
        _ => return false,
    };
    let line = line.trim_end();
    let first = line.chars().next().filter(|&c| marks.contains(c));
    line.len() >= 3 && first.is_some_and(|first| line.chars().all(|c| c == first))
}

/// True if an underline can make the line a heading: it isn't a list, quote, table or rule.
fn can_be_title(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with(|c: char| !c.is_whitespace() && !"-=>|+*~^".contains(c))
}

/// True for `[label]: target`.
fn is_definition(line: &str) -> bool {
    let line = line.trim_start();
    let Some((label, target)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]:")) else {
        return false;
    };
    !label.contains(['[', ']']) && !label.starts_with('^') && !target.trim().is_empty()
}

/// Returns the length of `](target)`, if the parenthesis is closed.
fn target_end(rest: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in rest.iter().take(MAX_INLINE).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth = depth.saturating_sub(1),
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// Returns the length of a code span, or of its opener if nothing closes it.
fn code_length(rest: &[u8]) -> usize {
    let ticks = |from: usize| rest[from..].iter().take_while(|&&byte| byte == b'`').count();
    let opener = ticks(0);
    let mut at = opener;
    while at < rest.len().min(opener + MAX_INLINE) {
        let length = ticks(at);
        if length == opener {
            return at + length;
        }
        at += length.max(1);
    }
    opener
}

#[cfg(test)]
mod tests {
    use super::super::regions;
    use super::*;

    fn shown(path: &str, text: &str) -> String {
        let show = |kind, text: &str| match kind {
            RegionKind::Prose => text.to_owned(),
            RegionKind::Ignored => "~".to_owned(),
            RegionKind::Heading => format!("h[{text}]"),
            RegionKind::Code => format!("code[{text}]"),
            other => format!("{other:?}[{text}]"),
        };
        regions(path, text).iter().map(|region| show(region.kind, region.span.of(text))).collect()
    }

    #[test]
    fn markdown() {
        for (text, expected) in [
            ("# A\nb\n", "h[# A\n]b\n"),
            ("A\n===\nb", "h[A\n]===\nb"),
            ("A\r\n---\r\nb", "h[A\r\n]---\r\nb"),
            ("- a\n---\n#no\n", "- a\n---\n#no\n"),
            ("see [a](b(c).md \"t\") d", "see [a~ d"),
            ("see [a](b c", "see [a](b c"),
            ("`[a](b)` and <b>c</b> a < b", "`[a](b)` and ~c~ a < b"),
            ("`Vec<String>` x <https://a.b> y", "`Vec<String>` x ~ y"),
            ("a <!-- b\nc --> d", "a ~ d"),
            ("[a]: http://b\nc", "~c"),
            ("```rust\nlet a; // b\n```\nc", "~code[let a; ]Comment[// b]code[\n]~c"),
            ("~~~\n# a\n```\n", "~code[# a\n```\n]"),
            ("``` a ``` b", "``` a ``` b"),
            ("---\ntitle: A\n---\n# B", "~h[ A\n]~h[# B]"),
            ("\\<b> é", "\\<b> é"),
        ] {
            assert_eq!(shown("x.md", text), expected);
        }
    }

    #[test]
    fn other_documents() {
        for (path, text, expected) in [
            ("x.rst", "A\n~~~~\nb", "h[A\n]~~~~\nb"),
            ("x.adoc", "== A\nb", "h[== A\n]b"),
            ("x.org", "** A\nb", "h[** A\n]b"),
            ("x.txt", "A\n===\nb", "h[A\n]===\nb"),
        ] {
            assert_eq!(shown(path, text), expected, "{path}");
        }
    }
}
