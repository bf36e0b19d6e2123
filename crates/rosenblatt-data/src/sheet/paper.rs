//! The perceptron on paper: visits in rational arithmetic, without rounding.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use rosenblatt_core::{
    data::{Examples, Sign},
    space::Hyperplane,
    train::{Bias, Options},
};

use super::number::as_written;

/// How the numbers of a run are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    /// The numbers are the decimals that the data has, and nothing is rounded.
    Exact,
    /// The numbers are 64-bit floats, and an update rounds to such.
    Floats,
}

impl Arithmetic {
    pub(super) fn number(self, float: f64) -> BigRational {
        match self {
            Arithmetic::Exact => as_written(float),
            Arithmetic::Floats => BigRational::from_float(float).unwrap_or_else(BigRational::zero),
        }
    }

    fn rounded(self, value: BigRational) -> BigRational {
        match self {
            Arithmetic::Exact => value,
            Arithmetic::Floats => self.number(value.to_f64().unwrap_or(0.0)),
        }
    }
}

/// An example.
pub(super) struct PaperExample {
    pub(super) x: Vec<BigRational>,
    pub(super) sign: Sign,
}

/// The weights of a run, and the rule by which a visit changes them.
pub(super) struct PaperRun<'a> {
    pub(super) examples: &'a [PaperExample],
    options: &'a Options,
    arithmetic: Arithmetic,
    /// The learning rate of the epoch.
    eta: BigRational,
    /// The change of the bias per unit step.
    pub(super) bias_unit: BigRational,
    pub(super) w: Vec<BigRational>,
    pub(super) b: BigRational,
    alphas: Vec<u64>,
}

/// The numbers of a visit.
pub(super) struct PaperVisit {
    pub(super) before: (Vec<BigRational>, BigRational),
    pub(super) score: BigRational,
    pub(super) mistake: bool,
    /// y·η of an update, else 0.
    pub(super) step: BigRational,
    pub(super) score_after: BigRational,
    pub(super) alpha: u64,
}

/// The examples in these numbers.
pub(super) fn examples(examples: Examples<'_>, arithmetic: Arithmetic) -> Vec<PaperExample> {
    let one = |i| {
        let (row, sign) = examples.get(i);
        let mut x = vec![BigRational::zero(); examples.features()];
        row.for_each(|feature, value| x[feature] = arithmetic.number(value));
        PaperExample { x, sign }
    };
    (0..examples.len()).map(one).collect()
}

impl<'a> PaperRun<'a> {
    /// A run from these weights.
    pub(super) fn new(
        examples: &'a [PaperExample],
        options: &'a Options,
        arithmetic: Arithmetic,
        (w, b): (Vec<BigRational>, BigRational),
    ) -> Self {
        let square = |example: &PaperExample| example.x.iter().map(|x| x * x).sum::<BigRational>();
        let bias_unit = match options.bias {
            Bias::Radius => {
                let largest = examples.iter().map(square).max().unwrap_or_else(BigRational::zero);
                arithmetic.rounded(largest)
            }
            Bias::None => BigRational::zero(),
            bias => {
                let size = arithmetic.number(bias.feature().unwrap_or(1.0));
                arithmetic.rounded(&size * &size)
            }
        };
        let (eta, alphas) = (arithmetic.number(options.eta), vec![0; examples.len()]);
        PaperRun { examples, options, arithmetic, eta, bias_unit, w, b, alphas }
    }

    /// Sets the learning rate of an epoch, counted from 1.
    pub(super) fn begin_epoch(&mut self, number: u64) {
        let eta = self.arithmetic.number(self.options.eta);
        let divisor = self.options.decay.map_or(1.0, |decay| decay.divisor(number));
        self.eta = self.arithmetic.rounded(eta / self.arithmetic.number(divisor));
    }

    /// Whether an example is a mistake by the present weights.
    pub(super) fn is_mistake(&self, example: usize) -> bool {
        let compared = self.score(example).cmp(&BigRational::zero());
        let sign = self.examples[example].sign;
        self.options.mistake.holds(compared, sign, self.options.zero)
    }

    fn score(&self, example: usize) -> BigRational {
        score(&self.w, &self.b, &self.examples[example].x)
    }

    /// The score as it is written: of floats the nearest one.
    fn told_score(&self, example: usize) -> BigRational {
        self.arithmetic.rounded(self.score(example))
    }

    /// Visits an example.
    pub(super) fn visit(&mut self, example: usize) -> PaperVisit {
        let before = (self.w.clone(), self.b.clone());
        let PaperExample { x, sign } = &self.examples[example];
        let score = self.told_score(example);
        let mistake = self.is_mistake(example);
        let step = match (mistake, sign) {
            (false, _) => BigRational::zero(),
            (true, Sign::Plus) => self.eta.clone(),
            (true, Sign::Minus) => -self.eta.clone(),
        };
        if mistake {
            let moved = |w: &BigRational, unit: &BigRational| {
                self.arithmetic.rounded(w + self.arithmetic.rounded(&step * unit))
            };
            let w = self.w.iter().zip(x).map(|(w, x)| moved(w, x)).collect();
            let b = moved(&self.b, &self.bias_unit);
            (self.w, self.b) = (w, b);
            self.alphas[example] += 1;
        }
        let (score_after, alpha) = (self.told_score(example), self.alphas[example]);
        PaperVisit { before, score, mistake, step, score_after, alpha }
    }
}

/// w·x + b.
pub(super) fn score(w: &[BigRational], b: &BigRational, x: &[BigRational]) -> BigRational {
    w.iter().zip(x).fold(b.clone(), |sum, (w, x)| sum + w * x)
}

impl PaperVisit {
    /// Weights and bias after this visit's update.
    pub(super) fn moved(
        &self,
        w: &[BigRational],
        b: &BigRational,
        x: &[BigRational],
        bias_unit: &BigRational,
    ) -> (Vec<BigRational>, BigRational) {
        let w = w.iter().zip(x).map(|(w, x)| w + &self.step * x).collect();
        (w, b + &self.step * bias_unit)
    }
}

/// A hyperplane in these numbers.
pub(super) fn plane(plane: &Hyperplane, arithmetic: Arithmetic) -> (Vec<BigRational>, BigRational) {
    let w = plane.weights.iter().map(|&weight| arithmetic.number(weight)).collect();
    (w, arithmetic.number(plane.bias))
}
