//! The promise of the reader: blocks, threads and layouts change nothing, and faults keep their line.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{
    fmt::Write as _,
    fs,
    io::{self, Cursor, Read, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use rosenblatt_core::data::Rows;
use rosenblatt_data::{FormatKind, Header, ReadError, ReadOptions, Source, read};

fn source(text: &str) -> Source {
    Source::stream("data", Cursor::new(text.as_bytes().to_vec())).unwrap()
}

fn options(kind: FormatKind, threads: usize) -> ReadOptions {
    let header = if kind == FormatKind::CSV { Header::Absent } else { Header::default() };
    ReadOptions { format: Some(kind), header, threads, ..ReadOptions::default() }
}

/// Whoever uses the library has no command: what it says names no option of one. Comments may.
#[test]
fn no_text_of_the_library_names_an_option_of_the_command() {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, found),
                false => found.push(path),
            }
        }
    }
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 50, "{}", all.len());
    for file in all {
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let (code, _) = line.split_once("//").unwrap_or((line, ""));
            let option = code.match_indices("--").find(|(at, _)| {
                code[at + 2..].starts_with(|next: char| next.is_ascii_alphabetic())
            });
            assert_eq!(option, None, "{}:{}: {line}", file.display(), number + 1);
        }
    }
}

/// All entries that are not zero, as (row, feature, bits).
fn entries(rows: &Rows<'_>) -> Vec<(usize, usize, u64)> {
    let mut all = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        row.for_each(|j, x| {
            if x != 0.0 {
                all.push((i, j, x.to_bits()));
            }
        });
    }
    all
}

/// Three mebibytes make several blocks; a fault in the last one has its own line all the same.
#[test]
fn faults_far_into_a_file_have_their_line() {
    for kind in [FormatKind::CSV, FormatKind::LIBSVM] {
        let row = if kind == FormatKind::CSV { "1.25,2.5,0\n" } else { "0 1:1.25 2:2.5\n" };
        let lines = 3 * (1 << 20) / row.len();
        let text =
            row.repeat(lines) + if kind == FormatKind::CSV { "1,x,0\n" } else { "0 1:1 2:x\n" };
        for threads in [1, 2, 5] {
            match read(source(&text), &options(kind, threads)).unwrap_err() {
                ReadError::Data { line, column, .. } => {
                    let expected = if kind == FormatKind::CSV { 3 } else { 9 };
                    assert_eq!((line, column), (lines as u64 + 1, expected));
                }
                other => panic!("{other}"),
            }
        }
    }
}

/// A quoted line break at every place of a block's end.
#[test]
fn quoted_line_breaks_do_not_end_rows() {
    let row = "\"a\nb\",1,\"x \"\"y\"\",\"\n";
    let text = row.repeat(150_000);
    let dataset = read(source(&text), &options(FormatKind::CSV, 2)).unwrap();
    assert_eq!((dataset.rows.len(), dataset.rows.features()), (150_000, 2));
}

/// A long row is told as what it is, also where the bytes are compressed.
#[test]
fn a_long_row_is_no_damage() {
    let long = "a".repeat((1 << 27) + 1);
    let table = format!("x,y\n1,a\n2,b\n{long}");
    for (bytes, line) in [(gzip(table.as_bytes()), 4), (gzip(long.as_bytes()), 1)] {
        let source = Source::stream("data", Cursor::new(bytes)).unwrap();
        let options = ReadOptions { header: Header::Expected, ..options(FormatKind::CSV, 1) };
        let error = read(source, &options).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("data:{line}:1: the row that begins here is longer than 128 MiB")
        );
    }
}

/// A stream of labels or categories that never ends, but for the bytes that the test allows.
struct Endless {
    line: fn(u64) -> String,
    next: u64,
    rest: Vec<u8>,
    /// How many bytes were given.
    given: Arc<AtomicUsize>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            for _ in 0..1000 {
                self.rest.extend((self.line)(self.next).into_bytes());
                self.next += 1;
            }
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        assert!(self.given.fetch_add(length, Ordering::Relaxed) < 1 << 26, "the limit was passed");
        Ok(length)
    }
}

/// Reads lines without end, and gives the error and how many bytes were read till then.
fn endless(line: fn(u64) -> String, options: &ReadOptions) -> (String, usize) {
    let given = Arc::new(AtomicUsize::new(0));
    let stream = Endless { line, next: 0, rest: Vec::new(), given: Arc::clone(&given) };
    let error = read(Source::stream("data", stream).unwrap(), options).unwrap_err().to_string();
    (error, given.load(Ordering::Relaxed))
}

/// More labels than can be classes are an error as soon as that shows, and not before.
#[test]
fn too_many_labels_are_noticed_when_they_come() {
    let (max_labels, target) = (Some(1000), Some("2".to_owned()));
    let options = ReadOptions { max_labels, target, ..options(FormatKind::CSV, 1) };
    let (error, read_bytes) = endless(|i| format!("1,{i}\n"), &options);
    let expected = "data: found more than 1000 different labels (0, 1, 2, 3, 4, 5, …), at most 1000 can be classes";
    assert_eq!(error, expected);
    assert!(read_bytes < 1 << 22, "{read_bytes} bytes");
    // Many spellings of few numbers are few classes: `1.00…0` of 1 to 300 zeros.
    let spelt: String =
        (0..6000).map(|i| format!("1,{}.{}\n", i % 20, "0".repeat(1 + i / 20))).collect();
    let dataset = read(source(&spelt), &options).unwrap();
    assert_eq!(dataset.classes(None).unwrap().0.names().len(), 20);
    // One text among them, and every spelling is a class.
    let error = read(source(&(spelt + "1,one\n")), &options).unwrap_err().to_string();
    assert!(error.contains("found more than 1000 different labels (0.0, 0.00, "), "{error}");
    // Against the rest any number is right.
    let many: String = (0..5000).map(|i| format!("1,{i}\n")).collect();
    let any = ReadOptions { max_labels: None, ..options };
    let dataset = read(source(&many), &any).unwrap();
    assert_eq!(dataset.classes(Some("7")).unwrap().0.names(), ["not 7", "7"]);
}

/// Categories are features, of which there are at most as many as allowed; the error names the column.
#[test]
fn too_many_categories_are_noticed_when_they_come() {
    let categorical = vec!["2".to_owned()];
    let options = ReadOptions { max_features: 50_000, categorical, ..options(FormatKind::CSV, 1) };
    let (error, read_bytes) = endless(|i| format!("c{},n{i},{}\n", i % 3, i % 2), &options);
    assert!(error.starts_with("data: "), "{error}");
    assert!(error.contains(" features, counting one for each category ("), "{error}");
    assert!(error.ends_with(" of column `2`), the limit is 50000"), "{error}");
    assert!(read_bytes < 1 << 22, "{read_bytes} bytes");
}

/// An IDX file of bytes.
fn idx(sizes: &[u32], values: &[u8]) -> Vec<u8> {
    let mut file = vec![0, 0, 8, sizes.len() as u8];
    sizes.iter().for_each(|size| file.extend(size.to_be_bytes()));
    file.extend_from_slice(values);
    file
}

/// A way to compress, or none.
type Packed = fn(&[u8]) -> Vec<u8>;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Four mebibytes of records that end nowhere near a block's end: threads and compressions give the
/// same rows and labels, and a record too few or too many is found.
#[test]
fn records_are_the_same_in_every_form() {
    const RECORDS: usize = 60_013;
    let values: Vec<u8> = (0..RECORDS * 70).map(|i| (i * i % 251 / 5) as u8).collect();
    let classes: Vec<u8> = (0..RECORDS).map(|i| (i % 7 / 4) as u8).collect();
    let data = idx(&[RECORDS as u32, 7, 10], &values);
    let labels = idx(&[RECORDS as u32], &classes);
    let form = |bytes: Vec<u8>| Source::stream("data", Cursor::new(bytes)).unwrap();
    let forms: [Packed; 3] = [<[u8]>::to_vec, gzip, |bytes| zstd::encode_all(bytes, 1).unwrap()];
    let floats: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
    let expected = entries(&Rows::dense(floats, 70).unwrap());
    for (threads, packed) in [1, 2, 5].into_iter().zip(forms) {
        let options = ReadOptions { threads, ..ReadOptions::default() };
        let source = form(packed(&data)).with_labels(form(packed(&labels)));
        let dataset = read(source, &options).unwrap();
        assert!(entries(&dataset.rows) == expected);
        let (_, numbers) = dataset.classes(None).unwrap();
        assert!(numbers.iter().zip(&classes).all(|(&number, &class)| number == u32::from(class)));
        for (bytes, problem) in [
            (&data[..data.len() - 71], "the file ends after 60011 whole records"),
            (&[&data[..], &[0; 70]].concat(), "bytes after the end of the 60013 records"),
        ] {
            let source = form(packed(bytes)).with_labels(form(packed(&labels)));
            let error = read(source, &options).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The shortest text of any finite number comes back with the same bits, from both formats.
    #[test]
    fn numbers_come_back(
        rows in (1usize..5).prop_flat_map(|d| {
            let finite = any::<f64>().prop_filter("finite", |x| x.is_finite());
            prop::collection::vec(prop::collection::vec(finite, d), 1..6)
        }),
    ) {
        let (mut csv, mut libsvm) = (String::new(), String::new());
        for (i, row) in rows.iter().enumerate() {
            write!(libsvm, "{}", i % 2).unwrap();
            for (j, x) in row.iter().enumerate() {
                write!(csv, "{x:e},").unwrap();
                write!(libsvm, " {}:{x:?}", j + 1).unwrap();
            }
            writeln!(csv, "{}", i % 2).unwrap();
            writeln!(libsvm).unwrap();
        }
        let expected = entries(&Rows::dense(rows.concat(), rows[0].len()).unwrap());
        for (text, kind) in [(csv, FormatKind::CSV), (libsvm, FormatKind::LIBSVM)] {
            let dataset = read(source(&text), &options(kind, 1)).unwrap();
            prop_assert_eq!(entries(&dataset.rows), &expected[..]);
        }
    }

    /// Decimal numbers are the nearest floats: compared with the standard library's conversion.
    #[test]
    fn numbers_are_correctly_rounded(digits in "[0-9]{1,25}\\.[0-9]{1,25}", exponent in -330i32..310) {
        let text = format!("{digits}e{exponent}");
        let nearest: f64 = text.parse().unwrap();
        match read(source(&format!("{text},0\n")), &options(FormatKind::CSV, 1)) {
            Ok(dataset) => {
                let expected = Rows::dense(vec![nearest], 1).unwrap();
                prop_assert_eq!(entries(&dataset.rows), entries(&expected));
            }
            Err(error) => prop_assert!(nearest.is_infinite(), "{}: {}", text, error),
        }
    }
}

/// A record has the prediction of its row in a file, with or without a header, whatever its cells hold.
#[test]
fn a_record_is_predicted_as_its_row() {
    let read = |text: &'static str, header| {
        let options = ReadOptions { header, ..ReadOptions::default() };
        rosenblatt_data::Dataset::from_reader(text.as_bytes(), &options).unwrap()
    };
    let perceptron = rosenblatt::Perceptron::new();
    let named = read("a,\"b,\"\"c\",y\n1,x,no\n4,\"u,v\",yes\n", Header::Expected);
    let file = named.fit(&perceptron).unwrap();
    let label =
        |cells: &[(&str, &str)]| file.predict_record(cells).map(|found| found.label().to_owned());
    assert_eq!(label(&[("a", "1"), ("b,\"c", "x")]).unwrap(), "no");
    assert_eq!(label(&[("b,\"c", "u,v"), ("a", "4"), ("other", "?")]).unwrap(), "yes");
    let missing = label(&[("a", "1")]).unwrap_err().to_string();
    assert_eq!(missing, "the record has no cell for the column `b,\"c`");
    assert!(label(&[("a", "one"), ("b,\"c", "x")]).is_err());

    let plain = read("1,2,no\n5,1,yes\n", Header::Absent).fit(&perceptron).unwrap();
    let found = plain.predict_record(&[("1", "5"), ("2", "1")]).unwrap();
    assert_eq!(found.label(), "yes");
}

/// The signs of the training file are no signs of a record or of a text that a program writes.
#[test]
fn signs_of_the_training_file_are_none_of_a_record() {
    let text = "a\tb\ty\n1\t\"x\tno\n4\tu,v\tyes\n2\t\"x\tno\n5\tu,v\tyes\n";
    let options =
        ReadOptions { quotes: false, format: Some(FormatKind::TSV), ..ReadOptions::default() };
    let dataset = rosenblatt_data::Dataset::from_reader(text.as_bytes(), &options).unwrap();
    let file = dataset.fit(&rosenblatt::Perceptron::new()).unwrap();
    let label =
        |b| file.predict_record(&[("b", b), ("a", "3")]).map(|found| found.label().to_owned());
    assert_eq!(label("\"x").unwrap(), "no");
    assert_eq!(label("u,v").unwrap(), "yes");
}

/// Of a text in memory all rows decide, not only those of the first block.
#[test]
fn all_rows_of_a_text_in_memory_decide() {
    let mut text = "a,y\n".to_owned();
    for row in 0..200_000 {
        writeln!(text, "1234567.25,{}", row % 2).unwrap();
    }
    text.push_str("1,5,0\n");
    let options = ReadOptions::default().of_plain_csv();
    let error = read(Source::text("t", text.replace("1,5,0", "many,0")), &options).unwrap_err();
    assert!(error.to_string().starts_with("t:200002:1: "), "{error}");
}

proptest! {
    /// A file that is read by its own schema gives its own rows, in blocks of any size and order of columns.
    #[test]
    fn a_file_by_its_own_schema_has_its_own_rows(
        rows in prop::collection::vec((-9i32..9, 0usize..3, prop::option::of(-9i32..9), 0u8..2), 2..40),
    ) {
        let cell = |value: Option<i32>| value.map_or_else(String::new, |value| value.to_string());
        let (mut text, mut turned) = ("a,b,c,y\n".to_owned(), "c,y,b,a\n".to_owned());
        for (a, b, c, y) in &rows {
            let b = ["red", "blue", "deep green"][*b];
            writeln!(text, "{a},{b},{},{y}", cell(*c)).unwrap();
            writeln!(turned, "{},{y},{b},{a}", cell(*c)).unwrap();
        }
        let missing = vec!["median".parse().unwrap()];
        let target = Some("y".to_owned());
        let options = ReadOptions { missing, target, ..ReadOptions::default().of_plain_csv() };
        let Ok(dataset) = read(Source::text("t", text), &options) else { return Ok(()) };
        let options = ReadOptions::default().of_plain_csv();
        for labels in [true, false] {
            let source = Source::text("t", turned.clone());
            let like = rosenblatt_data::read_like(source, &options, &dataset.schema, labels).unwrap();
            prop_assert_eq!(entries(&like.rows), entries(&dataset.rows));
            prop_assert_eq!(like.labels, labels.then(|| dataset.clone().into_labels()));
        }
    }
}
