//! `<tendon>`.

use super::Reader;
use super::parts::read_user;
use crate::diag::Result;
use crate::keywords as key;
use crate::spec::{Tendon, Wrap, WrapKind};
use crate::xml::Element;

impl Reader<'_> {
    pub(super) fn read_tendon_section(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            let class = self.class_or_main(element)?;
            let mut tendon = self.inherit(&self.spec.classes[class.index()].tendon, element)?;
            tendon.meta = self.meta(element, class);
            read_tendon(element, &mut tendon)?;
            for child in element.children() {
                tendon.path.push(Wrap { kind: read_wrap(child)?, origin: child.origin().clone() });
            }
            self.spec.tendons.push(tendon);
        }
        Ok(())
    }
}

pub fn read_tendon(element: Element<'_>, tendon: &mut Tendon) -> Result<()> {
    element.int("group", &mut tendon.group)?;
    element.text("material", &mut tendon.material);
    element.choose("limited", key::LIMITED, &mut tendon.limited)?;
    element.choose("actuatorfrclimited", key::LIMITED, &mut tendon.actfrclimited)?;
    element.number("width", &mut tendon.width)?;
    element.partial("solreflimit", &mut tendon.solref_limit)?;
    element.partial("solimplimit", &mut tendon.solimp_limit)?;
    element.partial("solreffriction", &mut tendon.solref_friction)?;
    element.partial("solimpfriction", &mut tendon.solimp_friction)?;
    element.array("range", &mut tendon.range)?;
    element.array("actuatorfrcrange", &mut tendon.actfrcrange)?;
    element.number("margin", &mut tendon.margin)?;
    element.number("stiffness", &mut tendon.stiffness)?;
    element.number("damping", &mut tendon.damping)?;
    element.number("armature", &mut tendon.armature)?;
    element.number("frictionloss", &mut tendon.frictionloss)?;
    // A single value is a rest length, two are a slack interval.
    if element.partial("springlength", &mut tendon.springlength)? == 1 {
        tendon.springlength[1] = tendon.springlength[0];
    }
    element.array("rgba", &mut tendon.rgba)?;
    read_user(element, &mut tendon.userdata)
}

fn read_wrap(element: Element<'_>) -> Result<WrapKind> {
    let required_number = |name: &str| -> Result<f64> {
        let mut value = [0.0];
        element.required_array(name, &mut value)?;
        Ok(value[0])
    };
    Ok(match element.name() {
        "site" => WrapKind::Site { site: element.required("site")?.to_string() },
        "geom" => WrapKind::Geom {
            geom: element.required("geom")?.to_string(),
            sidesite: element.attr("sidesite").unwrap_or_default().to_string(),
        },
        "pulley" => WrapKind::Pulley { divisor: required_number("divisor")? },
        "joint" => {
            let joint = element.required("joint")?.to_string();
            WrapKind::Joint { joint, coef: required_number("coef")? }
        }
        _ => return Err(element.invalid("unknown wrap type")),
    })
}
