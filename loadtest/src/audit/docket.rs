//! Judges games as they finish, so that a long run does not keep all transcripts.

use std::collections::BTreeMap;
use std::time::Duration;

use tilewire_protocol::{Codec, EventBody, GameId, ServerMessage, decode_server};
use tilewire_rules::lexicon::FstLexicon;
use tokio::time::Instant;

use super::{Story, Verdict, judge_game};
use crate::transcript::Transcript;

/// How long a game waits for the transcript of a player that did not see its end.
const WAITS: Duration = Duration::from_secs(120);
/// How long a judged game is kept for transcripts that come later.
const KEPT: Duration = Duration::from_secs(600);

/// The games that wait for judgement, and those judged recently.
#[derive(Debug, Default)]
pub(crate) struct Docket {
    open: BTreeMap<GameId, Case>,
    closed: BTreeMap<GameId, Closed>,
    verdict: Verdict,
}

#[derive(Debug)]
struct Case {
    transcripts: Vec<Transcript>,
    // The number of human players, once a transcript of a player shows it.
    people: Option<usize>,
    // When the first transcript of a player came.
    since: Option<Instant>,
}

#[derive(Debug)]
struct Closed {
    story: Story,
    at: Instant,
}

impl Docket {
    /// Adds transcripts, and the faults that the clients found by themselves.
    pub(crate) fn take(&mut self, transcripts: Vec<Transcript>, faults: Vec<String>, now: Instant) {
        for fault in faults {
            self.verdict.object(fault);
        }
        for transcript in transcripts {
            if let Some(closed) = self.closed.get(&transcript.game) {
                let mut objections = Vec::new();
                closed
                    .story
                    .judge(&transcript, &mut self.verdict, &mut objections);
                self.verdict.object_to(&transcript.game, objections);
                continue;
            }
            let case = self
                .open
                .entry(transcript.game.clone())
                .or_insert_with(|| Case {
                    transcripts: Vec::new(),
                    people: None,
                    since: None,
                });
            if transcript.viewer.seat().is_some() {
                case.since.get_or_insert(now);
                case.people = case.people.or_else(|| people(&transcript));
            }
            case.transcripts.push(transcript);
        }
    }

    /// Adds the verdict on other games.
    pub(crate) fn add(&mut self, verdict: Verdict) {
        self.verdict.add(verdict);
    }

    /// Judges the games whose players have all finished, and drops those judged long ago.
    pub(crate) fn judge(&mut self, lexicon: &FstLexicon, now: Instant) {
        let ripe = self.open.extract_if(.., |_, case| case.is_ripe(now));
        let ripe: Vec<(GameId, Case)> = ripe.collect();
        for (game, case) in ripe {
            self.close(game, &case, lexicon, now);
        }
        self.closed
            .retain(|_, closed| now.saturating_duration_since(closed.at) < KEPT);
    }

    /// Judges the remaining games.
    pub(crate) fn finish(mut self, lexicon: &FstLexicon, now: Instant) -> Verdict {
        for (game, case) in std::mem::take(&mut self.open) {
            self.close(game, &case, lexicon, now);
        }
        self.verdict
    }

    /// Returns how many games wait and how many are kept.
    #[cfg(test)]
    pub(crate) fn held(&self) -> (usize, usize) {
        (self.open.len(), self.closed.len())
    }

    fn close(&mut self, game: GameId, case: &Case, lexicon: &FstLexicon, now: Instant) {
        let mut objections = Vec::new();
        let story = judge_game(
            &case.transcripts,
            lexicon,
            &mut self.verdict,
            &mut objections,
        );
        self.verdict.object_to(&game, objections);
        if let Some(mut story) = story {
            if case.all_have_told() {
                // Only commands of players are looked up in the log.
                story.log = Vec::new();
            }
            self.closed.insert(game, Closed { story, at: now });
        }
    }
}

impl Case {
    fn is_ripe(&self, now: Instant) -> bool {
        let Some(since) = self.since else {
            return false;
        };
        self.all_have_told() || now.saturating_duration_since(since) > WAITS
    }

    fn all_have_told(&self) -> bool {
        let seats = self
            .transcripts
            .iter()
            .filter_map(|transcript| transcript.viewer.seat());
        let mut seats: Vec<u8> = seats.collect();
        seats.sort_unstable();
        seats.dedup();
        self.people.is_some_and(|people| seats.len() >= people)
    }
}

/// Returns the number of human players, given by the first event of a player.
fn people(transcript: &Transcript) -> Option<usize> {
    let (_, message) = decode_server(Codec::MsgPack, transcript.frames.first()?).ok()?;
    let ServerMessage::Event(event) = message else {
        return None;
    };
    let EventBody::Created(created) = event.body else {
        return None;
    };
    let seats = created.setup.seats.iter();
    Some(seats.filter(|person| !person.bot).count())
}
