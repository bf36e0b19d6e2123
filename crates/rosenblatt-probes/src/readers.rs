//! Any bytes as data.

use std::io::{Cursor, Write};

use rosenblatt_data::{
    CharNgrams, Cut, Dataset, Delimiter, Encoder, FormatKind, Header, OnError, ReadOptions, Reader,
    Source, read,
};

/// The features of a hostile file are bounded, so that a probe is quick.
const MAX_FEATURES: usize = 1 << 12;

pub(crate) fn source(bytes: &[u8]) -> Option<Source> {
    Source::stream("probe", Cursor::new(bytes.to_vec())).ok()
}

/// Comma-separated values without a header.
pub(crate) fn table_comma(bytes: &[u8]) {
    learned(bytes, &table(Delimiter::Byte(b','), Header::Absent));
}

/// Tab-separated values with a header.
pub(crate) fn table_tab(bytes: &[u8]) {
    learned(bytes, &table(Delimiter::Byte(b'\t'), Header::Expected));
}

/// Values separated by blanks, without quotes or a header.
pub(crate) fn table_blanks(bytes: &[u8]) {
    learned(bytes, &table(Delimiter::Whitespace, Header::Absent));
}

/// A table whose first column is text, with its words, or with characters that are multiplied with the second column where
/// there is an odd number of bytes.
pub(crate) fn table_words(bytes: &[u8]) {
    let (text, cut) = (vec!["1".to_owned()], Some(Cut::Words(2)));
    let words = ReadOptions { text, cut, bits: 4, ..table(Delimiter::Byte(b','), Header::Absent) };
    if bytes.len().is_multiple_of(2) {
        return learned(bytes, &words);
    }
    let options = ReadOptions {
        cut: Some(Cut::Chars(CharNgrams { shortest: 2, longest: 3 })),
        features: vec!["2".to_owned()],
        interactions: vec![vec!["1".to_owned(), "2".to_owned()]],
        ..words
    };
    learned(bytes, &options);
}

fn table(delimiter: Delimiter, header: Header) -> ReadOptions {
    let (format, delimiter) = (Some(FormatKind::CSV), Some(delimiter));
    ReadOptions { format, delimiter, header, ..ReadOptions::default() }
}

/// LIBSVM data, with indices from 1 or, where there is an odd number of bytes, from 0.
pub(crate) fn libsvm(bytes: &[u8]) {
    let zero_based = bytes.len() % 2 == 1;
    let format = Some(FormatKind::LIBSVM);
    learned(bytes, &ReadOptions { format, zero_based, ..ReadOptions::default() });
}

/// JSON objects; where there is an odd number of bytes, objects that cannot be read are skipped.
pub(crate) fn json(bytes: &[u8]) {
    let format = Some(FormatKind::JSON);
    let on_error = if bytes.len() % 2 == 1 { OnError::Skip } else { OnError::Stop };
    learned(bytes, &ReadOptions { format, on_error, ..ReadOptions::default() });
}

/// ARFF.
pub(crate) fn arff(bytes: &[u8]) {
    learned(bytes, &ReadOptions { format: Some(FormatKind::ARFF), ..ReadOptions::default() });
}

/// Lines of fastText.
pub(crate) fn fasttext(bytes: &[u8]) {
    let (format, cut) = (Some(FormatKind::FASTTEXT), Some(Cut::Words(2)));
    learned(bytes, &ReadOptions { format, cut, bits: 4, ..ReadOptions::default() });
}

/// A workbook.
#[cfg(feature = "columnar")]
pub(crate) fn workbook(bytes: &[u8]) {
    learned(bytes, &ReadOptions { format: Some(FormatKind::XLSX), ..ReadOptions::default() });
}

/// IDX data and their labels: the first two bytes say how many of the others are the data.
pub(crate) fn idx(bytes: &[u8]) {
    let (length, rest) = bytes.split_at(bytes.len().min(2));
    let length = length.iter().fold(0, |number, &byte| number << 8 | usize::from(byte));
    let (data, labels) = rest.split_at(length.min(rest.len()));
    for on_error in [OnError::Stop, OnError::Skip] {
        let format = Some(FormatKind::IDX);
        let max_features = MAX_FEATURES;
        let options = ReadOptions { format, on_error, max_features, ..ReadOptions::default() };
        let (Some(data_source), Some(labels)) = (source(data), source(labels)) else { return };
        if let Ok(dataset) = read(data_source.with_labels(labels), &options) {
            return reads_again(|| source(data), &options, &dataset);
        }
    }
}

/// Data of a format that is guessed: plain, or, as the first byte says, compressed first, which changes nothing.
pub(crate) fn guessed(bytes: &[u8]) {
    let Some((&how, plain)) = bytes.split_first() else { return };
    let options = ReadOptions { max_features: MAX_FEATURES, ..ReadOptions::default() };
    let seen = |bytes: &[u8]| match source(bytes).map(|source| read(source, &options)) {
        None => "no source".to_owned(),
        Some(Ok(dataset)) => {
            let seen = format!("{:?}", (&dataset.rows, &dataset.schema, &dataset.notes));
            seen + &format!("{:?}", dataset.into_labels())
        }
        Some(Err(error)) => error.to_string(),
    };
    if how % 4 == 0 {
        return learned(plain, &options);
    }
    // Bytes that are compressed already are so twice, which is undone once.
    if plain.starts_with(&[0x1f, 0x8b]) || plain.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return;
    }
    let compressed = if how % 4 == 1 { zst(plain) } else { gz(plain) };
    assert_eq!(seen(plain), seen(&compressed));
}

pub(crate) fn gz(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zst(plain: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(plain, 1).unwrap()
}

/// Reads to learn, and again for the model; rows that cannot be read are left out where that helps or the options ask for it.
pub(crate) fn learned(bytes: &[u8], options: &ReadOptions) {
    learned_of(|| source(bytes), options);
}

pub(crate) fn learned_of(open: impl Fn() -> Option<Source>, options: &ReadOptions) {
    for on_error in [options.on_error, OnError::Skip] {
        let max_features = options.max_features.min(MAX_FEATURES);
        let options = ReadOptions { on_error, max_features, ..options.clone() };
        let Some(source) = open() else { return };
        match read(source, &options) {
            Ok(dataset) => return reads_again(open, &options, &dataset),
            Err(error) => drop(error.to_string()),
        }
    }
}

/// Reading for the model gives the rows that reading to learn gave.
fn reads_again(open: impl Fn() -> Option<Source>, options: &ReadOptions, dataset: &Dataset) {
    let _ = dataset.classes(None);
    let Some(source) = open() else { return };
    let on_error = match options.on_error {
        OnError::Stop => OnError::Skip,
        chosen => chosen,
    };
    let options = ReadOptions { on_error, ..options.clone() };
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
