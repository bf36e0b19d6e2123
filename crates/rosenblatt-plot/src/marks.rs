//! The marks of the classes: each has a color and a shape of its own, so that neither color vision
//! nor color print is needed to tell them apart.

use std::f64::consts::TAU;

use crate::canvas::{Canvas, Color, Point};

/// The number of distinct marks; the next class has the first mark again.
pub(crate) const DISTINCT: usize = MARKS.len();

/// Symbol and color of each mark. The first two are those of the negative and the positive class.
const MARKS: [(Symbol, Color); 8] = [
    (Symbol::Corners { count: 4, turn: 0.125, size: 1.2 }, Color::MINUS),
    (Symbol::Disc, Color::PLUS),
    (Symbol::Corners { count: 3, turn: 0.25, size: 1.35 }, Color::TEAL),
    (Symbol::Corners { count: 4, turn: 0.25, size: 1.3 }, Color::PURPLE),
    (Symbol::Corners { count: 3, turn: 0.75, size: 1.35 }, Color::OLIVE),
    (Symbol::Corners { count: 5, turn: 0.25, size: 1.2 }, Color::SLATE),
    (Symbol::Corners { count: 6, turn: 0.0, size: 1.15 }, Color::ROSE),
    (Symbol::Saltire, Color::INK),
];

#[derive(Clone, Copy)]
enum Symbol {
    Disc,
    /// A cross of two diagonals.
    Saltire,
    /// A regular polygon: its number of corners, the direction of the first corner as a part of a turn (a quarter is
    /// above), and its size relative to the disc.
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

/// Draws the mark of a class around a place, with a ring of paper that sets it off from others.
pub(crate) fn draw(canvas: &mut Canvas<'_>, class: usize, (x, y): Point, radius: f64) {
    let (shape, color) = MARKS[class % DISTINCT];
    let ring = (0.3 * radius).clamp(0.5, 1.2);
    match shape {
        Symbol::Disc => {
            canvas.disc((x, y), radius + ring, Color::WHITE);
            canvas.disc((x, y), radius, color);
        }
        Symbol::Saltire => {
            let reach = radius * 0.85;
            let mut cross = |width: f64, color: Color| {
                canvas.path(vec![(x - reach, y - reach), (x + reach, y + reach)], color, width);
                canvas.path(vec![(x - reach, y + reach), (x + reach, y - reach)], color, width);
            };
            cross(1.5 + 2.0 * ring, Color::WHITE);
            cross(1.5, color);
        }
        Symbol::Corners { count, turn, size } => {
            let mut polygon = |reach: f64, color: Color| {
                canvas.polygon(corners((x, y), reach, count, turn), color);
            };
            polygon(radius * size + 1.4 * ring, Color::WHITE);
            polygon(radius * size, color);
        }
    }
}

fn corners((x, y): Point, reach: f64, count: u32, turn: f64) -> Vec<Point> {
    let corner = |i: u32| {
        let (sine, cosine) = ((turn + f64::from(i) / f64::from(count)) * TAU).sin_cos();
        (x + reach * cosine, y - reach * sine)
    };
    (0..count).map(corner).collect()
}
