//! Decides how much load the server sheds: a machine that gets the time and the measured pressure.
//!
//! Pressure that lasts raises the level by one, and by one more each time it lasts as long again. Calm that lasts
//! lowers it the same way. Anything in between leaves the level as it is.

use tilewire_rules::time::{Millis, Timestamp};

use super::Level;
use tilewire_config::OverloadConfig;

/// One measurement of the load. Each value is a percentage of its bound in the settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pressure {
    /// How late a due task ran.
    pub lag: u32,
    /// Changes that wait for the disk.
    pub journal: u32,
    /// Requests that wait for the lobby.
    pub lobby: u32,
}

/// The pressure from which on the server is overloaded.
const TOO_MUCH: u32 = 100;

impl Pressure {
    /// Relates measured values to their bounds: the lag in ms, the fill level of queues in percent.
    #[must_use]
    pub fn of(settings: &OverloadConfig, lag_ms: Millis, journal: u32, lobby: u32) -> Self {
        let lag = (lag_ms.max(Millis::ZERO) * 100).0 / settings.lag_ms.0.max(1);
        Self {
            lag: u32::try_from(lag).unwrap_or(u32::MAX),
            journal: journal.saturating_mul(100) / settings.journal_percent.max(1),
            lobby: lobby.saturating_mul(100) / settings.lobby_percent.max(1),
        }
    }

    /// Returns the highest of the values.
    #[must_use]
    pub fn most(self) -> u32 {
        self.lag.max(self.journal).max(self.lobby)
    }
}

/// Decides on the level.
#[derive(Debug, Clone)]
pub struct Machine {
    settings: OverloadConfig,
    level: Level,
    /// When the present period of overload began, or the level last rose in it.
    pressed_since: Option<Timestamp>,
    /// When the present period of calm began, or the level last fell in it.
    calm_since: Option<Timestamp>,
    measured_at: Option<Timestamp>,
}

impl Machine {
    /// Starts at the minimum level of the settings.
    #[must_use]
    pub fn new(settings: &OverloadConfig) -> Self {
        Self {
            level: Level::from_number(settings.least_level),
            settings: settings.clone(),
            pressed_since: None,
            calm_since: None,
            measured_at: None,
        }
    }

    /// Returns the present level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Takes a measurement at `now`, and returns the new level. The measurement counts for the time since the last one: a
    /// server that could not even measure was overloaded meanwhile.
    pub fn take(&mut self, now: Timestamp, pressure: Pressure) -> Level {
        let pressure = pressure.most();
        let before = self.measured_at.replace(now).unwrap_or(now);
        if pressure >= TOO_MUCH {
            self.calm_since = None;
            let since = *self.pressed_since.get_or_insert(before);
            if now - since >= self.settings.rise_ms {
                self.pressed_since = Some(now);
                self.level = Level::from_number(self.level.number().saturating_add(1));
            }
        } else if pressure < self.settings.calm_percent {
            self.pressed_since = None;
            let since = *self.calm_since.get_or_insert(before);
            if now - since >= self.settings.fall_ms {
                self.calm_since = Some(now);
                let lower = self.level.number().saturating_sub(1);
                self.level = Level::from_number(lower.max(self.settings.least_level));
            }
        } else {
            (self.pressed_since, self.calm_since) = (None, None);
        }
        self.level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine::new(&OverloadConfig {
            rise_ms: Millis(1_000),
            fall_ms: Millis(5_000),
            calm_percent: 50,
            ..OverloadConfig::default()
        })
    }

    fn pressed(percent: u32) -> Pressure {
        Pressure {
            lag: percent,
            ..Pressure::default()
        }
    }

    /// Feeds the same measurement every 100 ms from one moment (ms) to another; returns the changes of level with their moments.
    fn course(machine: &mut Machine, from: i64, until: i64, percent: u32) -> Vec<(i64, Level)> {
        let mut changes = Vec::new();
        for now in (from..until).step_by(100) {
            let before = machine.level();
            let level = machine.take(Timestamp(now), pressed(percent));
            if level != before {
                changes.push((now, level));
            }
        }
        changes
    }

    #[test]
    fn pressure_that_lasts_raises_the_level_one_after_the_other() {
        let expected = vec![
            (1_000, Level::NoSpectators),
            (2_000, Level::Grouped),
            (3_000, Level::NoPresence),
            (4_000, Level::NoGames),
        ];
        assert_eq!(course(&mut machine(), 0, 10_000, 100), expected);
    }

    #[test]
    fn calm_that_lasts_lowers_it_more_slowly() {
        let mut machine = machine();
        course(&mut machine, 0, 2_500, 500);
        let expected = vec![(7_400, Level::NoSpectators), (12_400, Level::Normal)];
        assert_eq!(course(&mut machine, 2_500, 30_000, 49), expected);
    }

    #[test]
    fn a_moment_of_pressure_or_calm_changes_nothing() {
        let mut machine = machine();
        for round in 0..100 {
            let at = round * 1_000;
            assert_eq!(course(&mut machine, at, at + 900, 1_000), vec![]);
            assert_eq!(course(&mut machine, at + 900, at + 1_000, 0), vec![]);
        }
        assert_eq!(machine.level(), Level::Normal);
    }

    #[test]
    fn a_measurement_stands_for_the_time_since_the_one_before() {
        let mut machine = machine();
        assert_eq!(machine.take(Timestamp(0), pressed(0)), Level::Normal);
        assert_eq!(
            machine.take(Timestamp(3_000), pressed(1_450)),
            Level::NoSpectators
        );
    }

    #[test]
    fn what_lies_between_holds_the_level() {
        let mut machine = machine();
        course(&mut machine, 0, 1_100, 100);
        assert_eq!(course(&mut machine, 1_100, 100_000, 75), vec![]);
        assert_eq!(machine.level(), Level::NoSpectators);
    }

    #[test]
    fn it_never_falls_below_the_least_level() {
        let mut machine = Machine::new(&OverloadConfig {
            least_level: 2,
            ..OverloadConfig::default()
        });
        assert_eq!(course(&mut machine, 0, 100_000, 0), vec![]);
        assert_eq!(machine.level(), Level::Grouped);
    }

    #[test]
    fn each_measure_presses_by_itself() {
        let settings = OverloadConfig {
            lag_ms: Millis(200),
            journal_percent: 50,
            lobby_percent: 80,
            ..OverloadConfig::default()
        };
        let most = |lag_ms, journal, lobby| Pressure::of(&settings, lag_ms, journal, lobby).most();
        assert_eq!(most(Millis(0), 0, 0), 0);
        assert_eq!(most(Millis(200), 0, 0), 100);
        assert_eq!(most(Millis(0), 50, 0), 100);
        assert_eq!(most(Millis(0), 0, 80), 100);
        assert_eq!(most(Millis(-5), 25, 60), 75);
        assert_eq!(most(Millis(i64::MAX), u32::MAX, u32::MAX), u32::MAX);
    }

    #[test]
    fn each_level_leaves_out_one_thing_more() {
        let kept = Level::ALL.map(|level| {
            [
                level.takes_spectators(),
                level.shows_at_once(),
                level.tells_presence(),
                level.begins_games(),
            ]
        });
        let expected = [0, 1, 2, 3, 4].map(|number| [0, 1, 2, 3].map(|at| at >= number));
        assert_eq!(kept, expected);
    }
}
