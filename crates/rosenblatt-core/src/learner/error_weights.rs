//! The weights of errors when classes or examples have weights.

use super::Rates;
use crate::data::Sign;

/// The weight of each example's error, a whole number, so that sums are exact and independent of the order.
///
/// Without weights each error counts 1. With weights an error counts the learning rate of its example in units of 2⁻⁶⁰
/// of the power of two above the largest rate, rounded to the nearest unit and at least 1. A rate of 1/100 of the
/// largest keeps all its bits, and no rate is off by more than 2⁻⁶⁰ of the largest. A sum over 2⁶⁴ examples stays below
/// 2¹²⁴.
#[derive(Clone, Debug)]
pub(crate) struct ErrorWeights<'a>(Option<Weighted<'a>>);

#[derive(Clone, Debug)]
struct Weighted<'a> {
    rates: Rates<'a>,
    /// The power of two that converts a rate into units.
    shift: i32,
}

impl<'a> ErrorWeights<'a> {
    /// The error weights of examples with these learning rates. Cost: one pass over the rates.
    pub(crate) fn new(rates: &Rates<'a>) -> Self {
        if rates.are_equal() {
            return Self::uniform();
        }
        let (_, exponent) = libm::frexp(rates.largest());
        ErrorWeights(Some(Weighted { rates: rates.clone(), shift: 60 - exponent }))
    }

    /// Every error counts 1.
    pub(crate) fn uniform() -> Self {
        ErrorWeights(None)
    }

    /// The weight of an error on an example of this sign.
    pub(crate) fn of(&self, example: usize, sign: Sign) -> u64 {
        match &self.0 {
            None => 1,
            Some(Weighted { rates, shift }) => {
                let units = libm::scalbn(rates.of(example, sign), *shift);
                (units.round() as u64).max(1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rates_count_one() {
        let weights = ErrorWeights::new(&Rates::Signs(0.3, 0.3));
        assert!(weights.0.is_none());
        assert_eq!(weights.of(0, Sign::Plus), 1);
    }

    /// 1.5 is below 2 = 2¹, so the unit is 2⁻⁵⁹: 1.5 becomes 3·2⁵⁸ and 0.25 becomes 2⁵⁷. 10⁻³⁰ is below half a unit.
    /// The largest float is 2¹⁰²⁴ − 2⁹⁷¹.
    #[test]
    fn rates_become_whole_numbers() {
        let weights = ErrorWeights::new(&Rates::Signs(1.5, 0.25));
        assert_eq!(weights.of(0, Sign::Minus), 3 << 58);
        assert_eq!(weights.of(0, Sign::Plus), 1 << 57);
        let tiny = ErrorWeights::new(&Rates::Signs(1.5, 1e-30));
        assert_eq!(tiny.of(0, Sign::Plus), 1);
        let ends = ErrorWeights::new(&Rates::Signs(f64::MAX, f64::MIN_POSITIVE));
        assert_eq!(ends.of(0, Sign::Minus), (1 << 60) - (1 << 7));
        let small = ErrorWeights::new(&Rates::Signs(3.0 * f64::from_bits(1), f64::from_bits(1)));
        assert_eq!((small.of(0, Sign::Minus), small.of(0, Sign::Plus)), (3 << 58, 1 << 58));
    }
}
