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
