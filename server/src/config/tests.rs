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
fn unknown_keys_name_file_and_key() {
    let dir = tempfile::tempdir().unwrap();
    let text = refusal(&with_file(dir.path(), "[limits]\nspectator = 3\n"));
    assert!(text.contains("`limits.spectator`"), "{text}");
    assert!(text.contains("tilewire.toml"), "{text}");
    assert!(text.contains("spectators"), "{text}");
    let text = refusal(&with_file(dir.path(), "lissten = 3\n"));
    assert!(text.contains("`lissten`"), "{text}");
    let text = refusal(&sources(&[], &[("TILEWIRE_LIMITS__SPECTATOR", "3")]));
    assert!(
        text.contains("variable TILEWIRE_LIMITS__SPECTATOR"),
        "{text}"
    );
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
    assert!(matches!(load(&missing), Err(ConfigError::Read { .. })));
    let text = refusal(&with_file(dir.path(), "listen = \n"));
    assert!(
        text.contains("not valid TOML") && text.contains("tilewire.toml"),
        "{text}"
    );
}

/// `config keys` explains exactly the keys `config print` shows.
#[test]
fn every_key_is_explained() {
    let printed: toml::Table = Config::default().to_toml().unwrap().parse().unwrap();
    let mut keys = Vec::new();
    for (name, value) in &printed {
        match value.as_table() {
            Some(section) => keys.extend(section.keys().map(|key| format!("{name}.{key}"))),
            None => keys.push(name.clone()),
        }
    }
    let page = super::reference();
    let explained = page.lines().filter_map(|line| line.split_once(" = "));
    let mut explained: Vec<_> = explained.map(|(key, _)| key.to_owned()).collect();
    keys.sort();
    explained.sort();
    assert_eq!(explained, keys);
}
