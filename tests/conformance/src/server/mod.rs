//! The cases for a server.

pub mod aborts;
pub mod accounts;
pub mod adjourns;
pub mod archive;
pub mod auth;
pub mod away;
pub mod bags;
pub mod challenges;
pub mod chat;
pub mod chat_switch;
pub mod clocks;
pub mod closing;
pub mod commands;
pub mod conduct;
pub mod criteria;
pub mod delayed;
pub mod encodings;
pub mod frames;
pub mod game_lists;
pub mod game_options;
pub mod games;
pub mod gifts;
pub mod handshake;
pub mod hints;
pub mod http_form;
pub mod invitations;
pub mod limits;
pub mod lobby;
pub mod look_up;
pub mod messages;
pub mod moderation;
pub mod nudges;
pub mod own_data;
pub mod rated;
pub mod relations;
pub mod rematches;
pub mod resume;
pub mod sessions;
pub mod turns;
pub mod vacations;
pub mod views;
pub mod waiting;

use anyhow::Result;

use super::opening::Opening;
use super::raw::{FIN, Frame, Raw};
use super::run::Job;
use super::{Case, Encoding, Target};

/// The groups of cases, in the order in which they are listed.
const GROUPS: &[&[Case<Target>]] = &[
    handshake::CASES,
    frames::CASES,
    closing::CASES,
    messages::CASES,
    encodings::CASES,
    auth::CASES,
    commands::CASES,
    lobby::CASES,
    game_lists::CASES,
    away::CASES,
    rematches::CASES,
    game_options::CASES,
    games::CASES,
    nudges::CASES,
    adjourns::CASES,
    gifts::CASES,
    hints::CASES,
    vacations::CASES,
    own_data::CASES,
    resume::CASES,
    views::CASES,
    delayed::CASES,
    clocks::CASES,
    challenges::CASES,
    waiting::CASES,
    bags::CASES,
    limits::CASES,
    turns::CASES,
    look_up::CASES,
    rated::CASES,
    aborts::CASES,
    http_form::CASES,
    accounts::CASES,
    sessions::CASES,
    relations::CASES,
    invitations::CASES,
    criteria::CASES,
    archive::CASES,
    chat::CASES,
    chat_switch::CASES,
    moderation::CASES,
    conduct::CASES,
];

/// The groups about the HTTP API: their requests have no encoding, so their cases run once.
const OF_HTTP: [&str; 6] = [
    "api/",
    "accounts/",
    "sessions/",
    "relations/",
    "archive/",
    "moderation/",
];

/// Every case.
pub fn cases() -> impl Iterator<Item = &'static Case<Target>> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// The cases whose name or clauses contain `only`, against each of the targets.
#[must_use]
pub fn jobs<'a>(targets: &'a [(String, Target)], only: &str) -> Vec<Job<'a>> {
    let wanted = cases().filter(|case| case.name.contains(only) || case.clauses.contains(&only));
    wanted
        .flat_map(|case| {
            let times = if is_of_http(case.name) {
                1
            } else {
                targets.len()
            };
            let targets = targets.iter().take(times);
            targets.map(move |(variant, target)| (case, variant, target))
        })
        .filter(|(case, _, target)| is_about(case.name, target.encoding))
        .map(|(case, variant, target)| Job::new(case, target, variant))
        .collect()
}

fn is_of_http(name: &str) -> bool {
    OF_HTTP.iter().any(|group| name.starts_with(group))
}

/// Whether a case says something about an encoding; those about only one have its name.
fn is_about(name: &str, encoding: Encoding) -> bool {
    match encoding {
        Encoding::Json => !name.contains("/msgpack-"),
        Encoding::Msgpack => !name.contains("/json-"),
    }
}

/// A raw connection that is authenticated and has read everything said so far.
///
/// # Errors
/// When the server does not welcome it.
pub fn raw_guest(target: &Target) -> Result<Raw> {
    let (mut raw, head) = Opening::usual(target, target.encoding.subprotocol()).send(target)?;
    anyhow::ensure!(head.status == 101, "answered {}", head.status);
    let auth = serde_json::json!(["auth", 1, { "client": "conformance" }]);
    raw.send(&Frame::whole(
        target.encoding.opcode(),
        target.encoding.encode(&auth),
    ));
    loop {
        let frame = raw.frame()?;
        if target.encoding.decode(&frame.payload)?[0] == "welcome" {
            return Ok(raw);
        }
    }
}

/// The bytes of a `time` request with this id.
#[must_use]
pub fn time_request(target: &Target, id: u64) -> Vec<u8> {
    target.encoding.encode(&serde_json::json!(["time", id, {}]))
}

/// The first byte of a whole message in this target's type of frame.
#[must_use]
pub fn whole(target: &Target) -> u8 {
    FIN | target.encoding.opcode()
}
