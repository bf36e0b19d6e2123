//! `--calibrate`: probabilities, decisions by them, and their losses.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data, tensors};
use rosenblatt_core::{
    calibration::{Calibration, CalibrationMethod},
    split::{Split, folds, hold_out},
};
use rosenblatt_data::ModelFile;
use serde_json::Value;

const METHODS: [&str; 4] = ["temperature", "platt", "isotonic", "venn-abers"];

/// Rows in no order, each with two features; the class is that of x + z > 0 with a wrong label in ten.
fn rows(n: usize) -> Vec<String> {
    let mut state: u64 = 4_321;
    let mut next = move || {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        (state >> 8) as f64 / 8_388_608.0 - 0.5
    };
    let row = |_| {
        let (x, z, is_right) = (next(), next(), next() < 0.4);
        format!("{x},{z},{}\n", if (x + z > 0.0) == is_right { "yes" } else { "no" })
    };
    (0..n).map(row).collect()
}

fn file<'r>(rows: impl IntoIterator<Item = &'r String>) -> String {
    "x,z,y\n".to_owned() + &rows.into_iter().map(String::as_str).collect::<String>()
}

fn classes(rows: &[String]) -> Vec<u32> {
    rows.iter().map(|row| u32::from(row.ends_with("yes\n"))).collect()
}

fn desk() -> Desk {
    let all = rows(500);
    Desk::with(&[
        ("train.csv", &file(&all[..300])),
        ("test.csv", &file(&all[300..])),
        ("iris.csv", &own_data("iris.csv")),
    ])
}

/// The numbers after the label of each row.
fn numbers(desk: &Desk, line: &str) -> Vec<Vec<f64>> {
    let lines = desk.succeed(line);
    let of = |line: &str| line.split('\t').skip(1).map(|cell| cell.parse().unwrap()).collect();
    lines.lines().map(of).collect()
}

fn labels(desk: &Desk, line: &str) -> Vec<String> {
    let first = |line: &str| line.split('\t').next().unwrap().to_owned();
    desk.succeed(line).lines().map(first).collect()
}

fn calibration(desk: &Desk, model: &str) -> Calibration {
    ModelFile::load(desk.path(model)).unwrap().model.calibration().unwrap().clone()
}

/// Weights and scores are those of the model without probabilities, whose file has the older version.
#[test]
fn a_calibration_changes_no_weights_and_scores() {
    let desk = desk();
    desk.succeed("train train.csv --holdout 0.3 -q -o plain.model");
    let version = |model: &str| {
        let bytes = desk.read(model);
        let text = String::from_utf8_lossy(&bytes);
        text.split("format_version\\\":").nth(1).unwrap().chars().next().unwrap()
    };
    assert_eq!(version("plain.model"), '2');
    let plain = tensors(&desk.read("plain.model"));
    for method in METHODS {
        desk.succeed(&format!("train train.csv --holdout 0.3 --calibrate {method} -q -o m.model"));
        assert_eq!(version("m.model"), if method == "temperature" { '4' } else { '8' });
        let found = tensors(&desk.read("m.model"));
        let others: Vec<_> =
            found.into_iter().filter(|tensor| !tensor.0.starts_with("calibration.")).collect();
        let is_same = |name: &str| name != "checksum";
        assert!(others.iter().zip(&plain).all(|(a, b)| a == b || !is_same(&a.0)), "{method}");
        assert_eq!(others.len(), plain.len());
        let scores = |model: &str| numbers(&desk, &format!("predict {model} test.csv --scores"));
        assert_eq!(scores("m.model"), scores("plain.model"));
    }
}

/// Whatever the method, the form of the model and the positive class: no label has less than the largest probability.
#[test]
fn labels_have_the_largest_probability() {
    let desk = desk();
    for method in METHODS {
        for options in [
            "train.csv",
            "train.csv --positive no --zero negative",
            "train.csv --kernel poly:2",
            "train.csv --keep vote --epochs 3",
            "iris.csv",
            "iris.csv --classes one-vs-rest",
            "iris.csv --kernel rbf:0.5",
        ] {
            desk.succeed(&format!("train {options} --folds 3 --calibrate {method} -q -o m.model"));
            let data = if options.starts_with("iris") { "iris.csv" } else { "test.csv" };
            let json =
                desk.succeed(&format!("predict m.model {data} --proba --output-format json"));
            let mut rows = json.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let reported = if options.contains("--positive no") { "no" } else { "yes" };
            assert!(rows.all(|row| {
                let label = row["label"].as_str().unwrap();
                match row["probabilities"].as_object() {
                    Some(all) => all.values().all(|p| p.as_f64() <= all[label].as_f64()),
                    None if label == reported => row["probability"].as_f64() >= Some(0.5),
                    None => row["probability"].as_f64() <= Some(0.5),
                }
            }));
        }
    }
}

/// The held-out examples are those of the split, and the curve is the engine's for their scores. Isotonic probabilities
/// of these examples sum up to their number of positive ones.
#[test]
fn held_out_examples_calibrate() {
    let desk = desk();
    let all = &rows(500)[..300];
    let Split { test, .. } = hold_out(all.len(), 0.3, 0).unwrap();
    let others: Vec<String> = test.iter().map(|&i| all[i].clone()).collect();
    desk.write("others.csv", file(&others));
    for (method, name) in CalibrationMethod::ALL.into_iter().zip(METHODS) {
        let line = format!("train train.csv --holdout 0.3 --calibrate {name} --json -o m.model");
        let report: Value = serde_json::from_str(&desk.succeed(&line)).unwrap();
        let stated = &report["calibration"];
        assert_eq!((&stated["method"], &stated["from"]), (&name.into(), &"holdout".into()));
        assert_eq!(stated["examples"], others.len());
        // The held-out examples have chosen the labels of the others.
        let withheld = &report["guarantee"]["withheld"];
        assert_eq!(*withheld == "chose_labels", name != "temperature", "{withheld}");
        let scores: Vec<f64> = numbers(&desk, "predict m.model others.csv --scores").concat();
        let scheme = rosenblatt_core::data::Scheme::Two { positive: 1 };
        let expected = Calibration::fit(method, scheme, &scores, &classes(&others)).unwrap();
        assert_eq!(calibration(&desk, "m.model"), expected, "{name}");
        let sum: f64 =
            numbers(&desk, "predict m.model others.csv --proba").iter().map(|p| p[0]).sum();
        let positives = f64::from(classes(&others).iter().sum::<u32>());
        let tolerance = if name == "isotonic" { 1e-9 } else { 1.0 };
        assert!((sum - positives).abs() < tolerance, "{name} {sum} {positives}");
    }
}

/// Each example is scored by a model of the other folds; the scores are multiplied by the quotient of the norms.
#[test]
fn folds_calibrate() {
    let desk = desk();
    let all = &rows(500)[..300];
    let scheme = rosenblatt_core::data::Scheme::Two { positive: 1 };
    for options in ["", "--kernel poly:2", "--keep vote --epochs 3"] {
        let line = format!("train train.csv --folds 3 --calibrate platt {options} -q -o m.model");
        desk.succeed(&line);
        let load = |model: &str| ModelFile::load(desk.path(model)).unwrap().model;
        let unit = |model: &str| load(model).classifier().score_units()[0];
        let (whole, mut scores, mut labels) = (unit("m.model"), Vec::new(), Vec::new());
        for Split { train, test } in folds(&classes(all), 3, 0).unwrap() {
            let part = |places: &[usize]| -> Vec<String> {
                places.iter().map(|&i| all[i].clone()).collect()
            };
            desk.write("part.csv", file(&part(&train)));
            desk.write("others.csv", file(&part(&test)));
            desk.succeed(&format!("train part.csv {options} -q -o part.model"));
            let found = numbers(&desk, "predict part.model others.csv --scores").concat();
            scores.extend(found.iter().map(|score| score * (whole / unit("part.model"))));
            labels.extend(classes(&part(&test)));
        }
        let expected =
            Calibration::fit(CalibrationMethod::Platt, scheme, &scores, &labels).unwrap();
        assert_eq!(calibration(&desk, "m.model"), expected, "{options}");
        assert!(
            desk.succeed("show m.model").contains("platt, fitted to the scores of 300 examples")
        );
    }
}

#[test]
fn labels_follow_a_threshold() {
    let desk = desk();
    for method in METHODS {
        desk.succeed(&format!("train train.csv --folds 5 --calibrate {method} -q -o m.model"));
        let probabilities = numbers(&desk, "predict m.model test.csv --proba");
        let expected = |threshold: f64| -> Vec<&str> {
            probabilities.iter().map(|p| if p[0] >= threshold { "yes" } else { "no" }).collect()
        };
        let found = |option: &str| labels(&desk, &format!("predict m.model test.csv {option}"));
        assert_eq!(found("--threshold 0.3"), expected(0.3));
        assert_eq!(found("--cost 1:4"), expected(0.2));
        assert_eq!(found("--cost 3:1"), expected(0.75));
        assert_ne!(found("--cost 3:1"), expected(0.2));
        let report = desk.report("evaluate m.model test.csv --cost 1:4");
        assert_eq!(report["threshold"], 0.2);
        let predicted = report["confusion"]["true_positive"].as_u64().unwrap()
            + report["confusion"]["false_positive"].as_u64().unwrap();
        assert_eq!(predicted as usize, expected(0.2).iter().filter(|&&l| l == "yes").count());
        // The other class is positive: its probability is the rest.
        desk.succeed(&format!(
            "train train.csv --positive no --folds 5 --calibrate {method} -q -o no.model"
        ));
        let others = numbers(&desk, "predict no.model test.csv --proba");
        let sums = probabilities.iter().zip(&others).map(|(a, b)| a[0] + b[0]);
        assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{method}");
    }
}

/// The losses of `evaluate` are those of the probabilities that `predict` writes.
#[test]
fn losses_of_new_examples() {
    let desk = desk();
    let actual = classes(&rows(500)[300..]);
    for method in METHODS {
        desk.succeed(&format!("train train.csv --folds 5 --calibrate {method} -q -o m.model"));
        let found = numbers(&desk, "predict m.model test.csv --proba");
        let n = actual.len() as f64;
        let pairs = || found.iter().zip(&actual).map(|(p, &class)| (p[0], f64::from(class)));
        let brier = pairs().map(|(p, y)| (p - y) * (p - y)).sum::<f64>() / n;
        let log = pairs().map(|(p, y)| -(y * p + (1.0 - y) * (1.0 - p)).ln()).sum::<f64>() / n;
        let report = desk.report("evaluate m.model test.csv");
        let losses = &report["probabilities"];
        assert_eq!((&losses["method"], &losses["examples"]), (&method.into(), &200.into()));
        assert!((losses["brier"].as_f64().unwrap() - brier).abs() < 1e-12);
        assert!(brier < 0.2, "{brier}");
        match losses["log_loss"].as_f64() {
            Some(log_loss) => assert!((log_loss - log).abs() < 1e-9),
            None => assert!(log.is_infinite() && losses["refuted"].as_u64().unwrap() > 0),
        }
        assert!(desk.succeed("evaluate m.model test.csv").contains("Brier score"), "{method}");
    }
    // Far on the wrong side, an isotonic step is certain.
    desk.succeed("train train.csv --folds 5 --calibrate isotonic -q -o m.model");
    desk.write("wrong.csv", "x,z,y\n-9,-9,yes\n9,9,yes\n");
    let report = desk.report("evaluate m.model wrong.csv");
    let certain = numbers(&desk, "predict m.model wrong.csv --proba")[0][0] == 0.0;
    assert_eq!(report["probabilities"]["log_loss"].is_null(), certain);
    // A label that the model does not know has no probability.
    desk.write("unseen.csv", "x,z,y\n1,1,yes\n1,1,maybe\n");
    assert_eq!(desk.report("evaluate m.model unseen.csv")["probabilities"]["examples"], 1);
}

/// Each line of `--thresholds` is what `--threshold` finds.
#[test]
fn the_table_is_what_each_threshold_predicts() {
    let desk = desk();
    for (method, options) in METHODS.iter().zip(["", "--positive no", "", ""]) {
        let line =
            format!("train train.csv --folds 5 --calibrate {method} {options} -q -o m.model");
        desk.succeed(&line);
        let report = desk.report("evaluate m.model test.csv --thresholds --cost 1:3");
        let all = report["thresholds"].as_array().unwrap();
        assert!(all.len() > 2 && all[0]["recall"] == 1.0, "{method}");
        let costs: Vec<f64> = all.iter().map(|row| row["cost"].as_f64().unwrap()).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        for (row, cost) in all.iter().zip(costs) {
            let line = format!("evaluate m.model test.csv --threshold {}", row["threshold"]);
            let at = desk.report(&line);
            for rate in ["precision", "recall", "f1"] {
                assert_eq!(at[rate], row[rate], "{method} {row}");
            }
            let count = |key: &str| at["confusion"][key].as_u64().unwrap();
            assert_eq!(row["predicted"], count("true_positive") + count("false_positive"));
            assert_eq!(cost, (count("false_positive") + 3 * count("false_negative")) as f64);
            assert_eq!(row["costs_least"] == true, cost == least, "{method} {row}");
        }
    }
}

/// A choice reaches its aim on all rows; its rates are of rows that did not choose.
#[test]
fn a_threshold_is_chosen() {
    let desk = desk();
    desk.succeed("train train.csv --folds 5 --calibrate platt -q -o m.model");
    for (option, rate, least) in
        [("--min-recall", "recall", 0.9), ("--min-precision", "precision", 0.8)]
    {
        let report = desk.report(&format!("evaluate m.model test.csv {option} {least}"));
        let chosen = &report["chosen"];
        assert_eq!(chosen["aim"], serde_json::json!({ rate: least }));
        let line = format!("evaluate m.model test.csv --threshold {}", chosen["threshold"]);
        assert!(desk.report(&line)[rate].as_f64().unwrap() >= least);
        assert!((chosen[rate].as_f64().unwrap() - least).abs() < 0.1, "{chosen}");
    }
    let shown = desk.succeed("evaluate m.model test.csv --thresholds --min-recall 90%");
    let (_, shown) = shown.split_once("threshold  ").unwrap();
    insta::assert_snapshot!(shown);
    let refused = |line: &str| {
        let found = desk.run(line);
        assert_eq!(found.code, 2, "{line}");
        found.stderr
    };
    desk.write("wrong.csv", "x,z,y\n-9,-9,yes\n9,9,no\n");
    let none = refused("evaluate m.model wrong.csv --min-precision 80%");
    assert!(
        none.contains("no threshold has a precision of 80.0% for yes; the best has 50.0%"),
        "{none}"
    );
    desk.write("no.csv", "x,z,y\n-9,-9,no\n9,9,no\n");
    for option in ["--min-recall 0.5", "--min-precision 0.5", "--thresholds"] {
        let none = refused(&format!("evaluate m.model no.csv {option}"));
        assert!(none.contains("no row is labeled yes"), "{none}");
    }
    desk.write("empty.csv", "x,z,y\n");
    assert!(refused("evaluate m.model empty.csv --thresholds").contains("no example"));
    desk.succeed("train iris.csv --folds 3 --calibrate platt -q -o iris.model");
    assert!(refused("evaluate iris.model iris.csv --thresholds").contains("is for two classes"));
}

#[test]
fn forms_of_probabilities() {
    let desk = desk();
    desk.succeed("train train.csv --holdout 0.3 --calibrate venn-abers -q -o m.model");
    desk.write("two.csv", "x,z\n0.2,0.3\n\n-1,0\n");
    let [p, p0, p1] = <[f64; 3]>::try_from(
        numbers(&desk, "predict m.model two.csv --proba --on-error blank")[0].clone(),
    )
    .unwrap();
    assert!(p0 < p && p < p1 && (p - p1 / (1.0 - p0 + p1)).abs() < 1e-15);
    let csv = desk.succeed("predict m.model two.csv --proba --output-format csv --on-error blank");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "label,score,probability,p0,p1");
    assert!(lines[1].ends_with(&format!("{p:?},{p0:?},{p1:?}")) && lines[2] == ",,,,");
    let json =
        desk.succeed("predict m.model two.csv --proba --output-format json --on-error blank");
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["probability"], p);
    assert_eq!(first["interval"], serde_json::json!([p0, p1]));
    // Without the option nothing is added.
    let plain = desk.succeed("predict m.model two.csv --output-format csv --on-error blank");
    assert!(plain.starts_with("label,score\n"));
}

/// Of several classes, the probabilities sum up to 1, whether they are learned together or not.
#[test]
fn several_classes() {
    let desk = desk();
    for (method, options) in METHODS.iter().flat_map(|method| {
        ["", "--classes one-vs-rest", "--kernel rbf:0.5"].map(|options| (method, options))
    }) {
        desk.succeed(&format!(
            "train iris.csv --folds 3 --calibrate {method} {options} -q -o m.model"
        ));
        for row in numbers(&desk, "predict m.model iris.csv --proba") {
            assert!((row[..3].iter().sum::<f64>() - 1.0).abs() < 1e-12, "{method} {options}");
            assert_eq!(row.len(), if *method == "venn-abers" { 9 } else { 3 });
        }
        let report = desk.report("evaluate m.model iris.csv");
        assert!(report["probabilities"]["brier"].as_f64().unwrap() < 0.3, "{method} {options}");
        let json = desk.succeed("predict m.model iris.csv --proba --output-format json");
        let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert_eq!(first["probabilities"].as_object().unwrap().len(), 3);
    }
}

/// Of a rare class no curve reaches 1/2, so one label is left; the report does not propose weights of classes, which would not help.
/// What is about the hyperplane is refused.
#[test]
fn a_rare_class_has_no_label() {
    let desk = desk();
    let of_rare = |row: &String| row.ends_with("no\n");
    let all = rows(500);
    let rare = all
        .iter()
        .filter(|row| of_rare(row))
        .chain(all.iter().filter(|row| !of_rare(row)).take(12));
    desk.write("rare.csv", file(rare));
    let report =
        desk.report("train rare.csv --folds 4 --calibrate isotonic --scale none -o m.model");
    assert!(report["folds"]["remedy"].is_null() && report["calibration"]["relabelled"] != 0);
    assert!(labels(&desk, "predict m.model test.csv").iter().all(|label| label == "no"));
    assert!(desk.succeed("show m.model").contains("largest probability, which is never yes"));
    desk.succeed("plot rare.csv m.model --x x --y z -o regions.svg");
    for line in
        ["predict m.model test.csv --radius l2", "plot rare.csv m.model --distances -o a.svg"]
    {
        let done = desk.run(line);
        assert!(
            done.code == 2 && done.stderr.contains("--calibrate temperature"),
            "{}",
            done.stderr
        );
    }
}

#[test]
fn what_has_no_probabilities() {
    let desk = desk();
    desk.succeed("train train.csv -q -o plain.model");
    desk.succeed("train iris.csv --folds 3 --calibrate platt -q -o iris.model");
    desk.succeed("train train.csv --keep vote --folds 3 --calibrate platt -q -o vote.model");
    let none =
        "`train DATA --folds 5 --calibrate temperature -o MODEL` makes a model with probabilities";
    for (line, problem, hint) in [
        ("train train.csv --calibrate platt", "does not learn from", "add `--folds 5`"),
        ("predict plain.model test.csv --proba", "this model has none", none),
        ("predict plain.model test.csv --threshold 0.5", "--threshold needs", none),
        ("evaluate plain.model test.csv --cost 1:2", "--cost needs probabilities", none),
        ("predict iris.model iris.csv --threshold 0.5", "for two classes", "--proba` writes"),
        ("predict vote.model test.csv --proba --by last", "of the vote", "leave out `--by`"),
    ] {
        let done = desk.run(line);
        assert_eq!(done.code, 2, "{line}");
        assert!(done.stderr.contains(problem) && done.stderr.contains(hint), "{}", done.stderr);
    }
    for line in [
        "train train.csv --calibrate platt --holdout 0.3 --patience 3",
        "train train.csv --calibrate linear --holdout 0.3",
        "predict iris.model iris.csv --threshold 1.5",
        "predict iris.model iris.csv --cost 1",
        "predict iris.model iris.csv --cost 1:2 --threshold 0.5",
    ] {
        assert_eq!(desk.run(line).code, 2, "{line}");
    }
    desk.succeed("predict vote.model test.csv --proba --by vote");
}

/// The picture names the group that is off most. Equal data give equal bytes.
#[test]
fn a_picture_of_the_reliability() {
    let desk = desk();
    desk.succeed("train train.csv --folds 5 --calibrate platt -q -o m.model");
    desk.succeed("plot test.csv m.model --reliability -o a.svg");
    desk.succeed("plot test.csv m.model --panels reliability -o b.svg");
    assert_eq!(desk.read("a.svg"), desk.read("b.svg"));
    let svg = String::from_utf8(desk.read("a.svg")).unwrap();
    assert!(svg.contains("points on average"), "{svg}");
    assert!(svg.contains("platt, 200 examples in 10 groups") && svg.contains("of 20 examples"));
    assert!(!svg.contains("training examples"));
    desk.succeed("plot train.csv m.model --reliability -o known.svg");
    let known = String::from_utf8(desk.read("known.svg")).unwrap();
    assert!(known.contains("training examples"));
    desk.succeed("train iris.csv --folds 3 --calibrate platt -q -o iris.model");
    desk.succeed("train train.csv -q -o plain.model");
    for (line, problem) in [
        ("plot test.csv plain.model --reliability -o a.svg", "this model has none"),
        ("plot iris.csv iris.model --reliability -o a.svg", "for two classes, the model has 3"),
        ("plot test.csv --reliability -o a.svg", "cannot be drawn without a model"),
        ("plot test.csv m.model --reliability --panels curve -o a.svg", "cannot be used with"),
    ] {
        let done = desk.run(line);
        assert!(done.code == 2 && done.stderr.contains(problem), "{line}: {}", done.stderr);
    }
}
