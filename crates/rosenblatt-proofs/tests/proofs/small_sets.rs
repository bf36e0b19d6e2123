//! Any small set is decided, whatever its numbers, and every bound is correct.
//!
//! Hard sets are drawn from a fixed seed: neighboring floats, subnormal numbers, rows that are one unit in the last
//! place off a plane, mixed exponents of ±150, nearby counts far from 0, and small integers. Each is decided with every
//! bias. The answer is compared with a simplex method over integers, and every bound with the exact margin, whose own
//! proof is checked here too. `ROSENBLATT_SEARCH=900` draws 900 sets instead of 60.

use crate::common::rational;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    margin::novikoff_bound,
    train::Bias,
};
use rosenblatt_proofs::{
    Certificate, CertificateError, Interval, Numbers, SeparabilityOptions, Verdict, separable,
    verify,
};

/// A stream of numbers: SplitMix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `from..=to`.
    fn integer(&mut self, from: i64, to: i64) -> i64 {
        from + (self.next() % (to - from + 1) as u64) as i64
    }

    /// A number in [1, 2) with all its bits.
    fn mantissa(&mut self) -> f64 {
        1.0 + (self.next() >> 12) as f64 / 2f64.powi(52)
    }

    fn sign(&mut self) -> f64 {
        if self.next() & 1 == 0 { 1.0 } else { -1.0 }
    }
}

struct Set {
    kind: &'static str,
    rows: Vec<Vec<f64>>,
    signs: Vec<Sign>,
}

/// The float that follows `a` by `floats` places.
fn moved(a: f64, floats: i64) -> f64 {
    (0..floats.abs()).fold(a, |a, _| if floats > 0 { a.next_up() } else { a.next_down() })
}

fn sign(positive: bool) -> Sign {
    if positive { Sign::Plus } else { Sign::Minus }
}

fn set(number: usize) -> Set {
    let mut draw = Draw(number as u64 * 1_000_003 + 14);
    let (n, d) = (draw.integer(2, 50) as usize, draw.integer(1, 8) as usize);
    // Half the sets are labelled by a plane in small integers, the others at random.
    let normal: Vec<i64> = (0..d).map(|_| draw.integer(-3, 3)).collect();
    let (planted, threshold) = (draw.next() & 1 == 0, draw.integer(-2, 2));
    let center: Vec<f64> = (0..d)
        .map(|_| draw.sign() * draw.mantissa() * 10f64.powi(draw.integer(-3, 17) as i32))
        .collect();
    let kinds = ["neighbours", "subnormal", "off a plane", "mixed", "counts", "integers"];
    let kind = kinds[number % kinds.len()];
    let (mut rows, mut signs) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let steps: Vec<i64> = (0..d).map(|_| draw.integer(-5, 5)).collect();
        let side: i64 = steps.iter().zip(&normal).map(|(a, b)| a * b).sum();
        let mut plus = if planted { side > threshold } else { draw.next() & 1 == 0 };
        let row: Vec<f64> = match kind {
            "neighbours" => center.iter().zip(&steps).map(|(&a, &k)| moved(a, k)).collect(),
            "subnormal" => steps.iter().map(|&k| k as f64 * f64::from_bits(1)).collect(),
            "counts" => steps.iter().map(|&k| 1.7e15 + k as f64).collect(),
            "integers" => steps.iter().map(|&k| k as f64).collect(),
            "mixed" => {
                let powers = [1e-150, 1.0, 1e150, 0.0];
                let row: Vec<f64> = steps
                    .iter()
                    .map(|_| draw.sign() * draw.mantissa() * powers[draw.next() as usize % 4])
                    .collect();
                if planted {
                    plus = row[0] * normal[0] as f64 + row[d - 1] > 0.0;
                }
                row
            }
            _ => {
                // The last number puts the row on the plane, and then moves by one float.
                let mut row: Vec<f64> =
                    steps.iter().map(|_| draw.sign() * draw.mantissa()).collect();
                let sum: f64 =
                    row.iter().zip(&normal).take(d - 1).map(|(x, &a)| x * a as f64).sum();
                let off = draw.integer(-1, 1);
                row[d - 1] = moved(sum / 3.0, off);
                plus = if planted { off > 0 } else { plus };
                row
            }
        };
        rows.push(row);
        signs.push(sign(plus));
    }
    Set { kind, rows, signs }
}

/// zᵢ = yᵢ(xᵢ, 1) or yᵢxᵢ as integers in one unit 2^exponent.
struct Vectors {
    all: Vec<Vec<BigInt>>,
    exponent: i32,
}

/// A float in units of 2⁻¹⁰⁷⁴.
fn in_smallest_units(a: f64) -> BigInt {
    (rational::exact(a) * rational::power_of_two(1074)).to_integer()
}

fn vectors(set: &Set, constant: bool) -> Vectors {
    let vector = |(row, sign): (&Vec<f64>, &Sign)| -> Vec<BigInt> {
        let last = constant.then_some(1.0);
        row.iter().chain(&last).map(|&x| in_smallest_units(sign.as_f64() * x)).collect()
    };
    let mut all: Vec<Vec<BigInt>> = set.rows.iter().zip(&set.signs).map(vector).collect();
    let zeros = all.iter().flatten().filter_map(BigInt::trailing_zeros).min().unwrap_or(0);
    all.iter_mut().flatten().for_each(|a| *a >>= zeros);
    Vectors { all, exponent: zeros as i32 - 1074 }
}

/// Whether some λ ≥ 0 has Σλ = 1 and Σλz = 0: the first phase of the simplex method with Bland's rule, in
/// integers over one common denominator (Edmonds).
fn zero_is_in_the_hull(vectors: &[Vec<BigInt>]) -> bool {
    let (n, m) = (vectors.len(), vectors[0].len() + 1);
    let entry = |r: usize, j: usize| match (r + 1 == m, j == n) {
        (false, false) => vectors[j][r].clone(),
        (false, true) => BigInt::zero(),
        (true, _) => BigInt::one(),
    };
    let mut rows: Vec<Vec<BigInt>> =
        (0..m).map(|r| (0..=n).map(|j| entry(r, j)).collect()).collect();
    // The costs of the sum of the artificial variables, which are the basis.
    rows.push((0..=n).map(|j| -rows.iter().map(|row| &row[j]).sum::<BigInt>()).collect());
    let mut basis: Vec<usize> = (n..n + m).collect();
    let mut denominator = BigInt::one();
    while let Some(enter) = (0..n).find(|&j| rows[m][j].is_negative()) {
        let leave = (0..m)
            .filter(|&r| rows[r][enter].is_positive())
            .min_by(|&a, &b| {
                let left = &rows[a][n] * &rows[b][enter];
                left.cmp(&(&rows[b][n] * &rows[a][enter])).then(basis[a].cmp(&basis[b]))
            })
            .unwrap();
        let row = rows[leave].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|&(r, _)| r != leave) {
            let factor = other[enter].clone();
            for (a, b) in other.iter_mut().zip(&row) {
                *a = (&*a * &row[enter] - &factor * b) / &denominator;
            }
        }
        denominator = row[enter].clone();
        basis[leave] = enter;
    }
    rows[m][n].is_zero()
}

fn product(a: &[BigInt], b: &[BigInt]) -> BigInt {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Proportional to the solution of Mu = (1, …, 1) for a positive definite M, by Bareiss' elimination.
fn solve_ones(mut rows: Vec<Vec<BigInt>>) -> Vec<BigInt> {
    let k = rows.len();
    rows.iter_mut().for_each(|row| row.push(BigInt::one()));
    let mut before = BigInt::one();
    for i in 0..k {
        let pivot = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(r, _)| r != i) {
            let factor = row[i].clone();
            for (a, b) in row.iter_mut().zip(&pivot) {
                *a = (&*a * &pivot[i] - &factor * b) / &before;
            }
        }
        before = pivot[i].clone();
    }
    rows.into_iter().map(|mut row| row.pop().unwrap()).collect()
}

/// The squared norm of the shortest vector of the hull of the vectors, or of all sums of one vector per group, in
/// squares of the unit. It is proven: the vector is a combination with multipliers ≥ 0, and no vector of the hull has a
/// smaller product with it than itself.
pub(crate) fn shortest_squared(groups: &[Vec<Vec<BigInt>>]) -> BigRational {
    let lowest = |p: &[BigInt]| -> Vec<BigInt> {
        let of =
            |group: &Vec<Vec<BigInt>>| group.iter().min_by_key(|z| product(z, p)).unwrap().clone();
        let mut parts = groups.iter().map(of);
        let first = parts.next().unwrap();
        parts.fold(first, |sum, z| sum.iter().zip(&z).map(|(a, b)| a + b).collect())
    };
    let zero = vec![BigInt::zero(); groups[0][0].len()];
    let mut corral = vec![lowest(&zero)];
    let mut multipliers = vec![BigInt::one()];
    loop {
        let mut p = zero.clone();
        for (z, multiplier) in corral.iter().zip(&multipliers) {
            assert!(!multiplier.is_negative());
            p.iter_mut().zip(z).for_each(|(p, z)| *p += multiplier * z);
        }
        let total: BigInt = multipliers.iter().sum();
        let (square, next) = (product(&p, &p), lowest(&p));
        if product(&next, &p) * &total >= square {
            return BigRational::new(square, &total * &total);
        }
        corral.push(next);
        multipliers.push(BigInt::zero());
        loop {
            let matrix = corral.iter().map(|a| corral.iter().map(|b| product(a, b) + 1).collect());
            let target = solve_ones(matrix.collect());
            let ratio = |i: usize| BigRational::new(multipliers[i].clone(), -&target[i]);
            let leaves = (0..target.len()).filter(|&i| target[i].is_negative());
            let Some(i) = leaves.min_by_key(|&i| ratio(i)) else {
                multipliers = target;
                break;
            };
            let pairs = multipliers.iter().zip(&target);
            let moved = pairs.map(|(a, u)| &multipliers[i] * u - &target[i] * a);
            multipliers = moved.collect();
            let stays: Vec<bool> = multipliers.iter().map(|a| !a.is_zero()).collect();
            let mut stay = stays.iter();
            corral.retain(|_| *stay.next().unwrap());
            let mut stay = stays.iter();
            multipliers.retain(|_| *stay.next().unwrap());
        }
        let mut used = multipliers.iter();
        corral.retain(|_| !used.next().unwrap().is_zero());
        multipliers.retain(|a| !a.is_zero());
    }
}

/// The squares of the margins: of the vectors in question, and of a free bias.
struct Margins {
    own: BigRational,
    free: Option<BigRational>,
}

fn margins(set: &Set, with_bias: bool) -> Margins {
    let square =
        |exponent: i32| rational::power_of_two(exponent) * rational::power_of_two(exponent);
    let vectors_of = vectors(set, with_bias);
    let own = shortest_squared(&[vectors_of.all]) * square(vectors_of.exponent);
    let plain = vectors(set, false);
    let of = |class: Sign| -> Vec<Vec<BigInt>> {
        let all = plain.all.iter().zip(&set.signs);
        all.filter(|&(_, &sign)| sign == class).map(|(z, _)| z.clone()).collect()
    };
    let both = [of(Sign::Plus), of(Sign::Minus)];
    let has_free = with_bias && both.iter().all(|class| !class.is_empty());
    // Half of the distance.
    let free = has_free.then(|| shortest_squared(&both) * square(plain.exponent - 1));
    Margins { own, free }
}

fn squared(a: f64) -> BigRational {
    rational::exact(a) * rational::exact(a)
}

/// Whether an interval holds the root of `square`.
fn holds(interval: Interval, square: &BigRational) -> bool {
    interval.lower.is_none_or(|lower| lower >= 0.0 && squared(lower) <= *square)
        && interval.upper.is_none_or(|upper| *square <= squared(upper))
}

/// Compares the statements of a verdict for every bias with the exact margins. Returns the number of bounds.
fn check_statements(verdict: &Verdict, set: &Set, with_bias: bool, context: &str) -> usize {
    let margins = margins(set, with_bias);
    let longest = set.rows.iter().map(|row| rational::sum_of_squares(row)).max().unwrap();
    let biases: &[Bias] = if with_bias { &[Bias::Unit, Bias::Radius] } else { &[Bias::None] };
    let mut bounds = 0;
    for &bias in biases {
        let statement = verdict.statement(bias, Numbers::Binary64);
        let square = if bias == Bias::Radius { margins.free.as_ref() } else { Some(&margins.own) };
        let says = |interval: &Interval| interval.lower.is_some() || interval.upper.is_some();
        if let Some(interval) = statement.margin.filter(says) {
            let square = square.expect("a margin of a class against nothing");
            assert!(holds(interval, square), "{context}: {bias:?} {interval:?}");
            bounds += 1;
        }
        if let Some(bound) = statement.bound {
            let squares = match bias {
                Bias::None => longest.clone(),
                Bias::Unit => &longest + BigRational::one(),
                Bias::Feature(_) => unreachable!("the search knows no such bound"),
                Bias::Radius => &longest * BigRational::from(BigInt::from(4)),
            };
            assert!(
                rational::exact(bound) * square.unwrap() >= squares,
                "{context}: {bias:?} {bound}"
            );
            bounds += 1;
        }
        if let Some(free) = statement.free_bias {
            assert!(holds(free.margin, margins.free.as_ref().unwrap()), "{context}: {free:?}");
            bounds += 1;
        }
    }
    bounds
}

#[test]
fn hard_small_sets() {
    let asked: usize = std::env::var("ROSENBLATT_SEARCH").map_or(60, |n| n.parse().unwrap());
    let (mut yes, mut no, mut integers, mut bounds) = (0, 0, 0, 0);
    for number in 0..asked {
        let set = set(number);
        let rows = Rows::dense(set.rows.concat(), set.rows[0].len()).unwrap();
        let examples = Examples::new(&rows, &set.signs).unwrap();
        for with_bias in [true, false] {
            let context = format!("set {number} ({}), bias {with_bias}", set.kind);
            let options = SeparabilityOptions { with_bias, ..SeparabilityOptions::default() };
            let verdict = separable(&examples, &options, &mut || false);
            let certificate =
                verdict.certificate().unwrap_or_else(|| panic!("{context}: {verdict:?}"));
            assert_eq!(verify(certificate, &examples), Ok(()), "{context}");
            let inseparable = zero_is_in_the_hull(&vectors(&set, with_bias).all);
            assert_eq!(certificate.claim(), if inseparable { "no" } else { "yes" }, "{context}");
            integers += usize::from(matches!(certificate, Certificate::YesInIntegers { .. }));
            if inseparable {
                no += 1;
                continue;
            }
            yes += 1;
            bounds += check_statements(&verdict, &set, with_bias, &context);
            // The bounds of an unfinished search are correct as well.
            for work in [0, 1 << 10, 1 << 14] {
                let verdict =
                    separable(&examples, &SeparabilityOptions { work, ..options }, &mut || false);
                bounds += check_statements(&verdict, &set, with_bias, &context);
            }
        }
    }
    println!("{asked} sets: {yes} yes ({integers} in integers), {no} no, {bounds} bounds");
    assert!(yes > asked / 4 && no > asked / 4 && bounds > yes);
}

/// (9, 2) and (−9, −2) in the smallest floats: R = √85 of them is stored as 9, whose square is too small by 4.
#[test]
fn a_radius_of_few_bits_gives_no_bound() {
    let tiny = f64::from_bits(1);
    let rows = Rows::dense([9.0, 2.0, -9.0, -2.0].map(|a| a * tiny).to_vec(), 2).unwrap();
    let examples = Examples::new(&rows, &[Sign::Plus, Sign::Minus]).unwrap();
    let verdict = separable(&examples, &SeparabilityOptions::default(), &mut || false);
    assert_eq!(verdict.statement(Bias::Radius, Numbers::Binary64).bound, None);
    assert_eq!(novikoff_bound(Bias::None, 9.0 * tiny, 9.0 * tiny), Some(f64::INFINITY));
}

/// Ten numbers one apart, far from 0: the margin with a free bias is 1/2.
#[test]
fn ten_counts() {
    let rows = Rows::dense((0..10).map(|k| 1.7e15 + f64::from(k)).collect::<Vec<_>>(), 1).unwrap();
    let signs: Vec<Sign> = (0..10).map(|k| sign(k >= 5)).collect();
    let examples = Examples::new(&rows, &signs).unwrap();
    let verdict = separable(&examples, &SeparabilityOptions::default(), &mut || false);
    let Verdict::Yes { margins: Some(margins), .. } = &verdict else { panic!("{verdict:?}") };
    let free = margins.free_bias.unwrap();
    assert!(free.lower <= 0.5 && 0.5 <= free.upper && free.upper - free.lower < 1e-6, "{free:?}");
    assert_eq!(verify(verdict.certificate().unwrap(), &examples), Ok(()));
    let through_origin = SeparabilityOptions { with_bias: false, ..SeparabilityOptions::default() };
    assert!(matches!(separable(&examples, &through_origin, &mut || false), Verdict::No { .. }));
}

/// Rows (−x, −y) and (y, z), both positive, for consecutive Fibonacci numbers x, y, z with y² − xz = 1. Weights (u, −s)
/// separate if z/y < u/s < y/x. Those two fractions are neighbors in the Stern–Brocot tree, so in lowest terms u = pz +
/// qy and s = py + qx with integers p, q ≥ 1. A float is a mantissa below 2⁵³ times a power of two, and u or s is odd,
/// hence below 2⁵³ itself. But u ≥ y + z is not, and s is only for p = q = 1, where it is z, an even number. So no
/// floats separate, and (y + z, −z) is the smallest separator.
#[test]
fn a_set_that_no_floats_separate() {
    let mut fibonacci = vec![1u64, 1];
    while let [.., y, z] = fibonacci[..]
        && y + z < 1 << 53
    {
        fibonacci.push(y + z);
    }
    let [.., x, y, z] = fibonacci[..] else { panic!() };
    assert_eq!(u128::from(y) * u128::from(y) - u128::from(x) * u128::from(z), 1);
    assert!(x + z > 1 << 53 && (y + z) % 2 == 1 && z % 2 == 0);
    let [a, b, c] = [x, y, z].map(|number| number as f64);
    let rows = Rows::dense(vec![-a, -b, b, c], 2).unwrap();
    let examples = Examples::new(&rows, &[Sign::Plus; 2]).unwrap();
    let options = SeparabilityOptions { with_bias: false, ..SeparabilityOptions::default() };
    let verdict = separable(&examples, &options, &mut || false);
    let certificate = verdict.certificate().unwrap();
    let Certificate::YesInIntegers { weights, .. } = certificate else { panic!("{verdict:?}") };
    assert_eq!(verify(certificate, &examples), Ok(()));
    let json = serde_json::to_string(certificate).unwrap();
    assert_eq!(serde_json::from_str::<Certificate>(&json).unwrap(), *certificate);
    assert!(json.contains(&format!(r#""weights":["{}","{}"]"#, weights[0], weights[1])), "{json}");
    let check = |first: String, second: &str, bias: &str| {
        let weights = vec![first, second.to_owned()];
        let bias = bias.to_owned();
        verify(&Certificate::YesInIntegers { with_bias: false, weights, bias }, &examples)
    };
    use CertificateError as Error;
    assert_eq!(check((y + z).to_string(), &format!("-{z}"), "0"), Ok(()));
    assert_eq!(check(format!("-{}", y + z), &z.to_string(), "0"), Err(Error::WrongSide { row: 1 }));
    assert_eq!(
        check((y + z + 1).to_string(), &format!("-{z}"), "-0"),
        Err(Error::WrongSide { row: 1 })
    );
    assert_eq!(check("1".into(), "+1", "0"), Err(Error::Integer { place: Some(2) }));
    assert_eq!(check("1".into(), "1", "x"), Err(Error::Integer { place: None }));
    assert_eq!(check("1".into(), "1", "2"), Err(Error::Bias { bias: 2.0 }));
    let mixed = r#"{"separable":"yes","with_bias":true,"weights":[1.0,"2"],"bias":0.0}"#;
    assert!(serde_json::from_str::<Certificate>(mixed).is_err());
}
