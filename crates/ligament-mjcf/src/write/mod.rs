//! Spec to MJCF text that reads back to the same model.
//!
//! What differs from the default class is written, with full precision. Angles are in radians and orientations are
//! quaternions, so that parts with other compiler settings (of attached models) keep their meaning; macros stay
//! expanded. Elements keep their order: each stands in a copy of its frame.

mod actuator;
mod asset;
mod constraint;
mod edits;
mod parts;
mod sensor;
mod settings;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use crate::asset_paths::{self, AssetKind};
use crate::diag::{Diagnostic, MjcfError, Result};
use crate::paths;
use crate::spec::{Body, ClassId, CompilerId, Key, Meta, Orientation, PluginRef, Spec};
pub use edits::{Compiled, take_back};
use ligament_model::Model;
use ligament_model::enums::{AlignFree, JointType};
use text::XmlText;

/// Writes a model as MJCF.
pub fn write(spec: &Spec) -> Result<String> {
    if spec.keys.iter().any(|key| key.attached.is_some()) {
        let message = "Model has pending keyframes. It must be (re)compiled before writing XML.";
        return Err(MjcfError::Unsupported(Diagnostic::new(message)));
    }
    let mut writer = Writer { spec, xml: XmlText::default() };
    writer.xml.open("mujoco");
    writer.xml.text("model", &spec.modelname);
    if !spec.comment.is_empty() {
        writer.xml.comment(&spec.comment);
    }
    writer.compiler();
    writer.option();
    writer.size();
    writer.visual();
    writer.statistic();
    writer.defaults()?;
    writer.extension();
    writer.custom();
    writer.assets();
    writer.tree()?;
    writer.contact();
    writer.deformable();
    writer.equality();
    writer.tendon();
    writer.actuators();
    writer.sensors();
    writer.keyframes();
    Ok(writer.xml.finish())
}

/// Writes a model together with what only its compiled form knows: full keyframes of attached models.
pub fn write_compiled(spec: &Spec, model: &Model) -> Result<String> {
    let mut full = spec.clone();
    if spec.keys.iter().any(|key| key.attached.is_some()) {
        let keys = spec.key_order().into_iter();
        full.keys = keys.map(|k| k.map_or_else(Key::default, |k| spec.keys[k].clone())).collect();
    }
    for (i, key) in full.keys.iter_mut().enumerate().filter(|(_, key)| key.attached.is_some()) {
        let row = |list: &[f64], n: usize| list.get(i * n..(i + 1) * n).unwrap_or_default().to_vec();
        key.attached = None;
        key.qpos = row(&model.key_qpos, model.nq);
        key.qvel = row(&model.key_qvel, model.nv);
        key.act = row(&model.key_act, model.na);
        key.ctrl = row(&model.key_ctrl, model.nu);
        key.mpos = row(&model.key_mpos, 3 * model.nmocap);
        key.mquat = row(&model.key_mquat, 4 * model.nmocap);
    }
    if spec.compilers[0].saveinertial {
        save_inertias(&mut full, model);
    }
    write(&full)
}

/// Gives all bodies the inertias of the compiled model. Bodies that the compiler moved into their inertial frame, and
/// models whose bodies were merged, keep what they have: their inertias belong to other frames.
fn save_inertias(spec: &mut Spec, model: &Model) {
    let order = spec.tree_order();
    if order.len() != model.nbody {
        return;
    }
    for (id, body) in order.into_iter().enumerate().skip(1) {
        let alignfree = spec.compilers[spec.bodies[body.index()].meta.compiler.index()].alignfree;
        let body = &mut spec.bodies[body.index()];
        if model.body_mass[id] > 0.0 && !is_aligned(body, alignfree) {
            body.explicitinertial = true;
            (body.mass, body.inertia) = (model.body_mass[id], model.body_inertia[id]);
            (body.ipos, body.iquat, body.ialt) = (model.body_ipos[id], model.body_iquat[id], None);
            body.fullinertia[0] = f64::NAN;
        }
    }
}

/// Does the compiler move the frame of this free body into its centre of mass?
fn is_aligned(body: &Body, alignfree: bool) -> bool {
    let [joint] = body.joints.as_slice() else { return false };
    let wanted = joint.align == AlignFree::True || (joint.align == AlignFree::Auto && alignfree);
    joint.kind == JointType::Free && body.children.is_empty() && wanted
}

struct Writer<'a> {
    spec: &'a Spec,
    xml: XmlText,
}

impl Writer<'_> {
    /// Name, and the class unless it is what the surroundings give.
    fn name_and_class(&mut self, meta: &Meta, inherited: ClassId) {
        self.xml.text_if("name", &meta.name);
        if meta.class != inherited {
            self.xml.text("class", &self.spec.classes[meta.class.index()].name);
        }
    }

    /// An orientation as quaternion.
    fn quat(&self, meta: &Meta, quat: [f64; 4], alt: Option<Orientation>) -> Result<[f64; 4]> {
        let Some(alt) = alt else { return Ok(quat) };
        let compiler = &self.spec.compilers[meta.compiler.index()];
        alt.resolve(compiler.degree, compiler.eulerseq)
            .map_err(|message| MjcfError::Compile(Diagnostic::new(message).at("element", meta)))
    }

    /// A file as the written model has to name it: without `strippath`, and seen from the directories of the
    /// outer model.
    fn file(&self, compiler: CompilerId, kind: AssetKind, file: &str, filedir: &str) -> String {
        if file.is_empty() {
            return String::new();
        }
        let resolved =
            asset_paths::resolve_asset_path(&self.spec.compilers[compiler.index()], kind, file, filedir);
        let mut own = self.spec.compiler().clone();
        own.strippath = false;
        if asset_paths::resolve_asset_path(&own, kind, file, "") == resolved || paths::is_absolute(&resolved)
        {
            let same = asset_paths::resolve_asset_path(&own, kind, file, "") == resolved;
            return if same { file.into() } else { resolved };
        }
        let dir = match kind {
            AssetKind::Mesh => &own.meshdir,
            AssetKind::Texture => &own.texturedir,
        };
        let below = resolved.strip_prefix(own.modeldir.as_str()).unwrap_or(&resolved);
        let steps = dir.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").count();
        format!("{}{below}", "../".repeat(steps))
    }

    /// Attributes and settings of a plugin inside the innermost element.
    fn plugin_content(&mut self, plugin: &PluginRef) {
        self.xml.text_if("plugin", &plugin.plugin);
        self.xml.text_if("instance", &plugin.instance);
        self.config(&plugin.config);
    }

    fn config(&mut self, config: &[(String, String)]) {
        for (key, value) in config {
            self.xml.open("config");
            self.xml.text("key", key);
            self.xml.text("value", value);
            self.xml.close();
        }
    }

    fn plugin_child(&mut self, plugin: Option<&PluginRef>) {
        if let Some(plugin) = plugin {
            self.xml.open("plugin");
            self.plugin_content(plugin);
            self.xml.close();
        }
    }
}
