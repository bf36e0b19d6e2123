//! JSON in every arrangement: what is read is what the same table as CSV gives.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{io::Cursor, io::Write as _};

use proptest::prelude::*;
use rosenblatt_data::{
    Dataset, FormatKind, JsonProblem, LeftOutBecause, LeftOutColumn, MissingOption, MissingRule,
    OnError, Problem, ReadError, ReadOptions, Source, read,
};

fn options(format: FormatKind) -> ReadOptions {
    ReadOptions { format: Some(format), ..ReadOptions::default() }
}

fn source(text: &str) -> Source {
    Source::stream("data", Cursor::new(text.as_bytes().to_vec())).unwrap()
}

fn json(text: &str) -> Result<Dataset, ReadError> {
    read(source(text), &options(FormatKind::JSON))
}

fn csv(text: &str) -> Dataset {
    read(source(text), &options(FormatKind::CSV)).unwrap()
}

/// All that a model learns from.
fn content(data: &Dataset) -> String {
    let mut rows = Vec::new();
    for row in data.rows.iter() {
        let mut entries = Vec::new();
        row.for_each(|j, x| entries.push((j, x.to_bits())));
        rows.push(entries);
    }
    format!(
        "{:?} {rows:?} {:?}",
        data.schema,
        data.classes(None).map_err(|error| error.to_string())
    )
}

fn same(text: &str, table: &str) -> Dataset {
    let data = json(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(content(&data), content(&csv(table)), "{text}");
    data
}

const TABLE: &str = "age,city,class\n31,Rome,yes\n45,Oslo,no\n27.5,Rome,yes\n";

#[test]
fn each_arrangement_of_pandas_is_a_table() {
    for (text, words) in [
        (
            r#"{"age":{"0":31,"1":45,"2":27.5},"city":{"0":"Rome","1":"Oslo","2":"Rome"},"class":{"0":"yes","1":"no","2":"yes"}}"#,
            "a JSON object of 3 columns, with a value for each row",
        ),
        (
            r#"{"age":[31,45,27.5],"city":["Rome","Oslo","Rome"],"class":["yes","no","yes"]}"#,
            "a JSON object of 3 columns, with a list of values for each",
        ),
        (
            r#"{"columns":["age","city","class"],"index":[0,1,2],"data":[[31,"Rome","yes"],[45,"Oslo","no"],[27.5,"Rome","yes"]]}"#,
            "a JSON list of lists with the names of columns",
        ),
        (
            r#"{"0":{"age":31,"city":"Rome","class":"yes"},"1":{"age":45,"city":"Oslo","class":"no"},"2":{"age":27.5,"city":"Rome","class":"yes"}}"#,
            "a JSON object of rows",
        ),
        (
            r#"{"schema":{"fields":[{"name":"index","type":"integer"}],"primaryKey":["index"],"pandas_version":"1.4.0"},
            "data":[{"index":0,"age":31,"city":"Rome","class":"yes"},{"index":1,"age":45,"city":"Oslo","class":"no"},
            {"index":2,"age":27.5,"city":"Rome","class":"yes"}]}"#,
            "a JSON table as of pandas",
        ),
        (
            r#"{"data":[{"age":31,"city":"Rome","class":"yes"},{"age":45,"city":"Oslo","class":"no"},{"age":27.5,"city":"Rome","class":"yes"}], "total": 3}"#,
            "the JSON list `data`",
        ),
        (
            r#"[["age","city","class"],[31,"Rome","yes"],[45,"Oslo","no"],[27.5,"Rome","yes"]]"#,
            "a JSON list of lists",
        ),
        (
            "[\"age\",\"city\",\"class\"]\n[31,\"Rome\",\"yes\"]\n[45,\"Oslo\",\"no\"]\n[27.5,\"Rome\",\"yes\"]\n",
            "JSON lists, one on each line",
        ),
    ] {
        let notes = same(text, TABLE).notes;
        assert_eq!(notes.arrangement.as_deref(), Some(words));
        let index = if text.contains("schema") { vec!["index".to_owned()] } else { Vec::new() };
        let left_out: Vec<_> =
            notes.decisions.left_out.iter().map(|one| one.column.clone()).collect();
        assert_eq!(left_out, index);
        // What no name tells, the first bytes do.
        if !text.starts_with("[\"") {
            let found = read(source(text), &ReadOptions::default()).unwrap().notes;
            assert_eq!(found.format_from_magic.as_deref(), Some(words));
        }
    }
    let records = r#"[{"age":31,"city":"Rome","class":"yes"},{"age":45,"city":"Oslo","class":"no"},{"age":27.5,"city":"Rome","class":"yes"}]"#;
    assert_eq!(same(records, TABLE).notes.arrangement, None);
    // pandas' `values` have no names.
    let text = r#"[[31,"Rome","yes"],[45,"Oslo","no"],[27.5,"Rome","yes"]]"#;
    let bare = TABLE.split_once('\n').unwrap().1;
    let options =
        ReadOptions { header: rosenblatt_data::Header::Absent, ..options(FormatKind::CSV) };
    assert_eq!(content(&json(text).unwrap()), content(&read(source(bare), &options).unwrap()));
}

#[test]
fn objects_within_objects_are_dotted_columns() {
    let table = "name.first,name.last,age,class\nA,B,1,x\nC,B,2,y\n";
    let text = r#"[{"name":{"first":"A","last":"B"},"age":1,"class":"x"},{"name":{"first":"C","last":"B"},"age":2,"class":"y"}]"#;
    same(text, table);
}

#[test]
fn an_object_may_be_left_out() {
    let text = r#"[{"name":{"first":"A","last":"B"},"age":1,"class":"x"},{"name":{"first":"C","last":"B"},"age":2,"class":"y"}]"#;
    let options = ReadOptions { ignore: vec!["name".to_owned()], ..options(FormatKind::JSON) };
    assert_eq!(read(source(text), &options).unwrap().schema.features(), 1);
    // Null is an object without members.
    let text = text.replace("{\"first\":\"C\",\"last\":\"B\"}", "null");
    let found = read(source(&text), &options).unwrap();
    assert_eq!((found.schema.features(), found.notes.decisions.left_out.len()), (1, 0));
}

fn filled(text: &str) -> Dataset {
    let missing = vec![MissingOption { column: None, rule: MissingRule::Median, indicator: false }];
    let target = Some("class".to_owned());
    read(source(text), &ReadOptions { missing, target, ..options(FormatKind::JSON) }).unwrap()
}

#[test]
fn a_key_that_an_object_lacks_is_a_missing_value() {
    let expected = content(&filled(
        "{\"a\":1,\"class\":\"x\",\"b\":null}\n{\"a\":null,\"class\":\"y\",\"b\":4}\n{\"a\":3,\"class\":\"y\",\"b\":5}\n",
    ));
    let found = filled(
        "{\"a\":1,\"class\":\"x\"}\n{\"class\":\"y\",\"b\":4}\n{\"a\":3,\"class\":\"y\",\"b\":5}\n",
    );
    assert_eq!(content(&found), expected);
    let found = json("{\"a\":1,\"class\":\"x\"}\n{\"a\":2}\n{\"a\":3,\"class\":\"y\"}\n").unwrap();
    assert_eq!((found.rows.len(), found.notes.no_examples), (2, 1));
    let why = "data:2:1: the label (column `class`) is empty";
    assert_eq!(found.notes.first_skipped.as_deref(), Some(why));
}

/// The first mebibyte has no such key, and all numbers of the other column in quotes.
#[test]
fn a_file_is_read_to_its_end_before_its_columns_are_decided() {
    let mut text = "{\"a\":\"1\",\"class\":\"x\"}\n{\"a\":\"2\",\"class\":\"y\"}\n".repeat(30_000);
    text += "{\"a\":\"3\",\"class\":\"y\",\"late\":7}\n";
    let mut file = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let missing = vec![MissingOption { column: None, rule: MissingRule::Median, indicator: false }];
    let options =
        ReadOptions { missing, target: Some("class".to_owned()), ..ReadOptions::default() };
    let data = read(Source::open(file.path()).unwrap(), &options).unwrap();
    assert_eq!((data.rows.len(), data.schema.features()), (60_001, 2));
    assert_eq!(data.notes.numbers_in_quotes, ["a"]);
    // A stream is not read twice.
    let options = ReadOptions { format: Some(FormatKind::JSON), ..options };
    let error = read(source(&text), &options).unwrap_err().to_string();
    assert_eq!(error, "data:60001:22: the first rows have no key `late`");
    // A word that comes late is found where it is.
    file.write_all(b"{\"a\":\"many\",\"class\":\"x\"}\n").unwrap();
    let error = read(Source::open(file.path()).unwrap(), &options).unwrap_err().to_string();
    let place = format!("{}:60002:6: `many`", file.path().display());
    assert!(error.starts_with(&place), "{error}");
}

/// Two mebibytes make several blocks.
#[test]
fn large_files_in_every_arrangement_are_the_same() {
    const ROWS: usize = 100_000;
    let columns: Vec<Vec<String>> = vec![
        (0..ROWS).map(|i| ((i * 7919) % 1013).to_string()).collect(),
        (0..ROWS).map(|i| ["red", "blue", "", "green"][i % 4].to_owned()).collect(),
        (0..ROWS).map(|i| ["p", "q"][i * i % 3 % 2].to_owned()).collect(),
    ];
    let missing = vec![MissingOption { column: None, rule: MissingRule::Median, indicator: false }];
    let all = arranged(&columns, &[false], true);
    let mut expected = None;
    for (text, threads) in all.iter().flat_map(|text| [(text, 1), (text, 3)]) {
        assert!(text.len() > 1 << 20);
        let options =
            ReadOptions { threads, missing: missing.clone(), ..options(FormatKind::JSON) };
        let found = content(&read(source(text), &options).unwrap());
        assert!(*expected.get_or_insert(found.clone()) == found, "{}", &text[..60]);
    }
}

#[test]
fn lists_are_left_out_and_said() {
    let text = "{\"a\":1,\"tags\":[\"x\"],\"class\":\"x\"}\n{\"a\":2,\"tags\":null,\"class\":\"y\"}\n{\"a\":3,\"class\":\"y\",\"tags\":[]}\n";
    let data = same(text, "a,class\n1,x\n2,y\n3,y\n");
    let tags = LeftOutColumn { column: "tags".to_owned(), because: LeftOutBecause::OtherType };
    assert_eq!(data.notes.decisions.left_out, [tags]);
    // One of many values is a fault of its row.
    let text = "{\"a\":1,\"b\":1,\"class\":\"x\"}\n{\"a\":2,\"b\":[2],\"class\":\"y\"}\n{\"a\":3,\"b\":3,\"class\":\"y\"}\n";
    let missing = vec![MissingOption { column: None, rule: MissingRule::Zero, indicator: false }];
    let error =
        read(source(text), &ReadOptions { missing: missing.clone(), ..options(FormatKind::JSON) })
            .unwrap_err();
    assert_eq!(
        error.to_string(),
        "data:2:12: the value of `b` is an object or a list, expected one value"
    );
    let skip = ReadOptions { on_error: OnError::Skip, missing, ..options(FormatKind::JSON) };
    assert_eq!(read(source(text), &skip).unwrap().rows.len(), 2);
}

#[test]
fn faults_have_their_place() {
    for (text, expected) in [
        (
            "{\"a\":1,\"b\":[1,],\"y\":1}\n",
            "1:15: found `],\"y\":1}`, expected a value: a number, text in quotes, true, false or null",
        ),
        ("{\"a\":1,\"a\":2,\"y\":1}\n", "1:8: two columns are called `a`"),
        ("[{\"a\":{\"b\":1,\"b\":2}}]", "1:14: two columns are called `a.b`"),
        (
            "{\"a\":{\"0\":1,\"0\":2},\"y\":{\"0\":1,\"1\":2}}",
            "1:13: the object has the key `0` twice",
        ),
        (
            "{\"a\":[1,2],\"y\":[1,2,3]}",
            "1:16: the list has 3 values, expected 2, as the first one has",
        ),
        ("[[1,2],\n[1,2,3]]", "2:1: the list has 3 values, expected 2, as the first one has"),
        (
            "{\"data\":[[1,2],[3,4]],\n\"target\":[0,1]}",
            "2:1: `target` is a list too, beside that of the rows",
        ),
        (
            "{\"target\":[0,1],\"data\":[[1,2],[3,4]]}",
            "1:17: `target` is a list too, beside that of the rows",
        ),
        (
            "{\"train\":[{\"a\":1}],\"test\":[{\"a\":1}]}",
            "1:20: `test` is a list too, beside that of the rows",
        ),
        ("{\"data\":[{\"a\":1}]", "1:18: found the end, expected `,` or `}`"),
        ("{\"data\":[{\"a\":1}]}]", "1:19: found `]`, expected one object per line"),
        (
            "{\"a\":{\"0\":1},\n\"y\":{\"0\":x}}",
            "2:10: found `x}}`, expected a value: a number, text in quotes, true, false or null",
        ),
    ] {
        let error = json(text).unwrap_err().to_string();
        assert_eq!(error, format!("data:{expected}"), "{text}");
    }
}

#[test]
fn most_keys_may_not_be_absent_from_most_objects() {
    let mut text = String::new();
    for i in 0..40_000 {
        text += &format!("{{\"k{i}\":1,\"y\":1}}\n");
    }
    let error = json(&text).unwrap_err();
    let ReadError::Data { problem: Problem::Format(problem), .. } = error else {
        panic!("{error}")
    };
    assert!(matches!(problem.downcast_ref(), Some(JsonProblem::SparseKeys { .. })));
}

#[test]
fn blanks_in_quotes_are_kept() {
    let text =
        "{\"a\":\" x\",\"y\":\"p\"}\n{\"a\":\"x\",\"y\":\"p \"}\n{\"a\":\"x\",\"y\":\"p\"}\n";
    let data = json(text).unwrap();
    assert_eq!(data.schema.features(), 2);
    assert_eq!(format!("{:?}", data.classes(None).unwrap()).matches("p ").count(), 1);
}

/// A cell of a drawn table, as it stands in CSV.
fn cell(kind: u8) -> BoxedStrategy<String> {
    let all: &[&str] = match kind {
        0 => &["1", "2.5", "-3e2", "0"],
        1 => &["red", "blue", "green"],
        2 => &["true", "false"],
        3 => &["1", "2", "", "3"],
        4 => &["red", "", "7", "NA"],
        _ => &["1.5", "?", "2.5"],
    };
    prop::sample::select(all.to_vec()).prop_map(str::to_owned).boxed()
}

/// The columns of a table, of which the first is numbers and the last one the label.
fn tables() -> impl Strategy<Value = Vec<Vec<String>>> {
    (2usize..30, prop::collection::vec(0u8..6, 1..4)).prop_flat_map(|(rows, kinds)| {
        let label = prop::sample::select(vec!["p".to_owned(), "q".to_owned()]).boxed();
        let cells = std::iter::once(cell(0)).chain(kinds.into_iter().map(cell));
        let columns = cells.chain([label]).map(|cell| prop::collection::vec(cell, rows));
        columns.collect::<Vec<_>>()
    })
}

/// The value of a cell; numbers are in quotes where that is drawn.
fn value(cell: &str, in_quotes: bool) -> String {
    let is_plain = cell.parse::<f64>().is_ok() || cell == "true" || cell == "false";
    match cell {
        "" => "null".to_owned(),
        _ if is_plain && !in_quotes => cell.to_owned(),
        _ => format!("\"{cell}\""),
    }
}

/// The table in each arrangement. `with_null`: whether null stands where a row of objects has no value.
fn arranged(columns: &[Vec<String>], quotes: &[bool], with_null: bool) -> Vec<String> {
    let rows = columns[0].len();
    let quoted = |column: usize| column > 0 && quotes[column % quotes.len()];
    let value = |row: usize, column: usize| value(&columns[column][row], quoted(column));
    let name = |column: usize| {
        if column + 1 == columns.len() { "class".to_owned() } else { format!("c{column}") }
    };
    let width = columns.len();
    let joined = |parts: Vec<String>| parts.join(",");
    let list = |row| format!("[{}]", joined((0..width).map(|column| value(row, column)).collect()));
    let object = |row: usize| {
        let is_there = |&column: &usize| with_null || row == 0 || !columns[column][row].is_empty();
        let member = |column| format!("\"{}\": {}", name(column), value(row, column));
        format!("{{{}}}", joined((0..width).filter(is_there).map(member).collect()))
    };
    let all = |row: &dyn Fn(usize) -> String| joined((0..rows).map(row).collect());
    let names = joined((0..width).map(|column| format!("\"{}\"", name(column))).collect());
    let of_column = |column: usize, by_key: bool| {
        let one = |row: usize| {
            if by_key { format!("\"{row}\":{}", value(row, column)) } else { value(row, column) }
        };
        let inner = joined((0..rows).map(one).collect());
        format!(
            "\"{}\":{}",
            name(column),
            if by_key { format!("{{{inner}}}") } else { format!("[{inner}]") }
        )
    };
    let by_columns = |by_key| {
        format!("{{{}}}", joined((0..width).map(|column| of_column(column, by_key)).collect()))
    };
    vec![
        (0..rows).map(|row| object(row) + "\n").collect(),
        format!("[\n{}]", all(&object)),
        format!("{{\"meta\": {{\"of\":[1]}}, \"rows\":[{}], \"more\": [1]}}", all(&object)),
        format!("{{{}}}", all(&|row| format!("\"{row}\":{}", object(row)))),
        by_columns(true),
        by_columns(false),
        format!("{{\"columns\":[{names}],\"data\":[{}]}}", all(&list)),
        format!("[[{names}],{}]", all(&list)),
        format!("[{names}]\n") + &(0..rows).map(|row| list(row) + "\n").collect::<String>(),
    ]
}

/// The content of the data or the problem, without its place.
fn outcome(read: Result<Dataset, ReadError>) -> String {
    match read {
        Ok(data) => {
            content(&data)
                + &format!(
                    "{:?} {:?} {:?}",
                    data.notes.row_numbers, data.notes.identifiers, data.notes.filled
                )
        }
        Err(ReadError::Data { problem, .. }) => problem.to_string(),
        Err(error) => error.to_string(),
    }
}

proptest! {
    #[test]
    fn every_arrangement_is_the_table_as_csv(
        columns in tables(),
        quotes in prop::collection::vec(any::<bool>(), 1..4),
        with_null in any::<bool>(),
        fills in any::<bool>(),
    ) {
        let names = (0..columns.len() - 1).map(|i| format!("c{i}")).chain(["class".to_owned()]);
        let mut text = names.collect::<Vec<_>>().join(",") + "\n";
        for row in 0..columns[0].len() {
            let cells: Vec<&str> = columns.iter().map(|column| &*column[row]).collect();
            text += &(cells.join(",") + "\n");
        }
        let rule = MissingOption { column: None, rule: MissingRule::Median, indicator: false };
        let missing = if fills { vec![rule] } else { Vec::new() };
        let with = |format| ReadOptions { missing: missing.clone(), ..options(format) };
        let expected = outcome(read(source(&text), &with(FormatKind::CSV)));
        for text in arranged(&columns, &quotes, with_null) {
            let found = outcome(read(source(&text), &with(FormatKind::JSON)));
            prop_assert_eq!(&found, &expected, "{}", text);
        }
    }
}
