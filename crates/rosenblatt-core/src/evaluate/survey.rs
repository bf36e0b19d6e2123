//! One pass over the examples for all hyperplanes that a report evaluates.

use crate::{
    data::{Examples, Scheme, Sign, ZeroScore},
    learner::BinaryTrainer,
    space::Scores,
};

/// The number of examples that all queries process together, so that their rows stay in the cache.
const BLOCK: usize = 1 << 10;

/// The scores of a candidate's hyperplanes, and the statistics to compute.
pub(super) struct ScoreQuery<S> {
    pub(super) scores: S,
    /// The prediction of a score of 0.
    pub(super) zero: ZeroScore,
    /// Whether the smallest margins are needed even if there are errors.
    pub(super) margins: bool,
}

/// The statistics of a candidate on the examples.
#[derive(Clone, Debug, Default)]
pub(super) struct CandidateStats {
    /// The number of examples with a wrong predicted class.
    pub(super) wrong_classes: usize,
    pub(super) planes: Vec<HyperplaneStats>,
}

/// The statistics of one hyperplane on the examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct HyperplaneStats {
    /// The number of examples with a wrong predicted sign.
    pub(super) errors: usize,
    /// The smallest functional margin, rounded once. If there are errors and margins are not needed, it covers only
    /// some examples.
    pub(super) smallest: f64,
}

/// Evaluates all queries in one pass, so that cached rows serve all of them.
pub(super) fn survey<S: Scores>(
    questions: &[ScoreQuery<S>],
    scheme: Scheme,
    trainers: &[BinaryTrainer<'_>],
) -> Vec<CandidateStats> {
    let unknown = HyperplaneStats { errors: 0, smallest: f64::INFINITY };
    let nothing = CandidateStats { wrong_classes: 0, planes: vec![unknown; trainers.len()] };
    let mut surveys = vec![nothing; questions.len()];
    let rows = trainers.first().map_or(0, |trainer| trainer.examples.len());
    #[cfg(feature = "fast")]
    let block =
        trainers.first().map_or(BLOCK, |trainer| crate::fast::rows_in_cache(&trainer.examples));
    #[cfg(not(feature = "fast"))]
    let block = BLOCK;
    for from in (0..rows).step_by(block) {
        let until = rows.min(from + block);
        for (question, survey) in questions.iter().zip(&mut surveys) {
            match (trainers, survey.planes.as_mut_slice()) {
                ([trainer], [found]) => {
                    found.ask(question, 0, &trainer.examples, (from, until));
                    survey.wrong_classes = found.errors;
                }
                _ => (from..until).for_each(|row| survey.ask(question, scheme, trainers, row)),
            }
        }
    }
    surveys
}

impl CandidateStats {
    /// Adds an example to the statistics of all hyperplanes.
    fn ask<S: Scores>(
        &mut self,
        question: &ScoreQuery<S>,
        scheme: Scheme,
        trainers: &[BinaryTrainer<'_>],
        row: usize,
    ) {
        let scores = &question.scores;
        let bounds = scores.all_bounds(row);
        for (plane, found) in self.planes.iter_mut().enumerate() {
            found.take(question, plane, &trainers[plane].examples, row, bounds[plane]);
        }
        let right = match scheme {
            Scheme::Two { .. } => {
                scores.predict(0, row, question.zero) == trainers[0].examples.sign(row)
            }
            Scheme::OneVsRest { .. } => {
                trainers[scores.highest_of(&bounds, row)].examples.sign(row) == Sign::Plus
            }
        };
        self.wrong_classes += usize::from(!right);
    }
}

impl HyperplaneStats {
    /// Adds the examples `from..until`.
    fn ask<S: Scores>(
        &mut self,
        question: &ScoreQuery<S>,
        plane: usize,
        examples: &Examples<'_>,
        (from, until): (usize, usize),
    ) {
        let mut row = from;
        while row < until {
            row = self.skip(question, plane, examples, (row, until));
            if row < until {
                self.take(question, plane, examples, row, question.scores.bounds(plane, row));
                row += 1;
            }
        }
    }

    /// Adds the examples, starting with the first of these rows, that change nothing but the number of errors. Returns
    /// the first example that may change more.
    #[cfg(feature = "fast")]
    fn skip<S: Scores>(
        &mut self,
        question: &ScoreQuery<S>,
        plane: usize,
        examples: &Examples<'_>,
        rows: (usize, usize),
    ) -> usize {
        let Some(scores) = question.scores.linear() else { return rows.0 };
        // Of scores above the bound only the number of errors matters, and only after the first error.
        let counts_errors = self.errors > 0;
        let least = match (counts_errors, self.wants(question)) {
            (false, _) => self.smallest.max(0.0),
            (true, true) => self.smallest,
            (true, false) => f64::NEG_INFINITY,
        };
        let skipped = crate::fast::skip_rows(scores, plane, examples, rows, (least, counts_errors));
        self.errors += skipped.errors;
        skipped.until
    }

    /// By the definition every example is added separately.
    #[cfg(not(feature = "fast"))]
    fn skip<S: Scores>(
        &mut self,
        _: &ScoreQuery<S>,
        _: usize,
        _: &Examples<'_>,
        rows: (usize, usize),
    ) -> usize {
        rows.0
    }

    /// Adds an example whose score has these bounds.
    fn take<S: Scores>(
        &mut self,
        question: &ScoreQuery<S>,
        plane: usize,
        examples: &Examples<'_>,
        row: usize,
        (low, high): (f64, f64),
    ) {
        let sign = examples.sign(row);
        let predicted = match (low > 0.0, high < 0.0) {
            (true, _) => Sign::Plus,
            (_, true) => Sign::Minus,
            _ => question.scores.predict(plane, row, question.zero),
        };
        self.errors += usize::from(predicted != sign);
        let least = if sign == Sign::Plus { low } else { -high };
        if self.wants(question) && least < self.smallest {
            self.smallest = self.smallest.min(sign * question.scores.score(plane, row));
        }
    }

    /// Only hyperplanes without errors can have a positive margin.
    fn wants<S>(&self, question: &ScoreQuery<S>) -> bool {
        question.margins || self.errors == 0
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;
    use crate::{
        data::Rows,
        hyperplane::Hyperplane,
        space::{LinearScores, PrimalSpace, Space},
    };

    /// Scores computed one by one.
    struct OneByOne<'a>(LinearScores<'a>);

    impl Scores for OneByOne<'_> {
        fn planes(&self) -> usize {
            self.0.planes()
        }
        fn bounds(&self, plane: usize, row: usize) -> (f64, f64) {
            self.0.bounds(plane, row)
        }
        fn sign(&self, plane: usize, row: usize) -> Ordering {
            self.0.sign(plane, row)
        }
        fn score(&self, plane: usize, row: usize) -> f64 {
            self.0.score(plane, row)
        }
        fn compare(&self, first: usize, second: usize, row: usize) -> Ordering {
            self.0.compare(first, second, row)
        }
    }

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            6 => (-3i32..4).prop_map(f64::from),
            3 => -4.0..4.0f64,
            1 => (-1.0..1.0f64).prop_map(|x| x * 1e-300),
            1 => any::<i8>().prop_map(|n| f64::from(n) * f64::from_bits(1)),
        ]
    }

    proptest! {
        /// Counting in scans gives bit-for-bit the statistics of separate scores.
        #[test]
        fn scans_find_the_same(
            features in 1usize..30,
            values in proptest::collection::vec(number(), 600),
            weights in proptest::collection::vec(number(), 30),
            bias in number(),
            noise in proptest::collection::vec(prop_oneof![9 => Just(false), 1 => Just(true)], 600),
            mostly_right in any::<bool>(),
            margins in any::<bool>(),
            huge in prop_oneof![4 => Just(1.0), 1 => Just(1e300)],
            zero in prop_oneof![Just(ZeroScore::Positive), Just(ZeroScore::Negative)],
        ) {
            let n = values.len() / features;
            let rows = Rows::dense(&values[..n * features], features).unwrap();
            let weights = weights[..features].iter().map(|w| w * huge).collect();
            let planes = [Hyperplane { weights, bias }];
            let right = |row: usize| planes[0].predict(rows.row(row)).unwrap();
            let sign = |row: usize| if noise[row] || (!mostly_right && row.is_multiple_of(3)) { -right(row) } else { right(row) };
            let signs: Vec<Sign> = (0..n).map(sign).collect();
            let examples = Examples::new(&rows, &signs).unwrap();
            let space = PrimalSpace::new(&rows);
            let (mut scanned, mut asked) = [HyperplaneStats { errors: 0, smallest: f64::INFINITY }; 2].into();
            let question = ScoreQuery { scores: space.scores(&planes), zero, margins };
            let one_by_one = ScoreQuery { scores: OneByOne(space.scores(&planes)), zero, margins };
            for from in (0..n).step_by(100) {
                let places = (from, n.min(from + 100));
                scanned.ask(&question, 0, &examples, places);
                asked.ask(&one_by_one, 0, &examples, places);
            }
            let predicted = |row: usize| zero.predicts(planes[0].unchecked_sign(rows.row(row)));
            let errors = (0..n).filter(|&row| predicted(row) != signs[row]).count();
            prop_assert_eq!((scanned.errors, asked.errors), (errors, errors));
            prop_assert_eq!(scanned.smallest.to_bits(), asked.smallest.to_bits());
        }
    }
}
