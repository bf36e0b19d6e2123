//! A file that is fed batch by batch holds what the same file holds when it is read whole.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{fmt::Write as _, io::Cursor};

use rosenblatt_core::data::{Classes, Rows};
use rosenblatt_data::{
    BatchError, Batches, FormatKind, Header, OnError, ReadError, ReadOptions, Source,
    TrainingBatch, TrainingInput, read,
};

fn source(text: &str) -> Source {
    Source::stream("data", Cursor::new(text.as_bytes().to_vec())).unwrap()
}

fn options(kind: FormatKind, threads: usize) -> ReadOptions {
    let header = if kind == FormatKind::CSV { Header::Absent } else { Header::default() };
    ReadOptions { format: Some(kind), header, threads, ..ReadOptions::default() }
}

type Entries = Vec<(usize, usize, u64)>;

/// The entries that are not 0, of rows that come after `before` others.
fn entries(before: usize, rows: &Rows<'_>) -> Entries {
    let mut all = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        row.for_each(|j, x| {
            if x != 0.0 {
                all.push((before + i, j, x.to_bits()));
            }
        });
    }
    all
}

fn batches(text: &str, options: &ReadOptions, positive: Option<&str>) -> Batches {
    match TrainingInput::open(source(text), options, positive, 0).unwrap() {
        TrainingInput::Batches(batches) => *batches,
        TrainingInput::Whole(_) => panic!("the file is large enough for batches"),
    }
}

fn all(mut batches: Batches) -> (Entries, Vec<u32>, usize, Classes, u64) {
    let (mut found, mut classes, mut features, mut number) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(batch) = batches.next() {
        let TrainingBatch { rows, classes: more } = batch.unwrap();
        found.extend(entries(classes.len(), &rows));
        assert!(rows.features() >= features, "features only grow");
        (features, number) = (rows.features(), number + 1);
        classes.extend(more);
    }
    assert!(number > 1, "several batches");
    let (_, schema, notes, names) = batches.into_parts();
    assert_eq!(schema.features(), features);
    (found, classes, features, names, notes.skipped)
}

/// Some 3 MiB of examples; `label` gives each its label.
fn text(kind: FormatKind, label: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..150_000 {
        let (a, b) = (i % 17, f64::from(i as u32 % 1000) / 8.0);
        match kind {
            FormatKind::LIBSVM => {
                writeln!(text, "{} {}:{b} {}:-2.5", label(i), a + 1, 30 + i / 1000).unwrap();
            }
            _ => writeln!(text, "{a},{b},-2.5,{}", label(i)).unwrap(),
        }
    }
    text
}

#[test]
fn fed_and_whole_are_the_same() {
    for kind in [FormatKind::LIBSVM, FormatKind::CSV] {
        // The label is spelt in a new way late in the file; one row is no row.
        let mut text = text(kind, |i| match i {
            0..140_000 => ["-1", "+1"][i % 2].to_owned(),
            _ => ["-1.0", "1"][i % 2].to_owned(),
        });
        let middle = text[1 << 21..].find('\n').unwrap() + (1 << 21) + 1;
        text.insert_str(middle, "1 x\n");
        for threads in [1, 2, 3] {
            let options = ReadOptions { on_error: OnError::Skip, ..options(kind, threads) };
            for positive in [None, Some("-1")] {
                let whole = read(source(&text), &options).unwrap();
                let (names, classes) = whole.classes(positive).unwrap();
                let rows = entries(0, &whole.rows);
                let expected = (rows, classes, whole.rows.features(), names, whole.notes.skipped);
                assert_eq!(expected.4, 1);
                let fed = all(batches(&text, &options, positive));
                assert!(fed == expected, "{kind:?}, {threads} threads, positive {positive:?}");
            }
        }
    }
}

#[test]
fn small_files_and_categories_are_whole() {
    let numbers = text(FormatKind::CSV, |i| (i % 2).to_string());
    let options = options(FormatKind::CSV, 2);
    let feed = TrainingInput::open(source(&numbers), &options, None, usize::MAX).unwrap();
    let TrainingInput::Whole(whole) = feed else { panic!("small") };
    assert_eq!(whole.rows.len(), 150_000);
    // The second column is text: how many features it gives is known at the end.
    let text: String = (0..300_000).map(|i| format!("1,c{},{}\n", i % 3, i % 2)).collect();
    let TrainingInput::Whole(whole) =
        TrainingInput::open(source(&text), &options, None, 0).unwrap()
    else {
        panic!("categories")
    };
    assert_eq!((whole.rows.len(), whole.rows.features()), (300_000, 4));
}

/// Sorted by class, a file is held until its second class comes; a third one that comes later is told.
#[test]
fn classes_that_come_late() {
    let options = options(FormatKind::LIBSVM, 2);
    let sorted = text(FormatKind::LIBSVM, |i| (i / 80_000).to_string());
    let (_, classes, _, names, _) = all(batches(&sorted, &options, None));
    assert_eq!(names.names(), ["0", "1"]);
    assert!(classes.iter().enumerate().all(|(i, &class)| class as usize == i / 80_000));
    let third = text(FormatKind::LIBSVM, |i| (if i < 149_000 { i % 2 } else { 2 }).to_string());
    let mut three = batches(&third, &options, None);
    let error = std::iter::from_fn(|| three.next()).find_map(Result::err);
    match error {
        Some(BatchError::NewClass { label, after, classes, .. }) => {
            assert_eq!((label.as_str(), classes.as_str()), ("2", "0, 1"));
            assert!((100_000..149_000).contains(&after), "{after}");
        }
        other => panic!("{other:?}"),
    }
    // With a positive class, any other label belongs to the rest.
    let (_, classes, _, names, _) = all(batches(&third, &options, Some("1")));
    let whole = read(source(&third), &options).unwrap();
    assert!((names, classes) == whole.classes(Some("1")).unwrap());
}

#[test]
fn a_fault_after_the_first_batches_has_its_line() {
    let text = text(FormatKind::LIBSVM, |i| (i % 2).to_string()) + "1 2:x\n";
    for threads in [1, 2, 3] {
        let mut batches = batches(&text, &options(FormatKind::LIBSVM, threads), None);
        match std::iter::from_fn(|| batches.next()).find_map(Result::err) {
            Some(BatchError::Read(ReadError::Data { line, column, .. })) => {
                assert_eq!((line, column), (150_001, 5));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// One class against a rest of labels that are all different: late in the file it comes as before, and what is learned
/// from is the same as of the whole file.
#[test]
fn a_rest_of_many_labels_is_fed() {
    let target = Some("4".to_owned());
    let options = ReadOptions { target, ..options(FormatKind::CSV, 2) };
    let label = |i: usize| if i % 1000 == 999 { "yes".to_owned() } else { format!("n{i}") };
    let text = text(FormatKind::CSV, label);
    let whole = read(source(&text), &options).unwrap();
    let (names, classes) = whole.classes(Some("yes")).unwrap();
    let expected = (entries(0, &whole.rows), classes, whole.rows.features(), names, 0);
    assert!(all(batches(&text, &options, Some("yes"))) == expected);
}

/// Two labels that are called like a class and its rest are two classes: a third one is told.
#[test]
fn a_label_called_not_is_no_rest() {
    let options = options(FormatKind::CSV, 1);
    let label = |i: usize| match i {
        149_000.. => "b".to_owned(),
        _ => ["a", "not a"][i % 2].to_owned(),
    };
    for positive in [None, Some("a")] {
        let text = text(FormatKind::CSV, label);
        let mut three = batches(&text, &options, positive);
        let error = std::iter::from_fn(|| three.next()).find_map(Result::err);
        assert!(matches!(error, Some(BatchError::NewClass { .. })), "{positive:?}");
    }
}
