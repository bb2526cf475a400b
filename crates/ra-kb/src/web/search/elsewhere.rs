//! The command and the tool call that give the same answer as the page.

use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::params::SearchParams;
use crate::hints::shell_quoted;
use crate::web::frame::copyable;
use crate::web::links::query;

pub(super) fn body(params: &SearchParams) -> Markup {
    let arguments = Value::Object(arguments(params));
    let call = json!({ "name": "search", "arguments": arguments });
    let try_it = query(&[("tool", "search".to_owned()), ("arguments", arguments.to_string())]);
    html! {
        h3 { "On the command line" }
        (copyable("the command", &command(params)))
        h3 { "Over MCP" }
        (copyable("the tool call", &call.to_string()))
        @if !params.sort.is_empty() { p .hint { "The tool has no order; it always gives the best results first." } }
        p { a href={ "/agent?" (try_it) } { "See what an agent receives" } }
    }
}

/// Returns the command line, quoted for a POSIX shell.
fn command(params: &SearchParams) -> String {
    let query = params.full_query();
    let mut words = vec!["ra".to_owned(), "search".to_owned(), "-n".to_owned(), params.limit().to_string()];
    let flags = [
        ("--tree", &params.trees),
        ("--path", &params.paths),
        ("--tag", &params.tags),
        ("--field", &params.fields),
        ("--type", &params.types),
    ];
    for (flag, values) in flags {
        words.extend(values.iter().flat_map(|value| [flag.to_owned(), shell_quoted(value)]));
    }
    if !params.sort.is_empty() {
        words.extend(["--sort".to_owned(), params.sort.clone()]);
    }
    words.push("--".to_owned());
    words.push(shell_quoted(&query));
    words.join(" ")
}

/// Returns the arguments of the tool.
fn arguments(params: &SearchParams) -> Map<String, Value> {
    let mut arguments = Map::new();
    arguments.insert("queries".to_owned(), json!([params.full_query()]));
    arguments.insert("limit".to_owned(), json!(params.limit()));
    let lists = [
        ("trees", &params.trees),
        ("paths", &params.paths),
        ("tags", &params.tags),
        ("fields", &params.fields),
        ("types", &params.types),
    ];
    for (name, values) in lists.into_iter().filter(|(_, values)| !values.is_empty()) {
        arguments.insert(name.to_owned(), json!(values));
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_quoted_and_has_every_filter() {
        let text = "q=it%27s+%24HOME&tree=docs&path=a+b%2F&tag=x&field=status%3Aactive&type=pdf&lang=de&sort=date&n=20";
        let params = SearchParams::parse(Some(text));
        assert_eq!(
            command(&params),
            "ra search -n 20 --tree docs --path \"a b/\" --tag x --field status:active --type pdf --sort date -- \
             'it'\\''s $HOME lang:de'"
        );
        assert_eq!(
            Value::Object(arguments(&params)),
            json!({
                "queries": ["it's $HOME lang:de"], "limit": 20, "trees": ["docs"], "paths": ["a b/"], "tags": ["x"],
                "fields": ["status:active"], "types": ["pdf"],
            })
        );
    }
}
