//! A server for the cases of clients, if the user names none.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

/// A running server; dropping it ends it.
#[derive(Debug)]
pub struct OwnServer {
    child: Child,
    _directory: TempDir,
    /// Where players connect.
    pub url: String,
}

impl OwnServer {
    /// Starts the server's program, which is beside this one or in the path.
    ///
    /// # Errors
    /// When it is not there, or does not start.
    pub fn start() -> Result<Self> {
        let beside = env::current_exe()?.with_file_name("tilewire-server");
        let program = match beside.is_file() {
            true => beside,
            false => "tilewire-server".into(),
        };
        let directory = tempfile::tempdir()?;
        let mut child = Command::new(program)
            .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
            .args(["--log", "error", "--data-dir"])
            .arg(directory.path().join("data"))
            .current_dir(directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("there is no `tilewire-server` beside this program or in the path; name a server with --server URL")?;
        let mut lines = BufReader::new(child.stdout.take().context("a pipe")?).lines();
        let said = lines.next().context("the server does not start")??;
        // The later output is not needed, but the pipe must not fill up.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let url = said.strip_prefix("listening on ");
        Ok(Self {
            child,
            _directory: directory,
            url: url
                .context("the server does not say where it listens")?
                .to_owned(),
        })
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
