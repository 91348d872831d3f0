//! Figures: lines over axes, drawn on top of a picture.

use crate::table::{Text, record};
use ligament_geom::sdf::halton;

/// Most lines of a figure.
pub const MAXLINE: usize = 100;
/// Most points of a line.
pub const MAXLINEPNT: usize = 1001;

record! {
    /// A two-dimensional plot (`mjvFigure`).
    Figure {
        flg_legend: i32 = 1, "draw the legend";
        flg_ticklabel: [i32; 2] = [1, 1], "draw numbers at the axes";
        flg_extend: i32 = 1, "extend the ranges to fit the data";
        flg_barplot: i32 = 0, "separate line segments";
        flg_selection: i32 = 0, "draw the vertical selection line";
        flg_symmetric: i32 = 0, "make the y axis symmetric";
        linewidth: f32 = 3.0, "width of lines";
        gridwidth: f32 = 1.0, "width of grid lines";
        gridsize: [i32; 2] = [2, 2], "grid points in x and y";
        gridrgb: [f32; 3] = [0.4; 3], "colour of the grid";
        figurergba: [f32; 4] = [0.0, 0.0, 0.0, 1.0], "colour of the figure";
        panergba: [f32; 4] = [0.0, 0.0, 0.0, 1.0], "colour of the pane";
        legendrgba: [f32; 4] = [0.0, 0.0, 0.0, 0.3], "colour of the legend";
        textrgb: [f32; 3] = [1.0; 3], "colour of texts";
        linergb: [[f32; 3]; 100] = std::array::from_fn(line_color), "colours of lines";
        range: [[f32; 2]; 2] = [[0.0, 1.0]; 2], "ranges of the axes; empty: automatic";
        xformat: Text<20> = Text::new("%.0f"), "format of numbers at the x axis";
        yformat: Text<20> = Text::new("%.2g"), "format of numbers at the y axis";
        minwidth: Text<20> = Text::new("XXX"), "text that determines the least width of numbers at the y axis";
        title: Text<1000> = Text::EMPTY, "title";
        xlabel: Text<100> = Text::EMPTY, "text at the x axis";
        linename: Vec<[u8; 100]> = vec![[0; 100]; MAXLINE], "names of lines";
        legendoffset: i32 = 0, "lines before the legend";
        subplot: i32 = 0, "selected part of the title";
        highlight: [i32; 2] = [0; 2], "point whose line in the legend is highlighted";
        highlightid: i32 = -1, "highlighted line, where no point is given";
        selection: f32 = 0.0, "x of the selection line";
        linepnt: [i32; 100] = [0; MAXLINE], "points of each line";
        linedata: Vec<[f32; 2002]> = vec![[0.0; 2 * MAXLINEPNT]; MAXLINE], "x and y of the points";
        xaxispixel: [i32; 2] = [0; 2], "x axis in pixels, set by the renderer";
        yaxispixel: [i32; 2] = [0; 2], "y axis in pixels, set by the renderer";
        xaxisdata: [f32; 2] = [0.0; 2], "x axis in data units, set by the renderer";
        yaxisdata: [f32; 2] = [0.0; 2], "y axis in data units, set by the renderer";
    }
}

/// Eight chosen colours, then scattered ones.
fn line_color(line: usize) -> [f32; 3] {
    const FIRST: [[f32; 3]; 8] = [
        [1.0, 0.3, 0.3],
        [0.1, 1.0, 0.1],
        [0.3, 0.3, 1.0],
        [0.1, 1.0, 1.0],
        [1.0, 0.2, 1.0],
        [1.0, 1.0, 0.1],
        [1.0, 0.6, 0.2],
        [0.6, 0.7, 0.4],
    ];
    let scattered = |base| (f64::from(0.1f32) + f64::from(0.8f32) * halton(line, base)) as f32;
    FIRST.get(line).copied().unwrap_or_else(|| [2, 3, 5].map(scattered))
}
