//! The graph of the Python package, from the imports at module level and under `TYPE_CHECKING`.

use super::graph::{File, Graph};
use crate::rust_source::Sources;

/// The graph of the files of the package `package`. `__init__.py` is a file like any other.
pub(super) fn graph(package: &str, sources: &Sources) -> Graph {
    let mut graph = Graph::default();
    for (name, text) in sources {
        for statement in statements(text) {
            for Used { module, name: used } in used(package, name, &statement) {
                if let Some(to) = found(sources, &module, &used) {
                    graph.add(&file(name), &file(to), &used);
                }
            }
        }
    }
    graph
}

/// A name in a module of the package. The module is a path of folders, empty for the package itself.
struct Used {
    module: Vec<String>,
    name: String,
}

/// The statements that import, each in one line. Those inside of functions and classes are left out.
fn statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut inside = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with(|first: char| !first.is_whitespace()) {
            inside = ["def ", "async ", "class ", "@"].iter().any(|word| line.starts_with(word));
        }
        let is_import = |line: &str| line.starts_with("from ") || line.starts_with("import ");
        if inside || !is_import(line.trim_start()) {
            continue;
        }
        let mut statement = without_comment(line).trim().to_owned();
        while statement.contains('(') && !statement.contains(')') {
            let Some(line) = lines.next() else { break };
            statement.push_str(without_comment(line));
        }
        statements.push(statement);
    }
    statements
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

fn used(package: &str, file: &str, statement: &str) -> Vec<Used> {
    let Some((module, names)) =
        statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
    else {
        let modules = statement.strip_prefix("import ").unwrap_or_default().split(',');
        let whole = |module: &str| {
            Some(Used { module: below(package, file, word(module))?, name: "all of it".into() })
        };
        return modules.filter_map(whole).collect();
    };
    let Some(module) = below(package, file, module.trim()) else { return Vec::new() };
    let names = names.split(['(', ')', ',']).map(word).filter(|name| !name.is_empty());
    names.map(|name| Used { module: module.clone(), name: name.to_owned() }).collect()
}

/// The name before `as`.
fn word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The folders and the file below the package, of a relative import or one of the package's name.
fn below(package: &str, file: &str, module: &str) -> Option<Vec<String>> {
    let names = module.trim_start_matches('.');
    let dots = module.len() - names.len();
    let mut parts: Vec<String> = Vec::new();
    let mut names = names.split('.').filter(|name| !name.is_empty());
    if dots > 0 {
        let folders: Vec<&str> = file.split('/').collect();
        let kept = folders.len().checked_sub(dots)?;
        parts.extend(folders[..kept].iter().map(|&folder| folder.to_owned()));
    } else if names.next() != Some(package) {
        return None;
    }
    parts.extend(names.map(str::to_owned));
    Some(parts)
}

/// The file of a name: a module of that name, else the module that holds it.
fn found<'s>(sources: &'s Sources, module: &[String], name: &str) -> Option<&'s String> {
    let holder = module.join("/");
    let own = [module, &[name.to_owned()]].concat().join("/");
    let at = |stem: &str| {
        let inside = format!("{stem}/__init__.py");
        let init = inside.trim_start_matches('/').to_owned();
        [format!("{stem}.py"), format!("{stem}.pyi"), init]
            .iter()
            .find_map(|path| sources.get_key_value(path))
            .map(|(path, _)| path)
    };
    at(&own).or_else(|| at(&holder))
}

fn file(name: &str) -> File {
    let stem = name.trim_end_matches(".pyi").trim_end_matches(".py");
    File { module: stem.split('/').map(str::to_owned).collect(), name: name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust_source::made_up;

    fn cyclic(files: &[(&str, &str)]) -> Vec<String> {
        let cycles = graph("package", &made_up(files)).cycles();
        cycles.into_iter().flat_map(|cycle| cycle.links).collect()
    }

    #[test]
    fn imports_for_types_form_a_cycle() {
        let files = [
            (
                "_a.py",
                "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ._b import (\n        B,  # (why)\n    )\n",
            ),
            ("_b.py", "from . import _a, _native\n"),
            ("_native.pyi", ""),
        ];
        assert_eq!(cyclic(&files), ["_a.py → _b.py: B", "_b.py → _a.py: _a"]);
    }

    #[test]
    fn names_of_the_package_itself_form_a_cycle() {
        let files = [("__init__.py", "from ._a import A\n"), ("_a.py", "from package import B\n")];
        assert_eq!(cyclic(&files), ["__init__.py → _a.py: A", "_a.py → __init__.py: B"]);
        let whole = [files[0], ("_a.py", "import package, numpy\n")];
        assert_eq!(cyclic(&whole), ["__init__.py → _a.py: A", "_a.py → __init__.py: all of it"]);
    }

    #[test]
    fn imports_inside_of_functions_and_of_other_packages_are_no_links() {
        let files = [
            ("_a.py", "import _b\nfrom numpy import _b\ndef f():\n    from ._b import B\n"),
            ("_b.py", "from ._a import A\n"),
        ];
        assert_eq!(cyclic(&files), <[&str; 0]>::default());
    }
}
