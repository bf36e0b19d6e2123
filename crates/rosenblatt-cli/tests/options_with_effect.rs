//! An option of reading changes something for a format, or it is refused. Each option is left out once.
//!
//! `ROSENBLATT_SEARCH=N` draws N pairs of options for each format instead of 8.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::env;

use common::{Desk, idx};

/// The options of reading that depend on the format, each with a value that is not its default.
const OPTIONS: [&str; 16] = [
    "--zero-based",
    "--no-header",
    "--header",
    "--no-quotes",
    "--quote '",
    "--escape /",
    "--comment %",
    "--skip-rows 3",
    "--delimiter semicolon",
    "--encoding utf-16",
    "--decimal comma",
    "--thousands comma",
    "--dates ymd",
    "--missing drop",
    "--missing-values 7",
    "--units 1",
];

/// Tables, with and without names of columns.
const TABLES: [&str; 17] = [
    "plain.csv",
    "comma.csv",
    "groups.csv",
    "days.csv",
    "gaps.csv",
    "units.csv",
    "years.csv",
    "signs.csv",
    "bare-signs.csv",
    "tabs.csv",
    "bare-tabs.csv",
    "bare-plain.csv",
    "bare-comma.csv",
    "bare-groups.csv",
    "bare-days.csv",
    "bare-gaps.csv",
    "bare-units.csv",
];

fn rows(n: usize, row: impl Fn(usize) -> String) -> String {
    (0..n).map(|i| row(i) + "\n").collect()
}

/// For each format, data sets of which at least one differs by each option that has an effect.
fn families(desk: &Desk) -> Vec<Vec<&'static str>> {
    let kinds = ["a", "b"];
    let table = |name: &str, header: &str, row: &dyn Fn(usize) -> String| {
        desk.write(name, format!("{header}\n{}", rows(20, row)));
        desk.write(&format!("bare-{name}"), rows(20, row));
    };
    table("plain.csv", "x,t,y", &|i| format!("{},\"t\",{}", i % 8, kinds[i % 2]));
    table("years.csv", "2019,2020,y", &|i| format!("{},{},{}", i % 8, i % 3, kinds[i % 2]));
    table("comma.csv", "x,y", &|i| format!("\"{},5\",{}", i % 8, kinds[i % 2]));
    table("groups.csv", "x,y", &|i| format!("\"1,{}00\",{}", i % 8 + 1, kinds[i % 2]));
    table("days.csv", "x,y", &|i| format!("2024-01-1{},{}", i % 8, kinds[i % 2]));
    table("gaps.csv", "x,z,y", &|i| {
        let x = if i == 3 { String::new() } else { (i % 8).to_string() };
        format!("{x},{},{}", i % 3, kinds[i % 2])
    });
    table("units.csv", "x,y", &|i| format!("{}%,{}", i % 8, kinds[i % 2]));
    let texts = ["'t'", "t", "q//r", "q/r", "%a"];
    table("tabs.csv", "x\ty", &|i| format!("1,{}00\t{}", i % 8 + 1, kinds[i % 2]));
    table("signs.csv", "t,x,y", &|i| format!("{},{},{}", texts[i % 5], i % 8, kinds[i % 2]));
    desk.write(
        "x.jsonl",
        rows(20, |i| {
            let x = if i == 3 { "null".to_owned() } else { (i % 8).to_string() };
            let (z, w, y) = (i % 3, 7 + i % 2, kinds[i % 2]);
            format!("{{\"x\":{x},\"z\":{z},\"w\":\"{w}\",\"y\":\"{y}\"}}")
        }),
    );
    let objects = |name: &str, x: &dyn Fn(usize) -> String| {
        let object = |i| format!("{{\"x\":{},\"z\":{},\"y\":\"{}\"}}", x(i), i % 5, kinds[i % 2]);
        desk.write(name, rows(20, object));
    };
    objects("comma.jsonl", &|i| format!("\"{},5\"", i % 8));
    objects("groups.jsonl", &|i| format!("\"1,{}00\"", i % 8 + 1));
    objects("days.jsonl", &|i| format!("\"2024-01-1{}\"", i % 8));
    objects("units.jsonl", &|i| format!("\"{}%\"", i % 8));
    desk.write("x.libsvm", rows(20, |i| format!("{} 1:{} 3:{}", i % 2, i % 8, i % 3)));
    let pixels: Vec<u8> = (0..40).map(|i| i as u8 % 9).collect();
    desk.write("t-images-idx3-ubyte", idx(8, &[20, 1, 2], &pixels));
    let labels: Vec<u8> = (0..20).map(|i| i as u8 % 2).collect();
    desk.write("t-labels-idx1-ubyte", idx(8, &[20], &labels));
    desk.succeed("pack plain.csv -o x.packed -q");
    vec![
        TABLES.to_vec(),
        vec!["x.jsonl", "comma.jsonl", "groups.jsonl", "days.jsonl", "units.jsonl"],
        vec!["x.libsvm"],
        vec!["t-images-idx3-ubyte"],
        vec!["x.packed"],
    ]
}

/// The exit code, the report and the errors of a command.
fn outcome(desk: &Desk, data: &str, options: &[&str]) -> (i32, String, String) {
    let done = desk.run(&format!("train {data} --no-timing --epochs 3 {}", options.join(" ")));
    (done.code, done.stdout, done.stderr)
}

/// Whether the last of some options changes nothing for any data set of a family, and no command is refused.
fn is_silent(desk: &Desk, family: &[&str], options: &[&str]) -> bool {
    let (_, others) = options.split_last().unwrap();
    family.iter().all(|data| outcome(desk, data, options) == outcome(desk, data, others))
}

#[test]
fn each_option_has_an_effect_or_is_refused() {
    let desk = Desk::new();
    let mut refused = 0;
    for family in families(&desk) {
        for option in OPTIONS {
            assert!(!is_silent(&desk, &family, &[option]), "{option} with {family:?}");
            let (code, _, stderr) = outcome(&desk, family[0], &[option]);
            let name = option.split(' ').next().unwrap();
            if stderr.contains("has no effect") {
                refused += 1;
                assert_eq!(code, 2);
                assert!(stderr.contains(&format!("the option {} has", &name[2..])), "{stderr}");
                assert!(stderr.contains(&format!("hint: leave out `{name}`")), "{stderr}");
            }
        }
    }
    assert!(refused > 25, "{refused}");
}

/// Pairs of options whose command is accepted: each of the two, left out, makes a difference.
#[test]
fn pairs_of_options() {
    let cases = env::var("ROSENBLATT_SEARCH").map_or(8, |cases| cases.parse().unwrap());
    let desk = Desk::new();
    let mut state = 34_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % OPTIONS.len()
    };
    for family in families(&desk) {
        for _ in 0..cases {
            let (one, other) = (OPTIONS[draw()], OPTIONS[draw()]);
            let is_header = |option: &str| option.ends_with("header");
            if one == other || is_header(one) && is_header(other) {
                continue;
            }
            for pair in [[one, other], [other, one]] {
                let accepted = family.iter().any(|data| outcome(&desk, data, &pair).0 == 0);
                assert!(
                    !(accepted && is_silent(&desk, &family, &pair)),
                    "{pair:?} with {family:?}"
                );
            }
        }
    }
}

/// For a model, too.
#[test]
fn predictions() {
    let desk = Desk::new();
    families(&desk);
    desk.succeed("train x.libsvm -o lib -q --epochs 3");
    desk.succeed("train plain.csv -o table -q --epochs 3");
    for line in ["predict lib x.libsvm --no-header", "evaluate table plain.csv --zero-based"] {
        let done = desk.run(line);
        assert_eq!(done.code, 2, "{line}");
        assert!(done.stderr.contains("has no effect: "), "{}", done.stderr);
    }
    let done = desk.run("train x.libsvm --missing drop");
    let expected = "error: x.libsvm: the option missing has no effect: LIBSVM data have no columns that options choose\n\
                    hint: leave out `--missing`\n";
    assert_eq!((done.code, done.stderr.as_str()), (2, expected));
}
