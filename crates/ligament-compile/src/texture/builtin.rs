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
            for (r, row) in pixels.chunks_exact_mut(width).enumerate() {
                let y = 1.0 - (2 * r) as f64 / (height as f64 - 1.0);
                for (c, pixel) in row.iter_mut().enumerate() {
                    let x = (2 * c) as f64 / (width as f64 - 1.0) - 1.0;
                    *pixel = blend(texture.rgb2, texture.rgb1, 2.0 * (x * x + y * y).sqrt() - 1.0).color;
                }
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

/// A sky: colour by elevation. All its faces are the same to the left and to the right of the middle, those above and below
/// also in front of it and behind it, and what is as far below the horizon as something else above it differs in a sign:
/// a quarter is computed, and whatever rounding could make different in the others.
fn cube_gradient(texture: &Texture, pixels: &mut [Rgb], width: usize, parallel: bool) {
    let (area, half) = (width * width, width.div_ceil(2));
    let bands = crew::map(half.div_ceil(BAND), parallel, |band| {
        let rows = band * BAND..half.min((band + 1) * BAND);
        rows.flat_map(|r| (0..half).map(move |c| Sky::at(texture, width, r, c))).collect::<Vec<Sky>>()
    });
    let quarter: Vec<&[Sky]> = bands.iter().flat_map(|band| band.chunks_exact(half)).collect();
    let (side, rest) = pixels.split_at_mut(2 * area);
    let (up, down) = rest.split_at_mut(area);
    let [side, up, down] = [side, up, down].map(|face| face.chunks_exact_mut(width).take(width));
    for (r, ((side, up), down)) in side.zip(up).zip(down).enumerate() {
        let row = r.min(width - 1 - r);
        for c in 0..width {
            let column = c.min(width - 1 - c);
            let mut sky = quarter[row][column];
            if row != r {
                sky.side = sky.mirrored;
            }
            if (row, column) != (r, c) && !sky.is_sure() {
                sky = Sky::at(texture, width, r, c);
            }
            (side[c], up[c], down[c]) = (sky.side.color, sky.up.color, sky.down.color);
        }
    }
    for face in [1, 4, 5] {
        pixels.copy_within(..area, face * area);
    }
}

/// A pixel of the sides, of the upper and of the lower face.
#[derive(Clone, Copy)]
struct Sky {
    side: Shade,
    /// As far on the other side of the horizon.
    mirrored: Shade,
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
        Self { side: shade(side), mirrored: shade(-side), up: shade(up), down: shade(-up) }
    }

    /// Would positions that differ by rounding have the same colours?
    fn is_sure(&self) -> bool {
        self.side.sure && self.up.sure && self.down.sure
    }
}

#[derive(Clone, Copy)]
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
    let behind_point = mixture.map(|x| 255.0 * x - (255.0 * x) as i64 as f64);
    let sure = behind_point.iter().all(|x| (ROUNDING..1.0 - ROUNDING).contains(x));
    Shade { color: byte(mixture), sure }
}

/// Two by two squares.
fn checker(pixels: &mut [Rgb], first: Rgb, second: Rgb, width: usize, height: usize) {
    for (r, row) in pixels.chunks_exact_mut(width).enumerate() {
        let (left, right) = if r < height / 2 { (first, second) } else { (second, first) };
        let (left_half, right_half) = row.split_at_mut(width / 2);
        left_half.fill(left);
        right_half.fill(right);
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
    let last = last_below(texture.random);
    let mut random = Mersenne::new(42);
    for pixels in pixels.chunks_mut(DRAWS) {
        for (pixel, draw) in pixels.iter_mut().zip(random.draws()) {
            if draw <= last {
                *pixel = color;
            }
        }
    }
}

/// A draw as a number between 0 and 1.
fn unit(draw: u64) -> f64 {
    draw as f64 / 18_446_744_073_709_551_616.0
}

/// The last draw that is below a positive probability: draws are compared as they come.
fn last_below(probability: f64) -> u64 {
    (0..64).rev().map(|bit| 1 << bit).fold(
        0,
        |last, bit: u64| {
            if unit(last | bit) < probability { last | bit } else { last }
        },
    )
}

/// Draws that the twister makes at a time.
const DRAWS: usize = 312;

/// The 64-bit Mersenne twister (Matsumoto & Nishimura 2000), so that the dots are where the reference has them.
struct Mersenne([u64; DRAWS]);

impl Mersenne {
    fn new(seed: u64) -> Self {
        let mut state = [0; DRAWS];
        state[0] = seed;
        for i in 1..DRAWS {
            let previous: u64 = state[i - 1];
            state[i] =
                6_364_136_223_846_793_005_u64.wrapping_mul(previous ^ previous >> 62).wrapping_add(i as u64);
        }
        Self(state)
    }

    /// The next draws.
    fn draws(&mut self) -> [u64; DRAWS] {
        const HALF: usize = DRAWS / 2;
        let state = &mut self.0;
        // three loops instead of one around the end, so that several numbers are made at once
        for i in 0..HALF {
            state[i] = twisted(state[i], state[i + 1], state[i + HALF]);
        }
        for i in HALF..DRAWS - 1 {
            state[i] = twisted(state[i], state[i + 1], state[i - HALF]);
        }
        state[DRAWS - 1] = twisted(state[DRAWS - 1], state[0], state[HALF - 1]);
        state.map(tempered)
    }
}

fn twisted(own: u64, next: u64, far: u64) -> u64 {
    const LOW: u64 = 0x7FFF_FFFF;
    let x = own & !LOW | next & LOW;
    far ^ x >> 1 ^ (x & 1).wrapping_neg() & 0xB502_6F5A_A966_19E9
}

fn tempered(mut x: u64) -> u64 {
    x ^= x >> 29 & 0x5555_5555_5555_5555;
    x ^= x << 17 & 0x71D6_7FFF_EDA6_0000;
    x ^= x << 37 & 0xFFF7_EEE0_0000_0000;
    x ^ x >> 43
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
                    let Sky { side, up, down, .. } = Sky::at(&texture, width, i / width, i % width);
                    let faces = [side, side, up, down, side, side];
                    for (pixel, shade) in pixels.iter().skip(i).step_by(width * width).zip(faces) {
                        assert_eq!(*pixel, shade.color, "width {width}, {rgb1:?}, pixel {i}");
                    }
                }
            }
        }
    }

    #[test]
    fn draws_are_compared_as_numbers_are() {
        for probability in [1e-300, 1e-18, 0.01, 0.5, 1.0 - f64::EPSILON, 1.0] {
            let last = last_below(probability);
            assert!(unit(last) < probability && unit(last + 1) >= probability, "{probability}");
        }
        assert_eq!(last_below(2.0), u64::MAX);
    }
}
