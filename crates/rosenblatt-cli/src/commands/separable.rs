//! `rosenblatt separable`: whether a hyperplane separates the classes (yes, no or unknown), with a proof.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use rosenblatt::{
    Bias,
    data::{Classes, Examples, Labelled},
    separability::{
        Certificate, SeparabilityOptions, SeparationCertificate, Verdict, separable, verify,
    },
};
use rosenblatt_data::Dataset;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    inputs::{InputFiles, classes},
    notes,
    outputs::{self, prepare},
    search::within,
};
use crate::{args::SeparableArgs, error::CliError, output};

mod answer;
mod separation;

use answer::Answer;

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
    let proof = arguments.verify.as_deref().map(|path| load(path, arguments.weak)).transpose()?;
    let reading = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    let dataset = files.read(&reading, arguments.certificate.as_deref())?;
    notes::print(&dataset.notes, &dataset.schema, arguments.printing.quiet);
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
    let subject = SeparableProblem { dataset: &dataset, classes: &classes, examples };
    match proof {
        Some(Proof::Hyperplane(certificate)) => check(arguments, &subject, &certificate),
        Some(Proof::Separation(certificate)) => {
            separation::check(arguments, &subject, &certificate)
        }
        None if arguments.weak => separation::decide(arguments, &subject),
        None => decide(arguments, &subject),
    }
}

/// The examples of two classes.
struct SeparableProblem<'a> {
    dataset: &'a Dataset,
    classes: &'a Classes,
    examples: Examples<'a>,
}

/// A certificate of either kind.
enum Proof {
    Hyperplane(Certificate),
    Separation(SeparationCertificate),
}

fn decide(arguments: &SeparableArgs, subject: &SeparableProblem<'_>) -> Result<ExitCode, CliError> {
    let (options, time) = options(arguments);
    let verdict = within(time, |stop| separable(&subject.examples, &options, stop))?;
    let verdict = verdict.confirmed(&subject.examples);
    subject.dataset.check_unchanged()?;
    let code = match &verdict {
        Verdict::Yes { .. } => ExitCode::SUCCESS,
        Verdict::No { .. } => ExitCode::from(NO),
        Verdict::Unknown { .. } => ExitCode::from(UNKNOWN),
    };
    let mut written = None;
    if let (Some(path), Some(proof)) = (&arguments.certificate, verdict.certificate()) {
        write(path, proof)?;
        written = Some(path.display().to_string());
    }
    let answer = Answer { subject, arguments, verdict, written };
    if arguments.printing.json {
        output::print_json(&answer.json())?;
    } else {
        output::print(&answer.text())?;
    }
    Ok(code)
}

fn options(arguments: &SeparableArgs) -> (SeparabilityOptions, Option<Duration>) {
    let time = arguments.seconds.map(Duration::from_secs_f64);
    // A limit of time replaces the limit of work.
    let work = if time.is_some() { u64::MAX } else { SeparabilityOptions::default().work };
    let with_bias = arguments.bias != Bias::None;
    (SeparabilityOptions { with_bias, work, ..SeparabilityOptions::default() }, time)
}

fn write<T: Serialize>(path: &Path, certificate: &T) -> Result<(), CliError> {
    let text = serde_json::to_string(certificate)? + "\n";
    outputs::write(path, text.as_bytes())
}

fn load(path: &Path, weak: bool) -> Result<Proof, CliError> {
    if weak { Ok(Proof::Separation(read(path)?)) } else { Ok(Proof::Hyperplane(read(path)?)) }
}

/// Reads a certificate, which any program may have written, up to a limit.
fn read<T: DeserializeOwned>(path: &Path) -> Result<T, CliError> {
    /// More than any data set that fits into memory needs.
    const LARGEST: u64 = 1 << 30;
    let failure = |problem| CliError::Certificate { file: path.display().to_string(), problem };
    let file = File::open(path).map_err(|error| failure(error.to_string()))?;
    let mut text = BufReader::new(file.take(LARGEST + 1));
    let read = serde_json::from_reader(&mut text);
    if text.get_ref().limit() == 0 {
        return Err(failure(format!("it has more than {LARGEST} bytes")));
    }
    read.map_err(|error: serde_json::Error| match error.io_error_kind() {
        Some(_) => failure(io::Error::from(error).to_string()),
        None => failure(format!("this is not a certificate: {error}")),
    })
}

fn check(
    arguments: &SeparableArgs,
    subject: &SeparableProblem<'_>,
    certificate: &Certificate,
) -> Result<ExitCode, CliError> {
    let asked = certificate.answers(arguments.bias != Bias::None);
    let checked = asked.and_then(|()| verify(certificate, &subject.examples));
    let problem = checked.err().map(|error| error.to_string());
    subject.dataset.check_unchanged()?;
    let code = if problem.is_some() { ExitCode::from(NO) } else { ExitCode::SUCCESS };
    if arguments.printing.json {
        output::print_json(&answer::checked_json(certificate, problem))?;
    } else {
        output::print(&answer::checked_text(certificate, subject, problem.as_deref()))?;
    }
    Ok(code)
}
