//! Names of model elements: zero-terminated strings in one byte array, addressed per kind.

use crate::enums::ObjType;
use crate::model::Model;

impl Model {
    /// Addresses into `names` of all elements of a kind; `None` for kinds without names.
    pub fn name_addresses(&self, kind: ObjType) -> Option<&[i32]> {
        Some(match kind {
            ObjType::Body | ObjType::Xbody => &self.name_bodyadr,
            ObjType::Joint => &self.name_jntadr,
            ObjType::Geom => &self.name_geomadr,
            ObjType::Site => &self.name_siteadr,
            ObjType::Camera => &self.name_camadr,
            ObjType::Light => &self.name_lightadr,
            ObjType::Flex => &self.name_flexadr,
            ObjType::Mesh => &self.name_meshadr,
            ObjType::Skin => &self.name_skinadr,
            ObjType::Hfield => &self.name_hfieldadr,
            ObjType::Texture => &self.name_texadr,
            ObjType::Material => &self.name_matadr,
            ObjType::Pair => &self.name_pairadr,
            ObjType::Exclude => &self.name_excludeadr,
            ObjType::Equality => &self.name_eqadr,
            ObjType::Tendon => &self.name_tendonadr,
            ObjType::Actuator => &self.name_actuatoradr,
            ObjType::Sensor => &self.name_sensoradr,
            ObjType::Numeric => &self.name_numericadr,
            ObjType::Text => &self.name_textadr,
            ObjType::Tuple => &self.name_tupleadr,
            ObjType::Key => &self.name_keyadr,
            ObjType::Plugin => &self.name_pluginadr,
            ObjType::Unknown | ObjType::Dof | ObjType::Frame | ObjType::Default | ObjType::Model => {
                return None;
            }
        })
    }

    /// Name of an element; `None` when it has none or does not exist.
    pub fn name(&self, kind: ObjType, id: usize) -> Option<&str> {
        let start = *self.name_addresses(kind)?.get(id)? as usize;
        let rest = self.names.get(start..)?;
        let end = rest.iter().position(|&b| b == 0)?;
        std::str::from_utf8(&rest[..end]).ok().filter(|s| !s.is_empty())
    }

    /// Id of a named element.
    pub fn id(&self, kind: ObjType, name: &str) -> Option<usize> {
        let count = self.name_addresses(kind)?.len();
        (0..count).find(|&i| self.name(kind, i) == Some(name))
    }
}
