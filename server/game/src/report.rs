//! The reports of a node to the node with the lobby about the games in memory.
//!
//! A report is lost only together with the link between the two nodes. The node then begins anew: it forgets what it has told, and
//! marks the first report and the one that completes the list.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use tilewire_protocol::{GameId, GameSummary};
use tilewire_rules::time::{Millis, Timestamp};

use super::news::GameNews;

/// Bytes of the games in a report, about.
const REPORT_BYTES: usize = 256 * 1024;
/// Bytes of a game in a report, beside its summary.
const LINE_BYTES: usize = 64;
/// Games in a report that were reported before and have changed.
const CHANGES_MOST: usize = 256;
/// Games in a report that have left memory.
const GONE_MOST: usize = 2_048;
/// The time for which a beginning or an end is told to a node that gets the list anew.
const NEWS_KEPT_MS: Millis = Millis(30_000);
/// Beginnings and ends that are kept.
const NEWS_MOST: usize = 1_024;

/// A report of a node about its games.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GameReport {
    /// Whether the list begins anew: what was reported before does not count when the list is whole.
    pub is_anew: bool,
    /// Whether the list is whole with this report.
    pub is_whole: bool,
    /// Unfinished games in memory that are new in the list or have changed.
    pub games: Vec<ReportedLine>,
    /// Games that have left the list: they are over, sleep, or have left the node.
    pub gone: Vec<GameId>,
    /// The summaries of public games that ended, in JSON.
    pub ended: Vec<String>,
}

/// A game in a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedLine {
    /// The game.
    pub game: GameId,
    /// When it was created.
    pub created_at: i64,
    /// Its summary for spectators, in JSON, if lists of live games show it.
    pub summary: Option<String>,
    /// Whether its first turn began a moment ago.
    pub has_begun: bool,
}

/// An unfinished game in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Present {
    pub(super) created_at: Timestamp,
    /// Changes with its summary.
    pub(super) version: u64,
}

/// The last report about a game.
#[derive(Debug, Clone, Copy)]
struct LastReport {
    version: u64,
    /// The number of the report.
    report: u64,
}

/// Makes the reports of a node.
#[derive(Debug, Default)]
pub struct Reporter {
    told: BTreeMap<GameId, LastReport>,
    reports: u64,
    must_begin: bool,
    must_complete: bool,
    begun: VecDeque<(Timestamp, GameId)>,
    ended: VecDeque<(Timestamp, String)>,
    /// The number of the first ends that were told already.
    ends_told: usize,
}

impl Reporter {
    /// Begins anew: the next reports are the whole list.
    pub fn begin_anew(&mut self) {
        self.told.clear();
        (self.must_begin, self.must_complete) = (true, true);
        self.ends_told = 0;
    }

    /// Notes that a public game began or ended.
    pub fn note(&mut self, now: Timestamp, news: GameNews) {
        match news {
            GameNews::Started(summary) => self.begun.push_back((now, summary.game)),
            GameNews::Ended(summary) => {
                self.ended.extend(json(&summary).map(|ended| (now, ended)));
            }
        }
        self.forget_old(now);
    }

    fn forget_old(&mut self, now: Timestamp) {
        let is_old = |at: &Timestamp| now - *at >= NEWS_KEPT_MS;
        while self.begun.len() > NEWS_MOST || self.begun.front().is_some_and(|(at, _)| is_old(at)) {
            self.begun.pop_front();
        }
        while self.ended.len() > NEWS_MOST || self.ended.front().is_some_and(|(at, _)| is_old(at)) {
            self.ended.pop_front();
            self.ends_told = self.ends_told.saturating_sub(1);
        }
    }

    /// Returns the next report, if there is something to tell, and whether there is more than fits.
    pub(super) fn report(
        &mut self,
        now: Timestamp,
        present: &BTreeMap<GameId, Present>,
        summary: impl Fn(&GameId) -> Option<GameSummary>,
    ) -> Option<(GameReport, bool)> {
        self.forget_old(now);
        self.reports += 1;
        let mut report = GameReport {
            is_anew: std::mem::take(&mut self.must_begin),
            ..GameReport::default()
        };
        let gone = self.told.keys().filter(|game| !present.contains_key(*game));
        report.gone = gone.take(GONE_MOST).cloned().collect();
        for game in &report.gone {
            self.told.remove(game);
        }
        let is_left = self.tell_games(present, &summary, &mut report);
        report.is_whole = self.must_complete && !is_left;
        self.must_complete &= is_left;
        let ended = self.ended.iter().skip(self.ends_told);
        report.ended = ended.map(|(_, ended)| ended.clone()).collect();
        self.ends_told = self.ended.len();
        let has_more = is_left || report.gone.len() == GONE_MOST;
        (report != GameReport::default()).then_some((report, has_more))
    }

    /// Adds games to a report: first those that were not told, then those that were told longest ago. Says whether some that were
    /// not told are left.
    fn tell_games(
        &mut self,
        present: &BTreeMap<GameId, Present>,
        summary: &impl Fn(&GameId) -> Option<GameSummary>,
        report: &mut GameReport,
    ) -> bool {
        let mut untold: Vec<(u64, &GameId, Present)> = Vec::new();
        for (game, now) in present {
            match self.told.get(game) {
                None => untold.push((0, game, *now)),
                Some(told) if told.version != now.version => untold.push((told.report, game, *now)),
                Some(_) => {}
            }
        }
        untold.sort_unstable_by_key(|(report, game, _)| (*report, *game));
        let (mut bytes, mut changes) = (0, 0);
        for (told_in, game, now) in untold {
            let is_new = told_in == 0;
            changes += usize::from(!is_new);
            if bytes >= REPORT_BYTES || changes > CHANGES_MOST {
                return is_new;
            }
            let line = ReportedLine {
                game: game.clone(),
                created_at: now.created_at.0,
                summary: summary(game).as_ref().and_then(json),
                has_begun: self.begun.iter().any(|(_, begun)| begun == game),
            };
            bytes += LINE_BYTES + line.summary.as_ref().map_or(0, String::len);
            report.games.push(line);
            let told = LastReport {
                version: now.version,
                report: self.reports,
            };
            self.told.insert(game.clone(), told);
        }
        false
    }
}

impl GameReport {
    /// Returns the bytes that the report takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        let lines = self.games.iter();
        let lines = lines.map(|line| line.summary.as_ref().map_or(0, String::len) + LINE_BYTES);
        let ended = self.ended.iter().map(|ended| ended.len() + LINE_BYTES);
        lines.chain(ended).sum::<usize>() + self.gone.len() * LINE_BYTES
    }
}

fn json(summary: &GameSummary) -> Option<String> {
    serde_json::to_string(summary).ok() // a summary is plain data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summaries::running_summary;

    fn games(versions: &[(&str, u64)]) -> BTreeMap<GameId, Present> {
        let present = |version| Present {
            created_at: Timestamp(5),
            version,
        };
        let games = versions.iter();
        games
            .map(|(game, version)| (GameId::from(*game), present(*version)))
            .collect()
    }

    fn named(game: &GameId) -> GameSummary {
        GameSummary {
            game: game.clone(),
            ..running_summary()
        }
    }

    fn reported(
        reporter: &mut Reporter,
        present: &[(&str, u64)],
    ) -> Option<(Vec<String>, Vec<String>)> {
        let listed = |game: &GameId| (!game.0.starts_with("private")).then(|| named(game));
        let (report, _) = reporter.report(Timestamp(0), &games(present), listed)?;
        let line = |line: ReportedLine| match line.summary {
            Some(_) => line.game.0,
            None => format!("{} unlisted", line.game),
        };
        let games = report.games.into_iter().map(line).collect();
        Some((games, report.gone.into_iter().map(|game| game.0).collect()))
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn only_what_has_changed_is_reported() {
        let mut reporter = Reporter::default();
        assert_eq!(reported(&mut reporter, &[]), None);
        let first = reported(&mut reporter, &[("a", 1), ("private", 1)]);
        assert_eq!(first, Some((texts(&["a", "private unlisted"]), vec![])));
        assert_eq!(reported(&mut reporter, &[("a", 1), ("private", 1)]), None);
        let next = reported(&mut reporter, &[("a", 2), ("b", 1)]);
        assert_eq!(next, Some((texts(&["b", "a"]), texts(&["private"]))));
        assert_eq!(reported(&mut reporter, &[("a", 2), ("b", 1)]), None);
        reporter.begin_anew();
        let again = reported(&mut reporter, &[("a", 2), ("b", 1)]);
        assert_eq!(again, Some((texts(&["a", "b"]), vec![])));
    }

    #[test]
    fn a_long_list_comes_in_several_reports() {
        let mut reporter = Reporter::default();
        reporter.begin_anew();
        let names: Vec<String> = (0..2_000).map(|number| format!("g{number:04}")).collect();
        let present: Vec<(&str, u64)> = names.iter().map(|name| (name.as_str(), 1)).collect();
        let present = games(&present);
        let (mut seen, mut reports) = (Vec::new(), Vec::new());
        loop {
            let next = reporter.report(Timestamp(0), &present, |game| Some(named(game)));
            let Some((report, has_more)) = next else {
                break;
            };
            assert!(report.size() <= REPORT_BYTES + 1_024, "{}", report.size());
            reports.push((report.is_anew, report.is_whole, has_more));
            seen.extend(report.games.into_iter().map(|line| line.game.0));
        }
        assert_eq!(seen, names);
        let last = reports.pop();
        assert_eq!(last, Some((false, true, false)));
        assert_eq!(reports.first(), Some(&(true, false, true)));
        assert!(
            reports[1..]
                .iter()
                .all(|report| *report == (false, false, true))
        );
    }

    #[test]
    fn ends_are_told_once_and_again_with_the_whole_list() {
        let mut reporter = Reporter::default();
        let ends = |reporter: &mut Reporter, at| {
            let report = reporter.report(Timestamp(at), &BTreeMap::new(), |_| None);
            report.map_or(0, |(report, _)| report.ended.len())
        };
        for at in [0, 10] {
            reporter.note(Timestamp(at), GameNews::Ended(running_summary()));
        }
        assert_eq!([ends(&mut reporter, 20), ends(&mut reporter, 20)], [2, 0]);
        reporter.begin_anew();
        assert_eq!(ends(&mut reporter, NEWS_KEPT_MS.0 + 5), 1, "one is too old");
        reporter.note(Timestamp(40_000), GameNews::Ended(running_summary()));
        assert_eq!(ends(&mut reporter, 40_000), 1);
    }
}
