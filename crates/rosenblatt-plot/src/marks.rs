//! The marks of the classes: each has a color and a shape of its own, so that neither color vision
//! nor color print is needed to tell them apart.

use std::f64::consts::TAU;

use crate::canvas::{Canvas, Color, Point};

/// The number of distinct marks; the next class has the first mark again.
pub(crate) const DISTINCT: usize = MARKS.len();

/// Symbol and color of each mark, after Okabe and Ito. Their yellow is darker here: marks are thin
/// lines on white.
const MARKS: [(Symbol, Color); 8] = [
    (Symbol::Ring, Color::MINUS),
    (Symbol::Cross, Color::PLUS),
    (Symbol::Corners { count: 3, turn: 0.25, size: 1.25 }, Color::GOOD),
    (Symbol::Corners { count: 4, turn: 0.125, size: 1.2 }, Color::PURPLE),
    (Symbol::Corners { count: 4, turn: 0.25, size: 1.25 }, Color::ORANGE),
    (Symbol::Corners { count: 3, turn: 0.75, size: 1.25 }, Color::SKY),
    (Symbol::Saltire, Color::INK),
    (Symbol::Disc, Color::OLIVE),
];

#[derive(Clone, Copy)]
enum Symbol {
    Ring,
    Disc,
    /// An upright cross.
    Cross,
    /// A cross of two diagonals.
    Saltire,
    /// A regular polygon: its number of corners, the direction of the first corner as a part of a turn (a quarter is
    /// above), and its size relative to the ring.
    Corners {
        count: u32,
        turn: f64,
        size: f64,
    },
}

/// The color of a class.
pub(crate) fn color(class: usize) -> Color {
    MARKS[class % DISTINCT].1
}

/// Draws the mark of a class around a place.
pub(crate) fn draw(canvas: &mut Canvas<'_>, class: usize, (x, y): Point, radius: f64) {
    let (shape, color) = MARKS[class % DISTINCT];
    let width = (radius * 0.42).max(1.0);
    match shape {
        Symbol::Ring => canvas.ring((x, y), radius - width / 2.0, color, width),
        Symbol::Disc => canvas.disc((x, y), radius * 0.8, color),
        Symbol::Cross => {
            let reach = radius * 1.1;
            canvas.path(vec![(x - reach, y), (x + reach, y)], color, width);
            canvas.path(vec![(x, y - reach), (x, y + reach)], color, width);
        }
        Symbol::Saltire => {
            let reach = radius * 0.8;
            canvas.path(vec![(x - reach, y - reach), (x + reach, y + reach)], color, width);
            canvas.path(vec![(x - reach, y + reach), (x + reach, y - reach)], color, width);
        }
        Symbol::Corners { count, turn, size } => {
            let reach = radius * size - width / 2.0;
            canvas.path(outline((x, y), reach, count, turn), color, width);
        }
    }
}

/// Once around a polygon, from the middle of a side: the ends of the line then meet without a notch.
fn outline((x, y): Point, reach: f64, count: u32, turn: f64) -> Vec<Point> {
    let corner = |i: u32| {
        let (sine, cosine) = ((turn + f64::from(i) / f64::from(count)) * TAU).sin_cos();
        (x + reach * cosine, y - reach * sine)
    };
    let (first, last) = (corner(0), corner(count - 1));
    let middle = ((first.0 + last.0) / 2.0, (first.1 + last.1) / 2.0);
    std::iter::once(middle).chain((0..count).map(corner)).chain([middle]).collect()
}
