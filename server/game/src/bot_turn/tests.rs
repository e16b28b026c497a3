//! Checks the dice of house bots: the same game, other secrets.

use std::sync::LazyLock;

use tilewire_rules::alphabet::Placed;
use tilewire_rules::board::Square;
use tilewire_rules::event::{Created, Player};
use tilewire_rules::game::{Command, Context, Game, Input};
use tilewire_rules::lexicon::FstLexicon;
use tilewire_rules::options::{FirstPlay, GameOptions};
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::Timestamp;

use super::*;

const PLAYER: Seat = Seat(0);
const BOT: Seat = Seat(1);
const NO_PAUSE: (Millis, Millis) = (Millis(0), Millis(1_000));

static LEXICON: LazyLock<Arc<FstLexicon>> = LazyLock::new(FstLexicon::builtin);

/// A game against the club bot. The player's first play lies on the board, and the bot may challenge it. All these games
/// have the same id, players and turn numbers; their secrets differ.
struct Challengeable {
    state: State,
    play: Seq,
    is_phony: bool,
}

impl Challengeable {
    fn new(secret: [u8; 32]) -> Self {
        let rules = RuleSet::classic();
        let mut options = GameOptions::classic(LEXICON.name());
        options.first = FirstPlay::Seat(PLAYER);
        let created = Created {
            game: "g1".to_owned(),
            options,
            players: ["anna", "bot-club"].map(player).into(),
            lexicon_hash: *LEXICON.hash(),
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let (mut game, _) = Game::create(rules, Timestamp(0), created).unwrap();
        for seat in [PLAYER, BOT] {
            game = accepted(&game, seat, "ready", Action::Ready { nonce: Vec::new() });
        }
        let rack = game.state().tiles().rack(PLAYER);
        let word: Vec<_> = rack.iter().filter_map(|tile| tile.letter()).collect();
        let word = &word[..4];
        let squares = (7..).map(|col| Square::new(7, col));
        let tiles: Vec<_> = squares.zip(word.iter().copied().map(Placed::new)).collect();
        let placement = Placement::from_squares(&tiles).unwrap();
        let turn_no = TurnNo(1);
        let is_phony = !LEXICON.contains(word);
        let game = accepted(&game, PLAYER, "play", Action::Play { turn_no, placement });
        let state = game.state().clone();
        let play = state.window().unwrap().play_id;
        Self {
            state,
            play,
            is_phony,
        }
    }

    fn question(&self) -> Question {
        Question::new(
            &self.state,
            BOT,
            BotLevel::Club,
            Matter::Play(self.play),
            NO_PAUSE,
        )
    }
}

fn player(identity: &str) -> Player {
    Player {
        identity: identity.to_owned(),
        name: identity.to_owned(),
        nonce_hash: None,
        level: None,
        kind: None,
        rating: None,
    }
}

fn accepted(game: &Game, seat: Seat, cmd_id: &str, action: Action) -> Game {
    let command = Command {
        seat,
        cmd_id: cmd_id.to_owned(),
        digest: 0,
        received_at: Timestamp(0),
        lag_ms: 0,
        action,
    };
    let context = Context::new(&**LEXICON);
    let transition = game.handle(&context, Timestamp(0), Input::Command(command));
    let refused = transition
        .answers
        .iter()
        .find(|answer| answer.outcome.is_err());
    assert_eq!(refused, None);
    transition.next
}

/// A player who knows all public facts of a game cannot tell whether the club bot challenges a phony: games that differ
/// in nothing but their secrets get both answers. The pauses, which the player sees, are the same (R-BAG-6).
#[test]
fn public_facts_do_not_tell_whether_a_bot_challenges() {
    let words = LEXICON.graphs().unwrap();
    let (mut challenges, mut accepts, mut pauses) = (0, 0, Vec::new());
    for byte in 0..120 {
        let game = Challengeable::new([byte; 32]);
        if !game.is_phony {
            continue;
        }
        let question = game.question();
        pauses.push(question.pause_ms);
        match question.decide(&words).action {
            Action::Challenge(_) => challenges += 1,
            _ => accepts += 1,
        }
    }
    // The club bot challenges 85 % of phonies. The secrets are fixed, so each run counts the same.
    assert!(challenges > accepts, "{challenges} of {}", pauses.len());
    assert!(accepts > 0, "all {challenges} were challenged");
    assert!(pauses.iter().all(|pause| *pause == pauses[0]));
}

/// The secret reproduces the dice once it is revealed, and each seat has its own (R-BAG-6).
#[test]
fn the_dice_follow_from_the_secret() {
    let state = Challengeable::new([1; 32]).state;
    let mut revealed = Seed::new::<[u8; 0]>(&[1; 32], "g1", &[]).stream("dice/1");
    let low = u64::from(revealed.next_u32());
    let high = u64::from(revealed.next_u32());
    assert_eq!(dice_of(&state, BOT), high << 32 | low);
    assert_ne!(dice_of(&state, BOT), dice_of(&state, PLAYER));
}
