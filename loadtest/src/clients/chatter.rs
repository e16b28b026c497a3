//! Clients in the chat room of the lobby. The first one writes at a rate; all of them read.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use tilewire_protocol::http::SignedIn;
use tilewire_protocol::{
    ChatJoin, ChatKind, ChatSay, ClientMessage, CmdId, Codec, RoomId, ServerMessage, Token,
    decode_server,
};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::sign_in::{PASSWORD, post};
use crate::link::{Heard, Link};
use crate::recorder::Counter;
use crate::shared::{Mode, Shared};

/// The request for the room.
const JOIN_ID: u64 = 1;
/// How every push of a line begins: an array of three with the op `chat`, in MessagePack.
const LINE: &[u8] = b"\x93\xa4chat";
/// How often the registration of the writer is tried.
const TRIES: u32 = 20;
/// The pause between two tries.
const AGAIN_AFTER: Duration = Duration::from_millis(200);

/// Reads until the run ends; the client with the number 0 also writes.
pub(crate) async fn run(shared: Arc<Shared>, due: Instant, number: u32, lines_per_s: f64) {
    let mut modes = shared.modes();
    let chatting = async {
        if let Err(error) = chat(&shared, due, (number == 0).then_some(lines_per_s)).await {
            shared.error(format!("chat: {error}"));
        }
    };
    tokio::select! {
        () = chatting => {}
        () = async { drop(modes.wait_for(|mode| *mode == Mode::Leaving).await) } => {}
    }
}

async fn chat(shared: &Shared, due: Instant, lines_per_s: Option<f64>) -> Result<()> {
    let (mut link, welcome) = Link::enter(&shared.address, None).await?;
    if lines_per_s.is_some() {
        let token = register(shared, &welcome.token).await?;
        link.close().await;
        (link, _) = Link::enter(&shared.address, Some(token)).await?;
    }
    let room = join(&mut link).await?;
    shared.recorder.joined(due.elapsed());
    let Some(lines_per_s) = lines_per_s else {
        loop {
            hear(shared, &mut link).await?;
        }
    };
    let mut lines = interval(Duration::from_secs_f64(1.0 / lines_per_s));
    lines.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in JOIN_ID + 1.. {
        let next = lines.tick();
        tokio::pin!(next);
        loop {
            tokio::select! {
                heard = hear(shared, &mut link) => heard?,
                _ = &mut next => break,
            }
        }
        let say = ChatSay {
            room: room.clone(),
            cmd_id: CmdId(format!("c{number}")),
            text: format!("line {number} of a lobby with many readers, about as long as most"),
        };
        link.send(number, &ClientMessage::ChatSay(say)).await?;
    }
    Ok(())
}

/// Registers the writer: guests only read the room of the lobby. Returns the token of the session.
async fn register(shared: &Shared, token: &Token) -> Result<Token> {
    let body = json!({ "handle": "chatterbox", "password": PASSWORD });
    for _ in 0..TRIES {
        let (status, answer) = post(&shared.address, "register", Some(token), &body).await?;
        if status == 201 {
            let session: SignedIn = serde_json::from_str(&answer)?;
            return Ok(Token(session.token));
        }
        tokio::time::sleep(AGAIN_AFTER).await;
    }
    bail!("the server does not register the writer")
}

async fn join(link: &mut Link) -> Result<RoomId> {
    let join = ChatJoin {
        kind: ChatKind::Lobby,
        game: None,
        with: None,
        after: None,
    };
    link.send(JOIN_ID, &ClientMessage::ChatJoin(join)).await?;
    loop {
        let Heard::Frame(frame) = link.next().await else {
            bail!("the connection is lost");
        };
        match decode_server(Codec::MsgPack, &frame)? {
            (JOIN_ID, ServerMessage::Ok(ok)) => {
                let chat = ok.chat.context("an answer about the room")?;
                return chat.room.context("a room");
            }
            (JOIN_ID, other) => bail!("the room is refused: {other:?}"),
            _ => {}
        }
    }
}

async fn hear(shared: &Shared, link: &mut Link) -> Result<()> {
    match link.next().await {
        Heard::Frame(frame) if frame.starts_with(LINE) => {
            shared.recorder.count(Counter::ChatLines);
            Ok(())
        }
        Heard::Frame(_) => Ok(()),
        Heard::Closed(_) => bail!("the connection is lost"),
    }
}
