"""Numbers and labels that the reference fixes."""

import math

mjPI = math.pi
mjMINVAL = 1e-15
mjMAXVAL = 1e10
mjMINMU = 1e-5
mjMINIMP = 1e-4
mjMAXIMP = 0.9999
mjMAXCONPAIR = 50
mjMAXTREEDEPTH = 50
mjMAXFLEXNODES = 27
mjMINAWAKE = 10
mjNEQDATA = 11
mjNDYN = 10
mjNGAIN = 10
mjNBIAS = 10
mjNFLUID = 12
mjNREF = 2
mjNIMP = 5
mjNSENS = 3
mjNSOLVER = 200
mjNISLAND = 20
mjNGROUP = 6
mjMAXLIGHT = 100
mjMAXOVERLAY = 500
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXPLANEGRID = 200
mjVERSION_HEADER = 3005000
mjDISABLESTRING = ("Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring", "Damper", "Gravity",
                   "Clampctrl", "Warmstart", "Filterparent", "Actuation", "Refsafe", "Sensor", "Midphase",
                   "Eulerdamp", "AutoReset", "NativeCCD", "Island")
mjENABLESTRING = ("Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD", "Sleep")
mjTIMERSTRING = ("step", "forward", "inverse", "position", "velocity", "actuation", "constraint", "advance",
                 "pos_kinematics", "pos_inertia", "pos_collision", "pos_make", "pos_project", "col_broadphase",
                 "col_narrowphase")

mjFRAMESTRING = ("None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World")
mjLABELSTRING = ("None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint", "Flex",
                 "Skin", "Selection", "SelPoint", "Contact", "ContactForce", "Island")
# name, whether it is on at first, key that toggles it
mjVISSTRING = (
    ("Convex Hull", "0", "H"), ("Texture", "1", "X"), ("Joint", "0", "J"), ("Camera", "0", "Q"),
    ("Actuator", "0", "U"), ("Activation", "0", ","), ("Light", "0", "Z"), ("Tendon", "1", "V"),
    ("Range Finder", "1", "Y"), ("Equality", "0", "E"), ("Inertia", "0", "I"), ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"), ("Perturb Object", "1", "O"), ("Contact Point", "0", "C"), ("Island", "0", "N"),
    ("Contact Force", "0", "F"), ("Contact Split", "0", "P"), ("Transparent", "0", "T"), ("Auto Connect", "0", "A"),
    ("Center of Mass", "0", "M"), ("Select Point", "0", ""), ("Static Body", "1", "D"), ("Skin", "1", ";"),
    ("Flex Vert", "0", ""), ("Flex Edge", "1", ""), ("Flex Face", "0", ""), ("Flex Skin", "1", ""),
    ("Body Tree", "0", "`"), ("Mesh Tree", "0", "\\"), ("SDF iters", "0", ""))
mjRNDSTRING = (
    ("Shadow", "1", "S"), ("Wireframe", "0", "W"), ("Reflection", "1", "R"), ("Additive", "0", "L"),
    ("Skybox", "1", "K"), ("Fog", "0", "G"), ("Haze", "1", "/"), ("Depth", "0", ""), ("Segment", "0", ","),
    ("Id Color", "0", ""), ("Cull Face", "1", ""))

__all__ = [name for name in dir() if name.startswith("mj")]
