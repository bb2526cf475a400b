//! The entry for `ra` in the configuration file of a client. Everything else in the file stays as it is, comments
//! included.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike};

use super::clients::{ClientConfig, ConfigFormat};

/// The name of the entry.
const NAME: &str = "ra";

const BOM: char = '\u{feff}';

/// Returns the text of a file with the entry; a new file has nothing else. Returns an error if the file can't be
/// understood.
pub(crate) fn add(before: Option<&str>, config: &ClientConfig) -> Result<String, String> {
    let Some(before) = before.filter(|text| !text.trim_matches(BOM).trim().is_empty()) else {
        return Ok(new_file(config));
    };
    match config.format {
        ConfigFormat::Json => edit_json(before, |root| {
            let top = root.object_value_or_create().ok_or("it has no object at the top")?;
            let not_object = || format!("`{}` is not an object", config.servers);
            let servers = top.object_value_or_create(config.servers).ok_or_else(not_object)?;
            match servers.get(NAME) {
                Some(entry) if entry.to_serde_value().as_ref() == Some(&config.entry) => {}
                Some(entry) => entry.set_value(input(&config.entry)),
                None => drop(servers.append(NAME, input(&config.entry))),
            }
            Ok(())
        }),
        ConfigFormat::Toml => {
            let mut document = parse_toml(before)?;
            let servers = document.entry(config.servers).or_insert_with(|| {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            });
            let servers =
                servers.as_table_like_mut().ok_or(format!("`{}` is not a table", config.servers))?;
            if toml_value(servers).as_ref() != Some(&config.entry) {
                servers.insert(NAME, Item::Table(toml_table(&config.entry)));
            }
            Ok(document.to_string())
        }
    }
}

/// Returns the text of a file without the entry, or `None` if nothing else is in it.
pub(crate) fn remove(before: &str, config: &ClientConfig) -> Result<Option<String>, String> {
    let after = match config.format {
        ConfigFormat::Json => edit_json(before, |root| {
            let Some(top) = root.object_value() else { return Ok(()) };
            let Some(servers) = top.object_value(config.servers) else { return Ok(()) };
            let Some(entry) = servers.get(NAME) else { return Ok(()) };
            entry.remove();
            if is_empty(&servers)
                && let Some(servers) = top.get(config.servers)
            {
                servers.remove();
            }
            Ok(())
        })?,
        ConfigFormat::Toml => {
            let mut document = parse_toml(before)?;
            let servers = document.get_mut(config.servers).and_then(Item::as_table_like_mut);
            let is_last = servers.is_some_and(|servers| servers.remove(NAME).is_some() && servers.is_empty());
            if is_last {
                document.remove(config.servers);
            }
            document.to_string()
        }
    };
    let rest: String = after.chars().filter(|c| !c.is_whitespace() && *c != BOM).collect();
    let schema = config.schema.map(|(key, value)| format!("{{\"{key}\":\"{value}\"}}"));
    let is_ours = after != before && (rest.is_empty() || rest == "{}" || Some(rest) == schema);
    Ok((!is_ours).then_some(after))
}

/// Returns the entry that a file has.
pub(crate) fn find(text: &str, config: &ClientConfig) -> Result<Option<Value>, String> {
    match config.format {
        ConfigFormat::Json => {
            let root = parse_json(text.trim_start_matches(BOM))?;
            let servers = root.object_value().and_then(|top| top.object_value(config.servers));
            Ok(servers.and_then(|servers| servers.get(NAME)).and_then(|entry| entry.to_serde_value()))
        }
        ConfigFormat::Toml => {
            let document = parse_toml(text)?;
            Ok(document.get(config.servers).and_then(Item::as_table_like).and_then(toml_value))
        }
    }
}

fn new_file(config: &ClientConfig) -> String {
    match config.format {
        ConfigFormat::Json => {
            let schema = config.schema.map(|(key, value)| (key.to_owned(), value.into()));
            let servers = Map::from_iter([(NAME.to_owned(), config.entry.clone())]);
            let all = schema.into_iter().chain([(config.servers.to_owned(), servers.into())]);
            format!("{:#}\n", Value::Object(all.collect()))
        }
        ConfigFormat::Toml => {
            format!("[{}.{NAME}]\n{}", config.servers, toml_table(&config.entry))
        }
    }
}

fn parse_json(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| error.to_string())
}

fn edit_json(text: &str, edit: impl FnOnce(&CstRootNode) -> Result<(), String>) -> Result<String, String> {
    let (bom, text) = text.strip_prefix(BOM).map_or(("", text), |rest| ("\u{feff}", rest));
    let root = parse_json(text)?;
    edit(&root)?;
    Ok(format!("{bom}{root}"))
}

fn is_empty(object: &CstObject) -> bool {
    object.properties().is_empty() && object.children().iter().all(|child| !child.is_comment())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

/// Parses TOML. The error doesn't quote the text, which may be secret.
fn parse_toml(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let end = error.span().map_or(0, |span| text.floor_char_boundary(span.start));
        format!("line {} is not valid TOML", 1 + text[..end].matches('\n').count())
    })
}

fn toml_table(entry: &Value) -> Table {
    let mut table = Table::new();
    for (key, value) in entry.as_object().into_iter().flatten() {
        match value {
            Value::Array(values) => {
                let texts: Array = values.iter().filter_map(Value::as_str).collect();
                table.insert(key, Item::Value(texts.into()));
            }
            _ => drop(table.insert(key, Item::Value(value.as_str().unwrap_or_default().into()))),
        }
    }
    table
}

/// Returns the texts and lists of texts of the entry.
fn toml_value(servers: &dyn TableLike) -> Option<Value> {
    let entry = servers.get(NAME)?.as_table_like()?;
    let field = |(key, item): (&str, &Item)| {
        let text = item.as_str().map(Value::from);
        let texts = || {
            let values = item.as_array()?.iter().map(|value| value.as_str().map(Value::from));
            values.collect::<Option<Vec<Value>>>().map(Value::Array)
        };
        (key.to_owned(), text.or_else(texts).unwrap_or(Value::Null))
    };
    Some(Value::Object(entry.iter().map(field).collect()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::clients::Client;
    use super::*;

    /// Files that people have, each with the client that reads it.
    const FILES: &[(Client, &str)] = &[
        (
            Client::ClaudeCode,
            "{\n    // mine\n    \"mcpServers\": {\n        \"db\": { \"command\": \"db\" },\n    },\n}\n",
        ),
        (Client::ClaudeCode, "{\"mcpServers\":{}}"),
        (Client::ClaudeCode, "\u{feff}{\r\n  \"other\": [1, 2]\r\n}\r\n"),
        (Client::Zed, "// Zed settings\n{\n\t\"theme\": \"One\",\n\t\"tab_size\": 2\n}\n"),
        (Client::Vscode, "{ \"servers\": { \"ra\": { \"command\": \"old\" } }, \"inputs\": [] }"),
        (Client::Codex, "# mine\nmodel = \"x\"\n\n[mcp_servers.db]\ncommand = \"db\" # keep\n"),
        (Client::Codex, "mcp_servers = { db = { command = \"db\" } }\n"),
        (Client::Codex, "model = \"x\"\n"),
    ];

    #[test]
    fn everything_else_in_a_file_stays() {
        for (client, before) in FILES {
            let config = client.config(Path::new("/p"));
            let after = add(Some(before), &config).unwrap();
            assert_eq!(find(&after, &config).unwrap().as_ref(), Some(&config.entry), "{after}");
            assert_eq!(add(Some(&after), &config).unwrap(), after);
            let mut rest = after.lines();
            // Lines with only brackets and commas move; the others are all still there, in order.
            for line in before.lines().filter(|line| !line.contains("\"ra\"") && line.contains([':', '='])) {
                let line = line.trim_end_matches([',', '}', ' ']);
                let line = line.strip_suffix("{").unwrap_or(line);
                assert!(rest.any(|kept| kept.contains(line)), "{line:?} is missing: {after}");
            }
            if !before.contains("ra\"") {
                let removed = remove(&after, &config).unwrap().unwrap_or_default();
                assert_eq!(find(&removed, &config).unwrap_or_default(), None, "{removed}");
                let words = |text: &str| -> String { text.split_whitespace().collect::<Vec<_>>().join("") };
                let same = words(&removed).replace(",}", "}") == words(before).replace(",}", "}");
                assert!(same || *before == "{\"mcpServers\":{}}", "{before} became {removed}");
            }
        }
    }

    #[test]
    fn a_file_that_held_only_the_entry_is_removed() {
        for client in [Client::ClaudeCode, Client::Opencode, Client::Codex] {
            let config = client.config(Path::new("/p"));
            assert_eq!(remove(&add(None, &config).unwrap(), &config), Ok(None));
        }
        let config = Client::ClaudeCode.config(Path::new("/p"));
        assert_eq!(remove("{}\n", &config), Ok(Some("{}\n".to_owned())));
    }

    #[test]
    fn a_file_that_cannot_be_understood_is_refused() {
        for (client, text) in [
            (Client::ClaudeCode, "{ \"mcpServers\": "),
            (Client::ClaudeCode, "[]"),
            (Client::ClaudeCode, "{ \"mcpServers\": 7 }"),
            (Client::Codex, "a = \n"),
            (Client::Codex, "mcp_servers = 7\n"),
        ] {
            assert!(add(Some(text), &client.config(Path::new("/p"))).is_err(), "{text}");
        }
    }
}
