//! Questions with a file, against what the reader of the command says and against columns worked by hand.
#![allow(clippy::unwrap_used)]

use rosenblatt_lab::{FileQuestion, answer};
use serde_json::{Value, json};

fn ask(question: Value) -> Value {
    let text = json!({ "file": question }).to_string();
    match answer(text.as_bytes(), &|| false) {
        Ok(answered) => serde_json::from_slice(&answered).unwrap(),
        Err(refusal) => serde_json::from_slice(&refusal.json()).unwrap(),
    }
}

fn error(question: Value) -> String {
    let answered = ask(question);
    let found = answered["error"].clone();
    assert!(found.is_object(), "{answered}");
    let hint = found["hint"].as_str().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("{}{hint}", found["message"].as_str().unwrap())
}

#[test]
fn a_table_is_read_with_names_columns_and_classes() {
    let text = "size,weight,kind\n1,2.5,cat\n-3,4e2,dog\n0.1,1,cat\n";
    assert_eq!(
        ask(json!({"name": "pets.csv", "text": text})),
        json!({
            "name": "pets.csv", "rows": 3, "shown": 3, "features": ["size", "weight"], "features_in_file": 2,
            "classes": ["cat", "dog"], "positive": "dog", "pairs": [{"x": 0, "y": 1, "errors": 0}],
            "columns": [[1.0, -3.0, 0.1], [2.5, 400.0, 1.0]], "numbers": [0, 1, 0],
            "label": "kind", "notes": [],
        })
    );
}

/// What was decided without being asked is told, in the words of the command.
#[test]
fn what_was_found_out_is_told() {
    let text = "default;height;width\nyes;1,5;2\nno;2,5;\nyes;3,5;4\nno;1;2\n";
    let table = ask(json!({"name": "loans.csv", "text": text}));
    assert_eq!(table["label"], "default", "{table}");
    assert_eq!(table["columns"], json!([[1.5, 2.5, 3.5, 1.0], [2.0, 2.0, 4.0, 2.0]]));
    let notes: Vec<&str> =
        table["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect();
    assert!(notes.contains(&"filled 1 missing cell of `width` with the median"), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("the label is `default`")), "{notes:?}");
}

/// The points of one feature lie on a line.
#[test]
fn one_feature_has_a_second_column_of_zeros() {
    let table = ask(json!({"name": "one.csv", "text": "x,kind\n1,a\n2,b\n4,b\n"}));
    assert_eq!((&table["features"], &table["features_in_file"]), (&json!(["x", "0"]), &json!(1)));
    assert_eq!(table["columns"], json!([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0]]));
    assert_eq!(table["pairs"], json!([{"x": 0, "y": 1, "errors": 0}]));
}

/// Every format of text gives the same table.
#[test]
fn the_ending_or_the_content_chooses_the_format() {
    let same = [
        ("a.csv", "1,2,kind\n5,0,1\n0,7,2\n"),
        ("a", "1,2,kind\n5,0,1\n0,7,2\n"),
        ("a.TSV", "1\t2\tkind\n5\t0\t1\n0\t7\t2\n"),
        ("a.libsvm", "1 1:5\n2 2:7\n"),
        ("a.txt", "1 1:5\n2 2:7\n"),
        (
            "a.json",
            "[{\"1\": 5, \"2\": 0, \"kind\": \"1\"}, {\"1\": 0, \"2\": 7, \"kind\": \"2\"}]",
        ),
        // No format of bytes comes into question, whatever the name says.
        ("a.parquet", "1,2,kind\n5,0,1\n0,7,2\n"),
    ];
    for (name, text) in same {
        let mut question = json!({"name": name, "text": text});
        // Only a table in text has a first row that may or may not have names.
        if text.starts_with("1,2") || text.starts_with("1\t2") {
            question["header"] = json!(true);
        }
        let table = ask(question);
        assert_eq!(table["features"], json!(["1", "2"]), "{name}: {table}");
        assert_eq!(table["columns"], json!([[5.0, 0.0], [0.0, 7.0]]), "{name}");
        assert_eq!(table["classes"], json!(["1", "2"]), "{name}");
    }
}

#[test]
fn options_choose_the_labels_the_header_and_the_class() {
    let text = "1,a,2\n3,b,4\n5,c,6\n";
    let table =
        ask(json!({"name": "x.csv", "text": text, "header": false, "label": "2", "positive": "c"}));
    assert_eq!(table["features"], json!(["1", "3"]));
    assert_eq!((&table["positive"], &table["numbers"]), (&json!("c"), &json!([0, 1, 2])));
    let table = ask(json!({"name": "x.csv", "text": text, "header": false, "label": "2"}));
    assert_eq!(table["positive"], "a");
}

/// Every pair of columns separates Iris setosa. The petals, columns 2 and 3, tell Iris versicolor best.
#[test]
fn the_pair_that_separates_best_is_first() {
    let text = include_str!("../../../data/iris.csv");
    let table = ask(json!({"name": "iris.csv", "text": text, "positive": "Iris-setosa"}));
    assert_eq!(table["pairs"][0]["errors"], 0);
    assert_eq!(table["pairs"].as_array().unwrap().len(), 6);
    let errors = |pair: &Value| pair["errors"].as_u64().unwrap();
    assert!(table["pairs"].as_array().unwrap().is_sorted_by_key(errors));
    assert!(table["pairs"].as_array().unwrap().iter().all(|pair| errors(pair) == 0));
    let versicolor = ask(json!({"name": "iris.csv", "text": text, "positive": "Iris-versicolor"}));
    let best = &versicolor["pairs"][0];
    assert_eq!((&best["x"], &best["y"]), (&json!(2), &json!(3)));
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_place() {
    let file = |name: &str, text: &str| error(json!({"name": name, "text": text}));
    assert_eq!(
        file("r.csv", "x,y,kind\n1,2,a\n1,b\n"),
        "r.csv:3:4: found 2 cells, expected 3 as in the first row \
         (each line needs as many cells as the first; remove the others)"
    );
    assert_eq!(
        file("h.csv", "1,2,a\n3,4,b\n"),
        "h.csv:1:1: the column name `1` is a number \
         (read the file without a header if its first line is an example)"
    );
    assert_eq!(
        file("one.csv", "x,kind\n1,a\n2,a\n"),
        "all 2 examples have the label `a`: there is nothing to separate"
    );
    let question = json!({"name": "x.csv", "text": "x,kind\n1,a\n2,b\n", "label": "color"});
    assert_eq!(
        error(question),
        "x.csv: no column `color`; the columns are x, kind (choose the column that holds the classes)"
    );
    let long = "x".repeat(FileQuestion::MOST_BYTES + 1);
    assert!(file("long.csv", &long).starts_with("bytes of the file: 8388609, at most 8388608"));
}

/// In Latin-1 `Müll` and `Möll` are two classes; as replacement characters they would be one.
#[test]
fn bytes_are_read_in_their_encoding_or_are_an_error_with_its_place() {
    // "x,y,kind\n1,2,Müll\n3,4,Möll\n", where ü is fc and ö is f6.
    let latin1 = json!({"base64": "eCx5LGtpbmQKMSwyLE38bGwKMyw0LE32bGwK"});
    assert_eq!(
        error(json!({"name": "waste.csv", "text": latin1})),
        "waste.csv:2:5: `M\u{fffd}ll` is not UTF-8 \
         (the encoding “Latin-1” reads text of older Windows programs)"
    );
    let table = ask(json!({"name": "waste.csv", "text": latin1, "encoding": "latin1"}));
    assert_eq!(table["classes"], json!(["Möll", "Müll"]));
    // "x,y\n1,a\n2,b\n" in UTF-16 with a byte order mark.
    let utf16 = json!({"base64": "//54ACwAeQAKADEALABhAAoAMgAsAGIACgA="});
    for question in [
        json!({"name": "u.csv", "text": utf16}),
        json!({"name": "u.csv", "text": utf16, "encoding": "utf-16"}),
    ] {
        assert_eq!(ask(question)["columns"], json!([[1.0, 2.0], [0.0, 0.0]]));
    }
    // The same bytes as a text and in base64 are the same table.
    let text = ask(json!({"name": "t.csv", "text": "x,y\n1,ä\n2,b\n"}));
    let bytes = ask(json!({"name": "t.csv", "text": {"base64": "eCx5CjEsw6QKMixiCg=="}}));
    assert_eq!(text, bytes);
    assert_eq!(text["classes"], json!(["b", "ä"]));
    let bad = error(json!({"name": "t.csv", "text": {"base64": "eC"}}));
    assert!(bad.starts_with("text.base64: "), "{bad}");
    let bad = error(json!({"name": "t.csv", "text": 3}));
    assert!(bad.starts_with("file.text: expected a text"), "{bad}");
}

/// A page asks for columns and not for all values: a wide file keeps the columns that are not 0 in the most rows.
#[test]
fn a_wide_file_keeps_as_many_columns_as_a_page_takes() {
    let line = |label: &str, from: usize| {
        let entries: String = (from..from + 1_500).map(|index| format!(" {index}:1")).collect();
        format!("{label}{entries}\n")
    };
    let text = line("1", 1) + &line("-1", 501);
    let table = ask(json!({"name": "wide.svm", "text": text}));
    assert_eq!(table["features_in_file"], 2_000);
    assert_eq!(table["features"].as_array().unwrap().len(), 1_000);
    assert_eq!(table["features"][0], "501");
}
