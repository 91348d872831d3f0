//! Matrices of four rows, as the rendering pipeline of OpenGL 1.5 uses them.

pub type Vec3 = [f32; 3];
pub type Vec4 = [f32; 4];
/// Rows.
pub type Mat4 = [Vec4; 4];

pub const IDENTITY: Mat4 =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

pub fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..4).map(|k| a[r][k] * b[k][c]).sum()))
}

#[inline]
pub fn apply(m: &Mat4, p: Vec3, w: f32) -> Vec4 {
    m.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3] * w)
}

#[inline]
pub fn point(m: &Mat4, p: Vec3) -> Vec3 {
    let [x, y, z, _] = apply(m, p, 1.0);
    [x, y, z]
}

#[inline]
pub fn direction(m: &Mat4, v: Vec3) -> Vec3 {
    let [x, y, z, _] = apply(m, v, 0.0);
    [x, y, z]
}

#[inline]
pub fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Unit vector; z for vectors without length.
#[inline]
pub fn unit(v: Vec3) -> Vec3 {
    let length = dot(v, v).sqrt();
    if length < 1e-10 { [0.0, 0.0, 1.0] } else { v.map(|x| x * (1.0 / length)) }
}

pub fn translation(t: Vec3) -> Mat4 {
    let mut m = IDENTITY;
    for k in 0..3 {
        m[k][3] = t[k];
    }
    m
}

pub fn scaling(s: Vec3) -> Mat4 {
    let mut m = IDENTITY;
    for k in 0..3 {
        m[k][k] = s[k];
    }
    m
}

/// Rotation given by rows, then translation.
pub fn pose(rotation: &[f32; 9], pos: Vec3) -> Mat4 {
    let mut m = translation(pos);
    for r in 0..3 {
        m[r][..3].copy_from_slice(&rotation[3 * r..3 * r + 3]);
    }
    m
}

/// The world as seen from a point.
pub fn look_at(eye: Vec3, forward: Vec3, up: Vec3) -> Mat4 {
    let f = unit(forward);
    let s = unit(cross(f, up));
    let u = unit(cross(s, f));
    [
        [s[0], s[1], s[2], -dot(s, eye)],
        [u[0], u[1], u[2], -dot(u, eye)],
        [-f[0], -f[1], -f[2], dot(f, eye)],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

/// Edges of the near plane, and the distances of both planes.
#[derive(Debug, Clone, Copy)]
pub struct Box6 {
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
    pub top: f64,
    pub near: f64,
    pub far: f64,
}

/// Depth runs from 1 at the near plane to 0 at the far one: floating-point numbers are dense near 0.
fn reversed(m: &Mat4) -> Mat4 {
    let mut r = *m;
    for c in 0..4 {
        r[2][c] = -0.5 * m[2][c] + 0.5 * m[3][c];
    }
    r
}

pub fn perspective(b: Box6) -> Mat4 {
    let (w, h, d) = (b.right - b.left, b.top - b.bottom, b.far - b.near);
    reversed(&[
        [(2.0 * b.near / w) as f32, 0.0, ((b.right + b.left) / w) as f32, 0.0],
        [0.0, (2.0 * b.near / h) as f32, ((b.top + b.bottom) / h) as f32, 0.0],
        [0.0, 0.0, (-(b.far + b.near) / d) as f32, (-2.0 * b.far * b.near / d) as f32],
        [0.0, 0.0, -1.0, 0.0],
    ])
}

pub fn orthographic(b: Box6) -> Mat4 {
    let (w, h, d) = (b.right - b.left, b.top - b.bottom, b.far - b.near);
    reversed(&[
        [(2.0 / w) as f32, 0.0, 0.0, (-(b.right + b.left) / w) as f32],
        [0.0, (2.0 / h) as f32, 0.0, (-(b.top + b.bottom) / h) as f32],
        [0.0, 0.0, (-2.0 / d) as f32, (-(b.far + b.near) / d) as f32],
        [0.0, 0.0, 0.0, 1.0],
    ])
}

/// No projection but the direction of depth, which the reference leaves for lights it does not support.
pub fn unprojected() -> Mat4 {
    reversed(&IDENTITY)
}

/// Mirror image in a plane through a point.
pub fn reflection(pos: Vec3, normal: Vec3) -> Mat4 {
    let mut m = IDENTITY;
    for r in 0..3 {
        for c in 0..3 {
            m[r][c] -= 2.0 * normal[r] * normal[c];
        }
        m[r][3] = 2.0 * normal[r] * dot(normal, pos);
    }
    m
}

/// How normals turn: the inverse transpose of the upper left part.
pub fn normal_matrix(m: &Mat4) -> [Vec3; 3] {
    let row = |r: usize| [m[r][0], m[r][1], m[r][2]];
    let cofactors = [cross(row(1), row(2)), cross(row(2), row(0)), cross(row(0), row(1))];
    let determinant = dot(row(0), cofactors[0]);
    let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
    cofactors.map(|v| v.map(|x| x * sign))
}
