//! The graph of the lab's page: a file uses the files that its `import` and `export … from` lines name.

use super::graph::{File, Graph};
use crate::rust_source::Sources;

/// The graph of TypeScript files. Imports of types count. A folder's `index.ts` is a file like any other.
pub(super) fn graph(sources: &Sources) -> Graph {
    let mut graph = Graph::default();
    for (name, text) in sources {
        for import in imports(text) {
            let path = beside(name, &import.from);
            if let Some(to) = found(sources, &path) {
                import.names.iter().for_each(|used| graph.add(&file(name), &file(to), used));
            }
        }
    }
    graph
}

/// An import: where from, and the names there.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    from: String,
    names: Vec<String>,
}

/// The imports of a file. Each begins a line and ends at the first semicolon.
fn imports(text: &str) -> Vec<Import> {
    let starts = ["import ", "import{", "export {", "export *", "export type {"];
    let mut lines = text.split_inclusive('\n');
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if !starts.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let mut statement = line.to_owned();
        while !statement.contains(';') {
            let Some(line) = lines.next() else { break };
            statement.push_str(line);
        }
        found.extend(import(&statement));
    }
    found
}

fn import(statement: &str) -> Option<Import> {
    let mut quoted = statement.split(['"', '\'']);
    let names = quoted.next()?;
    let from = quoted.next()?.to_owned();
    let names = names.trim().trim_end_matches("from").trim();
    let names =
        ["import", "export"].iter().fold(names, |names, word| names.trim_start_matches(word));
    let words = names.split(['{', '}', ',']).map(name).filter(|name| !name.is_empty());
    let mut names: Vec<String> = words.collect();
    if names.is_empty() {
        names.push("all of it".to_owned());
    }
    Some(Import { from, names })
}

/// The name in the other file, without `type` before it and `as` after it.
fn name(text: &str) -> String {
    let text = text.trim();
    let text = if text == "type" { "" } else { text };
    let text = text.strip_prefix("type ").unwrap_or(text);
    text.split(" as ").next().unwrap_or_default().trim().to_owned()
}

/// The path that an import in `file` means; it is kept as it is where it is not relative.
fn beside(file: &str, path: &str) -> String {
    if !path.starts_with('.') {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The source of what is imported as `x.js`.
fn found<'s>(sources: &'s Sources, path: &str) -> Option<&'s String> {
    let stem = path.strip_suffix(".js").unwrap_or(path);
    sources.get_key_value(&format!("{stem}.ts")).map(|(name, _)| name)
}

fn file(name: &str) -> File {
    let module = name.trim_end_matches(".ts").split('/').map(str::to_owned).collect();
    File { module, name: name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust_source::made_up;

    #[test]
    fn names_of_imports() {
        let text = "import type { A } from \"./a.js\";\nimport {\n  b as c,\n  type D,\n} from '../d.js';\n\
                    import \"./e.css\";\nexport * from \"./f.js\";\nconst from = \"g\";\n";
        let import = |from: &str, names: &[&str]| Import {
            from: from.to_owned(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
        };
        let expected = [
            import("./a.js", &["A"]),
            import("../d.js", &["b", "D"]),
            import("./e.css", &["all of it"]),
            import("./f.js", &["*"]),
        ];
        assert_eq!(imports(text), expected);
    }

    #[test]
    fn imports_of_types_form_a_cycle() {
        let sources = made_up(&[
            ("run/run.ts", "import { Plane } from \"../plane/plane.js\";\n"),
            ("plane/plane.ts", "export class Plane {}\n"),
            ("plane/view.ts", "import type { Run } from \"../run/run.js\";\n"),
        ]);
        let cycles = graph(&sources).cycles();
        let links = ["plane/view.ts → run/run.ts: Run", "run/run.ts → plane/plane.ts: Plane"];
        assert_eq!(cycles.len(), 1);
        assert_eq!(cycles[0].links, links);
    }

    #[test]
    fn a_tree_of_imports_has_no_cycle() {
        let sources = made_up(&[
            ("main.ts", "import { A } from \"./a.js\";\nimport \"./main.css\";\n"),
            ("a.ts", "import { B } from \"./b.js\";\n"),
            ("b.ts", "import irisText from \"../data/iris.csv\";\n"),
        ]);
        assert_eq!(graph(&sources).cycles(), []);
    }
}
