//! Hints that are followed to the letter: the command that a hint gives reads the table, or does what the hint says.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::Desk;
use serde_json::{Value, json};

/// The message and the hint of a command that fails.
fn refused(desk: &Desk, line: &str) -> (String, String) {
    let done = desk.run(line);
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{line}: {}", done.stderr);
    let mut lines = done.stderr.lines().filter(|line| !line.starts_with("note: "));
    let error = lines.next().and_then(|line| line.strip_prefix("error: ")).unwrap();
    let hint = lines.next().and_then(|line| line.strip_prefix("hint: ")).unwrap_or_default();
    (error.to_owned(), hint.to_owned())
}

/// The whole command that a hint gives, without the name of the program.
fn command(hint: &str) -> &str {
    hint.split('`').find_map(|word| word.strip_prefix("rosenblatt ")).expect(hint)
}

/// Follows the hint of a table, which gives the whole command, and returns the examples and features of the report.
fn followed(desk: &Desk, line: &str, expected: &str) -> (u64, u64) {
    let (_, hint) = refused(desk, line);
    assert_eq!(command(&hint), expected, "{hint}");
    let report = desk.report(expected);
    (report["examples"].as_u64().unwrap(), report["features"].as_u64().unwrap())
}

fn rows(n: usize, row: impl Fn(usize) -> String) -> String {
    (0..n).map(|i| row(i) + "\n").collect()
}

/// The hint keeps the options that were typed: it adds to lists and repeats no option.
#[test]
fn a_hint_is_the_whole_command() {
    let day = |i: usize| format!("{:02}/{:02}/2024", i % 12 + 1, 5 * i % 12 + 1);
    let odd = |i: usize, at: usize, word: &str| match i == at {
        true => word.to_owned(),
        false => (13 * i % 37).to_string(),
    };
    let row = |i: usize| format!("{},{},{},{}", odd(i, 7, "oops"), odd(i, 9, "bad"), day(i), i % 2);
    let table = "age,size,day,kind\n".to_owned() + &rows(40, row);
    let desk = Desk::with(&[("data.csv", &table)]);
    let typed = "train data.csv --epochs=5 --ignore=age --missing size=zero --positive 1 -q";
    let expected = format!("{typed} --on-error skip --dates dmy");
    assert_eq!(followed(&desk, typed, &expected), (39, 2));
    let all = "train data.csv --dates dmy --on-error skip:5%";
    assert_eq!(followed(&desk, "train data.csv", all), (38, 3));
    assert!(refused(&desk, "train data.csv").1.ends_with("reads this table without 2 rows"));
    // One problem is left: an option that goes with those that were typed.
    let (_, hint) = refused(&desk, "train data.csv --dates dmy --ignore age");
    assert!(hint.starts_with("`--on-error skip` leaves out such rows"), "{hint}");
    desk.succeed("train data.csv --dates dmy --ignore age --on-error skip");
}

/// A list that is the name of one column stays apart from other names.
#[test]
fn names_with_commas_stay_apart() {
    let mixed = |i: usize, word: &str| match i % 3 {
        0 => format!("{word}{i}"),
        _ => (i % 11).to_string(),
    };
    let row = |i: usize| {
        let [a, c, d] = [mixed(i, "t"), mixed(i + 1, "u"), mixed(i + 2, "v")];
        format!("{a},{c},{d},{},{},{},{},{}", i % 7, i % 5, i % 3, i % 4, i % 2)
    };
    let table = "\"a,b\",c,\"d,e\",p,q,r,s,kind\n".to_owned() + &rows(90, row);
    let desk = Desk::with(&[("data.csv", &table)]);
    let (_, hint) = refused(&desk, "train data.csv --ignore a,b");
    let expected = "train data.csv --ignore a,b --ignore c --ignore d,e";
    assert_eq!(command(&hint), expected);
    assert_eq!(desk.report(expected)["features"], 4);
}

/// Tables as spreadsheet programs of other countries and databases write them are read at once.
#[test]
fn tables_of_other_programs() {
    let read = |desk: &Desk, line: &str| {
        let report = desk.report(line);
        (report["examples"].as_u64().unwrap(), report["features"].as_u64().unwrap())
    };
    let row =
        |i: usize| format!("{};{}.{:03},5{};{}%;{}", i + 1, 1 + i, 7 * i, i % 10, i % 97, i % 2);
    let table = "\u{feff}Nr;Umsatz;Anteil;gekauft\n".to_owned() + &rows(40, row);
    let desk = Desk::with(&[("german.csv", &table)]);
    assert_eq!(read(&desk, "train german.csv"), (40, 2));

    let row =
        |i: usize| format!("{}\u{a0}{:03},5;{}", 10 + i % 9, 37 * i % 1000, ["non", "oui"][i % 2]);
    let table = "d\u{e9}pense;achat\n".to_owned() + &rows(40, row);
    desk.write("french.csv", table.chars().map(|c| c as u8).collect::<Vec<u8>>());
    assert_eq!(read(&desk, "train french.csv"), (40, 1));
    assert_eq!(read(&desk, "train french.csv --encoding latin1"), (40, 1));

    let row = |i: usize| format!("{},5;{},5;{}", i % 9, i % 7, ["a", "b"][i % 2]);
    desk.write("no-header.csv", rows(40, row));
    assert_eq!(read(&desk, "train no-header.csv"), (40, 2));

    let age = |i: usize| if i % 5 == 3 { "unknown".to_owned() } else { i.to_string() };
    let row = |i: usize| format!("{},{},{}", age(i), if i % 8 == 1 { "\\N" } else { "7" }, i % 2);
    desk.write("spelled.csv", "age,rooms,y\n".to_owned() + &rows(40, row));
    assert_eq!(read(&desk, "train spelled.csv"), (40, 2));
    // Cells of nearly as many texts as rows may be words.
    desk.write(
        "mixed.csv",
        "a,y\n".to_owned()
            + &rows(40, |i| {
                format!("{},{}", if i < 9 { format!("t{i}") } else { i.to_string() }, i % 2)
            }),
    );
    assert!(refused(&desk, "train mixed.csv").1.starts_with("`--text a` learns from its words"));
}

/// Cells between bars or blanks, whose separator no ending of the name tells.
#[test]
fn bars_and_blanks() {
    let row = |i: usize| format!("{}|{}|{}", i % 5, i % 3, ["a", "b"][i % 2]);
    let desk = Desk::with(&[("bars.txt", &("x|y|kind\n".to_owned() + &rows(40, row)))]);
    assert_eq!(desk.report("train bars.txt")["features"], 2);
    let row = |i: usize| format!("{:5} {:6} {}", i % 5, i % 3, ["a", "b"][i % 2]);
    desk.write("blanks.txt", "  len  width kind\n".to_owned() + &rows(40, row));
    assert_eq!(desk.report("train blanks.txt")["features"], 2);
    // Without a number, it may be prose.
    let row = |i: usize| format!("{} {}", ["red", "blue"][i / 2 % 2], ["a", "b"][i % 2]);
    desk.write("words.txt", "color kind\n".to_owned() + &rows(40, row));
    let (error, hint) = refused(&desk, "train words.txt");
    let expected = "words.txt: cannot tell the format from the name or the first line `color kind`";
    assert_eq!(error, expected);
    assert!(hint.starts_with("`--delimiter space` reads a table"), "{hint}");
    assert_eq!(desk.report("train words.txt --delimiter space")["features"], 2);
}

/// Rows that cannot be read are left out by the option with their share.
#[test]
fn few_rows_that_cannot_be_read() {
    let row =
        |i: usize| if i % 20 == 7 { "1,2".to_owned() } else { format!("{i},{},{}", i % 3, i % 2) };
    let desk = Desk::with(&[("data.csv", &("a,b,kind\n".to_owned() + &rows(60, row)))]);
    let expected = "train data.csv --on-error skip:5%";
    assert_eq!(followed(&desk, "train data.csv", expected), (57, 2));
    assert_eq!(followed(&desk, "train data.csv --on-error skip", expected), (57, 2));
    // A separator at the end of a row is no cell, unless that may be the cell of another row.
    let more = |i: usize| if i % 20 == 7 { "," } else { "" };
    let row = |i: usize| format!("{i},{},{}{}", i % 3, i % 2, more(i));
    desk.write("some.csv", "a,b,kind\n".to_owned() + &rows(60, row));
    assert_eq!(desk.report("train some.csv")["examples"], 60);
    let row = |i: usize| format!("{},{i},{}{}", i % 2, if i == 3 { "" } else { "7" }, more(i));
    desk.write("other.csv", "kind,a,b\n".to_owned() + &rows(60, row));
    let (error, hint) = refused(&desk, "train other.csv --target kind --missing median");
    assert_eq!(
        error,
        "other.csv:9:7: found 4 cells, the last one empty, expected 3 as in the first row"
    );
    let expected = "train other.csv --target kind --missing median --on-error skip:5%";
    assert_eq!(command(&hint), expected);
}

/// Years, and the positions that data frames write, are names of columns; other numbers are more likely an example.
#[test]
fn numbers_in_the_first_row() {
    let row = |i: usize| format!("{}.5,{}.25,{}.5,{}", i, 2 * i, i % 9, ["a", "b"][i % 2]);
    for header in ["2019,2020,2021,grew", "0,1,2,3"] {
        let desk = Desk::with(&[("data.csv", &format!("{header}\n{}", rows(40, row)))]);
        let done = desk.run("train data.csv");
        assert!(done.stderr.contains("the first row names the columns"), "{}", done.stderr);
        assert_eq!(desk.report("train data.csv")["examples"], 40);
    }
    let named = "id,7,9,grew\n".to_owned() + &rows(40, row);
    let desk = Desk::with(&[("data.csv", &named)]);
    let (_, hint) = refused(&desk, "train data.csv");
    assert!(hint.starts_with("`--header` reads the first line as the names"), "{hint}");
    assert_eq!(desk.report("train data.csv --header")["examples"], 40);
    let desk = Desk::with(&[("data.csv", &rows(40, row))]);
    assert_eq!(desk.report("train data.csv")["examples"], 40);
    // Whole numbers that do not come again, above a text, may be either.
    desk.write("data.csv", "7,kind\n".to_owned() + &rows(40, |i| format!("{},t{i}", 10 + i)));
    let (_, hint) = refused(&desk, "train data.csv");
    assert!(hint.starts_with("use `--no-header` if the first line is an example"), "{hint}");
}

/// The command of the hint rewrites the file.
#[cfg(unix)]
#[test]
fn text_of_vowpal_wabbit() {
    let row = |i: usize| format!("{} |f {}:0.5 {}:1.5", [-1, 1][i % 2], 1 + i % 2, 5 + i % 3);
    let desk = Desk::with(&[("data.vw", &rows(40, row))]);
    let rewritten = |name: &str| {
        let (error, hint) = refused(&desk, &format!("train {name}"));
        let expected = "the first line is in the format of Vowpal Wabbit, which is not read";
        assert_eq!(error, format!("{name}: {expected}"));
        let script = hint.split('`').nth(1).expect(&hint);
        let folder = desk.path("");
        let status =
            std::process::Command::new("sh").args(["-c", script]).current_dir(folder).status();
        assert!(status.unwrap().success(), "{script}");
        hint
    };
    rewritten("data.vw");
    let report = desk.report("train data.libsvm");
    assert_eq!((&report["examples"], &report["features"]), (&json!(40), &json!(7)));
    assert_eq!(report["training_errors"], 0);

    let row = |i: usize| format!("{} |text {}, and more {i}", i % 2, ["buy now", "see you"][i % 2]);
    desk.write("words.dat", rows(40, row));
    let hint = rewritten("words.dat");
    assert!(hint.ends_with("which `--no-header --target 1 --text 2` reads"), "{hint}");
    let report = desk.report("train data.csv --no-header --target 1 --text 2");
    assert_eq!((&report["examples"], &report["training_errors"]), (&json!(40), &json!(0)));

    desk.write("other.dat", "1 2.0 |a x:1 |b y:2\n");
    let (_, hint) = refused(&desk, "train other.dat");
    assert!(hint.starts_with("write each row as `label index:value …`"), "{hint}");
}

/// A model with categories, missing values, and a column that it does not use.
fn with_model() -> Desk {
    let row = |i: usize| {
        let age = if i % 7 == 3 { String::new() } else { (20 + i).to_string() };
        format!("{i},{age},{},{}", ["Rome", "Oslo"][i % 2], ["no", "yes"][i % 2])
    };
    let desk = Desk::with(&[("data.csv", &("id,age,city,bought\n".to_owned() + &rows(40, row)))]);
    desk.succeed("train data.csv --missing median --ignore id -o model -q");
    desk
}

/// Which columns have cells that the model does not know, or that are filled.
#[test]
fn unknown_and_filled_cells_are_named() {
    let desk = with_model();
    desk.write("new.csv", "age,city,bought\n,Rome,no\n31,Paris,yes\n,Lima,yes\n33,Oslo,yes\n");
    let done = desk.run("predict model new.csv --output-format json");
    let notes = "note: filled 2 missing cells of `age` with the median\n\
                 note: 2 cells of `city` with a category that is not in the training data: it gives no feature\n";
    assert_eq!((done.code, done.stderr.as_str()), (0, notes));
    let lines: Vec<Value> =
        done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named = |name: &str| lines.iter().map(|line| line[name].clone()).collect::<Vec<_>>();
    assert_eq!(named("filled"), [json!(["age"]), Value::Null, json!(["age"]), Value::Null]);
    let unknown = [Value::Null, json!(["city"]), json!(["city"]), Value::Null];
    assert_eq!(named("unknown_categories"), unknown);
    let judged: Value =
        serde_json::from_str(&desk.succeed("evaluate model new.csv --json -q")).unwrap();
    assert_eq!(judged["filled"], json!({ "age": 2 }));
    assert_eq!(judged["unknown_categories"], json!({ "city": 2 }));
    let judged: Value =
        serde_json::from_str(&desk.succeed("evaluate model data.csv --json -q")).unwrap();
    assert!(judged.get("unknown_categories").is_none(), "{judged}");
    assert_eq!(judged["filled"], json!({ "age": 6 }));
    // No city was missing in training, so the category of missing cells is unknown too.
    desk.write("gap.csv", "age,city\n20,\n");
    let note = "note: 1 cell of `city` with a category that is not in the training data: it gives no feature\n";
    assert_eq!(desk.run("predict model gap.csv").stderr, note);
}

/// Labels that are absent, empty, or those of another model.
#[test]
fn evaluation_without_labels() {
    let desk = with_model();
    desk.write("new.csv", "age,city\n20,Rome\n31,Oslo\n");
    let (error, hint) = refused(&desk, "evaluate model new.csv");
    assert_eq!(
        error,
        "new.csv: no column `bought`, which has the labels; the columns are age, city"
    );
    assert!(hint.starts_with("`--target COLUMN` names"), "{hint}");
    assert_eq!(desk.succeed("predict model new.csv").lines().count(), 2);
    desk.write("renamed.csv", "age,city,came,bought\n20,Rome,no,?\n31,Oslo,yes,?\n");
    let found = desk.run("evaluate model renamed.csv --target came");
    assert!(found.stdout.contains("of 2 examples"), "{}", found.stdout);
    assert_eq!(found.stderr, "");
    let (error, hint) = refused(&desk, "evaluate model renamed.csv --target age");
    assert_eq!(
        error,
        "renamed.csv: column `age` cannot be the label: it is a feature of the model"
    );
    assert!(hint.starts_with("without `--target`"), "{hint}");

    desk.write("empty.csv", "age,city,bought\n20,Rome,\n31,Oslo,yes\n");
    let done = desk.run("evaluate model empty.csv");
    let why = "empty.csv:2:9: the label (column `bought`) is empty";
    let note = format!("note: skipped 1 row that is no example; the first: {why}\n");
    assert_eq!((done.code, done.stderr), (0, note));
    assert!(done.stdout.contains("\nskipped     1 row of the file\n"), "{}", done.stdout);
    assert_eq!(desk.succeed("predict model empty.csv").lines().count(), 2);

    // A prediction has each row, and more than a half is too much to pass over.
    let (error, _) = refused(&desk, "predict model empty.csv --margins");
    assert_eq!(error, why);
    desk.write("most.csv", "age,city,bought\n20,Rome,\n31,Oslo,yes\n25,Rome,\n40,Oslo,\n");
    let (error, _) = refused(&desk, "evaluate model most.csv");
    let first = "most.csv:2:9: the label (column `bought`) is empty";
    let many =
        format!("most.csv: 3 of 4 rows were left out, at most 50% may be; the first: {first}");
    assert_eq!(error, many);

    desk.write("other.csv", "age,city,bought\n20,Rome,0\n31,Oslo,1\n");
    let (_, hint) = refused(&desk, "evaluate model other.csv --unseen-labels stop");
    assert!(hint.starts_with("`--on-error skip` leaves such rows out"), "{hint}");
    // A picture has no wrong predictions to count.
    desk.write("some.csv", "age,city,bought\n20,Rome,no\n31,Oslo,yes\n40,Oslo,1\n");
    let plot = "plot some.csv model --curves -o p.svg";
    assert_eq!(refused(&desk, plot).1, hint);
    desk.succeed(&format!("{plot} --on-error skip"));
    let (error, hint) = refused(&desk, "evaluate model other.csv --unseen-labels skip");
    let expected = "other.csv: none of the labels of 2 examples is a class of the model \
                    (labels: 0, 1; classes: no, yes)";
    assert_eq!(error, expected);
    assert!(hint.starts_with("without `--unseen-labels skip` these rows count as wrong"), "{hint}");
    let judged: Value =
        serde_json::from_str(&desk.succeed("evaluate model other.csv --json -q")).unwrap();
    assert_eq!((&judged["examples"], &judged["errors"]), (&json!(2), &json!(2)));
}

/// A model of the words of one column needs that column alone, also where columns are known by their positions.
#[test]
fn columns_that_a_model_does_not_use_may_be_absent() {
    let row = |i: usize| {
        format!("{i}\t{}\t{} now {i}\t7", ["ham", "spam"][i % 2], ["see you", "buy"][i % 2])
    };
    let desk = Desk::with(&[("mail.tsv", &rows(40, row))]);
    desk.succeed("train mail.tsv --no-header --target 2 --text 3 -o model -q");
    desk.write("texts.tsv", "buy this\nsee you there\n");
    let done = desk.run("predict model texts.tsv");
    let note = "note: read the columns as those that the model uses, in their order: the others are absent\n";
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("spam\nham\n", note));
    desk.write("labeled.tsv", "spam\tbuy this\nham\tsee you there\n");
    assert_eq!(desk.succeed("predict model labeled.tsv"), "spam\nham\n");
    let judged: Value =
        serde_json::from_str(&desk.succeed("evaluate model labeled.tsv --json -q")).unwrap();
    assert_eq!((&judged["examples"], &judged["errors"]), (&json!(2), &json!(0)));
    let (error, _) = refused(&desk, "evaluate model texts.tsv");
    assert_eq!(error, "texts.tsv: no column `2`, which has the labels; the columns are 1");
    desk.write("five.tsv", "1\tspam\tbuy\t7\t8\n");
    let (error, _) = refused(&desk, "predict model five.tsv");
    let expected = "five.tsv: found 5 columns, the model expects 4, or 3 without the label (column 2), \
                    or 1 with only the features";
    assert_eq!(error, expected);
    // By names, the text alone is enough.
    desk.write(
        "named.csv",
        "id,text,kind\n".to_owned()
            + &rows(40, |i| format!("{i},{} now,{}", ["see you", "buy"][i % 2], i % 2)),
    );
    desk.succeed("train named.csv --text text -o named -q");
    desk.write("one.csv", "text\nbuy now\n");
    assert_eq!(desk.succeed("predict named one.csv"), "1\n");
}

/// Numbers that may name the rows are pointed out; those that measure are not.
#[test]
fn identifiers_are_noted() {
    let number = |i: usize| 842_302 + (i * 7_919) % 50_021;
    let row = |i: usize| format!("{},{}.5,{}.25,{}.125,{}", number(i), i, i % 7, i % 5, i % 2);
    let desk = Desk::with(&[("first.csv", &rows(60, row))]);
    let note = |line: &str| desk.run(line).stderr;
    let expected = |name: &str| {
        format!(
            "note: `{name}` may be an identifier (whole numbers, no two equal); `--ignore {name}` leaves it out of the features\n"
        )
    };
    assert_eq!(note("train first.csv --no-header"), expected("1"));
    assert_eq!(note("train first.csv --no-header --ignore 1"), "");
    desk.write(
        "named.csv",
        "price,customer_id,kind\n".to_owned()
            + &rows(60, |i| format!("{},{},{}", number(i), number(i + 9), i % 2)),
    );
    let left_out = "note: left out `customer_id`: identifiers of rows, or of what they are about\n";
    assert_eq!(note("train named.csv"), left_out);
    // Times rise, prices come after other columns of whole numbers, and an identifier of few rows names none.
    desk.write(
        "times.csv",
        rows(60, |i| {
            format!("{},{}.5,{}.25,{}.125,{}", 1_700_000_000 + 61 * i, i, i % 7, i % 5, i % 2)
        }),
    );
    assert_eq!(note("train times.csv --no-header"), "");
    desk.write(
        "twice.csv",
        "price,customer_id,kind\n".to_owned()
            + &rows(60, |i| format!("{},{},{}", number(i), number(i / 2), i % 2)),
    );
    assert_eq!(note("train twice.csv"), left_out);
}
