//! The least errors of decimals, by those of their floats as far as these prove it.

use super::{
    Written, in_floats, integers,
    scaled::{Scaled, TooLong},
};
use crate::separability::{
    Certificate, Conflict, Ended, ErrorBounds, LeastErrors, LeastErrorsCertificate,
    SeparabilityOptions, Verdict, least_errors,
};

impl Written<'_> {
    /// [`least_errors()`] for the decimals.
    ///
    /// Cost: that for the floats; where some conflict of these is none, or their weights have other errors, another for the
    /// decimals.
    pub fn least_errors(
        &self,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> LeastErrors {
        let near = least_errors(&self.floats, options, stop);
        if self.is_exact() {
            return near;
        }
        let of_floats = near.bounds();
        let mut best = near.certificate;
        let decision = SeparabilityOptions { gap: f64::INFINITY, ..*options };
        let conflicts = best.conflicts.iter();
        best.conflicts =
            conflicts.filter_map(|one| self.conflict(&one.rows, &decision, stop)).collect();
        best.least_errors.lower = best.conflicts.len();
        best.least_errors.upper = self.count_errors(&best.weights, best.bias);
        // Floats that are separable, but by none of the weights that were found, prove nothing.
        let ErrorBounds { lower, upper } = best.least_errors;
        let is_same = best.least_errors == of_floats && (lower > 0 || upper == 0);
        let ended = match self.scaled_unless(is_same) {
            None => near.ended,
            Some(Err(TooLong { .. })) => Some(Ended::Length),
            Some(Ok(scaled)) => {
                let found = least_errors(&scaled.examples(), options, stop);
                self.improve(&mut best, found.certificate, scaled);
                found.ended
            }
        };
        let ErrorBounds { lower, upper } = best.least_errors;
        LeastErrors { certificate: best, ended: ended.filter(|_| lower < upper) }
    }

    /// The scaled rows, unless they are not needed.
    fn scaled_unless(&self, is_done: bool) -> Option<Result<&Scaled, TooLong>> {
        (!is_done).then(|| self.scaled())
    }

    /// The conflict of some of these rows, counted from 1, if decimals have one.
    fn conflict(
        &self,
        rows: &[usize],
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Conflict> {
        match self.no_of(rows, options, stop)? {
            Verdict::No { certificate: Certificate::No { rows, multipliers, .. }, .. } => {
                Some(Conflict { rows, multipliers })
            }
            _ => None,
        }
    }

    /// Takes the conflicts of scaled rows if they are more, and the weights if they have fewer errors.
    fn improve(
        &self,
        best: &mut LeastErrorsCertificate,
        found: LeastErrorsCertificate,
        scaled: &Scaled,
    ) {
        let LeastErrorsCertificate { with_bias, weights, bias, conflicts, .. } = found;
        if conflicts.len() > best.conflicts.len() {
            (best.least_errors.lower, best.conflicts) = (conflicts.len(), conflicts);
        }
        let own = integers(&Certificate::Yes { with_bias, weights, bias });
        let outwards = own.map(|weights| scaled.outwards(weights));
        let outwards = outwards.and_then(|weights| in_floats(&weights, with_bias));
        if let Some(Certificate::Yes { weights, bias, .. }) = outwards {
            let upper = self.count_errors(&weights, bias);
            if upper < best.least_errors.upper {
                (best.least_errors.upper, best.weights, best.bias) = (upper, weights, bias);
            }
        }
    }
}
