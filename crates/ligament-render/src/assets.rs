//! Surfaces of a model: planes, meshes with their hulls, height fields.

use crate::matrix::{Vec3, cross, dot, sub, unit};
use crate::mesh::{Builder, Corner, Mesh};
use ligament_math::MINVAL;
use ligament_model::Model;
use ligament_model::enums::GeomType;
use ligament_scene::MAXPLANEGRID;

fn face_normal(p: [Vec3; 3]) -> Vec3 {
    unit(cross(sub(p[1], p[0]), sub(p[2], p[0])))
}

/// All planes of a model, in the order of its geoms.
pub fn planes(m: &Model) -> Vec<Mesh> {
    (0..m.ngeom).filter(|&i| m.geom_type[i] == GeomType::Plane as i32).map(|i| plane(m, i)).collect()
}

/// A plane is a grid, so that light varies over it.
fn plane(m: &Model, geom: usize) -> Mesh {
    let [x, y] = [0, 1].map(|axis| grid_lines(m, geom, axis));
    let mut builder = Builder::default();
    for i in 0..x.len() - 1 {
        for j in 0..y.len() - 1 {
            let corner = |a: usize, b: usize| Corner::new([x[i + a], y[j + b], 0.0], [0.0, 0.0, 1.0]);
            builder.quad([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
        }
    }
    builder.finish(false, false)
}

fn grid_lines(m: &Model, geom: usize, axis: usize) -> Vec<f32> {
    let size = m.geom_size[geom][axis];
    let most = (MAXPLANEGRID - 2) as f64;
    if size > 0.0 {
        let spacing = m.geom_size[geom][2].max(size / most);
        let inner = (size / spacing.max(MINVAL)).floor() as usize;
        let inner = inner - inner % 2;
        let pad = size - inner as f64 * spacing;
        let mut lines = vec![-size];
        for x in 0..=inner {
            lines.push(-size + pad + x as f64 * spacing * 2.0);
        }
        let last = *lines.last().unwrap_or(&size);
        lines.push(last.max(last + pad));
        return lines.into_iter().map(|l| l as f32).collect();
    }
    let far = f64::from(m.vis.map.zfar) * m.stat.extent;
    let repeat = usize::try_from(m.geom_matid[geom]).map_or(0.0, |id| m.mat_texrepeat[id][axis]);
    let step = if repeat > 0.0 { f64::from(2.0 / repeat) } else { 2.1 * far / most };
    let width = (2.1 * far + 2.0 * step) / MAXPLANEGRID as f64;
    (0..=MAXPLANEGRID).map(|x| (width * x as f64 - width * (MAXPLANEGRID / 2) as f64) as f32).collect()
}

/// A mesh: smooth where its normals are near those of its faces, or where it has texture coordinates.
pub fn mesh(m: &Model, id: usize) -> Mesh {
    let vertices = &m.mesh_vert[m.mesh_vertadr[id] as usize..];
    let normals = &m.mesh_normal[m.mesh_normaladr[id] as usize..];
    let texture = usize::try_from(m.mesh_texcoordadr[id]).ok().map(|adr| &m.mesh_texcoord[adr..]);
    let first = m.mesh_faceadr[id] as usize;
    let mut builder = Builder::default();
    for face in first..first + m.mesh_facenum[id] as usize {
        let points = m.mesh_face[face].map(|v| vertices[v as usize]);
        let flat = face_normal(points);
        builder.triangle(std::array::from_fn(|k| {
            let smooth = normals[m.mesh_facenormal[face][k] as usize];
            let normal = if texture.is_none() && dot(smooth, flat) < 0.8 { flat } else { smooth };
            let uv = texture.map_or([0.0; 2], |t| t[m.mesh_facetexcoord[face][k] as usize]);
            Corner { texture: uv, ..Corner::new(points[k], normal) }
        }));
    }
    builder.finish(texture.is_some(), false)
}

/// The convex hull of a mesh, with flat faces; empty when there is none.
pub fn hull(m: &Model, id: usize) -> Mesh {
    let mut builder = Builder::default();
    let Ok(start) = usize::try_from(m.mesh_graphadr[id]) else { return builder.finish(false, false) };
    let (vertices, faces) = (m.mesh_graph[start] as usize, m.mesh_graph[start + 1] as usize);
    let faces = &m.mesh_graph[start + 2 + 3 * vertices + 3 * faces..][..3 * faces];
    let first = m.mesh_vertadr[id] as usize;
    for face in faces.as_chunks::<3>().0 {
        let points = face.map(|v| m.mesh_vert[first + v as usize]);
        let normal = face_normal(points);
        builder.triangle(points.map(|p| Corner::new(p, normal)));
    }
    builder.finish(false, false)
}

/// A height field with its sides and bottom.
pub fn height_field(m: &Model, id: usize) -> Mesh {
    let (rows, columns) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
    let size = m.hfield_size[id].map(|s| s as f32);
    let data = &m.hfield_data[m.hfield_adr[id] as usize..][..rows * columns];
    let along = |i: usize, count: f32, size: f32| size * (i as f32 / count - 1.0);
    let (width, height) = (0.5 * (columns - 1) as f32, 0.5 * (rows - 1) as f32);
    let x = |c: usize| along(c, width, size[0]);
    let y = |r: usize| along(r, height, size[1]);
    let top = |r: usize, c: usize| [x(c), y(r), data[r * columns + c] * size[2]];
    let mut builder = Builder::default();
    for r in 0..rows - 1 {
        for c in 0..columns - 1 {
            let [a, b, d, e] = [top(r + 1, c), top(r, c), top(r + 1, c + 1), top(r, c + 1)];
            for points in [[a, b, d], [b, e, d]] {
                let normal = face_normal(points);
                builder.triangle(points.map(|p| Corner::new(p, normal)));
            }
        }
    }
    let low = |r: usize, c: usize| [x(c), y(r), -size[3]];
    let mut side = |normal: Vec3, from: (usize, usize), to: (usize, usize)| {
        let quad = [low(from.0, from.1), low(to.0, to.1), top(to.0, to.1), top(from.0, from.1)];
        builder.quad(quad.map(|p| Corner::new(p, normal)));
    };
    for r in 0..rows - 1 {
        side([-1.0, 0.0, 0.0], (r + 1, 0), (r, 0));
        side([1.0, 0.0, 0.0], (r, columns - 1), (r + 1, columns - 1));
    }
    for c in 0..columns - 1 {
        side([0.0, -1.0, 0.0], (0, c), (0, c + 1));
        side([0.0, 1.0, 0.0], (rows - 1, c + 1), (rows - 1, c));
    }
    let quads = m.vis.quality.numquads.max(1) as usize;
    let half = 0.5 * quads as f32;
    for r in 0..quads {
        for c in 0..quads {
            let corner = |i: usize, j: usize| {
                let pos = [along(c + i, half, size[0]), along(r + j, half, size[1]), -size[3]];
                Corner::new(pos, [0.0, 0.0, -1.0])
            };
            builder.quad([corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)]);
        }
    }
    builder.finish(false, false)
}
