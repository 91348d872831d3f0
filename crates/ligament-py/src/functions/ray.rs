//! Rays, and delay buffers.

use super::arrays::{Output, input, slot, vector};
use super::{Data, Model, fatal, index, pair, pair_mut};
use ligament_geom::ray::{Hit, Pose, Ray};
use ligament_model::enums::GeomType;
use ligament_py_macros::entry;
use ligament_sim::history;
use ligament_sim::ray::{self, FlexParts, RayFilter};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

fn groups(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<[u8; 6]>> {
    value.map(|value| vector::<6>(value, "geomgroup").map(|g| g.map(|x| u8::from(x != 0.0)))).transpose()
}

/// Writes ids into an array of int32.
fn write_ids(target: &Bound<'_, PyAny>, name: &str, ids: &[i32]) -> PyResult<()> {
    let array = target
        .cast::<PyArrayDyn<i32>>()
        .map_err(|_| PyTypeError::new_err(format!("{name} should be an int32 numpy array")))?;
    let mut array =
        array.try_readwrite().map_err(|_| PyTypeError::new_err(format!("{name} should be writable")))?;
    let slice = array.as_slice_mut()?;
    if slice.len() != ids.len() {
        return Err(PyTypeError::new_err(format!("{name} should have {} elements", ids.len())));
    }
    slice.copy_from_slice(ids);
    Ok(())
}

/// Distance along a ray to the nearest geom, -1 if there is none.
#[entry]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal = None))]
fn mj_ray<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    pnt: &Bound<'py, PyAny>,
    vec: &Bound<'py, PyAny>,
    geomgroup: Option<&Bound<'py, PyAny>>,
    flg_static: i32,
    bodyexclude: i32,
    geomid: Option<&Bound<'py, PyAny>>,
    normal: Option<&Bound<'py, PyAny>>,
) -> PyResult<f64> {
    let along = Ray { origin: vector(pnt, "pnt")?, direction: vector(vec, "vec")? };
    if ligament_math::vec3::norm(along.direction) < ligament_math::MINVAL {
        return Err(fatal("vector length is too small"));
    }
    let groups = groups(geomgroup)?;
    let filter =
        RayFilter { groups: groups.as_ref(), include_static: flg_static != 0, exclude_body: bodyexclude };
    let (model, data) = pair(m, d)?;
    let found = ray::ray(&model, &data, &along, &filter);
    if let Some(target) = geomid {
        write_ids(target, "geomid", &[found.map_or(-1, |f| f.geom as i32)])?;
    }
    if let Some(mut out) = Output::optional(normal, "normal", 3)? {
        out.slice().copy_from_slice(&found.map_or([0.0; 3], |f| f.hit.normal));
    }
    Ok(found.map_or(-1.0, |f| f.hit.distance))
}

/// Distance along a ray to a flex, -1 if it misses; which parts of the flex it can meet is chosen as for drawing.
#[entry]
#[pyo3(signature = (m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid = None,
                    normal = None))]
fn mj_rayFlex<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    flex_layer: i32,
    flg_vert: i32,
    flg_edge: i32,
    flg_face: i32,
    flg_skin: i32,
    flexid: i64,
    pnt: &Bound<'py, PyAny>,
    vec: &Bound<'py, PyAny>,
    vertid: Option<&Bound<'py, PyAny>>,
    normal: Option<&Bound<'py, PyAny>>,
) -> PyResult<f64> {
    let (model, data) = pair(m, d)?;
    let flex = index(flexid, model.nflex, "flex")?;
    let along = Ray { origin: vector(pnt, "pnt")?, direction: vector(vec, "vec")? };
    let parts = FlexParts {
        layer: flex_layer,
        vertices: flg_vert != 0,
        edges: flg_edge != 0,
        faces: flg_face != 0,
        skin: flg_skin != 0,
    };
    let found = ray::ray_flex(&model, &data, flex, parts, &along);
    if let (Some(target), Some((_, vertex))) = (vertid, found) {
        write_ids(target, "vertid", &[vertex as i32])?;
    }
    if let Some(mut out) = Output::optional(normal, "normal", 3)? {
        out.slice().copy_from_slice(&found.map_or([0.0; 3], |(hit, _)| hit.normal));
    }
    Ok(found.map_or(-1.0, |(hit, _)| hit.distance))
}

/// Many rays from one point.
#[entry]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal, nray, cutoff))]
fn mj_multiRay<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    pnt: &Bound<'py, PyAny>,
    vec: &Bound<'py, PyAny>,
    geomgroup: Option<&Bound<'py, PyAny>>,
    flg_static: i32,
    bodyexclude: i32,
    geomid: Option<&Bound<'py, PyAny>>,
    dist: &Bound<'py, PyAny>,
    normal: Option<&Bound<'py, PyAny>>,
    nray: usize,
    cutoff: f64,
) -> PyResult<()> {
    let flat = input(vec, "vec", nray.saturating_mul(3))?;
    let (directions, _) = flat.as_chunks::<3>();
    let groups = groups(geomgroup)?;
    let filter =
        RayFilter { groups: groups.as_ref(), include_static: flg_static != 0, exclude_body: bodyexclude };
    let mut dist = Output::new(dist, "dist", nray)?;
    let mut normal = Output::optional(normal, "normal", nray.saturating_mul(3))?;
    let (dist, mut normal) = (dist.slice(), slot(&mut normal));
    let mut ids = vec![-1; nray];
    let (model, data) = pair(m, d)?;
    let mut scratch = ray::MultiRay { left: data.effort_of_calls(), ..Default::default() };
    ray::multi_ray(
        &model,
        &data,
        &mut scratch,
        vector(pnt, "pnt")?,
        directions,
        &filter,
        cutoff,
        |i, found| {
            dist[i] = found.map_or(-1.0, |f| f.hit.distance);
            ids[i] = found.map_or(-1, |f| f.geom as i32);
            if let Some(normal) = normal.as_deref_mut() {
                normal[3 * i..3 * i + 3].copy_from_slice(&found.map_or([0.0; 3], |f| f.hit.normal));
            }
        },
    );
    if scratch.left == 0 {
        return Err(fatal(
            "the rays take too long: cast fewer at once, or raise the limit (`data.set_limits(effort=...)`)",
        ));
    }
    geomid.map_or(Ok(()), |target| write_ids(target, "geomid", &ids))
}

/// Writes the normal, if asked for, and returns the distance; -1 when nothing was hit.
fn report(hit: Option<Hit>, normal: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
    if let Some(mut out) = Output::optional(normal, "normal", 3)? {
        out.slice().copy_from_slice(&hit.map_or([0.0; 3], |hit| hit.normal));
    }
    Ok(hit.map_or(-1.0, |hit| hit.distance))
}

/// The geom with this id, which must be of one of these kinds.
fn geom_of(m: &Model<'_>, id: i64, kinds: &[GeomType]) -> PyResult<usize> {
    let model = m.get().read()?;
    let geom = index(id, model.ngeom, "geom")?;
    let fits = kinds.iter().any(|&kind| model.geom_type[geom] == kind as i32);
    if fits { Ok(geom) } else { Err(fatal(format!("geom {geom} has the wrong type for this ray function"))) }
}

/// Distance along a ray to a mesh geom, -1 if it misses.
#[entry]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal = None))]
fn mj_rayMesh<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    geomid: i64,
    pnt: &Bound<'py, PyAny>,
    vec: &Bound<'py, PyAny>,
    normal: Option<&Bound<'py, PyAny>>,
) -> PyResult<f64> {
    let geom = geom_of(m, geomid, &[GeomType::Mesh, GeomType::Sdf])?;
    let along = Ray { origin: vector(pnt, "pnt")?, direction: vector(vec, "vec")? };
    let (model, data) = pair(m, d)?;
    report(ray::ray_mesh(&model, &data, geom, &along), normal)
}

/// Distance along a ray to a height-field geom, -1 if it misses.
#[entry]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal = None))]
fn mj_rayHfield<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    geomid: i64,
    pnt: &Bound<'py, PyAny>,
    vec: &Bound<'py, PyAny>,
    normal: Option<&Bound<'py, PyAny>>,
) -> PyResult<f64> {
    let geom = geom_of(m, geomid, &[GeomType::Hfield])?;
    let along = Ray { origin: vector(pnt, "pnt")?, direction: vector(vec, "vec")? };
    let (model, data) = pair(m, d)?;
    report(ray::ray_hfield(&model, &data, geom, &along), normal)
}

/// Distance along a ray to a primitive shape, -1 if it misses.
#[entry]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal = None))]
fn mju_rayGeom<'py>(
    pos: &Bound<'py, PyAny>,
    mat: &Bound<'py, PyAny>,
    size: &Bound<'py, PyAny>,
    pnt: &Bound<'py, PyAny>,
    vec: &Bound<'py, PyAny>,
    geomtype: i32,
    normal: Option<&Bound<'py, PyAny>>,
) -> PyResult<f64> {
    let kind =
        GeomType::try_from(geomtype).ok().filter(|&kind| kind <= GeomType::Box && kind != GeomType::Hfield);
    let kind = kind.ok_or_else(|| fatal(format!("unexpected geom type {geomtype}")))?;
    let pose = Pose { pos: vector(pos, "pos")?, mat: vector(mat, "mat")? };
    let along = Ray { origin: vector(pnt, "pnt")?, direction: vector(vec, "vec")? };
    report(ray::ray_primitive(&pose, vector(size, "size")?, kind, &along), normal)
}

/// Value of a sensor at a time, after delay. It is always written to `result`, which is returned.
#[entry]
fn mj_readSensor<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    id: i64,
    time: f64,
    result: &Bound<'py, PyAny>,
    interp: i32,
) -> PyResult<Bound<'py, PyAny>> {
    let (model, data) = pair(m, d)?;
    let id = index(id, model.nsensor, "sensor")?;
    let (start, dim) = (model.sensor_adr[id] as usize, model.sensor_dim[id] as usize);
    let mut out = Output::new(result, "result", dim)?;
    let out = out.slice();
    let interpolation = (interp >= 0).then_some(interp);
    if !history::read_sensor_into(&model, &data.history, id, time, interpolation, out) {
        out.copy_from_slice(&data.sensordata[start..start + dim]);
    }
    Ok(result.clone())
}

/// Fills the delay buffer of a sensor.
#[entry]
#[pyo3(signature = (m, d, id, times, values, phase))]
fn mj_initSensorHistory<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    id: i64,
    times: Option<&Bound<'py, PyAny>>,
    values: &Bound<'py, PyAny>,
    phase: f64,
) -> PyResult<()> {
    let (model, mut data) = pair_mut(m, d)?;
    let id = index(id, model.nsensor, "sensor")?;
    let n = model.sensor_history[id][0].max(0) as usize;
    let times = times.map(|t| input(t, "times", n)).transpose()?;
    let values = input(values, "values", n * model.sensor_dim[id] as usize)?;
    history::init_sensor(&model, &mut data, id, times.as_deref(), &values, phase).map_err(fatal)
}

/// Control of an actuator as its force sees it at a time, after delay.
#[entry]
fn mj_readCtrl(m: &Model<'_>, d: &Data<'_>, id: i64, time: f64, interp: i32) -> PyResult<f64> {
    let (model, data) = pair(m, d)?;
    let id = index(id, model.nu, "actuator")?;
    Ok(history::read_ctrl(&model, &data, id, time, (interp >= 0).then_some(interp)))
}

/// Fills the delay buffer of an actuator.
#[entry]
#[pyo3(signature = (m, d, id, times, values))]
fn mj_initCtrlHistory<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    id: i64,
    times: Option<&Bound<'py, PyAny>>,
    values: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let (model, mut data) = pair_mut(m, d)?;
    let id = index(id, model.nu, "actuator")?;
    let n = model.actuator_history[id][0].max(0) as usize;
    let times = times.map(|t| input(t, "times", n)).transpose()?;
    let values = input(values, "values", n)?;
    history::init_ctrl(&model, &mut data, id, times.as_deref(), &values).map_err(fatal)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_ray, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rayFlex, module)?)?;
    module.add_function(wrap_pyfunction!(mj_multiRay, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rayMesh, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rayHfield, module)?)?;
    module.add_function(wrap_pyfunction!(mju_rayGeom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_readSensor, module)?)?;
    module.add_function(wrap_pyfunction!(mj_initSensorHistory, module)?)?;
    module.add_function(wrap_pyfunction!(mj_readCtrl, module)?)?;
    module.add_function(wrap_pyfunction!(mj_initCtrlHistory, module)?)
}
