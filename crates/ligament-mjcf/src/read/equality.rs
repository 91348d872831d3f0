//! `<equality>`.

use super::Reader;
use crate::diag::{MjcfError, Result};
use crate::keywords as key;
use crate::spec::Equality;
use crate::xml::Element;
use ligament_model::enums::{EqType, ObjType};

impl Reader<'_> {
    pub(super) fn read_equality_section(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            let class = self.class_or_main(element)?;
            let mut equality = self.inherit(&self.spec.classes[class.index()].equality, element)?;
            equality.meta = self.meta(element, class);
            read_kind(element, &mut equality)?;
            read_equality(element, &mut equality)?;
            self.spec.equalities.push(equality);
        }
        Ok(())
    }
}

/// The part that default classes share.
pub fn read_equality(element: Element<'_>, equality: &mut Equality) -> Result<()> {
    element.flag("active", &mut equality.active)?;
    element.partial("solref", &mut equality.solref)?;
    element.partial("solimp", &mut equality.solimp)?;
    Ok(())
}

fn read_kind(element: Element<'_>, equality: &mut Equality) -> Result<()> {
    let kind = key::EQUALITY.iter().find(|(name, _)| *name == element.name());
    let Some(&(_, kind)) = kind else {
        let message = match element.name() {
            "distance" => "support for distance equality constraints was removed in MuJoCo 2.2.2".to_string(),
            other => format!("unrecognized equality constraint type '{other}'"),
        };
        return Err(MjcfError::Unsupported(element.complain(message)));
    };
    equality.kind = kind;
    match kind {
        EqType::Connect => read_connect(element, equality),
        EqType::Weld => read_weld(element, equality),
        EqType::Joint => read_coupling(element, "joint1", "joint2", equality),
        EqType::Tendon => read_coupling(element, "tendon1", "tendon2", equality),
        EqType::Flex | EqType::Flexvert | EqType::Distance => {
            equality.name1 = element.required("flex")?.to_string();
            Ok(())
        }
    }
}

/// Two scalars tied by a polynomial.
fn read_coupling(element: Element<'_>, first: &str, second: &str, equality: &mut Equality) -> Result<()> {
    equality.name1 = element.required(first)?.to_string();
    element.text(second, &mut equality.name2);
    element.partial("polycoef", &mut equality.data[..5])?;
    Ok(())
}

fn read_connect(element: Element<'_>, equality: &mut Equality) -> Result<()> {
    let has_anchor = element.array("anchor", &mut equality.data[..3])?;
    let complete = element.attr("body1").is_some() && has_anchor;
    let needs = "either both body1 and anchor must be defined, or both site1 and site2 must be defined";
    read_ends(element, has_anchor, complete, needs, equality)
}

fn read_weld(element: Element<'_>, equality: &mut Equality) -> Result<()> {
    let has_anchor = element.array("anchor", &mut equality.data[..3])?;
    let has_relpose = element.array("relpose", &mut equality.data[3..10])?;
    let complete = element.attr("body1").is_some();
    let needs = "either body1 must be defined and optionally {body2, anchor, relpose}, \
                 or site1 and site2 must be defined";
    read_ends(element, has_anchor || has_relpose, complete, needs, equality)?;
    if equality.objtype == ObjType::Body && !has_anchor {
        equality.data[..3].fill(0.0);
    }
    element.number("torquescale", &mut equality.data[10])?;
    Ok(())
}

/// Either two bodies (the second may be the world) or two sites.
fn read_ends(
    element: Element<'_>,
    has_body_data: bool,
    bodies_complete: bool,
    needs: &str,
    equality: &mut Equality,
) -> Result<()> {
    let (site1, site2) = (element.attr("site1"), element.attr("site2"));
    let (body1, body2) = (element.attr("body1"), element.attr("body2"));
    let some_site = site1.is_some() || site2.is_some();
    if some_site && (body1.is_some() || body2.is_some() || has_body_data) {
        return Err(element.invalid("body and site semantics cannot be mixed"));
    }
    match (site1, site2, body1) {
        (Some(first), Some(second), _) => {
            equality.objtype = ObjType::Site;
            equality.name1 = first.to_string();
            equality.name2 = second.to_string();
        }
        (_, _, Some(first)) if bodies_complete => {
            equality.objtype = ObjType::Body;
            equality.name1 = first.to_string();
            equality.name2 = body2.unwrap_or_default().to_string();
        }
        _ => return Err(element.invalid(needs)),
    }
    Ok(())
}
