//! Apache's own files of Parquet and Arrow: those that are whole give the cells that are known, and no file does harm.
//!
//! `ROSENBLATT_SUITES` names the folder that holds `parquet-testing` and `arrow-testing`. The cells of an Arrow file are in the
//! JSON file beside it; those of some Parquet files are in tables beside them, and those of others are decoded here
//! by another part of the crate `parquet` than the reader uses.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{
    collections::BTreeMap,
    fs,
    io::{Cursor, Read},
    panic,
    path::{Path, PathBuf},
};

use arrow_array::{ArrowPrimitiveType, types::Float16Type};
use parquet::{
    file::{reader::FileReader, serialized_reader::SerializedFileReader},
    record::Field,
};
use rosenblatt_data::{
    ColumnarProblem, Encoder, FormatKind, MissingOption, MissingRule, OnError, ReadError,
    ReadOptions, Reader, Schema, Source, read,
};
use serde_json::{Map, Value, json};

fn folder(name: &str) -> PathBuf {
    let suites = std::env::var_os("ROSENBLATT_SUITES")
        .expect("ROSENBLATT_SUITES names the folder of the suites");
    PathBuf::from(suites).join(name)
}

/// The files under a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort_unstable();
    all
}

fn source(bytes: &[u8]) -> Source {
    Source::stream("data", Cursor::new(bytes.to_vec())).unwrap()
}

/// A value as a category, and as a number if it is one.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    text: String,
    number: Option<f64>,
}

impl Cell {
    fn integer(number: i128) -> Self {
        // Nothing past 2⁵³ is compared as a number: some of these integers have no float.
        let is_exact = number.unsigned_abs() <= 1 << 53;
        Cell { text: number.to_string(), number: is_exact.then_some(number as f64) }
    }

    fn float(text: String, number: f64) -> Self {
        Cell { text, number: number.is_finite().then_some(number) }
    }

    fn truth(value: bool) -> Self {
        Cell { text: value.to_string(), number: Some(f64::from(u8::from(value))) }
    }

    fn text(text: &str) -> Self {
        Cell { text: text.trim_ascii().to_owned(), number: None }
    }

    fn half(number: f32) -> Self {
        let half = <Float16Type as ArrowPrimitiveType>::Native::from_f32(number);
        Cell::float(format!("{half:?}"), half.to_f64())
    }
}

/// A column of known cells; `None` where there is none.
struct Column {
    name: String,
    cells: Vec<Option<Cell>>,
}

const LABEL: &str = "the label of the test";

/// The table of these columns and a label, as JSON Lines.
fn lines(columns: &[&Column], value: impl Fn(&Cell) -> Value) -> Vec<u8> {
    let mut text = Vec::new();
    for row in 0..columns[0].cells.len() {
        let mut object = Map::new();
        for column in columns {
            let cell = column.cells[row].as_ref();
            object.insert(column.name.clone(), cell.map_or(Value::Null, &value));
        }
        object.insert(LABEL.to_owned(), json!(["no", "yes"][row % 2]));
        text.extend(serde_json::to_vec(&object).unwrap());
        text.push(b'\n');
    }
    text
}

fn missing(rule: MissingRule) -> Vec<MissingOption> {
    vec![MissingOption { column: None, rule, indicator: false }]
}

/// Every entry of every row, as a model sees them.
fn rows(
    bytes: &[u8],
    format: FormatKind,
    schema: &Schema,
) -> Result<Vec<Vec<(usize, u64)>>, String> {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let reader = Reader::for_model(source(bytes), &options, schema, None);
    let encoder = Encoder::new(schema);
    let mut all = Vec::new();
    for batch in reader.map_err(|error| error.to_string())? {
        let rows = encoder.encode_batch(batch.map_err(|error| error.to_string())?).rows;
        for row in rows.iter() {
            let mut entries = Vec::new();
            row.for_each(|j, x| entries.push((j, x.to_bits())));
            all.push(entries);
        }
    }
    Ok(all)
}

/// Whether the file holds these columns; of a file that is refused, why. Each cell is looked at as a category, and numbers
/// as numbers too.
fn compare(bytes: &[u8], format: FormatKind, columns: &[Column]) -> Result<(), String> {
    let all: Vec<&Column> = columns.iter().collect();
    let is_numeric = |column: &&Column| {
        let mut cells = column.cells.iter().flatten().peekable();
        cells.peek().is_some() && cells.all(|cell| cell.number.is_some())
    };
    let numeric: Vec<&Column> = columns.iter().filter(is_numeric).collect();
    let names = all.iter().map(|column| column.name.clone()).collect();
    holds(bytes, format, &lines(&all, |cell| json!(cell.text)), names)?;
    match numeric.is_empty() {
        true => Ok(()),
        false => holds(bytes, format, &lines(&numeric, |cell| json!(cell.number)), Vec::new()),
    }
}

/// Whether the file holds the columns of a table, of which these are categories.
fn holds(
    bytes: &[u8],
    format: FormatKind,
    table: &[u8],
    categorical: Vec<String>,
) -> Result<(), String> {
    let options = ReadOptions {
        format: Some(FormatKind::JSON),
        target: Some(LABEL.to_owned()),
        missing: missing(MissingRule::Category),
        max_features: 1 << 20,
        categorical,
        ..ReadOptions::default()
    };
    let expected = read(source(table), &options).map_err(|error| format!("test: {error}"))?;
    let found = rows(bytes, format, &expected.schema)?;
    assert_eq!(found, rows(table, FormatKind::JSON, &expected.schema).unwrap());
    assert_eq!(found.len(), expected.rows.len());
    Ok(())
}

/// The cells of a column of an Arrow file by the JSON beside it, unless they are neither numbers nor text.
fn arrow_cells(field: &Value, data: &Value) -> Option<Vec<Option<Cell>>> {
    let kind = &field["type"];
    let value = |value: &Value| -> Option<Cell> {
        let text = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some(match (kind["name"].as_str()?, kind["precision"].as_str()) {
            ("bool", _) => Cell::truth(value == 1 || value == true),
            ("int", _) => Cell::integer(text().parse().unwrap()),
            ("floatingpoint", Some("HALF")) => Cell::half(text().parse().unwrap()),
            ("floatingpoint", Some("SINGLE")) => {
                let number: f32 = text().parse().unwrap();
                Cell::float(format!("{number:?}"), number.into())
            }
            ("floatingpoint", _) => {
                let number: f64 = text().parse().unwrap();
                Cell::float(format!("{number:?}"), number)
            }
            ("utf8" | "largeutf8", _) => Cell::text(value.as_str()?),
            _ => return None,
        })
    };
    let values: Option<Vec<Cell>> = match kind["name"].as_str()? {
        "utf8view" => views(data),
        _ => data["DATA"].as_array()?.iter().map(value).collect(),
    };
    let valid = data["VALIDITY"].as_array()?.iter().map(|bit| bit == 1);
    Some(values?.into_iter().zip(valid).map(|(cell, valid)| valid.then_some(cell)).collect())
}

/// Text of which each value is short and in its place, or a part of another buffer.
fn views(data: &Value) -> Option<Vec<Cell>> {
    let buffers = data["VARIADIC_DATA_BUFFERS"].as_array()?;
    let view = |view: &Value| {
        if let Some(text) = view["INLINED"].as_str() {
            return Some(Cell::text(text));
        }
        let hex = buffers[view["BUFFER_INDEX"].as_u64()? as usize].as_str()?;
        let (start, size) = (view["OFFSET"].as_u64()? as usize, view["SIZE"].as_u64()? as usize);
        let byte = |i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).ok();
        let bytes: Option<Vec<u8>> = (start..start + size).map(byte).collect();
        Some(Cell::text(std::str::from_utf8(&bytes?).ok()?))
    };
    data["VIEWS"].as_array()?.iter().map(view).collect()
}

/// The columns of an Arrow file that are numbers or text.
fn arrow_columns(json: &Value) -> Vec<Column> {
    let dictionary = |field: &Value| {
        let id = &field["dictionary"]["id"];
        let all = json["dictionaries"].as_array()?;
        let data = &all.iter().find(|one| one["id"] == *id)?["data"]["columns"][0];
        arrow_cells(field, data)
    };
    let column = |(i, field): (usize, &Value)| {
        let mut cells = Vec::new();
        for batch in json["batches"].as_array()? {
            let data = &batch["columns"][i];
            if field["dictionary"].is_null() {
                cells.extend(arrow_cells(field, data)?);
                continue;
            }
            let values = dictionary(field)?;
            let keys = data["DATA"].as_array()?.iter().zip(data["VALIDITY"].as_array()?);
            for (key, valid) in keys {
                let key = key.as_u64().filter(|_| *valid == 1);
                let cell = key.and_then(|key| values[key as usize].clone());
                // Whatever they are, the values of a dictionary are categories.
                cells.push(cell.map(|cell| Cell { number: None, ..cell }));
            }
        }
        Some(Column { name: field["name"].as_str()?.to_owned(), cells })
    };
    json["schema"]["fields"].as_array().unwrap().iter().enumerate().filter_map(column).collect()
}

fn unzipped(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

/// How many files there are of each outcome, with an example.
#[derive(Default)]
struct Tally(BTreeMap<String, (usize, String)>);

impl Tally {
    fn add(&mut self, outcome: &str, path: &Path) {
        let example = path.file_name().unwrap().to_string_lossy().into_owned();
        self.0.entry(outcome.to_owned()).or_insert((0, example)).0 += 1;
    }

    fn count(&self, outcome: &str) -> usize {
        self.0.get(outcome).map_or(0, |(count, _)| *count)
    }

    fn print(&self, title: &str) {
        println!("{title}");
        for (outcome, (count, example)) in &self.0 {
            println!("{count:5}  {outcome}, as in {example}");
        }
    }
}

const EQUAL: &str = "every cell equal";
const NOTHING: &str = "no number or text with rows";

/// The files of Arrow's implementations, compressed or not, of version 0.14 to 21; those that are big-endian are refused.
#[test]
fn arrow_files_hold_what_their_json_says() {
    let mut tally = Tally::default();
    for path in files(&folder("arrow-testing/data/arrow-ipc-stream/integration")) {
        let Some(stem) = path.to_string_lossy().strip_suffix(".json.gz").map(str::to_owned) else {
            continue;
        };
        let columns = arrow_columns(&serde_json::from_slice(&unzipped(&path)).unwrap());
        for form in ["stream", "arrow_file"] {
            let bytes = fs::read(format!("{stem}.{form}")).unwrap();
            let has_rows = columns.first().is_some_and(|column| !column.cells.is_empty());
            let outcome = match has_rows {
                true => compare(&bytes, FormatKind::ARROW, &columns),
                false => Err(harm(&bytes, FormatKind::ARROW).err().unwrap_or(NOTHING.to_owned())),
            };
            let outcome = outcome.map_or_else(|error| error, |()| EQUAL.to_owned());
            assert_eq!(outcome.contains("big-endian"), stem.contains("bigendian"), "{stem}.{form}");
            tally.add(&outcome, &path);
        }
    }
    tally.print("Arrow");
    assert!(tally.count(EQUAL) >= 48, "{}", tally.count(EQUAL));
}

/// The cells of a Parquet file, decoded row by row.
fn parquet_columns(path: &Path) -> Option<Vec<Column>> {
    let cell = |field: &Field| -> Option<Option<Cell>> {
        Some(Some(match field {
            Field::Null => return Some(None),
            Field::Bool(value) => Cell::truth(*value),
            Field::Byte(number) => Cell::integer((*number).into()),
            Field::Short(number) => Cell::integer((*number).into()),
            Field::Int(number) => Cell::integer((*number).into()),
            Field::Long(number) => Cell::integer((*number).into()),
            Field::UByte(number) => Cell::integer((*number).into()),
            Field::UShort(number) => Cell::integer((*number).into()),
            Field::UInt(number) => Cell::integer((*number).into()),
            Field::ULong(number) => Cell::integer((*number).into()),
            Field::Float16(number) => Cell::half(number.to_f32()),
            Field::Float(number) => Cell::float(format!("{number:?}"), (*number).into()),
            Field::Double(number) => Cell::float(format!("{number:?}"), *number),
            Field::Str(text) => Cell::text(text),
            _ => return None,
        }))
    };
    let decode = || {
        let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).ok()?;
        let mut columns: Vec<Option<Column>> = Vec::new();
        for row in reader.get_row_iter(None).ok()? {
            let row = row.ok()?;
            for (i, (name, field)) in row.get_column_iter().enumerate() {
                if i == columns.len() {
                    columns.push(Some(Column { name: name.clone(), cells: Vec::new() }));
                }
                match (cell(field), &mut columns[i]) {
                    (Some(cell), Some(column)) => column.cells.push(cell),
                    (_, column) => *column = None,
                }
            }
        }
        let mut columns: Vec<Column> = columns.into_iter().flatten().collect();
        // Of what kind the values of a column without any are, they do not tell.
        columns.retain(|column| column.cells.iter().any(Option::is_some));
        Some(columns)
    };
    panic::catch_unwind(decode).ok().flatten().filter(|columns| !columns.is_empty())
}

/// Files that have a second opinion. One has a page that is not what its checksum says, and is refused.
#[test]
fn parquet_files_are_decoded_alike_by_two_decoders() {
    let mut tally = Tally::default();
    let whole = files(&folder("parquet-testing/data"));
    let damaged = files(&folder("parquet-testing/bad_data"));
    let fuzzed = files(&folder("arrow-testing/data/parquet/fuzzing"));
    for path in whole.iter().chain(&damaged).chain(&fuzzed) {
        let bytes = fs::read(path).unwrap();
        let outcome = match parquet_columns(path) {
            Some(columns) => compare(&bytes, FormatKind::PARQUET, &columns),
            None => Err(NOTHING.to_owned()),
        };
        let outcome = outcome.map_or_else(|error| error, |()| EQUAL.to_owned());
        if path.ends_with("datapage_v1-corrupt-checksum.parquet") {
            let said = harm(&bytes, FormatKind::PARQUET);
            assert_eq!(said.unwrap_err(), "data: a page is not what its checksum says");
        }
        tally.add(&outcome, path);
    }
    tally.print("Parquet");
    assert!(tally.count(EQUAL) >= 53, "{}", tally.count(EQUAL));
}

/// The four files whose cells are in a table beside them.
#[test]
fn parquet_files_hold_what_their_tables_say() {
    let folder = folder("parquet-testing/data");
    // In one file the names end otherwise than in its table.
    let tables = [
        ("delta_binary_packed", "bitwidth0", ""),
        ("delta_byte_array", "c_customer_id", ""),
        ("delta_encoding_optional_column", "c_customer_sk", ""),
        ("delta_encoding_required_column", "c_customer_sk", ":"),
    ];
    for (name, target, end) in tables {
        let table = fs::read_to_string(folder.join(format!("{name}_expect.csv"))).unwrap();
        let (header, cells) = table.split_once('\n').unwrap();
        let names = header.split(',').map(|name| name.replace('"', "").trim().to_owned() + end);
        let names: Vec<String> = names.collect();
        let (table, target) = (names.join(",") + "\n" + cells, target.to_owned() + end);
        let options = ReadOptions {
            target: Some(target.clone()),
            categorical: names.into_iter().filter(|name| *name != target).collect(),
            missing: missing(MissingRule::Category),
            format: Some(FormatKind::CSV),
            ..ReadOptions::default()
        };
        let expected = read(source(table.as_bytes()), &options).unwrap();
        let bytes = fs::read(folder.join(format!("{name}.parquet"))).unwrap();
        let found = rows(&bytes, FormatKind::PARQUET, &expected.schema).unwrap();
        assert_eq!(found, rows(table.as_bytes(), FormatKind::CSV, &expected.schema).unwrap());
        assert!(found.len() >= 100);
    }
}

/// Each file of the suite as a part of a value that is not used: in a list and in JSON Lines, valid ones are passed over and
/// invalid ones refused. A key that an object has twice is refused too, where objects are columns.
#[test]
fn ignored_json_is_checked_like_used_json() {
    let (mut valid, mut invalid) = (0, 0);
    for path in files(&folder("JSONTestSuite/test_parsing")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_valid = match name.split('_').next() {
            Some("y") => true,
            Some("n") => false,
            _ => continue,
        };
        let value = fs::read(&path).unwrap();
        let row = |value: &[u8], rest: &str| {
            [b"{\"v\":[".as_slice(), value, b"],", rest.as_bytes(), b"}"].concat()
        };
        let objects = [row(&value, "\"a\":1,\"y\":\"p\""), row(b"0", "\"a\":2,\"y\":\"q\"")];
        let list = [b"[".as_slice(), &objects.join(&b','), b"]"].concat();
        let lines = (!value.contains(&b'\n')).then(|| objects.join(&b'\n'));
        for text in [Some(list), lines].into_iter().flatten() {
            let options = ReadOptions { format: Some(FormatKind::JSON), ..ReadOptions::default() };
            let outcome = read(source(&text), &options).map(|data| data.rows.len());
            // Nothing between the brackets is an empty list.
            let is_valid = is_valid || value.trim_ascii().is_empty();
            assert_eq!(outcome.as_ref().ok(), is_valid.then_some(&2), "{name}: {outcome:?}");
            *(if is_valid { &mut valid } else { &mut invalid }) += 1;
        }
    }
    println!("JSON: {valid} valid, {invalid} invalid");
    assert!(valid > 150 && invalid > 300, "{valid} {invalid}");
}

/// Reads a file as a user would who leaves out each column that is refused and tries others as the label, with each
/// treatment of rows that cannot be used. Gives the number of rows, or what was said first.
fn harm(bytes: &[u8], format: FormatKind) -> Result<usize, String> {
    let mut said = None;
    for target in [None, Some("1"), Some("2")] {
        let mut ignore = Vec::new();
        loop {
            let plain = || ReadOptions {
                format: Some(format),
                max_features: 1 << 12,
                target: target.map(str::to_owned),
                ignore: ignore.clone(),
                ..ReadOptions::default()
            };
            let category = missing(MissingRule::Category);
            for options in [
                ReadOptions { on_error: OnError::Skip, ..plain() },
                ReadOptions { on_error: OnError::Blank, ..plain() },
                ReadOptions { missing: missing(MissingRule::Drop), ..plain() },
                ReadOptions { missing: category, on_error: OnError::Skip, ..plain() },
            ] {
                match read(source(bytes), &options) {
                    Ok(dataset) => return Ok(dataset.rows.len()),
                    Err(error) => drop(said.get_or_insert(error.to_string())),
                }
            }
            let Err(ReadError::Format { problem, .. }) = read(source(bytes), &plain()) else {
                break;
            };
            let Some(ColumnarProblem::Type { column, .. }) = problem.downcast_ref() else { break };
            if ignore.contains(column) {
                break;
            }
            ignore.push(column.clone());
        }
    }
    Err(said.unwrap_or_default())
}

/// Every file, most of them found by fuzzers: a panic would fail the test, and memory out of proportion would end it.
#[test]
fn no_file_does_harm() {
    let mut tally = Tally::default();
    let mut seen = 0;
    let folders = [
        "parquet-testing",
        "arrow-testing/data/parquet",
        "arrow-testing/data/arrow-ipc-file",
        "arrow-testing/data/arrow-ipc-stream",
    ];
    for path in folders.iter().flat_map(|name| files(&folder(name))) {
        let of_arrow = path.to_string_lossy().contains("arrow-ipc");
        let format = if of_arrow { FormatKind::ARROW } else { FormatKind::PARQUET };
        let said = harm(&fs::read(&path).unwrap(), format);
        let outcome = said.map_or_else(
            |error| error.chars().filter(|c| !c.is_ascii_digit()).take(60).collect(),
            |_| "rows".to_owned(),
        );
        tally.add(&outcome, &path);
        seen += 1;
    }
    tally.print("all files");
    assert!(seen > 500 && tally.count("rows") >= 61, "{seen} {}", tally.count("rows"));
}

/// A page that has a checksum: after a change of a bit of it nothing is read but an error, unless the bit tells nothing.
#[test]
fn a_change_of_a_page_with_a_checksum_is_found() {
    for name in ["datapage_v1-uncompressed-checksum", "datapage_v1-snappy-compressed-checksum"] {
        let path = folder("parquet-testing/data").join(format!("{name}.parquet"));
        let bytes = fs::read(&path).unwrap();
        let columns = parquet_columns(&path).unwrap();
        let compared = |bytes: &[u8]| compare(bytes, FormatKind::PARQUET, &columns);
        assert_eq!(compared(&bytes), Ok(()));
        let footer = u32::from_le_bytes(*bytes[..bytes.len() - 4].last_chunk().unwrap()) as usize;
        let places: Vec<usize> = (4..bytes.len() - 8 - footer).step_by(137).collect();
        let is_refused = |&&place: &&usize| {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            compared(&changed).is_err()
        };
        let refused = places.iter().filter(is_refused).count();
        println!("{name}: {refused} of {} changes refused, none read otherwise", places.len());
        assert!(refused * 100 >= places.len() * 99);
    }
}
