"""Types of the package. Made by scripts/make-stubs; do not edit."""

import enum
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    body_parentid: NDArray[np.int32]
    body_rootid: NDArray[np.int32]
    body_weldid: NDArray[np.int32]
    body_mocapid: NDArray[np.int32]
    body_jntnum: NDArray[np.int32]
    body_jntadr: NDArray[np.int32]
    body_dofnum: NDArray[np.int32]
    body_dofadr: NDArray[np.int32]
    body_treeid: NDArray[np.int32]
    body_geomnum: NDArray[np.int32]
    body_geomadr: NDArray[np.int32]
    body_simple: NDArray[np.uint8]
    body_sameframe: NDArray[np.uint8]
    body_pos: NDArray[np.float64]
    body_quat: NDArray[np.float64]
    body_ipos: NDArray[np.float64]
    body_iquat: NDArray[np.float64]
    body_mass: NDArray[np.float64]
    body_subtreemass: NDArray[np.float64]
    body_inertia: NDArray[np.float64]
    body_invweight0: NDArray[np.float64]
    body_gravcomp: NDArray[np.float64]
    body_margin: NDArray[np.float64]
    body_user: NDArray[np.float64]
    body_plugin: NDArray[np.int32]
    body_contype: NDArray[np.int32]
    body_conaffinity: NDArray[np.int32]
    body_bvhadr: NDArray[np.int32]
    body_bvhnum: NDArray[np.int32]
    jnt_type: NDArray[np.int32]
    jnt_qposadr: NDArray[np.int32]
    jnt_dofadr: NDArray[np.int32]
    jnt_bodyid: NDArray[np.int32]
    jnt_group: NDArray[np.int32]
    jnt_limited: NDArray[np.uint8]
    jnt_actfrclimited: NDArray[np.uint8]
    jnt_actgravcomp: NDArray[np.uint8]
    jnt_solref: NDArray[np.float64]
    jnt_solimp: NDArray[np.float64]
    jnt_pos: NDArray[np.float64]
    jnt_axis: NDArray[np.float64]
    jnt_stiffness: NDArray[np.float64]
    jnt_range: NDArray[np.float64]
    jnt_actfrcrange: NDArray[np.float64]
    jnt_margin: NDArray[np.float64]
    jnt_user: NDArray[np.float64]
    dof_bodyid: NDArray[np.int32]
    dof_jntid: NDArray[np.int32]
    dof_parentid: NDArray[np.int32]
    dof_treeid: NDArray[np.int32]
    dof_Madr: NDArray[np.int32]
    dof_simplenum: NDArray[np.int32]
    dof_solref: NDArray[np.float64]
    dof_solimp: NDArray[np.float64]
    dof_frictionloss: NDArray[np.float64]
    dof_armature: NDArray[np.float64]
    dof_damping: NDArray[np.float64]
    dof_invweight0: NDArray[np.float64]
    dof_M0: NDArray[np.float64]
    dof_length: NDArray[np.float64]
    tree_bodyadr: NDArray[np.int32]
    tree_bodynum: NDArray[np.int32]
    tree_dofadr: NDArray[np.int32]
    tree_dofnum: NDArray[np.int32]
    tree_sleep_policy: NDArray[np.int32]
    geom_type: NDArray[np.int32]
    geom_contype: NDArray[np.int32]
    geom_conaffinity: NDArray[np.int32]
    geom_condim: NDArray[np.int32]
    geom_bodyid: NDArray[np.int32]
    geom_dataid: NDArray[np.int32]
    geom_matid: NDArray[np.int32]
    geom_group: NDArray[np.int32]
    geom_priority: NDArray[np.int32]
    geom_plugin: NDArray[np.int32]
    geom_sameframe: NDArray[np.uint8]
    geom_solmix: NDArray[np.float64]
    geom_solref: NDArray[np.float64]
    geom_solimp: NDArray[np.float64]
    geom_size: NDArray[np.float64]
    geom_aabb: NDArray[np.float64]
    geom_rbound: NDArray[np.float64]
    geom_pos: NDArray[np.float64]
    geom_quat: NDArray[np.float64]
    geom_friction: NDArray[np.float64]
    geom_margin: NDArray[np.float64]
    geom_gap: NDArray[np.float64]
    geom_fluid: NDArray[np.float64]
    geom_user: NDArray[np.float64]
    geom_rgba: NDArray[np.float32]
    site_type: NDArray[np.int32]
    site_bodyid: NDArray[np.int32]
    site_matid: NDArray[np.int32]
    site_group: NDArray[np.int32]
    site_sameframe: NDArray[np.uint8]
    site_size: NDArray[np.float64]
    site_pos: NDArray[np.float64]
    site_quat: NDArray[np.float64]
    site_user: NDArray[np.float64]
    site_rgba: NDArray[np.float32]
    cam_mode: NDArray[np.int32]
    cam_bodyid: NDArray[np.int32]
    cam_targetbodyid: NDArray[np.int32]
    cam_pos: NDArray[np.float64]
    cam_quat: NDArray[np.float64]
    cam_poscom0: NDArray[np.float64]
    cam_pos0: NDArray[np.float64]
    cam_mat0: NDArray[np.float64]
    cam_projection: NDArray[np.int32]
    cam_fovy: NDArray[np.float64]
    cam_ipd: NDArray[np.float64]
    cam_resolution: NDArray[np.int32]
    cam_output: NDArray[np.int32]
    cam_sensorsize: NDArray[np.float32]
    cam_intrinsic: NDArray[np.float32]
    cam_user: NDArray[np.float64]
    light_mode: NDArray[np.int32]
    light_bodyid: NDArray[np.int32]
    light_targetbodyid: NDArray[np.int32]
    light_type: NDArray[np.int32]
    light_texid: NDArray[np.int32]
    light_castshadow: NDArray[np.uint8]
    light_bulbradius: NDArray[np.float32]
    light_intensity: NDArray[np.float32]
    light_range: NDArray[np.float32]
    light_active: NDArray[np.uint8]
    light_pos: NDArray[np.float64]
    light_dir: NDArray[np.float64]
    light_poscom0: NDArray[np.float64]
    light_pos0: NDArray[np.float64]
    light_dir0: NDArray[np.float64]
    light_attenuation: NDArray[np.float32]
    light_cutoff: NDArray[np.float32]
    light_exponent: NDArray[np.float32]
    light_ambient: NDArray[np.float32]
    light_diffuse: NDArray[np.float32]
    light_specular: NDArray[np.float32]
    flex_contype: NDArray[np.int32]
    flex_conaffinity: NDArray[np.int32]
    flex_condim: NDArray[np.int32]
    flex_priority: NDArray[np.int32]
    flex_solmix: NDArray[np.float64]
    flex_solref: NDArray[np.float64]
    flex_solimp: NDArray[np.float64]
    flex_friction: NDArray[np.float64]
    flex_margin: NDArray[np.float64]
    flex_gap: NDArray[np.float64]
    flex_internal: NDArray[np.uint8]
    flex_selfcollide: NDArray[np.int32]
    flex_activelayers: NDArray[np.int32]
    flex_passive: NDArray[np.int32]
    flex_dim: NDArray[np.int32]
    flex_matid: NDArray[np.int32]
    flex_group: NDArray[np.int32]
    flex_interp: NDArray[np.int32]
    flex_nodeadr: NDArray[np.int32]
    flex_nodenum: NDArray[np.int32]
    flex_vertadr: NDArray[np.int32]
    flex_vertnum: NDArray[np.int32]
    flex_edgeadr: NDArray[np.int32]
    flex_edgenum: NDArray[np.int32]
    flex_elemadr: NDArray[np.int32]
    flex_elemnum: NDArray[np.int32]
    flex_elemdataadr: NDArray[np.int32]
    flex_elemedgeadr: NDArray[np.int32]
    flex_shellnum: NDArray[np.int32]
    flex_shelldataadr: NDArray[np.int32]
    flex_evpairadr: NDArray[np.int32]
    flex_evpairnum: NDArray[np.int32]
    flex_texcoordadr: NDArray[np.int32]
    flex_nodebodyid: NDArray[np.int32]
    flex_vertbodyid: NDArray[np.int32]
    flex_vertedgeadr: NDArray[np.int32]
    flex_vertedgenum: NDArray[np.int32]
    flex_vertedge: NDArray[np.int32]
    flex_edge: NDArray[np.int32]
    flex_edgeflap: NDArray[np.int32]
    flex_elem: NDArray[np.int32]
    flex_elemtexcoord: NDArray[np.int32]
    flex_elemedge: NDArray[np.int32]
    flex_elemlayer: NDArray[np.int32]
    flex_shell: NDArray[np.int32]
    flex_evpair: NDArray[np.int32]
    flex_vert: NDArray[np.float64]
    flex_vert0: NDArray[np.float64]
    flex_vertmetric: NDArray[np.float64]
    flex_node: NDArray[np.float64]
    flex_node0: NDArray[np.float64]
    flexedge_length0: NDArray[np.float64]
    flexedge_invweight0: NDArray[np.float64]
    flex_radius: NDArray[np.float64]
    flex_size: NDArray[np.float64]
    flex_stiffness: NDArray[np.float64]
    flex_bending: NDArray[np.float64]
    flex_damping: NDArray[np.float64]
    flex_edgestiffness: NDArray[np.float64]
    flex_edgedamping: NDArray[np.float64]
    flex_edgeequality: NDArray[np.int32]
    flex_rigid: NDArray[np.uint8]
    flexedge_rigid: NDArray[np.uint8]
    flex_centered: NDArray[np.uint8]
    flex_flatskin: NDArray[np.uint8]
    flex_bvhadr: NDArray[np.int32]
    flex_bvhnum: NDArray[np.int32]
    flexedge_J_rownnz: NDArray[np.int32]
    flexedge_J_rowadr: NDArray[np.int32]
    flexedge_J_colind: NDArray[np.int32]
    flexvert_J_rownnz: NDArray[np.int32]
    flexvert_J_rowadr: NDArray[np.int32]
    flexvert_J_colind: NDArray[np.int32]
    flex_rgba: NDArray[np.float32]
    flex_texcoord: NDArray[np.float32]
    mesh_vertadr: NDArray[np.int32]
    mesh_vertnum: NDArray[np.int32]
    mesh_faceadr: NDArray[np.int32]
    mesh_facenum: NDArray[np.int32]
    mesh_bvhadr: NDArray[np.int32]
    mesh_bvhnum: NDArray[np.int32]
    mesh_octadr: NDArray[np.int32]
    mesh_octnum: NDArray[np.int32]
    mesh_normaladr: NDArray[np.int32]
    mesh_normalnum: NDArray[np.int32]
    mesh_texcoordadr: NDArray[np.int32]
    mesh_texcoordnum: NDArray[np.int32]
    mesh_graphadr: NDArray[np.int32]
    mesh_vert: NDArray[np.float32]
    mesh_normal: NDArray[np.float32]
    mesh_texcoord: NDArray[np.float32]
    mesh_face: NDArray[np.int32]
    mesh_facenormal: NDArray[np.int32]
    mesh_facetexcoord: NDArray[np.int32]
    mesh_graph: NDArray[np.int32]
    mesh_scale: NDArray[np.float64]
    mesh_pos: NDArray[np.float64]
    mesh_quat: NDArray[np.float64]
    mesh_pathadr: NDArray[np.int32]
    mesh_polynum: NDArray[np.int32]
    mesh_polyadr: NDArray[np.int32]
    mesh_polynormal: NDArray[np.float64]
    mesh_polyvertadr: NDArray[np.int32]
    mesh_polyvertnum: NDArray[np.int32]
    mesh_polyvert: NDArray[np.int32]
    mesh_polymapadr: NDArray[np.int32]
    mesh_polymapnum: NDArray[np.int32]
    mesh_polymap: NDArray[np.int32]
    skin_matid: NDArray[np.int32]
    skin_group: NDArray[np.int32]
    skin_rgba: NDArray[np.float32]
    skin_inflate: NDArray[np.float32]
    skin_vertadr: NDArray[np.int32]
    skin_vertnum: NDArray[np.int32]
    skin_texcoordadr: NDArray[np.int32]
    skin_faceadr: NDArray[np.int32]
    skin_facenum: NDArray[np.int32]
    skin_boneadr: NDArray[np.int32]
    skin_bonenum: NDArray[np.int32]
    skin_vert: NDArray[np.float32]
    skin_texcoord: NDArray[np.float32]
    skin_face: NDArray[np.int32]
    skin_bonevertadr: NDArray[np.int32]
    skin_bonevertnum: NDArray[np.int32]
    skin_bonebindpos: NDArray[np.float32]
    skin_bonebindquat: NDArray[np.float32]
    skin_bonebodyid: NDArray[np.int32]
    skin_bonevertid: NDArray[np.int32]
    skin_bonevertweight: NDArray[np.float32]
    skin_pathadr: NDArray[np.int32]
    hfield_size: NDArray[np.float64]
    hfield_nrow: NDArray[np.int32]
    hfield_ncol: NDArray[np.int32]
    hfield_adr: NDArray[np.int32]
    hfield_data: NDArray[np.float32]
    hfield_pathadr: NDArray[np.int32]
    tex_type: NDArray[np.int32]
    tex_colorspace: NDArray[np.int32]
    tex_height: NDArray[np.int32]
    tex_width: NDArray[np.int32]
    tex_nchannel: NDArray[np.int32]
    tex_adr: NDArray[np.int64]
    tex_data: NDArray[np.uint8]
    tex_pathadr: NDArray[np.int32]
    mat_texid: NDArray[np.int32]
    mat_texuniform: NDArray[np.uint8]
    mat_texrepeat: NDArray[np.float32]
    mat_emission: NDArray[np.float32]
    mat_specular: NDArray[np.float32]
    mat_shininess: NDArray[np.float32]
    mat_reflectance: NDArray[np.float32]
    mat_metallic: NDArray[np.float32]
    mat_roughness: NDArray[np.float32]
    mat_rgba: NDArray[np.float32]
    pair_dim: NDArray[np.int32]
    pair_geom1: NDArray[np.int32]
    pair_geom2: NDArray[np.int32]
    pair_signature: NDArray[np.int32]
    pair_solref: NDArray[np.float64]
    pair_solreffriction: NDArray[np.float64]
    pair_solimp: NDArray[np.float64]
    pair_margin: NDArray[np.float64]
    pair_gap: NDArray[np.float64]
    pair_friction: NDArray[np.float64]
    exclude_signature: NDArray[np.int32]
    eq_type: NDArray[np.int32]
    eq_obj1id: NDArray[np.int32]
    eq_obj2id: NDArray[np.int32]
    eq_objtype: NDArray[np.int32]
    eq_active0: NDArray[np.uint8]
    eq_solref: NDArray[np.float64]
    eq_solimp: NDArray[np.float64]
    eq_data: NDArray[np.float64]
    tendon_adr: NDArray[np.int32]
    tendon_num: NDArray[np.int32]
    tendon_matid: NDArray[np.int32]
    tendon_group: NDArray[np.int32]
    tendon_treenum: NDArray[np.int32]
    tendon_treeid: NDArray[np.int32]
    tendon_limited: NDArray[np.uint8]
    tendon_actfrclimited: NDArray[np.uint8]
    tendon_width: NDArray[np.float64]
    tendon_solref_lim: NDArray[np.float64]
    tendon_solimp_lim: NDArray[np.float64]
    tendon_solref_fri: NDArray[np.float64]
    tendon_solimp_fri: NDArray[np.float64]
    tendon_range: NDArray[np.float64]
    tendon_actfrcrange: NDArray[np.float64]
    tendon_margin: NDArray[np.float64]
    tendon_stiffness: NDArray[np.float64]
    tendon_damping: NDArray[np.float64]
    tendon_armature: NDArray[np.float64]
    tendon_frictionloss: NDArray[np.float64]
    tendon_lengthspring: NDArray[np.float64]
    tendon_length0: NDArray[np.float64]
    tendon_invweight0: NDArray[np.float64]
    tendon_user: NDArray[np.float64]
    tendon_rgba: NDArray[np.float32]
    actuator_trntype: NDArray[np.int32]
    actuator_dyntype: NDArray[np.int32]
    actuator_gaintype: NDArray[np.int32]
    actuator_biastype: NDArray[np.int32]
    actuator_trnid: NDArray[np.int32]
    actuator_actadr: NDArray[np.int32]
    actuator_actnum: NDArray[np.int32]
    actuator_group: NDArray[np.int32]
    actuator_history: NDArray[np.int32]
    actuator_historyadr: NDArray[np.int32]
    actuator_delay: NDArray[np.float64]
    actuator_ctrllimited: NDArray[np.uint8]
    actuator_forcelimited: NDArray[np.uint8]
    actuator_actlimited: NDArray[np.uint8]
    actuator_dynprm: NDArray[np.float64]
    actuator_gainprm: NDArray[np.float64]
    actuator_biasprm: NDArray[np.float64]
    actuator_actearly: NDArray[np.uint8]
    actuator_ctrlrange: NDArray[np.float64]
    actuator_forcerange: NDArray[np.float64]
    actuator_actrange: NDArray[np.float64]
    actuator_gear: NDArray[np.float64]
    actuator_cranklength: NDArray[np.float64]
    actuator_acc0: NDArray[np.float64]
    actuator_length0: NDArray[np.float64]
    actuator_lengthrange: NDArray[np.float64]
    actuator_user: NDArray[np.float64]
    actuator_plugin: NDArray[np.int32]
    sensor_type: NDArray[np.int32]
    sensor_datatype: NDArray[np.int32]
    sensor_needstage: NDArray[np.int32]
    sensor_objtype: NDArray[np.int32]
    sensor_objid: NDArray[np.int32]
    sensor_reftype: NDArray[np.int32]
    sensor_refid: NDArray[np.int32]
    sensor_intprm: NDArray[np.int32]
    sensor_dim: NDArray[np.int32]
    sensor_adr: NDArray[np.int32]
    sensor_cutoff: NDArray[np.float64]
    sensor_noise: NDArray[np.float64]
    sensor_history: NDArray[np.int32]
    sensor_historyadr: NDArray[np.int32]
    sensor_delay: NDArray[np.float64]
    sensor_interval: NDArray[np.float64]
    sensor_user: NDArray[np.float64]
    sensor_plugin: NDArray[np.int32]
    qpos0: NDArray[np.float64]
    qpos_spring: NDArray[np.float64]
    bvh_depth: NDArray[np.int32]
    bvh_child: NDArray[np.int32]
    bvh_nodeid: NDArray[np.int32]
    bvh_aabb: NDArray[np.float64]
    oct_depth: NDArray[np.int32]
    oct_child: NDArray[np.int32]
    oct_aabb: NDArray[np.float64]
    oct_coeff: NDArray[np.float64]
    wrap_type: NDArray[np.int32]
    wrap_objid: NDArray[np.int32]
    wrap_prm: NDArray[np.float64]
    plugin: NDArray[np.int32]
    plugin_stateadr: NDArray[np.int32]
    plugin_statenum: NDArray[np.int32]
    plugin_attr: NDArray[np.uint8]
    plugin_attradr: NDArray[np.int32]
    numeric_adr: NDArray[np.int32]
    numeric_size: NDArray[np.int32]
    numeric_data: NDArray[np.float64]
    text_adr: NDArray[np.int32]
    text_size: NDArray[np.int32]
    text_data: bytes
    tuple_adr: NDArray[np.int32]
    tuple_size: NDArray[np.int32]
    tuple_objtype: NDArray[np.int32]
    tuple_objid: NDArray[np.int32]
    tuple_objprm: NDArray[np.float64]
    key_time: NDArray[np.float64]
    key_qpos: NDArray[np.float64]
    key_qvel: NDArray[np.float64]
    key_act: NDArray[np.float64]
    key_mpos: NDArray[np.float64]
    key_mquat: NDArray[np.float64]
    key_ctrl: NDArray[np.float64]
    name_bodyadr: NDArray[np.int32]
    name_jntadr: NDArray[np.int32]
    name_geomadr: NDArray[np.int32]
    name_siteadr: NDArray[np.int32]
    name_camadr: NDArray[np.int32]
    name_lightadr: NDArray[np.int32]
    name_flexadr: NDArray[np.int32]
    name_meshadr: NDArray[np.int32]
    name_skinadr: NDArray[np.int32]
    name_hfieldadr: NDArray[np.int32]
    name_texadr: NDArray[np.int32]
    name_matadr: NDArray[np.int32]
    name_pairadr: NDArray[np.int32]
    name_excludeadr: NDArray[np.int32]
    name_eqadr: NDArray[np.int32]
    name_tendonadr: NDArray[np.int32]
    name_actuatoradr: NDArray[np.int32]
    name_sensoradr: NDArray[np.int32]
    name_numericadr: NDArray[np.int32]
    name_textadr: NDArray[np.int32]
    name_tupleadr: NDArray[np.int32]
    name_keyadr: NDArray[np.int32]
    name_pluginadr: NDArray[np.int32]
    names: bytes
    names_map: NDArray[np.int32]
    paths: bytes
    B_rownnz: NDArray[np.int32]
    B_rowadr: NDArray[np.int32]
    B_colind: NDArray[np.int32]
    M_rownnz: NDArray[np.int32]
    M_rowadr: NDArray[np.int32]
    M_colind: NDArray[np.int32]
    mapM2M: NDArray[np.int32]
    D_rownnz: NDArray[np.int32]
    D_rowadr: NDArray[np.int32]
    D_diag: NDArray[np.int32]
    D_colind: NDArray[np.int32]
    mapM2D: NDArray[np.int32]
    mapD2M: NDArray[np.int32]
    def actuator(self, name: str | int = ..., /) -> Any: ...
    def bind(self, name: str | int = ..., /) -> Any: ...
    def bind_scalar(self, name: str | int = ..., /) -> Any: ...
    def body(self, name: str | int = ..., /) -> Any: ...
    def cam(self, name: str | int = ..., /) -> Any: ...
    def camera(self, name: str | int = ..., /) -> Any: ...
    def eq(self, name: str | int = ..., /) -> Any: ...
    def equality(self, name: str | int = ..., /) -> Any: ...
    def exclude(self, name: str | int = ..., /) -> Any: ...
    def flex(self, name: str | int = ..., /) -> Any: ...
    def geom(self, name: str | int = ..., /) -> Any: ...
    def hfield(self, name: str | int = ..., /) -> Any: ...
    def jnt(self, name: str | int = ..., /) -> Any: ...
    def joint(self, name: str | int = ..., /) -> Any: ...
    def key(self, name: str | int = ..., /) -> Any: ...
    def keyframe(self, name: str | int = ..., /) -> Any: ...
    def light(self, name: str | int = ..., /) -> Any: ...
    def mat(self, name: str | int = ..., /) -> Any: ...
    def material(self, name: str | int = ..., /) -> Any: ...
    def mesh(self, name: str | int = ..., /) -> Any: ...
    def numeric(self, name: str | int = ..., /) -> Any: ...
    def pair(self, name: str | int = ..., /) -> Any: ...
    def sensor(self, name: str | int = ..., /) -> Any: ...
    def site(self, name: str | int = ..., /) -> Any: ...
    def skin(self, name: str | int = ..., /) -> Any: ...
    def tendon(self, name: str | int = ..., /) -> Any: ...
    def tex(self, name: str | int = ..., /) -> Any: ...
    def text(self, name: str | int = ..., /) -> Any: ...
    def texture(self, name: str | int = ..., /) -> Any: ...
    def tuple(self, name: str | int = ..., /) -> Any: ...

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
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    act: NDArray[np.float64]
    history: NDArray[np.float64]
    qacc_warmstart: NDArray[np.float64]
    plugin_state: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    qfrc_applied: NDArray[np.float64]
    xfrc_applied: NDArray[np.float64]
    eq_active: NDArray[np.uint8]
    mocap_pos: NDArray[np.float64]
    mocap_quat: NDArray[np.float64]
    qacc: NDArray[np.float64]
    act_dot: NDArray[np.float64]
    userdata: NDArray[np.float64]
    sensordata: NDArray[np.float64]
    tree_asleep: NDArray[np.int32]
    plugin: NDArray[np.int32]
    plugin_data: NDArray[np.uint64]
    xpos: NDArray[np.float64]
    xquat: NDArray[np.float64]
    xmat: NDArray[np.float64]
    xipos: NDArray[np.float64]
    ximat: NDArray[np.float64]
    xanchor: NDArray[np.float64]
    xaxis: NDArray[np.float64]
    geom_xpos: NDArray[np.float64]
    geom_xmat: NDArray[np.float64]
    site_xpos: NDArray[np.float64]
    site_xmat: NDArray[np.float64]
    cam_xpos: NDArray[np.float64]
    cam_xmat: NDArray[np.float64]
    light_xpos: NDArray[np.float64]
    light_xdir: NDArray[np.float64]
    subtree_com: NDArray[np.float64]
    cdof: NDArray[np.float64]
    cinert: NDArray[np.float64]
    flexvert_xpos: NDArray[np.float64]
    flexelem_aabb: NDArray[np.float64]
    flexedge_J: NDArray[np.float64]
    flexedge_length: NDArray[np.float64]
    flexvert_J: NDArray[np.float64]
    flexvert_length: NDArray[np.float64]
    bvh_aabb_dyn: NDArray[np.float64]
    ten_wrapadr: NDArray[np.int32]
    ten_wrapnum: NDArray[np.int32]
    ten_J_rownnz: NDArray[np.int32]
    ten_J_rowadr: NDArray[np.int32]
    ten_J_colind: NDArray[np.int32]
    ten_J: NDArray[np.float64]
    ten_length: NDArray[np.float64]
    wrap_obj: NDArray[np.int32]
    wrap_xpos: NDArray[np.float64]
    actuator_length: NDArray[np.float64]
    moment_rownnz: NDArray[np.int32]
    moment_rowadr: NDArray[np.int32]
    moment_colind: NDArray[np.int32]
    actuator_moment: NDArray[np.float64]
    crb: NDArray[np.float64]
    qM: NDArray[np.float64]
    M: NDArray[np.float64]
    qLD: NDArray[np.float64]
    qLDiagInv: NDArray[np.float64]
    bvh_active: NDArray[np.uint8]
    tree_awake: NDArray[np.int32]
    body_awake: NDArray[np.int32]
    body_awake_ind: NDArray[np.int32]
    parent_awake_ind: NDArray[np.int32]
    dof_awake_ind: NDArray[np.int32]
    flexedge_velocity: NDArray[np.float64]
    ten_velocity: NDArray[np.float64]
    actuator_velocity: NDArray[np.float64]
    cvel: NDArray[np.float64]
    cdof_dot: NDArray[np.float64]
    qfrc_bias: NDArray[np.float64]
    qfrc_spring: NDArray[np.float64]
    qfrc_damper: NDArray[np.float64]
    qfrc_gravcomp: NDArray[np.float64]
    qfrc_fluid: NDArray[np.float64]
    qfrc_passive: NDArray[np.float64]
    subtree_linvel: NDArray[np.float64]
    subtree_angmom: NDArray[np.float64]
    qH: NDArray[np.float64]
    qHDiagInv: NDArray[np.float64]
    qDeriv: NDArray[np.float64]
    qLU: NDArray[np.float64]
    actuator_force: NDArray[np.float64]
    qfrc_actuator: NDArray[np.float64]
    qfrc_smooth: NDArray[np.float64]
    qacc_smooth: NDArray[np.float64]
    qfrc_constraint: NDArray[np.float64]
    qfrc_inverse: NDArray[np.float64]
    cacc: NDArray[np.float64]
    cfrc_int: NDArray[np.float64]
    cfrc_ext: NDArray[np.float64]
    efc_type: NDArray[np.int32]
    efc_id: NDArray[np.int32]
    efc_J_rownnz: NDArray[np.int32]
    efc_J_rowadr: NDArray[np.int32]
    efc_J_rowsuper: NDArray[np.int32]
    efc_J_colind: NDArray[np.int32]
    efc_J: NDArray[np.float64]
    efc_pos: NDArray[np.float64]
    efc_margin: NDArray[np.float64]
    efc_frictionloss: NDArray[np.float64]
    efc_diagApprox: NDArray[np.float64]
    efc_KBIP: NDArray[np.float64]
    efc_D: NDArray[np.float64]
    efc_R: NDArray[np.float64]
    tendon_efcadr: NDArray[np.int32]
    efc_vel: NDArray[np.float64]
    efc_aref: NDArray[np.float64]
    efc_b: NDArray[np.float64]
    efc_state: NDArray[np.int32]
    efc_force: NDArray[np.float64]
    efc_AR_rownnz: NDArray[np.int32]
    efc_AR_rowadr: NDArray[np.int32]
    efc_AR_colind: NDArray[np.int32]
    efc_AR: NDArray[np.float64]
    tree_island: NDArray[np.int32]
    island_ntree: NDArray[np.int32]
    island_itreeadr: NDArray[np.int32]
    map_itree2tree: NDArray[np.int32]
    dof_island: NDArray[np.int32]
    island_nv: NDArray[np.int32]
    island_idofadr: NDArray[np.int32]
    island_dofadr: NDArray[np.int32]
    map_dof2idof: NDArray[np.int32]
    map_idof2dof: NDArray[np.int32]
    ifrc_smooth: NDArray[np.float64]
    iacc_smooth: NDArray[np.float64]
    iM_rownnz: NDArray[np.int32]
    iM_rowadr: NDArray[np.int32]
    iM_colind: NDArray[np.int32]
    iM: NDArray[np.float64]
    iLD: NDArray[np.float64]
    iLDiagInv: NDArray[np.float64]
    iacc: NDArray[np.float64]
    efc_island: NDArray[np.int32]
    island_ne: NDArray[np.int32]
    island_nf: NDArray[np.int32]
    island_nefc: NDArray[np.int32]
    island_iefcadr: NDArray[np.int32]
    map_efc2iefc: NDArray[np.int32]
    map_iefc2efc: NDArray[np.int32]
    iefc_type: NDArray[np.int32]
    iefc_id: NDArray[np.int32]
    iefc_J_rownnz: NDArray[np.int32]
    iefc_J_rowadr: NDArray[np.int32]
    iefc_J_rowsuper: NDArray[np.int32]
    iefc_J_colind: NDArray[np.int32]
    iefc_J: NDArray[np.float64]
    iefc_frictionloss: NDArray[np.float64]
    iefc_D: NDArray[np.float64]
    iefc_R: NDArray[np.float64]
    iefc_aref: NDArray[np.float64]
    iefc_state: NDArray[np.int32]
    iefc_force: NDArray[np.float64]
    ifrc_constraint: NDArray[np.float64]
    def actuator(self, name: str | int = ..., /) -> Any: ...
    def bind(self, name: str | int = ..., /) -> Any: ...
    def bind_scalar(self, name: str | int = ..., /) -> Any: ...
    def body(self, name: str | int = ..., /) -> Any: ...
    def cam(self, name: str | int = ..., /) -> Any: ...
    def camera(self, name: str | int = ..., /) -> Any: ...
    def eq(self, name: str | int = ..., /) -> Any: ...
    def equality(self, name: str | int = ..., /) -> Any: ...
    def geom(self, name: str | int = ..., /) -> Any: ...
    def jnt(self, name: str | int = ..., /) -> Any: ...
    def joint(self, name: str | int = ..., /) -> Any: ...
    def light(self, name: str | int = ..., /) -> Any: ...
    def sensor(self, name: str | int = ..., /) -> Any: ...
    def site(self, name: str | int = ..., /) -> Any: ...
    def ten(self, name: str | int = ..., /) -> Any: ...
    def tendon(self, name: str | int = ..., /) -> Any: ...

class MjrContext:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
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

class MjsActuator:
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
    classname: Any
    id: Any
    info: Any
    name: Any
    def set_to_adhesion(self, gain) -> Any: ...
    def set_to_cylinder(self, timeconst, bias, area, diameter=...) -> Any: ...
    def set_to_damper(self, kv) -> Any: ...
    def set_to_intvelocity(self, kp, kv=..., dampratio=..., timeconst=..., inheritrange=...) -> Any: ...
    def set_to_motor(self) -> Any: ...
    def set_to_muscle(self, timeconst=..., tausmooth=..., range=..., force=..., scale=..., lmin=..., lmax=..., vmax=..., fpmax=..., fvmax=...) -> Any: ...
    def set_to_position(self, kp, kv=..., dampratio=..., timeconst=..., inheritrange=...) -> Any: ...
    def set_to_velocity(self, kv) -> Any: ...
    signature: Any

class MjsBody:
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
    def add_body(self, default=..., **settings) -> Any: ...
    def add_camera(self, default=..., **settings) -> Any: ...
    def add_frame(self, default=..., **settings) -> Any: ...
    def add_freejoint(self, **settings) -> Any: ...
    def add_geom(self, default=..., **settings) -> Any: ...
    def add_joint(self, default=..., **settings) -> Any: ...
    def add_light(self, default=..., **settings) -> Any: ...
    def add_site(self, default=..., **settings) -> Any: ...
    def attach_frame(self, frame, prefix=..., suffix=...) -> Any: ...
    bodies: Any
    cameras: Any
    childclass: Any
    classname: Any
    def find_all(self, kind) -> Any: ...
    def find_child(self, name) -> Any: ...
    def first_body(self) -> Any: ...
    def first_camera(self) -> Any: ...
    def first_frame(self) -> Any: ...
    def first_geom(self) -> Any: ...
    def first_joint(self) -> Any: ...
    def first_light(self) -> Any: ...
    def first_site(self) -> Any: ...
    frame: Any
    frames: Any
    geoms: Any
    id: Any
    info: Any
    joints: Any
    lights: Any
    name: Any
    def next_body(self, element) -> Any: ...
    def next_camera(self, element) -> Any: ...
    def next_frame(self, element) -> Any: ...
    def next_geom(self, element) -> Any: ...
    def next_joint(self, element) -> Any: ...
    def next_light(self, element) -> Any: ...
    def next_site(self, element) -> Any: ...
    parent: Any
    def set_frame(self, frame) -> Any: ...
    signature: Any
    sites: Any
    def to_frame(self) -> Any: ...

class MjsCamera:
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
    classname: Any
    frame: Any
    id: Any
    info: Any
    name: Any
    parent: Any
    def set_frame(self, frame) -> Any: ...
    signature: Any

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
    LRopt: Any

class MjsDefault:
    actuator: Any
    camera: Any
    equality: Any
    flex: Any
    geom: Any
    joint: Any
    light: Any
    material: Any
    mesh: Any
    pair: Any
    site: Any
    tendon: Any

class MjsElement:
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsEquality:
    type: mjtEq
    data: NDArray[np.float64]
    active: int
    name1: str
    name2: str
    objtype: mjtObj
    solref: NDArray[np.float64]
    solimp: NDArray[np.float64]
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsExclude:
    bodyname1: str
    bodyname2: str
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsFlex:
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
    bending_model: int
    elasticity_model: int
    nodebody: list[str]
    vertbody: list[str]
    node: NDArray[np.float64]
    vert: NDArray[np.float64]
    elem: NDArray[np.int32]
    texcoord: NDArray[np.float32]
    elemtexcoord: NDArray[np.int32]
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsFrame:
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    alt: MjsOrientation
    def add_body(self, default=..., **settings) -> Any: ...
    def add_camera(self, default=..., **settings) -> Any: ...
    def add_frame(self, default=..., **settings) -> Any: ...
    def add_geom(self, default=..., **settings) -> Any: ...
    def add_joint(self, default=..., **settings) -> Any: ...
    def add_light(self, default=..., **settings) -> Any: ...
    def add_site(self, default=..., **settings) -> Any: ...
    def attach_body(self, body, prefix=..., suffix=...) -> Any: ...
    childclass: Any
    classname: Any
    frame: Any
    id: Any
    info: Any
    name: Any
    parent: Any
    def set_frame(self, frame) -> Any: ...
    signature: Any

class MjsGeom:
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
    classname: Any
    frame: Any
    id: Any
    info: Any
    name: Any
    parent: Any
    def set_frame(self, frame) -> Any: ...
    signature: Any

class MjsHField:
    content_type: str
    file: str
    size: NDArray[np.float64]
    nrow: int
    ncol: int
    userdata: NDArray[np.float32]
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsJoint:
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
    classname: Any
    frame: Any
    id: Any
    info: Any
    name: Any
    parent: Any
    def set_frame(self, frame) -> Any: ...
    signature: Any

class MjsKey:
    time: float
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    act: NDArray[np.float64]
    mpos: NDArray[np.float64]
    mquat: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsLight:
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
    classname: Any
    frame: Any
    id: Any
    info: Any
    name: Any
    parent: Any
    def set_frame(self, frame) -> Any: ...
    signature: Any

class MjsMaterial:
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
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsMesh:
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
    classname: Any
    id: Any
    info: Any
    def make_cone(self, nedge, radius) -> Any: ...
    def make_hemisphere(self, resolution) -> Any: ...
    def make_plate(self, resolution=...) -> Any: ...
    def make_sphere(self, subdivision) -> Any: ...
    def make_supersphere(self, resolution, e, n) -> Any: ...
    def make_supertorus(self, resolution, radius, s, t) -> Any: ...
    def make_wedge(self, resolution=..., fov=..., gamma=...) -> Any: ...
    name: Any
    signature: Any

class MjsNumeric:
    data: NDArray[np.float64]
    size: int
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsOrientation:
    ...

class MjsPair:
    geomname1: str
    geomname2: str
    condim: int
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    solimp: NDArray[np.float64]
    margin: float
    gap: float
    friction: NDArray[np.float64]
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsPlugin:
    config: Any
    signature: Any

class MjsSensor:
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
    classname: Any
    def get_data_size(self) -> Any: ...
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsSite:
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
    def attach_body(self, body, prefix=..., suffix=...) -> Any: ...
    classname: Any
    frame: Any
    id: Any
    info: Any
    name: Any
    parent: Any
    def set_frame(self, frame) -> Any: ...
    signature: Any

class MjsSkin:
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
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsTendon:
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
    classname: Any
    def default(self) -> Any: ...
    id: Any
    info: Any
    name: Any
    signature: Any
    def wrap_geom(self, name, sidesite) -> Any: ...
    def wrap_joint(self, name, coef) -> Any: ...
    def wrap_pulley(self, divisor) -> Any: ...
    def wrap_site(self, name) -> Any: ...

class MjsTendonPath(list[Any]):
    ...

class MjsText:
    data: str
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsTexture:
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
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsTuple:
    objtype: NDArray[np.int32]
    objname: list[str]
    objprm: NDArray[np.float64]
    classname: Any
    id: Any
    info: Any
    name: Any
    signature: Any

class MjsWrap:
    coef: Any
    divisor: Any
    sidesite: Any
    target: Any
    type: Any

class MjSpec:
    def activate_plugin(self, name) -> Any: ...
    def actuator(self, name) -> Any: ...
    actuators: Any
    def add_actuator(self, default=..., **settings) -> Any: ...
    def add_default(self, name, parent=...) -> Any: ...
    def add_equality(self, default=..., **settings) -> Any: ...
    def add_exclude(self, default=..., **settings) -> Any: ...
    def add_flex(self, default=..., **settings) -> Any: ...
    def add_hfield(self, default=..., **settings) -> Any: ...
    def add_key(self, default=..., **settings) -> Any: ...
    def add_material(self, default=..., **settings) -> Any: ...
    def add_mesh(self, default=..., **settings) -> Any: ...
    def add_numeric(self, default=..., **settings) -> Any: ...
    def add_pair(self, default=..., **settings) -> Any: ...
    def add_plugin(self, name=..., plugin_name=..., active=..., info=..., config=...) -> Any: ...
    def add_sensor(self, default=..., **settings) -> Any: ...
    def add_skin(self, default=..., **settings) -> Any: ...
    def add_tendon(self, default=..., **settings) -> Any: ...
    def add_text(self, default=..., **settings) -> Any: ...
    def add_texture(self, default=..., **settings) -> Any: ...
    def add_tuple(self, default=..., **settings) -> Any: ...
    assets: Any
    def attach(self, child, prefix=..., suffix=..., site=..., frame=...) -> Any: ...
    bodies: Any
    def body(self, name) -> Any: ...
    def camera(self, name) -> Any: ...
    cameras: Any
    comment: Any
    def compile(self) -> Any: ...
    compiler: Any
    def copy(self) -> Any: ...
    copy_during_attach: Any
    default: Any
    def delete(self, element) -> Any: ...
    equalities: Any
    def equality(self, name) -> Any: ...
    def exclude(self, name) -> Any: ...
    excludes: Any
    def find_default(self, name) -> Any: ...
    def flex(self, name) -> Any: ...
    flexes: Any
    def frame(self, name) -> Any: ...
    frames: Any
    @staticmethod
    def from_file(filename, include=..., assets=...) -> Any: ...
    @staticmethod
    def from_string(xml, include=..., assets=...) -> Any: ...
    @staticmethod
    def from_zip(file) -> Any: ...
    def geom(self, name) -> Any: ...
    geoms: Any
    def hfield(self, name) -> Any: ...
    hfields: Any
    def joint(self, name) -> Any: ...
    joints: Any
    def key(self, name) -> Any: ...
    keys: Any
    def light(self, name) -> Any: ...
    lights: Any
    def material(self, name) -> Any: ...
    materials: Any
    memory: Any
    def mesh(self, name) -> Any: ...
    meshdir: Any
    meshes: Any
    modelfiledir: Any
    modelname: Any
    nconmax: Any
    njmax: Any
    nkey: Any
    nstack: Any
    def numeric(self, name) -> Any: ...
    numerics: Any
    nuser_actuator: Any
    nuser_body: Any
    nuser_cam: Any
    nuser_geom: Any
    nuser_jnt: Any
    nuser_sensor: Any
    nuser_site: Any
    nuser_tendon: Any
    nuserdata: Any
    option: Any
    def pair(self, name) -> Any: ...
    pairs: Any
    def plugin(self, name) -> Any: ...
    plugins: Any
    def recompile(self, model, data) -> Any: ...
    @staticmethod
    def resolve_orientation(degree, sequence=..., orientation=...) -> Any: ...
    def sensor(self, name) -> Any: ...
    sensors: Any
    def site(self, name) -> Any: ...
    sites: Any
    def skin(self, name) -> Any: ...
    skins: Any
    stat: Any
    strippath: Any
    def tendon(self, name) -> Any: ...
    tendons: Any
    def text(self, name) -> Any: ...
    texts: Any
    def texture(self, name) -> Any: ...
    texturedir: Any
    textures: Any
    def to_file(self, filename) -> Any: ...
    def to_xml(self) -> Any: ...
    def to_zip(self, file) -> Any: ...
    def tuple(self, name) -> Any: ...
    tuples: Any
    visual: Any
    worldbody: Any

def get_mjcb_act_bias() -> Any: ...
def get_mjcb_act_dyn() -> Any: ...
def get_mjcb_act_gain() -> Any: ...
def get_mjcb_contactfilter() -> Any: ...
def get_mjcb_control() -> Any: ...
def get_mjcb_passive() -> Any: ...
def get_mjcb_sensor() -> Any: ...
def get_mjcb_time() -> Any: ...
def mj_Euler(m: MjModel, d: MjData) -> Any: ...
def mj_RungeKutta(m: MjModel, d: MjData, N: Any) -> Any: ...
def mj_addContact(m: MjModel, d: MjData, con: Any) -> Any: ...
def mj_addM(m: MjModel, d: MjData, dst: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any: ...
def mj_angmomMat(m: MjModel, d: MjData, mat: Any, body: int) -> Any: ...
def mj_applyFT(m: MjModel, d: MjData, force: Any, torque: Any, point: Any, body: int, qfrc_target: Any) -> Any: ...
def mj_camlight(m: MjModel, d: MjData) -> Any: ...
def mj_checkAcc(m: MjModel, d: MjData) -> Any: ...
def mj_checkPos(m: MjModel, d: MjData) -> Any: ...
def mj_checkVel(m: MjModel, d: MjData) -> Any: ...
def mj_clearCache(cache: Any) -> Any: ...
def mj_collision(m: MjModel, d: MjData) -> Any: ...
def mj_comPos(m: MjModel, d: MjData) -> Any: ...
def mj_comVel(m: MjModel, d: MjData) -> Any: ...
def mj_compareFwdInv(m: MjModel, d: MjData) -> Any: ...
def mj_constraintUpdate(m: MjModel, d: MjData, jar: Any, cost: Any, flg_coneHessian: Any) -> Any: ...
def mj_contactForce(m: MjModel, d: MjData, id: int, result: Any) -> Any: ...
def mj_copyData(dest: MjData, m: MjModel, src: Any) -> Any: ...
def mj_copyState(m: MjModel, src: Any, dst: Any, sig: int) -> Any: ...
def mj_crb(m: MjModel, d: MjData) -> Any: ...
def mj_defaultLROpt(opt: Any) -> Any: ...
def mj_defaultOption(opt: Any) -> Any: ...
def mj_defaultSolRefImp(solref: Any, solimp: Any) -> Any: ...
def mj_defaultVisual(vis: Any) -> Any: ...
def mj_differentiatePos(m: MjModel, qvel: Any, dt: Any, qpos1: Any, qpos2: Any) -> Any: ...
def mj_energyPos(m: MjModel, d: MjData) -> Any: ...
def mj_energyVel(m: MjModel, d: MjData) -> Any: ...
def mj_extractState(m: MjModel, src: Any, srcsig: int, dst: Any, dstsig: int) -> Any: ...
def mj_factorM(m: MjModel, d: MjData) -> Any: ...
def mj_flex(m: MjModel, d: MjData) -> Any: ...
def mj_forward(m: MjModel, d: MjData) -> Any: ...
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> Any: ...
def mj_fullM(m: MjModel, dst: Any, M: Any) -> Any: ...
def mj_fwdAcceleration(m: MjModel, d: MjData) -> Any: ...
def mj_fwdActuation(m: MjModel, d: MjData) -> Any: ...
def mj_fwdConstraint(m: MjModel, d: MjData) -> Any: ...
def mj_fwdKinematics(m: MjModel, d: MjData) -> Any: ...
def mj_fwdPosition(m: MjModel, d: MjData) -> Any: ...
def mj_fwdVelocity(m: MjModel, d: MjData) -> Any: ...
def mj_geomDistance(m: MjModel, d: MjData, geom1: Any, geom2: Any, distmax: Any, fromto: Any) -> Any: ...
def mj_getCache() -> Any: ...
def mj_getCacheCapacity(cache: Any) -> Any: ...
def mj_getCacheSize(cache: Any) -> Any: ...
def mj_getState(m: MjModel, d: MjData, state: Any, sig: int) -> Any: ...
def mj_getTotalmass(m: MjModel) -> Any: ...
def mj_id2name(m: MjModel, type: int, id: int) -> Any: ...
def mj_implicit(m: MjModel, d: MjData) -> Any: ...
def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any) -> Any: ...
def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any, phase: Any) -> Any: ...
def mj_integratePos(m: MjModel, qpos: Any, qvel: Any, dt: Any) -> Any: ...
def mj_invConstraint(m: MjModel, d: MjData) -> Any: ...
def mj_invPosition(m: MjModel, d: MjData) -> Any: ...
def mj_invVelocity(m: MjModel, d: MjData) -> Any: ...
def mj_inverse(m: MjModel, d: MjData) -> Any: ...
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> Any: ...
def mj_isDual(m: MjModel) -> Any: ...
def mj_isPyramidal(m: MjModel) -> Any: ...
def mj_isSparse(m: MjModel) -> Any: ...
def mj_island(m: MjModel, d: MjData) -> Any: ...
def mj_jac(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> Any: ...
def mj_jacBody(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> Any: ...
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> Any: ...
def mj_jacDot(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> Any: ...
def mj_jacGeom(m: MjModel, d: MjData, jacp: Any, jacr: Any, geom: Any) -> Any: ...
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: Any, jacAxis: Any, point: Any, axis: Any, body: int) -> Any: ...
def mj_jacSite(m: MjModel, d: MjData, jacp: Any, jacr: Any, site: Any) -> Any: ...
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: Any, body: int) -> Any: ...
def mj_kinematics(m: MjModel, d: MjData) -> Any: ...
def mj_loadAllPluginLibraries(directory: Any) -> Any: ...
def mj_loadPluginLibrary(path: Any) -> Any: ...
def mj_local2Global(d: MjData, xpos: Any, xmat: Any, pos: Any, quat: Any, body: int, sameframe: Any) -> Any: ...
def mj_makeConstraint(m: MjModel, d: MjData) -> Any: ...
def mj_makeM(m: MjModel, d: MjData) -> Any: ...
def mj_mulJacTVec(m: MjModel, d: MjData, res: Any, vec: Any) -> Any: ...
def mj_mulJacVec(m: MjModel, d: MjData, res: Any, vec: Any) -> Any: ...
def mj_mulM(m: MjModel, d: MjData, res: Any, vec: Any) -> Any: ...
def mj_mulM2(m: MjModel, d: MjData, res: Any, vec: Any) -> Any: ...
def mj_multiRay(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, dist: Any, normal: Any, nray: int, cutoff: Any) -> Any: ...
def mj_name2id(m: MjModel, type: int, name: Any) -> Any: ...
def mj_normalizeQuat(m: MjModel, qpos: Any) -> Any: ...
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> Any: ...
def mj_objectVelocity(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> Any: ...
def mj_passive(m: MjModel, d: MjData) -> Any: ...
def mj_printData(m: MjModel, d: MjData, filename: Any) -> Any: ...
def mj_printFormattedData(m: MjModel, d: MjData, filename: Any, float_format: Any) -> Any: ...
def mj_printFormattedModel(m: MjModel, filename: Any, float_format: Any) -> Any: ...
def mj_printModel(m: MjModel, filename: Any) -> Any: ...
def mj_printSchema(flg_html: Any, flg_pad: Any) -> Any: ...
def mj_projectConstraint(m: MjModel, d: MjData) -> Any: ...
def mj_ray(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, normal: Any = ...) -> Any: ...
def mj_rayFlex(m: MjModel, d: MjData, flex_layer: Any, flg_vert: Any, flg_edge: Any, flg_face: Any, flg_skin: Any, flexid: Any, pnt: Any, vec: Any, vertid: Any = ..., normal: Any = ...) -> Any: ...
def mj_rayHfield(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = ...) -> Any: ...
def mj_rayMesh(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = ...) -> Any: ...
def mj_readCtrl(m: MjModel, d: MjData, id: int, time: Any, interp: int) -> Any: ...
def mj_readSensor(m: MjModel, d: MjData, id: int, time: Any, result: Any, interp: int) -> Any: ...
def mj_referenceConstraint(m: MjModel, d: MjData) -> Any: ...
def mj_resetCallbacks() -> Any: ...
def mj_resetData(m: MjModel, d: MjData) -> Any: ...
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: Any) -> Any: ...
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: Any) -> Any: ...
def mj_rne(m: MjModel, d: MjData, flg_acc: Any, result: Any) -> Any: ...
def mj_rnePostConstraint(m: MjModel, d: MjData) -> Any: ...
def mj_saveLastXML(filename: Any, m: MjModel) -> Any: ...
def mj_saveModel(m: MjModel, filename: Any = ..., buffer: Any = ...) -> Any: ...
def mj_sensorAcc(m: MjModel, d: MjData) -> Any: ...
def mj_sensorPos(m: MjModel, d: MjData) -> Any: ...
def mj_sensorVel(m: MjModel, d: MjData) -> Any: ...
def mj_setCacheCapacity(cache: Any, size: Any) -> Any: ...
def mj_setConst(m: MjModel, d: MjData) -> Any: ...
def mj_setKeyframe(m: MjModel, d: MjData, k: Any) -> Any: ...
def mj_setLengthRange(m: MjModel, d: MjData, index: Any, opt: Any) -> Any: ...
def mj_setState(m: MjModel, d: MjData, state: Any, sig: int) -> Any: ...
def mj_setTotalmass(m: MjModel, newmass: Any) -> Any: ...
def mj_sizeModel(m: MjModel) -> Any: ...
def mj_solveM(m: MjModel, d: MjData, x: Any, y: Any) -> Any: ...
def mj_solveM2(m: MjModel, d: MjData, x: Any, y: Any, sqrtInvD: Any) -> Any: ...
def mj_stateSize(m: MjModel, sig: int) -> Any: ...
def mj_step(m: MjModel, d: MjData, nstep: int = ...) -> Any: ...
def mj_step1(m: MjModel, d: MjData) -> Any: ...
def mj_step2(m: MjModel, d: MjData) -> Any: ...
def mj_subtreeVel(m: MjModel, d: MjData) -> Any: ...
def mj_tendon(m: MjModel, d: MjData) -> Any: ...
def mj_transmission(m: MjModel, d: MjData) -> Any: ...
def mj_version() -> Any: ...
def mj_versionString() -> Any: ...
def mjd_inverseFD(m: MjModel, d: MjData, eps: Any, flg_actuation: Any, DfDq: Any, DfDv: Any, DfDa: Any, DsDq: Any, DsDv: Any, DsDa: Any, DmDq: Any) -> Any: ...
def mjd_quatIntegrate(vel: Any, scale: Any, Dquat: Any, Dvel: Any, Dscale: Any) -> Any: ...
def mjd_subQuat(qa: Any, qb: Any, Da: Any, Db: Any) -> Any: ...
def mjd_transitionFD(m: MjModel, d: MjData, eps: Any, flg_centered: Any, A: Any, B: Any, C: Any, D: Any) -> Any: ...
def mjr_blitBuffer(src: Any, dst: Any, flg_color: Any, flg_depth: Any, con: Any) -> Any: ...
def mjr_changeFont(fontscale: Any, con: Any) -> Any: ...
def mjr_drawPixels(rgb: Any, depth: Any, viewport: Any, con: Any) -> Any: ...
def mjr_findRect(x: Any, y: Any, nrect: Any, rect: Any) -> Any: ...
def mjr_finish() -> Any: ...
def mjr_getError() -> Any: ...
def mjr_label(viewport: Any, font: Any, txt: Any, r: Any, g: Any, b: Any, a: Any, rt: Any, gt: Any, bt: Any, con: Any) -> Any: ...
def mjr_maxViewport(con: Any) -> Any: ...
def mjr_overlay(font: Any, gridpos: Any, viewport: Any, overlay: Any, overlay2: Any, con: Any) -> Any: ...
def mjr_readPixels(rgb: Any, depth: Any, viewport: Any, con: Any) -> Any: ...
def mjr_rectangle(viewport: Any, r: Any, g: Any, b: Any, a: Any) -> Any: ...
def mjr_render(viewport: Any, scn: Any, con: Any) -> Any: ...
def mjr_resizeOffscreen(width: Any, height: Any, con: Any) -> Any: ...
def mjr_restoreBuffer(con: Any) -> Any: ...
def mjr_setBuffer(framebuffer: Any, con: Any) -> Any: ...
def mjr_text(font: Any, txt: Any, con: Any, x: Any, y: Any, r: Any, g: Any, b: Any) -> Any: ...
def mjr_uploadHField(m: MjModel, con: Any, hfieldid: Any) -> Any: ...
def mjr_uploadMesh(m: MjModel, con: Any, meshid: Any) -> Any: ...
def mjr_uploadTexture(m: MjModel, con: Any, texid: Any) -> Any: ...
def mju_Halton(index: Any, base: Any) -> Any: ...
def mju_L1(vec: Any) -> Any: ...
def mju_add(res: Any, vec1: Any, vec2: Any) -> Any: ...
def mju_add3(res: Any, vec1: Any, vec2: Any) -> Any: ...
def mju_addScl(res: Any, vec1: Any, vec2: Any, scl: Any) -> Any: ...
def mju_addScl3(res: Any, vec1: Any, vec2: Any, scl: Any) -> Any: ...
def mju_addTo(res: Any, vec: Any) -> Any: ...
def mju_addTo3(res: Any, vec: Any) -> Any: ...
def mju_addToScl(res: Any, vec: Any, scl: Any) -> Any: ...
def mju_addToScl3(res: Any, vec: Any, scl: Any) -> Any: ...
def mju_axisAngle2Quat(res: Any, axis: Any, angle: Any) -> Any: ...
def mju_band2Dense(res: Any, mat: Any, ntotal: Any, nband: Any, ndense: Any, flg_sym: Any) -> Any: ...
def mju_bandDiag(i: Any, ntotal: Any, nband: Any, ndense: Any) -> Any: ...
def mju_bandMulMatVec(res: Any, mat: Any, vec: Any, ntotal: Any, nband: Any, ndense: Any, nvec: Any, flg_sym: Any) -> Any: ...
def mju_boxQP(res: Any, R: Any, index: Any, H: Any, g: Any, lower: Any, upper: Any) -> Any: ...
def mju_cholFactor(mat: Any, mindiag: Any) -> Any: ...
def mju_cholFactorBand(mat: Any, ntotal: Any, nband: Any, ndense: Any, diagadd: Any, diagmul: Any) -> Any: ...
def mju_cholSolve(res: Any, mat: Any, vec: Any) -> Any: ...
def mju_cholSolveBand(res: Any, mat: Any, vec: Any, ntotal: Any, nband: Any, ndense: Any) -> Any: ...
def mju_cholUpdate(mat: Any, x: Any, flg_plus: Any) -> Any: ...
def mju_clip(x: Any, min: Any, max: Any) -> Any: ...
def mju_copy(res: Any, vec: Any) -> Any: ...
def mju_copy3(res: Any, data: Any) -> Any: ...
def mju_copy4(res: Any, data: Any) -> Any: ...
def mju_cross(res: Any, a: Any, b: Any) -> Any: ...
def mju_d2n(res: Any, vec: Any) -> Any: ...
def mju_decodePyramid(force: Any, pyramid: Any, mu: Any) -> Any: ...
def mju_dense2Band(res: Any, mat: Any, ntotal: Any, nband: Any, ndense: Any) -> Any: ...
def mju_dense2sparse(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any: ...
def mju_derivQuat(res: Any, quat: Any, vel: Any) -> Any: ...
def mju_dist3(pos1: Any, pos2: Any) -> Any: ...
def mju_dot(vec1: Any, vec2: Any) -> Any: ...
def mju_dot3(vec1: Any, vec2: Any) -> Any: ...
def mju_eig3(eigval: Any, eigvec: Any, quat: Any, mat: Any) -> Any: ...
def mju_encodePyramid(pyramid: Any, force: Any, mu: Any) -> Any: ...
def mju_euler2Quat(quat: Any, euler: Any, seq: Any) -> Any: ...
def mju_eye(mat: Any) -> Any: ...
def mju_f2n(res: Any, vec: Any) -> Any: ...
def mju_fill(res: Any, val: Any) -> Any: ...
def mju_getXMLDependencies(filename: Any) -> Any: ...
def mju_insertionSort(list: Any) -> Any: ...
def mju_insertionSortInt(list: Any) -> Any: ...
def mju_isBad(x: Any) -> Any: ...
def mju_isZero(vec: Any) -> Any: ...
def mju_mat2Quat(quat: Any, mat: Any) -> Any: ...
def mju_mat2Rot(quat: Any, mat: Any) -> Any: ...
def mju_max(a: Any, b: Any) -> Any: ...
def mju_min(a: Any, b: Any) -> Any: ...
def mju_mulMatMat(res: Any, mat1: Any, mat2: Any) -> Any: ...
def mju_mulMatMatT(res: Any, mat1: Any, mat2: Any) -> Any: ...
def mju_mulMatTMat(res: Any, mat1: Any, mat2: Any) -> Any: ...
def mju_mulMatTVec(res: Any, mat: Any, vec: Any) -> Any: ...
def mju_mulMatTVec3(res: Any, mat: Any, vec: Any) -> Any: ...
def mju_mulMatVec(res: Any, mat: Any, vec: Any) -> Any: ...
def mju_mulMatVec3(res: Any, mat: Any, vec: Any) -> Any: ...
def mju_mulPose(posres: Any, quatres: Any, pos1: Any, quat1: Any, pos2: Any, quat2: Any) -> Any: ...
def mju_mulQuat(res: Any, quat1: Any, quat2: Any) -> Any: ...
def mju_mulQuatAxis(res: Any, quat: Any, axis: Any) -> Any: ...
def mju_mulVecMatVec(vec1: Any, mat: Any, vec2: Any) -> Any: ...
def mju_muscleBias(len: Any, lengthrange: Any, acc0: Any, prm: Any) -> Any: ...
def mju_muscleDynamics(ctrl: Any, act: Any, prm: Any) -> Any: ...
def mju_muscleGain(len: Any, vel: Any, lengthrange: Any, acc0: Any, prm: Any) -> Any: ...
def mju_n2d(res: Any, vec: Any) -> Any: ...
def mju_n2f(res: Any, vec: Any) -> Any: ...
def mju_negPose(posres: Any, quatres: Any, pos: Any, quat: Any) -> Any: ...
def mju_negQuat(res: Any, quat: Any) -> Any: ...
def mju_norm(res: Any) -> Any: ...
def mju_norm3(vec: Any) -> Any: ...
def mju_normalize(res: Any) -> Any: ...
def mju_normalize3(vec: Any) -> Any: ...
def mju_normalize4(vec: Any) -> Any: ...
def mju_printMat(mat: Any) -> Any: ...
def mju_printMatSparse(mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any: ...
def mju_quat2Mat(res: Any, quat: Any) -> Any: ...
def mju_quat2Vel(res: Any, quat: Any, dt: Any) -> Any: ...
def mju_quatIntegrate(quat: Any, vel: Any, scale: Any) -> Any: ...
def mju_quatZ2Vec(quat: Any, vec: Any) -> Any: ...
def mju_rayGeom(pos: Any, mat: Any, size: Any, pnt: Any, vec: Any, geomtype: int, normal: Any = ...) -> Any: ...
def mju_raySkin(nface: Any, nvert: Any, face: Any, vert: Any, pnt: Any, vec: Any, vertid: Any) -> Any: ...
def mju_rotVecQuat(res: Any, vec: Any, quat: Any) -> Any: ...
def mju_round(x: Any) -> Any: ...
def mju_scl(res: Any, vec: Any, scl: Any) -> Any: ...
def mju_scl3(res: Any, vec: Any, scl: Any) -> Any: ...
def mju_sigmoid(x: Any) -> Any: ...
def mju_sign(x: Any) -> Any: ...
def mju_sparse2dense(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any: ...
def mju_springDamper(pos0: Any, vel0: Any, Kp: Any, Kv: Any, dt: Any) -> Any: ...
def mju_sqrMatTD(res: Any, mat: Any, diag: Any) -> Any: ...
def mju_standardNormal(num2: Any = ...) -> Any: ...
def mju_str2Type(str: Any) -> Any: ...
def mju_sub(res: Any, vec1: Any, vec2: Any) -> Any: ...
def mju_sub3(res: Any, vec1: Any, vec2: Any) -> Any: ...
def mju_subFrom(res: Any, vec: Any) -> Any: ...
def mju_subFrom3(res: Any, vec: Any) -> Any: ...
def mju_subQuat(res: Any, qa: Any, qb: Any) -> Any: ...
def mju_sum(vec: Any) -> Any: ...
def mju_symmetrize(res: Any, mat: Any) -> Any: ...
def mju_transformSpatial(res: Any, vec: Any, flg_force: Any, newpos: Any, oldpos: Any, rotnew2old: Any) -> Any: ...
def mju_transpose(res: Any, mat: Any) -> Any: ...
def mju_trnVecPose(res: Any, pos: Any, quat: Any, vec: Any) -> Any: ...
def mju_type2Str(type: int) -> Any: ...
def mju_unit4(res: Any) -> Any: ...
def mju_warningText(warning: Any, info: Any) -> Any: ...
def mju_writeLog(type: int, msg: Any) -> Any: ...
def mju_writeNumBytes(nbytes: Any) -> Any: ...
def mju_zero(res: Any) -> Any: ...
def mju_zero3(res: Any) -> Any: ...
def mju_zero4(res: Any) -> Any: ...
def mjv_addGeoms(m: MjModel, d: MjData, opt: Any, pert: Any, catmask: Any, scn: Any) -> Any: ...
def mjv_alignToCamera(res: Any, vec: Any, forward: Any) -> Any: ...
def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: Any) -> Any: ...
def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: Any, flg_paused: Any) -> Any: ...
def mjv_averageCamera(cam1: Any, cam2: Any) -> Any: ...
def mjv_cameraFrame(headpos: Any, forward: Any, up: Any, right: Any, d: MjData, cam: Any) -> Any: ...
def mjv_cameraFrustum(zver: Any, zhor: Any, zclip: Any, m: MjModel, cam: Any) -> Any: ...
def mjv_cameraInModel(headpos: Any, forward: Any, up: Any, scn: Any) -> Any: ...
def mjv_cameraInRoom(headpos: Any, forward: Any, up: Any, scn: Any) -> Any: ...
def mjv_connector(geom: Any, type: int, width: Any, from_: Any, to: Any) -> Any: ...
def mjv_defaultCamera(cam: Any) -> Any: ...
def mjv_defaultFigure(fig: Any) -> Any: ...
def mjv_defaultFreeCamera(m: MjModel, cam: Any) -> Any: ...
def mjv_defaultOption(opt: Any) -> Any: ...
def mjv_defaultPerturb(pert: Any) -> Any: ...
def mjv_frustumHeight(scn: Any) -> Any: ...
def mjv_initGeom(geom: Any, type: int, size: Any, pos: Any, mat: Any, rgba: Any) -> Any: ...
def mjv_initPerturb(m: MjModel, d: MjData, scn: Any, pert: Any) -> Any: ...
def mjv_makeLights(m: MjModel, d: MjData, scn: Any) -> Any: ...
def mjv_model2room(roompos: Any, roomquat: Any, modelpos: Any, modelquat: Any, scn: Any) -> Any: ...
def mjv_moveCamera(m: MjModel, action: Any, reldx: Any, reldy: Any, scn: Any, cam: Any) -> Any: ...
def mjv_moveModel(m: MjModel, action: Any, reldx: Any, reldy: Any, roomup: Any, scn: Any) -> Any: ...
def mjv_movePerturb(m: MjModel, d: MjData, action: Any, reldx: Any, reldy: Any, scn: Any, pert: Any) -> Any: ...
def mjv_room2model(modelpos: Any, modelquat: Any, roompos: Any, roomquat: Any, scn: Any) -> Any: ...
def mjv_select(m: MjModel, d: MjData, vopt: Any, aspectratio: Any, relx: Any, rely: Any, scn: Any, selpnt: Any, geomid: Any, flexid: Any, skinid: Any) -> Any: ...
def mjv_updateCamera(m: MjModel, d: MjData, cam: Any, scn: Any) -> Any: ...
def mjv_updateScene(m: MjModel, d: MjData, opt: Any, pert: Any, cam: Any, catmask: Any, scn: Any) -> Any: ...
def mjv_updateSkin(m: MjModel, d: MjData, scn: Any) -> Any: ...
def set_mjcb_act_bias(function: Any) -> Any: ...
def set_mjcb_act_dyn(function: Any) -> Any: ...
def set_mjcb_act_gain(function: Any) -> Any: ...
def set_mjcb_contactfilter(function: Any) -> Any: ...
def set_mjcb_control(function: Any) -> Any: ...
def set_mjcb_passive(function: Any) -> Any: ...
def set_mjcb_sensor(function: Any) -> Any: ...
def set_mjcb_time(function: Any) -> Any: ...
