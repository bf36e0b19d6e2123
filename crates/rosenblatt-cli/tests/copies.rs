//! Rows that equal others: copies stay on one side, and every example is held out once.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;
use serde_json::{Value, json};

/// Numbers below 2²³ in no order.
fn numbers() -> impl FnMut() -> u64 {
    let mut state: u64 = 12_345;
    move || {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        state >> 8
    }
}

/// Notes of six words and a label by a coin, the whole table three times.
fn notes(notes: usize) -> String {
    let mut next = numbers();
    let mut note = |_| {
        let words: Vec<String> = (0..6).map(|_| format!("w{}", next() % 400)).collect();
        format!("{},{}\n", words.join(" "), ["no", "yes"][usize::from(next() % 1000 < 500)])
    };
    let all: String = (0..notes).map(&mut note).collect();
    "note,label\n".to_owned() + &all.repeat(3)
}

/// Notes with random labels tell nothing of new ones, whatever is learned of those that were seen.
#[test]
fn copied_notes_are_held_out_together() {
    let desk = Desk::with(&[("notes.csv", &notes(200))]);
    let report = desk.report("train notes.csv --text note --folds 5");
    let mean = report["folds"]["mean"].as_f64().unwrap();
    assert!((0.35..0.65).contains(&mean), "{mean}");
    let copies = &report["copies"];
    assert_eq!((&copies["examples"], &copies["share"]), (&json!(600), &json!(1.0)));
    assert_eq!((&copies["together"], &copies["new"]["examples"]), (&json!(true), &json!(600)));
    assert!(copies["seen"]["accuracy"].as_f64().unwrap() > 0.95, "{copies}");
    let text = desk.succeed("train notes.csv --text note --folds 5");
    for line in [
        "copies    600 examples (100.0%) equal another one in all features, and stay on one side of each split",
        "          new rows: ",
        "% of 600 rows; rows seen before: ",
        "of 600 rows, the training examples",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // The same of a hold-out, its early stop, a sweep and a calibration; no guarantee is given.
    let held = desk.report("train notes.csv --text note --holdout 0.25");
    assert_eq!(held["copies"]["together"], true);
    assert!((0.3..0.7).contains(&held["holdout"]["accuracy"].as_f64().unwrap()), "{held}");
    assert_eq!(held["guarantee"]["withheld"], "repeated");
    let patient = desk.report("train notes.csv --text note --holdout 0.25 --patience 2");
    let errors = |report: &Value| report["holdout"]["examples"].as_u64().unwrap();
    assert_eq!(errors(&held), errors(&patient));
    let swept = desk.report("train notes.csv --text note --folds 5 --sweep bias=unit,none");
    for value in swept["sweep"]["values"].as_array().unwrap() {
        assert!((0.35..0.65).contains(&value["accuracy"].as_f64().unwrap()), "{value}");
    }
    // A calibration by scores of notes that were seen would say that the model is nearly sure.
    desk.succeed("train notes.csv --text note --folds 5 --calibrate platt -q -o m.model");
    let shown = desk.succeed("predict m.model notes.csv --proba");
    let odd = |line: &str| (line.split('\t').nth(1).unwrap().parse::<f64>().unwrap() - 0.5).abs();
    assert!(shown.lines().map(odd).sum::<f64>() / 600.0 < 0.2);
}

/// 8 of 12 rows in pairs: too few to tell from chance, so they are split like others, and both figures are given.
#[test]
fn few_copies_are_split_and_told_apart() {
    let rows = "x,y\n1,a\n1,a\n2,b\n2,b\n3,a\n3,a\n4,b\n4,b\n5,a\n6,b\n7,a\n8,b\n";
    let desk = Desk::with(&[("rows.csv", rows)]);
    for line in ["--folds 3", "--folds 6", "--holdout 0.5", "--holdout 0.25 --seed 3"] {
        let report = desk.report(&format!("train rows.csv {line}"));
        let (copies, held) = (&report["copies"], &report["holdout"]);
        assert_eq!((&copies["examples"], &copies["together"]), (&json!(8), &json!(false)));
        let sum = |key: &str| -> u64 {
            ["seen", "new"].iter().filter_map(|part| copies[part][key].as_u64()).sum()
        };
        let examples = held["examples"].as_u64().unwrap_or(12);
        assert_eq!(sum("examples"), examples, "{line}: {copies}");
        let confusion = report["folds"].get("confusion").unwrap_or(&held["confusion"]);
        let wrong =
            ["false_positive", "false_negative"].map(|key| confusion[key].as_u64().unwrap());
        assert_eq!(sum("errors"), wrong.iter().sum::<u64>(), "{line}: {copies}");
        assert!(copies["new"]["examples"].as_u64().unwrap() >= 1, "{line}: {copies}");
    }
    // Each in a fold of its own: the eight are seen, the four are new.
    let alone = desk.report("train rows.csv --folds 12");
    assert_eq!(
        [&alone["copies"]["seen"]["examples"], &alone["copies"]["new"]["examples"]],
        [&json!(8), &json!(4)]
    );
    desk.write("other.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
    let none = desk.report("train other.csv --folds 2");
    assert_eq!(none["copies"], json!({"examples": 0, "share": 0.0, "together": false}));
    assert!(!desk.succeed("train other.csv --folds 2").contains("copies"));
}

/// Missing cells are equal to one another, as are the zeros; the order of the file does not matter.
#[test]
fn equal_as_the_learner_sees_them() {
    let rows = "x,c,y\n,u,a\n3,u,b\n,u,b\n0,v,a\n-0.0,v,b\n5,w,a\n0.5,w,b\n5e-1,w,a\n";
    let desk = Desk::with(&[("rows.csv", rows)]);
    let report = desk.report("train rows.csv --missing zero --folds 2");
    assert_eq!(report["copies"]["examples"], 6);
}

/// One example of a class: it is held out like the others, by a model that does not know it; the class is named.
#[test]
fn a_class_of_few_examples_is_no_obstacle() {
    let mut next = numbers();
    let row = |i: usize| {
        let (x, z) = (next() % 1000, next() % 1000);
        format!("{x},{z},{}\n", ["a", "b", "c", "lone"][if i == 70 { 3 } else { i % 3 }])
    };
    let rows: String = (0..90).map(row).collect();
    let desk = Desk::with(&[("rows.csv", &format!("x,z,class\n{rows}"))]);
    let report = desk.report("train rows.csv --folds 5");
    let folds = &report["folds"];
    assert_eq!(folds["few"][0]["class"], "lone");
    assert_eq!((&folds["few"][0]["examples"], &folds["few"][0]["folds"]), (&1.into(), &1.into()));
    let counts = folds["confusion"].as_array().unwrap().iter();
    let counted: u64 =
        counts.flat_map(|row| row.as_array().unwrap()).map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(counted, 90);
    let text = desk.succeed("train rows.csv --folds 5");
    assert!(
        text.contains("recall of few examples, not in each of 5 folds: 0.0% of class `lone` (1 example, never learned when tested)"),
        "{text}"
    );
    // Two classes, so that one model learns a single class.
    desk.write("two.csv", "x,y\n1,a\n2,a\n3,a\n4,a\n5,b\n");
    let two = desk.report("train two.csv --folds 5");
    assert_eq!(
        (&two["folds"]["few"][1]["class"], &two["folds"]["few"][1]["folds"]),
        (&"b".into(), &1.into())
    );
    assert_eq!(
        (&two["folds"]["mean"], &two["folds"]["few"][1]["recall"]),
        (&0.6.into(), &0.0.into())
    );
    desk.report("train two.csv --folds 5 --class-weight a=2,b=3");
    // Some class is missing from what a fold learns, and the weights of the others keep their places.
    desk.report("train rows.csv --folds 5 --class-weight lone=5,a=2");
    for table in ["two.csv", "rows.csv"] {
        let done = desk.run(&format!("train {table} --folds 5 --calibrate platt"));
        assert!(done.code == 2 && done.stderr.contains("scores of every class"), "{}", done.stderr);
    }
    desk.report("train rows.csv --folds 5 --calibrate platt --positive b");
    let done = desk.run("train two.csv --folds 6");
    assert!(done.stderr.contains("there are 5 examples, too few for 6 parts"), "{}", done.stderr);
    assert!(done.stderr.contains("use `--folds 5` or fewer"), "{}", done.stderr);
}

/// Of classes of which each has one example, those held out are unknown to the model: errors, counted and named.
#[test]
fn a_class_that_is_held_out_whole_is_unknown() {
    let mut next = numbers();
    let row = |i: usize| {
        let x = next() % 1000;
        let class =
            if i.is_multiple_of(10) { format!("r{i:03}") } else { ["a", "b"][i % 2].to_owned() };
        format!("{x},{class}\n")
    };
    let rows: String = (0..200).map(row).collect();
    let desk = Desk::with(&[("rows.csv", &format!("x,class\n{rows}"))]);
    let report = desk.report("train rows.csv --holdout 0.3 -o m.model");
    let (held, unseen) = (&report["holdout"], &report["holdout"]["unseen_labels"]);
    let labels = unseen["labels"].as_array().unwrap();
    assert_eq!(
        (unseen["examples"].as_u64().unwrap() as usize, &unseen["are_wrong"]),
        (labels.len(), &json!(true))
    );
    assert!(
        !labels.is_empty() && labels.iter().all(|label| label.as_str().unwrap().starts_with('r'))
    );
    let known = report["classes"].as_array().unwrap();
    assert_eq!(known.len() + labels.len(), 22);
    assert!(labels.iter().all(|label| !known.contains(label)));
    assert!(held["errors"].as_u64().unwrap() as usize >= labels.len());
    assert_eq!((&held["examples"], &report["examples"]), (&60.into(), &140.into()));
    assert_eq!(report["guarantee"]["theorem"], "clopper_pearson");
    let text = desk.succeed("train rows.csv --holdout 0.3");
    let first = labels[0].as_str().unwrap();
    assert!(text.contains(&format!("not in the training data ({first}")), "{text}");
    // The model is that of the other rows alone, which then finds the same errors in these.
    let is_known =
        |line: &&str| !labels.iter().any(|label| line.ends_with(label.as_str().unwrap()));
    assert_eq!(rows.lines().filter(is_known).count(), 200 - labels.len());
    for options in ["--patience 2", "--sweep bias=unit,none", "--class-weight balanced"] {
        let other = desk.report(&format!("train rows.csv --holdout 0.3 {options}"));
        assert_eq!(other["holdout"]["unseen_labels"]["labels"], unseen["labels"], "{options}");
    }
    let done = desk.run("train rows.csv --holdout 0.3 --calibrate platt");
    assert!(done.code == 2 && done.stderr.contains("use `--folds 5`"), "{}", done.stderr);
    // Nothing can be learned from a single class.
    desk.write("two.csv", "x,y\n1,a\n2,a\n3,a\n4,b\n");
    let refused =
        (0..20).map(|seed| desk.run(&format!("train two.csv --holdout 0.5 --seed {seed}")));
    let refused: Vec<_> = refused.filter(|done| done.code != 0).collect();
    assert!((5..=15).contains(&refused.len()), "{}", refused.len());
    for done in refused {
        let message = "two.csv: all examples that are left to learn from have the label `a`";
        assert!(done.code == 2 && done.stderr.contains(message), "{}", done.stderr);
    }
}
