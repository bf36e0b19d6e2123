//! What people read of a study, what programs read, and what is drawn.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::Value;

fn desk() -> Desk {
    Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("xor.csv", &own_data("xor.csv")),
        ("iris.csv", &own_data("iris.csv")),
        ("sonar.csv", &own_data("sonar.csv")),
        ("axes.svm", "1 1:1\n-1 2:1\n1 3:1\n-1 4:1\n"),
        ("one.csv", "a,y\n1,0\n2,1\n"),
        ("huge.csv", "a,y\n1e308,0\n-1.7e308,1\n1.7e308,0\n-1e308,1\n1.2e308,1\n"),
    ])
}

/// Five rows on which runs with a large margin have epochs without a mistake and never end, by a simulation in integers.
#[test]
fn what_ends_no_run_is_said_of_the_rule() {
    let desk = desk();
    desk.write("five.csv", "u,v,y\n0,-2,p\n-2,1,p\n1,-3,n\n-1,-3,p\n0,-2,n\n");
    let margin = desk.run("study five.csv --update margin:50 --runs 3").stdout;
    assert!(margin.contains("by this rule, so no run ends by itself\n"), "{margin}");
    let mistakes = desk.run("study five.csv --runs 3").stdout;
    assert!(mistakes.contains("by this rule, so every epoch has a mistake\n"), "{mistakes}");
    desk.write("or.csv", "a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,1\n");
    let allowed = desk.run("study or.csv --runs 3 --allow-mistakes 4").stdout;
    let ended =
        "no run converged; a run ends after 1,000 epochs, or after one with at most 4 mistakes\n";
    assert!(allowed.contains(ended) && !allowed.contains("`--epochs N`"), "{allowed}");
}

#[test]
fn studies() {
    insta::assert_snapshot!(desk().session(&[
        "study iris.csv --positive Iris-setosa",
        "study axes.svm --bias none --runs 7",
        "study and.csv --runs 40 --seed 7 --bias radius --update margin:1",
        "study and.csv --runs 30 --init random --epochs 9",
        "study and.csv --runs 1 --update pa --class-weight uniform",
        "study sonar.csv --runs 5 --epochs 20",
        "study xor.csv --runs 10 --epochs 10",
        "study xor.csv --runs 10 --epochs 10 --bias none --quiet",
        "study iris.csv --positive Iris-setosa --sweep margin --runs 10",
        "study iris.csv --positive Iris-setosa --sweep scale --runs 10 --scale standard --bias none",
        "study and.csv --sweep units --runs 5",
        "study and.csv --sweep outlier --runs 5",
        "study iris.csv --positive Iris-setosa --sweep margin --holdout 0.3 --runs 5",
    ]));
}

#[test]
fn help() {
    insta::assert_snapshot!(desk().session(&["study --help"]));
}

/// Every error leaves one line, at most one hint, and no file.
#[test]
fn bad_usage() {
    let desk = desk();
    let before = desk.files();
    insta::assert_snapshot!(desk.session(&[
        "study",
        "study and.csv --order given",
        "study and.csv --runs 0",
        "study and.csv --sweep bias",
        "study and.csv --kernel poly:2",
        "study and.csv --keep vote",
        "study and.csv --no-compare",
        "study and.csv --eta 0",
        "study and.csv --plot study.jpg",
        "study and.csv --class-weight 3=1",
        "study iris.csv",
        "study iris.csv --positive tulip",
        "study xor.csv --sweep margin --epochs 3",
        "study one.csv --sweep scale",
        "study one.csv --sweep outlier",
        "study one.csv --sweep margin --holdout 0.5",
        "study and.csv --holdout 0.5",
        "study huge.csv --epochs 3",
        "study missing.csv",
    ]));
    assert_eq!(desk.files(), before);
}

/// The object of the contract; the time is the only number that may differ from run to run.
#[test]
fn study_as_json() {
    let desk = desk();
    let mut report = desk.report("study axes.svm --bias none --runs 2 --sweep margin");
    assert!(report["seconds"].take().as_f64().unwrap() >= 0.0);
    // Margins are only as sure as their brackets.
    round(&mut report);
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
    let report = desk.report("study xor.csv --runs 3 --epochs 2");
    for absent in ["updates", "epochs", "bound", "margin", "sweep"] {
        assert!(report.get(absent).is_none(), "{absent}");
    }
    assert_eq!((&report["converged"], &report["separable"]), (&0.into(), &"no".into()));
}

/// Numbers with six digits.
fn round(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(round),
        Value::Object(all) => all.values_mut().for_each(round),
        Value::Number(number) if number.is_f64() => {
            *value = format!("{:.5e}", number.as_f64().unwrap()).into();
        }
        _ => {}
    }
}

#[test]
fn threads_change_nothing() {
    let desk = desk();
    let line = "study iris.csv --positive Iris-setosa --runs 9 --sweep scale --threads";
    let one = desk.succeed(&format!("{line} 1"));
    assert_eq!(one, desk.succeed(&format!("{line} 3")));
}

/// One run of a study is the run of `train`.
#[test]
fn a_run_of_a_study_is_a_run_of_train() {
    let desk = desk();
    let options = "iris.csv --positive Iris-setosa --scale maxabs --update margin:0.5 --eta 0.5";
    let study = desk.report(&format!("study {options} --runs 4 --seed 11"));
    for (run, seed) in study["per_run"].as_array().unwrap().iter().zip(11..) {
        let train = desk.report(&format!("train {options} --seed {seed}"));
        for key in ["seed", "updates", "epochs", "converged"] {
            assert_eq!(run[key], train[key], "{key} of seed {seed}");
        }
    }
}

#[test]
fn pictures() {
    let desk = desk();
    let svg = |line: &str| {
        desk.succeed(&format!("study {line} --quiet --plot picture.svg"));
        let picture = String::from_utf8(desk.read("picture.svg")).unwrap();
        assert!(picture.starts_with("<svg ") && !picture.contains("NaN"), "{line}");
        picture
    };
    let bars = svg("iris.csv --positive Iris-setosa --runs 20");
    assert!(bars.contains("20 orders: each converges, after") && bars.contains("median"));
    // Here the bound is reached.
    let bound = svg("axes.svm --bias none --runs 7");
    assert!(bound.contains("by Novikoff") && bound.contains("median 4"));
    let trend = svg("iris.csv --positive Iris-setosa --runs 5 --sweep margin");
    assert!(
        trend.contains("×0.25") && trend.contains("×4") && trend.contains("as many updates as")
    );
    // With the bias as large as R everything grows with the unit of the features, and each run stays as it is.
    let units = svg("iris.csv --positive Iris-setosa --runs 5 --sweep units --bias radius");
    assert!(
        units.contains("The runs are the same at every scale") && units.contains("×1/64 to ×64")
    );
    svg("xor.csv --runs 3 --epochs 3");
    desk.succeed("study and.csv --runs 5 --sweep scale --plot picture.png");
    assert!(desk.read("picture.png").starts_with(b"\x89PNG\r\n\x1a\n"));
}

/// Ctrl-C during the runs: exit code 130, no picture.
#[cfg(unix)]
#[test]
fn an_interrupted_study_leaves_no_trace() {
    let desk = Desk::with(&[("xor", &own_data("xor.csv"))]);
    let line = "study xor --epochs 1000000000000 --runs 4 --threads 2 --plot picture.svg";
    // After the note that the format is guessed the data are read.
    desk.interrupt(line, 1);
    assert_eq!(desk.files(), ["xor"]);
}
