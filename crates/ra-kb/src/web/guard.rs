//! Headers that keep a document from running scripts or loading anything, and a check that keeps other sites from
//! loading pages. The checks of the Host and Origin headers and of the token are those of the MCP server.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Only our own files: one style sheet, one script, and images of the trees. No inline style or script, no frame.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Returns the policy of a page on which the reader has asked for the images of one other site.
pub(super) fn policy_with_images_of(site: &str) -> String {
    POLICY.replace("img-src 'self'", &format!("img-src 'self' {site}"))
}

/// Refuses requests of other sites, and adds the headers that every page has.
pub(super) async fn protect(request: Request, next: Next) -> Response {
    if !is_own(request.method(), request.headers()) {
        let text = "other sites may not load this page\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// True if a request comes from one of our own pages, from a link or the address bar, or from no browser. Pages of
/// other servers on this machine are foreign, too.
fn is_own(method: &Method, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text("host").unwrap_or_default();
    let is_own_origin = |origin: &str| {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    };
    if text("origin").is_some_and(|origin| !is_own_origin(origin)) {
        return false;
    }
    match text("sec-fetch-site") {
        None | Some("same-origin" | "none") => true,
        Some(_) => *method == Method::GET && text("sec-fetch-mode") == Some("navigate"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_links_and_programs_may_load_pages() {
        for (method, pairs, expected) in [
            (Method::GET, &[][..], true),
            (Method::GET, &[("origin", "http://127.0.0.1:7271")], true),
            (Method::POST, &[("origin", "http://127.0.0.1:7271"), ("sec-fetch-site", "same-origin")], true),
            (Method::GET, &[("origin", "http://127.0.0.1:9999")], false),
            (Method::GET, &[("origin", "null")], false),
            (Method::GET, &[("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")], true),
            (Method::GET, &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], true),
            (Method::GET, &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], false),
            (Method::GET, &[("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")], false),
            (Method::POST, &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("127.0.0.1:7271"));
            for (name, value) in pairs {
                headers.insert(*name, HeaderValue::from_static(value));
            }
            assert_eq!(is_own(&method, &headers), expected, "{method} {pairs:?}");
        }
    }

    #[test]
    fn the_policy_allows_nothing_inline() {
        assert!(!POLICY.contains("unsafe") && POLICY.starts_with("default-src 'none'"));
        let policy = policy_with_images_of("https://a.example");
        assert_eq!(policy.replace(" https://a.example;", ";"), POLICY);
        assert!(policy.contains("img-src 'self' https://a.example;"));
    }
}
