//! All names that a module's items use: `use` trees and paths, in macros and attributes too.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, ImplItemFn, Item, ItemUse, Macro, Meta, Path, UseTree,
    visit::{self, Visit},
};

use crate::rust_source::is_test;

/// A name that a `use` brings in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// The name here; `None` for `as _`.
    pub(super) name: Option<String>,
}

/// The names used by the items of a module.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) imports: Vec<Import>,
    /// The modules and enums whose names are all brought in.
    pub(super) globs: Vec<Vec<String>>,
    pub(super) paths: Vec<Vec<String>>,
}

impl Uses {
    pub(super) fn of(items: &[Item]) -> Self {
        let mut uses = Uses::default();
        items.iter().for_each(|item| uses.visit_item(item));
        uses
    }

    fn add_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &dyn ToString| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_tree(&with(&path.ident), &path.tree),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(before, tree));
            }
            UseTree::Glob(_) => self.globs.push(before.to_vec()),
            UseTree::Name(name) => self.add_import(with(&name.ident), None),
            UseTree::Rename(rename) => {
                self.add_import(with(&rename.ident), Some(rename.rename.to_string()));
            }
        }
    }

    /// Adds an import under its own name, or under another one. `a::{self}` imports `a`.
    fn add_import(&mut self, mut path: Vec<String>, name: Option<String>) {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.or_else(|| path.last().cloned()).filter(|name| name != "_");
        self.imports.push(Import { path, name });
    }

    /// Adds the paths in tokens that only a macro can read. A name after a dot is a field or a method.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut before = String::new();
        for token in tokens {
            let text = match &token {
                TokenTree::Group(group) => {
                    self.add_tokens(group.stream());
                    String::new()
                }
                TokenTree::Ident(name) => {
                    if before != "::" {
                        self.add_path(std::mem::take(&mut path));
                    }
                    if before != "." {
                        path.push(name.to_string());
                    }
                    name.to_string()
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' && before == ":" => "::".to_owned(),
                TokenTree::Punct(sign) => sign.to_string(),
                TokenTree::Literal(_) => String::new(),
            };
            before = text;
        }
        self.add_path(path);
    }

    fn add_path(&mut self, path: Vec<String>) {
        if !path.is_empty() {
            self.paths.push(path);
        }
    }
}

impl Visit<'_> for Uses {
    fn visit_item(&mut self, item: &Item) {
        if !attributes(item).is_some_and(is_test) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &ImplItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if item.leading_colon.is_none() {
            self.add_tree(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &Path) {
        if path.leading_colon.is_none() {
            self.add_path(path.segments.iter().map(|part| part.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &Macro) {
        visit::visit_macro(self, call);
        self.add_tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
        }
    }
}

/// The attributes of an item that can be left out of a build.
fn attributes(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &str) -> Uses {
        Uses::of(&syn::parse_file(text).unwrap().items)
    }

    fn joined(paths: &[Vec<String>]) -> Vec<String> {
        paths.iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn imports() {
        let uses = uses("use a::{self, b::{C, D as E}, f::*, T as _};");
        let found: Vec<_> =
            uses.imports.iter().map(|i| (i.path.join("::"), i.name.as_deref())).collect();
        let expected =
            [("a", Some("a")), ("a::b::C", Some("C")), ("a::b::D", Some("E")), ("a::T", None)];
        assert_eq!(found, expected.map(|(path, name)| (path.to_owned(), name)));
        assert_eq!(joined(&uses.globs), ["a::f"]);
    }

    #[test]
    fn paths_in_macros_and_attributes_without_fields() {
        let uses = uses("#[arg(value = crate::a::b)] fn f() { call!(x.y, super::z::<u8>(1), w); }");
        assert_eq!(
            joined(&uses.paths),
            ["value", "crate::a::b", "call", "x", "super::z", "u8", "w"]
        );
    }

    #[test]
    fn tests_are_left_out() {
        let uses =
            uses("#[cfg(test)] use a::B; #[cfg(test)] impl C { fn d() {} } #[test] fn e() {}");
        assert!(uses.imports.is_empty() && uses.paths.is_empty());
    }
}
