//! Mistakes per epoch.

use crate::{
    axes::{self, Area, Axis, Heading},
    canvas::{Canvas, Color, Point},
    figure::Curve,
    places::{Places, Words},
    range::{Range, count},
};

/// Up to this many epochs, a dot marks each.
const MOST_DOTS: usize = 24;
const DOT: f64 = 3.4;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, curve: &Curve) {
    let mistakes = &curve.mistakes_per_epoch;
    let name = "mistakes made while learning".to_owned();
    let y = Axis { name, range: mistakes_range(mistakes), whole: true };
    let x = Axis { name: "epoch".to_owned(), range: epochs(mistakes.len()), whole: true };
    let heading = Heading::new(canvas.typeface, &curve.title, &curve.note);
    let area = Area::beside(&y, &heading, canvas.typeface);
    heading.draw(canvas);
    axes::across(canvas, &area, &x, &y);
    let place = |&(i, mistakes): &(usize, u64)| {
        area.point((x.range.place(i as f64 + 1.0), y.range.place(mistakes as f64)))
    };
    let columns = area.width() as usize;
    let points: Vec<Point> = thinned(mistakes, columns).iter().map(place).collect();
    let few = mistakes.len() <= MOST_DOTS;
    canvas.path(points.clone(), Color::BAD, if mistakes.len() <= 200 { 2.25 } else { 1.2 });
    let mut places = Places::new(area);
    points.windows(2).for_each(|ends| places.line(ends[0], ends[1]));
    if few {
        for &point in &points {
            canvas.disc(point, DOT, Color::BAD);
            places.mark(point, DOT + 1.0);
        }
    }
    for (epoch, text) in named(mistakes) {
        let point = place(&(epoch, mistakes[epoch]));
        canvas.disc(point, 1.25 * DOT, Color::BAD);
        places.mark(point, DOT + 2.0);
        places.beside(canvas, Words::strong(&text, Color::BAD), point);
    }
}

/// The first epoch, the last and the one with the fewest mistakes, each once, with its label.
fn named(mistakes: &[u64]) -> Vec<(usize, String)> {
    let Some(last) = mistakes.len().checked_sub(1) else { return Vec::new() };
    let of = |epoch: usize| match mistakes[epoch] {
        0 => "no mistake".to_owned(),
        1 => "1 mistake".to_owned(),
        many => format!("{} mistakes", count(many)),
    };
    let in_epoch = |epoch: usize| format!("{} in epoch {}", of(epoch), count(epoch as u64 + 1));
    let fewest = (0..=last).min_by_key(|&epoch| mistakes[epoch]).unwrap_or(last);
    let mut named = vec![(0, in_epoch(0))];
    if last > 0 {
        named.push((last, in_epoch(last)));
    }
    if fewest > 0 && mistakes[fewest] < mistakes[last] {
        let (least, epoch) = (count(mistakes[fewest]), count(fewest as u64 + 1));
        named.push((fewest, format!("fewest: {least} in epoch {epoch}")));
    }
    named
}

fn epochs(count: usize) -> Range {
    // There is no epoch 0.
    Range { low: 0.7, high: count.max(1) as f64 + (0.04 * count as f64).max(0.3) }
}

fn mistakes_range(mistakes: &[u64]) -> Range {
    let most = mistakes.iter().max().map_or(1, |&most| most.max(1));
    Range { low: 0.0, high: most as f64 * 1.12 }
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
