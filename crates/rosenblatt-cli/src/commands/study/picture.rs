//! The picture of a study.

use rosenblatt::study::{Summary, Sweep, SweepPoint, histogram};
use rosenblatt_core::schedule::Order;
use rosenblatt_plot::{Bin, Histogram, Panel, Trend, TrendPoint};

use super::{StudyOutcome, report, swept};
use crate::text::{amount, count, counted, name, percent};

/// The approximate number of bins.
const BINS: u64 = 30;

/// The distribution of the updates, or with a sweep the updates against the bound.
pub(super) fn panel(outcome: &StudyOutcome<'_>) -> Panel<'static> {
    let file = outcome.dataset.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let file = name(file);
    match &outcome.sweep {
        None => Panel::Histogram(distribution(outcome, &file)),
        Some((kind, points)) => {
            let what = match kind {
                Sweep::Margin => "the margin",
                Sweep::Scale => "every second feature",
                Sweep::Units => "all features",
                Sweep::Outlier => "the distance of one example",
            };
            Panel::Trend(trend(points, &format!("{file}: {what} times a factor")))
        }
    }
}

fn distribution(outcome: &StudyOutcome<'_>, file: &str) -> Histogram {
    let study = &outcome.study;
    let (converged, runs) = (study.converged(), study.runs.len());
    let updates = study.updates_of_converged();
    let bins = histogram(&updates, report::bins(updates.len(), BINS));
    let title = match (&study.updates, converged) {
        (Some(all), _) if converged == runs => {
            format!("{}: each converges, {}", counted(runs as u64, "order"), range(all))
        }
        (Some(all), _) => {
            let (converged, runs) = (count(converged as u64), counted(runs as u64, "order"));
            format!("{converged} of {runs} converge, {}", range(all))
        }
        (None, _) => format!("None of {} converges", counted(runs as u64, "order")),
    };
    let classes = outcome.classes.pair();
    let classes = classes.map(|(negative, positive)| format!(", {positive} against {negative}"));
    let bound = study.theorem.bound;
    let bound = bound.map(|bound| format!("; Novikoff’s bound is {}", crate::text::bound(bound)));
    let (classes, limit) = (classes.unwrap_or_default(), bound.unwrap_or_default());
    Histogram {
        title,
        note: format!("{file}{classes}; {}{limit}", order(outcome)),
        value_name: "updates until an epoch without a mistake".to_owned(),
        count_name: "runs".to_owned(),
        bins: bins.iter().map(bin).collect(),
        quartiles: study.updates.map(|all| [all.q1, all.median, all.q3]),
        bound: study.theorem.bound,
    }
}

/// How the runs differ.
fn order(outcome: &StudyOutcome<'_>) -> &'static str {
    match outcome.options.order {
        Order::Given => "each run in the order of the file",
        _ => "each run with the next seed",
    }
}

/// "after 3 to 23 updates"
fn range(updates: &Summary) -> String {
    match (amount(updates.min), updates.max) {
        (min, max) if updates.min == max => format!("after {min} updates"),
        (min, max) => format!("after {min} to {} updates", amount(max)),
    }
}

fn bin(bin: &rosenblatt::study::Bin) -> Bin {
    Bin { from: bin.from, to: bin.to, count: bin.count as u64 }
}

fn trend(points: &[SweepPoint], what: &str) -> Trend {
    let shown: Vec<Shown> = points.iter().filter_map(Shown::new).collect();
    let runs = points.first().map_or(0, |point| point.runs) as u64;
    let partly = points.iter().filter(|point| point.converged < point.runs).count() as u64;
    let mut note = format!("{what}; {} a factor", counted(runs, "run"));
    if partly > 0 {
        let factors = counted(partly, "factor");
        note.push_str(&format!("; only those that converged: at {factors} not all did"));
    }
    let title = match shown.as_slice() {
        [first, .., last]
            if shown.iter().all(|one| one.is_like(first)) && first.factor < last.factor =>
        {
            note.push_str("; R and γ grow alike, so (R/γ)² and each run stay as they are");
            format!("The runs are the same at every scale, {}", range(&first.updates))
        }
        [] => "No factor has both a bound and a run that converged".to_owned(),
        shown => {
            let share = |one: &Shown| one.updates.max / one.bound;
            let most = shown.iter().map(share).fold(0.0, f64::max);
            format!("No run needs more than {} of Novikoff’s bound", percent(most))
        }
    };
    Trend { title, note, points: merged(&shown) }
}

/// The runs of a factor.
struct Shown {
    factor: f64,
    bound: f64,
    updates: Summary,
}

impl Shown {
    /// `None` without a bound or without a run that converged.
    fn new(point: &SweepPoint) -> Option<Self> {
        let (updates, bound) = (point.updates?, point.theorem.bound?);
        Some(Shown { factor: point.factor, bound, updates })
    }

    /// Whether both are at one place of the picture.
    fn is_like(&self, other: &Shown) -> bool {
        self.updates == other.updates && (self.bound / other.bound - 1.0).abs() < 1e-3
    }
}

/// The points; factors whose points are at one place are one point.
fn merged(shown: &[Shown]) -> Vec<TrendPoint> {
    let groups = shown.chunk_by(Shown::is_like);
    let point = |group: &[Shown]| {
        let (first, last) = (group.first()?, group.last()?);
        let name = match group.len() {
            1 => format!("×{}", swept::factor(first.factor)),
            _ => format!("×{} to ×{}", swept::factor(first.factor), swept::factor(last.factor)),
        };
        let Summary { min: least, median, max: most, .. } = first.updates;
        Some(TrendPoint { name, bound: first.bound, least, median, most })
    };
    groups.filter_map(point).collect()
}
