//! Builtin patterns: gradient, checker, flat, with marks.

use super::{MAX_BYTES, Pixels, error};
use crate::crew;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Texture;
use ligament_model::enums::{Builtin, Mark, TextureType};
use std::f64::consts::PI;

type Rgb = [u8; 3];

/// Truncates as a C cast does.
fn byte(color: [f64; 3]) -> Rgb {
    color.map(|x| (255.0 * x) as i64 as u8)
}

/// Draws the pattern of a texture, with several threads where that is allowed and pays.
pub fn make(texture: &Texture, parallel: bool) -> Result<Pixels> {
    if texture.width < 1 {
        return Err(error(texture, "Invalid width of builtin texture"));
    }
    let flat = texture.kind == TextureType::N2d;
    if flat && texture.height < 1 {
        return Err(error(texture, "Invalid height of builtin texture"));
    }
    let width = i64::from(texture.width);
    let height = if flat { i64::from(texture.height) } else { 6 * width };
    let nchannel = i64::from(texture.nchannel);
    if nchannel < 1 {
        return Err(error(texture, format!("Unsupported number of channels: {nchannel}")));
    }
    match width.checked_mul(height).and_then(|n| n.checked_mul(nchannel.max(3))) {
        Some(bytes) if bytes <= MAX_BYTES => {}
        _ => return Err(error(texture, "Builtin texture too large")),
    }
    let (width, height) = (width as usize, height as usize);
    // patterns are made of three bytes per pixel even where the model has room for fewer or more
    let mut pixels = vec![[0; 3]; width * height];
    if flat {
        fill_2d(texture, &mut pixels, width, height);
    } else {
        fill_cube(texture, &mut pixels, width, parallel);
    }
    Ok(Pixels { width, height, colorspace: texture.colorspace, data: pixels.into_flattened() })
}

fn fill_2d(texture: &Texture, pixels: &mut [Rgb], width: usize, height: usize) {
    let (first, second) = (byte(texture.rgb1), byte(texture.rgb2));
    match texture.builtin {
        Builtin::None => {}
        Builtin::Gradient => {
            for (i, pixel) in pixels.iter_mut().enumerate() {
                let (r, c) = (i / width, i % width);
                let x = (2 * c) as f64 / (width as f64 - 1.0) - 1.0;
                let y = 1.0 - (2 * r) as f64 / (height as f64 - 1.0);
                *pixel = blend(texture.rgb2, texture.rgb1, 2.0 * (x * x + y * y).sqrt() - 1.0).color;
            }
        }
        Builtin::Checker => checker(pixels, first, second, width, height),
        Builtin::Flat => pixels.fill(first),
    }
    mark_side(texture, pixels, width, height);
    if texture.mark == Mark::Random {
        random_dots(texture, pixels);
    }
}

/// Sides in the order right, left, up, down, front, back.
fn fill_cube(texture: &Texture, pixels: &mut [Rgb], width: usize, parallel: bool) {
    let (first, second) = (byte(texture.rgb1), byte(texture.rgb2));
    let area = width * width;
    match texture.builtin {
        Builtin::None => {}
        Builtin::Gradient => cube_gradient(texture, pixels, width, parallel),
        Builtin::Checker => {
            for (i, side) in pixels.chunks_exact_mut(area).enumerate() {
                let (a, b) = if i < 4 { (first, second) } else { (second, first) };
                checker(side, a, b, width, width);
            }
        }
        Builtin::Flat => {
            pixels.fill(first);
            pixels[3 * area..4 * area].fill(second);
        }
    }
    for side in pixels.chunks_exact_mut(area) {
        mark_side(texture, side, width, width);
    }
    if texture.mark == Mark::Random {
        random_dots(texture, pixels);
    }
}

/// Rows of a sky that one thread makes at a time.
const BAND: usize = 64;

/// A sky: colour by elevation.
fn cube_gradient(texture: &Texture, pixels: &mut [Rgb], width: usize, parallel: bool) {
    let area = width * width;
    let bands = crew::map(width.div_ceil(BAND), parallel, |band| {
        let rows = band * BAND..width.min((band + 1) * BAND);
        rows.flat_map(|r| sky_row(texture, width, r)).collect::<Vec<Sky>>()
    });
    for (i, sky) in bands.iter().flatten().enumerate() {
        for face in [0, 1, 4, 5] {
            pixels[face * area + i] = sky.side.color;
        }
        pixels[2 * area + i] = sky.up.color;
        pixels[3 * area + i] = sky.down.color;
    }
}

/// A row of a sky, which is the same to the left and to the right of the middle.
fn sky_row(texture: &Texture, width: usize, r: usize) -> Vec<Sky> {
    let mut row: Vec<Sky> = Vec::with_capacity(width);
    for c in 0..width {
        let twin = row.get(width - 1 - c).copied().filter(Sky::is_sure);
        row.push(twin.unwrap_or_else(|| Sky::at(texture, width, r, c)));
    }
    row
}

/// A pixel of the sides, of the upper and of the lower face.
#[derive(Clone, Copy, Default)]
struct Sky {
    side: Shade,
    up: Shade,
    down: Shade,
}

impl Sky {
    fn at(texture: &Texture, width: usize, r: usize, c: usize) -> Self {
        let x = (2 * c) as f64 / (width as f64 - 1.0) - 1.0;
        let y = 1.0 - (2 * r) as f64 / (width as f64 - 1.0);
        let norm = (1.0 + x * x + y * y).sqrt();
        let side = (y / norm).asin() / (0.5 * PI);
        let up = 1.0 - (1.0 / norm).acos() / (0.5 * PI);
        let shade = |pos| blend(texture.rgb1, texture.rgb2, pos);
        Self { side: shade(side), up: shade(up), down: shade(-up) }
    }

    /// Would positions that differ by rounding have the same colours?
    fn is_sure(&self) -> bool {
        self.side.sure && self.up.sure && self.down.sure
    }
}

#[derive(Clone, Copy, Default)]
struct Shade {
    color: Rgb,
    /// No rounding could make another byte of a channel.
    sure: bool,
}

/// Sigmoid mixture of two colours for a position in (-1, 1).
fn blend(first: [f64; 3], second: [f64; 3], pos: f64) -> Shade {
    const ROUNDING: f64 = 1e-9;
    let correction = 1.0 / 2.0_f64.sqrt();
    let alpha = 0.5 * (1.0 + pos / (1.0 + pos * pos).sqrt() / correction);
    // a pattern of one pixel divides by zero: not a number stays one and becomes 0 as a byte
    let alpha = alpha.clamp(0.0, 1.0);
    let mixture: [f64; 3] = std::array::from_fn(|k| alpha * first[k] + (1.0 - alpha) * second[k]);
    let sure = mixture.iter().all(|x| (255.0 * x - (255.0 * x).round()).abs() > ROUNDING);
    Shade { color: byte(mixture), sure }
}

/// Two by two squares.
fn checker(pixels: &mut [Rgb], first: Rgb, second: Rgb, width: usize, height: usize) {
    for (i, pixel) in pixels.iter_mut().enumerate() {
        let (r, c) = (i / width, i % width);
        *pixel = if (r < height / 2) == (c < width / 2) { first } else { second };
    }
}

/// Edge or cross on one side.
fn mark_side(texture: &Texture, pixels: &mut [Rgb], width: usize, height: usize) {
    let color = byte(texture.markrgb);
    let (rows, columns) = match texture.mark {
        Mark::Edge => ([0, height - 1], [0, width - 1]),
        Mark::Cross => ([height / 2; 2], [width / 2; 2]),
        Mark::None | Mark::Random => return,
    };
    for r in 0..height {
        for c in columns {
            pixels[r * width + c] = color;
        }
    }
    for r in rows {
        pixels[r * width..(r + 1) * width].fill(color);
    }
}

/// Dots with a probability per pixel, from a fixed seed.
fn random_dots(texture: &Texture, pixels: &mut [Rgb]) {
    if !(texture.random > 0.0) {
        return;
    }
    let color = byte(texture.markrgb);
    let mut random = Mersenne::new(42);
    for pixel in pixels {
        if random.next_unit() < texture.random {
            *pixel = color;
        }
    }
}

/// The 64-bit Mersenne twister (Matsumoto & Nishimura 2000), so that the dots are where the reference has them.
struct Mersenne {
    state: [u64; 312],
    at: usize,
}

impl Mersenne {
    fn new(seed: u64) -> Self {
        let mut state = [0; 312];
        state[0] = seed;
        for i in 1..312 {
            let previous: u64 = state[i - 1];
            state[i] =
                6_364_136_223_846_793_005_u64.wrapping_mul(previous ^ previous >> 62).wrapping_add(i as u64);
        }
        Self { state, at: 312 }
    }

    fn refill(&mut self) {
        const LOW: u64 = 0x7FFF_FFFF;
        for i in 0..312 {
            let x = self.state[i] & !LOW | self.state[(i + 1) % 312] & LOW;
            let twist = if x & 1 == 1 { 0xB502_6F5A_A966_19E9 } else { 0 };
            self.state[i] = self.state[(i + 156) % 312] ^ x >> 1 ^ twist;
        }
        self.at = 0;
    }

    /// A number in [0, 1).
    fn next_unit(&mut self) -> f64 {
        if self.at >= 312 {
            self.refill();
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= x >> 29 & 0x5555_5555_5555_5555;
        x ^= x << 17 & 0x71D6_7FFF_EDA6_0000;
        x ^= x << 37 & 0xFFF7_EEE0_0000_0000;
        x ^= x >> 43;
        x as f64 / 18_446_744_073_709_551_616.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_have_the_pixels_that_they_have_alone() {
        let colors = [([0.3, 0.5, 0.7], [0.0; 3]), ([0.6; 3], [0.0; 3]), ([0.2, 1.0, 0.4], [0.2, 0.0, 0.4])];
        for width in [1, 2, 7, 64, 101] {
            for (rgb1, rgb2) in colors {
                let texture = Texture { rgb1, rgb2, ..Texture::default() };
                let mut pixels = vec![[0; 3]; 6 * width * width];
                cube_gradient(&texture, &mut pixels, width, true);
                for i in 0..width * width {
                    let Sky { side, up, down } = Sky::at(&texture, width, i / width, i % width);
                    let faces = [side, side, up, down, side, side];
                    for (pixel, shade) in pixels.iter().skip(i).step_by(width * width).zip(faces) {
                        assert_eq!(*pixel, shade.color, "width {width}, {rgb1:?}, pixel {i}");
                    }
                }
            }
        }
    }
}
