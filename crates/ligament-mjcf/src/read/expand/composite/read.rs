//! Attributes of `<composite>`.

use super::{Composite, CompositeKind, CurveShape};
use crate::diag::Result;
use crate::keywords as key;
use crate::read::plugin::read_plugin_child;
use crate::read::{GROUPS, Reader};
use crate::spec::reflect::Fields as _;
use crate::spec::weight::{element_weight, weight_of_renaming};
use crate::spec::{Body, BodyId, FrameId, Geom, Joint, Site};
use crate::values::words;
use crate::xml::Element;

/// Makes the bodies of a composite inside `body`, inside `frame` if there is one.
pub fn read_composite(
    reader: &mut Reader<'_>,
    element: Element<'_>,
    body: BodyId,
    frame: Option<FrameId>,
) -> Result<()> {
    let mut composite = Composite { frame, origin: element.origin().clone(), ..Composite::default() };
    element.text("prefix", &mut composite.prefix);
    element.required("type")?;
    element.choose("type", &CompositeKind::KEYWORDS, &mut composite.kind)?;
    element.partial("count", &mut composite.count)?;
    element.array("offset", &mut composite.offset)?;
    element.array("quat", &mut composite.quat)?;
    read_plugin_child(element, &mut composite.plugin)?;
    element.text("initial", &mut composite.initial);
    element.partial("size", &mut composite.size)?;
    composite.vertex = element.numbers("vertex")?.unwrap_or_default();
    read_curve(element, &mut composite.curve)?;
    let has_skin = read_skin(element, &mut composite)?;
    composite.geom.group = if has_skin && composite.kind != CompositeKind::Cable { 3 } else { 0 };
    if let Some(geom) = element.child("geom") {
        read_geom(geom, &mut composite.geom)?;
    }
    if let Some(site) = element.child("site") {
        read_site(site, &mut composite.site)?;
    }
    let mut joints = element.children().filter(|c| c.name() == "joint");
    if let Some(joint) = joints.next() {
        read_joint(joint, &mut composite.joint)?;
    }
    if joints.next().is_some() && composite.kind != CompositeKind::Particle {
        return Err(element.invalid("Only particles are allowed to have multiple joints"));
    }
    let links = u64::try_from(composite.count[0]).unwrap_or(0);
    let link = element_weight::<Body>() + element_weight::<Geom>() + 2 * element_weight::<Joint>();
    let Composite { geom, joint, site, prefix, .. } = &composite;
    let lists = 2 * (geom.list_bytes() + joint.list_bytes() + site.list_bytes()) as u64;
    let bytes = links.saturating_mul(link + lists).saturating_mul(weight_of_renaming(prefix));
    reader.assets.charge(bytes).map_err(|over| element.over_budget(over))?;
    composite.expand(&mut reader.spec, body)
}

fn read_curve(element: Element<'_>, curve_out: &mut [CurveShape; 3]) -> Result<()> {
    for (i, word) in words(element.attr("curve").unwrap_or_default()).enumerate() {
        let slot = curve_out.get_mut(i).ok_or_else(|| {
            element.invalid_attr("curve", "The curve array must have a maximum of 3 components")
        })?;
        let found = CurveShape::KEYWORDS.iter().find(|(key, _)| *key == word);
        let (_, shape) = found
            .ok_or_else(|| element.invalid_attr("curve", "The curve array contains an invalid shape"))?;
        *slot = *shape;
    }
    Ok(())
}

fn read_skin(element: Element<'_>, composite: &mut Composite) -> Result<bool> {
    let Some(skin) = element.child("skin") else { return Ok(false) };
    let out = &mut composite.skin;
    skin.flag("texcoord", &mut out.texcoord)?;
    skin.text("material", &mut out.material);
    skin.array("rgba", &mut out.rgba)?;
    // checked, but a cable takes its thickness from the geom
    skin.number("inflate", &mut 0.0_f64)?;
    skin.int("subgrid", &mut out.subgrid)?;
    skin.int("group", &mut out.group)?;
    if !(0..GROUPS).contains(&out.group) {
        return Err(skin.invalid_attr("group", "skin group must be between 0 and 5"));
    }
    Ok(true)
}

fn read_geom(element: Element<'_>, geom_out: &mut Geom) -> Result<()> {
    let geom = geom_out;
    element.choose("type", key::GEOM, &mut geom.kind)?;
    element.partial("size", &mut geom.size)?;
    element.int("contype", &mut geom.contype)?;
    element.int("conaffinity", &mut geom.conaffinity)?;
    element.int("condim", &mut geom.condim)?;
    element.int("group", &mut geom.group)?;
    element.int("priority", &mut geom.priority)?;
    element.partial("friction", &mut geom.friction)?;
    element.number("solmix", &mut geom.solmix)?;
    element.partial("solref", &mut geom.solref)?;
    element.partial("solimp", &mut geom.solimp)?;
    element.number("margin", &mut geom.margin)?;
    element.number("gap", &mut geom.gap)?;
    element.text("material", &mut geom.material);
    element.array("rgba", &mut geom.rgba)?;
    element.number("mass", &mut geom.mass)?;
    element.number("density", &mut geom.density)?;
    Ok(())
}

fn read_site(element: Element<'_>, site: &mut Site) -> Result<()> {
    element.partial("size", &mut site.size)?;
    element.int("group", &mut site.group)?;
    element.text("material", &mut site.material);
    element.array("rgba", &mut site.rgba)?;
    Ok(())
}

fn read_joint(element: Element<'_>, joint: &mut Joint) -> Result<()> {
    element.required("kind")?;
    element.keyword("kind", &[("main", ())])?;
    element.choose("type", key::JOINT, &mut joint.kind)?;
    element.array("axis", &mut joint.axis)?;
    element.int("group", &mut joint.group)?;
    element.partial("solreflimit", &mut joint.solref_limit)?;
    element.partial("solimplimit", &mut joint.solimp_limit)?;
    element.partial("solreffriction", &mut joint.solref_friction)?;
    element.partial("solimpfriction", &mut joint.solimp_friction)?;
    element.number("stiffness", &mut joint.stiffness)?;
    element.array("range", &mut joint.range)?;
    element.number("margin", &mut joint.margin)?;
    element.number("armature", &mut joint.armature)?;
    element.number("damping", &mut joint.damping)?;
    element.number("frictionloss", &mut joint.frictionloss)?;
    Ok(())
}
