//! Games that admins end, pause and let go on, and time that they give.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use futures::future::join_all;
use tilewire_protocol::{GameId, Notice, Phase};
use tilewire_rules::event::Adjudication;
use tilewire_rules::game::Order;
use tilewire_rules::options::PAUSE_MAX_MS;
use tilewire_rules::time::{Millis, Seat, Timestamp};

use super::bodies::{AdjudicateOrder, CancelOrder, ResultAsked, Ruled};
use super::games::game;
use super::order_bodies::{GiveOrder, PauseOrder, ReasonOrder, RuledGames};
use super::{Call, fan_out};
use crate::input::parsed;
use crate::moderation::wrong;
use crate::refusal::Refusal;
use tilewire_accounts::people::Operation;
use tilewire_game::operator::Inspection;
use tilewire_wire::snapshot::phase;

/// A decision about a game.
struct Ruling {
    /// The code of the operation.
    name: &'static str,
    /// The text before the reason that the players read.
    words: &'static str,
    /// The number of the last event that the admin has seen, if the decision depends on it.
    seq: Option<u64>,
    reason: String,
    order: Order,
}

/// The length of a pause for which the admin names no end: a day.
const PAUSE: Millis = Millis(86_400_000);
/// Games that are paused at once.
const AT_ONCE: usize = 64;

/// Ends a game without a result.
pub(super) async fn cancel(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: CancelOrder = parsed(&call.body)?;
    let ruling = Ruling {
        name: "game_cancelled",
        words: "An operator cancelled your game",
        seq: Some(asked.seq),
        reason: asked.reason,
        order: Order::End(Adjudication::NoResult),
    };
    rule(call, ruling).await
}

/// Ends a game with a result.
pub(super) async fn adjudicate(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: AdjudicateOrder = parsed(&call.body)?;
    let (name, adjudication) = match (asked.result, asked.seat) {
        (ResultAsked::Win, Some(seat)) => ("game_won", Adjudication::Win(Seat(seat))),
        (ResultAsked::Draw, None) => ("game_drawn", Adjudication::Draw),
        (ResultAsked::AsItStands, None) => ("game_decided_as_it_stands", Adjudication::AsItStands),
        (ResultAsked::Win, None) => return Err(wrong("seat", "name the seat that wins")),
        (_, Some(_)) => return Err(wrong("seat", "only a win has a seat")),
    };
    let ruling = Ruling {
        name,
        words: "An operator decided your game",
        seq: Some(asked.seq),
        reason: asked.reason,
        order: Order::End(adjudication),
    };
    rule(call, ruling).await
}

/// Pauses a game.
pub(super) async fn pause(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: PauseOrder = parsed(&call.body)?;
    rule(call, pausing(call, asked)?).await
}

/// Returns the decision to pause.
fn pausing(call: &Call<'_>, asked: PauseOrder) -> Result<Ruling, Refusal> {
    let now = call.services.people.now();
    let until = asked.until.map_or(now + PAUSE, Timestamp);
    if until <= now || until > now.plus(PAUSE_MAX_MS) {
        return Err(wrong("until", "a pause ends in the future, within 7 days"));
    }
    Ok(Ruling {
        name: "game_paused",
        words: "An operator paused your game",
        seq: None,
        reason: asked.reason,
        order: Order::Pause { until },
    })
}

/// Lets a paused game go on.
pub(super) async fn go_on(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    rule(call, going_on(parsed(&call.body)?)).await
}

/// Returns the decision to go on.
fn going_on(asked: ReasonOrder) -> Ruling {
    Ruling {
        name: "game_continued",
        words: "Your game goes on",
        seq: None,
        reason: asked.reason,
        order: Order::Continue,
    }
}

/// Gives time to a seat.
pub(super) async fn give(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: GiveOrder = parsed(&call.body)?;
    let seen = call.services.directory.inspect(&game(call)?).await?;
    let ruling = Ruling {
        name: "time_given",
        words: "An operator gave time in your game",
        // So a repeated request inside the server gives nothing twice.
        seq: Some(seen.position.seq()),
        reason: asked.reason,
        order: Order::Give {
            seat: Seat(asked.seat),
            time_ms: asked.time_ms,
        },
    };
    rule(call, ruling).await
}

/// Pauses every game in memory that can be paused.
pub(super) async fn pause_all(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: PauseOrder = parsed(&call.body)?;
    rule_all(call, pausing(call, asked)?).await
}

/// Lets every paused game in memory go on.
pub(super) async fn go_on_all(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    rule_all(call, going_on(parsed(&call.body)?)).await
}

/// Carries out a decision about all games in memory, with one entry of the audit.
async fn rule_all(call: &Call<'_>, ruling: Ruling) -> Result<Response<Body>, Refusal> {
    let number = enter(call, &ruling, "games").await?;
    let known = call.services.directory.known().await;
    let games: Vec<GameId> = known
        .into_iter()
        .filter(|game| game.is_awake && game.summary.phase != Phase::Ended)
        .map(|game| game.summary.game)
        .collect();
    let mut count = 0;
    for some in games.chunks(AT_ONCE) {
        let orders = some
            .iter()
            .map(|game| call.services.directory.order(game, None, ruling.order));
        // A game that has left memory meanwhile, or does not answer, is not counted.
        for done in join_all(orders).await.into_iter().flatten() {
            if done.took_effect {
                count += 1;
                tell(call, &done, &ruling);
            }
        }
    }
    let others = fan_out::ask::<RuledGames>(call, Some(number)).await;
    let elsewhere: usize = others.answers.iter().map(|body| body.games).sum();
    Ok(call.ok(&RuledGames {
        number,
        games: count + elsewhere,
        missing_servers: others.missing,
    }))
}

/// Stores the entry of the audit of a decision.
async fn enter(call: &Call<'_>, ruling: &Ruling, target: &str) -> Result<u64, Refusal> {
    let until = match ruling.order {
        Order::Pause { until } => Some(until),
        _ => None,
    };
    let operation = Operation {
        name: ruling.name,
        target: target.to_owned(),
        reason: ruling.reason.clone(),
        about: None,
        until,
    };
    call.enter(operation).await
}

async fn rule(call: &Call<'_>, ruling: Ruling) -> Result<Response<Body>, Refusal> {
    let (services, game) = (&call.services, game(call)?);
    let now = services.directory.inspect(&game).await?;
    let position = &now.position;
    let is_seen = ruling.seq.is_none_or(|seq| seq == position.seq());
    if !is_seen || !ruling.order.is_possible(&position.state, position.at) {
        return Err(moved_on(&now));
    }
    let number = enter(call, &ruling, &game.0).await?;
    let order = services.directory.order(&game, ruling.seq, ruling.order);
    let done = order.await?;
    if !done.took_effect {
        // The game went on between the look and the entry. The audit says so too.
        let operation = Operation {
            name: "without_effect",
            target: game.0.clone(),
            reason: format!("the game had moved on; see entry {number}"),
            about: None,
            until: None,
        };
        call.enter(operation).await?;
        return Err(moved_on(&done));
    }
    tell(call, &done, &ruling);
    Ok(call.ok(&Ruled {
        number,
        seq: done.position.seq(),
    }))
}

/// Tells the players who are connected what happened to their game, and why.
fn tell(call: &Call<'_>, done: &Inspection, ruling: &Ruling) {
    let notice = Notice {
        code: ruling.name.to_owned(),
        text: format!("{}: {}", ruling.words, ruling.reason.trim()),
        at: None,
        until: done.position.state.pause().map(|pause| pause.until.0),
    };
    for player in &done.position.state.created().players {
        call.services.registry.notice_to(&player.identity, &notice);
    }
}

/// The game is not as the admin saw it, or cannot end so: says what is true now.
fn moved_on(now: &Inspection) -> Refusal {
    let seq = now.position.seq();
    let in_phase = phase(now.position.state.phase()).as_str();
    let message = format!(
        "nothing was done: the last event of the game is {seq} now, and its phase is {in_phase}"
    );
    Refusal::new(StatusCode::CONFLICT, "moved_on", message)
}
