//! Which options of a run change nothing beside the others. Such an option is refused, unless it has its default. Those that
//! the rule, the kernel or the penalty excludes are refused by [`Options::check`].

use rosenblatt_core::{
    data::{Scheme, ZeroScore},
    schedule::Order,
    train::{Compared, Multiclass, Options},
};

use super::default_folds;
use crate::{args::TrainArgs, commands::options::DRAWS_NOTHING, error::CliError};

/// An option that is not its default, and the reason why it changes nothing, if there is one.
type Chosen = (&'static str, Option<&'static str>);

/// Refuses the first option without an effect, by the classes too if they are known. Continued runs have the options that
/// they began with.
pub(super) fn check(
    arguments: &TrainArgs,
    options: &Options,
    scheme: Option<Scheme>,
) -> Result<(), CliError> {
    if arguments.sweep.is_empty() {
        check_epochs(arguments, options)?;
    }
    let chosen = chosen(arguments, options, scheme);
    let reason = |(name, reason): Chosen| Some((name, reason?));
    match chosen.into_iter().find_map(reason).filter(|_| arguments.resume.is_none()) {
        None => Ok(()),
        Some((name, reason)) => Err(CliError::no_effect(name, reason)),
    }
}

/// Refuses a rate that falls in a single epoch, and counts of the visits of the order `mistaken`.
fn check_epochs(arguments: &TrainArgs, options: &Options) -> Result<(), CliError> {
    const ONE_VISIT: &str = "an epoch of the order `mistaken` visits one example, always a mistake";
    if options.decay.is_some() && options.epochs == 1 {
        return Err(CliError::usage(
            "the learning rate falls from epoch to epoch, but there is only one epoch",
            "write `--eta RATE` without `/t`, or allow more epochs with `--epochs N`",
        ));
    }
    match options.order {
        Order::Mistaken if arguments.hard.is_some() => Err(CliError::no_effect("hard", ONE_VISIT)),
        Order::Mistaken if arguments.progress => Err(CliError::no_effect("progress", ONE_VISIT)),
        _ => Ok(()),
    }
}

/// The options that are not their defaults. Every option is named, so that a new one is asked for.
fn chosen(arguments: &TrainArgs, options: &Options, scheme: Option<Scheme>) -> Vec<Chosen> {
    let Options {
        update: _,
        keep: _, // by `Dynamics::kept`
        kernel: _,
        penalty: _,
        bias: _,
        mistake: _,
        zero,
        order: _, // by `Dynamics::draws`
        init: _,
        seed,
        epochs: _,
        allow_mistakes: _,
        eta: _,
        decay: _,
        class_weight: _,
        classes,
        compare,
        plateau: _,
    } = options;
    let is_swept = !arguments.sweep.is_empty();
    let holds_out = arguments.holdout.is_some() || arguments.folds.is_some();
    // One pass shuffles rows that are sorted by class, unless their order was asked for.
    let dynamics = options.dynamics();
    let is_drawn = dynamics.draws || !arguments.learning.run.has_order || holds_out;
    let keeps_average = dynamics.kept.keeper().is_mean() && !is_swept;
    let is_joint = scheme.is_some_and(|scheme| options.is_joint(scheme)) && !is_swept;
    let comparing = Options { compare: true, ..options.clone() }.dynamics();
    let is_pocketless = is_joint || comparing.compared != Compared::All;
    let no_folds = default_folds::never(options);
    let all = [
        ("seed", *seed != 0, !is_drawn, DRAWS_NOTHING),
        (
            "no-compare",
            !compare,
            keeps_average && is_pocketless,
            "a run with a kernel, a penalty or classes learned together tries no pocket, and its average is the model",
        ),
        (
            "zero",
            *zero != ZeroScore::default(),
            is_joint,
            "classes that are learned together are compared with one another, not with 0",
        ),
        (
            "classes",
            *classes != Multiclass::Auto,
            arguments.columns.positive.is_some(),
            "with `--positive` there are two classes, which have one hyperplane",
        ),
        ("no-folds", arguments.no_folds, no_folds.is_some(), no_folds.unwrap_or_default()),
    ];
    let chosen = all.into_iter().filter(|(_, is_chosen, ..)| *is_chosen);
    chosen.map(|(name, _, is_idle, reason)| (name, is_idle.then_some(reason))).collect()
}
