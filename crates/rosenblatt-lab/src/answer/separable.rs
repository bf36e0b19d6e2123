//! Whether a line separates the points, and whether a run ends.

use rosenblatt_core::train::Bias;
use rosenblatt_proofs::{
    Convergence, ConvergenceCertificate, ConvergenceVerdict, Numbers, SeparabilityOptions,
    Statement, Verdict, convergence, separable as decide,
};
use serde::Serialize;

use super::{
    Refusal,
    limit::Work,
    points::PointSet,
    train::{first_weights, run_options},
};
use crate::question::SeparableQuestion;

/// The verdicts, confirmed by the checkers.
pub(super) struct Decided {
    verdict: Verdict,
    ends: ConvergenceVerdict,
    bias: Bias,
}

#[derive(Serialize)]
pub(super) struct SeparableAnswer<'a> {
    #[serde(flatten)]
    separable: Statement<'a>,
    /// Whether the run ends with an epoch without mistakes, where a theorem says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    convergence: Option<Convergence>,
    /// Its proof, if it is not that of `separable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    convergence_certificate: Option<&'a ConvergenceCertificate>,
}

pub(super) fn separable(question: &SeparableQuestion, work: &Work<'_>) -> Result<Decided, Refusal> {
    let set = PointSet::new(&question.points)?;
    let examples = set.examples()?;
    let run = run_options(&question.options)?;
    let run = first_weights(run, question.start.as_deref(), examples.features())?;
    let options = SeparabilityOptions {
        with_bias: run.bias != Bias::None,
        work: work.part(SeparableQuestion::WORK),
        ..SeparabilityOptions::default()
    };
    let mut stop = || work.is_stopped();
    let verdict = decide(&examples, &options, &mut stop).confirmed(&examples);
    let ends = convergence(&examples, &run, &verdict, &options, &mut stop);
    Ok(Decided { verdict, ends, bias: run.bias })
}

impl Decided {
    pub(super) fn answer(&self) -> SeparableAnswer<'_> {
        SeparableAnswer {
            separable: self.verdict.statement(self.bias, Numbers::Binary64),
            convergence: self.ends.convergence(),
            convergence_certificate: self.ends.certificate(),
        }
    }
}
