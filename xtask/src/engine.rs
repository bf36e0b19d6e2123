//! The engine inside the lab's page: `crates/rosenblatt-wasm` as `page/dist/engine.wasm`, which is committed, so that
//! nobody needs the standard library of WebAssembly to build the command.
//!
//! Two compilers make different modules of the same sources. `engine.txt` beside the module therefore names the compiler
//! and the sources of the committed one: the check compares the bytes where it has that compiler, else the sources.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Outcome, cargo_path,
    command::{self, failed},
    page, root,
    rust_source::read_sources,
    targets,
};

const TARGET: &str = "wasm32-unknown-unknown";
const MODULE: &str = "engine.wasm";
const ORIGIN: &str = "engine.txt";

/// Where the module's code is, but for that of other projects.
const SOURCES: [&str; 4] = [
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
            println!("{MODULE}: {} bytes", module.len());
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
    let again = "run `cargo xtask engine`, or say in the review that no result changes";
    let Some(compiler) = Compiler::find() else {
        let remark = match is_fresh {
            true => {
                "the committed module is used; it is of these sources, and cannot be built here"
                    .to_owned()
            }
            false => format!(
                "the committed module is used; it is OF OTHER SOURCES, and cannot be built here: {again}"
            ),
        };
        return Outcome::PassedInPart(format!("{remark} ({MEANS})"));
    };
    let module = match compiler.module() {
        Ok(module) => module,
        Err(outcome) => return outcome,
    };
    if compiler.version() != made_by {
        let remark = format!("built by {}, the committed module by {made_by}", compiler.version());
        return match is_fresh {
            true => Outcome::PassedInPart(format!(
                "{remark}; the sources are equal, bytes cannot be compared"
            )),
            false => failed(&format!("{remark}, of other sources: run `cargo xtask engine`")),
        };
    }
    match fs::read(dist(MODULE)).is_ok_and(|committed| committed == module) {
        true => Outcome::Passed,
        false => {
            failed(&format!("dist/{MODULE} is not what its sources make: run `cargo xtask engine`"))
        }
    }
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
        let mut cargo = Command::new(cargo_path());
        cargo.args(["build", "--quiet", "--profile", "wasm", "--package", "rosenblatt-wasm"]);
        // The standard library is built too, small and without the texts of panics: a panic ends the worker.
        cargo.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
        cargo.env("RUSTC_BOOTSTRAP", "1");
        // Messages of panics name files of this machine, which another one has elsewhere.
        let names = [(root().to_path_buf(), "."), (home(), "cargo")];
        let names =
            names.map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()));
        let small = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none"];
        let flags: Vec<String> = names.into_iter().chain(small.map(str::to_owned)).collect();
        cargo.args(["--target", TARGET, "--target-dir", "target/wasm"]).current_dir(root());
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        self.set(&mut cargo);
        match command::run(&mut cargo) {
            Outcome::Passed => {}
            other => return Err(other),
        }
        let built = root().join("target/wasm").join(TARGET).join("wasm/rosenblatt_wasm.wasm");
        let small = root().join("target/wasm").join(MODULE);
        match page::optimize(&built, &small) {
            Outcome::Passed => {}
            other => return Err(other),
        }
        fs::read(small).map_err(|error| failed(&error.to_string()))
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

/// Whether the compiler has the sources of its standard library, if need be from rustup now.
fn has_sources() -> bool {
    let are_there = || own_sysroot().join("lib/rustlib/src/rust/library/Cargo.lock").is_file();
    are_there() || (targets::rustup(&["component", "add", "rust-src"]) && are_there())
}

fn own_sysroot() -> PathBuf {
    text_of(Command::new("rustc").args(["--print", "sysroot"])).into()
}

fn home() -> PathBuf {
    let user = env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    env::var_os("CARGO_HOME").map(PathBuf::from).or(user).unwrap_or_default()
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
        let sources = read_sources(&root().join(folder).join("src"), &[".rs"]).unwrap_or_default();
        for (name, text) in &sources {
            if !ELSEWHERE.iter().any(|part| format!("{folder}/src/{name}").contains(part)) {
                add(text);
            }
        }
    }
    format!("sources {hash:016x}")
}
