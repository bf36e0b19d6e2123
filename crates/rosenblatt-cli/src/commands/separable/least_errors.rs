//! `separable --least-errors`: bounds on the least errors that any hyperplane makes.

use std::process::ExitCode;

use rosenblatt_proofs::{
    Ended, ErrorBounds, LEAST_ERRORS_WORK, LeastErrors, LeastErrorsStatement, SeparabilityOptions,
};
use serde::Serialize;

use super::{NO, SeparableProblem, options, unknown, within, write};
use crate::{
    args::SeparableArgs,
    commands::{
        search::{stopped_by, stopped_words},
        theorem::least_errors as shown,
    },
    error::CliError,
    output,
    text::{Table, counted, escaped},
};

/// The object that `--json` prints.
#[derive(Serialize)]
struct LeastErrorsJson<'a> {
    #[serde(flatten)]
    statement: LeastErrorsStatement<'a>,
    examples: usize,
    features: usize,
    classes: &'a [String],
    positive: Option<&'a str>,
}

pub(super) fn decide(
    arguments: &SeparableArgs,
    subject: &SeparableProblem<'_>,
) -> Result<ExitCode, CliError> {
    let (mut options, time) = options(arguments);
    if time.is_none() {
        options = SeparabilityOptions { work: LEAST_ERRORS_WORK, ..options };
    }
    let found = within(time, arguments.printing.is_silent(), |stop| {
        subject.written.least_errors(&options, stop)
    });
    subject.dataset.check_unchanged()?;
    if let Some(path) = &arguments.certificate {
        write(path, subject, &found.certificate)?;
    }
    if arguments.printing.json {
        subject.log.print_json(&json(subject, &found))?;
    } else {
        output::print(&text(arguments, subject, &found))?;
    }
    Ok(match found.bounds() {
        ErrorBounds { upper: 0, .. } => ExitCode::SUCCESS,
        ErrorBounds { lower: 0, .. } => unknown(),
        _ => ExitCode::from(NO),
    })
}

fn json<'a>(subject: &'a SeparableProblem<'_>, found: &'a LeastErrors) -> LeastErrorsJson<'a> {
    let mut statement = found.statement(subject.written.numbers());
    if found.ended == Some(Ended::Stopped) {
        statement.ended_by = Some(stopped_by());
    }
    LeastErrorsJson {
        statement,
        examples: subject.written.floats().len(),
        features: subject.written.floats().features(),
        classes: subject.classes.names(),
        positive: subject.classes.positive(),
    }
}

fn text(arguments: &SeparableArgs, subject: &SeparableProblem<'_>, found: &LeastErrors) -> String {
    let mut table = Table::default();
    subject.heading(&mut table);
    let ErrorBounds { lower, upper } = found.bounds();
    let bounds = shown(found.bounds(), found.certificate.with_bias);
    table.line("answer", format!("{bounds}, checked exactly"));
    if lower > 0 {
        let sets = counted(lower as u64, "set");
        let (of, makes) =
            if lower == 1 { ("of examples", "is") } else { ("of different examples", "are each") };
        table.line("at least", format!("{sets} {of} {makes} proven inseparable"));
    }
    table.line("at most", format!("{} of weights that were found", counted(upper as u64, "error")));
    if let Some(ended) = found.ended {
        let reason = match ended {
            Ended::Stopped => stopped_words(arguments.seconds),
            Ended::Length => subject.too_long(),
            _ => "the search reached its work limit; `--seconds` sets a limit of time instead"
                .to_owned(),
        };
        table.line("", format!("not closer: {reason}"));
    }
    if let Some(path) = &arguments.certificate {
        table.line("certificate", format!("written to {}", escaped(&path.display().to_string())));
    }
    table.to_string()
}
