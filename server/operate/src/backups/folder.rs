//! The directory of the backups.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tilewire_rules::time::Timestamp;

use super::name;

/// A complete backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Backup {
    /// The server's time of its beginning.
    pub(super) at: Timestamp,
    /// The file.
    pub(super) path: PathBuf,
}

/// Returns the complete backups, the oldest first. Other files are left out.
///
/// # Errors
/// When the directory cannot be read.
pub(super) fn backups(directory: &Path) -> io::Result<Vec<Backup>> {
    let mut found = Vec::new();
    for name in names(directory)? {
        if let Some(at) = name::time(&name) {
            let path = directory.join(name);
            found.push(Backup { at, path });
        }
    }
    found.sort_by_key(|backup| backup.at);
    Ok(found)
}

/// Removes what a process left that ended during a backup.
///
/// # Errors
/// When the directory cannot be read or a file cannot be removed.
pub(super) fn remove_incomplete(directory: &Path) -> io::Result<()> {
    for name in names(directory)?
        .iter()
        .filter(|name| name::is_incomplete(name))
    {
        fs::remove_file(directory.join(name))?;
    }
    Ok(())
}

/// Removes the oldest backups until `keep` are left.
///
/// # Errors
/// When the directory cannot be read or a file cannot be removed.
pub(super) fn keep_newest(directory: &Path, keep: usize) -> io::Result<()> {
    let found = backups(directory)?;
    let surplus = found.len().saturating_sub(keep);
    for backup in &found[..surplus] {
        fs::remove_file(&backup.path)?;
    }
    Ok(())
}

/// The names of all files; those that are not UTF-8 are not the server's.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    let entries: Vec<_> = fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    let names = entries.into_iter();
    Ok(names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory_of(names: &[String]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(directory.path().join(name), "").unwrap();
        }
        directory
    }

    fn left(directory: &tempfile::TempDir) -> Vec<String> {
        let mut names = names(directory.path()).unwrap();
        names.sort();
        names
    }

    fn backup(at: i64) -> String {
        name::of(Timestamp(at))
    }

    #[test]
    fn the_newest_backups_and_all_other_files_stay() {
        let foreign = "before-upgrade.sqlite".to_owned();
        let part = format!("{}.part", backup(9));
        let all = [
            backup(3),
            backup(1),
            foreign.clone(),
            backup(2),
            part.clone(),
        ];
        for (keep, expected) in [(1, 2..3), (2, 1..3), (3, 0..3), (4, 0..3)] {
            let directory = directory_of(&all);
            keep_newest(directory.path(), keep).unwrap();
            let mut names = vec![foreign.clone()];
            names.extend(expected.map(|at| backup(at + 1)));
            names.push(part.clone());
            assert_eq!(left(&directory), names, "{keep}");
        }
    }

    #[test]
    fn what_is_not_complete_is_removed_and_is_no_backup() {
        let part = format!("{}.part", backup(2));
        let foreign = "mine.sqlite.part".to_owned();
        let directory =
            directory_of(&[backup(1), part.clone(), part + "-journal", foreign.clone()]);
        let found = backups(directory.path()).unwrap();
        let times: Vec<_> = found.iter().map(|backup| backup.at).collect();
        assert_eq!(times, [Timestamp(1)]);
        remove_incomplete(directory.path()).unwrap();
        assert_eq!(left(&directory), [foreign, backup(1)]);
    }
}
