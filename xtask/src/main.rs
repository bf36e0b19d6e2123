//! The project's own commands.
//!
//! ```text
//! cargo xtask check [--all] [--without-real-data] [STEP…]
//!     the steps below, or those that are named. Steps of Rust code run beside those of the page, the book and Python. Says
//!     what ran, how long it took, which tests took longest, and at the end again what a failed step wrote last
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
//! ```
//!
//! A step whose means are missing is skipped and said so; with `--all` a skip is a failure.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a command for developers

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    thread,
    time::{Duration, Instant},
};

mod book;
mod command;
mod documentation;
mod engine;
mod examples;
mod fuzz;
mod licences;
mod packages;
mod page;
mod python;
mod release;
mod release_files;
mod site;
mod slowest;
mod targets;

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
        ["targets"] => alone(targets::check),
        ["book"] => alone(book::build),
        ["identity"] => alone(|| python::program("xtask/identity.py", &[VERSION])),
        ["identity", "--check"] => {
            alone(|| python::program("xtask/identity.py", &[VERSION, "--check"]))
        }
        ["licences"] => alone(licences::write),
        ["licences", "--check"] => alone(licences::check),
        ["release", words @ ..] => release::run(words),
        ["fuzz", words @ ..] => fuzz::run(words, root()),
        _ => {
            eprintln!("usage: cargo xtask {COMMANDS}");
            ExitCode::from(2)
        }
    }
}

const COMMANDS: &str = "check [--all] [--without-real-data] [STEP…] | targets | page | engine | site | book | python | spark \
    | licences [--check] | identity [--check] | release [TARGET…] [wheels] | fuzz --minutes N [--nice] [TARGET…]";

const VERSION: &str = env!("CARGO_PKG_VERSION");

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
    lane: Lane,
}

/// Steps of one lane run one after the other, beside those of the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Rust,
    /// The page, the book and Python.
    Other,
}

/// What came of a step: its outcome, its time and the last lines that it wrote.
type Ended = (&'static str, Outcome, Duration, Vec<String>);

const REAL_DATA: &str = "real data";

/// The features that read Parquet and Arrow files.
const COLUMNAR: &str = "rosenblatt-cli/columnar,rosenblatt-probes/columnar";

/// The command that people are given.
const COLUMNAR_COMMAND: [&str; 4] = ["--package", "rosenblatt-cli", "--features", "columnar"];

/// All tests of Rust code. The Python package has none, and without it the libraries have the features that they have in
/// `xtask` and in the command, so that one build of them serves all three.
const TESTS: [&str; 6] =
    ["test", "--workspace", "--exclude", "rosenblatt-python", "--features", COLUMNAR];

/// The command, built as the tests build it, so that steps that run at the same time leave it as it is.
const COMMAND: [&str; 7] = [
    "build",
    "--workspace",
    "--exclude",
    "rosenblatt-python",
    "--features",
    COLUMNAR,
    "--bin=rosenblatt",
];

const STEPS: [Step; 24] = [
    rust("format", || component("fmt", &["fmt", "--all", "--check"], &[])),
    rust("lints", || {
        let lints = ["clippy", "--workspace", "--all-targets", "--features", COLUMNAR];
        component("clippy", &[&lints[..], &["--", "-D", "warnings"]].concat(), &[])
    }),
    rust("other processors", targets::check),
    rust("tests", || cargo(&TESTS, &[])),
    // Without the feature every result is the same to the last bit.
    rust("engine without fast", || {
        let crates = ["rosenblatt-exact", "rosenblatt-core", "rosenblatt-proofs", "rosenblatt"];
        let packages = crates.iter().flat_map(|name| ["--package", name]);
        let arguments = ["test", "--no-default-features", "--features", "rosenblatt-proofs/search"];
        // Random tests draw a quarter of the cases of the step before.
        let cases = ("PROPTEST_CASES", "64");
        cargo(&arguments.into_iter().chain(packages).collect::<Vec<_>>(), &[cases])
    }),
    // Certificates are checked by code that shares nothing with the search.
    rust("checkers alone", || {
        cargo(&["check", "--package", "rosenblatt-proofs", "--no-default-features"], &[])
    }),
    rust("register levels", register_levels),
    // What a plain build says of files that it cannot read; in a folder of its own, because the other lane builds the command that
    // can.
    rust("tests, plain build", || {
        let tests = ["test", "--package", "rosenblatt-cli", "--test", "packing"];
        cargo(&[&tests[..], &["--target-dir", "target/plain"]].concat(), &[])
    }),
    rust("examples", examples::check),
    rust(REAL_DATA, real_data),
    rust("suites", suites),
    rust("documentation", documentation::check),
    rust("packages", packages::check),
    rust("fuzz targets build", fuzz_targets),
    other("spelling", python::spelling),
    other("licences", licences::check),
    other("identity", || python::program("xtask/identity.py", &[VERSION, "--check"])),
    other("page", page::check),
    other("browser", page::browser),
    other("book", book::check),
    other("python", python::check),
    other("spark", python::check_spark),
    other("release files", release_files::check),
    other("engine of the page", engine::check),
];

const fn rust(name: &'static str, run: fn() -> Outcome) -> Step {
    Step { name, run, lane: Lane::Rust }
}

const fn other(name: &'static str, run: fn() -> Outcome) -> Step {
    Step { name, run, lane: Lane::Other }
}

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

fn run_step(step: &Step) -> Ended {
    command::say(&format!("== {}", step.name));
    let begun = Instant::now();
    let outcome = (step.run)();
    let took = begun.elapsed();
    command::show_output();
    (step.name, outcome, took, command::last_lines())
}

/// Runs the named steps, or all.
fn check(flags: &[&str], names: &[&str]) -> ExitCode {
    let all = flags.contains(&"--all");
    let with_real_data = !flags.contains(&"--without-real-data");
    let is_meant = |step: &&Step| match names {
        [] => with_real_data || step.name != REAL_DATA,
        names => names.contains(&step.name),
    };
    let chosen: Vec<&Step> = STEPS.iter().filter(is_meant).collect();
    let lane = |lane| chosen.iter().copied().filter(move |step| step.lane == lane);
    let beside = lane(Lane::Rust).next().is_some() && lane(Lane::Other).next().is_some();
    let (mut ended, others) = thread::scope(|scope| {
        let others = scope.spawn(|| {
            if beside {
                command::keep_output();
            }
            lane(Lane::Other).map(run_step).collect::<Vec<_>>()
        });
        (lane(Lane::Rust).map(run_step).collect::<Vec<_>>(), others.join())
    });
    match others {
        Ok(others) => ended.extend(others),
        Err(panic) => std::panic::resume_unwind(panic),
    }
    for (name, .., last_lines) in ended.iter().filter(|step| matches!(step.1, Outcome::Failed)) {
        println!("\n== the last lines of {name}");
        last_lines.iter().for_each(|line| println!("{line}"));
    }
    slowest::show();
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
    let tests = ["--test", "runs", "--", "cases::", "same_bits::", "kernels::", "votes::"];
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
    // With the project's own profiles and folder, so that what others have written is checked already.
    let check = ["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target"];
    cargo(&[&check[..], &["--config", "Cargo.toml"]].concat(), &[])
}

/// Runs a program of the project that needs its libraries, built as the tests are.
fn example(name: &str, words: &[&OsStr]) -> Outcome {
    match cargo(&[&["build", "--quiet"], &TESTS[1..], &["--example", name]].concat(), &[]) {
        Outcome::Passed => {}
        other => return other,
    }
    let Some(program) = command::built(&format!("examples/{name}")) else { return Outcome::Failed };
    command::run(Command::new(program).args(words).current_dir(root()))
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
