//! The beginning of a report: the accuracy on held-out examples without an option, next to the baseline, and the rates of the
//! class that people look for.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data, tensors};
use rosenblatt_core::split::folds;
use serde_json::{Value, json};

/// Numbers between 0 and 1 in no order.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// Rows with two features, every `every`th of which has the label `rare` and lies `apart` from the others.
fn rows(n: usize, every: usize, [rare, common]: [&str; 2], apart: f64) -> Vec<String> {
    let mut draw = Draw(n as u64 + every as u64);
    let row = |i: usize| {
        let (label, shift) = if i % every == every - 1 { (rare, apart) } else { (common, 0.0) };
        format!("{},{},{label}\n", draw.normal() + shift, draw.normal() + shift)
    };
    (0..n).map(row).collect()
}

fn table<'r>(rows: impl IntoIterator<Item = &'r String>) -> String {
    "amount,night,kind\n".to_owned() + &rows.into_iter().map(String::as_str).collect::<String>()
}

/// 4,000 rows, 10 of them of `fraud`.
fn frauds() -> Desk {
    let rows = rows(4_000, 400, ["fraud", "ok"], 3.0);
    Desk::with(&[("fraud.csv", &table(&rows))])
}

/// The object of a class in the rates of some JSON.
fn of_class<'j>(rates: &'j Value, class: &str) -> &'j Value {
    rates["per_class"].as_array().unwrap().iter().find(|one| one["class"] == class).unwrap()
}

#[test]
fn one_fraud_in_400_is_reported_as_fraud() {
    let desk = frauds();
    let calibrated = "train fraud.csv --folds 5 --calibrate platt -o calibrated.model -q";
    desk.succeed(calibrated);
    insta::assert_snapshot!(desk.session(&[
        "train fraud.csv -o fraud.model",
        "evaluate fraud.model fraud.csv",
        "evaluate calibrated.model fraud.csv --cost 1:100",
        "train fraud.csv --class-weight balanced --holdout 0.5",
        "train fraud.csv --positive ok",
    ]));
    let report = desk.report("train fraud.csv");
    // The weights are positive for the later label.
    assert_eq!((&report["positive"], &report["reported"]), (&json!("ok"), &json!("fraud")));
    assert_eq!(
        (&report["folds"]["positive"], &report["folds"]["reported"]),
        (&json!("ok"), &json!("fraud"))
    );
    assert_eq!(of_class(&report["folds"], "fraud")["examples"], 10);
    assert_eq!(report["baseline"]["examples"], 3_990);
}

/// The probability of `--proba`, `--threshold` and `--cost` is that of the reported class.
#[test]
fn probabilities_are_those_of_the_reported_class() {
    let desk = frauds();
    desk.succeed("train fraud.csv --folds 5 --calibrate venn-abers -o fraud.model -q");
    desk.succeed("train fraud.csv --folds 5 --calibrate venn-abers --positive ok -o ok.model -q");
    let done = desk.run("predict fraud.model fraud.csv --proba");
    let note = "note: the probability is that of `fraud`; a score above 0 is for `ok`\n";
    assert_eq!((done.code, done.stderr.as_str()), (0, note));
    let of_ok = desk.run("predict ok.model fraud.csv --proba");
    assert_eq!(of_ok.stderr, "");
    let decided = desk.succeed("predict fraud.model fraud.csv --cost 1:100 -q");
    let numbers = |line: &str| {
        let cells = line.split('\t').skip(1).map(|cell| cell.parse().unwrap());
        cells.collect::<Vec<f64>>()
    };
    for ((fraud, ok), label) in done.stdout.lines().zip(of_ok.stdout.lines()).zip(decided.lines()) {
        let ([p, low, high], [q, q_low, q_high]) =
            (numbers(fraud).try_into().unwrap(), numbers(ok).try_into().unwrap());
        let sums: [f64; 3] = [p + q, low + q_high, high + q_low];
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12), "{fraud}, {ok}");
        assert_eq!(label == "fraud", p >= 1.0 / 101.0, "{p}");
    }
}

/// A named class is that of the reports of its model, too.
#[test]
fn a_named_class_stays_in_the_model() {
    let desk = frauds();
    for label in ["ok", "fraud"] {
        desk.succeed(&format!("train fraud.csv --positive {label} -o {label}.model -q"));
        let line = format!("evaluate {label}.model fraud.csv --json");
        let found: Value = serde_json::from_str(&desk.succeed(&line)).unwrap();
        assert_eq!((&found["reported"], &found["positive"]), (&json!(label), &json!(label)));
    }
    desk.succeed("train fraud.csv -o plain.model -q");
    let of = |model: &str| tensors(&desk.read(model));
    assert_eq!(of("plain.model"), of("ok.model"));
}

/// The folds that a run makes by default are those of `--folds 5`, and they change no bit of the model.
#[test]
fn default_folds_are_five_folds() {
    let desk = frauds();
    desk.write("iris.csv", own_data("iris.csv"));
    desk.write("sonar.csv", own_data("sonar.csv"));
    let lines = [
        "train fraud.csv",
        "train iris.csv",
        "train iris.csv --classes one-vs-rest --seed 3",
        "train sonar.csv --keep average --order given --epochs 7",
        "train sonar.csv --update arow:1 --class-weight balanced",
        "train sonar.csv --penalty l2:0.01",
    ];
    for line in lines {
        let [own, given] = ["", " --folds 5"]
            .map(|more| desk.report(&format!("{line}{more} -o {}.model", more.len())));
        let models = [0, 10].map(|length| tensors(&desk.read(&format!("{length}.model"))));
        assert!(own["folds"]["accuracies"].as_array().is_some_and(|all| all.len() == 5), "{line}");
        assert_eq!((&own["folds"], &own["copies"]), (&given["folds"], &given["copies"]), "{line}");
        let none = desk.report(&format!("{line} --no-folds -o none.model"));
        assert!(none["folds"].is_null() && none["copies"].is_null(), "{line}");
        let of_none = tensors(&desk.read("none.model"));
        assert!(models.iter().all(|model| *model == of_none), "{line}");
        let [own, given] =
            ["", " --folds 5"].map(|more| desk.succeed(&format!("{line}{more} --no-timing")));
        assert_eq!(own, given, "{line}");
    }
}

/// The counts of the report are those of predictions, over the same folds, by models that learned from the others.
#[test]
fn counts_are_those_of_predictions() {
    let mut seen = 0;
    for (case, labels) in [["fraud", "ok"], ["ok", "fraud"], ["1", "0"], ["a", "b"], ["b", "a"]]
        .into_iter()
        .enumerate()
    {
        let (n, every) = (40 + 17 * case, 3 + case);
        let rows = rows(n, every, labels, 1.5);
        let mut names = labels;
        names.sort_unstable();
        let class = |row: &String| {
            let label = row.trim_end().rsplit(',').next().unwrap();
            names.iter().position(|name| *name == label).unwrap()
        };
        let classes: Vec<u32> = rows.iter().map(|row| class(row) as u32).collect();
        let desk = Desk::with(&[("all.csv", &table(&rows))]);
        let mut counts = [[0u64; 2]; 2];
        for split in folds(&classes, 5, 0).unwrap() {
            desk.write("train.csv", table(split.train.iter().map(|&place| &rows[place])));
            desk.write("test.csv", table(split.test.iter().map(|&place| &rows[place])));
            desk.succeed("train train.csv --no-folds -q -o part.model");
            let predicted = desk.succeed("predict part.model test.csv");
            for (&place, label) in split.test.iter().zip(predicted.lines()) {
                let predicted = names.iter().position(|name| *name == label).unwrap();
                counts[class(&rows[place])][predicted] += 1;
            }
        }
        let (report, text) = (desk.report("train all.csv"), desk.succeed("train all.csv"));
        for class in 0..2 {
            let [right, missed, alarms] =
                [counts[class][class], counts[class][1 - class], counts[1 - class][class]];
            let found = of_class(&report["folds"], names[class]);
            let expected = [right, right + missed, right + alarms];
            let found = ["right", "examples", "predicted"].map(|key| found[key].as_u64().unwrap());
            assert_eq!(found, expected, "{labels:?}");
            let line =
                text.lines().find(|line| line.contains(&format!("of class `{}`", names[class])));
            let line = line.unwrap();
            assert!(line.contains(&format!("({right} of {})", right + alarms)), "{line}");
            assert!(line.contains(&format!("({right} of {}), F1", right + missed)), "{line}");
            seen += right;
        }
        let most = (0..2).map(|class| counts[class].iter().sum::<u64>()).max().unwrap();
        assert!(text.contains(&format!(": {most} of {n}")), "{text}");
        let first = text.lines().find(|line| line.contains("of class `")).unwrap();
        let expected = if labels.contains(&"fraud") { "fraud" } else { labels[0] };
        assert!(first.contains(&format!("of class `{expected}`")), "{first}");
    }
    assert!(seen > 100, "{seen}");
}

/// Where folds cannot be made, or would say little, the report has the accuracy of the first epoch instead.
#[test]
fn runs_without_folds() {
    let desk = frauds();
    let all = rows(60, 3, ["yes", "no"], 2.0);
    desk.write("some.csv", table(&all));
    desk.write("few.csv", table(&all[..19]));
    desk.write("twenty.csv", table(&all[..20]));
    let single: Vec<String> = all.iter().map(|row| row.replace("yes", "no")).collect();
    desk.write("single.csv", table(&single) + "9,9,yes\n");
    // The fold of the large number scales it by a deviation without it.
    let label = |i: usize| if i.is_multiple_of(2) { "yes" } else { "no" };
    let small: String =
        (0..60).map(|i| format!("0.0{},{},{}\n", 10 + i, i % 7, label(i))).collect();
    desk.write("huge.csv", "x,z,y\n".to_owned() + &small + "1e307,0,no\n");
    let done = desk.run("train huge.csv --folds 5");
    let error = "huge.csv: the computation for example 61 exceeds the range of 64-bit numbers";
    assert_eq!((done.code, done.stderr.lines().last().unwrap()), (2, &*format!("error: {error}")));
    assert!(done.stderr.starts_with("note: 1 cell of `x` is 1e307"), "{}", done.stderr);
    let text = desk.succeed("train huge.csv");
    assert!(text.contains(&format!("not measured on held-out examples: {error}\n")), "{text}");
    desk.succeed("train some.csv --epochs 3 --checkpoint some.check -q");
    for line in [
        "train few.csv",
        "train single.csv",
        "train huge.csv",
        "train some.csv --no-folds",
        "train some.csv --keep last",
        "train some.csv --keep vote --epochs 3",
        "train some.csv --kernel rbf:1",
        "train some.csv --epochs 1",
        "train some.csv --checkpoint other.check",
        "train some.csv --epochs 4 --resume some.check",
        "train some.csv --holdout 0.3",
    ] {
        assert!(desk.report(line)["folds"].is_null(), "{line}");
        let text = desk.succeed(line);
        let accuracy = text.lines().find(|line| line.starts_with("accuracy")).unwrap();
        let is_estimated = !line.contains("holdout") && line != "train few.csv";
        assert_eq!(accuracy.contains("in the first epoch"), is_estimated, "{text}");
    }
    assert!(desk.report("train twenty.csv")["folds"].is_object());
    // An epoch in the order of the classes is no estimate.
    let mut sorted = all.clone();
    sorted.sort_by_key(|row| row.ends_with("yes\n"));
    desk.write("sorted.csv", table(&sorted));
    let text = desk.succeed("train sorted.csv --order given --no-folds");
    assert!(!text.contains("in the first epoch") && text.contains("not measured"), "{text}");
    let text = desk.succeed("train sorted.csv --no-folds");
    assert!(text.contains("in the first epoch"), "{text}");
    // What takes much work makes none: twice the rows, or as many epochs more.
    let many = rows(40_000, 2, ["yes", "no"], 1.0);
    desk.write("many.csv", table(&many));
    assert!(desk.report("train many.csv --epochs 20")["folds"].is_object());
    assert!(desk.report("train many.csv --epochs 60")["folds"].is_null());
}

#[test]
fn no_folds_has_an_effect_or_is_refused() {
    let desk = Desk::with(&[("some.csv", &table(&rows(60, 3, ["yes", "no"], 2.0)))]);
    for (options, reason) in [
        ("--keep last", "with `--keep last` there are folds only with `--folds`"),
        ("--keep vote", "with a kernel or a vote there are folds only with `--folds`"),
        ("--kernel rbf:1", "with a kernel or a vote there are folds only with `--folds`"),
        ("--epochs 1", "in one pass there are folds only with `--folds`"),
    ] {
        let done = desk.run(&format!("train some.csv --no-folds {options}"));
        let expected = format!(
            "error: the option no-folds has no effect: {reason}\nhint: leave out `--no-folds`\n"
        );
        assert_eq!((done.code, done.stderr), (2, expected));
    }
    for options in ["--folds 5", "--holdout 0.2", "--checkpoint c", "--resume c"] {
        let done = desk.run(&format!("train some.csv --no-folds {options}"));
        assert!(done.code == 2 && done.stderr.contains("cannot be used with"), "{}", done.stderr);
    }
}

/// A class that is never predicted is named, with class weights that were tried on the same folds.
#[test]
fn a_class_that_is_never_predicted_is_named() {
    let desk = Desk::with(&[("rare.csv", &table(&rows(600, 30, ["fraud", "ok"], 0.7)))]);
    let report = desk.report("train rare.csv");
    let folds = &report["folds"];
    assert_eq!(of_class(folds, "fraud")["predicted"], 0);
    let tried = desk.report("train rare.csv --class-weight balanced");
    assert_eq!(folds["remedy"]["per_class"], tried["folds"]["per_class"]);
    assert_eq!(folds["remedy"]["mean"], tried["folds"]["mean"]);
    let right = of_class(&tried["folds"], "fraud")["right"].as_u64().unwrap();
    let text = desk.succeed("train rare.csv");
    let expected = format!(
        "class `fraud` (20 examples) is never predicted; `--class-weight balanced` finds {right} of 20, with an accuracy of "
    );
    assert!(right > 0 && text.contains(&expected), "{text}");
    assert_eq!(of_class(folds, "fraud").get("precision"), None);
    desk.succeed("train rare.csv -q -o rare.model");
    let text = desk.succeed("evaluate rare.model rare.csv");
    let is_never = text.contains("class `fraud` (20 examples) is never predicted\n");
    assert_eq!(is_never, report["training_errors"] == 20, "{text}");
    let text = desk.succeed("train rare.csv --holdout 0.5");
    assert!(text.contains("is never predicted\n"), "{text}");
}
