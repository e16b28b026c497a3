//! Translates a client's message into an action of the lobby.

use tilewire_protocol::{AnswerInvitation, Bytes, ClientMessage, ErrorCode, Level, SeekCriteria};
use tilewire_rules::bot::{BotLevel, UnknownBot};
use tilewire_rules::quoted::quoted;

use super::criteria::{Criteria, Excluded};
use super::decision::{Action, Reach, Visibility};
use super::invitation::Answer;
use super::rematch::Finished;
use super::services::Services;
use tilewire_accounts::people::Invited;
use tilewire_base::house_bots::house_bots;
use tilewire_base::ids;
use tilewire_wire::{Refusal, options};

/// Says whether a message may begin a game: a seek is a game that may begin at any time.
pub(super) const fn begins(message: &ClientMessage) -> bool {
    matches!(
        message,
        ClientMessage::Seek(_)
            | ClientMessage::QuickMatch(_)
            | ClientMessage::JoinSeek(_)
            | ClientMessage::OfferRematch(_)
            | ClientMessage::Invite(_)
            | ClientMessage::AnswerInvitation(AnswerInvitation { accept: true, .. })
    )
}

/// The game and the players that a message names, as they were read for it.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The old game, if the message offers a rematch.
    pub(super) finished: Option<Box<Finished>>,
    /// The invited player, if the message invites one.
    pub(super) invited: Option<Box<Invited>>,
    /// The players that a seek excludes.
    pub(super) excluded: Vec<Excluded>,
}

/// Returns the action that a message asks for.
///
/// # Errors
/// When the message contradicts itself, or names something that the server does not have.
pub(super) fn action(
    services: &Services,
    message: &ClientMessage,
    named: Named,
) -> Result<Action, Refusal> {
    let resolved = |request| {
        options::from_wire(
            request,
            services.config.game.for_rules(),
            &services.catalogue,
        )
    };
    Ok(match message {
        ClientMessage::Seek(body) => {
            let visibility = if body.private {
                Visibility::Private
            } else {
                Visibility::Public
            };
            let bots = house_bots(&bots(&body.bots)?);
            let criteria = Criteria {
                shown: SeekCriteria {
                    exclude: Vec::new(),
                    ..body.criteria.as_deref().cloned().unwrap_or_default()
                },
                excluded: named.excluded,
            };
            Action::Open(resolved(&body.options)?, visibility, bots, criteria)
        }
        ClientMessage::QuickMatch(body) => {
            let reach = match body.any_rating {
                true => Reach::AnyRating,
                false => Reach::Bounded,
            };
            Action::Quick(resolved(&body.options)?, reach)
        }
        ClientMessage::JoinSeek(body) => match (&body.seek, &body.code) {
            (Some(seek), None) => Action::Join(seek.clone()),
            (None, Some(code)) => Action::JoinByCode(ids::normal_code(code)),
            _ => {
                let text = "give either seek or code";
                return Err(Refusal::field(ErrorCode::BadField, "seek", text));
            }
        },
        ClientMessage::LeaveSeek(body) => Action::Leave(body.seek.clone()),
        ClientMessage::CancelSeek(body) => Action::Cancel(body.seek.clone()),
        ClientMessage::StartSeek(body) => Action::Start(body.seek.clone()),
        ClientMessage::OfferRematch(_) => match named.finished {
            Some(finished) => Action::OfferRematch(finished),
            None => return Err(not_for_the_lobby(message)),
        },
        ClientMessage::DeclineRematch(body) => Action::DeclineRematch(body.game.clone()),
        ClientMessage::Invite(body) => match named.invited {
            Some(invited) => Action::Invite(resolved(&body.options)?, invited),
            None => return Err(not_for_the_lobby(message)),
        },
        ClientMessage::AnswerInvitation(body) => {
            let answer = match body.accept {
                true => Answer::Accept,
                false => Answer::Decline(body.reason),
            };
            Action::AnswerInvitation(body.invitation.clone(), answer)
        }
        other => return Err(not_for_the_lobby(other)),
    })
}

pub(super) fn not_for_the_lobby(message: &ClientMessage) -> Refusal {
    let text = format!("{} is not a request to the lobby", message.op());
    Refusal::new(ErrorCode::UnknownOp, text)
}

/// Returns the hash of the nonce that the client will send with `ready`, if it announces one.
pub(super) fn nonce_hash(message: &ClientMessage) -> Option<Bytes> {
    match message {
        ClientMessage::Seek(body) => body.nonce_hash.clone(),
        ClientMessage::QuickMatch(body) => body.nonce_hash.clone(),
        ClientMessage::JoinSeek(body) => body.nonce_hash.clone(),
        ClientMessage::OfferRematch(body) => body.nonce_hash.clone(),
        ClientMessage::Invite(body) => body.nonce_hash.clone(),
        ClientMessage::AnswerInvitation(body) => body.nonce_hash.clone(),
        _ => None,
    }
}

/// Returns the level that the client names, if it names one.
pub(super) fn level(message: &ClientMessage) -> Option<Level> {
    match message {
        ClientMessage::Seek(body) => body.level,
        ClientMessage::QuickMatch(body) => body.level,
        ClientMessage::JoinSeek(body) => body.level,
        ClientMessage::Invite(body) => body.level,
        ClientMessage::AnswerInvitation(body) => body.level,
        _ => None,
    }
}

/// Returns the levels of the house bots in a seek.
fn bots(names: &[String]) -> Result<Vec<BotLevel>, Refusal> {
    let levels = names.iter().map(|name| {
        name.parse().map_err(|unknown: UnknownBot| {
            let text = format!("{}: {unknown}", quoted(name));
            Refusal::field(ErrorCode::BadOptions, "bots", text)
        })
    });
    levels.collect()
}
