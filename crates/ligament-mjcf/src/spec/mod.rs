//! The editable specification: a model between text and compilation.
//!
//! It can be read from MJCF or URDF, built in code, changed, compiled and saved. Bodies and frames live in
//! arenas addressed by ids, so that nesting depth never becomes stack depth; everything else a body carries
//! lives in the body.

mod attach;
mod deletion;
mod edit;
mod elements;
mod keys;
mod names;
pub mod pose;
pub mod reflect;
mod signature;
pub(crate) mod weight;

use crate::diag::Diagnostic;
pub use crate::origin::Origin;
pub use attach::AttachPoint;
pub(crate) use attach::Placement;
pub use elements::*;
pub use ligament_model::LengthRangeOptions;
use ligament_model::enums::{InertiaFromGeom, SleepPolicy};
use ligament_model::option::{Options, Statistic, Visual};

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        /// A number that names one of these in its list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its arena.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id!(
    /// A body of [`Spec::bodies`]; 0 is the world.
    BodyId
);
id!(
    /// A frame of [`Spec::frames`].
    FrameId
);
id!(
    /// A default class of [`Spec::classes`]; 0 is `main`.
    ClassId
);
id!(
    /// Compiler settings in [`Spec::compilers`]; 0 are the model's own, others came with attached models.
    CompilerId
);

/// What every element has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Meta {
    /// Its name; empty for none.
    pub name: String,
    /// Class whose defaults it started from.
    pub class: ClassId,
    /// Settings it is to be compiled with.
    pub compiler: CompilerId,
    /// Innermost frame around it, for elements of a body.
    pub frame: Option<FrameId>,
    /// Where it stands.
    pub origin: Origin,
    /// A number by which other programs find the element again after attaching and deleting; 0: none.
    pub tag: u32,
}

impl Diagnostic {
    /// Blames an element: its kind, name and place.
    #[must_use]
    pub fn at(mut self, kind: &str, meta: &Meta) -> Self {
        self.origin = meta.origin.clone();
        self.tag = meta.tag;
        self.element = if meta.name.is_empty() { kind.into() } else { format!("{kind} '{}'", meta.name) };
        self
    }
}

/// An orientation that is not a quaternion; angles in the unit of the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Orientation {
    /// An axis and an angle.
    AxisAngle([f64; 4]),
    /// The x axis and a vector in the plane of x and y.
    XyAxes([f64; 6]),
    /// The z axis; the rest is the shortest turn.
    ZAxis([f64; 3]),
    /// Three angles.
    Euler([f64; 3]),
}

/// Use of an engine plugin by an element.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PluginRef {
    /// Name of the plugin; may be empty when an instance is named.
    pub plugin: String,
    /// Name of the shared instance; empty: one of its own.
    pub instance: String,
    /// Settings of an instance of its own, in document order.
    pub config: Vec<(String, String)>,
}

/// `<extension><plugin plugin="…">` with its shared instances.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct PluginDeclaration {
    pub plugin: String,
    pub instances: Vec<PluginInstance>,
    pub origin: Origin,
}

/// A shared plugin instance.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct PluginInstance {
    pub name: String,
    pub config: Vec<(String, String)>,
    pub origin: Origin,
}

/// One object of a tendon's path.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct Wrap {
    pub kind: WrapKind,
    pub origin: Origin,
}

/// Kinds of path objects.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub enum WrapKind {
    Joint { joint: String, coef: f64 },
    Site { site: String },
    Geom { geom: String, sidesite: String },
    Pulley { divisor: f64 },
}

/// `<compiler>`: how the text becomes a model.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct Compiler {
    pub autolimits: bool,
    pub boundmass: f64,
    pub boundinertia: f64,
    pub settotalmass: f64,
    pub balanceinertia: bool,
    pub strippath: bool,
    pub fitaabb: bool,
    pub degree: bool,
    pub eulerseq: [u8; 3],
    pub discardvisual: bool,
    pub usethread: bool,
    pub fusestatic: bool,
    pub inertiafromgeom: InertiaFromGeom,
    pub inertiagrouprange: [i32; 2],
    pub saveinertial: bool,
    pub alignfree: bool,
    pub lengthrange: LengthRangeOptions,
    pub meshdir: String,
    pub texturedir: String,
    /// Directory of the main model file, with a trailing slash unless empty; assets are found relative to it.
    pub modeldir: String,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            autolimits: true,
            boundmass: 0.0,
            boundinertia: 0.0,
            settotalmass: -1.0,
            balanceinertia: false,
            strippath: false,
            fitaabb: false,
            degree: true,
            eulerseq: *b"xyz",
            discardvisual: false,
            usethread: true,
            fusestatic: false,
            inertiafromgeom: InertiaFromGeom::Auto,
            inertiagrouprange: [0, 5],
            saveinertial: false,
            alignfree: false,
            lengthrange: LengthRangeOptions::default(),
            meshdir: String::new(),
            texturedir: String::new(),
            modeldir: String::new(),
        }
    }
}

/// `<size>`: memory and user-data sizes; -1 lets the compiler decide.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct SizeSettings {
    /// Bytes of arena memory; -1: automatic.
    pub memory: i64,
    pub njmax: i32,
    pub nconmax: i32,
    pub nstack: i64,
    pub nuserdata: i32,
    pub nkey: i32,
    pub nuser_body: i32,
    pub nuser_jnt: i32,
    pub nuser_geom: i32,
    pub nuser_site: i32,
    pub nuser_cam: i32,
    pub nuser_tendon: i32,
    pub nuser_actuator: i32,
    pub nuser_sensor: i32,
}

impl Default for SizeSettings {
    fn default() -> Self {
        Self {
            memory: -1,
            njmax: -1,
            nconmax: -1,
            nstack: -1,
            nuserdata: 0,
            nkey: 0,
            nuser_body: -1,
            nuser_jnt: -1,
            nuser_geom: -1,
            nuser_site: -1,
            nuser_cam: -1,
            nuser_tendon: -1,
            nuser_actuator: -1,
            nuser_sensor: -1,
        }
    }
}

/// A body and everything fixed to it, in document order per kind.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct Body {
    pub meta: Meta,
    /// Parent; `None` for the world only.
    pub parent: Option<BodyId>,
    /// Class for the elements inside that name none.
    pub childclass: Option<ClassId>,
    pub pos: [f64; 3],
    pub quat: [f64; 4],
    pub alt: Option<Orientation>,
    /// `<inertial>`; the fields below are meaningful only with it.
    pub explicitinertial: bool,
    pub mass: f64,
    pub ipos: [f64; 3],
    pub iquat: [f64; 4],
    pub inertia: [f64; 3],
    pub ialt: Option<Orientation>,
    /// (xx, yy, zz, xy, xz, yz); first entry NaN: not given.
    pub fullinertia: [f64; 6],
    pub mocap: bool,
    pub gravcomp: f64,
    pub sleep: SleepPolicy,
    pub userdata: Vec<f64>,
    pub plugin: Option<PluginRef>,
    pub children: Vec<BodyId>,
    pub frames: Vec<FrameId>,
    pub joints: Vec<Joint>,
    pub geoms: Vec<Geom>,
    pub sites: Vec<Site>,
    pub cameras: Vec<Camera>,
    pub lights: Vec<Light>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            meta: Meta::default(),
            parent: None,
            childclass: None,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: None,
            explicitinertial: false,
            mass: 0.0,
            ipos: [f64::NAN, 0.0, 0.0],
            iquat: [1.0, 0.0, 0.0, 0.0],
            inertia: [0.0; 3],
            ialt: None,
            fullinertia: [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
            mocap: false,
            gravcomp: 0.0,
            sleep: SleepPolicy::Auto,
            userdata: Vec::new(),
            plugin: None,
            children: Vec::new(),
            frames: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
        }
    }
}

/// `<frame>`: a pose that is composed into the elements inside and then vanishes.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct Frame {
    /// `meta.frame` is the enclosing frame, if any.
    pub meta: Meta,
    /// Body it stands in.
    pub body: BodyId,
    pub childclass: Option<ClassId>,
    pub pos: [f64; 3],
    pub quat: [f64; 4],
    pub alt: Option<Orientation>,
}

/// A default class: complete elements that new ones are copied from.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct DefaultClass {
    pub name: String,
    pub parent: Option<ClassId>,
    pub joint: Joint,
    pub geom: Geom,
    pub site: Site,
    pub camera: Camera,
    pub light: Light,
    pub flex: Flex,
    pub mesh: Mesh,
    pub material: Material,
    pub pair: Pair,
    pub equality: Equality,
    pub tendon: Tendon,
    pub actuator: Actuator,
}

/// A model specification.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // attributes and elements of MJCF, by their names
pub struct Spec {
    pub modelname: String,
    /// Free text that is kept at the top of a saved file.
    pub comment: String,
    /// Settings; entry 0 is the model's own.
    pub compilers: Vec<Compiler>,
    pub option: Options,
    /// Name and numbers of the solver in place of MuJoCo's; no name: MuJoCo's.
    pub solver_model: String,
    /// Numbers of that solver.
    pub solver_params: Vec<f64>,
    pub visual: Visual,
    /// Overrides of the model statistics; NaN: computed.
    pub stat: Statistic,
    pub size: SizeSettings,
    /// Default classes in order of definition; parents come before children; entry 0 is `main`.
    pub classes: Vec<DefaultClass>,
    pub plugins: Vec<PluginDeclaration>,
    /// Entry 0 is the world.
    pub bodies: Vec<Body>,
    pub frames: Vec<Frame>,
    pub meshes: Vec<Mesh>,
    pub hfields: Vec<HeightField>,
    pub skins: Vec<Skin>,
    pub textures: Vec<Texture>,
    pub materials: Vec<Material>,
    pub flexes: Vec<Flex>,
    pub pairs: Vec<Pair>,
    pub excludes: Vec<Exclude>,
    pub equalities: Vec<Equality>,
    pub tendons: Vec<Tendon>,
    pub actuators: Vec<Actuator>,
    pub sensors: Vec<Sensor>,
    pub numerics: Vec<Numeric>,
    pub texts: Vec<Text>,
    pub tuples: Vec<Tuple>,
    pub keys: Vec<Key>,
    /// Warnings met while reading.
    pub warnings: Vec<Diagnostic>,
}

impl Default for Spec {
    fn default() -> Self {
        let undefined = Statistic {
            meaninertia: f64::NAN,
            meanmass: f64::NAN,
            meansize: f64::NAN,
            extent: f64::NAN,
            center: [f64::NAN, 0.0, 0.0],
        };
        Self {
            modelname: "MuJoCo Model".into(),
            comment: String::new(),
            compilers: vec![Compiler::default()],
            option: Options::default(),
            solver_model: String::new(),
            solver_params: Vec::new(),
            visual: Visual::default(),
            stat: undefined,
            size: SizeSettings::default(),
            classes: vec![DefaultClass { name: "main".into(), ..DefaultClass::default() }],
            plugins: Vec::new(),
            bodies: vec![Body { meta: Meta { name: "world".into(), ..Meta::default() }, ..Body::default() }],
            frames: Vec::new(),
            meshes: Vec::new(),
            hfields: Vec::new(),
            skins: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
            flexes: Vec::new(),
            pairs: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            numerics: Vec::new(),
            texts: Vec::new(),
            tuples: Vec::new(),
            keys: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl Spec {
    /// The model's own compiler settings.
    pub fn compiler(&self) -> &Compiler {
        &self.compilers[0]
    }

    /// Class by name.
    pub fn class(&self, name: &str) -> Option<ClassId> {
        self.classes.iter().position(|c| c.name == name).map(|i| ClassId(i as u32))
    }
}
