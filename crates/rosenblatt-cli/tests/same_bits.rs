//! One data set in every form gives the same bits of the model.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::io::Write;

use common::{Desk, idx, own_data, root, tensors};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use rosenblatt::{Perceptron, Rows};
use rosenblatt_data::ModelFile;

/// Rows of numbers and the label of each.
type Table = Vec<(Vec<f64>, bool)>;

fn csv(table: &Table, delimiter: &str, end: &str, quote: &str) -> String {
    let mut text = String::new();
    for (values, label) in table {
        for value in values {
            text += &format!("{quote}{value:?}{quote}{delimiter}");
        }
        text += &format!("{}{end}", if *label { "1" } else { "-1" });
    }
    text
}

fn json_objects(table: &Table) -> Vec<String> {
    let object = |(values, label): &(Vec<f64>, bool)| {
        let cells = values.iter().zip(1..).map(|(value, i)| format!("\"{i}\": {value:?}, "));
        let label = if *label { "1" } else { "-1" };
        format!("{{{}\"label\": {label}}}", cells.collect::<String>())
    };
    table.iter().map(object).collect()
}

/// The numbers of each column together, by their rows.
fn json_columns(table: &Table) -> String {
    let rows = |cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> =
            (0..table.len()).map(|row| format!("\"{row}\":{}", cell(row))).collect();
        format!("{{{}}}", cells.join(","))
    };
    let column = |column: usize| {
        format!("\"{}\":{}", column + 1, rows(&|row| format!("{:?}", table[row].0[column])))
    };
    let columns: Vec<String> = (0..table[0].0.len()).map(column).collect();
    let label = rows(&|row| if table[row].1 { "1" } else { "-1" }.to_owned());
    format!("{{{},\"label\":{label}}}", columns.join(","))
}

fn arff(table: &Table) -> String {
    let names = 1..=table[0].0.len();
    let attributes: String = names.map(|i| format!("@attribute {i} numeric\n")).collect();
    format!(
        "% numbers\n@relation x\n{attributes}@attribute label {{1,-1}}\n@data\n{}",
        csv(table, ",", "\n", "")
    )
}

fn libsvm(table: &Table, stored_zeros: bool) -> String {
    let mut text = String::new();
    for (values, label) in table {
        text += if *label { "+1" } else { "-1" };
        for (j, value) in values.iter().enumerate() {
            let last = j + 1 == values.len();
            if *value != 0.0 || stored_zeros || last {
                text += &format!(" {}:{value:?}", j + 1);
            }
        }
        text += "\n";
    }
    text
}

/// The values as IDX data of 64-bit floats, and the labels.
fn idx_files(table: &Table) -> (Vec<u8>, Vec<u8>) {
    let sizes = [table.len() as u32, table[0].0.len() as u32];
    let values = table.iter().flat_map(|(values, _)| values.iter().flat_map(|x| x.to_be_bytes()));
    let labels: Vec<u8> = table.iter().map(|(_, label)| if *label { 1 } else { 255 }).collect();
    (idx(0x0e, &sizes, &values.collect::<Vec<u8>>()), idx(9, &sizes[..1], &labels))
}

fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// Trains on every form of the table; all models must have the bits of the first.
fn all_forms(table: &Table, options: &str) {
    let desk = Desk::new();
    let plain = csv(table, ",", "\n", "");
    desk.write("plain.csv", &plain);
    desk.write("windows.csv", "\u{feff}".to_owned() + &csv(table, ",", "\r\n", ""));
    desk.write("quoted.csv", csv(table, ",", "\n\n", "\""));
    desk.write("tabs.tsv", csv(table, "\t", "\n", "").trim_end());
    desk.write("blanks.data", csv(table, "  ", "\n", ""));
    desk.write("packed.csv.gz", gzip(&plain));
    desk.write("packed.csv.zst", zstd::encode_all(plain.as_bytes(), 1).unwrap());
    // Two members one after another are one gzip file; so are two zstd frames.
    let (first, second) = plain.split_at(plain.find('\n').unwrap() + 1);
    desk.write("members.csv.gz", [gzip(first), gzip(second)].concat());
    let frame = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    desk.write("frames.csv.zst", [frame(first), frame(second)].concat());
    let objects = json_objects(table);
    desk.write("lines.jsonl", objects.join("\n"));
    desk.write("list.json", format!("[\n{}\n]\n", objects.join(",\n")));
    desk.write("columns.json", json_columns(table));
    desk.write("table.arff", arff(table));
    desk.write("sparse.svm", libsvm(table, false));
    desk.write("full.svm", libsvm(table, true));
    let (values, labels) = idx_files(table);
    desk.write("images-idx2-ubyte", &values);
    desk.write("packed-images-idx2-ubyte.gz", gzip(&values));
    desk.write("labels-idx1-ubyte.zst", zstd::encode_all(&labels[..], 1).unwrap());
    desk.write("packed-labels-idx1-ubyte.gz", gzip(&labels));
    let forms = [
        "plain.csv --no-header",
        "plain.csv --no-header --threads 1",
        "windows.csv --no-header",
        "quoted.csv --no-header",
        "tabs.tsv --no-header",
        "blanks.data --no-header --delimiter space",
        "packed.csv.gz --no-header",
        "packed.csv.zst --no-header",
        "members.csv.gz --no-header",
        "frames.csv.zst --no-header",
        "lines.jsonl",
        "list.json --threads 3",
        "columns.json",
        "table.arff --threads 2",
        "sparse.svm",
        "full.svm --threads 3",
        "images-idx2-ubyte",
        "packed-images-idx2-ubyte.gz --threads 3",
    ];
    let models = forms.map(|form| {
        desk.succeed(&format!("train {form} {options} -q -o model"));
        tensors(&desk.read("model"))
    });
    let stdin = desk
        .run_with_input(&format!("train - --no-header {options} -q -o model"), plain.as_bytes());
    assert_eq!(stdin.code, 0, "{}", stdin.stderr);
    assert_eq!(tensors(&desk.read("model")), models[0], "stdin");
    for (form, model) in forms.iter().zip(&models) {
        assert_eq!(model, &models[0], "{form} {options}");
    }
}

#[test]
fn sonar() {
    let text = own_data("sonar.csv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let (label, values) = cells.split_last().unwrap();
        (values.iter().map(|value| value.parse().unwrap()).collect(), *label == "R")
    };
    let table: Table = text.lines().skip(1).map(row).collect();
    for options in [
        "--epochs 20",
        "--epochs 20 --keep average --scale standard",
        "--epochs 20 --keep pocket --bias radius --mistake label --order given",
        "--epochs 20 --scale minmax --init random --seed 7 --class-weight balanced",
        "--epochs 20 --scale maxabs --bias none --eta 0.3",
        "--epochs 20 --normalise l2",
        "--epochs 20 --weighting log --normalise l2",
        "--epochs 5 --weighting tfidf --scale standard --keep average",
        "--epochs 5 --scale standard --normalise l1 --kernel poly:2",
        "--epochs 5 --normalise max --keep vote",
        "--epochs 5 --keep vote",
        "--epochs 5 --kernel poly:3 --keep average",
        "--epochs 5 --kernel rbf:0.5 --keep vote --memory 100K --bias radius",
        "--epochs 3 --kernel linear --update pa1:0.1 --keep pocket",
        "--epochs 5 --update arow:3 --bias radius",
        "--epochs 5 --update second-order:0.3 --keep pocket",
    ] {
        all_forms(&table, options);
    }
}

/// Numbers from 0 to `n` − 1 that look random.
fn mixed(i: usize, j: usize, n: u32) -> f64 {
    let hash = (i as u32 * 31 + j as u32 * 7 + 5).wrapping_mul(2_654_435_761);
    f64::from((hash >> 16) % n)
}

/// Without an option, files of each kind have the bits of every format and of the library.
#[test]
fn without_an_option() {
    let dense = |i, j| mixed(i, j, 100) / 8.0 - 3.0;
    let one_hot = |i: usize, j| f64::from(i * i % 7 == j);
    let counts = |i, j| if mixed(i, j, 5) == 0.0 { mixed(i, j + 9, 4) } else { 0.0 };
    let far = |i, j| [1_600_000_000.0, 1990.0, 273.15, 48.1, 0.0, 1e9][j] + mixed(i, j, 60) / 4.0;
    let kinds: [&dyn Fn(usize, usize) -> f64; 4] = [&dense, &one_hot, &counts, &far];
    for value in kinds {
        let row = |i| (0..6).map(|j| value(i, j)).collect::<Vec<_>>();
        let table: Table =
            (0..60).map(row).enumerate().map(|(i, row)| (row, (i * i + 5 * i) % 7 < 3)).collect();
        let columns = (0..6).map(|j| table.iter().map(|(row, _)| row[j]).collect::<Vec<_>>());
        assert!(columns.filter(|column| column.iter().any(|x| *x != column[0])).count() > 3);
        all_forms(&table, "");
        all_forms(&table, "--scale none");
        let desk = Desk::with(&[("plain.csv", &csv(&table, ",", "\n", ""))]);
        desk.succeed("pack plain.csv --no-header -o packed.arrow");
        desk.succeed("train packed.arrow -o packed.model");
        desk.succeed("train plain.csv --no-header -o plain.model");
        assert_eq!(desk.read("packed.model"), desk.read("plain.model"));
        let rows: Vec<f64> = table.iter().flat_map(|(row, _)| row.clone()).collect();
        let labels: Vec<i32> = table.iter().map(|(_, label)| if *label { 1 } else { -1 }).collect();
        let rows = Rows::dense(rows, 6).unwrap();
        let library = Perceptron::new().fit(&rows, &labels).unwrap();
        let command = ModelFile::load(desk.path("plain.model")).unwrap().model;
        assert_eq!(command.classifier(), library.classifier());
        assert_eq!(command.scaling(), library.scaling());
    }
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => (-3i8..=3).prop_map(f64::from),
        1 => any::<f32>().prop_filter("finite", |x| x.is_finite()).prop_map(f64::from),
        1 => prop::num::f64::NORMAL.prop_map(|x| x.rem_euclid(1e6)),
        1 => prop::sample::select(vec![1e-308, 5e-324, -1e200, 1e200, 0.1, -0.0]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tables(
        rows in (1usize..4).prop_flat_map(|d| {
            prop::collection::vec((prop::collection::vec(value(), d), any::<bool>()), 1..8)
        }),
        keep in prop::sample::select(vec!["last", "average", "pocket"]),
        seed in 0u8..4,
    ) {
        let mut table = rows;
        // Both classes occur.
        let width = table[0].0.len();
        table.push((vec![1.0; width], true));
        table.push((vec![-1.0; width], false));
        all_forms(&table, &format!("--epochs 4 --keep {keep} --seed {seed}"));
    }
}

/// A model file is itself the same from run to run, byte for byte.
#[test]
fn the_whole_file() {
    let desk = Desk::new();
    let data = root().join("data/iris.csv");
    let line = format!("train {} --positive Iris-virginica -q -o", data.display());
    desk.succeed(&format!("{line} a.model"));
    desk.succeed(&format!("{line} b.model"));
    assert_eq!(desk.read("a.model"), desk.read("b.model"));
}
