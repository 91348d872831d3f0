//! Engine plugins: the first-party plugins of the reference, their instances and how their settings are stored.
//!
//! Declared instances come first; then every element that brings settings of its own adds one, in the order the
//! reference reads sections: meshes, actuators, sensors, bodies.

mod settings;

use ligament_model::plugin::slot as plugin_slot;
pub use ligament_model::plugin::{Capability, PluginKind, REGISTRY};

use crate::error::fail_at;
use crate::report::nearest;
use crate::tree::Tree;
use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
use ligament_mjcf::spec::{BodyId, Meta, PluginRef, Spec};
use ligament_model::enums::ObjType;
use ligament_model::model::{Model, Sizes};
use std::collections::{BTreeSet, HashMap};

pub(crate) use settings::{leading_number, numbers, touch_grid_dim};

/// An instance of a plugin.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Name, place in the text; unnamed for instances of a single element.
    pub meta: Meta,
    /// Position in the registry.
    pub slot: usize,
    pub config: Vec<(String, String)>,
}

impl Instance {
    /// What plugin this is.
    pub fn kind(&self) -> &'static PluginKind {
        &REGISTRY[self.slot]
    }

    /// Value of a setting; empty when not given.
    pub fn setting(&self, key: &str) -> &str {
        self.config.iter().find(|(k, _)| k == key).map_or("", |(_, value)| value)
    }

    /// All settings in the order of the plugin's attributes, each ended by a zero byte.
    fn attributes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for attribute in self.kind().attributes {
            bytes.extend_from_slice(self.setting(attribute).as_bytes());
            bytes.push(0);
        }
        bytes
    }
}

/// All plugin instances of a model, and who uses them.
#[derive(Debug, Default)]
pub struct Plugins {
    pub instances: Vec<Instance>,
    /// Instance by address of the reference in the specification: ids of bodies and geoms change while the tree
    /// is compiled, the references do not.
    users: HashMap<usize, usize>,
    by_name: HashMap<String, usize>,
    declared: BTreeSet<String>,
}

impl Plugins {
    /// Instance an element of the specification uses.
    pub fn instance(&self, reference: Option<&PluginRef>) -> Option<usize> {
        self.users.get(&std::ptr::from_ref(reference?).addr()).copied()
    }

    /// The same as an entry of the model's arrays: -1 for none.
    pub fn id(&self, reference: Option<&PluginRef>) -> i32 {
        self.instance(reference).map_or(-1, |id| id as i32)
    }

    fn declare(&mut self, spec: &Spec) -> Result<()> {
        for declaration in &spec.plugins {
            let name = &declaration.plugin;
            let Some(slot) = plugin_slot(name) else {
                let names: Vec<&str> = REGISTRY.iter().map(|kind| kind.name).collect();
                let help = nearest(name, &names).map(|n| format!("did you mean '{n}'?")).unwrap_or_default();
                let diagnostic = Diagnostic::new(format!("plugin {name} not found"));
                let diagnostic = diagnostic.at_origin(&declaration.origin).element("plugin").help(help);
                return Err(MjcfError::UnknownName(diagnostic));
            };
            self.declared.insert(name.clone());
            for instance in &declaration.instances {
                let meta =
                    Meta { name: instance.name.clone(), origin: instance.origin.clone(), ..Meta::default() };
                if self.by_name.contains_key(&instance.name) {
                    let message = format!("repeated name '{}' in plugin", instance.name);
                    return Err(fail_at(ObjType::Plugin, &meta, message));
                }
                self.add(Instance { meta, slot, config: instance.config.clone() });
            }
        }
        Ok(())
    }

    fn add(&mut self, instance: Instance) -> usize {
        let id = self.instances.len();
        if !instance.meta.name.is_empty() {
            self.by_name.insert(instance.meta.name.clone(), id);
        }
        self.instances.push(instance);
        id
    }

    /// Finds or makes the instance of an element, which must be able to do what the element is there for.
    fn resolve(
        &mut self,
        kind: ObjType,
        meta: &Meta,
        reference: &PluginRef,
        capability: Capability,
    ) -> Result<()> {
        let error = |message: String| Err(fail_at(kind, meta, message));
        let label = crate::labels::label(kind);
        if reference.plugin.is_empty() && reference.instance.is_empty() {
            return error(format!(
                "neither 'plugin' nor 'instance' is specified for {label} '{}'",
                meta.name
            ));
        }
        let named = self.by_name.get(&reference.instance).copied();
        let plugin = match (reference.plugin.as_str(), named) {
            ("", Some(id)) => self.instances[id].kind().name,
            ("", None) => {
                return error(format!("unrecognized name '{}' for plugin instance", reference.instance));
            }
            (name, _) => name,
        };
        let slot = match plugin_slot(plugin) {
            Some(slot) if self.declared.contains(plugin) => slot,
            _ => return error(format!("unrecognized plugin '{plugin}'")),
        };
        let id = match named {
            Some(id) => id,
            None if reference.instance.is_empty() => {
                let meta = Meta { name: String::new(), ..meta.clone() };
                self.add(Instance { meta, slot, config: reference.config.clone() })
            }
            None => return error(format!("unrecognized name '{}' for plugin instance", reference.instance)),
        };
        if self.instances[id].slot != slot {
            return error("'plugin' attribute does not match that of the instance".into());
        }
        if self.instances[id].kind().capability != capability {
            return error(format!("plugin '{plugin}' does not support {}", capability.what()));
        }
        self.users.insert(std::ptr::from_ref(reference).addr(), id);
        Ok(())
    }

    fn resolve_bodies(&mut self, spec: &Spec) -> Result<()> {
        let mut pending = vec![BodyId(0)];
        while let Some(id) = pending.pop() {
            let body = &spec.bodies[id.index()];
            if let Some(plugin) = &body.plugin {
                self.resolve(ObjType::Body, &body.meta, plugin, Capability::Passive)?;
            }
            for geom in &body.geoms {
                if let Some(plugin) = &geom.plugin {
                    self.resolve(ObjType::Geom, &geom.meta, plugin, Capability::Sdf)?;
                }
            }
            pending.extend(body.children.iter().rev());
        }
        Ok(())
    }
}

/// Finds all plugin instances and checks their settings.
pub fn compile_plugins(spec: &Spec) -> Result<Plugins> {
    let mut plugins = Plugins::default();
    plugins.declare(spec)?;
    for mesh in &spec.meshes {
        if let Some(plugin) = &mesh.plugin {
            plugins.resolve(ObjType::Mesh, &mesh.meta, plugin, Capability::Sdf)?;
        }
    }
    for actuator in &spec.actuators {
        if let Some(plugin) = &actuator.plugin {
            plugins.resolve(ObjType::Actuator, &actuator.meta, plugin, Capability::Actuator)?;
        }
    }
    for sensor in &spec.sensors {
        if let Some(plugin) = &sensor.plugin {
            plugins.resolve(ObjType::Sensor, &sensor.meta, plugin, Capability::Sensor)?;
        }
    }
    plugins.resolve_bodies(spec)?;
    for instance in &plugins.instances {
        let known = instance.kind().attributes;
        let mut strangers: Vec<&str> =
            instance.config.iter().map(|(key, _)| key.as_str()).filter(|key| !known.contains(key)).collect();
        strangers.sort_unstable();
        if let Some(key) = strangers.first() {
            let message =
                format!("unrecognized attribute 'plugin:{key}' for plugin {}'", instance.kind().name);
            return Err(fail_at(ObjType::Plugin, &instance.meta, message));
        }
    }
    Ok(plugins)
}

/// Adds to the sizes of the model. None of the known plugins keeps state of its own.
pub fn count_plugins(plugins: &Plugins, sizes: &mut Sizes) {
    sizes.nplugin = plugins.instances.len();
    sizes.npluginattr = plugins.instances.iter().map(|instance| instance.attributes().len()).sum();
    sizes.npluginstate = 0;
}

/// Writes the arrays of the model, those of bodies and geoms included.
pub fn write_plugins(plugins: &Plugins, tree: &Tree<'_>, model: &mut Model) {
    let mut address = 0;
    for (i, instance) in plugins.instances.iter().enumerate() {
        let attributes = instance.attributes();
        model.plugin[i] = instance.slot as i32;
        model.plugin_attradr[i] = address as i32;
        model.plugin_attr[address..address + attributes.len()].copy_from_slice(&attributes);
        address += attributes.len();
    }
    for (i, body) in tree.bodies.iter().enumerate() {
        model.body_plugin[i] = plugins.id(body.spec.plugin.as_ref());
    }
    for (i, geom) in tree.geoms.iter().enumerate() {
        model.geom_plugin[i] = plugins.id(geom.spec.plugin.as_ref());
    }
}
