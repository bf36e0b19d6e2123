//! Numbers and tables as text.

pub(crate) use rosenblatt_data::{
    escaped,
    text::{count, counted, name, names, quoted_names},
};

/// Options of the command line: "`--weighting`, `--document-frequency` and `--normalise`".
pub(crate) fn long_options<S: AsRef<str>>(names: &[S], last: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`--{}`", name.as_ref())).collect();
    match names.as_slice() {
        [first @ .., end] if !first.is_empty() => format!("{} {last} {end}", first.join(", ")),
        _ => names.concat(),
    }
}

/// The exact number of an option.
pub(crate) fn exact(a: f64) -> String {
    if a != 0.0 && !(1e-4..1e6).contains(&a.abs()) { format!("{a:e}") } else { a.to_string() }
}

/// A number with four significant digits, trailing zeros dropped: `0.05833`, `24120`, `1.32e7`.
pub(crate) fn number(a: f64) -> String {
    digits(a, 4)
}

/// A count, or a number between two counts, which is rounded if it is large.
pub(crate) fn amount(a: f64) -> String {
    let whole = a == a.trunc() || a >= 1000.0;
    if whole && (0.0..1e15).contains(&a) { count(a.round() as u64) } else { number(a) }
}

/// A bound on a count: a whole number if it is small enough to read.
pub(crate) fn bound(bound: f64) -> String {
    const READABLE: f64 = 1e9;
    // Rounding must not lower the bound by one.
    let whole = (bound * (1.0 + 8.0 * f64::EPSILON)).floor();
    if whole < READABLE { count(whole as u64) } else { at_most(bound, 4) }
}

/// A bound on a count of mistakes, with the noun.
pub(crate) fn mistakes(most: f64) -> String {
    let most = bound(most);
    if most == "1" { "1 mistake".to_owned() } else { format!("{most} mistakes") }
}

/// A positive number as a lower bound: the decimal text is never above it.
pub(crate) fn at_least(a: f64, digits: i32) -> String {
    rounded(a, digits, false)
}

/// A positive number as an upper bound: the decimal text is never below it.
pub(crate) fn at_most(a: f64, digits: i32) -> String {
    rounded(a, digits, true)
}

/// The first digits of a positive number, rounded down, or with `up` rounded up.
fn rounded(a: f64, digits: i32, up: bool) -> String {
    /// No float has more decimal digits.
    const ALL: usize = 780;
    // All digits before the point are shown.
    let whole = if (1.0..1e6).contains(&a) { a.log10().floor() as i32 + 1 } else { 1 };
    let digits = digits.max(whole);
    let expansion = format!("{a:.ALL$e}");
    let parts = expansion.split_once('e').filter(|_| a > 0.0 && a.is_finite());
    let Some((mantissa, exponent)) = parts else { return self::digits(a, digits) };
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let (first, rest) = all.split_at(digits as usize);
    let more = up && rest.bytes().any(|digit| digit != b'0');
    let mut first = first.parse().unwrap_or(0u64) + u64::from(more);
    let mut exponent: i32 = exponent.parse().unwrap_or(0);
    if first == 10u64.pow(digits as u32) {
        (first, exponent) = (first / 10, exponent + 1);
    }
    let value: f64 = format!("{first}e{}", exponent + 1 - digits).parse().unwrap_or(a);
    if (1e-4..1e6).contains(&value) {
        // A float of this size keeps this few digits.
        return self::digits(value, digits);
    }
    let first = first.to_string();
    format!("{}e{exponent}", trimmed(&format!("{}.{}", &first[..1], &first[1..])))
}

/// The bounds of a margin γ in this many digits, each rounded away from the other. A bound that excludes nothing is
/// left out.
pub(crate) fn bracket(lower: Option<f64>, upper: Option<f64>, digits: i32) -> String {
    let lower = lower.filter(|&lower| lower > 0.0).map(|lower| at_least(lower, digits));
    let upper = upper.filter(|upper| upper.is_finite()).map(|upper| at_most(upper, digits));
    match (lower, upper) {
        (Some(lower), Some(upper)) => format!("{lower} ≤ γ ≤ {upper}"),
        (Some(lower), None) => format!("{lower} ≤ γ"),
        (None, Some(upper)) => format!("γ ≤ {upper}"),
        (None, None) => "γ > 0".to_owned(),
    }
}

/// A ratio of sizes: a whole number if it is small enough to read.
pub(crate) fn times(ratio: f64) -> String {
    const READABLE: f64 = 1e9;
    if ratio < READABLE { count(ratio as u64) } else { number(ratio) }
}

/// A number with this many significant digits, trailing zeros dropped.
pub(crate) fn digits(a: f64, digits: i32) -> String {
    if a == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&a.abs()) {
        let text = format!("{a:.*e}", digits as usize - 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let before_point = a.abs().log10().floor() as i32 + 1;
    let decimals = (digits - before_point).max(0) as usize;
    trimmed(&format!("{a:.decimals$}")).to_owned()
}

fn trimmed(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

/// A rate between 0 and 1 as a number of four decimals.
pub(crate) fn decimal(rate: f64) -> String {
    format!("{rate:.4}")
}

/// A share in percent with one decimal: `13.9%`. It has more decimals where one would round it to all or none: `99.99%`.
pub(crate) fn percent(share: f64) -> String {
    const MOST: usize = 6;
    let text = |decimals: usize| format!("{:.decimals$}", 100.0 * share);
    let is_rounded_off = |text: &String| {
        let shown = text.parse::<f64>();
        shown == Ok(100.0) && share < 1.0 || shown == Ok(0.0) && share > 0.0
    };
    let decimals = (1..MOST).find(|&decimals| !is_rounded_off(&text(decimals))).unwrap_or(MOST);
    text(decimals) + "%"
}

/// Lines with a name and a text, the texts aligned. A line without a name continues the line above.
#[derive(Default)]
pub(crate) struct Table {
    lines: Vec<(&'static str, String)>,
}

impl Table {
    /// Adds lines, of which the first has the name.
    pub(crate) fn lines(&mut self, name: &'static str, lines: impl IntoIterator<Item = String>) {
        for (i, line) in lines.into_iter().enumerate() {
            self.line(if i == 0 { name } else { "" }, line);
        }
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, name: &'static str, text: impl Into<String>) {
        self.lines.push((name, text.into()));
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = self.lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, text) in &self.lines {
            let line = format!("{name:width$}  {text}");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (3.0, "3"),
            (-4.25, "-4.25"),
            (0.058_331_7, "0.05833"),
            (24119.6, "24120"),
            (13_200_000.0, "1.32e7"),
            (0.000_012_345, "1.234e-5"),
            (1e300, "1e300"),
            (99_999.0, "99999"),
        ];
        for (a, text) in cases {
            assert_eq!(number(a), text);
        }
    }

    /// As floats 0.1 is a little more than one tenth and 0.3 a little less than three; a bound is never on the wrong side.
    #[test]
    fn bounds_are_rounded_away() {
        let both = |a: f64, digits| (at_least(a, digits), at_most(a, digits));
        assert_eq!(both(0.123_456, 4), ("0.1234".into(), "0.1235".into()));
        assert_eq!(both(1.470_9e-15, 4), ("1.47e-15".into(), "1.471e-15".into()));
        assert_eq!(both(9.999_96, 4), ("9.999".into(), "10".into()));
        assert_eq!(both(0.5, 4), ("0.5".into(), "0.5".into()));
        assert_eq!(both(123_456.0, 4), ("123456".into(), "123456".into()));
        assert_eq!(both(f64::MAX, 4).0, "1.797e308");
        assert_eq!(both(0.1, 4), ("0.1".into(), "0.1001".into()));
        assert_eq!(both(0.3, 4), ("0.2999".into(), "0.3".into()));
        assert_eq!(both(5e-324, 4), ("4.94e-324".into(), "4.941e-324".into()));
        for a in [0.1, 0.3, 0.1 + 0.2, 1.0 / 3.0, 5e-324, 1e300 / 3.0, 999_999.5, 1e-4 / 3.0] {
            for digits in [4, 7] {
                let (low, high) = both(a, digits);
                assert!(low.parse::<f64>().unwrap() <= a && a <= high.parse::<f64>().unwrap());
            }
        }
        assert_eq!(bracket(Some(0.0), Some(2.0), 4), "γ ≤ 2");
        assert_eq!(bracket(Some(0.25), Some(f64::INFINITY), 4), "0.25 ≤ γ");
    }

    #[test]
    fn large_ratios_and_small_counts() {
        assert_eq!((times(12_345.6), times(1e300)), ("12,345".into(), "1e300".into()));
        assert_eq!((mistakes(1.0), mistakes(2.0)), ("1 mistake".into(), "2 mistakes".into()));
        assert_eq!(bound(1.234_51e12), "1.235e12");
    }

    #[test]
    fn names_are_safe_to_show() {
        assert_eq!(name("a\u{1b}[31m\r\n"), r"a\u{1b}[31m\r\n");
        assert_eq!(name("a\u{202e}b"), r"a\u{202e}b");
        assert_eq!(name(&"é".repeat(70_000)).chars().count(), 60);
        assert_eq!(
            (exact(0.5), exact(5e-324), exact(1e300)),
            ("0.5".into(), "5e-324".into(), "1e300".into())
        );
    }

    #[test]
    fn counts_have_separators() {
        assert_eq!(
            [0, 12, 123, 1234, 1_234_567].map(count),
            ["0", "12", "123", "1,234", "1,234,567"]
        );
        assert_eq!(
            (counted(1, "row"), counted(2000, "row")),
            ("1 row".into(), "2,000 rows".into())
        );
    }
}
