//! The answer of `tilewire position`, as JSON or as text.

use std::io::{self, Write};

use serde::Serialize;

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    /// `exact`, `depth`, `sampled` or `static`.
    pub(super) proof: &'static str,
    /// How many turns deep the search was, or how many stages it finished, if it did not prove the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<u8>,
    /// Positions searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    /// Most samples of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) samples: Option<u32>,
    /// The stages of a search before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stages: Option<u8>,
    /// Why the simulation ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'static str>,
    pub(super) turns: Vec<Turn>,
    /// The best play of both, if the value is proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) line: Vec<String>,
}

/// A turn, as in GCG.
#[derive(Debug, Serialize)]
pub(super) struct Turn {
    #[serde(rename = "move")]
    pub(super) text: String,
    pub(super) score: i32,
    /// Points: score and leave; in an ending the value.
    pub(super) equity: f64,
    /// The chance to win, in 1/10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) win: Option<u16>,
    /// The share of the ways in which the unseen tiles can lie, in 1/10,000, in which no reply avoids the win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sure: Option<u16>,
    /// Two standard errors of the difference to the best turn in `win`, in 1/10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<u16>,
    /// Whether the difference to the best turn is within its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) equal: Option<bool>,
    /// The mean lead at the end of a sample, with leaves, in points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lead: Option<f64>,
    /// Samples of this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) samples: Option<u32>,
    /// Points still gained over the other, in an ending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<i32>,
}

impl Outcome {
    pub(super) const fn new(proof: &'static str, turns: Vec<Turn>) -> Self {
        Self {
            proof,
            depth: None,
            nodes: None,
            samples: None,
            stages: None,
            reason: None,
            turns,
            line: Vec::new(),
        }
    }
}

impl Turn {
    pub(super) const fn new(text: String, score: i32) -> Self {
        Self {
            text,
            score,
            equity: 0.0,
            win: None,
            sure: None,
            error: None,
            equal: None,
            lead: None,
            samples: None,
            value: None,
        }
    }
}

/// Writes the answer as text.
pub(super) fn write_text(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    write_proof(out, outcome)?;
    let turns = &outcome.turns;
    let widths = turns.iter().map(|turn| turn.text.chars().count());
    let width = widths.max().unwrap_or(0).max("move".len());
    let is_ending = turns.iter().any(|turn| turn.value.is_some());
    let last = if is_ending { "value" } else { "equity" };
    let (head, score) = ("move", "score");
    write!(out, "{:>4}  {head:width$}  {score:>5}  {last:>7}", "")?;
    if outcome.samples.is_some() {
        let [win, error, lead, samples] = ["win %", "±", "lead", "samples"];
        write!(out, "  {win:>6}  {error:>6}  {lead:>6}  {samples:>7}")?;
    }
    if outcome.stages.is_some() {
        let [win, sure, lead] = ["expected %", "sure %", "lead"];
        write!(out, "  {win:>10}  {sure:>6}  {lead:>6}")?;
    }
    writeln!(out)?;
    for (rank, turn) in (1..).zip(turns) {
        write_turn(out, (rank, width), turn)?;
    }
    if turns.iter().skip(1).any(|turn| turn.equal == Some(true)) {
        writeln!(
            out,
            "= as good as the first, within the error of the samples"
        )?;
    }
    if outcome.line.len() > 1 {
        writeln!(out, "Best play: {}", outcome.line.join(", "))?;
    }
    Ok(())
}

fn write_proof(out: &mut impl Write, of: &Outcome) -> io::Result<()> {
    if let (Some(stages), Some(nodes)) = (of.stages, of.nodes) {
        return match of.depth {
            None => writeln!(
                out,
                "The results of the best turns are proved after {nodes} positions."
            ),
            Some(depth) if depth < stages => writeln!(
                out,
                "Not finished after {nodes} positions, {depth} of {stages} stages; --nodes sets the limit."
            ),
            Some(_) => writeln!(
                out,
                "Finished after {nodes} positions; turns that leave tiles in the bag are estimates."
            ),
        };
    }
    match (of.proof, of.depth, of.nodes, of.samples) {
        ("exact", _, Some(nodes), _) => writeln!(out, "Solved after {nodes} positions."),
        ("depth", Some(depth), Some(nodes), _) => writeln!(
            out,
            "Not solved after {nodes} positions, {depth} turns deep; --nodes sets the limit."
        ),
        (_, _, _, Some(samples)) => {
            let why = match of.reason {
                Some("best") => "the best turn is clear",
                Some("equal") => "the best turns are equal",
                _ => "--samples sets the limit",
            };
            writeln!(out, "Simulated in {samples} samples: {why}.")
        }
        _ => writeln!(out, "By score and leave, without looking ahead."),
    }
}

fn write_turn(out: &mut impl Write, (rank, width): (usize, usize), turn: &Turn) -> io::Result<()> {
    let worth = match turn.value {
        Some(value) => format!("{value:+}"),
        None => format!("{:.1}", turn.equity),
    };
    let Turn { text, score, .. } = turn;
    write!(out, "{rank:>4}  {text:width$}  {score:>5}  {worth:>7}")?;
    if let (Some(win), Some(error), Some(lead), Some(samples)) =
        (turn.win, turn.error, turn.lead, turn.samples)
    {
        let (win, error) = (f64::from(win) / 100.0, f64::from(error) / 100.0);
        let (error, mark) = match turn.equal {
            _ if rank == 1 => (String::new(), ""),
            Some(true) => (format!("{error:.2}"), " ="),
            _ => (format!("{error:.2}"), ""),
        };
        write!(
            out,
            "  {win:>6.2}  {error:>6}  {lead:>+6.1}  {samples:>7}{mark}"
        )?;
    }
    if let (Some(win), None, Some(lead)) = (turn.win, turn.error, turn.lead) {
        let win = f64::from(win) / 100.0;
        let sure = turn
            .sure
            .map(|sure| format!("{:.2}", f64::from(sure) / 100.0));
        let sure = sure.unwrap_or_default();
        write!(out, "  {win:>10.2}  {sure:>6}  {lead:>+6.1}")?;
    }
    writeln!(out)
}
