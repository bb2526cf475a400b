//! Words of many scripts find their documents.

use ra_core::config::Value;

use crate::kb_helpers::{
    answer, env_with, everything, exactly, ids, kb_with, open, search_request, set, sorted_ids,
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
        let machine = env_with(&[("a.md", &format!("# X\n\n{text}\n"))]);
        let mut flags = exactly();
        flags.push(set("search", "stemmer", Value::Text((*language).to_owned())));
        assert_eq!(ids(&open(&machine, &flags), query).len(), 1, "{language}: {query}");
        flags.push(set("search", "stemmer", Value::Text("none".to_owned())));
        assert_eq!(ids(&open(&machine, &flags), query), [""; 0], "{language}: {query}");
    }
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
