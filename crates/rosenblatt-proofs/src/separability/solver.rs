//! From searches to a verdict: the searches in each space, and what they prove.

use rosenblatt_core::{data::Examples, space::Hyperplane};

use super::{
    Bracket, Certificate, MarginBounds, Margins, SeparabilityOptions, Verdict, bracket,
    budget::Budget,
    double_double::Double,
    gordan::{Precision, exact_multipliers},
    integers::Combination,
    search::{Outcome, Search, Target},
    vectors::Points,
    verify,
    whole::{self, Whole},
};

/// The large constant of the search with a nearly free bias, over R. In the vectors (x, c) a unit w with the bias b has
/// the squared norm 1 + (b/c)², and |b| ≤ R, so the constant reduces the margin by at most a relative 2⁻²⁵.
const FREE: f64 = 4096.0;

/// The maximum work in integers. For 50 rows of 8 features that mix all exponents of floats, a step costs at most about
/// 10⁸, and there are less than 100 steps for each of two hulls.
const WHOLE: u64 = 50_000_000_000;

/// The share of all work that is left for the margin of examples with a known separator is one in this many: about four
/// seconds of the default. A million rows of 30 features have their margin to seven digits within it.
const MARGIN_PART: u64 = 25;

/// Examples without a contradiction, and the options of the search.
pub(super) struct Solver<'a, 's> {
    examples: Examples<'a>,
    options: SeparabilityOptions,
    radius: f64,
    budget: Budget<'s>,
}

/// The result of a search for a decision.
enum SearchOutcome {
    /// A separator, and how the search for the margin ended.
    Separator(Hyperplane, Outcome),
    Dependency(Combination),
    Open(Outcome),
}

impl<'a, 's> Solver<'a, 's> {
    pub(super) fn new(
        examples: Examples<'a>,
        options: SeparabilityOptions,
        stop: &'s mut dyn FnMut() -> bool,
    ) -> Self {
        let radius = rosenblatt_core::radius::radius(examples.rows()).length;
        Solver { examples, options, radius, budget: Budget::new(options.work, stop) }
    }

    /// Searches first in proportion, for the decision and the margin. If the precision is too small for the sizes of
    /// the features, searches again with features of similar size, for the decision alone. If that fails too, searches
    /// in integers.
    pub(super) fn solve(&mut self) -> Verdict {
        let constant = if self.options.with_bias { 1.0 } else { 0.0 };
        let target = match self.options.gap.is_infinite() {
            true => Target::Decision,
            false => Target::Gap(self.options.gap.min(0.5)),
        };
        let points = Points::in_proportion(self.examples, constant, self.radius);
        let (search, mut decision) = self.decide(points, target);
        if matches!(decision, SearchOutcome::Open(Outcome::Stalled)) {
            let points = Points::by_feature(self.examples, constant);
            decision = match self.decide(points, Target::Decision).1 {
                // The margin is still that of the first search.
                SearchOutcome::Separator(found, _) => {
                    SearchOutcome::Separator(found, Outcome::Stalled)
                }
                other => other,
            };
        }
        match decision {
            SearchOutcome::Separator(separator, outcome) => self.yes(separator, outcome, &search),
            SearchOutcome::Dependency(combination) => self.no(combination),
            SearchOutcome::Open(_) => self.in_whole_numbers(&search),
        }
    }

    /// The work that is left.
    pub(super) fn left(&self) -> u64 {
        self.budget.left()
    }

    fn in_whole_numbers(&mut self, search: &Search<'_, Double>) -> Verdict {
        let with_bias = self.options.with_bias;
        let mut budget = self.budget.part(WHOLE);
        match whole::decide(self.examples, with_bias, self.radius, &mut budget) {
            Some(Whole::Separator(certificate, margins)) => {
                Verdict::Yes { certificate, margins: Some(margins) }
            }
            Some(Whole::Dependency(combination)) => self.no(combination),
            None => Verdict::Unknown { upper: self.bounds(search), ended: self.budget.ended() },
        }
    }

    /// Searches, and proves the result: in floats, then from there in double-double precision. After the first separator,
    /// a part of the work is left for the margin.
    fn decide(
        &mut self,
        points: Points<'a>,
        target: Target,
    ) -> (Search<'a, Double>, SearchOutcome) {
        let mut quick = Search::new(points, &mut self.budget);
        quick.run(Target::Decision, &mut self.budget);
        if target != Target::Decision && self.proven(&quick).is_some() {
            self.budget.limit(self.options.work / MARGIN_PART);
            quick.run(target, &mut self.budget);
        }
        let mut search = Search::refine(quick, &mut self.budget);
        let outcome = self.prove(&mut search, target);
        (search, outcome)
    }

    fn prove(&mut self, search: &mut Search<'a, Double>, target: Target) -> SearchOutcome {
        loop {
            let outcome = search.run(Target::Decision, &mut self.budget);
            if let Some(separator) = self.proven(search) {
                if target == Target::Decision {
                    return SearchOutcome::Separator(separator, outcome);
                }
                self.budget.limit(self.options.work / MARGIN_PART);
                let outcome = search.run(target, &mut self.budget);
                return SearchOutcome::Separator(self.proven(search).unwrap_or(separator), outcome);
            }
            if outcome != Outcome::Zero {
                return SearchOutcome::Open(outcome);
            }
            let support = search.corral.support();
            let with_bias = self.options.with_bias;
            let found = exact_multipliers(
                &self.examples,
                with_bias,
                &support,
                Precision::OfLargest,
                &mut self.budget,
            );
            if let Some(found) = found {
                return SearchOutcome::Dependency(found);
            }
            // Not yet 0: the search continues until p is a thousand times shorter.
            search.zero = search.corral.squared_length() * 1e-6;
            if search.zero < f64::MIN_POSITIVE {
                return SearchOutcome::Open(Outcome::Stalled);
            }
        }
    }

    /// The best hyperplane of the search, if it separates.
    fn proven<N>(&self, search: &Search<'_, N>) -> Option<Hyperplane> {
        let (separator, _) = search.best.as_ref()?;
        let is_proven = verify(&self.separator(separator), &self.examples).is_ok();
        is_proven.then(|| separator.clone())
    }

    fn separator(&self, hyperplane: &Hyperplane) -> Certificate {
        let Hyperplane { weights, bias } = hyperplane.clone();
        Certificate::Yes { with_bias: self.options.with_bias, weights, bias }
    }

    fn no(&self, combination: Combination) -> Verdict {
        let (rows, multipliers) =
            combination.iter().map(|(row, multiplier)| (row + 1, multiplier.to_string())).unzip();
        let certificate = Certificate::No { with_bias: self.options.with_bias, rows, multipliers };
        Verdict::No { certificate, contradiction: None }
    }

    fn yes(
        &mut self,
        separator: Hyperplane,
        outcome: Outcome,
        search: &Search<'_, Double>,
    ) -> Verdict {
        let class_margins = bracket::class_margins(&separator, &self.examples);
        let lower = bracket::lower_with_constant(&separator, class_margins);
        let margin = Bracket { lower, upper: self.upper(search) };
        let with_bias = self.options.with_bias;
        let free = self.free_bias(&separator, class_margins, search);
        let closed = |outcome: &Outcome| *outcome == Outcome::Closed;
        let all_closed =
            closed(&outcome) && free.as_ref().is_none_or(|(_, outcome)| closed(outcome));
        let margins = Margins {
            radius: self.radius,
            unit_bias: with_bias.then_some(margin),
            no_bias: (!with_bias).then_some(margin),
            free_bias: free.map(|(bracket, _)| bracket),
            ended: (!all_closed).then(|| self.budget.ended()),
        };
        let certificate = self.separator(&separator);
        Verdict::Yes { certificate, margins: Some(margins) }
    }

    /// The bounds that an unfinished search proves.
    fn bounds(&self, search: &Search<'_, Double>) -> MarginBounds {
        let known = |bound: f64| Some(bound).filter(|bound| bound.is_finite());
        let upper = known(self.upper(search));
        if !self.options.with_bias {
            return MarginBounds { no_bias: upper, ..MarginBounds::default() };
        }
        let support = search.corral.support();
        let free = bracket::upper_with_free_bias(&self.examples, self.radius, &support);
        MarginBounds { unit_bias: upper, no_bias: None, free_bias: known(free) }
    }

    fn upper(&self, search: &Search<'_, Double>) -> f64 {
        let support = search.corral.support();
        bracket::upper_with_constant(&self.examples, self.options.with_bias, &support)
    }

    /// The geometric margin with a free bias, and how the search for it ended: among the vectors (x, c) with a large c.
    fn free_bias(
        &mut self,
        separator: &Hyperplane,
        class_margins: (f64, f64),
        search: &Search<'_, Double>,
    ) -> Option<(Bracket, Outcome)> {
        let (minus, plus) = self.examples.class_sizes();
        let is_asked = self.options.with_bias && self.options.gap.is_finite();
        if !is_asked || minus == 0 || plus == 0 {
            return None;
        }
        let constant = (self.radius * FREE).min(f64::MAX / 2.0);
        let points = Points::in_proportion(self.examples, constant, self.radius);
        let mut lower = bracket::lower_with_free_bias(separator, class_margins);
        let upper = |search: &Search<'_, Double>| {
            let support = search.corral.support();
            bracket::upper_with_free_bias(&self.examples, self.radius, &support)
        };
        let Some(mut free) = Search::resume(points, search, &mut self.budget) else {
            return Some((Bracket { lower, upper: upper(search) }, Outcome::Stopped));
        };
        free.zero = 0.0;
        let target = Target::Gap(self.options.gap / 2.0);
        let outcome = free.run(target, &mut self.budget);
        if let Some((hyperplane, _)) = &free.best {
            let margins = bracket::class_margins(hyperplane, &self.examples);
            if margins.0 > 0.0 && margins.1 > 0.0 {
                lower = lower.max(bracket::lower_with_free_bias(hyperplane, margins));
            }
        }
        Some((Bracket { lower, upper: upper(&free).min(upper(search)) }, outcome))
    }
}
