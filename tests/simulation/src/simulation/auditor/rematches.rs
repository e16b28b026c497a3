//! Rematches: all players wanted each, a game has one at most, and the series goes on as it should.
//!
//! The server chooses the id of a rematch; the auditor takes the choice as it is.

use std::collections::BTreeMap;

use tilewire_base::ids::rematch_id;
use tilewire_protocol::{ClientMessage, GameId, RematchChanged};
use tilewire_rules::event::{Created, PlayerKind};

use super::moment::Moment;
use super::{Auditor, Log};
use crate::simulation::line::LineId;

/// The auditor's model of rematches.
#[derive(Debug, Default)]
pub(super) struct Rematches {
    /// The identities that asked for a rematch of each game, and when each did first.
    asked: BTreeMap<GameId, BTreeMap<String, Moment>>,
    /// The games by the id that their rematch would have.
    of: BTreeMap<GameId, GameId>,
    /// The rematches that began.
    pub(super) begun: u64,
}

impl Auditor {
    /// A request arrived that may ask for a rematch.
    pub(super) fn asked_for_rematch(
        &mut self,
        line: LineId,
        message: Option<&ClientMessage>,
        moment: Moment,
    ) {
        let identity = self.lines.get(&line).and_then(|line| line.identity.clone());
        if let (Some(ClientMessage::OfferRematch(offer)), Some(identity)) = (message, identity) {
            let asked = self.rematches.asked.entry(offer.game.clone());
            asked.or_default().entry(identity).or_insert(moment);
        }
    }

    /// A game was created: checks it against the game that it is the rematch of, if it is one.
    pub(super) fn check_rematch(&mut self, created: &Created) {
        let game = GameId(created.game.clone());
        self.rematches.of.insert(rematch_id(&game), game.clone());
        let Some(before) = self.rematches.of.get(&game) else {
            assert_eq!(created.series, None, "{game:?} is no rematch");
            return;
        };
        let log = self.log(before);
        assert!(log.book.ended.is_some(), "{before:?} has not ended");
        let old = &log.book.created;
        assert_eq!(created.options, old.options, "the same options");
        let asked = self.rematches.asked.get(before);
        for (player, former) in created.players.iter().zip(&old.players) {
            assert_eq!(player.identity, former.identity, "the same seats");
            let has_asked = asked.is_some_and(|asked| asked.contains_key(&player.identity));
            let is_bot = player.kind == Some(PlayerKind::HouseBot);
            assert!(
                is_bot || has_asked,
                "{} plays a rematch unasked",
                player.name
            );
        }
        // The later of two players has agreed while no block was between them.
        let asked: Vec<_> = asked.into_iter().flatten().collect();
        for (at, (one, first)) in asked.iter().enumerate() {
            for (other, second) in &asked[at + 1..] {
                let later = if first.is_before(**second) {
                    **second
                } else {
                    **first
                };
                self.check_not_blocked(one, other, later, created);
            }
        }
        check_series(created, log);
        self.rematches.begun += 1;
    }

    /// A client is told of a rematch.
    pub(super) fn rematch_told(&mut self, line: LineId, told: &RematchChanged, version: u64) {
        if let Some(next) = &told.next {
            assert_eq!(*next, rematch_id(&told.game), "a game has one rematch");
            return self.check_durable(next, 1, version);
        }
        let identity = self.lines[&line].identity.as_ref();
        let players = &self.log(&told.game).book.created.players;
        let is_player = players
            .iter()
            .any(|player| Some(&player.identity) == identity);
        assert!(is_player, "{line} hears of an offer of others: {told:?}");
        let asked = self.rematches.asked.get(&told.game);
        for seat in &told.agreed {
            let player = &players[usize::from(*seat)];
            let has_asked = asked.is_some_and(|asked| asked.contains_key(&player.identity));
            let is_bot = player.kind == Some(PlayerKind::HouseBot);
            assert!(is_bot || has_asked, "seat {seat} did not agree: {told:?}");
        }
    }
}

/// Checks the series of a rematch against the end of the game before.
fn check_series(created: &Created, log: &Log) {
    let (before, old) = (&log.book.created.series, &log.book.created);
    let ended = log.book.ended.as_ref().expect("it has ended");
    let first = log.book.facts.iter().find_map(|facts| facts.turn);
    let (true, Some((_, first))) = (ended.reason.has_result(), first) else {
        assert_eq!(
            created.series, *before,
            "a game without a result does not count"
        );
        return;
    };
    let series = created.series.as_ref().expect("a rematch has a series");
    let number = before.as_ref().map_or(1, |before| before.number);
    assert_eq!(series.number, number + 1);
    let first_game = before
        .as_ref()
        .map_or(&old.game, |before| &before.first_game);
    assert_eq!(series.first_game, *first_game);
    let seats = created.players.len() as u64;
    assert_eq!(
        u64::from(series.first.0),
        (first + 1) % seats,
        "the start rotates"
    );
    for (seat, won) in (0..).zip(&series.score) {
        let former = before
            .as_ref()
            .map_or(0, |before| before.score[usize::from(seat)]);
        let winners = &ended.winners;
        let gained = match winners.iter().any(|winner| winner.0 == seat) {
            true if winners.len() == 1 => 2,
            true => 1,
            false => 0,
        };
        assert_eq!(*won, former + gained, "seat {seat} of {series:?}");
    }
}
