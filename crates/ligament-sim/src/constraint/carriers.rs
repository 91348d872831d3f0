//! Bodies that carry the two sides of a contact: that of a geom, of a flex vertex, or those of a flex element.

use crate::support::{Chains, Motion};
use crate::workspace::ConstraintScratch;
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::{Contact, Model};

use super::jacobian::{difference, weighted_sum};

/// Which bodies geoms, and vertices and nodes of flexes, belong to.
pub(crate) struct Carriers<'a> {
    geom: &'a [i32],
    /// Where there are any.
    flexes: Option<Flexes<'a>>,
}

/// Vertices, elements and nodes of flexes.
struct Flexes<'a> {
    dim: &'a [i32],
    interp: &'a [i32],
    /// Are contacts passive forces?
    passive: &'a [i32],
    first_vertex: &'a [i32],
    vertex_count: &'a [i32],
    /// Bodies of vertices, and where vertices are in the unit box.
    vertex: &'a [i32],
    vertex0: &'a [Vec3],
    element_count: &'a [i32],
    first_corner: &'a [i32],
    corners: &'a [i32],
    first_node: &'a [i32],
    node_count: &'a [i32],
    /// Bodies of nodes.
    node: &'a [i32],
}

impl<'a> Carriers<'a> {
    pub fn of(m: &'a Model) -> Self {
        Self { geom: &m.geom_bodyid, flexes: (m.nflex > 0).then(|| Flexes::of(m)) }
    }

    /// Does the contact name things that exist? Contacts made by hand may not.
    pub fn know(&self, con: &Contact) -> bool {
        let flexes = self.flexes.as_ref().map_or(0, |flexes| flexes.dim.len() as i32);
        let side = |side: usize| match usize::try_from(con.geom[side]) {
            Ok(geom) => geom < self.geom.len() && con.flex[side] < flexes,
            Err(_) => self.flexes.as_ref().is_some_and(|flexes| flexes.know(con, side)),
        };
        (1..=6).contains(&con.dim) && side(0) && side(1)
    }

    /// Does a passive flex take part in this contact?
    pub fn is_passive(&self, con: &Contact) -> bool {
        self.flexes.as_ref().is_some_and(|flexes| {
            con.flex.iter().any(|&flex| flex >= 0 && flexes.passive[flex as usize] != 0)
        })
    }

    /// The body of the geom on one side of a contact, if there is one.
    pub fn geom_body(&self, con: &Contact, side: usize) -> Option<usize> {
        Some(self.geom[usize::try_from(con.geom[side]).ok()?] as usize)
    }

    /// The body that carries one side of a contact, if it is a single one.
    pub fn single_body(&self, con: &Contact, side: usize) -> Option<usize> {
        self.geom_body(con, side).or_else(|| self.flexes.as_ref()?.single_body(con, side))
    }

    /// Bodies that carry one side of a contact, with weights that sum to `sign`.
    pub fn side_bodies(
        &self,
        flexvert_xpos: &[Vec3],
        con: &Contact,
        side: usize,
        sign: f64,
        bodies: &mut Vec<(usize, f64)>,
    ) {
        if let Some(body) = self.geom_body(con, side) {
            bodies.push((body, sign));
        } else if let Some(flexes) = &self.flexes {
            flexes.side_bodies(flexvert_xpos, con, side, sign, bodies);
        }
    }

    /// Jacobian of the second side of a contact against the first: fills `cols`, `lin`, `ang`.
    pub fn jacobian(
        &self,
        chains: &Chains,
        motion: Motion,
        flexvert_xpos: &[Vec3],
        con: &Contact,
        s: &mut ConstraintScratch,
    ) {
        if let (Some(body1), Some(body2)) = (self.single_body(con, 0), self.single_body(con, 1)) {
            difference(chains, motion, (body1, con.pos), (body2, con.pos), s);
            return;
        }
        let mut bodies = std::mem::take(&mut s.bodies);
        bodies.clear();
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            self.side_bodies(flexvert_xpos, con, side, sign, &mut bodies);
        }
        s.bodies = bodies;
        weighted_sum(chains, motion, con.pos, s);
    }
}

impl<'a> Flexes<'a> {
    fn of(m: &'a Model) -> Self {
        Self {
            dim: &m.flex_dim,
            interp: &m.flex_interp,
            passive: &m.flex_passive,
            first_vertex: &m.flex_vertadr,
            vertex_count: &m.flex_vertnum,
            vertex: &m.flex_vertbodyid,
            vertex0: &m.flex_vert0,
            element_count: &m.flex_elemnum,
            first_corner: &m.flex_elemdataadr,
            corners: &m.flex_elem,
            first_node: &m.flex_nodeadr,
            node_count: &m.flex_nodenum,
            node: &m.flex_nodebodyid,
        }
    }

    /// Does one side of a contact name a vertex or an element that exists?
    fn know(&self, con: &Contact, side: usize) -> bool {
        let below = |id: i32, count: i32| (0..count).contains(&id);
        let (flex, vertex) = (con.flex[side], con.vert[side]);
        below(flex, self.dim.len() as i32)
            && (below(vertex, self.vertex_count[flex as usize])
                || (vertex < 0 && below(con.elem[side], self.element_count[flex as usize])))
    }

    /// The body of the vertex on one side of a contact, if it is one that a body carries.
    fn single_body(&self, con: &Contact, side: usize) -> Option<usize> {
        let flex = con.flex[side] as usize;
        (con.vert[side] >= 0 && self.interp[flex] == 0)
            .then(|| self.vertex[(self.first_vertex[flex] + con.vert[side]) as usize] as usize)
    }

    /// Bodies that carry one side of a contact, with weights that sum to `sign`.
    fn side_bodies(
        &self,
        flexvert_xpos: &[Vec3],
        con: &Contact,
        side: usize,
        sign: f64,
        bodies: &mut Vec<(usize, f64)>,
    ) {
        let flex = con.flex[side] as usize;
        let mut vertices = [(0usize, 0.0); 4];
        let mut count = 1;
        if con.vert[side] >= 0 {
            vertices[0] = (self.first_vertex[flex] as usize + con.vert[side] as usize, sign);
        } else {
            count = self.element_weights(flexvert_xpos, con, side, &mut vertices);
            for v in &mut vertices[..count] {
                v.1 *= sign;
            }
        }
        let vertices = &vertices[..count];
        if self.interp[flex] == 0 {
            bodies.extend(vertices.iter().map(|&(v, w)| (self.vertex[v] as usize, w)));
        } else {
            self.node_weights(flex, vertices, bodies);
        }
    }

    /// Weights of the vertices of a flex element on one side of a contact: inverse distances to the point. The vertex of
    /// the same element on the other side, in a contact of a flex with itself, carries nothing.
    fn element_weights(
        &self,
        flexvert_xpos: &[Vec3],
        con: &Contact,
        side: usize,
        out: &mut [(usize, f64); 4],
    ) -> usize {
        let (flex, element, skip) = (con.flex[side] as usize, con.elem[side] as usize, con.vert[1 - side]);
        let corners = self.dim[flex] as usize + 1;
        let first = self.first_vertex[flex] as usize;
        let adr = self.first_corner[flex] as usize + element * corners;
        let mut count = 0;
        for &vertex in &self.corners[adr..adr + corners] {
            if vertex != skip {
                let v = first + vertex as usize;
                out[count] = (v, 1.0 / vec3::distance(con.pos, flexvert_xpos[v]).max(MINVAL));
                count += 1;
            }
        }
        let sum: f64 = out[..count].iter().map(|v| v.1).sum();
        for v in &mut out[..count] {
            v.1 *= 1.0 / sum;
        }
        count
    }

    /// Weights of the nodes of an interpolated flex. The coordinates are weighted with the sign of the side, as in the
    /// reference: on the first side the basis is evaluated at the mirrored point.
    fn node_weights(&self, flex: usize, vertices: &[(usize, f64)], bodies: &mut Vec<(usize, f64)>) {
        let mut coordinates = [0.0; 3];
        for &(v, w) in vertices {
            coordinates = vec3::add_scaled(coordinates, self.vertex0[v], w);
        }
        let first = self.first_node[flex] as usize;
        for node in 0..self.node_count[flex] as usize {
            let w = basis(coordinates, node, self.interp[flex]);
            if !(w < 1e-5) {
                bodies.push((self.node[first + node] as usize, w));
            }
        }
    }
}

/// Tensor-product shape function of a node: trilinear (order 1) or triquadratic (order 2), z fastest.
pub fn basis(x: Vec3, node: usize, order: i32) -> f64 {
    let linear = |s: f64, upper: bool| if upper { s } else { 1.0 - s };
    let quadratic = |s: f64, i: usize| match i {
        0 => 2.0 * s * s - 3.0 * s + 1.0,
        1 => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    };
    if order == 1 {
        linear(x[2], node & 1 != 0) * linear(x[1], node & 2 != 0) * linear(x[0], node & 4 != 0)
    } else {
        quadratic(x[2], node % 3) * quadratic(x[1], (node / 3) % 3) * quadratic(x[0], node / 9)
    }
}
