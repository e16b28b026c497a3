//! The contract for the conduct of players and for waiting times as tests. Every storage that takes chapters must pass them.

use tilewire_people::audit::{Action, verify};
use tilewire_people::conduct::{Conduct, Offence, POINTS_MOST, waiting};
use tilewire_people::moderation::{Deed, Kind, Restraint};
use tilewire_rules::time::{Millis, Timestamp};

use super::result_contract::{new, result};
use super::{
    Arrival, Chapter, ChapterError, ConductRow, ModerationChange, ModerationError, ModerationStore,
    NewWait, ResultStore, StoredConduct,
};

const START: Timestamp = Timestamp(1_800_000_000_000);
const PLAYER: &str = "wanda";

fn row(expected: u64, points: u8) -> ConductRow {
    let until = (points == POINTS_MOST).then_some(START + Millis(600_000));
    ConductRow {
        identity: PLAYER.to_owned(),
        expected,
        conduct: Conduct {
            points,
            clean: 1,
            waits: u8::from(until.is_some()),
            until,
        },
    }
}

/// The conduct after that row is stored.
fn stored(expected: u64, points: u8) -> StoredConduct {
    StoredConduct {
        version: expected + 1,
        conduct: row(expected, points).conduct,
    }
}

fn act(deed: Deed) -> ModerationChange {
    ModerationChange {
        at: START,
        action: Action {
            actor: "operator".to_owned(),
            action: "a test".to_owned(),
            target: PLAYER.to_owned(),
            reason: "a mistake".to_owned(),
            until: None,
        },
        deed,
        account: None,
        closes: None,
    }
}

async fn own(store: &dyn ModerationStore) -> StoredConduct {
    let asked = vec!["nobody".to_owned(), PLAYER.to_owned()];
    let found = store.conduct(asked).await.unwrap();
    let [nobody, own] = found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(nobody, StoredConduct::default());
    own
}

/// The waiting times in force, and the kinds of the messages that wait for the player.
async fn in_force(store: &dyn ModerationStore) -> (Vec<u64>, Vec<Kind>) {
    let in_force = store.in_force().await.unwrap();
    let mut restrictions = in_force.restrictions;
    restrictions.retain(|one| one.identity == PLAYER && one.restraint == Restraint::Wait);
    let mut notices = in_force.notices;
    notices.retain(|notice| notice.identity == PLAYER);
    (
        restrictions.iter().map(|one| one.entry).collect(),
        notices.iter().map(|notice| notice.kind).collect(),
    )
}

/// Checks a store that knows nothing of the conduct of a player; `write` stores a chapter in it.
pub async fn conduct(
    store: &dyn ModerationStore,
    results: &dyn ResultStore,
    write: impl AsyncFn(Chapter) -> Result<(), ChapterError>,
) {
    let chapter = async |game: &str, conduct: Vec<ConductRow>, waits: Vec<NewWait>| {
        let after = results.cursor().await.unwrap();
        let chapter = Chapter {
            after,
            until: Arrival(after.arrival.0 + 1),
            results: vec![new(result(game, [PLAYER, "xena"], 1))],
            ratings: Vec::new(),
            conduct,
            waits,
        };
        write(chapter).await
    };
    assert_eq!(own(store).await, StoredConduct::default());
    assert_eq!(chapter("w1", vec![row(0, 3)], Vec::new()).await, Ok(()));
    assert_eq!(own(store).await, stored(0, 3));
    let wait = || {
        let until = START + Millis(600_000);
        vec![NewWait {
            at: START,
            action: waiting(PLAYER, "w2", Offence::Idle, until),
        }]
    };
    // All or nothing: neither the result nor the waiting time of a chapter that comes too late.
    let stale = chapter("w2", vec![row(0, 4)], wait()).await;
    assert_eq!(stale, Err(ChapterError::Stale));
    assert_eq!(results.result(&"w2".into()).await, Ok(None));
    assert_eq!(in_force(store).await, (Vec::new(), Vec::new()));
    assert_eq!(own(store).await, stored(0, 3));

    assert_eq!(chapter("w2", vec![row(1, 4)], wait()).await, Ok(()));
    assert_eq!(own(store).await, stored(1, 4));
    let (entries, kinds) = in_force(store).await;
    let ([entry], [Kind::Wait]) = (&entries[..], &kinds[..]) else {
        panic!("{entries:?} {kinds:?}");
    };
    let written = store.entry(*entry).await.unwrap().expect("an entry");
    assert_eq!(
        vec![written.action],
        wait().into_iter().map(|one| one.action).collect::<Vec<_>>()
    );
    // To undo a waiting time leaves the points.
    store.moderate(act(Deed::Undo(*entry))).await.unwrap();
    let kinds = vec![Kind::Wait, Kind::Undo];
    assert_eq!(in_force(store).await, (Vec::new(), kinds));
    assert_eq!(own(store).await, stored(1, 4));

    assert_eq!(chapter("w3", vec![row(2, 4)], wait()).await, Ok(()));
    store.moderate(act(Deed::Forgive)).await.unwrap();
    assert_eq!(in_force(store).await.0, [0; 0]);
    let forgiven = StoredConduct {
        version: 4,
        conduct: Conduct::default(),
    };
    assert_eq!(own(store).await, forgiven);
    let again = store.moderate(act(Deed::Forgive)).await;
    assert_eq!(again, Err(ModerationError::NoChange));
    // A chapter that was computed before does not bring the points back.
    let stale = chapter("w4", vec![row(3, 4)], wait()).await;
    assert_eq!(stale, Err(ChapterError::Stale));
    assert_eq!(own(store).await, forgiven);
    let mut audit = store.entries(None, None, 1_000).await.unwrap();
    audit.reverse();
    assert_eq!(verify(&audit, None), Ok(()));
}
