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
    let axis = |name: &str| Axis {
        name: name.to_owned(),
        range: Range { low: -0.02, high: 1.02 },
        whole: false,
    };
    let (x, y) = (axis(&reliability.x_name), axis(&reliability.y_name));
    let heading = Heading::new(canvas.typeface, &reliability.title, &reliability.note);
    let area = Area::beside(&y, &heading, canvas.typeface);
    heading.draw(canvas);
    axes::plane(canvas, &area, &x, &y);
    let mut places = Places::new(area);
    let place = |across: f64, up: f64| area.point((x.range.place(across), y.range.place(up)));
    let ends = [place(0.0, 0.0), place(1.0, 1.0)];
    canvas.dashes(ends[0], ends[1], Color::BASE, 1.5);
    places.line(ends[0], ends[1]);
    let is_number = |group: &&ReliabilityGroup| {
        [group.probability, group.share, group.low, group.high].iter().all(|a| a.is_finite())
    };
    let groups: Vec<&ReliabilityGroup> = reliability.groups.iter().filter(is_number).collect();
    let points: Vec<Point> =
        groups.iter().map(|group| place(group.probability, group.share)).collect();
    for group in &groups {
        let whisker = [group.low, group.high].map(|share| place(group.probability, share));
        canvas.path(whisker.to_vec(), Color::PLUS.tint(0.35), 3.0);
        places.line(whisker[0], whisker[1]);
    }
    canvas.path(points.clone(), Color::PLUS, 1.5);
    points.windows(2).for_each(|ends| places.line(ends[0], ends[1]));
    for &point in &points {
        canvas.disc(point, DOT, Color::PLUS);
        places.mark(point, DOT + 1.0);
    }
    let off = |i: &usize| (groups[*i].probability - groups[*i].share).abs();
    if let Some(worst) = (0..groups.len()).max_by(|a, b| off(a).total_cmp(&off(b))) {
        places.beside(canvas, Words::strong(&groups[worst].name, Color::PLUS), points[worst]);
    }
    let middle = ((ends[0].0 + ends[1].0) / 2.0, (ends[0].1 + ends[1].1) / 2.0);
    places.beside(canvas, Words::strong("as often as predicted", Color::INK), middle);
}
