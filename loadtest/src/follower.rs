//! People who follow the lobby. Some of them keep its lists, and compare them with new ones when all is quiet.

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
use crate::meter::Meter;
use crate::stage::{Act, Stage};

/// One in so many keeps the lists; the others only count.
const KEEPS_LISTS: u32 = 50;
/// Entries from which on a list may be cut short.
const LISTED_MOST: usize = 500;
/// The lobby is quiet when nothing has come for so long: news that wait for each other wait less.
const QUIET_AFTER: Duration = Duration::from_millis(1_500);
/// How long that may take.
const QUIET_WITHIN: Duration = Duration::from_secs(15);

/// The lobby as a client has it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lists {
    seeks: BTreeSet<SeekId>,
    games: BTreeSet<GameId>,
    /// They were so long that there may be more.
    may_be_cut: bool,
}

/// Follows the lobby until everybody leaves.
pub(crate) async fn run(stage: Arc<Stage>, due: Instant, number: u32) {
    let Ok((link, _)) = Link::enter(&stage.address, None).await else {
        return stage.error("no connection");
    };
    let mut follower = Follower {
        link,
        lists: None,
        keeps: number.is_multiple_of(KEEPS_LISTS),
    };
    let act = stage.acts();
    if !follower.ask().await || !follower.hear(&stage.meter).await {
        return stage.error("connection lost");
    }
    stage.meter.joined(due.elapsed());
    let mut acts = act;
    loop {
        tokio::select! {
            is_open = follower.hear(&stage.meter) => if !is_open {
                return stage.error("connection lost");
            },
            () = async { drop(acts.wait_for(|act| *act == Act::Leaving).await) } => break,
        }
    }
    if let Some(objection) = follower.compare(&stage.meter).await {
        stage.fault(objection);
    }
    follower.link.close().await;
}

#[derive(Debug)]
struct Follower {
    link: Link,
    /// What it knows, if it was told and keeps it.
    lists: Option<Lists>,
    keeps: bool,
}

impl Follower {
    /// Asks for the lists, and to be told what changes.
    async fn ask(&mut self) -> bool {
        let follow = ClientMessage::LobbySubscribe(Empty {});
        self.link.send(1, &follow).await.is_ok()
    }

    /// Takes what comes next; says whether anything did.
    async fn hear(&mut self, meter: &Meter) -> bool {
        let Heard::Frame(frame) = self.link.next().await else {
            return false;
        };
        if !self.keeps {
            return true;
        }
        match decode_server(Codec::MsgPack, &frame) {
            Ok((1, ServerMessage::Ok(ok))) => self.lists = Some(Lists::of(&ok)),
            Ok((0, ServerMessage::Lobby(change))) => {
                time(meter, &change);
                if let Some(lists) = &mut self.lists {
                    lists.take(*change);
                }
            }
            _ => {}
        }
        true
    }

    /// Asks for the lists when all is quiet; returns what is wrong with those it had.
    async fn compare(&mut self, meter: &Meter) -> Option<String> {
        let by = host::now() + QUIET_WITHIN;
        while self.keeps && host::now() < by {
            let heard = timeout(QUIET_AFTER, self.hear(meter)).await;
            if heard.is_err() {
                return self.compare_now(meter).await;
            }
        }
        None
    }

    async fn compare_now(&mut self, meter: &Meter) -> Option<String> {
        let kept = self.lists.take()?;
        if !self.ask().await {
            return None;
        }
        while self.lists.is_none() {
            if !self.hear(meter).await {
                return None;
            }
        }
        let listed = self.lists.take()?;
        objection(&kept, &listed)
    }
}

/// Returns what is wrong with lists, if they are not what is listed.
fn objection(kept: &Lists, listed: &Lists) -> Option<String> {
    let may_be_cut = kept.may_be_cut || listed.may_be_cut;
    (!may_be_cut && kept != listed)
        .then(|| format!("a follower of the lobby was told {kept:?} where there is {listed:?}"))
}

/// Times how long after its beginning somebody hears of a game.
fn time(meter: &Meter, change: &LobbyChange) {
    let game = change.game.as_ref();
    if change.change == LobbyChangeKind::GameStarted
        && let Some(at) = game.and_then(|game| game.started_at)
    {
        let late = host::unix_us() - at.saturating_mul(1_000);
        let late = Duration::from_micros(u64::try_from(late).unwrap_or(0));
        meter.time(&meter.news, late);
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
            LobbyChangeKind::GameEnded => self.games.retain(|own| Some(own) != game.as_ref()),
            LobbyChangeKind::Unknown => {}
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
        assert_eq!(objection(&kept, &listed), None, "nobody can tell");
        kept.may_be_cut = false;
        kept.take(change(LobbyChangeKind::SeekRemoved, "gone"));
        assert_eq!(objection(&kept, &listed), None);
        kept.take(change(LobbyChangeKind::SeekRemoved, "here"));
        assert!(objection(&kept, &listed).is_some(), "one too few");
    }
}
