//! From searches to a verdict: what is asked of which space, and what is proven by it.

use crate::{data::Examples, exact, space::Hyperplane};

use super::{
    Bracket, Certificate, Margins, Options, Verdict, bracket,
    epochs::perceptron,
    gordan::{Combination, exact_multipliers},
    points::Points,
    search::{Outcome, Search, Target},
    verify::verify,
};

/// The large constant of the search with a nearly free bias, over R. In the vectors (x, c) a unit w with
/// the bias b has the squared length 1 + (b/c)², and |b| ≤ R: what it costs is a relative 2⁻²⁵ of the margin.
const FREE: f64 = 4096.0;

/// Examples without a contradiction, and what is asked of them.
pub(super) struct Solver<'a, 's> {
    examples: Examples<'a>,
    options: Options,
    radius: f64,
    stop: &'s mut dyn FnMut() -> bool,
}

/// What a search for a decision found.
enum Decision {
    Separator(Hyperplane),
    Dependency(Combination),
    Open(Outcome),
}

impl<'a, 's> Solver<'a, 's> {
    pub(super) fn new(
        examples: Examples<'a>,
        options: Options,
        stop: &'s mut dyn FnMut() -> bool,
    ) -> Self {
        let radius = exact::radius(examples.rows()).length;
        Solver { examples, options, radius, stop }
    }

    /// First in proportion, for the decision and the margin; where the precision does not suffice for the
    /// sizes of the features, once more with features of like size, for the decision alone.
    pub(super) fn solve(&mut self) -> Verdict {
        let constant = if self.options.with_bias { 1.0 } else { 0.0 };
        let points = Points::in_proportion(self.examples, constant, self.radius);
        let start = perceptron(&points, self.stop);
        let mut search = Search::new(points, &start);
        let mut decision = self.decide(&mut search, Target { gap: self.options.gap, first: false });
        if matches!(decision, Decision::Open(Outcome::Stalled)) {
            let points = Points::by_feature(self.examples, constant);
            let start = perceptron(&points, self.stop);
            let mut scaled = Search::new(points, &start);
            let target = Target { gap: self.options.gap, first: true };
            decision = self.decide(&mut scaled, target);
        }
        match decision {
            Decision::Separator(separator) => self.yes(separator, &search),
            Decision::Dependency(combination) => self.no(combination),
            Decision::Open(_) => Verdict::Unknown { margin_upper: self.upper(&search) },
        }
    }

    /// Searches, and proves what is found.
    fn decide(&mut self, search: &mut Search<'_>, target: Target) -> Decision {
        loop {
            let outcome = search.run(target, self.stop);
            if let Some((separator, _)) = &search.best
                && verify(&self.separator(separator), &self.examples).is_ok()
            {
                return Decision::Separator(separator.clone());
            }
            if outcome != Outcome::Zero {
                return Decision::Open(outcome);
            }
            let support = search.corral.support();
            let with_bias = self.options.with_bias;
            if let Some(found) = exact_multipliers(&self.examples, with_bias, &support, self.stop) {
                return Decision::Dependency(found);
            }
            // Not yet 0: the search goes on until p is a thousand times shorter.
            search.zero = search.corral.squared_length() * 1e-6;
            if search.zero < f64::MIN_POSITIVE {
                return Decision::Open(Outcome::Stalled);
            }
        }
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

    fn yes(&mut self, separator: Hyperplane, search: &Search<'_>) -> Verdict {
        let class_margins = bracket::class_margins(&separator, &self.examples);
        let lower = bracket::lower_with_constant(&separator, class_margins);
        let margin = Bracket { lower, upper: self.upper(search) };
        let with_bias = self.options.with_bias;
        let free_bias = self.free_bias(&separator, class_margins, search);
        let margins = Margins {
            radius: self.radius,
            unit_bias: with_bias.then_some(margin),
            no_bias: (!with_bias).then_some(margin),
            free_bias,
        };
        let certificate = self.separator(&separator);
        Verdict::Yes { certificate, margins: Some(margins) }
    }

    fn upper(&self, search: &Search<'_>) -> f64 {
        let support = search.corral.support();
        bracket::upper_with_constant(&self.examples, self.options.with_bias, &support)
    }

    /// The geometric margin with a free bias: a search among the vectors (x, c) with a large c.
    fn free_bias(
        &mut self,
        separator: &Hyperplane,
        class_margins: (f64, f64),
        search: &Search<'_>,
    ) -> Option<Bracket> {
        let (minus, plus) = self.examples.class_sizes();
        if !self.options.with_bias || minus == 0 || plus == 0 {
            return None;
        }
        let constant = (self.radius * FREE).min(f64::MAX / 2.0);
        let points = Points::in_proportion(self.examples, constant, self.radius);
        let mut free = Search::resume(points, search);
        free.zero = 0.0;
        free.run(Target { gap: self.options.gap / 2.0, first: false }, self.stop);
        let mut lower = bracket::lower_with_free_bias(separator, class_margins);
        if let Some((hyperplane, _)) = &free.best {
            let margins = bracket::class_margins(hyperplane, &self.examples);
            if margins.0 > 0.0 && margins.1 > 0.0 {
                lower = lower.max(bracket::lower_with_free_bias(hyperplane, margins));
            }
        }
        let supports = [free.corral.support(), search.corral.support()];
        let upper = supports
            .iter()
            .map(|support| bracket::upper_with_free_bias(&self.examples, self.radius, support));
        Some(Bracket { lower, upper: upper.fold(f64::INFINITY, f64::min) })
    }
}
