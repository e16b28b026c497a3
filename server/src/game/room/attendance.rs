//! Who is at a game: connections of its players, and how many watch.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_rules::time::Seat;

use crate::outbound::PeerId;

/// The connections of one seat's player.
#[derive(Debug)]
struct Presence<P> {
    peers: BTreeMap<PeerId, P>,
    /// Since when there are none.
    absent_since: i64,
    /// Whether the rules were told that this absence is long.
    is_reported: bool,
    /// Whether a house bot sits here, which is never away.
    is_house: bool,
}

impl<P> Presence<P> {
    fn is_here(&self) -> bool {
        self.is_house || !self.peers.is_empty()
    }
}

/// Everybody attached to a game.
#[derive(Debug)]
pub(super) struct Attendance<P> {
    seats: Vec<Presence<P>>,
    spectators: BTreeSet<PeerId>,
    /// When the number of spectators is to be told next.
    pub(super) crowd_due: Option<i64>,
    pub(super) crowd_told_at: i64,
    pub(super) crowd_told: u32,
}

/// What somebody was who left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// Not attached.
    Nobody,
    /// One of several connections of a player.
    Device,
    /// The last connection of a player.
    Player(Seat),
    /// A spectator.
    Spectator,
}

impl<P: Clone> Attendance<P> {
    /// Nobody is here yet, since `now`, but for the house bots.
    pub(super) fn new(seats: u8, now: i64, house: impl Iterator<Item = Seat>) -> Self {
        let house: Vec<Seat> = house.collect();
        Self {
            seats: Seat::all(seats)
                .map(|seat| Presence {
                    peers: BTreeMap::new(),
                    absent_since: now,
                    is_reported: false,
                    is_house: house.contains(&seat),
                })
                .collect(),
            spectators: BTreeSet::new(),
            crowd_due: None,
            crowd_told_at: i64::MIN,
            crowd_told: 0,
        }
    }

    /// Adds a player's connection and says whether it is the first.
    pub(super) fn sit(&mut self, seat: Seat, id: PeerId, peer: P) -> bool {
        let presence = &mut self.seats[seat.index()];
        let was_absent = presence.peers.is_empty();
        presence.peers.insert(id, peer);
        presence.is_reported = false;
        was_absent
    }

    /// Adds a spectator and says whether it is new.
    pub(super) fn watch(&mut self, id: PeerId) -> bool {
        self.spectators.insert(id)
    }

    /// Removes a connection.
    pub(super) fn leave(&mut self, now: i64, id: PeerId) -> Left {
        if self.spectators.remove(&id) {
            return Left::Spectator;
        }
        for (seat, presence) in (0..).zip(&mut self.seats) {
            if presence.peers.remove(&id).is_some() {
                if !presence.peers.is_empty() {
                    return Left::Device;
                }
                presence.absent_since = now;
                return Left::Player(Seat(seat));
            }
        }
        Left::Nobody
    }

    pub(super) fn is_connected(&self, seat: Seat) -> bool {
        self.seats[seat.index()].is_here()
    }

    /// For each seat, whether its player is here.
    pub(super) fn connected(&self) -> Vec<bool> {
        self.seats.iter().map(Presence::is_here).collect()
    }

    /// Since when the player of `seat` is away, if the rules do not know of it.
    pub(super) fn absent_since(&self, seat: Seat) -> Option<i64> {
        let presence = &self.seats[seat.index()];
        let counts = !presence.is_here() && !presence.is_reported;
        counts.then_some(presence.absent_since)
    }

    /// The rules know that the player of `seat` is away.
    pub(super) fn reported(&mut self, seat: Seat) {
        self.seats[seat.index()].is_reported = true;
    }

    /// The rules do not know of it after all.
    pub(super) fn not_reported(&mut self, seat: Seat) {
        self.seats[seat.index()].is_reported = false;
    }

    /// The connections of one seat.
    pub(super) fn of(&self, seat: Seat) -> impl Iterator<Item = &P> {
        self.seats[seat.index()].peers.values()
    }

    /// The connections of all players.
    pub(super) fn players(&self) -> Vec<P> {
        self.seats
            .iter()
            .flat_map(|presence| presence.peers.values().cloned())
            .collect()
    }

    pub(super) fn spectators(&self) -> usize {
        self.spectators.len()
    }

    pub(super) fn is_spectator(&self, id: PeerId) -> bool {
        self.spectators.contains(&id)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spectators.is_empty() && self.seats.iter().all(|seat| seat.peers.is_empty())
    }

    /// How many watch, as it is told: exact up to 20, then two digits.
    pub(super) fn watching(&self) -> u32 {
        rounded(self.spectators.len())
    }
}

/// Returns a number of people with two significant digits, exact up to 20.
fn rounded(count: usize) -> u32 {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    if count <= 20 {
        return count;
    }
    let unit = 10_u32.pow(count.ilog10() - 1);
    count / unit * unit
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn crowds_are_rounded_to_two_digits() {
        let told = [0, 1, 20, 21, 99, 100, 109, 110, 1_234, 98_765].map(rounded);
        assert_eq!(told, [0, 1, 20, 21, 99, 100, 100, 110, 1_200, 98_000]);
    }
}
