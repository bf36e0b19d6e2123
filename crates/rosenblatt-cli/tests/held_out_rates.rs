//! The rates of held-out examples, counted by hand: the classes lie far apart, and one example of class `b` lies among
//! those of class `a`.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;
use serde_json::{Value, json};

/// Ten examples around each center, and one example of `b` at the center of `a`.
fn data(centers: &[(&str, i32, i32)]) -> String {
    let mut text = "x,z,class\n".to_owned();
    for i in -5..5 {
        for (class, x, z) in centers {
            text += &format!("{},{},{class}\n", 10 * x + i % 3, 10 * z + i / 3);
        }
    }
    let (_, x, z) = centers[0];
    text + &format!("{},{},b\n", 10 * x, 10 * z)
}

fn close(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-12
}

#[test]
fn folds_have_the_rates_of_two_classes() {
    let desk = Desk::new();
    desk.write("two.csv", data(&[("a", 1, 1), ("b", -1, -1)]));
    let report = desk.report("train two.csv --folds 5");
    let folds = &report["folds"];
    let confusion = json!({
        "true_positive": 10, "false_positive": 0, "false_negative": 1, "true_negative": 10,
    });
    assert_eq!((&folds["confusion"], &folds["positive"]), (&confusion, &json!("b")));
    assert!(close(&folds["precision"], 1.0) && close(&folds["recall"], 10.0 / 11.0));
    assert!(close(&folds["f1"], 20.0 / 21.0));
    // In four folds every pair is in order. In the fifth three examples of `b` meet two of `a`, and the one that lies
    // among these scores below one or both: an AUC of 4/6, 5/6 or between, by ties.
    let auc = folds["auc"].as_f64().unwrap();
    assert!((4.0 + 4.0 / 6.0..=4.0 + 5.0 / 6.0).contains(&(5.0 * auc)), "{auc}");
    insta::assert_snapshot!(desk.succeed("train two.csv --folds 5 --no-timing"));
}

/// More repeats are more folds; the baseline still counts examples.
#[test]
fn folds_are_dealt_out_again() {
    let desk = Desk::new();
    desk.write("two.csv", data(&[("a", 1, 1), ("b", -1, -1)]));
    let once = desk.report("train two.csv --folds 5");
    assert_eq!(once["folds"]["repeats"], Value::Null);
    let report = desk.report("train two.csv --folds 5 --repeats 3");
    let (once, folds) = (&once["folds"], &report["folds"]);
    let accuracies = |folds: &Value| folds["accuracies"].as_array().unwrap().clone();
    assert_eq!(folds["repeats"], json!(3));
    assert_eq!(accuracies(folds)[..5], accuracies(once)[..]);
    assert_eq!(accuracies(folds).len(), 15);
    let said = desk.succeed("train two.csv --folds 5 --repeats 3");
    assert!(said.contains(" of examples held out in 3 × 5 folds (mean ± sd)"), "{said}");
    assert!(said.contains("% by always predicting `b`: 11 of 21"), "{said}");
    assert_eq!(desk.run("train two.csv --repeats 3").code, 2);
}

/// Class `a` is right in 10 of 10 and predicted for 11, `b` right in 10 of 11, `c` in 10 of 10.
#[test]
fn folds_have_the_rates_of_several_classes() {
    let desk = Desk::new();
    desk.write("three.csv", data(&[("a", 1, 0), ("b", -1, 1), ("c", -1, -1)]));
    let report = desk.report("train three.csv --folds 5");
    let folds = &report["folds"];
    assert_eq!(folds["confusion"], json!([[10, 0, 0], [1, 10, 0], [0, 0, 10]]));
    assert!(close(&folds["macro_f1"], (20.0 / 21.0 + 20.0 / 21.0 + 1.0) / 3.0));
    let weighted = (10.0 * 20.0 / 21.0 + 11.0 * 20.0 / 21.0 + 10.0) / 31.0;
    assert!(close(&folds["weighted_f1"], weighted));
    let of_b = &folds["per_class"][1];
    assert_eq!((&of_b["class"], &of_b["examples"]), (&json!("b"), &json!(11)));
    assert!(close(&of_b["recall"], 10.0 / 11.0) && close(&folds["per_class"][2]["auc"], 1.0));
    insta::assert_snapshot!(desk.succeed("train three.csv --folds 5 --no-timing"));
}

/// The rates of `--holdout` are counted like those of `evaluate`.
#[test]
fn held_out_examples_have_rates() {
    let desk = Desk::new();
    desk.write("two.csv", data(&[("a", 1, 1), ("b", -1, -1)]));
    let holdout = desk.report("train two.csv --holdout 0.5")["holdout"].clone();
    let confusion = &holdout["confusion"];
    let sum: u64 = confusion.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(holdout["examples"], json!(sum));
    let wrong = ["false_positive", "false_negative"].map(|key| confusion[key].as_u64().unwrap());
    assert_eq!(holdout["errors"], json!(wrong.iter().sum::<u64>()));
    let (right, wrong) = (confusion["true_positive"].as_f64().unwrap(), wrong[1] as f64);
    assert!(close(&holdout["recall"], right / (right + wrong)));
}
