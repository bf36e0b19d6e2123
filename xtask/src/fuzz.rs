//! `cargo xtask fuzz`: the fuzz targets, built and run one after the other.
//!
//! They are built as cargo-fuzz builds them, which is not needed: with the coverage that libFuzzer follows and the address
//! sanitizer, by flags that a stable compiler takes when `RUSTC_BOOTSTRAP` is set.

use std::{
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use crate::{Outcome, example};

/// How it is asked for.
pub(crate) const USAGE: &str = "usage: cargo xtask fuzz --minutes N [--nice] [TARGET…]";

const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Zsanitizer=address \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

/// How long the inputs of a target may get: long ones make slow fuzzing, but files of columns are long.
fn longest(target: &str) -> usize {
    if ["parquet", "arrow", "workbook"].contains(&target) { 1 << 16 } else { 4096 }
}

/// A packed file stays mapped until its process ends, so a process looks at no more than so many.
const MAPPED: &str = "20000";

/// What is asked for.
struct Plan {
    minutes: u64,
    is_nice: bool,
    targets: Vec<String>,
}

/// What came of one target.
struct Ran {
    executions: u64,
    /// Files with the inputs that were found wanting.
    findings: Vec<PathBuf>,
    /// A process that failed without leaving one.
    is_broken: bool,
}

/// Builds and runs the targets that are named, or all of them.
pub(crate) fn run(words: &[&str], root: &Path) -> ExitCode {
    let all = match targets(root) {
        Ok(all) => all,
        Err(error) => return failed(&format!("fuzz/fuzz_targets: {error}")),
    };
    let Some(plan) = Plan::of(words, &all) else {
        eprintln!("{USAGE}\ntargets: {}", all.join(" "));
        return ExitCode::from(2);
    };
    if Command::new("c++").arg("--version").output().is_err() {
        return failed("there is no C++ compiler `c++`, which builds libFuzzer");
    }
    let Some(host) = host() else {
        return failed("`rustc -vV` does not say for which machine it is");
    };
    let folder = root.join("target/fuzz");
    if !build(&plan.targets, &host, root) {
        return failed(
            "the targets were not built. That takes the address sanitizer of the toolchain: of the Rust project's \
             toolchains those for Linux and macOS on x86-64 and AArch64 have it",
        );
    }
    let paths = [Some(root.to_owned()), Some(folder.join("seeds")), super::suites_folder()];
    let paths: Vec<&OsStr> = paths.iter().flatten().map(|path| path.as_os_str()).collect();
    if !matches!(example("seeds", &paths), Outcome::Passed) {
        return failed("the inputs to begin with were not written");
    }
    let mut good = true;
    println!("{:15} {:>12} {:>10}  findings", "target", "executions", "a second");
    for target in &plan.targets {
        let binary = folder.join(&host).join("release").join(target);
        let started = Instant::now();
        match fuzz(target, &plan, &binary, root) {
            Ok(ran) => {
                let rate = ran.executions as f64 / started.elapsed().as_secs_f64();
                println!(
                    "{target:15} {:>12} {rate:>10.0}  {}",
                    ran.executions,
                    ran.found(&folder, target)
                );
                good &= ran.findings.is_empty() && !ran.is_broken;
            }
            Err(error) => return failed(&format!("{}: {error}", binary.display())),
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn failed(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::FAILURE
}

impl Plan {
    fn of(words: &[&str], all: &[String]) -> Option<Self> {
        let mut plan = Plan { minutes: 0, is_nice: false, targets: Vec::new() };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--minutes" => plan.minutes = words.next()?.parse().ok()?,
                "--nice" => plan.is_nice = true,
                name => plan.targets.push(all.iter().find(|target| *target == name)?.clone()),
            }
        }
        if plan.targets.is_empty() {
            plan.targets = all.to_vec();
        }
        (plan.minutes > 0).then_some(plan)
    }
}

/// The names of all targets.
fn targets(root: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("fuzz/fuzz_targets"))? {
        names.extend(entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort_unstable();
    Ok(names)
}

/// The machine for which the compiler builds.
fn host() -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = String::from_utf8(Command::new(rustc).arg("-vV").output().ok()?.stdout).ok()?;
    said.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

fn build(targets: &[String], host: &str, root: &Path) -> bool {
    let mut cargo = Command::new(super::cargo_path());
    cargo.args(["build", "--release", "--manifest-path", "fuzz/Cargo.toml"]);
    cargo.args(["--target-dir", "target/fuzz", "--target", host]);
    for target in targets {
        cargo.args(["--bin", target]);
    }
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", FLAGS).current_dir(root);
    cargo.status().is_ok_and(|status| status.success())
}

/// Runs one target for its time, from the corpus of earlier runs, the seeds and what was found before.
fn fuzz(target: &str, plan: &Plan, binary: &Path, root: &Path) -> io::Result<Ran> {
    let folder = root.join("target/fuzz");
    let artifacts = folder.join("artifacts").join(target);
    let kept = root.join("crates/rosenblatt-probes/tests/found_inputs").join(target);
    let inputs = [folder.join("corpus").join(target), folder.join("seeds").join(target), kept];
    for needed in inputs.iter().chain([&artifacts, &folder.join("logs")]) {
        fs::create_dir_all(needed)?;
    }
    let before = files(&artifacts)?;
    let mut ran = Ran { executions: 0, findings: Vec::new(), is_broken: false };
    let mut log = Vec::new();
    let end = Instant::now() + Duration::from_secs(60 * plan.minutes);
    while let left @ 1.. = end.saturating_duration_since(Instant::now()).as_secs() {
        let mut command = match plan.is_nice {
            true => Command::new("nice"),
            false => Command::new(binary),
        };
        if plan.is_nice {
            command.args(["-n", "15"]).arg(binary);
        }
        command.args(["-rss_limit_mb=2048", "-timeout=20", "-print_final_stats=1"]);
        command.arg(format!("-max_len={}", longest(target)));
        command.arg(format!("-max_total_time={left}"));
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        if target == "packed" {
            command.arg(format!("-runs={MAPPED}"));
        }
        let output = command.args(&inputs).stdin(Stdio::null()).output()?;
        ran.executions += executions(&output.stderr);
        log.extend(output.stderr);
        fs::write(folder.join("logs").join(target).with_extension("log"), &log)?;
        if !output.status.success() {
            ran.findings = files(&artifacts)?;
            ran.findings.retain(|file| !before.contains(file));
            ran.is_broken = ran.findings.is_empty();
            break;
        }
    }
    Ok(ran)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// How often a target was run, as libFuzzer says at its end.
fn executions(log: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(log);
    let said =
        text.lines().rev().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    said.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

impl Ran {
    fn found(&self, folder: &Path, target: &str) -> String {
        let log = folder.join("logs").join(target).with_extension("log");
        match self.findings.as_slice() {
            [] if self.is_broken => format!("none, but it failed: {}", log.display()),
            [] => "none".to_owned(),
            files => {
                let names: Vec<String> =
                    files.iter().map(|file| file.display().to_string()).collect();
                format!("{}, see {}", names.join(" "), log.display())
            }
        }
    }
}
