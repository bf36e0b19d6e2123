//! What the search proves agrees with runs of any options.

use proptest::prelude::*;
use rosenblatt_core::{
    data::{Examples, Labelled, Scheme, Sign},
    schedule::Order,
    train::{Bias, Fit, Options, Resources, TrainError, fit},
};
use rosenblatt_proofs::{Convergence, SeparabilityOptions, Verdict, convergence, separable};

use crate::common::{cases, draw};
use draw::Table;

fn run(table: &Table, options: &Options) -> Result<Fit, TrainError> {
    let rows = table.matrix();
    let classes: Vec<u32> = table.signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect();
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
    fit(&labelled, options, &Resources::default(), None, &mut ())
}

/// The margins that `separable` proves, of the vectors of this bias.
fn proven(examples: &Examples<'_>, bias: Bias) -> Option<(f64, f64)> {
    let asked = SeparabilityOptions { with_bias: bias != Bias::None, ..Default::default() };
    let Verdict::Yes { margins: Some(margins), .. } = separable(examples, &asked, &mut || false)
    else {
        return None;
    };
    let bracket = match bias {
        Bias::Unit => margins.unit_bias,
        Bias::None => margins.no_bias,
        Bias::Radius => margins.free_bias,
        Bias::Feature(_) => None,
    };
    bracket.map(|bracket| (bracket.lower, bracket.upper))
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn margins_of_a_report_enclose_those_of_the_search(
        table in draw::moderate_table(),
        options in draw::options(),
    ) {
        let rows = table.matrix();
        let options = Options { epochs: 30, ..options };
        let Ok(Fit { report, .. }) = run(&table, &options) else { return Ok(()) };
        if options.kernel.is_none() && let Some((lower, upper)) = proven(&table.examples(&rows), options.bias) {
            prop_assert!(report.margin.lower.is_none_or(|found| found <= upper), "{:?} > {upper}", report.margin);
            prop_assert!(report.margin.upper.is_none_or(|found| found >= lower), "{:?} < {lower}", report.margin);
        }
    }

    #[test]
    fn a_run_that_always_ends_does(table in draw::moderate_table(), options in draw::options()) {
        let is_slow = options.decay.is_some() || matches!(options.bias, Bias::Feature(_));
        let is_integer = table.rows.iter().flatten().all(|x| x.fract() == 0.0 && x.abs() < 10.0);
        if is_slow || options.order == Order::Mistaken || !is_integer || options.check().is_err() {
            return Ok(());
        }
        let (epochs, allow_mistakes, plateau) = (3000, 0, false);
        let options = Options { epochs, allow_mistakes, plateau, eta: 1.0, compare: false, ..options };
        let rows = table.matrix();
        let examples = table.examples(&rows);
        let search =
            SeparabilityOptions { with_bias: options.bias != Bias::None, ..Default::default() };
        let verdict = separable(&examples, &search, &mut || false);
        let found = convergence(&examples, &options, &verdict, &search, &mut || false);
        if found.convergence() == Some(Convergence::Always) {
            prop_assert!(run(&table, &options).is_ok_and(|run| run.report.converged));
        }
    }
}
