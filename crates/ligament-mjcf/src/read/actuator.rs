//! `<actuator>`: every shortcut becomes gain, bias and dynamics parameters.

use super::Reader;
use super::parts::read_user;
use super::plugin::read_plugin;
use crate::diag::Result;
use crate::keywords as key;
use crate::spec::Actuator;
use crate::xml::Element;
use ligament_model::enums::{BiasType, DynType, GainType, Limited, TrnType};
use std::f64::consts::PI;

/// Elements that default classes know; all of them write one shared actuator.
pub const SHORTCUTS: [&str; 9] =
    ["general", "motor", "position", "velocity", "damper", "intvelocity", "cylinder", "muscle", "adhesion"];

impl Reader<'_> {
    pub(super) fn read_actuator_section(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            let class = self.class_or_main(element)?;
            let mut actuator = self.inherit(&self.spec.classes[class.index()].actuator, element)?;
            actuator.meta = self.meta(element, class);
            read_actuator(element, &mut actuator)?;
            self.spec.actuators.push(actuator);
        }
        Ok(())
    }
}

/// Overwrites what the element sets or implies.
pub fn read_actuator(element: Element<'_>, actuator: &mut Actuator) -> Result<()> {
    element.int("group", &mut actuator.group)?;
    element.int("nsample", &mut actuator.nsample)?;
    element.choose("interp", key::INTERPOLATION, &mut actuator.interp)?;
    element.number("delay", &mut actuator.delay)?;
    element.choose("ctrllimited", key::LIMITED, &mut actuator.ctrllimited)?;
    element.choose("forcelimited", key::LIMITED, &mut actuator.forcelimited)?;
    element.choose("actlimited", key::LIMITED, &mut actuator.actlimited)?;
    element.array("ctrlrange", &mut actuator.ctrlrange)?;
    element.array("forcerange", &mut actuator.forcerange)?;
    element.array("actrange", &mut actuator.actrange)?;
    element.array("lengthrange", &mut actuator.lengthrange)?;
    element.partial("gear", &mut actuator.gear)?;
    read_transmission(element, actuator)?;
    read_force_model(element, actuator)?;
    read_user(element, &mut actuator.userdata)
}

fn read_transmission(element: Element<'_>, actuator: &mut Actuator) -> Result<()> {
    const TARGETS: [(&str, TrnType); 6] = [
        ("joint", TrnType::Joint),
        ("jointinparent", TrnType::Jointinparent),
        ("tendon", TrnType::Tendon),
        ("cranksite", TrnType::Slidercrank),
        ("site", TrnType::Site),
        ("body", TrnType::Body),
    ];
    let mut count = 0;
    for (name, kind) in TARGETS {
        if element.text(name, &mut actuator.target) {
            actuator.trntype = kind;
            count += 1;
        }
    }
    if count > 1 {
        return Err(element.invalid("actuator can have at most one of transmission target"));
    }
    let undefined = actuator.trntype == TrnType::Undefined;
    let cranklength = element.number("cranklength", &mut actuator.cranklength)?;
    let slidersite = element.text("slidersite", &mut actuator.slidersite);
    if (cranklength || slidersite) && actuator.trntype != TrnType::Slidercrank && !undefined {
        let message = "cranklength and slidersite can only be used in slidercrank transmission";
        return Err(element.invalid(message));
    }
    let refsite = element.text("refsite", &mut actuator.refsite);
    if refsite && actuator.trntype != TrnType::Site && !undefined {
        return Err(element.invalid_attr("refsite", "refsite can only be used with site transmission"));
    }
    Ok(())
}

fn read_force_model(element: Element<'_>, actuator: &mut Actuator) -> Result<()> {
    let checked = match element.name() {
        "general" => return read_general(element, actuator),
        "plugin" => return read_plugin_actuator(element, actuator),
        "motor" => {
            set_to_motor(actuator);
            Ok(())
        }
        "position" => {
            let servo = read_servo(element, actuator)?;
            set_to_position(actuator, &servo)
        }
        "intvelocity" => {
            let servo = read_servo(element, actuator)?;
            set_to_intvelocity(actuator, &servo)
        }
        "velocity" => {
            let mut kv = actuator.gainprm[0];
            element.number("kv", &mut kv)?;
            set_to_velocity(actuator, kv);
            Ok(())
        }
        "damper" => {
            let mut kv = 0.0;
            element.number("kv", &mut kv)?;
            set_to_damper(actuator, kv)
        }
        "cylinder" => return read_cylinder(element, actuator),
        "muscle" => {
            let muscle = read_muscle(element, actuator)?;
            set_to_muscle(actuator, &muscle)
        }
        "adhesion" => {
            let mut gain = actuator.gainprm[0];
            element.number("gain", &mut gain)?;
            set_to_adhesion(actuator, gain)
        }
        other => return Err(element.invalid(format!("unrecognized actuator type: {other}"))),
    };
    checked.map_err(|message| element.invalid(message))
}

fn read_general(element: Element<'_>, actuator: &mut Actuator) -> Result<()> {
    element.choose("dyntype", key::DYNAMICS, &mut actuator.dyntype)?;
    element.choose("gaintype", key::GAIN, &mut actuator.gaintype)?;
    element.choose("biastype", key::BIAS, &mut actuator.biastype)?;
    element.flag("actearly", &mut actuator.actearly)?;
    element.partial("dynprm", &mut actuator.dynprm)?;
    element.partial("gainprm", &mut actuator.gainprm)?;
    element.partial("biasprm", &mut actuator.biasprm)?;
    element.int("actdim", &mut actuator.actdim)?;
    element.text("ligament:gain_model", &mut actuator.gain_model);
    if let Some(numbers) = element.numbers("ligament:gain_params")? {
        actuator.gain_params = numbers;
    }
    Ok(())
}

fn read_plugin_actuator(element: Element<'_>, actuator: &mut Actuator) -> Result<()> {
    actuator.plugin = Some(read_plugin(element)?);
    element.choose("dyntype", key::DYNAMICS, &mut actuator.dyntype)?;
    element.flag("actearly", &mut actuator.actearly)?;
    element.partial("dynprm", &mut actuator.dynprm)?;
    element.int("actdim", &mut actuator.actdim)?;
    Ok(())
}

/// Settings of a position or integrated velocity servo.
#[derive(Debug, Clone, Default)]
pub struct Servo {
    pub kp: f64,
    pub kv: Option<f64>,
    pub dampratio: Option<f64>,
    pub timeconst: Option<f64>,
    pub inheritrange: f64,
}

fn read_servo(element: Element<'_>, actuator: &Actuator) -> Result<Servo> {
    let optional = |name: &str| -> Result<Option<f64>> {
        let mut value = 0.0;
        Ok(element.number(name, &mut value)?.then_some(value))
    };
    let mut servo = Servo {
        kp: actuator.gainprm[0],
        kv: optional("kv")?,
        dampratio: optional("dampratio")?,
        timeconst: optional("timeconst")?,
        inheritrange: actuator.inheritrange,
    };
    element.number("kp", &mut servo.kp)?;
    element.number("inheritrange", &mut servo.inheritrange)?;
    Ok(servo)
}

/// Only the first number of `bias` counts, though three are demanded: a quirk of the reference.
fn read_cylinder(element: Element<'_>, actuator: &mut Actuator) -> Result<()> {
    let mut bias = [actuator.biasprm[0], 0.0, 0.0];
    let (mut timeconst, mut area, mut diameter) = (actuator.dynprm[0], actuator.gainprm[0], -1.0);
    element.number("timeconst", &mut timeconst)?;
    element.array("bias", &mut bias)?;
    element.number("area", &mut area)?;
    element.number("diameter", &mut diameter)?;
    set_to_cylinder(actuator, timeconst, bias[0], area, diameter);
    Ok(())
}

fn read_muscle(element: Element<'_>, actuator: &Actuator) -> Result<Muscle> {
    let mut muscle = Muscle { tausmooth: actuator.dynprm[2], ..Muscle::default() };
    element.array("timeconst", &mut muscle.timeconst)?;
    element.number("tausmooth", &mut muscle.tausmooth)?;
    element.array("range", &mut muscle.range)?;
    element.number("force", &mut muscle.force)?;
    element.number("scale", &mut muscle.scale)?;
    element.number("lmin", &mut muscle.lmin)?;
    element.number("lmax", &mut muscle.lmax)?;
    element.number("vmax", &mut muscle.vmax)?;
    element.number("fpmax", &mut muscle.fpmax)?;
    element.number("fvmax", &mut muscle.fvmax)?;
    Ok(muscle)
}

type Checked = std::result::Result<(), &'static str>;

/// Direct drive.
pub fn set_to_motor(actuator: &mut Actuator) {
    actuator.gainprm[0] = 1.0;
    actuator.dyntype = DynType::None;
    actuator.gaintype = GainType::Fixed;
    actuator.biastype = BiasType::None;
}

/// Position servo; a positive `biasprm[2]` is a damping ratio that the compiler turns into damping.
pub fn set_to_position(actuator: &mut Actuator, servo: &Servo) -> Checked {
    actuator.gainprm[0] = servo.kp;
    actuator.biasprm[1] = -servo.kp;
    if servo.kv.is_some() && servo.dampratio.is_some() {
        return Err("kv and dampratio cannot both be defined");
    }
    if let Some(kv) = servo.kv {
        if kv < 0.0 {
            return Err("kv cannot be negative");
        }
        actuator.biasprm[2] = -kv;
    }
    if let Some(dampratio) = servo.dampratio {
        if dampratio < 0.0 {
            return Err("dampratio cannot be negative");
        }
        actuator.biasprm[2] = dampratio;
    }
    if let Some(timeconst) = servo.timeconst {
        if timeconst < 0.0 {
            return Err("timeconst cannot be negative");
        }
        actuator.dynprm[0] = timeconst;
        actuator.dyntype = if timeconst == 0.0 { DynType::None } else { DynType::Filterexact };
    }
    actuator.inheritrange = servo.inheritrange;
    if servo.inheritrange > 0.0 && actuator.ctrlrange != [0.0; 2] {
        return Err("ctrlrange and inheritrange cannot both be defined");
    }
    actuator.gaintype = GainType::Fixed;
    actuator.biastype = BiasType::Affine;
    Ok(())
}

/// Integrated velocity servo. Complaints of the position servo are not raised, as in the reference, but they
/// leave the settings where they stopped.
pub fn set_to_intvelocity(actuator: &mut Actuator, servo: &Servo) -> Checked {
    let _ = set_to_position(actuator, servo);
    actuator.dyntype = DynType::Integrator;
    actuator.actlimited = Limited::True;
    if servo.inheritrange > 0.0 && actuator.actrange != [0.0; 2] {
        return Err("actrange and inheritrange cannot both be defined");
    }
    Ok(())
}

/// Velocity servo.
pub fn set_to_velocity(actuator: &mut Actuator, kv: f64) {
    actuator.biasprm = [0.0; 10];
    actuator.gainprm[0] = kv;
    actuator.biasprm[2] = -kv;
    actuator.dyntype = DynType::None;
    actuator.gaintype = GainType::Fixed;
    actuator.biastype = BiasType::Affine;
}

/// Damping proportional to the control.
pub fn set_to_damper(actuator: &mut Actuator, kv: f64) -> Checked {
    actuator.gainprm = [0.0; 10];
    actuator.gainprm[2] = -kv;
    actuator.ctrllimited = Limited::True;
    actuator.dyntype = DynType::None;
    actuator.gaintype = GainType::Affine;
    actuator.biastype = BiasType::None;
    if kv < 0.0 {
        return Err("damping coefficient cannot be negative");
    }
    if actuator.ctrlrange.iter().any(|r| *r < 0.0) {
        return Err("damper control range cannot be negative");
    }
    Ok(())
}

/// Pneumatic or hydraulic cylinder; a diameter of zero or more decides the area.
pub fn set_to_cylinder(actuator: &mut Actuator, timeconst: f64, bias: f64, area: f64, diameter: f64) {
    actuator.dynprm[0] = timeconst;
    actuator.biasprm[0] = bias;
    actuator.gainprm[0] = if diameter >= 0.0 { PI / 4.0 * diameter * diameter } else { area };
    actuator.dyntype = DynType::Filter;
    actuator.gaintype = GainType::Fixed;
    actuator.biastype = BiasType::Affine;
}

/// Settings of a muscle; negative: keep what the class has.
#[derive(Debug, Clone)]
pub struct Muscle {
    pub timeconst: [f64; 2],
    pub tausmooth: f64,
    pub range: [f64; 2],
    pub force: f64,
    pub scale: f64,
    pub lmin: f64,
    pub lmax: f64,
    pub vmax: f64,
    pub fpmax: f64,
    pub fvmax: f64,
}

impl Default for Muscle {
    fn default() -> Self {
        Self {
            timeconst: [-1.0; 2],
            tausmooth: 0.0,
            range: [-1.0; 2],
            force: -1.0,
            scale: -1.0,
            lmin: -1.0,
            lmax: -1.0,
            vmax: -1.0,
            fpmax: -1.0,
            fvmax: -1.0,
        }
    }
}

/// Muscle: parameters that still have the general defaults get those of muscles.
pub fn set_to_muscle(actuator: &mut Actuator, muscle: &Muscle) -> Checked {
    replace_default(&mut actuator.dynprm[0], 1.0, 0.01);
    replace_default(&mut actuator.dynprm[1], 0.0, 0.04);
    replace_default(&mut actuator.gainprm[0], 1.0, 0.75);
    const GAIN: [f64; 8] = [1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
    for (parameter, default) in actuator.gainprm[1..].iter_mut().zip(GAIN) {
        replace_default(parameter, 0.0, default);
    }
    if muscle.tausmooth < 0.0 {
        return Err("muscle tausmooth cannot be negative");
    }
    actuator.dynprm[2] = muscle.tausmooth;
    replace_given(&mut actuator.dynprm, &muscle.timeconst);
    let given = [
        muscle.range[0],
        muscle.range[1],
        muscle.force,
        muscle.scale,
        muscle.lmin,
        muscle.lmax,
        muscle.vmax,
        muscle.fpmax,
        muscle.fvmax,
    ];
    replace_given(&mut actuator.gainprm, &given);
    actuator.biasprm[..9].copy_from_slice(&actuator.gainprm[..9]);
    actuator.dyntype = DynType::Muscle;
    actuator.gaintype = GainType::Muscle;
    actuator.biastype = BiasType::Muscle;
    Ok(())
}

fn replace_default(parameter: &mut f64, general: f64, muscle: f64) {
    if *parameter == general {
        *parameter = muscle;
    }
}

fn replace_given(parameters: &mut [f64], given: &[f64]) {
    for (parameter, &value) in parameters.iter_mut().zip(given) {
        if value >= 0.0 {
            *parameter = value;
        }
    }
}

/// Adhesion.
pub fn set_to_adhesion(actuator: &mut Actuator, gain: f64) -> Checked {
    actuator.gainprm[0] = gain;
    actuator.ctrllimited = Limited::True;
    actuator.gaintype = GainType::Fixed;
    actuator.biastype = BiasType::None;
    if gain < 0.0 {
        return Err("adhesion gain cannot be negative");
    }
    if actuator.ctrlrange.iter().any(|r| *r < 0.0) {
        return Err("adhesion control range cannot be negative");
    }
    Ok(())
}
