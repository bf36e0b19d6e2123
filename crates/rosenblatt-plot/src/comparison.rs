//! Numbers of alternatives, side by side.

use crate::{
    axes::{self, Area, Axis, Heading, small},
    canvas::{Align, Canvas, Color, Point},
    figure::{Alternative, Comparison},
    places::{Places, Words},
    range::Range,
};

const DOT: f64 = 4.2;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, comparison: &Comparison) {
    let y = axis(comparison);
    let heading = Heading::new(canvas.typeface, &comparison.title, &comparison.note);
    let area = Area::beside(&y, &heading, canvas.typeface);
    heading.draw(canvas);
    draw_axes(canvas, &area, &y, comparison);
    let mut places = Places::new(area);
    let place = |i: usize, value: f64| area.point((across(comparison, i), y.range.place(value)));
    let alternatives = comparison.alternatives.iter().enumerate();
    for (i, one) in alternatives.filter(|(_, one)| is_finite(one)) {
        let color = if i == comparison.chosen { Color::PLUS } else { Color::INK };
        let points = [one.low, one.number, one.high].map(|value| place(i, value));
        draw_one(canvas, &mut places, points, color);
        if i == comparison.chosen {
            places.beside(canvas, Words::strong(&comparison.label, color), points[1]);
        }
    }
}

fn axis(comparison: &Comparison) -> Axis {
    let shown = comparison.alternatives.iter().filter(|one| is_finite(one));
    let range = Range::of(shown.flat_map(|one| [one.low, one.number, one.high]));
    Axis { name: comparison.y_name.clone(), range: range.padded(0.08, 0.12), whole: false }
}

/// The place of an alternative along the horizontal axis.
fn across(comparison: &Comparison, number: usize) -> f64 {
    (number as f64 + 0.5) / comparison.alternatives.len() as f64
}

fn draw_axes(canvas: &mut Canvas<'_>, area: &Area, y: &Axis, comparison: &Comparison) {
    axes::upright(canvas, area, y, Color::GRID);
    canvas.rule((area.left, area.bottom), (area.right, area.bottom), Color::BASE);
    axes::level_name(canvas, area, &comparison.x_name, "");
    write_names(canvas, area, comparison);
}

/// Writes the names below the axis; those of more than a dozen alternatives would run into one another.
fn write_names(canvas: &mut Canvas<'_>, area: &Area, comparison: &Comparison) {
    let step = comparison.alternatives.len().div_ceil(12).max(1);
    for (number, one) in comparison.alternatives.iter().enumerate() {
        if number % step == 0 || number == comparison.chosen {
            let x = area.point((across(comparison, number), 0.0)).0;
            canvas.label(small(&one.name, (x, area.bottom + 16.0), Align::Middle));
        }
    }
}

fn draw_one(
    canvas: &mut Canvas<'_>,
    places: &mut Places,
    [low, point, high]: [Point; 3],
    color: Color,
) {
    canvas.path(vec![low, high], color.tint(0.35), 3.0);
    places.line(low, high);
    canvas.disc(point, DOT, color);
    places.mark(point, DOT + 1.0);
}

fn is_finite(one: &Alternative) -> bool {
    [one.low, one.number, one.high].iter().all(|number| number.is_finite())
}
