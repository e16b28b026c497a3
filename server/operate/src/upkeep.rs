//! The operator's work on the storage: check, back up, restore, and move it to another database.

use std::fmt::Write;
use std::path::Path;

use anyhow::bail;
use tilewire_rules::record::check_native;

use tilewire_config::{Config, DatabaseUrl};
use tilewire_delivery::outbound::Peer;
use tilewire_game::{GameBounds, recovery};
use tilewire_sql::archive::{Archive, Pace};
use tilewire_store::StoredGame;
use tilewire_wire::catalogue::Catalogue;

/// Replays the log of every game and verifies every finished game and its bag. A server may run meanwhile. Returns what
/// there is to say.
///
/// # Errors
/// Names the games that are not sound, and what to do.
pub fn check(config: &Config) -> anyhow::Result<String> {
    check_archive(config, &*tilewire_databases::open_own_archive(config)?)
}

/// Does the same with the games of another data directory. Rule sets and lexica are those of the settings.
///
/// # Errors
/// As [`check`].
pub fn check_stored(config: &Config, data_dir: &Path) -> anyhow::Result<String> {
    check_archive(config, &*tilewire_databases::open_archive(data_dir)?)
}

fn check_archive(config: &Config, archive: &dyn Archive) -> anyhow::Result<String> {
    archive.check()?;
    let catalogue = Catalogue::load(config)?;
    let (mut problems, mut finished, mut running) = (String::new(), 0, 0);
    let mut count = 0;
    for game in archive.games()? {
        let problem = match archive.game(&game) {
            // It was removed while this ran.
            Ok(None) => continue,
            Ok(Some(stored)) => {
                *(if stored.is_finished {
                    &mut finished
                } else {
                    &mut running
                }) += 1;
                problem(&stored, &catalogue, config)
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(problem) = problem {
            count += 1;
            writeln!(problems, "  game {game}: {problem}")?;
        }
    }
    if count > 0 {
        let games = if count == 1 { "game is" } else { "games are" };
        bail!(
            "{count} {games} not sound:\n{problems}\
             The server leaves such games alone and plays the others. To have them again, restore a backup from before \
             (tilewire-server restore FILE --data-dir NEW-DIR)."
        );
    }
    Ok(format!(
        "{finished} finished games and {running} unfinished ones are sound\n"
    ))
}

/// Returns the problem of a game, if there is one.
fn problem(stored: &StoredGame, catalogue: &Catalogue, config: &Config) -> Option<String> {
    let (bounds, now) = (GameBounds::from(config), stored.meta.created_at);
    let room = match recovery::room::<Peer>(stored.clone(), catalogue, bounds, now) {
        Ok(room) => room,
        Err(error) => return Some(error.to_string()),
    };
    let state = room.game().state();
    if state.outcome().is_some() != stored.is_finished {
        return Some("its log and its entry disagree whether it is over".to_owned());
    }
    if !stored.is_finished {
        return None;
    }
    let options = &state.created().options;
    let rules = catalogue.rules(&options.rule_set, &options.language)?;
    let lexicon = catalogue
        .lexica
        .find(&options.lexicon)
        .filter(|lexicon| *lexicon.hash() == state.created().lexicon_hash);
    let report = check_native(rules, &stored.records, lexicon.map(|lexicon| &**lexicon));
    let wrong = (!report.is_exact()).then_some(report.findings)?;
    wrong.first().map(|finding| {
        format!(
            "event {}: {}",
            finding.line.saturating_sub(1),
            finding.reason
        )
    })
}

/// Copies the database into a new file, as it is at one moment. A server may run meanwhile.
///
/// # Errors
/// When the file is there already or cannot be written.
pub fn backup(config: &Config, file: &Path) -> anyhow::Result<String> {
    tilewire_databases::open_own_archive(config)?.copy_to(file, Pace::Full)?;
    Ok(format!("copied to {}\n", file.display()))
}

/// Makes a backup the storage of the settings, which has no data.
///
/// # Errors
/// When it has, or a server uses the directory, or the backup is damaged.
pub fn restore(config: &Config, file: &Path) -> anyhow::Result<String> {
    tilewire_databases::restore_own(file, config)?;
    let place = match config.storage.has_server() {
        true => "the database".to_owned(),
        false => config.data_dir.display().to_string(),
    };
    Ok(format!("restored into {place}\n"))
}

/// Makes the tables of the database that `storage.url` names, or brings them up to date. With `to`, copies everything from the
/// data directory into that database instead; the other settings of `storage` are for it too.
///
/// # Errors
/// When the database cannot be used, has data already, or a server uses the original. Nothing is changed then.
pub fn migrate(config: &Config, to: Option<&str>) -> anyhow::Result<String> {
    let mut target = config.storage.clone();
    if let Some(to) = to {
        target.url = DatabaseUrl::from(to);
    }
    if !target.has_server() {
        bail!("name the database: storage.url, or --to postgres://user@host/database");
    }
    if to.is_some() {
        tilewire_databases::postgres::copy_from(&config.data_dir, &target)?;
        let place = config.data_dir.display();
        return Ok(format!(
            "copied {place}, and compared every row; set storage.url, and keep {place} until the server runs well\n"
        ));
    }
    let (before, after) = tilewire_databases::postgres::migrate(&target)?;
    Ok(format!("schema {after} (before: {before})\n"))
}
