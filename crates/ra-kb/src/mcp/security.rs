//! Access control over HTTP: only loopback by default, a bearer token for other machines, and no web pages
//! except those of this machine.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The minimum length of a token.
const MIN_TOKEN_BYTES: usize = 16;

/// The host names of this machine.
const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The headers that web pages may send, besides those of the protocol, which begin with `mcp-`.
const PAGE_HEADERS: [&str; 4] = ["accept", "authorization", "content-type", "last-event-id"];
/// The response headers that web pages may read.
const EXPOSED_HEADERS: &str = "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate";
const METHODS: &str = "GET, POST, DELETE, OPTIONS";

/// The host names that a request may use for the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hosts {
    /// Only those of this machine.
    Local,
    /// All of them: a server for other machines doesn't know its own names. It has a token instead, which a page in
    /// somebody's browser doesn't know.
    Any,
}

/// The bearer token that clients must send.
#[derive(Clone)]
pub(crate) struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Returns a token, or `None` if the text is too short or contains characters that a header cannot.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let fits = text.len() >= MIN_TOKEN_BYTES && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// True if the headers contain this token. The comparison takes the same time wherever a wrong token
    /// differs.
    fn is_shown(&self, headers: &HeaderMap) -> bool {
        let mut shown = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(value), None) = (shown.next(), shown.next()) else { return false };
        let Some((scheme, token)) = value.to_str().ok().and_then(|value| value.split_once(' ')) else {
            return false;
        };
        scheme.eq_ignore_ascii_case("bearer") && equal(token.trim().as_bytes(), self.0.as_bytes())
    }
}

/// Compares all bytes, even after a difference.
fn equal(given: &[u8], wanted: &[u8]) -> bool {
    let mut difference = given.len() ^ wanted.len();
    for (nr, byte) in wanted.iter().enumerate() {
        let other = given.get(nr).copied().unwrap_or(!byte);
        difference |= usize::from(std::hint::black_box(byte ^ other));
    }
    difference == 0
}

/// The cookie with which a browser shows that it knows the token.
const COOKIE: &str = "ra_session";

/// The context of the key that the cookie is derived with.
const COOKIE_KEY: &str = "ra 2026 cookie of a browser that knows the token";

impl Token {
    /// True if a text is this token.
    pub(crate) fn is(&self, text: &str) -> bool {
        equal(text.trim().as_bytes(), self.0.as_bytes())
    }

    /// Returns the `Set-Cookie` header for a browser that knows the token. Browsers send a cookie to all ports of a
    /// host, so its value is derived from the token and doesn't reveal it.
    pub(crate) fn cookie(&self) -> String {
        format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_value())
    }

    fn cookie_value(&self) -> String {
        blake3::Hash::from(blake3::derive_key(COOKIE_KEY, self.0.as_bytes())).to_hex().to_string()
    }

    /// True if the headers contain the cookie for this token.
    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let wanted = self.cookie_value();
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut cookies =
            lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        cookies.any(|(name, value)| name == COOKIE && equal(value.as_bytes(), wanted.as_bytes()))
    }
}

/// How a request without the token is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unauthorized {
    /// With an error.
    Refuse,
    /// A browser is sent to the form that asks for the token; others get an error.
    AskBrowser,
}

/// Lets a request through if it has the token, or the cookie of a browser that had it.
pub(super) async fn authorize(
    State((token, unauthorized)): State<(Token, Unauthorized)>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    if token.is_shown(headers) || unauthorized == Unauthorized::AskBrowser && token.has_cookie(headers) {
        return next.run(request).await;
    }
    let accepts = headers.get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
    if unauthorized == Unauthorized::AskBrowser
        && request.method() == Method::GET
        && accepts.contains("text/html")
    {
        return (StatusCode::SEE_OTHER, [(header::LOCATION, "/login")]).into_response();
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer realm=\"ra\"")];
    let text = "this server asks for a bearer token: send `Authorization: Bearer TOKEN`\n";
    (StatusCode::UNAUTHORIZED, challenge, text).into_response()
}

/// Refuses requests with an ambiguous host or origin, and all web pages except those of this machine. Adds the
/// CORS headers that let these read the response.
pub(super) async fn admit(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    if let Err(refusal) = check(hosts, &request) {
        return refusal.into_response();
    }
    let origin = request.headers().get(header::ORIGIN).cloned();
    let asked = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    // A browser sends preflight requests without the token.
    let is_preflight = request.method() == Method::OPTIONS
        && origin.is_some()
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response =
        if is_preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    let Some(origin) = origin else { return response };
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let mut say = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    if is_preflight {
        say(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        say(header::ACCESS_CONTROL_ALLOW_HEADERS, &page_headers(asked.as_ref()));
        say(header::ACCESS_CONTROL_MAX_AGE, "600");
    } else {
        say(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    }
    response
}

/// Returns the status and message of the refusal if a request is not allowed.
fn check(hosts: Hosts, request: &Request) -> Result<(), (StatusCode, &'static str)> {
    const UNCLEAR: StatusCode = StatusCode::BAD_REQUEST;
    const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;
    let uri = request.uri();
    if uri.scheme().is_some() || uri.authority().is_some() {
        return Err((UNCLEAR, "the target must be a path: this server isn't a proxy\n"));
    }
    let mut named = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (named.next(), named.next()) else {
        return Err((UNCLEAR, "a request must have one Host header\n"));
    };
    let host = host.to_str().ok().and_then(host_of);
    if !host.is_some_and(|host| hosts == Hosts::Any || is_local(host)) {
        return Err((FORBIDDEN, "this server does not go by the name in the Host header\n"));
    }
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => Ok(()),
        (Some(origin), None) if origin.to_str().is_ok_and(is_local_origin) => Ok(()),
        (Some(_), None) => Err((FORBIDDEN, "web pages of other machines may not ask this server\n")),
        (Some(_), Some(_)) => Err((UNCLEAR, "a request must have no more than one Origin header\n")),
    }
}

/// Returns the host of an authority, which may be followed by a port and nothing else.
fn host_of(authority: &str) -> Option<&str> {
    let end = match authority.starts_with('[') {
        true => authority.find(']')? + 1,
        false => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(end);
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let is_plain = !host.is_empty() && !host.contains(['@', '/', '?', '#', ' ', ',']);
    (is_plain && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))).then_some(host)
}

fn is_local(host: &str) -> bool {
    LOCAL_HOSTS.iter().any(|local| local.eq_ignore_ascii_case(host))
}

/// True if an origin is a web page of this machine.
fn is_local_origin(origin: &str) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.and_then(host_of).is_some_and(is_local)
}

/// Returns the headers that a page may send: the fixed ones and those of the protocol that the page asks for,
/// because not all of their names are known.
fn page_headers(asked: Option<&HeaderValue>) -> String {
    let asked = asked.and_then(|asked| asked.to_str().ok()).unwrap_or_default();
    let of_protocol = asked.split(',').map(str::trim).filter(|name| {
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_name && name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("mcp-"))
    });
    PAGE_HEADERS.into_iter().chain(of_protocol).collect::<Vec<_>>().join(", ")
}

/// True if an address can only be reached from this machine.
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
    fn the_cookie_proves_the_token_without_revealing_it() {
        let (token, other) = (Token::new("0123456789abcdef"), Token::new("0123456789abcdeg"));
        let (token, other) = (token.expect("a token"), other.expect("a token"));
        let headers = |cookie: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, cookie.parse().expect("a header"));
            headers
        };
        let cookie = token.cookie().split(';').next().expect("a pair").to_owned();
        assert!(!cookie.contains("0123456789abcdef"), "{cookie}");
        assert!(token.has_cookie(&headers(&format!("theme=dark; {cookie}"))));
        assert!(!other.has_cookie(&headers(&cookie)));
        assert!(!token.has_cookie(&headers("ra_session=; ra_session=0123456789abcdef")));
    }

    #[test]
    fn only_names_of_this_machine_are_local() {
        for (authority, local) in [
            ("localhost", true),
            ("LOCALHOST:80", true),
            ("127.0.0.1:7270", true),
            ("[::1]:7270", true),
            ("[::1]", true),
            ("localhost:evil", false),
            ("localhost:", false),
            ("localhost:+80", false),
            ("localhost:99999", false),
            ("localhost:80:80", false),
            ("localhost.evil.example", false),
            ("evil@localhost", false),
            ("localhost,evil.example", false),
            ("[::1]evil", false),
            ("[::1", false),
            ("::1", false),
            ("", false),
        ] {
            assert_eq!(host_of(authority).is_some_and(is_local), local, "{authority}");
            for scheme in ["http", "https"] {
                assert_eq!(is_local_origin(&format!("{scheme}://{authority}")), local, "{authority}");
            }
        }
        for origin in ["null", "localhost", "file://", "ftp://localhost", "http://localhost/"] {
            assert!(!is_local_origin(origin), "{origin}");
        }
    }

    #[test]
    fn pages_may_send_what_the_protocol_needs() {
        let asked = HeaderValue::from_static("content-type, Mcp-Session-Id,mcp-x\"y, cookie,x-evil, mcp");
        let base = "accept, authorization, content-type, last-event-id";
        assert_eq!(page_headers(Some(&asked)), format!("{base}, Mcp-Session-Id"));
        assert_eq!(page_headers(None), base);
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
