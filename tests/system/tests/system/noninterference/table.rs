//! A random game with named tiles, which can be played again with other faces.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use tilewire_oracle::chance::Chance;
use tilewire_protocol::{Codec, ServerMessage, encode_server};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Event, HintGrade, Player, PublicEvent, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::options::{FirstPlay, GameOptions};
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{Phase, State};
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::Audience;
use tilewire_wire::snapshot::{Now, snapshot};
use tilewire_wire::to_wire;
use tilewire_wire::to_wire::{Aftermath, GameFacts, Privacy};

use super::tiles::{AllGood, Tokens};

/// An action of a seat; it names tiles, so that it can be repeated with other faces.
#[derive(Clone)]
pub(crate) enum Deed {
    Exchange(Vec<usize>),
    Other(Action),
}

/// A leak planted between the game and the viewer, to check that the comparison finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leak {
    /// Events show the tiles of every draw.
    Draws,
    /// Snapshots show every rack.
    Racks,
}

pub(crate) struct Table {
    rules: Arc<RuleSet>,
    game: Game,
    tokens: Tokens,
    facts: GameFacts,
    now: i64,
    commands: u32,
    /// Names of the tiles the viewer got to see.
    pub(crate) seen: BTreeSet<usize>,
    audience: Audience,
    pub(crate) leak: Option<Leak>,
    pub(crate) told: Vec<Vec<u8>>,
    /// The log of the game.
    pub(crate) records: Vec<Record>,
}

/// The players of a game, and the names of things in it.
pub(crate) struct Sitting {
    pub(crate) game: String,
    /// The identities of the players, by seat.
    pub(crate) identities: Vec<String>,
    /// When the game is created.
    pub(crate) at: i64,
    pub(crate) lexicon: (&'static str, [u8; 32]),
    /// The clock, if it is not the usual one of the rule set.
    pub(crate) clock: Option<ClockKind>,
}

impl Sitting {
    /// Players that no server knows.
    fn anywhere(seats: u8) -> Self {
        Self {
            game: "g".to_owned(),
            identities: (0..seats).map(|seat| format!("p{seat}")).collect(),
            at: 1_000,
            lexicon: ("all", [1; 32]),
            clock: None,
        }
    }
}

impl Table {
    pub(crate) fn new(
        rules: &Arc<RuleSet>,
        seats: u8,
        audience: Audience,
        seed: u64,
        faces: Vec<Tile>,
    ) -> Self {
        Self::of(rules, &Sitting::anywhere(seats), audience, seed, faces)
    }

    /// A game of these players.
    pub(crate) fn of(
        rules: &Arc<RuleSet>,
        sitting: &Sitting,
        audience: Audience,
        seed: u64,
        faces: Vec<Tile>,
    ) -> Self {
        let seats = u8::try_from(sitting.identities.len()).unwrap();
        let mut options = GameOptions::usual(rules, sitting.lexicon.0);
        options.seats = seats;
        options.clock = sitting.clock.unwrap_or(options.clock);
        options.first = FirstPlay::Seat(Seat(0));
        options.hints = 2;
        options.timing.nudge.quiet_ms = 1_000;
        options.timing.nudge.untimed_quiet_ms = 1_000;
        // These rules end the game by what is on all racks.
        options.all_played = false;
        options.uncatchable = false;
        if seats > 2 && options.validate(rules).is_err() {
            options.challenge.kind = rules.challenges[0];
        }
        let player = |seat: Seat| Player {
            identity: sitting.identities[seat.index()].clone(),
            name: format!("Player {}", seat.0),
            nonce_hash: None,
            level: None,
            kind: None,
            rating: None,
        };
        let created = Created {
            game: sitting.game.clone(),
            options,
            players: Seat::all(seats).map(player).collect(),
            lexicon_hash: sitting.lexicon.1,
            commitment: commitment(&[9; 32]),
            secret: [9; 32],
            series: None,
        };
        let (game, first) =
            Game::create(Arc::clone(rules), Timestamp(sitting.at), created).unwrap();
        let tokens = Tokens {
            bag: RefCell::new((0..faces.len()).collect()),
            faces,
            chance: RefCell::new(Chance::new(seed, "shuffle")),
            laid: RefCell::default(),
            order: RefCell::default(),
            racks: RefCell::new(vec![Vec::new(); usize::from(seats)]),
        };
        let mut table = Self {
            rules: Arc::clone(rules),
            facts: GameFacts {
                game: sitting.game.as_str().into(),
                epoch: 1,
                privacy: Privacy::Public,
            },
            game,
            tokens,
            now: sitting.at,
            commands: 0,
            seen: BTreeSet::new(),
            audience,
            leak: None,
            told: Vec::new(),
            records: vec![first.clone()],
        };
        let state = table.game.state().clone();
        table.tell(&state, &first);
        table
    }

    /// Does something; returns whether it was accepted.
    fn act(&mut self, seat: Seat, deed: &Deed) -> bool {
        let turn_no = self.game.state().last_turn();
        let action = match deed {
            Deed::Exchange(tokens) => Action::Exchange {
                turn_no,
                tiles: tokens
                    .iter()
                    .map(|token| self.tokens.faces[*token])
                    .collect(),
            },
            Deed::Other(action) => action.clone(),
        };
        self.tokens.laid.replace(match deed {
            Deed::Exchange(tokens) => tokens.clone(),
            Deed::Other(_) => Vec::new(),
        });
        self.commands += 1;
        let command = Command {
            seat,
            cmd_id: format!("c{}", self.commands),
            digest: 0,
            received_at: Timestamp(self.now),
            lag_ms: 0,
            action,
        };
        let lexicon = AllGood;
        let context = Context {
            lexicon: &lexicon,
            shuffler: Some(&self.tokens),
        };
        let transition = self
            .game
            .handle(&context, Timestamp(self.now), Input::Command(command));
        let is_done = transition
            .answers
            .iter()
            .any(|answer| answer.outcome.is_ok());
        let mut state = self.game.state().clone();
        for record in &transition.records {
            state.apply(record).unwrap();
            self.follow(record, deed);
            self.records.push(record.clone());
            self.tell(&state, record);
        }
        self.game = transition.next;
        is_done
    }

    /// Does what was done in another game.
    pub(crate) fn follows(&mut self, deeds: &[(i64, Seat, Deed)]) {
        for (now, seat, deed) in deeds {
            self.now = *now;
            self.act(*seat, deed);
        }
    }

    /// Moves the names as a record moves the tiles.
    fn follow(&mut self, record: &Record, deed: &Deed) {
        let mut racks = self.tokens.racks.borrow_mut();
        match &record.event {
            Event::TilesDrawn { seat, tiles, .. } => {
                let drawn: Vec<usize> = self.tokens.bag.borrow_mut().drain(..tiles.len()).collect();
                let is_shown = match self.audience {
                    Audience::Seat(own) => own == *seat,
                    Audience::Spectator => false,
                    Audience::Commentary => true,
                };
                if is_shown {
                    self.seen.extend(&drawn);
                }
                racks[seat.index()].extend(drawn);
            }
            Event::Exchanged { seat, .. } => {
                let Deed::Exchange(tokens) = deed else {
                    panic!("an exchange has tiles");
                };
                racks[seat.index()].retain(|token| !tokens.contains(token));
            }
            Event::BagShuffled { .. } => {
                self.tokens.bag.replace(self.tokens.order.take());
            }
            Event::Public(PublicEvent::PlayMade(play)) => {
                for placed in play.tiles.iter().flatten() {
                    let rack = &mut racks[play.seat.index()];
                    // If several tiles have this face, the play takes one that is known already: the same tile in both games.
                    let fits = |token: &&usize| self.tokens.faces[**token] == placed.tile;
                    let known = rack
                        .iter()
                        .filter(fits)
                        .find(|token| self.seen.contains(token));
                    let token = *known.or_else(|| rack.iter().find(fits)).unwrap();
                    rack.retain(|own| *own != token);
                    self.seen.insert(token);
                }
            }
            _ => {}
        }
    }

    fn tell(&mut self, state: &State, record: &Record) {
        if matches!(record.event, Event::Public(PublicEvent::Ended(_))) {
            return;
        }
        let aftermath = Aftermath::of(state, record);
        let audience = self.told_as(Leak::Draws);
        let event = to_wire::event(&self.facts, &self.rules, record, &aftermath, audience);
        self.told.push(encode_server(
            Codec::MsgPack,
            0,
            &ServerMessage::Event(event),
        ));
        let audience = self.told_as(Leak::Racks);
        let now = Now {
            waiting: None,
            connected: &[],
            at: Timestamp(self.now),
        };
        let whole = snapshot(&self.facts, state, audience, now);
        let whole = ServerMessage::Snapshot(Box::new(whole));
        self.told.push(encode_server(Codec::MsgPack, 0, &whole));
    }

    /// Returns the audience that messages are made for: the viewer, or with this leak one that sees every rack.
    fn told_as(&self, leak: Leak) -> Audience {
        if self.leak == Some(leak) {
            Audience::Commentary
        } else {
            self.audience
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.game.state().phase() == Phase::Ended
    }

    /// A random action of the seat.
    fn some_deed(&self, seat: Seat, chance: &mut Chance) -> Deed {
        let state = self.game.state();
        let turn_no = state.last_turn();
        if chance.one_in(if state.adjournment().is_some() { 2 } else { 30 }) {
            return Deed::Other(match state.adjournment() {
                Some(_) => Action::ResumeGame,
                None => Action::Adjourn,
            });
        }
        if chance.one_in(8) {
            let is_nudged = state.nudge().is_some_and(|nudge| nudge.target == seat);
            let target = Seat((seat.0 + 1) % state.options().seats);
            let is_limit = matches!(state.options().clock, ClockKind::PerMove { .. });
            let time_ms = (!is_limit).then(|| chance.ms(5_000, 60_000));
            return Deed::Other(match chance.below(8) {
                0 => Action::RefuseTime,
                1..4 => Action::GiveTime { target, time_ms },
                4 => Action::Hint {
                    turn_no,
                    grade: HintGrade::Turn,
                },
                _ if is_nudged => Action::Here,
                _ => Action::Nudge,
            });
        }
        if let Some(window) = state.window()
            && window.author != seat
        {
            let play = window.play_id;
            let action = match chance.below(4) {
                0 => Action::Hold(play),
                1 => Action::Release(play),
                _ => Action::Accept(play),
            };
            return Deed::Other(action);
        }
        let racks = self.tokens.racks.borrow();
        let rack = &racks[seat.index()];
        match chance.below(6) {
            0 => Deed::Other(Action::Pass { turn_no }),
            1 if !rack.is_empty() => {
                let count = 1 + chance.index(rack.len());
                Deed::Exchange(rack[..count].to_vec())
            }
            _ => match self.some_play(seat, chance) {
                Some(placement) => Deed::Other(Action::Play { turn_no, placement }),
                None => Deed::Other(Action::Pass { turn_no }),
            },
        }
    }

    fn some_play(&self, seat: Seat, chance: &mut Chance) -> Option<Placement> {
        let tiles = self.game.state().tiles();
        let (board, rules) = (tiles.board(), self.game.state().rules());
        let taken: Vec<Square> = board.iter().map(|(square, _)| square).collect();
        let letter = rules.tiles.letters().next()?;
        for _ in 0..20 {
            let mut rack = tiles.rack(seat).to_vec();
            let through = if taken.is_empty() {
                rules.layout.start()
            } else {
                *chance.pick(&taken)
            };
            let direction = *chance.pick(&[Direction::Across, Direction::Down]);
            let start = if chance.one_in(2) {
                through.before(direction)?
            } else {
                through
            };
            let (mut cells, mut square) = (Vec::new(), start);
            for _ in 0..2 + chance.index(2) {
                while square.row < rules.layout.rows()
                    && square.col < rules.layout.cols()
                    && board.get(square).is_some()
                {
                    cells.push(None);
                    square = square.ahead(direction, 1);
                }
                if !rack.is_empty() {
                    let tile = rack.swap_remove(chance.index(rack.len()));
                    cells.push(Some(
                        tile.letter().map_or(Placed::blank(letter), Placed::new),
                    ));
                    square = square.ahead(direction, 1);
                }
            }
            let placement = Placement {
                start,
                direction,
                tiles: cells,
            };
            if Play::resolve(rules, board, tiles.rack(seat), &placement).is_ok() {
                return Some(placement);
            }
        }
        None
    }
}
/// Plays a random game; returns what was done and the names of the tiles the viewer saw.
pub(crate) fn first_game(
    table: &mut Table,
    seats: u8,
    seed: u64,
    commands: usize,
) -> Vec<(i64, Seat, Deed)> {
    let mut chance = Chance::new(seed, "deeds");
    let mut deeds = Vec::new();
    let ready = Deed::Other(Action::Ready { nonce: Vec::new() });
    for seat in Seat::all(seats) {
        table.act(seat, &ready);
        deeds.push((table.now, seat, ready.clone()));
    }
    for _ in 0..commands {
        table.now += chance.ms(10, 8_000);
        let on_turn = table.game.state().turn().map(|turn| turn.seat);
        let any = Seat(u8::try_from(chance.below(u64::from(seats))).unwrap());
        let seat = if chance.one_in(3) {
            any
        } else {
            on_turn.unwrap_or(any)
        };
        let deed = table.some_deed(seat, &mut chance);
        table.act(seat, &deed);
        deeds.push((table.now, seat, deed));
        if table.is_over() {
            break;
        }
    }
    deeds
}
/// Tiles that were not seen change faces among themselves.
pub(crate) fn mix(faces: &[Tile], seen: &BTreeSet<usize>, seed: u64) -> Vec<Tile> {
    let hidden: Vec<usize> = (0..faces.len())
        .filter(|token| !seen.contains(token))
        .collect();
    let mut mixed: Vec<Tile> = hidden.iter().map(|token| faces[*token]).collect();
    let mut chance = Chance::new(seed, "faces");
    for at in (1..mixed.len()).rev() {
        mixed.swap(at, chance.index(at + 1));
    }
    let mut other = faces.to_vec();
    for (token, face) in hidden.iter().zip(mixed) {
        other[*token] = face;
    }
    other
}

pub(crate) fn differing(one: &[Tile], other: &[Tile]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.filter(|(one, other)| one != other).count()
}
