//! Enumerations of scenes, pictures and user interfaces.

use crate::enum_table::mj_enum;

mj_enum! { CatBit "mjtCatBit" {
    Static = 1 "mjCAT_STATIC",
    Dynamic = 2 "mjCAT_DYNAMIC",
    Decor = 4 "mjCAT_DECOR",
    All = 7 "mjCAT_ALL",
} }

mj_enum! { Mouse "mjtMouse" {
    None = 0 "mjMOUSE_NONE",
    RotateV = 1 "mjMOUSE_ROTATE_V",
    RotateH = 2 "mjMOUSE_ROTATE_H",
    MoveV = 3 "mjMOUSE_MOVE_V",
    MoveH = 4 "mjMOUSE_MOVE_H",
    Zoom = 5 "mjMOUSE_ZOOM",
    MoveVRel = 6 "mjMOUSE_MOVE_V_REL",
    MoveHRel = 7 "mjMOUSE_MOVE_H_REL",
} }

mj_enum! { PertBit "mjtPertBit" {
    Translate = 1 "mjPERT_TRANSLATE",
    Rotate = 2 "mjPERT_ROTATE",
} }

mj_enum! { CameraType "mjtCamera" {
    Free = 0 "mjCAMERA_FREE",
    Tracking = 1 "mjCAMERA_TRACKING",
    Fixed = 2 "mjCAMERA_FIXED",
    User = 3 "mjCAMERA_USER",
} }

mj_enum! { Label "mjtLabel" {
    None = 0 "mjLABEL_NONE",
    Body = 1 "mjLABEL_BODY",
    Joint = 2 "mjLABEL_JOINT",
    Geom = 3 "mjLABEL_GEOM",
    Site = 4 "mjLABEL_SITE",
    Camera = 5 "mjLABEL_CAMERA",
    Light = 6 "mjLABEL_LIGHT",
    Tendon = 7 "mjLABEL_TENDON",
    Actuator = 8 "mjLABEL_ACTUATOR",
    Constraint = 9 "mjLABEL_CONSTRAINT",
    Flex = 10 "mjLABEL_FLEX",
    Skin = 11 "mjLABEL_SKIN",
    Selection = 12 "mjLABEL_SELECTION",
    Selpnt = 13 "mjLABEL_SELPNT",
    Contactpoint = 14 "mjLABEL_CONTACTPOINT",
    Contactforce = 15 "mjLABEL_CONTACTFORCE",
    Island = 16 "mjLABEL_ISLAND",
} aliases { 17 "mjNLABEL", } }

mj_enum! { Frame "mjtFrame" {
    None = 0 "mjFRAME_NONE",
    Body = 1 "mjFRAME_BODY",
    Geom = 2 "mjFRAME_GEOM",
    Site = 3 "mjFRAME_SITE",
    Camera = 4 "mjFRAME_CAMERA",
    Light = 5 "mjFRAME_LIGHT",
    Contact = 6 "mjFRAME_CONTACT",
    World = 7 "mjFRAME_WORLD",
} aliases { 8 "mjNFRAME", } }

mj_enum! { VisFlag "mjtVisFlag" {
    Convexhull = 0 "mjVIS_CONVEXHULL",
    Texture = 1 "mjVIS_TEXTURE",
    Joint = 2 "mjVIS_JOINT",
    Camera = 3 "mjVIS_CAMERA",
    Actuator = 4 "mjVIS_ACTUATOR",
    Activation = 5 "mjVIS_ACTIVATION",
    Light = 6 "mjVIS_LIGHT",
    Tendon = 7 "mjVIS_TENDON",
    Rangefinder = 8 "mjVIS_RANGEFINDER",
    Constraint = 9 "mjVIS_CONSTRAINT",
    Inertia = 10 "mjVIS_INERTIA",
    Sclinertia = 11 "mjVIS_SCLINERTIA",
    Pertforce = 12 "mjVIS_PERTFORCE",
    Pertobj = 13 "mjVIS_PERTOBJ",
    Contactpoint = 14 "mjVIS_CONTACTPOINT",
    Island = 15 "mjVIS_ISLAND",
    Contactforce = 16 "mjVIS_CONTACTFORCE",
    Contactsplit = 17 "mjVIS_CONTACTSPLIT",
    Transparent = 18 "mjVIS_TRANSPARENT",
    Autoconnect = 19 "mjVIS_AUTOCONNECT",
    Com = 20 "mjVIS_COM",
    Select = 21 "mjVIS_SELECT",
    Static = 22 "mjVIS_STATIC",
    Skin = 23 "mjVIS_SKIN",
    Flexvert = 24 "mjVIS_FLEXVERT",
    Flexedge = 25 "mjVIS_FLEXEDGE",
    Flexface = 26 "mjVIS_FLEXFACE",
    Flexskin = 27 "mjVIS_FLEXSKIN",
    Bodybvh = 28 "mjVIS_BODYBVH",
    Meshbvh = 29 "mjVIS_MESHBVH",
    Sdfiter = 30 "mjVIS_SDFITER",
} aliases { 31 "mjNVISFLAG", } }

mj_enum! { RndFlag "mjtRndFlag" {
    Shadow = 0 "mjRND_SHADOW",
    Wireframe = 1 "mjRND_WIREFRAME",
    Reflection = 2 "mjRND_REFLECTION",
    Additive = 3 "mjRND_ADDITIVE",
    Skybox = 4 "mjRND_SKYBOX",
    Fog = 5 "mjRND_FOG",
    Haze = 6 "mjRND_HAZE",
    Depth = 7 "mjRND_DEPTH",
    Segment = 8 "mjRND_SEGMENT",
    Idcolor = 9 "mjRND_IDCOLOR",
    CullFace = 10 "mjRND_CULL_FACE",
} aliases { 11 "mjNRNDFLAG", } }

mj_enum! { Stereo "mjtStereo" {
    None = 0 "mjSTEREO_NONE",
    Quadbuffered = 1 "mjSTEREO_QUADBUFFERED",
    Sidebyside = 2 "mjSTEREO_SIDEBYSIDE",
} }

mj_enum! { GridPos "mjtGridPos" {
    Topleft = 0 "mjGRID_TOPLEFT",
    Topright = 1 "mjGRID_TOPRIGHT",
    Bottomleft = 2 "mjGRID_BOTTOMLEFT",
    Bottomright = 3 "mjGRID_BOTTOMRIGHT",
    Top = 4 "mjGRID_TOP",
    Bottom = 5 "mjGRID_BOTTOM",
    Left = 6 "mjGRID_LEFT",
    Right = 7 "mjGRID_RIGHT",
} }

mj_enum! { Framebuffer "mjtFramebuffer" {
    Window = 0 "mjFB_WINDOW",
    Offscreen = 1 "mjFB_OFFSCREEN",
} }

mj_enum! { DepthMap "mjtDepthMap" {
    Zeronear = 0 "mjDEPTH_ZERONEAR",
    Zerofar = 1 "mjDEPTH_ZEROFAR",
} }

mj_enum! { FontScale "mjtFontScale" {
    N50 = 50 "mjFONTSCALE_50",
    N100 = 100 "mjFONTSCALE_100",
    N150 = 150 "mjFONTSCALE_150",
    N200 = 200 "mjFONTSCALE_200",
    N250 = 250 "mjFONTSCALE_250",
    N300 = 300 "mjFONTSCALE_300",
} }

mj_enum! { Font "mjtFont" {
    Normal = 0 "mjFONT_NORMAL",
    Shadow = 1 "mjFONT_SHADOW",
    Big = 2 "mjFONT_BIG",
} }

mj_enum! { Button "mjtButton" {
    None = 0 "mjBUTTON_NONE",
    Left = 1 "mjBUTTON_LEFT",
    Right = 2 "mjBUTTON_RIGHT",
    Middle = 3 "mjBUTTON_MIDDLE",
} }

mj_enum! { Event "mjtEvent" {
    None = 0 "mjEVENT_NONE",
    Move = 1 "mjEVENT_MOVE",
    Press = 2 "mjEVENT_PRESS",
    Release = 3 "mjEVENT_RELEASE",
    Scroll = 4 "mjEVENT_SCROLL",
    Key = 5 "mjEVENT_KEY",
    Resize = 6 "mjEVENT_RESIZE",
    Redraw = 7 "mjEVENT_REDRAW",
    Filesdrop = 8 "mjEVENT_FILESDROP",
} }

mj_enum! { Item "mjtItem" {
    End = -2 "mjITEM_END",
    Section = -1 "mjITEM_SECTION",
    Separator = 0 "mjITEM_SEPARATOR",
    Static = 1 "mjITEM_STATIC",
    Button = 2 "mjITEM_BUTTON",
    Checkint = 3 "mjITEM_CHECKINT",
    Checkbyte = 4 "mjITEM_CHECKBYTE",
    Radio = 5 "mjITEM_RADIO",
    Radioline = 6 "mjITEM_RADIOLINE",
    Select = 7 "mjITEM_SELECT",
    Sliderint = 8 "mjITEM_SLIDERINT",
    Slidernum = 9 "mjITEM_SLIDERNUM",
    Editint = 10 "mjITEM_EDITINT",
    Editnum = 11 "mjITEM_EDITNUM",
    Editfloat = 12 "mjITEM_EDITFLOAT",
    Edittxt = 13 "mjITEM_EDITTXT",
} aliases { 14 "mjNITEM", } }

mj_enum! { Section "mjtSection" {
    Closed = 0 "mjSECT_CLOSED",
    Open = 1 "mjSECT_OPEN",
    Fixed = 2 "mjSECT_FIXED",
} }
