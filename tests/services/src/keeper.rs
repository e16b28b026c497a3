//! A process that watches a service: it ends the service when the process that needs it has ended, in whatever way.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use tempfile::TempDir;

/// The user `nobody`, for a process of root: services need no privileges, and PostgreSQL refuses to run as root.
const NOBODY: u32 = 65_534;

/// Waits for the end of its input or of a process, then ends the service and removes a directory. The arguments: the signal, the
/// directory to remove or nothing, the log, the process or nothing, and the command of the service.
const SCRIPT: &str = "\
signal=$1 directory=$2 log=$3 user=$4
shift 4
\"$@\" >>\"$log\" 2>&1 </dev/null &
service=$!
if [ -n \"$user\" ]; then tail --pid=\"$user\" -f /dev/null; else read line; fi
kill -\"$signal\" $service 2>/dev/null
wait $service
[ -z \"$directory\" ] || rm -rf \"$directory\"";

/// The user of the services.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner(Option<u32>);

/// A running keeper. Dropping it ends the service and waits for that.
#[derive(Debug)]
pub(crate) struct Keeper(Child);

/// The final actions of a keeper.
#[derive(Debug)]
pub(crate) struct End<'a> {
    /// The name of the signal that ends the service.
    pub(crate) signal: &'static str,
    /// The directory to remove.
    pub(crate) remove: Option<&'a Path>,
    /// The process whose end ends the service; without one, the end of this process or of the keeper does.
    pub(crate) with: Option<u32>,
}

impl Owner {
    /// Returns the user for services: `nobody` if this process belongs to root, otherwise its own.
    pub(crate) fn for_services() -> Self {
        let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
        Self(is_root.then_some(NOBODY))
    }

    /// Makes a temporary directory for a service; a keeper removes it.
    pub(crate) fn temporary(self, prefix: &str) -> Result<PathBuf> {
        Ok(self.directory(prefix)?.keep())
    }

    /// Makes a temporary directory for a service.
    pub(crate) fn directory(self, prefix: &str) -> Result<TempDir> {
        let directory = tempfile::Builder::new()
            .prefix(prefix)
            .permissions(fs::Permissions::from_mode(0o755))
            .tempdir()
            .context("no temporary directory")?;
        self.give(directory.path())?;
        Ok(directory)
    }

    /// Gives a file or directory to the user.
    pub(crate) fn give(self, path: &Path) -> Result<()> {
        match self.0 {
            Some(user) => chown(path, Some(user), Some(user))
                .with_context(|| format!("{} cannot be given to nobody", path.display())),
            None => Ok(()),
        }
    }

    /// Returns a command that the user runs in a directory.
    pub(crate) fn command(self, program: &Path, directory: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(directory);
        if let Some(user) = self.0 {
            command.uid(user).gid(user);
        }
        command
    }
}

impl Keeper {
    /// Starts a service: `service` is its program and its arguments. It runs in `directory` and appends its output to `log`.
    pub(crate) fn start(
        owner: Owner,
        directory: &Path,
        log: &Path,
        end: &End<'_>,
        service: &Command,
    ) -> Result<Self> {
        let with = end.with.map(|process| process.to_string());
        let child = owner
            .command(Path::new("/bin/sh"), directory)
            // Ctrl-C in a terminal reaches the whole group: the service must outlive those who use it.
            .process_group(0)
            .args(["-c", SCRIPT, "keeper", end.signal])
            .arg(end.remove.unwrap_or(Path::new("")))
            .arg(log)
            .arg(with.unwrap_or_default())
            .arg(service.get_program())
            .args(service.get_args())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(match end.with {
                // The keeper outlives this process, whose output must not stay open.
                Some(_) => Stdio::null(),
                None => Stdio::inherit(),
            })
            .spawn()
            .context("/bin/sh does not start")?;
        Ok(Self(child))
    }

    /// Returns the process of the keeper; those of the service descend from it.
    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    /// Leaves the service running; the keeper ends it with the process that it watches.
    pub(crate) fn leave(self) {
        std::mem::forget(self);
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // Nobody is left to be told.
        drop(self.0.wait());
    }
}
