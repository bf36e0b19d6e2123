//! The crates as packages: each one builds from its package alone, and the examples of its documentation pass.

use std::{fs, path::Path, process::Command};

use crate::{Outcome, cargo, cargo_path, root};

/// The crates that can be published, each after those on which it depends.
const PACKAGES: [&str; 5] =
    ["rosenblatt", "rosenblatt-data", "rosenblatt-plot", "rosenblatt-lab", "rosenblatt-cli"];

/// The library whose documentation is tested in its unpacked package; it needs no other crate of the project.
const ALONE: &str = "rosenblatt";

/// Makes all packages, builds each, and runs the examples of the engine's documentation in its unpacked package.
pub(crate) fn check() -> Outcome {
    let mut arguments = vec!["package", "--quiet", "--allow-dirty"];
    arguments.extend(PACKAGES.iter().flat_map(|name| ["--package", name]));
    match cargo(&arguments, &[]) {
        Outcome::Passed => examples_of_documentation(),
        other => other,
    }
}

/// Unpacks the engine's package outside of the workspace and runs the examples of its documentation.
fn examples_of_documentation() -> Outcome {
    let name = format!("{ALONE}-{}", env!("CARGO_PKG_VERSION"));
    let (package, folder) = (root().join("target/package"), std::env::temp_dir());
    let folder = folder.join(format!("{name}-{}", std::process::id()));
    let outcome = match unpack(&package.join(format!("{name}.crate")), &folder) {
        Ok(()) => test(&folder.join(&name)),
        Err(problem) => {
            eprintln!("{problem}");
            Outcome::Failed
        }
    };
    let _ = fs::remove_dir_all(&folder);
    outcome
}

fn unpack(package: &Path, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut tar = Command::new("tar");
    tar.arg("xzf").arg(package).arg("-C").arg(folder);
    match tar.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{} cannot be unpacked", package.display())),
    }
}

fn test(folder: &Path) -> Outcome {
    let status = Command::new(cargo_path())
        .args(["test", "--quiet", "--doc", "--target-dir"])
        .arg(root().join("target"))
        .current_dir(folder)
        .status();
    match status {
        Ok(status) if status.success() => Outcome::Passed,
        _ => Outcome::Failed,
    }
}
