//! The package for Python against scikit-learn: fits, the reader of LIBSVM files, memory.

use std::ffi::OsString;

use super::{
    Bench, Failure,
    measure::{Contender, Outcome, Sample, child, compare},
    row::{Goal, Row},
};

const SCRIPT: &str = "xtask/src/bench/python.py";
/// Who takes part, as the script calls them.
const WHO: [&str; 2] = ["rosenblatt", "scikit-learn"];

/// What is asked of the script.
#[derive(Clone, Copy)]
struct Task {
    name: &'static str,
    set: &'static str,
}

impl Bench {
    fn words(&self, task: Task, who: &str, seed: usize) -> Vec<OsString> {
        let seed = seed.to_string();
        let words =
            [self.root.join(SCRIPT).into(), task.name.into(), self.data.folder.clone().into()];
        words.into_iter().chain([task.set, who, &seed].map(OsString::from)).collect()
    }

    /// Both at one task, in turns; each round has a seed of its own.
    fn both(&self, task: Task) -> Result<[Outcome; 2], Failure> {
        let contender = |who: &'static str| {
            let mut seeds = 0..;
            let name = if who == WHO[0] { "Python" } else { who };
            let run = move || self.peers.script(&self.words(task, who, seeds.next().unwrap_or(0)));
            Contender { name, run: Box::new(run) }
        };
        let outcomes = compare(WHO.map(contender).into(), self.rounds);
        outcomes.try_into().map_err(|_| "an outcome is missing".into())
    }
}

/// All rows.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>, Failure> {
    if let Err(why) = bench.peers.install_ours(&bench.root) {
        let mut ours = Outcome::new("Python");
        ours.push(Err(why));
        let (id, work) = ("python".to_owned(), "Python".to_owned());
        return Ok(vec![Row { id, work, ours: vec![ours], ..Row::default() }]);
    }
    let noisy = fit(bench, "long", "10 % label noise", 0.45)?;
    let mut clear = fit(bench, "clear", "separable with a margin", 0.01)?;
    clear.note = Some(
        "In Python, times of both begin after the imports and leave out what loads the arrays. A fit is asked for five \
         epochs; ours ends at the first without a mistake, where scikit-learn without a tolerance goes on.",
    );
    Ok(vec![noisy, clear, read(bench)?, memory(bench)?])
}

fn fit(bench: &Bench, set: &'static str, which: &str, worst: f64) -> Result<Row, Failure> {
    let [ours, sklearn] = bench.both(Task { name: "fit", set })?;
    Ok(Row {
        id: "python".to_owned(),
        work: format!("Python, `Perceptron.fit`, f32, {} × 28, {which}", bench.rows(1_000_000)),
        goals: vec![Goal::times_less(5.0, &sklearn, &ours)],
        ours: vec![ours],
        others: vec![sklearn],
        worst: bench.worst(worst),
        alike: Some(("scikit-learn", 0.2)),
        ..Row::default()
    })
}

fn read(bench: &Bench) -> Result<Row, Failure> {
    let [ours, sklearn] = bench.both(Task { name: "read", set: "text" })?;
    Ok(Row {
        id: "python".to_owned(),
        work: "Python, the LIBSVM file → CSR matrix".to_owned(),
        goals: vec![Goal::times_less(12.0, &sklearn, &ours)],
        ours: vec![ours],
        others: vec![sklearn],
        // Of the four arrays none may differ from what was written.
        worst: Some(0.0),
        ..Row::default()
    })
}

/// The most memory of a process that fits, less that of one that only has the arrays.
fn memory(bench: &Bench) -> Result<Row, Failure> {
    let process = |name, who| Contender {
        name,
        run: Box::new(move || -> Result<Sample, Failure> {
            let mut words = vec![bench.peers.python.clone().into()];
            words.extend(bench.words(Task { name: "memory", set: "long" }, who, 0));
            child(&words, None)
        }),
    };
    let contenders = vec![
        process("Python", WHO[0]),
        process("the same process without the fit", "nobody"),
        process("scikit-learn", WHO[1]),
    ];
    let [ours, idle, sklearn]: [Outcome; 3] =
        compare(contenders, bench.rounds).try_into().map_err(|_| "an outcome is missing")?;
    let more = ours.memory().zip(idle.memory()).map(|(fitted, idle)| fitted - idle);
    let text = "memory of the fit ≤ 32 MiB more than the arrays";
    Ok(Row {
        id: "python".to_owned(),
        work: format!("Python, a process that fits f32, {} × 28", bench.rows(1_000_000)),
        goals: vec![Goal::at_most(32.0, "MiB", text, more)],
        ours: vec![ours],
        others: vec![idle, sklearn],
        ..Row::default()
    })
}
