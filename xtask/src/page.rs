//! The page of the lab: TypeScript is checked and bundled into `dist/`, which is committed, so that nobody
//! needs npm to build the command; and tested in a browser.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Outcome,
    command::{self, failed},
    root, site,
};

/// What the build makes.
const BUILT: [&str; 2] = ["lab.js", "lab.css"];

fn folder() -> PathBuf {
    root().join("crates/rosenblatt-lab/page")
}

/// `cargo xtask page`: checks the types and builds `dist/`.
pub(crate) fn build() -> Outcome {
    made(&[], || Outcome::Passed)
}

/// The types are right, and what is committed is what the sources make.
pub(crate) fn check() -> Outcome {
    let fresh = root().join("target/page");
    let outfile = format!("--outfile={}", fresh.join(BUILT[0]).display());
    made(&["--", &outfile], || {
        let differs = |name: &&&str| {
            let read = |folder: &Path| fs::read(folder.join(name)).ok();
            read(&fresh).is_none() || read(&fresh) != read(&folder().join("dist"))
        };
        match BUILT.iter().find(differs) {
            None => Outcome::Passed,
            Some(name) => {
                failed(&format!("dist/{name} is not what its sources make: run `cargo xtask page`"))
            }
        }
    })
}

/// Installs, checks and builds; then what is left to do.
fn made(build: &[&str], then: impl FnOnce() -> Outcome) -> Outcome {
    if let Some(missing) = missing(&["node", "npm"]) {
        return missing;
    }
    let steps =
        [&["run", "--silent", "check"][..], &[&["run", "--silent", "build"], build].concat()];
    if install() && steps.iter().all(|step| npm(step)) { then() } else { Outcome::Failed }
}

/// The tests in a browser, with the command as it is built now.
pub(crate) fn browser() -> Outcome {
    in_browser(&tests("tests"))
}

/// The tests of the book in a browser, once it is built.
pub(crate) fn browser_of_book() -> Outcome {
    in_browser(&tests("tests/book"))
}

fn in_browser(tests: &[PathBuf]) -> Outcome {
    if let Some(missing) = missing(&["node", "npm"]) {
        return missing;
    }
    let Some(chromium) = chromium() else {
        return Outcome::Skipped("there is no Chromium (CHROMIUM names one)".to_owned());
    };
    match site::write() {
        Outcome::Passed => {}
        other => return other,
    }
    let Some(rosenblatt) = command::rosenblatt().filter(|_| install()) else {
        return Outcome::Failed;
    };
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec", "--test-timeout=300000"])
        .args(tests)
        .current_dir(folder());
    node.env("ROSENBLATT", rosenblatt).env("CHROMIUM", chromium).env_remove("LAB");
    command::run(&mut node)
}

/// Makes a WebAssembly module small.
pub(crate) fn optimize(module: &Path, small: &Path) -> Outcome {
    if let Some(missing) = missing(&["node", "npm"]) {
        return missing;
    }
    if !install() {
        return Outcome::Failed;
    }
    let mut node = Command::new("node");
    node.arg("node_modules/binaryen/bin/wasm-opt").args([
        "-Oz",
        "--converge",
        // What is inlined at its one call compresses worse: 3% fewer bytes as they are, 7% more as servers send them.
        "--one-caller-inline-max-function-size=0",
        "--strip-debug",
        "--strip-producers",
    ]);
    // The compiler uses these features, which every engine has since 2020.
    node.args(["--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int"]);
    node.args(["--enable-mutable-globals", "--enable-multivalue", "--enable-reference-types"]);
    node.arg(module).arg("-o").arg(small).current_dir(folder());
    command::run(&mut node)
}

/// The files of the tests in a folder, in the order of their names.
fn tests(place: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder().join(place)).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut tests: Vec<PathBuf> =
        paths.filter(|path| path.to_string_lossy().ends_with(".test.mjs")).collect();
    tests.sort();
    tests
}

/// Installs what package-lock.json names, unless that was done since it changed.
fn install() -> bool {
    let changed = |path: &str| fs::metadata(folder().join(path))?.modified();
    let installed = changed("node_modules/.package-lock.json");
    let wanted = changed("package-lock.json");
    let fresh = matches!((installed, wanted), (Ok(installed), Ok(wanted)) if installed >= wanted);
    fresh || npm(&["ci", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"])
}

fn npm(arguments: &[&str]) -> bool {
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(folder());
    matches!(command::run(&mut npm), Outcome::Passed)
}

pub(crate) fn chromium() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from).filter(|path| path.is_file());
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let search = || env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect::<Vec<_>>();
    let found = || {
        let places = search().into_iter().flat_map(|folder| names.map(|name| folder.join(name)));
        places.into_iter().find(|path| path.is_file())
    };
    named.or_else(found)
}

/// Says which of these commands is missing.
fn missing(names: &[&str]) -> Option<Outcome> {
    let absent = |name: &&&str| Command::new(name).arg("--version").output().is_err();
    let name = names.iter().find(absent)?;
    Some(Outcome::Skipped(format!("there is no `{name}` (Node.js and npm)")))
}
