//! Numbers of alternatives: side by side with their names below, or one below the other where the names need more room.

use crate::{
    axes::{self, Area, Axis, Heading, SMALL, STRONG, small},
    canvas::{Align, Canvas, Color, Label, Point},
    figure::{Alternative, Comparison},
    places::{Places, Words},
    range::Range,
    typeface::{Face, Font, Typeface},
};

const DOT: f64 = 4.2;
/// Between two names, and between a name or a label and what it stands beside.
const GAP: f64 = 10.0;
/// Side by side, at most so many names are written.
const MOST_NAMES: usize = 12;
/// The part of the width that names on the left may take.
const NAMES: f64 = 0.45;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, comparison: &Comparison) {
    let heading = Heading::new(canvas.typeface, &comparison.title, &comparison.note);
    heading.draw(canvas);
    let y = axis(comparison, (0.08, 0.12));
    let area = Area::beside(&y, &heading, canvas.typeface);
    match fits(canvas.typeface, &area, comparison) {
        true => draw_columns(canvas, &area, &y, comparison),
        false => draw_rows(canvas, heading.bottom_with_name(), comparison),
    }
}

/// The axis of the numbers, longer than these by two parts of their length.
fn axis(comparison: &Comparison, (below, above): (f64, f64)) -> Axis {
    let shown = comparison.alternatives.iter().filter(|one| is_finite(one));
    let range = Range::of(shown.flat_map(|one| [one.low, one.number, one.high]));
    Axis { name: comparison.y_name.clone(), range: range.padded(below, above), whole: false }
}

/// One name of so many is written below its alternative.
fn step(comparison: &Comparison) -> usize {
    comparison.alternatives.len().div_ceil(MOST_NAMES).max(1)
}

/// Whether the names have room side by side.
fn fits(typeface: &Typeface, area: &Area, comparison: &Comparison) -> bool {
    let widths = comparison.alternatives.iter().map(|one| typeface.width(&one.name, SMALL));
    let one = area.width() / comparison.alternatives.len().max(1) as f64;
    widths.fold(0.0, f64::max) + GAP <= one * step(comparison) as f64
}

fn draw_columns(canvas: &mut Canvas<'_>, area: &Area, y: &Axis, comparison: &Comparison) {
    axes::upright(canvas, area, y, Color::GRID);
    canvas.rule((area.left, area.bottom), (area.right, area.bottom), Color::BASE);
    axes::level_name(canvas, area, &comparison.x_name, "");
    write_names(canvas, area, comparison);
    let mut places = Places::new(*area);
    let place = |i: usize, value: f64| area.point((along(comparison, i), y.range.place(value)));
    let alternatives = comparison.alternatives.iter().enumerate();
    for (i, one) in alternatives.filter(|(_, one)| is_finite(one)) {
        let color = color(comparison, i);
        let points = [one.low, one.number, one.high].map(|value| place(i, value));
        draw_one(canvas, &mut places, points, (color, DOT));
        if i == comparison.chosen {
            places.beside(canvas, Words::strong(&comparison.label, color), points[1]);
        }
    }
}

/// Draws the alternatives from the top to the bottom, the names on the left.
fn draw_rows(canvas: &mut Canvas<'_>, top: f64, comparison: &Comparison) {
    let all = Area::from(0.0, top);
    let height = all.height() / comparison.alternatives.len().max(1) as f64;
    let size = (height * 0.85).min(SMALL.size);
    let font = |i: usize| Font {
        face: if i == comparison.chosen { Face::Strong } else { Face::Sans },
        size,
    };
    let names = comparison.alternatives.iter().enumerate();
    let widths = names.map(|(i, one)| canvas.typeface.width(&one.name, font(i)));
    let widest = widths.fold(0.0, f64::max).min(NAMES * all.width());
    let area = Area::from(axes::LEFT + widest + GAP, top);
    // The label of the chosen one has room beside the longest line.
    let room = canvas.typeface.width(&comparison.label, STRONG) + 2.0 * GAP;
    let x = axis(comparison, (0.04, room / (area.width() - room).max(1.0)));
    axes::upright_name(canvas, &area, &comparison.x_name, "");
    canvas.rule((area.left, area.bottom), (area.right, area.bottom), Color::BASE);
    axes::level(canvas, &area, &x, Some(Color::GRID));
    let mut places = Places::new(area);
    for (i, one) in comparison.alternatives.iter().enumerate() {
        let (color, font) = (color(comparison, i), font(i));
        let point = |value: f64| area.point((x.range.place(value), 1.0 - along(comparison, i)));
        let middle = point(one.number).1;
        let name = canvas.typeface.shortened(&one.name, font, widest);
        let label = |text: &str, at: Point, font: Font| Label::new(text, at, font, color);
        let at = (area.left - GAP, middle);
        canvas.label(Label { align: Align::Right, ..label(&name, at, font) });
        if !is_finite(one) {
            continue;
        }
        let points = [one.low, one.number, one.high].map(point);
        draw_one(canvas, &mut places, points, (color, DOT.min(0.45 * height)));
        if i == comparison.chosen {
            let at = (points[2].0 + GAP, middle);
            canvas.label(label(&comparison.label, at, Font { size, ..STRONG }));
        }
    }
}

/// The place of an alternative along all of them.
fn along(comparison: &Comparison, number: usize) -> f64 {
    (number as f64 + 0.5) / comparison.alternatives.len() as f64
}

fn color(comparison: &Comparison, number: usize) -> Color {
    if number == comparison.chosen { Color::PLUS } else { Color::INK }
}

/// Writes names below the axis, among them that of the chosen one.
fn write_names(canvas: &mut Canvas<'_>, area: &Area, comparison: &Comparison) {
    let (step, chosen) = (step(comparison), comparison.chosen);
    for (number, one) in comparison.alternatives.iter().enumerate() {
        if number == chosen || number % step == 0 && number.abs_diff(chosen) >= step {
            let x = area.point((along(comparison, number), 0.0)).0;
            canvas.label(small(&one.name, (x, area.bottom + 16.0), Align::Middle));
        }
    }
}

fn draw_one(
    canvas: &mut Canvas<'_>,
    places: &mut Places,
    [low, point, high]: [Point; 3],
    (color, radius): (Color, f64),
) {
    canvas.path(vec![low, high], color.tint(0.35), 3.0);
    places.line(low, high);
    canvas.disc(point, radius, color);
    places.mark(point, radius + 1.0);
}

fn is_finite(one: &Alternative) -> bool {
    [one.low, one.number, one.high].iter().all(|number| number.is_finite())
}
