//! A scripted game, for the tests of this library and of the programs that use it.

use tilewire_protocol::{
    BagShuffled, Bingo, BoardInfo, Bytes, Challenge, ChallengeDecided, ChallengeKind, Clock,
    ClockKind, Clocks, Created, Event, EventBody, GameOptions, GameSetup, LexiconRef, OpenWindow,
    OrderDrawn, OrderTile, Person, PlayMade, RackCount, Role, RuleSetInfo, RunningClock,
    ScoredWord, SeatReady, TileInfo, TilesDrawn, TurnStarted, WindowClosed, WindowReason,
};

use crate::view::GameView;

/// The moment of creation of every scripted game, unix ms.
pub const T0: i64 = 1_700_000_000_000;

const LAYOUT: &str = "=..'...=...'..= .-...\"...\"...-. ..-...'.'...-.. '..-...'...-..' ....-.....-.... \
    .\"...\"...\"...\". ..'...'.'...'.. =..'...-...'..= ..'...'.'...'.. .\"...\"...\"...\". ....-.....-.... \
    '..-...'...-..' ..-...'.'...-.. .-...\"...\"...-. =..'...=...'..=";

const TILES: &str = "A9.1 B2.3 C2.3 D4.2 E12.1 F2.4 G3.2 H2.4 I9.1 J1.8 K1.5 L4.1 M2.3 N6.1 O8.1 P2.3 Q1.10 R6.1 S4.1 \
    T6.1 U4.1 V2.4 W2.4 X1.8 Y2.4 Z1.10 ?2.0";

/// The options of a game with this number of seats: 25 minutes each, double challenge.
#[must_use]
pub fn options(seats: u8) -> GameOptions {
    GameOptions {
        rule_set: "classic".to_owned(),
        seats,
        lexicon: "wordnik".to_owned(),
        language: None,
        clock: Some(Clock {
            initial_ms: Some(1_500_000),
            penalty_per_minute: Some(10),
            cap_ms: Some(600_000),
            ..Clock::of(ClockKind::Overtime)
        }),
        challenge: Some(Challenge {
            window_ms: Some(20_000),
            ..Challenge::of(ChallengeKind::Double)
        }),
        end: None,
        all_played: None,
        uncatchable: None,
        ties: None,
        first: None,
        vanish_claim_ms: None,
        spectators: None,
        rated: false,
        vanish: None,
        vacation: false,
        hints: None,
    }
}

/// The setup of a classic game between these players.
#[must_use]
pub fn setup(names: &[&str]) -> GameSetup {
    let tiles = TILES.split(' ').map(|tile| {
        let (face, figures) = tile.split_at(1);
        let (count, value) = figures.split_once('.').expect("a count and a value");
        TileInfo {
            face: face.to_owned(),
            count: count.parse().expect("a number"),
            value: value.parse().expect("a number"),
        }
    });
    GameSetup {
        game: "game1".into(),
        options: options(u8::try_from(names.len()).expect("few players")),
        rule_set: RuleSetInfo {
            id: "classic".to_owned(),
            name: "Classic".to_owned(),
            language: None,
            language_tag: None,
            rack_size: 7,
            bingo: vec![Bingo {
                tiles: 7,
                bonus: 50,
            }],
            exchange_min_bag: 7,
            opening_min_tiles: 2,
            rack_count: RackCount::Always,
            board: BoardInfo {
                rows: 15,
                cols: 15,
                start: "H8".to_owned(),
                layout: LAYOUT.split_whitespace().map(str::to_owned).collect(),
                drawn: false,
            },
            tiles: tiles.collect(),
        },
        seats: names
            .iter()
            .map(|name| Person {
                identity: name.to_lowercase().into(),
                name: (*name).to_owned(),
                level: None,
                bot: false,
                kind: None,
                rating: None,
            })
            .collect(),
        targets: None,
        lexicon: LexiconRef {
            name: "wordnik".to_owned(),
            hash: Bytes::from([1; 32]),
        },
        commitment: Bytes::from([2; 32]),
        nonce_hashes: Vec::new(),
        created_at: T0,
        ready_by: Some(T0 + 60_000),
        private: false,
        series: None,
    }
}

/// The faces of a text, one for each character.
#[must_use]
pub fn faces(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

/// Clocks with these times; `running` is the seat whose clock runs, and since when.
#[must_use]
pub fn clocks(main_ms: &[i64], running: Option<(u8, i64)>) -> Clocks {
    Clocks {
        main_ms: main_ms.to_vec(),
        allowance_ms: vec![0; main_ms.len()],
        running: running.map(|(seat, since)| RunningClock { seat, since }),
    }
}

/// A game as one client sees it, built event by event.
#[derive(Debug)]
pub struct Story {
    /// The client's view after the last event.
    pub view: Option<GameView>,
    /// All events so far.
    pub events: Vec<Event>,
    role: Role,
    seat: Option<u8>,
}

impl Story {
    /// A new game; `seat` is the client's.
    #[must_use]
    pub fn new(names: &[&str], seat: Option<u8>) -> Self {
        Self::of(setup(names), seat)
    }

    /// A new game of this setup.
    fn of(setup: GameSetup, seat: Option<u8>) -> Self {
        let role = if seat.is_some() {
            Role::Player
        } else {
            Role::Spectator
        };
        let mut story = Self {
            view: None,
            events: Vec::new(),
            role,
            seat,
        };
        story.tell(EventBody::Created(Created {
            setup: Box::new(setup),
        }));
        story
    }

    /// A game with racks drawn in which seat 0 is on turn; `rack` is the client's rack.
    #[must_use]
    pub fn started(names: &[&str], seat: Option<u8>, rack: &str) -> Self {
        Self::begun(setup(names), seat, rack)
    }

    /// The same as [`Self::started`], for a game of this setup.
    #[must_use]
    pub fn begun(setup: GameSetup, seat: Option<u8>, rack: &str) -> Self {
        let seats = setup.options.seats;
        let mut story = Self::of(setup, seat);
        for seat in 0..seats {
            story.tell(EventBody::SeatReady(SeatReady { seat, nonce: None }));
        }
        let rounds = vec![
            (0..seats)
                .zip(["C", "K", "P", "S"])
                .map(|(seat, tile)| OrderTile {
                    seat,
                    tile: tile.to_owned(),
                })
                .collect(),
        ];
        story.tell(EventBody::OrderDrawn(OrderDrawn { rounds, first: 0 }));
        story.tell(EventBody::BagShuffled(BagShuffled {
            label: "bag".to_owned(),
            count: 100,
        }));
        let mut bag = 100;
        for drawer in 0..seats {
            bag -= 7;
            let own = (seat == Some(drawer)).then_some(rack);
            story.draws(drawer, 7, own, bag);
        }
        story.turn(1, 0);
        story
    }

    /// Adds an event.
    pub fn tell(&mut self, body: EventBody) {
        let seq = self.events.len() as u64 + 1;
        let event = Event {
            game: "game1".into(),
            seq,
            at: T0 + 1000 * i64::try_from(seq).expect("few events"),
            body,
        };
        GameView::fold(&mut self.view, &event, self.role, self.seat);
        self.events.push(event);
    }

    /// The view of the client.
    ///
    /// # Panics
    /// Never: a story begins with the creation of the game.
    #[must_use]
    pub fn view(&self) -> &GameView {
        self.view
            .as_ref()
            .expect("a story begins with the creation")
    }

    /// A seat draws tiles; the client sees them if `tiles` names them.
    pub fn draws(&mut self, seat: u8, count: u32, tiles: Option<&str>, bag: u32) {
        self.tell(EventBody::TilesDrawn(TilesDrawn {
            seat,
            count,
            tiles: tiles.map(faces),
            bag,
        }));
    }

    /// A turn starts.
    pub fn turn(&mut self, turn_no: u32, seat: u8) {
        let main_ms = vec![1_500_000 - 60_000 * i64::from(turn_no); self.view().seats.len()];
        let clocks = clocks(&main_ms, Some((seat, T0 + 100_000)));
        self.tell(EventBody::TurnStarted(TurnStarted {
            turn_no,
            seat,
            clocks,
        }));
    }

    /// A seat plays; `words` are the words it forms with their points. Returns the id of the play.
    pub fn play(
        &mut self,
        seat: u8,
        start: &str,
        tiles: &str,
        words: &[(&str, i32)],
        owed: u32,
        window: Option<OpenWindow>,
    ) -> u64 {
        let score = words.iter().map(|(_, score)| score).sum();
        let total = self.view().seats[usize::from(seat)].score + score;
        let words = words.iter().map(|(word, score)| ScoredWord {
            word: (*word).to_owned(),
            score: *score,
        });
        self.tell(EventBody::PlayMade(PlayMade {
            turn_no: self.view().turn_no,
            seat,
            start: start.to_owned(),
            tiles: faces(tiles),
            words: words.collect(),
            bonus: None,
            score,
            total,
            owed,
            window,
            clocks: None,
        }));
        self.events.len() as u64
    }

    /// A challenge by `seat` is decided; it succeeds if there are bad words.
    pub fn verdict(&mut self, play_id: u64, seat: u8, bad: &[&str], totals: &[i32]) {
        self.tell(EventBody::ChallengeDecided(ChallengeDecided {
            play_id,
            seat,
            upheld: !bad.is_empty(),
            withdrawn: false,
            bad_words: bad.iter().map(|word| (*word).to_owned()).collect(),
            points: Vec::new(),
            turn_debt: u32::from(bad.is_empty()),
            totals: totals.to_vec(),
            clocks: None,
        }));
        self.tell(EventBody::WindowClosed(WindowClosed {
            play_id,
            reason: WindowReason::Verdict,
        }));
    }
}

/// A challenge window for the seats `eligible`.
#[must_use]
pub fn window(eligible: &[u8], is_final: bool) -> Option<OpenWindow> {
    Some(OpenWindow {
        closes_at: Some(T0 + 120_000),
        eligible: Some(eligible.to_vec()),
        is_final,
    })
}
