//! Learning rates that fall from epoch to epoch.

use rosenblatt::{
    Perceptron,
    study::{Plan, study},
};
use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::Keep,
    options::{Decay, Penalty},
    rules::Update,
    schedule::Order,
    space::Hyperplane,
    train::{ClassWeight, Learner, OptionError, Options, TrainError, train},
};
use rosenblatt_proofs::{Convergence, SeparabilityOptions, convergence, separable};

fn falling(decay: Decay) -> Options {
    Options { decay: Some(decay), order: Order::Given, keep: Keep::Last, ..Options::default() }
}

fn and() -> (Rows<'static>, [Sign; 4]) {
    let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2).unwrap();
    (rows, [Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus])
}

/// AND by hand, where the steps of epoch t are 1/√t: 1, 0.7071067811865475, 0.5773502691896258 and 0.5. The case
/// `falling-rate` has the steps 1/t.
#[test]
fn steps_fall_by_the_root() {
    let (rows, signs) = and();
    let examples = Examples::new(&rows, &signs).unwrap();
    let run = train(&examples, &falling(Decay::SquareRoot), &mut ()).unwrap();
    let expected = Hyperplane { weights: vec![1.2071067811865475, 1.0], bias: -1.7844570503761732 };
    assert_eq!(run.hyperplane, expected);
    assert_eq!(run.report.mistakes_per_epoch, [2, 3, 3, 1, 0]);
}

/// The bound on the updates is about one rate. The weights still bound the margin.
#[test]
fn there_is_no_bound_on_the_updates() {
    let (rows, signs) = and();
    let examples = Examples::new(&rows, &signs).unwrap();
    for decay in [Decay::Epoch, Decay::SquareRoot] {
        let report = train(&examples, &falling(decay), &mut ()).unwrap().report;
        assert_eq!(report.novikoff_bound, None);
        // γ is the margin of (x, 1): 1/√29 ≈ 0.1857.
        let (lower, upper) = (report.margin.lower.unwrap(), report.margin.upper.unwrap());
        assert!(lower <= 0.1857 && 0.1856 <= upper, "{lower} {upper}");
        let options = Options { order: Order::Shuffle, ..falling(decay) };
        let found = study(&examples, &options, &Plan { runs: 5, threads: 1 }, &()).unwrap();
        assert_eq!((found.theorem.bound, found.converged()), (None, 5));
    }
}

/// The answer for separable and for inseparable examples is that of one rate; the module has the proof.
#[test]
fn runs_end_where_those_of_one_rate_do() {
    let (rows, signs) = and();
    let xor = [Sign::Minus, Sign::Plus, Sign::Plus, Sign::Minus];
    let search = SeparabilityOptions::default();
    for (signs, expected) in [(signs, Convergence::Always), (xor, Convergence::Never)] {
        let examples = Examples::new(&rows, &signs).unwrap();
        let verdict = separable(&examples, &search, &mut || false);
        for update in [Update::PERCEPTRON, Update::margin(1.0)] {
            let options = Options { update, ..falling(Decay::Epoch) };
            let found = convergence(&examples, &options, &verdict, &search, &mut || false);
            assert_eq!(found.convergence(), Some(expected));
        }
    }
}

#[test]
fn what_it_does_not_suit_is_refused() {
    let penalty = Some(Penalty { alpha: 0.1, l1_ratio: 0.0 });
    let with_rule = |update| Options { update, ..falling(Decay::Epoch) };
    let rules = [Update::PA, Update::pa1(1.0), Update::arow(1.0), Update::second_order(1.0)];
    let mut refused: Vec<Options> = rules.map(with_rule).into();
    refused.push(Options { penalty, ..falling(Decay::Epoch) });
    for options in refused {
        assert!(matches!(options.check(), Err(OptionError::DecayWith(_))), "{options:?}");
    }
    let learner = Learner::new(&falling(Decay::Epoch), 2).map(drop);
    assert_eq!(learner, Err(TrainError::Option(OptionError::NotOneByOne)));
    assert!(Perceptron::new().decay(Decay::Epoch).online(&["a", "b"]).is_err());
}

/// The least number divided by 2 is 0 by rounding, and no rate may be 0.
#[test]
fn a_rate_does_not_fall_to_zero() {
    let (rows, signs) = and();
    let examples = Examples::new(&rows, &signs).unwrap();
    let least = Options { eta: f64::from_bits(1), epochs: 1, ..falling(Decay::Epoch) };
    assert!(train(&examples, &least, &mut ()).is_ok());
    let two = Options { epochs: 2, ..least.clone() };
    let error = train(&examples, &two, &mut ()).unwrap_err();
    assert_eq!(error, TrainError::Option(OptionError::Rate(0.0)));
    let class_weight = ClassWeight::Given(vec![1.0, f64::from_bits(1)]);
    let weighted = Options { class_weight, epochs: 2, ..falling(Decay::Epoch) };
    assert!(train(&examples, &weighted, &mut ()).is_err());
}
