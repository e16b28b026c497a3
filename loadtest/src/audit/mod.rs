//! The judge of a run: compares the events of all clients of a game, and lets the oracle replay every game.
//!
//! The oracle shares no code with the server: it computes racks, boards, scores, clocks and results from the events
//! that clients got.

pub(crate) mod docket;
mod replay;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tilewire_oracle::history::public_hash;
use tilewire_protocol::{
    ClientMessage, Codec, Event, EventBody, GameId, ServerMessage, decode_server,
};
use tilewire_rules::lexicon::FstLexicon;

use crate::transcript::{Accepted, Segment, Transcript, Viewer, chained};

/// The number of objections kept as text; all are counted.
const SPELLED_OUT: usize = 50;
/// Events from the first one that a command causes to the one that carries it out: a window may close before it.
const CAUSED_WITHIN: usize = 6;

/// The verdict of the judge.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Verdict {
    /// Judged games.
    pub(crate) games: u64,
    /// Judged events, counted once for each client that got them.
    pub(crate) events: u64,
    /// Acknowledged commands.
    pub(crate) acked: u64,
    /// Acknowledged commands without an event.
    pub(crate) lost: u64,
    /// Turns that were played twice.
    pub(crate) doubled: u64,
    /// The number of objections.
    pub(crate) violations: u64,
    /// The first objections as text.
    pub(crate) objections: Vec<String>,
}

impl Verdict {
    /// Adds the verdict on other games.
    pub(crate) fn add(&mut self, other: Self) {
        self.games += other.games;
        self.events += other.events;
        self.acked += other.acked;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.violations += other.violations;
        self.objections.extend(other.objections);
        self.objections.truncate(SPELLED_OUT);
    }

    /// Adds an objection.
    pub(crate) fn object(&mut self, what: impl Into<String>) {
        self.violations += 1;
        if self.objections.len() < SPELLED_OUT {
            self.objections.push(what.into());
        }
    }

    /// Adds the objections to a game.
    fn object_to(&mut self, game: &GameId, objections: Vec<String>) {
        for objection in objections {
            self.object(format!("game {}: {objection}", game.as_str()));
        }
    }

    /// Counts the events that a client got.
    fn count_told(&mut self, transcript: &Transcript) {
        let decoded = transcript.segments.iter();
        self.events += decoded
            .map(|segment| segment.last - segment.after)
            .sum::<u64>();
    }
}

/// A judged game, kept for transcripts that come later.
#[derive(Debug, Default)]
struct Story {
    log: Vec<Event>,
    // The public hash of each event.
    hashes: Vec<u64>,
    // The digest of a snapshot after each event, as far as the game could be replayed.
    digests: Vec<u64>,
}

/// Judges a game; `None` if no player got an event, so that there is nothing to compare with.
fn judge_game(
    transcripts: &[Transcript],
    lexicon: &FstLexicon,
    verdict: &mut Verdict,
    objections: &mut Vec<String>,
) -> Option<Story> {
    let log = merge(transcripts, objections);
    let mut story = Story {
        hashes: log.iter().map(public_hash).collect(),
        digests: Vec::with_capacity(log.len()),
        log,
    };
    if story.log.is_empty() {
        for transcript in transcripts {
            objections.extend(transcript.faults.iter().cloned());
            verdict.count_told(transcript);
        }
        return None;
    }
    verdict.games += 1;
    let digests = &mut story.digests;
    let mut racks = Vec::new();
    let replayed = replay::replay(&story.log, lexicon, |replay| {
        digests.push(replay.digest().digest());
        let shown = transcripts
            .iter()
            .filter_map(|transcript| transcript.rack_at(digests.len()));
        racks.extend(shown.filter_map(|(seat, rack)| replay.objection_to_rack(seat, rack)));
    });
    objections.extend(racks);
    objections.extend(replayed.err());
    for transcript in transcripts {
        story.judge(transcript, verdict, objections);
    }
    let doubled = turns_doubled(&story.log);
    if doubled > 0 {
        verdict.doubled += doubled;
        objections.push(format!("{doubled} turns were played twice"));
    }
    Some(story)
}

impl Story {
    /// Compares the transcript of one client with the game.
    fn judge(&self, transcript: &Transcript, verdict: &mut Verdict, objections: &mut Vec<String>) {
        objections.extend(transcript.faults.iter().cloned());
        verdict.count_told(transcript);
        for segment in &transcript.segments {
            if let Some(objection) = self.objection_to(segment) {
                objections.push(format!("{:?} {objection}", transcript.viewer));
            }
        }
        for accepted in &transcript.accepted {
            verdict.acked += 1;
            if !has_effect(&self.log, accepted, transcript.viewer) {
                verdict.lost += 1;
                objections.push(format!("acknowledged but lost: {:?}", accepted.command));
            }
        }
    }

    /// Returns the objection to a segment, which must be a part of the log.
    fn objection_to(&self, segment: &Segment) -> Option<String> {
        let place = |seq: u64| usize::try_from(seq).unwrap_or(usize::MAX);
        let Some(decoded) = self.hashes.get(place(segment.after)..place(segment.last)) else {
            return Some(format!(
                "knows event {}, players only {}",
                segment.last,
                self.hashes.len()
            ));
        };
        let chain = decoded.iter().fold(0, |chain, hash| chained(chain, *hash));
        if chain != segment.chain {
            return Some(format!(
                "was told other events from {} to {}",
                segment.after + 1,
                segment.last
            ));
        }
        // The replay reports by itself where it stopped.
        let counted = self.digests.get(place(segment.after).checked_sub(1)?)?;
        let shown = segment.digest?;
        (shown != *counted).then(|| format!("was shown another game at event {}", segment.after))
    }
}

/// Merges the logs of the players: the events from 1 on up to the first that no player got, each with the tiles that
/// any player saw.
fn merge(transcripts: &[Transcript], objections: &mut Vec<String>) -> Vec<Event> {
    let mut merged: BTreeMap<u64, (u64, Event)> = BTreeMap::new();
    for transcript in transcripts {
        for frame in &transcript.frames {
            let Ok((_, ServerMessage::Event(event))) = decode_server(Codec::MsgPack, frame) else {
                continue;
            };
            let hash = public_hash(&event);
            match merged.get_mut(&event.seq) {
                None => {
                    merged.insert(event.seq, (hash, event));
                }
                Some((first, _)) if *first != hash => {
                    objections.push(format!("players were told different events {}", event.seq));
                }
                Some((_, known)) if shows_tiles(&event) => *known = event,
                Some(_) => {}
            }
        }
    }
    let events = (1..).map_while(|seq| merged.remove(&seq));
    events.map(|(_, event)| event).collect()
}

const fn shows_tiles(event: &Event) -> bool {
    match &event.body {
        EventBody::TilesDrawn(drawn) => drawn.tiles.is_some(),
        EventBody::Exchanged(exchange) => exchange.tiles.is_some(),
        _ => false,
    }
}

/// Returns whether an acknowledged command is in the log at the place that the server named.
fn has_effect(log: &[Event], accepted: &Accepted, viewer: Viewer) -> bool {
    let first = usize::try_from(accepted.seq).unwrap_or(0).saturating_sub(1);
    let caused = log.iter().skip(first).take(CAUSED_WITHIN);
    let own = |seat: u8| viewer.seat() == Some(seat);
    caused
        .into_iter()
        .any(|event| match (&accepted.command, &event.body) {
            (ClientMessage::Ready(_), EventBody::SeatReady(ready)) => own(ready.seat),
            (ClientMessage::Play(asked), EventBody::PlayMade(play)) => {
                let laid = |cells: &[String]| -> Vec<String> {
                    let laid = cells.iter().filter(|cell| *cell != ".");
                    laid.cloned().collect()
                };
                own(play.seat)
                    && play.turn_no == asked.turn_no
                    && laid(&play.tiles) == laid(&asked.tiles)
            }
            (ClientMessage::Exchange(asked), EventBody::Exchanged(exchange)) => {
                own(exchange.seat) && exchange.turn_no == asked.turn_no
            }
            (ClientMessage::Pass(asked), EventBody::Passed(pass)) => {
                own(pass.seat) && pass.turn_no == asked.turn_no
            }
            (ClientMessage::Accept(asked), EventBody::Accepted(accepted)) => {
                own(accepted.seat) && accepted.play_id == asked.play_id
            }
            (ClientMessage::Challenge(asked), EventBody::ChallengeDecided(decided)) => {
                own(decided.seat) && decided.play_id == asked.play_id
            }
            (ClientMessage::Resign(_), EventBody::SeatRetired(retired)) => own(retired.seat),
            _ => false,
        })
}

fn turns_doubled(log: &[Event]) -> u64 {
    let mut turns: Vec<u32> = log
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::PlayMade(play) => Some(play.turn_no),
            EventBody::Exchanged(exchange) => Some(exchange.turn_no),
            EventBody::Passed(turn) | EventBody::TurnLost(turn) => Some(turn.turn_no),
            _ => None,
        })
        .collect();
    let all = turns.len();
    turns.sort_unstable();
    turns.dedup();
    u64::try_from(all - turns.len()).unwrap_or(u64::MAX)
}
