//! Settings a plugin would refuse to start with.

use crate::actuators::CompiledActuator;
use crate::error::fail_at;
use crate::plugins::{Capability, Instance, Plugins, leading_number, numbers};
use ligament_mjcf::diag::Result;
use ligament_model::enums::{DynType, ObjType};

/// Checks the settings of all instances against those who use them.
pub fn check_plugins(plugins: &Plugins, actuators: &[CompiledActuator<'_>]) -> Result<()> {
    for (id, instance) in plugins.instances.iter().enumerate() {
        let checked = match instance.kind().name {
            "mujoco.pid" => check_pid(id, instance, actuators),
            "mujoco.sensor.touch_grid" => check_touch_grid(instance),
            "mujoco.elasticity.cable" => check_numbers(instance, &["twist", "bend"]),
            "mujoco.sdf.gear" => check_numbers(instance, &["alpha", "diameter", "teeth", "innerdiameter"]),
            _ if instance.kind().capability == Capability::Sdf => {
                check_numbers(instance, instance.kind().attributes)
            }
            _ => Ok(()),
        };
        checked.map_err(|reason| {
            let message = format!("plugin->init failed for plugin id {id}: {reason}");
            fail_at(ObjType::Plugin, &instance.meta, message)
        })?;
    }
    Ok(())
}

/// A setting that is empty or, spaces aside, nothing but a number.
fn is_number(text: &str) -> bool {
    let packed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    packed.is_empty() || packed.parse::<f64>().is_ok()
}

fn check_numbers(instance: &Instance, attributes: &[&str]) -> std::result::Result<(), String> {
    match attributes.iter().find(|a| !is_number(instance.setting(a))) {
        Some(attribute) => Err(format!("invalid parameter '{attribute}'")),
        None => Ok(()),
    }
}

fn check_pid(
    id: usize,
    instance: &Instance,
    actuators: &[CompiledActuator<'_>],
) -> std::result::Result<(), String> {
    let optional = |key| match instance.setting(key) {
        "" => None,
        text => Some(leading_number(text)),
    };
    let integral = optional("ki").unwrap_or(0.0);
    if integral != 0.0 && optional("imax").is_some_and(|max| max / integral < 0.0) {
        return Err("negative imax".into());
    }
    if optional("slewmax").is_some_and(|max| max < 0.0) {
        return Err("slewmax must be non-negative".into());
    }
    let own = usize::from(integral != 0.0) + usize::from(optional("slewmax").is_some());
    let mut used = false;
    for (i, actuator) in actuators.iter().enumerate().filter(|(_, a)| a.plugin == id as i32) {
        used = true;
        let filtered =
            matches!(actuator.spec.dyntype, DynType::Filter | DynType::Filterexact | DynType::Integrator);
        let expected = own + usize::from(filtered);
        if actuator.actdim != expected {
            return Err(format!(
                "actuator {i} has actdim {}, expected {expected}. Add actdim=\"{expected}\" to the actuator \
                 plugin element.",
                actuator.actdim
            ));
        }
    }
    if used { Ok(()) } else { Err(format!("actuator not found for plugin instance {id}")) }
}

fn check_touch_grid(instance: &Instance) -> std::result::Result<(), String> {
    if !is_number(instance.setting("gamma")) || !is_number(instance.setting("nchannel")) {
        return Err("Invalid or missing parameters in touch_grid sensor plugin".into());
    }
    let channels = leading_number(instance.setting("nchannel")) as i64;
    if !(0..=6).contains(&channels) {
        return Err("nchannel must be between 1 and 6".into());
    }
    let size = numbers(instance.setting("size"));
    if size.len() != 2 {
        return Err("Both horizontal and vertical resolutions must be specified".into());
    }
    if size.iter().any(|&n| n < 1.0) {
        return Err("Horizontal and vertical resolutions must be positive".into());
    }
    let fov = numbers(instance.setting("fov"));
    if fov.len() != 2 {
        return Err("Both horizontal and vertical fields of view must be specified".into());
    }
    if fov[0] <= 0.0 || fov[0] > 180.0 {
        return Err("`fov[0]` must be a float between (0, 180] degrees".into());
    }
    if fov[1] <= 0.0 || fov[1] > 90.0 {
        return Err("`fov[1]` must be a float between (0, 90] degrees".into());
    }
    let gamma = leading_number(instance.setting("gamma"));
    if !(0.0..=1.0).contains(&gamma) {
        return Err("`gamma` must be a nonnegative float between [0, 1]".into());
    }
    Ok(())
}
