//! The marks of the classes: each has a colour and a shape of its own, so that neither colour vision
//! nor colour print is needed to tell them apart.

use std::f64::consts::TAU;

use super::canvas::{Canvas, Colour, Point};

/// So many marks are distinct; the next class has the first again.
pub(super) const DISTINCT: usize = MARKS.len();

/// Shape and colour of each mark, after Okabe and Ito. Their yellow is darker here: marks are thin
/// lines on white.
const MARKS: [(Shape, Colour); 8] = [
    (Shape::Ring, Colour::MINUS),
    (Shape::Cross, Colour::PLUS),
    (Shape::Corners { count: 3, turn: 0.25, size: 1.25 }, Colour::GOOD),
    (Shape::Corners { count: 4, turn: 0.125, size: 1.2 }, Colour::PURPLE),
    (Shape::Corners { count: 4, turn: 0.25, size: 1.25 }, Colour::ORANGE),
    (Shape::Corners { count: 3, turn: 0.75, size: 1.25 }, Colour::SKY),
    (Shape::Saltire, Colour::INK),
    (Shape::Disc, Colour::OLIVE),
];

#[derive(Clone, Copy)]
enum Shape {
    Ring,
    Disc,
    /// An upright cross.
    Cross,
    /// A cross of two diagonals.
    Saltire,
    /// A regular polygon: its number of corners, where the first one is as a part of a turn (a quarter
    /// is above), and its size next to that of the ring.
    Corners {
        count: u32,
        turn: f64,
        size: f64,
    },
}

/// The colour of a class.
pub(super) fn colour(class: usize) -> Colour {
    MARKS[class % DISTINCT].1
}

/// Draws the mark of a class around a place.
pub(super) fn draw(canvas: &mut Canvas<'_>, class: usize, (x, y): Point, radius: f64) {
    let (shape, colour) = MARKS[class % DISTINCT];
    let width = (radius * 0.42).max(1.0);
    match shape {
        Shape::Ring => canvas.ring((x, y), radius - width / 2.0, colour, width),
        Shape::Disc => canvas.disc((x, y), radius * 0.8, colour),
        Shape::Cross => {
            let reach = radius * 1.1;
            canvas.path(vec![(x - reach, y), (x + reach, y)], colour, width);
            canvas.path(vec![(x, y - reach), (x, y + reach)], colour, width);
        }
        Shape::Saltire => {
            let reach = radius * 0.8;
            canvas.path(vec![(x - reach, y - reach), (x + reach, y + reach)], colour, width);
            canvas.path(vec![(x - reach, y + reach), (x + reach, y - reach)], colour, width);
        }
        Shape::Corners { count, turn, size } => {
            let reach = radius * size - width / 2.0;
            canvas.path(outline((x, y), reach, count, turn), colour, width);
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
