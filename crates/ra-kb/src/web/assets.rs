//! The files that pages load, which are part of the binary.

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;

/// The style sheet, which the report contains too.
pub(super) const STYLE: &str = include_str!("assets/app.css");
const SCRIPT: &str = include_str!("assets/app.js");
const ICON: &str = include_str!("assets/icon.svg");

/// The addresses contain the version, so a new release never uses the files of an older one.
pub(super) const STYLE_PATH: &str = concat!("/assets/", env!("CARGO_PKG_VERSION"), "/app.css");
pub(super) const SCRIPT_PATH: &str = concat!("/assets/", env!("CARGO_PKG_VERSION"), "/app.js");
pub(super) const ICON_PATH: &str = concat!("/assets/", env!("CARGO_PKG_VERSION"), "/icon.svg");

pub(super) fn routes() -> Router {
    let file = |kind: &'static str, content: &'static str| {
        get(async move || {
            let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, CACHE)];
            (headers, content).into_response()
        })
    };
    Router::new()
        .route(STYLE_PATH, file("text/css; charset=utf-8", STYLE))
        .route(SCRIPT_PATH, file("text/javascript; charset=utf-8", SCRIPT))
        .route(ICON_PATH, file("image/svg+xml", ICON))
        .route("/favicon.ico", get(async || StatusCode::NO_CONTENT))
}

/// A browser asks again after a minute: a new build may have the same version.
const CACHE: &str = "max-age=60";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assets_are_small_and_name_no_other_site() {
        let all = [STYLE, SCRIPT, ICON];
        let size: usize = all.iter().map(|asset| asset.len()).sum();
        assert!(size < 150_000, "{size} bytes");
        for asset in all {
            let asset = asset.replace("http://www.w3.org/2000/svg", "");
            for remote in ["http://", "https://", "url(", "@import", "eval(", "innerHTML ="] {
                assert!(!asset.contains(remote), "{remote}");
            }
        }
    }
}
