//! Clients that open seeks and withdraw them, without playing.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tilewire_client::ClientSession;
use tilewire_protocol::{
    ClientMessage, Codec, Empty, ErrorCode, GameOptions, OpenSeek, SeekCommand, SeekId,
    ServerMessage, Token, decode_server,
};
use tokio::sync::watch;
use tokio::time::{sleep_until, timeout};

use super::enter;
use crate::host;
use crate::link::{Heard, Link};
use crate::recorder::Counter;
use crate::rng::Rng;
use crate::shared::{Mode, Shared};

/// How long one that leaves waits for an answer it is owed.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Follows the lobby, opens a seek, withdraws it, and so on.
#[derive(Debug)]
pub(crate) struct Seeker {
    shared: Arc<Shared>,
    options: GameOptions,
    pause: Duration,
    rng: Rng,
    session: ClientSession,
    token: Option<Token>,
    seek: Option<SeekId>,
    // The request to follow the lobby, until it is answered.
    following: Option<u64>,
    // The request about a seek that waits for its answer.
    asked: Option<u64>,
    // The command of the last such request, until it is answered on some connection: a repeated command must have the
    // same id (P-CMD-2).
    command: Option<ClientMessage>,
}

impl Seeker {
    /// One that has not connected yet; `pause` is the mean time between two requests.
    pub(crate) fn new(
        shared: &Arc<Shared>,
        options: GameOptions,
        pause: Duration,
        number: u32,
    ) -> Self {
        let mut rng = Rng::new(shared.behavior.seed, (1 << 41) + u64::from(number));
        let prefix = format!("s{:x}-{number:x}", rng.next_u64() >> 32);
        let session = ClientSession::new(&prefix, 1)
            .or_else(|| ClientSession::new("l", 1))
            .unwrap_or_else(|| unreachable!("one letter is a prefix"));
        Self {
            shared: Arc::clone(shared),
            options,
            pause,
            rng,
            session,
            token: None,
            seek: None,
            following: None,
            asked: None,
            command: None,
        }
    }

    /// Opens seeks until the run ends.
    pub(crate) async fn run(mut self) {
        let mut modes = self.shared.modes();
        while let Some((mut link, token)) =
            enter(&self.shared, self.token.clone(), &mut self.rng).await
        {
            self.token = Some(token);
            self.asked = None;
            if self.seek_on(&mut link, &mut modes).await {
                return link.close().await;
            }
            self.shared.error("connection lost");
        }
    }

    /// Seeks on one connection; says whether it is time to leave.
    async fn seek_on(&mut self, link: &mut Link, modes: &mut watch::Receiver<Mode>) -> bool {
        let follow = ClientMessage::LobbySubscribe(Empty {});
        let id = self.session.next_request_id();
        self.following = Some(id);
        if link.send(id, &follow).await.is_err() {
            return false;
        }
        let mut next_at = host::now() + self.rng.exponential(self.pause);
        loop {
            tokio::select! {
                heard = link.next() => match heard {
                    Heard::Frame(frame) => if self.hear(&frame) {
                        next_at = host::now() + self.rng.exponential(self.pause);
                    },
                    Heard::Closed(_) => return false,
                },
                () = sleep_until(next_at), if self.asked.is_none() => {
                    if self.ask(link).await.is_err() {
                        return false;
                    }
                }
                () = async { drop(modes.wait_for(|mode| *mode == Mode::Leaving).await) } => {
                    self.hear_all(link).await;
                    return true;
                }
            }
        }
    }

    /// Waits for outstanding answers.
    async fn hear_all(&mut self, link: &mut Link) {
        let by = host::now() + ANSWER_WITHIN;
        while self.following.or(self.asked).is_some() {
            match timeout(by.saturating_duration_since(host::now()), link.next()).await {
                Ok(Heard::Frame(frame)) => drop(self.hear(&frame)),
                Ok(Heard::Closed(_)) => return self.shared.error("connection lost"),
                Err(_) => {
                    let fault = "a request to the lobby was never answered".to_owned();
                    return self.shared.fault(fault);
                }
            }
        }
    }

    /// Opens a seek, or withdraws the one that is open. A command whose answer was lost is sent again.
    async fn ask(&mut self, link: &mut Link) -> anyhow::Result<()> {
        let message = match self.command.take() {
            Some(command) => command,
            None => self.next_command(),
        };
        let id = self.session.next_request_id();
        self.asked = Some(id);
        let sent = link.send(id, &message).await;
        self.command = Some(message);
        sent
    }

    fn next_command(&mut self) -> ClientMessage {
        let cmd_id = self.session.next_cmd_id();
        match &self.seek {
            Some(seek) => ClientMessage::CancelSeek(SeekCommand {
                cmd_id,
                seek: seek.clone(),
            }),
            None => ClientMessage::Seek(Box::new(OpenSeek {
                cmd_id,
                options: self.options.clone(),
                private: false,
                bots: Vec::new(),
                nonce_hash: None,
                level: None,
                criteria: None,
            })),
        }
    }

    /// Takes a frame in; says whether it was the answer that was waited for.
    fn hear(&mut self, frame: &Bytes) -> bool {
        let recorder = &self.shared.recorder;
        recorder.count_many(Counter::Bytes, u64::try_from(frame.len()).unwrap_or(0));
        let (id, message) = match decode_server(Codec::MsgPack, frame) {
            Ok(read) => read,
            Err(error) => {
                self.shared.fault(format!("an unreadable message: {error}"));
                return false;
            }
        };
        if self.asked.take_if(|asked| *asked == id).is_none() {
            self.hear_other(id, &message);
            return false;
        }
        let command = self.command.take();
        let is_withdrawal = matches!(command, Some(ClientMessage::CancelSeek(_)));
        match message {
            ServerMessage::Ok(_) if is_withdrawal => {
                self.seek = None;
            }
            ServerMessage::Ok(ok) => {
                self.seek = ok.seek.map(|seek| seek.seek);
                if self.seek.is_none() {
                    self.shared
                        .fault("a seek was opened that has no id".to_owned());
                }
            }
            ServerMessage::Error(error) if error.retryable => {
                self.shared.error(error.code.as_str());
            }
            // It went with the server that knew it.
            ServerMessage::Error(error)
                if is_withdrawal && error.code == ErrorCode::UnknownSeek =>
            {
                self.seek = None;
            }
            other => self
                .shared
                .fault(format!("a lobby request was answered {other:?}")),
        }
        true
    }

    /// Handles a message that does not answer a seek command.
    fn hear_other(&mut self, id: u64, message: &ServerMessage) {
        let is_follow = self.following.take_if(|asked| *asked == id).is_some();
        match message {
            ServerMessage::Ok(_) if is_follow => {}
            ServerMessage::Error(error) if is_follow && error.retryable => {
                self.shared.error(error.code.as_str());
            }
            _ if id == 0 => {}
            other => {
                let fault = format!("request {id} to the lobby was answered {other:?}");
                self.shared.fault(fault);
            }
        }
    }
}
