//! The parts of a query that are filters: `tree:`, `lang:`, `path:` if it names a place, and conditions on the front
//! matter.

use super::compile::{Compiler, Notice};
use super::filter::{DocIdSet, Filter, relative};
use crate::error::Result;
use crate::id::TreeName;
use crate::index::analysis::LanguageId;
use crate::query::{Field, PropertyFilter};
use crate::text::nearest;

/// How many values of a key are named as examples.
const SHOWN_VALUES: usize = 5;

impl Compiler<'_> {
    /// Returns the filter for a word or phrase of a field, or `None` if it is text to search for.
    pub(super) fn filter(&mut self, text: &str, field: Option<Field>) -> Option<Filter> {
        match field {
            Some(Field::Tree) => Some(self.tree(text)),
            Some(Field::Lang) => Some(self.lang(text)),
            Some(Field::Path) => self.path(text),
            _ => None,
        }
    }

    /// Returns the filter for a condition on the front matter, with a notice if no document meets it.
    pub(super) fn property(&mut self, filter: &PropertyFilter) -> Result<Filter> {
        let values = self.snapshot.values_of(&filter.key)?;
        if !values.keys().any(|value| filter.accepts(value)) {
            let near = nearest(&filter.value, values.keys().map(String::as_str));
            let hint = match near.first() {
                Some(near) => format!("did you mean `{}:{near}`?", filter.key),
                None => {
                    let shown: Vec<&str> = values.keys().take(SHOWN_VALUES).map(String::as_str).collect();
                    format!("values of `{}` are, for example, {}", filter.key, shown.join(", "))
                }
            };
            let message = format!("no document has `{filter}` in its front matter");
            self.notices.push(Notice { message, hint: Some(hint) });
        }
        Ok(Filter::Property(filter.clone()))
    }

    fn tree(&mut self, name: &str) -> Filter {
        if !self.trees.iter().any(|tree| tree.as_str() == name) {
            let names: Vec<&str> = self.trees.iter().map(TreeName::as_str).collect();
            let hint = match nearest(name, names.iter().copied()).first() {
                Some(near) => format!("did you mean `tree:{near}`?"),
                None => format!("the trees are {}", names.join(", ")),
            };
            self.notices.push(Notice { message: format!("there is no tree `{name}`"), hint: Some(hint) });
        }
        Filter::Within(vec![DocIdSet::Prefix(format!("{name}:"))])
    }

    fn lang(&mut self, tag: &str) -> Filter {
        let language = LanguageId::of_tag(tag);
        let present = self.snapshot.languages();
        if !present.iter().any(|(known, _)| Some(*known) == language) {
            let codes: Vec<&str> =
                present.iter().filter(|(known, _)| known.is_known()).map(|(known, _)| known.code()).collect();
            let hint = (!codes.is_empty()).then(|| format!("the languages are {}", codes.join(", ")));
            self.notices.push(Notice { message: format!("no document is in the language `{tag}`"), hint });
        }
        Filter::Language(language)
    }

    /// Returns the filter for a path, or `None` if it is only a word to search for in paths.
    pub(super) fn path(&self, path: &str) -> Option<Filter> {
        let path = relative(path);
        let below =
            |end: &str| self.trees.iter().map(|tree| format!("{tree}:{path}{end}")).collect::<Vec<String>>();
        let within =
            |prefixes: Vec<String>| Filter::Within(prefixes.into_iter().map(DocIdSet::Prefix).collect());
        if path.ends_with('/') {
            return Some(within(below("")));
        }
        let exists = |prefix: &String| {
            self.snapshot.segments.iter().any(|segment| !segment.ids_with_prefix(prefix).is_empty())
        };
        [below("/"), below("")].into_iter().find(|prefixes| prefixes.iter().any(exists)).map(within)
    }
}
