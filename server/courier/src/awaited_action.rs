//! The seats that a game by correspondence waits for, the requested action of each, and the deadline.

use tilewire_rules::state::{Phase, State};
use tilewire_rules::time::{Seat, Timestamp};

use tilewire_store::AwaitedAction;

/// A seat that a game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asking {
    /// The seat.
    pub(crate) seat: Seat,
    /// The action that the game waits for.
    pub(crate) asked: AwaitedAction,
    /// When the game goes on without the seat, or ends.
    pub(crate) deadline: Option<Timestamp>,
}

/// Returns the seats that a game waits for. An adjourned or paused game waits for nobody.
pub(crate) fn asking(state: &State) -> Vec<Asking> {
    if state.pause().is_some() || state.adjournment().is_some() {
        return Vec::new();
    }
    let window = state.window();
    let dispute = window.and_then(|window| Some((window, window.dispute?)));
    if let Some((window, dispute)) = dispute {
        return vec![Asking {
            seat: window.author,
            asked: AwaitedAction::Consent(window.play_id),
            deadline: Some(dispute.decide_by),
        }];
    }
    match state.phase() {
        Phase::Waiting | Phase::Ended => Vec::new(),
        Phase::Running => of_turn(state).into_iter().collect(),
        Phase::Final => {
            let Some(window) = window else {
                return Vec::new();
            };
            let eligible = window.eligible.iter();
            let silent = eligible.filter(|seat| !window.accepted.contains(seat));
            silent
                .map(|seat| Asking {
                    seat: *seat,
                    asked: AwaitedAction::Final(window.play_id),
                    deadline: window.closes_at,
                })
                .collect()
        }
    }
}

fn of_turn(state: &State) -> Option<Asking> {
    let turn = state.turn()?;
    let flag = state.clocks().flag_at(state.options().clock);
    // While another seat holds a play, its clock runs.
    let own = flag.filter(|(seat, _)| *seat == turn.seat);
    Some(Asking {
        seat: turn.seat,
        asked: AwaitedAction::Turn(turn.no),
        deadline: own.map(|(_, at)| at),
    })
}
