//! The crates as packages: they compile from their packages alone.
//!
//! The packages are unpacked as the members of a workspace outside of the project, where each takes the others
//! from their packages too. Nothing is asked of the registry: what the project needs is here since its tests.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Outcome, cargo, cargo_in, command::failed, root};

/// The crates that can be published, each after those on which it depends.
const PACKAGES: [&str; 8] = [
    "rosenblatt-exact",
    "rosenblatt-core",
    "rosenblatt-proofs",
    "rosenblatt",
    "rosenblatt-data",
    "rosenblatt-plot",
    "rosenblatt-lab",
    "rosenblatt-cli",
];

/// Makes all packages and compiles them. The examples of their documentation are run by the tests.
pub(crate) fn check() -> Outcome {
    let mut arguments = vec!["package", "--offline", "--no-verify", "--quiet", "--allow-dirty"];
    arguments.extend(PACKAGES.iter().flat_map(|name| ["--package", name]));
    match cargo(&arguments, &[]) {
        Outcome::Passed => {}
        other => return other,
    }
    let folder = std::env::temp_dir().join(format!("packages-{}", std::process::id()));
    let outcome = match unpack(&folder) {
        Ok(()) => compile(&folder),
        Err(problem) => failed(&problem),
    };
    let _ = fs::remove_dir_all(&folder);
    outcome
}

/// All packages, with the project's own profiles, so that what others have written is checked already.
fn compile(folder: &Path) -> Outcome {
    let (target, profiles) = (text(root().join("target")), text(root().join("Cargo.toml")));
    let check = ["check", "--workspace", "--offline", "--quiet"];
    cargo_in(folder, &[&check[..], &["--config", &profiles, "--target-dir", &target]].concat(), &[])
}

/// A workspace of the unpacked packages, with the project's own versions of all others.
fn unpack(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut manifest =
        "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n".to_owned();
    for name in PACKAGES {
        let unpacked = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let package = root().join("target/package").join(format!("{unpacked}.crate"));
        // With the time of unpacking (`m`), by which cargo sees that the files are not those of an earlier check.
        let status = Command::new("tar").arg("xzmf").arg(&package).arg("-C").arg(folder).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(format!("{} cannot be unpacked", package.display()));
        }
        let _ = writeln!(manifest, "{name} = {{ path = \"{unpacked}\" }}");
    }
    fs::write(folder.join("Cargo.toml"), manifest)
        .and_then(|()| fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")))
        .map(|_| ())
        .map_err(|error| error.to_string())
}

fn text(path: PathBuf) -> String {
    path.to_string_lossy().into_owned()
}
