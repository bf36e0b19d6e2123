//! The experiment of Y. Freund & R. E. Schapire, "Large margin classification using the perceptron
//! algorithm", *Machine Learning* 37, 1999, sections 4 and 5: MNIST, ten digits each against the rest,
//! kernels (1 + x·y)^d on raw pixels, and all ways to predict from one run.
//!
//! A run goes over 60,000 images in one random order, the same in every epoch; the columns of the table
//! are the states of that run after 0.1, 1, 2, 3, 4 and 10 epochs. `SupVec` counts the different images
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
    keep::{Keep, Tally, Voted},
    model::Classifier,
    schedule::Order,
    space::{Kernel, Packed},
    train::{Bias, Epoch, Learner, Observer, Options, Resources, fit},
};
use rosenblatt_data::{ReadOptions, Source, read};

mod figures;
mod page;

use figures::{COLUMNS, Column};

/// Steps of the progress bar for each degree: ten epochs, and each column's evaluation.
const STEPS: u64 = 10 + COLUMNS.len() as u64;
/// The order of the images. One order scatters as one draw of the paper's would.
const SEED: u64 = 0;

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
    let train = Set::read(&mnist.join("train-images-idx3-ubyte.gz"), true)?;
    let test = Set::read(&mnist.join("t10k-images-idx3-ubyte.gz"), false)?;
    let bar = ProgressBar::new(STEPS * degrees.len() as u64);
    let template = "{msg:24} {wide_bar} {pos}/{len} {elapsed} (left: {eta})";
    bar.set_style(ProgressStyle::with_template(template)?);
    let mut outcomes = Vec::new();
    for &degree in degrees {
        outcomes.push(one_degree(degree, &train, &test, &bar)?);
    }
    bar.finish_and_clear();
    let (table, complaints) = (page::table(&outcomes), page::complaints(&outcomes));
    println!("{table}");
    complaints.iter().for_each(|complaint| println!("off: {complaint}"));
    if degrees.len() == 6 {
        let path = root.join("docs/freund-schapire.md");
        std::fs::write(&path, page::page(&table, &complaints))?;
        println!("written to {}", path.display());
    }
    Ok(complaints.is_empty())
}

impl Set {
    /// Reads a set; the training set comes in a random order, which every epoch then keeps.
    fn read(images: &Path, shuffled: bool) -> Result<Self, Failure> {
        let options = ReadOptions { threads: threads(), ..ReadOptions::default() };
        let dataset = read(Source::open_labelled(images, None)?, &options)?;
        let (_, classes) = dataset.classes(None)?;
        let mut order = vec![0; classes.len()];
        let how = if shuffled { Order::Shuffle } else { Order::Given };
        how.arrange(SEED, 1, &mut order);
        let classes = order.iter().map(|&i| classes[i]).collect();
        Ok(Set { rows: dataset.rows.select(&order), classes })
    }
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Moves the bar on after each epoch.
struct Watch<'b>(&'b ProgressBar);

impl Observer for Watch<'_> {
    fn epoch_ended(&mut self, _: Epoch, _: &Learner) -> ControlFlow<()> {
        self.0.inc(1);
        ControlFlow::Continue(())
    }
}

fn one_degree(degree: u32, train: &Set, test: &Set, bar: &ProgressBar) -> Result<Outcome, Failure> {
    bar.set_message(format!("d = {degree}: training"));
    let scheme = Scheme::OneAgainstRest { classes: 10 };
    let labelled = Labelled::new(&train.rows, &train.classes, scheme)?;
    let last = COLUMNS[COLUMNS.len() - 1];
    let visits = |epochs: f64| (epochs * train.rows.len() as f64).round() as u64;
    // (1 + x·y)^1 is the space of the pixels with a bias.
    let (kernel, bias) = match degree {
        1 => (None, Bias::Unit),
        _ => (Some(Kernel::Poly { degree, coef0: 1.0, gamma: 1.0 }), Bias::None),
    };
    let (keep, order, epochs) = (Keep::Vote, Order::Given, last as u64);
    let options = Options { keep, order, epochs, kernel, bias, ..Options::default() };
    let resources = Resources { threads: threads(), ..Resources::default() };
    let fit = fit(&labelled, &options, &resources, None, &mut Watch(bar))?;
    let Classifier::Voted(voted) = fit.classifier else {
        return Err("a vote was asked for, something else came".into());
    };
    let packed = Packed::new(&test.rows);
    let column = |&epochs: &f64| {
        bar.set_message(format!("d = {degree}: testing T = {epochs}"));
        let column = evaluate(&voted.until(visits(epochs)), &packed, &test.classes);
        bar.inc(1);
        column
    };
    Ok(Outcome { degree, columns: COLUMNS.iter().map(column).collect() })
}

/// Test errors of every tally, and the counts of the model.
fn evaluate(voted: &Voted, rows: &Packed, classes: &[u32]) -> Column {
    let all = voted.tallies(rows, threads());
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
    Column {
        errors: std::array::from_fn::<f64, { Tally::ALL.len() }, _>(error).map(Some),
        support: voted.support.examples.len() as u64,
        mistakes: voted.paths.iter().map(|path| path.moves.len() as u64).sum(),
    }
}
