//! Touch grid: contact forces on everything welded to a site's body, sorted into bins of azimuth and elevation.

use super::apply_cutoff;
use crate::constraint::contact_force;
use crate::rne_post::rne_post_constraint;
use crate::support::body_of_geom;
use crate::workspace::Scratches as _;
use ligament_math::{Vec3, mat3, quat, vec3};
use ligament_model::draw::{Canvas, Sketch};
use ligament_model::enums::GeomType;
use ligament_model::plugin::{PluginInstance, TouchGrid};
use ligament_model::{Contact, Data, Model};

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
    for contact in 0..d.contact.len() {
        add_contact(m, d, grid, site, contact, &mut reading);
    }
    apply_cutoff(m, grid.sensor, &mut reading);
    d.sensordata[adr..adr + dim].copy_from_slice(&reading);
    d.workspace.scratch().sensor.reading = reading;
}

/// Where a contact stands in the grid.
struct Taxel {
    column: usize,
    row: usize,
    distance: f64,
}

impl Taxel {
    /// Position among the numbers of a channel.
    fn index(&self, grid: &TouchGrid) -> usize {
        self.row * (grid.edges[0].len() - 1) + self.column
    }
}

/// The bin of a contact; `None` if it is no contact of the site's body, or beyond the grid.
fn taxel(m: &Model, d: &Data, grid: &TouchGrid, site: usize, contact: &Contact) -> Option<Taxel> {
    let own_weld = own_weld(m, site);
    let is_own =
        |geom: i32| usize::try_from(body_of_geom(m, geom)).is_ok_and(|body| m.body_weldid[body] == own_weld);
    if !contact.geom.into_iter().any(is_own) {
        return None;
    }
    let offset = mat3::mul_vec_t(&d.site_xmat[site], vec3::sub(contact.pos, d.site_xpos[site]));
    let [azimuth, elevation] = direction(offset);
    let [x, y, z] = offset;
    Some(Taxel {
        column: bin(&grid.edges[0], azimuth)?,
        row: bin(&grid.edges[1], elevation)?,
        distance: (x * x + z * z + y * y).sqrt(),
    })
}

/// What everything is welded to that the site's body is welded to.
fn own_weld(m: &Model, site: usize) -> i32 {
    m.body_weldid[m.site_bodyid[site] as usize]
}

fn add_contact(m: &Model, d: &Data, grid: &TouchGrid, site: usize, index: usize, out: &mut [f64]) {
    let contact = &d.contact[index];
    let Some(taxel) = taxel(m, d, grid, site, contact) else { return };
    let axes = &d.site_xmat[site];
    let bodies = contact.geom.map(|geom| body_of_geom(m, geom));
    // forces point from the smaller to the larger body
    let sign = if own_weld(m, site) < bodies[0].max(bodies[1]) { -1.0 } else { 1.0 };
    let wrench = contact_force(m, d, index);
    let in_site = |v: Vec3| vec3::scale(mat3::mul_vec_t(axes, mat3::mul_vec_t(&contact.frame, v)), sign);
    let force = in_site([wrench[0], wrench[1], wrench[2]]);
    let torque = in_site([wrench[3], wrench[4], wrench[5]]);
    // normal first, then the tangents
    let channels = [force[2], force[0], force[1], torque[2], torque[0], torque[1]];
    for (k, value) in channels.iter().take(grid.nchannel).enumerate() {
        out[k * bins(grid) + taxel.index(grid)] += value;
    }
}

/// Bins of the grid.
fn bins(grid: &TouchGrid) -> usize {
    grid.edges.iter().map(|edges| edges.len() - 1).product()
}

/// Draws a box for each bin with contacts, as far away as they are on average, in the colour of the first three channels.
pub(crate) fn draw(m: &Model, d: &Data, grid: &TouchGrid, canvas: &mut dyn Canvas) {
    let adr = m.sensor_adr[grid.sensor] as usize;
    let Some(reading) = d.sensordata.get(adr..adr + grid.nchannel * bins(grid)) else { return };
    let greatest = reading[..bins(grid)].iter().fold(0.0, |most: f64, force| most.max(force.abs()));
    if greatest == 0.0 {
        return;
    }
    let site = m.sensor_objid[grid.sensor] as usize;
    let mut distances = vec![(0.0, 0.0); bins(grid)];
    for contact in &d.contact {
        if let Some(taxel) = taxel(m, d, grid, site, contact) {
            let (sum, count) = &mut distances[taxel.index(grid)];
            *sum += taxel.distance;
            *count += 1.0;
        }
    }
    for (column, azimuths) in grid.edges[0].windows(2).enumerate() {
        for (row, elevations) in grid.edges[1].windows(2).enumerate() {
            let bin = Taxel { column, row, distance: 0.0 }.index(grid);
            let (sum, count) = distances[bin];
            if sum == 0.0 {
                continue;
            }
            let mut rgba = [1.0; 4];
            for (k, color) in rgba.iter_mut().take(grid.nchannel.min(3)).enumerate() {
                *color = (reading[k * bins(grid) + bin].abs() / greatest) as f32;
            }
            let tile = tile(d, site, sum / count, azimuths, elevations);
            if !canvas.draw(&tile, rgba, Some(grid.sensor)) {
                return;
            }
        }
    }
}

/// The box that shows a bin, at a distance from the site.
fn tile(d: &Data, site: usize, distance: f64, azimuths: &[f64], elevations: &[f64]) -> Sketch {
    const THICKNESS: f64 = 0.02; // relative to the distance
    let half_width = |edges: &[f64]| distance * 0.5 * (edges[1] - edges[0]);
    let middle = |edges: &[f64]| 0.5 * (edges[1] + edges[0]);
    let (azimuth, elevation, radius) = (middle(azimuths), middle(elevations), distance * (1.0 - THICKNESS));
    let local = [
        radius * elevation.cos() * azimuth.sin(),
        radius * elevation.sin(),
        -radius * elevation.cos() * azimuth.cos(),
    ];
    let axes = &d.site_xmat[site];
    let raised = quat::from_axis_angle(mat3::col(axes, 0), elevation);
    let turned = quat::from_axis_angle(vec3::neg(mat3::col(axes, 1)), azimuth);
    let orientation = quat::mul(turned, quat::mul(raised, quat::from_mat(axes)));
    Sketch::Solid {
        kind: GeomType::Box,
        size: [half_width(azimuths), half_width(elevations), distance * THICKNESS],
        pos: vec3::add(mat3::mul_vec(axes, local), d.site_xpos[site]),
        mat: quat::to_mat(orientation),
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
