//! Every enumeration of the reference, with its numbers and names.
//!
//! Rust code matches on the variants; Python and error messages use the original names.

mod drawing;

pub use crate::enum_table::EnumInfo;
use crate::enum_table::mj_enum;
pub use drawing::*;

mj_enum! { DisableBit "mjtDisableBit" {
    Constraint = 1 "mjDSBL_CONSTRAINT",
    Equality = 2 "mjDSBL_EQUALITY",
    Frictionloss = 4 "mjDSBL_FRICTIONLOSS",
    Limit = 8 "mjDSBL_LIMIT",
    Contact = 16 "mjDSBL_CONTACT",
    Spring = 32 "mjDSBL_SPRING",
    Damper = 64 "mjDSBL_DAMPER",
    Gravity = 128 "mjDSBL_GRAVITY",
    Clampctrl = 256 "mjDSBL_CLAMPCTRL",
    Warmstart = 512 "mjDSBL_WARMSTART",
    Filterparent = 1024 "mjDSBL_FILTERPARENT",
    Actuation = 2048 "mjDSBL_ACTUATION",
    Refsafe = 4096 "mjDSBL_REFSAFE",
    Sensor = 8192 "mjDSBL_SENSOR",
    Midphase = 16384 "mjDSBL_MIDPHASE",
    Eulerdamp = 32768 "mjDSBL_EULERDAMP",
    Autoreset = 65536 "mjDSBL_AUTORESET",
    Nativeccd = 131072 "mjDSBL_NATIVECCD",
    Island = 262144 "mjDSBL_ISLAND",
} aliases { 19 "mjNDISABLE", } }

mj_enum! { EnableBit "mjtEnableBit" {
    Override = 1 "mjENBL_OVERRIDE",
    Energy = 2 "mjENBL_ENERGY",
    Fwdinv = 4 "mjENBL_FWDINV",
    Invdiscrete = 8 "mjENBL_INVDISCRETE",
    Multiccd = 16 "mjENBL_MULTICCD",
    Sleep = 32 "mjENBL_SLEEP",
} aliases { 6 "mjNENABLE", } }

mj_enum! { JointType "mjtJoint" {
    Free = 0 "mjJNT_FREE",
    Ball = 1 "mjJNT_BALL",
    Slide = 2 "mjJNT_SLIDE",
    Hinge = 3 "mjJNT_HINGE",
} }

impl JointType {
    /// How many numbers of `qpos` and how many degrees of freedom it has.
    pub const fn sizes(self) -> (usize, usize) {
        match self {
            Self::Free => (7, 6),
            Self::Ball => (4, 3),
            Self::Slide | Self::Hinge => (1, 1),
        }
    }
}

mj_enum! { GeomType "mjtGeom" {
    Plane = 0 "mjGEOM_PLANE",
    Hfield = 1 "mjGEOM_HFIELD",
    Sphere = 2 "mjGEOM_SPHERE",
    Capsule = 3 "mjGEOM_CAPSULE",
    Ellipsoid = 4 "mjGEOM_ELLIPSOID",
    Cylinder = 5 "mjGEOM_CYLINDER",
    Box = 6 "mjGEOM_BOX",
    Mesh = 7 "mjGEOM_MESH",
    Sdf = 8 "mjGEOM_SDF",
    Arrow = 100 "mjGEOM_ARROW",
    Arrow1 = 101 "mjGEOM_ARROW1",
    Arrow2 = 102 "mjGEOM_ARROW2",
    Line = 103 "mjGEOM_LINE",
    Linebox = 104 "mjGEOM_LINEBOX",
    Flex = 105 "mjGEOM_FLEX",
    Skin = 106 "mjGEOM_SKIN",
    Label = 107 "mjGEOM_LABEL",
    Triangle = 108 "mjGEOM_TRIANGLE",
    None = 1001 "mjGEOM_NONE",
} aliases { 9 "mjNGEOMTYPES", } }

mj_enum! { Projection "mjtProjection" {
    Perspective = 0 "mjPROJ_PERSPECTIVE",
    Orthographic = 1 "mjPROJ_ORTHOGRAPHIC",
} }

mj_enum! { CamLight "mjtCamLight" {
    Fixed = 0 "mjCAMLIGHT_FIXED",
    Track = 1 "mjCAMLIGHT_TRACK",
    Trackcom = 2 "mjCAMLIGHT_TRACKCOM",
    Targetbody = 3 "mjCAMLIGHT_TARGETBODY",
    Targetbodycom = 4 "mjCAMLIGHT_TARGETBODYCOM",
} }

mj_enum! { LightType "mjtLightType" {
    Spot = 0 "mjLIGHT_SPOT",
    Directional = 1 "mjLIGHT_DIRECTIONAL",
    Point = 2 "mjLIGHT_POINT",
    Image = 3 "mjLIGHT_IMAGE",
} }

mj_enum! { TextureType "mjtTexture" {
    N2d = 0 "mjTEXTURE_2D",
    Cube = 1 "mjTEXTURE_CUBE",
    Skybox = 2 "mjTEXTURE_SKYBOX",
} }

mj_enum! { TextureRole "mjtTextureRole" {
    User = 0 "mjTEXROLE_USER",
    Rgb = 1 "mjTEXROLE_RGB",
    Occlusion = 2 "mjTEXROLE_OCCLUSION",
    Roughness = 3 "mjTEXROLE_ROUGHNESS",
    Metallic = 4 "mjTEXROLE_METALLIC",
    Normal = 5 "mjTEXROLE_NORMAL",
    Opacity = 6 "mjTEXROLE_OPACITY",
    Emissive = 7 "mjTEXROLE_EMISSIVE",
    Rgba = 8 "mjTEXROLE_RGBA",
    Orm = 9 "mjTEXROLE_ORM",
} aliases { 10 "mjNTEXROLE", } }

mj_enum! { ColorSpace "mjtColorSpace" {
    Auto = 0 "mjCOLORSPACE_AUTO",
    Linear = 1 "mjCOLORSPACE_LINEAR",
    Srgb = 2 "mjCOLORSPACE_SRGB",
} }

mj_enum! { Integrator "mjtIntegrator" {
    Euler = 0 "mjINT_EULER",
    Rk4 = 1 "mjINT_RK4",
    Implicit = 2 "mjINT_IMPLICIT",
    Implicitfast = 3 "mjINT_IMPLICITFAST",
} }

mj_enum! { ConeType "mjtCone" {
    Pyramidal = 0 "mjCONE_PYRAMIDAL",
    Elliptic = 1 "mjCONE_ELLIPTIC",
} }

mj_enum! { JacobianType "mjtJacobian" {
    Dense = 0 "mjJAC_DENSE",
    Sparse = 1 "mjJAC_SPARSE",
    Auto = 2 "mjJAC_AUTO",
} }

mj_enum! { SolverType "mjtSolver" {
    Pgs = 0 "mjSOL_PGS",
    Cg = 1 "mjSOL_CG",
    Newton = 2 "mjSOL_NEWTON",
} }

mj_enum! { EqType "mjtEq" {
    Connect = 0 "mjEQ_CONNECT",
    Weld = 1 "mjEQ_WELD",
    Joint = 2 "mjEQ_JOINT",
    Tendon = 3 "mjEQ_TENDON",
    Flex = 4 "mjEQ_FLEX",
    Flexvert = 5 "mjEQ_FLEXVERT",
    Distance = 6 "mjEQ_DISTANCE",
} }

mj_enum! { WrapType "mjtWrap" {
    None = 0 "mjWRAP_NONE",
    Joint = 1 "mjWRAP_JOINT",
    Pulley = 2 "mjWRAP_PULLEY",
    Site = 3 "mjWRAP_SITE",
    Sphere = 4 "mjWRAP_SPHERE",
    Cylinder = 5 "mjWRAP_CYLINDER",
} }

mj_enum! { TrnType "mjtTrn" {
    Joint = 0 "mjTRN_JOINT",
    Jointinparent = 1 "mjTRN_JOINTINPARENT",
    Slidercrank = 2 "mjTRN_SLIDERCRANK",
    Tendon = 3 "mjTRN_TENDON",
    Site = 4 "mjTRN_SITE",
    Body = 5 "mjTRN_BODY",
    Undefined = 1000 "mjTRN_UNDEFINED",
} }

mj_enum! { DynType "mjtDyn" {
    None = 0 "mjDYN_NONE",
    Integrator = 1 "mjDYN_INTEGRATOR",
    Filter = 2 "mjDYN_FILTER",
    Filterexact = 3 "mjDYN_FILTEREXACT",
    Muscle = 4 "mjDYN_MUSCLE",
    User = 5 "mjDYN_USER",
} }

mj_enum! { GainType "mjtGain" {
    Fixed = 0 "mjGAIN_FIXED",
    Affine = 1 "mjGAIN_AFFINE",
    Muscle = 2 "mjGAIN_MUSCLE",
    User = 3 "mjGAIN_USER",
} }

mj_enum! { BiasType "mjtBias" {
    None = 0 "mjBIAS_NONE",
    Affine = 1 "mjBIAS_AFFINE",
    Muscle = 2 "mjBIAS_MUSCLE",
    User = 3 "mjBIAS_USER",
} }

mj_enum! { ObjType "mjtObj" {
    Unknown = 0 "mjOBJ_UNKNOWN",
    Body = 1 "mjOBJ_BODY",
    Xbody = 2 "mjOBJ_XBODY",
    Joint = 3 "mjOBJ_JOINT",
    Dof = 4 "mjOBJ_DOF",
    Geom = 5 "mjOBJ_GEOM",
    Site = 6 "mjOBJ_SITE",
    Camera = 7 "mjOBJ_CAMERA",
    Light = 8 "mjOBJ_LIGHT",
    Flex = 9 "mjOBJ_FLEX",
    Mesh = 10 "mjOBJ_MESH",
    Skin = 11 "mjOBJ_SKIN",
    Hfield = 12 "mjOBJ_HFIELD",
    Texture = 13 "mjOBJ_TEXTURE",
    Material = 14 "mjOBJ_MATERIAL",
    Pair = 15 "mjOBJ_PAIR",
    Exclude = 16 "mjOBJ_EXCLUDE",
    Equality = 17 "mjOBJ_EQUALITY",
    Tendon = 18 "mjOBJ_TENDON",
    Actuator = 19 "mjOBJ_ACTUATOR",
    Sensor = 20 "mjOBJ_SENSOR",
    Numeric = 21 "mjOBJ_NUMERIC",
    Text = 22 "mjOBJ_TEXT",
    Tuple = 23 "mjOBJ_TUPLE",
    Key = 24 "mjOBJ_KEY",
    Plugin = 25 "mjOBJ_PLUGIN",
    Frame = 100 "mjOBJ_FRAME",
    Default = 101 "mjOBJ_DEFAULT",
    Model = 102 "mjOBJ_MODEL",
} aliases { 26 "mjNOBJECT", } }

mj_enum! { SensorType "mjtSensor" {
    Touch = 0 "mjSENS_TOUCH",
    Accelerometer = 1 "mjSENS_ACCELEROMETER",
    Velocimeter = 2 "mjSENS_VELOCIMETER",
    Gyro = 3 "mjSENS_GYRO",
    Force = 4 "mjSENS_FORCE",
    Torque = 5 "mjSENS_TORQUE",
    Magnetometer = 6 "mjSENS_MAGNETOMETER",
    Rangefinder = 7 "mjSENS_RANGEFINDER",
    Camprojection = 8 "mjSENS_CAMPROJECTION",
    Jointpos = 9 "mjSENS_JOINTPOS",
    Jointvel = 10 "mjSENS_JOINTVEL",
    Tendonpos = 11 "mjSENS_TENDONPOS",
    Tendonvel = 12 "mjSENS_TENDONVEL",
    Actuatorpos = 13 "mjSENS_ACTUATORPOS",
    Actuatorvel = 14 "mjSENS_ACTUATORVEL",
    Actuatorfrc = 15 "mjSENS_ACTUATORFRC",
    Jointactfrc = 16 "mjSENS_JOINTACTFRC",
    Tendonactfrc = 17 "mjSENS_TENDONACTFRC",
    Ballquat = 18 "mjSENS_BALLQUAT",
    Ballangvel = 19 "mjSENS_BALLANGVEL",
    Jointlimitpos = 20 "mjSENS_JOINTLIMITPOS",
    Jointlimitvel = 21 "mjSENS_JOINTLIMITVEL",
    Jointlimitfrc = 22 "mjSENS_JOINTLIMITFRC",
    Tendonlimitpos = 23 "mjSENS_TENDONLIMITPOS",
    Tendonlimitvel = 24 "mjSENS_TENDONLIMITVEL",
    Tendonlimitfrc = 25 "mjSENS_TENDONLIMITFRC",
    Framepos = 26 "mjSENS_FRAMEPOS",
    Framequat = 27 "mjSENS_FRAMEQUAT",
    Framexaxis = 28 "mjSENS_FRAMEXAXIS",
    Frameyaxis = 29 "mjSENS_FRAMEYAXIS",
    Framezaxis = 30 "mjSENS_FRAMEZAXIS",
    Framelinvel = 31 "mjSENS_FRAMELINVEL",
    Frameangvel = 32 "mjSENS_FRAMEANGVEL",
    Framelinacc = 33 "mjSENS_FRAMELINACC",
    Frameangacc = 34 "mjSENS_FRAMEANGACC",
    Subtreecom = 35 "mjSENS_SUBTREECOM",
    Subtreelinvel = 36 "mjSENS_SUBTREELINVEL",
    Subtreeangmom = 37 "mjSENS_SUBTREEANGMOM",
    Insidesite = 38 "mjSENS_INSIDESITE",
    Geomdist = 39 "mjSENS_GEOMDIST",
    Geomnormal = 40 "mjSENS_GEOMNORMAL",
    Geomfromto = 41 "mjSENS_GEOMFROMTO",
    Contact = 42 "mjSENS_CONTACT",
    EPotential = 43 "mjSENS_E_POTENTIAL",
    EKinetic = 44 "mjSENS_E_KINETIC",
    Clock = 45 "mjSENS_CLOCK",
    Tactile = 46 "mjSENS_TACTILE",
    Plugin = 47 "mjSENS_PLUGIN",
    User = 48 "mjSENS_USER",
} }

mj_enum! { Stage "mjtStage" {
    None = 0 "mjSTAGE_NONE",
    Pos = 1 "mjSTAGE_POS",
    Vel = 2 "mjSTAGE_VEL",
    Acc = 3 "mjSTAGE_ACC",
} }

mj_enum! { DataType "mjtDataType" {
    Real = 0 "mjDATATYPE_REAL",
    Positive = 1 "mjDATATYPE_POSITIVE",
    Axis = 2 "mjDATATYPE_AXIS",
    Quaternion = 3 "mjDATATYPE_QUATERNION",
} }

mj_enum! { ConDataField "mjtConDataField" {
    Found = 0 "mjCONDATA_FOUND",
    Force = 1 "mjCONDATA_FORCE",
    Torque = 2 "mjCONDATA_TORQUE",
    Dist = 3 "mjCONDATA_DIST",
    Pos = 4 "mjCONDATA_POS",
    Normal = 5 "mjCONDATA_NORMAL",
    Tangent = 6 "mjCONDATA_TANGENT",
} aliases { 7 "mjNCONDATA", } }

mj_enum! { RayDataField "mjtRayDataField" {
    Dist = 0 "mjRAYDATA_DIST",
    Dir = 1 "mjRAYDATA_DIR",
    Origin = 2 "mjRAYDATA_ORIGIN",
    Point = 3 "mjRAYDATA_POINT",
    Normal = 4 "mjRAYDATA_NORMAL",
    Depth = 5 "mjRAYDATA_DEPTH",
} aliases { 6 "mjNRAYDATA", } }

mj_enum! { CamOutBit "mjtCamOutBit" {
    Rgb = 1 "mjCAMOUT_RGB",
    Depth = 2 "mjCAMOUT_DEPTH",
    Dist = 4 "mjCAMOUT_DIST",
    Normal = 8 "mjCAMOUT_NORMAL",
    Seg = 16 "mjCAMOUT_SEG",
} aliases { 5 "mjNCAMOUT", } }

mj_enum! { SameFrame "mjtSameFrame" {
    None = 0 "mjSAMEFRAME_NONE",
    Body = 1 "mjSAMEFRAME_BODY",
    Inertia = 2 "mjSAMEFRAME_INERTIA",
    Bodyrot = 3 "mjSAMEFRAME_BODYROT",
    Inertiarot = 4 "mjSAMEFRAME_INERTIAROT",
} }

mj_enum! { SleepPolicy "mjtSleepPolicy" {
    Auto = 0 "mjSLEEP_AUTO",
    AutoNever = 1 "mjSLEEP_AUTO_NEVER",
    AutoAllowed = 2 "mjSLEEP_AUTO_ALLOWED",
    Never = 3 "mjSLEEP_NEVER",
    Allowed = 4 "mjSLEEP_ALLOWED",
    Init = 5 "mjSLEEP_INIT",
} }

mj_enum! { LRMode "mjtLRMode" {
    None = 0 "mjLRMODE_NONE",
    Muscle = 1 "mjLRMODE_MUSCLE",
    Muscleuser = 2 "mjLRMODE_MUSCLEUSER",
    All = 3 "mjLRMODE_ALL",
} }

mj_enum! { FlexSelf "mjtFlexSelf" {
    None = 0 "mjFLEXSELF_NONE",
    Narrow = 1 "mjFLEXSELF_NARROW",
    Bvh = 2 "mjFLEXSELF_BVH",
    Sap = 3 "mjFLEXSELF_SAP",
    Auto = 4 "mjFLEXSELF_AUTO",
} }

mj_enum! { SDFType "mjtSDFType" {
    Single = 0 "mjSDFTYPE_SINGLE",
    Intersection = 1 "mjSDFTYPE_INTERSECTION",
    Midsurface = 2 "mjSDFTYPE_MIDSURFACE",
    Collision = 3 "mjSDFTYPE_COLLISION",
} }

mj_enum! { TaskStatus "mjtTaskStatus" {
    New = 0 "mjTASK_NEW",
    Queued = 1 "mjTASK_QUEUED",
    Completed = 2 "mjTASK_COMPLETED",
} }

mj_enum! { State "mjtState" {
    Time = 1 "mjSTATE_TIME",
    Qpos = 2 "mjSTATE_QPOS",
    Qvel = 4 "mjSTATE_QVEL",
    Act = 8 "mjSTATE_ACT",
    History = 16 "mjSTATE_HISTORY",
    Warmstart = 32 "mjSTATE_WARMSTART",
    Ctrl = 64 "mjSTATE_CTRL",
    QfrcApplied = 128 "mjSTATE_QFRC_APPLIED",
    XfrcApplied = 256 "mjSTATE_XFRC_APPLIED",
    EqActive = 512 "mjSTATE_EQ_ACTIVE",
    MocapPos = 1024 "mjSTATE_MOCAP_POS",
    MocapQuat = 2048 "mjSTATE_MOCAP_QUAT",
    Userdata = 4096 "mjSTATE_USERDATA",
    Plugin = 8192 "mjSTATE_PLUGIN",
    Physics = 30 "mjSTATE_PHYSICS",
    Fullphysics = 8223 "mjSTATE_FULLPHYSICS",
    User = 8128 "mjSTATE_USER",
    Integration = 16383 "mjSTATE_INTEGRATION",
} aliases { 14 "mjNSTATE", } }

mj_enum! { ConstraintType "mjtConstraint" {
    Equality = 0 "mjCNSTR_EQUALITY",
    FrictionDof = 1 "mjCNSTR_FRICTION_DOF",
    FrictionTendon = 2 "mjCNSTR_FRICTION_TENDON",
    LimitJoint = 3 "mjCNSTR_LIMIT_JOINT",
    LimitTendon = 4 "mjCNSTR_LIMIT_TENDON",
    ContactFrictionless = 5 "mjCNSTR_CONTACT_FRICTIONLESS",
    ContactPyramidal = 6 "mjCNSTR_CONTACT_PYRAMIDAL",
    ContactElliptic = 7 "mjCNSTR_CONTACT_ELLIPTIC",
} }

mj_enum! { ConstraintState "mjtConstraintState" {
    Satisfied = 0 "mjCNSTRSTATE_SATISFIED",
    Quadratic = 1 "mjCNSTRSTATE_QUADRATIC",
    Linearneg = 2 "mjCNSTRSTATE_LINEARNEG",
    Linearpos = 3 "mjCNSTRSTATE_LINEARPOS",
    Cone = 4 "mjCNSTRSTATE_CONE",
} }

mj_enum! { Warning "mjtWarning" {
    Inertia = 0 "mjWARN_INERTIA",
    Contactfull = 1 "mjWARN_CONTACTFULL",
    Cnstrfull = 2 "mjWARN_CNSTRFULL",
    Vgeomfull = 3 "mjWARN_VGEOMFULL",
    Badqpos = 4 "mjWARN_BADQPOS",
    Badqvel = 5 "mjWARN_BADQVEL",
    Badqacc = 6 "mjWARN_BADQACC",
    Badctrl = 7 "mjWARN_BADCTRL",
} aliases { 8 "mjNWARNING", } }

mj_enum! { Timer "mjtTimer" {
    Step = 0 "mjTIMER_STEP",
    Forward = 1 "mjTIMER_FORWARD",
    Inverse = 2 "mjTIMER_INVERSE",
    Position = 3 "mjTIMER_POSITION",
    Velocity = 4 "mjTIMER_VELOCITY",
    Actuation = 5 "mjTIMER_ACTUATION",
    Constraint = 6 "mjTIMER_CONSTRAINT",
    Advance = 7 "mjTIMER_ADVANCE",
    PosKinematics = 8 "mjTIMER_POS_KINEMATICS",
    PosInertia = 9 "mjTIMER_POS_INERTIA",
    PosCollision = 10 "mjTIMER_POS_COLLISION",
    PosMake = 11 "mjTIMER_POS_MAKE",
    PosProject = 12 "mjTIMER_POS_PROJECT",
    ColBroad = 13 "mjTIMER_COL_BROAD",
    ColNarrow = 14 "mjTIMER_COL_NARROW",
} aliases { 15 "mjNTIMER", } }

mj_enum! { SleepState "mjtSleepState" {
    Static = -1 "mjS_STATIC",
    Asleep = 0 "mjS_ASLEEP",
    Awake = 1 "mjS_AWAKE",
} }

mj_enum! { GeomInertia "mjtGeomInertia" {
    Volume = 0 "mjINERTIA_VOLUME",
    Shell = 1 "mjINERTIA_SHELL",
} }

mj_enum! { MeshInertia "mjtMeshInertia" {
    Convex = 0 "mjMESH_INERTIA_CONVEX",
    Exact = 1 "mjMESH_INERTIA_EXACT",
    Legacy = 2 "mjMESH_INERTIA_LEGACY",
    Shell = 3 "mjMESH_INERTIA_SHELL",
} }

mj_enum! { MeshBuiltin "mjtMeshBuiltin" {
    None = 0 "mjMESH_BUILTIN_NONE",
    Sphere = 1 "mjMESH_BUILTIN_SPHERE",
    Hemisphere = 2 "mjMESH_BUILTIN_HEMISPHERE",
    Cone = 3 "mjMESH_BUILTIN_CONE",
    Supersphere = 4 "mjMESH_BUILTIN_SUPERSPHERE",
    Supertorus = 5 "mjMESH_BUILTIN_SUPERTORUS",
    Wedge = 6 "mjMESH_BUILTIN_WEDGE",
    Plate = 7 "mjMESH_BUILTIN_PLATE",
} }

mj_enum! { Builtin "mjtBuiltin" {
    None = 0 "mjBUILTIN_NONE",
    Gradient = 1 "mjBUILTIN_GRADIENT",
    Checker = 2 "mjBUILTIN_CHECKER",
    Flat = 3 "mjBUILTIN_FLAT",
} }

mj_enum! { Mark "mjtMark" {
    None = 0 "mjMARK_NONE",
    Edge = 1 "mjMARK_EDGE",
    Cross = 2 "mjMARK_CROSS",
    Random = 3 "mjMARK_RANDOM",
} }

mj_enum! { Limited "mjtLimited" {
    False = 0 "mjLIMITED_FALSE",
    True = 1 "mjLIMITED_TRUE",
    Auto = 2 "mjLIMITED_AUTO",
} }

mj_enum! { AlignFree "mjtAlignFree" {
    False = 0 "mjALIGNFREE_FALSE",
    True = 1 "mjALIGNFREE_TRUE",
    Auto = 2 "mjALIGNFREE_AUTO",
} }

mj_enum! { InertiaFromGeom "mjtInertiaFromGeom" {
    False = 0 "mjINERTIAFROMGEOM_FALSE",
    True = 1 "mjINERTIAFROMGEOM_TRUE",
    Auto = 2 "mjINERTIAFROMGEOM_AUTO",
} }

mj_enum! { Orientation "mjtOrientation" {
    Quat = 0 "mjORIENTATION_QUAT",
    Axisangle = 1 "mjORIENTATION_AXISANGLE",
    Xyaxes = 2 "mjORIENTATION_XYAXES",
    Zaxis = 3 "mjORIENTATION_ZAXIS",
    Euler = 4 "mjORIENTATION_EULER",
} }

mj_enum! { PluginCapabilityBit "mjtPluginCapabilityBit" {
    Actuator = 1 "mjPLUGIN_ACTUATOR",
    Sensor = 2 "mjPLUGIN_SENSOR",
    Passive = 4 "mjPLUGIN_PASSIVE",
    Sdf = 8 "mjPLUGIN_SDF",
} }

/// All enumerations, in the order of the reference.
pub const ALL: &[EnumInfo] = &[
    DisableBit::INFO,
    EnableBit::INFO,
    JointType::INFO,
    GeomType::INFO,
    Projection::INFO,
    CamLight::INFO,
    LightType::INFO,
    TextureType::INFO,
    TextureRole::INFO,
    ColorSpace::INFO,
    Integrator::INFO,
    ConeType::INFO,
    JacobianType::INFO,
    SolverType::INFO,
    EqType::INFO,
    WrapType::INFO,
    TrnType::INFO,
    DynType::INFO,
    GainType::INFO,
    BiasType::INFO,
    ObjType::INFO,
    SensorType::INFO,
    Stage::INFO,
    DataType::INFO,
    ConDataField::INFO,
    RayDataField::INFO,
    CamOutBit::INFO,
    SameFrame::INFO,
    SleepPolicy::INFO,
    LRMode::INFO,
    FlexSelf::INFO,
    SDFType::INFO,
    TaskStatus::INFO,
    State::INFO,
    ConstraintType::INFO,
    ConstraintState::INFO,
    Warning::INFO,
    Timer::INFO,
    SleepState::INFO,
    GeomInertia::INFO,
    MeshInertia::INFO,
    MeshBuiltin::INFO,
    Builtin::INFO,
    Mark::INFO,
    Limited::INFO,
    AlignFree::INFO,
    InertiaFromGeom::INFO,
    Orientation::INFO,
    CatBit::INFO,
    Mouse::INFO,
    PertBit::INFO,
    CameraType::INFO,
    Label::INFO,
    Frame::INFO,
    VisFlag::INFO,
    RndFlag::INFO,
    Stereo::INFO,
    PluginCapabilityBit::INFO,
    GridPos::INFO,
    Framebuffer::INFO,
    DepthMap::INFO,
    FontScale::INFO,
    Font::INFO,
    Button::INFO,
    Event::INFO,
    Item::INFO,
    Section::INFO,
];
