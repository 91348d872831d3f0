//! First-party plugins, built in: PID actuators, elastic cables, touch grids, distance fields.
//!
//! [`instantiate`] turns the settings of each instance into numbers once; the stages then only compute.

mod cable;
mod pid;
mod sdf;
mod touch_grid;

pub(crate) use cable::tint as tint_cable;
pub(crate) use sdf::{draw as draw_searches, instance_that_draws, shape_of};

use ligament_model::plugin::PluginInstance;
use ligament_model::{Data, Model};

/// Why an instance cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("plugin instance {instance}: {message}")]
#[allow(missing_docs)] // the messages say what is wrong
pub struct PluginError {
    pub instance: usize,
    pub message: String,
}

/// Settings of one instance, as text.
#[derive(Clone, Copy)]
struct Settings<'a> {
    m: &'a Model,
    instance: usize,
}

impl<'a> Settings<'a> {
    fn name(&self) -> &'static str {
        let slot = usize::try_from(self.m.plugin[self.instance]).unwrap_or(usize::MAX);
        ligament_model::plugin::REGISTRY.get(slot).map_or("", |kind| kind.name)
    }

    /// Value of a setting; empty when it was not given.
    fn text(&self, key: &str) -> &'a str {
        let slot = usize::try_from(self.m.plugin[self.instance]).unwrap_or(usize::MAX);
        let Some(kind) = ligament_model::plugin::REGISTRY.get(slot) else { return "" };
        let Some(index) = kind.attributes.iter().position(|a| *a == key) else { return "" };
        let start = self.m.plugin_attradr[self.instance] as usize;
        let mut values = self.m.plugin_attr[start..].split(|&b| b == 0);
        values.nth(index).and_then(|v| std::str::from_utf8(v).ok()).unwrap_or("")
    }

    /// A number; `None` when it was not given. Of several, the reference reads the first.
    fn number(&self, key: &str) -> Result<Option<f64>, PluginError> {
        let text = self.text(key);
        let word = text.split_whitespace().next();
        let number = word.map(|word| {
            word.parse()
                .map_err(|_| self.error(format!("setting '{key}' is not a number: '{}'", text.trim())))
        });
        number.transpose()
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        self.text(key).split_whitespace().map_while(|word| word.parse().ok()).collect()
    }

    fn error(&self, message: impl Into<String>) -> PluginError {
        PluginError { instance: self.instance, message: message.into() }
    }
}

/// Reads the settings of all instances.
pub fn instantiate(m: &Model) -> Result<Vec<PluginInstance>, PluginError> {
    (0..m.nplugin)
        .map(|instance| {
            let settings = Settings { m, instance };
            Ok(match settings.name() {
                "mujoco.pid" => PluginInstance::Pid(pid::instantiate(settings)?),
                "mujoco.elasticity.cable" => PluginInstance::Cable(cable::instantiate(settings)?),
                "mujoco.sensor.touch_grid" => PluginInstance::TouchGrid(touch_grid::instantiate(settings)?),
                name if name.starts_with("mujoco.sdf.") => PluginInstance::Sdf(sdf::instantiate(settings)?),
                _ => PluginInstance::Stateless,
            })
        })
        .collect()
}

/// Runs `visit` over all instances.
fn for_each(d: &mut Data, mut visit: impl FnMut(&PluginInstance, &mut Data)) {
    // most models have none, and to share the list takes longer than to see that
    if d.plugins.is_empty() {
        return;
    }
    for plugin in &*d.plugins.clone() {
        visit(plugin, d);
    }
}

/// Activation rates of plugin actuators.
pub fn actuator_rates(m: &Model, d: &mut Data) {
    for_each(d, |plugin, d| {
        if let PluginInstance::Pid(pid) = plugin {
            pid::rates(m, d, pid);
        }
    });
}

/// Forces of plugin actuators.
pub fn actuator_forces(m: &Model, d: &mut Data) {
    for_each(d, |plugin, d| {
        if let PluginInstance::Pid(pid) = plugin {
            pid::forces(m, d, pid);
        }
    });
}

/// Passive forces of plugins, added to `qfrc_passive`.
pub fn passive(m: &Model, d: &mut Data) {
    for_each(d, |plugin, d| {
        if let PluginInstance::Cable(cable) = plugin {
            cable::forces(m, d, cable);
        }
    });
}
