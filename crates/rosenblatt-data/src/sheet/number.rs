//! Numbers as they are written by hand, without rounding.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::str::FromStr as _;

/// A number of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WrittenNumber {
    pub(super) value: BigRational,
    /// How far the number may be from the one that was meant: half a unit of its last decimal, and 0 for a whole number or a
    /// fraction.
    half_unit: BigRational,
    /// Whether it has the digits of a program: nine decimals or more, or an exponent.
    is_of_program: bool,
}

impl WrittenNumber {
    /// Reads `-2`, `−2`, `+0.33`, `1e-3`, `1/3`, or with a decimal comma `0,33`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().replace('−', "-").replace(',', ".");
        let text = text.strip_prefix('+').unwrap_or(&text);
        if let Some((over, under)) = text.split_once('/') {
            let (over, under) = (decimal(over.trim())?, decimal(under.trim())?);
            let value = (!under.0.is_zero()).then(|| over.0 / under.0)?;
            let half_unit = BigRational::zero();
            return Some(WrittenNumber { value, half_unit, is_of_program: false });
        }
        let (value, decimals) = decimal(text)?;
        let is_of_program = decimals >= 9 || text.contains(['e', 'E']);
        let half_unit = match decimals {
            1.. => ten_to(-decimals) / BigRational::from_integer(2.into()),
            _ => BigRational::zero(),
        };
        Some(WrittenNumber { value, half_unit, is_of_program })
    }

    /// Whether this stands for `expected`: rounded to its decimals, or to the digits of a 64-bit number.
    pub(super) fn is(&self, expected: &BigRational) -> bool {
        if self.value == *expected {
            return true;
        }
        let difference = (&self.value - expected).abs();
        let rounding = ten_to(-9) * (expected.abs() + BigRational::one());
        difference <= self.half_unit || (self.is_of_program && difference <= rounding)
    }
}

/// A decimal and the number of its decimals; of `1e-3` three.
fn decimal(text: &str) -> Option<(BigRational, i64)> {
    /// No number of a sheet is longer.
    const LONGEST: usize = 400;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok().filter(|exponent: &i64| exponent.abs() < 400)?;
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    let unsigned = digits.strip_prefix('-').unwrap_or(&digits);
    if unsigned.is_empty()
        || unsigned.len() > LONGEST
        || !unsigned.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let decimals = part.len() as i64 - exponent;
    let value = BigRational::from_str(&digits).ok()? * ten_to(-decimals);
    Some((value, decimals))
}

fn ten_to(exponent: i64) -> BigRational {
    let power =
        num_traits::pow(BigRational::from_integer(10.into()), exponent.unsigned_abs() as usize);
    if exponent < 0 { power.recip() } else { power }
}

/// The number of the shortest decimal that is read as this float: what a file has, up to 15 digits.
pub(super) fn as_written(float: f64) -> BigRational {
    decimal(&format!("{float:e}")).map_or_else(BigRational::zero, |(value, _)| value)
}

/// A number for a message: a whole one, a short decimal, or a fraction.
pub(super) fn shown(value: &BigRational) -> String {
    let text = if value.is_integer() {
        value.to_integer().to_string()
    } else {
        let short = (1..=6).find(|&decimals| (value * ten_to(decimals)).is_integer());
        match short {
            Some(decimals) => {
                let digits = (value.abs() * ten_to(decimals)).to_integer().to_string();
                let digits = format!("{digits:0>width$}", width = decimals as usize + 1);
                let (whole, part) = digits.split_at(digits.len() - decimals as usize);
                format!("{}{whole}.{part}", if value.is_negative() { "-" } else { "" })
            }
            None if value.denom() < &10_000.into() => {
                format!("{}/{}", value.numer(), value.denom())
            }
            None => num_traits::ToPrimitive::to_f64(value).unwrap_or(f64::NAN).to_string(),
        }
    };
    text.replace('-', "−")
}

/// A vector for a message.
pub(super) fn vector(values: &[BigRational]) -> String {
    let values: Vec<String> = values.iter().map(shown).collect();
    format!("({})", values.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(over: i64, under: i64) -> BigRational {
        BigRational::new(over.into(), under.into())
    }

    #[test]
    fn numbers_are_read_without_rounding() {
        for (text, expected) in [
            ("-2", ratio(-2, 1)),
            ("−2", ratio(-2, 1)),
            ("+0.1", ratio(1, 10)),
            ("-.5", ratio(-1, 2)),
            ("1e-3", ratio(1, 1000)),
            ("2.5e1", ratio(25, 1)),
            ("-1/3", ratio(-1, 3)),
            ("0,25", ratio(1, 4)),
        ] {
            assert_eq!(
                WrittenNumber::parse(text).map(|number| number.value),
                Some(expected),
                "{text}"
            );
        }
        for text in ["", "-", "1/0", "yes", "1.2.3", "nan", "1e999", "0x1"] {
            assert_eq!(WrittenNumber::parse(text), None, "{text}");
        }
        assert_eq!(as_written(0.1), ratio(1, 10));
        assert_eq!(as_written(-2.5e-3), ratio(-1, 400));
    }

    #[test]
    fn a_decimal_stands_for_what_rounds_to_it() {
        let is = |text: &str, value: BigRational| WrittenNumber::parse(text).unwrap().is(&value);
        assert!(is("0.33", ratio(1, 3)) && is("0.3333333333333333", ratio(1, 3)));
        assert!(!is("0.34", ratio(1, 3)) && !is("0.333", ratio(3, 10)));
        // A whole number is no rounded one, and neither is a fraction.
        assert!(!is("0", ratio(1, 3)) && !is("3", ratio(28, 9)) && !is("1/3", ratio(3, 10)));
        assert!(is("0.30000000000000004", ratio(3, 10)));
    }

    #[test]
    fn numbers_are_shown_as_they_are_written() {
        for (value, text) in [
            (ratio(-2, 1), "−2"),
            (ratio(-1, 4), "−0.25"),
            (ratio(1, 3), "1/3"),
            (ratio(205, 100), "2.05"),
        ] {
            assert_eq!(shown(&value), text);
        }
    }
}
