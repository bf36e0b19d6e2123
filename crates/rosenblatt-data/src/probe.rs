//! What must hold for any bytes whatever: driven by the fuzz targets and, over the inputs that they
//! found, by ordinary tests. A function that returns is content; one that panics has found a bug.

use std::io::Cursor;

use crate::{
    CheckpointFile, Dataset, Delimiter, Encoder, ExportFormat, FormatKind, Hashing, Header,
    ModelFile, OnError, ReadOptions, Reader, Source, export, read,
};

/// The features of a hostile file are bounded, so that a probe is quick.
const MAX_FEATURES: usize = 1 << 12;

fn source(bytes: &[u8]) -> Option<Source> {
    Source::stream("probe", Cursor::new(bytes.to_vec())).ok()
}

fn dataset(bytes: &[u8], options: &ReadOptions) -> Option<Dataset> {
    read(source(bytes)?, options).ok()
}

/// Any bytes as a table: quoted, by blanks, with and without header, stopping and skipping. What can
/// be learned from can be read for the model, with as many rows.
pub fn table(bytes: &[u8]) {
    let delimiters = [Delimiter::Byte(b','), Delimiter::Byte(b'\t'), Delimiter::Whitespace];
    for (i, delimiter) in delimiters.into_iter().enumerate() {
        let header = if i % 2 == 0 { Header::Absent } else { Header::Expected };
        let (format, delimiter) = (Some(FormatKind::Csv), Some(delimiter));
        stopping_and_skipping(
            bytes,
            &ReadOptions { format, delimiter, header, ..ReadOptions::default() },
        );
        let (text, hashing) = (vec!["1".to_owned()], Hashing { bits: 4, ngrams: 2 });
        stopping_and_skipping(
            bytes,
            &ReadOptions { format, delimiter, header, text, hashing, ..ReadOptions::default() },
        );
    }
}

/// Any bytes as LIBSVM data, from 1 and from 0, stopping and skipping.
pub fn libsvm(bytes: &[u8]) {
    for zero_based in [false, true] {
        let format = Some(FormatKind::Libsvm);
        stopping_and_skipping(bytes, &ReadOptions { format, zero_based, ..ReadOptions::default() });
    }
}

/// Any bytes as IDX data and their labels, stopping and skipping: the first two bytes say how many of
/// the others are the data.
pub fn idx(bytes: &[u8]) {
    let (length, rest) = bytes.split_at(bytes.len().min(2));
    let length = length.iter().fold(0, |number, &byte| number << 8 | usize::from(byte));
    let (data, labels) = rest.split_at(length.min(rest.len()));
    for on_error in [OnError::Stop, OnError::Skip] {
        let format = Some(FormatKind::Idx);
        let max_features = MAX_FEATURES;
        let options = ReadOptions { format, on_error, max_features, ..ReadOptions::default() };
        let (Some(data_source), Some(labels)) = (source(data), source(labels)) else { return };
        if let Ok(dataset) = read(data_source.with_labels(labels), &options) {
            reads_again(data, &options, &dataset);
        }
    }
}

fn stopping_and_skipping(bytes: &[u8], options: &ReadOptions) {
    for on_error in [OnError::Stop, OnError::Skip] {
        let options = ReadOptions { on_error, max_features: MAX_FEATURES, ..options.clone() };
        if let Some(dataset) = dataset(bytes, &options) {
            reads_again(bytes, &options, &dataset);
        }
    }
}

/// Reading for the model gives the rows that reading to learn gave.
fn reads_again(bytes: &[u8], options: &ReadOptions, dataset: &Dataset) {
    let _ = dataset.classes(None);
    let Some(source) = source(bytes) else { return };
    let options = ReadOptions { on_error: OnError::Skip, ..options.clone() };
    let Ok(reader) = Reader::for_model(source, &options, &dataset.schema, None) else {
        panic!("a file that was learned from cannot be opened for its model");
    };
    let encoder = Encoder::new(&dataset.schema);
    let mut rows = 0;
    for batch in reader {
        let Ok(batch) = batch else { panic!("a file that was learned from cannot be read again") };
        rows += encoder.encode_batch(batch).rows.len();
    }
    // Rows that were skipped for their label are rows for a model.
    assert!(rows >= dataset.rows.len());
}

/// The bytes of a model or checkpoint with the checksum that belongs to them, if they have a place for it.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let _ = crate::tensor_file::seal(&mut bytes);
    bytes
}

/// Any bytes as a model file, whatever their checksum. What is accepted comes back the same when it is written again, and can be exported.
pub fn model_file(bytes: &[u8]) {
    if let Some(model) = ModelFile::from_any_bytes(bytes) {
        let Ok(again) = model.to_bytes() else { panic!("an accepted model cannot be written") };
        let Ok(read_back) = ModelFile::from_bytes("probe", &again) else {
            panic!("a written model cannot be read")
        };
        assert_eq!(model, read_back);
        let names = model.schema.feature_names();
        assert_eq!(names.len(), model.model.features());
        let linear = model.model.classifier.linear().is_some();
        for format in [ExportFormat::Onnx, ExportFormat::Json, ExportFormat::Csv] {
            let exported = export(&model, format);
            assert_eq!(exported.is_ok(), linear || format == ExportFormat::Json);
        }
    }
}

/// Any bytes as a checkpoint, whatever their checksum. What is accepted comes back the same when it is written again.
pub fn checkpoint(bytes: &[u8]) {
    let Some(checkpoint) = CheckpointFile::from_any_bytes(bytes) else { return };
    let Ok(again) = checkpoint.to_bytes() else {
        panic!("an accepted checkpoint cannot be written")
    };
    let Ok(read_back) = CheckpointFile::from_bytes("probe", &again) else {
        panic!("a written checkpoint cannot be read")
    };
    // Sums may be no numbers, which are not equal to themselves.
    assert_eq!(Ok(again), read_back.to_bytes());
}
