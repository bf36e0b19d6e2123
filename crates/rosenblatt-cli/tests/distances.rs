//! Distances from the hyperplane: `predict --distances` and `--margins`, `plot --distances` and `--foot`.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};

const BY_HAND: &str =
    "--order given --init zero --bias unit --mistake margin --keep last --scale none";

/// AND by hand ends at w = (3, 2), b = −4 (docs/lectures/varner.md).
fn desk() -> Desk {
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("iris.csv", &own_data("iris.csv")),
        ("line.csv", &own_data("lectures/line.csv")),
    ]);
    desk.succeed(&format!("train and.csv {BY_HAND} -o and.model"));
    desk
}

fn numbers(line: &str) -> Vec<f64> {
    line.split('\t').skip(1).map(|cell| cell.parse().unwrap()).collect()
}

/// The scores −4, −2, −1 and 1 over ‖w‖ = √13; every margin is positive, as the run converged.
#[test]
fn the_distances_and_margins_of_and_by_hand() {
    let desk = desk();
    let lines = desk.succeed("predict and.model and.csv --scores --distances --margins");
    let root = 13.0f64.sqrt();
    let found: Vec<Vec<f64>> = lines.lines().map(numbers).collect();
    let expected = [-4.0, -2.0, -1.0, 1.0].map(|s: f64| vec![s, s / root, s.abs(), s.abs() / root]);
    assert_eq!(found, expected);
    let csv = desk.succeed("predict and.model and.csv --distances --margins --output-format csv");
    let header = "label,score,distance,functional_margin,geometric_margin";
    assert_eq!(csv.lines().next(), Some(header));
    let json = desk.succeed("predict and.model and.csv --margins --output-format json");
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["functional_margin"], 4.0);
    assert_eq!(first["geometric_margin"], 4.0 / root);
    assert_eq!(first.get("distance"), None);
    assert_eq!(
        desk.succeed("predict and.model and.csv --distances").lines().next(),
        Some("-1\t-1.1094003924504583")
    );
}

/// (0, 1) is on the wrong side where its label is 1, and on the line a margin is 0, not −0.
#[test]
fn a_margin_is_negative_on_the_wrong_side() {
    let desk = desk();
    desk.write("new.csv", "x1,x2,y\n0,1,1\n2,-1,-1\n");
    let lines = desk.succeed("predict and.model new.csv --margins");
    let root = 13.0f64.sqrt();
    assert_eq!(lines, format!("-1\t-2.0\t{:?}\n1\t0.0\t0.0\n", -2.0 / root));
}

/// A model that scales has the distances of its line in the file's units: √Σ(weight of `show`)² divides the score.
#[test]
fn distances_are_in_the_units_of_the_file() {
    let desk = desk();
    let features = "--features petal_length,petal_width";
    desk.succeed(&format!("train iris.csv --positive Iris-setosa {features} -o iris.model"));
    let shown: serde_json::Value =
        serde_json::from_str(&desk.succeed("show iris.model --json")).unwrap();
    assert_eq!(shown["scaling"]["scale"], "auto", "{shown}");
    let csv = desk.succeed("predict iris.model iris.csv --distances --margins --output-format csv");
    // A step of 1 along the normal changes the distance by 1: the finite differences of the distance are w/‖w‖.
    desk.write("steps.csv", "petal_length,petal_width\n0,0\n1,0\n0,1\n");
    let steps = desk.succeed("predict iris.model steps.csv --distances");
    let steps: Vec<f64> = steps.lines().map(|line| numbers(line)[0]).collect();
    let (along, up) = (steps[1] - steps[0], steps[2] - steps[0]);
    assert!((along.hypot(up) - 1.0).abs() < 1e-12, "{along} {up}");
    // Without errors, the smallest geometric margin is what the picture calls its room.
    let margins = csv.lines().skip(1).map(|line| line.split(',').nth(4).unwrap().parse().unwrap());
    let least = margins.fold(f64::INFINITY, f64::min);
    desk.succeed("plot iris.csv iris.model -o iris.svg");
    let picture = String::from_utf8(desk.read("iris.svg")).unwrap();
    assert!(picture.contains(&format!("{least:.7}")), "{least}");
}

#[test]
fn models_without_one_hyperplane_and_rows_without_labels_are_refused() {
    let desk = desk();
    desk.succeed("train iris.csv -o three.model");
    desk.succeed("train and.csv --kernel poly:2 -o kernel.model");
    desk.succeed("train and.csv --keep vote --epochs 2 -o vote.model");
    desk.succeed("train and.csv --normalise l2 -o normalised.model");
    desk.write("new.csv", "x1,x2\n1,2\n");
    desk.write("odd.csv", "x1,x2,y\n1,2,maybe\n");
    for (line, problem, hint) in [
        ("predict three.model iris.csv --distances", "a model of 3 classes", "--positive"),
        ("predict kernel.model and.csv --margins", "--margins: only a linear model", "--kernel"),
        ("predict vote.model and.csv --distances", "not a vote", "--keep vote"),
        ("predict normalised.model and.csv --distances", "normalises each row", "--normalise"),
        ("predict and.model new.csv --margins", "no column `y`", "`--distances` needs none"),
        ("predict and.model odd.csv --margins", "odd.csv:2:5: the label `maybe`", "--margins"),
        ("plot iris.csv three.model --distances -o a.svg", "this one has 4", "--features"),
        ("plot and.csv kernel.model --foot 1 -o a.svg", "--foot needs one hyperplane", "--kernel"),
        ("plot and.csv and.model --foot 5 -o a.svg", "--foot 5: the data has 4 examples", "1 to 4"),
        ("plot and.csv and.model --foot 0 -o a.svg", "--foot 0", "1 to 4"),
        (
            "plot and.csv and.model --distances --panels curve -o a.svg",
            "the panel `boundary`",
            "--panels",
        ),
        ("plot and.csv --distances -o a.svg", "<MODEL>", "plot"),
    ] {
        let done = desk.run(line);
        assert_eq!(done.code, 2, "{line}: {}", done.stderr);
        assert!(
            done.stderr.contains(problem) && done.stderr.contains(hint),
            "{line}: {}",
            done.stderr
        );
    }
    // Distances alone need no labels.
    desk.succeed("predict and.model new.csv --distances");
}

/// |b|/‖w‖ = 4/√13; (1, 1) has the score 1, so d = 1/√13 and x₀ = (1, 1) − (3, 2)/13 = (10/13, 11/13).
#[test]
fn a_plane_shows_the_origin_and_a_foot() {
    let desk = desk();
    desk.succeed("plot and.csv and.model --distances --foot 4 -o and.svg");
    let picture = String::from_utf8(desk.read("and.svg")).unwrap();
    for text in ["origin", "|b|/‖w‖ = 1.109", "example 4", "d = 0.2774", "x₀ = (0.7692, 0.8462)"]
    {
        assert!(picture.contains(text), "{text}");
    }
    desk.succeed("plot and.csv and.model -o plain.svg");
    let plain = String::from_utf8(desk.read("plain.svg")).unwrap();
    assert!(!plain.contains("origin") && !plain.contains("x₀"));
    // The origin comes into the view of examples that are away from it.
    let shows_0 = || {
        let picture = String::from_utf8(desk.read("far.svg")).unwrap();
        picture.lines().any(|line| line == "0")
    };
    desk.write("far.csv", "x1,x2,y\n9,10,-1\n12,13,1\n");
    desk.succeed("plot far.csv and.model -o far.svg");
    assert!(!shows_0());
    desk.succeed("plot far.csv and.model --distances -o far.svg");
    assert!(shows_0());
}

/// Steps of R² = 9 on 1 (−1) and 3 (+1) end at w = 3, b = −9 (docs/lectures/shalizi.md): the threshold is 3, 2 from the
/// first example, which is on its side.
#[test]
fn one_feature_has_a_number_line() {
    let desk = desk();
    let shalizi = "--order given --bias radius --mistake label --keep last --scale none";
    desk.succeed(&format!("train line.csv {shalizi} -o line.model"));
    let done = desk.run("plot line.csv line.model --distances --foot 1 -o line.svg");
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let picture = String::from_utf8(desk.read("line.svg")).unwrap();
    for text in
        ["−b/w = 3", "|b|/‖w‖ = 3", "example 1", "d = 2", "x₀ = 3", "misclassifies none of 2"]
    {
        assert!(picture.contains(text), "{text}");
    }
    desk.succeed("plot line.csv -o data.svg");
    assert!(String::from_utf8(desk.read("data.svg")).unwrap().contains("2 examples of 2 classes"));
    desk.succeed("train line.csv --kernel rbf:1 -o kernel.model");
    desk.succeed("plot line.csv kernel.model -o kernel.svg");
    assert!(String::from_utf8(desk.read("kernel.svg")).unwrap().contains("the larger the score"));
}
