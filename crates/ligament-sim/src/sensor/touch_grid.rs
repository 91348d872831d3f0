//! Touch grid: contact forces on everything welded to a site's body, sorted into bins of azimuth and elevation.

use super::apply_cutoff;
use crate::constraint::contact_force;
use crate::rne_post::rne_post_constraint;
use crate::support::body_of_geom;
use crate::workspace::Scratches as _;
use ligament_math::{Vec3, mat3, vec3};
use ligament_model::plugin::{PluginInstance, TouchGrid};
use ligament_model::{Data, Model};

/// Readings of all touch grids.
pub(super) fn touch_grids(m: &Model, d: &mut Data) {
    for plugin in &*d.plugins.clone() {
        if let PluginInstance::TouchGrid(grid) = plugin {
            evaluate(m, d, grid);
        }
    }
}

/// Bin of a value; values on or below the first edge, or above the last, are in none.
fn bin(edges: &[f64], value: f64) -> Option<usize> {
    let above = edges.partition_point(|&edge| edge < value);
    (above > 0 && above < edges.len()).then(|| above - 1)
}

/// Azimuth and elevation of a point in the site's frame.
fn direction(p: Vec3) -> [f64; 2] {
    [p[0].atan2(-p[2]), p[1].atan2((p[0] * p[0] + p[2] * p[2]).sqrt())]
}

fn evaluate(m: &Model, d: &mut Data, grid: &TouchGrid) {
    if !d.flg_rnepost {
        rne_post_constraint(m, d);
    }
    let adr = m.sensor_adr[grid.sensor] as usize;
    let dim = m.sensor_dim[grid.sensor] as usize;
    let mut reading = std::mem::take(&mut d.workspace.scratch().sensor.reading);
    reading.clear();
    reading.resize(dim, 0.0);
    let site = m.sensor_objid[grid.sensor] as usize;
    let own_weld = m.body_weldid[m.site_bodyid[site] as usize];
    for contact in 0..d.contact.len() {
        add_contact(m, d, grid, site, own_weld, contact, &mut reading);
    }
    apply_cutoff(m, grid.sensor, &mut reading);
    d.sensordata[adr..adr + dim].copy_from_slice(&reading);
    d.workspace.scratch().sensor.reading = reading;
}

fn add_contact(
    m: &Model,
    d: &Data,
    grid: &TouchGrid,
    site: usize,
    own_weld: i32,
    index: usize,
    out: &mut [f64],
) {
    let contact = &d.contact[index];
    let bodies = contact.geom.map(|geom| body_of_geom(m, geom));
    let is_own = |body: i32| usize::try_from(body).is_ok_and(|b| m.body_weldid[b] == own_weld);
    if !bodies.into_iter().any(is_own) {
        return;
    }
    let axes = &d.site_xmat[site];
    let [azimuth, elevation] = direction(mat3::mul_vec_t(axes, vec3::sub(contact.pos, d.site_xpos[site])));
    let (Some(column), Some(row)) = (bin(&grid.edges[0], azimuth), bin(&grid.edges[1], elevation)) else {
        return;
    };
    let (width, height) = (grid.edges[0].len() - 1, grid.edges[1].len() - 1);
    // forces point from the smaller to the larger body
    let sign = if own_weld < bodies[0].max(bodies[1]) { -1.0 } else { 1.0 };
    let wrench = contact_force(m, d, index);
    let in_site = |v: Vec3| vec3::scale(mat3::mul_vec_t(axes, mat3::mul_vec_t(&contact.frame, v)), sign);
    let force = in_site([wrench[0], wrench[1], wrench[2]]);
    let torque = in_site([wrench[3], wrench[4], wrench[5]]);
    // normal first, then the tangents
    let channels = [force[2], force[0], force[1], torque[2], torque[0], torque[1]];
    for (k, value) in channels.iter().take(grid.nchannel).enumerate() {
        out[k * width * height + row * width + column] += value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_open_below_and_closed_above() {
        let edges = [0.0, 1.0, 2.0];
        assert_eq!(
            [0.0, 0.5, 1.0, 1.5, 2.0, 2.5].map(|x| bin(&edges, x)),
            [None, Some(0), Some(0), Some(1), Some(1), None]
        );
    }
}
