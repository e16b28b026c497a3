//! The report as one page with plots, which needs nothing from anywhere.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::Report;
use crate::results::{Curve, RunResult, Sample};
use crate::stats::number;

/// Width and height of a plot, pixels.
const SIZE: (u32, u32) = (860, 320);

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:900px;margin:2em auto;color:#222}\
    pre{background:#f5f5f2;padding:1em;overflow:auto}figure{margin:1.5em 0}figcaption{font-weight:600}";

/// The plot whose axis is shares of all, not seconds.
const SHARES: &str = "Times by share of all, ms";

/// A line of a plot: its name and its points.
type Line = (&'static str, Vec<(f64, f64)>);

/// Writes the page; `text` is the report as a person reads it.
///
/// # Errors
/// When a plot cannot be drawn.
pub(super) fn render(report: &Report, text: &str) -> Result<String> {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tilewire: {name}</title>\
         <style>{STYLE}</style><h1>{name}</h1><pre>{}</pre>\n",
        escaped(text),
        name = escaped(report.scenario),
    );
    let Some(last) = report.results.last() else {
        return Ok(page);
    };
    for (title, lines) in plots(last) {
        let has_content = lines
            .iter()
            .any(|(_, points)| points.len() > 1 && points.iter().any(|(_, y)| *y > 0.0));
        if has_content {
            let plot = plot(&lines, title == SHARES)?;
            writeln!(
                page,
                "<figure><figcaption>{title}</figcaption>{plot}</figure>"
            )?;
        }
    }
    page += "</html>\n";
    Ok(page)
}

/// What is drawn: a title and lines each.
fn plots(last: &RunResult) -> [(&'static str, Vec<Line>); 9] {
    let samples = &last.samples;
    let over_time = |name, of: fn(&Sample) -> f64| -> Line {
        let points = samples.iter().map(|sample| (sample.at_s, of(sample)));
        (name, points.collect())
    };
    [
        (
            SHARES,
            last.curves
                .iter()
                .map(|(name, curve)| (*name, nines(curve)))
                .collect(),
        ),
        (
            "Turns in a second",
            vec![over_time("turns", |sample| sample.moves_per_s)],
        ),
        (
            "Deliveries in a second",
            vec![over_time("deliveries", |sample| sample.deliveries_per_s)],
        ),
        (
            "Command to answer and to others, ms",
            vec![
                over_time("answer p50", |sample| ms(sample.ack.p50)),
                over_time("answer p99", |sample| ms(sample.ack.p99)),
                over_time("others p50", |sample| ms(sample.push.p50)),
                over_time("others p99", |sample| ms(sample.push.p99)),
            ],
        ),
        (
            "Flags fall late by, ms",
            vec![
                over_time("p50", |sample| ms(sample.flag.p50)),
                over_time("max", |sample| ms(sample.flag.max)),
            ],
        ),
        (
            "The server's memory, MiB",
            vec![over_time("resident", |sample| mib(sample.rss_bytes))],
        ),
        (
            "Cores the server used",
            vec![over_time("cores", |sample| sample.cores)],
        ),
        (
            "Files and threads of the server, unfinished games",
            vec![
                over_time("files and sockets", |sample| number(sample.files)),
                over_time("threads", |sample| number(sample.threads)),
                over_time("games", |sample| number(sample.live_games)),
            ],
        ),
        (
            "The data directory, MiB",
            vec![over_time("stored", |sample| mib(sample.stored_bytes))],
        ),
    ]
}

/// A distribution as a line whose axis gives each further nine the same room: 90, 99, 99.9 of 100 are 1, 2, 3.
fn nines(curve: &Curve) -> Vec<(f64, f64)> {
    let points = curve.iter().map(|(share, us)| {
        let left = 1.0 - share / 100.0;
        (-left.log10(), ms(*us))
    });
    points.collect()
}

/// The share of 100 behind so many nines; halves have no name.
fn share_label(nines: f64) -> String {
    if (nines - nines.round()).abs() > 0.01 {
        return String::new();
    }
    let share = 100.0 - 100.0 * 10_f64.powf(-nines);
    format!("{share:.4}")
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

fn plot(lines: &[Line], is_by_share: bool) -> Result<String> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(0.0, f64::max);
    let (right, top) = (most(|point| point.0), most(|point| point.1) * 1.05);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_right(24)
            .x_label_area_size(28)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..right.max(0.1), 0.0..top.max(0.001))
            .map_err(|error| anyhow!("{error}"))?;
        let x_label = |x: &f64| {
            if is_by_share {
                share_label(*x)
            } else {
                format!("{x:.0} s")
            }
        };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&x_label)
            .draw()
            .map_err(|error| anyhow!("{error}"))?;
        for (at, (name, points)) in lines.iter().enumerate() {
            let color = Palette99::pick(at).to_rgba();
            chart
                .draw_series(LineSeries::new(
                    points.iter().copied(),
                    color.stroke_width(2),
                ))
                .map_err(|error| anyhow!("{error}"))?
                .label(*name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .draw()
            .map_err(|error| anyhow!("{error}"))?;
        area.present().map_err(|error| anyhow!("{error}"))?;
    }
    Ok(svg)
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
