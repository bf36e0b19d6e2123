//! Numbers and tables for people.

/// A count with thousands separated: `12,345`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 example`, `12 examples`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

pub(crate) use rosenblatt_data::escaped;

/// A name from a file as it can be shown on a line: hidden characters escaped, cut where it is long.
pub(crate) fn name(name: &str) -> String {
    const MOST: usize = 60;
    let shown = escaped(name);
    if shown.chars().count() <= MOST {
        return shown;
    }
    shown.chars().take(MOST - 1).chain(['…']).collect()
}

/// An option's number in full, in few digits.
pub(crate) fn exact(a: f64) -> String {
    if a != 0.0 && !(1e-4..1e6).contains(&a.abs()) { format!("{a:e}") } else { a.to_string() }
}

/// A number with four significant digits, trailing zeros dropped: `0.05833`, `24120`, `1.32e7`.
pub(crate) fn number(a: f64) -> String {
    digits(a, 4)
}

/// A bound on a count: whole where it is small enough to be read.
pub(crate) fn bound(bound: f64) -> String {
    const READABLE: f64 = 1e9;
    // Its rounding must not take away one that the theorem allows.
    let whole = (bound * (1.0 + 8.0 * f64::EPSILON)).floor();
    if whole < READABLE { count(whole as u64) } else { number(bound) }
}

/// A number with so many significant digits, trailing zeros dropped.
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

/// A share in per cent with one decimal: `13.9 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Lines of a name and a text, the texts aligned. A line without a name goes on with the one above.
#[derive(Default)]
pub(crate) struct Table {
    lines: Vec<(&'static str, String)>,
}

impl Table {
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
