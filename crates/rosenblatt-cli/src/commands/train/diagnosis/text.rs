//! A diagnosis as lines of the report.

use std::iter;

use rosenblatt_core::{report::Report, train::Bias};
use rosenblatt_proofs::Convergence;

use super::finding::{ClassFinding, Diagnosis, Finding};
use crate::{
    commands::theorem::{LOST, least_errors, space},
    text::{at_least, at_most, bound, count, counted, long_options, name},
};

impl Diagnosis {
    /// Whether a hyperplane separates the two classes.
    pub(in crate::commands::train) fn is_yes(&self) -> bool {
        matches!(self, Diagnosis::One(Finding { separable: "yes", .. }))
    }

    /// Whether no hyperplane separates the two classes.
    pub(in crate::commands::train) fn is_no(&self) -> bool {
        matches!(self, Diagnosis::One(Finding { separable: "no", .. }))
    }

    /// One line for each hyperplane, and one more where the numbers of the file have another answer.
    pub(in crate::commands::train) fn lines(&self, report: &Report) -> Vec<String> {
        match self {
            Diagnosis::One(finding) => finding.lines(report.updates),
            Diagnosis::Each(all) => {
                let updates = report.per_class.iter().flatten().map(|one| one.updates);
                let named = |(one, updates): (&ClassFinding, u64)| {
                    let named = |line| format!("{}: {line}", name(&one.class));
                    one.finding.lines(updates).into_iter().map(named).collect::<Vec<_>>()
                };
                all.iter().zip(updates).flat_map(named).collect()
            }
        }
    }
}

impl Finding {
    fn lines(&self, updates: u64) -> Vec<String> {
        iter::once(self.text(updates)).chain(self.of_file()).collect()
    }

    /// The answer about the numbers of the file, where it is another one.
    fn of_file(&self) -> Option<String> {
        let answer = if self.as_written? { "a hyperplane" } else { "no hyperplane" };
        let prepared = if self.beyond_scaling.is_empty() { "scaled" } else { "prepared" };
        let origin = if self.bias == Bias::None { " through the origin" } else { "" };
        Some(format!(
            "that is about the numbers as they were stored and {prepared}; as they are written, {answer}{origin} separates them \
             (`rosenblatt separable`)"
        ))
    }

    /// A line of the report.
    pub(super) fn text(&self, updates: u64) -> String {
        let space = space(self.bias);
        match (self.separable, self.contradiction) {
            ("yes", _) if self.margin_lower.is_none() && matches!(self.bias, Bias::Feature(_)) => {
                format!("separable; the margin{space} is not computed")
            }
            ("yes", _) => {
                let margin = self.margin_lower.map_or_else(
                    || "too small to be represented".to_owned(),
                    |margin| format!("of at least {}{space}", at_least(margin, 4)),
                );
                format!("separable, with a margin {margin}{}", self.possible(updates))
            }
            ("no", Some([first, second])) => format!(
                "proven inseparable: examples {} and {} differ only in their labels{}{}",
                count(first as u64),
                count(second as u64),
                match self.beyond_scaling.as_slice() {
                    [] => String::new(),
                    options => format!(" after {}", long_options(options, "and")),
                },
                self.fewest()
            ),
            ("no", None) => self.inseparable(),
            _ => {
                let why = match self.ended_by {
                    Some("work") => "the search reached its work limit",
                    _ => "the numbers are too close together for the search",
                };
                let bound = self.margin_upper.map_or_else(String::new, |upper| {
                    format!("; no separator has a margin above {}{space}", at_most(upper, 4))
                });
                format!("unknown whether it is separable: {why}{bound}")
            }
        }
    }

    /// A line about examples that no hyperplane separates.
    fn inseparable(&self) -> String {
        let proof = self.certificate.as_ref().map(|proof| proof.rows.len());
        let examples = counted(proof.or(self.examples).unwrap_or(0) as u64, "example");
        let fewest = self.fewest();
        match (self.convergence, &self.ending) {
            (Some(Convergence::Never), Some(ending)) if proof.is_some() => {
                format!("proven by {examples}: {ending}{fewest}")
            }
            (Some(Convergence::Never), _) => {
                format!("proven inseparable by {examples}: training never converges{fewest}")
            }
            (Some(_), Some(ending)) => ending.clone(),
            _ => format!("proven inseparable by {examples}{fewest}"),
        }
    }

    /// The bounds on the errors of the best hyperplane.
    fn fewest(&self) -> String {
        let with_bias = self.bias != Bias::None;
        let shown = |bounds| format!("; {}", least_errors(bounds, with_bias));
        self.least_errors.map_or_else(String::new, shown)
    }

    /// The bound on the updates, and the number of updates made.
    pub(super) fn possible(&self, updates: u64) -> String {
        let Some(most) = self.bound else { return String::new() };
        let lost = if updates as f64 > most { LOST } else { "" };
        let most = bound(most);
        let are = if most == "1" { "update is" } else { "updates are" };
        let were = if updates == 1 { "was" } else { "were" };
        format!("; at most {most} {are} possible, {} {were} made{lost}", count(updates))
    }
}
