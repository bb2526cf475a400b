//! Reads an entry of `[trees]`: a path, or a table.

use toml::Spanned;
use toml::de::DeValue;

use super::layers::{Located, Reader, TomlEntry, TreeDef};
use super::tree::{DocumentType, LinkRoot};
use crate::id::TreeName;

/// The keys of a tree.
const TREE_KEYS: &[&str] = &["path", "include", "exclude", "ignore", "link_root", "types"];

impl Reader<'_> {
    pub(super) fn tree(&mut self, (name, value): TomlEntry<'_>) {
        let tree_name: TreeName = match name.get_ref().parse() {
            Ok(tree_name) => tree_name,
            Err(error) => return self.report(name.span().into(), error.to_string(), None),
        };
        let mut tree = TreeDef {
            name: tree_name,
            path: Located { value: String::new(), span: value.span().into() },
            include: Vec::new(),
            exclude: Vec::new(),
            ignore: true,
            link_roots: Vec::new(),
            types: None,
        };
        match value.get_ref() {
            DeValue::String(path) => tree.path.value = path.to_string(),
            DeValue::Table(table) => {
                for (key, value) in table {
                    let label = format!("trees.{}.{}", tree.name, key.get_ref());
                    match key.get_ref().as_ref() {
                        "path" => match self.text(&label, value) {
                            Some(path) => tree.path = path,
                            None => return,
                        },
                        "include" => tree.include = self.texts(&label, value),
                        "exclude" => tree.exclude = self.texts(&label, value),
                        "ignore" => match value.get_ref().as_bool() {
                            Some(ignore) => tree.ignore = ignore,
                            None => self.wrong_type(&label, "true or false", value),
                        },
                        "types" => tree.types = Some(self.types(&label, value)),
                        "link_root" => tree.link_roots = self.link_roots(&label, value),
                        _ => {
                            let place = format!("in the tree `{}`", tree.name);
                            self.unknown_among(TREE_KEYS, &place, key);
                        }
                    }
                }
            }
            _ => {
                return self.wrong_type(
                    &format!("trees.{}", tree.name),
                    "a path or a table with `path`",
                    value,
                );
            }
        }
        if tree.path.value.is_empty() {
            let hint = format!("{} = \"./docs\"", tree.name);
            return self.report(
                value.span().into(),
                format!("the tree `{}` has no path", tree.name),
                Some(hint),
            );
        }
        self.layer.trees.push(tree);
    }

    fn types(&mut self, label: &str, value: &Spanned<DeValue<'_>>) -> Vec<DocumentType> {
        let mut types = Vec::new();
        for text in self.texts(label, value) {
            match DocumentType::parse(&text.value) {
                Ok(wanted) => types.push(wanted),
                Err(message) => self.report(text.span, format!("`{label}`: {message}"), None),
            }
        }
        types
    }

    fn link_roots(&mut self, label: &str, value: &Spanned<DeValue<'_>>) -> Vec<LinkRoot> {
        let mut roots = Vec::new();
        for text in self.texts(label, value) {
            match LinkRoot::parse(&text.value) {
                Ok(root) => roots.push(root),
                Err(message) => self.report(text.span, format!("`{label}`: {message}"), None),
            }
        }
        roots
    }
}
