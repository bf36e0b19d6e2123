//! Tables as people have them: each is read right, or refused with an error whose advice works.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::fs;

use common::{Desk, root};
use serde_json::Value;

/// A folder with the table `name`, as `data.csv`.
fn desk(name: &str) -> Desk {
    let table = root().join("crates/rosenblatt-cli/tests/messy").join(name);
    let desk = Desk::new();
    desk.write("data.csv", fs::read(table).unwrap());
    desk
}

/// The examples and the features of a report.
fn size(report: &Value) -> (u64, u64) {
    (report["examples"].as_u64().unwrap(), report["features"].as_u64().unwrap())
}

/// The first option that a hint names, or the whole command.
fn advice(stderr: &str) -> &str {
    let hint = stderr.lines().find(|line| line.starts_with("hint: ")).expect(stderr);
    let is_advice = |word: &&str| word.starts_with("--") || word.starts_with("rosenblatt ");
    hint.split('`').find(is_advice).expect(stderr)
}

/// The command line that a hint gives: that of `line` with an option, or a whole one.
fn advised(stderr: &str, line: &str) -> String {
    let advice = advice(stderr);
    match advice.strip_prefix("rosenblatt ") {
        Some(whole) => whole.to_owned(),
        None => format!("{} {advice}", line.trim()),
    }
}

/// The table is refused with this error, and read with the first option of the hint.
fn refused(name: &str, options: &str, error: &str, option: &str, expected: (u64, u64)) {
    let desk = desk(name);
    let line = format!("train data.csv {options}");
    let done = desk.run(&line);
    assert_eq!(done.code, 2, "{name}: {}{}", done.stdout, done.stderr);
    let first = done.stderr.lines().next().unwrap();
    assert_eq!(first, format!("error: data.csv{error}"), "{name}");
    let advised = advised(&done.stderr, &line);
    assert_eq!(advised, format!("{} {option}", line.trim()), "{name}: {}", done.stderr);
    let report = desk.report(&advised);
    assert_eq!(size(&report), expected, "{name}");
}

/// The table is read as it is.
fn read(name: &str, options: &str, expected: (u64, u64)) -> Value {
    let report = desk(name).report(&format!("train data.csv {options}"));
    assert_eq!(size(&report), expected, "{name}");
    report
}

#[test]
fn missing_numbers() {
    let missing = "missing values in column `a` (1 of 100 cells)";
    refused("na-first.csv", "", &format!(":2:1: {missing}"), "--missing median", (100, 2));
    read("na-first.csv", "--on-error skip", (99, 2));
    read("na-first.csv", "--missing drop", (99, 2));
    read("na-first.csv", "--missing a=mean+indicator", (100, 3));
    read("na-first.csv", "--missing a=category", (100, 3));
    let missing = ":6:5: missing values in column `b` (4 of 40 cells)";
    refused("question-marks.csv", "", missing, "--missing median", (40, 2));
    read("coded-missing.csv", "--missing-values 999 --missing zero", (40, 2));
    let missing = ":6:5: missing values in column `b` (4 of 40 cells)";
    refused("coded-missing.csv", "--missing-values 999", missing, "--missing median", (40, 2));
    let missing = ":2:5: every cell of column `note` is missing";
    refused("all-missing.csv", "", missing, "--ignore note", (40, 1));
}

#[test]
fn missing_categories() {
    let missing =
        ":2:1: missing values in 2 columns: `age` (8 of 40 cells), `city` (4 of 40 cells)";
    refused("empty-cells.csv", "", missing, "--missing median", (40, 6));
    read("empty-cells.csv", "--missing age=mean,city=category", (40, 6));
    read("empty-cells.csv", "--missing drop", (28, 5));
    let done = desk("empty-cells.csv").run("train data.csv --missing median,city=mean");
    let error = "error: data.csv: column `city` holds categories, which have no mean or median";
    assert_eq!(done.stderr.lines().next(), Some(error));
    assert_eq!(advice(&done.stderr), "--missing city=category");
    read("empty-cells.csv", "--missing median,city=mean --missing city=category", (40, 6));
    read("unknown-category.csv", "", (40, 4));
    read("unknown-category.csv", "--missing-values ? --missing work=category", (40, 4));
    read("signs.csv", "", (40, 2));
    let label = ":8:9: the label `?` (column `bought`) is a missing value";
    let labels = desk("missing-labels.csv");
    refused("missing-labels.csv", "", label, "--on-error skip:10%", (36, 2));
    let many = format!(
        "error: data.csv: 4 of 40 rows cannot be read, at most 1% may be skipped; the first: data.csv{label}"
    );
    let done = labels.run("train data.csv --on-error skip");
    assert_eq!((done.code, done.stderr.lines().next()), (2, Some(&*many)));
    assert_eq!(advised(&done.stderr, ""), "train data.csv --on-error skip:10%");
    assert_eq!(size(&labels.report("train data.csv --on-error skip:10%")), (36, 2));
}

#[test]
fn numbers_and_text() {
    let stray = ":19:5: `abc` is not a number, as 39 of 40 cells of column `b` are";
    refused("stray-text.csv", "", stray, "--on-error skip", (39, 2));
    read("stray-text.csv", "--missing-values abc --missing median", (40, 2));
    let mixed = ":2:5: `PC0` is not a number, as 26 of 40 cells of column `ticket` are";
    refused("mixed-column.csv", "", mixed, "--ignore ticket", (40, 1));
    refused("mixed-column.csv", "--on-error skip", mixed, "--ignore ticket", (40, 1));
    let mixed = ":2:5: `1` is a number, but 32 of 40 cells of column `grade` are text";
    refused("grades.csv", "", mixed, "--categorical grade", (40, 5));
}

#[test]
fn numbers_of_people() {
    let other = ":3:1: column `income` holds 30 cells like `13,346`: numbers with other separators";
    refused("thousands.csv", "", other, "--thousands comma", (40, 2));
    let semicolon = "--delimiter semicolon";
    let other = ":2:1: column `a` holds 40 cells like `1,3`: numbers with other separators";
    refused("decimal-comma.csv", semicolon, other, "--decimal comma", (40, 2));
    let other = ":2:1: column `income` holds 40 cells like `900,5`: numbers with other separators";
    refused("european.csv", semicolon, other, "--decimal comma --thousands point", (40, 2));
    let other = ":2:1: column `share` holds 40 cells like `10%`: numbers with a unit";
    refused("percent.csv", "", other, "--units share", (40, 2));
    let other = ":2:1: column `price` holds 40 cells like `$900`: numbers with a unit";
    refused("dollars.csv", "", other, "--thousands comma --units price", (40, 2));
    let other = ":2:1: column `length` holds 40 cells like `1.3cm`: numbers with a unit";
    refused("lengths.csv", "", other, "--units length", (40, 2));
    let other = ":2:1: column `day` holds 40 cells like `2024-01-01`: dates (year, month, day)";
    refused("dates-iso.csv", "", other, "--dates ymd", (40, 2));
    let other = ":2:1: column `day` holds 40 cells like `01.01.2024`: dates (day, month, year)";
    refused("dates-german.csv", "", other, "--dates dmy", (40, 2));
    read("booleans.csv", "", (40, 3));
    let same = ": `.` is both the decimal sign and the separator of thousands";
    let point = "--delimiter semicolon --thousands point";
    refused("european.csv", point, same, "--decimal comma", (40, 2));
}

#[test]
fn values_without_end() {
    let many = ":2:1: column `id` holds text with 40 different values in 40 cells";
    refused("identifiers.csv", "", many, "--ignore id", (40, 1));
    read("identifiers.csv", "--categorical id", (40, 41));
    let many = ":2:1: column `message` holds text with 40 different values in 40 cells";
    refused("messages.csv", "", many, "--ignore message", (40, 1));
    read("messages.csv", "--text message --bits 8", (40, 256));
    let header = ":1:1: the column name `0` is a number";
    refused("rare-number.csv", "", header, "--no-header --text 2", (121, 1 << 18));
}

#[test]
fn labels() {
    let unclear = ": is the label `Species`, by its name, or the last column, `b`?";
    refused("label-first.csv", "", unclear, "--target Species", (40, 2));
    read("label-first.csv", "--target b", (40, 3));
    let quantity = ": the last column, `price`, is the label by default, but is a quantity: 300 different values in 300 rows";
    refused("price-last.csv", "", quantity, "--target rooms", (300, 3));
    let quantity = ": the last column, `ratio`, is the label by default, but is a quantity: 7 different values in 40 rows";
    refused("ratio-last.csv", "", quantity, "--target kind", (40, 2));
    read("ratio-last.csv", "--target ratio", (40, 4));
    let unclear = ": is the label `sex`, which has two values, or the last column, `age`, which has 15 different numbers?";
    refused("age-last.csv", "", unclear, "--target sex", (40, 2));
    let missing =
        ": the last column, `note`, is the label by default, but is missing in 36 of 40 rows";
    refused("mostly-missing.csv", "", missing, "--target kind --missing median", (40, 4));
    let ignored = ": the label is the last column by default, and `id` is ignored";
    refused("id-last.csv", "--ignore id", ignored, "--target class", (40, 1));
    let done = desk("price-last.csv").run("train data.csv --target price");
    let error =
        "error: data.csv: the label `price` is a quantity: 300 different numbers in 300 rows";
    assert_eq!((done.code, done.stderr.lines().next()), (2, Some(error)));
}

/// The name of the file tells no format, and its lines have neither commas nor tabs.
#[test]
fn numbers_between_blanks() {
    let desk = Desk::with(&[("numbers.data", "1 2.5 0\n-1 1e3 1\n2 0 0\n-2 5 1\n")]);
    assert_eq!(size(&desk.report("train numbers.data")), (4, 2));
}

#[test]
fn headers() {
    read("no-header-text.csv", "", (40, 7));
    read("twice.csv", "", (39, 2));
    let done = desk("text-header.csv").run("train data.csv");
    let note = "note: the first row names the columns; with `--no-header` it is an example\n";
    assert_eq!(done.stderr, note);
    let categories = "\ncategories  color (2 values), size (2 values)\n";
    assert!(done.stdout.contains(categories), "{}", done.stdout);
}

/// A column that numbers the rows and one that is the label in other words are pointed out, with the option that leaves
/// them out.
#[test]
fn columns_that_give_the_label_away() {
    let row =
        |i: usize| format!("{},{},{},{}\n", i + 1, (7 * i) % 11, 3 - i / 15, ["a", "b"][i / 15]);
    let data = "Id,x,code,kind\n".to_owned() + &(0..30).map(row).collect::<String>();
    let desk = Desk::with(&[("data.csv", &data)]);
    let done = desk.run("train data.csv");
    let note = "note: `Id` numbers the rows; `--ignore Id` leaves it out of the features\n";
    assert_eq!(done.stderr, note);
    let copy = "column `code` has one value for each class: `--ignore code` leaves it out";
    assert!(done.stdout.contains(copy), "{}", done.stdout);
    let done = desk.run("train data.csv --ignore Id,code");
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(!done.stdout.contains("one value for each class"), "{}", done.stdout);
    // Nineteen rows may be in an order by chance, and a column with one other value is no copy.
    let few: String = (0..19).map(row).collect();
    desk.write("few.csv", "Id,x,code,kind\n".to_owned() + &few.replacen("1,0,3", "1,0,2", 1));
    let done = desk.run("train few.csv");
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(!done.stdout.contains("one value for each class"), "{}", done.stdout);
}

/// Decimal commas below a header without commas do not look like a title above a table.
#[test]
fn semicolons_and_decimal_commas() {
    let row = |i: usize| format!("{},5;{},25;{}\n", i, i % 7, i % 2);
    let data = "size;weight;kind\n".to_owned() + &(0..30).map(row).collect::<String>();
    let desk = Desk::with(&[("data.csv", &data)]);
    assert_eq!(size(&desk.report("train data.csv --decimal comma")), (30, 2));
    // The options that were typed stay.
    let done = desk.run("train data.csv --delimiter semicolon");
    assert!(done.stderr.contains("hint: `--decimal comma` reads them"), "{}", done.stderr);
}

/// Where a table needs several options, the hint has all of them, and they work, also for predictions.
#[test]
fn several_options() {
    let port = |i: usize| ["S", "C", ""][i % 3];
    let ticket = |i: usize| if i.is_multiple_of(4) { format!("A/{i}") } else { i.to_string() };
    let age = |i: usize| if i.is_multiple_of(5) { String::new() } else { (20 + i).to_string() };
    let row = |i: usize| format!("{i},{},N{i},{},{},{}\n", i % 2, ticket(i), age(i), port(i));
    let header = "id,Survived,Name,Ticket,Age,Port\n";
    let data = header.to_owned() + &(0..40).map(row).collect::<String>();
    let desk = Desk::with(&[("data.csv", &data)]);
    let done = desk.run("train data.csv");
    let error = "error: data.csv: is the label `Survived`, by its name, or the last column, `Port`?\n\
                 hint: `rosenblatt train data.csv --target Survived --missing median --ignore Name,Ticket,id` reads this table\n";
    assert_eq!((done.code, done.stderr.as_str()), (2, error));
    let report = desk.report(&format!("{} -o model", advised(&done.stderr, "")));
    assert_eq!(size(&report), (40, 4));
    assert_eq!(desk.succeed("predict model data.csv").lines().count(), 40);
    // A hint does not leave out most of a table.
    let message = |i: usize| format!("{},words {i},N{i},{}\n", ["ham", "spam"][i % 2], i % 2);
    let header = "kind,message,author,y\n";
    desk.write("mail.csv", header.to_owned() + &(0..40).map(message).collect::<String>());
    let done = desk.run("train mail.csv");
    assert_eq!(advice(&done.stderr), "--ignore message", "{}", done.stderr);
    // Where one more option is not enough or not known, the hint is about the first error.
    desk.write("data.csv", data.replace(",21,", ",inf,"));
    let done = desk.run("train data.csv");
    assert!(
        done.stderr.contains("hint: choose the label with `--target Survived`"),
        "{}",
        done.stderr
    );
}

/// The model keeps the median, the decimal sign and the spellings of missing values, and predicts with them.
#[test]
fn a_model_reads_as_it_was_trained() {
    let desk = Desk::with(&[
        ("data.csv", "a;b;bought\n1,5;1;no\n2,5;none;no\n8,5;4;yes\n9,5;5;yes\n"),
        ("new.csv", "a;b\n8,5;none\n1,5;\n1.5;2\n"),
        ("other.csv", "a;b\n8.5;1\n"),
    ]);
    let options = "--delimiter semicolon --decimal comma --missing-values none --missing median";
    desk.succeed(&format!("train data.csv {options} -o model"));
    desk.succeed("export model -o model.json");
    let model: Value = serde_json::from_slice(&desk.read("model.json")).unwrap();
    let text = model.to_string();
    assert!(text.contains(r#""fill":"median""#) && text.contains(r#""value":4.0"#), "{text}");
    let done = desk.run("predict model new.csv");
    assert_eq!(done.code, 2);
    assert!(
        done.stderr.contains("new.csv:4:1: `1.5` in column `a` is not a number"),
        "{}",
        done.stderr
    );
    desk.write("new.csv", "a;b\n8,5;none\n1,5;\n");
    assert_eq!(desk.succeed("predict model new.csv"), "yes\nno\n");
}

/// Folds, held-out examples and the notes of missing values.
#[test]
fn missing_values_and_held_out_examples() {
    let desk = desk("empty-cells.csv");
    for option in ["--folds 4", "--holdout 0.25", "--epochs 1"] {
        let done = desk.run(&format!("train data.csv --missing age=median,city=category {option}"));
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stderr.contains("note: filled 8 missing cells of `age` with the median\n"));
        assert!(done.stderr.contains("note: 4 missing cells of `city`: a category of its own\n"));
    }
    let done = desk.run("train data.csv --missing drop");
    assert!(
        done.stderr.contains("note: left out 12 rows with a missing value\n"),
        "{}",
        done.stderr
    );
}

/// Files as spreadsheet programs and data frames write them.
#[test]
fn exports() {
    read("bom.csv", "", (40, 2));
    read("excel-sep.csv", "", (40, 2));
    let tabs = Desk::with(&[("data.csv", "sep=\t\r\na\tb\ty\r\n1\t2\tno\r\n3\t1\tyes\r\n")]);
    assert_eq!(size(&tabs.report("train data.csv")), (2, 2));
    read("pandas-index.csv", "", (40, 3));
    read("trailing-comma.csv", "", (40, 2));
    // Two of 42 rows are more than the 1% that may be skipped; the hint names the share.
    let empty = ":42:1: every cell of this row is empty";
    refused("empty-rows.csv", "", empty, "--on-error skip:5%", (40, 2));
    let many = desk("empty-rows.csv").run("train data.csv --on-error skip").stderr;
    assert_eq!(advised(&many, ""), "train data.csv --on-error skip:5%");
    read("empty-rows.csv", "--on-error skip:5%", (40, 2));
    read("title.csv", "", (40, 2));
    read("utf16.csv", "", (40, 2));
    refused(
        "latin1.csv",
        "",
        ":1:1: `gr\u{fffd}\u{fffd}e` is not UTF-8",
        "--encoding latin1",
        (40, 2),
    );
}

#[test]
fn rows_and_cells_that_do_not_fit() {
    let ragged = ":22:10: found 4 cells, expected 3 as in the first row";
    refused("ragged.csv", "", ragged, "--on-error skip", (39, 2));
    let infinite = ":7:5: `inf` in column `b` is not a finite 64-bit number";
    refused("infinite.csv", "", infinite, "--ignore b", (40, 1));
    read("infinite.csv", "--on-error skip", (39, 2));
    let negative = ":2:4: `(2)` is not a number, as 24 of 40 cells of column `balance` are";
    refused("accounting.csv", "", negative, "--ignore balance", (40, 1));
    let comma = ":3:1: column `a` holds 20 cells like `-1,5`: numbers with other separators";
    refused("quoted-comma.csv", "", comma, "--decimal comma", (40, 2));
}

/// Labels that are probably misspelled stand in the report; one label is nothing to learn.
#[test]
fn doubtful_classes() {
    let report = |name: &str| desk(name).succeed("train data.csv");
    let text = report("label-case.csv");
    assert!(text.contains("`NO`, `No`, `no` differ only in case"), "{text}");
    assert!(report("total-row.csv").contains("only one example of `Total`"));
    let done = desk("one-class.csv").run("train data.csv");
    let error =
        "error: data.csv: all 40 examples have the label `yes`: there is nothing to separate";
    assert_eq!((done.code, done.stderr.lines().next()), (2, Some(error)));
    // `b` has five values.
    assert_eq!(
        desk("one-class.csv").report("train data.csv --target b --ignore bought")["classes"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
    let sorted = report("sorted.csv");
    assert!(!sorted.contains("sorted by class"), "shuffled each epoch by default: {sorted}");
    let one_pass = desk("sorted.csv").report("train data.csv --epochs 1");
    assert_eq!(one_pass["sorted"], Value::Bool(true));
    assert_eq!(one_pass["options"]["order"], "shuffle");
}
