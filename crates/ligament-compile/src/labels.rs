//! Names of kinds of elements, for messages.

use ligament_model::enums::ObjType;

/// What the reference calls a kind of element in messages and in `objtype` attributes.
pub fn label(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Unknown => "unknown",
        ObjType::Body => "body",
        ObjType::Xbody => "xbody",
        ObjType::Joint => "joint",
        ObjType::Dof => "dof",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Flex => "flex",
        ObjType::Mesh => "mesh",
        ObjType::Skin => "skin",
        ObjType::Hfield => "hfield",
        ObjType::Texture => "texture",
        ObjType::Material => "material",
        ObjType::Pair => "pair",
        ObjType::Exclude => "exclude",
        ObjType::Equality => "equality",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Sensor => "sensor",
        ObjType::Numeric => "numeric",
        ObjType::Text => "text",
        ObjType::Tuple => "tuple",
        ObjType::Key => "key",
        ObjType::Plugin => "plugin",
        ObjType::Frame => "frame",
        ObjType::Default => "default",
        ObjType::Model => "model",
    }
}
