//! Models for other programs, and what is said where one cannot be made.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};

fn desk() -> Desk {
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("iris.csv", &own_data("iris.csv")),
        ("colours.csv", "colour,size,y\nred,1,good\nblue,2,bad\nred,3,good\ngreen,4,bad\n"),
    ]);
    desk.succeed("train and.csv --order given -o and.model");
    desk.succeed("train and.csv --order given --scale standard -o scaled.model");
    desk.succeed("train iris.csv -o iris.model");
    desk.succeed("train colours.csv -o colours.model");
    desk.succeed("train and.csv --kernel poly:2 -o kernel.model");
    desk.succeed("train and.csv --keep vote --epochs 2 -o voted.model");
    desk
}

fn exported(desk: &Desk, model: &str, file: &str) -> String {
    assert_eq!(desk.succeed(&format!("export {model} -o {file}")), "");
    String::from_utf8(desk.read(file)).unwrap()
}

#[test]
fn tables() {
    let desk = desk();
    let models = ["and.model", "scaled.model", "iris.model", "colours.model"];
    let table = |model: &str| format!("{model}\n{}", exported(&desk, model, "weights.csv"));
    insta::assert_snapshot!(models.map(table).join("\n"));
}

#[test]
fn objects() {
    let desk = desk();
    insta::assert_snapshot!(exported(&desk, "scaled.model", "and.json"));
    // Of every model it is what `show` prints, of linear ones with the names in their order, of others with the dual form.
    for (model, linear) in [
        ("and.model", true),
        ("scaled.model", true),
        ("iris.model", true),
        ("kernel.model", false),
        ("voted.model", false),
    ] {
        let mut object: serde_json::Value =
            serde_json::from_str(&exported(&desk, model, "model.JSON")).unwrap();
        let names = object.as_object_mut().unwrap().remove("feature_names");
        let names = names.map(|names| names.as_array().unwrap().len() as u64);
        assert_eq!(names, object["features"].as_u64().filter(|_| linear));
        let dual = object.as_object_mut().unwrap().remove("dual");
        assert_eq!(dual.is_none(), linear, "{model}");
        let shown = desk.succeed(&format!("show {model} --json"));
        assert_eq!(object, serde_json::from_str::<serde_json::Value>(&shown).unwrap(), "{model}");
    }
}

#[test]
fn graphs() {
    let desk = desk();
    desk.succeed("export iris.model -o iris.onnx");
    let graph = desk.read("iris.onnx");
    let has = |text: &str| graph.windows(text.len()).any(|window| window == text.as_bytes());
    let parts =
        ["rosenblatt", "ArgMax", "scores", "Iris-setosa", r#"["sepal_length","sepal_width","#];
    assert!(parts.iter().all(|part| has(part)));
    desk.succeed("export iris.model -o again.onnx");
    assert_eq!(graph, desk.read("again.onnx"));
}

#[test]
fn what_is_said() {
    let desk = desk();
    let before = desk.files();
    let said = desk.session(&[
        "export and.model",
        "export and.model -o and.pb",
        "export and.model -o and",
        "export and.model -o -",
        "export and.csv -o and.onnx",
        "export missing.model -o and.onnx",
        "export and.csv -o and.csv",
        "export kernel.model -o kernel.onnx",
        "export voted.model -o voted.csv",
        "export and.model -o nowhere/and.onnx",
    ]);
    assert_eq!(desk.files(), before);
    let encoded = desk.session(&["export colours.model -o colours.onnx"]);
    desk.write("notes.csv", "note,y\nthe red one,a\na blue one,b\nred again,a\nblue again,b\n");
    desk.write("rows.svm", "+1 1:1\n-1 2:1\n");
    desk.succeed("train notes.csv --text note -q -o notes.model");
    desk.succeed("train rows.svm -q -o rows.model");
    desk.succeed("train and.csv --interactions x1,x2 -q -o hashed.model");
    let columns = desk.session(&[
        "export notes.model --columns -o notes.onnx",
        "export rows.model --columns -o rows.onnx",
        "export colours.model --columns -o colours.csv",
        "export colours.model --columns -o colours.onnx",
    ]);
    insta::assert_snapshot!([said, encoded, columns].join("\n"));
}
