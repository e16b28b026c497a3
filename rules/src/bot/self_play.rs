//! Games of bots against each other, for matches and for training.

use std::sync::Arc;

use crate::event::{Created, Ended, Player, Record};
use crate::game::{Action, Answer, Command, Context, Game, Input};
use crate::lexicon::Lexicon;
use crate::options::{FirstPlay, GameOptions, OptionsError};
use crate::rejection::Rejection;
use crate::ruleset::RuleSet;
use crate::state::{Phase, State};
use crate::stream::{MAX_NONCE_BYTES, commitment};
use crate::time::{Seat, Seq, Timestamp};

use super::{Bot, BotTurn, Judgement, Seen};

/// The setup of a game of bots.
#[derive(Clone, Debug)]
pub struct Match {
    /// The rule set.
    pub rules: Arc<RuleSet>,
    /// The options, with one seat for each bot.
    pub options: GameOptions,
    /// The seed of the bag: the same seed gives the same bag.
    pub seed: u64,
}

/// A finished game of bots.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The log of the game.
    pub records: Vec<Record>,
    /// The result.
    pub ended: Ended,
}

/// Plays a game to its end. `watch` gets every position before a turn, and the turn that the bot chose.
///
/// # Errors
/// If the rule set does not allow the options.
///
/// # Panics
/// If the number of bots differs from the number of seats.
pub fn play_game(
    of: &Match,
    lexicon: &dyn Lexicon,
    bots: &mut [Bot],
    mut watch: impl FnMut(&Seen<'_>, &BotTurn),
) -> Result<MatchResult, OptionsError> {
    assert_eq!(
        bots.len(),
        usize::from(of.options.seats),
        "a bot for each seat"
    );
    let mut table = Table::new(of, lexicon)?;
    for seat in Seat::all(of.options.seats) {
        table.must(seat, Action::Ready { nonce: Vec::new() });
    }
    loop {
        let state = table.game.state();
        match state.phase() {
            Phase::Ended => break,
            _ if state.window().is_some() => table.answer_play(bots),
            _ => table.play_turn(bots, &mut watch),
        }
    }
    let ended = table.game.state().outcome().cloned();
    Ok(MatchResult {
        ended: ended.expect("the loop ends with the game"),
        records: table.records,
    })
}

struct Table<'a> {
    game: Game,
    records: Vec<Record>,
    lexicon: &'a dyn Lexicon,
    seed: u64,
    now: Timestamp,
    commands: u64,
}

impl<'a> Table<'a> {
    fn new(of: &Match, lexicon: &'a dyn Lexicon) -> Result<Self, OptionsError> {
        let mut secret = [0; MAX_NONCE_BYTES];
        secret[..8].copy_from_slice(&of.seed.to_le_bytes());
        let players = Seat::all(of.options.seats).map(|seat| Player {
            identity: format!("bot-{}", seat.0),
            name: format!("Bot {}", seat.0),
            nonce_hash: None,
            level: None,
            kind: None,
            rating: None,
        });
        let created = Created {
            game: format!("match-{}", of.seed),
            players: players.collect(),
            // The order of the bots decides who is first, so that a match can swap the seats.
            options: GameOptions {
                first: FirstPlay::Seat(Seat(0)),
                ..of.options.clone()
            },
            lexicon_hash: *lexicon.hash(),
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let now = Timestamp(0);
        let (game, first) = Game::create(Arc::clone(&of.rules), now, created)?;
        Ok(Self {
            game,
            records: vec![first],
            lexicon,
            seed: of.seed,
            now,
            commands: 0,
        })
    }

    fn send(&mut self, seat: Seat, action: Action) -> Result<Seq, Rejection> {
        self.commands += 1;
        let command = Command {
            seat,
            cmd_id: self.commands.to_string(),
            digest: self.commands,
            received_at: self.now,
            lag_ms: 0,
            action,
        };
        let ctx = Context::new(self.lexicon);
        let transition = self.game.handle(&ctx, self.now, Input::Command(command));
        self.records.extend(transition.records);
        self.game = transition.next;
        let own = self.commands.to_string();
        let answer = transition
            .answers
            .into_iter()
            .find(|answer: &Answer| answer.cmd_id == own);
        answer.map_or(Ok(Seq(0)), |answer| answer.outcome)
    }

    fn must(&mut self, seat: Seat, action: Action) {
        let outcome = self.send(seat, action);
        debug_assert!(outcome.is_ok(), "{outcome:?}");
    }

    fn seed_of(&self, seat: Seat) -> u64 {
        self.seed ^ (u64::from(seat.0) + 1).rotate_left(48)
    }

    fn play_turn(&mut self, bots: &mut [Bot], watch: &mut impl FnMut(&Seen<'_>, &BotTurn)) {
        let state: &State = self.game.state();
        let Some(turn) = state.turn() else {
            return self.give_up();
        };
        let seed = self.seed_of(turn.seat);
        let Some(seen) = Seen::of(state, turn.seat) else {
            return self.give_up();
        };
        let chosen = bots[turn.seat.index()].turn(&seen, seed);
        watch(&seen, &chosen);
        let turn_no = turn.no;
        let action = match chosen {
            BotTurn::Play(placement) => Action::Play { turn_no, placement },
            BotTurn::Exchange(tiles) => Action::Exchange { turn_no, tiles },
            BotTurn::Pass => Action::Pass { turn_no },
        };
        if self.send(turn.seat, action).is_err() {
            self.must(turn.seat, Action::Pass { turn_no });
        }
    }

    /// Every seat that may respond to the last play does so.
    fn answer_play(&mut self, bots: &[Bot]) {
        let state = self.game.state();
        let Some(window) = state.window() else {
            return;
        };
        let play = window.play_id;
        let open = window
            .eligible
            .iter()
            .copied()
            .find(|seat| !window.accepted.contains(seat));
        if window.dispute.is_some() {
            let author = window.author;
            return self.must(author, Action::Stand(play));
        }
        let Some(seat) = open else {
            return self.give_up();
        };
        let words: Vec<_> = state
            .window_words()
            .iter()
            .map(|w| w.letters.clone())
            .collect();
        let kind = state.options().challenge.kind;
        let bot = &bots[seat.index()];
        let action = match bot.judge(kind, &words, play.0, self.seed_of(seat)) {
            Judgement::Challenge => Action::Challenge(play),
            Judgement::Accept => Action::Accept(play),
        };
        self.must(seat, action);
    }

    /// No seat can act: time passes to the next deadline.
    fn give_up(&mut self) {
        if let Some(at) = self.game.next_deadline() {
            self.now = self.now.max(at);
        }
        let ctx = Context::new(self.lexicon);
        let transition = self.game.handle(&ctx, self.now, Input::Tick);
        self.records.extend(transition.records);
        self.game = transition.next;
    }
}
