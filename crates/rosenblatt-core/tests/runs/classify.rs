//! A classifier alone decides as a model without scaling, and a score of 0 predicts the chosen class.

use crate::common::{bits, cases, draw};
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Decision, Labelled, Scheme, Sign, ZeroScore},
    keep::{Keep, Tally},
    model::PredictOptions,
    schedule::Init,
    train::{Options, Resources, fit},
};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn classifiers_decide_as_models_do(
        table in prop_oneof![draw::table(draw::integer()), draw::moderate_table()],
        (options, kernel) in (draw::whole_epochs(), prop_oneof![Just(None), draw::kernel().prop_map(Some)]),
        keep in proptest::sample::select(vec![Keep::Last, Keep::Average, Keep::Vote]),
        tally in proptest::sample::select(Tally::ALL.to_vec()),
        positive in prop_oneof![Just(Some(0)), Just(Some(1)), Just(None)],
    ) {
        let options = Options { init: Init::Zero, kernel, keep, ..options };
        let rows = table.matrix();
        let classes: Vec<u32> = table.signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect();
        let several = Scheme::OneVsRest { classes: 2 };
        let scheme = positive.map_or(several, |positive| Scheme::Two { positive });
        let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
        let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
        let how = PredictOptions { tally, ..PredictOptions::default() };
        let by = |zero| Decision { scheme, zero };
        let plain = run.classifier.classify(&rows, by(ZeroScore::Positive), how, true).unwrap();
        let negative = by(ZeroScore::Negative);
        let found = run.classifier.classify(&rows, negative, PredictOptions { threads: 2, ..how }, true).unwrap();
        for (expected, zero) in [(&plain, ZeroScore::Positive), (&found, ZeroScore::Negative)] {
            if positive.is_some() {
                let model = crate::common::model(run.classifier.clone(), &labelled, zero);
                let predicted = model.classify(&rows, how, true).unwrap();
                prop_assert_eq!(bits(&expected.scores), bits(&predicted.scores));
                prop_assert_eq!(&expected.classes, &predicted.classes);
            }
        }
        prop_assert_eq!(bits(&found.scores), bits(&plain.scores));
        for (row, scores) in plain.scores.chunks(scheme.hyperplanes()).enumerate() {
            let expected = match (positive, scores) {
                // Numbers of this size do not underflow: a score of 0 is exactly 0.
                (Some(positive), [score]) if *score == 0.0 => {
                    prop_assert_eq!(plain.classes[row], positive as u32);
                    1 - positive as u32
                }
                _ => plain.classes[row],
            };
            prop_assert_eq!(found.classes[row], expected);
        }
        prop_assert!(run.classifier.classify(&rows, negative, how, false).unwrap().scores.is_empty());
    }
}
