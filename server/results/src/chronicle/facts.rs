//! The facts about the players of a game that its result needs.

use tilewire_people::pools::PlayerKind;
use tilewire_people::results::{Series, Stake};
use tilewire_rules::event::{self, Created, Player};

use tilewire_base::house_bots::is_house_bot;

/// Returns the kind of a player. Records of earlier versions do not state it; games from that time are never rated.
pub(super) fn kind(player: &Player) -> PlayerKind {
    let derived = || match is_house_bot(&player.identity) {
        true => PlayerKind::HouseBot,
        false => PlayerKind::Guest,
    };
    player.kind.unwrap_or_else(derived)
}

/// Returns the consequence that the players agreed on.
pub(super) const fn stake(created: &Created) -> Stake {
    match created.options.rated {
        true => Stake::Rated,
        false => Stake::Casual,
    }
}

/// Returns the place in a series of rematches, as a result has it.
pub(super) fn series(series: &event::Series) -> Series {
    Series {
        first_game: series.first_game.clone(),
        number: series.number,
    }
}
