//! What the address of a search says.

use crate::web::links::{parameters, query};

/// How many results a page has unless it is asked for more.
pub(super) const USUAL_LIMIT: usize = 10;
const MAX_LIMIT: usize = 100;

/// The longest query that is answered.
const MAX_QUERY_CHARS: usize = 2000;

/// How many values of each filter are read.
const MAX_VALUES: usize = 20;

/// The orders of results, with their labels.
pub(super) const ORDERS: [(&str, &str); 3] =
    [("score", "best first"), ("date", "newest first"), ("path", "by path")];

/// The parameters of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchParams {
    pub(super) query: String,
    pub(super) trees: Vec<String>,
    pub(super) paths: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) fields: Vec<String>,
    pub(super) types: Vec<String>,
    /// The code of the language.
    pub(super) language: Option<String>,
    /// One of [`ORDERS`]; empty for the usual one.
    pub(super) sort: String,
    /// The number of results, if it isn't the usual one.
    pub(super) limit: Option<usize>,
    /// What of the page is wanted.
    pub(super) part: PagePart,
    /// The token budget of the text to copy.
    pub(super) budget: Option<usize>,
}

/// The parts of the page that are fetched by themselves. Counting the values of filters takes several times as long as
/// the search: 140 ms over 20 ms for 14,600 documents, each with its own values in the front matter. So the results
/// come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PagePart {
    /// The whole page.
    #[default]
    All,
    /// The results, and the filters without counts.
    Results,
    /// The filters with counts.
    Filters,
}

/// The filters with several values, by the names of their parameters.
pub(super) const FILTERS: [&str; 5] = ["tree", "path", "tag", "field", "type"];

impl SearchParams {
    pub(super) fn parse(text: Option<&str>) -> Self {
        let mut params = Self::default();
        for (name, value) in parameters(text) {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            match name.as_str() {
                "q" => params.query = value.chars().take(MAX_QUERY_CHARS).collect(),
                "lang" => {
                    let code: String = value.chars().filter(|c| c.is_alphanumeric()).collect();
                    params.language = Some(code).filter(|code| !code.is_empty());
                }
                "sort" if ORDERS.iter().any(|(order, _)| *order == value) && value != "score" => {
                    params.sort = value.to_owned();
                }
                "n" => params.limit = value.parse().ok().map(|limit: usize| limit.clamp(1, MAX_LIMIT)),
                "part" if value == "filters" => params.part = PagePart::Filters,
                "part" => params.part = PagePart::Results,
                "budget" => params.budget = value.parse().ok(),
                _ => {
                    if let Some(values) = params.values_mut(&name)
                        && values.len() < MAX_VALUES
                        && !values.iter().any(|known| known == value)
                    {
                        values.push(value.to_owned());
                    }
                }
            }
        }
        params
    }

    /// Returns the values of a filter.
    pub(super) fn values(&self, name: &str) -> &[String] {
        match name {
            "tree" => &self.trees,
            "path" => &self.paths,
            "tag" => &self.tags,
            "field" => &self.fields,
            "type" => &self.types,
            _ => &[],
        }
    }

    fn values_mut(&mut self, name: &str) -> Option<&mut Vec<String>> {
        match name {
            "tree" => Some(&mut self.trees),
            "path" => Some(&mut self.paths),
            "tag" => Some(&mut self.tags),
            "field" => Some(&mut self.fields),
            "type" => Some(&mut self.types),
            _ => None,
        }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit.unwrap_or(USUAL_LIMIT)
    }

    /// Returns the query with the condition on the language, which is part of the query language.
    pub(super) fn full_query(&self) -> String {
        match &self.language {
            Some(language) => format!("{} lang:{language}", self.query).trim().to_owned(),
            None => self.query.clone(),
        }
    }

    /// True if a filter is set.
    pub(super) fn has_filters(&self) -> bool {
        self.language.is_some() || FILTERS.iter().any(|name| !self.values(name).is_empty())
    }

    /// Returns the address of the page with this search.
    pub(super) fn url(&self) -> String {
        format!("/?{}", self.text())
    }

    /// Returns the parameters of the address.
    pub(super) fn text(&self) -> String {
        let mut pairs = vec![("q", self.query.clone())];
        for name in FILTERS {
            pairs.extend(self.values(name).iter().map(|value| (name, value.clone())));
        }
        pairs.extend(self.language.clone().map(|language| ("lang", language)));
        pairs.extend(Some(self.sort.clone()).filter(|sort| !sort.is_empty()).map(|sort| ("sort", sort)));
        pairs.extend(self.limit.map(|limit| ("n", limit.to_string())));
        query(&pairs)
    }

    /// Returns the search with a value of a filter added, or removed if it's there.
    pub(super) fn toggled(&self, name: &str, value: &str) -> Self {
        let mut other = self.clone();
        if name == "lang" {
            other.language = match &self.language {
                Some(known) if known == value => None,
                _ => Some(value.to_owned()),
            };
        } else if let Some(values) = other.values_mut(name) {
            match values.iter().position(|known| known == value) {
                Some(at) => drop(values.remove(at)),
                None => values.push(value.to_owned()),
            }
        }
        other.limit = None;
        other
    }

    /// True if a filter has a value.
    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        match name {
            "lang" => self.language.as_deref() == Some(value),
            name => self.values(name).iter().any(|known| known == value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_written() {
        let text = "q=a%26b&tree=docs&tag=x&tag=y%2Fz&field=status%3Aactive&type=pdf&lang=de&sort=date&n=20";
        let params = SearchParams::parse(Some(text));
        assert_eq!(params.full_query(), "a&b lang:de");
        assert_eq!(params.tags, ["x", "y/z"]);
        assert_eq!(params.text(), text);
        assert_eq!(params.toggled("tag", "x").tags, ["y/z"]);
        assert_eq!(params.toggled("tag", "w").tags, ["x", "y/z", "w"]);
        assert_eq!(params.toggled("lang", "de").language, None);
        let odd = SearchParams::parse(Some("q=&sort=worst&n=1000000&tag=x&tag=x&lang=%22%3E&unknown=1"));
        assert_eq!((odd.sort.as_str(), odd.limit(), odd.tags.len()), ("", MAX_LIMIT, 1));
        assert_eq!(odd.language, None);
    }
}
