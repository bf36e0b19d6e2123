//! `--weight`: rows that count more or less.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;
use rosenblatt::{Perceptron, Rows, Run};
use rosenblatt_data::ModelFile;

/// Forty rows that no line separates, with weights between 0.5 and 4.
fn rows() -> Vec<([f64; 2], &'static str, f64)> {
    let row = |i: usize| {
        let (x, z) = ((i * 17 % 23) as f64 - 11.0, (i * 29 % 31) as f64 - 15.0);
        let label = if (x + z > 0.0) != i.is_multiple_of(7) { "yes" } else { "no" };
        ([x, z], label, [0.5, 1.0, 2.25, 4.0][i % 4])
    };
    (0..40).map(row).collect()
}

fn desk() -> Desk {
    let lines =
        rows().into_iter().map(|([x, z], label, weight)| format!("{x},{weight},{z},{label}\n"));
    let (with, without): (String, String) = rows()
        .into_iter()
        .map(|([x, z], label, _)| (format!("{x},1,{z},{label}\n"), format!("{x},{z},{label}\n")))
        .unzip();
    Desk::with(&[
        ("rows.csv", &("x,w,z,label\n".to_owned() + &lines.collect::<String>())),
        ("ones.csv", &("x,w,z,label\n".to_owned() + &with)),
        ("plain.csv", &("x,z,label\n".to_owned() + &without)),
    ])
}

/// The model is the one that the crate learns with these weights; weights of 1 change nothing.
#[test]
fn the_weights_are_those_of_the_column() {
    let desk = desk();
    let all = rows();
    let values: Vec<f64> = all.iter().flat_map(|row| row.0).collect();
    let labels: Vec<&str> = all.iter().map(|row| row.1).collect();
    let weights: Vec<f64> = all.iter().map(|row| row.2).collect();
    let rows = Rows::dense(&values, 2).unwrap();
    let run = Run { weights: Some(&weights), ..Run::default() };
    let expected = Perceptron::new().fit_with(&rows, &labels, run).unwrap();
    let report = desk.report("train rows.csv --weight w --folds 4 -o weighted.model");
    let found = ModelFile::load(desk.path("weighted.model")).unwrap();
    assert_eq!(found.model.hyperplane(), expected.hyperplane());
    assert_eq!(report["features"], 2);
    assert_eq!(
        report["row_weights"],
        serde_json::json!({ "column": "w", "least": 0.5, "largest": 4.0 })
    );
    let plain = desk.report("train plain.csv --folds 4 -o plain.model");
    assert_ne!(report["folds"]["accuracies"], plain["folds"]["accuracies"]);
    let ones = desk.report("train ones.csv --weight w --folds 4 -o ones.model");
    assert_eq!(ones["folds"], plain["folds"]);
    let [ones, plain] =
        ["ones.model", "plain.model"].map(|name| ModelFile::load(desk.path(name)).unwrap());
    assert_eq!(ones.model.hyperplane(), plain.model.hyperplane());
    // A file to predict needs no weights.
    assert_eq!(desk.succeed("predict weighted.model plain.csv").lines().count(), 40);
    let told = desk.succeed("train rows.csv --weight 2 --no-folds");
    assert!(told.contains("rows are weighted by column `2`: 0.5 to 4"), "{told}");
}

#[test]
fn every_kind_of_run_takes_them() {
    let desk = desk();
    for options in [
        "--epochs 1",
        "--keep last --diagnose",
        "--keep vote",
        "--kernel rbf:0.1",
        "--update pa1:1",
        "--penalty l2:0.1",
        "--holdout 0.25 --calibrate platt",
        "--holdout last:25%",
        "--class-weight balanced",
        "--folds 3 --sweep update=perceptron,pa1:1",
    ] {
        desk.succeed(&format!("train rows.csv --weight w {options} -q -o weighted.model"));
        desk.succeed(&format!("train rows.csv --ignore w {options} -q -o plain.model"));
        let [one, other] = ["weighted", "plain"]
            .map(|name| desk.succeed(&format!("predict {name}.model plain.csv --scores")));
        assert_ne!(one, other, "{options}");
    }
}

#[test]
fn cells_that_are_no_weights() {
    let desk = Desk::new();
    for (cell, shown) in [("0", "0"), ("-1", "-1"), ("", ""), ("x", "x"), ("inf", "inf")] {
        desk.write("rows.csv", format!("x,w,label\n1,1,yes\n2,{cell},no\n3,1,yes\n-4,2,no\n"));
        let found = desk.run("train rows.csv --weight w");
        let expected = format!("rows.csv: example 2: `{shown}` in column `w` is no weight");
        assert!(found.code == 2 && found.stderr.contains(&expected), "{}", found.stderr);
    }
}
