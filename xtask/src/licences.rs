//! The licences of all crates: `xtask/licences.py` compares them with `deny.toml` and writes the notices.

use std::process::Command;

use crate::{COLUMNAR, Outcome, cargo, cargo_path, command::say, python};

/// The step of the check. Known faults of crates are looked for only where cargo-deny and its registry are at hand.
pub(crate) fn check() -> Outcome {
    match run(&["--check"]) {
        Outcome::Passed => {}
        other => return other,
    }
    let home = std::env::var_os("CARGO_HOME").map(Into::into);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let tool = Command::new(cargo_path()).args(["deny", "--version"]).output();
    let is_here = tool.is_ok_and(|output| output.status.success())
        && home.is_some_and(|home| home.join("advisory-dbs").is_dir());
    if is_here {
        return cargo(&["deny", "--offline", "check", "advisories"], &[]);
    }
    say("advisories: NOT CHECKED (cargo install cargo-deny; cargo deny fetch)");
    Outcome::Passed
}

/// Writes `THIRD-PARTY-LICENSES.md`.
pub(crate) fn write() -> Outcome {
    run(&[])
}

fn run(more: &[&str]) -> Outcome {
    let cargo = cargo_path();
    let cargo = cargo.to_string_lossy();
    let words = [&[cargo.as_ref(), COLUMNAR], more].concat();
    python::program("xtask/licences.py", &words)
}
