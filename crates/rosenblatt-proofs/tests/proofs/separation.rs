//! Complete separation, quasi-complete separation and overlap are told apart, with a proof.

use crate::common::{
    draw::{self, Table},
    rational,
};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;
use rosenblatt_core::data::{Examples, Sign};
use rosenblatt_proofs::{
    SeparabilityOptions, Separation, SeparationCertificate, SeparationError, SeparationSummary,
    SeparationVerdict, separable, separation, verify_separation,
};

fn ask(examples: &Examples<'_>, with_bias: bool) -> SeparationSummary {
    let options = SeparabilityOptions { with_bias, ..SeparabilityOptions::default() };
    match separation(examples, &options, &mut || false) {
        SeparationVerdict::Known(known) => known,
        SeparationVerdict::Unknown(ended) => panic!("unknown: {ended:?}"),
    }
}

/// zᵢ = yᵢ(xᵢ, 1), or yᵢxᵢ, as rational numbers.
fn vectors(table: &Table, with_bias: bool) -> Vec<Vec<BigRational>> {
    let vector = |(row, sign): (&Vec<f64>, &Sign)| {
        let constant = with_bias.then_some(1.0);
        row.iter().chain(&constant).map(|&x| rational::exact(sign.as_f64() * x)).collect()
    };
    table.rows.iter().zip(&table.signs).map(vector).collect()
}

/// Whether some μ ≥ 0 has Σμz = −target: the first phase of the simplex method with the rule of Bland, on a full
/// tableau of rational numbers.
fn opposite_is_in_the_cone(vectors: &[Vec<BigRational>], target: &[BigRational]) -> bool {
    let (n, m) = (vectors.len(), target.len());
    let line = |r: usize| -> Vec<BigRational> {
        let flip = if target[r].is_positive() { -BigRational::one() } else { BigRational::one() };
        let columns = vectors.iter().map(|z| &z[r] * &flip);
        let artificial = (0..m).map(|k| if k == r { One::one() } else { Zero::zero() });
        columns.chain(artificial).chain([-&target[r] * &flip]).collect()
    };
    let mut tableau: Vec<Vec<BigRational>> = (0..m).map(line).collect();
    let mut basis: Vec<usize> = (n..n + m).collect();
    loop {
        let gain = |j: usize| -> BigRational {
            (0..m).filter(|&r| basis[r] >= n).map(|r| tableau[r][j].clone()).sum()
        };
        let Some(enter) = (0..n).find(|&j| gain(j).is_positive()) else {
            return gain(n + m).is_zero();
        };
        let ratio = |r: usize| &tableau[r][n + m] / &tableau[r][enter];
        let leave = (0..m)
            .filter(|&r| tableau[r][enter].is_positive())
            .min_by(|&a, &b| ratio(a).cmp(&ratio(b)).then(basis[a].cmp(&basis[b])))
            .unwrap();
        let pivot = tableau[leave][enter].clone();
        tableau[leave].iter_mut().for_each(|a| *a /= &pivot);
        let row = tableau[leave].clone();
        for (_, other) in tableau.iter_mut().enumerate().filter(|&(r, _)| r != leave) {
            let factor = other[enter].clone();
            other.iter_mut().zip(&row).for_each(|(a, b)| *a -= &factor * b);
        }
        basis[leave] = enter;
    }
}

/// The examples that lie on every weakly separating hyperplane: those with −z in the cone of all (Farkas).
pub(crate) fn face_of(vectors: &[Vec<BigRational>]) -> Vec<bool> {
    vectors.iter().map(|z| opposite_is_in_the_cone(vectors, z)).collect()
}

fn face(table: &Table, with_bias: bool) -> Vec<bool> {
    face_of(&vectors(table, with_bias))
}

pub(crate) fn name(face: &[bool]) -> Separation {
    match (face.contains(&true), face.contains(&false)) {
        (false, _) => Separation::Complete,
        (true, true) => Separation::QuasiComplete,
        (true, false) => Separation::Overlap,
    }
}

/// The examples on the hyperplane of a certificate.
fn on_hyperplane(certificate: &SeparationCertificate, table: &Table) -> Vec<bool> {
    let parse = |digits: &String| -> BigRational { digits.parse().unwrap() };
    let weights: Vec<BigRational> = certificate.weights.iter().map(parse).collect();
    let score = |row: &Vec<f64>| -> BigRational {
        let products = weights.iter().zip(row).map(|(w, &x)| w * rational::exact(x));
        products.sum::<BigRational>() + parse(&certificate.bias)
    };
    table.rows.iter().map(|row| score(row).is_zero()).collect()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn within(&mut self, least: i64, most: i64) -> f64 {
        (least + self.below((most - least + 1) as u64) as i64) as f64
    }
}

/// Columns of small integers, of tenths, or of one or two factors with all their levels; signs by hidden weights with
/// ties and some errors.
pub(crate) fn random_table(seed: u64, rows: usize) -> Table {
    let mut random = Random(seed);
    let (kind, features) = (seed % 4, 1 + random.below(4) as usize);
    let levels = 2 + random.below(3) as usize;
    let mut row = || -> Vec<f64> {
        let factor = |level: u64, of: usize| (0..of).map(move |l| f64::from(l as u64 == level));
        match kind {
            0 => (0..features).map(|_| random.within(-2, 2)).collect(),
            1 => (0..features).map(|_| random.within(-20, 20) / 10.0).collect(),
            2 => {
                let first: Vec<f64> = factor(random.below(levels as u64), levels).collect();
                first.into_iter().chain(factor(random.below(3), 3)).collect()
            }
            _ => {
                let number = random.within(-3, 3);
                let level = factor(random.below(levels as u64), levels);
                level.chain([number, 2.0 * number, random.within(0, 12) / 10.0]).collect()
            }
        }
    };
    let rows: Vec<Vec<f64>> = (0..rows).map(|_| row()).collect();
    let weights: Vec<f64> = (0..rows[0].len()).map(|_| random.within(-2, 2)).collect();
    let errors = random.below(4);
    let mut sign = |row: &Vec<f64>| {
        let score: f64 = row.iter().zip(&weights).map(|(x, w)| x * w).sum();
        let is_random = score == 0.0 || random.below(8) < errors;
        let is_positive = if is_random { random.below(2) == 0 } else { score > 0.0 };
        if is_positive { Sign::Plus } else { Sign::Minus }
    };
    let signs = rows.iter().map(&mut sign).collect();
    Table { rows, signs }
}

/// 1,200 sets, with and without a bias: the separation, and exactly the examples of the face, are those of linear
/// programs over the rational numbers.
#[test]
fn small_sets_by_rational_programs() {
    let mut seen = [0; 3];
    for seed in 0..1200 {
        let table = random_table(seed, 3 + seed as usize % 11);
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let with_bias = seed % 3 != 0;
        let known = ask(&examples, with_bias);
        let face = face(&table, with_bias);
        assert_eq!(known.certificate.separation, name(&face), "{seed}: {table:?}");
        assert_eq!(on_hyperplane(&known.certificate, &table), face, "{seed}: {table:?}");
        assert_eq!(known.on_hyperplane, face.iter().filter(|&&is_on| is_on).count());
        assert!(known.certificate.rows.len() <= 4 * known.face_rank, "{known:?}");
        verify_separation(&known.certificate, &examples).unwrap();
        seen[known.certificate.separation as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count >= 150), "{seen:?}");
}

/// Sets of many rows, whose proofs need relations between the columns of factors; each relation is needed.
#[test]
fn relations_of_factors() {
    let mut seen = 0;
    for seed in (2..60).step_by(4) {
        let table = random_table(seed, 60);
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let good = ask(&examples, true).certificate;
        assert_eq!(on_hyperplane(&good, &table), face(&table, true), "{seed}");
        if good.relations.is_empty() {
            continue;
        }
        seen += 1;
        let mut changed = good.clone();
        changed.relations.pop();
        let refused = verify_separation(&changed, &examples);
        assert!(matches!(refused, Err(SeparationError::Rank { .. })), "{refused:?}");
        let mut changed = good.clone();
        changed.relations[0].coefficients[0] = "5".into();
        let refused = verify_separation(&changed, &examples);
        assert_eq!(refused, Err(SeparationError::Relation { place: 1 }));
    }
    assert!(seen >= 5, "{seen}");
}

/// The features, counted from 1, that are combinations of the columns before them, the constant first: by elimination
/// over the rational numbers.
fn aliased(table: &Table, with_bias: bool) -> Vec<usize> {
    let exact = |row: &Vec<f64>| row.iter().map(|&x| rational::exact(x)).collect();
    aliased_of(&table.rows.iter().map(exact).collect::<Vec<_>>(), with_bias)
}

pub(crate) fn aliased_of(rows: &[Vec<BigRational>], with_bias: bool) -> Vec<usize> {
    let constant = with_bias.then(|| vec![BigRational::one(); rows.len()]);
    let feature = |j: usize| rows.iter().map(|row| row[j].clone()).collect();
    let features = (0..rows[0].len()).map(feature);
    let (mut basis, mut aliased) = (Vec::<(usize, Vec<BigRational>)>::new(), Vec::new());
    for (k, mut column) in constant.into_iter().chain(features).enumerate() {
        for (pivot, other) in &basis {
            let factor = &column[*pivot] / &other[*pivot];
            column.iter_mut().zip(other).for_each(|(a, b)| *a -= &factor * b);
        }
        match column.iter().position(|a| !a.is_zero()) {
            Some(pivot) => basis.push((pivot, column)),
            None => aliased.push(k + usize::from(!with_bias)),
        }
    }
    aliased
}

/// Wide tables and constants that are no short fractions: whatever the separation, exactly the aliased columns are named,
/// and their weights are 0.
#[test]
fn aliased_columns() {
    let mut seen = [0; 3];
    for seed in 0..400 {
        let mut table = random_table(seed, 2 + seed as usize % 11);
        table.rows.iter_mut().for_each(|row| {
            row.insert(seed as usize % 2, 0.1);
            row.extend([row[0] / 4.0, 0.7, 1.0 + row[0].abs() / 3.0]);
        });
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let with_bias = seed % 3 != 0;
        let known = ask(&examples, with_bias);
        assert_eq!(known.aliased, aliased(&table, with_bias), "{seed}: {table:?}");
        assert!(!known.aliased.is_empty());
        let weight = |&column: &usize| known.certificate.weights[column - 1].as_str();
        assert!(known.aliased.iter().map(weight).all(|weight| weight == "0"), "{seed}");
        assert!(known.diverging.iter().all(|(column, _)| !known.aliased.contains(column)));
        seen[known.certificate.separation as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count >= 25), "{seen:?}");
}

proptest! {
    /// Numbers of every size have an answer with a proof, and *complete* is *yes* of the other question.
    #[test]
    fn any_small_set_has_an_answer(table in draw::any_table(), with_bias: bool) {
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let known = ask(&examples, with_bias);
        prop_assert_eq!(verify_separation(&known.certificate, &examples), Ok(()));
        let options = SeparabilityOptions { with_bias, ..SeparabilityOptions::default() };
        let yes = separable(&examples, &options, &mut || false).is_separable();
        let is_complete = known.certificate.separation == Separation::Complete;
        prop_assert_eq!(yes, Some(is_complete));
    }
}

pub(crate) fn table(rows: &[&[f64]], signs: &str) -> Table {
    let sign = |sign| if sign == '+' { Sign::Plus } else { Sign::Minus };
    let rows = rows.iter().map(|row| row.to_vec()).collect();
    Table { rows, signs: signs.chars().map(sign).collect() }
}

/// Two directions of different faces: x₁ separates the first four rows weakly, and among the others x₂ does. By hand:
/// the last two are equal with opposite signs.
#[test]
fn faces_within_faces() {
    let rows: [&[f64]; 6] =
        [&[1.0, -5.0], &[-1.0, 7.0], &[0.0, 1.0], &[0.0, -1.0], &[0.0, 0.0], &[0.0, 0.0]];
    let table = table(&rows, "+-+-+-");
    let matrix = table.matrix();
    let known = ask(&table.examples(&matrix), true);
    assert_eq!(known.certificate.separation, Separation::QuasiComplete);
    assert_eq!(known.certificate.rows, [5, 6]);
    assert_eq!((known.on_hyperplane, known.rank, known.face_rank), (2, Some(3), 1));
    assert_eq!(known.diverging, [(1, 1), (2, 1)]);
    assert_eq!(known.is_unique(), Some(false));
}

/// A factor of three levels with all its dummy columns: the last is aliased, and the level with one class diverges.
#[test]
fn a_level_of_one_class() {
    let (a, b, c): (&[f64], &[f64], &[f64]) =
        (&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]);
    let table = table(&[a, a, b, b, c, c], "-+++-+");
    let matrix = table.matrix();
    let examples = table.examples(&matrix);
    let known = ask(&examples, true);
    assert_eq!((known.on_hyperplane, known.rank, known.face_rank), (4, Some(3), 2));
    assert_eq!((known.aliased.as_slice(), known.diverging.as_slice()), (&[3][..], &[(2, 1)][..]));
    assert_eq!(known.is_unique(), Some(true));
}

/// Values that are 0, 1 or −1 modulo a prime by which ranks are computed, or by which they might be: the ranks are those of the
/// numbers. No single float but 0 is 0 modulo 2⁵⁶ − 5, since no odd mantissa is as large.
#[test]
fn values_near_primes() {
    let [two_31, two_56, two_61] = [31, 56, 61].map(|e| 2f64.powi(e));
    let primes = [two_31 - 1.0, two_31, two_31 + 1.0, 3_141_592_661.0, 2_718_281_831.0];
    for value in primes.into_iter().chain([two_56, two_61, two_61 * two_61, 1.0 / two_61]) {
        // Forty rows of two values with both labels: rank 2, and more rows than the proof needs.
        let rows = [[0.0], [0.0], [value], [value]].repeat(10);
        let rows: Vec<&[f64]> = rows.iter().map(<[f64; 1]>::as_slice).collect();
        let both = table(&rows, &"+-+-".repeat(10));
        let matrix = both.matrix();
        let known = ask(&both.examples(&matrix), true);
        assert_eq!((known.certificate.separation, known.rank), (Separation::Overlap, Some(2)));
        // The products with x and with v are at least 0, so neither direction is the only one, and no column is aliased.
        let rows: [&[f64]; 4] = [&[0.0, 0.0], &[0.0, 0.0], &[1.0, 1.0], &[value, 1.0]];
        let beside = table(&rows, "-+++");
        let matrix = beside.matrix();
        let known = ask(&beside.examples(&matrix), true);
        assert_eq!((known.rank, known.face_rank, known.on_hyperplane), (Some(3), 1, 2));
        assert!(known.aliased.is_empty() && known.is_unique() == Some(false), "{value}");
    }
}

/// The checker names what is wrong.
#[test]
fn what_is_no_proof() {
    let rows: [&[f64]; 6] = [&[1.0], &[2.0], &[2.0], &[3.0], &[2.0], &[2.0]];
    let table = table(&rows, "--+++-");
    let matrix = table.matrix();
    let examples = table.examples(&matrix);
    let good = ask(&examples, true).certificate;
    let refused = |change: &dyn Fn(&mut SeparationCertificate)| {
        let mut changed = good.clone();
        change(&mut changed);
        verify_separation(&changed, &examples).unwrap_err()
    };
    assert_eq!(refused(&|c| c.version = 2), SeparationError::Version { found: 2 });
    assert_eq!(
        refused(&|c| c.weights.clear()),
        SeparationError::Features { found: 0, expected: 1 }
    );
    assert_eq!(refused(&|c| c.with_bias = false), SeparationError::Bias);
    assert_eq!(refused(&|c| c.bias = "0".into()), SeparationError::WrongSide { row: 1 });
    let shown = "quasi-complete";
    assert_eq!(refused(&|c| c.separation = Separation::Overlap), SeparationError::Claim { shown });
    assert_eq!(refused(&|c| c.rows[0] = 1), SeparationError::Row { row: 1 });
    assert_eq!(refused(&|c| c.rows[0] = c.rows[1]), SeparationError::Row { row: good.rows[1] });
    assert_eq!(
        refused(&|c| c.multipliers[0] = "0".into()),
        SeparationError::Multiplier { place: 1 }
    );
    assert_eq!(refused(&|c| c.multipliers[0] = "7".into()), SeparationError::NotZero { column: 0 });
    let lengths = SeparationError::Lengths { left: good.rows.len(), right: 0 };
    assert_eq!(refused(&|c| c.multipliers.clear()), lengths);
    let nothing = |c: &mut SeparationCertificate| {
        c.rows.clear();
        c.multipliers.clear();
        c.relations.clear();
    };
    assert_eq!(refused(&nothing), SeparationError::Rank { rank: 0, relations: 0, columns: 2 });
}
