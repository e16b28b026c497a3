//! Plots as SVG. The legend is HTML above the plot, so that it never covers data.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Width and height of a plot, pixels.
const SIZE: (u32, u32) = (860, 320);

/// A line of a plot: its name and its points.
pub(super) type PlotLine = (&'static str, Vec<(f64, f64)>);

/// The quantity on the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// Seconds since the measured phase began.
    Time,
    /// Percentiles on a logarithmic axis: 90 %, 99 % and 99.9 % are equally far apart.
    Percentile,
}

/// The place of a percentile on the axis: the logarithm of 1 / (1 - p).
pub(super) fn place(percentile: f64) -> f64 {
    -(1.0 - percentile / 100.0).log10()
}

/// Draws a figure with its caption and legend.
///
/// # Errors
/// When the plot cannot be drawn.
pub(super) fn figure(title: &str, axis: Axis, lines: &[PlotLine]) -> Result<String> {
    let mut legend = String::new();
    for (at, (name, _)) in lines.iter().enumerate() {
        let (r, g, b) = Palette99::pick(at).to_rgba().rgb();
        write!(
            legend,
            "<span><i style=\"background:#{r:02x}{g:02x}{b:02x}\"></i>{name}</span>"
        )?;
    }
    let plot = draw(axis, lines)?;
    Ok(format!(
        "<figure><figcaption>{title}</figcaption><p>{legend}</p>{plot}</figure>"
    ))
}

fn draw(axis: Axis, lines: &[PlotLine]) -> Result<String> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(0.0, f64::max);
    let (right, top) = (most(|point| point.0), most(|point| point.1) * 1.05);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_right(28)
            .x_label_area_size(28)
            .y_label_area_size(64)
            .build_cartesian_2d(Horizontal::new(axis, right.max(0.1)), 0.0..top.max(0.001))
            .map_err(|error| anyhow!("{error}"))?;
        let x_label = |x: &f64| match axis {
            Axis::Time => format!("{x:.0} s"),
            Axis::Percentile => percentile_label(*x),
        };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&x_label)
            .draw()
            .map_err(|error| anyhow!("{error}"))?;
        for (at, (_, points)) in lines.iter().enumerate() {
            let color = Palette99::pick(at).to_rgba();
            chart
                .draw_series(LineSeries::new(
                    points.iter().copied(),
                    color.stroke_width(2),
                ))
                .map_err(|error| anyhow!("{error}"))?;
        }
        area.present().map_err(|error| anyhow!("{error}"))?;
    }
    Ok(svg)
}

/// The percentile at a place of the axis.
fn percentile_label(place: f64) -> String {
    let percentile = 100.0 - 100.0 * 10_f64.powf(-place);
    let label = format!("{percentile:.4}");
    let label = label.trim_end_matches('0').trim_end_matches('.');
    format!("{label} %")
}

/// The horizontal axis; percentiles have a tick for each further nine.
struct Horizontal {
    axis: Axis,
    range: RangedCoordf64,
    right: f64,
}

impl Horizontal {
    fn new(axis: Axis, right: f64) -> Self {
        Self {
            axis,
            range: (0.0..right).into(),
            right,
        }
    }
}

impl Ranged for Horizontal {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.range.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self.axis {
            Axis::Time => self.range.key_points(hint),
            Axis::Percentile => {
                let nines = (1..10_u32).map(f64::from);
                let nines = nines.take_while(|nines| *nines <= self.right);
                [0.0, place(50.0)].into_iter().chain(nines).collect()
            }
        }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.range()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_nine_has_the_same_width() {
        for (percentile, wanted, label) in [
            (0.0, 0.0, "0 %"),
            (90.0, 1.0, "90 %"),
            (99.0, 2.0, "99 %"),
            (99.9, 3.0, "99.9 %"),
            (99.99, 4.0, "99.99 %"),
        ] {
            assert!((place(percentile) - wanted).abs() < 1e-6, "{percentile}");
            assert_eq!(percentile_label(wanted), label);
        }
    }
}
