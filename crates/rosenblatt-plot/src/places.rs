//! Places for labels: where they cover nothing, near what they name.

use crate::{
    axes::{Area, STRONG},
    canvas::{Align, Canvas, Color, Label, Point},
    typeface::Font,
};

/// The side of a cell, in points.
const CELL: f64 = 4.0;
/// The distance between two places that are tried.
const STEP: f64 = 8.0;
/// The height of a line of text.
pub(crate) const LINE: f64 = 17.0;
/// The cost of each covered cell, in points of distance.
const COVER: f64 = 15.0;

/// A rectangle around its middle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Its middle.
    pub(crate) middle: Point,
    /// Its width.
    pub(crate) width: f64,
    /// Its height.
    pub(crate) height: f64,
}

impl Frame {
    /// The distance to a point; 0 inside.
    pub(crate) fn distance(&self, (x, y): Point) -> f64 {
        let across = ((x - self.middle.0).abs() - self.width / 2.0).max(0.0);
        let down = ((y - self.middle.1).abs() - self.height / 2.0).max(0.0);
        across.hypot(down)
    }
}

/// The cells of an area that are taken.
pub(crate) struct Places {
    area: Area,
    columns: usize,
    rows: usize,
    taken: Vec<bool>,
}

impl Places {
    /// An empty area.
    pub(crate) fn new(area: Area) -> Self {
        let cells = |length: f64| (length / CELL).ceil().max(1.0) as usize;
        let (columns, rows) = (cells(area.width()), cells(area.height()));
        Places { area, columns, rows, taken: vec![false; columns * rows] }
    }

    /// The cells between two corners, the second beyond the last.
    fn span(&self, frame: &Frame) -> ((usize, usize), (usize, usize)) {
        let cell = |length: f64, most: usize| ((length / CELL).floor().max(0.0) as usize).min(most);
        let (x, y) = (frame.middle.0 - self.area.left, frame.middle.1 - self.area.top);
        let (across, down) = (frame.width / 2.0, frame.height / 2.0);
        let end = |length: f64, most: usize| (cell(length, most) + 1).min(most);
        (
            (cell(x - across, self.columns), end(x + across, self.columns)),
            (cell(y - down, self.rows), end(y + down, self.rows)),
        )
    }

    /// Takes a rectangle.
    pub(crate) fn take(&mut self, frame: &Frame) {
        let ((left, right), (top, bottom)) = self.span(frame);
        for row in top..bottom {
            for column in left..right {
                self.taken[row * self.columns + column] = true;
            }
        }
    }

    /// Takes a square around a point.
    pub(crate) fn mark(&mut self, middle: Point, radius: f64) {
        self.take(&Frame { middle, width: 2.0 * radius, height: 2.0 * radius });
    }

    /// Takes a straight line.
    pub(crate) fn line(&mut self, from: Point, to: Point) {
        let steps = ((to.0 - from.0).hypot(to.1 - from.1) / (CELL / 2.0)).ceil().max(1.0);
        for i in 0..=steps.min(4000.0) as u32 {
            let share = f64::from(i) / steps;
            let at = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            self.mark(at, 1.0);
        }
    }

    /// The number of taken cells in a rectangle.
    fn covered(&self, frame: &Frame) -> usize {
        let ((left, right), (top, bottom)) = self.span(frame);
        let row = |row: usize| &self.taken[row * self.columns..][left..right.max(left)];
        (top..bottom).flat_map(|i| row(i).iter()).filter(|&&taken| taken).count()
    }

    /// The place in the area for a rectangle of this size that costs least; what it covers costs in
    /// addition. Returns the place and the number of covered cells.
    fn cheapest(&self, size: (f64, f64), cost: impl Fn(&Frame) -> f64) -> Option<(Frame, usize)> {
        let (width, height) = size;
        let steps = |room: f64| if room < 0.0 { 0 } else { (room / STEP) as u32 + 1 };
        let mut best: Option<(f64, Frame, usize)> = None;
        for j in 0..steps(self.area.height() - height) {
            for i in 0..steps(self.area.width() - width) {
                let x = self.area.left + width / 2.0 + f64::from(i) * STEP;
                let y = self.area.top + height / 2.0 + f64::from(j) * STEP;
                let frame = Frame { middle: (x, y), width, height };
                let own = cost(&frame);
                if best.is_some_and(|(least, ..)| own >= least) {
                    continue;
                }
                let covered = self.covered(&frame);
                let whole = own + COVER * covered as f64;
                if best.is_none_or(|(least, ..)| whole < least) {
                    best = Some((whole, frame, covered));
                }
            }
        }
        best.map(|(_, frame, covered)| (frame, covered))
    }

    /// Writes lines of text where they cost least, and takes their place. Where they cover something, a veil lies between.
    pub(crate) fn write(
        &mut self,
        canvas: &mut Canvas<'_>,
        lines: &[Words<'_>],
        cost: impl Fn(&Frame) -> f64,
    ) -> Option<Frame> {
        let widths = lines.iter().map(|line| canvas.typeface.width(line.text, line.font));
        let width = widths.fold(0.0, f64::max);
        let size = (width + 8.0, LINE * lines.len() as f64 + 3.0);
        let (frame, covered) = self.cheapest(size, cost)?;
        let left = frame.middle.0 - width / 2.0;
        if covered > 0 {
            let (top, bottom) = (frame.middle.1 - size.1 / 2.0, frame.middle.1 + size.1 / 2.0);
            let corners = ((left - 3.0, top + 1.0), (left + width + 3.0, bottom - 1.0));
            canvas.rectangle(corners.0, corners.1, Color::WHITE.faded(0.85));
        }
        for (i, line) in lines.iter().enumerate() {
            let y = frame.middle.1 + LINE * (i as f64 - (lines.len() - 1) as f64 / 2.0);
            canvas.label(Label::new(line.text, (left, y), line.font, line.color));
        }
        self.take(&frame);
        Some(frame)
    }

    /// Writes a label as close to a point as it can stand free.
    pub(crate) fn beside(&mut self, canvas: &mut Canvas<'_>, words: Words<'_>, point: Point) {
        self.write(canvas, &[words], |frame| {
            // Beside and above a point rather than below it.
            frame.distance(point) + 0.02 * (frame.middle.1 - point.1).abs()
        });
    }

    /// The area.
    pub(crate) fn area(&self) -> Area {
        self.area
    }
}

/// A line of a label.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    /// The text.
    pub(crate) text: &'a str,
    /// Its face and size.
    pub(crate) font: Font,
    /// Its color.
    pub(crate) color: Color,
}

impl<'a> Words<'a> {
    /// Words that name data in their color.
    pub(crate) fn strong(text: &'a str, color: Color) -> Self {
        Words { text, font: STRONG, color }
    }
}

impl Label {
    /// A text that begins at a place.
    pub(crate) fn new(text: &str, at: Point, font: Font, color: Color) -> Self {
        Label { text: text.to_owned(), at, font, color, align: Align::Left }
    }
}
