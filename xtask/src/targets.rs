//! The engine and the lab without its server compile for other processors: 32 bits, ARM and WebAssembly.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Outcome, cargo, root};

const TARGETS: [&str; 3] =
    ["i686-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "wasm32-unknown-unknown"];

/// The libraries, each in a call of its own, so that the features of one do not change the other.
const LIBRARIES: [&[&str]; 2] = [
    &["--package", "rosenblatt", "--lib"],
    &["--package", "rosenblatt-lab", "--lib", "--no-default-features"],
];

/// Checks every target whose standard library is installed or that rustup can install. Other targets are skipped.
pub(crate) fn check() -> Outcome {
    let (here, missing): (Vec<&str>, Vec<&str>) = TARGETS.into_iter().partition(|t| is_ready(t));
    // All targets are checked, also after one that fails.
    let (good, bad): (Vec<&str>, Vec<&str>) = here.iter().partition(|target| compiles(target));
    good.iter().for_each(|target| println!("{target}: checked"));
    bad.iter().for_each(|target| println!("{target}: does not compile"));
    missing.iter().for_each(|target| println!("not checked: no standard library for {target}"));
    match remark(&good, &missing) {
        _ if !bad.is_empty() => Outcome::Failed,
        Some(remark) => Outcome::PassedInPart(remark),
        None => Outcome::Passed,
    }
}

/// The remark for the summary where a target was skipped.
fn remark(checked: &[&str], missing: &[&str]) -> Option<String> {
    let checked = if checked.is_empty() { "nothing".to_owned() } else { checked.join(", ") };
    let skipped = missing.join(", ");
    (!missing.is_empty())
        .then(|| format!("checked {checked}; not checked: no standard library for {skipped}"))
}

fn compiles(target: &str) -> bool {
    let check = |library: &&[&str]| {
        let arguments = [&["check", "--quiet", "--target", target][..], library].concat();
        matches!(cargo(&arguments, &[]), Outcome::Passed)
    };
    LIBRARIES.iter().filter(|library| !check(library)).count() == 0
}

/// Whether the standard library of a target is installed, if need be by rustup now.
pub(crate) fn is_ready(target: &str) -> bool {
    has_library(target) || (add(target) && has_library(target))
}

fn has_library(target: &str) -> bool {
    let rustc = env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
    let mut ask = Command::new(rustc);
    ask.args(["--print", "target-libdir", "--target", target]).current_dir(root());
    let Ok(output) = ask.output() else { return false };
    let folder = String::from_utf8_lossy(&output.stdout);
    output.status.success() && Path::new(folder.trim()).is_dir()
}

fn add(target: &str) -> bool {
    rustup(&["target", "add", target])
}

/// Installs a part of the toolchain.
pub(crate) fn rustup(arguments: &[&str]) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(arguments).current_dir(root());
    // Where there is no network, the answer must not take long.
    rustup.envs([("RUSTUP_MAX_RETRIES", "0"), ("RUSTUP_DOWNLOAD_TIMEOUT", "30")]);
    rustup.output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_that_are_skipped_are_said() {
        assert_eq!(remark(&["a", "b"], &[]), None);
        let some = remark(&["a"], &["b", "c"]).unwrap();
        assert_eq!(some, "checked a; not checked: no standard library for b, c");
        let none = remark(&[], &["c"]).unwrap();
        assert_eq!(none, "checked nothing; not checked: no standard library for c");
    }

    #[test]
    fn a_target_that_does_not_exist_is_not_ready() {
        assert!(!has_library("a-processor-that-does-not-exist"));
    }
}
