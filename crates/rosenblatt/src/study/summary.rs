//! A distribution summarized by six numbers.

/// The minimum, the quartiles, the maximum and the mean of some numbers.
///
/// The quantile p of n numbers in ascending order x₀ … xₙ₋₁ is at the place h = (n − 1)p, interpolated linearly between
/// two numbers: x₍⌊h⌋₎ + (h − ⌊h⌋)(x₍⌊h⌋₊₁₎ − x₍⌊h⌋₎) (Hyndman & Fan 1996, definition 7, the default of R and NumPy).
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// The minimum.
    pub min: f64,
    /// The first quartile.
    pub q1: f64,
    /// The median.
    pub median: f64,
    /// The third quartile.
    pub q3: f64,
    /// The maximum.
    pub max: f64,
    /// The mean.
    pub mean: f64,
}

impl Summary {
    /// Summarizes these numbers; `None` without numbers, or if one is not finite.
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        if !numbers.iter().all(|number| number.is_finite()) {
            return None;
        }
        numbers.sort_by(f64::total_cmp);
        let (&min, &max) = (numbers.first()?, numbers.last()?);
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let at = |p| quantile(&numbers, p);
        Some(Summary { min, q1: at(0.25), median: at(0.5), q3: at(0.75), max, mean })
    }
}

/// The quantile `p` of some ascending numbers.
fn quantile(ascending: &[f64], p: f64) -> f64 {
    let place = (ascending.len() - 1) as f64 * p;
    let below = place.floor() as usize;
    let low = ascending[below];
    let high = ascending.get(below + 1).copied().unwrap_or(low);
    low + (place - place.floor()) * (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 1, 2, 4, 8, the first quartile is at the place 3/4: 1 + 3/4 · (2 − 1).
    #[test]
    fn quartiles_by_hand() {
        let summary = Summary::of(vec![8.0, 1.0, 4.0, 2.0]).unwrap();
        let Summary { min, q1, median, q3, max, mean } = summary;
        assert_eq!((min, q1, median, q3, max, mean), (1.0, 1.75, 3.0, 5.0, 8.0, 3.75));
        let five = Summary::of(vec![5.0, 4.0, 3.0, 2.0, 1.0]).unwrap();
        assert_eq!((five.q1, five.median, five.q3), (2.0, 3.0, 4.0));
    }

    #[test]
    fn one_number_has_a_summary_and_none_does_not() {
        let one = Summary::of(vec![7.0]).unwrap();
        assert_eq!(
            (one.min, one.q1, one.median, one.q3, one.max, one.mean),
            (7., 7., 7., 7., 7., 7.)
        );
        assert_eq!(Summary::of(vec![]), None);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Summary::of(vec![1.0, bad]), None);
        }
    }
}
