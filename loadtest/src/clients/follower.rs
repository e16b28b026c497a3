//! Clients that follow the lobby. Some of them keep its lists, and compare them with new ones during a quiet time.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::{
    ClientMessage, Codec, Empty, GameId, LobbyChange, LobbyChangeKind, OkBody, SeekId,
    ServerMessage, decode_server,
};
use tokio::time::{Instant, timeout};

use crate::host;
use crate::link::{Heard, Link};
use crate::recorder::Recorder;
use crate::shared::{Mode, Shared};

/// One in so many keeps the lists; the others only count.
const KEEPS_LISTS: u32 = 50;
/// Entries from which on a list may be cut short.
const LISTED_MOST: usize = 500;
/// The lobby is quiet when nothing has come for so long: news that wait for each other wait less.
const QUIET_AFTER: Duration = Duration::from_millis(1_500);
/// How long that may take.
const QUIET_WITHIN: Duration = Duration::from_secs(15);
/// How long the lists may take to come.
const LISTS_WITHIN: Duration = Duration::from_secs(30);
/// The request for the lists; a follower has no other, and never two of them at once.
const ASK_ID: u64 = 1;

/// The lobby as a client has it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lists {
    seeks: BTreeSet<SeekId>,
    games: BTreeSet<GameId>,
    /// They were so long that there may be more.
    may_be_cut: bool,
}

/// Follows the lobby until the run ends.
pub(crate) async fn run(shared: Arc<Shared>, due: Instant, number: u32) {
    let Ok((link, _)) = Link::enter(&shared.address, None).await else {
        return shared.error("no connection");
    };
    let mut follower = Follower {
        link,
        lists: None,
        keeps: number.is_multiple_of(KEEPS_LISTS),
    };
    let mode = shared.modes();
    if !follower.ask().await {
        return shared.error("connection lost");
    }
    match timeout(LISTS_WITHIN, follower.hear(&shared)).await {
        Ok(true) => {}
        Ok(false) => return shared.error("connection lost"),
        Err(_) => return shared.fault("the lobby's lists never came".to_owned()),
    }
    shared.recorder.joined(due.elapsed());
    let mut modes = mode;
    loop {
        tokio::select! {
            is_open = follower.hear(&shared) => if !is_open {
                return shared.error("connection lost");
            },
            () = async { drop(modes.wait_for(|mode| *mode == Mode::Leaving).await) } => break,
        }
    }
    if follower.keeps {
        follower.compare(&shared).await;
    }
    follower.link.close().await;
}

#[derive(Debug)]
struct Follower {
    link: Link,
    /// The lists, once received, if the follower keeps them.
    lists: Option<Lists>,
    keeps: bool,
}

impl Follower {
    /// Subscribes to the lists and their changes.
    async fn ask(&mut self) -> bool {
        let follow = ClientMessage::LobbySubscribe(Empty {});
        self.link.send(ASK_ID, &follow).await.is_ok()
    }

    /// Handles the next message; returns whether there was one.
    async fn hear(&mut self, shared: &Shared) -> bool {
        let Heard::Frame(frame) = self.link.next().await else {
            return false;
        };
        if !self.keeps {
            return true;
        }
        match decode_server(Codec::MsgPack, &frame) {
            Ok((ASK_ID, ServerMessage::Ok(ok))) if self.lists.is_none() => {
                self.lists = Some(Lists::of(&ok));
            }
            Ok((0, ServerMessage::Lobby(change))) => {
                time(&shared.recorder, &change);
                if let Some(lists) = &mut self.lists {
                    lists.take(*change);
                }
            }
            // Other pushes do not concern the lists.
            Ok((0, _)) => {}
            Ok((id, other)) => shared.fault(format!(
                "a follower of the lobby was answered {other:?} to request {id}"
            )),
            Err(error) => shared.fault(format!("an unreadable message: {error}")),
        }
        true
    }

    /// Requests the lists again during a quiet time, and reports differences from the kept ones.
    async fn compare(&mut self, shared: &Shared) {
        let by = host::now() + QUIET_WITHIN;
        while let Ok(is_open) = timeout(QUIET_AFTER, self.hear(shared)).await {
            if !is_open {
                return shared.error("connection lost");
            }
            if host::now() > by {
                return shared.error("the lobby was never quiet: its lists were not compared");
            }
        }
        let Some(kept) = self.lists.take() else {
            return shared.fault("the lobby's lists never came".to_owned());
        };
        if !self.ask().await {
            return shared.error("connection lost");
        }
        let asked = host::now();
        while self.lists.is_none() {
            match timeout(LISTS_WITHIN, self.hear(shared)).await {
                Ok(true) if asked.elapsed() < LISTS_WITHIN => {}
                Ok(false) => return shared.error("connection lost"),
                _ => return shared.fault("the lobby's lists never came again".to_owned()),
            }
        }
        let objection = self
            .lists
            .take()
            .and_then(|listed| objection(&kept, &listed));
        objection.into_iter().for_each(|what| shared.fault(what));
    }
}

/// Returns the difference between kept lists and those of the server, if there is one.
fn objection(kept: &Lists, listed: &Lists) -> Option<String> {
    let may_be_cut = kept.may_be_cut || listed.may_be_cut;
    (!may_be_cut && kept != listed)
        .then(|| format!("a follower of the lobby was told {kept:?} where there is {listed:?}"))
}

/// Measures the time from the start of a game to the first lobby message about it.
fn time(recorder: &Recorder, change: &LobbyChange) {
    let game = change.game.as_ref();
    if change.change == LobbyChangeKind::GameStarted
        && let Some(at) = game.and_then(|game| game.started_at)
    {
        let late = host::unix_us() - at.saturating_mul(1_000);
        let late = Duration::from_micros(u64::try_from(late).unwrap_or(0));
        recorder.record(&recorder.lobby, late);
    }
}

impl Lists {
    fn of(ok: &OkBody) -> Self {
        let seeks = ok.seeks.iter().flatten();
        let games = ok.games.iter().flatten();
        let seeks: BTreeSet<_> = seeks.map(|seek| seek.seek.clone()).collect();
        let games: BTreeSet<_> = games.map(|game| game.game.clone()).collect();
        Self {
            may_be_cut: seeks.len().max(games.len()) >= LISTED_MOST,
            seeks,
            games,
        }
    }

    fn take(&mut self, change: LobbyChange) {
        let game = change.game.map(|game| game.game);
        match change.change {
            LobbyChangeKind::SeekAdded | LobbyChangeKind::SeekChanged => {
                self.seeks.extend(change.seek.map(|seek| seek.seek));
            }
            LobbyChangeKind::SeekRemoved => {
                self.seeks
                    .retain(|seek| Some(seek) != change.seek_id.as_ref());
            }
            LobbyChangeKind::GameStarted => self.games.extend(game),
            LobbyChangeKind::GameEnded | LobbyChangeKind::GameRemoved => {
                self.games.retain(|own| Some(own) != game.as_ref())
            }
            LobbyChangeKind::GameChanged | LobbyChangeKind::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(change: LobbyChangeKind, seek: &str) -> LobbyChange {
        LobbyChange {
            change,
            seek: None,
            seek_id: Some(SeekId(seek.to_owned())),
            game: None,
        }
    }

    #[test]
    fn a_follower_objects_to_what_it_was_not_told() {
        let listed = Lists {
            seeks: [SeekId("here".to_owned())].into(),
            ..Lists::default()
        };
        let mut kept = Lists {
            seeks: ["here", "gone"].map(|id| SeekId(id.to_owned())).into(),
            ..Lists::default()
        };
        let said = objection(&kept, &listed).expect("a seek too many");
        assert!(said.contains("gone"), "{said}");
        kept.may_be_cut = true;
        assert_eq!(
            objection(&kept, &listed),
            None,
            "the difference is not visible"
        );
        kept.may_be_cut = false;
        kept.take(change(LobbyChangeKind::SeekRemoved, "gone"));
        assert_eq!(objection(&kept, &listed), None);
        kept.take(change(LobbyChangeKind::SeekRemoved, "here"));
        assert!(objection(&kept, &listed).is_some(), "one too few");
    }
}
