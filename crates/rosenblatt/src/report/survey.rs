//! One pass over the examples for all hyperplanes that a report judges.

use crate::{
    data::{Examples, Scheme, Sign},
    space::Scores,
    train::Pupil,
};

/// Scores of a candidate's hyperplanes, and what is wanted of them.
pub(super) struct Question<S> {
    pub(super) scores: S,
    /// Whether the smallest margins are wanted even where there are errors.
    pub(super) margins: bool,
}

/// What the examples say of a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// The examples whose class is predicted wrongly.
    pub(super) wrong_classes: usize,
    pub(super) planes: Vec<Found>,
}

/// What they say of one hyperplane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The examples whose sign it predicts wrongly.
    pub(super) errors: usize,
    /// The smallest functional margin, rounded once; of some examples only where there are errors and the
    /// margins are not wanted.
    pub(super) smallest: f64,
}

/// Asks all questions in one pass: the rows that are near for one are near for the next.
pub(super) fn survey<S: Scores>(
    questions: &[Question<S>],
    scheme: Scheme,
    pupils: &[Pupil<'_>],
) -> Vec<Survey> {
    let unknown = Found { errors: 0, smallest: f64::INFINITY };
    let nothing = Survey { wrong_classes: 0, planes: vec![unknown; pupils.len()] };
    let mut surveys = vec![nothing; questions.len()];
    let rows = pupils.first().map_or(0, |pupil| pupil.examples.len());
    let block = questions.first().map_or(1, |question| question.scores.near());
    for from in (0..rows).step_by(block) {
        let until = rows.min(from + block);
        for (question, survey) in questions.iter().zip(&mut surveys) {
            match (pupils, survey.planes.as_mut_slice()) {
                ([pupil], [found]) => {
                    found.ask(question, 0, &pupil.examples, (from, until));
                    survey.wrong_classes = found.errors;
                }
                _ => (from..until).for_each(|row| survey.ask(question, scheme, pupils, row)),
            }
        }
    }
    surveys
}

impl Survey {
    /// Takes in an example for all hyperplanes.
    fn ask<S: Scores>(
        &mut self,
        question: &Question<S>,
        scheme: Scheme,
        pupils: &[Pupil<'_>],
        row: usize,
    ) {
        let scores = &question.scores;
        let bounds: Vec<(f64, f64)> =
            (0..pupils.len()).map(|plane| scores.bounds(plane, row)).collect();
        for (plane, found) in self.planes.iter_mut().enumerate() {
            found.take(question, plane, &pupils[plane].examples, row, bounds[plane]);
        }
        let right = match scheme {
            Scheme::Two { .. } => scores.predict(0, row) == pupils[0].examples.sign(row),
            Scheme::OneAgainstRest { .. } => {
                pupils[scores.highest_of(&bounds, row)].examples.sign(row) == Sign::Plus
            }
        };
        self.wrong_classes += usize::from(!right);
    }
}

impl Found {
    /// Takes in the examples `from..until`.
    fn ask<S: Scores>(
        &mut self,
        question: &Question<S>,
        plane: usize,
        examples: &Examples<'_>,
        (from, until): (usize, usize),
    ) {
        let mut row = from;
        while row < until {
            let places = (row, until);
            // Of what is beyond there is nothing new but, after the first error, one more.
            if self.errors == 0 {
                let least = self.smallest.max(0.0);
                row = question.scores.untouched((plane, least), examples, places);
            } else {
                let least = if self.wants(question) { self.smallest } else { f64::NEG_INFINITY };
                let (next, errors) = question.scores.count((plane, least), examples, places);
                self.errors += errors;
                row = next;
            }
            if row < until {
                self.take(question, plane, examples, row, question.scores.bounds(plane, row));
                row += 1;
            }
        }
    }

    /// Takes in an example whose score has these bounds.
    fn take<S: Scores>(
        &mut self,
        question: &Question<S>,
        plane: usize,
        examples: &Examples<'_>,
        row: usize,
        (low, high): (f64, f64),
    ) {
        let sign = examples.sign(row);
        let predicted = match (low >= 0.0, high < 0.0) {
            (true, _) => Sign::Plus,
            (_, true) => Sign::Minus,
            _ => question.scores.predict(plane, row),
        };
        self.errors += usize::from(predicted != sign);
        let least = if sign == Sign::Plus { low } else { -high };
        if self.wants(question) && least < self.smallest {
            self.smallest = self.smallest.min(sign * question.scores.score(plane, row));
        }
    }

    /// Only hyperplanes without an error can have a positive margin.
    fn wants<S>(&self, question: &Question<S>) -> bool {
        question.margins || self.errors == 0
    }
}
