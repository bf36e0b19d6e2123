//! Marching triangles: the outlines of the regions of a mesh.
//!
//! In a triangle with corners of two classes, the boundary is the straight line between the crossings of two sides. If
//! all three corners differ, the lines meet in the middle of the three crossings. The outlines follow from the classes
//! of the vertices alone: they are closed, neighbors share one line, and rounding cannot open a gap.

use std::collections::BTreeMap;

use crate::{
    canvas::Point,
    mesh::{Edge, Labelled, OUTSIDE},
};

/// A closed line with its region to the left; the last place is joined to the first.
pub(crate) struct Outline {
    /// Each place, and the class on the other side of the piece that begins there.
    pub(crate) places: Vec<(Point, usize)>,
}

/// The part of an outline in one triangle: the edge where it leaves, and its places, each with the class beyond.
struct Step {
    to: Edge,
    places: Vec<(Point, usize)>,
}

/// The outlines of the region of a class.
pub(crate) fn outlines(labelled: &Labelled, class: usize) -> Vec<Outline> {
    let mut steps: BTreeMap<Edge, Step> =
        labelled.mesh.triangles().filter_map(|corners| step(labelled, class, corners)).collect();
    let mut outlines = Vec::new();
    while let Some((_, first)) = steps.pop_first() {
        let (mut next, mut places) = (first.to, first.places);
        while let Some(step) = steps.remove(&next) {
            next = step.to;
            places.extend(step.places);
        }
        outlines.push(Outline { places });
    }
    outlines
}

/// The outline's way through a triangle, from the side on which a walk around it leaves the region to
/// that on which it comes back.
fn step(labelled: &Labelled, class: usize, corners: [usize; 3]) -> Option<(Edge, Step)> {
    let label = |i: usize| labelled.labels[corners[i % 3]];
    let inside = |i: usize| label(i) == class;
    let leaves = (0..3).find(|&i| inside(i) && !inside(i + 1))?;
    let returns = (0..3).find(|&i| !inside(i) && inside(i + 1))?;
    let side = |i: usize| (corners[i % 3], corners[(i + 1) % 3]);
    let crossing = |i: usize| labelled.crossing(side(i).0, side(i).1);
    let (beyond, later) = (label(leaves + 1), label(returns));
    let mut places = vec![(crossing(leaves), beyond)];
    if beyond != later {
        places.push((middle(labelled, corners), later));
    }
    let ordered = |(from, to): Edge| (from.min(to), from.max(to));
    Some((ordered(side(leaves)), Step { to: ordered(side(returns)), places }))
}

/// The place where three regions meet: the middle of the three crossings or, at the edge of the view, the place where
/// the two regions of the view meet.
fn middle(labelled: &Labelled, corners: [usize; 3]) -> Point {
    let side = |i: usize| (corners[i], corners[(i + 1) % 3]);
    let crossing = |i: usize| labelled.crossing(side(i).0, side(i).1);
    let outside = |vertex: usize| labelled.labels[vertex] == OUTSIDE;
    let of_view = |&i: &usize| !outside(side(i).0) && !outside(side(i).1);
    match (0..3).filter(of_view).collect::<Vec<_>>()[..] {
        [only] => crossing(only),
        _ => {
            let [a, b, c] = [0, 1, 2].map(crossing);
            ((a.0 + b.0 + c.0) / 3.0, (a.1 + b.1 + c.1) / 3.0)
        }
    }
}

impl Outline {
    /// Twice the area inside, negative for the outline of a hole.
    pub(crate) fn area(&self) -> f64 {
        let next = self.places.iter().cycle().skip(1);
        let cross = |((p, _), (q, _)): (&(Point, usize), &(Point, usize))| p.0 * q.1 - q.0 * p.1;
        self.places.iter().zip(next).map(cross).sum()
    }

    /// The maximal parts with one class beyond, each with that class. A closed part ends at its first place.
    pub(crate) fn parts(&self) -> Vec<(Vec<Point>, usize)> {
        let count = self.places.len();
        let at = |i: usize| self.places[i % count];
        let changes = |&i: &usize| at(i).1 != at(i + count - 1).1;
        let starts: Vec<usize> = (0..count).filter(changes).collect();
        let part = |from: usize, to: usize| ((from..=to).map(|i| at(i).0).collect(), at(from).1);
        match (starts.first(), starts.last()) {
            (Some(&first), Some(&last)) => {
                let pairs = starts.windows(2).map(|pair| part(pair[0], pair[1]));
                pairs.chain([part(last, first + count)]).collect()
            }
            _ if count == 0 => Vec::new(),
            _ => vec![part(0, count)],
        }
    }
}

/// The line with as few of its points as keep all others within `tolerance` (Ramer, Douglas, Peucker).
pub(crate) fn simplified(line: &[Point], tolerance: f64) -> Vec<Point> {
    let mut kept = vec![false; line.len()];
    let Some(end) = line.len().checked_sub(1) else { return Vec::new() };
    (kept[0], kept[end]) = (true, true);
    let mut open = vec![(0, end)];
    while let Some((from, to)) = open.pop() {
        let apart = |i: usize| distance(line[i], line[from], line[to]);
        let farthest = (from + 1..to).max_by(|&i, &j| apart(i).total_cmp(&apart(j)));
        if let Some(middle) = farthest.filter(|&middle| apart(middle) > tolerance) {
            kept[middle] = true;
            open.extend([(from, middle), (middle, to)]);
        }
    }
    line.iter().zip(kept).filter(|(_, kept)| *kept).map(|(&point, _)| point).collect()
}

/// From a point to a straight piece.
fn distance(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let square = dx * dx + dy * dy;
    let share = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    (px - share * dx).hypot(py - share * dy)
}
