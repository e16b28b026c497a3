//! Players, setup and the deal.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::event::{Created, Player};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::Audience;

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn created(game: &str, options: GameOptions) -> Created {
    let secret = [8; 32];
    let player = |seat: u8| Player {
        identity: seat.to_string(),
        name: seat.to_string(),
        nonce_hash: None,
        level: None,
        kind: None,
        rating: None,
    };
    Created {
        game: game.to_owned(),
        players: (0..options.seats).map(player).collect(),
        options,
        lexicon_hash: *FstLexicon::builtin().hash(),
        commitment: commitment(&secret),
        secret,
        series: None,
    }
}

/// A game in which every player is ready.
fn dealt(name: &str) -> Game {
    let (mut game, _) = Game::create(
        RuleSet::classic(),
        NOW,
        created(name, GameOptions::classic("wordnik")),
    )
    .unwrap();
    let lexicon = FstLexicon::builtin();
    for seat in Seat::all(2) {
        let command = Command {
            seat,
            cmd_id: "ready".to_owned(),
            digest: 0,
            received_at: NOW,
            lag_ms: 0,
            action: Action::Ready { nonce: Vec::new() },
        };
        game = game
            .handle(&Context::new(&*lexicon), NOW, Input::Command(command))
            .next;
    }
    game
}

/// 001-P1: two to four players, and no other number.
#[test]
fn a_game_has_two_to_four_players() {
    let rules = RuleSet::classic();
    for seats in 0..=6 {
        let options = GameOptions {
            seats,
            ..GameOptions::classic("wordnik")
        };
        assert_eq!(
            options.validate(&rules).is_ok(),
            (2..=4).contains(&seats),
            "{seats}"
        );
    }
}

/// 000-C-P2: the lexicon is fixed before the game, and everyone sees its name.
#[test]
fn every_audience_sees_the_lexicon() {
    let game = dealt("lexicon");
    for audience in [
        Audience::Spectator,
        Audience::Seat(Seat(0)),
        Audience::Seat(Seat(1)),
    ] {
        let seen = game.state().seen_by(audience);
        assert_eq!(seen.creation.options.lexicon, "wordnik");
        assert_eq!(seen.creation.lexicon_hash, FstLexicon::builtin().hash());
    }
}

/// 003-P2: tiles are dealt at random: over many games every kind is as frequent as it is in the bag.
#[test]
fn the_deal_is_random() {
    const GAMES: usize = 600;
    let rules: Arc<RuleSet> = RuleSet::classic();
    let mut seen: Vec<Tile> = Vec::new();
    let mut racks = BTreeSet::new();
    for number in 0..GAMES {
        let game = dealt(&format!("deal-{number}"));
        for seat in Seat::all(2) {
            let rack = game.state().tiles().rack(seat);
            assert_eq!(rack.len(), 7);
            seen.extend(rack);
            racks.insert(rack.to_vec());
        }
    }
    assert!(racks.len() > GAMES, "no two deals alike");
    for tile in rules.tiles.kinds() {
        let share = f64::from(rules.tiles.count(tile)) / f64::from(rules.tiles.total());
        let found = seen.iter().filter(|other| **other == tile).count();
        let (expected, found) = (share * seen.len() as f64, found as f64);
        // Five standard deviations; the games are always the same ones, so this never fails by chance.
        let allowed = 5.0 * (expected * (1.0 - share)).sqrt();
        assert!(
            (found - expected).abs() <= allowed,
            "{tile:?}: {found} instead of about {expected}"
        );
    }
}

/// A lexicon without a word that counts how often it is asked.
#[derive(Default)]
struct Counting(AtomicU32);

impl Lexicon for Counting {
    fn name(&self) -> &'static str {
        "wordnik"
    }
    fn hash(&self) -> &[u8; 32] {
        &[0; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, _: &[Letter]) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        false
    }
}

/// 000-C-G8d: the lexicon is not consulted before a verdict, even for a play that is not a word.
#[test]
fn the_lexicon_is_opened_for_a_verdict_only() {
    let (mut game, lexicon) = (dealt("shut"), Counting::default());
    let author = game.state().first().unwrap();
    let rack = game.state().tiles().rack(author).iter();
    let letters = rack.filter_map(|tile| tile.letter()).take(2);
    let placement = Placement {
        start: Square::new(7, 7),
        direction: Direction::Across,
        tiles: letters.map(|letter| Some(Placed::new(letter))).collect(),
    };
    let turn_no = game.state().turn().unwrap().no;
    let mut send = |seat: Seat, cmd_id: &str, action: Action| {
        let command = Command {
            seat,
            cmd_id: cmd_id.to_owned(),
            digest: 0,
            received_at: NOW,
            lag_ms: 0,
            action,
        };
        let handled = game.handle(&Context::new(&lexicon), NOW, Input::Command(command));
        game = handled.next;
        let seq = handled.answers[0].outcome.clone().unwrap();
        (seq, lexicon.0.load(Ordering::Relaxed))
    };
    let (play_id, asked) = send(author, "play", Action::Play { turn_no, placement });
    assert_eq!(asked, 0, "nothing is looked up when a play is made");
    let (_, asked) = send(Seat(1 - author.0), "challenge", Action::Challenge(play_id));
    assert_eq!(asked, 1, "one word, one question");
    assert!(game.state().tiles().board().is_empty());
}
