//! Floods from one address at each limit, while others play: all their commands are answered correctly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use tilewire_conformance::position::scores_of;
use tilewire_harness::PATIENCE;
use tilewire_harness::flood::{Flood, From, Kind};
use tilewire_harness::matches::{Match, Seen};
use tilewire_harness::server::Server;

/// Turns played before the flood is known to have met its gate, and after.
const TURNS: usize = 4;

/// Ends the flood also when the game has failed, so that the test can say so.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Plays a game with a spectator while another address floods the server; `figure` is the metric that counts the
/// refusals.
fn others_play_on(kind: Kind, figure: &str, config: &str) {
    let server = Server::start(config);
    let play_options = ["--clock", "sudden:25m", "--challenge", "double"];
    let mut game = Match::start(&server, 2, &play_options);
    let (stop, (met, has_met)) = (AtomicBool::new(false), channel());
    std::thread::scope(|scope| {
        let (stop, address) = (&stop, server.address.as_str());
        scope.spawn(move || {
            let flood = Flood {
                address,
                goes_on: &|| !stop.load(Ordering::Relaxed),
                // The receiver ends after the first message.
                met: &|| {
                    met.send(()).ok();
                },
                from: From::Address,
            };
            flood.run(kind);
        });
        let stopping = StopAtEnd(stop);
        let mut seen = Seen::default();
        for _ in 0..TURNS {
            game.turn(&mut seen);
        }
        has_met
            .recv_timeout(PATIENCE)
            .expect("the flood meets its gate");
        for _ in 0..TURNS {
            game.turn(&mut seen);
        }
        drop(stopping);
    });
    server.until_figure(figure, |count| count >= 1.0);
    let (first, others) = game.people.split_first().expect("people");
    assert!(first.fold.seq > 0);
    for other in others {
        assert_eq!(other.fold.seq, first.fold.seq);
        assert_eq!(scores_of(&other.fold), scores_of(&first.fold));
        assert_eq!(other.fold.board, first.fold.board);
    }
}

#[test]
fn connections_from_one_address() {
    others_play_on(
        Kind::Connections,
        "tilewire_connections_refused_total{reason=\"address_full\"}",
        "[limits]\nconnections_per_address = 32\n",
    );
}

#[test]
fn many_unauthenticated_connections_are_limited() {
    others_play_on(
        Kind::Connections,
        "tilewire_connections_refused_total{reason=\"address_unauthenticated\"}",
        "[limits]\nunauthenticated_per_address = 16\n[timing]\nauth_within_ms = 5000\n",
    );
}

#[test]
fn connections_that_come_and_go() {
    others_play_on(
        Kind::Churn,
        "tilewire_connections_refused_total{reason=\"address_rate\"}",
        "[limits]\naccept_burst_per_address = 32\naccepts_per_second_per_address = 8\n",
    );
}

#[test]
fn headers_byte_by_byte() {
    others_play_on(
        Kind::Headers,
        "tilewire_connections_refused_total{reason=\"http_timeout\"}",
        "[timing]\nhandshake_ms = 4000\n",
    );
}

#[test]
fn connections_that_say_nothing() {
    others_play_on(
        Kind::Silence,
        "tilewire_connections_refused_total{reason=\"http_timeout\"}",
        "[timing]\nhandshake_ms = 4000\n",
    );
}

#[test]
fn a_flood_of_messages() {
    others_play_on(
        Kind::Messages,
        "tilewire_connections_closed_total{code=\"flood\"}",
        "",
    );
}

#[test]
fn frames_too_large() {
    others_play_on(
        Kind::Frames,
        "tilewire_connections_closed_total{code=\"too_large\"}",
        "",
    );
}

#[test]
fn answers_that_the_client_does_not_read() {
    others_play_on(
        Kind::Unread,
        "tilewire_outbox_overflows_total{done=\"closed\"}",
        "[limits]\noutbox_bytes = 65536\nmessages_per_second = 1000000\nmessage_burst = 1000000\n\
         [timing]\nwrite_stall_ms = 2000\n",
    );
}

#[test]
fn a_flood_of_seeks() {
    others_play_on(
        Kind::Seeks,
        "tilewire_commands_refused_total{code=\"too_many_seeks\"}",
        "",
    );
}

#[test]
fn more_lobby_requests_than_the_server_can_handle() {
    others_play_on(
        Kind::Lobby,
        "tilewire_commands_refused_total{code=\"busy\"}",
        "[limits]\nlobby_mailbox = 16\nmessages_per_second = 1000000\nmessage_burst = 1000000\n",
    );
}

#[test]
fn a_flood_of_lists() {
    others_play_on(
        Kind::Lists,
        "tilewire_reading_paused_total{budget=\"address\"}",
        // A flood on a busy machine is slower than the usual budget.
        "[limits]\nbudget_per_second_per_address = 400\nbudget_burst_per_address = 2000\n",
    );
}

#[test]
fn a_flood_of_chat_invitations_and_questions() {
    others_play_on(
        Kind::Social,
        "tilewire_reading_paused_total{budget=\"address\"}",
        "[chat]\nscope = 2\n",
    );
}

#[test]
fn a_flood_of_pings() {
    others_play_on(
        Kind::Pings,
        "tilewire_reading_paused_total{budget=\"address\"}",
        // A flood on a busy machine is slower than the usual budget.
        "[limits]\nbudget_per_second_per_address = 400\nbudget_burst_per_address = 2000\n",
    );
}

#[test]
fn a_flood_of_pongs() {
    others_play_on(
        Kind::Pongs,
        "tilewire_reading_paused_total{budget=\"address\"}",
        // A flood on a busy machine is slower than the usual budget.
        "[limits]\nbudget_per_second_per_address = 400\nbudget_burst_per_address = 2000\n",
    );
}

#[test]
fn a_flood_of_fragments() {
    others_play_on(
        Kind::Fragments,
        "tilewire_reading_paused_total{budget=\"address\"}",
        // A flood on a busy machine is slower than the usual budget.
        "[limits]\nbudget_per_second_per_address = 400\nbudget_burst_per_address = 2000\n",
    );
}

#[test]
fn a_flood_of_games() {
    others_play_on(
        Kind::Games,
        "tilewire_commands_refused_total{code=\"rate_limited\"}",
        "[limits]\ngames_burst = 5\n",
    );
}

#[test]
fn a_flood_of_guests() {
    others_play_on(
        Kind::Guests,
        "tilewire_connections_refused_total{reason=\"address_rate\"}",
        "[limits]\naccept_burst_per_address = 32\naccepts_per_second_per_address = 8\n",
    );
}

#[test]
fn a_flood_of_requests_for_records() {
    others_play_on(
        Kind::Records,
        "tilewire_connections_refused_total{reason=\"address_rate\"}",
        "[limits]\naccept_burst_per_address = 32\naccepts_per_second_per_address = 8\n",
    );
}

#[test]
fn a_flood_of_wrong_codes() {
    others_play_on(Kind::Codes, "tilewire_wrong_codes_total", "");
}
