//! The probabilities of a calibrated model as nodes of an ONNX graph.
//!
//! ```text
//! temperature: sums ─ Mul slopes ─ Softmax; with two classes as platt
//! platt:      sums ─ Mul slopes ─ Add intercepts ─ Sigmoid
//! isotonic:   of each hyperplane: sums ─ LessOrEqual, the steps up to the score ─ Cast ─ ReduceSum ─ Gather the value
//! venn-abers: both step functions, p₁ with Less, then p₁/(1 − p₀ + p₁) as 1/(1 + (1 − p₀)/p₁)
//! ```
//!
//! With two classes the other side follows, with more a division by the sum of all.

use rosenblatt_core::{
    calibration::{Calibration, CalibrationMethod, Curve, Sigmoid, Steps},
    data::Scheme,
};

use super::messages::{Element, GraphProto, NodeProto, TensorProto, ValueInfoProto};

/// Adds `of_classes` to a graph with `sums`, a column for each class in the order of its number, and `probabilities`.
pub(super) fn add(graph: &mut GraphProto, calibration: &Calibration, scheme: Scheme) {
    let curves = calibration.curves();
    let sigmoids: Vec<Sigmoid> = curves.iter().filter_map(sigmoid).collect();
    let is_joint = calibration.method() == CalibrationMethod::Temperature && sigmoids.len() > 1;
    if is_joint {
        of_joint_scores(graph, sigmoids[0].slope);
    } else if sigmoids.is_empty() {
        of_steps(graph, curves);
    } else {
        of_sigmoids(graph, &sigmoids);
    }
    match scheme {
        Scheme::Two { positive } => {
            let mut sides = ["other_sides", "sides"];
            sides.rotate_left(1 - positive);
            graph.node.push(NodeProto::new("Concat", &sides, "of_classes").with("axis", 1));
        }
        Scheme::OneVsRest { .. } if is_joint => {}
        Scheme::OneVsRest { classes } => divide(graph, classes),
    }
    graph.node.push(NodeProto::cast("of_classes", Element::Float, "probabilities"));
}

/// The output, with a column for each class.
pub(super) fn output(calibration: &Calibration, classes: usize) -> ValueInfoProto {
    let doc = format!("the probability of each class, by {}", calibration.method().name());
    ValueInfoProto::rows("probabilities", Element::Float, Some(classes), doc)
}

fn sigmoid(curve: &Curve) -> Option<Sigmoid> {
    if let Curve::Platt(sigmoid) = curve { Some(*sigmoid) } else { None }
}

fn number(name: &str, value: f64) -> TensorProto {
    TensorProto::doubles(name, &[], std::iter::once(value))
}

/// To `of_classes`: the shares of exp(slope·score).
fn of_joint_scores(graph: &mut GraphProto, slope: f64) {
    graph.initializer.push(number("slope", slope));
    graph.node.push(NodeProto::new("Mul", &["sums", "slope"], "slanted"));
    graph.node.push(NodeProto::new("Softmax", &["slanted"], "of_classes").with("axis", 1));
}

/// To `sides` and `other_sides`, each with one column a hyperplane.
fn of_sigmoids(graph: &mut GraphProto, sigmoids: &[Sigmoid]) {
    let slopes = sigmoids.iter().map(|sigmoid| sigmoid.slope);
    let intercepts = sigmoids.iter().map(|sigmoid| sigmoid.intercept);
    graph.initializer.push(TensorProto::doubles("slopes", &[sigmoids.len()], slopes));
    graph.initializer.push(TensorProto::doubles("intercepts", &[sigmoids.len()], intercepts));
    graph.node.push(NodeProto::new("Mul", &["sums", "slopes"], "slanted"));
    graph.node.push(NodeProto::new("Add", &["slanted", "intercepts"], "log_odds"));
    graph.node.push(NodeProto::new("Sigmoid", &["log_odds"], "sides"));
    graph.node.push(NodeProto::new("Neg", &["log_odds"], "other_log_odds"));
    graph.node.push(NodeProto::new("Sigmoid", &["other_log_odds"], "other_sides"));
}

/// To `sides` and `other_sides` by step functions.
fn of_steps(graph: &mut GraphProto, curves: &[Curve]) {
    graph.initializer.push(TensorProto::integers("step_axis", &[1]));
    graph.initializer.push(number("certain", 1.0));
    let [mut lower, mut upper] = [Vec::new(), Vec::new()];
    for (plane, curve) in curves.iter().enumerate() {
        let column = format!("sums_{plane}");
        let place = format!("plane_{plane}");
        graph.initializer.push(TensorProto::integers(&place, &[plane as i64]));
        graph.node.push(NodeProto::new("Gather", &["sums", &place], &column).with("axis", 1));
        match curve {
            Curve::Platt(_) => {}
            Curve::Isotonic(steps) => {
                lower.push(value(graph, steps, (&column, "LessOrEqual"), &format!("at_{plane}")));
            }
            Curve::VennAbers { lower: p0, upper: p1 } => {
                lower.push(value(graph, p0, (&column, "LessOrEqual"), &format!("p0_{plane}")));
                upper.push(value(graph, p1, (&column, "Less"), &format!("p1_{plane}")));
            }
        }
    }
    let join = |columns: &[String], output: &str| {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        NodeProto::new("Concat", &columns, output).with("axis", 1)
    };
    if upper.is_empty() {
        graph.node.push(join(&lower, "sides"));
        graph.node.push(NodeProto::new("Sub", &["certain", "sides"], "other_sides"));
        return;
    }
    graph.node.push(join(&lower, "p0"));
    graph.node.push(join(&upper, "p1"));
    graph.node.push(NodeProto::new("Sub", &["certain", "p0"], "not_p0"));
    // As the library rounds it: one/(one + other) is 1/(1 + other/one).
    for (one, other, share) in [("p1", "not_p0", "sides"), ("not_p0", "p1", "other_sides")] {
        let (ratio, sum) = (format!("{share}_ratio"), format!("{share}_sum"));
        graph.node.push(NodeProto::new("Div", &[other, one], &ratio));
        graph.node.push(NodeProto::new("Add", &["certain", &ratio], &sum));
        graph.node.push(NodeProto::new("Div", &["certain", &sum], share));
    }
}

/// The value of a step function at the scores of a column: that of the last step whose score compares with it by the
/// operator. Returns the name of the output.
fn value(
    graph: &mut GraphProto,
    steps: &Steps,
    (column, compare): (&str, &str),
    name: &str,
) -> String {
    let part = |part: &str| format!("{name}_{part}");
    // A function without a step has one that no score reaches, and the value before it.
    let starts: Vec<f64> = match steps.starts() {
        [] => vec![f64::INFINITY],
        starts => starts.to_vec(),
    };
    let values = steps.values().iter().copied();
    let (count, length) = (starts.len(), steps.values().len());
    graph.initializer.push(TensorProto::doubles(&part("starts"), &[count], starts.into_iter()));
    graph.initializer.push(TensorProto::doubles(&part("values"), &[length], values));
    graph.node.push(NodeProto::new(compare, &[&part("starts"), column], &part("reached")));
    graph.node.push(NodeProto::cast(&part("reached"), Element::Int64, &part("ones")));
    let sum = NodeProto::new("ReduceSum", &[&part("ones"), "step_axis"], &part("step"));
    graph.node.push(sum.with("keepdims", 1));
    graph.node.push(NodeProto::new("Gather", &[&part("values"), &part("step")], name));
    name.to_owned()
}

/// From `sides` to `of_classes`, which sum up to 1. If all are 0, each class has the same.
fn divide(graph: &mut GraphProto, classes: usize) {
    graph.initializer.push(TensorProto::integers("class_axis", &[1]));
    graph.initializer.push(number("impossible", 0.0));
    graph.initializer.push(number("tiny", f64::MIN_POSITIVE));
    graph.initializer.push(number("equal_share", 1.0 / classes as f64));
    let sum = NodeProto::new("ReduceSum", &["sides", "class_axis"], "all_sides");
    graph.node.push(sum.with("keepdims", 1));
    graph.node.push(NodeProto::new("Max", &["all_sides", "tiny"], "side_divisor"));
    graph.node.push(NodeProto::new("Div", &["sides", "side_divisor"], "shares"));
    graph.node.push(NodeProto::new("Greater", &["all_sides", "impossible"], "is_possible"));
    let choice = ["is_possible", "shares", "equal_share"];
    graph.node.push(NodeProto::new("Where", &choice, "of_classes"));
}
