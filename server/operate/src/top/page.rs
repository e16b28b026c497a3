//! A page of metrics in the text format of Prometheus.

/// One value of a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) labels: Vec<(String, String)>,
    pub(super) value: f64,
}

/// All values of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Page {
    samples: Vec<Sample>,
}

impl Page {
    /// Reads a page. Comments, and lines that are no samples, are left out.
    pub(super) fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self {
            samples: lines.filter_map(sample).collect(),
        }
    }

    /// Returns the samples of a name.
    pub(super) fn of(&self, name: &str) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |one| one.name == name)
    }

    /// Returns the sum of all values of a name.
    pub(super) fn sum(&self, name: &str) -> f64 {
        self.of(name).map(|one| one.value).sum()
    }

    /// Says whether a name has a value.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.of(name).next().is_some()
    }

    /// Returns the value of a name with one label.
    pub(super) fn with(&self, name: &str, label: &str, value: &str) -> f64 {
        let found = self.of(name).filter(|one| one.label(label) == Some(value));
        found.map(|one| one.value).sum()
    }
}

impl Sample {
    /// Returns the value of a label.
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        let mut labels = self.labels.iter();
        let (_, value) = labels.find(|(found, _)| found == name)?;
        Some(value)
    }
}

/// Reads a line: a name, labels in braces or none, and a value. A time behind the value is not read.
fn sample(line: &str) -> Option<Sample> {
    let end = line.find(['{', ' '])?;
    let (name, rest) = line.split_at(end);
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(inside) => labels(inside)?,
        None => (Vec::new(), rest),
    };
    let value = rest.split_whitespace().next()?.parse().ok()?;
    Some(Sample {
        name: name.to_owned(),
        labels,
        value,
    })
}

/// Labels, and the text behind them.
type Labels<'a> = (Vec<(String, String)>, &'a str);

/// Reads labels up to the brace that ends them.
fn labels(mut text: &str) -> Option<Labels<'_>> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start_matches([',', ' ']);
        if let Some(rest) = text.strip_prefix('}') {
            return Some((found, rest));
        }
        let (name, rest) = text.split_once("=\"")?;
        let (value, rest) = quoted(rest)?;
        found.push((name.to_owned(), value));
        text = rest;
    }
}

/// Reads a text up to the quote that ends it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, labels and value.
    type Expected = (&'static str, &'static [(&'static str, &'static str)], f64);

    #[test]
    fn samples_are_read() {
        let check = |line: &str, expected: Option<Expected>| {
            let expected = expected.map(|(name, labels, value)| Sample {
                name: name.to_owned(),
                labels: labels
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
                value,
            });
            assert_eq!(sample(line), expected, "{line}");
        };
        check("a 1", Some(("a", &[], 1.0)));
        check("a 1.5e3 1700000000", Some(("a", &[], 1_500.0)));
        check("a{} 2", Some(("a", &[], 2.0)));
        check("a{b=\"c\"} 3", Some(("a", &[("b", "c")], 3.0)));
        check(
            "a_bucket{b=\"c\",le=\"+Inf\"} 4",
            Some(("a_bucket", &[("b", "c"), ("le", "+Inf")], 4.0)),
        );
        check(
            r#"a{b="x} \"y\", \\z"} 5"#,
            Some(("a", &[("b", r#"x} "y", \z"#)], 5.0)),
        );
        for line in ["", "a", "a b", "a{", "a{b} 1", "a{b=\"c} 1", "a{b=\"c\"}"] {
            check(line, None);
        }
    }

    #[test]
    fn comments_are_no_samples() {
        let page =
            Page::parse("# HELP a A thing\n# TYPE a counter\na{b=\"1\"} 2\na{b=\"2\"} 3\n\nc 4\n");
        assert_eq!(page.sum("a"), 5.0);
        assert_eq!(page.with("a", "b", "2"), 3.0);
        assert_eq!(page.sum("c"), 4.0);
        assert_eq!(page.sum("d"), 0.0);
    }
}
