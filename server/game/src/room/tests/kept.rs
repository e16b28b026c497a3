//! The events that the room keeps for clients that resume.

use tilewire_rules::event::Record;

use super::{Scene, TestPeer, pass, peer};
use crate::room::Room;
use tilewire_store::RecordBatch;

/// However the log was cut into rows, the same events are kept, and at most as many as the bound says are told.
#[test]
fn what_is_kept_does_not_depend_on_the_rows() {
    let mut scene = Scene::playing(|options, _| options.seats = 2);
    for turn in 1..=4 {
        let seat = u64::from((turn + 1) % 2);
        let player = peer(seat, &format!("p{seat}"));
        scene.ask(&player, pass(&format!("pass{turn}"), turn));
        scene.store();
    }
    let journal = scene.journal.clone();
    let head = journal.last().unwrap().seq.0;
    assert!(head > 12, "{head}");
    for (capacity, at_once) in [(1, 1), (3, 2), (5, 3), (8, 4), (12, 5), (256, 1), (256, 99)] {
        let mut parts = scene.room.parts.clone();
        parts.bounds.history_events = capacity;
        let rows = journal.chunks(at_once);
        let rows = rows
            .map(|row| RecordBatch::from(row.to_vec()).into())
            .collect();
        let again = Room::<TestPeer>::new(parts, journal.clone(), rows, scene.now).unwrap();
        for seq in 0..=head + 1 {
            let kept = again.history.after(seq);
            let kept: Option<Vec<Record>> =
                kept.map(|kept| kept.map(|entry| entry.record.into_owned()).collect());
            let is_near = seq <= head && head - seq <= u64::try_from(capacity).unwrap();
            let missed = journal.iter().filter(|record| record.seq.0 > seq);
            let missed = is_near.then(|| missed.cloned().collect());
            assert_eq!(
                kept, missed,
                "after {seq} of {head}, {capacity} by {at_once}"
            );
        }
        let all: Vec<u64> = again
            .history
            .all()
            .map(|entry| entry.record.seq.0)
            .collect();
        let oldest = head + 1 - u64::try_from(all.len()).unwrap();
        assert_eq!(all, (oldest..=head).collect::<Vec<_>>());
        assert!(all.len() < capacity + at_once, "{} are kept", all.len());
        assert_eq!(again.history.last().as_deref(), journal.last());
    }
}
