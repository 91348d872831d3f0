//! What there is to see of the built-in plugins.

use crate::plugin::{draw_searches, tint_cable};
use crate::sensor::draw_touch_grid;
use ligament_model::draw::Canvas;
use ligament_model::plugin::PluginInstance;
use ligament_model::{Data, Model};

/// Lets the instances add to a picture, in order (`visualize` of MuJoCo's plugins).
pub fn draw_plugins(m: &Model, d: &Data, canvas: &mut dyn Canvas) {
    for (instance, plugin) in d.plugins.iter().enumerate() {
        match plugin {
            PluginInstance::Cable(cable) => tint_cable(m, d, cable, canvas),
            PluginInstance::TouchGrid(grid) => draw_touch_grid(m, d, grid, canvas),
            PluginInstance::Sdf(_) => draw_searches(m, d, instance, canvas),
            PluginInstance::Pid(_) | PluginInstance::Stateless => {}
        }
    }
}
