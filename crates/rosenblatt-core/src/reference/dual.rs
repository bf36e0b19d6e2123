//! The dual form: one coefficient for each training row instead of one weight for each feature.
//!
//! An update adds y·τ·x to the weights, so from zero they are a combination of rows: w = Σ cⱼxⱼ, where cⱼ is the sum of
//! the steps y·τ on row j. A score then needs only inner products, s = Σ cⱼ(xⱼ·x) + b, and a kernel K(xⱼ, x) may stand
//! in their place (Freund & Schapire, *Machine Learning* 37, 1999). DSC 255 writes αⱼ for the number of updates
//! on row j; with η = 1, cⱼ = yⱼαⱼ.
//!
//! Here [`Example::x`] has the kernel values of a row with every training row, and [`Hyperplane::weights`] are the
//! coefficients. A run must begin at 0: other initial weights need not be a combination of rows.

use super::{
    Choose, Example, RecordedVisit, RunHistory, Settings, keep, primal, rule,
    run::{self, Orders},
};
use crate::{
    data::{Sign, ZeroScore},
    exact::Accumulator,
    hyperplane::Hyperplane,
    kernel::Kernel,
};

/// K(x, z), each operation rounded: x·z from the first feature to the last, powers by squaring, and ‖x − z‖² as
/// (x·x + z·z) − 2x·z, at least 0.
///
/// x = (1, 2), z = (3, −1): x·z = 1, so (1 + x·z)⁵ = 32 and ‖x − z‖² = 5 + 10 − 2.
/// ```
/// use rosenblatt_core::reference::dual::kernel_value;
/// let (x, z) = ([1.0, 2.0], [3.0, -1.0]);
/// assert_eq!(kernel_value("linear".parse()?, &x, &z), 1.0);
/// assert_eq!(kernel_value("poly:5".parse()?, &x, &z), 32.0);
/// assert_eq!(kernel_value("rbf:0.5".parse()?, &x, &z), 1.503_439_192_977_572_4e-3); // e^(−13/2)
/// # Ok::<(), rosenblatt_core::space::UnknownKernel>(())
/// ```
pub fn kernel_value(kernel: Kernel, x: &[f64], z: &[f64]) -> f64 {
    match kernel {
        Kernel::Linear => product(x, z),
        Kernel::Poly { degree, coef0, gamma } => power(coef0 + gamma * product(x, z), degree),
        Kernel::Rbf { gamma } => {
            let distance = (product(x, x) + product(z, z)) - 2.0 * product(x, z);
            // ∞ − ∞ is a distance past the range, and e to minus that is 0.
            if distance.is_nan() { 0.0 } else { libm::exp(-gamma * distance.max(0.0)) }
        }
    }
}

/// x·z, each product and each sum rounded.
fn product(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).fold(0.0, |sum, (x, z)| sum + x * z)
}

/// a^d = (a²)^⌊d/2⌋, times a where d is odd: the factors a, a², a⁴, … of the bits of d, from the lowest.
fn power(base: f64, degree: u32) -> f64 {
    let (mut power, mut factor, mut left) = (1.0, base, degree);
    while left > 0 {
        if left % 2 == 1 {
            power *= factor;
        }
        factor *= factor;
        left /= 2;
    }
    power
}

/// K(x₁, x), …, K(xₙ, x) for one row x and all rows.
pub fn kernel_values(kernel: Kernel, rows: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    rows.iter().map(|row| kernel_value(kernel, row, x)).collect()
}

/// The examples with these rows, signs and [`rates`](super::rates): each row as its kernel values with all rows.
pub fn examples(kernel: Kernel, rows: &[Vec<f64>], signs: &[Sign], rates: &[f64]) -> Vec<Example> {
    let values: Vec<Vec<f64>> = rows.iter().map(|x| kernel_values(kernel, rows, x)).collect();
    primal::examples(&values, signs, rates)
}

/// A run over the examples from zero coefficients. `orders` has one order of visits for each epoch.
///
/// XOR with K = (1 + x·z)² and B = 0, in the order 00, 01, 10, 11. The rows of K are (1, 1, 1, 1), (1, 4, 1, 4),
/// (1, 1, 4, 4) and (1, 4, 4, 9). Four epochs of four mistakes make c = (−4, 4, 4, −4); the next epochs have three, one,
/// one and no mistake and make c = (−7, 5, 5, −4). The scores are then −1, 2, 2 and −3.
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, space::Kernel};
/// use rosenblatt_core::reference::{Settings, dual::{examples, train}};
/// let rows = [vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
/// let kernel = Kernel::Poly { degree: 2, coef0: 1.0, gamma: 1.0 };
/// let examples = examples(kernel, &rows, &[Minus, Plus, Plus, Minus], &[1.0; 4]);
/// let settings = Settings { bias_unit: 0.0, ..Settings::default() };
/// let run = train(&examples, &settings, &vec![vec![0, 1, 2, 3]; 1000]);
/// assert_eq!(run.last().weights, [-7.0, 5.0, 5.0, -4.0]);
/// assert_eq!(run.mistakes_per_epoch(), [4, 4, 4, 4, 3, 1, 1, 0]);
/// ```
pub fn train(examples: &[Example], settings: &Settings, orders: &[Vec<usize>]) -> RunHistory {
    train_in(examples, settings, Orders::All(orders))
}

/// A run by the order `mistaken`, as [`primal::train_on_mistakes`].
pub fn train_on_mistakes(
    examples: &[Example],
    settings: &Settings,
    epochs: u64,
    choose: Choose<'_>,
) -> RunHistory {
    train_in(examples, settings, Orders::Mistaken(epochs, choose))
}

fn train_in(examples: &[Example], settings: &Settings, orders: Orders<'_>) -> RunHistory {
    run::train(examples, &Hyperplane::zero(examples.len()), settings, orders, visit)
}

/// One visit of example `i`: where the rule steps, cᵢ ← cᵢ + y·τ and b ← b + y·τ·B. The ‖x‖² of the rule is K(x, x) + B.
///
/// The second row meets c = (1, 0), b = 1 with s = 1·2 + 1 = 3, a mistake on −1.
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, space::{Hyperplane, Kernel}};
/// use rosenblatt_core::reference::{Settings, dual::{examples, visit}};
/// let examples = examples(Kernel::Linear, &[vec![1.0], vec![2.0]], &[Plus, Minus], &[1.0; 2]);
/// let now = Hyperplane { weights: vec![1.0, 0.0], bias: 1.0 };
/// let visit = visit(&examples, 1, &now, &Settings::default());
/// assert_eq!(visit.after, Hyperplane { weights: vec![1.0, -1.0], bias: 0.0 });
/// ```
pub fn visit(
    examples: &[Example],
    i: usize,
    now: &Hyperplane,
    settings: &Settings,
) -> RecordedVisit {
    let mut square = Accumulator::new();
    square.add(examples[i].x[i] + settings.bias_unit);
    let mut visit = RecordedVisit::decided(examples, i, now, &square, settings);
    if let Some(step) = visit.step {
        visit.after.weights[i] += step;
        visit.after.bias += step * settings.bias_unit;
    }
    visit
}

/// The mean of the hyperplanes after every visit. An update reaches the coefficient of its own row; see [`keep::mean`].
///
/// x = 1 with +1 and x = 2 with −1 are mistakes in two epochs, so c is (1, 0), (1, −1), (2, −1), (2, −2).
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, space::Kernel};
/// use rosenblatt_core::reference::{Settings, dual::{average, examples, train}};
/// let examples = examples(Kernel::Linear, &[vec![1.0], vec![2.0]], &[Plus, Minus], &[1.0; 2]);
/// let settings = Settings { bias_unit: 0.0, ..Settings::default() };
/// let run = train(&examples, &settings, &[vec![0, 1], vec![0, 1]]);
/// assert_eq!(average(&run).weights, [1.5, -1.0]);
/// ```
pub fn average(run: &RunHistory) -> Hyperplane {
    keep::average(run, &|visit, j| visit.example == j)
}

/// R² = max K(x, x).
///
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, reference::dual::{examples, squared_radius}};
/// let kernel = "poly:2".parse()?;
/// let examples = examples(kernel, &[vec![0.0], vec![2.0]], &[Minus, Plus], &[1.0; 2]);
/// assert_eq!(squared_radius(&examples), 25.0);
/// # Ok::<(), rosenblatt_core::space::UnknownKernel>(())
/// ```
pub fn squared_radius(examples: &[Example]) -> f64 {
    examples.iter().enumerate().map(|(i, example)| example.x[i]).fold(0.0, f64::max)
}

/// The vote on a row: Σₜ sgn(wₜ·x + bₜ), one vote of the hyperplane after each visit (Freund & Schapire 1999, Figure 1,
/// where a hyperplane that survives c visits has c votes). `values` are K(x₁, x), …, K(xₙ, x).
///
/// wₜ·x is Σ y·τ·K(xⱼ, x) over the updates up to visit t, without rounding; the run must begin at 0. A run in feature space votes by the kernel
/// x·z.
///
/// x = 1 with +1 and x = 2 with −1 are mistakes in two epochs without a bias: w is 1, −1, 0, −2. On x = 1 the votes are
/// +1, −1, sgn(0) and −1.
/// ```
/// use rosenblatt_core::{data::{Sign::{Minus, Plus}, ZeroScore}, space::Kernel};
/// use rosenblatt_core::reference::{Settings, dual::{examples, kernel_values, train, vote}};
/// let rows = [vec![1.0], vec![2.0]];
/// let examples = examples(Kernel::Linear, &rows, &[Plus, Minus], &[1.0; 2]);
/// let settings = Settings { bias_unit: 0.0, ..Settings::default() };
/// let run = train(&examples, &settings, &[vec![0, 1], vec![0, 1]]);
/// let values = kernel_values(Kernel::Linear, &rows, &[1.0]);
/// assert_eq!(vote(&run, &values, ZeroScore::Positive), 0);
/// assert_eq!(vote(&run, &values, ZeroScore::Negative), -2);
/// ```
pub fn vote(run: &RunHistory, values: &[f64], zero: ZeroScore) -> i64 {
    let (mut product, mut votes) = (Accumulator::new(), 0);
    for visit in run.visits() {
        product.add_product(visit.step.unwrap_or(0.0), values[visit.example]);
        let mut score = product.clone();
        score.add(visit.after.bias);
        votes += rule::predicted(score.sign(), zero) as i64;
    }
    votes
}
