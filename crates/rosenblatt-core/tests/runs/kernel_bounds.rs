//! The theorems on the perceptron also hold in the space of a kernel, and so do the report's bounds on the margin of
//! the data.

use crate::common::{cases, draw, rational};
use draw::Table;
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Labelled, Scheme, Sign},
    keep::Keep,
    reference::dual::kernel_value,
    report::Report,
    rules::Update,
    schedule::Init,
    space::Kernel,
    train::{Bias, Options, Resources, fit},
};

fn run(table: &Table, options: &Options) -> Report {
    let rows = table.matrix();
    let classes: Vec<u32> = table.signs.iter().map(|&s| u32::from(s == Sign::Plus)).collect();
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
    fit(&labelled, options, &Resources::default(), None, &mut ()).unwrap().report
}

/// Integer rows with a separator Σ aⱼK(pⱼ, ·) + c of integer points p and coefficients a: each sign is that
/// of its score. The kernel is (1 + x·z)^D, or x·z, so that everything is an integer below 2⁵³.
#[derive(Clone, Debug)]
struct Separable {
    table: Table,
    kernel: Kernel,
    points: Vec<Vec<f64>>,
    coefficients: Vec<f64>,
    offset: f64,
}

fn separable(offsets: std::ops::RangeInclusive<i8>) -> impl Strategy<Value = Separable> {
    let row = |size: i8| vec((-size..=size).prop_map(f64::from), 2);
    let coefficient = prop_oneof![Just(-1.0), Just(1.0), Just(2.0)];
    let separator = vec((row(2), coefficient), 1..=3);
    let degree = 1u32..=3;
    (separator, offsets, vec(row(3), 3..=15), degree, any::<bool>()).prop_filter_map(
        "one class",
        |(separator, offset, rows, degree, linear)| {
            let poly = Kernel::Poly { degree, coef0: 1.0, gamma: 1.0 };
            let kernel = if linear { Kernel::Linear } else { poly };
            let (points, coefficients) = separator.into_iter().unzip();
            let table = Table { rows: vec![], signs: vec![] };
            let mut data =
                Separable { table, kernel, points, coefficients, offset: f64::from(offset) };
            for row in rows {
                let score = data.score(&row);
                if score != 0.0 {
                    data.table.signs.push(if score > 0.0 { Sign::Plus } else { Sign::Minus });
                    data.table.rows.push(row);
                }
            }
            let both = [Sign::Plus, Sign::Minus].iter().all(|sign| data.table.signs.contains(sign));
            both.then_some(data)
        },
    )
}

impl Separable {
    fn product(&self, point: &[f64]) -> f64 {
        let terms = self.points.iter().zip(&self.coefficients);
        terms.map(|(p, a)| a * kernel_value(self.kernel, p, point)).sum()
    }

    fn score(&self, row: &[f64]) -> f64 {
        self.product(row) + self.offset
    }

    fn margin(&self) -> f64 {
        let scores = self.table.rows.iter().map(|row| self.score(row).abs());
        scores.fold(f64::INFINITY, f64::min)
    }

    /// The squares of the separator's norm and of the radius in the space of the theorem, as in
    /// `theorems.rs`.
    fn squares(&self, bias: Bias) -> (f64, f64) {
        let terms = self.points.iter().zip(&self.coefficients);
        let norm: f64 = terms.map(|(p, a)| a * self.product(p)).sum();
        let square = |row: &Vec<f64>| kernel_value(self.kernel, row, row);
        let radius = self.table.rows.iter().map(square).fold(0.0, f64::max);
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

    /// k ≤ (R² + 2M)/γ² with γ = m/‖u‖, in integers, and k is within the report's bound. The margin of the
    /// data is at least that of this separator and at least any run's lower bound, so no run's upper
    /// bound may be below these.
    fn check(&self, bias: Bias, margin: Option<f64>, seed: u64) -> Result<(), TestCaseError> {
        let (m, (squared_norm, squared_radius)) = (self.margin(), self.squares(bias));
        let asked = margin.unwrap_or(0.0);
        // The theorem for `radius` counts the margin twice, see `margin`.
        let asked_share = if bias == Bias::Radius { 4.0 * asked } else { 2.0 * asked };
        let most = (squared_radius + asked_share) * squared_norm;
        // Otherwise a run may take long.
        prop_assume!(most / (m * m) < 2000.0);
        let update = margin.map_or(Update::PERCEPTRON, Update::margin);
        let kernel = Some(self.kernel);
        let options = Options {
            update,
            keep: Keep::Last,
            kernel,
            bias,
            seed,
            epochs: 1_000_000,
            ..Options::default()
        };
        let report = run(&self.table, &options);
        prop_assert!(report.converged);
        prop_assert_eq!(report.training_errors, Some(0));
        prop_assert!(report.updates as f64 * m * m <= most);
        prop_assert!(report.updates as f64 <= report.novikoff_bound.unwrap());
        let (lower, upper) = (report.margin.lower.unwrap(), report.margin.upper.unwrap());
        prop_assert!(0.0 < lower && lower <= upper);
        let other = Options { keep: Keep::Average, seed: !seed, ..options };
        let other = run(&self.table, &other).margin;
        prop_assert!(lower <= other.upper.unwrap());
        prop_assert!(other.lower.is_none_or(|other| other <= upper));
        let upper = rational::exact(upper);
        prop_assert!(&upper * &upper * rational::exact(squared_norm) >= rational::exact(m * m));
        Ok(())
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn novikoff_without_bias(data in separable(0..=0), seed in any::<u64>()) {
        data.check(Bias::None, None, seed)?;
    }

    #[test]
    fn novikoff_with_unit_bias(data in separable(-5..=5), seed in any::<u64>()) {
        data.check(Bias::Unit, None, seed)?;
    }

    #[test]
    fn novikoff_with_radius_bias(data in separable(-5..=5), seed in any::<u64>()) {
        data.check(Bias::Radius, None, seed)?;
    }

    #[test]
    fn the_margin_rule(data in separable(-5..=5), margin in (0u8..20).prop_map(f64::from), seed in any::<u64>()) {
        let bias = if data.offset == 0.0 { Bias::None } else { Bias::Unit };
        data.check(bias, Some(margin), seed)?;
    }

    /// The bracket holds despite rounding: lower ≤ upper, and updates within the bound. The lower bound holds for the
    /// exact kernel: it is at most the separator's smallest y·s over its norm, in rational numbers.
    #[test]
    fn brackets_hold_on_any_numbers(
        table in draw::moderate_table(),
        options in prop_oneof![draw::perceptron(), draw::row_rule()],
        kernel in draw::kernel(),
        keep in proptest::sample::select(vec![Keep::Last, Keep::Average, Keep::Auto, Keep::Pocket, Keep::Vote]),
        compare in any::<bool>(),
    ) {
        let kernel = Some(kernel);
        let init = Init::Zero;
        let options = if keep == Keep::Vote { draw::visiting_all(options) } else { options };
        let options = Options { kernel, keep, compare, init, epochs: 40, ..options };
        let report = run(&table, &options);
        if let Some(bound) = report.novikoff_bound {
            prop_assert!(report.updates as f64 <= bound, "{}", bound);
        }
        if let (Some(lower), Some(upper)) = (report.margin.lower, report.margin.upper) {
            prop_assert!(lower <= upper, "{} > {}", lower, upper);
        }
        prop_assert_eq!(report.margin.lower.is_some(), report.separator.is_some());
        if report.separator == Some(report.kept) {
            prop_assert!(report.margin.lower.unwrap() <= report.min_margin.unwrap());
            prop_assert_eq!(report.training_errors, Some(0));
        }
    }
}

/// φ(x) of orthogonal rows are orthogonal, and of length 1: as many updates as rows, and no bound is lower.
#[test]
fn bounds_are_tight_on_orthogonal_rows() {
    for n in 2..=40 {
        let row = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        let sign = |i: usize| if i.is_multiple_of(2) { Sign::Plus } else { Sign::Minus };
        let table = Table { rows: (0..n).map(row).collect(), signs: (0..n).map(sign).collect() };
        let kernel = Some(Kernel::Poly { degree: 3, coef0: 0.0, gamma: 1.0 });
        let report = run(
            &table,
            &Options { kernel, bias: Bias::None, keep: Keep::Last, ..Options::default() },
        );
        assert_eq!(report.updates, n as u64);
        let bound = report.novikoff_bound.unwrap();
        // Norms and margins are known to about 10⁻¹² here.
        assert!((n as f64..n as f64 + 1e-6).contains(&bound), "{bound} for {n}");
    }
}

/// Products of such rows underflow: nothing is known about norms then, so no bound is given.
#[test]
fn norms_that_underflow_give_no_bound() {
    let rows = vec![vec![1e-200], vec![-1e-200]];
    let table = Table { rows, signs: vec![Sign::Plus, Sign::Minus] };
    let kernel = Some(Kernel::Linear);
    let report =
        run(&table, &Options { kernel, bias: Bias::None, epochs: 3, ..Options::default() });
    assert_eq!((report.margin.lower, report.margin.upper), (None, None));
}
