//! `--penalty`: the model, the checkpoint, the report and what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};

fn desk() -> Desk {
    let files = ["and.csv", "iris.csv", "sonar.csv"].map(|name| (name, own_data(name)));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Desk::with(&files)
}

/// `cases/penalty.toml` has the numbers.
const AND: &str =
    "train and.csv --penalty l2:0.5 --keep last --order given --epochs 2 --scale none";

#[test]
fn a_report_has_the_penalty_and_claims_nothing() {
    let desk = desk();
    let text = desk.succeed(&format!("{AND} -o and.model"));
    assert!(text.contains("penalty l2:0.5"), "{text}");
    assert!(text.contains("the last weights (2 of 2 weights are not 0)"), "{text}");
    assert!(!text.contains("Novikoff") && !text.contains("γ ≤"), "{text}");
    let shown: serde_json::Value =
        serde_json::from_str(&desk.succeed("show and.model --json")).unwrap();
    assert_eq!(shown["options"]["penalty"], "l2:0.5");
    assert_eq!(shown["weights"][0]["weight"], 1.0625);
    // The options that `show` prints make the same model.
    let line = desk.succeed("show and.model");
    let options = line.lines().find_map(|line| line.strip_prefix("options ")).unwrap();
    desk.succeed(&format!("train and.csv {options} -q -o again.model"));
    assert_eq!(desk.read("and.model"), desk.read("again.model"));
}

#[test]
fn a_sparse_model_counts_its_weights() {
    let desk = desk();
    let report = desk.report("train sonar.csv --penalty l1:0.01 --keep last --scale standard");
    let nonzero = report["nonzero_weights"].as_u64().unwrap();
    assert!((1..60).contains(&nonzero), "{nonzero}");
    assert!(report.get("novikoff_bound").is_none());
    assert!(desk.report("train sonar.csv").get("nonzero_weights").is_none());
}

#[test]
fn a_resumed_run_is_the_whole_run() {
    let desk = desk();
    let line = "train sonar.csv --penalty elasticnet:0.001:0.5";
    desk.succeed(&format!("{line} --epochs 8 -q -o whole.model"));
    desk.succeed(&format!("{line} --epochs 3 -q --checkpoint run.checkpoint"));
    desk.succeed(&format!("{line} --epochs 8 -q --resume run.checkpoint -o resumed.model"));
    assert_eq!(desk.read("whole.model"), desk.read("resumed.model"));
    let other = desk.run("train sonar.csv --penalty l2:0.001 --epochs 8 --resume run.checkpoint");
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("`--penalty l2:0.001`"), "{}", other.stderr);
}

/// The file is learned from while it is read, or from memory.
#[test]
fn one_pass_has_the_same_bits_as_a_run_in_memory() {
    let desk = desk();
    let line =
        "train sonar.csv --penalty elasticnet:0.001:0.5 --epochs 1 --order given --scale none";
    desk.succeed(&format!("{line} -q -o stream.model"));
    desk.succeed(&format!("{line} -q --hard 1 -o memory.model"));
    let numbers = |model| desk.succeed(&format!("predict {model} sonar.csv --scores"));
    assert_eq!(numbers("stream.model"), numbers("memory.model"));
}

#[test]
fn what_cannot_be_is_refused() {
    let desk = desk();
    for (options, message) in [
        ("--penalty l2", "expected l2:A, l1:A or elasticnet:A[:RATIO]"),
        ("--penalty l2:-1", "expected l2:A"),
        ("--penalty l2:1 --kernel poly:2", "which a kernel does not allow"),
        ("--penalty l2:1 --keep pocket", "which a pocket does not allow"),
        ("--penalty l2:1 --update arow:1", "which a second-order rule does not allow"),
    ] {
        let done = desk.run(&format!("train sonar.csv {options} -o no.model"));
        assert_eq!(done.code, 2, "{options}");
        assert!(done.stderr.contains(message), "{options}: {}", done.stderr);
        assert!(!desk.files().contains(&"no.model".to_owned()), "{options}");
    }
    let study = desk.run("study and.csv --penalty l2:1");
    assert!(study.code == 2 && study.stderr.contains("never does"), "{}", study.stderr);
    // The hints work.
    desk.succeed("train sonar.csv --penalty l2:1 --keep last --classes one-vs-rest");
}
