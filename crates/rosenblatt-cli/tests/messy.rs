//! Tables as people have them: each is read right, or refused with an error whose advice works.
//!
//! `messy/expected.toml` says for each table of `messy/` what a careful reader makes of it. What the product does not do yet
//! stands in its lists `not_yet`, and is asserted to fail, so that an entry goes when it is no longer true.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, thread,
};

use common::{Desk, Done, root};
use safetensors::SafeTensors;
use serde::Deserialize;
use serde_json::{Number, Value};

/// The endings of tables that the plain build does not read.
const ENDINGS_OF_COLUMNAR: [&str; 3] = [".parquet", ".arrow", ".feather"];

/// The content of `expected.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectations {
    tables: BTreeMap<String, Expected>,
    /// What happens today instead, by table.
    not_yet: BTreeMap<String, String>,
    /// The same of the table as JSON.
    not_yet_json: BTreeMap<String, String>,
    /// The same of the readers of Python, whose tests read this file too.
    #[serde(rename = "not_yet_python")]
    _not_yet_python: BTreeMap<String, String>,
}

/// What a careful reader makes of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    ends: Ends,
    label: Option<String>,
    /// The rows that are learned from.
    rows: Option<u64>,
    /// The columns that are features, in any order.
    features: Option<BTreeSet<String>>,
    /// Columns that may be features.
    #[serde(default)]
    free: BTreeSet<String>,
    /// The least mean accuracy of five folds.
    #[serde(default = "usual_accuracy")]
    accuracy: f64,
    /// The codes of notes that are given.
    #[serde(default)]
    notes: Vec<String>,
    /// Whether each cell is a number or a text as it stands, so that the table is also tried as JSON.
    #[serde(default)]
    columns: bool,
    /// What the error of a refused table says.
    #[serde(default)]
    error: String,
    /// What it does not say.
    unsaid: Option<String>,
}

fn usual_accuracy() -> f64 {
    0.9
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Ends {
    /// Learned from by the first command.
    Right,
    /// Learned from after at most three suggestions, if any is needed.
    Asked,
    /// The same, and the first command must ask, because the table does not tell.
    Ambiguous,
    /// Nothing can be learned, and the error says why.
    Refused,
}

fn expectations() -> Expectations {
    toml::from_str(&fs::read_to_string(folder().join("expected.toml")).unwrap()).unwrap()
}

fn folder() -> std::path::PathBuf {
    root().join("crates/rosenblatt-cli/tests/messy")
}

/// A first command and what its hints suggest, followed to the letter.
struct Attempt {
    /// The suggestions that were followed.
    followed: Vec<String>,
    last: Done,
    /// The report, and the columns of the model.
    learned: Option<(Value, Value)>,
}

impl Attempt {
    /// Trains on `data`, a file on the desk, and follows the first suggestion of each hint.
    fn new(desk: &Desk, data: &str, most: usize) -> Self {
        let mut line = format!("train {data} --folds 5 --json -o model");
        let mut followed = Vec::new();
        loop {
            let last = Done::from(desk.command(&[]).args(words(&line)).output().unwrap());
            if last.code == 0 {
                let learned = Some((parsed(&last.stdout), columns(desk)));
                return Attempt { followed, last, learned };
            }
            let Some(advice) = suggestion(&last.stderr).filter(|_| followed.len() < most) else {
                return Attempt { followed, last, learned: None };
            };
            followed.push(advice.to_owned());
            line = advised(&last.stderr, &line);
        }
    }

    /// The mean accuracy of the folds.
    fn accuracy(&self) -> f64 {
        let report = self.learned.as_ref().map(|(report, _)| report);
        report.and_then(|report| report["folds"]["mean"].as_f64()).unwrap_or(0.0)
    }

    /// What is not as expected.
    fn faults(&self, expected: &Expected) -> Vec<String> {
        let error =
            self.last.stderr.lines().find(|line| !line.starts_with("note: ")).unwrap_or_default();
        if expected.ends == Ends::Refused {
            let said = error.contains(&expected.error);
            let unsaid = expected.unsaid.as_ref().is_none_or(|words| !error.contains(words));
            let refused = self.last.code == 2 && error.starts_with("error: ") && said && unsaid;
            return if refused { Vec::new() } else { vec![format!("says: {error}")] };
        }
        let Some((report, columns)) = &self.learned else {
            return vec![format!("a dead end after {:?}: {error}", self.followed)];
        };
        let mut faults = Vec::new();
        let mut expect = |holds: bool, words: String| {
            if !holds {
                faults.push(words);
            }
        };
        let asked = !self.followed.is_empty();
        expect(!(asked && expected.ends == Ends::Right), format!("asks: {:?}", self.followed));
        expect(asked || expected.ends != Ends::Ambiguous, "does not ask".to_owned());
        if let Some(label) = &expected.label {
            let learned = &columns["target"];
            expect(learned == label, format!("learns {learned}"));
        }
        if let Some(rows) = expected.rows {
            let learned = &report["examples"];
            expect(*learned == rows, format!("{learned} rows"));
        }
        if let Some(features) = &expected.features {
            let learned = names(&columns["features"]);
            let left_out: Vec<_> = features.difference(&learned).collect();
            expect(left_out.is_empty(), format!("without {left_out:?}"));
            let other = learned.difference(features).filter(|name| !expected.free.contains(*name));
            let other: Vec<_> = other.collect();
            expect(other.is_empty(), format!("with {other:?}"));
        }
        let accuracy = self.accuracy();
        expect(accuracy >= expected.accuracy, format!("accuracy {accuracy:.3}"));
        let given: Vec<_> =
            report["notes"].as_array().into_iter().flatten().map(|note| &note["code"]).collect();
        for code in &expected.notes {
            expect(given.iter().any(|given| *given == code), format!("no note {code}"));
        }
        faults
    }
}

/// The columns that the model on the desk uses, or null.
fn columns(desk: &Desk) -> Value {
    let (_, header) = SafeTensors::read_metadata(&desk.read("model")).unwrap();
    let text = &header.metadata().as_ref().unwrap()["rosenblatt"];
    parsed(text)["schema"]["inputs"]["columns"].clone()
}

fn names(columns: &Value) -> BTreeSet<String> {
    let columns = columns.as_array().into_iter().flatten();
    columns.map(|column| column["name"].as_str().unwrap().to_owned()).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The words of a line as a shell takes them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        let word = words.last_mut().unwrap();
        match c {
            '\'' => quoted = !quoted,
            '\\' if !quoted => word.extend(characters.next()),
            ' ' if !quoted => words.push(String::new()),
            c => word.push(c),
        }
    }
    words
}

/// The rows of a table without quotes as JSON objects: what is no number of JSON is a text.
fn records(table: &str) -> Vec<String> {
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = table.lines();
    let header = cells(lines.next().unwrap());
    let value = |cell: &str| match cell {
        "" => "null".to_owned(),
        cell if serde_json::from_str::<Number>(cell).is_ok() => cell.to_owned(),
        cell => Value::from(cell).to_string(),
    };
    let object = |line: &str| {
        let entry = |(name, cell): (&String, String)| {
            format!("{}:{}", Value::from(name.as_str()), value(&cell))
        };
        let entries: Vec<_> = header.iter().zip(cells(line)).map(entry).collect();
        format!("{{{}}}", entries.join(","))
    };
    lines.map(object).collect()
}

/// What is not as expected of a table as it is.
fn faults(name: &str, expected: &Expected) -> Vec<String> {
    let (_, ending) = name.rsplit_once('.').unwrap();
    let desk = Desk::new();
    let data = format!("data.{ending}");
    desk.write(&data, fs::read(folder().join(name)).unwrap());
    let most = if expected.ends == Ends::Refused { 0 } else { 3 };
    Attempt::new(&desk, &data, most).faults(expected)
}

/// What is not as expected of a table as JSON, where the accuracy is that of the table as it is.
fn faults_as_json(name: &str, expected: &Expected) -> Vec<String> {
    let table = fs::read_to_string(folder().join(name)).unwrap();
    let objects = records(&table);
    let desk = Desk::new();
    desk.write("data.csv", &table);
    desk.write("data.json", format!("[{}]", objects.join(",\n")));
    desk.write("data.jsonl", objects.join("\n"));
    let attempt = |data: &str| Attempt::new(&desk, data, 3);
    let plain = attempt("data.csv");
    let is_right = plain.faults(expected).is_empty();
    let mut faults = Vec::new();
    for data in ["data.json", "data.jsonl"] {
        let attempt = attempt(data);
        faults.extend(attempt.faults(expected));
        if is_right && faults.is_empty() && attempt.accuracy() != plain.accuracy() {
            faults.push(format!("accuracy {}, not {}", attempt.accuracy(), plain.accuracy()));
        }
    }
    faults
}

/// The header of a table and its rows.
fn header_and_rows(name: &str) -> (String, Vec<String>) {
    let table = fs::read_to_string(folder().join(name)).unwrap();
    let (header, rows) = table.split_once('\n').unwrap();
    (header.to_owned(), rows.lines().map(str::to_owned).collect())
}

/// What is decided about a table that is in these files: the hints that were followed, the label and the features.
fn decided(files: &[(&str, &str)]) -> String {
    let desk = Desk::with(files);
    let names_of_files: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let Attempt { followed, learned, .. } = Attempt::new(&desk, &names_of_files.join(" "), 3);
    let columns = learned.map(|(_, columns)| columns);
    let used = columns.map(|used| (used["target"].clone(), names(&used["features"])));
    format!("{followed:?}, {used:?}")
}

fn faults_of(otherwise: &str, usual: &str) -> Vec<String> {
    if otherwise == usual { Vec::new() } else { vec![format!("{otherwise}, not {usual}")] }
}

/// What is decided otherwise when the rows come in the opposite order.
fn faults_backwards(name: &str, _: &Expected) -> Vec<String> {
    let (header, mut rows) = header_and_rows(name);
    let table = |rows: &[String]| format!("{header}\n{}\n", rows.join("\n"));
    let forwards = decided(&[("data.csv", &table(&rows))]);
    rows.reverse();
    faults_of(&decided(&[("data.csv", &table(&rows))]), &forwards)
}

/// What is decided otherwise when the rows are in two files.
fn faults_of_two_files(name: &str, _: &Expected) -> Vec<String> {
    let (header, rows) = header_and_rows(name);
    let table = |rows: &[String]| format!("{header}\n{}\n", rows.join("\n"));
    let (first, second) = rows.split_at(rows.len() / 3);
    let whole = decided(&[("data.csv", &table(&rows))]);
    let parts = decided(&[("data.csv", &table(first)), ("more.csv", &table(second))]);
    faults_of(&parts.replace("data.csv more.csv", "data.csv"), &whole)
}

/// Tries all tables, and compares those that fail with a list of what is not yet done.
#[allow(clippy::print_stdout)] // how many are left
fn compare(
    tables: &BTreeMap<String, Expected>,
    faults: fn(&str, &Expected) -> Vec<String>,
    not_yet: &BTreeMap<String, String>,
) {
    let tried = |part: &[(&String, &Expected)]| -> Vec<(String, String)> {
        part.iter()
            .map(|(name, expected)| ((*name).clone(), faults(name, expected).join("; ")))
            .collect()
    };
    let all: Vec<_> = tables.iter().collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<_> = thread::scope(|scope| {
        let parts = all.chunks(all.len().div_ceil(threads).max(1));
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || tried(part))).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    let listed = |not_yet_listed: bool| -> String {
        let differs = |(name, faults): &&(String, String)| {
            not_yet.contains_key(name) == not_yet_listed && faults.is_empty() == not_yet_listed
        };
        found.iter().filter(differs).map(|(name, faults)| format!("\n{name}: {faults}")).collect()
    };
    let (count, all) = (not_yet.len(), tables.len());
    println!("{} of {all} tables are as expected, {count} are not yet", all - count);
    assert_eq!(listed(false), "", "left: not as expected");
    assert_eq!(listed(true), "", "left: as expected; remove from the list of what is not yet");
    let unknown: Vec<_> = not_yet.keys().filter(|name| !tables.contains_key(*name)).collect();
    assert!(unknown.is_empty(), "not yet, but no such table: {unknown:?}");
}

#[test]
fn each_table_has_an_expectation() {
    let names = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut found: BTreeSet<_> = names.map(|name| name.into_string().unwrap()).collect();
    assert!(found.remove("expected.toml"));
    let Expectations { tables, .. } = expectations();
    let expected: BTreeSet<_> = tables.keys().cloned().collect();
    assert_eq!(found, expected);
    let at_once = tables.values().filter(|expected| expected.ends == Ends::Right).count();
    assert!(at_once * 10 >= tables.len() * 6, "{at_once} of {}", tables.len());
}

#[test]
fn each_table_ends_as_expected() {
    let Expectations { mut tables, mut not_yet, .. } = expectations();
    let is_text = |name: &str| !ENDINGS_OF_COLUMNAR.iter().any(|ending| name.ends_with(ending));
    tables.retain(|name, _| cfg!(feature = "columnar") || is_text(name));
    not_yet.retain(|name, _| cfg!(feature = "columnar") || is_text(name));
    compare(&tables, faults, &not_yet);
}

#[test]
fn the_same_table_as_json_ends_alike() {
    compare(&tables_of_columns(), faults_as_json, &expectations().not_yet_json);
}

#[test]
fn the_order_of_rows_decides_nothing() {
    compare(&tables_of_columns(), faults_backwards, &BTreeMap::new());
}

#[test]
fn a_table_in_two_files_is_decided_as_in_one() {
    compare(&tables_of_columns(), faults_of_two_files, &BTreeMap::new());
}

/// The tables of which each cell is a number or a text as it stands.
fn tables_of_columns() -> BTreeMap<String, Expected> {
    let mut tables = expectations().tables;
    tables.retain(|_, expected| expected.columns);
    assert!(tables.len() > 50, "{}", tables.len());
    tables
}

/// A folder with the table `name`, as `data.csv`.
fn desk(name: &str) -> Desk {
    let desk = Desk::new();
    desk.write("data.csv", fs::read(folder().join(name)).unwrap());
    desk
}

/// The examples and the features of a report.
fn size(report: &Value) -> (u64, u64) {
    (report["examples"].as_u64().unwrap(), report["features"].as_u64().unwrap())
}

/// The first option that a hint names, or the whole command.
fn suggestion(stderr: &str) -> Option<&str> {
    let hint = stderr.lines().find(|line| line.starts_with("hint: "))?;
    hint.split('`').find(|word| word.starts_with("--") || word.starts_with("rosenblatt "))
}

fn advice(stderr: &str) -> &str {
    suggestion(stderr).expect(stderr)
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
    read("na-first.csv", "", (100, 2));
    read("na-first.csv", "--on-error skip", (100, 2));
    read("na-first.csv", "--missing drop", (99, 2));
    read("na-first.csv", "--missing a=mean+indicator", (100, 3));
    read("na-first.csv", "--missing a=category", (100, 3));
    read("question-marks.csv", "", (40, 2));
    read("coded-missing.csv", "--missing-values 999 --missing zero", (40, 2));
    read("coded-missing.csv", "--missing-values 999", (40, 2));
    read("all-missing.csv", "", (40, 1));
}

#[test]
fn missing_categories() {
    read("empty-cells.csv", "", (40, 6));
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
    read("missing-labels.csv", "", (36, 2));
    let done = desk("missing-labels.csv").run("train data.csv");
    let note = format!("note: skipped 4 rows that are no examples; the first: data.csv{label}");
    assert_eq!(done.stderr.lines().next(), Some(&*note));
}

#[test]
fn numbers_and_text() {
    let stray = ":19:5: `abc` is not a number, as 39 of 40 cells of column `b` are";
    refused("stray-text.csv", "", stray, "--on-error skip", (39, 2));
    read("stray-text.csv", "--missing-values abc --missing median", (40, 2));
    read("mixed-column.csv", "", (40, 1));
    read("mixed-column.csv", "--categorical ticket", (40, 34));
    read("grades.csv", "", (40, 5));
}

/// Each form of numbers has its option, also where the command reads it without.
#[test]
fn numbers_of_people() {
    read("thousands.csv", "--thousands comma", (40, 2));
    read("decimal-comma.csv", "--delimiter semicolon --decimal comma", (40, 2));
    read("european.csv", "--delimiter semicolon --decimal comma --thousands point", (40, 2));
    read("percent.csv", "--units share", (40, 2));
    read("dollars.csv", "--thousands comma --units price", (40, 2));
    read("lengths.csv", "--units length", (40, 2));
    read("dates-iso.csv", "--dates ymd", (40, 2));
    read("dates-german.csv", "--dates dmy", (40, 2));
    let same = ": `.` is both the decimal sign and the separator of thousands";
    let point = "--delimiter semicolon --thousands point";
    refused("european.csv", point, same, "--decimal comma", (40, 2));
}

#[test]
fn values_without_end() {
    read("identifiers.csv", "--categorical id", (40, 41));
    read("messages.csv", "--text message --bits 8", (40, 256));
    read("rare-number.csv", "--no-header --text 2 --target 3", (121, 1 << 18));
}

#[test]
fn labels() {
    read("label-first.csv", "--target b", (40, 3));
    read("ratio-last.csv", "--target ratio", (40, 4));
    read("id-last.csv", "--ignore id", (40, 1));
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
    read("no-header-text.csv", "--no-header --target 4", (40, 7));
    read("twice.csv", "--no-header", (40, 4));
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
    let note = "note: left out `Id`: identifiers of rows, or of what they are about\n";
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
    let done = desk.run("train data.csv --delimiter semicolon");
    let note = "note: read 2 columns (size, weight) as numbers with other separators: `0,5`\n";
    assert_eq!((done.code, done.stderr.as_str()), (0, note));
}

/// What is clear of a table with several faults is decided, each with its note, also for predictions.
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
    let notes = "note: the label is `Survived`, by its name and values\n\
                 note: left out 3 columns (id, Name, Ticket): identifiers of rows, or of what they are about\n\
                 note: filled 8 missing cells of `Age` with the median\n\
                 note: 13 missing cells of `Port`: a category of its own\n";
    assert_eq!((done.code, done.stderr.as_str()), (0, notes));
    let report = desk.report("train data.csv -o model");
    assert_eq!(size(&report), (40, 4));
    assert_eq!(desk.succeed("predict model data.csv").lines().count(), 40);
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
    let tabs = Desk::with(&[("data.csv", "sep=\t\r\na\tb\ty\r\n1\t2\tno\r\n3\t1\tyes\r\n")]);
    assert_eq!(size(&tabs.report("train data.csv")), (2, 2));
    read("pandas-index.csv", "--ignore 1", (40, 2));
    read("trailing-comma.csv", "--target bought", (40, 2));
    read("empty-rows.csv", "--on-error stop", (40, 2));
    let table = fs::read_to_string(folder().join("title.csv")).unwrap();
    let lines = table.replacen("Sales", "# Sales", 1).replacen("Spring", "# Spring", 1);
    let commented = Desk::with(&[("data.csv", &lines)]);
    assert_eq!(size(&commented.report("train data.csv")), (40, 2));
    read("utf16.csv", "--encoding utf-16", (40, 2));
    read("latin1.csv", "--encoding latin1", (40, 2));
}

#[test]
fn rows_and_cells_that_do_not_fit() {
    let ragged = ":22:10: found 4 cells, expected 3 as in the first row";
    refused("ragged.csv", "", ragged, "--on-error skip", (39, 2));
    read("infinite.csv", "--on-error skip", (39, 2));
    read("quoted-comma.csv", "--decimal comma", (40, 2));
}

/// Labels that are probably misspelled stand in the report; one label is nothing to learn.
#[test]
fn doubtful_classes() {
    let report = |name: &str| desk(name).succeed("train data.csv");
    let text = report("label-case.csv");
    assert!(text.contains("`NO`, `No`, `no` differ only in case"), "{text}");
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
