//! This machine: which cores a process may use, how many files it may open, what time it is.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, fs};

use anyhow::{Context, Result, bail};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::Pid;
use serde::Serialize;
use tokio::runtime::Runtime;
use tokio::time::Instant;

/// The cores of the server and those of the clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cores {
    /// Where a server started by the harness runs.
    pub server: Vec<usize>,
    /// Where the clients run.
    pub clients: Vec<usize>,
}

impl Cores {
    /// Splits the cores: the lower half for the server, the rest for the clients. A single core is shared.
    ///
    /// # Errors
    /// If the system does not report its cores, or `server` names others.
    pub fn split(server: Option<&[usize]>) -> Result<Self> {
        let all = all_cores()?;
        let server = match server {
            Some(wanted) => wanted.to_vec(),
            None => all[..all.len().div_ceil(2)].to_vec(),
        };
        if server.is_empty() || server.iter().any(|core| !all.contains(core)) {
            bail!("the server's cores must be some of {all:?}");
        }
        let rest: Vec<usize> = all
            .iter()
            .copied()
            .filter(|core| !server.contains(core))
            .collect();
        let clients = if rest.is_empty() { all } else { rest };
        Ok(Self { server, clients })
    }
}

impl Cores {
    /// All cores for the server and for the clients.
    ///
    /// # Errors
    /// If the system does not report its cores.
    pub(crate) fn shared() -> Result<Self> {
        let all = all_cores()?;
        Ok(Self {
            server: all.clone(),
            clients: all,
        })
    }
}

/// The cores on which this process was started. The value is read once, before threads are bound to some of them.
fn all_cores() -> Result<Vec<usize>> {
    static ALL: OnceLock<Vec<usize>> = OnceLock::new();
    if let Some(all) = ALL.get() {
        return Ok(all.clone());
    }
    let own = sched_getaffinity(Pid::from_raw(0)).context("cannot ask for the cores")?;
    let all = (0..CpuSet::count()).filter(|core| own.is_set(*core).unwrap_or(false));
    Ok(ALL.get_or_init(|| all.collect()).clone())
}

/// Binds the calling thread, and every thread and process it starts from now on, to these cores.
///
/// # Errors
/// When the system refuses.
pub fn pin(cores: &[usize]) -> Result<()> {
    let mut set = CpuSet::new();
    for core in cores {
        set.set(*core).context("no such core")?;
    }
    sched_setaffinity(Pid::from_raw(0), &set).context("cannot choose the cores")
}

/// Prepares this process for a load test: raises the limit of open files and binds threads to the clients' cores. Returns
/// the machine and the runtime of the clients.
///
/// # Errors
/// When the system refuses.
pub fn prepare(server_cores: Option<&[usize]>) -> Result<(Machine, Runtime)> {
    raise_open_files();
    let cores = Cores::split(server_cores)?;
    let machine = Machine::look(&cores);
    pin(&cores.clients)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.clients.len())
        .enable_all()
        .build()?;
    Ok((machine, runtime))
}

/// Raises the limit of open files for this process and its children as far as allowed; returns the limit.
pub fn raise_open_files() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return 0;
    };
    match setrlimit(Resource::RLIMIT_NOFILE, hard, hard) {
        Ok(()) => hard,
        Err(_) => soft,
    }
}

/// The machine on which the test ran.
#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    /// The processor's name.
    processor: String,
    /// The kernel's version.
    kernel: String,
    /// Cores the server was bound to; empty for a remote server.
    pub server_cores: Vec<usize>,
    /// Cores the clients were bound to.
    pub client_cores: Vec<usize>,
    /// The load average over one minute before the test: the load of other processes on the machine.
    load_before: f64,
}

impl Machine {
    /// Reads the properties of this machine.
    pub fn look(cores: &Cores) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let processor = read("/proc/cpuinfo")
            .lines()
            .find_map(|line| {
                line.strip_prefix("model name")?
                    .split_once(':')
                    .map(|(_, name)| name.trim().to_owned())
            })
            .unwrap_or_default();
        let load = read("/proc/loadavg");
        Self {
            processor,
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            server_cores: cores.server.clone(),
            client_cores: cores.clients.clone(),
            load_before: load
                .split(' ')
                .next()
                .and_then(|minute| minute.parse().ok())
                .unwrap_or(0.0),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, Linux {}", self.processor, self.kernel)
    }
}

/// Returns the current monotonic time.
#[expect(clippy::disallowed_methods, reason = "a load test measures real time")]
pub fn now() -> Instant {
    Instant::now()
}

/// Returns the Unix time in microseconds.
#[expect(clippy::disallowed_methods, reason = "a load test measures real time")]
pub fn unix_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    i64::try_from(since.unwrap_or(Duration::ZERO).as_micros()).unwrap_or(i64::MAX)
}

/// Returns a duration in microseconds, the unit of the histograms.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_was_bound_splits_the_same_cores() {
        let before = Cores::split(None).expect("cores");
        pin(&before.clients).expect("bound");
        assert_eq!(Cores::split(None).expect("cores"), before);
    }
}
