//! `rosenblatt separable`: whether a hyperplane separates the classes (yes, no or unknown), with a proof.

use std::{path::Path, process::ExitCode, time::Duration};

use rosenblatt::Bias;
use rosenblatt_core::data::{Classes, Labelled};
use rosenblatt_data::{Dataset, ReadOptions, TextNumbers};
use rosenblatt_proofs::{Named, Numbers, SeparabilityOptions, Verdict, Written, WrittenVerdict};
use serde::Serialize;

use super::{
    inputs::{InputFiles, classes},
    notes::NoteLog,
    outputs::{self, prepare},
    search::within,
};
use crate::{
    args::SeparableArgs,
    error::CliError,
    exit, interrupt, output,
    text::{Table, counted, escaped, name},
};

mod answer;
mod compressed;
mod least_errors;
mod proof;
mod separation;

use answer::Answer;
use compressed::compressed;
use proof::{Checked, Proof};

/// The answer is no.
const NO: u8 = 1;
/// There is no answer.
const UNKNOWN: u8 = 3;

pub(crate) fn run(arguments: &SeparableArgs) -> Result<ExitCode, CliError> {
    let files =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
    if let Some(path) = &arguments.certificate {
        prepare("--certificate", path, &files.all())?;
    }
    let proof = arguments.verify.as_deref().map(proof::read).transpose()?;
    let reading = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    let reading = ReadOptions { numbers: TextNumbers::Decimals, ..reading };
    let dataset = files.read(&reading, arguments.certificate.as_deref())?;
    let log = NoteLog::new(&arguments.printing);
    log.tell(dataset.notes.list(&dataset.schema));
    let (classes, numbers) = classes(&dataset, arguments.columns.positive.as_deref())?;
    let labelled = Labelled::new(&dataset.rows, &numbers, classes.scheme())?;
    let examples = match (classes.pair(), labelled.problems().as_slice()) {
        (Some(_), &[examples]) => examples,
        _ => {
            let message = format!(
                "a hyperplane separates two classes, but the data has these: {}",
                classes.shown()
            );
            let hint = "`--positive LABEL` tests that class against the rest";
            return Err(CliError::usage(message, hint));
        }
    };
    let floats = || Written::of_floats(examples);
    let written = dataset.decimals.as_ref().map(|decimals| Written::new(examples, decimals));
    let written = match proof.as_ref().map(|proof| proof.numbers) {
        Some(Numbers::Binary64) => floats(),
        _ => written.unwrap_or_else(floats),
    };
    let subject =
        SeparableProblem { dataset: &dataset, classes: &classes, class_of: &numbers, written, log };
    match proof {
        Some(proof) => check(arguments, &subject, &proof),
        None if arguments.least_errors => least_errors::decide(arguments, &subject),
        None if arguments.weak => separation::decide(arguments, &subject),
        None => decide(arguments, &subject),
    }
}

/// The examples of two classes.
struct SeparableProblem<'a> {
    dataset: &'a Dataset,
    classes: &'a Classes,
    /// The class of each example.
    class_of: &'a [u32],
    written: Written<'a>,
    log: NoteLog,
}

impl SeparableProblem<'_> {
    /// The lines with which every report begins.
    fn heading(&self, table: &mut Table) {
        let examples = counted(self.written.floats().len() as u64, "example");
        let features = counted(self.written.floats().features() as u64, "feature");
        table.line("data", format!("{}: {examples}, {features}", escaped(&self.dataset.file)));
        if let Some((negative, positive)) = self.classes.pair() {
            table.line("classes", format!("+1 is {}, −1 is {}", name(positive), name(negative)));
        }
        if self.written.numbers() == Numbers::Binary64 {
            table.line("numbers", "64-bit floats, as they are stored");
        }
    }

    /// The reason for which decimals have no answer, with their column.
    fn too_long(&self) -> String {
        let names = self.dataset.schema.feature_names();
        let column = self.written.too_long().and_then(|feature| names.get(feature));
        let column = column.map_or_else(|| "a column".to_owned(), |column| name(column));
        format!(
            "the numbers of {column} differ too much in size: as integers they have more than 624 digits"
        )
    }
}

fn decide(arguments: &SeparableArgs, subject: &SeparableProblem<'_>) -> Result<ExitCode, CliError> {
    let (options, time) = options(arguments);
    let (found, compressed, separation) = within(time, arguments.printing.is_silent(), |stop| {
        let found = subject.written.separable(&options, stop);
        let few = || compressed(subject, &options, stop);
        let compressed = (found.verdict.is_separable() == Some(true)).then(few).flatten();
        let case = |_| subject.written.separation_of(&found.verdict, &options, stop);
        let separation = found.verdict.is_separable().map(case);
        (found, compressed, separation)
    });
    subject.dataset.check_unchanged()?;
    let WrittenVerdict { verdict, of_floats } = found;
    let code = match &verdict {
        Verdict::Yes { .. } => ExitCode::SUCCESS,
        Verdict::No { .. } => ExitCode::from(NO),
        Verdict::Unknown { .. } => unknown(),
    };
    let mut written = None;
    if let (Some(path), Some(proof)) = (&arguments.certificate, verdict.certificate()) {
        write(path, subject, proof)?;
        written = Some(path.display().to_string());
    }
    let answer = Answer { subject, arguments, verdict, of_floats, compressed, separation, written };
    if arguments.printing.json {
        subject.log.print_json(&answer.json())?;
    } else {
        output::print(&answer.text())?;
    }
    Ok(code)
}

/// The exit code without an answer.
fn unknown() -> ExitCode {
    ExitCode::from(if interrupt::requested() { exit::INTERRUPTED } else { UNKNOWN })
}

fn options(arguments: &SeparableArgs) -> (SeparabilityOptions, Option<Duration>) {
    let time = arguments.seconds.map(Duration::from_secs_f64);
    // A limit of time replaces the limit of work.
    let work = if time.is_some() { u64::MAX } else { SeparabilityOptions::default().work };
    let with_bias = arguments.bias != Bias::None;
    (SeparabilityOptions { with_bias, work, ..SeparabilityOptions::default() }, time)
}

fn write<T: Serialize>(
    path: &Path,
    subject: &SeparableProblem<'_>,
    certificate: &T,
) -> Result<(), CliError> {
    let numbers = subject.written.numbers();
    let text = serde_json::to_string(&Named { numbers, certificate })? + "\n";
    outputs::write(path, text.as_bytes())
}

/// Checks a certificate of any kind.
fn check(
    arguments: &SeparableArgs,
    subject: &SeparableProblem<'_>,
    proof: &Proof,
) -> Result<ExitCode, CliError> {
    let problem = proof.problem(arguments.bias != Bias::None, &subject.written);
    subject.dataset.check_unchanged()?;
    let code = if problem.is_some() { ExitCode::from(NO) } else { ExitCode::SUCCESS };
    let (numbers, verified) = (proof.numbers, problem.is_none());
    let checked = Checked { claim: proof.claim(), numbers, verified, problem };
    if arguments.printing.json {
        subject.log.print_json(&checked)?;
    } else {
        output::print(&checked.text(subject))?;
    }
    Ok(code)
}
