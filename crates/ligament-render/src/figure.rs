//! Plots on top of pictures (`mjr_figure`): a pane with a grid, lines, numbers at the axes, title and legend.

use crate::frame::{Frame, Rect};
use crate::text::{Font, draw_rectangle, draw_seamed_text, draw_text};
use ligament_scene::{Figure, MAXLINE, MAXLINEPNT};

/// Most lines of the grid along an axis.
const MAXGRID: i32 = 20;
/// The least span of an axis.
const MINRANGE: f32 = 1e-5;

/// Draws a figure in a part of the frame, and notes where its axes are.
pub fn draw_figure(frame: &mut Frame, viewport: Rect, figure: &mut Figure, font: Font) {
    let clip = frame.clip(viewport);
    draw_rectangle(frame, clip, figure.figurergba);
    let ranges = ranges(figure);
    (figure.xaxisdata, figure.yaxisdata) = (ranges[0], ranges[1]);
    let layout = Layout::new(viewport, figure, ranges, font);
    let pane = layout.pane;
    let plot = Plot { figure, layout, ranges, font, viewport };
    plot.texts(frame);
    if pane.width < 2 || pane.height < 2 {
        return;
    }
    let inside = frame.clip(pane);
    draw_rectangle(frame, inside, figure.panergba);
    plot.grid(frame);
    (0..MAXLINE).rev().for_each(|line| plot.line(frame, line, figure.linewidth));
    if figure.flg_selection != 0 {
        let [x, _] = plot.place(figure.selection, ranges[1][0]);
        plot.stroke(frame, [x, pane.bottom], [x, pane.bottom + pane.height - 1], 3.0, [1.0; 3]);
    }
    let pointed_at = if figure.flg_legend != 0 { plot.legend(frame) } else { None };
    if let Some(line) = pointed_at.or(usize::try_from(figure.highlightid).ok()).filter(|&line| line < MAXLINE)
    {
        plot.highlight(frame, line);
    }
    figure.xaxispixel = [pane.left, pane.left + pane.width - 1];
    figure.yaxispixel = [pane.bottom, pane.bottom + pane.height - 1];
}

/// Number of points of a line that there is room for.
fn points(figure: &Figure, line: usize) -> &[[f32; 2]] {
    let count = figure.linepnt[line].clamp(0, MAXLINEPNT as i32) as usize;
    let (pairs, _) = figure.linedata[line].as_chunks::<2>();
    &pairs[..count]
}

/// Ranges of both axes: as given, wider where the data need it, or from the data alone where nothing is given.
fn ranges(figure: &Figure) -> [[f32; 2]; 2] {
    let [x, y] = [0, 1].map(|axis| {
        let given = figure.range[axis];
        let is_given = given[0] < given[1];
        let values =
            (0..MAXLINE).flat_map(|line| points(figure, line)).map(|p| p[axis]).filter(|v| v.is_finite());
        let reach = |start: [f32; 2]| values.clone().fold(start, |[a, b], v| [a.min(v), b.max(v)]);
        let [low, high] = match (is_given, values.clone().next()) {
            (true, _) if figure.flg_extend == 0 => given,
            (true, _) => reach(given),
            (false, Some(first)) => reach([first; 2]),
            (false, None) => given,
        };
        let needed = (MINRANGE - (high - low)).max(0.0);
        [low - 0.5 * needed, high + 0.5 * needed]
    });
    [x, decimal(y, figure.flg_symmetric != 0)]
}

/// The nearest bounds outside of a range that are multiples of the power of ten below its span.
fn decimal([low, high]: [f32; 2], symmetric: bool) -> [f32; 2] {
    let power = 10f32.powf((high - low).log10().floor());
    let [low, high] =
        if high > low { [(low / power).floor() * power, (high / power).ceil() * power] } else { [low, high] };
    let reach = low.abs().max(high.abs());
    if symmetric { [-reach, reach] } else { [low, high] }
}

/// Where things are.
#[derive(Clone, Copy)]
struct Layout {
    /// Space between texts and what is beside them.
    pad: i32,
    /// What is left between title and label.
    middle: Rect,
    /// Space for numbers below and to the left of the pane.
    numbers: [i32; 2],
    /// The part of the figure that the lines are in.
    pane: Rect,
}

impl Layout {
    fn new(viewport: Rect, figure: &Figure, ranges: [[f32; 2]; 2], font: Font) -> Self {
        let line = font.height() as i32;
        let pad = line / 2;
        let label = if figure.xlabel.is_empty() { 0 } else { line + pad / 2 };
        let title =
            if selected_title(&figure.title.to_string(), figure.subplot).is_some() { line + pad } else { 0 };
        let middle =
            Rect { bottom: viewport.bottom + label, height: viewport.height - label - title, ..viewport };
        let numbers = if has_grid(figure) {
            let shown = |axis: usize| figure.flg_ticklabel[axis] != 0;
            let texts = tick_texts(figure, ranges, 1);
            let widest = texts.iter().map(|text| font.length(text)).max().unwrap_or(0);
            let width = widest.max(font.length(&figure.minwidth.to_string())) + pad;
            [if shown(0) { line + pad } else { 0 }, if shown(1) { width } else { 0 }]
        } else {
            [0; 2]
        };
        let pane = Rect {
            left: middle.left + numbers[1] + pad,
            bottom: middle.bottom + numbers[0] + pad,
            width: middle.width - numbers[1] - 2 * pad,
            height: middle.height - numbers[0] - 2 * pad,
        };
        Self { pad, middle, numbers, pane }
    }
}

fn has_grid(figure: &Figure) -> bool {
    figure.gridsize.iter().all(|&lines| lines > 1)
}

/// Places of grid lines along an axis, from 0 to 1.
fn ticks(figure: &Figure, axis: usize) -> impl Iterator<Item = f32> {
    let count = figure.gridsize[axis].min(MAXGRID);
    (0..count).map(move |i| i as f32 / (count - 1) as f32)
}

/// The numbers at an axis.
fn tick_texts(figure: &Figure, ranges: [[f32; 2]; 2], axis: usize) -> Vec<String> {
    let format = [&figure.xformat, &figure.yformat][axis].to_string();
    let [low, high] = ranges[axis];
    ticks(figure, axis).map(|part| formatted(&format, low + (high - low) * part)).collect()
}

/// Which letters of a title belong to a subplot: titles of several have two blanks or more between them.
fn selected_title(title: &str, subplot: i32) -> Option<std::ops::Range<usize>> {
    let letters: Vec<char> = title.chars().collect();
    let is_gap = |i: usize| letters[i] == ' ' && letters.get(i + 1).is_none_or(|&next| next == ' ');
    let mut start = 0;
    for _ in 0..subplot.max(0) {
        let gap = (start..letters.len()).find(|&i| is_gap(i))?;
        start = (gap..letters.len()).find(|&i| letters[i] != ' ')?;
    }
    let end = (start..letters.len()).find(|&i| is_gap(i)).unwrap_or(letters.len());
    (start < end).then_some(start..end)
}

struct Plot<'a> {
    figure: &'a Figure,
    layout: Layout,
    ranges: [[f32; 2]; 2],
    font: Font,
    viewport: Rect,
}

impl Plot<'_> {
    /// The pixel of a point.
    fn place(&self, x: f32, y: f32) -> [i32; 2] {
        let along = |value: f32, [low, high]: [f32; 2], start: i32, size: i32| {
            start + ((value - low) / (high - low) * (size - 1) as f32).round() as i32
        };
        let pane = self.layout.pane;
        [along(x, self.ranges[0], pane.left, pane.width), along(y, self.ranges[1], pane.bottom, pane.height)]
    }

    fn grid(&self, frame: &mut Frame) {
        if !has_grid(self.figure) {
            return;
        }
        let (pane, width, rgb) = (self.layout.pane, self.figure.gridwidth, self.figure.gridrgb);
        let (right, top) = (pane.left + pane.width - 1, pane.bottom + pane.height - 1);
        let along = |part: f32, size: i32| (part * (size - 1) as f32).round() as i32;
        for part in ticks(self.figure, 0) {
            let x = pane.left + along(part, pane.width);
            self.stroke(frame, [x, pane.bottom], [x, top], width, rgb);
        }
        for part in ticks(self.figure, 1) {
            let y = pane.bottom + along(part, pane.height);
            self.stroke(frame, [pane.left, y], [right, y], width, rgb);
        }
    }

    fn write(&self, frame: &mut Frame, text: &str, [x, y]: [i32; 2], rgb: [f32; 3]) {
        draw_text(frame, self.font, text, [x, y], rgb, self.viewport);
    }

    /// Title, label and numbers.
    fn texts(&self, frame: &mut Frame) {
        let (figure, Layout { pad, .. }) = (self.figure, self.layout);
        self.title(frame);
        let label = figure.xlabel.to_string();
        let x = ((self.viewport.width - self.font.length(&label)) / 2).max(0);
        self.write(frame, &label, [self.viewport.left + x, self.viewport.bottom + pad], figure.textrgb);
        if has_grid(figure) {
            self.numbers(frame);
        }
    }

    /// The selected title in the middle, others beside it as far as there is room, darker.
    fn title(&self, frame: &mut Frame) {
        let (figure, font) = (self.figure, self.font);
        let title = figure.title.to_string();
        let Some(selected) = selected_title(&title, figure.subplot) else { return };
        let letters: Vec<char> = title.chars().collect();
        let letter = font.width() as i32;
        let left = ((self.viewport.width - letter * selected.len() as i32) / 2).max(0);
        let before = (left / letter.max(1)).min(selected.start as i32);
        let start = selected.start - before as usize;
        let count = ((self.viewport.width - left) / letter.max(1) + before).max(0) as usize;
        let y = self.viewport.bottom + self.viewport.height - self.layout.pad - font.height() as i32;
        let at = |x: i32| [self.viewport.left + x, y];
        let dark = std::array::from_fn(|k| 0.4 * figure.textrgb[k] + 0.6 * figure.figurergba[k]);
        let around: String = letters[start..].iter().take(count).collect();
        self.write(frame, &around, at(left - before * letter), dark);
        let own: String = letters[selected].iter().collect();
        self.write(frame, &own, at(left), figure.textrgb);
    }

    fn numbers(&self, frame: &mut Frame) {
        let (figure, Layout { pad, middle, numbers, .. }) = (self.figure, self.layout);
        let rgb = [figure.textrgb[0]; 3]; // grey, as in the reference
        let spread = |size: i32, part: f32| ((size - 2 * pad) as f32 * part) as i32;
        if figure.flg_ticklabel[0] != 0 {
            let texts = tick_texts(figure, self.ranges, 0);
            for (i, (part, text)) in ticks(figure, 0).zip(&texts).enumerate() {
                let width = self.font.length(text);
                let shift = if i == 0 {
                    0
                } else if i + 1 == texts.len() {
                    width
                } else {
                    width / 2
                };
                let x = pad + numbers[1] - shift + spread(middle.width - numbers[1], part);
                self.write(frame, text, [middle.left + x, middle.bottom + pad], rgb);
            }
        }
        if figure.flg_ticklabel[1] != 0 {
            for (part, text) in ticks(figure, 1).zip(tick_texts(figure, self.ranges, 1)) {
                let y = pad + numbers[0] - self.font.height() as i32 / 2
                    + spread(middle.height - numbers[0], part);
                let x = numbers[1] - self.font.length(&text);
                self.write(frame, &text, [middle.left + x, middle.bottom + y], rgb);
            }
        }
    }

    /// Points are joined; in bar plots, each pair of them.
    fn line(&self, frame: &mut Frame, line: usize, width: f32) {
        let rgb = self.figure.linergb[line];
        let step = if self.figure.flg_barplot != 0 { 2 } else { 1 };
        for pair in points(self.figure, line).windows(2).step_by(step) {
            if pair.as_flattened().iter().all(|v| v.is_finite()) {
                let [a, b] = [self.place(pair[0][0], pair[0][1]), self.place(pair[1][0], pair[1][1])];
                self.stroke(frame, a, b, width, rgb);
            }
        }
    }

    /// A line of some width within the pane.
    fn stroke(&self, frame: &mut Frame, from: [i32; 2], to: [i32; 2], width: f32, rgb: [f32; 3]) {
        let clip = frame.clip(self.layout.pane);
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

    /// Names of lines in their colours, from the upper right corner of the pane, as many as fit; returns the line whose name
    /// is at the highlighted point.
    fn legend(&self, frame: &mut Frame) -> Option<usize> {
        let (figure, Layout { pad, pane, .. }) = (self.figure, self.layout);
        let line_height = self.font.height() as i32;
        let room = ((pane.height - 2 * pad - 1) / line_height).max(0) as usize;
        let names: Vec<(usize, String)> = (figure.legendoffset.max(0) as usize..MAXLINE)
            .map(|line| (line, figure.linename[line].split(|&b| b == 0).next().unwrap_or(&[])))
            .filter(|(_, bytes)| !bytes.is_empty())
            .map(|(line, bytes)| (line, String::from_utf8_lossy(bytes).into_owned()))
            .take(room)
            .collect();
        let width = names.iter().map(|(_, name)| self.font.length(name)).max()?;
        let height = line_height * names.len() as i32;
        let (right, top) = (pane.left + pane.width, pane.bottom + pane.height);
        let back = Rect {
            left: right - 2 * pad - width,
            bottom: top - 2 * pad - height,
            width: width + 2 * pad,
            height: height + 2 * pad,
        };
        let clip = frame.clip(pane);
        draw_rectangle(frame, overlap(back, clip), figure.legendrgba);
        for (row, (line, name)) in names.iter().enumerate() {
            let at = [right - pad - self.font.length(name), top - pad - (row as i32 + 1) * line_height];
            draw_seamed_text(frame, self.font, name, at, figure.linergb[*line], pane);
        }
        let [x, y] = figure.highlight;
        let is_inside =
            (right - pad - width..=right - pad).contains(&x) && (top - pad - height..=top - pad).contains(&y);
        let row = is_inside.then_some((top - pad - y) / line_height)?;
        names.get(row as usize).map(|(line, _)| *line)
    }

    /// A line five times as wide; with a selection, also the numbers of the nearest point.
    fn highlight(&self, frame: &mut Frame, line: usize) {
        self.line(frame, line, 5.0 * self.figure.linewidth);
        if self.figure.flg_selection == 0 {
            return;
        }
        let apart = |point: &&[f32; 2]| (self.figure.selection - point[0]).abs();
        let nearest = points(self.figure, line).iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        if let Some(&[x, y]) = nearest {
            let text = format!("( {} : {} )", formatted("%.4g", x), formatted("%.4g", y));
            let pane = self.layout.pane;
            let at = [pane.left + pane.width / 10, pane.bottom + pane.height / 10];
            draw_seamed_text(frame, self.font, &text, at, self.figure.textrgb, pane);
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
        let [x, y] = ranges(&figure);
        assert_eq!(x, [-2.0, 1.0]);
        assert!(y[0] == -y[1] && (y[1] - 3.0).abs() < 1e-4, "{y:?}");
    }

    /// Bounds are decimal numbers.
    #[test]
    fn the_y_axis_ends_at_round_numbers() {
        let mut figure = Figure { range: [[0.0, 1.0], [0.0, 0.0]], ..Figure::default() };
        figure.linepnt[0] = 2;
        figure.linedata[0][..4].copy_from_slice(&[0.0, -0.13, 1.0, 47.2]);
        assert_eq!(ranges(&figure)[1], [-10.0, 50.0]);
    }

    #[test]
    fn subplots_have_a_part_of_the_title() {
        let title = "joint angles  speeds   torques ";
        let part = |subplot| selected_title(title, subplot).map(|range| &title[range]);
        assert_eq!([0, 1, 2, 3].map(part), [Some("joint angles"), Some("speeds"), Some("torques"), None]);
        assert_eq!(selected_title("", 0), None);
    }
}
