//! Work from a file: one pass to a model, predictions to a file.

use std::{ffi::OsString, fs, path::Path};

use super::{
    Bench, Failure,
    data::{FORMS, Form},
    measure::{Contender, Outcome, Sample, child, compare},
    row::{Goal, Row, ratio},
};

/// What `train` is asked for: one pass in the order of the file, as the others are.
pub(super) const ONE_PASS: [&str; 9] =
    ["--epochs", "1", "--order", "given", "--no-compare", "--keep", "last", "--scale", "none"];

/// The name of a pass that leaves out all but learning.
const PLAIN_PASS: &str = "the plainest pass";

impl Bench {
    /// Trains on a file.
    fn train(&self, file: &str, threads: &str, more: &[&str]) -> Result<Sample, Failure> {
        let mut words: Vec<OsString> = vec![self.command.clone().into(), "train".into()];
        words.push(self.data.path(file).into());
        words.extend(ONE_PASS.iter().chain(more).map(OsString::from));
        words.extend(["--threads", threads, "--quiet", "-o"].map(OsString::from));
        words.push(self.data.path("ours.model").into());
        child(&words, None)
    }

    /// Predicts the same file, and counts what is wrong.
    fn predict(&self, file: &str, labels: &[f64], threads: &str) -> Result<Sample, Failure> {
        let out = self.data.path("ours.labels");
        let mut words: Vec<OsString> = vec![self.command.clone().into(), "predict".into()];
        words.extend([self.data.path("ours.model"), self.data.path(file)].map(OsString::from));
        words.extend(["--threads", threads, "-o"].map(OsString::from));
        words.push(out.clone().into());
        let sample = child(&words, None)?;
        Ok(Sample { errors: Some(wrong(&out, labels)?), ..sample })
    }

    /// Trains, and lets the model predict outside of the time.
    fn train_and_check(
        &self,
        file: &str,
        labels: &[f64],
        threads: &str,
        more: &[&str],
    ) -> Result<Sample, Failure> {
        let sample = self.train(file, threads, more)?;
        Ok(Sample { errors: self.predict(file, labels, "1")?.errors, ..sample })
    }

    /// Counts lines.
    fn count_lines(&self, file: &str) -> Result<Sample, Failure> {
        child(&[OsString::from("wc"), "-l".into(), self.data.path(file).into()], None)
    }

    fn peer(&self, task: &str) -> Result<Sample, Failure> {
        self.peers.run(task, &self.data.folder, 0)
    }
}

/// The share of lines that are another number than the label.
fn wrong(predicted: &Path, labels: &[f64]) -> Result<f64, Failure> {
    let text = fs::read_to_string(predicted)?;
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() != labels.len() {
        return Err(format!("{} predictions for {} rows", lines.len(), labels.len()).into());
    }
    let wrong = lines.iter().zip(labels).filter(|(line, label)| line.parse() != Ok(**label));
    Ok(wrong.count() as f64 / labels.len() as f64)
}

/// A LIBSVM file to a model, and the same file predicted.
pub(super) fn text(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let labels = &bench.data.labels("text")?;
    let file = "text.svm";
    let contender = |name, run| Contender { name, run };
    // Whoever comes first leaves the file where it is read fastest.
    bench.count_lines(file)?;
    let outcomes = compare(
        vec![
            contender("`wc -l`", Box::new(|| bench.count_lines(file))),
            contender("one thread", Box::new(|| bench.train_and_check(file, labels, "1", &[]))),
            contender("predict, one thread", Box::new(|| bench.predict(file, labels, "1"))),
            contender("two threads", Box::new(|| bench.train_and_check(file, labels, "2", &[]))),
            contender("predict, two threads", Box::new(|| bench.predict(file, labels, "2"))),
            contender("scikit-learn", Box::new(|| bench.peer("text-sklearn"))),
            contender("LIBLINEAR", Box::new(|| bench.peer("text-liblinear"))),
            contender("Vowpal Wabbit", Box::new(|| bench.peer("text-vw"))),
            contender("Vowpal Wabbit, from its cache", Box::new(|| bench.peer("text-vw-cache"))),
            contender(PLAIN_PASS, Box::new(|| bench.plain_pass("libsvm", file))),
        ],
        bench.rounds,
    );
    let [lines, one, predict_one, two, predict_two, sklearn, liblinear, vw, cache, plain]: [Outcome;
        10] = outcomes.try_into().map_err(|_| "an outcome is missing")?;
    let goals = vec![
        Goal::at_most(1.4, "×", "≤ 1.4 × the plainest pass", ratio(one.cpu(), plain.cpu())),
        Goal::times_less_in_all(20.0, &sklearn, &one),
        Goal::times_less_in_all(20.0, &liblinear, &one),
        Goal::times_less_in_all(4.5, &vw, &one),
        Goal::at_most(48.0, "MiB", "memory ≤ 48 MiB with one thread", one.memory()),
        Goal::at_most(48.0, "MiB", "memory ≤ 48 MiB with two threads", two.memory()),
        Goal::at_most(
            0.65,
            "×",
            "wall-clock time with two threads ≤ 0.65 of one thread's",
            ratio(two.wall(), one.wall()),
        ),
    ];
    let predicted = predicted(bench, predict_one, predict_two, one.cpu());
    let trained = Row {
        id: "text".to_owned(),
        work: format!("LIBSVM file of {} → model, one pass", size(bench, file)?),
        goals,
        limit: lines.cpu().map(|cpu| (lines.name, cpu)),
        ours: vec![one, two],
        others: vec![sklearn, liblinear, vw, cache, plain],
        worst: bench.worst(0.3),
        alike: Some(("scikit-learn", 0.05)),
        note: Some(
            "The plainest pass reads, parses and learns without checks, exact decisions, average or report \
             (`crates/rosenblatt/benches/pass.rs`). LIBLINEAR's package has solvers in C and a reader in Python; here scikit-learn's C reads the file \
             for it. It makes one pass (`-s 3 -e 1000`). Vowpal Wabbit reads its own text format.",
        ),
        ..Row::default()
    };
    Ok(vec![trained, predicted])
}

/// Predictions for a file, next to the CPU time of training on it.
fn predicted(bench: &Bench, one: Outcome, two: Outcome, training: Option<f64>) -> Row {
    let text = "≤ 1.3 × the time of training";
    Row {
        id: "predict".to_owned(),
        work: "the same file, predictions to a file".to_owned(),
        goals: vec![Goal::at_most(1.3, "×", text, ratio(one.cpu(), training))],
        ours: vec![one, two],
        worst: bench.worst(0.3),
        ..Row::default()
    }
}

/// A CSV file to a model.
pub(super) fn table(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let labels = &bench.data.labels("long")?;
    let (file, target) = ("long.csv", ["--target", "label"]);
    let ours = |threads| bench.train_and_check(file, labels, threads, &target);
    bench.count_lines(file)?;
    let contender = |name, run| Contender { name, run };
    let outcomes = compare(
        vec![
            contender("`wc -l`", Box::new(|| bench.count_lines(file))),
            contender("one thread", Box::new(|| ours("1"))),
            contender("two threads", Box::new(|| ours("2"))),
            contender("polars and scikit-learn", Box::new(|| bench.peer("table"))),
            contender(PLAIN_PASS, Box::new(|| bench.plain_pass("csv", file))),
        ],
        bench.rounds,
    );
    let [lines, one, two, polars, plain]: [Outcome; 5] =
        outcomes.try_into().map_err(|_| "an outcome is missing")?;
    Ok(vec![Row {
        id: "table".to_owned(),
        work: format!("CSV file of {} → model, one pass", size(bench, file)?),
        goals: vec![
            Goal::at_most(1.2, "×", "≤ 1.2 × the plainest pass", ratio(one.cpu(), plain.cpu())),
            Goal::times_less_in_all(10.0, &polars, &one),
            Goal::at_most(48.0, "MiB", "memory ≤ 48 MiB with one thread", one.memory()),
            Goal::at_most(48.0, "MiB", "memory ≤ 48 MiB with two threads", two.memory()),
        ],
        limit: lines.cpu().map(|cpu| (lines.name, cpu)),
        ours: vec![one, two],
        others: vec![polars, plain],
        worst: bench.worst(0.4),
        alike: Some(("polars", 0.1)),
        ..Row::default()
    }])
}

/// CSV files with other forms of numbers.
pub(super) fn forms(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let files: Vec<String> = FORMS.iter().map(|form| form.file("forms")).collect();
    let train = |file: &str| bench.train(file, "1", &["--target", "label"]);
    let contenders = FORMS.iter().zip(&files);
    let contenders = contenders
        .map(|(form, file)| Contender { name: form.words, run: Box::new(move || train(file)) });
    let ours = compare(contenders.collect(), bench.rounds);
    let mut per_byte = Vec::new();
    for (outcome, file) in ours.iter().zip(&files) {
        let bytes = fs::metadata(bench.data.path(file))?.len();
        per_byte.push(ratio(outcome.cpu(), Some(bytes as f64)));
    }
    let goal = |(form, &cpu): (&Form, &Option<f64>)| {
        let text = format!("{}: ≤ 2 × the CPU per byte of six decimals", form.words);
        Goal::at_most(2.0, "×", text, ratio(cpu, per_byte[0]))
    };
    Ok(vec![Row {
        id: "forms".to_owned(),
        work: "CSV files with numbers in several forms → model, one pass".to_owned(),
        goals: FORMS.iter().zip(&per_byte).skip(1).map(goal).collect(),
        ours,
        ..Row::default()
    }])
}

fn size(bench: &Bench, file: &str) -> Result<String, Failure> {
    let bytes = fs::metadata(bench.data.path(file))?.len();
    Ok(format!("{:.0} MB", bytes as f64 / 1e6))
}

/// A row for what is measured by hand.
pub(super) fn cold(_: &Bench) -> Result<Vec<Row>, Failure> {
    Ok(vec![Row {
        id: "cold".to_owned(),
        work: "README's first command on a fresh clone, cold, two idle cores".to_owned(),
        goals: vec![Goal::at_most(90.0, "s", "≤ 90 s wall-clock time", None)],
        note: Some("The first command is measured by hand, on a fresh clone."),
        ..Row::default()
    }])
}
