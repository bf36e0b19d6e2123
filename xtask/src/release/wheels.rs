//! The Python package of a release: wheels for Linux, each for all versions of CPython from 3.10 on, and the source
//! distribution.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use super::{PROFILE, Tools, done};
use crate::{python, targets};

/// The oldest systems on which a wheel runs, by PEP 600 (it is manylinux2014, too) and by PEP 656.
const OLDEST: [[&str; 2]; 2] = [["gnu", "manylinux_2_17"], ["musl", "musllinux_1_2"]];

const PROCESSORS: [&str; 2] = ["x86_64", "aarch64"];

/// Makes all files of the Python package.
pub(super) fn make(tools: &Tools, folder: &Path) -> Result<(), String> {
    let sources = python::source_distribution(&tools.python, folder)
        .map_err(|_| "the source distribution failed".to_owned())?;
    for [library, oldest] in OLDEST {
        for processor in PROCESSORS {
            let target = format!("{processor}-unknown-linux-{library}");
            build(tools, &target, oldest, folder)?;
            let wheel = wheel(folder, &format!("{oldest}_{processor}"))?;
            // It looks for libraries on this machine, which has no musl. There maturin's own audit is the only one.
            if library == "gnu" {
                audit(tools, &wheel, &format!("\"{oldest}_{processor}\""))?;
            }
        }
    }
    let mut twine = tools.python();
    twine.args(["-m", "twine", "--no-color", "check", "--strict"]);
    twine.arg(sources).args(wheels(folder)?);
    done(twine, "twine")
}

/// Builds a wheel. maturin fails if it does not run on the oldest system.
fn build(tools: &Tools, target: &str, oldest: &str, folder: &Path) -> Result<(), String> {
    if !targets::is_ready(target) {
        return Err(format!("there is no standard library (rustup target add {target})"));
    }
    let mut maturin = tools.python();
    maturin.args(["-m", "maturin", "build", "--locked", "--quiet", "--zig"]);
    maturin.args(["--manifest-path", "python/Cargo.toml", "--profile", PROFILE]);
    maturin.args(["--target", target, "--compatibility", oldest, "--out"]).arg(folder);
    done(maturin, &format!("the wheel for {target}"))
}

/// The wheels in a folder.
fn wheels(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let files = fs::read_dir(folder).map_err(|error| error.to_string())?.flatten();
    let files = files.map(|file| file.path());
    Ok(files.filter(|path| path.extension() == Some(OsStr::new("whl"))).collect())
}

/// The wheel whose name has a tag.
fn wheel(folder: &Path, tag: &str) -> Result<PathBuf, String> {
    let found = wheels(folder)?.into_iter().find(|path| path.to_string_lossy().contains(tag));
    found.ok_or_else(|| format!("there is no wheel {tag}"))
}

/// Lets auditwheel find the oldest system of a wheel, and compares it.
fn audit(tools: &Tools, wheel: &Path, tag: &str) -> Result<(), String> {
    let mut audit = tools.python();
    audit.args(["-m", "auditwheel", "show"]).arg(wheel);
    let output = audit.output().map_err(|error| format!("auditwheel: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let fault = || format!("auditwheel: {} is not {tag}: {said}", wheel.display());
    said.contains(tag).then_some(()).ok_or_else(fault)
}
