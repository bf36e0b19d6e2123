//! An option of a run changes something, or it is refused. Options are drawn at random, and each is left out once.
//!
//! `ROSENBLATT_SEARCH=N` draws N sets of options for each number of classes instead of 24.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::env;

use common::{Desk, tensors};
use serde_json::Value;

/// Options with a value that is not their default.
const OPTIONS: [&str; 39] = [
    "--update margin:1",
    "--update pa",
    "--update pa1:0.3",
    "--update pa2:1",
    "--update arow:1",
    "--update second-order:1",
    "--keep last",
    "--keep pocket",
    "--keep vote",
    "--kernel poly:2",
    "--kernel linear",
    "--penalty l2:0.01",
    "--penalty l1:0.01",
    "--order given",
    "--order mistaken",
    "--init random",
    "--start 1,-2,0.5",
    "--seed 5",
    "--epochs 3",
    "--epochs 1",
    "--allow-mistakes 50",
    "--eta 0.3",
    "--eta 1/t",
    "--bias none",
    "--bias unit:2",
    "--bias radius",
    "--mistake label",
    "--zero negative",
    "--class-weight balanced",
    "--class-weight p=3",
    "--classes joint",
    "--positive n",
    "--scale standard",
    "--normalise l2",
    "--no-compare",
    "--holdout 0.4",
    "--folds 2",
    "--diagnose",
    "--hard 2",
];

/// SplitMix64 (Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// Small tables with these labels. Two of them have indicators, which are not scaled: many scores are 0.
fn family(desk: &Desk, labels: &[&str]) -> Vec<String> {
    let mut random = Random(labels.len() as u64);
    let table = |k: usize| {
        let name = format!("{}-{k}.csv", labels.len());
        let mut text = "a,b,label\n".to_owned();
        for i in 0..10 + 4 * k {
            let (least, a, b) = if k < 2 { (0, 2, 2) } else { (-1, 3, 4) };
            let (a, b) = (random.below(a) as i64 + least, random.below(b) as i64 + least);
            // Each class has some rows; the last table is separable.
            let class = if i < 2 * labels.len() { i / 2 } else { random.below(labels.len()) };
            let a = if k == 3 { 9 * class as i64 + a } else { a };
            let b = if k == 3 && class == 1 { b + 30 } else { b };
            text += &format!("{a},{b},{}\n", labels[class]);
        }
        desk.write(&name, text);
        name
    };
    (0..4).map(table).collect()
}

/// The report without its options, the errors, the model and its answers; or the errors alone.
fn outcome(desk: &Desk, data: &str, options: &[&str]) -> (bool, String) {
    let options = options.join(" ");
    let done = desk.run(&format!("train {data} -o m --json --no-timing {options}"));
    if done.code != 0 {
        return (false, done.stderr);
    }
    let mut report: Value = serde_json::from_str(&done.stdout).unwrap();
    let all = report.as_object_mut().unwrap();
    all.retain(|key, _| !matches!(key.as_str(), "options" | "seed"));
    let answers = desk.succeed(&format!("predict m {data} --scores"));
    (true, format!("{report}{}{:?}{answers}", done.stderr, tensors(&desk.read("m"))))
}

/// The name of an option.
fn name(option: &str) -> &str {
    option.split(' ').next().unwrap()
}

/// Whether an option is what its default becomes beside the others, or matters in other data only: of several classes, with
/// more mistakes than are allowed, or with scores of exactly 0.
fn is_as_without(option: &str, others: &[&str], classes: usize) -> bool {
    let has = |name: &str| others.iter().any(|other| other.starts_with(name));
    let seldom_zero = [
        "--init random",
        "--update pa",
        "--update arow",
        "--update second-order",
        "--penalty",
        "--kernel",
        "--class-weight",
    ];
    match option {
        "--order given" => has("--epochs 1"),
        // Before more mistakes than are allowed, this order visits nothing.
        _ if has("--order mistaken") && has("--allow-mistakes") => true,
        "--epochs 3" | "--eta 1/t" => has("--allow-mistakes"),
        "--classes joint" => classes == 2 || !has("--keep"),
        "--mistake label" | "--zero negative" => seldom_zero.iter().any(|name| has(name)),
        _ => false,
    }
}

#[test]
fn each_option_has_an_effect_or_is_refused() {
    let cases = env::var("ROSENBLATT_SEARCH").map_or(24, |cases| cases.parse().unwrap());
    let desk = Desk::new();
    let (mut tried, mut silent) = (0, Vec::new());
    for labels in [&["n", "p"][..], &["n", "p", "q"]] {
        let family = family(&desk, labels);
        let mut random = Random(36);
        for _ in 0..cases {
            let mut options: Vec<&str> = Vec::new();
            for _ in 0..2 + random.below(3) {
                let option = OPTIONS[random.below(OPTIONS.len())];
                if !options.iter().any(|other| name(other) == name(option)) {
                    options.push(option);
                }
            }
            let with: Vec<_> = family.iter().map(|data| outcome(&desk, data, &options)).collect();
            if !with.iter().any(|(is_accepted, _)| *is_accepted) {
                continue;
            }
            tried += 1;
            for (k, option) in options.iter().enumerate() {
                let others = [&options[..k], &options[k + 1..]].concat();
                let is_same = |(data, with): (&String, &(bool, String))| {
                    outcome(&desk, data, &others) == *with
                };
                if !is_as_without(option, &others, labels.len())
                    && family.iter().zip(&with).all(is_same)
                {
                    silent.push(format!("{option} beside {others:?}, {} classes", labels.len()));
                }
            }
        }
    }
    assert!(tried > cases / 2, "{tried}");
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
#[allow(clippy::too_many_lines)] // one case after the other
fn refused_by_name() {
    let desk = Desk::new();
    let (two, three) =
        (family(&desk, &["n", "p"]).remove(0), family(&desk, &["n", "p", "q"]).remove(0));
    let refused = [
        (
            &two,
            "--order given --seed 5",
            "seed",
            "a run from zero or given weights in the given order draws nothing at random",
        ),
        (
            &two,
            "--order given --seed 5 --epochs 1 --kernel poly:2",
            "seed",
            "a run from zero or given weights in the given order draws nothing at random",
        ),
        (
            &two,
            "--order mistaken --hard 2",
            "hard",
            "an epoch of the order `mistaken` visits one example, always a mistake",
        ),
        (
            &two,
            "--kernel poly:2 --no-compare",
            "no-compare",
            "a run with a kernel, a penalty or classes learned together tries no pocket, and its average is the model",
        ),
        (
            &two,
            "--penalty l2:0.1 --keep average --no-compare",
            "no-compare",
            "a run with a kernel, a penalty or classes learned together tries no pocket, and its average is the model",
        ),
        (
            &three,
            "--positive p --classes joint",
            "classes",
            "with `--positive` there are two classes, which have one hyperplane",
        ),
        (
            &three,
            "--zero negative",
            "zero",
            "classes that are learned together are compared with one another, not with 0",
        ),
        (
            &three,
            "--zero negative --epochs 1",
            "zero",
            "classes that are learned together are compared with one another, not with 0",
        ),
    ];
    for (data, options, name, reason) in refused {
        let done = desk.run(&format!("train {data} {options}"));
        let expected = format!(
            "error: the option {name} has no effect: {reason}\nhint: leave out `--{name}`\n"
        );
        assert_eq!((done.code, done.stderr), (2, expected), "{options}");
        let others = options.split("--").filter(|word| !word.starts_with(name));
        desk.succeed(&format!("train {data} {}", others.collect::<Vec<_>>().join("--")));
    }
    for (options, name, reason) in [
        ("--classes joint", "classes", "a study has two classes"),
        (
            "--zero negative",
            "zero",
            "without `--mistake label` and `--holdout` a study predicts nothing",
        ),
    ] {
        let done = desk.run(&format!("study {two} {options}"));
        assert_eq!(done.code, 2);
        let expected = format!("the option {name} has no effect: {reason}");
        assert!(done.stderr.contains(&expected), "{}", done.stderr);
    }
    desk.succeed(&format!("study {two} --zero negative --mistake label --runs 2 --epochs 3"));
    for options in [
        "--order given --seed 0",
        "--order given --seed 5 --init random",
        "--order given --seed 5 --keep vote",
        "--order given --seed 5 --holdout 0.3",
        "--order given --seed 5 --folds 2",
        "--seed 5 --epochs 1",
        "--kernel poly:2 --keep last --no-compare",
        "--zero negative --positive p",
        "--no-compare",
    ] {
        desk.succeed(&format!("train {two} {options}"));
    }
    desk.succeed(&format!("train {three} --zero negative --classes one-vs-rest"));
    desk.succeed(&format!("train {three} --zero positive"));
    desk.succeed(&format!("train {three} --update arow:1 --no-compare"));
}

/// The options that `show` prints are accepted.
#[test]
fn options_of_a_model() {
    let desk = Desk::new();
    let two = family(&desk, &["n", "p"]).remove(0);
    desk.succeed(&format!("train {two} --order given --seed 5 --folds 2 -o m"));
    let shown = desk.succeed("show m");
    let options = shown.lines().find_map(|line| line.strip_prefix("options")).unwrap();
    desk.succeed(&format!("train {two} {options} -o again"));
    assert_eq!(tensors(&desk.read("m")), tensors(&desk.read("again")));
}

/// AND from weights of one's own: −1, ½ and the bias 0, by hand 13 updates in the given order. Weights that are right stay.
#[test]
fn weights_to_start_from() {
    let desk = Desk::with(&[("and.csv", "a,b,y\n0,0,no\n0,1,no\n1,0,no\n1,1,yes\n")]);
    let train = "train and.csv --order given --keep last --no-timing";
    let report = |options: &str| -> Value {
        serde_json::from_str(&desk.succeed(&format!("{train} --json {options}"))).unwrap()
    };
    let own = report("--scale none --start -1,0.5,0");
    assert_eq!((&own["updates"], &own["epochs"]), (&13.into(), &7.into()));
    assert_eq!((&own["options"]["init"], &own["novikoff_bound"]), (&"given".into(), &Value::Null));
    for options in ["--scale none", "--scale standard", "--scale minmax", "--epochs 1"] {
        let right = report(&format!("{options} --start 1,1,-1.5"));
        assert_eq!((&right["updates"], &right["epochs"]), (&0.into(), &1.into()), "{options}");
    }
    let text = desk.succeed(&format!("{train} --start 1,1,-1.5"));
    assert!(text.contains("from given weights") && text.contains("a 1, b 1; bias -1.5"), "{text}");
    let refused = [
        (
            "--start 1,1",
            "error: --start has 2 numbers, expected 3: a weight for each of the 2 features, then the bias\n\
                         hint: the features, in their order, are a, b\n",
        ),
        (
            "--start 1,1,1 --bias none",
            "error: --start has 3 numbers, expected 2: a weight for each of the 2 features\n\
                                       hint: the features, in their order, are a, b\n",
        ),
        (
            "--start 1,1,1 --kernel linear",
            "error: first weights that are given are no combination of rows, as a kernel needs\n\
                                           hint: leave out `--start`, or `--kernel` and `--keep vote`\n",
        ),
    ];
    for (options, expected) in refused {
        let done = desk.run(&format!("train and.csv {options}"));
        assert_eq!((done.code, done.stderr.as_str()), (2, expected), "{options}");
    }
    for options in [
        "--start 1,x,1",
        "--start 1,nan,1",
        "--start 1,1,1 --init zero",
        "--start 1,1,1 --checkpoint c",
    ] {
        assert_eq!(desk.run(&format!("train and.csv {options}")).code, 2, "{options}");
    }
    desk.succeed("study and.csv --runs 3 --start 1,1,-1.5");
}
