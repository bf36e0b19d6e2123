//! The nearest class mean as a hyperplane: its weights, and its line in the plane.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::Value;

fn desk() -> Desk {
    let desk =
        Desk::with(&[("and.csv", &own_data("and.csv")), ("iris.csv", &own_data("iris.csv"))]);
    desk.succeed("train and.csv --order given --keep last --scale none -o and.model");
    desk.write("moved.csv", "x1,x2,y\n1,1,-1\n1,2,-1\n2,1,-1\n2,2,1\n");
    desk.succeed("train moved.csv -o scaled.model");
    desk.succeed("train iris.csv --epochs 5 -o iris.model");
    desk
}

/// For AND, c₊ = (1, 1) and c₋ = (⅓, ⅓), so w = c₊ − c₋ = (⅔, ⅔) and b = (‖c₋‖² − ‖c₊‖²)/2 = −8/9.
#[test]
fn the_weights_of_the_nearest_class_mean() {
    let desk = desk();
    let prototype = |line: &str| {
        let text = desk.succeed(&format!("evaluate {line} --baseline --json"));
        serde_json::from_str::<Value>(&text).unwrap()["baseline"]["prototype"].clone()
    };
    let near = |value: &Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() < 1e-15;
    let and = prototype("and.model and.csv");
    assert!((0..2).all(|j| near(&and["weights"][j], 2.0 / 3.0)), "{and}");
    assert!(near(&and["bias"], -8.0 / 9.0), "{and}");
    assert_eq!(prototype("iris.model iris.csv"), Value::Null);
    // The standard deviation of 1, 1, 2, 2 is ½ and the mean 3/2. Of scaled features c₊ = (1, 1), c₋ = (−⅓, −⅓): w = (4/3,
    // 4/3), b = −8/9; in the units of the file w = (8/3, 8/3) and b = −8/9 − 8/3·3 = −80/9.
    let scaled = prototype("scaled.model moved.csv");
    assert!((0..2).all(|j| near(&scaled["weights"][j], 8.0 / 3.0)), "{scaled}");
    assert!(near(&scaled["bias"], -80.0 / 9.0), "{scaled}");
    let text = desk.succeed("evaluate and.model and.csv --baseline");
    assert!(text.contains("its weights: x1 0.6667, x2 0.6667; bias -0.8889"), "{text}");
}

/// The line x₁ + x₂ = 4/3 is not that of the model, 3x₁ + 2x₂ = 4.
#[test]
fn the_line_of_the_nearest_class_mean() {
    let desk = desk();
    desk.succeed("plot and.csv and.model -o model.svg");
    desk.succeed("plot and.csv and.model --baseline -o means.svg");
    assert_ne!(desk.read("model.svg"), desk.read("means.svg"));
    let done =
        desk.run("plot iris.csv iris.model --x petal_length --y petal_width --baseline -o a.svg");
    assert_eq!(done.code, 2);
    let error = "error: the nearest class mean has one line only with two classes, and only if the model has the \
                 means of its classes\nhint: `--positive LABEL` of `train` makes two classes of more\n";
    assert_eq!(done.stderr, error);
    assert_eq!(desk.run("plot and.csv --baseline -o b.svg").code, 2);
}
