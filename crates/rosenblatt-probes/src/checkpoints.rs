//! Any bytes as a checkpoint, whatever its checksum.

use std::ops::ControlFlow;

use rosenblatt_core::{
    data::{Labelled, Rows},
    model::Classifier,
    train::{BinaryTrainer, Checkpoint, HeldOut, Observer, Options, Resources, Visit},
};
use rosenblatt_data::{CheckpointFile, ModelFile};

/// What is accepted comes back the same when it is written again.
pub(crate) fn checkpoint(bytes: &[u8]) {
    let Some(checkpoint) = CheckpointFile::from_any_bytes(bytes) else { return };
    comes_back(&checkpoint);
    let model = checkpoint.to_bytes().unwrap();
    assert!(ModelFile::from_bytes("probe", &model).is_err());
}

fn comes_back(checkpoint: &CheckpointFile) {
    let Ok(again) = checkpoint.to_bytes() else {
        panic!("an accepted checkpoint cannot be written")
    };
    let Ok(read_back) = CheckpointFile::from_bytes("probe", &again) else {
        panic!("a written checkpoint cannot be read")
    };
    // Sums may be no numbers, which are not equal to themselves.
    assert_eq!(Ok(again), read_back.to_bytes());
}

/// More examples or features are not learned from.
const MOST: usize = 24;

/// A run goes on from what is accepted, over rows of the number and length that it is about, or says why not.
pub(crate) fn resume(bytes: &[u8]) {
    let Some(mut file) = CheckpointFile::from_any_bytes(bytes) else { return };
    let (n, features) = (file.terms.data.examples, features(&file));
    let classes = file.terms.classes.names().len();
    if n > MOST || features > MOST || classes > 8 {
        return;
    }
    let value = |i: usize| [0.0, 1.0, -1.0, 0.5, 3.0, -2.0, 1e-3][i * 5 % 7] * (1 + i % 3) as f64;
    let rows = Rows::dense((0..n * features).map(value).collect::<Vec<f64>>(), features).unwrap();
    let numbers: Vec<u32> = (0..n).map(|i| ((i * 7 + i / classes) % classes) as u32).collect();
    let Ok(labelled) = Labelled::new(&rows, &numbers, file.terms.classes.scheme()) else { return };
    let held_out = file.terms.patience.map(|patience| HeldOut { labelled, patience, least: 1 });
    let epochs = file.terms.options.epochs.min(file.state.epochs().saturating_add(3));
    let options = Options { epochs, ..file.terms.options.clone() };
    let mut watch = Watch { visits: 0, made: None };
    let ran = file.state.resume(
        &labelled,
        &options,
        &Resources::default(),
        held_out.as_ref(),
        &mut watch,
    );
    if let Ok(fit) = ran {
        let planes = match &fit.classifier {
            Classifier::Linear(planes) => planes.as_slice(),
            Classifier::Dual(dual) => dual.planes.as_slice(),
            Classifier::Voted(_) => &[],
        };
        let numbers = planes.iter().flat_map(|plane| plane.weights.iter().chain([&plane.bias]));
        assert!(numbers.into_iter().all(|number| number.is_finite()));
    }
    if let Some(state) = watch.made {
        file.state = state;
        comes_back(&file);
    }
}

/// The features that rows must have.
fn features(file: &CheckpointFile) -> usize {
    let first = file.state.standings.first();
    match file.terms.options.kernel {
        None => first.map_or(0, |standing| standing.hyperplane.weights.len()),
        Some(_) => 2,
    }
}

/// Ends a run before it takes long.
struct Watch {
    visits: u32,
    made: Option<Checkpoint>,
}

impl Observer for Watch {
    fn visited(&mut self, _: usize, _: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.visits += 1;
        if self.visits < 500 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.made = Some(make());
        ControlFlow::Continue(())
    }
}
