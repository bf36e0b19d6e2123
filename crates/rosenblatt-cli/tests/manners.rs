//! Signals, pipes, files: what a command does beside its work.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed
#![cfg(unix)]

mod common;

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
};

use common::{Desk, Done, own_data};

/// Ctrl-C in a run whose model is written: exit code 130, and the model is that of the options that the hint names. The second run is
/// interrupted in its first epoch, in which kernel values of many rows take time.
#[test]
fn an_interrupted_run_is_kept() {
    let desk = Desk::with(&[("xor.csv", &own_data("xor.csv"))]);
    let row = |i: usize| format!("{},{}\n", i * 7919 % 6011, ["a", "b"][i * i / 7 % 2]);
    desk.write("noise.csv", "x,label\n".to_owned() + &(0..6000).map(row).collect::<String>());
    for data in [
        "xor.csv --no-compare",
        "noise.csv --kernel rbf:1",
        "noise.csv --kernel rbf:1 --order given",
    ] {
        let line = format!("train {data}");
        // After the header and the first line of numbers training has begun.
        let run = format!("{line} --progress -o model --epochs 1000000000000");
        let rest = desk.interrupt(&run, 2);
        let (said, again) = rest.rsplit_once("hint: `").unwrap();
        let again = again.strip_suffix("` makes the same model again\n").unwrap();
        let kept = "note: the run ends after this epoch, and its model is kept";
        assert!(said.contains(kept), "{said}");
        assert!(said.contains("error: interrupted; model has the model after "), "{said}");
        desk.succeed(&format!("{line} -o again {again}"));
        assert!(desk.read("model") == desk.read("again"), "{data}: {again}");
    }
}

/// Without a file for the model what was learned is lost, and the command says so.
#[test]
fn an_interrupted_run_without_a_file_is_lost() {
    let desk = Desk::with(&[("xor.csv", &own_data("xor.csv"))]);
    let rest = desk.interrupt("train xor.csv --no-compare --progress --epochs 1000000000000", 2);
    assert!(rest.contains("; no file was changed, and what was learned is lost\n"), "{rest}");
    assert!(rest.ends_with("ends the run after its epoch, and the model is written\n"), "{rest}");
    assert_eq!(desk.files(), ["xor.csv"]);
}

/// Ctrl-C while a prediction waits for more input ends it at once; its unfinished file is removed.
#[test]
fn an_interrupted_prediction_leaves_no_trace() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv")), ("labels", "the old ones")]);
    desk.succeed("train and.csv -o model");
    let mut child = desk
        .command(&["predict", "model", "-", "-o", "labels"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Held open: the command waits for rows.
    let mut input = child.stdin.take().unwrap();
    input.write_all(("x1,x2\n".to_owned() + &"0,0\n".repeat(1 << 20)).as_bytes()).unwrap();
    while desk.files().len() == 3 {
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
    assert_eq!(desk.read("labels"), b"the old ones");
    assert_eq!(desk.files(), ["and.csv", "labels", "model"]);
}

/// A reader that has read enough is no error.
#[test]
fn a_closed_pipe_is_no_error() {
    let rows = "0,0\n".repeat(100_000);
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("rows.csv", &("x1,x2\n".to_owned() + &rows)),
    ]);
    desk.succeed("train and.csv -o model");
    let mut child = desk
        .command(&["predict", "model", "rows.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!((first.as_str(), done.status.code()), ("-1\n", Some(0)));
    assert_eq!(String::from_utf8(done.stderr).unwrap(), "");
}

/// Output that cannot be written is one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let done = desk.command(&["train", "and.csv"]).stdout(full).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8(done.stderr).unwrap().starts_with("error: standard output: "));
    let done = desk.run("train and.csv -o /dev/full");
    assert_eq!(done.code, 2, "{}", done.stderr);
}

/// Every command that prints.
const PRINTING: [&str; 14] = [
    "--help",
    "--version",
    "train --help",
    "train and.csv",
    "train and.csv -q --json",
    "predict model and.csv",
    "evaluate model and.csv -q",
    "separable and.csv -q",
    "separable and.csv --json",
    "show model",
    "show model --json",
    "study and.csv --runs 2",
    "pack and.csv -o and.arrow",
    "lab --port 0 --no-open",
];

/// Runs a command with its standard output, or another stream, as a shell makes it.
fn redirected(desk: &Desk, line: &str, redirection: &str) -> Done {
    let script = format!("exec \"$0\" \"$@\" {redirection}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_rosenblatt")]).args(line.split(' '));
    shell.current_dir(desk.path("")).output().unwrap().into()
}

/// Whoever gets no output because it could not be written is told so, by every command.
#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    desk.succeed("train and.csv -o model");
    let closed = "error: standard output is closed, but the result is written to it\n";
    let full = "error: standard output: No space left on device\n";
    let unwritable = "error: standard output: Bad file descriptor\n";
    for line in PRINTING {
        for (redirection, said) in
            [(">&-", closed), ("> /dev/full", full), ("1< and.csv", unwritable)]
        {
            let done = redirected(&desk, line, redirection);
            let last = done.stderr.lines().last().unwrap_or_default().to_owned() + "\n";
            assert_eq!(
                (done.code, last.as_str()),
                (2, said),
                "{line} {redirection}: {}",
                done.stderr
            );
        }
    }
    // Nothing was done before it was said.
    let done = redirected(&desk, "train and.csv -o other", ">&-");
    assert_eq!((done.code, desk.path("other").exists()), (2, false));
}

/// Where nothing is to be printed, nothing is lost.
#[test]
fn a_closed_output_is_no_error_where_nothing_goes_there() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    for line in [
        "train and.csv -q -o model",
        "predict model and.csv -q -o labels",
        "export model -o model.json",
        "plot and.csv model -o plot.svg",
        "pack and.csv -q -o and.arrow",
    ] {
        let done = redirected(&desk, line, ">&-");
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{line}");
    }
    assert_eq!(desk.read("labels"), b"-1\n-1\n-1\n1\n");
    // Nor is an output to nowhere that was chosen.
    for redirection in ["> /dev/null", "<> /dev/null >&0"] {
        let done = redirected(&desk, "predict model and.csv", redirection);
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{redirection}");
    }
}

/// What cannot be written is said before the data are read: these do not exist.
#[test]
fn outputs_are_checked_before_the_work() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    desk.succeed("train and.csv -o model");
    std::fs::create_dir(desk.path("folder")).unwrap();
    std::fs::create_dir(desk.path("folder.svg")).unwrap();
    std::fs::create_dir(desk.path("folder.csv")).unwrap();
    let before = desk.files();
    let lines = [
        ("train no.csv -o folder", "folder: is a directory"),
        ("train no.csv --epochs 1 -o folder", "folder: is a directory"),
        ("train no.csv -o nowhere/model", "nowhere/model: No such file or directory"),
        ("train no.csv -o and.csv/model", "and.csv/model: Not a directory"),
        ("train no.csv -o model/", "model/: Not a directory"),
        ("train no.csv -o new/", "new/: No such file or directory"),
        ("train no.csv --checkpoint folder", "folder: is a directory"),
        ("train no.csv --checkpoint nowhere/run", "nowhere/run: No such file or directory"),
        ("predict model no.csv -o folder", "folder: is a directory"),
        ("export no.model -o folder.csv", "folder.csv: is a directory"),
        ("plot no.csv -o folder.svg", "folder.svg: is a directory"),
        ("plot no.csv no.model -o folder.svg", "folder.svg: is a directory"),
        ("pack no.csv -o folder", "folder: is a directory"),
        ("separable no.csv --certificate folder", "folder: is a directory"),
        ("study no.csv --plot folder.svg", "folder.svg: is a directory"),
    ];
    for (line, said) in lines {
        let done = desk.run(line);
        let first = done.stderr.lines().next().unwrap_or_default();
        assert_eq!((done.code, first), (2, &*format!("error: {said}")), "{line}");
    }
    let long = "x".repeat(300);
    let done = desk.run(&format!("train no.csv -o {long}"));
    assert!(done.code == 2 && done.stderr.contains("File name too long"), "{}", done.stderr);
    assert_eq!(desk.files(), before);
}

/// What a killed command leaves is removed by the next one that writes the same output, and by no other.
#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv")), (".rosenblatt-notes", "precious")]);
    desk.succeed("train and.csv -o model");
    let before = desk.files();
    let left = |desk: &Desk| desk.files().len() - before.len();
    let abandon = |output: &str| {
        let mut child = desk
            .command(&["predict", "model", "-", "-o", output])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(("x1,x2\n".to_owned() + &"0,0\n".repeat(1 << 20)).as_bytes()).unwrap();
        (child, input)
    };
    let files = desk.files().len();
    let (mut child, input) = abandon("labels");
    while desk.files().len() == files {
        std::thread::yield_now();
    }
    // While it lives, its file is its own.
    desk.succeed("predict model and.csv -o labels");
    assert_eq!(left(&desk), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    drop(input);
    desk.succeed("predict model and.csv -o others");
    assert_eq!(left(&desk), 3);
    desk.succeed("predict model and.csv -o labels");
    assert_eq!(left(&desk), 2);
    assert_eq!(desk.files(), [".rosenblatt-notes", "and.csv", "labels", "model", "others"]);
}

/// A file that grows past the limit of the process is an error like a full disk: the output is named, no other file is,
/// and nothing is left.
#[cfg(target_os = "linux")]
#[test]
fn a_file_past_the_limit_is_an_error() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    desk.succeed("train and.csv -o model");
    desk.write("rows.csv", "x1,x2\n".to_owned() + &"0,0\n".repeat(100_000));
    let before = desk.files();
    for (line, output) in [
        ("predict model rows.csv -o labels", "labels"),
        ("pack rows.csv -o rows.arrow --target x2", "rows.arrow"),
    ] {
        let script = "ulimit -f 8; exec \"$0\" \"$@\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_rosenblatt")]).args(line.split(' '));
        let done: Done = shell.current_dir(desk.path("")).output().unwrap().into();
        let said = format!("error: {output}: File too large\n");
        assert_eq!((done.code, done.stderr), (2, said), "{line}");
        assert_eq!(desk.files(), before);
    }
}

/// Ctrl-C is heeded while the votes of the examples are counted, and the checkpoint stays as it was.
#[test]
fn counting_votes_can_be_interrupted() {
    // Noisy examples: a hundred thousand hyperplanes and more would vote on each, for minutes.
    let row = |i: u64| {
        let bits = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("{},{},{}\n", (bits >> 20) & 0xff, (bits >> 30) & 0xff, (bits >> 47) & 1)
    };
    let rows: String = (0..300_000).map(row).collect();
    let desk = Desk::with(&[("noise.csv", &format!("a,b,label\n{rows}"))]);
    let line = "train noise.csv --keep vote --epochs 2 --threads 1 --checkpoint run -o model";
    let words: Vec<&str> = line.split(' ').collect();
    let mut child =
        desk.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The checkpoint of the last epoch is there: what follows is the count.
    const LAST: &str = r#""mistakes":{"dtype":"U64","shape":[1,2]"#;
    let is_over = || {
        let found = desk.path("run").exists().then(|| desk.read("run"));
        found.is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(LAST))
    };
    while !is_over() {
        std::thread::yield_now();
    }
    let run = desk.read("run");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.starts_with("error: interrupted; run contains the run after epoch 2\n"), "{said}");
    assert!(desk.read("run") == run && !desk.path("model").exists());
}

/// Characters that change how others are seen are shown as escapes wherever a person reads: a label, a column, a file.
/// Labels as data are what they are.
#[test]
fn hidden_characters_are_shown() {
    let (turn, hidden) = ("a\u{202e}b", "c\u{200b}d");
    let rows =
        format!("x{turn},y{hidden},l{turn}\n1,0,{turn}\n0,1,{hidden}\n2,0,{turn}\n0,2,{hidden}\n");
    let data = format!("f{turn}.csv");
    let desk = Desk::with(&[(&data, &rows)]);
    desk.write("bad.csv", format!("x{turn},label\n1,{turn}\nz{turn},{hidden}\n"));
    let is_plain = |text: &str| !text.contains(['\u{202e}', '\u{200b}']);
    let lines = [
        format!("train {data} -o m{turn}"),
        format!("train {data} --hard 2 --folds 2"),
        format!("train {data} --holdout 0.5"),
        format!("train {data} --class-weight {turn}=2,e{turn}=1"),
        format!("train {data} --target n{turn}"),
        format!("train {data} --kernel poly:2 -o k{turn}"),
        format!("show m{turn}"),
        format!("show k{turn}"),
        format!("evaluate m{turn} {data} --baseline"),
        format!("separable {data} --certificate proof{turn}"),
        format!("separable {data} --verify proof{turn}"),
        format!("study {data} --runs 2"),
        format!("pack {data} -o p{turn}.arrow"),
        format!("predict m{turn} no{turn}.csv"),
        format!("train no{turn}.csv"),
        "train bad.csv".to_owned(),
        format!("nothing{turn}"),
    ];
    for line in lines {
        let done = desk.run(&line);
        assert!(
            is_plain(&done.stdout) && is_plain(&done.stderr),
            "{line}: {}{}",
            done.stdout,
            done.stderr
        );
        assert!((done.stdout + &done.stderr).contains(r"\u{20"), "{line}");
    }
    let picture = desk.run(&format!("plot {data} m{turn} -o plot.svg"));
    assert!(picture.code == 0 && is_plain(&String::from_utf8(desk.read("plot.svg")).unwrap()));
    let labels = desk.succeed(&format!("predict m{turn} {data}"));
    assert_eq!(labels, format!("{turn}\n{hidden}\n{turn}\n{hidden}\n"));
    let json = desk.report(&format!("train {data}"));
    assert_eq!(json["classes"], serde_json::json!([turn, hidden]));
}

/// A failed run leaves the old prediction as it was.
#[test]
fn predictions_are_written_whole_or_not_at_all() {
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("rows.csv", "x1,x2\n0,0\n1,x\n"),
        ("labels", "the old ones"),
    ]);
    desk.succeed("train and.csv -o model");
    let done = desk.run("predict model rows.csv -o labels");
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("error: rows.csv:3:3: "), "{}", done.stderr);
    assert_eq!(desk.read("labels"), b"the old ones");
    assert_eq!(desk.files(), ["and.csv", "labels", "model", "rows.csv"]);
}

/// A row of a million columns is a million features; so is an index of a million.
#[test]
fn a_million_features() {
    let desk = Desk::new();
    let row =
        |value: &str, label: &str| [&*format!("{value},").repeat(1_000_000), label, "\n"].concat();
    desk.write("wide.csv", row("1", "1") + &row("-1", "-1"));
    desk.write("wide.svm", "1 1000000:1\n-1 1:1\n");
    for line in ["train wide.csv --no-header --target 1000001", "train wide.svm"] {
        assert_eq!(desk.report(line)["features"], 1_000_000);
    }
}
