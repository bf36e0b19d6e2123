//! Whether a run ends: the answer against elimination in integers and against runs in every order.
//!
//! `ROSENBLATT_CONVERGENCE=10000` draws as many sets instead of 500.

use std::collections::HashSet;

use crate::common::draw::Table;
use num_integer::Integer;
use rosenblatt_core::{
    data::{
        Examples, Labelled, Scheme,
        Sign::{Minus, Plus},
        ZeroScore,
    },
    keep::Keep,
    rules::{Mistake, Update},
    schedule::{Init, Order},
    space::Hyperplane,
    train::{Bias, Options, Resources, fit},
};
use rosenblatt_proofs::{
    Convergence, ConvergenceCertificate, ConvergenceError, ConvergenceVerdict, ErrorBounds,
    SeparabilityOptions, convergence, least_errors, separable, verify_convergence,
};

/// Rows of small integers with their signs.
type Set = Vec<(Vec<i64>, i64)>;

fn table(set: &Set) -> Table {
    let row = |(x, _): &(Vec<i64>, i64)| x.iter().map(|&x| x as f64).collect();
    let sign = |&(_, y): &(Vec<i64>, i64)| if y > 0 { Plus } else { Minus };
    Table { rows: set.iter().map(row).collect(), signs: set.iter().map(sign).collect() }
}

fn ask(set: &Set, run: &Options) -> ConvergenceVerdict {
    let table = table(set);
    let rows = table.matrix();
    let examples = Examples::new(&rows, &table.signs).unwrap();
    let search =
        SeparabilityOptions { with_bias: run.bias != Bias::None, ..SeparabilityOptions::default() };
    let verdict = separable(&examples, &search, &mut || false);
    let found = convergence(&examples, run, &verdict, &search, &mut || false);
    if let Some(certificate) = found.certificate() {
        assert_eq!(verify_convergence(certificate, &examples), Ok(()));
    }
    found
}

/// A run in integers: the definition.
struct Run<'s> {
    set: &'s Set,
    /// The square of the bias feature.
    step: i64,
    /// For each row, whether a score of 0 is a mistake.
    strict: Vec<bool>,
    /// The margin of the rule `margin:M`; otherwise only mistakes update.
    margin: Option<i64>,
}

impl<'s> Run<'s> {
    fn new(set: &'s Set, options: &Options) -> Self {
        let square = |(x, _): &(Vec<i64>, i64)| x.iter().map(|x| x * x).sum();
        let step = match options.bias {
            Bias::Unit => 1,
            Bias::Feature(size) => (size * size) as i64,
            Bias::None => 0,
            Bias::Radius => set.iter().map(square).max().unwrap(),
        };
        let zero = if options.zero == ZeroScore::Positive { 1 } else { -1 };
        let is_strict = |&(_, y): &(Vec<i64>, i64)| options.mistake == Mistake::Margin || y != zero;
        let margin = options.update.parameter().map(|margin| margin as i64);
        Run { set, step, strict: set.iter().map(is_strict).collect(), margin }
    }

    /// Whether an example is right, without a reason to update. The last weight is the bias.
    fn is_right(&self, i: usize, w: &[i64]) -> bool {
        let (x, y) = &self.set[i];
        let product: i64 = x.iter().zip(w).map(|(x, w)| x * w).sum();
        let score = y * (product + w[x.len()]);
        match self.margin {
            Some(margin) => score > margin,
            None => score > 0 || (score == 0 && !self.strict[i]),
        }
    }

    /// An epoch; returns whether it was clean.
    fn epoch(&self, order: &[usize], w: &mut [i64]) -> bool {
        let mut is_clean = true;
        for &i in order {
            if !self.is_right(i, w) {
                let (x, y) = &self.set[i];
                x.iter().zip(w.iter_mut()).for_each(|(x, w)| *w += y * x);
                w[x.len()] += y * self.step;
                is_clean = false;
            }
        }
        is_clean
    }

    /// The epoch at which a run in this order ends; `None` if its weights return, so that it never does.
    fn end(&self, order: &[usize], start: &[i64]) -> Option<u64> {
        let (mut w, mut seen) = (start.to_vec(), HashSet::new());
        for epoch in 1.. {
            if !seen.insert(w.clone()) {
                return None;
            }
            if self.epoch(order, &mut w) {
                return Some(epoch);
            }
        }
        unreachable!()
    }

    /// yᵢ(xᵢ, 1), or yᵢxᵢ if the bias never moves.
    fn vectors(&self) -> Vec<Vec<i64>> {
        let constant = (self.step > 0).then_some(1);
        let vector = |(x, y): &(Vec<i64>, i64)| x.iter().chain(&constant).map(|x| x * y).collect();
        self.set.iter().map(vector).collect()
    }
}

/// Whether some w has w·z > 0 for each strict vector and w·z ≥ 0 for the others: the variables are eliminated one after
/// the other (Fourier 1827; Motzkin 1936).
fn is_solvable(mut all: Vec<(Vec<i128>, bool)>) -> bool {
    let size = all.first().map_or(0, |(z, _)| z.len());
    for k in 0..size {
        let part = |order: i128| all.iter().filter(move |(z, _)| z[k].signum() == order);
        let mut next: HashSet<(Vec<i128>, bool)> = part(0).cloned().collect();
        for (a, is_strict) in part(1) {
            for (b, is_also) in part(-1) {
                let mut sum: Vec<i128> =
                    a.iter().zip(b).map(|(x, y)| x * -b[k] + y * a[k]).collect();
                let common = sum.iter().fold(0, |common: i128, x| common.gcd(x)).max(1);
                sum.iter_mut().for_each(|x| *x /= common);
                next.insert((sum, *is_strict || *is_also));
            }
        }
        all = next.into_iter().collect();
    }
    all.iter().all(|(_, is_strict)| !is_strict)
}

fn constraints(z: &[Vec<i64>], is_strict: impl Fn(usize) -> bool) -> Vec<(Vec<i128>, bool)> {
    let wide = |z: &Vec<i64>| z.iter().map(|&x| i128::from(x)).collect();
    z.iter().enumerate().map(|(i, z)| (wide(z), is_strict(i))).collect()
}

/// The answer by its definition.
fn expected(run: &Run<'_>, start: &[i64]) -> Convergence {
    let z = run.vectors();
    let all = run.margin.is_some();
    if !is_solvable(constraints(&z, |i| all || run.strict[i])) {
        return Convergence::Never;
    }
    let is_on_face: Vec<bool> =
        (0..z.len()).map(|i| !is_solvable(constraints(&z, |j| i == j))).collect();
    let face = || (0..z.len()).filter(|&i| is_on_face[i]);
    let dot = |i: usize, j: usize| z[i].iter().zip(&z[j]).map(|(a, b)| a * b).sum::<i64>();
    let outside = || (0..z.len()).filter(|&i| !is_on_face[i]);
    let is_apart = || face().all(|i| outside().all(|j| dot(i, j) == 0));
    let is_at_zero = start.iter().all(|&w| w == 0);
    if face().all(|i| dot(i, i) == 0) {
        Convergence::Always
    } else if is_at_zero && (is_apart() || !run.strict.contains(&true)) {
        Convergence::FromZero
    } else {
        Convergence::DependsOnOrder
    }
}

fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let insert = |order: Vec<usize>| {
        (0..n).map(move |place| {
            let mut order = order.clone();
            order.insert(place, n - 1);
            order
        })
    };
    orders(n - 1).into_iter().flat_map(insert).collect()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn within(&mut self, least: i64, most: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        least + ((z ^ (z >> 31)) % (most - least + 1) as u64) as i64
    }

    fn set(&mut self) -> Set {
        let (n, d) = (self.within(1, 4), self.within(1, 3));
        let size = self.within(1, 2);
        let mut row = || (0..d).map(|_| self.within(-size, size)).collect::<Vec<_>>();
        let rows: Vec<Vec<i64>> = (0..n).map(|_| row()).collect();
        let mut set: Set = rows.into_iter().map(|x| (x, 2 * self.within(0, 1) - 1)).collect();
        if n > 1 && self.within(0, 2) > 0 {
            // Opposite rows of one class.
            set[1] = (set[0].0.iter().map(|x| -x).collect(), set[0].1);
        }
        set
    }

    fn options(&mut self, features: usize) -> (Options, Vec<i64>) {
        let bias = [Bias::None, Bias::None, Bias::Unit, Bias::Feature(2.0), Bias::Radius];
        let update = [Update::PERCEPTRON, Update::PERCEPTRON, Update::margin(1.0)];
        let mistake = [Mistake::Label, Mistake::Label, Mistake::Margin];
        let mut options = Options {
            bias: bias[self.within(0, 4) as usize],
            update: update[self.within(0, 2) as usize],
            mistake: mistake[self.within(0, 2) as usize],
            zero: [ZeroScore::Positive, ZeroScore::Negative][self.within(0, 1) as usize],
            keep: Keep::Last,
            order: Order::Given,
            ..Options::default()
        };
        let mut start = vec![0; features + 1];
        if self.within(0, 2) == 0 {
            let learned = if options.bias == Bias::None { features } else { features + 1 };
            start[..learned].fill_with(|| self.within(-2, 2));
        }
        if start.iter().any(|&w| w != 0) {
            let weights = start[..features].iter().map(|&w| w as f64).collect();
            let plane = Hyperplane { weights, bias: start[features] as f64 };
            options.init = Init::Given([plane].into());
        }
        (options, start)
    }
}

/// Compares the answer for one set and one run; returns it with the number of orders in which the run ends.
fn compare(set: &Set, options: &Options, start: &[i64]) -> Option<(Convergence, usize)> {
    let run = Run::new(set, options);
    let asked = ask(set, options);
    let is_constant = options.bias == Bias::Radius && run.step == 0;
    if is_constant && options.init != Init::Zero {
        assert_eq!(asked, ConvergenceVerdict::NoTheorem);
        return None;
    }
    let found = asked.convergence().unwrap();
    assert_eq!(found, expected(&run, start), "{set:?} {options:?}");
    let ends: Vec<Option<u64>> =
        orders(set.len()).iter().map(|order| run.end(order, start)).collect();
    match found {
        Convergence::Always | Convergence::FromZero => assert!(ends.iter().all(Option::is_some)),
        Convergence::Never => assert!(ends.iter().all(Option::is_none)),
        Convergence::DependsOnOrder => {
            // The weights of the proof make no mistake.
            let certificate = asked.certificate().unwrap();
            let mut w: Vec<i64> = certificate.weights.iter().map(|w| w.parse().unwrap()).collect();
            w.push(0);
            assert!(run.epoch(&orders(set.len())[0], &mut w));
        }
    }
    let given: Vec<usize> = (0..set.len()).collect();
    follow(set, options, run.end(&given, start));
    Some((found, ends.iter().flatten().count()))
}

/// The engine's run in the given order, of two classes, ends in the same epoch, or has not ended after many.
fn follow(set: &Set, options: &Options, end: Option<u64>) {
    let table = table(set);
    if !(table.signs.contains(&Plus) && table.signs.contains(&Minus)) {
        return;
    }
    let rows = table.matrix();
    let classes: Vec<u32> = table.signs.iter().map(|&sign| u32::from(sign == Plus)).collect();
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
    let options = Options { epochs: end.unwrap_or(60), ..options.clone() };
    let found = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
    assert_eq!((found.report.converged, found.report.epochs), (end.is_some(), options.epochs));
}

/// Sets of up to four rows of small integers, every mistake, class of 0, bias and start: the answer is that of elimination
/// in integers, and runs in every order agree with it.
#[test]
fn small_sets_by_elimination_and_by_all_orders() {
    let asked = std::env::var("ROSENBLATT_CONVERGENCE").ok();
    let sets: u64 = asked.map_or(500, |sets| sets.parse().unwrap());
    let mut seen = [0; 4];
    for seed in 0..sets * 4 {
        let mut random = Random(seed);
        let set = random.set();
        let (options, start) = random.options(set[0].0.len());
        if let Some((found, _)) = compare(&set, &options, &start) {
            seen[found as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// Lauer's setting with b = 0: no bias, mistakes by the label.
fn by_label() -> Options {
    Options {
        bias: Bias::None,
        mistake: Mistake::Label,
        keep: Keep::Last,
        order: Order::Given,
        ..Options::default()
    }
}

fn from_zero(set: &Set) -> (Convergence, usize) {
    compare(set, &by_label(), &vec![0; set[0].0.len() + 1]).unwrap()
}

/// Vectors whose face has only rows of the class of 0, in the order of how little they say.
#[test]
fn one_set_of_each_kind() {
    let plus = |x: &[i64]| (x.to_vec(), 1);
    let minus = |x: &[i64]| (x.to_vec(), -1);
    let every = vec![plus(&[1, 0]), plus(&[-1, 0]), minus(&[0, 1])];
    assert_eq!(from_zero(&every), (Convergence::FromZero, 6));
    let run = Run::new(&every, &by_label());
    assert_eq!(run.end(&[0, 1, 2], &[0, 0, 0]), Some(2));
    let some = vec![plus(&[-1, -1]), minus(&[1, 0]), plus(&[1, 1])];
    assert_eq!(from_zero(&some), (Convergence::DependsOnOrder, 3));
    let none = vec![plus(&[-1, 1]), plus(&[1, -1]), minus(&[2, 1])];
    assert_eq!(from_zero(&none), (Convergence::DependsOnOrder, 0));
    let chance = vec![plus(&[1, -1]), plus(&[-1, 1]), minus(&[0, -2]), minus(&[0, -1])];
    assert_eq!(from_zero(&chance), (Convergence::DependsOnOrder, 17));
    let at_zero = vec![plus(&[0, 0]), plus(&[1, 1]), minus(&[-1, 0])];
    assert_eq!(from_zero(&at_zero), (Convergence::Always, 6));
    let wrong_at_zero = vec![minus(&[0, 0]), plus(&[1, 1])];
    assert_eq!(from_zero(&wrong_at_zero), (Convergence::Never, 0));
}

/// Two opposite rows of the class of 0: weights of 0 make no mistake, those of 1 always return.
#[test]
fn the_start_matters() {
    let set = vec![(vec![2], 1), (vec![-2], 1)];
    assert_eq!(from_zero(&set), (Convergence::FromZero, 2));
    let one = Hyperplane { weights: vec![1.0], bias: 0.0 };
    let from_one = Options { init: Init::Given([one].into()), ..by_label() };
    assert_eq!(compare(&set, &from_one, &[1, 0]), Some((Convergence::DependsOnOrder, 0)));
    let by_margin = Options { mistake: Mistake::Margin, ..by_label() };
    assert_eq!(compare(&set, &by_margin, &[0, 0]), Some((Convergence::Never, 0)));
}

/// A first proof that no hyperplane separates may have only rows of the class of 0; the answer is found on the whole face.
#[test]
fn a_strict_row_of_the_face_proves_never() {
    // The first two rows are opposite. The last is a combination of them and of the others.
    let mut set: Set = vec![(vec![1, 0, 0], 1), (vec![-1, 0, 0], 1)];
    set.extend([
        (vec![1, 1, 1], 1),
        (vec![-1, 1, -1], 1),
        (vec![2, 2, 0], -1),
        (vec![-7, -3, 5], 1),
    ]);
    set.extend([(vec![5, 1, -5], 1)]);
    let asked = ask(&set, &by_label());
    let certificate = asked.certificate().unwrap();
    assert_eq!(certificate.convergence, expected(&Run::new(&set, &by_label()), &[0; 4]));
    assert_eq!(certificate.convergence, Convergence::Never);
    assert!(certificate.rows.contains(&5));
}

/// A passive-aggressive run follows rows that turn around a circle: it has no mistake although no hyperplane is right on
/// all rows, as its weights move in a clean epoch, too.
#[test]
fn no_theorem_for_rules_that_move_without_mistakes() {
    let sign = |i: usize| if i.is_multiple_of(2) { Plus } else { Minus };
    let row = |i: usize| {
        let (sin, cos) = ((2 * i) as f64).to_radians().sin_cos();
        vec![sign(i) * cos, sign(i) * sin]
    };
    let table = Table { rows: (0..180).map(row).collect(), signs: (0..180).map(sign).collect() };
    let rows = table.matrix();
    let classes: Vec<u32> = (0..180).map(|i| 1 - i % 2).collect();
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
    let options = Options { update: Update::PA, mistake: Mistake::Margin, ..by_label() };
    let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
    assert!(run.report.converged);
    let examples = Examples::new(&rows, &table.signs).unwrap();
    let search = SeparabilityOptions { with_bias: false, ..SeparabilityOptions::default() };
    let verdict = separable(&examples, &search, &mut || false);
    assert_eq!(verdict.is_separable(), Some(false));
    let found = convergence(&examples, &options, &verdict, &search, &mut || false);
    assert_eq!(found, ConvergenceVerdict::NoTheorem);
}

/// A damaged proof is none.
#[test]
fn proofs_are_checked() {
    let set: Set = vec![(vec![1, 0], 1), (vec![-1, 0], 1), (vec![0, 1], -1)];
    let table = table(&set);
    let rows = table.matrix();
    let check = |certificate: &ConvergenceCertificate| {
        verify_convergence(certificate, &Examples::new(&rows, &table.signs).unwrap())
    };
    let ConvergenceVerdict::HalfOpen(good) = ask(&set, &by_label()) else { panic!() };
    assert_eq!(check(&good), Ok(()));
    assert_eq!(good.answers(true), Err(ConvergenceError::OtherQuestion));
    let json = serde_json::to_string(&good).unwrap();
    assert_eq!(
        json,
        r#"{"convergence":"from-zero","version":1,"strict":"negative","weights":["0","-1"],"rows":[],"multipliers":[]}"#
    );
    let changed = |change: fn(&mut ConvergenceCertificate)| {
        let mut bad = good.clone();
        change(&mut bad);
        check(&bad).unwrap_err().to_string()
    };
    assert_eq!(
        changed(|bad| bad.version = 2),
        "version 2 of the certificate is unknown, this program reads version 1"
    );
    assert_eq!(
        changed(|bad| bad.convergence = Convergence::Always),
        "the weights do not show that a run ends as claimed"
    );
    assert_eq!(
        changed(|bad| bad.weights = vec!["0".into(), "0".into()]),
        "row 3 is not on its side of the hyperplane"
    );
    assert_eq!(
        changed(|bad| bad.weights[0] = "1".into()),
        "row 2 is not on its side of the hyperplane"
    );
    assert_eq!(changed(|bad| bad.weights.truncate(1)), "1 weights for 2 features");
    let no = |bad: &mut ConvergenceCertificate| {
        bad.convergence = Convergence::Never;
        bad.rows = vec![1, 2];
        bad.multipliers = vec!["1".into(), "1".into()];
    };
    assert_eq!(
        changed(no),
        "no multiplier of a row is positive for which a score of 0 is a mistake"
    );
    assert_eq!(changed(|bad| bad.convergence = Convergence::Never), "no multiplier is positive");
}

/// By the label, a conflict without a row of the other class is no error.
#[test]
fn least_errors_by_label() {
    let set: Set = vec![(vec![1, 0], 1), (vec![-1, 0], 1), (vec![0, 1], -1)];
    let table = table(&set);
    let rows = table.matrix();
    let examples = Examples::new(&rows, &table.signs).unwrap();
    let search = SeparabilityOptions { with_bias: false, ..SeparabilityOptions::default() };
    let found = least_errors(&examples, &search, &mut || false);
    assert_eq!(found.bounds(), ErrorBounds { lower: 1, upper: 1 });
    assert_eq!(found.bounds_by_label(&examples, ZeroScore::Positive).lower, 0);
    assert_eq!(
        found.bounds_by_label(&examples, ZeroScore::Negative),
        ErrorBounds { lower: 1, upper: 1 }
    );
}
