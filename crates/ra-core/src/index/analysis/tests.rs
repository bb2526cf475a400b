//! Tests of the analyzer's public behavior: text in, tokens out.

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::stream::Token;
use super::term_normalizer::TermNormalizer;
use super::{Analyzer, TokenPart};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Owned {
    text: String,
    position: u32,
    start: usize,
    end: usize,
    part: TokenPart,
}

fn tokens(language: &str, text: &str) -> Vec<Owned> {
    let mut out = Vec::new();
    Analyzer::new(language).tokens(text, &mut |token: Token<'_>| {
        let Token { text, position, start, end, part } = token;
        out.push(Owned { text: text.to_owned(), position, start, end, part });
    });
    out
}

/// Returns the tokens as one line: wholes are separated by spaces, and the pieces of a compound follow it after a `+`.
fn line(language: &str, text: &str) -> String {
    let mut out = String::new();
    for token in tokens(language, text) {
        if !out.is_empty() {
            out.push(if token.part == TokenPart::Whole { ' ' } else { '+' });
        }
        out.push_str(&token.text);
    }
    out
}

#[track_caller]
fn check(language: &str, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(line(language, text), *expected, "{text:?} in {language}");
    }
}

#[test]
fn words_end_at_punctuation() {
    check(
        "english",
        &[
            ("Error-Handling in Rust", "error handl in rust"),
            ("", ""),
            (" \n\t--- ", ""),
            ("recieve received receiving", "reciev receiv receiv"),
            ("snake_case a/b std::fs user@host v1.2.3", "snake case a b std fs user host v1 2 3"),
            ("DEC-0054", "dec 0054"),
            ("don't don’t", "don t don t"),
            ("“quoted”—dashed…", "quot dash"),
            ("utf8 h264 v1 x86_64", "utf8 h264 v1 x86 64"),
            ("runs run2s", "run run2s"),
            ("nul\0byte", "nul byte"),
        ],
    );
}

#[test]
fn invisible_characters_do_not_split() {
    check(
        "none",
        &[
            ("soft\u{AD}hyphen", "softhyphen"),
            ("می\u{200C}خواهم", "میخواهم"),
            ("क\u{94D}\u{200D}ष", "क\u{94D}ष"),
            ("❤\u{FE0F}love 1\u{FE0F}\u{20E3}", "love 1"),
            ("zero\u{200B}width", "zero width"),
            ("\u{301}accent", "accent"),
        ],
    );
    let tail = tokens("none", "end\u{AD} x");
    assert_eq!((tail[0].start, tail[0].end), (0, 3), "a joiner after a word is not part of it");
}

#[test]
fn compounds_give_whole_and_pieces() {
    check(
        "none",
        &[
            ("getUserName", "getusername+get+user+name"),
            ("HTTPServer", "httpserver+http+server"),
            ("XMLHttpRequest", "xmlhttprequest+xml+http+request"),
            ("useEffect", "useeffect+use+effect"),
            ("Base64Encode Base64URL", "base64encode+base64+encode base64url+base64+url"),
            ("iPhone eBay xAxis getX", "iphone+phone ebay+bay xaxis+axis getx+get"),
            ("NaN McDonald GitHub", "nan+na mcdonald+mc+donald github+git+hub"),
            ("URLs APIs PDFs", "urls apis pdfs"),
            ("getURLs IDsToKeep", "geturls+get+urls idstokeep+ids+to+keep"),
            ("fileURLToPath", "fileurltopath+file+url+to+path"),
            ("IPv4 IPv6Address", "ipv4 ipv6address+ipv6+address"),
            ("H2O A1B2C3 SHA256 ALLCAPS Title", "h2o a1b2c3 sha256 allcaps title"),
            ("École éÉtat e\u{301}Etat", "ecole eetat+etat eetat+etat"),
            ("мойКласс", "моикласс+мои+класс"),
        ],
    );
    check("english", &[("IntersectionObservers", "intersectionobserv+intersect+observ"), ("URLs", "url")]);
}

#[test]
fn pieces_have_offsets_of_their_own() {
    let all = tokens("english", "a getUserName b");
    let spans: Vec<_> = all.iter().map(|t| (t.position, t.start, t.end, t.part)).collect();
    let expected = [
        (0, 0, 1, TokenPart::Whole),
        (1, 2, 13, TokenPart::Whole),
        (1, 2, 5, TokenPart::Piece),
        (1, 5, 9, TokenPart::Piece),
        (1, 9, 13, TokenPart::Piece),
        (2, 14, 15, TokenPart::Whole),
    ];
    assert_eq!(spans, expected);
}

#[test]
fn accents_width_and_case_are_folded() {
    check(
        "none",
        &[
            ("Café cafe\u{301} naïve Ñandú Ångström", "cafe cafe naive nandu angstrom"),
            ("Łódź øre Straße STRASSE STRAẞE Ærø Œuvre", "lodz ore strasse strasse strasse aero oeuvre"),
            ("İstanbul ISTANBUL ıstanbul", "istanbul istanbul istanbul"),
            ("Ｆｕｌｌ ﬁle x² №", "full file x2"),
            ("ΟΔΥΣΣΕΥΣ Ὀδυσσεύς", "οδυσσευσ οδυσσευσ"),
            ("Ёлка йод", "елка иод"),
            ("עִבְרִית", "עִבְרִית"),
            ("مُحَمَّد محمـــد", "محمد محمد"),
            ("ـــ", ""),
        ],
    );
}

#[test]
fn scripts_without_spaces_become_bigrams() {
    check(
        "english",
        &[
            ("容器镜像", "容器 器镜 镜像"),
            ("容 器", "容 器"),
            ("K8s容器入门Guide", "k8s 容器 器入 入门 guid"),
            ("データベース", "デー ータ タベ ベー ース"),
            ("ﾃﾞｰﾀ", "デー ータ"),
            ("日本語、東京・大阪", "日本 本語 東京 大阪"),
            ("한국어 검색", "한국 국어 검색"),
            ("ภาษาไทย", "ภา าษ ษา าไ ไท ทย"),
            ("น้ำใจ", "น้\u{E4D}า \u{E4D}าใ ใจ"),
            ("⼈⼝", "人口"),
        ],
    );
    let spans: Vec<_> = tokens("none", "x容器镜").iter().map(|t| (t.position, t.start, t.end)).collect();
    assert_eq!(spans, [(0, 0, 1), (1, 1, 7), (2, 4, 10)]);
}

#[test]
fn stemming_keeps_to_the_script_of_the_language() {
    check(
        "english",
        &[("testing тестирование परीक्षण résumés resumes", "test тестирование परीक्षण resum resum")],
    );
    check("russian", &[("контейнеры контейнеров containers", "контеинер контеинер containers")]);
    check("german", &[("Häuser Haus größere", "haus haus gross")]);
    check("french", &[("réseaux réseau", "reseau reseau")]);
    check("spanish", &[("canciones canción", "cancion cancion")]);
    check("turkish", &[("KAPILARI kapıları", "kapi kapi")]);
    check("hindi", &[("कंटेनर testing", "कंटेनर testing")]);
    check("arabic", &[("المكتبات testing", "مكتب testing")]);
    check("greek", &[("υπολογιστές υπολογιστής", "υπολογ υπολογ"), ("ισαισες ΙΣΑΙΣΑΝ", "ισαισεσ ισαισαν")]);
    check("none", &[("testing", "testing")]);
}

#[test]
fn words_of_more_than_forty_characters_are_dropped() {
    let hash = "0123456789abcdef".repeat(4);
    let all = tokens("english", &format!("a {hash} b"));
    let got: Vec<_> = all.iter().map(|t| (t.position, t.start, t.end)).collect();
    assert_eq!(got, [(0, 0, 1), (1, 67, 68)]);
    // The limit counts characters, not bytes.
    for letter in ["x", "\u{e9}", "\u{436}"] {
        assert_eq!(tokens("none", &letter.repeat(40)).len(), 1, "{letter}");
        assert_eq!(tokens("none", &letter.repeat(41)).len(), 0, "{letter}");
    }
    // Encoded data contains no words, but a long identifier does.
    assert!(tokens("none", &"aBcDe1".repeat(20)).is_empty());
    check(
        "none",
        &[(
            "shouldReturnNotFoundWhenUserDoesNotExistInDatabase",
            "should return not found when user does not exist in database",
        )],
    );
    // Neither expanding ligatures nor piles of marks make a longer term.
    for text in ["ﷺ".repeat(9), format!("क{}", "ा".repeat(99)), format!("ก{}", "่".repeat(99))] {
        assert!(tokens("none", &text).iter().all(|t| (1..=40).contains(&t.text.chars().count())), "{text}");
    }
}

#[test]
fn the_first_dropped_word_is_known() {
    let hash = "0123456789abcdef".repeat(4);
    let mut analyzer = Analyzer::new("english");
    assert_eq!(analyzer.dropped_word(&format!("some-{hash}/x")), Some(hash.as_str()));
    assert_eq!(analyzer.dropped_word("shouldReturnNotFoundWhenUserDoesNotExistInDatabase short"), None);
}

#[test]
fn a_cached_term_is_the_same_as_a_fresh_one() {
    let text = "Running runners RUN getUserName containers 容器 café running runners RUN getUserName café";
    let mut analyzer = Analyzer::new("english");
    let mut read = |text: &str| {
        let mut out = Vec::new();
        analyzer.tokens(text, &mut |token| out.push(token.text.to_owned()));
        out
    };
    assert_eq!(read(text), read(text));
    // At the end of a text there are fewer bytes to read than a slot has.
    let words: Vec<_> = text.split(' ').flat_map(&mut read).collect();
    assert_eq!(words, read(text));
}

#[test]
fn function_words() {
    let is = |language: &str, word: &str| Analyzer::new(language).is_function_word(word);
    assert!("how do i the of what's".split([' ', '\'']).all(|word| is("english", word)));
    assert!(["use", "get", "make", "want", "need", "index", ""].iter().all(|word| !is("english", word)));
    assert!(is("german", "für") && is("german", "fur") && is("french", "où") && is("russian", "как"));
    assert!(!is("none", "the"));
    for (language, question, content) in [
        ("english", "what does hsts mean in http", "hsts http"),
        ("english", "what is the arithmetic mean", "arithmetic mean"),
        ("english", "why is sticky not working", "sticky"),
        ("english", "caching doesn't work", "caching"),
        ("english", "how do i set the working directory", "set working directory"),
        ("english", "work queue", "work queue"),
        ("english", "rust's isn't", "rust's"),
        ("german", "what does hsts mean", "what does hsts mean"),
    ] {
        let words: Vec<Option<String>> = question.split(' ').map(|word| Some(word.to_owned())).collect();
        let asks = Analyzer::new(language).asking(&words);
        let left: Vec<&str> =
            question.split(' ').zip(asks).filter(|(_, asks)| !asks).map(|it| it.0).collect();
        assert_eq!(left.join(" "), content, "{question}");
    }
    assert_eq!(Analyzer::languages().count(), 18);
    assert!(Analyzer::languages().is_sorted());
}

/// Generates text that exercises the rules: letters of many scripts, marks, joiners, punctuation, and arbitrary text.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9]{1,8}",
        1 => "[a-zA-Z0-9]{38,90}",
        2 => "[ \n._'’-]{1,3}",
        2 => "[À-ÿĀ-ɏΑ-ώА-яёЁὀ-ῼẞİıßœ]{1,6}",
        1 => "[\u{300}-\u{345}\u{AD}\u{200C}\u{200D}\u{FE0F}\u{3099}]{1,2}",
        1 => "[容器镜像あがカガｶﾞー한국어가-힣ᄀ-ᇿㄱ-ㅎ]{1,5}",
        1 => "[क-ह़ािी्ก-๎ا-ي\u{64B}-\u{652}ـஅ-்ﷺ½⑴ŀ]{1,6}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn language() -> impl Strategy<Value = &'static str> {
    let names: Vec<_> = Analyzer::languages().chain(["none"]).collect();
    prop::sample::select(names)
}

fn texts(tokens: &[Owned]) -> Vec<&str> {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn offsets_and_positions_are_sound(text in text(), language in language()) {
        let (mut start, mut next) = (0, 0);
        for token in tokens(language, &text) {
            prop_assert!(token.start < token.end && text.get(token.start..token.end).is_some());
            prop_assert!(!token.text.is_empty() && token.text.chars().count() <= 40);
            match token.part {
                TokenPart::Whole => {
                    prop_assert!(token.start >= start);
                    prop_assert_eq!(token.position, next);
                    (start, next) = (token.start, next + 1);
                }
                TokenPart::Piece => prop_assert_eq!(token.position + 1, next),
            }
        }
    }

    #[test]
    fn text_can_be_cut_at_white_space(left in text(), right in text(), language in language()) {
        let cut = left.len() + 1;
        let whole = tokens(language, &format!("{left} {right}"));
        let mut halves = tokens(language, &left);
        let positions = halves.last().map_or(0, |token| token.position + 1);
        for mut token in tokens(language, &right) {
            token.position += positions;
            token.start += cut;
            token.end += cut;
            halves.push(token);
        }
        prop_assert_eq!(whole, halves);
    }

    #[test]
    fn composed_and_decomposed_text_agree(text in text(), language in language()) {
        let composed = tokens(language, &text.nfc().collect::<String>());
        let decomposed = tokens(language, &text.nfd().collect::<String>());
        prop_assert_eq!(texts(&composed), texts(&decomposed));
    }

    #[test]
    fn normal_forms_are_stable(text in text()) {
        for token in tokens("none", &text) {
            let mut terms = TermNormalizer::new(None);
            terms.resolve_plain(&token.text);
            prop_assert_eq!(terms.text(), token.text);
        }
    }

    #[test]
    fn anything_is_accepted(text in any::<String>(), language in language()) {
        tokens(language, &text);
    }

    #[test]
    fn stemmers_take_any_word_of_their_script(
        word in prop_oneof!["[a-zß-ÿĀ-ſ]{1,20}", "[а-яё]{1,20}", "[ά-ώ]{1,20}", "[ء-يٱ-ۓ]{1,20}", "[அ-்]{1,20}"],
        language in language(),
    ) {
        prop_assert!(tokens(language, &word).iter().all(|token| !token.text.is_empty()));
    }
}
