//! The example clients of `docs/clients`, in other languages, as processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use tempfile::TempDir;

use crate::server::lines_of;
use crate::{PATIENCE, binaries};

/// The language of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `docs/clients/python`
    Python,
    /// `docs/clients/javascript`
    JavaScript,
}

/// A running example client.
#[derive(Debug)]
pub struct Foreign {
    name: String,
    child: Child,
    lines: Receiver<String>,
    /// Every line it printed that was read so far.
    pub printed: Vec<String>,
}

impl Foreign {
    /// Starts a program, `player` or `spectator`, against the server at `address`.
    ///
    /// # Panics
    /// When the tools of the language are not installed.
    #[must_use]
    pub fn start(language: Language, program: &str, address: &str, args: &[&str]) -> Self {
        let line = command_line(language, program);
        let mut child = Command::new(&line[0])
            .args(&line[1..])
            .args(["--server", &format!("ws://{address}")])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the client starts");
        let lines = lines_of(child.stdout.take().expect("its output is piped"));
        Self {
            name: format!("the {language:?} {program}"),
            child,
            lines,
            printed: Vec::new(),
        }
    }

    /// Returns the text after `start` in the first line that begins with it.
    ///
    /// # Panics
    /// When no such line comes.
    pub fn said(&mut self, start: &str) -> String {
        loop {
            let found = self
                .printed
                .iter()
                .find_map(|line| line.strip_prefix(start));
            if let Some(rest) = found {
                return rest.to_owned();
            }
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.printed.push(line),
                Err(why) => self.fail(start, why),
            }
        }
    }

    /// Waits for its end; returns its exit code.
    ///
    /// # Panics
    /// When it does not end by itself.
    pub fn finish(&mut self) -> i32 {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.printed.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(why) => self.fail("its end", why),
            }
        }
        let status = self.child.wait().expect("it ends");
        status.code().expect("by itself")
    }

    fn fail(&self, wanted: &str, why: RecvTimeoutError) -> ! {
        let printed = self.printed.join("\n");
        panic!(
            "{}: {wanted:?} did not come ({why}); it said:\n{printed}",
            self.name
        );
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        // A client that ended by itself cannot be killed any more.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Returns the words of a command that runs one of the example programs. The command writes no file beside the source.
///
/// # Panics
/// When the tools of the language are not installed.
#[must_use]
pub fn command_line(language: Language, program: &str) -> Vec<String> {
    let text = |path: PathBuf| path.display().to_string();
    match language {
        Language::Python => {
            let sources = binaries::workspace().join("docs/clients/python");
            let source = text(sources.join(format!("{program}.py")));
            vec![text(python().to_owned()), "-B".to_owned(), source]
        }
        Language::JavaScript => {
            let source = text(javascript().join(format!("{program}.js")));
            vec!["node".to_owned(), source]
        }
    }
}

fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let python = binaries::tools().join("bin/python");
        let has_all = Command::new(&python)
            .args(["-c", "import msgpack, websockets"])
            .stderr(Stdio::null())
            .status();
        assert!(
            has_all.is_ok_and(|status| status.success()),
            "Python with the packages of docs/clients/python is not at {}: run `tests/run tools` once",
            python.display()
        );
        python
    })
}

/// A folder with copies of the sources and the packages of `target/tools`: Node.js looks for modules beside the source.
fn javascript() -> &'static Path {
    static COPY: OnceLock<TempDir> = OnceLock::new();
    let copy = COPY.get_or_init(|| {
        let packages = binaries::tools().join("javascript/node_modules");
        let has_node = Command::new("node").arg("--version").stdout(Stdio::null()).status();
        assert!(
            packages.is_dir() && has_node.is_ok_and(|status| status.success()),
            "Node with the packages of docs/clients/javascript is not at {}: run `tests/run tools` once",
            packages.display()
        );
        let copy = tempfile::tempdir().expect("a temporary directory");
        for entry in fs::read_dir(binaries::workspace().join("docs/clients/javascript")).expect("the sources") {
            let file = entry.expect("an entry").path();
            if file.is_file() {
                let name = file.file_name().expect("a file has a name");
                fs::copy(&file, copy.path().join(name)).expect("it can be copied");
            }
        }
        std::os::unix::fs::symlink(packages, copy.path().join("node_modules")).expect("a new link");
        copy
    });
    copy.path()
}
