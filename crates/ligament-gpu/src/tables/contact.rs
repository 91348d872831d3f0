//! Geoms, the pairs of them that may touch, and the surfaces that need more than a size.

use super::{Builder, flatten};
use crate::pairs::{Pair, Pairs, is_closed_form};
use crate::paths::Paths;
use ligament_model::Model;
use ligament_model::enums::{EnableBit, GeomType};

/// The most contact points that a pair with a formula can have.
pub(super) fn most_points(m: &Model, pairs: &Pairs, plain: bool) -> usize {
    use GeomType::{Box, Cylinder, Plane};
    let most = |a: GeomType, b: GeomType| match (a, b) {
        (Box, Box) if !plain => 24,
        (Plane, Box | Cylinder) => 4,
        _ => 2,
    };
    let kinds = |p: &Pair| p.geoms.map(|g| GeomType::try_from(m.geom_type[g]));
    let points = |p| if let [Ok(a), Ok(b)] = kinds(p) { most(a, b) } else { 2 };
    pairs.list.iter().map(points).max().unwrap_or(2)
}

/// Corners of a face at most, as the CPU engine has it: `MOST_AROUND` in `several.cuh`.
const MOST_CORNERS: usize = 150;

impl Builder<'_> {
    pub(super) fn geoms(&mut self, m: &Model, pairs: &Pairs, paths: &Paths) {
        self.int("geom_bodyid", m.geom_bodyid.iter().copied());
        self.int("geom_type", m.geom_type.iter().copied());
        self.real("geom_pos", m.geom_pos.as_flattened());
        self.real("geom_quat", m.geom_quat.as_flattened());
        self.real("geom_size", m.geom_size.as_flattened());
        self.real("geom_rbound", &m.geom_rbound);
        // boxes rule pairs out; where sizes differ from world to world they would have to as well
        let boxes: Vec<[f64; 6]> = match self.differs("geom_size") {
            true => vec![[0.0, 0.0, 0.0, 1e6, 1e6, 1e6]; m.ngeom],
            false => m.geom_aabb.to_vec(),
        };
        self.real("geom_aabb", boxes.as_flattened());
        self.real("geom_friction", m.geom_friction.as_flattened());
        self.int("pair_geom1", pairs.list.iter().map(|p| p.geoms[0] as i32));
        self.int("pair_geom2", pairs.list.iter().map(|p| p.geoms[1] as i32));
        self.slots(m, pairs, paths);
        self.reaches(m, pairs);
        self.witnesses(m, pairs);
        let is_plane = |p: &&Pair| m.geom_type[p.geoms[0]] == GeomType::Plane as i32;
        self.define("NPLANEPAIR", pairs.list.iter().take_while(is_plane).count());
        let reach = |p: &Pair| {
            let radii = p.geoms.map(|g| if is_plane(&p) && g == p.geoms[0] { 0.0 } else { m.geom_rbound[g] });
            pairs.classes[p.class].margin + radii[0] + radii[1]
        };
        self.real("pair_reach", &pairs.list.iter().map(reach).collect::<Vec<_>>());
        self.int("pair_cls", pairs.list.iter().map(|p| p.class as i32));
        self.int("pair_friction", pairs.list.iter().map(|p| p.friction as i32));
        self.surfaces(m, pairs);
        let c = &pairs.classes;
        self.int("cls_condim", c.iter().map(|c| c.condim));
        self.real("cls_margin", &c.iter().map(|c| c.margin).collect::<Vec<_>>());
        self.real("cls_gap", &c.iter().map(|c| c.gap).collect::<Vec<_>>());
        self.real("cls_solref", c.iter().map(|c| c.solver.solref).collect::<Vec<_>>().as_flattened());
        self.real("cls_solimp", c.iter().map(|c| c.solver.solimp).collect::<Vec<_>>().as_flattened());
        self.real("cls_friction", c.iter().map(|c| c.friction).collect::<Vec<_>>().as_flattened());
        self.real(
            "cls_solreffriction",
            c.iter().map(|c| c.solreffriction).collect::<Vec<_>>().as_flattened(),
        );
    }

    /// Geoms whose places in the world are asked for: only they have a slot there. Others are for the eye.
    fn slots(&mut self, m: &Model, pairs: &Pairs, paths: &Paths) {
        let colliding = pairs.list.iter().flat_map(|p| p.geoms);
        let wrapped = paths.pulls().filter_map(|p| usize::try_from(p.geom).ok());
        let swimming = (0..m.ngeom).filter(|&g| m.geom_fluid[g][0] > 0.0);
        let mut used: Vec<usize> = colliding.chain(wrapped).chain(swimming).collect();
        used.sort_unstable();
        used.dedup();
        self.define("NGEOM", used.len());
        let slot = |g: usize| used.binary_search(&g).unwrap_or(0);
        if used.len() == m.ngeom {
            self.define("geom_slot(i)", "(i)");
            self.define("slot_geom(i)", "(i)");
        } else {
            self.int("geom_slot", (0..m.ngeom).map(|g| slot(g) as i32));
            self.int("slot_geom", used.iter().map(|&g| g as i32));
        }
        let both = |p: &Pair| (slot(p.geoms[0]) as u32 | (slot(p.geoms[1]) as u32) << 16) as i32;
        self.int("pair_slots", pairs.list.iter().map(both));
    }

    /// How far geoms that can touch something reach from the origin of their body. Places that differ from world to world, and planes,
    /// reach farther than anything is away.
    fn reaches(&mut self, m: &Model, pairs: &Pairs) {
        let mut reach = vec![0.0f64; m.nbody];
        for g in pairs.list.iter().flat_map(|p| p.geoms) {
            let from_origin = m.geom_pos[g].iter().map(|x| x * x).sum::<f64>().sqrt();
            let endless = self.differs("geom_pos") || m.geom_type[g] == GeomType::Plane as i32;
            let own = if endless { 1e3 } else { from_origin + m.geom_rbound[g] };
            let of_body = &mut reach[m.geom_bodyid[g] as usize];
            *of_body = of_body.max(own);
        }
        self.real("body_reach", &reach);
    }

    /// Pairs that are worth a proof that they are apart, numbered; -1: others.
    fn witnesses(&mut self, m: &Model, pairs: &Pairs) {
        use GeomType::{Box, Hfield, Mesh, Plane};
        let worth = |p: &Pair| match p.geoms.map(|g| GeomType::try_from(m.geom_type[g])) {
            [Ok(Plane), Ok(b)] => b == Mesh,
            [Ok(Hfield), _] => false,
            // within a margin, contacts of boxes are not those of their distance
            [Ok(Box), Ok(Box)] => pairs.classes[p.class].margin == 0.0,
            [Ok(a), Ok(b)] => !is_closed_form(a, b),
            _ => false,
        };
        let mut count = 0;
        let mut number = |p: &Pair| {
            count += i32::from(worth(p));
            if worth(p) { count - 1 } else { -1 }
        };
        let numbers: Vec<i32> = pairs.list.iter().map(&mut number).collect();
        self.int("pair_witness", numbers);
        self.define("NWITNESS", count);
    }

    /// Meshes and height fields that take part in contacts.
    fn surfaces(&mut self, m: &Model, pairs: &Pairs) {
        let mut touching: Vec<usize> = pairs.list.iter().flat_map(|p| p.geoms).collect();
        touching.sort_unstable();
        touching.dedup();
        let of_kind = |kind: GeomType| {
            let ids = touching.iter().filter(|&&g| m.geom_type[g] == kind as i32).map(|&g| m.geom_dataid[g]);
            let mut ids: Vec<i32> = ids.filter(|&id| id >= 0).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let (meshes, fields) = (of_kind(GeomType::Mesh), of_kind(GeomType::Hfield));
        self.define("NMESH", meshes.len());
        let number = |kind: GeomType, ids: &[i32], g: usize| {
            let id = (m.geom_type[g] == kind as i32).then_some(m.geom_dataid[g]);
            id.and_then(|id| ids.iter().position(|&x| x == id)).unwrap_or(0) as i32
        };
        self.int("geom_mesh", (0..m.ngeom).map(|g| number(GeomType::Mesh, &meshes, g)));
        self.int("geom_hfield", (0..m.ngeom).map(|g| number(GeomType::Hfield, &fields, g)));
        self.meshes(m, &meshes);
        self.polygons(m, if m.opt.enabled(EnableBit::Multiccd) { &meshes } else { &[] });
        let mut heights = Vec::new();
        let mut adr = Vec::new();
        for &f in &fields {
            let (first, count) =
                (m.hfield_adr[f as usize], m.hfield_nrow[f as usize] * m.hfield_ncol[f as usize]);
            adr.push(heights.len() as i32);
            let rows = &m.hfield_data[first as usize..(first + count) as usize];
            heights.extend(rows.iter().map(|&h| f64::from(h)));
        }
        let sizes: Vec<[f64; 4]> = fields.iter().map(|&f| m.hfield_size[f as usize]).collect();
        self.int("hfield_adr", adr);
        self.int("hfield_nrow", fields.iter().map(|&f| m.hfield_nrow[f as usize]));
        self.int("hfield_ncol", fields.iter().map(|&f| m.hfield_ncol[f as usize]));
        self.real("hfield_size", sizes.as_flattened());
        self.real("hfield_data", &heights);
    }

    /// Faces of hulls, which are asked for where shapes have several contacts: corners, and faces around each vertex of a mesh.
    fn polygons(&mut self, m: &Model, meshes: &[i32]) {
        let list =
            |first: i32, count: i32| first.max(0) as usize..first.max(0) as usize + count.max(0) as usize;
        let (mut normals, mut corners, mut around, mut starts) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for mesh in meshes.iter().map(|&id| id as usize) {
            let before = corners.len() as i32;
            for p in list(m.mesh_polyadr[mesh], m.mesh_polynum[mesh]) {
                normals.extend(m.mesh_polynormal[p]);
                corners.push(m.mesh_polyvert[list(m.mesh_polyvertadr[p], m.mesh_polyvertnum[p])].to_vec());
            }
            for v in list(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]) {
                starts.push(around.len() as i32);
                let faces = &m.mesh_polymap[list(m.mesh_polymapadr[v], m.mesh_polymapnum[v])];
                around.extend(faces.iter().map(|face| before + face));
            }
            starts.push(around.len() as i32);
        }
        let most = corners.iter().map(Vec::len).max().unwrap_or(0);
        let (corner_starts, corners) = flatten(&corners);
        self.define("NCORNERS", most.clamp(4, MOST_CORNERS));
        self.real("poly_normal", &normals);
        self.int("poly_adr", corner_starts);
        self.int("poly_vert", corners);
        self.int("polymap_adr", starts);
        self.int("polymap", around);
    }

    /// Vertices and hull graphs; graphs keep the layout of the model.
    fn meshes(&mut self, m: &Model, meshes: &[i32]) {
        let (mut vertices, mut graphs): (Vec<f64>, Vec<i32>) = Default::default();
        let (mut vertex_adr, mut graph_adr, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        let mut hulls = Hulls::default();
        for mesh in meshes.iter().map(|&id| id as usize) {
            let (first, count) = (m.mesh_vertadr[mesh].max(0) as usize, m.mesh_vertnum[mesh].max(0) as usize);
            vertex_adr.push((vertices.len() / 3) as i32);
            counts.push(count as i32);
            let points = &m.mesh_vert[first..first + count];
            vertices.extend(points.iter().flatten().map(|&x| f64::from(x)));
            let Ok(adr) = usize::try_from(m.mesh_graphadr[mesh]) else {
                graph_adr.push(-1);
                hulls.add(&[], &[]);
                continue;
            };
            let (nvert, nface) = (m.mesh_graph[adr] as usize, m.mesh_graph[adr + 1] as usize);
            graph_adr.push(graphs.len() as i32);
            // counts, addresses, vertices; then a neighbour for each half edge and a closing mark for each vertex
            let graph = &m.mesh_graph[adr..adr + 2 + 2 * nvert + nvert + 3 * nface];
            graphs.extend_from_slice(graph);
            hulls.add(graph, points);
        }
        hulls.starts.push(hulls.ids.len() as i32);
        self.int("mesh_vertadr", vertex_adr);
        self.int("mesh_vertnum", counts);
        self.int("mesh_graphadr", graph_adr);
        self.int("mesh_graph", graphs);
        self.real("mesh_vert", &vertices);
        self.int("hull_adr", hulls.first);
        self.real("hull_vert", &hulls.vertices);
        self.real("hull_reach", &hulls.reaches);
        self.int("star_adr", hulls.starts);
        self.int("star_id", hulls.ids);
        self.real("star_vert", &hulls.neighbours);
    }

    /// Which pair functions the model needs.
    pub(super) fn pair_switches(&mut self, m: &Model, pairs: &Pairs, plain: bool) {
        use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sphere};
        let has = |x: GeomType, y: GeomType| pairs.any(m, |a, b| a == x && b == y);
        for (name, value) in [
            ("HAS_PLANE_BOX", has(Plane, Box)),
            ("HAS_PLANE_ELLIPSOID", has(Plane, Ellipsoid)),
            ("HAS_PLANE_CYLINDER", has(Plane, Cylinder)),
            ("HAS_PLANE_MESH", has(Plane, Mesh)),
            ("HAS_SPHERE_CYLINDER", has(Sphere, Cylinder)),
            ("HAS_SPHERE_BOX", has(Sphere, Box) || has(Capsule, Box)),
            ("HAS_CAPSULE_BOX", has(Capsule, Box)),
            ("HAS_BOX_BOX", has(Box, Box) && !plain),
            ("HAS_ROUND_ELLIPSOID", has(Sphere, Ellipsoid) || has(Capsule, Ellipsoid)),
            ("HAS_HFIELD", pairs.any(m, |a, _| a == Hfield)),
            ("HAS_CONVEX", pairs.has_general(m) && !plain),
            ("LEAVES_CONVEX", plain),
            ("HAS_MULTICCD", pairs.has_general(m) && !plain && m.opt.enabled(EnableBit::Multiccd)),
        ] {
            self.define(name, i32::from(value));
        }
    }
}

/// Hulls of meshes, so that what is read together stands together.
#[derive(Default)]
struct Hulls {
    /// First vertex of each hull.
    first: Vec<i32>,
    /// Vertices in the order of the graphs.
    vertices: Vec<f64>,
    /// Largest distance of a vertex from the origin, for each hull.
    reaches: Vec<f64>,
    /// Of each vertex, where its neighbours begin: numbers within the hull, and points.
    starts: Vec<i32>,
    ids: Vec<i32>,
    neighbours: Vec<f64>,
}

impl Hulls {
    /// The hull of a mesh with these points; without a graph there is none.
    fn add(&mut self, graph: &[i32], points: &[[f32; 3]]) {
        let count = graph.first().map_or(0, |&n| n as usize);
        self.first.push((self.vertices.len() / 3) as i32);
        let point = |local: usize| points[graph[2 + count + local] as usize].map(f64::from);
        let mut reach: f64 = 0.0;
        for local in 0..count {
            reach = reach.max(point(local).iter().map(|x| x * x).sum::<f64>().sqrt());
            self.vertices.extend(point(local));
            self.starts.push(self.ids.len() as i32);
            let edges = &graph[2 + 2 * count + graph[2 + local] as usize..];
            for &other in edges.iter().take_while(|&&other| other >= 0) {
                self.ids.push(other);
                self.neighbours.extend(point(other as usize));
            }
        }
        self.reaches.push(reach);
    }
}
