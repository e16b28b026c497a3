//! The restore drill: puts a backup back into a temporary directory and checks every game in it.

use std::env;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, bail};

use super::folder;
use tilewire_config::Config;

use crate::upkeep;

/// Restores a backup, or else the newest one of `backup.directory`, into a temporary directory, checks every game, and removes
/// the directory. Returns its findings. A server may run meanwhile.
///
/// # Errors
/// When there is no backup, it cannot be restored, or a game in it is not sound.
pub fn drill(config: &Config, file: Option<&Path>) -> anyhow::Result<String> {
    let file = match file {
        Some(file) => file.to_owned(),
        None => newest(&config.backup.directory)?,
    };
    let place = Temporary::create()?;
    let data_dir = place.0.join("data");
    let name = file.display();
    tilewire_databases::restore(&file, &data_dir)
        .with_context(|| format!("{name} cannot be restored"))?;
    let sound = upkeep::check_stored(config, &data_dir).with_context(|| format!("in {name}"))?;
    Ok(format!("restored {name}: {sound}"))
}

fn newest(directory: &Path) -> anyhow::Result<PathBuf> {
    if directory.as_os_str().is_empty() {
        bail!("backup.directory is not set; name the backup: tilewire-server backup drill FILE");
    }
    let name = directory.display();
    let found = folder::backups(directory).with_context(|| name.to_string())?;
    let newest = found.into_iter().next_back();
    newest.map_or_else(|| bail!("{name} has no backup"), |backup| Ok(backup.path))
}

/// A directory for the owner alone, below `TMPDIR` or `/tmp`. It is removed with all of its files when this is dropped.
struct Temporary(PathBuf);

impl Temporary {
    fn create() -> anyhow::Result<Self> {
        let path = env::temp_dir().join(format!("tilewire-drill-{}", process::id()));
        // It fails if the directory exists: another user may have prepared it.
        let made = DirBuilder::new().mode(0o700).create(&path);
        made.with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, path = %self.0.display(), "the restored backup could not be removed");
        }
    }
}
