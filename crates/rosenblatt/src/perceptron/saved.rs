//! The JSON of a [`Perceptron`]. That of [`Options`] leaves out what says nothing about a model; here it is kept.

use serde::{Deserialize, Serialize};

use super::{Perceptron, fit::Judging};
use rosenblatt_core::{options::Options, transforms::PrepareOptions};

#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SavedPerceptron {
    run: SavedOptions,
    prepare: PrepareOptions,
    positive: Option<String>,
    judging: Judging,
    sweep: Vec<SavedOptions>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedOptions {
    options: Options,
    compare: bool,
    plateau: bool,
}

impl Default for SavedPerceptron {
    fn default() -> Self {
        Perceptron::default().into()
    }
}

impl From<Options> for SavedOptions {
    fn from(options: Options) -> Self {
        SavedOptions { compare: options.compare, plateau: options.plateau, options }
    }
}

impl From<SavedOptions> for Options {
    fn from(SavedOptions { options, compare, plateau }: SavedOptions) -> Self {
        Options { compare, plateau, ..options }
    }
}

impl From<Perceptron> for SavedPerceptron {
    fn from(Perceptron { options, prepare, positive, mut judging }: Perceptron) -> Self {
        let sweep = judging.sweep.drain(..).map(Into::into).collect();
        SavedPerceptron { run: options.into(), prepare, positive, judging, sweep }
    }
}

impl From<SavedPerceptron> for Perceptron {
    fn from(saved: SavedPerceptron) -> Self {
        let SavedPerceptron { run, prepare, positive, judging, sweep } = saved;
        let sweep = sweep.into_iter().map(Into::into).collect();
        Perceptron { options: run.into(), prepare, positive, judging: Judging { sweep, ..judging } }
    }
}
