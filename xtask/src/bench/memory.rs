//! Work in memory: epochs over the same arrays, through the bench of the engine.

use std::{ffi::OsStr, process::Command};

use serde_json::Value;

use super::{
    Bench, Failure,
    measure::{Outcome, Sample},
    row::{Bound, Goal, ROUNDED, Row, ratio},
};

impl Bench {
    /// What the bench of the engine says of a set: a work, and its figures.
    pub(super) fn engine(&self, set: &str, seed: usize) -> Result<Vec<Value>, Failure> {
        let seed = seed.to_string();
        let words =
            [OsStr::new("--files"), self.data.folder.as_os_str(), set.as_ref(), seed.as_ref()];
        self.cargo_bench("epochs", &words)
    }

    /// One pass over a file by the plainest program.
    pub(super) fn plain_pass(&self, format: &str, file: &str) -> Result<Sample, Failure> {
        let path = self.data.path(file);
        let said = self.cargo_bench("pass", &[OsStr::new(format), path.as_os_str()])?;
        Ok(said.first().and_then(Sample::of).ok_or("the plain pass said nothing")?)
    }

    /// The lines of JSON that a bench of the engine prints.
    fn cargo_bench(&self, name: &str, words: &[&OsStr]) -> Result<Vec<Value>, Failure> {
        let mut command = Command::new(crate::cargo_path());
        command.current_dir(&self.root);
        command.args(["bench", "--quiet", "--package", "rosenblatt", "--bench", name, "--"]);
        let output = command.args(words).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the bench {name} failed at {words:?}: {}", said.trim()).into());
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    }
}

/// The figures of a set: reading it once, and in each order ours, the same loop without exactness, scikit-learn.
struct Figures {
    /// Seconds.
    read: f64,
    values: f64,
    orders: Vec<InOrder>,
}

struct InOrder {
    ours: Outcome,
    plain: Outcome,
    sklearn: Outcome,
}

const OVER_PLAIN: &str =
    "≤ 10 % more than a plain loop with rounded sums, which does not scan ahead";

fn figures(bench: &Bench, set: &str, orders: &[&str]) -> Result<Figures, Failure> {
    let mut read = Outcome::new("reading the array");
    let mut values = 0.0;
    let of_order = |_: &&str| InOrder {
        ours: Outcome::new("one thread"),
        plain: Outcome::new(ROUNDED),
        sklearn: Outcome::new("scikit-learn"),
    };
    let mut of_orders: Vec<InOrder> = orders.iter().map(of_order).collect();
    for round in 0..bench.rounds {
        let said = bench.engine(set, round)?;
        let find = |work: &str| said.iter().find(|line| line["work"] == work);
        let sample = |work: &str| -> Result<Sample, Failure> {
            let line = find(work).ok_or_else(|| format!("nothing was said of {work}"))?;
            Ok(Sample::of(line).ok_or_else(|| format!("no time of {work}"))?)
        };
        read.push(sample("read"));
        values = find("read").and_then(|line| line["values"].as_f64()).unwrap_or(values);
        for (order, outcomes) in orders.iter().zip(&mut of_orders) {
            outcomes.ours.push(sample(order));
            outcomes.plain.push(sample(&format!("plain {order}")));
            if outcomes.sklearn.failure.is_none() {
                let task = format!("{set}-{order}");
                outcomes.sklearn.push(bench.peers.run(&task, &bench.data.folder, round));
            }
        }
    }
    let read = read.cpu().ok_or("the time to read an array is unknown")?;
    Ok(Figures { read, values, orders: of_orders })
}

impl InOrder {
    /// How much longer an epoch takes than in the plain loop, in per cent.
    fn over_plain(&self) -> Goal {
        let more = ratio(self.ours.epoch(), self.plain.epoch());
        Goal::at_most(10.0, "%", OVER_PLAIN, more.map(|more| 100.0 * (more - 1.0)))
    }
}

/// One row for each order of a set.
fn rows(bench: &Bench, set: &str, work: &str, all: Figures, worst: f64, alike: f64) -> Vec<Row> {
    let read = ("reading the values once".to_owned(), all.read);
    let row = |of: InOrder| Row {
        id: set.to_owned(),
        work: work.to_owned(),
        goals: vec![of.over_plain()],
        limit: Some(read.clone()),
        values: Some(all.values),
        ours: vec![of.ours],
        others: vec![of.sklearn, of.plain],
        worst: if worst == 0.0 { Some(0.0) } else { bench.worst(worst) },
        alike: Some(("scikit-learn", alike)),
        ..Row::default()
    };
    all.orders.into_iter().map(row).collect()
}

/// 20,000 × 2,000, in both widths and both orders.
pub(super) fn wide(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut all = Vec::new();
    for width in ["f32", "f64"] {
        let figures = figures(bench, &format!("wide-{width}"), &["given", "shuffle"])?;
        let read = figures.read;
        let work = format!("in memory, {width}, {} × 2,000, three epochs", bench.rows(20_000));
        let mut two = rows(bench, "wide", &work, figures, 0.2, 0.1);
        let epoch = |row: &Row| row.ours[0].epoch();
        let (given, shuffled) = (epoch(&two[0]), epoch(&two[1]));
        let of_read = ratio(given, Some(read));
        let text = "≤ 1.4 × reading the array at one thread's rate";
        two[0].goals.insert(0, Goal::at_most(1.4, "×", text, of_read));
        two[1]
            .goals
            .insert(0, Goal::at_most(1.5, "×", "≤ 1.5 × file order", ratio(shuffled, given)));
        named(&mut two);
        all.extend(two);
    }
    Ok(all)
}

/// Says of two rows which order they are of.
fn named(rows: &mut [Row]) {
    for (row, order) in rows.iter_mut().zip(["file order", "shuffled"]) {
        row.work = format!("{}, {order}", row.work);
    }
}

/// 1,000,000 × 28 with noise.
pub(super) fn long(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let figures = figures(bench, "long", &["shuffle"])?;
    let work = format!(
        "in memory, f32, {} × 28, 10 % label noise, five epochs, shuffled",
        bench.rows(1_000_000)
    );
    let mut rows = rows(bench, "long", &work, figures, 0.45, 0.2);
    let goal = Goal::times_less(5.0, &rows[0].others[0], &rows[0].ours[0]);
    rows[0].goals.insert(0, goal);
    Ok(rows)
}

/// The text set.
pub(super) fn sparse(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let figures = figures(bench, "sparse", &["given", "shuffle"])?;
    let values = figures.values;
    // The last weights of noisy rows jump with the bias, which scikit-learn damps for sparse rows.
    let mut two = rows(bench, "sparse", "in memory, the text set, five epochs", figures, 0.42, 0.3);
    for (row, (bound, times)) in two.iter_mut().zip([(1.6, 3.0), (2.2, 4.0)]) {
        let each = row.ours[0].epoch().map(|seconds| 1e9 * seconds / values);
        let text = format!("≤ {bound} ns per value and epoch");
        let goal = Goal::times_less(times, &row.others[0], &row.ours[0]);
        row.goals.splice(0..0, [Goal::at_most(bound, "ns", text, each), goal]);
    }
    named(&mut two);
    Ok(two)
}

/// 100,000 × 100 until no row is wrong.
pub(super) fn separable(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let figures = figures(bench, "separable", &["shuffle"])?;
    let work = format!("in memory, f32, {} × 100, to zero mistakes, shuffled", bench.rows(100_000));
    let mut rows = rows(bench, "separable", &work, figures, 0.0, 0.0);
    let goal = Goal::times_less(10.0, &rows[0].others[0], &rows[0].ours[0]);
    rows[0].goals.insert(0, goal);
    rows[0].note =
        Some("Each tool has its own orders and number of epochs; whole runs are compared.");
    Ok(rows)
}

/// Seconds of the processor that Weka's voted perceptron took for work of this shape when the goal was set.
const WEKA: f64 = 22.0;

/// The voted perceptron in the dual form.
pub(super) fn kernel(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut ours = Outcome::new("one thread");
    for round in 0..bench.rounds {
        let said = bench.engine("kernel", round)?;
        ours.push(said.first().and_then(Sample::of).ok_or_else(|| "no time of the kernel".into()));
    }
    let goal = Goal {
        text: format!("≥ 35 × less than Weka's {WEKA} s"),
        value: ratio(Some(WEKA), ours.cpu()),
        bound: Bound::AtLeast(35.0),
        unit: "×",
    };
    Ok(vec![Row {
        id: "kernel".to_owned(),
        work: format!(
            "in memory, voted, {0} × 784, kernel (1 + x·z)⁴, one epoch and {0} predictions",
            bench.rows(10_000)
        ),
        ours: vec![ours],
        goals: vec![goal],
        worst: bench.worst(0.15),
        note: Some(
            "The bench does not install Weka: 22 s is the CPU time of its voted perceptron for work of this \
             shape when the goal was set, on two cores of Zen 5.",
        ),
        ..Row::default()
    }])
}
