//! Contacts: points, frames and forces.

use super::Painter;
use crate::geom::single;
use crate::table::Text;
use crate::{Geom, color};
use ligament_math::{MINVAL, Mat3, mat3, vec3};
use ligament_model::Contact;
use ligament_model::enums::{Frame, GeomType, Label, ObjType, VisFlag};
use ligament_sim::constraint::contact_force;

/// Longest name in a label of a contact.
const NAME_LENGTH: usize = 47;

impl Painter<'_> {
    pub(super) fn contacts(&mut self) {
        let wanted = self.shows(VisFlag::Contactpoint)
            || self.shows(VisFlag::Contactforce)
            || self.frames(Frame::Contact);
        if !wanted {
            return;
        }
        for (id, contact) in self.d.contact.iter().enumerate() {
            if self.shows(VisFlag::Contactpoint) {
                self.contact_point(id, contact);
            }
            let axes = mat3::transpose(&contact.frame);
            if self.frames(Frame::Contact) {
                let (sizes, scale) = (&self.m.vis.scale, self.m.stat.meansize);
                let length = f64::from(sizes.framelength) * scale / 2.0;
                let width = f64::from(sizes.framewidth) * scale / 2.0;
                self.frame(id, contact.pos, &axes, length, width);
            }
            if contact.efc_address >= 0 && self.shows(VisFlag::Contactforce) {
                self.contact_forces(id, contact, &axes);
            }
        }
    }

    /// A disc whose height shows how deep the contact is.
    fn contact_point(&mut self, id: usize, contact: &Contact) {
        let (m, scale) = (self.m, self.m.stat.meansize);
        let width = (f64::from(m.vis.scale.contactwidth) * scale) as f32;
        let height = (f64::from(m.vis.scale.contactheight) * scale) as f32;
        let depth = (-contact.dist / 2.0) as f32;
        // the normal, first in the contact frame, is the axis of the disc
        let rows: Mat3 = std::array::from_fn(|k| contact.frame[(k + 3) % 9]);
        let included = contact.efc_address >= 0;
        let geom = self.decor(id);
        let rgba = if self.shows(VisFlag::Island) && included {
            color::island(self.island_of_row(contact.efc_address), true)
        } else if included {
            m.vis.rgba.contactpoint
        } else {
            m.vis.rgba.contactgap
        };
        let mut geom = Geom {
            kind: GeomType::Cylinder as i32,
            size: [width, width, if height > depth { height } else { depth }],
            pos: single(contact.pos),
            mat: single(mat3::transpose(&rows)),
            rgba,
            ..geom
        };
        if self.labels(Label::Contactpoint) {
            let [first, second] = [0, 1].map(|side| self.contact_name(contact, side));
            geom.label = Text::new(&format!("{first} | {second}"));
        }
        self.push(geom);
    }

    /// Name of one side of a contact, or a letter and a number.
    fn contact_name(&self, contact: &Contact, side: usize) -> String {
        let name = |kind, id: i32, letter| {
            self.m.name(kind, id as usize).map_or_else(|| format!("{letter}{id}"), str::to_owned)
        };
        let mut text = if contact.geom[side] >= 0 {
            name(ObjType::Geom, contact.geom[side], 'g')
        } else {
            let flex = name(ObjType::Flex, contact.flex[side], 'f');
            if contact.elem[side] >= 0 {
                format!("{flex}.e{}", contact.elem[side])
            } else {
                format!("{flex}.v{}", contact.vert[side])
            }
        };
        while text.len() > NAME_LENGTH {
            text.pop();
        }
        text
    }

    /// Arrows for the whole force, or for its normal and tangential parts.
    fn contact_forces(&mut self, id: usize, contact: &Contact, axes: &Mat3) {
        let m = self.m;
        let mut force = [0.0; 3];
        let count = (contact.dim as usize).min(3);
        force[..count].copy_from_slice(&contact_force(m, self.d, id)[..count]);
        if vec3::norm(force) < MINVAL {
            return;
        }
        let bodies = [0, 1].map(|side| match usize::try_from(contact.geom[side]) {
            Ok(geom) => m.geom_bodyid.get(geom).map_or(0, |&body| body),
            Err(_) => (m.nbody as i32).saturating_add(contact.flex[side]),
        });
        let split = self.shows(VisFlag::Contactsplit) && contact.dim > 1;
        let (colors, width) = (&m.vis.rgba, f64::from(m.vis.scale.forcewidth) * m.stat.meansize);
        let [normal, tangent, binormal] = std::array::from_fn(|k| mat3::col(axes, k));
        let arrows = if split {
            let friction = std::array::from_fn(|k| tangent[k] * force[1] + binormal[k] * force[2]);
            vec![(vec3::scale(normal, force[0]), colors.contactforce), (friction, colors.contactfriction)]
        } else {
            vec![(mat3::mul_vec(axes, force), colors.contactforce)]
        };
        // towards the body with the higher number; with two heads when both can move
        let sign = if bodies[0] > bodies[1] { -1.0 } else { 1.0 };
        let kind = if bodies.iter().all(|&b| b > 0) && !split { GeomType::Arrow2 } else { GeomType::Arrow };
        for (place, (vector, rgba)) in arrows.into_iter().enumerate() {
            let vector = vec3::scale(vector, f64::from(m.vis.map.force) / m.stat.meanmass);
            let to = vec3::add(contact.pos, vec3::scale(vector, sign));
            let mut geom = self.decor(id);
            if self.labels(Label::Contactforce) && place == 0 {
                geom.label = Text::new(&three_digits(vec3::norm(force)));
            }
            self.connect_colored(geom, kind, width, [contact.pos, to], rgba);
        }
    }
}

/// Three significant digits without trailing zeros, with an exponent for very large and very small numbers.
fn three_digits(x: f64) -> String {
    let scientific = format!("{x:.2e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..3).contains(&exponent) {
        trim(&format!("{x:.*}", (2 - exponent) as usize))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::three_digits;

    #[test]
    fn numbers_have_three_digits() {
        let cases =
            [(0.5, "0.5"), (1234.0, "1.23e+03"), (99.96, "100"), (0.00001234, "1.23e-05"), (7.0, "7")];
        for (x, text) in cases {
            assert_eq!(three_digits(x), text);
        }
    }
}
