//! Rule sets as text, for `tilewire rules`.

use std::io::{Result, Write};

use tilewire_protocol::{
    ChallengeKind, Clock, RackCount, RuleSetDescription, RuleSetInfo, RuleSetName,
};

use crate::text::{
    column_letter, end_in_words, first_in_words, format_clock, printable, ties_in_words,
};

/// Writes one line for each rule set.
pub(super) fn write_list(out: &mut impl Write, known: &[RuleSetName]) -> Result<()> {
    let width = known.iter().map(|rules| rules.id.len()).max().unwrap_or(0);
    for rules in known {
        let id = printable(&rules.id);
        let summary = rules.summary.as_deref().unwrap_or(&rules.name);
        writeln!(out, "{id:<width$}  {}", printable(summary))?;
    }
    writeln!(
        out,
        "\n`tilewire rules NAME` describes a rule set; `tilewire play --rules NAME` uses it."
    )
}

/// Writes a full description of a rule set, with its board and tiles.
pub(super) fn write_description(out: &mut impl Write, rules: &RuleSetDescription) -> Result<()> {
    let info = &rules.rule_set;
    writeln!(out, "{} ({})", printable(&info.name), printable(&info.id))?;
    writeln!(out, "{}\n", printable(&rules.summary))?;
    for (title, text) in facts(rules) {
        writeln!(out, "{title:<11}{text}")?;
    }
    if let Some(targets) = &rules.targets {
        writeln!(out, "\nTargets by level:  beginner  intermediate  expert")?;
        for row in targets {
            writeln!(
                out,
                "  {} players {:>16} {:>13} {:>7}",
                row.seats, row.beginner, row.intermediate, row.expert
            )?;
        }
    }
    writeln!(out)?;
    write_board(out, info)?;
    writeln!(out)?;
    write_tiles(out, info)
}

fn facts(rules: &RuleSetDescription) -> Vec<(&'static str, String)> {
    let (info, usual) = (&rules.rule_set, &rules.usual);
    let players = if rules.min_seats == rules.max_seats {
        rules.min_seats.to_string()
    } else {
        format!("{} to {}", rules.min_seats, rules.max_seats)
    };
    let bonuses: Vec<String> = info
        .bingo
        .iter()
        .map(|bingo| format!("{} points for {} tiles", bingo.bonus, bingo.tiles))
        .collect();
    let kinds: Vec<String> = rules.challenges.iter().copied().map(challenge).collect();
    let mut facts = vec![
        ("Players", players),
        ("Rack", format!("{} tiles", info.rack_size)),
        ("Bonus", bonuses.join(", ")),
        (
            "Exchange",
            format!("with {} or more tiles in the bag", info.exchange_min_bag),
        ),
        (
            "Opening",
            format!(
                "{} tiles or more, over {}",
                rules.rule_set.opening_min_tiles,
                printable(&info.board.start)
            ),
        ),
        ("Challenges", kinds.join(", ")),
        (
            "Clock",
            usual.clock.as_ref().map_or_else(String::new, clock),
        ),
        ("First", first_in_words(usual).to_owned()),
        ("End", end_in_words(usual)),
        ("Racks", racks(rules.rule_set.rack_count).to_owned()),
        ("Ties", ties_in_words(usual).to_owned()),
    ];
    if info.board.drawn {
        facts.push((
            "Board",
            "the premium squares are shuffled for every game".to_owned(),
        ));
    }
    let languages: Vec<String> = rules.languages.iter().map(|name| printable(name)).collect();
    facts.push(("Languages", languages.join(", ")));
    facts.retain(|(_, text)| !text.is_empty());
    facts
}

fn challenge(kind: ChallengeKind) -> String {
    match kind {
        ChallengeKind::Void => "none; the server checks all words (void)".to_owned(),
        kind => kind.as_str().replace('_', "-"),
    }
}

fn clock(clock: &Clock) -> String {
    format_clock(clock)
}

const fn racks(count: RackCount) -> &'static str {
    match count {
        RackCount::Always => "unplayed tiles are subtracted; and added to the player who goes out",
        RackCount::EmptyBag => "unplayed tiles are subtracted only if the bag is empty",
        RackCount::Unknown => "",
    }
}

fn write_board(out: &mut impl Write, info: &RuleSetInfo) -> Result<()> {
    let header = (0..info.board.cols).map(|col| column_letter(col).to_string());
    let header: Vec<String> = header.collect();
    writeln!(out, "   {}", header.join(" "))?;
    for (row, symbols) in (1..).zip(&info.board.layout) {
        let squares: Vec<String> = symbols.chars().map(String::from).collect();
        writeln!(out, "{row:>2} {}", squares.join(" "))?;
    }
    writeln!(
        out,
        "' \" ^ double, triple, quadruple letter; - = ~ double, triple, quadruple word"
    )
}

fn write_tiles(out: &mut impl Write, info: &RuleSetInfo) -> Result<()> {
    let total: u32 = info.tiles.iter().map(|tile| tile.count).sum();
    let language = info.language.as_deref().unwrap_or_default();
    writeln!(
        out,
        "{total} tiles, {}: face, count x points",
        printable(language)
    )?;
    for row in info.tiles.chunks(TILES_PER_LINE) {
        let tiles: Vec<String> = row
            .iter()
            .map(|tile| {
                format!(
                    "{:>3} {:>2}x{:<2}",
                    printable(&tile.face),
                    tile.count,
                    tile.value
                )
            })
            .collect();
        writeln!(out, "{}", tiles.join("  ").trim_end())?;
    }
    Ok(())
}

/// Tiles per line.
const TILES_PER_LINE: usize = 7;
