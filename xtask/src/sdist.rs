//! The source distribution of the Python package, which builds with `--locked`.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Outcome, cargo_in, root};

/// The program that puts the lock file into the archive.
const PROGRAM: &str = "xtask/src/release_files/sdist.py";

/// Files that the distribution must have: to build it, to test it, and to pass it on.
const HOLDS: [&str; 8] = [
    "Cargo.lock",
    "PKG-INFO",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "THIRD-PARTY-LICENSES.md",
    "python/requirements-dev.txt",
    "python/tests/conftest.py",
    "python/tests/test_package.py",
];

/// The name of the distribution.
const NAME: &str = concat!("rosenblatt-", env!("CARGO_PKG_VERSION"));

/// The distribution's file in a folder.
pub(crate) fn file(folder: &Path) -> PathBuf {
    folder.join(format!("{NAME}.tar.gz"))
}

/// Makes the distribution in a folder, with maturin in the environment of a Python.
pub(crate) fn make(python: &Path, folder: &Path) -> Result<PathBuf, String> {
    let archive = file(folder);
    let mut maturin = clean(python);
    maturin.args(["-m", "maturin", "sdist", "--manifest-path", "python/Cargo.toml"]);
    done(maturin.arg("--out").arg(folder), "maturin")?;
    let unpacked = unpack(&archive)?;
    let sources = unpacked.join(NAME);
    if let Some(missing) = HOLDS.iter().find(|file| !sources.join(file).is_file()) {
        return Err(format!("{} has no {missing}", archive.display()));
    }
    prune(&sources)?;
    let lock = sources.join("Cargo.lock");
    done(clean(python).arg(PROGRAM).arg(&archive).arg(lock), PROGRAM)?;
    let _ = fs::remove_dir_all(unpacked);
    Ok(archive)
}

fn unpack(archive: &Path) -> Result<PathBuf, String> {
    let folder = env::temp_dir().join(format!("{NAME}-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    done(Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(&folder), "tar")?;
    Ok(folder)
}

/// Removes from the lock file the crates that only other members of the workspace use; no version changes.
fn prune(sources: &Path) -> Result<(), String> {
    let update = ["update", "--workspace", "--offline", "--quiet"];
    if !matches!(cargo_in(sources, &update, &[]), Outcome::Passed) {
        return Err(
            "the lock file of the source distribution cannot be made (cargo fetch)".to_owned()
        );
    }
    let (here, there) = (locked(root())?, locked(sources)?);
    match there.difference(&here).next() {
        None => Ok(()),
        Some(other) => Err(format!("Cargo.lock of the source distribution has another {other}")),
    }
}

/// The crates of a lock file, each with its version and checksum.
fn locked(folder: &Path) -> Result<BTreeSet<String>, String> {
    let text = fs::read_to_string(folder.join("Cargo.lock")).map_err(|error| error.to_string())?;
    let lock: toml::Table = toml::from_str(&text).map_err(|error| error.to_string())?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let words = |package: &toml::Value| {
        let word = |key| package.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        ["name", "version", "checksum"].map(word).join(" ")
    };
    Ok(packages.map(words).collect())
}

/// A Python without the modules of the person who runs this.
fn clean(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.env_remove("PYTHONPATH").env_remove("PYTHONHOME").current_dir(root());
    command
}

/// Runs a command; what it wrote is shown only when it fails.
fn done(command: &mut Command, name: &str) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let failure = || format!("{name} failed: {}{}", said(&output.stdout), said(&output.stderr));
    output.status.success().then_some(()).ok_or_else(failure)
}
