//! The Python package: formatting, lints, types, stubs and tests, in a virtual environment under `target/python`.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::{Outcome, cargo, command::failed, root};

/// What is checked before the tests, in the order in which a fault is cheapest to understand.
const CHECKS: [&[&str]; 4] = [
    &["ruff", "format", "--check", "--quiet"],
    &["ruff", "check", "--quiet"],
    &["mypy", "rosenblatt"],
    &["mypy.stubtest", "--mypy-config-file", "pyproject.toml", "rosenblatt._native"],
];

/// All tests: examples of docstrings and of the README, and `tests`. What `--no-skips` says is in
/// `python/tests/conftest.py`.
const TESTS: [&str; 9] = [
    "pytest",
    "--quiet",
    "--no-header",
    "--no-skips",
    "--doctest-modules",
    "--doctest-glob=README.md",
    "README.md",
    "rosenblatt",
    "tests",
];

fn folder() -> PathBuf {
    root().join("python")
}

/// Builds the package and checks it.
pub(crate) fn check() -> Outcome {
    let Some(interpreter) = Interpreter::find() else {
        let why = "there is no Python of at least 3.10 with `venv` (PYTHON names one)";
        return Outcome::Skipped(why.to_owned());
    };
    let environment = Environment { folder: root().join("target/python") };
    let checked = || {
        let failed = CHECKS.iter().filter(|words| environment.run(words, &[]).is_none());
        failed.count() == 0
    };
    let ready = environment.install(&interpreter) && environment.build();
    // A fault of the one does not hide those of the other.
    let passed = ready && [checked(), environment.test()] == [true, true];
    if passed { Outcome::Passed } else { Outcome::Failed }
}

/// The Python of the environment, with the package built.
pub(crate) fn ready() -> Option<PathBuf> {
    let interpreter = Interpreter::find()?;
    let environment = Environment { folder: root().join("target/python") };
    let is_ready = environment.install(&interpreter) && environment.build();
    is_ready.then(|| environment.python())
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

/// A virtual environment with what `requirements-dev.txt` names.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    fn python(&self) -> PathBuf {
        let place = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        self.folder.join(place)
    }

    /// Makes the environment anew, unless that was done since the requirements or the interpreter changed.
    fn install(&self, interpreter: &Interpreter) -> bool {
        let stamp = self.folder.join("installed");
        let Ok(requirements) = fs::read_to_string(folder().join("requirements-dev.txt")) else {
            eprintln!("python/requirements-dev.txt cannot be read");
            return false;
        };
        let wanted = interpreter.identity.clone() + &requirements;
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return true;
        }
        println!("installing what python/requirements-dev.txt names");
        let mut venv = Command::new(&interpreter.path);
        venv.args(["-m", "venv", "--clear"]).arg(&self.folder);
        let pip = ["pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
        output(&mut venv).is_some()
            && self.run(&[&pip[..], &["requirements-dev.txt"]].concat(), &[]).is_some()
            && fs::write(stamp, wanted).is_ok()
    }

    /// The native part goes beside the Python files, which stay where they are. It is built where everything else is,
    /// with the same profile.
    fn build(&self) -> bool {
        let maturin = ["maturin", "develop", "--quiet", "--profile", "dev"];
        self.run(&maturin, &[("VIRTUAL_ENV", self.folder.as_os_str())]).is_some()
    }

    /// The tests compare with the command, as it is built now.
    fn test(&self) -> bool {
        if !matches!(cargo(&["build", "--package", "rosenblatt-cli"], &[]), Outcome::Passed) {
            return false;
        }
        // Cargo puts both commands into one folder, wherever that is.
        let name = format!("rosenblatt{}", env::consts::EXE_SUFFIX);
        let Ok(command) = env::current_exe().map(|xtask| xtask.with_file_name(name)) else {
            return false;
        };
        let environment =
            [("SCIPY_ARRAY_API", OsStr::new("1")), ("ROSENBLATT_COMMAND", command.as_os_str())];
        let Some(tested) = self.run(&TESTS, &environment) else { return false };
        let said = String::from_utf8_lossy(&tested.stdout);
        println!("{}", said.trim_end().lines().next_back().unwrap_or_default());
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
