//! `<contact>`: pairs and excludes.

use super::Reader;
use crate::diag::Result;
use crate::spec::{Exclude, Pair};
use crate::xml::Element;

impl Reader<'_> {
    pub(super) fn read_contact(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            let class = self.class_or_main(element)?;
            let meta = self.meta(element, class);
            match element.name() {
                "pair" => {
                    let mut pair = self.inherit(&self.spec.classes[class.index()].pair, element)?;
                    pair.meta = meta;
                    element.text("geom1", &mut pair.geomname1);
                    element.text("geom2", &mut pair.geomname2);
                    read_pair(element, &mut pair)?;
                    self.spec.pairs.push(pair);
                }
                "exclude" => {
                    let bodyname1 = element.required("body1")?.to_string();
                    let bodyname2 = element.required("body2")?.to_string();
                    self.spec.excludes.push(Exclude { meta, bodyname1, bodyname2 });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

pub fn read_pair(element: Element<'_>, pair: &mut Pair) -> Result<()> {
    element.int("condim", &mut pair.condim)?;
    element.partial("solref", &mut pair.solref)?;
    element.partial("solreffriction", &mut pair.solreffriction)?;
    element.partial("solimp", &mut pair.solimp)?;
    element.number("margin", &mut pair.margin)?;
    element.number("gap", &mut pair.gap)?;
    element.partial("friction", &mut pair.friction)?;
    Ok(())
}
