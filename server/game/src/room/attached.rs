//! The connections that are attached to a game.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_rules::time::{Millis, Seat, Timestamp};

use super::Participant;
use tilewire_delivery::outbound::PeerId;

/// The connections of one seat's player.
#[derive(Debug)]
struct SeatConnections<P> {
    peers: BTreeMap<PeerId, P>,
    /// When the last of them ended.
    absent_since: Timestamp,
    /// Whether the rules know that the player is away.
    is_reported: bool,
    /// Whether a house bot has the seat; it is never away.
    is_bot: bool,
    /// Whether the clients were told that the player is here, and when.
    is_told: bool,
    told_at: Timestamp,
}

impl<P> SeatConnections<P> {
    fn is_here(&self) -> bool {
        self.is_bot || !self.peers.is_empty()
    }
}

/// All connections attached to a game.
#[derive(Debug)]
pub(super) struct Attached<P> {
    seats: Vec<SeatConnections<P>>,
    spectators: BTreeSet<PeerId>,
    /// When the next update of the number of spectators is due.
    pub(super) crowd_due: Option<Timestamp>,
    pub(super) crowd_told_at: Timestamp,
    pub(super) crowd_told: u32,
}

/// The role of a connection that left.
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

impl<P: Clone> Attached<P> {
    /// Returns no connections, since `now`; house bots are present.
    pub(super) fn new(seats: u8, now: Timestamp, bots: impl Iterator<Item = Seat>) -> Self {
        let bots: Vec<Seat> = bots.collect();
        Self {
            seats: Seat::all(seats)
                .map(|seat| SeatConnections {
                    peers: BTreeMap::new(),
                    absent_since: now,
                    is_reported: false,
                    is_bot: bots.contains(&seat),
                    is_told: bots.contains(&seat),
                    told_at: Timestamp::MIN,
                })
                .collect(),
            spectators: BTreeSet::new(),
            crowd_due: None,
            crowd_told_at: Timestamp::MIN,
            crowd_told: 0,
        }
    }

    /// Adds a player's connection.
    pub(super) fn sit(&mut self, seat: Seat, id: PeerId, peer: P) {
        let seat_peers = &mut self.seats[seat.index()];
        seat_peers.peers.insert(id, peer);
        seat_peers.is_reported = false;
    }

    /// Adds a spectator and says whether it is new.
    pub(super) fn watch(&mut self, id: PeerId) -> bool {
        self.spectators.insert(id)
    }

    /// Removes a connection.
    pub(super) fn leave(&mut self, now: Timestamp, id: PeerId) -> Left {
        if self.spectators.remove(&id) {
            return Left::Spectator;
        }
        for (seat, seat_peers) in (0..).zip(&mut self.seats) {
            if seat_peers.peers.remove(&id).is_some() {
                if !seat_peers.peers.is_empty() {
                    return Left::Device;
                }
                seat_peers.absent_since = now;
                return Left::Player(Seat(seat));
            }
        }
        Left::Nobody
    }

    pub(super) fn is_connected(&self, seat: Seat) -> bool {
        self.seats[seat.index()].is_here()
    }

    /// Returns for each seat whether its player is present.
    pub(super) fn connected(&self) -> Vec<bool> {
        self.seats.iter().map(SeatConnections::is_here).collect()
    }

    /// Returns when the clients hear of the next player who has come or gone. They hear of each at most once in `every_ms`.
    pub(super) fn presence_due(&self, every_ms: Millis) -> Option<Timestamp> {
        let changed = self
            .seats
            .iter()
            .filter(|seat| seat.is_here() != seat.is_told);
        changed.map(|seat| seat.told_at + every_ms).min()
    }

    /// Returns the seats whose players have come or gone, as far as the clients hear of them now.
    pub(super) fn take_presence(&mut self, now: Timestamp, every_ms: Millis) -> Vec<Seat> {
        let has_player = self.seats.iter().any(|seat| !seat.peers.is_empty());
        if !has_player && self.spectators.is_empty() {
            // A client that comes gets the present state with its answer.
            for seat in &mut self.seats {
                seat.is_told = seat.is_here();
            }
            return Vec::new();
        }
        let mut told = Vec::new();
        for (seat, of_seat) in (0..).map(Seat).zip(&mut self.seats) {
            let is_here = of_seat.is_here();
            if is_here != of_seat.is_told && of_seat.told_at + every_ms <= now {
                (of_seat.is_told, of_seat.told_at) = (is_here, now);
                told.push(seat);
            }
        }
        told
    }

    /// Returns since when the player of `seat` is away, if the rules do not know it.
    pub(super) fn absent_since(&self, seat: Seat) -> Option<Timestamp> {
        let seat_peers = &self.seats[seat.index()];
        let counts = !seat_peers.is_here() && !seat_peers.is_reported;
        counts.then_some(seat_peers.absent_since)
    }

    /// Does not count `ms` of the absences up to `now`: nobody could come back meanwhile.
    pub(super) fn excuse(&mut self, now: Timestamp, ms: Millis) {
        for seat in &mut self.seats {
            seat.absent_since = now.min(seat.absent_since + ms);
        }
    }

    /// Notes that the rules know that the player of `seat` is away.
    pub(super) fn reported(&mut self, seat: Seat) {
        self.seats[seat.index()].is_reported = true;
    }

    /// Notes that the rules do not know it after all.
    pub(super) fn not_reported(&mut self, seat: Seat) {
        self.seats[seat.index()].is_reported = false;
    }

    /// Returns the connections of one seat.
    pub(super) fn of(&self, seat: Seat) -> impl Iterator<Item = &P> {
        self.seats[seat.index()].peers.values()
    }

    /// Returns the connections of all players.
    pub(super) fn players(&self) -> Vec<P> {
        self.seats
            .iter()
            .flat_map(|seat_peers| seat_peers.peers.values().cloned())
            .collect()
    }

    /// Says whether a player is connected to another node.
    pub(super) fn has_player_elsewhere(&self) -> bool
    where
        P: Participant,
    {
        let mut peers = self.seats.iter().flat_map(|seat| seat.peers.values());
        peers.any(Participant::is_elsewhere)
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

    /// Returns the number of spectators as it is announced: exact up to 20, then two digits.
    pub(super) fn watching(&self) -> u32 {
        rounded(self.spectators.len())
    }
}

/// Returns a number with two significant digits, exact up to 20.
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
    fn numbers_of_spectators_are_rounded_to_two_digits() {
        let told = [0, 1, 20, 21, 99, 100, 109, 110, 1_234, 98_765].map(rounded);
        assert_eq!(told, [0, 1, 20, 21, 99, 100, 100, 110, 1_200, 98_000]);
    }
}
