//! Builtin shapes. Formulas are in double precision, vertices are stored in single, as in the reference.

use ligament_model::enums::{MeshBuiltin, MeshInertia};
use std::collections::HashMap;
use std::f64::consts::PI;

/// Vertices, and what else a shape fixes.
#[derive(Debug, Default)]
pub struct Shape {
    pub vert: Vec<f32>,
    pub normal: Vec<f32>,
    pub face: Vec<[i32; 3]>,
    pub inertia: Option<MeshInertia>,
}

/// Resolutions above this are refused: nobody means them.
const MAX_RESOLUTION: i64 = 4096;

/// Makes a shape from its parameters; the error is the message.
pub fn make(kind: MeshBuiltin, params: &[f64]) -> Result<Shape, String> {
    match kind {
        MeshBuiltin::None => Err("Unsupported mesh type".into()),
        MeshBuiltin::Sphere => {
            let [subdivision] = exactly(params, "Sphere mesh type requires 1 parameter")?;
            let level = bounded(subdivision, "Sphere subdivision", 4)?;
            Ok(sphere(level))
        }
        MeshBuiltin::Hemisphere => {
            let [resolution] = exactly(params, "Hemisphere mesh type requires 1 parameter")?;
            Ok(hemisphere(bounded(resolution, "Hemisphere resolution", 10)?))
        }
        MeshBuiltin::Cone => {
            let [edges, radius] = exactly(params, "Cone mesh type requires 2 parameters")?;
            Ok(cone(resolution(edges, 1, "Cone must have a positive number of edges")?, radius))
        }
        MeshBuiltin::Supersphere => {
            let [res, e, n] = exactly(params, "Supersphere mesh type requires 3 parameters")?;
            let res = resolution(res, 3, "Supersphere resolution must be greater than 2")?;
            require(e >= 0.0, "Supersphere 'e' cannot be negative")?;
            require(n >= 0.0, "Supersphere 'n' cannot be negative")?;
            Ok(supersphere(res, e, n))
        }
        MeshBuiltin::Supertorus => {
            let [res, radius, s, t] = exactly(params, "Supertorus mesh type requires 4 parameters")?;
            let res = resolution(res, 3, "Supertorus resolution must be greater than 3")?;
            require(radius > 0.0 && radius <= 1.0, "Supertorus radius must be in (0, 1]")?;
            require(s > 0.0, "Supertorus 's' must be greater than 0")?;
            require(t > 0.0, "Supertorus 't' must be greater than 0")?;
            Ok(supertorus(res, radius, s, t))
        }
        MeshBuiltin::Wedge => {
            let [nx, ny, fx, fy, gamma] = exactly(params, "Wedge builtin mesh types require 5 parameters")?;
            require(fx > 0.0 && fx <= 180.0, "fov[0] must be a float between (0, 180] degrees")?;
            require(fy > 0.0 && fy <= 90.0, "`fov[1]` must be a float between (0, 90] degrees")?;
            let size = resolutions(nx, ny)?;
            require((0.0..=1.0).contains(&gamma), "`gamma` must be a nonnegative float between [0, 1]")?;
            Ok(wedge(size, [fx, fy], gamma))
        }
        MeshBuiltin::Plate => {
            let [nx, ny] = exactly(params, "Plate builtin mesh type requires 2 parameters")?;
            Ok(plate(resolutions(nx, ny)?))
        }
    }
}

fn exactly<const N: usize>(params: &[f64], message: &str) -> Result<[f64; N], String> {
    params.try_into().map_err(|_| message.to_string())
}

fn require(holds: bool, message: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message.into()) }
}

fn bounded(value: f64, what: &str, most: usize) -> Result<usize, String> {
    let level = value as i64;
    require(level >= 0, &format!("{what} cannot be negative"))?;
    require(level <= most as i64, &format!("{what} cannot be greater than {most}"))?;
    Ok(level as usize)
}

fn resolution(value: f64, least: i64, message: &str) -> Result<usize, String> {
    let count = value as i64;
    require(count >= least, message)?;
    require(count <= MAX_RESOLUTION, "resolution of builtin mesh is too large")?;
    Ok(count as usize)
}

fn resolutions(nx: f64, ny: f64) -> Result<[usize; 2], String> {
    let message = "Horizontal and vertical resolutions must be positive";
    Ok([resolution(nx, 1, message)?, resolution(ny, 1, message)?])
}

/// Icosahedron whose faces are cut into four, again and again.
fn sphere(level: usize) -> Shape {
    let phi = f64::midpoint(1.0, 5.0_f64.sqrt()) as f32;
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    let mut vert: Vec<[f32; 3]> = [
        [-1.0, phi, 0.0],
        [1.0, phi, 0.0],
        [-1.0, -phi, 0.0],
        [1.0, -phi, 0.0],
        [0.0, -1.0, phi],
        [0.0, 1.0, phi],
        [0.0, -1.0, -phi],
        [0.0, 1.0, -phi],
        [phi, 0.0, -1.0],
        [phi, 0.0, 1.0],
        [-phi, 0.0, -1.0],
        [-phi, 0.0, 1.0],
    ]
    .iter()
    .map(|v: &[f32; 3]| v.map(|x| (f64::from(x) / norm) as f32))
    .collect();
    #[rustfmt::skip]
    let mut face: Vec<[i32; 3]> = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    for _ in 0..level {
        let mut middles = HashMap::new();
        let mut middle = |a: i32, b: i32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (p, q) = (vert[a as usize], vert[b as usize]);
                let m: [f32; 3] = std::array::from_fn(|k| (p[k] + q[k]) / 2.0);
                let norm = (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt();
                vert.push(m.map(|x| x / norm));
                vert.len() as i32 - 1
            })
        };
        face = face
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    Shape { vert: vert.into_flattened(), face, ..Shape::default() }
}

/// Half a sphere from a pyramid of squares, with a cap.
fn hemisphere(res: usize) -> Shape {
    const EQUATOR: [[f64; 3]; 4] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    const POLE: [f64; 3] = [0.0, 0.0, 1.0];
    let mut vert: Vec<[f32; 3]> = vec![[0.0, 0.0, 1.0]];
    for row in 0..=res {
        for side in 0..4 {
            let factor = (row + 1) as f64 / (res + 1) as f64;
            let toward = |corner: [f64; 3]| -> [f64; 3] {
                std::array::from_fn(|k| POLE[k] + factor * (corner[k] - POLE[k]))
            };
            let (start, end) = (toward(EQUATOR[side]), toward(EQUATOR[(side + 1) % 4]));
            let delta: [f64; 3] = std::array::from_fn(|k| (end[k] - start[k]) / (row + 1) as f64);
            for i in 0..=row {
                let p: [f64; 3] = std::array::from_fn(|k| start[k] + i as f64 * delta[k]);
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vert.push(p.map(|x| (x / norm) as f32));
            }
        }
    }
    vert.push([0.0; 3]);
    let face = hemisphere_faces(res, vert.len() - 1);
    Shape { vert: vert.into_flattened(), face, ..Shape::default() }
}

fn hemisphere_faces(res: usize, bottom: usize) -> Vec<[i32; 3]> {
    let mut face: Vec<[usize; 3]> = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    for row in 0..res {
        let (inner, inner_count) = (2 * row * (row + 1) + 1, 4 * (row + 1));
        let (outer, outer_count) = (inner + inner_count, 4 * (row + 2));
        for side in 0..4 {
            for i in 0..row + 2 {
                let (a, b) = (i + (row + 1) * side, i + (row + 2) * side);
                let next = outer + (b + 1) % outer_count;
                face.push([inner + a % inner_count, outer + b % outer_count, next]);
                if i < row + 1 {
                    face.push([inner + a % inner_count, next, inner + (a + 1) % inner_count]);
                }
            }
        }
    }
    let (start, count) = (2 * res * (res + 1) + 1, 4 * (res + 1));
    face.extend((0..count).map(|i| [start + i, bottom, start + (i + 1) % count]));
    face.iter().map(|f| f.map(|v| v as i32)).collect()
}

/// A bottom polygon and a point, or a second polygon of the given radius. Faces come from the hull.
fn cone(edges: usize, radius: f64) -> Shape {
    let angle = |i: usize| (2 * i) as f64 * PI / edges as f64;
    let mut vert = Vec::new();
    for i in 0..edges {
        vert.extend([angle(i).cos() as f32, angle(i).sin() as f32, -1.0]);
    }
    if radius > 0.0 {
        for i in edges..2 * edges {
            vert.extend([(radius * angle(i).cos()) as f32, (radius * angle(i).sin()) as f32, 1.0]);
        }
    } else {
        vert.extend([0.0, 0.0, 1.0]);
    }
    Shape { vert, ..Shape::default() }
}

/// |cos|^m with the sign of cos.
fn power_cos(angle: f64, m: f64) -> f64 {
    angle.cos().abs().powf(m).copysign(angle.cos())
}

/// |sin|^m with the sign of sin.
fn power_sin(angle: f64, m: f64) -> f64 {
    angle.sin().abs().powf(m).copysign(angle.sin())
}

fn supersphere(res: usize, e: f64, n: f64) -> Shape {
    let mut vert: Vec<f32> = vec![0.0, 0.0, -1.0];
    for i in 1..res {
        let v = -PI / 2.0 + i as f64 * PI / res as f64;
        for j in 0..res {
            let u = -PI + (j as f64 * 2.0) * PI / res as f64;
            vert.push((power_cos(v, n) * power_cos(u, e)) as f32);
            vert.push((power_cos(v, n) * power_sin(u, e)) as f32);
            vert.push(power_sin(v, n) as f32);
        }
    }
    vert.extend([0.0, 0.0, 1.0]);
    let count = res as i32;
    let next = |j: i32| (j + 1) % count;
    let mut face: Vec<[i32; 3]> = (0..count).map(|j| [0, 1 + next(j), 1 + j]).collect();
    for i in 0..count - 2 {
        for j in 0..count {
            let (low, high) = (1 + i * count, 1 + (i + 1) * count);
            face.push([low + j, low + next(j), high + j]);
            face.push([low + next(j), high + next(j), high + j]);
        }
    }
    let (pole, ring) = (vert.len() as i32 / 3 - 1, 1 + (count - 2) * count);
    face.extend((0..count).map(|j| [ring + j, ring + next(j), pole]));
    Shape { vert, face, ..Shape::default() }
}

fn supertorus(res: usize, radius: f64, s: f64, t: f64) -> Shape {
    let mut vert = Vec::with_capacity(3 * res * res);
    let mut face = Vec::with_capacity(2 * res * res);
    let id = |i: usize, j: usize| (i % res * res + j % res) as i32;
    for i in 0..res {
        for j in 0..res {
            let u = 2.0 * PI * i as f64 / res as f64;
            let v = 2.0 * PI * j as f64 / res as f64;
            vert.push(((1.0 + radius * power_cos(v, s)) * power_cos(u, t)) as f32);
            vert.push(((1.0 + radius * power_cos(v, s)) * power_sin(u, t)) as f32);
            vert.push((radius * power_sin(v, s)) as f32);
            face.push([id(i, j), id(i + 1, j), id(i, j + 1)]);
            face.push([id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)]);
        }
    }
    Shape { vert, face, ..Shape::default() }
}

/// Edges of the bins of a field of view, denser in the middle as `gamma` grows.
fn bin_edges(count: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let increment = 2.0 / count as f64;
    let mut at = -1.0;
    (0..=count)
        .map(|_| {
            let x: f64 = at;
            at += increment;
            let bent = if gamma == 0.0 { x } else { gamma * x.powf(5.0) + (1.0 - gamma) * x };
            bent * (fov * PI / 180.0)
        })
        .collect()
}

/// Points on a sphere, one per pixel, each with a tangent frame as its normals.
fn wedge([nx, ny]: [usize; 2], fov: [f64; 2], gamma: f64) -> Shape {
    let (x, y) = (bin_edges(nx, fov[0], gamma), bin_edges(ny, fov[1], gamma));
    let mut shape = Shape::default();
    for i in 0..nx {
        for j in 0..ny {
            let (a, e) = (0.5 * (x[i + 1] + x[i]), 0.5 * (y[j + 1] + y[j]));
            shape.vert.extend([(e.cos() * a.sin()) as f32, e.sin() as f32, (-e.cos() * a.cos()) as f32]);
            let mut along = [e.cos() * a.cos(), 0.0, e.cos() * a.sin()];
            let mut up = [-e.sin() * a.sin(), e.cos(), e.sin() * a.cos()];
            crate::pose::normalize(&mut along);
            crate::pose::normalize(&mut up);
            let normal = ligament_math::vec3::cross(up, along);
            shape.normal.extend([normal, along, up].as_flattened().iter().map(|x| *x as f32));
        }
    }
    shape
}

/// A square of points at z = -1 with frames as normals; it has no volume.
fn plate([nx, ny]: [usize; 2]) -> Shape {
    let mut shape = Shape { inertia: Some(MeshInertia::Shell), ..Shape::default() };
    let (dx, dy) = (2.0 / nx as f64, 2.0 / ny as f64);
    let id = |i: usize, j: usize| (i * ny + j) as i32;
    for i in 0..nx {
        for j in 0..ny {
            let point = [-1.0 + (i as f64 + 0.5) * dx, -1.0 + (j as f64 + 0.5) * dy];
            shape.vert.extend([point[0] as f32, point[1] as f32, -1.0]);
            shape.normal.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            if i > 0 && j > 0 {
                shape.face.push([id(i - 1, j - 1), id(i, j - 1), id(i - 1, j)]);
                shape.face.push([id(i, j), id(i - 1, j), id(i, j - 1)]);
            }
        }
    }
    shape
}
