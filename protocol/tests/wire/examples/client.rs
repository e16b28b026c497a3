//! Requests.

use tilewire_protocol::*;

use super::parts::{full_options, game, hash, short_options, strings, validated_options};

/// Every request by the name of its golden files.
pub(crate) fn client_messages() -> Vec<(&'static str, ClientMessage)> {
    let mut all = connection();
    all.extend(lobby());
    all.extend(games());
    all.extend(choices());
    all.extend(look_ups());
    all.extend(rated());
    all.extend(rematches());
    all.extend(super::chat::requests());
    all.extend(super::invitations::requests());
    all.extend(nudges());
    all.extend(super::adjourns::requests());
    all.extend(gifts());
    all.extend(super::criteria::requests());
    let find = FindSeek {
        code: "K7QM2X".to_owned(),
    };
    all.push(("client_find_seek", ClientMessage::FindSeek(find)));
    all.extend(super::hints::requests());
    all
}

pub(super) fn cmd() -> CmdId {
    "k3Zp-Q_9aa-12".into()
}

fn connection() -> Vec<(&'static str, ClientMessage)> {
    let token = Some(Token("eyJhbGciOiJIUzI1NiJ9.e30.c2ln".to_owned()));
    let client = "tilewire/0.1.0".to_owned();
    vec![
        (
            "client_auth_new",
            ClientMessage::Auth(Auth {
                token: None,
                name: None,
                client: client.clone(),
            }),
        ),
        (
            "client_auth",
            ClientMessage::Auth(Auth {
                token,
                name: Some("Ann".to_owned()),
                client,
            }),
        ),
        (
            "client_rename",
            ClientMessage::Rename(Rename {
                name: "Änn".to_owned(),
            }),
        ),
        ("client_time", ClientMessage::Time(Empty {})),
        (
            "client_attach_new",
            ClientMessage::Attach(Attach {
                game: game(),
                epoch: None,
                seq: None,
                code: None,
            }),
        ),
        (
            "client_attach",
            ClientMessage::Attach(Attach {
                game: game(),
                epoch: Some(1),
                seq: Some(31),
                code: Some("K7QM2X".to_owned()),
            }),
        ),
        (
            "client_detach",
            ClientMessage::Detach(Detach { game: game() }),
        ),
    ]
}

fn lobby() -> Vec<(&'static str, ClientMessage)> {
    let command = SeekCommand {
        cmd_id: cmd(),
        seek: "s2345abcde".into(),
    };
    let join = |seek, code, nonce_hash| {
        ClientMessage::JoinSeek(JoinSeek {
            cmd_id: cmd(),
            seek,
            code,
            nonce_hash,
            level: None,
        })
    };
    let open = |options, private, nonce_hash| {
        ClientMessage::Seek(Box::new(OpenSeek {
            cmd_id: cmd(),
            options,
            private,
            bots: Vec::new(),
            nonce_hash,
            level: None,
            criteria: None,
        }))
    };
    let quick = QuickMatch {
        cmd_id: cmd(),
        options: short_options(),
        nonce_hash: Some(hash(1)),
        level: None,
        any_rating: false,
    };
    vec![
        (
            "client_lobby_subscribe",
            ClientMessage::LobbySubscribe(Empty {}),
        ),
        (
            "client_lobby_unsubscribe",
            ClientMessage::LobbyUnsubscribe(Empty {}),
        ),
        (
            "client_list_games_mine",
            ClientMessage::ListGames(ListGames {
                scope: GameScope::Mine,
                before: None,
            }),
        ),
        (
            "client_list_games_live",
            ClientMessage::ListGames(ListGames {
                scope: GameScope::Live,
                before: None,
            }),
        ),
        ("client_seek_short", open(short_options(), false, None)),
        ("client_seek", open(full_options(), true, Some(hash(1)))),
        (
            "client_quick_match",
            ClientMessage::QuickMatch(Box::new(quick)),
        ),
        (
            "client_join_seek",
            join(Some("s2345abcde".into()), None, None),
        ),
        (
            "client_join_seek_code",
            join(None, Some("K7QM2X".to_owned()), Some(hash(1))),
        ),
        (
            "client_leave_seek",
            ClientMessage::LeaveSeek(command.clone()),
        ),
        (
            "client_cancel_seek",
            ClientMessage::CancelSeek(command.clone()),
        ),
        ("client_start_seek", ClientMessage::StartSeek(command)),
    ]
}

fn games() -> Vec<(&'static str, ClientMessage)> {
    let on_play = PlayCommand {
        game: game(),
        cmd_id: cmd(),
        play_id: 30,
    };
    let plain = GameCommand {
        game: game(),
        cmd_id: cmd(),
    };
    let ready = |nonce| {
        ClientMessage::Ready(Ready {
            game: game(),
            cmd_id: cmd(),
            nonce,
        })
    };
    let play = Play {
        game: game(),
        cmd_id: cmd(),
        turn_no: 7,
        start: "8F".to_owned(),
        tiles: strings(&["F", "A", ".", "m"]),
    };
    let exchange = Exchange {
        game: game(),
        cmd_id: cmd(),
        turn_no: 7,
        tiles: strings(&["A", "E", "?"]),
    };
    vec![
        ("client_ready_plain", ready(None)),
        ("client_ready", ready(Some(Bytes(b"xyz".to_vec())))),
        ("client_play", ClientMessage::Play(play)),
        ("client_exchange", ClientMessage::Exchange(exchange)),
        (
            "client_pass",
            ClientMessage::Pass(Pass {
                game: game(),
                cmd_id: cmd(),
                turn_no: 300,
            }),
        ),
        (
            "client_challenge",
            ClientMessage::Challenge(on_play.clone()),
        ),
        ("client_hold", ClientMessage::Hold(on_play.clone())),
        ("client_release", ClientMessage::Release(on_play.clone())),
        ("client_accept", ClientMessage::Accept(on_play.clone())),
        ("client_withdraw", ClientMessage::Withdraw(on_play.clone())),
        ("client_stand", ClientMessage::Stand(on_play)),
        ("client_resign", ClientMessage::Resign(plain.clone())),
        ("client_abort", ClientMessage::Abort(plain)),
        (
            "client_claim",
            ClientMessage::Claim(Claim {
                game: game(),
                cmd_id: cmd(),
                seat: 1,
            }),
        ),
    ]
}

/// Choosing among rule sets, languages, levels and bots.
fn choices() -> Vec<(&'static str, ClientMessage)> {
    vec![
        (
            "client_seek_bots",
            ClientMessage::Seek(Box::new(OpenSeek {
                cmd_id: cmd(),
                options: validated_options(),
                private: false,
                bots: strings(&["expert"]),
                nonce_hash: None,
                level: Some(Level::Beginner),
                criteria: None,
            })),
        ),
        (
            "client_rule_set",
            ClientMessage::RuleSet(AskRuleSet {
                rule_set: "wordfeud".to_owned(),
                language: Some("swedish".to_owned()),
            }),
        ),
        (
            "client_seek_usual",
            ClientMessage::Seek(Box::new(OpenSeek {
                cmd_id: cmd(),
                options: GameOptions {
                    clock: None,
                    challenge: None,
                    ..short_options()
                },
                private: false,
                bots: Vec::new(),
                nonce_hash: None,
                level: None,
                criteria: None,
            })),
        ),
        (
            "client_rule_set_usual",
            ClientMessage::RuleSet(AskRuleSet {
                rule_set: "classic".to_owned(),
                language: None,
            }),
        ),
        (
            "client_join_seek_level",
            ClientMessage::JoinSeek(JoinSeek {
                cmd_id: cmd(),
                seek: Some("s2345abcde".into()),
                code: None,
                nonce_hash: None,
                level: Some(Level::Expert),
            }),
        ),
        ("client_renew", ClientMessage::Renew(Empty {})),
        (
            "client_seek_delayed",
            ClientMessage::Seek(Box::new(OpenSeek {
                cmd_id: cmd(),
                options: GameOptions {
                    spectators: Some(SpectatorView {
                        delay_ms: 300_000,
                        racks: true,
                    }),
                    ..short_options()
                },
                private: false,
                bots: Vec::new(),
                nonce_hash: None,
                level: None,
                criteria: None,
            })),
        ),
        (
            "client_list_games_finished",
            ClientMessage::ListGames(ListGames {
                scope: GameScope::Finished,
                before: Some(game()),
            }),
        ),
    ]
}

fn look_ups() -> Vec<(&'static str, ClientMessage)> {
    vec![
        (
            "client_look_up",
            ClientMessage::LookUp(LookUp {
                game: game(),
                code: None,
                words: strings(&["FARMs", "[LL]AMA"]),
            }),
        ),
        (
            "client_look_up_private",
            ClientMessage::LookUp(LookUp {
                game: game(),
                code: Some("K7QM2X".to_owned()),
                words: strings(&["FOX"]),
            }),
        ),
    ]
}

/// Rated games.
fn rated() -> Vec<(&'static str, ClientMessage)> {
    vec![
        (
            "client_seek_rated",
            ClientMessage::Seek(Box::new(OpenSeek {
                cmd_id: cmd(),
                options: GameOptions {
                    rated: true,
                    ..short_options()
                },
                private: false,
                bots: Vec::new(),
                nonce_hash: None,
                level: None,
                criteria: None,
            })),
        ),
        (
            "client_answer_abort",
            ClientMessage::AnswerAbort(AnswerAbort {
                game: game(),
                cmd_id: cmd(),
                accept: false,
            }),
        ),
    ]
}

fn rematches() -> Vec<(&'static str, ClientMessage)> {
    vec![
        (
            "client_offer_rematch",
            ClientMessage::OfferRematch(OfferRematch {
                game: game(),
                cmd_id: cmd(),
                nonce_hash: Some(hash(1)),
            }),
        ),
        (
            "client_decline_rematch",
            ClientMessage::DeclineRematch(GameCommand {
                game: game(),
                cmd_id: cmd(),
            }),
        ),
    ]
}

fn nudges() -> Vec<(&'static str, ClientMessage)> {
    let command = || GameCommand {
        game: game(),
        cmd_id: cmd(),
    };
    vec![
        ("client_nudge", ClientMessage::Nudge(command())),
        ("client_here", ClientMessage::Here(command())),
    ]
}

fn gifts() -> Vec<(&'static str, ClientMessage)> {
    let gift = |time_ms| {
        ClientMessage::GiveTime(GiveTime {
            game: game(),
            cmd_id: cmd(),
            seat: 1,
            time_ms,
        })
    };
    let refusal = GameCommand {
        game: game(),
        cmd_id: cmd(),
    };
    vec![
        ("client_give_time", gift(Some(15_000))),
        ("client_give_time_limit", gift(None)),
        ("client_refuse_time", ClientMessage::RefuseTime(refusal)),
    ]
}
