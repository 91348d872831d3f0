//! Options, cameras, perturbations, geoms and lights: the tables.

use crate::table::{Text, record};
use ligament_model::enums::{CameraType, GeomType, VisFlag};

/// Number of groups that can be shown or hidden.
pub const NGROUP: usize = 6;
/// Number of [`VisFlag`]s.
pub const NVISFLAG: usize = 31;
/// Number of [`ligament_model::enums::RndFlag`]s.
pub const NRNDFLAG: usize = 11;
/// Most lights in a scene.
pub const MAXLIGHT: usize = 100;
/// Most divisions of a plane's grid.
pub const MAXPLANEGRID: usize = 200;

const FIRST_GROUPS: [u8; NGROUP] = [1, 1, 1, 0, 0, 0];

/// What is drawn at first.
const SHOWN: [VisFlag; 8] = [
    VisFlag::Texture,
    VisFlag::Tendon,
    VisFlag::Rangefinder,
    VisFlag::Pertobj,
    VisFlag::Static,
    VisFlag::Skin,
    VisFlag::Flexedge,
    VisFlag::Flexskin,
];

fn initial_flags() -> [u8; NVISFLAG] {
    let mut flags = [0; NVISFLAG];
    for flag in SHOWN {
        flags[flag as usize] = 1;
    }
    flags
}

record! {
    /// What of a model is drawn (`mjvOption`).
    VisualOption {
        label: i32 = 0, "which objects have labels";
        frame: i32 = 0, "which frames are drawn";
        geomgroup: [u8; 6] = FIRST_GROUPS, "groups of geoms that are drawn";
        sitegroup: [u8; 6] = FIRST_GROUPS, "groups of sites that are drawn";
        jointgroup: [u8; 6] = FIRST_GROUPS, "groups of joints that are drawn";
        tendongroup: [u8; 6] = FIRST_GROUPS, "groups of tendons that are drawn";
        actuatorgroup: [u8; 6] = FIRST_GROUPS, "groups of actuators that are drawn";
        flexgroup: [u8; 6] = FIRST_GROUPS, "groups of flexes that are drawn";
        skingroup: [u8; 6] = FIRST_GROUPS, "groups of skins that are drawn";
        flags: [u8; 31] = initial_flags(), "elements that are drawn, by VisFlag";
        bvh_depth: i32 = 1, "depth of the bounding volumes that are drawn";
        flex_layer: i32 = 0, "layer of solid flexes that is drawn";
    }
}

impl VisualOption {
    /// Whether a flag is set.
    pub fn shows(&self, flag: VisFlag) -> bool {
        self.flags[flag as usize] != 0
    }
}

record! {
    /// A camera as the user thinks of it (`mjvCamera`).
    Camera {
        kind ["type"]: i32 = CameraType::Free as i32, "free, tracking, fixed or set by the user";
        fixedcamid: i32 = -1, "camera of the model, for fixed cameras";
        trackbodyid: i32 = -1, "body that a tracking camera follows";
        lookat: [f64; 3] = [0.0; 3], "point the camera looks at";
        distance: f64 = 2.0, "distance to that point";
        azimuth: f64 = 90.0, "azimuth in degrees";
        elevation: f64 = -45.0, "elevation in degrees";
        orthographic: i32 = 0, "orthographic or perspective";
    }
}

record! {
    /// A camera as the renderer needs it (`mjvGLCamera`).
    #[derive(Copy)]
    GlCamera {
        pos: [f32; 3] = [0.0; 3], "position";
        forward: [f32; 3] = [0.0; 3], "viewing direction";
        up: [f32; 3] = [0.0; 3], "upward direction";
        frustum_center: f32 = 0.0, "horizontal centre of the near plane";
        frustum_width: f32 = 0.0, "half width of the near plane; 0: from the shape of the picture";
        frustum_bottom: f32 = 0.0, "lower edge of the near plane";
        frustum_top: f32 = 0.0, "upper edge of the near plane";
        frustum_near: f32 = 0.0, "distance of the near plane";
        frustum_far: f32 = 0.0, "distance of the far plane";
        orthographic: i32 = 0, "orthographic or perspective";
    }
}

record! {
    /// What is selected, and how it is pulled (`mjvPerturb`).
    Perturb {
        select: i32 = 0, "selected body; 0 or less: none";
        flexselect: i32 = -1, "selected flex; -1: none";
        skinselect: i32 = -1, "selected skin; -1: none";
        active: i32 = 0, "what is pulled: bits of PertBit";
        active2: i32 = 0, "what a second hand pulls";
        refpos: [f64; 3] = [0.0; 3], "where the body should go";
        refquat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "how the body should turn";
        refselpos: [f64; 3] = [0.0; 3], "where the selected point should go";
        localpos: [f64; 3] = [0.0; 3], "selected point in the frame of the body";
        localmass: f64 = 0.0, "inertia felt at the selected point";
        scale: f64 = 1.0, "length that a mouse movement over the whole picture stands for";
    }
}

record! {
    /// One thing that is drawn (`mjvGeom`).
    #[derive(Copy)]
    Geom {
        kind ["type"]: i32 = GeomType::None as i32, "shape";
        dataid: i32 = -1, "mesh (2·id, hull 2·id + 1), height field or plane; -1: none";
        objtype: i32 = 0, "kind of model element";
        objid: i32 = 0, "model element; -1: decoration";
        category: i32 = 0, "static, dynamic or decoration";
        matid: i32 = -1, "material with a texture; -1: none";
        texcoord: i32 = 0, "has texture coordinates";
        segid: i32 = 0, "number in segmented pictures; -1: not shown";
        size: [f32; 3] = [0.1; 3], "size";
        pos: [f32; 3] = [0.0; 3], "position";
        mat: [f32; 9] as [3, 3] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], "orientation";
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0], "colour";
        emission: f32 = 0.0, "light it sends out";
        specular: f32 = 0.5, "specular reflection";
        shininess: f32 = 0.5, "sharpness of the specular reflection";
        reflectance: f32 = 0.0, "mirror reflection";
        label: Text<100> = Text::EMPTY, "text beside it";
        camdist: f32 = 0.0, "distance to the camera, for sorting";
        modelrbound: f32 = 0.0, "bounding radius in the model; 0: not a geom of the model";
        transparent: u8 = 0, "drawn as transparent";
    }
}

record! {
    /// A light (`mjvLight`).
    #[derive(Copy)]
    Light {
        id: i32 = 0, "light of the model; -1: headlight";
        pos: [f32; 3] = [0.0; 3], "position";
        dir: [f32; 3] = [0.0; 3], "direction";
        kind ["type"]: i32 = 0, "spot, directional, point or image";
        texid: i32 = 0, "texture of image lights";
        attenuation: [f32; 3] = [0.0; 3], "coefficients of 1, distance and distance²";
        cutoff: f32 = 0.0, "opening of the spot in degrees";
        exponent: f32 = 0.0, "fading towards the edge of the spot";
        ambient: [f32; 3] = [0.0; 3], "ambient colour";
        diffuse: [f32; 3] = [0.0; 3], "diffuse colour";
        specular: [f32; 3] = [0.0; 3], "specular colour";
        headlight: u8 = 0, "sits at the camera";
        castshadow: u8 = 0, "casts shadows";
        bulbradius: f32 = 0.0, "radius of the bulb";
        intensity: f32 = 0.0, "intensity in candela";
        range: f32 = 0.0, "reach";
    }
}
