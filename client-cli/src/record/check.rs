//! `tilewire record check`: replays a record and recomputes every number in it.

use std::io::{Write, stdout};

use serde::Serialize;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::record::{Report, Severity, check_gcg, check_native};

use super::source::{Loaded, Problem, Source, lexicon};
use super::{CheckArgs, EXIT_WRONG};

#[derive(Serialize)]
struct Outcome<'a> {
    file: &'a str,
    rules: &'a str,
    lexicon: Option<&'a str>,
    exact: bool,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<&'static str>,
    turns: usize,
    totals: &'a [i32],
    findings: Vec<FindingLine<'a>>,
}

impl Outcome<'_> {
    fn has_remarks(&self) -> bool {
        self.findings.iter().any(|finding| !finding.error)
    }
}

#[derive(Serialize)]
struct FindingLine<'a> {
    line: usize,
    code: &'static str,
    error: bool,
    reason: &'a str,
}

pub(super) fn run(args: &CheckArgs, server: &str, as_json: bool) -> Result<u8, Problem> {
    let loaded = Loaded::new(&args.record, server)?;
    let lexicon = lexicon(args.lexicon.as_deref(), loaded.lexicon_name())?;
    let words = lexicon.as_deref().map(|lexicon| lexicon as &dyn Lexicon);
    let report = match &loaded.source {
        Source::Gcg(gcg) => check_gcg(gcg, &loaded.rules, words),
        Source::Native(_, records) => check_native(&loaded.rules, records, words),
    };
    let outcome = Outcome {
        file: &loaded.name,
        rules: &loaded.rules.id,
        lexicon: words.map(Lexicon::name),
        exact: report.is_exact(),
        complete: report.is_complete(),
        incomplete: report.incomplete,
        turns: report.turns,
        totals: &report.totals,
        findings: told(&report),
    };
    let mut out = stdout().lock();
    if as_json {
        serde_json::to_writer(&mut out, &outcome).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        write_text(&mut out, &outcome)?;
    }
    let is_fine = outcome.exact && !(args.strict && outcome.has_remarks());
    Ok(if is_fine { 0 } else { EXIT_WRONG })
}

fn told(report: &Report) -> Vec<FindingLine<'_>> {
    let findings = report.findings.iter().map(|finding| FindingLine {
        line: finding.line,
        code: finding.code.name(),
        error: finding.severity == Severity::Error,
        reason: &finding.reason,
    });
    findings.collect()
}

fn write_text(out: &mut impl Write, outcome: &Outcome<'_>) -> std::io::Result<()> {
    for finding in &outcome.findings {
        let mark = if finding.error { "" } else { "remark: " };
        writeln!(
            out,
            "{}:{}: {mark}{}",
            outcome.file, finding.line, finding.reason
        )?;
    }
    let verdict = if outcome.exact { "exact" } else { "not exact" };
    let complete = match outcome.incomplete {
        Some(reason) => format!(", incomplete ({reason})"),
        None => String::new(),
    };
    let totals: Vec<String> = outcome.totals.iter().map(i32::to_string).collect();
    let words = match outcome.lexicon {
        Some(name) => format!("words checked with {name}"),
        None => "words not checked".to_owned(),
    };
    writeln!(
        out,
        "{}: {verdict}{complete}; {} turns of {}, {}; {words}",
        outcome.file,
        outcome.turns,
        outcome.rules,
        totals.join(" - ")
    )
}
