//! `train --epochs 1`: a large file is learned from while it is read.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{fmt::Write as _, io::Write as _, process::Stdio};

use common::{Desk, tensors};
use serde_json::Value;

/// Rows of 20 numbers whose class is mostly the sign of their weighted sum; `label` names the class.
fn rows(from: u32, to: u32, label: impl Fn(u32, bool) -> &'static str) -> String {
    let mut text = String::new();
    for i in from..to {
        let value = |j: u32| f64::from((i.wrapping_mul(2_654_435_761) >> (j % 16)) % 201) - 100.0;
        let sum: f64 = (0..20).map(|j| f64::from(j % 7) * value(j)).sum();
        for j in 0..20 {
            write!(text, "{},", value(j) / 8.0).unwrap();
        }
        writeln!(text, "{}", label(i, (sum > 0.0) != (i % 11 == 0))).unwrap();
    }
    text
}

fn two(_: u32, plus: bool) -> &'static str {
    if plus { "b" } else { "a" }
}

/// More numbers than are held in memory.
const LARGE: u32 = 60_000;

fn report(text: &str) -> Value {
    let mut report: Value = serde_json::from_str(text).unwrap();
    report.as_object_mut().unwrap().remove("seconds");
    report
}

#[test]
fn streamed_and_in_memory_are_the_same_model() {
    let desk = Desk::new();
    let text = rows(0, LARGE, two);
    desk.write("large.csv", &text);
    let train = "train large.csv --no-header --epochs 1 --json";
    // What must be counted again needs the rows in memory.
    let held = report(&desk.succeed(&format!("{train} --hard 1 --no-compare -o held.model")));
    assert!(held["training_errors"].is_u64());
    for (number, more) in
        ["--threads 1", "--threads 2", "--threads 3", "--order given"].iter().enumerate()
    {
        let model = format!("{number}.model");
        let streamed = report(&desk.succeed(&format!("{train} {more} -o {model}")));
        assert!(tensors(&desk.read(&model)) == tensors(&desk.read("held.model")), "{more}");
        assert_eq!(streamed["training_errors"], Value::Null);
        assert_eq!(streamed["errors"], Value::Null);
        for key in [
            "examples",
            "features",
            "updates",
            "mistakes_per_epoch",
            "radius",
            "kept",
            "classes",
            "positive",
        ] {
            assert_eq!(streamed[key], held[key], "{more}: {key}");
        }
    }
    let done = desk.run_with_input(
        "train - --format csv --no-header --epochs 1 -o stdin.model",
        text.as_bytes(),
    );
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("not counted"), "{}", done.stdout);
    // What can be read once is scaled by its first rows, whatever the format.
    assert!(
        done.stdout.contains("20 features standardized, by the first 10,000 examples"),
        "{}",
        done.stdout
    );
    let sparse = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let (label, values) = cells.split_last().unwrap();
        let entries = values.iter().zip(1..).filter(|(value, _)| **value != "0");
        let entries: String = entries.map(|(value, j)| format!(" {j}:{value}")).collect();
        format!("{}{entries}\n", if *label == "b" { "+1" } else { "-1" })
    };
    let sparse: String = text.lines().map(sparse).collect();
    let train = "train - --format libsvm --epochs 1 -q -o sparse.model";
    assert_eq!(desk.run_with_input(train, sparse.as_bytes()).code, 0);
    assert!(tensors(&desk.read("sparse.model")) == tensors(&desk.read("stdin.model")));
    // A streamed model is a model.
    assert!(desk.succeed("evaluate 0.model large.csv").contains("60,000"));
    desk.succeed("show 0.model");
}

#[test]
fn one_epoch_is_in_the_order_of_the_file_unless_told() {
    let desk = Desk::with(&[("small.csv", &rows(0, 500, two))]);
    let train = |more: &str| desk.report(&format!("train small.csv --no-header --epochs 1 {more}"));
    let (usual, given, shuffled) = (train(""), train("--order given"), train("--order shuffle"));
    assert_eq!(usual["updates"], given["updates"]);
    assert_ne!(usual["updates"], shuffled["updates"]);
    // Small data are held, and all is counted.
    assert!(usual["training_errors"].is_u64());
}

#[test]
fn one_pass_shuffles_sorted_rows_that_it_can_read_again() {
    let half = |i: u32, rows: u32| if i < rows / 2 { "a" } else { "b" };
    let (small, large) = (rows(0, 500, |i, _| half(i, 500)), rows(0, LARGE, |i, _| half(i, LARGE)));
    let desk = Desk::with(&[("small.csv", &small), ("large.csv", &large)]);
    let of = |text: &str| {
        let report = report(text);
        assert_eq!(report["sorted"], true);
        report["options"]["order"].as_str().unwrap().to_owned()
    };
    let line = |file: &str| format!("train {file} --format csv --no-header --epochs 1 --json");
    let file = |name: &str| of(&desk.succeed(&line(name)));
    let pipe = |text: &str| of(&desk.run_with_input(&line("-"), text.as_bytes()).stdout);
    assert_eq!([file("small.csv"), file("large.csv"), pipe(&small)], ["shuffle"; 3]);
    assert_eq!(pipe(&large), "given");
}

#[test]
fn a_third_class_that_comes_late() {
    let desk = Desk::new();
    let text = rows(0, LARGE, |i, plus| if i == LARGE - 2 { "c" } else { two(i, plus) });
    desk.write("three.csv", &text);
    let done = desk.run("train three.csv --no-header --epochs 1 --json -o three.model");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(report(&done.stdout)["classes"], serde_json::json!(["a", "b", "c"]));
    assert!(done.stderr.starts_with("note: the class `c` comes first after "), "{}", done.stderr);
    let line = "train - --format csv --no-header --epochs 1 -o stdin.model";
    let done = desk.run_with_input(line, text.as_bytes());
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("error: stdin: the class `c`"), "{}", done.stderr);
    assert!(done.stderr.contains("\nhint: "), "{}", done.stderr);
    assert_eq!(desk.files(), ["three.csv", "three.model"]);
}

#[test]
fn the_weight_of_a_class_that_comes_late() {
    let desk = Desk::new();
    desk.write(
        "three.csv",
        rows(0, LARGE, |i, plus| if i == LARGE - 2 { "c" } else { two(i, plus) }),
    );
    let train = "train three.csv --no-header --epochs 1 --class-weight c=2";
    assert_eq!(desk.report(train)["classes"], serde_json::json!(["a", "b", "c"]));
    let done = desk.run(&train.replace("c=2", "d=2"));
    assert!(done.code == 2 && done.stderr.contains("`d` is not a class"), "{}", done.stderr);
}

#[test]
fn a_fault_far_into_a_stream_leaves_no_model() {
    let desk = Desk::new();
    desk.write("large.csv", rows(0, LARGE, two) + "1,2\n");
    let done = desk.run("train large.csv --no-header --epochs 1 -o large.model");
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("error: large.csv:60001:"), "{}", done.stderr);
    assert_eq!((done.stdout.as_str(), desk.files()), ("", vec!["large.csv".to_owned()]));
}

/// The most memory that the process had so far, in KiB.
#[cfg(target_os = "linux")]
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Ten times as many rows need no more memory.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_a_stream() {
    let desk = Desk::new();
    let words = ["train", "-", "--format", "csv", "--no-header", "--epochs", "1", "--quiet"];
    let mut child = desk.command(&words).stdin(Stdio::piped()).spawn().unwrap();
    let text = rows(0, 10_000, two);
    let mut input = child.stdin.take().unwrap();
    let mut send =
        |times: usize| (0..times).for_each(|_| input.write_all(text.as_bytes()).unwrap());
    // What is sent was taken in, but for what the pipe holds.
    send(15);
    let before = peak(child.id());
    send(150);
    let after = peak(child.id());
    drop(input);
    assert!(child.wait().unwrap().success());
    // Rows of the second part alone take 240 MB as numbers.
    assert!(after < before + 8192, "{before} KiB, then {after} KiB");
    assert!(after < 56 * 1024, "{after} KiB");
}
