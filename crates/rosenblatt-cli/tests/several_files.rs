//! Several files as one data set: the same model, report and predictions as of one file with all rows.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;

const FIRST: &str = "x,color,y\n1,red,a\n-2,blue,b\n3.5,red,a\n";
const HEADER: &str = "x,color,y\n";
/// The last row has no line break, and `green` is a category that the first file does not have.
const SECOND_ROWS: &str = "-1,green,b\n2,red,a\n-4,blue,b";

/// The files `1.csv` and `2.csv`, and `all.csv` with the rows of both.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("1.csv", FIRST);
    desk.write("2.csv", [HEADER, SECOND_ROWS].concat());
    desk.write("all.csv", [FIRST, SECOND_ROWS, "\n"].concat());
    desk
}

/// The report without the name of the data.
fn report(desk: &Desk, files: &str, options: &str) -> serde_json::Value {
    let text = desk.succeed(&format!("train {files} --json -q --no-timing {options}"));
    let mut report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(report["data"].take().as_str().unwrap().starts_with(files.split(' ').next().unwrap()));
    report["model"].take();
    report
}

#[test]
fn a_model_of_several_files_is_that_of_one_file_with_their_rows() {
    let desk = desk();
    for options in ["", "--epochs 1", "--holdout 0.3", "--missing mean", "--scale standard"] {
        let [parts, whole] =
            [("1.csv 2.csv", "parts"), ("all.csv", "whole")].map(|(files, name)| {
                let report = report(&desk, files, &format!("{options} -o {name}.model"));
                (report, desk.read(&format!("{name}.model")))
            });
        assert_eq!(parts, whole, "{options}");
    }
    let parts = desk.succeed("predict parts.model 2.csv 1.csv --scores");
    let each = ["2.csv", "1.csv"]
        .map(|file| desk.succeed(&format!("predict parts.model {file} --scores")));
    assert_eq!(parts, each.concat());
    let judged = |files: &str| desk.succeed(&format!("evaluate parts.model {files} --json"));
    assert_eq!(judged("1.csv 2.csv"), judged("all.csv"));
    assert_eq!(
        desk.succeed("separable 1.csv 2.csv --json"),
        desk.succeed("separable all.csv --json")
    );
    desk.succeed("pack 1.csv 2.csv -o parts.packed");
    desk.succeed("pack all.csv -o all.packed");
    assert_eq!(report(&desk, "parts.packed", ""), report(&desk, "all.packed", ""));
}

#[test]
fn files_of_sparse_rows_follow_one_another() {
    let desk = Desk::new();
    desk.write("1.svm", "1 1:1\n-1 2:1\n");
    desk.write("2.svm", "1 1:1\n-1 7:2\n1 3:1\n");
    desk.write("all.svm", "1 1:1\n-1 2:1\n1 1:1\n-1 7:2\n1 3:1\n");
    assert_eq!(report(&desk, "1.svm 2.svm", ""), report(&desk, "all.svm", ""));
}

/// A file that does not fit is named, with its difference from the first, and nothing is written.
#[test]
fn each_file_has_the_columns_of_the_first() {
    let desk = desk();
    desk.write("named.csv", "x,colour,y\n1,red,a\n");
    desk.write("more.csv", "x,color,size,y\n1,red,2,a\n");
    desk.write("text.csv", "x,color,y\nlow,red,a\nhigh,red,b\n");
    desk.write("bad.csv", "x,color,y\n1,red,a\n2,red,a\nthree,red,b\n");
    desk.write("lines.svm", "1 1:1\n");
    desk.write("rows.csv", SECOND_ROWS);
    desk.succeed("pack 1.csv -o 1.packed");
    insta::assert_snapshot!(desk.session(&[
        "train 1.csv named.csv -o a.model",
        "train 1.csv more.csv -o a.model",
        "train 1.csv text.csv -o a.model",
        "train 1.csv bad.csv -o a.model",
        "train 1.csv lines.svm -o a.model",
        "train 1.csv rows.csv -o a.model",
        "train 1.csv missing.csv -o a.model",
        "train 1.csv 1.packed -o a.model",
        "train 1.csv 2.csv -o 2.csv",
        "train 1.csv 2.csv --labels 1.csv",
        "train 1.csv 2.csv --epochs 10",
    ]));
    assert!(!desk.path("a.model").exists());
}

/// The hint, followed: without quotes the shell passes the two names.
#[test]
fn a_quoted_pattern_names_no_file() {
    let desk = desk();
    let error = desk.run("train [12]*.csv -q --json");
    assert_eq!(error.code, 2);
    let error = error.stderr;
    assert!(error.contains("a shell expands a pattern only without quotes"), "{error}");
    desk.succeed("train 1.csv 2.csv -q --json");
}

#[test]
fn a_column_at_another_place_is_named() {
    let desk = Desk::with(&[
        ("one.csv", "x,z,y\n1,2,a\n3,4,b\n"),
        ("two.csv", "z,q,x,y\n1,2,3,a\n"),
        ("three.csv", "x,z,y\n5,6,b\n"),
    ]);
    desk.succeed("train one.csv three.csv --ignore z");
    let done = desk.run("train one.csv two.csv --features x");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("`x` is column 3, expected 1, as in one.csv"), "{}", done.stderr);
}
