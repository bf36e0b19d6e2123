//! `separable`: the answers, their proofs, and what checks them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, idx, own_data};
use serde_json::{Value, json};

/// Ten counts far from 0, positive from the sixth on: the best hyperplane has 1/2 on either side.
fn counts() -> String {
    let row = |k| format!("{},{}\n", 1_700_000_000_000_000u64 + k, if k < 5 { -1 } else { 1 });
    (0..10).fold("a,y\n".to_owned(), |text, k| text + &row(k))
}

fn desk() -> Desk {
    Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("xor.csv", &own_data("xor.csv")),
        ("iris.csv", &own_data("iris.csv")),
        ("sonar.csv", &own_data("sonar.csv")),
        ("twice.csv", "a,b,y\n0,0,-1\n0,1,-1\n1,0,-1\n1,1,1\n1,1.0,-1\n"),
        ("pair.csv", "a,y\n2,1\n4,-1\n"),
        ("one.csv", "a,y\n1,1\n-1,-1\n"),
        ("tiny.csv", "a,y\n5e-324,1\n-5e-324,-1\n"),
        ("counts.csv", &counts()),
    ])
}

fn answer(desk: &Desk, line: &str) -> (i32, Value) {
    let done = desk.run(&format!("separable {line} --json"));
    (done.code, serde_json::from_str(&done.stdout).unwrap())
}

#[test]
fn answers() {
    insta::assert_snapshot!(desk().session(&[
        "separable sonar.csv --certificate sonar.json",
        "separable sonar.csv --verify sonar.json",
        "separable iris.csv --positive Iris-versicolor --certificate versicolor.json",
        "separable iris.csv --positive Iris-versicolor --verify versicolor.json",
        "separable iris.csv --positive Iris-virginica --verify versicolor.json",
        "separable xor.csv",
        "separable xor.csv --bias none",
        "separable twice.csv",
        "separable pair.csv",
        "separable pair.csv --bias none",
        "separable sonar.csv --seconds 0",
        "separable sonar.csv --seconds 0 --bias radius",
        "separable sonar.csv --seconds 0 --bias none",
        "separable counts.csv",
        "separable one.csv --bias none --certificate one.json",
        "separable one.csv --verify one.json",
        "separable pair.csv --bias none --certificate none.json",
        "separable pair.csv --verify none.json",
        "separable tiny.csv",
        "train iris.csv --epochs 5 --diagnose",
        "train sonar.csv --epochs 10 --diagnose --bias radius --scale standard",
        "train twice.csv --epochs 10 --diagnose",
    ]));
}

/// 2 (+1) and 4 (−1): the best hyperplane with a free bias is at 3, with the margin 1. In (x, 1) the signed
/// rows are (2, 1) and −(4, 1); the shortest of all λ(2, 1) − (1−λ)(4, 1) = (6λ − 4, 2λ − 1) is that of
/// λ = 13/20, (−1/10, 3/10), of length √10/10.
#[test]
fn margins_by_hand() {
    let desk = desk();
    let (code, unit) = answer(&desk, "pair.csv");
    assert_eq!((code, &unit["separable"], &unit["verified"]), (0, &json!("yes"), &json!(true)));
    let near = |value: &Value, known: f64| (value.as_f64().unwrap() / known - 1.0).abs() < 1e-6;
    assert!(near(&unit["margin"]["lower"], 0.1f64.sqrt()), "{unit}");
    assert!(near(&unit["margin"]["upper"], 0.1f64.sqrt()), "{unit}");
    assert_eq!(unit["radius"], 4.0);
    // (16 + 1)/(1/10) and (2·4/1)².
    assert!(near(&unit["bound"], 170.0) && near(&unit["free_bias"]["bound"], 64.0), "{unit}");
    let (_, radius) = answer(&desk, "pair.csv --bias radius");
    assert!(near(&radius["margin"]["lower"], 1.0) && near(&radius["bound"], 64.0), "{radius}");
    assert_eq!(answer(&desk, "pair.csv --bias none").0, 1);
}

/// Whether a run ends that counts a score of 0 as right for one class: the proof is one for the rows of the file, and no proof
/// for others.
#[test]
fn the_proof_of_an_ending_is_checked() {
    let desk = Desk::with(&[
        ("zero.csv", "a,b,y\n1,0,p\n-1,0,p\n0,1,m\n"),
        ("order.csv", "a,b,y\n-1,-1,p\n1,0,m\n1,1,p\n"),
        ("never.csv", "a,b,y\n1,0,m\n-1,0,m\n0,1,p\n"),
        ("always.csv", "a,b,y\n0,0,p\n1,1,p\n0,1,m\n"),
        ("other.csv", "a,b,y\n0,2,p\n1,-1,p\n3,1,m\n"),
    ]);
    let endings = [
        ("zero", "from-zero"),
        ("order", "depends-on-order"),
        ("never", "never"),
        ("always", "always"),
    ];
    for (name, ending) in endings {
        let rule = "--positive p --mistake label --bias none --order given --epochs 1 --scale none";
        let report = desk.report(&format!("train {name}.csv {rule} --diagnose"));
        assert_eq!(report["diagnosis"]["convergence"], ending);
        desk.write("proof.json", report["diagnosis"]["certificate"].to_string());
        let verify = |data: &str, bias: &str| {
            let done = desk.run(&format!(
                "separable {data} --positive p --bias {bias} --verify proof.json --json"
            ));
            let found: Value = serde_json::from_str(&done.stdout).unwrap();
            (done.code, found)
        };
        let (code, found) = verify(&format!("{name}.csv"), "none");
        assert_eq!(
            (code, &found["convergence"], &found["verified"]),
            (0, &json!(ending), &json!(true))
        );
        assert_eq!(verify("other.csv", "none").0, 1);
        assert_eq!(verify(&format!("{name}.csv"), "unit").0, 1);
    }
    insta::assert_snapshot!(desk.session(&[
        "separable always.csv --positive p --bias none --verify proof.json",
        "study order.csv --positive p --mistake label --bias none --epochs 3 --runs 4",
        "study zero.csv --positive p --mistake label --bias none --epochs 1 --runs 2",
    ]));
}

/// A run learns from floats. As decimals, change = start − stop, and the classes overlap; the floats are separable by 10⁻¹⁷.
#[test]
fn a_diagnosis_says_where_the_numbers_of_the_file_have_another_answer() {
    let desk = Desk::with(&[
        (
            "tenths.csv",
            "start,stop,change,y\n0.1,2.3,-2.2,m\n3.0,0.5,2.5,p\n1.4,2.2,-0.8,p\n1.6,2.1,-0.5,m\n1.3,1.7,-0.4,m\n2.6,0.7,1.9,m\n",
        ),
        (
            "integers.csv",
            "start,stop,change,y\n1,23,-22,m\n30,5,25,p\n14,22,-8,p\n16,21,-5,m\n13,17,-4,m\n26,7,19,m\n",
        ),
    ]);
    for scale in ["none", "auto", "standard"] {
        let line = format!("train tenths.csv --epochs 20 --diagnose --scale {scale}");
        let report = desk.report(&line);
        let diagnosis = &report["diagnosis"];
        assert_eq!(
            (&diagnosis["separable"], &diagnosis["as_written"]),
            (&json!("yes"), &json!("no"))
        );
        let text = desk.succeed(&line);
        assert!(text.contains("as they are written, no hyperplane separates them"), "{text}");
    }
    let diagnosis =
        &desk.report("train integers.csv --epochs 20 --diagnose --scale none")["diagnosis"];
    assert_eq!((&diagnosis["separable"], diagnosis.get("as_written")), (&json!("no"), None));
    // Integers that no float is are still refused.
    desk.write("big.csv", "a,y\n9007199254740993,p\n1,m\n");
    let refused = desk.run("train big.csv --diagnose");
    assert!(
        refused.code == 2 && refused.stderr.contains("no exact 64-bit float"),
        "{}",
        refused.stderr
    );
}

/// A certificate with any one number changed fails.
#[test]
fn changed_certificates_fail() {
    let desk = desk();
    for (data, code) in [("and.csv", 0), ("xor.csv", 1), ("twice.csv", 1)] {
        assert_eq!(desk.run(&format!("separable {data} --certificate proof.json")).code, code);
        assert_eq!(desk.run(&format!("separable {data} --verify proof.json")).code, 0);
        let proof: Value = serde_json::from_slice(&desk.read("proof.json")).unwrap();
        let changed = |change: &dyn Fn(&mut Value)| {
            let mut proof = proof.clone();
            change(&mut proof);
            desk.write("changed.json", proof.to_string());
            let done = desk.run(&format!("separable {data} --verify changed.json --json"));
            let found: Value = serde_json::from_str(&done.stdout).unwrap();
            assert_eq!((done.code, &found["verified"]), (1, &json!(false)), "{proof}");
            assert!(found["problem"].is_string(), "{found}");
        };
        if code == 0 {
            changed(&|proof| proof["weights"][0] = json!(-1.0));
            changed(&|proof| proof["bias"] = json!(1e9));
            changed(&|proof| proof["weights"].as_array_mut().unwrap().clear());
        } else {
            let rows = proof["rows"].as_array().unwrap().len();
            for i in 0..rows {
                changed(&|proof| proof["multipliers"][i] = json!("2"));
                changed(&|proof| proof["rows"][i] = json!(99));
            }
            changed(&|proof| proof["multipliers"][0] = json!("-1"));
            changed(&|proof| proof["multipliers"][0] = json!("1e3"));
        }
    }
}

#[test]
fn bad_input() {
    let desk = desk();
    desk.write("empty.json", "");
    desk.write("images-idx3-ubyte", idx(8, &[2, 1, 1], &[1, 2]));
    desk.write("labels-idx1-ubyte", idx(8, &[2], &[0, 1]));
    desk.write("other.json", r#"{"separable":"maybe"}"#);
    desk.write(
        "extra.json",
        r#"{"separable":"yes","with_bias":true,"weights":[1],"bias":0,"x":1}"#,
    );
    desk.write(
        "later.json",
        r#"{"separable":"yes","version":2,"with_bias":true,"weights":[1],"bias":0}"#,
    );
    insta::assert_snapshot!(desk.session(&[
        "separable iris.csv",
        "separable and.csv --verify nowhere.json",
        "separable and.csv --verify empty.json",
        "separable and.csv --verify other.json",
        "separable and.csv --verify extra.json",
        "separable and.csv --verify later.json",
        "separable and.csv --verify and.csv --certificate x.json",
        "separable and.csv --certificate and.csv",
        "separable and.csv --certificate no/such/folder/proof.json",
        "separable images-idx3-ubyte --certificate labels-idx1-ubyte",
        "separable and.csv --seconds -1",
        "train and.csv --diagnose --kernel poly:2",
    ]));
}

/// The true margin with a free bias is 1/2, whatever ended the search.
#[test]
fn bounds_are_those_of_the_bias() {
    let desk = desk();
    let (code, found) = answer(&desk, "counts.csv --bias radius");
    assert_eq!((code, &found["separable"]), (0, &json!("yes")), "{found}");
    let near = |value: &Value| (value.as_f64().unwrap() - 0.5).abs() < 1e-6;
    assert!(near(&found["margin"]["lower"]) && near(&found["margin"]["upper"]), "{found}");
    assert_eq!(found.get("ended_by"), None);
    let (code, open) = answer(&desk, "counts.csv --bias radius --seconds 0");
    assert_eq!((code, &open["ended_by"]), (3, &json!("clock")));
    assert!(
        open["margin"].get("upper").is_none_or(|upper| upper.as_f64().unwrap() >= 0.5),
        "{open}"
    );
}

/// A proof about hyperplanes through the origin says nothing of the others; a separator through the origin, and a
/// proof that nothing with a bias separates, answer both questions.
#[test]
fn a_certificate_answers_its_own_question() {
    let desk = desk();
    desk.write("y.csv", "a,y\n1,1\n-1,-1\n");
    let check = |data: &str, made: &str, asked: &str| {
        desk.run(&format!("separable {data} --bias {made} --certificate proof.json"));
        answer(&desk, &format!("{data} --bias {asked} --verify proof.json"))
    };
    let through = json!("through the origin");
    for asked in ["unit", "radius"] {
        let (code, found) = check("pair.csv", "none", asked);
        assert_eq!((code, &found["verified"], &found["hyperplanes"]), (1, &json!(false), &through));
        let problem = "the certificate is about hyperplanes through the origin, which says nothing of hyperplanes \
                       with a bias";
        assert_eq!((&found["separable"], &found["problem"]), (&json!("no"), &json!(problem)));
    }
    assert_eq!(check("pair.csv", "none", "none").0, 0);
    // The best hyperplane between 2 and 4 has a bias, so it is none through the origin.
    assert_eq!(check("pair.csv", "unit", "none").0, 1);
    assert_eq!(check("xor.csv", "unit", "none").1["hyperplanes"], json!("with a bias"));
    assert_eq!(check("xor.csv", "unit", "none").0, 0);
    assert_eq!(check("y.csv", "none", "unit").0, 0);
}

/// w = 5e-324 separates, by 2⁻²¹⁴⁸, which is no float; nor is the margin a normal one.
#[test]
fn what_is_too_small_to_be_shown_is_not_on_the_hyperplane() {
    let done = desk().run("train tiny.csv --bias none --scale none --order given");
    assert!(done.stdout.contains("converged"), "{}", done.stdout);
    assert!(!done.stdout.contains("lies on the hyperplane"), "{}", done.stdout);
    assert!(
        done.stdout.contains("separate, with a margin too small to be represented"),
        "{}",
        done.stdout
    );
}

/// 10¹⁵⁰ is 10³⁰⁰ times 10⁻¹⁵⁰, which no integer type holds.
#[test]
fn large_ratios_are_numbers() {
    let desk = desk();
    desk.write(
        "spread.csv",
        "a,b,y\n1e150,1e-150,1\n-1e150,1e-150,1\n1e150,1e-150,-1\n0,1e-150,-1\n",
    );
    let done = desk.run("train spread.csv --scale none --epochs 3");
    assert!(
        done.stdout.contains("the largest feature is 1e300 times the smallest"),
        "{}",
        done.stdout
    );
}

/// Three answers, each with its exit code, and a certificate that only the same question accepts.
#[test]
fn weak() {
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("xor.csv", &own_data("xor.csv")),
        ("quasi.csv", "dose,y\n1,no\n2,no\n2,yes\n3,yes\n"),
    ]);
    let (code, complete) = answer(&desk, "and.csv --weak");
    assert_eq!((code, &complete["separation"]), (0, &json!("complete")));
    let (code, overlap) = answer(&desk, "xor.csv --weak");
    assert_eq!((code, &overlap["separation"]), (1, &json!("overlap")));
    assert_eq!(overlap["certificate"]["multipliers"], json!(["1", "1", "1", "1"]));
    let (code, quasi) = answer(&desk, "quasi.csv --weak --certificate quasi.json");
    assert_eq!((code, &quasi["separation"]), (1, &json!("quasi-complete")));
    assert_eq!((&quasi["on_hyperplane"], &quasi["rank"]), (&json!(2), &json!(2)));
    assert_eq!((&quasi["unique"], &quasi["verified"]), (&json!(true), &json!(true)));
    assert_eq!(quasi["diverging"], json!([[0, -1], [1, 1]]));
    assert_eq!(quasi["feature_names"], json!(["dose"]));
    let text = desk.run("separable quasi.csv --weak").stdout;
    assert!(text.contains("quasi-complete:") && text.contains("bias → −∞, dose → +∞"), "{text}");
    let (code, checked) = answer(&desk, "quasi.csv --weak --verify quasi.json");
    assert_eq!((code, &checked["verified"]), (0, &json!(true)));
    let (code, checked) = answer(&desk, "and.csv --weak --verify quasi.json");
    assert_eq!((code, &checked["verified"]), (1, &json!(false)));
    let (code, checked) = answer(&desk, "quasi.csv --weak --bias none --verify quasi.json");
    assert_eq!((code, &checked["verified"]), (1, &json!(false)));
    let (code, checked) = answer(&desk, "quasi.csv --verify quasi.json");
    assert_eq!((code, &checked["separation"]), (0, &json!("quasi-complete")));
}

/// The numbers are those that are written: tenths, the same rows times ten, and integers that no float is; in CSV, LIBSVM and
/// JSON. Each kind of proof is checked against them.
#[test]
fn numbers_as_they_are_written() {
    let desk = desk();
    let tenths = "1,23,-22,n\n30,5,25,p\n14,22,-8,p\n16,21,-5,n\n13,17,-4,n\n26,7,19,n\n";
    let divided = |cell: &str| match cell.parse::<i32>() {
        Ok(units) => {
            let sign = if units < 0 { "-" } else { "" };
            format!("{sign}{}.{}", units.abs() / 10, units.abs() % 10)
        }
        Err(_) => cell.to_owned(),
    };
    let row = |line: &str| line.split(',').map(divided).collect::<Vec<_>>().join(",") + "\n";
    let header = "start,stop,change,y\n";
    desk.write("tenths.csv", header.to_owned() + &tenths.lines().map(row).collect::<String>());
    desk.write("times.csv", header.to_owned() + tenths);
    for name in ["tenths.csv", "times.csv"] {
        let (code, found) = answer(&desk, &format!("{name} --certificate proof.json"));
        assert_eq!(
            (code, &found["separable"], &found["numbers"]),
            (1, &json!("no"), &json!("decimal"))
        );
        assert_eq!(answer(&desk, &format!("{name} --verify proof.json")).0, 0);
        let (code, weak) = answer(&desk, &format!("{name} --weak --certificate weak.json"));
        assert_eq!((code, &weak["separation"]), (1, &json!("overlap")));
        assert_eq!((&weak["aliased"], &weak["rank"]), (&json!([3]), &json!(3)));
        assert_eq!(answer(&desk, &format!("{name} --verify weak.json")).0, 0);
        let (_, least) = answer(&desk, &format!("{name} --least-errors --certificate least.json"));
        assert_eq!(least["least_errors"], json!({"lower": 1, "upper": 1}));
        assert_eq!(answer(&desk, &format!("{name} --verify least.json")).0, 0);
    }
    let text = desk.run("separable tenths.csv").stdout;
    assert!(text.contains("floats, from which a run learns, are separable"), "{text}");
    assert!(!desk.run("separable times.csv").stdout.contains("floats"));
    desk.run("separable tenths.csv --certificate proof.json");
    // The same proof says nothing of the floats.
    let proof = String::from_utf8(desk.read("proof.json")).unwrap();
    desk.write("floats.json", proof.replace("decimal", "binary64"));
    assert_eq!(answer(&desk, "tenths.csv --verify floats.json").0, 1);

    let (one, two) = ("9007199254740992", "9007199254740993");
    desk.write("ids.csv", format!("a,y\n{one},p\n{two},n\n"));
    desk.write("ids.json", format!("{{\"a\":{one},\"y\":\"p\"}}\n{{\"a\":{two},\"y\":\"n\"}}\n"));
    desk.write("ids.svm", format!("+1 1:{one}\n-1 1:{two}\n"));
    for (name, place) in [("ids.csv", "3:1"), ("ids.json", "2:6"), ("ids.svm", "2:6")] {
        let (code, found) = answer(&desk, &format!("{name} --certificate proof.json"));
        assert_eq!((code, &found["separable_in_floats"]), (0, &json!("no")));
        assert_eq!(answer(&desk, &format!("{name} --verify proof.json")).0, 0);
        let refused = desk.run(&format!("train {name}"));
        let message = format!("error: {name}:{place}: the integer {two} ");
        assert!(refused.code == 2 && refused.stderr.starts_with(&message), "{}", refused.stderr);
    }
}

/// The two bounds, their exit codes, and certificates that `--verify` recognises and refuses after a change.
#[test]
fn least_errors() {
    let desk = desk();
    let (code, xor) = answer(&desk, "xor.csv --least-errors --certificate xor.json");
    assert_eq!((code, &xor["least_errors"]), (1, &json!({"lower": 1, "upper": 1})));
    assert_eq!(xor["certificate"]["conflicts"][0]["multipliers"], json!(["1", "1", "1", "1"]));
    let (code, and) = answer(&desk, "and.csv --least-errors");
    assert_eq!((code, &and["least_errors"]), (0, &json!({"lower": 0, "upper": 0})));
    let iris = "iris.csv --positive Iris-versicolor";
    let (code, found) = answer(&desk, &format!("{iris} --least-errors --certificate iris.json"));
    let bound = |key: &str| found["least_errors"][key].as_u64().unwrap();
    assert!(code == 1 && bound("lower") >= 17 && bound("upper") <= 26, "{found}");
    let (code, checked) = answer(&desk, &format!("{iris} --verify iris.json"));
    assert_eq!((code, &checked["least_errors"]), (0, &found["least_errors"]));
    assert_eq!(answer(&desk, &format!("{iris} --bias none --verify iris.json")).0, 1);
    let mut changed: Value = serde_json::from_slice(&desk.read("iris.json")).unwrap();
    changed["conflicts"][1] = changed["conflicts"][0].clone();
    desk.write("changed.json", changed.to_string());
    let text = desk.run(&format!("separable {iris} --verify changed.json"));
    assert!(text.code == 1 && text.stdout.contains("belongs to two conflicts"), "{}", text.stdout);
    let (code, open) = answer(&desk, &format!("{iris} --least-errors --seconds 0"));
    assert_eq!((code, &open["ended_by"], &open["verified"]), (3, &json!("clock"), &json!(true)));
    let text = desk.run(&format!("separable {iris} --least-errors")).stdout;
    assert!(text.contains("≤ least errors of any hyperplane ≤"), "{text}");
}

/// Weights that return to earlier ones are a proof of inseparability, which the report states with its example count.
#[test]
fn returning_weights() {
    let desk = desk();
    let report = |line: &str| -> Value {
        serde_json::from_str(&desk.run(&format!("train {line} --json")).stdout).unwrap()
    };
    let cycle = json!({"from_epoch": 0, "to_epoch": 1, "examples": 4});
    assert_eq!(report("xor.csv --order given")["cycle"], cycle);
    let text = desk.run("train xor.csv --order given").stdout;
    assert!(text.contains("the weights after epoch 1 are those before the first"), "{text}");
    for line in ["and.csv", "sonar.csv --epochs 5", "xor.csv --kernel poly:2"] {
        assert_eq!(report(line).get("cycle"), None, "{line}");
    }
    // The diagnosis has a proof of its own.
    let diagnosed = report("xor.csv --order given --diagnose");
    assert_eq!(diagnosed.get("cycle"), None);
    assert_eq!(diagnosed["diagnosis"]["least_errors"], json!({"lower": 1, "upper": 1}));
}

/// Without a bias, by the label, a run may end although no hyperplane separates the classes. The report says which of four
/// holds, and counts no wrong label where there need not be one.
#[test]
fn the_diagnosis_is_that_of_the_rule() {
    let desk = desk();
    desk.write("every.csv", "x1,x2,y\n1,0,1\n-1,0,1\n0,1,-1\n");
    desk.write("some.csv", "x1,x2,y\n-1,-1,1\n1,0,-1\n1,1,1\n");
    desk.write("none.csv", "x1,x2,y\n0,0,-1\n1,1,1\n");
    let options = "--bias none --order given --scale none --keep last";
    let text = |line: &str| desk.run(&format!("train {line} {options}")).stdout;
    let diagnosis = |line: &str| -> Value {
        let done = desk.run(&format!("train {line} {options} --diagnose --json"));
        serde_json::from_str::<Value>(&done.stdout).unwrap()["diagnosis"].clone()
    };
    let right = "a hyperplane through the origin is right on all rows by this rule";
    let every = diagnosis("every.csv --mistake label --epochs 1");
    assert_eq!((&every["separable"], &every["convergence"]), (&json!("no"), &json!("from-zero")));
    assert_eq!(every["certificate"]["weights"], json!(["0", "-1"]));
    assert_eq!(every["least_errors"], json!({"lower": 0, "upper": 0}));
    let shown = text("every.csv --mistake label --epochs 1 --diagnose");
    assert!(shown.contains(&format!("{right}: a run from zero ends")), "{shown}");
    assert!(text("every.csv --mistake label --epochs 2").contains("converged: epoch 2"));
    // By the margin it never ends, though no label need be wrong.
    let by_margin = diagnosis("every.csv --epochs 9");
    assert_eq!(by_margin["convergence"], "never");
    assert_eq!(by_margin["least_errors"], json!({"lower": 0, "upper": 0}));
    // Weights that return prove that this order never ends, not that no order does.
    assert_eq!(diagnosis("some.csv --mistake label --epochs 9")["convergence"], "depends-on-order");
    let shown = text("some.csv --mistake label --epochs 9");
    assert!(shown.contains("in this order the run never ends"), "{shown}");
    let none = diagnosis("none.csv --mistake label --epochs 9");
    assert_eq!(
        (&none["convergence"], &none["certificate"]["rows"]),
        (&json!("never"), &json!([1]))
    );
    assert_eq!(none["least_errors"], json!({"lower": 1, "upper": 1}));
}

/// A passive-aggressive run can end on rows that no hyperplane separates, as its weights move in a clean epoch, too.
#[test]
fn a_rule_that_moves_without_mistakes_may_end() {
    let desk = desk();
    let row = |i: u32| {
        let (sign, (sin, cos)) = (1 - 2 * (i as i32 % 2), f64::from(2 * i).to_radians().sin_cos());
        format!("{},{},{sign}\n", f64::from(sign) * cos, f64::from(sign) * sin)
    };
    desk.write("circle.csv", "x1,x2,y\n".to_owned() + &(0..180).map(row).collect::<String>());
    let line = "train circle.csv --update pa --bias none --order given --scale none --keep last";
    let early = desk.run(&format!("{line} --epochs 1 --diagnose")).stdout;
    assert!(early.contains("proven inseparable by 3 examples; "), "{early}");
    let ended = desk.run(&format!("{line} --epochs 2")).stdout;
    assert!(ended.contains("ended: epoch 2 made no mistake"), "{ended}");
    assert!(ended.contains("no separator is known: the weights moved"), "{ended}");
}

/// Without time there is no answer, and the report says why.
#[test]
fn weak_without_time() {
    let desk = desk();
    let (code, unknown) = answer(&desk, "iris.csv --positive Iris-versicolor --weak --seconds 0");
    assert_eq!((code, &unknown["separation"]), (3, &json!("unknown")));
    assert_eq!(unknown["ended_by"], "clock");
}
