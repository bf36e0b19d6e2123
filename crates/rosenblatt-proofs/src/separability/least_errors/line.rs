//! The fewest errors along a line w + αv.
//!
//! The margin of an example along the line is m + αt. It is an error up to α = −m/t if t > 0, and from there on if
//! t < 0. So the number of errors is constant between the sorted quotients, and one sweep finds its minimum.

/// The margin of an example at α = 0, and its slope.
pub(super) type Line = (f64, f64);

/// A step along the line, and the change of the number of errors that it makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) length: f64,
    pub(super) change: i64,
}

/// The middle of the widest interval with the fewest errors. `None` if no slope differs from 0. `ends` is scratch.
///
/// Cost: a sort.
pub(super) fn best_step(
    lines: impl Iterator<Item = Line>,
    ends: &mut Vec<(f64, i64)>,
) -> Option<Step> {
    let (now, mut errors) = collect(lines, ends);
    let (first, last) = (ends.first()?.0, ends.last()?.0);
    let mut best = Interval { errors, low: beyond(first, -1.0), high: first };
    for place in 0..ends.len() {
        errors += ends[place].1;
        let low = ends[place].0;
        let high = ends.get(place + 1).map_or(beyond(last, 1.0), |end| end.0);
        let next = Interval { errors, low, high };
        if next.has_middle() && next.is_better_than(&best) {
            best = next;
        }
    }
    Some(Step { length: best.middle(), change: best.errors - now })
}

/// Collects the sorted ends, with the change of the errors at each. Returns the number of errors at α = 0, and left of all
/// ends, of the examples whose slope is not 0.
fn collect(lines: impl Iterator<Item = Line>, ends: &mut Vec<(f64, i64)>) -> (i64, i64) {
    ends.clear();
    let (mut now, mut errors) = (0, 0);
    for (margin, slope) in lines.filter(|&(_, slope)| slope != 0.0) {
        let (end, is_error) = (-margin / slope, i64::from(margin <= 0.0));
        now += is_error;
        if end.is_finite() {
            // Left of all ends, the examples with a positive slope are errors.
            errors += i64::from(slope > 0.0);
            ends.push((end, if slope > 0.0 { -1 } else { 1 }));
        } else {
            errors += is_error;
        }
    }
    ends.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    (now, errors)
}

/// A point beyond an end, where the line is unbounded.
fn beyond(end: f64, side: f64) -> f64 {
    end + side * (1.0 + end.abs())
}

struct Interval {
    errors: i64,
    low: f64,
    high: f64,
}

impl Interval {
    fn middle(&self) -> f64 {
        self.low / 2.0 + self.high / 2.0
    }

    /// Whether it is wider than the rounding of its ends.
    fn has_middle(&self) -> bool {
        self.high - self.low > 1e-12 * self.low.abs().max(self.high.abs())
    }

    fn is_better_than(&self, other: &Interval) -> bool {
        let is_wider = self.high - self.low > other.high - other.low;
        self.errors < other.errors || self.errors == other.errors && is_wider
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Margins 1 − α, −1 + α, −3 + α: one error for α < 1 is two, between 1 and 3 two, beyond 3 one.
    #[test]
    fn the_fewest_errors_of_three_lines() {
        let lines = [(1.0, -1.0), (-1.0, 1.0), (-3.0, 1.0)];
        let step = best_step(lines.into_iter(), &mut Vec::new()).unwrap();
        assert_eq!(step.change, -1);
        assert!(step.length > 3.0);
        assert_eq!(best_step([(1.0, 0.0)].into_iter(), &mut Vec::new()), None);
    }

    /// 2 − α and −1 + α are both positive between 1 and 2.
    #[test]
    fn the_middle_of_the_best_interval() {
        let step = best_step([(2.0, -1.0), (-1.0, 1.0)].into_iter(), &mut Vec::new());
        assert_eq!(step, Some(Step { length: 1.5, change: -1 }));
    }
}
