//! The fenced code blocks of markdown, line by line.

/// Tells which lines of a text are in fenced code blocks. The lines are read in order.
#[derive(Clone, Debug, Default)]
pub struct Fences<'a> {
    open: Option<&'a str>,
}

impl<'a> Fences<'a> {
    /// Reads a line. Returns true if it is in a fenced code block or is one of its fences. Its indentation doesn't
    /// count, because the fences of a list are indented like its items.
    pub fn is_code(&mut self, line: &'a str) -> bool {
        let content = line.trim_start();
        let mark = if content.starts_with('~') { '~' } else { '`' };
        let after = content.trim_start_matches(mark);
        let run = &content[..content.len() - after.len()];
        match self.open {
            Some(fence) => {
                if run.starts_with(fence) && after.trim().is_empty() {
                    self.open = None;
                }
                true
            }
            None => {
                let is_fence = run.len() >= 3 && (mark == '~' || !after.contains('`'));
                self.open = is_fence.then_some(run);
                is_fence
            }
        }
    }

    /// Returns the fence of the code block that no line has closed.
    pub fn open(&self) -> Option<&'a str> {
        self.open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_closed_by_one_of_its_own_kind() {
        for (text, code, open) in [
            ("a\n```\nb\n```\nc", 3, None),
            ("```\n~~~\n```\nc", 3, None),
            ("~~~ x\n```\nb\n~~~~\nc", 4, None),
            ("````\n```\nb", 3, Some("````")),
            ("```rust\n```rust\nb\n  ```", 4, None),
            ("```a``` b\nc", 0, None),
        ] {
            let mut fences = Fences::default();
            let found = text.lines().filter(|line| fences.is_code(line)).count();
            assert_eq!((found, fences.open()), (code, open), "{text:?}");
        }
    }
}
