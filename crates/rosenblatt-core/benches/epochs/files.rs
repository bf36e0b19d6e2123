//! Measures the sets of `bench/speed.py`: one JSON object per line.

use std::{fs, hint::black_box, path::Path, time::Instant};

use rosenblatt_core::{
    data::{Examples, Labelled, Rows, Scheme, Sign, Storage, Values},
    keep::{Keep, Tally},
    model::Classifier,
    schedule::Order,
    space::{CanonicalRows, Kernel},
    train::{Options, Resources, fit, train},
};
use serde_json::json;

use super::{
    median,
    plain::{Plain, products_near, touch, touch_indices},
    processor::processor,
};

/// The times of one measurement, in seconds.
#[derive(Clone, Copy)]
struct Time {
    cpu: f64,
    wall: f64,
}

fn time<T>(work: impl FnOnce() -> T) -> (Time, T) {
    let start = Instant::now();
    let before = processor(start);
    let result = black_box(work());
    (Time { cpu: processor(start) - before, wall: start.elapsed().as_secs_f64() }, result)
}

/// Measures one set of the folder, by name. `seed` is the seed of the orders.
pub(crate) fn measure(folder: &Path, name: &str, seed: u64) {
    match name {
        "near" => near(),
        "kernel" => kernel(folder, seed),
        "wide-f32" => epochs(&dense::<f32>(folder, "wide"), seed, 3, true),
        "wide-f64" => epochs(&dense::<f64>(folder, "wide"), seed, 3, true),
        "long" => epochs(&dense::<f32>(folder, "long"), seed, 5, true),
        "sparse" => epochs(&sparse(folder), seed, 5, true),
        "separable" => epochs(&dense::<f32>(folder, "separable"), seed, 1000, false),
        _ => panic!("there is no set {name}"),
    }
}

struct Set {
    rows: Rows<'static>,
    signs: Vec<Sign>,
    /// All stored values, and indices, one after the other.
    stored: (Values<'static>, &'static [u32]),
}

/// Plain reading, then training and the plain loop in each order. The time of an epoch is the time that each epoch
/// after the first adds, so it excludes work done once per run (radius, report).
fn epochs(set: &Set, seed: u64, epochs: u64, given: bool) {
    let examples = Examples::new(&set.rows, &set.signs).unwrap();
    let read = || time(|| touch(set.stored.0) + touch_indices(set.stored.1)).0.cpu;
    println!("{}", json!({"work": "read", "cpu": median(5, read), "values": set.rows.stored()}));
    let orders: &[Order] = if given { &[Order::Given, Order::Shuffle] } else { &[Order::Shuffle] };
    for &order in orders {
        let keep = Keep::Last;
        let run = |epochs| {
            let options = Options { order, keep, epochs, seed, ..Options::default() };
            let (time, run) = time(|| train(&examples, &options, &mut ()).unwrap());
            (time, run.report)
        };
        let (all, report) = run(epochs);
        let marginal = |all: f64, one: f64| (all - one) / (report.epochs.max(2) - 1) as f64;
        let ours = median(3, || marginal(run(epochs).0.cpu, run(1).0.cpu));
        let plain = |epochs| time(|| Plain::train(&set.rows, &set.signs, order, seed, epochs));
        let (plain_all, without) = plain(report.epochs);
        let plain_epoch = median(3, || marginal(plain(report.epochs).0.cpu, plain(1).0.cpu));
        let name = if order == Order::Given { "given" } else { "shuffle" };
        println!(
            "{}",
            json!({
                "work": name, "cpu": all.cpu, "wall": all.wall, "epoch": ours, "epochs": report.epochs,
                "updates": report.updates, "errors": report.training_error_rate, "converged": report.converged,
            })
        );
        println!(
            "{}",
            json!({
                "work": format!("plain {name}"), "cpu": plain_all.cpu, "wall": plain_all.wall,
                "epoch": plain_epoch, "updates": without.updates, "converged": without.mistakes == 0,
            })
        );
    }
}

/// One epoch of the voted perceptron with (1 + x·z)⁴, and the predictions of the same number of other rows.
fn kernel(folder: &Path, seed: u64) {
    let (set, test) = (dense::<f32>(folder, "pixels"), dense::<f32>(folder, "pixels-test"));
    let classes: Vec<u32> = set.signs.iter().map(|&sign| (sign == Sign::Plus).into()).collect();
    let scheme = Scheme::Two { positive: 1 };
    let labelled = Labelled::new(&set.rows, &classes, scheme).unwrap();
    let kernel = Some(Kernel::Poly { degree: 4, coef0: 1.0, gamma: 1.0 });
    let options = Options { keep: Keep::Vote, epochs: 1, seed, kernel, ..Options::default() };
    let (all, (report, scores)) = time(|| {
        let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
        let Classifier::Voted(voted) = &run.classifier else { panic!("no vote") };
        (run.report, voted.scores(&CanonicalRows::new(&test.rows), Tally::default(), 1).unwrap())
    });
    let wrong =
        scores.iter().zip(&test.signs).filter(|&(&s, &y)| (s >= 0.0) != (y == Sign::Plus)).count();
    let errors = wrong as f64 / test.signs.len() as f64;
    println!(
        "{}",
        json!({
            "work": "kernel", "cpu": all.cpu, "wall": all.wall, "updates": report.updates, "errors": errors,
        })
    );
}

/// Bytes read per second from an array far larger than any cache; multiplications and additions per second in the L1
/// cache.
fn near() {
    const VALUES: usize = 1 << 28;
    let all = vec![1e-3f32; VALUES];
    let read = || (4 * VALUES) as f64 / time(|| touch(Values::F32(&all))).0.cpu;
    println!("{}", json!({"work": "read", "rate": median(5, read)}));
    drop(all);
    for (name, single) in [("f32", true), ("f64", false)] {
        let rate = || {
            let (time, (operations, _)) = time(|| products_near(200_000, single));
            operations / time.cpu
        };
        println!("{}", json!({"work": format!("near {name}"), "rate": median(5, rate)}));
    }
}

trait Value: Copy + 'static {
    fn of(a: f32) -> Self;
    fn values(all: &[Self]) -> Values<'_>;
}

impl Value for f32 {
    fn of(a: f32) -> Self {
        a
    }
    fn values(all: &[Self]) -> Values<'_> {
        Values::F32(all)
    }
}

impl Value for f64 {
    fn of(a: f32) -> Self {
        a.into()
    }
    fn values(all: &[Self]) -> Values<'_> {
        Values::F64(all)
    }
}

fn dense<T: Value>(folder: &Path, name: &str) -> Set
where
    &'static [T]: Into<Storage<'static>>,
{
    let values: Vec<T> =
        array(folder, &format!("{name}-x"), f32::from_le_bytes).into_iter().map(T::of).collect();
    let signs = signs(folder, name);
    let features = values.len() / signs.len();
    let values: &'static [T] = values.leak();
    let rows = Rows::dense(values, features).unwrap();
    Set { rows, signs, stored: (T::values(values), &[]) }
}

fn sparse(folder: &Path) -> Set {
    let offsets = array(folder, "text-offsets", i64::from_le_bytes);
    let offsets: Vec<usize> = offsets.into_iter().map(|at| at as usize).collect();
    let indices = array(folder, "text-indices", i32::from_le_bytes);
    let indices: Vec<u32> = indices.into_iter().map(|j| j as u32).collect();
    let features = indices.iter().max().map_or(0, |&j| j as usize + 1);
    let values = array(folder, "text-values", f64::from_le_bytes);
    let (indices, values): (&'static [u32], &'static [f64]) = (indices.leak(), values.leak());
    let rows = Rows::sparse(offsets, indices, values, features).unwrap();
    Set { rows, signs: signs(folder, "text"), stored: (Values::F64(values), indices) }
}

fn signs(folder: &Path, name: &str) -> Vec<Sign> {
    let labels = array(folder, &format!("{name}-y"), f64::from_le_bytes);
    labels.into_iter().map(|y| if y > 0.0 { Sign::Plus } else { Sign::Minus }).collect()
}

/// The numbers of a NumPy file; only the length of the header is read from it.
fn array<T, const N: usize>(folder: &Path, name: &str, number: fn([u8; N]) -> T) -> Vec<T> {
    let bytes = fs::read(folder.join(format!("{name}.npy"))).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY\x01"), "{name} is no NumPy file");
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[header..].as_chunks::<N>().0.iter().map(|&bytes| number(bytes)).collect()
}
