//! Real files as they are found in the wild, read by the command with nothing but options.
//!
//! `ROSENBLATT_DATA` names the folder that holds them. What a data set is known to be must come out:
//! its size, its classes, whether training converges.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{io::Read, path::PathBuf};

use common::{Desk, idx};
use serde_json::Value;

fn data(name: &str) -> String {
    let folder = std::env::var_os("ROSENBLATT_DATA")
        .expect("ROSENBLATT_DATA names the folder of the data sets");
    let path = PathBuf::from(folder).join(name);
    assert!(path.is_file(), "{} is not there", path.display());
    path.display().to_string()
}

fn train(name: &str, options: &str) -> Value {
    Desk::new().report(&format!("train {} {options}", data(name)))
}

fn size(report: &Value) -> (u64, u64) {
    (report["examples"].as_u64().unwrap(), report["features"].as_u64().unwrap())
}

fn errors(report: &Value, kept: &str) -> u64 {
    report["errors"][kept].as_u64().unwrap()
}

#[test]
fn sonar() {
    let report = train("sonar/sonar.csv", "--no-header");
    assert_eq!(size(&report), (208, 60));
    assert_eq!(report["classes"], serde_json::json!(["M", "R"]));
    assert_eq!(report["converged"], false);
}

/// A comment line, no header, an id in column 1; columns 32 and 33 both tell the diagnosis.
#[test]
fn wdbc() {
    let options = "--no-header --target 33 --ignore 1,32";
    let report = train("wdbc/wdbc.data", &format!("{options} --epochs 100"));
    assert_eq!((size(&report), &report["positive"]), ((569, 30), &Value::from("1")));
    let scaled = train("wdbc/wdbc.data", &format!("{options} --scale standard"));
    assert!(errors(&scaled, "pocket") <= 5, "{scaled}");
}

#[test]
fn banknote() {
    let report =
        train("banknote_authentication/banknote_authentication.csv", "--no-header --epochs 200");
    assert_eq!(size(&report), (1372, 4));
    assert!(errors(&report, "pocket") <= 14);
}

#[test]
fn iris() {
    let name = "iris/iris.csv";
    let setosa = train(name, "--no-header --positive Iris-setosa");
    assert_eq!((size(&setosa), &setosa["converged"]), ((150, 4), &Value::Bool(true)));
    assert!(setosa["updates"].as_f64() <= setosa["novikoff_bound"].as_f64());
    let versicolor = train(name, "--no-header --positive Iris-versicolor --epochs 50");
    assert_eq!(versicolor["converged"], false);
}

#[test]
fn mushrooms() {
    let report = train("libsvm-mushrooms/mushrooms.txt", "");
    assert_eq!((size(&report), &report["converged"]), ((8124, 112), &Value::Bool(true)));
    assert_eq!(report["training_errors"], 0);
}

/// The test file has fewer features (122) than the training file (123).
#[test]
fn a9a() {
    let desk = Desk::new();
    let report =
        desk.report(&format!("train {} --epochs 10 -o a9a.model", data("libsvm-a9a/a9a.txt")));
    assert_eq!(size(&report), (32561, 123));
    let line = format!("evaluate a9a.model {} --json", data("libsvm-a9a/a9a.t"));
    let evaluation: Value = serde_json::from_str(&desk.succeed(&line)).unwrap();
    assert_eq!(evaluation["examples"], 16281);
    // Logistic regression reaches 0.848.
    assert!(evaluation["accuracy"].as_f64().unwrap() > 0.838, "{evaluation}");
}

#[test]
fn w8a() {
    let report = train("libsvm-w8a/w8a", "--epochs 5");
    assert_eq!(size(&report), (49749, 300));
    assert!(report["training_error_rate"].as_f64().unwrap() < 0.02);
}

#[test]
fn spambase() {
    let name = "spambase/spam.data";
    let report = train(name, "--delimiter space --no-header --scale standard --epochs 50");
    assert_eq!(size(&report), (4601, 57));
    assert!(errors(&report, "average") < 4601 / 10);
}

/// A table of passengers as it is: names, tickets, cabins, missing ages, and a label in the second column.
#[test]
fn titanic() {
    let desk = Desk::new();
    let file = data("titanic/titanic.csv");
    let report = desk.report(&format!("train {file} --folds 10 -o model"));
    assert_eq!(size(&report), (891, 11));
    assert!(report["folds"]["mean"].as_f64().unwrap() > 0.75, "{}", report["folds"]);
    let codes: Vec<_> =
        report["notes"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert_eq!(&codes[..2], ["label", "left_out_columns"], "{}", report["notes"]);
    assert_eq!(desk.succeed(&format!("predict model {file}")).lines().count(), 891);
    let dropped = format!("train {file} --epochs 10 --missing drop --ignore Cabin");
    assert_eq!(size(&desk.report(&dropped)), (712, 10));
}

/// Words as features: a spam filter in one command.
#[test]
fn sms_spam() {
    let report =
        train("sms-spam/SMSSpamCollection", "--no-header --text 2 --target 1 --holdout 0.2");
    assert_eq!(report["positive"], "spam");
    assert_eq!(report["holdout"]["examples"], 1115);
    assert!(report["holdout"]["accuracy"].as_f64().unwrap() >= 0.975, "{}", report["holdout"]);
}

/// A file of many text columns, blanks after the commas.
#[test]
fn adult() {
    let report = train("adult/adult-train.csv", "--no-header --epochs 2 --no-compare");
    assert_eq!(size(&report), (32561, 108));
    assert_eq!(report["positive"], ">50K");
}

/// Images and labels in the files as they come; the test files are found to be of the same shape.
#[test]
fn mnist() {
    let desk = Desk::new();
    let images = data("mnist/train-images-idx3-ubyte.gz");
    let report = desk
        .report(&format!("train {images} --positive 0 --epochs 1 --order shuffle -o zero.model"));
    assert_eq!((size(&report), &report["positive"]), ((60_000, 784), &Value::from("0")));
    assert!(errors(&report, "average") < 600, "{report}");
    let images = data("mnist/t10k-images-idx3-ubyte.gz");
    let line = format!("evaluate zero.model {images} --json");
    let evaluation: Value = serde_json::from_str(&desk.succeed(&line)).unwrap();
    assert_eq!(evaluation["examples"], 10_000);
    assert!(evaluation["accuracy"].as_f64().unwrap() > 0.99, "{evaluation}");
    assert_eq!(desk.succeed(&format!("predict zero.model {images}")).lines().count(), 10_000);
    let centre = desk.succeed("show zero.model --top 0");
    assert!(centre.lines().any(|line| line.starts_with("14,14 ")), "{centre}");
}

/// Ten digits, each against the rest: the voted kernel perceptron of Freund & Schapire (1999), d = 4,
/// one epoch. Their counts are averages over random orders, 6,338 and 7,977, the error is 2.2 %.
#[test]
fn mnist_digits() {
    let desk = Desk::new();
    let images = data("mnist/train-images-idx3-ubyte.gz");
    let options = "--kernel poly:4 --bias none --keep vote --epochs 1 --order shuffle --no-compare";
    let report = desk.report(&format!("train {images} {options} -o digits.model"));
    assert_eq!(report["per_class"].as_array().unwrap().len(), 10);
    let near = |count: &Value, known: f64| (count.as_f64().unwrap() / known - 1.0).abs() < 0.02;
    assert!(near(&report["support"], 6338.0) && near(&report["updates"], 7977.0), "{report}");
    let images = data("mnist/t10k-images-idx3-ubyte.gz");
    let line = format!("evaluate digits.model {images} --json --baseline");
    let evaluation: Value = serde_json::from_str(&desk.succeed(&line)).unwrap();
    assert!((evaluation["error_rate"].as_f64().unwrap() - 0.022).abs() < 0.0025, "{evaluation}");
    assert_eq!(evaluation["baseline"]["majority"], "1");
}

fn separable(name: &str, options: &str) -> Value {
    asked(&Desk::new(), &data(name), options)
}

/// Asks whether a hyperplane separates the classes; the proof passes the checker.
fn asked(desk: &Desk, name: &str, options: &str) -> Value {
    let question = format!("separable {name} {options}");
    let done = desk.run(&format!("{question} --json --certificate proof.json"));
    let answer: Value = serde_json::from_str(&done.stdout).expect(&done.stderr);
    let code = if answer["separable"] == "yes" { 0 } else { 1 };
    assert_eq!(done.code, code, "{answer}");
    let checked = desk.run(&format!("{question} --verify proof.json"));
    assert_eq!(checked.code, 0, "{}", checked.stdout);
    if let (Some(lower), Some(upper)) =
        (answer["margin"]["lower"].as_f64(), answer["margin"]["upper"].as_f64())
    {
        assert!(lower <= upper && upper <= lower * (1.0 + 1e-6), "{name}: {lower} {upper}");
    }
    answer
}

/// (R/γ)² for the geometric margin with a free bias: a quarter of the bound (2R/γ)².
fn ratio(answer: &Value) -> f64 {
    answer["free_bias"]["bound"].as_f64().unwrap() / 4.0
}

#[test]
fn separable_sets() {
    let near = |value: f64, known: f64, share: f64| (value / known - 1.0).abs() < share;
    let sonar = separable("sonar/sonar.csv", "--no-header");
    assert!(near(ratio(&sonar), 1.32e7, 0.005), "{sonar}");
    let wdbc = separable("wdbc/wdbc.data", "--no-header --target 33 --ignore 1,32 --bias radius");
    let (lower, upper) = (&wdbc["margin"]["lower"], &wdbc["margin"]["upper"]);
    assert!(lower.as_f64() > Some(4.11e-5) && upper.as_f64() < Some(4.14e-5), "{wdbc}");
    let mushrooms = separable("libsvm-mushrooms/mushrooms.txt", "");
    assert!(near(ratio(&mushrooms), 318.0, 0.005), "{mushrooms}");
    for class in 1..=3 {
        let wine =
            separable("wine/wine.csv", &format!("--no-header --target 14 --positive {class}"));
        assert_eq!(wine["separable"], "yes");
        // With the unit bias it is 4.1e8; a quarter of the free bias's bound would be 2.4e7.
        assert!(class != 1 || near(wine["bound"].as_f64().unwrap(), 4.1e8, 0.01), "{wine}");
    }
    let setosa = separable("iris/iris.csv", "--no-header --positive Iris-setosa");
    assert_eq!(setosa["separable"], "yes");
}

#[test]
fn inseparable_sets() {
    let banknote = "banknote_authentication/banknote_authentication.csv";
    for (name, options) in [
        (banknote, "--no-header"),
        ("libsvm-heart_scale/heart_scale", "--format libsvm"),
        ("libsvm-a9a/a9a.txt", "--format libsvm"),
        ("libsvm-w8a/w8a", "--format libsvm"),
        ("spambase/spam.data", "--no-header --delimiter space"),
        ("titanic/titanic.csv", "--target Survived --features Pclass,SibSp,Parch,Fare"),
        ("iris/iris.csv", "--no-header --positive Iris-versicolor"),
        ("iris/iris.csv", "--no-header --positive Iris-virginica"),
    ] {
        assert_eq!(separable(name, options)["separable"], "no", "{name}");
    }
    let desk = Desk::new();
    let text = std::fs::read_to_string(data("iris/iris.csv")).unwrap();
    let two: String = text
        .lines()
        .filter(|line| !line.contains("setosa"))
        .fold(String::new(), |two, line| two + line + "\n");
    desk.write("two.csv", two);
    assert_eq!(asked(&desk, "two.csv", "--no-header")["separable"], "no");
}

/// Two sets in need of preparation: text of another program, and two of ten classes.
#[test]
fn prepared_sets() {
    let desk = Desk::new();
    let text = std::fs::read_to_string(data("vw-rcv1_small/rcv1_small.dat")).unwrap();
    desk.write("rcv1.svm", text.replace("|f ", ""));
    let rcv1 = asked(&desk, "rcv1.svm", "");
    assert!((ratio(&rcv1) / 586.0 - 1.0).abs() < 0.005, "{}", ratio(&rcv1));
    let unpacked = |name: &str| {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(data(name)).unwrap();
        flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
        bytes
    };
    let images = unpacked("mnist/train-images-idx3-ubyte.gz");
    let labels = unpacked("mnist/train-labels-idx1-ubyte.gz");
    let rows = images[16..].chunks(784).zip(&labels[8..]).filter(|(_, label)| **label < 2);
    let (mut values, mut kept) = (Vec::new(), Vec::new());
    rows.for_each(|(image, &label)| {
        values.extend_from_slice(image);
        kept.push(label);
    });
    let n = kept.len() as u32;
    desk.write("images-idx3-ubyte", idx(8, &[n, 28, 28], &values));
    desk.write("labels-idx1-ubyte", idx(8, &[n], &kept));
    assert_eq!(asked(&desk, "images-idx3-ubyte", "--quiet")["separable"], "yes");
}
