//! The dialect of a table is found out and told, and the model does not depend on it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, root};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A table that every dialect can tell.
const PLAIN: &str = "size,color,kind\n1.5,red,no\n2.5,light blue,yes\n1,red,no\n3,\"a, b\",yes\n0.5,red,no\n4,red,yes\n";

/// The rows of [`PLAIN`] in another dialect.
fn written(separator: &str, quote: &str, end: &str, quotes_all: bool) -> String {
    let rows = [
        ["size", "color", "kind"],
        ["1.5", "red", "no"],
        ["2.5", "light blue", "yes"],
        ["1", "red", "no"],
        ["3", "a, b", "yes"],
        ["0.5", "red", "no"],
        ["4", "red", "yes"],
    ];
    let cell = |text: &str| {
        let is_quoted = quotes_all || text.contains(separator) || text.contains(' ');
        if is_quoted { format!("{quote}{text}{quote}") } else { text.to_owned() }
    };
    rows.map(|row| row.map(cell).join(separator) + end).concat()
}

/// The weights and columns of the model of a file, without how the file is to be read.
fn model(desk: &Desk, name: &str, options: &str) -> Value {
    desk.succeed(&format!("train {name} -q {options} -o m.model"));
    desk.succeed("export m.model -o m.json");
    let mut model: Value = serde_json::from_slice(&desk.read("m.json")).unwrap();
    model["schema"].as_object_mut().unwrap().remove("format");
    model
}

/// The codes and words of the notes of a command that trains.
fn notes(desk: &Desk, line: &str) -> Vec<(String, String)> {
    let report = desk.report(line);
    let notes = report["notes"].as_array().cloned().unwrap_or_default();
    let text = |note: &Value, key: &str| note[key].as_str().unwrap().to_owned();
    notes.iter().map(|note| (text(note, "code"), text(note, "message"))).collect()
}

/// The message of a note of this code.
fn note(desk: &Desk, line: &str, code: &str) -> String {
    let all = notes(desk, line);
    let found = all.iter().find(|(one, _)| one == code);
    found.unwrap_or_else(|| panic!("{line}: no {code} in {all:?}")).1.clone()
}

fn names(desk: &Desk, name: &str) -> Vec<String> {
    let model = model(desk, name, "");
    let columns = model["schema"]["inputs"]["columns"].clone();
    let features = columns["features"].as_array().unwrap().clone();
    features.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

fn fails(desk: &Desk, line: &str) -> String {
    let done = desk.run(line);
    assert_ne!(done.code, 0, "{line}: {}", done.stdout);
    done.stderr
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_model_is_the_same_in_every_dialect(
        separator in prop::sample::select(vec![",", ";", "\t", "|", "\u{1}", "\u{1f}", "^"]),
        quote in prop::sample::select(vec!["\"", "'"]),
        end in prop::sample::select(vec!["\n", "\r\n"]),
        quotes_all in any::<bool>(),
        ending in prop::sample::select(vec!["csv", "tsv"]),
    ) {
        let desk = Desk::with(&[("plain.csv", PLAIN)]);
        // Quotes that are rare tell nothing.
        let quote = if quotes_all { quote } else { "\"" };
        let name = format!("other.{ending}");
        desk.write(&name, written(separator, quote, end, quotes_all));
        prop_assert_eq!(model(&desk, "plain.csv", ""), model(&desk, &name, ""));
        // The model finds the dialect of other files again.
        let from_other = desk.succeed(&format!("predict m.model {name}"));
        prop_assert_eq!(&desk.succeed("predict m.model plain.csv"), &from_other);
    }
}

#[test]
fn the_separator_is_told() {
    let desk = Desk::with(&[("plain.csv", PLAIN)]);
    for (separator, told) in [(";", "`;`"), ("\t", "tab"), ("|", "`|`"), ("\u{1}", "`\\x01`")] {
        desk.write("d.csv", written(separator, "\"", "\n", false));
        let message = note(&desk, "train d.csv", "separator");
        assert_eq!(message, format!("the cells are separated by {told}"));
    }
    assert!(notes(&desk, "train plain.csv").iter().all(|(code, _)| code != "separator"));
    desk.write("blanks.dat", "x  z y\n1 2   a\n 2 1 b\n1 3  a\n");
    assert_eq!(names(&desk, "blanks.dat"), ["x", "z"]);
}

#[test]
fn an_option_decides_each_part() {
    let desk = Desk::with(&[("plain.csv", PLAIN)]);
    let expected = model(&desk, "plain.csv", "");
    desk.write("bars.csv", PLAIN.replace("\"a, b\"", "|a, b|"));
    assert_eq!(model(&desk, "bars.csv", "--quote |"), expected);
    desk.write("escapes.csv", PLAIN.replace("\"a, b\"", "a/, b"));
    assert_eq!(model(&desk, "escapes.csv", "--escape /"), expected);
    desk.write("comments.csv", PLAIN.replace("\n1,", "\n% not, a row\n1,"));
    assert_eq!(model(&desk, "comments.csv", "--comment %"), expected);
    desk.write("titles.csv", format!("a,b,c\nd,e,f\n{PLAIN}"));
    assert_eq!(model(&desk, "titles.csv", "--skip-rows 2"), expected);
}

#[test]
fn whole_rows_within_quotes_are_rows() {
    let desk = Desk::with(&[("plain.csv", PLAIN)]);
    let expected = model(&desk, "plain.csv", "");
    let quoted = PLAIN.lines().map(|line| format!("\"{}\"\n", line.replace('"', "\"\"")));
    desk.write("rows.csv", quoted.collect::<String>());
    assert_eq!(model(&desk, "rows.csv", ""), expected);
    assert_eq!(note(&desk, "train rows.csv", "quoting"), "each row is within quotes");
}

#[test]
fn blanks_within_quotes_are_kept_and_those_around_are_not() {
    let desk = Desk::new();
    desk.write("d.csv", "n,t,y\n1, \"p\" ,a\n2,\" p\",b\n3,p,a\n4, p ,b\n");
    let columns = model(&desk, "d.csv", "")["schema"]["inputs"]["columns"].clone();
    assert_eq!(columns["features"][1]["categories"], json!([" p", "p"]));
}

#[test]
fn utf_16_is_read_by_its_mark() {
    let desk = Desk::with(&[("plain.csv", PLAIN)]);
    let units: Vec<u16> = format!("\u{feff}{PLAIN}").encode_utf16().collect();
    let expected = model(&desk, "plain.csv", "");
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        desk.write("d.csv", units.iter().copied().flat_map(bytes).collect::<Vec<u8>>());
        assert_eq!(model(&desk, "d.csv", ""), expected);
    }
    assert_eq!(note(&desk, "train d.csv", "encoding"), "read as UTF-16, by its byte order mark");
}

#[test]
fn a_header_is_never_refused() {
    let desk = Desk::new();
    let read = |text: &str| {
        desk.write("d.csv", text);
        names(&desk, "d.csv")
    };
    assert_eq!(read("x,,y\n1,2,a\n2,4,b\n1,3,a\n"), ["x", "column 2"]);
    assert_eq!(read("x,x,y\n1,2,a\n2,4,b\n1,3,a\n"), ["x", "x (2)"]);
    assert_eq!(read("x,z,y,\n1,2,a,\n2,4,b,\n1,3,a,\n"), ["x", "z"]);
    assert_eq!(read("x,z,y\n1,2,a,\n2,4,b,\n1,3,a,\n"), ["x", "z"]);
    assert_eq!(read("# by hand\n# x,z,y\n1.5,2,a\n2,4,b\n1,3,a\n"), ["x", "z"]);
    assert_eq!(read("Trial\n\nx,z,y\n1,2,a\n2,4,b\n1,3,a\n"), ["x", "z"]);
    assert_eq!(read("1.5,2,a\n2,4,b\n1,3,a\n"), ["1", "2"]);
    assert_eq!(
        note(&desk, "train d.csv", "first_row"),
        "the first row is read as an example, because it has no names; with `--header` it names the columns"
    );
    // What has no name is no label.
    desk.write("d.csv", "x,z,y\n1.5,2,a,p\n2.5,4,b,q\n0.5,3,a,p\n4,3,b,p\n5,2,a,q\n");
    let columns = model(&desk, "d.csv", "")["schema"]["inputs"]["columns"].clone();
    assert_eq!((&columns["count"], &columns["target"]), (&json!(4), &json!("y")));
    assert_eq!(read("x,z,y\n1,2,a,,\n2,4,b,,\n1,3,a,,\n"), ["x", "z"]);
    desk.write("d.csv", "x,y\nr1,2,a\nr2,4,b\nr3,3,a\nr4,3,b\nr5,2,a\n");
    let columns = model(&desk, "d.csv", "")["schema"]["inputs"]["columns"].clone();
    assert_eq!((&columns["count"], &columns["target"]), (&json!(3), &json!("y")));
}

#[test]
fn a_doubled_name_is_refused_where_an_option_means_one() {
    let desk = Desk::with(&[("d.csv", "x,x,y\n1,2,a\n2,4,b\n1,3,a\n")]);
    let error = fails(&desk, "train d.csv --ignore x");
    assert!(error.contains("columns 1 and 2 are called `x`"), "{error}");
    desk.succeed("train d.csv --ignore 2 -o m.model");
    // A file for a model, in which one of its columns comes twice.
    desk.write("one.csv", "x,z,y\n1,2,a\n2,4,b\n1,3,a\n");
    desk.succeed("train one.csv -o one.model");
    let error = fails(&desk, "predict one.model twice.csv");
    assert!(!error.is_empty());
    desk.write("twice.csv", "x,z,x\n1,2,3\n");
    let error = fails(&desk, "predict one.model twice.csv");
    assert!(error.contains("columns 1 and 3 are called `x`"), "{error}");
}

#[test]
fn rows_that_are_no_examples_are_passed_over_and_never_a_column_lost() {
    let desk = Desk::new();
    let rows = "1,2,a\n2,4,b\n1,3,a\n2,5,b\n1,2,a\n2,6,b\n";
    for (text, told) in [
        (format!("x,z,y\ncm,kg,kind\n{rows}"), "such as their units"),
        (format!("x,z,y\n{rows}x,z,y\n{rows}"), "repeats the names of the columns"),
        (
            format!("x,z,y\n{rows}Source: a book\n"),
            "only one cell of this row is not empty: `Source: a book`",
        ),
    ] {
        desk.write("d.csv", &text);
        let said = note(&desk, "train d.csv", "skipped_rows");
        assert!(said.starts_with("skipped 1 row that is no example"), "{said}");
        assert!(said.contains(told), "{said}");
        let all = model(&desk, "d.csv", "");
        assert_eq!(all["schema"]["inputs"]["columns"]["features"].as_array().unwrap().len(), 2);
    }
    let names_again = format!("x,z,y\n{}", format!("{rows}x,z,y\n").repeat(3));
    desk.write("d.csv", names_again);
    desk.succeed("train d.csv");
    // Rows with a single cell are worth a look if they are more than one in ten.
    let text = format!("x,z,y\n{}", format!("{rows}about x,,\n").repeat(3));
    desk.write("d.csv", &text);
    let error = fails(&desk, "train d.csv");
    assert!(error.contains("3 of 21 rows were left out"), "{error}");
    assert!(error.contains("`--on-error skip:15%` would do so"), "{error}");
    desk.succeed("train d.csv --on-error skip:15%");
    desk.write("d.csv", text.replacen(rows, &rows.repeat(3), 1));
    desk.succeed("train d.csv");
    desk.succeed("train d.csv --on-error skip");
    desk.write("d.csv", format!("x,z,y\n{rows}# by hand\n{rows}"));
    let told = "lines that begin with `#` are comments";
    assert_eq!(note(&desk, "train d.csv", "quoting"), told);
    // After the first rows, it is asked.
    let many = rows.repeat(40);
    desk.write("d.csv", format!("x,z,y\n{many}# by hand, in May\n{rows}"));
    let error = fails(&desk, "train d.csv");
    assert!(error.contains("--comment '#'"), "{error}");
    desk.succeed("train d.csv --comment #");
}

/// Of a long file, more than its first block is read, and threads share it.
#[test]
fn blocks_and_threads_change_nothing() {
    let desk = Desk::new();
    let row = |i: usize| format!("'{}';'w {}';'{}'\n", i % 97, i % 5, ["no", "yes"][i % 2]);
    let text =
        "Made by hand\n'n';'t';'y'\n".to_owned() + &(0..120_000).map(row).collect::<String>();
    desk.write("long.csv", text);
    let one = model(&desk, "long.csv", "--threads 1 --epochs 1");
    assert_eq!(model(&desk, "long.csv", "--threads 3 --epochs 1"), one);
}

/// A name of a file tells less than its bytes, and less than a separator that cuts its first row.
#[test]
fn names_of_files_that_mislead() {
    let desk = Desk::new();
    let row = |i: usize| {
        format!("{i}\tSmith, {}. A\t{}\t{}\n", ["Mr", "Ms"][i % 2], 20 + 7 * i % 41, i % 2)
    };
    let rows: String = (0..30).map(row).collect();
    desk.write("tabs.csv", format!("id\tname\tage\tsurvived\n{rows}3\tcut, \"off\" x\t30\t1\n"));
    assert_eq!(model(&desk, "tabs.csv", "")["schema"]["inputs"]["columns"]["target"], "survived");
    let sheet = root().join("crates/rosenblatt-cli/tests/messy/sheet.xlsx");
    desk.write("sheet.csv", std::fs::read(sheet).unwrap());
    assert_eq!(note(&desk, "train sheet.csv", "format"), "read as an Excel workbook");
}

/// The first line of scikit-learn's files counts the examples and the features.
#[test]
fn counts_of_rows_are_a_title() {
    let desk = Desk::new();
    let rows: String =
        (0..150).map(|i| format!("{}.5,{},{}\n", i % 7, i * i % 11, i / 50)).collect();
    for first in ["150,2,setosa", "150,2,setosa,versicolor,virginica", "150,2"] {
        desk.write("d.csv", format!("{first}\n{rows}"));
        let counted = desk.run("train d.csv --json").stdout;
        assert!(counted.contains("\"examples\":150,"), "{first}: {counted}");
    }
    // Another number of features, or of examples.
    for first in ["150,3,setosa", "15,2,setosa"] {
        desk.write("d.csv", format!("{first}\n{rows}"));
        assert!(!desk.run("train d.csv --json").stdout.contains("\"examples\":150,"), "{first}");
    }
}
