//! Workbooks: what is read is what the same table as CSV gives, and no workbook does harm.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::io::{Cursor, Write};

use proptest::prelude::*;
use rosenblatt_data::{
    Dataset, Delimiter, FormatKind, Header, MissingOption, MissingRule, ReadError, ReadOptions,
    Source, WorkbookProblem, read,
};
use zip::{ZipWriter, write::SimpleFileOptions};

/// A cell as it stands in the XML of a sheet.
#[derive(Clone, Debug)]
enum Cell {
    Number(&'static str),
    Text(&'static str),
    /// The style says that the number is a date.
    Date(&'static str),
    Truth(bool),
    Error(&'static str),
    /// A formula with the value that it had.
    Formula(&'static str, &'static str),
    Nothing,
    /// A cell with a style and without a value.
    Empty,
}
use Cell::{Date, Empty, Error, Formula, Nothing, Number, Text, Truth};

fn name_of(row: usize, column: usize) -> String {
    format!("{}{}", char::from(b'A' + column as u8), row + 1)
}

fn sheet(rows: &[Vec<Cell>]) -> String {
    let mut text = "<?xml version=\"1.0\"?><worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>".to_owned();
    for (i, row) in rows.iter().enumerate() {
        text += &format!("<row r=\"{}\">", i + 1);
        for (j, cell) in row.iter().enumerate() {
            let name = name_of(i, j);
            text += &match cell {
                Number(value) => format!("<c r=\"{name}\"><v>{value}</v></c>"),
                Text(value) => format!(
                    "<c r=\"{name}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{value}</t></is></c>"
                ),
                Date(value) => format!("<c r=\"{name}\" s=\"1\"><v>{value}</v></c>"),
                Truth(value) => format!("<c r=\"{name}\" t=\"b\"><v>{}</v></c>", u8::from(*value)),
                Error(value) => format!("<c r=\"{name}\" t=\"e\"><v>{value}</v></c>"),
                Formula(formula, value) => {
                    format!("<c r=\"{name}\"><f>{formula}</f><v>{value}</v></c>")
                }
                Nothing => String::new(),
                Empty => format!("<c r=\"{name}\" s=\"1\"/>"),
            };
        }
        text += "</row>";
    }
    text + "</sheetData></worksheet>"
}

/// A workbook of these sheets.
fn workbook(sheets: &[(&str, Vec<Vec<Cell>>)]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let mut parts = vec![
        ("[Content_Types].xml".to_owned(), "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>".to_owned()),
        ("_rels/.rels".to_owned(), format!("<?xml version=\"1.0\"?><Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>")),
        ("xl/styles.xml".to_owned(), format!("<?xml version=\"1.0\"?><styleSheet xmlns=\"{MAIN}\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>")),
    ];
    let (mut list, mut relations) = (String::new(), String::new());
    for (i, (name, rows)) in sheets.iter().enumerate() {
        let i = i + 1;
        list += &format!("<sheet name=\"{name}\" sheetId=\"{i}\" r:id=\"rId{i}\"/>");
        relations += &format!(
            "<Relationship Id=\"rId{i}\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/sheet{i}.xml\"/>"
        );
        parts.push((format!("xl/worksheets/sheet{i}.xml"), sheet(rows)));
    }
    parts.push(("xl/workbook.xml".to_owned(), format!("<?xml version=\"1.0\"?><workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{list}</sheets></workbook>")));
    parts.push(("xl/_rels/workbook.xml.rels".to_owned(), format!("<?xml version=\"1.0\"?><Relationships xmlns=\"{RELATIONS}\">{relations}</Relationships>")));
    archive(&parts)
}

fn archive(parts: &[(String, String)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn source(bytes: &[u8]) -> Source {
    Source::stream("data", Cursor::new(bytes.to_vec())).unwrap()
}

/// All that a model learns from.
fn content(data: &Dataset) -> String {
    let mut rows = Vec::new();
    for row in data.rows.iter() {
        let mut entries = Vec::new();
        row.for_each(|j, x| entries.push((j, x.to_bits())));
        rows.push(entries);
    }
    let classes = data.classes(None).map_err(|error| error.to_string());
    format!("{:?} {rows:?} {classes:?}", data.schema)
}

fn as_csv(text: &str, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let delimiter = Some(Delimiter::Byte(b','));
    let format = Some(FormatKind::CSV);
    read(source(text.as_bytes()), &ReadOptions { delimiter, format, ..options.clone() })
}

fn header() -> Vec<Cell> {
    vec![Text("age"), Text("city"), Text("paid"), Text("class")]
}

fn rows() -> Vec<Vec<Cell>> {
    vec![
        header(),
        vec![Number("31"), Text("Rome, \"old\""), Truth(true), Text("yes")],
        vec![Formula("A2*2", "62.5"), Text("Oslo"), Truth(false), Text("no"), Empty],
        vec![Number("1E1"), Text("Oslo"), Truth(true), Text("no")],
        vec![Empty, Empty],
        Vec::new(),
    ]
}

const TABLE: &str =
    "age,city,paid,class\n31,\"Rome, \"\"old\"\"\",true,yes\n62.5,Oslo,false,no\n10,Oslo,true,no\n";

#[test]
fn a_sheet_is_a_table() {
    let found = read(source(&workbook(&[("Data", rows())])), &ReadOptions::default()).unwrap();
    assert_eq!(content(&found), content(&as_csv(TABLE, &ReadOptions::default()).unwrap()));
    assert_eq!(found.notes.arrangement.as_deref(), Some("an Excel workbook"));
    // Without names, and not at the upper left corner.
    let moved = |row: Vec<Cell>| [vec![Nothing, Empty], row].concat();
    let below = [vec![Vec::new()], rows()[1..].iter().cloned().map(moved).collect()].concat();
    let options = ReadOptions { header: Header::Absent, ..ReadOptions::default() };
    let found = read(source(&workbook(&[("Data", below)])), &options).unwrap();
    let bare = TABLE.split_once('\n').unwrap().1;
    assert_eq!(content(&found), content(&as_csv(bare, &options).unwrap()));
}

#[test]
fn dates_and_errors_are_text_and_missing_values() {
    let sheet = vec![
        vec![Text("day"), Text("a"), Text("class")],
        vec![Date("45322"), Number("1"), Text("x")],
        vec![Date("45323.5"), Error("#N/A"), Text("y")],
        vec![Date("45324"), Error("#DIV/0!"), Text("y")],
        vec![Date("45325"), Number("2"), Text("x")],
    ];
    let missing = vec![MissingOption { column: None, rule: MissingRule::Median, indicator: false }];
    let dates = Some(rosenblatt_data::DateOrder::Ymd);
    let options = ReadOptions { missing, dates, ..ReadOptions::default() };
    let found = read(source(&workbook(&[("Data", sheet)])), &options).unwrap();
    let table =
        "day,a,class\n2024-01-31,1,x\n2024-02-01 12:00:00,,y\n2024-02-02,,y\n2024-02-03,2,x\n";
    assert_eq!(content(&found), content(&as_csv(table, &options).unwrap()));
}

#[test]
fn a_title_is_above_the_table() {
    let title =
        |rows: Vec<Vec<Cell>>| [vec![vec![Text("Customers of 2024")], Vec::new()], rows].concat();
    let found =
        read(source(&workbook(&[("Data", title(rows()))])), &ReadOptions::default()).unwrap();
    assert_eq!(content(&found), content(&as_csv(TABLE, &ReadOptions::default()).unwrap()));
}

#[test]
fn a_sheet_may_be_named() {
    let other = vec![
        vec![Text("a"), Text("y")],
        vec![Number("1"), Text("p")],
        vec![Number("2"), Text("q")],
    ];
    let sheets = [("Empty", Vec::new()), ("Data", rows()), ("Other", other)];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.xlsx");
    std::fs::write(&path, workbook(&sheets)).unwrap();
    let open = |path: &std::path::Path| read(Source::open(path).unwrap(), &ReadOptions::default());
    let found = open(&path).unwrap();
    assert_eq!(found.rows.len(), 3);
    let words = "the sheet `Data`; the workbook has Empty, Data, Other";
    assert_eq!(found.notes.arrangement.as_deref(), Some(words));
    assert_eq!(open(&folder.path().join("book.xlsx#Other")).unwrap().rows.len(), 2);
    let error = open(&folder.path().join("book.xlsx#None")).unwrap_err().to_string();
    assert!(
        error.ends_with("book.xlsx#None: no sheet `None`; the sheets are Empty, Data, Other"),
        "{error}"
    );
}

fn problem(bytes: &[u8]) -> WorkbookProblem {
    let options = ReadOptions { format: Some(FormatKind::XLSX), ..ReadOptions::default() };
    match read(source(bytes), &options).unwrap_err() {
        ReadError::Format { problem, .. } => {
            problem.downcast_ref::<WorkbookProblem>().unwrap().clone()
        }
        error => panic!("{error}"),
    }
}

#[test]
fn a_workbook_out_of_proportion_is_refused() {
    let mut bomb = ZipWriter::new(Cursor::new(Vec::new()));
    let zeros = vec![b' '; 1 << 24];
    for i in 0..65 {
        bomb.start_file(format!("xl/{i}.xml"), SimpleFileOptions::default()).unwrap();
        bomb.write_all(&zeros).unwrap();
    }
    let bomb = bomb.finish().unwrap().into_inner();
    assert!(bomb.len() < 1 << 21, "{}", bomb.len());
    assert_eq!(problem(&bomb), WorkbookProblem::TooLarge { most: 1 << 30, what: "data" });
    // Few cells, far apart.
    let mut far = workbook(&[("Data", rows())]);
    assert!(matches!(problem(&far[..far.len() / 2]), WorkbookProblem::Damaged { .. }));
    far.truncate(0);
    assert!(matches!(problem(&far), WorkbookProblem::Damaged { .. }));
    assert_eq!(problem(&workbook(&[("Data", Vec::new())])), WorkbookProblem::NoCells);
}

fn cell(kind: u8) -> BoxedStrategy<(Cell, &'static str)> {
    let all = match kind {
        0 => vec![(Number("1"), "1"), (Number("2.5"), "2.5"), (Number("-300"), "-300")],
        1 => vec![(Text("red"), "red"), (Text("a,b"), "\"a,b\""), (Text("7"), "7"), (Nothing, "")],
        2 => vec![(Truth(true), "true"), (Truth(false), "false")],
        _ => vec![(Number("4"), "4"), (Error("#N/A"), ""), (Empty, ""), (Formula("1+1", "2"), "2")],
    };
    prop::sample::select(all).boxed()
}

proptest! {
    #[test]
    fn a_drawn_sheet_is_the_table_as_csv(
        columns in (2usize..20, prop::collection::vec(0u8..4, 1..4)).prop_flat_map(|(rows, kinds)| {
            let label = prop::sample::select(vec![(Text("p"), "p"), (Text("q"), "q")]).boxed();
            let cells = std::iter::once(cell(0)).chain(kinds.into_iter().map(cell)).chain([label]);
            cells.map(|cell| prop::collection::vec(cell, rows)).collect::<Vec<_>>()
        }),
        fills in any::<bool>(),
    ) {
        const NAMES: [&str; 4] = ["c0", "c1", "c2", "c3"];
        let width = columns.len() - 1;
        let names: Vec<&str> = NAMES[..width].iter().copied().chain(["class"]).collect();
        let mut sheet = vec![names.iter().map(|&name| Text(name)).collect::<Vec<_>>()];
        let mut table = names.join(",") + "\n";
        for row in 0..columns[0].len() {
            sheet.push(columns.iter().map(|column| column[row].0.clone()).collect());
            let cells: Vec<&str> = columns.iter().map(|column| column[row].1).collect();
            table += &(cells.join(",") + "\n");
        }
        let rule = MissingOption { column: None, rule: MissingRule::Median, indicator: false };
        let options = ReadOptions { missing: if fills { vec![rule] } else { Vec::new() }, ..ReadOptions::default() };
        let outcome = |read: Result<Dataset, ReadError>| match read {
            Ok(data) => content(&data),
            Err(error) => error.to_string(),
        };
        let found = outcome(read(source(&workbook(&[("Data", sheet)])), &options));
        prop_assert_eq!(found, outcome(as_csv(&table, &options)));
    }
}
