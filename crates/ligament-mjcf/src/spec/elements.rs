//! Elements of the specification: one struct per kind, with the reference's built-in defaults.
//!
//! An element starts as a copy of its default class and is then overwritten attribute by attribute, so an
//! explicit value wins even when it equals the built-in one. Angles are still in the unit of the text and
//! names of other elements are still text: the compiler resolves both.
//!
//! `filedir` (and `cubedirs`, one per cube face) is empty for files found by the ordinary rule, otherwise the
//! directory of the included document that names them; [`crate::asset_paths::resolve_asset_path`] takes both.

use ligament_model::enums::{
    AlignFree, BiasType, Builtin, CamLight, ColorSpace, DataType, DynType, EqType, FlexSelf, GainType,
    GeomInertia, GeomType, JointType, LightType, Limited, Mark, MeshBuiltin, MeshInertia, ObjType,
    Projection, SensorType, Stage, TextureType, TrnType,
};
use ligament_model::flex_model::{FlexBendingType, FlexElasticityType};

use super::{BodyId, Meta, Orientation, PluginRef, Wrap};

macro_rules! element {
    ($rust:ident { $($name:ident : $ty:ty = $default:expr,)+ }) => {
        #[doc = concat!("`<", stringify!($rust), ">`: see the MJCF reference for the meaning of the attributes.")]
        #[derive(Debug, Clone, PartialEq)]
        pub struct $rust { /// Name, class, place in the text.
            pub meta: Meta, $(#[allow(missing_docs)] pub $name: $ty,)+ }

        impl Default for $rust {
            fn default() -> Self { Self { meta: Meta::default(), $($name: $default,)+ } }
        }

        super::weight::named!($rust);
        super::reflect::fields! { $rust { $($name)+ } }
    };
}

element! { Joint {
    kind: JointType = JointType::Hinge,
    pos: [f64; 3] = [0.0; 3],
    axis: [f64; 3] = [0.0, 0.0, 1.0],
    reference: f64 = 0.0,
    align: AlignFree = AlignFree::Auto,
    stiffness: f64 = 0.0,
    springref: f64 = 0.0,
    springdamper: [f64; 2] = [0.0; 2],
    limited: Limited = Limited::Auto,
    range: [f64; 2] = [0.0; 2],
    margin: f64 = 0.0,
    solref_limit: [f64; 2] = [0.02, 1.0],
    solimp_limit: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
    actfrclimited: Limited = Limited::Auto,
    actfrcrange: [f64; 2] = [0.0; 2],
    armature: f64 = 0.0,
    damping: f64 = 0.0,
    frictionloss: f64 = 0.0,
    solref_friction: [f64; 2] = [0.02, 1.0],
    solimp_friction: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
    group: i32 = 0,
    actgravcomp: bool = false,
    userdata: Vec<f64> = Vec::new(),
} }

element! { Geom {
    kind: GeomType = GeomType::Sphere,
    pos: [f64; 3] = [0.0; 3],
    quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0],
    alt: Option<Orientation> = None,
    fromto: [f64; 6] = [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
    size: [f64; 3] = [0.0; 3],
    contype: i32 = 1,
    conaffinity: i32 = 1,
    condim: i32 = 3,
    priority: i32 = 0,
    friction: [f64; 3] = [1.0, 0.005, 0.0001],
    solmix: f64 = 1.0,
    solref: [f64; 2] = [0.02, 1.0],
    solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
    margin: f64 = 0.0,
    gap: f64 = 0.0,
    mass: f64 = f64::NAN,
    density: f64 = 1000.0,
    typeinertia: GeomInertia = GeomInertia::Volume,
    fluid_ellipsoid: f64 = 0.0,
    fluid_coefs: [f64; 5] = [0.5, 0.25, 1.5, 1.0, 1.0],
    material: String = String::new(),
    rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
    group: i32 = 0,
    hfieldname: String = String::new(),
    meshname: String = String::new(),
    fitscale: f64 = 1.0,
    userdata: Vec<f64> = Vec::new(),
    plugin: Option<PluginRef> = None,
} }

element! { Site {
    pos: [f64; 3] = [0.0; 3],
    quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0],
    alt: Option<Orientation> = None,
    fromto: [f64; 6] = [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
    size: [f64; 3] = [0.005; 3],
    kind: GeomType = GeomType::Sphere,
    material: String = String::new(),
    group: i32 = 0,
    rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
    userdata: Vec<f64> = Vec::new(),
} }

element! { Camera {
    pos: [f64; 3] = [0.0; 3],
    quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0],
    alt: Option<Orientation> = None,
    mode: CamLight = CamLight::Fixed,
    targetbody: String = String::new(),
    proj: Projection = Projection::Perspective,
    resolution: [i32; 2] = [1; 2],
    output: i32 = 1,
    fovy: f64 = 45.0,
    ipd: f64 = 0.068,
    intrinsic: [f32; 4] = [0.0; 4],
    sensor_size: [f32; 2] = [0.0; 2],
    focal_length: [f32; 2] = [0.0; 2],
    focal_pixel: [f32; 2] = [0.0; 2],
    principal_length: [f32; 2] = [0.0; 2],
    principal_pixel: [f32; 2] = [0.0; 2],
    userdata: Vec<f64> = Vec::new(),
} }

element! { Light {
    pos: [f64; 3] = [0.0; 3],
    dir: [f64; 3] = [0.0, 0.0, -1.0],
    mode: CamLight = CamLight::Fixed,
    targetbody: String = String::new(),
    active: bool = true,
    kind: LightType = LightType::Spot,
    texture: String = String::new(),
    castshadow: bool = true,
    bulbradius: f32 = 0.02,
    intensity: f32 = 0.0,
    range: f32 = 10.0,
    attenuation: [f32; 3] = [1.0, 0.0, 0.0],
    cutoff: f32 = 45.0,
    exponent: f32 = 10.0,
    ambient: [f32; 3] = [0.0; 3],
    diffuse: [f32; 3] = [0.7; 3],
    specular: [f32; 3] = [0.3; 3],
} }

element! { Flex {
    contype: i32 = 1,
    conaffinity: i32 = 1,
    condim: i32 = 3,
    priority: i32 = 0,
    friction: [f64; 3] = [1.0, 0.005, 0.0001],
    solmix: f64 = 1.0,
    solref: [f64; 2] = [0.02, 1.0],
    solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
    margin: f64 = 0.0,
    gap: f64 = 0.0,
    dim: i32 = 2,
    radius: f64 = 0.005,
    size: [f64; 3] = [0.0; 3],
    internal: bool = false,
    flatskin: bool = false,
    selfcollide: FlexSelf = FlexSelf::Auto,
    vertcollide: i32 = 0,
    passive: i32 = 0,
    activelayers: i32 = 1,
    group: i32 = 0,
    edgestiffness: f64 = 0.0,
    edgedamping: f64 = 0.0,
    rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
    material: String = String::new(),
    young: f64 = 0.0,
    poisson: f64 = 0.0,
    damping: f64 = 0.0,
    thickness: f64 = -1.0,
    elastic2d: i32 = 0,
    soft: String = String::new(),
    bending_model: FlexBendingType = FlexBendingType::Cotangent,
    elasticity_model: FlexElasticityType = FlexElasticityType::Linear,
    nodebody: Vec<String> = Vec::new(),
    vertbody: Vec<String> = Vec::new(),
    node: Vec<f64> = Vec::new(),
    vert: Vec<f64> = Vec::new(),
    elem: Vec<i32> = Vec::new(),
    texcoord: Vec<f32> = Vec::new(),
    elemtexcoord: Vec<i32> = Vec::new(),
} }

element! { Mesh {
    content_type: String = String::new(),
    file: String = String::new(),
    filedir: String = String::new(),
    refpos: [f64; 3] = [0.0; 3],
    refquat: [f64; 4] = [1.0, 0.0, 0.0, 0.0],
    scale: [f64; 3] = [1.0; 3],
    inertia: MeshInertia = MeshInertia::Legacy,
    smoothnormal: bool = false,
    needsdf: bool = false,
    maxhullvert: i32 = -1,
    uservert: Vec<f32> = Vec::new(),
    usernormal: Vec<f32> = Vec::new(),
    usertexcoord: Vec<f32> = Vec::new(),
    userface: Vec<i32> = Vec::new(),
    userfacenormal: Vec<i32> = Vec::new(),
    userfacetexcoord: Vec<i32> = Vec::new(),
    plugin: Option<PluginRef> = None,
    builtin: MeshBuiltin = MeshBuiltin::None,
    params: Vec<f64> = Vec::new(),
    material: String = String::new(),
} }

element! { HeightField {
    content_type: String = String::new(),
    file: String = String::new(),
    filedir: String = String::new(),
    size: [f64; 4] = [0.0; 4],
    nrow: i32 = 0,
    ncol: i32 = 0,
    userdata: Vec<f32> = Vec::new(),
} }

element! { Skin {
    file: String = String::new(),
    filedir: String = String::new(),
    material: String = String::new(),
    rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
    inflate: f32 = 0.0,
    group: i32 = 0,
    vert: Vec<f32> = Vec::new(),
    texcoord: Vec<f32> = Vec::new(),
    face: Vec<i32> = Vec::new(),
    bodyname: Vec<String> = Vec::new(),
    bindpos: Vec<f32> = Vec::new(),
    bindquat: Vec<f32> = Vec::new(),
    vertid: Vec<Vec<i32>> = Vec::new(),
    vertweight: Vec<Vec<f32>> = Vec::new(),
} }

element! { Texture {
    kind: TextureType = TextureType::Cube,
    colorspace: ColorSpace = ColorSpace::Auto,
    builtin: Builtin = Builtin::None,
    mark: Mark = Mark::None,
    rgb1: [f64; 3] = [0.8; 3],
    rgb2: [f64; 3] = [0.5; 3],
    markrgb: [f64; 3] = [0.0; 3],
    random: f64 = 0.01,
    height: i32 = 0,
    width: i32 = 0,
    nchannel: i32 = 3,
    content_type: String = String::new(),
    file: String = String::new(),
    filedir: String = String::new(),
    gridsize: [i32; 2] = [1; 2],
    gridlayout: String = "............".into(),
    cubefiles: Vec<String> = Vec::new(),
    cubedirs: Vec<String> = Vec::new(),
    data: Vec<u8> = Vec::new(),
    hflip: bool = false,
    vflip: bool = false,
} }

element! { Material {
    textures: Vec<String> = Vec::new(),
    texuniform: bool = false,
    texrepeat: [f32; 2] = [1.0; 2],
    emission: f32 = 0.0,
    specular: f32 = 0.5,
    shininess: f32 = 0.5,
    reflectance: f32 = 0.0,
    metallic: f32 = -1.0,
    roughness: f32 = -1.0,
    rgba: [f32; 4] = [1.0; 4],
} }

element! { Pair {
    geomname1: String = String::new(),
    geomname2: String = String::new(),
    condim: i32 = 3,
    solref: [f64; 2] = [0.02, 1.0],
    solreffriction: [f64; 2] = [0.0; 2],
    solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
    margin: f64 = 0.0,
    gap: f64 = 0.0,
    friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001],
} }

element! { Exclude {
    bodyname1: String = String::new(),
    bodyname2: String = String::new(),
} }

element! { Equality {
    kind: EqType = EqType::Connect,
    data: [f64; 11] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    active: bool = true,
    name1: String = String::new(),
    name2: String = String::new(),
    objtype: ObjType = ObjType::Unknown,
    solref: [f64; 2] = [0.02, 1.0],
    solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
} }

element! { Tendon {
    stiffness: f64 = 0.0,
    springlength: [f64; 2] = [-1.0; 2],
    damping: f64 = 0.0,
    frictionloss: f64 = 0.0,
    solref_friction: [f64; 2] = [0.02, 1.0],
    solimp_friction: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
    armature: f64 = 0.0,
    limited: Limited = Limited::Auto,
    actfrclimited: Limited = Limited::False,
    range: [f64; 2] = [0.0; 2],
    actfrcrange: [f64; 2] = [0.0; 2],
    margin: f64 = 0.0,
    solref_limit: [f64; 2] = [0.02, 1.0],
    solimp_limit: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
    material: String = String::new(),
    width: f64 = 0.003,
    rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
    group: i32 = 0,
    userdata: Vec<f64> = Vec::new(),
    path: Vec<Wrap> = Vec::new(),
} }

element! { Actuator {
    gain_model: String = String::new(),
    gain_params: Vec<f64> = Vec::new(),
    gaintype: GainType = GainType::Fixed,
    gainprm: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    biastype: BiasType = BiasType::None,
    biasprm: [f64; 10] = [0.0; 10],
    dyntype: DynType = DynType::None,
    dynprm: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    actdim: i32 = -1,
    actearly: bool = false,
    trntype: TrnType = TrnType::Undefined,
    gear: [f64; 6] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    target: String = String::new(),
    refsite: String = String::new(),
    slidersite: String = String::new(),
    cranklength: f64 = 0.0,
    lengthrange: [f64; 2] = [0.0; 2],
    inheritrange: f64 = 0.0,
    ctrllimited: Limited = Limited::Auto,
    ctrlrange: [f64; 2] = [0.0; 2],
    forcelimited: Limited = Limited::Auto,
    forcerange: [f64; 2] = [0.0; 2],
    actlimited: Limited = Limited::Auto,
    actrange: [f64; 2] = [0.0; 2],
    group: i32 = 0,
    nsample: i32 = 0,
    interp: i32 = 0,
    delay: f64 = 0.0,
    userdata: Vec<f64> = Vec::new(),
    plugin: Option<PluginRef> = None,
} }

element! { Sensor {
    kind: SensorType = SensorType::Touch,
    objtype: ObjType = ObjType::Unknown,
    objname: String = String::new(),
    reftype: ObjType = ObjType::Unknown,
    refname: String = String::new(),
    intprm: [i32; 3] = [0; 3],
    datatype: DataType = DataType::Real,
    needstage: Stage = Stage::Acc,
    dim: i32 = 0,
    cutoff: f64 = 0.0,
    noise: f64 = 0.0,
    nsample: i32 = 0,
    interp: i32 = 0,
    delay: f64 = 0.0,
    interval: [f64; 2] = [0.0; 2],
    userdata: Vec<f64> = Vec::new(),
    plugin: Option<PluginRef> = None,
} }

element! { Numeric {
    data: Vec<f64> = Vec::new(),
    size: i32 = 0,
} }

element! { Text {
    data: String = String::new(),
} }

element! { Tuple {
    objtype: Vec<i32> = Vec::new(),
    objname: Vec<String> = Vec::new(),
    objprm: Vec<f64> = Vec::new(),
} }

element! { Key {
    time: f64 = 0.0,
    qpos: Vec<f64> = Vec::new(),
    qvel: Vec<f64> = Vec::new(),
    act: Vec<f64> = Vec::new(),
    mpos: Vec<f64> = Vec::new(),
    mquat: Vec<f64> = Vec::new(),
    ctrl: Vec<f64> = Vec::new(),
    attached: Option<AttachedKey> = None,
} }

/// Numbers of a keyframe that belong to one part of the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttachedState<Id> {
    /// Its number.
    pub id: Id,
    /// `qpos`, `act` or `mpos`.
    pub first: Vec<f64>,
    /// `qvel`, `ctrl` or `mquat`.
    pub second: Vec<f64>,
}

/// A keyframe that came with an attached model. Parts it doesn't mention keep their reference values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttachedKey {
    /// By body and number of the joint in it.
    pub joints: Vec<AttachedState<(BodyId, usize)>>,
    /// By position in [`actuators`](crate::Spec::actuators).
    pub actuators: Vec<AttachedState<usize>>,
    /// Mocap bodies.
    pub mocaps: Vec<AttachedState<BodyId>>,
    /// Which of qpos, qvel, act, ctrl, mpos, mquat the keyframe has.
    pub has: [bool; 6],
}
