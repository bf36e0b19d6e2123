//! Weights as bars: negative ones to the left of a common zero, positive ones to the right, each name on the other side.

use crate::{
    axes::{self, Area, Heading, SMALL, STRONG},
    canvas::{Align, Canvas, Color, HEIGHT, Label},
    figure::{Bars, Weight},
    range::number,
    typeface::{Face, Font, Typeface},
};

/// The maximum height of a bar with its gap.
const TALLEST_ROW: f64 = 30.0;
/// From the end of a bar to its number, and from zero to a name.
const GAP: f64 = 7.0;
/// Names are cut so that this much is left for bars.
const LEAST_BARS: f64 = 140.0;
/// The part of the panel below plots of this kind, which have no axis.
const FREE: f64 = 18.0;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, bars: &Bars) {
    let heading = Heading::new(canvas.typeface, &bars.title, &bars.note);
    let sides = Area::from(0.0, heading.bottom());
    let area = Area { top: sides.top + 14.0, bottom: f64::from(HEIGHT) - FREE, ..sides };
    heading.draw(canvas);
    let rows = Rows::new(canvas.typeface, &area, &bars.weights);
    for (side, (name, color)) in bars.sides.iter().zip([Color::MINUS, Color::PLUS]).enumerate() {
        let wanted = |weight: &&Weight| (weight.value < 0.0) == (side == 0) && weight.value != 0.0;
        if !bars.weights.iter().any(|weight| wanted(&weight)) {
            continue;
        }
        let (x, align, room) = match side {
            0 => (rows.zero - GAP, Align::Right, rows.zero - axes::LEFT),
            _ => (rows.zero + GAP, Align::Left, area.right - rows.zero),
        };
        let text = canvas.typeface.shortened(&format!("towards {name}"), STRONG, room - GAP);
        canvas.label(Label { align, ..Label::new(&text, (x, sides.top), STRONG, color) });
    }
    for (i, weight) in bars.weights.iter().enumerate() {
        rows.draw(canvas, area.top + rows.height * (i as f64 + 0.5), weight);
    }
    let bottom = area.top + rows.height * bars.weights.len() as f64;
    canvas.rule(
        (rows.zero, area.top - 4.0),
        (rows.zero, bottom.min(area.bottom) + 4.0),
        Color::BASE,
    );
}

/// The measures of all rows.
struct Rows {
    height: f64,
    font: Font,
    /// The place of the weight 0.
    zero: f64,
    /// The number of points for the largest weight.
    longest: f64,
    /// The largest weight.
    largest: f64,
    /// The widest name.
    widest: f64,
}

impl Rows {
    fn new(typeface: &Typeface, area: &Area, weights: &[Weight]) -> Self {
        let height = (area.height() / weights.len().max(1) as f64).min(TALLEST_ROW);
        let font = Font { face: Face::Sans, size: (height * 0.85).min(SMALL.size) };
        let widest = weights.iter().map(|weight| typeface.width(&weight.name, font));
        let widest = widest.fold(0.0, f64::max).min(area.width() - LEAST_BARS);
        let largest = weights.iter().map(|weight| finite(weight.value).abs()).fold(0.0, f64::max);
        // What a side takes: its bars with their numbers, or the names of the other side's bars.
        let side = |negative: bool, longest: f64| {
            let taken = weights.iter().map(|weight| {
                let bar = finite(weight.value).abs() / largest.max(f64::MIN_POSITIVE) * longest;
                let number = typeface.width(&number(weight.value), font);
                if (weight.value < 0.0) == negative { bar + number + GAP } else { widest + GAP }
            });
            taken.fold(40.0, f64::max)
        };
        let fits = |longest: &f64| side(true, *longest) + side(false, *longest) <= area.width();
        let longest = (0..60).map(|i| 0.5 * area.width() * (1.0 - f64::from(i) / 60.0)).find(fits);
        let longest = longest.unwrap_or(20.0);
        let (left, right) = (side(true, longest), side(false, longest));
        let free = (area.width() - left - right).max(0.0) / 2.0;
        Rows { height, font, zero: (area.left + left + free).round(), longest, largest, widest }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, middle: f64, weight: &Weight) {
        let value = finite(weight.value);
        let length = value.abs() / self.largest.max(f64::MIN_POSITIVE) * self.longest;
        let half = self.height * 0.36;
        let text = canvas.typeface.shortened(&weight.name, self.font, self.widest);
        let label = |text: &str, x: f64, align: Align, color: Color| Label {
            align,
            ..Label::new(text, (x, middle), self.font, color)
        };
        let zero = self.zero;
        let (top, bottom) = (middle - half, middle + half);
        let value = number(weight.value);
        if weight.value < 0.0 {
            canvas.rectangle((zero - length, top), (zero, bottom), Color::MINUS);
            canvas.label(label(&value, zero - length - GAP, Align::Right, Color::GREY));
            canvas.label(label(&text, zero + GAP, Align::Left, Color::INK));
        } else {
            canvas.rectangle((zero, top), (zero + length, bottom), Color::PLUS);
            canvas.label(label(&value, zero + length + GAP, Align::Left, Color::GREY));
            canvas.label(label(&text, zero - GAP, Align::Right, Color::INK));
        }
    }
}

fn finite(weight: f64) -> f64 {
    if weight.is_nan() { 0.0 } else { weight.clamp(-1e305, 1e305) }
}
