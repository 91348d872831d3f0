//! Attributes of `<flexcomp>`.

use super::{FlexComp, FlexCompDof, FlexCompEquality, FlexCompKind};
use crate::asset_paths::{self, AssetKind};
use crate::diag::Result;
use crate::read::Reader;
use crate::read::deformable::{read_flex_contact, read_flex_edge, read_flex_elasticity, read_flex_models};
use crate::read::plugin::read_plugin_child;
use crate::spec::BodyId;
use crate::xml::Element;

/// Makes the bodies and the flex of a flexcomp inside `body`; enclosing frames have no effect on it.
pub fn read_flexcomp(reader: &mut Reader<'_>, element: Element<'_>, body: BodyId) -> Result<()> {
    let mut flexcomp = FlexComp {
        name: element.required("name")?.to_string(),
        origin: element.origin().clone(),
        ..FlexComp::default()
    };
    read_shape(element, &mut flexcomp)?;
    read_children(element, &mut flexcomp)?;
    if !flexcomp.flex.soft.is_empty() {
        // the material replaces elasticity and constraints on edges: one file can be either
        flexcomp.equality = FlexCompEquality::None;
        (flexcomp.flex.young, flexcomp.flex.elastic2d) = (0.0, 0);
    }
    if flexcomp.flex.elastic2d >= 2 && flexcomp.equality != FlexCompEquality::None {
        return Err(element.invalid("elasticity and edge constraints cannot both be present"));
    }
    if !flexcomp.file.is_empty() {
        let compiler = reader.spec.compiler();
        let ordinary = asset_paths::resolve_asset_path(compiler, AssetKind::Mesh, &flexcomp.file, "");
        flexcomp.filedir =
            asset_paths::include_fallback(reader.assets, &ordinary, &flexcomp.file, element.include_dir());
    }
    flexcomp.expand(&mut reader.spec, body, reader.assets)
}

fn read_shape(element: Element<'_>, out: &mut FlexComp) -> Result<()> {
    element.choose("type", &FlexCompKind::KEYWORDS, &mut out.kind)?;
    element.array("count", &mut out.count)?;
    element.array("spacing", &mut out.spacing)?;
    element.array("scale", &mut out.scale)?;
    element.number("mass", &mut out.mass)?;
    element.number("inertiabox", &mut out.inertiabox)?;
    element.text("file", &mut out.file);
    element.text("material", &mut out.flex.material);
    element.array("rgba", &mut out.flex.rgba)?;
    element.flag("flatskin", &mut out.flex.flatskin)?;
    element.int("dim", &mut out.flex.dim)?;
    element.number("radius", &mut out.flex.radius)?;
    element.int("group", &mut out.flex.group)?;
    read_flex_models(element, &mut out.flex)?;
    let has_origin = element.array("origin", &mut out.mesh_origin)?;
    if !has_origin && out.kind == FlexCompKind::Mesh && out.flex.dim == 3 {
        return Err(element.invalid("origin must be specified for mesh flexcomps if dim=3"));
    }
    element.array("pos", &mut out.pos)?;
    element.array("quat", &mut out.quat)?;
    element.orientation(&mut out.alt)?;
    element.flag("rigid", &mut out.rigid)?;
    out.point = element.numbers("point")?.unwrap_or_default();
    out.element = element.numbers("element")?.unwrap_or_default();
    out.texcoord = element.numbers("texcoord")?.unwrap_or_default();
    element.choose("dof", &FlexCompDof::KEYWORDS, &mut out.dof)?;
    Ok(())
}

fn read_children(element: Element<'_>, out: &mut FlexComp) -> Result<()> {
    if let Some(edge) = element.child("edge") {
        edge.choose("equality", &FlexCompEquality::KEYWORDS, &mut out.equality)?;
        edge.partial("solref", &mut out.equality_template.solref)?;
        edge.partial("solimp", &mut out.equality_template.solimp)?;
        read_flex_edge(edge, &mut out.flex)?;
    }
    if let Some(elasticity) = element.child("elasticity") {
        read_flex_elasticity(elasticity, &mut out.flex)?;
    }
    if let Some(contact) = element.child("contact") {
        read_flex_contact(contact, &mut out.flex)?;
    }
    for pin in element.children().filter(|c| c.name() == "pin") {
        for (name, list) in [
            ("id", &mut out.pinid),
            ("range", &mut out.pinrange),
            ("grid", &mut out.pingrid),
            ("gridrange", &mut out.pingridrange),
        ] {
            list.extend(pin.numbers::<i32>(name)?.unwrap_or_default());
        }
    }
    read_plugin_child(element, &mut out.plugin)
}
