//! `docs/reference/json.md` has every key that `--json` prints.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use common::{Desk, own_data, root};
use serde_json::Value;

/// Commands that print each kind of answer; the models are those of commands before.
const LINES: [&str; 47] = [
    "train xor.csv --epochs 5 --keep last --diagnose --hard 2",
    "train iris.csv --folds 3 --epochs 20 --scale none -o iris.model",
    "train iris.csv --positive Iris-setosa --holdout 0.3 --patience 2",
    "train xor.csv --kernel poly:2 -o xor.model",
    "train and.csv --scale standard -o and.model",
    "train and.csv --order given --keep last",
    "train rare.csv",
    "evaluate and.model and.csv --baseline",
    "evaluate iris.model iris.csv --baseline",
    "evaluate iris.model iris.csv --radius l2",
    "evaluate and.model and.csv --explain 2",
    "compare and.model and.model and.csv",
    "evaluate and.model messy.csv --on-error skip:50% --unseen-labels skip",
    "separable and.csv",
    "separable xor.csv",
    "separable xor.csv --least-errors",
    "separable and.csv --bias radius",
    "separable factor.csv --weak --certificate weak.json",
    "separable factor.csv --verify weak.json",
    "separable xor.csv --verify weak.json",
    "separable factor.csv",
    "separable factor.csv --weak --seconds 1e-9",
    "separable iris.csv --positive Iris-versicolor --seconds 1e-9",
    "separable iris.csv --positive Iris-setosa --weak",
    "train factor.csv --keep last --epochs 3 --diagnose",
    "train xor.csv --order given",
    "train half-open.csv --mistake label --bias none --epochs 1 --order given --scale none --diagnose",
    "show and.model",
    "show xor.model",
    "train and.csv --normalise l2 --scale standard -o normal.model",
    "show normal.model",
    "train iris.csv --folds 3 --calibrate platt -o calibrated.model",
    "show calibrated.model",
    "train iris.csv --positive Iris-versicolor --folds 3 --calibrate venn-abers -o interval.model",
    "show interval.model",
    "train iris.csv --positive Iris-setosa --folds 3 --calibrate isotonic -o steps.model",
    "evaluate steps.model far.csv --threshold 0.4",
    "evaluate steps.model iris.csv --thresholds --min-recall 0.9",
    "train and.csv --weighting tfidf -o weighted.model",
    "show weighted.model",
    "train iris.csv --penalty l2:0.1 --sweep alpha=0.1,1 --folds 3",
    "train iris.csv --sweep scale=minmax,none --sweep bias=unit,none --folds 3",
    "train and.csv --notes lauer --trace and.json",
    "check and.csv and.json --notes lauer",
    "check and.csv and.json --notes carson",
    "study and.csv --runs 3 --sweep margin",
    "study iris.csv --positive Iris-setosa --runs 3 --sweep units --holdout 0.3",
];

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(all) => all.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            keys(value, found);
        }),
        Value::Array(all) => all.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// The words in code of each section, by the command in its heading.
fn sections(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut sections = BTreeMap::new();
    for section in page.split("\n## `").skip(1) {
        let command = section.split(['`', ' ']).next().unwrap().to_owned();
        let words = section.split('`').skip(2).step_by(2).map(str::to_owned);
        sections.entry(command).or_insert_with(BTreeSet::new).extend(words);
    }
    sections
}

#[test]
fn every_key_is_in_the_reference() {
    let files = ["and.csv", "xor.csv", "iris.csv"].map(|name| (name, own_data(name)));
    let desk = Desk::with(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let header = own_data("iris.csv").lines().next().unwrap().to_owned();
    desk.write("far.csv", header + "\n-50,-50,-50,-50,Iris-versicolor\n90,1,90,90,Iris-setosa\n");
    desk.write("messy.csv", "x1,x2,y\n0,0,-1\nx,0,1\n1,1,1\n1,0,7\n");
    // Levels with both labels, 20 times, and one with one label: quasi-complete.
    let levels = "low,a\nlow,b\nhigh,a\nhigh,b\n".repeat(20);
    desk.write("factor.csv", format!("level,y\n{levels}top,b\n"));
    // Balanced class weights find the rare class, of which a part lies among the other one.
    let row = |i: usize| match i % 20 {
        0 => format!("{},b\n", 5 + i % 3),
        at => format!("{},a\n", at / 2),
    };
    desk.write("rare.csv", "x,y\n".to_owned() + &(0..200).map(row).collect::<String>());
    desk.write("half-open.csv", "x1,x2,y\n1,0,1\n-1,0,1\n0,1,-1\n");
    let sections = sections(&fs::read_to_string(root().join("docs/reference/json.md")).unwrap());
    let mut missing = Vec::new();
    for line in LINES {
        // The codes 1 and 3 are the answers *no* and *unknown* of `separable`.
        let done = desk.run(&format!("{line} --json"));
        assert!([0, 1, 3].contains(&done.code), "{line}: {}", done.stderr);
        let mut found = BTreeSet::new();
        keys(&serde_json::from_str(&done.stdout).unwrap(), &mut found);
        let command = line.split(' ').next().unwrap();
        let unknown = found.difference(&sections[command]);
        missing.extend(unknown.map(|key| format!("{command}: {key}")));
    }
    missing.sort();
    missing.dedup();
    assert_eq!(missing, Vec::<String>::new());
}
