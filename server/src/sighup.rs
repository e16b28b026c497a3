//! Reloads the settings and the certificate of a running server after SIGHUP.

use std::sync::Arc;

use tokio::signal::unix::Signal;
use tokio_util::sync::CancellationToken;

use tilewire_base::metrics;
use tilewire_control::Settings;
use tilewire_gateway::connection::{Certificates, Reload};

/// Reads the settings again after each SIGHUP, until `stop`. Settings with mistakes are logged, and change nothing.
pub(crate) async fn reload_settings(
    settings: Arc<Settings>,
    mut hangups: Signal,
    stop: CancellationToken,
) {
    let reloads = async {
        while hangups.recv().await.is_some() {
            let settings = Arc::clone(&settings);
            let done = tokio::task::spawn_blocking(move || settings.reload()).await;
            if let Ok(Err(error)) = done {
                tracing::error!(%error, "the settings have mistakes; the server keeps the last ones");
            }
        }
    };
    stop.run_until_cancelled(reloads).await;
}

/// Reads the certificate again after each SIGHUP, until `stop`.
pub(crate) async fn reload_certificates(
    certificates: Arc<Certificates>,
    mut hangups: Signal,
    stop: CancellationToken,
) {
    let reloads = async {
        while hangups.recv().await.is_some() {
            if reload_certificate(Arc::clone(&certificates)).await == Some(Reload::Unchanged) {
                tracing::info!("SIGHUP: the certificate files have not changed");
            }
        }
    };
    stop.run_until_cancelled(reloads).await;
}

/// Reads the certificate again. A pair that cannot be used is logged, and the old one stays in use.
pub(crate) async fn reload_certificate(certificates: Arc<Certificates>) -> Option<Reload> {
    let reload = move || (certificates.reload(), certificates.expires_at());
    let (reloaded, expires_at) = tokio::task::spawn_blocking(reload).await.ok()?;
    metrics::certificate_expires(expires_at.unwrap_or_default());
    match reloaded {
        Ok(reload) => {
            if reload == Reload::Changed {
                metrics::certificate_read("changed");
                tracing::info!("a new certificate is in use");
            }
            Some(reload)
        }
        Err(error) => {
            metrics::certificate_read("refused");
            tracing::error!(%error, "the new certificate cannot be used; the old one stays in use");
            None
        }
    }
}
