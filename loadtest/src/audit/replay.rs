//! A whole game again, from the events its players were sent.

use std::sync::Arc;

use tilewire_protocol::{ChallengeDecided, Event, EventBody, Exchanged, PlayMade, TilesDrawn};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Board, Layout, Square};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;

use super::clocks::Clocks;
use super::result;
use super::rules::{challenge_of, placement, rules_of};
use super::sheet::Sheet;
use crate::public_state::PublicState;

/// The last play: who made it, what lies where, what it scored, which of its words are none.
#[derive(Debug)]
struct Last {
    seat: usize,
    laid: Vec<(Square, Placed)>,
    score: i32,
    bad: Vec<String>,
}

/// A game as far as it was replayed.
#[derive(Debug)]
pub(super) struct Replay<'a> {
    pub(super) rules: Arc<RuleSet>,
    lexicon: &'a FstLexicon,
    challenge: ChallengeKind,
    board: Board,
    /// The racks; `None` once tiles were drawn that nobody who was asked saw.
    pub(super) racks: Vec<Option<Vec<Tile>>>,
    pub(super) scores: Vec<i32>,
    bag: u32,
    // Exchanged tiles go back into the bag only after the new ones were drawn.
    aside: u32,
    last: Option<Last>,
    pub(super) sheet: Sheet,
    clocks: Clocks,
}

/// Replays a game; `look` sees it after each event.
///
/// # Errors
/// The first thing that is not as the rules say, with the event it was found at.
pub(super) fn replay(
    log: &[Event],
    lexicon: &FstLexicon,
    mut look: impl FnMut(&Replay<'_>),
) -> Result<(), String> {
    let Some(EventBody::Created(created)) = log.first().map(|event| &event.body) else {
        return Err("the first event is not the creation".to_owned());
    };
    let setup = &created.setup;
    if setup.lexicon.hash.0 != lexicon.hash() {
        return Err(format!("the lexicon {} is not ours", setup.lexicon.name));
    }
    let rules = rules_of(setup)?;
    let mut replay = Replay {
        challenge: challenge_of(setup),
        board: Board::new(rules.layout.rows(), rules.layout.cols()),
        racks: vec![Some(Vec::new()); setup.seats.len()],
        scores: vec![0; setup.seats.len()],
        bag: rules.tiles.total(),
        aside: 0,
        sheet: Sheet::new(setup, &rules),
        rules,
        lexicon,
        last: None,
        clocks: Clocks::new(setup),
    };
    for (at, event) in log.iter().enumerate() {
        let taken = replay.take(event);
        taken.map_err(|objection| {
            let last = log[at.saturating_sub(CONTEXT)..=at].iter();
            let kinds: Vec<&str> = last.map(|event| event.body.kind()).collect();
            format!(
                "event {}: {objection}; after {}",
                event.seq,
                kinds.join(", ")
            )
        })?;
        look(&replay);
    }
    Ok(())
}

/// Events named before the one that is wrong.
const CONTEXT: usize = 5;

/// An objection, unless `is_so`.
pub(super) fn ensure(is_so: bool, objection: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(objection()) }
}

impl Replay<'_> {
    /// What a snapshot has to say now.
    pub(super) fn digest(&self) -> PublicState {
        self.sheet.digest(&self.rules, &self.board, &self.scores)
    }

    /// What is wrong with a rack that was shown to the player who holds it.
    pub(super) fn objection_to_rack(&self, seat: u8, shown: &[String]) -> Option<String> {
        let counted = self.racks.get(usize::from(seat))?.as_ref()?;
        let tiles = &self.rules.tiles;
        let mut counted: Vec<&str> = counted.iter().map(|tile| tiles.tile_face(*tile)).collect();
        let mut shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        counted.sort_unstable();
        shown.sort_unstable();
        (counted != shown).then(|| format!("seat {seat} was shown {shown:?}, holds {counted:?}"))
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        self.clocks.take(event)?;
        self.happens(event)?;
        self.sheet.take(event, &self.scores)
    }

    fn happens(&mut self, event: &Event) -> Result<(), String> {
        match &event.body {
            EventBody::BoardDrawn(drawn) => {
                let rules = Arc::make_mut(&mut self.rules);
                let (rows, cols) = (rules.layout.rows(), rules.layout.cols());
                let drawing = drawn.layout.join("\n");
                rules.layout = Layout::parse(rows, cols, rules.layout.start(), &drawing)
                    .map_err(|error| error.to_string())?;
                Ok(())
            }
            EventBody::TilesDrawn(drawn) => self.drawn(drawn),
            EventBody::BagShuffled(shuffled) => {
                self.bag += std::mem::take(&mut self.aside);
                ensure(shuffled.count == self.bag, || {
                    format!("{} tiles in the bag, counted {}", shuffled.count, self.bag)
                })
            }
            EventBody::PlayMade(play) => self.play(play),
            EventBody::Exchanged(exchange) => self.exchanged(exchange),
            EventBody::ChallengeDecided(verdict) => self.verdict(verdict),
            EventBody::Ended(ended) => result::check(self, ended),
            _ => Ok(()),
        }
    }

    fn drawn(&mut self, drawn: &TilesDrawn) -> Result<(), String> {
        ensure(self.bag >= drawn.count, || "the bag is empty".to_owned())?;
        self.bag -= drawn.count;
        ensure(drawn.bag == self.bag, || {
            format!("{} tiles in the bag, counted {}", drawn.bag, self.bag)
        })?;
        let tiles = &self.rules.tiles;
        let faces = drawn.tiles.as_ref();
        let faces = faces.map(|faces| faces.iter().map(|face| tiles.parse_tile(face)).collect());
        let seen: Option<Option<Vec<Tile>>> = faces;
        let rack = self
            .racks
            .get_mut(usize::from(drawn.seat))
            .ok_or("a seat")?;
        match (seen, rack.as_mut()) {
            (Some(Some(new)), Some(rack)) => {
                ensure(u32::try_from(new.len()) == Ok(drawn.count), || {
                    "another number of tiles was drawn than said".to_owned()
                })?;
                rack.extend(new);
                ensure(rack.len() <= usize::from(self.rules.rack_size), || {
                    "the rack is too full".to_owned()
                })?;
            }
            (Some(None), _) => return Err("an unknown tile was drawn".to_owned()),
            _ => *rack = None,
        }
        self.check_tiles()
    }

    /// No tile exists more often than the rules say.
    fn check_tiles(&self) -> Result<(), String> {
        let known = self.racks.iter().flatten().flatten().copied();
        let known = known.chain(self.board.iter().map(|(_, placed)| placed.tile));
        let mut known: Vec<Tile> = known.collect();
        known.sort_unstable_by_key(|tile| tile.sort_rank());
        for same in known.chunk_by(|one, other| one == other) {
            let most = self.rules.tiles.count(same[0]);
            ensure(u32::try_from(same.len()).is_ok_and(|n| n <= most), || {
                format!("too many of {}", self.rules.tiles.tile_face(same[0]))
            })?;
        }
        Ok(())
    }

    fn play(&mut self, play: &PlayMade) -> Result<(), String> {
        let seat = usize::from(play.seat);
        let placement = placement(&self.rules, &play.start, &play.tiles)?;
        // Where the rack is not known, whatever was laid was on it.
        let laid: Vec<Tile> = placement.laid().map(|placed| placed.tile).collect();
        let rack = self.racks.get(seat).ok_or("a seat")?;
        let resolved = Play::resolve(
            &self.rules,
            &self.board,
            rack.as_ref().unwrap_or(&laid),
            &placement,
        )
        .map_err(|error| format!("an illegal play: {error}"))?;
        let decoded = play.words.iter().map(|word| (&*word.word, word.score));
        let counted = resolved.words().iter().map(|w| (&*w.text, w.score));
        ensure(decoded.eq(counted), || "words or their points".to_owned())?;
        self.scores[seat] += resolved.score();
        ensure(
            play.score == resolved.score()
                && play.bonus.unwrap_or(0) == resolved.bonus()
                && play.total == self.scores[seat],
            || format!("{} points, counted {}", play.score, resolved.score()),
        )?;
        let bad = resolved.words().iter();
        let bad: Vec<String> = bad
            .filter(|word| !self.lexicon.contains(&word.spelling()))
            .map(|word| word.text.clone())
            .collect();
        ensure(
            self.challenge != ChallengeKind::Void || bad.is_empty(),
            || format!("{bad:?} are no words"),
        )?;
        for (square, placed) in resolved.placed() {
            self.board.place(*square, *placed);
        }
        self.take_from_rack(seat, &laid);
        self.last = Some(Last {
            seat,
            laid: resolved.placed().to_vec(),
            score: resolved.score(),
            bad,
        });
        Ok(())
    }

    fn exchanged(&mut self, exchange: &Exchanged) -> Result<(), String> {
        let seat = usize::from(exchange.seat);
        let tiles = &self.rules.tiles;
        let faces = exchange.tiles.iter().flatten();
        let given: Vec<Tile> = faces.filter_map(|face| tiles.parse_tile(face)).collect();
        self.aside += exchange.count;
        match exchange.tiles {
            Some(_) => {
                ensure(u32::try_from(given.len()) == Ok(exchange.count), || {
                    "another number of tiles was exchanged than said".to_owned()
                })?;
                let before = self.racks.get(seat).and_then(Option::as_ref).map(Vec::len);
                self.take_from_rack(seat, &given);
                let after = self.racks.get(seat).and_then(Option::as_ref).map(Vec::len);
                ensure(before == after.map(|after| after + given.len()), || {
                    "tiles were exchanged that were not on the rack".to_owned()
                })
            }
            None => {
                self.racks[seat] = None;
                Ok(())
            }
        }
    }

    fn verdict(&mut self, verdict: &ChallengeDecided) -> Result<(), String> {
        let last = self.last.take().ok_or("nothing was played")?;
        if !verdict.withdrawn {
            ensure(verdict.upheld != last.bad.is_empty(), || {
                format!("upheld: {}, no words: {:?}", verdict.upheld, last.bad)
            })?;
        }
        if verdict.upheld {
            self.scores[last.seat] -= last.score;
            for (square, placed) in &last.laid {
                self.board.remove(*square);
                if let Some(rack) = &mut self.racks[last.seat] {
                    rack.push(placed.tile);
                }
            }
        }
        for points in &verdict.points {
            let score = self.scores.get_mut(usize::from(points.seat));
            *score.ok_or("a seat")? += points.points;
        }
        ensure(verdict.totals == self.scores, || {
            format!("totals {:?}, counted {:?}", verdict.totals, self.scores)
        })
    }

    fn take_from_rack(&mut self, seat: usize, tiles: &[Tile]) {
        if let Some(Some(rack)) = self.racks.get_mut(seat) {
            for tile in tiles {
                if let Some(at) = rack.iter().position(|own| own == tile) {
                    rack.swap_remove(at);
                }
            }
        }
    }
}
