//! `<flexcomp>`: a shape or file becomes a flex, a body with slide joints for each free vertex or node, and
//! optionally an equality constraint.

mod build;
mod gmsh;
mod pins;
mod read;
mod shapes;
#[cfg(test)]
mod tests;

pub use read::read_flexcomp;

use crate::assets::Assets;
use crate::diag::{self, Diagnostic, MjcfError};
use crate::spec::weight::{element_weight, weight_of_renaming};
use crate::spec::{Body, BodyId, Equality, Flex, Joint, Orientation, Origin, PluginRef, Spec};
use ligament_math::{MINVAL, Vec3, quat, vec3};

/// Most points of a generated flex; every point may become a body.
const MAX_POINTS: i64 = 1_000_000;
/// Bytes of a point with its elements, edges and names.
const POINT: u64 = 512;

/// Shapes of a flexcomp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlexCompKind {
    Grid,
    Box,
    Cylinder,
    Ellipsoid,
    Square,
    Disc,
    Circle,
    Mesh,
    Gmsh,
    Direct,
}

impl FlexCompKind {
    /// Keywords of the attribute `type`.
    pub const KEYWORDS: [(&'static str, Self); 10] = [
        ("grid", Self::Grid),
        ("box", Self::Box),
        ("cylinder", Self::Cylinder),
        ("ellipsoid", Self::Ellipsoid),
        ("square", Self::Square),
        ("disc", Self::Disc),
        ("circle", Self::Circle),
        ("mesh", Self::Mesh),
        ("gmsh", Self::Gmsh),
        ("direct", Self::Direct),
    ];
}

/// Degrees of freedom of a flexcomp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlexCompDof {
    /// Three slides for each vertex.
    Full,
    /// One slide away from the centre for each vertex.
    Radial,
    /// Eight nodes; vertices are interpolated.
    Trilinear,
    /// Twenty-seven nodes; vertices are interpolated.
    Quadratic,
}

impl FlexCompDof {
    /// Keywords of the attribute `dof`.
    pub const KEYWORDS: [(&'static str, Self); 4] = [
        ("full", Self::Full),
        ("radial", Self::Radial),
        ("trilinear", Self::Trilinear),
        ("quadratic", Self::Quadratic),
    ];

    /// Degree of the interpolation, 0 without.
    fn order(self) -> usize {
        match self {
            Self::Full | Self::Radial => 0,
            Self::Trilinear => 1,
            Self::Quadratic => 2,
        }
    }

    fn nodes(self) -> usize {
        match self.order() {
            0 => 0,
            order => (order + 1).pow(3),
        }
    }
}

/// Equality constraint a flexcomp makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlexCompEquality {
    None,
    /// Edge lengths.
    Edge,
    /// Vertex-wise strain.
    Vertex,
}

impl FlexCompEquality {
    /// Keywords of `<edge equality>`.
    pub const KEYWORDS: [(&'static str, Self); 3] =
        [("false", Self::None), ("true", Self::Edge), ("vert", Self::Vertex)];
}

/// Attributes of `<flexcomp>` and of the elements inside.
#[derive(Debug, Clone)]
pub struct FlexComp {
    pub name: String,
    pub kind: FlexCompKind,
    pub dof: FlexCompDof,
    pub count: [i32; 3],
    pub spacing: Vec3,
    pub scale: Vec3,
    /// Centre of the tetrahedra made from a surface mesh.
    pub mesh_origin: Vec3,
    pub mass: f64,
    pub inertiabox: f64,
    pub equality: FlexCompEquality,
    /// `solref` and `solimp` of the constraint.
    pub equality_template: Equality,
    pub file: String,
    /// Directory of the file when it lies beside the included document that mentions it.
    pub filedir: String,
    pub pos: Vec3,
    pub quat: [f64; 4],
    pub alt: Option<Orientation>,
    pub rigid: bool,
    pub point: Vec<f64>,
    pub element: Vec<i32>,
    pub texcoord: Vec<f32>,
    pub elemtexcoord: Vec<i32>,
    pub pinid: Vec<i32>,
    pub pinrange: Vec<i32>,
    pub pingrid: Vec<i32>,
    pub pingridrange: Vec<i32>,
    /// Everything the flex takes over unchanged; starts from built-in defaults, not from a class.
    pub flex: Flex,
    pub plugin: Option<PluginRef>,
    /// Nothing is pinned: vertices lie at the origins of their bodies.
    centered: bool,
    /// Place in the text.
    pub origin: Origin,
}

impl Default for FlexComp {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: FlexCompKind::Grid,
            dof: FlexCompDof::Full,
            count: [10; 3],
            spacing: [0.02; 3],
            scale: [1.0; 3],
            mesh_origin: [0.0; 3],
            mass: 1.0,
            inertiabox: 0.005,
            equality: FlexCompEquality::None,
            equality_template: Equality::default(),
            file: String::new(),
            filedir: String::new(),
            pos: [0.0; 3],
            quat: quat::IDENTITY,
            alt: None,
            rigid: false,
            point: Vec::new(),
            element: Vec::new(),
            texcoord: Vec::new(),
            elemtexcoord: Vec::new(),
            pinid: Vec::new(),
            pinrange: Vec::new(),
            pingrid: Vec::new(),
            pingridrange: Vec::new(),
            flex: Flex::default(),
            plugin: None,
            centered: false,
            origin: Origin::default(),
        }
    }
}

impl FlexComp {
    /// Adds flex, bodies, joints and constraint to the specification, below `body`.
    pub fn expand(mut self, spec: &mut Spec, body: BodyId, assets: &dyn Assets) -> diag::Result<()> {
        let diagnostic =
            Diagnostic::new("").at_origin(&self.origin).element(format!("flexcomp '{}'", self.name));
        self.expand_inner(spec, body, assets)
            .map_err(|message| MjcfError::InvalidAttribute(Diagnostic { message, ..diagnostic }))
    }

    fn expand_inner(&mut self, spec: &mut Spec, body: BodyId, assets: &dyn Assets) -> Result<(), String> {
        self.check_settings(spec, body)?;
        let points = self.count.iter().map(|&n| u64::try_from(n).unwrap_or(0)).product();
        if !self.is_direct() {
            self.charge(points, assets)?;
        }
        let compiler = &spec.compilers[spec.bodies[body.index()].meta.compiler.index()];
        if let Some(alt) = self.alt {
            self.quat = alt.resolve(compiler.degree, compiler.eulerseq)?;
        }
        match self.kind {
            FlexCompKind::Grid | FlexCompKind::Circle => self.make_grid()?,
            FlexCompKind::Box | FlexCompKind::Cylinder | FlexCompKind::Ellipsoid => self.make_box()?,
            FlexCompKind::Square | FlexCompKind::Disc => self.make_square()?,
            FlexCompKind::Mesh => self.load_mesh(compiler, assets)?,
            FlexCompKind::Gmsh => self.load_gmsh(compiler, assets)?,
            FlexCompKind::Direct => {}
        }
        let block = self.kind == FlexCompKind::Grid && self.flex.dim == 3;
        if block || matches!(self.kind, FlexCompKind::Box | FlexCompKind::Cylinder) {
            self.flex.flatskin = true;
        }
        self.check_pins()?;
        self.check_mesh()?;
        if self.is_direct() {
            self.charge(self.point.len() as u64 / 3, assets)?;
        }
        let bounds = self.place_points();
        let mut pinned = self.pinned_points()?;
        if self.is_direct() {
            self.drop_unused_points(&mut pinned);
        }
        self.build(spec, body, &pinned, bounds);
        Ok(())
    }

    /// Memory for so many points: a body with slides each, unless they are rigid or moved by a few nodes.
    fn charge(&self, points: u64, assets: &dyn Assets) -> Result<(), String> {
        let moving = !self.rigid && !matches!(self.dof, FlexCompDof::Trilinear | FlexCompDof::Quadratic);
        let body = element_weight::<Body>() + 3 * element_weight::<Joint>();
        let point = POINT + if moving { body } else { 0 };
        let bytes = points.saturating_mul(point).saturating_mul(weight_of_renaming(&self.name));
        assets.charge(bytes).map_err(|over| over.to_string())
    }

    /// Whether points and elements come from the user or a file.
    fn is_direct(&self) -> bool {
        matches!(self.kind, FlexCompKind::Direct | FlexCompKind::Mesh | FlexCompKind::Gmsh)
    }

    fn check_settings(&self, spec: &Spec, body: BodyId) -> Result<(), &'static str> {
        if spec.bodies[body.index()].meta.name.is_empty() {
            return Err("Parent body must have name");
        }
        if !(1..=3).contains(&self.flex.dim) {
            return Err("Invalid dim, must be between 1 and 3");
        }
        let least = if self.dof == FlexCompDof::Radial && self.flex.dim == 3 { 2 } else { 1 };
        if self.count.iter().any(|&n| n < least) {
            return Err("Count too small");
        }
        let points = self.count.iter().fold(1i64, |product, &n| product.saturating_mul(i64::from(n)));
        if !self.is_direct() && points > MAX_POINTS {
            return Err("Count too large");
        }
        let least_spacing = 2.0 * self.flex.radius + self.flex.margin;
        if !self.is_direct() && self.spacing.iter().any(|&s| s < least_spacing) {
            return Err("Spacing must be larger than geometry size");
        }
        if self.scale.iter().any(|&s| s < MINVAL) {
            return Err("Scale must be larger than mjMINVAL");
        }
        if self.mass < MINVAL || self.inertiabox < MINVAL {
            return Err("Mass and inertiabox must be larger than mjMINVAL");
        }
        Ok(())
    }

    fn check_mesh(&self) -> Result<(), String> {
        if self.point.is_empty() || self.element.is_empty() {
            return Err("Point and element required".into());
        }
        if !self.point.len().is_multiple_of(3) {
            return Err("Point size must be a multiple of 3".into());
        }
        if !self.element.len().is_multiple_of(self.flex.dim as usize + 1) {
            return Err("Element size must be a multiple of dim+1".into());
        }
        let points = self.point.len() / 3;
        match self.element.iter().position(|&id| id < 0 || id as usize >= points) {
            Some(i) => {
                let id = self.element[i];
                Err(format!("element {i} has point id {id}, number of points is {points}"))
            }
            None => Ok(()),
        }
    }

    /// Scales and moves the points into the frame of the parent body; returns their bounding box.
    fn place_points(&mut self) -> [Vec3; 2] {
        let scale = if self.is_direct() { self.scale } else { [1.0; 3] };
        let [mut low, mut high] = [[1e10; 3], [-1e10; 3]];
        for p in self.point.chunks_exact_mut(3) {
            let scaled = [p[0] * scale[0], p[1] * scale[1], p[2] * scale[2]];
            let placed = vec3::add(quat::rotate(self.quat, scaled), self.pos);
            p.copy_from_slice(&placed);
            for k in 0..3 {
                low[k] = placed[k].min(low[k]);
                high[k] = placed[k].max(high[k]);
            }
        }
        [low, high]
    }

    /// Removes points that no element uses.
    fn drop_unused_points(&mut self, pinned: &mut Vec<bool>) {
        let points = self.point.len() / 3;
        let mut used = vec![false; points];
        for &id in &self.element {
            used[id as usize] = true;
        }
        let mut new_id = vec![0; points];
        let mut kept = 0;
        for i in (0..points).filter(|&i| used[i]) {
            new_id[i] = kept as i32;
            self.point.copy_within(3 * i..3 * i + 3, 3 * kept);
            if self.texcoord.len() >= 2 * (i + 1) {
                self.texcoord.copy_within(2 * i..2 * i + 2, 2 * kept);
            }
            pinned[kept] = pinned[i];
            kept += 1;
        }
        if kept == points {
            return;
        }
        for id in &mut self.element {
            *id = new_id[*id as usize];
        }
        self.point.truncate(3 * kept);
        self.texcoord.truncate(2 * kept);
        pinned.truncate(kept.max(self.dof.nodes()));
    }
}
