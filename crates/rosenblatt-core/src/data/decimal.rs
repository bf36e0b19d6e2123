//! Decimal texts by their exact value: compared as labels, and as the numbers of examples that were written so.

use std::cmp::Ordering;

/// The value of a decimal text such as `-12.50e3`: `±0.d₁d₂d₃… · 10^point`.
///
/// ```
/// use rosenblatt_core::data::Decimal;
/// assert_eq!(Decimal::parse("0.10"), Some(Decimal::shortest(0.1)));
/// assert_ne!(Decimal::parse("0.10000000000000001"), Some(Decimal::shortest(0.1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    /// The digits without zeros at either end; empty for 0.
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// Parses a decimal text; `None` if it is not a decimal number or exceeds the range of `f64`.
    pub fn parse(text: &str) -> Option<Self> {
        if !text.parse::<f64>().ok()?.is_finite() {
            return None;
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
            None => (text, 0i64),
        };
        let negative = mantissa.starts_with('-');
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = whole.trim_start_matches(['+', '-']);
        let all = whole.bytes().chain(fraction.bytes());
        let leading = all.clone().take_while(|&digit| digit == b'0').count();
        let mut digits: Vec<u8> = all.skip(leading).collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        if digits.is_empty() {
            return Some(Decimal { negative: false, digits, point: 0 });
        }
        let point = (whole.len() as i64 - leading as i64).checked_add(exponent)?;
        Some(Decimal { negative, digits, point })
    }

    /// The shortest decimal that is read as this finite float, the nearest of several.
    pub fn shortest(a: f64) -> Self {
        // The standard library writes it, and a finite float is within the range.
        Decimal::parse(&format!("{a:e}")).unwrap_or(Decimal {
            negative: false,
            digits: vec![],
            point: 0,
        })
    }

    /// Whether it is below 0, the digits without zeros at either end, and the power of ten of the last digit; no digits for
    /// 0.
    pub fn parts(&self) -> (bool, &[u8], i64) {
        (self.negative, &self.digits, self.point - self.digits.len() as i64)
    }

    fn compare_size(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (false, false) => (self.point, &self.digits).cmp(&(other.point, &other.digits)),
            (zero, other_zero) => other_zero.cmp(&zero),
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
            (negative, other_negative) => other_negative.cmp(&negative),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_has_many_spellings() {
        for spellings in [["1", "+1.0", "10e-1"], ["-0.5", "-.5", "-5E-1"], ["0", "-0", "0.00e9"]] {
            let numbers = spellings.map(|text| Decimal::parse(text).unwrap());
            assert_eq!((&numbers[0], &numbers[1]), (&numbers[1], &numbers[2]));
        }
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        let ascending = [
            "-1e300",
            "-10",
            "-9.5",
            "-1e-9",
            "0",
            "1e-400",
            "1e-9",
            "0.1",
            "0.11",
            "0.2",
            "9",
            "10",
            "9007199254740992",
            "9007199254740993",
            "1e17",
        ];
        for pair in ascending.windows(2) {
            assert!(Decimal::parse(pair[0]) < Decimal::parse(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in ["", "nan", "inf", "1e999", "one", "1,5", "0x1", ".", "e5", "1e", "infinity"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
