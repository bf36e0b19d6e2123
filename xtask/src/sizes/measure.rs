//! Lines and parameters of functions.

use serde::Deserialize;
use syn::{
    Block, FnArg, ImplItemFn, Item, ItemFn, ItemImpl, ItemMod, Signature, TraitItemFn, Type,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::rust_source::is_test;

/// One function.
pub(super) struct Function {
    /// From its signature to the closing brace; `None` for one that only a trait declares.
    lines: Option<usize>,
    /// Without `self`.
    arguments: usize,
    /// Parameters that are tuples of three or more.
    tuples: usize,
}

/// The sizes of the functions of a crate.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(super) struct Sizes {
    pub(super) longest: usize,
    pub(super) median: usize,
    pub(super) ninetieth_percentile: usize,
    pub(super) most_arguments: usize,
    pub(super) tuple_parameters: usize,
}

impl Sizes {
    pub(super) fn of(functions: &[Function]) -> Self {
        let mut lines: Vec<usize> = functions.iter().filter_map(|f| f.lines).collect();
        lines.sort_unstable();
        Sizes {
            longest: percentile(&lines, 100),
            median: percentile(&lines, 50),
            ninetieth_percentile: percentile(&lines, 90),
            most_arguments: functions.iter().map(|f| f.arguments).max().unwrap_or(0),
            tuple_parameters: functions.iter().map(|f| f.tuples).sum(),
        }
    }

    /// The names, sizes and limits of what is above its limit.
    pub(super) fn above(&self, limits: &Sizes) -> Vec<(&'static str, usize, usize)> {
        let pairs = self.named().into_iter().zip(limits.named());
        let above = pairs.filter(|((_, size), (_, limit))| size > limit);
        above.map(|((name, size), (_, limit))| (name, size, limit)).collect()
    }

    /// The lower one of each size.
    pub(super) fn least(&self, other: &Sizes) -> Sizes {
        Sizes {
            longest: self.longest.min(other.longest),
            median: self.median.min(other.median),
            ninetieth_percentile: self.ninetieth_percentile.min(other.ninetieth_percentile),
            most_arguments: self.most_arguments.min(other.most_arguments),
            tuple_parameters: self.tuple_parameters.min(other.tuple_parameters),
        }
    }

    /// All sizes by their names in the file of limits.
    pub(super) fn named(&self) -> [(&'static str, usize); 5] {
        [
            ("longest", self.longest),
            ("median", self.median),
            ("ninetieth_percentile", self.ninetieth_percentile),
            ("most_arguments", self.most_arguments),
            ("tuple_parameters", self.tuple_parameters),
        ]
    }
}

/// The smallest of sorted numbers that is not below `percent` of a hundred of them; 0 if there are none.
fn percentile(sorted: &[usize], percent: usize) -> usize {
    let rank = (sorted.len() * percent).div_ceil(100);
    rank.checked_sub(1).map_or(0, |at| sorted[at])
}

/// All functions and methods in these items but tests. Closures and what macros make do not count.
pub(super) fn functions(items: &[Item]) -> Vec<Function> {
    let mut found = Functions::default();
    items.iter().for_each(|item| found.visit_item(item));
    found.0
}

#[derive(Default)]
struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &Signature, body: Option<&Block>) {
        let typed = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(argument) => Some(&*argument.ty),
            FnArg::Receiver(_) => None,
        });
        let first = signature.span().start().line;
        self.0.push(Function {
            lines: body.map(|body| body.span().end().line - first + 1),
            arguments: typed.clone().count(),
            tuples: typed.filter(|kind| is_long_tuple(kind)).count(),
        });
    }
}

/// Whether a type is a tuple of three or more, or a reference to one.
fn is_long_tuple(kind: &Type) -> bool {
    match kind {
        Type::Tuple(tuple) => tuple.elems.len() >= 3,
        Type::Reference(reference) => is_long_tuple(&reference.elem),
        Type::Paren(inside) => is_long_tuple(&inside.elem),
        _ => false,
    }
}

impl Visit<'_> for Functions {
    fn visit_item_fn(&mut self, item: &ItemFn) {
        if !is_test(&item.attrs) {
            self.add(&item.sig, Some(&item.block));
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &ImplItemFn) {
        if !is_test(&item.attrs) {
            self.add(&item.sig, Some(&item.block));
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &TraitItemFn) {
        self.add(&item.sig, item.default.as_ref());
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &ItemImpl) {
        if !is_test(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(text: &str) -> Vec<Function> {
        functions(&syn::parse_file(text).unwrap().items)
    }

    #[test]
    fn lines_and_parameters() {
        let text = "/// Doc.\nfn a(x: u8,\n  (y, z, w): (u8, u8, u8),\n) {\n}\n\
                    impl B { fn b(&self, c: &(u8, u8, u8, u8), d: (u8, u8)) { fn inner() {} } }\n\
                    trait T { fn t(&self, a: [u8; 3], b: u8, c: u8); }\n";
        let found: Vec<_> =
            measured(text).iter().map(|f| (f.lines, f.arguments, f.tuples)).collect();
        let expected = [(Some(4), 2, 1), (Some(1), 2, 1), (Some(1), 0, 0), (None, 3, 0)];
        assert_eq!(found, expected);
    }

    #[test]
    fn tests_do_not_count() {
        let text = "#[test] fn a() {} #[cfg(test)] mod b { fn c() {} } #[cfg(test)] fn d() {}\n\
                    #[cfg(test)] impl E { fn f() {} } impl G { #[cfg(test)] fn h() {} }";
        assert!(measured(text).is_empty());
    }

    #[test]
    fn the_sizes_of_ten_functions() {
        let of = |lines| Function { lines: Some(lines), arguments: lines, tuples: 1 };
        let ten: Vec<Function> = (1..=10).rev().map(of).collect();
        let expected = Sizes {
            longest: 10,
            median: 5,
            ninetieth_percentile: 9,
            most_arguments: 10,
            tuple_parameters: 10,
        };
        assert_eq!(Sizes::of(&ten), expected);
        assert_eq!(percentile(&[], 50), 0);
    }
}
