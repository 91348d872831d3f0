//! `<visual>`.

use crate::diag::Result;
use crate::xml::Element;
use ligament_model::option::{Visual, VisualGlobal, VisualHeadlight, VisualQuality};

/// Overwrites what the elements inside set.
pub fn read_visual(section: Element<'_>, visual: &mut Visual) -> Result<()> {
    for element in section.children() {
        match element.name() {
            "global" => read_global(element, &mut visual.global)?,
            "quality" => read_quality(element, &mut visual.quality)?,
            "headlight" => read_headlight(element, &mut visual.headlight)?,
            "map" => read_map(element, visual)?,
            "scale" => read_scale(element, visual)?,
            "rgba" => read_rgba(element, visual)?,
            _ => {}
        }
    }
    Ok(())
}

fn flag_number(element: Element<'_>, name: &str, out: &mut i32) -> Result<()> {
    element.choose(name, crate::keywords::BOOL, out).map(|_| ())
}

fn read_global(element: Element<'_>, global: &mut VisualGlobal) -> Result<()> {
    element.int("cameraid", &mut global.cameraid)?;
    flag_number(element, "orthographic", &mut global.orthographic)?;
    element.number("fovy", &mut global.fovy)?;
    element.number("ipd", &mut global.ipd)?;
    element.number("azimuth", &mut global.azimuth)?;
    element.number("elevation", &mut global.elevation)?;
    element.number("linewidth", &mut global.linewidth)?;
    element.number("glow", &mut global.glow)?;
    element.int("offwidth", &mut global.offwidth)?;
    element.int("offheight", &mut global.offheight)?;
    if element.number("realtime", &mut global.realtime)? && global.realtime <= 0.0 {
        return Err(element.invalid_attr("realtime", "realtime must be greater than 0"));
    }
    flag_number(element, "ellipsoidinertia", &mut global.ellipsoidinertia)?;
    flag_number(element, "bvactive", &mut global.bvactive)
}

fn read_quality(element: Element<'_>, quality: &mut VisualQuality) -> Result<()> {
    element.int("shadowsize", &mut quality.shadowsize)?;
    element.int("offsamples", &mut quality.offsamples)?;
    element.int("numslices", &mut quality.numslices)?;
    element.int("numstacks", &mut quality.numstacks)?;
    element.int("numquads", &mut quality.numquads)?;
    Ok(())
}

fn read_headlight(element: Element<'_>, headlight: &mut VisualHeadlight) -> Result<()> {
    element.array("ambient", &mut headlight.ambient)?;
    element.array("diffuse", &mut headlight.diffuse)?;
    element.array("specular", &mut headlight.specular)?;
    element.int("active", &mut headlight.active)?;
    Ok(())
}

/// Reads attributes that are called like the fields they set.
macro_rules! read_fields {
    ($element:expr, $group:expr, $method:ident: $($field:ident)+) => {
        $($element.$method(stringify!($field), &mut $group.$field)?;)+
    };
}

fn read_map(element: Element<'_>, visual: &mut Visual) -> Result<()> {
    let map = &mut visual.map;
    read_fields!(element, map, number: stiffness stiffnessrot force torque alpha fogstart fogend znear);
    if map.znear <= 0.0 {
        return Err(element.invalid_attr("znear", "znear must be strictly positive"));
    }
    read_fields!(element, map, number: zfar haze shadowclip shadowscale actuatortendon);
    Ok(())
}

fn read_scale(element: Element<'_>, visual: &mut Visual) -> Result<()> {
    let scale = &mut visual.scale;
    read_fields!(element, scale, number: forcewidth contactwidth contactheight connect com camera light
        selectpoint jointlength jointwidth actuatorlength actuatorwidth framelength framewidth constraint
        slidercrank frustum);
    Ok(())
}

fn read_rgba(element: Element<'_>, visual: &mut Visual) -> Result<()> {
    let rgba = &mut visual.rgba;
    read_fields!(element, rgba, array: fog haze force inertia joint actuator actuatornegative actuatorpositive
        com camera light selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap
        rangefinder constraint slidercrank crankbroken frustum bv bvactive);
    Ok(())
}
