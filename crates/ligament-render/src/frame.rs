//! The frame buffer: tiles of pixels with several samples each.

use crate::render::RenderError;
use std::collections::TryReserveError;
use std::sync::Mutex;

/// Side of a tile in pixels.
pub const TILE: usize = 64;
/// Samples of a pixel when edges are smoothed.
pub const SAMPLES: usize = 4;
/// Bytes of colours and depths that a frame may have.
const LARGEST: usize = 2 << 30;

/// A rectangle of pixels, from the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// First column.
    pub left: i32,
    /// Lowest row.
    pub bottom: i32,
    /// Number of columns.
    pub width: i32,
    /// Number of rows.
    pub height: i32,
}

/// A square of pixels: colours, depths (1 near, 0 far) and stencil of all samples, sample after sample.
#[derive(Debug, Clone)]
pub struct Tile {
    /// Red, green, blue and opacity.
    pub color: Vec<[u8; 4]>,
    /// Depths.
    pub depth: Vec<f32>,
    /// Marks; empty when there are none.
    pub stencil: Vec<u8>,
}

/// A picture in the making.
#[derive(Debug, Clone)]
pub struct Frame {
    width: usize,
    height: usize,
    samples: usize,
    columns: usize,
    pub(crate) tiles: Vec<Tile>,
}

impl Tile {
    fn new(samples: usize) -> Result<Self, TryReserveError> {
        Ok(Self { color: filled([0; 4], samples)?, depth: filled(0.0, samples)?, stencil: Vec::new() })
    }
}

/// A list that is an error where there is no memory for it.
pub(crate) fn filled<T: Clone>(value: T, length: usize) -> Result<Vec<T>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(length)?;
    list.resize(length, value);
    Ok(list)
}

/// The mean of the samples of a pixel.
#[inline]
fn mean(samples: &[[u8; 4]]) -> [u8; 4] {
    match samples {
        [only] => *only,
        [a, b, c, d] => std::array::from_fn(|k| {
            let sum = u16::from(a[k]) + u16::from(b[k]) + u16::from(c[k]) + u16::from(d[k]);
            ((sum + SAMPLES as u16 / 2) / SAMPLES as u16) as u8
        }),
        _ => [0; 4],
    }
}

impl Frame {
    /// An empty picture; an error if there is no memory for its pixels.
    pub fn new(width: usize, height: usize, samples: usize) -> Result<Self, RenderError> {
        let samples = if samples > 1 { SAMPLES } else { 1 };
        let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
        let (tile, side) = (TILE * TILE * samples, i32::MAX as usize);
        let too_large = || RenderError::Frame { width, height };
        let bytes = columns.checked_mul(rows).and_then(|tiles| tiles.checked_mul(8 * tile));
        if width > side || height > side || bytes.is_none_or(|bytes| bytes > LARGEST) {
            return Err(too_large());
        }
        let tiles = (0..columns * rows).map(|_| Tile::new(tile)).collect::<Result<_, _>>();
        Ok(Self { width, height, samples, columns, tiles: tiles.map_err(|_| too_large())? })
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Samples of a pixel.
    pub fn samples(&self) -> usize {
        self.samples
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The part of a rectangle that is inside.
    pub fn clip(&self, rect: Rect) -> Rect {
        let left = rect.left.clamp(0, self.width as i32);
        let bottom = rect.bottom.clamp(0, self.height as i32);
        let right = rect.left.saturating_add(rect.width).clamp(left, self.width as i32);
        let top = rect.bottom.saturating_add(rect.height).clamp(bottom, self.height as i32);
        Rect { left, bottom, width: right - left, height: top - bottom }
    }

    /// Tile and first sample of a pixel.
    #[inline]
    fn place(&self, x: usize, y: usize) -> (usize, usize) {
        let tile = y / TILE * self.columns + x / TILE;
        (tile, ((y % TILE) * TILE + x % TILE) * self.samples)
    }

    /// Mean colour of the samples of a pixel.
    pub fn color(&self, x: usize, y: usize) -> [u8; 4] {
        let (tile, first) = self.place(x, y);
        mean(&self.tiles[tile].color[first..first + self.samples])
    }

    /// Depth of the first sample of a pixel.
    pub fn depth(&self, x: usize, y: usize) -> f32 {
        let (tile, first) = self.place(x, y);
        self.tiles[tile].depth[first]
    }

    /// Copies red, green and blue of a row of pixels from column `x` on.
    pub fn copy_colors(&self, x: usize, y: usize, colors_out: &mut [[u8; 3]]) {
        for (column, out) in self.runs(x, colors_out) {
            let (tile, first) = self.place(column, y);
            let samples = &self.tiles[tile].color[first..first + out.len() * self.samples];
            for (color, samples) in out.iter_mut().zip(samples.chunks_exact(self.samples)) {
                let [r, g, b, _] = mean(samples);
                *color = [r, g, b];
            }
        }
    }

    /// Copies depths of a row of pixels from column `x` on.
    pub fn copy_depths(&self, x: usize, y: usize, depths_out: &mut [f32]) {
        for (column, out) in self.runs(x, depths_out) {
            let (tile, first) = self.place(column, y);
            let samples = self.tiles[tile].depth[first..].iter().step_by(self.samples);
            out.iter_mut().zip(samples).for_each(|(depth, sample)| *depth = *sample);
        }
    }

    /// Parts of a row that are inside one tile each, with their first columns.
    fn runs<'a, T>(&self, x: usize, row: &'a mut [T]) -> impl Iterator<Item = (usize, &'a mut [T])> {
        let (mut column, mut rest) = (x, row);
        std::iter::from_fn(move || {
            let length = (TILE - column % TILE).min(rest.len());
            let (run, left) = std::mem::take(&mut rest).split_at_mut(length);
            rest = left;
            column += length;
            (length > 0).then_some((column - length, run))
        })
    }

    /// Changes all samples of a pixel.
    pub fn modify(&mut self, x: usize, y: usize, change: impl Fn([u8; 4]) -> [u8; 4]) {
        let (tile, first) = self.place(x, y);
        for sample in &mut self.tiles[tile].color[first..first + self.samples] {
            *sample = change(*sample);
        }
    }

    /// Changes the depths of all samples of a pixel.
    pub fn set_depth(&mut self, x: usize, y: usize, depth: f32) {
        let (tile, first) = self.place(x, y);
        self.tiles[tile].depth[first..first + self.samples].fill(depth);
    }

    /// Copies the mean colours of a rectangle of another frame; what is outside of one of them is left out.
    pub fn copy_from(&mut self, source: &Frame, rect: Rect, left: i32, bottom: i32) {
        let from = source.clip(rect);
        let moved = |c: i32, start: i32, target: i32| c.saturating_sub(start).saturating_add(target);
        for y in from.bottom..from.bottom + from.height {
            for x in from.left..from.left + from.width {
                let (column, row) = (moved(x, rect.left, left), moved(y, rect.bottom, bottom));
                if (0..self.width as i32).contains(&column) && (0..self.height as i32).contains(&row) {
                    let color = source.color(x as usize, y as usize);
                    self.modify(column as usize, row as usize, |_| color);
                }
            }
        }
    }

    /// Fills the pixels of a rectangle, and their depths on demand.
    pub fn clear(&mut self, rect: Rect, color: [u8; 4], depth: Option<f32>) {
        let rect = self.clip(rect);
        for y in rect.bottom..rect.bottom + rect.height {
            for x in rect.left..rect.left + rect.width {
                let (x, y) = (x as usize, y as usize);
                self.modify(x, y, |_| color);
                if let Some(depth) = depth {
                    self.set_depth(x, y, depth);
                }
            }
        }
    }

    /// Calls a function for every tile, on several threads: tiles do not depend on each other.
    pub(crate) fn for_each_tile(&mut self, threads: usize, work: impl Fn(usize, &mut Tile) + Sync) {
        let threads = threads.min(self.tiles.len());
        if threads <= 1 {
            self.tiles.iter_mut().enumerate().for_each(|(i, tile)| work(i, tile));
            return;
        }
        let queue = Mutex::new(self.tiles.iter_mut().enumerate());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let next = queue.lock().map_or(None, |mut queue| queue.next());
                        let Some((i, tile)) = next else { break };
                        work(i, tile);
                    }
                });
            }
        });
    }
}
