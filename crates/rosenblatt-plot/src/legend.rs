//! The line above a plot that explains its marks.

use rosenblatt::data::Sign;

use crate::{
    axes::{Area, SMALL, small},
    canvas::{Align, Canvas, Color, Point},
    marks,
    typeface::Typeface,
};

/// The distance above the area in points.
const RISE: f64 = 19.0;
/// The gap between two entries.
const GAP: f64 = 26.0;
/// Names are not shortened below this to make room for more entries.
const LEAST_NAME: f64 = 48.0;

/// An entry of the legend.
pub(crate) struct Entry {
    /// The mark that is explained.
    pub(crate) mark: Mark,
    /// Its meaning.
    pub(crate) text: String,
}

impl Entry {
    /// A mark with its meaning.
    pub(crate) fn new(mark: Mark, text: impl Into<String>) -> Self {
        Entry { mark, text: text.into() }
    }

    /// The width of all but the text, with the gap behind the entry.
    fn fixed_width(&self) -> f64 {
        self.mark.width() + GAP
    }
}

/// The mark of an entry.
pub(crate) enum Mark {
    /// The examples of a class, by its mark.
    Class(usize),
    /// No mark, only words.
    Words,
    /// The weights in favor of a class.
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
    /// The width up to the text.
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
                canvas.rectangle((left, y - 5.5), (left + 11.0, y + 5.5), Color::of_sign(*sign));
            }
            Mark::Line => canvas.path(line, Color::INK, 2.0),
            Mark::Dashes => canvas.dashes((left, y), (left + 19.0, y), Color::GREY, 1.4),
            Mark::Converged => converged(canvas, middle),
            Mark::Mistakes => canvas.path(line, Color::CURVE, 1.8),
        }
    }
}

/// The room of a legend.
pub(crate) struct Room<'a> {
    /// The typeface, for the widths of texts.
    pub(crate) typeface: &'a Typeface,
    /// The width.
    pub(crate) width: f64,
}

impl Room<'_> {
    /// Returns as many of the entries as fit next to the `others` with long names shortened, and an entry with the number
    /// of the rest. Returns at least two entries, and all if they fit.
    pub(crate) fn cut(&self, mut entries: Vec<Entry>, others: &[Entry]) -> Vec<Entry> {
        let all = entries.len();
        if all <= 2 {
            return entries;
        }
        let rest = |kept: usize| Entry::new(Mark::Words, format!("… {} more", all - kept));
        let free = self.width + GAP - self.taken(others);
        let room = |kept: usize| {
            let rest = if kept < all { self.taken(&[rest(kept)]) } else { 0.0 };
            let marks = entries[..kept].iter().map(Entry::fixed_width).sum::<f64>();
            free - rest - marks
        };
        let least = |kept: usize| {
            self.widths(&entries[..kept]).iter().map(|width| width.min(LEAST_NAME)).sum::<f64>()
        };
        let kept = (2..=all).rev().find(|&kept| least(kept) <= room(kept)).unwrap_or(2);
        let most = widest(&self.widths(&entries[..kept]), room(kept));
        entries.truncate(kept);
        for entry in &mut entries {
            entry.text = self.typeface.shortened(&entry.text, SMALL, most);
        }
        entries.extend((kept < all).then(|| rest(kept)));
        entries
    }

    fn widths(&self, entries: &[Entry]) -> Vec<f64> {
        entries.iter().map(|entry| self.typeface.width(&entry.text, SMALL)).collect()
    }

    /// The width of whole entries, each with the gap behind it.
    fn taken(&self, entries: &[Entry]) -> f64 {
        let marks = entries.iter().map(Entry::fixed_width);
        marks.chain(self.widths(entries)).sum()
    }
}

/// The mark of the epoch without a mistake.
pub(crate) fn converged(canvas: &mut Canvas<'_>, at: Point) {
    canvas.disc(at, 6.0, Color::WHITE);
    canvas.ring(at, 5.5, Color::GOOD, 1.8);
    canvas.disc(at, 2.6, Color::GOOD);
}

/// Draws the entries from left to right; names that do not fit are shortened, the longest first.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: &Area, entries: &[Entry]) {
    let taken: f64 = entries.iter().map(Entry::fixed_width).sum();
    let room = area.width() + GAP - taken;
    let widths: Vec<f64> =
        entries.iter().map(|entry| canvas.typeface.width(&entry.text, SMALL)).collect();
    let most = widest(&widths, room);
    let (mut left, y) = (area.left, area.top - RISE);
    for Entry { mark, text } in entries {
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
