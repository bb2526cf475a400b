//! Formats times for JSON and people.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};

use crate::output::count;

const NANOSECONDS: i64 = 1_000_000_000;
const DAY_SECONDS: i64 = 86_400;

/// Returns the time in nanoseconds since 1970.
pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    i64::try_from(now).unwrap_or(i64::MAX)
}

/// Formats nanoseconds since 1970 as RFC 3339 in UTC, to the second.
pub(crate) fn rfc3339(nanoseconds: i64) -> String {
    let seconds = nanoseconds.div_euclid(NANOSECONDS);
    let (days, second) = (seconds.div_euclid(DAY_SECONDS), seconds.rem_euclid(DAY_SECONDS));
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// Serializes nanoseconds since 1970 as RFC 3339.
pub(super) fn serialize_rfc3339<S: Serializer>(
    nanoseconds: &Option<i64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    nanoseconds.map(rfc3339).serialize(serializer)
}

/// Formats nanoseconds since 1970 for people, in UTC.
pub(crate) fn for_people(nanoseconds: i64) -> String {
    rfc3339(nanoseconds).replace('T', " ").replace('Z', " UTC")
}

/// Formats seconds since 1970 as a day in UTC.
pub(crate) fn day(seconds: i64) -> String {
    let (year, month, day) = civil(seconds.div_euclid(DAY_SECONDS));
    format!("{year:04}-{month:02}-{day:02}")
}

/// Returns how many days ago a time in nanoseconds since 1970 was.
pub(crate) fn days_since(nanoseconds: i64) -> i64 {
    seconds_since(nanoseconds) / DAY_SECONDS
}

/// Says how long ago a time in nanoseconds since 1970 was.
pub(crate) fn age(nanoseconds: i64) -> String {
    match seconds_since(nanoseconds) {
        seconds @ ..60 => format!("{seconds} s ago"),
        seconds @ ..3600 => format!("{} min ago", seconds / 60),
        seconds @ ..DAY_SECONDS => format!("{} h ago", seconds / 3600),
        seconds => count(usize::try_from(seconds / DAY_SECONDS).unwrap_or_default(), "day") + " ago",
    }
}

fn seconds_since(nanoseconds: i64) -> i64 {
    (now().div_euclid(NANOSECONDS) - nanoseconds.div_euclid(NANOSECONDS)).max(0)
}

/// Returns the calendar date of a day counted from 1970-01-01. Years begin in March, which makes the leap day
/// the last day of its year, and are grouped into eras of 400 years, which all have the same number of days.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds * NANOSECONDS), text);
            assert_eq!(day(seconds), text[..10]);
        }
        assert_eq!(for_people(0), "1970-01-01 00:00:00 UTC");
    }

    #[test]
    fn ages_are_told_in_the_nearest_unit() {
        for (seconds, text) in [
            (-100, "0 s ago"),
            (120, "2 min ago"),
            (7300, "2 h ago"),
            (DAY_SECONDS + 60, "1 day ago"),
            (3 * DAY_SECONDS + 60, "3 days ago"),
        ] {
            assert_eq!(age(now() - seconds * NANOSECONDS), text);
        }
    }
}
