//! The theorems on the perceptron hold in every run, on random data.

use crate::common::{cases, draw, rational};
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::Sign,
    keep::{Keep, Kept},
    rules::{Mistake, Update},
    schedule::{Init, Order},
    space::Hyperplane,
    train::{Bias, ClassWeight, Learner, Options, TrainedHyperplane, train},
};

use draw::Table;

fn run(table: &Table, options: &Options) -> TrainedHyperplane {
    train(&table.examples(&table.matrix()), options, &mut ()).unwrap()
}

/// Integer rows with a separator (u, c) by construction: each sign is that of u·x + c.
#[derive(Clone, Debug)]
struct Separable {
    table: Table,
    separator: Vec<f64>,
    offset: f64,
}

fn separable(offsets: std::ops::RangeInclusive<i8>) -> impl Strategy<Value = Separable> {
    let separator = vec((-4i8..=4).prop_map(f64::from), 1..=4);
    let rows = vec(vec((-6i8..=6).prop_map(f64::from), 4), 2..=20);
    let make = |(separator, offset, rows): (Vec<f64>, i8, Vec<Vec<f64>>)| {
        let offset = f64::from(offset);
        let cut = rows.into_iter().map(|row| row[..separator.len()].to_vec());
        let (mut table, mut classes) = (Table { rows: vec![], signs: vec![] }, [false; 2]);
        for row in cut {
            let score = integer_score(&separator, offset, &row);
            if score != 0.0 {
                classes[usize::from(score > 0.0)] = true;
                table.signs.push(if score > 0.0 { Sign::Plus } else { Sign::Minus });
                table.rows.push(row);
            }
        }
        (classes == [true; 2]).then_some(Separable { table, separator, offset })
    };
    (separator, offsets, rows).prop_filter_map("one class", make)
}

/// Small integers, so nothing is rounded.
fn integer_score(weights: &[f64], bias: f64, row: &[f64]) -> f64 {
    weights.iter().zip(row).fold(bias, |sum, (w, x)| sum + w * x)
}

fn square(numbers: &[f64]) -> f64 {
    numbers.iter().map(|a| a * a).sum()
}

impl Separable {
    /// The smallest functional margin of the separator; at least 1.
    fn margin(&self) -> f64 {
        let scores = self.table.rows.iter().map(|x| integer_score(&self.separator, self.offset, x));
        scores.fold(f64::INFINITY, |smallest, score| smallest.min(score.abs()))
    }

    fn squared_radius(&self) -> f64 {
        self.table.rows.iter().fold(0.0, |longest, row| square(row).max(longest))
    }

    /// The squares of the separator's norm and of the radius in the space of the theorem. For the bias `radius` the
    /// norm is that of u alone and the radius is 2R. There the theorem needs |c| ≤ R‖u‖, which every separator of two
    /// classes fulfills: c > −R‖u‖ for a positive and c < R‖u‖ for a negative example.
    fn squares(&self, bias: Bias) -> (f64, f64) {
        let (norm, radius) = (square(&self.separator), self.squared_radius());
        match bias {
            Bias::None => (norm, radius),
            Bias::Unit => (norm + self.offset * self.offset, radius + 1.0),
            Bias::Feature(size) => {
                let coordinate = self.offset / size;
                (norm + coordinate * coordinate, radius + size * size)
            }
            Bias::Radius => (norm, 4.0 * radius),
        }
    }

    /// k ≤ (R/γ)² as k·m² ≤ R²·‖u‖², with the functional margin m = γ‖u‖ of the separator: integers below 2⁵³, so `f64`
    /// is exact. The report's upper bound on the margin of the data must be at least the margin of this separator.
    fn check(&self, bias: Bias, (given, seed): (bool, u64)) -> Result<(), TestCaseError> {
        let order = if given { Order::Given } else { Order::Shuffle };
        let options = Options {
            keep: Keep::Last,
            bias,
            order,
            seed,
            epochs: 1_000_000,
            ..Options::default()
        };
        let report = run(&self.table, &options).report;
        let (squared_norm, squared_radius) = self.squares(bias);
        let squared_margin = self.margin() * self.margin();
        prop_assert!(report.converged);
        prop_assert!(report.updates as f64 * squared_margin <= squared_radius * squared_norm);
        let upper = rational::exact(report.margin.upper.unwrap());
        let margin_in_the_report = &upper * &upper * rational::exact(squared_norm);
        prop_assert!(margin_in_the_report >= rational::exact(squared_margin));
        Ok(())
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn novikoff_without_bias(data in separable(0..=0), order in any::<(bool, u64)>()) {
        data.check(Bias::None, order)?;
    }

    #[test]
    fn novikoff_with_unit_bias(data in separable(-9..=9), order in any::<(bool, u64)>()) {
        data.check(Bias::Unit, order)?;
    }

    /// Powers of two keep all sums of the check exact.
    #[test]
    fn novikoff_with_a_bias_feature(
        data in separable(-9..=9),
        power in -3i32..=3,
        order in any::<(bool, u64)>(),
    ) {
        data.check(Bias::Feature(2f64.powi(power)), order)?;
    }

    #[test]
    fn novikoff_with_radius_bias(data in separable(-9..=9), order in any::<(bool, u64)>()) {
        data.check(Bias::Radius, order)?;
    }

    /// k ≤ (R²+2M)/γ², and the final margin is at least Mγ/(R²+2M). With the functional margin m = γ‖u‖ of the
    /// separator this is k·m² ≤ (R²+2M)·‖u‖² in integers; the margin is checked in rational numbers.
    #[test]
    fn the_margin_rule_keeps_its_bounds(
        data in separable(-9..=9),
        with_bias in any::<bool>(),
        margin in (0u8..40).prop_map(f64::from),
        seed in any::<u64>(),
    ) {
        let bias = if with_bias || data.offset != 0.0 { Bias::Unit } else { Bias::None };
        let update = Update::margin(margin);
        let epochs = 1_000_000;
        let report = run(&data.table, &Options { keep: Keep::Last, bias, update, seed, epochs, ..Options::default() }).report;
        prop_assert!(report.converged);
        let (squared_norm, squared_radius) = data.squares(bias);
        let (m, widened) = (data.margin(), squared_radius + 2.0 * margin);
        prop_assert!(report.updates as f64 * m * m <= widened * squared_norm);
        prop_assert!(report.updates as f64 <= report.novikoff_bound.unwrap());
        // The margin is computed to 4 units of 2⁻⁵³.
        let reached = rational::exact(report.min_margin.unwrap() * (1.0 + 4.0 * f64::EPSILON));
        let left = &reached * &reached * rational::exact(squared_norm * widened * widened);
        prop_assert!(left >= rational::exact(margin * margin * m * m));
        let upper = rational::exact(report.margin.upper.unwrap());
        prop_assert!(&upper * &upper * rational::exact(squared_norm) >= rational::exact(m * m));
    }

    /// Σ loss² ≤ R²·‖v‖² for every v with hinge loss 0, here v = u/m (Crammer et al. 2006, Theorem 2).
    /// A step of the rule is loss/‖x‖² ≥ loss/R², and each rounds by a few units of 2⁻⁵³.
    #[test]
    fn passive_aggressive_losses_are_bounded(data in separable(-9..=9), epochs in 1u64..20) {
        let options =
            Options { keep: Keep::Last, update: Update::PA, order: Order::Given, ..Options::default() };
        let mut learner = Learner::new(&options, data.table.rows[0].len()).unwrap();
        let mut sum = 0.0;
        let matrix = data.table.matrix();
        for (row, sign) in (0..epochs).flat_map(|_| data.table.examples(&matrix).iter().collect::<Vec<_>>()) {
            let loss = 1.0 - sign * learner.hyperplane().score(row).unwrap();
            sum += loss.max(0.0).powi(2);
            learner.learn(row, sign).unwrap();
        }
        let (squared_norm, squared_radius) = data.squares(Bias::Unit);
        let bound = squared_radius * squared_norm / (data.margin() * data.margin());
        let visits = (epochs as usize * data.table.rows.len()) as f64;
        prop_assert!(sum <= bound * (1.0 + 100.0 * visits * f64::EPSILON), "{} > {}", sum, bound);
    }

    /// k·m ≤ √(Q·Σ uⱼ²Aⱼ) for the functional margin m of the separator u, where Q = Σ x·A⁻¹x over the k mistakes, with A as
    /// it was before each, and A = aI + Σ x² after all. So does Q ≤ Σ (1 + Xⱼ²/a)·ln(Aⱼ/a). All sums are rounded up.
    #[test]
    fn the_second_order_perceptron_keeps_its_bound(
        data in separable(-9..=9),
        a in prop_oneof![Just(1.0), Just(0.125), 1e-2..1e2],
        epochs in 1u64..30,
    ) {
        let update = Update::second_order(a);
        let options = Options { keep: Keep::Last, update, order: Order::Given, ..Options::default() };
        let features = data.table.rows[0].len();
        let mut learner = Learner::new(&options, features).unwrap();
        let separator: Vec<f64> = data.separator.iter().copied().chain([data.offset]).collect();
        let (mut precisions, mut mistakes, mut sum) = (vec![a; features + 1], 0.0, 0.0f64);
        for _ in 0..epochs {
            for (x, &sign) in data.table.rows.iter().zip(&data.table.signs) {
                if !learner.learn(x.into(), sign).unwrap().mistake {
                    continue;
                }
                mistakes += 1.0;
                for (precision, x) in precisions.iter_mut().zip(x.iter().chain([&1.0])) {
                    sum = (sum + (x * x / *precision).next_up()).next_up();
                    *precision = (*precision + x * x).next_up();
                }
            }
        }
        let terms = separator.iter().zip(&precisions).map(|(u, a)| (u * u * a).next_up());
        let length = terms.fold(0.0, |sum: f64, term| (sum + term).next_up());
        let made = mistakes * data.margin();
        prop_assert!(made * made <= (sum * length).next_up(), "{made}² > {sum}·{length}");
        let largest = |j: usize| data.table.rows.iter().map(|x| if j < features { x[j] * x[j] } else { 1.0 }).fold(0.0, f64::max);
        let logarithms = precisions.iter().enumerate().map(|(j, last)| (1.0 + largest(j) / a) * (last / a).ln());
        prop_assert!(sum <= logarithms.sum::<f64>() * (1.0 + 1e-9));
    }

    /// Where every row has one feature, the diagonal is the whole matrix of AROW, and M ≤ √(r‖v‖² + v·Xv)·√(ln det(I + X/r) +
    /// U) − U for every v with hinge loss 0 (Crammer, Kulesza & Dredze 2009, Theorem 2), here v = u/m. M counts the
    /// mistakes, U the other updates, and X is the sum of xxᵀ over both.
    #[test]
    fn arow_keeps_its_bound_on_rows_of_one_feature(
        data in separable(0..=0),
        r in prop_oneof![Just(1.0), Just(10.0), 1e-2..1e2],
        epochs in 1u64..30,
    ) {
        let options = Options { keep: Keep::Last, update: Update::arow(r), bias: Bias::None, ..Options::default() };
        let features = data.separator.len();
        let mut learner = Learner::new(&options, features).unwrap();
        let only = |i: usize, x: &[f64]| -> Vec<f64> {
            (0..features).map(|j| if i % features == j { x[j] } else { 0.0 }).collect()
        };
        let scored = data.table.rows.iter().enumerate().map(|(i, x)| only(i, x));
        let scored = scored.map(|x| (integer_score(&data.separator, 0.0, &x), x));
        let rows: Vec<(f64, Vec<f64>)> = scored.filter(|(score, _)| *score != 0.0).collect();
        let margin = rows.iter().fold(f64::INFINITY, |least, (score, _)| least.min(score.abs()));
        let (mut squares, mut mistakes, mut others) = (vec![0.0; features], 0.0, 0.0);
        for _ in 0..epochs {
            for (score, x) in &rows {
                let sign = if *score > 0.0 { Sign::Plus } else { Sign::Minus };
                let visit = learner.learn(x.into(), sign).unwrap();
                if visit.updated {
                    squares.iter_mut().zip(x).for_each(|(sum, x)| *sum += x * x);
                    *(if visit.mistake { &mut mistakes } else { &mut others }) += 1.0;
                }
            }
        }
        let lengths = data.separator.iter().zip(&squares).map(|(u, sum)| (u / margin).powi(2) * (r + sum));
        let logarithms: f64 = squares.iter().map(|sum| (1.0 + sum / r).ln()).sum();
        let bound = (lengths.sum::<f64>() * (logarithms + others)).sqrt();
        prop_assert!(mistakes + others <= bound * (1.0 + 1e-9), "{mistakes} + {others} > {bound}");
    }

    #[test]
    fn reports_keep_their_own_bounds(
        table in draw::moderate_table(),
        options in prop_oneof![draw::perceptron(), draw::other_rule()],
        keep in keep(),
    ) {
        let report = run(&table, &Options { keep, epochs: 50, ..options }).report;
        if let Some(bound) = report.novikoff_bound {
            prop_assert!(report.updates as f64 <= bound, "{}", bound);
        }
        if let (Some(lower), Some(upper)) = (report.margin.lower, report.margin.upper) {
            prop_assert!(lower <= upper, "{} > {}", lower, upper);
        }
    }

    #[test]
    fn a_converged_run_separates(table in draw::moderate_table(), options in draw::perceptron()) {
        let mistake = Mistake::Margin;
        let options = Options { mistake, allow_mistakes: 0, epochs: 50, ..options };
        for keep in [Keep::Last, Keep::Auto, Keep::Pocket] {
            let run = run(&table, &Options { keep, ..options.clone() });
            if run.report.converged {
                prop_assert_eq!(run.report.errors.of(Kept::Last), Some(0));
                prop_assert!(run.report.separator.is_some() && run.report.margin.lower.is_some());
            }
            if run.report.converged {
                prop_assert_eq!(run.report.training_errors, Some(0));
            }
            if run.report.converged && keep != Keep::Pocket {
                prop_assert!(run.report.min_margin.unwrap() > 0.0);
            }
        }
    }

    /// An update by ηyx and ηy raises y·s by η(‖x‖² + 1), or by η‖x‖² without a bias.
    #[test]
    fn an_update_raises_the_margin_of_its_example(
        table in draw::table(draw::integer()),
        with_bias in any::<bool>(),
        eta in prop_oneof![Just(0.5), Just(1.0), Just(3.0)],
    ) {
        let (bias, unit) = if with_bias { (Bias::Unit, 1.0) } else { (Bias::None, 0.0) };
        let options = Options { bias, eta, ..Options::default() };
        let mut learner = Learner::new(&options, table.rows[0].len()).unwrap();
        for (i, &sign) in table.signs.iter().enumerate() {
            let data = table.matrix();
            let before = sign * learner.hyperplane().score(data.row(i)).unwrap();
            let visit = learner.learn(data.row(i), sign).unwrap();
            let after = sign * learner.hyperplane().score(data.row(i)).unwrap();
            let raise = if visit.updated { eta * (square(&table.rows[i]) + unit) } else { 0.0 };
            prop_assert_eq!(visit.updated, before <= 0.0);
            prop_assert_eq!(after - before, raise);
        }
    }

    /// From zero, a learning rate that is a power of two scales every weight exactly.
    #[test]
    fn the_learning_rate_only_scales(
        table in draw::moderate_table(),
        options in draw::perceptron(),
        power in -40i32..=40,
        keep in keep(),
    ) {
        let scale = 2f64.powi(power);
        let plain = Options { init: Init::Zero, keep, compare: true, ..options };
        let scaled = run(&table, &Options { eta: plain.eta * scale, ..plain.clone() });
        let plain = run(&table, &plain);
        let weights: Vec<f64> = plain.hyperplane.weights.iter().map(|w| w * scale).collect();
        let bias = plain.hyperplane.bias * scale;
        prop_assert_eq!(scaled.hyperplane, Hyperplane { weights, bias });
        prop_assert_eq!(scaled.report.mistakes_per_epoch, plain.report.mistakes_per_epoch);
        prop_assert_eq!(scaled.report.errors, plain.report.errors);
    }

    /// The classes are treated alike only if a score of 0 is a mistake for both.
    #[test]
    fn flipping_the_labels_flips_the_weights(
        table in draw::moderate_table(),
        options in draw::perceptron(),
        average in any::<bool>(),
    ) {
        let keep = if average { Keep::Average } else { Keep::Last };
        let class_weight = match options.class_weight {
            ClassWeight::Given(_) => ClassWeight::Uniform,
            other => other,
        };
        let options =
            Options { mistake: Mistake::Margin, init: Init::Zero, keep, class_weight, ..options };
        let signs = table.signs.iter().map(|&sign| -sign).collect();
        let flipped = Table { signs, rows: table.rows.clone() };
        let (plain, flipped) = (run(&table, &options), run(&flipped, &options));
        let weights: Vec<f64> = plain.hyperplane.weights.iter().map(|w| -w).collect();
        prop_assert_eq!(flipped.hyperplane, Hyperplane { weights, bias: -plain.hyperplane.bias });
        prop_assert_eq!(flipped.report.mistakes_per_epoch, plain.report.mistakes_per_epoch);
    }
}

fn keep() -> impl Strategy<Value = Keep> {
    prop_oneof![Just(Keep::Auto), Just(Keep::Last), Just(Keep::Average), Just(Keep::Pocket)]
}
