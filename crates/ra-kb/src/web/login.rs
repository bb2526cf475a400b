//! Asks a browser for the token. A browser can't send the header that MCP clients send, so it gets a cookie instead.

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::html;

use super::frame::{self, Tab};
use super::links::{parameter, parameters};
use crate::mcp::Token;

/// The maximum size of the form in bytes.
const MAX_FORM_BYTES: usize = 4096;

pub(super) async fn form() -> Response {
    asked("")
}

/// Checks the token of the form.
pub(super) async fn check(State(token): State<Token>, body: Body) -> Response {
    let body = to_bytes(body, MAX_FORM_BYTES).await.unwrap_or_default();
    let given = parameter(&parameters(std::str::from_utf8(&body).ok()), "token");
    if token.is(&given) {
        return (
            StatusCode::SEE_OTHER,
            [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, token.cookie())],
        )
            .into_response();
    }
    let mut response = asked("This is not the token.");
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    response
}

fn asked(problem: &str) -> Response {
    frame::page(
        "Token · ra",
        Tab::Read,
        html! {
            main #main .narrow {
                h1 { "This server asks for a token" }
                p { "It is the token that " code { "ra serve" } " was started with." }
                form .token method="post" action="/login" {
                    label for="token" { "Token" }
                    input #token name="token" type="password" autocomplete="current-password" required autofocus;
                    button { "Open" }
                }
                p role="alert" { (problem) }
            }
        },
    )
}
