//! The learning rate of each example.

use std::sync::Arc;

use super::TrainError;
use crate::{
    data::{Labelled, Sign},
    options::{Bias, OptionError, Options, positive},
    radius::Radius,
};

/// The change of the bias per unit step, for rows with this radius.
///
/// # Errors
/// [`TrainError::Radius`] if R² is not a finite number of at least 0.
pub(crate) fn bias_unit(bias: Bias, radius: Radius) -> Result<f64, TrainError> {
    match bias {
        Bias::Unit => Ok(1.0),
        Bias::Feature(size) => Ok(size * size),
        Bias::None => Ok(0.0),
        Bias::Radius if radius.square.is_finite() && radius.square >= 0.0 => Ok(radius.square),
        Bias::Radius => Err(TrainError::Radius { radius: radius.length }),
    }
}

/// The learning rate times the weight of the class and, if set, the weight of the example.
#[derive(Clone, Debug)]
pub(crate) enum Rates<'a> {
    /// One rate per sign, as (minus, plus).
    Signs(f64, f64),
    /// The class of each example, and one rate per class.
    Classes(&'a [u32], Arc<[f64]>),
    /// The class of each example, one rate per class, the weight of each example, and a divisor of all rates.
    Examples(&'a [u32], Arc<[f64]>, &'a [f64], f64),
}

impl<'a> Rates<'a> {
    /// The rates of these examples; `rates` come from [`rates`].
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
            None => Ok(Rates::Examples(classes, of_classes, weights, 1.0)),
        }
    }

    #[inline(always)]
    pub(crate) fn of(&self, example: usize, sign: Sign) -> f64 {
        match (self, sign) {
            (Rates::Signs(minus, _), Sign::Minus) => *minus,
            (Rates::Signs(_, plus), Sign::Plus) => *plus,
            (Rates::Classes(classes, rates), _) => rates[classes[example] as usize],
            (Rates::Examples(classes, rates, weights, divisor), _) => {
                rates[classes[example] as usize] * weights[example] / divisor
            }
        }
    }

    /// The rates of other examples with the same classes.
    pub(super) fn of_others<'o>(
        &self,
        others: &Labelled<'o>,
        options: &Options,
    ) -> Result<Rates<'o>, TrainError> {
        match self {
            Rates::Signs(minus, plus) => Ok(Rates::Signs(*minus, *plus)),
            Rates::Classes(_, of_classes) | Rates::Examples(_, of_classes, ..) => {
                Rates::new(others, of_classes, options)
            }
        }
    }

    /// The rates of an epoch with this divisor, from those of the first epoch.
    pub(crate) fn divided(&self, divisor: f64) -> Self {
        match self {
            Rates::Signs(minus, plus) => Rates::Signs(minus / divisor, plus / divisor),
            Rates::Classes(classes, rates) => {
                Rates::Classes(classes, rates.iter().map(|rate| rate / divisor).collect())
            }
            Rates::Examples(classes, rates, weights, _) => {
                Rates::Examples(classes, Arc::clone(rates), weights, divisor)
            }
        }
    }

    /// Checks that a falling learning rate is not 0 in the last epoch.
    pub(crate) fn check_last(&self, options: &Options) -> Result<(), OptionError> {
        let divisor = options.decay.map_or(1.0, |decay| decay.divisor(options.epochs));
        match self.least() / divisor {
            0.0 => Err(OptionError::Rate(0.0)),
            _ => Ok(()),
        }
    }

    /// The smallest rate of an example to learn from.
    fn least(&self) -> f64 {
        let least = |rates: &mut dyn Iterator<Item = f64>| {
            rates.filter(|&rate| rate > 0.0).fold(f64::INFINITY, f64::min)
        };
        match self {
            Rates::Signs(minus, plus) => least(&mut [*minus, *plus].into_iter()),
            Rates::Classes(_, rates) => least(&mut rates.iter().copied()),
            Rates::Examples(classes, ..) => {
                // The sign does not matter here.
                least(&mut (0..classes.len()).map(|example| self.of(example, Sign::Plus)))
            }
        }
    }

    /// Whether all rates are equal.
    pub(crate) fn are_equal(&self) -> bool {
        match self {
            Rates::Signs(minus, plus) => minus == plus,
            Rates::Classes(_, rates) => rates.windows(2).all(|pair| pair[0] == pair[1]),
            Rates::Examples(classes, ..) => {
                // The sign does not matter here.
                let rate = |example| self.of(example, Sign::Plus);
                (1..classes.len()).all(|example| rate(example) == rate(0))
            }
        }
    }

    /// The largest rate.
    pub(crate) fn largest(&self) -> f64 {
        match self {
            Rates::Signs(minus, plus) => minus.max(*plus),
            Rates::Classes(_, rates) => rates.iter().copied().fold(0.0, f64::max),
            Rates::Examples(classes, ..) => {
                // The sign does not matter here.
                let rates = (0..classes.len()).map(|example| self.of(example, Sign::Plus));
                rates.fold(0.0, f64::max)
            }
        }
    }
}

/// The learning rate times the weight of each class, from the class sizes; 0 for a class that is left out.
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

/// Rejects examples of a class with weight 0.
fn refuse_weightless(weights: &[f64], sizes: &[usize]) -> Result<(), OptionError> {
    match weights.iter().zip(sizes).position(|(&weight, &size)| weight == 0.0 && size > 0) {
        Some(class) => Err(OptionError::WeightlessExamples { class }),
        None => Ok(()),
    }
}
