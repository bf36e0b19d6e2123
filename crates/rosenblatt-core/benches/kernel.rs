//! Measures the dual form: one epoch of the voted perceptron and its predictions.
//!
//! ```console
//! $ cargo bench --package rosenblatt-core --bench kernel [NAME]
//! ```
//!
//! Seeded data; the shortest of several runs on one thread, in CPU time. There is one multiplication and addition per
//! nonzero entry of a row and supporting row. "products" is their number per second if predictions consisted of nothing
//! but the products of each row with all supporting rows.
#![allow(clippy::print_stdout, clippy::unwrap_used)] // a program for developers

use std::{sync::LazyLock, time::Instant};

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rosenblatt_core::{
    data::{Classes, Labelled, Rows, Scheme},
    keep::Keep,
    model::{Model, ModelParts, PredictOptions},
    prototype::Baseline,
    schedule::Order,
    space::CanonicalRows,
    train::{Options, Resources, fit},
};

/// A name, a kernel, the weights to keep, and a function that makes training and test rows.
type Named = (&'static str, &'static str, Keep, fn() -> (Set, Set));

const SETS: [Named; 6] = [
    ("images, 10,000 x 784", "poly:4", Keep::Vote, || (images(1, 10_000), images(2, 10_000))),
    ("images, 10,000 x 784", "poly:4", Keep::Average, || (images(1, 10_000), images(2, 10_000))),
    ("images, 3,000 x 784", "rbf:0.02", Keep::Vote, || (images(1, 3_000), images(2, 3_000))),
    ("sparse, 10,000 x 50,000", "poly:2", Keep::Vote, || (sparse(1, 10_000), sparse(2, 10_000))),
    ("plane, 5,000 x 2", "poly:3", Keep::Vote, || (plane(1, 5_000), plane(2, 5_000))),
    ("plane, 200 x 2", "rbf:1", Keep::Vote, || (plane(1, 200), plane(2, 200))),
];

struct Set {
    rows: Rows<'static>,
    classes: Vec<u32>,
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, kernel, keep, make) in SETS {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            measure(name, kernel, keep, &make());
        }
    }
}

fn measure(name: &str, kernel: &str, keep: Keep, (set, others): &(Set, Set)) {
    let scheme = Scheme::Two { positive: 1 };
    let labelled = Labelled::new(&set.rows, &set.classes, scheme).unwrap();
    let options = Options {
        kernel: Some(kernel.parse().unwrap()),
        keep,
        order: Order::Given,
        epochs: 1,
        compare: false,
        ..Options::default()
    };
    let train = || fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
    let training = shortest(|| drop(train()));
    let run = train();
    let support = run.report.support.unwrap();
    let parts = ModelParts {
        classes: Classes::two(["0".to_owned(), "1".to_owned()], 1).unwrap(),
        preparation: Default::default(),
        classifier: run.classifier,
        baseline: Baseline::of(&labelled),
        calibration: None,
        options,
        report: run.report,
    };
    let model = Model::new(parts).unwrap();
    let predict = || model.classify(&others.rows, PredictOptions::default(), false).unwrap();
    let predicting = shortest(|| drop(predict()));
    let found = predict().classes;
    let wrong = found.iter().zip(&others.classes).filter(|(one, other)| one != other).count();
    let entries = CanonicalRows::new(&others.rows).parts().2.len();
    let products = (entries * support) as f64;
    println!(
        "{name}, {kernel}, {keep:?}: {:.0} ms to train, {:.0} ms to predict ({:.1} billion products a \
         second); {support} support the model, {wrong} errors",
        training * 1e3,
        predicting * 1e3,
        products / predicting / 1e9
    );
}

fn shortest(mut run: impl FnMut()) -> f64 {
    const RUNS: usize = 5;
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..RUNS {
        let start = now();
        run();
        times.push(now() - start);
    }
    times.into_iter().fold(f64::INFINITY, f64::min)
}

/// Seconds of CPU time of this thread if the system reports them, because other programs disturb them less; otherwise
/// wall-clock time.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let worked = statistics.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    worked.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

struct Draw(ChaCha8Rng);

impl Draw {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.uniform() * end as f64) as usize
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Ten rough pictures of 8 × 8, each pixel three wide and high, somewhere in 28 × 28, with noise: even against odd.
/// About 40 % of the values are not 0.
fn images(seed: u64, number: usize) -> Set {
    const SIDE: usize = 28;
    let mut of_pictures = Draw(ChaCha8Rng::seed_from_u64(0));
    let mut pixel = || if of_pictures.uniform() < 0.5 { 0.0 } else { of_pictures.uniform() };
    let pictures: Vec<[f64; 64]> = (0..10).map(|_| std::array::from_fn(|_| pixel())).collect();
    let mut draw = Draw(ChaCha8Rng::seed_from_u64(seed));
    let mut values = vec![0.0; number * SIDE * SIDE];
    let mut classes = Vec::new();
    for row in values.chunks_mut(SIDE * SIDE) {
        let which = draw.below(pictures.len());
        classes.push(which as u32 % 2);
        let own = pictures[which].map(|pixel| {
            let own = if draw.uniform() < 0.25 { 0.5 - pixel } else { pixel };
            own + f64::from(pixel > 0.0) * 0.25 * draw.normal()
        });
        let (down, right) = (draw.below(5), draw.below(5));
        for place in 0..24 * 24 {
            let (y, x) = (place / 24, place % 24);
            let pixel = own[y / 3 * 8 + x / 3];
            if pixel > 0.0 {
                let noisy = (pixel + 0.15 * draw.normal()).clamp(0.0, 1.0);
                row[(y + down) * SIDE + x + right] = (noisy * 1e4).round() / 1e4;
            }
        }
    }
    Set { rows: Rows::dense(values, SIDE * SIDE).unwrap(), classes }
}

/// A few of many features, low ones more often; the sign of a random direction.
fn sparse(seed: u64, number: usize) -> Set {
    const FEATURES: usize = 50_000;
    let mut of_direction = Draw(ChaCha8Rng::seed_from_u64(0));
    let direction: Vec<f64> = (0..FEATURES).map(|_| of_direction.normal()).collect();
    let mut draw = Draw(ChaCha8Rng::seed_from_u64(seed));
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    let mut classes = Vec::new();
    for _ in 0..number {
        let (low, high) = (20f64.ln(), (20.0 + FEATURES as f64).ln());
        let mut own: Vec<u32> = (0..76)
            .map(|_| ((low + (high - low) * draw.uniform()).exp() - 20.0) as u32)
            .map(|rank| (u64::from(rank) * 7_919 % FEATURES as u64) as u32)
            .collect();
        own.sort_unstable();
        own.dedup();
        let own_values: Vec<f64> = own.iter().map(|_| 0.1 * (0.5 + draw.uniform())).collect();
        let score: f64 = own.iter().zip(&own_values).map(|(&j, x)| x * direction[j as usize]).sum();
        classes.push(u32::from(score >= 0.0));
        indices.extend(own);
        values.extend(own_values);
        offsets.push(indices.len());
    }
    Set { rows: Rows::sparse(offsets, indices, values, FEATURES).unwrap(), classes }
}

/// Two features, a ring against its surroundings, with a tenth of noise.
fn plane(seed: u64, number: usize) -> Set {
    let mut draw = Draw(ChaCha8Rng::seed_from_u64(seed));
    let (mut values, mut classes) = (Vec::new(), Vec::new());
    for _ in 0..number {
        let point = [draw.normal(), draw.normal()];
        let inside = point[0].hypot(point[1]) < 1.2;
        classes.push(u32::from(inside != (draw.uniform() < 0.1)));
        values.extend(point);
    }
    Set { rows: Rows::dense(values, 2).unwrap(), classes }
}
