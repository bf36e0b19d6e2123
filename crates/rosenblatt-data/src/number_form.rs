//! Numbers that tables spell for people: `12,345`, `5,1`, `37%`, `$12`, `5.1cm`, dates.

use std::borrow::Cow;

use crate::number::{self, Number};

/// The sign between the whole and the fractional part of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decimal {
    /// `5.1`.
    #[default]
    Point,
    /// `5,1`.
    Comma,
}

/// The order of year, month and day in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// `2024-01-31`.
    Ymd,
    /// `31.01.2024`.
    Dmy,
    /// `01/31/2024`.
    Mdy,
}

/// How the numbers of a column are spelled.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct NumberForm {
    /// The decimal sign.
    pub decimal: Decimal,
    /// The separator of groups of three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thousands: Option<char>,
    /// The unit before or after a number, such as `$`, `%` or `cm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The cells are dates of this order. A date is the number of days since 1970-01-01.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateOrder>,
}

impl NumberForm {
    /// Whether numbers are spelled as programs spell them.
    pub(crate) fn is_plain(&self) -> bool {
        *self == NumberForm::default()
    }

    /// What the cells of a column in this form are.
    pub(crate) fn noun(&self) -> &'static str {
        let separated = self.thousands.is_some() || self.decimal == Decimal::Comma;
        match self {
            NumberForm { dates: Some(DateOrder::Ymd), .. } => "dates (year, month, day)",
            NumberForm { dates: Some(DateOrder::Dmy), .. } => "dates (day, month, year)",
            NumberForm { dates: Some(DateOrder::Mdy), .. } => "dates (month, day, year)",
            NumberForm { unit: Some(_), .. } => "numbers with a unit",
            _ if separated => "numbers with other separators",
            _ => "numbers",
        }
    }

    /// Reads all of `text`, which has no blanks around it.
    pub(crate) fn parse(&self, text: &[u8]) -> Number {
        if self.is_plain() {
            return number::parse(text);
        }
        let Ok(text) = std::str::from_utf8(text) else { return Number::Not };
        if let Some(order) = self.dates {
            return days(text, order).map_or(Number::Not, Number::Finite);
        }
        match self.plain(text) {
            Some(plain) => number::parse(plain.as_bytes()),
            None => Number::Not,
        }
    }

    /// A number of this form, which is no date, as programs spell it.
    pub(crate) fn spelled<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let plain = || self.plain(std::str::from_utf8(text).ok()?);
        match self.is_plain() {
            true => text.into(),
            false => plain().map_or(text.into(), |plain| plain.into_bytes().into()),
        }
    }

    /// The number as programs spell it. `None`: it is not of this form.
    fn plain(&self, text: &str) -> Option<String> {
        let (sign, rest) = self.without_unit(text)?;
        let decimal = if self.decimal == Decimal::Comma { ',' } else { '.' };
        let (whole, fraction) = rest.split_once(decimal).unwrap_or((rest, ""));
        let whole = match self.thousands {
            Some(' ') if whole.contains(BLANKS) => joined_groups(whole, &BLANKS)?,
            Some(separator) if whole.contains(separator) => joined_groups(whole, &[separator])?,
            _ => whole.to_owned(),
        };
        // Neither part may contain the sign that means something else here.
        if decimal == ',' && (whole.contains('.') || fraction.contains('.')) {
            return None;
        }
        let starts = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        if !starts(&whole) && !starts(fraction) {
            return None;
        }
        let point = if rest.contains(decimal) { "." } else { "" };
        Some(format!("{sign}{whole}{point}{fraction}"))
    }

    /// The sign of a number, which may stand before or after a unit, and the number without both.
    fn without_unit<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (before, rest) = without_sign(text);
        let unit = self.unit.as_deref().unwrap_or_default();
        let rest = rest.strip_prefix(unit).unwrap_or(rest);
        let rest = rest.strip_suffix(unit).unwrap_or(rest).trim();
        let (after, rest) = without_sign(rest);
        match (before, after) {
            (sign, "") | ("", sign) => Some((sign, rest)),
            _ => None,
        }
    }
}

fn without_sign(text: &str) -> (&str, &str) {
    let signs = text.len() - text.strip_prefix(['+', '-']).unwrap_or(text).len();
    text.split_at(signs)
}

/// The blanks between groups of digits: also those at which no line is broken, wide and narrow.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// The digits of a number with separators: groups of three, but for the first group.
fn joined_groups(whole: &str, separators: &[char]) -> Option<String> {
    let mut groups = whole.split(separators);
    let first = groups.next()?;
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_sound = (1..=3).contains(&first.len())
        && digits(first)
        && groups.all(|group| group.len() == 3 && digits(group));
    is_sound.then(|| whole.replace(separators, ""))
}

/// The unit before or after the digits of a cell, if the cell is digits and a unit.
pub(crate) fn unit_of(cell: &str) -> Option<&str> {
    const MOST: usize = 8;
    let currency = |c: char| "$€£¥₹".contains(c);
    let (_, rest) = without_sign(cell);
    let before = rest.trim_start_matches(currency);
    let prefix = &rest[..rest.len() - before.len()];
    if !prefix.is_empty() {
        return before.ends_with(|c: char| c.is_ascii_digit()).then_some(prefix);
    }
    if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let last_digit = rest.rfind(|c: char| c.is_ascii_digit())?;
    let suffix = rest[last_digit + 1..].trim();
    let is_unit = |c: char| c.is_alphabetic() || currency(c) || "%°²³/µ".contains(c);
    let fits = !suffix.is_empty() && suffix.chars().count() <= MOST && suffix.chars().all(is_unit);
    fits.then_some(suffix)
}

/// The number of days since 1970-01-01; a time of day is a fraction.
fn days(text: &str, order: DateOrder) -> Option<f64> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let separator = date.chars().find(|c| !c.is_ascii_digit()).filter(|c| "-/.".contains(*c))?;
    let parts: Vec<&str> = date.split(separator).collect();
    let [a, b, c] = parts[..] else { return None };
    let (year, month, day) = match order {
        DateOrder::Ymd => (a, b, c),
        DateOrder::Dmy => (c, b, a),
        DateOrder::Mdy => (c, a, b),
    };
    let number = |text: &str, lengths: std::ops::RangeInclusive<usize>| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|_| digits && lengths.contains(&text.len()))
    };
    let (year, month, day) = (number(year, 4..=4)?, number(month, 1..=2)?, number(day, 1..=2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=longest).contains(&day) {
        return None;
    }
    let share = time.map_or(Some(0.0), share_of_day)?;
    Some(days_from_civil(year, month, day) as f64 + share)
}

/// `12:30`, `12:30:15` or `12:30:15.5Z` as a share of a day.
fn share_of_day(time: &str) -> Option<f64> {
    let time = time.strip_suffix('Z').unwrap_or(time);
    let mut parts = time.split(':');
    let digits = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let mut part = || parts.next().filter(|part| digits(part)).map(str::parse::<f64>);
    let hours = part()?.ok().filter(|hours| *hours < 24.0)?;
    let minutes = part()?.ok().filter(|minutes| *minutes < 60.0)?;
    let seconds = part().unwrap_or(Ok(0.0)).ok().filter(|seconds| *seconds < 61.0)?;
    parts.next().is_none().then_some((hours * 3600.0 + minutes * 60.0 + seconds) / 86_400.0)
}

/// Days of the proleptic Gregorian calendar; the year begins in March, so that a leap day is its last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(form: &NumberForm, text: &str) -> Option<f64> {
        match form.parse(text.as_bytes()) {
            Number::Finite(value) => Some(value),
            _ => None,
        }
    }

    #[test]
    fn numbers_of_people() {
        let comma = NumberForm { decimal: Decimal::Comma, ..NumberForm::default() };
        let thousands = NumberForm { thousands: Some(','), ..NumberForm::default() };
        let european = NumberForm { thousands: Some('.'), ..comma.clone() };
        let dollars = NumberForm { unit: Some("$".to_owned()), ..thousands.clone() };
        let length = NumberForm { unit: Some("cm".to_owned()), ..NumberForm::default() };
        for (form, text, value) in [
            (&comma, "-5,25", -5.25),
            (&comma, "5", 5.0),
            (&thousands, "12,345.5", 12345.5),
            (&thousands, "900", 900.0),
            (&european, "1.234,5", 1234.5),
            (&european, "1.234", 1234.0),
            (&dollars, "-$1,200", -1200.0),
            (&dollars, "$-3", -3.0),
            (&dollars, "7", 7.0),
            (&length, "5.1 cm", 5.1),
            (&length, "5.1cm", 5.1),
        ] {
            assert_eq!(parse(form, text), Some(value), "{text}");
        }
        for (form, text) in [
            (&comma, "5.1"),
            (&comma, "1,2,3"),
            (&thousands, "1,23"),
            (&thousands, "1234,567"),
            (&european, "1.23,5"),
            (&dollars, "--3"),
            (&length, "5.1mm"),
            (&length, "cm"),
            (&comma, ""),
        ] {
            assert_eq!(parse(form, text), None, "{text}");
        }
    }

    #[test]
    fn units() {
        for (cell, unit) in
            [("37%", "%"), ("$12", "$"), ("-€1,5", "€"), ("5.1cm", "cm"), ("5.1 km/h", "km/h")]
        {
            assert_eq!(unit_of(cell), Some(unit), "{cell}");
        }
        for cell in ["12", "A12", "x", "", "$", "12-14", "1 2 3", "4x4"] {
            assert_eq!(unit_of(cell), None, "{cell}");
        }
    }

    #[test]
    fn dates_are_days() {
        assert_eq!(days("1970-01-01", DateOrder::Ymd), Some(0.0));
        assert_eq!(days("2000-03-01", DateOrder::Ymd), Some(11017.0));
        assert_eq!(days("29.2.2024", DateOrder::Dmy), Some(19782.0));
        assert_eq!(days("12/31/1969", DateOrder::Mdy), Some(-1.0));
        assert_eq!(days("1970-01-02T12:00:00Z", DateOrder::Ymd), Some(1.5));
        for text in ["2023-02-29", "2024-13-01", "24-01-01", "2024-01", "2024-01-01T25:00", ""] {
            assert_eq!(days(text, DateOrder::Ymd), None, "{text}");
        }
    }
}
