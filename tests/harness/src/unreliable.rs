//! A relay that cuts its first connections.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tilewire_conformance::raw::Frame;
use tilewire_conformance::relay::{Connection, Relay, Side, Tap};
use tilewire_oracle::chance::Chance;

/// Bytes that a connection lets through before it is cut, at least and at most. The shortest games send more than this:
/// a player sends about 100 bytes for each turn, and receives about 1,000.
const FROM_SERVER: (u64, u64) = (1_000, 7_000);
const FROM_CLIENT: (u64, u64) = (300, 900);

/// A relay whose first connections are cut.
#[derive(Debug)]
pub struct Unreliable {
    /// The relay.
    pub relay: Relay,
    cuts: Arc<AtomicUsize>,
}

impl Unreliable {
    /// Starts a relay to the server at `target`. It cuts its first `count` connections after a number of bytes that
    /// follows from `seed`: every other one in the middle of a frame of the server, the rest before a frame of the
    /// client. Later connections last.
    ///
    /// # Panics
    /// When no port is free.
    #[must_use]
    pub fn start(target: &str, seed: u64, count: usize) -> Self {
        let cuts = Arc::<AtomicUsize>::default();
        let tap = Cutter {
            seed,
            count,
            left: BTreeMap::new(),
            cuts: Arc::clone(&cuts),
        };
        let relay = Relay::start(target, Box::new(tap)).expect("a port is free");
        Self { relay, cuts }
    }

    /// Returns how many connections were cut.
    #[must_use]
    pub fn cuts(&self) -> usize {
        self.cuts.load(Ordering::SeqCst)
    }
}

struct Cutter {
    seed: u64,
    count: usize,
    /// Which side of a connection is cut, after how many more bytes.
    left: BTreeMap<usize, (Side, u64)>,
    cuts: Arc<AtomicUsize>,
}

impl Tap for Cutter {
    fn frame(&mut self, from: Side, frame: Frame, connection: &mut Connection) {
        let number = connection.connection;
        if number >= self.count {
            return connection.pass(from, frame);
        }
        let seed = self.seed;
        let (side, left) = self.left.entry(number).or_insert_with(|| {
            let (side, (least, most)) = if number.is_multiple_of(2) {
                (Side::Server, FROM_SERVER)
            } else {
                (Side::Client, FROM_CLIENT)
            };
            let mut chance = Chance::new(seed, &format!("connection {number}"));
            (side, least + chance.below(most - least))
        });
        if *left == 0 {
            // The connection is cut already.
            return;
        }
        let bytes = frame.bytes(None);
        if *side == from {
            *left = left.saturating_sub(bytes.len() as u64);
        }
        if *left > 0 {
            return connection.pass(from, frame);
        }
        if from == Side::Server {
            connection.raw_to_client(&bytes[..bytes.len() / 2]);
        }
        connection.cut();
        self.cuts.fetch_add(1, Ordering::SeqCst);
    }
}
