//! Clients that register and log in again and again, as fast as the server answers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use tilewire_protocol::Token;
use tokio::time::timeout;

use super::enter;
use crate::host;
use crate::http;
use crate::link::connect;
use crate::recorder::Counter;
use crate::rng::Rng;
use crate::shared::{Mode, Shared};

/// Logins of a player before the client registers another one.
const LOGINS: u32 = 20;
/// The share of logins with a wrong password. With more of them the limit of wrong passwords would soon refuse all logins.
const WRONG: f64 = 0.02;
/// The time for an answer. The server lets few requests wait, so it is far longer than any wait.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// The pause after a refusal. It is shorter than the wait that the server asks for, so the limits are always reached.
const REFUSED_PAUSE: Duration = Duration::from_millis(20);
/// The password of all players.
pub(super) const PASSWORD: &str = "seven crooked lanterns";

/// The answer of the server to a registration or login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Accepted,
    /// The password is wrong, and was checked.
    WrongPassword,
    /// A limit is reached, or the server is busy.
    Refused,
}

/// Registers players and logs them in until the run ends.
pub(crate) async fn run(shared: Arc<Shared>, number: u32) {
    let mut rng = Rng::new(shared.behavior.seed, (1 << 43) + u64::from(number));
    let mut modes = shared.modes();
    let signing_in = async {
        for player in 0_u32.. {
            let Some((link, token)) = enter(&shared, None, &mut rng).await else {
                return;
            };
            link.close().await;
            let handle = format!("p{number}x{player}");
            let body = json!({ "handle": handle, "password": PASSWORD });
            while ask(&shared, "register", Some(&token), &body).await != Answer::Accepted {
                tokio::time::sleep(REFUSED_PAUSE).await;
                // Meanwhile the client logs in as its first player.
                log_in(&shared, &format!("p{number}x0"), &mut rng).await;
            }
            for _ in 0..LOGINS {
                log_in(&shared, &handle, &mut rng).await;
            }
        }
    };
    tokio::select! {
        () = signing_in => {}
        () = async { drop(modes.wait_for(|mode| *mode == Mode::Leaving).await) } => {}
    }
}

/// Logs a player in, with a wrong password now and then.
async fn log_in(shared: &Shared, handle: &str, rng: &mut Rng) {
    let password = if rng.random_bool(WRONG) {
        "eleven damp umbrellas"
    } else {
        PASSWORD
    };
    let body = json!({ "handle": handle, "password": password });
    if ask(shared, "login", None, &body).await == Answer::Refused {
        tokio::time::sleep(REFUSED_PAUSE).await;
    }
}

/// Sends a request and counts its answer.
async fn ask(shared: &Shared, operation: &str, token: Option<&Token>, body: &Value) -> Answer {
    let sent = host::now();
    let answered = timeout(ANSWER_WITHIN, post(&shared.address, operation, token, body));
    let answer = match answered.await {
        // 401: the answer to an earlier registration was lost, and the guest's token has ended.
        Ok(Ok((200 | 201 | 401, _))) => Answer::Accepted,
        Ok(Ok((403, _))) => Answer::WrongPassword,
        Ok(Ok((429 | 503, _))) => Answer::Refused,
        Ok(Ok((status, _))) => {
            shared.error(format!("{operation} is answered with {status}"));
            Answer::Refused
        }
        Ok(Err(_)) | Err(_) => {
            shared.error(format!("{operation} is not answered"));
            Answer::Refused
        }
    };
    let recorder = &shared.recorder;
    match answer {
        Answer::Accepted => {
            recorder.count(Counter::SignIns);
            recorder.record(&recorder.sign_in, sent.elapsed());
        }
        Answer::WrongPassword => {}
        Answer::Refused => recorder.count(Counter::SignInsRefused),
    }
    answer
}

/// Sends a request; returns the status and the body of the answer.
pub(super) async fn post(
    address: &str,
    operation: &str,
    token: Option<&Token>,
    body: &Value,
) -> Result<(u16, String)> {
    let token = token.map_or(String::new(), |token| {
        format!("Authorization: Bearer {}\r\n", token.as_str())
    });
    let body = body.to_string();
    let request = format!(
        "POST /api/v1/{operation} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{token}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    http::ask(connect(address).await?, &request).await
}
