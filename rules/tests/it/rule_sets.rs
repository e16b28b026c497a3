//! Rule sets as data: the contents of each, and data that is refused.

use std::sync::Arc;

use tilewire_rules::board::Premium;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::{
    ChallengeKind, Consent, CountedTurns, FirstPlay, GameOptions, TieRule, TurnLimit,
};
use tilewire_rules::ruleset::{Level, Premiums, RackCount, RuleSet};
use tilewire_rules::tile_sets::NamedTileSet;
use tilewire_rules::time::Seat;

use crate::support::OWN;

/// One hour, ms.
const HOUR: i64 = 3_600_000;

fn builtin(id: &str) -> Arc<RuleSet> {
    RuleSet::builtin(id).unwrap_or_else(|| panic!("no rule set {id}"))
}

/// Squares with a premium, by kind: double, triple, quadruple letter; double, triple, quadruple word.
fn premiums(rules: &RuleSet) -> [usize; 6] {
    let count = |premium| rules.layout.count(premium);
    [
        count(Premium::Letter(2)),
        count(Premium::Letter(3)),
        count(Premium::Letter(4)),
        count(Premium::Word(2)),
        count(Premium::Word(3)),
        count(Premium::Word(4)),
    ]
}

fn bonuses(rules: &RuleSet) -> Vec<(u8, i32)> {
    rules
        .bingo
        .iter()
        .map(|bingo| (bingo.tiles, bingo.bonus))
        .collect()
}

/// 000-W-P1, 000-F1, 003-S5: the boards; C16: the start squares of two sites have no premium. Every board is the same
/// seen in a mirror and in its diagonal.
#[test]
fn boards() {
    for (id, side, start, at_start, counts) in [
        ("classic", 15, "H8", Premium::Word(2), [24, 12, 0, 17, 8, 0]),
        ("super", 21, "K11", Premium::Word(2), [36, 20, 8, 41, 16, 4]),
        (
            "words-with-friends",
            15,
            "H8",
            Premium::Plain,
            [24, 16, 0, 12, 8, 0],
        ),
        ("wordfeud", 15, "H8", Premium::Plain, [24, 20, 0, 12, 8, 0]),
    ] {
        let rules = builtin(id);
        let layout = &rules.layout;
        assert_eq!((layout.rows(), layout.cols()), (side, side), "{id}");
        assert_eq!(layout.start().to_string(), start, "{id}");
        assert_eq!(layout.premium(layout.start()), at_start, "{id}");
        assert_eq!(premiums(&rules), counts, "{id}");
        let rows = layout.drawing();
        let mirrored: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
        assert_eq!(rows, mirrored, "{id}");
        let turned: Vec<String> = (0..rows.len())
            .map(|col| rows.iter().filter_map(|row| row.chars().nth(col)).collect())
            .collect();
        assert_eq!(rows, turned, "{id}");
    }
    let (classic, large) = (
        builtin("classic").layout.drawing(),
        builtin("super").layout.drawing(),
    );
    let middle: Vec<String> = large[3..18]
        .iter()
        .map(|row| row[3..18].to_owned())
        .collect();
    assert_eq!(
        middle, classic,
        "the classic board lies in the middle of the large one"
    );
}

/// 001-P2: tiles and racks. 000-W-S5, 000-F14, 001-N2: the bonus is 35, 40, 50; with nine tiles 50 for
/// seven, eight or nine.
#[test]
fn tiles_racks_and_bonuses() {
    for (id, total, points, blanks, rack, bonus) in [
        ("classic", 100, 187, 2, 7, vec![(7, 50)]),
        (
            "classic-nine",
            100,
            187,
            2,
            9,
            vec![(7, 50), (8, 50), (9, 50)],
        ),
        ("super", 200, 381, 4, 7, vec![(7, 50)]),
        ("words-with-friends", 104, 220, 2, 7, vec![(7, 35)]),
        ("wordfeud", 104, 210, 2, 7, vec![(7, 40)]),
        ("wordfeud-random", 104, 210, 2, 7, vec![(7, 40)]),
    ] {
        let rules = builtin(id);
        let tiles = &rules.tiles;
        assert_eq!((tiles.total(), tiles.points()), (total, points), "{id}");
        assert_eq!(
            tiles.count(tilewire_rules::alphabet::Tile::BLANK),
            blanks,
            "{id}"
        );
        assert_eq!((rules.rack_size, bonuses(&rules)), (rack, bonus), "{id}");
        assert_eq!(rules.opening_min_tiles, 2, "{id}");
    }
}

/// 000-W-O, 000-F6d: two sites know two players only, and more are refused (C30).
#[test]
fn seats() {
    for rules in RuleSet::builtins() {
        let most = match rules.id.as_str() {
            "words-with-friends" | "wordfeud" | "wordfeud-random" | "tournament" => 2,
            _ => 4,
        };
        for seats in 0..=6 {
            let options = GameOptions {
                seats,
                ..GameOptions::usual(rules, "any")
            };
            let is_fine = (2..=most).contains(&seats);
            assert_eq!(
                options.validate(rules).is_ok(),
                is_fine,
                "{} {seats}",
                rules.id
            );
        }
    }
}

/// 000-F16: seven in the bag for a swap; Words With Friends asks for one.
#[test]
fn exchanges() {
    for rules in RuleSet::builtins() {
        let needed = if rules.id == "words-with-friends" {
            1
        } else {
            7
        };
        assert_eq!(rules.exchange_min_bag, needed, "{}", rules.id);
    }
}

/// 000-W-P5: three sites check words before a play counts, and offer no challenge; elsewhere a failed challenge costs
/// a turn. 003-C2: with the author's consent.
#[test]
fn challenges() {
    for rules in RuleSet::builtins() {
        let is_validated = matches!(
            rules.id.as_str(),
            "words-with-friends" | "wordfeud" | "wordfeud-random" | "email-validated"
        );
        let usual = &rules.usual.challenge;
        if is_validated {
            assert_eq!(rules.challenges, [ChallengeKind::Void], "{}", rules.id);
        } else {
            assert_eq!(rules.challenges[0], ChallengeKind::Double, "{}", rules.id);
        }
        let asks = rules.id == "email-challenge";
        assert_eq!(usual.consent == Consent::Asked, asks, "{}", rules.id);
        assert_eq!(usual.window_ms.is_none(), asks, "{}", rules.id);
        for kind in [
            ChallengeKind::Void,
            ChallengeKind::Double,
            ChallengeKind::FivePoint,
        ] {
            let mut options = GameOptions::usual(rules, "any");
            options.challenge.kind = kind;
            let is_fine = rules.challenges.contains(&kind);
            assert_eq!(
                options.validate(rules).is_ok(),
                is_fine,
                "{} {kind:?}",
                rules.id
            );
        }
    }
}

/// 000-W-E1b, 000-F15, 003-N2 and the tournament's six: how many turns of which kind end a game.
#[test]
fn turn_limits_of_the_rule_sets() {
    for (id, limit, counts, unless_all_zero) in [
        (
            "classic",
            TurnLimit::PerActiveSeat(3),
            CountedTurns::Scoreless,
            false,
        ),
        (
            "tournament",
            TurnLimit::Total(6),
            CountedTurns::Scoreless,
            false,
        ),
        (
            "words-with-friends",
            TurnLimit::Total(3),
            CountedTurns::WithoutScore,
            true,
        ),
        ("wordfeud", TurnLimit::Total(3), CountedTurns::Passes, false),
        (
            "email-challenge",
            TurnLimit::PerActiveSeat(3),
            CountedTurns::Passes,
            false,
        ),
        (
            "email-validated",
            TurnLimit::PerActiveSeat(3),
            CountedTurns::Scoreless,
            false,
        ),
    ] {
        let rule = builtin(id).usual.inactivity;
        assert_eq!((rule.limit, rule.counts), (limit, counts), "{id}");
        assert_eq!(
            (rule.unless_all_zero, rule.cap_per_seat),
            (unless_all_zero, 12),
            "{id}"
        );
    }
}

/// 000-F1: the inviting player begins. 000-F7: 72 hours for a turn. 002-E3: ties. 004-11: racks count with an empty bag only.
#[test]
fn beginnings_clocks_ties_and_racks() {
    let inviter = FirstPlay::Seat(Seat(0));
    let hours = |hours| ClockKind::PerMove {
        limit_ms: hours * HOUR,
        bank_ms: 0,
    };
    let tournament_clock = builtin("classic").usual.clock;
    let before = TieRule::BeforeAdjustment;
    let (always, empty) = (RackCount::Always, RackCount::EmptyBag);
    for (id, first, clock, ties, racks) in [
        ("classic", FirstPlay::Draw, tournament_clock, before, always),
        ("super", FirstPlay::Draw, tournament_clock, before, always),
        (
            "tournament",
            FirstPlay::Draw,
            tournament_clock,
            TieRule::Stand,
            always,
        ),
        ("words-with-friends", inviter, hours(120), before, always),
        ("wordfeud", inviter, hours(72), TieRule::Stand, always),
        (
            "email-challenge",
            FirstPlay::Draw,
            hours(72),
            before,
            always,
        ),
        ("email-validated", FirstPlay::Draw, hours(72), before, empty),
    ] {
        let rules = builtin(id);
        assert_eq!(
            (rules.usual.first, rules.usual.clock),
            (first, clock),
            "{id}"
        );
        assert_eq!((rules.usual.ties, rules.rack_count), (ties, racks), "{id}");
    }
}

/// 001-L2, 001-L3: targets by number of players and own level.
#[test]
fn targets() {
    let targets = builtin("classic-finish-line").targets.unwrap();
    let levels = [Level::Beginner, Level::Intermediate, Level::Expert];
    for (seats, column) in [(2, [70, 120, 200]), (3, [60, 100, 180]), (4, [50, 90, 160])] {
        assert_eq!(levels.map(|level| targets.of(seats, level)), column);
    }
    for rules in RuleSet::builtins() {
        assert_eq!(
            rules.targets.is_some(),
            rules.id == "classic-finish-line",
            "{}",
            rules.id
        );
    }
}

/// 000-F2: with the random board only the places of the premium squares differ.
#[test]
fn the_random_board_is_the_standard_one_dealt_anew() {
    let (standard, random) = (builtin("wordfeud"), builtin("wordfeud-random"));
    assert_eq!(
        (standard.premiums, random.premiums),
        (Premiums::Fixed, Premiums::Drawn)
    );
    let mut renamed = RuleSet::clone(&random);
    renamed.id.clone_from(&standard.id);
    renamed.name.clone_from(&standard.name);
    renamed.summary.clone_from(&standard.summary);
    renamed.premiums = Premiums::Fixed;
    renamed.source = Arc::clone(&standard.source);
    assert_eq!(renamed, *standard);
}

/// 000-F6c: "cannot catch up" is an option of Wordfeud that is off, because its search leaves most positions open.
#[test]
fn no_rule_set_searches_for_its_end_by_default() {
    for rules in RuleSet::builtins() {
        let searches = (rules.usual.uncatchable, rules.usual.all_played);
        assert_eq!(searches, (false, false), "{}", rules.id);
    }
}

/// Ends that search for plays would reveal which words are valid: games with challenges do not allow them.
#[test]
fn searches_are_for_validated_games() {
    let mut options = GameOptions::usual(&builtin("wordfeud"), "any");
    options.uncatchable = true;
    options.all_played = true;
    options.validate(&builtin("wordfeud")).unwrap();
    let classic = builtin("classic");
    for change in [
        |options: &mut GameOptions| options.uncatchable = true,
        |options: &mut GameOptions| options.all_played = true,
    ] {
        let mut options = GameOptions::usual(&classic, "any");
        change(&mut options);
        assert!(options.validate(&classic).is_err());
        options.challenge.kind = ChallengeKind::Void;
        options.validate(&classic).unwrap();
    }
    let mut three = GameOptions::usual(&classic, "any");
    (three.seats, three.challenge.kind, three.uncatchable) = (3, ChallengeKind::Void, true);
    assert_eq!(three.validate(&classic).unwrap_err().field, "uncatchable");
}

/// Sets of one language have the same letters in the same order, so that one lexicon serves them all; every set of
/// every rule set is known by its language.
#[test]
fn languages() {
    for set in NamedTileSet::builtins() {
        let plain = NamedTileSet::builtin(&set.language).expect("the plain set of each language");
        let faces = |set: &NamedTileSet| {
            let letters = set.tiles.letters();
            letters
                .map(|letter| set.tiles.face(letter).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(faces(set), faces(&plain), "{}", set.id);
    }
    let classic = builtin("classic");
    assert_eq!(classic.languages().count(), 12);
    assert_eq!(classic.language, "english");
    let spanish = classic.in_language("spanish").unwrap();
    assert_eq!((spanish.tiles.total(), spanish.tiles.points()), (100, 192));
    for face in ["CH", "LL", "RR"] {
        assert!(spanish.tiles.parse_face(face).is_some(), "{face}");
    }
    let catalan = classic.in_language("catalan").unwrap();
    assert!(catalan.tiles.parse_face("L·L").is_some());
    assert!(classic.in_language("klingon").is_none());
    let wordfeud: Vec<String> = builtin("wordfeud").languages().map(str::to_owned).collect();
    assert_eq!(wordfeud, ["english", "dutch", "norwegian", "swedish"]);
}

/// An edit of the complete file that must be refused: the old text, the new text, the name in the error.
type Change = (&'static str, &'static str, &'static str);

const BOARD_AND_TILES: &[Change] = &[
    ("rows = 21", "rows = 20", "board"),
    ("start = \"K11\"", "start = \"Z99\"", "start"),
    ("start = \"K11\"", "start = \"11\"", "start"),
    ("total = 200", "total = 199", "total"),
    ("double_letter = 36", "double_letter = 35", "double_letter"),
    ("size = 7", "size = 0", "size"),
    ("min = 2", "min = 9", "players"),
    ("~..'...=..'..=...'..~", "~..'...=..'..=...'.", "layout"),
    ("~..'...=..'..=...'..~", "~..'...=..'..=...'..x", "layout"),
    ("id = \"own\"", "id = \"\"", "id"),
    ("id = \"own\"", "idd = \"own\"", "idd"),
    ("[rack]", "[rack", "own.toml"),
    ("points = 381", "points = 380", "tiles.points"),
    ("blanks = 4", "blanks = 5", "tiles.total"),
    ("total = 200", "total = \"200\"", "total"),
    ("min_bag = 7", "min_bag = 256", "min_bag"),
    ("min_bag = 7", "", "min_bag"),
    ("min_tiles = 2", "min_tiles = 8", "opening.min_tiles"),
    ("tiles = 7\nbonus", "tiles = 8\nbonus", "bingo.tiles"),
    ("bonus = 50", "bonus = -1", "bingo.bonus"),
    ("rows = 21", "rows = 27", "board.rows"),
    ("\"K11\"", "\"V1\"", "board.start"),
    ("[\"B\", 4, 3]", "[\"A\", 4, 3]", "tiles.letters"),
    ("[\"B\", 4, 3]", "[\"b\", 4, 3]", "tiles.letters"),
    ("[\"B\", 4, 3]", "[\"?\", 4, 3]", "tiles.letters"),
    ("[\"B\", 4, 3]", "[\"B\", 4, -3]", "tiles.letters"),
    ("[\"B\", 4, 3]", "[\"B\", 4000, 3]", "tiles.letters"),
    ("[\"B\", 4, 3]", "[\"B\", 4]", "line 60"),
];

const THE_REST: &[Change] = &[
    ("name = \"Own\"", "name = \" \"", "name"),
    ("id = \"own\"", "id = \"Own Game\"", "id"),
    ("summary = \"A large board.\"", "summary = \"\"", "summary"),
    ("first = \"draw\"", "first = \"me\"", "first"),
    (
        "language = \"english\"",
        "language = \"\"",
        "tiles.language",
    ),
    (
        "kinds = [\"double\", \"void\"]",
        "kinds = []",
        "challenge.kinds",
    ),
    (
        "kinds = [\"double\", \"void\"]",
        "kinds = [\"dubious\"]",
        "dubious",
    ),
    ("window_ms = 20000", "window_ms = 1", "challenge.window_ms"),
    ("limit = 3", "limit = 0", "end.limit"),
    ("cap_per_seat = 12", "cap_per_seat = 0", "end.cap_per_seat"),
    ("counts = \"scoreless\"", "counts = \"all\"", "all"),
    (
        "counts = \"scoreless\"",
        "counts = \"scoreless\"\nuncatchable = true",
        "uncatchable",
    ),
    (
        "counts = \"scoreless\"",
        "counts = \"scoreless\"\nall_played = true",
        "all_played",
    ),
    ("racks = \"always\"", "racks = \"never\"", "racks"),
    ("initial_ms = 60000", "initial_ms = 1", "clock.initial_ms"),
    (
        "first = \"draw\"",
        "first = \"draw\"\nbase = \"nothing\"",
        "base",
    ),
    ("first = \"draw\"", "first = \"draw\"\nbase = 7", "base"),
    (
        "first = \"draw\"",
        "first = \"draw\"\ntile_sets = [\"klingon\"]",
        "tile_sets",
    ),
    (
        "first = \"draw\"",
        "first = \"draw\"\ntile_sets = [\"super-english\"]",
        "tile_sets",
    ),
];

/// Every number of a rule set is stated twice or has a range; a file in which they do not agree is refused by name.
#[test]
fn a_contradictory_rule_set_is_refused() {
    for (from, to, names) in BOARD_AND_TILES.iter().chain(THE_REST) {
        let text = OWN.replacen(from, to, 1);
        assert_ne!(text, OWN, "{from} is in the file");
        let error = RuleSet::parse(&text, "own.toml").expect_err(to).to_string();
        assert!(
            error.contains("own.toml") && error.contains(names),
            "{to}: {error}"
        );
    }
}
