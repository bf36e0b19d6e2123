//! A run by the definition ([`rosenblatt_core::reference`]), from the options of the engine.

use num_bigint::BigInt;
use rosenblatt_core::{
    data::Sign,
    keep::Kept,
    reference::{Example, RunHistory, Settings, dual, keep, penalty, primal, rates},
    report::Report,
    rules::{Step, Update},
    schedule::{self, Init, Order},
    space::{Hyperplane, Kernel},
    train::{Bias, ClassWeight, Options},
};

use super::{draw::Table, rational};

/// A run by the definition.
pub(crate) struct Oracle {
    pub(crate) settings: Settings,
    pub(crate) examples: Vec<Example>,
    pub(crate) run: RunHistory,
    pub(crate) average: Hyperplane,
    pub(crate) pocket: Hyperplane,
    is_dual: bool,
}

impl Oracle {
    /// A run in the space of the options, where the sign + is class 1.
    pub(crate) fn new(table: &Table, options: &Options) -> Self {
        match options.kernel {
            None => Self::weighted(table, &vec![1.0; table.signs.len()], options),
            Some(kernel) => Self::dual(table, kernel, 1, options),
        }
    }

    /// A run in feature space with weights of examples.
    pub(crate) fn weighted(table: &Table, weights: &[f64], options: &Options) -> Self {
        let rates =
            rates(options.eta, class_weights(&table.signs, 1, options), &table.signs, weights);
        let examples = primal::examples(&table.rows, &table.signs, &rates);
        let settings = settings(options, primal::squared_radius(&examples));
        let first = first_hyperplane(options, table.rows[0].len());
        let run = match options.order {
            Order::Mistaken => {
                let (epochs, choose) = (options.epochs, &chosen_by(options));
                primal::train_on_mistakes(&examples, &first, &settings, epochs, choose)
            }
            _ => primal::train(&examples, &first, &settings, &orders(options, examples.len())),
        };
        let oracle = Self::with_kept(settings, examples, run, options);
        oracle.check_squares();
        oracle.checked()
    }

    /// A run in the dual form, where the sign + is the class `positive`.
    pub(crate) fn dual(table: &Table, kernel: Kernel, positive: usize, options: &Options) -> Self {
        Self::unchecked_dual(table, kernel, positive, options).checked()
    }

    /// A run on too many rows to check its sums.
    pub(crate) fn unchecked_dual(
        table: &Table,
        kernel: Kernel,
        positive: usize,
        options: &Options,
    ) -> Self {
        let class_weights = class_weights(&table.signs, positive, options);
        let rates = rates(options.eta, class_weights, &table.signs, &vec![1.0; table.signs.len()]);
        let examples = dual::examples(kernel, &table.rows, &table.signs, &rates);
        let settings = settings(options, dual::squared_radius(&examples));
        let run = match options.order {
            Order::Mistaken => {
                let (epochs, choose) = (options.epochs, &chosen_by(options));
                dual::train_on_mistakes(&examples, &settings, epochs, choose)
            }
            _ => dual::train(&examples, &settings, &orders(options, examples.len())),
        };
        Self::with_kept(settings, examples, run, options)
    }

    fn with_kept(
        settings: Settings,
        examples: Vec<Example>,
        run: RunHistory,
        options: &Options,
    ) -> Self {
        let is_dual = options.kernel.is_some();
        let pocket = match options.order {
            Order::Mistaken => keep::pocket_of_each(&run, &examples, settings.zero),
            _ => keep::pocket(&run, &examples, settings.zero),
        };
        let average = run.first.clone();
        let mut oracle = Oracle { settings, examples, run, average, pocket, is_dual };
        oracle.average = oracle.average_after(0);
        oracle
    }

    /// The average of the run continued by this many epochs like its last.
    fn average_after(&self, more: u64) -> Hyperplane {
        let run = keep::continued(&self.run, more);
        match (self.is_dual, self.settings.penalty) {
            (true, _) => dual::average(&run),
            (false, None) => primal::average(&run, &self.examples),
            (false, Some(shrinkage)) => penalty::average(&run, &self.examples, shrinkage),
        }
    }

    /// The weights that a report names.
    pub(crate) fn kept(&self, report: &Report) -> Hyperplane {
        match report.kept {
            Kept::Average => self.average_after(report.extra_epochs.unwrap_or(0)),
            Kept::Pocket => self.pocket.clone(),
            Kept::Last | Kept::Vote => self.run.last().clone(),
        }
    }

    pub(crate) fn updates(&self) -> u64 {
        self.run.updates().count() as u64
    }

    pub(crate) fn errors(&self, now: &Hyperplane) -> usize {
        keep::errors(now, &self.examples, self.settings.zero).len()
    }

    /// Checks the sums behind every decision, of each hyperplane on each example, by rational arithmetic.
    fn checked(self) -> Self {
        let after = self.run.updates().map(|visit| &visit.after);
        for now in [&self.run.first].into_iter().chain(after) {
            self.examples.iter().for_each(|example| check_sums(now, example, self.settings.update));
        }
        let rates: Vec<f64> = self.examples.iter().map(|example| example.rate).collect();
        let weights = keep::error_weights(&rates).into_iter().map(BigInt::from);
        assert_eq!(weights.collect::<Vec<_>>(), rational::units(&rates));
        self
    }

    /// Checks ‖x‖² + B by rational arithmetic.
    fn check_squares(&self) {
        let bias_unit = self.settings.bias_unit;
        for Example { x, .. } in &self.examples {
            let square = rational::sum_of_squares(x) + rational::exact(bias_unit);
            assert_eq!(primal::squared_norm(x, bias_unit).rounded(), rational::nearest(&square));
        }
    }
}

/// The score, and the input of the rule: y·s minus its margin, and the loss, rounded once.
fn check_sums(now: &Hyperplane, example: &Example, update: Update) {
    let score = rational::score(&now.weights, now.bias, &example.x);
    assert_eq!(example.score_sign(now), rational::sign(&score));
    let (beyond, is_rounded) = match update.rule().step {
        Step::OnMistake => return,
        Step::WithinMargin => (update.parameter().unwrap(), false),
        Step::Own(_) => (1.0, true),
    };
    let sum = example.margin_beyond(beyond, now);
    let margin = score * rational::exact(example.sign.as_f64()) - rational::exact(beyond);
    assert_eq!(sum.sign(), rational::sign(&margin));
    if is_rounded {
        assert_eq!(sum.rounded().to_bits(), rational::nearest(&margin).to_bits());
    }
}

/// The kernel values of each row with all of `others`.
pub(crate) fn kernel_values(
    kernel: Kernel,
    rows: &[Vec<f64>],
    others: &[Vec<f64>],
) -> Vec<Vec<f64>> {
    rows.iter().map(|row| dual::kernel_values(kernel, others, row)).collect()
}

fn settings(options: &Options, squared_radius: f64) -> Settings {
    let bias_unit = match options.bias {
        Bias::Unit => 1.0,
        Bias::Feature(size) => size * size,
        Bias::None => 0.0,
        Bias::Radius => squared_radius,
    };
    let Options { update, mistake, zero, allow_mistakes, eta, decay, .. } = *options;
    let penalty = options.penalty.map(|penalty| penalty::shrinkage(penalty, eta));
    Settings { update, mistake, zero, bias_unit, decay, penalty, allow_mistakes }
}

/// The choice of the seed, which only the engine's generator can make.
fn chosen_by(options: &Options) -> impl Fn(u64, &[usize]) -> usize {
    let seed = options.seed;
    move |epoch, mistaken| schedule::choose(seed, epoch, mistaken)
}

fn orders(options: &Options, examples: usize) -> Vec<Vec<usize>> {
    let order = |epoch| {
        let mut order = vec![0; examples];
        options.order.arrange(options.seed, epoch, &mut order);
        order
    };
    (1..=options.epochs).map(order).collect()
}

/// The weights of the classes of −1 and +1.
fn class_weights(signs: &[Sign], positive: usize, options: &Options) -> [f64; 2] {
    let balanced = |sign: Sign| {
        let size = signs.iter().filter(|&&other| other == sign).count();
        signs.len() as f64 / (2 * size) as f64
    };
    match &options.class_weight {
        ClassWeight::Uniform => [1.0; 2],
        ClassWeight::Balanced => [balanced(Sign::Minus), balanced(Sign::Plus)],
        ClassWeight::Given(weights) => [weights[1 - positive], weights[positive]],
    }
}

/// Zeros, or the random weights of the seed, which only the engine's generator can compute.
fn first_hyperplane(options: &Options, features: usize) -> Hyperplane {
    match &options.init {
        Init::Zero => Hyperplane::zero(features),
        Init::Random => options.first_hyperplane(features).expect("random weights fit"),
        Init::Given(planes) => Hyperplane {
            weights: planes[0].weights.iter().map(|weight| weight + 0.0).collect(),
            bias: planes[0].bias + 0.0,
        },
    }
}
