//! A product as a process group of its own on the server's cores.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use tilewire_loadtest::host::{self, Cores};
use tilewire_loadtest::process::Usage;

/// Time for a product to listen.
const START_WITHIN: Duration = Duration::from_secs(60);
/// Pause between two questions whether it does.
const READY_POLL: Duration = Duration::from_millis(20);

/// A product and every process it has started; all are ended with this value.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    child: Child,
    group: Pid,
    home: TempDir,
    /// Where it listens, `ADDR:PORT`.
    pub(crate) address: String,
}

impl ProcessGroup {
    /// Runs `start` of an installed product and waits until it listens.
    ///
    /// # Errors
    /// When it is not installed, ends, or does not listen in time.
    pub(crate) async fn start(dir: &Path, name: &str, cores: &Cores) -> Result<Self> {
        let start = start_of(dir, name)?;
        let home = tempfile::Builder::new()
            .prefix("tilewire-product-")
            .tempdir()?;
        let log = File::create(home.path().join("log"))?;
        // The port is free again when the listener is dropped; the product takes it.
        let address = TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
        let mut command = Command::new(start);
        command
            .arg(address.port().to_string())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        // A child runs on the cores of the thread that started it.
        host::pin(&cores.server)?;
        let child = command.spawn();
        host::pin(&cores.clients)?;
        let child = child.with_context(|| format!("{name} does not start"))?;
        let group = Pid::from_raw(i32::try_from(child.id())?);
        let mut tree = Self {
            child,
            group,
            home,
            address: address.to_string(),
        };
        let began = host::now();
        while TcpStream::connect(&tree.address).await.is_err() {
            if tree.child.try_wait()?.is_some() || began.elapsed() > START_WITHIN {
                bail!("{name} does not listen: {}", tree.log_tail());
            }
            sleep(READY_POLL).await;
        }
        Ok(tree)
    }

    /// The resources that all its processes have used.
    pub(crate) fn usage(&self) -> Usage {
        Usage::of_group(self.group.as_raw())
    }

    /// The last lines it has said.
    pub(crate) fn log_tail(&self) -> String {
        let log = fs::read_to_string(self.home.path().join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(5)..].join("\n")
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // The processes may have ended already.
        killpg(self.group, Signal::SIGKILL).ok();
        drop(self.child.wait());
    }
}

/// The command that starts an installed product.
///
/// # Errors
/// When it is not installed.
pub(super) fn start_of(dir: &Path, name: &str) -> Result<PathBuf> {
    let start = dir.join(name).join("start");
    if !start.is_file() {
        bail!("{name} is not installed; run `loadtest/rivals/install {name}`");
    }
    Ok(fs::canonicalize(start)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A product of two processes: a shell, and its child, which listens.
    fn install(script: &str) -> TempDir {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a directory");
        let start = dir.path().join("toy").join("start");
        fs::create_dir(dir.path().join("toy")).expect("a directory in it");
        fs::write(&start, script).expect("a script");
        fs::set_permissions(&start, fs::Permissions::from_mode(0o755)).expect("permission");
        dir
    }

    #[tokio::test]
    async fn what_ends_instead_of_listening_is_an_error_with_its_words() {
        let cores = Cores::split(None).expect("cores");
        let dir = install("#!/bin/sh\necho no more ports >&2\nexit 3\n");
        let error = ProcessGroup::start(dir.path(), "toy", &cores).await;
        let said = format!("{:#}", error.expect_err("it ended"));
        assert!(said.contains("no more ports"), "{said}");
        let missing = ProcessGroup::start(dir.path(), "other", &cores).await;
        let said = format!("{:#}", missing.expect_err("it is not there"));
        assert!(said.contains("loadtest/rivals/install other"), "{said}");
    }

    #[tokio::test]
    async fn all_processes_of_a_peer_are_counted_and_ended() {
        let cores = Cores::split(None).expect("cores");
        let listens = "import socket,sys,time; s=socket.create_server((\"127.0.0.1\",int(sys.argv[1]))); time.sleep(60)";
        let script = format!("#!/bin/sh\npython3 -c '{listens}' \"$1\" &\nwait\n");
        let dir = install(&script);
        let tree = ProcessGroup::start(dir.path(), "toy", &cores)
            .await
            .expect("it listens");
        let shell = Usage::of(tree.child.id());
        let all = tree.usage();
        assert!(all.threads > shell.threads && all.rss_bytes > shell.rss_bytes);
        let group = tree.group.as_raw();
        drop(tree);
        while Usage::of_group(group).threads > 0 {
            sleep(READY_POLL).await;
        }
    }
}
