//! Native records with one event that could not happen. Each is written, read again and checked.

use std::sync::Arc;

use tilewire_rules::alphabet::{Letter, Placed};
use tilewire_rules::bot::{Bot, BotLevel, Match, play_game};
use tilewire_rules::event::{
    ChallengeDecided, Created, EndReason, Event, PlayMade, Player, PublicEvent, Record, Verdict,
};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::{ChallengeKind, Consent, GameOptions};
use tilewire_rules::play::{Direction, Placement};
use tilewire_rules::record::{Severity, check_native, native};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp, TurnNo};

const A: Seat = Seat(0);
const B: Seat = Seat(1);
const NOW: Timestamp = Timestamp(1_800_000_000_000);

/// A lexicon in which every word is valid, or none.
struct Words(bool);

impl Lexicon for Words {
    fn name(&self) -> &'static str {
        "words"
    }
    fn hash(&self) -> &[u8; 32] {
        &[4; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, _: &[Letter]) -> bool {
        self.0
    }
}

/// The options of a game in which seat 0 starts.
fn options(kind: ChallengeKind) -> GameOptions {
    let mut options = GameOptions::classic("words");
    options.first = tilewire_rules::options::FirstPlay::Seat(A);
    options.challenge.kind = kind;
    options
}

/// The log of a game in which each seat is ready and then takes its `actions`: `play` lays two letters in the middle.
fn log(options: GameOptions, words: &Words, actions: &[(Seat, &str)]) -> Vec<Record> {
    let secret = [6; 32];
    let player = |seat: Seat| Player {
        identity: format!("id-{}", seat.0),
        name: format!("Player {}", seat.0),
        nonce_hash: None,
        level: None,
        kind: None,
        rating: None,
    };
    let created = Created {
        game: "record".to_owned(),
        players: Seat::all(options.seats).map(player).collect(),
        lexicon_hash: *words.hash(),
        commitment: commitment(&secret),
        secret,
        series: None,
        options,
    };
    let seats = created.options.seats;
    let (mut game, first) = Game::create(RuleSet::classic(), NOW, created).unwrap();
    let mut records = vec![first];
    let ready = Seat::all(seats).map(|seat| (seat, "ready"));
    for (number, (seat, text)) in (1..).zip(ready.chain(actions.iter().copied())) {
        let command = Command {
            seat,
            cmd_id: format!("c{number}"),
            digest: number,
            received_at: NOW,
            lag_ms: 0,
            action: action(&game, seat, text),
        };
        let done = game.handle(&Context::new(words), NOW, Input::Command(command));
        assert!(
            done.answers.iter().all(|answer| answer.outcome.is_ok()),
            "{text}: {:?}",
            done.answers
        );
        records.extend(done.records);
        game = done.next;
    }
    records.iter().map(without_command).collect()
}

/// Removes the command of a record: an edited record does not need the ids that clients give to commands.
fn without_command(record: &Record) -> Record {
    Record {
        command: None,
        ..record.clone()
    }
}

fn action(game: &Game, seat: Seat, text: &str) -> Action {
    let state = game.state();
    let turn_no = state.turn().map_or(TurnNo(0), |turn| turn.no);
    let play_id = state.window().map(|window| window.play_id);
    match text {
        "ready" => Action::Ready { nonce: Vec::new() },
        "pass" => Action::Pass { turn_no },
        "play" => {
            let letters = state
                .tiles()
                .rack(seat)
                .iter()
                .filter_map(|tile| tile.letter());
            Action::Play {
                turn_no,
                placement: Placement {
                    start: state.rules().layout.start(),
                    direction: Direction::Across,
                    tiles: letters
                        .take(2)
                        .map(|letter| Some(Placed::new(letter)))
                        .collect(),
                },
            }
        }
        "challenge" => Action::Challenge(play_id.unwrap()),
        "withdraw" => Action::Withdraw(play_id.unwrap()),
        other => panic!("no action {other}"),
    }
}

/// A game of bots to its end; the beginner challenges.
fn whole() -> Vec<Record> {
    let (rules, lexicon) = (RuleSet::classic(), FstLexicon::builtin());
    let graphs = lexicon.graphs().unwrap();
    let levels = [BotLevel::Club, BotLevel::Beginner];
    let mut bots = levels.map(|level| Bot::new(level, Arc::clone(&graphs)));
    let of = Match {
        options: GameOptions::usual(&rules, lexicon.name()),
        rules,
        seed: 4,
    };
    let played = play_game(&of, &*lexicon, &mut bots, |_, _| {}).unwrap();
    played.records.iter().map(without_command).collect()
}

fn challenged(kind: ChallengeKind, is_valid: bool) -> Vec<Record> {
    log(
        options(kind),
        &Words(is_valid),
        &[(A, "play"), (B, "challenge")],
    )
}

/// The errors of a record, as `event: reason`; events count from 0.
fn errors(records: &[Record], words: &dyn Lexicon) -> Vec<(usize, String)> {
    let text = native::write(records, None).unwrap();
    let (_, read) = native::read(text.as_bytes()).unwrap();
    assert_eq!(read, records);
    let report = check_native(&RuleSet::classic(), &read, Some(words));
    let findings = report.findings.into_iter();
    findings
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| (finding.line - 2, finding.reason))
        .collect()
}

/// Checks a record as it is, edits it, and expects an error at the edited event.
fn check(
    mut records: Vec<Record>,
    words: &dyn Lexicon,
    edit: impl FnOnce(&mut Vec<Record>) -> usize,
    says: &str,
) {
    assert_eq!(errors(&records, words), [], "before the edit ({says})");
    let at = edit(&mut records);
    for (record, seq) in records.iter_mut().zip(1..) {
        record.seq = tilewire_rules::time::Seq(seq);
    }
    let found = errors(&records, words);
    let first = found.first().unwrap_or_else(|| panic!("no error: {says}"));
    assert!(
        first.0 == at && first.1.contains(says),
        "{at} {says}: {found:#?}"
    );
}

/// Edits the first event for which `edit` returns true; returns the index of the event.
fn first(records: &mut [Record], edit: impl Fn(&mut PublicEvent) -> bool) -> usize {
    let found = records
        .iter_mut()
        .position(|record| match &mut record.event {
            Event::Public(event) => edit(event),
            _ => false,
        });
    found.expect("there is such an event")
}

fn decided(records: &mut [Record], edit: impl Fn(&mut ChallengeDecided)) -> usize {
    first(records, |event| match event {
        PublicEvent::ChallengeDecided(decided) => {
            edit(decided);
            true
        }
        _ => false,
    })
}

/// The first play after the third turn.
fn play(records: &mut [Record], edit: impl Fn(&mut PlayMade)) -> usize {
    first(records, |event| match event {
        PublicEvent::PlayMade(made) if made.turn_no.0 > 3 => {
            edit(made);
            true
        }
        _ => false,
    })
}

fn started(records: &mut [Record], turn_no: u32, edit: impl Fn(&mut Seat)) -> usize {
    first(records, |event| match event {
        PublicEvent::TurnStarted {
            turn_no: no, seat, ..
        } if no.0 == turn_no => {
            edit(seat);
            true
        }
        _ => false,
    })
}

/// Replaces the end of the game by another turn.
fn play_on(records: &mut Vec<Record>) -> usize {
    let mut end = records.pop().unwrap();
    let mut turns = records
        .iter()
        .rev()
        .filter_map(|record| match &record.event {
            Event::Public(PublicEvent::TurnStarted {
                turn_no,
                seat,
                clocks,
            }) => Some((*turn_no, *seat, clocks.clone())),
            _ => None,
        });
    let (turn_no, seat, clocks) = turns.next().unwrap();
    drop(turns);
    end.event = Event::Public(PublicEvent::TurnStarted {
        turn_no: TurnNo(turn_no.0 + 1),
        seat: Seat(1 - seat.0),
        clocks,
    });
    records.push(end);
    records.len() - 1
}

#[test]
fn turns_that_could_not_be_played_are_refused() {
    let words = FstLexicon::builtin();
    let other = |seat: &mut Seat| *seat = Seat(1 - seat.0);
    check(
        whole(),
        &*words,
        |log| started(log, 4, other),
        "comes on turn, not",
    );
    check(
        whole(),
        &*words,
        |log| play(log, |made| other(&mut made.seat)),
        "is not on turn",
    );
    check(
        whole(),
        &*words,
        |log| play(log, |made| made.turn_no.0 += 1),
        "the turn has the number",
    );
    check(
        whole(),
        &*words,
        play_on,
        "the game is over: a player has played all tiles",
    );
    let passes: Vec<(Seat, &str)> = [A, B]
        .into_iter()
        .cycle()
        .map(|seat| (seat, "pass"))
        .take(6)
        .collect();
    let passed = log(options(ChallengeKind::Double), &Words(true), &passes);
    check(
        passed,
        &Words(true),
        play_on,
        "the game is over: too many turns in a row without score",
    );
}

#[test]
fn plays_that_could_not_be_made_are_refused() {
    let words = FstLexicon::builtin();
    check(
        whole(),
        &*words,
        |log| play(log, |made| made.owed -= 1),
        "is owed",
    );
    check(
        whole(),
        &*words,
        |log| play(log, |made| made.window = None),
        "the play can be challenged",
    );
    check(
        whole(),
        &*words,
        |log| play(log, |made| made.bonus += 50),
        "the points are",
    );
    let drawn = |log: &mut Vec<Record>| {
        let at = log
            .iter()
            .rposition(|record| matches!(record.event, Event::TilesDrawn { .. }))
            .unwrap();
        log.remove(at);
        at
    };
    check(whole(), &*words, drawn, "has to draw");
    let validated = log(options(ChallengeKind::Void), &Words(true), &[(A, "play")]);
    assert!(
        !errors(&validated, &Words(false)).is_empty(),
        "a validated game accepts words only"
    );
}

#[test]
fn challenges_that_could_not_end_so_are_refused() {
    let (valid, none) = (Words(true), Words(false));
    let double = || challenged(ChallengeKind::Double, true);
    let outcome = "a challenge in this game cannot have this outcome";
    let verdict =
        |to: Verdict| move |log: &mut Vec<Record>| decided(log, |decided| decided.verdict = to);
    check(double(), &valid, verdict(Verdict::Stands), outcome);
    check(double(), &valid, verdict(Verdict::Off), outcome);
    check(double(), &valid, verdict(Verdict::Withdrawn), outcome);
    let single = challenged(ChallengeKind::Single, true);
    check(single, &valid, verdict(Verdict::StandsTurnLost), outcome);
    let off = || challenged(ChallengeKind::Double, false);
    check(off(), &none, verdict(Verdict::StandsTurnLost), outcome);
    let add_word =
        |log: &mut Vec<Record>| decided(log, |decided| decided.bad_words.push("OTHER".to_owned()));
    check(off(), &none, add_word, "did not form all of these words");
    assert!(
        errors(&off(), &valid)[0]
            .1
            .contains("the lexicon says otherwise")
    );
    let by_author = |log: &mut Vec<Record>| decided(log, |decided| decided.seat = A);
    check(double(), &valid, by_author, "is not an opponent");
    let again = |log: &mut Vec<Record>| {
        let at = decided(log, |_| ());
        log.insert(at + 1, log[at].clone());
        at + 1
    };
    check(double(), &valid, again, "decided already");
}

#[test]
fn challenges_that_could_not_pay_so_are_refused() {
    let valid = Words(true);
    let doubled = |log: &mut Vec<Record>| {
        decided(log, |decided| {
            decided.points[0].1 *= 2;
            decided.totals[0] += 5;
        })
    };
    let five = || challenged(ChallengeKind::FivePoint, true);
    check(five(), &valid, doubled, "the challenge pays other points");
    let total = |log: &mut Vec<Record>| decided(log, |decided| decided.totals[0] += 5);
    check(
        five(),
        &valid,
        total,
        "the totals after the challenge are wrong",
    );
    let paid = |log: &mut Vec<Record>| decided(log, |decided| decided.points.push((A, 5)));
    check(
        challenged(ChallengeKind::Double, true),
        &valid,
        paid,
        "the challenge pays other points",
    );
}

#[test]
fn withdrawals_need_the_question() {
    let mut asking = options(ChallengeKind::Double);
    asking.challenge.consent = Consent::Asked;
    let withdrawn = log(
        asking,
        &Words(true),
        &[(A, "play"), (B, "challenge"), (A, "withdraw")],
    );
    let unasked = |log: &mut Vec<Record>| {
        let at = log.iter().position(|record| {
            matches!(
                record.event,
                Event::Public(PublicEvent::ChallengeOpened { .. })
            )
        });
        let at = at.unwrap();
        log.remove(at);
        at
    };
    check(
        withdrawn,
        &Words(true),
        unasked,
        "did not challenge the play",
    );
}

#[test]
fn results_that_do_not_follow_are_refused() {
    let words = FstLexicon::builtin();
    let ended = |records: &mut Vec<Record>, edit: fn(&mut tilewire_rules::event::Ended)| {
        first(records, |event| match event {
            PublicEvent::Ended(ended) => {
                edit(ended);
                true
            }
            _ => false,
        })
    };
    check(
        whole(),
        &*words,
        |log| ended(log, |end| end.reason = EndReason::Passes),
        "cannot end for this reason",
    );
    check(
        whole(),
        &*words,
        |log| ended(log, |end| end.aborter = Some(Seat(0))),
        "no player of the game can have aborted it",
    );
    check(
        whole(),
        &*words,
        |log| ended(log, |end| end.results[0].rank = 3 - end.results[0].rank),
        "as rank",
    );
    check(
        whole(),
        &*words,
        |log| ended(log, |end| end.results[1].rack_points *= 2),
        "points for unplayed tiles",
    );
    check(
        whole(),
        &*words,
        |log| ended(log, |end| end.results[0].time_penalty += 10),
        "points lost for time",
    );
    check(
        whole(),
        &*words,
        |log| ended(log, |end| end.winners = vec![A, B]),
        "the winners are not",
    );
}
