//! The experiment of Y. Freund & R. E. Schapire, "Large margin classification using the perceptron algorithm",
//! *Machine Learning* 37, 1999, sections 4 and 5: `paper MNIST DEGREE SEED` prints for each number of epochs the test error
//! of each tally in per cent, the different images that any of ten perceptrons was mistaken on, and the mistakes of all.
//!
//! Ten digits each against the rest, kernels (1 + x·y)^d on raw pixels. A run goes over 60,000 images in a random order,
//! the same in every epoch; the lines are its states after 0.1, 1, 2, 3, 4 and 10 epochs.
#![allow(clippy::print_stdout)]

use std::{env, error::Error, ops::ControlFlow, path::Path, thread};

use rosenblatt_core::{
    data::{Labelled, Rows, Scheme},
    keep::{Keep, Tally, VoteTerms, Voted, WeightSequence},
    schedule::Order,
    space::{CanonicalRows, Kernel},
    train::{Bias, BinaryTrainer, Observer, Options, Resources, Visit, fit},
};
use rosenblatt_data::{ReadOptions, Source, read};

const EPOCHS: [f64; 6] = [0.1, 1.0, 2.0, 3.0, 4.0, 10.0];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [folder, degree, seed] = words.as_slice() else { return Err("MNIST DEGREE SEED".into()) };
    let (degree, threads) = (degree.parse()?, thread::available_parallelism()?.get());
    let (rows, classes) = images(folder, "train-images-idx3-ubyte.gz")?;
    let mut order = vec![0; classes.len()];
    Order::Shuffle.arrange(seed.parse()?, 1, &mut order);
    let rows = rows.select(&order);
    let classes: Vec<u32> = order.iter().map(|&i| classes[i]).collect();

    let poly = Kernel::Poly { degree, coef0: 1.0, gamma: 1.0 };
    // (1 + x·y)^1 is the space of the pixels with a bias.
    let (kernel, bias) = if degree == 1 { (None, Bias::Unit) } else { (Some(poly), Bias::None) };
    let (order, epochs) = (Order::Given, 10);
    let options = Options { keep: Keep::Last, order, epochs, kernel, bias, ..Options::default() };
    let labelled = Labelled::new(&rows, &classes, Scheme::OneVsRest { classes: 10 })?;
    let mut watch = Watch(vec![WeightSequence::default(); 10]);
    fit(&labelled, &options, &Resources { threads, ..Resources::default() }, None, &mut watch)?;

    let (kernel, bias_unit) = if degree == 1 { (Kernel::Linear, 1.0) } else { (poly, 0.0) };
    let paths: Vec<&WeightSequence> = watch.0.iter().collect();
    let terms = VoteTerms { kernel, bias_unit, zero: options.zero, seed: 0 };
    let voted = Voted::new(terms, &rows, &paths)?;
    let (test, classes) = images(folder, "t10k-images-idx3-ubyte.gz")?;
    let test = CanonicalRows::new(&test);
    for epochs in EPOCHS {
        let voted = voted.until((epochs * rows.len() as f64).round() as u64)?;
        let scores = voted.tallies(&test, threads)?;
        let errors = (0..Tally::ALL.len()).map(|tally| error(&scores, &classes, tally).to_string());
        let mistakes: usize = voted.paths.iter().map(|path| path.moves.len()).sum();
        let errors = errors.collect::<Vec<_>>().join(",");
        println!("{degree},{epochs},{errors},{},{mistakes}", voted.support.examples.len());
    }
    Ok(())
}

fn images(folder: &str, file: &str) -> Result<(Rows<'static>, Vec<u32>), Box<dyn Error>> {
    let source = Source::open_labelled(&Path::new(folder).join(file), None)?;
    let dataset = read(source, &ReadOptions::default())?;
    let (_, classes) = dataset.classes(None)?;
    Ok((dataset.rows, classes))
}

/// The paths of all hyperplanes.
struct Watch(Vec<WeightSequence>);

impl Observer for Watch {
    fn visited(&mut self, example: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.0[visit.hyperplane].visited(example, visit);
        ControlFlow::Continue(())
    }
}

/// The share of images whose highest score is of another digit, in per cent.
fn error(scores: &[[f64; 7]], classes: &[u32], tally: usize) -> f64 {
    let highest = |scores: &[[f64; 7]]| {
        let better = |best: usize, plane: usize| {
            if scores[plane][tally] > scores[best][tally] { plane } else { best }
        };
        (1..scores.len()).fold(0, better)
    };
    let predicted = scores.chunks(10).map(highest);
    let wrong = predicted.zip(classes).filter(|(plane, class)| *plane != **class as usize);
    100.0 * wrong.count() as f64 / classes.len() as f64
}
