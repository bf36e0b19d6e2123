//! The sentences of `train`, each held against the run, its models and longer runs.

use rosenblatt_core::transforms::{PREPARE_OPTIONS, options_beyond_scaling};
use serde_json::Value;

use crate::{
    circuits::Circuits,
    common::Desk,
    draw::{Random, Table, Words},
};

/// Epochs of a run that is long for a few rows of small numbers.
const LONG: u64 = 20_000;

/// A run that was accepted.
pub(crate) struct Run<'a> {
    desk: &'a Desk,
    table: &'a Table,
    words: Words,
    json: Value,
    text: String,
}

impl<'a> Run<'a> {
    /// Trains with the first of some options, fewer and fewer, that the command accepts.
    pub(crate) fn new(
        desk: &'a Desk,
        table: &'a Table,
        words: &Words,
        random: &mut Random,
    ) -> Self {
        let mut words = words.clone();
        loop {
            let line = format!("train d.csv{} -o m.model", joined(&words));
            let done = desk.run(&line);
            if done.code == 0 {
                let json = desk.report(&line);
                return Run { desk, table, words, json, text: done.stdout };
            }
            assert!(done.code == 2 && !words.is_empty(), "{line}: {}", done.shown(&line));
            words.remove(random.below(words.len()));
        }
    }

    pub(crate) fn line(&self) -> String {
        format!("train d.csv{}", joined(&self.words))
    }

    /// Checks each line of the report, and that a run that converged is right on its rows.
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut title = "";
        for line in self.text.lines() {
            let first = line.split(' ').next().unwrap_or("");
            if !first.is_empty() {
                title = first;
            }
            let sentence = line[first.len()..].trim();
            self.judge(title, sentence).map_err(|why| format!("{title}: {sentence}: {why}"))?;
        }
        let last = self.errors_of("last");
        if self.json["converged"] == true && last == Some(0) && self.word("--keep") == "auto" {
            equal("errors of a run that converged", &self.json["training_errors"], &0.into())?;
        }
        if !self.has("--penalty") && self.word("--update") == "perceptron" {
            let mistakes: u64 = match self.word("--order") == "mistaken" {
                false => self.mistakes().iter().sum(),
                // One update in each epoch with more mistakes than are allowed.
                true => {
                    let allowed = self.json["options"]["allow_mistakes"].as_u64().unwrap();
                    self.mistakes().iter().filter(|&&count| count > allowed).count() as u64
                }
            };
            let visits = self.json["updates"].as_u64().unwrap();
            holds(self.has("--kernel") || visits == mistakes, "updates are not the mistakes")?;
        }
        Ok(())
    }

    #[allow(clippy::too_many_lines)] // one case after the other
    fn judge(&self, title: &str, sentence: &str) -> Result<(), String> {
        let numbers = numbers(sentence);
        let json = &self.json;
        let at = |place: usize| numbers.get(place).copied().unwrap_or(f64::NAN);
        match (title, sentence) {
            ("data", _) => {
                let sizes = format!(
                    "d.csv: {} examples, {} feature",
                    json["examples"],
                    self.table.decimals.len()
                );
                holds(sentence.starts_with(&sizes), "other sizes")
            }
            ("classes", _) if sentence.starts_with("only one example of ") => {
                holds(["n", "p", "q"].iter().any(|label| self.of_class(label) == 1), "none has")
            }
            ("classes", _) => self.classes(sentence),
            ("accuracy", _) if sentence.starts_with("not measured on held-out examples") => {
                let can_be = sentence.ends_with("; `--folds 5` measures it");
                holds(can_be == (self.rows() >= 5), "another number of folds")?;
                holds(json["folds"].is_null() && json["holdout"].is_null(), "it was measured")
            }
            ("accuracy", _) if sentence.contains("of the training examples") => {
                self.training_errors(at(1))
            }
            ("accuracy", _) if sentence.contains(" held-out example") => {
                let (rows, wrong) = (at(1), at(2));
                near(at(0), 100.0 * (1.0 - wrong / rows), 0.06)
            }
            ("accuracy", _) if sentence.contains(" of examples held out in ") => {
                let all: Vec<f64> = floats(&json["folds"]["accuracies"]);
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                near(at(0), 100.0 * mean, 0.06)?;
                let squares: f64 = all.iter().map(|a| (a - mean) * (a - mean)).sum();
                near(at(1), 100.0 * (squares / (all.len() - 1) as f64).sqrt(), 0.06)?;
                near(at(2), all.len() as f64, 0.0)
            }
            ("accuracy", _) if sentence.starts_with("of class `") => {
                self.rates()?;
                self.counts(sentence)
            }
            ("accuracy", _) if sentence.contains("never predicted") => {
                self.never_predicted(sentence)
            }
            ("accuracy", _) if sentence.starts_with("macro F1 ") => self.mean_rates(),
            ("accuracy", _) if sentence.starts_with("at most ") => self.guarantee(at(0)),
            ("accuracy", _) if sentence.starts_with("no guarantee for new examples: ") => {
                holds(json["guarantee"]["withheld"].is_string(), "there is one")
            }
            ("accuracy", _) if sentence.contains("in the first epoch") => {
                let first = self.mistakes()[0] as f64;
                let is_tie_wrong = sentence.ends_with("as wrong");
                holds(is_tie_wrong == (self.word("--mistake") == "margin"), "other ties")?;
                near(at(0), 100.0 * (1.0 - first / self.rows() as f64), 0.06)
            }
            ("accuracy", _) if sentence.contains("by always predicting") => self.baseline(sentence),
            ("outcome", _) => self.outcome(sentence, &numbers),
            ("run", _) => self.description(sentence),
            ("mistakes", _) => {
                let shown = sentence.split("  (").next().unwrap();
                let all: Vec<String> = self.mistakes().iter().map(u64::to_string).collect();
                holds(shown == all.join(" ") || shown.contains('…'), "other mistakes")
            }
            ("accuracy", _) if sentence.starts_with("recall of few examples") => {
                holds(json["folds"]["few"].is_array(), "none are few")
            }
            ("accuracy", _)
                if sentence.contains("counted as misclassified: the label is not in") =>
            {
                let unseen = &json["holdout"]["unseen_labels"]["examples"];
                holds(unseen.as_f64() == Some(at(0)), &format!("{unseen} are"))
            }
            ("copies", _) => self.copies(sentence, at(0)),
            ("q" | "p" | "n" | "class", _) if !sentence.contains(':') => Ok(()),
            ("support", _) => self.support(at(0)),
            ("margin" | "Novikoff", _) => self.margin(sentence, &numbers),
            ("weights", _) => self.weights(sentence),
            ("model", _) => self.kept(sentence),
            ("time", _) => Ok(()),
            _ => Err("a sentence without a check".to_owned()),
        }
    }

    /// The errors of the model, and of every other kind of weights that the run could have kept, are those of predictions.
    fn training_errors(&self, wrong: f64) -> Result<(), String> {
        if self.has("--holdout") {
            return Ok(()); // of rows that are not known here
        }
        let found = self.errors_of_model("m.model");
        holds(found as f64 == wrong, &format!("the model is wrong on {found}"))?;
        let others = self.json["errors"].as_object().into_iter().flatten();
        for (kept, errors) in
            others.filter(|(kept, _)| *kept != self.json["kept"].as_str().unwrap())
        {
            self.train(&[("--keep", kept)], "o.model");
            let found = self.errors_of_model("o.model");
            let problem = format!("the {kept} weights are wrong on {found}, not on {errors}");
            holds(Some(found) == errors.as_u64(), &problem)?;
        }
        Ok(())
    }

    fn rates(&self) -> Result<(), String> {
        let measured = if self.json["folds"].is_null() { "holdout" } else { "folds" };
        let rates = &self.json[measured];
        if !rates["unseen_labels"].is_null() {
            return Ok(()); // their rows are not in the table of known classes
        }
        let cell = |name: &str| rates["confusion"][name].as_f64().unwrap();
        let (tp, fp, fneg) =
            (cell("true_positive"), cell("false_positive"), cell("false_negative"));
        for (name, expected) in [
            ("precision", tp / (tp + fp)),
            ("recall", tp / (tp + fneg)),
            ("f1", 2.0 * tp / (2.0 * tp + fp + fneg)),
        ] {
            match rates[name].as_f64() {
                Some(rate) => near(rate, expected, 1e-12)?,
                None => holds(expected.is_nan(), &format!("{name} is {expected}"))?,
            }
        }
        Ok(())
    }

    /// The object of the held-out examples.
    fn measured(&self) -> &Value {
        &self.json[if self.json["folds"].is_null() { "holdout" } else { "folds" }]
    }

    /// The counts of the precision and of the recall of one of two classes are those of the confusion.
    fn counts(&self, sentence: &str) -> Result<(), String> {
        let class = sentence.split('`').nth(1).unwrap();
        let cell = |name: &str| self.measured()["confusion"][name].as_u64().unwrap();
        let is_plus = self.json["positive"] == class;
        let [right, missed, alarms] = match is_plus {
            true => ["true_positive", "false_negative", "false_positive"].map(cell),
            false => ["true_negative", "false_positive", "false_negative"].map(cell),
        };
        if !self.measured()["unseen_labels"].is_null() {
            return Ok(()); // predictions for their rows are not in the table of known classes
        }
        let predicted = format!("({right} of {})", right + alarms);
        let actual = format!("({right} of {})", right + missed);
        let order = sentence.find(&predicted).zip(sentence.rfind(&actual));
        holds(order.is_some_and(|(one, other)| one < other), &format!("{predicted}, {actual}"))
    }

    /// The classes of which a held-out example is, and none is predicted.
    fn never_predicted(&self, sentence: &str) -> Result<(), String> {
        let all = self.measured()["per_class"].as_array().unwrap();
        let is_never = |one: &&Value| one["predicted"] == 0 && one["examples"] != 0;
        let never: Vec<&str> =
            all.iter().filter(is_never).map(|one| one["class"].as_str().unwrap()).collect();
        let named = |class: &&str| sentence.contains(&format!("`{class}` ("));
        holds(!never.is_empty() && never.iter().all(named), &format!("{never:?} are"))
    }

    /// The mean of F1 over the classes.
    fn mean_rates(&self) -> Result<(), String> {
        let measured = if self.json["folds"].is_null() { "holdout" } else { "folds" };
        let rates = &self.json[measured];
        let all = rates["per_class"].as_array().unwrap().iter().map(|one| one["f1"].as_f64());
        let Some(all) = all.collect::<Option<Vec<f64>>>() else { return Ok(()) };
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        near(rates["macro_f1"].as_f64().unwrap(), mean, 1e-12)
    }

    /// The printed limit is at least Clopper and Pearson's: this few errors have a chance of at most 5% at it.
    fn guarantee(&self, percent: f64) -> Result<(), String> {
        let holdout = &self.json["holdout"];
        let Some(errors) = holdout["errors"].as_u64() else { return Ok(()) };
        let rows = holdout["examples"].as_u64().unwrap();
        let limit = percent / 100.0;
        let term = |k: u64| {
            let choices = (0..k).fold(1.0, |c, i| c * (rows - i) as f64 / (i + 1) as f64);
            choices * limit.powi(k as i32) * (1.0 - limit).powi((rows - k) as i32)
        };
        let chance: f64 = (0..=errors).map(term).sum();
        holds(chance <= 0.05 + 1e-9, &format!("the chance of {errors} errors is {chance}"))
    }

    /// The classes with their examples; of a hold-out those that were learned from.
    fn classes(&self, sentence: &str) -> Result<(), String> {
        if let Some(positive) = self.json["positive"].as_str() {
            holds(sentence.starts_with(&format!("+1 is {positive} (")), "another positive class")?;
            let reported = self.json["reported"].as_str().unwrap();
            let is_told = sentence.ends_with(&format!("; reported as positive: {reported}"));
            holds(is_told == (reported != positive), "another reported class")?;
        }
        if self.has("--holdout") || self.is_one_against_all() {
            return Ok(());
        }
        let mut labels = self.table.labels.clone();
        labels.sort_unstable();
        labels.dedup();
        let of = |label: &&str| sentence.contains(&format!("{label} ({})", self.of_class(label)));
        holds(labels.iter().all(of), "other sizes")
    }

    fn of_class(&self, label: &str) -> usize {
        self.table.labels.iter().filter(|one| **one == label).count()
    }

    /// The most frequent class of the examples to learn from, counted among the held-out examples if there are any.
    fn baseline(&self, sentence: &str) -> Result<(), String> {
        let most = self.json["baseline"]["share"].as_f64().unwrap();
        let rows = self.rows();
        if !self.has("--holdout") {
            let sizes = match self.json["positive"].as_str() {
                Some(positive) => [self.of_class(positive), rows - self.of_class(positive), 0],
                None => ["n", "p", "q"].map(|label| self.of_class(label)),
            };
            near(most, *sizes.iter().max().unwrap() as f64 / rows as f64, 1e-12)?;
        }
        let class = self.json["baseline"]["class"].as_str().unwrap();
        let (label, counts) = sentence.split_once(": ").unwrap();
        holds(label.ends_with(&format!("`{class}`")), "another class")?;
        let of_class = |one: &&Value| one["class"] == class;
        let classes = self.measured()["per_class"].as_array();
        let (examples, all, right) = match classes {
            Some(classes) => {
                let sum = |key: &str| classes.iter().map(|one| one[key].as_u64().unwrap()).sum();
                let unseen = self.measured()["unseen_labels"]["examples"].as_u64().unwrap_or(0);
                let all: u64 = sum("examples");
                let examples = classes.iter().find(of_class).unwrap()["examples"].as_u64().unwrap();
                (examples, all + unseen, sum("right"))
            }
            None => {
                let wrong = self.json["training_errors"].as_u64().unwrap();
                let examples = self.json["baseline"]["examples"].as_u64().unwrap();
                (examples, rows as u64, rows as u64 - wrong)
            }
        };
        let told = numbers(counts);
        holds(told[..2] == [examples as f64, all as f64], &format!("{examples} of {all}"))?;
        near(numbers(label)[0], 100.0 * examples as f64 / all as f64, 0.06)?;
        let folds = self.json["folds"]["mean"].as_f64().filter(|_| !self.has("--holdout"));
        let is_useless = match folds {
            Some(mean) => mean <= examples as f64 / all as f64,
            None => right <= examples,
        };
        holds(sentence.ends_with("no better") == is_useless, "not so")
    }

    fn outcome(&self, sentence: &str, numbers: &[f64]) -> Result<(), String> {
        if let Some((label @ ("n" | "p" | "q"), finding)) = sentence.split_once(": ") {
            return self.finding(finding, label);
        }
        let (mistakes, json) = (self.mistakes(), &self.json);
        let (epochs, last) = (mistakes.len() as f64, *mistakes.last().unwrap() as f64);
        let updates = json["updates"].as_f64().unwrap();
        if sentence.starts_with("converged: epoch ") {
            let is_right = self.errors_of("last").unwrap_or(0) == 0;
            return holds(last == 0.0 && is_right && numbers[..2] == [epochs, updates], "not so");
        }
        if sentence.starts_with("ended: epoch ") {
            let others = updates - mistakes.iter().sum::<u64>() as f64;
            return holds(last == 0.0 && numbers[..3] == [epochs, updates, others], "not so");
        }
        if sentence.starts_with("stopped, not converged: epoch ") {
            return holds(numbers[..3] == [epochs, last, updates], "not so");
        }
        if sentence.starts_with("not converged: ") {
            // A rule with a margin also updates without a mistake; with a penalty all weights move.
            let is_clean = last == 0.0 && !self.has("--penalty");
            let goes_on = sentence.ends_with(", but updates without a mistake");
            let is_told =
                is_clean == goes_on && (!goes_on || self.word("--update") != "perceptron");
            return holds(is_told && numbers[..3] == [epochs, updates, last], "not so");
        }
        if sentence.starts_with("stopped after ") {
            return holds(
                json["converged"] == false && numbers[..2] == [epochs, updates],
                "not so",
            );
        }
        if sentence.starts_with("the weights after epoch ") {
            return self.never(self.positive());
        }
        if let Some(kept) = sentence.split("separate the classes (`--keep ").nth(1) {
            return self.separates(kept.trim_end_matches("`)"));
        }
        if sentence.contains("try `--scale ") {
            let scale = if sentence.contains("--scale auto") { "auto" } else { "standard" };
            self.train(&[("--scale", scale)], "o.model");
            return holds(json["scale"] != scale, "it is so scaled");
        }
        if sentence.starts_with("`--diagnose` decides whether a hyperplane") {
            return holds(!self.has("--diagnose") && json["converged"] == false, "not so");
        }
        if sentence.starts_with("classes that overlap never converge") {
            let rule = self.word("--update");
            holds(!rule.starts_with("pa") && rule != "arow", "a run of this rule may end")?;
            return holds(!self.has("--diagnose") && json["converged"] == false, "not so");
        }
        if sentence.starts_with("the examples are sorted by class") {
            let changes = self.table.labels.windows(2).filter(|pair| pair[0] != pair[1]).count();
            return holds(changes == 1, "they are not");
        }
        if let Some(whose) = sentence.strip_prefix("the margin and the bound are those of the ") {
            let is_scaled = whose == "scaled features" && json["scale"] != "none";
            return holds(is_scaled != self.is_more_than_scaled(), "not so");
        }
        if sentence.starts_with("a run with a penalty does not converge") {
            return holds(self.has("--penalty") && json["converged"] == false, "not so");
        }
        self.finding(sentence, self.positive())
    }

    /// A finding of `--diagnose` about one class and the rest.
    fn finding(&self, sentence: &str, label: &str) -> Result<(), String> {
        const NEVER: [&str; 3] =
            ["never converges", "every epoch has a mistake", "no run ends by itself"];
        if NEVER.iter().any(|never| sentence.contains(never)) {
            self.never(label)?;
        }
        if sentence.contains(" hyperplane through the origin is right on all rows by this rule") {
            return self.right_by_this_rule(sentence, label);
        }
        if sentence.starts_with("that is about the numbers as they were stored and ") {
            // An exact statement about the table, whatever the scaling.
            let vectors = self.table.vectors(label, self.word("--bias") != "none");
            let is_no = sentence.contains("as they are written, no hyperplane");
            holds(Circuits::of(&vectors).is_separable() != is_no, "not so")?;
            let found = &self.json["diagnosis"]["separable"];
            return holds(found.is_null() || (*found == "no") != is_no, "the answers are the same");
        }
        if let Some((_, pair)) = sentence.split_once(": examples ") {
            self.contradiction(pair)?;
        }
        if sentence.starts_with("proven inseparable") {
            self.least_errors(sentence, label)?;
            return self.inseparable(label);
        }
        if sentence.starts_with("separable") {
            return self.separable(sentence, label);
        }
        Err("a sentence without a check".to_owned())
    }

    /// Two rows of the table are equal, or after the steps that are named.
    fn contradiction(&self, pair: &str) -> Result<(), String> {
        let numbers = numbers(pair);
        let row = |place: usize| &self.table.cells[numbers[place] as usize - 1];
        let named = options_beyond_scaling().filter(|name| pair.contains(&format!("`--{name}`")));
        let is_prepared = named.count() > 0;
        holds(is_prepared == self.is_more_than_scaled(), "other steps")?;
        holds(is_prepared || row(0) == row(1), "the rows differ")
    }

    /// The bounds on the errors of the best hyperplane.
    fn least_errors(&self, sentence: &str, label: &str) -> Result<(), String> {
        let Some(circuits) = self.circuits(label) else { return Ok(()) };
        let least = f64::from(circuits.least_wrong(|row| self.is_strict(row, label)));
        let Some(bounds) = sentence.split("; ").find(|part| part.contains("least errors")) else {
            return Ok(());
        };
        let bounds = numbers(bounds);
        let is_within = bounds[0] <= least && least <= bounds[bounds.len() - 1];
        holds(is_within, &format!("they are {least}"))
    }

    /// Whether a hyperplane is right on all rows where a score of 0 is right for one class, and what follows.
    fn right_by_this_rule(&self, sentence: &str, label: &str) -> Result<(), String> {
        let Some(circuits) = self.circuits(label) else { return Ok(()) };
        let is_right = circuits.is_half_open(|row| self.is_strict(row, label));
        holds(is_right != sentence.starts_with("proven by "), "not so")?;
        let is_exact = self.word("--init") == "zero" && self.json["options"]["eta"] == 1.0;
        if is_exact && sentence.contains(" ends") && self.word("--class-weight") == "uniform" {
            let Some(longer) = self.longer(label) else { return Ok(()) };
            return holds(longer["converged"] == true, "a longer run does not end");
        }
        Ok(())
    }

    /// Whether a score of 0 is a wrong label for a row, where a class and the rest are told apart.
    fn is_strict(&self, row: usize, label: &str) -> bool {
        (self.table.labels[row] == label) != (self.word("--zero") == "positive")
    }

    /// A run of many more epochs does not converge.
    fn never(&self, label: &str) -> Result<(), String> {
        let Some(longer) = self.longer(label) else { return Ok(()) };
        holds(longer["converged"] == false, &format!("it converges in epoch {}", longer["epochs"]))
    }

    /// No hyperplane of the run's kind is right on all rows.
    fn inseparable(&self, label: &str) -> Result<(), String> {
        match self.circuits(label) {
            Some(circuits) => holds(!circuits.is_separable(), "they are separable"),
            None => Ok(()),
        }
    }

    /// A longer run converges if the bound on its updates is small.
    fn separable(&self, sentence: &str, label: &str) -> Result<(), String> {
        if let Some(circuits) = self.circuits(label) {
            holds(circuits.is_separable(), "they are not")?;
        }
        let most =
            sentence.split("at most ").nth(1).and_then(|rest| numbers(rest).first().copied());
        if most.is_some_and(|most| most < LONG as f64) {
            let Some(longer) = self.longer(label) else { return Ok(()) };
            holds(
                longer["converged"] == true,
                "a run of more epochs than updates does not converge",
            )?;
            holds(longer["updates"].as_f64() <= most, "a longer run makes more updates")?;
        }
        Ok(())
    }

    /// The weights of this name are right on all examples.
    fn separates(&self, kept: &str) -> Result<(), String> {
        if self.has("--holdout") {
            return Ok(()); // of rows that are not known here
        }
        let wrong = if self.json["kept"] == kept {
            self.errors_of_model("m.model")
        } else {
            self.train(&[("--keep", kept)], "o.model");
            self.errors_of_model("o.model")
        };
        holds(wrong == 0, &format!("they are wrong on {wrong}"))
    }

    fn description(&self, sentence: &str) -> Result<(), String> {
        let is = |part: &str, expected: bool| holds(sentence.contains(part) == expected, part);
        is("no bias", self.word("--bias") == "none")?;
        is("in the given order", self.word("--order") == "given")?;
        is("one random mistake each epoch", self.word("--order") == "mistaken")?;
        let decay = self.word("--decay");
        is("η = ", !decay.is_empty() || self.json["options"]["eta"] != 1.0)?;
        is("/t", decay == "t")?;
        is("/sqrt(t)", decay == "sqrt(t)")?;
        is("from random weights", self.word("--init") == "random")?;
        is("a mistake is a wrong label", self.word("--mistake") == "label")?;
        is("penalty", self.has("--penalty"))
    }

    /// The examples with the features of another one, and figures of them.
    fn copies(&self, sentence: &str, copies: f64) -> Result<(), String> {
        if !sentence.contains("equal another one") {
            return holds(self.json["copies"].is_object(), "not in JSON");
        }
        let cells = &self.table.cells;
        let has_twin = |row: &&Vec<i64>| cells.iter().filter(|other| other == row).count() > 1;
        near(copies, cells.iter().filter(has_twin).count() as f64, 0.0)
    }

    /// The support of the report is that of the model.
    fn support(&self, support: f64) -> Result<(), String> {
        holds(self.json["support"].as_f64() == Some(support), "another number in JSON")?;
        holds(support <= self.rows() as f64, "more than there are rows")
    }

    fn margin(&self, sentence: &str, numbers: &[f64]) -> Result<(), String> {
        let (json, margin) = (&self.json, &self.json["margin"]);
        let (lower, upper) = (margin["lower"].as_f64(), margin["upper"].as_f64());
        if sentence.contains("possible") {
            holds(self.word("--decay").is_empty(), "a bound for a rate that falls")?;
            let most = json["novikoff_bound"].as_f64().unwrap();
            let made = json["updates"].as_f64().unwrap();
            return holds(made <= most && numbers[0] == made, "more updates than possible");
        }
        if sentence.starts_with("none: no hyperplane") {
            return self.inseparable(self.positive());
        }
        if sentence.starts_with("no separator: an example lies on the hyperplane") {
            return holds(json["min_margin"] == 0.0, "none does");
        }
        if sentence.starts_with("the last weights separate") {
            return self.separates("last");
        }
        if sentence.starts_with("the weights separate") {
            return holds(self.errors_of_model("m.model") == 0, "they do not");
        }
        if sentence.starts_with("unknown: no weights separated the classes") {
            return holds(
                json["training_errors"].as_f64() > Some(0.0) || lower.is_none(),
                "some did",
            );
        }
        if sentence.starts_with("no separator is known") {
            return holds(lower.is_none(), "there is one");
        }
        holds(sentence.contains('γ'), "a sentence without a check")?;
        if let (Some(lower), Some(upper)) = (lower, upper) {
            holds(lower <= upper, "the bounds exclude one another")?;
        }
        let Some(lower) = lower else { return Ok(()) };
        if let Some(circuits) =
            self.json["positive"].as_str().and_then(|label| self.circuits(label))
        {
            holds(circuits.is_separable(), "a margin of classes that are not separable")?;
        }
        near(numbers[0], lower, 1e-3 * lower)?;
        self.separates(json["separator"].as_str().ok_or("no separator")?)
    }

    /// The weights are those of the model, in the units of the file.
    fn weights(&self, sentence: &str) -> Result<(), String> {
        let shown: Value = serde_json::from_str(&self.desk.succeed("show m.model --json")).unwrap();
        for weight in shown["weights"].as_array().unwrap() {
            let value = weight["unscaled"].as_f64().or(weight["weight"].as_f64()).unwrap();
            let name = format!("{} ", weight["feature"].as_str().unwrap());
            let part = sentence.split([',', ';']).find(|part| part.trim().starts_with(&name));
            let Some(part) = part else { return Err(format!("no weight of {name}")) };
            near(numbers(part)[0], value, 6e-4 * value.abs())?;
        }
        Ok(())
    }

    fn kept(&self, sentence: &str) -> Result<(), String> {
        let words = match self.json["kept"].as_str().unwrap() {
            "average" => "averaged",
            "vote" => "vote",
            kept => kept,
        };
        holds(sentence.contains(words), "other weights")?;
        let asked = self.word("--keep");
        holds(asked == "auto" || self.json["kept"] == asked, "not those that were asked for")
    }

    /// The circuits of the rows of the run with a label and the rest, if it separates the rows themselves and its scaling
    /// keeps integers exact.
    fn circuits(&self, label: &str) -> Option<Circuits> {
        let scale = self.json["scale"].as_str().unwrap_or("none");
        let is_exact = self.table.is_of_integers()
            && matches!(scale, "auto" | "none")
            && !self.has("--kernel")
            && !self.is_more_than_scaled()
            && !self.has("--holdout");
        is_exact.then(|| Circuits::of(&self.table.vectors(label, self.word("--bias") != "none")))
    }

    /// A run of many epochs of a class and the rest.
    fn longer(&self, label: &str) -> Option<Value> {
        let epochs = LONG.to_string();
        // Class weights name the classes; with three they would name the rest otherwise.
        if !self.table.is_of_two_classes() && self.word("--class-weight") != "uniform" {
            return None;
        }
        let others = [
            ("--positive", label),
            // One pass is not scaled by default, and this one is none.
            ("--scale", self.json["scale"].as_str().unwrap_or("none")),
            ("--epochs", epochs.as_str()),
            ("--keep", "last"),
            ("--allow-mistakes", "0"),
        ];
        Some(self.report_of(with(&self.words_and_classes(), &others), "longer.model"))
    }

    /// Trains with other options.
    fn train(&self, others: &[(&str, &str)], model: &str) {
        self.report_of(with(&self.words_and_classes(), others), model);
    }

    /// Trains without those of some options that have no effect beside the others.
    fn report_of(&self, mut words: Words, model: &str) -> Value {
        loop {
            let line = format!("train d.csv{} -o {model} --json", joined(&words));
            let done = self.desk.run(&line);
            let without_effect = done.stderr.split("the option ").nth(1);
            let name = without_effect.and_then(|rest| rest.split(" has no effect: ").next());
            match name.map(|name| format!("--{}", name.replace('_', "-"))) {
                Some(name) if done.code == 2 => {
                    let before = words.len();
                    words.retain(|(word, _)| *word != name);
                    assert!(words.len() < before, "{line}: {}", done.stderr);
                }
                _ => {
                    assert_eq!(done.code, 0, "{line}: {}", done.stderr);
                    return serde_json::from_str(&done.stdout).unwrap();
                }
            }
        }
    }

    /// The options with the way in which several classes were learned, which follows from others by default.
    fn words_and_classes(&self) -> Words {
        let is_joint = self.text.contains("learned together: ");
        let classes = if is_joint { "joint" } else { "one-vs-rest" };
        with(&self.words, &[("--classes", classes)])
    }

    /// The number of rows whose label the model does not predict.
    fn errors_of_model(&self, model: &str) -> u64 {
        let predicted = self.desk.succeed(&format!("predict {model} d.csv"));
        let is_wrong = |(one, label): (&str, &&str)| match one.strip_prefix("not ") {
            Some(positive) => positive == *label,
            None => {
                self.is_one_against_all() && self.json["positive"] == one && one != *label
                    || !self.is_one_against_all() && one != *label
            }
        };
        predicted.lines().zip(&self.table.labels).filter(|&pair| is_wrong(pair)).count() as u64
    }

    /// Whether `--positive` names one of three classes.
    fn is_one_against_all(&self) -> bool {
        self.json["positive"].is_string() && !self.table.is_of_two_classes()
    }

    fn positive(&self) -> &str {
        self.json["positive"].as_str().unwrap_or("p")
    }

    fn errors_of(&self, kept: &str) -> Option<u64> {
        self.json["errors"][kept].as_u64()
    }

    fn mistakes(&self) -> Vec<u64> {
        floats(&self.json["mistakes_per_epoch"]).iter().map(|&all| all as u64).collect()
    }

    fn rows(&self) -> usize {
        self.json["examples"].as_u64().unwrap() as usize
    }

    /// Whether the rows were prepared by more than a scaling.
    fn is_more_than_scaled(&self) -> bool {
        let chosen = |name: &str| self.words.iter().find(|(word, _)| word[2..] == *name);
        let steps = PREPARE_OPTIONS.iter().filter(|option| option.name != "scale");
        steps.into_iter().any(|option| {
            let found = chosen(&option.long());
            found.is_some_and(|(_, value)| value != option.default.unwrap_or("none"))
        })
    }

    fn has(&self, name: &str) -> bool {
        self.words.iter().any(|(word, _)| word == name)
    }

    /// The value of an option, as the run had it.
    fn word(&self, name: &str) -> &str {
        let key = name.trim_start_matches('-').replace('-', "_");
        self.json["options"][&key].as_str().unwrap_or("")
    }
}

fn joined(words: &Words) -> String {
    words
        .iter()
        .map(|(name, value)| format!(" {name} {value}"))
        .collect::<String>()
        .replace("  ", " ")
}

/// The options with others in the place of those of the same names.
fn with(words: &Words, others: &[(&str, &str)]) -> Words {
    let is_other = |name: &str| others.iter().any(|(other, _)| *other == name);
    let kept = words.iter().filter(|(name, _)| !is_other(name)).cloned();
    let others = others.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    kept.chain(others).collect()
}

fn floats(array: &Value) -> Vec<f64> {
    array.as_array().into_iter().flatten().map(|value| value.as_f64().unwrap()).collect()
}

/// The numbers in a sentence.
fn numbers(sentence: &str) -> Vec<f64> {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | 'e');
    let parts = sentence.split(|c: char| !is_of_number(c));
    let number = |part: &str| {
        let part = part.trim_matches([',', '.']).replace(',', "");
        part.starts_with(|c: char| c.is_ascii_digit() || c == '-').then(|| part.parse().ok())?
    };
    parts.filter_map(number).collect()
}

fn holds(condition: bool, problem: &str) -> Result<(), String> {
    if condition { Ok(()) } else { Err(problem.to_owned()) }
}

fn equal(what: &str, found: &Value, expected: &Value) -> Result<(), String> {
    holds(found == expected, &format!("{what}: {found}, not {expected}"))
}

fn near(found: f64, expected: f64, by: f64) -> Result<(), String> {
    holds((found - expected).abs() <= by, &format!("{found} is not {expected}"))
}
