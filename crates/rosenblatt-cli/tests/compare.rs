//! `compare`: two models on the same rows.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::{Value, json};

/// Eight rows: the first model is right in 1 to 5, the second in 2, 3 and 6 to 8.
fn desk() -> Desk {
    let desk = Desk::new();
    let rows = |first: &str| -> String {
        let cell = |i: usize| if first.as_bytes()[i] == b'+' { 1 } else { -1 };
        (0..8).map(|i| format!("{},p\n", cell(i))).collect()
    };
    let train = |name: &str, column: &str| {
        desk.write("train.csv", format!("{column},label\n2,p\n1,p\n-1,n\n-2,n\n"));
        desk.succeed(&format!("train train.csv --no-folds -q -o {name}"));
    };
    train("one.model", "a");
    train("two.model", "b");
    let (a, b) = (rows("+++++---"), rows("-++--+++"));
    let both = a.lines().zip(b.lines()).map(|(a, b)| format!("{},{b}\n", &a[..a.len() - 2]));
    desk.write("test.csv", "a,b,label\n".to_owned() + &both.collect::<String>());
    desk
}

#[test]
fn each_row_is_of_one_kind() {
    let desk = desk();
    let said = desk.succeed("compare one.model two.model test.csv --json");
    let found: Value = serde_json::from_str(&said).unwrap();
    let of = |key: &str| found[key].clone();
    let counts = ["both", "only_first", "only_second", "neither"].map(of);
    assert_eq!(counts, [2, 3, 3, 0].map(|n| json!(n)));
    assert_eq!(
        (of("only_first_rows"), of("only_second_rows")),
        (json!([1, 4, 5]), json!([6, 7, 8]))
    );
    assert_eq!((of("difference"), of("p_value")), (json!(0.0), json!(1.0)));
    insta::assert_snapshot!(desk.succeed("compare one.model two.model test.csv"));
}

#[test]
fn models_of_other_labels_are_refused() {
    let desk = desk();
    desk.write("iris.csv", own_data("iris.csv"));
    desk.succeed("train iris.csv --no-folds -q -o iris.model");
    assert_eq!(desk.run("compare one.model iris.model test.csv").code, 2);
    assert_eq!(desk.run("compare one.model two.model -").code, 2);
}
