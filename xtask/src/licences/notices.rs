//! The text of `THIRD-PARTY-LICENSES.md`.
//!
//! Of crates that may be used under the Apache License 2.0 that one is chosen: its text stands once, in `LICENSE-APACHE`,
//! and only their `NOTICE` files are repeated. Of all others the files with their licences are.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    fs,
    path::Path,
};

use serde_json::Value;

use super::{Crate, Problem, expression::allows};
use crate::root;

const BEGINNING: &str = "\
# Licences of others

Written by `cargo xtask licences`, compared by `cargo xtask check`.

The command `rosenblatt` and the native part of the Python package are made of this project's own code and of the crates
below, as they are built for Linux on x86-64 with all features; other machines have a few crates of the same families for their
systems. Crates that only build or test are not in them.

A crate that may be used under the Apache License 2.0 is used under it: its text is that of `LICENSE-APACHE`. The notices
of all others follow the table.

Beside crates there are:

- in the command, the typeface of the pictures, a subset of DejaVu Sans 2.37; its licence is at the end;
- in the command, the page of the lab (`crates/rosenblatt-lab/page/dist`): this project's code, and of `data/` R. A. Fisher's
  irises (doi:10.24432/C56C76) and R. P. Gorman's and T. J. Sejnowski's sonar data (doi:10.24432/C5T01Q), both of the UCI Machine
  Learning Repository under CC BY 4.0; what was changed is in `data/README.md`;
- in the Python package, nothing: numpy, scipy and scikit-learn are packages of their own.
";

/// What people are given, and the package of the workspace that it is built from.
const GIVEN: [(&str, &str); 2] = [("command", "rosenblatt-cli"), ("Python", "rosenblatt-python")];

/// Code of others inside a crate, whose licence has a file of its own.
const INSIDE: [(&str, &str); 1] = [("zstd-sys", "zstd/LICENSE")];

/// The typefaces of the pictures, and the files of their licences.
const TYPEFACES: [(&str, &str); 2] =
    [("DejaVu Sans", "DejaVuSans-LICENSE.txt"), ("Inter, Source Serif", "OFL.txt")];

/// The whole text.
pub(super) fn text(metadata: &Value, crates: &BTreeMap<String, Crate>) -> Result<String, Problem> {
    let parts: Vec<BTreeSet<String>> = GIVEN.map(|(_, root)| linked(metadata, root)).into();
    let mut text = format!("{BEGINNING}\n| crate | version | licence | in |\n|---|---|---|---|\n");
    // The crates with each notice.
    let mut notices: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (id, one) in crates {
        let within = GIVEN.iter().zip(&parts).filter(|(_, part)| part.contains(id));
        let within: Vec<&str> = within.map(|((given, _), _)| *given).collect();
        if within.is_empty() {
            continue;
        }
        let Crate { name, version, licence, .. } = one;
        let _ = writeln!(text, "| {name} | {version} | {licence} | {} |", within.join(", "));
        for notice in one.notices()? {
            notices.entry(notice).or_default().push(id);
        }
    }
    let mut notices: Vec<(String, Vec<&str>)> = notices.into_iter().collect();
    notices.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(&b.0)));
    for (notice, of) in notices {
        let _ = write!(text, "\n## {}\n\n```text\n{notice}\n```\n", of.join(", "));
    }
    for (name, file) in TYPEFACES {
        let licence = read(&root().join("crates/rosenblatt-plot/assets").join(file))?;
        let _ = write!(text, "\n## {name}\n\n```text\n{licence}\n```\n");
    }
    Ok(text)
}

/// The crates that are linked into what is built from a package, by name and version; macros run when it is built.
fn linked(metadata: &Value, root: &str) -> BTreeSet<String> {
    let packages: HashMap<&str, &Value> = entries(&metadata["packages"]);
    let nodes: HashMap<&str, &Value> = entries(&metadata["resolve"]["nodes"]);
    let mut waiting: Vec<&str> =
        packages.iter().filter(|(_, package)| package["name"] == root).map(|(id, _)| *id).collect();
    let (mut seen, mut linked) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = waiting.pop() {
        let (Some(package), Some(node)) = (packages.get(id), nodes.get(id)) else { continue };
        let kinds = package["targets"].as_array().into_iter().flatten();
        let is_macro = { kinds }.any(|target| target["kind"][0] == "proc-macro");
        if is_macro || !seen.insert(id) {
            continue;
        }
        let word = |key: &str| package[key].as_str().unwrap_or_default();
        linked.insert(format!("{} {}", word("name"), word("version")));
        for dependency in node["deps"].as_array().into_iter().flatten() {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            if { kinds }.any(|kind| kind["kind"].is_null()) {
                waiting.extend(dependency["pkg"].as_str());
            }
        }
    }
    linked
}

fn entries(list: &Value) -> HashMap<&str, &Value> {
    let entries = list.as_array().into_iter().flatten();
    entries.filter_map(|entry| Some((entry["id"].as_str()?, entry))).collect()
}

impl Crate {
    /// What its licence asks to be repeated.
    fn notices(&self) -> Result<Vec<String>, Problem> {
        let apache = BTreeSet::from(["Apache-2.0".to_owned()]);
        let is_apache = allows(&self.licence, &apache) == Some(true);
        let wanted: &[&str] = if is_apache { &["NOTICE"] } else { &["NOTICE", "LICEN", "COPYING"] };
        let mut files = Vec::new();
        let failed = |error| format!("{}: {error}", self.folder.display());
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            let upper = name.to_uppercase();
            // Of `A AND Apache-2.0` the text of the second is not said twice.
            if wanted.iter().any(|wanted| upper.starts_with(wanted)) && !upper.contains("APACHE") {
                files.push(name);
            }
        }
        files.extend(
            INSIDE
                .iter()
                .filter(|(name, _)| *name == self.name)
                .map(|(_, file)| (*file).to_owned()),
        );
        files.sort_unstable();
        if files.is_empty() && !is_apache {
            return Err(format!("{} {} has no file with its licence", self.name, self.version));
        }
        files.iter().map(|file| read(&self.folder.join(file))).collect()
    }
}

/// The lines of a text, without blanks at their ends.
fn read(file: &Path) -> Result<String, Problem> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Ok(lines.join("\n").trim_matches('\n').to_owned())
}
