//! `tilewire-server cluster`: what the database knows of the nodes and their parts.

use std::fmt::Write;

use anyhow::bail;
use serde_json::{Value, json};

use crate::cli::ClusterTask;
use tilewire_config::Config;
use tilewire_databases::postgres::ClusterTables;
use tilewire_store::{ClusterView, NodeRow, Part, PartRow};

/// The most parts that are listed one by one.
const LISTED: usize = 20;

/// Runs a task about the cluster; returns what it says.
///
/// # Errors
/// When the settings name no database of PostgreSQL, or it does not answer.
pub fn cluster(config: &Config, task: ClusterTask) -> anyhow::Result<String> {
    if !config.storage.has_server() {
        bail!("storage.url is not set: this server has its data directory for itself");
    }
    match task {
        ClusterTask::Status { json } => {
            let view = ClusterTables::open(&config.storage)?.view()?;
            match json {
                true => Ok(format!("{:#}\n", as_json(&view))),
                false => Ok(status(&view)),
            }
        }
    }
}

/// Describes the nodes and the parts.
fn status(view: &ClusterView) -> String {
    let mut text = "node  state     version     seen        well for   shards  lobby\n".to_owned();
    for node in &view.nodes {
        // A text takes everything.
        writeln!(text, "{}", line(node, view)).ok();
    }
    let name = |part: Part| match part.shard() {
        Some(shard) => shard.0.to_string(),
        None => "lobby".to_owned(),
    };
    let mut list = |title: &str, is_meant: &dyn Fn(&PartRow) -> bool| {
        let meant: Vec<&PartRow> = view.parts.iter().filter(|row| is_meant(row)).collect();
        let names = meant.iter().take(LISTED).map(|row| name(row.part));
        let names = names.collect::<Vec<_>>().join(" ");
        let more = if meant.len() > LISTED { " ..." } else { "" };
        let colon = if meant.is_empty() { "" } else { ": " };
        writeln!(text, "{title} {}{colon}{names}{more}", meant.len()).ok();
    };
    list("shards and lobby without an owner:", &|row| {
        row.owner.is_none()
    });
    list("shards and lobby whose games stand still:", &|row| {
        row.orphaned_at.is_some()
    });
    let moves: i64 = view.parts.iter().map(|row| row.term.0).sum();
    writeln!(text, "changes of owners so far: {moves}").ok();
    text
}

/// Returns the nodes and the parts for programs. The lobby is the part without a shard.
fn as_json(view: &ClusterView) -> Value {
    let nodes = view.nodes.iter().map(|node| {
        let mine = view.parts.iter().filter(|row| row.owner == Some(node.node));
        let (lobby, shards): (Vec<&PartRow>, Vec<&PartRow>) =
            mine.partition(|row| row.part == Part::LOBBY);
        json!({
            "node": node.node.0, "state": node.state.name(), "version": node.release.to_string(),
            "seen": node.seen.0, "well_since": node.well_since.0,
            "shards": shards.len(), "lobby": !lobby.is_empty(),
        })
    });
    let parts = view.parts.iter().map(|row| {
        json!({
            "shard": row.part.shard().map(|shard| shard.0), "owner": row.owner.map(|owner| owner.0),
            "changes": row.term.0, "still_since": row.orphaned_at.map(|at| at.0),
        })
    });
    json!({ "now": view.now.0, "nodes": nodes.collect::<Vec<_>>(), "parts": parts.collect::<Vec<_>>() })
}

fn line(node: &NodeRow, view: &ClusterView) -> String {
    let ago = |at: i64| span(view.now.0 - at);
    let mine = view
        .parts
        .iter()
        .filter(|row| row.owner == Some(node.node))
        .map(|row| row.part);
    let (lobby, shards): (Vec<Part>, Vec<Part>) = mine.partition(|part| *part == Part::LOBBY);
    format!(
        "{:<4}  {:<8}  {:<10}  {:<10}  {:<9}  {:<6}  {}",
        node.node.0,
        node.state.name(),
        node.release.to_string(),
        format!("{} ago", ago(node.seen.0)),
        ago(node.well_since.0),
        shards.len(),
        if lobby.is_empty() { "no" } else { "yes" },
    )
}

/// Returns a length of time in its largest unit.
fn span(ms: i64) -> String {
    match ms.max(0) {
        ms if ms < 10_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        ms if ms < 120_000 => format!("{} s", ms / 1_000),
        ms if ms < 7_200_000 => format!("{} min", ms / 60_000),
        ms if ms < 172_800_000 => format!("{} h", ms / 3_600_000),
        ms => format!("{} d", ms / 86_400_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewire_store::{DatabaseTime, Incarnation, NodeId, NodeState, Term};

    #[test]
    fn a_status_shows_nodes_and_what_is_wrong_with_parts() {
        let node = |number, state, seen| NodeRow {
            node: NodeId(number),
            incarnation: Incarnation(1),
            state,
            release: "0.1.0".parse().unwrap(),
            reads_form: 3,
            seen: DatabaseTime(seen),
            well_since: DatabaseTime(0),
        };
        let part = |number: i16, owner: Option<i32>, orphaned_at: Option<i64>| PartRow {
            part: Part::numbered(number).unwrap(),
            owner: owner.map(NodeId),
            term: Term(2),
            orphaned_at: orphaned_at.map(DatabaseTime),
        };
        let view = ClusterView {
            now: DatabaseTime(3_600_000),
            nodes: vec![
                node(1, NodeState::Up, 3_599_700),
                node(12, NodeState::Fenced, 0),
            ],
            parts: vec![
                part(-1, Some(1), None),
                part(0, Some(1), Some(3_000_000)),
                part(7, None, Some(3_000_000)),
            ],
        };
        let expected = "\
node  state     version     seen        well for   shards  lobby
1     up        0.1.0       0.3 s ago   60 min     1       yes
12    fenced    0.1.0       60 min ago  60 min     0       no
shards and lobby without an owner: 1: 7
shards and lobby whose games stand still: 2: 0 7
changes of owners so far: 6
";
        assert_eq!(status(&view), expected);
        let json = as_json(&view);
        assert_eq!(json["nodes"][0]["lobby"], true);
        assert_eq!(json["nodes"][1]["state"], "fenced");
        assert_eq!(json["parts"][0]["shard"], Value::Null, "the lobby");
        assert_eq!(json["parts"][2]["owner"], Value::Null);
        assert_eq!(json["parts"][2]["still_since"], 3_000_000);
    }

    #[test]
    fn lengths_of_time_are_short() {
        let spans = [
            -5,
            0,
            9_999,
            10_000,
            119_999,
            120_000,
            7_200_000,
            172_800_000,
        ]
        .map(span);
        let expected = [
            "0.0 s", "0.0 s", "9.9 s", "10 s", "119 s", "2 min", "2 h", "2 d",
        ];
        assert_eq!(spans, expected);
    }
}
