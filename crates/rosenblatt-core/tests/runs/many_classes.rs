//! With several classes, each class has the hyperplane of its own two-class run, the highest exact score decides, and a
//! run ends when all hyperplanes together allow it.

use crate::common::{bits, cases, draw, layouts, oracle::kernel_values, rational};
use chacha20::ChaCha8Rng;
use num_rational::BigRational;
use proptest::{collection::vec, prelude::*};
use rand_core::{Rng, SeedableRng};
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, Sign},
    keep::{Keep, Kept},
    model::{Classifier, PredictOptions},
    reference::rule::{is_mistake, predicted},
    report::Stop,
    rules::Update,
    schedule::Init,
    space::Hyperplane,
    train::{Bias, ClassWeight, Fit, Options, Resources, fit, train},
};

/// Rows of several classes, each of which occurs.
#[derive(Clone, Debug)]
struct Table {
    rows: Vec<Vec<f64>>,
    classes: Vec<u32>,
    count: usize,
}

fn table_of(numbers: BoxedStrategy<f64>) -> impl Strategy<Value = Table> {
    let rows =
        (1usize..=4).prop_flat_map(move |features| vec(vec(numbers.clone(), features), 5..=12));
    (rows, 3usize..=5, vec(0u32..5, 12)).prop_map(|(rows, count, mut classes)| {
        classes.truncate(rows.len());
        classes.iter_mut().for_each(|class| *class %= count as u32);
        // The last rows make sure that every class occurs.
        let last = classes.iter_mut().rev();
        last.zip(0..count as u32).for_each(|(class, number)| *class = number);
        Table { rows, classes, count }
    })
}

fn table() -> impl Strategy<Value = Table> {
    prop_oneof![table_of(draw::integer()), table_of(draw::tenth()), table_of(draw::ordinary())]
}

impl Table {
    fn scheme(&self) -> Scheme {
        Scheme::OneVsRest { classes: self.count }
    }

    fn matrix(&self) -> Rows<'static> {
        Rows::dense(self.rows.concat(), self.rows[0].len()).unwrap()
    }

    fn fit(&self, rows: &Rows<'_>, options: &Options, resources: Resources) -> Fit {
        let labelled = Labelled::new(rows, &self.classes, self.scheme()).unwrap();
        fit(&labelled, options, &resources, None, &mut ()).unwrap()
    }

    fn signs(&self, class: usize) -> Vec<Sign> {
        let sign = |&other: &u32| if other as usize == class { Sign::Plus } else { Sign::Minus };
        self.classes.iter().map(sign).collect()
    }

    fn size(&self, class: usize) -> usize {
        self.classes.iter().filter(|&&other| other as usize == class).count()
    }
}

/// The naive twin of a joint run: hyperplanes with one weight per feature or per row, each visited in turn.
struct Twin {
    planes: Vec<Hyperplane>,
    updates: Vec<u64>,
    /// The mistakes of each class in each epoch.
    mistakes: Vec<Vec<u64>>,
    stop: Stop,
    /// The inputs of the scores of each row: the row, or its kernel values with all rows.
    seen: Vec<Vec<f64>>,
}

impl Twin {
    fn train(table: &Table, options: &Options) -> Self {
        let n = table.rows.len();
        let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        let (seen, directions) = match options.kernel {
            None => (table.rows.clone(), table.rows.clone()),
            Some(kernel) => {
                (kernel_values(kernel, &table.rows, &table.rows), (0..n).map(unit).collect())
            }
        };
        let bias_unit = match options.bias {
            Bias::None => 0.0,
            Bias::Unit => 1.0,
            Bias::Feature(size) => size * size,
            // The engine's radius has its own tests.
            Bias::Radius if options.kernel.is_none() => {
                rosenblatt_core::radius::radius(&table.matrix()).square
            }
            Bias::Radius => (0..n).map(|i| seen[i][i]).fold(0.0, f64::max),
        };
        let planes =
            (0..table.count).map(|k| first_plane(options, k, directions[0].len())).collect();
        let (updates, mistakes) = (vec![0; table.count], vec![vec![]; table.count]);
        let mut twin = Twin { planes, updates, mistakes, stop: Stop::MaxEpochs, seen };
        let mut order = vec![0; n];
        for epoch in 1..=options.epochs {
            options.order.arrange(options.seed, epoch, &mut order);
            let before: u64 = twin.updates.iter().sum();
            twin.mistakes.iter_mut().for_each(|mistakes| mistakes.push(0));
            for &i in &order {
                for class in 0..table.count {
                    twin.visit(table, options, (i, class), (&directions[i], bias_unit));
                }
            }
            let all: u64 = twin.mistakes.iter().map(|mistakes| mistakes[epoch as usize - 1]).sum();
            let at_rest = twin.updates.iter().sum::<u64>() == before;
            if all == 0 && at_rest {
                twin.stop = Stop::CleanEpoch;
                break;
            } else if all > 0 && all <= options.allow_mistakes {
                twin.stop = Stop::AllowedMistakes;
                break;
            }
        }
        twin
    }

    fn visit(
        &mut self,
        table: &Table,
        options: &Options,
        (i, class): (usize, usize),
        (direction, bias_unit): (&[f64], f64),
    ) {
        let own = table.classes[i] as usize;
        let sign = if own == class { Sign::Plus } else { Sign::Minus };
        let score = self.score(class, i);
        let mistake = is_mistake(options.mistake, rational::sign(&score), sign, options.zero);
        let margin = score * rational::exact(sign.as_f64());
        let least = options.update.parameter();
        let asked = least.is_some_and(|least| margin <= rational::exact(least));
        *self.mistakes[class].last_mut().unwrap() += u64::from(mistake);
        if mistake || asked {
            let step = sign * (options.eta * class_weight(table, own, options));
            let plane = &mut self.planes[class];
            plane.weights.iter_mut().zip(direction).for_each(|(w, x)| *w += step * x);
            plane.bias += step * bias_unit;
            self.updates[class] += 1;
        }
    }

    fn score(&self, class: usize, i: usize) -> BigRational {
        rational::score(&self.planes[class].weights, self.planes[class].bias, &self.seen[i])
    }
}

/// The weight of the class of an example, for all hyperplanes.
fn class_weight(table: &Table, class: usize, options: &Options) -> f64 {
    match &options.class_weight {
        ClassWeight::Uniform => 1.0,
        ClassWeight::Balanced => table.rows.len() as f64 / (table.count * table.size(class)) as f64,
        ClassWeight::Given(weights) => weights[class],
    }
}

/// Zeros, or numbers on [−1, 1) from stream 2⁶² + number (0 for number 0): the bias first.
fn first_plane(options: &Options, number: usize, size: usize) -> Hyperplane {
    if options.init == Init::Zero {
        return Hyperplane::zero(size);
    }
    let mut key = [0; 32];
    key[..8].copy_from_slice(&options.seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(if number == 0 { 0 } else { (1 << 62) + number as u64 });
    let mut draw = || (generator.next_u64() >> 11) as f64 / 2f64.powi(52) - 1.0;
    let bias = draw();
    let weights = (0..size).map(|_| draw()).collect();
    Hyperplane { weights, bias: if options.bias == Bias::None { 0.0 } else { bias } }
}

/// The first of the highest scores.
fn highest(scores: &[BigRational]) -> usize {
    let most = scores.iter().max().unwrap();
    scores.iter().position(|score| score == most).unwrap()
}

/// A model's hyperplanes; in the dual form with a coefficient for each training row.
fn planes(fit: &Fit, n: usize) -> Vec<Hyperplane> {
    match &fit.classifier {
        Classifier::Linear(planes) => planes.clone(),
        Classifier::Dual(dual) => {
            let spread = |plane: &Hyperplane| {
                let mut all = Hyperplane { bias: plane.bias, ..Hyperplane::zero(n) };
                let places = dual.support.examples.iter().zip(&plane.weights);
                places.for_each(|(&row, &coefficient)| all.weights[row] = coefficient);
                all
            };
            dual.planes.iter().map(spread).collect()
        }
        Classifier::Voted(_) => unreachable!(),
    }
}

/// Options for some of the features or some kernel, with weights for five classes.
fn options() -> impl Strategy<Value = Options> {
    let kernel = prop_oneof![Just(None), draw::kernel().prop_map(Some)];
    let update = prop_oneof![3 => Just(Update::PERCEPTRON), 1 => (0u8..4).prop_map(|m| Update::margin(m.into()))];
    (draw::whole_epochs(), kernel, update, vec(0.1..10.0, 5)).prop_map(
        |(options, kernel, update, weights)| {
            let class_weight = match options.class_weight {
                ClassWeight::Given(_) => ClassWeight::Given(weights),
                other => other,
            };
            let init = if kernel.is_some() { Init::Zero } else { options.init };
            Options { kernel, update, class_weight, init, ..options }
        },
    )
}

/// Cuts the weights to the number of classes.
fn fitting(options: Options, table: &Table) -> Options {
    let class_weight = match options.class_weight {
        ClassWeight::Given(weights) => ClassWeight::Given(weights[..table.count].to_vec()),
        other => other,
    };
    Options { class_weight, ..options }
}

fn check_report(
    table: &Table,
    fit: &Fit,
    (twin, options): (&Twin, &Options),
    what: &str,
) -> Result<(), TestCaseError> {
    let report = &fit.report;
    prop_assert_eq!(report.stopped_by, twin.stop, "{}", what);
    prop_assert_eq!(report.converged, twin.stop == Stop::CleanEpoch);
    prop_assert_eq!(report.updates, twin.updates.iter().sum::<u64>());
    let epoch = |number: usize| twin.mistakes.iter().map(|mistakes| mistakes[number]).sum();
    let together: Vec<u64> = (0..report.epochs as usize).map(epoch).collect();
    prop_assert_eq!(&report.mistakes_per_epoch, &together, "{}", what);
    let of_row = |i: usize| -> Vec<BigRational> {
        (0..table.count).map(|class| twin.score(class, i)).collect()
    };
    let scores: Vec<Vec<BigRational>> = (0..table.rows.len()).map(of_row).collect();
    let wrong =
        scores.iter().zip(&table.classes).filter(|(row, class)| highest(row) != **class as usize);
    prop_assert_eq!(report.errors.of(Kept::Last), Some(wrong.count()), "{}", what);
    for (class, report) in report.per_class.as_ref().unwrap().iter().enumerate() {
        prop_assert_eq!(report.examples, table.size(class));
        prop_assert_eq!(report.updates, twin.updates[class]);
        prop_assert_eq!(&report.mistakes_per_epoch, &twin.mistakes[class]);
        prop_assert_eq!(report.converged, twin.mistakes[class].last() == Some(&0));
        let wrong = |(row, &other): (&Vec<BigRational>, &u32)| {
            let sign = if other as usize == class { Sign::Plus } else { Sign::Minus };
            predicted(rational::sign(&row[class]), options.zero) != sign
        };
        let errors = scores.iter().zip(&table.classes).filter(|&each| wrong(each)).count();
        prop_assert_eq!(report.errors.of(Kept::Last), Some(errors), "{}", what);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn a_joint_run_has_the_bits_of_the_twin(table in table(), options in options()) {
        let options = Options { keep: Keep::Last, decay: None, ..fitting(options, &table) };
        let twin = Twin::train(&table, &options);
        let check = |rows: &Rows<'_>, resources, what: &str| {
            let fit = table.fit(rows, &options, resources);
            for (found, expected) in planes(&fit, table.rows.len()).iter().zip(&twin.planes) {
                prop_assert_eq!(bits(&found.weights), bits(&expected.weights), "{}", what);
                prop_assert_eq!(found.bias.to_bits(), expected.bias.to_bits());
            }
            check_report(&table, &fit, (&twin, &options), what)
        };
        for (layout, rows) in layouts::all(&table.rows) {
            check(&rows, Resources::default(), layout)?;
        }
        let memories = [0, 100, 1 << 20, 300];
        for (block, memory) in [1, 2, 3, 7].into_iter().zip(memories) {
            let resources = Resources { threads: 3, memory, block: Some(block) };
            check(&table.matrix(), resources, &format!("{resources:?}"))?;
        }
    }

    /// A hyperplane without further updates stays constant while the others continue; its mean does not.
    #[test]
    fn each_class_is_a_run_of_two_classes(table in table(), options in options()) {
        let class_weight = ClassWeight::Uniform;
        let options = Options { init: Init::Zero, allow_mistakes: 0, class_weight, ..options };
        let rows = table.matrix();
        for keep in [Keep::Last, Keep::Average] {
            let options = Options { keep, ..options.clone() };
            let joint = table.fit(&rows, &options, Resources::default());
            for (class, joint_plane) in planes(&joint, table.rows.len()).iter().enumerate() {
                let classes: Vec<u32> = table.signs(class).iter().map(|&sign| u32::from(sign == Sign::Plus)).collect();
                let two = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
                let alone = fit(&two, &options, &Resources::default(), None, &mut ()).unwrap();
                if keep == Keep::Last || alone.report.epochs == joint.report.epochs {
                    let plane = &planes(&alone, table.rows.len())[0];
                    prop_assert_eq!(bits(&plane.weights), bits(&joint_plane.weights));
                    prop_assert_eq!(plane.bias.to_bits(), joint_plane.bias.to_bits());
                    let report = &joint.report.per_class.as_ref().unwrap()[class];
                    prop_assert_eq!(report.updates, alone.report.updates);
                    prop_assert_eq!(&report.errors, &alone.report.errors);
                    // In a kernel's space the bounds on norms grow with the number of rows.
                    if options.kernel.is_none() {
                        let margins = (alone.report.min_margin, alone.report.margin);
                        prop_assert_eq!((report.min_margin, report.margin), margins);
                        prop_assert_eq!(report.novikoff_bound, alone.report.novikoff_bound);
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_highest_score_decides(
        table in table(),
        options in options(),
        keep in proptest::sample::select(vec![Keep::Last, Keep::Average, Keep::Auto, Keep::Pocket]),
        compare in any::<bool>(),
    ) {
        let options = Options { keep, compare, ..fitting(options, &table) };
        let rows = table.matrix();
        let fit = table.fit(&rows, &options, Resources::default());
        let seen = match options.kernel {
            None => table.rows.clone(),
            Some(kernel) => kernel_values(kernel, &table.rows, &table.rows),
        };
        let planes = planes(&fit, table.rows.len());
        let labelled = Labelled::new(&rows, &table.classes, table.scheme()).unwrap();
        let model = crate::common::model(fit.classifier, &labelled, options.zero);
        let found = model.classify(&rows, PredictOptions::default(), true).unwrap();
        let mut errors = 0;
        for (row, seen) in seen.iter().enumerate() {
            let score = |plane: &Hyperplane| rational::score(&plane.weights, plane.bias, seen);
            let scores: Vec<BigRational> = planes.iter().map(score).collect();
            prop_assert_eq!(found.classes[row], highest(&scores) as u32);
            let rounded: Vec<f64> = scores.iter().map(rational::nearest).collect();
            let start = row * table.count;
            prop_assert_eq!(bits(&found.scores[start..start + table.count]), bits(&rounded));
            errors += usize::from(found.classes[row] != table.classes[row]);
        }
        prop_assert_eq!(fit.report.training_errors, Some(errors));
        let is_free = keep == Keep::Auto && fit.report.converged;
        prop_assert!(fit.report.kept == keep.kept() || is_free && fit.report.kept == Kept::Last);
    }

    #[test]
    fn the_first_highest_vote_decides(table in table(), options in options()) {
        let options = Options { keep: Keep::Vote, init: Init::Zero, ..fitting(options, &table) };
        let rows = table.matrix();
        let fit = table.fit(&rows, &options, Resources::default());
        if options.kernel.is_some() {
            // The rows of the run, in the order of their first mistakes.
            let last = Options { keep: Keep::Last, ..options.clone() };
            let last = table.fit(&rows, &last, Resources::default());
            prop_assert_eq!(fit.classifier.support(), last.classifier.support());
        }
        let labelled = Labelled::new(&rows, &table.classes, table.scheme()).unwrap();
        let model = crate::common::model(fit.classifier, &labelled, options.zero);
        let found = model.classify(&rows, PredictOptions::default(), true).unwrap();
        let mut errors = 0;
        for (row, votes) in found.scores.chunks(table.count).enumerate() {
            let most = votes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let first = votes.iter().position(|&vote| vote == most).unwrap();
            prop_assert_eq!(found.classes[row], first as u32);
            errors += usize::from(found.classes[row] != table.classes[row]);
        }
        prop_assert_eq!(fit.report.errors.of(Kept::Vote), Some(errors));
        prop_assert_eq!((fit.report.kept, fit.report.training_errors), (Kept::Vote, Some(errors)));
    }

    #[test]
    fn two_classes_are_those_of_train(
        table in draw::any_table(),
        options in draw::perceptron(),
        keep in proptest::sample::select(vec![Keep::Last, Keep::Average, Keep::Auto, Keep::Pocket]),
        positive in 0usize..2,
    ) {
        // A squared radius past the range is rejected.
        let bias = if options.bias == Bias::Radius { Bias::Unit } else { options.bias };
        let options = Options { keep, bias, compare: true, ..options };
        let rows = table.matrix();
        let alone = train(&table.examples(&rows), &options, &mut ()).unwrap();
        let class = |&sign: &Sign| if sign == Sign::Plus { positive } else { 1 - positive } as u32;
        let classes: Vec<u32> = table.signs.iter().map(class).collect();
        // One weight per class, where `train` takes one per sign.
        let class_weight = match options.class_weight.clone() {
            ClassWeight::Given(weights) if positive == 0 => ClassWeight::Given(vec![weights[1], weights[0]]),
            other => other,
        };
        let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive }).unwrap();
        let options = Options { class_weight, ..options };
        let fit = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
        let Classifier::Linear(planes) = fit.classifier else { unreachable!() };
        prop_assert_eq!(bits(&planes[0].weights), bits(&alone.hyperplane.weights));
        prop_assert_eq!(planes[0].bias.to_bits(), alone.hyperplane.bias.to_bits());
        prop_assert_eq!(fit.report, alone.report);
    }
}

#[test]
fn first_weights_differ_by_class() {
    let options = Options { init: Init::Random, ..Options::default() };
    let planes: Vec<Hyperplane> = (0..3).map(|number| first_plane(&options, number, 2)).collect();
    assert!(planes[0] != planes[1] && planes[1] != planes[2] && planes[0] != planes[2]);
}

/// Classes without examples are rejected by number.
#[test]
fn a_class_must_occur() {
    let rows = Rows::dense(vec![1.0, 2.0, 3.0], 1).unwrap();
    let scheme = Scheme::OneVsRest { classes: 4 };
    let labelled = Labelled::new(&rows, &[0, 3, 1], scheme).unwrap();
    let error =
        fit(&labelled, &Options::default(), &Resources::default(), None, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "there is no example of class 3 of 4");
}
