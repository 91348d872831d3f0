//! Contact pairs, flexes, skins, equality constraints, tendons.

use super::Writer;
use crate::asset_paths::AssetKind;
use crate::keywords as key;
use crate::spec::{ClassId, Equality, Flex, Pair, Skin, Tendon, WrapKind};
use ligament_model::enums::{EqType, ObjType};

impl Writer<'_> {
    pub(super) fn contact(&mut self) {
        self.xml.open("contact");
        for pair in &self.spec.pairs {
            self.xml.open("pair");
            self.name_and_class(&pair.meta, ClassId(0));
            self.xml.text("geom1", &pair.geomname1);
            self.xml.text("geom2", &pair.geomname2);
            let class = &self.spec.classes[pair.meta.class.index()].pair;
            self.pair_settings(pair, class);
            self.xml.close();
        }
        for exclude in &self.spec.excludes {
            self.xml.open("exclude");
            self.xml.text_if("name", &exclude.meta.name);
            self.xml.text("body1", &exclude.bodyname1);
            self.xml.text("body2", &exclude.bodyname2);
            self.xml.close();
        }
        self.xml.close_unless_empty();
    }

    pub(super) fn pair_settings(&mut self, pair: &Pair, class: &Pair) {
        let xml = &mut self.xml;
        xml.changed_one("condim", pair.condim, class.condim);
        xml.changed("friction", &pair.friction, &class.friction);
        xml.changed("solref", &pair.solref, &class.solref);
        xml.changed("solreffriction", &pair.solreffriction, &class.solreffriction);
        xml.changed("solimp", &pair.solimp, &class.solimp);
        xml.changed_one("gap", pair.gap, class.gap);
        xml.changed_one("margin", pair.margin, class.margin);
    }

    pub(super) fn deformable(&mut self) {
        self.xml.open("deformable");
        for flex in &self.spec.flexes {
            self.flex(flex);
        }
        for skin in &self.spec.skins {
            self.skin(skin);
        }
        self.xml.close_unless_empty();
    }

    fn flex(&mut self, flex: &Flex) {
        let default = Flex::default();
        let xml = &mut self.xml;
        xml.open("flex");
        xml.text_if("name", &flex.meta.name);
        xml.changed_one("group", flex.group, default.group);
        xml.changed_one("dim", flex.dim, default.dim);
        xml.changed_one("radius", flex.radius, default.radius);
        xml.changed_text("material", &flex.material, &default.material);
        xml.changed("rgba", &flex.rgba, &default.rgba);
        xml.changed_flag("flatskin", flex.flatskin, default.flatskin);
        let (bending, elasticity) = (default.bending_model, default.elasticity_model);
        xml.changed_text("ligament:soft", &flex.soft, &default.soft);
        xml.changed_key("ligament:bending_model", key::FLEX_BENDING, flex.bending_model, bending);
        xml.changed_key("ligament:elasticity_model", key::FLEX_ELASTICITY, flex.elasticity_model, elasticity);
        xml.text("body", &flex.vertbody.join(" "));
        xml.text_if("node", &flex.nodebody.join(" "));
        xml.numbers_if("vertex", &flex.vert);
        xml.numbers("element", &flex.elem);
        xml.numbers_if("texcoord", &flex.texcoord);
        xml.numbers_if("elemtexcoord", &flex.elemtexcoord);
        self.flex_contact(flex, &default);
        let xml = &mut self.xml;
        xml.open("edge");
        xml.changed_one("stiffness", flex.edgestiffness, default.edgestiffness);
        xml.changed_one("damping", flex.edgedamping, default.edgedamping);
        xml.close_unless_empty();
        xml.open("elasticity");
        xml.changed_one("young", flex.young, default.young);
        xml.changed_one("poisson", flex.poisson, default.poisson);
        xml.changed_one("damping", flex.damping, default.damping);
        xml.changed_one("thickness", flex.thickness, default.thickness);
        xml.changed_key("elastic2d", key::ELASTIC_2D, flex.elastic2d, default.elastic2d);
        xml.close_unless_empty();
        xml.close();
    }

    fn flex_contact(&mut self, flex: &Flex, default: &Flex) {
        let xml = &mut self.xml;
        xml.open("contact");
        xml.changed_one("contype", flex.contype, default.contype);
        xml.changed_one("conaffinity", flex.conaffinity, default.conaffinity);
        xml.changed_one("condim", flex.condim, default.condim);
        xml.changed_one("priority", flex.priority, default.priority);
        xml.changed("friction", &flex.friction, &default.friction);
        xml.changed_one("solmix", flex.solmix, default.solmix);
        xml.changed("solref", &flex.solref, &default.solref);
        xml.changed("solimp", &flex.solimp, &default.solimp);
        xml.changed_one("margin", flex.margin, default.margin);
        xml.changed_one("gap", flex.gap, default.gap);
        xml.changed_flag("internal", flex.internal, default.internal);
        xml.changed_key("selfcollide", key::FLEX_SELF, flex.selfcollide, default.selfcollide);
        xml.changed_one("activelayers", flex.activelayers, default.activelayers);
        xml.changed_key("vertcollide", key::BOOL, flex.vertcollide, default.vertcollide);
        xml.changed_key("passive", key::BOOL, flex.passive, default.passive);
        xml.close_unless_empty();
    }

    fn skin(&mut self, skin: &Skin) {
        let default = Skin::default();
        let file = self.file(skin.meta.compiler, AssetKind::Mesh, &skin.file, &skin.filedir);
        let xml = &mut self.xml;
        xml.open("skin");
        xml.text_if("name", &skin.meta.name);
        xml.text_if("file", &file);
        xml.text_if("material", &skin.material);
        xml.changed("rgba", &skin.rgba, &default.rgba);
        xml.changed_one("inflate", skin.inflate, default.inflate);
        xml.changed_one("group", skin.group, default.group);
        xml.numbers_if("vertex", &skin.vert);
        xml.numbers_if("texcoord", &skin.texcoord);
        xml.numbers_if("face", &skin.face);
        for (i, body) in skin.bodyname.iter().enumerate() {
            xml.open("bone");
            xml.text("body", body);
            xml.numbers("bindpos", skin.bindpos.get(3 * i..3 * i + 3).unwrap_or_default());
            xml.numbers("bindquat", skin.bindquat.get(4 * i..4 * i + 4).unwrap_or_default());
            xml.numbers("vertid", skin.vertid.get(i).map(Vec::as_slice).unwrap_or_default());
            xml.numbers("vertweight", skin.vertweight.get(i).map(Vec::as_slice).unwrap_or_default());
            xml.close();
        }
        xml.close();
    }

    pub(super) fn equality(&mut self) {
        self.xml.open("equality");
        for equality in &self.spec.equalities {
            let Some((name, _)) = key::EQUALITY.iter().find(|(_, kind)| *kind == equality.kind) else {
                continue;
            };
            self.xml.open(name);
            self.name_and_class(&equality.meta, ClassId(0));
            self.equality_ends(equality);
            let class = &self.spec.classes[equality.meta.class.index()].equality;
            self.equality_settings(equality, class);
            self.xml.close();
        }
        self.xml.close_unless_empty();
    }

    fn equality_ends(&mut self, equality: &Equality) {
        let xml = &mut self.xml;
        let ends = match (equality.kind, equality.objtype) {
            (EqType::Connect | EqType::Weld, ObjType::Site) => ["site1", "site2"],
            (EqType::Connect | EqType::Weld, _) => ["body1", "body2"],
            (EqType::Joint, _) => ["joint1", "joint2"],
            (EqType::Tendon, _) => ["tendon1", "tendon2"],
            (EqType::Flex | EqType::Flexvert | EqType::Distance, _) => ["flex", ""],
        };
        xml.text(ends[0], &equality.name1);
        if !ends[1].is_empty() {
            xml.text_if(ends[1], &equality.name2);
        }
        let bodies = equality.objtype != ObjType::Site;
        match equality.kind {
            EqType::Connect if bodies => xml.numbers("anchor", &equality.data[..3]),
            EqType::Weld => {
                if bodies {
                    xml.numbers("anchor", &equality.data[..3]);
                    xml.numbers("relpose", &equality.data[3..10]);
                }
                xml.numbers("torquescale", &equality.data[10..]);
            }
            EqType::Joint | EqType::Tendon => xml.numbers("polycoef", &equality.data[..5]),
            EqType::Connect | EqType::Flex | EqType::Flexvert | EqType::Distance => {}
        }
    }

    pub(super) fn equality_settings(&mut self, equality: &Equality, class: &Equality) {
        let xml = &mut self.xml;
        xml.changed_flag("active", equality.active, class.active);
        xml.changed("solref", &equality.solref, &class.solref);
        xml.changed("solimp", &equality.solimp, &class.solimp);
    }

    pub(super) fn tendon(&mut self) {
        self.xml.open("tendon");
        for tendon in &self.spec.tendons {
            let fixed = matches!(tendon.path.first().map(|w| &w.kind), Some(WrapKind::Joint { .. }));
            self.xml.open(if fixed { "fixed" } else { "spatial" });
            self.name_and_class(&tendon.meta, ClassId(0));
            let class = &self.spec.classes[tendon.meta.class.index()].tendon;
            // what only tendons themselves have
            let limited = tendon.actfrclimited;
            self.xml.changed_key("actuatorfrclimited", key::LIMITED, limited, class.actfrclimited);
            self.xml.changed("actuatorfrcrange", &tendon.actfrcrange, &class.actfrcrange);
            self.xml.changed_one("armature", tendon.armature, class.armature);
            let mut shown = tendon.clone();
            if fixed {
                // not drawn, and not in the vocabulary of fixed tendons
                shown.width = class.width;
                shown.rgba = class.rgba;
                shown.material.clone_from(&class.material);
            }
            self.tendon_settings(&shown, class);
            self.tendon_path(tendon);
            self.xml.close();
        }
        self.xml.close_unless_empty();
    }

    pub(super) fn tendon_settings(&mut self, tendon: &Tendon, class: &Tendon) {
        let xml = &mut self.xml;
        xml.changed_one("group", tendon.group, class.group);
        xml.changed_key("limited", key::LIMITED, tendon.limited, class.limited);
        xml.changed("range", &tendon.range, &class.range);
        xml.changed("solreflimit", &tendon.solref_limit, &class.solref_limit);
        xml.changed("solimplimit", &tendon.solimp_limit, &class.solimp_limit);
        xml.changed("solreffriction", &tendon.solref_friction, &class.solref_friction);
        xml.changed("solimpfriction", &tendon.solimp_friction, &class.solimp_friction);
        xml.changed_one("frictionloss", tendon.frictionloss, class.frictionloss);
        xml.changed("springlength", &tendon.springlength, &class.springlength);
        xml.changed_one("width", tendon.width, class.width);
        xml.changed_text("material", &tendon.material, &class.material);
        xml.changed_one("margin", tendon.margin, class.margin);
        xml.changed_one("stiffness", tendon.stiffness, class.stiffness);
        xml.changed_one("damping", tendon.damping, class.damping);
        xml.changed("rgba", &tendon.rgba, &class.rgba);
        xml.changed("user", &tendon.userdata, &class.userdata);
    }

    fn tendon_path(&mut self, tendon: &Tendon) {
        let xml = &mut self.xml;
        for wrap in &tendon.path {
            match &wrap.kind {
                WrapKind::Joint { joint, coef } => {
                    xml.open("joint");
                    xml.text("joint", joint);
                    xml.numbers("coef", &[*coef]);
                }
                WrapKind::Site { site } => {
                    xml.open("site");
                    xml.text("site", site);
                }
                WrapKind::Geom { geom, sidesite } => {
                    xml.open("geom");
                    xml.text("geom", geom);
                    xml.text_if("sidesite", sidesite);
                }
                WrapKind::Pulley { divisor } => {
                    xml.open("pulley");
                    xml.numbers("divisor", &[*divisor]);
                }
            }
            xml.close();
        }
    }
}
