//! Answers and pushes, but for events.

use tilewire_protocol::*;

use super::adjourns;
use super::chat;
use super::criteria;
use super::greetings::*;
use super::invitations;
use super::parts::*;
use super::snapshots::*;
use super::turns::judged_snapshot;

/// Every answer and push by the name of its golden files, with its id.
pub(crate) fn server_messages() -> Vec<(&'static str, u64, ServerMessage)> {
    let mut all = vec![
        ("server_hello", 0, hello()),
        ("server_hello_languages", 0, hello_in_languages()),
        ("server_hello_tags", 0, hello_with_tags()),
        ("server_welcome", 1, welcome()),
        ("server_welcome_expiring", 1, welcome_expiring()),
        ("server_welcome_registered", 1, welcome_registered()),
    ];
    all.extend(
        answers()
            .into_iter()
            .map(|(name, body)| (name, 2, ServerMessage::Ok(Box::new(body)))),
    );
    all.extend(errors());
    all.extend(
        pushes()
            .into_iter()
            .map(|(name, message)| (name, 0, message)),
    );
    all.push(("server_hello_chat", 0, hello_with_chat()));
    let answers = chat::answers().into_iter();
    all.extend(answers.map(|(name, body)| (name, 2, ServerMessage::Ok(Box::new(body)))));
    let repeated = ServerMessage::Error(chat::error());
    all.push(("server_error_repeated_line", 2, repeated));
    let pushes = chat::pushes().into_iter();
    all.extend(pushes.map(|(name, message)| (name, 0, message)));
    let moderation = chat::moderation().into_iter();
    all.extend(moderation.map(|(name, message)| (name, 0, message)));
    let restricted = ServerMessage::Error(chat::restricted());
    all.push(("server_error_restricted", 2, restricted));
    let invited = ServerMessage::Ok(Box::new(invitations::answer()));
    all.push(("server_ok_invited", 2, invited));
    let told = invitations::pushes().into_iter();
    all.extend(told.map(|(name, message)| (name, 0, message)));
    all.push(("server_welcome_chat_off", 1, chat::without_chat(welcome())));
    all.push(("server_chat_closed_chat_off", 0, chat::switched_off()));
    let asleep = adjourns::snapshots().into_iter();
    all.extend(asleep.map(|(name, message)| (name, 0, message)));
    let refused = Box::new(Snapshot {
        time_refused: vec![0],
        ..player_snapshot()
    });
    let refused = ServerMessage::Snapshot(refused);
    all.push(("server_snapshot_time_refused", 0, refused));
    let changed = criteria::pushes().into_iter();
    all.extend(changed.map(|(name, message)| (name, 0, message)));
    let unfit = ServerMessage::Error(criteria::error());
    all.push(("server_error_not_eligible", 2, unfit));
    let hints = super::hints::pushes().into_iter();
    all.extend(hints.map(|(name, message)| (name, 0, message)));
    let waiting = chat::waiting().into_iter();
    all.extend(waiting.map(|(name, message)| (name, 0, message)));
    all
}

fn answers() -> Vec<(&'static str, OkBody)> {
    let none = OkBody::default;
    vec![
        ("server_ok_empty", none()),
        (
            "server_ok_rename",
            OkBody {
                name: Some("Änn".to_owned()),
                ..none()
            },
        ),
        (
            "server_ok_time",
            OkBody {
                server_time: Some(NOON),
                ..none()
            },
        ),
        (
            "server_ok_renew",
            OkBody {
                token: Some(Token("eyJhbGciOiJIUzI1NiJ9.e30.c2ln".to_owned())),
                expires_at: Some(NOON + 31_536_000_000),
                ..none()
            },
        ),
        (
            "server_ok_lobby",
            OkBody {
                seeks: Some(vec![seek()]),
                games: Some(vec![summary()]),
                online: Some(40),
                ..none()
            },
        ),
        (
            "server_ok_rule_set",
            OkBody {
                rules: Some(Box::new(description())),
                ..none()
            },
        ),
        (
            "server_ok_games",
            OkBody {
                games: Some(vec![waiting_summary()]),
                ..none()
            },
        ),
        (
            "server_ok_games_finished",
            OkBody {
                games: Some(vec![finished_summary()]),
                ..none()
            },
        ),
        (
            "server_ok_look_up",
            OkBody {
                words: Some(vec![
                    LookedUpWord {
                        word: "FARMs".to_owned(),
                        valid: true,
                    },
                    LookedUpWord {
                        word: "[LL]AMA".to_owned(),
                        valid: false,
                    },
                ]),
                ..none()
            },
        ),
        (
            "server_ok_seek",
            OkBody {
                seek: Some(private_seek()),
                ..none()
            },
        ),
        (
            "server_ok_seek_game",
            OkBody {
                seek: Some(seek()),
                game: Some(game()),
                ..none()
            },
        ),
        (
            "server_ok_attach_player",
            OkBody {
                game: Some(game()),
                epoch: Some(1),
                role: Some(Role::Player),
                seat: Some(1),
                outcome: Some(AttachOutcome::Events),
                head: Some(31),
                ..none()
            },
        ),
        (
            "server_ok_attach_spectator",
            OkBody {
                game: Some(game()),
                epoch: Some(1),
                role: Some(Role::Spectator),
                outcome: Some(AttachOutcome::Snapshot),
                head: Some(31),
                ..none()
            },
        ),
        (
            "server_ok_attach_delayed",
            OkBody {
                game: Some(game()),
                epoch: Some(1),
                role: Some(Role::Spectator),
                outcome: Some(AttachOutcome::Events),
                head: Some(31),
                delay_ms: Some(300_000),
                ..none()
            },
        ),
        (
            "server_ok_detach",
            OkBody {
                game: Some(game()),
                ..none()
            },
        ),
        ("server_ok_command", OkBody::accepted(game(), 32)),
    ]
}

fn errors() -> Vec<(&'static str, u64, ServerMessage)> {
    let detail = ErrorDetail {
        words: Some(strings(&["FARMz"])),
        squares: Some(strings(&["H8", "I8"])),
        tiles: Some(strings(&["Q"])),
        until: Some(NOON),
        expected_turn_no: Some(8),
        retry_after_ms: Some(250),
        field: Some("options.clock.kind".to_owned()),
        reason: None,
        text: None,
    };
    let plain = ErrorBody::new(ErrorCode::BadFrame, "the frame ends inside a value");
    let full = ErrorBody::new(ErrorCode::Held, "seat 1 holds the window open").with_detail(detail);
    let reason = ErrorDetail {
        reason: Some("dealt_board".to_owned()),
        ..ErrorDetail::default()
    };
    let unrated = ErrorBody::new(
        ErrorCode::NotRateable,
        "games on dealt boards are never rated",
    )
    .with_detail(reason);
    vec![
        ("server_error_unread", 0, ServerMessage::Error(plain)),
        ("server_error", 2, ServerMessage::Error(full)),
        (
            "server_error_not_rateable",
            2,
            ServerMessage::Error(unrated),
        ),
    ]
}

fn pushes() -> Vec<(&'static str, ServerMessage)> {
    let change = |change, seek, seek_id, game| {
        ServerMessage::Lobby(Box::new(LobbyChange {
            change,
            seek,
            seek_id,
            game,
        }))
    };
    let notice = |code: &str, at, until| {
        ServerMessage::Notice(Notice {
            code: code.to_owned(),
            text: "Back in a minute.".to_owned(),
            at,
            until,
        })
    };
    vec![
        (
            "server_snapshot_player",
            ServerMessage::Snapshot(Box::new(player_snapshot())),
        ),
        (
            "server_snapshot_ended",
            ServerMessage::Snapshot(Box::new(ended_snapshot())),
        ),
        (
            "server_snapshot_abort_request",
            ServerMessage::Snapshot(Box::new(Snapshot {
                setup: rated_setup(),
                abort_request: Some(AbortRequest {
                    seat: 0,
                    until: NOON + 150_000,
                }),
                ..player_snapshot()
            })),
        ),
        (
            "server_snapshot_commentary",
            ServerMessage::Snapshot(Box::new(commentary_snapshot())),
        ),
        (
            "server_snapshot_turns",
            ServerMessage::Snapshot(Box::new(judged_snapshot())),
        ),
        (
            "server_lobby_seek_added",
            change(LobbyChangeKind::SeekAdded, Some(seek()), None, None),
        ),
        (
            "server_lobby_seek_changed",
            change(LobbyChangeKind::SeekChanged, Some(seek()), None, None),
        ),
        (
            "server_lobby_seek_removed",
            change(
                LobbyChangeKind::SeekRemoved,
                None,
                Some("s2345abcde".into()),
                None,
            ),
        ),
        (
            "server_lobby_game_started",
            change(LobbyChangeKind::GameStarted, None, None, Some(summary())),
        ),
        (
            "server_lobby_game_changed",
            change(
                LobbyChangeKind::GameChanged,
                None,
                None,
                Some(detailed_summary()),
            ),
        ),
        (
            "server_lobby_game_ended",
            change(LobbyChangeKind::GameEnded, None, None, Some(summary())),
        ),
        (
            "server_lobby_game_removed",
            change(LobbyChangeKind::GameRemoved, None, None, Some(summary())),
        ),
        (
            "server_seek_changed",
            ServerMessage::SeekChanged(Box::new(SeekChanged {
                seek: private_seek(),
            })),
        ),
        (
            "server_game_created",
            ServerMessage::GameCreated(GameCreated {
                game: game(),
                seek: "s2345abcde".into(),
                seat: 1,
            }),
        ),
        (
            "server_rematch_offered",
            rematch(|changed| {
                changed.agreed = vec![1];
                changed.expires_at = Some(NOON + 60_000);
            }),
        ),
        (
            "server_rematch_declined",
            rematch(|changed| {
                changed.end = Some(RematchEnd::Declined);
                changed.by = Some(0);
            }),
        ),
        (
            "server_rematch_begun",
            rematch(|changed| changed.next = Some("g2345nextg".into())),
        ),
        (
            "server_turn_waiting",
            ServerMessage::TurnWaiting(TurnWaiting {
                game: game(),
                turn_no: 6,
                seat: 1,
                until: NOON + 95_000,
                clocks: standing_clocks(),
            }),
        ),
        (
            "server_your_turn",
            ServerMessage::YourTurn(YourTurn {
                game: game(),
                seat: 1,
                turn_no: 14,
            }),
        ),
        (
            "server_rating",
            ServerMessage::Rating(RatingChanged {
                game: game(),
                pool: "classic/wordnik/rapid".to_owned(),
                before: 1_500,
                after: SeatRating {
                    value: 1_662,
                    deviation: 290,
                    provisional: true,
                },
            }),
        ),
        (
            "server_presence",
            ServerMessage::Presence(Presence {
                game: game(),
                seat: 1,
                connected: false,
            }),
        ),
        (
            "server_crowd",
            ServerMessage::Crowd(Crowd {
                game: game(),
                watching: 50,
            }),
        ),
        ("server_lag", ServerMessage::Lag(Lag { lag_ms: 42 })),
        (
            "server_notice",
            notice("maintenance", Some(NOON), Some(NOON + 60_000)),
        ),
        ("server_notice_plain", notice("restarting", None, None)),
        (
            "server_paused",
            ServerMessage::Paused(GameRef { game: game() }),
        ),
        (
            "server_unpaused",
            ServerMessage::Unpaused(GameRef { game: game() }),
        ),
        (
            "server_detached",
            ServerMessage::Detached(Detached {
                game: game(),
                code: ErrorCode::UnknownGame,
                message: "the game is kept no longer".to_owned(),
            }),
        ),
        (
            "server_snapshot_nudge",
            ServerMessage::Snapshot(Box::new(Snapshot {
                nudge: Some(Nudge {
                    seat: 0,
                    target: 1,
                    claim_at: Some(NOON + 210_000),
                }),
                ..player_snapshot()
            })),
        ),
    ]
}

fn rematch(change: impl FnOnce(&mut RematchChanged)) -> ServerMessage {
    let mut changed = RematchChanged::about(game());
    change(&mut changed);
    ServerMessage::Rematch(Box::new(changed))
}
