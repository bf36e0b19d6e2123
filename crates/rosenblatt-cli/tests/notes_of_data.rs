//! Every note of the list: the text, `--json`, `--quiet` and the reference tell it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::fs;

use common::{Desk, idx, own_data, root};
use rosenblatt_data::{NoteCode, Severity};
use serde_json::{Value, json};

/// A command that meets a note.
#[derive(Default)]
struct Case {
    files: Vec<(&'static str, Vec<u8>)>,
    before: &'static [&'static str],
    line: &'static str,
    input: Vec<u8>,
}

impl Case {
    fn new<B: Into<Vec<u8>>>(name: &'static str, bytes: B, line: &'static str) -> Self {
        Case { files: vec![(name, bytes.into())], line, ..Case::default() }
    }

    fn file<B: Into<Vec<u8>>>(mut self, name: &'static str, bytes: B) -> Self {
        self.files.push((name, bytes.into()));
        self
    }

    fn after(self, before: &'static [&'static str]) -> Self {
        Case { before, ..self }
    }
}

/// A table of `n` rows below its head.
fn table(head: &str, n: usize, row: impl Fn(usize) -> String) -> String {
    format!("{head}\n") + &(0..n).map(row).map(|row| row + "\n").collect::<String>()
}

/// Numbers in no order and without equal ones.
fn scattered(i: usize) -> usize {
    842_302 + (i * 7_919) % 50_021
}

/// Two classes, the first half of the rows in one and the rest in the other.
fn sorted(n: usize) -> String {
    let head = if n > 1000 { "x,y,z,w,v,label" } else { "x,label" };
    table(head, n, |i| {
        let label = if 2 * i < n { "a" } else { "b" };
        let more = if n > 1000 { ",0.123456,0.234567,0.345678,0.456789" } else { "" };
        format!("{}{more},{label}", (7 * i) % 11)
    })
}

/// Rows of a rare class, of which a part lies among the common one.
fn rare() -> String {
    table("x,y", 200, |i| match i % 20 {
        0 => format!("{},b", 5 + i % 3),
        at => format!("{},a", at / 2),
    })
}

const LARGE: usize = 250_000;

/// The command that meets a note.
fn case(code: NoteCode) -> Case {
    of_file(code).or_else(|| for_model(code)).or_else(|| of_run(code)).expect("a case")
}

/// Rows with a missing age now and then.
fn cities() -> String {
    table("age,city,bought", 40, |i| {
        let age = if i % 7 == 3 { String::new() } else { (20 + 2 * i).to_string() };
        format!("{age},{},{}", ["Rome", "Oslo"][i % 2], ["no", "yes"][i % 2])
    })
}

fn ages(line: &'static str) -> Case {
    Case::new("data.csv", cities(), line)
}

/// Notes on files, and on what is done with their rows.
fn of_file(code: NoteCode) -> Option<Case> {
    let and = own_data("and.csv");
    let copies = table("Id,x,code,kind", 30, |i| {
        format!("{},{},{},{}", i + 1, (7 * i) % 11, 3 - i / 15, ["a", "b"][i / 15])
    });
    Some(match code {
        NoteCode::Format => Case::new("data", "1 1:2 2:1\n-1 1:1 2:3\n", "train data"),
        NoteCode::LabelsBeside => {
            let rows = idx(8, &[2, 2], &[1, 2, 3, 4]);
            Case::new("train-images-idx3-ubyte", rows, "train train-images-idx3-ubyte")
                .file("train-labels-idx1-ubyte", idx(8, &[2], &[0, 1]))
        }
        NoteCode::NoChecksum => {
            let old = root().join("crates/rosenblatt-data/tests/old_files/linear.model");
            Case::new("old", fs::read(old).unwrap(), "evaluate old xor.csv")
                .file("xor.csv", own_data("xor.csv"))
        }
        NoteCode::CommentLines => Case::new("d.csv", format!("# by hand\n{and}"), "train d.csv"),
        NoteCode::TextHeader => {
            let row = |i: usize| format!("{},{}", ["red", "blue"][i / 2 % 2], ["a", "b"][i % 2]);
            Case::new("d.csv", table("color,kind", 8, row), "train d.csv")
        }
        NoteCode::RowNumbers => {
            let row = |i: usize| format!("{},{},{}", 1990 + i, (7 * i) % 11, ["a", "b"][i % 2]);
            Case::new("d.csv", table("year,x,kind", 30, row), "train d.csv")
        }
        NoteCode::Identifier => {
            let row = |i: usize| format!("{},{i}.5,{}.25,{i}.75,{}", scattered(i), i % 7, i % 2);
            Case::new("d.csv", table("code,x,y,z,kind", 60, row), "train d.csv")
        }
        NoteCode::NumbersInQuotes => {
            let row = |i: usize| format!("{{\"x\":\"{}\",\"y\":\"{}\"}}", i % 7, ["a", "b"][i % 2]);
            let lines: Vec<String> = (0..40).map(row).collect();
            Case::new("d.jsonl", lines.join("\n"), "train d.jsonl")
        }
        NoteCode::FilledCells => ages("train data.csv"),
        NoteCode::DroppedRows => ages("train data.csv --missing drop"),
        NoteCode::SkippedRows => {
            Case::new("d.csv", and + "wrong,0,1\n", "train d.csv --on-error skip")
        }
        NoteCode::ColumnsBesideText => {
            let row = |i: usize| format!("{},{} now,{}", i % 9, ["see", "buy"][i % 2], i % 2);
            Case::new("d.csv", table("n,text,kind", 40, row), "train d.csv --text text")
        }
        NoteCode::TellingColumn => {
            let row = |i: usize| format!("{},{},{}", i * 7 % 11, i * i % 97, i * i % 97 / 50);
            Case::new("d.csv", table("n,score,kind", 97, row), "train d.csv")
        }
        NoteCode::LabelCopies => Case::new("d.csv", copies, "train d.csv"),
        _ => return of_values(code).or_else(|| of_table(code)),
    })
}

/// Notes on values that may not be meant.
fn of_values(code: NoteCode) -> Option<Case> {
    Some(match code {
        NoteCode::MissingCodes => {
            let age = |i: usize| if i % 20 == 3 { 999 } else { 20 + 7 * i % 31 };
            let row = |i: usize| format!("{},{},{}", age(i), i % 3, i % 2);
            Case::new("d.csv", table("age,x,kind", 60, row), "train d.csv")
        }
        NoteCode::FarNumber => {
            let height = |i: usize| if i == 33 { 25_000 } else { 150 + 7 * i % 41 };
            let row = |i: usize| format!("{},{},{}", height(i), i % 3, i % 2);
            Case::new("d.csv", table("height,x,kind", 60, row), "train d.csv")
        }
        NoteCode::LeadingZeros => {
            let row = |i: usize| format!("{:03},{},{}", 7 * i % 13, i % 3, i % 2);
            Case::new("d.csv", table("code,x,kind", 60, row), "train d.csv")
        }
        NoteCode::ManyCategories => {
            let row = |i: usize| format!("t{},{},{}", i % 25, i % 3, i % 2);
            Case::new("d.csv", table("town,x,kind", 60, row), "train d.csv")
        }
        NoteCode::CategoriesByCase => {
            let row = |i: usize| format!("{},{},{}", ["Red", "red", "blue"][i % 3], i % 7, i % 2);
            Case::new("d.csv", table("color,x,kind", 60, row), "train d.csv")
        }
        _ => return None,
    })
}

/// Notes on what is decided about columns.
fn of_decision(code: NoteCode) -> Option<Case> {
    let row = |i: usize| {
        let unit = ["", " km", " km"][i % 3];
        format!(
            "{i},{},{}{unit},the {i}th of some words,{}",
            ["yes", "no"][i % 2],
            i % 7,
            [3, 4][i / 9 % 2]
        )
    };
    let mixed = |i: usize| format!("{},{}", ["2", "3", "4", "5more"][i % 4], i % 2);
    let all = || Case::new("d.csv", table("id,churn,way,review,stars", 40, row), "train d.csv");
    let declared =
        "x,y,kind\ncontinuous,discrete,no yes\n,,class\n1,1,no\n2,1,yes\n1,2,no\n3,1,yes\n";
    match code {
        NoteCode::Label | NoteCode::LeftOutColumns | NoteCode::NumberForms | NoteCode::Words => {
            Some(all())
        }
        NoteCode::Categories => {
            Some(Case::new("d.csv", table("rooms,kind", 40, mixed), "train d.csv"))
        }
        NoteCode::DeclaredColumns => Some(Case::new("d.csv", declared, "train d.csv")),
        _ => None,
    }
}

/// Notes on the form of a table.
fn of_table(code: NoteCode) -> Option<Case> {
    let decided = of_decision(code);
    if decided.is_some() {
        return decided;
    }
    let table = |text: &str| Case::new("d.csv", text, "train d.csv");
    let rows = "1.5,2,no\n2.5,1,yes\n1,2,no\n3,1,yes\n";
    Some(match code {
        NoteCode::Encoding => {
            let text = format!("\u{feff}x,z,y\n{rows}");
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            Case::new("d.csv", bytes, "train d.csv")
        }
        NoteCode::Separator => table(&format!("x,z,y\n{rows}").replace(',', ";")),
        NoteCode::Quoting => {
            table(&format!("x,z,y\n{rows}").replace("no", "'no'").replace("yes", "'yes'"))
        }
        NoteCode::TitleLines => table(&format!("Trial of May\n\nx,z,y\n{rows}")),
        NoteCode::FirstRow => table(rows),
        NoteCode::NamelessColumns => table(&format!("x,,y\n{rows}")),
        NoteCode::DoubledColumns => table(&format!("x,x,y\n{rows}")),
        NoteCode::LongerRows => table(&format!("z,y\n{rows}")),
        NoteCode::SeparatorAtEnds => table(&format!("x,z,y\n{rows}").replace('\n', ",\n")),
        _ => return None,
    })
}

/// Notes on data for a model.
fn for_model(code: NoteCode) -> Option<Case> {
    let model = &["train data.csv --missing median -q -o model"][..];
    Some(match code {
        NoteCode::UsedColumns => {
            let row = |i: usize| {
                format!("{}\t{}\t{} {i}\t7", i % 9, ["ham", "spam"][i % 2], ["see", "buy"][i % 2])
            };
            Case::new("d.tsv", table("9\tham\tsee\t7", 40, row), "evaluate model new.tsv")
                .file("new.tsv", "spam\tbuy this\nham\tsee you\n")
                .after(&["train d.tsv --no-header --target 2 --text 3 -q -o model"])
        }
        NoteCode::UnknownColumns => ages("evaluate model more.csv")
            .file("more.csv", "age,more,city,bought\n20,1,Rome,no\n31,2,Oslo,yes\n")
            .after(model),
        NoteCode::BeyondFeatures => {
            Case::new("d.svm", "1 1:2 2:1\n-1 1:1 2:3\n", "evaluate m e.svm")
                .file("e.svm", "1 1:2 7:1\n-1 1:1\n")
                .after(&["train d.svm -q -o m"])
        }
        NoteCode::UnknownCategories => ages("evaluate model new.csv")
            .file("new.csv", "age,city,bought\n20,Paris,no\n31,Lima,yes\n")
            .after(model),
        NoteCode::NoPrediction => ages("predict model new.csv --on-error blank")
            .file("new.csv", "age,city\n20,Rome\nyoung,Oslo\n")
            .after(model),
        NoteCode::ProbabilityOf => Case::new("d.csv", rare(), "predict model d.csv --proba")
            .file("e.csv", rare().replace(",b", ",A").replace(",a", ",z"))
            .after(&["train e.csv --folds 5 --calibrate platt -q -o model"]),
        NoteCode::UnseenLabels => ages("evaluate model new.csv")
            .file("new.csv", "age,city,bought\n20,Rome,no\n31,Oslo,perhaps\n")
            .after(model),
        _ => return None,
    })
}

/// Notes on a run.
fn of_run(code: NoteCode) -> Option<Case> {
    let [and, iris] = ["and.csv", "iris.csv"].map(own_data);
    Some(match code {
        NoteCode::PackedRows => {
            Case::new("d.csv", iris, "train d.csv --scale none -o m --memory 4000")
        }
        NoteCode::Memory => Case::new("d.csv", iris, "train d.csv --scale maxabs --memory 4000"),
        NoteCode::LateClass => {
            let row = |i: usize| {
                let label = if i == LARGE - 2 { "c" } else { ["a", "b"][i % 2] };
                format!("{},0.123456,0.234567,0.345678,0.456789,{label}", (7 * i) % 11)
            };
            Case::new("d.csv", table("x,y,z,w,v,label", LARGE, row), "train d.csv --epochs 1")
        }
        NoteCode::NamedOptions => Case::new("d.csv", and, "train d.csv --notes lauer"),
        NoteCode::ClassesByCase => {
            let row = |i: usize| format!("{i}.5,{}", ["no", "No", "yes"][i % 3]);
            Case::new("d.csv", table("x,kind", 30, row), "train d.csv")
        }
        NoteCode::SingleExamples => {
            let row =
                |i: usize| format!("{i}.5,{}", ["a", "b", "c"][if i == 7 { 2 } else { i % 2 }]);
            Case::new("d.csv", table("x,kind", 30, row), "train d.csv")
        }
        NoteCode::NoBetter => {
            let row = |i: usize| format!("1,{}", ["a", "b"][usize::from(i % 4 == 3)]);
            Case::new("d.csv", table("x,kind", 20, row), "train d.csv")
        }
        NoteCode::NeverPredicted => Case::new("d.csv", rare(), "train d.csv --folds 5"),
        NoteCode::FewExamples => {
            let row = |i: usize| {
                format!("{}.5,{}", scattered(i), ["a", "b", "c"][if i == 7 { 2 } else { i % 2 }])
            };
            Case::new("d.csv", table("x,kind", 60, row), "train d.csv --folds 5")
        }
        NoteCode::OtherSeparator => Case::new("d.csv", and, "train d.csv --notes lauer"),
        NoteCode::Shuffled => Case::new("d.csv", sorted(60), "train d.csv --epochs 1"),
        NoteCode::SortedExamples => Case {
            input: sorted(LARGE).into_bytes(),
            line: "train - --format csv --epochs 1",
            ..Case::default()
        },
        NoteCode::FeatureSizes => {
            let rows = "a,b,y\n1e3,1e-3,1\n-1e3,1e-3,1\n1e3,1e-3,-1\n0,1e-3,-1\n";
            Case::new("d.csv", rows, "train d.csv --scale none --epochs 3")
        }
        _ => return None,
    })
}

/// A folder with the files of a case, after its commands.
fn desk(case: &Case) -> Desk {
    let desk = Desk::new();
    case.files.iter().for_each(|(name, bytes)| desk.write(name, bytes));
    case.before.iter().for_each(|line| drop(desk.succeed(line)));
    desk
}

/// What a case prints with another option, on both streams.
fn said(case: &Case, option: &str) -> String {
    let done = desk(case).run_with_input(&format!("{} {option}", case.line), &case.input);
    assert_eq!(done.code, 0, "{} {option}: {}", case.line, done.stderr);
    done.stdout + &done.stderr
}

/// The name of a code in JSON.
fn name(code: NoteCode) -> String {
    json!(code).as_str().unwrap().to_owned()
}

#[test]
fn every_note_is_told_everywhere() {
    for &code in NoteCode::ALL {
        let (case, name) = (case(code), name(code));
        let text = said(&case, "");
        // `predict` prints rows, not one object; how rows are stored is no part of an object.
        let is_printed_only = case.line.starts_with("predict") || code == NoteCode::PackedRows;
        let message = if is_printed_only {
            let note = text.lines().filter_map(|line| line.strip_prefix("note: ")).next_back();
            note.expect(&name).to_owned()
        } else {
            let printed = said(&case, "--json");
            let object = printed.lines().find(|line| line.starts_with('{')).unwrap();
            let object: Value = serde_json::from_str(object).unwrap();
            let notes = object["notes"].as_array().expect(&name).iter();
            let of_code: Vec<_> = notes.filter(|note| note["code"] == json!(code)).collect();
            let [note] = of_code.as_slice() else { panic!("{name}: {object}") };
            assert_eq!(note["severity"], json!(code.severity()), "{name}");
            note["message"].as_str().unwrap().to_owned()
        };
        // The report shows this one beside the most frequent class.
        let shown = message.split(" than always predicting").next().unwrap();
        assert!(text.contains(shown), "{name}: {shown}: {text}");
        let told = said(&case, "--quiet").contains(&message);
        assert_eq!(told, code.severity() == Severity::Warning, "{name}");
    }
}

#[test]
fn notes_of_data_have_their_subject() {
    let note = |code: NoteCode| {
        let printed = said(&case(code), "--json");
        let object = printed.lines().find(|line| line.starts_with('{')).unwrap();
        let object: Value = serde_json::from_str(object).unwrap();
        let notes = object["notes"].as_array().unwrap().clone();
        notes.into_iter().find(|note| note["code"] == json!(code)).unwrap()
    };
    assert_eq!(
        note(NoteCode::RowNumbers),
        json!({
            "code": "row_numbers", "severity": "warning", "columns": ["year"], "remedy": "--ignore year",
            "message": "`year` numbers the rows; `--ignore year` leaves it out of the features",
        })
    );
    let never = note(NoteCode::NeverPredicted);
    assert_eq!(
        (&never["classes"], &never["remedy"]),
        (&json!(["b"]), &json!("--class-weight balanced"))
    );
    let filled = note(NoteCode::FilledCells);
    assert_eq!((&filled["columns"], &filled["count"]), (&json!(["age"]), &json!(6)));
    assert_eq!(note(NoteCode::SkippedRows)["count"], json!(1));
    assert_eq!(note(NoteCode::TextHeader)["remedy"], json!("--no-header"));
    assert_eq!(note(NoteCode::ClassesByCase)["classes"], json!(["No", "no"]));
}

/// The table of the reference is the list.
#[test]
fn the_reference_has_every_note() {
    let page = fs::read_to_string(root().join("docs/reference/json.md")).unwrap();
    let (_, section) = page.split_once("\n## Notes\n").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split('|').map(str::trim).collect()).collect();
    let listed: Vec<[String; 2]> =
        rows.iter().map(|row| [row[1].trim_matches('`').to_owned(), row[2].to_owned()]).collect();
    let severity = |code: NoteCode| json!(code.severity()).as_str().unwrap().to_owned();
    let all: Vec<[String; 2]> =
        NoteCode::ALL.iter().map(|&code| [name(code), severity(code)]).collect();
    assert_eq!(listed, all);
}
