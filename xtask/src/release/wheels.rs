//! The Python package of a release: wheels for Linux, each for all versions of CPython from 3.10 on, and the source
//! distribution.

use std::{fs, path::Path};

use super::{PROFILE, Tools, done};
use crate::{sdist, targets};

/// A kind of wheel: the compiler's target, and the oldest system on which it runs, by PEP 600 and 656.
const WHEELS: [[&str; 2]; 4] = [
    ["x86_64-unknown-linux-gnu", "manylinux2014"],
    ["aarch64-unknown-linux-gnu", "manylinux2014"],
    ["x86_64-unknown-linux-musl", "musllinux_1_2"],
    ["aarch64-unknown-linux-musl", "musllinux_1_2"],
];

/// Makes all files of the Python package. maturin checks that a wheel fits its oldest system.
pub(super) fn make(tools: &Tools, folder: &Path) -> Result<(), String> {
    sdist::make(&tools.python, folder)?;
    for [target, oldest] in WHEELS {
        if !targets::is_ready(target) {
            return Err(format!("there is no standard library (rustup target add {target})"));
        }
        let mut maturin = tools.python();
        maturin.args(["-m", "maturin", "build", "--locked", "--quiet", "--zig"]);
        maturin.args(["--manifest-path", "python/Cargo.toml", "--profile", PROFILE]);
        maturin.args(["--target", target, "--compatibility", oldest, "--out"]).arg(folder);
        done(maturin, &format!("the wheel for {target}"))?;
    }
    let files = fs::read_dir(folder).map_err(|error| error.to_string())?.flatten();
    let wheels =
        files.map(|file| file.path()).filter(|path| path.extension() == Some("whl".as_ref()));
    for wheel in wheels {
        let mut audit = tools.python();
        audit.args(["-m", "auditwheel", "show"]).arg(&wheel);
        done(audit, &format!("auditwheel of {}", wheel.display()))?;
    }
    Ok(())
}
