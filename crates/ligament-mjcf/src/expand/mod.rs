//! Elements that stand for others: include, replicate, attach, composite, flexcomp.

pub mod attach;
pub mod composite;
pub mod flexcomp;
pub mod include;
pub mod replicate;

use crate::diag::Result;
use crate::spec::PluginRef;
use crate::xml::Element;

/// The `<plugin>` inside a macro, if there is one.
fn read_plugin(element: Element<'_>) -> Result<Option<PluginRef>> {
    let Some(plugin) = element.child("plugin") else { return Ok(None) };
    let mut out = PluginRef::default();
    plugin.text("plugin", &mut out.plugin);
    plugin.text("instance", &mut out.instance);
    for config in plugin.children().filter(|c| c.name() == "config") {
        let key = config.required("key")?.to_string();
        if out.config.iter().any(|(k, _)| *k == key) {
            return Err(config.invalid(format!("duplicate config key: {key}")));
        }
        out.config.push((key, config.required("value")?.to_string()));
    }
    Ok(Some(out))
}
