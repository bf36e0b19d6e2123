//! Several classes that are learned together: the engine makes the run of the definition, with every layout, rule and way
//! to run, and the theorem of Kesler's rows holds.

use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Decision, Labelled, Rows, Scheme},
    keep::{Keep, Kept},
    model::{Classifier, PredictOptions},
    reference::{
        Settings,
        joint::{ClassExample, JointHistory, average, predicted, train},
    },
    report::Stop,
    rules::Update,
    schedule::{Init, Order},
    space::Hyperplane,
    train::{
        Bias, BinaryTrainer, Checkpoint, ClassWeight, Epoch, Fit, Multiclass, Observer, Options,
        Resources, Stream, Visit, fit,
    },
};
use std::ops::ControlFlow;

use crate::common::{draw, layouts};

/// Rows of several classes, each of which occurs, with their weights.
#[derive(Clone, Debug)]
struct Table {
    rows: Vec<Vec<f64>>,
    classes: Vec<u32>,
    weights: Option<Vec<f64>>,
    count: usize,
}

fn table_of(numbers: BoxedStrategy<f64>) -> impl Strategy<Value = Table> {
    let rows =
        (1usize..=5).prop_flat_map(move |features| vec(vec(numbers.clone(), features), 6..=14));
    let weights = proptest::option::weighted(0.3, vec(0.1..10.0, 14));
    (rows, 3usize..=5, vec(0u32..5, 14), weights).prop_map(|(rows, count, mut classes, weights)| {
        classes.truncate(rows.len());
        classes.iter_mut().for_each(|class| *class %= count as u32);
        // The last rows make sure that every class occurs.
        let last = classes.iter_mut().rev();
        last.zip(0..count as u32).for_each(|(class, number)| *class = number);
        let weights = weights.map(|weights| weights[..rows.len()].to_vec());
        Table { rows, classes, weights, count }
    })
}

fn any_table() -> impl Strategy<Value = Table> {
    proptest::strategy::Union::new(draw::kinds().into_iter().map(|kind| table_of(kind).boxed()))
}

fn moderate_table() -> impl Strategy<Value = Table> {
    prop_oneof![table_of(draw::integer()), table_of(draw::tenth()), table_of(draw::ordinary())]
}

impl Table {
    fn scheme(&self) -> Scheme {
        Scheme::OneVsRest { classes: self.count }
    }

    fn labelled<'a>(&'a self, rows: &'a Rows<'a>) -> Labelled<'a> {
        let labelled = Labelled::new(rows, &self.classes, self.scheme()).unwrap();
        match &self.weights {
            Some(weights) => labelled.weighted(weights).unwrap(),
            None => labelled,
        }
    }

    fn matrix(&self) -> Rows<'static> {
        Rows::dense(self.rows.concat(), self.rows[0].len()).unwrap()
    }

    /// The options with weights for these classes only, and without weights where the rule takes none.
    fn fitting(&mut self, options: Options) -> Options {
        let class_weight = match options.class_weight {
            ClassWeight::Given(_) => {
                let weights = [3.0, 0.5, 1.0, 0.1, 7.0];
                ClassWeight::Given(weights[..self.count].to_vec())
            }
            other => other,
        };
        if !options.update.rule().takes_weights {
            self.weights = None;
        }
        Options { class_weight, classes: Multiclass::Joint, ..options }
    }

    fn class_weight(&self, class: usize, options: &Options) -> f64 {
        let size = self.classes.iter().filter(|&&other| other as usize == class).count();
        match &options.class_weight {
            ClassWeight::Uniform => 1.0,
            ClassWeight::Balanced => self.rows.len() as f64 / (self.count * size) as f64,
            ClassWeight::Given(weights) => weights[class],
        }
    }

    fn examples(&self, options: &Options) -> Vec<ClassExample> {
        let example = |i: usize| {
            let class = self.classes[i] as usize;
            let weight = self.weights.as_ref().map_or(1.0, |weights| weights[i]);
            let rate = options.eta * self.class_weight(class, options) * weight;
            ClassExample { x: self.rows[i].clone(), class, rate }
        };
        (0..self.rows.len()).map(example).collect()
    }
}

/// The run by the definition.
struct Oracle {
    examples: Vec<ClassExample>,
    run: JointHistory,
}

impl Oracle {
    fn new(table: &Table, options: &Options) -> Self {
        let examples = table.examples(options);
        let bias_unit = match options.bias {
            Bias::None => 0.0,
            Bias::Radius => rosenblatt_core::radius::radius(&table.matrix()).square,
            Bias::Unit => 1.0,
            Bias::Feature(size) => size * size,
        };
        let Options { update, mistake, zero, allow_mistakes, .. } = *options;
        let decay = options.decay;
        let settings =
            Settings { update, mistake, zero, bias_unit, decay, penalty: None, allow_mistakes };
        let Init::Given(first) = &options.init else { panic!("the first weights are given") };
        let order = |epoch| {
            let mut order = vec![0; examples.len()];
            options.order.arrange(options.seed, epoch, &mut order);
            order
        };
        let orders: Vec<Vec<usize>> = (1..=options.epochs).map(order).collect();
        let run = train(&examples, first, &settings, &orders);
        Oracle { examples, run }
    }

    /// The hyperplanes that a run keeps.
    fn kept(&self, keep: Keep) -> Vec<Hyperplane> {
        match keep {
            Keep::Last => self.run.last().to_vec(),
            _ => average(&self.run, &self.examples),
        }
    }

    fn errors(&self, planes: &[Hyperplane]) -> usize {
        self.examples.iter().filter(|one| predicted(planes, &one.x) != one.class).count()
    }
}

/// Options of every rule that keep the last weights or the average, and start from given weights.
fn options() -> impl Strategy<Value = Options> {
    let options = prop_oneof![draw::perceptron(), draw::other_rule()].prop_map(draw::visiting_all);
    let keep = prop_oneof![Just(Keep::Last), Just(Keep::Average)];
    let start = (any::<bool>(), vec(prop_oneof![draw::integer(), draw::ordinary()], 30));
    (options, keep, start).prop_map(|(options, keep, (is_zero, start))| {
        let number = |place: usize| if is_zero { 0.0 } else { start[place] };
        let plane = |class: usize| Hyperplane {
            weights: (0..5).map(|j| number(6 * class + j)).collect(),
            bias: if options.bias == Bias::None { 0.0 } else { number(6 * class + 5) },
        };
        let init = Init::Given((0..5).map(plane).collect());
        Options { keep, init, ..options }
    })
}

/// The options for a table: its number of classes and features.
fn fitted(options: Options, table: &mut Table) -> Options {
    let mut options = table.fitting(options);
    if let Init::Given(planes) = &options.init {
        let mut planes = planes[..table.count].to_vec();
        planes.iter_mut().for_each(|plane| plane.weights.truncate(table.rows[0].len()));
        options.init = Init::Given(planes.into());
    }
    options
}

/// Sees every visit of every example.
#[derive(Default)]
struct Watching {
    visits: Vec<(usize, Visit)>,
    /// The visits that the trainer of each visit counted.
    counted: Vec<u64>,
    checkpoints: Vec<Checkpoint>,
}

impl Observer for Watching {
    fn visited(&mut self, example: usize, visit: Visit, of: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.visits.push((example, visit));
        self.counted.push(of.learner().visits());
        ControlFlow::Continue(())
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.checkpoints.push(make());
        ControlFlow::Continue(())
    }
}

fn bits(planes: &[Hyperplane]) -> Vec<u64> {
    let numbers = planes.iter().flat_map(|plane| plane.weights.iter().chain([&plane.bias]));
    numbers.map(|number| number.to_bits()).collect()
}

fn planes(fit: &Fit) -> &[Hyperplane] {
    fit.classifier.linear().unwrap()
}

fn check_report(fit: &Fit, oracle: &Oracle, table: &Table) -> Result<(), TestCaseError> {
    let (report, run) = (&fit.report, &oracle.run);
    let updates = run.visits().filter(|visit| visit.step.is_some()).count() as u64;
    prop_assert_eq!(report.updates, updates);
    prop_assert_eq!(&report.mistakes_per_epoch, &run.mistakes_per_epoch());
    prop_assert_eq!(report.converged, run.converged);
    prop_assert_eq!(report.training_errors, Some(oracle.errors(planes(fit))));
    let per_class = report.per_class.as_ref().unwrap();
    for (class, one) in per_class.iter().enumerate() {
        let is_own = |example: usize| table.classes[example] as usize == class;
        let own = || run.visits().filter(|visit| is_own(visit.example));
        prop_assert_eq!(one.updates, own().filter(|visit| visit.step.is_some()).count() as u64);
        let mistakes = own().filter(|visit| visit.mistake).count() as u64;
        prop_assert_eq!(one.mistakes_per_epoch.iter().sum::<u64>(), mistakes);
        prop_assert_eq!(one.margin.lower.or(one.margin.upper), None);
    }
    Ok(())
}

proptest! {
    /// All layouts, watched or not, have the bits of the definition.
    #[test]
    fn a_run_is_that_of_the_definition(mut table in any_table(), options in options()) {
        let options = fitted(options, &mut table);
        let matrix = table.matrix();
        if let Err(error) = fit(&table.labelled(&matrix), &options, &Resources::default(), None, &mut ()) {
            // A number leaves the range of `f64`, at the same example in every layout.
            for (name, rows) in layouts::all(&table.rows) {
                let found = fit(&table.labelled(&rows), &options, &Resources::default(), None, &mut ());
                prop_assert_eq!(found.unwrap_err().to_string(), error.to_string(), "{}", name);
            }
            return Ok(());
        }
        let oracle = Oracle::new(&table, &options);
        let expected = oracle.kept(options.keep);
        for (name, rows) in layouts::all(&table.rows) {
            let labelled = table.labelled(&rows);
            let found = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
            prop_assert_eq!(bits(planes(&found)), bits(&expected), "{}", name);
            check_report(&found, &oracle, &table)?;
            let mut watching = Watching::default();
            let watched = fit(&labelled, &options, &Resources::default(), None, &mut watching).unwrap();
            prop_assert_eq!(format!("{:?}", watched.report), format!("{:?}", found.report));
            prop_assert_eq!(bits(planes(&watched)), bits(&expected));
            let visits: Vec<_> = oracle.run.visits().map(|visit| (visit.example, visit.mistake, visit.step)).collect();
            let seen = watching.visits.iter().map(|(example, visit)| (*example, visit.mistake, visit.updated.then_some(visit.step)));
            prop_assert_eq!(seen.collect::<Vec<_>>(), visits);
            prop_assert!(watching.counted.iter().copied().eq(1..=watching.visits.len() as u64));
            let own = watching.visits.iter().all(|(example, visit)| visit.hyperplane == table.classes[*example] as usize);
            prop_assert!(own);
        }
    }

    /// A run continues from the checkpoint of any epoch with the same bits.
    #[test]
    fn a_run_resumes_with_the_same_bits(mut table in moderate_table(), options in options()) {
        let options = fitted(options, &mut table);
        let rows = table.matrix();
        let labelled = table.labelled(&rows);
        let mut watching = Watching::default();
        let whole = fit(&labelled, &options, &Resources::default(), None, &mut watching).unwrap();
        for checkpoint in watching.checkpoints {
            let resumed = checkpoint.resume(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
            prop_assert_eq!(format!("{:?}", resumed.classifier), format!("{:?}", whole.classifier));
            prop_assert_eq!(format!("{:?}", resumed.report), format!("{:?}", whole.report));
        }
    }

    /// One pass batch by batch, also through a saved state, has the bits of a whole run.
    #[test]
    fn a_stream_is_a_run(mut table in moderate_table(), options in options(), cut in 1usize..6) {
        let options = fitted(options, &mut table);
        let bias = if options.bias == Bias::Radius { Bias::Unit } else { options.bias };
        let is_balanced = options.class_weight == ClassWeight::Balanced;
        let class_weight = if is_balanced { ClassWeight::Uniform } else { options.class_weight };
        let (epochs, order) = (1, Order::Given);
        let options = Options { epochs, order, bias, class_weight, decay: None, ..options };
        let rows = table.matrix();
        let whole = fit(&table.labelled(&rows), &options, &Resources::default(), None, &mut ()).unwrap();
        let mut stream = Stream::new(&options, table.scheme()).unwrap();
        for range in [0..cut, cut..table.rows.len()] {
            let part = Table {
                rows: table.rows[range.clone()].to_vec(),
                classes: table.classes[range.clone()].to_vec(),
                weights: table.weights.as_ref().map(|weights| weights[range].to_vec()),
                count: table.count,
            };
            let rows = part.matrix();
            let _ = stream.learn(&part.labelled(&rows), &mut ()).unwrap();
            let state = serde_json::to_string(&stream.state()).unwrap();
            stream = Stream::of_state(&options, table.scheme(), serde_json::from_str(&state).unwrap()).unwrap();
        }
        let (streamed, _) = stream.finish().unwrap();
        prop_assert_eq!(bits(planes(&streamed)), bits(planes(&whole)));
        prop_assert_eq!(streamed.report.updates, whole.report.updates);
        prop_assert_eq!(&streamed.report.mistakes_per_epoch, &whole.report.mistakes_per_epoch);
        prop_assert_eq!(streamed.report.margin.upper, whole.report.margin.upper);
    }

    /// Kesler's form of Novikoff's theorem, with a known separator: k ≤ 2R²/γ² (and 2M/η more in the numerator). A run
    /// reports a bound that holds, and its bounds on γ contain the separator's.
    #[test]
    fn the_theorem_holds(
        rows in vec(vec(draw::integer(), 3), 8..40),
        separator in vec(vec(draw::integer(), 4), 3..=5),
        bias in prop_oneof![Just(Bias::Unit), Just(Bias::None), Just(Bias::Radius)],
        margin in prop_oneof![Just(None), Just(Some(0.5)), Just(Some(4.0))],
        eta in prop_oneof![Just(1.0), Just(0.1)],
        seed in any::<u64>(),
    ) {
        let count = separator.len();
        let plane = |numbers: &Vec<f64>| Hyperplane {
            weights: numbers[..3].to_vec(),
            bias: if bias == Bias::None { 0.0 } else { numbers[3] },
        };
        let separator: Vec<Hyperplane> = separator.iter().map(plane).collect();
        let scores = |x: &Vec<f64>| -> Vec<f64> {
            let score = |plane: &Hyperplane| plane.weights.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + plane.bias;
            separator.iter().map(score).collect()
        };
        let (mut kept, mut classes, mut least) = (Vec::new(), Vec::new(), f64::INFINITY);
        for x in rows {
            let scores = scores(&x);
            let class = predicted(&separator, &x);
            let others = (0..count).filter(|&other| other != class).map(|other| scores[other]);
            let difference = scores[class] - others.fold(f64::NEG_INFINITY, f64::max);
            if difference > 0.0 {
                kept.push(x);
                classes.push(class as u32);
                least = least.min(difference);
            }
        }
        if !(0..count as u32).all(|class| classes.contains(&class)) {
            return Ok(());
        }
        let norm: f64 = separator.iter().map(|plane| {
            let square: f64 = plane.weights.iter().map(|w| w * w).sum();
            square + if bias == Bias::Unit { plane.bias * plane.bias } else { 0.0 }
        }).sum();
        // Weights of norm 0 separate by their biases alone, without a geometric margin.
        if norm == 0.0 {
            return Ok(());
        }
        let gamma = least / norm.sqrt();
        let table = Table { rows: kept, classes, weights: None, count };
        let update = margin.map_or(Update::PERCEPTRON, Update::margin);
        let options = Options { update, bias, eta, seed, keep: Keep::Last, epochs: 100_000, classes: Multiclass::Joint, ..Options::default() };
        let matrix = table.matrix();
        let report = fit(&table.labelled(&matrix), &options, &Resources::default(), None, &mut ()).unwrap().report;
        let square = rosenblatt_core::radius::radius(&matrix).square;
        let (square, factor) = match bias {
            Bias::Unit => (square + 1.0, 1.0),
            Bias::None => (square, 1.0),
            // ‖(x, R)‖² = 2R², and the separator (w, b/R) is at most √2 as long.
            _ => (2.0 * square, 2.0),
        };
        let most = factor * (2.0 * square + 2.0 * margin.unwrap_or(0.0) / eta) / (gamma * gamma);
        prop_assert!(report.converged);
        prop_assert!(report.updates as f64 <= most * (1.0 + 1e-12), "{} > {most}", report.updates);
        if let Some(bound) = report.novikoff_bound {
            prop_assert!(report.updates as f64 <= bound);
            prop_assert!(bound >= most.min(bound));
        }
        if let Some(upper) = report.margin.upper {
            prop_assert!(gamma <= upper * (1.0 + 1e-12), "{gamma} > {upper}");
        }
        if let (Some(lower), Some(upper)) = (report.margin.lower, report.margin.upper) {
            prop_assert!(lower <= upper);
        }
        if table.rows.iter().flatten().any(|&x| x != 0.0) {
            prop_assert_eq!(report.separator, Some(Kept::Last));
            prop_assert!(report.novikoff_bound.is_some());
        }
    }

    /// With two classes both ways are one.
    #[test]
    fn two_classes_are_learned_alike(table in draw::moderate_table(), options in draw::perceptron()) {
        let rows = table.matrix();
        let classes: Vec<u32> = table.signs.iter().map(|sign| u32::from(sign.as_f64() > 0.0)).collect();
        let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
        let run = |classes| {
            let options = Options { classes, ..options.clone() };
            format!("{:?}", fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap())
        };
        prop_assert_eq!(run(Multiclass::Joint), run(Multiclass::OneVsRest));
    }
}

/// Three classes of points on a line: the class in the middle is not separable from the rest, but jointly all are.
#[test]
fn a_class_between_two_others() {
    let rows = Rows::dense(vec![-3.0, -2.0, -0.5, 0.5, 2.0, 3.0], 1).unwrap();
    let classes = [0, 0, 1, 1, 2, 2];
    let scheme = Scheme::OneVsRest { classes: 3 };
    let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
    let run = |classes| {
        let options = Options { classes, keep: Keep::Last, epochs: 1000, ..Options::default() };
        fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap()
    };
    let alone = run(Multiclass::OneVsRest);
    assert!(!alone.report.converged);
    let joint = run(Multiclass::Joint);
    assert_eq!(
        (joint.report.stopped_by, joint.report.training_errors),
        (Stop::CleanEpoch, Some(0))
    );
    let Classifier::Linear(_) = &joint.classifier else { panic!("linear") };
    let by = Decision::from(scheme);
    let found = joint.classifier.classify(&rows, by, PredictOptions::default(), false).unwrap();
    assert_eq!(found.classes, classes);
    assert!(joint.report.updates as f64 <= joint.report.novikoff_bound.unwrap());
}

/// Ends the run after some visits.
struct Stopping(usize);

impl Observer for Stopping {
    fn visited(&mut self, _: usize, _: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn epoch_ended(&mut self, _: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn an_observer_stops_a_run_after_an_example() {
    let rows = Rows::dense(vec![-3.0, -2.0, -0.5, 0.5, 2.0, 3.0], 1).unwrap();
    let labelled =
        Labelled::new(&rows, &[0, 0, 1, 1, 2, 2], Scheme::OneVsRest { classes: 3 }).unwrap();
    let options = Options { classes: Multiclass::Joint, epochs: 3, ..Options::default() };
    for (visits, epochs) in [(1, 1), (6, 2), (7, 2), (17, 3)] {
        let run = fit(&labelled, &options, &Resources::default(), None, &mut Stopping(visits));
        let report = run.unwrap().report;
        assert_eq!((report.stopped_by, report.epochs), (Stop::Observer, epochs.min(report.epochs)));
    }
}

#[test]
fn kernels_pockets_and_votes_are_errors() {
    let rows = Rows::dense(vec![0.0, 1.0, 2.0], 1).unwrap();
    let three = Labelled::new(&rows, &[0, 1, 2], Scheme::OneVsRest { classes: 3 }).unwrap();
    let two = Labelled::new(&rows, &[0, 1, 1], Scheme::Two { positive: 1 }).unwrap();
    let joint = Options { classes: Multiclass::Joint, ..Options::default() };
    for (options, unsuited) in [
        (Options { keep: Keep::Vote, ..joint.clone() }, "vote"),
        (Options { keep: Keep::Pocket, ..joint.clone() }, "pocket"),
        (Options { kernel: Some("poly:2".parse().unwrap()), ..joint }, "kernel"),
    ] {
        let error = fit(&three, &options, &Resources::default(), None, &mut ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("several classes learned together have no {unsuited}")
        );
        assert!(fit(&two, &options, &Resources::default(), None, &mut ()).is_ok());
    }
}
