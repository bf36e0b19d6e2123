//! Pictures: that they are made, of which kind, and that they show what they should.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data, root};

fn desk() -> Desk {
    let desk =
        Desk::with(&[("iris.csv", &own_data("iris.csv")), ("and.csv", &own_data("and.csv"))]);
    desk.succeed("train iris.csv --positive Iris-setosa --scale standard -o iris.model");
    desk.succeed("train and.csv --order given -o and.model");
    desk
}

fn svg(desk: &Desk, line: &str) -> String {
    desk.succeed(&format!("plot {line} -o picture.svg"));
    String::from_utf8(desk.read("picture.svg")).unwrap()
}

#[test]
fn two_features_make_a_plane() {
    let picture = svg(&desk(), "and.csv and.model");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    for text in ["and.csv: 4 examples", "separator", "nearest example", "x1", "x2"] {
        assert!(picture.contains(text), "{text}");
    }
}

#[test]
fn more_features_make_a_curve_and_bars_or_a_chosen_plane() {
    let desk = desk();
    let default = svg(&desk, "iris.csv iris.model");
    assert!(default.contains("mistakes per epoch") && default.contains("petal_length"));
    let plane = svg(&desk, "iris.csv iris.model --x petal_length --y petal_width");
    assert!(plane.contains("the other features are at their means"));
    let all = svg(&desk, "and.csv and.model --panels boundary,curve,weights");
    assert!(
        all.contains("separator") && all.contains("mistakes per epoch") && all.contains("weight")
    );
}

/// The README's picture is what the commands beside it draw. `UPDATE_PICTURES=1` draws it anew.
#[test]
fn the_picture_of_the_readme_is_current() {
    let desk = desk();
    desk.succeed(
        "train iris.csv --positive Iris-setosa --features petal_length,petal_width -o setosa.model",
    );
    let drawn = svg(&desk, "iris.csv setosa.model");
    let kept = root().join("docs/images/setosa.svg");
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::write(&kept, &drawn).unwrap();
    }
    assert!(drawn == std::fs::read_to_string(kept).unwrap(), "the picture is out of date");
}

#[test]
fn examples_alone_need_no_model() {
    let picture = svg(&desk(), "iris.csv --positive Iris-setosa --x sepal_length --y petal_width");
    assert!(picture.contains("not Iris-setosa") && !picture.contains("separator"));
}

#[test]
fn the_ending_decides_the_kind() {
    let desk = desk();
    desk.succeed("plot and.csv and.model -o picture.PNG");
    assert!(desk.read("picture.PNG").starts_with(b"\x89PNG\r\n\x1a\n"));
}
