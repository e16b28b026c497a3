//! Traces for an OpenTelemetry collector: what a game takes (`input`), how long its events wait for the disk (`append`), and what is
//! written at once (`commit`).
//!
//! Spans name inputs and games. They contain no content: a command can have tiles that are hidden.

/// The target of all spans. Only a collector enables them: at the level `trace`, they cost a comparison otherwise.
pub const TARGET: &str = "tilewire_server::traces";

#[cfg(feature = "otlp")]
pub use export::{finish, layer};

#[cfg(feature = "otlp")]
mod export {
    use std::sync::OnceLock;
    use std::time::Duration;

    use futures::future::BoxFuture;
    use opentelemetry::trace::TracerProvider;
    use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
    use opentelemetry_otlp::{
        ExporterBuildError, Protocol, SpanExporter, WithExportConfig, WithHttpConfig,
    };
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing::Subscriber;
    use tracing_subscriber::Layer;
    use tracing_subscriber::filter::filter_fn;
    use tracing_subscriber::registry::LookupSpan;

    use super::TARGET;

    /// The name of the program in traces.
    const SERVICE: &str = "tilewire-server";
    /// The longest time that the collector takes for a batch of spans; then they are lost.
    const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
    /// Bytes of an answer of the collector.
    const ANSWER_BYTES: u64 = 64 * 1024;

    /// The spans that wait for the collector: at most 2,048, and those beyond are lost.
    static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

    /// Sends batches of spans, on the thread that exports them.
    #[derive(Debug)]
    struct Collector(ureq::Agent);

    impl Collector {
        fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
            let mut answer = self.0.run(request.map(|body| body.to_vec()))?;
            let body = answer.body_mut().with_config().limit(ANSWER_BYTES);
            let body = Bytes::from(body.read_to_vec()?);
            Ok(answer.map(|_| body))
        }
    }

    impl HttpClient for Collector {
        fn send_bytes<'own, 'all>(
            &'own self,
            request: Request<Bytes>,
        ) -> BoxFuture<'all, Result<Response<Bytes>, HttpError>>
        where
            'own: 'all,
            Self: 'all,
        {
            Box::pin(async move { self.send(request) })
        }
    }

    /// Returns the layer that hands spans to a collector.
    ///
    /// # Errors
    /// When the address of the collector cannot be used.
    pub fn layer<S>(collector: &str) -> Result<impl Layer<S> + use<S>, ExporterBuildError>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(EXPORT_TIMEOUT))
            .http_status_as_error(false)
            .build();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(collector)
            .with_timeout(EXPORT_TIMEOUT)
            .with_http_client(Collector(agent.into()))
            .build()?;
        let resource = Resource::builder().with_service_name(SERVICE).build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        let tracer = provider.tracer(SERVICE);
        // A process starts its log once.
        drop(PROVIDER.set(provider));
        Ok(tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(|span| span.target() == TARGET)))
    }

    /// Hands the last spans to the collector, as far as it takes them in time.
    pub fn finish() {
        if let Some(provider) = PROVIDER.get()
            && let Err(error) = provider.shutdown_with_timeout(EXPORT_TIMEOUT)
        {
            tracing::warn!(%error, "the last spans did not reach the collector");
        }
    }
}
