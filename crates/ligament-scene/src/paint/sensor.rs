//! Sensors that show where they measure: rangefinders, distances, tactile meshes.

use super::Painter;
use super::bvh::LINE_WIDTH;
use crate::Geom;
use crate::geom::single;
use ligament_geom::ray::Ray;
use ligament_math::{MINVAL, Vec3, mat3, vec3};
use ligament_model::enums::{CatBit, GeomType, ObjType, Projection, RayDataField, SensorType, VisFlag};
use ligament_sim::sensor::camera::{intrinsics, pixel_ray};

/// Numbers of each field of a ray's reading.
const FIELD_SIZES: [usize; 6] = [1, 3, 3, 3, 3, 1];

/// Which numbers a rangefinder reports for each ray.
#[derive(Clone, Copy)]
struct Layout(i32);

impl Layout {
    fn address(self, field: RayDataField) -> Option<usize> {
        let present = |k: usize| self.0 >> k & 1 == 1;
        let before = (0..field as usize).filter(|&k| present(k)).map(|k| FIELD_SIZES[k]).sum();
        present(field as usize).then_some(before)
    }

    fn size(self) -> usize {
        (0..FIELD_SIZES.len()).filter(|k| self.0 >> k & 1 == 1).map(|k| FIELD_SIZES[k]).sum()
    }

    fn vector(self, field: RayDataField, reading: &[f64]) -> Option<Vec3> {
        let at = self.address(field)?;
        Some([reading[at], reading[at + 1], reading[at + 2]])
    }
}

impl Painter<'_> {
    pub(super) fn rangefinders(&mut self) {
        if !self.shows(VisFlag::Rangefinder) {
            return;
        }
        let (m, d) = (self.m, self.d);
        for sensor in 0..m.nsensor {
            let reading = &d.sensordata[m.sensor_adr[sensor] as usize..];
            match SensorType::try_from(m.sensor_type[sensor]) {
                Ok(SensorType::Rangefinder) => self.rangefinder(sensor, reading),
                Ok(SensorType::Geomfromto) if reading[..6].iter().any(|&x| x != 0.0) => {
                    let ends = [[reading[0], reading[1], reading[2]], [reading[3], reading[4], reading[5]]];
                    self.measured_line(sensor, ends);
                }
                _ => {}
            }
        }
    }

    fn measured_line(&mut self, sensor: usize, ends: [Vec3; 2]) {
        let geom = self.blank(sensor, CatBit::Decor, ObjType::Sensor);
        self.connect_colored(geom, GeomType::Line, LINE_WIDTH, ends, self.m.vis.rgba.rangefinder);
    }

    fn rangefinder(&mut self, sensor: usize, reading: &[f64]) {
        let (m, d) = (self.m, self.d);
        let layout = Layout(m.sensor_intprm[sensor][0]);
        let id = m.sensor_objid[sensor] as usize;
        if m.sensor_objtype[sensor] == ObjType::Site as i32 {
            let along = Ray { origin: d.site_xpos[id], direction: mat3::col(&d.site_xmat[id], 2) };
            self.measured_ray(sensor, layout, reading, &along, 1.5);
        } else if m.sensor_objtype[sensor] == ObjType::Camera as i32 {
            let [columns, rows] = m.cam_resolution[id].map(|n| n as usize);
            let view = intrinsics(m, id);
            let orthographic = m.cam_projection[id] == Projection::Orthographic as i32;
            for pixel in 0..rows * columns {
                let (row, column) = (pixel / columns, pixel % columns);
                let along = pixel_ray(&view, orthographic, d.cam_xpos[id], &d.cam_xmat[id], column, row);
                self.measured_ray(sensor, layout, &reading[pixel * layout.size()..], &along, 1.3);
            }
        }
    }

    /// The ray up to where it hit, the point, and the normal, as far as they were measured.
    fn measured_ray(&mut self, sensor: usize, layout: Layout, reading: &[f64], along: &Ray, dot: f64) {
        let (length, width) = self.frame_size();
        let rgba = self.m.vis.rgba.rangefinder;
        let distance = layout.address(RayDataField::Dist).map_or(-1.0, |at| reading[at]);
        let mut point = [0.0; 3];
        if distance >= 0.0 {
            point = std::array::from_fn(|k| along.origin[k] + along.direction[k] * distance);
            self.measured_line(sensor, [along.origin, point]);
        }
        if let Some(measured) = layout.vector(RayDataField::Point, reading).filter(|p| *p != [0.0; 3]) {
            point = measured;
            let geom = self.blank(sensor, CatBit::Decor, ObjType::Sensor);
            let size = [(dot * width) as f32; 3];
            self.push(Geom { kind: GeomType::Sphere as i32, size, pos: single(point), rgba, ..geom });
        }
        if (distance >= 0.0 || point != [0.0; 3])
            && let Some(normal) = layout.vector(RayDataField::Normal, reading)
        {
            let geom = self.blank(sensor, CatBit::Decor, ObjType::Sensor);
            let ends = [point, vec3::add_scaled(point, normal, 2.0 * length)];
            self.connect_colored(geom, GeomType::Arrow1, width, ends, rgba);
        }
    }

    /// Triangles of tactile meshes, coloured by the forces they feel.
    pub(super) fn tactile_sensors(&mut self) {
        if !self.shows(VisFlag::Contactpoint) {
            return;
        }
        let (m, d) = (self.m, self.d);
        for sensor in (0..m.nsensor).filter(|&i| m.sensor_type[i] == SensorType::Tactile as i32) {
            let (mesh, geom) = (m.sensor_objid[sensor] as usize, m.sensor_refid[sensor] as usize);
            let count = m.mesh_vertnum[mesh] as usize;
            let reading = &d.sensordata[m.sensor_adr[sensor] as usize..];
            let reading = &reading[..m.sensor_dim[sensor] as usize];
            let largest = reading[..count].iter().fold(0.0, |a: f64, x| a.max(x.abs()));
            if largest == 0.0 || m.geom_rbound[geom] < MINVAL {
                continue;
            }
            let vertices = &m.mesh_vert[m.mesh_vertadr[mesh] as usize..];
            let first = m.mesh_faceadr[mesh] as usize;
            for face in &m.mesh_face[first..first + m.mesh_facenum[mesh] as usize] {
                let corners = face.map(|v| {
                    let local = vertices[v as usize].map(f64::from);
                    vec3::add(mat3::mul_vec(&d.geom_xmat[geom], local), d.geom_xpos[geom])
                });
                let mut shape = self.blank(sensor, CatBit::Decor, ObjType::Sensor);
                shape.span(corners, pressure_color(reading, count, face, largest));
                self.push(shape);
            }
        }
    }
}

/// Mean over the corners that feel anything, by channel, relative to the largest normal force.
fn pressure_color(reading: &[f64], count: usize, face: &[i32; 3], largest: f64) -> [f32; 4] {
    let mut rgba = [0.0f32, 0.0, 0.0, 1.0];
    for (channel, values) in reading.chunks_exact(count).take(3).enumerate() {
        let mut felt = 0.0;
        for &v in face {
            let value = values[v as usize];
            rgba[channel] = (f64::from(rgba[channel]) + value.abs() / largest) as f32;
            if value != 0.0 {
                felt += 1.0;
            }
        }
        if felt != 0.0 {
            rgba[channel] = (f64::from(rgba[channel]) / felt) as f32;
        }
    }
    if rgba[..3] == [0.0; 3] {
        rgba[3] = 0.1;
    }
    rgba
}
