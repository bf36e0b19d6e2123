//! Inductive Venn–Abers prediction: isotonic fits with a new row added, for all scores at once.
//!
//! Vovk, Petej & Fedorova, "Large-scale probabilistic predictors with and without guarantees of validity" (NeurIPS 2015),
//! algorithms 1 to 4. An isotonic fit is the slope of the greatest convex minorant of the points (rows, positive rows),
//! summed up by rising score. A row that is added as positive moves the points before it by (−1, −1); when it passes a
//! group, one point moves. All comparisons are exact, in integers.

use super::{Curve, groups::Group, steps::Steps};

/// A point of the diagram: the number of rows and of positive rows up to a score.
type Point = (i128, i128);

/// Both step functions for all scores.
///
/// Cost: linear in the number of groups.
pub(super) fn fit(groups: &[Group]) -> Curve {
    let counts: Vec<(u64, u64)> = groups.iter().map(|g| (g.rows, g.positives)).collect();
    let upper = with_positive(&counts);
    // With all signs changed, the order turns round and the added row is positive.
    let turned: Vec<(u64, u64)> =
        groups.iter().rev().map(|g| (g.rows, g.rows - g.positives)).collect();
    let lower =
        with_positive(&turned).into_iter().rev().map(|(rows, positives)| (rows, rows - positives));
    let share = |(rows, positives): (i128, i128)| positives as f64 / rows as f64;
    let starts = || groups.iter().map(|group| group.score);
    let upper: Vec<f64> = upper.into_iter().map(share).collect();
    // A row between two groups has p₀ of the lower and p₁ of the higher one.
    let after = upper.iter().copied().skip(1).chain([1.0]);
    Curve::VennAbers {
        lower: Steps::new(0.0, starts().zip(lower.map(share))),
        upper: Steps::new(upper.first().copied().unwrap_or(1.0), starts().zip(after)),
    }
}

/// For each group, the value that it gets in the isotonic fit of all groups if one positive row is added to it: the
/// rows and the positive rows of its block, or a multiple of both.
fn with_positive(groups: &[(u64, u64)]) -> Vec<(i128, i128)> {
    let mut points: Vec<Point> = vec![(0, 0)];
    for &(rows, positives) in groups {
        let (x, y) = points[points.len() - 1];
        points.push((x + i128::from(rows), y + i128::from(positives)));
    }
    // The corners from the added row on, the next one last.
    let mut corners: Vec<Point> = Vec::new();
    for &point in points.iter().rev().chain([&(-1, -1)]) {
        push(&mut corners, point);
    }
    let mut values = Vec::with_capacity(groups.len());
    for point in &points[1..] {
        let [.., next, start] = corners.as_slice() else { break };
        values.push((next.0 - start.0, next.1 - start.1));
        // The added row passes the group.
        let moved = (point.0 - 1, point.1 - 1);
        if turn(*start, *next, moved) < 0 {
            corners.pop();
            push(&mut corners, moved);
        }
    }
    values
}

/// Adds a point left of all corners, and removes those that are none any more.
fn push(corners: &mut Vec<Point>, point: Point) {
    while let [.., next, nearest] = corners.as_slice()
        && turn(point, *nearest, *next) <= 0
    {
        corners.pop();
    }
    corners.push(point);
}

/// Positive if the way from `a` over `b` to `c` turns left, that is, if `c` is above the line through `a` and `b`.
fn turn(a: Point, b: Point, c: Point) -> i128 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}
