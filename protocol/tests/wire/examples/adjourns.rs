//! Adjourned games.

use tilewire_protocol::*;

use super::client::cmd;
use super::parts::{NOON, clocks, game, short_options, standing_clocks};
use super::snapshots::player_snapshot;

/// The requests about adjourning.
pub(super) fn requests() -> Vec<(&'static str, ClientMessage)> {
    let command = || GameCommand {
        game: game(),
        cmd_id: cmd(),
    };
    vec![
        ("client_adjourn", ClientMessage::Adjourn(command())),
        (
            "client_answer_adjourn",
            ClientMessage::AnswerAdjourn(AnswerAdjourn {
                game: game(),
                cmd_id: cmd(),
                agree: true,
            }),
        ),
        ("client_resume_game", ClientMessage::ResumeGame(command())),
        (
            "client_seek_vanish",
            ClientMessage::Seek(Box::new(OpenSeek {
                criteria: None,
                cmd_id: cmd(),
                options: GameOptions {
                    vanish: Some(VanishPolicy::PlayOn),
                    ..short_options()
                },
                private: false,
                bots: Vec::new(),
                nonce_hash: None,
                level: None,
            })),
        ),
    ]
}

/// The events about adjourning.
pub(super) fn events() -> Vec<(&'static str, EventBody)> {
    let adjourned = |vanished| {
        EventBody::Adjourned(Adjourned {
            until: NOON + 1_209_600_000,
            claim_until: NOON + 1_296_000_000,
            vanished,
            clocks: standing_clocks(),
        })
    };
    vec![
        (
            "event_adjourn_requested",
            EventBody::AdjournRequested(AdjournRequested {
                seat: 1,
                until: NOON + 60_000,
            }),
        ),
        (
            "event_adjourn_agreed",
            EventBody::AdjournAgreed(AdjournAgreed { seat: 2 }),
        ),
        (
            "event_adjourn_declined",
            EventBody::AdjournDeclined(AdjournDeclined {
                seat: 1,
                reason: AbortDecline::Expired,
            }),
        ),
        ("event_adjourned", adjourned(None)),
        ("event_adjourned_for_a_vanished_seat", adjourned(Some(1))),
        (
            "event_ready_to_resume",
            EventBody::ReadyToResume(ResumeReadiness { seat: 0 }),
        ),
        (
            "event_not_ready_to_resume",
            EventBody::NotReadyToResume(ResumeReadiness { seat: 0 }),
        ),
        (
            "event_resumed",
            EventBody::Resumed(Resumed { clocks: clocks() }),
        ),
    ]
}

/// The snapshots of games that are, or may be, adjourned.
pub(super) fn snapshots() -> Vec<(&'static str, ServerMessage)> {
    let snapshot = |change: &dyn Fn(&mut Snapshot)| {
        let mut snapshot = player_snapshot();
        change(&mut snapshot);
        ServerMessage::Snapshot(Box::new(snapshot))
    };
    vec![
        (
            "server_snapshot_adjourn_request",
            snapshot(&|snapshot| {
                snapshot.adjourn_request = Some(AdjournRequest {
                    seat: 1,
                    until: NOON + 60_000,
                    agreed: vec![0],
                });
            }),
        ),
        (
            "server_snapshot_adjourned",
            snapshot(&|snapshot| {
                snapshot.adjourned = Some(Adjournment {
                    until: NOON + 1_209_600_000,
                    claim_until: NOON + 1_296_000_000,
                    ready: vec![1],
                });
            }),
        ),
    ]
}
