//! The health of a knowledge base as one file that needs nothing else.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, PreEscaped, html};
use ra_core::kb::ListedDocument;
use sha2::{Digest, Sha256};

use super::assets::STYLE;
use super::health::{self, Health, Linking};
use crate::answers::Status;

/// Returns the report. It has no script and no link to another file or site.
pub(crate) fn report(
    status: &Status,
    documents: &[ListedDocument],
    health: &Health,
    written: &str,
) -> String {
    let body = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                // The policy allows the style sheet below and nothing else: no script, no other file, no other site.
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Knowledge base report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main #main .wide .health {
                    h1 { "Knowledge base report" }
                    p .hint { "Written by ra " (env!("CARGO_PKG_VERSION")) " on " time { (written) } "." }
                    (health::overview(status, documents, Linking::Nothing))
                    section { h2 { "Problems" } (health::problems(health, Linking::Nothing)) }
                }
            }
        }
    };
    body.into_string()
}

/// Returns the policy of the report, which allows exactly our style sheet.
fn policy() -> String {
    format!("default-src 'none'; style-src 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(STYLE)))
}
