//! In the dual form too the model has the bits of the definition, pair by pair and in exact arithmetic, for every
//! division of the work into blocks, panels and threads.

use std::ops::ControlFlow;

use crate::common::{
    bits, cases, draw, layouts,
    oracle::{Oracle, kernel_values},
    rational,
};
use draw::Table;
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, Sign, ZeroScore},
    keep::{Keep, Kept, Tally, UpdateRecord, Voted, WeightSequence},
    model::{Classifier, Dual, PredictOptions},
    report::Report,
    rules::Update,
    schedule::{Init, Order},
    space::{CanonicalRows, Hyperplane, Kernel, Support},
    train::{Bias, BinaryTrainer, Fit, Observer, Options, Resources, Visit, fit},
};

const KEEPS: [Keep; 5] = [Keep::Last, Keep::Average, Keep::Auto, Keep::Pocket, Keep::Vote];
const BLOCKS: [Option<usize>; 5] = [Some(1), Some(2), Some(3), Some(7), None];

/// A case and its run by the definition.
struct Case<'a> {
    table: &'a Table,
    options: &'a Options,
    kernel: Kernel,
    scheme: Scheme,
    oracle: Oracle,
}

impl<'a> Case<'a> {
    fn new(table: &'a Table, options: &'a Options, positive: usize) -> Self {
        let kernel = options.kernel.unwrap();
        let oracle = Oracle::dual(table, kernel, positive, options);
        Case { table, options, kernel, scheme: Scheme::Two { positive }, oracle }
    }

    /// A case with many rows.
    fn large(table: &'a Table, options: &'a Options) -> Self {
        let kernel = options.kernel.unwrap();
        let oracle = Oracle::unchecked_dual(table, kernel, 1, options);
        Case { table, options, kernel, scheme: Scheme::Two { positive: 1 }, oracle }
    }

    /// The rows with updates, in the order of their first update.
    fn support(&self) -> Vec<usize> {
        let mut support = Vec::new();
        for visit in self.oracle.run.updates() {
            if !support.contains(&visit.example) {
                support.push(visit.example);
            }
        }
        support
    }

    /// The updates and the visits that each survived, where rows are places in `support`.
    fn path(&self, support: &[usize]) -> WeightSequence {
        let mut path = WeightSequence::default();
        for visit in self.oracle.run.visits() {
            if let Some(step) = visit.step {
                let place = support.iter().position(|&other| other == visit.example).unwrap();
                path.moves.push(UpdateRecord { row: place as u32, step, survived: 1 });
            } else if let Some(last) = path.moves.last_mut() {
                last.survived += 1;
            } else {
                path.start += 1;
            }
        }
        path
    }

    fn classes(&self) -> Vec<u32> {
        let positive = self.scheme.class_of(0) as u32;
        let class = |&sign: &Sign| if sign == Sign::Plus { positive } else { 1 - positive };
        self.table.signs.iter().map(class).collect()
    }

    fn fit(&self, rows: &Rows<'_>, keep: Keep, resources: Resources) -> Fit {
        let classes = self.classes();
        let labelled = Labelled::new(rows, &classes, self.scheme).unwrap();
        let options = Options { keep, ..self.options.clone() };
        fit(&labelled, &options, &resources, None, &mut ()).unwrap()
    }

    /// A model with the numbers of the definition, for the weights that a report names.
    fn expected(&self, report: &Report) -> Classifier {
        let Oracle { run, settings, .. } = &self.oracle;
        let examples = self.support();
        let rows = CanonicalRows::new(&self.table.matrix().select(&examples));
        let count =
            |&row: &usize| run.updates().filter(|visit| visit.example == row).count() as u64;
        let counts = vec![examples.iter().map(count).collect()];
        let path = self.path(&examples);
        let plane = self.oracle.kept(report);
        let weights = examples.iter().map(|&row| plane.weights[row]).collect();
        let planes = vec![Hyperplane { weights, bias: plane.bias }];
        let support = Support { rows, examples, counts };
        let (zero, seed) = (self.options.zero, self.options.seed);
        let (kernel, bias_unit, paths) = (self.kernel, settings.bias_unit, vec![path]);
        match report.kept {
            Kept::Vote => {
                Classifier::Voted(Voted { kernel, support, bias_unit, zero, paths, seed })
            }
            _ => Classifier::Dual(Dual { kernel, support, planes }),
        }
    }

    fn check(&self, fit: &Fit, keep: Keep, what: &str) -> Result<(), TestCaseError> {
        let expected = self.expected(&fit.report);
        prop_assert_eq!(&fit.classifier, &expected, "{:?}, {}", keep, what);
        if let (Classifier::Dual(one), Classifier::Dual(other)) = (&fit.classifier, &expected) {
            let (one, other) = (&one.planes[0], &other.planes[0]);
            prop_assert_eq!(bits(&one.weights), bits(&other.weights), "{}", what);
            prop_assert_eq!(one.bias.to_bits(), other.bias.to_bits(), "{}", what);
        }
        let (report, oracle) = (&fit.report, &self.oracle);
        let run = &oracle.run;
        prop_assert_eq!(&report.mistakes_per_epoch, &run.mistakes_per_epoch(), "{}", what);
        prop_assert_eq!(report.updates, oracle.updates());
        prop_assert_eq!(report.converged, run.converged);
        let is_free = keep == Keep::Auto && report.converged;
        prop_assert!(report.kept == keep.kept() || is_free && report.kept == Kept::Last);
        prop_assert!(report.extra_epochs.is_none() || is_free);
        prop_assert_eq!(report.errors.of(Kept::Last), Some(oracle.errors(run.last())), "{}", what);
        if keep == Keep::Pocket {
            let errors = oracle.errors(&oracle.pocket);
            prop_assert_eq!(report.errors.of(Kept::Pocket), Some(errors), "{}", what);
        }
        let support = fit.classifier.support().unwrap();
        prop_assert_eq!(support.counts.iter().flatten().sum::<u64>(), report.updates);
        Ok(())
    }
}

/// Options that the dual form takes, with every update rule.
fn options() -> impl Strategy<Value = Options> {
    (prop_oneof![draw::perceptron(), draw::row_rule()], draw::kernel())
        .prop_map(|(options, kernel)| Options { kernel: Some(kernel), init: Init::Zero, ..options })
}

/// The weights that such a run can keep.
fn keeps(options: &Options) -> Vec<Keep> {
    let votes = options.order != Order::Mistaken;
    KEEPS.into_iter().filter(|&keep| votes || keep != Keep::Vote).collect()
}

fn resources(threads: usize, memory: usize, block: Option<usize>) -> Resources {
    Resources { threads, memory, block }
}

/// Rows from `make`, a function of random numbers from 0 to 2³¹ − 1.
fn large(rows: usize, features: usize, make: impl Fn(u32) -> f64) -> Table {
    let mut state = 12345u64;
    let mut draw = || {
        // Knuth's MMIX constants.
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    let rows: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..features).map(|_| make(draw())).collect()).collect();
    let sign = |row: &Vec<f64>| {
        let noise = draw() % 8 == 0;
        let inside = row[0] * row[0] + row[1] * row[row.len() - 1] > 1.5;
        if inside != noise { Sign::Plus } else { Sign::Minus }
    };
    let signs = rows.iter().map(sign).collect();
    Table { rows, signs }
}

proptest! {
    #![proptest_config(cases(50))]

    #[test]
    fn every_block_gives_the_bits_of_the_reference(
        table in draw::moderate_table(),
        options in options(),
        keep in proptest::sample::select(&KEEPS[..]),
        positive in 0usize..2,
    ) {
        let keep = if keeps(&options).contains(&keep) { keep } else { Keep::Last };
        let case = Case::new(&table, &options, positive);
        for (number, block) in BLOCKS.into_iter().enumerate() {
            for memory in [0, 100, 1 << 30] {
                let resources = resources(1 + number % 2 * 2, memory, block);
                let fit = case.fit(&table.matrix(), keep, resources);
                case.check(&fit, keep, &format!("{resources:?}"))?;
            }
        }
        for (layout, rows) in layouts::all(&table.rows) {
            for keep in keeps(&options) {
                case.check(&case.fit(&rows, keep, Resources::default()), keep, layout)?;
            }
        }
    }

    /// A model classifies and scores by the exact sum over its stored numbers.
    #[test]
    fn predictions_are_those_of_the_reference(
        table in draw::moderate_table(),
        options in options(),
        keep in proptest::sample::select(&KEEPS[..4]),
        positive in 0usize..2,
    ) {
        let case = Case::new(&table, &options, positive);
        let classes = case.classes();
        let rows = table.matrix();
        let labelled = Labelled::new(&rows, &classes, case.scheme).unwrap();
        let fit = case.fit(&rows, keep, Resources::default());
        let Classifier::Dual(dual) = case.expected(&fit.report) else { unreachable!() };
        let support: Vec<Vec<f64>> =
            dual.support.examples.iter().map(|&row| table.rows[row].clone()).collect();
        let model = crate::common::model(fit.classifier, &labelled, case.options.zero);
        let found = model.classify(&rows, PredictOptions::default(), true).unwrap();
        let values = kernel_values(case.kernel, &table.rows, &support);
        for (row, values) in values.iter().enumerate() {
            let Hyperplane { weights, bias } = &dual.planes[0];
            let score = rational::score(weights, *bias, values);
            let is_plus = case.options.zero.predicts(rational::sign(&score)) == Sign::Plus;
            let class = if is_plus { positive } else { 1 - positive };
            prop_assert_eq!(found.classes[row], class as u32);
            prop_assert_eq!(found.scores[row].to_bits(), rational::nearest(&score).to_bits());
        }
        let wrong = found.classes.iter().zip(&classes).filter(|(one, other)| one != other).count();
        prop_assert_eq!(fit.report.training_errors, Some(wrong));
    }

    /// On integers every sum is exact, so the dual form sees the same numbers as the primal.
    #[test]
    fn a_linear_kernel_makes_the_mistakes_of_the_primal(
        table in draw::table(draw::integer()),
        options in draw::perceptron(),
        margin in prop_oneof![Just(None), (0u8..9).prop_map(Some)],
    ) {
        let update = margin.map_or(Update::PERCEPTRON, |margin| Update::margin(margin.into()));
        let bias = if options.bias == Bias::Radius { Bias::None } else { options.bias };
        let options = if margin.is_some() { draw::visiting_all(options) } else { options };
        let plain = Options::default();
        let (eta, init, class_weight) = (plain.eta, plain.init, plain.class_weight);
        let decay = None;
        let options = Options { update, bias, eta, decay, init, class_weight, ..options };
        let kernel = Some(Kernel::Linear);
        let (primal, seen) = watch(&table, &options);
        let (dual, dual_seen) = watch(&table, &Options { kernel, ..options });
        prop_assert_eq!(seen, dual_seen);
        let (Classifier::Linear(primal), Classifier::Dual(dual)) = (primal, dual) else { unreachable!() };
        let mut weights = vec![0.0; table.rows[0].len()];
        for (&row, coefficient) in dual.support.examples.iter().zip(&dual.planes[0].weights) {
            weights.iter_mut().zip(&table.rows[row]).for_each(|(w, x)| *w += coefficient * x);
        }
        prop_assert_eq!(&weights, &primal[0].weights);
        prop_assert_eq!(dual.planes[0].bias, primal[0].bias);
    }

    /// The last weights of a sequence of one update by 1 have the score K(x, z), which a panel computes.
    #[test]
    fn panels_hold_the_values_of_each_pair(
        seed in 1usize..90,
        numbers in prop_oneof![Just(draw::tenth()), Just(draw::ordinary())]
            .prop_flat_map(|numbers| proptest::collection::vec(numbers, 400)),
        kernel in draw::kernel(),
    ) {
        let cell = |i: usize, j: usize| {
            let place = (i * 7 + j * 31 + i * j * seed) % 400;
            if place.is_multiple_of(3) { 0.0 } else { numbers[place] }
        };
        let rows: Vec<Vec<f64>> = (0..70).map(|i| (0..5).map(|j| cell(i, j)).collect()).collect();
        let packed = CanonicalRows::new(&Rows::dense(rows.concat(), 5).unwrap());
        let one = |row| WeightSequence { start: 0, moves: vec![UpdateRecord { row, step: 1.0, survived: 1 }] };
        let counts = vec![vec![1; 70]; 70];
        let support = Support { rows: packed.clone(), examples: (0..70).collect(), counts };
        let paths = (0..70).map(one).collect();
        let zero = ZeroScore::Positive;
        let voted = Voted { kernel, support, bias_unit: 0.0, zero, paths, seed: 0 };
        let expected: Vec<f64> = kernel_values(kernel, &rows, &rows).concat();
        for threads in [1, 3] {
            let found = voted.scores(&packed, Tally::Last, threads).unwrap();
            prop_assert_eq!(bits(&found), bits(&expected));
        }
    }
}

/// All visits of a run: the example, whether it was a mistake, and the step.
#[derive(Default)]
struct Witness(Vec<(usize, bool, f64)>);

impl Observer for Witness {
    fn visited(&mut self, example: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.0.push((example, visit.mistake, visit.step));
        ControlFlow::Continue(())
    }
}

fn watch(table: &Table, options: &Options) -> (Classifier, Vec<(usize, bool, f64)>) {
    let class = |&sign: &Sign| u32::from(sign == Sign::Plus);
    let classes: Vec<u32> = table.signs.iter().map(class).collect();
    let rows = table.matrix();
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
    let options = Options { keep: Keep::Last, ..options.clone() };
    let mut witness = Witness::default();
    let fit = fit(&labelled, &options, &Resources::default(), None, &mut witness).unwrap();
    (fit.classifier, witness.0)
}

/// Hundreds of rows, about half of them misclassified: several panels, more rows than one panel pass handles, shares
/// for three threads, and a cache for none, some and all of the kernel values.
fn check_large(table: &Table, options: &Options) {
    let case = Case::large(table, options);
    assert!(case.support().len() > 2 * 32, "{}", case.support().len());
    let blocks = BLOCKS.into_iter().chain([Some(100), Some(usize::MAX)]);
    for (number, block) in blocks.enumerate() {
        let several = [(1, 0), (3, 1 << 30), (3, 8 * 300 * 20)];
        for (threads, memory) in [several[number % 3], several[(number + 1) % 3]] {
            let resources = resources(threads, memory, block);
            let fit = case.fit(&table.matrix(), options.keep, resources);
            case.check(&fit, options.keep, &format!("{resources:?}")).unwrap();
        }
    }
}

fn large_options(kernel: &str, update: Update, keep: Keep) -> Options {
    let kernel = Some(kernel.parse().unwrap());
    Options { kernel, update, keep, epochs: 2, ..Options::default() }
}

#[test]
fn many_rows_of_integers() {
    let table = large(300, 4, |number| f64::from(number % 5) - 2.0);
    check_large(&table, &large_options("poly:2", Update::PERCEPTRON, Keep::Last));
    check_large(&table, &large_options("linear", Update::margin(1.0), Keep::Vote));
}

#[test]
fn many_rows_of_tenths() {
    let table = large(300, 4, |number| f64::from(number % 41) / 10.0 - 2.0);
    check_large(&table, &large_options("poly:3:0.3:0.1", Update::pa1(0.7), Keep::Average));
    check_large(&table, &large_options("rbf:0.5", Update::PA, Keep::Auto));
}

/// Seven numbers, for which exact scores are often 0 or nearly 0, while sums of floats are not.
#[test]
fn many_rows_on_the_boundary() {
    let table = large(300, 2, |number| (f64::from(number % 7) - 3.0) / 10.0);
    let table = Table { signs: checkered(&table), ..table };
    let without_bias = |kernel| Options {
        bias: Bias::None,
        ..large_options(kernel, Update::PERCEPTRON, Keep::Last)
    };
    check_large(&table, &without_bias("linear"));
    check_large(&table, &without_bias("poly:2:0"));
}

/// Signs that no line separates.
fn checkered(table: &Table) -> Vec<Sign> {
    let sign = |i: usize| if i * i % 5 < 2 { Sign::Plus } else { Sign::Minus };
    (0..table.rows.len()).map(sign).collect()
}

#[test]
fn many_rows_and_a_pocket() {
    let table = large(140, 4, |number| f64::from(number % 41) / 10.0 - 2.0);
    check_large(&table, &large_options("linear", Update::PERCEPTRON, Keep::Pocket));
}
