//! Sensors that look: projection of a point into a camera, and rangefinders on sites and cameras.

use crate::ray::{GeomHit, RayFilter, multi_ray, ray_within};
use crate::workspace::Sensor as Scratch;
use ligament_geom::ray::Ray;
use ligament_math::{MINVAL, Mat3, Vec3, mat3, vec3};
use ligament_model::constants::MAXVAL;
use ligament_model::enums::{ObjType, Projection, RayDataField};
use ligament_model::{Data, Model};

/// Focal lengths and principal point in pixels, and the height of an orthographic view in length units.
pub struct Intrinsics {
    /// Focal lengths in pixels.
    pub focal: [f64; 2],
    /// Principal point in pixels.
    pub center: [f64; 2],
    /// Height of the view of an orthographic camera.
    pub extent: f64,
}

/// A pinhole with a sensor of known size; computed in single precision, as the model stores it.
fn from_sensor_size(m: &Model, camera: usize, entry: usize) -> f64 {
    let axis = entry % 2;
    let pixels = m.cam_resolution[camera][axis] as f32;
    f64::from(m.cam_intrinsic[camera][entry] / m.cam_sensorsize[camera][axis] * pixels)
}

fn has_sensor_size(m: &Model, camera: usize) -> bool {
    m.cam_sensorsize[camera].iter().all(|&x| x != 0.0)
}

fn focal_from_fovy(m: &Model, camera: usize) -> f64 {
    let half_angle = m.cam_fovy[camera] * std::f64::consts::PI / 360.0;
    0.5 / half_angle.tan() * f64::from(m.cam_resolution[camera][1])
}

/// How a camera projects.
pub fn intrinsics(m: &Model, camera: usize) -> Intrinsics {
    let half = m.cam_resolution[camera].map(|n| f64::from(n) / 2.0);
    let extent = m.cam_fovy[camera];
    if m.cam_projection[camera] == Projection::Orthographic as i32 {
        return Intrinsics { focal: half, center: half, extent };
    }
    if has_sensor_size(m, camera) {
        let entry = |k| from_sensor_size(m, camera, k);
        Intrinsics { focal: [entry(0), entry(1)], center: [entry(2), entry(3)], extent }
    } else {
        Intrinsics { focal: [focal_from_fovy(m, camera); 2], center: half, extent }
    }
}

/// Pixel coordinates of a point.
pub fn project(m: &Model, d: &Data, camera: usize, point: Vec3) -> [f64; 2] {
    let focal = if has_sensor_size(m, camera) {
        [from_sensor_size(m, camera, 0), from_sensor_size(m, camera, 1)]
    } else {
        [focal_from_fovy(m, camera); 2]
    };
    let center = m.cam_resolution[camera].map(|n| f64::from(n) / 2.0);
    // as a homogeneous product, like the reference: a row of the projection matrix is a sum of scaled axes
    let (axes, origin) = (&d.cam_xmat[camera], d.cam_xpos[camera]);
    let coordinate = |scaled_axes: &[(f64, usize)]| {
        let (mut linear, mut constant) = ([0.0; 3], 0.0);
        for &(scale, axis) in scaled_axes {
            let axis = mat3::col(axes, axis);
            for k in 0..3 {
                linear[k] += scale * axis[k];
                constant += scale * axis[k] * -origin[k];
            }
        }
        vec3::dot(linear, point) + constant
    };
    let z = coordinate(&[(1.0, 2)]);
    let depth = if z.abs() < MINVAL { MINVAL.copysign(z) } else { z };
    let pixels = [[(-focal[0], 0), (center[0], 2)], [(focal[1], 1), (center[1], 2)]];
    pixels.map(|scaled_axes| coordinate(&scaled_axes) / depth)
}

/// Ray through the centre of a pixel; row 0 is the top of the image.
pub fn pixel_ray(
    view: &Intrinsics,
    orthographic: bool,
    pos: Vec3,
    mat: &Mat3,
    col: usize,
    row: usize,
) -> Ray {
    let x = (col as f64 + 0.5 - view.center[0]) / view.focal[0];
    let y = -(row as f64 + 0.5 - view.center[1]) / view.focal[1];
    if orthographic {
        let half = view.extent / 2.0;
        let offset = mat3::mul_vec(mat, [x * half, y * half, 0.0]);
        Ray { origin: vec3::add(pos, offset), direction: vec3::neg(mat3::col(mat, 2)) }
    } else {
        Ray { origin: pos, direction: vec3::unit(mat3::mul_vec(mat, [x, y, -1.0])) }
    }
}

/// Writes the requested fields of one ray and gives the rest of the output.
///
/// `viewpoint` is a camera's position and z axis: its depth is measured along that axis.
fn write_ray<'a>(
    out: &'a mut [f64],
    fields: i32,
    along: &Ray,
    found: Option<GeomHit>,
    viewpoint: Option<(Vec3, Vec3)>,
) -> &'a mut [f64] {
    let point = found.map_or([0.0; 3], |f| along.at(f.hit.distance));
    let distance = found.map_or(-1.0, |f| f.hit.distance);
    let depth = match (found, viewpoint) {
        (Some(_), Some((eye, z_axis))) => -vec3::dot(vec3::sub(point, eye), z_axis),
        _ => distance,
    };
    let direction = found.map_or([0.0; 3], |_| along.direction);
    let normal = found.map_or([0.0; 3], |f| f.hit.normal);
    let parts: [(RayDataField, &[f64]); 6] = [
        (RayDataField::Dist, &[distance]),
        (RayDataField::Dir, &direction),
        (RayDataField::Origin, &along.origin),
        (RayDataField::Point, &point),
        (RayDataField::Normal, &normal),
        (RayDataField::Depth, &[depth]),
    ];
    let mut rest = out;
    for (_, value) in parts.iter().filter(|(field, _)| fields >> *field as i32 & 1 == 1) {
        let (head, tail) = rest.split_at_mut(value.len());
        head.copy_from_slice(value);
        rest = tail;
    }
    rest
}

pub(super) fn rangefinder(m: &Model, d: &Data, sensor: usize, scratch: &mut Scratch, out: &mut [f64]) {
    let fields = m.sensor_intprm[sensor][0];
    let id = m.sensor_objid[sensor] as usize;
    if m.sensor_objtype[sensor] == ObjType::Site as i32 {
        let along = Ray { origin: d.site_xpos[id], direction: mat3::col(&d.site_xmat[id], 2) };
        let filter = RayFilter { exclude_body: m.site_bodyid[id], ..RayFilter::ALL };
        write_ray(out, fields, &along, ray_within(m, d, &along, &filter, &mut scratch.rays.left), None);
    } else {
        depth_image(m, d, id, fields, scratch, out);
    }
}

/// Rays whose directions are computed at a time.
const RAYS: usize = 4096;

/// One ray for every pixel, row by row.
fn depth_image(m: &Model, d: &Data, camera: usize, fields: i32, scratch: &mut Scratch, out: &mut [f64]) {
    let (pos, mat) = (d.cam_xpos[camera], d.cam_xmat[camera]);
    let [width, height] = m.cam_resolution[camera].map(|n| n as usize);
    let view = intrinsics(m, camera);
    let orthographic = m.cam_projection[camera] == Projection::Orthographic as i32;
    let filter = RayFilter { exclude_body: m.cam_bodyid[camera], ..RayFilter::ALL };
    let viewpoint = Some((pos, mat3::col(&mat, 2)));
    let mut pixels = (0..height).flat_map(|row| (0..width).map(move |col| (col, row)));
    let mut rest = out;
    if orthographic {
        for (col, row) in pixels {
            let along = pixel_ray(&view, true, pos, &mat, col, row);
            rest = write_ray(
                rest,
                fields,
                &along,
                ray_within(m, d, &along, &filter, &mut scratch.rays.left),
                viewpoint,
            );
        }
        return;
    }
    loop {
        let directions = &mut scratch.directions;
        directions.clear();
        let next = pixels.by_ref().take(RAYS);
        directions.extend(next.map(|(c, r)| pixel_ray(&view, false, pos, &mat, c, r).direction));
        if directions.is_empty() {
            return;
        }
        multi_ray(m, d, &mut scratch.rays, pos, directions, &filter, MAXVAL, |i, found| {
            let along = Ray { origin: pos, direction: directions[i] };
            rest = write_ray(std::mem::take(&mut rest), fields, &along, found, viewpoint);
        });
    }
}
