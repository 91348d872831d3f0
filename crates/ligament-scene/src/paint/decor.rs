//! Equality constraints that tie points.

use super::Painter;
use ligament_math::{mat3, vec3};
use ligament_model::enums::{CatBit, EqType, GeomType, Label, ObjType, VisFlag};

impl Painter<'_> {
    /// A ball at each of the two points.
    pub(super) fn constraints(&mut self) {
        if !self.shows(VisFlag::Constraint) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let size = [f64::from(self.scale() * m.vis.scale.constraint), 0.0, 0.0];
        for id in (0..m.neq).filter(|&i| d.eq_active[i] != 0) {
            let weld = match EqType::try_from(m.eq_type[id]) {
                Ok(EqType::Weld) => true,
                Ok(EqType::Connect) => false,
                _ => continue,
            };
            let [first, second] = [m.eq_obj1id[id] as usize, m.eq_obj2id[id] as usize];
            let frames = if m.eq_objtype[id] == ObjType::Site as i32 {
                [first, second].map(|site| (d.site_xpos[site], d.site_xmat[site]))
            } else {
                let anchor = |at: usize| std::array::from_fn(|k| m.eq_data[id][at + k]);
                let anchors = if weld { [3, 0] } else { [0, 3] };
                [(first, anchors[0]), (second, anchors[1])].map(|(body, at)| {
                    (vec3::add(mat3::mul_vec(&d.xmat[body], anchor(at)), d.xpos[body]), d.xmat[body])
                })
            };
            for ((pos, mat), rgba) in frames.into_iter().zip([m.vis.rgba.connect, m.vis.rgba.constraint]) {
                let mut geom = self.blank(id, CatBit::Decor, ObjType::Equality);
                geom.init(GeomType::Sphere as i32, Some(size), Some(pos), Some(&mat), Some(rgba));
                if self.labels(Label::Constraint) {
                    geom.label = self.label(ObjType::Equality, id);
                }
                self.push(geom);
            }
        }
    }
}
