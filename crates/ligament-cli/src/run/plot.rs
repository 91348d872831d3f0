//! Positions, velocities and energy over time, as a picture.

use super::canvas::PngCanvas;
use super::recording::Recording;
use crate::convert::extension;
use anyhow::{Context, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Endings of the files that can be written.
pub const FORMATS: &[&str] = &["svg", "png"];
const SIZE: (u32, u32) = (1000, 1050);
/// More lines than this get no legend.
const LEGEND_LIMIT: usize = 8;

pub fn write(recording: &Recording, path: &Path) -> anyhow::Result<()> {
    let bytes = match extension(path) {
        "svg" => {
            let mut text = String::new();
            draw(recording, &SVGBackend::with_string(&mut text, SIZE).into_drawing_area())?;
            text.into_bytes()
        }
        _ => {
            let mut pixels = vec![0; 3 * (SIZE.0 * SIZE.1) as usize];
            draw(recording, &PngCanvas::new(&mut pixels, SIZE).into_drawing_area())?;
            encode(&pixels)?
        }
    };
    std::fs::write(path, bytes).with_context(|| format!("cannot write '{}'", path.display()))
}

fn encode(pixels: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE.0, SIZE.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(bytes)
}

/// A line of a panel.
struct Line {
    label: String,
    values: Vec<f64>,
}

fn draw<B: DrawingBackend>(recording: &Recording, area: &DrawingArea<B, Shift>) -> anyhow::Result<()> {
    let fail = |error: DrawingAreaErrorKind<B::ErrorType>| anyhow!("cannot draw: {error}");
    area.fill(&WHITE).map_err(fail)?;
    let panels = area.split_evenly((3, 1));
    let lines = |name: &str| -> Vec<Line> {
        let column = recording.column(name);
        column.map_or_else(Vec::new, |column| {
            let labels = column.labels.iter().enumerate();
            labels
                .map(|(i, label)| Line { label: label.clone(), values: column.series(i).collect() })
                .collect()
        })
    };
    let mut energy = lines("energy");
    if let [potential, kinetic] = energy.as_slice() {
        let values = potential.values.iter().zip(&kinetic.values).map(|(p, k)| p + k).collect();
        energy.push(Line { label: "energy.total".into(), values });
    }
    let titles = ["positions", "velocities", "energy [J]"];
    for ((panel, title), lines) in panels.iter().zip(titles).zip([lines("qpos"), lines("qvel"), energy]) {
        draw_panel(panel, title, &recording.time, &lines).map_err(fail)?;
    }
    area.present().map_err(fail)
}

fn draw_panel<B: DrawingBackend>(
    panel: &DrawingArea<B, Shift>,
    title: &str,
    time: &[f64],
    lines: &[Line],
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let mut chart = ChartBuilder::on(panel)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(extent(time.iter()), extent(lines.iter().flat_map(|line| &line.values)))?;
    chart
        .configure_mesh()
        .x_desc("time [s]")
        .label_style(("sans-serif", 13))
        .light_line_style(BLACK.mix(0.04))
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    for (i, line) in lines.iter().enumerate() {
        let color = HSLColor(i as f64 / lines.len() as f64, 0.65, 0.45).to_rgba();
        let points = time.iter().copied().zip(line.values.iter().copied()).filter(|(_, y)| y.is_finite());
        let series = chart.draw_series(LineSeries::new(points, color))?;
        if lines.len() <= LEGEND_LIMIT {
            series
                .label(line.label.split_once('.').map_or("", |(_, name)| name))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], color));
        }
    }
    if (1..=LEGEND_LIMIT).contains(&lines.len()) {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            // a little larger than the letters, so that they fit into the box in bitmaps too
            .label_font(("sans-serif", 16))
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.2))
            .draw()?;
    }
    Ok(())
}

/// Range of finite values with a little room; never empty.
fn extent<'a>(values: impl Iterator<Item = &'a f64>) -> Range<f64> {
    let finite = values.copied().filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    if low > high {
        return 0.0..1.0;
    }
    let room = if high > low { 0.03 * (high - low) } else { 0.5 };
    low - room..high + room
}
