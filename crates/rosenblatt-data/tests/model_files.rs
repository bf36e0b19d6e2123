//! Model files of runs that only the library can make.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{fs, path::Path};

use rosenblatt::Perceptron;
use rosenblatt_core::{
    calibration::{Calibration, CalibrationMethod, Curve, LabelsBy, Sigmoid},
    data::{Classes, Labelled, Rows, Scheme, ZeroScore},
    keep::Keep,
    model::{Model, ModelParts},
    prototype::Baseline,
    rules::Mistake,
    schedule::Init,
    space::Hyperplane,
    train::{Bias, Fit, Multiclass, Options, Resources, fit},
    transforms::{PREPARE_OPTIONS, Preparation},
};
use rosenblatt_data::{
    Format, LoadedModel, ModelFile, ModelFileError,
    model_file::LabelType,
    schema::{Inputs, Schema},
    sealed,
};
use serde_json::json;

/// A run with given first weights or weights of examples, in a file.
fn file(options: Options, weights: Option<&[f64]>) -> ModelFile {
    let rows = Rows::dense(vec![1.0, 0.5, -2.0, 1.0, 0.3, 0.3, 2.0, -1.0], 2).unwrap();
    let classes = Classes::two(["a".to_owned(), "b".to_owned()], 1).unwrap();
    let labelled = Labelled::new(&rows, &[0, 1, 1, 0], classes.scheme()).unwrap();
    let labelled = weights.map_or(labelled, |weights| labelled.weighted(weights).unwrap());
    let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
    let baseline = Baseline::of(&labelled);
    let Fit { classifier, report, .. } = run;
    let parts = ModelParts {
        classifier,
        preparation: Default::default(),
        classes,
        baseline,
        calibration: None,
        options,
        report,
    };
    ModelFile {
        model: Model::new(parts).unwrap(),
        schema: Schema {
            format: Format::Libsvm { zero_based: false },
            inputs: Inputs::Indexed { features: 2 },
        },
        label_type: None,
        held_out: vec![],
        tool_version: "1.2.3".to_owned(),
    }
}

#[test]
fn the_sizes_of_held_out_classes_come_back() {
    let of = |held_out: &[usize]| {
        let file = ModelFile { held_out: held_out.to_vec(), ..file(Options::default(), None) };
        ModelFile::from_bytes("model", &file.to_bytes().unwrap())
    };
    assert_eq!(of(&[3, 1]).unwrap().held_out, [3, 1]);
    assert_eq!(of(&[]).unwrap().held_out, [0; 0]);
    let problem = of(&[3]).unwrap_err().to_string();
    assert!(problem.contains("class sizes are not those"), "{problem}");
}

/// Every choice of every step of the list: this program reads what it writes.
#[test]
fn models_of_prepared_rows_come_back() {
    let rows = Rows::dense(vec![1.0, 0.5, 2.0, 0.0, 0.3, 0.3, 2.0, 1.0], 2).unwrap();
    for (option, value) in choices() {
        let options = serde_json::from_value(json!({ option: value })).unwrap();
        let (preparation, _) =
            Preparation::fit(options, &rows, None, Bias::Unit, usize::MAX).unwrap();
        let mut file = file(Options::default(), None);
        let mut parts = file.model.into_parts();
        parts.preparation = preparation;
        file.model = Model::new(parts).unwrap();
        let back = ModelFile::from_bytes("model", &file.to_bytes().unwrap());
        assert_eq!(back.unwrap(), file, "{option} {value}");
    }
}

/// The options of the preparation with their values.
fn choices() -> impl Iterator<Item = (&'static str, &'static str)> {
    PREPARE_OPTIONS.iter().flat_map(|option| {
        let words = option.word_names();
        let values = if words.is_empty() { vec!["1:"] } else { words };
        values.into_iter().map(|value| (option.name, value))
    })
}

/// The first weights are no part of the file.
#[test]
fn a_model_from_given_weights_comes_back() {
    let first = Hyperplane { weights: vec![0.5, -3.0], bias: 1.0 };
    let options = Options { init: Init::Given([first].into()), epochs: 3, ..Options::default() };
    let file = file(options, None);
    let back = ModelFile::from_bytes("model", &file.to_bytes().unwrap()).unwrap();
    let init = Init::Given([].into());
    let mut parts = file.model.into_parts();
    parts.options.init = init;
    let expected = ModelFile { model: Model::new(parts).unwrap(), ..file };
    assert_eq!(back, expected);
}

#[test]
fn models_of_weighted_examples_come_back() {
    let weights = [0.5, 2.0, 3.0, 0.1];
    for keep in [Keep::Last, Keep::Average, Keep::Vote] {
        for kernel in [None, Some("poly:2".parse().unwrap())] {
            let options = Options { keep, kernel, epochs: 5, ..Options::default() };
            let file = file(options, Some(&weights));
            let back = ModelFile::from_bytes("model", &file.to_bytes().unwrap());
            assert_eq!(back.unwrap(), file);
        }
    }
}

/// A linear, a dual and a voted model.
fn three() -> [ModelFile; 3] {
    let options = Options { epochs: 3, ..Options::default() };
    let kernel = Some("poly:2".parse().unwrap());
    [
        file(options.clone(), None),
        file(Options { kernel, ..options.clone() }, None),
        file(Options { keep: Keep::Vote, ..options }, None),
    ]
}

/// Wherever it is: in the length of the header, its names, blanks, numbers, or in the checksum itself.
#[test]
fn no_flipped_bit_and_no_cut_goes_unseen() {
    for file in three() {
        let bytes = file.to_bytes().unwrap();
        let whole = LoadedModel::from_bytes("model", &bytes).unwrap();
        assert!(whole.has_checksum && whole.file == file);
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(LoadedModel::from_bytes("model", &flipped).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(LoadedModel::from_bytes("model", &bytes[..length]).is_err(), "{length} bytes");
        }
        assert!(LoadedModel::from_bytes("model", &[&bytes[..], &[0]].concat()).is_err());
    }
}

/// Models with probabilities come back, whole or not at all; curves that fall are refused.
#[test]
fn calibrated_models_come_back() {
    let [linear, ..] = three();
    for method in CalibrationMethod::ALL {
        let scheme = Scheme::Two { positive: 1 };
        let (scores, classes) = ([-1.0, 0.5, 0.25, 2.0], [0, 1, 0, 1]);
        let calibration = Calibration::fit(method, scheme, &scores, &classes).unwrap();
        let model = linear.model.clone().with_calibration(calibration).unwrap();
        let file = ModelFile { model, ..linear.clone() };
        let bytes = file.to_bytes().unwrap();
        assert_eq!(ModelFile::from_bytes("model", &bytes).unwrap(), file);
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(ModelFile::from_bytes("model", &flipped).is_err(), "{method:?}, bit {bit}");
            // A file with the checksum of such bytes is read, or refused without more.
            let _ = ModelFile::from_any_bytes(&flipped);
        }
    }
    let negative = Curve::Platt(Sigmoid { slope: -1.0, intercept: 0.0 });
    let of_parts = |method, curves| Calibration::of_parts(method, curves, 2, LabelsBy::Probability);
    assert_eq!(of_parts(CalibrationMethod::Platt, vec![negative]), None);
    // Two curves for one hyperplane.
    let curve = || Curve::Platt(Sigmoid { slope: 1.0, intercept: 0.0 });
    assert_eq!(of_parts(CalibrationMethod::Temperature, vec![curve()]), None);
    let two = of_parts(CalibrationMethod::Platt, vec![curve(), curve()]).unwrap();
    assert!(linear.model.clone().with_calibration(two).is_err());
}

/// A file cannot become one of the version without checksums by a changed name or number alone.
#[test]
fn a_checksum_is_not_done_without() {
    let bytes = three()[0].to_bytes().unwrap();
    let changed = |from: &str, to: &str| {
        let place = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        let mut bytes = bytes.clone();
        bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
        ModelFile::from_bytes("model", &bytes).unwrap_err().to_string()
    };
    let damaged = "its checksum is not that of its bytes: the file is damaged";
    assert!(changed("\"checksum\"", "\"checksun\"").ends_with("it has no checksum"));
    assert!(changed(r#"format_version\":2"#, r#"format_version\":1"#).ends_with(damaged));
    assert!(changed(r#"format_version\":2"#, r#"format_version\":9"#).ends_with(damaged));
}

/// `tests/old_files` has files of every released format version: models of xor.csv by `train`, with `--epochs 3`,
/// `--kernel poly:2` and `--keep vote --epochs 3`. Version 1 has no checksum and no option `zero`; none has the option `classes`.
#[test]
fn files_of_every_version_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old_files");
    let forms = [("linear", 3), ("dual", 7), ("voted", 3)];
    let names = |(form, epochs)| {
        [(format!("{form}.model"), epochs, false), (format!("{form}-2.model"), epochs, true)]
    };
    for (name, epochs, has_checksum) in forms.into_iter().flat_map(names) {
        let old = LoadedModel::load(&folder.join(&name)).unwrap();
        let report = old.file.model.report();
        let found = (old.has_checksum, report.examples, report.epochs);
        assert_eq!(found, (has_checksum, 4, epochs), "{name}");
        let options = old.file.model.options();
        assert_eq!(options.zero, ZeroScore::Positive, "{name}");
        assert_eq!(options.classes, Multiclass::OneVsRest, "{name}");
        let new = LoadedModel::from_bytes(&name, &old.file.to_bytes().unwrap()).unwrap();
        assert!(new.has_checksum && new.file == old.file, "{name}");
    }
}

/// What is no model is read no further than shows it.
#[cfg(unix)]
#[test]
fn a_device_without_end_is_no_model() {
    let error = ModelFile::load(Path::new("/dev/zero")).unwrap_err();
    assert!(matches!(error, ModelFileError::NotAModel { .. }), "{error}");
}

/// A header may promise anything.
#[test]
fn more_than_the_largest_model_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let elements = 1u64 << 34;
    let header = format!(
        r#"{{"weights":{{"dtype":"F64","shape":[{elements}],"data_offsets":[0,{}]}}}}"#,
        8 * elements
    );
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    fs::write(&path, bytes).unwrap();
    let error = ModelFile::load(&path).unwrap_err().to_string();
    let expected = "its header promises 137438953472 bytes, the limit is 68719476736";
    assert!(error.ends_with(expected), "{error}");
}

/// A checksum that belongs to the bytes makes damage that the other checks must see.
#[test]
fn a_checksum_can_be_made_for_other_bytes() {
    let mut bytes = three()[0].to_bytes().unwrap();
    let place = bytes.windows(4).position(|part| part == b"keep").unwrap();
    bytes[place] = b'K';
    let error = ModelFile::from_bytes("model", &sealed(bytes)).unwrap_err().to_string();
    assert!(error.contains("unknown field `Keep`"), "{error}");
}

/// Files of before there was the option: the command's predicted the positive class at a score of 0, those of the package
/// for Python, which have the type of the labels, the negative one, but for the rule that says otherwise.
#[test]
fn a_file_that_does_not_say_what_0_predicts_reads_as_it_was_meant() {
    let stated = br#"\"zero\":\"positive\","#;
    let read = |label_type, mistake| {
        let [file, ..] = three();
        let mut parts = file.model.into_parts();
        parts.options.mistake = mistake;
        let file = ModelFile { model: Model::new(parts).unwrap(), label_type, ..file };
        let mut bytes = file.to_bytes().unwrap();
        let place = bytes.windows(stated.len()).position(|part| part == stated).unwrap();
        bytes[place..place + stated.len()].fill(b' ');
        let read = ModelFile::from_bytes("model", &sealed(bytes)).unwrap();
        read.model.options().zero
    };
    assert_eq!(read(None, Mistake::Margin), ZeroScore::Positive);
    assert_eq!(read(None, Mistake::Label), ZeroScore::Positive);
    assert_eq!(read(Some(LabelType::Integer), Mistake::Margin), ZeroScore::Negative);
    assert_eq!(read(Some(LabelType::Integer), Mistake::Label), ZeroScore::Positive);
}

/// A model of rows in memory is a file for tables with the named columns, in any order; other names are refused.
#[test]
fn names_make_a_file_of_a_model() {
    let rows = Rows::dense(&[0.3, 4.0, 0.2, 3.5, 1.6, 450.0], 2).unwrap();
    let model = Perceptron::new().epochs(9).fit(&rows, &[false, false, true]).unwrap();
    let file = ModelFile::named(model.clone(), ["target", "weight"]).unwrap();
    let again = ModelFile::from_bytes("m", &file.to_bytes().unwrap()).unwrap();
    assert_eq!(again, file);
    assert_eq!(file.schema.target(), Some("target_"));
    let animal = file.predict_record(&[("weight", "400"), ("target", "1.5")]).unwrap();
    assert_eq!(animal.parse(), Ok(true));
    assert!(animal.parse::<i32>().is_err());
    let refused = |names: &[&str]| {
        ModelFile::named(model.clone(), names.iter().copied()).unwrap_err().to_string()
    };
    assert_eq!(refused(&["a"]), "there are 1 names for 2 features");
    assert_eq!(refused(&["a", "a"]), "two features have the name `a`");
}
