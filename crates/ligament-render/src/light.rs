//! Light at vertices: the model of OpenGL 1.5, with ambient, diffuse and specular parts and spots.

use crate::matrix::{Mat4, Vec3, direction, dot, point, unit};
use ligament_model::enums::LightType;
use ligament_scene::Light;

/// The reference draws with the first eight lights only: more is not guaranteed to exist.
pub const MAX_LIGHTS: usize = 8;

/// How a surface looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    pub rgba: [f32; 4],
    pub emission: f32,
    pub specular: f32,
    pub shininess: f32,
}

/// A light in the space of the eye.
#[derive(Debug, Clone, Copy)]
pub struct Lamp {
    ambient: Vec3,
    diffuse: Vec3,
    specular: Vec3,
    place: Place,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    /// Unit vector towards the light.
    Far(Vec3),
    Spot {
        pos: Vec3,
        dir: Vec3,
        cos_cutoff: f32,
        exponent: f32,
        attenuation: Vec3,
    },
}

impl Lamp {
    /// `view` takes the space in which the light is given to that of the eye.
    pub fn new(light: &Light, view: &Mat4) -> Self {
        let place = match LightType::try_from(light.kind) {
            Ok(LightType::Directional) => Place::Far(unit(direction(view, light.dir.map(|x| -x)))),
            Ok(LightType::Spot) => Place::Spot {
                pos: point(view, light.pos),
                dir: unit(direction(view, light.dir)),
                cos_cutoff: if light.cutoff > 90.0 { -2.0 } else { light.cutoff.to_radians().cos() },
                exponent: light.exponent,
                attenuation: light.attenuation,
            },
            // kinds that the reference does not place shine from the eye
            Ok(LightType::Point | LightType::Image) | Err(_) => Place::Far([0.0, 0.0, 1.0]),
        };
        Self { ambient: light.ambient, diffuse: light.diffuse, specular: light.specular, place }
    }

    /// Direction to the light, and how much of it arrives.
    #[inline]
    fn reach(&self, at: Vec3) -> (Vec3, f32) {
        match self.place {
            Place::Far(towards) => (towards, 1.0),
            Place::Spot { pos, dir, cos_cutoff, exponent, attenuation } => {
                let offset = crate::matrix::sub(pos, at);
                let distance = dot(offset, offset).sqrt();
                let towards = offset.map(|x| x / distance.max(1e-20));
                let along = -dot(towards, dir);
                if along < cos_cutoff {
                    return (towards, 0.0);
                }
                let fading = if exponent == 0.0 { 1.0 } else { along.max(0.0).powf(exponent) };
                let [a, b, c] = attenuation;
                (towards, fading / (a + distance * (b + distance * c)))
            }
        }
    }
}

/// Colour of a vertex, clamped as the pipeline does; `glows` adds the light that the surface sends out.
#[inline]
pub fn shade(look: &Look, lamps: &[Lamp], global: f32, glows: bool, at: Vec3, normal: Vec3) -> [f32; 4] {
    let base = [look.rgba[0], look.rgba[1], look.rgba[2]];
    let emission = if glows { look.emission } else { 0.0 };
    let mut sum = base.map(|c| c * (emission + global));
    let eye = unit(at.map(|x| -x));
    for lamp in lamps {
        let (towards, strength) = lamp.reach(at);
        if strength == 0.0 {
            continue;
        }
        let facing = dot(normal, towards).max(0.0);
        let mut shine = 0.0;
        if facing > 0.0 && look.specular != 0.0 {
            let half = unit(std::array::from_fn(|k| towards[k] + eye[k]));
            shine = dot(normal, half).max(0.0).powf(look.shininess * 128.0) * look.specular;
        }
        for k in 0..3 {
            let surface = base[k] * (lamp.ambient[k] + facing * lamp.diffuse[k]);
            sum[k] += strength * (surface + shine * lamp.specular[k]);
        }
    }
    let [r, g, b] = sum.map(|x| x.clamp(0.0, 1.0));
    [r, g, b, look.rgba[3].clamp(0.0, 1.0)]
}
