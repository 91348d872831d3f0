//! Meshes sampled from the distance field of a plugin.

use super::error;
use super::load::RawMesh;
use crate::plugins::{Plugins, leading_number};
use ligament_geom::marching_cubes::{Grid, surface};
use ligament_geom::sdf::SignedDistance;
use ligament_geom::sdf_shapes::SdfShape;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Mesh;

/// Samples along three edges of the bounding box together.
const RESOLUTION: f64 = 300.0;

/// The surface of the plugin's shape. It is rounded to single precision, as coordinates from files are.
pub fn sample(mesh: &Mesh, plugins: &Plugins) -> Result<RawMesh> {
    if mesh.scale != [1.0; 3] {
        let name = &mesh.meta.name;
        return Err(error(mesh, format!("attribute scale is not compatible with SDFs in mesh '{name}'")));
    }
    let shape = shape(mesh, plugins)?;
    let half = shape.half_extents();
    if !half.iter().all(|h| h.is_finite() && *h > 0.0) {
        return Err(error(mesh, "the shape of the plugin has no extent"));
    }
    let total = half[0] + half[1] + half[2];
    let size = half.map(|h| (RESOLUTION / total * h).floor() as usize + 1);
    let place = |axis: usize, i: f64| 2.0 * half[axis] * i / (size[axis] as f64 - 1.0);
    let mut values = Vec::with_capacity(size[0] * size[1] * size[2]);
    for k in 0..size[2] {
        for j in 0..size[1] {
            for i in 0..size[0] {
                let index = [i, j, k];
                let point = std::array::from_fn(|axis| -half[axis] + place(axis, index[axis] as f64));
                values.push(shape.distance(point) as f32);
            }
        }
    }
    let surface = surface(&Grid { values: &values, size });
    let vert = surface.vertices.iter().map(|v| {
        std::array::from_fn(|axis| f64::from((place(axis, f64::from(v[axis])) - half[axis]) as f32))
    });
    Ok(RawMesh {
        vert: vert.collect(),
        normal: surface.normals.as_flattened().to_vec(),
        face: surface.faces,
        is_sampled: true,
        ..RawMesh::default()
    })
}

fn shape(mesh: &Mesh, plugins: &Plugins) -> Result<SdfShape> {
    let instance = plugins.instance(mesh.plugin.as_ref()).map(|id| &plugins.instances[id]);
    let shape = instance.and_then(|instance| {
        let kind = instance.kind();
        SdfShape::from_plugin(kind.name, |n| match instance.setting(kind.attributes.get(n)?) {
            "" => None,
            text => Some(leading_number(text)),
        })
    });
    shape.ok_or_else(|| error(mesh, "plugin does not support signed distance fields"))
}
