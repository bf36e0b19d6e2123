//! Mistakes per epoch.

use crate::{
    axes::{self, Area, Axis},
    canvas::{Canvas, Color, Point},
    figure::Curve,
    legend::{self, Entry, Mark},
    range::{Range, count},
};

/// Up to this many epochs, a dot marks each.
const MOST_DOTS: usize = 60;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, curve: &Curve) {
    let mistakes = &curve.mistakes_per_epoch;
    let y = Axis { name: "mistakes".to_owned(), range: mistakes_range(mistakes), whole: true };
    let x = Axis { name: "epoch".to_owned(), range: epochs(mistakes.len()), whole: true };
    let area = Area::beside(&y, canvas.typeface);
    axes::frame(canvas, &area, &x, &y);
    let place = |&(i, mistakes): &(usize, u64)| {
        area.point((x.range.place(i as f64 + 1.0), y.range.place(mistakes as f64)))
    };
    let columns = area.width() as usize;
    let points: Vec<Point> = thinned(mistakes, columns).iter().map(place).collect();
    let few = mistakes.len() <= MOST_DOTS;
    canvas.path(points.clone(), Color::CURVE, if few { 1.8 } else { 1.2 });
    if few {
        points.iter().for_each(|&point| canvas.disc(point, 3.4, Color::CURVE));
    }
    if let Some(&last) = points.last().filter(|_| curve.converged) {
        legend::converged(canvas, last);
    }
    axes::heading(canvas, &area, &curve.title, "");
    legend::draw(canvas, &area, &[entry(curve)]);
}

fn epochs(count: usize) -> Range {
    // There is no epoch 0.
    Range { low: 0.7, high: count.max(1) as f64 + (0.02 * count as f64).max(0.3) }
}

fn mistakes_range(mistakes: &[u64]) -> Range {
    let most = mistakes.iter().max().map_or(1, |&most| most.max(1));
    Range { low: 0.0, high: most as f64 * 1.06 }
}

fn entry(curve: &Curve) -> Entry {
    let epochs = count(curve.mistakes_per_epoch.len() as u64);
    match curve.mistakes_per_epoch.last() {
        None => Entry::new(Mark::Mistakes, "no epoch"),
        Some(_) if curve.converged => {
            Entry::new(Mark::Converged, format!("converged in epoch {epochs}"))
        }
        Some(1) => {
            Entry::new(Mark::Mistakes, format!("not converged: 1 mistake in epoch {epochs}"))
        }
        Some(&last) => {
            let last = count(last);
            Entry::new(Mark::Mistakes, format!("not converged: {last} mistakes in epoch {epochs}"))
        }
    }
}

/// Returns indices and values of the points of a curve that can be seen on this many columns: the smallest and the
/// largest value of each column, and the first and the last point.
pub(crate) fn thinned(values: &[u64], columns: usize) -> Vec<(usize, u64)> {
    let all: Vec<(usize, u64)> = values.iter().copied().enumerate().collect();
    let per_column = all.len().div_ceil(columns.max(1));
    if per_column <= 2 {
        return all;
    }
    let mut kept: Vec<(usize, u64)> = all.chunks(per_column).flat_map(extremes).collect();
    kept.extend(all.first());
    kept.extend(all.last());
    kept.sort_unstable();
    kept.dedup();
    kept
}

fn extremes(column: &[(usize, u64)]) -> impl Iterator<Item = (usize, u64)> {
    let least = column.iter().min_by_key(|point| point.1);
    let most = column.iter().max_by_key(|point| point.1);
    least.into_iter().chain(most).copied()
}
