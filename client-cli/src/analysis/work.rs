//! Evaluates the turns of a game on several threads, with a progress bar. Ctrl-C ends the work with what is done.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use tilewire_rules::analysis::{Effort, Engine, Evaluation};
use tilewire_rules::lexicon::WordGraphs;

use super::game::Game;

/// Cells of the progress bar.
const BAR: usize = 40;
/// Exit status after a second Ctrl-C.
const EXIT_INTERRUPTED: i32 = 130;

/// Returns a flag that the first Ctrl-C sets; the second ends the program.
pub(super) fn interruptible() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let wait = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        // Without a handler Ctrl-C ends the program at once.
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if set.swap(true, Ordering::Relaxed) {
                    std::process::exit(EXIT_INTERRUPTED);
                }
            }
        });
    };
    thread::spawn(wait);
    flag
}

/// Evaluates the turns of a game that can be compared, of one seat or of all.
pub(super) fn evaluate(
    game: &Game,
    words: &Arc<WordGraphs>,
    (effort, seat): (&Effort, Option<usize>),
    threads: usize,
    stop: &AtomicBool,
) -> Vec<Option<Evaluation>> {
    let turns = game.turns.iter().enumerate();
    let jobs: Vec<usize> = turns
        .filter(|(_, turn)| turn.is_known() && seat.is_none_or(|seat| seat == turn.seat))
        .map(|(index, _)| index)
        .collect();
    let next = AtomicUsize::new(0);
    let mut evaluations = vec![None; game.turns.len()];
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, jobs.len().max(1)) {
            let (send, next, jobs) = (send.clone(), &next, &jobs);
            scope.spawn(move || {
                let mut engine = Engine::new(Arc::clone(words), &game.rules);
                while let Some(index) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = one(&mut engine, game, *index, effort, stop);
                    if found.is_none() || send.send((*index, found)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let progress = Progress::new(jobs.len());
        for (done, (index, found)) in (1..).zip(receive) {
            evaluations[index] = found;
            progress.show(done);
        }
        progress.clear();
    });
    evaluations
}

fn one(
    engine: &mut Engine,
    game: &Game,
    index: usize,
    effort: &Effort,
    stop: &AtomicBool,
) -> Option<Evaluation> {
    let made = &game.turns[index];
    let turn = made.turn.as_ref()?;
    let seen = made.seen(&game.rules, &game.targets);
    let stop = || stop.load(Ordering::Relaxed);
    if stop() {
        return None;
    }
    let kept = game.kept(index);
    // A play that was challenged off is worth a pass.
    let pass = tilewire_rules::bot::BotTurn::Pass;
    let result = if made.is_off {
        (&pass, 0)
    } else {
        (turn, made.score)
    };
    engine.evaluate(&seen, result, kept.as_deref(), effort, &stop)
}

/// The progress bar, on a terminal only.
struct Progress {
    all: usize,
    is_shown: bool,
}

impl Progress {
    fn new(all: usize) -> Self {
        let progress = Self {
            all,
            is_shown: stderr().is_terminal() && all > 0,
        };
        progress.show(0);
        progress
    }

    fn show(&self, done: usize) {
        if !self.is_shown {
            return;
        }
        let full = BAR * done / self.all;
        let (full, empty) = ("█".repeat(full), "░".repeat(BAR - full));
        let Self { all, .. } = self;
        // The progress is optional, so an error of stderr does not matter.
        drop(write!(stderr(), "\r{full}{empty} {done} of {all} turns"));
    }

    fn clear(&self) {
        if self.is_shown {
            drop(write!(stderr(), "\r\x1b[K"));
        }
    }
}
