//! A graph of source files and its cycles, among files and among the children of each folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// A source file: its place in the tree of modules, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct File {
    pub(super) module: Vec<String>,
    pub(super) name: String,
}

impl File {
    /// Whether one of both files is the parent, or a further ancestor, of the other.
    fn is_related_to(&self, other: &File) -> bool {
        self.module.starts_with(&other.module) || other.module.starts_with(&self.module)
    }
}

/// A file uses names of another file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    from: File,
    to: File,
}

impl Link {
    /// The folder in which both ends are different children.
    fn folder(&self) -> Vec<String> {
        let pairs = self.from.module.iter().zip(&self.to.module);
        pairs.take_while(|(from, to)| from == to).map(|(name, _)| name.clone()).collect()
    }
}

/// Files and the names that they use of one another.
#[derive(Default)]
pub(super) struct Graph {
    links: BTreeMap<Link, BTreeSet<String>>,
}

/// Files, or children of one folder, that depend on one another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cycle {
    pub(super) among: String,
    pub(super) links: Vec<String>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  cycle {}", self.among)?;
        self.links.iter().try_for_each(|link| writeln!(f, "    {link}"))
    }
}

impl Graph {
    /// Adds that `from` uses `name`, which `to` defines. Nothing is added between a file and its ancestors.
    pub(super) fn add(&mut self, from: &File, to: &File, name: &str) {
        if !from.is_related_to(to) {
            let link = Link { from: from.clone(), to: to.clone() };
            self.links.entry(link).or_default().insert(name.to_owned());
        }
    }

    /// All cycles. One of a folder whose links are those of a cycle of files is given once.
    pub(super) fn cycles(&self) -> Vec<Cycle> {
        let mut cycles = self.cycles_of_files();
        for cycle in self.folders().iter().flat_map(|folder| self.cycles_of_folder(folder)) {
            if cycles.iter().all(|known| known.links != cycle.links) {
                cycles.push(cycle);
            }
        }
        cycles
    }

    fn cycles_of_files(&self) -> Vec<Cycle> {
        let edges = self.links.keys().map(|link| (link.from.name.clone(), link.to.name.clone()));
        let rings = rings(edges);
        let cycle = |ring: BTreeSet<String>| Cycle {
            among: format!("of {} files", ring.len()),
            links: self
                .texts(|link| ring.contains(&link.from.name) && ring.contains(&link.to.name)),
        };
        rings.into_iter().map(cycle).collect()
    }

    fn folders(&self) -> BTreeSet<Vec<String>> {
        self.links.keys().map(Link::folder).collect()
    }

    fn cycles_of_folder(&self, folder: &[String]) -> Vec<Cycle> {
        let child = |file: &File| file.module[folder.len()].clone();
        let inside: Vec<&Link> = self.links.keys().filter(|l| l.folder() == folder).collect();
        let rings = rings(inside.iter().map(|link| (child(&link.from), child(&link.to))));
        let cycle = |ring: BTreeSet<String>| Cycle {
            among: format!("in {}/ of {}", folder.join("/"), Vec::from_iter(&ring).join_words()),
            links: self.texts(|link| {
                link.folder() == folder
                    && ring.contains(&child(&link.from))
                    && ring.contains(&child(&link.to))
            }),
        };
        rings.into_iter().map(cycle).collect()
    }

    fn texts(&self, chosen: impl Fn(&Link) -> bool) -> Vec<String> {
        let links = self.links.iter().filter(|(link, _)| chosen(link));
        let text = |(link, names): (&Link, &BTreeSet<String>)| {
            let names = Vec::from_iter(names).join_words();
            format!("{} → {}: {names}", link.from.name, link.to.name)
        };
        links.map(text).collect()
    }
}

/// Joins words for people.
trait JoinWords {
    fn join_words(&self) -> String;
}

impl JoinWords for Vec<&String> {
    fn join_words(&self) -> String {
        self.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// The largest sets of two or more nodes each of which reaches all others of its set.
fn rings(edges: impl Iterator<Item = (String, String)>) -> Vec<BTreeSet<String>> {
    let mut next: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().insert(to);
    }
    let reached: BTreeMap<&String, BTreeSet<String>> =
        next.keys().map(|node| (node, reached_from(node, &next))).collect();
    let ring = |node: &String| -> BTreeSet<String> {
        let mutual = |other: &&String| reached.get(other).is_some_and(|set| set.contains(node));
        reached[node].iter().filter(mutual).cloned().collect()
    };
    let rings: BTreeSet<BTreeSet<String>> = next.keys().map(ring).collect();
    rings.into_iter().filter(|ring| ring.len() > 1).collect()
}

fn reached_from(node: &str, next: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![node.to_owned()];
    while let Some(node) = open.pop() {
        for to in next.get(&node).into_iter().flatten() {
            if reached.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> File {
        let module = name.trim_end_matches(".rs").trim_end_matches("/mod");
        File { module: module.split('/').map(str::to_owned).collect(), name: name.to_owned() }
    }

    fn graph(links: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        links.iter().for_each(|(from, to)| graph.add(&file(from), &file(to), "Name"));
        graph
    }

    #[test]
    fn a_cycle_of_files_is_given_with_its_links_only() {
        let graph =
            graph(&[("a.rs", "b.rs"), ("b.rs", "c.rs"), ("c.rs", "a.rs"), ("c.rs", "d.rs")]);
        let links = ["a.rs → b.rs: Name", "b.rs → c.rs: Name", "c.rs → a.rs: Name"];
        let expected =
            Cycle { among: "of 3 files".to_owned(), links: links.map(str::to_owned).into() };
        assert_eq!(graph.cycles(), [expected]);
    }

    #[test]
    fn folders_taken_as_wholes_form_a_cycle_where_their_files_do_not() {
        let graph = graph(&[("a/one.rs", "b/one.rs"), ("b/two.rs", "a/two.rs")]);
        let cycles = graph.cycles();
        assert_eq!(cycles.len(), 1);
        assert_eq!(cycles[0].among, "in / of a, b");
        assert_eq!(cycles[0].links, ["a/one.rs → b/one.rs: Name", "b/two.rs → a/two.rs: Name"]);
    }

    #[test]
    fn a_module_and_its_descendants_form_none() {
        let graph = graph(&[("a/mod.rs", "a/b.rs"), ("a/b.rs", "a/mod.rs"), ("a/b/c.rs", "a.rs")]);
        assert_eq!(graph.cycles(), []);
    }

    #[test]
    fn no_cycle_where_all_links_lead_one_way() {
        assert_eq!(graph(&[("a.rs", "b.rs"), ("a.rs", "c.rs"), ("b.rs", "c.rs")]).cycles(), []);
    }
}
