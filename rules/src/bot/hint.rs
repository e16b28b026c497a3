//! The turn that a hint shows: the best one by score and leave, with its theme.

use crate::alphabet::Tile;
use crate::play::Play;

use super::{Bot, BotTurn, Seen};

/// The turn that a hint shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintedTurn {
    /// A play.
    Play(Theme, Box<Play>),
    /// An exchange of these tiles.
    Exchange(Vec<Tile>),
    /// A pass: nothing better is possible.
    Pass,
}

/// The reason why a play is worth so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// It gets the bonus for the number of tiles laid.
    Bonus,
    /// It lays a tile on a word premium.
    WordPremium,
    /// It forms several words.
    SeveralWords,
    /// Another reason.
    Plain,
}

impl Bot {
    /// Returns the turn that a hint shows: the same for the same position.
    #[must_use]
    pub fn hint(&mut self, seen: &Seen<'_>) -> HintedTurn {
        let best = self.candidates(seen, 1).pop();
        match best.map(|best| best.turn) {
            Some(BotTurn::Play(placement)) => {
                let play = Play::resolve(seen.rules, seen.board, seen.rack, &placement);
                play.map_or(HintedTurn::Pass, |play| {
                    HintedTurn::Play(Theme::of(seen, &play), Box::new(play))
                })
            }
            Some(BotTurn::Exchange(tiles)) => HintedTurn::Exchange(tiles),
            Some(BotTurn::Pass) | None => HintedTurn::Pass,
        }
    }
}

impl Theme {
    fn of(seen: &Seen<'_>, play: &Play) -> Self {
        let layout = &seen.rules.layout;
        let mut squares = play.placed().iter().map(|(square, _)| *square);
        if play.bonus() > 0 {
            Self::Bonus
        } else if squares.any(|square| layout.premium(square).word_factor() > 1) {
            Self::WordPremium
        } else if play.words().len() > 1 {
            Self::SeveralWords
        } else {
            Self::Plain
        }
    }
}
