//! `<option>` and `<statistic>`.

use crate::diag::Result;
use crate::keywords::{self as key, Table};
use crate::spec::Spec;
use crate::xml::Element;
use ligament_model::enums::{DisableBit, EnableBit};
use ligament_model::option::{Options, Statistic};

/// Actuator groups that can be disabled: the bits of an `int` but its sign.
const GROUP_BITS: usize = 31;

pub(crate) const DISABLE: Table<DisableBit> = &[
    ("constraint", DisableBit::Constraint),
    ("equality", DisableBit::Equality),
    ("frictionloss", DisableBit::Frictionloss),
    ("limit", DisableBit::Limit),
    ("contact", DisableBit::Contact),
    ("spring", DisableBit::Spring),
    ("damper", DisableBit::Damper),
    ("gravity", DisableBit::Gravity),
    ("clampctrl", DisableBit::Clampctrl),
    ("warmstart", DisableBit::Warmstart),
    ("filterparent", DisableBit::Filterparent),
    ("actuation", DisableBit::Actuation),
    ("refsafe", DisableBit::Refsafe),
    ("sensor", DisableBit::Sensor),
    ("midphase", DisableBit::Midphase),
    ("eulerdamp", DisableBit::Eulerdamp),
    ("autoreset", DisableBit::Autoreset),
    ("nativeccd", DisableBit::Nativeccd),
    ("island", DisableBit::Island),
];

pub(crate) const ENABLE: Table<EnableBit> = &[
    ("override", EnableBit::Override),
    ("energy", EnableBit::Energy),
    ("fwdinv", EnableBit::Fwdinv),
    ("invdiscrete", EnableBit::Invdiscrete),
    ("multiccd", EnableBit::Multiccd),
    ("sleep", EnableBit::Sleep),
];

/// Overwrites what the element sets; several elements merge attribute by attribute.
pub fn read_option(section: Element<'_>, option: &mut Options) -> Result<()> {
    section.number("timestep", &mut option.timestep)?;
    section.number("impratio", &mut option.impratio)?;
    section.number("tolerance", &mut option.tolerance)?;
    section.number("ls_tolerance", &mut option.ls_tolerance)?;
    section.number("noslip_tolerance", &mut option.noslip_tolerance)?;
    section.number("ccd_tolerance", &mut option.ccd_tolerance)?;
    section.number("sleep_tolerance", &mut option.sleep_tolerance)?;
    section.array("gravity", &mut option.gravity)?;
    section.array("wind", &mut option.wind)?;
    section.array("magnetic", &mut option.magnetic)?;
    section.number("density", &mut option.density)?;
    section.number("viscosity", &mut option.viscosity)?;
    section.number("o_margin", &mut option.o_margin)?;
    section.partial("o_solref", &mut option.o_solref)?;
    section.partial("o_solimp", &mut option.o_solimp)?;
    section.partial("o_friction", &mut option.o_friction)?;
    choose_number(section, "integrator", key::INTEGRATOR, &mut option.integrator)?;
    choose_number(section, "cone", key::CONE, &mut option.cone)?;
    choose_number(section, "jacobian", key::JACOBIAN, &mut option.jacobian)?;
    choose_number(section, "solver", key::SOLVER, &mut option.solver)?;
    section.int("iterations", &mut option.iterations)?;
    section.int("ls_iterations", &mut option.ls_iterations)?;
    section.int("noslip_iterations", &mut option.noslip_iterations)?;
    section.int("ccd_iterations", &mut option.ccd_iterations)?;
    section.int("sdf_iterations", &mut option.sdf_iterations)?;
    section.int("sdf_initpoints", &mut option.sdf_initpoints)?;
    read_disabled_groups(section, option)?;
    // The reference does not look into includes for this element.
    if let Some(flag) = section.child("flag").filter(|e| !e.spliced()) {
        read_flags(flag, option)?;
    }
    Ok(())
}

/// The solver in place of MuJoCo's.
pub fn read_solver_model(section: Element<'_>, spec: &mut Spec) -> Result<()> {
    section.text("ligament:solver", &mut spec.solver_model);
    if let Some(numbers) = section.numbers("ligament:solver_params")? {
        spec.solver_params = numbers;
    }
    Ok(())
}

fn choose_number<T: Copy + Into<i32>>(
    section: Element<'_>,
    name: &str,
    table: &[(&str, T)],
    out: &mut i32,
) -> Result<()> {
    if let Some(value) = section.keyword(name, table)? {
        *out = value.into();
    }
    Ok(())
}

fn read_disabled_groups(section: Element<'_>, option: &mut Options) -> Result<()> {
    const NAME: &str = "actuatorgroupdisable";
    let mut groups = [0i32; GROUP_BITS];
    let count = section.partial(NAME, &mut groups)?;
    for &group in &groups[..count] {
        if group < 0 {
            return Err(section.invalid_attr(NAME, "disabled actuator group value must be non-negative"));
        }
        if group as usize >= GROUP_BITS {
            return Err(section.invalid_attr(NAME, "disabled actuator group value cannot exceed 30"));
        }
        option.disableactuator |= 1 << group;
    }
    Ok(())
}

fn read_flags(flag: Element<'_>, option: &mut Options) -> Result<()> {
    const SWITCH: Table<bool> = &[("disable", false), ("enable", true)];
    for &(name, bit) in DISABLE {
        if let Some(on) = flag.keyword(name, SWITCH)? {
            set_bit(&mut option.disableflags, bit as i32, !on);
        }
    }
    for &(name, bit) in ENABLE {
        if let Some(on) = flag.keyword(name, SWITCH)? {
            set_bit(&mut option.enableflags, bit as i32, on);
        }
    }
    Ok(())
}

fn set_bit(flags: &mut i32, bit: i32, on: bool) {
    *flags = if on { *flags | bit } else { *flags & !bit };
}

/// Overwrites what the element sets.
pub fn read_statistic(section: Element<'_>, stat: &mut Statistic) -> Result<()> {
    section.number("meaninertia", &mut stat.meaninertia)?;
    section.number("meanmass", &mut stat.meanmass)?;
    section.number("meansize", &mut stat.meansize)?;
    section.number("extent", &mut stat.extent)?;
    if stat.extent <= 0.0 {
        return Err(section.invalid_attr("extent", "extent must be strictly positive"));
    }
    section.array("center", &mut stat.center)?;
    Ok(())
}
