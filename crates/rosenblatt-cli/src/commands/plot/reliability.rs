//! The probabilities of a calibrated model against how often they came true.

use rosenblatt::guarantee::error_limit;
use rosenblatt_data::ModelFile;
use rosenblatt_plot::{Reliability, ReliabilityGroup};

use super::{PlotSubject, finding};
use crate::{
    args::PlotArgs,
    commands::probabilities::calibration,
    error::CliError,
    text::{counted, name, percent},
};

/// The most groups of examples.
const GROUPS: usize = 10;

/// An example: its probability of the class that reports call positive, and whether that is its class.
type Scored = (f64, bool);

/// The panel of a calibrated model for two classes.
pub(super) fn reliability(
    subject: &PlotSubject,
    arguments: &PlotArgs,
    model: &ModelFile,
) -> Result<Reliability, CliError> {
    let calibration = calibration("the panel `reliability`", &arguments.voting, model)?;
    let Some(positive) = model.model.reported() else {
        let classes = model.model.classes().names().len();
        let message =
            format!("the panel `reliability` is for two classes, the model has {classes}");
        return Err(CliError::usage(message, "`evaluate` has the losses of all classes"));
    };
    let scored = scored(subject, arguments, (model, positive))?;
    let groups = groups(scored);
    let examples = subject.numbers.len();
    let off = groups.iter().map(|group| group.weighted_gap()).sum::<f64>() / examples.max(1) as f64;
    let method = calibration.method().name();
    let positive = name(&model.model.classes().names()[positive]);
    Ok(Reliability {
        title: format!("Probabilities are off by {} on average", points(off)),
        note: format!(
            "{}; {method}, {} in {}, with 95% intervals of the shares{}",
            finding::file(subject),
            counted(examples as u64, "example"),
            counted(groups.len() as u64, "group"),
            finding::may_be_known(subject, model),
        ),
        x_name: format!("predicted probability of {positive}"),
        y_name: format!("share of {positive}"),
        groups: groups.iter().map(Group::drawn).collect(),
    })
}

/// A difference of shares, in percentage points.
fn points(off: f64) -> String {
    format!("{} points", percent(off).trim_end_matches('%'))
}

fn scored(
    subject: &PlotSubject,
    arguments: &PlotArgs,
    (model, positive): (&ModelFile, usize),
) -> Result<Vec<Scored>, CliError> {
    let (mut all, mut numbers) = (Vec::new(), subject.numbers.iter());
    for found in subject.predictions(arguments, model)? {
        let probabilities = model.model.probabilities(&found.scores).unwrap_or_default();
        let of_rows = probabilities.chunks(2).zip(numbers.by_ref());
        all.extend(of_rows.map(|(row, &class)| (row[positive], class as usize == positive)));
    }
    Ok(all)
}

/// Examples of neighbouring probabilities.
struct Group {
    examples: u64,
    positives: u64,
    /// The sum of the probabilities.
    sum: f64,
}

impl Group {
    fn of(examples: &[Scored]) -> Self {
        Group {
            examples: examples.len() as u64,
            positives: examples.iter().filter(|one| one.1).count() as u64,
            sum: examples.iter().map(|one| one.0).sum(),
        }
    }

    /// The distance of the mean probability from the share, times the number of examples.
    fn weighted_gap(&self) -> f64 {
        (self.sum - self.positives as f64).abs()
    }

    fn drawn(&self) -> ReliabilityGroup {
        let all = self.examples as f64;
        let (probability, share) = (self.sum / all, self.positives as f64 / all);
        let examples = counted(self.examples, "example");
        ReliabilityGroup {
            name: format!("{} of {examples}, predicted {}", percent(share), percent(probability)),
            probability,
            share,
            low: 1.0 - error_limit(self.examples - self.positives, self.examples, 0.975),
            high: error_limit(self.positives, self.examples, 0.975),
        }
    }
}

/// At most [`GROUPS`] groups of about equal size, by rising probability; equal probabilities stay together.
fn groups(mut scored: Vec<Scored>) -> Vec<Group> {
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = scored.len().div_ceil(GROUPS).max(1);
    let (mut groups, mut rest) = (Vec::new(), scored.as_slice());
    while !rest.is_empty() {
        let last = rest[size.min(rest.len()) - 1].0;
        let end = rest.partition_point(|one| one.0 <= last);
        let (group, others) = rest.split_at(end);
        groups.push(Group::of(group));
        rest = others;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thirty examples of which twelve are equal: these stay together, in a group with those before them.
    #[test]
    fn groups_keep_equal_probabilities_together() {
        let probability = |i: usize| if (4..16).contains(&i) { 0.4 } else { i as f64 / 30.0 };
        let all: Vec<Scored> = (0..30).rev().map(|i| (probability(i), i >= 15)).collect();
        let groups = groups(all);
        let sizes: Vec<u64> = groups.iter().map(|group| group.examples).collect();
        assert_eq!(sizes, [3, 13, 3, 3, 3, 3, 2]);
        assert_eq!(groups[0].positives, 0);
        assert!((groups[0].sum - 0.1).abs() < 1e-15);
        let drawn = groups[1].drawn();
        assert_eq!((drawn.share, groups[1].positives), (1.0 / 13.0, 1));
        assert!(drawn.low > 0.0 && drawn.low < drawn.share && drawn.share < drawn.high);
    }
}
