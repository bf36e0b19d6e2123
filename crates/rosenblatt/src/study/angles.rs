//! Angles between the hyperplanes of different runs.
//!
//! The angle of two hyperplanes is that of their normals: (w, b) in the augmented space (x, 1) with the bias `unit`,
//! (w, b/S) in that of (x, S) with `unit:S`, otherwise w.

use rosenblatt_core::{space::Hyperplane, train::Bias};
use rosenblatt_exact as exact;

use super::{StudyError, Summary, Watcher};

/// The maximum number of runs whose pairwise angles are computed. Each run has an independent random order, so the
/// first runs are a representative sample.
pub const MOST_COMPARED: usize = 200;

/// The angles between the hyperplanes of the runs, in degrees. `None` for fewer than two hyperplanes with nonzero
/// weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Angles {
    /// Angles between the last weights.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last: Option<Summary>,
    /// Angles between the average weights.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub average: Option<Summary>,
}

impl Angles {
    /// The angles between the directions of the last weights, and of the average weights.
    pub(super) fn between(
        last: &[&[f64]],
        average: &[&[f64]],
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        Ok(Angles { last: of_pairs(last, watcher)?, average: of_pairs(average, watcher)? })
    }
}

/// The angles of all pairs of unit vectors.
fn of_pairs(units: &[&[f64]], watcher: &impl Watcher) -> Result<Option<Summary>, StudyError> {
    let mut angles = Vec::with_capacity(units.len() * units.len().saturating_sub(1) / 2);
    for (i, first) in units.iter().enumerate() {
        if watcher.poll().is_break() {
            return Err(StudyError::Stopped);
        }
        angles.extend(units[..i].iter().map(|second| between_units(first, second)));
    }
    Ok(Summary::of(angles))
}

/// Returns the angle between two hyperplanes, in degrees from 0 to 180. `None` if a hyperplane has no direction or a
/// number that is not finite, or their features differ. The error is about 10⁻¹⁴ degrees, however small the angle.
pub fn angle(first: &Hyperplane, second: &Hyperplane, bias: Bias) -> Option<f64> {
    let (first, second) = (direction(first, bias)?, direction(second, bias)?);
    (first.len() == second.len()).then(|| between_units(&first, &second))
}

/// `2·atan(‖u − v‖ / ‖u + v‖)`, which loses no digits if u and v are nearly equal (Kahan).
fn between_units(u: &[f64], v: &[f64]) -> f64 {
    let pairs = u.iter().zip(v);
    let (apart, along) = pairs.fold((0.0, 0.0), |(apart, along), (&u, &v)| {
        (apart + (u - v) * (u - v), along + (u + v) * (u + v))
    });
    (2.0 * libm::atan2(f64::sqrt(apart), f64::sqrt(along))).to_degrees()
}

/// The unit normal of a hyperplane; `None` if it is 0 or not finite.
pub(super) fn direction(hyperplane: &Hyperplane, bias: Bias) -> Option<Vec<f64>> {
    let last = bias.feature().map(|size| hyperplane.bias / size);
    let mut normal: Vec<f64> = hyperplane.weights.iter().copied().chain(last).collect();
    // Divided by the largest number first, so that the norm is in range.
    let largest = normal.iter().fold(0.0f64, |largest, a| largest.max(a.abs()));
    if largest == 0.0 || !normal.iter().all(|a| a.is_finite()) {
        return None;
    }
    normal.iter_mut().for_each(|a| *a /= largest);
    let length = exact::norm(normal.iter().copied());
    normal.iter_mut().for_each(|a| *a /= length);
    Some(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(weights: [f64; 2], bias: f64) -> Hyperplane {
        Hyperplane { weights: weights.to_vec(), bias }
    }

    #[test]
    fn angles_by_hand() {
        let (x, y) = (plane([3.0, 0.0], 0.0), plane([0.0, 0.5], 0.0));
        let near = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-13, "{a:?} {b}");
        near(angle(&x, &y, Bias::Unit), 90.0);
        near(angle(&x, &plane([1.0, 1.0], 0.0), Bias::None), 45.0);
        near(angle(&x, &plane([-1e-300, 0.0], 0.0), Bias::None), 180.0);
        // 1e-9 radians are 5.73e-8 degrees; a cosine would give 0.
        near(angle(&x, &plane([3e9, 3.0], 0.0), Bias::None), 1e-9f64.to_degrees());
        near(angle(&plane([1.0, 0.0], 0.0), &plane([1.0, 0.0], 1.0), Bias::Unit), 45.0);
        assert_eq!(
            angle(&plane([1.0, 0.0], 0.0), &plane([1.0, 0.0], 1.0), Bias::Radius),
            Some(0.0)
        );
    }

    #[test]
    fn equal_hyperplanes_have_the_angle_0() {
        let a = plane([0.1, -0.7], 1e300);
        assert_eq!(angle(&a, &a.clone(), Bias::Unit), Some(0.0));
        assert_eq!(angle(&a, &plane([0.0, 0.0], 0.0), Bias::Unit), None);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(angle(&a, &plane([1.0, bad], 0.0), Bias::None), None);
            assert_eq!(angle(&plane([1.0, 0.0], bad), &a, Bias::Unit), None);
        }
        let wider = Hyperplane { weights: vec![0.1, -0.7, 0.0], bias: 0.0 };
        assert_eq!(angle(&a, &wider, Bias::None), None);
    }
}
