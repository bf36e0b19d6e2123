//! The presets by notes: command, Rust and lab agree, and the traces of the command are right by its own check.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{collections::HashMap, fs};

use common::{Desk, own_data, root};
use proptest::prelude::*;
use rosenblatt::{LectureNotes, Perceptron, Rows};
use serde_json::{Value, json};

/// Points of both classes with small whole coordinates: scores of exactly 0, equal points and points of both classes are frequent.
type Points = Vec<([i8; 2], bool)>;

fn points() -> impl Strategy<Value = Points> {
    let point = (prop::array::uniform2(-2i8..=2), any::<bool>());
    let both = |points: &Points| {
        [true, false].iter().all(|class| points.iter().any(|(_, own)| own == class))
    };
    prop::collection::vec(point, 3..8).prop_filter("two classes", both)
}

fn csv(points: &Points) -> String {
    let row = |([a, b], plus): &([i8; 2], bool)| format!("{a},{b},{}\n", i8::from(*plus));
    "x1,x2,y\n".to_owned() + &points.iter().map(row).collect::<String>()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Few epochs: most sets are not separable.
const EPOCHS: u64 = 12;

fn rust(points: &Points, notes: LectureNotes) -> (Vec<f64>, f64, Vec<u64>, Option<usize>) {
    let values: Vec<f64> = points.iter().flat_map(|(x, _)| x.map(f64::from)).collect();
    let labels: Vec<i8> = points.iter().map(|(_, plus)| i8::from(*plus)).collect();
    let perceptron = Perceptron::notes(notes).epochs(EPOCHS);
    let model = perceptron.fit(&Rows::dense(values, 2).unwrap(), &labels).unwrap();
    let plane = &model.classifier().linear().unwrap()[0];
    let report = model.report();
    (plane.weights.clone(), plane.bias, report.mistakes_per_epoch.clone(), report.training_errors)
}

fn lab(points: &Points, notes: LectureNotes) -> Value {
    let rows: Vec<[f64; 2]> = points.iter().map(|(x, _)| x.map(f64::from)).collect();
    let signs: Vec<i8> = points.iter().map(|(_, plus)| if *plus { 1 } else { -1 }).collect();
    let mut options: serde_json::Map<String, Value> =
        notes.words().into_iter().map(|(name, word)| (name.to_owned(), json!(word))).collect();
    options.insert("epochs".to_owned(), json!(EPOCHS));
    let question = json!({"train": {
        "points": {"rows": rows, "signs": signs}, "options": options, "window": {"from": 0, "count": 100}}});
    let answer = rosenblatt_lab::answer(question.to_string().as_bytes(), &|| false).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_fronts_agree(points in points()) {
        let desk = Desk::with(&[("a.csv", &csv(&points))]);
        for notes in LectureNotes::ALL {
            let line = format!("train a.csv --notes {notes} --epochs {EPOCHS} --json --quiet --trace t.json --trace-epochs 3");
            let command: Value = serde_json::from_str(&desk.succeed(&line)).unwrap();
            let (w, b, mistakes, errors) = rust(&points, notes);
            prop_assert_eq!(&numbers(&command["w"]), &w, "{}", notes);
            prop_assert_eq!(command["b"].as_f64(), Some(b));
            prop_assert_eq!(&command["mistakes_per_epoch"], &json!(mistakes));
            prop_assert_eq!(&command["training_errors"], &json!(errors));

            let lab = lab(&points, notes);
            prop_assert_eq!(&numbers(&lab["last"]), &[w.as_slice(), &[b]].concat(), "{}", notes);
            prop_assert_eq!(&lab["report"]["mistakes_per_epoch"], &json!(mistakes));
            prop_assert_eq!(&lab["report"]["training_errors"], &json!(errors));

            let trace: Value = serde_json::from_slice(&desk.read("t.json")).unwrap();
            let threshold = notes.has_threshold();
            for (i, visit) in trace["visits"].as_array().unwrap().iter().enumerate().take(100) {
                let own = &lab["trace"];
                prop_assert_eq!(visit["example"].as_u64(), own["examples"][i].as_u64().map(|place| place + 1));
                prop_assert_eq!(&visit["score"].as_f64(), &own["scores"][i].as_f64());
                prop_assert_eq!(&visit["mistake"], &own["mistakes"][i]);
                let after = numbers(&own["last"][i + 1]);
                prop_assert_eq!(&numbers(&visit["w"]), &after[..2]);
                let bias = if threshold { -visit["threshold"].as_f64().unwrap() } else { visit["b"].as_f64().unwrap() };
                prop_assert_eq!(bias, after[2]);
            }
        }
    }
}

/// The votes of the model are those of Rust, and a tie is read as the notes read it.
#[test]
fn votes_agree() {
    let points: Points =
        vec![([0, 0], false), ([0, 1], true), ([1, 0], true), ([1, 1], false), ([2, 2], true)];
    let desk = Desk::with(&[("a.csv", &csv(&points))]);
    let values: Vec<f64> = points.iter().flat_map(|(x, _)| x.map(f64::from)).collect();
    let rows = Rows::dense(values, 2).unwrap();
    let labels: Vec<i8> = points.iter().map(|(_, plus)| i8::from(*plus)).collect();
    for notes in LectureNotes::ALL.into_iter().filter(|&notes| notes != LectureNotes::Varner) {
        let line = format!("train a.csv --notes {notes} --keep vote --epochs 3 -o a.model --quiet");
        desk.succeed(&line);
        let command: Vec<String> =
            desk.succeed("predict a.model a.csv").lines().map(str::to_owned).collect();
        let perceptron = Perceptron::notes(notes).keep(rosenblatt::Keep::Vote).epochs(3);
        let model = perceptron.fit(&rows, &labels).unwrap();
        let label =
            |(x, _): &([i8; 2], bool)| model.predict(&x.map(f64::from)).unwrap().label().to_owned();
        let rust: Vec<String> = points.iter().map(label).collect();
        assert_eq!(command, rust, "{notes}");
    }
}

/// Lauer's sheet on AND, with two of its rows. See `docs/lectures/lauer.md`.
#[test]
fn a_sheet_is_checked() {
    let sheet = "example,score,mistake,w1,w2,b\n1,0,yes,0,0,1\n2,-1,no,0,1,1\n";
    let json = "{\"visits\": [{\"example\": 1, \"score\": 0, \"w\": [0, 0], \"b\": -1}]}";
    let and = own_data("and.csv");
    let files = [
        ("and.csv", and.as_str()),
        ("wrong.csv", sheet),
        ("right.json", json),
        ("none.csv", "a,c\n1,2\n"),
    ];
    let desk = Desk::with(&files);
    let check = |rest: &str| desk.run(&format!("check and.csv {rest}"));
    let wrong = check("wrong.csv --notes lauer");
    assert_eq!(wrong.code, 1);
    insta::assert_snapshot!(wrong.stdout);
    let right = check("right.json --notes dsc255-1 --quiet");
    assert_eq!((right.code, right.stdout.as_str()), (0, ""));
    for (line, expected) in [
        ("none.csv", "none.csv: no column can be checked; the table has: a, c"),
        ("missing.csv", "missing.csv: No such file or directory"),
        ("wrog.csv", "hint: did you mean `wrong.csv`?"),
        ("wrong.csv --kernel poly:2", "`--kernel` is for runs that are not made by hand"),
        ("wrong.csv --zero negative", "the option zero has no effect"),
        (
            "wrong.csv --notes lauer --seed 3",
            "the option seed has no effect: a run from zero or given weights in the given order draws nothing at random\n\
             hint: leave out `--seed`",
        ),
        (
            "wrong.csv --notes varner --start 1,2,3 --seed 3",
            "the option seed has no effect: a run from zero or given weights",
        ),
        (
            "wrong.csv --eta 0.5/sqrt(t)",
            "check computes with fractions, without square roots\nhint: use `--eta RATE` or `--eta RATE/t`",
        ),
        ("wrong.csv --eta 0.5/T", "expected RATE, RATE/t or RATE/sqrt(t)"),
        ("wrong.csv --notes rosenblatt", "invalid value 'rosenblatt'"),
    ] {
        let done = check(line);
        assert_eq!(done.code, 2, "{line}");
        assert!(done.stderr.contains(expected), "{line}: {}", done.stderr);
    }
}

/// A seed is taken where the run draws its order or its first weights.
#[test]
fn a_seed_of_a_random_run_is_taken() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    for notes in ["varner", "dsc255-1"] {
        desk.succeed(&format!("train and.csv --notes {notes} --seed 3 --trace t.csv --quiet"));
        desk.succeed(&format!("check and.csv t.csv --notes {notes} --seed 3"));
    }
}

/// The hint for a long sheet works: its first rows are checked.
#[test]
fn a_part_of_a_long_sheet_is_checked() {
    const MOST: usize = 100_000;
    let rows = |count: usize| "i\n".to_owned() + &"1\n2\n3\n4\n".repeat(count / 4);
    let files =
        [("and.csv", own_data("and.csv")), ("part.csv", rows(MOST)), ("long.csv", rows(MOST + 4))];
    let desk = Desk::with(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let check =
        |sheet: &str| desk.run(&format!("check and.csv {sheet} --notes carson --epochs 30000"));
    let long = check("long.csv");
    let expected = "error: long.csv: the table has 100004 rows, at most 100000 are checked\n\
                    hint: leave out the last rows: a sheet may end before the run does\n";
    assert_eq!((long.code, long.stderr.as_str()), (2, expected));
    let part = check("part.csv");
    assert_eq!(part.code, 0, "{}", part.stderr);
    assert!(part.stdout.contains("answer  right"), "{}", part.stdout);
}

#[test]
fn a_trace_is_written_whole_or_refused() {
    let desk = Desk::with(&[("and.csv", "x1,x2,y\n0,0,-1\n0,1,-1\n1,0,-1\n1,1,1\n")]);
    desk.succeed("train and.csv --notes carson --trace and.md --trace-epochs 1 --quiet");
    insta::assert_snapshot!(String::from_utf8(desk.read("and.md")).unwrap());
    desk.succeed(
        "train and.csv --notes carson --kernel poly:2 --trace dual.csv --trace-epochs 1 --quiet",
    );
    insta::assert_snapshot!(String::from_utf8(desk.read("dual.csv")).unwrap());
    desk.succeed("train and.csv --notes lauer --eta 0.5 --trace and.tex --trace-epochs 1 --quiet");
    insta::assert_snapshot!(String::from_utf8(desk.read("and.tex")).unwrap());
    for (line, expected) in [
        ("train and.csv --trace t.txt", "--trace t.txt: the ending chooses the format"),
        ("train and.csv --trace and.csv", "the output would replace the input"),
        ("train and.csv --trace a.csv -o a.csv", "another output has this name"),
        ("train and.csv --trace a.csv --trace-epochs 99999999999", "a trace has at most"),
        ("train and.csv --trace a.csv --holdout 0.5", "cannot be used with"),
    ] {
        let done = desk.run(line);
        assert_eq!(done.code, 2, "{line}");
        assert!(done.stderr.contains(expected), "{line}: {}", done.stderr);
    }
    assert!(!desk.files().iter().any(|file| file == "a.csv"));
}

/// A trace changes no bit of the model.
#[test]
fn a_traced_run_is_the_run() {
    let desk = Desk::with(&[("iris.csv", &own_data("iris.csv"))]);
    for options in [
        "--epochs 1",
        "--epochs 7",
        "--keep pocket",
        "--kernel rbf:1 --epochs 3",
        "--update pa1:0.1",
    ] {
        let line = format!("train iris.csv --positive Iris-setosa {options} --quiet");
        desk.succeed(&format!("{line} -o plain.model"));
        desk.succeed(&format!("{line} -o traced.model --trace t.csv"));
        let both = ["plain.model", "traced.model"].map(|file| common::tensors(&desk.read(file)));
        assert_eq!(both[0], both[1], "{options}");
    }
}

/// The table of the reference is the one in code.
#[test]
fn the_reference_has_the_table() {
    let page = fs::read_to_string(root().join("docs/reference/by-hand.md")).unwrap();
    for notes in LectureNotes::ALL {
        let words: HashMap<&str, &str> = notes.words().into_iter().collect();
        let order = if words["order"] == "given" { "given" } else { "shuffled" };
        let bias = match (words["bias"], notes.has_threshold()) {
            ("radius", _) => "R²",
            (unit, false) => unit,
            (_, true) => "unit, told as a threshold",
        };
        let mistake = if words["mistake"] == "label" { "a wrong label" } else { "y·s ≤ 0" };
        let zero = if words["zero"] == "positive" { "+1" } else { "−1" };
        let name = format!("| `{notes}` | ");
        let row = page.lines().find(|line| line.starts_with(&name)).expect(&name);
        let expected = format!(" | {} | {order} | {bias} | {mistake} | {zero} |", words["init"]);
        assert!(row.ends_with(&expected), "{row}: {expected}");
        assert_eq!((words["keep"], words["epochs"]), ("last", "1000"));
    }
}
