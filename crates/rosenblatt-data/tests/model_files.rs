//! Model files of runs that only the library can make.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use rosenblatt::{
    data::{Classes, Labelled, Rows},
    keep::Keep,
    model::Model,
    prototype::Baseline,
    schedule::Init,
    space::Hyperplane,
    train::{Options, Resources, fit},
};
use rosenblatt_data::{
    Format, ModelFile,
    schema::{Inputs, Schema},
};

/// A run with given first weights or weights of examples, in a file.
fn file(options: Options, weights: Option<&[f64]>) -> ModelFile {
    let rows = Rows::dense(vec![1.0, 0.5, -2.0, 1.0, 0.3, 0.3, 2.0, -1.0], 2).unwrap();
    let classes = Classes::two(["a".to_owned(), "b".to_owned()], 1).unwrap();
    let labelled = Labelled::new(&rows, &[0, 1, 1, 0], classes.scheme()).unwrap();
    let labelled = weights.map_or(labelled, |weights| labelled.weighted(weights).unwrap());
    let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
    let baseline = Baseline::of(&labelled);
    ModelFile {
        model: Model {
            classifier: run.classifier,
            scaling: None,
            classes,
            zero: options.zero,
            baseline,
        },
        schema: Schema {
            format: Format::Libsvm { zero_based: false },
            inputs: Inputs::Indexed { features: 2 },
        },
        options,
        report: run.report,
        label_type: None,
        tool_version: "1.2.3".to_owned(),
    }
}

/// The first weights are no part of the file.
#[test]
fn a_model_from_given_weights_comes_back() {
    let first = Hyperplane { weights: vec![0.5, -3.0], bias: 1.0 };
    let options = Options { init: Init::Given([first].into()), epochs: 3, ..Options::default() };
    let file = file(options, None);
    let back = ModelFile::from_bytes("model", &file.to_bytes().unwrap()).unwrap();
    let init = Init::Given([].into());
    let expected = ModelFile { options: Options { init, ..file.options.clone() }, ..file };
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
