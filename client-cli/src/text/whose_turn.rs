//! Describes the turn in a listed game: the player to move, and the time left.

use tilewire_protocol::{ClockKind, GameSummary, IdentityId};

use super::clock::format_clock_time;
use super::duration::largest_unit;
use super::printable;

/// Returns whether the player with this identity is on turn.
#[must_use]
pub fn is_own_turn(game: &GameSummary, own: Option<&IdentityId>) -> bool {
    let mut seats = game.seats.iter();
    own.is_some_and(|own| seats.any(|seat| seat.on_turn && seat.identity == *own))
}

/// Puts the games in which the player is on turn first; else the order stays.
pub fn own_turn_first(games: &mut [GameSummary], own: Option<&IdentityId>) {
    games.sort_by_key(|game| !is_own_turn(game, own));
}

/// Names the player on turn, the time since the turn began, and the time left: `your turn for 3h, 2d 04:00 left`. `now` is the server's
/// time. `None` if no seat is on turn, or another player's seat in a game without clocks in the list.
#[must_use]
pub fn whose_turn(game: &GameSummary, own: Option<&IdentityId>, now: i64) -> Option<String> {
    let place = game.seats.iter().position(|seat| seat.on_turn)?;
    let seat = &game.seats[place];
    let is_own = is_own_turn(game, own);
    let clocks = game.clocks.as_ref();
    let running = clocks
        .and_then(|clocks| clocks.running)
        .filter(|running| usize::from(running.seat) == place);
    let whose = match is_own {
        true => "your turn".to_owned(),
        false => format!("{}'s turn", printable(&seat.name)),
    };
    let Some((clocks, running)) = clocks.zip(running) else {
        return is_own.then_some(whose);
    };
    let used = now.saturating_sub(running.since).max(0);
    let of = |times: &[i64]| times.get(place).copied().unwrap_or(0);
    let (main, allowance) = (of(&clocks.main_ms), of(&clocks.allowance_ms).max(0));
    let kind = game.options.as_ref().map(|options| options.clock_kind());
    let left = match kind {
        Some(ClockKind::Untimed) => return Some(format!("{whose} for {}", largest_unit(used))),
        _ => main.saturating_add(allowance).saturating_sub(used),
    };
    Some(format!(
        "{whose} for {}, {} left",
        largest_unit(used),
        format_clock_time(left)
    ))
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::{Clocks, Phase, RunningClock, SummarySeat};

    use super::*;

    const HOUR: i64 = 3_600_000;

    fn game(id: &str, on_turn: usize, clocks: Option<Clocks>) -> GameSummary {
        let seat = |(place, name): (usize, &str)| SummarySeat {
            identity: IdentityId(format!("i{name}")),
            name: name.to_owned(),
            score: 0,
            on_turn: place == on_turn,
            bot: false,
            rank: None,
            rating: None,
        };
        GameSummary {
            game: id.into(),
            rule_set: "classic".to_owned(),
            lexicon: "wordnik".to_owned(),
            options: None,
            seats: ["Ann", "Ben"].into_iter().enumerate().map(seat).collect(),
            phase: Phase::Running,
            turn_no: 3,
            clocks,
            started_at: None,
            watching: 0,
            private: false,
            ended_at: None,
        }
    }

    fn clocks(seat: u8) -> Clocks {
        Clocks {
            main_ms: vec![0, HOUR],
            allowance_ms: vec![72 * HOUR, 72 * HOUR],
            running: Some(RunningClock { seat, since: HOUR }),
        }
    }

    #[test]
    fn a_line_says_whose_turn_it_is_and_for_how_long() {
        let ann = IdentityId("iAnn".to_owned());
        let check = |game: &GameSummary, own, now, expected: Option<&str>| {
            assert_eq!(whose_turn(game, own, now).as_deref(), expected);
        };
        let own = game("g", 0, Some(clocks(0)));
        check(
            &own,
            Some(&ann),
            4 * HOUR,
            Some("your turn for 3h, 2d 21:00 left"),
        );
        check(
            &own,
            Some(&ann),
            0,
            Some("your turn for less than 1m, 3d 00:00 left"),
        );
        check(
            &own,
            None,
            4 * HOUR,
            Some("Ann's turn for 3h, 2d 21:00 left"),
        );
        let other = game("g", 1, Some(clocks(1)));
        check(
            &other,
            Some(&ann),
            50 * HOUR,
            Some("Ben's turn for 2d, 1d 00:00 left"),
        );
        check(&game("g", 0, None), Some(&ann), 0, Some("your turn"));
        check(&game("g", 1, None), Some(&ann), 0, None);
        check(&game("g", 2, Some(clocks(0))), Some(&ann), 0, None);
    }

    #[test]
    fn games_with_the_own_turn_come_first() {
        let ann = IdentityId("iAnn".to_owned());
        let mut games =
            [("a", 1), ("b", 0), ("c", 1), ("d", 0)].map(|(id, on_turn)| game(id, on_turn, None));
        own_turn_first(&mut games, Some(&ann));
        let order: Vec<&str> = games.iter().map(|game| game.game.as_str()).collect();
        assert_eq!(order, ["b", "d", "a", "c"]);
    }
}
