//! `tilewire record convert` and `tilewire record fetch`.

use std::io::{Write, stderr, stdout};
use std::path::Path;

use serde_json::json;
use tilewire_rules::record::cgp::{self, Cgp};
use tilewire_rules::record::gcg::Gcg;
use tilewire_rules::record::{check_gcg, gcg, native};

use super::source::{self, Loaded, Problem, Source};
use super::{ConvertArgs, FetchArgs, Format};
use crate::output::{self, Existing, STANDARD};

pub(super) fn run(args: &ConvertArgs, server: &str, as_json: bool) -> Result<u8, Problem> {
    let existing = Existing::with_force(args.force);
    existing.check(&args.output)?;
    let loaded = Loaded::new(&args.record, server)?;
    let format = args.to.or_else(|| by_name(&args.output)).ok_or_else(|| {
        let name = args.output.display();
        Problem::Format(format!(
            "{name}: the name does not end in .gcg, .jsonl or .cgp; set the format with --to"
        ))
    })?;
    let text = match (format, &loaded.source) {
        (Format::Gcg, Source::Native(_, records)) if !native::is_finished(records) => {
            return Err(Problem::Format(format!(
                "{}: the game is not over",
                loaded.name
            )));
        }
        (Format::Gcg, _) => gcg::write(&loaded.sheet()?),
        (Format::Native, Source::Native(_, records)) => {
            native::write(records, Some(&loaded.rules)).unwrap_or_default()
        }
        (Format::Native, Source::Gcg(_)) => {
            let text = "a GCG file does not contain everything a native record needs: the bag, the clocks, acceptances";
            return Err(Problem::Format(text.to_owned()));
        }
        (Format::Cgp, _) => last_position(&loaded)?,
    };
    write(&args.output, text.as_bytes(), existing, as_json)
}

pub(super) fn fetch(args: &FetchArgs, server: &str, as_json: bool) -> Result<u8, Problem> {
    let existing = Existing::with_force(args.force);
    existing.check(&args.output)?;
    let extension = match by_name(&args.output) {
        Some(Format::Gcg) => "gcg",
        Some(Format::Native) | None => "jsonl",
        Some(Format::Cgp) => {
            let text = "a server has no positions; fetch the record and convert it";
            return Err(Problem::Format(text.to_owned()));
        }
    };
    let bytes = source::fetch(server, &args.game, extension, args.code.as_deref())?;
    write(&args.output, &bytes, existing, as_json)
}

fn by_name(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()? {
        "gcg" => Some(Format::Gcg),
        "jsonl" => Some(Format::Native),
        "cgp" => Some(Format::Cgp),
        _ => None,
    }
}

fn write(path: &Path, bytes: &[u8], existing: Existing, as_json: bool) -> Result<u8, Problem> {
    output::write(path, bytes, existing)?;
    if path.as_os_str() == STANDARD {
        // Stdout has the record and nothing else.
    } else if as_json {
        let written = json!({ "file": path, "bytes": bytes.len() });
        writeln!(stdout(), "{written}")?;
    } else {
        // An error of stderr cannot be reported.
        drop(writeln!(stderr(), "wrote {}", path.display()));
    }
    Ok(0)
}

/// The position after the last turn, with the racks that the record contains.
fn last_position(loaded: &Loaded) -> Result<String, Problem> {
    let sheet = loaded.sheet()?;
    let report = check_gcg(&sheet, &loaded.rules, None);
    let tiles = &loaded.rules.tiles;
    let rack = |number: usize| {
        let named = sheet
            .racks
            .iter()
            .find(|rack| usize::from(rack.player) == number + 1);
        let rack = named.map(|rack| rack.tiles.as_str()).unwrap_or_default();
        tilewire_rules::notation::parse_rack(rack, tiles).unwrap_or_default()
    };
    let order = from_on_turn(&sheet);
    let score = |number: &usize| report.totals.get(*number).copied();
    let position = Cgp {
        board: report.board.unwrap_or_else(|| {
            let layout = &loaded.rules.layout;
            tilewire_rules::board::Board::new(layout.rows(), layout.cols())
        }),
        racks: order.iter().copied().map(rack).collect(),
        scores: order.iter().filter_map(score).collect(),
        scoreless: scoreless(&sheet),
        opcodes: sheet
            .pragma("lexicon")
            .map_or_else(String::new, |name| format!("lex {name};")),
    };
    Ok(format!("{}\n", cgp::write(&position, tiles)))
}

/// The players, starting with the one on turn: the next player after the last line.
fn from_on_turn(sheet: &Gcg) -> Vec<usize> {
    let last = sheet.events.last().map(|event| event.nick.as_str());
    let nicks = sheet.players.iter().map(|player| player.nick.as_str());
    let before = nicks.take_while(|nick| Some(*nick) != last).count();
    let players = sheet.players.len();
    (before + 1..)
        .take(players)
        .map(|at| at % players)
        .collect()
}

/// The number of scoreless turns at the end of the score sheet.
fn scoreless(sheet: &Gcg) -> u32 {
    let is_scoreless = |kind: &gcg::Kind| {
        matches!(
            kind,
            gcg::Kind::Pass | gcg::Kind::Exchange(_) | gcg::Kind::Off
        )
    };
    let turns = sheet.events.iter().rev();
    let run = turns.take_while(|event| is_scoreless(&event.kind)).count();
    u32::try_from(run).unwrap_or(u32::MAX)
}
