//! The pages of `docs` that readers follow: their commands are run, and print what the page shows.
//!
//! A block ```` ```console ```` is a session in a folder that has the project's `data`; the blocks of a page share it.
//! `$ cat FILE` shows a file: it is one of `data`, one that a command has written, or it is made here. A line `…` stands
//! for any lines. A command that fails is followed by `$ echo $?`. A picture of `docs/images` in a page with a command that
//! draws a file of this name is that file. `UPDATE_BOOK=1` writes what the commands print into the pages, and the pictures.
#![cfg(unix)] // the sessions are lines for `sh`
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use common::{Desk, agree, root};

/// The folders of `docs` with sessions.
const FOLDERS: [&str; 5] = ["lectures", "tutorials", "cookbook", "explanation", "reference"];

/// All pages with sessions, in the order of their paths.
fn pages() -> Vec<PathBuf> {
    let files = |folder: &&str| {
        let entries = fs::read_dir(root().join("docs").join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let mut pages: Vec<PathBuf> = FOLDERS.iter().flat_map(files).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// A command of a session and the lines below it.
struct Step {
    /// The command, with its continued lines joined.
    line: String,
    /// As it stands in the page.
    shown: Vec<String>,
    output: Vec<String>,
}

/// A page as text and sessions, alternately.
enum Passage {
    Text(Vec<String>),
    Session(Vec<Step>),
}

fn parts(page: &str) -> Vec<Passage> {
    let mut parts = vec![Passage::Text(Vec::new())];
    for line in page.lines() {
        let ends = line == "```";
        match parts.last_mut().unwrap() {
            Passage::Text(lines) => {
                lines.push(line.to_owned());
                if line == "```console" {
                    parts.push(Passage::Session(Vec::new()));
                }
            }
            Passage::Session(_) if ends => parts.push(Passage::Text(vec![line.to_owned()])),
            Passage::Session(steps) => add(steps, line),
        }
    }
    parts
}

fn add(steps: &mut Vec<Step>, line: &str) {
    let shown = vec![line.to_owned()];
    if let Some(command) = line.strip_prefix("$ ") {
        return steps.push(Step { line: command.to_owned(), shown, output: Vec::new() });
    }
    let step = steps.last_mut().expect("a session begins with `$ `");
    match step.line.strip_suffix('\\') {
        Some(begun) if step.output.is_empty() => {
            step.line = begun.to_owned() + line.trim_start();
            step.shown.extend(shown);
        }
        _ => step.output.extend(shown),
    }
}

/// Copies the project's data into a folder.
fn copy_data(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copy = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_data(&path, &copy);
        } else {
            fs::copy(&path, &copy).unwrap();
        }
    }
}

/// A session's folder and the exit code of the last command.
struct Session {
    desk: Desk,
    code: i32,
}

impl Session {
    fn new() -> Self {
        let desk = Desk::new();
        copy_data(&root().join("data"), &desk.path("data"));
        Session { desk, code: 0 }
    }

    /// The lines that a command prints.
    fn run(&mut self, step: &Step) -> Vec<String> {
        if step.line == "echo $?" {
            return vec![std::mem::take(&mut self.code).to_string()];
        }
        assert_eq!(self.code, 0, "before `{}`: a command failed", step.line);
        if let Some(file) = step.line.strip_prefix("cat ").filter(|name| !name.contains(' '))
            && !self.desk.path(file).exists()
        {
            self.desk.write(file, step.output.join("\n") + "\n");
        }
        let binary = Path::new(env!("CARGO_BIN_EXE_rosenblatt")).parent().unwrap();
        let path = env::join_paths(
            std::iter::once(binary.to_owned())
                .chain(env::split_paths(&env::var_os("PATH").unwrap())),
        );
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("exec 2>&1; {}", step.line)).env("PATH", path.unwrap());
        let done = shell.current_dir(self.desk.path(".")).output().unwrap();
        self.code = done.status.code().unwrap_or(-1);
        let text = String::from_utf8(done.stdout).unwrap();
        let is_time = |line: &&str| line.starts_with("time ") && line.ends_with(" s");
        text.lines().filter(|line| !is_time(line)).map(|line| line.trim_end().to_owned()).collect()
    }
}

/// Compares the pictures of a page with those that its session has drawn; returns those that differ.
fn pictures(page: &str, desk: &Desk) -> Vec<String> {
    let names = page.split("](../images/").skip(1).filter_map(|rest| rest.split(')').next());
    let mut differences = Vec::new();
    for name in names.filter(|name| desk.path(name).exists()) {
        let (drawn, kept) = (desk.read(name), root().join("docs/images").join(name));
        if fs::read(&kept).is_ok_and(|bytes| bytes == drawn) {
            continue;
        }
        if env::var_os("UPDATE_BOOK").is_some() {
            fs::write(&kept, drawn).unwrap();
        }
        differences.push(format!("the picture {name} is out of date"));
    }
    differences
}

/// Runs the sessions of a page; returns it with what the commands print now, and what differed.
fn played(page: &str) -> (String, Vec<String>) {
    let (mut session, mut differences, mut lines) = (Session::new(), Vec::new(), Vec::new());
    for part in parts(page) {
        let steps = match part {
            Passage::Text(text) => {
                lines.extend(text);
                continue;
            }
            Passage::Session(steps) => steps,
        };
        for step in steps {
            let printed = session.run(&step);
            lines.extend(step.shown.iter().cloned());
            if agree(&step.output, &printed) {
                lines.extend(step.output);
            } else {
                let (shown, printed_text) = (step.output.join("\n"), printed.join("\n"));
                differences
                    .push(format!("$ {}\nshown:\n{shown}\nprinted:\n{printed_text}", step.line));
                lines.extend(printed);
            }
        }
    }
    assert_eq!(session.code, 0, "the last command failed");
    differences.extend(pictures(page, &session.desk));
    (lines.join("\n") + "\n", differences)
}

#[test]
fn the_commands_of_the_book_print_what_it_shows() {
    let mut differences = Vec::new();
    let only = env::var("BOOK_PAGE").unwrap_or_default();
    for path in pages().iter().filter(|path| path.to_string_lossy().contains(&only)) {
        let page = fs::read_to_string(path).unwrap();
        let (now, found) = played(&page);
        if env::var_os("UPDATE_BOOK").is_some() && now != page {
            fs::write(path, now).unwrap();
        }
        differences.extend(found.into_iter().map(|text| format!("{}: {text}", path.display())));
    }
    assert!(differences.is_empty(), "{}\n\n(UPDATE_BOOK=1 writes it)", differences.join("\n\n"));
}

/// A session is read as written, and `…` stands for any lines.
#[test]
fn sessions_are_read() {
    let page = "a\n```console\n$ b \\\n    c\n1\n…\n3\n$ d\n```\ne\n";
    let all = parts(page);
    let [Passage::Text(_), Passage::Session(steps), Passage::Text(after)] = all.as_slice() else {
        panic!("text, session, text")
    };
    assert_eq!(steps[0].line, "b c");
    assert_eq!((steps[0].output.len(), steps[1].line.as_str(), after.len()), (3, "d", 2));
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(agree(&steps[0].output, &lines("1\n2\n2\n3")) && agree(&lines("…"), &[]));
    assert!(!agree(&steps[0].output, &lines("1\n2")) && !agree(&[], &lines("1")));
}
