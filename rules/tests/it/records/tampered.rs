//! Every record of `tests/data/tampered` through one check.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use tilewire_rules::lexicon::FstLexicon;
use tilewire_rules::record::{Code, Report, Severity, check_gcg, check_native, gcg, native};
use tilewire_rules::ruleset::RuleSet;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    file: String,
    change: Option<(String, String)>,
    rules: Option<String>,
    language: Option<String>,
    error: Option<String>,
    incomplete: Option<String>,
}

fn text(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tampered");
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn report(case: &Case) -> Report {
    let mut record = text(&case.file);
    if let Some((old, new)) = &case.change {
        assert_eq!(record.matches(old.as_str()).count(), 1, "{old}");
        record = record.replace(old.as_str(), new);
    }
    let bytes = record.as_bytes();
    if native::is_native(bytes) {
        let (header, records) = native::read(bytes).unwrap();
        let rules = match header.rules {
            Some(text) => Arc::new(RuleSet::parse(&text, &case.file).unwrap()),
            None => RuleSet::builtin(&header.rule_set).unwrap(),
        };
        return check_native(&rules, &records, Some(&*FstLexicon::builtin()));
    }
    let read = gcg::read(bytes).unwrap_or_else(|error| panic!("{}: {error}", case.file));
    let rules = match &case.rules {
        Some(file) => Arc::new(RuleSet::parse(&text(file), file).unwrap()),
        None => RuleSet::classic(),
    };
    let language = case.language.as_deref().unwrap_or("english");
    check_gcg(&read, &rules.in_language(language).unwrap(), None)
}

fn holds(case: &Case, report: &Report) -> bool {
    let mut errors = report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let as_stated = match &case.error {
        Some(reason) => errors.any(|error| error.reason.contains(reason.as_str())),
        None => report.findings.is_empty(),
    };
    let is_named = |reason: &String| {
        let found = report.incomplete.unwrap_or_default();
        found.contains(reason.as_str())
    };
    as_stated && case.incomplete.as_ref().is_none_or(is_named)
}

#[test]
fn every_tampered_record_is_judged_as_stated() {
    let cases: Cases = toml::from_str(include_str!("../../data/tampered/cases.toml")).unwrap();
    let differences: Vec<String> = cases
        .case
        .iter()
        .map(|case| (case, report(case)))
        .filter(|(case, report)| !holds(case, report))
        .map(|(case, report)| {
            let incomplete = report.incomplete;
            format!("{}: {incomplete:?} {:#?}", case.file, report.findings)
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_code_is_documented() {
    let document = include_str!("../../../../docs/records.md");
    for code in Code::ALL {
        let row = format!("\n| `{}` | ", code.name());
        assert!(document.contains(&row), "{}", code.name());
    }
}
