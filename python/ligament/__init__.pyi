"""Types of the package. Made by scripts/make-stubs; do not edit."""

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

class FatalError(Exception): ...
class UnexpectedError(Exception): ...


class mjtDisableBit(enum.IntEnum):
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144

class mjtEnableBit(enum.IntEnum):
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_MULTICCD = 16
    mjENBL_SLEEP = 32

class mjtJoint(enum.IntEnum):
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtGeom(enum.IntEnum):
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001

class mjtProjection(enum.IntEnum):
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1

class mjtCamLight(enum.IntEnum):
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtLightType(enum.IntEnum):
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtTexture(enum.IntEnum):
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(enum.IntEnum):
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9

class mjtColorSpace(enum.IntEnum):
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtIntegrator(enum.IntEnum):
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3

class mjtCone(enum.IntEnum):
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtJacobian(enum.IntEnum):
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtSolver(enum.IntEnum):
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2

class mjtEq(enum.IntEnum):
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_DISTANCE = 6

class mjtWrap(enum.IntEnum):
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5

class mjtTrn(enum.IntEnum):
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000

class mjtDyn(enum.IntEnum):
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_USER = 5

class mjtGain(enum.IntEnum):
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_USER = 3

class mjtBias(enum.IntEnum):
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_USER = 3

class mjtObj(enum.IntEnum):
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102

class mjtSensor(enum.IntEnum):
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48

class mjtStage(enum.IntEnum):
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtDataType(enum.IntEnum):
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtConDataField(enum.IntEnum):
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6

class mjtRayDataField(enum.IntEnum):
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5

class mjtCamOutBit(enum.IntEnum):
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16

class mjtSameFrame(enum.IntEnum):
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSleepPolicy(enum.IntEnum):
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtLRMode(enum.IntEnum):
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtFlexSelf(enum.IntEnum):
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtSDFType(enum.IntEnum):
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtTaskStatus(enum.IntEnum):
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class mjtState(enum.IntEnum):
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjSTATE_PHYSICS = 30
    mjSTATE_FULLPHYSICS = 8223
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 16383

class mjtConstraint(enum.IntEnum):
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(enum.IntEnum):
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtWarning(enum.IntEnum):
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_VGEOMFULL = 3
    mjWARN_BADQPOS = 4
    mjWARN_BADQVEL = 5
    mjWARN_BADQACC = 6
    mjWARN_BADCTRL = 7

class mjtTimer(enum.IntEnum):
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14

class mjtSleepState(enum.IntEnum):
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtGeomInertia(enum.IntEnum):
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtMeshInertia(enum.IntEnum):
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtMeshBuiltin(enum.IntEnum):
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtBuiltin(enum.IntEnum):
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtMark(enum.IntEnum):
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtLimited(enum.IntEnum):
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtAlignFree(enum.IntEnum):
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtInertiaFromGeom(enum.IntEnum):
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtOrientation(enum.IntEnum):
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtCatBit(enum.IntEnum):
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtMouse(enum.IntEnum):
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7

class mjtPertBit(enum.IntEnum):
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtCamera(enum.IntEnum):
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtLabel(enum.IntEnum):
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16

class mjtFrame(enum.IntEnum):
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7

class mjtVisFlag(enum.IntEnum):
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30

class mjtRndFlag(enum.IntEnum):
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10

class mjtStereo(enum.IntEnum):
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtPluginCapabilityBit(enum.IntEnum):
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtGridPos(enum.IntEnum):
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtFramebuffer(enum.IntEnum):
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtDepthMap(enum.IntEnum):
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtFontScale(enum.IntEnum):
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFont(enum.IntEnum):
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtButton(enum.IntEnum):
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtEvent(enum.IntEnum):
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8

class mjtItem(enum.IntEnum):
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13

class mjtSection(enum.IntEnum):
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

mjMAXCONPAIR: int
mjMAXFLEXNODES: int
mjMAXIMP: float
mjMAXLIGHT: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXOVERLAY: int
mjMAXPLANEGRID: int
mjMAXTREEDEPTH: int
mjMAXVAL: float
mjMINAWAKE: int
mjMINIMP: float
mjMINMU: float
mjMINVAL: float
mjNBIAS: int
mjNCAMOUT: int
mjNCONDATA: int
mjNDISABLE: int
mjNDYN: int
mjNENABLE: int
mjNEQDATA: int
mjNFLUID: int
mjNFRAME: int
mjNGAIN: int
mjNGEOMTYPES: int
mjNGROUP: int
mjNIMP: int
mjNISLAND: int
mjNITEM: int
mjNLABEL: int
mjNOBJECT: int
mjNRAYDATA: int
mjNREF: int
mjNRNDFLAG: int
mjNSENS: int
mjNSOLVER: int
mjNSTATE: int
mjNTEXROLE: int
mjNTIMER: int
mjNVISFLAG: int
mjNWARNING: int
mjPI: float
mjVERSION_HEADER: int

class MjContact:
    H: NDArray[np.float64]
    dim: int
    dist: float
    efc_address: int
    elem: NDArray[np.int32]
    exclude: int
    flex: NDArray[np.int32]
    frame: NDArray[np.float64]
    friction: NDArray[np.float64]
    geom: NDArray[np.int32]
    geom1: int
    geom2: int
    includemargin: float
    mu: float
    pos: NDArray[np.float64]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    vert: NDArray[np.int32]

class _MjContactList(Sequence[MjContact]):
    H: NDArray[np.float64]
    dim: NDArray[np.int32]
    dist: NDArray[np.float64]
    efc_address: NDArray[np.int32]
    elem: NDArray[np.int32]
    exclude: NDArray[np.int32]
    flex: NDArray[np.int32]
    frame: NDArray[np.float64]
    friction: NDArray[np.float64]
    geom: NDArray[np.int32]
    geom1: NDArray[np.int32]
    geom2: NDArray[np.int32]
    includemargin: NDArray[np.float64]
    mu: NDArray[np.float64]
    pos: NDArray[np.float64]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    vert: NDArray[np.int32]

class MjLROpt:
    accel: float
    interval: float
    inttotal: float
    maxforce: float
    mode: int
    timeconst: float
    timestep: float
    tolrange: float
    useexisting: int
    uselimit: int

class MjSolverStat:
    gradient: float
    improvement: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int

class _MjSolverStatList(Sequence[MjSolverStat]):
    gradient: NDArray[np.float64]
    improvement: NDArray[np.float64]
    lineslope: NDArray[np.float64]
    nactive: NDArray[np.int32]
    nchange: NDArray[np.int32]
    neval: NDArray[np.int32]
    nupdate: NDArray[np.int32]

class MjTimerStat:
    duration: float
    number: int

class _MjTimerStatList(Sequence[MjTimerStat]):
    duration: NDArray[np.float64]
    number: NDArray[np.int32]

class MjWarningStat:
    lastinfo: int
    number: int

class _MjWarningStatList(Sequence[MjWarningStat]):
    lastinfo: NDArray[np.int32]
    number: NDArray[np.int32]

class MjOption:
    ccd_iterations: int
    ccd_tolerance: float
    cone: int
    density: float
    disableactuator: int
    disableflags: int
    enableflags: int
    gravity: NDArray[np.float64]
    impratio: float
    integrator: int
    iterations: int
    jacobian: int
    ls_iterations: int
    ls_tolerance: float
    magnetic: NDArray[np.float64]
    noslip_iterations: int
    noslip_tolerance: float
    o_friction: NDArray[np.float64]
    o_margin: float
    o_solimp: NDArray[np.float64]
    o_solref: NDArray[np.float64]
    sdf_initpoints: int
    sdf_iterations: int
    sleep_tolerance: float
    solver: int
    timestep: float
    tolerance: float
    viscosity: float
    wind: NDArray[np.float64]

class MjStatistic:
    center: NDArray[np.float64]
    extent: float
    meaninertia: float
    meanmass: float
    meansize: float

class _Global:
    azimuth: float
    bvactive: int
    cameraid: int
    elevation: float
    ellipsoidinertia: int
    fovy: float
    glow: float
    ipd: float
    linewidth: float
    offheight: int
    offwidth: int
    orthographic: int
    realtime: float

class MjVisualHeadlight:
    active: int
    ambient: NDArray[np.float32]
    diffuse: NDArray[np.float32]
    specular: NDArray[np.float32]

class _Map:
    actuatortendon: float
    alpha: float
    fogend: float
    fogstart: float
    force: float
    haze: float
    shadowclip: float
    shadowscale: float
    stiffness: float
    stiffnessrot: float
    torque: float
    zfar: float
    znear: float

class _Quality:
    numquads: int
    numslices: int
    numstacks: int
    offsamples: int
    shadowsize: int

class MjVisualRgba:
    actuator: NDArray[np.float32]
    actuatornegative: NDArray[np.float32]
    actuatorpositive: NDArray[np.float32]
    bv: NDArray[np.float32]
    bvactive: NDArray[np.float32]
    camera: NDArray[np.float32]
    com: NDArray[np.float32]
    connect: NDArray[np.float32]
    constraint: NDArray[np.float32]
    contactforce: NDArray[np.float32]
    contactfriction: NDArray[np.float32]
    contactgap: NDArray[np.float32]
    contactpoint: NDArray[np.float32]
    contacttorque: NDArray[np.float32]
    crankbroken: NDArray[np.float32]
    fog: NDArray[np.float32]
    force: NDArray[np.float32]
    frustum: NDArray[np.float32]
    haze: NDArray[np.float32]
    inertia: NDArray[np.float32]
    joint: NDArray[np.float32]
    light: NDArray[np.float32]
    rangefinder: NDArray[np.float32]
    selectpoint: NDArray[np.float32]
    slidercrank: NDArray[np.float32]

class _Scale:
    actuatorlength: float
    actuatorwidth: float
    camera: float
    com: float
    connect: float
    constraint: float
    contactheight: float
    contactwidth: float
    forcewidth: float
    framelength: float
    framewidth: float
    frustum: float
    jointlength: float
    jointwidth: float
    light: float
    selectpoint: float
    slidercrank: float

class MjVisual:
    global_: _Global
    headlight: MjVisualHeadlight
    map: _Map
    quality: _Quality
    rgba: MjVisualRgba
    scale: _Scale

class _MjModelActuatorViews:
    id: int
    name: str
    acc0: NDArray[np.float64]
    actadr: NDArray[np.int32]
    actearly: NDArray[np.uint8]
    actlimited: NDArray[np.uint8]
    actnum: NDArray[np.int32]
    actrange: NDArray[np.float64]
    biasprm: NDArray[np.float64]
    biastype: NDArray[np.int32]
    cranklength: NDArray[np.float64]
    ctrllimited: NDArray[np.uint8]
    ctrlrange: NDArray[np.float64]
    delay: NDArray[np.float64]
    dynprm: NDArray[np.float64]
    dyntype: NDArray[np.int32]
    forcelimited: NDArray[np.uint8]
    forcerange: NDArray[np.float64]
    gainprm: NDArray[np.float64]
    gaintype: NDArray[np.int32]
    gear: NDArray[np.float64]
    group: NDArray[np.int32]
    history: NDArray[np.int32]
    historyadr: NDArray[np.int32]
    length0: NDArray[np.float64]
    lengthrange: NDArray[np.float64]
    plugin: NDArray[np.int32]
    trnid: NDArray[np.int32]
    trntype: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjModelBodyViews:
    id: int
    name: str
    bvhadr: NDArray[np.int32]
    bvhnum: NDArray[np.int32]
    conaffinity: NDArray[np.int32]
    contype: NDArray[np.int32]
    dofadr: NDArray[np.int32]
    dofnum: NDArray[np.int32]
    geomadr: NDArray[np.int32]
    geomnum: NDArray[np.int32]
    gravcomp: NDArray[np.float64]
    inertia: NDArray[np.float64]
    invweight0: NDArray[np.float64]
    ipos: NDArray[np.float64]
    iquat: NDArray[np.float64]
    jntadr: NDArray[np.int32]
    jntnum: NDArray[np.int32]
    margin: NDArray[np.float64]
    mass: NDArray[np.float64]
    mocapid: NDArray[np.int32]
    parentid: NDArray[np.int32]
    plugin: NDArray[np.int32]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    rootid: NDArray[np.int32]
    sameframe: NDArray[np.uint8]
    simple: NDArray[np.uint8]
    subtreemass: NDArray[np.float64]
    treeid: NDArray[np.int32]
    user: NDArray[np.float64]
    weldid: NDArray[np.int32]

class _MjModelCameraViews:
    id: int
    name: str
    bodyid: NDArray[np.int32]
    fovy: NDArray[np.float64]
    intrinsic: NDArray[np.float32]
    ipd: NDArray[np.float64]
    mat0: NDArray[np.float64]
    mode: NDArray[np.int32]
    output: NDArray[np.int32]
    pos: NDArray[np.float64]
    pos0: NDArray[np.float64]
    poscom0: NDArray[np.float64]
    projection: NDArray[np.int32]
    quat: NDArray[np.float64]
    resolution: NDArray[np.int32]
    sensorsize: NDArray[np.float32]
    targetbodyid: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjModelEqualityViews:
    id: int
    name: str
    active0: NDArray[np.uint8]
    data: NDArray[np.float64]
    obj1id: NDArray[np.int32]
    obj2id: NDArray[np.int32]
    objtype: NDArray[np.int32]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    type: NDArray[np.int32]

class _MjModelExcludeViews:
    id: int
    name: str
    signature: NDArray[np.int32]

class _MjModelFlexViews:
    id: int
    name: str
    activelayers: NDArray[np.int32]
    bvhadr: NDArray[np.int32]
    bvhnum: NDArray[np.int32]
    centered: NDArray[np.uint8]
    conaffinity: NDArray[np.int32]
    condim: NDArray[np.int32]
    contype: NDArray[np.int32]
    damping: NDArray[np.float64]
    dim: NDArray[np.int32]
    edgeadr: NDArray[np.int32]
    edgedamping: NDArray[np.float64]
    edgeequality: NDArray[np.int32]
    edgenum: NDArray[np.int32]
    edgestiffness: NDArray[np.float64]
    elemadr: NDArray[np.int32]
    elemdataadr: NDArray[np.int32]
    elemedgeadr: NDArray[np.int32]
    elemnum: NDArray[np.int32]
    evpairadr: NDArray[np.int32]
    evpairnum: NDArray[np.int32]
    flatskin: NDArray[np.uint8]
    friction: NDArray[np.float64]
    gap: NDArray[np.float64]
    group: NDArray[np.int32]
    internal: NDArray[np.uint8]
    interp: NDArray[np.int32]
    margin: NDArray[np.float64]
    matid: NDArray[np.int32]
    nodeadr: NDArray[np.int32]
    nodenum: NDArray[np.int32]
    passive: NDArray[np.int32]
    priority: NDArray[np.int32]
    radius: NDArray[np.float64]
    rgba: NDArray[np.float32]
    rigid: NDArray[np.uint8]
    selfcollide: NDArray[np.int32]
    shelldataadr: NDArray[np.int32]
    shellnum: NDArray[np.int32]
    size: NDArray[np.float64]
    solimp: NDArray[np.float64]
    solmix: NDArray[np.float64]
    solref: NDArray[np.float64]
    texcoordadr: NDArray[np.int32]
    vertadr: NDArray[np.int32]
    vertnum: NDArray[np.int32]

class _MjModelGeomViews:
    id: int
    name: str
    aabb: NDArray[np.float64]
    bodyid: NDArray[np.int32]
    conaffinity: NDArray[np.int32]
    condim: NDArray[np.int32]
    contype: NDArray[np.int32]
    dataid: NDArray[np.int32]
    fluid: NDArray[np.float64]
    friction: NDArray[np.float64]
    gap: NDArray[np.float64]
    group: NDArray[np.int32]
    margin: NDArray[np.float64]
    matid: NDArray[np.int32]
    plugin: NDArray[np.int32]
    pos: NDArray[np.float64]
    priority: NDArray[np.int32]
    quat: NDArray[np.float64]
    rbound: NDArray[np.float64]
    rgba: NDArray[np.float32]
    sameframe: NDArray[np.uint8]
    size: NDArray[np.float64]
    solimp: NDArray[np.float64]
    solmix: NDArray[np.float64]
    solref: NDArray[np.float64]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjModelHfieldViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    data: NDArray[np.float32]
    ncol: NDArray[np.int32]
    nrow: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    size: NDArray[np.float64]

class _MjModelJointViews:
    id: int
    name: str
    M0: NDArray[np.float64]
    Madr: NDArray[np.int32]
    actfrclimited: NDArray[np.uint8]
    actfrcrange: NDArray[np.float64]
    actgravcomp: NDArray[np.uint8]
    armature: NDArray[np.float64]
    axis: NDArray[np.float64]
    bodyid: NDArray[np.int32]
    damping: NDArray[np.float64]
    dofadr: NDArray[np.int32]
    frictionloss: NDArray[np.float64]
    group: NDArray[np.int32]
    invweight0: NDArray[np.float64]
    jntid: NDArray[np.int32]
    length: NDArray[np.float64]
    limited: NDArray[np.uint8]
    margin: NDArray[np.float64]
    parentid: NDArray[np.int32]
    pos: NDArray[np.float64]
    qpos0: NDArray[np.float64]
    qpos_spring: NDArray[np.float64]
    qposadr: NDArray[np.int32]
    range: NDArray[np.float64]
    simplenum: NDArray[np.int32]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    treeid: NDArray[np.int32]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjModelKeyframeViews:
    id: int
    name: str
    act: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    mpos: NDArray[np.float64]
    mquat: NDArray[np.float64]
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    time: NDArray[np.float64]

class _MjModelLightViews:
    id: int
    name: str
    active: NDArray[np.uint8]
    ambient: NDArray[np.float32]
    attenuation: NDArray[np.float32]
    bodyid: NDArray[np.int32]
    bulbradius: NDArray[np.float32]
    castshadow: NDArray[np.uint8]
    cutoff: NDArray[np.float32]
    diffuse: NDArray[np.float32]
    dir: NDArray[np.float64]
    dir0: NDArray[np.float64]
    exponent: NDArray[np.float32]
    intensity: NDArray[np.float32]
    mode: NDArray[np.int32]
    pos: NDArray[np.float64]
    pos0: NDArray[np.float64]
    poscom0: NDArray[np.float64]
    range: NDArray[np.float32]
    specular: NDArray[np.float32]
    targetbodyid: NDArray[np.int32]
    texid: NDArray[np.int32]
    type: NDArray[np.int32]

class _MjModelMaterialViews:
    id: int
    name: str
    emission: NDArray[np.float32]
    metallic: NDArray[np.float32]
    reflectance: NDArray[np.float32]
    rgba: NDArray[np.float32]
    roughness: NDArray[np.float32]
    shininess: NDArray[np.float32]
    specular: NDArray[np.float32]
    texid: NDArray[np.int32]
    texrepeat: NDArray[np.float32]
    texuniform: NDArray[np.uint8]

class _MjModelMeshViews:
    id: int
    name: str
    bvhadr: NDArray[np.int32]
    bvhnum: NDArray[np.int32]
    faceadr: NDArray[np.int32]
    facenum: NDArray[np.int32]
    graphadr: NDArray[np.int32]
    normaladr: NDArray[np.int32]
    normalnum: NDArray[np.int32]
    octadr: NDArray[np.int32]
    octnum: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    polyadr: NDArray[np.int32]
    polynum: NDArray[np.int32]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    scale: NDArray[np.float64]
    texcoordadr: NDArray[np.int32]
    texcoordnum: NDArray[np.int32]
    vertadr: NDArray[np.int32]
    vertnum: NDArray[np.int32]

class _MjModelNumericViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    data: NDArray[np.float64]
    size: NDArray[np.int32]

class _MjModelPairViews:
    id: int
    name: str
    dim: NDArray[np.int32]
    friction: NDArray[np.float64]
    gap: NDArray[np.float64]
    geom1: NDArray[np.int32]
    geom2: NDArray[np.int32]
    margin: NDArray[np.float64]
    signature: NDArray[np.int32]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]

class _MjModelSensorViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    cutoff: NDArray[np.float64]
    datatype: NDArray[np.int32]
    delay: NDArray[np.float64]
    dim: NDArray[np.int32]
    history: NDArray[np.int32]
    historyadr: NDArray[np.int32]
    interval: NDArray[np.float64]
    intprm: NDArray[np.int32]
    needstage: NDArray[np.int32]
    noise: NDArray[np.float64]
    objid: NDArray[np.int32]
    objtype: NDArray[np.int32]
    plugin: NDArray[np.int32]
    refid: NDArray[np.int32]
    reftype: NDArray[np.int32]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjModelSiteViews:
    id: int
    name: str
    bodyid: NDArray[np.int32]
    group: NDArray[np.int32]
    matid: NDArray[np.int32]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    rgba: NDArray[np.float32]
    sameframe: NDArray[np.uint8]
    size: NDArray[np.float64]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjModelSkinViews:
    id: int
    name: str
    boneadr: NDArray[np.int32]
    bonenum: NDArray[np.int32]
    faceadr: NDArray[np.int32]
    facenum: NDArray[np.int32]
    group: NDArray[np.int32]
    inflate: NDArray[np.float32]
    matid: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    rgba: NDArray[np.float32]
    texcoordadr: NDArray[np.int32]
    vertadr: NDArray[np.int32]
    vertnum: NDArray[np.int32]

class _MjModelTendonViews:
    id: int
    name: str
    actfrclimited: NDArray[np.uint8]
    actfrcrange: NDArray[np.float64]
    adr: NDArray[np.int32]
    armature: NDArray[np.float64]
    damping: NDArray[np.float64]
    frictionloss: NDArray[np.float64]
    group: NDArray[np.int32]
    invweight0: NDArray[np.float64]
    length0: NDArray[np.float64]
    lengthspring: NDArray[np.float64]
    limited: NDArray[np.uint8]
    margin: NDArray[np.float64]
    matid: NDArray[np.int32]
    num: NDArray[np.int32]
    range: NDArray[np.float64]
    rgba: NDArray[np.float32]
    solimp_fri: NDArray[np.float64]
    solimp_lim: NDArray[np.float64]
    solref_fri: NDArray[np.float64]
    solref_lim: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    treeid: NDArray[np.int32]
    treenum: NDArray[np.int32]
    user: NDArray[np.float64]
    width: NDArray[np.float64]

class _MjModelTextureViews:
    id: int
    name: str
    adr: NDArray[np.int64]
    colorspace: NDArray[np.int32]
    data: NDArray[np.uint8]
    height: NDArray[np.int32]
    nchannel: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    type: NDArray[np.int32]
    width: NDArray[np.int32]

class _MjModelTextViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    data: NDArray[np.bytes8]
    size: NDArray[np.int32]

class _MjModelTupleViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    objid: NDArray[np.int32]
    objprm: NDArray[np.float64]
    objtype: NDArray[np.int32]
    size: NDArray[np.int32]

class MjModel:
    @classmethod
    def from_xml_path(cls, filename: str, assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    @classmethod
    def from_xml_string(cls, xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    @classmethod
    def from_binary_path(cls, filename: str, assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    opt: MjOption
    stat: MjStatistic
    vis: MjVisual
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def nu(self) -> int: ...
    @property
    def na(self) -> int: ...
    @property
    def nbody(self) -> int: ...
    @property
    def nbvh(self) -> int: ...
    @property
    def nbvhstatic(self) -> int: ...
    @property
    def nbvhdynamic(self) -> int: ...
    @property
    def noct(self) -> int: ...
    @property
    def njnt(self) -> int: ...
    @property
    def ntree(self) -> int: ...
    @property
    def nM(self) -> int: ...
    @property
    def nB(self) -> int: ...
    @property
    def nC(self) -> int: ...
    @property
    def nD(self) -> int: ...
    @property
    def ngeom(self) -> int: ...
    @property
    def nsite(self) -> int: ...
    @property
    def ncam(self) -> int: ...
    @property
    def nlight(self) -> int: ...
    @property
    def nflex(self) -> int: ...
    @property
    def nflexnode(self) -> int: ...
    @property
    def nflexvert(self) -> int: ...
    @property
    def nflexedge(self) -> int: ...
    @property
    def nflexelem(self) -> int: ...
    @property
    def nflexelemdata(self) -> int: ...
    @property
    def nflexelemedge(self) -> int: ...
    @property
    def nflexshelldata(self) -> int: ...
    @property
    def nflexevpair(self) -> int: ...
    @property
    def nflextexcoord(self) -> int: ...
    @property
    def nJfe(self) -> int: ...
    @property
    def nJfv(self) -> int: ...
    @property
    def nmesh(self) -> int: ...
    @property
    def nmeshvert(self) -> int: ...
    @property
    def nmeshnormal(self) -> int: ...
    @property
    def nmeshtexcoord(self) -> int: ...
    @property
    def nmeshface(self) -> int: ...
    @property
    def nmeshgraph(self) -> int: ...
    @property
    def nmeshpoly(self) -> int: ...
    @property
    def nmeshpolyvert(self) -> int: ...
    @property
    def nmeshpolymap(self) -> int: ...
    @property
    def nskin(self) -> int: ...
    @property
    def nskinvert(self) -> int: ...
    @property
    def nskintexvert(self) -> int: ...
    @property
    def nskinface(self) -> int: ...
    @property
    def nskinbone(self) -> int: ...
    @property
    def nskinbonevert(self) -> int: ...
    @property
    def nhfield(self) -> int: ...
    @property
    def nhfielddata(self) -> int: ...
    @property
    def ntex(self) -> int: ...
    @property
    def ntexdata(self) -> int: ...
    @property
    def nmat(self) -> int: ...
    @property
    def npair(self) -> int: ...
    @property
    def nexclude(self) -> int: ...
    @property
    def neq(self) -> int: ...
    @property
    def ntendon(self) -> int: ...
    @property
    def nwrap(self) -> int: ...
    @property
    def nsensor(self) -> int: ...
    @property
    def nnumeric(self) -> int: ...
    @property
    def nnumericdata(self) -> int: ...
    @property
    def ntext(self) -> int: ...
    @property
    def ntextdata(self) -> int: ...
    @property
    def ntuple(self) -> int: ...
    @property
    def ntupledata(self) -> int: ...
    @property
    def nkey(self) -> int: ...
    @property
    def nmocap(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def npluginattr(self) -> int: ...
    @property
    def nuser_body(self) -> int: ...
    @property
    def nuser_jnt(self) -> int: ...
    @property
    def nuser_geom(self) -> int: ...
    @property
    def nuser_site(self) -> int: ...
    @property
    def nuser_cam(self) -> int: ...
    @property
    def nuser_tendon(self) -> int: ...
    @property
    def nuser_actuator(self) -> int: ...
    @property
    def nuser_sensor(self) -> int: ...
    @property
    def nnames(self) -> int: ...
    @property
    def npaths(self) -> int: ...
    @property
    def nnames_map(self) -> int: ...
    @property
    def nJmom(self) -> int: ...
    @property
    def ngravcomp(self) -> int: ...
    @property
    def nemax(self) -> int: ...
    @property
    def njmax(self) -> int: ...
    @property
    def nconmax(self) -> int: ...
    @property
    def nuserdata(self) -> int: ...
    @property
    def nsensordata(self) -> int: ...
    @property
    def npluginstate(self) -> int: ...
    @property
    def nhistory(self) -> int: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    body_parentid: NDArray[np.int32]  # (nbody,) parent
    body_rootid: NDArray[np.int32]  # (nbody,) ancestor directly below the world
    body_weldid: NDArray[np.int32]  # (nbody,) nearest ancestor with a joint, or itself
    body_mocapid: NDArray[np.int32]  # (nbody,) mocap number; -1: none
    body_jntnum: NDArray[np.int32]  # (nbody,) joints
    body_jntadr: NDArray[np.int32]  # (nbody,) first joint
    body_dofnum: NDArray[np.int32]  # (nbody,) dofs
    body_dofadr: NDArray[np.int32]  # (nbody,) first dof
    body_treeid: NDArray[np.int32]  # (nbody,) kinematic tree; -1: static
    body_geomnum: NDArray[np.int32]  # (nbody,) geoms
    body_geomadr: NDArray[np.int32]  # (nbody,) first geom
    body_simple: NDArray[np.uint8]  # (nbody,) 1: diagonal inertia, 2: and only slides
    body_sameframe: NDArray[np.uint8]  # (nbody,) which frames coincide
    body_pos: NDArray[np.float64]  # (nbody, 3) position
    body_quat: NDArray[np.float64]  # (nbody, 4) orientation
    body_ipos: NDArray[np.float64]  # (nbody, 3) centre of mass
    body_iquat: NDArray[np.float64]  # (nbody, 4) orientation of the principal axes
    body_mass: NDArray[np.float64]  # (nbody,) mass
    body_subtreemass: NDArray[np.float64]  # (nbody,) mass of the subtree
    body_inertia: NDArray[np.float64]  # (nbody, 3) principal moments
    body_invweight0: NDArray[np.float64]  # (nbody, 2) inverse weight at qpos0
    body_gravcomp: NDArray[np.float64]  # (nbody,) fraction of gravity compensated
    body_margin: NDArray[np.float64]  # (nbody,) distance at which contacts or rows appear
    body_user: NDArray[np.float64]  # (nbody, nuser_body) user numbers
    body_plugin: NDArray[np.int32]  # (nbody,) plugin instance; -1: none
    body_contype: NDArray[np.int32]  # (nbody,) contact type bits
    body_conaffinity: NDArray[np.int32]  # (nbody,) contact affinity bits
    body_bvhadr: NDArray[np.int32]  # (nbody,) first bounding volume
    body_bvhnum: NDArray[np.int32]  # (nbody,) bounding volumes
    jnt_type: NDArray[np.int32]  # (njnt,) kind
    jnt_qposadr: NDArray[np.int32]  # (njnt,) address in qpos
    jnt_dofadr: NDArray[np.int32]  # (njnt,) first dof
    jnt_bodyid: NDArray[np.int32]  # (njnt,) body
    jnt_group: NDArray[np.int32]  # (njnt,) visual group
    jnt_limited: NDArray[np.uint8]  # (njnt,) has limits
    jnt_actfrclimited: NDArray[np.uint8]  # (njnt,) has an actuator force range
    jnt_actgravcomp: NDArray[np.uint8]  # (njnt,) gravity compensation counts as actuator force
    jnt_solref: NDArray[np.float64]  # (njnt, 2) reference of the constraint
    jnt_solimp: NDArray[np.float64]  # (njnt, 5) impedance of the constraint
    jnt_pos: NDArray[np.float64]  # (njnt, 3) position
    jnt_axis: NDArray[np.float64]  # (njnt, 3) axis
    jnt_stiffness: NDArray[np.float64]  # (njnt,) stiffness
    jnt_range: NDArray[np.float64]  # (njnt, 2) limits
    jnt_actfrcrange: NDArray[np.float64]  # (njnt, 2) range of the total actuator force
    jnt_margin: NDArray[np.float64]  # (njnt,) distance at which contacts or rows appear
    jnt_user: NDArray[np.float64]  # (njnt, nuser_jnt) user numbers
    dof_bodyid: NDArray[np.int32]  # (nv,) body
    dof_jntid: NDArray[np.int32]  # (nv,) joint
    dof_parentid: NDArray[np.int32]  # (nv,) parent
    dof_treeid: NDArray[np.int32]  # (nv,) kinematic tree; -1: static
    dof_Madr: NDArray[np.int32]  # (nv,) address of the diagonal in the legacy mass matrix
    dof_simplenum: NDArray[np.int32]  # (nv,) consecutive dofs with diagonal inertia
    dof_solref: NDArray[np.float64]  # (nv, 2) reference of the constraint
    dof_solimp: NDArray[np.float64]  # (nv, 5) impedance of the constraint
    dof_frictionloss: NDArray[np.float64]  # (nv,) friction loss
    dof_armature: NDArray[np.float64]  # (nv,) added inertia
    dof_damping: NDArray[np.float64]  # (nv,) damping
    dof_invweight0: NDArray[np.float64]  # (nv,) inverse weight at qpos0
    dof_M0: NDArray[np.float64]  # (nv,) diagonal of the mass matrix at qpos0
    dof_length: NDArray[np.float64]  # (nv,) length scale of the motion
    tree_bodyadr: NDArray[np.int32]  # (ntree,) first body of the tree
    tree_bodynum: NDArray[np.int32]  # (ntree,) bodies of the tree
    tree_dofadr: NDArray[np.int32]  # (ntree,) first dof of the tree
    tree_dofnum: NDArray[np.int32]  # (ntree,) dofs of the tree
    tree_sleep_policy: NDArray[np.int32]  # (ntree,) whether the tree may sleep
    geom_type: NDArray[np.int32]  # (ngeom,) kind
    geom_contype: NDArray[np.int32]  # (ngeom,) contact type bits
    geom_conaffinity: NDArray[np.int32]  # (ngeom,) contact affinity bits
    geom_condim: NDArray[np.int32]  # (ngeom,) contact dimension
    geom_bodyid: NDArray[np.int32]  # (ngeom,) body
    geom_dataid: NDArray[np.int32]  # (ngeom,) mesh or height field; -1: none
    geom_matid: NDArray[np.int32]  # (ngeom,) material; -1: none
    geom_group: NDArray[np.int32]  # (ngeom,) visual group
    geom_priority: NDArray[np.int32]  # (ngeom,) contact priority
    geom_plugin: NDArray[np.int32]  # (ngeom,) plugin instance; -1: none
    geom_sameframe: NDArray[np.uint8]  # (ngeom,) which frames coincide
    geom_solmix: NDArray[np.float64]  # (ngeom,) mixing weight
    geom_solref: NDArray[np.float64]  # (ngeom, 2) reference of the constraint
    geom_solimp: NDArray[np.float64]  # (ngeom, 5) impedance of the constraint
    geom_size: NDArray[np.float64]  # (ngeom, 3) size
    geom_aabb: NDArray[np.float64]  # (ngeom, 6) bounding box: centre, half size
    geom_rbound: NDArray[np.float64]  # (ngeom,) radius of the bounding sphere
    geom_pos: NDArray[np.float64]  # (ngeom, 3) position
    geom_quat: NDArray[np.float64]  # (ngeom, 4) orientation
    geom_friction: NDArray[np.float64]  # (ngeom, 3) friction coefficients
    geom_margin: NDArray[np.float64]  # (ngeom,) distance at which contacts or rows appear
    geom_gap: NDArray[np.float64]  # (ngeom,) part of the margin without force
    geom_fluid: NDArray[np.float64]  # (ngeom, 12) coefficients of the medium
    geom_user: NDArray[np.float64]  # (ngeom, nuser_geom) user numbers
    geom_rgba: NDArray[np.float32]  # (ngeom, 4) colour
    site_type: NDArray[np.int32]  # (nsite,) kind
    site_bodyid: NDArray[np.int32]  # (nsite,) body
    site_matid: NDArray[np.int32]  # (nsite,) material; -1: none
    site_group: NDArray[np.int32]  # (nsite,) visual group
    site_sameframe: NDArray[np.uint8]  # (nsite,) which frames coincide
    site_size: NDArray[np.float64]  # (nsite, 3) size
    site_pos: NDArray[np.float64]  # (nsite, 3) position
    site_quat: NDArray[np.float64]  # (nsite, 4) orientation
    site_user: NDArray[np.float64]  # (nsite, nuser_site) user numbers
    site_rgba: NDArray[np.float32]  # (nsite, 4) colour
    cam_mode: NDArray[np.int32]  # (ncam,) tracking mode
    cam_bodyid: NDArray[np.int32]  # (ncam,) body
    cam_targetbodyid: NDArray[np.int32]  # (ncam,) body it looks at; -1: none
    cam_pos: NDArray[np.float64]  # (ncam, 3) position
    cam_quat: NDArray[np.float64]  # (ncam, 4) orientation
    cam_poscom0: NDArray[np.float64]  # (ncam, 3) position relative to the subtree at qpos0
    cam_pos0: NDArray[np.float64]  # (ncam, 3) position relative to the body at qpos0
    cam_mat0: NDArray[np.float64]  # (ncam, 9) orientation at qpos0
    cam_projection: NDArray[np.int32]  # (ncam,) kind of projection
    cam_fovy: NDArray[np.float64]  # (ncam,) vertical field of view or extent
    cam_ipd: NDArray[np.float64]  # (ncam,) distance between the eyes
    cam_resolution: NDArray[np.int32]  # (ncam, 2) pixels
    cam_output: NDArray[np.int32]  # (ncam,) output bits
    cam_sensorsize: NDArray[np.float32]  # (ncam, 2) size of the sensor
    cam_intrinsic: NDArray[np.float32]  # (ncam, 4) focal length and principal point
    cam_user: NDArray[np.float64]  # (ncam, nuser_cam) user numbers
    light_mode: NDArray[np.int32]  # (nlight,) tracking mode
    light_bodyid: NDArray[np.int32]  # (nlight,) body
    light_targetbodyid: NDArray[np.int32]  # (nlight,) body it looks at; -1: none
    light_type: NDArray[np.int32]  # (nlight,) kind
    light_texid: NDArray[np.int32]  # (nlight,) textures per role; -1: none
    light_castshadow: NDArray[np.uint8]  # (nlight,) casts shadows
    light_bulbradius: NDArray[np.float32]  # (nlight,) radius of the bulb
    light_intensity: NDArray[np.float32]  # (nlight,) intensity
    light_range: NDArray[np.float32]  # (nlight,) limits
    light_active: NDArray[np.uint8]  # (nlight,) is on
    light_pos: NDArray[np.float64]  # (nlight, 3) position
    light_dir: NDArray[np.float64]  # (nlight, 3) direction
    light_poscom0: NDArray[np.float64]  # (nlight, 3) position relative to the subtree at qpos0
    light_pos0: NDArray[np.float64]  # (nlight, 3) position relative to the body at qpos0
    light_dir0: NDArray[np.float64]  # (nlight, 3) direction at qpos0
    light_attenuation: NDArray[np.float32]  # (nlight, 3) attenuation coefficients
    light_cutoff: NDArray[np.float32]  # (nlight,) cutoff
    light_exponent: NDArray[np.float32]  # (nlight,) exponent
    light_ambient: NDArray[np.float32]  # (nlight, 3) ambient colour
    light_diffuse: NDArray[np.float32]  # (nlight, 3) diffuse colour
    light_specular: NDArray[np.float32]  # (nlight, 3) specular colour or weight
    flex_contype: NDArray[np.int32]  # (nflex,) contact type bits
    flex_conaffinity: NDArray[np.int32]  # (nflex,) contact affinity bits
    flex_condim: NDArray[np.int32]  # (nflex,) contact dimension
    flex_priority: NDArray[np.int32]  # (nflex,) contact priority
    flex_solmix: NDArray[np.float64]  # (nflex,) mixing weight
    flex_solref: NDArray[np.float64]  # (nflex, 2) reference of the constraint
    flex_solimp: NDArray[np.float64]  # (nflex, 5) impedance of the constraint
    flex_friction: NDArray[np.float64]  # (nflex, 3) friction coefficients
    flex_margin: NDArray[np.float64]  # (nflex,) distance at which contacts or rows appear
    flex_gap: NDArray[np.float64]  # (nflex,) part of the margin without force
    flex_internal: NDArray[np.uint8]  # (nflex,) internal collisions
    flex_selfcollide: NDArray[np.int32]  # (nflex,) kind of self-collision
    flex_activelayers: NDArray[np.int32]  # (nflex,) layers that take part in self-collision
    flex_passive: NDArray[np.int32]  # (nflex,) contacts act as passive forces
    flex_dim: NDArray[np.int32]  # (nflex,) dimension
    flex_matid: NDArray[np.int32]  # (nflex,) material; -1: none
    flex_group: NDArray[np.int32]  # (nflex,) visual group
    flex_interp: NDArray[np.int32]  # (nflex,) order of interpolation; 0: none
    flex_nodeadr: NDArray[np.int32]  # (nflex,) first node
    flex_nodenum: NDArray[np.int32]  # (nflex,) nodes
    flex_vertadr: NDArray[np.int32]  # (nflex,) first vertex
    flex_vertnum: NDArray[np.int32]  # (nflex,) vertices
    flex_edgeadr: NDArray[np.int32]  # (nflex,) first edge
    flex_edgenum: NDArray[np.int32]  # (nflex,) edges
    flex_elemadr: NDArray[np.int32]  # (nflex,) first element
    flex_elemnum: NDArray[np.int32]  # (nflex,) elements
    flex_elemdataadr: NDArray[np.int32]  # (nflex,) first element vertex number
    flex_elemedgeadr: NDArray[np.int32]  # (nflex,) first element edge number
    flex_shellnum: NDArray[np.int32]  # (nflex,) shell fragments
    flex_shelldataadr: NDArray[np.int32]  # (nflex,) first shell vertex number
    flex_evpairadr: NDArray[np.int32]  # (nflex,) first element-vertex pair
    flex_evpairnum: NDArray[np.int32]  # (nflex,) element-vertex pairs
    flex_texcoordadr: NDArray[np.int32]  # (nflex,) first texture coordinate; -1: none
    flex_nodebodyid: NDArray[np.int32]  # (nflexnode,) body of the node
    flex_vertbodyid: NDArray[np.int32]  # (nflexvert,) body of the vertex
    flex_vertedgeadr: NDArray[np.int32]  # (nflexvert,) first edge around the vertex
    flex_vertedgenum: NDArray[np.int32]  # (nflexvert,) edges around the vertex
    flex_vertedge: NDArray[np.int32]  # (nflexedge, 2) edges around vertices
    flex_edge: NDArray[np.int32]  # (nflexedge, 2) vertices of the edge
    flex_edgeflap: NDArray[np.int32]  # (nflexedge, 2) opposite vertices of the edge; -1: boundary
    flex_elem: NDArray[np.int32]  # (nflexelemdata,) vertices of the elements
    flex_elemtexcoord: NDArray[np.int32]  # (nflexelemdata,) texture coordinates of the elements
    flex_elemedge: NDArray[np.int32]  # (nflexelemedge,) edges of the elements
    flex_elemlayer: NDArray[np.int32]  # (nflexelem,) distance from the surface in elements
    flex_shell: NDArray[np.int32]  # (nflexshelldata,) vertices of the shell fragments
    flex_evpair: NDArray[np.int32]  # (nflexevpair, 2) element and vertex
    flex_vert: NDArray[np.float64]  # (nflexvert, 3) vertex position in its body
    flex_vert0: NDArray[np.float64]  # (nflexvert, 3) vertex position in the unit box at qpos0
    flex_vertmetric: NDArray[np.float64]  # (nflexvert, 4) inverse metric around the vertex
    flex_node: NDArray[np.float64]  # (nflexnode, 3) node position in its body
    flex_node0: NDArray[np.float64]  # (nflexnode, 3) node position at qpos0
    flexedge_length0: NDArray[np.float64]  # (nflexedge,) length at qpos0
    flexedge_invweight0: NDArray[np.float64]  # (nflexedge,) inverse weight at qpos0
    flex_radius: NDArray[np.float64]  # (nflex,) radius
    flex_size: NDArray[np.float64]  # (nflex, 3) size
    flex_stiffness: NDArray[np.float64]  # (nflexelem, 21) stiffness
    flex_bending: NDArray[np.float64]  # (nflexedge, 17) bending coefficients
    flex_damping: NDArray[np.float64]  # (nflex,) damping
    flex_edgestiffness: NDArray[np.float64]  # (nflex,) edge stiffness
    flex_edgedamping: NDArray[np.float64]  # (nflex,) edge damping
    flex_edgeequality: NDArray[np.int32]  # (nflex,) 1: edge constraints, 2: vertex constraints
    flex_rigid: NDArray[np.uint8]  # (nflex,) cannot deform
    flexedge_rigid: NDArray[np.uint8]  # (nflexedge,) cannot deform
    flex_centered: NDArray[np.uint8]  # (nflex,) vertices lie at body origins
    flex_flatskin: NDArray[np.uint8]  # (nflex,) flat shading
    flex_bvhadr: NDArray[np.int32]  # (nflex,) first bounding volume
    flex_bvhnum: NDArray[np.int32]  # (nflex,) bounding volumes
    flexedge_J_rownnz: NDArray[np.int32]  # (nflexedge,) Jacobian: entries per row
    flexedge_J_rowadr: NDArray[np.int32]  # (nflexedge,) Jacobian: start of each row
    flexedge_J_colind: NDArray[np.int32]  # (nJfe,) Jacobian: columns
    flexvert_J_rownnz: NDArray[np.int32]  # (nflexvert, 2) Jacobian: entries per row
    flexvert_J_rowadr: NDArray[np.int32]  # (nflexvert, 2) Jacobian: start of each row
    flexvert_J_colind: NDArray[np.int32]  # (nJfv, 2) Jacobian: columns
    flex_rgba: NDArray[np.float32]  # (nflex, 4) colour
    flex_texcoord: NDArray[np.float32]  # (nflextexcoord, 2) texture coordinates
    mesh_vertadr: NDArray[np.int32]  # (nmesh,) first vertex
    mesh_vertnum: NDArray[np.int32]  # (nmesh,) vertices
    mesh_faceadr: NDArray[np.int32]  # (nmesh,) first triangle
    mesh_facenum: NDArray[np.int32]  # (nmesh,) triangles
    mesh_bvhadr: NDArray[np.int32]  # (nmesh,) first bounding volume
    mesh_bvhnum: NDArray[np.int32]  # (nmesh,) bounding volumes
    mesh_octadr: NDArray[np.int32]  # (nmesh,) first octree cell; -1: none
    mesh_octnum: NDArray[np.int32]  # (nmesh,) octree cells
    mesh_normaladr: NDArray[np.int32]  # (nmesh,) first normal
    mesh_normalnum: NDArray[np.int32]  # (nmesh,) normals
    mesh_texcoordadr: NDArray[np.int32]  # (nmesh,) first texture coordinate; -1: none
    mesh_texcoordnum: NDArray[np.int32]  # (nmesh,) texture coordinates
    mesh_graphadr: NDArray[np.int32]  # (nmesh,) first integer of the hull graph; -1: none
    mesh_vert: NDArray[np.float32]  # (nmeshvert, 3) vertex position in its body
    mesh_normal: NDArray[np.float32]  # (nmeshnormal, 3) normal
    mesh_texcoord: NDArray[np.float32]  # (nmeshtexcoord, 2) texture coordinates
    mesh_face: NDArray[np.int32]  # (nmeshface, 3) vertices of the triangle
    mesh_facenormal: NDArray[np.int32]  # (nmeshface, 3) normals of the triangle
    mesh_facetexcoord: NDArray[np.int32]  # (nmeshface, 3) texture coordinates of the triangle
    mesh_graph: NDArray[np.int32]  # (nmeshgraph,) hull graphs
    mesh_scale: NDArray[np.float64]  # (nmesh, 3) scale
    mesh_pos: NDArray[np.float64]  # (nmesh, 3) position
    mesh_quat: NDArray[np.float64]  # (nmesh, 4) orientation
    mesh_pathadr: NDArray[np.int32]  # (nmesh,) path in paths; -1: none
    mesh_polynum: NDArray[np.int32]  # (nmesh,) hull polygons
    mesh_polyadr: NDArray[np.int32]  # (nmesh,) first hull polygon
    mesh_polynormal: NDArray[np.float64]  # (nmeshpoly, 3) normal of the polygon
    mesh_polyvertadr: NDArray[np.int32]  # (nmeshpoly,) first vertex of the polygon
    mesh_polyvertnum: NDArray[np.int32]  # (nmeshpoly,) vertices of the polygon
    mesh_polyvert: NDArray[np.int32]  # (nmeshpolyvert,) vertices of polygons
    mesh_polymapadr: NDArray[np.int32]  # (nmeshvert,) first polygon around the vertex
    mesh_polymapnum: NDArray[np.int32]  # (nmeshvert,) polygons around the vertex
    mesh_polymap: NDArray[np.int32]  # (nmeshpolymap,) polygons around vertices
    skin_matid: NDArray[np.int32]  # (nskin,) material; -1: none
    skin_group: NDArray[np.int32]  # (nskin,) visual group
    skin_rgba: NDArray[np.float32]  # (nskin, 4) colour
    skin_inflate: NDArray[np.float32]  # (nskin,) inflation along the normals
    skin_vertadr: NDArray[np.int32]  # (nskin,) first vertex
    skin_vertnum: NDArray[np.int32]  # (nskin,) vertices
    skin_texcoordadr: NDArray[np.int32]  # (nskin,) first texture coordinate; -1: none
    skin_faceadr: NDArray[np.int32]  # (nskin,) first triangle
    skin_facenum: NDArray[np.int32]  # (nskin,) triangles
    skin_boneadr: NDArray[np.int32]  # (nskin,) first bone
    skin_bonenum: NDArray[np.int32]  # (nskin,) bones
    skin_vert: NDArray[np.float32]  # (nskinvert, 3) vertex position in its body
    skin_texcoord: NDArray[np.float32]  # (nskintexvert, 2) texture coordinates
    skin_face: NDArray[np.int32]  # (nskinface, 3) vertices of the triangle
    skin_bonevertadr: NDArray[np.int32]  # (nskinbone,) first vertex of the bone
    skin_bonevertnum: NDArray[np.int32]  # (nskinbone,) vertices of the bone
    skin_bonebindpos: NDArray[np.float32]  # (nskinbone, 3) bind position of the bone
    skin_bonebindquat: NDArray[np.float32]  # (nskinbone, 4) bind orientation of the bone
    skin_bonebodyid: NDArray[np.int32]  # (nskinbone,) body of the bone
    skin_bonevertid: NDArray[np.int32]  # (nskinbonevert,) vertices of bones
    skin_bonevertweight: NDArray[np.float32]  # (nskinbonevert,) weights of those vertices
    skin_pathadr: NDArray[np.int32]  # (nskin,) path in paths; -1: none
    hfield_size: NDArray[np.float64]  # (nhfield, 4) size
    hfield_nrow: NDArray[np.int32]  # (nhfield,) rows
    hfield_ncol: NDArray[np.int32]  # (nhfield,) columns
    hfield_adr: NDArray[np.int32]  # (nhfield,) address of the first entry
    hfield_data: NDArray[np.float32]  # (nhfielddata,) data
    hfield_pathadr: NDArray[np.int32]  # (nhfield,) path in paths; -1: none
    tex_type: NDArray[np.int32]  # (ntex,) kind
    tex_colorspace: NDArray[np.int32]  # (ntex,) colour space
    tex_height: NDArray[np.int32]  # (ntex,) height in pixels
    tex_width: NDArray[np.int32]  # (ntex,) width
    tex_nchannel: NDArray[np.int32]  # (ntex,) channels
    tex_adr: NDArray[np.int64]  # (ntex,) address of the first entry
    tex_data: NDArray[np.uint8]  # (ntexdata,) data
    tex_pathadr: NDArray[np.int32]  # (ntex,) path in paths; -1: none
    mat_texid: NDArray[np.int32]  # (nmat, 10) textures per role; -1: none
    mat_texuniform: NDArray[np.uint8]  # (nmat,) texture in world units
    mat_texrepeat: NDArray[np.float32]  # (nmat, 2) texture repeats
    mat_emission: NDArray[np.float32]  # (nmat,) emission
    mat_specular: NDArray[np.float32]  # (nmat,) specular colour or weight
    mat_shininess: NDArray[np.float32]  # (nmat,) shininess
    mat_reflectance: NDArray[np.float32]  # (nmat,) reflectance
    mat_metallic: NDArray[np.float32]  # (nmat,) metallic weight
    mat_roughness: NDArray[np.float32]  # (nmat,) roughness
    mat_rgba: NDArray[np.float32]  # (nmat, 4) colour
    pair_dim: NDArray[np.int32]  # (npair,) dimension
    pair_geom1: NDArray[np.int32]  # (npair,) first geom
    pair_geom2: NDArray[np.int32]  # (npair,) second geom
    pair_signature: NDArray[np.int32]  # (npair,) body ids packed into one number
    pair_solref: NDArray[np.float64]  # (npair, 2) reference of the constraint
    pair_solreffriction: NDArray[np.float64]  # (npair, 2) reference of the friction directions
    pair_solimp: NDArray[np.float64]  # (npair, 5) impedance of the constraint
    pair_margin: NDArray[np.float64]  # (npair,) distance at which contacts or rows appear
    pair_gap: NDArray[np.float64]  # (npair,) part of the margin without force
    pair_friction: NDArray[np.float64]  # (npair, 5) friction coefficients
    exclude_signature: NDArray[np.int32]  # (nexclude,) body ids packed into one number
    eq_type: NDArray[np.int32]  # (neq,) kind
    eq_obj1id: NDArray[np.int32]  # (neq,) first object
    eq_obj2id: NDArray[np.int32]  # (neq,) second object; -1: none
    eq_objtype: NDArray[np.int32]  # (neq,) kind of object
    eq_active0: NDArray[np.uint8]  # (neq,) initially active
    eq_solref: NDArray[np.float64]  # (neq, 2) reference of the constraint
    eq_solimp: NDArray[np.float64]  # (neq, 5) impedance of the constraint
    eq_data: NDArray[np.float64]  # (neq, 11) data
    tendon_adr: NDArray[np.int32]  # (ntendon,) address of the first entry
    tendon_num: NDArray[np.int32]  # (ntendon,) objects of the path
    tendon_matid: NDArray[np.int32]  # (ntendon,) material; -1: none
    tendon_group: NDArray[np.int32]  # (ntendon,) visual group
    tendon_treenum: NDArray[np.int32]  # (ntendon,) trees along the path
    tendon_treeid: NDArray[np.int32]  # (ntendon, 2) kinematic tree; -1: static
    tendon_limited: NDArray[np.uint8]  # (ntendon,) has limits
    tendon_actfrclimited: NDArray[np.uint8]  # (ntendon,) has an actuator force range
    tendon_width: NDArray[np.float64]  # (ntendon,) width
    tendon_solref_lim: NDArray[np.float64]  # (ntendon, 2) reference of the limit
    tendon_solimp_lim: NDArray[np.float64]  # (ntendon, 5) impedance of the limit
    tendon_solref_fri: NDArray[np.float64]  # (ntendon, 2) reference of the friction loss
    tendon_solimp_fri: NDArray[np.float64]  # (ntendon, 5) impedance of the friction loss
    tendon_range: NDArray[np.float64]  # (ntendon, 2) limits
    tendon_actfrcrange: NDArray[np.float64]  # (ntendon, 2) range of the total actuator force
    tendon_margin: NDArray[np.float64]  # (ntendon,) distance at which contacts or rows appear
    tendon_stiffness: NDArray[np.float64]  # (ntendon,) stiffness
    tendon_damping: NDArray[np.float64]  # (ntendon,) damping
    tendon_armature: NDArray[np.float64]  # (ntendon,) added inertia
    tendon_frictionloss: NDArray[np.float64]  # (ntendon,) friction loss
    tendon_lengthspring: NDArray[np.float64]  # (ntendon, 2) range in which the spring rests
    tendon_length0: NDArray[np.float64]  # (ntendon,) length at qpos0
    tendon_invweight0: NDArray[np.float64]  # (ntendon,) inverse weight at qpos0
    tendon_user: NDArray[np.float64]  # (ntendon, nuser_tendon) user numbers
    tendon_rgba: NDArray[np.float32]  # (ntendon, 4) colour
    actuator_trntype: NDArray[np.int32]  # (nu,) transmission
    actuator_dyntype: NDArray[np.int32]  # (nu,) activation dynamics
    actuator_gaintype: NDArray[np.int32]  # (nu,) gain
    actuator_biastype: NDArray[np.int32]  # (nu,) bias
    actuator_trnid: NDArray[np.int32]  # (nu, 2) target and, if any, second site
    actuator_actadr: NDArray[np.int32]  # (nu,) first activation; -1: none
    actuator_actnum: NDArray[np.int32]  # (nu,) activations
    actuator_group: NDArray[np.int32]  # (nu,) visual group
    actuator_history: NDArray[np.int32]  # (nu, 2) samples and interpolation of the delay buffer
    actuator_historyadr: NDArray[np.int32]  # (nu,) delay buffer; -1: none
    actuator_delay: NDArray[np.float64]  # (nu,) delay in seconds
    actuator_ctrllimited: NDArray[np.uint8]  # (nu,) has a control range
    actuator_forcelimited: NDArray[np.uint8]  # (nu,) has a force range
    actuator_actlimited: NDArray[np.uint8]  # (nu,) has an activation range
    actuator_dynprm: NDArray[np.float64]  # (nu, 10) parameters of the dynamics
    actuator_gainprm: NDArray[np.float64]  # (nu, 10) parameters of the gain
    actuator_biasprm: NDArray[np.float64]  # (nu, 10) parameters of the bias
    actuator_actearly: NDArray[np.uint8]  # (nu,) force uses the next activation
    actuator_ctrlrange: NDArray[np.float64]  # (nu, 2) control range
    actuator_forcerange: NDArray[np.float64]  # (nu, 2) force range
    actuator_actrange: NDArray[np.float64]  # (nu, 2) activation range
    actuator_gear: NDArray[np.float64]  # (nu, 6) gear
    actuator_cranklength: NDArray[np.float64]  # (nu,) length of the crank
    actuator_acc0: NDArray[np.float64]  # (nu,) acceleration by a unit force at qpos0
    actuator_length0: NDArray[np.float64]  # (nu,) length at qpos0
    actuator_lengthrange: NDArray[np.float64]  # (nu, 2) feasible lengths
    actuator_user: NDArray[np.float64]  # (nu, nuser_actuator) user numbers
    actuator_plugin: NDArray[np.int32]  # (nu,) plugin instance; -1: none
    sensor_type: NDArray[np.int32]  # (nsensor,) kind
    sensor_datatype: NDArray[np.int32]  # (nsensor,) kind of value
    sensor_needstage: NDArray[np.int32]  # (nsensor,) stage after which it can be computed
    sensor_objtype: NDArray[np.int32]  # (nsensor,) kind of object
    sensor_objid: NDArray[np.int32]  # (nsensor,) object
    sensor_reftype: NDArray[np.int32]  # (nsensor,) kind of reference
    sensor_refid: NDArray[np.int32]  # (nsensor,) reference; -1: the world
    sensor_intprm: NDArray[np.int32]  # (nsensor, 3) parameters
    sensor_dim: NDArray[np.int32]  # (nsensor,) dimension
    sensor_adr: NDArray[np.int32]  # (nsensor,) address of the first entry
    sensor_cutoff: NDArray[np.float64]  # (nsensor,) cutoff
    sensor_noise: NDArray[np.float64]  # (nsensor,) standard deviation of noise, for the user
    sensor_history: NDArray[np.int32]  # (nsensor, 2) samples and interpolation of the delay buffer
    sensor_historyadr: NDArray[np.int32]  # (nsensor,) delay buffer; -1: none
    sensor_delay: NDArray[np.float64]  # (nsensor,) delay in seconds
    sensor_interval: NDArray[np.float64]  # (nsensor, 2) period and phase in seconds
    sensor_user: NDArray[np.float64]  # (nsensor, nuser_sensor) user numbers
    sensor_plugin: NDArray[np.int32]  # (nsensor,) plugin instance; -1: none
    qpos0: NDArray[np.float64]  # (nq,) initial configuration
    qpos_spring: NDArray[np.float64]  # (nq,) configuration at which joint springs rest
    bvh_depth: NDArray[np.int32]  # (nbvh,) depth in the tree
    bvh_child: NDArray[np.int32]  # (nbvh, 2) children; -1: none
    bvh_nodeid: NDArray[np.int32]  # (nbvh,) geom, element or triangle of a leaf; -1: inner node
    bvh_aabb: NDArray[np.float64]  # (nbvhstatic, 6) bounding box: centre, half size
    oct_depth: NDArray[np.int32]  # (noct,) depth in the tree
    oct_child: NDArray[np.int32]  # (noct, 8) children; -1: none
    oct_aabb: NDArray[np.float64]  # (noct, 6) bounding box: centre, half size
    oct_coeff: NDArray[np.float64]  # (noct, 8) distances at the corners
    wrap_type: NDArray[np.int32]  # (nwrap,) kind
    wrap_objid: NDArray[np.int32]  # (nwrap,) object
    wrap_prm: NDArray[np.float64]  # (nwrap,) divisor, coefficient or side site
    plugin: NDArray[np.int32]  # (nplugin,) slot of each plugin instance
    plugin_stateadr: NDArray[np.int32]  # (nplugin,) address of the state
    plugin_statenum: NDArray[np.int32]  # (nplugin,) numbers of state
    plugin_attr: NDArray[np.uint8]  # (npluginattr,) settings of all instances, each ended by a zero byte
    plugin_attradr: NDArray[np.int32]  # (nplugin,) first setting
    numeric_adr: NDArray[np.int32]  # (nnumeric,) address of the first entry
    numeric_size: NDArray[np.int32]  # (nnumeric,) size
    numeric_data: NDArray[np.float64]  # (nnumericdata,) data
    text_adr: NDArray[np.int32]  # (ntext,) address of the first entry
    text_size: NDArray[np.int32]  # (ntext,) size
    text_data: bytes  # (ntextdata,) data
    tuple_adr: NDArray[np.int32]  # (ntuple,) address of the first entry
    tuple_size: NDArray[np.int32]  # (ntuple,) size
    tuple_objtype: NDArray[np.int32]  # (ntupledata,) kind of object
    tuple_objid: NDArray[np.int32]  # (ntupledata,) object
    tuple_objprm: NDArray[np.float64]  # (ntupledata,) parameters of the members
    key_time: NDArray[np.float64]  # (nkey,) time
    key_qpos: NDArray[np.float64]  # (nkey, nq) configuration
    key_qvel: NDArray[np.float64]  # (nkey, nv) velocity
    key_act: NDArray[np.float64]  # (nkey, na) activations
    key_mpos: NDArray[np.float64]  # (nkey, nmocap*3) mocap positions
    key_mquat: NDArray[np.float64]  # (nkey, nmocap*4) mocap orientations
    key_ctrl: NDArray[np.float64]  # (nkey, nu) controls
    name_bodyadr: NDArray[np.int32]  # (nbody,) address of the name in names
    name_jntadr: NDArray[np.int32]  # (njnt,) address of the name in names
    name_geomadr: NDArray[np.int32]  # (ngeom,) address of the name in names
    name_siteadr: NDArray[np.int32]  # (nsite,) address of the name in names
    name_camadr: NDArray[np.int32]  # (ncam,) address of the name in names
    name_lightadr: NDArray[np.int32]  # (nlight,) address of the name in names
    name_flexadr: NDArray[np.int32]  # (nflex,) address of the name in names
    name_meshadr: NDArray[np.int32]  # (nmesh,) address of the name in names
    name_skinadr: NDArray[np.int32]  # (nskin,) address of the name in names
    name_hfieldadr: NDArray[np.int32]  # (nhfield,) address of the name in names
    name_texadr: NDArray[np.int32]  # (ntex,) address of the name in names
    name_matadr: NDArray[np.int32]  # (nmat,) address of the name in names
    name_pairadr: NDArray[np.int32]  # (npair,) address of the name in names
    name_excludeadr: NDArray[np.int32]  # (nexclude,) address of the name in names
    name_eqadr: NDArray[np.int32]  # (neq,) address of the name in names
    name_tendonadr: NDArray[np.int32]  # (ntendon,) address of the name in names
    name_actuatoradr: NDArray[np.int32]  # (nu,) address of the name in names
    name_sensoradr: NDArray[np.int32]  # (nsensor,) address of the name in names
    name_numericadr: NDArray[np.int32]  # (nnumeric,) address of the name in names
    name_textadr: NDArray[np.int32]  # (ntext,) address of the name in names
    name_tupleadr: NDArray[np.int32]  # (ntuple,) address of the name in names
    name_keyadr: NDArray[np.int32]  # (nkey,) address of the name in names
    name_pluginadr: NDArray[np.int32]  # (nplugin,) address of the name in names
    names: bytes  # (nnames,) all names, each ended by a zero byte; the model's own first
    names_map: NDArray[np.int32]  # (nnames_map,) hash map from names to ids
    paths: bytes  # (npaths,) paths of all assets, each ended by a zero byte
    B_rownnz: NDArray[np.int32]  # (nbody,) body-dof pattern: entries per row
    B_rowadr: NDArray[np.int32]  # (nbody,) body-dof pattern: start of each row
    B_colind: NDArray[np.int32]  # (nB,) body-dof pattern: dofs
    M_rownnz: NDArray[np.int32]  # (nv,) mass matrix: entries per row
    M_rowadr: NDArray[np.int32]  # (nv,) mass matrix: start of each row
    M_colind: NDArray[np.int32]  # (nC,) mass matrix: columns
    mapM2M: NDArray[np.int32]  # (nC,) place in the legacy layout of each entry of the mass matrix
    D_rownnz: NDArray[np.int32]  # (nv,) dof-dof pattern: entries per row
    D_rowadr: NDArray[np.int32]  # (nv,) dof-dof pattern: start of each row
    D_diag: NDArray[np.int32]  # (nv,) dof-dof pattern: place of the diagonal in each row
    D_colind: NDArray[np.int32]  # (nD,) dof-dof pattern: columns
    mapM2D: NDArray[np.int32]  # (nD,) place in the mass matrix of each dof-dof entry
    mapD2M: NDArray[np.int32]  # (nC,) place in the dof-dof pattern of each entry of the mass matrix
    def actuator(self, name: str | bytes | int = ..., /) -> _MjModelActuatorViews: ...
    def body(self, name: str | bytes | int = ..., /) -> _MjModelBodyViews: ...
    def cam(self, name: str | bytes | int = ..., /) -> _MjModelCameraViews: ...
    def camera(self, name: str | bytes | int = ..., /) -> _MjModelCameraViews: ...
    def eq(self, name: str | bytes | int = ..., /) -> _MjModelEqualityViews: ...
    def equality(self, name: str | bytes | int = ..., /) -> _MjModelEqualityViews: ...
    def exclude(self, name: str | bytes | int = ..., /) -> _MjModelExcludeViews: ...
    def flex(self, name: str | bytes | int = ..., /) -> _MjModelFlexViews: ...
    def geom(self, name: str | bytes | int = ..., /) -> _MjModelGeomViews: ...
    def hfield(self, name: str | bytes | int = ..., /) -> _MjModelHfieldViews: ...
    def jnt(self, name: str | bytes | int = ..., /) -> _MjModelJointViews: ...
    def joint(self, name: str | bytes | int = ..., /) -> _MjModelJointViews: ...
    def key(self, name: str | bytes | int = ..., /) -> _MjModelKeyframeViews: ...
    def keyframe(self, name: str | bytes | int = ..., /) -> _MjModelKeyframeViews: ...
    def light(self, name: str | bytes | int = ..., /) -> _MjModelLightViews: ...
    def mat(self, name: str | bytes | int = ..., /) -> _MjModelMaterialViews: ...
    def material(self, name: str | bytes | int = ..., /) -> _MjModelMaterialViews: ...
    def mesh(self, name: str | bytes | int = ..., /) -> _MjModelMeshViews: ...
    def numeric(self, name: str | bytes | int = ..., /) -> _MjModelNumericViews: ...
    def pair(self, name: str | bytes | int = ..., /) -> _MjModelPairViews: ...
    def sensor(self, name: str | bytes | int = ..., /) -> _MjModelSensorViews: ...
    def site(self, name: str | bytes | int = ..., /) -> _MjModelSiteViews: ...
    def skin(self, name: str | bytes | int = ..., /) -> _MjModelSkinViews: ...
    def tendon(self, name: str | bytes | int = ..., /) -> _MjModelTendonViews: ...
    def tex(self, name: str | bytes | int = ..., /) -> _MjModelTextureViews: ...
    def texture(self, name: str | bytes | int = ..., /) -> _MjModelTextureViews: ...
    def text(self, name: str | bytes | int = ..., /) -> _MjModelTextViews: ...
    def tuple(self, name: str | bytes | int = ..., /) -> _MjModelTupleViews: ...
    def bind(self, specs: MjsElement | Sequence[MjsElement]) -> Any: ...  # arrays of MjModel for them

class _MjDataActuatorViews:
    id: int
    name: str
    ctrl: NDArray[np.float64]
    force: NDArray[np.float64]
    length: NDArray[np.float64]
    velocity: NDArray[np.float64]

class _MjDataBodyViews:
    id: int
    name: str
    cacc: NDArray[np.float64]
    cfrc_ext: NDArray[np.float64]
    cfrc_int: NDArray[np.float64]
    cinert: NDArray[np.float64]
    crb: NDArray[np.float64]
    cvel: NDArray[np.float64]
    subtree_angmom: NDArray[np.float64]
    subtree_com: NDArray[np.float64]
    subtree_linvel: NDArray[np.float64]
    xfrc_applied: NDArray[np.float64]
    ximat: NDArray[np.float64]
    xipos: NDArray[np.float64]
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]
    xquat: NDArray[np.float64]

class _MjDataCameraViews:
    id: int
    name: str
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjDataEqualityViews:
    id: int
    name: str
    active: NDArray[np.uint8]

class _MjDataGeomViews:
    id: int
    name: str
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjDataJointViews:
    id: int
    name: str
    cdof: NDArray[np.float64]
    cdof_dot: NDArray[np.float64]
    qLDiagInv: NDArray[np.float64]
    qacc: NDArray[np.float64]
    qacc_smooth: NDArray[np.float64]
    qacc_warmstart: NDArray[np.float64]
    qfrc_actuator: NDArray[np.float64]
    qfrc_applied: NDArray[np.float64]
    qfrc_bias: NDArray[np.float64]
    qfrc_constraint: NDArray[np.float64]
    qfrc_damper: NDArray[np.float64]
    qfrc_fluid: NDArray[np.float64]
    qfrc_gravcomp: NDArray[np.float64]
    qfrc_inverse: NDArray[np.float64]
    qfrc_passive: NDArray[np.float64]
    qfrc_smooth: NDArray[np.float64]
    qfrc_spring: NDArray[np.float64]
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    xanchor: NDArray[np.float64]
    xaxis: NDArray[np.float64]

class _MjDataLightViews:
    id: int
    name: str
    xdir: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjDataSensorViews:
    id: int
    name: str
    data: NDArray[np.float64]

class _MjDataSiteViews:
    id: int
    name: str
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjDataTendonViews:
    id: int
    name: str
    J: NDArray[np.float64]
    J_colind: NDArray[np.int32]
    J_rowadr: NDArray[np.int32]
    J_rownnz: NDArray[np.int32]
    length: NDArray[np.float64]
    velocity: NDArray[np.float64]
    wrapadr: NDArray[np.int32]
    wrapnum: NDArray[np.int32]

class MjData:
    def __init__(self, model: MjModel) -> None: ...
    model: MjModel
    contact: _MjContactList
    warning: _MjWarningStatList
    timer: _MjTimerStatList
    solver: _MjSolverStatList
    time: float
    @property
    def ncon(self) -> int: ...
    @property
    def ne(self) -> int: ...
    @property
    def nf(self) -> int: ...
    @property
    def nl(self) -> int: ...
    @property
    def nefc(self) -> int: ...
    @property
    def nJ(self) -> int: ...
    @property
    def nA(self) -> int: ...
    @property
    def nisland(self) -> int: ...
    @property
    def nidof(self) -> int: ...
    @property
    def ntree_awake(self) -> int: ...
    @property
    def nbody_awake(self) -> int: ...
    @property
    def nparent_awake(self) -> int: ...
    @property
    def nv_awake(self) -> int: ...
    @property
    def flg_energypos(self) -> int: ...
    @property
    def flg_energyvel(self) -> int: ...
    @property
    def flg_subtreevel(self) -> int: ...
    @property
    def flg_rnepost(self) -> int: ...
    @property
    def maxuse_con(self) -> int: ...
    @property
    def maxuse_efc(self) -> int: ...
    qpos: NDArray[np.float64]  # (nq,) configuration
    qvel: NDArray[np.float64]  # (nv,) velocity
    act: NDArray[np.float64]  # (na,) activations
    history: NDArray[np.float64]  # (nhistory,) delay buffers
    qacc_warmstart: NDArray[np.float64]  # (nv,) acceleration the solver starts from
    plugin_state: NDArray[np.float64]  # (npluginstate,) state of plugins
    ctrl: NDArray[np.float64]  # (nu,) controls
    qfrc_applied: NDArray[np.float64]  # (nv,) generalised forces applied by the user
    xfrc_applied: NDArray[np.float64]  # (nbody, 6) force and torque on bodies applied by the user
    eq_active: NDArray[np.uint8]  # (neq,) which equality constraints are active
    mocap_pos: NDArray[np.float64]  # (nmocap, 3) positions of mocap bodies
    mocap_quat: NDArray[np.float64]  # (nmocap, 4) orientations of mocap bodies
    qacc: NDArray[np.float64]  # (nv,) acceleration
    act_dot: NDArray[np.float64]  # (na,) rates of the activations
    userdata: NDArray[np.float64]  # (nuserdata,) free for the user
    sensordata: NDArray[np.float64]  # (nsensordata,) readings of all sensors
    tree_asleep: NDArray[np.int32]  # (ntree,) sleep state: steps until a tree may sleep, or the next tree of its sleeping cycle
    plugin: NDArray[np.int32]  # (nplugin,) slot of each plugin instance
    plugin_data: NDArray[np.uint64]  # (nplugin,) handles of plugin instances
    xpos: NDArray[np.float64]  # (nbody, 3) body positions
    xquat: NDArray[np.float64]  # (nbody, 4) body orientations
    xmat: NDArray[np.float64]  # (nbody, 9) body orientations as matrices
    xipos: NDArray[np.float64]  # (nbody, 3) centres of mass of the bodies
    ximat: NDArray[np.float64]  # (nbody, 9) orientations of the bodies' principal axes
    xanchor: NDArray[np.float64]  # (njnt, 3) joint anchors
    xaxis: NDArray[np.float64]  # (njnt, 3) joint axes
    geom_xpos: NDArray[np.float64]  # (ngeom, 3) geom positions
    geom_xmat: NDArray[np.float64]  # (ngeom, 9) geom orientations
    site_xpos: NDArray[np.float64]  # (nsite, 3) site positions
    site_xmat: NDArray[np.float64]  # (nsite, 9) site orientations
    cam_xpos: NDArray[np.float64]  # (ncam, 3) camera positions
    cam_xmat: NDArray[np.float64]  # (ncam, 9) camera orientations
    light_xpos: NDArray[np.float64]  # (nlight, 3) light positions
    light_xdir: NDArray[np.float64]  # (nlight, 3) light directions
    subtree_com: NDArray[np.float64]  # (nbody, 3) centre of mass of each subtree
    cdof: NDArray[np.float64]  # (nv, 6) motion axis of each dof, about the tree's centre of mass
    cinert: NDArray[np.float64]  # (nbody, 10) inertia of each body about the tree's centre of mass
    flexvert_xpos: NDArray[np.float64]  # (nflexvert, 3) flex vertex positions
    flexelem_aabb: NDArray[np.float64]  # (nflexelem, 6) boxes around flex elements: centre, half size
    flexedge_J: NDArray[np.float64]  # (nJfe,) edge Jacobian of flexes
    flexedge_length: NDArray[np.float64]  # (nflexedge,) flex edge lengths
    flexvert_J: NDArray[np.float64]  # (nJfv, 2) vertex-strain Jacobian of flexes
    flexvert_length: NDArray[np.float64]  # (nflexvert, 2) strain invariants at flex vertices
    bvh_aabb_dyn: NDArray[np.float64]  # (nbvhdynamic, 6) refitted bounding volumes: centre, half size
    ten_wrapadr: NDArray[np.int32]  # (ntendon,) first path point of the tendon
    ten_wrapnum: NDArray[np.int32]  # (ntendon,) path points of the tendon
    ten_J_rownnz: NDArray[np.int32]  # (ntendon,) tendon Jacobian: entries per row
    ten_J_rowadr: NDArray[np.int32]  # (ntendon,) tendon Jacobian: start of each row
    ten_J_colind: NDArray[np.int32]  # (ntendon, nv) tendon Jacobian: columns
    ten_J: NDArray[np.float64]  # (ntendon, nv) tendon Jacobian
    ten_length: NDArray[np.float64]  # (ntendon,) tendon lengths
    wrap_obj: NDArray[np.int32]  # (nwrap, 2) geoms of the path points; -1: site, -2: pulley
    wrap_xpos: NDArray[np.float64]  # (nwrap, 6) path points
    actuator_length: NDArray[np.float64]  # (nu,) actuator lengths
    moment_rownnz: NDArray[np.int32]  # (nu,) actuator moments: entries per row
    moment_rowadr: NDArray[np.int32]  # (nu,) actuator moments: start of each row
    moment_colind: NDArray[np.int32]  # (nJmom,) actuator moments: columns
    actuator_moment: NDArray[np.float64]  # (nJmom,) actuator moments
    crb: NDArray[np.float64]  # (nbody, 10) composite inertia of each subtree
    qM: NDArray[np.float64]  # (nM,) mass matrix in its legacy layout
    M: NDArray[np.float64]  # (nC,) mass matrix, lower triangle by rows
    qLD: NDArray[np.float64]  # (nC,) factor of the mass matrix
    qLDiagInv: NDArray[np.float64]  # (nv,) inverse diagonal of that factor
    bvh_active: NDArray[np.uint8]  # (nbvh,) bounding volumes visited by collision detection
    tree_awake: NDArray[np.int32]  # (ntree,) which trees are awake
    body_awake: NDArray[np.int32]  # (nbody,) whether a body is awake, asleep or static
    body_awake_ind: NDArray[np.int32]  # (nbody,) bodies awake, the world first
    parent_awake_ind: NDArray[np.int32]  # (nbody,) bodies whose parent is awake
    dof_awake_ind: NDArray[np.int32]  # (nv,) dofs awake
    flexedge_velocity: NDArray[np.float64]  # (nflexedge,) rates of flex edge lengths
    ten_velocity: NDArray[np.float64]  # (ntendon,) rates of tendon lengths
    actuator_velocity: NDArray[np.float64]  # (nu,) rates of actuator lengths
    cvel: NDArray[np.float64]  # (nbody, 6) body velocities about the tree's centre of mass
    cdof_dot: NDArray[np.float64]  # (nv, 6) rates of the motion axes
    qfrc_bias: NDArray[np.float64]  # (nv,) Coriolis, centrifugal and gravity forces
    qfrc_spring: NDArray[np.float64]  # (nv,) forces of springs
    qfrc_damper: NDArray[np.float64]  # (nv,) forces of dampers
    qfrc_gravcomp: NDArray[np.float64]  # (nv,) forces of gravity compensation
    qfrc_fluid: NDArray[np.float64]  # (nv,) forces of the medium
    qfrc_passive: NDArray[np.float64]  # (nv,) all passive forces
    subtree_linvel: NDArray[np.float64]  # (nbody, 3) velocity of each subtree's centre of mass
    subtree_angmom: NDArray[np.float64]  # (nbody, 3) angular momentum of each subtree about its centre of mass
    qH: NDArray[np.float64]  # (nC,) mass matrix with implicit damping, factored
    qHDiagInv: NDArray[np.float64]  # (nv,) inverse diagonal of that factor
    qDeriv: NDArray[np.float64]  # (nD,) derivative of the smooth forces by velocity
    qLU: NDArray[np.float64]  # (nD,) factors of the implicit integrator
    actuator_force: NDArray[np.float64]  # (nu,) actuator forces
    qfrc_actuator: NDArray[np.float64]  # (nv,) generalised forces of actuators
    qfrc_smooth: NDArray[np.float64]  # (nv,) all forces but those of constraints
    qacc_smooth: NDArray[np.float64]  # (nv,) acceleration without constraints
    qfrc_constraint: NDArray[np.float64]  # (nv,) forces of constraints
    qfrc_inverse: NDArray[np.float64]  # (nv,) forces that inverse dynamics finds
    cacc: NDArray[np.float64]  # (nbody, 6) body accelerations about the tree's centre of mass
    cfrc_int: NDArray[np.float64]  # (nbody, 6) force from each parent on its body
    cfrc_ext: NDArray[np.float64]  # (nbody, 6) external force on each body
    efc_type: NDArray[np.int32]  # (nefc,) kind of row
    efc_id: NDArray[np.int32]  # (nefc,) object of the row
    efc_J_rownnz: NDArray[np.int32]  # (nefc,) Jacobian: entries per row
    efc_J_rowadr: NDArray[np.int32]  # (nefc,) Jacobian: start of each row
    efc_J_rowsuper: NDArray[np.int32]  # (nefc,) Jacobian: following rows with the same pattern
    efc_J_colind: NDArray[np.int32]  # (nJ,) Jacobian: columns
    efc_J: NDArray[np.float64]  # (nJ,) constraint Jacobian
    efc_pos: NDArray[np.float64]  # (nefc,) violation
    efc_margin: NDArray[np.float64]  # (nefc,) distance at which the row becomes active
    efc_frictionloss: NDArray[np.float64]  # (nefc,) friction loss
    efc_diagApprox: NDArray[np.float64]  # (nefc,) approximate diagonal of the dual matrix
    efc_KBIP: NDArray[np.float64]  # (nefc, 4) stiffness, damping, impedance and its derivative
    efc_D: NDArray[np.float64]  # (nefc,) inverse regularisation
    efc_R: NDArray[np.float64]  # (nefc,) regularisation
    tendon_efcadr: NDArray[np.int32]  # (ntendon,) first row of the tendon; -1: none
    efc_vel: NDArray[np.float64]  # (nefc,) velocity along the row
    efc_aref: NDArray[np.float64]  # (nefc,) reference acceleration
    efc_b: NDArray[np.float64]  # (nefc,) linear term of the dual problem
    efc_state: NDArray[np.int32]  # (nefc,) state of the row
    efc_force: NDArray[np.float64]  # (nefc,) constraint force
    efc_AR_rownnz: NDArray[np.int32]  # (nefc,) dual matrix: entries per row
    efc_AR_rowadr: NDArray[np.int32]  # (nefc,) dual matrix: start of each row
    efc_AR_colind: NDArray[np.int32]  # (nA,) dual matrix: columns
    efc_AR: NDArray[np.float64]  # (nA,) dual matrix with regularisation
    tree_island: NDArray[np.int32]  # (ntree,) island of each tree; -1: none
    island_ntree: NDArray[np.int32]  # (nisland,) trees of the island
    island_itreeadr: NDArray[np.int32]  # (nisland,) first tree of the island, in island order
    map_itree2tree: NDArray[np.int32]  # (ntree,) trees in the order of islands
    dof_island: NDArray[np.int32]  # (nv,) island of each dof; -1: none
    island_nv: NDArray[np.int32]  # (nisland,) dofs of the island
    island_idofadr: NDArray[np.int32]  # (nisland,) first dof of the island, in island order
    island_dofadr: NDArray[np.int32]  # (nisland,) first dof of the island
    map_dof2idof: NDArray[np.int32]  # (nv,) dofs to island order
    map_idof2dof: NDArray[np.int32]  # (nv,) island order to dofs
    ifrc_smooth: NDArray[np.float64]  # (nidof,) smooth forces in island order
    iacc_smooth: NDArray[np.float64]  # (nidof,) smooth acceleration in island order
    iM_rownnz: NDArray[np.int32]  # (nidof,) mass matrix in island order: entries per row
    iM_rowadr: NDArray[np.int32]  # (nidof,) mass matrix in island order: start of each row
    iM_colind: NDArray[np.int32]  # (nC,) mass matrix in island order: columns
    iM: NDArray[np.float64]  # (nC,) mass matrix in island order
    iLD: NDArray[np.float64]  # (nC,) factor of the mass matrix in island order
    iLDiagInv: NDArray[np.float64]  # (nidof,) inverse diagonal of that factor
    iacc: NDArray[np.float64]  # (nidof,) acceleration in island order
    efc_island: NDArray[np.int32]  # (nefc,) island of the row
    island_ne: NDArray[np.int32]  # (nisland,) equality rows of the island
    island_nf: NDArray[np.int32]  # (nisland,) friction-loss rows of the island
    island_nefc: NDArray[np.int32]  # (nisland,) rows of the island
    island_iefcadr: NDArray[np.int32]  # (nisland,) first row of the island, in island order
    map_efc2iefc: NDArray[np.int32]  # (nefc,) rows to island order
    map_iefc2efc: NDArray[np.int32]  # (nefc,) island order to rows
    iefc_type: NDArray[np.int32]  # (nefc,) kind of row, in island order
    iefc_id: NDArray[np.int32]  # (nefc,) object of the row, in island order
    iefc_J_rownnz: NDArray[np.int32]  # (nefc,) Jacobian: entries per row, in island order
    iefc_J_rowadr: NDArray[np.int32]  # (nefc,) Jacobian: start of each row, in island order
    iefc_J_rowsuper: NDArray[np.int32]  # (nefc,) Jacobian: following rows with the same pattern, in island order
    iefc_J_colind: NDArray[np.int32]  # (nJ,) Jacobian: columns, in island order
    iefc_J: NDArray[np.float64]  # (nJ,) constraint Jacobian, in island order
    iefc_frictionloss: NDArray[np.float64]  # (nefc,) friction loss, in island order
    iefc_D: NDArray[np.float64]  # (nefc,) inverse regularisation, in island order
    iefc_R: NDArray[np.float64]  # (nefc,) regularisation, in island order
    iefc_aref: NDArray[np.float64]  # (nefc,) reference acceleration, in island order
    iefc_state: NDArray[np.int32]  # (nefc,) state of the row, in island order
    iefc_force: NDArray[np.float64]  # (nefc,) constraint force, in island order
    ifrc_constraint: NDArray[np.float64]  # (nidof,) constraint forces in island order
    def actuator(self, name: str | bytes | int = ..., /) -> _MjDataActuatorViews: ...
    def body(self, name: str | bytes | int = ..., /) -> _MjDataBodyViews: ...
    def cam(self, name: str | bytes | int = ..., /) -> _MjDataCameraViews: ...
    def camera(self, name: str | bytes | int = ..., /) -> _MjDataCameraViews: ...
    def eq(self, name: str | bytes | int = ..., /) -> _MjDataEqualityViews: ...
    def equality(self, name: str | bytes | int = ..., /) -> _MjDataEqualityViews: ...
    def geom(self, name: str | bytes | int = ..., /) -> _MjDataGeomViews: ...
    def jnt(self, name: str | bytes | int = ..., /) -> _MjDataJointViews: ...
    def joint(self, name: str | bytes | int = ..., /) -> _MjDataJointViews: ...
    def light(self, name: str | bytes | int = ..., /) -> _MjDataLightViews: ...
    def sensor(self, name: str | bytes | int = ..., /) -> _MjDataSensorViews: ...
    def site(self, name: str | bytes | int = ..., /) -> _MjDataSiteViews: ...
    def tendon(self, name: str | bytes | int = ..., /) -> _MjDataTendonViews: ...
    def ten(self, name: str | bytes | int = ..., /) -> _MjDataTendonViews: ...
    def bind(self, specs: MjsElement | Sequence[MjsElement]) -> Any: ...  # arrays of MjData for them

class Lean(MjData):
    data: MjData
    def step(self, nstep: int = 1) -> None: ...
    def forward(self) -> NDArray[np.float64]: ...
    def reset(self, keyframe: int | None = None) -> None: ...

class MjrContext:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    auxColor: NDArray[np.uint32]
    auxColor_r: NDArray[np.uint32]
    auxFBO: NDArray[np.uint32]
    auxFBO_r: NDArray[np.uint32]
    auxHeight: NDArray[np.int32]
    auxSamples: NDArray[np.int32]
    auxWidth: NDArray[np.int32]
    baseBuiltin: int
    baseFontBig: int
    baseFontNormal: int
    baseFontShadow: int
    baseHField: int
    baseMesh: int
    basePlane: int
    charHeight: int
    charHeightBig: int
    charWidth: NDArray[np.int32]
    charWidthBig: NDArray[np.int32]
    currentBuffer: int
    fogEnd: int
    fogRGBA: NDArray[np.float32]
    fogStart: int
    fontScale: int
    free: Any
    glInitialized: int
    lineWidth: int
    nskin: int
    ntexture: int
    offColor: int
    offColor_r: int
    offDepthStencil: int
    offDepthStencil_r: int
    offFBO: int
    offFBO_r: int
    offHeight: int
    offSamples: int
    offWidth: int
    rangeBuiltin: int
    rangeFont: int
    rangeHField: int
    rangeMesh: int
    rangePlane: int
    readDepthMap: int
    readPixelFormat: int
    shadowClip: int
    shadowFBO: int
    shadowScale: int
    shadowSize: int
    shadowTex: int
    windowAvailable: int
    windowDoublebuffer: int
    windowSamples: int
    windowStereo: int

class MjrRect:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    bottom: int
    height: int
    left: int
    width: int

class MjvCamera:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    azimuth: float
    distance: float
    elevation: float
    fixedcamid: int
    lookat: NDArray[np.float64]
    orthographic: int
    trackbodyid: int
    type: int

class MjvFigure:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    figurergba: NDArray[np.float32]
    flg_barplot: int
    flg_extend: int
    flg_legend: int
    flg_selection: int
    flg_symmetric: int
    flg_ticklabel: NDArray[np.int32]
    gridrgb: NDArray[np.float32]
    gridsize: NDArray[np.int32]
    gridwidth: float
    highlight: NDArray[np.int32]
    highlightid: int
    legendoffset: int
    legendrgba: NDArray[np.float32]
    linedata: NDArray[np.float32]
    linename: NDArray[Any]
    linepnt: NDArray[np.int32]
    linergb: NDArray[np.float32]
    linewidth: float
    minwidth: str
    panergba: NDArray[np.float32]
    range: NDArray[np.float32]
    selection: float
    subplot: int
    textrgb: NDArray[np.float32]
    title: str
    xaxisdata: NDArray[np.float32]
    xaxispixel: NDArray[np.int32]
    xformat: str
    xlabel: str
    yaxisdata: NDArray[np.float32]
    yaxispixel: NDArray[np.int32]
    yformat: str

class MjvGLCamera:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    forward: NDArray[np.float32]
    frustum_bottom: float
    frustum_center: float
    frustum_far: float
    frustum_near: float
    frustum_top: float
    frustum_width: float
    orthographic: int
    pos: NDArray[np.float32]
    up: NDArray[np.float32]

class MjvGeom:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    camdist: float
    category: int
    dataid: int
    emission: float
    label: str
    mat: NDArray[np.float32]
    matid: int
    modelrbound: float
    objid: int
    objtype: int
    pos: NDArray[np.float32]
    reflectance: float
    rgba: NDArray[np.float32]
    segid: int
    shininess: float
    size: NDArray[np.float32]
    specular: float
    texcoord: int
    transparent: int
    type: int

class MjvLight:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    ambient: NDArray[np.float32]
    attenuation: NDArray[np.float32]
    bulbradius: float
    castshadow: int
    cutoff: float
    diffuse: NDArray[np.float32]
    dir: NDArray[np.float32]
    exponent: float
    headlight: int
    id: int
    intensity: float
    pos: NDArray[np.float32]
    range: float
    specular: NDArray[np.float32]
    texid: int
    type: int

class MjvOption:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    actuatorgroup: NDArray[np.uint8]
    bvh_depth: int
    flags: NDArray[np.uint8]
    flex_layer: int
    flexgroup: NDArray[np.uint8]
    frame: int
    geomgroup: NDArray[np.uint8]
    jointgroup: NDArray[np.uint8]
    label: int
    sitegroup: NDArray[np.uint8]
    skingroup: NDArray[np.uint8]
    tendongroup: NDArray[np.uint8]

class MjvPerturb:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    active: int
    active2: int
    flexselect: int
    localmass: float
    localpos: NDArray[np.float64]
    refpos: NDArray[np.float64]
    refquat: NDArray[np.float64]
    refselpos: NDArray[np.float64]
    scale: float
    select: int
    skinselect: int

class MjvScene:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    camera: tuple[Any, ...]
    enabletransform: int
    flags: NDArray[np.uint8]
    flexedge: NDArray[np.int32]
    flexedgeadr: NDArray[np.int32]
    flexedgenum: NDArray[np.int32]
    flexedgeopt: int
    flexface: NDArray[np.float32]
    flexfaceadr: NDArray[np.int32]
    flexfacenum: NDArray[np.int32]
    flexfaceopt: int
    flexfaceused: NDArray[np.int32]
    flexnormal: NDArray[np.float32]
    flexskinopt: int
    flextexcoord: NDArray[np.float32]
    flexvert: NDArray[np.float32]
    flexvertadr: NDArray[np.int32]
    flexvertnum: NDArray[np.int32]
    flexvertopt: int
    framergb: NDArray[np.float32]
    framewidth: int
    geomorder: NDArray[np.int32]
    geoms: tuple[Any, ...]
    lights: tuple[Any, ...]
    maxgeom: int
    nflex: int
    ngeom: int
    nlight: int
    nskin: int
    rotate: NDArray[np.float32]
    scale: float
    skinfacenum: NDArray[np.int32]
    skinnormal: NDArray[np.float32]
    skinvert: NDArray[np.float32]
    skinvertadr: NDArray[np.int32]
    skinvertnum: NDArray[np.int32]
    status: int
    stereo: int
    translate: NDArray[np.float32]

class MjsActuator(MjsElement):
    gain_model: str
    gain_params: NDArray[np.float64]
    gaintype: mjtGain
    gainprm: NDArray[np.float64]
    biastype: mjtBias
    biasprm: NDArray[np.float64]
    dyntype: mjtDyn
    dynprm: NDArray[np.float64]
    actdim: int
    actearly: int
    trntype: mjtTrn
    gear: NDArray[np.float64]
    target: str
    refsite: str
    slidersite: str
    cranklength: float
    lengthrange: NDArray[np.float64]
    inheritrange: float
    ctrllimited: mjtLimited
    ctrlrange: NDArray[np.float64]
    forcelimited: mjtLimited
    forcerange: NDArray[np.float64]
    actlimited: mjtLimited
    actrange: NDArray[np.float64]
    group: int
    nsample: int
    interp: int
    delay: float
    userdata: NDArray[np.float64]
    plugin: MjsPlugin
    classname: MjsDefault
    id: int
    info: str
    name: str
    def set_to_adhesion(self, gain: float) -> None: ...
    def set_to_cylinder(self, timeconst: float | ArrayLike, bias: float | ArrayLike, area: float, diameter: float = ...) -> None: ...
    def set_to_damper(self, kv: float) -> None: ...
    def set_to_intvelocity(self, kp: float, kv: float = ..., dampratio: float = ..., timeconst: float | ArrayLike = ..., inheritrange: float = ...) -> None: ...
    def set_to_motor(self) -> None: ...
    def set_to_muscle(self, timeconst: float | ArrayLike = ..., tausmooth: float = ..., range: ArrayLike = ..., force: float = ..., scale: float = ..., lmin: float = ..., lmax: float = ..., vmax: float = ..., fpmax: float = ..., fvmax: float = ...) -> None: ...
    def set_to_position(self, kp: float, kv: float = ..., dampratio: float = ..., timeconst: float | ArrayLike = ..., inheritrange: float = ...) -> None: ...
    def set_to_velocity(self, kv: float) -> None: ...
    signature: int

class MjsBody(MjsElement):
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    alt: MjsOrientation
    explicitinertial: int
    mass: float
    ipos: NDArray[np.float64]
    iquat: NDArray[np.float64]
    inertia: NDArray[np.float64]
    ialt: MjsOrientation
    fullinertia: NDArray[np.float64]
    mocap: int
    gravcomp: float
    sleep: mjtSleepPolicy
    userdata: NDArray[np.float64]
    plugin: MjsPlugin
    def add_body(self, default: MjsDefault | None = ..., **settings: Any) -> MjsBody: ...
    def add_camera(self, default: MjsDefault | None = ..., **settings: Any) -> MjsCamera: ...
    def add_frame(self, default: MjsDefault | None = ..., **settings: Any) -> MjsFrame: ...
    def add_freejoint(self, **settings: Any) -> MjsJoint: ...
    def add_geom(self, default: MjsDefault | None = ..., **settings: Any) -> MjsGeom: ...
    def add_joint(self, default: MjsDefault | None = ..., **settings: Any) -> MjsJoint: ...
    def add_light(self, default: MjsDefault | None = ..., **settings: Any) -> MjsLight: ...
    def add_site(self, default: MjsDefault | None = ..., **settings: Any) -> MjsSite: ...
    def attach_frame(self, frame: MjsFrame | str | None, prefix: str | None = ..., suffix: str | None = ...) -> MjsFrame: ...
    bodies: list[MjsBody]
    cameras: list[MjsCamera]
    childclass: str
    classname: MjsDefault
    def find_all(self, kind: str | mjtObj) -> list[MjsElement]: ...
    def find_child(self, name: str) -> MjsBody | None: ...
    def first_body(self) -> MjsBody | None: ...
    def first_camera(self) -> MjsCamera | None: ...
    def first_frame(self) -> MjsFrame | None: ...
    def first_geom(self) -> MjsGeom | None: ...
    def first_joint(self) -> MjsJoint | None: ...
    def first_light(self) -> MjsLight | None: ...
    def first_site(self) -> MjsSite | None: ...
    frame: MjsFrame | None
    frames: list[MjsFrame]
    geoms: list[MjsGeom]
    id: int
    info: str
    joints: list[MjsJoint]
    lights: list[MjsLight]
    name: str
    def next_body(self, element: MjsElement | MjsDefault) -> MjsBody | None: ...
    def next_camera(self, element: MjsElement | MjsDefault) -> MjsCamera | None: ...
    def next_frame(self, element: MjsElement | MjsDefault) -> MjsFrame | None: ...
    def next_geom(self, element: MjsElement | MjsDefault) -> MjsGeom | None: ...
    def next_joint(self, element: MjsElement | MjsDefault) -> MjsJoint | None: ...
    def next_light(self, element: MjsElement | MjsDefault) -> MjsLight | None: ...
    def next_site(self, element: MjsElement | MjsDefault) -> MjsSite | None: ...
    parent: MjsBody
    def set_frame(self, frame: MjsFrame | str | None) -> None: ...
    signature: int
    sites: list[MjsSite]
    def to_frame(self) -> MjsFrame: ...

class MjsCamera(MjsElement):
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    alt: MjsOrientation
    mode: mjtCamLight
    targetbody: str
    proj: mjtProjection
    resolution: NDArray[np.int32]
    output: int
    fovy: float
    ipd: float
    intrinsic: NDArray[np.float32]
    sensor_size: NDArray[np.float32]
    focal_length: NDArray[np.float32]
    focal_pixel: NDArray[np.float32]
    principal_length: NDArray[np.float32]
    principal_pixel: NDArray[np.float32]
    userdata: NDArray[np.float64]
    classname: MjsDefault
    frame: MjsFrame | None
    id: int
    info: str
    name: str
    parent: MjsBody
    def set_frame(self, frame: MjsFrame | str | None) -> None: ...
    signature: int

class MjsCompiler:
    autolimits: int
    boundmass: float
    boundinertia: float
    settotalmass: float
    balanceinertia: int
    strippath: int
    fitaabb: int
    degree: int
    eulerseq: str
    discardvisual: int
    usethread: int
    fusestatic: int
    inertiafromgeom: mjtInertiaFromGeom
    inertiagrouprange: NDArray[np.int32]
    saveinertial: int
    alignfree: int
    meshdir: str
    texturedir: str
    LRopt: MjLROpt

class MjsDefault:
    actuator: MjsActuator
    camera: MjsCamera
    equality: MjsEquality
    flex: MjsFlex
    geom: MjsGeom
    joint: MjsJoint
    light: MjsLight
    material: MjsMaterial
    mesh: MjsMesh
    pair: MjsPair
    site: MjsSite
    tendon: MjsTendon

class MjsElement:
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsEquality(MjsElement):
    type: mjtEq
    data: NDArray[np.float64]
    active: int
    name1: str
    name2: str
    objtype: mjtObj
    solref: NDArray[np.float64]
    solimp: NDArray[np.float64]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsExclude(MjsElement):
    bodyname1: str
    bodyname2: str
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsFlex(MjsElement):
    contype: int
    conaffinity: int
    condim: int
    priority: int
    friction: NDArray[np.float64]
    solmix: float
    solref: NDArray[np.float64]
    solimp: NDArray[np.float64]
    margin: float
    gap: float
    dim: int
    radius: float
    size: NDArray[np.float64]
    internal: int
    flatskin: int
    selfcollide: mjtFlexSelf
    vertcollide: int
    passive: int
    activelayers: int
    group: int
    edgestiffness: float
    edgedamping: float
    rgba: NDArray[np.float32]
    material: str
    young: float
    poisson: float
    damping: float
    thickness: float
    elastic2d: int
    soft: str
    bending_model: int
    elasticity_model: int
    nodebody: list[str]
    vertbody: list[str]
    node: NDArray[np.float64]
    vert: NDArray[np.float64]
    elem: NDArray[np.int32]
    texcoord: NDArray[np.float32]
    elemtexcoord: NDArray[np.int32]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsFrame(MjsElement):
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    alt: MjsOrientation
    def add_body(self, default: MjsDefault | None = ..., **settings: Any) -> MjsBody: ...
    def add_camera(self, default: MjsDefault | None = ..., **settings: Any) -> MjsCamera: ...
    def add_frame(self, default: MjsDefault | None = ..., **settings: Any) -> MjsFrame: ...
    def add_geom(self, default: MjsDefault | None = ..., **settings: Any) -> MjsGeom: ...
    def add_joint(self, default: MjsDefault | None = ..., **settings: Any) -> MjsJoint: ...
    def add_light(self, default: MjsDefault | None = ..., **settings: Any) -> MjsLight: ...
    def add_site(self, default: MjsDefault | None = ..., **settings: Any) -> MjsSite: ...
    def attach_body(self, body: MjsBody, prefix: str | None = ..., suffix: str | None = ...) -> MjsBody: ...
    childclass: str
    classname: MjsDefault
    frame: MjsFrame | None
    id: int
    info: str
    name: str
    parent: MjsBody
    def set_frame(self, frame: MjsFrame | str | None) -> None: ...
    signature: int

class MjsGeom(MjsElement):
    type: mjtGeom
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    alt: MjsOrientation
    fromto: NDArray[np.float64]
    size: NDArray[np.float64]
    contype: int
    conaffinity: int
    condim: int
    priority: int
    friction: NDArray[np.float64]
    solmix: float
    solref: NDArray[np.float64]
    solimp: NDArray[np.float64]
    margin: float
    gap: float
    mass: float
    density: float
    typeinertia: mjtGeomInertia
    fluid_ellipsoid: float
    fluid_coefs: NDArray[np.float64]
    material: str
    rgba: NDArray[np.float32]
    group: int
    hfieldname: str
    meshname: str
    fitscale: float
    userdata: NDArray[np.float64]
    plugin: MjsPlugin
    classname: MjsDefault
    frame: MjsFrame | None
    id: int
    info: str
    name: str
    parent: MjsBody
    def set_frame(self, frame: MjsFrame | str | None) -> None: ...
    signature: int

class MjsHField(MjsElement):
    content_type: str
    file: str
    size: NDArray[np.float64]
    nrow: int
    ncol: int
    userdata: NDArray[np.float32]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsJoint(MjsElement):
    type: mjtJoint
    pos: NDArray[np.float64]
    axis: NDArray[np.float64]
    ref: float
    align: mjtAlignFree
    stiffness: float
    springref: float
    springdamper: NDArray[np.float64]
    limited: mjtLimited
    range: NDArray[np.float64]
    margin: float
    solref_limit: NDArray[np.float64]
    solimp_limit: NDArray[np.float64]
    actfrclimited: mjtLimited
    actfrcrange: NDArray[np.float64]
    armature: float
    damping: float
    frictionloss: float
    solref_friction: NDArray[np.float64]
    solimp_friction: NDArray[np.float64]
    group: int
    actgravcomp: int
    userdata: NDArray[np.float64]
    classname: MjsDefault
    frame: MjsFrame | None
    id: int
    info: str
    name: str
    parent: MjsBody
    def set_frame(self, frame: MjsFrame | str | None) -> None: ...
    signature: int

class MjsKey(MjsElement):
    time: float
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    act: NDArray[np.float64]
    mpos: NDArray[np.float64]
    mquat: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsLight(MjsElement):
    pos: NDArray[np.float64]
    dir: NDArray[np.float64]
    mode: mjtCamLight
    targetbody: str
    active: int
    type: mjtLightType
    texture: str
    castshadow: int
    bulbradius: float
    intensity: float
    range: float
    attenuation: NDArray[np.float32]
    cutoff: float
    exponent: float
    ambient: NDArray[np.float32]
    diffuse: NDArray[np.float32]
    specular: NDArray[np.float32]
    classname: MjsDefault
    frame: MjsFrame | None
    id: int
    info: str
    name: str
    parent: MjsBody
    def set_frame(self, frame: MjsFrame | str | None) -> None: ...
    signature: int

class MjsMaterial(MjsElement):
    textures: list[str]
    texuniform: int
    texrepeat: NDArray[np.float32]
    emission: float
    specular: float
    shininess: float
    reflectance: float
    metallic: float
    roughness: float
    rgba: NDArray[np.float32]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsMesh(MjsElement):
    content_type: str
    file: str
    refpos: NDArray[np.float64]
    refquat: NDArray[np.float64]
    scale: NDArray[np.float64]
    inertia: mjtMeshInertia
    smoothnormal: int
    needsdf: int
    maxhullvert: int
    uservert: NDArray[np.float32]
    usernormal: NDArray[np.float32]
    usertexcoord: NDArray[np.float32]
    userface: NDArray[np.int32]
    userfacenormal: NDArray[np.int32]
    userfacetexcoord: NDArray[np.int32]
    plugin: MjsPlugin
    builtin: mjtMeshBuiltin
    params: NDArray[np.float64]
    material: str
    classname: MjsDefault
    id: int
    info: str
    def make_cone(self, nedge: int, radius: float) -> None: ...
    def make_hemisphere(self, resolution: int | Sequence[int]) -> None: ...
    def make_plate(self, resolution: int | Sequence[int] = ...) -> None: ...
    def make_sphere(self, subdivision: int) -> None: ...
    def make_supersphere(self, resolution: int | Sequence[int], e: float, n: float) -> None: ...
    def make_supertorus(self, resolution: int | Sequence[int], radius: float, s: float, t: float) -> None: ...
    def make_wedge(self, resolution: int | Sequence[int] = ..., fov: Sequence[float] = ..., gamma: float = ...) -> None: ...
    name: str
    signature: int

class MjsNumeric(MjsElement):
    data: NDArray[np.float64]
    size: int
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsOrientation:
    ...

class MjsPair(MjsElement):
    geomname1: str
    geomname2: str
    condim: int
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    solimp: NDArray[np.float64]
    margin: float
    gap: float
    friction: NDArray[np.float64]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsPlugin:
    config: dict[str, str]
    signature: int

class MjsSensor(MjsElement):
    type: mjtSensor
    objtype: mjtObj
    objname: str
    reftype: mjtObj
    refname: str
    intprm: NDArray[np.int32]
    datatype: mjtDataType
    needstage: mjtStage
    dim: int
    cutoff: float
    noise: float
    nsample: int
    interp: int
    delay: float
    interval: NDArray[np.float64]
    userdata: NDArray[np.float64]
    plugin: MjsPlugin
    classname: MjsDefault
    def get_data_size(self) -> int: ...
    id: int
    info: str
    name: str
    signature: int

class MjsSite(MjsElement):
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    alt: MjsOrientation
    fromto: NDArray[np.float64]
    size: NDArray[np.float64]
    type: mjtGeom
    material: str
    group: int
    rgba: NDArray[np.float32]
    userdata: NDArray[np.float64]
    def attach_body(self, body: MjsBody, prefix: str | None = ..., suffix: str | None = ...) -> MjsBody: ...
    classname: MjsDefault
    frame: MjsFrame | None
    id: int
    info: str
    name: str
    parent: MjsBody
    def set_frame(self, frame: MjsFrame | str | None) -> None: ...
    signature: int

class MjsSkin(MjsElement):
    file: str
    material: str
    rgba: NDArray[np.float32]
    inflate: float
    group: int
    vert: NDArray[np.float32]
    texcoord: NDArray[np.float32]
    face: NDArray[np.int32]
    bodyname: list[str]
    bindpos: NDArray[np.float32]
    bindquat: NDArray[np.float32]
    vertid: list[list[float]]
    vertweight: list[list[float]]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsTendon(MjsElement):
    stiffness: float
    springlength: NDArray[np.float64]
    damping: float
    frictionloss: float
    solref_friction: NDArray[np.float64]
    solimp_friction: NDArray[np.float64]
    armature: float
    limited: mjtLimited
    actfrclimited: mjtLimited
    range: NDArray[np.float64]
    actfrcrange: NDArray[np.float64]
    margin: float
    solref_limit: NDArray[np.float64]
    solimp_limit: NDArray[np.float64]
    material: str
    width: float
    rgba: NDArray[np.float32]
    group: int
    userdata: NDArray[np.float64]
    path: MjsTendonPath
    classname: MjsDefault
    def default(self) -> MjsDefault: ...
    id: int
    info: str
    name: str
    signature: int
    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap: ...
    def wrap_joint(self, name: str, coef: float) -> MjsWrap: ...
    def wrap_pulley(self, divisor: float) -> MjsWrap: ...
    def wrap_site(self, name: str) -> MjsWrap: ...

class MjsTendonPath(list[MjsWrap]):
    ...

class MjsText(MjsElement):
    data: str
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsTexture(MjsElement):
    type: mjtTexture
    colorspace: mjtColorSpace
    builtin: mjtBuiltin
    mark: mjtMark
    rgb1: NDArray[np.float64]
    rgb2: NDArray[np.float64]
    markrgb: NDArray[np.float64]
    random: float
    height: int
    width: int
    nchannel: int
    content_type: str
    file: str
    gridsize: NDArray[np.int32]
    gridlayout: str
    cubefiles: list[str]
    data: bytes
    hflip: int
    vflip: int
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsTuple(MjsElement):
    objtype: NDArray[np.int32]
    objname: list[str]
    objprm: NDArray[np.float64]
    classname: MjsDefault
    id: int
    info: str
    name: str
    signature: int

class MjsWrap:
    coef: float
    divisor: float
    sidesite: MjsSite | None
    target: MjsElement | None
    type: mjtWrap

class MjSpec:
    def activate_plugin(self, name: str) -> None: ...
    def actuator(self, name: str) -> MjsActuator | None: ...
    actuators: list[MjsActuator]
    def add_actuator(self, default: MjsDefault | None = ..., **settings: Any) -> MjsActuator: ...
    def add_default(self, name: str, parent: MjsDefault | None = ...) -> MjsDefault: ...
    def add_equality(self, default: MjsDefault | None = ..., **settings: Any) -> MjsEquality: ...
    def add_exclude(self, default: MjsDefault | None = ..., **settings: Any) -> MjsExclude: ...
    def add_flex(self, default: MjsDefault | None = ..., **settings: Any) -> MjsFlex: ...
    def add_hfield(self, default: MjsDefault | None = ..., **settings: Any) -> MjsHField: ...
    def add_key(self, default: MjsDefault | None = ..., **settings: Any) -> MjsKey: ...
    def add_material(self, default: MjsDefault | None = ..., **settings: Any) -> MjsMaterial: ...
    def add_mesh(self, default: MjsDefault | None = ..., **settings: Any) -> MjsMesh: ...
    def add_numeric(self, default: MjsDefault | None = ..., **settings: Any) -> MjsNumeric: ...
    def add_pair(self, default: MjsDefault | None = ..., **settings: Any) -> MjsPair: ...
    def add_plugin(self, name: str = ..., plugin_name: str = ..., active: bool = ..., info: str = ..., config: Mapping[str, str] = ...) -> MjsPlugin: ...
    def add_sensor(self, default: MjsDefault | None = ..., **settings: Any) -> MjsSensor: ...
    def add_skin(self, default: MjsDefault | None = ..., **settings: Any) -> MjsSkin: ...
    def add_tendon(self, default: MjsDefault | None = ..., **settings: Any) -> MjsTendon: ...
    def add_text(self, default: MjsDefault | None = ..., **settings: Any) -> MjsText: ...
    def add_texture(self, default: MjsDefault | None = ..., **settings: Any) -> MjsTexture: ...
    def add_tuple(self, default: MjsDefault | None = ..., **settings: Any) -> MjsTuple: ...
    assets: dict[str, bytes]
    def attach(self, child: MjSpec, prefix: str | None = ..., suffix: str | None = ..., site: MjsSite | str | None = ..., frame: MjsFrame | str | None = ...) -> MjsFrame: ...
    bodies: list[MjsBody]
    def body(self, name: str) -> MjsBody | None: ...
    def camera(self, name: str) -> MjsCamera | None: ...
    cameras: list[MjsCamera]
    comment: str
    def compile(self) -> MjModel: ...
    compiler: MjsCompiler
    def copy(self) -> MjSpec: ...
    copy_during_attach: bool
    default: MjsDefault
    def delete(self, element: MjsElement | MjsDefault) -> None: ...
    equalities: list[MjsEquality]
    def equality(self, name: str) -> MjsEquality | None: ...
    def exclude(self, name: str) -> MjsExclude | None: ...
    excludes: list[MjsExclude]
    def find_default(self, name: str) -> MjsDefault | None: ...
    def flex(self, name: str) -> MjsFlex | None: ...
    flexes: list[MjsFlex]
    def frame(self, name: str) -> MjsFrame | None: ...
    frames: list[MjsFrame]
    @staticmethod
    def from_file(filename: str, include: Mapping[str, bytes | str] | None = ..., assets: Mapping[str, bytes] | None = ...) -> MjSpec: ...
    @staticmethod
    def from_string(xml: str, include: Mapping[str, bytes | str] | None = ..., assets: Mapping[str, bytes] | None = ...) -> MjSpec: ...
    @staticmethod
    def from_zip(file: Any) -> MjSpec: ...
    def geom(self, name: str) -> MjsGeom | None: ...
    geoms: list[MjsGeom]
    def hfield(self, name: str) -> MjsHField | None: ...
    hfields: list[MjsHField]
    def joint(self, name: str) -> MjsJoint | None: ...
    joints: list[MjsJoint]
    def key(self, name: str) -> MjsKey | None: ...
    keys: list[MjsKey]
    def light(self, name: str) -> MjsLight | None: ...
    lights: list[MjsLight]
    def material(self, name: str) -> MjsMaterial | None: ...
    materials: list[MjsMaterial]
    memory: int
    def mesh(self, name: str) -> MjsMesh | None: ...
    meshdir: str
    meshes: list[MjsMesh]
    modelfiledir: str
    modelname: str
    nconmax: int
    njmax: int
    nkey: int
    nstack: int
    def numeric(self, name: str) -> MjsNumeric | None: ...
    numerics: list[MjsNumeric]
    nuser_actuator: int
    nuser_body: int
    nuser_cam: int
    nuser_geom: int
    nuser_jnt: int
    nuser_sensor: int
    nuser_site: int
    nuser_tendon: int
    nuserdata: int
    option: MjOption
    def pair(self, name: str) -> MjsPair | None: ...
    pairs: list[MjsPair]
    def plugin(self, name: str) -> MjsPlugin | None: ...
    plugins: list[MjsPlugin]
    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]: ...
    @staticmethod
    def resolve_orientation(degree: bool, sequence: str = ..., orientation: MjsOrientation | None = ...) -> list[float]: ...
    def sensor(self, name: str) -> MjsSensor | None: ...
    sensors: list[MjsSensor]
    def site(self, name: str) -> MjsSite | None: ...
    sites: list[MjsSite]
    def skin(self, name: str) -> MjsSkin | None: ...
    skins: list[MjsSkin]
    stat: MjStatistic
    strippath: int
    def tendon(self, name: str) -> MjsTendon | None: ...
    tendons: list[MjsTendon]
    def text(self, name: str) -> MjsText | None: ...
    texts: list[MjsText]
    def texture(self, name: str) -> MjsTexture | None: ...
    texturedir: str
    textures: list[MjsTexture]
    def to_file(self, filename: str) -> None: ...
    def to_xml(self) -> str: ...
    def to_zip(self, file: Any) -> None: ...
    def tuple(self, name: str) -> MjsTuple | None: ...
    tuples: list[MjsTuple]
    visual: MjVisual
    worldbody: MjsBody

def get_mjcb_act_bias() -> Callable[[MjModel, MjData, int], float] | None: ...
def get_mjcb_act_dyn() -> Callable[[MjModel, MjData, int], float] | None: ...
def get_mjcb_act_gain() -> Callable[[MjModel, MjData, int], float] | None: ...
def get_mjcb_contactfilter() -> Callable[[MjModel, MjData, int, int], int] | None: ...
def get_mjcb_control() -> Callable[[MjModel, MjData], None] | None: ...
def get_mjcb_passive() -> Callable[[MjModel, MjData], None] | None: ...
def get_mjcb_sensor() -> Callable[[MjModel, MjData, int], None] | None: ...
def get_mjcb_time() -> Callable[[], float] | None: ...
def mj_Euler(m: MjModel, d: MjData) -> None: ...
def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None: ...
def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int: ...
def mj_addM(m: MjModel, d: MjData, dst: NDArray[np.float64] | None, rownnz: NDArray[np.int32] | None, rowadr: NDArray[np.int32] | None, colind: NDArray[np.int32] | None) -> None: ...
def mj_angmomMat(m: MjModel, d: MjData, mat: NDArray[np.float64] | None, body: int) -> None: ...
def mj_applyFT(m: MjModel, d: MjData, force: ArrayLike | None, torque: ArrayLike | None, point: ArrayLike, body: int, qfrc_target: NDArray[np.float64] | None) -> None: ...
def mj_camlight(m: MjModel, d: MjData) -> None: ...
def mj_checkAcc(m: MjModel, d: MjData) -> None: ...
def mj_checkPos(m: MjModel, d: MjData) -> None: ...
def mj_checkVel(m: MjModel, d: MjData) -> None: ...
def mj_clearCache(cache: Any) -> None: ...
def mj_collision(m: MjModel, d: MjData) -> None: ...
def mj_comPos(m: MjModel, d: MjData) -> None: ...
def mj_comVel(m: MjModel, d: MjData) -> None: ...
def mj_compareFwdInv(m: MjModel, d: MjData) -> None: ...
def mj_constraintUpdate(m: MjModel, d: MjData, jar: ArrayLike | None, cost: NDArray[np.float64] | None, flg_coneHessian: int) -> None: ...
def mj_contactForce(m: MjModel, d: MjData, id: int, result: NDArray[np.float64]) -> None: ...
def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> MjData: ...
def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None: ...
def mj_crb(m: MjModel, d: MjData) -> None: ...
def mj_defaultLROpt(opt: MjLROpt) -> None: ...
def mj_defaultOption(opt: MjOption) -> None: ...
def mj_defaultSolRefImp(solref: NDArray[np.float64] | None, solimp: NDArray[np.float64] | None) -> None: ...
def mj_defaultVisual(vis: MjVisual) -> None: ...
def mj_differentiatePos(m: MjModel, qvel: NDArray[np.float64] | None, dt: float, qpos1: ArrayLike | None, qpos2: ArrayLike | None) -> None: ...
def mj_energyPos(m: MjModel, d: MjData) -> None: ...
def mj_energyVel(m: MjModel, d: MjData) -> None: ...
def mj_extractState(m: MjModel, src: ArrayLike | None, srcsig: int, dst: NDArray[np.float64] | None, dstsig: int) -> None: ...
def mj_factorM(m: MjModel, d: MjData) -> None: ...
def mj_flex(m: MjModel, d: MjData) -> None: ...
def mj_forward(m: MjModel, d: MjData) -> None: ...
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None: ...
def mj_fullM(m: MjModel, dst: NDArray[np.float64] | None, M: ArrayLike | None) -> None: ...
def mj_fwdAcceleration(m: MjModel, d: MjData) -> None: ...
def mj_fwdActuation(m: MjModel, d: MjData) -> None: ...
def mj_fwdConstraint(m: MjModel, d: MjData) -> None: ...
def mj_fwdKinematics(m: MjModel, d: MjData) -> None: ...
def mj_fwdPosition(m: MjModel, d: MjData) -> None: ...
def mj_fwdVelocity(m: MjModel, d: MjData) -> None: ...
def mj_geomDistance(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: NDArray[np.float64] | None) -> float: ...
def mj_getCache() -> Any: ...
def mj_getCacheCapacity(cache: Any) -> int: ...
def mj_getCacheSize(cache: Any) -> int: ...
def mj_getState(m: MjModel, d: MjData, state: NDArray[np.float64] | None, sig: int) -> None: ...
def mj_getTotalmass(m: MjModel) -> float: ...
def mj_id2name(m: MjModel, type: int, id: int) -> str | None: ...
def mj_implicit(m: MjModel, d: MjData) -> None: ...
def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike | None) -> None: ...
def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike | None, phase: float) -> None: ...
def mj_integratePos(m: MjModel, qpos: NDArray[np.float64] | None, qvel: ArrayLike | None, dt: float) -> None: ...
def mj_invConstraint(m: MjModel, d: MjData) -> None: ...
def mj_invPosition(m: MjModel, d: MjData) -> None: ...
def mj_invVelocity(m: MjModel, d: MjData) -> None: ...
def mj_inverse(m: MjModel, d: MjData) -> None: ...
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None: ...
def mj_isDual(m: MjModel) -> int: ...
def mj_isPyramidal(m: MjModel) -> int: ...
def mj_isSparse(m: MjModel) -> int: ...
def mj_island(m: MjModel, d: MjData) -> None: ...
def mj_jac(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None: ...
def mj_jacBody(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None: ...
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None: ...
def mj_jacDot(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None: ...
def mj_jacGeom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, geom: int) -> None: ...
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: NDArray[np.float64] | None, jacAxis: NDArray[np.float64] | None, point: ArrayLike, axis: ArrayLike, body: int) -> None: ...
def mj_jacSite(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, site: int) -> None: ...
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, body: int) -> None: ...
def mj_kinematics(m: MjModel, d: MjData) -> None: ...
def mj_loadAllPluginLibraries(directory: str | bytes) -> None: ...
def mj_loadPluginLibrary(path: str | bytes) -> None: ...
def mj_local2Global(d: MjData, xpos: NDArray[np.float64], xmat: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, body: int, sameframe: int) -> None: ...
def mj_makeConstraint(m: MjModel, d: MjData) -> None: ...
def mj_makeM(m: MjModel, d: MjData) -> None: ...
def mj_mulJacTVec(m: MjModel, d: MjData, res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mj_mulJacVec(m: MjModel, d: MjData, res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mj_mulM(m: MjModel, d: MjData, res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mj_mulM2(m: MjModel, d: MjData, res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mj_multiRay(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike | None, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32] | None, dist: NDArray[np.float64] | None, normal: NDArray[np.float64] | None, nray: int, cutoff: float) -> None: ...
def mj_name2id(m: MjModel, type: int, name: str | bytes) -> int: ...
def mj_normalizeQuat(m: MjModel, qpos: NDArray[np.float64] | None) -> None: ...
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None: ...
def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None: ...
def mj_passive(m: MjModel, d: MjData) -> None: ...
def mj_printData(m: MjModel, d: MjData, filename: str | bytes) -> None: ...
def mj_printFormattedData(m: MjModel, d: MjData, filename: str | bytes, float_format: str | bytes) -> None: ...
def mj_printFormattedModel(m: MjModel, filename: str | bytes, float_format: str | bytes) -> None: ...
def mj_printFormattedScene(s: MjvScene, filename: str | bytes, float_format: str | bytes) -> None: ...
def mj_printModel(m: MjModel, filename: str | bytes) -> None: ...
def mj_printScene(s: MjvScene, filename: str | bytes) -> None: ...
def mj_printSchema(flg_html: int, flg_pad: int) -> int: ...
def mj_projectConstraint(m: MjModel, d: MjData) -> None: ...
def mj_ray(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32] | None, normal: NDArray[np.float64] | None = ...) -> float: ...
def mj_rayFlex(m: MjModel, d: MjData, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int, pnt: ArrayLike, vec: ArrayLike, vertid: NDArray[np.int32] | None = ..., normal: NDArray[np.float64] | None = ...) -> float: ...
def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = ...) -> float: ...
def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = ...) -> float: ...
def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, interp: int) -> float: ...
def mj_readSensor(m: MjModel, d: MjData, id: int, time: float, result: NDArray[np.float64] | None, interp: int) -> NDArray[np.float64]: ...
def mj_referenceConstraint(m: MjModel, d: MjData) -> None: ...
def mj_resetCallbacks() -> None: ...
def mj_resetData(m: MjModel, d: MjData) -> None: ...
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None: ...
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None: ...
def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: NDArray[np.float64] | None) -> None: ...
def mj_rnePostConstraint(m: MjModel, d: MjData) -> None: ...
def mj_saveLastXML(filename: str | bytes, m: MjModel) -> int: ...
def mj_saveModel(m: MjModel, filename: str | bytes = ..., buffer: NDArray[np.uint8] | None = ...) -> None: ...
def mj_sensorAcc(m: MjModel, d: MjData) -> None: ...
def mj_sensorPos(m: MjModel, d: MjData) -> None: ...
def mj_sensorVel(m: MjModel, d: MjData) -> None: ...
def mj_setCacheCapacity(cache: Any, size: int) -> int: ...
def mj_setConst(m: MjModel, d: MjData) -> None: ...
def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None: ...
def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: MjLROpt) -> int: ...
def mj_setState(m: MjModel, d: MjData, state: ArrayLike | None, sig: int) -> None: ...
def mj_setTotalmass(m: MjModel, newmass: float) -> None: ...
def mj_sizeModel(m: MjModel) -> int: ...
def mj_solveM(m: MjModel, d: MjData, x: NDArray[np.float64] | None, y: ArrayLike | None) -> None: ...
def mj_solveM2(m: MjModel, d: MjData, x: NDArray[np.float64] | None, y: ArrayLike | None, sqrtInvD: ArrayLike | None) -> None: ...
def mj_stateSize(m: MjModel, sig: int) -> int: ...
def mj_step(m: MjModel, d: MjData, nstep: int = ...) -> None: ...
def mj_step1(m: MjModel, d: MjData) -> None: ...
def mj_step2(m: MjModel, d: MjData) -> None: ...
def mj_subtreeVel(m: MjModel, d: MjData) -> None: ...
def mj_tendon(m: MjModel, d: MjData) -> None: ...
def mj_transmission(m: MjModel, d: MjData) -> None: ...
def mj_version() -> int: ...
def mj_versionString() -> str: ...
def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: NDArray[np.float64] | None, DfDv: NDArray[np.float64] | None, DfDa: NDArray[np.float64] | None, DsDq: NDArray[np.float64] | None, DsDv: NDArray[np.float64] | None, DsDa: NDArray[np.float64] | None, DmDq: NDArray[np.float64] | None) -> None: ...
def mjd_quatIntegrate(vel: ArrayLike, scale: float, Dquat: NDArray[np.float64] | None, Dvel: NDArray[np.float64] | None, Dscale: NDArray[np.float64] | None) -> None: ...
def mjd_subQuat(qa: ArrayLike, qb: ArrayLike, Da: NDArray[np.float64] | None, Db: NDArray[np.float64] | None) -> None: ...
def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: int, A: NDArray[np.float64] | None, B: NDArray[np.float64] | None, C: NDArray[np.float64] | None, D: NDArray[np.float64] | None) -> None: ...
def mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None: ...
def mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None: ...
def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, con: MjrContext) -> None: ...
def mjr_changeFont(fontscale: int, con: MjrContext) -> None: ...
def mjr_drawPixels(rgb: ArrayLike | None, depth: ArrayLike | None, viewport: MjrRect, con: MjrContext) -> None: ...
def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None: ...
def mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int: ...
def mjr_finish() -> None: ...
def mjr_getError() -> int: ...
def mjr_label(viewport: MjrRect, font: int, txt: str | bytes, r: float, g: float, b: float, a: float, rt: float, gt: float, bt: float, con: MjrContext) -> None: ...
def mjr_maxViewport(con: MjrContext) -> MjrRect: ...
def mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: str | bytes, overlay2: str | bytes, con: MjrContext) -> None: ...
def mjr_readPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None: ...
def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None: ...
def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None: ...
def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None: ...
def mjr_restoreBuffer(con: MjrContext) -> None: ...
def mjr_setAux(index: int, con: MjrContext) -> None: ...
def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None: ...
def mjr_text(font: int, txt: str | bytes, con: MjrContext, x: float, y: float, r: float, g: float, b: float) -> None: ...
def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None: ...
def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None: ...
def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None: ...
def mju_Halton(index: int, base: int) -> float: ...
def mju_L1(vec: ArrayLike | None) -> float: ...
def mju_add(res: NDArray[np.float64] | None, vec1: ArrayLike | None, vec2: ArrayLike | None) -> None: ...
def mju_add3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_addScl(res: NDArray[np.float64] | None, vec1: ArrayLike | None, vec2: ArrayLike | None, scl: float) -> None: ...
def mju_addScl3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None: ...
def mju_addTo(res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mju_addTo3(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_addToScl(res: NDArray[np.float64] | None, vec: ArrayLike | None, scl: float) -> None: ...
def mju_addToScl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_axisAngle2Quat(res: NDArray[np.float64], axis: ArrayLike, angle: float) -> None: ...
def mju_band2Dense(res: NDArray[np.float64] | None, mat: ArrayLike | None, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None: ...
def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int: ...
def mju_bandMulMatVec(res: NDArray[np.float64] | None, mat: ArrayLike | None, vec: ArrayLike | None, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None: ...
def mju_boxQP(res: NDArray[np.float64] | None, R: NDArray[np.float64] | None, index: NDArray[np.int32] | None, H: ArrayLike | None, g: ArrayLike | None, lower: ArrayLike | None, upper: ArrayLike | None) -> int: ...
def mju_cholFactor(mat: NDArray[np.float64] | None, mindiag: float) -> int: ...
def mju_cholFactorBand(mat: NDArray[np.float64] | None, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float: ...
def mju_cholSolve(res: NDArray[np.float64] | None, mat: ArrayLike | None, vec: ArrayLike | None) -> None: ...
def mju_cholSolveBand(res: NDArray[np.float64] | None, mat: ArrayLike | None, vec: ArrayLike | None, ntotal: int, nband: int, ndense: int) -> None: ...
def mju_cholUpdate(mat: NDArray[np.float64] | None, x: NDArray[np.float64] | None, flg_plus: int) -> int: ...
def mju_clip(x: float, min: float, max: float) -> float: ...
def mju_copy(res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mju_copy3(res: NDArray[np.float64], data: ArrayLike) -> None: ...
def mju_copy4(res: NDArray[np.float64], data: ArrayLike) -> None: ...
def mju_cross(res: NDArray[np.float64], a: ArrayLike, b: ArrayLike) -> None: ...
def mju_d2n(res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mju_decodePyramid(force: NDArray[np.float64] | None, pyramid: ArrayLike | None, mu: ArrayLike | None) -> None: ...
def mju_dense2Band(res: NDArray[np.float64] | None, mat: ArrayLike | None, ntotal: int, nband: int, ndense: int) -> None: ...
def mju_dense2sparse(res: NDArray[np.float64] | None, mat: ArrayLike | None, rownnz: NDArray[np.int32] | None, rowadr: NDArray[np.int32] | None, colind: NDArray[np.int32] | None) -> int: ...
def mju_derivQuat(res: NDArray[np.float64], quat: ArrayLike, vel: ArrayLike) -> None: ...
def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> float: ...
def mju_dot(vec1: ArrayLike | None, vec2: ArrayLike | None) -> float: ...
def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> float: ...
def mju_eig3(eigval: NDArray[np.float64], eigvec: NDArray[np.float64], quat: NDArray[np.float64], mat: ArrayLike) -> int: ...
def mju_encodePyramid(pyramid: NDArray[np.float64] | None, force: ArrayLike | None, mu: ArrayLike | None) -> None: ...
def mju_euler2Quat(quat: NDArray[np.float64], euler: ArrayLike, seq: str | bytes) -> None: ...
def mju_eye(mat: NDArray[np.float64] | None) -> None: ...
def mju_f2n(res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mju_fill(res: NDArray[np.float64] | None, val: float) -> None: ...
def mju_getXMLDependencies(filename: str | bytes) -> None: ...
def mju_insertionSort(list: NDArray[np.float64] | None) -> None: ...
def mju_insertionSortInt(list: NDArray[np.int32] | None) -> None: ...
def mju_isBad(x: float) -> int: ...
def mju_isZero(vec: ArrayLike | None) -> int: ...
def mju_mat2Quat(quat: NDArray[np.float64], mat: ArrayLike) -> None: ...
def mju_mat2Rot(quat: NDArray[np.float64], mat: ArrayLike) -> int: ...
def mju_max(a: float, b: float) -> float: ...
def mju_min(a: float, b: float) -> float: ...
def mju_mulMatMat(res: NDArray[np.float64] | None, mat1: ArrayLike | None, mat2: ArrayLike | None) -> None: ...
def mju_mulMatMatT(res: NDArray[np.float64] | None, mat1: ArrayLike | None, mat2: ArrayLike | None) -> None: ...
def mju_mulMatTMat(res: NDArray[np.float64] | None, mat1: ArrayLike | None, mat2: ArrayLike | None) -> None: ...
def mju_mulMatTVec(res: NDArray[np.float64] | None, mat: ArrayLike | None, vec: ArrayLike | None) -> None: ...
def mju_mulMatTVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulMatVec(res: NDArray[np.float64] | None, mat: ArrayLike | None, vec: ArrayLike | None) -> None: ...
def mju_mulMatVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike) -> None: ...
def mju_mulQuat(res: NDArray[np.float64], quat1: ArrayLike, quat2: ArrayLike) -> None: ...
def mju_mulQuatAxis(res: NDArray[np.float64], quat: ArrayLike, axis: ArrayLike) -> None: ...
def mju_mulVecMatVec(vec1: ArrayLike | None, mat: ArrayLike | None, vec2: ArrayLike | None) -> float: ...
def mju_muscleBias(len: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float: ...
def mju_muscleDynamics(ctrl: float, act: float, prm: ArrayLike) -> float: ...
def mju_muscleGain(len: float, vel: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float: ...
def mju_n2d(res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mju_n2f(res: NDArray[np.float32] | None, vec: ArrayLike | None) -> None: ...
def mju_negPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike) -> None: ...
def mju_negQuat(res: NDArray[np.float64], quat: ArrayLike) -> None: ...
def mju_norm(res: ArrayLike | None) -> float: ...
def mju_norm3(vec: ArrayLike) -> float: ...
def mju_normalize(res: NDArray[np.float64] | None) -> float: ...
def mju_normalize3(vec: NDArray[np.float64]) -> float: ...
def mju_normalize4(vec: NDArray[np.float64]) -> float: ...
def mju_printMat(mat: ArrayLike | None) -> None: ...
def mju_printMatSparse(mat: ArrayLike | None, rownnz: ArrayLike | None, rowadr: ArrayLike | None, colind: ArrayLike | None) -> None: ...
def mju_quat2Mat(res: NDArray[np.float64], quat: ArrayLike) -> None: ...
def mju_quat2Vel(res: NDArray[np.float64], quat: ArrayLike, dt: float) -> None: ...
def mju_quatIntegrate(quat: NDArray[np.float64], vel: ArrayLike, scale: float) -> None: ...
def mju_quatZ2Vec(quat: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_rayGeom(pos: ArrayLike, mat: ArrayLike, size: ArrayLike, pnt: ArrayLike, vec: ArrayLike, geomtype: int, normal: NDArray[np.float64] | None = ...) -> float: ...
def mju_raySkin(nface: int, nvert: int, face: ArrayLike | None, vert: ArrayLike | None, pnt: ArrayLike, vec: ArrayLike, vertid: NDArray[np.int32] | None) -> float: ...
def mju_rotVecQuat(res: NDArray[np.float64], vec: ArrayLike, quat: ArrayLike) -> None: ...
def mju_round(x: float) -> int: ...
def mju_scl(res: NDArray[np.float64] | None, vec: ArrayLike | None, scl: float) -> None: ...
def mju_scl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_sigmoid(x: float) -> float: ...
def mju_sign(x: float) -> float: ...
def mju_sparse2dense(res: NDArray[np.float64] | None, mat: ArrayLike | None, rownnz: ArrayLike | None, rowadr: ArrayLike | None, colind: ArrayLike | None) -> None: ...
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float: ...
def mju_sqrMatTD(res: NDArray[np.float64] | None, mat: ArrayLike | None, diag: ArrayLike | None) -> None: ...
def mju_standardNormal(num2: NDArray[np.float64] | None = ...) -> float: ...
def mju_str2Type(str: str | bytes) -> int: ...
def mju_sub(res: NDArray[np.float64] | None, vec1: ArrayLike | None, vec2: ArrayLike | None) -> None: ...
def mju_sub3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_subFrom(res: NDArray[np.float64] | None, vec: ArrayLike | None) -> None: ...
def mju_subFrom3(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_subQuat(res: NDArray[np.float64], qa: ArrayLike, qb: ArrayLike) -> None: ...
def mju_sum(vec: ArrayLike | None) -> float: ...
def mju_symmetrize(res: NDArray[np.float64] | None, mat: ArrayLike | None) -> None: ...
def mju_transformSpatial(res: NDArray[np.float64], vec: ArrayLike, flg_force: int, newpos: ArrayLike, oldpos: ArrayLike, rotnew2old: ArrayLike | None) -> None: ...
def mju_transpose(res: NDArray[np.float64] | None, mat: ArrayLike | None) -> None: ...
def mju_trnVecPose(res: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_type2Str(type: int) -> str | None: ...
def mju_unit4(res: NDArray[np.float64]) -> None: ...
def mju_warningText(warning: int, info: int) -> str: ...
def mju_writeLog(type: str | bytes, msg: str | bytes) -> None: ...
def mju_writeNumBytes(nbytes: int) -> str: ...
def mju_zero(res: NDArray[np.float64] | None) -> None: ...
def mju_zero3(res: NDArray[np.float64]) -> None: ...
def mju_zero4(res: NDArray[np.float64]) -> None: ...
def mjv_addGeoms(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, catmask: int, scn: MjvScene) -> None: ...
def mjv_alignToCamera(res: NDArray[np.float64], vec: ArrayLike, forward: ArrayLike) -> None: ...
def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb | None) -> None: ...
def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb | None, flg_paused: int) -> None: ...
def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera: ...
def mjv_cameraFrame(headpos: NDArray[np.float64] | None, forward: NDArray[np.float64] | None, up: NDArray[np.float64] | None, right: NDArray[np.float64] | None, d: MjData, cam: MjvCamera) -> None: ...
def mjv_cameraFrustum(zver: NDArray[np.float32] | None, zhor: NDArray[np.float32] | None, zclip: NDArray[np.float32] | None, m: MjModel, cam: MjvCamera) -> None: ...
def mjv_cameraInModel(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], scn: MjvScene) -> None: ...
def mjv_cameraInRoom(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], scn: MjvScene) -> None: ...
def mjv_connector(geom: MjvGeom, type: int, width: float, from_: ArrayLike, to: ArrayLike) -> None: ...
def mjv_defaultCamera(cam: MjvCamera) -> None: ...
def mjv_defaultFigure(fig: MjvFigure) -> None: ...
def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None: ...
def mjv_defaultOption(opt: MjvOption) -> None: ...
def mjv_defaultPerturb(pert: MjvPerturb | None) -> None: ...
def mjv_frustumHeight(scn: MjvScene) -> float: ...
def mjv_initGeom(geom: MjvGeom, type: int, size: ArrayLike | None, pos: ArrayLike | None, mat: ArrayLike | None, rgba: ArrayLike | None) -> None: ...
def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb | None) -> None: ...
def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None: ...
def mjv_model2room(roompos: NDArray[np.float64], roomquat: NDArray[np.float64], modelpos: ArrayLike, modelquat: ArrayLike, scn: MjvScene) -> None: ...
def mjv_moveCamera(m: MjModel, action: int, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera) -> None: ...
def mjv_moveModel(m: MjModel, action: int, reldx: float, reldy: float, roomup: ArrayLike, scn: MjvScene) -> None: ...
def mjv_movePerturb(m: MjModel, d: MjData, action: int, reldx: float, reldy: float, scn: MjvScene, pert: MjvPerturb | None) -> None: ...
def mjv_room2model(modelpos: NDArray[np.float64], modelquat: NDArray[np.float64], roompos: ArrayLike, roomquat: ArrayLike, scn: MjvScene) -> None: ...
def mjv_select(m: MjModel, d: MjData, vopt: MjvOption, aspectratio: float, relx: float, rely: float, scn: MjvScene, selpnt: NDArray[np.float64], geomid: NDArray[np.int32] | None, flexid: NDArray[np.int32] | None, skinid: NDArray[np.int32] | None) -> int: ...
def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera, scn: MjvScene) -> None: ...
def mjv_updateScene(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera, catmask: int, scn: MjvScene) -> None: ...
def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None: ...
def set_mjcb_act_bias(function: Callable[[MjModel, MjData, int], float] | None) -> None: ...
def set_mjcb_act_dyn(function: Callable[[MjModel, MjData, int], float] | None) -> None: ...
def set_mjcb_act_gain(function: Callable[[MjModel, MjData, int], float] | None) -> None: ...
def set_mjcb_contactfilter(function: Callable[[MjModel, MjData, int, int], int] | None) -> None: ...
def set_mjcb_control(function: Callable[[MjModel, MjData], None] | None) -> None: ...
def set_mjcb_passive(function: Callable[[MjModel, MjData], None] | None) -> None: ...
def set_mjcb_sensor(function: Callable[[MjModel, MjData, int], None] | None) -> None: ...
def set_mjcb_time(function: Callable[[], float] | None) -> None: ...
