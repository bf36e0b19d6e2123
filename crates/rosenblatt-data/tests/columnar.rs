//! Parquet and Arrow files: the same table as CSV gives the same rows, bit for bit, and what is wrong is
//! told with its row and column.
#![cfg(feature = "columnar")]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{
    fmt::Debug,
    io::{Cursor, Seek, SeekFrom},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DictionaryArray, Float16Array,
    Float32Array, Float64Array, Int8Array, Int32Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, TimestampMillisecondArray, UInt64Array,
    cast::AsArray,
    types::{Float16Type, Float64Type, Int32Type, UInt32Type},
};
use arrow_ipc::{
    CompressionType,
    reader::FileReader,
    writer::{FileWriter, IpcWriteOptions, StreamWriter},
};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, GzipLevel, ZstdLevel},
    file::{
        metadata::{ColumnChunkMetaData, ParquetMetaDataWriter},
        properties::WriterProperties,
    },
};
use rosenblatt_data::{
    DataFiles, Dataset, Encoder, MissingOption, MissingRule, OnError, ReadError, ReadOptions,
    Reader, Source, pack, read,
};

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap()
}

fn parquet(table: &RecordBatch, compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(3))
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties)).unwrap();
    writer.write(table).unwrap();
    writer.close().unwrap();
    bytes
}

fn arrow_file(table: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut bytes = Vec::new();
    let mut writer =
        FileWriter::try_new_with_options(&mut bytes, &table.schema(), options).unwrap();
    let half = table.num_rows() / 2;
    writer.write(&table.slice(0, half)).unwrap();
    writer.write(&table.slice(half, table.num_rows() - half)).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn arrow_stream(table: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &table.schema()).unwrap();
    writer.write(table).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

/// The table in every form.
fn forms(table: &RecordBatch) -> Vec<Vec<u8>> {
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
    ];
    let mut forms: Vec<_> = compressions.into_iter().map(|way| parquet(table, way)).collect();
    let ways = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];
    forms.extend(ways.into_iter().map(|way| arrow_file(table, way)));
    forms.push(arrow_stream(table));
    forms
}

fn source(bytes: &[u8]) -> Source {
    Source::stream("data", Cursor::new(bytes.to_vec())).unwrap()
}

fn learn(bytes: &[u8], options: &ReadOptions) -> Result<Dataset, String> {
    read(source(bytes), options).map_err(|error| error.to_string())
}

/// Everything that training sees, with every bit.
fn seen(dataset: &Dataset) -> impl PartialEq + Debug + use<> {
    let bits = |dataset: &Dataset| {
        let mut all = Vec::new();
        for (i, row) in dataset.rows.iter().enumerate() {
            row.for_each(|j, x| all.push((i, j, x.to_bits())));
        }
        all
    };
    let ids = dataset.ids.clone();
    (bits(dataset), ids, dataset.schema.clone(), dataset.classes(None).unwrap())
}

fn example() -> (String, RecordBatch) {
    let csv = "small,big,half,single,double,flag,color,kind,text,label\n\
        1,-9007199254740993,0.5,0.1,0.1,true,red,a,free entry,no\n\
        -2,4,1.5,-3.25,1e300,false,green,b,,yes\n\
        3,9223372036854774784,-2,0,-0.0,true,red,a,a free b,no\n\
        4,0,7,1e-30,5e-324,false,blue,b, x ,yes\n"
        .replace("-9007199254740993", "-9007199254740992")
        .replace(",0.1,0.1,", ",0.10000000149011612,0.1,")
        .replace(",1e-30,", ",1.0000000031710769e-30,");
    let kinds: DictionaryArray<Int32Type> = vec!["a", "b", "a", "b"].into_iter().collect();
    let half = Float16Array::from_iter_values(
        [0.5, 1.5, -2.0, 7.0].map(<Float16Type as ArrowPrimitiveType>::Native::from_f64),
    );
    let table = table(vec![
        ("small", Arc::new(Int8Array::from(vec![1, -2, 3, 4]))),
        ("big", Arc::new(Int64Array::from(vec![-(1 << 53), 4, i64::MAX - 1023, 0]))),
        ("half", Arc::new(half)),
        ("single", Arc::new(Float32Array::from(vec![0.1, -3.25, 0.0, 1e-30]))),
        ("double", Arc::new(Float64Array::from(vec![0.1, 1e300, -0.0, 5e-324]))),
        ("flag", Arc::new(BooleanArray::from(vec![true, false, true, false]))),
        ("color", Arc::new(StringViewArray::from(vec!["red", "green", " red", "blue"]))),
        ("kind", Arc::new(kinds)),
        ("text", Arc::new(LargeStringArray::from(vec!["free entry", "", "a free b", " x "]))),
        ("label", Arc::new(StringArray::from(vec!["no", "yes", "no", "yes"]))),
    ]);
    (csv, table)
}

#[test]
fn the_same_table_is_the_same_data() {
    let (csv, table) = example();
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let plain = ReadOptions { ignore: names(&["text"]), ..ReadOptions::default() };
    let words = ReadOptions {
        text: names(&["text"]),
        features: names(&["color,double"]),
        ..ReadOptions::default()
    };
    let other = ReadOptions {
        target: Some("kind".to_owned()),
        ignore: names(&["text", "2"]),
        categorical: names(&["small"]),
        ..ReadOptions::default()
    };
    let with_ids = ReadOptions { id: Some("color".to_owned()), ..plain.clone() };
    for options in [plain, words, other, with_ids] {
        let format = Some(rosenblatt_data::FormatKind::CSV);
        let of_csv = read(source(csv.as_bytes()), &ReadOptions { format, ..options.clone() });
        let expected = of_csv.unwrap();
        for bytes in forms(&table) {
            let found = read(source(&bytes), &options).unwrap();
            assert_eq!(seen(&found), seen(&expected));
            // And for the model, from other columns in another order, without the label.
            let mut order: Vec<usize> = (0..table.num_columns()).rev().collect();
            order.retain(|&i| table.schema().field(i).name() != found.schema.target().unwrap());
            let turned = table.project(&order).unwrap();
            for bytes in forms(&turned) {
                let reader =
                    Reader::for_model(source(&bytes), &ReadOptions::default(), &found.schema, None);
                let encoder = Encoder::new(&found.schema);
                let rows = reader.unwrap().flat_map(|batch| {
                    let rows = encoder.encode_batch(batch.unwrap()).rows;
                    (0..rows.len()).map(|i| rows.row(i).to_vec()).collect::<Vec<_>>()
                });
                let all: Vec<_> =
                    (0..expected.rows.len()).map(|i| expected.rows.row(i).to_vec()).collect();
                assert_eq!(rows.collect::<Vec<_>>(), all);
            }
        }
    }
}

trait ToVec {
    fn to_vec(&self) -> Vec<(usize, u64)>;
}

impl ToVec for rosenblatt_core::data::Row<'_> {
    fn to_vec(&self) -> Vec<(usize, u64)> {
        let mut all = Vec::new();
        self.for_each(|j, x| all.push((j, x.to_bits())));
        all
    }
}

fn labels(n: usize) -> ArrayRef {
    Arc::new(StringArray::from_iter_values((0..n).map(|i| ["no", "yes"][i % 2])))
}

/// What is said of a table with this column of features in every form, and with the row left out.
fn fault(column: ArrayRef) -> String {
    let n = column.len();
    let table = table(vec![("x", column), ("y", labels(n))]);
    let mut said: Vec<String> = Vec::new();
    for bytes in forms(&table) {
        said.push(learn(&bytes, &ReadOptions::default()).unwrap_err());
        let options = ReadOptions { on_error: OnError::Skip, ..ReadOptions::default() };
        if let Ok(dataset) = learn(&bytes, &options) {
            assert_eq!((dataset.rows.len(), dataset.notes.skipped), (n - 1, 1));
            assert_eq!(dataset.notes.first_skipped.as_ref(), said.last());
            assert_eq!(dataset.classes(None).unwrap().1.len(), n - 1);
        }
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    said.remove(0)
}

/// Nulls and NaN are missing numbers; a null of a column of text is a category of its own, or its row is left out.
#[test]
fn missing_values_have_rules() {
    let number = Float64Array::from(vec![Some(1.0), None, Some(3.0), Some(f64::NAN), Some(5.0)]);
    let text = StringArray::from(vec![Some("a"), Some("b"), None, Some("a"), Some("b")]);
    let table = table(vec![("x", Arc::new(number)), ("k", Arc::new(text)), ("y", labels(5))]);
    let with = |rule| {
        let missing = vec![MissingOption { column: None, rule, indicator: false }];
        ReadOptions { missing, ..ReadOptions::default() }
    };
    for bytes in forms(&table) {
        let median = learn(&bytes, &with(MissingRule::Median)).unwrap();
        let mut numbers = vec![0.0; 5];
        for (i, row) in median.rows.iter().enumerate() {
            row.for_each(|j, x| numbers[i] = if j == 0 { x } else { numbers[i] });
        }
        assert_eq!(numbers, [1.0, 3.0, 3.0, 3.0, 5.0]);
        assert_eq!(median.schema.feature_names(), ["x", "k=", "k=a", "k=b"]);
        assert_eq!((median.notes.filled.len(), median.notes.filled[0].cells), (2, 2));
        let left = learn(&bytes, &with(MissingRule::Drop)).unwrap();
        assert_eq!((left.rows.len(), left.notes.dropped, left.notes.skipped), (2, 3, 0));
        assert_eq!(left.into_labels(), (vec![0, 0], vec!["no".to_owned()]));
    }
}

/// A batch of which no row is left, with two columns of text: its rows are left out like any others.
#[test]
fn no_row_of_a_batch_may_be_left() {
    let number = Float64Array::from(vec![None, Some(f64::NAN)]);
    let texts = || Arc::new(StringArray::from(vec!["a", "b"]));
    let table =
        table(vec![("x", Arc::new(number)), ("k", texts()), ("l", texts()), ("y", labels(2))]);
    let missing = vec![MissingOption { column: None, rule: MissingRule::Drop, indicator: false }];
    let dropped = ReadOptions { missing, ..ReadOptions::default() };
    let skipped = ReadOptions { on_error: OnError::Skip, ..ReadOptions::default() };
    for bytes in forms(&table) {
        for options in [&dropped, &skipped] {
            assert_eq!(learn(&bytes, options).map_or(0, |dataset| dataset.rows.len()), 0);
        }
    }
}

#[test]
fn faults_have_their_row_and_column() {
    let floats = |values: Vec<Option<f64>>| Arc::new(Float64Array::from(values)) as ArrayRef;
    let null = floats(vec![Some(1.0), Some(2.0), Some(3.0), None, Some(1.0), Some(0.5)]);
    assert_eq!(fault(null), "data: row 4: the cell of column `x` is null");
    for (value, text) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
        let column = floats(vec![Some(1.0), Some(2.0), Some(0.0), Some(3.0), Some(value)]);
        let expected = format!("data: row 5: `{text}` in column `x` is not a finite 64-bit number");
        assert_eq!(fault(column), expected);
    }
    let single = Arc::new(Float32Array::from(vec![f32::NAN, 1.0, 2.0, 3.0]));
    assert!(fault(single).starts_with("data: row 1: `NaN`"));
    let gap = "in column `x` has no exact 64-bit float: those past 2^53 have gaps";
    let big = (1i64 << 53) + 1;
    for value in [big, -big, i64::MAX] {
        let column = Arc::new(Int64Array::from(vec![0, 1, 2, value]));
        assert_eq!(fault(column), format!("data: row 4: the integer {value} {gap}"));
    }
    let column = Arc::new(UInt64Array::from(vec![1 << 63, 1, u64::MAX, 2]));
    assert_eq!(fault(column), format!("data: row 3: the integer {} {gap}", u64::MAX));
    let text = StringArray::from(vec![Some("a"), Some("b"), None, Some("a")]);
    assert_eq!(fault(Arc::new(text)), "data: row 3: the cell of column `x` is null");
    let text = StringArray::from(vec!["a", " ", "b", "a"]);
    assert_eq!(fault(Arc::new(text)), "data: row 2: the cell of column `x` is empty");
    let keys: DictionaryArray<Int32Type> =
        vec![Some("a"), Some("b"), Some("a"), None].into_iter().collect();
    assert_eq!(fault(Arc::new(keys)), "data: row 4: the cell of column `x` is null");
}

#[test]
fn labels_are_checked() {
    let x: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3, 4]));
    let said = |y: ArrayRef| {
        let table = table(vec![("x", x.clone()), ("y", y)]);
        let notes = learn(&arrow_stream(&table), &ReadOptions::default()).unwrap().notes;
        assert_eq!((notes.skipped, notes.no_examples), (1, 1));
        notes.first_skipped.unwrap()
    };
    let null = Int64Array::from(vec![Some(1), None, Some(0), Some(1)]);
    assert_eq!(said(Arc::new(null)), "data: row 2: the label (column `y`) is empty");
    let nan = Float64Array::from(vec![1.0, 0.0, f64::NAN, 0.0]);
    assert_eq!(
        said(Arc::new(nan)),
        "data: row 3: the label `NaN` is not a class: it is NaN or infinite"
    );
    // Numbers and truth values are labels as they are spelt in CSV.
    let of = |y: ArrayRef| {
        let table = table(vec![("x", x.clone()), ("y", y)]);
        let dataset = learn(&arrow_stream(&table), &ReadOptions::default()).unwrap();
        dataset.classes(None).unwrap().0.names().to_vec()
    };
    assert_eq!(of(Arc::new(Int8Array::from(vec![-1, 1, 10, 1]))), ["-1", "1", "10"]);
    assert_eq!(of(Arc::new(Float64Array::from(vec![1.0, 2.0, 1.0, 2.0]))), ["1.0", "2.0"]);
    assert_eq!(of(Arc::new(BooleanArray::from(vec![true, false, true, true]))), ["false", "true"]);
}

/// Rows that are parsed several at a time, in parts of batches: all threads, formats and CSV see the same, or the same fault.
#[test]
fn threads_change_nothing() {
    const ROWS: usize = 35_000;
    let x = |i: usize| (i % 7 != 3).then_some(i as f64 / 8.0);
    let n = |i: usize| i as i64 * 3 - 70_000;
    let name = |i: usize| (i % 11 != 5).then(|| format!("n{}", i % 5));
    let y = |i: usize| if i.is_multiple_of(3) { "no" } else { "yes" };
    let ids = |i: usize| format!("row {i}");
    let table = |n: &dyn Fn(usize) -> i64| {
        table(vec![
            ("id", Arc::new(StringArray::from_iter_values((0..ROWS).map(ids))) as ArrayRef),
            ("x", Arc::new((0..ROWS).map(x).collect::<Float64Array>())),
            ("n", Arc::new(Int64Array::from_iter_values((0..ROWS).map(n)))),
            ("name", Arc::new((0..ROWS).map(name).collect::<StringArray>())),
            ("y", Arc::new(StringArray::from_iter_values((0..ROWS).map(y)))),
        ])
    };
    let line = |i: usize| {
        let x = x(i).map_or(String::new(), |x| x.to_string());
        format!("{},{x},{},{},{}\n", ids(i), n(i), name(i).unwrap_or_default(), y(i))
    };
    let csv = "id,x,n,name,y\n".to_owned() + &(0..ROWS).map(line).collect::<String>();
    let options = |threads: usize| ReadOptions {
        id: Some("id".to_owned()),
        missing: vec!["median".parse().unwrap()],
        threads,
        ..ReadOptions::default()
    };
    let expected = seen(&learn(csv.as_bytes(), &options(1)).unwrap());
    let whole = table(&n);
    let inexact = table(&|i| if i == 30_001 { (1 << 53) + 1 } else { n(i) });
    let files = [1, 2, 3, 9].map(|threads| (threads, arrow_file(&whole, None)));
    for (threads, bytes) in files.into_iter().chain([(2, parquet(&whole, Compression::SNAPPY))]) {
        assert!(seen(&learn(&bytes, &options(threads)).unwrap()) == expected, "{threads}");
    }
    let error = learn(&arrow_stream(&inexact), &options(3)).unwrap_err();
    assert!(error.contains("row 30002") && error.contains("9007199254740993"), "{error}");
}

/// A row with nothing but a label is an example in every format, wherever it stands; with a text that is no label it is none.
#[test]
fn a_row_with_nothing_but_a_label_is_an_example() {
    let options = ReadOptions::default();
    let rows = [
        (Some(1), Some(5), "a"),
        (Some(2), Some(4), "b"),
        (None, None, "a"),
        (Some(3), Some(3), "b"),
    ];
    for first in 0..rows.len() {
        let at = |i: usize| rows[(first + i) % rows.len()];
        let column = |values: &mut dyn Iterator<Item = Option<i64>>| {
            Arc::new(values.collect::<Int64Array>()) as ArrayRef
        };
        let all = || (0..rows.len()).map(at);
        let labels = StringArray::from_iter_values(all().map(|row| row.2));
        let table = table(vec![
            ("x1", column(&mut all().map(|row| row.0))),
            ("x2", column(&mut all().map(|row| row.1))),
            ("y", Arc::new(labels)),
        ]);
        let cell = |value: Option<i64>| value.map_or(String::new(), |value| value.to_string());
        let line = |i: usize| format!("{},{},{}\n", cell(at(i).0), cell(at(i).1), at(i).2);
        let csv = "x1,x2,y\n".to_owned() + &(0..rows.len()).map(line).collect::<String>();
        let found = seen(&learn(csv.as_bytes(), &options).unwrap());
        // A stream of columns is not looked through before.
        let median = ReadOptions { missing: vec!["median".parse().unwrap()], ..options.clone() };
        assert!(found == seen(&learn(&arrow_stream(&table), &median).unwrap()), "{first}");
    }
    // A missing cell elsewhere makes it no example either.
    for x2 in ["4", ""] {
        let footer = format!("x1,x2,y\n1,5,a\n2,{x2},b\n3,3,b\n,,Total\n");
        let dataset = learn(footer.as_bytes(), &options).unwrap();
        assert_eq!((dataset.rows.len(), dataset.notes.skipped), (3, 1));
        assert_eq!(dataset.classes(None).unwrap().0.names(), ["a", "b"]);
    }
}

/// A column of a type that is no feature is left out and never read, unless it is named.
#[test]
fn other_types_are_refused_by_name() {
    let blob = BinaryArray::from(vec![b"\x00".as_slice(), b"\xff", b"", b"x"]);
    let x: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3, 4]));
    let table = table(vec![("blob", Arc::new(blob)), ("x", x), ("y", labels(4))]);
    let named = || vec!["blob".to_owned()];
    for bytes in forms(&table) {
        let dataset = learn(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(dataset.rows.features(), 1);
        let told: Vec<String> =
            dataset.notes.list(&dataset.schema).iter().map(|note| note.words.clone()).collect();
        assert!(told.iter().any(|note| note.contains("left out `blob`")), "{told:?}");
        let options = ReadOptions { features: named(), ..ReadOptions::default() };
        let error = learn(&bytes, &options).unwrap_err();
        assert_eq!(error, "data: column `blob` is of the type Binary, expected numbers or text");
        let options = ReadOptions { ignore: named(), ..ReadOptions::default() };
        assert_eq!(learn(&bytes, &options).unwrap().rows.features(), 1);
        let options = ReadOptions { target: Some("blob".to_owned()), ..ReadOptions::default() };
        let error = learn(&bytes, &options).unwrap_err();
        assert!(error.ends_with("expected numbers or text"), "{error}");
    }
}

/// A fault in a column that is not needed is not met, so the column was not read.
#[test]
fn only_needed_columns_are_read() {
    let x: ArrayRef = Arc::new(Int32Array::from_iter_values(0..10_000));
    let waste = StringArray::from_iter_values((0..10_000).map(|i| format!("{:x}", i * 7919)));
    let table = table(vec![("waste", Arc::new(waste)), ("x", x), ("y", labels(10_000))]);
    let mut bytes = parquet(&table, Compression::UNCOMPRESSED);
    // The pages of the first column come first in each group; each begins with its header.
    let needle = b"1eef";
    let at = bytes.windows(4).position(|window| window == needle).unwrap();
    bytes[at..at + 4].copy_from_slice(b"\xff\xff\xff\xff");
    let all = learn(&bytes, &ReadOptions::default()).unwrap_err();
    assert!(all.contains("UTF-8"), "{all}");
    let options = ReadOptions { ignore: vec!["waste".to_owned()], ..ReadOptions::default() };
    let dataset = learn(&bytes, &options).unwrap();
    assert_eq!((dataset.rows.len(), dataset.rows.features()), (10_000, 1));
    let schema = dataset.schema;
    let reader = Reader::for_model(source(&bytes), &ReadOptions::default(), &schema, None).unwrap();
    assert_eq!(reader.map(|batch| batch.unwrap().len()).sum::<usize>(), 10_000);
}

/// Buffers of one batch that are longer together than its body share bytes, which would multiply them.
#[test]
fn buffers_do_not_overlap() {
    let x: ArrayRef = Arc::new(Int64Array::from_iter_values(0..1000));
    let mut bytes = arrow_stream(&table(vec![("x", x), ("y", labels(1000))]));
    // The places of 1,000 texts claim the bytes of the texts too.
    let length = 4004u64.to_le_bytes();
    let at = bytes.windows(8).position(|window| window == length).unwrap();
    bytes[at..at + 8].copy_from_slice(&6500u64.to_le_bytes());
    let error = learn(&bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(error, "data: damaged metadata: buffers that overlap");
}

/// A page that claims four rows, where its group has three.
#[test]
fn a_group_has_no_more_values_than_rows() {
    let x: ArrayRef = Arc::new(Int64Array::from_iter_values([7; 3]));
    let mut bytes = parquet(&table(vec![("x", x), ("y", labels(3))]), Compression::UNCOMPRESSED);
    // The header of a page of three values, encoded as places in a dictionary.
    let header = [0x2c, 0x15, 6, 0x15, 16];
    let at = bytes.windows(5).position(|window| window == header).unwrap();
    bytes[at + 2] = 8;
    let error = learn(&bytes, &ReadOptions::default()).unwrap_err();
    assert!(error.contains("damaged: more values than rows"), "{error}");
}

/// A model finds its columns, and says which it misses.
#[test]
fn a_model_needs_its_columns() {
    let (_, whole) = example();
    let options = ReadOptions { ignore: vec!["text".to_owned()], ..ReadOptions::default() };
    let schema = learn(&arrow_stream(&whole), &options).unwrap().schema;
    let without = whole.project(&[0, 1, 2, 3, 4, 5, 6]).unwrap();
    let open = |table: &RecordBatch| {
        let made = Reader::for_model(source(&arrow_stream(table)), &options, &schema, None);
        made.err().map(|error| error.to_string())
    };
    let error = open(&without).unwrap();
    assert!(error.contains("the model needs the column `kind`"), "{error}");
    let mut columns: Vec<(String, ArrayRef)> = (0..whole.num_columns())
        .map(|i| (whole.schema().field(i).name().clone(), whole.column(i).clone()))
        .collect();
    columns[0].1 = whole.column(6).clone();
    let columns = columns.iter().map(|(name, array)| (name.as_str(), array.clone())).collect();
    // Text is read as numbers where it is one in each row.
    let texts = arrow_stream(&table(columns));
    let mut reader = Reader::for_model(source(&texts), &options, &schema, None).unwrap();
    let error = reader.find_map(Result::err).unwrap().to_string();
    assert_eq!(error, "data: row 1: `red` in column `small` is not a number");
}

/// Older programs write that the dictionary of a column without one is at byte 0.
#[test]
fn a_dictionary_at_byte_0_is_none() {
    let x: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3, 4]));
    let table = table(vec![("x", x), ("y", labels(4))]);
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties)).unwrap();
    writer.write(&table).unwrap();
    let metadata = writer.close().unwrap();
    let expected = learn(&bytes, &ReadOptions::default()).unwrap();
    let column = |column: &ColumnChunkMetaData| {
        column.clone().into_builder().set_dictionary_page_offset(Some(0)).build().unwrap()
    };
    let columns = metadata.row_group(0).columns().iter().map(column).collect();
    let group = metadata.row_group(0).clone().into_builder().set_column_metadata(columns).build();
    let metadata = metadata.into_builder().set_row_groups(vec![group.unwrap()]).build();
    let footer = u32::from_le_bytes(*bytes[..bytes.len() - 4].last_chunk().unwrap()) as usize;
    bytes.truncate(bytes.len() - 8 - footer);
    let mut with_footer = Cursor::new(bytes);
    with_footer.seek(SeekFrom::End(0)).unwrap();
    ParquetMetaDataWriter::new(&mut with_footer, &metadata).finish().unwrap();
    let found = learn(&with_footer.into_inner(), &ReadOptions::default()).unwrap();
    assert_eq!(seen(&found), seen(&expected));
}

/// A generator of its own: xorshift64*, Vigna 2016.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// Bytes that were changed anywhere give data or an error.
#[test]
fn changed_files_do_no_harm() {
    let (_, table) = example();
    let mut random = Random(1957);
    let options = ReadOptions { max_features: 1 << 20, ..ReadOptions::default() };
    let forms = forms(&table);
    for round in 0..3000 {
        let mut bytes = forms[round % forms.len()].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = match random.below(4) {
                0 => random.below(256) as u8,
                1 => 0xff,
                2 => 0,
                _ => bytes[at] ^ (1 << random.below(8)),
            };
        }
        let _ = read(source(&bytes), &options);
    }
}

/// A file that is cut off anywhere is an error.
#[test]
fn files_that_are_cut_off_are_refused() {
    let (_, table) = example();
    let options = ReadOptions { ignore: vec!["text".to_owned()], ..ReadOptions::default() };
    let mut forms = forms(&table);
    let stream = forms.pop().unwrap();
    for bytes in forms {
        for length in (8..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            let error = read(source(&bytes[..length]), &options).unwrap_err();
            assert!(matches!(error, ReadError::Format { .. }), "{error}");
        }
    }
    // A stream may end after any of its batches without saying so.
    for length in 8..stream.len() - 8 {
        assert!(read(source(&stream[..length]), &options).is_err());
    }
}

/// A packed file is an Arrow file to others: what they read of it is what was packed.
#[test]
fn packed_files_are_arrow_files() {
    let folder = tempfile::tempdir().unwrap();
    let (data, packed) = (folder.path().join("data"), folder.path().join("packed"));
    let open = |text: &str, options: &ReadOptions| {
        std::fs::write(&data, text).unwrap();
        pack(DataFiles { data: &data, more: &[], labels: None }, options, &packed).unwrap();
        let file = std::fs::File::open(&packed).unwrap();
        let batches = FileReader::try_new(file, None).unwrap();
        assert!(batches.schema().metadata().contains_key("rosenblatt"));
        let batches: Vec<RecordBatch> = batches.map(Result::unwrap).collect();
        let labels = batches[0].column(1).as_dictionary::<UInt32Type>().clone();
        let labels = labels.downcast_dict::<StringArray>().unwrap();
        let labels: Vec<String> = labels.into_iter().flatten().map(str::to_owned).collect();
        (batches[0].column(0).clone(), labels)
    };
    let (features, labels) =
        open("a,b,y\n1,2.5,no\n-3,1e300,yes\n4,0,no\n", &ReadOptions::default());
    let features = features.as_fixed_size_list();
    let values = features.values().as_primitive::<Float64Type>();
    assert_eq!(
        (features.value_length(), values.values().as_ref()),
        (2, &[1.0, 2.5, -3.0, 1e300, 4.0, 0.0][..])
    );
    assert_eq!(labels, ["no", "yes", "no"]);
    let (features, labels) = open("+1 2:0.5 7:2\n-1\n+1 1:3\n", &ReadOptions::default());
    let features = features.as_list::<i64>();
    assert_eq!(features.value_offsets(), [0, 2, 2, 3]);
    let entries = features.values().as_struct();
    assert_eq!(entries.column(0).as_primitive::<UInt32Type>().values().as_ref(), [1, 6, 0]);
    assert_eq!(entries.column(1).as_primitive::<Float64Type>().values().as_ref(), [0.5, 2.0, 3.0]);
    assert_eq!(labels, ["+1", "-1", "+1"]);
}

/// A name or a text of a file makes no message as long as the file.
#[test]
fn messages_quote_the_beginning_of_long_texts() {
    let long = "ä".repeat(100_000);
    let numbers = || Arc::new(Float64Array::from(vec![Some(1.0), None])) as ArrayRef;
    let texts = |texts: [&str; 2]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
    let times = || Arc::new(TimestampMillisecondArray::from(vec![1, 2])) as ArrayRef;
    let tables = [
        table(vec![(&long, numbers()), ("y", texts(["a", "b"]))]),
        table(vec![("x", numbers()), (&long, texts(["a", "b"]))]),
        table(vec![(&long, times()), ("y", texts(["a", "b"]))]),
        table(vec![("x", texts(["u", "v"])), ("y", texts([&long, &long]))]),
        table(vec![(&long, numbers()), (&long, numbers()), ("y", texts(["a", "b"]))]),
    ];
    for table in tables {
        for bytes in forms(&table) {
            for target in [None, Some("nosuch".to_owned()), Some(long.clone())] {
                let options = ReadOptions { target, ..ReadOptions::default() };
                let source = Source::stream("data", Cursor::new(bytes.clone())).unwrap();
                let said = match read(source, &options) {
                    Err(error) => error.to_string(),
                    Ok(dataset) => match dataset.classes(None) {
                        Err(error) => error.to_string(),
                        Ok(_) => String::new(),
                    },
                };
                assert!(said.chars().count() < 1_000, "{}", said.chars().count());
            }
        }
    }
}
