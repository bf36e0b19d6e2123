//! Where the project is published: `project.toml` says it, and the parts of other files that depend on it are made from it.

mod documents;
mod part;
mod text;

use std::{fs, path::Path};

use serde::Deserialize;

use crate::{Outcome, command::failed, root};
use part::Part;

/// The file of the variables.
const FILE: &str = "project.toml";

/// The variables.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Identity {
    repository: String,
    site: String,
    on_registries: bool,
}

impl Identity {
    /// The variables in a folder.
    fn read(root: &Path) -> Result<Self, String> {
        let text =
            fs::read_to_string(root.join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
        let identity: Self = toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
        for address in [&identity.repository, &identity.site] {
            if !is_address(address) {
                return Err(format!(
                    "{FILE}: `{address}` is not an address such as https://forge.example/owner/name, without a / at its end"
                ));
            }
        }
        Ok(identity)
    }

    /// The address of the repository, if it is decided.
    fn repository(&self) -> Option<&str> {
        Some(self.repository.as_str()).filter(|address| !address.is_empty())
    }

    /// The address of the site, if there is one.
    fn site(&self) -> Option<&str> {
        Some(self.site.as_str()).filter(|address| !address.is_empty())
    }
}

/// Nothing, or an address that needs no quotes or escapes in any of the files.
fn is_address(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~/:".contains(letter);
    let rest = text.strip_prefix("https://");
    text.is_empty()
        || rest
            .is_some_and(|rest| !rest.is_empty() && !rest.ends_with('/') && rest.chars().all(plain))
}

/// A part of a file that is made.
struct Place {
    file: &'static str,
    part: Part,
    text: fn(&Identity) -> String,
}

/// The keys of a published crate.
const fn manifest(file: &'static str) -> Place {
    let part = Part::After { line: "license.workspace", own: &["repository", "homepage"] };
    Place { file, part, text: text::inherited }
}

/// A block of a page.
const fn page(file: &'static str, text: fn(&Identity) -> String) -> Place {
    Place { file, part: Part::Between("install"), text }
}

const PLACES: [Place; 14] = [
    Place {
        file: "Cargo.toml",
        part: Part::After { line: "license = ", own: &["repository", "homepage"] },
        text: text::workspace,
    },
    manifest("crates/rosenblatt/Cargo.toml"),
    manifest("crates/rosenblatt-cli/Cargo.toml"),
    manifest("crates/rosenblatt-data/Cargo.toml"),
    manifest("crates/rosenblatt-lab/Cargo.toml"),
    manifest("crates/rosenblatt-plot/Cargo.toml"),
    Place {
        file: "python/pyproject.toml",
        part: Part::After { line: "dynamic = ", own: &["urls."] },
        text: text::urls,
    },
    Place {
        file: "CITATION.cff",
        part: Part::After { line: "type:", own: &["version:", "repository-code:", "url:"] },
        text: text::citation,
    },
    Place {
        file: ".github/ISSUE_TEMPLATE/config.yml",
        part: Part::After { line: "blank_issues_enabled:", own: &["contact_links:", "  "] },
        text: text::contacts,
    },
    Place { file: "SECURITY.md", part: Part::Between("report"), text: text::report },
    page("README.md", text::readme),
    page("docs/installation.md", text::installation),
    page("python/README.md", text::python_readme),
    page("crates/rosenblatt-cli/README.md", text::command_readme),
];

/// The step of the check: the made parts are as `project.toml` says, and no text is against it.
pub(crate) fn check() -> Outcome {
    match faults(root()) {
        Ok(faults) if faults.is_empty() => {
            println!("identity: {} files are as {FILE} says", PLACES.len());
            Outcome::Passed
        }
        Ok(faults) => failed(&faults.join("\n")),
        Err(problem) => failed(&problem),
    }
}

/// Makes the parts.
pub(crate) fn write() -> Outcome {
    match write_in(root()) {
        Ok(written) => {
            written.iter().for_each(|file| println!("{file}"));
            println!("identity: {} of {} files written", written.len(), PLACES.len());
            Outcome::Passed
        }
        Err(problem) => failed(&problem),
    }
}

fn faults(root: &Path) -> Result<Vec<String>, String> {
    let identity = Identity::read(root)?;
    let mut faults = Vec::new();
    for place in &PLACES {
        let (old, new) = made(place, &identity, root)?;
        if old != new {
            faults
                .push(format!("{} is not as {FILE} says: run `cargo xtask identity`", place.file));
        }
    }
    if !identity.on_registries {
        faults.extend(documents::registry_commands(root));
    }
    faults.extend(documents::relative_links(root));
    Ok(faults)
}

/// The files that were changed.
fn write_in(root: &Path) -> Result<Vec<&'static str>, String> {
    let identity = Identity::read(root)?;
    let mut written = Vec::new();
    for place in &PLACES {
        let (old, new) = made(place, &identity, root)?;
        if old != new {
            let file = root.join(place.file);
            fs::write(file, new).map_err(|error| format!("{}: {error}", place.file))?;
            written.push(place.file);
        }
    }
    Ok(written)
}

/// The text of a file as it is, and with its part made.
fn made(place: &Place, identity: &Identity, root: &Path) -> Result<(String, String), String> {
    let file = place.file;
    let old = fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
    let new = place.part.replaced(&old, &(place.text)(identity));
    let new = new.ok_or_else(|| format!("{file} has no place for its part: {:?}", place.part))?;
    Ok((old, new))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::PathBuf};

    use super::*;

    const REPOSITORY: &str = "https://forge.example/owner/rosenblatt";
    const SITE: &str = "https://pages.example/rosenblatt";

    fn variables(repository: &str, site: &str, on_registries: bool) -> String {
        format!(
            "repository = \"{repository}\"\nsite = \"{site}\"\non_registries = {on_registries}\n"
        )
    }

    /// A temporary copy of the files that have made parts, with all variables in the first state.
    struct Copy(PathBuf);

    impl Copy {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("identity-{name}-{}", std::process::id()));
            let copy = Copy(folder);
            for place in &PLACES {
                let target = copy.0.join(place.file);
                fs::create_dir_all(target.parent().unwrap()).unwrap();
                fs::copy(root().join(place.file), target).unwrap();
            }
            copy.set("", "", false);
            copy
        }

        /// Sets the variables and makes the parts; the changed files.
        fn set(&self, repository: &str, site: &str, on_registries: bool) -> Vec<&'static str> {
            let text = variables(repository, site, on_registries);
            fs::write(self.0.join(FILE), text).unwrap();
            write_in(&self.0).unwrap()
        }

        fn texts(&self) -> BTreeMap<&'static str, String> {
            let read = |file| fs::read_to_string(self.0.join(file)).unwrap();
            PLACES.iter().map(|place| (place.file, read(place.file))).collect()
        }
    }

    impl Drop for Copy {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn every_place_takes_the_variables_and_gives_them_back() {
        let copy = Copy::new("all");
        let before = copy.texts();
        assert!(before.values().all(|text| !text.contains("forge.example/owner")));
        assert_eq!(copy.set(REPOSITORY, SITE, true).len(), PLACES.len());
        assert_eq!(faults(&copy.0).unwrap(), Vec::<String>::new());
        assert_eq!(copy.set(REPOSITORY, SITE, true), Vec::<&str>::new());
        for (file, text) in copy.texts() {
            let is_inherited = file.starts_with("crates/") && file.ends_with("Cargo.toml");
            let expected = if is_inherited { "repository.workspace = true" } else { REPOSITORY };
            assert!(text.contains(expected), "{file}:\n{text}");
        }
        assert_eq!(copy.set("", "", false).len(), PLACES.len());
        assert_eq!(copy.texts(), before);
    }

    #[test]
    fn each_variable_has_its_own_effect() {
        let copy = Copy::new("each");
        copy.set(REPOSITORY, "", false);
        let readme = &copy.texts()["README.md"];
        assert!(readme.contains("(https://forge.example/owner/rosenblatt/releases)"));
        assert!(readme.contains("`pip install ./python`") && !readme.contains("pages.example"));
        copy.set("", SITE, false);
        let texts = copy.texts();
        assert!(texts["README.md"].contains("[the lab](https://pages.example/rosenblatt/lab/)"));
        assert!(!texts["Cargo.toml"].contains("repository = "));
        copy.set("", "", true);
        let texts = copy.texts();
        let commands =
            ["cargo install rosenblatt-cli --features columnar --locked", "cargo add rosenblatt"];
        assert!(commands.iter().all(|command| texts["README.md"].contains(command)));
        assert!(texts["python/README.md"].contains("$ pip install rosenblatt  "));
        assert!(!texts["python/README.md"].contains("from a clone"));
    }

    #[test]
    fn manifests_are_read_as_meant() {
        let copy = Copy::new("manifests");
        copy.set(REPOSITORY, SITE, true);
        let read = |file: &str| -> toml::Table { toml::from_str(&copy.texts()[file]).unwrap() };
        let workspace = &read("Cargo.toml")["workspace"]["package"];
        assert_eq!(workspace["repository"].as_str(), Some(REPOSITORY));
        assert_eq!(workspace["homepage"].as_str(), Some(SITE));
        let package = &read("crates/rosenblatt-lab/Cargo.toml")["package"];
        assert_eq!(package["repository"]["workspace"].as_bool(), Some(true));
        let urls = &read("python/pyproject.toml")["project"]["urls"];
        assert_eq!(urls["Repository"].as_str(), Some(REPOSITORY));
        assert_eq!(urls["Documentation"].as_str(), Some("https://pages.example/rosenblatt/book/"));
    }

    #[test]
    fn what_is_out_of_line_is_named() {
        let copy = Copy::new("stale");
        fs::write(copy.0.join(FILE), variables(REPOSITORY, "", false)).unwrap();
        let faults = faults(&copy.0).unwrap();
        assert_eq!(faults.len(), PLACES.len(), "{faults:#?}");
        assert!(faults.contains(
            &"SECURITY.md is not as project.toml says: run `cargo xtask identity`".to_owned()
        ));
    }

    #[test]
    fn a_document_that_needs_a_registry_is_named_until_the_names_are_ours() {
        let copy = Copy::new("document");
        fs::write(copy.0.join("docs/new.md"), "Type `pip install\nrosenblatt`.\n").unwrap();
        let found = faults(&copy.0).unwrap();
        assert!(
            found.len() == 1 && found[0].starts_with("docs/new.md:1: `pip install rosenblatt`")
        );
        copy.set("", "", true);
        assert_eq!(faults(&copy.0).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn addresses() {
        assert!(is_address("") && is_address(REPOSITORY));
        let refused = [
            "http://a.example",
            "https://",
            "https://a.example/",
            "https://a b",
            "owner/name",
            "https://a\"",
        ];
        assert!(refused.iter().all(|text| !is_address(text)));
    }

    #[test]
    fn every_published_crate_is_a_place() {
        for entry in fs::read_dir(root().join("crates")).unwrap() {
            let file =
                format!("crates/{}/Cargo.toml", entry.unwrap().file_name().to_string_lossy());
            let Ok(manifest) = fs::read_to_string(root().join(&file)) else { continue };
            let is_place = PLACES.iter().any(|place| place.file == file);
            assert_eq!(is_place, !manifest.contains("publish = false"), "{file}");
        }
    }
}
