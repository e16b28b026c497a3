//! Tests of the display of turns in the player's games.

use tilewire_protocol::{Clocks, RunningClock};

use super::*;

const HOUR_MS: i64 = 3_600_000;

/// The lobby and the choice of a game begin a line with the player on turn: the end of a long line is cut off.
#[test]
fn the_lines_of_own_games_begin_with_the_player_on_turn() {
    let mut game = summary_of("a-rather-long-id-of-a-game", Phase::Running);
    game.clocks = Some(Clocks {
        main_ms: vec![0, 0],
        allowance_ms: vec![72 * HOUR_MS, 72 * HOUR_MS],
        running: Some(RunningClock {
            seat: 1,
            since: NOW - 3 * HOUR_MS,
        }),
    });
    let games = [game];
    let lists = Lists {
        mine: games.to_vec(),
        ..Lists::default()
    };
    let screen = Screen::new(Theme::new(Colours::Off), ScreenOptions::default());
    let (dora, carla) = ("Dora".into(), "Carla".into());
    for (own, expected) in [
        (&dora, "1  your turn for 3h, 2d 21:00 left: "),
        (&carla, "1  Dora's turn for 3h, 2d 21:00 left: "),
    ] {
        let lobby = Content {
            lobby: Some(&lists),
            own: Some(own),
            ..content(None)
        };
        let choice = Content {
            choices: Some(&games),
            own: Some(own),
            ..content(None)
        };
        for shown in [lobby, choice] {
            let picture = picture(&screen, &shown, SMALL);
            assert!(picture.contains(expected), "{picture}");
        }
    }
}
