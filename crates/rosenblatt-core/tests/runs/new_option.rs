//! An option that does not say what it does to a run does not compile.

use std::{fs, path::Path, process::Command};

/// A copy of the engine with one more option: after each epoch the weights shrink. The compiler refuses it, and names the
/// place where it has to answer.
#[test]
fn it_does_not_compile_until_it_has_answered() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-option");
    let _ = fs::remove_dir_all(&copy);
    let root = engine.parent().unwrap().parent().unwrap();
    for package in ["crates/rosenblatt-core", "crates/rosenblatt-exact"] {
        let (from, to) = (root.join(package), copy.join(package));
        copy_folder(&from.join("src"), &to.join("src"));
        let manifest = fs::read_to_string(from.join("Cargo.toml")).unwrap();
        let without_targets = manifest.split("\n[[").next().unwrap();
        fs::write(to.join("Cargo.toml"), without_targets).unwrap();
    }
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let workspace = workspace.replace(
        r#"members = ["crates/*", "python", "xtask"]"#,
        r#"members = ["crates/rosenblatt-core"]"#,
    );
    let workspace = workspace.replace(r#"default-members = ["crates/rosenblatt-cli"]"#, "");
    fs::write(copy.join("Cargo.toml"), workspace).unwrap();
    fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();

    let options = copy.join("crates/rosenblatt-core/src/options.rs");
    let text = fs::read_to_string(&options).unwrap();
    let (field, default) = ("    pub plateau: bool,\n", "            plateau: false,\n");
    assert!(text.contains(field) && text.contains(default));
    let text = text.replace(
        field,
        &format!(
            "{field}    /// The factor of all weights after each epoch.\n    pub shrink: f64,\n"
        ),
    );
    fs::write(&options, text.replace(default, &format!("{default}            shrink: 1.0,\n")))
        .unwrap();

    let check = Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "--lib",
            "--package",
            "rosenblatt-core",
            "--message-format",
            "short",
        ])
        .current_dir(&copy)
        // Outside of the copy, so that the dependencies are compiled once.
        .env("CARGO_TARGET_DIR", copy.with_extension("target"))
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&check.stderr);
    let errors: Vec<&str> = messages.lines().filter(|line| line.contains("error[")).collect();
    let is_expected = |line: &&str| {
        line.contains("src/dynamics.rs") && line.contains("E0027") && line.contains("`shrink`")
    };
    assert!(errors.iter().any(is_expected), "{messages}");
    assert!(errors.len() == 1, "{messages}");
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}
