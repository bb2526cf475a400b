//! Conditions on the front matter: `status:active`, `date>=2025-01-01`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The maximum length of a key. A longer word before a colon isn't one.
const MAX_KEY_BYTES: usize = 100;

/// A condition on one key of the front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFilter {
    /// The key as written, after those of the tables around it: `author.name`. Case doesn't matter.
    pub key: String,
    /// How values are compared.
    pub operator: Operator,
    /// The value to compare with. `*` accepts every value.
    pub value: String,
}

/// How a value of the front matter is compared with the value of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `:`
    Equal,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

/// Why a text isn't a condition on the front matter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a condition on a field")]
pub struct NotAPropertyFilter(String);

impl Operator {
    /// All operators. An operator that another one starts with comes after that one.
    const ALL: [Operator; 5] =
        [Operator::Equal, Operator::GreaterOrEqual, Operator::Greater, Operator::LessOrEqual, Operator::Less];

    fn as_str(self) -> &'static str {
        match self {
            Operator::Equal => ":",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
        }
    }
}

impl PropertyFilter {
    /// True if a value of the front matter meets the condition. Numbers are only less or greater than numbers, dates
    /// than dates, and versions than versions. Any other value is only equal to the same text, without regard to case.
    pub fn accepts(&self, value: &str) -> bool {
        let order = match (value.parse::<f64>(), self.value.parse::<f64>()) {
            (Ok(value), Ok(wanted)) => value.partial_cmp(&wanted),
            // Dates that begin with the year sort like text.
            _ if is_date(value) && is_date(&self.value) => Some(value.cmp(&self.value)),
            _ => version(value).zip(version(&self.value)).map(|(value, wanted)| value.cmp(&wanted)),
        };
        let is_within = is_within(value, &self.value);
        match self.operator {
            Operator::Equal => {
                value.to_lowercase() == self.value.to_lowercase() || self.value == "*" || is_within
            }
            Operator::Greater => order == Some(Ordering::Greater) && !is_within,
            Operator::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Operator::Less => order == Some(Ordering::Less),
            Operator::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)) || is_within,
        }
    }

    /// Returns the key of a condition that a text begins with, and the text after its operator.
    pub(super) fn split(text: &str) -> Option<(&str, Operator, &str)> {
        let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let (key, rest) = text.split_at(text.find(|c| !is_key(c))?);
        let operator_of = |rest: &str| Operator::ALL.into_iter().find(|one| rest.starts_with(one.as_str()));
        let mut operator = operator_of(rest)?;
        let mut value = &rest[operator.as_str().len()..];
        // `date:>2025` means the same as `date>2025`.
        if let (Operator::Equal, Some(inner)) =
            (operator, operator_of(value).filter(|_| !value.starts_with(':')))
        {
            (operator, value) = (inner, &value[inner.as_str().len()..]);
        }
        let is_name = key.len() > 1
            && key.len() <= MAX_KEY_BYTES
            && key.starts_with(char::is_alphabetic)
            && key.ends_with(char::is_alphanumeric);
        is_name.then_some((key, operator, value))
    }
}

/// True if a text begins like a date in the order of ISO 8601: with a year, or a year and a month.
fn is_date(text: &str) -> bool {
    let is_digits =
        |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = text.splitn(3, '-');
    parts.next().is_some_and(|year| is_digits(year, 4))
        && parts.next().is_none_or(|month| is_digits(month, 2))
}

/// Returns the parts of a version such as `1.10.2` or `v1.10`; missing parts are 0. Two numbers with one point between
/// them may be a version or a decimal: only if the other value is a version are they compared as one.
fn version(text: &str) -> Option<[u32; MAX_VERSION_PARTS]> {
    let mut version = [0; MAX_VERSION_PARTS];
    for (nr, part) in text.strip_prefix(['v', 'V']).unwrap_or(text).split('.').enumerate() {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        *version.get_mut(nr)? = part.parse().ok().filter(|_| is_number)?;
    }
    Some(version)
}

/// How many parts a version has.
const MAX_VERSION_PARTS: usize = 4;

/// True if a text is a version and not a decimal number.
fn is_version(text: &str) -> bool {
    version(text).is_some() && text.parse::<f64>().is_err()
}

/// True if a date or time is part of the year, month or day `period`: `2025-01-31` is in `2025` and `2025-01`.
fn is_within(value: &str, period: &str) -> bool {
    let is_period = matches!(period.len(), 4 | 7 | 10)
        && period.bytes().enumerate().all(|(nr, byte)| match nr {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    is_period && value.strip_prefix(period).is_some_and(|rest| rest.starts_with(['-', 'T', ' ']))
}

impl FromStr for PropertyFilter {
    type Err = NotAPropertyFilter;

    fn from_str(text: &str) -> Result<Self, NotAPropertyFilter> {
        let (key, operator, value) = Self::split(text).ok_or_else(|| NotAPropertyFilter(text.to_owned()))?;
        let is_value = match operator {
            Operator::Equal => {
                let is_start = |c: char| c.is_alphanumeric() || c == '_';
                value.strip_prefix('-').unwrap_or(value).starts_with(is_start) || value == "*"
            }
            // `weight<limit` is code.
            _ => value.parse::<f64>().is_ok() || is_date(value) || is_version(value),
        };
        if !is_value {
            return Err(NotAPropertyFilter(text.to_owned()));
        }
        Ok(Self { key: key.to_owned(), operator, value: value.to_owned() })
    }
}

impl fmt::Display for PropertyFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.key, self.operator.as_str(), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_told_from_other_text() {
        for text in [
            "status:active",
            "a.b:c",
            "date>=2025-01-01",
            "date<2025",
            "weight>3",
            "x-y_z:*",
            "имя:ё",
            "version>=1.10.2",
            "version<v1.10",
            "nn:-3",
        ] {
            assert_eq!(text.parse::<PropertyFilter>().map(|filter| filter.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "std::fs",
            "http://x",
            "a:b",
            "status:",
            "status: x",
            "3:4",
            "-a:b",
            "a->b",
            "->",
            "x=y",
            "key:(a)",
            "a.:b",
            "",
            ":x",
            "key:\"a b\"",
        ] {
            assert!(text.parse::<PropertyFilter>().is_err(), "{text}");
        }
    }

    #[test]
    fn values_are_compared_as_numbers_dates_or_text() {
        for (filter, accepted, refused) in [
            ("status:active", &["active", "Active"][..], &["inactive", "act"][..]),
            ("status:*", &["active", "0"], &[]),
            ("version:1.10", &["1.10"], &["1.1", "1.11"]),
            ("version>1.9", &["2", "1.91", "1.10.0"], &["1.10", "1.8.5"]),
            ("version>=1.9.0", &["1.9", "1.10.1", "v1.9", "2"], &["1.8.12", "1.9.0-rc1", "next"]),
            ("version<v1.10", &["1.9.3", "v1.9", "1.9"], &["1.10", "1.10.0", "1.2.3.4.5"]),
            ("weight:>9", &["10"], &["9", "heavy"]),
            ("priority:-3", &["-3"], &["3"]),
            ("weight>9", &["10", "9.5"], &["9", "8", "-10"]),
            ("weight<=9", &["9", "1"], &["10"]),
            (
                "date>2025-01-01",
                &["2025-01-02", "2026-01-01"],
                &["2025-01-01", "2024-12-31", "2025-01-01T10:00"],
            ),
            ("date>=2025-01", &["2025-01-01", "2025-02-01"], &["2024-12-31"]),
            ("date<=2025-01", &["2025-01-31", "2024-02-01"], &["2025-02-01"]),
            ("date:2025", &["2025", "2025-01-31", "2025-01-31T10:00:00Z"], &["2024-01-01", "20250131"]),
            ("date<2025", &["2024-12-31"], &["2025-01-01"]),
            ("name:jane doe", &["Jane Doe"], &["Jane"]),
        ] {
            let filter: PropertyFilter = filter.parse().expect("a condition");
            for value in accepted {
                assert!(filter.accepts(value), "{filter} {value}");
            }
            for value in refused {
                assert!(!filter.accepts(value), "{filter} {value}");
            }
        }
    }
}
