//! `--best`: the best of ten settings, judged by rows that did not choose.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::Value;

fn desk() -> Desk {
    Desk::with(&[("sonar.csv", &own_data("sonar.csv")), ("iris.csv", &own_data("iris.csv"))])
}

#[test]
fn what_a_person_sees() {
    let desk = desk();
    let report = desk.succeed("train sonar.csv --best --no-timing -o sonar.model");
    insta::assert_snapshot!(report);
    // The options of the table make the same model.
    let chosen = report.lines().find_map(|line| line.strip_suffix("  chosen")).unwrap();
    let (options, _) = chosen.trim().split_once("  ").unwrap();
    let options = if options == "no option" { "" } else { options };
    desk.succeed(&format!("train sonar.csv {options} -q -o again.model"));
    let [one, other] = ["sonar", "again"]
        .map(|name| desk.succeed(&format!("predict {name}.model sonar.csv --scores")));
    assert_eq!(one, other);
}

/// The report does not depend on the threads, and each of the ways to judge has a choice of its own.
#[test]
fn threads_change_nothing() {
    let desk = desk();
    for options in [
        "--folds 3",
        "--holdout 30%",
        "--holdout last:30%",
        "--folds 2 --repeats 2 --calibrate platt",
    ] {
        let [one, many] = [1, 5].map(|threads| {
            desk.succeed(&format!(
                "train iris.csv --best {options} --threads {threads} --json --no-timing"
            ))
        });
        assert_eq!(one, many, "{options}");
        let report: Value = serde_json::from_str(&one).unwrap();
        assert_eq!(report["sweep"]["values"].as_array().unwrap().len(), 10, "{options}");
        assert_eq!(report["sweep"]["option"], "setting");
    }
    // The rows of the part that is held out have chosen nothing.
    let withheld = |options: &str| {
        desk.report(&format!("train iris.csv {options} --holdout 30%"))["guarantee"].clone()
    };
    assert_eq!(withheld("--best"), withheld(""));
    assert_ne!(withheld("--sweep update=perceptron,pa"), withheld(""));
}

/// Rows of a group are on one side of every split, so a row says nothing of its copies.
#[test]
fn groups_stay_together() {
    let desk = Desk::new();
    let row = |i: usize| {
        let (group, x) = (i / 4, (i / 4) * 37 % 101);
        format!(
            "g{group},{x},{},{}\n",
            (group * 53) % 97,
            if group * 7919 % 13 > 6 { "yes" } else { "no" }
        )
    };
    desk.write("rows.csv", "who,x,z,label\n".to_owned() + &(0..240).map(row).collect::<String>());
    let accuracy = |options: &str| {
        desk.report(&format!("train rows.csv --best --folds 3 {options}"))["folds"]["mean"]
            .as_f64()
            .unwrap()
    };
    assert!(accuracy("--group who") < 0.75);
}

#[test]
fn what_it_excludes() {
    let desk = desk();
    for option in [
        "--sweep update=perceptron,pa",
        "--update pa",
        "--kernel rbf:1",
        "--scale none",
        "--no-folds",
        "--patience 3",
    ] {
        let found = desk.run(&format!("train sonar.csv --best {option}"));
        assert_eq!(found.code, 2, "{option}");
        assert!(found.stderr.contains("cannot be used with"), "{}", found.stderr);
    }
    let rows = (0..12).map(|i| format!("{i},{}\n", ["a", "b"][i % 2]));
    desk.write("few.csv", "x,label\n".to_owned() + &rows.collect::<String>());
    for (judged, examples) in [("", 12), ("--folds 2", 12), ("--holdout 0.25", 9)] {
        let found = desk.run(&format!("train few.csv --best {judged}"));
        let few = format!(
            "few.csv: `--best` has {examples} examples to learn and choose from, and needs 20"
        );
        assert!(found.code == 2 && found.stderr.contains(&few), "{}", found.stderr);
    }
}
