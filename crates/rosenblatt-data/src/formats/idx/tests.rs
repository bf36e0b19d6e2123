use std::io::Cursor;

use rosenblatt_core::data::Rows;

use super::IdxProblem;
use crate::{
    Encoder, Format, OnError, Problem, ReadError, ReadOptions, Reader, Shape, Source, read,
};

/// An IDX file of these sizes and bytes.
fn idx(kind: u8, sizes: &[u32], bytes: &[u8]) -> Vec<u8> {
    let mut file = vec![0, 0, kind, sizes.len() as u8];
    sizes.iter().for_each(|size| file.extend(size.to_be_bytes()));
    file.extend_from_slice(bytes);
    file
}

fn source(data: &[u8], labels: &[u8]) -> Source {
    let stream = |name, bytes: &[u8]| Source::stream(name, Cursor::new(bytes.to_vec())).unwrap();
    stream("data", data).with_labels(stream("labels", labels))
}

fn problem(data: &[u8], labels: &[u8]) -> (String, &'static IdxProblem) {
    match read(source(data, labels), &ReadOptions::default()).unwrap_err() {
        ReadError::Format { file, problem } => {
            (file, Box::leak(Box::new(problem)).downcast_ref().unwrap())
        }
        other => panic!("{other}"),
    }
}

fn dense(rows: &Rows<'_>) -> Vec<Vec<f64>> {
    let one = |row: rosenblatt_core::data::Row<'_>| {
        let mut values = vec![0.0; rows.features()];
        row.for_each(|j, value| values[j] = value);
        values
    };
    rows.iter().map(one).collect()
}

/// The codes of labels in the order of the file, by their names.
fn labels(data: &[u8], labels: &[u8]) -> Vec<String> {
    let reader = Reader::for_training(source(data, labels), &ReadOptions::default()).unwrap();
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    let names = batches.iter().flat_map(|batch| {
        let names = batch.labels.dictionary.names();
        batch.labels.codes.iter().map(|&code| names[code as usize].clone())
    });
    names.collect()
}

#[test]
fn values_of_every_type() {
    let two = idx(8, &[2], &[7, 9]);
    let values = |kind, bytes: &[u8]| {
        let dataset = read(source(&idx(kind, &[2, 2], bytes), &two), &ReadOptions::default());
        dense(&dataset.unwrap().rows)
    };
    let floats: Vec<u8> =
        [0.5f32, -0.0, 1e-45, -2.0].iter().flat_map(|x| x.to_be_bytes()).collect();
    let doubles: Vec<u8> =
        [0.1f64, -0.0, 5e-324, -1e300].iter().flat_map(|x| x.to_be_bytes()).collect();
    assert_eq!(values(0x08, &[0, 1, 128, 255]), [[0.0, 1.0], [128.0, 255.0]]);
    assert_eq!(values(0x09, &[0, 1, 128, 255]), [[0.0, 1.0], [-128.0, -1.0]]);
    assert_eq!(values(0x0b, &[0, 0, 1, 0, 0x80, 0, 0xff, 0xfe]), [[0.0, 256.0], [-32768.0, -2.0]]);
    assert_eq!(
        values(0x0c, &[0, 0, 0, 1, 0, 1, 0, 0, 0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
        [[1.0, 65536.0], [-2147483648.0, -1.0]]
    );
    assert_eq!(values(0x0d, &floats), [[0.5, 0.0], [f64::from(1e-45f32), -2.0]]);
    assert_eq!(values(0x0e, &doubles), [[0.1, 0.0], [5e-324, -1e300]]);
}

#[test]
fn labels_of_every_type() {
    let data = idx(8, &[2], &[1, 2]);
    assert_eq!(labels(&data, &idx(8, &[2], &[0, 255])), ["0", "255"]);
    assert_eq!(labels(&data, &idx(9, &[2], &[127, 128])), ["127", "-128"]);
    assert_eq!(labels(&data, &idx(0x0b, &[2], &[0x7f, 0xff, 0xff, 0xff])), ["32767", "-1"]);
    assert_eq!(
        labels(&data, &idx(0x0c, &[2], &[0x80, 0, 0, 0, 0, 0, 1, 0])),
        ["-2147483648", "256"]
    );
}

/// Zeros in long runs are passed over, and the values at the ends of the runs are not.
#[test]
fn images_without_their_zeros() {
    let mut image = vec![0; 37];
    (image[0], image[15], image[16], image[36]) = (1, 2, 3, 4);
    let data = idx(8, &[2, 37], &[&image[..], &[0; 37]].concat());
    let dataset = read(source(&data, &idx(8, &[2], &[0, 1])), &ReadOptions::default()).unwrap();
    let image: Vec<f64> = image.into_iter().map(f64::from).collect();
    assert_eq!(dense(&dataset.rows), [image, vec![0.0; 37]]);
}

#[test]
fn the_schema_keeps_the_shape() {
    let data = idx(8, &[2, 1, 2], &[0, 0, 0, 0]);
    let dataset = read(source(&data, &idx(8, &[2], &[0, 1])), &ReadOptions::default()).unwrap();
    let shape = Shape::new(&[1, 2]).unwrap();
    assert_eq!(dataset.schema.format, Format::Idx { shape });
    assert_eq!(dataset.schema.feature_names(), ["1,1", "1,2"]);
    assert!(dataset.notes.format_from_content && dataset.schema.is_sound());
    let mut unsound = dataset.schema.clone();
    unsound.format = Format::Idx { shape: Shape::new(&[3]).unwrap() };
    assert!(!unsound.is_sound());
    let options = ReadOptions::default();
    let error = Reader::for_model(source(&data, &[]), &options, &unsound, None).err().unwrap();
    assert_eq!(error.to_string(), "data: records of 1 × 2 values, the model was trained on 3");
    // The shape fits: a model needs no labels.
    let reader = Reader::for_model(source(&data, &[]), &options, &dataset.schema, None).unwrap();
    assert!(!reader.notes().format_from_content);
    let encoder = Encoder::new(&dataset.schema);
    let rows: usize = reader.map(|batch| encoder.encode_batch(batch.unwrap()).rows.len()).sum();
    assert_eq!(rows, 2);
}

#[test]
fn the_sizes_are_promises() {
    use IdxProblem::*;
    let two = idx(8, &[2], &[7, 9]);
    let (file, found) = problem(&idx(8, &[2, 2], &[1, 2, 3]), &two);
    assert!(file == "data" && matches!(found, Truncated { found: 1, promised: 2 }));
    let (_, found) = problem(&idx(8, &[2, 2], &[1, 2]), &two);
    assert!(matches!(found, Truncated { found: 1, promised: 2 }));
    for more in [&[5][..], &[5, 6], &[5, 6, 7]] {
        let (file, found) = problem(&idx(8, &[2, 2], &[&[1, 2, 3, 4], more].concat()), &two);
        assert!(file == "data" && matches!(found, TrailingBytes { promised: 2 }));
    }
    let data = idx(8, &[2], &[1, 2]);
    let (file, found) = problem(&data, &idx(8, &[2], &[1]));
    assert!(file == "labels" && matches!(found, Truncated { found: 1, promised: 2 }));
    let (file, found) = problem(&data, &idx(8, &[2], &[1, 2, 3]));
    assert!(file == "labels" && matches!(found, TrailingBytes { promised: 2 }));
    let (file, found) = problem(&data, &idx(8, &[3], &[1, 2, 3]));
    assert!(file == "labels" && matches!(found, LabelCount { labels: 3, examples: 2, .. }));
}

#[test]
fn labels_are_a_list_of_whole_numbers() {
    use IdxProblem::*;
    let data = idx(8, &[1], &[1]);
    let (_, found) = problem(&data, &idx(8, &[1, 1], &[1]));
    assert!(matches!(found, LabelDimensions { found: 2 }));
    let (_, found) = problem(&data, &idx(0x0d, &[1], &[0; 4]));
    assert!(matches!(found, LabelType { found: "f32" }));
}

#[test]
fn faults_have_their_record_and_value() {
    let floats: Vec<u8> =
        [1.0f32, 2.0, 3.0, f32::NAN, 5.0, 6.0].iter().flat_map(|x| x.to_be_bytes()).collect();
    let (data, three) = (idx(0x0d, &[3, 2], &floats), idx(8, &[3], &[4, 5, 6]));
    let (_, found) = problem(&data, &three);
    let IdxProblem::Record { record: 2, value: Some(2), problem: Problem::Format(value) } = found
    else {
        panic!("{found}")
    };
    let not_finite = matches!(value.downcast_ref(), Some(IdxProblem::NotFiniteValue { .. }));
    assert!(not_finite, "{found}");
    // Left out, it takes its label with it.
    let options = ReadOptions { on_error: OnError::Skip, ..ReadOptions::default() };
    let dataset = read(source(&data, &three), &options).unwrap();
    assert_eq!(dense(&dataset.rows), [[1.0, 2.0], [5.0, 6.0]]);
    assert_eq!(dataset.notes.skipped, 1);
    let (classes, _) = dataset.classes(None).unwrap();
    assert!(classes.sign("5").is_none() && classes.sign("6").is_some());
}

/// A label that the model does not know is an error, or its record is left out.
#[test]
fn labels_are_checked_for_a_model() {
    let data = idx(8, &[3, 2], &[1, 2, 3, 4, 5, 6]);
    let trained = read(source(&data, &idx(8, &[3], &[0, 1, 1])), &ReadOptions::default()).unwrap();
    let (classes, _) = trained.classes(None).unwrap();
    let open = |on_error| {
        let options = ReadOptions { on_error, ..ReadOptions::default() };
        let source = source(&data, &idx(8, &[3], &[1, 9, 0]));
        Reader::for_model(source, &options, &trained.schema, Some(&classes)).unwrap()
    };
    let error = open(OnError::Stop).find_map(Result::err).unwrap().to_string();
    assert!(error.starts_with("labels: record 2: the label `9` is "), "{error}");
    let mut reader = open(OnError::Skip);
    let batch = reader.next().unwrap().unwrap();
    assert_eq!(batch.classes(&classes).len(), 2);
    let rows = Encoder::new(&trained.schema).encode_batch(batch).rows;
    assert_eq!(dense(&rows), [[1.0, 2.0], [5.0, 6.0]]);
    assert_eq!(reader.notes().skipped, 1);
}
