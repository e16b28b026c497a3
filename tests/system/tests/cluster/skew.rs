//! Servers that differ: in their versions, in the forms that they read, in their lexica.

use std::time::Duration;

use tilewire_harness::lexica;
use tilewire_store::NodeState;
use tilewire_system::cluster::Cluster;

use crate::scene::{until, watch};

/// A time in which a shard moves many times over if it may.
const LONG: Duration = Duration::from_secs(3);

/// Lets a server of another kind renew its lease; `kind` says how it differs from the others.
fn renew(cluster: &Cluster, kind: &str) {
    let up = NodeState::Up.name();
    let done = cluster.sql(&format!(
        "INSERT INTO nodes (node, incarnation, keeper, state, version, reads_form, offers, seen, renewed, well_since)
         SELECT 9, 9, 9, '{up}', version, reads_form, offers, clock_timestamp(), clock_timestamp(), now() - interval '1 hour'
         FROM nodes WHERE node = 1
         ON CONFLICT (node) DO UPDATE SET seen = clock_timestamp(), state = '{up}', version = excluded.version,
             reads_form = excluded.reads_form, offers = excluded.offers;
         UPDATE nodes SET {kind} WHERE node = 9"
    ));
    assert!(done.is_empty());
}

/// The parts that the server of another kind has.
fn given(cluster: &Cluster) -> String {
    cluster.sql("SELECT count(*) FROM shards WHERE owner = 9")
}

/// In a rollout, some servers are older than others, or lack a lexicon of others. Shards are never given to them.
#[test]
fn no_shard_goes_to_a_server_that_cannot_play_it() {
    let Some(cluster) = Cluster::start(2) else {
        return;
    };
    for kind in ["version = '0.0.9'", "reads_form = 0", "offers = '{}'"] {
        renew(&cluster, kind);
        watch(LONG, || {
            renew(&cluster, kind);
            assert_eq!(given(&cluster), "0", "{kind}");
        });
    }
    // That is what kept the shards: a newer server gets them.
    until("a newer server gets shards", || {
        renew(&cluster, "version = '99.0.0'");
        given(&cluster) != "0"
    });
    // It never was there: the others take them back.
    cluster.until_at_home(&[0, 1]);
}

/// A server without a lexicon of the others refuses to start. With `lexica.missing = "leave"` it joins and gets no shard of theirs.
#[test]
fn a_server_that_lacks_a_lexicon_owns_no_games_of_it() {
    let Some(mut cluster) = Cluster::start(2) else {
        return;
    };
    assert!(cluster.servers[0].stop(), "it ends well");
    lexica::build(
        &cluster.servers[0].data_dir(),
        "tiny",
        "english",
        "cat\ndog\n",
    );
    cluster.servers[0].start_again();
    cluster.until_at_home(&[0, 1]);
    assert!(cluster.servers[1].stop(), "it ends well");
    let refused = cluster.servers[1].refuses_to_start();
    assert!(refused.contains("lexicon tiny ("), "{refused}");
    let usual = cluster.config(1);
    let lenient = format!("{usual}[lexica]\nmissing = \"leave\"\n");
    cluster.servers[1].configure(&lenient);
    cluster.servers[1].start_again();
    watch(LONG, || cluster.until_at_home(&[0]));
    assert!(cluster.servers[1].stop(), "it ends well");
    cluster.servers[1].configure(&usual);
    lexica::build(
        &cluster.servers[1].data_dir(),
        "tiny",
        "english",
        "cat\ndog\n",
    );
    cluster.servers[1].start_again();
    cluster.until_at_home(&[0, 1]);
}
