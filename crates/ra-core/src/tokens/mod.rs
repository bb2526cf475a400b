//! Counts tokens with the cl100k_base encoding, which budgets are based on.
//!
//! Every crate that encodes loads its vocabulary at the first call, which takes longer than a search. The vocabulary
//! here is a table that the build script puts into the binary: the first count costs no more than the thousandth.

mod count_cache;
mod hash;
mod merge;
mod pieces;
mod vocabulary;

/// Returns the number of tokens in a text.
pub fn count(text: &str) -> usize {
    count_cache::with(|known| pieces::pieces(text).map(|piece| known.count(piece.as_bytes())).sum())
}

/// Returns the number of tokens in a text; `None` as soon as it exceeds `most`.
pub fn count_to(text: &str, most: usize) -> Option<usize> {
    count_cache::with(|known| {
        pieces::pieces(text)
            .try_fold(0, |sum, piece| Some(sum + known.count(piece.as_bytes())).filter(|sum| *sum <= most))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the count of the reference implementation.
    fn expected(text: &str) -> usize {
        tiktoken::get_encoding("cl100k_base").unwrap().count(text)
    }

    #[test]
    fn counts_are_those_of_the_encoding() {
        assert_eq!(count("hello world"), 2);
        for text in [
            "",
            "don't DON'T I'LL we're you'ſ 'x '",
            "1234567",
            "a\n\n\nb  c \t d   ",
            "  leading\r\n\r\n  trailing \n ",
            "fn main() { println!(\"{}\", x.y_z); }\n",
            "日本語のテキスト, русский текст, العربية, हिन्दी",
            "🙂🙃 e\u{301} ½ Ⅷ ①",
        ] {
            assert_eq!(count(text), expected(text), "{text:?}");
        }
    }

    /// Long runs without a break are merged by other code than words.
    #[test]
    fn long_runs_are_counted_like_short_ones() {
        for unit in ["a", "ab", "xyzzy", "AAAAB3NzaC1yc2E", "日本語", "-", "=*", " ", "\n", "\u{0}"] {
            for times in [1, 7, 40, 400, 4000] {
                let text = unit.repeat(times);
                assert_eq!(count(&text), expected(&text), "{unit:?} × {times}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_counted_as_the_encoding_counts_it(
            text in prop_oneof![any::<String>(), "\\PC{0,200}", "[a-zA-Z' \t\r\n0-9.,ſÀ-ÿא-ת一-丏]{0,200}", "[ -~\\s]{0,400}"]
        ) {
            prop_assert_eq!(count(&text), expected(&text));
        }

        #[test]
        fn counting_ends_where_it_is_too_much(text in "[ -~\\s]{0,200}", most in 0usize..60) {
            prop_assert_eq!(count_to(&text, most), Some(count(&text)).filter(|tokens| *tokens <= most));
        }

        /// Budgets rely on this.
        #[test]
        fn counts_of_lines_add_up(left in "[ -~\\s]{0,80}", right in "[!-~é一][ -~\\s]{0,80}") {
            let left = left + "\n";
            prop_assert_eq!(count(&format!("{left}{right}")), count(&left) + count(&right));
        }
    }
}
