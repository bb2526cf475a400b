//! What all pages have in common: the head, the navigation, and messages.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use ra_core::text::Span;

use super::assets::{ICON_PATH, SCRIPT_PATH, STYLE_PATH};

/// The main pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    Search,
    Read,
    Health,
    Agent,
}

/// Returns a whole page.
pub(super) fn page(title: &str, tab: Tab, body: Markup) -> Response {
    response(StatusCode::OK, document(title, tab, body))
}

/// Returns a page that only says something. The first line is a heading, later ones are hints.
pub(super) fn message(status: StatusCode, text: &str) -> Response {
    let mut lines = text.lines();
    let body = html! {
        main #main .narrow {
            h1 { (lines.next().unwrap_or("Something went wrong.")) }
            @for line in lines { p { (line) } }
            p { a href="/" { "Search" } }
        }
    };
    response(status, document("ra", Tab::Read, body))
}

/// Returns a part of a page, which the script puts into it.
pub(super) fn part(body: Markup) -> Response {
    response(StatusCode::OK, body)
}

/// Returns plain text.
pub(super) fn text(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

fn response(status: StatusCode, body: Markup) -> Response {
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], body.into_string()).into_response()
}

fn document(title: &str, tab: Tab, body: Markup) -> Markup {
    let tabs =
        [("/", "Search", Tab::Search), ("/health", "Health", Tab::Health), ("/agent", "Agent", Tab::Agent)];
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href=(ICON_PATH) type="image/svg+xml";
                link rel="stylesheet" href=(STYLE_PATH);
                script src=(SCRIPT_PATH) defer {}
            }
            body {
                a .skip href="#main" { "Skip to content" }
                header .top {
                    a .brand href="/" { span .logo { "ra" } " " span .name { "Research Assistant" } }
                    nav aria-label="Pages" {
                        @for (url, name, own) in tabs {
                            a href=(url) aria-current=[(own == tab).then_some("page")] { (name) }
                        }
                    }
                    p #live role="status" {}
                }
                (body)
                dialog #help aria-labelledby="help-title" { (shortcuts()) }
            }
        }
    }
}

fn shortcuts() -> Markup {
    let keys = [
        ("/", "go to the search field"),
        ("↓ or j", "next result"),
        ("↑ or k", "previous result"),
        ("Enter", "open the result"),
        ("o", "show or hide its passage"),
        ("e", "show or hide why it is there"),
        ("c", "copy the results as context"),
        ("Esc", "back to the search field"),
        ("?", "this list"),
    ];
    html! {
        h2 #help-title { "Keys" }
        dl .keys { @for (key, does) in keys { dt { kbd { (key) } } dd { (does) } } }
        form method="dialog" { button { "Close" } }
    }
}

/// Returns text with its matches marked.
pub(super) fn marked(text: &str, matches: &[Span]) -> Markup {
    let starts = [0].into_iter().chain(matches.iter().map(|span| span.end));
    let end = matches.last().map_or(0, |span| span.end);
    html! {
        @for (start, span) in starts.zip(matches) {
            (&text[start..span.start]) mark { (span.of(text)) }
        }
        (&text[end..])
    }
}

/// Returns a text with a button that copies it.
pub(super) fn copyable(label: &str, text: &str) -> Markup {
    html! {
        div .copyable {
            pre tabindex="0" { code { (text) } }
            button .copy type="button" data-copy=(text) hidden { "Copy" span .visually-hidden { " " (label) } }
        }
    }
}

/// Formats a number with separators.
pub(super) fn number(value: usize) -> String {
    crate::output::grouped(value)
}

/// Formats a number of things.
pub(super) fn counted(value: usize, thing: &str) -> String {
    crate::output::count(value, thing)
}
