//! A view that starts from a snapshot.

use tilewire_protocol::Snapshot;

use super::{GameView, LastPlay, SeatState, laid};

impl GameView {
    /// The view that a snapshot describes.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut view = Self::created(snapshot.setup.clone(), snapshot.role, snapshot.seat);
        view.seq = snapshot.seq;
        view.phase = snapshot.phase;
        view.turn_no = snapshot.turn_no;
        view.on_turn = snapshot.on_turn;
        for tile in &snapshot.board {
            if let Ok(square) = tile.square.parse() {
                view.put(square, tile.tile.clone());
            }
        }
        view.seats = snapshot
            .seats
            .iter()
            .map(|seat| SeatState {
                score: seat.score,
                rack_count: seat.rack_count,
                owed: 0,
                is_ready: seat.ready,
                retired: seat.retired,
                turn_debt: seat.turn_debt,
                is_connected: Some(seat.connected),
                rack: seat.rack.clone().unwrap_or_default(),
            })
            .collect();
        let own = snapshot.seat.map(usize::from);
        if let Some(own) = own.and_then(|seat| view.seats.get_mut(seat)) {
            view.rack = std::mem::take(&mut own.rack);
        }
        view.bag = snapshot.bag;
        view.clocks = snapshot.clocks.clone();
        view.window = snapshot.window.clone();
        view.waiting_until = snapshot.waiting_until;
        view.turns = snapshot.turns.clone();
        view.vanished = snapshot.vanished.clone();
        view.abort_request = snapshot.abort_request;
        view.nudge = snapshot.nudge;
        view.adjourn_request = snapshot.adjourn_request.clone();
        view.adjourned = snapshot.adjourned.clone();
        view.time_refused = snapshot.time_refused.clone();
        view.hints.clone_from(&snapshot.hints);
        view.result = snapshot.result.clone();
        view.restore_last_play();
        view
    }

    /// Restores the last play and the tiles owed for it from the turns of a snapshot.
    fn restore_last_play(&mut self) {
        let play = self.turns.iter().rev().find(|turn| turn.play_id.is_some());
        let Some((play, play_id)) = play.and_then(|play| Some((play.clone(), play.play_id?)))
        else {
            return;
        };
        let (Some(start), Some(tiles)) = (&play.start, &play.tiles) else {
            return;
        };
        let laid = laid(start, tiles);
        let count = u32::try_from(laid.len()).unwrap_or(u32::MAX);
        self.last_play = Some(LastPlay {
            play_id,
            seat: play.seat,
            laid,
        });
        let window = self.window.as_ref();
        if window.is_none_or(|window| window.play_id != play_id) {
            return;
        }
        // The tiles the author has in hand: the own rack is known. The rack of another seat was full before the play,
        // unless the bag was empty, and then nothing is owed.
        let in_hand = if self.seat == Some(play.seat) {
            u32::try_from(self.rack.len()).unwrap_or(u32::MAX)
        } else {
            u32::from(self.setup.rule_set.rack_size).saturating_sub(count)
        };
        if let Some(seat) = self.seats.get_mut(usize::from(play.seat)) {
            seat.owed = seat.rack_count.saturating_sub(in_hand);
        }
    }
}
