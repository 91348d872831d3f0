//! `<default>`: classes are complete elements that new elements are copied from.

use super::Reader;
use super::{actuator, asset, contact, equality, parts, tendon};
use crate::diag::Result;
use crate::spec::{ClassId, DefaultClass};
use crate::xml::Element;

impl Reader<'_> {
    /// Reads a top-level section, which belongs to class `main`, and the classes inside.
    ///
    /// A class starts as a copy of its parent, after all settings of the parent in this section: what a later
    /// section changes in the parent does not reach it.
    pub(super) fn read_default(&mut self, section: Element<'_>) -> Result<()> {
        match section.attr("class") {
            None | Some("" | "main") => {}
            Some(_) => {
                let message = "top-level default class 'main' cannot be renamed";
                return Err(section.invalid_attr("class", message));
            }
        }
        let mut stack = vec![(section, ClassId(0))];
        while let Some((element, class)) = stack.pop() {
            let class = if element.id() == section.id() { class } else { self.add_class(element, class)? };
            for child in element.children() {
                self.read_class_entry(child, class)?;
            }
            let nested = element.children().rev().filter(|c| c.name() == "default");
            stack.extend(nested.map(|child| (child, class)));
        }
        Ok(())
    }

    fn add_class(&mut self, element: Element<'_>, parent: ClassId) -> Result<ClassId> {
        let name = element.attr("class").unwrap_or_default();
        if name.is_empty() {
            return Err(element.invalid("empty class name"));
        }
        if self.class(name).is_some() {
            return Err(element.invalid_attr("class", format!("repeated default class name '{name}'")));
        }
        let id = ClassId(self.spec.classes.len() as u32);
        let above = &self.spec.classes[parent.index()];
        self.assets.charge(above.list_bytes() as u64).map_err(|over| element.over_budget(over))?;
        let inherited = above.clone();
        let class = DefaultClass { name: name.to_string(), parent: Some(parent), ..inherited };
        self.spec.classes.push(class);
        Ok(id)
    }

    fn read_class_entry(&mut self, element: Element<'_>, class: ClassId) -> Result<()> {
        if element.name() == "mesh" {
            let mut mesh = self.spec.classes[class.index()].mesh.clone();
            self.read_mesh(element, &mut mesh)?;
            self.spec.classes[class.index()].mesh = mesh;
            return Ok(());
        }
        let class = &mut self.spec.classes[class.index()];
        match element.name() {
            "material" => asset::read_material(element, &mut class.material),
            "joint" => parts::read_joint(element, &mut class.joint),
            "geom" => parts::read_geom(element, &mut class.geom),
            "site" => parts::read_site(element, &mut class.site),
            "camera" => parts::read_camera(element, &mut class.camera),
            "light" => parts::read_light(element, &mut class.light),
            "pair" => contact::read_pair(element, &mut class.pair),
            "equality" => equality::read_equality(element, &mut class.equality),
            "tendon" => tendon::read_tendon(element, &mut class.tendon),
            name if actuator::SHORTCUTS.contains(&name) => {
                actuator::read_actuator(element, &mut class.actuator)
            }
            _ => Ok(()),
        }
    }
}
