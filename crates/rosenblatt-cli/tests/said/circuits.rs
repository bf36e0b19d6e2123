//! Which half-spaces hold some vectors, decided by their positive circuits: minimal sets of vectors with Σ λᵢzᵢ = 0 and all
//! λᵢ > 0. Every non-negative relation between the vectors is a sum of such (Rockafellar 1969), so they decide strict
//! separability (Gordan 1873), the half-open kind (Motzkin 1936), the face on which every weak separator is 0 (Stiemke 1915)
//! and the least errors. The vectors are few and have small integers.

/// A vector z = y·(x, 1), each column in units of its own, which change no sign of w·z.
pub(crate) type Vector = Vec<i128>;

/// The positive circuits of some vectors, each a set of rows as the bits of a number.
pub(crate) struct Circuits {
    sets: Vec<u32>,
    rows: usize,
}

impl Circuits {
    pub(crate) fn of(vectors: &[Vector]) -> Self {
        assert!(vectors.len() < 16, "the sets are enumerated");
        let most = vectors[0].len() as u32 + 1;
        let all = (1u32..1 << vectors.len()).filter(|set| set.count_ones() <= most);
        let sets = all.filter(|&set| is_positive_circuit(vectors, set)).collect();
        Circuits { sets, rows: vectors.len() }
    }

    /// Whether some w has w·z > 0 for all vectors.
    pub(crate) fn is_separable(&self) -> bool {
        self.sets.is_empty()
    }

    /// Whether some w has w·z > 0 for the strict rows and w·z ≥ 0 for the others.
    pub(crate) fn is_half_open(&self, is_strict: impl Fn(usize) -> bool) -> bool {
        !members(self.face()).any(is_strict)
    }

    /// The rows with w·z = 0 for every w that has w·z ≥ 0 for all.
    pub(crate) fn face(&self) -> u32 {
        self.sets.iter().fold(0, |face, set| face | set)
    }

    /// The least number of rows without which a w has w·z > 0 for the rest.
    pub(crate) fn least_errors(&self) -> u32 {
        self.least_wrong(|_| true)
    }

    /// The least number of rows without which a w has w·z > 0 for the strict rows of the rest and w·z ≥ 0 for the others.
    pub(crate) fn least_wrong(&self, is_strict: impl Fn(usize) -> bool) -> u32 {
        let matters = |set: &&u32| members(**set).any(&is_strict);
        let sets: Vec<u32> = self.sets.iter().filter(matters).copied().collect();
        let hits_all = |&taken: &u32| sets.iter().all(|set| set & taken != 0);
        (0u32..1 << self.rows).filter(hits_all).map(u32::count_ones).min().unwrap()
    }
}

/// The rows of a set.
pub(crate) fn members(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |row| set >> row & 1 == 1)
}

fn is_positive_circuit(vectors: &[Vector], set: u32) -> bool {
    let chosen: Vec<Vector> = members(set).map(|row| vectors[row].clone()).collect();
    let relations = relations(&chosen);
    let [relation] = relations.as_slice() else { return false };
    relation.iter().all(|&a| a > 0) || relation.iter().all(|&a| a < 0)
}

/// A basis of the relations Σ aᵢvᵢ = 0 between vectors.
fn relations(vectors: &[Vector]) -> Vec<Vector> {
    let width = vectors[0].len();
    let with_unit = |(i, v): (usize, &Vector)| {
        let unit = (0..vectors.len()).map(|j| i128::from(i == j));
        v.iter().copied().chain(unit).collect()
    };
    let mut rows: Vec<Vector> = vectors.iter().enumerate().map(with_unit).collect();
    let done = eliminate(&mut rows, width);
    rows[done..].iter().map(|row| row[width..].to_vec()).collect()
}

/// The number of independent vectors.
pub(crate) fn rank(vectors: &[Vector]) -> usize {
    eliminate(&mut vectors.to_vec(), vectors[0].len())
}

/// Clears the first columns below their pivots; returns the number of pivots, whose rows come first.
fn eliminate(rows: &mut [Vector], columns: usize) -> usize {
    let mut done = 0;
    for column in 0..columns {
        let Some(found) = (done..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(done, found);
        let (above, below) = rows.split_at_mut(done + 1);
        let pivot = &above[done];
        for row in below {
            let (a, b) = (pivot[column], row[column]);
            let cleared: Vector = row.iter().zip(pivot).map(|(&r, &p)| a * r - b * p).collect();
            let common = cleared.iter().fold(0, |common, &a| gcd(common, a)).max(1);
            *row = cleared.iter().map(|a| a / common).collect();
        }
        done += 1;
    }
    done
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The sets of a paper by hand: exclusive or, a quasi-complete line, and a row of zeros.
#[test]
fn small_sets_by_hand() {
    let xor = Circuits::of(&[vec![1, 1, 1], vec![1, -1, -1], vec![-1, 1, -1], vec![-1, -1, 1]]);
    assert_eq!((xor.is_separable(), xor.face(), xor.least_errors()), (false, 0b1111, 1));
    let line = Circuits::of(&[vec![1, -1], vec![0, -1], vec![0, 1], vec![1, 1]]);
    assert_eq!((line.is_separable(), line.face(), line.least_errors()), (false, 0b0110, 1));
    let zero = Circuits::of(&[vec![0, 0], vec![1, 0]]);
    assert_eq!((zero.face(), zero.is_half_open(|row| row == 1)), (0b01, true));
    assert_eq!(rank(&[vec![1, 2], vec![2, 4], vec![0, 0]]), 1);
}
