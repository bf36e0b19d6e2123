//! The learning rate of each example.

use std::sync::Arc;

use super::TrainError;
use crate::{
    data::{Labelled, Sign},
    exact::Radius,
    options::{Bias, OptionError, Options, positive},
};

/// What one step adds to the bias, of rows with this radius.
///
/// # Errors
/// [`TrainError::Radius`] when R² is not a number from 0.
pub(crate) fn bias_unit(bias: Bias, radius: Radius) -> Result<f64, TrainError> {
    match bias {
        Bias::Unit => Ok(1.0),
        Bias::None => Ok(0.0),
        Bias::Radius if radius.square.is_finite() && radius.square >= 0.0 => Ok(radius.square),
        Bias::Radius => Err(TrainError::Radius { radius: radius.length }),
    }
}

/// Learning rate times weight of the class, times weight of the example where it has one.
#[derive(Clone, Debug)]
pub(crate) enum Rates<'a> {
    /// Of the two signs: (minus, plus).
    Signs(f64, f64),
    /// Of the class of each example.
    Classes(&'a [u32], Arc<[f64]>),
    /// Of the class of each example, and the weight of each example.
    Examples(&'a [u32], Arc<[f64]>, &'a [f64]),
}

impl<'a> Rates<'a> {
    /// Those of these examples; `rates` are those of [`rates`].
    pub(crate) fn new(
        labelled: &Labelled<'a>,
        rates: &Arc<[f64]>,
        options: &Options,
    ) -> Result<Self, TrainError> {
        let (classes, of_classes) = (labelled.classes(), Arc::clone(rates));
        if rates.contains(&0.0) {
            refuse_weightless(rates, &labelled.class_sizes())?;
        }
        let Some(weights) = labelled.weights() else {
            return Ok(Rates::Classes(classes, of_classes));
        };
        if !options.update.rule().takes_weights {
            return Err(OptionError::WeightsWithPa.into());
        }
        let rate = |(&class, &weight): (&u32, &f64)| rates[class as usize] * weight;
        match classes.iter().zip(weights).map(rate).find(|&rate| !positive(rate)) {
            Some(bad) => Err(OptionError::Rate(bad).into()),
            None => Ok(Rates::Examples(classes, of_classes, weights)),
        }
    }

    #[inline(always)]
    pub(crate) fn of(&self, example: usize, sign: Sign) -> f64 {
        match (self, sign) {
            (Rates::Signs(minus, _), Sign::Minus) => *minus,
            (Rates::Signs(_, plus), Sign::Plus) => *plus,
            (Rates::Classes(classes, rates), _) => rates[classes[example] as usize],
            (Rates::Examples(classes, rates, weights), _) => {
                rates[classes[example] as usize] * weights[example]
            }
        }
    }

    /// Those of other examples of the same classes.
    pub(super) fn of_others<'o>(
        &self,
        others: &Labelled<'o>,
        options: &Options,
    ) -> Result<Rates<'o>, TrainError> {
        match self {
            Rates::Signs(minus, plus) => Ok(Rates::Signs(*minus, *plus)),
            Rates::Classes(_, of_classes) | Rates::Examples(_, of_classes, _) => {
                Rates::new(others, of_classes, options)
            }
        }
    }

    /// Whether all are equal.
    pub(crate) fn are_equal(&self) -> bool {
        match self {
            Rates::Signs(minus, plus) => minus == plus,
            Rates::Classes(_, rates) => rates.windows(2).all(|pair| pair[0] == pair[1]),
            Rates::Examples(classes, ..) => {
                // The sign does not matter.
                let rate = |example| self.of(example, Sign::Plus);
                (1..classes.len()).all(|example| rate(example) == rate(0))
            }
        }
    }

    /// The largest of all.
    pub(crate) fn largest(&self) -> f64 {
        match self {
            Rates::Signs(minus, plus) => minus.max(*plus),
            Rates::Classes(_, rates) => rates.iter().copied().fold(0.0, f64::max),
            Rates::Examples(classes, ..) => {
                // The sign does not matter.
                let rates = (0..classes.len()).map(|example| self.of(example, Sign::Plus));
                rates.fold(0.0, f64::max)
            }
        }
    }
}

/// Learning rate times weight of each class, from the sizes of the classes; 0 for a class that is left out.
pub(crate) fn rates(options: &Options, sizes: &[usize]) -> Result<Vec<f64>, OptionError> {
    let weights = options.class_weight.resolve(sizes);
    if weights.len() != sizes.len() {
        let (weights, classes) = (weights.len(), sizes.len());
        return Err(OptionError::ClassWeights { weights, classes });
    }
    refuse_weightless(&weights, sizes)?;
    let rate = |weight: f64| match options.eta * weight {
        rate if positive(rate) || weight == 0.0 => Ok(rate),
        bad => Err(OptionError::Rate(bad)),
    };
    weights.into_iter().map(rate).collect()
}

/// Refuses examples of a class whose weight is 0.
fn refuse_weightless(weights: &[f64], sizes: &[usize]) -> Result<(), OptionError> {
    match weights.iter().zip(sizes).position(|(&weight, &size)| weight == 0.0 && size > 0) {
        Some(class) => Err(OptionError::WeightlessExamples { class }),
        None => Ok(()),
    }
}
