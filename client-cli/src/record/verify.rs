//! `tilewire verify`: recomputes the bag of a game from the secret that the server committed to before the game.

use std::io::{Write, stdout};

use serde::Serialize;
use tilewire_rules::record::{Step, verify_bag};

use super::source::{Loaded, Problem, Source};
use super::{EXIT_WRONG, RecordFile, VerifyArgs};
use tilewire_rules::record::native;

#[derive(Serialize)]
struct Outcome<'a> {
    game: &'a str,
    fair: bool,
    steps: Vec<StepReport<'a>>,
}

#[derive(Serialize)]
struct StepReport<'a> {
    line: usize,
    holds: bool,
    what: &'a str,
}

pub(super) fn run(args: &VerifyArgs, server: &str, as_json: bool) -> Result<u8, Problem> {
    let file = RecordFile {
        file: args.file.clone(),
        rules: args.rules.clone(),
        language: None,
        code: args.code.clone(),
    };
    let loaded = Loaded::new(&file, server)?;
    let Source::Native(header, records) = &loaded.source else {
        let text = format!("{}: only a native record contains the bag", args.file);
        return Err(Problem::Format(text));
    };
    if !native::is_finished(records) {
        let text = format!(
            "{}: the game is not over, so its secret is not revealed",
            args.file
        );
        return Err(Problem::Format(text));
    }
    let steps = verify_bag(&loaded.rules, records);
    let fair = steps.iter().all(|step| step.holds);
    let mut out = stdout().lock();
    if as_json {
        let told = steps.iter().map(|step| StepReport {
            line: step.line,
            holds: step.holds,
            what: &step.what,
        });
        let outcome = Outcome {
            game: &header.game,
            fair,
            steps: told.collect(),
        };
        serde_json::to_writer(&mut out, &outcome).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        write_text(&mut out, &header.game, &steps, fair)?;
    }
    Ok(if fair { 0 } else { EXIT_WRONG })
}

fn write_text(out: &mut impl Write, game: &str, steps: &[Step], fair: bool) -> std::io::Result<()> {
    for step in steps {
        let mark = if step.holds { "ok   " } else { "WRONG" };
        writeln!(out, "{mark} line {:>3}: {}", step.line, step.what)?;
    }
    let count = steps.len();
    if fair {
        writeln!(
            out,
            "game {game}: the bag matches the commitment; {count} steps recomputed"
        )
    } else {
        let wrong = steps.iter().filter(|step| !step.holds).count();
        writeln!(
            out,
            "game {game}: the bag does NOT match the commitment; {wrong} of {count} steps differ"
        )
    }
}
