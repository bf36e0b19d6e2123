//! `--radius`: how far rows are from another label.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;
use serde_json::Value;

/// x − y is at least 2 for `a`, at most −2 for `b`.
const ROWS: &str = "x,y,class\n4,0,a\n3,1,a\n0,4,b\n1,3,b\n";

/// The weights of x and y in the units of the file, and the bias.
fn plane(desk: &Desk, model: &str) -> ([f64; 2], f64) {
    let shown: Value =
        serde_json::from_str(&desk.succeed(&format!("show {model} --json"))).unwrap();
    let all = shown["weights"].as_array().unwrap();
    let weight = |name: &str| {
        let entry = all.iter().find(|entry| entry["feature"] == name);
        let number = |entry: &Value| entry.get("unscaled").unwrap_or(&entry["weight"]).as_f64();
        entry.and_then(number).unwrap_or(0.0)
    };
    (["x", "y"].map(weight), shown["bias"].as_f64().unwrap())
}

/// Each radius against its definition, for small weights whose sums are exact in floats.
#[test]
fn radii_by_the_definition() {
    let desk = Desk::with(&[("rows.csv", ROWS), ("new.csv", "x,y\n4,0\n0,4\n2,1\n")]);
    desk.succeed("train rows.csv -o model --keep last --scale none");
    let (w, b) = plane(&desk, "model");
    let score = |x: f64, y: f64| (w[0] * x + w[1] * y + b).abs();
    let norms = [("l2", w[0].hypot(w[1])), ("linf", w[0].abs() + w[1].abs())];
    for (norm, length) in norms {
        let lines = desk.succeed(&format!("predict model new.csv --radius {norm}"));
        for (line, (x, y)) in lines.lines().zip([(4.0, 0.0), (0.0, 4.0), (2.0, 1.0)]) {
            let radius: f64 = line.split('\t').nth(1).unwrap().parse().unwrap();
            let expected = score(x, y) / length;
            assert!(
                (radius - expected).abs() <= 4.0 * f64::EPSILON * expected,
                "{line}: {expected}"
            );
        }
    }
    let csv = desk.succeed("predict model new.csv --radius l2 --output-format csv");
    assert_eq!(csv.lines().next(), Some("label,score,radius"));
    let json = desk.succeed("predict model new.csv --radius l2 --output-format json");
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["radius"].to_string(), csv.lines().nth(1).unwrap().split(',').nth(2).unwrap());
}

/// The four rows are at √2 and 2√2 from x = y or another line between them, and one of two labels is wrong.
#[test]
fn the_shares_that_stay_right() {
    let desk =
        Desk::with(&[("rows.csv", ROWS), ("test.csv", "x,y,class\n4,0,a\n0,4,b\n0,4,a\n0,4,b\n")]);
    desk.succeed("train rows.csv -o model --keep last --scale none");
    let radii = desk.succeed("predict model test.csv --radius l2");
    let radii: Vec<f64> =
        radii.lines().map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect();
    let found = desk.succeed("evaluate model test.csv --radius l2 --json");
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["accuracy"], 0.75);
    assert_eq!(found["robust"]["norm"], "l2");
    let curve = found["robust"]["curve"].as_array().unwrap();
    assert!(!curve.is_empty());
    for point in curve {
        let radius = point["radius"].as_f64().unwrap();
        let right = [0, 1, 3].iter().filter(|&&row| radii[row] >= radius).count();
        assert_eq!(point["accuracy"], right as f64 / 4.0, "{radius}");
    }
    assert_eq!(curve.last().unwrap()["accuracy"], 0.0);
    let text = desk.succeed("evaluate model test.csv --radius l2");
    assert!(text.contains("stay right if changed by less than"), "{text}");
}

/// Rows without a prediction have an empty cell.
#[test]
fn rows_without_a_prediction() {
    let desk = Desk::with(&[("rows.csv", ROWS), ("new.csv", "x,y\n4,0\nbad,4\n2,1\n")]);
    desk.succeed("train rows.csv -o model --scale none");
    let csv =
        desk.succeed("predict model new.csv --radius l2 --output-format csv --on-error blank");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[2]), (4, ",,"));
}

#[test]
fn models_without_radii() {
    let desk = Desk::with(&[("rows.csv", ROWS)]);
    let table = [
        ("", "the scaling auto rounds the features"),
        ("--scale standard", "the scaling standard rounds the features"),
        ("--weighting log", "weights counts"),
        ("--normalise l2", "normalises each row"),
        ("--kernel rbf:1", "only linear models"),
        ("--keep vote", "only linear models"),
        ("--interactions x,y", "products of columns do not change one by one"),
    ];
    for (options, problem) in table {
        desk.succeed(&format!("train rows.csv -o model {options}"));
        for command in ["predict", "evaluate"] {
            let done = desk.run(&format!("{command} model rows.csv --radius l2"));
            assert_eq!(done.code, 2);
            let error = done.stderr;
            assert!(error.contains(problem) && error.contains("hint: "), "{error}");
        }
    }
    // The hint helps.
    desk.succeed("train rows.csv -o model --scale none");
    desk.succeed("predict model rows.csv --radius l2");
}
