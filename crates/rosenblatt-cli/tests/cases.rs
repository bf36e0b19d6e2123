//! The cases that every way to use the project must reproduce, through the command: each as CSV and as
//! LIBSVM where its labels are numbers.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::fs;

use common::{Desk, root, tensors};
use serde_json::{Value, json};
use toml::{Table, Value as Toml};

fn numbers(row: &Toml) -> Vec<f64> {
    let number = |x: &Toml| x.as_float().or(x.as_integer().map(|x| x as f64)).unwrap();
    row.as_array().unwrap().iter().map(number).collect()
}

fn rows(case: &Table) -> Vec<(Vec<f64>, String)> {
    let labels = case["labels"].as_array().unwrap().iter();
    let rows = case["rows"].as_array().unwrap().iter();
    rows.zip(labels).map(|(row, label)| (numbers(row), label.as_str().unwrap().into())).collect()
}

fn csv(case: &Table) -> String {
    let line = |(row, label): (Vec<f64>, String)| {
        row.iter().map(|x| format!("{x:?},")).collect::<String>() + &label + "\n"
    };
    rows(case).into_iter().map(line).collect()
}

/// Zeros are left out, but for the last feature, which tells the width.
fn libsvm(case: &Table) -> String {
    let line = |(row, label): (Vec<f64>, String)| {
        let entry = |(j, x): (usize, &f64)| {
            let needed = *x != 0.0 || j + 1 == row.len();
            if needed { format!(" {}:{x:?}", j + 1) } else { String::new() }
        };
        label + &row.iter().enumerate().map(entry).collect::<String>() + "\n"
    };
    rows(case).into_iter().map(line).collect()
}

fn options(case: &Table) -> Vec<String> {
    let mut words = Vec::new();
    for (name, value) in case.get("options").and_then(Toml::as_table).into_iter().flatten() {
        words.push(format!("--{}", name.replace('_', "-")));
        words.push(match value {
            Toml::String(word) => word.clone(),
            Toml::Table(weights) => {
                let weight =
                    |(label, weight): (&String, &Toml)| format!("{label}={}", json!(weight));
                weights.iter().map(weight).collect::<Vec<_>>().join(",")
            }
            number => json!(number).to_string(),
        });
    }
    if let Some(positive) = case.get("positive").and_then(Toml::as_str) {
        words.extend(["--positive".to_owned(), positive.to_owned()]);
    }
    words
}

/// Trains and compares whatever the case expects.
fn check(case: &Table, data: &str, text: &str, flags: &[&str]) {
    let desk = Desk::with(&[(data, text)]);
    let options = options(case);
    let mut words = vec!["train", data, "--scale", "none", "--json", "-o", "model"];
    words.extend(flags);
    words.extend(options.iter().map(String::as_str));
    let output = desk.command(&words).output().unwrap();
    let name = case["name"].as_str().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tensors = tensors(&desk.read("model"));
    let bits = |name: &str| -> Vec<u64> {
        let (_, _, bytes) = tensors.iter().find(|tensor| tensor.0 == name).unwrap();
        bytes.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect()
    };
    let (weights, bias) = (bits("weights"), bits("bias"));
    let float = |bits: &u64| f64::from_bits(*bits);
    for (key, expected) in case["expect"].as_table().unwrap() {
        match key.as_str() {
            "weights" => {
                assert_eq!(
                    weights.iter().map(float).collect::<Vec<_>>(),
                    numbers(expected),
                    "{name}"
                );
            }
            "bias" => assert_eq!(json!(float(&bias[0])), as_float(expected), "{name}"),
            "errors" => {
                for (kept, errors) in expected.as_table().unwrap() {
                    assert_eq!(report["errors"][kept], json!(errors), "{name}, {kept}");
                }
            }
            key => assert_eq!(report[key], json!(expected), "{name}, {key}"),
        }
    }
}

fn as_float(number: &Toml) -> Value {
    json!(number.as_float().or(number.as_integer().map(|x| x as f64)).unwrap())
}

#[test]
fn every_case_comes_out_as_it_says() {
    let mut checked = 0;
    for entry in fs::read_dir(root().join("cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let case: Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        check(&case, "case.csv", &csv(&case), &["--no-header"]);
        if rows(&case).iter().all(|(_, label)| label.parse::<f64>().is_ok()) {
            check(&case, "case.svm", &libsvm(&case), &[]);
        }
        checked += 1;
    }
    assert!(checked >= 12, "only {checked} cases were found");
}
