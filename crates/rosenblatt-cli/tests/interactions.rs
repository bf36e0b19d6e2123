//! `--interactions`: products of columns as features, kept in the model and applied by every command.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::fmt::Write as _;

use common::{Desk, version};

/// Exclusive or: no hyperplane separates the classes of `a` and `b`, but `a * b` does.
const XOR: &str = "a,b,y\n1,1,p\n1,-1,q\n-1,1,q\n-1,-1,p\n";
const SHOP: &str = "age,colour,size,bought\n20,red,S,yes\n30,blue,S,no\n40,red,L,no\n50,blue,L,yes\n\
    25,red,S,yes\n35,blue,S,no\n45,red,L,no\n55,blue,L,yes\n";

/// The first row is p and its score 0 predicts p, but a score of 0 is a mistake (`--mistake margin`): an update of +1 by
/// (1, 1, 1) and the bias 1. The second has the score 1 − 1 − 1 + 1 = 0, a mistake: w = (0, 2, 2), bias 0. The third has
/// 2 − 2 + 0 = 0: w = (1, 1, 3), bias −1. The fourth has −1 − 1 + 3 − 1 = 0: w = (0, 0, 4), bias 0.
#[test]
fn scores_by_hand() {
    let desk = Desk::with(&[("xor.csv", XOR), ("new.csv", "b,a\n3,2\n-3,2\n")]);
    assert_eq!(desk.run("separable xor.csv --positive p").code, 1);
    let line = "xor.csv --positive p --interactions a,b";
    assert_eq!(desk.run(&format!("separable {line}")).code, 0);
    let report = desk.succeed(&format!(
        "train {line} --scale none --keep last --order given --epochs 2 -o xor.model"
    ));
    assert!(report.contains("interactions  a * b (1 product)\n"), "{report}");
    assert_eq!(desk.succeed("predict xor.model new.csv --scores"), "p\t24.0\nq\t-24.0\n");
    let shown = desk.succeed("show xor.model");
    assert!(
        shown.lines().any(|line| line.starts_with("a * b ") && line.ends_with(" 4")),
        "{shown}"
    );
    assert!(shown.contains("--interactions 'a,b'"), "{shown}");
}

#[test]
fn files_of_rows_and_streams_give_one_model() {
    let mut numbers = "a,b,c,y\n".to_owned();
    for i in 0..400 {
        let (a, b) = (i % 7, i % 11 - 5);
        writeln!(numbers, "{a},{b},{},{}", i % 3, u8::from(a * b > 3)).unwrap();
    }
    for (file, text, lists) in [
        ("shop.csv", SHOP, "--interactions age,colour,size"),
        ("shop.csv", SHOP, "--interactions colour,size --interactions size,age --bits 1"),
        ("numbers.csv", &numbers, "--interactions a,b --interactions b,c"),
    ] {
        let desk = Desk::with(&[(file, text)]);
        desk.succeed(&format!("train {file} {lists} -q -o own.model"));
        desk.succeed(&format!("pack {file} {lists} -o packed.arrow"));
        desk.succeed("train packed.arrow -q -o packed.model");
        assert_eq!(desk.read("packed.model"), desk.read("own.model"), "{lists}");
        desk.succeed(&format!("train {file} {lists} --memory 100 -q -o large.model"));
        assert_eq!(desk.read("large.model"), desk.read("own.model"), "{lists}");
        let stream = format!("{lists} --epochs 1 -q -o");
        desk.succeed(&format!("train {file} {stream} file.model"));
        let done = desk.run_with_input(&format!("train - {stream} pipe.model"), text.as_bytes());
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert_eq!(desk.read("pipe.model"), desk.read("file.model"), "{lists}");
    }
}

/// Older programs refuse such files, with which they would multiply nothing.
#[test]
fn such_files_have_versions_of_their_own() {
    let desk = Desk::with(&[("shop.csv", SHOP)]);
    for (options, model, packed) in [("", 2, 2), ("--interactions age,size", 7, 4)] {
        desk.succeed(&format!("train shop.csv {options} -q -o shop.model"));
        let bytes = desk.read("shop.model");
        assert_eq!(version(&bytes), model);
        assert_eq!(String::from_utf8_lossy(&bytes).contains("interactions"), model == 7);
        desk.succeed(&format!("pack shop.csv {options} -o shop.arrow"));
        let start = format!(r#"{{"version":{packed},"key":"#);
        assert!(String::from_utf8_lossy(&desk.read("shop.arrow")).contains(&start));
    }
}

#[test]
fn reports_and_exports_have_them() {
    let desk = Desk::with(&[("shop.csv", SHOP)]);
    let line = "shop.csv --interactions age,colour,size --bits 1";
    let report = desk.succeed(&format!("train {line} -o shop.model"));
    let products = "interactions  age * colour (2 products), age * size (2 products), colour * size (2 products)\n";
    assert!(report.contains(products), "{report}");
    for name in ["shop.onnx", "shop.json", "shop-weights.csv"] {
        desk.succeed(&format!("export shop.model -o {name}"));
    }
    let weights = String::from_utf8(desk.read("shop-weights.csv")).unwrap();
    for name in ["age * colour=blue", "age * size=S", "colour * size#1"] {
        assert!(weights.contains(name), "{name}: {weights}");
    }
    desk.succeed("evaluate shop.model shop.csv");
    desk.succeed(&format!("study {line} --runs 3"));
}

#[test]
fn wrong_interactions_are_errors() {
    let desk = Desk::with(&[("shop.csv", SHOP), ("d.libsvm", "1 1:2 2:3\n-1 1:1\n")]);
    let table = [
        ("--interactions age", "an interaction needs two or more different columns, not `age`"),
        (
            "--interactions age,age",
            "an interaction needs two or more different columns, not `age,age`",
        ),
        ("--interactions age,colr", "column `colr`"),
        ("--interactions age,bought", "the column `bought` of an interaction is no feature"),
        (
            "--interactions age,size --ignore age",
            "the column `age` of an interaction is no feature",
        ),
        ("--bits 4", "were not provided: <--text <COLUMNS>|--interactions <COLUMNS>>"),
        ("--interactions age,colour,size --max-features 8", "13 features, 8 of them products"),
    ];
    for (options, error) in table {
        let done = desk.run(&format!("train shop.csv {options}"));
        assert_eq!(done.code, 2, "{options}");
        assert!(done.stderr.contains(error), "{options}: {}", done.stderr);
    }
    let done = desk.run("train d.libsvm --interactions 1,2");
    assert_eq!(done.code, 2, "{}", done.stderr);
    desk.write("large.csv", "a,b,y\n1,2,0\n1,1e200,1\n3,1,1\n");
    let done = desk.run("train large.csv --interactions a,b");
    let expected = "error: large.csv:3:3: `1e200` in column `b` is too large to be multiplied: an interaction takes \
                    numbers up to 2^490 (3.19e147)\n\
                    hint: leave the row out with `--on-error skip`, or `b` out of `--interactions`\n";
    assert_eq!((done.code, done.stderr.as_str()), (2, expected));
    desk.succeed("train large.csv --interactions a,b --on-error skip:50% -q -o m.model");
    // The model multiplies, so the limit holds for its rows, too.
    let done = desk.run("predict m.model large.csv");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("too large to be multiplied"), "{}", done.stderr);
}
