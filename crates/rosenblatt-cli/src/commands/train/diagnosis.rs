//! `--diagnose`: whether a run that did not converge could have.

mod finding;
mod text;

use rosenblatt::recipe::Part;
use rosenblatt_core::{
    data::{Examples, Labelled},
    report::{ClassReport, Errors, Report},
    train::{Bias, Options},
};
use rosenblatt_proofs::{
    Convergence, ErrorBounds, LEAST_ERRORS_WORK, SeparabilityOptions, Written, convergence,
    least_errors, separable,
};

use super::context::Context;
use crate::{commands::search::whole, error::CliError};

pub(super) use finding::Diagnosis;
use finding::{ClassFinding, Finding, Proven};

/// Finds out whether the classes of a part are separable, on which a run did not converge.
pub(super) fn diagnose(
    context: &Context<'_>,
    part: &Part<'_>,
    options: &Options,
    report: &Report,
) -> Result<Diagnosis, CliError> {
    let recipe = context.recipe(options);
    let prepared = recipe.prepare(part, None).map_err(|error| context.error(error))?;
    let labelled = prepared.labelled().map_err(|error| context.error(error))?;
    let mut findings = Vec::new();
    let problems = labelled.problems();
    let in_file = in_file(context, part, options)?;
    for (i, (examples, proven)) in problems.iter().zip(proven(report)).enumerate() {
        let mut found = finding(examples, options, proven, |i| part.place(i))?;
        let of_file = in_file.get(i).copied().flatten();
        found.as_written = of_file.filter(|&of_file| found.differs_from(of_file));
        found.beyond_scaling = context.prepare.named().beyond_scaling();
        if found.separable == "no" {
            found.least_errors = Some(match found.convergence {
                // The weights of the proof are right on all rows.
                Some(ends) if ends != Convergence::Never => ErrorBounds { lower: 0, upper: 0 },
                _ => fewest(examples, options, proven, problems.len())?,
            });
        }
        findings.push(found);
    }
    if context.classes.pair().is_some() {
        // Two classes have one hyperplane.
        return Ok(Diagnosis::One(findings.swap_remove(0)));
    }
    let names = context.classes.names().iter().cloned().zip(findings);
    Ok(Diagnosis::Each(names.map(|(class, finding)| ClassFinding { class, finding }).collect()))
}

/// Whether a hyperplane separates the numbers as they are written in the file, for each hyperplane of a run on all of them.
fn in_file(
    context: &Context<'_>,
    part: &Part<'_>,
    options: &Options,
) -> Result<Vec<Option<bool>>, CliError> {
    let Some(decimals) = context.dataset.decimals.as_ref().filter(|_| part.is_whole()) else {
        return Ok(Vec::new());
    };
    let labelled = Labelled::new(part.rows(), part.numbers(), context.classes.scheme())?;
    let with_bias = options.bias != Bias::None;
    let search = SeparabilityOptions { with_bias, ..SeparabilityOptions::default() };
    let decide = |&examples: &Examples<'_>| {
        let written = Written::new(examples, decimals);
        let found = whole(|stop| written.separable(&search, stop))?;
        Ok(found.verdict.is_separable())
    };
    labelled.problems().iter().map(decide).collect()
}

fn finding(
    examples: &Examples<'_>,
    options: &Options,
    proven: Proven,
    place: impl Fn(usize) -> usize,
) -> Result<Finding, CliError> {
    let bias = options.bias;
    let with_bias = bias != Bias::None;
    let mut search = SeparabilityOptions { with_bias, ..SeparabilityOptions::default() };
    if proven.separator.is_some() {
        // Only the margin is not yet known.
        search.work /= 10;
    }
    let (verdict, ends) = whole(|stop| {
        let verdict = separable(examples, &search, stop);
        let ends = convergence(examples, options, &verdict, &search, stop);
        (verdict, ends)
    })?;
    Ok(Finding::new(verdict, ends, proven, options, place))
}

/// Bounds the least wrong labels of one of several hyperplanes, which share the work. The run found one with so few as it
/// reports.
fn fewest(
    examples: &Examples<'_>,
    options: &Options,
    proven: Proven,
    hyperplanes: usize,
) -> Result<ErrorBounds, CliError> {
    let work = LEAST_ERRORS_WORK / hyperplanes as u64;
    let with_bias = options.bias != Bias::None;
    let search = SeparabilityOptions { with_bias, work, ..SeparabilityOptions::default() };
    let found = whole(|stop| least_errors(examples, &search, stop))?;
    let ErrorBounds { lower, upper } = found.bounds_by_label(examples, options.zero);
    Ok(ErrorBounds { lower, upper: proven.errors.map_or(upper, |errors| errors.min(upper)) })
}

/// The results of the run about each hyperplane.
fn proven(report: &Report) -> Vec<Proven> {
    match &report.per_class {
        None => vec![Proven {
            separator: report.separator,
            margin: report.margin,
            errors: fewest_of(&report.errors),
        }],
        Some(all) => {
            let of = |one: &ClassReport| Proven {
                separator: one.separator,
                margin: one.margin,
                errors: fewest_of(&one.errors),
            };
            all.iter().map(of).collect()
        }
    }
}

fn fewest_of(errors: &Errors) -> Option<usize> {
    errors.iter().map(|(_, errors)| errors).min()
}

#[cfg(test)]
mod tests {
    use rosenblatt_core::{keep::Kept, report::MarginBracket};
    use rosenblatt_proofs::{ConvergenceVerdict, Ended, MarginBounds, Verdict};

    use super::*;

    fn unfinished(separator: Option<Kept>, lower: Option<f64>) -> Finding {
        let upper = MarginBounds { unit_bias: Some(0.5), ..MarginBounds::default() };
        let verdict = Verdict::Unknown { upper, ended: Ended::Work };
        let margin = MarginBracket { lower, upper: Some(0.75) };
        let proven = Proven { separator, margin, errors: None };
        let ends = ConvergenceVerdict::Unknown(Ended::Work);
        Finding::new(verdict, ends, proven, &Options::default(), |i| i)
    }

    #[test]
    fn a_separator_of_the_run_is_a_yes() {
        let found = unfinished(Some(Kept::Average), Some(0.25));
        assert_eq!((found.separable, found.separator), ("yes", Some(Kept::Average)));
        assert_eq!(found.convergence, Some(Convergence::Always));
        assert_eq!((found.margin_lower, found.margin_upper), (Some(0.25), Some(0.5)));
        assert_eq!(found.text(3), "separable, with a margin of at least 0.25 for the rows (x, 1)");
        let open = unfinished(None, None);
        assert_eq!((open.separable, open.margin_upper), ("unknown", Some(0.5)));
        assert_eq!(open.convergence, None);
        assert_eq!(
            open.text(3),
            "unknown whether it is separable: the search reached its work limit; no separator has a margin above 0.5 for \
             the rows (x, 1)"
        );
    }

    #[test]
    fn one_update_is_no_updates() {
        let mut found = unfinished(Some(Kept::Last), Some(1.0));
        found.bound = Some(1.0);
        assert_eq!(found.possible(1), "; at most 1 update is possible, 1 was made");
    }
}
