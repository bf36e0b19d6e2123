//! Labels as numbers: decimal texts compared exactly by their value.

use std::cmp::Ordering;

/// The value of a decimal text such as `-12.50e3`: `±0.d₁d₂d₃… · 10^point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// The digits without zeros at either end; empty for 0.
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// Parses a decimal text; `None` if it is not a decimal number or exceeds the range of `f64`.
    pub(super) fn parse(text: &str) -> Option<Self> {
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
