//! Runs a command whose output is shown as it comes, and keeps the end of it: after a check of many minutes a person
//! should not have to search for the one failure.

use std::{
    collections::VecDeque,
    env,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    thread,
};

use crate::{Outcome, root};

/// As many lines as hold a failed test or an error of the compiler.
const KEPT: usize = 40;

static LAST: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

/// Runs a command to its end and shows what it writes.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let name = command.get_program().display().to_string();
    let ended =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().and_then(|mut child| {
            let (output, errors) = (child.stdout.take(), child.stderr.take());
            thread::scope(|scope| {
                scope.spawn(|| copy(errors, std::io::stderr()));
                copy(output, std::io::stdout());
            });
            child.wait()
        });
    match ended {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(_) => Outcome::Failed,
        Err(error) => failed(&format!("{name} could not be started: {error}")),
    }
}

/// A failure that no command has shown: shown here, and kept with the last lines.
pub(crate) fn failed(problem: &str) -> Outcome {
    eprintln!("{problem}");
    problem.lines().for_each(keep);
    Outcome::Failed
}

/// The last lines of commands and failures since this was last asked.
pub(crate) fn last_lines() -> Vec<String> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect()
}

/// A program of the project, as cargo has built it last: all are in one folder, wherever that is.
pub(crate) fn built(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::current_exe().ok().map(|xtask| xtask.with_file_name(name))
}

/// Options of the compiler that keep this machine's paths out of a program, because another machine has other paths.
pub(crate) fn path_flags() -> Vec<String> {
    let user = env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from).or(user).unwrap_or_default();
    let paths = [(root().to_path_buf(), "."), (cargo, "cargo")];
    paths.map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display())).to_vec()
}

fn copy(from: Option<impl Read>, mut to: impl Write) {
    let Some(from) = from else { return };
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let _ = to.write_all(&line).and_then(|()| to.flush());
        keep(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
}

fn keep(line: &str) {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.len() == KEPT {
        last.pop_front();
    }
    last.push_back(line.to_owned());
}
