//! Measures epochs in memory against the time to read the same memory.
//!
//! ```console
//! $ cargo bench --package rosenblatt-core --bench epochs [NAME]
//! ```
//!
//! ```console
//! $ cargo bench --package rosenblatt-core --bench epochs -- --files FOLDER NAME SEED
//! ```
//!
//! is what `bench/speed.py` asks: a set of its own files, also without the exact predicate, as JSON.
//!
//! Seeded data of the shapes of docs/performance.md; medians of several runs on one thread, in CPU time if the data fit
//! in memory, which equals wall-clock time on an idle machine.
#![allow(clippy::print_stdout, clippy::unwrap_used)] // a program for developers

use std::{hint::black_box, time::Instant};

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::Keep,
    schedule::Order,
    train::{Options, train},
};

#[path = "epochs/files.rs"]
mod files;
#[path = "epochs/plain.rs"]
mod plain;
#[path = "epochs/processor.rs"]
mod processor;

use plain::touch;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [flag, folder, name, seed] = words.as_slice()
        && flag == "--files"
    {
        return files::measure(folder.as_ref(), name, seed.parse().unwrap());
    }
    let wanted: Vec<String> = words.into_iter().filter(|word| !word.starts_with('-')).collect();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    for (name, set) in SETS {
        if is_wanted(name) {
            measure(name, &set());
        }
    }
}

struct Set {
    rows: Rows<'static>,
    signs: Vec<Sign>,
    epochs: u64,
    /// The number of bytes that an epoch reads.
    bytes: usize,
}

/// A name and a function that makes the set.
type Named = (&'static str, fn() -> Set);

const SETS: [Named; 5] = [
    ("wide f32: 20,000 x 2,000", || dense::<f32>(20_000, 2_000, 0.0, 3)),
    ("wide f64: 20,000 x 2,000", || dense::<f64>(20_000, 2_000, 0.0, 3)),
    ("long f32: 1,000,000 x 28, 10 % noise", || dense::<f32>(1_000_000, 28, 0.1, 5)),
    ("long f64: 1,000,000 x 28, 10 % noise", || dense::<f64>(1_000_000, 28, 0.1, 5)),
    ("sparse: 200,000 x 50,000, 76 a row", || sparse(200_000, 50_000, 76, 5)),
];

fn measure(name: &str, set: &Set) {
    let examples = Examples::new(&set.rows, &set.signs).unwrap();
    let values = set.rows.stored() as f64;
    let read = median(5, || {
        let start = Instant::now();
        black_box(set.rows.iter().map(|row| touch(row.values())).sum::<f64>());
        start.elapsed().as_secs_f64()
    });
    println!(
        "{name}: {:.2} GB/s read, {:.3} ns a value",
        set.bytes as f64 / read / 1e9,
        read * 1e9 / values
    );
    for order in [Order::Given, Order::Shuffle] {
        for keep in [Keep::Last, Keep::Average] {
            let options = Options {
                order,
                keep,
                epochs: set.epochs,
                allow_mistakes: 0,
                ..Options::default()
            };
            let mut updates = 0;
            let an_epoch = median(3, || {
                let start = Instant::now();
                let report = train(&examples, &options, &mut ()).unwrap().report;
                updates = report.updates;
                start.elapsed().as_secs_f64() / report.epochs as f64
            });
            let each = an_epoch * 1e9 / values;
            println!(
                "  {order:?} {keep:?}: {each:.3} ns a value and epoch, {:.2} x reading; {updates} updates",
                an_epoch / read
            );
        }
    }
}

fn median(runs: usize, mut run: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..runs).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

struct Draw(ChaCha8Rng);

impl Draw {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

trait Value: Copy + Into<f64> {
    fn of(a: f64) -> Self;
    fn rows(values: Vec<Self>, features: usize) -> Rows<'static>;
}

impl Value for f32 {
    fn of(a: f64) -> Self {
        a as f32
    }
    fn rows(values: Vec<Self>, features: usize) -> Rows<'static> {
        Rows::dense(values, features).unwrap()
    }
}

impl Value for f64 {
    fn of(a: f64) -> Self {
        a
    }
    fn rows(values: Vec<Self>, features: usize) -> Rows<'static> {
        Rows::dense(values, features).unwrap()
    }
}

/// Normal features; the sign of a random direction, reversed for a share of the rows.
fn dense<T: Value>(rows: usize, features: usize, noise: f64, epochs: u64) -> Set {
    let mut draw = Draw(ChaCha8Rng::seed_from_u64(1));
    let direction: Vec<f64> = (0..features).map(|_| draw.normal()).collect();
    let values: Vec<T> = (0..rows * features).map(|_| T::of(draw.normal())).collect();
    let sign = |row: &[T]| {
        let score: f64 = row.iter().zip(&direction).map(|(&x, w)| x.into() * w).sum();
        if (score >= 0.0) == (draw.uniform() >= noise) { Sign::Plus } else { Sign::Minus }
    };
    let signs = values.chunks(features).map(sign).collect();
    let bytes = values.len() * size_of::<T>();
    Set { rows: T::rows(values, features), signs, epochs, bytes }
}

/// A few of many features, low ones more often; the sign of a random direction, reversed for 3 % of the rows.
fn sparse(rows: usize, features: usize, entries: usize, epochs: u64) -> Set {
    let mut draw = Draw(ChaCha8Rng::seed_from_u64(2));
    let direction: Vec<f64> = (0..features).map(|_| draw.normal()).collect();
    let (mut offsets, mut indices, mut values, mut signs) =
        (vec![0], Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let (low, high) = (20f64.ln(), (20.0 + features as f64).ln());
        let mut own: Vec<u32> = (0..entries)
            .map(|_| ((low + (high - low) * draw.uniform()).exp() - 20.0) as u32)
            .map(|rank| (u64::from(rank) * 7_919 % features as u64) as u32)
            .collect();
        own.sort_unstable();
        own.dedup();
        let scale = 1.0 / (own.len() as f64).sqrt();
        let own_values: Vec<f64> = own.iter().map(|_| scale * (0.5 + draw.uniform())).collect();
        let score: f64 = own.iter().zip(&own_values).map(|(&j, x)| x * direction[j as usize]).sum();
        let right = draw.uniform() >= 0.03;
        signs.push(if (score >= 0.0) == right { Sign::Plus } else { Sign::Minus });
        indices.extend(own);
        values.extend(own_values);
        offsets.push(indices.len());
    }
    let bytes = values.len() * 12;
    let rows = Rows::sparse(offsets, indices, values, features).unwrap();
    Set { rows, signs, epochs, bytes }
}
