//! Packed files, and files of columns, as the command reads and writes them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, own_data};

/// `tests/columns` holds Iris as pyarrow 26 writes it, with the species as a dictionary: Parquet in row
/// groups of 40, and Feather compressed with LZ4.
fn columns(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/columns");
    std::fs::read(folder.join(name)).unwrap()
}

#[cfg(feature = "columnar")]
#[test]
fn columns_give_the_bits_of_csv() {
    let desk = Desk::new();
    desk.write("iris.csv", own_data("iris.csv"));
    desk.write("iris.parquet", columns("iris.parquet"));
    desk.write("iris.feather", columns("iris.feather"));
    desk.write("nameless", columns("iris.parquet"));
    desk.succeed("train iris.csv -o csv.model");
    let predicted = desk.succeed("predict csv.model iris.csv");
    let judged = desk.succeed("evaluate csv.model iris.csv");
    for name in ["iris.parquet", "iris.feather", "nameless", "-"] {
        let train = format!("train {name} -o own.model -q");
        let done = match name {
            "-" => desk.run_with_input(&train, &columns("iris.parquet")),
            _ => desk.run(&train),
        };
        assert_eq!((done.code, done.stderr.as_str()), (0, ""));
        assert_eq!(desk.read("own.model"), desk.read("csv.model"));
        if name != "-" {
            assert_eq!(desk.succeed(&format!("predict own.model {name}")), predicted);
            assert_eq!(desk.succeed(&format!("evaluate own.model {name}")), judged);
        }
    }
    let question = "--positive Iris-setosa --ignore sepal_width";
    // The numbers of columns are floats, those of text decimals.
    for (name, numbers) in [("iris.parquet", "binary64"), ("iris.csv", "decimal")] {
        let answer = desk.succeed(&format!("separable {name} {question} --json"));
        let expected = format!("{{\"separable\":\"yes\",\"numbers\":\"{numbers}\",");
        assert!(answer.starts_with(&expected), "{answer}");
    }
    desk.succeed("plot iris.parquet csv.model -o iris.svg");
    desk.succeed(&format!("study iris.feather {question} --runs 3"));
    let done = desk.run("train nameless");
    assert!(done.stderr.contains("read as a Parquet file, by its first bytes"), "{}", done.stderr);
    desk.write("cut.parquet", &columns("iris.parquet")[..3000]);
    let done = desk.run("train cut.parquet -o cut.model");
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("error: cut.parquet: ") && done.stderr.lines().count() == 1);
    let done = desk.run("train iris.parquet --target sepal_length --features species,x");
    assert!(done.stderr.contains("no column `x`; the columns are sepal_length,"));
}

/// Without the readers the files are known for what they are.
#[cfg(not(feature = "columnar"))]
#[test]
fn columns_need_their_readers() {
    let desk = Desk::new();
    desk.write("iris.csv", own_data("iris.csv"));
    desk.succeed("train iris.csv -o iris.model");
    desk.write("iris.parquet", columns("iris.parquet"));
    desk.write("iris.feather", columns("iris.feather"));
    desk.write("nameless", columns("iris.feather"));
    for (name, format) in
        [("iris.parquet", "a Parquet"), ("iris.feather", "an Arrow"), ("nameless", "an Arrow")]
    {
        for line in [format!("train {name}"), format!("predict iris.model {name}")] {
            let done = desk.run(&line);
            assert_eq!(
                (done.code, done.stderr),
                (
                    2,
                    format!(
                        "error: {name}: this is {format} file, and this program was built without \
                         the reader for it\nhint: `cargo install --path crates/rosenblatt-cli --features \
                         columnar`, in the folder of the source, builds one that reads it\n"
                    )
                )
            );
        }
    }
}

/// What is packed gives the bits of its source, whatever is made of it.
#[test]
fn packed_files_give_the_bits_of_their_source() {
    let desk = Desk::new();
    desk.write("sonar.csv", own_data("sonar.csv"));
    let said = desk.succeed("pack sonar.csv -o sonar.arrow");
    assert!(said.starts_with("sonar.arrow: 208 rows of 60 features, "), "{said}");
    for options in [
        "--epochs 20",
        "--epochs 20 --order given --keep average --positive M",
        "--epochs 1",
        "--epochs 20 --scale standard --holdout 0.2 --keep pocket",
        "--epochs 5 --kernel poly:3",
    ] {
        desk.succeed(&format!("train sonar.csv -o csv.model {options}"));
        desk.succeed(&format!("train sonar.arrow -o packed.model {options}"));
        desk.succeed(&format!("train sonar.csv -o beside.model --memory 1000 {options}"));
        assert_eq!(desk.read("packed.model"), desk.read("csv.model"), "{options}");
        assert_eq!(desk.read("beside.model"), desk.read("csv.model"), "{options}");
    }
    assert_eq!(
        desk.succeed("predict csv.model sonar.arrow --scores"),
        desk.succeed("predict csv.model sonar.csv --scores")
    );
    assert_eq!(
        desk.succeed("evaluate csv.model sonar.arrow"),
        desk.succeed("evaluate csv.model sonar.csv")
    );
}

/// One line says what was done about data larger than `--memory`.
#[test]
fn rows_beside_the_data_are_told() {
    let desk = Desk::new();
    desk.write("iris.csv", own_data("iris.csv"));
    let train = "train iris.csv --scale none -o iris.model --memory 4000";
    let pack = ".iris.csv.rosenblatt-pack";
    let said = |line: &str| desk.run(line).stderr;
    assert_eq!(said("train iris.csv --scale none --memory 4800"), "");
    assert_eq!(said("train iris.csv --scale none --memory 4000 --epochs 1"), "");
    assert_eq!(desk.files(), ["iris.csv"]);
    assert_eq!(said(train), format!("note: the rows exceed `--memory`; packed them into {pack}\n"));
    assert_eq!(desk.files(), [pack, "iris.csv", "iris.model"]);
    let used = format!("note: using the rows in {pack}, which were packed from this data\n");
    assert_eq!(said(train), used);
    let model = desk.read("iris.model");
    desk.write("iris.csv", own_data("iris.csv").replacen("5.1", "5.2", 1));
    let again = format!(
        "note: the data, the options or the version have changed since {pack} was written; rebuilt it\n"
    );
    assert_eq!(said(train), again);
    assert_ne!(desk.read("iris.model"), model);
    let mut bytes = desk.read(pack);
    bytes[1000] ^= 1;
    desk.write(pack, &bytes[..]);
    assert_eq!(said(train), format!("note: {pack} was damaged; rebuilt it from the data\n"));
    assert_eq!(said(&format!("{train} --quiet")), "");
    let prepared = "note: the prepared rows exceed `--memory`; they stand in a file beside the data, if one can be written, until the run ends\n";
    assert!(said(&train.replace("--scale none", "--scale standard")).ends_with(prepared));
    assert_eq!(said(&train.replace("4000", "3000 --ignore 1")), again);
}

#[test]
fn what_cannot_be_packed_is_told() {
    let desk = Desk::with(&[("t.csv", "x,y\n1,no\n,yes\n"), ("u.csv", "x,y\n1,no\n2,yes\n")]);
    let said = |line: &str| {
        let done = desk.run(line);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""));
        done.stderr
    };
    assert!(said("pack - -o p").contains("standard input comes only once"));
    assert!(said("pack t.csv -o t.csv").contains("the output would replace the input"));
    for line in ["pack t.csv -o p", "pack t.csv -o p --missing median"] {
        let median = said(line);
        assert!(median.contains("the mean or median of column `x` needs all examples in memory"));
    }
    assert!(said("pack u.csv -o no/p").starts_with("error: no/p: "));
    assert!(said("pack t.csv -o p --positive no").contains("knows no `--positive`"));
    assert_eq!(desk.files(), ["t.csv", "u.csv"]);
}

/// The labels of IDX data that were found beside them are an input too.
#[test]
fn a_packed_file_never_replaces_the_labels_beside_the_data() {
    let desk = Desk::new();
    desk.write("a-images-idx3-ubyte", common::idx(8, &[2, 1, 2], &[1, 2, 3, 4]));
    let labels = common::idx(8, &[2], &[0, 1]);
    desk.write("a-labels-idx1-ubyte", &labels);
    let done = desk.run("pack a-images-idx3-ubyte -o a-labels-idx1-ubyte");
    assert!(done.code == 2 && done.stderr.contains("would replace the input"), "{}", done.stderr);
    assert_eq!(desk.read("a-labels-idx1-ubyte"), labels);
}

/// What somebody else put where the packed file would be stays as it is, and no link is followed.
#[cfg(unix)]
#[test]
fn only_a_packed_file_is_packed_again() {
    let desk = Desk::with(&[("a.csv", "x,y\n1,a\n2,b\n3,a\n"), ("victim", "mine")]);
    let train = "train a.csv --scale none --epochs 2 --memory 1 -o a.model";
    desk.write(".a.csv.rosenblatt-pack", "my notes");
    let done = desk.run(train);
    assert!(
        done.code == 0 && done.stderr.contains("something else of that name"),
        "{}",
        done.stderr
    );
    assert_eq!(desk.read(".a.csv.rosenblatt-pack"), b"my notes");
    std::fs::remove_file(desk.path(".a.csv.rosenblatt-pack")).unwrap();
    std::os::unix::fs::symlink(desk.path("victim"), desk.path(".a.csv.rosenblatt-pack")).unwrap();
    assert_eq!(desk.run(train).code, 0);
    assert_eq!(desk.read("victim"), b"mine");
}

/// Rows that nothing separates, more than a page of them; the first one has a number of its own.
#[cfg(unix)]
fn hard() -> String {
    "x,y\n12345.5,a\n".to_owned() + &"1,a\n1,b\n2,a\n2,b\n".repeat(6000)
}

/// A run after its first epoch: it writes its checkpoint, with the mistakes on each example, into a pipe that holds
/// less, and waits for somebody to read it.
#[cfg(unix)]
struct Waiting {
    child: std::process::Child,
    pipe: std::fs::File,
}

#[cfg(unix)]
impl Waiting {
    fn new(desk: &Desk, line: &str) -> Self {
        let pipe = desk.path("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = desk.command(&words);
        let child =
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
        let child = child.spawn().unwrap();
        // Opens when the other side does.
        Waiting { child, pipe: std::fs::File::open(pipe).unwrap() }
    }

    /// Lets it go on: what it says, and its exit code.
    fn finish(mut self) -> (String, Option<i32>) {
        std::io::copy(&mut self.pipe, &mut std::io::sink()).unwrap();
        let done = self.child.wait_with_output().unwrap();
        (String::from_utf8(done.stderr).unwrap(), done.status.code())
    }
}

/// A packed file that is cut off while it is learned from ends the command with a word.
#[cfg(unix)]
#[test]
fn a_packed_file_that_is_cut_off_is_told() {
    let desk = Desk::with(&[("p.csv", &hard())]);
    desk.succeed("pack p.csv -o p.arrow");
    let waiting = Waiting::new(
        &desk,
        "train p.arrow --epochs 2 --scale none --hard 1 --checkpoint pipe -o model",
    );
    std::fs::File::options().write(true).open(desk.path("p.arrow")).unwrap().set_len(0).unwrap();
    let error = "error: p.arrow: this packed file was cut off while it was read\n";
    assert_eq!(waiting.finish(), (error.to_owned(), Some(2)));
    assert!(!desk.path("model").exists());
}

/// One that is written over while it is learned from gives no model.
#[cfg(unix)]
#[test]
fn a_packed_file_that_is_written_over_gives_no_model() {
    use std::os::unix::fs::FileExt;

    let desk = Desk::with(&[("p.csv", &hard())]);
    desk.succeed("pack p.csv -o p.arrow");
    let bytes = desk.read("p.arrow");
    let place = bytes.windows(8).position(|part| part == 12345.5f64.to_le_bytes()).unwrap();
    let waiting = Waiting::new(
        &desk,
        "train p.arrow --epochs 1 --scale none --hard 1 --checkpoint pipe -o model",
    );
    let file = std::fs::File::options().write(true).open(desk.path("p.arrow")).unwrap();
    file.write_all_at(&3f64.to_le_bytes(), place as u64).unwrap();
    let error = "error: p.arrow: this packed file changed while it was read\n";
    assert_eq!(waiting.finish(), (error.to_owned(), Some(2)));
    assert!(!desk.path("model").exists());
}

/// Rows that somebody else may have put beside the data are not learned from.
#[cfg(unix)]
#[test]
fn a_planted_pack_is_told() {
    use std::os::unix::fs::PermissionsExt;

    let desk = Desk::with(&[("a.csv", "x,y\n1,a\n2,b\n3,a\n")]);
    let train = "train a.csv --scale none --epochs 2 -o a.model";
    desk.succeed(&format!("{train} --memory 1"));
    let model = desk.read("a.model");
    let pack = ".a.csv.rosenblatt-pack";
    let open = || {
        let anybody = std::fs::Permissions::from_mode(0o666);
        std::fs::set_permissions(desk.path(pack), anybody).unwrap();
    };
    open();
    let why = "other users may write it";
    let said = desk.run(train).stderr;
    assert_eq!(said, format!("note: {pack} is not used, because {why}\n"));
    let said = desk.run(&format!("{train} --memory 1")).stderr;
    let again = "rebuilt it";
    assert_eq!(said, format!("note: {pack} was not used, because {why}; {again}\n"));
    assert_eq!(desk.read("a.model"), model);
    let used = format!("note: using the rows in {pack}, which were packed from this data\n");
    assert_eq!(desk.run(train).stderr, used);
}

/// A packed file of the first version is read, and a note says what it has not.
#[test]
fn a_packed_file_without_a_checksum_is_told() {
    let desk = Desk::new();
    let old = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../rosenblatt-data/tests/old_files/packed.arrow");
    desk.write("old.arrow", std::fs::read(old).unwrap());
    let note = "note: damage to the header of the packed file cannot be detected: an older rosenblatt packed it\n";
    let done = desk.run("train old.arrow --epochs 3");
    assert_eq!((done.code, done.stderr.as_str()), (0, note));
}
