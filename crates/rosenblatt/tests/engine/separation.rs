//! Complete separation, quasi-complete separation and overlap are told apart, with a proof.

use crate::common::{draw::Table, rational};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rosenblatt::{
    data::{Examples, Sign},
    separability::{
        SeparabilityOptions, Separation, SeparationCertificate, SeparationSummary,
        SeparationVerdict, separation, verify_separation,
    },
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
fn face(table: &Table, with_bias: bool) -> Vec<bool> {
    let vectors = vectors(table, with_bias);
    vectors.iter().map(|z| opposite_is_in_the_cone(&vectors, z)).collect()
}

fn name(face: &[bool]) -> Separation {
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
fn random_table(seed: u64) -> Table {
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
    let rows: Vec<Vec<f64>> = (0..3 + seed as usize % 14).map(|_| row()).collect();
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

/// 1,600 sets, with and without a bias: the separation, and exactly the examples of the face, are those of linear
/// programs over the rational numbers.
#[test]
fn small_sets_by_rational_programs() {
    let mut seen = [0; 3];
    for seed in 0..1600 {
        let table = random_table(seed);
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let with_bias = seed % 3 != 0;
        let known = ask(&examples, with_bias);
        let face = face(&table, with_bias);
        assert_eq!(known.certificate.separation, name(&face), "{seed}: {table:?}");
        assert_eq!(on_hyperplane(&known.certificate, &table), face, "{seed}: {table:?}");
        assert_eq!(known.on_hyperplane, face.iter().filter(|&&is_on| is_on).count());
        assert!(known.certificate.rows.len() <= 4 * known.rank, "{known:?}");
        verify_separation(&known.certificate, &examples).unwrap();
        seen[known.certificate.separation as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count >= 200), "{seen:?}");
}
