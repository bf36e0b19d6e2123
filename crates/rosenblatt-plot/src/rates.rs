//! Two rates at each threshold: the ROC curve, or precision against recall.

use crate::{
    axes::{self, Area, Axis, Heading, SMALL},
    canvas::{Canvas, Color, Point},
    figure::{RateCurve, RatePoint},
    places::{Places, Words},
    range::Range,
};

const DOT: f64 = 5.0;
/// From this distance on, in points, a line leads from the point to its label.
const FAR: f64 = 24.0;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, curve: &RateCurve) {
    let (x, y) = (axis(&curve.x_name), axis(&curve.y_name));
    let heading = Heading::new(canvas.typeface, &curve.title, &curve.note);
    let area = Area::beside(&y, &heading, canvas.typeface);
    heading.draw(canvas);
    axes::plane(canvas, &area, &x, &y);
    let place = |(across, up): Point| area.point((x.range.place(across), y.range.place(up)));
    let mut places = Places::new(area);
    let [from, to] = curve.chance.map(place);
    canvas.dashes(from, to, Color::BASE, 1.5);
    places.line(from, to);
    let attained = curve.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite());
    let attained: Vec<Point> = attained.map(place).collect();
    let drawn = thinned(&if curve.is_stepped { steps(&attained) } else { attained });
    drawn.windows(2).for_each(|ends| places.line(ends[0], ends[1]));
    canvas.path(drawn, Color::PLUS, 2.0);
    if let Some(decided) = &curve.decided {
        draw_decided(canvas, &mut places, decided, place(decided.at));
    }
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    places.beside(canvas, Words::strong(&curve.chance_name, Color::GREY), middle);
}

fn draw_decided(canvas: &mut Canvas<'_>, places: &mut Places, decided: &RatePoint, at: Point) {
    canvas.disc(at, DOT, Color::INK);
    places.mark(at, DOT + 1.0);
    let small = |text| Words { font: SMALL, ..Words::strong(text, Color::INK) };
    let [first, second] = &decided.rates;
    let lines = [Words::strong(&decided.name, Color::INK), small(first), small(second)];
    let Some(frame) = places.write(canvas, &lines, |frame| frame.distance(at)) else { return };
    if frame.distance(at) > FAR {
        let near = |from: f64, middle: f64, length: f64| {
            from.clamp(middle - length / 2.0, middle + length / 2.0)
        };
        let (x, y) = frame.middle;
        let end = (near(at.0, x, frame.width), near(at.1, y, frame.height));
        canvas.path(vec![end, at], Color::INK.faded(0.5), 1.0);
        places.line(end, at);
    }
}

fn axis(name: &str) -> Axis {
    Axis { name: name.to_owned(), range: Range { low: -0.02, high: 1.02 }, whole: false }
}

/// The points with a corner before each but the first: upright, then level.
fn steps(points: &[Point]) -> Vec<Point> {
    let first = points.first().copied().into_iter();
    first.chain(points.windows(2).flat_map(|two| [(two[0].0, two[1].1), two[1]])).collect()
}

/// The points of a line with rising `x` that can be seen: the first, lowest, highest and last one of each column of half a point,
/// which is a pixel of a PNG. A line through these covers the same pixels as one through all (Jugel et al., M4, 2014).
fn thinned(points: &[Point]) -> Vec<Point> {
    let column = |point: &Point| (2.0 * point.0).floor();
    let columns = points.chunk_by(|a, b| column(a) == column(b));
    columns.flat_map(|all| seen(all).into_iter().map(|i| all[i])).collect()
}

/// The indices of the points of a column that can be seen.
fn seen(column: &[Point]) -> Vec<usize> {
    let up = |i: &usize| column[*i].1;
    let all = 0..column.len();
    let lowest = all.clone().max_by(|a, b| up(a).total_cmp(&up(b)));
    let highest = all.clone().min_by(|a, b| up(a).total_cmp(&up(b)));
    let mut seen: Vec<usize> =
        [all.clone().next(), lowest, highest, all.last()].into_iter().flatten().collect();
    seen.sort_unstable();
    seen.dedup();
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_upright_and_then_level() {
        let attained = [(0.0, 1.0), (0.5, 1.0), (0.5, 0.4), (1.0, 0.6)];
        let corners = [(0.0, 1.0), (0.0, 1.0), (0.5, 1.0), (0.5, 0.4), (0.5, 0.4), (0.5, 0.6)];
        assert_eq!(steps(&attained)[..6], corners);
        assert_eq!(steps(&attained)[6..], [(1.0, 0.6)]);
        assert_eq!(steps(&[]), []);
    }

    /// Each column of half a point keeps the ends of its line and its least and largest height.
    #[test]
    fn a_hundred_thousand_points_become_some_thousand() {
        // A hundred different heights in each column, with neither the least nor the largest at an end.
        let height = |i: u32| f64::from((37 * i + 11) % 100 + i / 100);
        let all: Vec<Point> = (0..100_000).map(|i| (f64::from(i) / 200.0, height(i))).collect();
        let kept = thinned(&all);
        assert_eq!(kept.len(), 4 * 1000);
        for (column, kept) in all.chunks(100).zip(kept.chunks(4)) {
            assert_eq!((kept[0], kept[3]), (column[0], column[99]));
            let heights = |points: &[Point]| {
                let up = points.iter().map(|point| point.1);
                (up.clone().fold(f64::MAX, f64::min), up.fold(f64::MIN, f64::max))
            };
            assert_eq!(heights(kept), heights(column));
            assert!(kept.windows(2).all(|two| two[0].0 < two[1].0));
        }
        let few = [(0.0, 1.0), (0.5, 0.0), (1.0, 3.0)];
        assert_eq!(thinned(&few), few);
    }
}
