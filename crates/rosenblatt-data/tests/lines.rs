//! ARFF and the lines of fastText: what is read is what the same table as CSV gives.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::io::Cursor;

use proptest::prelude::*;
use rosenblatt_data::{Dataset, FormatKind, ReadError, ReadOptions, Source, read};

fn read_as(text: &str, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Source::stream("data", Cursor::new(text.as_bytes().to_vec())).unwrap(), options)
}

fn csv() -> ReadOptions {
    ReadOptions { format: Some(FormatKind::CSV), ..ReadOptions::default() }
}

/// All that a model learns from.
fn content(data: &Dataset) -> String {
    let mut rows = Vec::new();
    for row in data.rows.iter() {
        let mut entries = Vec::new();
        row.for_each(|j, x| entries.push((j, x.to_bits())));
        rows.push(entries);
    }
    let classes = data.classes(None).map_err(|error| error.to_string());
    format!("{:?} {rows:?} {classes:?}", data.schema)
}

fn said(text: &str) -> String {
    read_as(text, &ReadOptions::default()).unwrap_err().to_string()
}

/// Why the only row without a label was left out.
fn passed_over(text: &str) -> String {
    let notes = read_as(text, &ReadOptions::default()).unwrap().notes;
    assert_eq!((notes.skipped, notes.no_examples), (1, 1));
    notes.first_skipped.unwrap()
}

const HEADER: &str = "% Weka's\n@relation 'a b'\n\n@ATTRIBUTE 'the age' numeric\n@attribute size {1,2, 'x y'}\n\
                      @attribute class {yes, no}\n@data\n";

#[test]
fn arff_is_a_table() {
    let text =
        HEADER.to_owned() + "% a comment\n31, 1, yes\n45.5,2,no\n 3e1 ,'x y',\"no\"\n\n2,1,yes\n";
    let found = read_as(&text, &ReadOptions::default()).unwrap();
    let table = "the age,size,class\n31,1,yes\n45.5,2,no\n3e1,x y,no\n2,1,yes\n";
    let options = ReadOptions { categorical: vec!["size".to_owned()], ..csv() };
    assert_eq!(content(&found), content(&read_as(table, &options).unwrap()));
    assert_eq!(found.notes.format_from_magic.as_deref(), Some("ARFF"));
    // A nominal label may be of numbers.
    let text = "@relation x\n@attribute a real\n@attribute class {0,1}\n@data\n1,0\n2,1\n";
    let found = read_as(text, &ReadOptions::default()).unwrap();
    assert_eq!(content(&found), content(&read_as("a,class\n1,0\n2,1\n", &csv()).unwrap()));
}

/// KEEL writes ranges beside types and names the label; comments may be long.
#[test]
fn arff_of_other_programs() {
    let text = "@relation x\n@attribute y integer[0,1]\n@attribute a real [0.5, 2]\n@inputs a\n@outputs y\n@data\n0,1.5\n1,2\n";
    let options = ReadOptions { target: Some("y".to_owned()), ..csv() };
    let table = content(&read_as("y,a\n0,1.5\n1,2\n", &options).unwrap());
    let comments = "% a line of a long comment\n".repeat(1000);
    for text in [text.to_owned(), comments + text] {
        assert_eq!(content(&read_as(&text, &ReadOptions::default()).unwrap()), table);
    }
}

#[test]
fn faults_of_arff_have_their_place() {
    for (rows, expected) in [
        (
            "{0 45, 3 no}\n",
            "8:8: `3` is no place of a value in a sparse row, which counts the 3 attributes from 0, in their order",
        ),
        (
            "{2 no, 0 45}\n",
            "8:8: `0` is no place of a value in a sparse row, which counts the 3 attributes from 0, in their order",
        ),
        ("{0 45, 2 no\n", "8:12: found ``, expected }"),
        ("{0 45}, {5}\n", "8:7: a weight after the last value; rows have no weights"),
        ("{0 45} 1\n", "8:7: found `1`, expected the end of the line"),
        ("31,1,yes,{5}\n", "8:10: a weight after the last value; rows have no weights"),
        ("31,1\n", "8:5: found 2 cells, expected 3 as in the first row"),
        ("31,1,yes,4\n", "8:10: found 4 cells, expected 3 as in the first row"),
        ("31,1,'yes\n", "8:6: this quote is never closed"),
        ("31,'1'2,yes\n", "8:7: text after the closing quote of the cell"),
    ] {
        assert_eq!(said(&(HEADER.to_owned() + rows)), format!("data:{expected}"), "{rows}");
    }
    let unlabelled = HEADER.to_owned() + "31,1,yes\n,2,no\n45,1,?\n";
    assert_eq!(passed_over(&unlabelled), "data:10:6: the label (column `class`) is empty");
    for (text, expected) in [
        (
            "@relation x\n@attribute a relational\n",
            "2:13: found `relational`, expected {values}, numeric, string or date",
        ),
        ("@relation x\n@attribute a real\n@attribute a real\n", "3:11: two columns are called `a`"),
        (
            "@relation x\n@attribute a real\n1,2\n",
            "3:1: found `1,2`, expected @relation, @attribute or @data",
        ),
    ] {
        assert_eq!(said(text), format!("data:{expected}"), "{text}");
    }
}

#[test]
fn lines_of_fasttext_are_labels_and_texts() {
    let text = "__label__spam buy  now, \"cheap\"\n__label__ham see you\n\n__label__spam buy\n";
    let found = read_as(text, &ReadOptions::default()).unwrap();
    let table = "label,text\nspam,\"buy  now, \"\"cheap\"\"\"\nham,see you\nspam,buy\n";
    let options =
        ReadOptions { target: Some("label".to_owned()), text: vec!["text".to_owned()], ..csv() };
    assert_eq!(content(&found), content(&read_as(table, &options).unwrap()));
    assert_eq!(
        said("__label__a x\n__label__a __label__b x\n"),
        "data:2:12: `__label__b` is a second label of the line, expected one"
    );
    let unlabelled = "__label__a x\nno label\n__label__b x\n";
    assert_eq!(passed_over(unlabelled), "data:2:1: the label (column `label`) is empty");
}

proptest! {
    #[test]
    fn drawn_arff_is_the_table_as_csv(
        rows in prop::collection::vec((
            prop::sample::select(vec!["0", "1", "2.5", "-3", "?"]),
            prop::sample::select(vec!["red", "blue", "'dark red'", "7"]),
            prop::sample::select(vec!["p", "q"]),
        ), 2..40),
    ) {
        let mut text = "@relation x\n@attribute a numeric\n@attribute b {red,blue,'dark red',7}\n\
                        @attribute class {p,q}\n@data\n".to_owned();
        let mut sparse = text.clone();
        let mut table = "a,b,class\n".to_owned();
        for (number, category, label) in rows {
            text += &format!("{number},{category},{label}\n");
            let cells = [("0", number), ("red", category), ("p", label)];
            let given = cells.iter().enumerate().filter(|(_, (absent, value))| absent != value);
            let given: Vec<_> = given.map(|(place, (_, value))| format!("{place} {value}")).collect();
            sparse += &format!("{{{}}}\n", given.join(", "));
            let number = if number == "?" { "" } else { number };
            table += &format!("{number},{},{label}\n", category.replace('\'', ""));
        }
        let options = ReadOptions { categorical: vec!["b".to_owned()], ..csv() };
        let outcome = |read: Result<Dataset, ReadError>| match read {
            Ok(data) => content(&data),
            Err(ReadError::Data { problem, .. }) => problem.to_string(),
            Err(error) => error.to_string(),
        };
        let expected = outcome(read_as(&table, &options));
        for text in [text, sparse] {
            prop_assert_eq!(outcome(read_as(&text, &ReadOptions::default())), expected.clone());
        }
    }
}
