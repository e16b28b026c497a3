//! R-SETUP and R-BAG: getting ready, drawing for first play, dealing, the seed.

use super::*;
use crate::clock::ClockKind;
use crate::event::EndReason;
use crate::options::FirstPlay;
use crate::state::Phase;
use crate::stream::{Seed, nonce_hash};

/// 000-C-P4, 001-P3: one tile each from the full bag, the closest to A starts, a blank beats any
/// letter, tied seats draw again.
#[test]
fn the_tile_closest_to_a_starts() {
    let check = |seats: &'static [&'static str], order: &'static [&'static str], first: Seat| {
        let mut setup = Setup::new(seats);
        setup.options.first = FirstPlay::Draw;
        setup.order = order;
        let table = setup.start();
        assert_eq!(table.state().first(), Some(first), "{order:?}");
        assert_eq!(table.on_turn(), first);
        let Some(Event::Public(PublicEvent::OrderDrawn { rounds, .. })) = table
            .log
            .iter()
            .map(|record| &record.event)
            .find(|event| matches!(event, Event::Public(PublicEvent::OrderDrawn { .. })))
        else {
            panic!("the draw is on record");
        };
        assert_eq!(rounds.len(), order.len());
        // 000-C-P5: the drawn tiles went back before the deal.
        assert_eq!(table.state().tiles().bag().len(), 100 - 7 * seats.len());
    };
    const FOUR: &[&str] = &["AEIOUNR", "AEIOUNR", "AEIOTNR", "AEIOTNL"];
    const THREE: &[&str] = &["AEIOUNR", "AEIOUNR", "AEIOTNR"];
    check(FOUR, &["C?AZ"], B);
    check(FOUR, &["CDAZ"], C);
    check(THREE, &["DDM", "FE"], B);
    check(THREE, &["MDD", "GG", "AB"], B);
}

/// 000-C-P1, 000-C-P5, 001-P2, 001-N (rack size as data): racks of seven, the rest in the bag.
#[test]
fn racks_are_dealt_and_the_rest_is_in_the_bag() {
    let table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    assert_eq!(table.rack(A), "AFHMNOR");
    assert_eq!(table.rack(B), "ABEOPST");
    assert_eq!(table.state().tiles().bag().len(), 86);
    assert_eq!(table.state().phase(), Phase::Running);
}

/// Without a script the bag is the seed's: verifiable from the secret and the nonces (R-BAG).
#[test]
fn the_bag_follows_from_the_secret_and_the_nonces() {
    let rules = RuleSet::classic();
    let nonces = [b"left".to_vec(), b"right".to_vec()];
    let secret = [3; 32];
    let mut options = GameOptions::classic("all-but");
    options.first = FirstPlay::Seat(A);
    let players = nonces
        .iter()
        .map(|nonce| Player {
            identity: "x".to_owned(),
            name: "x".to_owned(),
            nonce_hash: Some(nonce_hash(nonce)),
            level: None,
            kind: None,
            rating: None,
        })
        .collect();
    let created = Created {
        game: "g1".to_owned(),
        options,
        players,
        lexicon_hash: [0; 32],
        commitment: commitment(&secret),
        secret,
        series: None,
    };
    let at = Timestamp(EPOCH);
    let (mut game, _) = Game::create(rules.clone(), at, created).unwrap();
    let lexicon = AllBut {
        phonies: BTreeSet::new(),
    };
    for (seat, nonce) in Seat::all(2).zip(&nonces) {
        let command = Command {
            seat,
            cmd_id: "r".to_owned(),
            digest: 0,
            received_at: at,
            lag_ms: 0,
            action: Action::Ready {
                nonce: nonce.clone(),
            },
        };
        game = game
            .handle(&Context::new(&lexicon), at, Input::Command(command))
            .next;
    }
    let mut bag = rules.tiles.all();
    Seed::new(&secret, "g1", &nonces)
        .stream("bag")
        .shuffle(&mut bag);
    assert_eq!(game.state().tiles().rack(A), &bag[..7]);
    assert_eq!(game.state().tiles().rack(B), &bag[7..14]);
    assert_eq!(game.state().tiles().bag(), &bag[14..]);
}

#[test]
fn a_nonce_counts_only_if_announced_in_time() {
    let mut setup = Setup::new(&["HORNFAM", "PASTEOB"]);
    setup.options.timing.nonce_ms = 10_000;
    let mut table = setup.seated();
    // Nothing was announced: the nonce is ignored.
    table.ok(A, "ready surprise");
    assert_eq!(table.state().seats()[0].ready.as_deref(), Some(&[][..]));
    assert_eq!(table.refused(A, "ready"), Rejection::AlreadyReady);
    assert_eq!(table.refused(A, "pass"), Rejection::NotStarted);
}

#[test]
fn a_game_is_cancelled_if_its_players_never_get_ready() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).seated();
    table.ok(A, "ready");
    table.wait(59_999);
    assert_eq!(table.state().phase(), Phase::Waiting);
    table.wait(1);
    assert_eq!(table.outcome().reason, EndReason::Cancelled);
    assert!(table.outcome().winners.is_empty());
    assert_eq!(table.refused(B, "ready"), Rejection::GameOver);
}

/// A game can be aborted until every seat has completed a turn.
#[test]
fn abort_before_both_have_played() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    table.ok(A, "8F HORN");
    table.ok(A, "abort");
    assert_eq!(table.outcome().reason, EndReason::Aborted);
    assert_eq!(table.outcome().aborter, Some(A));

    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    table.ok(A, "8F HORN");
    table.ok(B, "pass");
    assert_eq!(table.refused(A, "abort"), Rejection::CannotAbort);
}

/// A friend joins an absent inviter's game by correspondence: a seek implies ready, so the game begins without either of
/// them, and later than the time for nonces nobody has to come.
#[test]
fn by_correspondence_the_game_begins_without_ready() {
    let by_correspondence = || {
        Setup::new(&["HORNFAM", "PASTEOB"]).with(|options| {
            options.clock = ClockKind::PerMove {
                limit_ms: 72 * 3_600_000,
                bank_ms: 0,
            };
        })
    };
    for ready in [&[][..], &[B]] {
        let mut table = by_correspondence().seated();
        for seat in ready {
            table.ok(*seat, "ready");
        }
        assert_eq!(
            table.game.next_deadline(),
            Some(Timestamp(EPOCH).plus(10_000)),
            "the time for nonces"
        );
        table.wait(10_000);
        assert_eq!(table.state().phase(), Phase::Running, "{ready:?}");
        assert_eq!(table.on_turn(), A);
        assert_eq!(table.refused(A, "ready"), Rejection::AlreadyReady);
        table.wait(71 * 3_600_000);
        assert_eq!(
            table.state().phase(),
            Phase::Running,
            "the turn has its limit"
        );
    }
    let mut live = Setup::new(&["HORNFAM", "PASTEOB"]).seated();
    live.wait(60_000);
    assert_eq!(live.outcome().reason, EndReason::Cancelled);
}
