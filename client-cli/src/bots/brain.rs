//! A bot at a game on a server: it reads what the client knows of the game and types what a person would type.
//!
//! Whatever it needs it has from the messages of the protocol, as any other client: the board, the tiles and the
//! numbers come from the game's setup, not from rule sets of its own.

use std::sync::Arc;

use thiserror::Error;
use tilewire_protocol::{ChallengeKind as WireKind, GameSetup, Phase};
use tilewire_rules::alphabet::{BLANK_FACE, Letter, LetterSpec, Placed, Tile, TileSet};
use tilewire_rules::board::{Board, Layout, Square};
use tilewire_rules::bot::{Bot, BotLevel, BotTurn, BotWords, Judgement, Seen};
use tilewire_rules::notation;
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::ruleset::{Bingo, RuleSet};
use tilewire_rules::time::Seat;

use crate::model::Table;

/// Why a bot cannot play a game.
#[derive(Debug, Error)]
pub(crate) enum BrainError {
    /// The game is played with other words than the bot has.
    #[error(
        "the game is played with the lexicon {name}, which the bot does not have; give it with --lexicon-file FILE"
    )]
    Lexicon {
        /// Its name.
        name: String,
    },
    /// The setup cannot be understood.
    #[error("the game's setup makes no sense: {0}")]
    Setup(String),
}

/// What was decided last, so that nothing is said twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matter {
    Turn(u32),
    Play(u64),
    Dispute(u64),
}

/// A bot that plays one game.
pub(crate) struct Brain {
    bot: Bot,
    rules: RuleSet,
    challenge: ChallengeKind,
    seed: u64,
    said: Option<Matter>,
}

impl Brain {
    /// A bot for the game of this setup; `hash` is that of the words it has.
    pub(crate) fn new(
        level: BotLevel,
        words: &Arc<BotWords>,
        hash: &[u8; 32],
        setup: &GameSetup,
        seed: u64,
    ) -> Result<Self, BrainError> {
        if setup.lexicon.hash.0 != hash {
            let name = setup.lexicon.name.clone();
            return Err(BrainError::Lexicon { name });
        }
        Ok(Self {
            bot: Bot::new(level, Arc::clone(words)),
            rules: rules_of(setup)?,
            challenge: challenge_of(setup),
            seed,
            said: None,
        })
    }

    /// What to type now, if there is something to say. What is not asked any more is forgotten, for it may be asked again:
    /// a turn that a challenge interrupts goes on after the verdict.
    pub(crate) fn line(&mut self, table: &Table) -> Option<String> {
        let seat = table.seat?;
        let before = std::mem::replace(&mut self.said, matter(table, seat));
        let matter = self.said.filter(|_| self.said != before)?;
        Some(match matter {
            Matter::Dispute(_) => "stand".to_owned(),
            Matter::Play(play) => self.judge(table, play),
            Matter::Turn(_) => self.turn(table, seat),
        })
    }

    /// Whether the table still waits for what was decided last.
    pub(crate) fn is_at(&self, table: &Table) -> bool {
        let matter = table.seat.and_then(|seat| matter(table, seat));
        matter.is_some() && matter == self.said
    }

    /// What to type after the server has refused the last line.
    pub(crate) fn plainest(&self) -> Option<&'static str> {
        Some(match self.said? {
            Matter::Turn(_) => "pass",
            Matter::Play(_) => "accept",
            Matter::Dispute(_) => "stand",
        })
    }

    fn judge(&self, table: &Table, play: u64) -> String {
        let words = table.turns.last().and_then(|turn| turn.words.as_ref());
        let formed: Vec<Vec<Letter>> = words
            .into_iter()
            .flatten()
            .filter_map(|word| self.rules.tiles.parse_word(&word.word))
            .collect();
        match self.bot.judge(self.challenge, &formed, play, self.seed) {
            Judgement::Challenge => "challenge".to_owned(),
            Judgement::Accept => "accept".to_owned(),
        }
    }

    fn turn(&mut self, table: &Table, seat: u8) -> String {
        // A board that is dealt for each game is known once it was dealt.
        if let Ok(layout) = layout_of(&table.setup) {
            self.rules.layout = layout;
        }
        let tiles = &self.rules.tiles;
        let board = board_of(&self.rules, table);
        let rack: Vec<Tile> = table
            .rack
            .iter()
            .filter_map(|face| tiles.parse_tile(face))
            .collect();
        let seen = Seen {
            rules: &self.rules,
            challenge: self.challenge,
            board: &board,
            rack: &rack,
            seat: Seat(seat),
            scores: table.seats.iter().map(|seat| seat.score).collect(),
            rack_counts: table
                .seats
                .iter()
                .map(|seat| match seat.retired {
                    Some(_) => 0,
                    None => usize::try_from(seat.rack_count).unwrap_or(0),
                })
                .collect(),
            bag: usize::try_from(table.bag).unwrap_or(0),
            turn_no: table.turn_no,
        };
        match self.bot.turn(&seen, self.seed) {
            BotTurn::Play(placement) => notation::format(&placement, tiles),
            BotTurn::Exchange(given) => {
                format!("exchange {}", notation::format_rack(&given, tiles))
            }
            BotTurn::Pass => "pass".to_owned(),
        }
    }
}

fn matter(table: &Table, seat: u8) -> Option<Matter> {
    if !matches!(table.phase, Phase::Running | Phase::Final) || table.is_paused {
        return None;
    }
    if table.seats.get(usize::from(seat))?.retired.is_some() {
        return None;
    }
    if let Some(window) = &table.window {
        if window.challenger.is_some() {
            return (window.author == seat).then_some(Matter::Dispute(window.play_id));
        }
        if window.eligible.contains(&seat) && !window.accepted.contains(&seat) {
            return Some(Matter::Play(window.play_id));
        }
        if window.held_by.is_some() {
            return None;
        }
    }
    (table.on_turn == Some(seat)).then_some(Matter::Turn(table.turn_no))
}

fn board_of(rules: &RuleSet, table: &Table) -> Board {
    let mut board = Board::new(rules.layout.rows(), rules.layout.cols());
    for (row, faces) in (0..rules.layout.rows()).zip(&table.board) {
        for (col, face) in (0..rules.layout.cols()).zip(faces) {
            let placed: Option<Placed> = face.as_ref().and_then(|f| rules.tiles.parse_placed(f));
            if let Some(placed) = placed {
                board.place(Square::new(row, col), placed);
            }
        }
    }
    board
}

fn challenge_of(setup: &GameSetup) -> ChallengeKind {
    match setup.options.challenge_kind() {
        WireKind::Void => ChallengeKind::Void,
        WireKind::Single | WireKind::Unknown => ChallengeKind::Single,
        WireKind::Double => ChallengeKind::Double,
        WireKind::FivePoint => ChallengeKind::FivePoint,
        WireKind::TenPoint => ChallengeKind::TenPoint,
        WireKind::Triple => ChallengeKind::Triple,
    }
}

fn layout_of(setup: &GameSetup) -> Result<Layout, BrainError> {
    let board = &setup.rule_set.board;
    let bad = |problem: String| BrainError::Setup(problem);
    let start: Square = board.start.parse().map_err(|_| bad(board.start.clone()))?;
    let drawing = board.layout.join("\n");
    Layout::parse(board.rows, board.cols, start, &drawing).map_err(|error| bad(error.to_string()))
}

/// The rules of a game as far as a bot needs them, from what the server says of them.
fn rules_of(setup: &GameSetup) -> Result<RuleSet, BrainError> {
    let info = &setup.rule_set;
    let letters = info.tiles.iter().filter(|tile| tile.face != BLANK_FACE);
    let letters = letters.map(|tile| LetterSpec {
        face: tile.face.clone(),
        count: tile.count,
        value: tile.value,
    });
    let blanks = info.tiles.iter().filter(|tile| tile.face == BLANK_FACE);
    let blanks = blanks.map(|tile| tile.count).sum();
    let mut rules = RuleSet::clone(&RuleSet::classic());
    rules.tiles = TileSet::new(letters.collect(), blanks)
        .map_err(|error| BrainError::Setup(error.to_string()))?;
    rules.layout = layout_of(setup)?;
    rules.language = info.language.clone().unwrap_or_default();
    rules.rack_size = info.rack_size;
    rules.exchange_min_bag = info.exchange_min_bag;
    rules.bingo = info
        .bingo
        .iter()
        .map(|bingo| Bingo {
            tiles: bingo.tiles,
            bonus: bingo.bonus,
        })
        .collect();
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::{Accepted, ChallengeOpened, EventBody};
    use tilewire_rules::lexicon::{FstLexicon, Lexicon as _};

    use super::*;
    use crate::model::tests::{Story, T0, clocks, setup, window};

    fn brain(setup: &GameSetup) -> Brain {
        let words = FstLexicon::builtin().laid_out().unwrap();
        let hash = setup.lexicon.hash.0.clone().try_into().unwrap();
        Brain::new(BotLevel::Expert, &words, &hash, setup, 1).unwrap()
    }

    #[test]
    fn a_turn_that_a_challenge_interrupts_is_played_after_it() {
        let names = ["Anna", "Ben", "Cleo"];
        let mut brain = brain(&setup(&names));
        let mut story = Story::started(&names, Some(1), "AEINRST");
        let play_id = story.play(0, "8F", "HORN", &[("HORN", 14)], 4, window(&[1, 2], false));
        story.turn(2, 1);
        assert_eq!(brain.line(story.table()).as_deref(), Some("accept"));
        story.tell(EventBody::Accepted(Accepted { play_id, seat: 1 }));
        let play = brain.line(story.table());
        assert!(play.is_some());
        assert!(brain.is_at(story.table()));
        story.tell(EventBody::ChallengeOpened(ChallengeOpened {
            play_id,
            seat: 2,
            decide_by: T0 + 200_000,
            clocks: clocks(&[1, 2, 3], None),
        }));
        assert_eq!(brain.line(story.table()), None);
        assert!(!brain.is_at(story.table()));
        story.verdict(play_id, 2, &[], &[14, 0, 0]);
        assert_eq!(brain.line(story.table()), play);
        assert_eq!(brain.line(story.table()), None, "nothing is said twice");
    }
}
