//! Files and labels as people have them: each gives the expected answer, or one error whose hint is then followed.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::{Value, json};

/// A folder with the files of `messy_files/` and a model of `points.csv`.
fn desk() -> Desk {
    let desk = Desk::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messy_files");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        desk.write(name, std::fs::read(&path).unwrap());
    }
    desk.succeed("train points.csv --ignore id -o points.model");
    desk
}

/// The messages of a command that fails with one error and one hint.
fn fails(desk: &Desk, line: &str) -> (String, String) {
    let done = desk.run(line);
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{line}");
    let mut lines = done.stderr.lines().filter(|line| !line.starts_with("note: "));
    let error = lines.next().and_then(|line| line.strip_prefix("error: ")).expect("an error");
    let hint = lines.next().and_then(|line| line.strip_prefix("hint: ")).unwrap_or_default();
    assert_eq!(lines.next(), None, "{line}");
    (error.to_owned(), hint.to_owned())
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// `perhaps` is not in the training data: it is wrong, left out, or an error. The empty label is skipped.
#[test]
fn a_label_that_was_not_in_training_is_a_wrong_prediction() {
    let desk = desk();
    let line = "evaluate points.model new-labels.csv --on-error skip -q --json";
    let judged = parsed(&desk.succeed(line));
    assert_eq!((&judged["examples"], &judged["errors"]), (&json!(4), &json!(1)));
    assert_eq!((&judged["accuracy"], &judged["skipped"]), (&json!(0.75), &json!(1)));
    let unseen = json!({
        "examples": 1, "are_wrong": true, "predicted": [0, 1], "labels": ["perhaps"],
    });
    assert_eq!(judged["unseen_labels"], unseen);
    // Precision 1 / 2 and recall 1.
    assert_eq!((&judged["precision"], &judged["f1"]), (&json!(0.5), &json!(2.0 / 3.0)));
    assert_eq!(judged["auc"], json!(1.0));

    let left_out = parsed(&desk.succeed(&format!("{line} --unseen-labels skip")));
    assert_eq!((&left_out["examples"], &left_out["accuracy"]), (&json!(3), &json!(1.0)));
    let unseen = json!({ "examples": 1, "are_wrong": false, "labels": ["perhaps"] });
    assert_eq!(left_out["unseen_labels"], unseen);

    insta::assert_snapshot!(desk.session(&[
        "evaluate points.model new-labels.csv --on-error skip",
        "evaluate points.model new-labels.csv --unseen-labels stop",
    ]));
}

/// Each row and each blank line of the data has its line: the label, or nothing.
#[test]
fn predictions_have_a_line_for_each_row() {
    let desk = desk();
    desk.succeed("train lines.svm -o lines.model");
    insta::assert_snapshot!(desk.session(&[
        "predict points.model bad-rows.csv",
        "predict points.model bad-rows.csv --on-error blank",
        "predict points.model bad-rows.csv --on-error blank --id id",
        "predict points.model bad-rows.csv --on-error blank --id 1 --output-format csv -q",
        "predict points.model bad-rows.csv --on-error blank --output-format json -q",
        "predict points.model points.csv --scores --id label",
        "predict lines.model bad-lines.svm --on-error blank",
        "predict lines.model lines.svm --id 1",
        "predict points.model points.csv --id code",
    ]));
    let whole = desk.succeed("predict points.model bad-rows.csv --on-error blank -q");
    assert_eq!(whole, "no\n\n\nyes\n\n\n\n");
    for threads in [1, 3] {
        let line = format!("predict points.model - --on-error blank -q --threads {threads}");
        assert_eq!(desk.run_with_input(&line, &desk.read("bad-rows.csv")).stdout, whole);
    }
}

/// Another program writes a row, reads its label and only then writes the next one.
#[test]
fn predict_answers_each_row_before_the_next_comes() {
    use std::{
        io::{BufRead, BufReader, Write},
        process::Stdio,
    };
    let desk = desk();
    for threads in ["1", "3"] {
        let words =
            ["predict", "points.model", "-", "--threads", threads, "--on-error", "blank", "-q"];
        let mut child =
            desk.command(&words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut to = child.stdin.take().unwrap();
        let mut from = BufReader::new(child.stdout.take().unwrap());
        to.write_all(b"x,y\n").unwrap();
        for (row, label) in [
            ("0,1\n", "no\n"),
            ("9,9\n", "yes\n"),
            ("?,9\n", "\n"),
            ("\n", "\n"),
            ("8,8\n", "yes\n"),
        ] {
            to.write_all(row.as_bytes()).unwrap();
            let mut answer = String::new();
            from.read_line(&mut answer).unwrap();
            assert_eq!(answer, label, "{row}");
        }
        drop(to);
        assert!(child.wait().unwrap().success());
    }
}

/// One row may always be skipped; more than one in a hundred only if the command says so.
#[test]
fn skipping_has_a_limit() {
    let desk = desk();
    let (error, hint) = fails(&desk, "train two-bad.csv --on-error skip");
    assert_eq!(
        error,
        "two-bad.csv: 2 of 8 rows were left out, at most 1% may be; the first: \
         two-bad.csv:4:1: `oops` in column `x` is not a number"
    );
    assert_eq!(
        hint,
        "look at these rows: they are too many to be proposed to be left out; \
         `--on-error skip:25%` would do so"
    );
    desk.succeed("train two-bad.csv --on-error skip:25% -o two.model");
    assert!(fails(&desk, "train two-bad.csv --on-error skip:24.9%").0.contains("at most 24.9%"));
    assert!(
        fails(&desk, "evaluate two.model two-bad.csv --on-error skip").0.contains("at most 1%")
    );
    let done = desk.run("evaluate two.model two-bad.csv --on-error skip:25% --json");
    assert_eq!(parsed(&done.stdout)["skipped"], json!(2));
    let (error, _) = fails(&desk, "train two-bad.csv --on-error skip:25");
    assert!(error.contains("such as skip:5%"), "{error}");
}

/// Objects are the rows of the same table: the model has the same weights, and predicts either.
#[test]
fn json_is_a_table() {
    let desk = desk();
    let weights =
        |model: &str| parsed(&desk.succeed(&format!("show {model} --json")))["weights"].clone();
    for name in ["points.jsonl", "points.json"] {
        desk.succeed(&format!(
            "train {name} --target label --ignore id --order given -o json.model"
        ));
        desk.succeed("train points.csv --ignore id --order given -o csv.model");
        let (mut found, mut expected) = (weights("json.model"), weights("csv.model"));
        let by_name = |weight: &Value| weight["feature"].as_str().unwrap().to_owned();
        found.as_array_mut().unwrap().sort_by_key(by_name);
        expected.as_array_mut().unwrap().sort_by_key(by_name);
        assert_eq!(found, expected, "{name}");
        let labels = desk.succeed("predict points.model points.csv --id id");
        assert_eq!(desk.succeed(&format!("predict points.model {name} --id id")), labels);
        let line = "predict points.model - --id id -q";
        assert_eq!(desk.run_with_input(line, &desk.read(name)).stdout, labels, "{name}");
    }
    let text = "{\"x\":1,\"y\":\"?\"}\n\n{\"x\":9,\"y\":9,\"note\":[]}\n{\"x\":9,\"y\":9}\n";
    let done = desk.run_with_input("predict points.model - --on-error blank -q", text.as_bytes());
    assert_eq!(done.stdout, "\n\nyes\nyes\n");
}

#[test]
fn errors_of_json() {
    let desk = desk();
    insta::assert_snapshot!(desk.session(&[
        "train nested.jsonl",
        "train nested.jsonl --ignore where",
        "train new-key.jsonl",
        "train text-number.jsonl",
        "train cut.json",
    ]));
}

/// A file of another kind, the error, and what the hint must contain.
#[test]
fn files_of_other_programs_are_named() {
    let desk = desk();
    let zip = |name: &str| [b"PK\x03\x04\x14\0\0\0\x08\0", name.as_bytes()].concat();
    let files: [(&str, Vec<u8>, &str, &str); 9] = [
        ("arrays.npz", zip("x.npy"), "an archive of NumPy arrays (.npz)", "numpy.savetxt"),
        ("data.zip", zip("data.csv"), "a zip archive", "`unzip data.zip`"),
        ("array.npy", b"\x93NUMPY\x01\0v\0{".to_vec(), "a NumPy array (.npy)", "numpy.savetxt"),
        ("data.h5", b"\x89HDF\r\n\x1a\n\0".to_vec(), "an HDF5 file", "pandas.read_hdf"),
        (
            "data.mat",
            b"MATLAB 5.0 MAT-file, Platform".to_vec(),
            "a MATLAB file (.mat)",
            "writematrix",
        ),
        (
            "data.sqlite",
            b"SQLite format 3\0\x10\0".to_vec(),
            "an SQLite database",
            "sqlite3 -csv -header data.sqlite",
        ),
        ("data.pkl", b"\x80\x04\x95\x0f\0".to_vec(), "a Python pickle", "pandas.read_pickle"),
        (
            "page.csv",
            b"<!DOCTYPE html>\n<html>".to_vec(),
            "an HTML page",
            "download the data itself",
        ),
        ("data.csv", b"a,b\n1,\0\n".to_vec(), "binary data", "as a table in text"),
    ];
    for (name, bytes, kind, way_out) in files {
        desk.write(name, bytes);
        let (error, hint) = fails(&desk, &format!("train {name}"));
        assert_eq!(error, format!("{name}: this is {kind}, expected text in UTF-8"));
        assert!(hint.contains(way_out), "{name}: {hint}");
    }
    // With the feature `columnar`, only a damaged one is refused.
    desk.write("book.xlsx", zip("[Content_Types].xml"));
    let (error, hint) = fails(&desk, "train book.xlsx");
    assert!(error.contains("an Excel workbook (.xlsx)"), "{error}");
    assert!(hint.starts_with("save the sheet as CSV in the spreadsheet program"), "{hint}");
    let (error, hint) = fails(&desk, "train https://example.org/points.csv");
    assert_eq!(error, "https://example.org/points.csv: this is an address (URL), expected a file");
    assert!(
        hint.starts_with("`curl -L 'https://example.org/points.csv' | rosenblatt …`"),
        "{hint}"
    );
}

/// Another separator or encoding is found out, and a hint names the options of what is not.
#[test]
fn hints_about_text_are_kept() {
    let desk = desk();
    let learned = |line: &str| {
        let mut report =
            parsed(&desk.succeed(&format!("train {line} --ignore id --json --no-timing")));
        let differ = ["data", "notes"].map(|key| report.as_object_mut().unwrap().remove(key));
        assert!(differ[0].is_some());
        report
    };
    let expected = learned("points.csv");
    let plain = String::from_utf8(desk.read("points.csv")).unwrap();
    let units = "\u{feff}".encode_utf16().chain(plain.encode_utf16());
    desk.write("utf-16.csv", units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    for name in ["utf-16.csv", "semicolons.csv", "tabs.csv"] {
        assert_eq!(learned(name), expected, "{name}");
        desk.succeed(&format!("predict points.model {name}"));
    }
    desk.write("latin1.csv", b"x,y,label\n0,1,gr\xfcn\n9,8,rot\n");
    let told = desk.run("train latin1.csv").stderr;
    assert!(
        told.contains("note: read as Latin-1 (Windows-1252), because it is not UTF-8\n"),
        "{told}"
    );
    // A stream is read once, and bytes of other scripts tell nothing.
    let said = desk.run_with_input("train -", &desk.read("latin1.csv")).stderr;
    assert!(said.contains("is not UTF-8\n"), "{said}");
    assert!(
        said.contains("hint: `--encoding latin1` reads text of older Windows programs\n"),
        "{said}"
    );
    desk.write("russian.csv", b"x,y,label\n0,1,\xcf\xf0\xe8\n9,8,\xc4\xe0\xec\n");
    assert!(fails(&desk, "train russian.csv").0.contains("is not UTF-8"));
    let report = parsed(&desk.succeed("train latin1.csv --encoding latin1 --json"));
    assert_eq!(report["classes"], json!(["grün", "rot"]));
    // The model knows its encoding, and another file may have another one.
    desk.succeed("train latin1.csv --encoding latin1 -q -o latin1.model");
    assert_eq!(desk.succeed("predict latin1.model latin1.csv"), "grün\nrot\n");
    assert!(desk.succeed("evaluate latin1.model latin1.csv").starts_with("accuracy"));
    desk.write("utf8.csv", "x,y,label\n0,1,grün\n9,8,rot\n");
    let right = |line: &str| parsed(&desk.succeed(line))["accuracy"].clone();
    assert_eq!(right("evaluate latin1.model utf8.csv --encoding utf-8 --json"), json!(1.0));
    assert_ne!(right("evaluate latin1.model utf8.csv --json"), json!(1.0));

    let (_, hint) = fails(&desk, "train quotes.csv --ignore name");
    assert_eq!(hint, "`--no-quotes` reads quotes as characters like any other");
    desk.succeed("train quotes.csv --ignore name --no-quotes -o quotes.model");
    assert_eq!(desk.succeed("predict quotes.model quotes.csv"), "no\nno\nyes\nyes\n");
}

/// Every example of every `--help` runs, but for the page, which goes on until it is stopped.
#[test]
fn examples_of_the_help_run() {
    let desk = Desk::new();
    for name in ["iris.csv", "xor.csv", "and.csv"] {
        desk.write(name, own_data(name));
    }
    desk.write("new-iris.csv", own_data("iris.csv"));
    let help = desk.succeed("--help");
    let begins = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut pages = vec![help.clone()];
    for line in commands.take_while(|line| !line.is_empty()).filter(begins) {
        let command = line.split_whitespace().next().unwrap();
        if command != "help" {
            pages.push(desk.succeed(&format!("{command} --help")));
            assert_eq!(desk.succeed(&format!("help {command}")), *pages.last().unwrap());
        }
    }
    assert!(pages.len() > 10, "{help}");
    for page in pages {
        let examples = page.split("Examples:\n").nth(1).expect(&page);
        for line in examples.lines().filter(|line| !line.contains("rosenblatt lab")) {
            let line = line.trim().split("    ").next().unwrap();
            let done = desk.run(line.strip_prefix("rosenblatt ").unwrap());
            // `separable` answers by its exit code.
            assert!(done.code == 0 || (done.code == 1 && line.contains("separable")), "{line}");
        }
    }
}

#[test]
fn completions_and_the_manual() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.succeed(&format!("completions {shell}"));
        assert!(script.contains("output-format"), "{shell}");
    }
    assert!(desk.succeed("man").starts_with(".ie") && desk.succeed("man train").contains("kernel"));
    let hint = |line: &str| fails(&desk, line).1;
    assert_eq!(hint("man trian"), "did you mean `train`?");
    assert_eq!(hint("trian and.csv"), "did you mean `train`?");
    assert_eq!(hint("train and.csv --kep last"), "did you mean `--keep`?");
    assert_eq!(hint("train and.csv --keep las"), "did you mean `last`?");
    assert_eq!(
        hint("predict and.model"),
        "the form is `rosenblatt predict <MODEL> <DATA> [MORE]...`"
    );
    assert_eq!(hint("train and.csv --epochs many"), "");
}

/// A name that is mistyped.
#[test]
fn mistyped_names_have_a_suggestion() {
    let desk = desk();
    for (line, suggestion, right) in [
        ("train point.csv", "did you mean `points.csv`?", "train points.csv"),
        (
            "predict poins.model points.csv",
            "did you mean `points.model`?",
            "predict points.model points.csv",
        ),
        (
            "train points.csv --target lable",
            "did you mean `label`?",
            "train points.csv --target label",
        ),
        (
            "train points.csv --positive yess",
            "did you mean `yes`?",
            "train points.csv --positive yes",
        ),
        (
            "predict points.model points.csv --id idd",
            "did you mean `id`?",
            "predict points.model points.csv --id id",
        ),
    ] {
        assert_eq!(fails(&desk, line).1, suggestion, "{line}");
        desk.succeed(right);
    }
}
