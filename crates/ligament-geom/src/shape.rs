//! Shapes with a pose, as the closed-form pair functions take them.

use ligament_math::{Mat3, Vec3, mat3};

/// A shape in the world. The meaning of `size` follows the kind of shape: sphere (radius), capsule and cylinder
/// (radius, half-length), box and ellipsoid (half-extents). The axis of symmetry is the local z axis.
#[derive(Debug, Clone, Copy)]
pub struct Solid<'a> {
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub mat: &'a Mat3,
    /// Sizes, as geoms have them.
    pub size: Vec3,
}

impl Solid<'_> {
    /// Local z axis in the world: plane normal, axis of capsule and cylinder.
    #[inline]
    pub fn axis(&self) -> Vec3 {
        mat3::col(self.mat, 2)
    }

    /// The same shape elsewhere.
    #[inline]
    pub fn at(&self, pos: Vec3) -> Self {
        Self { pos, ..*self }
    }
}

/// Corner `i` (bits: x, y, z positive) of a box, in its frame.
#[inline]
pub fn box_corner(size: Vec3, i: usize) -> Vec3 {
    std::array::from_fn(|k| if i & (1 << k) != 0 { size[k] } else { -size[k] })
}

/// Where a point lies relative to a box whose surface has a tolerance zone around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Inside.
    Inside,
    /// As near to the surface as makes no difference.
    NearSurface,
    /// Outside.
    Outside,
}

/// Compares a point with a box blown up and shrunk by a factor.
pub fn side_of_box(point: Vec3, solid: &Solid, size: Vec3, inflate: f64) -> Side {
    let local = mat3::mul_vec_t(solid.mat, ligament_math::vec3::sub(point, solid.pos));
    let outside = |k: usize| local[k] > size[k] * inflate || local[k] < -(size[k] * inflate);
    if (0..3).any(outside) {
        return Side::Outside;
    }
    let inside = |k: usize| local[k] < size[k] / inflate && local[k] > -(size[k] / inflate);
    if (0..3).all(inside) { Side::Inside } else { Side::NearSurface }
}
