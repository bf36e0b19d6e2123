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
    /// No date: a time of day or a duration, `14:30` or `2:30 PM`, as a share of a day.
    Time,
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
    /// Negative numbers are written as in books: `(1.5)`, `−1.5`, `1.5-`.
    #[serde(skip_serializing_if = "is_false")]
    pub book_signs: bool,
    /// A letter after a number multiplies it: `1.5K` is 1,500; `M` stands for a million and `B` for a thousand millions.
    #[serde(skip_serializing_if = "is_false")]
    pub magnitudes: bool,
}

fn is_false(value: &bool) -> bool {
    !value
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
            NumberForm { dates: Some(DateOrder::Time), .. } => "times (shares of a day)",
            NumberForm { magnitudes: true, .. } => "numbers with K, M or B for powers of 1,000",
            NumberForm { unit: Some(_), .. } => "numbers with a unit",
            NumberForm { book_signs: true, .. } => "numbers with signs as in books or spreadsheets",
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
        let text = if self.book_signs { with_minus(text)? } else { text.into() };
        let (sign, rest) = self.without_unit(&text)?;
        let (rest, power) = if self.magnitudes { without_magnitude(rest) } else { (rest, "") };
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
        if !power.is_empty() && !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(format!("{sign}{whole}{point}{fraction}{power}"))
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

/// A number without the letter that multiplies it, and the power of ten that it stands for.
fn without_magnitude(text: &str) -> (&str, &'static str) {
    let all = [("K", "e3"), ("k", "e3"), ("M", "e6"), ("B", "e9")];
    let found = all.iter().find_map(|(letter, power)| Some((text.strip_suffix(letter)?, *power)));
    found.map_or((text, ""), |(rest, power)| (rest.trim_end(), power))
}

/// A number with the sign that programs write, where books write another, and without the apostrophe of spreadsheets before it.
fn with_minus(text: &str) -> Option<Cow<'_, str>> {
    let text = text.strip_prefix('\'').unwrap_or(text);
    const DASHES: [char; 2] = ['−', '–'];
    let negative: Option<Cow<'_, str>> = match text.split_once('(') {
        Some((unit, rest)) => {
            let inner = rest.strip_suffix(')').filter(|_| is_currency(unit))?;
            Some(format!("{unit}{inner}").into())
        }
        None => text.strip_prefix(DASHES).or_else(|| text.strip_suffix('-')).map(Cow::from),
    };
    match negative {
        None => Some(text.into()),
        Some(rest) if rest.contains(['-', '+']) || rest.contains(DASHES) => None,
        Some(rest) => Some(format!("-{}", rest.trim()).into()),
    }
}

fn without_sign(text: &str) -> (&str, &str) {
    let signs = text.len() - text.strip_prefix(['+', '-']).unwrap_or(text).len();
    text.split_at(signs)
}

/// The blanks between groups of digits: also those at which no line is broken, wide and narrow.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// The digits of a number with separators: groups of three, but for the first group, or as in India a last group of three
/// after groups of two.
fn joined_groups(whole: &str, separators: &[char]) -> Option<String> {
    let groups: Vec<&str> = whole.split(separators).collect();
    let (first, rest) = groups.split_first()?;
    let (last, middle) = rest.split_last()?;
    let digits = groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_digit()));
    let are = |length: usize| middle.iter().all(|group| group.len() == length);
    let is_indian = separators == [','] && (1..=2).contains(&first.len()) && are(2);
    let is_usual = (1..=3).contains(&first.len()) && are(3);
    let is_sound = digits && last.len() == 3 && (is_usual || is_indian);
    is_sound.then(|| whole.replace(separators, ""))
}

/// Whether a unit is the sign of a currency.
pub(crate) fn is_currency(unit: &str) -> bool {
    unit.chars().all(is_currency_sign)
}

fn is_currency_sign(sign: char) -> bool {
    "$€£¥₹".contains(sign)
}

/// The unit before or after the digits of a cell, if the cell is digits and a unit.
pub(crate) fn unit_of(cell: &str) -> Option<&str> {
    const MOST: usize = 8;
    let inner = match cell.strip_suffix(')').and_then(|cell| cell.split_once('(')) {
        Some(("", inner)) => inner,
        Some((unit, inner)) => {
            let is_unit = is_currency(unit);
            return (is_unit && inner.ends_with(|c: char| c.is_ascii_digit())).then_some(unit);
        }
        None => cell,
    };
    let cell = inner.trim_start_matches(['−', '–']).strip_suffix('-').unwrap_or(inner);
    let (_, rest) = without_sign(cell);
    let before = rest.trim_start_matches(is_currency_sign);
    let prefix = &rest[..rest.len() - before.len()];
    let (number, power) = without_magnitude(before);
    if !prefix.is_empty() {
        return number.ends_with(|c: char| c.is_ascii_digit()).then_some(prefix);
    }
    if !power.is_empty() && number.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let last_digit = rest.rfind(|c: char| c.is_ascii_digit())?;
    let suffix = rest[last_digit + 1..].trim();
    let is_unit = |c: char| c.is_alphabetic() || is_currency_sign(c) || "%°²³/µ".contains(c);
    let fits = !suffix.is_empty() && suffix.chars().count() <= MOST && suffix.chars().all(is_unit);
    fits.then_some(suffix)
}

/// The number of days since 1970-01-01; a time of day is a fraction.
fn days(text: &str, order: DateOrder) -> Option<f64> {
    if order == DateOrder::Time {
        return share_of_day(text, true);
    }
    let ([a, b, c], separator, time) = parts_of_date(text)?;
    let (year, month, day) = match order {
        DateOrder::Ymd => (a, b, c),
        DateOrder::Dmy => (c, b, a),
        DateOrder::Mdy | DateOrder::Time => (c, a, b),
    };
    let number = |text: &str, lengths: std::ops::RangeInclusive<usize>| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|_| digits && lengths.contains(&text.len()))
    };
    let named = month_of(month);
    // A year of two digits stands beside two digits each, or a name. It comes first only as in 21-01-03.
    let may_stand = order != DateOrder::Ymd || named.is_none() && separator != ".";
    // With slashes one digit is enough: 1.2.10 is a version.
    let are_long = (named.is_some() || month.len() == 2) && day.len() == 2 || separator == "/";
    let is_short = year.len() == 2 && are_long && may_stand;
    let year = match number(year, 2..=4)? {
        year @ 0..=68 if is_short => 2000 + year,
        year @ 69..=99 if is_short => 1900 + year,
        year => Some(year).filter(|year| *year > 999)?,
    };
    let (month, day) = (named.or_else(|| number(month, 1..=2))?, number(day, 1..=2)?);
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
    let share = time.map_or(Some(0.0), |time| share_of_day(time, false))?;
    Some(days_from_civil(year, month, day) as f64 + share)
}

/// The three parts of a date, the sign between the first two, and the time after it.
fn parts_of_date(text: &str) -> Option<([&str; 3], &str, Option<&str>)> {
    let mut rest = text;
    let mut parts = [""; 3];
    let mut separators = [""; 2];
    for i in 0..3 {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() || c == 'T').unwrap_or(rest.len());
        // The `T` of a word, as in October.
        let is_word = rest.starts_with(|c: char| c.is_ascii_alphabetic());
        let end = match is_word {
            true => rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()),
            false => end,
        };
        (parts[i], rest) = rest.split_at(end);
        if i < 2 {
            let length = rest.find(|c: char| !" ,-/.".contains(c)).unwrap_or(rest.len());
            (separators[i], rest) = rest.split_at(length);
        }
    }
    let has_name = parts.iter().any(|part| month_of(part).is_some());
    let are_equal = separators[0] == separators[1] && ["-", "/", "."].contains(&separators[0]);
    let are_between =
        separators.iter().all(|separator| !separator.is_empty() && separator.len() < 3);
    if !(are_equal || has_name && are_between) || parts.iter().any(|part| part.is_empty()) {
        return None;
    }
    match rest {
        "" => Some((parts, separators[0], None)),
        rest => Some((parts, separators[0], Some(rest.strip_prefix(['T', ' '])?))),
    }
}

/// The month of an English name, or of its first three letters.
fn month_of(text: &str) -> Option<i64> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let name = text.to_ascii_lowercase();
    let is = |full: &str| {
        full.starts_with(&name) && (name.len() == 3 || name.len() >= full.len().min(4))
    };
    let found = NAMES.iter().position(|full| name.len() >= 3 && is(full))?;
    Some(found as i64 + 1)
}

/// `12:30`, `12:30:15`, `12:30:15.5Z`, `12:30+02:00` or `2:30 PM` as a share of a day. A duration may have more hours.
fn share_of_day(time: &str, is_duration: bool) -> Option<f64> {
    let time = time.trim();
    let upper = time.to_ascii_uppercase();
    let half = ["AM", "PM"].into_iter().find(|half| upper.ends_with(half));
    let clock = if half.is_some() { time[..time.len() - 2].trim_end() } else { time };
    let clock = clock.strip_suffix('Z').unwrap_or(clock);
    let (clock, offset) = match clock.rfind(['+', '-']).filter(|&at| at > 0 && !is_duration) {
        None => (clock, 0.0),
        Some(at) => (&clock[..at], offset_of(&clock[at..])?),
    };
    let mut parts = clock.split(':');
    let digits = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let mut part = || parts.next().filter(|part| digits(part)).map(str::parse::<f64>);
    let most = if is_duration && half.is_none() { 1e6 } else { 24.0 };
    let hours = part()?.ok().filter(|hours| *hours < most)?;
    let minutes = part()?.ok().filter(|minutes| *minutes < 60.0)?;
    let seconds = part().unwrap_or(Ok(0.0)).ok().filter(|seconds| *seconds < 61.0)?;
    let hours = match half {
        None => hours,
        Some(_) if !(1.0..=12.0).contains(&hours) => return None,
        Some("AM") => hours % 12.0,
        Some(_) => hours % 12.0 + 12.0,
    };
    let seconds = hours * 3600.0 + minutes * 60.0 + seconds - offset;
    parts.next().is_none().then_some(seconds / 86_400.0)
}

/// The seconds of `+02:00`, `-0530` or `+02`.
fn offset_of(text: &str) -> Option<f64> {
    let (sign, rest) = text.split_at(1);
    let digits: String = rest.chars().filter(|c| *c != ':').collect();
    let is_offset =
        matches!(digits.len(), 2 | 4) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = |range: std::ops::Range<usize>| {
        digits.get(range).map_or(Some(0.0), |text| text.parse().ok())
    };
    let seconds = is_offset
        .then_some(())
        .and_then(|()| Some(number(0..2)? * 3600.0 + number(2..4)? * 60.0))?;
    Some(if sign == "-" { -seconds } else { seconds })
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
        let book = NumberForm { book_signs: true, ..NumberForm::default() };
        let powers = NumberForm { magnitudes: true, ..NumberForm::default() };
        let dollar_powers = NumberForm { magnitudes: true, ..dollars.clone() };
        let book_dollars = NumberForm { book_signs: true, ..dollars.clone() };
        for (form, text, value) in [
            (&comma, "-5,25", -5.25),
            (&comma, "5", 5.0),
            (&thousands, "12,345.5", 12345.5),
            (&thousands, "900", 900.0),
            (&european, "1.234,5", 1234.5),
            (&european, "1.234", 1234.0),
            (&dollars, "-$1,200", -1200.0),
            (&dollars, "$-3", -3.0),
            (&book_dollars, "$(1,200)", -1200.0),
            (&book_dollars, "($3)", -3.0),
            (&dollars, "7", 7.0),
            (&length, "5.1 cm", 5.1),
            (&length, "5.1cm", 5.1),
            (&thousands, "12,34,500", 1_234_500.0),
            (&book, "(1.5)", -1.5),
            (&book, "−1.5", -1.5),
            (&book, "1.5-", -1.5),
            (&book, "1.5", 1.5),
            (&book, "'217", 217.0),
            (&book, "'-2.5", -2.5),
            (&powers, "1.7M", 1_700_000.0),
            (&powers, "-350k", -350_000.0),
            (&powers, "0.3 B", 300_000_000.0),
            (&powers, "12", 12.0),
            (&dollar_powers, "$1,250.5K", 1_250_500.0),
            (&dollar_powers, "-$7M", -7_000_000.0),
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
            (&book, "(1.5"),
            (&book, "(-1.5)"),
            (&book, "--1"),
            (&book, "''1"),
            (&powers, "M"),
            (&powers, "1e3K"),
            (&powers, "1MM"),
            (&powers, "5m"),
            (&thousands, "1,23,45"),
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
        for text in
            ["2023-02-29", "2024-13-01", "4-01-01", "2024-01", "2024-01-01T25:00", "", "2024"]
        {
            assert_eq!(days(text, DateOrder::Ymd), None, "{text}");
        }
        for text in ["3 Jan 2021", "03-Jan-2021", "3 January 2021", "03-JAN-21", "03.01.21"] {
            assert_eq!(days(text, DateOrder::Dmy), Some(18630.0), "{text}");
        }
        for text in ["Jan 3, 2021", "January 3, 2021", "01/03/21", "1/3/21", "1/3/2021 12:00 AM"] {
            assert_eq!(days(text, DateOrder::Mdy), Some(18630.0), "{text}");
        }
        for text in ["Jan 3, 2021", "21.01.03", "21-Jan-03"] {
            assert_eq!(days(text, DateOrder::Ymd), None, "{text}");
        }
        assert_eq!(days("21-01-03", DateOrder::Ymd), Some(18630.0));
        assert_eq!(days("10 October 1969 06:00", DateOrder::Dmy), Some(-82.75));
        assert_eq!(days("1970-01-01T02:00:00+02:00", DateOrder::Ymd), Some(0.0));
        assert_eq!(days("1970-01-01 06:00-0600", DateOrder::Ymd), Some(0.5));
        for text in ["1.2.10", "3 Jam 2021", "Jan 3 2021 and", "1-Jan-2-2021"] {
            assert_eq!(days(text, DateOrder::Dmy), None, "{text}");
        }
        for (text, share) in
            [("06:00", 0.25), ("6:00 PM", 0.75), ("12:00am", 0.0), ("36:00:00", 1.5)]
        {
            assert_eq!(days(text, DateOrder::Time), Some(share), "{text}");
        }
        assert_eq!(days("13:00 PM", DateOrder::Time), None);
    }
}
