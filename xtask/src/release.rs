//! The files of a release, under `target/release-artefacts`: an archive of the command for each target, wheels and the source
//! distribution of the Python package, the list of crates in the command, and the sums of all.
//!
//! On Linux zig is the linker, with the C libraries of all its targets; elsewhere the system's own. Archives have neither times nor
//! owners, and programs no path of the machine.

mod archive;
mod binary;
mod crates;
mod wheels;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use crate::{
    Outcome, cargo_path,
    command::{self, failed},
    engine, python, root,
};
use binary::Target;

/// The word that stands for the Python package.
const WHEELS: &str = "wheels";

/// The tools from PyPI.
const REQUIREMENTS: &[&str] = &["requirements-cross.txt", "requirements-release.txt"];

/// The profile of cargo with which everything is built.
const PROFILE: &str = "dist";

/// The targets and packages to make.
struct Wanted {
    targets: Vec<&'static Target>,
    wheels: bool,
}

impl Wanted {
    /// By names of targets and `wheels`; without a word everything that this system links.
    fn parse(words: &[&str]) -> Result<Self, String> {
        if words.is_empty() {
            return Ok(Wanted { targets: Target::of_this_system(), wheels: ZIG });
        }
        let wheels = words.contains(&WHEELS);
        let names = words.iter().filter(|&&word| word != WHEELS);
        let targets = names.map(|name| Target::named(name)).collect::<Result<_, _>>()?;
        Ok(Wanted { targets, wheels })
    }
}

/// Whether zig links here.
const ZIG: bool = cfg!(target_os = "linux");

/// `cargo xtask release [TARGET…] [wheels]`.
pub(crate) fn run(words: &[&str]) -> ExitCode {
    let made = Wanted::parse(words).and_then(|wanted| make(&wanted));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            failed(&problem);
            ExitCode::FAILURE
        }
    }
}

/// Where the files of the release are.
fn folder() -> PathBuf {
    root().join("target/release-artefacts")
}

/// Makes what is wanted, in place of the files of an earlier call. A target that fails does not keep the others from being made.
fn make(wanted: &Wanted) -> Result<(), String> {
    let tools = Tools::install()?;
    let folder = folder();
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut problems = Vec::new();
    if !wanted.targets.is_empty() {
        let shared = archive::shared_files()?;
        for target in &wanted.targets {
            let packed = target.build(&tools).and_then(|binary| {
                no_path_of_this_machine(&binary)
                    .and_then(|()| archive::pack(&tools, target, &binary, &shared, &folder))
            });
            problems.extend(packed.err().map(|problem| format!("{}: {problem}", target.name)));
        }
        problems.extend(crates::list(&folder).err());
    }
    if wanted.wheels {
        problems.extend(wheels::make(&tools, &folder).err());
    }
    archive::sums(&tools, &folder)?;
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The environment with the tools.
struct Tools {
    python: PathBuf,
}

impl Tools {
    fn install() -> Result<Self, String> {
        let python = python::with("release-tools", REQUIREMENTS)
            .ok_or("a release needs Python 3.10 or later with `venv`, and PyPI")?;
        Ok(Tools { python })
    }

    /// A Python of the environment.
    fn python(&self) -> Command {
        self.prepared(Command::new(&self.python))
    }

    /// A cargo that finds the tools.
    fn cargo(&self) -> Command {
        self.prepared(Command::new(cargo_path()))
    }

    /// Puts the tools before all others, and keeps what is of this machine only out of the files.
    fn prepared(&self, mut command: Command) -> Command {
        let tools = self.python.parent().map(Path::to_path_buf);
        let others = env::var_os("PATH").unwrap_or_default();
        let paths = tools.into_iter().chain(env::split_paths(&others));
        if let Ok(paths) = env::join_paths(paths) {
            command.env("PATH", paths);
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", path_flags().join("\u{1f}"));
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME").current_dir(root());
        command
    }
}

/// Options of the compiler that keep this machine's paths out of a program. Where the sources of the standard library are
/// installed, the compiler names their place.
fn path_flags() -> Vec<String> {
    let library = engine::own_sysroot().join("lib/rustlib/src/rust");
    let library = format!("--remap-path-prefix={}=rust", library.display());
    command::path_flags().into_iter().chain([library]).collect()
}

/// Fails if a program names the folder of the project or of the person who builds it.
fn no_path_of_this_machine(program: &Path) -> Result<(), String> {
    let bytes = fs::read(program).map_err(|error| format!("{}: {error}", program.display()))?;
    let home = env::var_os("HOME").map(PathBuf::from);
    let folders = home.into_iter().chain([root().to_path_buf()]);
    for folder in folders.filter(|folder| folder.components().count() > 1) {
        let path = format!("{}/", folder.display());
        if bytes.windows(path.len()).any(|window| window == path.as_bytes()) {
            return Err(format!("{} has the path {path}", program.display()));
        }
    }
    Ok(())
}

/// Runs a command to its end, and names what failed.
fn done(mut command: Command, what: &str) -> Result<(), String> {
    match command::run(&mut command) {
        Outcome::Passed => Ok(()),
        _ => Err(format!("{what} failed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_this_machine_is_found() {
        let program = env::temp_dir().join(format!("program-{}", std::process::id()));
        let path = root().join("src");
        fs::write(&program, "nothing").unwrap();
        assert_eq!(no_path_of_this_machine(&program), Ok(()));
        fs::write(&program, format!("\0{}\0", path.display())).unwrap();
        assert!(no_path_of_this_machine(&program).is_err());
        fs::remove_file(program).unwrap();
    }

    #[test]
    fn words_name_targets_and_wheels() {
        let wanted = Wanted::parse(&["x86_64-unknown-linux-musl", "wheels"]).unwrap();
        assert_eq!(wanted.targets[0].name, "x86_64-unknown-linux-musl");
        assert!(wanted.wheels);
        let all = Wanted::parse(&[]).unwrap();
        assert_eq!(all.wheels, ZIG);
        assert!(!all.targets.is_empty());
        let problem = Wanted::parse(&["x86_64-unknown-linux-gnu", "pdp-11"]).err().unwrap();
        assert!(problem.starts_with("`pdp-11` is not a target"), "{problem}");
    }
}
