//! The tactile sensor: pressure and sliding speed at the vertices of a mesh pressed into other geoms.

use crate::sdf::with_field;
use crate::support::body_of_geom;
use ligament_math::{MINVAL, Vec3, mat3, quat, spatial, vec3};
use ligament_model::{Data, Model};

/// Depth at which the pressure of a vertex diverges.
const MAX_DEPTH: f64 = 0.05;

pub fn evaluate(m: &Model, d: &Data, sensor: usize, touching: &mut Vec<usize>, out: &mut [f64]) {
    let mesh = m.sensor_objid[sensor] as usize;
    let geom = m.sensor_refid[sensor] as usize;
    let nvert = m.mesh_vertnum[mesh] as usize;
    out.fill(0.0);
    find_touching(m, d, geom, touching);
    for &other in touching.iter() {
        with_field(m, d, other, |field| {
            for vertex in 0..nvert {
                let position = m.mesh_vert[m.mesh_vertadr[mesh] as usize + vertex].map(f64::from);
                let world = vec3::add(mat3::mul_vec(&d.geom_xmat[geom], position), d.geom_xpos[geom]);
                let depth = field.distance(field_point(m, d, other, world)).min(0.0);
                if depth != 0.0 {
                    let values = reading(m, mesh, vertex, depth, relative_velocity(m, d, geom, other, world));
                    for (channel, value) in out.chunks_exact_mut(nvert).zip(values) {
                        channel[vertex] = value;
                    }
                }
            }
        });
    }
}

/// A world point in the frame of a geom's distance field: that of the geom, or for plugin shapes that of the
/// mesh before it was centred.
fn field_point(m: &Model, d: &Data, geom: usize, world: Vec3) -> Vec3 {
    let local = mat3::mul_vec_t(&d.geom_xmat[geom], vec3::sub(world, d.geom_xpos[geom]));
    match usize::try_from(m.geom_dataid[geom]) {
        Ok(mesh) if m.geom_plugin[geom] >= 0 => {
            vec3::add(mat3::mul_vec(&quat::to_mat(m.mesh_quat[mesh]), local), m.mesh_pos[mesh])
        }
        _ => local,
    }
}

/// Geoms in contact with anything welded to the sensor's geom, each once.
fn find_touching(m: &Model, d: &Data, geom: usize, touching: &mut Vec<usize>) {
    let weld_of = |g: i32| usize::try_from(body_of_geom(m, g)).map_or(-1, |body| m.body_weldid[body]);
    let own = m.body_weldid[m.geom_bodyid[geom] as usize];
    touching.clear();
    for contact in &d.contact {
        for (side, other) in [(0, 1), (1, 0)] {
            if let Ok(candidate) = usize::try_from(contact.geom[other])
                && candidate < m.ngeom
                && weld_of(contact.geom[side]) == own
                && !touching.contains(&candidate)
            {
                touching.push(candidate);
            }
        }
    }
}

/// Velocity of a point of the sensor relative to the centre of the other geom.
fn relative_velocity(m: &Model, d: &Data, geom: usize, other: usize, point: Vec3) -> Vec3 {
    let velocity = |body: usize, at: Vec3| {
        let center = d.subtree_com[m.body_rootid[body] as usize];
        spatial::lin(&spatial::shift_motion(&d.cvel[body], at, center))
    };
    let own = m.body_weldid[m.geom_bodyid[geom] as usize] as usize;
    let theirs = m.geom_bodyid[other] as usize;
    vec3::sub(velocity(own, point), velocity(theirs, d.geom_xpos[other]))
}

/// Normal pressure and the two sliding speeds of one vertex. Its normals come in threes: normal and tangents.
fn reading(m: &Model, mesh: usize, vertex: usize, depth: f64, velocity: Vec3) -> [f64; 3] {
    let first = m.mesh_normaladr[mesh] as usize + 3 * vertex;
    let axis = |k: usize| {
        // 3.5.0 reads beyond the array when a mesh has fewer normals
        let axis = m.mesh_normal.get(first + k).map_or([0.0; 3], |axis| axis.map(f64::from));
        quat::rotate(m.mesh_quat[mesh], axis)
    };
    let normal = axis(0);
    let pressure = depth / (MAX_DEPTH - depth).max(MINVAL);
    [
        vec3::dot(vec3::scale(normal, pressure), normal),
        vec3::dot(velocity, axis(1)).abs(),
        vec3::dot(velocity, axis(2)).abs(),
    ]
}
