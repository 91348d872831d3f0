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
    pub left: i32,
    pub bottom: i32,
    pub width: i32,
    pub height: i32,
}

/// A square of pixels: colours, depths (1 near, 0 far) and stencil of all samples, sample after sample.
#[derive(Debug, Clone)]
pub struct Tile {
    pub color: Vec<[u8; 4]>,
    pub depth: Vec<f32>,
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

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

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
        let samples = &self.tiles[tile].color[first..first + self.samples];
        if let [only] = samples {
            return *only;
        }
        std::array::from_fn(|k| {
            let sum: u32 = samples.iter().map(|s| u32::from(s[k])).sum();
            ((sum + SAMPLES as u32 / 2) / SAMPLES as u32) as u8
        })
    }

    /// Depth of the first sample of a pixel.
    pub fn depth(&self, x: usize, y: usize) -> f32 {
        let (tile, first) = self.place(x, y);
        self.tiles[tile].depth[first]
    }

    /// Changes all samples of a pixel.
    pub fn modify(&mut self, x: usize, y: usize, change: impl Fn([u8; 4]) -> [u8; 4]) {
        let (tile, first) = self.place(x, y);
        for sample in &mut self.tiles[tile].color[first..first + self.samples] {
            *sample = change(*sample);
        }
    }

    pub fn set_depth(&mut self, x: usize, y: usize, depth: f32) {
        let (tile, first) = self.place(x, y);
        self.tiles[tile].depth[first..first + self.samples].fill(depth);
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
