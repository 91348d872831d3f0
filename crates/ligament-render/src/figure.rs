//! Plots on top of pictures (`mjr_figure`): a pane with a grid, lines, numbers at the axes, title and legend.

use crate::frame::{Frame, Rect};
use crate::text::{Font, draw_rectangle, draw_text};
use ligament_scene::{Figure, MAXLINE, MAXLINEPNT};

/// Space between texts and what is beside them.
const PAD: i32 = 4;
/// Longest line of the legend.
const MAX_NAME: usize = 40;

/// Draws a figure in a part of the frame, and notes where its axes are.
pub fn draw_figure(frame: &mut Frame, viewport: Rect, figure: &mut Figure, font: Font) {
    let clip = frame.clip(viewport);
    draw_rectangle(frame, clip, figure.figurergba);
    let ranges = ranges(figure);
    let pane = pane(viewport, figure, font);
    if pane.width < 2 || pane.height < 2 {
        return;
    }
    let inside = frame.clip(pane);
    draw_rectangle(frame, inside, figure.panergba);
    figure.xaxispixel = [pane.left - viewport.left, pane.left + pane.width - viewport.left];
    figure.yaxispixel = [pane.bottom - viewport.bottom, pane.bottom + pane.height - viewport.bottom];
    (figure.xaxisdata, figure.yaxisdata) = (ranges[0], ranges[1]);
    let plot = Plot { figure, pane, ranges, font };
    plot.grid(frame);
    plot.numbers(frame, viewport);
    plot.lines(frame);
    if figure.flg_selection != 0 {
        let [x, _] = plot.place(figure.selection, ranges[1][0]);
        plot.stroke(frame, [x, pane.bottom], [x, pane.bottom + pane.height - 1], 1.0, figure.textrgb);
    }
    plot.texts(frame, viewport);
    if figure.flg_legend != 0 {
        plot.legend(frame);
    }
}

/// Number of points of a line that there is room for.
fn points(figure: &Figure, line: usize) -> &[[f32; 2]] {
    let count = figure.linepnt[line].clamp(0, MAXLINEPNT as i32) as usize;
    let (pairs, _) = figure.linedata[line].as_chunks::<2>();
    &pairs[..count]
}

/// Ranges of both axes: as given, wider where the data need it, or from the data alone where nothing is given.
fn ranges(figure: &Figure) -> [[f32; 2]; 2] {
    let mut result = [0, 1].map(|axis| {
        let [low, high] = figure.range[axis];
        let given = high > low;
        if given && figure.flg_extend == 0 {
            return [low, high];
        }
        let start = if given { [low, high] } else { [f32::INFINITY, f32::NEG_INFINITY] };
        let values =
            (0..MAXLINE).flat_map(|line| points(figure, line)).map(|p| p[axis]).filter(|v| v.is_finite());
        let [low, high] = values.fold(start, |[a, b], v| [a.min(v), b.max(v)]);
        match high - low {
            span if !span.is_finite() => [0.0, 1.0],
            0.0 => [low - 0.5, high + 0.5],
            _ => [low, high],
        }
    });
    if figure.flg_symmetric != 0 {
        let reach = result[1][0].abs().max(result[1][1].abs());
        result[1] = [-reach, reach];
    }
    result
}

/// The part of the figure that the lines are in.
fn pane(viewport: Rect, figure: &Figure, font: Font) -> Rect {
    let (letter, line) = (font.width() as i32, font.height() as i32);
    let widest = figure.minwidth.to_string().chars().count() as i32;
    let left = if figure.flg_ticklabel[1] != 0 { letter * widest.max(3) + 2 * PAD } else { PAD };
    let numbers = if figure.flg_ticklabel[0] != 0 { line + PAD } else { 0 };
    let label = if figure.xlabel.is_empty() { 0 } else { line + PAD };
    let title = if figure.title.is_empty() { 0 } else { line + PAD };
    let (bottom, right, top) = (PAD + numbers + label, 2 * PAD, PAD + title);
    Rect {
        left: viewport.left + left,
        bottom: viewport.bottom + bottom,
        width: viewport.width - left - right,
        height: viewport.height - bottom - top,
    }
}

struct Plot<'a> {
    figure: &'a Figure,
    pane: Rect,
    ranges: [[f32; 2]; 2],
    font: Font,
}

impl Plot<'_> {
    /// The pixel of a point.
    fn place(&self, x: f32, y: f32) -> [i32; 2] {
        let along = |value: f32, [low, high]: [f32; 2], start: i32, size: i32| {
            start + ((value - low) / (high - low) * (size - 1) as f32).round() as i32
        };
        [
            along(x, self.ranges[0], self.pane.left, self.pane.width),
            along(y, self.ranges[1], self.pane.bottom, self.pane.height),
        ]
    }

    /// Places of grid lines along an axis, with the numbers they stand for; both ends have one.
    fn ticks(&self, axis: usize) -> Vec<f32> {
        let count = self.figure.gridsize[axis].clamp(0, 100);
        let [low, high] = self.ranges[axis];
        (0..count).map(|i| low + (high - low) * i as f32 / (count - 1).max(1) as f32).collect()
    }

    fn grid(&self, frame: &mut Frame) {
        let (pane, width, rgb) = (self.pane, self.figure.gridwidth, self.figure.gridrgb);
        let (right, top) = (pane.left + pane.width - 1, pane.bottom + pane.height - 1);
        for x in self.ticks(0) {
            let [x, _] = self.place(x, self.ranges[1][0]);
            self.stroke(frame, [x, pane.bottom], [x, top], width, rgb);
        }
        for y in self.ticks(1) {
            let [_, y] = self.place(self.ranges[0][0], y);
            self.stroke(frame, [pane.left, y], [right, y], width, rgb);
        }
    }

    fn numbers(&self, frame: &mut Frame, viewport: Rect) {
        let (letter, height) = (self.font.width() as i32, self.font.height() as i32);
        let length = |text: &str| letter * text.chars().count() as i32;
        let (rgb, pane) = (self.figure.textrgb, self.pane);
        if self.figure.flg_ticklabel[0] != 0 {
            for value in self.ticks(0) {
                let text = formatted(&self.figure.xformat.to_string(), value);
                let width = length(&text);
                let most = viewport.left + viewport.width - width;
                let x = (self.place(value, self.ranges[1][0])[0] - width / 2).min(most).max(viewport.left);
                draw_text(frame, self.font, &text, [x, pane.bottom - PAD - height], rgb, viewport);
            }
        }
        if self.figure.flg_ticklabel[1] != 0 {
            for value in self.ticks(1) {
                let text = formatted(&self.figure.yformat.to_string(), value);
                let y = self.place(self.ranges[0][0], value)[1] - height / 2;
                draw_text(frame, self.font, &text, [pane.left - PAD - length(&text), y], rgb, viewport);
            }
        }
    }

    /// Points are joined; in bar plots, each pair of them.
    fn lines(&self, frame: &mut Frame) {
        for line in 0..MAXLINE {
            let rgb = self.figure.linergb[line];
            let points = points(self.figure, line);
            let step = if self.figure.flg_barplot != 0 { 2 } else { 1 };
            for pair in points.windows(2).step_by(step) {
                if pair.as_flattened().iter().all(|v| v.is_finite()) {
                    let [a, b] = [self.place(pair[0][0], pair[0][1]), self.place(pair[1][0], pair[1][1])];
                    self.stroke(frame, a, b, self.figure.linewidth, rgb);
                }
            }
        }
    }

    /// A line of some width within the pane.
    fn stroke(&self, frame: &mut Frame, from: [i32; 2], to: [i32; 2], width: f32, rgb: [f32; 3]) {
        let clip = frame.clip(self.pane);
        let steps = (to[0] - from[0]).abs().max((to[1] - from[1]).abs()).min(100_000);
        let size = (width.round() as i32).clamp(1, 20);
        for i in 0..=steps {
            let at = |k: usize| {
                let part = f64::from(i) / f64::from(steps.max(1));
                (f64::from(from[k]) + f64::from(to[k] - from[k]) * part).round() as i32
            };
            let dot = Rect {
                left: at(0) - (size - 1) / 2,
                bottom: at(1) - (size - 1) / 2,
                width: size,
                height: size,
            };
            draw_rectangle(frame, overlap(dot, clip), [rgb[0], rgb[1], rgb[2], 1.0]);
        }
    }

    fn texts(&self, frame: &mut Frame, viewport: Rect) {
        let height = self.font.height() as i32;
        let mut middle = |text: String, y: i32| {
            let width = (self.font.width() * text.chars().count()) as i32;
            let x = self.pane.left + (self.pane.width - width) / 2;
            draw_text(frame, self.font, &text, [x, y], self.figure.textrgb, viewport);
        };
        middle(self.figure.title.to_string(), viewport.bottom + viewport.height - PAD - height);
        middle(self.figure.xlabel.to_string(), viewport.bottom + PAD / 2);
    }

    /// Names of lines in their colours, from the upper right corner of the pane.
    fn legend(&self, frame: &mut Frame) {
        let names: Vec<(usize, String)> = (0..MAXLINE)
            .map(|line| (line, &self.figure.linename[line]))
            .map(|(line, bytes)| (line, bytes.split(|&b| b == 0).next().unwrap_or(&[])))
            .filter(|(_, bytes)| !bytes.is_empty())
            .map(|(line, bytes)| (line, String::from_utf8_lossy(bytes).chars().take(MAX_NAME).collect()))
            .collect();
        let longest = names.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0);
        if longest == 0 {
            return;
        }
        let height = self.font.height() as i32;
        let width = (longest * self.font.width()) as i32 + 2 * PAD;
        let left = self.pane.left + self.pane.width - width - PAD;
        let top = self.pane.bottom + self.pane.height - PAD - height * self.figure.legendoffset.clamp(0, 100);
        let total = height * names.len() as i32;
        let back = Rect { left, bottom: top - total, width, height: total };
        let clip = frame.clip(self.pane);
        draw_rectangle(frame, overlap(back, clip), self.figure.legendrgba);
        for (row, (line, name)) in names.iter().enumerate() {
            let at = [left + PAD, top - height * (row as i32 + 1)];
            draw_text(frame, self.font, name, at, self.figure.linergb[*line], self.pane);
        }
    }
}

fn overlap(a: Rect, b: Rect) -> Rect {
    let (left, bottom) = (a.left.max(b.left), a.bottom.max(b.bottom));
    let right = (a.left + a.width).min(b.left + b.width);
    let top = (a.bottom + a.height).min(b.bottom + b.height);
    Rect { left, bottom, width: (right - left).max(0), height: (top - bottom).max(0) }
}

/// A number in a format of C: `%.2f`, `%g`, `%e`, with text around it.
fn formatted(format: &str, value: f32) -> String {
    let Some((before, rest)) = format.split_once('%') else { return format.to_owned() };
    let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let digits = rest[..end].split_once('.').map(|(_, digits)| digits);
    let digits = digits.map_or(6, |digits| digits.parse().unwrap_or(0)).min(20);
    let number = match rest[end..].chars().next() {
        Some('e') => scientific(value, digits),
        Some('g') => shortest(value, digits.max(1)),
        _ => format!("{value:.digits$}"),
    };
    format!("{before}{number}{}", rest.get(end + 1..).unwrap_or_default())
}

/// So many digits that matter, without zeros at the end.
fn shortest(value: f32, digits: usize) -> String {
    let size = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    if size < -4 || size >= digits as i32 {
        return scientific(value, digits - 1);
    }
    let places = (digits as i32 - 1 - size).max(0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// With an exponent of a sign and at least two digits.
fn scientific(value: f32, places: usize) -> String {
    let text = format!("{value:.places$e}");
    match text.split_once('e') {
        Some((number, exponent)) => match exponent.strip_prefix('-') {
            Some(exponent) => format!("{number}e-{exponent:0>2}"),
            None => format!("{number}e+{exponent:0>2}"),
        },
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament_model::enums::Font as Kind;

    #[test]
    fn numbers_are_written_as_in_c() {
        for (format, value, expected) in [
            ("%.0f", 12.3, "12"),
            ("%.2f s", 0.5, "0.50 s"),
            ("%.2g", 0.25, "0.25"),
            ("%.2g", 0.0, "0"),
            ("%.2g", 1234.0, "1.2e+03"),
            ("plain", 1.0, "plain"),
        ] {
            assert_eq!(formatted(format, value), expected);
        }
    }

    #[test]
    fn lines_are_where_the_axes_say() {
        let mut frame = Frame::new(200, 100, 1).unwrap();
        let mut figure = Figure { flg_extend: 0, gridsize: [0, 0], linewidth: 1.0, ..Figure::default() };
        figure.range = [[0.0, 10.0], [-1.0, 1.0]];
        figure.linepnt[0] = 2;
        figure.linedata[0][..4].copy_from_slice(&[0.0, 0.0, 10.0, 0.0]);
        let whole = Rect { left: 0, bottom: 0, width: 200, height: 100 };
        draw_figure(&mut frame, whole, &mut figure, Font::new(100, Kind::Normal));
        let [left, right] = figure.xaxispixel;
        let middle = figure.yaxispixel[0] + (figure.yaxispixel[1] - figure.yaxispixel[0]) / 2;
        let rows: Vec<usize> =
            (0..100).filter(|&y| frame.color(((left + right) / 2) as usize, y)[0] > 128).collect();
        assert_eq!(rows.len(), 1);
        assert!((rows[0] as i32 - middle).abs() <= 1, "{rows:?} {middle}");
        assert_eq!((figure.xaxisdata, figure.yaxisdata), ([0.0, 10.0], [-1.0, 1.0]));
    }

    #[test]
    fn ranges_grow_with_the_data() {
        let mut figure = Figure { range: [[0.0, 1.0], [0.0, 0.0]], flg_symmetric: 1, ..Figure::default() };
        figure.linepnt[3] = 2;
        figure.linedata[3][..4].copy_from_slice(&[-2.0, 3.0, 0.5, f32::NAN]);
        assert_eq!(ranges(&figure), [[-2.0, 1.0], [-3.5, 3.5]]);
    }
}
