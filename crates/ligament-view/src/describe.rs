//! What the page must know about a model: names and ranges for its panels, surfaces and textures to draw.

use crate::message::Message;
use ligament_model::Model;
use ligament_model::enums::{ColorSpace, GeomType, JointType, ObjType, TextureRole};
use ligament_render::{Mesh, height_field, hull, mesh};
use serde_json::{Value, json};

/// Names of all elements of a kind; empty where there is none.
fn names(m: &Model, kind: ObjType, count: usize) -> Vec<&str> {
    (0..count).map(|i| m.name(kind, i).unwrap_or_default()).collect()
}

/// The description of a model.
pub fn describe(m: &Model, name: &str, passive: bool) -> Vec<u8> {
    let mut message = Message::default();
    let vis = &m.vis;
    let head = json!({
        "kind": "model",
        "name": name,
        "passive": passive,
        "timestep": m.opt.timestep,
        "sizes": { "nq": m.nq, "nv": m.nv, "nu": m.nu, "nbody": m.nbody, "ngeom": m.ngeom },
        "bodies": bodies(m),
        "joints": joints(m),
        "actuators": actuators(m),
        "sensors": sensors(m),
        "cameras": names(m, ObjType::Camera, m.ncam),
        "keys": names(m, ObjType::Key, m.nkey),
        "tree": tree(m),
        "extent": m.stat.extent,
        "center": m.stat.center,
        "fog": { "start": vis.map.fogstart, "end": vis.map.fogend, "rgba": vis.rgba.fog },
        "haze": { "share": vis.map.haze, "rgba": vis.rgba.haze },
        "shadow": { "clip": vis.map.shadowclip, "scale": vis.map.shadowscale, "size": vis.quality.shadowsize },
        "linewidth": vis.global.linewidth,
        "quality": { "slices": vis.quality.numslices, "stacks": vis.quality.numstacks },
        "materials": materials(m),
        "textures": textures(m, &mut message),
        "meshes": meshes(m, &mut message),
        "hfields": (0..m.nhfield).map(|i| surface(&height_field(m, i), &mut message)).collect::<Vec<_>>(),
        "skins": skins(m, &mut message),
        "flexes": flexes(m, &mut message),
    });
    message.finish(&head)
}

fn bodies(m: &Model) -> Vec<Value> {
    (0..m.nbody)
        .map(|i| {
            json!({ "name": m.name(ObjType::Body, i).unwrap_or_default(), "parent": m.body_parentid[i],
                    "mass": m.body_mass[i] })
        })
        .collect()
}

/// What belongs to each body, beside its joints: for the tree of the model.
fn tree(m: &Model) -> Value {
    let of = |kind: ObjType, owners: &[i32]| -> Vec<Value> {
        owners
            .iter()
            .enumerate()
            .map(|(i, &body)| json!([body, m.name(kind, i).unwrap_or_default()]))
            .collect()
    };
    let kinds: Vec<i32> = m.geom_type.to_vec();
    json!({
        "geoms": of(ObjType::Geom, &m.geom_bodyid),
        "geomtypes": kinds,
        "sites": of(ObjType::Site, &m.site_bodyid),
        "cameras": of(ObjType::Camera, &m.cam_bodyid),
        "lights": of(ObjType::Light, &m.light_bodyid),
    })
}

fn joints(m: &Model) -> Vec<Value> {
    (0..m.njnt)
        .map(|i| {
            let kind = JointType::try_from(m.jnt_type[i]).ok();
            let single = matches!(kind, Some(JointType::Hinge | JointType::Slide));
            json!({
                "name": m.name(ObjType::Joint, i).unwrap_or_default(),
                "body": m.jnt_bodyid[i],
                "type": m.jnt_type[i],
                "qpos": m.jnt_qposadr[i],
                "slider": single,
                "angle": kind == Some(JointType::Hinge),
                "group": m.jnt_group[i],
                "range": (m.jnt_limited[i] != 0).then_some(m.jnt_range[i]),
            })
        })
        .collect()
}

fn actuators(m: &Model) -> Vec<Value> {
    (0..m.nu)
        .map(|i| {
            json!({
                "name": m.name(ObjType::Actuator, i).unwrap_or_default(),
                "group": m.actuator_group[i],
                "range": (m.actuator_ctrllimited[i] != 0).then_some(m.actuator_ctrlrange[i]),
            })
        })
        .collect()
}

fn sensors(m: &Model) -> Vec<Value> {
    (0..m.nsensor)
        .map(|i| {
            json!({
                "name": m.name(ObjType::Sensor, i).unwrap_or_default(),
                "type": m.sensor_type[i],
                "adr": m.sensor_adr[i],
                "dim": m.sensor_dim[i],
            })
        })
        .collect()
}

fn materials(m: &Model) -> Vec<Value> {
    (0..m.nmat)
        .map(|i| {
            json!({
                "texture": m.mat_texid[i][TextureRole::Rgb as usize],
                "uniform": m.mat_texuniform[i] != 0,
                "repeat": m.mat_texrepeat[i],
            })
        })
        .collect()
}

fn textures(m: &Model, message: &mut Message) -> Vec<Value> {
    (0..m.ntex)
        .map(|i| {
            let (width, height, channels) =
                (m.tex_width[i] as usize, m.tex_height[i] as usize, m.tex_nchannel[i] as usize);
            let start = m.tex_adr[i] as usize;
            json!({
                "type": m.tex_type[i],
                "width": width,
                "height": height,
                "channels": channels,
                "srgb": m.tex_colorspace[i] == ColorSpace::Srgb as i32,
                "data": message.bytes(m.tex_data[start..start + width * height * channels].to_vec()),
            })
        })
        .collect()
}

fn surface(mesh: &Mesh, message: &mut Message) -> Value {
    json!({
        "positions": message.floats(mesh.positions.as_flattened().iter().copied()),
        "normals": message.floats(mesh.normals.as_flattened().iter().copied()),
        "texture": (!mesh.texture.is_empty()).then(|| message.floats(mesh.texture.as_flattened().iter().copied())),
        "triangles": message.integers(mesh.triangles.as_flattened().iter().copied()),
    })
}

/// Meshes at even places, their hulls at odd ones; those that no geom shows are left out.
fn meshes(m: &Model, message: &mut Message) -> Vec<Value> {
    let is_mesh = |kind: i32| kind == GeomType::Mesh as i32 || kind == GeomType::Sdf as i32;
    let shown = |id: usize| (0..m.ngeom).any(|g| is_mesh(m.geom_type[g]) && m.geom_dataid[g] == id as i32);
    (0..m.nmesh)
        .flat_map(|i| {
            if !shown(i) {
                return [Value::Null, Value::Null];
            }
            let convex = (m.mesh_graphadr[i] >= 0).then(|| surface(&hull(m, i), message));
            [surface(&mesh(m, i), message), convex.unwrap_or(Value::Null)]
        })
        .collect()
}

fn skins(m: &Model, message: &mut Message) -> Vec<Value> {
    (0..m.nskin)
        .map(|i| {
            let (first, count) = (m.skin_faceadr[i] as usize, m.skin_facenum[i] as usize);
            let vertices = m.skin_vertnum[i] as usize;
            let texture = usize::try_from(m.skin_texcoordadr[i]).ok();
            json!({
                "first": m.skin_vertadr[i],
                "count": vertices,
                "triangles": message.integers(m.skin_face[first..first + count].as_flattened().iter().map(|&v| v as u32)),
                "texture": texture.map(|t| message.floats(m.skin_texcoord[t..t + vertices].as_flattened().iter().copied())),
            })
        })
        .collect()
}

fn flexes(m: &Model, message: &mut Message) -> Vec<Value> {
    (0..m.nflex)
        .map(|i| {
            let (first, count) = (m.flex_edgeadr[i] as usize, m.flex_edgenum[i] as usize);
            json!({
                "dim": m.flex_dim[i],
                "first": m.flex_vertadr[i],
                "count": m.flex_vertnum[i],
                "edges": message.integers(m.flex_edge[first..first + count].as_flattened().iter().map(|&v| v as u32)),
            })
        })
        .collect()
}
