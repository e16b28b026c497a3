//! The log: structured entries on stderr.
//!
//! Racks, tokens, codes and keys are never logged. Types that hold keys, tokens or codes hide them in `Debug`, games
//! are logged by id and never with their records, and libraries, which log their inputs, never log at trace level.

use std::io;
use std::sync::OnceLock;

use tracing::{Level, Metadata};
use tracing_subscriber::filter::{ParseError, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{EnvFilter, Layer, Registry, layer::SubscriberExt, reload};

use tilewire_base::traces;
use tilewire_config::{LogConfig, LogFormat};

/// The reasons why logging cannot start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter cannot be read.
    #[error("log.filter: {0}")]
    Filter(#[from] ParseError),
    /// The collector of traces cannot be used.
    #[cfg(feature = "otlp")]
    #[error("log.traces: {0}")]
    Traces(#[from] opentelemetry_otlp::ExporterBuildError),
    /// Logging has started already.
    #[error(transparent)]
    Init(#[from] TryInitError),
}

/// The filter of the log, which a reload of the settings changes.
type Filter = reload::Handle<EnvFilter, Registry>;

/// The filter of this process.
static FILTER: OnceLock<Filter> = OnceLock::new();

/// Starts logging to stderr for the whole process.
///
/// # Errors
/// When the filter cannot be read, or logging has started already.
pub fn install(config: &LogConfig) -> Result<(), TelemetryError> {
    let (subscriber, filter) = subscriber(config, io::stderr)?;
    #[cfg(feature = "otlp")]
    let traces = (!config.traces.is_empty()).then(|| traces::layer(&config.traces));
    #[cfg(feature = "otlp")]
    let subscriber = subscriber.with(traces.transpose()?);
    subscriber.try_init()?;
    drop(FILTER.set(filter));
    Ok(())
}

/// Replaces the filter of the log; nothing happens in a process that does not log.
///
/// # Errors
/// When the filter cannot be read or replaced.
pub(crate) fn refilter(config: &LogConfig) -> Result<(), String> {
    let filter = filter(config).map_err(|error| error.to_string())?;
    match FILTER.get() {
        Some(used) => used.reload(filter).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

/// Ends what the log started: the last spans reach the collector.
pub fn finish() {
    #[cfg(feature = "otlp")]
    traces::finish();
}

/// Returns the filter of the settings. A collector gets spans, whatever else is logged.
fn filter(config: &LogConfig) -> Result<EnvFilter, ParseError> {
    let filter = EnvFilter::builder().parse(&config.filter)?;
    // It tells of the schema in memory that each start compares the database with.
    let filter = filter.add_directive("rusqlite_migration=warn".parse()?);
    if config.traces.is_empty() {
        return Ok(filter);
    }
    Ok(filter.add_directive(format!("{}=trace", traces::TARGET).parse()?))
}

/// Returns a subscriber that writes entries to `writer`, and its filter.
fn subscriber<W>(
    config: &LogConfig,
    writer: W,
) -> Result<
    (
        impl tracing::Subscriber + for<'span> LookupSpan<'span> + Send + Sync + use<W>,
        Filter,
    ),
    TelemetryError,
>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let (filter, handle) = reload::Layer::new(filter(config)?);
    let entries = tracing_subscriber::fmt::layer().with_writer(writer);
    let entries = match config.format {
        LogFormat::Text => entries.with_ansi(false).boxed(),
        LogFormat::Json => entries.json().flatten_event(true).boxed(),
    };
    let subscriber = tracing_subscriber::registry()
        .with(filter)
        .with(filter_fn(shows_no_frame))
        .with(entries.with_filter(filter_fn(|entry| entry.target() != traces::TARGET)));
    Ok((subscriber, handle))
}

/// Keeps libraries from logging at trace level even if the filter allows it: traces contain frames, and so tokens.
fn shows_no_frame(entry: &Metadata<'_>) -> bool {
    *entry.level() != Level::TRACE || entry.target().starts_with("tilewire")
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tilewire_rules::time::Timestamp;

    use super::subscriber;
    use tilewire_accounts::identity::{Tokens, names};
    use tilewire_config::{IdentityConfig, LogConfig, LogFormat, StorageConfig};
    use tilewire_delivery::session::Pass;
    use tilewire_store::Append;
    use tilewire_store::contract_suite::samples;

    #[derive(Clone, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Captured {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn config(format: LogFormat) -> LogConfig {
        LogConfig {
            format,
            filter: "trace".to_owned(),
            traces: String::new(),
        }
    }

    fn capture(format: LogFormat) -> (Captured, impl tracing::Subscriber + Send + Sync) {
        let captured = Captured::default();
        let writer = captured.clone();
        let (subscriber, _) = subscriber(&config(format), move || writer.clone()).unwrap();
        (captured, subscriber)
    }

    #[test]
    fn entries_are_lines_of_text_or_json() {
        let (text, subscriber) = capture(LogFormat::Text);
        tracing::subscriber::with_default(subscriber, || tracing::info!(game = "g1", "created"));
        assert!(
            text.text().contains("created game=\"g1\""),
            "{}",
            text.text()
        );
        let (json, subscriber) = capture(LogFormat::Json);
        tracing::subscriber::with_default(subscriber, || tracing::info!(game = "g1", "created"));
        let entry: serde_json::Value = serde_json::from_str(&json.text()).unwrap();
        assert_eq!(entry["game"], "g1");
        assert_eq!(entry["message"], "created");
    }

    /// Runs the paths of identity and storage that handle secrets, failures included, with everything logged.
    #[test]
    fn nothing_secret_is_logged() {
        let (log, subscriber) = capture(LogFormat::Text);
        let dir = tempfile::tempdir().unwrap();
        let mut secrets = vec!["CODE".to_owned()];
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        tracing::subscriber::with_default(subscriber, || {
            let storage =
                tilewire_databases::open(dir.path(), &StorageConfig::default(), Timestamp(1))
                    .unwrap();
            let credentials = runtime.block_on(storage.credentials()).unwrap();
            let tokens = Tokens::new(&credentials.keys, &IdentityConfig::default());
            let token = tokens
                .issue(
                    &Pass::without_token("abc".to_owned(), "f".to_owned()),
                    Timestamp(1),
                )
                .token;
            tokens.verify(&token, Timestamp(1)).unwrap();
            tokens.verify(&token[1..], Timestamp(1)).unwrap_err();
            tracing::info!(?tokens, ?credentials, "values with secrets");
            secrets.push(token);
            names::check("a\u{202e}b").unwrap_err();
            runtime.block_on(async {
                let first = samples::records("g", 1, 1).remove(0);
                let meta = samples::meta("g", ["a", "b"], Timestamp(1));
                storage.create(meta.clone(), first.clone()).await.unwrap();
                let conflict = storage.create(meta, first).await;
                tracing::info!(?conflict, ?storage, "values with secrets");
                let append: Append = samples::append("g", 1, 5);
                storage.append(append).await.unwrap();
            });
        });
        let log = log.text();
        assert!(log.contains("values with secrets"), "{log}");
        for secret in secrets {
            assert!(!log.contains(&secret), "{secret} in {log}");
        }
    }
}
