//! Files and labels as people have them: each gives the expected answer, or one error whose hint is then followed.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;
use serde_json::{Value, json};

/// A folder with the files of `messy_files/` and a model of `points.csv`.
fn desk() -> Desk {
    let desk = Desk::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messy_files");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        desk.write(name, std::fs::read(&path).unwrap());
    }
    desk.succeed("train points.csv --ignore id -o points.model");
    desk
}

/// The messages of a command that fails with one error and one hint.
fn fails(desk: &Desk, line: &str) -> (String, String) {
    let done = desk.run(line);
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{line}");
    let mut lines = done.stderr.lines().filter(|line| !line.starts_with("note: "));
    let error = lines.next().and_then(|line| line.strip_prefix("error: ")).expect("an error");
    let hint = lines.next().and_then(|line| line.strip_prefix("hint: ")).unwrap_or_default();
    assert_eq!(lines.next(), None, "{line}");
    (error.to_owned(), hint.to_owned())
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// `perhaps` is not in the training data: it is wrong, left out, or an error. The empty label is skipped.
#[test]
fn a_label_that_was_not_in_training_is_a_wrong_prediction() {
    let desk = desk();
    let line = "evaluate points.model new-labels.csv --on-error skip -q --json";
    let judged = parsed(&desk.succeed(line));
    assert_eq!((&judged["examples"], &judged["errors"]), (&json!(4), &json!(1)));
    assert_eq!((&judged["accuracy"], &judged["skipped"]), (&json!(0.75), &json!(1)));
    let unseen = json!({
        "examples": 1, "are_wrong": true, "predicted": [0, 1], "labels": ["perhaps"],
    });
    assert_eq!(judged["unseen_labels"], unseen);
    // Precision 1 / 2 and recall 1.
    assert_eq!((&judged["precision"], &judged["f1"]), (&json!(0.5), &json!(2.0 / 3.0)));
    assert_eq!(judged["auc"], json!(1.0));

    let left_out = parsed(&desk.succeed(&format!("{line} --unseen-labels skip")));
    assert_eq!((&left_out["examples"], &left_out["accuracy"]), (&json!(3), &json!(1.0)));
    let unseen = json!({ "examples": 1, "are_wrong": false, "labels": ["perhaps"] });
    assert_eq!(left_out["unseen_labels"], unseen);

    insta::assert_snapshot!(desk.session(&[
        "evaluate points.model new-labels.csv --on-error skip",
        "evaluate points.model new-labels.csv --unseen-labels stop",
    ]));
}

/// Each row and each blank line of the data has its line: the label, or nothing.
#[test]
fn predictions_have_a_line_for_each_row() {
    let desk = desk();
    desk.succeed("train lines.svm -o lines.model");
    insta::assert_snapshot!(desk.session(&[
        "predict points.model bad-rows.csv",
        "predict points.model bad-rows.csv --on-error blank",
        "predict points.model bad-rows.csv --on-error blank --id id",
        "predict points.model bad-rows.csv --on-error blank --id 1 --output-format csv -q",
        "predict points.model bad-rows.csv --on-error blank --output-format json -q",
        "predict points.model points.csv --scores --id label",
        "predict lines.model bad-lines.svm --on-error blank",
        "predict lines.model lines.svm --id 1",
        "predict points.model points.csv --id code",
    ]));
    let whole = desk.succeed("predict points.model bad-rows.csv --on-error blank -q");
    assert_eq!(whole, "no\n\n\nyes\n\n\n\n");
    for threads in [1, 3] {
        let line = format!("predict points.model - --on-error blank -q --threads {threads}");
        assert_eq!(desk.run_with_input(&line, &desk.read("bad-rows.csv")).stdout, whole);
    }
}

/// Another program writes a row, reads its label and only then writes the next one.
#[test]
fn predict_answers_each_row_before_the_next_comes() {
    use std::{
        io::{BufRead, BufReader, Write},
        process::Stdio,
    };
    let desk = desk();
    for threads in ["1", "3"] {
        let words =
            ["predict", "points.model", "-", "--threads", threads, "--on-error", "blank", "-q"];
        let mut child =
            desk.command(&words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut to = child.stdin.take().unwrap();
        let mut from = BufReader::new(child.stdout.take().unwrap());
        to.write_all(b"x,y\n").unwrap();
        for (row, label) in [
            ("0,1\n", "no\n"),
            ("9,9\n", "yes\n"),
            ("?,9\n", "\n"),
            ("\n", "\n"),
            ("8,8\n", "yes\n"),
        ] {
            to.write_all(row.as_bytes()).unwrap();
            let mut answer = String::new();
            from.read_line(&mut answer).unwrap();
            assert_eq!(answer, label, "{row}");
        }
        drop(to);
        assert!(child.wait().unwrap().success());
    }
}

/// One row may always be skipped; more than one in a hundred only if the command says so.
#[test]
fn skipping_has_a_limit() {
    let desk = desk();
    let (error, hint) = fails(&desk, "train two-bad.csv --on-error skip");
    assert_eq!(
        error,
        "two-bad.csv: 2 of 8 rows cannot be read, at most 1% may be skipped; the first: \
         two-bad.csv:4:1: `oops` in column `x` is not a number"
    );
    assert_eq!(hint, "`--on-error skip:25%` accepts this share");
    desk.succeed("train two-bad.csv --on-error skip:25% -o two.model");
    assert!(fails(&desk, "train two-bad.csv --on-error skip:24.9%").0.contains("at most 24.9%"));
    assert!(
        fails(&desk, "evaluate two.model two-bad.csv --on-error skip").0.contains("at most 1%")
    );
    let done = desk.run("evaluate two.model two-bad.csv --on-error skip:25% --json");
    assert_eq!(parsed(&done.stdout)["skipped"], json!(2));
    let (error, _) = fails(&desk, "train two-bad.csv --on-error skip:25");
    assert!(error.contains("such as skip:5%"), "{error}");
}
