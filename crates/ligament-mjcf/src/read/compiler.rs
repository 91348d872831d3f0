//! `<compiler>`.

use crate::diag::{MjcfError, Result};
use crate::keywords as key;
use crate::spec::{Compiler, LengthRangeOptions};
use crate::xml::Element;

/// Overwrites what the element sets; several elements merge attribute by attribute.
pub fn read_compiler(section: Element<'_>, compiler: &mut Compiler) -> Result<()> {
    section.flag("autolimits", &mut compiler.autolimits)?;
    section.number("boundmass", &mut compiler.boundmass)?;
    section.number("boundinertia", &mut compiler.boundinertia)?;
    section.number("settotalmass", &mut compiler.settotalmass)?;
    section.flag("balanceinertia", &mut compiler.balanceinertia)?;
    section.flag("strippath", &mut compiler.strippath)?;
    section.flag("fitaabb", &mut compiler.fitaabb)?;
    if section.keyword("coordinate", &[("local", false), ("global", true)])? == Some(true) {
        let message = "global coordinates no longer supported";
        let help = "load and save the model in MuJoCo 2.3.3 or older to convert it";
        return Err(MjcfError::Unsupported(section.complain_attr("coordinate", message).help(help)));
    }
    section.choose("angle", &[("radian", false), ("degree", true)], &mut compiler.degree)?;
    read_eulerseq(section, compiler)?;
    read_directories(section, compiler);
    section.flag("discardvisual", &mut compiler.discardvisual)?;
    section.flag("usethread", &mut compiler.usethread)?;
    section.flag("fusestatic", &mut compiler.fusestatic)?;
    section.choose("inertiafromgeom", key::INERTIA_FROM_GEOM, &mut compiler.inertiafromgeom)?;
    section.array("inertiagrouprange", &mut compiler.inertiagrouprange)?;
    section.flag("alignfree", &mut compiler.alignfree)?;
    section.flag("saveinertial", &mut compiler.saveinertial)?;
    // The reference does not look into includes for this element.
    if let Some(element) = section.child("lengthrange").filter(|e| !e.spliced()) {
        read_length_range(element, &mut compiler.lengthrange)?;
    }
    Ok(())
}

fn read_eulerseq(section: Element<'_>, compiler: &mut Compiler) -> Result<()> {
    let Some(text) = section.attr("eulerseq") else { return Ok(()) };
    let sequence: [u8; 3] = text
        .as_bytes()
        .try_into()
        .map_err(|_| section.invalid_attr("eulerseq", "euler format must have length 3"))?;
    if let Some(letter) = text.chars().find(|c| !"xyzXYZ".contains(*c)) {
        let message = format!("euler format may only contain x, y, z, X, Y, Z: '{letter}' is none of them");
        return Err(section.invalid_attr("eulerseq", message));
    }
    compiler.eulerseq = sequence;
    Ok(())
}

/// `assetdir` sets both directories, the more special attributes of the same element win.
fn read_directories(section: Element<'_>, compiler: &mut Compiler) {
    section.text("assetdir", &mut compiler.meshdir);
    section.text("assetdir", &mut compiler.texturedir);
    section.text("meshdir", &mut compiler.meshdir);
    section.text("texturedir", &mut compiler.texturedir);
}

fn read_length_range(element: Element<'_>, options: &mut LengthRangeOptions) -> Result<()> {
    element.choose("mode", key::LENGTH_RANGE_MODE, &mut options.mode)?;
    element.flag("useexisting", &mut options.useexisting)?;
    element.flag("uselimit", &mut options.uselimit)?;
    element.number("accel", &mut options.accel)?;
    element.number("maxforce", &mut options.maxforce)?;
    element.number("timeconst", &mut options.timeconst)?;
    element.number("timestep", &mut options.timestep)?;
    element.number("inttotal", &mut options.inttotal)?;
    element.number("interval", &mut options.interval)?;
    element.number("tolrange", &mut options.tolrange)?;
    Ok(())
}
