//! `--explain`: the parts of a score add up to it, whatever the features are.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::Value;

/// Numbers with a mean, categories, missing cells, products and text, of two classes and of three.
fn desk() -> Desk {
    let desk = Desk::new();
    let cities = ["Rome", "Oslo", "Bern", ""];
    let words = ["good", "bad", "quite", "very", "plain"];
    let mut table = "age,pay,city,note,kind,both\n".to_owned();
    for i in 0..90usize {
        let (age, pay) = (20 + i * 37 % 50, i * i % 91);
        let city = cities[i * 7 % 4];
        let note = [words[i % 5], words[i * i % 5], words[i / 7 % 5], "day"].join(" ");
        let kind = ["low", "mid", "top"][(age + pay) / 48 % 3];
        let both = if pay > age { "yes" } else { "no" };
        let age = if i % 11 == 0 { String::new() } else { age.to_string() };
        table += &format!("{age},{pay},{city},{note},{kind},{both}\n");
    }
    desk.write("table.csv", table);
    desk
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// That bias, contributions and others are the score, up to the rounding of the others, and that the largest come first.
fn assert_sum(explanation: &Value, score: f64, most: usize) {
    let parts = explanation["contributions"].as_array().unwrap();
    assert!(parts.len() <= most);
    let sizes: Vec<f64> = parts.iter().map(|part| number(&part["contribution"]).abs()).collect();
    assert!(sizes.is_sorted_by(|one, next| one >= next), "{sizes:?}");
    let numbers = parts.iter().map(|part| number(&part["contribution"]));
    let mut sum = rosenblatt::Accumulator::new();
    let others = number(&explanation["others"]);
    numbers.chain([others, number(&explanation["bias"])]).for_each(|part| sum.add(part));
    sum.add(-score);
    assert!(sum.rounded().abs() <= others.abs() * f64::EPSILON, "{}", sum.rounded());
}

/// Text, hashed words, products, numbers for categories, normalised rows and several classes.
#[test]
fn the_parts_add_up_to_the_score() {
    let desk = desk();
    let options = [
        "--target both",
        "--target both --scale none",
        "--target both --scale minmax",
        "--target both --text note --features age,city",
        "--target both --text note --bits 3 --weighting log --normalise l2",
        "--target both --ignore note --interactions age,city,pay --missing age=median+indicator",
        "--target both --ignore note --interactions city,kind --bits 2",
        "--target kind",
        "--target kind --text note --classes one-vs-rest",
    ];
    for options in options {
        desk.succeed(&format!("train table.csv {options} --no-folds -q -o model"));
        for most in [1, 3, 1000] {
            let line = format!("predict model table.csv -q --explain {most} --output-format json");
            for line in desk.succeed(&line).lines() {
                let row: Value = serde_json::from_str(line).unwrap();
                match &row["explanations"] {
                    Value::Object(of_classes) => {
                        assert_eq!(of_classes.len(), 3);
                        let each = of_classes.iter();
                        each.for_each(|(class, one)| {
                            assert_sum(one, number(&row["scores"][class]), most);
                        });
                    }
                    _ => assert_sum(&row["explanation"], number(&row["score"]), most),
                }
            }
        }
    }
}

#[test]
fn what_a_person_sees() {
    let desk = desk();
    desk.succeed("train table.csv --target both --ignore kind,note --no-folds -q -o model");
    let head = |line: &str| -> String {
        let all = desk.succeed(line);
        all.lines().take(3).map(|line| format!("{line}\n")).collect()
    };
    let plain = head("predict model table.csv -q --explain 2");
    let csv = head("predict model table.csv -q --explain 4 --output-format csv");
    let effects = desk.succeed("evaluate model table.csv -q --explain 3");
    let effects: String = effects
        .lines()
        .filter(|line| line.contains("moves"))
        .map(|line| format!("{line}\n"))
        .collect();
    insta::assert_snapshot!(plain + &csv + &effects);
}

#[test]
fn what_cannot_be_explained() {
    let desk = Desk::new();
    desk.write("iris.csv", own_data("iris.csv"));
    for options in ["--kernel rbf:1", "--keep vote"] {
        desk.succeed(&format!("train iris.csv {options} -q -o model"));
        for line in ["predict model iris.csv --explain 2", "evaluate model iris.csv --explain 2"] {
            let found = desk.run(line);
            assert_eq!(found.code, 2);
            assert!(
                found.stderr.contains("only the score of a linear model is a sum"),
                "{}",
                found.stderr
            );
        }
    }
}
