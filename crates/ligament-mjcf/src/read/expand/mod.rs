//! Elements that stand for others: include, replicate, attach, composite, flexcomp.

pub mod attach;
pub mod composite;
pub mod flexcomp;
pub mod include;
pub mod replicate;

use crate::spec::{Origin, PluginDeclaration, PluginInstance, PluginRef, Spec};

/// A plugin without an instance gets one of this name, so that all that is made shares it.
fn declare_plugin(
    spec: &mut Spec,
    plugin: Option<&PluginRef>,
    instance: String,
    origin: &Origin,
) -> Option<PluginRef> {
    let mut plugin = plugin?.clone();
    if plugin.instance.is_empty() {
        plugin.instance = instance;
        let config = std::mem::take(&mut plugin.config);
        let instance = PluginInstance { name: plugin.instance.clone(), config, origin: origin.clone() };
        spec.plugins.push(PluginDeclaration {
            plugin: plugin.plugin.clone(),
            instances: vec![instance],
            origin: origin.clone(),
        });
    }
    Some(plugin)
}
