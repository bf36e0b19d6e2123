//! Faults of texts: commands that install a name of a registry which is not the project's, and in the READMEs of
//! packages links to files that the package's page does not have.

use std::{fs, path::Path};

/// The commands that take names of a registry.
const INSTALLERS: [&str; 3] = ["pip install", "cargo install", "cargo add"];

/// The names begin with this.
const NAME: &str = "rosenblatt";

/// The endings of files that can be installed.
const FILES: [&str; 2] = [".whl", ".tar.gz"];

/// The folders whose texts are read, each with the endings of its files.
const FOLDERS: [(&str, &[&str]); 4] = [
    ("docs", &["md", "py"]),
    ("python/rosenblatt", &["py", "pyi"]),
    ("python/src", &["rs"]),
    ("crates", &["md", "rs"]),
];

/// Names that are left out in those folders: built files, other people's packages, tests, which may quote anything.
const LEFT_OUT: [&str; 4] = ["node_modules", "dist", "tests", "target"];

/// The texts that people read, by their paths: pages at the root, documents, and sources, where messages are.
fn texts(root: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<_> = files_in(root).filter(|path| has_ending(path, &["md"])).collect();
    paths.push(root.join("python/README.md"));
    for (folder, endings) in FOLDERS {
        let mut found = Vec::new();
        walk(&root.join(folder), &mut found);
        paths.extend(found.into_iter().filter(|path| has_ending(path, endings)));
    }
    paths.sort();
    let named = |path: &std::path::PathBuf| {
        let name = path.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/");
        Some((name, fs::read_to_string(path).ok()?))
    };
    paths.iter().filter_map(named).collect()
}

fn files_in(folder: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn walk(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for path in files_in(folder) {
        let is_left_out =
            path.file_name().is_some_and(|name| LEFT_OUT.iter().any(|out| name == *out));
        if !is_left_out && path.is_dir() {
            walk(&path, found);
        } else if !is_left_out {
            found.push(path);
        }
    }
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|found| endings.iter().any(|ending| found == *ending))
}

/// The places of commands that would install what somebody else may have under a name of ours.
pub(super) fn registry_commands(root: &Path) -> Vec<String> {
    let of_text = |(name, text): (String, String)| {
        let found = commands(&text).into_iter();
        found.map(move |(line, words)| {
            format!("{name}:{line}: `{words}` needs a registry, where the name is not ours (project.toml)")
        })
    };
    texts(root).into_iter().flat_map(of_text).collect()
}

/// The installing commands in a text that name a package of ours: the line and the words of each.
fn commands(text: &str) -> Vec<(usize, String)> {
    let words: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .flat_map(|(line, text)| text.split_whitespace().map(move |word| (line + 1, word)))
        .collect();
    let bare =
        |word: &str| word.trim_matches(|letter: char| "`'\"(,.;".contains(letter)).to_owned();
    let starts = words.windows(2).enumerate().filter(|(_, pair)| {
        INSTALLERS.contains(&format!("{} {}", bare(pair[0].1), bare(pair[1].1)).as_str())
    });
    let command = |(start, pair): (usize, &[(usize, &str)])| {
        // A command ends with its line of code, as far as this can be seen; a line may break within one.
        let given = words[start + 2..].iter().map(|(_, word)| bare(word));
        let package = given.take(8).find(|word| !word.starts_with(['-', '\\', '/', '$']))?;
        let words = format!("{} {} {package}", bare(pair[0].1), bare(pair[1].1));
        let is_file = FILES.iter().any(|ending| package.ends_with(ending));
        (package.starts_with(NAME) && !is_file).then_some((pair[0].0, words))
    };
    starts.filter_map(command).collect()
}

/// The links of the packages' READMEs that lead to a file: a registry's page does not have it.
pub(super) fn relative_links(root: &Path) -> Vec<String> {
    let is_package = |name: &str| {
        name == "python/README.md" || (name.starts_with("crates/") && name.ends_with("/README.md"))
    };
    let readmes = texts(root).into_iter().filter(|(name, _)| is_package(name));
    let of_readme = |(name, text): (String, String)| {
        let fault = move |(line, address)| {
            format!("{name}:{line}: the link to {address} leads nowhere on a registry's page")
        };
        links(&text).into_iter().map(fault)
    };
    readmes.flat_map(of_readme).collect()
}

/// The relative addresses of links and pictures: `](ADDRESS)`, `]: ADDRESS`, `src="ADDRESS"`, `href="ADDRESS"`.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, line) in text.lines().enumerate() {
        is_code ^= line.trim_start().starts_with("```");
        for opening in ["](", "]: ", "src=\"", "href=\""].iter().filter(|_| !is_code) {
            let addresses = line.split(opening).skip(1);
            let address = |rest: &str| rest.split([')', '"', ' ']).next().unwrap_or("").to_owned();
            let relative = addresses.map(address).filter(|address| is_relative(address));
            found.extend(relative.map(|address| (number + 1, address)));
        }
    }
    found
}

fn is_relative(address: &str) -> bool {
    let elsewhere = ["https://", "http://", "mailto:", "#"];
    !address.is_empty() && !elsewhere.iter().any(|start| address.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_with_a_name_of_ours_is_found() {
        for text in [
            "pip install rosenblatt",
            "Run `pip install \"rosenblatt[spark]\"`.",
            "with `cargo install\nrosenblatt-cli --locked`",
            "`cargo install --locked rosenblatt-cli`",
            "(cargo add rosenblatt)",
        ] {
            assert_eq!(commands(text).len(), 1, "{text}");
        }
        assert_eq!(
            commands("a\npip\ninstall rosenblatt"),
            [(2, "pip install rosenblatt".to_owned())]
        );
    }

    #[test]
    fn a_command_that_works_without_a_registry_is_not() {
        for text in [
            "pip install ./python",
            "pip install \"./python[spark]\"",
            "pip install matplotlib, then rosenblatt",
            "cargo install --path crates/rosenblatt-cli --features columnar",
            "cargo uninstall rosenblatt-cli; pip uninstall rosenblatt",
            "pip install rosenblatt-0.1.0-*.whl",
            "rosenblatt = { path = \"…\" }",
        ] {
            assert_eq!(commands(text), [], "{text}");
        }
    }

    #[test]
    fn a_relative_link_is_found_outside_of_code() {
        let text = "[a](docs/a.md) ![b](../b.png) [c](https://c) [d](#d)\n```\nx[0](y)\n```\n[e]: e.md\n<img src=\"f.svg\">\n";
        let expected = [(1, "docs/a.md"), (1, "../b.png"), (5, "e.md"), (6, "f.svg")];
        assert_eq!(links(text), expected.map(|(line, address)| (line, address.to_owned())));
    }
}
