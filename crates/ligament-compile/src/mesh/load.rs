//! The raw mesh: a file, numbers in the text, or a builtin shape.

use super::{builtin, error, plugin};
use crate::named_files;
use crate::plugins::Plugins;
use ligament_mjcf::asset_paths::AssetKind;
use ligament_mjcf::assets::Assets;
use ligament_mjcf::diag::Result;
use ligament_mjcf::formats::content_type::content_type;
use ligament_mjcf::formats::{MeshFile, msh, obj, stl};
use ligament_mjcf::spec::{Mesh, Spec};
use ligament_model::enums::{MeshBuiltin, MeshInertia};

/// A mesh before anything was computed.
#[derive(Debug, Clone, Default)]
pub struct RawMesh {
    pub vert: Vec<[f64; 3]>,
    pub normal: Vec<f32>,
    pub texcoord: Vec<f32>,
    pub face: Vec<[i32; 3]>,
    pub facenormal: Vec<i32>,
    pub facetexcoord: Vec<i32>,
    /// Fixed by a builtin shape.
    pub inertia: Option<MeshInertia>,
    /// Sampled from the field of a plugin: neither moved nor turned, since the field stays where it is.
    pub is_sampled: bool,
    pub is_obj: bool,
}

/// Finds and checks the data of a mesh.
pub fn load(spec: &Spec, mesh: &Mesh, plugins: &Plugins, assets: &dyn Assets) -> Result<RawMesh> {
    let raw = if mesh.builtin != MeshBuiltin::None {
        from_builtin(mesh)?
    } else if !mesh.file.is_empty() {
        from_file(spec, mesh, assets)?
    } else if mesh.plugin.is_some() {
        plugin::sample(mesh, plugins)?
    } else {
        from_text(mesh)?
    };
    check(mesh, &raw)?;
    Ok(raw)
}

/// Vertices in groups of three, finite, in double precision.
fn vertices(mesh: &Mesh, flat: &[f32]) -> Result<Vec<[f64; 3]>> {
    if !flat.len().is_multiple_of(3) {
        return Err(error(mesh, "vertex data must be a multiple of 3"));
    }
    let mut vert = Vec::with_capacity(flat.len() / 3);
    for (i, v) in flat.chunks_exact(3).enumerate() {
        if v.iter().any(|x| !x.is_finite()) {
            return Err(error(mesh, format!("vertex coordinate {i} is not finite")));
        }
        vert.push([f64::from(v[0]), f64::from(v[1]), f64::from(v[2])]);
    }
    Ok(vert)
}

fn faces(mesh: &Mesh, flat: &[i32]) -> Result<Vec<[i32; 3]>> {
    if !flat.len().is_multiple_of(3) {
        return Err(error(mesh, "face data must be a multiple of 3"));
    }
    Ok(flat.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect())
}

fn from_text(mesh: &Mesh) -> Result<RawMesh> {
    Ok(RawMesh {
        vert: vertices(mesh, &mesh.uservert)?,
        normal: mesh.usernormal.clone(),
        texcoord: mesh.usertexcoord.clone(),
        face: faces(mesh, &mesh.userface)?,
        facenormal: Vec::new(),
        facetexcoord: mesh.userfacetexcoord.clone(),
        ..RawMesh::default()
    })
}

fn from_builtin(mesh: &Mesh) -> Result<RawMesh> {
    if !mesh.file.is_empty() {
        return Err(error(mesh, "builtin cannot be used with a mesh file"));
    }
    if !mesh.uservert.is_empty() {
        return Err(error(mesh, "builtin mesh cannot be used with user vertex data"));
    }
    let shape = builtin::make(mesh.builtin, &mesh.params).map_err(|message| error(mesh, message))?;
    let mut raw = from_text(&Mesh { uservert: shape.vert, ..mesh.clone() })?;
    if !shape.face.is_empty() {
        raw.face = shape.face;
    }
    if !shape.normal.is_empty() {
        raw.normal = shape.normal;
    }
    raw.inertia = shape.inertia;
    Ok(raw)
}

fn from_file(spec: &Spec, mesh: &Mesh, assets: &dyn Assets) -> Result<RawMesh> {
    let file = named_files::read(
        assets,
        named_files::compiler(spec, &mesh.meta),
        AssetKind::Mesh,
        &mesh.file,
        &mesh.filedir,
    )?;
    let kind = content_type(&file.name, &mesh.content_type);
    if kind.is_empty() && !mesh.content_type.is_empty() {
        return Err(error(mesh, format!("invalid content type: '{}'", mesh.content_type)));
    }
    let mirrored = !(mesh.scale[0] * mesh.scale[1] * mesh.scale[2] > 0.0);
    let mut decoded = match kind.as_str() {
        "model/stl" => stl::decode(&file.name, &file.bytes)?,
        "model/obj" => obj::decode(&file.name, &file.bytes, mirrored)?,
        "model/vnd.mujoco.msh" => msh::decode(&file.name, &file.bytes)?,
        "" => return Err(error(mesh, format!("unknown or unsupported mesh file: '{}'", file.name))),
        other => return Err(error(mesh, format!("unsupported mesh type: '{other}'"))),
    };
    if mirrored && kind != "model/obj" {
        decoded.flip_faces();
    }
    complete(mesh, decoded, kind == "model/obj")
}

/// Adds what the text says and the file does not; both at once are an error.
fn complete(mesh: &Mesh, file: MeshFile, is_obj: bool) -> Result<RawMesh> {
    let repeated = |what: &str| Err(error(mesh, format!("repeated {what} specification")));
    let MeshFile { vert, mut normal, mut texcoord, mut face, mut facenormal, mut facetexcoord } = file;
    if !normal.is_empty() && !mesh.usernormal.is_empty() {
        return repeated("normal");
    }
    if !texcoord.is_empty() && !mesh.usertexcoord.is_empty() {
        return repeated("texcoord");
    }
    if !face.is_empty() && !mesh.userface.is_empty() {
        return repeated("face");
    }
    if !vert.is_empty() && !mesh.uservert.is_empty() {
        return repeated("vertex");
    }
    if !facenormal.is_empty() && !mesh.usernormal.is_empty() {
        return repeated("facenormal");
    }
    if !facetexcoord.is_empty() && !mesh.userfacetexcoord.is_empty() {
        return repeated("facetexcoord");
    }
    let vert = vertices(mesh, if vert.is_empty() { &mesh.uservert } else { vert.as_flattened() })?;
    if normal.is_empty() {
        normal.clone_from(&mesh.usernormal);
    }
    if texcoord.is_empty() {
        texcoord.clone_from(&mesh.usertexcoord);
    }
    if face.is_empty() {
        face = faces(mesh, &mesh.userface)?;
    }
    if facenormal.is_empty() {
        facenormal.clone_from(&mesh.userfacenormal);
    }
    if facetexcoord.is_empty() {
        facetexcoord.clone_from(&mesh.userfacetexcoord);
    }
    Ok(RawMesh {
        vert,
        normal,
        texcoord,
        face,
        facenormal,
        facetexcoord,
        inertia: None,
        is_sampled: false,
        is_obj,
    })
}

fn check(mesh: &Mesh, raw: &RawMesh) -> Result<()> {
    let nvert = raw.vert.len();
    if nvert < 4 {
        return Err(error(mesh, "at least 4 vertices required"));
    }
    if !raw.normal.len().is_multiple_of(3) {
        return Err(error(mesh, "normal data must be a multiple of 3"));
    }
    if !raw.texcoord.len().is_multiple_of(2) {
        return Err(error(mesh, "texcoord must be a multiple of 2"));
    }
    let per_vertex = raw.texcoord.is_empty() || raw.texcoord.len() == 2 * nvert;
    if !per_vertex && raw.facetexcoord.is_empty() && !raw.is_obj {
        return Err(error(
            mesh,
            "texcoord must be 2*nv if face texcoord indices are not provided in an OBJ file",
        ));
    }
    for (i, face) in raw.face.iter().enumerate() {
        if let Some(v) = face.iter().find(|v| usize::try_from(**v).map_or(true, |v| v >= nvert)) {
            return Err(error(mesh, format!("in face {i}, vertex index {v} does not exist")));
        }
    }
    Ok(())
}
