//! How many moves a second a server bears: the rate is raised until 99 of 100 no longer reach the others in time.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::catalog::Peer;
use super::rooms::{self, Plan, RoomRun};
use crate::args::Common;

/// Each rate is so many times the one before.
const STEP: f64 = 1.5;
/// Steps at most; the last rate is some two thousand times the first.
const STEPS_MAX: u64 = 20;
/// A rate that was too much is tried again: the machine may have been at fault.
const TRIES: u64 = 2;

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Capacity {
    /// Moves a second at the last rate that was borne; 0 if the first was too much.
    pub(super) capacity_per_s: f64,
    /// The run at that rate.
    #[serde(flatten)]
    pub(super) run: RoomRun,
}

/// Looks for it, at a peer or at ours.
///
/// # Errors
/// When a server does not start, or tells wrong.
pub(super) async fn look(
    who: Option<(Peer, &Path)>,
    plan: Plan,
    in_time: Duration,
    common: &Common,
    seed: u64,
) -> Result<Capacity> {
    let mut found: Option<Capacity> = None;
    let mut rate = plan.rate;
    for step in 0..STEPS_MAX {
        let mut is_borne = false;
        for attempt in 0..TRIES {
            let seed = seed.wrapping_add(1_000 * (step * TRIES + attempt));
            let plan = Plan { rate, ..plan };
            let run = match who {
                Some((peer, dir)) => rooms::theirs(peer, dir, plan, common, seed).await?,
                None => rooms::ours(plan, common, seed).await?,
            };
            is_borne = run.keeps_up(in_time);
            if is_borne || found.is_none() {
                let capacity_per_s = if is_borne { run.moves_per_s } else { 0.0 };
                found = Some(Capacity {
                    capacity_per_s,
                    run,
                });
            }
            if is_borne {
                break;
            }
        }
        if !is_borne {
            break;
        }
        rate *= STEP;
    }
    Ok(found.unwrap_or_else(|| unreachable!("the first run was found")))
}
