//! The cases: each has a script, and checks the reaction of the client.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::relay::{Plain, Side};
use super::super::{Case, Check};
use super::losses::{Closing, Cut, Forgetful, Moment};
use super::ratings::{self, Asker};
use super::scripts::{
    self, AnswersFirst, Changed, Detaching, Gap, InPieces, Late, Refusing, Unasked,
};
use super::{Conduct, Contender, Run, judge};

/// The events of a request to abort that the game outlives.
const ABORT: &[&str] = &["abort_requested", "abort_declined"];

/// The cases for a client.
pub const CASES: &[Case<Contender>] = &[
    Case::of(
        "plays/a-game",
        &[
            "P-CONN-1", "P-CONN-2", "P-AUTH-1", "P-MSG-1", "P-MSG-2", "P-CMD-1", "P-CMD-6",
        ],
        a_game,
    ),
    Case::of("plays/pings", &["P-CONN-3", "P-CONN-5"], pings),
    Case::of("plays/farewell", &["P-CONN-10"], farewell),
    Case::of("later/unknown-fields", &["P-MSG-6", "P-VER-3"], |on| {
        changed(on, scripts::unknown_fields)
    }),
    Case::of(
        "later/unknown-messages",
        &["P-MSG-6", "P-VER-3", "P-LOBBY-7", "P-PUSH-7"],
        |on| changed(on, scripts::unknown_messages),
    ),
    Case::of("later/unknown-kinds", &["P-EVENT-2", "P-VER-3"], |on| {
        changed(on, scripts::unknown_kinds)
    }),
    Case::of(
        "later/optional-fields-absent",
        &["P-CONN-8", "P-ERR-4", "P-PUSH-1"],
        |on| changed(on, scripts::without_optional),
    ),
    Case::of("order/events-twice", &["P-RESUME-4"], |on| {
        changed(on, scripts::twice)
    }),
    Case::of("order/gap", &["P-RESUME-4"], gap),
    Case::of("order/late-answers", &["P-MSG-4"], |on| {
        scripted(on, Late::new(Duration::from_millis(150), false))
    }),
    Case::of("order/answers-out-of-order", &["P-MSG-4"], |on| {
        scripted(on, Late::new(Duration::from_millis(80), true))
    }),
    Case::of("order/answers-first", &["P-MSG-4"], |on| {
        scripted(on, AnswersFirst::default())
    }),
    Case::of(
        "order/snapshot-unasked",
        &["P-RESUME-5", "P-SNAP-2"],
        unasked,
    ),
    Case::of(
        "clocks/odd",
        &["P-CLOCK-1", "P-CLOCK-3", "P-CLOCK-5"],
        |on| changed(on, scripts::odd_clocks),
    ),
    Case::of(
        "cut/answer-to-the-seek",
        &["P-CMD-2", "P-RESUME-9", "P-CLOSE-2"],
        |on| cut(on, Moment::SeekAnswer),
    ),
    Case::of(
        "cut/while-waiting",
        &["P-AUTH-4", "P-RESUME-9", "P-CLOSE-2"],
        |on| cut(on, Moment::Offered),
    ),
    Case::of(
        "cut/answer-to-the-attach",
        &["P-RESUME-9", "P-CLOSE-2"],
        |on| cut(on, Moment::AttachAnswer),
    ),
    Case::of(
        "cut/command-lost",
        &["P-CMD-2", "P-RESUME-9", "P-CLOSE-4"],
        |on| cut(on, Moment::CommandLost),
    ),
    Case::of(
        "cut/answer-and-events-lost",
        &["P-CMD-2", "P-RESUME-9", "P-CLOSE-4"],
        |on| cut(on, Moment::AnswerLost),
    ),
    Case::of(
        "cut/answer-lost",
        &["P-CMD-2", "P-RESUME-9", "P-CLOSE-4"],
        |on| cut(on, Moment::EventsOnly),
    ),
    Case::of("cut/in-a-frame", &["P-RESUME-9", "P-CLOSE-2"], |on| {
        cut(on, Moment::InAFrame)
    }),
    Case::of(
        "cut/in-the-others-turn",
        &["P-RESUME-2", "P-RESUME-9"],
        |on| cut(on, Moment::OtherTurn),
    ),
    Case::of(
        "cut/again-and-again",
        &["P-RESUME-9", "P-CLOSE-3"],
        again_and_again,
    ),
    Case::of(
        "cut/snapshot-on-resume",
        &["P-RESUME-2", "P-SNAP-2"],
        snapshot_on_resume,
    ),
    Case::of("cut/detached", &["P-PUSH-3", "P-RESUME-7"], detached),
    Case::of("closed/1001-going-away", &["P-CLOSE-1"], |on| {
        comes_back(on, 1001, "", 0)
    }),
    Case::of("closed/4003-too-slow", &["P-CLOSE-1", "P-PUSH-5"], |on| {
        comes_back(on, 4003, "", 0)
    }),
    Case::of("closed/4001-auth-timeout", &["P-CLOSE-1"], |on| {
        comes_back(on, 4001, "", 0)
    }),
    Case::of("closed/4005-heartbeat-lost", &["P-CLOSE-1"], |on| {
        comes_back(on, 4005, "", 0)
    }),
    Case::of("closed/4006-restarting", &["P-CLOSE-1", "P-PUSH-4"], |on| {
        comes_back(on, 4006, "retry_after_ms=1500", 1_500)
    }),
    Case::of("closed/4004-flood", &["P-CLOSE-1"], |on| {
        comes_back(on, 4004, "slow down", 5_000)
    }),
    Case::of("closed/4007-too-many", &["P-CLOSE-1"], |on| {
        comes_back(on, 4007, "", 5_000)
    }),
    Case::of("closed/4999-unknown", &["P-CLOSE-2", "P-VER-3"], |on| {
        comes_back(on, 4999, "later", 100)
    }),
    Case::of("closed/1002-stays-away", &["P-CLOSE-1"], |on| {
        stays_away(on, 1002)
    }),
    Case::of("closed/1003-stays-away", &["P-CLOSE-1"], |on| {
        stays_away(on, 1003)
    }),
    Case::of("closed/1007-stays-away", &["P-CLOSE-1"], |on| {
        stays_away(on, 1007)
    }),
    Case::of("closed/1009-stays-away", &["P-CLOSE-1"], |on| {
        stays_away(on, 1009)
    }),
    Case::of("closed/4000-stays-away", &["P-CLOSE-1"], |on| {
        stays_away(on, 4000)
    }),
    Case::of(
        "closed/4002-not-with-that-token",
        &["P-CLOSE-1", "P-AUTH-6"],
        bad_token,
    ),
    Case::of("closed/4008-stays-away", &["P-CLOSE-1"], |on| {
        stays_away(on, 4008)
    }),
    Case::of("closed/4009-stays-away", &["P-CLOSE-1", "P-AUTH-6"], |on| {
        stays_away(on, 4009)
    }),
    Case::of(
        "refused/rate-limited",
        &["P-CMD-9", "P-ERR-5", "P-LIM-3"],
        |on| refused_for_now(on, rate_limited, 400),
    ),
    Case::of("refused/storage-paused", &["P-CMD-9", "P-PUSH-2"], |on| {
        refused_for_now(on, storage_paused, 0)
    }),
    Case::of(
        "refused/unknown-code-for-now",
        &["P-ERR-6", "P-VER-3"],
        |on| refused_for_now(on, unknown_for_now, 0),
    ),
    Case::of(
        "refused/unknown-code-for-good",
        &["P-ERR-6", "P-ERR-5"],
        refused_for_good,
    ),
    Case::of("rated/players", &["P-LOBBY-19", "P-AUTH-17"], |on| {
        changed(on, ratings::rated_players)
    }),
    Case::of("rated/new-ratings", &["P-GAME-12"], |on| {
        changed(on, ratings::new_ratings)
    }),
    Case::of("rematches/offered", &["P-REMATCH-4", "P-REMATCH-6"], |on| {
        changed(on, scripts::rematches)
    }),
    Case::of("invitations/told", &["P-INVITE-6"], |on| {
        changed(on, scripts::invitations)
    }),
    Case::of("rated/abort-requested", &["P-GAME-11", "P-EVENT-2"], |on| {
        asked(on, Asker::default(), ABORT)
    }),
    Case::of(
        "rated/abort-requested-in-a-snapshot",
        &["P-GAME-11", "P-SNAP-2"],
        |on| asked(on, Asker::and_cut(), ABORT),
    ),
    Case::of(
        "nudges/nudged",
        &["P-NUDGE-1", "P-NUDGE-2", "P-EVENT-2"],
        |on| asked(on, Asker::by_nudge(), &["nudged"]),
    ),
    Case::of("gifts/given", &["P-GIFT-1", "P-CLOCK-2"], |on| {
        asked(on, Asker::by_gift(), &["time_given"])
    }),
    Case::of("vacations/told", &["P-VAC-1", "P-EVENT-2"], |on| {
        asked(on, Asker::by_vacation(), &["vacation"])
    }),
    Case::of("paused/by-an-operator", &["P-PUSH-2", "P-EVENT-2"], |on| {
        asked(on, Asker::by_pause(), &["paused", "resumed"])
    }),
    Case::of(
        "adjourning/agreed",
        &["P-ADJ-1", "P-ADJ-2", "P-ADJ-3", "P-ADJ-4"],
        |on| adjourned(on, Plain).map(drop),
    ),
    Case::of(
        "adjourning/asleep-in-a-snapshot",
        &["P-ADJ-3", "P-ADJ-4", "P-SNAP-2"],
        asleep_in_a_snapshot,
    ),
];

fn scripted(on: &Contender, tap: impl super::Tap + 'static) -> Check {
    on.play(Box::new(tap))?.ends_well()
}

fn changed(on: &Contender, change: fn(&mut Value) -> Vec<Value>) -> Check {
    scripted(on, Changed(change))
}

fn a_game(on: &Contender) -> Check {
    let run = on.play(Box::new(Plain))?;
    run.ends_well()?;
    ensure!(
        run.connections() == 1,
        "nothing happened to the connection, and yet there were {}",
        run.connections()
    );
    let refused: Vec<&Value> = run
        .messages(Side::Server)
        .map(|(_, message)| message)
        .filter(|message| message[0] == "error")
        .filter(|message| {
            [
                "bad_frame",
                "bad_message",
                "unknown_op",
                "bad_field",
                "too_large",
            ]
            .iter()
            .any(|code| message[2]["code"] == *code)
        })
        .collect();
    ensure!(
        refused.is_empty(),
        "a message of the client was refused: {refused:?}"
    );
    Ok(())
}

fn pings(on: &Contender) -> Check {
    let run = on.play(Box::new(InPieces))?;
    run.ends_well()?;
    judge::pongs(&run)
}

/// A client that is done closes the connection with a close frame.
fn farewell(on: &Contender) -> Check {
    let run = on.play(Box::new(Plain))?;
    run.ends_well()?;
    let mut log = run.log.iter().rev();
    let closed = log.find(|entry| entry.from == Side::Client && entry.frame.opcode == 8);
    let code = closed.context("a close frame")?.frame.close_code();
    ensure!(
        matches!(code, None | Some(1000 | 1001)),
        "closed with {code:?}"
    );
    Ok(())
}

/// The `attach` requests, with their connections.
fn attaches(run: &Run) -> Vec<(usize, &Value)> {
    run.messages(Side::Client)
        .filter(|(_, message)| message[0] == "attach")
        .collect()
}

fn gap(on: &Contender) -> Check {
    let run = on.play(Box::new(Gap::default()))?;
    run.ends_well()?;
    ensure!(attaches(&run).len() >= 2, "the client did not attach again");
    Ok(())
}

/// The opponent asks or gives something: events of these kinds.
fn asked(on: &Contender, tap: Asker, kinds: &[&str]) -> Check {
    let run = on.play(Box::new(tap))?;
    run.ends_well()?;
    told(&run, kinds)
}

/// The server sent events of these kinds.
fn told(run: &Run, kinds: &[&str]) -> Check {
    for kind in kinds {
        let mut events = run.messages(Side::Server);
        let is_told = events.any(|(_, message)| message[2]["kind"] == *kind);
        ensure!(is_told, "{kind} was not told");
    }
    Ok(())
}

/// The opponent asks to adjourn the game; without the client's answer and readiness, the game neither sleeps nor goes on.
fn adjourned(on: &Contender, tap: impl super::Tap + 'static) -> Result<Run> {
    let run = on.play_against(Conduct::Adjourns, Box::new(tap))?;
    run.ends_well()?;
    told(&run, &["adjourn_requested", "adjourned", "resumed"])?;
    Ok(run)
}

fn asleep_in_a_snapshot(on: &Contender) -> Check {
    let run = adjourned(on, Forgetful::after("adjourned"))?;
    came_back(&run)?;
    got_a_snapshot(&run)
}

fn unasked(on: &Contender) -> Check {
    let run = on.play(Box::new(Unasked::default()))?;
    run.ends_well()?;
    let is_snapshot = |(_, message): (usize, &Value)| message[0] == "snapshot";
    ensure!(
        run.messages(Side::Server).any(is_snapshot),
        "a snapshot came"
    );
    Ok(())
}

fn cut(on: &Contender, moment: Moment) -> Check {
    let run = on.play(Box::new(Cut::at(moment)))?;
    came_back(&run)?;
    run.ends_well()
}

/// The client opened a second connection and authenticated on it.
fn came_back(run: &Run) -> Check {
    ensure!(
        run.connections() >= 2,
        "the client did not come back: exit {:?} {}",
        run.exit,
        run.said
    );
    let mut auths = run
        .messages(Side::Client)
        .filter(|(_, message)| message[0] == "auth");
    let first = auths.next().context("an auth")?.0;
    ensure!(
        auths.any(|(connection, auth)| connection > first && auth[2]["token"].is_string()),
        "with its token"
    );
    Ok(())
}

fn again_and_again(on: &Contender) -> Check {
    let run = on.play(Box::new(Cut::often(Moment::EveryFew, 3)))?;
    ensure!(
        run.connections() >= 4,
        "{} connections: exit {:?} {}",
        run.connections(),
        run.exit,
        run.said
    );
    run.ends_well()
}

fn snapshot_on_resume(on: &Contender) -> Check {
    let run = on.play(Box::new(Forgetful::after("play_made")))?;
    came_back(&run)?;
    run.ends_well()?;
    got_a_snapshot(&run)
}

fn got_a_snapshot(run: &Run) -> Check {
    let mut told = run.messages(Side::Server);
    let is_told = told.any(|(line, message)| line > 0 && message[0] == "snapshot");
    ensure!(is_told, "it attached, and got a snapshot");
    Ok(())
}

fn detached(on: &Contender) -> Check {
    let run = on.play(Box::new(Detaching::default()))?;
    run.ends_well()?;
    ensure!(attaches(&run).len() >= 2, "the client did not attach again");
    Ok(())
}

fn comes_back(on: &Contender, code: u16, reason: &'static str, pause_ms: u64) -> Check {
    let run = on.play(Box::new(Closing::with(code, reason)))?;
    came_back(&run)?;
    let closed = run.last_told(0).context("the close frame")?;
    let paused = run.opened[1].duration_since(closed);
    let least = Duration::from_millis(pause_ms);
    let is_late = paused + Duration::from_millis(20) >= least;
    ensure!(is_late, "back after {paused:?}, not before {least:?}");
    run.ends_well()
}

fn stays_away(on: &Contender, code: u16) -> Check {
    let run = on.play(Box::new(Closing::with(code, "")))?;
    judge::always(&run)?;
    ensure!(run.connections() == 1, "the client came back after {code}");
    let exit = run.exit.context("the client stops")?;
    ensure!(exit != 0, "the client says that all is well");
    Ok(())
}

/// It may reconnect with a new identity, but not with the refused token.
fn bad_token(on: &Contender) -> Check {
    let run = on.play(Box::new(Closing::with(4002, "")))?;
    let mut again = run
        .messages(Side::Client)
        .filter(|(connection, message)| *connection > 0 && message[0] == "auth");
    let is_new = again.all(|(_, auth)| auth[2].get("token").is_none());
    ensure!(is_new, "with the token that was refused");
    let ends = run.exit.is_some();
    ensure!(ends, "the client stops, or plays as a new guest");
    Ok(())
}

fn rate_limited() -> Value {
    json!({ "code": "rate_limited", "message": "too fast", "retryable": true, "detail": { "retry_after_ms": 400 } })
}

fn storage_paused() -> Value {
    json!({ "code": "storage_paused", "message": "the disk is full", "retryable": true })
}

fn unknown_for_now() -> Value {
    json!({ "code": "of_a_later_version", "message": "not now", "retryable": true })
}

fn unknown_for_good() -> Value {
    json!({ "code": "of_a_later_version", "message": "never", "retryable": false })
}

/// The turns that a client sent, in order: the time and the `cmd_id` of each.
fn turns(run: &Run) -> Result<Vec<(std::time::Instant, String)>> {
    let entries = run.log.iter().filter(|entry| entry.from == Side::Client);
    let mut turns = Vec::new();
    for entry in entries {
        let Some(message) = &entry.message else {
            continue;
        };
        if ["play", "exchange", "pass"]
            .iter()
            .any(|op| message[0] == *op)
        {
            let cmd_id = message[2]["cmd_id"].as_str().context("a cmd_id")?;
            turns.push((entry.at, cmd_id.to_owned()));
        }
    }
    Ok(turns)
}

fn refused_for_now(on: &Contender, error: fn() -> Value, after_ms: u64) -> Check {
    let run = on.play(Box::new(Refusing::with(error, 1)))?;
    run.ends_well()?;
    let turns = turns(&run)?;
    let [(first_at, first), (again_at, again), ..] = turns.as_slice() else {
        anyhow::bail!("the command was not sent again: {turns:?}");
    };
    ensure!(first == again, "sent again under another cmd_id");
    let paused = again_at.duration_since(*first_at);
    ensure!(
        paused >= Duration::from_millis(after_ms),
        "sent again after {paused:?}"
    );
    Ok(())
}

fn refused_for_good(on: &Contender) -> Check {
    let run = on.play(Box::new(Refusing::with(unknown_for_good, 1)))?;
    judge::always(&run)?;
    let turns = turns(&run)?;
    let (_, first) = turns.first().context("a turn")?;
    let times = turns.iter().filter(|(_, cmd_id)| cmd_id == first).count();
    ensure!(times == 1, "the same command was sent {times} times");
    ensure!(run.exit.is_some(), "the client goes on, or gives up");
    Ok(())
}
