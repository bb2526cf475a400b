//! Streamable HTTP at `/mcp`, and the pages of a site beside it.
//!
//! The server keeps no sessions, not even for old clients: no request depends on an earlier one, so there are
//! no sessions that could expire, run out or be guessed.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time;
use tokio_util::sync::CancellationToken;

use super::connections::{self, Activity};
use super::request_runner::RequestRunner;
use super::security::{self, Hosts, Token, Unauthorized};
use super::server::Server;
use super::stdio::{INVALID_REQUEST, MAX_MESSAGE_BYTES, NO_MESSAGE, PARSE_ERROR, id_of};
use crate::error::{CliError, Result};

/// The maximum size of a request body in bytes.
const MAX_BODY_BYTES: usize = MAX_MESSAGE_BYTES;
/// How long a request may take until its answer begins, including the time to receive its body.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(90);

/// Pages that are served beside `/mcp`.
#[derive(Default)]
pub(crate) struct SiteRoutes {
    /// The pages. They need the token if there is one.
    pub(crate) pages: Router,
    /// The routes that need no token, such as the form that asks for it.
    pub(crate) open: Router,
}

/// Parses the address to listen on: a port on loopback, or an address with a port.
pub(crate) fn http_address(text: &str) -> Result<SocketAddr> {
    let loopback = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
    if let Ok(port) = text.trim_start_matches(':').parse::<u16>() {
        return Ok(loopback(port));
    }
    let found = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    found.ok_or_else(|| {
        CliError::new(format!("--http: `{text}` is not an address that can be listened on"))
            .hint("give a port such as 7270, or an address with a port such as 127.0.0.1:7270")
    })
}

/// Returns an error if other machines can reach the address and there is no token. `flag` is the flag that named the
/// address.
pub(super) fn permit(flag: &str, address: &SocketAddr, token: Option<&Token>) -> Result<()> {
    if security::is_private(address) || token.is_some() {
        return Ok(());
    }
    let message = format!("{flag}: {address} can be reached from other machines, and no token is set");
    Err(CliError::new(message).hint("add --token-file FILE, or listen on 127.0.0.1"))
}

/// Serves `/mcp` and the pages of a site until `stop` is cancelled.
pub(super) async fn serve(
    listener: TcpListener,
    token: Option<Token>,
    site: Option<SiteRoutes>,
    runner: Arc<RequestRunner>,
    stop: CancellationToken,
) -> io::Result<()> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        // `security::admit` checks the hosts and origins of all routes.
        .disable_allowed_hosts()
        .with_cancellation_token(stop.child_token());
    let service = StreamableHttpService::new(
        move || Ok(Server::new(runner.clone())),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let mut router = Router::new()
        .route_service("/mcp", service)
        .layer(middleware::from_fn(in_json))
        .layer(middleware::from_fn(accepting));
    let unauthorized = if site.is_some() { Unauthorized::AskBrowser } else { Unauthorized::Refuse };
    let SiteRoutes { pages, open } = site.unwrap_or_default();
    router = router.merge(pages);
    if let Some(token) = token {
        router = router.layer(middleware::from_fn_with_state((token, unauthorized), security::authorize));
    }
    let router = router.merge(open).layer(middleware::from_fn(in_time));
    let is_private = security::is_private(&listener.local_addr()?);
    let hosts = if is_private { Hosts::Local } else { Hosts::Any };
    let router = router.layer(middleware::from_fn_with_state(hosts, security::admit));
    connections::serve(listener, router, stop).await;
    Ok(())
}

/// Sets the `Accept` header that rmcp requires if the client accepts anything, or sends no such header.
async fn accepting(mut request: Request, next: Next) -> Response {
    let accepts = request.headers().get(header::ACCEPT).map(|accepts| accepts.to_str().unwrap_or_default());
    if request.method() == Method::POST && accepts.is_none_or(|accepts| accepts.contains("*/*")) {
        let both = HeaderValue::from_static("application/json, text/event-stream");
        request.headers_mut().insert(header::ACCEPT, both);
    }
    next.run(request).await
}

/// Answers a JSON body that is not a message with a JSON-RPC error. rmcp would answer that the media type is
/// unsupported, which is wrong: it is JSON.
async fn in_json(request: Request, next: Next) -> Response {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("application/json")) {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_BODY_BYTES).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the request is too large\n").into_response();
    };
    let _in_work = head.extensions.get::<Activity>().cloned().map(Activity::begin);
    let response = next.run(Request::from_parts(head, Body::from(body.clone()))).await;
    if response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return response;
    }
    let (code, message, id) = match serde_json::from_slice::<Value>(&body) {
        Ok(value) => (INVALID_REQUEST, NO_MESSAGE.to_owned(), id_of(&value)),
        Err(error) => {
            (PARSE_ERROR, format!("the message is not JSON that can be read: {error}"), Value::Null)
        }
    };
    let error = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (StatusCode::BAD_REQUEST, kind, error.to_string()).into_response()
}

/// Ends a request that takes too long, such as one whose body never arrives.
async fn in_time(request: Request, next: Next) -> Response {
    match time::timeout(RESPONSE_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, read) in [
            ("7270", "127.0.0.1:7270"),
            (":7270", "127.0.0.1:7270"),
            ("127.0.0.1:0", "127.0.0.1:0"),
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(http_address(text).expect("an address").to_string(), read);
        }
        for text in ["", "nonsense", "127.0.0.1", "127.0.0.1:99999", "70000"] {
            assert!(http_address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn other_machines_need_a_token() {
        let token = Token::new("0123456789abcdef");
        let (private, public) =
            (http_address("127.0.0.1:1").expect("one"), http_address("0.0.0.0:1").expect("one"));
        assert!(permit("--http", &private, None).is_ok());
        assert!(permit("--http", &private, token.as_ref()).is_ok());
        assert!(permit("--http", &public, token.as_ref()).is_ok());
        assert!(permit("--http", &public, None).is_err());
    }
}
