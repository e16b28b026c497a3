//! The server's resource usage as the system reports it: CPU time, process memory, and kernel memory of its sockets.

use std::fs;
use std::iter::Sum;

use serde::Serialize;

/// Bytes of a page of memory and ticks of a second; both are the same on every Linux we run on.
const PAGE_BYTES: u64 = 4_096;
const TICKS_PER_SECOND: u64 = 100;

/// The server's use of the machine at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Processor time since it started, microseconds.
    pub cpu_us: u64,
    /// Resident memory, bytes.
    pub rss_bytes: u64,
    /// Bytes it wrote to storage.
    pub written_bytes: u64,
    /// Threads.
    pub threads: u64,
    /// Open files and sockets.
    pub files: u64,
}

impl Usage {
    /// Reads the figures of a process; zeros where there are none.
    pub fn of(pid: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let io = fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let sched = fs::read_dir(format!("/proc/{pid}/task")).map(|tasks| {
            tasks
                .flatten()
                .filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok())
                .filter_map(|text| text.split(' ').next()?.parse::<u64>().ok())
                .sum::<u64>()
        });
        Self {
            // Ticks of 10 ms are coarse; the scheduler's own count of living threads is exact, but forgets dead ones.
            cpu_us: ticks(&stat).max(sched.unwrap_or(0) / 1_000),
            rss_bytes: field(&status, "VmRSS:") * 1_024,
            written_bytes: field(&io, "write_bytes:"),
            threads: field(&status, "Threads:"),
            files: fs::read_dir(format!("/proc/{pid}/fd"))
                .map_or(0, |files| u64::try_from(files.count()).unwrap_or(0)),
        }
    }
}

impl Usage {
    /// The sum over all living processes of a group.
    pub fn of_group(group: i32) -> Self {
        let is_in = |pid: &u32| Family::of(*pid).is_some_and(|family| family.group == group);
        processes().filter(is_in).map(Self::of).sum()
    }

    /// The sum over a process and all living processes that descend from it.
    pub fn of_descendants(ancestor: u32) -> Self {
        let families: Vec<(u32, Family)> = processes()
            .filter_map(|pid| Some((pid, Family::of(pid)?)))
            .collect();
        let mut found = vec![ancestor];
        let mut looked_at = 0;
        while let Some(parent) = found.get(looked_at).copied() {
            let children = families
                .iter()
                .filter(|(_, family)| family.parent == parent);
            found.extend(children.map(|(pid, _)| *pid));
            looked_at += 1;
        }
        found.into_iter().map(Self::of).sum()
    }
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            cpu_us: sum.cpu_us + one.cpu_us,
            rss_bytes: sum.rss_bytes + one.rss_bytes,
            written_bytes: sum.written_bytes + one.written_bytes,
            threads: sum.threads + one.threads,
            files: sum.files + one.files,
        })
    }
}

/// Where a process belongs.
#[derive(Debug, Clone, Copy)]
struct Family {
    parent: u32,
    group: i32,
}

impl Family {
    /// Reads the fields behind the name of the program: state, parent, group.
    fn of(pid: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, behind) = stat.rsplit_once(") ")?;
        let mut fields = behind.split(' ').skip(1);
        Some(Self {
            parent: fields.next()?.parse().ok()?,
            group: fields.next()?.parse().ok()?,
        })
    }
}

/// Memory the kernel holds for all TCP sockets of the machine, bytes: queues and, apart, the sockets themselves.
///
/// Sockets share the slab caches with other kernel objects, so only differences are meaningful.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KernelMemory {
    /// Bytes in the queues of TCP sockets.
    pub queues: u64,
    /// Bytes of all slab caches of the machine that are in use.
    pub slab: u64,
}

impl KernelMemory {
    /// Reads both.
    pub fn read() -> Self {
        let sockets = fs::read_to_string("/proc/net/sockstat").unwrap_or_default();
        let pages = sockets
            .lines()
            .find(|line| line.starts_with("TCP:"))
            .and_then(|line| line.split(" mem ").nth(1))
            .and_then(|pages| pages.trim().parse::<u64>().ok());
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Self {
            queues: pages.unwrap_or(0) * PAGE_BYTES,
            slab: field(&memory, "Slab:") * 1_024,
        }
    }

    /// Everything.
    pub const fn bytes(self) -> u64 {
        self.queues + self.slab
    }
}

/// User and system time from the fields behind the name of the program, which may hold anything.
fn ticks(stat: &str) -> u64 {
    let behind = stat.rsplit_once(") ").map_or("", |(_, behind)| behind);
    let mut fields = behind
        .split(' ')
        .skip(11)
        .map_while(|f| f.parse::<u64>().ok());
    let ticks = fields.next().unwrap_or(0) + fields.next().unwrap_or(0);
    ticks * (1_000_000 / TICKS_PER_SECOND)
}

fn field(text: &str, name: &str) -> u64 {
    text.lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_process_with_an_odd_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 3 0 1 2 3";
        assert_eq!(ticks(stat), 3_000_000);
        assert_eq!(ticks(""), 0);
    }

    #[test]
    fn a_field_by_its_name() {
        let text = "VmHWM:\t  900 kB\nVmRSS:\t  812 kB\n";
        assert_eq!(field(text, "VmRSS:"), 812);
        assert_eq!(field(text, "VmSwap:"), 0);
    }

    #[test]
    fn a_process_and_those_that_descend_from_it() {
        let mut shell = std::process::Command::new("/bin/sh")
            .args(["-c", "cat; true"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("a shell");
        let both = |usage: Usage| usage.threads == 2;
        let tries = std::iter::repeat_with(|| Usage::of_descendants(shell.id())).take(1_000_000);
        assert!(tries.into_iter().any(both), "the shell starts a program");
        drop(shell.stdin.take());
        shell.wait().expect("it ends");
    }

    #[test]
    fn this_very_process_uses_memory_and_time() {
        let usage = Usage::of(std::process::id());
        assert!(usage.rss_bytes > 1_000_000 && usage.threads >= 1);
    }
}
