//! Data for the property tests: numbers of every size and kind, rows, signs and options.

use proptest::{collection::vec, prelude::*, strategy::Union};
use rosenblatt_core::{
    data::{Examples, Rows, Sign, ZeroScore},
    keep::Keep,
    options::{Decay, Penalty},
    rules::{self, Mistake, Update},
    schedule::{Init, Order},
    space::Kernel,
    train::{Bias, ClassWeight, Multiclass, Options},
};

/// The exponent field of the largest numbers drawn: they stay below 2¹⁰⁰⁰ ≈ 10³⁰¹, so that some dozens of updates and
/// the sums of an average do not overflow.
const LARGEST_EXPONENT: u64 = 1023 + 995;

/// A number whose exponent field is in the range: 0 means subnormal.
fn with_exponent(fields: std::ops::RangeInclusive<u64>) -> impl Strategy<Value = f64> {
    (any::<bool>(), fields, 0..1u64 << 52).prop_map(|(negative, exponent, fraction)| {
        f64::from_bits(u64::from(negative) << 63 | exponent << 52 | fraction)
    })
}

/// Small integers: sums of them are often exactly 0.
pub(crate) fn integer() -> BoxedStrategy<f64> {
    (-3i8..=3).prop_map(f64::from).boxed()
}

/// Tenths, as in decimal files: sums that would be 0 as decimals are not 0 as floats, and rounding errors decide their
/// signs.
pub(crate) fn tenth() -> BoxedStrategy<f64> {
    (-20i8..=20).prop_map(|tenths| f64::from(tenths) / 10.0).boxed()
}

/// Any exponent, subnormal numbers included.
pub(crate) fn wide() -> BoxedStrategy<f64> {
    with_exponent(0..=LARGEST_EXPONENT).boxed()
}

/// Any finite number.
pub(crate) fn finite() -> BoxedStrategy<f64> {
    with_exponent(0..=2046).boxed()
}

/// Numbers near underflow.
pub(crate) fn tiny() -> BoxedStrategy<f64> {
    with_exponent(0..=3).boxed()
}

/// Small multiples of the smallest number: products with tenths underflow to the wrong neighbor.
pub(crate) fn smallest() -> BoxedStrategy<f64> {
    (-5i8..=5).prop_map(|times| f64::from(times) * f64::from_bits(1)).boxed()
}

/// Products of two of them overflow.
pub(crate) fn huge() -> BoxedStrategy<f64> {
    with_exponent(LARGEST_EXPONENT - 60..=LARGEST_EXPONENT).boxed()
}

/// Numbers with full mantissas and similar size: every sum is rounded.
pub(crate) fn ordinary() -> BoxedStrategy<f64> {
    with_exponent(1020..=1026).boxed()
}

/// Any finite number of single precision.
pub(crate) fn single() -> BoxedStrategy<f64> {
    let value = |bits| Some(f32::from_bits(bits)).filter(|value| value.is_finite()).map(f64::from);
    any::<u32>().prop_filter_map("not finite", value).boxed()
}

/// Every kind of number, including zeros of both signs.
pub(crate) fn kinds() -> Vec<BoxedStrategy<f64>> {
    let mut kinds =
        vec![integer(), tenth(), ordinary(), single(), wide(), huge(), tiny(), smallest()];
    kinds.push(Union::new(kinds.clone()).boxed());
    kinds.into_iter().map(with_zeros).collect()
}

fn with_zeros(numbers: BoxedStrategy<f64>) -> BoxedStrategy<f64> {
    prop_oneof![8 => numbers, 1 => Just(0.0), 1 => Just(-0.0)].boxed()
}

/// Rows with their signs; both signs occur.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) signs: Vec<Sign>,
}

impl Table {
    pub(crate) fn matrix(&self) -> Rows<'static> {
        Rows::dense(self.rows.concat(), self.rows[0].len()).unwrap()
    }

    pub(crate) fn examples<'a>(&'a self, matrix: &'a Rows<'a>) -> Examples<'a> {
        Examples::new(matrix, &self.signs).unwrap()
    }
}

/// 2 to 12 rows of 1 to 6 such numbers, some of them repeated, with random signs.
pub(crate) fn table(numbers: BoxedStrategy<f64>) -> impl Strategy<Value = Table> {
    let rows =
        (1usize..=6).prop_flat_map(move |features| vec(vec(numbers.clone(), features), 2..=12));
    (rows, vec(any::<bool>(), 12), vec((0usize..12, 0usize..12), 0..=2)).prop_map(
        |(mut rows, plus, copies)| {
            let n = rows.len();
            for (from, to) in copies {
                rows[to % n] = rows[from % n].clone();
            }
            let mut signs: Vec<Sign> = plus[..n].iter().map(|&plus| sign(plus)).collect();
            if signs.iter().all(|&sign| sign == signs[0]) {
                signs[n - 1] = -signs[0];
            }
            Table { rows, signs }
        },
    )
}

/// Numbers of similar size, so that nothing over- or underflows.
pub(crate) fn moderate_table() -> impl Strategy<Value = Table> {
    prop_oneof![table(integer()), table(tenth()), table(ordinary())]
}

/// A table of numbers of any one kind.
pub(crate) fn any_table() -> impl Strategy<Value = Table> {
    Union::new(kinds().into_iter().map(|numbers| table(numbers).boxed()))
}

/// Valid options of every kind for two classes, at most 5 epochs. Every field is drawn: a new one does not compile until it is.
pub(crate) fn options() -> impl Strategy<Value = Options> {
    (drawn(), 0usize..GIVE_WAY.len()).prop_map(|(options, from)| valid(options, from))
}

/// Such options of the perceptron's rule in feature space without a penalty, which keep the last weights.
pub(crate) fn perceptron() -> impl Strategy<Value = Options> {
    drawn().prop_map(|options| valid(Options { update: Update::PERCEPTRON, ..plain(options) }, 0))
}

/// Such options of that rule whose epochs visit all examples, as votes and more than one hyperplane need.
pub(crate) fn whole_epochs() -> impl Strategy<Value = Options> {
    perceptron().prop_map(visiting_all)
}

/// Such options for examples that come one by one.
pub(crate) fn one_rate() -> impl Strategy<Value = Options> {
    whole_epochs().prop_map(|options| Options { decay: None, ..options })
}

/// Such options of another rule.
pub(crate) fn other_rule() -> impl Strategy<Value = Options> {
    let others = drawn().prop_filter("another rule", |it| it.update != Update::PERCEPTRON);
    others.prop_map(|options| valid(plain(options), 0))
}

/// Such options of another rule whose weights are a combination of rows, as kernels and votes need.
pub(crate) fn row_rule() -> impl Strategy<Value = Options> {
    let sums_rows = |options: &Options| options.update.rule().precise.is_none();
    other_rule().prop_filter("precisions", sums_rows)
}

/// Such options of any rule that allows it with a penalty, which keep what `auto` does.
pub(crate) fn penalized() -> impl Strategy<Value = Options> {
    (prop_oneof![perceptron(), row_rule()], penalty()).prop_map(|(options, penalty)| {
        let (penalty, keep) = (Some(penalty), Keep::Auto);
        visiting_all(Options { penalty, keep, decay: None, ..options })
    })
}

/// These options with another order if their epochs visit only one example.
pub(crate) fn visiting_all(options: Options) -> Options {
    let order = if options.order == Order::Mistaken { Order::Given } else { options.order };
    Options { order, ..options }
}

/// These options in feature space without a penalty, of a run that keeps the last weights alone.
fn plain(options: Options) -> Options {
    let (kernel, penalty, keep) = (None, None, Keep::Last);
    let (classes, compare) = (Multiclass::Auto, false);
    Options { kernel, penalty, keep, classes, compare, ..options }
}

fn bias() -> impl Strategy<Value = Bias> {
    prop_oneof![
        3 => Just(Bias::Unit),
        1 => Just(Bias::None),
        1 => Just(Bias::Radius),
        1 => (1e-3..1e3).prop_map(Bias::Feature),
    ]
}

fn class_weight() -> impl Strategy<Value = ClassWeight> {
    prop_oneof![
        2 => Just(ClassWeight::Uniform),
        1 => Just(ClassWeight::Balanced),
        1 => (0.1..10.0, 0.1..10.0).prop_map(|(minus, plus)| ClassWeight::Given(vec![minus, plus])),
    ]
}

/// Options of which some can exclude each other.
fn drawn() -> impl Strategy<Value = Options> {
    let eta = prop_oneof![Just(1.0), Just(0.1), Just(0.5), Just(3.0), 1e-3..1e3];
    let boundary = (
        prop_oneof![Just(Mistake::Margin), Just(Mistake::Label)],
        prop_oneof![Just(ZeroScore::Positive), Just(ZeroScore::Negative)],
    );
    let order = prop_oneof![Just(Order::Shuffle), Just(Order::Given), Just(Order::Mistaken)];
    let decay = prop_oneof![
        2 => Just(None),
        1 => Just(Some(Decay::Epoch)),
        1 => Just(Some(Decay::SquareRoot)),
    ];
    let init = prop_oneof![2 => Just(Init::Zero), 1 => Just(Init::Random)];
    let run = (any::<u64>(), 1u64..=5, 0u64..=2);
    let weights = (
        prop_oneof![Just(Update::PERCEPTRON), update()],
        proptest::option::weighted(0.25, kernel()),
        proptest::option::weighted(0.25, penalty()),
        proptest::sample::select(vec![
            Keep::Auto,
            Keep::Last,
            Keep::Average,
            Keep::Pocket,
            Keep::Vote,
        ]),
        proptest::sample::select(vec![Multiclass::Auto, Multiclass::OneVsRest, Multiclass::Joint]),
        (any::<bool>(), any::<bool>()),
    );
    (bias(), (eta, decay), class_weight(), boundary, order, init, run, weights).prop_map(
        |(
            bias,
            (eta, decay),
            class_weight,
            (mistake, zero),
            order,
            init,
            (seed, epochs, allow_mistakes),
            (update, kernel, penalty, keep, classes, (compare, plateau)),
        )| Options {
            update,
            keep,
            kernel,
            penalty,
            bias,
            mistake,
            zero,
            order,
            init,
            seed,
            epochs,
            allow_mistakes,
            eta,
            decay,
            class_weight,
            classes,
            compare,
            plateau,
        },
    )
}

/// What gives way, in turn, until options are valid.
const GIVE_WAY: [fn(&mut Options); 9] = [
    |it| it.eta = 1.0,
    |it| it.decay = None,
    |it| it.class_weight = ClassWeight::Uniform,
    |it| *it = visiting_all(it.clone()),
    |it| it.init = Init::Zero,
    |it| it.penalty = None,
    |it| it.kernel = None,
    |it| it.keep = Keep::Last,
    |it| it.update = Update::PERCEPTRON,
];

/// Valid options from those that exclude each other: the first one that helps gives way, counted from `from`.
fn valid(mut options: Options, from: usize) -> Options {
    while options.check().is_err() {
        let mut ways = GIVE_WAY.iter().cycle().skip(from).take(GIVE_WAY.len()).map(|give_way| {
            let mut changed = options.clone();
            give_way(&mut changed);
            changed
        });
        let better = ways.clone().find(|changed| changed.check() != options.check());
        options = better.or(ways.next()).expect("there are some");
    }
    options
}

/// Penalties of both parts.
fn penalty() -> impl Strategy<Value = Penalty> {
    let alpha = prop_oneof![Just(0.0), Just(0.25), Just(1e-3), 1e-6..2.0];
    let l1_ratio = prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0f64];
    (alpha, l1_ratio).prop_map(|(alpha, l1_ratio)| Penalty { alpha, l1_ratio })
}

/// Every existing rule except the perceptron's, so that a new rule is drawn as well.
fn update() -> impl Strategy<Value = Update> {
    let parameter = prop_oneof![1 => Just(0.0), 2 => Just(1.0), 1 => Just(0.25), 3 => 1e-2..1e2];
    let others: Vec<_> = rules::ALL.iter().filter(|rule| rule.name != "perceptron").collect();
    (proptest::sample::select(others), parameter).prop_map(|(rule, drawn)| {
        let text = match rule.parameter {
            None => rule.name.to_owned(),
            Some(parameter) if parameter.allows(drawn) => format!("{}:{drawn}", rule.name),
            Some(_) => format!("{}:1", rule.name),
        };
        text.parse().unwrap()
    })
}

/// Kernels of every kind, with and without rounding of their own.
pub(crate) fn kernel() -> impl Strategy<Value = Kernel> {
    let coef0 = prop_oneof![Just(1.0), Just(0.0), Just(0.3)];
    let gamma = prop_oneof![Just(1.0), Just(0.5), Just(0.1)];
    let poly = |(degree, coef0, gamma)| Kernel::Poly { degree, coef0, gamma };
    prop_oneof![
        Just(Kernel::Linear),
        (1u32..=4, coef0, gamma).prop_map(poly),
        prop_oneof![Just(0.5), 1e-3..3.0].prop_map(|gamma| Kernel::Rbf { gamma }),
    ]
}

fn sign(plus: bool) -> Sign {
    if plus { Sign::Plus } else { Sign::Minus }
}
