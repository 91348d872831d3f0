//! Models for the tests of batches.
#![allow(dead_code)] // each test file uses its own part

#[path = "../../../ligament/tests/support/allocations.rs"]
pub mod allocations;

use ligament_model::Model;

/// Loads a model from text.
pub fn load(text: &str) -> Model {
    let spec = ligament_mjcf::read_str(text, "", "", &ligament_mjcf::assets::NoAssets).unwrap();
    ligament_compile::compile(&spec, &ligament_mjcf::assets::NoAssets).unwrap()
}

/// A walker with limits, contacts, actuators with activations and sensors of all stages.
pub const HUMANLIKE: &str = "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='5 5 1'/>\
    <body name='torso' pos='0 0 .62'><freejoint/><geom name='t' type='capsule' size='.08 .1'/><site name='s'/>\
    <body name='thigh' pos='0 .1 -.15'><joint name='hip' axis='0 1 0' range='-60 60' limited='true' damping='1'/>\
    <geom type='capsule' fromto='0 0 0 0 0 -.2' size='.04'/><body name='shin' pos='0 0 -.22'>\
    <joint name='knee' axis='0 1 0' range='-120 5' limited='true' armature='.01'/>\
    <geom type='capsule' fromto='0 0 0 0 0 -.2' size='.03'/></body></body>\
    <body name='thigh2' pos='0 -.1 -.15'><joint name='hip2' type='ball' range='0 60' limited='true' damping='1'/>\
    <geom type='capsule' fromto='0 0 0 0 0 -.2' size='.04'/></body></body></worldbody>\
    <actuator><motor joint='hip' gear='20'/><position joint='knee' kp='20'/>\
    <general joint='hip' dyntype='filter' dynprm='.05' gainprm='5'/></actuator>\
    <sensor><framepos objtype='body' objname='shin'/><gyro site='s'/><accelerometer site='s'/><touch site='s'/></sensor>\
    <keyframe><key name='up' qpos='0 0 1 1 0 0 0 .1 -.2 1 0 0 0' ctrl='.1 .2 .3'/></keyframe></mujoco>";

/// Things of several kinds that fall onto each other.
pub const PILE: &str = "<mujoco><worldbody><geom type='plane' size='5 5 1'/>\
    <body pos='0 0 .12'><freejoint/><geom type='box' size='.1 .1 .1'/></body>\
    <body pos='.02 0 .31'><freejoint/><geom type='capsule' size='.05 .05' condim='4'/></body>\
    <body pos='.04 0 .5'><freejoint/><geom type='ellipsoid' size='.1 .08 .1'/></body>\
    <body pos='.06 .03 .72'><freejoint/><geom type='cylinder' size='.1 .08' condim='6'/></body></worldbody></mujoco>";

/// Two bodies that come to rest and sleep.
pub const SLEEPY: &str = "<mujoco><option sleep_tolerance='.05'><flag sleep='enable'/></option><worldbody>\
    <geom type='plane' size='5 5 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>\
    <body pos='1 0 .4'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>";
