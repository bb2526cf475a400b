//! Who may ask over HTTP: loopback by default, a bearer token for everybody else, and no web page.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The shortest token that is worth having.
const SHORTEST: usize = 16;

/// Web pages of this machine may ask; those of others may not, whatever name their server goes by.
pub(super) const ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];

/// What a client must show.
#[derive(Clone)]
pub(crate) struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A token; none when the text is too short for one, or cannot stand in a header.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let fits = text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// True when the headers show this token. The time it takes says nothing of where a wrong one differs.
    fn is_shown(&self, headers: &HeaderMap) -> bool {
        let mut shown = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(value), None) = (shown.next(), shown.next()) else { return false };
        let Some((scheme, token)) = value.to_str().ok().and_then(|value| value.split_once(' ')) else {
            return false;
        };
        scheme.eq_ignore_ascii_case("bearer") && equal(token.trim().as_bytes(), self.0.as_bytes())
    }
}

/// Compares every byte, whatever the ones before it were.
fn equal(given: &[u8], wanted: &[u8]) -> bool {
    let mut difference = given.len() ^ wanted.len();
    for (nr, byte) in wanted.iter().enumerate() {
        let other = given.get(nr).copied().unwrap_or(!byte);
        difference |= usize::from(std::hint::black_box(byte ^ other));
    }
    difference == 0
}

/// Lets a request through when it shows the token.
pub(super) async fn authorize(State(token): State<Token>, request: Request, next: Next) -> Response {
    if token.is_shown(request.headers()) {
        return next.run(request).await;
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer realm=\"ra\"")];
    let text = "this server asks for a bearer token: send `Authorization: Bearer TOKEN`\n";
    (StatusCode::UNAUTHORIZED, challenge, text).into_response()
}

/// True when an address can be reached from this machine only.
pub(super) fn is_private(address: &SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_token_is_let_through() {
        let token = Token::new("0123456789abcdef").expect("a token");
        for (value, right) in [
            ("Bearer 0123456789abcdef", true),
            ("bearer 0123456789abcdef", true),
            ("Bearer 0123456789abcdeg", false),
            ("Bearer 0123456789abcde", false),
            ("Bearer 0123456789abcdef0", false),
            ("Basic 0123456789abcdef", false),
            ("0123456789abcdef", false),
            ("Bearer ", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, value.parse().expect("a header"));
            assert_eq!(token.is_shown(&headers), right, "{value}");
            headers.append(header::AUTHORIZATION, "Bearer 0123456789abcdef".parse().expect("a header"));
            assert!(!token.is_shown(&headers), "two headers");
        }
        assert!(!token.is_shown(&HeaderMap::new()));
        for text in ["", "short", "with a space in it", "höher und höher und höher"] {
            assert!(Token::new(text).is_none(), "{text}");
        }
    }

    #[test]
    fn loopback_is_told_from_the_rest() {
        for (address, private) in [
            ("127.0.0.1:1", true),
            ("127.8.9.1:1", true),
            ("[::1]:1", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("0.0.0.0:1", false),
            ("[::]:1", false),
            ("192.168.1.2:1", false),
        ] {
            assert_eq!(is_private(&address.parse().expect("an address")), private, "{address}");
        }
    }
}
