//! Each remedy that an error offers makes its file readable.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
};

use rosenblatt_data::{ReadError, ReadOptions, Remedy, Source, read};

/// The tables with a remedy that does not make them readable yet.
const NOT_YET: [&str; 1] = ["skipped.csv"];

/// The files of people, and one for each remedy that they do not need, which are written to a folder.
fn samples(folder: &Path) -> Vec<PathBuf> {
    let messy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rosenblatt-cli/tests/messy");
    let files = fs::read_dir(messy).unwrap().map(|entry| entry.unwrap().path());
    let is_text = |file: &PathBuf| {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap();
        ["csv", "tsv", "txt", "dat", "json", "jsonl"].contains(&ending)
    };
    let mut all: Vec<PathBuf> = files.filter(is_text).collect();
    all.sort();
    assert!(all.len() > 40, "{}", all.len());
    let rows = |row: &dyn Fn(usize) -> String| (0..40).map(row).collect::<String>();
    let pipes = "a|b|y\n".to_owned() + &rows(&|i| format!("{i}|{}|{}\n", i % 7, i % 2));
    let quotes = "a,b,y\n".to_owned() + &rows(&|i| format!("{i},\"no\"t,{}\n", i % 2));
    let open = "a,b,y\n".to_owned() + &rows(&|i| format!("{i},\"no,{}\n", i % 2));
    let nested = rows(&|i| format!("{{\"a\":{i},\"b\":[1],\"y\":{}}}\n", i % 2));
    let large = rows(&|i| format!("{i},{},{}\n", if i == 3 { "1e400" } else { "2" }, i % 2));
    let words = |i: usize| {
        format!("{} {} {}\n", ["u", "v"][i / 2 % 2], ["p", "q"][i / 4 % 2], ["a", "b"][i % 2])
    };
    let blanks = "s t y\n".to_owned() + &rows(&words);
    let row = |i: usize| format!("{},{},{}\n", i % 9, i % 7, i % 2);
    // After the rows that decide how a stream is read.
    let late = |line: &str| "a,b,y\n".to_owned() + &rows(&row).repeat(6000) + line;
    let units = "cm,kg,kind\n".to_owned() + &rows(&row);
    let zero = rows(&|i| format!("{} 0:{i} 3:1\n", i % 2));
    let word = rows(&|i| format!("{} 1:{} 3:1\n", i % 2, if i == 3 { "x" } else { "1" }));
    let skipped = "a,y\n".to_owned()
        + &rows(&|i| format!("{i}{},{}\n", [",7", ""][usize::from(i % 9 > 0)], i % 2));
    let twice = "u,u,a\n".to_owned()
        + &rows(&|i| format!("{},u,{}\n", ["u", "v"][i / 2 % 2], ["a", "b"][i % 2]));
    let texts: [(&str, String); 14] = [
        ("pipes.csv", pipes),
        ("quotes.csv", quotes),
        ("open.csv", open),
        ("nested.jsonl", nested),
        ("large.csv", "a,b,y\n".to_owned() + &large),
        ("blanks.txt", blanks),
        ("zero.svm", zero),
        ("word.svm", word),
        ("skipped.csv", skipped),
        ("twice.csv", twice),
        ("stream-comment.csv", late("# by hand, in May\n")),
        ("stream-missing.csv", late("1,,0\n")),
        ("units.csv", "a,b,y\n".to_owned() + &units),
        ("one.csv", "u,v,a\n".to_owned()),
    ];
    // Words of another script, in bytes that are not those of Latin-1 languages.
    let russian = "a,b,y\n".to_owned() + &rows(&|i| format!("{},PRIVET,{}\n", i % 9, i % 2));
    let russian: Vec<u8> = russian
        .bytes()
        .map(|byte| if byte.is_ascii_uppercase() { byte | 0x80 } else { byte })
        .collect();
    let path = folder.join("russian.csv");
    fs::write(&path, russian).unwrap();
    all.push(path);
    all.extend(texts.map(|(name, text)| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    }));
    all
}

/// The name of a kind of remedy; none is forgotten.
fn kind(remedy: &Remedy) -> &'static str {
    match remedy {
        Remedy::Target(_) => "target",
        Remedy::Encoding(_) => "encoding",
        Remedy::Separator(_) => "separator",
        Remedy::Header(_) => "header",
        Remedy::PlainQuotes => "plain quotes",
        Remedy::ZeroBased => "zero based",
        Remedy::Text(_) => "text",
        Remedy::Categorical(_) => "categorical",
        Remedy::Ignore(_) => "ignore",
        Remedy::MissingValue(_) => "missing value",
        Remedy::FillMissing => "fill missing",
        Remedy::Form { .. } => "form",
        Remedy::SkipRows => "skip rows",
        Remedy::SkipShare { .. } => "skip share",
        Remedy::Run { .. } => "run",
        Remedy::Comment(_) => "comment",
    }
}

fn error(file: &Path, options: &ReadOptions) -> Option<ReadError> {
    let name = file.file_name().unwrap().to_str().unwrap();
    let source = match name.starts_with("stream") {
        true => Source::stream(name, File::open(file).unwrap()),
        false => Source::open(file),
    };
    read(source.unwrap(), options).err()
}

fn start() -> ReadOptions {
    ReadOptions { skip_limit: 0.01, ..ReadOptions::default() }
}

/// Reads with a remedy, and with the first ones of what is found then; returns whether the file can be read.
fn resolve(file: &Path, remedy: &Remedy, used: &mut BTreeSet<&'static str>) -> bool {
    let mut options = remedy.applied_to(&start());
    let mut tried = vec![remedy.clone()];
    while let Some(error) = error(file, &options) {
        let next = error.remedy().filter(|next| next.is_open(&options) && !tried.contains(next));
        let Some(next) = next else { return false };
        used.insert(kind(&next));
        options = next.applied_to(&options);
        tried.push(next);
    }
    true
}

#[test]
fn each_remedy_that_is_offered_makes_the_file_readable() {
    let folder = tempfile::tempdir().unwrap();
    let (mut used, mut unreadable) = (BTreeSet::new(), BTreeSet::new());
    for file in samples(folder.path()) {
        let Some(error) = error(&file, &start()) else { continue };
        for remedy in error.remedies() {
            assert!(remedy.is_open(&start()), "{remedy:?}: {error}");
            used.insert(kind(&remedy));
            if !resolve(&file, &remedy, &mut used) {
                unreadable.insert(file.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(
        unreadable,
        NOT_YET.map(str::to_owned).into(),
        "left: files with a remedy that leads nowhere"
    );
    let all = [
        "target",
        "encoding",
        "separator",
        "header",
        "plain quotes",
        "comment",
        "zero based",
        "text",
        "categorical",
        "ignore",
        "missing value",
        "fill missing",
        "form",
        "skip rows",
        "skip share",
    ];
    let unused: Vec<_> = all.iter().filter(|kind| !used.contains(**kind)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
