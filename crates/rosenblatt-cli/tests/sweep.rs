//! `train --sweep`: each alternative is the run of its own command, and the best becomes the model.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};
use serde_json::Value;

/// Short texts of two kinds, numbers with gaps, and the data of the repository.
fn desk() -> Desk {
    let files = ["iris.csv", "sonar.csv"].map(|name| (name, own_data(name)));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let desk = Desk::with(&files);
    // 7ⁱ mod 1009 has no pattern.
    let number = |i: usize| (0..i).fold(1, |x, _| x * 7 % 1009);
    let note = |i: usize| {
        let word = |k: usize| ["not", "good", "bad", "very", "so", "it"][number(3 * i + k) % 6];
        let words = [word(0), word(1), word(2)].join(" ");
        format!("{words} n{i},{}\n", ["yes", "no"][usize::from(words.contains("not good"))])
    };
    desk.write("notes.csv", "note,label\n".to_owned() + &(0..180).map(note).collect::<String>());
    let gap = |i: usize| {
        let x = if i.is_multiple_of(5) { String::new() } else { number(i).to_string() };
        format!("{x},{},{}\n", number(i + 7) % 50, ["up", "down"][number(i) / 505])
    };
    desk.write("gaps.csv", "x,z,label\n".to_owned() + &(0..150).map(gap).collect::<String>());
    desk
}

/// The accuracies of `--sweep OPTION=VALUE,…` are bit for bit those of the runs with each value on the command line, and the model
/// is that of the first best one.
fn check(desk: &Desk, line: &str, option: &str, values: &[(&str, &str)]) {
    let names: Vec<&str> = values.iter().map(|(value, _)| *value).collect();
    let sweep = format!("--sweep {option}={}", names.join(","));
    let swept = desk.report(&format!("{line} {sweep} -o swept.model"));
    let found = swept["sweep"]["values"].as_array().unwrap();
    assert_eq!(found.len(), values.len());
    let mut best = (0.0, 0);
    for (place, ((value, words), one)) in values.iter().zip(found).enumerate() {
        let alone = desk.report(&format!("{line} {words}"));
        let folds = &alone["folds"];
        let (mean, sd) = match folds.is_null() {
            true => (&alone["holdout"]["accuracy"], &Value::Null),
            false => (&folds["mean"], &folds["sd"]),
        };
        assert_eq!(one["value"], *value);
        assert_eq!((&one["accuracy"], &one["sd"]), (mean, sd), "{line} {words}");
        let accuracy = one["accuracy"].as_f64().unwrap();
        if accuracy > best.0 {
            best = (accuracy, place);
        }
    }
    let (chosen, words) = values[best.1];
    assert_eq!(swept["sweep"]["chosen"], chosen, "{line} {sweep}");
    desk.succeed(&format!("{line} {words} -q -o best.model"));
    assert!(desk.read("swept.model") == desk.read("best.model"), "{line} {sweep}");
}

#[test]
fn a_preparation_is_compared() {
    let desk = desk();
    for line in ["train sonar.csv --folds 3", "train sonar.csv --holdout 0.3 --update pa1:0.1"] {
        let scales = [("standard", "--scale standard"), ("minmax", "--scale minmax")];
        check(&desk, line, "scale", &[scales[0], scales[1], ("none", "--scale none")]);
        let lengths = [("l1", "--normalise l1"), ("l2", "--normalise l2"), ("none", "")];
        check(&desk, line, "normalise", &lengths);
        check(&desk, line, "normalize", &lengths);
        check(&desk, line, "weighting", &[("log", "--weighting log"), ("none", "")]);
    }
    let line = "train gaps.csv --missing mean --folds 3 --group z --threads 3";
    check(&desk, line, "scale", &[("none", "--scale none"), ("standard", "--scale standard")]);
}

#[test]
fn a_run_is_compared() {
    let desk = desk();
    let line = "train sonar.csv --folds 3";
    let weights = [("R=3", "--class-weight R=3"), ("balanced", "--class-weight balanced")];
    check(&desk, line, "class-weight", &[weights[0], weights[1], ("none", "")]);
    let preset = [("text", "--preset text"), ("images", "--preset images"), ("none", "")];
    check(&desk, line, "preset", &preset);
    check(&desk, line, "penalty", &[("none", ""), ("l2:0.01", "--penalty l2:0.01")]);
    check(&desk, line, "kernel", &[("poly:2", "--kernel poly:2"), ("none", "")]);
    check(&desk, line, "eta", &[("1/t", "--eta 1/t"), ("0.3", "--eta 0.3")]);
    check(&desk, line, "epochs", &[("20", "--epochs 20"), ("none", "")]);
    check(&desk, line, "epochs", &[("1", "--epochs 1 --order shuffle"), ("2", "--epochs 2")]);
    check(&desk, line, "allow-mistakes", &[("0", ""), ("1", "--allow-mistakes 1")]);
    check(&desk, line, "bias", &[("unit:0.1", "--bias unit:0.1"), ("none", "--bias none")]);
    let line = "train sonar.csv --folds 3 --update pa1:1";
    check(&desk, line, "init", &[("random", "--init random"), ("zero", "")]);
    let line = "train iris.csv --folds 2 --repeats 2";
    check(
        &desk,
        line,
        "classes",
        &[("one-vs-rest", "--classes one-vs-rest"), ("joint", "--classes joint")],
    );
}

/// Texts are cut anew for each way that is compared, also by a preset.
#[test]
fn a_text_is_compared() {
    let desk = desk();
    let line = "train notes.csv --text note --folds 3";
    check(&desk, line, "preset", &[("text", "--preset text"), ("none", "")]);
    check(&desk, line, "preset", &[("none", ""), ("text", "--preset text")]);
    check(&desk, line, "ngrams", &[("1", "--ngrams 1"), ("3", "--ngrams 3"), ("2", "--ngrams 2")]);
    check(&desk, line, "chars", &[("2:3", "--chars 2:3"), ("none", "")]);
    check(&desk, line, "document-frequency", &[("2:", "--document-frequency 2:"), ("none", "")]);
    let piped = desk.run_with_input(
        "train - --text note --folds 3 --sweep ngrams=1,2",
        &desk.read("notes.csv"),
    );
    assert!(piped.code == 2 && piped.stderr.contains("it is not a file"), "{}", piped.stderr);
    // Read in one way, it is read once.
    let line = "train - --text note --folds 3 --sweep normalise=l2,none";
    let piped = desk.run_with_input(line, &desk.read("notes.csv"));
    assert_eq!(piped.code, 0, "{}", piped.stderr);
}

/// The first option is the slowest; the report does not depend on the threads.
#[test]
fn all_combinations_are_compared() {
    let desk = desk();
    let line = "train sonar.csv --folds 3 --update pa1:5";
    let sweep = "--sweep scale=standard,minmax --sweep C=0.01,1";
    let [one, two, three] = [1, 2, 3].map(|threads| {
        let line = format!("{line} {sweep} --threads {threads} --no-timing");
        [desk.succeed(&line), desk.succeed(&format!("{line} --json"))]
    });
    assert!(one == two && two == three);
    let report: Value = serde_json::from_str(&one[1]).unwrap();
    let swept = &report["sweep"];
    assert_eq!(swept["option"], "scale, C");
    assert_eq!(swept["options"], serde_json::json!(["scale", "C"]));
    let pairs = [("standard", "0.01"), ("standard", "1"), ("minmax", "0.01"), ("minmax", "1")];
    let mut best = (0.0, String::new());
    for ((scale, c), found) in pairs.iter().zip(swept["values"].as_array().unwrap()) {
        let alone =
            desk.report(&format!("train sonar.csv --folds 3 --update pa1:{c} --scale {scale}"));
        assert_eq!(found["value"], format!("{scale}, {c}"));
        assert_eq!(found["values"], serde_json::json!([scale, c]));
        assert_eq!(found["accuracy"], alone["folds"]["mean"]);
        assert_eq!(found["sd"], alone["folds"]["sd"]);
        let accuracy = found["accuracy"].as_f64().unwrap();
        if accuracy > best.0 {
            best = (accuracy, format!("{scale}, {c}"));
        }
    }
    assert_eq!(swept["chosen"], best.1);
    let (scale, c) = best.1.split_once(", ").unwrap();
    assert_eq!(swept["chosen_values"], serde_json::json!([scale, c]));
    assert!(one[0].contains(&format!("they also chose scale = {scale}, C = {c}\n")), "{}", one[0]);
    insta::assert_snapshot!(one[0].split("\n\n").last().unwrap());
    let single = desk.report(&format!("{line} --sweep C=0.01,1"));
    assert!(single["sweep"].get("options").is_none());
}

/// A picture of 30 alternatives, and none of 31.
#[test]
fn a_picture_has_room() {
    let desk = desk();
    let line = "train iris.csv --holdout 0.3 --epochs 3 --plot sweep.svg --sweep";
    desk.succeed(&format!("{line} scale=standard,none --sweep bias=unit,none"));
    let text = String::from_utf8(desk.read("sweep.svg")).unwrap();
    for words in ["is the best", "standard, unit", "none, none", "scale, bias"] {
        assert!(text.contains(words), "{words}");
    }
    let values = |most: u32| (1..=most).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    desk.succeed(&format!("{line} eta={}", values(30)));
    let done = desk.run(&format!("{line} eta={}", values(31)));
    assert!(done.code == 2 && done.stderr.contains("there are 31"), "{}", done.stderr);
}

/// The held-out rows chose the value.
#[test]
fn a_sweep_takes_the_guarantee_away() {
    // Numbers in an order without a pattern: 7ⁱ mod 1009. Half of them are up.
    let number = |i: usize| (0..i).fold(1, |x, _| x * 7 % 1009);
    let row = |i| format!("{},{}\n", number(i), if number(i) > 504 { "up" } else { "down" });
    let text = "x,y\n".to_owned() + &(0..300).map(row).collect::<String>();
    let desk = Desk::with(&[("rows.csv", &text)]);
    let line = "train rows.csv --holdout 0.3";
    assert_eq!(desk.report(line)["guarantee"]["theorem"], "clopper_pearson");
    let swept = desk.report(&format!("{line} --sweep bias=unit,none"));
    assert_eq!(swept["guarantee"]["withheld"], "chose_option");
    let text = desk.succeed(&format!("{line} --sweep bias=unit,none"));
    assert!(text.contains("they also chose bias = "), "{text}");
}

#[test]
fn what_cannot_be_is_refused() {
    let desk = desk();
    for (options, message) in [
        ("--sweep C=1,2", "and none are"),
        ("--sweep C=1,2 --folds 3", "the update rule has no parameter C"),
        ("--sweep alpha=1,2 --folds 3", "there is no penalty"),
        ("--sweep seed=1,2 --folds 3", "is no option that can be swept: it would choose"),
        ("--sweep features=a,b --folds 3", "`features` is no option that can be swept"),
        ("--sweep eta=1,x --folds 3", "--sweep eta=x: invalid value 'x' for '--eta <RATE>'"),
        ("--sweep eta=1 --folds 3", "expected OPTION=VALUE"),
        ("--sweep eta=1,2 --folds 3 --plot sweep.jpg", "expected .svg or .png"),
        ("--plot sweep.svg", "--sweep"),
        ("--sweep eta=1,2 --sweep eta=3,4 --folds 3", "`--sweep eta=…` is given twice"),
        ("--sweep normalise=l1,l2 --sweep normalize=l1,none --folds 3", "is given twice"),
        ("--sweep scale=none,minmax --scale none --folds 3", "`--scale` is given and swept"),
        ("--sweep eta=1,1.0 --folds 3", "the same run: 1 and 1.0"),
        ("--sweep class-weight=x,none --folds 3", "--sweep class-weight=x: --class-weight `x`"),
        (
            "--sweep update=pa1:1,pa --sweep class-weight=uniform,balanced --folds 3",
            "--sweep update=pa class-weight=balanced: the update rule pa always reaches",
        ),
        ("--sweep keep=vote,last --penalty l2:1 --folds 3", "--sweep keep=vote: the weights of"),
        ("--sweep preset=text,none --notes lauer --folds 3", "cannot be used with '--notes"),
    ] {
        let done = desk.run(&format!("train sonar.csv {options} -o no.model"));
        assert_eq!(done.code, 2, "{options}");
        assert!(done.stderr.contains(message), "{options}: {}", done.stderr);
        assert!(!desk.files().contains(&"no.model".to_owned()), "{options}");
    }
    // The hints work.
    desk.succeed("train sonar.csv --update pa1:1 --sweep C=0.01,0.1,1 --folds 5");
    desk.succeed("train sonar.csv --penalty l2:1 --sweep alpha=0.001,0.01 --holdout 0.2");
}

/// Ctrl-C during the comparison: exit code 130, nothing written.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_leaves_no_trace() {
    let desk = Desk::with(&[("xor", &own_data("xor.csv"))]);
    let line = "train xor --epochs 1000000000000 --no-compare --folds 2 --sweep bias=unit,none,radius --threads 2 -o model";
    // After the note that the format is guessed the data are read.
    desk.interrupt(line, 1);
    assert_eq!(desk.files(), ["xor"]);
}
