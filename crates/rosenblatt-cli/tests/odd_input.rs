//! Input that is odd but good: it must come out right, and nothing may get out of step.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;

/// The model's column `1` is not the first column, which has no name.
#[test]
fn a_column_without_a_name_takes_no_other_name() {
    let rows = "100,1,2,a\n200,3,1,b\n300,5,5,b\n";
    let desk = Desk::with(&[
        ("named.csv", &format!("id,x,1,c\n{rows}")),
        ("unnamed.csv", &format!(",x,1,c\n{rows}")),
        ("other.csv", &format!(",x,y,c\n{rows}")),
    ]);
    desk.succeed("train named.csv --header --ignore id --positive a -o model");
    assert!(desk.succeed("evaluate model unnamed.csv").starts_with("accuracy    100.0%"));
    assert_eq!(desk.report("train other.csv --ignore 1")["features"], 2);
}

/// In a table of one column a quoted empty cell is a row, and so an error, not a blank line.
#[test]
fn a_quoted_empty_cell_is_a_row() {
    let desk = Desk::with(&[("data.csv", "x,c\n1,a\n2,b\n"), ("rows.csv", "x\n1\n\"\"\n5\n")]);
    desk.succeed("train data.csv -o model");
    let done = desk.run("predict model rows.csv");
    assert_eq!(done.code, 2);
    assert!(
        done.stderr.starts_with("error: rows.csv:3:1: the cell of column `x` is empty"),
        "{}",
        done.stderr
    );
}

#[test]
fn comments_may_be_longer_than_a_block() {
    let comments = "# as measured\n".repeat(100_000);
    let desk = Desk::with(&[("data.csv", &(comments + "x,y\n1,a\n2,b\nz,b\n"))]);
    let done = desk.run("train data.csv");
    assert!(done.stderr.contains("data.csv:100004:1: "), "{}", done.stderr);
    assert_eq!(desk.report("train data.csv --on-error skip")["examples"], 2);
}

/// A row that is left out leaves nothing behind, not even its category.
#[test]
fn a_skipped_row_leaves_no_category() {
    let desk = Desk::with(&[("data.csv", "k,x,c\nr,2,a\nghost,oops,b\ns,1,b\n")]);
    let report = desk.report("train data.csv --on-error skip");
    assert_eq!((&report["features"], &report["examples"]), (&3.into(), &2.into()));
}

/// Rows of another length do not decide what a column holds.
#[test]
fn ragged_rows_decide_no_kind() {
    let desk = Desk::with(&[("data.csv", "x,y,c\nbad\n1,2,a\n3,1,b\n")]);
    assert_eq!(desk.report("train data.csv --on-error skip")["examples"], 2);
}

/// Labels that floats cannot tell apart are two classes.
#[test]
fn large_labels_stay_apart() {
    let desk = Desk::with(&[("data.csv", "x,c\n1,9007199254740993\n2,9007199254740992\n")]);
    let classes = &desk.report("train data.csv")["classes"];
    assert_eq!(classes, &serde_json::json!(["9007199254740992", "9007199254740993"]));
}

#[test]
fn long_names_can_be_shown() {
    let (name, label) = ("n".repeat(70_000), "l".repeat(70_000));
    let desk = Desk::with(&[("data.csv", &format!("{name},c\n1,a\n2,{label}\n"))]);
    desk.succeed("train data.csv -o model");
    assert!(desk.succeed("show model").contains("nnn…"));
    assert!(desk.succeed("evaluate model data.csv").contains("lll…"));
}

/// The ending of a name tells the delimiter also for a model that was trained on another.
#[test]
fn a_model_of_commas_reads_tabs() {
    let desk = Desk::with(&[("data.csv", "x,c\n1,a\n2,b\n"), ("rows.tsv", "x\tnote\n1\tp,q\n")]);
    desk.succeed("train data.csv -o model");
    assert_eq!(desk.succeed("predict model rows.tsv"), "a\n");
}
