//! A distribution of counts.

use crate::{
    axes::{self, Area, Axis},
    canvas::{Canvas, Color},
    figure::{Bin, Histogram},
    legend::{self, Entry, Mark},
    range::{Range, number},
};

/// A bound above this many times the largest value is not drawn, because it would press the bars together.
const NEAR: f64 = 2.0;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, histogram: &Histogram) {
    let bins = &histogram.bins;
    // The bar of a whole number extends half-way to its neighbors.
    let least = bins.first().map_or(0.0, |bin| bin.from as f64 - 0.5);
    let most = bins.last().map_or(1.0, |bin| bin.to as f64 + 0.5);
    let bound = histogram.bound.filter(|&bound| bound <= NEAR * most);
    let range = Range { low: least, high: most.max(bound.unwrap_or(0.0)) }.padded(0.02, 0.02);
    let highest = bins.iter().map(|bin| bin.count).max().unwrap_or(1);
    let x = Axis { name: histogram.value_name.clone(), range, whole: true };
    let upright = Range { low: 0.0, high: highest as f64 * 1.06 };
    let y = Axis { name: histogram.count_name.clone(), range: upright, whole: true };
    let area = Area::beside(&y, canvas.typeface);
    axes::frame(canvas, &area, &x, &y);
    let across = |value: f64| area.point((x.range.place(value), 0.0)).0;
    for &Bin { from, to, count } in bins {
        let top = area.point((0.0, y.range.place(count as f64))).1;
        let (left, right) = (across(from as f64 - 0.5), across(to as f64 + 0.5));
        let gap = (0.06 * (right - left)).min(1.5);
        let corners = ((left + gap, top), (right - gap, area.bottom));
        canvas.rectangle(corners.0, corners.1, Color::MINUS.tint(0.75));
    }
    let mut entries = Vec::new();
    if let Some(median) = histogram.median {
        let x = across(median);
        canvas.path(vec![(x, area.top), (x, area.bottom)], Color::INK, 2.0);
        entries.push(Entry::new(Mark::Line, format!("median {}", number(median))));
    }
    if let Some(bound) = bound {
        let x = across(bound);
        canvas.dashes((x, area.bottom), (x, area.top), Color::GREY, 1.4);
        entries.push(Entry::new(Mark::Dashes, "Novikoff's bound"));
    }
    axes::outline(canvas, &area);
    axes::heading(canvas, &area, &histogram.title, &histogram.note);
    legend::draw(canvas, &area, &entries);
}
