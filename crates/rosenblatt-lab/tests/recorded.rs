//! Answers that the module inside the page must give too, byte by byte: `page/tests/recorded.test.mjs` asks it.
//!
//! This test compares the file with what this processor answers, so that it holds the answers of today's code. The sets are small,
//! and their numbers whole: searches that draw at random decide many of them.
#![allow(clippy::unwrap_used)]

mod draw;

use std::{collections::BTreeSet, env, fs, path::Path};

use draw::Draw;
use rosenblatt_lab::{Question, answer};
use serde_json::{Value, json};

const FILE: &str = "page/tests/recorded.json";
const COMMAND: &str = "UPDATE_RECORDED=1 cargo test --package rosenblatt-lab --test recorded";

#[test]
fn the_recorded_answers_are_those_of_this_code() {
    let recorded: Vec<Value> = questions().into_iter().map(record).collect();
    let kinds: BTreeSet<&str> = questions().iter().map(|question| kind(question)).collect();
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    let lines: Vec<String> = recorded.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if env::var_os("UPDATE_RECORDED").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == text, "{FILE} has other answers: run `{COMMAND}`");
}

fn record(question: Value) -> Value {
    let text = question.to_string();
    let (status, answer) = match answer(text.as_bytes(), &|| false) {
        Ok(answer) => (200, answer),
        Err(refusal) => (refusal.status(), refusal.json()),
    };
    json!({"question": text, "status": status, "answer": String::from_utf8(answer).unwrap()})
}

/// The name of a question's kind. A new kind does not compile until it is among the recorded ones.
fn kind(question: &Value) -> &'static str {
    match serde_json::from_value(question.clone()).unwrap() {
        Question::Train(_) => "train",
        Question::Trace(_) => "trace",
        Question::Errors(_) => "errors",
        Question::Separable(_) => "separable",
        Question::Inseparable(_) => "inseparable",
        Question::Study(_) => "study",
        Question::Patterns(_) => "patterns",
        Question::File(_) => "file",
    }
}

fn questions() -> Vec<Value> {
    let mut draw = Draw(1958);
    let rows = [[8, -4], [1, 1], [-3, 1], [2, 8], [-5, 9], [8, 1], [-9, 10], [-10, -10]];
    let points = json!({"rows": rows, "signs": [-1, -1, -1, 1, -1, -1, -1, 1]});
    let mut all = vec![json!({"inseparable": {"points": points, "work": 1_000_000_000}})];
    for number in 0..80 {
        let points = points_of(&mut draw, 6 + number % 5);
        let bias = ["unit", "unit", "none"][number % 3];
        all.push(json!({"inseparable": {"points": points, "bias": bias, "work": 100_000_000}}));
        all.push(json!({"separable": {"points": points, "options": {"bias": bias, "mistake": draw.of(&["margin", "label"])}}}));
    }
    all.extend((0..40).map(|number| training(&mut draw, number)));
    all.extend((0..8).map(|number| trace(&mut draw, number)));
    for number in 0..6 {
        let points = points_of(&mut draw, 8);
        let planes = json!([[3, 4, -2], [draw.of(&[0.1, -7.0]), 0.3, 1], [0, 0, 1]]);
        all.push(json!({"errors": {"points": points, "planes": planes, "margins": true}}));
        let options = json!({"seed": number, "epochs": 20});
        all.push(
            json!({"study": {"points": points, "options": options, "runs": 6, "lines": true}}),
        );
        all.push(patterns(&mut draw, number));
    }
    let latin1 = json!({"base64": "eCx5LGtpbmQKMSwyLE38bGwKMyw0LE32bGwK"});
    all.push(json!({"file": {"name": "waste.csv", "text": latin1}}));
    all.push(json!({"file": {"name": "waste.csv", "text": latin1, "encoding": "latin1"}}));
    // More rows than a page shows: a sample is drawn.
    let line =
        |row: u64| format!("{},{},{}\n", row * row % 97, row % 5, ["a", "b"][(row % 2) as usize]);
    let text: String = (0..2_100).map(line).collect();
    all.push(json!({"file": {"name": "long.csv", "text": text, "header": false}}));
    for update in ["arow:1", "second-order:2"] {
        let options = json!({"update": update, "order": "given", "epochs": 5});
        let points = points_of(&mut draw, 7);
        all.push(json!({"train": {"points": points, "options": options, "window": {"from": 0, "count": 20}}}));
    }
    all
}

/// Points of two classes with whole coordinates.
fn points_of(draw: &mut Draw, count: usize) -> Value {
    let mut coordinate = || draw.below(21) as i64 - 10;
    let rows: Vec<[i64; 2]> = (0..count).map(|_| [coordinate(), coordinate()]).collect();
    let sign = |row: usize| if row == 0 || row > 1 && draw.below(2) == 0 { 1 } else { -1 };
    let signs: Vec<i64> = (0..count).map(sign).collect();
    json!({"rows": rows, "signs": signs})
}

fn training(draw: &mut Draw, number: usize) -> Value {
    let mut options = json!({"seed": number, "epochs": 30,
        "update": draw.of(&["perceptron", "margin:0.5", "pa", "pa1:0.25"]), "eta": draw.of(&[1.0, 0.1]),
        "keep": draw.of(&["auto", "last", "average", "pocket", "vote"]), "order": draw.of(&["given", "shuffle"]),
        "bias": draw.of(&["unit", "none", "radius"]), "init": draw.of(&["zero", "random"])});
    if number.is_multiple_of(3) {
        options["kernel"] =
            json!(draw.of(&["linear", "poly:2", "poly:3:0.5:2", "rbf:0.7", "rbf:0.001"]));
        options["init"] = json!("zero");
    }
    let grid = json!({"x": [-10, 10], "y": [-9, 11], "columns": 5, "rows": 4});
    let surfaces = json!({"keep": [draw.of(&["last", "vote", "average"])], "grid": grid});
    let window = json!({"from": draw.below(40), "count": 12});
    let points = points_of(draw, 6 + number % 7);
    json!({"train": {"points": points, "options": options, "window": window, "surfaces": surfaces, "counts": true}})
}

fn trace(draw: &mut Draw, number: usize) -> Value {
    let options = json!({"seed": number, "epochs": 4, "eta": draw.of(&[1.0, 0.1]), "order": draw.of(&["given", "shuffle"]),
        "bias": draw.of(&["unit", "radius"])});
    let format = ["csv", "md", "tex", "json"][number % 4];
    json!({"trace": {"points": points_of(draw, 4), "options": options, "format": format, "threshold": number > 3}})
}

fn patterns(draw: &mut Draw, number: usize) -> Value {
    let mut row = || (0..4).map(|_| draw.below(3)).collect::<Vec<_>>();
    let rows: Vec<Vec<u64>> = (0..9).map(|_| row()).collect();
    let labels: Vec<String> =
        (0..9).map(|row| format!("class {}", row % (2 + number % 3))).collect();
    let options = json!({"seed": number, "epochs": 20});
    json!({"patterns": {"rows": rows, "labels": labels, "options": options, "queries": rows[..3]}})
}
