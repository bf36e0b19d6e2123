//! An archive of a release: the program, and the files that are the same for every target.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{Target, Tools, done};
use crate::{COLUMNAR_COMMAND, Outcome, cargo, command, root};

/// The program that packs folders and sums files, in the same bytes on every machine.
const PROGRAM: &str = "xtask/src/release/archive.py";

/// Files of the project, and their names in an archive.
const COPIED: [[&str; 2]; 5] = [
    ["crates/rosenblatt-cli/README.md", "README.md"],
    ["CHANGELOG.md", "CHANGELOG.md"],
    ["LICENSE-APACHE", "LICENSE-APACHE"],
    ["LICENSE-MIT", "LICENSE-MIT"],
    ["THIRD-PARTY-LICENSES.md", "THIRD-PARTY-LICENSES.md"],
];

/// The data sets that the tutorials use.
const DATA: &str = "data";

/// The scripts that complete the command, and their names where shells look for them.
const COMPLETIONS: [[&str; 2]; 5] = [
    ["bash", "rosenblatt.bash"],
    ["elvish", "rosenblatt.elv"],
    ["fish", "rosenblatt.fish"],
    ["powershell", "_rosenblatt.ps1"],
    ["zsh", "_rosenblatt"],
];

/// Writes the files that are the same for every target into a folder.
pub(super) fn shared_files() -> Result<PathBuf, String> {
    let folder = root().join("target/release-tools/shared");
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = fs::remove_dir_all(&folder);
    for part in ["completions", "man"] {
        fs::create_dir_all(folder.join(part)).map_err(fault)?;
    }
    for [from, to] in COPIED {
        fs::copy(root().join(from), folder.join(to)).map_err(fault)?;
    }
    copy_tracked(DATA, &folder)?;
    let build = [&["build", "--quiet"][..], &COLUMNAR_COMMAND].concat();
    if !matches!(cargo(&build, &[]), Outcome::Passed) {
        return Err("the command for the completions could not be built".to_owned());
    }
    for [shell, name] in COMPLETIONS {
        let script = said(&["completions", shell])?;
        fs::write(folder.join("completions").join(name), script).map_err(fault)?;
    }
    for (name, words) in manual_pages()? {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        fs::write(folder.join("man").join(name), said(&words)?).map_err(fault)?;
    }
    Ok(folder)
}

/// Copies the files of a folder that the version control has.
fn copy_tracked(part: &str, to: &Path) -> Result<(), String> {
    let mut git = Command::new("git");
    let listed = git.args(["ls-files", "-z", part]).current_dir(root()).output();
    let listed = listed.map_err(|error| format!("git: {error}"))?.stdout;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    for name in listed.split_terminator('\0') {
        let (from, to) = (root().join(name), to.join(name));
        let folder = to.parent().unwrap_or(&to);
        fs::create_dir_all(folder)
            .and_then(|()| fs::copy(&from, &to))
            .map_err(|error| format!("{name}: {error}"))?;
    }
    if listed.is_empty() { Err(format!("git knows no file in {part}")) } else { Ok(()) }
}

/// The manual pages: that of the command, and one for each of its subcommands that it lists.
fn manual_pages() -> Result<Vec<(String, Vec<String>)>, String> {
    let main = said(&["man"])?;
    let names = main.lines().filter_map(|line| line.strip_prefix("rosenblatt\\-"));
    let names = names.filter_map(|line| line.strip_suffix("(1)")).filter(|&name| name != "help");
    let page =
        |name: &str| (format!("rosenblatt-{name}.1"), vec!["man".to_owned(), name.to_owned()]);
    let mut pages: Vec<_> = names.map(page).collect();
    if pages.is_empty() {
        return Err("the manual page lists no subcommand".to_owned());
    }
    pages.push(("rosenblatt.1".to_owned(), vec!["man".to_owned()]));
    Ok(pages)
}

/// The output of this system's command.
fn said(words: &[&str]) -> Result<String, String> {
    let program = command::built("rosenblatt").ok_or("the command is not where it is built")?;
    let output = Command::new(program).args(words).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let fault = || format!("rosenblatt {}: {}", words.join(" "), output.status);
    output.status.success().then_some(text).ok_or_else(fault)
}

/// Packs the program of a target and the shared files into one archive.
pub(super) fn pack(
    tools: &Tools,
    target: &Target,
    program: &Path,
    shared: &Path,
    folder: &Path,
) -> Result<(), String> {
    let name = format!("rosenblatt-{}-{}", env!("CARGO_PKG_VERSION"), target.name);
    let end = if target.is_windows() { "zip" } else { "tar.gz" };
    let mut python = tools.python();
    python.args([PROGRAM, "pack"]).arg(folder.join(format!("{name}.{end}"))).arg(&name);
    python.arg(shared).arg(program);
    done(python, "the archive")
}

/// Writes `SHA256SUMS`, with the sizes shown.
pub(super) fn sums(tools: &Tools, folder: &Path) -> Result<(), String> {
    let mut python = tools.python();
    python.args([PROGRAM, "sums"]).arg(folder);
    done(python, "SHA256SUMS")
}
