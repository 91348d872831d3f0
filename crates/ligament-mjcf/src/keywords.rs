//! Keywords of attribute values and what they stand for.

use ligament_model::enums::{
    BiasType, Builtin, CamLight, CamOutBit, ColorSpace, ConDataField, ConeType, DataType, DynType, EqType,
    FlexSelf, GainType, GeomInertia, GeomType, InertiaFromGeom, Integrator, JacobianType, JointType, LRMode,
    LightType, Limited, Mark, MeshBuiltin, MeshInertia, ObjType, Projection, RayDataField, SleepPolicy,
    SolverType, Stage, TextureRole, TextureType,
};
use ligament_model::flex_model::{FlexBendingType, FlexElasticityType};

/// A keyword table.
pub type Table<T> = &'static [(&'static str, T)];

pub const LIMITED: Table<Limited> =
    &[("false", Limited::False), ("true", Limited::True), ("auto", Limited::Auto)];

pub const INERTIA_FROM_GEOM: Table<InertiaFromGeom> =
    &[("false", InertiaFromGeom::False), ("true", InertiaFromGeom::True), ("auto", InertiaFromGeom::Auto)];

pub const SLEEP: Table<SleepPolicy> = &[
    ("auto", SleepPolicy::Auto),
    ("never", SleepPolicy::Never),
    ("allowed", SleepPolicy::Allowed),
    ("init", SleepPolicy::Init),
];

pub const JOINT: Table<JointType> = &[
    ("free", JointType::Free),
    ("ball", JointType::Ball),
    ("slide", JointType::Slide),
    ("hinge", JointType::Hinge),
];

pub const GEOM: Table<GeomType> = &[
    ("plane", GeomType::Plane),
    ("hfield", GeomType::Hfield),
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
    ("mesh", GeomType::Mesh),
    ("sdf", GeomType::Sdf),
];

pub const SHELL_INERTIA: Table<GeomInertia> = &[("false", GeomInertia::Volume), ("true", GeomInertia::Shell)];

pub const PROJECTION: Table<Projection> =
    &[("perspective", Projection::Perspective), ("orthographic", Projection::Orthographic)];

pub const CAMLIGHT: Table<CamLight> = &[
    ("fixed", CamLight::Fixed),
    ("track", CamLight::Track),
    ("trackcom", CamLight::Trackcom),
    ("targetbody", CamLight::Targetbody),
    ("targetbodycom", CamLight::Targetbodycom),
];

pub const LIGHT: Table<LightType> = &[
    ("spot", LightType::Spot),
    ("directional", LightType::Directional),
    ("point", LightType::Point),
    ("image", LightType::Image),
];

pub const TEXTURE_ROLE: Table<TextureRole> = &[
    ("rgb", TextureRole::Rgb),
    ("occlusion", TextureRole::Occlusion),
    ("roughness", TextureRole::Roughness),
    ("metallic", TextureRole::Metallic),
    ("normal", TextureRole::Normal),
    ("opacity", TextureRole::Opacity),
    ("emissive", TextureRole::Emissive),
    ("rgba", TextureRole::Rgba),
    ("orm", TextureRole::Orm),
];

pub const INTEGRATOR: Table<Integrator> = &[
    ("Euler", Integrator::Euler),
    ("RK4", Integrator::Rk4),
    ("implicit", Integrator::Implicit),
    ("implicitfast", Integrator::Implicitfast),
];

pub const CONE: Table<ConeType> = &[("pyramidal", ConeType::Pyramidal), ("elliptic", ConeType::Elliptic)];

pub const JACOBIAN: Table<JacobianType> =
    &[("dense", JacobianType::Dense), ("sparse", JacobianType::Sparse), ("auto", JacobianType::Auto)];

pub const SOLVER: Table<SolverType> =
    &[("PGS", SolverType::Pgs), ("CG", SolverType::Cg), ("Newton", SolverType::Newton)];

pub const EQUALITY: Table<EqType> = &[
    ("connect", EqType::Connect),
    ("weld", EqType::Weld),
    ("joint", EqType::Joint),
    ("tendon", EqType::Tendon),
    ("flex", EqType::Flex),
    ("flexvert", EqType::Flexvert),
];

pub const TEXTURE: Table<TextureType> =
    &[("2d", TextureType::N2d), ("cube", TextureType::Cube), ("skybox", TextureType::Skybox)];

pub const COLORSPACE: Table<ColorSpace> =
    &[("auto", ColorSpace::Auto), ("linear", ColorSpace::Linear), ("sRGB", ColorSpace::Srgb)];

pub const BUILTIN: Table<Builtin> = &[
    ("none", Builtin::None),
    ("gradient", Builtin::Gradient),
    ("checker", Builtin::Checker),
    ("flat", Builtin::Flat),
];

pub const MARK: Table<Mark> =
    &[("none", Mark::None), ("edge", Mark::Edge), ("cross", Mark::Cross), ("random", Mark::Random)];

pub const DYNAMICS: Table<DynType> = &[
    ("none", DynType::None),
    ("integrator", DynType::Integrator),
    ("filter", DynType::Filter),
    ("filterexact", DynType::Filterexact),
    ("muscle", DynType::Muscle),
    ("user", DynType::User),
];

pub const GAIN: Table<GainType> = &[
    ("fixed", GainType::Fixed),
    ("affine", GainType::Affine),
    ("muscle", GainType::Muscle),
    ("user", GainType::User),
];

pub const BIAS: Table<BiasType> = &[
    ("none", BiasType::None),
    ("affine", BiasType::Affine),
    ("muscle", BiasType::Muscle),
    ("user", BiasType::User),
];

/// Interpolation of delayed values: order of the polynomial.
pub const INTERPOLATION: Table<i32> = &[("zoh", 0), ("linear", 1), ("cubic", 2)];

pub const STAGE: Table<Stage> =
    &[("none", Stage::None), ("pos", Stage::Pos), ("vel", Stage::Vel), ("acc", Stage::Acc)];

pub const DATA_TYPE: Table<DataType> = &[
    ("real", DataType::Real),
    ("positive", DataType::Positive),
    ("axis", DataType::Axis),
    ("quaternion", DataType::Quaternion),
];

pub const CONTACT_DATA: Table<i32> = &[
    ("found", ConDataField::Found as i32),
    ("force", ConDataField::Force as i32),
    ("torque", ConDataField::Torque as i32),
    ("dist", ConDataField::Dist as i32),
    ("pos", ConDataField::Pos as i32),
    ("normal", ConDataField::Normal as i32),
    ("tangent", ConDataField::Tangent as i32),
];

pub const RAY_DATA: Table<i32> = &[
    ("dist", RayDataField::Dist as i32),
    ("dir", RayDataField::Dir as i32),
    ("origin", RayDataField::Origin as i32),
    ("point", RayDataField::Point as i32),
    ("normal", RayDataField::Normal as i32),
    ("depth", RayDataField::Depth as i32),
];

pub const CAMERA_OUTPUT: Table<i32> = &[
    ("rgb", CamOutBit::Rgb as i32),
    ("depth", CamOutBit::Depth as i32),
    ("distance", CamOutBit::Dist as i32),
    ("normal", CamOutBit::Normal as i32),
    ("segmentation", CamOutBit::Seg as i32),
];

/// How a contact sensor chooses among contacts.
pub const REDUCE: Table<i32> = &[("none", 0), ("mindist", 1), ("maxforce", 2), ("netforce", 3)];

pub const LENGTH_RANGE_MODE: Table<LRMode> = &[
    ("none", LRMode::None),
    ("muscle", LRMode::Muscle),
    ("muscleuser", LRMode::Muscleuser),
    ("all", LRMode::All),
];

pub const MESH_INERTIA: Table<MeshInertia> = &[
    ("convex", MeshInertia::Convex),
    ("legacy", MeshInertia::Legacy),
    ("exact", MeshInertia::Exact),
    ("shell", MeshInertia::Shell),
];

pub const MESH_BUILTIN: Table<MeshBuiltin> = &[
    ("none", MeshBuiltin::None),
    ("sphere", MeshBuiltin::Sphere),
    ("hemisphere", MeshBuiltin::Hemisphere),
    ("cone", MeshBuiltin::Cone),
    ("supertorus", MeshBuiltin::Supertorus),
    ("supersphere", MeshBuiltin::Supersphere),
    ("wedge", MeshBuiltin::Wedge),
    ("plate", MeshBuiltin::Plate),
];

pub const FLEX_SELF: Table<FlexSelf> = &[
    ("none", FlexSelf::None),
    ("narrow", FlexSelf::Narrow),
    ("bvh", FlexSelf::Bvh),
    ("sap", FlexSelf::Sap),
    ("auto", FlexSelf::Auto),
];

/// Elastic energies of 2D flexes: bit 0 bending, bit 1 stretching.
pub const ELASTIC_2D: Table<i32> = &[("none", 0), ("bend", 1), ("stretch", 2), ("both", 3)];

/// Models of bending, an extension of MJCF.
pub const FLEX_BENDING: Table<FlexBendingType> =
    &[("cotangent", FlexBendingType::Cotangent), ("bridson", FlexBendingType::Bridson)];

/// Models of stretching, an extension of MJCF.
pub const FLEX_ELASTICITY: Table<FlexElasticityType> =
    &[("linear", FlexElasticityType::Linear), ("neo_hookean", FlexElasticityType::NeoHookean)];

pub const BOOL: Table<i32> = &[("false", 0), ("true", 1)];

/// Kinds of objects that sensors and tuples name.
pub const OBJECT: Table<ObjType> = &[
    ("body", ObjType::Body),
    ("xbody", ObjType::Xbody),
    ("joint", ObjType::Joint),
    ("dof", ObjType::Dof),
    ("geom", ObjType::Geom),
    ("site", ObjType::Site),
    ("camera", ObjType::Camera),
    ("light", ObjType::Light),
    ("flex", ObjType::Flex),
    ("mesh", ObjType::Mesh),
    ("skin", ObjType::Skin),
    ("hfield", ObjType::Hfield),
    ("texture", ObjType::Texture),
    ("material", ObjType::Material),
    ("pair", ObjType::Pair),
    ("exclude", ObjType::Exclude),
    ("equality", ObjType::Equality),
    ("tendon", ObjType::Tendon),
    ("actuator", ObjType::Actuator),
    ("sensor", ObjType::Sensor),
    ("numeric", ObjType::Numeric),
    ("text", ObjType::Text),
    ("tuple", ObjType::Tuple),
    ("key", ObjType::Key),
    ("plugin", ObjType::Plugin),
];

/// Object type by its name; `Unknown` for other words.
pub fn object_type(name: &str) -> ObjType {
    OBJECT.iter().find(|(key, _)| *key == name).map_or(ObjType::Unknown, |(_, kind)| *kind)
}

/// Name of an object type.
pub fn object_name(kind: ObjType) -> &'static str {
    OBJECT.iter().find(|(_, k)| *k == kind).map_or("unknown", |(name, _)| name)
}
