//! Runs the command in a folder of its own.
#![allow(dead_code)] // each test uses a part of this

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// A folder that vanishes, and the command in it.
pub(crate) struct Desk {
    folder: TempDir,
}

/// What the command did.
pub(crate) struct Done {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let desk = Self::new();
        files.iter().for_each(|(name, text)| desk.write(name, text));
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of the files in the folder, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command, ready to run with these words.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosenblatt"));
        command.args(words).current_dir(self.folder.path());
        command
    }

    /// Runs the command with words separated by blanks.
    pub(crate) fn run(&self, line: &str) -> Done {
        self.run_with_input(line, b"")
    }

    /// The same with something on standard input.
    pub(crate) fn run_with_input(&self, line: &str, input: &[u8]) -> Done {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut child = self
            .command(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The command may stop reading early.
        let _ = child.stdin.take().unwrap().write_all(input);
        Done::from(child.wait_with_output().unwrap())
    }

    /// Runs the command, which must succeed, and gives its standard output.
    pub(crate) fn succeed(&self, line: &str) -> String {
        let done = self.run(line);
        assert_eq!(done.code, 0, "{line}: {}", done.stderr);
        done.stdout
    }

    /// Runs the command and interrupts it, as Ctrl-C does, once it has written so many lines to standard error. Gives what it writes
    /// there from then on, after it has ended with the exit code 130.
    #[cfg(unix)]
    pub(crate) fn interrupt(&self, line: &str, after: usize) -> String {
        use std::io::{BufRead, BufReader, Read};
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut command = self.command(&words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut messages = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        for _ in 0..after {
            messages.read_line(&mut first).unwrap();
        }
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let mut rest = String::new();
        messages.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{line}: {first}{rest}");
        rest
    }

    /// Runs `train … --json` and gives the report.
    pub(crate) fn report(&self, line: &str) -> serde_json::Value {
        serde_json::from_str(&self.succeed(&format!("{line} --json"))).unwrap()
    }

    /// A session as a person sees it: each command, its two streams and its exit code.
    pub(crate) fn session(&self, lines: &[&str]) -> String {
        lines.iter().map(|line| self.run(line).shown(line)).collect::<Vec<_>>().join("\n")
    }
}

impl Done {
    pub(crate) fn shown(&self, line: &str) -> String {
        // Only the time differs from run to run.
        let mut lines = self.stdout.split_inclusive('\n').collect::<Vec<_>>();
        lines.retain(|line| !(line.starts_with("time ") && line.ends_with(" s\n")));
        let stdout = lines.concat();
        format!("$ rosenblatt {line}\n{stdout}{}(exit {})\n", self.stderr, self.code)
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Done {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// An IDX file of these sizes and bytes; `kind` is the type of the values.
pub(crate) fn idx(kind: u8, sizes: &[u32], values: &[u8]) -> Vec<u8> {
    let mut file = vec![0, 0, kind, sizes.len() as u8];
    sizes.iter().for_each(|size| file.extend(size.to_be_bytes()));
    file.extend_from_slice(values);
    file
}

/// The project's own data set `name`.
pub(crate) fn own_data(name: &str) -> String {
    fs::read_to_string(root().join("data").join(name)).unwrap()
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().parent().unwrap()
}

/// The names, shapes and bytes of all tensors of a model file, but for the checksum, which is of the whole file.
pub(crate) fn tensors(bytes: &[u8]) -> Vec<(String, Vec<usize>, Vec<u8>)> {
    let tensors = safetensors::SafeTensors::deserialize(bytes).unwrap();
    let all = tensors.tensors().into_iter();
    let mut all: Vec<_> =
        all.map(|(name, view)| (name, view.shape().to_vec(), view.data().to_vec())).collect();
    all.retain(|(name, ..)| name != "checksum");
    all.sort();
    all
}

/// The format version in a model file's text.
pub(crate) fn version(model: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(model);
    let (_, rest) = text.split_once(r#"format_version\":"#).unwrap();
    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

/// Whether lines are as shown, where `…` stands for any lines.
pub(crate) fn agree(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=printed.len()).any(|from| agree(rest, &printed[from..]))
        }
        Some((first, rest)) => {
            printed.split_first().is_some_and(|(line, more)| line == first && agree(rest, more))
        }
    }
}
