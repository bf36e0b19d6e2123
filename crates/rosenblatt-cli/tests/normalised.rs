//! `--normalise`: each row divided by its length, kept in the model and applied by every command.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data, tensors};
use serde_json::Value;

/// Rows of Euclidean lengths 5, 13 and 10.
const ROWS: &str = "a,b,y\n3,4,p\n5,-12,q\n-6,8,p\n";
/// These rows, divided by their lengths.
const L2: &str = "a,b,y\n0.6,0.8,p\n0.38461538461538464,-0.9230769230769231,q\n-0.6,0.8,p\n";
/// Divided by 7, 17 and 14, and by 4, 12 and 8; each decimal reads back as the quotient.
const L1: &str = "a,b,y\n0.42857142857142855,0.5714285714285714,p\n0.29411764705882354,-0.7058823529411765,q\n\
                  -0.42857142857142855,0.5714285714285714,p\n";
const MAX: &str = "a,b,y\n0.75,1,p\n0.4166666666666667,-1,q\n-0.75,1,p\n";

fn desk() -> Desk {
    Desk::with(&[("rows.csv", ROWS), ("l2.csv", L2), ("l1.csv", L1), ("max.csv", MAX)])
}

#[test]
fn a_model_is_that_of_the_divided_rows() {
    let desk = desk();
    for (length, options) in ["l2", "l1", "max"].into_iter().flat_map(|length| {
        ["", "--kernel rbf:0.5", "--keep vote", "--update pa1:0.1", "--epochs 1"]
            .map(|options| (length, options))
    }) {
        let line = format!("{options} --scale none -q -o");
        desk.succeed(&format!("train {length}.csv {line} divided.model"));
        desk.succeed(&format!("train rows.csv --normalise {length} {line} normal.model"));
        let [divided, normal] =
            ["divided.model", "normal.model"].map(|model| tensors(&desk.read(model)));
        let without_sum = |all: &[(String, Vec<usize>, Vec<u8>)]| {
            all.iter().filter(|tensor| tensor.0 != "checksum").cloned().collect::<Vec<_>>()
        };
        assert_eq!(without_sum(&normal), without_sum(&divided), "{length} {options}");
        assert_eq!(
            desk.succeed("predict normal.model rows.csv --scores"),
            desk.succeed(&format!("predict divided.model {length}.csv --scores")),
        );
        assert_eq!(
            desk.succeed("evaluate normal.model rows.csv --json"),
            desk.succeed(&format!("evaluate divided.model {length}.csv --json")),
        );
    }
}

/// The scaling comes first, and the default one is left out: it would change the proportions of a row.
#[test]
fn rows_are_scaled_before_they_are_normalised() {
    let desk = desk();
    let report = |line: &str| -> Value { desk.report(&format!("train rows.csv {line} -o model")) };
    let plain = report("--normalise l2");
    assert_eq!((plain["scale"].as_str(), plain["normalise"].as_str()), (Some("none"), Some("l2")));
    assert_eq!(plain["radius"], 1.0);
    assert_eq!(report("")["normalise"], Value::Null);
    let both = report("--normalize max --scale maxabs");
    assert_eq!((both["scale"].as_str(), both["normalise"].as_str()), (Some("maxabs"), Some("max")));
    // The largest sizes are 6 and 12: (3, 4) becomes (1/2, 1/3), then (1, 2/3).
    desk.write("one.csv", "a,b\n3,4\n");
    desk.write("same.csv", "a,b\n0.75,1\n");
    let scores = |file: &str| desk.succeed(&format!("predict model {file} --scores"));
    assert_eq!(scores("one.csv"), scores("same.csv"));
    let shown = desk.succeed("show model");
    assert!(shown.contains("--scale maxabs --normalise max"), "{shown}");
    assert!(shown.contains("the weights belong to the scaled and then normalised rows"), "{shown}");
    assert!(desk.succeed("train rows.csv --normalise l1").contains("; rows normalised: l1"));
}

#[test]
fn validation_checkpoints_and_text_have_it() {
    let desk = Desk::with(&[("iris.csv", &own_data("iris.csv"))]);
    let held_out = desk.report("train iris.csv --normalise l2 --holdout 0.2 --patience 20");
    assert!(held_out["holdout"]["accuracy"].as_f64().unwrap() > 0.9, "{held_out}");
    let folds = desk.report("train iris.csv --normalise l2 --folds 3");
    assert!(folds["folds"]["mean"].as_f64().unwrap() > 0.9, "{folds}");
    desk.succeed("train iris.csv --positive Iris-setosa --normalise max --epochs 1 --diagnose");
    let line = "train iris.csv --normalise l1 --keep average -q";
    desk.succeed(&format!("{line} --epochs 9 -o whole.model"));
    desk.succeed(&format!("{line} --epochs 4 --checkpoint run.checkpoint -o half.model"));
    desk.succeed(&format!("{line} --epochs 9 --resume run.checkpoint -o resumed.model"));
    assert_eq!(desk.read("resumed.model"), desk.read("whole.model"));
    let other =
        desk.run("train iris.csv --keep average --scale none --epochs 9 --resume run.checkpoint");
    assert_eq!(other.code, 2);
    assert!(
        other.stderr.contains("`--normalise l1`, now there is no `--normalise`"),
        "{}",
        other.stderr
    );
    // A text that says everything twice is the same row.
    desk.write("mail.csv", "kind,text\nspam,win money\nham,see you\nspam,money money now\n");
    desk.succeed("train mail.csv --target kind --text text --normalise l2 -q -o mail.model");
    desk.write("new.csv", "text\nsee money\nsee money see money\n");
    let scores = desk.succeed("predict mail.model new.csv --scores");
    let lines: Vec<&str> = scores.lines().collect();
    assert_eq!(lines[0], lines[1]);
}

/// A row of zeros stays as it is, and a length past the range of numbers is an error with its row.
#[test]
fn odd_rows() {
    let desk = Desk::new();
    desk.write("zero.csv", "a,b,y\n0,0,p\n1,2,q\n-1,1,p\n");
    for length in ["l2", "l1", "max"] {
        desk.succeed(&format!("train zero.csv --normalise {length} -q -o zero.model"));
        assert_eq!(desk.succeed("predict zero.model zero.csv").lines().count(), 3);
    }
    desk.write("huge.csv", "a,b,y\n1,2,p\n3,1,q\n1.7e308,1.7e308,p\n");
    let error = "error: huge.csv: the length of example 3 exceeds the range of 64-bit numbers\n\
                 hint: bring the features into range with `--scale maxabs`\n";
    for length in ["l1", "l2"] {
        let done = desk.run(&format!("train huge.csv --normalise {length}"));
        assert_eq!((done.code, done.stderr.as_str()), (2, error));
        desk.succeed(&format!("train huge.csv --normalise {length} --scale maxabs"));
    }
    let done = desk.run("train zero.csv --normalise l3");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("l2, l1, max"), "{}", done.stderr);
}

#[test]
fn other_programs_and_pictures() {
    let desk = desk();
    desk.succeed("train rows.csv --normalise l2 -q -o normal.model");
    let done = desk.run("export normal.model -o normal.csv");
    let error = "error: normal.model: CSV has no normalising of rows, and the model divides each row by its `l2` length\n\
                 hint: write `-o FILE.json` or `-o FILE.onnx`\n";
    assert_eq!((done.code, done.stderr.as_str()), (2, error));
    desk.succeed("export normal.model -o normal.onnx");
    desk.succeed("export normal.model -o normal.json");
    let object: Value = serde_json::from_slice(&desk.read("normal.json")).unwrap();
    assert_eq!(object["normalise"], "l2");
    // The boundary is no line in the plane of the features, so regions are drawn.
    desk.succeed("plot rows.csv normal.model -o normal.svg");
    let done = desk.run("plot rows.csv normal.model --baseline -o normal.svg");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("normalised rows"), "{}", done.stderr);
    desk.succeed("study rows.csv --runs 3 --normalise l2");
}
