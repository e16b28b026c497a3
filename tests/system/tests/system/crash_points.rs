//! The server dies at named points between append, flush, answer and push.
//!
//! `CRASH_TIMES=20` crashes at each of the first twenty visits of each point instead of at a few.

use tilewire_base::crash_points::Point;
use tilewire_harness::matches::{Match, Seen};
use tilewire_harness::server::Server;

/// The log is transferred often enough that a short game sees it.
const CONFIG: &str = "[storage]\ncheckpoint_every = 4\n";

/// The visits of a crash point at which the server dies.
fn times(point: Point) -> Vec<u64> {
    let once = matches!(point, Point::BeforeGame | Point::AfterGame);
    match std::env::var("CRASH_TIMES") {
        Ok(count) if !once => (1..=count.parse().expect("a number")).collect(),
        _ if once => vec![1],
        _ => vec![2, 9],
    }
}

/// Real clients play; the server dies once and starts again. The clients resume by themselves, no move is lost or repeated,
/// and all clients and the disk agree.
#[test]
fn nothing_is_lost_at_any_crash_point() {
    // Chapters come after the end of a game: `ratings.rs` has them. `letters.rs` has the letters and the pushes.
    let is_elsewhere = |point: &Point| {
        matches!(
            point,
            Point::BeforeChapter
                | Point::BeforeLetters
                | Point::BeforeMail
                | Point::AfterMail
                | Point::BeforeWebhooks
                | Point::BeforeWebhook
                | Point::AfterWebhook
                | Point::BeforeWebPush
                | Point::AfterWebPush
        )
    };
    let points = Point::ALL.into_iter();
    for (point, time) in points
        .filter(|point| !is_elsewhere(point))
        .flat_map(|point| times(point).into_iter().map(move |time| (point, time)))
    {
        let at = format!("{}:{time}", point.name());
        let mut server = Server::start(CONFIG);
        let is_pairing = matches!(point, Point::BeforeGame | Point::AfterGame);
        if is_pairing {
            server.kill();
            server.start_dying(&at);
        }
        let mut game = Match::start(&server, 2, &["--clock", "sudden:25m"]);
        if !is_pairing {
            server.kill();
            server.start_dying(&at);
        }
        let mut seen = Seen {
            upheld: true,
            ..Seen::default()
        };
        let mut turns = 0;
        while turns < 6 || !server.log().contains("crash point") {
            game.accept_all();
            game.turn(&mut seen);
            turns += 1;
            assert!(turns < 60, "{at} is never reached");
        }
        game.play_out(&mut seen);
        game.check();
        assert!(server.stop(), "{at}");
        let (is_sound, said) = server.check();
        assert!(is_sound, "{at}: {said}");
    }
}
