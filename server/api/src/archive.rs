//! Requests about finished games: the archive, statistics, ratings and leaderboards.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use tilewire_people::leaderboards::Span;
use tilewire_people::pools::Pool;
use tilewire_protocol::http;
use tilewire_protocol::{ErrorCode, GameId};
use tilewire_rules::event::EndReason;
use tilewire_rules::time::Timestamp;

use super::call::Call;
use super::export;
use super::figure_bodies::{self, average_board, rating_board};
use super::input::decoded;
use super::query;
use super::refusal::Refusal;
use super::result_bodies;
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::Failure;
use tilewire_results::history::History;
use tilewire_store::{ResultFilter, SeatOutcome};

/// Results of a page, if the request does not say.
const PAGE_USUAL: u16 = 50;
/// The most results of a page.
const PAGE_MAX: u16 = 200;
/// Points of each rating curve, if the request does not say.
const POINTS_USUAL: u16 = 200;
/// The most points of a rating curve.
const POINTS_MAX: u16 = 1_000;
/// The name of the token's player in a query. No handle is that short.
const ME: &str = "me";

/// The filters of the archive. Players are named by handle or identity, or by `me`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ArchiveQuery {
    /// A player of the game.
    player: Option<String>,
    /// Another player of the game.
    opponent: Option<String>,
    /// The id of the rule set.
    rule_set: Option<String>,
    /// The name of the lexicon.
    lexicon: Option<String>,
    /// The pool in which the game is rated.
    pool: Option<String>,
    /// Whether the game is rated.
    rated: Option<bool>,
    /// Why the game ended, as in the protocol's `ended`.
    reason: Option<String>,
    /// How the game ended for `player`.
    result: Option<OutcomeAsked>,
    /// The earliest end of the game, unix ms.
    from: Option<i64>,
    /// The time before which the game ended, unix ms.
    until: Option<i64>,
    /// The lowest final score of `player`.
    score_min: Option<i32>,
    /// The highest final score of `player`.
    score_max: Option<i32>,
    /// `next` of the page before.
    #[schemars(range(min = 0))]
    before: Option<i64>,
    /// The most games of the page: 1 to 200; 50 if it is absent.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u16>,
}

/// How a game ended for a player.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum OutcomeAsked {
    /// The player won alone.
    Won,
    /// The player lost.
    Lost,
    /// The player shares the win.
    Shared,
    /// The game has no result.
    None,
}

/// How much of the rating curves.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RatingsQuery {
    /// The most points of each curve: 0 to 1,000; 200 if it is absent.
    #[schemars(range(min = 0, max = 1_000))]
    points: Option<u16>,
}

/// Which board of the pool.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardQuery {
    /// The board: `rating`, or the average per turn of the last 7 days, of the last 30 days, or of all time.
    board: Option<BoardAsked>,
}

/// A board of a pool.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum BoardAsked {
    /// By rating.
    Rating,
    /// By the average per turn of the last 7 days.
    Week,
    /// By the average per turn of the last 30 days.
    Month,
    /// By the average per turn of all time.
    All,
}

/// Which games of an export.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportQuery {
    /// `next` in `manifest.json` of the export before.
    #[schemars(range(min = 0))]
    before: Option<i64>,
}

/// Lists finished games.
pub(super) async fn list(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let (history, viewer) = (call.history, holder.pass.identity.as_str());
    let asked: ArchiveQuery = query::parsed(call.query)?;
    let (before, limit) = (number(asked.before, "before")?, page(asked.limit)?);
    let filter = filter(call, viewer, asked).await?;
    let page = history.archive(filter, before, limit).await;
    let page = page.map_err(Failure::from)?;
    Ok(call.ok(&result_bodies::archive(page, history.now())))
}

/// Shows the result of a game.
pub(super) async fn result(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let viewer = holder.pass.identity.as_str();
    let game = GameId(decoded(call.parameter(0))?);
    let found = call.history.result(viewer, &game).await;
    let found = found.map_err(Failure::from)?.ok_or_else(|| {
        let message = "there is no result of such a game, or it is private";
        let code = ErrorCode::UnknownGame.as_str();
        Refusal::new(StatusCode::NOT_FOUND, code, message)
    })?;
    Ok(call.ok(&result_bodies::game_result(found)))
}

/// Shows the statistics of a player.
pub(super) async fn statistics(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let viewer = holder.pass.identity.as_str();
    let player = player(call, viewer, call.parameter(0)).await?;
    let statistics = call.history.statistics(viewer, &player).await;
    Ok(call.ok(&figure_bodies::statistics(
        &statistics.map_err(Failure::from)?,
    )))
}

/// Shows the games of a player against another.
pub(super) async fn head_to_head(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let viewer = holder.pass.identity.as_str();
    let player = player(call, viewer, call.parameter(0)).await?;
    let other = self::player(call, viewer, call.parameter(1)).await?;
    let total = call.history.head_to_head(viewer, &player, &other).await;
    Ok(call.ok(&figure_bodies::head_to_head(total.map_err(Failure::from)?)))
}

/// Sends the finished games of the player.
pub(super) async fn export(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    call.people.count_export_of_games(call.from)?;
    let place = call.begin_export()?;
    let asked: ExportQuery = query::parsed(call.query)?;
    let before = number(asked.before, "before")?;
    let viewer = holder.pass.identity.as_str();
    Ok(export::answer(call.history, viewer, before, place))
}

/// Shows the ratings of a player.
pub(super) async fn ratings(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let viewer = holder.pass.identity.as_str();
    let asked: RatingsQuery = query::parsed(call.query)?;
    let points = asked.points.unwrap_or(POINTS_USUAL);
    if points > POINTS_MAX {
        return Err(out_of_range("points", &format!("0 to {POINTS_MAX}")));
    }
    let player = player(call, viewer, call.parameter(0)).await?;
    let ratings = call.history.ratings(&player, points.into()).await;
    let ratings = ratings.map_err(Failure::from)?;
    Ok(call.ok(&figure_bodies::ratings(ratings, call.history.now())))
}

/// Shows a board of a pool.
pub(super) async fn leaderboard(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let asked: BoardQuery = query::parsed(call.query)?;
    let pool = decoded(call.parameter(0))?;
    let pool = Pool::try_from(pool)
        .map_err(|error| Refusal::field(ErrorCode::BadField.as_str(), "pool", error.to_string()))?;
    let board = board(
        call.history,
        &pool,
        asked.board.unwrap_or(BoardAsked::Rating),
    );
    Ok(call.ok(&board.await?))
}

async fn board(
    history: &History,
    pool: &Pool,
    board: BoardAsked,
) -> Result<http::Leaderboard, Failure> {
    let (name, span) = match board {
        BoardAsked::Rating => {
            let lines = history.rating_board(pool).await?;
            return Ok(rating_board(pool, lines));
        }
        BoardAsked::Week => ("week", Span::Week),
        BoardAsked::Month => ("month", Span::Month),
        BoardAsked::All => ("all", Span::All),
    };
    let lines = history.average_board(pool, span).await?;
    Ok(average_board(pool, name, lines))
}

/// Returns the filter that a query asks for.
async fn filter(
    call: &Call<'_>,
    viewer: &str,
    asked: ArchiveQuery,
) -> Result<ResultFilter, Refusal> {
    let of_seat = [
        ("result", asked.result.is_some()),
        ("score_min", asked.score_min.is_some()),
        ("score_max", asked.score_max.is_some()),
        ("opponent", asked.opponent.is_some()),
    ];
    if let (None, Some((field, _))) = (&asked.player, of_seat.iter().find(|(_, is)| *is)) {
        let code = ErrorCode::BadField.as_str();
        return Err(Refusal::field(code, field, "this filter needs `player`"));
    }
    let reason = asked.reason.as_deref().map(reason).transpose()?;
    let player = named(call, viewer, asked.player).await?;
    let opponent = named(call, viewer, asked.opponent).await?;
    Ok(ResultFilter {
        viewer: viewer.to_owned(),
        player,
        opponent,
        rule_set: asked.rule_set,
        lexicon: asked.lexicon,
        pool: asked.pool,
        is_rated: asked.rated,
        reason,
        outcome: asked.result.map(SeatOutcome::from),
        from: asked.from.map(Timestamp),
        until: asked.until.map(Timestamp),
        score_min: asked.score_min,
        score_max: asked.score_max,
    })
}

impl From<OutcomeAsked> for SeatOutcome {
    fn from(asked: OutcomeAsked) -> Self {
        match asked {
            OutcomeAsked::Won => Self::Won,
            OutcomeAsked::Lost => Self::Lost,
            OutcomeAsked::Shared => Self::Shared,
            OutcomeAsked::None => Self::None,
        }
    }
}

/// Returns the identity of a player in a filter. An unknown name is an identity without games.
async fn named(
    call: &Call<'_>,
    viewer: &str,
    name: Option<String>,
) -> Result<Option<String>, Refusal> {
    let Some(name) = name else {
        return Ok(None);
    };
    if name == ME {
        return Ok(Some(viewer.to_owned()));
    }
    match call.people.player(&name).await {
        Ok(account) => Ok(Some(account.identity)),
        Err(Failure::UnknownPlayer) => Ok(Some(name)),
        Err(error) => Err(error.into()),
    }
}

/// Returns the identity of a player in a path: of a handle, or of the token.
async fn player(call: &Call<'_>, viewer: &str, part: &str) -> Result<String, Refusal> {
    let name = decoded(part)?;
    if name == ME {
        return Ok(viewer.to_owned());
    }
    Ok(call.people.player(&name).await?.identity)
}

fn reason(name: &str) -> Result<EndReason, Refusal> {
    serde_json::from_value(name.into()).map_err(|_| {
        let message = "this is no reason for the end of a game";
        Refusal::field(ErrorCode::BadField.as_str(), "reason", message)
    })
}

fn page(limit: Option<u16>) -> Result<usize, Refusal> {
    let limit = limit.unwrap_or(PAGE_USUAL);
    if !(1..=PAGE_MAX).contains(&limit) {
        return Err(out_of_range("limit", &format!("1 to {PAGE_MAX}")));
    }
    Ok(limit.into())
}

/// Returns a number that a page or an export gave as its `next`.
fn number(asked: Option<i64>, field: &str) -> Result<Option<u64>, Refusal> {
    let number = asked.map(u64::try_from).transpose();
    number.map_err(|_| out_of_range(field, "`next` of the page before"))
}

fn out_of_range(field: &str, range: &str) -> Refusal {
    let message = format!("{field} is {range}");
    Refusal::field(ErrorCode::BadField.as_str(), field, message)
}
