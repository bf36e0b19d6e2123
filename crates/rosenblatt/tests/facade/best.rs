//! The choice among settings, against a loop that makes it with the crate itself.

use rosenblatt::{
    Decision, Error, Model, Perceptron, Resources, Rows, Run, Splitter,
    recipe::{Choice, Chooser, Part, Recipe, Setting, Table, settings},
};

/// Numbers in no order, from 0 to 1: those of splitmix64.
fn numbers(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    })
}

/// `n` rows of six features, the class of which is that of a sum with noise; with `share` 0.5 it is a coin.
fn table(n: usize, seed: u64, share: f64) -> (Rows<'static>, Vec<&'static str>) {
    let mut next = numbers(seed);
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let row: Vec<f64> = next.by_ref().take(6).map(|x| 10.0 * x * x).collect();
        let is_high = row[0] + 2.0 * row[1] - row[2] > 5.0;
        let keeps = next.next().unwrap() < share;
        labels.push(if is_high == keeps { "yes" } else { "no" });
        values.extend(row);
    }
    (Rows::dense(values, 6).unwrap(), labels)
}

fn mean(model: &Model) -> f64 {
    model.validation().folds.as_ref().unwrap().mean
}

/// Each fold is judged by the model that the others make when nothing else is known.
#[test]
fn no_row_is_judged_by_a_setting_that_it_chose() {
    let (rows, labels) = table(120, 3, 0.85);
    let numbers: Vec<u32> = labels.iter().map(|&label| u32::from(label == "yes")).collect();
    let perceptron = Perceptron::new().seed(5);
    let found = perceptron.clone().folds(4).best().fit(&rows, &labels).unwrap();
    let mut accuracies = Vec::new();
    for split in Splitter::new(&rows, &numbers, None).folds(4, 5).unwrap() {
        let of = |places: &[usize]| places.iter().map(|&place| labels[place]).collect::<Vec<_>>();
        let model =
            perceptron.clone().best().fit(&rows.select(&split.train), &of(&split.train)).unwrap();
        let predicted = model.predict_rows(&rows.select(&split.test)).unwrap().classes;
        let right = predicted
            .iter()
            .zip(of(&split.test))
            .filter(|&(&class, label)| model.labels()[class as usize] == label);
        accuracies.push(right.count() as f64 / split.test.len() as f64);
    }
    assert_eq!(found.validation().folds.as_ref().unwrap().accuracies, accuracies);
    let whole = perceptron.best().fit(&rows, &labels).unwrap();
    assert_eq!(found.classifier(), whole.classifier());
    assert_eq!(found.validation().swept, whole.validation().swept);
}

/// The model is that of the setting alone, and threads change nothing.
#[test]
fn the_model_is_that_of_the_best_setting() {
    let (rows, labels) = table(150, 8, 0.8);
    let fit = |threads| {
        let run =
            Run { resources: Resources { threads, ..Resources::default() }, ..Run::default() };
        Perceptron::new().folds(3).best().fit_with(&rows, &labels, run).unwrap()
    };
    let [one, many] = [1, 7].map(fit);
    assert_eq!(one.classifier(), many.classifier());
    assert_eq!(one.validation(), many.validation());
    let swept = &one.validation().swept;
    let all = settings(Perceptron::new().options(), Default::default());
    assert_eq!(swept.len(), all.len());
    let best = swept.iter().map(|one| one.accuracy).fold(0.0, f64::max);
    let chosen = &all[swept.iter().position(|one| one.accuracy == best).unwrap()];
    let numbers: Vec<u32> = labels.iter().map(|&label| u32::from(label == "yes")).collect();
    let scheme = rosenblatt::Scheme::Two { positive: 1 };
    let table = Table { rows: &rows, numbers: &numbers, scheme, weights: None, refilled: None };
    let recipe = Recipe {
        options: &chosen.options,
        prepare: chosen.prepare,
        resources: Resources::default(),
        dense_limit: 1 << 20,
    };
    let part = Part::whole(table);
    let fit = recipe.prepare(&part, None).unwrap().fit(None, &mut ()).unwrap();
    assert_eq!(&fit.classifier, one.classifier());
    let decision = Decision { scheme, zero: chosen.options.zero };
    assert_eq!(one.decision(), decision);
}

/// With labels that chance deals out to rows, as many of either, the accuracy is a half: of 1,200 rows its standard deviation is 1.4
/// points.
#[test]
fn the_accuracy_of_chance_is_a_half() {
    let accuracy = |seed| {
        let (rows, _) = table(600, 100 + seed, 0.5);
        let mut order: Vec<(f64, usize)> = numbers(200 + seed).zip(0..600).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut labels = vec!["no"; 600];
        order[..300].iter().for_each(|&(_, row)| labels[row] = "yes");
        mean(&Perceptron::new().seed(seed).folds(5).best().fit(&rows, &labels).unwrap())
    };
    let all = [1, 2].map(accuracy);
    assert!((0.456..0.544).contains(&(all.iter().sum::<f64>() / 2.0)), "{all:?}");
}

/// A setting whose run fails is not chosen; if it is the first, the error is told.
#[test]
fn settings_that_fail() {
    let (rows, labels) = table(60, 1, 0.9);
    let numbers: Vec<u32> = labels.iter().map(|&label| u32::from(label == "yes")).collect();
    let scheme = rosenblatt::Scheme::Two { positive: 1 };
    let table = Table { rows: &rows, numbers: &numbers, scheme, weights: None, refilled: None };
    let base = Perceptron::new().options().clone();
    let setting = |words: &str| Setting {
        words: words.to_owned(),
        options: base.clone(),
        prepare: Default::default(),
    };
    let run = |failing: usize| -> Result<Choice, Error> {
        let all = [setting("a"), setting("b")];
        let all = all.map(|setting| match setting.words == ["a", "b"][failing] {
            true => Setting {
                options: rosenblatt::Options { eta: f64::MAX, ..setting.options },
                ..setting
            },
            false => setting,
        });
        let make_run = |prepared: &rosenblatt::recipe::Prepared<'_>| prepared.fit(None, &mut ());
        let chooser = Chooser {
            settings: &all,
            groups: None,
            make_run: &make_run,
            is_over: |_: &Error| false,
        };
        let recipe = Recipe {
            options: &base,
            prepare: Default::default(),
            resources: Resources::default(),
            dense_limit: 1 << 20,
        };
        chooser.choose(&recipe, &Part::whole(table))
    };
    let choice = run(1).unwrap();
    assert_eq!((choice.best, choice.measured[1].accuracy), (0, 0.0));
    assert!(run(0).is_err());
}
