//! The checks of a request that need no knowledge of the rules of the game.

use crate::bytes::Bytes;
use crate::chat::{ChatJoin, ChatSay};
use crate::client::{AskRuleSet, Attach, Auth, ClientMessage, JoinSeek, LookUp, OpenSeek};
use crate::criteria::SeekCriteria;
use crate::enums::{
    ChallengeKind, ChatKind, ClockKind, DeclineReason, EndCounts, FirstPlay, GameScope, Level, Ties,
};
use crate::error_code::ErrorCode;
use crate::hints::AskHint;
use crate::ids::CmdId;
use crate::invitation::{AnswerInvitation, Invite};
use crate::limits;
use crate::options::{Clock, GameOptions};
use crate::questions::GiveTime;
use crate::wire::Fault;

/// Refuses a request that no server could accept.
pub(super) fn request(message: &ClientMessage) -> Result<(), Fault> {
    if let Some((game, cmd)) = message.game_command() {
        id("game", game.as_str())?;
        cmd_id(cmd)?;
    }
    if let Some(cmd) = message.seek_command() {
        cmd_id(cmd)?;
    }
    match message {
        ClientMessage::Auth(body) => auth(body),
        ClientMessage::ListGames(body) => known("scope", body.scope != GameScope::Unknown),
        ClientMessage::RuleSet(body) => rule_set(body),
        ClientMessage::FindSeek(body) => text("code", &body.code, limits::CODE_MAX_BYTES),
        ClientMessage::Seek(body) => open_seek(body),
        ClientMessage::QuickMatch(body) => {
            level(body.level)?;
            options(&body.options).and_then(|()| nonce_hash(body.nonce_hash.as_ref()))
        }
        ClientMessage::JoinSeek(body) => join_seek(body),
        ClientMessage::LeaveSeek(body)
        | ClientMessage::CancelSeek(body)
        | ClientMessage::StartSeek(body) => id("seek", body.seek.as_str()),
        ClientMessage::OfferRematch(body) => {
            id("game", body.game.as_str()).and_then(|()| nonce_hash(body.nonce_hash.as_ref()))
        }
        ClientMessage::DeclineRematch(body) => id("game", body.game.as_str()),
        ClientMessage::Invite(body) => invite(body),
        ClientMessage::AnswerInvitation(body) => answer_invitation(body),
        ClientMessage::LookUp(body) => look_up(body),
        ClientMessage::Attach(body) => attach(body),
        ClientMessage::Detach(body) => id("game", body.game.as_str()),
        ClientMessage::Ready(body) => match &body.nonce {
            Some(nonce) if nonce.0.len() > limits::NONCE_MAX_BYTES => {
                Err(bad("nonce", "longer than 32 bytes"))
            }
            _ => Ok(()),
        },
        ClientMessage::Play(body) => {
            text("start", &body.start, limits::COORDINATE_MAX_BYTES)?;
            tiles(&body.tiles)
        }
        ClientMessage::Exchange(body) => tiles(&body.tiles),
        ClientMessage::ChatJoin(body) => chat_join(body),
        ClientMessage::ChatLeave(body) => room(body.room.as_str()),
        ClientMessage::ChatSay(body) => chat_say(body),
        ClientMessage::Rename(_)
        | ClientMessage::Time(_)
        | ClientMessage::Renew(_)
        | ClientMessage::LobbySubscribe(_)
        | ClientMessage::LobbyUnsubscribe(_)
        | ClientMessage::Pass(_)
        | ClientMessage::Challenge(_)
        | ClientMessage::Hold(_)
        | ClientMessage::Release(_)
        | ClientMessage::Accept(_)
        | ClientMessage::Withdraw(_)
        | ClientMessage::Stand(_)
        | ClientMessage::Resign(_)
        | ClientMessage::Abort(_)
        | ClientMessage::AnswerAbort(_)
        | ClientMessage::Claim(_)
        | ClientMessage::Nudge(_)
        | ClientMessage::Here(_)
        | ClientMessage::Adjourn(_)
        | ClientMessage::AnswerAdjourn(_)
        | ClientMessage::ResumeGame(_)
        | ClientMessage::RefuseTime(_) => Ok(()),
        ClientMessage::GiveTime(body) => give_time(body),
        ClientMessage::Hint(body) => hint(body),
    }
}

fn rule_set(body: &AskRuleSet) -> Result<(), Fault> {
    name("rule_set", &body.rule_set)?;
    let language = body.language.as_ref();
    language.map_or(Ok(()), |language| name("language", language))
}

fn give_time(body: &GiveTime) -> Result<(), Fault> {
    match body.time_ms {
        None | Some(limits::GIFT_MIN_MS..=limits::GIFT_MAX_MS) => Ok(()),
        Some(_) => Err(bad("time_ms", "from 5,000 to 60,000 ms")),
    }
}

fn hint(body: &AskHint) -> Result<(), Fault> {
    match body.grade {
        limits::HINT_GRADE_MIN..=limits::HINT_GRADE_MAX => Ok(()),
        _ => Err(bad("grade", "1, 2 or 3")),
    }
}

fn auth(body: &Auth) -> Result<(), Fault> {
    // Names and tokens have codes of their own (bad_name, bad_token); whether they are good is the server's to say.
    text("client", &body.client, limits::CLIENT_NAME_MAX_BYTES)
}

fn open_seek(body: &OpenSeek) -> Result<(), Fault> {
    if body.bots.len() > usize::from(limits::SEATS_MAX) {
        return Err(bad("bots", "more bots than a game has seats"));
    }
    body.bots.iter().try_for_each(|bot| name("bots", bot))?;
    body.criteria.as_deref().map_or(Ok(()), criteria)?;
    level(body.level)?;
    options(&body.options).and_then(|()| nonce_hash(body.nonce_hash.as_ref()))
}

fn criteria(criteria: &SeekCriteria) -> Result<(), Fault> {
    const EXCLUDE: &str = "criteria.exclude";
    if criteria.exclude.len() > limits::EXCLUDED_MAX {
        let why = format!("more than {} players", limits::EXCLUDED_MAX);
        return Err(Fault::at(ErrorCode::TooLarge, EXCLUDE, why));
    }
    for (handle, index) in criteria.exclude.iter().zip(0..) {
        text(
            &format!("{EXCLUDE}[{index}]"),
            handle,
            limits::HANDLE_MAX_BYTES,
        )?;
    }
    match (criteria.min_rating, criteria.max_rating) {
        (Some(min), Some(max)) if min > max => Err(Fault::at(
            ErrorCode::BadOptions,
            "criteria.min_rating",
            "the lowest rating is above the highest",
        )),
        _ => Ok(()),
    }
}

fn join_seek(body: &JoinSeek) -> Result<(), Fault> {
    match (&body.seek, &body.code) {
        (Some(seek), None) => id("seek", seek.as_str())?,
        (None, Some(code)) => text("code", code, limits::CODE_MAX_BYTES)?,
        _ => return Err(bad("seek", "exactly one of `seek` and `code` is given")),
    }
    level(body.level)?;
    nonce_hash(body.nonce_hash.as_ref())
}

fn chat_join(body: &ChatJoin) -> Result<(), Fault> {
    known("kind", body.kind != ChatKind::Unknown)?;
    let is_of_game = matches!(body.kind, ChatKind::Players | ChatKind::Spectators);
    match &body.game {
        Some(game) if is_of_game => id("game", game.as_str())?,
        None if !is_of_game => {}
        _ => return Err(bad("game", "given for `players` and `spectators` only")),
    }
    match &body.with {
        Some(with) if body.kind == ChatKind::Direct => text("with", with, limits::NAME_MAX_BYTES),
        None => Ok(()),
        Some(_) => Err(bad("with", "given for `direct` only")),
    }
}

fn chat_say(body: &ChatSay) -> Result<(), Fault> {
    cmd_id(&body.cmd_id)?;
    room(body.room.as_str())?;
    text("text", &body.text, limits::CHAT_TEXT_MAX_BYTES)
}

fn room(room: &str) -> Result<(), Fault> {
    match room.len() {
        1..=limits::ROOM_ID_MAX_BYTES => Ok(()),
        _ => Err(bad("room", "the id of a room has 1 to 40 bytes")),
    }
}

fn invite(body: &Invite) -> Result<(), Fault> {
    text("handle", &body.handle, limits::HANDLE_MAX_BYTES)?;
    level(body.level)?;
    options(&body.options).and_then(|()| nonce_hash(body.nonce_hash.as_ref()))
}

fn answer_invitation(body: &AnswerInvitation) -> Result<(), Fault> {
    id("invitation", body.invitation.as_str())?;
    known("reason", body.reason != Some(DeclineReason::Unknown))?;
    level(body.level)?;
    nonce_hash(body.nonce_hash.as_ref())
}

fn level(level: Option<Level>) -> Result<(), Fault> {
    known("level", level != Some(Level::Unknown))
}

/// The name of something the server lists.
fn name(field: &str, name: &str) -> Result<(), Fault> {
    text(field, name, limits::CATALOGUE_NAME_MAX_BYTES)
}

fn attach(body: &Attach) -> Result<(), Fault> {
    id("game", body.game.as_str())?;
    if let Some(code) = &body.code {
        text("code", code, limits::CODE_MAX_BYTES)?;
    }
    match (body.epoch, body.seq) {
        (Some(_), None) => Err(bad("seq", "given together with `epoch`")),
        (None, Some(1..)) => Err(bad("epoch", "given together with `seq`, unless that is 0")),
        _ => Ok(()),
    }
}

fn look_up(body: &LookUp) -> Result<(), Fault> {
    id("game", body.game.as_str())?;
    if let Some(code) = &body.code {
        text("code", code, limits::CODE_MAX_BYTES)?;
    }
    match body.words.len() {
        0 => return Err(bad("words", "no word")),
        1..=limits::LOOK_UP_WORDS_MAX => {}
        _ => {
            let why = format!("more than {} words", limits::LOOK_UP_WORDS_MAX);
            return Err(Fault::at(ErrorCode::TooLarge, "words", why));
        }
    }
    let mut words = body.words.iter().enumerate();
    words.try_for_each(|(index, word)| match word.len() {
        1..=limits::WORD_MAX_BYTES => Ok(()),
        _ => Err(bad(&format!("words[{index}]"), "a word has 1 to 384 bytes")),
    })
}

fn options(options: &GameOptions) -> Result<(), Fault> {
    name("options.rule_set", &options.rule_set)?;
    name("options.lexicon", &options.lexicon)?;
    if let Some(language) = &options.language {
        name("options.language", language)?;
    }
    if let Some(clock) = &options.clock {
        known("options.clock.kind", clock.kind != ClockKind::Unknown)?;
    }
    if let Some(challenge) = &options.challenge {
        known(
            "options.challenge.kind",
            challenge.kind != ChallengeKind::Unknown,
        )?;
    }
    known("options.ties", options.ties != Some(Ties::Unknown))?;
    known("options.first", options.first != Some(FirstPlay::Unknown))?;
    if let Some(end) = &options.end {
        known("options.end.counts", end.counts != EndCounts::Unknown)?;
    }
    if !(limits::SEATS_MIN..=limits::SEATS_MAX).contains(&options.seats) {
        return Err(Fault::at(
            ErrorCode::BadOptions,
            "options.seats",
            "a game has 2 to 4 seats",
        ));
    }
    match options.clock.as_ref().and_then(Clock::foreign_field) {
        None => Ok(()),
        Some(name) => {
            let kind = options.clock_kind();
            let why = format!("a clock of the kind `{kind}` has no such figure");
            Err(Fault::at(
                ErrorCode::BadOptions,
                format!("options.clock.{name}"),
                why,
            ))
        }
    }
}

fn tiles(tiles: &[String]) -> Result<(), Fault> {
    if tiles.len() > limits::REQUEST_TILES_MAX {
        let why = format!("more than {} tiles", limits::REQUEST_TILES_MAX);
        return Err(Fault::at(ErrorCode::TooLarge, "tiles", why));
    }
    tiles
        .iter()
        .enumerate()
        .try_for_each(|(index, face)| match face.len() {
            1..=limits::FACE_MAX_BYTES => Ok(()),
            _ => Err(bad(&format!("tiles[{index}]"), "a face has 1 to 16 bytes")),
        })
}

fn nonce_hash(hash: Option<&Bytes>) -> Result<(), Fault> {
    match hash {
        Some(hash) if hash.0.len() != limits::HASH_BYTES => {
            Err(bad("nonce_hash", "a hash has 32 bytes"))
        }
        _ => Ok(()),
    }
}

fn cmd_id(cmd: &CmdId) -> Result<(), Fault> {
    if cmd.is_well_formed() {
        Ok(())
    } else {
        Err(bad("cmd_id", "1 to 40 characters of A-Z a-z 0-9 _ -"))
    }
}

fn id(field: &str, text: &str) -> Result<(), Fault> {
    match text.len() {
        1..=limits::ID_MAX_BYTES => Ok(()),
        _ => Err(bad(field, "an id has 1 to 32 bytes")),
    }
}

fn text(field: &str, text: &str, max_bytes: usize) -> Result<(), Fault> {
    if text.len() <= max_bytes {
        Ok(())
    } else {
        Err(Fault::at(
            ErrorCode::TooLarge,
            field,
            format!("longer than {max_bytes} bytes"),
        ))
    }
}

fn known(field: &str, is_known: bool) -> Result<(), Fault> {
    if is_known {
        Ok(())
    } else {
        Err(bad(field, "no value of this version"))
    }
}

fn bad(field: &str, why: &str) -> Fault {
    Fault::at(ErrorCode::BadField, field, why)
}
