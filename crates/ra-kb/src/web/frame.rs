//! What all pages have in common: the head, the navigation, and messages.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use ra_core::text::Span;

use super::assets::{ICON_PATH, SCRIPT_PATH, STYLE_PATH};
use super::links::id_url;

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

/// Returns a page with a message: its first line is the heading, further lines are hints.
pub(super) fn message(status: StatusCode, text: &str) -> Response {
    let mut lines = text.lines();
    let body = html! {
        main #main .narrow {
            h1 { (inline_code(&capitalized(lines.next().unwrap_or("Something went wrong.")))) }
            @for line in lines.map(|line| capitalized(line.strip_prefix("hint: ").unwrap_or(line))) {
                p { (with_linked_ids(&line)) }
            }
            p { a href="/" { "Search" } " · " a href="/health" { "Health" } }
        }
    };
    let title = format!("{} · ra", status.canonical_reason().unwrap_or("Error"));
    response(status, document(&title, Tab::Read, body))
}

/// Returns text with the ids of documents in it as links.
fn with_linked_ids(text: &str) -> Markup {
    let linked = |word: &str| {
        let id = word.trim_matches(['`', ',', '?', '.', ';', '(', ')']);
        let is_id = id.split_once(':').is_some_and(|(_, path)| path.contains('.') && !path.starts_with('/'));
        match is_id.then(|| word.split_once(id)).flatten() {
            Some((before, after)) => html! { (before) a href=(id_url(id)) { (id) } (after) },
            None => html! { (word) },
        }
    };
    html! { @for (nr, word) in text.split(' ').enumerate() { @if nr > 0 { " " } (linked(word)) } }
}

/// Returns text with what is in backticks as code.
pub(super) fn inline_code(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // A backtick without a partner is text.
    let paired = parts.len() - usize::from(parts.len().is_multiple_of(2));
    html! {
        @for (nr, part) in parts[..paired].iter().enumerate() {
            @if nr % 2 == 1 { code { (part) } } @else { (part) }
        }
        @for part in &parts[paired..] { "`" (part) }
    }
}

/// Returns text that begins with a capital letter.
pub(super) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_and_ids_are_shown_as_such() {
        for (text, html) in [
            ("a `b` c", "a <code>b</code> c"),
            ("`<a>`", "<code>&lt;a&gt;</code>"),
            ("a ` b", "a ` b"),
            ("`a` `", "<code>a</code> `"),
            ("", ""),
        ] {
            assert_eq!(inline_code(text).into_string(), html, "{text}");
        }
        let linked =
            with_linked_ids("Did you mean docs:a.md, docs:b.md#c? See http://x.example").into_string();
        let expected = "Did you mean <a href=\"/read/docs/a.md\">docs:a.md</a>, \
                        <a href=\"/read/docs/b.md#s-c\">docs:b.md#c</a>? See http://x.example";
        assert_eq!(linked, expected);
    }
}
