//! Words of many scripts find their documents.

use proptest::prelude::*;
use ra_core::config::Value;
use ra_core::kb::KnowledgeBase;

use crate::generated::cases;
use crate::kb_helpers::{
    answer, env_with, everything, exact, exactly, ids, kb_with, open, search_request, set, sorted_ids,
};

/// A document in each language.
const DOCUMENTS: &[(&str, &str)] = &[
    (
        "zh.md",
        "# 容器\n\n容器镜像承载封装了应用程序及其所有软件依赖的二进制数据。持久卷是集群中的一块存储。\n",
    ),
    ("ja.md", "# コンテナ\n\nコンテナイメージはアプリケーションをカプセル化します。永続ボリュームの要求。\n"),
    ("ko.md", "# 컨테이너\n\n컨테이너 이미지는 애플리케이션을 캡슐화한 바이너리이다. 볼륨을 사용한다.\n"),
    ("ru.md", "# Контейнеры\n\nОбразы контейнеров содержат приложение. Развёртывание занимает минуту.\n"),
    ("ar.md", "# الحاويات\n\nتحتوي صورة الحاوية على التطبيق وجميع مكتباته. المُدِير يوزّع الأحمال.\n"),
    ("hi.md", "# कंटेनर\n\nकंटेनर इमेज में एप्लिकेशन और उसकी निर्भरताएँ होती हैं। क्लस्टर में नोड हैं।\n"),
    ("th.md", "# คอนเทนเนอร์\n\nระบบจัดการข้อมูลช่วยให้นักพัฒนาทำงานได้เร็วขึ้น\n"),
    ("el.md", "# Δοχεία\n\nΗ εφαρμογή εκτελείται στον διακομιστή.\n"),
    ("accents.md", "# Cafe\u{301}\n\nDie Größe der A\u{308}nderung; naïve façade, señor.\n"),
    ("wide.md", "# Ｗｉｄｅ\n\nＦｕｌｌｗｉｄｔｈ １２３ and ﾊﾝｶｸ and the ligature ﬁnal.\n"),
];

#[test]
fn a_word_of_each_language_finds_its_document() {
    let kb = kb_with(DOCUMENTS, &exactly());
    for (query, expected) in [
        // Chinese: words of two and more characters, and across the boundaries of dictionary words.
        ("容器镜像", "zh.md#heading"),
        ("\"容器镜像\"", "zh.md#heading"),
        ("持久卷", "zh.md#heading"),
        ("应用程序", "zh.md#heading"),
        // One character, in the middle of a run and at its end.
        ("卷", "zh.md#heading"),
        ("储", "zh.md#heading"),
        ("\"卷\"", "zh.md#heading"),
        ("볼", "ko.md#heading"),
        ("น", "th.md#heading"),
        ("ข้", "th.md#heading"),
        // Japanese: katakana, ideographs, and both together.
        ("コンテナイメージ", "ja.md#heading"),
        ("コンテナ", "ja.md#heading"),
        ("永続ボリューム", "ja.md#heading"),
        ("永続", "ja.md#heading"),
        // Korean: a noun without its particle.
        ("컨테이너", "ko.md#heading"),
        ("이미지", "ko.md#heading"),
        ("볼륨", "ko.md#heading"),
        // Russian: case, and the letter that is often written without its dots.
        ("Развёртывание", "ru.md#heading"),
        ("развертывание", "ru.md#heading"),
        ("КОНТЕЙНЕРОВ", "ru.md#heading"),
        // Arabic: with and without vowel points.
        ("الحاوية", "ar.md#heading"),
        ("المدير", "ar.md#heading"),
        ("المُدِير", "ar.md#heading"),
        ("التطبيق", "ar.md#heading"),
        // Hindi: vowel signs are part of the word.
        ("कंटेनर", "hi.md#heading"),
        ("क्लस्टर", "hi.md#heading"),
        ("निर्भरताएँ", "hi.md#heading"),
        // Thai, which has no spaces between words.
        ("ข้อมูล", "th.md#heading"),
        ("นักพัฒนา", "th.md#heading"),
        ("\"จัดการข้อมูล\"", "th.md#heading"),
        ("εφαρμογη", "el.md#heading"),
        ("ΕΦΑΡΜΟΓΉ", "el.md#heading"),
        // Accents composed, decomposed and omitted.
        ("Café", "accents.md#cafe"),
        ("cafe\u{301}", "accents.md#cafe"),
        ("cafe", "accents.md#cafe"),
        ("Änderung", "accents.md#cafe"),
        ("anderung", "accents.md#cafe"),
        ("groesse OR grosse", "accents.md#cafe"),
        ("GRÖSSE", "accents.md#cafe"),
        ("naive facade senor", "accents.md#cafe"),
        // Width and ligatures.
        ("fullwidth", "wide.md#wide"),
        ("Ｆｕｌｌｗｉｄｔｈ", "wide.md#wide"),
        ("１２３", "wide.md#wide"),
        ("123", "wide.md#wide"),
        ("ハンカク", "wide.md#wide"),
        ("final", "wide.md#wide"),
        ("wide", "wide.md#wide"),
    ] {
        let found = ids(&kb, query);
        assert!(
            found.len() == 1 && found[0].split('#').next() == expected.split('#').next(),
            "{query}: {found:?}, not {expected}"
        );
        let found = answer(&kb, &search_request(query));
        assert!(found.unknown_words().is_empty() || query.contains(" OR "), "{query}: {:?}", found.unknown);
    }
    for query in ["狗", "ネコ", "고양이", "собака", "كلب", "कुत्ता", "แมว"] {
        assert_eq!(ids(&kb, query), [""; 0], "{query}");
    }
}

#[test]
fn an_exclusion_holds_in_every_script() {
    let kb = kb_with(DOCUMENTS, &exactly());
    let all = sorted_ids(&kb, "tree:docs").len();
    assert_eq!(all, DOCUMENTS.len());
    for word in ["容器镜像", "コンテナ", "볼륨", "развертывание", "التطبيق", "क्लस्टर", "ข้อมูล", "café"]
    {
        assert_eq!(sorted_ids(&kb, &format!("tree:docs -{word}")).len(), all - 1, "{word}");
    }
}

#[test]
fn matches_are_marked_in_every_script() {
    use crate::kb_helpers::{answer, search_request};
    let kb = kb_with(DOCUMENTS, &exactly());
    for (query, marked) in [
        ("развертывание", "Развёртывание"),
        ("café", "Cafe\u{301}"),
        ("क्लस्टर", "क्लस्टर"),
        ("fullwidth", "Ｆｕｌｌｗｉｄｔｈ"),
        ("持久卷", "持久卷"),
    ] {
        let passage = answer(&kb, &search_request(query)).passages.remove(0);
        let texts: Vec<&str> = passage.matched_texts().collect();
        assert!(texts.contains(&marked), "{query}: {texts:?}");
    }
}

/// A language, a text, and a word of another form that finds it.
const INFLECTED: &[(&str, &str, &str)] = &[
    ("english", "The dogs were running.", "run"),
    ("german", "Die Häuser sind alt.", "Häusern"),
    ("french", "Les chansons nouvelles.", "chanson"),
    ("russian", "Новые документы готовы.", "документами"),
    ("spanish", "Las canciones nuevas.", "canción"),
    ("italian", "Le bambine parlano.", "parlare"),
    ("portuguese", "Os meninos correram.", "menino"),
    ("dutch", "De katten slapen.", "kat"),
    ("swedish", "Hundarna springer.", "hunden"),
    ("finnish", "Taloissa asutaan.", "talossa"),
    ("turkish", "Evlerde oturuyor.", "evler"),
    ("arabic", "الكتاب جديد", "كتاب"),
];

#[test]
fn the_configured_stemmer_decides_which_forms_are_one() {
    for (language, text, query) in INFLECTED {
        let env = env_with(&[("a.md", &format!("# X\n\n{text}\n"))]);
        let mut flags = exactly();
        flags.push(set("search", "stemmer", Value::Text((*language).to_owned())));
        assert_eq!(ids(&open(&env, &flags), query).len(), 1, "{language}: {query}");
        flags.push(set("search", "stemmer", Value::Text("none".to_owned())));
        assert_eq!(ids(&open(&env, &flags), query), [""; 0], "{language}: {query}");
    }
}

/// Documents in many languages, each with words in other forms that find it and no other.
const SENTENCES: &[(&str, &str, &[&str])] = &[
    ("en", "The dogs were running through the streets of the old town.", &["dog", "run", "street"]),
    (
        "de",
        "Die Häuser in den Städten sind alt, und die Bäume sind es auch.",
        &["Haus", "Häusern", "Stadt", "Baum"],
    ),
    (
        "fr",
        "Les chansons nouvelles que nous chantons sont dans les cahiers.",
        &["chanson", "nouvelle", "cahier"],
    ),
    ("es", "Las canciones nuevas que escribimos están en los cuadernos.", &["canción", "cancion", "nueva"]),
    (
        "ru",
        "Новые документы готовы, и мы отправили их вместе с письмами.",
        &["документами", "документ", "письмо"],
    ),
    ("it", "Le bambine parlano con gli amici nella scuola della città.", &["parlare", "bambina", "amico"]),
    ("pt", "Os meninos correram para as escolas com os seus amigos.", &["menino", "escola"]),
    ("nl", "De katten slapen op de stoelen in het huis van de buren.", &["kat", "stoel"]),
    ("sv", "Hundarna springer på gatorna och vi är inte rädda för dem.", &["hunden", "gator"]),
    ("tr", "Bu evlerde çok insan oturuyor ve her biri için bir oda var.", &["evler"]),
    ("ja", "コンテナはアプリケーションを実行します。Pods を作成する。", &["コンテナ", "実行", "pod"]),
];

#[test]
fn inflected_forms_are_found_in_the_language_of_each_document() {
    let file =
        |(code, text, _): &(&str, &str, &[&str])| (format!("{code}-page.md"), format!("# X\n\n{text}\n"));
    let files: Vec<(String, String)> = SENTENCES.iter().map(file).collect();
    let mixed: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mixed_kb = kb_with(&mixed, &exactly());
    for ((code, text, queries), file) in SENTENCES.iter().zip(&mixed) {
        let expected = [format!("{}#x", file.0)];
        let alone = kb_with(std::slice::from_ref(file), &exactly());
        for query in *queries {
            assert_eq!(ids(&alone, query), expected, "{code}: {query}");
            assert_eq!(ids(&mixed_kb, query), expected, "{code} among others: {query}");
        }
        // Text copied from a document finds the document, as words and as a phrase.
        let words = text.trim_end_matches('.');
        let phrase = format!("\"{words}\"");
        for query in [words, phrase.as_str()].into_iter().chain(words.split(' ')) {
            let query = query.trim_matches(',');
            assert!(ids(&mixed_kb, query).contains(&expected[0]), "{code}: {query}");
        }
    }
}

#[test]
fn matches_are_marked_as_the_stemmer_of_the_document_sees_them() {
    let texts: Vec<(String, String)> =
        SENTENCES.iter().map(|(code, text, _)| (format!("{code}-page.md"), (*text).to_owned())).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let kb = kb_with(&files, &exactly());
    for (query, marked) in [
        ("Haus", "Häuser"),
        ("documents документами", "документы"),
        ("chanson", "chansons"),
        ("canción", "canciones"),
        ("run", "running"),
        ("pod", "Pods"),
    ] {
        let query = query.split(' ').next_back().unwrap_or_default();
        let passage = answer(&kb, &search_request(query)).passages.remove(0);
        assert_eq!(passage.matched_texts().collect::<Vec<_>>(), [marked], "{query}");
    }
}

/// Documents in English alone, with words of other languages and code in them.
const ENGLISH: &[(&str, &str)] = &[
    (
        "errors.md",
        "---\ntags: [net]\n---\n# Error handling\n\nErrors are handled where they occur; see getUserName.\n",
    ),
    (
        "sub/naive.md",
        "# Résumés\n\nThe naïve façade of a café, and the words документы and 容器 in a text.\n",
    ),
    ("man.md", "# man\n\nman page\n"),
    (
        "sub/die.md",
        "# Dice\n\nA die is cast, dice are thrown, and the die was loaded by the man in the hat.\n",
    ),
    ("code.md", "```\nlet x = fn(y);\n```\n"),
];

#[test]
fn in_an_english_tree_every_answer_is_that_of_the_english_stemmer() {
    let mut english = everything();
    english.push(set("search", "stemmer", Value::Text("english".to_owned())));
    let (auto, english) = (kb_with(ENGLISH, &everything()), kb_with(ENGLISH, &english));
    for query in [
        "error",
        "handled errors",
        "what is a die",
        "dice OR man",
        "resume",
        "документы",
        "документов",
        "容器",
        "naive cafe -dice",
        "title:error",
        "tags:net",
        "getUser",
        "tree:docs",
        "erors handlin",
        "the man in the hat threw a die at the cafe",
    ] {
        let (auto, english) =
            (answer(&auto, &search_request(query)), answer(&english, &search_request(query)));
        assert_eq!(exact(&auto.passages), exact(&english.passages), "{query}");
        assert_eq!(
            (auto.summary.total, auto.summary.notices),
            (english.summary.total, english.summary.notices),
            "{query}"
        );
    }
}

#[test]
fn one_document_in_another_language_does_not_disturb_the_others() {
    let finnish = ("fi.md", "# Talo\n\nTaloissa asutaan, kun ne ovat valmiita, ja se on hyvä.\n");
    let with: Vec<(&str, &str)> = ENGLISH.iter().copied().chain([finnish]).collect();
    let (alone, with) = (kb_with(ENGLISH, &everything()), kb_with(&with, &everything()));
    for query in ["error", "dies", "naive resume", "\"a die is cast\"", "what is the hat"] {
        assert_eq!(ids(&with, query), ids(&alone, query), "{query}");
    }
    assert_eq!(ids(&with, "talossa"), ["fi.md#talo"]);
    assert_eq!(ids(&with, "taloissa"), ["fi.md#talo"]);
}

#[test]
fn function_words_are_those_of_the_question() {
    let texts: Vec<(String, String)> =
        SENTENCES.iter().map(|(code, text, _)| (format!("{code}-page.md"), (*text).to_owned())).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let kb = kb_with(&files, &exactly());
    // None of these words but the last is in its document.
    for (query, expected) in [
        ("what would there be about dogs", "en-page.md"),
        ("wie kann man mit dem Haus", "de-page.md"),
        ("pourquoi est ce que vous cahier", "fr-page.md"),
        ("почему это так письмо", "ru-page.md"),
    ] {
        assert_eq!(ids(&kb, query), [expected], "{query}");
    }
}

proptest! {
    #![proptest_config(cases(10))]

    /// The languages of an index, and which document represents a page, don't depend on how it was made.
    #[test]
    fn updating_documents_in_many_languages_equals_building_anew(
        changes in prop::collection::vec((0..MIXED_PATHS.len(), prop::option::weighted(0.8, 0..SENTENCES.len())), 1..14),
    ) {
        let env = env_with(&[]);
        let kb = open(&env, &everything());
        for (nr, (path, sentence)) in changes.iter().enumerate() {
            let path = format!("p/docs/{}", MIXED_PATHS[*path]);
            match sentence {
                Some(sentence) => env.write(&path, format!("# Pods\n\n{}\n", SENTENCES[*sentence].1)),
                None => { let _ = std::fs::remove_file(env.path(&path)); }
            }
            if nr + 3 < changes.len() {
                // Every step is an update, but only the last ones are compared.
                answer(&kb, &search_request("pod"));
                continue;
            }
            let mut config = env.config_with("p", &everything()).unwrap();
            config.index_dir = env.path(&format!("fresh-{nr}"));
            let fresh = KnowledgeBase::open(config);
            for query in MIXED_QUERIES {
                prop_assert_eq!(shown(&kb, query), shown(&fresh, query), "{}", query);
            }
            prop_assert_eq!(kb.status().unwrap().index.languages, fresh.status().unwrap().index.languages);
        }
    }
}

const MIXED_PATHS: &[&str] =
    &["a.md", "a.de.md", "en/a.md", "content/ru/a.md", "content/ja/a.md", "content/a.md"];

const MIXED_QUERIES: &[&str] = &[
    "pods",
    "Haus",
    "документ dog",
    "chanson OR canción",
    "wie ist das Haus",
    "コンテナ",
    "lang:de pod",
    "tree:docs",
];

/// Returns everything that an answer shows.
fn shown(kb: &KnowledgeBase, query: &str) -> Vec<String> {
    let found = answer(kb, &search_request(query));
    let mut shown = exact(&found.passages);
    shown.extend(found.passages.iter().map(|passage| format!("{:?}", passage.translations)));
    shown.push(format!("{} {:?}", found.summary.total, found.summary.notices));
    shown
}

#[test]
fn typos_are_forgiven_outside_of_english_too() {
    let kb = kb_with(DOCUMENTS, &everything());
    for (query, expected) in [("приложенее", "ru.md"), ("контейниров", "ru.md"), ("εφαρμογι", "el.md")]
    {
        let found = ids(&kb, query);
        assert!(found.iter().any(|id| id.starts_with(expected)), "{query}: {found:?}");
    }
}
