//! The notes on a run: classes, columns and examples that deserve a look.

use rosenblatt_core::schedule::Order;
use rosenblatt_data::{ModelFile, Note, NoteCode, Remedy, categories_by_case, classes_by_case};

use super::accuracy::{few_examples, held_out_rates, most_frequent};
use crate::{
    commands::{
        notes::{never_predicted, unseen_labels},
        options::kept_weights,
        train::outcome::TrainOutcome,
    },
    hints::quoted,
    text::{count, decimal, name, percent, quoted_names, times},
};

/// All notes on a run, in the order of the report.
pub(in crate::commands::train) fn notes(outcome: &TrainOutcome) -> Vec<Note> {
    let mut all = classes_by_case(outcome.file.model.classes().names());
    all.extend(categories_by_case(&outcome.file.schema));
    all.extend(single_examples(&outcome.file));
    all.extend(label_copies(outcome));
    all.extend(telling(outcome));
    all.extend(no_better(outcome));
    all.extend(rarely_predicted(outcome));
    all.extend(unusual_classes(outcome));
    all.extend(other_separator(outcome));
    all.extend(sorted(outcome));
    all.extend(sizes(outcome));
    all
}

/// The words of the notes with these codes.
pub(super) fn words<'a>(
    notes: &'a [Note],
    codes: &'a [NoteCode],
) -> impl Iterator<Item = String> + 'a {
    notes.iter().filter(|note| codes.contains(&note.code)).map(|note| note.words.clone())
}

/// Of several classes, those with one example, which may be misspelled.
fn single_examples(model: &ModelFile) -> Option<Note> {
    const SHOWN: usize = 5;
    let (names, sizes) = (model.model.classes().names(), &model.model.baseline().class_sizes);
    let single = names.iter().zip(sizes).filter(|&(_, &size)| size == 1 && names.len() > 2);
    let single: Vec<&String> = single.map(|(class, _)| class).collect();
    let words = match single.len() {
        0 => return None,
        1..=SHOWN => format!("only one example of {}", quoted_names(&single)),
        all => format!(
            "only one example of each of {all} classes ({}, …): is the label the right column?",
            quoted_names(&single[..SHOWN])
        ),
    };
    Some(Note::new(NoteCode::SingleExamples, words).classes(single))
}

/// The columns that may be the label in another form.
fn label_copies(outcome: &TrainOutcome) -> Option<Note> {
    let column = outcome.label_copies.first()?;
    let (shown, named) = (name(column), quoted(column));
    let words = format!(
        "column `{shown}` has one value for each class: `--ignore {named}` leaves it out if it is the label in another form"
    );
    let note = Note::new(NoteCode::LabelCopies, words).columns(&outcome.label_copies);
    Some(note.remedy(Remedy::Ignore(column.clone())))
}

/// The columns that alone nearly decide the label.
fn telling(outcome: &TrainOutcome) -> Vec<Note> {
    const MOST: usize = 5;
    let one = |(column, auc): &(String, f64)| {
        let (shown, named) = (name(column), quoted(column));
        // Rounded down, so that 1 says that it decides the label.
        let auc = decimal((auc * 1e4).floor() / 1e4);
        let words = format!(
            "`{shown}` alone nearly decides the label (AUC {auc}): if it is known only after the label, `--ignore {named}` leaves it out"
        );
        let note = Note::new(NoteCode::TellingColumn, words).columns([column]);
        note.remedy(Remedy::Ignore(column.clone()))
    };
    outcome.telling.iter().take(MOST).map(one).collect()
}

/// The most frequent class, if the model is no better than it.
fn no_better(outcome: &TrainOutcome) -> Option<Note> {
    let most = most_frequent(outcome);
    let words = format!("the model is no better than always predicting `{}`", name(most.class));
    most.is_enough.then(|| Note::new(NoteCode::NoBetter, words).classes([most.class]))
}

/// The classes that no held-out example is predicted as, with class weights that help.
fn rarely_predicted(outcome: &TrainOutcome) -> Option<Note> {
    let note = never_predicted(held_out_rates(&outcome.validation)?)?;
    let folds = outcome.validation.folds.as_ref();
    let Some((folds, trial)) = folds.and_then(|folds| Some((folds, folds.remedy.as_ref()?))) else {
        return Some(note);
    };
    let ((found, all), mean) = (trial.found(folds), percent(trial.mean));
    let (found, all) = (count(found), count(all));
    let words = format!(
        "{}; `--class-weight balanced` finds {found} of {all}, with an accuracy of {mean}",
        note.words
    );
    let balanced = Remedy::Run { option: "class_weight", value: trial.class_weight };
    Some(Note { words, ..note }.remedy(balanced))
}

/// The classes that no example to learn from has, or that some folds could not test.
fn unusual_classes(outcome: &TrainOutcome) -> Option<Note> {
    let validation = &outcome.validation;
    let unseen = validation.holdout.as_ref().and_then(|one| one.unseen_labels.as_ref());
    if let Some(unseen) = unseen {
        return Some(unseen_labels(unseen, outcome.file.model.classes().names()));
    }
    let folds = validation.folds.as_ref().filter(|folds| !folds.few.is_empty())?;
    let words = few_examples(folds);
    let classes = folds.few.iter().map(|few| &few.class);
    Some(Note::new(NoteCode::FewExamples, words).classes(classes))
}

/// The weights that separate the classes, if they are not those of the model.
fn other_separator(outcome: &TrainOutcome) -> Option<Note> {
    let report = outcome.file.model.report();
    let separator = report.separator.filter(|&separator| separator != report.kept)?;
    let (weights, kept) = (kept_weights(separator), separator.name());
    let words = format!("{weights} separate the classes (`--keep {kept}`)");
    let keep = Remedy::Run { option: "keep", value: kept };
    Some(Note::new(NoteCode::OtherSeparator, words).remedy(keep))
}

/// That the examples are sorted by class.
fn sorted(outcome: &TrainOutcome) -> Option<Note> {
    let is_shuffled = outcome.file.model.options().order == Order::Shuffle;
    let note = match is_shuffled {
        true => Note::new(
            NoteCode::Shuffled,
            "the examples are sorted by class, so they were shuffled (`--order given` learns in their order)",
        ),
        false => Note::new(
            NoteCode::SortedExamples,
            "the examples are sorted by class: one pass in their order forgets the first classes; `--order shuffle`",
        )
        .remedy(Remedy::Run { option: "order", value: "shuffle" }),
    };
    outcome.is_sorted.then_some(note)
}

/// Advice to scale features of very different sizes.
fn sizes(outcome: &TrainOutcome) -> Option<Note> {
    const MUCH: f64 = 100.0;
    let is_over = outcome.file.model.report().converged;
    let spread = outcome.scale_spread.filter(|&spread| !is_over && spread >= MUCH)?;
    let words =
        format!("the largest feature is {} times the smallest: try `--scale auto`", times(spread));
    let scaled = Remedy::Run { option: "scale", value: "auto" };
    Some(Note::new(NoteCode::FeatureSizes, words).remedy(scaled))
}
