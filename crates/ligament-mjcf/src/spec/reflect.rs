//! Fields of specification elements by name, for interfaces that are not written in Rust.

use super::{
    AttachedKey, Body, Compiler, Frame, LengthRangeOptions, Orientation, PluginRef, SizeSettings, Wrap,
    WrapKind,
};
use ligament_model::enums::*;
use ligament_model::flex_model::{FlexBendingType, FlexElasticityType};

/// The content of a field. Vectors have a fixed length, lists any.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the names are those of the types
pub enum Value {
    Flag(bool),
    Int(i64),
    Real(f64),
    Single(f32),
    Text(String),
    /// Name of the enumeration and number of the member.
    Member(&'static str, i32),
    Vector(Vec<f64>),
    SingleVector(Vec<f32>),
    IntVector(Vec<i32>),
    Reals(Vec<f64>),
    Singles(Vec<f32>),
    Ints(Vec<i32>),
    Bytes(Vec<u8>),
    Texts(Vec<String>),
    IntLists(Vec<Vec<i32>>),
    SingleLists(Vec<Vec<f32>>),
    Orientation(Option<Orientation>),
    Plugin(Option<PluginRef>),
    Path(Vec<Wrap>),
    Attached(Option<AttachedKey>),
}

/// Named fields.
pub trait Fields {
    /// All names, in order of definition.
    const NAMES: &'static [&'static str];
    /// The content of a field; `None` when there is none of that name.
    fn get(&self, name: &str) -> Option<Value>;
    /// Replaces the content of a field; false when the name or the kind of value is wrong.
    fn set(&mut self, name: &str, value: Value) -> bool;
    /// Bytes of texts and lists in all fields.
    fn list_bytes(&self) -> usize;
}

/// What can be the content of a field.
pub trait Content {
    /// The content.
    fn value(&self) -> Value;
    /// Replaces it; false when the kind of value is wrong.
    fn assign(&mut self, value: Value) -> bool;
    /// Bytes of a text or list, besides the field itself.
    fn list_bytes(&self) -> usize {
        0
    }
}

macro_rules! plain {
    ($($ty:ty, $variant:ident, $bytes:expr;)+) => { $(
        impl Content for $ty {
            fn value(&self) -> Value {
                Value::$variant(self.clone())
            }
            fn assign(&mut self, value: Value) -> bool {
                let Value::$variant(new) = value else { return false };
                *self = new;
                true
            }
            fn list_bytes(&self) -> usize {
                let bytes: fn(&Self) -> usize = $bytes;
                bytes(self)
            }
        }
    )+ };
}
plain! {
    bool, Flag, |_| 0;
    i64, Int, |_| 0;
    f64, Real, |_| 0;
    f32, Single, |_| 0;
    String, Text, |text| text.len();
    Vec<f64>, Reals, |list| size_of_val(&**list);
    Vec<f32>, Singles, |list| size_of_val(&**list);
    Vec<i32>, Ints, |list| size_of_val(&**list);
    Vec<u8>, Bytes, |list| list.len();
    Vec<String>, Texts, |texts| texts.iter().map(|text| OUTSIDE + text.len()).sum();
    Vec<Vec<i32>>, IntLists, |lists| lists.iter().map(|list| OUTSIDE + size_of_val(&**list)).sum();
    Vec<Vec<f32>>, SingleLists, |lists| lists.iter().map(|list| OUTSIDE + size_of_val(&**list)).sum();
    Option<Orientation>, Orientation, |_| 0;
    Option<PluginRef>, Plugin, |plugin| plugin.as_ref().map_or(0, |p| config_bytes(&p.config) + p.instance.len());
    Vec<Wrap>, Path, |path| path.iter().map(wrap_bytes).sum();
    Option<AttachedKey>, Attached, |_| 0; // counted by the elements that it speaks about
}

/// Bytes of a text or list inside a list, besides its content.
const OUTSIDE: usize = 56;

/// Bytes of the settings of a plugin.
pub(super) fn config_bytes(config: &[(String, String)]) -> usize {
    config.iter().map(|(key, value)| 2 * OUTSIDE + key.len() + value.len()).sum()
}

fn wrap_bytes(wrap: &Wrap) -> usize {
    let names = match &wrap.kind {
        WrapKind::Joint { joint: name, .. } | WrapKind::Site { site: name } => name.len(),
        WrapKind::Geom { geom, sidesite } => geom.len() + sidesite.len(),
        WrapKind::Pulley { .. } => 0,
    };
    size_of::<Wrap>() + OUTSIDE + names
}

impl Content for i32 {
    fn value(&self) -> Value {
        Value::Int(i64::from(*self))
    }
    fn assign(&mut self, value: Value) -> bool {
        let Value::Int(new) = value else { return false };
        i32::try_from(new).map(|new| *self = new).is_ok()
    }
}

macro_rules! vectors {
    ($($ty:ty, $variant:ident;)+) => { $(
        impl<const N: usize> Content for [$ty; N] {
            fn value(&self) -> Value {
                Value::$variant(self.to_vec())
            }
            fn assign(&mut self, value: Value) -> bool {
                let Value::$variant(new) = value else { return false };
                new.try_into().map(|new| *self = new).is_ok()
            }
        }
    )+ };
}
vectors! {
    f64, Vector;
    f32, SingleVector;
    i32, IntVector;
}

/// Axis letters.
impl Content for [u8; 3] {
    fn value(&self) -> Value {
        Value::Text(self.iter().map(|&letter| char::from(letter)).collect())
    }
    fn assign(&mut self, value: Value) -> bool {
        let Value::Text(new) = value else { return false };
        new.into_bytes().try_into().map(|new| *self = new).is_ok()
    }
}

macro_rules! members {
    ($($ty:ident)+) => { $(
        impl Content for $ty {
            fn value(&self) -> Value {
                Value::Member($ty::INFO.name, *self as i32)
            }
            fn assign(&mut self, value: Value) -> bool {
                let Value::Member(_, new) = value else { return false };
                $ty::try_from(new).map(|new| *self = new).is_ok()
            }
        }
    )+ };
}
members! {
    AlignFree BiasType Builtin CamLight ColorSpace DataType DynType EqType FlexSelf GainType GeomInertia GeomType
    InertiaFromGeom JointType LRMode LightType Limited Mark MeshBuiltin MeshInertia ObjType Projection SensorType
    SleepPolicy Stage TextureType TrnType
}

impl Content for FlexBendingType {
    fn value(&self) -> Value {
        Value::Flag(*self == Self::Bridson)
    }
    fn assign(&mut self, value: Value) -> bool {
        let Value::Flag(new) = value else { return false };
        *self = if new { Self::Bridson } else { Self::Cotangent };
        true
    }
}

impl Content for FlexElasticityType {
    fn value(&self) -> Value {
        Value::Flag(*self == Self::NeoHookean)
    }
    fn assign(&mut self, value: Value) -> bool {
        let Value::Flag(new) = value else { return false };
        *self = if new { Self::NeoHookean } else { Self::Linear };
        true
    }
}

macro_rules! fields {
    ($ty:ident { $($name:ident)+ }) => {
        impl $crate::spec::reflect::Fields for $ty {
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];
            fn get(&self, name: &str) -> Option<$crate::spec::reflect::Value> {
                Some(match name {
                    $(stringify!($name) => $crate::spec::reflect::Content::value(&self.$name),)+
                    _ => return None,
                })
            }
            fn set(&mut self, name: &str, value: $crate::spec::reflect::Value) -> bool {
                match name {
                    $(stringify!($name) => $crate::spec::reflect::Content::assign(&mut self.$name, value),)+
                    _ => false,
                }
            }
            fn list_bytes(&self) -> usize {
                0 $(+ $crate::spec::reflect::Content::list_bytes(&self.$name))+
            }
        }
    };
}
pub(super) use fields;

fields! { Body {
    pos quat alt explicitinertial mass ipos iquat inertia ialt fullinertia mocap gravcomp sleep userdata plugin
} }
fields! { Frame { pos quat alt } }
fields! { Compiler {
    autolimits boundmass boundinertia settotalmass balanceinertia strippath fitaabb degree eulerseq discardvisual
    usethread fusestatic inertiafromgeom inertiagrouprange saveinertial alignfree meshdir texturedir modeldir
} }
fields! { LengthRangeOptions {
    mode useexisting uselimit accel maxforce timeconst timestep inttotal interval tolrange
} }
fields! { SizeSettings {
    memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon
    nuser_actuator nuser_sensor
} }
