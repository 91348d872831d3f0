//! Colours of rows of pixels: what varies over a triangle, eight pixels at a time.

use crate::lanes::{LANES, Lanes};
use crate::light::MAX_LIGHTS;
use crate::raster::{Draw, Fog, Pass, Setup};
use crate::shadow::ShadowMap;
use crate::texture::Texture;
use crate::vertex::Triangle;

/// Opacity below which a surface does not show light that arrives.
const ALPHA_LIMIT: f32 = 0.99;

/// Where the centre of the first pixel of a row is, in pixels of the tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub x: f64,
    pub y: f64,
}

/// A quantity that varies linearly over the screen.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Plane {
    pub base: f64,
    pub dx: f64,
    pub dy: f64,
}

impl Plane {
    #[inline(always)]
    pub fn at(&self, x: f64, y: f64) -> f64 {
        self.base + self.dx * x + self.dy * y
    }

    #[inline(always)]
    pub fn row(&self, row: Row) -> Lanes {
        Lanes::ramp(self.at(row.x, row.y) as f32, self.dx as f32)
    }

    /// The sum of planes, weighted.
    pub fn sum(planes: [Self; 4], weights: [f32; 4]) -> Self {
        let mut total = Self::default();
        for (plane, weight) in planes.iter().zip(weights.map(f64::from)) {
            total.base += weight * plane.base;
            total.dx += weight * plane.dx;
            total.dy += weight * plane.dy;
        }
        total
    }
}

/// What varies over a triangle besides depth. Everything is divided by the distance.
pub(crate) struct Varying {
    z: Plane,
    inverse_w: Plane,
    rgba: [Plane; 4],
    texture: [Plane; 3],
    /// Places in the shadow maps that matter.
    lights: [[Plane; 4]; MAX_LIGHTS],
}

impl Varying {
    pub fn new(setup: &Setup, pass: &Pass<'_>, triangle: &Triangle, draw: &Draw<'_>, z: Plane) -> Self {
        let p = triangle.points.map(|i| &pass.points[i as usize]);
        let layer = draw.lit_by.map_or(0, |map| map + 1);
        let color = triangle.points.map(|i| pass.colors[i as usize * pass.layers + layer]);
        let inverse_w = setup.plane(p.map(|p| p.inverse_w));
        let mut varying = Self {
            z,
            inverse_w,
            rgba: std::array::from_fn(|k| setup.plane(color.map(|c| c[k]))),
            texture: Default::default(),
            lights: Default::default(),
        };
        if draw.texture.is_some() {
            varying.texture = std::array::from_fn(|k| setup.plane(p.map(|p| p.texture[k])));
        }
        if draw.lit_by.is_some() || draw.relit {
            let [x, y, z] = std::array::from_fn(|k| setup.plane(p.map(|p| p.world[k])));
            for (i, (planes, map)) in varying.lights.iter_mut().zip(pass.shadows).enumerate() {
                if draw.relit || draw.lit_by == Some(i) {
                    *planes = map.matrix.map(|row| Plane::sum([x, y, z, inverse_w], row));
                }
            }
        }
        varying
    }

    /// Colours of a row of pixels, from 0 to 1. Pixels where the light of the draw call does not arrive are taken out of
    /// those that are seen; others that are not seen have any colour.
    #[inline]
    pub fn shade(
        &self,
        row: Row,
        draw: &Draw<'_>,
        shadows: &[ShadowMap],
        seen: &mut [bool; LANES],
    ) -> [Lanes; 4] {
        let w = self.inverse_w.row(row).inverse();
        let mut color = [Lanes::default(); 4];
        for k in 0..4 {
            color[k] = (self.rgba[k].row(row) * w).between_zero_and(1.0);
        }
        if draw.relit {
            for (map, planes) in shadows.iter().zip(&self.lights) {
                map.mark(rows(planes, row), seen);
            }
        }
        if let Some(light) = draw.lit_by {
            shadows[light].keep_lit(rows(&self.lights[light], row), seen);
            if *seen == [false; LANES] {
                return color;
            }
        }
        if let Some(texture) = draw.texture {
            self.apply_texture(row, w, texture, seen, &mut color);
        }
        if draw.lit_by.is_some() {
            (0..LANES).for_each(|i| seen[i] &= color[3].0[i] >= ALPHA_LIMIT);
        }
        if let Some(fog) = draw.fog {
            self.apply_fog(row, w, &fog, &mut color);
        }
        color
    }

    #[inline(always)]
    fn apply_texture(
        &self,
        row: Row,
        w: Lanes,
        texture: &Texture,
        seen: &[bool; LANES],
        color: &mut [Lanes; 4],
    ) {
        let (mut at, mut dx, mut dy) = ([Lanes::default(); 3], [Lanes::default(); 3], [Lanes::default(); 3]);
        for k in 0..if texture.cube { 3 } else { 2 } {
            let plane = &self.texture[k];
            at[k] = plane.row(row) * w;
            dx[k] = (Lanes::splat(plane.dx as f32) - at[k] * self.inverse_w.dx as f32) * w;
            dy[k] = (Lanes::splat(plane.dy as f32) - at[k] * self.inverse_w.dy as f32) * w;
        }
        let sizes = if texture.cube { None } else { Some(texture.texels_per_pixel(&dx, &dy)) };
        for i in 0..LANES {
            if !seen[i] {
                continue;
            }
            let texel = match &sizes {
                Some(sizes) => texture.flat([at[0].0[i], at[1].0[i]], sizes.0[i]),
                None => {
                    let lane = |v: &[Lanes; 3]| [v[0].0[i], v[1].0[i], v[2].0[i]];
                    texture.around(lane(&at), lane(&dx), lane(&dy))
                }
            };
            for k in 0..4 {
                color[k].0[i] *= texel[k];
            }
        }
    }

    #[inline(always)]
    fn apply_fog(&self, row: Row, w: Lanes, fog: &Fog, color: &mut [Lanes; 4]) {
        let distance = match fog.flat {
            Some([near, far]) => self.z.row(row) * (near - far) + far,
            None => w,
        };
        let clear =
            ((Lanes::splat(fog.end) - distance) * (1.0 / (fog.end - fog.start))).between_zero_and(1.0);
        for k in 0..3 {
            color[k] = color[k] * clear + (Lanes::splat(1.0) - clear) * fog.color[k];
        }
    }
}

#[inline(always)]
fn rows(planes: &[Plane; 4], row: Row) -> [Lanes; 4] {
    [planes[0].row(row), planes[1].row(row), planes[2].row(row), planes[3].row(row)]
}
