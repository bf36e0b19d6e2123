//! A mesh of triangles over the view. Each vertex has a class; a boundary crosses each edge whose two ends have
//! different classes.
//!
//! One more ring of vertices, on the edge of the view, belongs to no class, so that the boundary of every region is
//! closed. Coordinates are those of the unit square, with (0, 0) at the lower left of the view.

use std::collections::BTreeMap;

use crate::canvas::Point;

/// The class of the ring around the view.
pub(crate) const OUTSIDE: usize = usize::MAX;

/// Two neighbors, the lower number first.
pub(crate) type Edge = (usize, usize);

/// The vertices, counted row by row from the lower left, with those of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mesh {
    /// Cells from left to right.
    pub(crate) across: usize,
    /// Cells from bottom to top.
    pub(crate) up: usize,
}

/// A class for each vertex and, for each edge between two classes, the place where it crosses.
pub(crate) struct Labelled {
    /// The vertices.
    pub(crate) mesh: Mesh,
    /// The class of each vertex.
    pub(crate) labels: Vec<usize>,
    /// The places where boundaries cross edges of the view.
    crossings: BTreeMap<Edge, Point>,
}

impl Mesh {
    fn columns(self) -> usize {
        self.across + 3
    }

    /// The number of vertices.
    pub(crate) fn len(self) -> usize {
        self.columns() * (self.up + 3)
    }

    /// The place of a vertex.
    pub(crate) fn place(self, vertex: usize) -> Point {
        let (column, row) = (vertex % self.columns(), vertex / self.columns());
        let share = |i: usize, cells: usize| i.saturating_sub(1).min(cells) as f64 / cells as f64;
        (share(column, self.across), share(row, self.up))
    }

    /// The vertex of the view nearest to a place.
    pub(crate) fn nearest(self, (u, v): Point) -> usize {
        let near =
            |share: f64, cells: usize| (share.clamp(0.0, 1.0) * cells as f64).round() as usize;
        (near(v, self.up) + 1) * self.columns() + near(u, self.across) + 1
    }

    /// Whether a vertex belongs to the ring.
    pub(crate) fn is_outside(self, vertex: usize) -> bool {
        let (column, row) = (vertex % self.columns(), vertex / self.columns());
        column == 0 || row == 0 || column > self.across + 1 || row > self.up + 1
    }

    /// The places of the vertices that are not of the ring, in order.
    pub(crate) fn places(self) -> Vec<Point> {
        let inside = (0..self.len()).filter(|&vertex| !self.is_outside(vertex));
        inside.map(|vertex| self.place(vertex)).collect()
    }

    /// Values for all vertices from those of the places; `outside` for the ring.
    pub(crate) fn with_ring<T: Copy>(self, values: &[T], outside: T) -> Vec<T> {
        let mut values = values.iter().copied();
        let mut value = |vertex: usize| {
            if self.is_outside(vertex) { outside } else { values.next().unwrap_or(outside) }
        };
        (0..self.len()).map(&mut value).collect()
    }

    /// All triangles, the corners of each against the clock: two for each square of vertices.
    pub(crate) fn triangles(self) -> impl Iterator<Item = [usize; 3]> {
        let columns = self.columns();
        let square = move |row: usize, column: usize| {
            let corner = row * columns + column;
            let opposite = corner + columns + 1;
            [[corner, corner + 1, opposite], [corner, opposite, opposite - 1]]
        };
        (0..self.up + 2)
            .flat_map(move |row| (0..self.across + 2).flat_map(move |column| square(row, column)))
    }

    /// All edges of the view between two labels, each once.
    pub(crate) fn edges_between(self, labels: &[usize]) -> Vec<Edge> {
        let columns = self.columns();
        let neighbors = |vertex: usize| [1, columns, columns + 1].map(|step| vertex + step);
        let differ = |&(from, to): &Edge| to < labels.len() && labels[from] != labels[to];
        // A step over the end of a row is not an edge.
        let near = |&(from, to): &Edge| to % columns >= from % columns;
        let of_view = |&(from, to): &Edge| !self.is_outside(from) && !self.is_outside(to);
        let all = (0..self.len()).flat_map(|from| neighbors(from).map(|to| (from, to)));
        all.filter(near).filter(differ).filter(of_view).collect()
    }
}

impl Labelled {
    /// Classes and the crossings of the edges between them, as [`Mesh::edges_between`] finds those.
    pub(crate) fn new(
        mesh: Mesh,
        labels: Vec<usize>,
        crossings: impl IntoIterator<Item = (Edge, Point)>,
    ) -> Self {
        Labelled { mesh, labels, crossings: crossings.into_iter().collect() }
    }

    /// The place where the boundary crosses the edge between two vertices, in either order. On an edge to the ring this
    /// is the vertex of the view.
    pub(crate) fn crossing(&self, from: usize, to: usize) -> Point {
        let edge = (from.min(to), from.max(to));
        let inside = if self.mesh.is_outside(from) { to } else { from };
        self.crossings.get(&edge).copied().unwrap_or_else(|| self.mesh.place(inside))
    }
}

/// The place at this share of the way.
pub(crate) fn along(from: Point, to: Point, share: f64) -> Point {
    (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
}
