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
    for text in [
        "to spare on each side",
        "and.csv; average of all weights",
        "ringed",
        "w·x + b = 0",
        "x1",
        "x2",
    ] {
        assert!(picture.contains(text), "{text}");
    }
}

#[test]
fn more_features_make_a_curve_and_bars_or_a_chosen_plane() {
    let desk = desk();
    let default = svg(&desk, "iris.csv iris.model");
    assert!(default.contains("mistakes made while learning") && default.contains("petal_length"));
    let plane = svg(&desk, "iris.csv iris.model --x petal_length --y petal_width");
    assert!(plane.contains("the other features are at their means"));
    let all = svg(&desk, "and.csv and.model --panels boundary,curve,weights");
    assert!(
        all.contains("w·x + b = 0")
            && all.contains("mistakes made while learning")
            && all.contains("speaks most for 1")
    );
}

/// The picture of `docs/explanation/perceptron.md` is what its commands draw, on every platform. `UPDATE_PICTURES=1` draws it again.
#[test]
fn the_picture_of_a_separator_is_current() {
    let desk = desk();
    let features = "--features petal_length,petal_width";
    desk.succeed(&format!(
        "train iris.csv --positive Iris-setosa {features} --update margin:1 -o setosa.model"
    ));
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
    assert!(picture.contains("150 examples of 2 classes"));
    assert!(picture.contains("not Iris-setosa, −1") && !picture.contains("w·x"));
}

#[test]
fn the_ending_decides_the_kind() {
    let desk = desk();
    desk.succeed("plot and.csv and.model -o picture.PNG");
    assert!(desk.read("picture.PNG").starts_with(b"\x89PNG\r\n\x1a\n"));
}

/// The colours of the first three classes.
const MARKS_OF_THREE: [&str; 3] = ["#B85015", "#105896", "#00785E"];

#[test]
fn several_classes_have_regions_and_marks() {
    let desk = desk();
    desk.succeed("train iris.csv --ignore sepal_length,sepal_width --epochs 20 -o three.model");
    let picture = svg(&desk, "iris.csv three.model");
    for text in ["Iris-setosa", "Iris-versicolor", "Iris-virginica", "misclassifies"] {
        assert!(picture.contains(text), "{text}");
    }
    assert!(MARKS_OF_THREE.iter().all(|colour| picture.contains(colour)));
    assert!(picture.contains("<polygon") && picture.len() < 300_000);
    let alone = svg(&desk, "iris.csv --x petal_length --y petal_width");
    assert!(alone.contains("Iris-virginica") && !alone.contains("misclassifies"));
    let weights = svg(&desk, "iris.csv three.model --panels weights");
    assert!(weights.contains("6 weights of 3 classes"));
    assert!(
        weights.contains("Iris-virginica: petal_width") && weights.contains("towards the rest")
    );
}

#[test]
fn the_boundary_of_xor_passes_between_its_points() {
    let desk = Desk::with(&[("xor.csv", &own_data("xor.csv"))]);
    desk.succeed("train xor.csv --kernel poly:2 -o xor.model");
    let picture = svg(&desk, "xor.csv xor.model");
    assert!(
        picture.contains("the larger the score")
            && picture.contains("misclassifies none of 4 examples")
    );
    // Two branches.
    assert_eq!(picture.matches("<polyline").count(), 2);
    assert!(picture.len() < 300_000);
}

#[test]
fn kernel_and_voted_models_choose_the_panels_that_they_have() {
    let desk = desk();
    desk.succeed("train iris.csv --kernel rbf:1 -o kernel.model");
    desk.succeed("train iris.csv --keep vote --epochs 3 -o voted.model");
    for model in ["kernel.model", "voted.model"] {
        let done = desk.run(&format!("plot iris.csv {model} -o picture.svg"));
        assert_eq!((done.code, done.stdout.as_str()), (0, ""));
        assert!(done.stderr.contains("4 features, so no boundary is drawn"));
        let curve = String::from_utf8(desk.read("picture.svg")).unwrap();
        assert!(curve.contains("mistakes made while learning") && !curve.contains("towards"));
        let plane = svg(&desk, &format!("iris.csv {model} --x petal_length --y petal_width"));
        assert!(plane.contains("the other features are at their means"));
    }
}

#[test]
fn tallies_of_a_voted_model_have_pictures_of_their_own() {
    let desk = Desk::with(&[("xor.csv", &own_data("xor.csv"))]);
    desk.succeed("train xor.csv --keep vote --epochs 5 --kernel poly:2 -o voted.model");
    let vote = svg(&desk, "xor.csv voted.model --by vote");
    assert_eq!(vote, svg(&desk, "xor.csv voted.model"));
    assert!(!vote.contains("the darker"));
    assert!(svg(&desk, "xor.csv voted.model --by average").contains("the darker"));
}

#[test]
fn odd_data_are_drawn() {
    let tables = [
        "a,b,y\n1,5,p\n2,5,q\n",
        "a,b,y\n1,1,p\n1,1,q\n",
        "a,b,y\n1e150,1,p\n-1e150,2,q\n",
        "a,b,y\n1e-300,1,p\n-1e-300,2,q\n0,0,r\n",
        "a,b,y\n1e15,1,p\n1000000000000001,2,q\n",
    ];
    for table in tables {
        let desk = Desk::with(&[("odd.csv", table)]);
        for options in ["", "--kernel poly:2", "--kernel rbf:1", "--keep vote", "--scale minmax"] {
            let train = desk.run(&format!("train odd.csv {options} --epochs 5 -o odd.model"));
            assert!([0, 2].contains(&train.code), "{table:?} {options}: {}", train.stderr);
            if train.code == 0 {
                let picture = svg(&desk, "odd.csv odd.model --x a --y b");
                assert!(!picture.contains("NaN") && picture.len() < 300_000, "{table:?} {options}");
                desk.succeed("plot odd.csv odd.model --x a --y b -o picture.png");
            }
        }
    }
}

#[test]
fn views_too_large_for_a_kernel_are_drawn_without_regions() {
    let huge = "x1,x2,y\n1e200,1,1\n-1e200,2,-1\n";
    let desk = Desk::with(&[("xor.csv", &own_data("xor.csv")), ("huge.csv", huge)]);
    for options in ["--kernel poly:2", "--kernel rbf:1", "--kernel poly:2 --keep vote"] {
        desk.succeed(&format!("train xor.csv {options} --epochs 5 -o xor.model"));
        let picture = svg(&desk, "huge.csv xor.model");
        assert!(picture.contains("no regions are drawn"), "{options}");
    }
    let three = "x1,x2,y\n1.7e308,1,a\n-1.7e308,2,b\n3,4,c\n";
    desk.write("three.csv", three);
    desk.succeed("train three.csv --scale maxabs --epochs 5 -o three.model");
    assert!(!svg(&desk, "three.csv three.model").contains("NaN"));
}

/// Six rows whose scores rise with x: a fraud at 4 and one at 2, beside which an ok row scores the same; other ok rows at 3, 1 and 0.
/// AUC: of 4 · 2 pairs, the fraud at 4 wins 4, that at 2 wins 2 and ties 1: 6.5 / 8. Average precision: 1 / 2 · 1 / 1 + 1 / 2 · 2 / 4.
const RANKED: &str = "x,y\n4,fraud\n3,ok\n2,fraud\n2,ok\n1,ok\n0,ok\n";

/// Fraud is reported, though the weights are positive for ok.
#[test]
fn curves_have_the_areas_and_the_labels_of_the_model() {
    let train = "x,y\n0,ok\n1,ok\n2,ok\n5,fraud\n6,fraud\n";
    let desk = Desk::with(&[("train.csv", train), ("ranked.csv", RANKED)]);
    desk.succeed("train train.csv --scale none -q -o m.model");
    let picture = svg(&desk, "ranked.csv m.model --curves");
    let judged = desk.report("evaluate m.model ranked.csv");
    assert_eq!((&judged["positive"], &judged["reported"]), (&"ok".into(), &"fraud".into()));
    assert_eq!(judged["auc"], 0.8125);
    let of_fraud =
        judged["per_class"].as_array().unwrap().iter().find(|one| one["class"] == "fraud").unwrap();
    assert_eq!(of_fraud["average_precision"], 0.75);
    let rate = |key: &str| format!("{key} {:.1}%", 100.0 * of_fraud[key].as_f64().unwrap());
    for text in [
        "AUC 0.8125 on 6 examples",
        "Average precision 0.7500 on 6 examples",
        "ranked.csv; 2 of 6 are fraud",
        "share of ok predicted fraud",
        "chance: 33.3% are fraud",
        &rate("precision"),
        &rate("recall"),
    ] {
        assert!(picture.contains(text), "{text}");
    }
    assert!(!picture.contains("may be the training examples"));
    let known = svg(&desk, "train.csv m.model --panels roc");
    assert!(known.contains("2 of 5 are fraud; these may be the training examples"));
    assert!(!known.contains("Average precision"));
    let both = svg(&desk, "ranked.csv m.model --panels roc,precision-recall");
    assert_eq!(both, picture);
}

#[test]
fn curves_need_a_model_and_rows_of_two_classes() {
    let desk = desk();
    desk.write("fraud.csv", "x,y\n4,fraud\n3,fraud\n");
    desk.write("ranked.csv", RANKED);
    desk.succeed("train ranked.csv -q -o ranked.model");
    desk.succeed("train iris.csv -q -o three.model");
    for (line, problem) in [
        ("iris.csv three.model --curves", "curves are for two classes, the model has 3"),
        ("ranked.csv --curves", "the ROC curve cannot be drawn without a model"),
        ("fraud.csv ranked.model --curves", "every row is labeled fraud, so there is no curve"),
        ("ranked.csv ranked.model --curves --panels weights", "cannot be used with"),
    ] {
        let done = desk.run(&format!("plot {line} -o a.svg"));
        assert!(done.code == 2 && done.stderr.contains(problem), "{line}: {}", done.stderr);
    }
    // What the hint for several classes proposes.
    desk.succeed("train iris.csv --positive Iris-versicolor -q -o one.model");
    assert!(svg(&desk, "iris.csv one.model --curves").contains("50 of 150 are Iris-versicolor"));
    desk.succeed("train and.csv --keep vote --epochs 3 -q -o vote.model");
    svg(&desk, "and.csv vote.model --curves --by last");
}
