//! The command in a process that may take only so much memory.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::process::Command;

use common::{Desk, Done};

/// Runs the command with at most this many KiB of addresses.
fn run_within(desk: &Desk, kibibytes: u32, line: &str) -> Done {
    let command =
        format!("ulimit -v {kibibytes} && exec {} {line}", env!("CARGO_BIN_EXE_rosenblatt"));
    let folder = desk.path("x").parent().unwrap().to_owned();
    Done::from(Command::new("sh").args(["-c", &command]).current_dir(folder).output().unwrap())
}

/// Weights for each of 2³² features would be 34 GB.
#[test]
fn an_index_past_the_memory_is_an_error_with_its_place() {
    let desk = Desk::with(&[("wide.svm", "-1 1:2\n+1 1:1 4294967296:1\n")]);
    let limit = "--max-features 4294967296";
    for command in ["train", "separable", "separable --weak", "separable --least-errors", "study"] {
        let done = run_within(&desk, 4_000_000, &format!("{command} wide.svm {limit}"));
        assert_eq!(done.code, 2, "{command}: {}", done.stderr);
        let expected = "error: wide.svm:2:8: the index 4294967296: 4294967296 features take about 275 GB of memory, more than there is\nhint: ";
        assert!(done.stderr.starts_with(expected), "{command}: {}", done.stderr);
    }
    // An entry of a feature that the model does not have takes no memory.
    desk.write("narrow.svm", "-1 1:2\n+1 1:1\n");
    desk.succeed("train narrow.svm -o model");
    assert_eq!(run_within(&desk, 4_000_000, "predict model wide.svm").code, 0);
}

/// Weights within the limit of features that the process has no memory for.
#[test]
fn an_allocation_that_fails_is_one_error() {
    let desk = Desk::with(&[("wide.svm", "-1 1:2\n+1 1:1 4194304:1\n")]);
    let done = run_within(&desk, 150_000, "train wide.svm --keep pocket");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert!(lines[0].starts_with("error: not enough memory: "), "{}", done.stderr);
    assert_eq!((done.code, lines.len()), (2, 2), "{}", done.stderr);
}

/// A text of 40 million n-grams with few different ones.
#[test]
fn a_long_text_takes_memory_for_its_features() {
    let cell = "abcdefghijklmnopqrstuvwxyz ".repeat(80_000);
    let desk =
        Desk::with(&[("text.csv", &format!("text,y\n{cell},a\nabc,b\n{cell} abc,a\ncba,b\n"))]);
    let line = "train text.csv --text text --chars 1:20 --no-dictionary --epochs 2";
    let done = run_within(&desk, 500_000, line);
    assert_eq!(done.code, 0, "{}", done.stderr);
}
