//! Exports read back, of models that were trained and then given weights by hand.

use std::io::Cursor;

use prost::Message;
use rosenblatt_core::{
    data::{Labelled, Rows, Scale, Scaling, ZeroScore},
    keep::Keep,
    model::{Classifier, Model, ModelParts, PredictOptions},
    prototype::Baseline,
    space::Hyperplane,
    train::{Fit, Options, Resources, fit},
    transforms::{CountWeights, Normalise, Preparation, Step, Weighting},
};

use super::{
    interpreter::{Data, run},
    messages::{GraphProto, ModelProto, TensorProto},
    *,
};
use crate::{FormatKind, ReadOptions, Source, files::model::LabelType, read};

const TWO: &str = "a,b,y\n1,4,no\n2,8,no\n3,0,yes\n";
const THREE: &str = "a,b,y\n1,4,30\n2,8,-2\n3,0,7\n";

/// A model of a table, as training makes it.
fn trained(table: &str, options: Options, reading: ReadOptions) -> ModelFile {
    let source = Source::stream("data", Cursor::new(table.as_bytes().to_vec())).unwrap();
    let reading = ReadOptions { format: Some(FormatKind::CSV), threads: 1, ..reading };
    let dataset = read(source, &reading).unwrap();
    let (classes, numbers) = dataset.classes(None).unwrap();
    let labelled = Labelled::new(&dataset.rows, &numbers, classes.scheme()).unwrap();
    let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
    let baseline = Baseline::of(&labelled);
    let Fit { classifier, report, .. } = run;
    let parts = ModelParts {
        classifier,
        preparation: Default::default(),
        classes,
        baseline,
        calibration: None,
        options,
        report,
    };
    ModelFile {
        model: Model::new(parts).unwrap(),
        schema: dataset.schema,
        label_type: None,
        held_out: vec![],
        tool_version: "1.2.3".to_owned(),
    }
}

/// The file with one more step in the preparation of its rows; weights come first.
fn prepared(file: ModelFile, step: Step) -> ModelFile {
    changed(file, |parts| {
        let mut steps = parts.preparation.steps().to_vec();
        let place = if matches!(step, Step::Weights(_)) { 0 } else { steps.len() };
        steps.insert(place, step);
        parts.preparation = Preparation::new(steps);
    })
}

/// The file with other parts.
fn changed(file: ModelFile, change: impl FnOnce(&mut ModelParts)) -> ModelFile {
    let mut parts = file.model.into_parts();
    change(&mut parts);
    ModelFile { model: Model::new(parts).unwrap(), ..file }
}

/// A model of a table with these weights and biases.
fn with_planes(table: &str, planes: &[(&[f64], f64)]) -> ModelFile {
    let plane = |&(weights, bias): &(&[f64], f64)| Hyperplane { weights: weights.to_vec(), bias };
    let file = trained(table, Options::default(), ReadOptions::default());
    let planes = planes.iter().map(plane).collect();
    changed(file, |parts| parts.classifier = Classifier::Linear(planes))
}

fn scaled(file: ModelFile, shift: [f64; 2], divisor: [f64; 2]) -> ModelFile {
    let (shift, divisor) = (shift.to_vec(), divisor.to_vec());
    let scaling = Scaling { scale: Scale::Standard, shift, divisor, first: None };
    prepared(file, Step::Scaling(scaling))
}

fn text(file: &ModelFile, format: ExportFormat) -> String {
    String::from_utf8(export(file, format).unwrap()).unwrap()
}

fn graph(file: &ModelFile) -> GraphProto {
    let bytes = export(file, ExportFormat::Onnx).unwrap();
    assert_eq!(bytes, export(file, ExportFormat::Onnx).unwrap());
    ModelProto::decode(&bytes[..]).unwrap().graph.unwrap()
}

fn tensor<'g>(graph: &'g GraphProto, name: &str) -> &'g TensorProto {
    graph.initializer.iter().find(|tensor| tensor.name == name).unwrap()
}

fn doubles(graph: &GraphProto, name: &str) -> (Vec<i64>, Vec<u64>) {
    let tensor = tensor(graph, name);
    let bits = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    (tensor.dims.clone(), tensor.raw_data.as_ref().unwrap().chunks(8).map(bits).collect())
}

fn bits<const N: usize>(numbers: [f64; N]) -> Vec<u64> {
    numbers.map(f64::to_bits).to_vec()
}

/// Whole numbers around the origin, so that many scores are 0 and no sum is rounded.
fn grid() -> Vec<f64> {
    (-8..=8).flat_map(|a| (-8..=8).flat_map(move |b| [f64::from(a), f64::from(b)])).collect()
}

fn labels(graph: &GraphProto, x: &[f64]) -> Vec<String> {
    let values = run(graph, x, 2);
    match &values["label"].data {
        Data::Texts(texts) => texts.clone(),
        Data::Numbers(numbers) => numbers.iter().map(f64::to_string).collect(),
    }
}

fn predicted(file: &ModelFile, x: &[f64]) -> (Vec<String>, Vec<f64>) {
    let rows = Rows::dense(x.to_vec(), 2).unwrap();
    let predictions = file.model.classify(&rows, PredictOptions::default(), true).unwrap();
    let name = |&class: &u32| file.model.classes().names()[class as usize].clone();
    (predictions.classes.iter().map(name).collect(), predictions.scores)
}

/// Several classes: every bit of the numbers, and one column a class.
#[test]
fn weights_in_onnx_are_those_of_the_model() {
    let planes: [(&[f64], f64); 3] =
        [(&[0.1, 5e-324], 0.3), (&[-1.5, 2.0], 0.0), (&[1e300, 7.0], -1.0)];
    let file = scaled(with_planes(THREE, &planes), [0.7, -0.1], [0.3, 1e-9]);
    let graph = graph(&file);
    let weights = bits([0.1, -1.5, 1e300, 5e-324, 2.0, 7.0]);
    assert_eq!(doubles(&graph, "weights"), (vec![2, 3], weights));
    assert_eq!(doubles(&graph, "bias"), (vec![3], bits([0.3, 0.0, -1.0])));
    assert_eq!(doubles(&graph, "shift"), (vec![2], bits([0.7, -0.1])));
    assert_eq!(doubles(&graph, "divisor"), (vec![2], bits([0.3, 1e-9])));
    // Integers, in the order of the classes.
    let labels: Vec<u8> = [-2i64, 7, 30].iter().flat_map(|label| label.to_le_bytes()).collect();
    assert_eq!(tensor(&graph, "labels").raw_data.as_ref(), Some(&labels));
}

#[test]
fn the_graph_decides_as_the_model() {
    let x = grid();
    let scaling = |file| scaled(file, [1.0, -2.0], [0.5, 2.0]);
    let two = with_planes(TWO, &[(&[3.0, -2.0], 1.0)]);
    let three = with_planes(THREE, &[(&[1.0, 2.0], 0.0), (&[-1.0, 2.0], 1.0), (&[0.0, -3.0], 2.0)]);
    let names = ["no", "yes"].map(str::to_owned);
    let classes = rosenblatt_core::data::Classes::two(names, 0).unwrap();
    let other = changed(two.clone(), |parts| parts.classes = classes);
    let negative = changed(two.clone(), |parts| parts.options.zero = ZeroScore::Negative);
    let scaled = [scaling(two.clone()), scaling(three.clone()), scaling(negative.clone())];
    for file in [&two, &three, &other, &negative].into_iter().chain(&scaled) {
        let graph = graph(file);
        let (expected, scores) = predicted(file, &x);
        assert!(scores.contains(&0.0));
        assert_eq!(labels(&graph, &x), expected);
        let found = &run(&graph, &x, 2)["scores"];
        assert_eq!(found.dims, [x.len() / 2, scores.len() * 2 / x.len()]);
        assert_eq!(found.data, Data::Numbers(scores));
    }
}

/// The lengths in the graph are rounded as those of the model: sums of whole numbers are exact, and so is the largest.
/// The row (0, 0) of the grid stays as it is.
#[test]
fn the_graph_normalises_rows() {
    let x = grid();
    for normalise in [Normalise::L2, Normalise::L1, Normalise::Max] {
        let two = with_planes(TWO, &[(&[3.0, -2.0], 0.25)]);
        let plain = prepared(two.clone(), Step::Normalise(normalise));
        let scaled = scaled(two, [1.0, -2.0], [0.5, 2.0]);
        let scaled = prepared(scaled, Step::Normalise(normalise));
        for file in [plain, scaled] {
            let graph = graph(&file);
            let (expected, scores) = predicted(&file, &x);
            assert_eq!(labels(&graph, &x), expected);
            let Data::Numbers(found) = &run(&graph, &x, 2)["scores"].data else { unreachable!() };
            // The graph rounds the products, their sum, and the result to single precision.
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * (1.0 + b.abs());
            assert!(found.iter().zip(&scores).all(is_near));
            assert!(matches!(export(&file, ExportFormat::Csv), Err(ExportError::Prepared { .. })));
            let object: serde_json::Value =
                serde_json::from_str(&text(&file, ExportFormat::Json)).unwrap();
            assert_eq!(object["normalise"], normalise.name());
        }
    }
}

/// The graph's logarithm may be another than the model's; single precision hides it.
#[test]
fn the_graph_weights_counts() {
    let x = grid();
    let choices = Weighting::ALL.map(|weighting| [None, Some("2:")].map(|text| (weighting, text)));
    let choices = choices.into_iter().flatten().skip(1);
    for ((weighting, frequency), normalise) in choices.zip(Normalise::ALL.into_iter().cycle()) {
        let frequency = frequency.map(|text| text.parse().unwrap());
        let mut weights = CountWeights { weighting, frequency, factors: Vec::new() };
        if weights.has_factors() {
            let second = if weighting == Weighting::Tfidf { 1.75 } else { 1.0 };
            weights.factors = vec![if frequency.is_some() { 0.0 } else { 1.0 }, second];
        }
        let two = with_planes(TWO, &[(&[3.0, -2.0], 0.25)]);
        let plain = prepared(two.clone(), Step::Weights(weights.clone()));
        let plain = match normalise {
            Normalise::None => plain,
            _ => prepared(plain, Step::Normalise(normalise)),
        };
        let scaled = scaled(two, [1.0, -2.0], [0.5, 2.0]);
        let scaled = prepared(scaled, Step::Weights(weights.clone()));
        for file in [plain, scaled] {
            let graph = graph(&file);
            let (expected, scores) = predicted(&file, &x);
            assert_eq!(labels(&graph, &x), expected);
            let Data::Numbers(found) = &run(&graph, &x, 2)["scores"].data else { unreachable!() };
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * (1.0 + b.abs());
            assert!(found.iter().zip(&scores).all(is_near));
            let refused = export(&file, ExportFormat::Csv);
            assert!(matches!(refused, Err(ExportError::Prepared { .. })));
            let object: serde_json::Value =
                serde_json::from_str(&text(&file, ExportFormat::Json)).unwrap();
            let name = Some(weighting.name()).filter(|_| !weighting.is_count());
            assert_eq!(object["weighting"].as_str(), name);
            assert_eq!(object["document_frequency"].as_str(), frequency.map(|_| "2:"));
        }
    }
}

#[test]
fn a_score_of_zero_has_the_class_of_the_model() {
    // 2a − b = 0 at (1, 2).
    let file = with_planes(TWO, &[(&[2.0, -1.0], 0.0)]);
    let x = [1.0, 2.0, 1.0, 1.0, 1.0, 3.0];
    assert_eq!(labels(&graph(&file), &x), ["yes", "yes", "no"]);
    let file = changed(file, |parts| parts.options.zero = ZeroScore::Negative);
    assert_eq!(labels(&graph(&file), &x), ["no", "yes", "no"]);
}

#[test]
fn labels_are_integers_by_value_unless_they_are_text() {
    let mut file = with_planes("a,b,y\n1,4,-1\n2,8,-1\n3,0,+1\n", &[(&[2.0, -1.0], 0.0)]);
    let raw = |file: &ModelFile| tensor(&graph(file), "labels").raw_data.clone();
    let integers: Vec<u8> = [-1i64, 1].iter().flat_map(|label| label.to_le_bytes()).collect();
    assert_eq!(raw(&file), Some(integers));
    file.label_type = Some(LabelType::Text);
    assert_eq!(raw(&file), None);
    assert_eq!(labels(&graph(&file), &[1.0, 1.0, 1.0, 3.0]), ["+1", "-1"]);
}

#[test]
fn onnx_names_what_it_has() {
    let file = with_planes(TWO, &[(&[2.0, -1.0], 0.0)]);
    let bytes = export(&file, ExportFormat::Onnx).unwrap();
    let model = ModelProto::decode(&bytes[..]).unwrap();
    assert_eq!((model.ir_version, model.opset_import[0].version), (8, 17));
    assert_eq!(model.producer_name, "rosenblatt");
    assert_eq!(model.doc_string, "A linear classifier, trained by rosenblatt 1.2.3.");
    let metadata = model.metadata_props.iter().map(|entry| (&entry.key[..], &entry.value[..]));
    let expected = [("feature_names", r#"["a","b"]"#), ("class_names", r#"["no","yes"]"#)];
    assert_eq!(metadata.collect::<Vec<_>>(), expected);
    let graph = model.graph.unwrap();
    assert_eq!(graph.output[1].doc_string, "w·x + b: positive for `yes`");
    let names = |values: &[super::messages::ValueInfoProto]| -> Vec<String> {
        values.iter().map(|value| value.name.clone()).collect()
    };
    assert_eq!(
        (names(&graph.input), names(&graph.output)),
        (vec!["X".into()], vec!["label".into(), "scores".into()])
    );
}

#[test]
fn csv_has_the_features_in_order_and_the_bias_last() {
    let file = with_planes(TWO, &[(&[0.1, -1e300], 5e-324)]);
    assert_eq!(text(&file, ExportFormat::Csv), "feature,weight\na,0.1\nb,-1e300\n(bias),5e-324\n");
    // 3·(a − 1)/2 − 8·(b + 2)/4 + 1 = 1.5·a − 2·b − 4.5
    let file = scaled(with_planes(TWO, &[(&[3.0, -8.0], 1.0)]), [1.0, -2.0], [2.0, 4.0]);
    let expected = "feature,weight,unscaled\na,3.0,1.5\nb,-8.0,-2.0\n(bias),1.0,-4.5\n";
    assert_eq!(text(&file, ExportFormat::Csv), expected);
    let planes: [(&[f64], f64); 3] = [(&[1.0, 2.0], 3.0), (&[4.0, 5.0], 6.0), (&[7.0, 8.0], 9.5)];
    let file = with_planes(THREE, &planes);
    let expected = "feature,-2,7,30\na,1.0,4.0,7.0\nb,2.0,5.0,8.0\n(bias),3.0,6.0,9.5\n";
    assert_eq!(text(&file, ExportFormat::Csv), expected);
}

/// A number past the range is left empty, and then the bias too.
#[test]
fn csv_has_no_infinities() {
    let file = scaled(with_planes(TWO, &[(&[1e300, 1.0], 1.0)]), [1.0, 1.0], [1e-300, 1.0]);
    let expected = "feature,weight,unscaled\na,1e300,\nb,1.0,1.0\n(bias),1.0,\n";
    assert_eq!(text(&file, ExportFormat::Csv), expected);
    let file = scaled(with_planes(TWO, &[(&[1e300, 1.0], 1.0)]), [1e300, 1.0], [1.0, 1.0]);
    assert!(text(&file, ExportFormat::Csv).ends_with("(bias),1.0,\n"));
}

#[test]
fn csv_quotes_names() {
    let table = "\"a,\"\"1\"\"\",\"b\nb\",y\n1,4,\"no, never\"\n2,8,or\n3,0,yes\n";
    let planes: [(&[f64], f64); 3] = [(&[1.0, 2.0], 0.0), (&[1.0, 2.0], 0.0), (&[1.0, 2.0], 0.0)];
    let exported = text(&with_planes(table, &planes), ExportFormat::Csv);
    let mut reader =
        ::csv::ReaderBuilder::new().has_headers(false).from_reader(exported.as_bytes());
    let first = |record: ::csv::StringRecord| (record[0].to_owned(), record[1].to_owned());
    let found: Vec<_> = reader.records().map(|record| first(record.unwrap())).collect();
    let expected =
        [("feature", "no, never"), ("a,\"1\"", "1.0"), ("b\nb", "2.0"), ("(bias)", "0.0")];
    assert_eq!(found, expected.map(|(name, cell)| (name.to_owned(), cell.to_owned())));
}

/// Names that a spreadsheet would compute are text.
#[test]
fn csv_has_no_formulas() {
    let table = "=1+2,-z,@x,y\n1,4,2,-no\n2,8,0,+yes\n3,1,1,=maybe\n";
    let plane: (&[f64], f64) = (&[1.0, 2.0, -1.0], 0.0);
    let exported = text(&with_planes(table, &[plane; 3]), ExportFormat::Csv);
    let first = |line: &str| line.split(',').next().unwrap_or_default().to_owned();
    let names: Vec<String> = exported.lines().map(first).collect();
    assert_eq!(names, ["feature", "'=1+2", "'-z", "'@x", "(bias)"]);
    assert!(exported.starts_with("feature,'+yes,'-no,'=maybe\n"), "{exported}");
}

/// A word that counts with the sign −1 has minus the weight of its bucket; the graph takes buckets.
#[test]
fn weights_of_words_are_those_of_the_words() {
    let reading = ReadOptions { text: vec!["a".to_owned()], ..ReadOptions::default() };
    let table = "a,y\nred green blue white,no\nblack brown grey pink,yes\n";
    let file = trained(table, Options::default(), reading);
    let stored = &file.model.classifier().linear().unwrap()[0].weights;
    let exported = text(&file, ExportFormat::Csv);
    let mut reader = ::csv::Reader::from_reader(exported.as_bytes());
    let cells = reader.records().map(|record| record.unwrap()[1].parse().unwrap());
    let named: Vec<f64> = cells.collect();
    let directions = file.schema.feature_directions();
    assert!(directions.iter().zip(stored).any(|(direction, weight)| direction * weight != *weight));
    for (j, weight) in stored.iter().enumerate() {
        assert_eq!(named[j], directions[j] * weight);
    }
    let expected: Vec<u64> = stored.iter().map(|weight| weight.to_bits()).collect();
    assert_eq!(doubles(&graph(&file), "weights"), (vec![stored.len() as i64, 1], expected));
    // A shift is of the bucket too. All weights are whole numbers.
    let bias = file.model.hyperplane().unwrap().bias - stored.iter().sum::<f64>();
    let (shift, divisor) = (vec![1.0; stored.len()], vec![1.0; stored.len()]);
    let scaling = Scaling { scale: Scale::Standard, shift, divisor, first: None };
    let shifted = prepared(file, Step::Scaling(scaling));
    assert!(text(&shifted, ExportFormat::Csv).ends_with(&format!(",{bias:?}\n")));
}

#[test]
fn json_is_the_description_with_names() {
    let file = scaled(with_planes(TWO, &[(&[3.0, -8.0], 1.0)]), [1.0, -2.0], [2.0, 4.0]);
    let exported = text(&file, ExportFormat::Json);
    assert!(exported.ends_with("}\n"));
    let mut object: serde_json::Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(object["positive"], "yes");
    assert_eq!(object["weights"][0]["feature"], "b");
    assert_eq!(object["scaling"]["shift"][1], -2.0);
    let names = object.as_object_mut().unwrap().remove("feature_names").unwrap();
    assert_eq!(names, serde_json::json!(["a", "b"]));
    assert_eq!(object, serde_json::to_value(Description::of(&file)).unwrap());
}

/// The scores of the four points from the JSON alone, by the formulas of a kernel model and of a vote.
#[test]
fn json_of_the_dual_form_is_the_whole_model() {
    let kernel = Some("poly:2".parse().unwrap());
    let kernel = Options { kernel, keep: Keep::Last, ..Options::default() };
    let vote = Options { keep: Keep::Vote, ..Options::default() };
    for options in [kernel, vote] {
        let file =
            trained("a,b,y\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n", options, ReadOptions::default());
        let json: serde_json::Value =
            serde_json::from_str(&text(&file, ExportFormat::Json)).unwrap();
        let dual = &json["dual"];
        let rows: Vec<Vec<(u32, f64)>> = serde_json::from_value(dual["rows"].clone()).unwrap();
        for x in [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] {
            let product = |row: &Vec<(u32, f64)>| -> f64 {
                row.iter().map(|&(feature, value)| value * x[feature as usize - 1]).sum()
            };
            let score = if dual["kernel"] == "poly:2" {
                let plane = &dual["hyperplanes"][0];
                let coefficients = plane["coefficients"].as_array().unwrap();
                let terms = coefficients.iter().zip(&rows);
                let value = |row| (1.0 + product(row)).powi(2);
                let sum: f64 = terms.map(|(c, row)| c.as_f64().unwrap() * value(row)).sum();
                sum + plane["bias"].as_f64().unwrap()
            } else {
                let moves = dual["vote"]["sequences"][0]["moves"].as_array().unwrap();
                let (mut now, mut votes) = (0.0, 0.0);
                for one in moves {
                    let step = one["step"].as_f64().unwrap();
                    now += step * (product(&rows[one["row"].as_u64().unwrap() as usize]) + 1.0);
                    let survived = one["survived"].as_f64().unwrap();
                    votes += if now >= 0.0 { survived } else { -survived };
                }
                votes
            };
            assert_eq!(predicted(&file, &x).1, [score]);
        }
    }
}

#[test]
fn models_in_the_dual_form_are_json_only() {
    let kernel = Options { kernel: Some("poly:2".parse().unwrap()), ..Options::default() };
    let vote = Options { keep: Keep::Vote, ..Options::default() };
    for (options, form) in [(kernel, "has a kernel"), (vote, "is a vote")] {
        let file = trained(TWO, options, ReadOptions::default());
        for (format, name) in [(ExportFormat::Onnx, "ONNX"), (ExportFormat::Csv, "CSV")] {
            let error = export(&file, format).unwrap_err();
            let expected = format!("{name} takes linear models, and this one {form}");
            assert_eq!(error.to_string(), expected);
        }
        let object: serde_json::Value =
            serde_json::from_str(&text(&file, ExportFormat::Json)).unwrap();
        assert!(object["support"].is_array());
    }
}

#[test]
fn endings_name_formats() {
    let of = |name: &str| ExportFormat::of(Path::new(name));
    assert_eq!(of("a/b.onnx"), Some(ExportFormat::Onnx));
    assert_eq!((of("b.JSON"), of("x.y.Csv")), (Some(ExportFormat::Json), Some(ExportFormat::Csv)));
    assert!(["onnx", ".csv", "a.pb", "a.onnx.gz", ""].iter().all(|name| of(name).is_none()));
}
