//! `<keyframe>` and `<custom>`.

use super::Reader;
use crate::diag::Result;
use crate::keywords;
use crate::spec::{ClassId, Key, Numeric, Text, Tuple};
use crate::xml::Element;
use ligament_model::enums::ObjType;

/// Largest custom field.
const MAX_NUMERIC: usize = 500;

impl Reader<'_> {
    pub(super) fn read_keyframe(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            let mut key = Key { meta: self.meta(element, ClassId(0)), ..Key::default() };
            element.number("time", &mut key.time)?;
            key.qpos = element.numbers("qpos")?.unwrap_or_default();
            key.qvel = element.numbers("qvel")?.unwrap_or_default();
            key.act = element.numbers("act")?.unwrap_or_default();
            key.mpos = element.numbers("mpos")?.unwrap_or_default();
            key.mquat = element.numbers("mquat")?.unwrap_or_default();
            key.ctrl = element.numbers("ctrl")?.unwrap_or_default();
            self.spec.keys.push(key);
        }
        Ok(())
    }

    pub(super) fn read_custom(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            element.required("name")?;
            let meta = self.meta(element, ClassId(0));
            match element.name() {
                "numeric" => {
                    let (data, size) = read_numeric(element)?;
                    self.spec.numerics.push(Numeric { meta, data, size });
                }
                "text" => {
                    let data = element.required("data")?.to_string();
                    if data.is_empty() {
                        return Err(element.invalid_attr("data", "text field cannot be empty"));
                    }
                    self.spec.texts.push(Text { meta, data });
                }
                "tuple" => {
                    let mut tuple = Tuple { meta, ..Tuple::default() };
                    for object in element.children().filter(|e| e.name() == "element") {
                        read_tuple_element(object, &mut tuple)?;
                    }
                    self.spec.tuples.push(tuple);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Data padded with zeros to the size; without a size, as many as are written.
fn read_numeric(element: Element<'_>) -> Result<(Vec<f64>, i32)> {
    let mut data = element.numbers("data")?.unwrap_or_default();
    let mut size = data.len() as i32;
    let has_size = element.int("size", &mut size)?;
    if size < 1 || size > MAX_NUMERIC as i32 {
        return Err(element.invalid("custom field size must be between 1 and 500"));
    }
    if has_size && data.len() > size as usize {
        return Err(element.invalid_attr("data", "attribute 'data' has too much data"));
    }
    data.resize(size as usize, 0.0);
    Ok((data, size))
}

fn read_tuple_element(object: Element<'_>, tuple: &mut Tuple) -> Result<()> {
    let kind = keywords::object_type(object.required("objtype")?);
    if kind == ObjType::Unknown {
        return Err(object.invalid_attr("objtype", "unknown object type"));
    }
    tuple.objtype.push(kind as i32);
    tuple.objname.push(object.required("objname")?.to_string());
    let mut parameter = 0.0;
    object.number("prm", &mut parameter)?;
    tuple.objprm.push(parameter);
    Ok(())
}
