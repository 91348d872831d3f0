//! One picture's worth of a scene, as the page gets it.

use crate::message::Message;
use crate::session::Session;
use ligament_model::enums::{DisableBit, VisFlag, Warning};
use ligament_model::{Data, Model};
use ligament_scene::{Geom, Light, Scene, average_camera};
use serde_json::{Value, json};

/// Words of a geom in a frame; `viewer/src/protocol.ts` has the same order.
const GEOM_WORDS: usize = 32;
/// Words of a light in a frame.
const LIGHT_WORDS: usize = 32;

/// Bad numbers, what they are and where they stand.
const BAD_NUMBERS: [(Warning, &str, &str); 3] = [
    (Warning::Badqpos, "position", "qpos"),
    (Warning::Badqvel, "velocity", "qvel"),
    (Warning::Badqacc, "acceleration", "qacc"),
];

/// A frame: the scene of the session as it is now.
pub fn frame(session: &Session, m: &Model, d: &Data) -> Vec<u8> {
    let scene = &session.scene;
    let mut message = Message::default();
    let geoms: Vec<&Geom> = scene.geoms().iter().chain(&session.user_geoms).collect();
    let labels: Vec<Value> = geoms
        .iter()
        .enumerate()
        .filter(|(_, g)| !g.label.is_empty())
        .map(|(i, g)| json!([i, g.label.to_string()]))
        .collect();
    let option = &session.option;
    let single = |x: &[f64]| x.iter().map(|&v| v as f32).collect::<Vec<_>>();
    let head = json!({
        "kind": "frame",
        "time": d.time,
        "running": session.running,
        "speed": session.clock.speed(),
        "factor": session.clock.factor(),
        "contacts": d.contact.len(),
        "rows": d.nefc,
        "iterations": d.solver_niter.iter().copied().max().unwrap_or(0),
        "energy": d.energy,
        "warnings": d.warning.iter().map(|w| w.number).collect::<Vec<_>>(),
        "trouble": trouble(m, d),
        "stages": session.stages,
        "select": { "body": session.perturb.select, "active": session.perturb.active | session.perturb.active2 },
        "camera": {
            "type": session.camera.kind, "fixed": session.camera.fixedcamid, "track": session.camera.trackbodyid,
            "lookat": session.camera.lookat, "distance": session.camera.distance,
            "azimuth": session.camera.azimuth, "elevation": session.camera.elevation,
        },
        "eye": eye(scene),
        "option": {
            "label": option.label, "frame": option.frame, "flags": option.flags, "geom": option.geomgroup,
            "site": option.sitegroup, "joint": option.jointgroup, "tendon": option.tendongroup,
            "actuator": option.actuatorgroup, "flex": option.flexgroup, "skin": option.skingroup,
            "bvh": option.bvh_depth, "layer": option.flex_layer,
        },
        "effects": scene.flags,
        "labels": labels,
        "texts": session.texts.iter().map(|t| json!([t.percent, t.place, t.left, t.right])).collect::<Vec<_>>(),
        "making": session.making.as_secs_f64(),
        "history": session.history.place(),
        "panels": session.panels,
        "images": session.images.iter()
            .map(|image| json!([image.left, image.bottom, image.width, message.bytes(image.pixels.clone())]))
            .collect::<Vec<_>>(),
        "full": scene.status != 0,
        "geoms": message.bytes(geoms.iter().flat_map(|g| geom_words(g)).collect()),
        "lights": message.bytes(scene.lights().iter().flat_map(light_words).collect()),
        "qpos": message.floats(single(&d.qpos)),
        "ctrl": message.floats(single(&d.ctrl)),
        "sensors": message.floats(single(&d.sensordata)),
        "flexes": flexes(scene, &mut message),
        "skins": if m.nskin > 0 && option.shows(VisFlag::Skin) { skins(scene, &mut message) } else { Value::Null },
    });
    message.finish(&head)
}

/// Says that the simulation has become unstable, until the user resets it: its own reset leaves the counter at one, and
/// the time begins anew.
fn trouble(m: &Model, d: &Data) -> Option<String> {
    let (warning, what, field) =
        BAD_NUMBERS.into_iter().find(|&(warning, ..)| d.warning[warning as usize].number > 0)?;
    let reset = if m.opt.disabled(DisableBit::Autoreset) { "" } else { "reset: " };
    Some(format!("{reset}bad {what} ({field}[{}])", d.warning[warning as usize].lastinfo))
}

/// The camera between both eyes.
fn eye(scene: &Scene) -> Value {
    let [left, right] = &scene.camera;
    let eye = average_camera(left, right).unwrap_or(*left);
    json!({
        "pos": eye.pos, "forward": eye.forward, "up": eye.up, "orthographic": eye.orthographic != 0,
        "center": eye.frustum_center, "width": eye.frustum_width, "bottom": eye.frustum_bottom,
        "top": eye.frustum_top, "near": eye.frustum_near, "far": eye.frustum_far,
    })
}

/// Collects words of a record.
struct Words<const N: usize> {
    bytes: Vec<u8>,
}

impl<const N: usize> Words<N> {
    fn new() -> Self {
        Self { bytes: Vec::with_capacity(4 * N) }
    }

    fn integers(mut self, numbers: &[i32]) -> Self {
        self.bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        self
    }

    fn floats(mut self, numbers: &[f32]) -> Self {
        self.bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        self
    }

    fn finish(mut self) -> Vec<u8> {
        debug_assert!(self.bytes.len() <= 4 * N);
        self.bytes.resize(4 * N, 0);
        self.bytes
    }
}

fn geom_words(g: &Geom) -> Vec<u8> {
    Words::<GEOM_WORDS>::new()
        .integers(&[g.kind, g.dataid, g.objtype, g.objid, g.category, g.matid, g.texcoord, g.segid])
        .floats(&g.size)
        .floats(&g.pos)
        .floats(&g.mat)
        .floats(&g.rgba)
        .floats(&[g.emission, g.specular, g.shininess, g.reflectance])
        .finish()
}

fn light_words(l: &Light) -> Vec<u8> {
    Words::<LIGHT_WORDS>::new()
        .integers(&[l.kind, i32::from(l.headlight), i32::from(l.castshadow), l.id])
        .floats(&l.pos)
        .floats(&l.dir)
        .floats(&l.attenuation)
        .floats(&[l.cutoff, l.exponent])
        .floats(&l.ambient)
        .floats(&l.diffuse)
        .floats(&l.specular)
        .finish()
}

fn flexes(scene: &Scene, message: &mut Message) -> Value {
    if scene.nflex == 0 {
        return Value::Null;
    }
    let list: Vec<Value> = (0..scene.nflex as usize)
        .map(|i| {
            let (first, used) = (scene.flexfaceadr[i] as usize, scene.flexfaceused[i] as usize);
            let corners = 9 * first..9 * (first + used);
            let texture = 6 * first..6 * (first + used);
            json!({
                "positions": message.floats(scene.flexface[corners.clone()].iter().copied()),
                "normals": message.floats(scene.flexnormal[corners].iter().copied()),
                "texture": message.floats(scene.flextexcoord[texture].iter().copied()),
            })
        })
        .collect();
    json!({
        "list": list,
        "vertices": message.floats(scene.flexvert.iter().copied()),
        "showVertices": scene.flexvertopt != 0,
        "showEdges": scene.flexedgeopt != 0,
        "showSkin": scene.flexskinopt != 0,
    })
}

fn skins(scene: &Scene, message: &mut Message) -> Value {
    json!({
        "vertices": message.floats(scene.skinvert.iter().copied()),
        "normals": message.floats(scene.skinnormal.iter().copied()),
    })
}
