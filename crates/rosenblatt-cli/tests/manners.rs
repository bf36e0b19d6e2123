//! Signals, pipes, files: what a command does beside its work.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed
#![cfg(unix)]

mod common;

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
};

use common::{Desk, own_data};

/// Ctrl-C during training: exit code 130, nothing written, the old model as it was.
#[test]
fn an_interrupted_run_leaves_no_trace() {
    let desk = Desk::with(&[("xor.csv", &own_data("xor.csv")), ("model", "the old one")]);
    let line = "train xor.csv --epochs 1000000000000 --no-compare --progress -o model";
    let words: Vec<&str> = line.split(' ').collect();
    let mut child =
        desk.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    // The header and the first line of numbers: training has begun.
    for _ in 0..2 {
        messages.read_line(&mut String::new()).unwrap();
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut rest = String::new();
    messages.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.ends_with("error: interrupted; no file was changed\n"), "{rest}");
    assert_eq!(desk.read("model"), b"the old one");
    assert_eq!(desk.files(), ["model", "xor.csv"]);
}

/// Ctrl-C while a prediction waits for more input ends it at once; its unfinished file is removed.
#[test]
fn an_interrupted_prediction_leaves_no_trace() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv")), ("labels", "the old ones")]);
    desk.succeed("train and.csv -o model");
    let mut child = desk
        .command(&["predict", "model", "-", "-o", "labels"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Held open: the command waits for rows.
    let mut input = child.stdin.take().unwrap();
    input.write_all(("x1,x2\n".to_owned() + &"0,0\n".repeat(1 << 20)).as_bytes()).unwrap();
    while desk.files().len() == 3 {
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
    assert_eq!(desk.read("labels"), b"the old ones");
    assert_eq!(desk.files(), ["and.csv", "labels", "model"]);
}

/// A reader that has read enough is no error.
#[test]
fn a_closed_pipe_is_no_error() {
    let rows = "0,0\n".repeat(100_000);
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("rows.csv", &("x1,x2\n".to_owned() + &rows)),
    ]);
    desk.succeed("train and.csv -o model");
    let mut child = desk
        .command(&["predict", "model", "rows.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!((first.as_str(), done.status.code()), ("-1\n", Some(0)));
    assert_eq!(String::from_utf8(done.stderr).unwrap(), "");
}

/// Output that cannot be written is one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let done = desk.command(&["train", "and.csv"]).stdout(full).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8(done.stderr).unwrap().starts_with("error: standard output: "));
    let done = desk.run("train and.csv -o /dev/full");
    assert_eq!(done.code, 2, "{}", done.stderr);
}

/// A failed run leaves the old prediction as it was.
#[test]
fn predictions_are_written_whole_or_not_at_all() {
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("rows.csv", "x1,x2\n0,0\n1,x\n"),
        ("labels", "the old ones"),
    ]);
    desk.succeed("train and.csv -o model");
    let done = desk.run("predict model rows.csv -o labels");
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("error: rows.csv:3:3: "), "{}", done.stderr);
    assert_eq!(desk.read("labels"), b"the old ones");
    assert_eq!(desk.files(), ["and.csv", "labels", "model", "rows.csv"]);
}

/// A row of a million columns is a million features; so is an index of a million.
#[test]
fn a_million_features() {
    let desk = Desk::new();
    let row =
        |value: &str, label: &str| [&*format!("{value},").repeat(1_000_000), label, "\n"].concat();
    desk.write("wide.csv", row("1", "1") + &row("-1", "-1"));
    desk.write("wide.svm", "1 1000000:1\n-1 1:1\n");
    for line in ["train wide.csv --no-header", "train wide.svm"] {
        assert_eq!(desk.report(line)["features"], 1_000_000);
    }
}
