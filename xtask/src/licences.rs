//! The licences of all crates, by files at hand and without the network: each is one that `deny.toml` allows, and
//! `THIRD-PARTY-LICENSES.md` has the notices of those that are part of what people are given.

mod expression;
mod notices;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::{Outcome, cargo_path, command::failed, root};
use expression::allows;

/// The file with the notices.
const FILE: &str = "THIRD-PARTY-LICENSES.md";

/// The machine whose crates are looked at: the same file comes out on every machine.
const MACHINE: &str = "x86_64-unknown-linux-gnu";

/// What can go wrong, in words.
type Problem = String;

/// A crate that is not this project's.
struct Crate {
    name: String,
    version: String,
    licence: String,
    folder: PathBuf,
}

/// The step of the check.
pub(crate) fn check() -> Outcome {
    let (crates, expected) = match looked_at() {
        Ok(found) => found,
        Err(why) => return Outcome::Skipped(why),
    };
    let refused = match refused(&crates) {
        Ok(refused) => refused,
        Err(problem) => return failed(&problem),
    };
    if !refused.is_empty() {
        return failed(&format!("deny.toml does not allow: {}", refused.join(", ")));
    }
    println!("licences: {} crates, all allowed", crates.len());
    let elsewhere = elsewhere(&crates);
    if !elsewhere.is_empty() {
        println!("licences: not looked at, crates of other machines: {}", elsewhere.join(" "));
    }
    if fs::read_to_string(root().join(FILE)).ok().as_ref() != Some(&expected) {
        return failed(&format!("{FILE} is not what the crates say: run `cargo xtask licences`"));
    }
    advisories()
}

/// Writes the file with the notices.
pub(crate) fn write() -> Outcome {
    match looked_at() {
        Ok((_, text)) => match fs::write(root().join(FILE), text) {
            Ok(()) => Outcome::Passed,
            Err(error) => failed(&format!("{FILE}: {error}")),
        },
        Err(why) => Outcome::Skipped(why),
    }
}

/// All crates, and the text of the notices.
fn looked_at() -> Result<(BTreeMap<String, Crate>, String), Problem> {
    let workspace = metadata("Cargo.toml", &["--features", super::COLUMNAR])?;
    let mut crates = crates(&workspace);
    let text = notices::text(&workspace, &crates)?;
    crates.append(&mut self::crates(&metadata("fuzz/Cargo.toml", &[])?));
    Ok((crates, text))
}

fn metadata(manifest: &str, more: &[&str]) -> Result<Value, Problem> {
    let output = Command::new(cargo_path())
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .args(["--filter-platform", MACHINE, "--manifest-path", manifest])
        .args(more)
        .current_dir(root())
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let why = said.lines().find(|line| line.starts_with("error")).unwrap_or("error").to_owned();
        return Err(format!("the crates of {manifest} are not at hand (cargo fetch): {why}"));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// The crates from elsewhere, by name and version.
fn crates(metadata: &Value) -> BTreeMap<String, Crate> {
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter(|package| !package["source"].is_null())
        .map(|package| {
            let manifest = PathBuf::from(text(package, "manifest_path"));
            let (name, version) = (text(package, "name"), text(package, "version"));
            let folder = manifest.parent().unwrap_or(Path::new("")).to_owned();
            let one = Crate { name, version, licence: text(package, "license"), folder };
            (format!("{} {}", one.name, one.version), one)
        })
        .collect()
}

/// The crates whose licence is not allowed, each with it.
fn refused(crates: &BTreeMap<String, Crate>) -> Result<Vec<String>, Problem> {
    let text = fs::read_to_string(root().join("deny.toml"))
        .map_err(|error| format!("deny.toml: {error}"))?;
    let deny: Value = toml::from_str(&text).map_err(|error| format!("deny.toml: {error}"))?;
    let list = |value: &Value| -> BTreeSet<String> {
        value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    };
    let allowed = list(&deny["licenses"]["allow"]);
    let exceptions = deny["licenses"]["exceptions"].as_array().cloned().unwrap_or_default();
    let mut refused = Vec::new();
    for (id, one) in crates {
        let mut here = allowed.clone();
        let own =
            exceptions.iter().filter(|exception| exception["crate"].as_str() == Some(&one.name));
        own.for_each(|exception| here.append(&mut list(&exception["allow"])));
        match allows(&one.licence, &here) {
            Some(true) => {}
            Some(false) => refused.push(format!("{id} ({})", one.licence)),
            None => refused.push(format!("{id} (`{}` is no licence expression)", one.licence)),
        }
    }
    Ok(refused)
}

/// Crates of the lock files that are of other machines only, so that their files need not be here.
fn elsewhere(crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let mut names = BTreeSet::new();
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let text = fs::read_to_string(root().join(lock)).unwrap_or_default();
        let lock: Value = toml::from_str(&text).unwrap_or_default();
        for package in lock["package"].as_array().into_iter().flatten() {
            let word = |key: &str| package[key].as_str().unwrap_or_default();
            let id = format!("{} {}", word("name"), word("version"));
            if package.get("source").is_some() && !crates.contains_key(&id) {
                names.insert(word("name").to_owned());
            }
        }
    }
    names.into_iter().collect()
}

/// Known faults of crates, where the tool and its registry are at hand; that they are not is no failure, and said.
fn advisories() -> Outcome {
    let tool = Command::new(cargo_path()).args(["deny", "--version"]).output();
    if !tool.is_ok_and(|output| output.status.success()) {
        println!("advisories: NOT CHECKED, cargo-deny is not installed (cargo install cargo-deny)");
        return Outcome::Passed;
    }
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    if !home.is_some_and(|home| home.join("advisory-dbs").is_dir()) {
        println!("advisories: NOT CHECKED, no registry of them is at hand (cargo deny fetch)");
        return Outcome::Passed;
    }
    super::cargo(&["deny", "--offline", "check", "advisories"], &[])
}
