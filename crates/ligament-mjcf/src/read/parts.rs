//! Elements that bodies carry and default classes describe: joint, geom, site, camera, light.
//!
//! Each function overwrites what the text sets and leaves the rest as the class made it.

use super::plugin::read_plugin_child;
use crate::diag::Result;
use crate::keywords as key;
use crate::spec::{Camera, Geom, Joint, Light, Site};
use crate::xml::Element;
use ligament_model::enums::LightType;

/// Overwrites user data if any is written.
pub(super) fn read_user(element: Element<'_>, out: &mut Vec<f64>) -> Result<()> {
    if let Some(values) = element.numbers("user")? {
        *out = values;
    }
    Ok(())
}

pub fn read_joint(element: Element<'_>, joint: &mut Joint) -> Result<()> {
    element.choose("type", key::JOINT, &mut joint.kind)?;
    element.choose("limited", key::LIMITED, &mut joint.limited)?;
    element.choose("actuatorfrclimited", key::LIMITED, &mut joint.actfrclimited)?;
    element.int("group", &mut joint.group)?;
    element.partial("solreflimit", &mut joint.solref_limit)?;
    element.partial("solimplimit", &mut joint.solimp_limit)?;
    element.partial("solreffriction", &mut joint.solref_friction)?;
    element.partial("solimpfriction", &mut joint.solimp_friction)?;
    element.array("pos", &mut joint.pos)?;
    element.array("axis", &mut joint.axis)?;
    element.array("springdamper", &mut joint.springdamper)?;
    element.number("stiffness", &mut joint.stiffness)?;
    element.array("range", &mut joint.range)?;
    element.array("actuatorfrcrange", &mut joint.actfrcrange)?;
    element.number("margin", &mut joint.margin)?;
    element.number("ref", &mut joint.reference)?;
    element.number("springref", &mut joint.springref)?;
    element.number("armature", &mut joint.armature)?;
    element.number("damping", &mut joint.damping)?;
    element.number("frictionloss", &mut joint.frictionloss)?;
    element.flag("actuatorgravcomp", &mut joint.actgravcomp)?;
    read_user(element, &mut joint.userdata)
}

pub fn read_geom(element: Element<'_>, geom: &mut Geom) -> Result<()> {
    element.choose("type", key::GEOM, &mut geom.kind)?;
    element.partial("size", &mut geom.size)?;
    read_geom_contact(element, geom)?;
    element.int("group", &mut geom.group)?;
    element.text("hfield", &mut geom.hfieldname);
    element.text("mesh", &mut geom.meshname);
    element.number("fitscale", &mut geom.fitscale)?;
    element.text("material", &mut geom.material);
    element.array("rgba", &mut geom.rgba)?;
    let shapes = &[("none", 0.0), ("ellipsoid", 1.0)];
    element.choose("fluidshape", shapes, &mut geom.fluid_ellipsoid)?;
    element.partial("fluidcoef", &mut geom.fluid_coefs)?;
    read_user(element, &mut geom.userdata)?;
    read_plugin_child(element, &mut geom.plugin)?;
    element.number("mass", &mut geom.mass)?;
    element.number("density", &mut geom.density)?;
    element.array("fromto", &mut geom.fromto)?;
    element.array("pos", &mut geom.pos)?;
    element.quat("quat", &mut geom.quat)?;
    element.orientation(&mut geom.alt)?;
    element.choose("shellinertia", key::SHELL_INERTIA, &mut geom.typeinertia)?;
    Ok(())
}

fn read_geom_contact(element: Element<'_>, geom: &mut Geom) -> Result<()> {
    element.int("contype", &mut geom.contype)?;
    element.int("conaffinity", &mut geom.conaffinity)?;
    element.int("condim", &mut geom.condim)?;
    element.int("priority", &mut geom.priority)?;
    element.partial("friction", &mut geom.friction)?;
    element.number("solmix", &mut geom.solmix)?;
    element.partial("solref", &mut geom.solref)?;
    element.partial("solimp", &mut geom.solimp)?;
    element.number("margin", &mut geom.margin)?;
    element.number("gap", &mut geom.gap)?;
    Ok(())
}

pub fn read_site(element: Element<'_>, site: &mut Site) -> Result<()> {
    element.choose("type", key::GEOM, &mut site.kind)?;
    element.partial("size", &mut site.size)?;
    element.int("group", &mut site.group)?;
    element.array("pos", &mut site.pos)?;
    element.quat("quat", &mut site.quat)?;
    element.text("material", &mut site.material);
    element.array("rgba", &mut site.rgba)?;
    element.array("fromto", &mut site.fromto)?;
    element.orientation(&mut site.alt)?;
    read_user(element, &mut site.userdata)
}

pub fn read_camera(element: Element<'_>, camera: &mut Camera) -> Result<()> {
    element.text("target", &mut camera.targetbody);
    element.choose("mode", key::CAMLIGHT, &mut camera.mode)?;
    element.array("pos", &mut camera.pos)?;
    element.quat("quat", &mut camera.quat)?;
    element.orientation(&mut camera.alt)?;
    element.number("ipd", &mut camera.ipd)?;
    element.choose("projection", key::PROJECTION, &mut camera.proj)?;
    element.array("principalpixel", &mut camera.principal_pixel)?;
    element.array("principal", &mut camera.principal_length)?;
    element.array("focalpixel", &mut camera.focal_pixel)?;
    element.array("focal", &mut camera.focal_length)?;
    element.array("resolution", &mut camera.resolution)?;
    let outputs = element.keyword_list("output", key::CAMERA_OUTPUT)?;
    if !outputs.is_empty() {
        camera.output = outputs.iter().fold(0, |bits, bit| bits | bit);
    }
    let sensorsize = element.array("sensorsize", &mut camera.sensor_size)?;
    let fovy = element.number("fovy", &mut camera.fovy)?;
    if fovy && sensorsize {
        let message = "either 'fovy' or 'sensorsize' attribute can be specified, not both";
        return Err(element.invalid_attr("fovy", message));
    }
    // Unlike elsewhere, user data of the class is dropped when the camera has none.
    camera.userdata = element.numbers("user")?.unwrap_or_default();
    Ok(())
}

pub fn read_light(element: Element<'_>, light: &mut Light) -> Result<()> {
    element.text("texture", &mut light.texture);
    element.text("target", &mut light.targetbody);
    element.choose("mode", key::CAMLIGHT, &mut light.mode)?;
    let mut directional = false;
    if element.flag("directional", &mut directional)? {
        light.kind = if directional { LightType::Directional } else { LightType::Spot };
    }
    if element.choose("type", key::LIGHT, &mut light.kind)? && element.attr("directional").is_some() {
        return Err(element.invalid_attr("type", "type and directional cannot both be defined"));
    }
    element.flag("castshadow", &mut light.castshadow)?;
    element.flag("active", &mut light.active)?;
    element.array("pos", &mut light.pos)?;
    element.array("dir", &mut light.dir)?;
    element.number("bulbradius", &mut light.bulbradius)?;
    element.number("intensity", &mut light.intensity)?;
    element.number("range", &mut light.range)?;
    element.array("attenuation", &mut light.attenuation)?;
    element.number("cutoff", &mut light.cutoff)?;
    element.number("exponent", &mut light.exponent)?;
    element.array("ambient", &mut light.ambient)?;
    element.array("diffuse", &mut light.diffuse)?;
    element.array("specular", &mut light.specular)?;
    Ok(())
}
