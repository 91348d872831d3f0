//! Settings of touch grids: bins of azimuth and elevation as seen from a site, which looks along its negative z axis.

use super::{PluginError, Settings};
use ligament_model::enums::{ObjType, SensorType};
use ligament_model::plugin::TouchGrid;
use std::f64::consts::PI;

pub fn instantiate(settings: Settings<'_>) -> Result<TouchGrid, PluginError> {
    let m = settings.m;
    let nchannel = settings.number("nchannel")?.map_or(1, |x| x as i64);
    let nchannel = if nchannel == 0 { 1 } else { nchannel };
    if !(1..=6).contains(&nchannel) {
        return Err(settings.error("nchannel must be between 1 and 6"));
    }
    let size = settings.numbers("size");
    let [width, height] = size[..] else {
        return Err(settings.error("Both horizontal and vertical resolutions must be specified"));
    };
    if width < 1.0 || height < 1.0 {
        return Err(settings.error("Horizontal and vertical resolutions must be positive"));
    }
    let [horizontal, vertical] = settings.numbers("fov")[..] else {
        return Err(settings.error("Both horizontal and vertical fields of view must be specified"));
    };
    if !(horizontal > 0.0 && horizontal <= 180.0) {
        return Err(settings.error("`fov[0]` must be a float between (0, 180] degrees"));
    }
    if !(vertical > 0.0 && vertical <= 90.0) {
        return Err(settings.error("`fov[1]` must be a float between (0, 90] degrees"));
    }
    let gamma = settings.number("gamma")?.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&gamma) {
        return Err(settings.error("`gamma` must be a nonnegative float between [0, 1]"));
    }
    let is_mine = |&i: &usize| {
        m.sensor_type[i] == SensorType::Plugin as i32
            && usize::try_from(m.sensor_plugin[i]) == Ok(settings.instance)
    };
    let sensor =
        (0..m.nsensor).find(is_mine).ok_or_else(|| settings.error("no sensor uses this instance"))?;
    if m.sensor_objtype[sensor] != ObjType::Site as i32 {
        return Err(settings.error("Touch Grid sensor must be attached to a site"));
    }
    let edges = [bin_edges(width as usize, horizontal, gamma), bin_edges(height as usize, vertical, gamma)];
    Ok(TouchGrid { sensor, nchannel: nchannel as usize, edges })
}

/// Edges of evenly spaced bins over ±`field_of_view` degrees, deformed by the fovea.
pub fn bin_edges(bins: usize, field_of_view: f64, gamma: f64) -> Vec<f64> {
    // γ moves bins towards the centre: x ↦ γ x⁵ + (1 - γ) x
    let fovea = |x: f64| if gamma == 0.0 { x } else { gamma * x.powi(5) + (1.0 - gamma) * x };
    let step = 2.0 / bins as f64;
    let mut unit = -1.0;
    let mut edges = Vec::with_capacity(bins + 1);
    for _ in 0..=bins {
        edges.push(fovea(unit) * (field_of_view * PI / 180.0));
        unit += step;
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fovea_keeps_the_ends_and_narrows_the_centre() {
        let edges = bin_edges(4, 90.0, 1.0);
        assert!((edges[0] + PI / 2.0).abs() < 1e-12 && (edges[4] - PI / 2.0).abs() < 1e-12);
        assert!((edges[3] - PI / 2.0 / 32.0).abs() < 1e-12);
    }
}
