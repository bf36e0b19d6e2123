//! The heading of a plot, its area, its grid and the numbers and names of its axes.

use crate::{
    canvas::{Align, Canvas, Color, HEIGHT, Label, Point, WIDTH},
    range::{Range, Ticks},
    typeface::{Face, Font, Typeface},
};

const TITLE: Font = Font { face: Face::Serif, size: 18.0 };
/// Notes, numbers and names of axes.
pub(crate) const SMALL: Font = Font { face: Face::Sans, size: 13.0 };
/// Labels of the data.
pub(crate) const STRONG: Font = Font { face: Face::Strong, size: 13.0 };
/// The margins of a picture.
pub(crate) const LEFT: f64 = 20.0;
const RIGHT: f64 = WIDTH as f64 - 22.0;
const BOTTOM: f64 = HEIGHT as f64 - 56.0;
/// From the middle of the last line of the heading to the plot.
const GAP: f64 = 26.0;
/// This distance, where the name of the upright axis stands between.
const NAMED_GAP: f64 = 42.0;
const TITLE_LINE: f64 = 24.0;
const NOTE_LINE: f64 = 18.0;

/// The title, which is what was found, and the note below it, what it was found in.
pub(crate) struct Heading {
    title: Vec<String>,
    note: Vec<String>,
}

impl Heading {
    /// Breaks both into lines.
    pub(crate) fn new(typeface: &Typeface, title: &str, note: &str) -> Self {
        let lines = |text: &str, font: Font| typeface.lines(text, font, RIGHT - LEFT);
        Heading { title: lines(title, TITLE), note: lines(note, SMALL) }
    }

    /// The number of lines of the note.
    pub(crate) fn note_lines(&self) -> usize {
        self.note.len()
    }

    /// The middle of the last line.
    fn last(&self) -> f64 {
        let lines = self.title.len().saturating_sub(1) as f64;
        26.0 + lines * TITLE_LINE + self.note.len() as f64 * NOTE_LINE + 4.0
    }

    /// The upper edge of a plot below.
    pub(crate) fn bottom(&self) -> f64 {
        self.last() + GAP
    }

    /// The upper edge of a plot below, with room for the name of its upright axis.
    pub(crate) fn bottom_with_name(&self) -> f64 {
        self.last() + NAMED_GAP
    }

    /// Writes both.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>) {
        let mut y = 26.0;
        for line in &self.title {
            canvas.label(Label::new(line, (LEFT, y), TITLE, Color::INK));
            y += TITLE_LINE;
        }
        y = self.last() - NOTE_LINE * self.note.len().saturating_sub(1) as f64;
        for line in &self.note {
            canvas.label(Label::new(line, (LEFT, y), SMALL, Color::GREY));
            y += NOTE_LINE;
        }
    }
}

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
    /// The area with this left and upper edge.
    pub(crate) fn from(left: f64, top: f64) -> Self {
        Area { left: left.max(LEFT).round(), top: top.round(), right: RIGHT, bottom: BOTTOM }
    }

    /// The area to the right of the numbers of a vertical axis.
    pub(crate) fn beside(axis: &Axis, heading: &Heading, typeface: &Typeface) -> Self {
        let widths =
            axis.upright_ticks().ticks.into_iter().map(|tick| typeface.width(&tick.text, SMALL));
        Area::from(LEFT + 10.0 + widths.fold(0.0, f64::max), heading.bottom_with_name())
    }

    /// Its middle part of this height, or all of it.
    pub(crate) fn lowered_to(self, height: f64) -> Self {
        let spare = ((self.height() - height) / 2.0).max(0.0).round();
        Area { top: self.top + spare, bottom: self.bottom - spare, ..self }
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

    /// The place of a point in the unit square.
    pub(crate) fn share(&self, (x, y): Point) -> Point {
        ((x - self.left) / self.width(), (self.bottom - y) / self.height())
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
            let widths = ticks.ticks.iter().map(|tick| typeface.width(&tick.text, SMALL) + 20.0);
            widths.fold(0.0, f64::max) * (ticks.ticks.len() as f64) <= width
        };
        let ticks = |most| Ticks::new(self.range, most, self.whole);
        (3..=8).rev().map(ticks).find(fits).unwrap_or_else(|| ticks(2))
    }

    fn upright_ticks(&self) -> Ticks {
        Ticks::new(self.range, 5, self.whole)
    }
}

/// Draws the grid lines across, and the numbers and names of both axes.
pub(crate) fn across(canvas: &mut Canvas<'_>, area: &Area, x: &Axis, y: &Axis) {
    upright(canvas, area, y, Color::GRID);
    canvas.rule((area.left, area.bottom), (area.right, area.bottom), Color::BASE);
    level(canvas, area, x, None);
}

/// Draws the grid of a plane, and the numbers and names of both axes.
pub(crate) fn plane(canvas: &mut Canvas<'_>, area: &Area, x: &Axis, y: &Axis) {
    let grid = Color::INK.faded(0.08);
    upright(canvas, area, y, grid);
    level(canvas, area, x, Some(grid));
}

/// Draws a number line through the middle of the area, and its numbers and its name.
pub(crate) fn number_line(canvas: &mut Canvas<'_>, area: &Area, x: &Axis) {
    let (left, right) = (area.point((0.0, 0.5)), area.point((1.0, 0.5)));
    canvas.rule(left, (right.0, right.1 + 1.0), Color::BASE);
    level(canvas, area, x, Some(Color::INK.faded(0.08)));
}

/// Draws the grid lines upwards, if they have a color, and the numbers and the name of the level axis.
pub(crate) fn level(canvas: &mut Canvas<'_>, area: &Area, axis: &Axis, grid: Option<Color>) {
    let ticks = axis.level_ticks(canvas.typeface, area.width());
    for tick in &ticks.ticks {
        let x = area.point((tick.place, 0.0)).0;
        if let Some(grid) = grid {
            canvas.rule((x, area.top), (x, area.bottom), grid);
        }
        canvas.label(small(&tick.text, (x, area.bottom + 16.0), Align::Middle));
    }
    level_name(canvas, area, &axis.name, &ticks.unit());
}

/// Draws the grid lines across, and the numbers and the name of the upright axis.
pub(crate) fn upright(canvas: &mut Canvas<'_>, area: &Area, axis: &Axis, grid: Color) {
    let ticks = axis.upright_ticks();
    for tick in &ticks.ticks {
        let y = area.point((0.0, tick.place)).1;
        canvas.rule((area.left, y), (area.right, y), grid);
        canvas.label(small(&tick.text, (area.left - 8.0, y), Align::Right));
    }
    upright_name(canvas, area, &axis.name, &ticks.unit());
}

/// Writes the name of the level axis, at its end.
pub(crate) fn level_name(canvas: &mut Canvas<'_>, area: &Area, name: &str, unit: &str) {
    let text = named(canvas.typeface, name, unit, area.width());
    let label = Label::new(&text, (area.right, area.bottom + 37.0), SMALL, Color::INK);
    canvas.label(Label { align: Align::Right, ..label });
}

/// Writes the name of the upright axis, above it.
pub(crate) fn upright_name(canvas: &mut Canvas<'_>, area: &Area, name: &str, unit: &str) {
    let text = named(canvas.typeface, name, unit, area.right - LEFT);
    canvas.label(Label::new(&text, (LEFT, area.top - 17.0), SMALL, Color::INK));
}

fn named(typeface: &Typeface, name: &str, unit: &str, room: f64) -> String {
    typeface.shortened(name, SMALL, room - typeface.width(unit, SMALL)) + unit
}

/// A number.
pub(crate) fn small(text: &str, at: Point, align: Align) -> Label {
    Label { align, ..Label::new(text, at, SMALL, Color::GREY) }
}
