//! `--chars`: n-grams of characters as features, kept in the model and applied by every command.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, version};

const MAIL: &str = "kind,text\nspam,win a free prize now\nham,see you at home tonight\n\
    spam,free entry win cash now\nham,can you call me at home\n\
    spam,claim your free prize\nham,lunch at noon tomorrow\n";
const TRAIN: &str = "train mail.csv --target kind --text text";

/// The first row, `c`, is q and its score 0 predicts p: an update of −1. The score of `ab` is then −1, the bias: an update of
/// +1. So ` a`, `ab` and `b ` have the weight 1, ` c` and `c ` the weight −1, and the bias is 0.
#[test]
fn scores_by_hand() {
    let desk = Desk::with(&[("one.csv", "y,t\nq,c\np,ab\n"), ("new.csv", "t\nZab\nb  A\nc\nab\n")]);
    let line =
        "train one.csv --target y --text t --positive p --chars 2:2 --scale none --keep last";
    desk.succeed(&format!("{line} --order given --epochs 1 --bits 20 -q -o one.model"));
    let scores = desk.succeed("predict one.model new.csv --scores");
    assert_eq!(scores, "p\t2.0\np\t2.0\nq\t-2.0\np\t3.0\n");
    let shown = desk.succeed("show one.model --top 5");
    for name in ["t= a ", "t=ab ", "t=b  ", "t= c ", "t=c  "] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
    assert!(shown.contains("--chars 2:2"), "{shown}");
}

#[test]
fn files_of_rows_and_streams_give_one_model() {
    let desk = Desk::with(&[("mail.csv", MAIL)]);
    desk.succeed(&format!("{TRAIN} --chars 3:5 -q -o own.model"));
    desk.succeed("pack mail.csv --target kind --text text --chars 3:5 -o mail.arrow");
    desk.succeed("train mail.arrow -q -o packed.model");
    assert_eq!(desk.read("packed.model"), desk.read("own.model"));
    desk.succeed(&format!("{TRAIN} --chars 3:5 --memory 100 -q -o large.model"));
    assert_eq!(desk.read("large.model"), desk.read("own.model"));
    // A file that was packed with other lengths is not used.
    desk.succeed(&format!("{TRAIN} --chars 3:4 --memory 100 -q -o other.model"));
    desk.succeed(&format!("{TRAIN} --chars 3:4 -q -o four.model"));
    assert_eq!(desk.read("other.model"), desk.read("four.model"));
    assert_ne!(desk.read("other.model"), desk.read("own.model"));
    let stream = "--target kind --text text --chars 3:5 --epochs 1 -q -o";
    desk.succeed(&format!("train mail.csv {stream} file.model"));
    let done = desk.run_with_input(&format!("train - {stream} pipe.model"), MAIL.as_bytes());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(desk.read("pipe.model"), desk.read("file.model"));
}

/// Older programs refuse such a model, whatever else it has; a model of words keeps its version.
#[test]
fn such_models_have_a_version_of_their_own() {
    let desk = Desk::with(&[("mail.csv", MAIL)]);
    let table = [
        ("", 2),
        ("--ngrams 2", 2),
        ("--normalise l2", 3),
        ("--weighting tfidf", 4),
        ("--folds 3 --calibrate temperature", 4),
        ("--chars 3:5", 5),
        ("--chars 3:5 --weighting tfidf", 5),
        ("--chars 3:5 --folds 3 --calibrate temperature", 5),
    ];
    for (options, expected) in table {
        desk.succeed(&format!("{TRAIN} {options} -q -o m.model"));
        let model = desk.read("m.model");
        assert_eq!(version(&model), expected, "{options}");
        let has_name = String::from_utf8_lossy(&model).contains("chars");
        assert_eq!(has_name, expected == 5, "{options}");
        assert_eq!(desk.succeed("predict m.model mail.csv").lines().count(), 6);
    }
}

/// Older programs refuse such a packed file, with which they would cut the texts of `predict` into words.
#[test]
fn such_packed_files_have_a_version_of_their_own() {
    let desk = Desk::with(&[("mail.csv", MAIL)]);
    for (options, version) in [("", 2), ("--ngrams 2", 2), ("--chars 3:5", 3)] {
        desk.succeed(&format!("pack mail.csv --target kind --text text {options} -o mail.arrow"));
        let bytes = desk.read("mail.arrow");
        let start = format!(r#"{{"version":{version},"key":"#);
        assert!(String::from_utf8_lossy(&bytes).contains(&start), "{options}");
        desk.succeed("train mail.arrow -q");
    }
}

#[test]
fn reports_and_exports_have_them() {
    let desk = Desk::with(&[("mail.csv", MAIL)]);
    let report = desk.succeed(&format!("{TRAIN} --chars 3:3 -o mail.model"));
    // As many as scikit-learn finds.
    let different = "70 different character n-grams (0 collided), hashed to 2^18 features";
    assert!(report.contains(different), "{report}");
    let report = desk.succeed(&format!("{TRAIN} --chars 3:3 --no-dictionary"));
    assert!(report.contains("column `text`: character n-grams, hashed"), "{report}");
    for name in ["mail.onnx", "mail.json", "mail-weights.csv"] {
        desk.succeed(&format!("export mail.model -o {name}"));
    }
    let evaluated = desk.succeed("evaluate mail.model mail.csv");
    assert!(evaluated.starts_with("accuracy    100.0%"), "{evaluated}");
    desk.succeed(&format!("{} --chars 3:3 --runs 3", TRAIN.replace("train", "study")));
}

#[test]
fn wrong_lengths_are_errors() {
    let desk = Desk::with(&[("mail.csv", MAIL)]);
    for lengths in ["3", "5:3", "0:2", "3:21", "-1:2", "a:b", "3:4:5"] {
        let done = desk.run(&format!("{TRAIN} --chars {lengths}"));
        let error = format!(
            "error: invalid value '{lengths}' for '--chars <MIN:MAX>': expected the least and the largest number of \
             characters, such as 3:5, from 1 to 20\n"
        );
        assert_eq!((done.code, done.stderr), (2, error));
    }
    let done = desk.run(&format!("{TRAIN} --chars 3:5 --ngrams 2"));
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("cannot be used with '--ngrams <N>'"), "{}", done.stderr);
    // Without texts they would change nothing.
    for option in ["--chars 3:5", "--ngrams 2", "--bits 20", "--no-dictionary"] {
        let done = desk.run(&format!("train mail.csv --target kind {option}"));
        assert_eq!(done.code, 2, "{option}");
        assert!(done.stderr.contains("were not provided: "), "{option}: {}", done.stderr);
        assert!(done.stderr.contains("--text"), "{option}: {}", done.stderr);
    }
}
