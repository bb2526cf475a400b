//! The fields of a query that are filters: `tree:`, `lang:`, `linked:`, and `path:` if it names a place.

use super::compile::Compiler;
use super::filter::{DocIdSet, Filter, relative};
use super::notice::Notice;
use crate::id::TreeName;
use crate::index::analysis::LanguageId;
use crate::query::Field;
use crate::text::nearest;

impl Compiler<'_> {
    /// Returns the filter for a word or phrase of a field, or `None` if it is text to search for.
    pub(super) fn filter(&mut self, text: &str, field: Option<Field>) -> Option<Filter> {
        match field {
            Some(Field::Tree) => Some(self.tree(text)),
            Some(Field::Lang) => Some(self.lang(text)),
            // Names are resolved before a query is compiled. A name that wasn't resolved matches no document.
            Some(Field::Linked) => Some(Filter::documents(&[])),
            Some(Field::Path) => self.path(text),
            _ => None,
        }
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
        let is_undetermined =
            [LanguageId::UNDETERMINED.code(), "unknown"].iter().any(|name| tag.eq_ignore_ascii_case(name));
        let language = if is_undetermined { Some(LanguageId::UNDETERMINED) } else { LanguageId::of_tag(tag) };
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
