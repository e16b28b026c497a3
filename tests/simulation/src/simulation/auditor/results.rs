//! Results and ratings: every game that ended has one result, and ratings and points follow from results.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_people::pools::{TimeClass, Unrated};
use tilewire_people::results::{GameResult, Rated};
use tilewire_protocol::{GameId, RatingChanged};
use tilewire_rules::event::{Created, Ended, Player, PlayerKind};
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_store::{AccountStore, NewResult, RatingChange, ResultStore};

use super::Auditor;
use super::conduct::is_left_unplayed;
use super::ratings::{Pool, Ratings, Value};
use crate::simulation::disk::Durable;
use crate::simulation::durable::Step;
use crate::simulation::durable::{ALL, at_once};
use crate::simulation::line::LineId;

/// A rating above this deviation is provisional.
const PROVISIONAL_ABOVE: u32 = 110;

/// The changes that the chronicle has written.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// The changes of ratings by each game.
    written: BTreeMap<GameId, Vec<RatingChange>>,
    ratings: Ratings,
    /// How many chapters there are.
    chapters: usize,
    /// The times at which the server learned of each chapter.
    known: Vec<(i64, usize)>,
}

impl Auditor {
    /// The chronicle has done something.
    ///
    /// # Panics
    /// When it should not have.
    pub fn chronicled(&mut self, step: &Step, durable: &Durable) {
        match step {
            Step::Known => self.results.known.push((self.now, self.results.chapters)),
            Step::Written { results, until } => {
                self.results.chapters += 1;
                for new in results {
                    self.result_written(new);
                }
                let mut ends = durable.endings.iter();
                let lost = ends.find(|end| {
                    end.arrival <= *until && !self.results.written.contains_key(&end.game)
                });
                assert!(
                    lost.is_none(),
                    "a game that ended was passed over: {lost:?}"
                );
            }
        }
    }

    fn result_written(&mut self, new: &NewResult) {
        self.checked += 1;
        let game = GameId(new.result.game.clone());
        let log = self.logs.get(&game);
        let log = log.unwrap_or_else(|| panic!("{game} has a result and no log"));
        let created = &log.book.created;
        let ended = log.book.ended.as_ref();
        let ended = ended.unwrap_or_else(|| panic!("{game} has a result before its end"));
        let ended_at = log.records.last().map_or(0, |record| record.at.0);
        let is_played = !is_left_unplayed(created, &log.records);
        let pool = Pool::of(created).filter(|_| is_played);
        check_result(&new.result, created, ended, (ended_at, pool.as_ref()));
        self.conducts.count(new, created, &log.records);
        assert!(pool.is_none() || !new.is_private, "{new:?}");
        let pool = pool.filter(|_| ended.reason.has_result());
        let expected = pool.map(|pool| {
            let players = [0, 1].map(|seat| &created.players[seat].identity);
            let chapter = self.results.chapters;
            let scores = scores(ended);
            let ratings = &mut self.results.ratings;
            (
                players.map(String::clone),
                ratings.add(chapter, &pool, ended_at, players, scores),
            )
        });
        check_changes(&new.changes, expected.as_ref());
        let former = self.results.written.insert(game, new.changes.clone());
        assert!(former.is_none(), "a game has two results: {new:?}");
    }

    /// Checks that a game was created with the ratings of its players that the server knew, or with newer ones.
    pub(super) fn check_ratings_at_creation(&self, created: &Created, at: i64, durable: &Durable) {
        if created.options.rated {
            let identities: BTreeSet<&String> =
                created.players.iter().map(|one| &one.identity).collect();
            assert_eq!((created.players.len(), identities.len()), (2, 2));
            let is_rateable = |one: &Player| one.kind == Some(PlayerKind::Registered);
            let all = created.players.iter().all(is_rateable);
            assert!(all, "only registered players play rated games: {created:?}");
        }
        let pool = Pool::with_options(created);
        for player in &created.players {
            match &pool {
                Some(pool) if player.kind == Some(PlayerKind::Registered) => {
                    self.check_rating_at_creation(pool, player, at, durable);
                }
                _ => assert_eq!(player.rating, None, "{player:?}"),
            }
        }
    }

    fn check_rating_at_creation(&self, pool: &Pool, player: &Player, at: i64, durable: &Durable) {
        let identity = player.identity.as_str();
        let account = at_once(durable.stores.account(identity));
        let account = account.ok().flatten();
        let is_registered = account.is_some_and(|stored| stored.account.registration.is_some());
        assert!(is_registered, "not a registered player: {player:?}");
        let rating = player.rating.expect("a registered player has a rating");
        let known = self.results.known.iter().filter(|(since, _)| *since < at);
        let known = known.map(|(_, chapter)| *chapter).max().unwrap_or(0);
        let all = self.results.ratings.all(pool, identity);
        let old = all.partition_point(|standing| standing.chapter <= known);
        let mut possible = all[old.saturating_sub(1)..].iter();
        let is_so = |value: Value| {
            value.is_shown_as(rating.value.into(), rating.deviation.into())
                && rating.provisional == (rating.deviation > PROVISIONAL_ABOVE)
        };
        let is_first = old == 0 && is_so(Value::NEW);
        assert!(
            is_first || possible.any(|standing| is_so(standing.at(pool, at))),
            "a game began with a rating that was never stored, or is old: {player:?}: {all:?}"
        );
    }

    /// A player is told of a changed rating.
    pub(super) fn check_rating(&self, line: LineId, told: &RatingChanged) {
        let created = &self.log(&told.game).book.created;
        let pool = Pool::of(created).expect("a casual game changes no rating");
        assert_eq!(told.pool, pool.name);
        let identity = self.lines[&line].identity.as_ref();
        let changes = self.results.written.get(&told.game);
        let changes = changes.unwrap_or_else(|| panic!("it is not stored yet: {told:?}"));
        let own = changes.iter().find(|one| Some(&one.identity) == identity);
        let own = own.unwrap_or_else(|| panic!("{line} plays no part in it: {told:?}"));
        let after = (i64::from(told.after.value), i64::from(told.after.deviation));
        assert_eq!(
            (i64::from(told.before), after),
            (own.before, (own.after, own.deviation)),
            "a player is told another rating than is stored"
        );
        assert_eq!(
            told.after.provisional,
            told.after.deviation > PROVISIONAL_ABOVE
        );
    }

    /// Checks that the disk has each result once, and the ratings that follow from them.
    ///
    /// # Panics
    /// When it has not.
    pub fn check_results(&self, durable: &Durable) {
        let results = durable.results();
        let games: BTreeSet<&str> = results.iter().map(String::as_str).collect();
        let written: BTreeSet<&str> = self.results.written.keys().map(GameId::as_str).collect();
        assert_eq!((&games, results.len()), (&written, written.len()));
        let rows = at_once(durable.stores.ratings_after(None, ALL));
        let rows = rows.expect("in memory");
        self.check_conduct(durable);
        let players = &self.results.ratings.players;
        assert_eq!(
            rows.len(),
            players.len(),
            "every rating follows from results"
        );
        for row in rows {
            let name = row.pool.to_string();
            let own = players
                .iter()
                .find(|((pool, player), _)| pool.name == name && *player == row.identity);
            let ((pool, _), all) = own.unwrap_or_else(|| panic!("no game leads to {row:?}"));
            let own = all.last().expect("there is a game");
            assert_eq!(row.rating.games(), own.count, "{row:?}");
            let class: TimeClass = row.pool.time_class;
            let (stored, own) = (
                row.rating.at(class, Timestamp(self.now)),
                own.at(pool, self.now),
            );
            let is_near = |one: f64, other: f64| (one - other).abs() < 0.01;
            assert!(
                is_near(stored.rating(), own.rating) && is_near(stored.deviation(), own.deviation),
                "{row:?} is {own:?}"
            );
        }
    }

    /// Says whether every game that has ended has its result.
    #[must_use]
    pub fn is_chronicled(&self) -> bool {
        let mut ended = self.logs.iter().filter(|(_, log)| log.book.ended.is_some());
        ended.all(|(game, _)| self.results.written.contains_key(game))
    }

    /// Returns how many games changed ratings.
    #[must_use]
    pub fn rated(&self) -> usize {
        let written = self.results.written.values();
        written.filter(|changes| !changes.is_empty()).count()
    }
}

/// A result says what the log says.
fn check_result(
    result: &GameResult,
    created: &Created,
    ended: &Ended,
    (ended_at, pool): (i64, Option<&Pool>),
) {
    let found = match &result.rated {
        Rated::In(pool) => Some(pool.to_string()),
        Rated::Casual => None,
        Rated::Refused(Unrated::Unplayed) if created.options.rated => None,
        other => panic!("a game is rated or casual: {other:?}"),
    };
    assert_eq!(found, pool.map(|pool| pool.name.clone()), "{result:?}");
    assert_eq!(
        (result.reason, result.ended_at.0),
        (ended.reason, ended_at),
        "{result:?}"
    );
    let told = result.seats.iter();
    let told: Vec<_> = told
        .map(|seat| (seat.identity.as_str(), seat.rank, seat.final_score))
        .collect();
    let players = created.players.iter().zip(&ended.results);
    let so: Vec<_> = players
        .map(|(player, seat)| (player.identity.as_str(), seat.rank, seat.final_score))
        .collect();
    assert_eq!(told, so, "{result:?}");
}

/// The score of each of two players: a shared win counts half.
fn scores(ended: &Ended) -> [f64; 2] {
    let has_won = |seat: u8| ended.winners.contains(&Seat(seat));
    match (has_won(0), has_won(1)) {
        (true, true) => [0.5, 0.5],
        (true, false) => [1.0, 0.0],
        (false, true) => [0.0, 1.0],
        (false, false) => panic!("a game with a result has a winner: {ended:?}"),
    }
}

/// Two players, with their ratings before and after a game.
type Expected = ([String; 2], [(Value, Value); 2]);

/// The changes that were told are those of an independent computation.
fn check_changes(told: &[RatingChange], expected: Option<&Expected>) {
    let Some((players, values)) = expected else {
        assert!(told.is_empty(), "the game changes no rating: {told:?}");
        return;
    };
    assert_eq!(told.len(), 2, "two players: {told:?}");
    for ((told, player), (before, after)) in told.iter().zip(players).zip(values) {
        assert_eq!(told.identity, *player);
        let is_so = before.has_rating(told.before) && after.is_shown_as(told.after, told.deviation);
        assert!(is_so, "{told:?} is from {before:?} to {after:?}");
    }
}
