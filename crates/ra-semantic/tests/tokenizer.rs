//! Compares token ids with those of the `tokenizers` crate.

use std::{fs, path::Path};

use ra_semantic::token_ids;
use tokenizers::Tokenizer;

const NO_LIMIT: usize = usize::MAX;

const NASTY_TEXTS: [&str; 45] = [
    "",
    " \t\r\n\u{b}\u{c}\u{85}\u{a0}\u{2028}",
    "Hello, World! It's 3.14 -- or isn't it?",
    "café cafe\u{301} CAFÉ naïve Überprüfung Ångström",
    "a\u{300}\u{301}\u{302}\u{303}b",
    "\u{300}\u{301}",
    "İstanbul I ı i̇ ISTANBUL ıı",
    "ﬁnance ﬂow ﬀ ﬃ ﬄ ﬅ ﬆ",
    "ß ẞ STRASSE straße",
    "Ǆ ǅ ǆ Ǉ ǈ",
    "ὈΔΥΣΣΕΎΣ Σ ς σ ᾳ ΐ",
    "русский язык Ёлка йод",
    "العربية مَرْحَبًا",
    "עִבְרִית שָׁלוֹם",
    "हिन्दी नमस्ते क्षत्रिय",
    "ไทย ภาษาไทย",
    "한국어 각 한글",
    "日本語 ひらがな カタカナ が か\u{3099} ﾊﾝｶｸ",
    "重启pod后 restart，再说。「引用」",
    "\u{f900}\u{2f800}\u{20000}\u{2b820}\u{2a700}",
    "emoji 😀👍🏽👨‍👩‍👧 ❤️ 🇩🇪 1️⃣",
    "zero\u{200b}width\u{200d}joiner\u{feff}bom\u{ad}soft",
    "nul\0inside\u{1}control\u{7f}chars\u{9f}",
    "replacement\u{fffd}character \u{fffd}",
    "private\u{e000}use \u{f0000}\u{10fffd} non\u{ffff}character",
    "tags\u{e0001}\u{e0061} variation\u{e0100}",
    "x\u{302e}\u{302f}y \u{1d165}\u{1d16d}",
    "Å Ω K \u{212b}\u{2126}\u{212a}",
    "\u{37e}\u{387}\u{1fef} \u{2000}\u{2001}x\u{3000}y",
    "½ ² ³ ① Ⅳ ℃ № ™ ©",
    "€ £ ¥ ± × ÷ ≠ ∞ → ⇒ ∑ √",
    "“quotes” ‘single’ «guillemets» – — … • ‰ ′",
    "snake_case camelCase kebab-case SCREAMING_CASE path/to/file.rs",
    "$ ^ ` ~ | < > = + @ # & * \\ % { } [ ] ( )",
    "`git rebase --onto` [link](https://example.com/a?b=c&d=%20) ![](x.png)",
    "##ing ##s # ## ### heading",
    "[CLS] [SEP] [PAD] [UNK] [MASK] [cls] [CLS[SEP]] [ CLS] x[MASK]y",
    "[CLS\u{0}] [\u{300}SEP]",
    "[unused0] [unused99]",
    "0123456789 1e-10 0xdeadbeef v1.2.3-rc.4+build",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "qzxjkvbw ąęłżźć ŁÓDŹ ø æ œ đ ħ",
    "a\u{591}b \u{1ab0}\u{1dc0}\u{20d0}\u{fe20}c",
    "\u{1e9b}\u{323} \u{1d15e} \u{fb1d} \u{fb2c}",
    "𝐁𝐨𝐥𝐝 𝒮𝒸𝓇𝒾𝓅𝓉 𝟘𝟙𝟚 Ａ Ｂ ｃ １ ！",
];

fn reference() -> Tokenizer {
    let bytes = include_bytes!("data/tokenizer.json");
    let mut tokenizer = Tokenizer::from_bytes(bytes).expect("tokenizer.json is valid");
    tokenizer.with_padding(None).with_truncation(None).expect("no truncation is valid");
    tokenizer
}

fn reference_ids(tokenizer: &Tokenizer, text: &str) -> Vec<u16> {
    let encoding = tokenizer.encode(text, false).expect("every text can be encoded");
    encoding.get_ids().iter().map(|&id| id as u16).collect()
}

fn assert_same(tokenizer: &Tokenizer, text: &str) {
    assert_eq!(token_ids(text, NO_LIMIT), reference_ids(tokenizer, text), "{text:?}");
}

#[test]
fn nasty_texts_have_the_reference_ids() {
    let tokenizer = reference();
    NASTY_TEXTS.iter().for_each(|text| assert_same(&tokenizer, text));
}

#[test]
fn long_words_have_the_reference_ids() {
    let tokenizer = reference();
    for part in ["a", "é", "ſ", "x\u{301}", "word\u{200b}", "重", "ab\u{fb03}"] {
        for count in [16, 33, 49, 50, 51, 99, 100, 101, 102, 1000] {
            assert_same(&tokenizer, &format!("start {} end", part.repeat(count)));
        }
    }
}

/// Puts each character alone and between letters. Surrogates aren't characters.
#[test]
fn every_character_has_the_reference_ids() {
    let tokenizer = reference();
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    for chunk in all.chunks(64) {
        let text: String = chunk.iter().map(|c| format!("{c} a{c}b ")).collect();
        if token_ids(&text, NO_LIMIT) != reference_ids(&tokenizer, &text) {
            chunk.iter().for_each(|c| assert_same(&tokenizer, &format!("{c} a{c}b")));
            assert_same(&tokenizer, &text);
        }
    }
}

#[test]
fn a_limit_cuts_the_ids() {
    let tokenizer = reference();
    for text in NASTY_TEXTS {
        let all = reference_ids(&tokenizer, text);
        for limit in 0..=all.len() + 1 {
            assert_eq!(token_ids(text, limit), all[..limit.min(all.len())], "{limit} of {text:?}");
        }
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    const BYTES: usize = 10 << 20;
    for part in ["a", "ab ", "é", "\u{301}", "[", "[CLS", "重", "\u{200b}", "qz#"] {
        let text = part.repeat(BYTES / part.len());
        assert!(token_ids(&text, 448).len() <= 448);
        assert!(token_ids(&text, NO_LIMIT).len() <= text.len());
    }
}

/// Compares all markdown files below the directory in `RA_CORPUS`; for hand runs.
#[test]
fn a_corpus_has_the_reference_ids() {
    let Some(corpus) = std::env::var_os("RA_CORPUS") else { return };
    let tokenizer = reference();
    let mut directories = vec![Path::new(&corpus).to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            match fs::read_to_string(&path) {
                _ if path.is_dir() => directories.push(path),
                Ok(text) if path.extension().is_some_and(|extension| extension == "md") => {
                    assert_same(&tokenizer, &text);
                }
                _ => {}
            }
        }
    }
}
