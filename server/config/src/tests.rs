//! Precedence of the sources, and that every mistake is named with where it came from.

use std::path::{Path, PathBuf};

use super::{Config, ConfigError, Sources, load};

fn sources(flags: &[(&'static str, &str)], environment: &[(&str, &str)]) -> Sources {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Sources {
        flags: flags
            .iter()
            .map(|(key, value)| (*key, (*value).to_owned()))
            .collect(),
        environment: environment.iter().map(owned).collect(),
        file: None,
        directory: PathBuf::from("/nonexistent"),
    }
}

fn with_file(directory: &Path, text: &str) -> Sources {
    std::fs::write(directory.join("tilewire.toml"), text).unwrap();
    Sources {
        directory: directory.to_owned(),
        ..Sources::default()
    }
}

fn refusal(sources: &Sources) -> String {
    load(sources).unwrap_err().to_string()
}

#[test]
fn without_any_source_the_defaults_count() {
    assert_eq!(load(&sources(&[], &[])).unwrap(), Config::default());
}

#[test]
fn defaults_are_in_their_ranges_and_every_key_says_what_it_means() {
    for (section, keys) in Config::number_keys() {
        for key in keys {
            let name = format!("{section}.{}", key.name);
            assert!((key.min..=key.max).contains(&key.default), "{name}");
            assert!(key.meaning.trim().ends_with('.'), "{name}");
        }
    }
}

#[test]
fn flags_win_over_variables_over_the_file_over_defaults() {
    let dir = tempfile::tempdir().unwrap();
    let mut sources = with_file(
        dir.path(),
        "listen = \"127.0.0.1:1\"\nadmin_listen = \"127.0.0.1:2\"\n[limits]\nspectators = 3\nlist_entries = 30\n",
    );
    let from_file = load(&sources).unwrap();
    assert_eq!(from_file.limits.spectators, 3);
    sources.environment = vec![
        ("TILEWIRE_LISTEN".into(), "[::1]:4".into()),
        ("TILEWIRE_LIMITS__SPECTATORS".into(), "5".into()),
        ("TILEWIRE_PROFILE".into(), "the client's".into()),
        ("PATH".into(), "/bin".into()),
    ];
    sources.flags = vec![("listen", "127.0.0.1:6".into()), ("data_dir", "7".into())];
    let config = load(&sources).unwrap();
    assert_eq!(config.listen.port(), 6);
    assert_eq!(config.admin_listen.port(), 2);
    assert_eq!(config.limits.spectators, 5);
    assert_eq!(config.limits.list_entries, 30);
    assert_eq!(
        config.limits.attached_games,
        Config::default().limits.attached_games
    );
    assert_eq!(config.data_dir, PathBuf::from("7"));
}

#[test]
fn what_is_printed_can_be_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.limits.spectators = 12;
    config.log.filter = "debug,hyper=warn".to_owned();
    config.tls.certificate = PathBuf::from("c.pem");
    config.tls.key = PathBuf::from("k.pem");
    config.http.allowed_origins.0 = vec!["https://play.example".parse().unwrap()];
    config.http.trusted_proxies.0 = vec!["192.0.2.1".parse().unwrap()];
    let text = config.to_toml().unwrap();
    assert_eq!(load(&with_file(dir.path(), &text)).unwrap(), config);
}

#[test]
fn wrong_values_name_where_they_came_from() {
    let dir = tempfile::tempdir().unwrap();
    let flag = |key, value: &str| sources(&[(key, value)], &[]);
    let variable = |name, value: &str| sources(&[], &[(name, value)]);
    let cases = [
        (flag("listen", "here"), "`listen`", "the flag --listen"),
        (
            flag("log.filter", "a=b=c"),
            "`log.filter`",
            "the flag --log",
        ),
        (
            flag("admin_listen", "127.0.0.1:7780"),
            "where the players connect",
            "the flag --admin-listen",
        ),
        (
            variable("TILEWIRE_LIMITS__SPECTATORS", "many"),
            "`limits.spectators`",
            "variable TILEWIRE_LIMITS__SPECTATORS",
        ),
        (
            variable("TILEWIRE_LIMITS__CONNECTIONS", "0"),
            "0 is not between 1 and",
            "variable TILEWIRE_LIMITS__CONNECTIONS",
        ),
        (
            variable("TILEWIRE_TIMING__HEARTBEAT_LOST_MS", "5000"),
            "two heartbeats",
            "variable TILEWIRE_TIMING__HEARTBEAT_LOST_MS",
        ),
    ];
    for (sources, what, origin) in cases {
        let text = refusal(&sources);
        assert!(text.contains(what) && text.contains(origin), "{text}");
    }
    let files = [
        ("limits = 3\n", "`limits`"),
        ("[limits]\nconnections = -4\n", "-4 is not between"),
        ("[tls]\nkey = \"k.pem\"\n", "needs tls.certificate"),
        ("[tls]\ncertificate = \"c.pem\"\n", "needs tls.key"),
        (
            "[http]\nallowed_origins = [\"play.example\"]\n",
            "\"play.example\": no origin",
        ),
        (
            "[site]\npage_origins = [\"https://*.example\"]\n",
            "\"https://*.example\": no exact origin",
        ),
        (
            "[ratings]\nspread_pools = [\"classic/wordnik/slow\"]\n",
            "\"classic/wordnik/slow\": a pool is named RULE-SET",
        ),
        (
            "[http]\ntrusted_proxies = [\"10.0.0.0/40\"]\n",
            "\"10.0.0.0/40\": neither an address",
        ),
        ("[http]\nproxy_header = \"via\"\n", "`http.proxy_header`"),
        (
            "[limits]\nunauthenticated = 3\nunauthenticated_per_address = 4\n",
            "more than limits.unauthenticated, 3",
        ),
    ];
    for (file, what) in files {
        let text = refusal(&with_file(dir.path(), file));
        assert!(
            text.contains(what) && text.contains("tilewire.toml"),
            "{text}"
        );
    }
}

#[test]
fn lists_are_arrays_in_files_and_have_commas_in_variables() {
    let dir = tempfile::tempdir().unwrap();
    let text = "[http]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\nallowed_origins = [\"*\"]\n";
    let of_file = load(&with_file(dir.path(), text)).unwrap().http;
    let of_variables = sources(
        &[],
        &[
            ("TILEWIRE_HTTP__TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
            ("TILEWIRE_HTTP__ALLOWED_ORIGINS", "*"),
        ],
    );
    assert_eq!(load(&of_variables).unwrap().http, of_file);
    assert_eq!(of_file.trusted_proxies.0.len(), 2);
}

#[test]
fn a_file_that_is_named_has_to_be_there_and_be_toml() {
    let dir = tempfile::tempdir().unwrap();
    let missing = Sources {
        file: Some(dir.path().join("other.toml")),
        ..Sources::default()
    };
    let errors = load(&missing).unwrap_err().0;
    assert!(matches!(errors.as_slice(), [ConfigError::Read { .. }]));
    let text = refusal(&with_file(dir.path(), "listen = \n"));
    assert!(
        text.contains("not valid TOML") && text.contains("tilewire.toml"),
        "{text}"
    );
}

#[test]
fn every_printed_key_is_explained() {
    let printed = Config::default().to_toml().unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    let mut keys = 0;
    for pair in lines.windows(2) {
        if pair[1].contains(" = ") {
            assert!(
                pair[0].starts_with("# ") && pair[0].contains("Default: "),
                "{pair:?}"
            );
            keys += 1;
        }
    }
    assert!(keys > 80, "{keys}");
}

/// Every error of a configuration is reported in one run, with its place and the nearest key.
#[test]
fn all_errors_are_listed_with_their_lines() {
    let dir = tempfile::tempdir().unwrap();
    let text = "lissten = \"127.0.0.1:1\"\nspectators = 3\n\n[limits]\nspectator = 3\nconnections = 0\nlist_entries = \"many\"\n\n[game]\nqqq = 1\n\n[tls]\nkey = \"k.pem\"\n";
    let mut sources = with_file(dir.path(), text);
    sources.environment = vec![("TILEWIRE_LIMITS__OPEN_SEEK".into(), "5".into())];
    sources.flags = vec![("admin_listen", "here".into())];
    let errors = load(&sources).unwrap_err();
    let found: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
    let file = dir.path().join("tilewire.toml").display().to_string();
    let expected = [
        format!("{file}:1: unknown key `lissten`; did you mean `listen`?"),
        format!("{file}:2: unknown key `spectators`; did you mean `limits.spectators`?"),
        format!("{file}:5: unknown key `limits.spectator`; did you mean `limits.spectators`?"),
        format!("{file}:10: unknown key `game.qqq`; `tilewire-server config print` lists all keys"),
        "the environment variable TILEWIRE_LIMITS__OPEN_SEEK: unknown key `limits.open_seek`; did you mean `TILEWIRE_LIMITS__OPEN_SEEKS`?".to_owned(),
        format!("{file}:6: `limits.connections`: 0 is not between 1 and"),
        "the flag --admin-listen: `admin_listen`:".to_owned(),
        format!("{file}:7: `limits.list_entries`: not the right type"),
        format!("{file}:13: `tls.key`: needs tls.certificate"),
    ];
    let mut missing = expected.to_vec();
    missing.retain(|text| !found.iter().any(|error| error.starts_with(text.as_str())));
    assert!(missing.is_empty(), "{missing:#?} are not in {found:#?}");
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn every_line_that_is_not_toml_is_listed() {
    let dir = tempfile::tempdir().unwrap();
    let errors = load(&with_file(
        dir.path(),
        "listen = \n[limits]\nspectators 3\n",
    ))
    .unwrap_err();
    let found: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
    assert!(
        found
            .iter()
            .any(|text| text.contains("tilewire.toml:1: not valid TOML")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|text| text.contains("tilewire.toml:3: not valid TOML")),
        "{found:?}"
    );
}

#[test]
fn backups_on_a_schedule_need_a_directory() {
    let every = ("TILEWIRE_BACKUP__EVERY_MS", "1000");
    let text = refusal(&sources(&[], &[every]));
    assert!(text.contains("needs backup.directory"), "{text}");
    let place = ("TILEWIRE_BACKUP__DIRECTORY", "/mnt");
    let config = load(&sources(&[], &[every, place])).unwrap();
    assert!(config.backup.is_on());
}

#[test]
fn servers_that_share_need_a_database_and_a_lease_of_four_renewals() {
    let node = ("TILEWIRE_CLUSTER__NODE", "2");
    let said = refusal(&sources(&[], &[node]));
    assert!(
        said.contains("cluster.node") && said.contains("needs storage.url"),
        "{said}"
    );
    let url = ("TILEWIRE_STORAGE__URL", "postgres://tiles@db/tiles");
    let lease = |lease_ms| ("TILEWIRE_CLUSTER__LEASE_MS", lease_ms);
    let said = refusal(&sources(&[], &[node, url, lease("1999")]));
    assert!(
        said.contains("cluster.lease_ms") && said.contains("2000"),
        "{said}"
    );
    let config = load(&sources(&[], &[node, url, lease("2000")])).unwrap();
    assert!(config.cluster.is_on());
    assert!(!Config::default().cluster.is_on());
}

#[test]
fn servers_that_relay_need_a_number_and_a_usable_bus() {
    let number = ("TILEWIRE_CLUSTER__NODE", "2");
    let database = ("TILEWIRE_STORAGE__URL", "postgres://tiles@db/tiles");
    let bus = |url| ("TILEWIRE_CLUSTER__NATS_URL", url);
    let check = |settings: &[(&str, &str)], parts: &[&str]| {
        let said = refusal(&sources(&[], settings));
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
        assert!(!said.contains("secret"), "{said}");
    };
    let good = bus("tls://tiles:secret@nats.example:4222");
    check(&[good], &["cluster.nats_url", "needs cluster.node"]);
    let wrong = bus("http://tiles:secret@nats.example");
    check(&[number, database, wrong], &["cluster.nats_url", "tls://"]);
    let name = ("TILEWIRE_CLUSTER__NATS_NAME", "a.b");
    check(&[number, database, good, name], &["letters, digits"]);
    let file = ("TILEWIRE_CLUSTER__NATS_CREDENTIALS_FILE", "/etc/p");
    check(&[number, database, file], &["needs cluster.nats_url"]);
    let silent = ("TILEWIRE_CLUSTER__SILENT_MS", "999");
    check(&[number, database, silent], &["cluster.silent_ms", "1000"]);
    let config = load(&sources(&[], &[number, database, good])).unwrap();
    assert!(config.cluster.relays());
    let shown = config.to_toml().unwrap();
    assert!(shown.contains("nats_url = \"tls://tiles@nats.example:4222\""));
    assert!(!shown.contains("tiles:secret"));
}
