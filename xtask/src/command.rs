//! Runs a command whose output is shown as it comes, and keeps the end of it: after a check of many minutes a person
//! should not have to search for the one failure.

use std::{
    collections::VecDeque,
    env, fs,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use crate::{Outcome, cargo, root, slowest};

/// As many lines as hold a failed test or an error of the compiler.
const KEPT: usize = 40;

/// What the steps of one lane write.
#[derive(Default)]
struct Log {
    /// The last lines since they were asked for.
    last: VecDeque<String>,
    /// All of a step, where it is shown only after the step, because another lane writes at the same time.
    kept: Option<Vec<u8>>,
}

thread_local! {
    static LOG: Arc<Mutex<Log>> = Arc::default();
}

fn log() -> Arc<Mutex<Log>> {
    LOG.with(Arc::clone)
}

fn with<T>(log: &Mutex<Log>, act: impl FnOnce(&mut Log) -> T) -> T {
    act(&mut log.lock().unwrap_or_else(PoisonError::into_inner))
}

/// From now on what steps of this thread write is kept until [`show_output`].
pub(crate) fn keep_output() {
    with(&log(), |log| log.kept = Some(Vec::new()));
}

/// Shows what was kept.
pub(crate) fn show_output() {
    let kept = with(&log(), |log| log.kept.as_mut().map(std::mem::take)).unwrap_or_default();
    let _ = std::io::stdout().lock().write_all(&kept);
}

/// Shows a line, now or with the rest of the step.
pub(crate) fn say(line: &str) {
    show(&log(), format!("{line}\n").as_bytes(), std::io::stdout());
}

fn show(log: &Mutex<Log>, bytes: &[u8], mut to: impl Write) {
    with(log, |log| match &mut log.kept {
        Some(kept) => kept.extend_from_slice(bytes),
        None => drop(to.write_all(bytes).and_then(|()| to.flush())),
    });
}

/// Runs a command to its end and shows what it writes.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let name = command.get_program().display().to_string();
    let log = log();
    let ended =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().and_then(|mut child| {
            let (output, errors) = (child.stdout.take(), child.stderr.take());
            thread::scope(|scope| {
                scope.spawn(|| copy(errors, std::io::stderr(), &log));
                copy(output, std::io::stdout(), &log);
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
    let log = log();
    show(&log, format!("{problem}\n").as_bytes(), std::io::stderr());
    problem.lines().for_each(|line| keep(&log, line));
    Outcome::Failed
}

/// The last lines of commands and failures since this was last asked.
pub(crate) fn last_lines() -> Vec<String> {
    with(&log(), |log| log.last.drain(..).collect())
}

/// A program of the project, as cargo has built it last: all are in one folder, wherever that is.
pub(crate) fn built(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::current_exe().ok().map(|xtask| xtask.with_file_name(name))
}

/// A copy of the command as it is now, which no build of another lane replaces.
pub(crate) fn rosenblatt() -> Option<PathBuf> {
    if !matches!(cargo(&crate::COMMAND, &[]), Outcome::Passed) {
        return None;
    }
    let built = built("rosenblatt")?;
    let folder = root().join("target/check");
    let copy = folder.join(built.file_name()?);
    let copied = fs::create_dir_all(&folder).and_then(|()| fs::copy(&built, &copy));
    copied.is_ok().then_some(copy)
}

/// Options of the compiler that keep this machine's paths out of a program, because another machine has other paths.
pub(crate) fn path_flags() -> Vec<String> {
    let user = env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from).or(user).unwrap_or_default();
    let paths = [(root().to_path_buf(), "."), (cargo, "cargo")];
    paths.map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display())).to_vec()
}

fn copy(from: Option<impl Read>, mut to: impl Write, log: &Mutex<Log>) {
    let Some(from) = from else { return };
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        show(log, &line, &mut to);
        keep(log, String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
}

fn keep(log: &Mutex<Log>, line: &str) {
    slowest::note(line);
    with(log, |log| {
        if log.last.len() == KEPT {
            log.last.pop_front();
        }
        log.last.push_back(line.to_owned());
    });
}
