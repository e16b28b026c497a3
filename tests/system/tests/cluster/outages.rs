//! A server whose database or NATS is away, at its start and while it runs: it waits, says for what, and goes on by itself.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;
use tilewire_harness::server::Server;
use tilewire_services::nats::{Links, Nats, PASSWORD};
use tilewire_services::postgres::Postgres;

/// The log of a start that waits for something.
const WAITS: &str = "the start waits for";

/// A server that is alone in a cluster, with services of its own.
struct Alone {
    server: Server,
    postgres: Postgres,
    nats: Nats,
    database: String,
    settings: String,
    secrets: TempDir,
}

impl Alone {
    /// Returns a server that does not run, with a database that has tables. `None`, with a message, without the services.
    fn prepare() -> Option<Self> {
        let (postgres, nats) = (Postgres::alone()?, Nats::for_test(Links::Plain)?);
        let database = postgres.database();
        let secrets = tempfile::tempdir().expect("a directory");
        let password = secrets.path().join("password");
        write_private(&password, PASSWORD);
        let settings = format!(
            "[storage]\nurl = \"{}\"\n[cluster]\nnode = 1\nrenew_ms = 250\nlease_ms = 1500\nclaim_wait_ms = 100\nsettle_ms = 100\n\
             loads = 257\nnats_url = \"{}\"\nnats_credentials_file = \"{}\"\n",
            database.url,
            nats.url(),
            password.display()
        );
        let server = Server::prepared(&settings);
        server
            .operate(&["migrate"], "")
            .expect("it makes the tables");
        Some(Self {
            server,
            postgres,
            nats,
            database: database.name,
            settings,
            secrets,
        })
    }

    fn joined(&self) -> String {
        self.postgres
            .sql(&self.database, "SELECT count(*) FROM nodes")
    }

    /// Starts the server with other settings, which it must refuse before it joins. Returns its message, which `config check`
    /// has too.
    fn refused(&self, settings: &str) -> String {
        self.server.configure(settings);
        let said = self.server.refuses_to_start();
        assert_eq!(self.joined(), "0", "{said}");
        let checked = self.server.operate(&["config", "check"], "");
        let checked = checked.expect_err("the check finds it too");
        let fault = said.lines().last().unwrap_or_default();
        let fault = fault.trim_start_matches("tilewire-server: ");
        assert!(checked.contains(fault), "{checked} is not {said}");
        said
    }
}

fn write_private(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, Permissions::from_mode(0o600)).expect("it is ours");
}

#[test]
fn a_server_waits_for_its_database_and_for_nats() {
    let Some(mut own) = Alone::prepare() else {
        return;
    };
    let server = &mut own.server;
    // A fresh server has no data directory yet.
    fs::remove_dir(server.data_dir()).expect("it is empty");
    own.nats.stop();
    own.postgres.kill();
    server.start_waiting("NATS");
    assert_eq!(server.admin_get("/healthz").0, 200);
    assert!(server.figure("tilewire_ready") < 0.5);
    server.signal("-HUP");
    own.nats.restart();
    server.until_waiting("the database");
    own.postgres.start_again();
    server.wait_until_ready();
    assert!(server.figure("tilewire_ready") > 0.5);
    let log = server.log();
    assert_eq!(
        log.matches(WAITS).count(),
        2,
        "one line for each state: {log}"
    );
    let mode = |name: &str| {
        let metadata = fs::metadata(server.data_dir().join(name)).expect("it is there");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!((mode("."), mode("admin-token")), (0o700, 0o600));

    // It keeps its games when NATS reaches no server, and says that NATS is away.
    server.until_figure("tilewire_relay_reached", |value| value > 0.5);
    own.nats.stop();
    server.until_figure("tilewire_relay_reached", |value| value < 0.5);
    server.wait_until_ready();
    own.nats.restart();
    server.until_figure("tilewire_relay_reached", |value| value > 0.5);
    own.postgres.kill();
    server.until_waiting("the database");
    own.postgres.start_again();
    server.wait_until_ready();
    assert!(server.stop(), "it ends well");

    own.postgres.kill();
    server.start_waiting("the database");
    assert!(server.stop(), "a signal ends the wait in good order");
    own.postgres.start_again();
    server.start_again();
}

#[test]
fn a_server_that_cannot_start_does_not_join() {
    let Some(own) = Alone::prepare() else {
        return;
    };
    let (server, data) = (&own.server, own.server.data_dir());
    let file = own.secrets.path().join("file");
    write_private(&file, "short");
    let file = file.display();
    let said = own.refused(&format!(
        "{}[admin]\ntoken_file = \"{file}\"\n",
        own.settings
    ));
    assert!(said.contains("admin.token_file"), "{said}");
    let said = own.refused(
        &own.settings
            .replace("credentials_file = \"", "credentials_file = \"/nowhere"),
    );
    assert!(said.contains("cluster.nats_credentials_file"), "{said}");
    let said = own.refused(&format!(
        "{}[mail]\nserver = \"localhost\"\nfrom = \"a@b.example\"\nca_file = \"{file}\"\n",
        own.settings
    ));
    assert!(said.contains(&file.to_string()), "{said}");
    let lexicon = data.join("lexica/broken.fst");
    fs::create_dir(data.join("lexica")).expect("a directory");
    fs::write(&lexicon, "no lexicon").expect("a file");
    let said = own.refused(&own.settings);
    assert!(said.contains("broken"), "{said}");
    fs::remove_dir_all(&data).expect("it is ours");

    // A file is in the place of the data directory.
    fs::write(&data, "").expect("a file");
    server.configure(&own.settings);
    let said = server.refuses_to_start();
    assert!(
        said.contains("data_dir") && !said.contains("token_file"),
        "{said}"
    );
    assert_eq!(own.joined(), "0");
    let checked = server.operate(&["config", "check"], "");
    let checked = checked.expect_err("the check finds it too");
    assert!(checked.contains("data_dir"), "{checked}");
    fs::remove_file(&data).expect("it is ours");

    // No wait mends settings that the services refuse.
    server.configure(&own.settings.replace(&own.database, "no_such_database"));
    let said = server.refuses_to_start();
    assert!(said.contains("storage.url"), "{said}");
    write_private(&own.secrets.path().join("password"), "wrong");
    server.configure(&own.settings);
    let said = server.refuses_to_start();
    assert!(said.contains("cluster.nats_url"), "{said}");
    assert_eq!(own.joined(), "0");
}
