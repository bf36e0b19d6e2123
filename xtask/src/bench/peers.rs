//! Other tools, in a virtual environment of their own.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use super::{
    Failure,
    measure::{Sample, last_json},
};

/// What the others need to begin with, and each of them.
const PACKAGES: [&str; 6] =
    ["numpy", "scipy", "scikit-learn", "polars", "vowpalwabbit", "liblinear-official"];

/// A Python with the other tools, as far as they could be installed.
pub(super) struct Peers {
    python: PathBuf,
    script: PathBuf,
    /// Why there is no Python at all.
    missing: Option<String>,
}

impl Peers {
    /// Installs what is missing. What cannot be installed shows when it is to run.
    pub(super) fn install(root: &Path) -> Self {
        let venv = root.join("target/bench/venv");
        let python = venv.join("bin/python");
        let script = root.join("xtask/src/bench/peers.py");
        let mut peers = Peers { python, script, missing: None };
        if !peers.python.exists() {
            println!("installing the other tools");
            let make = ["-m", "venv"];
            let made = Command::new("python3").args(make).arg(&venv).status();
            if !made.is_ok_and(|status| status.success()) {
                peers.missing = Some("`python3 -m venv` does not work here".to_owned());
                return peers;
            }
        }
        let there = peers.versions();
        for package in PACKAGES.into_iter().filter(|&package| there[package].is_null()) {
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
            let status = Command::new(&peers.python).args(install).arg(package).status();
            if !status.is_ok_and(|status| status.success()) {
                println!("{package} cannot be installed");
            }
        }
        peers
    }

    /// The versions of what is there, by name.
    pub(super) fn versions(&self) -> Value {
        let output = Command::new(&self.python).arg(&self.script).arg("versions").output();
        output.ok().and_then(|output| last_json(&output).ok()).unwrap_or(Value::Null)
    }

    /// Lets a tool do a task on the files of a folder.
    pub(super) fn run(&self, task: &str, folder: &Path, seed: usize) -> Result<Sample, Failure> {
        if let Some(why) = &self.missing {
            return Err(why.clone().into());
        }
        let mut command = Command::new(&self.python);
        command.arg(&self.script).arg(task).arg(folder).arg(seed.to_string());
        let output = command.stdin(Stdio::null()).output()?;
        Sample::of(&last_json(&output)?).ok_or_else(|| format!("{task} said nothing").into())
    }
}
