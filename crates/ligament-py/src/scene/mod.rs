//! Scenes: MuJoCo's `mjv_*` functions. Those with arrays return them; `python/ligament/_scene.py` writes them where the
//! caller wants them.
#![allow(non_snake_case)] // names are MuJoCo's

mod records;

use crate::functions::{Data, Model, fatal, pair, pair_mut};
use ligament_model::enums::GeomType;
use ligament_py_macros::entry;
use ligament_scene as scene;
use ligament_scene::SceneError;
use pyo3::prelude::*;
pub use records::{PyCamera, PyFigure, PyGeom, PyGlCamera, PyLight, PyPerturb, PyScene, PyVisualOption};

type Vec3 = [f64; 3];
type Quat = [f64; 4];

fn check<T>(result: Result<T, SceneError>) -> PyResult<T> {
    result.map_err(fatal)
}

/// Fills a scene from the present state.
#[entry]
#[pyo3(signature = (m, d, opt, pert, cam, catmask, scn))]
fn mjv_updateScene(
    m: &Model<'_>,
    d: &Data<'_>,
    opt: &PyVisualOption,
    pert: Option<&PyPerturb>,
    cam: &PyCamera,
    catmask: i32,
    scn: &PyScene,
) -> PyResult<()> {
    let (model, mut data) = pair_mut(m, d)?; // a warning may be counted
    let none = scene::Perturb::default();
    let pert = pert.map_or(&none, PyPerturb::record);
    let camera = Some(cam.record_mut());
    check(scene::update_scene(&model, &mut data, opt.record(), pert, camera, catmask, scn.scene_mut()))
}

/// Adds geoms of the chosen categories.
#[entry]
#[pyo3(signature = (m, d, opt, pert, catmask, scn))]
fn mjv_addGeoms(
    m: &Model<'_>,
    d: &Data<'_>,
    opt: &PyVisualOption,
    pert: Option<&PyPerturb>,
    catmask: i32,
    scn: &PyScene,
) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let none = scene::Perturb::default();
    let pert = pert.map_or(&none, PyPerturb::record);
    scene::add_geoms(&model, &data, opt.record(), pert, catmask, scn.scene_mut());
    Ok(())
}

/// Lists the lights.
#[entry]
fn mjv_makeLights(m: &Model<'_>, d: &Data<'_>, scn: &PyScene) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    check(scene::make_lights(&model, &data, scn.scene_mut()))
}

/// Sets the cameras of a scene.
#[entry]
fn mjv_updateCamera(m: &Model<'_>, d: &Data<'_>, cam: &PyCamera, scn: &PyScene) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    check(scene::update_camera(&model, &data, cam.record_mut(), scn.scene_mut()))
}

/// Moves skins with their bones.
#[entry]
fn mjv_updateSkin(m: &Model<'_>, d: &Data<'_>, scn: &PyScene) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    if scn.scene().skinvert.len() != 3 * model.nskinvert {
        return Err(fatal("the scene was made for another model"));
    }
    scene::update_skins(&model, &data, &scene::VisualOption::default(), scn.scene_mut());
    Ok(())
}

/// A camera that anyone can move, set so that all of the model is seen.
#[entry]
fn mjv_defaultFreeCamera(m: &Model<'_>, cam: &PyCamera) -> PyResult<()> {
    *cam.record_mut() = scene::Camera::free(&*m.get().read()?);
    Ok(())
}

/// Sets a camera to its defaults.
#[entry]
fn mjv_defaultCamera(cam: &PyCamera) {
    *cam.record_mut() = scene::Camera::default();
}

/// Nothing is selected and nothing pushed.
#[entry]
fn mjv_defaultPerturb(pert: &PyPerturb) {
    *pert.record_mut() = scene::Perturb::default();
}

/// Sets what is drawn to the defaults.
#[entry]
fn mjv_defaultOption(opt: &PyVisualOption) {
    *opt.record_mut() = scene::VisualOption::default();
}

/// Sets a figure to its defaults: empty, with a grid.
#[entry]
fn mjv_defaultFigure(fig: &PyFigure) {
    fig.overwrite(scene::Figure::default());
}

#[entry]
fn _init_geom(
    geom: &PyGeom,
    kind: i32,
    size: Option<Vec3>,
    pos: Option<Vec3>,
    mat: Option<[f64; 9]>,
    rgba: Option<[f32; 4]>,
) {
    geom.record_mut().init(kind, size, pos, mat.as_ref(), rgba);
}

#[entry]
fn _connector(geom: &PyGeom, kind: i32, width: f64, from: Vec3, to: Vec3) -> PyResult<()> {
    let kind = GeomType::try_from(kind).map_err(|kind| fatal(SceneError::Connector(kind)))?;
    check(geom.record_mut().connect(kind, width, from, to))
}

#[entry]
fn _camera_frame(d: &Data<'_>, cam: &PyCamera) -> PyResult<[Vec3; 4]> {
    let view = check(scene::camera_frame(&*d.get().shared.read()?, cam.record()))?;
    Ok([view.pos, view.forward, view.up, view.right])
}

#[entry]
fn _camera_frustum(m: &Model<'_>, cam: &PyCamera) -> PyResult<[[f32; 2]; 3]> {
    let frustum = check(scene::camera_frustum(&*m.get().read()?, cam.record()))?;
    Ok([frustum.vertical, frustum.horizontal, frustum.clip])
}

#[entry]
fn _camera_in_model(scn: &PyScene) -> PyResult<[Vec3; 3]> {
    let view = check(scene::camera_in_model(scn.scene()))?;
    Ok([view.pos, view.forward, view.up])
}

#[entry]
fn _camera_in_room(scn: &PyScene) -> PyResult<[Vec3; 3]> {
    let view = check(scene::camera_in_room(scn.scene()))?;
    Ok([view.pos, view.forward, view.up])
}

#[entry]
fn _room2model(pos: Vec3, quat: Quat, scn: &PyScene) -> PyResult<(Vec3, Quat)> {
    check(scene::room_to_model(pos, quat, scn.scene()))
}

#[entry]
fn _model2room(pos: Vec3, quat: Quat, scn: &PyScene) -> PyResult<(Vec3, Quat)> {
    check(scene::model_to_room(pos, quat, scn.scene()))
}

#[entry]
fn _align_to_camera(vec: Vec3, forward: Vec3) -> Vec3 {
    scene::align_to_camera(vec, forward)
}

/// Height of the view at distance one.
#[entry]
fn mjv_frustumHeight(scn: &PyScene) -> PyResult<f64> {
    check(scene::frustum_height(scn.scene()))
}

/// The camera between two eyes.
#[entry]
fn mjv_averageCamera(cam1: &PyGlCamera, cam2: &PyGlCamera) -> PyResult<PyGlCamera> {
    Ok(PyGlCamera::from(check(scene::average_camera(cam1.record(), cam2.record()))?))
}

/// Moves a camera with the mouse.
#[entry]
fn mjv_moveCamera(
    m: &Model<'_>,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &PyScene,
    cam: &PyCamera,
) -> PyResult<()> {
    check(scene::move_camera(&*m.get().read()?, action, reldx, reldy, scn.scene(), cam.record_mut()))
}

/// Moves what a perturbation aims at with the mouse.
#[entry]
fn mjv_movePerturb(
    m: &Model<'_>,
    d: &Data<'_>,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &PyScene,
    pert: &PyPerturb,
) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    check(scene::move_perturb(&model, &data, action, reldx, reldy, scn.scene(), pert.record_mut()))
}

#[entry]
fn _move_model(
    m: &Model<'_>,
    action: i32,
    reldx: f64,
    reldy: f64,
    roomup: Vec3,
    scn: &PyScene,
) -> PyResult<()> {
    check(scene::move_model(&*m.get().read()?, action, reldx, reldy, roomup, scn.scene_mut()))
}

/// Starts a perturbation of the selected body.
#[entry]
fn mjv_initPerturb(m: &Model<'_>, d: &Data<'_>, scn: &PyScene, pert: &PyPerturb) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    check(scene::init_perturb(&model, &data, scn.scene(), pert.record_mut()))
}

/// Moves the selected body at once.
#[entry]
fn mjv_applyPerturbPose(m: &Model<'_>, d: &Data<'_>, pert: &PyPerturb, flg_paused: i32) -> PyResult<()> {
    let (model, mut data) = pair_mut(m, d)?;
    scene::apply_perturb_pose(&model, &mut data, pert.record(), flg_paused != 0);
    Ok(())
}

/// Pulls the selected body.
#[entry]
fn mjv_applyPerturbForce(m: &Model<'_>, d: &Data<'_>, pert: &PyPerturb) -> PyResult<()> {
    let (model, mut data) = pair_mut(m, d)?;
    scene::apply_perturb_force(&model, &mut data, pert.record());
    Ok(())
}

type Found = (usize, Vec3, [i32; 3]);

/// Body, point, and ids of geom, flex and skin under the mouse.
#[entry]
fn _select(
    m: &Model<'_>,
    d: &Data<'_>,
    vopt: &PyVisualOption,
    aspectratio: f64,
    relx: f64,
    rely: f64,
    scn: &PyScene,
) -> PyResult<Option<Found>> {
    let (model, data) = pair(m, d)?;
    let found = check(scene::select(&model, &data, vopt.record(), aspectratio, relx, rely, scn.scene()))?;
    let id = |x: Option<usize>| x.map_or(-1, |x| x as i32);
    Ok(found.map(|f| (f.body, f.point, [id(f.geom), id(f.flex), id(f.skin)])))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyVisualOption>()?;
    module.add_class::<PyCamera>()?;
    module.add_class::<PyGlCamera>()?;
    module.add_class::<PyPerturb>()?;
    module.add_class::<PyFigure>()?;
    module.add_class::<PyGeom>()?;
    module.add_class::<PyLight>()?;
    module.add_class::<PyScene>()?;
    module.add_function(wrap_pyfunction!(mjv_updateScene, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_addGeoms, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_makeLights, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_updateCamera, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_updateSkin, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_defaultFreeCamera, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_defaultCamera, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_defaultPerturb, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_defaultOption, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_defaultFigure, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_frustumHeight, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_averageCamera, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_moveCamera, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_movePerturb, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_initPerturb, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_applyPerturbPose, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_applyPerturbForce, module)?)?;
    module.add_function(wrap_pyfunction!(_init_geom, module)?)?;
    module.add_function(wrap_pyfunction!(_connector, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_frame, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_frustum, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_in_model, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_in_room, module)?)?;
    module.add_function(wrap_pyfunction!(_room2model, module)?)?;
    module.add_function(wrap_pyfunction!(_model2room, module)?)?;
    module.add_function(wrap_pyfunction!(_align_to_camera, module)?)?;
    module.add_function(wrap_pyfunction!(_move_model, module)?)?;
    module.add_function(wrap_pyfunction!(_select, module)?)
}
