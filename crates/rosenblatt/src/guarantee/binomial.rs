//! The lower tail of the binomial distribution, with the same bits on every machine.
//!
//! A probability is computed by the saddle-point form of C. Loader ("Fast and accurate computation of binomial
//! probabilities", 2000), which cancels no large numbers; the terms below it follow by their quotients. All logarithms
//! and exponentials are those of `libm`, in portable code.

use std::f64::consts::PI;

/// P(X ≤ `most`) for X the number of successes among `trials` of probability `p`, 0 < p < 1. The relative error is
/// below 10⁻⁹ for up to 10¹² trials. A probability below 10⁻³⁰⁰ can be 0.
pub(super) fn lower_tail(most: u64, trials: u64, p: f64) -> f64 {
    if most >= trials {
        return 1.0;
    }
    let (n, q) = (trials as f64, 1.0 - p);
    // Above the mean the terms first grow downwards, so the sum begins at the largest.
    let mode = ((n + 1.0) * p).floor().min(n) as u64;
    let first = most.min(mode);
    let top = probability(first, trials, p);
    let down = |k: u64| k as f64 / (n - k as f64 + 1.0) * (q / p);
    let up = |k: u64| (n - k as f64 + 1.0) / k as f64 * (p / q);
    let sum =
        top + terms(top, (1..=first).rev().map(down)) + terms(top, (first + 1..=most).map(up));
    sum.min(1.0)
}

/// The sum of decreasing terms, each the one before times a quotient.
fn terms(first: f64, quotients: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut term) = (0.0, first);
    for quotient in quotients {
        term *= quotient;
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
    }
    sum
}

/// P(X = `k`).
fn probability(k: u64, trials: u64, p: f64) -> f64 {
    let (x, n, q) = (k as f64, trials as f64, 1.0 - p);
    if k == 0 {
        return libm::exp(n * libm::log1p(-p));
    }
    if k == trials {
        return libm::exp(n * libm::log(p));
    }
    let exponent = stirling_error(trials)
        - stirling_error(k)
        - stirling_error(trials - k)
        - deviance(x, n * p)
        - deviance(n - x, n * q);
    libm::exp(exponent) * (n / (2.0 * PI * x * (n - x))).sqrt()
}

/// ln k! − ln(√(2πk)(k/e)ᵏ) for k > 0.
fn stirling_error(k: u64) -> f64 {
    let x = k as f64;
    if k <= 15 {
        // 15! is below 2⁵³.
        let factorial: f64 = (1..=k).map(|i| i as f64).product();
        return libm::log(factorial) - (x + 0.5) * libm::log(x) + x - 0.5 * libm::log(2.0 * PI);
    }
    let square = x * x;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) / x
}

/// x ln(x/m) + m − x for x, m > 0, without cancellation where they are near.
fn deviance(x: f64, m: f64) -> f64 {
    let distance = x - m;
    if distance.abs() >= 0.1 * (x + m) {
        return x * libm::log(x / m) + m - x;
    }
    // With v = (x − m)/(x + m): ln(x/m) = 2(v + v³/3 + v⁵/5 + …).
    let v = distance / (x + m);
    let mut sum = distance * v;
    let mut power = 2.0 * x * v;
    for odd in (3..).step_by(2) {
        power *= v * v;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}
