//! The command, built for one target.

use std::path::PathBuf;

use super::{PROFILE, Tools, ZIG, done};
use crate::{COLUMNAR_COMMAND, root, targets};

/// A system for which the command is built.
pub(super) struct Target {
    /// Its name for the compiler and in the name of the archive.
    pub(super) name: &'static str,
    /// The system on which it is linked, as `std::env::consts::OS` names it.
    on: &'static str,
    /// The oldest glibc on which the command starts.
    glibc: Option<&'static str>,
}

/// All targets. Windows is linked by zig as `gnu`, and by its own tools as `msvc`.
const TARGETS: [Target; 7] = [
    Target { name: "x86_64-unknown-linux-musl", on: "linux", glibc: None },
    Target { name: "aarch64-unknown-linux-musl", on: "linux", glibc: None },
    Target { name: "x86_64-unknown-linux-gnu", on: "linux", glibc: Some("2.17") },
    Target { name: "x86_64-pc-windows-gnu", on: "linux", glibc: None },
    Target { name: "x86_64-pc-windows-msvc", on: "windows", glibc: None },
    Target { name: "x86_64-apple-darwin", on: "macos", glibc: None },
    Target { name: "aarch64-apple-darwin", on: "macos", glibc: None },
];

impl Target {
    /// The targets that are linked on this system.
    pub(super) fn of_this_system() -> Vec<&'static Self> {
        TARGETS.iter().filter(|target| target.on == std::env::consts::OS).collect()
    }

    pub(super) fn named(name: &str) -> Result<&'static Self, String> {
        let names = TARGETS.map(|target| target.name).join(", ");
        TARGETS
            .iter()
            .find(|target| target.name == name)
            .ok_or_else(|| format!("`{name}` is not a target of a release: {names}"))
    }

    pub(super) fn is_windows(&self) -> bool {
        self.name.contains("windows")
    }

    /// The name of the program.
    pub(super) fn program(&self) -> &'static str {
        if self.is_windows() { "rosenblatt.exe" } else { "rosenblatt" }
    }

    /// Builds the command, and says where it is.
    pub(super) fn build(&self, tools: &Tools) -> Result<PathBuf, String> {
        if !targets::is_ready(self.name) {
            return Err(format!("there is no standard library (rustup target add {})", self.name));
        }
        let oldest = self.glibc.map(|version| format!(".{version}")).unwrap_or_default();
        let mut cargo = tools.cargo();
        cargo.args([if ZIG { "zigbuild" } else { "build" }, "--locked", "--quiet"]);
        cargo.args(["--profile", PROFILE, "--target", &format!("{}{oldest}", self.name)]);
        cargo.args(COLUMNAR_COMMAND).args(["--target-dir", "target"]);
        done(cargo, "the build")?;
        Ok(root().join("target").join(self.name).join(PROFILE).join(self.program()))
    }
}
