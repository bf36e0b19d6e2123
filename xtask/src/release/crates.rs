//! The crates in the command, for all systems, as a list of the form CycloneDX.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::done;
use crate::{cargo_path, root};

/// The program that makes the list.
const TOOL: [&str; 5] = ["install", "cargo-cyclonedx", "--version", "0.5.9", "--locked"];

/// The package whose crates are listed.
const PACKAGE: &str = "rosenblatt-cli";

/// Writes the list, without paths of this machine.
pub(super) fn list(folder: &Path) -> Result<(), String> {
    let tools = root().join("target/release-tools");
    let mut install = Command::new(cargo_path());
    install.args(TOOL).args(["--quiet", "--root"]).arg(&tools).current_dir(root());
    done(install, "the installation of cargo-cyclonedx")?;
    // The tool writes a file beside each manifest of the workspace.
    let sources = copy_of_sources(&tools)?;
    let package = sources.join("crates").join(PACKAGE);
    let mut cyclonedx = Command::new(tools.join("bin/cargo-cyclonedx"));
    cyclonedx.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    cyclonedx.args(["--features", "columnar", "--target", "all", "--no-build-deps"]);
    cyclonedx.arg("--manifest-path").arg(package.join("Cargo.toml")).current_dir(&sources);
    // A fixed time, and no random number.
    cyclonedx.env("SOURCE_DATE_EPOCH", "0");
    done(cyclonedx, "cargo-cyclonedx")?;
    let fault = |error: std::io::Error| format!("the list of crates: {error}");
    let list = fs::read_to_string(package.join(format!("{PACKAGE}.cdx.json"))).map_err(fault)?;
    let list = list.replace(&*sources.to_string_lossy(), "");
    let name = format!("rosenblatt-{}.cdx.json", env!("CARGO_PKG_VERSION"));
    fs::write(folder.join(name), list).map_err(fault)
}

/// The sources of the last commit in a folder of their own.
fn copy_of_sources(tools: &Path) -> Result<PathBuf, String> {
    let (archive, copy) = (tools.join("sources.tar"), tools.join("sources"));
    let _ = fs::remove_dir_all(&copy);
    fs::create_dir_all(&copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    let mut git = Command::new("git");
    git.args(["archive", "--output"]).arg(&archive).arg("HEAD").current_dir(root());
    done(git, "git archive")?;
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(&archive).arg("-C").arg(&copy);
    done(tar, "tar")?;
    Ok(copy)
}
