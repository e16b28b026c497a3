//! How to reach the database: the URL, the password, and the times of a connection.

use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode, TargetSessionAttrs};

use super::tls::Tls;
use crate::postgres::error::PostgresError;
use tilewire_base::operator_file::{OperatorFile, Readers};
use tilewire_config::StorageConfig;

/// The name of this program in the database's list of connections.
const APPLICATION: &str = "tilewire";
/// The port of PostgreSQL.
const PORT: u16 = 5432;

/// A database and how to reach it.
#[derive(Clone)]
pub struct Server {
    /// The connection's settings, with the password.
    pub(crate) settings: tokio_postgres::Config,
    pub(crate) tls: Tls,
    /// Host, port and name of the database, for messages.
    pub(crate) place: String,
    /// The time for an answer.
    pub(crate) answer: Duration,
}

impl Server {
    /// Reads the settings of the storage.
    ///
    /// # Errors
    /// Names the wrong setting; never its value, which can have a password.
    pub fn of(config: &StorageConfig) -> Result<Self, PostgresError> {
        let refused = |why: &str| PostgresError::Settings(format!("storage.url: {why}"));
        let mut settings: tokio_postgres::Config = config
            .url
            .expose()
            .parse()
            .map_err(|_| refused("it is not a URL such as postgres://user@host/database"))?;
        if settings.get_hosts().is_empty() {
            return Err(refused("it names no host"));
        }
        if settings.get_dbname().is_none() {
            return Err(refused("it names no database"));
        }
        if let Some(password) = password(&config.password_file)? {
            settings.password(password);
        }
        let is_remote = settings.get_hosts().iter().any(is_remote);
        if is_remote && settings.get_ssl_mode() == SslMode::Prefer {
            // A connection that may be plain is no protection.
            settings.ssl_mode(SslMode::Require);
        }
        let hosts = settings.get_hosts().len();
        if hosts > 1 {
            // Standbys are among them. One that does not answer must not keep every attempt from the next one.
            settings
                .target_session_attrs(TargetSessionAttrs::ReadWrite)
                .load_balance_hosts(LoadBalanceHosts::Random);
        }
        let attempts = u32::try_from(hosts).unwrap_or(u32::MAX);
        let timeout = config.connect_ms.min(config.answer_ms).to_duration() / attempts;
        let own = format!(
            "-c idle_in_transaction_session_timeout={} -c lock_timeout={} -c client_min_messages=warning",
            config.idle_transaction_ms.0, config.answer_ms.0
        );
        let options = settings
            .get_options()
            .map_or_else(|| own.clone(), |given| format!("{own} {given}"));
        settings
            .options(options)
            .application_name(APPLICATION)
            .connect_timeout(timeout)
            .tcp_user_timeout(config.answer_ms.to_duration())
            .keepalives_idle(config.answer_ms.to_duration());
        Ok(Self {
            place: place(&settings),
            tls: Tls::trusting(&config.ca_file)?,
            answer: config.answer_ms.to_duration(),
            settings,
        })
    }

    /// Waits for each answer as long as it takes: a copy of everything takes its time.
    pub fn patient(mut self) -> Self {
        const AS_LONG_AS_IT_TAKES: Duration = Duration::from_secs(7 * 86_400);
        self.answer = AS_LONG_AS_IT_TAKES;
        let given = self.settings.get_options().unwrap_or_default().to_owned();
        let options = format!("{given} -c idle_in_transaction_session_timeout=0");
        self.settings.options(options);
        self
    }
}

/// Says whether packets to a host leave the machine.
fn is_remote(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            let address: Option<IpAddr> = name.parse().ok();
            !(name == "localhost" || address.is_some_and(|address| address.is_loopback()))
        }
        Host::Unix(_) => false,
    }
}

fn place(settings: &tokio_postgres::Config) -> String {
    let hosts = settings
        .get_hosts()
        .iter()
        .enumerate()
        .map(|(number, host)| {
            let ports = settings.get_ports();
            let port = ports.get(number).or_else(|| ports.first());
            let host = match host {
                Host::Tcp(name) => name.clone(),
                Host::Unix(path) => path.display().to_string(),
            };
            format!("{host}:{}", port.unwrap_or(&PORT))
        });
    let hosts: Vec<String> = hosts.collect();
    let name = settings.get_dbname().unwrap_or_default();
    format!("{}/{name}", hosts.join(","))
}

/// Returns the first line of the file with the password; `None` without a file.
fn password(file: &Path) -> Result<Option<Vec<u8>>, PostgresError> {
    if file.as_os_str().is_empty() {
        return Ok(None);
    }
    let refused = |why: String| {
        PostgresError::Settings(format!("storage.password_file: {}: {why}", file.display()))
    };
    let read = OperatorFile::read(file).map_err(|error| refused(error.to_string()))?;
    read.refuse_exposed(Readers::Group)
        .map_err(|error| refused(error.to_string()))?;
    let line = read.content.split(|byte| *byte == b'\n').next();
    let line = line.unwrap_or_default().trim_ascii();
    if line.is_empty() {
        return Err(refused("it has no line of text".to_owned()));
    }
    Ok(Some(line.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewire_config::DatabaseUrl;

    fn server(url: &str) -> Result<Server, PostgresError> {
        Server::of(&StorageConfig {
            url: DatabaseUrl::from(url),
            ..StorageConfig::default()
        })
    }

    #[test]
    fn a_place_has_no_password_and_a_remote_one_has_tls() {
        for (url, place, mode) in [
            (
                "postgres://tiles:secret@db.example:5433/games",
                "db.example:5433/games",
                SslMode::Require,
            ),
            (
                "postgres://tiles@localhost/games",
                "localhost:5432/games",
                SslMode::Prefer,
            ),
            (
                "postgres://tiles@%2Frun%2Fpostgresql/games",
                "/run/postgresql:5432/games",
                SslMode::Prefer,
            ),
            (
                "postgres://tiles@db1.example,db2.example:5433/games",
                "db1.example:5432,db2.example:5433/games",
                SslMode::Require,
            ),
            (
                "postgres://tiles@10.0.0.7/games?sslmode=disable",
                "10.0.0.7:5432/games",
                SslMode::Disable,
            ),
        ] {
            let server = server(url).unwrap();
            assert_eq!(server.place, place);
            assert_eq!(server.settings.get_ssl_mode(), mode, "{url}");
        }
    }

    #[test]
    fn of_several_hosts_the_one_that_writes_is_used() {
        let alone = server("postgres://tiles@localhost/games").unwrap().settings;
        let several = server("postgres://tiles@localhost,127.0.0.1/games");
        let several = several.unwrap().settings;
        let writes = |settings: &tokio_postgres::Config| {
            settings.get_target_session_attrs() == TargetSessionAttrs::ReadWrite
        };
        assert!(!writes(&alone) && writes(&several));
        let time = |settings: &tokio_postgres::Config| settings.get_connect_timeout().copied();
        assert_eq!(time(&several).map(|half| half * 2), time(&alone));
    }

    #[test]
    fn a_wrong_url_is_refused_without_its_password() {
        for url in [
            "postgres://tiles:secret@",
            "mysql://tiles:secret@db/games",
            "postgres://tiles:secret@db",
        ] {
            let Err(error) = server(url) else {
                panic!("{url} is taken");
            };
            let text = format!("{error} {error:?}");
            assert!(
                text.contains("storage.url") && !text.contains("secret"),
                "{text}"
            );
        }
    }
}
