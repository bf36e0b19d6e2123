//! The frame of a plot: heading, grid, ticks and the names of the axes.

use super::{
    canvas::{Align, Canvas, Colour, HEIGHT, Label, Point, WIDTH},
    range::{Range, Ticks},
    typeface::Typeface,
};

const TITLE: f64 = 17.0;
/// The size of the names of axes.
pub(super) const NAME: f64 = 14.0;
/// The size of notes, legends and numbers.
pub(super) const SMALL: f64 = 12.5;
/// Where plots begin and end.
const TOP: f64 = 98.0;
const BOTTOM: f64 = HEIGHT as f64 - 66.0;
const RIGHT: f64 = WIDTH as f64 - 30.0;
const LEAST_LEFT: f64 = 66.0;
/// The colour of grid lines.
pub(super) const GRID: Colour = Colour::INK.faded(0.10);

/// The rectangle that a plot fills.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    /// Its left edge.
    pub(super) left: f64,
    /// Its upper edge.
    pub(super) top: f64,
    /// Its right edge.
    pub(super) right: f64,
    /// Its lower edge.
    pub(super) bottom: f64,
}

impl Area {
    /// The area whose left margin is so wide.
    pub(super) fn from_left(left: f64) -> Self {
        Area { left: left.max(LEAST_LEFT).round(), top: TOP, right: RIGHT, bottom: BOTTOM }
    }

    /// The area beside the numbers of an upright axis.
    pub(super) fn beside(axis: &Axis, typeface: &Typeface) -> Self {
        let ticks = axis.upright_ticks();
        let widths = ticks.ticks.iter().map(|tick| typeface.width(&tick.text, SMALL));
        Area::from_left(52.0 + widths.fold(0.0, f64::max))
    }

    /// Its width.
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Its height.
    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The point at `(u, v)` of the unit square, which has (0, 0) at the lower left.
    pub(super) fn point(&self, (u, v): Point) -> Point {
        (self.left + u * self.width(), self.bottom - v * self.height())
    }

    /// Whether a circle around a point is inside.
    pub(super) fn holds(&self, (x, y): Point, radius: f64) -> bool {
        let (across, down) = (x - self.left, y - self.top);
        across.min(self.right - x).min(down).min(self.bottom - y) >= radius
    }
}

/// One axis.
pub(super) struct Axis {
    /// What it shows.
    pub(super) name: String,
    /// From where to where.
    pub(super) range: Range,
    /// Whether only whole numbers make sense.
    pub(super) whole: bool,
}

impl Axis {
    /// As many numbers as have room side by side on `width` points.
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
pub(super) fn heading(canvas: &mut Canvas<'_>, area: &Area, title: &str, note: &str) {
    let title_y = if note.is_empty() { 38.0 } else { 28.0 };
    let mut line = |text: &str, y: f64, size: f64, colour: Colour| {
        let text = canvas.typeface.shortened(text, size, area.width());
        let at = (area.left, y);
        canvas.label(Label { text, at, size, colour, align: Align::Left, upwards: false });
    };
    line(title, title_y, TITLE, Colour::INK);
    if !note.is_empty() {
        line(note, 51.0, SMALL, Colour::GREY);
    }
}

/// Draws the grid with its numbers, the frame and the names of both axes.
pub(super) fn frame(canvas: &mut Canvas<'_>, area: &Area, x: &Axis, y: &Axis) {
    level_axis(canvas, area, x);
    upright_axis(canvas, area, y);
    outline(canvas, area);
}

/// Draws the level axis below the area and its grid lines.
pub(super) fn level_axis(canvas: &mut Canvas<'_>, area: &Area, axis: &Axis) {
    let ticks = axis.level_ticks(canvas.typeface, area.width());
    for tick in &ticks.ticks {
        let x = area.point((tick.place, 0.0)).0;
        canvas.rule((x, area.top), (x, area.bottom), GRID);
        let at = (x, area.bottom + 16.0);
        canvas.label(small(tick.text.clone(), at, Align::Middle));
    }
    let at = (area.left + area.width() / 2.0, area.bottom + 44.0);
    let text = name(canvas.typeface, axis, &ticks, area.width());
    let (size, colour) = (NAME, Colour::INK);
    canvas.label(Label { text, at, size, colour, align: Align::Middle, upwards: false });
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
    let (size, colour) = (NAME, Colour::INK);
    canvas.label(Label { text, at, size, colour, align: Align::Middle, upwards: true });
}

fn name(typeface: &Typeface, axis: &Axis, ticks: &Ticks, room: f64) -> String {
    let unit = ticks.unit();
    typeface.shortened(&axis.name, NAME, room - typeface.width(&unit, NAME)) + &unit
}

/// A number or a word of a legend.
pub(super) fn small(text: String, at: Point, align: Align) -> Label {
    Label { text, at, size: SMALL, colour: Colour::GREY, align, upwards: false }
}

/// Draws the frame around the area.
pub(super) fn outline(canvas: &mut Canvas<'_>, area: &Area) {
    let Area { left, top, right, bottom } = *area;
    canvas.rule((left, top), (right, top), Colour::FRAME);
    canvas.rule((left, bottom), (right + 1.0, bottom), Colour::FRAME);
    canvas.rule((left, top), (left, bottom), Colour::FRAME);
    canvas.rule((right, top), (right, bottom), Colour::FRAME);
}
