//! The view of an audience does not depend on hidden tiles.
//!
//! The same game is dealt twice: the tiles the audience gets to know are equal, all hidden ones are
//! permuted. If anything it sees differs, something hidden leaked (R-VIEW).

use proptest::prelude::*;
use tilewire_oracle::walk::Hashed;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::event::{Created, Player, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input, Shuffler};
use tilewire_rules::notation;
use tilewire_rules::options::{FirstPlay, GameOptions};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::Seed;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::Audience;

const A: Seat = Seat(0);
const B: Seat = Seat(1);
const C: Seat = Seat(2);
const EPOCH: i64 = 1_800_000_000_000;

/// The racks are dealt seat by seat, then A draws four tiles and three after its two plays.
const KNOWN_TO_A: [std::ops::Range<usize>; 2] = [0..7, 21..28];

struct Ordered(Vec<Tile>);

impl Shuffler for Ordered {
    fn shuffle(&self, label: &str, tiles: &mut [Tile]) {
        if label == "bag" {
            tiles.copy_from_slice(&self.0);
        }
    }
}

/// HORNFAM for A, then EEEEEEE to draw; the rest as `seed` mixes it.
fn dealt(seed: u64, for_a: bool) -> Vec<Tile> {
    let rules = RuleSet::classic();
    let known = notation::parse_rack("HORNFAMEEEEEEE", &rules.tiles).expect("faces");
    let mut rest = tilewire_rules::tiles::without(&rules.tiles.all(), &known).expect("in the set");
    if for_a {
        Seed::new(&[1; 32], &format!("views-{seed}"), &[[]; 0])
            .stream("rest")
            .shuffle(&mut rest);
    }
    let mut order = rest;
    for (range, tiles) in KNOWN_TO_A.into_iter().zip(known.chunks(7)) {
        order.splice(range.start..range.start, tiles.iter().copied());
    }
    order
}

/// Everything `audience` sees of the game with this deal, in which A plays and B and C pass, hold
/// and exchange.
fn seen(order: Vec<Tile>, audience: Audience) -> Vec<String> {
    let mut options = GameOptions::classic("hashed");
    options.seats = 3;
    options.first = FirstPlay::Seat(A);
    options.timing.protect_ms = 0;
    let players = Seat::all(3)
        .map(|seat| Player {
            identity: seat.0.to_string(),
            name: seat.0.to_string(),
            nonce_hash: None,
            level: None,
            kind: None,
            rating: None,
        })
        .collect();
    let created = Created {
        game: "views".to_owned(),
        options,
        players,
        lexicon_hash: [3; 32],
        commitment: [4; 32],
        secret: [5; 32],
        series: None,
    };
    let now = Timestamp(EPOCH);
    let rules = RuleSet::classic();
    let (mut game, first) = Game::create(rules.clone(), now, created).expect("valid options");
    let shuffler = Ordered(order);
    let mut views = look(&game, &[first], audience);
    let script = [
        "0 ready",
        "1 ready",
        "2 ready",
        "0 8F HORN",
        "1 hold",
        "1 release",
        "2 accept",
        "1 pass",
    ];
    let script =
        script
            .into_iter()
            .chain(["2 pass", "0 H8 .AM", "1 exchange", "2 exchange", "0 pass"]);
    for (line, number) in script.zip(0..) {
        let (seat, text) = line.split_at(1);
        let seat = Seat(seat.parse().expect("a seat"));
        let command = Command {
            seat,
            cmd_id: format!("c{number}"),
            digest: 0,
            received_at: now,
            lag_ms: 0,
            action: action(&game, seat, text.trim()),
        };
        let ctx = Context {
            lexicon: &Hashed,
            shuffler: Some(&shuffler),
        };
        let transition = game.handle(&ctx, now, Input::Command(command));
        for answer in &transition.answers {
            assert!(answer.outcome.is_ok(), "{line}: {answer:?}");
        }
        game = transition.next;
        views.extend(look(&game, &transition.records, audience));
        views.push(format!("{:?}", transition.answers));
    }
    views
}

fn action(game: &Game, seat: Seat, text: &str) -> Action {
    let state = game.state();
    let turn_no = state.turn().map_or(state.last_turn(), |turn| turn.no);
    let play_id = state
        .window()
        .map_or(tilewire_rules::time::Seq(0), |window| window.play_id);
    match text {
        "ready" => Action::Ready { nonce: Vec::new() },
        "pass" => Action::Pass { turn_no },
        "hold" => Action::Hold(play_id),
        "release" => Action::Release(play_id),
        "accept" => Action::Accept(play_id),
        "exchange" => Action::Exchange {
            turn_no,
            tiles: state.tiles().rack(seat)[..3].to_vec(),
        },
        text => Action::Play {
            turn_no,
            placement: notation::parse(text, &state.rules().tiles).expect("notation"),
        },
    }
}

fn look(game: &Game, records: &[Record], audience: Audience) -> Vec<String> {
    let events = records
        .iter()
        .map(|record| format!("{} {:?}", record.seq, record.event.seen_by(audience)));
    events
        .chain([format!("{:?}", game.state().seen_by(audience))])
        .collect()
}

proptest! {
    #[test]
    fn a_view_does_not_depend_on_hidden_tiles(seed in any::<u64>()) {
        for audience in [Audience::Spectator, Audience::Seat(A)] {
            let (one, other) = (dealt(0, false), dealt(seed, true));
            prop_assume!(one != other);
            let (one, other) = (seen(one, audience), seen(other, audience));
            prop_assert!(one.len() > 25, "the game was played");
            for (one, other) in one.iter().zip(&other) {
                prop_assert_eq!(one, other);
            }
        }
    }

    /// The check above can fail: the players whose tiles were permuted do see a difference.
    #[test]
    fn the_owner_of_a_hidden_tile_sees_it(seed in any::<u64>()) {
        let (one, other) = (dealt(0, false), dealt(seed, true));
        prop_assume!(one[7..14] != other[7..14] && one[14..21] != other[14..21]);
        for seat in [B, C] {
            let audience = Audience::Seat(seat);
            prop_assert_ne!(seen(one.clone(), audience), seen(other.clone(), audience));
        }
    }
}
