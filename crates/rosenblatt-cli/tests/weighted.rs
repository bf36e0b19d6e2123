//! `--weighting`: counts weighted before the scaling, kept in the model and applied by every command.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data, tensors};
use serde_json::Value;

/// Counts of three words in seven texts; the words are in 7, 3 and 1 of them.
const ROWS: &str = "a,b,c,y\n1,4,0,p\n2,0,0,q\n\
    1,0,8,q\n4,1,0,p\n\
    8,0,0,q\n1,2,0,p\n\
    1,0,0,q\n";
const BINARY: &str = "a,b,c,y\n1,1,0,p\n1,0,0,q\n\
    1,0,1,q\n1,1,0,p\n\
    1,0,0,q\n1,1,0,p\n\
    1,0,0,q\n";
/// 1 + ln 2, 1 + 2 ln 2 and 1 + 3 ln 2 in place of 2, 4 and 8.
const LOG: &str = "a,b,c,y\n1,2.386294361119891,0,p\n1.6931471805599454,0,0,q\n\
    1,0,3.0794415416798357,q\n2.386294361119891,1,0,p\n\
    3.0794415416798357,0,0,q\n1,1.6931471805599454,0,p\n\
    1,0,0,q\n";
/// The factors are 1 + ln(8/8), 1 + ln(8/4) = 1 + ln 2 and 1 + ln(8/2) = 1 + 2 ln 2.
const TFIDF: &str = "a,b,c,y\n1,6.772588722239782,0,p\n2,0,0,q\n\
    1,0,19.090354888959126,q\n4,1.6931471805599454,0,p\n\
    8,0,0,q\n1,3.386294361119891,0,p\n\
    1,0,0,q\n";

fn desk() -> Desk {
    let files =
        [("rows.csv", ROWS), ("binary.csv", BINARY), ("log.csv", LOG), ("tfidf.csv", TFIDF)];
    Desk::with(&files)
}

fn without(names: &[&str], model: &[u8]) -> Vec<(String, Vec<usize>, Vec<u8>)> {
    tensors(model).into_iter().filter(|tensor| !names.contains(&tensor.0.as_str())).collect()
}

#[test]
fn a_model_is_that_of_the_weighted_rows() {
    let desk = desk();
    for (weighting, options) in ["binary", "log", "tfidf"].into_iter().flat_map(|weighting| {
        ["", "--kernel rbf:0.5", "--keep vote", "--update pa1:0.1 --normalise l2", "--epochs 1"]
            .map(|options| (weighting, options))
    }) {
        let line = format!("{options} --scale none -q -o");
        desk.succeed(&format!("train {weighting}.csv {line} rewritten.model"));
        desk.succeed(&format!("train rows.csv --weighting {weighting} {line} weighted.model"));
        let [rewritten, weighted] = ["rewritten.model", "weighted.model"]
            .map(|model| without(&["checksum", "weighting.idf"], &desk.read(model)));
        assert_eq!(weighted, rewritten, "{weighting} {options}");
        assert_eq!(
            desk.succeed("predict weighted.model rows.csv --scores"),
            desk.succeed(&format!("predict rewritten.model {weighting}.csv --scores")),
        );
        assert_eq!(
            desk.succeed("evaluate weighted.model rows.csv --json"),
            desk.succeed(&format!("evaluate rewritten.model {weighting}.csv --json")),
        );
    }
}

/// A file without the option keeps its bytes, whether `count` is given or not.
#[test]
fn count_is_the_default() {
    let desk = desk();
    desk.succeed("train rows.csv -q -o plain.model");
    desk.succeed("train rows.csv --weighting count -q -o count.model");
    assert_eq!(desk.read("plain.model"), desk.read("count.model"));
    assert!(!String::from_utf8_lossy(&desk.read("plain.model")).contains("weighting"));
    let done = desk.run("train rows.csv --weighting often");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("count, binary, log, tfidf"), "{}", done.stderr);
}

#[test]
fn reports_and_models_name_it() {
    let desk = desk();
    let report = desk.report("train rows.csv --weighting tfidf -o model");
    assert_eq!(
        (report["scale"].as_str(), report["weighting"].as_str()),
        (Some("none"), Some("tfidf"))
    );
    assert_eq!(desk.report("train rows.csv")["weighting"], Value::Null);
    let shown = desk.succeed("show model");
    assert!(shown.contains("--weighting tfidf"), "{shown}");
    assert!(shown.contains("the weights belong to the weighted counts"), "{shown}");
    assert!(desk.succeed("train rows.csv --weighting log").contains("; counts weighted: log"));
    let done = desk.run("export model -o weights.csv");
    let error = "error: model: CSV has no weighting of counts, and the model has the weighting `tfidf`\n\
                 hint: write `-o FILE.json` or `-o FILE.onnx`\n";
    assert_eq!((done.code, done.stderr.as_str()), (2, error));
    desk.succeed("export model -o model.onnx");
    desk.succeed("export model -o model.json");
    let object: Value = serde_json::from_slice(&desk.read("model.json")).unwrap();
    let idf = object["idf"].as_array().unwrap();
    assert_eq!(idf[1].as_f64(), Some(1.6931471805599454));
    desk.succeed("study rows.csv --runs 3 --weighting binary");
}

/// A run goes on only with the same weighting.
#[test]
fn validation_checkpoints_and_text_have_it() {
    let desk = Desk::with(&[("iris.csv", &own_data("iris.csv"))]);
    let folds = desk.report("train iris.csv --weighting log --folds 3");
    assert!(folds["folds"]["mean"].as_f64().unwrap() > 0.9, "{folds}");
    let line = "train iris.csv --weighting tfidf --keep average -q";
    desk.succeed(&format!("{line} --epochs 9 -o whole.model"));
    desk.succeed(&format!("{line} --epochs 4 --checkpoint run.checkpoint -o half.model"));
    desk.succeed(&format!("{line} --epochs 9 --resume run.checkpoint -o resumed.model"));
    assert_eq!(desk.read("resumed.model"), desk.read("whole.model"));
    let line = "train iris.csv --keep average --scale none --epochs 9 --resume run.checkpoint";
    let other = desk.run(line);
    assert_eq!(other.code, 2);
    let expected = "`--weighting tfidf`, now there is no `--weighting`";
    assert!(other.stderr.contains(expected), "{}", other.stderr);
    // Whether a word occurs once or often is all the same.
    desk.write("mail.csv", "kind,text\nspam,win money\nham,see you\nspam,money money now\n");
    let train = "train mail.csv --target kind --text text --bits 12 -q -o mail.model --weighting";
    desk.succeed(&format!("{train} binary"));
    desk.write("new.csv", "text\nsee money\nsee money see money\n");
    let scores = desk.succeed("predict mail.model new.csv --scores");
    let lines: Vec<&str> = scores.lines().collect();
    assert_eq!(lines[0], lines[1]);
    desk.succeed(&format!("{train} tfidf"));
    assert!(desk.succeed("show mail.model").contains("text=money"));
    assert_eq!(desk.succeed("predict mail.model new.csv").lines().count(), 2);
}

/// The words are in 7, 3 and 1 of 7 texts.
const FREQUENT: &str = "a,b,c,y\n1,4,0,p\n2,0,0,q\n1,0,0,q\n4,1,0,p\n8,0,0,q\n1,2,0,p\n1,0,0,q\n";

#[test]
fn a_model_is_that_of_the_rows_without_rare_features() {
    let desk = desk();
    desk.write("frequent.csv", FREQUENT);
    for options in ["", "--kernel rbf:0.5", "--keep vote", "--weighting log --normalise l2"] {
        let line = format!("{options} --scale none -q -o");
        desk.succeed(&format!("train frequent.csv {line} rewritten.model"));
        desk.succeed(&format!("train rows.csv --document-frequency 2: {line} limited.model"));
        let [rewritten, limited] = ["rewritten.model", "limited.model"]
            .map(|model| without(&["checksum", "weighting.idf"], &desk.read(model)));
        let is_kernel = options.starts_with("--kernel") || options.contains("vote");
        assert!(is_kernel || limited == rewritten, "{options}");
        assert_eq!(
            desk.succeed("predict limited.model rows.csv --scores"),
            desk.succeed("predict rewritten.model frequent.csv --scores"),
        );
    }
}

#[test]
fn document_frequencies_are_named_and_checked() {
    let desk = desk();
    let report = desk.report("train rows.csv --document-frequency 2:50% -o model");
    assert_eq!(report["document_frequency"], "2:50%");
    assert_eq!(report["scale"], "none");
    let text = desk.succeed("train rows.csv --document-frequency 2:50%");
    assert!(text.contains("; 1 of 3 features, by document frequency 2:50%"), "{text}");
    let shown = desk.succeed("show model");
    assert!(shown.contains("--document-frequency 2:50%"), "{shown}");
    assert!(shown.contains("the weights belong to the remaining features"), "{shown}");
    let done = desk.run("predict model rows.csv --radius l2");
    let refused = "error: --radius: distances are for models whose rows are at most scaled, and this one leaves out features\n\
                   hint: a model of `train DATA` without `--weighting` and `--document-frequency` has them\n";
    assert_eq!((done.code, done.stderr.as_str()), (2, refused));
    let done = desk.run("export model -o weights.csv");
    let error = "error: model: CSV leaves out no features, and the model has the document frequency `2:50%`\n\
                 hint: write `-o FILE.json` or `-o FILE.onnx`\n";
    assert_eq!((done.code, done.stderr.as_str()), (2, error));
    desk.succeed("export model -o model.onnx");
    desk.succeed("export model -o model.json");
    let object: Value = serde_json::from_slice(&desk.read("model.json")).unwrap();
    assert_eq!(object["idf"], serde_json::json!([0.0, 1.0, 0.0]));
    let done = desk.run("train rows.csv --document-frequency 8:");
    assert_eq!(done.code, 2);
    assert!(
        done.stderr.contains("as many rows as the document frequency `8:` says\nhint: leave out"),
        "{}",
        done.stderr
    );
    let done = desk.run("train rows.csv --document-frequency 2");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("MIN:MAX"), "{}", done.stderr);
    // A run goes on only with the same one, and each fold finds its own.
    let line = "train rows.csv --keep average --document-frequency 2: -q";
    desk.succeed(&format!("{line} --epochs 9 -o whole.model"));
    desk.succeed(&format!("{line} --epochs 4 --checkpoint run.checkpoint -o half.model"));
    desk.succeed(&format!("{line} --epochs 9 --resume run.checkpoint -o resumed.model"));
    assert_eq!(desk.read("resumed.model"), desk.read("whole.model"));
    let other =
        desk.run("train rows.csv --keep average --scale none --epochs 9 --resume run.checkpoint");
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("`--document-frequency 2:`"), "{}", other.stderr);
    desk.succeed("train rows.csv --document-frequency 1: --folds 3");
    desk.succeed("study rows.csv --runs 3 --document-frequency 2:");
}

#[test]
fn pictures_have_regions() {
    let desk = Desk::new();
    desk.write("two.csv", "a,b,y\n1,3,p\n2,0,q\n1,0,q\n3,1,p\n");
    desk.succeed("train two.csv --weighting log -q -o two.model");
    desk.succeed("plot two.csv two.model -o two.svg");
    let done = desk.run("plot two.csv two.model --baseline -o two.svg");
    assert_eq!(done.code, 2);
    assert!(
        done.stderr.contains("the nearest class mean of weighted counts has no line"),
        "{}",
        done.stderr
    );
}

/// Two rows are equal only in that their words occur.
#[test]
fn rows_that_the_weighting_makes_equal_are_named_so() {
    let desk = Desk::with(&[("close.csv", "a,b,y\n1,4,p\n2,4,q\n0,4,p\n4,0,q\n")]);
    let report = desk.succeed("train close.csv --weighting binary --diagnose");
    for expected in [
        "examples 1 and 2 differ only in their labels after `--weighting`;",
        "that is about the numbers as they were stored and prepared; as they are written, a hyperplane separates them",
    ] {
        assert!(report.contains(expected), "{report}");
    }
    let line = "train close.csv --weighting binary --normalise max --diagnose";
    let report = desk.succeed(line);
    assert!(report.contains(" after `--weighting` and `--normalise`;"), "{report}");
}

/// (1, 1), (1, 1) and (0, 1), (1, 0): no binary feature is above 1, so R² + 1 = 3.
#[test]
fn a_study_says_whose_margin_it_has() {
    let desk = Desk::with(&[("rows.csv", "a,b,y\n1,4,p\n5,4,p\n0,4,q\n4,0,p\n")]);
    let report = desk.succeed("study rows.csv --weighting binary --runs 3");
    assert!(report.contains("; counts weighted: binary\n"), "{report}");
    assert!(report.contains("√(R²+1) = 1.732; of the weighted counts\n"), "{report}");
    let plain = desk.succeed("study rows.csv --runs 3");
    assert!(!plain.contains("weighted") && !plain.contains("; of the"), "{plain}");
}
