//! The texts that are made from the variables, each for both states, decided and not.

use super::Identity;

/// Keys of `[workspace.package]`.
pub(super) fn workspace(project: &Identity) -> String {
    keys(project, |key, address| format!("{key} = \"{address}\"\n"))
}

/// Keys of a crate.
pub(super) fn inherited(project: &Identity) -> String {
    keys(project, |key, _| format!("{key}.workspace = true\n"))
}

fn keys(project: &Identity, line: fn(&str, &str) -> String) -> String {
    let pairs = [("repository", project.repository()), ("homepage", project.site())];
    pairs.iter().filter_map(|(key, address)| Some(line(key, (*address)?))).collect()
}

/// Keys of `[project]` in the manifest of the Python package.
pub(super) fn urls(project: &Identity) -> String {
    let of_site = [("Homepage", ""), ("Documentation", "/book/")];
    let of_repository =
        [("Repository", ""), ("Issues", "/issues"), ("Changelog", "/blob/HEAD/CHANGELOG.md")];
    let lines = |address: Option<&str>, pages: &[(&str, &str)]| -> String {
        let line = |address: &str, (name, page): &(&str, &str)| {
            format!("urls.{name} = \"{address}{page}\"\n")
        };
        address.map_or_else(String::new, |address| {
            pages.iter().map(|page| line(address, page)).collect()
        })
    };
    lines(project.site(), &of_site) + &lines(project.repository(), &of_repository)
}

/// Keys of `CITATION.cff`, with the version of the workspace.
pub(super) fn citation(project: &Identity) -> String {
    let version = format!("version: {}\n", env!("CARGO_PKG_VERSION"));
    let pairs = [("repository-code", project.repository()), ("url", project.site())];
    let line =
        |(key, address): &(&str, Option<&str>)| Some(format!("{key}: \"{}\"\n", (*address)?));
    version + &pairs.iter().filter_map(line).collect::<String>()
}

/// The links beside the forms for issues.
pub(super) fn contacts(project: &Identity) -> String {
    let Some(repository) = project.repository() else { return String::new() };
    format!(
        "contact_links:\n  - name: A matter of security\n    url: {repository}/security/advisories/new\n    \
         about: A private report; SECURITY.md says what belongs there.\n"
    )
}

/// How to report a matter of security.
pub(super) fn report(project: &Identity) -> String {
    match project.repository() {
        Some(repository) => format!(
            "Write a private report with [the form for advisories]({repository}/security/advisories/new).\n\
             Please do not open a public issue before a repaired version is there.\n"
        ),
        None => "The address of the public repository is not decided yet, and with it the form for private reports. Until it is \
                 here,\nwrite to the person from whom you have the sources, and not in a public place.\n"
            .to_owned(),
    }
}

const CLONE_COMMAND: &str =
    "cargo install --path crates/rosenblatt-cli --features columnar --locked";
const REGISTRY_COMMAND: &str = "cargo install rosenblatt-cli --features columnar --locked";

fn command(project: &Identity) -> &'static str {
    if project.on_registries { REGISTRY_COMMAND } else { CLONE_COMMAND }
}

/// The package for `pip install`, without the quotes that an extra needs.
fn python(project: &Identity) -> &'static str {
    if project.on_registries { "rosenblatt" } else { "./python" }
}

/// The command or line that gives a Rust program the library, in code font.
fn rust(project: &Identity) -> &'static str {
    if project.on_registries {
        "`cargo add rosenblatt`"
    } else {
        "`rosenblatt = { path = \"…/crates/rosenblatt\" }`"
    }
}

/// Some words, as a link where an address is decided.
fn linked(words: &str, address: Option<&str>, page: &str) -> String {
    address.map_or_else(|| words.to_owned(), |address| format!("[{words}]({address}{page})"))
}

/// Where to get a clone: nothing where no address is decided.
fn clone(project: &Identity) -> String {
    project.repository().map_or_else(String::new, |address| format!(" (`git clone {address}`)"))
}

/// The table of the README.
pub(super) fn readme(project: &Identity) -> String {
    let archive =
        linked("static binaries from a release archive", project.repository(), "/releases");
    let lab = project.site().map_or_else(String::new, |site| {
        format!("[the lab]({site}/lab/), with nothing to install; or ")
    });
    let needs = if project.on_registries {
        "What is compiled needs Rust 1.91 or later and a C compiler".to_owned()
    } else {
        format!("In a clone{}; it needs Rust 1.91 or later and a C compiler", clone(project))
    };
    format!(
        "| | |\n|---|---|\n\
         | command | `{}`, or {archive} |\n\
         | Python ≥ 3.10 | `pip install {}` |\n\
         | Rust | {} |\n\
         | browser | {lab}`rosenblatt lab` |\n\n\
         {needs} ([installation](docs/installation.md)).\n",
        command(project),
        python(project),
        rust(project)
    )
}

/// The beginning of the page on installation.
pub(super) fn installation(project: &Identity) -> String {
    let archive = linked("release archive", project.repository(), "/releases");
    let (from, heading, rust) = if project.on_registries {
        let from = format!(
            "Install from crates.io and PyPI, from a {archive}, or from a clone of the sources{}, as below.",
            clone(project)
        );
        (from, "command", rust(project))
    } else {
        let from = format!(
            "Nothing of Rosenblatt is on a package registry yet. Install from a clone of the sources{} or from a {archive}.",
            clone(project)
        );
        (from, "from a clone", "[a path in `Cargo.toml`](#the-rust-library)")
    };
    let wheel = if project.on_registries {
        "Python 3.10 or later; where no wheel fits, Rust and a C compiler as above"
    } else {
        "Python 3.10 or later, Rust and a C compiler as above"
    };
    let lab = linked("the lab", project.site(), "/lab/");
    format!(
        "{from}\nAn archive works without a network. A build needs the crates that `Cargo.lock` names, and pip downloads maturin and what\n\
         the package depends on.\n\n\
         | you want | {heading} | needs |\n|---|---|---|\n\
         | the command | `{}` | Rust 1.91 or later, a C compiler (for zstd); about two minutes, with `columnar` some more |\n\
         | Python | `pip install {}` | {wheel} |\n\
         | the Rust library | {rust} | Rust 1.91 or later, a C compiler |\n\
         | {lab} | `rosenblatt lab` | the command, and a browser |\n",
        command(project),
        python(project)
    )
}

/// How to install the Python package, in its own README, and where the paths of that text are.
pub(super) fn python_readme(project: &Identity) -> String {
    let package = python(project);
    let needs = if project.on_registries {
        "Python 3.10 or later"
    } else {
        "from a clone: needs Rust 1.91 or later, a C compiler, Python 3.10 or later"
    };
    let extra = format!("\"{package}[plot]\"");
    format!(
        "```console\n$ pip install {package:width$}    # {needs}\n$ pip install {extra}    # with Matplotlib, for figures\n```\n\n\
         Paths in this text, such as `docs/spark.md`, are those of the project's {}.\n",
        linked("sources", project.repository(), ""),
        width = extra.len()
    )
}

/// How to install the command, in the README of its crate.
pub(super) fn command_readme(project: &Identity) -> String {
    let place = if project.on_registries { "" } else { "    # in a clone of the sources" };
    format!(
        "```sh\n{}{place}\n```\n\n\
         It needs Rust 1.91 or later and a C compiler; a {} needs neither.\n\
         Paths in this text, such as `docs/reference/README.md`, are those of the project's {}.\n",
        command(project),
        linked("release archive", project.repository(), "/releases"),
        linked("sources", project.repository(), "")
    )
}
