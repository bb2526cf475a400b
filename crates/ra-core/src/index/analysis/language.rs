//! The languages that `ra` knows: their codes, stemmers, scripts and function words.

use std::collections::HashSet;
use std::sync::OnceLock;

use frostem::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};

use super::fold::{self, Casing};
use super::function_words as words;

/// A language, by its place in the list of languages. An index stores it, so `VERSION` in `storage/schema.rs` must be
/// raised if the order of the list changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LanguageId(u8);

/// A language.
#[derive(Debug)]
pub(super) struct Language {
    /// The ISO 639 code.
    pub(super) code: &'static str,
    /// The name in lower case.
    pub(super) name: &'static str,
    algorithm: Option<Algorithm>,
    pub(super) script: Script,
    pub(super) casing: Casing,
    /// Words that say nothing about the topic of a text, separated by white space.
    pub(super) function_words: &'static str,
    /// Other words that only phrase a question.
    pub(super) asking: &'static [Asking],
}

/// Words that say nothing about the topic of a question if they follow certain others.
#[derive(Debug)]
pub(super) struct Asking {
    pub(super) words: &'static str,
    /// For each of these lists, one of its words must come earlier.
    pub(super) after: &'static [&'static str],
    pub(super) place: WordPosition,
}

/// The required position of a word in its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordPosition {
    Anywhere,
    /// Only function words follow.
    End,
    /// This word follows.
    Before(&'static str),
}

impl LanguageId {
    /// Every language that isn't known. Its documents are stemmed as English.
    pub const UNDETERMINED: LanguageId = LanguageId(0);
    /// English, whose stemmer is also used for languages that have none.
    pub const ENGLISH: LanguageId = LanguageId(4);

    /// Returns all languages.
    pub(in crate::index) fn all() -> impl Iterator<Item = LanguageId> {
        (0..LANGUAGES.len() as u8).map(LanguageId)
    }

    /// Returns the language with a number that was stored. Numbers without a language are undetermined.
    pub(in crate::index) fn of_number(number: u64) -> LanguageId {
        u8::try_from(number)
            .ok()
            .filter(|number| usize::from(*number) < LANGUAGES.len())
            .map_or(Self::UNDETERMINED, LanguageId)
    }

    /// Returns the number to store.
    pub(in crate::index) fn number(self) -> u64 {
        u64::from(self.0)
    }

    /// Returns the language that a tag names: a code (`de`), a code with a region or script (`de-AT`, `zh_Hans`), or
    /// the English name of a language (`German`).
    pub fn of_tag(tag: &str) -> Option<LanguageId> {
        let tag = tag.trim();
        let code = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        let code =
            OTHER_CODES.iter().find(|(other, _)| other.eq_ignore_ascii_case(code)).map_or(code, |it| it.1);
        Self::all().skip(1).find(|id| {
            let language = id.language();
            language.code.eq_ignore_ascii_case(code) || language.name.eq_ignore_ascii_case(tag)
        })
    }

    /// Returns the ISO 639 code: `de`.
    pub fn code(self) -> &'static str {
        self.language().code
    }

    /// Returns the English name in lower case: `german`.
    pub fn name(self) -> &'static str {
        self.language().name
    }

    /// True unless the language is undetermined.
    pub fn is_known(self) -> bool {
        self != Self::UNDETERMINED
    }

    /// Returns the language whose stemmer is applied to texts in this one.
    pub(in crate::index) fn stemmed_as(self) -> LanguageId {
        if self.language().algorithm.is_some() { self } else { Self::ENGLISH }
    }

    pub(super) fn language(self) -> &'static Language {
        LANGUAGES.get(usize::from(self.0)).unwrap_or(&LANGUAGES[0])
    }

    /// Returns the function words, lower-cased and folded.
    pub(super) fn function_words(self) -> &'static HashSet<String> {
        static FOLDED: [OnceLock<HashSet<String>>; LANGUAGES.len()] =
            [const { OnceLock::new() }; LANGUAGES.len()];
        let set = || self.language().function_words.split_whitespace().map(fold::folded).collect();
        FOLDED[usize::from(self.0).min(LANGUAGES.len() - 1)].get_or_init(set)
    }
}

/// A set of languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LanguageSet(u64);

impl LanguageSet {
    pub(in crate::index) const ALL: LanguageSet = LanguageSet(u64::MAX);

    pub(in crate::index) fn contains(self, language: LanguageId) -> bool {
        self.0 >> language.0 & 1 == 1
    }

    pub(in crate::index) fn union(self, other: LanguageSet) -> LanguageSet {
        LanguageSet(self.0 | other.0)
    }
}

impl FromIterator<LanguageId> for LanguageSet {
    fn from_iter<I: IntoIterator<Item = LanguageId>>(languages: I) -> Self {
        LanguageSet(languages.into_iter().fold(0, |set, language| set | 1 << language.0))
    }
}

impl Language {
    /// Returns the language with a stemmer that a setting names.
    pub(super) fn with_stemmer(name: &str) -> Option<LanguageId> {
        let is_it = |id: &LanguageId| id.language().algorithm.is_some() && id.language().name == name;
        LanguageId::all().find(is_it)
    }

    /// Returns the languages in Latin script that have all accented letters of a lower-case word.
    pub(super) fn with_letters_of(word: &str) -> impl Iterator<Item = LanguageId> {
        let has = |letters: &str, code: &str, c: char| {
            c.is_ascii() || letters.contains(c) || code == "vi" && matches!(c, 'Ạ'..='ỹ')
        };
        let with = ACCENTED_LETTERS
            .iter()
            .filter(move |(code, letters)| word.chars().all(|c| has(letters, code, c)));
        with.filter_map(|(code, _)| LanguageId::of_tag(code))
    }

    /// True if accents are folded before stemming. In English they are optional, and `résumés` must match `resumes`.
    pub(super) fn folds_first(&self) -> bool {
        self.algorithm == Some(Algorithm::English)
    }

    /// Returns the stem of a word, given in lower case and also folded, or `None` if the word isn't in the
    /// script of the language. The caller must fold the stem.
    pub(super) fn stem(&self, lowered: &str, folded: &str) -> Option<String> {
        let algorithm = self.algorithm?;
        let is_known = match self.folds_first() {
            true => folded.bytes().all(|byte| byte.is_ascii_lowercase()),
            false => lowered.chars().all(|c| self.script.can_stem(c)),
        };
        // The Greek stemmer panics on words made of this and one of seven endings, none of which exists.
        if !is_known || (self.script == Script::Greek && folded.starts_with("ισαισ")) {
            return None;
        }
        let word = if self.folds_first() { folded } else { lowered };
        let stem = Stemmer::new(algorithm).stem(word).into_owned();
        // A word that the stemmer takes for a suffix must not vanish.
        (!stem.is_empty()).then_some(stem)
    }
}

/// A writing system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Devanagari,
    Bengali,
    Tamil,
    Thai,
    Hangul,
    /// Hiragana and katakana.
    Kana,
    Han,
}

/// The number of scripts.
pub(super) const SCRIPTS: usize = Script::Han as usize + 1;

impl Script {
    /// Returns the script of a letter.
    pub(super) fn of(c: char) -> Option<Script> {
        Some(match c {
            'a'..='z' | 'A'..='Z' | 'À'..='ɏ' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
            '\u{0370}'..='\u{03FF}' | '\u{1F00}'..='\u{1FFF}' => Script::Greek,
            '\u{0400}'..='\u{052F}' => Script::Cyrillic,
            '\u{0590}'..='\u{05FF}' => Script::Hebrew,
            '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' => Script::Arabic,
            '\u{0900}'..='\u{097F}' => Script::Devanagari,
            '\u{0980}'..='\u{09FF}' => Script::Bengali,
            '\u{0B80}'..='\u{0BFF}' => Script::Tamil,
            '\u{0E00}'..='\u{0E7F}' => Script::Thai,
            '가'..='힣' | '\u{1100}'..='\u{11FF}' => Script::Hangul,
            '\u{3040}'..='\u{30FF}' => Script::Kana,
            '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => Script::Han,
            _ => return None,
        })
    }

    /// True if stemmers for the script know a lower-case letter or mark. A word with any other character isn't
    /// stemmed.
    fn can_stem(self, c: char) -> bool {
        match self {
            Script::Latin => matches!(c, 'a'..='z' | 'ß'..='ɏ' | '\u{1E00}'..='\u{1EFF}'),
            Script::Greek => matches!(c, '\u{0370}'..='\u{03FF}' | '\u{1F00}'..='\u{1FFF}'),
            Script::Cyrillic => matches!(c, 'а'..='ԯ'),
            Script::Arabic => {
                matches!(c, '\u{0620}'..='\u{0669}' | '\u{066E}'..='\u{06FF}') && !c.is_numeric()
            }
            Script::Tamil => matches!(c, '\u{0B80}'..='\u{0BFF}') && !c.is_numeric(),
            _ => false,
        }
    }
}

const fn stemmed(
    code: &'static str,
    name: &'static str,
    algorithm: Algorithm,
    function_words: &'static str,
) -> Language {
    Language { algorithm: Some(algorithm), ..unstemmed(code, name, Script::Latin, function_words) }
}

const fn unstemmed(
    code: &'static str,
    name: &'static str,
    script: Script,
    function_words: &'static str,
) -> Language {
    Language { code, name, algorithm: None, script, casing: Casing::Common, function_words, asking: &[] }
}

/// All languages: those with a stemmer in alphabetical order, then the others. If a text in a script has none of the
/// function words, it is taken to be in the first language of the script.
pub(super) static LANGUAGES: [Language; 37] = [
    unstemmed("und", "undetermined", Script::Latin, ""),
    Language { script: Script::Arabic, ..stemmed("ar", "arabic", Algorithm::Arabic, words::ARABIC) },
    stemmed("da", "danish", Algorithm::Danish, words::DANISH),
    stemmed("nl", "dutch", Algorithm::Dutch, words::DUTCH),
    Language { asking: ENGLISH_ASKING, ..stemmed("en", "english", Algorithm::English, words::ENGLISH) },
    stemmed("fi", "finnish", Algorithm::Finnish, words::FINNISH),
    stemmed("fr", "french", Algorithm::French, words::FRENCH),
    stemmed("de", "german", Algorithm::German, words::GERMAN),
    Language { script: Script::Greek, ..stemmed("el", "greek", Algorithm::Greek, words::GREEK) },
    stemmed("hu", "hungarian", Algorithm::Hungarian, words::HUNGARIAN),
    stemmed("it", "italian", Algorithm::Italian, words::ITALIAN),
    stemmed("no", "norwegian", Algorithm::Norwegian, words::NORWEGIAN),
    stemmed("pt", "portuguese", Algorithm::Portuguese, words::PORTUGUESE),
    stemmed("ro", "romanian", Algorithm::Romanian, words::ROMANIAN),
    Language { script: Script::Cyrillic, ..stemmed("ru", "russian", Algorithm::Russian, words::RUSSIAN) },
    stemmed("es", "spanish", Algorithm::Spanish, words::SPANISH),
    stemmed("sv", "swedish", Algorithm::Swedish, words::SWEDISH),
    Language { script: Script::Tamil, ..stemmed("ta", "tamil", Algorithm::Tamil, words::TAMIL) },
    Language { casing: Casing::Turkish, ..stemmed("tr", "turkish", Algorithm::Turkish, words::TURKISH) },
    unstemmed("bn", "bengali", Script::Bengali, ""),
    unstemmed("bg", "bulgarian", Script::Cyrillic, words::BULGARIAN),
    unstemmed("ca", "catalan", Script::Latin, words::CATALAN),
    unstemmed("zh", "chinese", Script::Han, ""),
    unstemmed("hr", "croatian", Script::Latin, ""),
    unstemmed("cs", "czech", Script::Latin, words::CZECH),
    unstemmed("he", "hebrew", Script::Hebrew, ""),
    unstemmed("hi", "hindi", Script::Devanagari, ""),
    unstemmed("id", "indonesian", Script::Latin, words::INDONESIAN),
    unstemmed("ja", "japanese", Script::Kana, ""),
    unstemmed("ko", "korean", Script::Hangul, ""),
    unstemmed("fa", "persian", Script::Arabic, words::PERSIAN),
    unstemmed("pl", "polish", Script::Latin, words::POLISH),
    unstemmed("sr", "serbian", Script::Cyrillic, ""),
    unstemmed("sk", "slovak", Script::Latin, ""),
    unstemmed("th", "thai", Script::Thai, ""),
    unstemmed("uk", "ukrainian", Script::Cyrillic, words::UKRAINIAN),
    unstemmed("vi", "vietnamese", Script::Latin, words::VIETNAMESE),
];

/// Other codes of these languages, with the one that the list has.
const OTHER_CODES: &[(&str, &str)] = &[("nb", "no"), ("nn", "no"), ("cmn", "zh"), ("jp", "ja"), ("cn", "zh")];

/// The letters besides `a` to `z` of the languages in Latin script. Vietnamese also has a block of its own.
const ACCENTED_LETTERS: &[(&str, &str)] = &[
    ("da", "æøåé"),
    ("nl", "éèëïöü"),
    ("fi", "äöå"),
    ("fr", "àâæçéèêëîïôœùûü"),
    ("de", "äöüß"),
    ("hu", "áéíóöőúüű"),
    ("it", "àèéìíòóù"),
    ("no", "æøåéò"),
    ("pt", "áâãàçéêíóôõú"),
    ("ro", "ăâîșțşţ"),
    ("es", "áéíñóúü"),
    ("sv", "åäöé"),
    ("tr", "çğıİöşüâî"),
    ("ca", "àçèéíïòóúü"),
    ("hr", "čćđšž"),
    ("cs", "áčďéěíňóřšťúůýž"),
    ("pl", "ąćęłńóśźż"),
    ("sk", "áäčďéíĺľňóôŕšťúýž"),
    ("vi", "àáâãèéêìíòóôõùúýăđĩũơư"),
];

const ENGLISH_ASKING: &[Asking] = &[
    Asking { words: "difference differences", after: &[], place: WordPosition::Before("between") },
    Asking { words: "mean means", after: &["what", "do does did"], place: WordPosition::Anywhere },
    Asking {
        words: "work works working",
        after: &["how why not doesn't don't didn't isn't aren't"],
        place: WordPosition::End,
    },
];
