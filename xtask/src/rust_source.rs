//! The sources of this project's crates as a tree of modules, without tests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, Item, ItemMod, Meta};

use crate::root;

/// Texts of source files by their path below the folder of the sources, with `/` between folders.
pub(crate) type Sources = BTreeMap<String, String>;

/// A module of a crate.
pub(crate) struct Module {
    /// The names from the root of the crate to this module; empty for the root.
    pub(crate) path: Vec<String>,
    /// The file that holds the module.
    pub(crate) file: String,
    /// All items but modules and tests.
    pub(crate) items: Vec<Item>,
}

/// The folders of the workspace's crates below the root of the project.
pub(crate) fn crate_folders() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).into_iter().flatten().flatten();
    let names = entries.map(|entry| format!("crates/{}", entry.file_name().display()));
    let all = names.chain(["python".to_owned(), "xtask".to_owned()]);
    let mut folders: Vec<String> =
        all.filter(|folder| root().join(folder).join("src").is_dir()).collect();
    folders.sort();
    folders
}

/// Reads all files below a folder whose names end in one of `endings`.
pub(crate) fn read_sources(folder: &Path, endings: &[&str]) -> Result<Sources, String> {
    let mut sources = Sources::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let entries = fs::read_dir(folder.join(&below));
        for entry in entries.map_err(|error| format!("{}: {error}", folder.display()))?.flatten() {
            let path = below.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            if entry.path().is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                let text = fs::read_to_string(entry.path());
                let text = text.map_err(|error| format!("{name}: {error}"))?;
                sources.insert(name, text);
            }
        }
    }
    Ok(sources)
}

/// The trees of modules of a crate: one for each of `lib.rs` and `main.rs` that there is. The root comes first in
/// its tree.
pub(crate) fn module_trees(sources: &Sources) -> Result<Vec<Vec<Module>>, String> {
    let roots = ["lib.rs", "main.rs"].into_iter().filter(|file| sources.contains_key(*file));
    roots
        .map(|file| {
            let mut loader = Loader { sources, modules: Vec::new() };
            loader.load(Vec::new(), file)?;
            Ok(loader.modules)
        })
        .collect()
}

/// Collects the modules of one tree.
struct Loader<'s> {
    sources: &'s Sources,
    modules: Vec<Module>,
}

impl Loader<'_> {
    fn load(&mut self, path: Vec<String>, file: &str) -> Result<(), String> {
        let text = &self.sources[file];
        let parsed = syn::parse_file(text).map_err(|error| {
            let start = error.span().start();
            format!("{file}:{}:{}: {error}", start.line, start.column + 1)
        })?;
        self.add(path, file, parsed.items)
    }

    fn add(&mut self, path: Vec<String>, file: &str, items: Vec<Item>) -> Result<(), String> {
        let mut children = Vec::new();
        let mut own = Vec::new();
        for item in items {
            match item {
                Item::Mod(module) if !is_test(&module.attrs) => children.push(module),
                Item::Mod(_) => {}
                item => own.push(item),
            }
        }
        self.modules.push(Module { path: path.clone(), file: file.to_owned(), items: own });
        children.into_iter().try_for_each(|child| self.add_child(&path, file, child))
    }

    fn add_child(&mut self, parent: &[String], file: &str, child: ItemMod) -> Result<(), String> {
        let mut path = parent.to_vec();
        path.push(child.ident.to_string());
        if let Some((_, items)) = child.content {
            return self.add(path, file, items);
        }
        let stem = path.join("/");
        let candidates = [format!("{stem}.rs"), format!("{stem}/mod.rs")];
        match candidates.iter().find(|candidate| self.sources.contains_key(*candidate)) {
            Some(found) => self.load(path, found),
            None => Err(format!("{file}: cannot find the file of `mod {}`", child.ident)),
        }
    }
}

/// Whether these attributes keep an item out of everything but tests.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string().replace(' ', "");
            condition == "test" || condition.starts_with("all(test,")
        }
        _ => false,
    })
}

#[cfg(test)]
pub(crate) fn made_up(files: &[(&str, &str)]) -> Sources {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_and_tests_are_left_out() {
        let sources = made_up(&[
            ("lib.rs", "mod a; mod b; #[cfg(test)] mod tests; mod inner { mod c; }"),
            ("a.rs", "#[cfg(test)] mod tests { fn f() {} } struct A;"),
            ("b/mod.rs", "fn b() {}"),
            ("inner/c.rs", ""),
            ("tests.rs", "this is not read"),
        ]);
        let trees = module_trees(&sources).unwrap();
        let found: Vec<_> = trees[0].iter().map(|m| (m.path.join("::"), m.file.as_str())).collect();
        let expected = [
            ("", "lib.rs"),
            ("a", "a.rs"),
            ("b", "b/mod.rs"),
            ("inner", "lib.rs"),
            ("inner::c", "inner/c.rs"),
        ];
        assert_eq!(found, expected.map(|(path, file)| (path.to_owned(), file)));
        assert_eq!(trees[0][1].items.len(), 1);
    }

    #[test]
    fn a_missing_file_and_a_syntax_error_are_said_with_their_place() {
        let missing = module_trees(&made_up(&[("lib.rs", "mod a;")])).err();
        assert_eq!(missing.as_deref(), Some("lib.rs: cannot find the file of `mod a`"));
        let wrong = module_trees(&made_up(&[("lib.rs", "fn f() {}\nfn 1() {}")])).err().unwrap();
        assert!(wrong.starts_with("lib.rs:2:4: "), "{wrong}");
    }
}
