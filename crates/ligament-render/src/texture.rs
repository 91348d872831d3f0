//! Textures: pyramids of ever smaller images, and how they are looked up.

use ligament_model::Model;
use ligament_model::enums::{ColorSpace, TextureType};

/// One image of a pyramid, colours from 0 to 1.
#[derive(Debug, Clone)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<[f32; 4]>,
}

/// A texture: one pyramid, or six of them for the faces of a cube.
#[derive(Debug, Clone)]
pub struct Texture {
    pub cube: bool,
    pub skybox: bool,
    faces: Vec<Vec<Level>>,
}

fn linear(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

impl Level {
    fn new(data: &[u8], channels: usize, width: usize, height: usize, srgb: bool) -> Self {
        let texels = data
            .chunks_exact(channels)
            .take(width * height)
            .map(|p| {
                let color = |k: usize| if srgb { linear(p[k]) } else { f32::from(p[k]) / 255.0 };
                [color(0), color(1), color(2), if channels > 3 { f32::from(p[3]) / 255.0 } else { 1.0 }]
            })
            .collect();
        Self { width, height, texels }
    }

    /// Half the size: means of four texels, and of fewer where the size is odd.
    fn half(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut texels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let at = |i: usize, n: usize, size: usize| (i as f32 + 0.5) * (size as f32 / n as f32);
                texels.push(self.bilinear(at(x, width, self.width), at(y, height, self.height), false));
            }
        }
        Self { width, height, texels }
    }

    /// Between the four texels around a place, which is given in texels; it repeats or ends at the edge.
    #[inline]
    fn bilinear(&self, x: f32, y: f32, repeat: bool) -> [f32; 4] {
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, bottom) = (x.floor(), y.floor());
        let (fx, fy) = (x - left, y - bottom);
        let wrap = |i: i64, n: usize| -> usize {
            if repeat { i.rem_euclid(n as i64) as usize } else { i.clamp(0, n as i64 - 1) as usize }
        };
        let (i, j) = (left as i64, bottom as i64);
        let (x0, x1) = (wrap(i, self.width), wrap(i + 1, self.width));
        let (y0, y1) = (wrap(j, self.height) * self.width, wrap(j + 1, self.height) * self.width);
        let [a, b, c, d] =
            [self.texels[y0 + x0], self.texels[y0 + x1], self.texels[y1 + x0], self.texels[y1 + x1]];
        std::array::from_fn(|k| {
            let low = a[k] + (b[k] - a[k]) * fx;
            let high = c[k] + (d[k] - c[k]) * fx;
            low + (high - low) * fy
        })
    }
}

fn pyramid(base: Level) -> Vec<Level> {
    let mut levels = vec![base];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
    {
        let next = last.half();
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
            let srgb = m.tex_colorspace[id] == ColorSpace::Srgb as i32;
            let base = Level::new(data, channels, width, height, srgb);
            return Self { cube: false, skybox, faces: vec![pyramid(base)] };
        }
        let face = |i: usize| {
            let start = if width == height { 0 } else { i * channels * width * width };
            pyramid(Level::new(&data[start..], channels, width, width, false))
        };
        Self { cube: true, skybox, faces: (0..6).map(face).collect() }
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
        let sample = |level: &Level| level.bilinear(s * level.width as f32, t * level.height as f32, repeat);
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

    /// Colour of a flat texture; `dx` and `dy` are changes of the coordinates from pixel to pixel.
    #[inline]
    pub fn flat(&self, at: [f32; 2], dx: [f32; 2], dy: [f32; 2]) -> [f32; 4] {
        let [w, h] = self.size();
        let rho = (dx[0] * w).abs().max((dx[1] * h).abs()).max((dy[0] * w).abs()).max((dy[1] * h).abs());
        self.mixed(0, at[0], at[1], rho)
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
