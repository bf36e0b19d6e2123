//! Checkpoint files: what is written comes back, and nothing else is taken for it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{ops::ControlFlow, path::Path};

use rosenblatt_core::{
    data::{Classes, Labelled, Rows},
    keep::{Keep, Kept},
    train::{Checkpoint, HeldOut, Observer, Options, Resources, TrainError, fit},
    transforms::{PREPARE_OPTIONS, PrepareOptions},
};
use rosenblatt_data::{
    CheckpointFile, CheckpointFileError, ModelFile, ModelFileError,
    checkpoint::{Fingerprint, Terms},
};
use serde_json::json;

struct Folder(Vec<Checkpoint>);

impl Observer for Folder {
    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.0.push(make());
        ControlFlow::Continue(())
    }
}

/// Some points of three classes, or two.
struct Points {
    rows: Rows<'static>,
    classes: [u32; 6],
    names: Classes,
}

impl Points {
    fn new(three: bool) -> Self {
        let values = [0.0, 1.0, 2.5, -1.0, 0.5, 0.5, -2.0, 1.0, 3.0, 3.0, 0.1, -0.7];
        let name = |text: &str| text.to_owned();
        let names = match three {
            true => Classes::many(vec![name("a"), name("b"), name("c")]),
            false => Classes::two([name("a"), name("b")], 1),
        };
        Points {
            rows: Rows::dense(values.to_vec(), 2).unwrap(),
            classes: if three { [0, 1, 2, 0, 1, 2] } else { [0, 1, 1, 0, 1, 0] },
            names: names.unwrap(),
        }
    }

    /// Learns, or goes on, and gives all checkpoints.
    fn run(
        &self,
        terms: &Terms,
        start: Option<&Checkpoint>,
    ) -> Result<Vec<Checkpoint>, TrainError> {
        let labelled = Labelled::new(&self.rows, &self.classes, self.names.scheme()).unwrap();
        let held_out = terms.patience.map(|patience| HeldOut { labelled, patience, least: 1 });
        let (options, resources) = (&terms.options, Resources::default());
        let mut folder = Folder(Vec::new());
        match start {
            None => fit(&labelled, options, &resources, held_out.as_ref(), &mut folder)?,
            Some(start) => {
                start.resume(&labelled, options, &resources, held_out.as_ref(), &mut folder)?
            }
        };
        Ok(folder.0)
    }
}

/// The checkpoints of a run.
fn files(options: Options, three: bool, patience: Option<u64>) -> Vec<CheckpointFile> {
    let points = Points::new(three);
    let terms = Terms {
        options,
        preparation: Default::default(),
        holdout: patience.map(|_| 0.3),
        patience,
        classes: points.names.clone(),
        data: Fingerprint::of(&points.rows, &points.classes),
    };
    let file = |state| CheckpointFile {
        state,
        terms: terms.clone(),
        hard: three.then(|| vec![1, 2, 3, 4, 5, 6]),
        tool_version: "1.2.3".to_owned(),
    };
    points.run(&terms, None).unwrap().into_iter().map(file).collect()
}

/// Checkpoints of every form.
fn all() -> Vec<CheckpointFile> {
    let options = Options { epochs: 4, compare: true, ..Options::default() };
    let kernel = Some("rbf:0.7".parse().unwrap());
    let mut all = files(options.clone(), true, None);
    all.extend(files(Options { keep: Keep::Pocket, ..options.clone() }, false, Some(2)));
    all.extend(files(Options { keep: Keep::Vote, ..options.clone() }, true, None));
    all.extend(files(Options { kernel, keep: Keep::Vote, ..options.clone() }, false, None));
    all.extend(files(Options { kernel, keep: Keep::Pocket, ..options }, true, Some(3)));
    all
}

#[test]
fn what_is_written_comes_back() {
    for file in all() {
        let bytes = file.to_bytes().unwrap();
        let back = CheckpointFile::from_bytes("run", &bytes).unwrap();
        assert_eq!(back, file);
        assert_eq!(back.to_bytes().unwrap(), bytes);
    }
}

/// Every choice of every step of the list: this program reads what it writes.
#[test]
fn checkpoints_of_prepared_rows_come_back() {
    let mut file = files(Options { epochs: 1, ..Options::default() }, false, None).remove(0);
    for option in &PREPARE_OPTIONS {
        let words = option.word_names();
        for value in if words.is_empty() { vec!["1:"] } else { words } {
            let options: PrepareOptions =
                serde_json::from_value(json!({ option.name: value })).unwrap();
            file.terms.preparation = options.named();
            let back = CheckpointFile::from_bytes("run", &file.to_bytes().unwrap());
            assert_eq!(back.unwrap(), file, "{} {value}", option.name);
        }
    }
}

/// No changed byte goes unseen, wherever it is, and no cut. With a checksum to match, a run goes on or does not, but
/// nothing panics.
#[test]
fn a_damaged_file_is_refused() {
    for file in all().into_iter().skip(1).step_by(4) {
        let bytes = file.to_bytes().unwrap();
        let points = Points::new(file.terms.classes.names().len() == 3);
        for place in 0..bytes.len() {
            assert!(CheckpointFile::from_bytes("run", &bytes[..place]).is_err());
            for change in [1, 0x80, 0xff, b' ' ^ b'\t'] {
                let mut damaged = bytes.clone();
                damaged[place] ^= change;
                assert!(CheckpointFile::from_bytes("run", &damaged).is_err(), "byte {place}");
                if let Some(meant) = CheckpointFile::from_any_bytes(&damaged) {
                    let _ = points.run(&file.terms, Some(&meant.state));
                }
            }
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(CheckpointFile::from_bytes("run", &longer).is_err());
    }
}

#[test]
fn no_flipped_bit_goes_unseen() {
    let bytes = all()[4].to_bytes().unwrap();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(CheckpointFile::from_bytes("run", &flipped).is_err(), "bit {bit}");
    }
}

/// A file of the first version, written by `train xor.csv --epochs 3 --checkpoint`, and what is none.
#[test]
fn old_files_are_read_and_devices_are_not() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old_files/run.checkpoint");
    let old = CheckpointFile::load(&file).unwrap();
    assert_eq!((old.state.epochs(), old.terms.data.examples), (3, 4));
    if cfg!(unix) {
        let error = CheckpointFile::load(Path::new("/dev/zero")).unwrap_err();
        assert!(matches!(error, CheckpointFileError::NotACheckpoint { .. }), "{error}");
    }
}

/// Sums that left the range of numbers are kept as they are.
#[test]
fn sums_need_not_be_numbers() {
    let mut file =
        files(Options { keep: Keep::Average, ..Options::default() }, false, None).remove(0);
    let standing = &mut file.state.standings[0];
    standing.steps = f64::INFINITY;
    let average = standing.means.get_mut(&Kept::Average).unwrap();
    (average.totals[0], average.bias_total) = (f64::NEG_INFINITY, f64::NAN);
    let bytes = file.to_bytes().unwrap();
    let back = CheckpointFile::from_bytes("run", &bytes).unwrap();
    let standing = &back.state.standings[0];
    let average = &standing.means[&Kept::Average];
    assert!(standing.steps == f64::INFINITY && average.totals[0] == f64::NEG_INFINITY);
    assert!(average.bias_total.is_nan());
}

/// Each reader knows the other's file.
#[test]
fn a_checkpoint_is_no_model() {
    let bytes = files(Options::default(), false, None)[0].to_bytes().unwrap();
    let error = ModelFile::from_bytes("run", &bytes).unwrap_err();
    assert!(matches!(error, ModelFileError::IsACheckpoint { .. }), "{error}");
    let text = br#"{"__metadata__":{"rosenblatt":"{}"}}    "#;
    let model = [&(text.len() as u64).to_le_bytes()[..], text].concat();
    let error = CheckpointFile::from_bytes("model", &model).unwrap_err();
    assert!(matches!(error, CheckpointFileError::IsAModel { .. }), "{error}");
}
