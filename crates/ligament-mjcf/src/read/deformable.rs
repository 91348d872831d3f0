//! `<deformable>`: flexes and skins.

use super::Reader;
use crate::diag::Result;
use crate::keywords as key;
use crate::spec::{ClassId, Flex};
use crate::values::words;
use crate::xml::Element;

impl Reader<'_> {
    pub(super) fn read_deformable(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            match element.name() {
                "flex" => {
                    let mut flex = Flex { meta: self.meta(element, ClassId(0)), ..Flex::default() };
                    read_flex(element, &mut flex)?;
                    self.spec.flexes.push(flex);
                }
                "skin" => self.read_skin(element)?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn read_flex(element: Element<'_>, flex: &mut Flex) -> Result<()> {
    element.text("material", &mut flex.material);
    element.number("radius", &mut flex.radius)?;
    element.array("rgba", &mut flex.rgba)?;
    element.flag("flatskin", &mut flex.flatskin)?;
    element.int("dim", &mut flex.dim)?;
    element.int("group", &mut flex.group)?;
    read_flex_models(element, flex)?;
    flex.vertbody = words(element.required("body")?).map(str::to_string).collect();
    flex.nodebody = words(element.attr("node").unwrap_or_default()).map(str::to_string).collect();
    flex.vert = element.numbers("vertex")?.unwrap_or_default();
    flex.elem = element.required_numbers("element")?;
    flex.texcoord = element.numbers("texcoord")?.unwrap_or_default();
    flex.elemtexcoord = element.numbers("elemtexcoord")?.unwrap_or_default();
    if let Some(contact) = element.child("contact") {
        read_flex_contact(contact, flex)?;
        borrow_contact_flags(element, contact, flex);
    }
    if let Some(edge) = element.child("edge") {
        read_flex_edge(edge, flex)?;
    }
    if let Some(elasticity) = element.child("elasticity") {
        read_flex_elasticity(elasticity, flex)?;
    }
    Ok(())
}

/// Quirk of 3.5.0: `vertcollide` and `passive` of a flex get the value of the last other flag before them, `internal`
/// or `flatskin`, false without these. The flags of a flexcomp have their own values.
fn borrow_contact_flags(element: Element<'_>, contact: Element<'_>, flex: &mut Flex) {
    let other = contact.attr("internal").or_else(|| element.attr("flatskin"));
    let value = i32::from(other == Some("true"));
    for (name, flag) in [("vertcollide", &mut flex.vertcollide), ("passive", &mut flex.passive)] {
        if contact.attr(name).is_some() {
            *flag = value;
        }
    }
}

/// `<contact>` of a flex or flexcomp.
pub fn read_flex_contact(contact: Element<'_>, flex: &mut Flex) -> Result<()> {
    contact.int("contype", &mut flex.contype)?;
    contact.int("conaffinity", &mut flex.conaffinity)?;
    contact.int("condim", &mut flex.condim)?;
    contact.int("priority", &mut flex.priority)?;
    contact.partial("friction", &mut flex.friction)?;
    contact.number("solmix", &mut flex.solmix)?;
    contact.partial("solref", &mut flex.solref)?;
    contact.partial("solimp", &mut flex.solimp)?;
    contact.number("margin", &mut flex.margin)?;
    contact.number("gap", &mut flex.gap)?;
    contact.flag("internal", &mut flex.internal)?;
    contact.choose("selfcollide", key::FLEX_SELF, &mut flex.selfcollide)?;
    contact.choose("vertcollide", key::BOOL, &mut flex.vertcollide)?;
    contact.choose("passive", key::BOOL, &mut flex.passive)?;
    contact.int("activelayers", &mut flex.activelayers)?;
    Ok(())
}

/// Models of a flex or flexcomp that MuJoCo does not have.
pub fn read_flex_models(element: Element<'_>, flex: &mut Flex) -> Result<()> {
    element.text("ligament:soft", &mut flex.soft);
    element.choose("ligament:bending_model", key::FLEX_BENDING, &mut flex.bending_model)?;
    element.choose("ligament:elasticity_model", key::FLEX_ELASTICITY, &mut flex.elasticity_model)?;
    Ok(())
}

/// `<edge>` of a flex or flexcomp: springs and dampers.
pub fn read_flex_edge(edge: Element<'_>, flex: &mut Flex) -> Result<()> {
    edge.number("stiffness", &mut flex.edgestiffness)?;
    edge.number("damping", &mut flex.edgedamping)?;
    Ok(())
}

/// `<elasticity>` of a flex or flexcomp.
pub fn read_flex_elasticity(elasticity: Element<'_>, flex: &mut Flex) -> Result<()> {
    elasticity.number("young", &mut flex.young)?;
    elasticity.number("poisson", &mut flex.poisson)?;
    elasticity.number("thickness", &mut flex.thickness)?;
    elasticity.number("damping", &mut flex.damping)?;
    elasticity.choose("elastic2d", key::ELASTIC_2D, &mut flex.elastic2d)?;
    Ok(())
}
