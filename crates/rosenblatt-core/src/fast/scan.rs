//! Scans many rows for one hyperplane, up to the next row that is not certainly on its side.
//!
//! While the weights stay unchanged, visits need not be made one by one. A scan loops over them with nothing but the
//! sum of a row (`rosenblatt-exact/src/filter.rs`) and its comparison with one bound for all rows, so that the processor works on
//! several rows at once. It stops at the first row that is uncertain or active.
#![allow(unsafe_code)] // sums in registers that not every processor has

use std::cmp::Ordering;

use crate::{
    data::{Examples, Prefetch, Values, VisitOrder},
    exact::{error_bound, quick_magnitude},
    simd::{Registers, SimdJob, Value, dispatch, gathered},
};

/// The input of a scan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'s> {
    pub(crate) examples: &'s Examples<'s>,
    pub(crate) prefetch: Prefetch,
    /// One weight per feature.
    pub(crate) weights: &'s [f64],
    pub(crate) bias: f64,
    /// The functional margin above which an example changes nothing.
    pub(crate) least: f64,
    /// An upper bound on ‖w‖·‖x‖ of all rows (up to a relative 10⁻⁶); infinite if unknown.
    pub(crate) norm_product: f64,
}

/// Where a scan stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stopped {
    /// All examples before this place have functional margins above the least.
    pub(crate) place: usize,
    /// The sign of the score there, if known.
    pub(crate) score: Option<Ordering>,
}

/// Decides by the functional margin whether a scan passes an example.
trait ScanRule: Copy {
    /// Whether the scan passes an example whose functional margin has at most this error.
    fn passes(&mut self, margin: f64, error: f64) -> bool;
}

/// Passes margins above the least, which change nothing.
#[derive(Clone, Copy)]
struct Inactive {
    least: f64,
}

impl ScanRule for Inactive {
    #[inline(always)]
    fn passes(&mut self, margin: f64, error: f64) -> bool {
        margin - self.least > error
    }
}

/// Passes margins above the least with certain signs, and counts negative ones.
#[derive(Clone, Copy)]
struct Count {
    least: f64,
    errors: usize,
}

impl ScanRule for Count {
    #[inline(always)]
    fn passes(&mut self, margin: f64, error: f64) -> bool {
        let passes = (margin.abs() > error) & (margin - self.least > error);
        // Without a branch, because errors are unpredictable.
        self.errors += usize::from(passes & (margin < 0.0));
        passes
    }
}

impl Scan<'_> {
    /// Scans the examples at the places `from..until`.
    #[inline]
    pub(crate) fn run(self, order: VisitOrder<'_>, places: (usize, usize)) -> Stopped {
        self.by(Inactive { least: self.least }, order, places).0
    }

    /// Scans like [`run`](Self::run) with a least of at most 0, but counts negative margins. It stops at a margin that
    /// is not certainly above the least or has no certain sign. Returns where it stopped, and the number of negative
    /// margins before.
    pub(crate) fn count(self, order: VisitOrder<'_>, places: (usize, usize)) -> (usize, usize) {
        // Nothing is below a least of −∞, so bounds can ignore it.
        let least = if self.least.is_finite() { self.least } else { 0.0 };
        let rule = Count { least: self.least, errors: 0 };
        let (stopped, Count { errors, .. }) = Scan { least, ..self }.by(rule, order, places);
        (stopped.place, errors)
    }

    #[inline]
    fn by<P: ScanRule>(
        self,
        rule: P,
        order: VisitOrder<'_>,
        places: (usize, usize),
    ) -> (Stopped, P) {
        let rows = self.examples.rows();
        let scan = self;
        match (rows.sparse_parts(), rows.values()) {
            (None, Values::F32(x)) => dispatch(Dense { scan, rule, x, order, places }),
            (None, Values::F64(x)) => dispatch(Dense { scan, rule, x, order, places }),
            (Some(at), Values::F32(x)) => dispatch(Sparse { scan, rule, at, x, order, places }),
            (Some(at), Values::F64(x)) => dispatch(Sparse { scan, rule, at, x, order, places }),
        }
    }

    /// The scan with these sums of the rows of examples, and these bounds on their errors.
    #[inline(always)]
    fn with<P: ScanRule>(
        self,
        mut rule: P,
        order: VisitOrder<'_>,
        (from, until): (usize, usize),
        sum: impl Fn(usize, Option<usize>) -> (f64, f64),
    ) -> (Stopped, P) {
        for place in from..until {
            let Some(example) = order.get(place) else {
                return (Stopped { place, score: None }, rule);
            };
            self.prefetch.prefetch_example(self.examples, order, place);
            let (sum, error) = sum(example, self.prefetch.next_long_row(order, place));
            let score = sum + self.bias;
            // A minus sign mirrors the score without rounding, so this is the filter's value.
            if rule.passes(self.examples.sign(example) * score, error) {
                continue;
            }
            let score = match (score > error, score < -error) {
                (true, _) => Some(Ordering::Greater),
                (_, true) => Some(Ordering::Less),
                _ => None,
            };
            return (Stopped { place, score }, rule);
        }
        (Stopped { place: until, score: None }, rule)
    }

    /// An upper bound on the sum of the magnitudes of a row's terms.
    fn magnitude(&self) -> f64 {
        quick_magnitude(self.norm_product, [self.bias, self.least])
    }
}

#[derive(Clone, Copy)]
struct Dense<'s, T, P> {
    scan: Scan<'s>,
    rule: P,
    x: &'s [T],
    order: VisitOrder<'s>,
    places: (usize, usize),
}

impl<T: Value, P: ScanRule> SimdJob for Dense<'_, T, P> {
    type Outcome = (Stopped, P);

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> (Stopped, P) {
        let Dense { scan, rule, x, order, places } = self;
        let features = scan.examples.features();
        let error = error_bound(features + 2, scan.magnitude());
        let row = |i: usize| &x[i * features..(i + 1) * features];
        scan.with(rule, order, places, |i, next| {
            let next = next.map_or(&[][..], row);
            // SAFETY: the caller guarantees that the processor has the registers.
            (unsafe { R::products(scan.weights, row(i), next) }, error)
        })
    }
}

#[derive(Clone, Copy)]
struct Sparse<'s, T, P> {
    scan: Scan<'s>,
    rule: P,
    at: (&'s [usize], &'s [u32]),
    x: &'s [T],
    order: VisitOrder<'s>,
    places: (usize, usize),
}

impl<T: Value, P: ScanRule> SimdJob for Sparse<'_, T, P> {
    type Outcome = (Stopped, P);

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> (Stopped, P) {
        let Sparse { scan, rule, at: (offsets, indices), x, order, places } = self;
        let magnitude = scan.magnitude();
        scan.with(rule, order, places, |i, _| {
            let entries = offsets[i]..offsets[i + 1];
            let terms = entries.len() + 2;
            let sum = gathered::<R, T>(scan.weights, &indices[entries.clone()], &x[entries]);
            (sum, error_bound(terms, magnitude))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        data::{Rows, Sign},
        exact,
        simd::Lanes,
    };

    /// Numbers of all sizes, often with scores at or near 0.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => (-3i32..4).prop_map(f64::from),
            2 => -4.0..4.0f64,
            1 => (-1.0..1.0f64).prop_map(|x| x * 1e-300),
            1 => (-1.0..1.0f64).prop_map(|x| x * f64::MAX),
            1 => any::<i8>().prop_map(|n| f64::from(n) * f64::from_bits(1)),
        ]
    }

    /// Outcomes of the scan in all registers.
    fn all_by<P: ScanRule>(scan: Scan<'_>, rule: P, places: (usize, usize)) -> Vec<(Stopped, P)> {
        fn all<P: ScanRule, J: SimdJob<Outcome = (Stopped, P)> + Copy>(
            task: J,
        ) -> Vec<(Stopped, P)> {
            // SAFETY: these sums need no registers of their own.
            let by_hand = unsafe { [task.run::<Lanes<8, false>>(), task.run::<Lanes<16, true>>()] };
            by_hand.into_iter().chain([dispatch(task)]).collect()
        }
        let rows = scan.examples.rows();
        let order = VisitOrder::Stored(rows.len());
        match (rows.sparse_parts(), rows.values()) {
            (None, Values::F32(x)) => all(Dense { scan, rule, x, order, places }),
            (None, Values::F64(x)) => all(Dense { scan, rule, x, order, places }),
            (Some(at), Values::F32(x)) => all(Sparse { scan, rule, at, x, order, places }),
            (Some(at), Values::F64(x)) => all(Sparse { scan, rule, at, x, order, places }),
        }
    }

    proptest! {
        /// Every passed example has exactly a margin above the least, and a known sign is the exact sign.
        #[test]
        fn only_margins_above_the_least_are_passed(
            features in 1usize..70,
            values in proptest::collection::vec(number(), 140),
            weights in proptest::collection::vec(number(), 70),
            bias in number(),
            plus in any::<[bool; 8]>(),
            least in prop_oneof![Just(0.0), Just(1.0), number().prop_map(f64::abs)],
            scale in prop_oneof![Just(1.0), Just(1e-160), Just(1e160)],
        ) {
            let n = (values.len() / features).min(plus.len());
            let weights: Vec<f64> = (weights[..features].iter())
                .map(|w| (w * scale).clamp(-f64::MAX, f64::MAX))
                .collect();
            let signs: Vec<Sign> =
                plus[..n].iter().map(|&plus| if plus { Sign::Plus } else { Sign::Minus }).collect();
            let values = &values[..n * features];
            let short: Vec<f32> =
                values.iter().map(|&x| x.clamp(-3e38, 3e38) as f32).collect();
            let offsets: Vec<usize> = (0..=n).map(|row| row * features).collect();
            let indices: Vec<u32> = (0..n).flat_map(|_| 0..features as u32).collect();
            let layouts = [
                Rows::dense(values, features).unwrap(),
                Rows::dense(&short[..], features).unwrap(),
                Rows::sparse(&offsets, &indices, values, features).unwrap(),
                Rows::sparse(&offsets, &indices, &short[..], features).unwrap(),
            ];
            for rows in &layouts {
                let examples = Examples::new(rows, &signs).unwrap();
                let radius = crate::radius::radius(rows).length;
                let norm_product = exact::norm(weights.iter().copied()) * radius;
                let prefetch = Prefetch::new(rows);
                let scan =
                    Scan { examples: &examples, prefetch, weights: &weights, bias, least, norm_product };
                for from in 0..n {
                    for (Stopped { place, score }, _) in all_by(scan, Inactive { least }, (from, n)) {
                        for (row, &sign) in signs.iter().enumerate().take(place).skip(from) {
                            let threshold = sign * least;
                            let compared =
                                exact::compare_score(&weights, bias, rows.row(row), threshold);
                            let beyond = match sign {
                                Sign::Plus => Ordering::Greater,
                                Sign::Minus => Ordering::Less,
                            };
                            prop_assert_eq!(compared, beyond);
                        }
                        if let Some(score) = score {
                            let exact = exact::score_sign(&weights, bias, rows.row(place));
                            prop_assert_eq!(score, exact);
                        }
                    }
                    for floor in [-least, f64::NEG_INFINITY] {
                        let scan = Scan { least: if floor.is_finite() { floor } else { 0.0 }, ..scan };
                        let rule = Count { least: floor, errors: 0 };
                        let compare = |row: usize, threshold: f64| {
                            let sign = signs[row];
                            let to = exact::compare_score(&weights, bias, rows.row(row), sign * threshold);
                            if sign == Sign::Plus { to } else { to.reverse() }
                        };
                        for (stopped, Count { errors, .. }) in all_by(scan, rule, (from, n)) {
                            let passed = from..stopped.place;
                            let below = |&row: &usize| compare(row, 0.0) == Ordering::Less;
                            prop_assert_eq!(errors, passed.clone().filter(below).count());
                            prop_assert!(passed.clone().all(|row| compare(row, 0.0) != Ordering::Equal));
                            prop_assert!(floor.is_infinite() || passed.clone().all(
                                |row| compare(row, floor) == Ordering::Greater));
                        }
                        if floor.is_infinite() {
                            let whole = Scan { least: floor, ..scan }.count(VisitOrder::Stored(n), (from, n));
                            let own = all_by(scan, rule, (from, n)).pop().map(|(s, rule)| (s.place, rule.errors));
                            prop_assert_eq!(Some(whole), own);
                        }
                    }
                }
            }
        }
    }

    /// A scan of easy rows reaches its end.
    #[test]
    fn easy_rows_are_passed() {
        let values: Vec<f32> = (0..400).map(|i| if i % 2 == 0 { 1.0 } else { 0.5 }).collect();
        let rows = Rows::dense(values, 4).unwrap();
        let mut signs = vec![Sign::Plus; 100];
        signs[60] = Sign::Minus;
        let examples = Examples::new(&rows, &signs).unwrap();
        let (prefetch, weights) = (Prefetch::new(&rows), [1.0; 4]);
        let scan = Scan {
            examples: &examples,
            prefetch,
            weights: &weights,
            bias: 0.0,
            least: 2.5,
            norm_product: 4.0,
        };
        let order: Vec<usize> = (0..100).rev().collect();
        let stopped = |from| scan.run(VisitOrder::Ordered(&order), (from, 100));
        assert_eq!(stopped(0), Stopped { place: 39, score: Some(Ordering::Greater) });
        assert_eq!(stopped(40), Stopped { place: 100, score: None });
    }
}
