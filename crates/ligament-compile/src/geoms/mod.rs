//! Geoms: frames, sizes, masses, bounds.

mod bounds;
mod fit;
mod fluid;
mod mass;

pub use fit::MeshShape;

use crate::error::{fail_at, unknown_at};
use crate::frames::{Frames, compiler_of, resolve_orientation};
use crate::index::Index;
use crate::pose::{EPS, Pose, normalize, quat_from_z};
use crate::tree::{CGeom, Tree};
use ligament_math::Vec3;
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::spec::{Compiler, Spec};
use ligament_model::enums::{GeomInertia, GeomType, InertiaFromGeom, ObjType};

/// What geoms are resolved against.
pub struct Surroundings<'a> {
    pub spec: &'a Spec,
    pub frames: &'a Frames,
    /// Shape of each mesh, by id.
    pub meshes: &'a [MeshShape],
    /// Size of each height field, by id.
    pub hfields: &'a [[f64; 4]],
}

/// Finds the mesh, height field and material of every geom; a mesh may lend its material.
pub fn resolve_assets(spec: &Spec, index: &Index, tree: &mut Tree<'_>) -> Result<()> {
    for (id, geom) in tree.geoms.iter_mut().enumerate() {
        let find = |kind: ObjType, label: &str, name: &str| {
            index.get(kind, name).ok_or_else(|| {
                let message = format!("{label} '{name}' not found in geom {id}");
                unknown_at(ObjType::Geom, &geom.spec.meta, message)
            })
        };
        let (mesh, hfield) = (&geom.spec.meshname, &geom.spec.hfieldname);
        let mut material = geom.spec.material.as_str();
        let mut data = -1;
        if !mesh.is_empty() {
            let mesh_id = find(ObjType::Mesh, "mesh", mesh)?;
            if material.is_empty() {
                material = &spec.meshes[mesh_id].material;
            }
            data = mesh_id as i32;
        }
        if !material.is_empty() {
            geom.material = find(ObjType::Material, "material", material)? as i32;
        }
        if !hfield.is_empty() {
            let hfield_id = find(ObjType::Hfield, "hfield", hfield)?;
            if data == -1 {
                data = hfield_id as i32;
            }
        }
        geom.data = data;
    }
    Ok(())
}

/// Resolves all geoms: pose in the body, size, bounds, mass and inertia.
pub fn resolve_geoms(around: &Surroundings<'_>, tree: &mut Tree<'_>) -> Result<()> {
    for id in 0..tree.geoms.len() {
        let body = &tree.bodies[tree.geoms[id].body];
        let compiler = compiler_of(around.spec, &body.spec.meta);
        let group = tree.geoms[id].spec.group;
        let [low, high] = compiler.inertiagrouprange;
        let infers_inertia = tree.geoms[id].body > 0
            && (!body.spec.explicitinertial || compiler.inertiafromgeom == InertiaFromGeom::True)
            && (low..=high).contains(&group);
        let moves = body.weld != 0;
        resolve_geom(around, &mut tree.geoms[id], infers_inertia, moves)?;
    }
    Ok(())
}

pub(crate) fn error(geom: &CGeom<'_>, message: impl Into<String>) -> MjcfError {
    fail_at(ObjType::Geom, &geom.spec.meta, message)
}

fn resolve_geom(
    around: &Surroundings<'_>,
    geom: &mut CGeom<'_>,
    infers_inertia: bool,
    moves: bool,
) -> Result<()> {
    let compiler = compiler_of(around.spec, &geom.spec.meta);
    check_kind(geom, moves)?;
    resolve_frame(geom, compiler)?;
    let mesh = usize::try_from(geom.data).ok().filter(|_| !geom.spec.meshname.is_empty());
    let hfield = usize::try_from(geom.data).ok().filter(|_| mesh.is_none());
    let mesh = mesh.map(|id| &around.meshes[id]);
    let hfield = hfield.map(|id| &around.hfields[id]);
    if let Some(mesh) = mesh {
        fit::place_mesh(geom, mesh, around.spec.compiler().fitaabb)?;
    }
    check_size(geom.kind, geom.size).map_err(|message| error(geom, message))?;
    bounds::set_bounds(geom, mesh, hfield);
    if geom.size.iter().any(|s| s.is_nan()) {
        return Err(error(geom, "nan size in geom"));
    }
    if infers_inertia {
        mass::set_mass(geom, mesh)?;
    }
    if geom.spec.fluid_ellipsoid > 0.0 {
        geom.fluid = fluid::coefficients(geom);
    }
    around.frames.compose(&geom.spec.meta, &mut geom.pose);
    Ok(())
}

fn check_kind(geom: &CGeom<'_>, moves: bool) -> Result<()> {
    let spec = geom.spec;
    let name = &spec.meta.name;
    let is_mesh = matches!(spec.kind, GeomType::Mesh | GeomType::Sdf);
    if spec.kind as i32 > GeomType::Sdf as i32 {
        return Err(error(geom, "invalid type in geom"));
    }
    if ![1, 3, 4, 6].contains(&spec.condim) {
        return Err(error(geom, "invalid condim in geom"));
    }
    if is_mesh && spec.meshname.is_empty() {
        return Err(error(geom, format!("mesh geom '{name}' must have valid meshid")));
    }
    if (spec.kind == GeomType::Hfield) == spec.hfieldname.is_empty() {
        return Err(error(geom, format!("hfield geom '{name}' must have valid hfieldid")));
    }
    if spec.kind == GeomType::Plane && moves {
        return Err(error(geom, "plane only allowed in static bodies"));
    }
    if spec.fromto[0].is_nan() || spec.meshname.is_empty() {
        return Ok(());
    }
    Err(error(geom, "fromto cannot be used with mesh geom"))
}

fn resolve_frame(geom: &mut CGeom<'_>, compiler: &Compiler) -> Result<()> {
    normalize(&mut geom.pose.quat);
    if geom.spec.fromto[0].is_nan() {
        geom.pose.quat = resolve_orientation(geom.pose.quat, geom.spec.alt, compiler)
            .map_err(|problem| error(geom, format!("orientation specification error '{problem}' in geom")))?;
        return Ok(());
    }
    let (pose, size) = from_to(geom.kind, geom.spec.fromto, geom.pose.pos, geom.size)
        .map_err(|message| error(geom, message))?;
    (geom.pose, geom.size) = (pose, size);
    Ok(())
}

/// Pose and size of a shape that reaches from one point to another; its z axis points to the first one.
pub fn from_to(
    kind: GeomType,
    ends: [f64; 6],
    pos: Vec3,
    size: Vec3,
) -> std::result::Result<(Pose, Vec3), &'static str> {
    if !matches!(kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box) {
        return Err("fromto requires capsule, cylinder, box or ellipsoid in geom");
    }
    if pos != [0.0; 3] {
        return Err("both pos and fromto defined in geom");
    }
    let mut direction = [ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]];
    let half_length = normalize(&mut direction) / 2.0;
    if half_length < EPS {
        return Err("fromto points too close in geom");
    }
    let size = match kind {
        GeomType::Ellipsoid | GeomType::Box => [size[0], size[0], half_length],
        _ => [size[0], half_length, size[2]],
    };
    let middle = [(ends[0] + ends[3]) / 2.0, (ends[1] + ends[4]) / 2.0, (ends[2] + ends[5]) / 2.0];
    Ok((Pose::new(middle, quat_from_z(direction)), size))
}

/// Numbers of `size` that a shape needs.
pub fn size_count(kind: GeomType) -> usize {
    match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Plane | GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    }
}

/// Sizes must be positive; of a plane only the grid spacing, as it may be infinite.
pub fn check_size(kind: GeomType, size: Vec3) -> std::result::Result<(), String> {
    if kind == GeomType::Plane {
        return if size[2] <= 0.0 { Err("plane size(3) must be positive".into()) } else { Ok(()) };
    }
    match size[..size_count(kind)].iter().position(|&s| s <= 0.0) {
        Some(i) => Err(format!("size {i} must be positive in geom")),
        None => Ok(()),
    }
}

/// Shells of meshes are a matter of the mesh.
fn check_shell(geom: &CGeom<'_>) -> Result<()> {
    if geom.spec.typeinertia == GeomInertia::Shell {
        return Err(error(geom, "for mesh geoms, inertia should be specified in the mesh asset"));
    }
    Ok(())
}
