//! The picture of a study.

use rosenblatt::study::{Sweep, SweepPoint, histogram};
use rosenblatt_plot::{Bin, Histogram, Panel, Trend, TrendPoint};

use super::{StudyOutcome, report, swept};
use crate::text::{count, counted, name};

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
                Sweep::Margin => "the margin multiplied",
                Sweep::Scale => "every second feature multiplied",
                Sweep::Units => "all features multiplied",
                Sweep::Outlier => "one example moved away",
            };
            Panel::Trend(trend(points, format!("{file}: updates, {what}")))
        }
    }
}

fn distribution(outcome: &StudyOutcome<'_>, file: &str) -> Histogram {
    let study = &outcome.study;
    let (converged, runs) = (study.converged(), study.runs.len());
    let updates = study.updates_of_converged();
    let bins = histogram(&updates, report::bins(updates.len(), BINS));
    let seeds = format!("{} of {} converged", count(converged as u64), counted(runs as u64, "run"));
    let bound = study
        .theorem
        .bound
        .map(|bound| format!("Novikoff's bound is {}", crate::text::bound(bound)));
    let note: Vec<String> = std::iter::once(seeds).chain(bound).collect();
    Histogram {
        title: format!("{file}: updates until convergence"),
        note: note.join(" · "),
        value_name: "updates".to_owned(),
        count_name: "runs".to_owned(),
        bins: bins.iter().map(bin).collect(),
        median: study.updates.map(|updates| updates.median),
        bound: study.theorem.bound,
    }
}

fn bin(bin: &rosenblatt::study::Bin) -> Bin {
    Bin { from: bin.from, to: bin.to, count: bin.count as u64 }
}

fn trend(points: &[SweepPoint], title: String) -> Trend {
    let shown = points.iter().filter_map(|point| {
        let updates = point.updates?;
        let bound = point.theorem.bound?;
        let name = format!("×{}", swept::factor(point.factor));
        let (least, median, most) = (updates.min, updates.median, updates.max);
        Some(TrendPoint { name, bound, least, median, most })
    });
    let shown: Vec<TrendPoint> = shown.collect();
    let runs = points.first().map_or(0, |point| point.runs) as u64;
    let partly = points.iter().filter(|point| point.converged < point.runs).count() as u64;
    let mut note = format!("{} a factor", counted(runs, "run"));
    if partly > 0 {
        let factors = counted(partly, "factor");
        note.push_str(&format!(" · only those that converged: at {factors} not all did"));
    }
    Trend { title, note, points: shown }
}
