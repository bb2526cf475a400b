//! Detects the language of a document and of a question.
//!
//! The language of a document is a function of its front matter, its path and its text, and never of other documents,
//! so a document has the same language however it came into the index.

use std::ops::Range;
use std::sync::OnceLock;

use hashbrown::HashMap;

use super::fold::{self, Casing};
use super::language::{LANGUAGES, Language, LanguageId, SCRIPTS, Script};
use super::path_tag::PathTag;
use super::word_runs;
use crate::document::{Document, Fences, FrontMatter};

/// The language of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedLanguage {
    /// The language.
    pub language: LanguageId,
    /// The language tag of the path with one separator. Without it, the path names the page in all languages.
    pub tag: Option<Range<usize>>,
}

/// How much of a text is read: words, and bytes including code and comments. If the first words are clear, the rest is
/// skipped, because this is part of indexing every document.
const FIRST_WORDS: usize = 100;
const MAX_WORDS: usize = 400;
const MAX_BYTES: usize = 32 << 10;

/// A word after one of these is a part of a name, an address or a tag: *io* in `k8s.io` isn't Italian.
const NAME_SEPARATORS: &[u8] = b"./<-_@=&#:\\";

/// A text in a script other than Latin has at least this percentage of its words in the script. Documentation has many
/// names in Latin letters.
const MIN_SCRIPT_PERCENT: usize = 15;
/// At least this percentage of the words of a text in Latin script are typical of its language.
const MIN_TYPICAL_PERCENT: usize = 8;
/// A text with fewer typical words must have twice as many as any other language has, and at least two.
const FEW_TYPICAL_WORDS: usize = 6;

/// Detects the language of a document.
pub fn detect_document(path: &str, document: &Document, text: &str) -> DetectedLanguage {
    let front_matter = document.front_matter.as_ref();
    let declared = front_matter.and_then(FrontMatter::language);
    let prose = front_matter.and_then(|block| text.get(block.span.end..)).unwrap_or(text);
    detect(declared.as_deref(), path, prose)
}

/// Detects a language from the one that the front matter names, the path, and the text after the front matter.
fn detect(declared: Option<&str>, path: &str, text: &str) -> DetectedLanguage {
    let declared = declared.and_then(LanguageId::of_tag);
    let tag = PathTag::find(path);
    let written = WordCounts::of_document(text).language();
    let decided = declared.or(written.filter(|guess| guess.is_clear).map(|guess| guess.language));
    let tag = tag.filter(|tag| {
        tag.is_clear || decided.map_or(!tag.needs_text(path), |language| language == tag.language)
    });
    let guesses = [decided, tag.as_ref().map(|tag| tag.language), written.map(|guess| guess.language)];
    let language = guesses.into_iter().flatten().next().unwrap_or(LanguageId::UNDETERMINED);
    DetectedLanguage { language, tag: tag.map(|tag| tag.span) }
}

/// Detects in which of the languages of an index a question is. `languages` has the most frequent one first, which a
/// question in a Latin script is taken to be in unless its function words say otherwise. Returns `None` if the words
/// could be in any language.
pub fn question_language(question: &str, languages: &[LanguageId]) -> Option<LanguageId> {
    let mut counts = WordCounts::default();
    counts.add(question, usize::MAX);
    match counts.other_script() {
        Some(script) => {
            let candidates: Vec<LanguageId> =
                languages.iter().copied().filter(|id| script.writes(*id)).collect();
            counts.most_typical(&candidates).map(|(best, _)| best)
        }
        None => {
            let mut candidates: Vec<LanguageId> =
                languages.iter().copied().filter(|id| id.language().script == Script::Latin).collect();
            if candidates.is_empty() {
                candidates.push(LanguageId::ENGLISH);
            }
            let (best, count) = counts.most_typical(&candidates)?;
            let is_first = candidates.first() == Some(&best);
            // One word may belong to the topic: *man pages* isn't a German question.
            (count >= if is_first { 1 } else { 2 }).then_some(best)
        }
    }
}

impl Script {
    /// True if texts in a language are written in the script.
    fn writes(self, language: LanguageId) -> bool {
        let script = language.language().script;
        script == self || (script == Script::Kana && self == Script::Han)
    }
}

/// The words of a text, counted by script and by the languages they are typical of.
struct WordCounts {
    words: usize,
    scripts: [usize; SCRIPTS],
    /// For each language, how many words are its function words or have only letters of its alphabet and an accent.
    typical: [usize; LANGUAGES.len()],
}

/// The language that a text seems to be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Guess {
    language: LanguageId,
    /// False if the text is in the script of the language but could be in another.
    is_clear: bool,
}

impl Default for WordCounts {
    fn default() -> Self {
        Self { words: 0, scripts: [0; SCRIPTS], typical: [0; LANGUAGES.len()] }
    }
}

impl WordCounts {
    /// Counts the first words of a document, without code blocks and comments.
    fn of_document(text: &str) -> Self {
        let mut counts = Self::default();
        let text = &text[..text.floor_char_boundary(MAX_BYTES)];
        let mut fences = Fences::default();
        let mut in_comment = false;
        let mut next_look = FIRST_WORDS;
        for line in text.lines() {
            if in_comment || !fences.is_code(line) {
                without_comments(line, &mut in_comment, |part| counts.add(part, MAX_WORDS));
            }
            if counts.words >= next_look {
                if counts.words >= MAX_WORDS || counts.language().is_some_and(|guess| guess.is_clear) {
                    break;
                }
                next_look = 2 * counts.words;
            }
        }
        counts
    }

    /// Counts the words of a text, up to a total of `most`.
    fn add(&mut self, text: &str, most: usize) {
        let mut lowered = String::new();
        // Every second part of a text is code: `like this`.
        for prose in text.split('`').step_by(2) {
            let mut from = 0;
            while let Some(run) = word_runs::next_run(prose, from) {
                from = run.end;
                if self.words >= most {
                    return;
                }
                let word = &prose[run.start..run.end];
                if run.unspaced {
                    self.add_unspaced(word);
                    continue;
                }
                let Some(script) = word.chars().next().and_then(Script::of) else { continue };
                let before = prose[..run.start].bytes().next_back();
                if before.is_some_and(|byte| NAME_SEPARATORS.contains(&byte)) {
                    continue;
                }
                self.words += 1;
                self.scripts[script as usize] += 1;
                lowered.clear();
                fold::lower(word, Casing::Common, &mut lowered);
                match by_function_word().get(lowered.as_str()) {
                    Some(languages) => languages.iter().for_each(|language| self.add_typical(*language)),
                    None if script == Script::Latin && !lowered.is_ascii() => {
                        Language::with_letters_of(&lowered).for_each(|language| self.add_typical(language));
                    }
                    None => {}
                }
            }
        }
    }

    /// Counts a run of a script without spaces, as one word for two characters.
    fn add_unspaced(&mut self, run: &str) {
        let mut letters = 0;
        for script in run.chars().filter_map(Script::of) {
            letters += 1;
            if letters % 2 == 1 {
                self.scripts[script as usize] += 1;
                self.words += 1;
            }
        }
    }

    /// Returns the script of the text unless it is Latin.
    fn other_script(&self) -> Option<Script> {
        let kana = self.scripts[Script::Kana as usize];
        let japanese = kana + self.scripts[Script::Han as usize];
        let count = |script: Script| match script {
            // Japanese is written in both, and Chinese in Han alone.
            Script::Kana if kana * 10 >= japanese => japanese,
            Script::Kana => 0,
            script => self.scripts[script as usize],
        };
        let scripts =
            LANGUAGES.iter().map(|language| language.script).filter(|script| *script != Script::Latin);
        let (most, script) =
            scripts.map(|script| (count(script), script)).rev().max_by_key(|(count, _)| *count)?;
        // Han and kana are equal if all of Japanese counts.
        let script = if script == Script::Han && count(Script::Kana) >= most { Script::Kana } else { script };
        (most > 0 && most * 100 >= self.words * MIN_SCRIPT_PERCENT).then_some(script)
    }

    /// Returns the language of the text, or `None` if it is in Latin script and could be in several.
    fn language(&self) -> Option<Guess> {
        let script = self.other_script();
        let languages: Vec<LanguageId> = LanguageId::all()
            .skip(1)
            .filter(|id| id.language().script == script.unwrap_or(Script::Latin))
            .collect();
        let (language, count) = self.most_typical(&languages)?;
        let others =
            languages.iter().filter(|other| **other != language).map(|other| self.typical_of(*other));
        let second = others.max();
        if script.is_some() {
            return Some(Guess { language, is_clear: second.is_none_or(|second| count > second) });
        }
        let second = second.unwrap_or_default();
        let is_clear = match count {
            0 | 1 => false,
            2..FEW_TYPICAL_WORDS => count > 2 * second,
            _ => count > second + 1 + second / 8,
        };
        let is_clear = is_clear && count * 100 >= self.words * MIN_TYPICAL_PERCENT;
        is_clear.then_some(Guess { language, is_clear })
    }

    /// Returns the language with the most typical words, the first of those with equally many.
    fn most_typical(&self, languages: &[LanguageId]) -> Option<(LanguageId, usize)> {
        let counted = languages.iter().map(|language| (*language, self.typical_of(*language)));
        counted.rev().max_by_key(|(_, count)| *count)
    }

    fn typical_of(&self, language: LanguageId) -> usize {
        self.typical.get(language.number() as usize).copied().unwrap_or_default()
    }

    fn add_typical(&mut self, language: LanguageId) {
        if let Some(count) = self.typical.get_mut(language.number() as usize) {
            *count += 1;
        }
    }
}

/// Calls `each` with the parts of a line outside of HTML comments. Some translations keep the original in comments.
fn without_comments<'a>(mut line: &'a str, in_comment: &mut bool, mut each: impl FnMut(&'a str)) {
    loop {
        let (mark, length) = if *in_comment { ("-->", 3) } else { ("<!--", 4) };
        let found = line.find(mark);
        if !*in_comment {
            each(&line[..found.unwrap_or(line.len())]);
        }
        let Some(at) = found else { return };
        line = &line[at + length..];
        *in_comment = !*in_comment;
    }
}

/// Returns the languages that have each function word.
fn by_function_word() -> &'static HashMap<&'static str, Vec<LanguageId>> {
    static MAP: OnceLock<HashMap<&'static str, Vec<LanguageId>>> = OnceLock::new();
    MAP.get_or_init(|| {
        let mut map: HashMap<&str, Vec<LanguageId>> = HashMap::new();
        for id in LanguageId::all() {
            for word in id.language().function_words.split_whitespace() {
                let languages = map.entry(word).or_default();
                // A list may repeat a word.
                if languages.last() != Some(&id) {
                    languages.push(id);
                }
            }
        }
        map
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str =
        "The scheduler decides on which of the nodes a pod runs, and it does so for every pod.";
    const GERMAN: &str =
        "Der Scheduler entscheidet, auf welchem der Knoten ein Pod läuft, und das für jeden Pod.";

    #[test]
    fn the_language_of_a_text_is_that_of_its_small_words_or_its_script() {
        for (code, text) in [
            ("en", ENGLISH),
            ("de", GERMAN),
            ("de", "Die Häuser sind alt."),
            ("fr", "Un pod est la plus petite unité que vous pouvez créer et déployer dans un cluster."),
            (
                "es",
                "Los contenedores de un pod se ejecutan en el mismo nodo y comparten la red con los demás.",
            ),
            (
                "pt",
                "Os contêineres de um pod são executados no mesmo nó e não compartilham os volumes com outros.",
            ),
            (
                "it",
                "I container di un pod vengono eseguiti nello stesso nodo e non condividono i volumi con gli altri.",
            ),
            (
                "nl",
                "De containers van een pod worden op hetzelfde knooppunt uitgevoerd en het netwerk is van hen.",
            ),
            (
                "pl",
                "Kontenery w podzie są uruchamiane na tym samym węźle i nie mogą być przeniesione przez nikogo.",
            ),
            ("vi", "Các container trong một pod được chạy trên cùng một nút và chia sẻ mạng với nhau."),
            (
                "id",
                "Kontainer yang ada di dalam sebuah pod dijalankan pada node yang sama dan dapat berbagi jaringan.",
            ),
            (
                "tr",
                "Bir pod içindeki tüm konteynerler aynı düğümde çalışır ve ağı paylaşır, ama bu her zaman böyle değil.",
            ),
            ("ru", "Контейнеры пода работают на одном узле и используют общую сеть."),
            ("uk", "Контейнери пода працюють на одному вузлі та використовують спільну мережу, що є зручно."),
            ("bg", "Контейнерите се изпълняват на един и същи възел и това не е без значение за мрежата."),
            ("el", "Τα κοντέινερ εκτελούνται στον ίδιο κόμβο."),
            ("ar", "تعمل الحاويات في نفس العقدة وتشترك في الشبكة مع هذا التطبيق"),
            ("fa", "کانتینرها در یک گره اجرا می شوند و از شبکه مشترک برای این کار استفاده می کنند"),
            ("hi", "कंटेनर एक ही नोड पर चलते हैं।"),
            ("ja", "コンテナは同じノードで実行されます。Pod の作成と削除。"),
            ("zh", "容器在同一个节点上运行。创建和删除 Pod。"),
            ("ko", "컨테이너는 같은 노드에서 실행된다."),
            ("th", "คอนเทนเนอร์ทำงานบนโหนดเดียวกัน"),
            ("he", "המכולות רצות על אותו צומת."),
            // The original of a translation is often kept in comments, and code is in no language.
            (
                "zh",
                "<!--\nThe scheduler decides on which of the nodes a pod runs.\n-->\n调度器决定 Pod 运行在哪个节点上。",
            ),
            (
                "de",
                "```sh\nfor the in of to do is it and the\n```\nDer Pod ist auf dem Knoten und nicht im Cluster.\n",
            ),
            // Too little to tell.
            ("und", "Pod Node Service"),
            ("und", "man page"),
            ("und", ""),
            ("und", "`the of and in` 42"),
        ] {
            assert_eq!(detect(None, "page.md", text).language.code(), code, "{text}");
        }
    }

    #[test]
    fn the_front_matter_counts_most_then_the_text_then_the_path() {
        for (declared, path, text, code, page) in [
            (Some("de-AT"), "page.md", ENGLISH, "de", "page.md"),
            (Some("German"), "page.md", "", "de", "page.md"),
            (Some("klingon"), "page.md", GERMAN, "de", "page.md"),
            (None, "docs/de/page.md", GERMAN, "de", "docs/page.md"),
            (None, "docs/de/page.md", "Pod", "de", "docs/page.md"),
            // A department, an HTML element and a language that the text isn't in.
            (None, "docs/it/page.md", ENGLISH, "en", "docs/it/page.md"),
            (None, "docs/it/page.md", "Pod", "und", "docs/it/page.md"),
            (None, "element/tr/page.md", ENGLISH, "en", "element/tr/page.md"),
            (None, "docs/fr/page.md", GERMAN, "de", "docs/fr/page.md"),
            // A page that isn't translated yet is still the one for that language.
            (None, "content/de/page.md", ENGLISH, "en", "content/page.md"),
            (None, "docs/zh-cn/page.md", ENGLISH, "en", "docs/page.md"),
            (None, "page.de.md", GERMAN, "de", "page.md"),
            (Some("en"), "docs/de/page.md", GERMAN, "en", "docs/de/page.md"),
        ] {
            let found = detect(declared, path, text);
            let mut shown = path.to_owned();
            shown.replace_range(found.tag.unwrap_or_default(), "");
            assert_eq!((found.language.code(), shown.as_str()), (code, page), "{declared:?} {path} {text}");
        }
    }

    #[test]
    fn a_question_is_in_a_language_of_the_index() {
        let all = ["en", "de", "fr", "ru", "uk", "ja", "zh"].map(|code| LanguageId::of_tag(code).unwrap());
        for (question, code) in [
            ("how do I restart a pod", Some("en")),
            ("Warum startet der Pod nicht", Some("de")),
            ("comment redémarrer un pod", Some("fr")),
            ("почему под не запускается", Some("ru")),
            ("чому под не запускається", Some("uk")),
            ("Pod の作成", Some("ja")),
            // Both are written so, and more documents are in Japanese.
            ("作成", Some("ja")),
            ("CrashLoopBackOff", None),
            ("man pages", None),
            ("restart pod", None),
            ("", None),
            ("컨테이너", None),
        ] {
            let found = question_language(question, &all).map(LanguageId::code);
            assert_eq!(found, code, "{question}");
        }
        assert_eq!(
            question_language("warum", &all[1..]).map(LanguageId::code),
            Some("de"),
            "the main language"
        );
        assert_eq!(
            question_language("how is it", &all[5..]).map(LanguageId::code),
            Some("en"),
            "in no other"
        );
    }
}
