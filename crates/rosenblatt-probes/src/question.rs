//! A question to the lab, as text or drawn from bytes. The answer is the same when it is asked again, and what it
//! says is compared with exact arithmetic.

use std::sync::atomic::{AtomicU32, Ordering};

use rosenblatt_core::data::ZeroScore;
use rosenblatt_lab::{FileText, InseparableQuestion, Question, SeparableQuestion, answer};
use rosenblatt_proofs::Certificate;
use serde_json::{Value, json};

use crate::{
    draw::Draw,
    exact::{Points, errors, is_below, is_proof, separates},
};

/// Any bytes as a question.
pub(crate) fn question(bytes: &[u8]) {
    if bytes.first() == Some(&b'{') {
        ask(bytes);
    } else {
        ask(drawn(&mut Draw(bytes)).to_string().as_bytes());
    }
}

fn ask(text: &[u8]) {
    let question = serde_json::from_slice::<Question>(text).ok();
    if question.as_ref().is_some_and(|question| !is_small(question)) {
        return;
    }
    let most = match question {
        Some(Question::Separable(_) | Question::Inseparable(_)) => 300,
        Some(Question::Study(_)) => 100,
        _ => 2_000,
    };
    let found = answered(text, most);
    assert_eq!(found, answered(text, most), "the answer is another one");
    let Ok(found) = found else { return };
    let found: Value = serde_json::from_slice(&found).unwrap();
    match question.unwrap() {
        Question::Separable(question) => check_verdict(&question, &found),
        Question::Inseparable(question) => check_distance(&question, &found),
        Question::Train(question) => check_run(&question, &found),
        Question::Errors(question) => check_errors(&question, &found),
        Question::File(_) => check_table(&found),
        Question::Study(_) | Question::Patterns(_) | Question::Trace(_) => {}
    }
}

/// The answer, or the refusal in words, when the question is stopped at the `most`-th time that it asks.
fn answered(text: &[u8], most: u32) -> Result<Vec<u8>, String> {
    let asked = AtomicU32::new(0);
    answer(text, &|| asked.fetch_add(1, Ordering::Relaxed) >= most)
        .map_err(|refusal| refusal.to_string())
}

/// Whether an answer takes little time; limits of the lab itself are far above.
fn is_small(question: &Question) -> bool {
    let values = |rows: &[Vec<f64>]| rows.iter().map(|row| 1 + row.len()).sum::<usize>();
    match question {
        Question::Errors(question) => values(&question.points.rows) <= 120,
        Question::Train(question) => {
            let grid = question.surfaces.as_ref().map(|surfaces| surfaces.grid);
            let places = grid.map_or(0, |grid| grid.columns.saturating_mul(grid.rows));
            values(&question.points.rows) <= 120 && places <= 100
        }
        Question::Trace(question) => values(&question.points.rows) <= 120,
        Question::Separable(SeparableQuestion { points, .. })
        | Question::Inseparable(InseparableQuestion { points, .. }) => values(&points.rows) <= 120,
        Question::Study(question) => values(&question.points.rows) <= 60 && question.runs <= 20,
        Question::Patterns(question) => {
            values(&question.rows) <= 120 && values(&question.queries) <= 60
        }
        Question::File(question) => match &question.text {
            FileText::Text(text) | FileText::Bytes { base64: text } => text.len() <= 4_000,
        },
    }
}

/// Every column has a value for each row, every row a class, and a pair has at most as many errors as rows.
fn check_table(found: &Value) {
    let list = |key: &str| found[key].as_array().unwrap();
    let shown = found["shown"].as_u64().unwrap() as usize;
    assert_eq!(list("columns").len(), list("features").len());
    assert!(list("columns").iter().all(|column| column.as_array().unwrap().len() == shown));
    assert_eq!(list("numbers").len(), shown);
    let classes = list("classes").len() as u64;
    assert!(list("numbers").iter().all(|number| number.as_u64().unwrap() < classes));
    assert!(list("classes").contains(&found["positive"]));
    let errors = |pair: &Value| pair["errors"].as_u64().unwrap() as usize;
    assert!(list("pairs").iter().all(|pair| errors(pair) <= shown), "{found}");
}

fn check_errors(question: &rosenblatt_lab::ErrorsQuestion, found: &Value) {
    let points =
        Points { rows: question.points.rows.clone(), signs: question.points.signs.clone() };
    let of_plane = |plane: &Vec<f64>| {
        let (bias, weights) = plane.split_last().unwrap();
        errors((weights, *bias), &points, question.zero == ZeroScore::Positive)
    };
    let expected: Vec<usize> = question.planes.iter().map(of_plane).collect();
    assert_eq!(found["errors"], serde_json::json!(expected));
}

fn check_verdict(question: &SeparableQuestion, found: &Value) {
    let points =
        Points { rows: question.points.rows.clone(), signs: question.points.signs.clone() };
    let certificate = found.get("certificate");
    match found["separable"].as_str() {
        Some("unknown") => assert!(certificate.is_none() && found.get("verified").is_none()),
        said => {
            let mut certificate = certificate.unwrap().clone();
            certificate.as_object_mut().unwrap().remove("numbers");
            let certificate: Certificate = serde_json::from_value(certificate).unwrap();
            assert!(is_proof(&certificate, &points), "{found}");
            assert_eq!(said, Some(certificate.claim()));
            check_margins(question.options.bias, &certificate, &points, found);
        }
    }
}

/// The bounds are in order and at most the number of points, and 0 if and only if the separation is complete.
fn check_distance(question: &InseparableQuestion, found: &Value) {
    let bound = |end: &str| found["least_errors"][end].as_u64().unwrap();
    let (lower, upper) = (bound("lower"), bound("upper"));
    assert!(lower <= upper && upper <= question.points.rows.len() as u64, "{found}");
    match found["separation"]["separation"].as_str() {
        Some("complete") => assert_eq!(lower, 0, "{found}"),
        Some(_) => assert!(upper > 0, "{found}"),
        None => {}
    }
}

/// No separator has a larger margin than what is said of all of them; the one of the proof neither.
fn check_margins(
    bias: rosenblatt_core::train::Bias,
    certificate: &Certificate,
    points: &Points,
    found: &Value,
) {
    use rosenblatt_core::train::Bias;
    let Certificate::Yes { weights, bias: at, .. } = certificate else { return };
    let is_of_bias = bias == Bias::Unit;
    let said = [(&found["margin"], is_of_bias), (&found["free_bias"]["margin"], false)];
    for (margin, is_of_bias) in said {
        if let Some(upper) = margin["upper"].as_f64() {
            assert!(is_below((weights, *at), points, is_of_bias, upper), "{found}");
        }
        if let (Some(lower), Some(upper)) = (margin["lower"].as_f64(), margin["upper"].as_f64()) {
            assert!(0.0 <= lower && lower <= upper, "{found}");
        }
    }
}

/// The last weights of a run that converged separate the points. By the label rule a score of 0 is no mistake, and the
/// other rules of update may move the weights without a mistake, also in the last epoch. With a kernel the weights are
/// coefficients of rows, and it is their training errors that are checked.
fn check_run(question: &rosenblatt_lab::TrainQuestion, found: &Value) {
    use rosenblatt_core::rules::{Mistake, Update};
    let options = &question.options;
    let is_margin = options.mistake == Mistake::Margin && options.update == Update::PERCEPTRON;
    let last: Option<Vec<f64>> = serde_json::from_value(found["last"].clone()).unwrap();
    let (Some(true), true, Some(last)) = (found["report"]["converged"].as_bool(), is_margin, last)
    else {
        return;
    };
    if options.kernel.is_some() {
        assert_eq!(found["report"]["errors"]["last"].as_u64().unwrap_or(0), 0, "{found}");
        return;
    }
    let points =
        Points { rows: question.points.rows.clone(), signs: question.points.signs.clone() };
    let (bias, weights) = last.split_last().unwrap();
    assert!(separates((weights, *bias), &points), "{found}");
}

const UPDATES: [&str; 6] = ["perceptron", "margin:1", "margin:0.5", "pa", "pa1:1", "pa2:0.5"];
const KERNELS: [&str; 5] = ["linear", "poly:1", "poly:2", "poly:5", "rbf:0.5"];

fn of_separability(draw: &mut Draw<'_>, points: &Value) -> Value {
    let bias = draw.of(&["unit", "none", "radius"]);
    match draw.byte() % 4 {
        0 => json!({ "inseparable": { "points": points, "bias": bias, "work": 1_000_000 } }),
        _ => {
            json!({ "separable": { "points": points, "options": { "bias": bias, "mistake": draw.of(&["margin", "label"]), "zero": draw.of(&["positive", "negative"]) } } })
        }
    }
}

/// A question that is mostly one.
fn drawn(draw: &mut Draw<'_>) -> Value {
    let kind = draw.below(4);
    let (features, n) = (1 + draw.below(3), 1 + draw.below(10));
    let rows: Vec<Vec<f64>> = (0..n).map(|_| draw.numbers(features)).collect();
    let classes: Vec<usize> = (0..n).map(|_| draw.below(4)).collect();
    let signs: Vec<i8> = classes.iter().map(|class| if class % 2 == 0 { 1 } else { -1 }).collect();
    let points = json!({ "rows": rows, "signs": signs });
    match kind {
        0 => of_separability(draw, &points),
        1 => {
            let mut question = json!({ "points": points, "options": options(draw) });
            if draw.byte() % 2 == 1 {
                question["until"] = json!(1 + draw.below(40));
            }
            if draw.byte() % 2 == 1 {
                question["window"] = json!({ "from": draw.below(20), "count": draw.below(20) });
            }
            if draw.byte() % 4 == 1 && features == 2 {
                let grid = json!({ "x": draw.numbers(2), "y": draw.numbers(2), "columns": draw.below(5), "rows": draw.below(5) });
                question["surfaces"] =
                    json!({ "keep": ["last", "average", "pocket", "vote"], "grid": grid });
            }
            json!({ "train": question })
        }
        2 => {
            json!({ "study": { "points": points, "options": options(draw), "runs": 1 + draw.below(5), "bins": draw.below(9) } })
        }
        _ => {
            let queries: Vec<Vec<f64>> =
                (0..draw.below(4)).map(|_| draw.numbers(features)).collect();
            let labels: Vec<String> = classes.iter().map(|class| format!("c{class}")).collect();
            json!({ "patterns": { "rows": rows, "labels": labels, "options": options(draw), "queries": queries } })
        }
    }
}

fn options(draw: &mut Draw<'_>) -> Value {
    let mut options = json!({
        "update": draw.of(&UPDATES),
        "keep": draw.of(&["last", "average", "pocket", "vote", "auto"]),
        "bias": draw.of(&["unit", "none", "radius"]),
        "mistake": draw.of(&["margin", "label"]),
        "order": draw.of(&["shuffle", "given"]),
        "init": draw.of(&["zero", "random"]),
        "seed": draw.byte(),
        "epochs": 1 + draw.below(20),
        "allow_mistakes": draw.below(3),
        "eta": draw.of(&[1.0, 0.1, 1e-300, 1e300]),
    });
    if draw.byte() % 3 == 1 {
        options["kernel"] = json!(draw.of(&KERNELS));
    }
    options
}
