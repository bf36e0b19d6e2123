//! A linear model as an ONNX graph of standard operators, in double precision.
//!
//! ```text
//! X [N, d] float ─ Cast ─ Sub shift ─ Div divisor ─ MatMul weights ─ Add bias ─┬─ Cast ─ scores [N, H] float
//!                         (only with a scaling)                               │
//!        two classes:     GreaterOrEqual 0 ─ Squeeze ─ Cast ┐                 │
//!        more classes:    ArgMax, the first of the highest ─┴─ Gather ─ label [N]
//! ```
//!
//! Normalised rows are divided after the scaling by their length:
//!
//! ```text
//! l2: Mul ─ ReduceSum ─ Sqrt    l1: Abs ─ ReduceSum    max: Abs ─ TopK 1    then Max 2⁻¹⁰²² (a row of zeros) ─ Div
//! ```
//!
//! A calibrated model has the output `probabilities` too, with a column for each class ([`probabilities`]). Where labels follow
//! them, the score is compared with that at which they cross 1/2, or `ArgMax` is of the probabilities.
//!
//! Of a table the inputs may be its columns ([`columns`]) instead. `X` has the encoded features in the order of [`Schema::feature_names`](crate::Schema::feature_names):
//! of a column with categories one that is 1 or 0 for each, of a column of text its buckets of hashed words. The
//! names are in the metadata of the file, as those of the classes in the order of the columns of `scores` and `probabilities`, each as
//! a JSON array.
//!
//! Labels are those of the model for rows that are `f32` numbers, unless a score (or the difference of the
//! two highest) is so near 0 that the sum's rounding decides; the model itself decides exactly. Where
//! all products and sums are exact, as they are of small whole numbers, a score of 0 is found as 0. It gives the class
//! that it gives in the model: `GreaterOrEqual` stands where that is the positive one, else `Greater`.
//! Deliberately absent: `LinearClassifier` of `ai.onnx.ml`, whose coefficients are `f32`.

use std::collections::HashSet;

use prost::Message;
use rosenblatt_core::{
    calibration::Calibration,
    data::{Decision, Scaling, Scheme, ZeroScore},
    space::Hyperplane,
    transforms::{CountWeights, Normalise, Step, Weighting},
};

use super::{
    columns,
    error::ExportError,
    messages::{
        Element, GraphProto, IR_VERSION, MACHINE_LEARNING, ModelProto, NodeProto, OPSET,
        OperatorSetIdProto, StringStringEntryProto, TensorProto, ValueInfoProto,
    },
    probabilities,
};
use crate::files::model::{LabelType, ModelFile};

/// The most bytes of a message, by the specification of protocol buffers.
const MOST_BYTES: usize = (1 << 31) - 1;

/// The inputs of a graph.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GraphInputs {
    /// `X` with the encoded features.
    Features,
    /// The columns of a table.
    Columns,
}

/// The bytes of the ONNX file; the same model gives the same bytes.
pub(super) fn onnx(file: &ModelFile, inputs: GraphInputs) -> Result<Vec<u8>, ExportError> {
    let planes = super::error::linear(file, "ONNX")?;
    // The weights are nearly all of it; so a model that is far too large is refused before it is encoded.
    fits(planes.len().saturating_mul(file.model.features()).saturating_mul(8))?;
    let model = model(file, planes, inputs)?;
    fits(model.encoded_len())?;
    Ok(model.encode_to_vec())
}

fn fits(bytes: usize) -> Result<(), ExportError> {
    if bytes > MOST_BYTES {
        return Err(ExportError::TooLarge { bytes, limit: MOST_BYTES });
    }
    Ok(())
}

fn model(
    file: &ModelFile,
    planes: &[Hyperplane],
    inputs: GraphInputs,
) -> Result<ModelProto, ExportError> {
    let standard = OperatorSetIdProto { version: OPSET, domain: String::new() };
    let graph = graph(file, planes, inputs)?;
    let (domain, version) = MACHINE_LEARNING;
    let needs_more = graph.node.iter().any(|node| node.domain == domain);
    let more = needs_more.then(|| OperatorSetIdProto { version, domain: domain.to_owned() });
    let names = |key: &str, names: &[String]| -> Result<_, ExportError> {
        Ok(StringStringEntryProto { key: key.to_owned(), value: serde_json::to_string(names)? })
    };
    Ok(ModelProto {
        ir_version: IR_VERSION,
        producer_name: "rosenblatt".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        doc_string: format!("A linear classifier, trained by rosenblatt {}.", file.tool_version),
        graph: Some(graph),
        opset_import: [standard].into_iter().chain(more).collect(),
        metadata_props: vec![
            names("feature_names", &file.schema.feature_names())?,
            names("class_names", file.model.classes().names())?,
        ],
    })
}

fn graph(
    file: &ModelFile,
    planes: &[Hyperplane],
    inputs: GraphInputs,
) -> Result<GraphProto, ExportError> {
    let mut graph = GraphProto { name: "rosenblatt".to_owned(), ..GraphProto::default() };
    match inputs {
        GraphInputs::Features => {
            let doc = "the features, before scaling".to_owned();
            let columns = Some(file.model.features());
            graph.input.push(ValueInfoProto::rows("X", Element::Float, columns, doc));
            graph.node.push(NodeProto::cast("X", Element::Double, "features"));
            classify(&mut graph, file, planes);
        }
        GraphInputs::Columns => {
            columns::add(&mut graph, &file.schema)?;
            classify(&mut graph, file, planes);
            columns::name_inputs(&mut graph, &file.schema)?;
        }
    }
    Ok(graph)
}

/// From `features` to the outputs.
fn classify(graph: &mut GraphProto, file: &ModelFile, planes: &[Hyperplane]) {
    let (features, classes) = (file.model.features(), file.model.classes());
    let mut last = "features";
    for step in file.model.preparation().steps() {
        last = match step {
            Step::Weights(weights) => weighting(graph, weights, last),
            Step::Scaling(scaling) => scale(graph, scaling, last),
            Step::Normalise(length) => normalise(graph, *length, last),
        };
    }
    graph.initializer.push(weights(planes, features));
    let biases = planes.iter().map(|plane| plane.bias);
    graph.initializer.push(TensorProto::doubles("bias", &[planes.len()], biases));
    graph.node.push(NodeProto::new("MatMul", &[last, "weights"], "products"));
    graph.node.push(NodeProto::new("Add", &["products", "bias"], "sums"));
    graph.node.push(NodeProto::cast("sums", Element::Float, "scores"));
    let calibration = file.model.calibration();
    if let Some(calibration) = calibration {
        probabilities::add(graph, calibration, classes.scheme());
    }
    decide(graph, file.model.decision(), calibration);
    let labels = labels(file);
    graph.node.push(NodeProto::new("Gather", &["labels", "class"], "label"));
    let label = if labels.raw_data.is_some() { Element::Int64 } else { Element::Text };
    graph.initializer.push(labels);
    let is_probable = has_probable_labels(calibration);
    let decides = if is_probable { "largest probability" } else { "highest" };
    let score = match classes.pair() {
        Some(_) if is_probable => "w·x + b".to_owned(),
        Some((_, positive)) => format!("w·x + b: positive for `{positive}`"),
        None => format!("w·x + b of each class against the rest; the {decides} decides"),
    };
    let float = |name, columns, doc| ValueInfoProto::rows(name, Element::Float, Some(columns), doc);
    graph.output.push(ValueInfoProto::rows("label", label, None, "the class".to_owned()));
    graph.output.push(float("scores", planes.len(), score));
    if let Some(calibration) = calibration {
        graph.output.push(probabilities::output(calibration, classes.names().len()));
    }
}

/// From the rows `last` to `scaled`.
fn scale(graph: &mut GraphProto, scaling: &Scaling, last: &str) -> &'static str {
    let statistics = [("shift", &scaling.shift), ("divisor", &scaling.divisor)];
    for (name, values) in statistics {
        let tensor = TensorProto::doubles(name, &[scaling.features()], values.iter().copied());
        graph.initializer.push(tensor);
    }
    graph.node.push(NodeProto::new("Sub", &[last, "shift"], "shifted"));
    graph.node.push(NodeProto::new("Div", &["shifted", "divisor"], "scaled"));
    "scaled"
}

/// From the rows `last` to `weighted`. Each sum has no more than two terms, so that the rounding is the engine's, but for
/// the logarithm's.
fn weighting(graph: &mut GraphProto, weights: &CountWeights, last: &str) -> &'static str {
    let (has_factors, factors) = (weights.has_factors(), &weights.factors);
    let counts = if has_factors { "weighted_counts" } else { "weighted" };
    let nodes = match weights.weighting {
        Weighting::Count | Weighting::Tfidf => vec![],
        Weighting::Binary => vec![NodeProto::new("Sign", &[last], counts)],
        Weighting::Log => {
            graph.initializer.push(TensorProto::doubles("one", &[], [1.0].into_iter()));
            vec![
                NodeProto::new("Sign", &[last], "signs"),
                NodeProto::new("Abs", &[last], "counts"),
                NodeProto::new("Min", &["counts", "one"], "first_count"),
                NodeProto::new("Max", &["counts", "one"], "all_counts"),
                NodeProto::new("Log", &["all_counts"], "logarithms"),
                NodeProto::new("Add", &["first_count", "logarithms"], "logarithmic_counts"),
                NodeProto::new("Mul", &["signs", "logarithmic_counts"], counts),
            ]
        }
    };
    let last = if nodes.is_empty() { last } else { counts };
    graph.node.extend(nodes);
    if has_factors {
        let tensor = TensorProto::doubles("factors", &[factors.len()], factors.iter().copied());
        graph.initializer.push(tensor);
        graph.node.push(NodeProto::new("Mul", &[last, "factors"], "weighted"));
    }
    "weighted"
}

/// From the rows `last` to `normalised`, each divided by its length. No length of `f32` numbers is below the smallest
/// normal number, so that this one only replaces the length 0.
fn normalise(graph: &mut GraphProto, normalise: Normalise, last: &'static str) -> &'static str {
    let sum = |sizes: &str, output: &str| {
        NodeProto::new("ReduceSum", &[sizes, "all_features"], output).with("keepdims", 1)
    };
    let absolute = NodeProto::new("Abs", &[last], "sizes");
    let nodes = match normalise {
        Normalise::None => return last,
        Normalise::L2 => vec![
            NodeProto::new("Mul", &[last, last], "sizes"),
            sum("sizes", "squared_length"),
            NodeProto::new("Sqrt", &["squared_length"], "length"),
        ],
        Normalise::L1 => vec![absolute, sum("sizes", "length")],
        Normalise::Max => {
            let mut largest = NodeProto::new("TopK", &["sizes", "all_features"], "length");
            largest.output.push("length_place".to_owned());
            vec![absolute, largest.with("axis", 1)]
        }
    };
    // The axis of the features, and for `TopK` the number of values.
    graph.initializer.push(TensorProto::integers("all_features", &[1]));
    graph.initializer.push(TensorProto::doubles("least", &[], [f64::MIN_POSITIVE].into_iter()));
    graph.node.extend(nodes);
    graph.node.push(NodeProto::new("Max", &["length", "least"], "row_divisor"));
    graph.node.push(NodeProto::new("Div", &[last, "row_divisor"], "normalised"));
    "normalised"
}

/// One column a hyperplane.
fn weights(planes: &[Hyperplane], features: usize) -> TensorProto {
    let row = |j: usize| planes.iter().map(move |plane| plane.weights[j]);
    TensorProto::doubles("weights", &[features, planes.len()], (0..features).flat_map(row))
}

/// Whether labels follow the largest probability.
fn has_probable_labels(calibration: Option<&Calibration>) -> bool {
    calibration.is_some_and(Calibration::has_probable_labels)
}

/// From `sums`, or the probabilities, to `class`, the place of each row's label among the labels.
fn decide(graph: &mut GraphProto, by: Decision, calibration: Option<&Calibration>) {
    let is_probable = has_probable_labels(calibration);
    if let Scheme::OneVsRest { .. } = by.scheme {
        let of_classes = if is_probable { "of_classes" } else { "sums" };
        let highest = NodeProto::new("ArgMax", &[of_classes], "class");
        graph.node.push(highest.with("axis", 1).with("keepdims", 0));
        return;
    }
    let cut = calibration.and_then(|found| found.cut(by)).unwrap_or(0.0);
    let border = if is_probable { "cut" } else { "zero" };
    graph.initializer.push(TensorProto::doubles(border, &[], std::iter::once(cut)));
    graph.initializer.push(TensorProto::integers("axes", &[1]));
    let positive = match by.zero {
        ZeroScore::Negative if !is_probable => "Greater",
        _ => "GreaterOrEqual",
    };
    graph.node.push(NodeProto::new(positive, &["sums", border], "positives"));
    graph.node.push(NodeProto::new("Squeeze", &["positives", "axes"], "positive"));
    graph.node.push(NodeProto::cast("positive", Element::Int64, "class"));
}

/// The labels in the order of the hyperplanes, of two classes the negative one first. They are integers when each
/// of them is another one by value (`+1`, `2.0`), unless the model says that they are text.
fn labels(file: &ModelFile) -> TensorProto {
    let classes = file.model.classes();
    let mut names: Vec<&str> = classes.names().iter().map(String::as_str).collect();
    if let Scheme::Two { positive: 0 } = classes.scheme() {
        names.reverse();
    }
    let are_text = file.label_type == Some(LabelType::Text);
    let integers: Option<Vec<i64>> = names.iter().map(|name| integer(name)).collect();
    let differ =
        |integers: &Vec<i64>| integers.iter().collect::<HashSet<_>>().len() == integers.len();
    match integers.filter(differ).filter(|_| !are_text) {
        Some(integers) => TensorProto::integers("labels", &integers),
        None => TensorProto::texts("labels", &names),
    }
}

/// The integer that a label is: `7`, `+7`, `7.0`, but not `7e0`, which people write for measurements.
fn integer(name: &str) -> Option<i64> {
    let whole = name.split_once('.').map_or(Some(name), |(whole, fraction)| {
        fraction.bytes().all(|digit| digit == b'0').then_some(whole)
    })?;
    whole.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_found_by_value() {
        let names = ["0", "-7", "+1", "01", "2.0", "-1.00", "9223372036854775807"];
        let values = [0, -7, 1, 1, 2, -1, i64::MAX];
        assert_eq!(names.map(integer), values.map(Some));
        let others = ["1.5", "1e3", "9223372036854775808", " 1", "", ".0", "1.0.0", "one"];
        assert!(others.iter().all(|name| integer(name).is_none()));
    }

    #[test]
    fn a_message_has_a_largest_size() {
        assert!(fits(2_147_483_647).is_ok());
        let error = fits(2_147_483_648).map_err(|error| error.to_string());
        let text =
            "as ONNX the model would take 2147483648 bytes, and at most 2147483647 are possible";
        assert_eq!(error, Err(text.to_owned()));
    }
}
