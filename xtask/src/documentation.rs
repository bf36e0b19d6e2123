//! The documentation of the crates: every link leads somewhere, and every type in a signature of `rosenblatt` has a page there,
//! so that whoever receives a value can name its type.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Outcome, cargo, command::failed, root};

/// The kinds of types that rustdoc names in the links of signatures.
const TYPES: [&str; 4] = ["struct", "enum", "union", "type"];

/// The crates of which `rosenblatt` exports a part.
const BELOW: [&str; 3] = ["rosenblatt_core/", "rosenblatt_exact/", "rosenblatt_proofs/"];

/// Makes the documentation, with every warning an error, and looks for types that `rosenblatt` does not export.
pub(crate) fn check() -> Outcome {
    match cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")]) {
        Outcome::Passed => {}
        other => return other,
    }
    let mut missing = BTreeSet::new();
    match find(&root().join("target/doc/rosenblatt"), &mut missing) {
        Err(error) => failed(&error.to_string()),
        Ok(()) if missing.is_empty() => Outcome::Passed,
        Ok(()) => {
            let all: Vec<String> = missing.into_iter().collect();
            failed(&format!(
                "`rosenblatt` does not export types of its signatures: {}",
                all.join(", ")
            ))
        }
    }
}

/// Collects the types of signatures in the pages below a folder whose links lead to another crate.
fn find(folder: &Path, missing: &mut BTreeSet<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, missing)?;
        } else if path.extension().is_some_and(|ending| ending == "html") {
            missing.extend(types_elsewhere(&fs::read_to_string(path)?));
        }
    }
    Ok(())
}

/// The types of the signatures of a page that have no page in this crate.
fn types_elsewhere(page: &str) -> Vec<String> {
    let links = page.split("<a class=\"").skip(1).filter_map(|link| link.split_once("\" href=\""));
    let addresses = links
        .filter(|(kind, _)| TYPES.contains(kind))
        .filter_map(|(_, rest)| rest.split('"').next());
    addresses
        .filter(|address| BELOW.iter().any(|other| address.contains(other)))
        .map(|address| address.trim_start_matches("../").to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_another_crate_is_found() {
        let page = r##"<a class="fn" href="../rosenblatt_core/fn.a.html">a</a>(
            <a class="struct" href="struct.Rows.html" title="struct rosenblatt::Rows">Rows</a>,
            <a class="enum" href="../../rosenblatt_core/data/enum.Kind.html#x" title="">Kind</a>,
            <a href="../rosenblatt_core/index.html">the engine</a>"##;
        assert_eq!(types_elsewhere(page), ["rosenblatt_core/data/enum.Kind.html#x"]);
    }
}
