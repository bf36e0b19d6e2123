//! No name, label or cell makes a message as long as its file: hostile files of each format through each command.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;

/// The longest standard error, in characters, with all of its lines.
const MOST: usize = 2_000;

/// Long texts: plain, of two bytes a character, and with what a line of a message or a hint might trip over.
fn texts() -> [String; 3] {
    let long = 1 << 16;
    ["x".repeat(long), "é".repeat(long / 2), "it's `a` , ".repeat(long / 11)]
}

/// A table of rows of cells in a format.
fn table(format: &str, rows: &[[&str; 4]]) -> String {
    let separator = if format == "tsv" { "\t" } else { "," };
    let line = |cells: &[&str; 4]| match format {
        "jsonl" => {
            let members = rows[0].iter().zip(cells).map(|(name, cell)| {
                let text = |text: &str| serde_json::to_string(text).unwrap();
                let number = cell.parse::<f64>().is_ok();
                format!("{}:{}", text(name), if number { (*cell).to_owned() } else { text(cell) })
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        _ => {
            let quoted = cells.map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
            quoted.join(separator)
        }
    };
    let first = usize::from(format == "jsonl");
    rows[first..].iter().map(|row| line(row) + "\n").collect()
}

/// Tables with a long text at each kind of place: names of columns, classes, numbers, categories.
fn tables(text: &str) -> Vec<Vec<[&str; 4]>> {
    let plain = ["a", "b", "c", "y"];
    let rows = |names: [&'static str; 4]| {
        vec![names, ["1", "2", "u", "no"], ["2", "1", "v", "yes"], ["3", "1", "u", "yes"]]
    };
    let at = |row: usize, column: usize| {
        let mut all: Vec<[&str; 4]> = rows(plain);
        all[row][column] = text;
        all
    };
    let mut all: Vec<_> = (0..4)
        .flat_map(|row| (0..4).map(move |column| (row, column)))
        .map(|(row, column)| at(row, column))
        .collect();
    let with = |changes: &[(usize, usize, &'static str)]| {
        let mut table = at(0, 0);
        changes.iter().for_each(|&(row, column, cell)| table[row][column] = cell);
        table
    };
    // A missing cell, text among numbers and a number that is none in the column of the long name.
    all.extend([with(&[(2, 0, "")]), with(&[(2, 0, "two")]), with(&[(2, 0, "1e999")])]);
    all.push(with(&[(1, 0, "1,5"), (2, 0, "2,5"), (3, 0, "3,5")]));
    let mut twice = at(0, 0);
    twice[0][1] = text;
    all.push(twice);
    let mut one_class = at(1, 3);
    (one_class[2][3], one_class[3][3]) = (text, text);
    all.push(one_class);
    all
}

/// Runs each command with a file; its messages must be short.
fn all_commands(desk: &Desk, file: &str, is_table: bool) {
    let of_tables = [
        "--missing median",
        "--on-error skip",
        "--text a",
        "--ignore a --categorical b",
        "--target nosuch",
        "--interactions a,c",
    ];
    let options = if is_table { &of_tables[..] } else { &["--on-error skip"] };
    let mut lines = vec![
        format!("train {file} -o model"),
        format!("separable {file}"),
        format!("separable {file} --least-errors"),
        format!("study {file} --runs 2"),
        format!("pack {file} -o packed"),
        "train packed".to_owned(),
        "predict model plain.csv".to_owned(),
        format!("evaluate plain {file}"),
        format!("predict plain {file}"),
        "export model --as json -o exported".to_owned(),
        "show model".to_owned(),
        format!("train {file} --positive nosuch"),
        format!("train {file} --class-weight nosuch=2"),
    ];
    lines.extend(options.iter().map(|options| format!("train {file} {options} -o model")));
    for line in &lines {
        let done = desk.run(line);
        assert!([0, 1, 2].contains(&done.code), "{line}: {}", done.code);
        let beginning: String = done.stderr.chars().take(3_000).collect();
        assert!(
            done.stderr.chars().count() <= MOST,
            "{line}: {} bytes: {beginning}",
            done.stderr.len()
        );
    }
}

fn desk() -> Desk {
    let desk = Desk::with(&[("plain.csv", "a,b,c,y\n1,2,u,no\n2,1,v,yes\n3,1,u,yes\n")]);
    desk.succeed("train plain.csv -o plain");
    desk
}

/// Each place in one of the formats with one of the texts; all three meet each kind of place.
fn tables_are_short(format: &str, first: usize) {
    let texts = texts();
    for (place, _) in tables("").into_iter().enumerate() {
        let rows = &tables(&texts[(first + place) % texts.len()])[place];
        let desk = desk();
        let file = format!("long.{format}");
        desk.write(&file, table(format, rows));
        all_commands(&desk, &file, true);
    }
}

#[test]
fn messages_on_csv_are_short() {
    tables_are_short("csv", 0);
}

#[test]
fn messages_on_tsv_are_short() {
    tables_are_short("tsv", 1);
}

#[test]
fn messages_on_json_are_short() {
    tables_are_short("jsonl", 2);
}

#[test]
fn messages_on_libsvm_are_short() {
    let long = "7".repeat(1 << 16);
    let lines = [
        format!("{long} 1:1\n"),
        format!("+1 {long}:1\n"),
        format!("+1 1:{long}\n"),
        format!("+1 1:1 {long}\n"),
        format!("+1 1:0.{long}x\n"),
        format!("x{long} 1:1\n"),
        format!("+1 # {long}\n"),
    ];
    for line in lines {
        let desk = desk();
        desk.write("long.svm", format!("-1 1:2\n+1 2:1\n{line}"));
        all_commands(&desk, "long.svm", false);
    }
}

/// Values of options are quoted, too.
#[test]
fn messages_on_arguments_are_short() {
    let desk = desk();
    let long = "z".repeat(100_000);
    let options = [
        "target",
        "ignore",
        "categorical",
        "text",
        "interactions",
        "epochs",
        "eta",
        "keep",
        "update",
        "missing",
        "units",
        "class-weight",
        "positive",
        "delimiter",
        "max-features",
        "holdout",
        "chars",
        "kernel",
        "order",
    ];
    let options = options.iter().map(|option| format!("train plain.csv --{option} {long}"));
    let others = [
        format!("train plain.csv --{long}"),
        format!("train {long}"),
        format!("{long} plain.csv"),
        format!("predict plain plain.csv --id {long}"),
        format!("plot plain.csv plain --x {long} -o plot.svg"),
    ];
    for line in options.chain(others) {
        let done = desk.run(&line);
        let beginning: String = done.stderr.chars().take(300).collect();
        assert_eq!(done.code, 2, "{beginning}");
        assert!(done.stderr.len() <= MOST, "{} bytes: {beginning}", done.stderr.len());
    }
}
