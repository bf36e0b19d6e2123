//! Inputs to begin with: those made of `cases/` and `data/`, which every probe of text looks at to the end, and Apache's files
//! of columns.

use std::{
    fs,
    io::{self, Cursor},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use rosenblatt_core::{
    data::Labelled,
    keep::Keep,
    model::{Model, ModelParts},
    prototype::Baseline,
    train::{Checkpoint, Fit, HeldOut, Observer, Options, Resources, fit},
};
use rosenblatt_data::{
    CheckpointFile, DataFiles, Dataset, FormatKind, Header, ModelFile, ReadOptions, Source,
    checkpoint::{Fingerprint, Terms},
    pack, read,
};
use serde_json::{Value, json};

use crate::readers::{gz, zst};

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The probe that it is for.
    pub probe: &'static str,
    /// Its name, which no other of its probe has.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Longer files of `data/` are cut after a line before this byte: long inputs make slow fuzzing.
const LONGEST: usize = 2_000;

/// All seeds. `root` is the folder with `cases/` and `data/`.
///
/// # Panics
/// When one of them cannot be read, or is not as it was.
pub fn all(root: &Path) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (name, text) in files(&root.join("cases"), "toml") {
        of_case(&Case::of(name, &text), &mut seeds);
    }
    for (name, text) in files(&root.join("data"), "csv") {
        let end = text[..text.len().min(LONGEST)].rfind('\n').unwrap() + 1;
        of_table(&name, &text[..end], &mut seeds);
    }
    seeds
}

/// How many bytes draw the options before a file of columns.
pub const OPTIONS: usize = 10;

/// Options for files of columns: by default; with all columns as categories; with text and rows left out.
const DRAWN: [[u8; OPTIONS]; 3] =
    [[0; OPTIONS], [1, 1, 0, 0xff, 0, 0, 0, 4, 0, 0], [2, 2, 0, 0, 0b101, 0, 0, 5, 0, 0]];

/// The longest input of a file of columns; an empty table of them takes more than a thousand bytes.
pub const LONGEST_OF_COLUMNS: usize = 1 << 16;

/// Apache's files of Parquet and Arrow in this folder as inputs of their probes, each with several options.
fn of_suites(suites: &Path) -> io::Result<Vec<Seed>> {
    let folders = [
        ("parquet", "parquet-testing"),
        ("parquet", "arrow-testing/data/parquet"),
        ("arrow", "arrow-testing/data/arrow-ipc-file"),
        ("arrow", "arrow-testing/data/arrow-ipc-stream"),
    ];
    let mut seeds = Vec::new();
    for (probe, folder) in folders {
        for path in files_under(suites.join(folder))? {
            let name = path.strip_prefix(suites).unwrap_or(&path).to_string_lossy();
            seeds.extend(with_options(probe, &name.replace(['/', '\\'], "-"), &fs::read(&path)?));
        }
    }
    Ok(seeds)
}

/// A file of columns with several options, unless it is too long.
fn with_options(probe: &'static str, name: &str, file: &[u8]) -> Vec<Seed> {
    let all = if file.len() > LONGEST_OF_COLUMNS - OPTIONS { &[][..] } else { &DRAWN };
    let with = |(i, drawn): (usize, &[u8; OPTIONS])| Seed {
        probe,
        name: format!("{name}-{i}"),
        bytes: [drawn, file].concat(),
    };
    all.iter().enumerate().map(with).collect()
}

fn files_under(folder: PathBuf) -> io::Result<Vec<PathBuf>> {
    let (mut folders, mut files) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}

/// The names without ending, and the text, of the files with this ending.
fn files(folder: &Path, ending: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<(String, String)> = entries
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort_unstable();
    files
}

/// A run with known results.
struct Case {
    name: String,
    rows: Vec<Vec<f64>>,
    labels: Vec<String>,
    options: Value,
}

impl Case {
    fn of(name: String, text: &str) -> Self {
        let case: Value = toml::from_str(text).unwrap();
        let take = |key: &str| case.get(key).cloned().unwrap_or_default();
        let mut options = case.get("options").cloned().unwrap_or_else(|| json!({}));
        // The page has no weights of classes.
        options.as_object_mut().unwrap().remove("class_weight");
        let rows = serde_json::from_value(take("rows")).unwrap();
        let labels = serde_json::from_value(take("labels")).unwrap();
        Case { name, rows, labels, options }
    }

    /// One row a line, the label last.
    fn table(&self, delimiter: &str) -> String {
        let line = |(row, label): (&Vec<f64>, &String)| {
            let cells: Vec<String> =
                row.iter().map(f64::to_string).chain([label.clone()]).collect();
            cells.join(delimiter) + "\n"
        };
        self.rows.iter().zip(&self.labels).map(line).collect()
    }

    /// The first label is negative, all others are positive.
    fn signs(&self) -> Vec<i8> {
        self.labels.iter().map(|label| if *label == self.labels[0] { -1 } else { 1 }).collect()
    }

    fn points(&self) -> Value {
        json!({ "rows": self.rows, "signs": self.signs() })
    }
}

fn of_case(case: &Case, seeds: &mut Vec<Seed>) {
    let mut add = |probe, kind: &str, bytes: Vec<u8>| {
        seeds.push(Seed { probe, name: format!("{}-{kind}", case.name), bytes });
    };
    let (points, options) = (case.points(), &case.options);
    let window = json!({ "from": 0, "count": 10 });
    let numbers = case.rows[0].len() + 1;
    let planes = [vec![1.0; numbers], vec![0.0; numbers]];
    let questions = [
        json!({ "train": { "points": points, "options": options, "window": window } }),
        json!({ "separable": { "points": points } }),
        json!({ "separable": { "points": points, "bias": "radius" } }),
        json!({ "study": { "points": points, "options": options, "runs": 5 } }),
        json!({ "errors": { "points": points, "planes": planes, "zero": "negative" } }),
        json!({ "patterns": { "rows": case.rows, "labels": case.labels, "options": options, "queries": case.rows } }),
    ];
    for (i, question) in questions.iter().enumerate() {
        add("question", &i.to_string(), question.to_string().into_bytes());
    }
    // Of any bytes the probe draws a question, a model, points and a certificate.
    let drawn: Vec<u8> = case
        .rows
        .iter()
        .flatten()
        .flat_map(|&x| [x as i64 as u8, x.to_bits().to_be_bytes()[0]])
        .collect();
    for (i, probe) in ["question", "certificate", "onnx"].into_iter().enumerate() {
        add(probe, "drawn", [&[i as u8][..], &drawn, &drawn, &drawn].concat());
    }
    add("certificate", "text", certificate());
    let libsvm: String = case
        .rows
        .iter()
        .zip(case.signs())
        .map(|(row, sign)| {
            let pairs = row.iter().enumerate().map(|(j, x)| format!(" {}:{x}", j + 1));
            format!("{sign}{}\n", pairs.collect::<String>())
        })
        .collect();
    add("libsvm", "plain", libsvm.clone().into_bytes());
    add("guessed", "libsvm", [&[0], libsvm.as_bytes()].concat());
    of_table(&case.name, &case.table(","), seeds);
    of_named_values(case, seeds);
    of_runs(case, seeds);
}

/// JSON in each arrangement, ARFF and lines of fastText.
fn of_named_values(case: &Case, seeds: &mut Vec<Seed>) {
    let mut add = |probe, kind: &str, text: String| {
        seeds.push(Seed { probe, name: format!("{}-{kind}", case.name), bytes: text.into_bytes() });
    };
    let object = |(row, sign): (&Vec<f64>, _)| {
        let cells = row.iter().zip(1..).map(|(value, i)| format!("\"x{i}\":{value:?},"));
        format!("{{{}\"y\":\"{sign:?}\"}}", cells.collect::<String>())
    };
    let objects: Vec<String> = case.rows.iter().zip(case.signs()).map(object).collect();
    add("json", "lines", objects.join("\n"));
    add("json", "list", format!("[{}]", objects.join(",\n")));
    let columns = case.rows.first().map_or(0, Vec::len);
    let names: Vec<String> =
        (1..=columns).map(|i| format!("\"x{i}\"")).chain(["\"y\"".to_owned()]).collect();
    let row = |(row, sign): (&Vec<f64>, _)| {
        let cells = row.iter().map(|value| format!("{value:?},"));
        format!("{}{sign:?}", cells.collect::<String>())
    };
    let rows: Vec<String> = case.rows.iter().zip(case.signs()).map(row).collect();
    let lists = format!("[{}]", rows.join("],["));
    let split = format!("{{\"columns\":[{}],\"data\":[{lists}]}}", names.join(","));
    add("json", "split", split);
    add("json", "wrapped", format!("{{\"a\":{{}},\"data\":[{}]}}", objects.join(",")));
    let keyed: Vec<String> =
        objects.iter().enumerate().map(|(i, one)| format!("\"{i}\":{one}")).collect();
    add("json", "index", format!("{{{}}}", keyed.join(",")));
    let column = |i: usize| {
        let cells =
            case.rows.iter().enumerate().map(|(row, cells)| format!("\"{row}\":{:?}", cells[i]));
        format!("\"x{i}\":{{{}}}", cells.collect::<Vec<_>>().join(","))
    };
    let by_columns: Vec<String> = (0..columns).map(column).collect();
    add("json", "columns", format!("{{{}}}", by_columns.join(",")));
    let attributes: String = (1..=columns).map(|i| format!("@attribute x{i} real\n")).collect();
    let header = format!("@relation x\n{attributes}@attribute y {{'1','-1'}}\n@data\n");
    add("arff", "table", header + &rows.join("\n"));
    let words = case
        .signs()
        .iter()
        .map(|sign| format!("__label__{sign:?} free, \"now\"\n"))
        .collect::<String>();
    add("fasttext", "lines", words);
}

/// Points on both sides of 0 with one feature, and their separator.
fn certificate() -> Vec<u8> {
    let points: &[u8] = &[0, 1, 0, 3, 0, 0xfd, 0b01];
    [points, br#"{"separable":"yes","with_bias":true,"weights":[2.5],"bias":-0.5}"#].concat()
}

/// A table with commas and no header, for every reader of text.
fn of_table(name: &str, text: &str, seeds: &mut Vec<Seed>) {
    let mut add = |probe, kind: &str, bytes: Vec<u8>| {
        seeds.push(Seed { probe, name: format!("{name}-{kind}"), bytes });
    };
    add("table_comma", "table", text.into());
    add(
        "table_words",
        "table",
        format!("free x\"y\",{}", text.replace('\n', "\nfree, ")).into_bytes(),
    );
    add("table_blanks", "table", text.replace(',', "  ").into_bytes());
    let columns = text.lines().next().unwrap_or_default().split(',').count();
    let header: Vec<String> = (1..=columns).map(|column| format!("c{column}")).collect();
    let tabs = header.join("\t") + "\n" + &text.replace(',', "\t");
    add("table_tab", "table", tabs.clone().into_bytes());
    let commas = header.join(",") + "\n" + text;
    for (how, plain) in [(0, &tabs), (1, &commas), (2, &tabs)] {
        add("guessed", &format!("table-{how}"), [&[how], plain.as_bytes()].concat());
    }
    add("guessed", "gz", [&[0][..], &gz(commas.as_bytes())].concat());
    add("guessed", "zst", [&[0][..], &zst(commas.as_bytes())].concat());
}

/// Options of runs that make every form of a model.
fn forms() -> Vec<(&'static str, Options)> {
    let plain = Options { epochs: 4, compare: true, ..Options::default() };
    let kernel = Some("poly:2".parse().unwrap());
    vec![
        ("last", plain.clone()),
        ("pocket", Options { keep: Keep::Pocket, ..plain.clone() }),
        ("vote", Options { keep: Keep::Vote, ..plain.clone() }),
        ("kernel", Options { kernel, keep: Keep::Average, ..plain.clone() }),
        ("kernel-vote", Options { kernel, keep: Keep::Vote, ..plain }),
    ]
}

/// Models, checkpoints and packed files of some cases; all of them would be much the same.
fn of_runs(case: &Case, seeds: &mut Vec<Seed>) {
    if !["nested-4", "xor-given", "one-against-rest"].contains(&case.name.as_str()) {
        return;
    }
    let table = case.table(",");
    let mut add = |probe, kind: &str, bytes: Vec<u8>| {
        seeds.push(Seed { probe, name: format!("{}-{kind}", case.name), bytes });
    };
    for (form, options) in forms() {
        let (model, checkpoints) = run(&table, options);
        let bytes = model.to_bytes().unwrap();
        add("model_file", form, bytes.clone());
        add("model_predicts", form, bytes);
        let last = checkpoints.last().unwrap();
        let bytes = last.to_bytes().unwrap();
        add("checkpoint", form, bytes.clone());
        add("resume", form, bytes);
    }
    let folder = tempfile::tempdir().unwrap();
    let sources =
        [("dense", "t.csv", table.clone()), ("names", "t.csv", table.replace('\n', "\nname, "))];
    let words = |kind: &str| if kind == "names" { vec!["1".to_owned()] } else { Vec::new() };
    for (kind, file, text) in sources {
        let text = if kind == "names" {
            format!("name, {}", text.trim_end_matches("name, "))
        } else {
            text
        };
        let (source, packed) = (folder.path().join(file), folder.path().join("packed"));
        fs::write(&source, text).unwrap();
        let options = ReadOptions {
            header: Header::Absent,
            categorical: words(kind),
            ..ReadOptions::default()
        };
        pack(DataFiles { data: &source, more: &[], labels: None }, &options, &packed).unwrap();
        add("packed", kind, fs::read(packed).unwrap());
    }
}

fn dataset(table: &str) -> Dataset {
    let options = ReadOptions {
        format: Some(FormatKind::CSV),
        header: Header::Absent,
        ..ReadOptions::default()
    };
    read(Source::stream("seed", Cursor::new(table.as_bytes().to_vec())).unwrap(), &options).unwrap()
}

/// A model of a table, and the run after each epoch. A run without a vote holds the same examples out.
fn run(table: &str, options: Options) -> (ModelFile, Vec<CheckpointFile>) {
    let dataset = dataset(table);
    let (classes, numbers) = dataset.classes(None).unwrap();
    let labelled = Labelled::new(&dataset.rows, &numbers, classes.scheme()).unwrap();
    let patience = (options.keep != Keep::Vote).then_some(2);
    let held_out = patience.map(|patience| HeldOut { labelled, patience, least: 1 });
    let mut states = Kept(Vec::new());
    let ran =
        fit(&labelled, &options, &Resources::default(), held_out.as_ref(), &mut states).unwrap();
    let terms = Terms {
        options: options.clone(),
        preparation: Default::default(),
        holdout: patience.map(|_| 0.3),
        patience,
        classes: classes.clone(),
        data: Fingerprint::of(&dataset.rows, &numbers),
    };
    let tool_version = "0.1.0".to_owned();
    let file = |state| CheckpointFile {
        state,
        terms: terms.clone(),
        hard: None,
        tool_version: tool_version.clone(),
    };
    let checkpoints = states.0.into_iter().map(file).collect();
    let baseline = Baseline::of(&labelled);
    let Fit { classifier, report, .. } = ran;
    let parts = ModelParts {
        classifier,
        preparation: Default::default(),
        classes,
        baseline,
        calibration: None,
        options,
        report,
    };
    let model = Model::new(parts).unwrap();
    let model = ModelFile { tool_version, ..ModelFile::new(model, dataset.schema.clone()) };
    (model, checkpoints)
}

/// The states of a run.
struct Kept(Vec<Checkpoint>);

impl Observer for Kept {
    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.0.push(make());
        ControlFlow::Continue(())
    }
}

/// Some model.
pub(crate) fn model() -> ModelFile {
    static MODEL: OnceLock<ModelFile> = OnceLock::new();
    MODEL.get_or_init(|| run("1,2,no\n2,1,yes\n", Options::default()).0).clone()
}

/// Writes all seeds, each into the folder of its probe, with those of Apache's files where there is a folder with them.
///
/// # Errors
/// What the system says.
pub fn write(root: &Path, suites: Option<&Path>, folder: &Path) -> io::Result<()> {
    let of_columns = suites.map(of_suites).transpose()?.unwrap_or_default();
    for Seed { probe, name, bytes } in all(root).into_iter().chain(of_columns) {
        fs::create_dir_all(folder.join(probe))?;
        fs::write(folder.join(probe).join(name), bytes)?;
    }
    Ok(())
}
