//! Compares the margins of `separable` with those of an independent solver of quadratic programs.

use clarabel::{
    algebra::CscMatrix,
    solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus},
};
use proptest::prelude::*;
use rosenblatt_core::data::{Examples, Rows, Sign};
use rosenblatt_proofs::{Bracket, SeparabilityOptions, Verdict, separable};

use super::common::cases;

/// 1/‖u‖ for the shortest u with `yᵢ(u·xᵢ + b) ≥ 1`, where u includes b or not: the largest margin of the vectors (x,
/// 1), or with a free bias.
fn margin(rows: &[Vec<f64>], signs: &[Sign], free_bias: bool) -> Option<f64> {
    let d = rows[0].len();
    let diagonal = (0..=d).map(|j| if j == d && free_bias { 0.0 } else { 1.0 });
    let (rows_of, columns): (Vec<usize>, Vec<usize>) = ((0..=d).collect(), (0..=d).collect());
    let p = CscMatrix::new_from_triplets(d + 1, d + 1, rows_of, columns, diagonal.collect());
    let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
    for (place, (row, sign)) in rows.iter().zip(signs).enumerate() {
        for (column, x) in row.iter().chain([&1.0]).enumerate() {
            i.push(place);
            j.push(column);
            v.push(-sign.as_f64() * x);
        }
    }
    let a = CscMatrix::new_from_triplets(rows.len(), d + 1, i, j, v);
    let cones = [NonnegativeConeT(rows.len())];
    let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let (q, b) = (vec![0.0; d + 1], vec![-1.0; rows.len()]);
    let mut solver = DefaultSolver::new(&p, &q, &a, &b, &cones, settings).unwrap();
    solver.solve();
    let weights = &solver.solution.x[..if free_bias { d } else { d + 1 }];
    let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
    (solver.solution.status == SolverStatus::Solved).then(|| 1.0 / length)
}

/// The solver stops at a relative gap of 10⁻⁸ of ‖u‖²/2; the bracket is proven.
fn brackets(bracket: Bracket, margin: f64) -> bool {
    bracket.lower <= margin * (1.0 + 1e-6) && margin <= bracket.upper * (1.0 + 1e-6)
}

proptest! {
    #![proptest_config(cases(60))]

    /// Rows of four features, separated by some distance along the first.
    #[test]
    fn the_bracket_holds_the_margin_of_the_program(
        points in prop::collection::vec((prop::array::uniform4(-3.0f64..3.0), any::<bool>()), 4..40),
        gap in 0.05f64..2.0,
    ) {
        prop_assume!(points.iter().any(|point| point.1) && points.iter().any(|point| !point.1));
        let sign = |plus: bool| if plus { Sign::Plus } else { Sign::Minus };
        let moved = |(x, plus): &([f64; 4], bool)| {
            let mut x = x.to_vec();
            x[0] = sign(*plus) * (x[0].abs() + gap);
            x
        };
        let rows: Vec<Vec<f64>> = points.iter().map(moved).collect();
        let signs: Vec<Sign> = points.iter().map(|point| sign(point.1)).collect();
        let matrix = Rows::dense(rows.concat(), 4).unwrap();
        let examples = Examples::new(&matrix, &signs).unwrap();
        let Verdict::Yes { margins: Some(margins), .. } =
            separable(&examples, &SeparabilityOptions::default(), &mut || false)
        else {
            panic!("they are apart by {gap}")
        };
        let programs = margin(&rows, &signs, false).zip(margin(&rows, &signs, true));
        // If too many programs are not solved, the test fails.
        prop_assume!(programs.is_some());
        let (unit, free) = programs.unwrap();
        prop_assert!(brackets(margins.unit_bias.unwrap(), unit), "{:?} {}", margins, unit);
        prop_assert!(brackets(margins.free_bias.unwrap(), free), "{:?} {}", margins, free);
    }
}

/// Checks the solver by a program worked by hand: −1 and 3 on a line, margin 2 at 1.
#[test]
fn the_program_is_the_right_one() {
    let found = margin(&[vec![-1.0], vec![3.0]], &[Sign::Minus, Sign::Plus], true).unwrap();
    assert!((found - 2.0).abs() < 1e-6, "{found}");
}
