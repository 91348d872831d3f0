//! Making geoms of a scene.

use crate::pose::z_to;
use crate::{Geom, SceneError};
use ligament_math::{Mat3, Vec3, mat3, quat, vec3};
use ligament_model::enums::GeomType;

pub(crate) fn single<const N: usize>(x: [f64; N]) -> [f32; N] {
    x.map(|v| v as f32)
}

impl Geom {
    /// Sets shape, size, pose and colour where given, everything else about the look to its default (`mjv_initGeom`).
    pub fn init(
        &mut self,
        kind: i32,
        size: Option<Vec3>,
        pos: Option<Vec3>,
        mat: Option<&Mat3>,
        rgba: Option<[f32; 4]>,
    ) {
        let size = size.map(|s| {
            single(match GeomType::try_from(kind) {
                Ok(GeomType::Sphere) => [s[0]; 3],
                Ok(GeomType::Capsule | GeomType::Cylinder) => [s[0], s[0], s[1]],
                _ => s,
            })
        });
        let default = Geom::default();
        *self = Geom {
            kind,
            size: size.unwrap_or(default.size),
            pos: pos.map_or(default.pos, single),
            mat: mat.map_or(default.mat, |m| single(*m)),
            rgba: rgba.unwrap_or(default.rgba),
            objtype: self.objtype,
            objid: self.objid,
            category: self.category,
            segid: self.segid,
            camdist: self.camdist,
            transparent: self.transparent,
            ..default
        };
    }

    /// Stretches a shape with a long axis from one point to another (`mjv_connector`).
    pub fn connect(&mut self, kind: GeomType, width: f64, from: Vec3, to: Vec3) -> Result<(), SceneError> {
        let centred = match kind {
            GeomType::Capsule | GeomType::Cylinder => true,
            GeomType::Arrow | GeomType::Arrow1 | GeomType::Arrow2 | GeomType::Line => false,
            _ => return Err(SceneError::Connector(kind as i32)),
        };
        let span = vec3::sub(to, from);
        let length = vec3::norm(span) as f32;
        self.kind = kind as i32;
        self.size = [width as f32, width as f32, if centred { length * 0.5 } else { length }];
        let middle = std::array::from_fn(|k| 0.5 * (from[k] + to[k]));
        self.pos = single(if centred { middle } else { from });
        self.mat = single(quat::to_mat(z_to(span)));
        Ok(())
    }

    /// Spans a triangle: its sides and its normal are the axes, their lengths the size.
    pub(crate) fn span(&mut self, corners: [Vec3; 3], rgba: [f32; 4]) {
        let mut sides = [vec3::sub(corners[1], corners[0]), vec3::sub(corners[2], corners[0]), [0.0; 3]];
        sides[2] = vec3::cross(sides[0], sides[1]);
        let lengths = sides.each_mut().map(vec3::normalize);
        let axes = mat3::transpose(&std::array::from_fn(|i| sides[i / 3][i % 3]));
        self.init(GeomType::Triangle as i32, Some(lengths), Some(corners[0]), Some(&axes), Some(rgba));
    }

    /// Radius of a sphere around the geom.
    pub fn bounding_radius(&self) -> f32 {
        if self.objtype == ligament_model::enums::ObjType::Geom as i32 {
            return self.modelrbound;
        }
        let [x, y, z] = self.size;
        match GeomType::try_from(self.kind) {
            Ok(GeomType::Sphere) => x,
            Ok(GeomType::Capsule) => x + z,
            Ok(GeomType::Cylinder) => (x * x + z * z).sqrt(),
            Ok(GeomType::Box) => (x * x + y * y + z * z).sqrt(),
            _ => x.max(y).max(z), // arrows reach further, but are never transparent
        }
    }
}
