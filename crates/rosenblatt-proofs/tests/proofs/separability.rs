//! The question whether data are separable gets the correct answer, with a proof.

use crate::common::{
    cases,
    draw::{self, Table},
    layouts, rational,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::data::{Examples, Rows, Sign};
use rosenblatt_proofs::{
    Bracket, Certificate, CertificateError, Ended, SeparabilityOptions, Verdict, separable, verify,
};

fn ask(examples: &Examples<'_>, with_bias: bool) -> Verdict {
    separable(
        examples,
        &SeparabilityOptions { with_bias, ..SeparabilityOptions::default() },
        &mut || false,
    )
}

/// The proof; small sets always have one.
fn proof(verdict: &Verdict) -> &Certificate {
    verdict.certificate().unwrap_or_else(|| panic!("{verdict:?}"))
}

/// zᵢ = yᵢ(xᵢ, 1), or yᵢxᵢ, as rational numbers.
fn vectors(table: &Table, with_bias: bool) -> Vec<Vec<BigRational>> {
    let vector = |(row, sign): (&Vec<f64>, &Sign)| {
        let constant = with_bias.then_some(1.0);
        row.iter().chain(&constant).map(|&x| rational::exact(sign.as_f64() * x)).collect()
    };
    table.rows.iter().zip(&table.signs).map(vector).collect()
}

/// Whether some λ ≥ 0 has Σλ = 1 and Σλz = 0: the first phase of the simplex method with Bland's rule,
/// over the rationals.
fn zero_is_in_the_hull(vectors: &[Vec<BigRational>]) -> bool {
    let (n, m) = (vectors.len(), vectors[0].len() + 1);
    // Row r: the coefficients of λ, of the artificial variables, and the right side.
    let entry = |r: usize, j: usize| match (r, j) {
        (r, j) if j < n && r + 1 < m => vectors[j][r].clone(),
        (r, j) if j == n + m => {
            if r + 1 == m {
                One::one()
            } else {
                Zero::zero()
            }
        }
        (r, j) if j < n || j == n + r => One::one(),
        _ => Zero::zero(),
    };
    let mut tableau: Vec<Vec<BigRational>> =
        (0..m).map(|r| (0..=n + m).map(|j| entry(r, j)).collect()).collect();
    let mut basis: Vec<usize> = (n..n + m).collect();
    loop {
        // The reduced cost of λⱼ, for the sum of the artificial variables as the objective.
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

/// The checker's rule, implemented again over the rationals.
fn is_proof(certificate: &Certificate, table: &Table) -> bool {
    match certificate {
        Certificate::Yes { with_bias, weights, bias } => {
            let right = |(row, sign): (&Vec<f64>, &Sign)| {
                let score = rational::score(weights, *bias, row);
                if *sign == Sign::Plus { score.is_positive() } else { score.is_negative() }
            };
            (*with_bias || *bias == 0.0) && table.rows.iter().zip(&table.signs).all(right)
        }
        Certificate::YesInIntegers { with_bias, weights, bias } => {
            let integer = |digits: &String| digits.parse::<BigInt>().map(BigRational::from);
            let weights: Result<Vec<BigRational>, _> = weights.iter().map(integer).collect();
            let (Ok(weights), Ok(bias)) = (weights, integer(bias)) else { return false };
            let right = |(row, sign): (&Vec<f64>, &Sign)| {
                let products = weights.iter().zip(row).map(|(w, &x)| w * rational::exact(x));
                let score = products.fold(bias.clone(), |sum, product| sum + product);
                if *sign == Sign::Plus { score.is_positive() } else { score.is_negative() }
            };
            let (features, allowed) = (table.rows[0].len(), *with_bias || bias.is_zero());
            let all = table.rows.iter().zip(&table.signs).all(right);
            weights.len() == features && allowed && all
        }
        Certificate::No { with_bias, rows, multipliers } => {
            let vectors = vectors(table, *with_bias);
            let mut sum = vec![BigRational::zero(); vectors[0].len()];
            let mut total = BigRational::zero();
            for (row, digits) in rows.iter().zip(multipliers) {
                let Ok(multiplier) = digits.parse::<BigInt>() else { return false };
                let Some(vector) = row.checked_sub(1).and_then(|i| vectors.get(i)) else {
                    return false;
                };
                let multiplier = BigRational::from(multiplier);
                sum.iter_mut().zip(vector).for_each(|(sum, z)| *sum += &multiplier * z);
                total += multiplier;
            }
            let mut places = rows.clone();
            places.sort_unstable();
            places.dedup();
            places.len() == rows.len() && total.is_positive() && sum.iter().all(Zero::is_zero)
        }
    }
}

/// The squared norm of the shortest vector of the hull: the minimum, over all sets of affinely independent vectors, of
/// the shortest vector of the affine hull if its multipliers are not negative.
fn shortest_squared(vectors: &[Vec<BigRational>]) -> BigRational {
    let most = vectors[0].len() + 1;
    let subsets = (1u32..1 << vectors.len()).filter(|set| set.count_ones() as usize <= most);
    let lengths = subsets.filter_map(|set| {
        let chosen: Vec<&Vec<BigRational>> =
            (0..vectors.len()).filter(|i| set >> i & 1 == 1).map(|i| &vectors[i]).collect();
        affine_shortest(&chosen)
    });
    lengths.min().unwrap()
}

/// With M = (zᵢ·zⱼ + 1) and Mu = (1, …, 1), λ = u/Σu and ‖p‖² = 1/Σu − 1.
fn affine_shortest(vectors: &[&Vec<BigRational>]) -> Option<BigRational> {
    let one = BigRational::one();
    let dot = |a: &[BigRational], b: &[BigRational]| -> BigRational {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    };
    let row = |a: &&Vec<BigRational>| -> Vec<BigRational> {
        let products = vectors.iter().map(|b| dot(a, b) + &one);
        products.chain([one.clone()]).collect()
    };
    let solution = solve(vectors.iter().map(row).collect())?;
    let sum: BigRational = solution.iter().sum();
    solution.iter().all(|u| !u.is_negative()).then(|| sum.recip() - one)
}

/// Gauss–Jordan elimination of a square system with its right side at the end of each row.
fn solve(mut rows: Vec<Vec<BigRational>>) -> Option<Vec<BigRational>> {
    for i in 0..rows.len() {
        let pivot = (i..rows.len()).find(|&r| !rows[r][i].is_zero())?;
        rows.swap(i, pivot);
        let head = rows[i][i].clone();
        rows[i].iter_mut().for_each(|a| *a /= &head);
        let row = rows[i].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|&(r, _)| r != i) {
            let factor = other[i].clone();
            other.iter_mut().zip(&row).for_each(|(a, b)| *a -= &factor * b);
        }
    }
    Some(rows.into_iter().map(|mut row| row.pop().unwrap()).collect())
}

/// Whether the bracket holds the root of `square`, and is as narrow as requested.
fn holds(bracket: Bracket, square: &BigRational) -> bool {
    let squared = |a: f64| rational::exact(a) * rational::exact(a);
    let narrow = bracket.upper - bracket.lower <= 1.1e-6 * bracket.upper;
    narrow && squared(bracket.lower) <= *square && *square <= squared(bracket.upper)
}

/// Numbers of every kind, including the largest floats.
fn of_any_size() -> impl Strategy<Value = Table> {
    prop_oneof![4 => draw::any_table(), 1 => draw::table(draw::finite())]
}

fn small_table(features: usize, rows: usize) -> impl Strategy<Value = Table> {
    let numbers = prop_oneof![draw::integer(), draw::tenth(), draw::ordinary()];
    let row = vec(numbers, features);
    (vec(row, 2..=rows), vec(any::<bool>(), rows)).prop_map(|(rows, plus)| {
        let sign = |&plus: &bool| if plus { Sign::Plus } else { Sign::Minus };
        let signs = plus.iter().take(rows.len()).map(sign).collect();
        Table { rows, signs }
    })
}

/// As decimals the first point lies between the other two; as floats it is off their line by 10⁻¹⁷.
#[test]
fn points_that_are_hardly_off_a_line() {
    let rows = Rows::dense(vec![-1.2, 1.3, -1.6, 2.0, 0.4, -1.5], 2).unwrap();
    let examples = Examples::new(&rows, &[Sign::Plus, Sign::Minus, Sign::Minus]).unwrap();
    assert_eq!(verify(proof(&ask(&examples, true)), &examples), Ok(()));
}

proptest! {
    #![proptest_config(cases(1500))]

    /// The answer is correct and has a proof.
    #[test]
    fn the_verdict_is_right(table in draw::moderate_table(), with_bias: bool) {
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let verdict = ask(&examples, with_bias);
        let certificate = proof(&verdict);
        prop_assert_eq!(verify(certificate, &examples), Ok(()));
        prop_assert!(is_proof(certificate, &table));
        let inseparable = zero_is_in_the_hull(&vectors(&table, with_bias));
        prop_assert_eq!(matches!(verdict, Verdict::No { .. }), inseparable);
    }

    /// On numbers of any size there is a proof, and bounds are ordered.
    #[test]
    fn an_answer_is_never_wrong(table in of_any_size(), with_bias: bool) {
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let verdict = ask(&examples, with_bias);
        let certificate = proof(&verdict);
        prop_assert_eq!(verify(certificate, &examples), Ok(()));
        prop_assert!(is_proof(certificate, &table));
        if let Verdict::Yes { margins: Some(margins), .. } = verdict {
            let brackets = [margins.unit_bias, margins.no_bias, margins.free_bias];
            for bracket in brackets.into_iter().flatten() {
                prop_assert!(0.0 <= bracket.lower && bracket.lower <= bracket.upper);
            }
        }
    }

    /// Dense or sparse, single or double precision: identical bits.
    #[test]
    fn the_layout_changes_nothing(table in of_any_size(), with_bias: bool) {
        let all = layouts::all(&table.rows);
        let first = ask(&table.examples(&all[0].1), with_bias);
        for (name, rows) in &all[1..] {
            prop_assert_eq!(&ask(&table.examples(rows), with_bias), &first, "{}", name);
        }
    }

    /// A certificate with one number changed is rejected, unless it is still a proof.
    #[test]
    fn a_changed_certificate_is_checked_again(
        table in draw::moderate_table(), with_bias: bool, place: prop::sample::Index, change in 1u64..4,
    ) {
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let verdict = ask(&examples, with_bias);
        let certificate = proof(&verdict);
        let mut changed = certificate.clone();
        match &mut changed {
            Certificate::Yes { weights, bias, .. } => {
                let i = place.index(weights.len() + 1);
                let number = if i == weights.len() { bias } else { &mut weights[i] };
                *number = if change == 1 { -*number } else { *number + change as f64 - 2.5 };
            }
            Certificate::YesInIntegers { weights, bias, .. } => {
                let i = place.index(weights.len() + 1);
                let number = if i == weights.len() { bias } else { &mut weights[i] };
                let value: BigInt = number.parse().unwrap();
                *number = if change == 1 { -value } else { value + change }.to_string();
            }
            Certificate::No { rows, multipliers, .. } => {
                let i = place.index(2 * rows.len());
                if i < rows.len() {
                    rows[i] += change as usize;
                } else {
                    let number: BigInt = multipliers[i - rows.len()].parse().unwrap();
                    multipliers[i - rows.len()] = (number + change).to_string();
                }
            }
        }
        prop_assert_eq!(verify(&changed, &examples).is_ok(), is_proof(&changed, &table));
    }

    /// The brackets hold the margins, which are roots of rational numbers.
    #[test]
    fn brackets_hold_the_margin(table in small_table(2, 7), with_bias: bool) {
        let matrix = table.matrix();
        let Verdict::Yes { margins, .. } = ask(&table.examples(&matrix), with_bias) else {
            return Ok(());
        };
        let margins = margins.unwrap();
        let bracket = if with_bias { margins.unit_bias } else { margins.no_bias };
        prop_assert!(holds(bracket.unwrap(), &shortest_squared(&vectors(&table, with_bias))));
    }

    /// Half the distance between the hulls: the shortest vector of the hull of all differences.
    #[test]
    fn free_brackets_hold_the_margin(table in small_table(2, 6)) {
        let matrix = table.matrix();
        let Verdict::Yes { margins, .. } = ask(&table.examples(&matrix), true) else {
            return Ok(());
        };
        let plain = vectors(&table, false);
        let of = |sign| -> Vec<usize> {
            (0..plain.len()).filter(|&i| table.signs[i] == sign).collect()
        };
        let minus = of(Sign::Minus);
        let pairs = of(Sign::Plus).into_iter().flat_map(|i| minus.iter().map(move |&j| (i, j)));
        let difference = |(i, j): (usize, usize)| -> Vec<BigRational> {
            plain[i].iter().zip(&plain[j]).map(|(a, b)| a + b).collect()
        };
        let differences: Vec<Vec<BigRational>> = pairs.map(difference).collect();
        let Some(bracket) = margins.unwrap().free_bias else {
            prop_assert!(differences.is_empty());
            return Ok(());
        };
        let square = shortest_squared(&differences) / BigRational::from(BigInt::from(4));
        prop_assert!(holds(bracket, &square));
    }
}

fn rows(values: &[&[f64]]) -> Rows<'static> {
    Rows::dense(values.concat(), values[0].len()).unwrap()
}

const AND: [&[f64]; 4] = [&[0.0, 0.0], &[0.0, 1.0], &[1.0, 0.0], &[1.0, 1.0]];

#[test]
fn xor() {
    use Sign::{Minus, Plus};
    let rows = rows(&AND);
    let examples = Examples::new(&rows, &[Minus, Plus, Plus, Minus]).unwrap();
    let Verdict::No { certificate, contradiction } = ask(&examples, true) else { panic!() };
    let ones = vec!["1".to_owned(); 4];
    let expected = Certificate::No { with_bias: true, rows: vec![1, 2, 3, 4], multipliers: ones };
    assert_eq!((certificate, contradiction), (expected, None));
}

#[test]
fn and_with_a_contradiction() {
    use Sign::{Minus, Plus};
    let mut values = AND.to_vec();
    values.push(&[1.0, 1.0]);
    let rows = rows(&values);
    let examples = Examples::new(&rows, &[Minus, Minus, Minus, Plus, Minus]).unwrap();
    let Verdict::No { certificate, contradiction } = ask(&examples, true) else { panic!() };
    assert_eq!(contradiction, Some((3, 4)));
    assert_eq!(verify(&certificate, &examples), Ok(()));
}

/// The separator of AND with the largest margin is x₁ + x₂ = 3/2, at the distance 1/(2√2) of both sides.
#[test]
fn and() {
    use Sign::{Minus, Plus};
    let rows = rows(&AND);
    let examples = Examples::new(&rows, &[Minus, Minus, Minus, Plus]).unwrap();
    let Verdict::Yes { margins, .. } = ask(&examples, true) else { panic!() };
    let margins = margins.unwrap();
    assert!(holds(margins.free_bias.unwrap(), &BigRational::new(1.into(), 8.into())));
    // (2, 2, −3) has the functional margin 1 and the squared length 17.
    assert!(holds(margins.unit_bias.unwrap(), &BigRational::new(1.into(), 17.into())));
    // R² + 1 = 3 and γ² = 1/17; 4R² = 8 and γ² = 1/8.
    assert!((margins.unit_bias_mistakes().unwrap() - 51.0).abs() < 1e-3);
    assert!((margins.radius_bias_mistakes().unwrap() - 64.0).abs() < 1e-3);
    // Without a bias the row (0, 0) is on every hyperplane.
    let Verdict::No { certificate, .. } = ask(&examples, false) else { panic!() };
    let multipliers = vec!["1".to_owned()];
    assert_eq!(certificate, Certificate::No { with_bias: false, rows: vec![1], multipliers });
}

#[test]
fn edges() {
    use Sign::{Minus, Plus};
    let none = Rows::dense(Vec::<f64>::new(), 3).unwrap();
    let verdict = ask(&Examples::new(&none, &[]).unwrap(), true);
    assert!(matches!(verdict, Verdict::Yes { margins: None, .. }));
    // Rows without features: only the bias can separate.
    let empty = Rows::sparse(vec![0, 0, 0], vec![], Vec::<f64>::new(), 0).unwrap();
    let verdict = ask(&Examples::new(&empty, &[Minus, Plus]).unwrap(), true);
    assert!(matches!(verdict, Verdict::No { contradiction: Some((0, 1)), .. }));
    let verdict = ask(&Examples::new(&empty, &[Minus, Minus]).unwrap(), true);
    let Verdict::Yes { margins: Some(margins), .. } = verdict else { panic!() };
    assert!(margins.free_bias.is_none() && margins.unit_bias.is_some());
}

#[test]
fn stopping_at_once_leaves_a_bound() {
    use Sign::{Minus, Plus};
    let rows = rows(&AND);
    let examples = Examples::new(&rows, &[Minus, Plus, Plus, Minus]).unwrap();
    let verdict = separable(&examples, &SeparabilityOptions::default(), &mut || true);
    let Verdict::Unknown { upper, ended } = verdict else { panic!() };
    assert_eq!((upper.no_bias, ended), (None, Ended::Stopped));
    assert!(upper.unit_bias.is_some_and(|bound| 0.0 < bound && bound < 2.0));
}

/// Work is counted, so the answer is the same on every machine, and more work never gives less.
#[test]
fn work_that_is_counted_ends_a_search() {
    use Sign::{Minus, Plus};
    let rows = rows(&AND);
    let examples = Examples::new(&rows, &[Minus, Plus, Plus, Minus]).unwrap();
    let with = |work| {
        separable(
            &examples,
            &SeparabilityOptions { work, ..SeparabilityOptions::default() },
            &mut || false,
        )
    };
    let Verdict::Unknown { ended, .. } = with(0) else { panic!() };
    assert_eq!(ended, Ended::Work);
    assert!(matches!(with(1 << 20), Verdict::No { .. }));
    // AND: one epoch costs 2·(8 stored values and 4 rows), and the perceptron needs some epochs. After them the search
    // ends at once, with a separator and a wide bracket.
    let and = Examples::new(&rows, &[Minus, Minus, Minus, Plus]).unwrap();
    let verdict = separable(
        &and,
        &SeparabilityOptions { work: 24 * 1000, ..SeparabilityOptions::default() },
        &mut || false,
    );
    let Verdict::Yes { margins: Some(margins), .. } = verdict else { panic!("{verdict:?}") };
    let bracket = margins.unit_bias.unwrap();
    assert!(bracket.lower > 0.0 && bracket.lower * 17f64.sqrt() <= 1.0);
}

/// The rows of the nested functions of Anthony & Shawe-Taylor (1993), whose squared inverse margins with
/// the constant 1 are the integers 5, 17, 33, 141, 241, 1041, 1717, 7345, 11969.
#[test]
fn nested_functions() {
    let known = [5i64, 17, 33, 141, 241, 1041, 1717, 7345, 11969];
    let mut values: Vec<Vec<f64>> = vec![vec![0.0], vec![1.0]];
    let mut signs = vec![Sign::Minus, Sign::Plus];
    for (i, &square) in known.iter().enumerate() {
        if i > 0 {
            // AND appends 1 to the old rows, OR appends 0; the new row is all the other value.
            let and = i % 2 == 1;
            values.iter_mut().for_each(|row| row.push(if and { 1.0 } else { 0.0 }));
            let (other, new) = if and { (1.0, 0.0) } else { (0.0, 1.0) };
            let mut row = vec![other; i];
            row.push(new);
            values.push(row);
            signs.push(if and { Sign::Minus } else { Sign::Plus });
        }
        let rows = Rows::dense(values.concat(), i + 1).unwrap();
        let verdict = ask(&Examples::new(&rows, &signs).unwrap(), true);
        let Verdict::Yes { margins, .. } = verdict else { panic!("{i}") };
        let bracket = margins.unwrap().unit_bias.unwrap();
        assert!(holds(bracket, &BigRational::new(1.into(), square.into())), "{i}: {bracket:?}");
    }
}

#[test]
fn json_and_hostile_certificates() {
    use Sign::{Minus, Plus};
    let rows = rows(&AND);
    let examples = Examples::new(&rows, &[Minus, Plus, Plus, Minus]).unwrap();
    let check = |json: &str| {
        let parsed: Result<Certificate, _> = serde_json::from_str(json);
        parsed.ok().map(|certificate| verify(&certificate, &examples))
    };
    let no = |rows: &str, multipliers: &str| {
        check(&format!(
            r#"{{"separable":"no","with_bias":true,"rows":{rows},"multipliers":{multipliers}}}"#
        ))
    };
    assert_eq!(no("[1,2,3,4]", r#"["2","2","2","2"]"#), Some(Ok(())));
    use CertificateError as Error;
    assert_eq!(
        no("[1,2,3,4]", r#"["2","2","2","3"]"#),
        Some(Err(Error::NotZero { feature: Some(1) }))
    );
    assert_eq!(no("[1,2]", r#"["1"]"#), Some(Err(Error::Pairs { rows: 2, multipliers: 1 })));
    assert_eq!(no("[0]", r#"["1"]"#), Some(Err(Error::NoSuchRow { row: 0, rows: 4 })));
    assert_eq!(no("[5]", r#"["1"]"#), Some(Err(Error::NoSuchRow { row: 5, rows: 4 })));
    assert_eq!(no("[2,2]", r#"["1","1"]"#), Some(Err(Error::Twice { row: 2 })));
    assert_eq!(no("[]", "[]"), Some(Err(Error::Nothing)));
    assert_eq!(no("[1,2]", r#"["0","0"]"#), Some(Err(Error::Nothing)));
    for bad in ["-1", "", "1.5", "+1", "1e3", "٣"] {
        assert_eq!(
            no("[1]", &format!(r#"["{bad}"]"#)),
            Some(Err(Error::Multiplier { place: 1 })),
            "{bad}"
        );
    }
    let long = format!(r#"["{}"]"#, "9".repeat(60_000));
    assert_eq!(no("[1]", &long), Some(Err(Error::Multiplier { place: 1 })));
    // More rows than the d + 2 that are enough are a proof, too, if they exist.
    assert_eq!(
        no("[1,2,3,4,5]", r#"["1","1","1","1","1"]"#),
        Some(Err(Error::NoSuchRow { row: 5, rows: 4 }))
    );
    let line = Rows::dense(vec![0.0, 2.0, 3.0, 1.0, 1.5], 1).unwrap();
    let of_line =
        Examples::new(&line, &[Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus, Sign::Plus]);
    let multipliers = ["2", "4", "2", "4"].map(str::to_owned).to_vec();
    let four = Certificate::No { with_bias: true, rows: vec![1, 2, 4, 5], multipliers };
    assert_eq!(verify(&four, &of_line.unwrap()), Ok(()));
    let yes = |weights: &str, bias: &str| {
        check(&format!(
            r#"{{"separable":"yes","with_bias":false,"weights":{weights},"bias":{bias}}}"#
        ))
    };
    assert_eq!(yes("[1.0]", "0.0"), Some(Err(Error::Features { found: 1, expected: 2 })));
    assert_eq!(yes("[1.0,1.0]", "-0.5"), Some(Err(Error::Bias { bias: -0.5 })));
    assert_eq!(yes("[1.0,1.0]", "0.0"), Some(Err(Error::WrongSide { row: 1 })));
    assert_eq!(yes("[1.0,1e999]", "0.0"), None);
    assert_eq!(check(r#"{"separable":"perhaps"}"#), None);
    let infinite = Certificate::Yes { with_bias: true, weights: vec![f64::NAN, 0.0], bias: 0.0 };
    assert_eq!(verify(&infinite, &examples), Err(Error::NotFinite));
}

#[test]
fn a_certificate_of_other_features_is_refused() {
    let rows = Rows::dense(vec![0.0, 0.0, 1.0, 1.0], 2).unwrap();
    let examples = Examples::new(&rows, &[Sign::Minus, Sign::Plus]).unwrap();
    for (found, weights) in [(1, vec![1.0]), (3, vec![1.0; 3])] {
        let certificate = Certificate::Yes { with_bias: true, weights, bias: 0.0 };
        let expected = CertificateError::Features { found, expected: 2 };
        assert_eq!(verify(&certificate, &examples), Err(expected));
    }
}
