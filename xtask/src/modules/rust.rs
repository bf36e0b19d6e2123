//! The graph of a Rust crate: a file uses the files that define the names in its imports and paths.

use super::{
    graph::{File, Graph},
    names::{Names, Target},
    paths::Uses,
};
use crate::rust_source::{Module, Sources, module_trees};

/// The graph of the files of a crate. To import a module is no link, to use a name of it is one.
pub(super) fn graph(sources: &Sources) -> Result<Graph, String> {
    let mut graph = Graph::default();
    for modules in module_trees(sources)? {
        add_tree(&mut graph, &modules);
    }
    Ok(graph)
}

fn add_tree(graph: &mut Graph, modules: &[Module]) {
    let uses: Vec<Uses> = modules.iter().map(|module| Uses::of(&module.items)).collect();
    let names = Names::new(modules, &uses);
    for (number, uses) in uses.iter().enumerate() {
        let imported = uses.imports.iter().map(|import| &import.path);
        for path in imported.chain(&uses.globs).chain(&uses.paths) {
            for target in names.resolve(number, path) {
                if let Target::Item { module, name } = target {
                    graph.add(&file(modules, number), &file(modules, module), &name);
                }
            }
        }
    }
}

/// The file of a module. Modules inside of a file have the place of the file.
fn file(modules: &[Module], number: usize) -> File {
    let name = &modules[number].file;
    let first = modules.iter().find(|module| module.file == *name);
    let module = first.map(|module| module.path.clone()).unwrap_or_default();
    File { module, name: name.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust_source::made_up;

    /// All links of the cycles of a crate of these files.
    fn cyclic(files: &[(&str, &str)]) -> Vec<String> {
        let cycles = graph(&made_up(files)).unwrap().cycles();
        cycles.into_iter().flat_map(|cycle| cycle.links).collect()
    }

    #[test]
    fn imports_and_paths_form_a_cycle() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B; fn f(_: super::a::A) {}"),
        ];
        assert_eq!(cyclic(&files), ["a.rs → b.rs: B", "b.rs → a.rs: A"]);
    }

    #[test]
    fn a_name_is_followed_to_the_file_that_defines_it() {
        let files = [
            ("lib.rs", "mod a; pub use a::one::One;"),
            ("a/mod.rs", "mod one; mod two; mod three; pub(crate) use two::Two; use three::*;"),
            ("a/one.rs", "use super::Two; pub struct One;"),
            ("a/two.rs", "use crate::One; pub struct Two; fn f() { super::three() }"),
            ("a/three.rs", "pub fn three() {}"),
        ];
        assert_eq!(cyclic(&files), ["a/one.rs → a/two.rs: Two", "a/two.rs → a/one.rs: One"]);
    }

    #[test]
    fn a_module_is_no_link_but_its_names_are() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b; pub fn f() { vec![b::g()]; }"),
            ("b.rs", "use crate::a; pub fn g() {}"),
        ];
        assert_eq!(cyclic(&files), <[&str; 0]>::default());
        let used = [files[0], files[1], ("b.rs", "use crate::a; pub fn g() { a::f() }")];
        assert_eq!(cyclic(&used), ["a.rs → b.rs: g", "b.rs → a.rs: f"]);
    }

    #[test]
    fn names_of_a_glob_are_links() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::*; fn f(_: B) {} pub struct A;"),
            ("b.rs", "pub struct B(crate::a::A);"),
        ];
        assert_eq!(cyclic(&files), ["a.rs → b.rs: B", "b.rs → a.rs: A"]);
    }

    #[test]
    fn a_function_with_the_name_of_its_module_is_a_link() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::a;"),
            ("a.rs", "use crate::b::B; pub fn a() {}"),
            ("b.rs", "pub struct B; fn f() { crate::a() }"),
        ];
        assert_eq!(cyclic(&files), ["a.rs → b.rs: B", "b.rs → a.rs: a"]);
    }

    #[test]
    fn a_name_that_a_macro_makes_belongs_to_its_module() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::Made; pub struct A;"),
            ("b.rs", "use crate::a::A; make!(Made);"),
        ];
        assert_eq!(cyclic(&files), ["a.rs → b.rs: Made", "b.rs → a.rs: A"]);
    }

    #[test]
    fn tests_and_ancestors_are_no_links() {
        let files = [
            ("lib.rs", "mod a; mod b; pub fn f() { a::g() }"),
            (
                "a.rs",
                "mod c; pub use c::C; pub fn g() {} #[cfg(test)] mod tests { use crate::b::B; }",
            ),
            ("a/c.rs", "use super::g; use crate::f; pub struct C;"),
            ("b.rs", "use crate::a::C; pub struct B;"),
        ];
        assert_eq!(cyclic(&files), <[&str; 0]>::default());
    }
}
