//! The experiment of Y. Freund & R. E. Schapire, "Large margin classification using the perceptron
//! algorithm", *Machine Learning* 37, 1999, sections 4 and 5: MNIST, ten digits each against the rest,
//! kernels (1 + x·y)^d on raw pixels, and all ways to predict from one run.
//!
//! A run goes over 60,000 images in a random order, the same in every epoch; the columns of the table
//! are the states of that run after 0.1, 1, 2, 3, 4 and 10 epochs, the figures means over some orders. `SupVec` counts the different images
//! that any of the ten perceptrons was mistaken on, `Mistake` the mistakes of all ten.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
};

use indicatif::{ProgressBar, ProgressStyle};
use rosenblatt::{
    data::{Labelled, Rows, Scheme},
    keep::{Keep, Tally, VoteTerms, Voted, WeightSequence as Votes},
    schedule::Order,
    space::{CanonicalRows, Kernel},
    train::{Bias, BinaryTrainer, Epoch, Observer, Options, Resources, Visit, fit},
};
use rosenblatt_data::{ReadOptions, Source, read};

mod figures;
mod page;

use figures::{COLUMNS, Column};

/// Steps of the progress bar for each degree and order: ten epochs, and each column's evaluation.
const STEPS: u64 = 10 + COLUMNS.len() as u64;
/// The seeds of the orders.
const SEEDS: [u64; 2] = [0, 1];

type Failure = Box<dyn std::error::Error>;

/// What came out for one degree: for each column the test error of each tally in per cent, and the
/// counts.
struct Outcome {
    degree: u32,
    columns: Vec<Column>,
}

/// Images and labels.
struct Set {
    rows: Rows<'static>,
    classes: Vec<u32>,
}

/// The degrees that were asked for; all if none was.
pub(crate) fn degrees(words: &[&str]) -> Option<Vec<u32>> {
    if words.is_empty() {
        return Some((1..=6).collect());
    }
    let degree = |word: &&str| word.parse().ok().filter(|degree| (1..=6).contains(degree));
    words.iter().map(degree).collect()
}

/// Runs the experiment and, for all degrees, writes the page. Fails when a figure is off by more than
/// expected.
pub(crate) fn run(degrees: &[u32], data: Option<PathBuf>, root: &Path) -> ExitCode {
    let Some(data) = data else {
        eprintln!("error: ROSENBLATT_DATA names no folder with `mnist`");
        return ExitCode::from(2);
    };
    match experiment(degrees, &data.join("mnist"), root) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn experiment(degrees: &[u32], mnist: &Path, root: &Path) -> Result<bool, Failure> {
    let train = Set::read(&mnist.join("train-images-idx3-ubyte.gz"))?;
    let trains = SEEDS.map(|seed| train.shuffled(seed));
    let test = Set::read(&mnist.join("t10k-images-idx3-ubyte.gz"))?;
    let bar = ProgressBar::new(STEPS * (degrees.len() * SEEDS.len()) as u64);
    let template = "{msg:24} {wide_bar} {pos}/{len} {elapsed} (left: {eta})";
    bar.set_style(ProgressStyle::with_template(template)?);
    let mut outcomes = Vec::new();
    for &degree in degrees {
        let of_order = |train| one_order(degree, train, &test, &bar);
        let columns = trains.iter().map(of_order).collect::<Result<Vec<_>, _>>()?;
        outcomes.push(Outcome { degree, columns: figures::means(&columns) });
    }
    bar.finish_and_clear();
    let (table, complaints) = (page::table(&outcomes), page::complaints(&outcomes));
    println!("{table}");
    complaints.iter().for_each(|complaint| println!("off: {complaint}"));
    if degrees.len() == 6 {
        let path = root.join("docs/freund-schapire.md");
        std::fs::write(&path, page::page(&table, &complaints, (&outcomes, SEEDS.len())))?;
        println!("written to {}", path.display());
    }
    Ok(complaints.is_empty())
}

impl Set {
    fn read(images: &Path) -> Result<Self, Failure> {
        let options = ReadOptions { threads: threads(), ..ReadOptions::default() };
        let dataset = read(Source::open_labelled(images, None)?, &options)?;
        let (_, classes) = dataset.classes(None)?;
        Ok(Set { rows: dataset.rows, classes })
    }

    /// The set in a random order, which every epoch then keeps.
    fn shuffled(&self, seed: u64) -> Self {
        let mut order = vec![0; self.classes.len()];
        Order::Shuffle.arrange(seed, 1, &mut order);
        let classes = order.iter().map(|&i| self.classes[i]).collect();
        Set { rows: self.rows.select(&order), classes }
    }
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Notes the paths of all hyperplanes, and moves the bar on after each epoch.
struct Watch<'b> {
    bar: &'b ProgressBar,
    paths: Vec<Votes>,
}

impl Observer for Watch<'_> {
    fn visited(&mut self, example: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.paths[visit.hyperplane].visited(example, visit);
        ControlFlow::Continue(())
    }

    fn epoch_ended(&mut self, _: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.bar.inc(1);
        ControlFlow::Continue(())
    }
}

fn one_order(
    degree: u32,
    train: &Set,
    test: &Set,
    bar: &ProgressBar,
) -> Result<Vec<Column>, Failure> {
    bar.set_message(format!("d = {degree}: training"));
    let scheme = Scheme::OneVsRest { classes: 10 };
    let labelled = Labelled::new(&train.rows, &train.classes, scheme)?;
    let last = COLUMNS[COLUMNS.len() - 1];
    let visits = |epochs: f64| (epochs * train.rows.len() as f64).round() as u64;
    let poly = Kernel::Poly { degree, coef0: 1.0, gamma: 1.0 };
    // (1 + x·y)^1 is the space of the pixels with a bias.
    let (kernel, bias) = if degree == 1 { (None, Bias::Unit) } else { (Some(poly), Bias::None) };
    let (order, epochs) = (Order::Given, last as u64);
    let options = Options { keep: Keep::Last, order, epochs, kernel, bias, ..Options::default() };
    let resources = Resources { threads: threads(), ..Resources::default() };
    let mut watch = Watch { bar, paths: vec![Votes::default(); 10] };
    fit(&labelled, &options, &resources, None, &mut watch)?;
    let (kernel, bias_unit) = if degree == 1 { (Kernel::Linear, 1.0) } else { (poly, 0.0) };
    let paths: Vec<&Votes> = watch.paths.iter().collect();
    let terms = VoteTerms { kernel, bias_unit, zero: options.zero, seed: 0 };
    let voted = Voted::new(terms, &train.rows, &paths)?;
    let packed = CanonicalRows::new(&test.rows);
    let column = |&epochs: &f64| {
        bar.set_message(format!("d = {degree}: testing T = {epochs}"));
        let column = evaluate(&voted.until(visits(epochs))?, &packed, &test.classes)?;
        bar.inc(1);
        Ok(column)
    };
    COLUMNS.iter().map(column).collect()
}

/// Test errors of every tally, and the counts of the model.
fn evaluate(voted: &Voted, rows: &CanonicalRows, classes: &[u32]) -> Result<Column, Failure> {
    let all = voted.tallies(rows, threads())?;
    let planes = voted.paths.len();
    let wrong = |tally: usize| {
        let highest = |scores: &[[f64; 7]]| {
            let better = |best: usize, plane: usize| {
                if scores[plane][tally] > scores[best][tally] { plane } else { best }
            };
            (1..planes).fold(0, better)
        };
        let predicted = all.chunks(planes).map(highest);
        predicted.zip(classes).filter(|(plane, class)| *plane != **class as usize).count()
    };
    let error = |tally: usize| 100.0 * wrong(tally) as f64 / classes.len() as f64;
    Ok(Column {
        errors: std::array::from_fn::<f64, { Tally::ALL.len() }, _>(error).map(Some),
        support: voted.support.examples.len() as f64,
        mistakes: voted.paths.iter().map(|path| path.moves.len() as f64).sum(),
    })
}
