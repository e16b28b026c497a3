//! Every case of `tests/data/score-sheets.toml` through one check.

use std::collections::BTreeMap;

use serde::Deserialize;
use tilewire_rules::record::{Finding, Report, Severity, check_gcg, gcg};

use crate::support::rule_set;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    sheets: BTreeMap<String, Sheet>,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    rules: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    sheet: String,
    rules: Option<String>,
    change: Option<(String, String)>,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    remarks: Vec<String>,
}

/// Checks a sheet; returns what differs from the expectation.
fn check(case: &Case, sheet: &Sheet) -> Option<String> {
    let mut text = sheet.text.clone();
    if let Some((old, new)) = &case.change {
        assert!(text.contains(old.as_str()), "{}: {old:?}", case.name);
        text = text.replacen(old.as_str(), new, 1);
    }
    let rules = rule_set(case.rules.as_ref().unwrap_or(&sheet.rules));
    let read = gcg::read(text.as_bytes()).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    let report = check_gcg(&read, &rules, None);
    let agrees = agree(&report, Severity::Error, &case.errors)
        && agree(&report, Severity::Remark, &case.remarks)
        && report.is_exact() == case.errors.is_empty();
    (!agrees).then(|| format!("{}: {:#?}", case.name, report.findings))
}

/// Compares the findings of a severity with the expected ones, each as `line: a part of the reason`.
fn agree(report: &Report, severity: Severity, expected: &[String]) -> bool {
    let findings = report.findings.iter();
    let found: Vec<&Finding> = findings
        .filter(|finding| finding.severity == severity)
        .collect();
    let agrees = |(finding, expected): (&&Finding, &String)| {
        let (line, reason) = expected.split_once(": ").unwrap();
        line == finding.line.to_string() && finding.reason.contains(reason)
    };
    found.len() == expected.len() && found.iter().zip(expected).all(agrees)
}

#[test]
fn every_score_sheet_is_checked_as_stated() {
    let cases: Cases = toml::from_str(include_str!("../../data/score-sheets.toml")).unwrap();
    let check = |case: &Case| check(case, &cases.sheets[&case.sheet]);
    let differences: Vec<String> = cases.case.iter().filter_map(check).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
