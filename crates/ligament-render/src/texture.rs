//! Textures: pyramids of ever smaller images, and how they are looked up.

use crate::lanes::{LANES, Lanes};
use ligament_model::Model;
use ligament_model::enums::{ColorSpace, TextureType};
use std::sync::LazyLock;

/// One image of a pyramid.
#[derive(Debug, Clone)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
}

/// A texture: one pyramid, or six of them for the faces of a cube.
#[derive(Debug, Clone)]
pub struct Texture {
    pub cube: bool,
    pub skybox: bool,
    /// Whether bytes are encoded as sRGB.
    encoded: bool,
    faces: Vec<Vec<Level>>,
}

fn linear(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn encode(c: f32) -> f32 {
    if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// What bytes of sRGB stand for, times 255.
static LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| 255.0 * linear(byte as u8)));

impl Level {
    fn new(data: &[u8], channels: usize, width: usize, height: usize) -> Self {
        let texels = data.chunks_exact(channels).take(width * height);
        let texels = texels.map(|p| [p[0], p[1], p[2], if channels > 3 { p[3] } else { 255 }]).collect();
        Self { width, height, texels }
    }

    /// Half the size: means of four texels, and of fewer where the size is odd.
    fn half(&self, encoded: bool) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut texels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let at = |i: usize, n: usize| (i as f32 + 0.5) / n as f32;
                let mean = self.bilinear(at(x, width), at(y, height), false, encoded);
                let color = |k: usize| if encoded && k < 3 { encode(mean[k]) } else { mean[k] };
                texels.push(std::array::from_fn(|k| (color(k) * 255.0 + 0.5) as u8));
            }
        }
        Self { width, height, texels }
    }

    /// Between the four texels around a place, which is given in parts of the image; it repeats or ends at the edge.
    #[inline]
    fn bilinear(&self, s: f32, t: f32, repeat: bool, encoded: bool) -> [f32; 4] {
        let ((x0, x1, fx), (y0, y1, fy)) =
            (neighbours(s, self.width, repeat), neighbours(t, self.height, repeat));
        let (low, high) = (y0 * self.width, y1 * self.width);
        let corners = [low + x0, low + x1, high + x0, high + x1];
        let mut result = [0.0; 4];
        let weights = [(1.0 - fx) * (1.0 - fy), fx * (1.0 - fy), (1.0 - fx) * fy, fx * fy];
        for (corner, weight) in corners.into_iter().zip(weights) {
            let texel = decode(self.texels[corner], encoded);
            for k in 0..4 {
                result[k] += texel[k] * weight;
            }
        }
        for value in &mut result {
            *value *= 1.0 / 255.0;
        }
        result
    }
}

#[inline(always)]
fn decode([r, g, b, a]: [u8; 4], encoded: bool) -> [f32; 4] {
    if encoded {
        let table = &*LINEAR;
        return [table[r as usize], table[g as usize], table[b as usize], f32::from(a)];
    }
    [f32::from(r), f32::from(g), f32::from(b), f32::from(a)]
}

/// The two texels beside a place along one side of an image, and how far it is from the first.
#[inline(always)]
fn neighbours(place: f32, size: usize, repeat: bool) -> (usize, usize, f32) {
    let last = size as i32 - 1;
    let place = if repeat { place - place.floor() } else { place };
    let texel = place * size as f32 - 0.5;
    let below = texel.floor();
    let (i, j) = (below as i32, (below as i32).saturating_add(1));
    let (i, j) = if repeat {
        (if i < 0 { last } else { i.min(last) }, if j > last { 0 } else { j.max(0) })
    } else {
        (i.clamp(0, last), j.clamp(0, last))
    };
    (i as usize, j as usize, texel - below)
}

fn pyramid(base: Level, encoded: bool) -> Vec<Level> {
    let mut levels = vec![base];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
    {
        let next = last.half(encoded);
        levels.push(next);
    }
    levels
}

impl Texture {
    pub fn new(m: &Model, id: usize) -> Self {
        let (width, height) = (m.tex_width[id] as usize, m.tex_height[id] as usize);
        let channels = m.tex_nchannel[id] as usize;
        let data = &m.tex_data[m.tex_adr[id] as usize..];
        let skybox = m.tex_type[id] == TextureType::Skybox as i32;
        if m.tex_type[id] == TextureType::N2d as i32 {
            let encoded = m.tex_colorspace[id] == ColorSpace::Srgb as i32;
            let faces = vec![pyramid(Level::new(data, channels, width, height), encoded)];
            return Self { cube: false, skybox, encoded, faces };
        }
        let face = |i: usize| {
            let start = if width == height { 0 } else { i * channels * width * width };
            pyramid(Level::new(&data[start..], channels, width, width), false)
        };
        Self { cube: true, skybox, encoded: false, faces: (0..6).map(face).collect() }
    }

    /// Width and height of the largest image.
    pub fn size(&self) -> [f32; 2] {
        let level = &self.faces[0][0];
        [level.width as f32, level.height as f32]
    }

    /// Colour at a place of an image. `rho` is how many texels a pixel covers: the two nearest images are mixed over
    /// half of the range between them, as the software driver of Mesa does it.
    #[inline]
    fn mixed(&self, face: usize, s: f32, t: f32, rho: f32) -> [f32; 4] {
        let levels = &self.faces[face];
        let repeat = !self.cube;
        let sample = |level: &Level| level.bilinear(s, t, repeat, self.encoded);
        let scaled = rho * 1.237_437;
        if !(scaled >= 1.0) {
            return sample(&levels[0]);
        }
        let exponent = (scaled.to_bits() >> 23) as usize - 127;
        let last = levels.len() - 1;
        if exponent >= last {
            return sample(&levels[last]);
        }
        let mantissa = f32::from_bits(scaled.to_bits() & 0x007f_ffff | 0x3f80_0000);
        let weight = 2.0 * mantissa - 3.0;
        let near = sample(&levels[exponent]);
        if weight <= 0.0 {
            return near;
        }
        let far = sample(&levels[exponent + 1]);
        std::array::from_fn(|k| near[k] + (far[k] - near[k]) * weight)
    }

    /// How many texels pixels cover; `dx` and `dy` are changes of the coordinates from pixel to pixel.
    #[inline(always)]
    pub(crate) fn texels_per_pixel(&self, dx: &[Lanes; 3], dy: &[Lanes; 3]) -> Lanes {
        let [w, h] = self.size();
        let mut most = Lanes::default();
        for lane in [dx[0] * w, dx[1] * h, dy[0] * w, dy[1] * h] {
            for i in 0..LANES {
                let size = lane.0[i].abs();
                most.0[i] = if size > most.0[i] { size } else { most.0[i] };
            }
        }
        most
    }

    /// Colour of a flat texture.
    #[inline]
    pub fn flat(&self, at: [f32; 2], texels_per_pixel: f32) -> [f32; 4] {
        self.mixed(0, at[0], at[1], texels_per_pixel)
    }

    /// Colour of a cube in a direction.
    #[inline]
    pub fn around(&self, at: [f32; 3], dx: [f32; 3], dy: [f32; 3]) -> [f32; 4] {
        let magnitude = at.map(f32::abs);
        let axis = if magnitude[0] >= magnitude[1] && magnitude[0] >= magnitude[2] {
            0
        } else if magnitude[1] >= magnitude[2] {
            1
        } else {
            2
        };
        let positive = at[axis] >= 0.0;
        // coordinates on the face, with their signs
        let ((u, us), (v, vs)) = match (axis, positive) {
            (0, true) => ((2, -1.0), (1, -1.0)),
            (0, false) => ((2, 1.0), (1, -1.0)),
            (1, true) => ((0, 1.0), (2, 1.0)),
            (1, false) => ((0, 1.0), (2, -1.0)),
            (_, true) => ((0, 1.0), (1, -1.0)),
            (_, false) => ((0, -1.0), (1, -1.0)),
        };
        let inverse = 1.0 / magnitude[axis].max(1e-20);
        let coordinate = |k: usize, sign: f32| 0.5 * (sign * at[k] * inverse + 1.0);
        let size = self.size()[0];
        // derivative of at[k] / at[axis]
        let slope = |d: &[f32; 3], k: usize| {
            let major = if positive { d[axis] } else { -d[axis] };
            (0.5 * (d[k] - at[k] * inverse * major) * inverse * size).abs()
        };
        let rho = slope(&dx, u).max(slope(&dx, v)).max(slope(&dy, u)).max(slope(&dy, v));
        self.mixed(2 * axis + usize::from(!positive), coordinate(u, us), coordinate(v, vs), rho)
    }
}
