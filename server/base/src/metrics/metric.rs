//! The declaration of a metric: name, kind, unit, help and labels.

use metrics::{
    Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, describe_histogram,
    gauge, histogram,
};
use tilewire_protocol::{CloseCode, EndReason, ErrorCode};
use tilewire_rules::ruleset::RuleSet;

/// The version of the server.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The value of the label of a rule set that is not built in: an operator's rule sets have any names.
pub(super) const OWN_RULE_SET: &str = "own";

/// The value of the label of a message that was accepted.
pub(super) const TAKEN: &str = "taken";

/// The value of a gauge that is not known.
pub(super) const UNKNOWN: f64 = f64::NAN;

/// The kind of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only rises, from zero at the start of the process.
    Counter,
    /// It rises and falls.
    Gauge,
    /// It counts values by size.
    Histogram,
}

/// The unit of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A number of things.
    Count,
    /// Seconds; of a point in time, since the Unix epoch.
    Seconds,
    /// Bytes.
    Bytes,
    /// A part of a bound; 1 is the bound.
    Ratio,
}

/// A label of a metric.
#[derive(Debug, Clone, Copy)]
pub struct Label {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub values: Values,
}

/// The values of a label. There are few, and none comes from a client.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// These words.
    These(&'static [&'static str]),
    /// The built-in rule sets, and one word for all others.
    RuleSets,
    /// The codes of errors.
    ErrorCodes,
    /// The codes of errors, and a word for success.
    Outcomes,
    /// The codes with which the server closes connections.
    CloseCodes,
    /// The reasons for which games end.
    EndReasons,
    /// The version of the server.
    Version,
}

/// A metric of the server.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Its unit.
    pub unit: Unit,
    /// A description in one sentence, without a full stop.
    pub help: &'static str,
    /// Its labels.
    pub labels: &'static [Label],
    /// Whether it has no sample until its value is known: zero would be false.
    pub is_known_later: bool,
}

impl Kind {
    /// Returns the name of the kind, as Prometheus has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

impl Unit {
    /// Returns the name of the unit.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Seconds => "seconds",
            Self::Bytes => "bytes",
            Self::Ratio => "ratio",
        }
    }
}

impl Label {
    /// Declares a label.
    pub(super) const fn new(name: &'static str, values: Values) -> Self {
        Self { name, values }
    }
}

impl Values {
    /// Returns all values.
    #[must_use]
    pub fn list(self) -> Vec<&'static str> {
        let errors = ErrorCode::ALL.iter().map(|code| code.as_str());
        match self {
            Self::These(words) => words.to_vec(),
            Self::RuleSets => {
                let built_in = RuleSet::builtins().iter().map(|rules| rules.id.as_str());
                built_in.chain([OWN_RULE_SET]).collect()
            }
            Self::ErrorCodes => errors.collect(),
            Self::Outcomes => errors.chain([TAKEN]).collect(),
            Self::CloseCodes => CloseCode::ALL.iter().map(|code| code.as_str()).collect(),
            Self::EndReasons => EndReason::ALL.iter().map(|end| end.as_str()).collect(),
            Self::Version => vec![VERSION],
        }
    }
}

impl Metric {
    const fn new(kind: Kind, name: &'static str, unit: Unit, help: &'static str) -> Self {
        Self {
            name,
            kind,
            unit,
            help,
            labels: &[],
            is_known_later: false,
        }
    }

    /// Declares a counter.
    pub(super) const fn counter(name: &'static str, unit: Unit, help: &'static str) -> Self {
        Self::new(Kind::Counter, name, unit, help)
    }

    /// Declares a gauge.
    pub(super) const fn gauge(name: &'static str, unit: Unit, help: &'static str) -> Self {
        Self::new(Kind::Gauge, name, unit, help)
    }

    /// Declares a histogram.
    pub(super) const fn histogram(name: &'static str, unit: Unit, help: &'static str) -> Self {
        Self::new(Kind::Histogram, name, unit, help)
    }

    /// Adds labels to a declaration.
    pub(super) const fn by(mut self, labels: &'static [Label]) -> Self {
        self.labels = labels;
        self
    }

    /// Leaves the metric without a sample until its value is known.
    pub(super) const fn known_later(mut self) -> Self {
        self.is_known_later = true;
        self
    }

    /// Takes the sample away: the value is not known any more. The page leaves [`UNKNOWN`] out.
    pub(super) fn forget(&self) {
        self.level(&[]).set(UNKNOWN);
    }

    /// Returns the labels with these values, in the order of the declaration.
    fn labelled(&self, values: &[&'static str]) -> Vec<metrics::Label> {
        debug_assert_eq!(values.len(), self.labels.len(), "{}", self.name);
        let pairs = self.labels.iter().zip(values);
        let is_declared = |label: &Label, value| match label.values {
            Values::These(words) => words.contains(value),
            _ => true,
        };
        debug_assert!(
            pairs
                .clone()
                .all(|(label, value)| is_declared(label, value)),
            "{} has no label {values:?}",
            self.name
        );
        pairs
            .map(|(label, value)| metrics::Label::from_static_parts(label.name, value))
            .collect()
    }

    /// Returns the counter with these values of the labels.
    pub(super) fn count(&self, values: &[&'static str]) -> Counter {
        counter!(self.name, self.labelled(values))
    }

    /// Returns the gauge with these values of the labels.
    pub(super) fn level(&self, values: &[&'static str]) -> Gauge {
        gauge!(self.name, self.labelled(values))
    }

    /// Returns the histogram with these values of the labels.
    pub(super) fn spread(&self, values: &[&'static str]) -> Histogram {
        histogram!(self.name, self.labelled(values))
    }

    /// Describes the metric, and shows it with every value of its labels, at zero, unless its value is known later.
    pub(super) fn show(&self) {
        match self.kind {
            Kind::Counter => describe_counter!(self.name, self.help),
            Kind::Gauge => describe_gauge!(self.name, self.help),
            Kind::Histogram => describe_histogram!(self.name, self.help),
        }
        if self.is_known_later {
            return;
        }
        for values in self.combinations() {
            match self.kind {
                Kind::Counter => self.count(&values).increment(0),
                Kind::Gauge => self.level(&values).increment(0.0),
                Kind::Histogram => drop(self.spread(&values)),
            }
        }
    }

    /// Returns every combination of values of the labels.
    fn combinations(&self) -> Vec<Vec<&'static str>> {
        let mut found = vec![Vec::new()];
        for label in self.labels {
            let values = label.values.list();
            let longer = found.iter().flat_map(|known: &Vec<&'static str>| {
                let with = |value: &&'static str| known.iter().copied().chain([*value]).collect();
                values.iter().map(with).collect::<Vec<_>>()
            });
            found = longer.collect();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_of_labels_is_shown() {
        const LABELS: &[Label] = &[
            Label::new("a", Values::These(&["1", "2"])),
            Label::new("b", Values::These(&["3", "4"])),
        ];
        let metric = Metric::gauge("x", Unit::Count, "X").by(LABELS);
        let expected = [["1", "3"], ["1", "4"], ["2", "3"], ["2", "4"]];
        assert_eq!(metric.combinations(), expected);
        let bare = Metric::gauge("x", Unit::Count, "X");
        assert_eq!(bare.combinations(), [Vec::<&str>::new()]);
    }
}
