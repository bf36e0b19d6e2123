//! Predicted probabilities against shares.

use crate::{
    axes::{self, Area, Axis, Heading},
    canvas::{Canvas, Color, Point},
    figure::{Reliability, ReliabilityGroup},
    places::{Places, Words},
    range::Range,
};

const DOT: f64 = 4.2;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, reliability: &Reliability) {
    let (x, y) = (axis(&reliability.x_name), axis(&reliability.y_name));
    let heading = Heading::new(canvas.typeface, &reliability.title, &reliability.note);
    let area = Area::beside(&y, &heading, canvas.typeface);
    heading.draw(canvas);
    axes::plane(canvas, &area, &x, &y);
    let mut places = Places::new(area);
    draw_diagonal(
        canvas,
        &mut places,
        place(&x, &y, &area, (0.0, 0.0)),
        place(&x, &y, &area, (1.0, 1.0)),
    );
    let groups: Vec<&ReliabilityGroup> = reliability.groups.iter().filter(is_finite).collect();
    let at = |group: &ReliabilityGroup, share| place(&x, &y, &area, (group.probability, share));
    for group in &groups {
        let whisker = [group.low, group.high].map(|share| at(group, share));
        canvas.path(whisker.to_vec(), Color::PLUS.tint(0.35), 3.0);
        places.line(whisker[0], whisker[1]);
    }
    draw_shares(canvas, &mut places, groups.iter().map(|group| at(group, group.share)).collect());
    if let Some(worst) = groups.iter().max_by(|a, b| gap(a).total_cmp(&gap(b))) {
        places.beside(canvas, Words::strong(&worst.name, Color::PLUS), at(worst, worst.share));
    }
    let middle = place(&x, &y, &area, (0.5, 0.5));
    places.beside(canvas, Words::strong("as often as predicted", Color::INK), middle);
}

/// The point of a probability and a share.
fn place(x: &Axis, y: &Axis, area: &Area, (probability, share): Point) -> Point {
    area.point((x.range.place(probability), y.range.place(share)))
}

/// The line of probabilities that are right.
fn draw_diagonal(canvas: &mut Canvas<'_>, places: &mut Places, from: Point, to: Point) {
    canvas.dashes(from, to, Color::BASE, 1.5);
    places.line(from, to);
}

fn axis(name: &str) -> Axis {
    Axis { name: name.to_owned(), range: Range { low: -0.02, high: 1.02 }, whole: false }
}

fn is_finite(group: &&ReliabilityGroup) -> bool {
    [group.probability, group.share, group.low, group.high].iter().all(|a| a.is_finite())
}

fn gap(group: &ReliabilityGroup) -> f64 {
    (group.probability - group.share).abs()
}

/// The shares as dots on a line.
fn draw_shares(canvas: &mut Canvas<'_>, places: &mut Places, points: Vec<Point>) {
    points.windows(2).for_each(|ends| places.line(ends[0], ends[1]));
    canvas.path(points.clone(), Color::PLUS, 1.5);
    for point in points {
        canvas.disc(point, DOT, Color::PLUS);
        places.mark(point, DOT + 1.0);
    }
}
