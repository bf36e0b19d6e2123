//! Exports of a linear model that is drawn from bytes: they are well-formed and hold its numbers to the last bit.

use rosenblatt_core::{
    data::{Classes, Scale, Scaling},
    model::{Classifier, Model},
    space::Hyperplane,
    transforms::Preparation,
};
use rosenblatt_data::{
    Delimiter, Encoding, ExportFormat, Format, ModelFile, Quoting, export,
    schema::{Column, Columns, Inputs},
};

use crate::{draw::Draw, seeds};

/// Any model as ONNX, JSON and CSV.
pub(crate) fn onnx(bytes: &[u8]) {
    let Some(file) = drawn(&mut Draw(bytes)) else { return };
    let features = file.model.features();
    for format in [ExportFormat::Json, ExportFormat::Csv] {
        let exported = export(&file, format).unwrap();
        let text = String::from_utf8(exported).unwrap();
        match format {
            ExportFormat::Json => drop(serde_json::from_str::<serde_json::Value>(&text).unwrap()),
            _ => assert!(text.lines().count() > features),
        }
    }
    let exported = export(&file, ExportFormat::Onnx).unwrap();
    let model = fields(&exported).unwrap();
    let graph = fields(of(&model, 7)).unwrap();
    let tensors: Vec<_> =
        graph.iter().filter(|field| field.0 == 5).map(|field| fields(field.1).unwrap()).collect();
    let tensor = |name: &str| tensors.iter().find(|tensor| of(tensor, 8) == name.as_bytes());
    let planes = file.model.classifier().linear().unwrap();
    let weights = (0..features).flat_map(|j| planes.iter().map(move |plane| plane.weights[j]));
    assert_eq!(of(tensor("weights").unwrap(), 9), bytes_of(weights));
    assert_eq!(of(tensor("bias").unwrap(), 9), bytes_of(planes.iter().map(|plane| plane.bias)));
    let (found, names) = (labels(tensor("labels").unwrap()), names(file.model.classes()));
    assert_eq!(found.len(), names.len());
    assert!(found.iter().zip(&names).all(|(found, name)| same(found, name)), "{found:?} {names:?}");
    assert!((1..found.len()).all(|i| !found[..i].contains(&found[i])), "{found:?}");
}

/// Whether a label is a name, as text or as the integer that it is.
fn same(label: &str, name: &str) -> bool {
    label == name || label.parse::<i64>().is_ok_and(|label| name.parse() == Ok(label as f64))
}

/// Field by field, its number and what it holds; nothing of numbers.
type Fields<'b> = Vec<(u64, &'b [u8])>;

/// The fields of a message of protocol buffers, if it is one.
fn fields(mut bytes: &[u8]) -> Option<Fields<'_>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let length = match key & 7 {
            0 => {
                varint(&mut bytes)?;
                0
            }
            1 => 8,
            2 => usize::try_from(varint(&mut bytes)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (content, rest) = bytes.split_at_checked(length)?;
        fields.push((key >> 3, content));
        bytes = rest;
    }
    Some(fields)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The content of the only field of this number.
fn of<'b>(fields: &Fields<'b>, number: u64) -> &'b [u8] {
    let mut found = fields.iter().filter(|field| field.0 == number);
    let (first, None) = (found.next(), found.next()) else { panic!("field {number} occurs twice") };
    first.map_or(&[], |field| field.1)
}

fn bytes_of(numbers: impl Iterator<Item = f64>) -> Vec<u8> {
    numbers.flat_map(f64::to_le_bytes).collect()
}

/// Labels as they are spelt.
fn labels(tensor: &Fields<'_>) -> Vec<String> {
    let (integers, _) = of(tensor, 9).as_chunks::<8>();
    let texts = tensor.iter().filter(|field| field.0 == 6);
    let texts = texts.map(|field| String::from_utf8(field.1.to_vec()).unwrap());
    integers.iter().map(|bytes| i64::from_le_bytes(*bytes).to_string()).chain(texts).collect()
}

/// The names in the order of a graph's labels: of two classes the negative one is first.
fn names(classes: &Classes) -> Vec<String> {
    match classes.pair() {
        Some((negative, positive)) => vec![negative.to_owned(), positive.to_owned()],
        None => classes.names().to_vec(),
    }
}

/// A model of a few features and classes with any finite weights and any names.
fn drawn(draw: &mut Draw<'_>) -> Option<ModelFile> {
    let (features, n) = (1 + draw.below(4), 2 + draw.below(4));
    let positive = draw.below(2);
    let mut names: Vec<String> = (0..n).map(|_| draw.text()).collect();
    names.sort_unstable();
    let classes = match <[String; 2]>::try_from(names) {
        Ok(two) => Classes::two(two, positive)?,
        Err(many) => Classes::many(many)?,
    };
    let mut file = seeds::model();
    let mut parts = file.model.into_parts();
    let planes = classes.scheme().hyperplanes();
    let plane = |_| Hyperplane { weights: draw.numbers(features), bias: draw.number() };
    parts.classifier = Classifier::Linear((0..planes).map(plane).collect());
    parts.classes = classes;
    parts.baseline.prototypes.clear();
    let scaling = (draw.byte() % 2 == 1).then(|| Scaling {
        scale: Scale::Standard,
        shift: draw.numbers(features),
        divisor: (0..features).map(|_| draw.number().abs().max(1e-300)).collect(),
        first: None,
    });
    parts.preparation = Preparation::scaled(scaling);
    file.model = Model::new(parts).unwrap();
    file.schema.format = Format::Libsvm { zero_based: false };
    file.schema.inputs = Inputs::Indexed { features };
    if draw.byte() % 2 == 1 {
        let (delimiter, quoting) = (Delimiter::Byte(b','), Quoting::default());
        let encoding = Encoding::default();
        file.schema.format = Format::Table { delimiter, header: true, quoting, encoding };
        file.schema.inputs = Inputs::Columns(columns(draw, features));
    }
    Some(file)
}

fn columns(draw: &mut Draw<'_>, features: usize) -> Columns {
    let column =
        |place: usize, name: String| Column { name, position: place + 1, ..Column::default() };
    Columns {
        count: features + 1,
        target: "class".to_owned(),
        target_position: features + 1,
        features: (0..features)
            .map(|place| column(place, format!("{}{place}", draw.text())))
            .collect(),
        ignored: Vec::new(),
        interactions: Vec::new(),
    }
}
