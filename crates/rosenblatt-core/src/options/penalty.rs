//! The penalty on the weights.

use std::{fmt, str::FromStr};

/// A penalty on large weights, which every visit makes smaller; scikit-learn's `penalty`, `alpha` and `l1_ratio`. As text:
/// `l2:A`, `l1:A` or `elasticnet:A[:RATIO]`. The bias has no penalty.
///
/// A visit at the learning rate η decides by the weights as they are. Then it multiplies all weights by
/// c = 1 − (1 − RATIO)·ηA, or by 0 if that is negative (`l2`: RATIO = 0), and the rule steps. At last it brings the
/// weights of the features that are not 0 in the example towards 0, by up to RATIO·ηA for every visit so far, less what each
/// has already been brought (`l1`: RATIO = 1; the cumulative penalty of Tsuruoka, Tsujii & Ananiadou, *ACL* 2009).
/// [`reference::penalty`](crate::reference::penalty) defines the roundings.
///
/// ```
/// use rosenblatt_core::options::Penalty;
/// assert_eq!("l2:0.001".parse(), Ok(Penalty { alpha: 0.001, l1_ratio: 0.0 }));
/// assert_eq!(Penalty { alpha: 0.5, l1_ratio: 0.15 }.to_string(), "elasticnet:0.5:0.15");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Penalty {
    /// The strength A; finite and at least 0.
    pub alpha: f64,
    /// The part of `l1`, from 0 to 1.
    pub l1_ratio: f64,
}

impl Penalty {
    /// The forms of its text.
    pub const FORMS: [&str; 3] = ["l2:A", "l1:A", "elasticnet:A[:RATIO]"];

    /// The part of `l1` in `elasticnet:A`, as in scikit-learn.
    pub const L1_RATIO: f64 = 0.15;

    /// Whether the numbers are allowed.
    pub fn is_sound(self) -> bool {
        self.alpha.is_finite() && self.alpha >= 0.0 && (0.0..=1.0).contains(&self.l1_ratio)
    }

    /// The change of the weights at each visit with the learning rate `eta`.
    pub(crate) fn shrinkage(self, eta: f64) -> Shrinkage {
        let step = eta * self.alpha;
        Shrinkage {
            factor: (1.0 - (1.0 - self.l1_ratio) * step).max(0.0),
            truncation: self.l1_ratio * step,
        }
    }
}

/// A power of the factor, and the sum of the powers up to it.
pub(crate) type PowerAndSum = (f64, f64);

/// The change of the weights by a penalty at each visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shrinkage {
    /// The factor of all weights, from 0 to 1.
    factor: f64,
    /// The largest step towards 0 for each visit.
    truncation: f64,
}

impl Shrinkage {
    /// The weight after one visit that steps nowhere.
    #[inline]
    pub(crate) fn shrunk(self, weight: f64) -> f64 {
        // Adding 0 turns −0, which a negative product can underflow to, into +0.
        weight * self.factor + 0.0
    }

    /// cᵏ and c + c² + … + cᵏ for k visits, by which a weight is multiplied over visits of examples without its feature.
    ///
    /// They have one defined order of roundings: for each binary digit of k from the first, c²ᵐ = (cᵐ)² and S₂ₘ = Sₘ + cᵐ·Sₘ,
    /// and for a digit 1 one more factor and summand.
    pub(crate) fn power_and_sum(self, visits: u64) -> PowerAndSum {
        self.power_and_sum_from((1.0, 0.0), visits, u64::BITS - visits.leading_zeros())
    }

    /// Those of all visits, from those of the number without its last binary `digits`.
    #[inline]
    pub(crate) fn power_and_sum_from(
        self,
        (mut power, mut sum): PowerAndSum,
        visits: u64,
        digits: u32,
    ) -> PowerAndSum {
        for digit in (0..digits).rev() {
            sum += power * sum;
            power *= power;
            if visits >> digit & 1 == 1 {
                power *= self.factor;
                sum += power;
            }
        }
        (power, sum)
    }

    /// By how much a weight may have been brought towards 0 in all visits up to number `visits` (from 1).
    pub(crate) fn all_taken(self, visits: u64) -> f64 {
        visits as f64 * self.truncation
    }

    /// A weight brought towards 0, where it has been brought by `taken` before a visit up to which `all` may be taken; `taken` is
    /// negative for a weight brought down. Returns the weight and `taken` after it.
    #[inline(always)]
    pub(crate) fn truncated(self, (weight, taken): (f64, f64), all: f64) -> (f64, f64) {
        // Without a branch, so that many weights are truncated at a time.
        let most = (all + taken * 1f64.copysign(weight)).max(0.0);
        let truncated = (weight.abs() - most).max(0.0).copysign(weight) + 0.0;
        let moved = weight != 0.0;
        let after = taken + (truncated - weight);
        (if moved { truncated } else { weight }, if moved { after } else { taken })
    }

    /// The powers of the factor; those from a table are the same.
    #[cfg(not(feature = "fast"))]
    pub(crate) fn powers(self) -> Self {
        self
    }

    /// Whether weights are brought to 0.
    #[inline]
    pub(crate) fn truncates(self) -> bool {
        self.truncation != 0.0
    }
}

/// A text that is not a penalty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPenalty;

impl std::error::Error for UnknownPenalty {}

impl fmt::Display for UnknownPenalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected l2:A, l1:A or elasticnet:A[:RATIO], with A ≥ 0 and RATIO from 0 to 1")
    }
}

impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Penalty { alpha, l1_ratio } = self;
        match *l1_ratio {
            0.0 => write!(f, "l2:{alpha}"),
            1.0 => write!(f, "l1:{alpha}"),
            _ => write!(f, "elasticnet:{alpha}:{l1_ratio}"),
        }
    }
}

impl FromStr for Penalty {
    type Err = UnknownPenalty;

    fn from_str(text: &str) -> Result<Self, UnknownPenalty> {
        let mut parts = text.split(':');
        let name = parts.next();
        let numbers: Result<Vec<f64>, _> = parts.map(str::parse).collect();
        let (alpha, l1_ratio) = match (name, numbers.as_deref()) {
            (Some("l2"), Ok(&[alpha])) => (alpha, 0.0),
            (Some("l1"), Ok(&[alpha])) => (alpha, 1.0),
            (Some("elasticnet"), Ok(&[alpha])) => (alpha, Self::L1_RATIO),
            (Some("elasticnet"), Ok(&[alpha, l1_ratio])) => (alpha, l1_ratio),
            _ => return Err(UnknownPenalty),
        };
        // −0 would be written as another text.
        let penalty = Penalty { alpha: alpha + 0.0, l1_ratio: l1_ratio + 0.0 };
        Some(penalty).filter(|penalty| penalty.is_sound()).ok_or(UnknownPenalty)
    }
}

impl TryFrom<String> for Penalty {
    type Error = UnknownPenalty;

    fn try_from(text: String) -> Result<Self, UnknownPenalty> {
        text.parse()
    }
}

impl From<Penalty> for String {
    fn from(penalty: Penalty) -> Self {
        penalty.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["l2:0.001", "l1:0", "elasticnet:1:0.5", "l2:1e300"] {
            let penalty: Penalty = text.parse().unwrap();
            assert_eq!(penalty.to_string().parse(), Ok(penalty), "{text}");
        }
        assert_eq!("elasticnet:2".parse(), "elasticnet:2:0.15".parse::<Penalty>());
        for text in ["", "l2", "l2:", "l2:-1", "l2:inf", "l1:1:0", "elasticnet:1:2", "L2:1", "l3:1"]
        {
            assert_eq!(text.parse::<Penalty>(), Err(UnknownPenalty), "{text}");
        }
    }

    /// c = 1/2: 1/8, and 1/2 + 1/4 + 1/8.
    #[test]
    fn halves_are_exact() {
        let half = Penalty { alpha: 0.5, l1_ratio: 0.0 }.shrinkage(1.0);
        assert_eq!(half.power_and_sum(3), (0.125, 0.875));
        assert_eq!(half.power_and_sum(0), (1.0, 0.0));
        let none = Penalty { alpha: 2.0, l1_ratio: 0.0 }.shrinkage(1.0);
        assert_eq!(none.shrunk(-3.0).to_bits(), 0.0f64.to_bits());
    }

    /// A weight of 1 may lose 1/4 at every visit. Two visits before its first example take 1/2, the next takes 1/4, and the
    /// last all that is left.
    #[test]
    fn truncation_is_cumulative() {
        let quarter = Penalty { alpha: 0.25, l1_ratio: 1.0 }.shrinkage(1.0);
        assert_eq!(quarter.truncated((1.0, 0.0), quarter.all_taken(2)), (0.5, -0.5));
        assert_eq!(quarter.truncated((0.5, -0.5), quarter.all_taken(3)), (0.25, -0.75));
        assert_eq!(quarter.truncated((0.25, -0.75), quarter.all_taken(9)), (0.0, -1.0));
        assert_eq!(quarter.truncated((-1.0, 0.0), quarter.all_taken(2)), (-0.5, 0.5));
    }

    proptest! {
        /// One visit after the other has the same result up to rounding: at most 4 roundings for each binary digit.
        #[test]
        fn powers_and_sums_are_those_of_single_visits(alpha in 0.0..1.0f64, visits in 0u64..200) {
            let shrinkage = Penalty { alpha, l1_ratio: 0.0 }.shrinkage(1.0);
            let (mut weight, mut sum) = (1.0, 0.0);
            for _ in 0..visits {
                weight = shrinkage.shrunk(weight);
                sum += weight;
            }
            let (power, total) = shrinkage.power_and_sum(visits);
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * a.max(b) + 1e-300;
            prop_assert!(close(power, weight) && close(total, sum), "{power} {weight}, {total} {sum}");
        }
    }
}
