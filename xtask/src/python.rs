//! The Python package: formatting, lints, types, stubs and tests. One virtual environment under `target/python` has all
//! that the check takes from PyPI; only the part for Spark has one of its own, `target/spark`, because PySpark needs an older pandas.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::{
    Outcome, VERSION, cargo_path,
    command::{self, failed},
    root, slowest,
};

/// What is checked before the tests, in the order in which a fault is cheapest to understand.
const CHECKS: [&[&str]; 4] = [
    &["ruff", "format", "--check", "--quiet", ".", "../book"],
    &["ruff", "check", "--quiet", ".", "../book"],
    &["mypy", "rosenblatt"],
    &["mypy.stubtest", "--mypy-config-file", "pyproject.toml", "rosenblatt._native"],
];

/// All tests: examples of docstrings and of the README, and `tests`. What `--no-skips` says is in
/// `python/tests/conftest.py`.
const TESTS: [&str; 11] = [
    "pytest",
    "--numprocesses=auto",
    "--quiet",
    "--no-header",
    "--no-skips",
    "--durations=10",
    "--doctest-modules",
    "--doctest-glob=README.md",
    "README.md",
    "rosenblatt",
    "tests",
];

/// The tests of `rosenblatt.spark`, which the other environment leaves out.
const SPARK_TESTS: [&str; 5] = ["pytest", "--quiet", "--no-header", "--no-skips", "tests/spark"];

/// The requirements of the environment.
const REQUIREMENTS: &[&str] =
    &["requirements-dev.txt", "requirements-release.txt", "../book/requirements.txt"];

/// Those of the part for Spark.
const SPARK: &[&str] = &["requirements-dev.txt", "requirements-spark.txt"];

/// Why there is no environment.
pub(crate) const MISSING: &str =
    "there is no Python of at least 3.10 with `venv` (PYTHON names one)";

fn folder() -> PathBuf {
    root().join("python")
}

/// Builds the package and checks it.
pub(crate) fn check() -> Outcome {
    let Some(interpreter) = Interpreter::find() else {
        return Outcome::Skipped(MISSING.to_owned());
    };
    let environment = Environment::plain();
    let checked = || {
        let failed = CHECKS.iter().filter(|words| environment.run(words, &[]).is_none());
        failed.count() == 0
    };
    let ready = environment.install(&interpreter) && environment.build();
    // A fault of the one does not hide those of the other.
    let passed = ready && [checked(), environment.test(&TESTS)] == [true, true];
    if passed { Outcome::Passed } else { Outcome::Failed }
}

/// Checks the types and runs the tests of `rosenblatt.spark`, with PySpark and Java.
pub(crate) fn check_spark() -> Outcome {
    let Some(interpreter) = Interpreter::find() else {
        return Outcome::Skipped(MISSING.to_owned());
    };
    let java = Command::new("java").arg("-version").output();
    if !java.is_ok_and(|output| output.status.success()) {
        return Outcome::Skipped(
            "there is no `java`, which Spark needs: version 17 or 21".to_owned(),
        );
    }
    let environment = Environment { folder: root().join("target/spark"), requirements: SPARK };
    let ready = environment.install(&interpreter) && environment.build();
    let checked = || environment.run(&["mypy", "--package", "rosenblatt.spark"], &[]).is_some();
    let passed = ready && [checked(), environment.test(&SPARK_TESTS)] == [true, true];
    if passed { Outcome::Passed } else { Outcome::Failed }
}

/// The Python of the environment, or why there is none.
pub(crate) fn ready() -> Result<PathBuf, Outcome> {
    let interpreter = Interpreter::find().ok_or_else(|| Outcome::Skipped(MISSING.to_owned()))?;
    let environment = Environment::plain();
    environment.install(&interpreter).then(|| environment.python()).ok_or(Outcome::Failed)
}

/// The Python of an environment `target/NAME/python` with what some files in `python/` name.
pub(crate) fn with(name: &str, requirements: &'static [&'static str]) -> Option<PathBuf> {
    let folder = root().join("target").join(name).join("python");
    let environment = Environment { folder, requirements };
    environment.install(&Interpreter::find()?).then(|| environment.python())
}

/// Runs a program of the project in the environment.
pub(crate) fn program(path: &str, words: &[&str]) -> Outcome {
    match ready() {
        Ok(python) => command::run(Command::new(python).arg(path).args(words).current_dir(root())),
        Err(outcome) => outcome,
    }
}

/// Makes the source distribution in a folder, with maturin in the environment of a Python.
pub(crate) fn source_distribution(python: &Path, folder: &Path) -> Result<PathBuf, Outcome> {
    let mut make = Command::new(python);
    make.arg("xtask/sdist.py").arg(folder).arg(VERSION).arg(cargo_path()).current_dir(root());
    match command::run(make.env_remove("PYTHONPATH").env_remove("PYTHONHOME")) {
        Outcome::Passed => Ok(folder.join(format!("rosenblatt-{VERSION}.tar.gz"))),
        other => Err(other),
    }
}

/// No text has a misspelt word, or a name of before, as `typos.toml` says.
pub(crate) fn spelling() -> Outcome {
    match ready() {
        Ok(python) => {
            let typos = python.with_file_name(format!("typos{}", env::consts::EXE_SUFFIX));
            command::run(Command::new(typos).args(["--format", "brief"]).current_dir(root()))
        }
        Err(outcome) => outcome,
    }
}

/// The Python that makes the environment.
struct Interpreter {
    path: PathBuf,
    /// Its version, place and build, in one line: another one needs an environment of its own.
    identity: String,
}

impl Interpreter {
    /// The one that `PYTHON` names, or `python3`, if it can make environments. Debian's can only with `python3-venv`,
    /// which brings `ensurepip`.
    fn find() -> Option<Self> {
        const ASK: &str = "import sys, venv, ensurepip\n\
                           print(sys.executable, ' '.join(sys.version.split()))\n\
                           sys.exit(sys.version_info < (3, 10))";
        let path = env::var_os("PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
        let output = Command::new(&path).args(["-c", ASK]).output().ok()?;
        let identity = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(Interpreter { path, identity })
    }
}

/// A virtual environment with what some files name.
struct Environment {
    folder: PathBuf,
    requirements: &'static [&'static str],
}

impl Environment {
    /// That of everything but Spark.
    fn plain() -> Self {
        Environment { folder: root().join("target/python"), requirements: REQUIREMENTS }
    }

    fn python(&self) -> PathBuf {
        let place = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        self.folder.join(place)
    }

    /// Makes the environment anew, unless that was done since the requirements or the interpreter changed.
    fn install(&self, interpreter: &Interpreter) -> bool {
        let stamp = self.folder.join("installed");
        let read = |name: &&str| fs::read_to_string(folder().join(name)).ok();
        let Some(requirements) = self.requirements.iter().map(read).collect::<Option<String>>()
        else {
            command::say("the requirements in python/ cannot be read");
            return false;
        };
        let wanted = interpreter.identity.clone() + &requirements;
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return true;
        }
        command::say(&format!(
            "installing what {} of python/ name",
            self.requirements.join(" and ")
        ));
        let mut venv = Command::new(&interpreter.path);
        venv.args(["-m", "venv", "--clear"]).arg(&self.folder);
        let pip = ["pip", "install", "--quiet", "--disable-pip-version-check"];
        let files = self.requirements.iter().flat_map(|name| ["--requirement", *name]);
        let words: Vec<&str> = pip.into_iter().chain(files).collect();
        output(&mut venv).is_some()
            && self.run(&words, &[]).is_some()
            && fs::write(stamp, wanted).is_ok()
    }

    /// The native part goes beside the Python files, which stay where they are. It is built where everything else is,
    /// with the same profile.
    fn build(&self) -> bool {
        let maturin = ["maturin", "develop", "--quiet", "--profile", "dev"];
        self.run(&maturin, &[("VIRTUAL_ENV", self.folder.as_os_str())]).is_some()
    }

    /// The tests compare with the command, as it is built now.
    fn test(&self, tests: &[&str]) -> bool {
        let Some(command) = command::rosenblatt() else { return false };
        let environment =
            [("SCIPY_ARRAY_API", OsStr::new("1")), ("ROSENBLATT_COMMAND", command.as_os_str())];
        let Some(tested) = self.run(tests, &environment) else { return false };
        let said = String::from_utf8_lossy(&tested.stdout);
        said.lines().for_each(slowest::note);
        command::say(said.trim_end().lines().next_back().unwrap_or_default());
        true
    }

    /// Runs a module in the folder of the package; what it says is shown only when it fails.
    fn run(&self, words: &[&str], variables: &[(&str, &OsStr)]) -> Option<Output> {
        let mut python = Command::new(self.python());
        python.arg("-m").args(words).envs(variables.iter().copied()).current_dir(folder());
        // Modules of the person who runs this are not those of the environment.
        python.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        output(&mut python)
    }
}

/// What a command wrote, if it succeeds; else it is shown.
fn output(command: &mut Command) -> Option<Output> {
    let name = Path::new(command.get_program()).display().to_string();
    match command.output() {
        Ok(output) if output.status.success() => Some(output),
        Ok(output) => {
            failed(&String::from_utf8_lossy(&output.stdout));
            failed(&String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(error) => {
            failed(&format!("{name}: {error}"));
            None
        }
    }
}
