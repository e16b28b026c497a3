//! The view of a server, from two pages of its metrics.

use super::interval::Interval;
use super::layout::{COLUMNS, ROWS, absent, lay_out};
use super::page::Page;
use tilewire_base::metrics::table as of;

const BEFORE: &str = r#"
tilewire_turns_total 100
tilewire_games_created_total{rule_set="classic",kind="rated"} 10
tilewire_games_created_total{rule_set="own",kind="casual"} 5
tilewire_frames_received_total 1000
tilewire_frames_sent_total 1000
tilewire_bytes_received_total 20480
tilewire_bytes_sent_total 0
tilewire_process_cpu_seconds_total 10
tilewire_command_seconds_bucket{le="0.001"} 10
tilewire_command_seconds_bucket{le="0.002"} 20
tilewire_command_seconds_bucket{le="+Inf"} 20
tilewire_command_seconds_count 20
"#;

/// Two seconds later.
const AFTER: &str = r#"
tilewire_build_info{version="0.1.0",profile="release"} 1
tilewire_process_start_time_seconds 1000000
tilewire_process_cpu_seconds_total 10.24
tilewire_process_resident_memory_bytes 209715200
tilewire_process_threads 9
tilewire_process_open_files 1350
tilewire_process_open_files_max 1048576
tilewire_players_online 1234
tilewire_connections 1300
tilewire_spectators 12
tilewire_chat_members 40
tilewire_games 600
tilewire_games_running{rule_set="classic",kind="rated"} 500
tilewire_games_running{rule_set="own",kind="casual"} 50
tilewire_games_asleep 2000
tilewire_seeks 7
tilewire_turns_total 160
tilewire_games_created_total{rule_set="classic",kind="rated"} 12
tilewire_games_created_total{rule_set="own",kind="casual"} 6
tilewire_frames_received_total 1500
tilewire_frames_sent_total 3000
tilewire_bytes_received_total 40960
tilewire_bytes_sent_total 2097152
tilewire_command_seconds_bucket{le="0.001"} 20
tilewire_command_seconds_bucket{le="0.002"} 119
tilewire_command_seconds_bucket{le="+Inf"} 120
tilewire_command_seconds_count 120
tilewire_storage_commit_seconds_bucket{le="0.0001"} 0
tilewire_storage_commit_seconds_bucket{le="0.0002"} 4
tilewire_storage_commit_seconds_bucket{le="+Inf"} 4
tilewire_storage_commit_seconds_count 4
tilewire_stall_seconds_bucket{le="10"} 0
tilewire_stall_seconds_bucket{le="+Inf"} 1
tilewire_stall_seconds_count 1
tilewire_queue_length{queue="storage"} 3
tilewire_queue_length{queue="lobby"} 0
tilewire_queue_length{queue="chat"} 1
tilewire_queue_capacity{queue="storage"} 4096
tilewire_queue_capacity{queue="lobby"} 1024
tilewire_queue_capacity{queue="chat"} 1024
tilewire_bots_thinking 2
tilewire_bots_waiting 5
tilewire_overload_level 1
tilewire_storage_database_bytes 104857600
tilewire_storage_log_bytes 4194304
tilewire_storage_free_bytes 1099511627776
tilewire_certificate_expiry_timestamp_seconds 3686000
"#;

/// A day and two hours after the start.
const NOW: f64 = 1_094_000.0;

const VIEW: &str = "\
tilewire-server 0.1.0 on 127.0.0.1:7781, up 1 d 2 h

players   online 1234      sockets 1300     watching 12      in chat 40
games     memory 600       running 550      asleep 2000      seeks 7
play      turns 30.0/s     begin 1.5/s      end 0/s
frames    in 250/s         out 1000/s       in 10.0 KiB/s    out 1.0 MiB/s

latency     per second         p50         p99
command           50.0      1.4 ms      2.0 ms
write                0           -           -
commit             2.0      150 µs      199 µs
flush                0           -           -
lag                  0           -           -
stall              0.5      10.0 s      10.0 s

queues    storage 3/4096   lobby 0/1024     chat 1/1024
bots      thinking 2       waiting 5
overload  level 1, leaves out new spectators
disk      data 100 MiB     log 4.0 MiB      free 1.0 TiB
process   cpu 12 %         memory 200 MiB   threads 9        files 1350/1048576
tls       expires in 30 d 0 h

q ends";

fn address() -> std::net::SocketAddr {
    "127.0.0.1:7781".parse().unwrap()
}

#[test]
fn the_view_of_two_seconds() {
    let (before, after) = (Page::parse(BEFORE), Page::parse(AFTER));
    let lines = lay_out(&Interval::new(&before, &after, 2.0), address(), NOW);
    assert_eq!(lines.join("\n"), VIEW);
}

/// Large figures, and a server that shows nothing, fit on the screen.
#[test]
fn every_view_fits_on_the_screen() {
    let huge: String = AFTER
        .lines()
        .filter_map(|line| Some(format!("{} 123456789012345\n", line.rsplit_once(' ')?.0)))
        .collect();
    let pages = [Page::default(), Page::parse(AFTER), Page::parse(&huge)];
    for (before, after) in pages
        .iter()
        .zip(pages.iter().skip(1))
        .chain([(&pages[2], &pages[0])])
    {
        let mut views = vec![lay_out(&Interval::new(before, after, 1.0), address(), NOW)];
        views.push(absent(address(), &"it does not answer; ".repeat(20)));
        for lines in views {
            assert!(lines.len() <= ROWS, "{lines:#?}");
            let widest = lines.iter().map(|line| line.chars().count()).max();
            assert!(widest.is_some_and(|widest| widest <= COLUMNS), "{lines:#?}");
            assert_eq!(lines.last().map(String::as_str), Some("q ends"));
        }
    }
}

#[test]
fn a_quantile_is_inside_its_bucket() {
    let page = |buckets: &[(&str, u32)]| {
        let line = |(bound, count): &(&str, u32)| {
            format!("{}_bucket{{le=\"{bound}\"}} {count}\n", of::LAG.name)
        };
        Page::parse(&buckets.iter().map(line).collect::<String>())
    };
    let empty = Page::default();
    let check = |buckets: &[(&str, u32)], share, expected: Option<f64>| {
        let after = page(buckets);
        let found = Interval::new(&empty, &after, 1.0).quantile(&of::LAG, share);
        let is_close = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
            (found, expected) => found == expected,
        };
        assert!(
            is_close,
            "{share} of {buckets:?}: {found:?}, not {expected:?}"
        );
    };
    let spread = [("1", 0), ("2", 50), ("4", 100), ("+Inf", 100)];
    check(&spread, 0.25, Some(1.5));
    check(&spread, 0.5, Some(2.0));
    check(&spread, 0.75, Some(3.0));
    check(&spread, 1.0, Some(4.0));
    // Values above the last bound are at it.
    check(&[("1", 1), ("2", 1), ("+Inf", 10)], 0.9, Some(2.0));
    check(&[("1", 0), ("+Inf", 0)], 0.5, None);
    check(&[], 0.5, None);
}

/// A server that has started again counts from zero.
#[test]
fn a_counter_that_fell_is_no_negative_rate() {
    let page = |value: u32| Page::parse(&format!("{} {value}\n", of::TURNS.name));
    let check = |before, after, seconds, expected: f64| {
        let (before, after) = (page(before), page(after));
        let rate = Interval::new(&before, &after, seconds).rate(&of::TURNS);
        assert!((rate - expected).abs() < 1e-9, "{rate}, not {expected}");
    };
    check(10, 30, 2.0, 10.0);
    check(30, 10, 2.0, 0.0);
    check(10, 30, 0.0, 0.0);
}
