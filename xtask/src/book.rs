//! The book: the pages of the project and the references generated from its sources, as a site with search, made by Sphinx
//! in the environment of the Python package. A warning, such as a link that leads nowhere, is a fault.

use std::{path::Path, process::Command};

use crate::{Outcome, command, page, python, root};

/// Where the site is; the lab, if it is there, stands beside it.
const SITE: &str = "target/site/book";
const SOURCES: &str = "target/book/source";

/// Builds the book, and opens it in a browser if there is one.
pub(crate) fn check() -> Outcome {
    match build() {
        Outcome::Passed => match page::browser_of_book() {
            Outcome::Skipped(why) => Outcome::PassedInPart(format!("built, not opened: {why}")),
            other => other,
        },
        other => other,
    }
}

/// Builds the book.
pub(crate) fn build() -> Outcome {
    let python = match python::ready() {
        Ok(python) => python,
        Err(outcome) => return outcome,
    };
    // `rosenblatt help` is the reference of the command.
    let Some(rosenblatt) = command::rosenblatt() else { return Outcome::Failed };
    let rosenblatt = rosenblatt.to_string_lossy();
    let assemble = ["book/assemble.py", ".", SOURCES, &rosenblatt];
    match run(&python, &assemble) {
        Outcome::Passed => run(&python, &SPHINX),
        other => other,
    }
}

/// Everything is built again, so that no page of before stays.
const SPHINX: [&str; 13] = [
    "-m",
    "sphinx",
    "--quiet",
    "--fail-on-warning",
    "--keep-going",
    "--fresh-env",
    "--builder",
    "html",
    "--doctree-dir",
    "target/book/doctrees",
    "--write-all",
    SOURCES,
    SITE,
];

fn run(python: &Path, words: &[&str]) -> Outcome {
    let mut command = Command::new(python);
    // Modules of the person who runs this are not those of the environment.
    command.env_remove("PYTHONPATH").env_remove("PYTHONHOME").env("PYTHONDONTWRITEBYTECODE", "1");
    command::run(command.args(words).current_dir(root()))
}
