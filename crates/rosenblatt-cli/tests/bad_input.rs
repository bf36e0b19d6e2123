//! Every error path, as a person meets it: one `error:` line with the position, at most one `hint:`
//! line, exit code 2, and nothing half-written.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{Desk, idx, own_data};
use flate2::{Compression, write::GzEncoder};
use rosenblatt_data::sealed;
use std::io::Write;

/// Runs the sessions of one theme; whatever the command writes must obey the rules above.
fn errors(desk: &Desk, lines: &[&str]) -> String {
    let before = desk.files();
    let session = lines.iter().map(|line| {
        let done = desk.run(line);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{line}");
        let kinds: Vec<_> = done.stderr.lines().map(|line| line.split(": ").next()).collect();
        let messages: Vec<_> = kinds.iter().filter(|kind| **kind != Some("note")).collect();
        let good = [&[Some("error")][..], &[Some("error"), Some("hint")]];
        assert!(
            good.iter().any(|good| messages.iter().copied().eq(good.iter())),
            "{}",
            done.stderr
        );
        done.shown(line)
    });
    let session = session.collect::<Vec<_>>().join("\n");
    assert_eq!(desk.files(), before);
    session
}

#[test]
fn arguments() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "",
            "trian and.csv",
            "train",
            "train and.csv --keeep last",
            "train and.csv --keep best",
            "train and.csv --epochs many",
            "train and.csv --epochs 0",
            "train and.csv --update margin:-1",
            "train and.csv --update pa --eta 0.5",
            "train and.csv --update pa --class-weight balanced",
            "train and.csv --seed -1",
            "train and.csv --holdout 1.5",
            "train and.csv --holdout 0.75",
            "train and.csv --folds 1",
            "train and.csv --folds 5",
            "train and.csv --folds 2 --holdout 0.5",
            "train and.csv --class-weight 1=2,1.0=3",
            "train and.csv --max-features 0",
            "train and.csv --target no\u{1b}such",
            "train and.csv -o -",
            "train and.csv --eta 0",
            "train and.csv --eta -1",
            "train and.csv --eta nan",
            "train and.csv --no-header --header",
            "train and.csv --delimiter ab",
            "train and.csv --class-weight 1=2,3=1",
            "train and.csv --class-weight 1=-2",
            "train and.csv --class-weight heavy",
            "train and.csv --positive 7",
            "predict and.csv",
            "plot and.csv -o and.jpg",
        ]
    ));
}

#[test]
fn files() {
    let desk = Desk::with(&[
        ("empty.csv", ""),
        ("header.csv", "a,b,y\n"),
        ("blank.svm", "\n \n# nothing\n"),
        ("words", "just some words\n"),
        ("and.csv", &own_data("and.csv")),
    ]);
    desk.write("utf16.csv", b"\xff\xfea\0,\0b\0");
    desk.write("binary.svm", b"1 1:1\n\0\0\0");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    let noise =
        (0..200_000u64).map(|i| format!("{},{}\n", i.wrapping_mul(0x9e37_79b9) % 9973, i % 2));
    gzip.write_all(("x,y\n".to_owned() + &noise.collect::<String>()).as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    desk.write("cut.csv.gz", &gzip[..gzip.len() / 2]);
    let zstd = zstd::encode_all(own_data("sonar.csv").as_bytes(), 1).unwrap();
    desk.write("cut.csv.zst", &zstd[..zstd.len() / 2]);
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "train nowhere.csv",
            "train .",
            "train empty.csv",
            "train header.csv",
            "train blank.svm",
            "train words",
            "train utf16.csv",
            "train binary.svm",
            "train cut.csv.gz",
            "train cut.csv.zst",
            "train and.csv -o no/such/folder/model",
        ]
    ));
}

#[test]
#[allow(clippy::too_many_lines)] // one case after the other
fn tables() {
    let desk = Desk::with(&[
        ("one-class.csv", "a,y\n1,yes\n2,yes\n"),
        ("short-row.csv", "a,b,y\n1,2,0\n3,1\n"),
        ("long-row.csv", "a,b,y\n1,2,0\n3,4,1,5\n"),
        ("bad-number.csv", "a,b,y\n1,2,0\n3, 4x,1\n"),
        ("infinity.csv", "a,b,y\n1,2,0\n-inf,4,1\n"),
        ("too-large.csv", "a,b,y\n1,2,0\n1e999,4,1\n"),
        ("empty-label.csv", "a,y,b\n1,,0\n"),
        ("number-in-text.csv", "a,b,y\n1,red,0\n3,4,1\n"),
        ("open-quote.csv", "a,b,y\n1,2,0\n3,\"4,1\n5,6,1\n"),
        ("glued.csv", "x,y\n\"1\"2,a\n3,b\n"),
        ("nan-label.csv", "x,y\n1,a\n3,nan\n"),
        ("tab-label.csv", "x,y\n1,\"a\tb\"\n3,c\n"),
        ("two-files.csv", "x,y\n1,a\n\u{feff}x,y\n3,b\n"),
        ("accents.csv", "é,b,y\né1,é,0\né2,4,1\n"),
        ("huge.csv", "a,b,y\n1e308,1e308,1\n1e308,-1e308,1\n-1e308,0,0\n"),
        ("and.csv", &own_data("and.csv")),
    ]);
    let quantities: String = (0..1001).map(|i| format!("{i},{i}.5\n")).collect();
    desk.write("quantities.csv", "a,price\n".to_owned() + &quantities);
    desk.write("russian.csv", b"a,b,y\n1,\xcf\xf0\xe8,0\n3,\xc4\xe0\xec,1\n");
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "train one-class.csv",
            "train quantities.csv",
            "train short-row.csv",
            "train long-row.csv",
            "train bad-number.csv",
            "train infinity.csv",
            "train too-large.csv",
            "train empty-label.csv --target y",
            "train number-in-text.csv",
            "train open-quote.csv",
            "train accents.csv",
            "train russian.csv",
            "train huge.csv --order given --bias none --scale none",
            "train huge.csv --bias radius --scale none",
            "train huge.csv --scale minmax",
            "train glued.csv",
            "train tab-label.csv",
            "train nan-label.csv",
            "train two-files.csv",
            "train and.csv --target 1 --ignore 1",
            "train and.csv --ignore x1,x2,y",
            "train and.csv -o and.csv",
            "train and.csv --target z",
            "train and.csv --ignore x3",
            "train and.csv --ignore x1,x2",
            "train and.csv --max-features 1",
            "train empty-label.csv --target y --on-error skip",
        ]
    ));
}

#[test]
fn libsvm() {
    let desk = Desk::with(&[
        ("label.svm", "+1 1:1\nfoo 1:2\n"),
        ("nan-label.svm", "+1 1:1\nnan 1:2\n"),
        ("no-label.svm", "+1 1:1\n1:2 2:3\n"),
        ("zero.svm", "+1 1:1\n-1 0:1 1:2\n"),
        ("unsorted.svm", "+1 1:1\n-1 3:1 2:2\n"),
        ("repeated.svm", "+1 1:1\n-1 3:1 3:2\n"),
        ("no-colon.svm", "+1 1:1\n-1 3\n"),
        ("index.svm", "+1 1:1\n-1 a:3\n"),
        ("value.svm", "+1 1:1\n-1 3:abc\n"),
        ("nan.svm", "+1 1:1\n-1 3:nan\n"),
        ("hostile.svm", "+1 1:1\n-1 4294967295:1\n"),
        ("hostile2.svm", "+1 1:1\n-1 99999999999999999999:1\n"),
        ("one-class.svm", "+1 1:1\n1 2:1\n"),
        ("no-feature.svm", "+1\n-1\n"),
    ]);
    // 9,600 rows of 28,000 features with the values 0 to 3, of which each row has seven: 2²⁸ values and more, if shifted.
    let entries = |i: usize| (1..8).map(move |j| format!(" {}:{}", i % 4000 * 7 + j, 1 + i / 4000));
    let row = |i: usize| format!("{}{}\n", i % 2, entries(i).collect::<String>());
    desk.write("wide.svm", (0..9600).map(row).collect::<String>());
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "train label.svm",
            "train one-class.svm --target 1",
            "train nan-label.svm",
            "train no-label.svm",
            "train zero.svm",
            "train unsorted.svm",
            "train repeated.svm",
            "train no-colon.svm",
            "train index.svm",
            "train value.svm",
            "train nan.svm",
            "train hostile.svm",
            "train hostile2.svm",
            "train one-class.svm",
            "train no-feature.svm",
            "train wide.svm --scale standard",
        ]
    ));
}

/// Kernels, votes, several classes, early stopping.
#[test]
fn the_family() {
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("far.csv", "a,y\n1e200,0\n-1e200,1\n"),
        ("three.csv", "a,y\n1,x\n2,y\n3,z\n"),
        ("other.csv", "a,y\n1,x\n2,w\n"),
    ]);
    desk.succeed("train and.csv -o and.model");
    desk.succeed("train three.csv -o three.model");
    let voted = "--keep vote --order given --epochs 2";
    desk.succeed(&format!("train and.csv {voted} -o voted.model"));
    desk.succeed(&format!("train and.csv {voted} --eta 1e300 -o steep.model"));
    desk.write("steps.csv", "a,y\n1e20,1\n-1e20,0\n");
    desk.succeed(&format!(
        "train steps.csv --kernel linear --scale none --bias none {voted} --eta 1e300 -o dual-steep.model"
    ));
    desk.write("one.csv", "a\n1\n");
    desk.write("far-and.csv", "x1,x2,y\n1,1,1\n1e20,1,1\n");
    let model = desk.read("voted.model");
    for (tensor, bits) in [
        ("support.examples", u64::MAX),
        ("support.counts", u64::MAX),
        ("path.survived", u64::MAX),
        ("path.steps", 1.7e308f64.to_bits()),
    ] {
        desk.write(&format!("{tensor}.model"), overwritten(&model, tensor, bits));
    }
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "show support.examples.model",
            "show support.counts.model",
            "predict path.survived.model and.csv",
            "predict path.steps.model and.csv",
            "predict steep.model far-and.csv --by average",
            "predict steep.model far-and.csv --by last-normalised",
            "predict dual-steep.model one.csv --by last-normalised",
            "train and.csv --folds 2 --patience 3",
            "train and.csv --kernel gauss",
            "train and.csv --kernel poly:0",
            "train and.csv --kernel poly:2:-1",
            "train and.csv --kernel rbf",
            "train and.csv --kernel poly:2 --init random",
            "train and.csv --keep vote --init random",
            "train and.csv --update arow:1 --kernel poly:2",
            "train and.csv --update second-order:1 --keep vote",
            "train and.csv --update arow:0",
            "train far.csv --scale none --kernel poly:3",
            "train and.csv --memory 1T",
            "train and.csv --patience 3",
            "train and.csv --patience 0 --holdout 0.5",
            "train and.csv --patience 3 --holdout 0.5 --keep vote",
            "train three.csv --class-weight x=1,w=2",
            "train three.csv --holdout 0.5",
            "evaluate and.model and.csv --by vote",
            "predict and.model and.csv --by votes",
            "evaluate three.model other.csv --unseen-labels stop",
        ]
    ));
}

/// The images of four numbers and their labels, and what can be wrong with each.
#[test]
#[allow(clippy::too_many_lines)] // one case after the other
fn idx_data() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv")), ("data.svm", "1 1:1\n")]);
    let four: Vec<u8> = (0..16).collect();
    desk.write("images-idx3-ubyte", idx(8, &[4, 2, 2], &four));
    desk.write("labels-idx1-ubyte", idx(8, &[4], &[0, 1, 0, 1]));
    desk.succeed("train images-idx3-ubyte -o squares.model");
    desk.succeed("train and.csv -o table.model");
    desk.write("unknown.idx", idx(8, &[4], &[0, 1, 7, 1]));
    desk.write("three.idx", idx(8, &[3], &[0, 1, 0]));
    desk.write("cut-labels.idx", idx(8, &[4], &[0, 1, 0]));
    desk.write("long-labels.idx", idx(8, &[4], &[0, 1, 0, 1, 0]));
    desk.write("square-labels.idx", idx(8, &[2, 2], &[0, 1, 0, 1]));
    desk.write("float-labels.idx", idx(0x0d, &[4], &[0; 16]));
    desk.write("lonely-images-idx3-ubyte", idx(8, &[4, 2, 2], &four));
    desk.write("lonely.idx", idx(8, &[4, 2, 2], &four));
    desk.write("cut.idx", idx(8, &[4, 2, 2], &four[..15]));
    desk.write("long.idx", idx(8, &[4, 2, 2], &[&four[..], &[0]].concat()));
    desk.write("header.idx", &idx(8, &[4, 2, 2], &[])[..9]);
    desk.write("type.idx", idx(0x0a, &[4, 2, 2], &four));
    desk.write("none.idx", idx(8, &[], &[4]));
    desk.write("nine.idx", idx(8, &[1; 9], &[4]));
    desk.write("flat.idx", idx(8, &[4, 0, 2], &[]));
    desk.write("no-example.idx", idx(8, &[0, 2, 2], &[]));
    desk.write("no-label.idx", idx(8, &[0], &[]));
    desk.write("huge.idx", idx(0x0e, &[1, u32::MAX, u32::MAX, u32::MAX], &[]));
    desk.write("wide.idx", idx(8, &[4, 4, 1], &four));
    let floats = [0.5f32, 1.0, f32::NAN, 1.0, 0.0, 0.0, f32::INFINITY, 2.0];
    let floats: Vec<u8> = floats.iter().flat_map(|value| value.to_be_bytes()).collect();
    desk.write("nan.idx", idx(0x0d, &[4, 2], &floats));
    desk.write("text.idx", "1,2,3\n");
    desk.write("empty.idx", "");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::none());
    gzip.write_all(&idx(8, &[4, 2, 2], &four)).unwrap();
    let gzip = gzip.finish().unwrap();
    desk.write("cut.idx.gz", &gzip[..gzip.len() - 12]);
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "train lonely.idx",
            "train lonely-images-idx3-ubyte",
            "train lonely.idx --labels nowhere",
            "train lonely.idx --labels three.idx",
            "train lonely.idx --labels cut-labels.idx",
            "train lonely.idx --labels long-labels.idx",
            "train lonely.idx --labels square-labels.idx",
            "train lonely.idx --labels float-labels.idx",
            "train lonely.idx --labels lonely.idx",
            "train lonely.idx --labels and.csv",
            "train cut.idx --labels labels-idx1-ubyte",
            "train cut.idx.gz --labels labels-idx1-ubyte",
            "train long.idx --labels labels-idx1-ubyte",
            "train header.idx --labels labels-idx1-ubyte",
            "train type.idx --labels labels-idx1-ubyte",
            "train none.idx --labels labels-idx1-ubyte",
            "train nine.idx --labels labels-idx1-ubyte",
            "train flat.idx --labels labels-idx1-ubyte",
            "train no-example.idx --labels no-label.idx",
            "train huge.idx --labels labels-idx1-ubyte",
            "train lonely.idx --labels labels-idx1-ubyte --max-features 3",
            "train nan.idx --labels labels-idx1-ubyte",
            "train text.idx",
            "train empty.idx",
            "train - --labels -",
            "train and.csv --labels labels-idx1-ubyte",
            "train data.svm --labels labels-idx1-ubyte",
            "train and.csv --format idx",
            "train images-idx3-ubyte --target 1",
            "train images-idx3-ubyte --text 1",
            "train images-idx3-ubyte -o labels-idx1-ubyte",
            "train lonely.idx --labels labels-idx1-ubyte -o labels-idx1-ubyte",
            "evaluate squares.model lonely.idx",
            "evaluate squares.model lonely.idx --labels unknown.idx --unseen-labels stop",
            "predict squares.model wide.idx",
            "predict squares.model and.csv",
            "predict squares.model data.svm",
            "predict table.model lonely.idx",
        ]
    ));
}

/// A model with every number of a tensor overwritten by these 8 bytes, and the checksum that belongs to it.
fn overwritten(model: &[u8], tensor: &str, bits: u64) -> Vec<u8> {
    let mut bytes = model.to_vec();
    let all = safetensors::SafeTensors::deserialize(model).unwrap();
    let data = all.tensor(tensor).unwrap().data().as_ptr_range();
    let range =
        data.start as usize - model.as_ptr() as usize..data.end as usize - model.as_ptr() as usize;
    bytes[range].as_chunks_mut::<8>().0.iter_mut().for_each(|number| *number = bits.to_le_bytes());
    sealed(bytes)
}

/// A model with a changed word in its metadata, of the same length, and the checksum that belongs to it.
fn altered(model: &[u8], from: &str, to: &str) -> Vec<u8> {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    assert_eq!(from.len(), to.len());
    let place = model.windows(from.len()).position(|window| window == from).unwrap();
    let mut bytes = model.to_vec();
    bytes[place..place + to.len()].copy_from_slice(to);
    sealed(bytes)
}

#[test]
#[allow(clippy::too_many_lines)] // one case after the other
fn models() {
    let desk = Desk::with(&[
        ("and.csv", &own_data("and.csv")),
        ("narrow.csv", "x1,y\n1,1\n"),
        ("three.csv", "1,2,3,4\n"),
        ("data.svm", "1 1:1\n"),
        ("labels.csv", "x1,x2,y\n0,0,-1\n1,1,maybe\n"),
        ("text.csv", "x1,x2,y\n0,zero,-1\n"),
        ("holes.csv", "x1,x2,y\n0,,-1\n"),
        ("and.tsv", "0\t0\t-1\n0\t1\t-1\n1\t0\t-1\n1\t1\t1\n"),
    ]);
    desk.succeed("train and.csv -o and.model");
    desk.succeed("train and.csv --kernel poly:2 -o kernel.model");
    desk.succeed("train and.csv --keep vote -o voted.model");
    desk.succeed("train and.tsv --no-header -o positions.model");
    let model = desk.read("and.model");
    desk.write("newer.model", altered(&model, r#"format_version\":2"#, r#"format_version\":9"#));
    desk.write("cut.model", &model[..model.len() - 3]);
    desk.write("garbage.model", b"garbage");
    desk.write("empty.model", b"");
    desk.write("keep.model", altered(&model, r#"keep\":\"auto"#, r#"keep\":\"best"#));
    desk.write(
        "width.model",
        altered(
            &model,
            r#""weights":{"dtype":"F64","shape":[1,2]"#,
            r#""weights":{"dtype":"F64","shape":[2,1]"#,
        ),
    );
    desk.write(
        "classes.model",
        altered(&model, r#"names\":[\"-1\",\"1\"]"#, r#"names\":[\"1\", \"1\"]"#),
    );
    desk.write("names.model", altered(&model, r#"name\":\"x1\"#, r#"name\":\"x2\"#));
    desk.write("version.model", altered(&model, r#"format_version\":2"#, r#"format_version\":0"#));
    desk.write("mixed.svm", "+1 1:1\n-1 2:1\n");
    desk.succeed("train mixed.svm -o indexed.model");
    desk.write("images-idx3-ubyte", idx(8, &[2, 2, 2], &[0, 1, 2, 3, 3, 2, 1, 0]));
    desk.write("labels-idx1-ubyte", idx(8, &[2], &[0, 1]));
    desk.succeed("train images-idx3-ubyte -o images.model");
    let images = desk.read("images.model");
    desk.write("shape.model", altered(&images, r#"shape\":[2,2]"#, r#"shape\":[2,3]"#));
    desk.write("no-shape.model", altered(&images, r#"shape\":[2,2]"#, r#"shape\":[2,0]"#));
    let mut nan = model.clone();
    let end = nan.len();
    nan[end - 8..].copy_from_slice(&f64::NAN.to_le_bytes());
    desk.write("nan.model", sealed(nan));
    let mut flipped = model.clone();
    flipped[end - 3] ^= 1;
    desk.write("flipped.model", flipped);
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "predict nowhere.model and.csv",
            "predict and.csv and.model",
            "predict empty.model and.csv",
            "predict garbage.model and.csv",
            "predict cut.model and.csv",
            "predict newer.model and.csv",
            "predict keep.model and.csv",
            "predict width.model and.csv",
            "predict classes.model and.csv",
            "predict nan.model and.csv",
            "predict flipped.model and.csv",
            "predict names.model and.csv",
            "predict version.model and.csv",
            "predict shape.model images-idx3-ubyte",
            "predict no-shape.model images-idx3-ubyte",
            "predict indexed.model and.csv --format libsvm",
            "show garbage.model",
            "evaluate garbage.model and.csv",
            "plot and.csv garbage.model -o and.svg",
            "predict and.model narrow.csv",
            "predict positions.model three.csv",
            "evaluate positions.model narrow.csv",
            "predict and.model data.svm",
            "predict and.model text.csv",
            "evaluate and.model labels.csv --unseen-labels stop",
            "predict and.model and.csv -o and.csv",
            "predict and.model and.csv -o and.model",
            "predict and.model holes.csv",
            "plot and.csv and.model -o and.svg --positive 1",
            "plot and.csv and.model -o and.svg --x x1 --y x1",
            "plot and.csv and.model -o and.svg --x x1 --y x3",
            "plot and.csv -o and.svg --panels curve",
            "plot and.csv -o and.svg --by vote",
            "plot and.csv and.model -o and.svg --by vote",
            "plot and.csv kernel.model -o and.svg --panels weights",
            "plot and.csv voted.model -o and.svg --panels curve,weights",
            "plot and.csv voted.model -o and.svg --by random",
        ]
    ));
}

/// Whatever is to be read whole is read no further than shows that it is something else; a device has no end.
#[cfg(unix)]
#[test]
fn devices_without_end() {
    let desk = Desk::with(&[("and.csv", &own_data("and.csv"))]);
    insta::assert_snapshot!(errors(
        &desk,
        &[
            "show /dev/zero",
            "predict /dev/zero and.csv",
            "evaluate /dev/zero and.csv",
            "export /dev/zero -o x.json",
            "plot and.csv /dev/zero -o x.svg",
            "train and.csv --resume /dev/zero",
            "separable and.csv --verify /dev/zero",
            "train /dev/zero",
        ]
    ));
}

/// A file of the first format version has no checksum, and a note says so, unless quiet is asked for.
#[test]
fn models_without_a_checksum_are_told() {
    let desk = Desk::with(&[("xor.csv", &own_data("xor.csv"))]);
    let old = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../rosenblatt-data/tests/old_files/linear.model");
    desk.write("old.model", std::fs::read(old).unwrap());
    let note = "note: old.model has no checksum, so damage to it cannot be detected: an older rosenblatt wrote it, \
                in format version 1\n";
    let lines = [
        "show old.model",
        "predict old.model xor.csv",
        "evaluate old.model xor.csv",
        "export old.model -o x.json",
        "plot xor.csv old.model -o x.svg",
    ];
    for line in lines {
        let done = desk.run(line);
        assert_eq!((done.code, done.stderr.as_str()), (0, note), "{line}");
    }
    assert_eq!(desk.run("predict old.model xor.csv --quiet").stderr, "");
    desk.succeed("train xor.csv -o new.model");
    assert_eq!(desk.run("show new.model").stderr, "");
}
