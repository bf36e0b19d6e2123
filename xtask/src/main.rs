//! The project's own commands.
//!
//! ```text
//! cargo xtask check [--all] [--without-real-data] [STEP…]
//!     format, lints, modules, words, sizes, other processors, tests, examples, real data, suites, documentation,
//!     packages, fuzz targets, licences, identity, release files, the page of the lab and its engine, the book, Python,
//!     Spark; or the steps that are named. Says what ran, how long it took, and at the end again what a failed step wrote last
//! cargo xtask modules [FOLDER…]
//!     the step of the check that finds cycles of modules, alone; shows those of the folders that are named
//! cargo xtask words [--lower | --show [PART]]
//!     the step that counts words and names to avoid, alone; lowers the allowances in xtask/words.toml; shows all
//!     places, or those of words that contain PART
//! cargo xtask sizes [--lower]
//!     the step that measures functions, alone; or lowers the limits in xtask/sizes.toml
//! cargo xtask targets
//!     the step that checks the libraries for other processors, alone
//! cargo xtask page
//!     checks the page of the lab and builds what is inside the command; needs npm
//! cargo xtask engine
//!     builds the engine inside the page, a WebAssembly module; needs npm and the standard library of that target
//! cargo xtask site
//!     writes static files for any server of files to target/site: the lab with the engine inside
//! cargo xtask python
//!     the step of the check that builds and tests the Python package, alone
//! cargo xtask spark
//!     the step of the check that tests the Python package on Apache Spark, alone; needs Java
//! cargo xtask book
//!     builds the book from docs/ and the sources, under target/site/book; a step of the check; needs Python
//! cargo xtask licences [--check]
//!     writes THIRD-PARTY-LICENSES.md, which the check compares; or does that step of the check, alone
//! cargo xtask identity [--check]
//!     writes what depends on project.toml: manifests, how to install, links; or does that step of the check, alone
//! cargo xtask release [TARGET…] [wheels]
//!     the files of a release, under target/release-artefacts, in place of those of an earlier call: all that this system can
//!     link, or what is named; needs Python, PyPI and rustup
//! cargo xtask fuzz --minutes N [--nice] [TARGET…]
//!     builds the fuzz targets, all or those that are named, and runs each so long; says what was executed and found
//! cargo xtask paper [DEGREE…]
//!     the table of Freund & Schapire (1999) from MNIST's files; writes docs/freund-schapire.md
//! cargo xtask bench [--quick] [--accept-losses] [NAME…]
//!     our speed, that of others and the machine's, on the same work; writes docs/performance.md
//! ```
//!
//! A step whose means are missing is skipped and said so; with `--all` a skip is a failure.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a command for developers

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Instant,
};

mod accuracy;
mod bench;
mod book;
mod command;
mod engine;
mod examples;
mod fuzz;
mod identity;
mod licences;
mod modules;
mod packages;
mod page;
mod paper;
mod python;
mod release;
mod release_files;
mod rust_source;
mod sdist;
mod site;
mod sizes;
mod targets;
mod words;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["check", words @ ..] if words.iter().all(|word| is_flag(word) || is_step(word)) => {
            let (flags, names): (Vec<&str>, Vec<&str>) =
                words.iter().partition(|word| is_flag(word));
            check(&flags, &names)
        }
        ["page"] => alone(page::build),
        ["engine"] => alone(engine::build),
        ["site"] => alone(whole_site),
        ["python"] => alone(python::check),
        ["spark"] => alone(python::check_spark),
        ["modules", named @ ..] => alone(|| modules::run(named)),
        ["words"] => alone(words::check),
        ["words", "--lower"] => alone(words::lower),
        ["words", "--show"] => alone(|| words::show("")),
        ["words", "--show", part] => alone(|| words::show(part)),
        ["sizes"] => alone(sizes::check),
        ["sizes", "--lower"] => alone(sizes::lower),
        ["targets"] => alone(targets::check),
        ["book"] => alone(book::build),
        ["identity"] => alone(identity::write),
        ["identity", "--check"] => alone(identity::check),
        ["licences"] => alone(licences::write),
        ["licences", "--check"] => alone(licences::check),
        ["paper", degrees @ ..] => match paper::degrees(degrees) {
            Some(degrees) => paper::run(&degrees, data_folder(), root()),
            None => {
                eprintln!("usage: cargo xtask paper [DEGREE…], with degrees from 1 to 6");
                ExitCode::from(2)
            }
        },
        ["release", words @ ..] => release::run(words),
        ["fuzz", words @ ..] => fuzz::run(words, root()),
        ["accuracy", words @ ..] => match accuracy::run(words) {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                eprintln!("{problem}");
                ExitCode::FAILURE
            }
        },
        ["bench", words @ ..] => bench::run(words, root()),
        [bench::MEASURE, command @ ..] => bench::measure(command),
        _ => {
            eprintln!("usage: cargo xtask {COMMANDS}");
            ExitCode::from(2)
        }
    }
}

const COMMANDS: &str = "check [--all] [--without-real-data] [STEP…] | modules [FOLDER…] \
    | words [--lower | --show [PART]] | sizes [--lower] | targets | page | engine | site | book | python | spark | licences [--check] | identity [--check] | release [TARGET…] [wheels] \
    | fuzz --minutes N [--nice] [TARGET…] | paper [DEGREE…] | accuracy [members] [NAME…] | bench [--quick] [--accept-losses] [NAME…]";

const FLAGS: [&str; 2] = ["--all", "--without-real-data"];

/// How a step ended.
enum Outcome {
    Passed,
    /// Passed, with a remark on a part that was left out.
    PassedInPart(String),
    Failed,
    Skipped(String),
}

/// A step of the check: its name and what it does.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
}

const REAL_DATA: &str = "real data";

/// The features that read Parquet and Arrow files.
const COLUMNAR: &str = "rosenblatt-cli/columnar,rosenblatt-probes/columnar";

/// The command that people are given.
const COLUMNAR_COMMAND: [&str; 4] = ["--package", "rosenblatt-cli", "--features", "columnar"];

/// All tests of Rust code. The Python package has none, and without it the libraries have the features that they have in
/// `xtask` and in the command, so that one build of them serves all three.
const TESTS: [&str; 6] =
    ["test", "--workspace", "--exclude", "rosenblatt-python", "--features", COLUMNAR];

/// The lints of what only the feature `columnar` builds.
const COLUMNAR_LINTS: [&str; 13] = [
    "clippy",
    "--package",
    "rosenblatt-data",
    "--package",
    "rosenblatt-cli",
    "--package",
    "rosenblatt-probes",
    "--all-targets",
    "--features",
    COLUMNAR,
    "--",
    "-D",
    "warnings",
];

const STEPS: [Step; 25] = [
    Step { name: "format", run: || component("fmt", &["fmt", "--all", "--check"], &[]) },
    Step {
        name: "lints",
        run: || {
            let plain = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
            match component("clippy", &plain, &[]) {
                Outcome::Passed => component("clippy", &COLUMNAR_LINTS, &[]),
                other => other,
            }
        },
    },
    Step { name: "modules", run: modules::check },
    Step { name: "words", run: words::check },
    Step { name: "sizes", run: sizes::check },
    Step { name: "other processors", run: targets::check },
    Step { name: "tests", run: || cargo(&TESTS, &[]) },
    // Without the feature every result is the same to the last bit.
    Step {
        name: "engine without fast",
        run: || cargo(&["test", "--package", "rosenblatt", "--no-default-features"], &[]),
    },
    Step { name: "register levels", run: register_levels },
    // What a plain build says of files that it cannot read; the next step builds the same.
    Step {
        name: "tests, plain build",
        run: || cargo(&["test", "--package", "rosenblatt-cli", "--test", "packing"], &[]),
    },
    Step { name: "examples", run: examples::check },
    Step { name: REAL_DATA, run: real_data },
    Step { name: "suites", run: suites },
    Step {
        name: "documentation",
        run: || cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")]),
    },
    Step { name: "packages", run: packages::check },
    Step { name: "fuzz targets build", run: fuzz_targets },
    Step { name: "licences", run: licences::check },
    Step { name: "identity", run: identity::check },
    Step { name: "release files", run: release_files::check },
    Step { name: "page", run: page::check },
    Step { name: "engine of the page", run: engine::check },
    Step { name: "browser", run: page::browser },
    Step { name: "book", run: book::check },
    Step { name: "python", run: python::check },
    Step { name: "spark", run: python::check_spark },
];

/// The lab and the book as static files.
fn whole_site() -> Outcome {
    match site::write() {
        Outcome::Passed => book::build(),
        other => other,
    }
}

/// Does one thing, without which there is nothing to do.
fn alone(run: impl FnOnce() -> Outcome) -> ExitCode {
    match run() {
        Outcome::Passed | Outcome::PassedInPart(_) => ExitCode::SUCCESS,
        Outcome::Failed => ExitCode::FAILURE,
        Outcome::Skipped(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn is_flag(word: &str) -> bool {
    FLAGS.contains(&word)
}

fn is_step(word: &str) -> bool {
    STEPS.iter().any(|step| step.name == word)
}

/// Runs the named steps, or all.
fn check(flags: &[&str], names: &[&str]) -> ExitCode {
    let all = flags.contains(&"--all");
    let with_real_data = !flags.contains(&"--without-real-data");
    let is_meant = |step: &&Step| match names {
        [] => with_real_data || step.name != REAL_DATA,
        names => names.contains(&step.name),
    };
    let mut ended = Vec::new();
    for Step { name, run } in STEPS.iter().filter(is_meant) {
        println!("== {name}");
        let begun = Instant::now();
        let outcome = run();
        ended.push((name, outcome, begun.elapsed(), command::last_lines()));
    }
    for (name, .., last_lines) in ended.iter().filter(|step| matches!(step.1, Outcome::Failed)) {
        println!("\n== the last lines of {name}");
        last_lines.iter().for_each(|line| println!("{line}"));
    }
    println!("\n== summary");
    let mut good = true;
    for (name, outcome, took, _) in &ended {
        let text = match outcome {
            Outcome::Passed => "passed".to_owned(),
            Outcome::PassedInPart(remark) => format!("passed: {remark}"),
            Outcome::Failed => "FAILED".to_owned(),
            Outcome::Skipped(why) => format!("skipped: {why}"),
        };
        println!("{name:20} {:4} s  {text}", took.as_secs());
        good &= match outcome {
            Outcome::Passed | Outcome::PassedInPart(_) => true,
            Outcome::Failed => false,
            Outcome::Skipped(_) => !all,
        };
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The folder with the real data sets: named by `ROSENBLATT_DATA`, or `../shared/data`.
fn data_folder() -> Option<PathBuf> {
    let beside = root().join("../shared/data");
    let folder = env::var_os("ROSENBLATT_DATA").map_or(beside, PathBuf::from);
    folder.is_dir().then(|| folder.canonicalize().unwrap_or(folder))
}

fn real_data() -> Outcome {
    match data_folder() {
        None => Outcome::Skipped("ROSENBLATT_DATA names no folder with the data sets".to_owned()),
        Some(folder) => cargo(
            &["test", "--package", "rosenblatt-cli", "--test", "real_data"],
            &[("ROSENBLATT_DATA", &folder.to_string_lossy())],
        ),
    }
}

/// The folder with Apache's files of Parquet and Arrow: named by `ROSENBLATT_SUITES`, or `../shared/suites`.
fn suites_folder() -> Option<PathBuf> {
    let beside = root().join("../shared/suites");
    env::var_os("ROSENBLATT_SUITES").map_or(beside, PathBuf::from).canonicalize().ok()
}

fn suites() -> Outcome {
    match suites_folder() {
        None => Outcome::Skipped("ROSENBLATT_SUITES names no folder with the suites".to_owned()),
        // With the build of all tests.
        Some(folder) => cargo(
            &[&TESTS[..], &["--test", "suites"]].concat(),
            &[("ROSENBLATT_SUITES", &folder.to_string_lossy())],
        ),
    }
}

/// The engine's runs with known results, and its comparison with the reference, with the registers of each level.
fn register_levels() -> Outcome {
    let tests = ["--test", "engine", "--", "cases::", "same_bits::", "kernels::", "votes::"];
    let arguments = [&TESTS[..], &tests].concat();
    for level in ["portable", "avx2", "avx512"] {
        match cargo(&arguments, &[("ROSENBLATT_SIMD", level)]) {
            Outcome::Passed => {}
            other => return other,
        }
    }
    Outcome::Passed
}

/// The fuzz targets, a workspace of their own, still compile. libFuzzer is C++.
fn fuzz_targets() -> Outcome {
    if Command::new("c++").arg("--version").output().is_err() {
        return Outcome::Skipped("there is no C++ compiler `c++`".to_owned());
    }
    let check = ["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target/fuzz"];
    cargo(&check, &[("RUSTFLAGS", "--cfg fuzzing")])
}

/// Runs a part of the toolchain that may not be installed.
fn component(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Outcome {
    let there = Command::new(cargo_path()).args([name, "--version"]).output();
    if there.is_ok_and(|output| output.status.success()) {
        cargo(arguments, environment)
    } else {
        Outcome::Skipped(format!("`cargo {name}` is not installed (rustup component add {name})"))
    }
}

fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Outcome {
    cargo_in(root(), arguments, environment)
}

fn cargo_in(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Outcome {
    let mut cargo = Command::new(cargo_path());
    command::run(cargo.args(arguments).envs(environment.iter().copied()).current_dir(folder))
}

fn cargo_path() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}
