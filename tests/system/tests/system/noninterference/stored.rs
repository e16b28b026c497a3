//! Running games in the storage of two servers, which differ in the tiles that a viewer has not seen.

use std::path::Path;
use std::sync::Arc;

use tilewire_config::StorageConfig;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::Record;
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Timestamp;
use tilewire_rules::view::Audience;
use tilewire_store::{Append, GameMeta};

use super::table::{Sitting, Table, differing, first_game, mix};

/// Commands of a stored game: tiles are left, and the game goes on.
const COMMANDS: usize = 16;
/// Attempts to play a game that does not end by then.
const ATTEMPTS: u64 = 20;

/// A running game and its twin, equal but for the tiles that a viewer has not seen.
pub(crate) struct Twins {
    pub(crate) game: String,
    players: Vec<String>,
    rule_set: String,
    pub(crate) is_private: bool,
    at: Timestamp,
    logs: [Vec<Record>; 2],
    /// How many tiles have another face.
    pub(crate) changed: usize,
}

impl Twins {
    /// The number of the last event that both logs have.
    pub(crate) fn head(&self) -> u64 {
        self.logs[0].last().map_or(0, |record| record.seq.0)
    }

    /// Plays a game of `players`, begun at `at`, and its twin for a viewer.
    pub(crate) fn play(
        game: String,
        players: [&str; 2],
        at: Timestamp,
        audience: Audience,
        seed: u64,
    ) -> Self {
        let rules = RuleSet::classic();
        let sitting = Sitting {
            game,
            identities: players.map(str::to_owned).to_vec(),
            at: at.0,
            lexicon: ("wordnik", *FstLexicon::builtin().hash()),
            // The wall clock goes on while the server does not run.
            clock: Some(ClockKind::Untimed),
        };
        let seeds = (0..ATTEMPTS).map(|attempt| seed * ATTEMPTS + attempt);
        let pairs = seeds.map(|seed| pair(&rules, &sitting, audience, seed));
        let (tables, changed) = pairs.into_iter().flatten().next().unwrap();
        Self {
            game: sitting.game,
            players: sitting.identities,
            rule_set: rules.id.clone(),
            is_private: seed % 2 == 1,
            at,
            logs: tables.map(|table| table.records),
            changed,
        }
    }

    /// The code by which others watch the game, if it is private.
    pub(crate) fn code(&self) -> String {
        format!("CODE{}", self.game).to_uppercase()
    }

    fn meta(&self) -> GameMeta {
        GameMeta {
            game: self.game.as_str().into(),
            epoch: 1,
            rule_set: self.rule_set.clone(),
            private_code: self.is_private.then(|| self.code()),
            players: self.players.clone(),
            created_at: self.at,
        }
    }
}

/// Plays a game and its twin; `None` if the game has ended.
fn pair(
    rules: &Arc<RuleSet>,
    sitting: &Sitting,
    audience: Audience,
    seed: u64,
) -> Option<([Table; 2], usize)> {
    let faces = rules.tiles.all();
    let mut first = Table::of(rules, sitting, audience, seed, faces.clone());
    let deeds = first_game(&mut first, 2, seed, COMMANDS);
    let other = mix(&faces, &first.seen, seed);
    let changed = differing(&faces, &other);
    let mut second = Table::of(rules, sitting, audience, seed, other);
    second.follows(&deeds);
    assert!(first.told == second.told, "{audience:?}, seed {seed}");
    (!first.is_over()).then_some(([first, second], changed))
}

/// Stores the games, or with `number` 1 their twins, in the data directory of a server that does not run.
pub(crate) fn store(dir: &Path, games: &[Twins], number: usize) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let storage =
            tilewire_databases::open(dir, &StorageConfig::default(), Timestamp(1)).unwrap();
        for game in games {
            let meta = game.meta();
            let id = meta.game.clone();
            let mut records = game.logs[number].clone();
            let first = records.remove(0);
            storage.create(meta, first).await.unwrap();
            let append = Append {
                game: id,
                after: 1,
                records: records.into(),
                is_finished: false,
            };
            storage.append(append).await.unwrap();
        }
        storage.close().await;
    });
}
