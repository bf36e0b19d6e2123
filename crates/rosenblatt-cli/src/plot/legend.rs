//! The line above a plot that says what its marks mean.

use rosenblatt::data::Sign;

use super::{
    axes::{Area, SMALL, small},
    canvas::{Align, Canvas, Colour, Point},
    marks,
    typeface::Typeface,
};

/// Above the area by so many points.
const RISE: f64 = 19.0;
/// Between two entries.
const GAP: f64 = 26.0;
/// Names are not shortened below this to make room for more entries.
const LEAST_NAME: f64 = 48.0;

/// What is explained.
pub(super) enum Mark {
    /// The examples of a class, by its mark.
    Class(usize),
    /// Nothing: only words.
    Words,
    /// The weights that speak for a class.
    Bar(Sign),
    /// The separator.
    Line,
    /// The edges of the margin.
    Dashes,
    /// The point at which training converged.
    Converged,
    /// Mistakes of an epoch.
    Mistakes,
}

impl Mark {
    /// The room up to the text.
    fn width(&self) -> f64 {
        match self {
            Mark::Class(_) | Mark::Bar(_) | Mark::Converged => 20.0,
            Mark::Line | Mark::Dashes | Mark::Mistakes => 32.0,
            Mark::Words => 0.0,
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, (left, y): Point) {
        let line = vec![(left, y), (left + 24.0, y)];
        let middle = (left + 6.0, y);
        match self {
            Mark::Class(class) => marks::draw(canvas, *class, middle, 5.0),
            Mark::Words => {}
            Mark::Bar(sign) => {
                canvas.rectangle((left, y - 5.5), (left + 11.0, y + 5.5), Colour::of_sign(*sign));
            }
            Mark::Line => canvas.path(line, Colour::INK, 2.0),
            Mark::Dashes => canvas.dashes((left, y), (left + 19.0, y), Colour::GREY, 1.4),
            Mark::Converged => converged(canvas, middle),
            Mark::Mistakes => canvas.path(line, Colour::CURVE, 1.8),
        }
    }
}

/// The room of a legend.
pub(super) struct Room<'a> {
    /// For the widths of texts.
    pub(super) typeface: &'a Typeface,
    /// From left to right.
    pub(super) width: f64,
}

impl Room<'_> {
    /// As many of the entries as fit beside the `others` when long names are shortened, and how many
    /// more there are. At least two, and all when they fit.
    pub(super) fn cut(
        &self,
        mut entries: Vec<(Mark, String)>,
        others: &[(Mark, String)],
    ) -> Vec<(Mark, String)> {
        let all = entries.len();
        if all <= 2 {
            return entries;
        }
        let rest = |kept: usize| (Mark::Words, format!("… {} more", all - kept));
        let free = self.width + GAP - self.taken(others);
        let room = |kept: usize| {
            let rest = if kept < all { self.taken(&[rest(kept)]) } else { 0.0 };
            let marks = entries[..kept].iter().map(|(mark, _)| mark.width() + GAP).sum::<f64>();
            free - rest - marks
        };
        let least = |kept: usize| {
            self.widths(&entries[..kept]).iter().map(|width| width.min(LEAST_NAME)).sum::<f64>()
        };
        let kept = (2..=all).rev().find(|&kept| least(kept) <= room(kept)).unwrap_or(2);
        let most = widest(&self.widths(&entries[..kept]), room(kept));
        entries.truncate(kept);
        for (_, name) in &mut entries {
            *name = self.typeface.shortened(name, SMALL, most);
        }
        entries.extend((kept < all).then(|| rest(kept)));
        entries
    }

    fn widths(&self, entries: &[(Mark, String)]) -> Vec<f64> {
        entries.iter().map(|(_, text)| self.typeface.width(text, SMALL)).collect()
    }

    /// The width of whole entries, each with the gap behind it.
    fn taken(&self, entries: &[(Mark, String)]) -> f64 {
        let marks = entries.iter().map(|(mark, _)| mark.width() + GAP);
        marks.chain(self.widths(entries)).sum()
    }
}

/// The mark of the epoch without a mistake.
pub(super) fn converged(canvas: &mut Canvas<'_>, at: Point) {
    canvas.disc(at, 6.0, Colour::WHITE);
    canvas.ring(at, 5.5, Colour::GOOD, 1.8);
    canvas.disc(at, 2.6, Colour::GOOD);
}

/// Draws the entries from left to right; names that do not fit are shortened, the longest first.
pub(super) fn draw(canvas: &mut Canvas<'_>, area: &Area, entries: &[(Mark, String)]) {
    let taken: f64 = entries.iter().map(|(mark, _)| mark.width() + GAP).sum();
    let room = area.width() + GAP - taken;
    let widths: Vec<f64> =
        entries.iter().map(|(_, text)| canvas.typeface.width(text, SMALL)).collect();
    let most = widest(&widths, room);
    let (mut left, y) = (area.left, area.top - RISE);
    for (mark, text) in entries {
        mark.draw(canvas, (left, y));
        let text = canvas.typeface.shortened(text, SMALL, most);
        let width = canvas.typeface.width(&text, SMALL);
        canvas.label(small(text, (left + mark.width(), y), Align::Left));
        left += mark.width() + width + GAP;
    }
}

/// The width to which the longest of `widths` have to be cut for all to fit into `room`.
fn widest(widths: &[f64], room: f64) -> f64 {
    let mut ascending = widths.to_vec();
    ascending.sort_by(f64::total_cmp);
    let mut room = room;
    for (i, &width) in ascending.iter().enumerate() {
        let share = room / (ascending.len() - i) as f64;
        if width > share {
            return share;
        }
        room -= width;
    }
    f64::INFINITY
}
