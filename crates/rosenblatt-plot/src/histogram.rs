//! A distribution of counts.

use crate::{
    axes::{self, Area, Axis, Heading, SMALL},
    canvas::{Canvas, Color},
    figure::{Bin, Histogram},
    places::{Frame, Places, Words},
    range::{Range, count, number},
};

/// A bound above this many times the largest value is an arrow, because a line would press the bars together.
const NEAR: f64 = 2.0;
/// The share of the height that is free above the highest bar.
const FREE: f64 = 0.24;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, histogram: &Histogram) {
    let bins = &histogram.bins;
    // The bar of a whole number extends half-way to its neighbors.
    let least = bins.first().map_or(0.0, |bin| bin.from as f64 - 0.5);
    let most = bins.last().map_or(1.0, |bin| bin.to as f64 + 0.5);
    let near = histogram.bound.filter(|&bound| bound <= NEAR * most);
    let range = Range { low: least, high: most.max(near.unwrap_or(0.0)) }.padded(0.02, 0.03);
    let highest = bins.iter().map(|bin| bin.count).max().unwrap_or(1);
    let x = Axis { name: histogram.value_name.clone(), range, whole: true };
    let upright = Range { low: 0.0, high: highest as f64 * (1.0 + FREE) };
    let y = Axis { name: histogram.count_name.clone(), range: upright, whole: true };
    let heading = Heading::new(canvas.typeface, &histogram.title, &histogram.note);
    let area = Area::beside(&y, &heading, canvas.typeface);
    heading.draw(canvas);
    axes::across(canvas, &area, &x, &y);
    let mut drawn = Drawn { area, x: range, y: upright, places: Places::new(area) };
    for bin in bins {
        drawn.bar(canvas, bin, histogram.quartiles);
    }
    if let Some(quartiles) = histogram.quartiles {
        drawn.median(canvas, quartiles, bins);
    }
    match (histogram.bound, near) {
        (_, Some(bound)) => drawn.near_bound(canvas, bound),
        (Some(bound), None) => drawn.far_bound(canvas, bound),
        (None, None) => {}
    }
}

/// The plot so far.
struct Drawn {
    area: Area,
    x: Range,
    y: Range,
    places: Places,
}

impl Drawn {
    fn across(&self, value: f64) -> f64 {
        self.area.point((self.x.place(value), 0.0)).0
    }

    fn up(&self, count: u64) -> f64 {
        self.area.point((0.0, self.y.place(count as f64))).1
    }

    fn bar(&mut self, canvas: &mut Canvas<'_>, bin: &Bin, quartiles: Option<[f64; 3]>) {
        let &Bin { from, to, count } = bin;
        let top = self.up(count);
        let (left, right) = (self.across(from as f64 - 0.5), self.across(to as f64 + 0.5));
        let gap = (0.06 * (right - left)).min(1.5);
        let (left, right) = (left + gap, right - gap);
        let inside = |[low, _, high]: [f64; 3]| to as f64 >= low && from as f64 <= high;
        let color = match quartiles.is_some_and(inside) {
            true => Color::PLUS,
            false => Color::PLUS.tint(0.42),
        };
        canvas.rectangle((left, top), (right, self.area.bottom), color);
        let middle = ((left + right) / 2.0, (top + self.area.bottom) / 2.0);
        self.places.take(&Frame { middle, width: right - left, height: self.area.bottom - top });
    }

    /// A line above the bar of the median, and what the dark bars are.
    fn median(&mut self, canvas: &mut Canvas<'_>, [low, median, high]: [f64; 3], bins: &[Bin]) {
        let x = self.across(median);
        let here = |bin: &&Bin| bin.from as f64 - 0.5 <= median && median <= bin.to as f64 + 0.5;
        let bar = bins.iter().find(here).map_or(self.area.bottom, |bin| self.up(bin.count));
        let top = self.area.top + 6.0;
        canvas.path(vec![(x, top), (x, bar)], Color::INK, 1.5);
        self.places.line((x, top), (x, bar));
        let words = format!("median {}", number(median));
        let half = format!("half of them: {} to {} (dark)", number(low), number(high));
        let lines = [
            Words::strong(&words, Color::INK),
            Words { font: SMALL, ..Words::strong(&half, Color::GREY) },
        ];
        self.places.write(canvas, &lines, |frame| frame.distance((x, top + 10.0)));
    }

    /// A dashed line.
    fn near_bound(&mut self, canvas: &mut Canvas<'_>, bound: f64) {
        let x = self.across(bound);
        canvas.dashes((x, self.area.bottom), (x, self.area.top), Color::BAD, 1.5);
        self.places.line((x, self.area.bottom), (x, self.area.top));
        self.bound(canvas, bound, x);
    }

    /// An arrow at the right edge.
    fn far_bound(&mut self, canvas: &mut Canvas<'_>, bound: f64) {
        let right = self.area.right;
        let Some(frame) = self.bound(canvas, bound, right) else { return };
        let y = frame.middle.1 + frame.height / 2.0 + 6.0;
        canvas.path(vec![(right - 34.0, y), (right - 2.0, y)], Color::BAD, 1.5);
        let head = vec![(right - 8.0, y - 4.5), (right, y), (right - 8.0, y + 4.5)];
        canvas.path(head, Color::BAD, 1.5);
    }

    fn bound(&mut self, canvas: &mut Canvas<'_>, bound: f64, x: f64) -> Option<Frame> {
        let most = format!("at most {},", at_most(bound));
        let lines = [
            Words::strong(&most, Color::BAD),
            Words { font: SMALL, ..Words::strong("by Novikoff", Color::BAD) },
        ];
        let y = self.area.top + 0.45 * self.area.height();
        self.places.write(canvas, &lines, |frame| {
            frame.distance((x, y)) + 0.2 * (frame.middle.1 - y).abs()
        })
    }
}

/// A bound, never rounded to less.
fn at_most(bound: f64) -> String {
    let whole = (bound * (1.0 + 8.0 * f64::EPSILON)).floor();
    if whole < 1e9 { count(whole as u64) } else { number(bound * 1.0005) }
}
