//! The stored answers to accepted commands: a retry gets the first answer again.
//!
//! Only the storage holds them. A day of a busy lobby would take hundreds of megabytes of memory, and retries are rare.

use tilewire_protocol::{ErrorBody, ErrorCode, ServerMessage};
use tilewire_rules::time::Timestamp;

use tilewire_store::{StoreError, StoredCommand};
use tilewire_wire::Refusal;

/// Returns the answer to a command that was accepted after `since`.
///
/// # Errors
/// When the id was used for another command.
pub(super) fn first_answer(
    stored: Option<StoredCommand>,
    digest: u64,
    since: Timestamp,
) -> Result<Option<ServerMessage>, Refusal> {
    match stored.filter(|command| command.at > since) {
        None => Ok(None),
        Some(command) if command.digest == digest => Ok(Some(decode_answer(&command.answer))),
        Some(_) => {
            let code = ErrorCode::CmdIdReused;
            Err(Refusal::new(code, code.meaning()))
        }
    }
}

/// Returns the refusal when the lobby cannot be read.
pub(super) fn unreadable(error: &StoreError) -> Refusal {
    tracing::warn!(%error, "the stored lobby could not be read");
    let code = match error {
        StoreError::Unavailable(_) => ErrorCode::StoragePaused,
        StoreError::Corrupt(_) => ErrorCode::Internal,
    };
    Refusal::new(code, "the lobby cannot be read now; ask again")
}

/// Encodes an answer as it goes over the wire, without an id.
pub(super) fn encode_answer(answer: &ServerMessage) -> Vec<u8> {
    tilewire_protocol::encode_server(tilewire_protocol::Codec::MsgPack, 0, answer)
}

pub(super) fn decode_answer(bytes: &[u8]) -> ServerMessage {
    match tilewire_protocol::decode_server(tilewire_protocol::Codec::MsgPack, bytes) {
        Ok((_, answer)) => answer,
        Err(error) => {
            tracing::error!(%error, "a stored answer cannot be read");
            ServerMessage::Error(ErrorBody::new(
                ErrorCode::Internal,
                "the first answer to this command cannot be read",
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::{ErrorCode, ServerMessage};
    use tilewire_rules::time::Timestamp;

    use super::{encode_answer, first_answer};
    use tilewire_store::{CommandKey, StoredCommand};

    #[test]
    fn answers_are_remembered_for_their_time() {
        let answer = ServerMessage::Ok(Box::default());
        let stored = Some(StoredCommand {
            key: CommandKey {
                identity: "anna".to_owned(),
                cmd_id: "c".to_owned(),
            },
            digest: 7,
            answer: encode_answer(&answer),
            at: Timestamp(1_000),
        });
        let told = |digest, since| first_answer(stored.clone(), digest, since);
        assert_eq!(told(7, Timestamp(999)).expect("the same"), Some(answer));
        let reused = told(8, Timestamp(999)).expect_err("something else");
        assert_eq!(reused.code, ErrorCode::CmdIdReused);
        assert_eq!(told(8, Timestamp(1_000)).expect("forgotten"), None);
        assert_eq!(
            first_answer(None, 7, Timestamp(0)).expect("never request"),
            None
        );
    }
}
