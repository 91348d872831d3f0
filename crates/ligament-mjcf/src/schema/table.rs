//! The table of MJCF 3.5.0: element path, how often it may occur, attributes in alphabetical order.

use super::Occurrence::{self, Any, Once, Optional, Recursive};

/// Paths start below the root; `body` stands for `worldbody` too, and contains itself, as does `default`.
pub(super) const TABLE: &[(&str, Occurrence, &str)] = &[
    ("", Once, "model"),
    (
        "compiler",
        Any,
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass coordinate \
          discardvisual eulerseq fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir \
          saveinertial settotalmass strippath texturedir usethread",
    ),
    (
        "compiler/lengthrange",
        Optional,
        "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit",
    ),
    (
        "option",
        Any,
        "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio \
          integrator iterations jacobian ls_iterations ls_tolerance magnetic noslip_iterations \
          noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations \
          sleep_tolerance solver timestep tolerance viscosity wind",
    ),
    (
        "option/flag",
        Optional,
        "actuation autoreset clampctrl constraint contact damper energy equality eulerdamp \
          filterparent frictionloss fwdinv gravity invdiscrete island limit midphase multiccd \
          nativeccd override refsafe sensor sleep spring warmstart",
    ),
    (
        "size",
        Any,
        "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom \
          nuser_jnt nuser_sensor nuser_site nuser_tendon nuserdata",
    ),
    ("visual", Any, ""),
    (
        "visual/global",
        Optional,
        "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight \
          offwidth orthographic realtime",
    ),
    ("visual/quality", Optional, "numquads numslices numstacks offsamples shadowsize"),
    ("visual/headlight", Optional, "active ambient diffuse specular"),
    (
        "visual/map",
        Optional,
        "actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness \
          stiffnessrot torque zfar znear",
    ),
    (
        "visual/scale",
        Optional,
        "actuatorlength actuatorwidth camera com connect constraint contactheight contactwidth \
          forcewidth framelength framewidth frustum jointlength jointwidth light selectpoint \
          slidercrank",
    ),
    (
        "visual/rgba",
        Optional,
        "actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint \
          contactforce contactfriction contactgap contactpoint contacttorque crankbroken fog force \
          frustum haze inertia joint light rangefinder selectpoint slidercrank",
    ),
    ("statistic", Any, "center extent meaninertia meanmass meansize"),
    ("default", Recursive, "class"),
    ("default/mesh", Optional, "inertia maxhullvert scale"),
    (
        "default/material",
        Optional,
        "emission metallic reflectance rgba roughness shininess specular texrepeat texture \
          texuniform",
    ),
    ("default/material/layer", Any, "role texture"),
    (
        "default/joint",
        Optional,
        "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss \
          group limited margin pos range ref solimpfriction solimplimit solreffriction solreflimit \
          springdamper springref stiffness type user",
    ),
    (
        "default/geom",
        Optional,
        "axisangle conaffinity condim contype density euler fitscale fluidcoef fluidshape \
          friction fromto gap group hfield margin mass material mesh pos priority quat rgba \
          shellinertia size solimp solmix solref type user xyaxes zaxis",
    ),
    (
        "default/site",
        Optional,
        "axisangle euler fromto group material pos quat rgba size type user xyaxes zaxis",
    ),
    (
        "default/camera",
        Optional,
        "axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel \
          projection quat resolution sensorsize user xyaxes zaxis",
    ),
    (
        "default/light",
        Optional,
        "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional exponent \
          intensity mode pos range specular type",
    ),
    ("default/pair", Optional, "condim friction gap margin solimp solref solreffriction"),
    ("default/equality", Optional, "active solimp solref"),
    (
        "default/tendon",
        Optional,
        "damping frictionloss group limited margin material range rgba solimpfriction solimplimit \
          solreffriction solreflimit springlength stiffness user width",
    ),
    (
        "default/general",
        Optional,
        "actdim actearly actlimited actrange biasprm biastype cranklength ctrllimited ctrlrange \
          delay dynprm dyntype forcelimited forcerange gainprm gaintype gear group interp nsample \
          user",
    ),
    (
        "default/motor",
        Optional,
        "cranklength ctrllimited ctrlrange delay forcelimited forcerange gear group interp \
          nsample user",
    ),
    (
        "default/position",
        Optional,
        "cranklength ctrllimited ctrlrange dampratio delay forcelimited forcerange gear group \
          inheritrange interp kp kv nsample timeconst user",
    ),
    (
        "default/velocity",
        Optional,
        "cranklength ctrllimited ctrlrange delay forcelimited forcerange gear group interp kv \
          nsample user",
    ),
    (
        "default/intvelocity",
        Optional,
        "actrange cranklength ctrllimited ctrlrange dampratio delay forcelimited forcerange gear \
          group inheritrange interp kp kv nsample user",
    ),
    (
        "default/damper",
        Optional,
        "cranklength ctrlrange delay forcelimited forcerange gear group interp kv nsample user",
    ),
    (
        "default/cylinder",
        Optional,
        "area bias cranklength ctrllimited ctrlrange delay diameter forcelimited forcerange gear \
          group interp nsample timeconst user",
    ),
    (
        "default/muscle",
        Optional,
        "cranklength ctrllimited ctrlrange delay force forcelimited forcerange fpmax fvmax gear \
          group interp lmax lmin nsample range scale timeconst user vmax",
    ),
    ("default/adhesion", Optional, "ctrlrange delay forcelimited forcerange gain group interp nsample user"),
    ("extension", Any, ""),
    ("extension/plugin", Any, "plugin"),
    ("extension/plugin/instance", Any, "name"),
    ("extension/plugin/instance/config", Any, "key value"),
    ("custom", Any, ""),
    ("custom/numeric", Any, "data name size"),
    ("custom/text", Any, "data name"),
    ("custom/tuple", Any, "name"),
    ("custom/tuple/element", Any, "objname objtype prm"),
    ("asset", Any, ""),
    (
        "asset/mesh",
        Any,
        "builtin class content_type face file inertia material maxhullvert name normal params \
          refpos refquat scale smoothnormal texcoord vertex",
    ),
    ("asset/mesh/plugin", Any, "instance plugin"),
    ("asset/mesh/plugin/config", Any, "key value"),
    ("asset/hfield", Any, "content_type elevation file name ncol nrow size"),
    ("asset/skin", Any, "face file group inflate material name rgba texcoord vertex"),
    ("asset/skin/bone", Any, "bindpos bindquat body vertid vertweight"),
    (
        "asset/texture",
        Any,
        "builtin colorspace content_type file fileback filedown filefront fileleft fileright \
          fileup gridlayout gridsize height hflip mark markrgb name nchannel random rgb1 rgb2 type \
          vflip width",
    ),
    (
        "asset/material",
        Any,
        "class emission metallic name reflectance rgba roughness shininess specular texrepeat \
          texture texuniform",
    ),
    ("asset/material/layer", Any, "role texture"),
    ("asset/model", Any, "content_type file name"),
    ("body", Recursive, "axisangle childclass euler gravcomp mocap name pos quat sleep user xyaxes zaxis"),
    ("body/inertial", Optional, "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis"),
    (
        "body/joint",
        Any,
        "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping \
          frictionloss group limited margin name pos range ref solimpfriction solimplimit \
          solreffriction solreflimit springdamper springref stiffness type user",
    ),
    ("body/freejoint", Any, "align group name"),
    (
        "body/geom",
        Any,
        "axisangle class conaffinity condim contype density euler fitscale fluidcoef fluidshape \
          friction fromto gap group hfield margin mass material mesh name pos priority quat rgba \
          shellinertia size solimp solmix solref type user xyaxes zaxis",
    ),
    ("body/geom/plugin", Any, "instance plugin"),
    ("body/geom/plugin/config", Any, "key value"),
    ("body/attach", Any, "body model prefix"),
    (
        "body/site",
        Any,
        "axisangle class euler fromto group material name pos quat rgba size type user xyaxes \
          zaxis",
    ),
    (
        "body/camera",
        Any,
        "axisangle class euler focal focalpixel fovy ipd mode name output pos principal \
          principalpixel projection quat resolution sensorsize target user xyaxes zaxis",
    ),
    (
        "body/light",
        Any,
        "active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional \
          exponent intensity mode name pos range specular target texture type",
    ),
    ("body/plugin", Any, "instance plugin"),
    ("body/plugin/config", Any, "key value"),
    ("body/composite", Any, "count curve initial offset prefix quat size type vertex"),
    (
        "body/composite/joint",
        Any,
        "armature axis damping frictionloss group kind limited margin range solimpfix \
          solimpfriction solimplimit solreffix solreffriction solreflimit stiffness type",
    ),
    ("body/composite/skin", Optional, "group inflate material rgba subgrid texcoord"),
    (
        "body/composite/geom",
        Optional,
        "conaffinity condim contype density friction gap group margin mass material priority rgba \
          size solimp solmix solref type",
    ),
    ("body/composite/site", Optional, "group material rgba size"),
    ("body/composite/plugin", Any, "instance plugin"),
    ("body/composite/plugin/config", Any, "key value"),
    (
        "body/flexcomp",
        Any,
        "axisangle count dim dof element euler file flatskin group inertiabox mass material name \
          origin point pos quat radius rgba rigid scale spacing texcoord type xyaxes zaxis",
    ),
    ("body/flexcomp/edge", Optional, "damping equality solimp solref stiffness"),
    ("body/flexcomp/elasticity", Optional, "damping elastic2d poisson thickness young"),
    (
        "body/flexcomp/contact",
        Optional,
        "activelayers conaffinity condim contype friction gap internal margin passive priority \
          selfcollide solimp solmix solref vertcollide",
    ),
    ("body/flexcomp/pin", Any, "grid gridrange id range"),
    ("body/flexcomp/plugin", Any, "instance plugin"),
    ("body/flexcomp/plugin/config", Any, "key value"),
    ("deformable", Any, ""),
    (
        "deformable/flex",
        Any,
        "body dim element elemtexcoord flatskin group material name node radius rgba texcoord \
          vertex",
    ),
    (
        "deformable/flex/contact",
        Optional,
        "activelayers conaffinity condim contype friction gap internal margin passive priority \
          selfcollide solimp solmix solref vertcollide",
    ),
    ("deformable/flex/edge", Optional, "damping stiffness"),
    ("deformable/flex/elasticity", Optional, "damping elastic2d poisson thickness young"),
    ("deformable/skin", Any, "face file group inflate material name rgba texcoord vertex"),
    ("deformable/skin/bone", Any, "bindpos bindquat body vertid vertweight"),
    ("contact", Any, ""),
    ("contact/pair", Any, "class condim friction gap geom1 geom2 margin name solimp solref solreffriction"),
    ("contact/exclude", Any, "body1 body2 name"),
    ("equality", Any, ""),
    ("equality/connect", Any, "active anchor body1 body2 class name site1 site2 solimp solref"),
    (
        "equality/weld",
        Any,
        "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale",
    ),
    ("equality/joint", Any, "active class joint1 joint2 name polycoef solimp solref"),
    ("equality/tendon", Any, "active class name polycoef solimp solref tendon1 tendon2"),
    ("equality/flex", Any, "active class flex name solimp solref"),
    ("equality/flexvert", Any, "active class flex name solimp solref"),
    ("tendon", Any, ""),
    (
        "tendon/spatial",
        Any,
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited \
          margin material name range rgba solimpfriction solimplimit solreffriction solreflimit \
          springlength stiffness user width",
    ),
    ("tendon/spatial/site", Any, "site"),
    ("tendon/spatial/geom", Any, "geom sidesite"),
    ("tendon/spatial/pulley", Any, "divisor"),
    (
        "tendon/fixed",
        Any,
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited \
          margin name range solimpfriction solimplimit solreffriction solreflimit springlength \
          stiffness user",
    ),
    ("tendon/fixed/joint", Any, "coef joint"),
    ("actuator", Any, ""),
    (
        "actuator/general",
        Any,
        "actdim actearly actlimited actrange biasprm biastype body class cranklength cranksite \
          ctrllimited ctrlrange delay dynprm dyntype forcelimited forcerange gainprm gaintype gear \
          group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon \
          user",
    ),
    (
        "actuator/motor",
        Any,
        "class cranklength cranksite ctrllimited ctrlrange delay forcelimited forcerange gear \
          group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon \
          user",
    ),
    (
        "actuator/position",
        Any,
        "class cranklength cranksite ctrllimited ctrlrange dampratio delay forcelimited \
          forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name \
          nsample refsite site slidersite tendon timeconst user",
    ),
    (
        "actuator/velocity",
        Any,
        "class cranklength cranksite ctrllimited ctrlrange delay forcelimited forcerange gear \
          group interp joint jointinparent kv lengthrange name nsample refsite site slidersite \
          tendon user",
    ),
    (
        "actuator/intvelocity",
        Any,
        "actrange class cranklength cranksite ctrllimited ctrlrange dampratio delay forcelimited \
          forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name \
          nsample refsite site slidersite tendon user",
    ),
    (
        "actuator/damper",
        Any,
        "class cranklength cranksite ctrlrange delay forcelimited forcerange gear group interp \
          joint jointinparent kv lengthrange name nsample refsite site slidersite tendon user",
    ),
    (
        "actuator/cylinder",
        Any,
        "area bias class cranklength cranksite ctrllimited ctrlrange delay diameter forcelimited \
          forcerange gear group interp joint jointinparent lengthrange name nsample refsite site \
          slidersite tendon timeconst user",
    ),
    (
        "actuator/muscle",
        Any,
        "class cranklength cranksite ctrllimited ctrlrange delay force forcelimited forcerange \
          fpmax fvmax gear group interp joint jointinparent lengthrange lmax lmin name nsample \
          range scale slidersite tausmooth tendon timeconst user vmax",
    ),
    (
        "actuator/adhesion",
        Any,
        "body class ctrlrange delay forcelimited forcerange gain group interp name nsample user",
    ),
    (
        "actuator/plugin",
        Any,
        "actdim actearly actlimited actrange class cranklength cranksite ctrllimited ctrlrange \
          delay dynprm dyntype forcelimited forcerange gear group instance interp joint \
          jointinparent lengthrange name nsample plugin site slidersite tendon user",
    ),
    ("actuator/plugin/config", Any, "key value"),
    ("sensor", Any, ""),
    ("sensor/touch", Any, "cutoff delay interp interval name noise nsample site user"),
    ("sensor/accelerometer", Any, "cutoff delay interp interval name noise nsample site user"),
    ("sensor/velocimeter", Any, "cutoff delay interp interval name noise nsample site user"),
    ("sensor/gyro", Any, "cutoff delay interp interval name noise nsample site user"),
    ("sensor/force", Any, "cutoff delay interp interval name noise nsample site user"),
    ("sensor/torque", Any, "cutoff delay interp interval name noise nsample site user"),
    ("sensor/magnetometer", Any, "cutoff delay interp interval name noise nsample site user"),
    ("sensor/camprojection", Any, "camera cutoff delay interp interval name noise nsample site user"),
    ("sensor/rangefinder", Any, "camera cutoff data delay interp interval name noise nsample site user"),
    ("sensor/jointpos", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointvel", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/tendonpos", Any, "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonvel", Any, "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/actuatorpos", Any, "actuator cutoff delay interp interval name noise nsample user"),
    ("sensor/actuatorvel", Any, "actuator cutoff delay interp interval name noise nsample user"),
    ("sensor/actuatorfrc", Any, "actuator cutoff delay interp interval name noise nsample user"),
    ("sensor/jointactuatorfrc", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/tendonactuatorfrc", Any, "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/ballquat", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/ballangvel", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointlimitpos", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointlimitvel", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointlimitfrc", Any, "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/tendonlimitpos", Any, "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonlimitvel", Any, "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonlimitfrc", Any, "cutoff delay interp interval name noise nsample tendon user"),
    (
        "sensor/framepos",
        Any,
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framequat",
        Any,
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framexaxis",
        Any,
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/frameyaxis",
        Any,
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framezaxis",
        Any,
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framelinvel",
        Any,
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/frameangvel",
        Any,
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    ("sensor/framelinacc", Any, "cutoff delay interp interval name noise nsample objname objtype user"),
    ("sensor/frameangacc", Any, "cutoff delay interp interval name noise nsample objname objtype user"),
    ("sensor/subtreecom", Any, "body cutoff delay interp interval name noise nsample user"),
    ("sensor/subtreelinvel", Any, "body cutoff delay interp interval name noise nsample user"),
    ("sensor/subtreeangmom", Any, "body cutoff delay interp interval name noise nsample user"),
    ("sensor/insidesite", Any, "cutoff delay interp interval name noise nsample objname objtype site user"),
    ("sensor/distance", Any, "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"),
    ("sensor/normal", Any, "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"),
    ("sensor/fromto", Any, "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"),
    (
        "sensor/contact",
        Any,
        "body1 body2 cutoff data delay geom1 geom2 interp interval name noise nsample num reduce \
          site subtree1 subtree2 user",
    ),
    ("sensor/e_potential", Any, "cutoff delay interp interval name noise nsample user"),
    ("sensor/e_kinetic", Any, "cutoff delay interp interval name noise nsample user"),
    ("sensor/clock", Any, "cutoff delay interp interval name noise nsample user"),
    ("sensor/tactile", Any, "delay geom interp interval mesh name nsample user"),
    ("sensor/user", Any, "cutoff datatype dim name needstage noise objname objtype user"),
    ("sensor/plugin", Any, "cutoff instance name objname objtype plugin refname reftype user"),
    ("sensor/plugin/config", Any, "key value"),
    ("keyframe", Any, ""),
    ("keyframe/key", Any, "act ctrl mpos mquat name qpos qvel time"),
];
