//! The baselines: the majority class and the prototype classifier.
//!
//! The prototype classifier predicts the class with the nearest mean (Shalizi, *Data Mining* 36-350, the nearest-mean
//! exercise; Rocchio in text). ‖x − m‖² = ‖x‖² − 2 m·x + ‖m‖², so the nearest mean has the highest score `m·x −
//! ‖m‖²/2`. The classifier is therefore linear. For two classes its hyperplane is the difference of the two scores.

use crate::{
    data::{Labelled, Scheme},
    exact,
    hyperplane::Hyperplane,
};

/// The baselines of a data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// The prototype classifier, in the space of the scaled features: one hyperplane for two classes, otherwise one per
    /// class; empty above [`Baseline::LARGEST`].
    pub prototypes: Vec<Hyperplane>,
    /// The number of training examples of each class.
    pub class_sizes: Vec<usize>,
}

impl Baseline {
    /// The maximum of classes times features for prototypes: 2²² (32 MiB).
    pub const LARGEST: usize = 1 << 22;

    /// Returns the baselines of examples; each class must have at least one. Sums run in the order of the examples over
    /// the nonzero entries. If a mean leaves the range of `f64`, the prototype of its class is 0.
    ///
    /// Cost: one pass.
    pub fn of(labelled: &Labelled<'_>) -> Self {
        let mut sums = Sums::new(labelled.scheme());
        sums.add(labelled, labelled.rows().len());
        sums.baseline()
    }

    /// The class with the most training examples; the first of several.
    pub fn majority(&self) -> usize {
        let sizes = self.class_sizes.iter().enumerate();
        sizes.rev().max_by_key(|(_, size)| **size).map_or(0, |(class, _)| class)
    }
}

/// The sums of each class, from which the baselines of batches of examples are computed.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    scheme: Scheme,
    class_sizes: Vec<usize>,
    /// The sum of each class; `None` above [`Baseline::LARGEST`].
    sums: Option<Vec<Vec<f64>>>,
}

impl Sums {
    /// Sums without examples.
    pub(crate) fn new(scheme: Scheme) -> Self {
        let classes = scheme.classes();
        Sums { scheme, class_sizes: vec![0; classes], sums: Some(vec![Vec::new(); classes]) }
    }

    /// Adds the first `examples` examples of a batch.
    pub(crate) fn add(&mut self, batch: &Labelled<'_>, examples: usize) {
        let features = batch.rows().features();
        for &class in &batch.classes()[..examples] {
            self.class_sizes[class as usize] += 1;
        }
        if features.saturating_mul(self.class_sizes.len()) > Baseline::LARGEST {
            self.sums = None;
        }
        let Some(sums) = &mut self.sums else { return };
        for sum in sums.iter_mut().filter(|sum| sum.len() < features) {
            sum.resize(features, 0.0);
        }
        for (row, &class) in batch.rows().iter().zip(batch.classes()).take(examples) {
            let sum = &mut sums[class as usize];
            // A sum is never −0, so stored and absent zeros have the same effect.
            row.for_each(|j, x| sum[j] += x);
        }
    }

    /// The number of examples of each class.
    pub(crate) fn class_sizes(&self) -> &[usize] {
        &self.class_sizes
    }

    /// Whether no sum has to grow for rows with this number of features.
    pub(crate) fn have_room(&self, features: usize) -> bool {
        self.sums.iter().flatten().all(|sum| sum.len() >= features)
    }

    /// Moves the sums of the classes out.
    pub(crate) fn take_sums(&mut self) -> Option<Vec<Vec<f64>>> {
        self.sums.take()
    }

    /// Moves sums of the classes in.
    pub(crate) fn set_sums(&mut self, sums: Option<Vec<Vec<f64>>>) {
        self.sums = sums;
    }

    /// The state to continue from: the class sizes, and the sums if any.
    pub(crate) fn state(&self) -> (Vec<usize>, Option<Vec<Vec<f64>>>) {
        (self.class_sizes.clone(), self.sums.clone())
    }

    /// Restores sums from a state that fits the scheme.
    pub(crate) fn of(
        scheme: Scheme,
        (class_sizes, sums): (Vec<usize>, Option<Vec<Vec<f64>>>),
    ) -> Self {
        Sums { scheme, class_sizes, sums }
    }

    /// The baselines of all examples.
    pub(crate) fn baseline(self) -> Baseline {
        let Sums { scheme, class_sizes, sums } = self;
        let Some(mut means) = sums else { return Baseline { prototypes: Vec::new(), class_sizes } };
        for (mean, &size) in means.iter_mut().zip(&class_sizes) {
            mean.iter_mut().for_each(|sum| *sum = *sum / size.max(1) as f64 + 0.0);
        }
        let prototypes = match scheme {
            Scheme::Two { positive } => vec![difference(&means[positive], &means[1 - positive])],
            Scheme::OneVsRest { .. } => means.iter().map(|mean| of_mean(mean)).collect(),
        };
        Baseline { prototypes: prototypes.into_iter().map(or_zero).collect(), class_sizes }
    }
}

/// The bias of a mean can overflow; the hyperplane is then 0.
fn of_mean(mean: &[f64]) -> Hyperplane {
    let is_finite = mean.iter().all(|x| x.is_finite());
    let square = if is_finite { exact::squared_norm(mean.iter().copied()) } else { f64::INFINITY };
    Hyperplane { weights: mean.to_vec(), bias: 0.0 - square / 2.0 }
}

fn difference(plus: &[f64], minus: &[f64]) -> Hyperplane {
    let weights = plus.iter().zip(minus).map(|(plus, minus)| plus - minus).collect();
    Hyperplane { weights, bias: of_mean(plus).bias - of_mean(minus).bias }
}

fn or_zero(plane: Hyperplane) -> Hyperplane {
    let finite = plane.bias.is_finite() && plane.weights.iter().all(|weight| weight.is_finite());
    if finite { plane } else { Hyperplane::zero(plane.weights.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Rows;

    /// The sum of class 1 overflows, though no example does.
    #[test]
    fn sums_out_of_range() {
        let rows = Rows::dense(vec![1.0, 1.7e308, 1.7e308], 1).unwrap();
        for scheme in [Scheme::Two { positive: 1 }, Scheme::OneVsRest { classes: 3 }] {
            let baseline = Baseline::of(&Labelled::new(&rows, &[0, 1, 1], scheme).unwrap());
            let last = baseline.prototypes.get(1).unwrap_or(&baseline.prototypes[0]);
            assert_eq!(*last, Hyperplane::zero(1));
        }
    }

    /// Class 0 has (0, 0) and (2, 0), mean (1, 0); class 1 has (3, 4), class 2 has (0, 9).
    #[test]
    fn means_by_hand() {
        let rows = Rows::dense(vec![0.0, 0.0, 3.0, 4.0, 2.0, 0.0, 0.0, 9.0], 2).unwrap();
        let scheme = Scheme::OneVsRest { classes: 3 };
        let three = Baseline::of(&Labelled::new(&rows, &[0, 1, 0, 2], scheme).unwrap());
        let plane = |weights: [f64; 2], bias| Hyperplane { weights: weights.to_vec(), bias };
        let expected =
            [plane([1.0, 0.0], -0.5), plane([3.0, 4.0], -12.5), plane([0.0, 9.0], -40.5)];
        assert_eq!(three.prototypes, expected);
        assert_eq!((three.class_sizes.as_slice(), three.majority()), (&[2, 1, 1][..], 0));
        // (0,0), (2,0), (0,9) have the mean (2/3, 3); the other class is (3, 4).
        let scheme = Scheme::Two { positive: 1 };
        let two = Baseline::of(&Labelled::new(&rows, &[0, 1, 0, 0], scheme).unwrap());
        assert_eq!(two.prototypes[0].weights, [3.0 - 2.0 / 3.0, 1.0]);
    }
}
