//! Compares ids and vectors with those of the reference implementation.

use ra_semantic::{
    PACKED_PAGE_BYTES, PackedPage, PassageTokens, SectionVector, dot_packed, encode_page, encode_passages,
    encode_query, token_ids,
};
use serde_json::Value;

const MIN_COSINE: f32 = 0.9999;

fn cases(kind: &str) -> Vec<Value> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("data/test_vectors.json")).expect("valid JSON");
    cases.into_iter().filter(|case| case["kind"] == kind).collect()
}

fn ids(value: &Value) -> Vec<u16> {
    value.as_array().into_iter().flatten().map(|id| id.as_u64().unwrap_or_default() as u16).collect()
}

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case[name].as_str().unwrap_or_default()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn expected_vector(case: &Value) -> Vec<f32> {
    case["vec"].as_array().into_iter().flatten().map(|x| x.as_f64().unwrap_or_default() as f32).collect()
}

fn encode_section(title: &str, body: &str) -> SectionVector {
    encode_passages(&PassageTokens::of_section(title, [body]))[0]
}

#[test]
fn queries_agree_with_the_reference() {
    let cases = cases("query");
    assert_eq!(cases.len(), 10);
    for case in cases {
        let query = text(&case, "text");
        let expected_ids = ids(&case["ids"]);
        assert_eq!(token_ids(query, 126), expected_ids[1..expected_ids.len() - 1], "{query}");
        let cosine = dot(&encode_query(query).section, &expected_vector(&case));
        assert!(cosine >= MIN_COSINE, "{query}: {cosine}");
    }
}

#[test]
fn sections_agree_with_the_reference() {
    let cases = cases("doc");
    assert_eq!(cases.len(), 10);
    for case in cases {
        let (title, body) = (text(&case, "title"), text(&case, "body"));
        assert_eq!(token_ids(title, 40), ids(&case["title_ids"]), "{title}");
        assert_eq!(token_ids(body, 448), ids(&case["body_ids"]), "{title}");
        let cosine = dot(&encode_section(title, body), &expected_vector(&case));
        assert!(cosine >= MIN_COSINE, "{title}: {cosine}");
    }
}

#[test]
fn every_vector_has_unit_length() {
    for text in ["", " \n", "x", "restart a pod", &"long ".repeat(10_000), "\u{300}\u{200b}"] {
        let query = encode_query(text);
        let vectors: [&[f32]; 4] =
            [&query.section, &query.page, &encode_page(text), &encode_section("", text)];
        for vector in vectors {
            assert!((dot(vector, vector) - 1.0).abs() < 1e-5, "{text:.10}");
        }
    }
}

#[test]
fn passages_are_encoded_as_if_they_were_alone() {
    let texts: Vec<String> =
        (0..9).map(|nr| format!("passage {nr} about pods {}", "word ".repeat(nr))).collect();
    let bodies: Vec<&str> = texts.iter().map(String::as_str).collect();
    for count in 0..bodies.len() {
        let alone: Vec<_> = bodies[..count].iter().map(|body| encode_section("Title", body)).collect();
        let passages = PassageTokens::of_section("Title", bodies[..count].iter().copied());
        assert_eq!(encode_passages(&passages), alone);
    }
}

#[test]
fn pages_and_queries_are_encoded_alike() {
    assert_eq!(encode_page("restart a pod"), encode_query("restart a pod").page);
}

#[test]
fn packed_pages_keep_the_cosine() {
    for case in cases("query") {
        let exact = encode_page(text(&case, "text"));
        let PackedPage { scale, steps } = PackedPage::new(&exact);
        let step = |at: usize| match at.checked_sub(PACKED_PAGE_BYTES) {
            None => steps[at] & 15,
            Some(at) => steps[at] >> 4,
        };
        let rounded: Vec<f32> = (0..exact.len()).map(|at| (f32::from(step(at)) - 8.0) * scale).collect();
        assert!((dot(&rounded, &rounded) - 1.0).abs() < 1e-5);
        let cosine = dot(&exact, &rounded);
        assert!(cosine > 0.98, "{cosine}");
        assert!((dot_packed(&exact, scale, &steps) - cosine).abs() < 1e-6);
    }
}

/// Hashes the bits of vectors (FNV-1a).
fn hash_bits(values: &[f32], start: u64) -> u64 {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes());
    bytes.fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Fails where another CPU, compiler or operating system computes different bits: an index and a query from
/// two machines must agree. A deliberate change of the arithmetic or the models changes the hashes.
#[test]
fn vectors_have_the_recorded_bits() {
    const RECORDED: (u64, u64, u64) = (0x4500_967a_5048_28d6, 0xc317_d3d9_1f39_343f, 0x6ea9_1938_0c89_f329);
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let queries = cases("query").into_iter().fold(START, |hash, case| {
        let vectors = encode_query(text(&case, "text"));
        hash_bits(&vectors.page, hash_bits(&vectors.section, hash))
    });
    let sections = cases("doc").into_iter().fold(START, |hash, case| {
        hash_bits(&encode_section(text(&case, "title"), text(&case, "body")), hash)
    });
    let pages =
        cases("doc").into_iter().fold(START, |hash, case| hash_bits(&encode_page(text(&case, "body")), hash));
    assert_eq!((queries, sections, pages), RECORDED);
}
