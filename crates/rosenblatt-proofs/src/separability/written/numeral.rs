//! A decimal as an integer times a power of ten.

use num_bigint::{BigInt, BigUint, Sign};

use rosenblatt_core::data::Decimal;

/// `mantissa · 10^exponent`, not 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numeral {
    mantissa: Mantissa,
    pub(super) exponent: i64,
}

#[derive(Clone, Debug, PartialEq)]
enum Mantissa {
    Short(i64),
    Long(BigInt),
}

/// The powers of ten up to the number of digits of which a float has one decimal at most.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

impl Numeral {
    /// The shortest decimal of a float that is not 0. `places` is a number of decimal places to try first, for a column whose
    /// numbers mostly have as many.
    ///
    /// No two decimals of up to 15 digits are read as one float (Matula 1968). So an integer below 10¹⁵ whose quotient by a
    /// power of ten, which has one rounding, is the float belongs to its shortest decimal.
    pub(super) fn shortest(x: f64, places: &mut usize) -> Self {
        for (k, power) in POWERS.iter().enumerate().skip(*places) {
            let multiple = x * power;
            if multiple.abs() >= 1e15 {
                break;
            }
            let whole = multiple.round_ties_even();
            if whole != 0.0 && whole / power == x {
                *places = k;
                return Numeral { mantissa: Mantissa::Short(whole as i64), exponent: -(k as i64) };
            }
        }
        Numeral::of(&Decimal::shortest(x))
    }

    /// A decimal that is not 0.
    pub(super) fn of(decimal: &Decimal) -> Self {
        let (negative, digits, exponent) = decimal.parts();
        let size = BigUint::parse_bytes(digits, 10).unwrap_or_default();
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Numeral { mantissa: Mantissa::of(BigInt::from_biguint(sign, size)), exponent }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let product = match (&self.mantissa, &other.mantissa) {
            (Mantissa::Short(a), Mantissa::Short(b)) => a.checked_mul(*b).map(Mantissa::Short),
            _ => None,
        };
        let product =
            product.unwrap_or_else(|| Mantissa::of(self.mantissa.long() * other.mantissa.long()));
        Numeral { mantissa: product, exponent: self.exponent + other.exponent }
    }

    /// The power of ten above all digits, or one more.
    pub(super) fn end(&self) -> i64 {
        let digits = match &self.mantissa {
            Mantissa::Short(a) => i64::from(a.unsigned_abs().ilog10()) + 1,
            // log₁₀ 2 is below 0.3011.
            Mantissa::Long(a) => (a.bits() * 3011 / 10_000) as i64 + 1,
        };
        self.exponent + digits
    }

    /// The number in units of a power of ten, if it is an integer that is a float.
    pub(super) fn short_units(&self, unit: i64) -> Option<f64> {
        let Mantissa::Short(a) = &self.mantissa else { return None };
        let power = 10i64.checked_pow(u32::try_from(self.exponent - unit).ok()?)?;
        let units = a.checked_mul(power)?;
        (units.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(units as f64)
    }

    /// The number in units of a power of ten at most as large as its own.
    pub(super) fn units(&self, unit: i64) -> BigInt {
        self.mantissa.long() * power_of_ten(self.exponent - unit)
    }
}

/// 10^exponent for an exponent that is not negative.
pub(super) fn power_of_ten(exponent: i64) -> BigInt {
    BigInt::from(10).pow(exponent as u32)
}

impl Mantissa {
    fn of(integer: BigInt) -> Self {
        i64::try_from(&integer).map_or(Mantissa::Long(integer), Mantissa::Short)
    }

    fn long(&self) -> BigInt {
        match self {
            Mantissa::Short(a) => BigInt::from(*a),
            Mantissa::Long(a) => a.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick way gives the decimal that the standard library writes.
    #[test]
    fn shortest_decimals() {
        let mut state = 7u64;
        for k in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let x = match k % 4 {
                0 => f64::from((state >> 40) as i32 - (1 << 23)) / 100.0,
                1 => f64::from((state >> 33) as u32) * 1e-7,
                2 => f64::from_bits(state >> 1),
                _ => 0.1 + f64::from((state >> 50) as u32) * f64::EPSILON,
            };
            if x == 0.0 || !x.is_finite() {
                continue;
            }
            let expected = Numeral::of(&Decimal::shortest(x));
            for mut places in [0, 2, 9] {
                let found = Numeral::shortest(x, &mut places);
                let unit = found.exponent.min(expected.exponent);
                assert!(
                    found.end() - unit > 400 || found.units(unit) == expected.units(unit),
                    "{x:e}"
                );
            }
        }
    }

    #[test]
    fn long_numbers() {
        let of = |text: &str| Numeral::of(&Decimal::parse(text).unwrap());
        let long = of("-12345678901234567890.5");
        assert_eq!((long.exponent, long.short_units(-1)), (-1, None));
        assert_eq!(long.units(-2), "-1234567890123456789050".parse().unwrap());
        assert!(long.end() >= 20 && long.end() <= 21);
        assert_eq!(of("9007199254740993").short_units(0), None);
        assert_eq!(of("1e-400").times(&of("3e2")).short_units(-398), Some(3.0));
        assert_eq!(long.times(&long).units(-2), long.units(-1) * long.units(-1));
    }
}
