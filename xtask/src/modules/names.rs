//! Finds the file that defines a name, through imports and re-exports.

use std::collections::BTreeMap;

use syn::Item;

use super::paths::Uses;
use crate::rust_source::Module;

/// One of the meanings that a name has in a module.
#[derive(Clone)]
enum Meaning {
    /// An item that the module defines.
    Own,
    /// A child module, by its number.
    Child(usize),
    /// Imported from another path.
    Imported(Vec<String>),
}

/// The end of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An item, or a name that cannot be seen, such as one that a macro makes: the number of its module.
    Item { module: usize, name: String },
    /// A module, by its number.
    Module(usize),
}

/// The names of one module.
#[derive(Default)]
struct Scope {
    parent: usize,
    names: BTreeMap<String, Vec<Meaning>>,
    globs: Vec<Vec<String>>,
}

/// The names of all modules of a tree.
pub(super) struct Names {
    scopes: Vec<Scope>,
}

/// A look-up that has begun: a name that needs itself has no further meaning.
type Begun = Vec<(usize, String)>;

impl Names {
    /// `uses` are those of the modules, in their order.
    pub(super) fn new(modules: &[Module], uses: &[Uses]) -> Self {
        let mut scopes: Vec<Scope> = modules.iter().map(own_names).collect();
        for (number, module) in modules.iter().enumerate().skip(1) {
            let Some((name, parent)) = module.path.split_last() else { continue };
            let parent = modules.iter().position(|other| other.path == parent).unwrap_or(0);
            scopes[number].parent = parent;
            scopes[parent].names.entry(name.clone()).or_default().push(Meaning::Child(number));
        }
        for (scope, uses) in scopes.iter_mut().zip(uses) {
            scope.globs.clone_from(&uses.globs);
            for import in &uses.imports {
                let Some(name) = import.name.clone() else { continue };
                let meaning = Meaning::Imported(import.path.clone());
                scope.names.entry(name).or_default().push(meaning);
            }
        }
        Names { scopes }
    }

    /// Everything that a path means in a module; nothing for names of other crates.
    pub(super) fn resolve(&self, module: usize, path: &[String]) -> Vec<Target> {
        self.follow(module, path, &mut Begun::new())
    }

    fn follow(&self, module: usize, path: &[String], begun: &mut Begun) -> Vec<Target> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let mut targets = match first.as_str() {
            "crate" => vec![Target::Module(0)],
            "self" => vec![Target::Module(module)],
            "super" => vec![Target::Module(self.scopes[module].parent)],
            name if rest.is_empty() => self.look_up(module, name, begun),
            name => self.look_up_prefix(module, name, begun),
        };
        for (at, name) in rest.iter().enumerate() {
            let last = at + 1 == rest.len();
            let step = |target| self.step(target, name, last, begun);
            targets = targets.into_iter().flat_map(step).collect();
        }
        targets
    }

    fn step(&self, target: Target, name: &str, last: bool, begun: &mut Begun) -> Vec<Target> {
        let Target::Module(module) = target else { return vec![target] };
        let found = match name {
            "super" => vec![Target::Module(self.scopes[module].parent)],
            name if last => self.look_up(module, name, begun),
            name => self.look_up_prefix(module, name, begun),
        };
        let unseen = || vec![Target::Item { module, name: name.to_owned() }];
        if found.is_empty() { unseen() } else { found }
    }

    /// A name that more names follow means a module where it can: `a::a` is not the item `a`.
    fn look_up_prefix(&self, module: usize, name: &str, begun: &mut Begun) -> Vec<Target> {
        let meanings = self.scopes[module].names.get(name).into_iter().flatten();
        let child = meanings.clone().find_map(|meaning| match meaning {
            Meaning::Child(number) => Some(Target::Module(*number)),
            Meaning::Own | Meaning::Imported(_) => None,
        });
        if let Some(child) = child {
            return vec![child];
        }
        let mut found = self.look_up(module, name, begun);
        if found.iter().any(|target| matches!(target, Target::Module(_))) {
            found.retain(|target| matches!(target, Target::Module(_)));
        }
        found
    }

    fn look_up(&self, module: usize, name: &str, begun: &mut Begun) -> Vec<Target> {
        let key = (module, name.to_owned());
        if begun.contains(&key) {
            return Vec::new();
        }
        begun.push(key);
        let found = match self.scopes[module].names.get(name) {
            Some(meanings) => meanings
                .iter()
                .flat_map(|meaning| self.meant(module, name, meaning, begun))
                .collect(),
            None => self.look_up_in_globs(module, name, begun),
        };
        begun.pop();
        found
    }

    fn meant(
        &self,
        module: usize,
        name: &str,
        meaning: &Meaning,
        begun: &mut Begun,
    ) -> Vec<Target> {
        match meaning {
            Meaning::Own => vec![Target::Item { module, name: name.to_owned() }],
            Meaning::Child(number) => vec![Target::Module(*number)],
            Meaning::Imported(path) => self.follow(module, path, begun),
        }
    }

    fn look_up_in_globs(&self, module: usize, name: &str, begun: &mut Begun) -> Vec<Target> {
        let mut found = Vec::new();
        for glob in &self.scopes[module].globs {
            for target in self.follow(module, glob, begun) {
                if let Target::Module(other) = target {
                    found.extend(self.look_up(other, name, begun));
                }
            }
        }
        found
    }
}

fn own_names(module: &Module) -> Scope {
    let mut scope = Scope::default();
    for name in module.items.iter().filter_map(defined) {
        scope.names.entry(name).or_default().push(Meaning::Own);
    }
    scope
}

/// The name that an item defines.
fn defined(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
