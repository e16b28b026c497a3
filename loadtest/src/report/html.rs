//! The report as one HTML page with plots, without external resources.

use anyhow::Result;

use super::Report;
use super::plot::{Axis, PlotLine, figure, place};
use super::terms;
use crate::results::{Curve, RunResult, Sample};
use crate::stats::number;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;color:#222}\
    h1{font-size:1.3em;margin-bottom:.2em}pre{background:#f5f5f2;padding:1em;overflow:auto}\
    figure{margin:1.8em 0}figcaption{font-weight:600}figure p{margin:.2em 0;font-size:13px}\
    figure span{margin-right:1.5em;white-space:nowrap}\
    figure i{display:inline-block;width:18px;height:3px;margin-right:6px;vertical-align:middle}\
    svg{max-width:100%;height:auto}";

/// The latencies of the first plot. The others follow in a plot of their own: their scale differs.
const COMMAND_LATENCIES: &[&str] = &[
    "ack_latency_us",
    "push_latency_us",
    "service_time_us",
    "send_delay_us",
];

/// Writes the page; `text` is the text report.
///
/// # Errors
/// When a plot cannot be drawn.
pub(super) fn render(report: &Report, text: &str) -> Result<String> {
    let title = escaped(&report.title());
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style><h1>{title}</h1><pre>{}</pre>\n",
        escaped(text),
    );
    if report.results.len() > 1 {
        page += "<p>The plots show the last run.</p>\n";
    }
    let last = report.results.last();
    for (title, axis, lines) in last.map(plots).into_iter().flatten() {
        let mut points = lines.iter().filter(|(_, points)| points.len() > 1);
        if points.any(|(_, points)| points.iter().any(|(_, y)| *y > 0.0)) {
            page += &figure(title, axis, &lines)?;
            page += "\n";
        }
    }
    page += "</html>\n";
    Ok(page)
}

/// The plots: title, axis and lines.
fn plots(last: &RunResult) -> Vec<(&'static str, Axis, Vec<PlotLine>)> {
    let over_time = |name, of: fn(&Sample) -> f64| -> PlotLine {
        let points = last.samples.iter().map(|sample| (sample.at_s, of(sample)));
        (name, points.collect())
    };
    let by_percentile = |of_commands: bool| -> Vec<PlotLine> {
        let curves = last.curves.iter();
        let curves = curves.filter(|(key, _)| COMMAND_LATENCIES.contains(key) == of_commands);
        let lines = curves.map(|(key, curve)| (terms::latency(key), percentiles(curve)));
        lines.collect()
    };
    let time = |title, lines| (title, Axis::Time, lines);
    vec![
        (
            "Latency by percentile, ms",
            Axis::Percentile,
            by_percentile(true),
        ),
        (
            "Other latencies by percentile, ms",
            Axis::Percentile,
            by_percentile(false),
        ),
        time(
            "Moves per second",
            vec![over_time("moves", |sample| sample.moves_per_s)],
        ),
        time(
            "Deliveries per second",
            vec![over_time("deliveries", |sample| sample.deliveries_per_s)],
        ),
        time(
            "Acknowledgement and push latency, ms",
            vec![
                over_time("acknowledgement p50", |sample| ms(sample.ack.p50)),
                over_time("acknowledgement p99", |sample| ms(sample.ack.p99)),
                over_time("push p50", |sample| ms(sample.push.p50)),
                over_time("push p99", |sample| ms(sample.push.p99)),
            ],
        ),
        time(
            "Flag delay, ms",
            vec![
                over_time("p50", |sample| ms(sample.flag.p50)),
                over_time("maximum", |sample| ms(sample.flag.max)),
            ],
        ),
        time(
            "Server memory, MiB",
            vec![over_time("resident", |sample| mib(sample.rss_bytes))],
        ),
        time(
            "Server CPU, cores",
            vec![over_time("cores", |sample| sample.cores)],
        ),
        time(
            "Open files, threads and unfinished games",
            vec![
                over_time("files and sockets", |sample| number(sample.files)),
                over_time("threads", |sample| number(sample.threads)),
                over_time("games", |sample| number(sample.live_games)),
            ],
        ),
        time(
            "Data directory, MiB",
            vec![over_time("stored", |sample| mib(sample.stored_bytes))],
        ),
    ]
}

/// A distribution as a line; the last point, 100 %, has no place on a logarithmic axis.
fn percentiles(curve: &Curve) -> Vec<(f64, f64)> {
    let points = curve.iter().filter(|(percentile, _)| *percentile < 100.0);
    let points = points.map(|(percentile, us)| (place(*percentile), ms(*us)));
    points.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn ms(us: u64) -> f64 {
    number(us) / 1_000.0
}

fn mib(bytes: u64) -> f64 {
    number(bytes) / 1_048_576.0
}
