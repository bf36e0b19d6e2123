//! The proof of a file, of whichever kind, and the result of checking it.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use rosenblatt_proofs::{
    Certificate, Convergence, ConvergenceCertificate, ErrorBounds, LeastErrorsCertificate, Numbers,
    SeparationCertificate, StrictClass, Written, verify_convergence,
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::SeparableProblem;
use crate::{commands::theorem, error::CliError, text::Table};

/// A certificate, and the numbers that it is about.
pub(super) struct Proof {
    pub(super) numbers: Numbers,
    kind: Kind,
}

/// A certificate of any kind.
enum Kind {
    Hyperplane(Certificate),
    Separation(SeparationCertificate),
    LeastErrors(LeastErrorsCertificate),
    /// Of a run, about the rows that it learned from.
    Convergence(ConvergenceCertificate),
}

impl Proof {
    /// Why this does not prove its claim for the examples; `None` if it does.
    pub(super) fn problem(&self, with_bias: bool, examples: &Written<'_>) -> Option<String> {
        if self.numbers != examples.numbers() {
            let problem =
                "the certificate is about decimals, and the numbers of the data are 64-bit floats";
            return Some(problem.to_owned());
        }
        match &self.kind {
            Kind::Hyperplane(proof) => {
                let checked = proof.answers(with_bias).and_then(|()| examples.verify(proof));
                checked.err().map(|error| error.to_string())
            }
            Kind::Separation(proof) => {
                let asked = proof.answers(with_bias);
                let checked = asked.and_then(|()| examples.verify_separation(proof));
                checked.err().map(|error| error.to_string())
            }
            Kind::LeastErrors(proof) => {
                let asked = proof.answers(with_bias);
                let checked = asked.and_then(|()| examples.verify_least_errors(proof));
                checked.err().map(|error| error.to_string())
            }
            Kind::Convergence(_) if self.numbers == Numbers::Decimal => {
                Some("a run learns from 64-bit floats, not from decimals".to_owned())
            }
            Kind::Convergence(proof) => {
                let asked = proof.answers(with_bias);
                let checked = asked.and_then(|()| verify_convergence(proof, examples.floats()));
                checked.err().map(|error| error.to_string())
            }
        }
    }

    pub(super) fn claim(&self) -> Claim {
        match &self.kind {
            Kind::Hyperplane(proof) => {
                Claim::Hyperplane { separable: proof.claim(), hyperplanes: proof.hyperplanes() }
            }
            Kind::Separation(proof) => Claim::Separation {
                separation: proof.separation.name(),
                hyperplanes: proof.hyperplanes(),
            },
            Kind::LeastErrors(proof) => Claim::LeastErrors {
                least_errors: proof.least_errors,
                hyperplanes: proof.hyperplanes(),
                with_bias: proof.with_bias,
            },
            Kind::Convergence(proof) => {
                Claim::Convergence { convergence: proof.convergence, strict: proof.strict }
            }
        }
    }
}

/// The statement of a certificate.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Claim {
    Hyperplane {
        separable: &'static str,
        hyperplanes: &'static str,
    },
    Separation {
        separation: &'static str,
        hyperplanes: &'static str,
    },
    LeastErrors {
        least_errors: ErrorBounds,
        hyperplanes: &'static str,
        #[serde(skip)]
        with_bias: bool,
    },
    Convergence {
        convergence: Convergence,
        strict: StrictClass,
    },
}

impl Claim {
    fn text(&self) -> String {
        match self {
            Claim::Hyperplane { separable: "no", hyperplanes } => {
                format!("no hyperplane {hyperplanes} separates the classes")
            }
            Claim::Hyperplane { hyperplanes, .. } => {
                format!("a hyperplane {hyperplanes} separates the classes")
            }
            Claim::Separation { separation, hyperplanes } => {
                format!("{separation}, by hyperplanes {hyperplanes}")
            }
            Claim::LeastErrors { least_errors, with_bias, .. } => {
                theorem::least_errors(*least_errors, *with_bias)
            }
            Claim::Convergence { convergence, strict } => {
                let ending = match convergence {
                    Convergence::Always => "ends, in every order and from every start",
                    Convergence::FromZero => {
                        "from zero ends in every order, if no update is rounded"
                    }
                    Convergence::DependsOnOrder => {
                        "can end: some weights make no mistake, and the order decides"
                    }
                    Convergence::Never => "never ends: all weights make a mistake",
                };
                let class = match strict {
                    StrictClass::Positive => "positive",
                    StrictClass::Negative => "negative",
                };
                format!(
                    "a run without a bias, for which a score of 0 is a mistake in the {class} class only, {ending}"
                )
            }
        }
    }
}

/// The result of checking a certificate.
#[derive(Serialize)]
pub(super) struct Checked {
    #[serde(flatten)]
    pub(super) claim: Claim,
    pub(super) numbers: Numbers,
    pub(super) verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
}

impl Checked {
    pub(super) fn text(&self, subject: &SeparableProblem<'_>) -> String {
        let mut table = Table::default();
        subject.heading(&mut table);
        table.line("claim", self.claim.text());
        match &self.problem {
            None => table.line("verified", "yes: the certificate proves it, in exact arithmetic"),
            Some(problem) => table.line("verified", format!("no: {problem}")),
        }
        table.to_string()
    }
}

/// Reads a certificate, which any program may have written, up to a limit.
pub(super) fn read(path: &Path) -> Result<Proof, CliError> {
    /// More than any data set that fits into memory needs.
    const LARGEST: u64 = 1 << 30;
    let failure = |problem| CliError::Certificate { file: path.display().to_string(), problem };
    let failed = |error: io::Error| failure(error.to_string());
    let file = File::open(path).map_err(failed)?;
    let mut reader = BufReader::new(file.take(LARGEST + 1));
    let mut bytes = reader.fill_buf().map_err(failed)?.to_vec();
    // A file that does not begin as an object is not read to its end, which it may not have.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_none_or(|&byte| byte == b'{') {
        bytes.clear();
        reader.read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(failure(format!("it has more than {LARGEST} bytes")));
    }
    of(&bytes).map_err(|error| failure(format!("this is not a certificate: {error}")))
}

fn of(bytes: &[u8]) -> Result<Proof, serde_json::Error> {
    let mut object: Map<String, Value> = serde_json::from_slice(bytes)?;
    let numbers = object.remove("numbers").map(serde_json::from_value).transpose()?;
    // Each kind has a key of its own.
    let kinds = ["separation", "least_errors", "convergence"];
    let kind = kinds.into_iter().find(|kind| object.contains_key(*kind));
    let value = Value::Object(object);
    let kind = match kind {
        Some("separation") => Kind::Separation(serde_json::from_value(value)?),
        Some("least_errors") => Kind::LeastErrors(serde_json::from_value(value)?),
        Some(_) => Kind::Convergence(serde_json::from_value(value)?),
        None => Kind::Hyperplane(serde_json::from_value(value)?),
    };
    Ok(Proof { numbers: numbers.unwrap_or_default(), kind })
}
