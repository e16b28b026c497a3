//! The admin listener in one process.

use std::sync::{Arc, Mutex, OnceLock};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{Admin, Notices, Readiness};
use tilewire_base::clock::ServerClock;
use tilewire_rules::time::Timestamp;

const TOKEN: &str = "a token that only the operator knows";

#[derive(Default)]
struct World {
    trouble: Mutex<Option<String>>,
    notices: Mutex<Vec<String>>,
}

async fn ask(address: std::net::SocketAddr, request: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let (request, headers) = request.split_once('\n').unwrap_or((request, ""));
    let request = format!(
        "{request} HTTP/1.1\r\n{headers}host: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn unavailable(address: std::net::SocketAddr, request: &str, why: &str) {
    let answer = ask(address, request, "").await;
    let is_503 = answer.starts_with("HTTP/1.1 503");
    assert!(is_503 && answer.contains(why), "{answer}");
}

fn admin(world: &Arc<World>, readiness: &Arc<Readiness>, metrics: PrometheusHandle) -> Admin {
    let told = Arc::clone(world);
    let operations = Arc::new(OnceLock::from(super::AdminToken::of(TOKEN)));
    Admin {
        readiness: Arc::clone(readiness),
        metrics,
        notices: Arc::new(Notices::new(
            Arc::new(move |notice| {
                told.notices.lock().unwrap().push(notice.text);
                7
            }),
            10,
            ServerClock::manual(Timestamp(0)),
        )),
        access: super::Access {
            token: None,
            operations,
            running: tokio::sync::watch::channel(None).1,
        },
    }
}

#[tokio::test]
async fn health_readiness_figures_and_notices() {
    let world = Arc::new(World::default());
    let readiness = Arc::new(Readiness::default());
    let recorder = PrometheusBuilder::new().build_recorder();
    let admin = admin(&world, &readiness, recorder.handle());
    metrics::with_local_recorder(&recorder, || tilewire_base::metrics::record::games(3));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(admin.serve(listener, async {
        stopped.await.ok();
    }));
    assert!(
        ask(address, "GET /healthz", "")
            .await
            .starts_with("HTTP/1.1 200")
    );
    let starting = ask(address, "GET /readyz", "").await;
    assert!(
        starting.starts_with("HTTP/1.1 503") && starting.contains("starting"),
        "{starting}"
    );
    readiness.set_waiting("the database".to_owned());
    unavailable(address, "GET /readyz", "waiting for the database").await;
    let asked = Arc::clone(&world);
    unavailable(
        address,
        "GET /admin/v1/connections",
        "waiting for the database",
    )
    .await;
    readiness.set_ready(Box::new(move || asked.trouble.lock().unwrap().clone()));
    assert!(
        ask(address, "GET /readyz", "")
            .await
            .starts_with("HTTP/1.1 200")
    );
    *world.trouble.lock().unwrap() = Some("disk full".to_owned());
    unavailable(address, "GET /readyz", "disk full").await;
    readiness.set_stopping();
    assert!(ask(address, "GET /readyz", "").await.contains("stopping"));
    let metrics = ask(address, "GET /metrics", "").await;
    assert!(metrics.contains("tilewire_games 3"), "{metrics}");
    let format = "content-type: text/plain; version=0.0.4; charset=utf-8\r\n";
    assert!(metrics.contains(format), "{metrics}");
    let notice = r#"{"code":"maintenance","text":"Back at noon","at":1}"#;
    let refused = ask(address, "POST /notice", notice).await;
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    assert!(world.notices.lock().unwrap().is_empty());
    let post = format!("POST /notice\nauthorization: Bearer {TOKEN}\r\n");
    assert!(
        ask(address, &post, notice)
            .await
            .contains("7 connections told")
    );
    assert_eq!(*world.notices.lock().unwrap(), ["Back at noon"]);
    let unknown = r#"{"code":"maintenance","text":"x","when":1}"#;
    assert!(
        ask(address, &post, unknown)
            .await
            .starts_with("HTTP/1.1 422")
    );
    unavailable(address, "GET /admin/v1/connections", "stopping").await;
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
}
