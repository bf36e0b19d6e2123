//! The person's own file.

use crate::common::Lab;
use rosenblatt_core::data::Rows;
use rosenblatt_lab::{
    TableError,
    server::{Labels, Site, Table},
};
use serde_json::{Value, json};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn lab(table: Table) -> Lab {
    Lab::new(Site { table: Some(table), ..Site::default() })
}

fn json_of(lab: &Lab, path: &str) -> Value {
    serde_json::from_str(&lab.get(path).body).unwrap()
}

/// Three rows of three features in three classes, sparse: a 0 that is not stored is a 0.
fn small() -> Table {
    let rows = Rows::sparse(vec![0, 2, 2, 3], vec![0, 2, 1], vec![1.5, -2.0, 4.0], 3).unwrap();
    let labels =
        Labels { classes: names(&["a & b", "ö", "z"]), numbers: vec![0, 2, 1], positive: 1 };
    Table::new("x.csv".into(), &rows, names(&["u", "v", "w"]), labels).unwrap()
}

#[test]
fn without_a_file_there_is_none() {
    let lab = Lab::new(Site::default());
    assert_eq!((lab.get("/file").status, &*lab.get("/file").body), (204, ""));
    assert_eq!(
        lab.get("/file/points?x=0&y=0").error(),
        "404 the lab was started without a file (`rosenblatt lab DATA` shows a file of yours)"
    );
}

#[test]
fn a_file_is_described_and_two_columns_are_points() {
    let lab = lab(small());
    let about = json!({
        "name": "x.csv", "rows": 3, "shown": 3, "features": ["u", "v", "w"], "features_in_file": 3,
        "classes": ["a & b", "ö", "z"], "positive": "ö",
        // The third row alone has the class `ö`, and a number in column 1.
        "pairs": [{"x": 0, "y": 1, "errors": 0}, {"x": 1, "y": 2, "errors": 0}, {"x": 0, "y": 2, "errors": 1}],
    });
    assert_eq!(json_of(&lab, "/file"), about);
    let rows = json!([[1.5, -2.0], [0.0, 0.0], [0.0, 0.0]]);
    let points = |query: &str| json_of(&lab, &format!("/file/points?{query}"));
    assert_eq!(points("x=0&y=2"), json!({"rows": rows, "signs": [-1, -1, 1]}));
    assert_eq!(points("x=0&y=2&positive=a+%26%20b")["signs"], json!([1, -1, -1]));
    assert_eq!(points("x=0&y=2&positive=%C3%B6")["signs"], json!([-1, -1, 1]));
    assert_eq!(points("x=1&y=1")["rows"], json!([[0.0, 0.0], [0.0, 0.0], [4.0, 4.0]]));
}

#[test]
fn what_is_not_in_the_file_is_refused() {
    let lab = lab(small());
    let error = |query: &str| lab.get(&format!("/file/points{query}")).error();
    assert_eq!(error("?x=3&y=0"), "422 there is no column 3; there are 3, counted from 0");
    assert_eq!(error("?x=0&y=0&positive=%00"), "422 there is no class `\0`");
    for query in
        ["", "?", "?x=0", "?x=-1&y=0", "?x=1e3&y=0", "?x=99999999999999999999&y=0", "?x=%FF&y=0"]
    {
        assert!(error(query).starts_with("400 `"), "{query}");
    }
}

#[test]
fn of_many_rows_there_is_a_sample_with_every_class() {
    let count = 10_000;
    let values: Vec<f64> = (0..count).map(f64::from).collect();
    let rows = Rows::dense(values, 1).unwrap();
    let mut numbers = vec![0; count as usize];
    (numbers[77], numbers[9_999]) = (1, 2);
    let table = || {
        let labels =
            Labels { classes: names(&["a", "b", "c"]), numbers: numbers.clone(), positive: 0 };
        Table::new("x.csv".into(), &rows, names(&["u"]), labels).unwrap()
    };
    let lab = lab(table());
    let about = json_of(&lab, "/file");
    assert_eq!((&about["rows"], &about["shown"]), (&json!(10_000), &json!(Table::MOST_ROWS)));
    let points = json_of(&lab, "/file/points?x=0&y=0&positive=b");
    let shown: Vec<f64> =
        points["rows"].as_array().unwrap().iter().map(|row| row[0].as_f64().unwrap()).collect();
    assert!(shown.windows(2).all(|pair| pair[0] < pair[1]) && shown.len() == Table::MOST_ROWS);
    assert!(shown.contains(&77.0) && shown.contains(&9_999.0));
    // From all of the file, and the same each time.
    assert!((3_000.0..7_000.0).contains(&shown[1_000]));
    let again = self::lab(table());
    assert_eq!(json_of(&again, "/file/points?x=0&y=0&positive=b"), points);
}

#[test]
fn of_many_features_the_page_gets_the_frequent() {
    let features = 4_000_000;
    let indices: Vec<u32> = (0..3_000).map(|i| i * 1_000).chain([999, 1_000]).collect();
    let rows = Rows::sparse(vec![0, 3_000, 3_002], indices, vec![1.0; 3_002], features).unwrap();
    let all: Vec<String> = (0..features).map(|feature| feature.to_string()).collect();
    let labels = Labels { classes: names(&["a", "b"]), numbers: vec![0, 1], positive: 1 };
    let lab = lab(Table::new("x.svm".into(), &rows, all, labels).unwrap());
    let about = json_of(&lab, "/file");
    let shown = about["features"].as_array().unwrap();
    assert_eq!((shown.len(), &about["features_in_file"]), (Table::MOST_FEATURES, &json!(features)));
    assert_eq!((&shown[0], &shown[1], &shown[2]), (&json!("0"), &json!("999"), &json!("1000")));
    let points = json_of(&lab, "/file/points?x=2&y=1");
    assert_eq!(points, json!({"rows": [[1.0, 0.0], [1.0, 1.0]], "signs": [-1, 1]}));
}

#[test]
fn what_does_not_fit_together_is_no_table() {
    let rows = Rows::dense(vec![1.0, 2.0], 1).unwrap();
    let table = |names_: &[&str], classes: &[&str], numbers: &[u32], positive| {
        let labels = Labels { classes: names(classes), numbers: numbers.to_vec(), positive };
        Table::new("x".into(), &rows, names(names_), labels).map(drop)
    };
    assert_eq!(table(&["u"], &["a", "b"], &[0, 1], 1), Ok(()));
    let mismatches = [
        table(&[], &["a", "b"], &[0, 1], 1),
        table(&["u"], &["a", "b"], &[0], 1),
        table(&["u"], &["a", "b"], &[0, 2], 1),
        table(&["u"], &["a", "b"], &[0, 1], 2),
        table(&["u"], &[], &[0, 1], 0),
    ];
    let refused = |result: &Result<(), _>| matches!(result, Err(TableError::Mismatch { .. }));
    assert!(mismatches.iter().all(refused));
}
