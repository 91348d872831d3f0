//! From raw data to the compiled mesh: hull, normals, sides, mass, alignment, trees.

use super::load::RawMesh;
use super::{CompiledMesh, Needs, error, normals};
use crate::labels::label;
use crate::pose::{Pose, eigen_decomposition, normalize};
use ligament_geom::bvh::{Bvh, Leaf};
use ligament_geom::hull::{Effort, Hull, HullError};
use ligament_geom::mesh_distance::MeshDistance;
use ligament_geom::mesh_mass::{Filling, face_centroid, inertia, triangle, volume_and_com};
use ligament_geom::octree::{Octree, OctreeError};
use ligament_geom::polygon::Polygons;
use ligament_math::{MINVAL, Vec3, mat3, quat, vec3};
use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
use ligament_mjcf::spec::Mesh;
use ligament_model::enums::{MeshInertia, ObjType};

pub fn process(
    mesh: &Mesh,
    mut raw: RawMesh,
    needs: Needs,
    path: String,
    effort: &Effort,
) -> Result<CompiledMesh> {
    let mode = raw.inertia.unwrap_or(mesh.inertia);
    if mode == MeshInertia::Exact {
        check_orientation(mesh, &raw)?;
    }
    let hull = make_hull(mesh, &mut raw, needs, mode, effort)?;
    let mut normal = complete_normals(mesh, &mut raw)?;
    if raw.facetexcoord.is_empty() && !raw.texcoord.is_empty() {
        raw.facetexcoord = raw.face.as_flattened().to_vec();
    }
    let polygons = Polygons::build(&raw.vert, hull.as_ref().map_or(&raw.face, |hull| &hull.faces));
    apply_reference(mesh, &mut raw.vert, &mut normal);

    let matter = match (&hull, mode) {
        (Some(hull), MeshInertia::Convex) => &hull.faces,
        _ => &raw.face,
    };
    let mut mass = mass_properties(mesh, &raw.vert, &raw.face, matter, mode)?;
    if raw.is_sampled {
        mass.pose = Pose::IDENTITY;
    }
    let aamm = align(&mut raw.vert, &mut normal, mass.pose);
    let polygon_normals = polygons.normals(&raw.vert);
    let bvh = face_tree(&raw.vert, &raw.face);
    let octree = if needs.sdf && !raw.is_sampled {
        distance_samples(mesh, &raw, &aamm, effort)?
    } else {
        Octree::default()
    };
    Ok(CompiledMesh {
        path,
        scale: mesh.scale,
        pose: mass.pose,
        normal,
        texcoord: raw.texcoord.chunks_exact(2).map(|t| [t[0], t[1]]).collect(),
        facenormal: triples(&raw.facenormal),
        facetexcoord: if raw.texcoord.is_empty() { Vec::new() } else { triples(&raw.facetexcoord) },
        vert: raw.vert,
        face: raw.face,
        graph: hull.map_or(Vec::new(), |hull| hull.graph()),
        polygons,
        polygon_normals,
        volume: mass.volume,
        inertia_box: mass.inertia_box,
        aamm,
        bvh,
        octree,
    })
}

fn triples(flat: &[i32]) -> Vec<[i32; 3]> {
    flat.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect()
}

/// No directed edge may appear twice. Faces too small to have a direction are not looked at.
fn check_orientation(mesh: &Mesh, raw: &RawMesh) -> Result<()> {
    let mut edges: Vec<(i32, i32)> = Vec::with_capacity(3 * raw.face.len());
    for &[a, b, c] in &raw.face {
        let [p, q, r] = [a, b, c].map(|v| raw.vert[v as usize]);
        if triangle(&p, &q, &r).area > MINVAL.sqrt() {
            edges.extend([(a, b), (b, c), (c, a)]);
        }
    }
    edges.sort_unstable();
    match edges.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(error(
            mesh,
            format!(
                "faces of mesh '{}' have inconsistent orientation. Please check the faces containing the vertices {} and {}.",
                mesh.meta.name,
                pair[0].0 + 1,
                pair[0].1 + 1
            ),
        )),
    }
}

/// The hull, when it is needed; a mesh without faces takes them from it.
fn make_hull(
    mesh: &Mesh,
    raw: &mut RawMesh,
    needs: Needs,
    mode: MeshInertia,
    effort: &Effort,
) -> Result<Option<Hull>> {
    if !needs.hull && !raw.face.is_empty() && mode != MeshInertia::Convex {
        return Ok(None);
    }
    let limit = usize::try_from(mesh.maxhullvert).ok();
    let hull = Hull::build(&raw.vert, limit, effort).map_err(|why| no_hull(mesh, why))?;
    if raw.face.is_empty() {
        raw.face.clone_from(&hull.faces);
    }
    Ok(Some(hull))
}

fn no_hull(mesh: &Mesh, why: HullError) -> MjcfError {
    let name = &mesh.meta.name;
    match why {
        HullError::TooFewPoints | HullError::Flat => {
            error(mesh, format!("qhull error: the vertices of mesh '{name}' are flat"))
        }
        HullError::TooLong => {
            let message = format!("the convex hull of mesh '{name}' takes too long");
            let diagnostic = Diagnostic::new(message).at(label(ObjType::Mesh), &mesh.meta);
            MjcfError::Compile(diagnostic.help("set maxhullvert, or use fewer vertices in one plane"))
        }
    }
}

/// Normals and their indices, made where they are missing.
fn complete_normals(mesh: &Mesh, raw: &mut RawMesh) -> Result<Vec<[f32; 3]>> {
    let normal = if raw.normal.is_empty() {
        raw.facenormal = raw.face.as_flattened().to_vec();
        normals::make(&raw.vert, &raw.face, mesh.smoothnormal)
    } else {
        raw.normal.chunks_exact(3).map(|n| [n[0], n[1], n[2]]).collect()
    };
    if !raw.facenormal.is_empty() && raw.facenormal.len() != 3 * raw.face.len() {
        return Err(error(mesh, "face data must have the same size as face normal data"));
    }
    if raw.facenormal.is_empty() {
        let per_vertex = (normal.len() / raw.vert.len()) as i32;
        raw.facenormal = raw.face.as_flattened().iter().map(|v| per_vertex * v).collect();
    }
    Ok(normal)
}

/// Undoes the reference frame of the mesh and scales it.
fn apply_reference(mesh: &Mesh, vert: &mut [Vec3], normal: &mut [[f32; 3]]) {
    if mesh.refpos != [0.0; 3] {
        for v in vert.iter_mut() {
            *v = vec3::sub(*v, mesh.refpos);
        }
    }
    let mut orientation = mesh.refquat;
    if orientation != quat::IDENTITY {
        normalize(&mut orientation);
        let matrix = quat::to_mat(orientation);
        for v in vert.iter_mut() {
            *v = mat3::mul_vec_t(&matrix, *v);
        }
    }
    if mesh.scale != [1.0; 3] {
        for v in vert.iter_mut() {
            *v = [v[0] * mesh.scale[0], v[1] * mesh.scale[1], v[2] * mesh.scale[2]];
        }
    }
    normals::transform(normal, orientation, mesh.scale);
}

struct MassProperties {
    pose: Pose,
    volume: f64,
    inertia_box: Vec3,
}

/// Centre of mass, principal axes, volume, and the box with the same inertia. `matter` are the faces that
/// bound the matter: those of the mesh or of its hull.
fn mass_properties(
    mesh: &Mesh,
    vert: &[Vec3],
    faces: &[[i32; 3]],
    matter: &[[i32; 3]],
    mode: MeshInertia,
) -> Result<MassProperties> {
    let name = &mesh.meta.name;
    let filling = match mode {
        MeshInertia::Exact | MeshInertia::Convex => Filling::Exact,
        MeshInertia::Legacy => Filling::Legacy,
        MeshInertia::Shell => Filling::Shell,
    };
    let (center, area) = face_centroid(vert, faces);
    if !(area >= MINVAL) {
        return Err(error(mesh, format!("mesh surface area is too small: {name}")));
    }
    let (volume, com) = volume_and_com(vert, matter, center, filling);
    if !(volume >= MINVAL) {
        return Err(error(
            mesh,
            match (filling, volume < 0.0) {
                (Filling::Shell, _) => format!("mesh surface area is too small: {name}"),
                (_, true) => format!("mesh volume is negative (misoriented triangles): {name}"),
                (_, false) => format!("mesh volume is too small: {name} . Try setting inertia to shell"),
            },
        ));
    }
    let (full, volume) = inertia(vert, matter, com, filling);
    let (moments, axes) = eigen_decomposition(&full);
    check_moments(mesh, moments)?;
    let [a, b, c] = moments;
    let half = |sum: f64| 0.5 * (6.0 * sum / volume).sqrt();
    let inertia_box = [half(b + c - a), half(a + c - b), half(a + b - c)];
    Ok(MassProperties { pose: Pose::new(com, axes), volume, inertia_box })
}

fn check_moments(mesh: &Mesh, [a, b, c]: Vec3) -> Result<()> {
    const ABSOLUTE: f64 = 1e-9;
    const RELATIVE: f64 = 1e-6;
    let name = &mesh.meta.name;
    if !(c > 0.0) {
        return Err(error(mesh, format!("eigenvalue of mesh inertia must be positive: {name}")));
    }
    let violated = |x: f64, y: f64, z: f64| x + y < z * (1.0 - RELATIVE) - ABSOLUTE;
    if violated(a, b, c) || violated(a, c, b) || violated(b, c, a) {
        return Err(error(mesh, format!("eigenvalues of mesh inertia violate A + B >= C: {name}")));
    }
    Ok(())
}

/// Moves the centre of mass to the origin and the principal axes to the coordinate axes; returns the bounds.
fn align(vert: &mut [Vec3], normal: &mut [[f32; 3]], pose: Pose) -> [f64; 6] {
    let matrix = quat::to_mat(quat::conj(pose.quat));
    let mut bounds = [1e10, 1e10, 1e10, -1e10, -1e10, -1e10];
    for v in vert {
        *v = mat3::mul_vec(&matrix, vec3::sub(*v, pose.pos));
        for k in 0..3 {
            bounds[k] = f64::min(bounds[k], v[k]);
            bounds[k + 3] = f64::max(bounds[k + 3], v[k]);
        }
    }
    normals::rotate(normal, &matrix);
    bounds
}

/// Tree over the faces, split at their circumcentres.
fn face_tree(vert: &[Vec3], faces: &[[i32; 3]]) -> Bvh {
    let leaves = faces.iter().enumerate().map(|(id, face)| {
        let corners = face.map(|v| vert[v as usize]);
        let [a, b, c] = corners;
        let low: Vec3 = std::array::from_fn(|k| a[k].min(b[k]).min(c[k]));
        let high: Vec3 = std::array::from_fn(|k| a[k].max(b[k]).max(c[k]));
        let aabb = std::array::from_fn(|k| {
            if k < 3 { 0.5 * (low[k] + high[k]) } else { 0.5 * (high[k - 3] - low[k - 3]) }
        });
        Leaf { id: id as i32, pos: circumcenter(&corners), quat: None, aabb }
    });
    Bvh::build(leaves, [0.0; 3], quat::IDENTITY)
}

/// Not a number for a degenerate triangle.
fn circumcenter([p, q, r]: &[Vec3; 3]) -> Vec3 {
    let (a, b) = (vec3::sub(*p, *r), vec3::sub(*q, *r));
    let normal = vec3::cross(a, b);
    let (aa, bb) = (vec3::dot(a, a), vec3::dot(b, b));
    let area = vec3::norm(normal);
    let mixed = std::array::from_fn(|k| aa * b[k] - bb * a[k]);
    let offset = vec3::cross(mixed, normal);
    std::array::from_fn(|k| offset[k] / (2.0 * area * area) + r[k])
}

fn distance_samples(mesh: &Mesh, raw: &RawMesh, aamm: &[f64; 6], effort: &Effort) -> Result<Octree> {
    let failed = |why| match why {
        OctreeError::Unbalanced => error(mesh, "sdf coefficient computation failed"),
        OctreeError::TooLong => {
            error(mesh, "sdf coefficient computation takes too long: use fewer triangles, or fewer meshes")
        }
    };
    let mut octree = Octree::build(&raw.vert, &raw.face, aamm, effort).map_err(failed)?;
    let distance = MeshDistance::new(&raw.vert, &raw.face).ok_or_else(|| failed(OctreeError::Unbalanced))?;
    octree.sample(&distance, effort).map_err(failed)?;
    Ok(octree)
}
