//! The normal vector of the separator, as an arrow that starts on it.

use crate::{
    axes::{Area, STRONG},
    canvas::{Align, Canvas, Color, Label, Point},
    places::Places,
};

/// Lengths to try, in points.
const LENGTHS: [f64; 3] = [46.0, 36.0, 26.0];
/// Starting points, as shares of the line away from the middle of the view, in order of preference.
const STARTS: [f64; 9] = [0.0, 0.07, -0.07, 0.14, -0.14, 0.22, -0.22, 0.32, -0.32];
const HEAD: f64 = 10.0;
/// From the tip to the middle of the letter, and the room around that.
const LETTER: f64 = 13.0;
const CLEARANCE: f64 = 11.0;

/// An arrow on a panel.
#[derive(Clone, Copy)]
struct Arrow {
    start: Point,
    /// Its direction, of length 1.
    direction: Point,
    length: f64,
}

impl Arrow {
    /// The point at this distance along the arrow and this distance to its side.
    fn at(&self, along: f64, aside: f64) -> Point {
        let ((x, y), (across, down)) = (self.start, self.direction);
        (x + along * across - aside * down, y + along * down + aside * across)
    }

    fn letter(&self) -> Point {
        self.at(self.length + LETTER, 0.0)
    }

    /// The number of examples that it would cover.
    fn covers(&self, examples: &[Point]) -> usize {
        let end = self.length + LETTER;
        let near = |&&(x, y): &&Point| {
            let (dx, dy) = (x - self.start.0, y - self.start.1);
            let along = dx * self.direction.0 + dy * self.direction.1;
            let aside = dy * self.direction.0 - dx * self.direction.1;
            let past = (along - along.clamp(0.0, end)).hypot(aside);
            past < CLEARANCE
        };
        examples.iter().filter(near).count()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, places: &mut Places) {
        let neck = self.length - HEAD;
        canvas.path(vec![self.start, self.at(neck + 1.0, 0.0)], Color::NORMAL, 2.25);
        let head = vec![self.at(self.length, 0.0), self.at(neck, 4.6), self.at(neck, -4.6)];
        canvas.polygon(head, Color::NORMAL);
        let letter = self.letter();
        // Half-way up a w is below half-way up a capital letter.
        let label = Label::new("w", (letter.0, letter.1 - 1.2), STRONG, Color::NORMAL);
        canvas.label(Label { align: Align::Middle, ..label });
        places.line(self.start, self.at(self.length, 0.0));
        places.mark(letter, 7.0);
    }
}

/// Draws the arrow of `normal` (of any length, in the coordinates of the panel) on the line between two points: near the
/// middle of the view, at the place with enough room where it covers the fewest examples.
pub(crate) fn draw(
    canvas: &mut Canvas<'_>,
    places: &mut Places,
    line: (Point, Point),
    normal: Point,
    examples: &[Point],
) {
    let length = normal.0.hypot(normal.1);
    if !(length.is_finite() && length > 0.0) {
        return;
    }
    let direction = (normal.0 / length, normal.1 / length);
    let area = places.area();
    let roomy = LENGTHS.iter().find_map(|&length| {
        let arrows = starts(&area, line).map(|start| Arrow { start, direction, length });
        let inside =
            |arrow: &Arrow| area.holds(arrow.letter(), CLEARANCE) && area.holds(arrow.start, 2.0);
        arrows.filter(inside).min_by_key(|arrow| arrow.covers(examples))
    });
    if let Some(arrow) = roomy {
        arrow.draw(canvas, places);
    }
}

/// Places on the line, the one closest to the middle of the area first.
fn starts(area: &Area, (from, to): (Point, Point)) -> impl Iterator<Item = Point> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let middle = area.point((0.5, 0.5));
    let projection = (middle.0 - from.0) * dx + (middle.1 - from.1) * dy;
    let nearest = projection / (dx * dx + dy * dy);
    STARTS.iter().map(move |offset| {
        let share = (nearest + offset).clamp(0.05, 0.95);
        (from.0 + share * dx, from.1 + share * dy)
    })
}
