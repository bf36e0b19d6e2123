//! Weights as bars: negative ones to the left, positive ones to the right.

use rosenblatt::data::Sign;

use crate::{
    axes::{self, Area, Axis},
    canvas::{Align, Canvas, Color, Label, Point},
    figure::Bars,
    legend::{self, Entry, Mark},
    range::{Range, number},
};

/// The maximum width of the names.
const NAMES: f64 = 210.0;
/// The maximum height of a bar with its gap.
const TALLEST_ROW: f64 = 52.0;
/// From the end of a bar to its number.
const GAP: f64 = 7.0;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, bars: &Bars) {
    let row = Row::new(bars.weights.len());
    let width = |text: &str| canvas.typeface.width(text, row.size);
    let names = bars.weights.iter().map(|weight| width(&weight.name));
    let area = Area::from_left(names.fold(0.0, f64::max).min(NAMES) + 36.0);
    let values: Vec<f64> = bars.weights.iter().map(|weight| weight.value).collect();
    let numbers = values.iter().map(|&value| width(&number(value)) + 3.0 * GAP);
    let range = with_room(&values, numbers.fold(0.0, f64::max) / area.width());
    axes::level_axis(canvas, &area, &Axis { name: "weight".to_owned(), range, whole: false });
    for (i, weight) in bars.weights.iter().enumerate() {
        let middle = row.middle(&area, i, bars.weights.len());
        draw_bar(canvas, &row, Track { area: &area, range, middle }, weight.value);
        let text = canvas.typeface.shortened(&weight.name, row.size, NAMES);
        canvas.label(row.label(text, (area.left - 10.0, middle), Align::Right));
    }
    let zero = area.point((range.place(0.0), 0.0)).0;
    canvas.rule((zero, area.top), (zero, area.bottom), Color::GREY);
    axes::outline(canvas, &area);
    axes::heading(canvas, &area, &bars.title, &bars.note);
    legend::draw(canvas, &area, &entries(&values, bars.against_rest));
}

fn entries(weights: &[f64], against_rest: bool) -> Vec<Entry> {
    let [minus, plus] = if against_rest {
        ["for the rest", "for the class"]
    } else {
        ["for the negative class", "for the positive class"]
    };
    let negative = Entry::new(Mark::Bar(Sign::Minus), minus);
    let positive = Entry::new(Mark::Bar(Sign::Plus), plus);
    let mut entries = Vec::new();
    entries.extend(weights.iter().any(|&weight| weight < 0.0).then_some(negative));
    entries.extend(weights.iter().any(|&weight| weight > 0.0).then_some(positive));
    entries
}

/// The part of the panel for one bar.
struct Track<'a> {
    area: &'a Area,
    range: Range,
    /// The height on the panel of its middle.
    middle: f64,
}

/// Draws a bar from 0 to the weight, and the number at its end.
fn draw_bar(canvas: &mut Canvas<'_>, row: &Row, track: Track<'_>, weight: f64) {
    let Track { area, range, middle } = track;
    let across = |value: f64| area.point((range.place(value).clamp(0.0, 1.0), 0.0)).0;
    let (zero, end) = (across(0.0), across(finite(weight)));
    let half = row.height * 0.32;
    let (color, gap, align) = if weight < 0.0 {
        (Color::MINUS, -GAP, Align::Right)
    } else {
        (Color::PLUS, GAP, Align::Left)
    };
    let (from, to) = ((zero.min(end), middle - half), (zero.max(end), middle + half));
    canvas.rectangle(from, to, color);
    canvas.label(row.label(number(weight), (end + gap, middle), align));
}

/// The range of 0 and the values, with a share of the width left free on each side with bars.
fn with_room(values: &[f64], share: f64) -> Range {
    let range = Range::of(values.iter().map(|&value| finite(value)).chain([0.0]));
    let sides = [range.low < 0.0, range.high > 0.0].map(|side| if side { share } else { 0.03 });
    let bars = (1.0 - sides[0] - sides[1]).max(0.2);
    range.padded(sides[0] / bars, sides[1] / bars)
}

fn finite(weight: f64) -> f64 {
    if weight.is_nan() { 0.0 } else { weight.clamp(-1e305, 1e305) }
}

/// The measures of all rows.
struct Row {
    height: f64,
    /// The size of the type.
    size: f64,
}

impl Row {
    fn new(count: usize) -> Self {
        let area = Area::from_left(0.0);
        let height = (area.height() / (count as f64 + 0.4)).min(TALLEST_ROW);
        Row { height, size: (height * 0.82).min(axes::SMALL) }
    }

    /// The height on the panel of the middle of row `i` of `count`; all rows together are centerd.
    fn middle(&self, area: &Area, i: usize, count: usize) -> f64 {
        let first = (area.height() - self.height * count as f64) / 2.0;
        area.top + first + self.height * (i as f64 + 0.5)
    }

    fn label(&self, text: String, at: Point, align: Align) -> Label {
        Label { text, at, size: self.size, color: Color::INK, align, upwards: false }
    }
}
