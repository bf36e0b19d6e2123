//! The promise of `--checkpoint` and `--resume`: whatever ends a run and whenever, it goes on to the bytes of
//! the model and the report of the run that nothing ended.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed
#![cfg(unix)] // signals, and what the system says

mod common;

use std::{
    process::{Child, Stdio},
    time::{Duration, Instant, SystemTime},
};

use common::{Desk, Done, own_data};

/// SplitMix64 (Steele, Lea & Flood 2014): enough to choose moments by.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

fn reviews() -> String {
    let words = ["good", "bad", "fine", "poor", "new", "old", "the", "very"];
    let mut chance = Chance(7);
    let mut text = "review,label\n".to_owned();
    for _ in 0..80 {
        let review: Vec<&str> = (0..5).map(|_| words[chance.below(8) as usize]).collect();
        let label = if chance.below(5) > 0 { review.contains(&"good") } else { true };
        text.push_str(&format!("{},{}\n", review.join(" "), if label { "yes" } else { "no" }));
    }
    text
}

fn desk() -> Desk {
    Desk::with(&[
        ("iris.csv", &own_data("iris.csv")),
        ("sonar.csv", &own_data("sonar.csv")),
        ("xor.csv", &own_data("xor.csv")),
        ("reviews.csv", &reviews()),
        ("four.svm", "1 1:1 3:-2\n-1 2:1.5\n1 2:1 3:4\n-1 1:1\n"),
    ])
}

/// The report without the seconds.
/// The report without the time, and without the folds that only a run without a checkpoint makes by default.
fn report(line: &str, json: &str) -> serde_json::Value {
    let mut report: serde_json::Value = serde_json::from_str(json).unwrap();
    let all = report.as_object_mut().unwrap();
    all.remove("seconds").unwrap();
    if !line.contains("--folds") && !line.contains("--holdout") {
        all.retain(|key, _| key != "folds" && key != "copies");
    }
    report
}

/// Commands without their number of epochs.
const RUNS: [&str; 16] = [
    "train iris.csv",
    "train iris.csv --keep pocket --hard 7 --seed 5",
    "train iris.csv --holdout 0.3 --patience 4 --keep average",
    "train iris.csv --holdout 0.3 --patience 3 --kernel rbf:0.5",
    "train iris.csv --keep vote --positive Iris-versicolor",
    "train iris.csv --keep vote --kernel poly:2 --threads 2 --memory 1K",
    "train sonar.csv --scale standard --order given --class-weight balanced --no-compare",
    "train sonar.csv --update pa1:0.5 --init random --folds 2",
    "train sonar.csv --update arow:2 --class-weight R=2,M=0.7 --hard 3",
    "train iris.csv --update second-order:1 --keep average",
    "train sonar.csv --update margin:0.1 --eta 0.3 --bias radius --mistake label --hard 3",
    "train sonar.csv --kernel linear --keep pocket --allow-mistakes 12 --hard 2",
    "train sonar.csv --bias none --class-weight R=2,M=0.7",
    "train reviews.csv --text review --bits 6 --ngrams 2",
    "train four.svm --scale maxabs",
    "train xor.csv --kernel poly:2",
];

/// Each run is ended by its number of epochs and goes on; then again, when it is over.
#[test]
fn a_run_goes_on_to_the_same_bytes() {
    for line in RUNS {
        for first in [1, 4] {
            let desk = desk();
            let whole = desk.succeed(&format!("{line} --epochs 12 --json -o model -q"));
            let model = desk.read("model");
            desk.succeed(&format!("{line} --epochs {first} --checkpoint run -q"));
            let resume = format!("{line} --epochs 12 --json -o model -q --resume run");
            let resumed = desk.succeed(&format!("{resume} --checkpoint run"));
            assert_eq!(report(line, &resumed), report(line, &whole), "{line}");
            assert!(desk.read("model") == model, "{line}");
            let checkpoint = desk.read("run");
            let over = desk.succeed(&resume);
            assert_eq!(report(line, &over), report(line, &whole), "{line}");
            assert!(desk.read("model") == model && desk.read("run") == checkpoint, "{line}");
        }
    }
}

/// A killed process never leaves a checkpoint that is not whole, and the run goes on from it.
#[test]
fn a_run_that_is_killed_again_and_again() {
    const KILLS: usize = 25;
    let runs = [
        "train iris.csv --keep pocket --hard 9 --epochs 150",
        "train sonar.csv --keep average --scale standard --epochs 60 --allow-mistakes 1",
        "train iris.csv --keep vote --kernel rbf:0.3 --epochs 40 --mistake label",
        "train reviews.csv --text review --bits 8 --holdout 0.2 --patience 60 --epochs 60",
    ];
    for (seed, line) in (1..).zip(runs) {
        let desk = desk();
        let whole = desk.succeed(&format!("{line} --json -o model -q"));
        let (model, files) = (desk.read("model"), desk.files().len());
        std::fs::remove_file(desk.path("model")).unwrap();
        let mut chance = Chance(seed);
        let mut kills = 0;
        let done = loop {
            let resume = if desk.path("run").exists() { " --resume run" } else { "" };
            let line = format!("{line} --json -o model -q --checkpoint run{resume}");
            let words: Vec<&str> = line.split(' ').collect();
            let mut command = desk.command(&words);
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // However unlucky the moments are, there is an end.
            let child =
                if kills < KILLS { kill_some_time(child, &desk, &mut chance) } else { child };
            let done = Done::from(child.wait_with_output().unwrap());
            let left = desk.files().iter().filter(|file| file.starts_with(".rosenblatt-")).count();
            if done.code != -1 {
                assert_eq!(
                    left, 0,
                    "a run that ends leaves nothing unfinished, its own or others'"
                );
                break done;
            }
            kills += 1;
            // A killed run may leave the file that it was writing; and it may be killed before it removes that of
            // the one before.
            assert!(left <= kills, "{left} after {kills}");
        };
        assert_eq!((done.code, &*done.stderr), (0, ""), "{line}");
        assert_eq!(report(line, &done.stdout), report(line, &whole), "{line}, {kills} kills");
        assert!(desk.read("model") == model, "{line}, {kills} kills");
        // The model in place of that of the whole run, and the checkpoint.
        assert_eq!(desk.files().len(), files + 1);
    }
}

/// Waits until the checkpoint has changed some times, and for some microseconds more; or until the process is done.
fn kill_some_time(mut child: Child, desk: &Desk, chance: &mut Chance) -> Child {
    let changed = || -> Option<SystemTime> { desk.path("run").metadata().ok()?.modified().ok() };
    let mut last = changed();
    let mut changes = chance.below(4);
    while changes > 0 && child.try_wait().unwrap().is_none() {
        let now = changed();
        if now != last {
            (last, changes) = (now, changes - 1);
        }
        std::thread::yield_now();
    }
    let begun = Instant::now();
    let more = Duration::from_micros(chance.below(6000));
    while begun.elapsed() < more {
        std::hint::spin_loop();
    }
    // It may be over.
    let _ = child.kill();
    child
}

/// Ctrl-C: the checkpoint of the last whole epoch stays, and the message says how to go on.
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let desk = desk();
    let line = "train xor.csv --epochs 1000000000000 --progress --checkpoint run -o model";
    // After the header and numbers after 1, 2, 4 and 8 examples the first epoch is over.
    let rest = desk.interrupt(line, 5);
    let said = "error: interrupted; run contains the run after epoch ";
    assert!(rest.contains(said), "{rest}");
    let hint = "hint: run the command again with `--resume run` to continue\n";
    assert!(rest.ends_with(hint), "{rest}");
    let epoch: u64 = rest.split_once(said).unwrap().1.lines().next().unwrap().parse().unwrap();
    let done = desk.run(&format!("train xor.csv --no-timing --resume run --epochs {}", epoch + 3));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let whole = desk.run(&format!("train xor.csv --no-timing --epochs {}", epoch + 3));
    assert_eq!(done.stdout, whole.stdout);
    assert!(done.stderr.starts_with("note: continuing run after epoch "), "{}", done.stderr);
    assert!(!desk.path("model").exists());
}

/// Other data, other options: the first difference is named, and nothing is written.
#[test]
#[allow(clippy::too_many_lines)] // one case after the other
fn a_run_goes_on_as_it_began_or_not_at_all() {
    let desk = desk();
    let begun = "--epochs 3 --seed 4 --class-weight balanced --holdout 0.2";
    desk.succeed(&format!("train iris.csv {begun} --checkpoint run"));
    let iris = own_data("iris.csv");
    desk.write("other.csv", iris.replacen("5.1", "5.2", 1));
    desk.write("short.csv", iris.rsplit_once("5.9,3.0").unwrap().0);
    desk.write("names.csv", iris.replace("Iris-virginica", "Iris-virtual"));
    let files = desk.files();
    let cases = [
        (
            "iris.csv --epochs 3 --seed 5 --class-weight balanced --holdout 0.2",
            "the run had `--seed 4`, now there is `--seed 5`",
        ),
        (
            "iris.csv --seed 4 --holdout 0.2",
            "the run had `--class-weight balanced`, now there is `--class-weight uniform`",
        ),
        (
            "iris.csv --seed 4 --class-weight balanced",
            "the run had `--holdout 0.2`, now there is no `--holdout`",
        ),
        ("iris.csv BEGUN --patience 2", "the run had no `--patience`, now there is `--patience 2`"),
        ("iris.csv BEGUN --keep vote", "the run had `--keep auto`, now there is `--keep vote`"),
        (
            "iris.csv BEGUN --kernel rbf:1",
            "the run had no `--kernel`, now there is `--kernel rbf:1`",
        ),
        (
            "iris.csv BEGUN --scale minmax",
            "the run had `--scale auto`, now there is `--scale minmax`",
        ),
        (
            "iris.csv BEGUN --no-compare",
            "the run had no `--no-compare`, now there is `--no-compare`",
        ),
        (
            "iris.csv BEGUN --positive Iris-setosa",
            "the run had no `--positive`, now there is `--positive Iris-setosa`",
        ),
        (
            "iris.csv --epochs 2 --seed 4 --class-weight balanced --holdout 0.2",
            "the run is past `--epochs 2`: epoch 3 is over",
        ),
        ("short.csv BEGUN", "the run learned from 150 examples, short.csv has 149"),
        ("iris.csv BEGUN --ignore 1", "the run learned from 4 features, iris.csv has 3"),
        (
            "names.csv BEGUN",
            "the run learned the classes Iris-setosa, Iris-versicolor, Iris-virginica, names.csv has \
             Iris-setosa, Iris-versicolor, Iris-virtual",
        ),
        ("other.csv BEGUN", "the run learned from other rows or classes than those of other.csv: "),
    ];
    for (line, problem) in cases {
        let line = line.replace("BEGUN", begun);
        let done = desk.run(&format!("train {line} --resume run --checkpoint run -o model"));
        assert_eq!(done.code, 2, "{line}: {}", done.stderr);
        let error = format!("error: run: {problem}");
        assert!(done.stderr.starts_with(&error), "{line}: {}", done.stderr);
        let hint = "hint: continue the run with the data and the options that it began with; only \
                    `--epochs` may differ\n";
        assert!(done.stderr.ends_with(hint) && done.stderr.lines().count() == 2, "{}", done.stderr);
        assert_eq!((done.stdout.as_str(), desk.files()), ("", files.clone()));
    }
    let done = desk.run(&format!("train iris.csv {begun} --resume run --hard 3"));
    let error =
        "error: --hard needs the mistakes on each example, but the checkpoint does not have them\n";
    assert!(done.code == 2 && done.stderr.starts_with(error), "{}", done.stderr);
}

/// Bad files and names: an error, perhaps a hint, and nothing is written.
#[test]
#[allow(clippy::too_many_lines)] // one case after the other
fn what_is_no_checkpoint_is_refused() {
    let desk = desk();
    desk.succeed("train iris.csv --epochs 3 --checkpoint run -o model");
    let whole = desk.read("run");
    let mut flipped = whole.clone();
    flipped[whole.len() - 1] ^= 1;
    desk.write("flipped", flipped);
    desk.write("cut", &whole[..whole.len() - 8]);
    desk.write("empty", "");
    let version: &[u8] = br#"format_version\":1"#;
    let place = whole.windows(version.len()).position(|bytes| bytes == version).unwrap();
    let mut newer = whole.clone();
    newer[place + version.len() - 1] = b'9';
    desk.write("newer", rosenblatt_data::sealed(newer));
    let files = desk.files();
    let takes = "hint: `--resume` takes a file that `train --checkpoint` wrote\n";
    let version = env!("CARGO_PKG_VERSION");
    let cases = [
        (
            "train iris.csv --resume flipped".to_owned(),
            format!(
                "error: flipped: this is not a rosenblatt checkpoint: its checksum is not that of its \
                 bytes: the file is damaged\n{takes}"
            ),
        ),
        (
            "train iris.csv --resume cut".to_owned(),
            format!(
                "error: cut: this is not a rosenblatt checkpoint: its length is not the one in its \
                 header\n{takes}"
            ),
        ),
        (
            "train iris.csv --resume empty".to_owned(),
            format!(
                "error: empty: this is not a rosenblatt checkpoint: it does not begin like a file of rosenblatt\n{takes}"
            ),
        ),
        (
            "train iris.csv --resume newer".to_owned(),
            format!(
                "error: newer: the checkpoint has format version 9, written by rosenblatt {version}; \
                 this program reads up to version 4\nhint: use rosenblatt {version} or newer\n"
            ),
        ),
        (
            "train iris.csv --resume model".to_owned(),
            format!("error: model: this is a model, not a checkpoint\n{takes}"),
        ),
        (
            "train iris.csv --resume nowhere".to_owned(),
            "error: nowhere: No such file or directory\nhint: check the path; it is \
             relative to the current folder\n"
                .to_owned(),
        ),
        (
            "train iris.csv --resume run -o run".to_owned(),
            "error: run: the output would replace the input\nhint: name another file for the output\n"
                .to_owned(),
        ),
        (
            "train iris.csv --checkpoint iris.csv".to_owned(),
            "error: iris.csv: the output would replace the input\nhint: name another file for the \
             output\n"
                .to_owned(),
        ),
        (
            "train iris.csv --checkpoint new -o new".to_owned(),
            "error: -o and --checkpoint name the same file\nhint: use one file for the model \
             and another for the checkpoint\n"
                .to_owned(),
        ),
        (
            "train iris.csv --checkpoint -".to_owned(),
            "error: --checkpoint needs the name of a file, not `-`\nhint: write `./-` for a file \
             called `-`\n"
                .to_owned(),
        ),
    ];
    for (line, said) in cases {
        let done = desk.run(&line);
        assert_eq!((done.code, &*done.stderr, &*done.stdout), (2, &*said, ""), "{line}");
        assert_eq!(desk.files(), files, "{line}");
    }
    let said = "error: run: this is a checkpoint of a run, not a model\nhint: `train DATA --resume \
                CHECKPOINT -o MODEL` turns it into a model\n";
    for line in
        ["show run", "predict run iris.csv", "evaluate run iris.csv", "plot iris.csv run -o a.svg"]
    {
        let done = desk.run(line);
        assert_eq!((done.code, &*done.stderr, &*done.stdout), (2, said, ""), "{line}");
    }
}

/// A checkpoint that cannot be written ends the run.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let desk = desk();
    let done = desk.run("train iris.csv --checkpoint /dev/full -o model");
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("error: /dev/full: "), "{}", done.stderr);
    assert!(!desk.path("model").exists());
}

/// The last epoch is in the file, whatever its number.
#[test]
fn the_last_epoch_is_written() {
    let desk = desk();
    for epochs in [1, 5, 12] {
        desk.succeed(&format!("train xor.csv --epochs {epochs} --checkpoint run -q"));
        let said = desk.run(&format!("train xor.csv --epochs {epochs} --resume run"));
        let note = format!("note: continuing run after epoch {epochs}, which was the last\n");
        assert!(said.stderr.contains(&note), "{}", said.stderr);
    }
}
