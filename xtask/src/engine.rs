//! The engine inside the lab's page: `crates/rosenblatt-wasm` as `page/dist/engine.wasm`, which is committed, so that
//! a build of the command needs no standard library of WebAssembly.
//!
//! Two compilers make different modules of the same sources. `engine.txt` beside the module therefore names the compiler
//! and the sources of the committed one: the check compares the bytes where it has that compiler, else the sources.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Outcome, cargo_path,
    command::{self, failed},
    page, root, targets,
};

const TARGET: &str = "wasm32-unknown-unknown";
const MODULE: &str = "engine.wasm";
const ORIGIN: &str = "engine.txt";

/// Where the module's code is, but for that of other projects.
const SOURCES: [&str; 7] = [
    "crates/rosenblatt-exact",
    "crates/rosenblatt-core",
    "crates/rosenblatt-proofs",
    "crates/rosenblatt",
    "crates/rosenblatt-data",
    "crates/rosenblatt-lab",
    "crates/rosenblatt-wasm",
];

/// Folders of the sources that are not in the module.
const ELSEWHERE: [&str; 2] = ["rosenblatt-lab/src/server", "rosenblatt-lab/src/standalone"];

/// A compiler for WebAssembly.
enum Compiler {
    /// The one that builds everything else, with the sources of its standard library.
    Own,
    /// Debian's `rustc-web` with `rust-web-src`, unpacked in a folder.
    Unpacked(PathBuf),
}

/// `cargo xtask engine`: builds the module and writes it with its origin.
pub(crate) fn build() -> Outcome {
    let Some(compiler) = Compiler::find() else {
        return Outcome::Skipped(format!("there are no sources of the standard library ({MEANS})"));
    };
    match compiler.module() {
        Err(outcome) => outcome,
        Ok(module) => {
            let written = fs::write(dist(MODULE), &module)
                .and_then(|()| fs::write(dist(ORIGIN), compiler.origin()));
            command::say(&format!("{MODULE}: {} bytes", module.len()));
            written.map_or_else(|error| failed(&error.to_string()), |()| Outcome::Passed)
        }
    }
}

const MEANS: &str = "rustup component add rust-src; or WASM_TOOLCHAIN, see CONTRIBUTING.md";

/// The committed module is what its sources make, as far as this machine can tell.
pub(crate) fn check() -> Outcome {
    let committed = fs::read_to_string(dist(ORIGIN)).unwrap_or_default();
    let (made_by, made_of) = committed.trim_end().split_once('\n').unwrap_or_default();
    let is_fresh = made_of == fingerprint();
    let Some(compiler) = Compiler::find() else {
        let remark = if is_fresh { "of these sources" } else { "OF OTHER SOURCES" };
        let remark = format!("the committed module is {remark} and cannot be built here ({MEANS})");
        return Outcome::PassedInPart(remark);
    };
    let module = match compiler.module() {
        Ok(module) => module,
        Err(outcome) => return outcome,
    };
    compare(&module, &compiler.version(), made_by, is_fresh)
}

/// Compares a module with the committed one.
fn compare(module: &[u8], built_by: &str, made_by: &str, is_fresh: bool) -> Outcome {
    let differs = format!("dist/{MODULE} is not what its sources make: run `cargo xtask engine`");
    if built_by == made_by {
        let is_equal = fs::read(dist(MODULE)).is_ok_and(|committed| committed == module);
        return if is_equal { Outcome::Passed } else { failed(&differs) };
    }
    if !is_fresh {
        return failed(&differs);
    }
    Outcome::PassedInPart(format!(
        "the sources are those of the committed module, which {made_by} has built; with {built_by} the bytes differ"
    ))
}

fn dist(name: &str) -> PathBuf {
    root().join("crates/rosenblatt-lab/page/dist").join(name)
}

impl Compiler {
    fn find() -> Option<Self> {
        match env::var_os("WASM_TOOLCHAIN") {
            Some(folder) => Some(Compiler::Unpacked(folder.into())),
            None => has_sources().then_some(Compiler::Own),
        }
    }

    /// Builds the module and makes it small.
    fn module(&self) -> Result<Vec<u8>, Outcome> {
        let folder = root().join("target/wasm");
        let built = folder.join(TARGET).join("wasm/rosenblatt_wasm.wasm");
        let small = folder.join(MODULE);
        let mut ended = command::run(&mut self.cargo());
        if matches!(ended, Outcome::Passed) {
            ended = page::optimize(&built, &small);
        }
        if !matches!(ended, Outcome::Passed) {
            return Err(ended);
        }
        fs::read(small).map_err(|error| failed(&error.to_string()))
    }

    /// The call of cargo that builds the module, and the standard library with it: small, and without the texts of panics,
    /// because a panic ends the worker anyway.
    fn cargo(&self) -> Command {
        let mut cargo = Command::new(cargo_path());
        cargo.args(["build", "--quiet", "--profile", "wasm", "--package", "rosenblatt-wasm"]);
        cargo.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
        cargo.args(["--target", TARGET, "--target-dir", "target/wasm"]).current_dir(root());
        cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_ENCODED_RUSTFLAGS", flags().join("\u{1f}"));
        self.set(&mut cargo);
        cargo
    }

    /// Lets cargo use the unpacked compiler, with the linker of its own one.
    fn set(&self, cargo: &mut Command) {
        let Compiler::Unpacked(folder) = self else { return };
        let linker = own_sysroot().join("lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
        cargo.env("RUSTC", folder.join("usr/bin/rustc"));
        cargo.env("LD_LIBRARY_PATH", folder.join("usr/lib/x86_64-linux-gnu"));
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }

    /// The compiler and its version in one line.
    fn version(&self) -> String {
        let mut rustc = match self {
            Compiler::Own => Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())),
            Compiler::Unpacked(folder) => {
                let mut rustc = Command::new(folder.join("usr/bin/rustc"));
                rustc.env("LD_LIBRARY_PATH", folder.join("usr/lib/x86_64-linux-gnu"));
                rustc
            }
        };
        text_of(rustc.arg("--version"))
    }

    fn origin(&self) -> String {
        format!("{}\n{}\n", self.version(), fingerprint())
    }
}

/// The compiler's options.
fn flags() -> Vec<String> {
    let small = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none"];
    command::path_flags().into_iter().chain(small.map(str::to_owned)).collect()
}

/// Whether the compiler has the sources of its standard library, if need be from rustup now.
fn has_sources() -> bool {
    let are_there = || own_sysroot().join("lib/rustlib/src/rust/library/Cargo.lock").is_file();
    are_there() || (targets::rustup(&["component", "add", "rust-src"]) && are_there())
}

/// The folder of the compiler that builds everything else.
pub(crate) fn own_sysroot() -> PathBuf {
    text_of(Command::new("rustc").args(["--print", "sysroot"])).into()
}

fn text_of(command: &mut Command) -> String {
    let output = command.current_dir(root()).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default()
}

/// A hash of the sources (FNV-1a, 64 bits). Tests and comments count too, which is simpler and errs on the safe side.
fn fingerprint() -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        for byte in text.bytes().filter(|&byte| byte != b'\r') {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for folder in SOURCES {
        let mut sources = BTreeMap::new();
        let read = read_sources(&root().join(folder).join("src"), "", &mut sources);
        for (name, text) in read.map(|()| sources).unwrap_or_default() {
            if !ELSEWHERE.iter().any(|part| format!("{folder}/src/{name}").contains(part)) {
                add(&text);
            }
        }
    }
    format!("sources {hash:016x}")
}

/// Reads the Rust files below a folder, by their paths with `/` between folders.
fn read_sources(
    folder: &Path,
    prefix: &str,
    sources: &mut BTreeMap<String, String>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            read_sources(&path, &format!("{name}/"), sources)?;
        } else if name.ends_with(".rs") {
            sources.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(())
}
