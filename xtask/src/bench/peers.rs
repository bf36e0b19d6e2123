//! Other tools, in a virtual environment of their own.

use std::{
    ffi::{OsStr, OsString},
    fs,
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
    pub(super) python: PathBuf,
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
        let seed = seed.to_string();
        let words = [self.script.as_os_str(), task.as_ref(), folder.as_ref(), seed.as_ref()];
        self.script(&words)
    }

    /// Runs a script that measures itself; its path comes first.
    pub(super) fn script(&self, words: &[impl AsRef<OsStr>]) -> Result<Sample, Failure> {
        if let Some(why) = &self.missing {
            return Err(why.clone().into());
        }
        let output = Command::new(&self.python).args(words).stdin(Stdio::null()).output()?;
        Sample::of(&last_json(&output)?).ok_or_else(|| "a script said nothing".into())
    }

    /// Builds our package for Python as it is released, and installs it beside the others.
    pub(super) fn install_ours(&self, root: &Path) -> Result<(), Failure> {
        if let Some(why) = &self.missing {
            return Err(why.clone().into());
        }
        println!("building the package for Python");
        let wheels = root.join("target/bench/wheels");
        if wheels.exists() {
            fs::remove_dir_all(&wheels)?;
        }
        let pip = |words: &[&str]| {
            let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
            let words: Vec<OsString> = quiet.iter().chain(words).map(OsString::from).collect();
            words
        };
        let build = ["-m", "maturin", "build", "--quiet", "--release", "--manifest-path"];
        let mut build: Vec<OsString> = build.map(OsString::from).into();
        let paths = [root.join("python/Cargo.toml"), "--out".into(), wheels.clone()];
        build.extend(paths.map(OsString::from));
        self.module(&pip(&["maturin>=1.9,<2"]))?;
        self.module(&build)?;
        let wheel = fs::read_dir(&wheels)?.next().ok_or("maturin made no wheel")??.path();
        let mut install = pip(&["--force-reinstall", "--no-deps"]);
        install.push(wheel.into());
        self.module(&install)
    }

    fn module(&self, words: &[OsString]) -> Result<(), Failure> {
        let output = Command::new(&self.python).args(words).output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}
