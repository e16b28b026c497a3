//! Several servers for people: one command starts them with what they need, and stops them in order.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use futures::future::{join_all, select_all};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{Services, start};
use crate::host::Cores;
use crate::options::CommonOptions;
use crate::report::complain;
use crate::server::{Home, Server};

/// Flags of `cluster`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ClusterArgs {
    /// Number of servers
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16))]
    nodes: u32,
    /// Keep all data and logs in this directory; the next run with it continues the games [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// The signals that end the servers.
#[derive(Debug)]
struct Ends(Vec<Signal>);

impl Ends {
    fn new() -> Result<Self> {
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ];
        let ends = kinds.into_iter().map(signal);
        Ok(Self(ends.collect::<std::io::Result<_>>()?))
    }

    async fn next(&mut self) {
        let ends = self.0.iter_mut().map(|end| Box::pin(end.recv()));
        select_all(ends).await;
    }
}

/// Starts the servers, and stops them after Ctrl-C; returns whether all ended well.
///
/// # Errors
/// When something is not installed or does not start.
pub(crate) fn run(args: &ClusterArgs, common: &CommonOptions) -> Result<bool> {
    let cores = Cores::shared()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut ends = Ends::new()?;
        // A signal while it starts leaves the values in place, so everything ends with them.
        tokio::select! {
            () = ends.next() => return Ok(true),
            up = Up::start(args, common, &cores) => up,
        }?
        .serve(&mut ends)
        .await
    })
}

/// The running servers. They end before the services.
#[derive(Debug)]
struct Up {
    nodes: Vec<Server>,
    services: Services,
    program: PathBuf,
}

impl Up {
    async fn start(args: &ClusterArgs, common: &CommonOptions, cores: &Cores) -> Result<Self> {
        let program = common.server_program()?;
        let dir = args.dir.as_deref().map(std::path::absolute).transpose()?;
        complain("starting PostgreSQL and nats-server");
        let services = Services::start(dir.as_deref().map(|dir| dir.join("postgres")).as_deref())?;
        let mut nodes = Vec::new();
        for number in 1..=usize::try_from(args.nodes)? {
            let home = match &dir {
                Some(dir) => kept(&dir.join(format!("node-{number}")))?,
                None => Home::temporary()?,
            };
            let config = services.settings(number);
            nodes.push(Server::prepare(&program, cores, home, &config)?.for_people());
        }
        complain(&format!("starting {} servers", args.nodes));
        start(&mut nodes, &cores.clients).await?;
        services.until_owned().await?;
        Ok(Self {
            nodes,
            services,
            program,
        })
    }

    /// Says where to connect, waits for a signal, and stops everything.
    async fn serve(mut self, ends: &mut Ends) -> Result<bool> {
        let mut out = std::io::stdout();
        out.write_all(self.directions()?.as_bytes())?;
        out.flush()?;
        ends.next().await;
        complain("stopping; Ctrl-C again stops at once");
        let mut are_well = true;
        for (number, node) in (1..).zip(&mut self.nodes) {
            if let Some(ended) = node.ended()? {
                complain(&format!("server {number} had ended before: {ended}"));
                are_well = false;
            }
        }
        // All at once: one after the other, each would give its games to those that stop next.
        let running = self.nodes.iter_mut().filter(|node| node.pid().is_some());
        let stopping = join_all(running.map(Server::stop));
        let stopped = tokio::select! {
            () = ends.next() => return Ok(false),
            stopped = stopping => stopped,
        };
        for error in stopped.into_iter().filter_map(Result::err) {
            complain(&format!("{error:#}"));
            are_well = false;
        }
        Ok(are_well)
    }

    /// Where to connect, and with what.
    fn directions(&self) -> Result<String> {
        let mut text = String::new();
        for (place, node) in self.nodes.iter().enumerate() {
            let home = node.home().context("a server of ours")?;
            let admin = node.admin.as_deref().unwrap_or_default();
            writeln!(text, "server {}:", place + 1)?;
            writeln!(text, "  page     http://{}/", node.address)?;
            writeln!(text, "  admin    http://{admin}/metrics")?;
            if let Some(process) = node.pid() {
                writeln!(text, "  process  {process}")?;
            }
            writeln!(text, "  log      {}", home.join("log").display())?;
        }
        let node = self.nodes.first().context("at least one server")?;
        let config = node
            .home()
            .context("a server of ours")?
            .join("tilewire.toml");
        let client = self.program.with_file_name("tilewire");
        writeln!(text, "nats     {}", self.services.nats_url())?;
        writeln!(
            text,
            "play     {} play --bot club --server ws://{}/ws",
            client.display(),
            node.address
        )?;
        writeln!(
            text,
            "status   {} cluster status --config {}",
            self.program.display(),
            config.display()
        )?;
        writeln!(text, "ready: Ctrl-C stops everything")?;
        Ok(text)
    }
}

fn kept(home: &Path) -> Result<Home> {
    std::fs::create_dir_all(home).with_context(|| format!("cannot make {}", home.display()))?;
    Ok(Home::Kept(home.to_owned()))
}
