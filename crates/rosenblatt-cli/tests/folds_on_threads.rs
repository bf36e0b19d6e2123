//! Folds are judged on all threads: the report and the errors are those of one thread.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::Value;

/// 7ⁱ mod 1009 has no pattern.
fn number(i: usize) -> usize {
    (0..i).fold(1, |x, _| x * 7 % 1009)
}

/// The data of the repository, numbers with gaps, and a class that is rare.
fn desk() -> Desk {
    let (iris, sonar) = (own_data("iris.csv"), own_data("sonar.csv"));
    let desk = Desk::with(&[("iris.csv", &iris), ("sonar.csv", &sonar)]);
    let gap = |i: usize| {
        let x = if i.is_multiple_of(5) { String::new() } else { number(i).to_string() };
        format!("{x},{},{}\n", number(i + 7) % 20, ["up", "down"][number(i) / 505])
    };
    desk.write("gaps.csv", "x,z,label\n".to_owned() + &(0..150).map(gap).collect::<String>());
    let rare = |i: usize| {
        let is_rare = i.is_multiple_of(20);
        let x = number(i) + if is_rare { 300 } else { 0 };
        format!("{x},{},{}\n", number(i + 5), ["often", "rare"][usize::from(is_rare)])
    };
    desk.write("rare.csv", "x,z,label\n".to_owned() + &(0..200).map(rare).collect::<String>());
    desk
}

/// The report with some threads, if it is that with any other number of them.
fn report(desk: &Desk, line: &str) -> Value {
    let of =
        |threads: usize| desk.succeed(&format!("{line} --threads {threads} --json --no-timing"));
    let one = of(1);
    for threads in [2, 3, 9] {
        assert_eq!(of(threads), one, "{line} --threads {threads}");
    }
    serde_json::from_str(&one).unwrap()
}

#[test]
fn threads_change_nothing() {
    let desk = desk();
    for (line, folds) in [
        ("sonar.csv", 5),
        ("iris.csv", 5),
        ("sonar.csv --folds 7", 7),
        ("iris.csv --folds 4 --repeats 3", 12),
        ("sonar.csv --folds 3 --kernel poly:2", 3),
        ("iris.csv --folds 3 --kernel rbf:0.5 --memory 20K", 3),
        ("sonar.csv --folds 3 --keep vote --epochs 3", 3),
        ("sonar.csv --folds 4 --calibrate isotonic", 4),
        ("iris.csv --folds 4 --calibrate temperature", 4),
        ("gaps.csv --missing mean --folds 6", 6),
        ("gaps.csv --missing mean --folds 3 --group z", 3),
        ("rare.csv --folds 4 --class-weight balanced", 4),
        ("sonar.csv --folds 4 --memory 200K", 4),
    ] {
        let report = report(&desk, &format!("train {line}"));
        assert_eq!(report["folds"]["accuracies"].as_array().unwrap().len(), folds, "{line}");
    }
}

/// The second cross-validation, with balanced class weights.
#[test]
fn threads_change_no_remedy() {
    let report = report(&desk(), "train rare.csv");
    assert_eq!(report["folds"]["remedy"]["class_weight"], "balanced");
}

/// Without examples 12 and 24, which are held out in different folds, the scaling is so fine that they exceed it.
#[test]
fn an_error_is_that_of_the_first_fold() {
    let desk = Desk::new();
    let row = |i: usize| {
        let value = |far: usize, shift: usize| match i == far {
            true => "1e300".to_owned(),
            false => format!("{}e-13", number(i + shift)),
        };
        format!("{},{},{}\n", value(11, 0), value(23, 50), ["a", "b"][number(i) / 505])
    };
    desk.write("far.csv", "x,z,label\n".to_owned() + &(0..40).map(row).collect::<String>());
    let of = |options: &str, threads: usize| {
        let done = desk.run(&format!("train far.csv {options} --threads {threads} -q"));
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{}", done.stderr);
        done.stderr
    };
    for (options, words) in [
        ("--folds 4", "example 24"),
        ("--folds 4 --scale standard", "`x` spans"),
        ("--folds 5 --repeats 3", "example"),
    ] {
        let one = of(options, 1);
        assert!(one.contains(words), "{options}: {one}");
        for threads in [2, 3, 9] {
            assert_eq!(of(options, threads), one, "{options} --threads {threads}");
        }
    }
}

/// Ctrl-C ends the runs of all threads: exit code 130, nothing written.
#[cfg(unix)]
#[test]
fn interrupted_folds_leave_no_trace() {
    let desk = Desk::new();
    let row = |i: usize| format!("{},{}\n", number(i) % 5, ["a", "b"][number(i) / 505]);
    desk.write("noise", "x,label\n".to_owned() + &(0..100).map(row).collect::<String>());
    for threads in ["1", "2", "3"] {
        let line = "train noise --epochs 1000000000000 --no-compare --folds 3 -o model --threads";
        // After the note that the format is guessed the data are read.
        desk.interrupt(&format!("{line} {threads}"), 1);
        assert_eq!(desk.files(), ["noise"]);
    }
}
