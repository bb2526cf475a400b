//! Builds the markdown of one paragraph, heading or cell: collapses white space, escapes text that would be markup,
//! and keeps emphasis and links balanced.

/// The markup around a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// `*text*`
    Emphasis,
    /// `**text**`
    Strong,
    /// `~~text~~`
    Strike,
    /// `[text](target)`
    Link(String),
    /// No markup: an element inside another one with the same mark, or a link that has ended with its paragraph.
    Nothing,
}

impl Mark {
    fn opening(&self) -> &'static str {
        match self {
            Mark::Emphasis => "*",
            Mark::Strong => "**",
            Mark::Strike => "~~",
            Mark::Link(_) => "[",
            Mark::Nothing => "",
        }
    }

    fn is_link(&self) -> bool {
        matches!(self, Mark::Link(_))
    }
}

/// The markdown of the current paragraph.
#[derive(Debug, Default)]
pub(super) struct Inline {
    markdown: String,
    /// True if white space was read since the last word.
    has_space: bool,
    /// True if a line break was read since the last word.
    has_break: bool,
    /// The marks around the next word, outermost first.
    marks: Vec<Mark>,
    /// How many of the marks are written; the others are written with the next word.
    written_marks: usize,
    /// The length of the markdown when the last mark or code was closed, and its closing markup.
    closed: (usize, &'static str),
    /// True inside a table, where `|` is escaped.
    is_cell: bool,
}

impl Inline {
    /// Sets whether the text is that of a table's cell.
    pub(super) fn set_cell(&mut self, is_cell: bool) {
        self.is_cell = is_cell;
    }

    /// Returns the size of the markdown.
    pub(super) fn len(&self) -> usize {
        self.markdown.len()
    }

    /// Adds white space, which is written if a word follows.
    pub(super) fn space(&mut self) {
        self.has_space = true;
    }

    /// Adds a line break. Returns true if it follows another one, which ends the paragraph.
    pub(super) fn line_break(&mut self) -> bool {
        !self.markdown.is_empty() && std::mem::replace(&mut self.has_break, true)
    }

    /// Adds text, escaping everything that would be markup.
    pub(super) fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let plain = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
            if plain > 0 {
                self.begin_word();
                self.markdown.push_str(&rest[..plain]);
                rest = &rest[plain..];
                continue;
            }
            rest = &rest[c.len_utf8()..];
            if c.is_whitespace() {
                self.has_space = true;
            } else if !is_invisible(c) {
                self.begin_word();
                self.character(c, rest);
            }
        }
    }

    /// Adds markdown as it is.
    pub(super) fn markup(&mut self, markdown: &str) {
        self.begin_word();
        self.markdown.push_str(markdown);
    }

    /// Adds a code span.
    pub(super) fn code(&mut self, code: &str) {
        let words: Vec<&str> = code.split_whitespace().collect();
        let code: String = words.join(" ").chars().filter(|c| !is_invisible(*c)).collect();
        if code.is_empty() {
            return;
        }
        let code = if self.is_cell { code.replace('|', "\\|") } else { code };
        self.begin_word();
        // Two spans without a space between them would be one span with backticks inside.
        let is_joined = self.closed == (self.markdown.len(), "`") && !code.contains('`');
        if is_joined {
            self.markdown.pop();
            self.markdown.push_str(&code);
            self.markdown.push('`');
        } else {
            if self.markdown.ends_with('`') {
                self.markdown.push(' ');
            }
            let fence = "`".repeat(longest_run(&code, '`') + 1);
            let padding = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
            self.markdown.extend([&fence, padding, &code, padding, &fence]);
        }
        let is_simple = !code.contains('`');
        self.closed = (self.markdown.len(), if is_simple { "`" } else { "" });
    }

    /// Adds an image, or only its description if it has no address.
    pub(super) fn image(&mut self, alt: &str, address: Option<&str>) {
        let Some(address) = address else { return self.text(alt) };
        self.begin_word();
        if self.markdown.ends_with('!') {
            self.markdown.insert(self.markdown.len() - 1, '\\');
        }
        self.markdown.push_str("![");
        let mut description =
            Inline { marks: vec![Mark::Link(String::new())], written_marks: 1, ..Inline::default() };
        description.is_cell = self.is_cell;
        description.text(alt);
        self.markdown.push_str(&description.markdown);
        self.close_link(address);
    }

    /// Begins a mark around the text that follows.
    pub(super) fn open(&mut self, mark: Mark) {
        let is_repeated = self.marks.iter().any(|open| *open == mark || open.is_link() && mark.is_link());
        self.marks.push(if is_repeated { Mark::Nothing } else { mark });
    }

    /// Ends the innermost mark. White space before its end is written after it.
    pub(super) fn close(&mut self) {
        if let Some(mark) = self.marks.pop()
            && self.written_marks > self.marks.len()
        {
            self.written_marks = self.marks.len();
            self.write_end(&mark);
        }
    }

    /// Returns the markdown and begins a new paragraph with the same marks, except for links.
    pub(super) fn take(&mut self) -> String {
        for at in (0..self.written_marks).rev() {
            let mark = self.marks[at].clone();
            self.write_end(&mark);
            if mark.is_link() {
                self.marks[at] = Mark::Nothing;
            }
        }
        self.written_marks = 0;
        self.closed = (0, "");
        (self.has_space, self.has_break) = (false, false);
        std::mem::take(&mut self.markdown)
    }

    fn write_end(&mut self, mark: &Mark) {
        match mark {
            Mark::Link(target) => self.close_link(target),
            mark => {
                self.markdown.push_str(mark.opening());
                self.closed = (self.markdown.len(), mark.opening());
            }
        }
    }

    fn close_link(&mut self, target: &str) {
        let target = link_target(target, self.is_cell);
        self.markdown.extend(["](", &target, ")"]);
    }

    /// Writes the white space before a word and the marks that begin with it.
    fn begin_word(&mut self) {
        let has_break = std::mem::take(&mut self.has_break);
        let has_space = std::mem::take(&mut self.has_space);
        if !self.markdown.is_empty() && has_break {
            self.markdown.push_str("\\\n");
        } else if !self.markdown.is_empty() && has_space {
            self.markdown.push(' ');
        }
        while let Some(mark) = self.marks.get(self.written_marks) {
            let opening = mark.opening();
            if mark.is_link() && self.markdown.ends_with('!') {
                self.markdown.insert(self.markdown.len() - 1, '\\');
            }
            let is_emphasis = !mark.is_link() && !opening.is_empty();
            if is_emphasis && self.closed == (self.markdown.len(), opening) {
                self.markdown.truncate(self.markdown.len() - opening.len());
            } else {
                self.markdown.push_str(opening);
            }
            self.written_marks += 1;
        }
    }

    fn character(&mut self, c: char, rest: &str) {
        let before = self.markdown.chars().next_back().filter(|before| *before != '\n');
        let in_link = self.marks.iter().take(self.written_marks).any(Mark::is_link);
        if self.is_cell && c == '|' || needs_escape(c, before, rest, in_link) {
            self.markdown.push('\\');
        }
        self.markdown.push(c);
    }
}

/// True if `c` would be markup. `before` is the character before it on its line; `rest` is the text after it. Where the
/// text ends, anything may follow.
fn needs_escape(c: char, before: Option<char>, rest: &str, in_link: bool) -> bool {
    let next = rest.chars().next();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
        '`' => true,
        '*' => !(before == Some(' ') && next.is_some_and(char::is_whitespace)),
        '_' => !(is_word(before) && is_word(next)),
        '[' => in_link || before.is_none() || next.is_none_or(|next| matches!(next, '[' | '^')),
        ']' => in_link || next.is_none_or(|next| matches!(next, '(' | '[' | ':')),
        '<' => next.is_none_or(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        '&' => begins_reference(rest),
        '#' => before.is_none_or(|before| matches!(before, ' ' | '\\' | '#')),
        '~' => before == Some('~') || next == Some('~'),
        _ => false,
    }
}

/// True if `rest`, which follows `&`, looks like the rest of a character reference.
fn begins_reference(rest: &str) -> bool {
    let name = rest.bytes().take(33).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && rest[name..].starts_with(';')
}

/// True for characters that aren't shown and only break words apart: control characters, soft hyphens, zero-width
/// spaces and byte order marks.
fn is_invisible(c: char) -> bool {
    c.is_control() || matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}')
}

/// Returns the length of the longest run of `c`.
pub(super) fn longest_run(text: &str, c: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for other in text.chars() {
        run = if other == c { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Returns the address as it is written inside the parentheses of a link.
fn link_target(address: &str, is_cell: bool) -> String {
    let mut target = String::with_capacity(address.len());
    let mut needs_brackets = false;
    for (at, c) in address.char_indices() {
        match c {
            '<' => target.push_str("%3C"),
            '>' => target.push_str("%3E"),
            '\\' => target.push_str("%5C"),
            '|' if is_cell => target.push_str("%7C"),
            '&' if begins_reference(&address[at + 1..]) => target.push_str("&amp;"),
            _ if is_invisible(c) => {}
            _ => {
                needs_brackets |= c.is_whitespace() || matches!(c, '(' | ')');
                target.push(if c.is_whitespace() { ' ' } else { c });
            }
        }
    }
    if needs_brackets { format!("<{target}>") } else { target }
}

/// Escapes the start of a line that would otherwise begin a block: a heading, a quote, a list, a table or an underline.
pub(super) fn escape_line_start(line: &str) -> String {
    let next = line.chars().nth(1);
    let is_rule = line.bytes().all(|byte| matches!(byte, b'-' | b':' | b'|' | b' ' | b'=' | b'+'));
    let is_marker = match line.as_bytes().first() {
        Some(b'>' | b'|' | b'#') => true,
        Some(first @ (b'-' | b'+')) => {
            is_rule || next.is_none_or(|next| next == ' ' || next == char::from(*first))
        }
        Some(b'=' | b':') => is_rule,
        Some(b'~') => line.starts_with("~~~"),
        _ => false,
    };
    if is_marker {
        return format!("\\{line}");
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = &line[digits..];
    let is_number = (1..10).contains(&digits)
        && after.starts_with(['.', ')'])
        && (after.len() == 1 || after[1..].starts_with(' '));
    if is_number { format!("{}\\{after}", &line[..digits]) } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut inline = Inline::default();
        inline.text(text);
        inline.take()
    }

    #[test]
    fn only_text_that_would_be_markup_is_escaped() {
        for (text, expected) in [
            ("snake_case and a * b", "snake_case and a * b"),
            ("*a* _b_ `c` ~~d~~", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~"),
            ("a[0] and [b](c) [[d]] [^e] x", "a[0] and [b\\](c) \\[[d]] \\[^e] x"),
            ("a < b, Vec<u8> </p> x<", "a < b, Vec\\<u8> \\</p> x\\<"),
            ("&amp; & &x &#38; AT&T", "\\&amp; & &x \\&#38; AT&T"),
            ("C# #tag ##x", "C# \\#tag \\#\\#x"),
            ("C:\\dir \\* a\\", "C:\\dir \\\\\\* a\\\\"),
            ("  a\n\t b\u{a0}c\u{ad}d\u{0}  ", "a b cd"),
            ("[ ] task", "\\[ ] task"),
        ] {
            assert_eq!(escaped(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_would_begin_a_block_are_escaped() {
        for (line, expected) in [
            ("# a", "\\# a"),
            ("> a", "\\> a"),
            ("- a", "\\- a"),
            ("--- ", "\\--- "),
            ("-a -b", "-a -b"),
            ("-|-", "\\-|-"),
            (":-:|:-:", "\\:-:|:-:"),
            (": a", ": a"),
            ("===", "\\==="),
            ("=> a", "=> a"),
            ("+++", "\\+++"),
            ("1. a", "1\\. a"),
            ("12)", "12\\)"),
            ("1.5 a", "1.5 a"),
            ("1234567890. a", "1234567890. a"),
            ("| a", "\\| a"),
            ("a", "a"),
            ("", ""),
        ] {
            assert_eq!(escape_line_start(line), expected, "{line}");
        }
    }

    #[test]
    fn marks_stay_balanced() {
        let link = || Mark::Link("x".to_owned());
        let build = |steps: &[(Option<Mark>, &str)]| {
            let mut inline = Inline::default();
            for (mark, text) in steps {
                if let Some(mark) = mark {
                    inline.open(mark.clone());
                }
                inline.text(text);
                if mark.is_some() {
                    inline.close();
                }
            }
            inline.take()
        };
        for (steps, expected) in [
            (vec![(None, "a"), (Some(Mark::Strong), " b "), (None, "c")], "a **b** c"),
            (vec![(Some(Mark::Strong), " "), (None, "c")], "c"),
            (vec![(Some(Mark::Strong), "a"), (Some(Mark::Strong), "b")], "**ab**"),
            (vec![(Some(Mark::Emphasis), "a"), (None, " "), (Some(Mark::Emphasis), "b")], "*a* *b*"),
            (vec![(None, "hey!"), (Some(link()), "a [b]")], "hey\\![a \\[b\\]](x)"),
            (vec![(Some(link()), "")], ""),
        ] {
            assert_eq!(build(&steps), expected);
        }
        let mut inline = Inline::default();
        inline.open(Mark::Strong);
        inline.open(link());
        inline.open(link());
        inline.text("a");
        assert_eq!(inline.take(), "**[a](x)**");
        inline.text("b");
        assert_eq!(inline.take(), "**b**");
    }

    #[test]
    fn code_has_a_fence_that_is_long_enough() {
        for (codes, expected) in [
            (&["a"][..], "`a`"),
            (&["a  *b*\n c"], "`a *b* c`"),
            (&["a`b"], "``a`b``"),
            (&["`a"], "`` `a ``"),
            (&[" "], ""),
            (&["a", "b"], "`ab`"),
            (&["``", "b"], "``` `` ``` `b`"),
        ] {
            let mut inline = Inline::default();
            codes.iter().for_each(|code| inline.code(code));
            assert_eq!(inline.take(), expected, "{codes:?}");
        }
    }

    #[test]
    fn addresses_are_written_safely() {
        for (address, expected) in [
            ("a.html#b", "a.html#b"),
            ("a b(c)", "<a b(c)>"),
            ("<x>\\", "%3Cx%3E%5C"),
            ("?a=1&copy;=2&b", "?a=1&amp;copy;=2&b"),
        ] {
            assert_eq!(link_target(address, false), expected, "{address}");
        }
    }
}
