//! The local things that the settings name: a start checks them before it writes, joins other servers or asks a database,
//! and `config check` reports the same faults.

use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use rustix::fs::{Access, access};

use tilewire_accounts::identity::Site;
use tilewire_config::{Config, MailConfig, MailSecurity};
use tilewire_control::admin_token::AdminToken;
use tilewire_courier as courier;
use tilewire_gateway::connection::Certificates;
use tilewire_operate::backups;
use tilewire_protocol::causes;
use tilewire_relay::bus;
use tilewire_rules::time::Millis;
use tilewire_sql::open_error::takes_no_writes;
use tilewire_wire::catalogue::Catalogue;

/// An interval of backups that a check takes for a mistake.
const BACKUP_SOON: Millis = Millis(60_000);

/// The content of the files that the settings name.
pub(crate) struct Local {
    pub(crate) certificates: Option<Arc<Certificates>>,
    pub(crate) site: Option<Site>,
    /// The token of `admin.token_file`.
    pub(crate) admin_token: Option<Arc<AdminToken>>,
    pub(crate) catalogue: Catalogue,
}

impl Local {
    /// Reads the files.
    ///
    /// # Errors
    /// All faults together.
    pub(crate) fn read(config: &Config) -> anyhow::Result<Self> {
        if let Some(problem) = backups::problem(&config.backup) {
            // Games do not wait for a disk of backups: each backup tries again.
            tracing::warn!("{problem}");
        }
        let (local, faults) = read(config);
        match local {
            Some(local) if faults.is_empty() => Ok(local),
            _ => bail!(faults.join("\n  ")),
        }
    }
}

/// Returns the faults of everything local that the settings name. Nothing is made.
#[must_use]
pub fn faults(config: &Config) -> Vec<String> {
    let mut faults = read(config).1;
    faults.extend(backups::problem(&config.backup));
    if let Err(fault) = data_dir(&config.data_dir)
        && fault.may_pass()
    {
        faults.push(fault.to_string());
    }
    faults.extend(doubts(config));
    faults
}

/// Returns the settings that work and that nobody means.
fn doubts(config: &Config) -> impl Iterator<Item = String> {
    let every_ms = config.backup.every_ms;
    let is_often = config.backup.is_on() && every_ms < BACKUP_SOON;
    let often = is_often.then(|| {
        format!("backup.every_ms: a backup every {every_ms} ms; the setting is in milliseconds, and a day has 86400000")
    });
    let mail = &config.mail;
    let is_open = mail.is_on() && mail.security == MailSecurity::None && !is_here(&mail.server);
    let open = is_open.then(|| {
        let server = &mail.server;
        format!("mail.security: letters and codes go to {server}, another machine, in clear text; choose starttls or tls")
    });
    often.into_iter().chain(open)
}

/// Says whether a name is one of this machine.
fn is_here(name: &str) -> bool {
    let address: Option<IpAddr> = name.parse().ok();
    name == "localhost" || address.is_some_and(|address| address.is_loopback())
}

fn read(config: &Config) -> (Option<Local>, Vec<String>) {
    let mut faults = Vec::new();
    let certificates = taken(&mut faults, certificates(config));
    let site = taken(&mut faults, Site::load(&config.site, &config.identity));
    let admin_token = taken(&mut faults, AdminToken::load(&config.admin));
    // A disk that takes no writes now is waited for. Rule sets and lexica are in the directory, so one fault is enough.
    let directory = data_dir(&config.data_dir).or_else(|fault| match fault.may_pass() {
        true => Ok(()),
        false => Err(fault),
    });
    let catalogue =
        taken(&mut faults, directory).and_then(|()| taken(&mut faults, Catalogue::load(config)));
    let others = [
        tilewire_databases::postgres::problem(&config.storage),
        bus::problem(&config.cluster),
        mail_problem(&config.mail),
        courier::webhook_problem(&config.webhooks),
        courier::push_problem(&config.push),
    ];
    faults.extend(others.into_iter().flatten());
    let local = || {
        Some(Local {
            certificates: certificates?,
            site: site?,
            admin_token: admin_token?.map(Arc::new),
            catalogue: catalogue?,
        })
    };
    (local(), faults)
}

fn certificates(
    config: &Config,
) -> Result<Option<Arc<Certificates>>, tilewire_gateway::connection::CertificateError> {
    let loaded = config.tls.is_on().then(|| Certificates::load(&config.tls));
    Ok(loaded.transpose()?.map(Arc::new))
}

/// Returns a value, or notes its fault.
fn taken<T, E: std::error::Error + 'static>(
    faults: &mut Vec<String>,
    read: Result<T, E>,
) -> Option<T> {
    read.map_err(|error| faults.push(causes(&error))).ok()
}

/// Returns the fault of the files of the mail server. The check of the settings tells of those that miss another setting.
fn mail_problem(mail: &MailConfig) -> Option<String> {
    let has_password = !mail.password_file.as_os_str().is_empty();
    let is_whole = !mail.from.is_empty() && has_password != mail.user.is_empty();
    is_whole.then(|| courier::problem(mail)).flatten()
}

/// Why a data directory cannot be used or made, as far as its path shows.
#[derive(Debug, thiserror::Error)]
#[error("data_dir: cannot use {}: {source}", path.display())]
struct DataDirFault {
    path: PathBuf,
    source: io::Error,
}

impl DataDirFault {
    /// Says whether the disk takes no writes at the moment.
    fn may_pass(&self) -> bool {
        takes_no_writes(&self.source)
    }
}

/// Looks whether a data directory can be used or made. Nothing is made.
fn data_dir(path: &Path) -> Result<(), DataDirFault> {
    let is_there = |place: &&Path| place.as_os_str().is_empty() || place.exists();
    let place = path.ancestors().find(is_there).unwrap_or(path);
    let place = match place.as_os_str().is_empty() {
        true => Path::new("."),
        false => place,
    };
    let refused = |source: io::Error| DataDirFault {
        path: place.to_owned(),
        source,
    };
    if !place.is_dir() {
        return Err(refused(io::ErrorKind::NotADirectory.into()));
    }
    let wanted = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
    access(place, wanted).map_err(|error| refused(error.into()))
}
