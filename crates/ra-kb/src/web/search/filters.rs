//! The filters beside the results, with the number of documents that each would leave.

use maud::{Markup, html};

use super::params::{FILTERS, SearchParams};
use crate::answers::{Counted, Facets};
use crate::web::frame::number;

/// How many values of a filter are shown at once; the others are folded.
const SHOWN_VALUES: usize = 6;

/// Keys of the front matter with more values than this, such as titles, aren't offered.
const MAX_FIELD_VALUES: usize = 19;

pub(super) fn body(params: &SearchParams, facets: Option<&Facets>) -> Markup {
    html! {
        aside .filters aria-label="Filters" {
            details open {
                summary { "Filters" }
                (chosen(params))
                @if let Some(facets) = facets {
                    (group(params, "Tree", "tree", &facets.trees, ""))
                    (group(params, "Tag", "tag", &facets.tags, ""))
                    (group(params, "Language", "lang", &facets.languages, ""))
                    (group(params, "Type", "type", &facets.types, ""))
                    (group(params, "Directory", "path", &facets.paths, ""))
                    @for field in facets.fields.iter().filter(|field| field.values.len() <= MAX_FIELD_VALUES) {
                        @if field.values.len() <= SHOWN_VALUES || field.values.iter().any(|value| value.documents > 1) {
                            (group(params, &field.key, "field", &field.values, &format!("{}:", field.key)))
                        }
                    }
                }
                (path_form(params))
            }
        }
    }
}

/// The filters that are set, each with a link that removes it.
fn chosen(params: &SearchParams) -> Markup {
    let several =
        FILTERS.iter().flat_map(|name| params.values(name).iter().map(move |value| (*name, value.as_str())));
    let all: Vec<(&str, &str)> =
        several.chain(params.language.as_deref().map(|language| ("lang", language))).collect();
    html! {
        @if params.has_filters() {
            ul .chosen {
                @for (name, value) in all {
                    li {
                        a href=(params.toggled(name, value).url()) data-swap {
                            span .visually-hidden { "Remove the filter " } (name) ": " (value) span aria-hidden="true" { " ×" }
                        }
                    }
                }
            }
        }
    }
}

fn group(params: &SearchParams, title: &str, name: &str, values: &[Counted], prefix: &str) -> Markup {
    let item = |counted: &Counted| {
        let value = format!("{prefix}{}", counted.value);
        let is_set = params.has(name, &value);
        html! {
            li {
                a href=(params.toggled(name, &value).url()) data-swap aria-current=[is_set.then_some("true")] {
                    span .value { (counted.value) } " " span .num { (number(counted.documents)) }
                }
            }
        }
    };
    html! {
        @if !values.is_empty() {
            h2 { (title) }
            ul { @for value in values.iter().take(SHOWN_VALUES) { (item(value)) } }
            @if values.len() > SHOWN_VALUES {
                details {
                    summary { (values.len() - SHOWN_VALUES) " more" span .visually-hidden { " of " (title) } }
                    ul { @for value in values.iter().skip(SHOWN_VALUES) { (item(value)) } }
                }
            }
        }
    }
}

/// A field for a path, because there may be thousands.
fn path_form(params: &SearchParams) -> Markup {
    html! {
        form .path method="get" action="/" {
            @for (name, value) in crate::web::links::parameters(Some(&params.text())) {
                input type="hidden" name=(name) value=(value);
            }
            label for="path" { "Below a path" }
            div { input #path name="path" placeholder="guides/" autocomplete="off"; button { "Add" } }
        }
    }
}
