//! Statements about numbers as they are written: decimals, of which the examples have the nearest floats.
//!
//! Most questions about well separated examples have the same answer for both. Each float lies at most half a unit of its last
//! place from its decimal, so every row moves by at most some d, and every margin too: a separator of the floats whose margin
//! is above d separates the decimals, and a bracket of a margin, widened by d, is one of theirs. Where that is not enough, the
//! decimals themselves decide, as integers in units of their columns ([`scaled`]). The rows and multipliers of a proof hold
//! for these as they do for the decimals; weights are brought back to the units of the columns.

mod check;
mod least_errors;
mod numeral;
mod scaled;

use std::{cell::OnceCell, iter::Peekable, ops::Range};

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use self::{
    numeral::Numeral,
    scaled::{Scaled, Source, TooLong},
};
use super::{
    Bracket, Certificate, Compression, Ended, MarginBounds, Margins, Numbers, SeparabilityOptions,
    SeparationCertificate, SeparationVerdict, Verdict, compress,
    integers::dyadic,
    rounding::{Rounding, float, root_of_quotient},
    separable, separation,
    separation::multiples,
};
use crate::check::verify::{parse_integer, score};
use rosenblatt_core::data::{Decimal, Examples, Row};
use rosenblatt_exact as exact;

/// How the floats of examples are written: each as its shortest decimal, but for these.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decimals {
    /// The numbers that are written otherwise, ascending by row and then by feature, counted from 0.
    pub others: Vec<OtherDecimal>,
    /// The last features are products: for each of these pairs of ranges of the features before them, those of each feature of
    /// the first range with each of the second, the last of which changes fastest.
    pub products: Vec<[Range<usize>; 2]>,
}

impl Decimals {
    /// The number of features that are products.
    fn product_count(&self) -> usize {
        self.products.iter().map(|[first, second]| first.len() * second.len()).sum()
    }

    /// The two factors of each product, in order.
    fn factors(&self) -> impl Iterator<Item = [usize; 2]> {
        let pairs = |[first, second]: &[Range<usize>; 2]| {
            let second = second.clone();
            first.clone().flat_map(move |i| second.clone().map(move |j| [i, j]))
        };
        self.products.iter().flat_map(pairs)
    }
}

/// A number that is not written as the shortest decimal of its float.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherDecimal {
    /// Its row.
    pub row: usize,
    /// Its feature.
    pub feature: usize,
    /// Its value, to which the float is nearest.
    pub value: Decimal,
}

/// Every float is the number that it is written as.
static NONE: Decimals = Decimals { others: vec![], products: vec![] };

/// The answer for decimals, and that for their floats.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenVerdict {
    /// The answer for the decimals.
    pub verdict: Verdict,
    /// Whether the floats are separable; `None` if that is not known.
    pub of_floats: Option<bool>,
}

/// Examples whose numbers are decimals. Questions and proofs are about the decimals, not about the floats.
///
/// ```
/// use rosenblatt_core::data::{Examples, Rows, Sign};
/// use rosenblatt_proofs::{Decimals, SeparabilityOptions, Written, separable};
/// use Sign::{Minus, Plus};
/// // As decimals the rows lie on a line, the negative one between the others; the floats do not.
/// let rows = Rows::dense(vec![0.1, 0.3, 0.2, 0.6, 0.3, 0.9], 2)?;
/// let examples = Examples::new(&rows, &[Plus, Minus, Plus])?;
/// let options = SeparabilityOptions::default();
/// assert_eq!(separable(&examples, &options, &mut || false).is_separable(), Some(true));
/// let decimals = Decimals::default();
/// let written = Written::new(examples, &decimals);
/// let found = written.separable(&options, &mut || false);
/// assert_eq!((found.verdict.is_separable(), found.of_floats), (Some(false), Some(true)));
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
pub struct Written<'a> {
    numbers: Numbers,
    floats: Examples<'a>,
    decimals: &'a Decimals,
    /// For each feature a bound on the distance of its floats from the decimals; 0 if they are equal.
    errors: Vec<f64>,
    scaled: OnceCell<Result<Scaled, TooLong>>,
}

impl<'a> Written<'a> {
    /// The examples with the floats nearest to the decimals. Cost: one pass.
    pub fn new(floats: Examples<'a>, decimals: &'a Decimals) -> Self {
        let errors = errors(&floats, decimals);
        Written { numbers: Numbers::Decimal, floats, decimals, errors, scaled: OnceCell::new() }
    }

    /// The examples with floats that are the numbers themselves.
    pub fn of_floats(floats: Examples<'a>) -> Self {
        let errors = vec![0.0; floats.features()];
        let (numbers, decimals) = (Numbers::Binary64, &NONE);
        Written { numbers, floats, decimals, errors, scaled: OnceCell::new() }
    }

    /// The numbers that questions and proofs are about.
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The examples with the nearest floats.
    pub fn floats(&self) -> &Examples<'a> {
        &self.floats
    }

    /// Whether all decimals are floats.
    fn is_exact(&self) -> bool {
        self.errors.iter().all(|&error| error == 0.0)
    }

    /// A feature, counted from 0, whose numbers differ too much in size, if a question failed for that.
    pub fn too_long(&self) -> Option<usize> {
        self.scaled.get()?.as_ref().err().map(|too_long| too_long.feature)
    }

    fn scaled(&self) -> Result<&Scaled, TooLong> {
        let all = || (0..self.floats.len()).collect::<Vec<_>>();
        self.scaled.get_or_init(|| Scaled::new(self, &self.floats, &all())).as_ref().map_err(|e| *e)
    }

    /// [`separable()`] for the decimals; the proof is checked.
    ///
    /// Cost: that of [`separable()`] for the floats; where these do not decide, another for the decimals, with a copy of the
    /// rows.
    pub fn separable(
        &self,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> WrittenVerdict {
        let near = separable(&self.floats, options, stop).confirmed(&self.floats);
        let of_floats = near.is_separable();
        let verdict = if self.is_exact() { near } else { self.decide(&near, options, stop) };
        WrittenVerdict { verdict, of_floats }
    }

    /// The answer for the decimals, by that for the floats if this is enough.
    fn decide(
        &self,
        near: &Verdict,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> Verdict {
        let distance = self.distance();
        if let Verdict::Yes { certificate, margins: Some(margins) } = near
            && margins.unit_bias.or(margins.no_bias).is_some_and(|margin| margin.lower > distance)
        {
            let (certificate, margins) = (certificate.clone(), Some(widened(margins, distance)));
            return Verdict::Yes { certificate, margins };
        }
        let decision = SeparabilityOptions { gap: f64::INFINITY, ..*options };
        if let Verdict::No { certificate: Certificate::No { rows, .. }, .. } = near
            && let Some(no) = self.no_of(rows, &decision, stop)
        {
            return no;
        }
        let unknown =
            |ended| Verdict::Unknown { upper: upper_bounds(near, options, distance), ended };
        let Ok(scaled) = self.scaled() else { return unknown(Ended::Length) };
        match separable(&scaled.examples(), &decision, stop).confirmed(&scaled.examples()) {
            Verdict::Yes { certificate, .. } => {
                let upper = upper_bounds(near, options, distance);
                self.yes(scaled, &certificate, upper).unwrap_or_else(|| unknown(Ended::Precision))
            }
            Verdict::Unknown { ended, .. } => unknown(ended),
            no => no,
        }
    }

    /// The answer *no*, if these rows, counted from 1, prove it for the decimals too.
    fn no_of(
        &self,
        rows: &[usize],
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Verdict> {
        let places: Vec<usize> = rows.iter().map(|row| row - 1).collect();
        let scaled = Scaled::new(self, &self.floats, &places).ok()?;
        let found = separable(&scaled.examples(), options, stop).confirmed(&scaled.examples());
        let Verdict::No { certificate, contradiction } = found else { return None };
        let Certificate::No { with_bias, rows, multipliers } = certificate else { return None };
        let rows = rows.iter().map(|row| places[row - 1] + 1).collect();
        let contradiction = contradiction.map(|(first, second)| (places[first], places[second]));
        let certificate = Certificate::No { with_bias, rows, multipliers };
        Some(Verdict::No { certificate, contradiction })
    }

    /// The answer *yes* with a separator of the scaled rows and bounds from above.
    fn yes(&self, scaled: &Scaled, found: &Certificate, upper: MarginBounds) -> Option<Verdict> {
        let with_bias = found.with_bias();
        let weights = scaled.outwards(integers(found)?);
        let good = |certificate: &Certificate| self.verify(certificate).is_ok();
        let certificate = [in_floats(&weights, with_bias), in_integers(&weights, with_bias)]
            .into_iter()
            .flatten()
            .find(good)?;
        let lower = self.lower(scaled, &integers(&certificate)?);
        let bracket = |upper: f64| Bracket { lower, upper };
        let margins = Margins {
            radius: rosenblatt_core::radius::radius(self.floats.rows()).length,
            unit_bias: upper.unit_bias.map(bracket),
            no_bias: upper.no_bias.map(bracket),
            // A margin of (x, 1) is a lower bound on one of x.
            free_bias: upper.free_bias.map(bracket),
            ended: Some(Ended::Precision),
        };
        Some(Verdict::Yes { certificate, margins: Some(margins) })
    }

    /// The margin of the vectors (x, 1), or of x without a bias, of separating weights in integers; rounded down.
    fn lower(&self, scaled: &Scaled, weights: &[BigInt]) -> f64 {
        // With a factor in common with these, the products of the scaled weights are those of the weights.
        let (bias, own) = (&weights[0], &weights[1..]);
        let inwards = scaled.inwards(weights.to_vec());
        let factor = |k: usize| !weights[k].is_zero();
        let Some(first) = (0..weights.len()).find(|&k| factor(k)) else { return 0.0 };
        let smallest =
            scaled.examples().iter().map(|row| score(&inwards[1..], &inwards[0], row)).min();
        let Some(smallest) = smallest.and_then(|smallest| smallest.to_biguint()) else {
            return 0.0;
        };
        let square: BigInt = own.iter().chain([bias]).map(|w| w * w).sum();
        let (top, bottom) = scaled.factor(first, &weights[first], &inwards[first]);
        // smallest · 2⁻¹⁰⁷⁴ · top/bottom / √square, as a root over an integer.
        let numerator = smallest * top;
        let squared = &numerator * &numerator * square.magnitude();
        let denominator = square.magnitude() * bottom;
        root_of_quotient(&squared, &denominator, -1074).lower
    }

    /// [`separation()`] for the decimals.
    pub fn separation(
        &self,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> SeparationVerdict {
        if self.is_exact() {
            return separation(&self.floats, options, stop);
        }
        let Ok(scaled) = self.scaled() else { return SeparationVerdict::Unknown(Ended::Length) };
        in_own_units(scaled, separation(&scaled.examples(), options, stop))
    }

    /// [`Verdict::separation`] for the decimals, from the verdict of [`Self::separable`].
    pub fn separation_of(
        &self,
        verdict: &Verdict,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> SeparationVerdict {
        if self.is_exact() {
            return verdict.separation(&self.floats, options, stop);
        }
        let Ok(scaled) = self.scaled() else { return SeparationVerdict::Unknown(Ended::Length) };
        let inwards = verdict.certificate().and_then(|yes| {
            in_integers(&scaled.inwards(integers(yes)?), options.with_bias)
                .map(|certificate| Verdict::Yes { certificate, margins: None })
        });
        // The multipliers of a proof are the same in all units.
        let found = inwards.as_ref().unwrap_or(verdict);
        in_own_units(scaled, found.separation(&scaled.examples(), options, stop))
    }

    /// [`compress()`] for the floats, if its separator separates the decimals too.
    pub fn compress(
        &self,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Compression> {
        let found = compress(&self.floats, options, stop)?;
        let wrong = self.count_errors(&found.separator.weights, found.separator.bias);
        (wrong == 0).then_some(found)
    }

    /// A bound on the distance of each row from its decimals.
    fn distance(&self) -> f64 {
        let columns = exact::norm(self.errors.iter().copied()).next_up();
        // A float differs by 2⁻⁵³ of itself at most, a product by three times as much; each number by less than 2⁻¹⁰⁷⁴ besides.
        let rows =
            rosenblatt_core::radius::radius(self.floats.rows()).length * (2.0 * f64::EPSILON);
        let least = self.floats.features() as f64 * f64::from_bits(1);
        columns.min((rows + least).next_up())
    }
}

impl Source for Written<'_> {
    fn each(&self, row: usize, places: &mut [usize], action: &mut dyn FnMut(usize, Numeral)) {
        let Decimals { others, products } = self.decimals;
        let own = self.floats.features() - self.decimals.product_count();
        let start = others.partition_point(|other| other.row < row);
        let mut others = others[start..].iter().take_while(|other| other.row == row).peekable();
        let row = self.floats.rows().row(row);
        if products.is_empty() {
            return own_numbers(row, own, &mut others, places, action);
        }
        let mut numbers: Vec<(usize, Numeral)> = Vec::new();
        own_numbers(row, own, &mut others, places, &mut |j, number| numbers.push((j, number)));
        let within = |range: &Range<usize>| {
            let before = |end| numbers.partition_point(|(j, _)| *j < end);
            &numbers[before(range.start)..before(range.end)]
        };
        let (mut of_row, mut start) = (Vec::new(), own);
        // A product of floats may be 0 although both factors are not.
        for [first, second] in products {
            for (i, one) in within(first) {
                let place = start + (i - first.start) * second.len();
                let product =
                    |(j, other): &(usize, Numeral)| (place + j - second.start, one.times(other));
                of_row.extend(within(second).iter().map(product));
            }
            start += first.len() * second.len();
        }
        numbers.into_iter().chain(of_row).for_each(|(j, number)| action(j, number));
    }
}

/// The numbers of a row that are no products and not 0.
fn own_numbers<'o>(
    floats: Row<'_>,
    own: usize,
    others: &mut Peekable<impl Iterator<Item = &'o OtherDecimal>>,
    places: &mut [usize],
    action: &mut dyn FnMut(usize, Numeral),
) {
    let of_other = |other: &OtherDecimal| (other.feature, Numeral::of(&other.value));
    let mut put = |(j, number): (usize, Numeral)| action(j, number);
    floats.for_each(|j, x| {
        std::iter::from_fn(|| others.next_if(|other| other.feature < j))
            .map(of_other)
            .for_each(&mut put);
        match others.next_if(|other| other.feature == j) {
            Some(other) => put(of_other(other)),
            None if x != 0.0 && j < own => put((j, Numeral::shortest(x, &mut places[j]))),
            None => {}
        }
    });
    others.map(of_other).for_each(put);
}

/// For each feature a bound on the distance of its floats from the decimals.
fn errors(floats: &Examples<'_>, decimals: &Decimals) -> Vec<f64> {
    let features = floats.features();
    let (mut largest, mut is_exact, mut is_whole) =
        (vec![0.0f64; features], vec![true; features], vec![true; features]);
    for row in floats.rows().iter() {
        row.for_each(|j, x| {
            largest[j] = largest[j].max(x.abs());
            let whole = is_integer(x);
            is_whole[j] &= whole;
            // A float of at most 15 digits is its shortest decimal.
            is_exact[j] &= whole || (x.abs() < 1e5 && is_integer(x * 1024.0));
        });
    }
    for other in &decimals.others {
        (is_exact[other.feature], is_whole[other.feature]) = (false, false);
    }
    let own = features - decimals.product_count();
    for (k, factors) in decimals.factors().enumerate() {
        is_exact[own + k] = is_whole[own + k] && factors.iter().all(|&j| is_whole[j]);
    }
    let error = |(j, largest): (usize, f64)| match is_exact[j] {
        true => 0.0,
        // One rounding, or three for a product.
        false if j < own => (largest * (f64::EPSILON / 2.0)).next_up(),
        false => (largest * (2.0 * f64::EPSILON)).next_up(),
    };
    largest.into_iter().enumerate().map(error).collect()
}

/// Whether a float is an integer up to 2⁵³, and so the decimal that is read as it.
fn is_integer(x: f64) -> bool {
    x.abs() <= 9_007_199_254_740_992.0 && x.round_ties_even() == x
}

/// Brackets of the margins of the floats as brackets of those of the decimals.
fn widened(margins: &Margins, distance: f64) -> Margins {
    let wide = |Bracket { lower, upper }| Bracket {
        lower: (lower - distance).next_down().max(0.0),
        upper: (upper + distance).next_up(),
    };
    Margins {
        unit_bias: margins.unit_bias.map(wide),
        no_bias: margins.no_bias.map(wide),
        free_bias: margins.free_bias.map(wide),
        ..*margins
    }
}

/// Bounds on the margins of the decimals from above, by an answer about the floats.
fn upper_bounds(near: &Verdict, options: &SeparabilityOptions, distance: f64) -> MarginBounds {
    let of_floats = match near {
        Verdict::Yes { margins: None, .. } => MarginBounds::default(),
        Verdict::Yes { margins: Some(margins), .. } => {
            let upper = |bracket: Option<Bracket>| bracket.map(|bracket| bracket.upper);
            MarginBounds {
                unit_bias: upper(margins.unit_bias),
                no_bias: upper(margins.no_bias),
                free_bias: upper(margins.free_bias),
            }
        }
        // The hull of the vectors contains 0, and those of the classes meet.
        Verdict::No { .. } => {
            let zero = |is_asked: bool| is_asked.then_some(0.0);
            let with_bias = options.with_bias;
            MarginBounds {
                unit_bias: zero(with_bias),
                no_bias: zero(!with_bias),
                free_bias: zero(with_bias),
            }
        }
        Verdict::Unknown { upper, .. } => *upper,
    };
    let wide = |upper: Option<f64>| upper.map(|upper| (upper + distance).next_up());
    MarginBounds {
        unit_bias: wide(of_floats.unit_bias),
        no_bias: wide(of_floats.no_bias),
        free_bias: wide(of_floats.free_bias),
    }
}

/// The bias and the weights of a separator as integers, up to a common factor.
fn integers(certificate: &Certificate) -> Option<Vec<BigInt>> {
    match certificate {
        Certificate::Yes { weights, bias, .. } => {
            let parts = [bias].into_iter().chain(weights).map(|&w| dyadic(w)).collect();
            Some(multiples(parts).into_iter().map(|(_, number)| number).collect())
        }
        Certificate::YesInIntegers { weights, bias, .. } => {
            [bias].into_iter().chain(weights).map(|digits| parse_integer(digits)).collect()
        }
        Certificate::No { .. } => None,
    }
}

/// The bias and the weights, which are integers, as floats near to them after division by a power of two.
fn in_floats(numbers: &[BigInt], with_bias: bool) -> Option<Certificate> {
    let most = numbers.iter().map(BigInt::bits).max().unwrap_or(0);
    // The largest becomes about 1, so that others far smaller are floats too.
    let number = |a: &BigInt| {
        let size = float(a.magnitude(), -(most as i64), Rounding::Nearest);
        if a.is_negative() { -size } else { size }
    };
    let floats: Vec<f64> = numbers.iter().map(number).collect();
    let (bias, weights) = floats.split_first()?;
    Some(Certificate::Yes { with_bias, weights: weights.to_vec(), bias: *bias })
}

fn in_integers(numbers: &[BigInt], with_bias: bool) -> Option<Certificate> {
    let mut weights: Vec<String> = numbers.iter().map(BigInt::to_string).collect();
    let bias = (!weights.is_empty()).then(|| weights.remove(0))?;
    Some(Certificate::YesInIntegers { with_bias, weights, bias })
}

/// An answer for scaled rows in the units of their columns.
fn in_own_units(scaled: &Scaled, found: SeparationVerdict) -> SeparationVerdict {
    let SeparationVerdict::Known(mut known) = found else { return found };
    match in_other_units(&known.certificate, |weights| scaled.change_units(weights, -1)) {
        Some(certificate) => known.certificate = certificate,
        None => return SeparationVerdict::Unknown(Ended::Precision),
    }
    SeparationVerdict::Known(known)
}

/// A proof with its weights and relations in other units, by a function that changes weights of columns. Coefficients of columns change as weights do. `None` if a number is none.
fn in_other_units(
    certificate: &SeparationCertificate,
    change: impl Fn(Vec<(usize, &mut BigInt)>),
) -> Option<SeparationCertificate> {
    let mut certificate = certificate.clone();
    let parsed = |all: &[String]| all.iter().map(|a| parse_integer(a)).collect::<Option<Vec<_>>>();
    let mut weights = parsed(&certificate.weights)?;
    weights.insert(0, parse_integer(&certificate.bias)?);
    change(weights.iter_mut().enumerate().collect());
    certificate.bias = weights.remove(0).to_string();
    certificate.weights = weights.iter().map(BigInt::to_string).collect();
    let columns = 0..=certificate.weights.len();
    for relation in &mut certificate.relations {
        let mut coefficients = parsed(&relation.coefficients)?;
        if !relation.columns.iter().all(|column| columns.contains(column)) {
            return None;
        }
        change(relation.columns.iter().copied().zip(&mut coefficients).collect());
        relation.coefficients = coefficients.iter().map(BigInt::to_string).collect();
    }
    Some(certificate)
}
