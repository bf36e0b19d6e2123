//! The frame of a plot: heading, grid, ticks and the names of the axes.

use crate::{
    canvas::{Align, Canvas, Color, HEIGHT, Label, Point, WIDTH},
    range::{Range, Ticks},
    typeface::Typeface,
};

const TITLE: f64 = 17.0;
/// The size of the names of axes.
pub(crate) const NAME: f64 = 14.0;
/// The size of notes, legends and numbers.
pub(crate) const SMALL: f64 = 12.5;
/// The edges of plots.
const TOP: f64 = 98.0;
const BOTTOM: f64 = HEIGHT as f64 - 66.0;
const RIGHT: f64 = WIDTH as f64 - 30.0;
const LEAST_LEFT: f64 = 66.0;
/// The color of grid lines.
pub(crate) const GRID: Color = Color::INK.faded(0.10);

/// The rectangle that a plot fills.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    /// Its left edge.
    pub(crate) left: f64,
    /// Its upper edge.
    pub(crate) top: f64,
    /// Its right edge.
    pub(crate) right: f64,
    /// Its lower edge.
    pub(crate) bottom: f64,
}

impl Area {
    /// The area with this left margin.
    pub(crate) fn from_left(left: f64) -> Self {
        Area { left: left.max(LEAST_LEFT).round(), top: TOP, right: RIGHT, bottom: BOTTOM }
    }

    /// The area to the right of the numbers of a vertical axis.
    pub(crate) fn beside(axis: &Axis, typeface: &Typeface) -> Self {
        let ticks = axis.upright_ticks();
        let widths = ticks.ticks.iter().map(|tick| typeface.width(&tick.text, SMALL));
        Area::from_left(52.0 + widths.fold(0.0, f64::max))
    }

    /// Its width.
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Its height.
    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The point at `(u, v)` of the unit square, which has (0, 0) at the lower left.
    pub(crate) fn point(&self, (u, v): Point) -> Point {
        (self.left + u * self.width(), self.bottom - v * self.height())
    }

    /// Whether a circle around a point is inside.
    pub(crate) fn holds(&self, (x, y): Point, radius: f64) -> bool {
        let (across, down) = (x - self.left, y - self.top);
        across.min(self.right - x).min(down).min(self.bottom - y) >= radius
    }
}

/// One axis.
pub(crate) struct Axis {
    /// Its name.
    pub(crate) name: String,
    /// Its range.
    pub(crate) range: Range,
    /// Whether it shows whole numbers only.
    pub(crate) whole: bool,
}

impl Axis {
    /// As many numbers as fit side by side into `width` points.
    fn level_ticks(&self, typeface: &Typeface, width: f64) -> Ticks {
        let fits = |ticks: &Ticks| {
            let widths = ticks.ticks.iter().map(|tick| typeface.width(&tick.text, SMALL) + 22.0);
            widths.fold(0.0, f64::max) * (ticks.ticks.len() as f64) <= width
        };
        let ticks = |most| Ticks::new(self.range, most, self.whole);
        (3..=9).rev().map(ticks).find(fits).unwrap_or_else(|| ticks(2))
    }

    fn upright_ticks(&self) -> Ticks {
        Ticks::new(self.range, 7, self.whole)
    }
}

/// Writes the title and, in small letters below it, the note.
pub(crate) fn heading(canvas: &mut Canvas<'_>, area: &Area, title: &str, note: &str) {
    let title_y = if note.is_empty() { 38.0 } else { 28.0 };
    let mut line = |text: &str, y: f64, size: f64, color: Color| {
        let text = canvas.typeface.shortened(text, size, area.width());
        let at = (area.left, y);
        canvas.label(Label { text, at, size, color, align: Align::Left, upwards: false });
    };
    line(title, title_y, TITLE, Color::INK);
    if !note.is_empty() {
        line(note, 51.0, SMALL, Color::GREY);
    }
}

/// Draws the grid with its numbers, the frame and the names of both axes.
pub(crate) fn frame(canvas: &mut Canvas<'_>, area: &Area, x: &Axis, y: &Axis) {
    level_axis(canvas, area, x);
    upright_axis(canvas, area, y);
    outline(canvas, area);
}

/// Draws the level axis below the area and its grid lines.
pub(crate) fn level_axis(canvas: &mut Canvas<'_>, area: &Area, axis: &Axis) {
    let ticks = axis.level_ticks(canvas.typeface, area.width());
    for tick in &ticks.ticks {
        let x = area.point((tick.place, 0.0)).0;
        canvas.rule((x, area.top), (x, area.bottom), GRID);
        let at = (x, area.bottom + 16.0);
        canvas.label(small(tick.text.clone(), at, Align::Middle));
    }
    let at = (area.left + area.width() / 2.0, area.bottom + 44.0);
    let text = name(canvas.typeface, axis, &ticks, area.width());
    let (size, color) = (NAME, Color::INK);
    canvas.label(Label { text, at, size, color, align: Align::Middle, upwards: false });
}

fn upright_axis(canvas: &mut Canvas<'_>, area: &Area, axis: &Axis) {
    let ticks = axis.upright_ticks();
    for tick in &ticks.ticks {
        let y = area.point((0.0, tick.place)).1;
        canvas.rule((area.left, y), (area.right, y), GRID);
        canvas.label(small(tick.text.clone(), (area.left - 9.0, y), Align::Right));
    }
    let at = (20.0, area.top + area.height() / 2.0);
    let text = name(canvas.typeface, axis, &ticks, area.height());
    let (size, color) = (NAME, Color::INK);
    canvas.label(Label { text, at, size, color, align: Align::Middle, upwards: true });
}

fn name(typeface: &Typeface, axis: &Axis, ticks: &Ticks, room: f64) -> String {
    let unit = ticks.unit();
    typeface.shortened(&axis.name, NAME, room - typeface.width(&unit, NAME)) + &unit
}

/// A number or a word of a legend.
pub(crate) fn small(text: String, at: Point, align: Align) -> Label {
    Label { text, at, size: SMALL, color: Color::GREY, align, upwards: false }
}

/// Draws the frame around the area.
pub(crate) fn outline(canvas: &mut Canvas<'_>, area: &Area) {
    let Area { left, top, right, bottom } = *area;
    canvas.rule((left, top), (right, top), Color::FRAME);
    canvas.rule((left, bottom), (right + 1.0, bottom), Color::FRAME);
    canvas.rule((left, top), (left, bottom), Color::FRAME);
    canvas.rule((right, top), (right, bottom), Color::FRAME);
}
