//! `<extension>` and the use of plugins by elements.

use crate::diag::Result;
use crate::spec::{PluginDeclaration, PluginInstance, PluginRef, Spec};
use crate::xml::Element;

/// Reads declarations of plugins and their shared instances.
pub fn read_extension(section: Element<'_>, spec: &mut Spec) -> Result<()> {
    for element in section.children().filter(|e| e.name() == "plugin") {
        let plugin = element.required("plugin")?.to_string();
        let mut instances = Vec::new();
        for child in element.children().filter(|e| e.name() == "instance") {
            instances.push(PluginInstance {
                name: child.required("name")?.to_string(),
                config: read_config(child)?,
                origin: child.origin().clone(),
            });
        }
        spec.plugins.push(PluginDeclaration { plugin, instances, origin: element.origin().clone() });
    }
    Ok(())
}

/// An element that is itself a `<plugin>`, or an actuator or sensor of that name.
pub fn read_plugin(element: Element<'_>) -> Result<PluginRef> {
    let mut plugin = PluginRef::default();
    element.text("plugin", &mut plugin.plugin);
    element.text("instance", &mut plugin.instance);
    if plugin.instance.is_empty() {
        plugin.config = read_config(element)?;
    } else if element.child("config").is_some() {
        element
            .warn("plugin configuration attributes are ignored: a predefined plugin instance is referenced");
    }
    Ok(plugin)
}

/// The `<plugin>` inside an element, if there is one.
pub fn read_plugin_child(element: Element<'_>, out: &mut Option<PluginRef>) -> Result<()> {
    if let Some(child) = element.child("plugin") {
        *out = Some(read_plugin(child)?);
    }
    Ok(())
}

fn read_config(element: Element<'_>) -> Result<Vec<(String, String)>> {
    let mut config: Vec<(String, String)> = Vec::new();
    for child in element.children().filter(|e| e.name() == "config") {
        let key = child.required("key")?;
        if config.iter().any(|(k, _)| k == key) {
            return Err(child.invalid_attr("key", format!("duplicate config key: {key}")));
        }
        config.push((key.to_string(), child.required("value")?.to_string()));
    }
    Ok(config)
}
