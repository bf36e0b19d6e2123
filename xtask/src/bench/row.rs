//! What was measured of one work, and what it must reach.

use serde_json::{Value, json};

use super::measure::Outcome;

/// One work: ours, others, the machine's limit, goals.
#[derive(Default)]
pub(super) struct Row {
    /// A short name.
    pub(super) id: String,
    /// What is done.
    pub(super) work: String,
    /// The first is what the others are compared with.
    pub(super) ours: Vec<Outcome>,
    pub(super) others: Vec<Outcome>,
    /// The machine's own: what it is, and seconds.
    pub(super) limit: Option<(String, f64)>,
    /// Stored values that an epoch reads, for work in memory; then epochs are compared.
    pub(super) values: Option<f64>,
    pub(super) goals: Vec<Goal>,
    /// Models with a larger share of wrong rows are nonsense.
    pub(super) worst: Option<f64>,
    /// Others whose share of wrong rows must be within so much of ours: those with the same rule.
    pub(super) alike: Option<(&'static str, f64)>,
    /// Points of the picture of growth.
    pub(super) growth: Vec<Grown>,
    /// What the reader must know.
    pub(super) note: Option<&'static str>,
}

/// The name of the loop without the exact predicate.
pub(super) const ROUNDED: &str = "a loop with rounded sums";

/// Time and memory for a number of rows.
#[derive(Clone, Copy)]
pub(super) struct Grown {
    pub(super) rows: usize,
    pub(super) cpu: f64,
    pub(super) memory: f64,
}

/// What must be reached.
pub(super) struct Goal {
    /// What is measured and the bound, in words.
    pub(super) text: String,
    /// None where a part of it could not be measured.
    pub(super) value: Option<f64>,
    pub(super) bound: Bound,
    pub(super) unit: &'static str,
}

pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    pub(super) fn at_most(
        bound: f64,
        unit: &'static str,
        text: impl Into<String>,
        value: Option<f64>,
    ) -> Self {
        Goal { text: text.into(), value, bound: Bound::AtMost(bound), unit }
    }

    /// A tool must take so many times more than ours.
    pub(super) fn times_less(bound: f64, other: &Outcome, ours: &Outcome) -> Self {
        Goal {
            text: format!("≥ {bound} × less than {}", other.name),
            value: ratio(other.cpu(), ours.cpu()),
            bound: Bound::AtLeast(bound),
            unit: "×",
        }
    }

    /// The same for whole processes, from their birth to the model.
    pub(super) fn times_less_in_all(bound: f64, other: &Outcome, ours: &Outcome) -> Self {
        let value = ratio(other.median(|run| run.process).or(other.cpu()), ours.cpu());
        Goal { value, ..Self::times_less(bound, other, ours) }
    }

    pub(super) fn reached(&self) -> Option<bool> {
        self.value.map(|value| match self.bound {
            Bound::AtMost(bound) => value <= bound,
            Bound::AtLeast(bound) => value >= bound,
        })
    }

    fn json(&self) -> Value {
        json!({"goal": self.text, "value": self.value, "unit": self.unit, "reached": self.reached()})
    }
}

/// Of two figures that may be missing.
pub(super) fn ratio(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? / b?)
}

impl Row {
    /// Ours over the limit: an epoch in memory, else all of the processor's time.
    pub(super) fn of_limit(&self) -> Option<f64> {
        let ours = self.ours.first()?;
        let seconds = if self.values.is_some() { ours.epoch() } else { ours.cpu() };
        ratio(seconds, self.limit.as_ref().map(|(_, limit)| *limit))
    }

    /// What is wrong with the models.
    pub(super) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        let ours = self.ours.first().and_then(Outcome::errors);
        for outcome in &self.ours {
            if let Some(why) = &outcome.failure {
                complaints.push(format!("{}: {}: {why}", self.id, outcome.name));
            }
        }
        for outcome in self.ours.iter().chain(&self.others) {
            let Some(errors) = outcome.errors() else { continue };
            if self.worst.is_some_and(|worst| errors > worst) {
                complaints.push(format!("{}: {} is wrong about {errors}", self.id, outcome.name));
            }
            if let (Some((name, within)), Some(ours)) = (self.alike, ours)
                && outcome.name.starts_with(name)
                && (errors - ours).abs() > within
            {
                let text = format!("{}: {errors} wrong by {}, {ours} by us", self.id, outcome.name);
                complaints.push(text);
            }
        }
        // Rounding decides hardly a visit otherwise.
        let updates = |outcome: Option<&Outcome>| outcome?.median(|run| run.updates);
        let rounded = self.others.iter().find(|outcome| outcome.name == ROUNDED);
        if let (Some(ours), Some(rounded)) = (updates(self.ours.first()), updates(rounded))
            && (ours - rounded).abs() > 0.01 * ours
        {
            complaints.push(format!("{}: {ours} updates, {rounded} by the rounded loop", self.id));
        }
        complaints
    }

    pub(super) fn json(&self) -> Value {
        let all = |outcomes: &[Outcome]| outcomes.iter().map(Outcome::json).collect::<Vec<_>>();
        let goals: Vec<Value> = self.goals.iter().map(Goal::json).collect();
        let mut object = json!({
            "id": self.id, "work": self.work, "ours": all(&self.ours), "others": all(&self.others),
            "goals": goals,
        });
        if let Some((what, seconds)) = &self.limit {
            object["limit"] = json!({"what": what, "cpu": seconds});
        }
        if let Some(values) = self.values {
            object["values"] = json!(values);
        }
        if !self.growth.is_empty() {
            let point = |grown: &Grown| json!({"rows": grown.rows, "cpu": grown.cpu, "memory_mib": grown.memory});
            object["growth"] = self.growth.iter().map(point).collect();
        }
        object
    }
}
