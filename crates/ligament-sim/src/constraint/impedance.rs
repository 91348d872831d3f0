//! Softness of the rows: approximate inverse inertia, impedance, stiffness and damping of the reference
//! acceleration (book, "Constraint model: parameters").

use crate::awake::EqualityObjects;
use crate::parallel::{self, Cut};
use ligament_math::Vec3;
use ligament_model::constants::MINVAL;
use ligament_model::enums::{ConstraintType, EqType, ObjType};
use ligament_model::{Contact, Model};
use std::ops::Range;

use super::carriers::Carriers;
use super::softness::{SolverParams, reference_gains, shortest_time};

/// Which constraint each row belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Owners<'a> {
    pub kind: &'a [i32],
    pub id: &'a [i32],
    pub contact: &'a [Contact],
    /// Number of the first of these contacts.
    pub first_contact: usize,
    /// Kinds of equality constraints.
    pub equality: &'a [i32],
}

impl Owners<'_> {
    fn contact(&self, id: usize) -> &Contact {
        &self.contact[id - self.first_contact]
    }

    fn kind(self, row: usize) -> ConstraintType {
        ConstraintType::try_from(self.kind[row]).expect("rows have valid types")
    }

    /// Number of rows of the constraint that starts at `row`, as far as they share an impedance.
    fn dimension(self, row: usize) -> usize {
        let id = self.id[row] as usize;
        match self.kind(row) {
            ConstraintType::ContactElliptic => self.contact(id).dim as usize,
            ConstraintType::ContactPyramidal => 2 * (self.contact(id).dim as usize - 1),
            ConstraintType::Equality if self.equality[id] == EqType::Weld as i32 => 6,
            ConstraintType::Equality if self.equality[id] == EqType::Connect as i32 => 3,
            _ => 1,
        }
    }
}

fn is_contact(kind: i32) -> bool {
    kind >= ConstraintType::ContactFrictionless as i32
}

/// Rows of contacts and what goes into them.
struct ContactRows<'a> {
    kind: &'a [i32],
    id: &'a [i32],
    out: &'a mut [f64],
}

impl Cut for ContactRows<'_> {
    fn count(&self) -> usize {
        self.out.len()
    }

    /// At the first row of a contact.
    fn cut(self, at: usize) -> (Self, Self) {
        let id = self.id;
        let starts = |row: usize| row == 0 || row == id.len() || id[row] != id[row - 1];
        let at = (0..=at).rev().find(|&row| starts(row)).unwrap_or(0);
        let (kind, kind2) = self.kind.split_at(at);
        let (id, id2) = self.id.split_at(at);
        let (out, out2) = self.out.split_at_mut(at);
        (Self { kind, id, out }, Self { kind: kind2, id: id2, out: out2 })
    }
}

/// Inverse weights at `qpos0` of what constraints act on.
pub(crate) struct Weights<'a> {
    body: &'a [[f64; 2]],
    dof: &'a [f64],
    tendon: &'a [f64],
    /// First degrees of freedom of joints.
    joint_dof: &'a [i32],
    site_body: &'a [i32],
    ties: EqualityObjects<'a>,
    flex: FlexWeights<'a>,
}

/// Inverse weights of the edges of flexes, and where edges and vertices of each flex are.
struct FlexWeights<'a> {
    edge: &'a [f64],
    rigid: &'a [u8],
    edges: [&'a [i32]; 2],
    vertices: [&'a [i32]; 2],
    vertex_body: &'a [i32],
}

impl<'a> Weights<'a> {
    pub fn of(m: &'a Model) -> Self {
        Self {
            body: &m.body_invweight0,
            dof: &m.dof_invweight0,
            tendon: &m.tendon_invweight0,
            joint_dof: &m.jnt_dofadr,
            site_body: &m.site_bodyid,
            ties: EqualityObjects::of(m),
            flex: FlexWeights {
                edge: &m.flexedge_invweight0,
                rigid: &m.flexedge_rigid,
                edges: [&m.flex_edgeadr, &m.flex_edgenum],
                vertices: [&m.flex_vertadr, &m.flex_vertnum],
                vertex_body: &m.flex_vertbodyid,
            },
        }
    }

    fn joint(&self, joint: usize) -> f64 {
        self.dof[self.joint_dof[joint] as usize]
    }

    /// An estimate of the diagonal of J M⁻¹ Jᵀ, that of contacts on so many threads. `bodies` is working memory for each of
    /// them.
    pub fn diagonal(
        &self,
        threads: usize,
        owners: Owners,
        carriers: &Carriers,
        flexvert_xpos: &[Vec3],
        bodies: &mut Vec<Vec<(usize, f64)>>,
        out: &mut [f64],
    ) {
        let count = parallel::pieces(threads, 2).min(out.len() / MIN_ROWS).max(1);
        bodies.resize_with(count.max(bodies.len()), || Vec::with_capacity(8));
        if threads < 2 || count < 2 {
            self.rows(owners, carriers, flexvert_xpos, &mut bodies[0], 0..out.len(), out);
            return;
        }
        let contacts = owners.kind.partition_point(|&kind| !is_contact(kind));
        let row = self.rows(owners, carriers, flexvert_xpos, &mut bodies[0], 0..contacts, out);
        // equalities of flexes count rows that are empty and left out, as in 3.5.0: contacts may begin and end early
        if row > contacts {
            self.rows(owners, carriers, flexvert_xpos, &mut bodies[0], row..out.len(), out);
            return;
        }
        let Owners { kind, id, .. } = owners;
        let rest = ContactRows { kind: &kind[row..], id: &id[row..], out: &mut out[row..] };
        parallel::share_out(threads, rest, &mut bodies[..count], |part, bodies| {
            let owners = Owners { kind: part.kind, id: part.id, ..owners };
            self.rows(owners, carriers, flexvert_xpos, bodies, 0..part.out.len(), part.out);
        });
    }

    /// Fills rows of whole constraints; returns the row after them.
    fn rows(
        &self,
        owners: Owners,
        carriers: &Carriers,
        flexvert_xpos: &[Vec3],
        bodies: &mut Vec<(usize, f64)>,
        rows: Range<usize>,
        out: &mut [f64],
    ) -> usize {
        let mut row = rows.start;
        while row < rows.end {
            let id = owners.id[row] as usize;
            match owners.kind(row) {
                ConstraintType::Equality => row = self.equality(row, id, out),
                ConstraintType::FrictionDof => {
                    out[row] = self.dof[id];
                    row += 1;
                }
                ConstraintType::LimitJoint => {
                    out[row] = self.joint(id);
                    row += 1;
                }
                ConstraintType::FrictionTendon | ConstraintType::LimitTendon => {
                    out[row] = self.tendon[id];
                    row += 1;
                }
                kind @ (ConstraintType::ContactFrictionless
                | ConstraintType::ContactPyramidal
                | ConstraintType::ContactElliptic) => {
                    let n = owners.dimension(row).min(out.len() - row);
                    let con = owners.contact(id);
                    let [tran, rot] = self.sides(carriers, flexvert_xpos, con, bodies);
                    contact_weights(con, kind, tran, rot, &mut out[row..row + n]);
                    row += n;
                }
            }
        }
        row
    }

    /// Fills the rows of an equality constraint, returns the row after them.
    fn equality(&self, row: usize, eq: usize, out: &mut [f64]) -> usize {
        let EqualityObjects { kind, object, first, second } = self.ties;
        let (id1, id2) = (first[eq], second[eq]);
        let body = |id: i32| match object[eq] == ObjType::Site as i32 {
            true => self.body[self.site_body[id as usize] as usize],
            false => self.body[id as usize],
        };
        let both = |f: &dyn Fn(usize) -> f64| f(id1 as usize) + if id2 >= 0 { f(id2 as usize) } else { 0.0 };
        match EqType::try_from(kind[eq]) {
            Ok(kind @ (EqType::Connect | EqType::Weld)) => {
                let n = if kind == EqType::Weld { 6 } else { 3 };
                let (w1, w2) = (body(id1), body(id2));
                for k in 0..n {
                    out[row + k] = w1[k / 3] + w2[k / 3];
                }
                row + n
            }
            Ok(EqType::Joint) => {
                out[row] = both(&|joint| self.joint(joint));
                row + 1
            }
            Ok(EqType::Tendon) => {
                out[row] = both(&|tendon| self.tendon[tendon]);
                row + 1
            }
            Ok(EqType::Flex) => row + self.flex.edges(id1 as usize, &mut out[row..]),
            Ok(EqType::Flexvert) => row + self.flex.vertices(self.body, id1 as usize, &mut out[row..]),
            Ok(EqType::Distance) | Err(_) => row + 1,
        }
    }

    /// Translational and rotational inverse weight of the bodies of a contact, both sides together.
    fn sides(
        &self,
        carriers: &Carriers,
        flexvert_xpos: &[Vec3],
        con: &Contact,
        bodies: &mut Vec<(usize, f64)>,
    ) -> [f64; 2] {
        let (mut tran, mut rot) = (0.0, 0.0);
        for side in 0..2 {
            bodies.clear();
            carriers.side_bodies(flexvert_xpos, con, side, 1.0, bodies);
            for &(body, weight) in bodies.iter() {
                tran += self.body[body][0] * weight;
                rot += self.body[body][1] * weight;
            }
        }
        [tran, rot]
    }
}

impl FlexWeights<'_> {
    /// Fills the rows of the edges of a flex, as far as there are rows; returns their number.
    fn edges(&self, flex: usize, out: &mut [f64]) -> usize {
        let edges = items(self.edges, flex);
        if self.rigid[edges.clone()].iter().all(|&rigid| rigid == 0) {
            let count = edges.len().min(out.len());
            out[..count].copy_from_slice(&self.edge[edges][..count]);
            return count;
        }
        let soft = edges.filter(|&edge| self.rigid[edge] == 0);
        let rows = out.iter_mut().zip(soft).map(|(row, edge)| *row = self.edge[edge]);
        rows.count()
    }

    /// Fills the two rows of each vertex of a flex, as far as there are rows; returns their number.
    fn vertices(&self, body: &[[f64; 2]], flex: usize, out: &mut [f64]) -> usize {
        let weight = |vertex: usize| body[self.vertex_body[vertex] as usize][0];
        let twice = items(self.vertices, flex).flat_map(|vertex| [vertex, vertex]);
        let rows = out.iter_mut().zip(twice).map(|(row, vertex)| *row = weight(vertex));
        rows.count()
    }
}

/// What belongs to a flex: from the first on, so many.
fn items([first, count]: [&[i32]; 2], flex: usize) -> Range<usize> {
    let first = first[flex] as usize;
    first..first + count[flex] as usize
}

fn contact_weights(con: &Contact, kind: ConstraintType, tran: f64, rot: f64, out: &mut [f64]) {
    match kind {
        ConstraintType::ContactElliptic => {
            for (j, w) in out.iter_mut().enumerate() {
                *w = if j < 3 { tran } else { rot };
            }
        }
        ConstraintType::ContactPyramidal => {
            for (j, pair) in out.chunks_exact_mut(2).enumerate() {
                let mu = con.friction[j];
                pair.fill(tran + mu * mu * if j < 2 { tran } else { rot });
            }
        }
        _ => out.fill(tran),
    }
}

/// Solver parameters of one kind of constraint: `solref` and `solimp`.
type Given<'a> = (&'a [[f64; 2]], &'a [[f64; 5]]);

/// Solver parameters of everything that has constraints.
pub(crate) struct Parameters<'a> {
    equality: Given<'a>,
    joint: Given<'a>,
    dof: Given<'a>,
    tendon_limit: Given<'a>,
    tendon_friction: Given<'a>,
    shortest_time: f64,
    impratio: f64,
}

impl<'a> Parameters<'a> {
    pub fn of(m: &'a Model) -> Self {
        Self {
            equality: (&m.eq_solref, &m.eq_solimp),
            joint: (&m.jnt_solref, &m.jnt_solimp),
            dof: (&m.dof_solref, &m.dof_solimp),
            tendon_limit: (&m.tendon_solref_lim, &m.tendon_solimp_lim),
            tendon_friction: (&m.tendon_solref_fri, &m.tendon_solimp_fri),
            shortest_time: shortest_time(m),
            impratio: m.opt.impratio,
        }
    }

    /// Parameters of the constraint at `row`, made safe.
    fn of_row(&self, owners: Owners, row: usize) -> SolverParams {
        let id = owners.id[row] as usize;
        let own = |(solref, solimp): Given| SolverParams {
            solref: solref[id],
            solreffriction: [0.0; 2],
            solimp: solimp[id],
        };
        let params = match owners.kind(row) {
            ConstraintType::Equality => own(self.equality),
            ConstraintType::LimitJoint => own(self.joint),
            ConstraintType::FrictionDof => own(self.dof),
            ConstraintType::LimitTendon => own(self.tendon_limit),
            ConstraintType::FrictionTendon => own(self.tendon_friction),
            ConstraintType::ContactFrictionless
            | ConstraintType::ContactPyramidal
            | ConstraintType::ContactElliptic => {
                let con = owners.contact(id);
                SolverParams { solref: con.solref, solreffriction: con.solreffriction, solimp: con.solimp }
            }
        };
        params.with_shortest(self.shortest_time)
    }
}

fn power(a: f64, b: f64) -> f64 {
    if b == 1.0 {
        a
    } else if b == 2.0 {
        a * a
    } else {
        a.powf(b)
    }
}

/// Impedance d(r) and its derivative, r = pos − margin: a power-law sigmoid from dmin to dmax over `width`.
pub(crate) fn impedance(solimp: &[f64; 5], pos: f64, margin: f64) -> (f64, f64) {
    let [dmin, dmax, width, midpoint, exponent] = *solimp;
    if dmin == dmax || width <= MINVAL {
        return (0.5 * (dmin + dmax), 0.0);
    }
    let mut x = (pos - margin) / width;
    let mut sign = 1.0;
    if x < 0.0 {
        x = -x;
        sign = -1.0;
    }
    if x >= 1.0 {
        return (dmax, 0.0);
    }
    if x <= 0.0 {
        return (dmin, 0.0);
    }
    let (y, slope) = if exponent == 1.0 {
        (x, 1.0)
    } else if x <= midpoint {
        let a = 1.0 / power(midpoint, exponent - 1.0);
        (a * power(x, exponent), exponent * a * power(x, exponent - 1.0))
    } else {
        let b = 1.0 / power(1.0 - midpoint, exponent - 1.0);
        (1.0 - b * power(1.0 - x, exponent), exponent * b * power(1.0 - x, exponent - 1.0))
    };
    (dmin + y * (dmax - dmin), slope * sign * (dmax - dmin) / width)
}

/// Rows as they were made.
#[derive(Clone, Copy)]
pub(crate) struct MadeRows<'a> {
    pub kind: &'a [i32],
    pub id: &'a [i32],
    pub pos: &'a [f64],
    pub margin: &'a [f64],
    /// Kinds of equality constraints.
    pub equality: &'a [i32],
}

impl Parameters<'_> {
    /// Softness of all rows, the `mu` of cones, and a diagonal that is consistent with them.
    pub fn soften(&self, threads: usize, made: MadeRows, contact: &mut [Contact], out: SoftRows) {
        let all = SoftPart { made, first_row: 0, first_contact: 0, contact, out };
        parallel::split(threads, MIN_ROWS, all, |part| self.soften_part(part));
    }

    fn soften_part(&self, part: SoftPart) {
        let SoftPart { made, first_contact, contact, mut out, .. } = part;
        let MadeRows { kind, id, pos, margin, equality } = made;
        let mut row = 0;
        while row < kind.len() {
            let owners = Owners { kind, id, contact, first_contact, equality };
            let (kind, id, dim) = (owners.kind(row), owners.id[row] as usize, owners.dimension(row));
            let p = self.of_row(owners, row);
            let pos = if kind == ConstraintType::Equality && dim > 1 {
                ligament_math::dense::norm(&pos[row..row + dim])
            } else {
                pos[row]
            };
            let (imp, slope) = impedance(&p.solimp, pos, margin[row]);
            let softness = Softness { p: &p, kind, imp, slope, impratio: self.impratio };
            let own = out.range(row..row + dim);
            match kind {
                ConstraintType::ContactPyramidal => softness.pyramid(&mut contact[id - first_contact], own),
                ConstraintType::ContactElliptic => softness.ellipse(&mut contact[id - first_contact], own),
                _ => softness.rows(own),
            }
            row += dim;
        }
    }
}

/// Rows below which another thread costs more than it saves: they take ten microseconds.
const MIN_ROWS: usize = 500;

/// Consecutive rows of whole constraints, and the contacts among these (of the last rows, with all that follow).
struct SoftPart<'a> {
    made: MadeRows<'a>,
    first_row: usize,
    first_contact: usize,
    contact: &'a mut [Contact],
    out: SoftRows<'a>,
}

impl SoftPart<'_> {
    /// The contact that a row belongs to.
    fn contact_of(&self, row: usize) -> Option<usize> {
        is_contact(self.made.kind[row]).then(|| self.made.id[row] as usize - self.first_contact)
    }

    /// The first row of the constraint that a row belongs to; rows of flexes are taken apart where that is possible.
    fn start_of(&self, row: usize) -> usize {
        if let Some(contact) = self.contact_of(row) {
            return (self.contact[contact].efc_address as usize).saturating_sub(self.first_row).min(row);
        }
        let MadeRows { kind, id, equality, .. } = self.made;
        let several = |row: usize| {
            let kind = EqType::try_from(equality[id[row] as usize]);
            matches!(kind, Ok(EqType::Connect | EqType::Weld))
        };
        if kind[row] != ConstraintType::Equality as i32 || !several(row) {
            return row;
        }
        (0..row).rev().take_while(|&i| kind[i] == kind[row] && id[i] == id[row]).last().unwrap_or(row)
    }
}

impl Cut for SoftPart<'_> {
    fn count(&self) -> usize {
        self.made.kind.len()
    }

    /// At the start of the constraint there.
    fn cut(self, at: usize) -> (Self, Self) {
        let at = if at < self.count() { self.start_of(at) } else { at };
        let contacts = if at < self.count() { self.contact_of(at).unwrap_or(0) } else { self.contact.len() };
        let Self { made, first_row, first_contact, contact, out } = self;
        let (made, made2) = made.split(at);
        let (contact, contact2) = contact.split_at_mut(contacts);
        let (out, out2) = out.split(at);
        let (row2, first2) = (first_row + at, first_contact + contacts);
        (
            Self { made, first_row, first_contact, contact, out },
            Self { made: made2, first_row: row2, first_contact: first2, contact: contact2, out: out2 },
        )
    }
}

/// How soft the rows of one constraint are.
#[derive(Clone, Copy)]
struct Softness<'a> {
    p: &'a SolverParams,
    kind: ConstraintType,
    /// Impedance and its derivative.
    imp: f64,
    slope: f64,
    impratio: f64,
}

/// Softness of some rows.
pub(crate) struct SoftRows<'a> {
    pub R: &'a mut [f64],
    pub D: &'a mut [f64],
    pub KBIP: &'a mut [[f64; 4]],
    /// In: the estimate of the diagonal of J M⁻¹ Jᵀ; out: the one that `R` belongs to.
    pub diag: &'a mut [f64],
}

impl MadeRows<'_> {
    fn split(self, at: usize) -> (Self, Self) {
        let part = |rows: Range<usize>| Self {
            kind: &self.kind[rows.clone()],
            id: &self.id[rows.clone()],
            pos: &self.pos[rows.clone()],
            margin: &self.margin[rows],
            equality: self.equality,
        };
        (part(0..at), part(at..self.kind.len()))
    }
}

impl<'a> SoftRows<'a> {
    fn split(self, at: usize) -> (Self, Self) {
        let (R, R2) = self.R.split_at_mut(at);
        let (D, D2) = self.D.split_at_mut(at);
        let (KBIP, KBIP2) = self.KBIP.split_at_mut(at);
        let (diag, diag2) = self.diag.split_at_mut(at);
        (Self { R, D, KBIP, diag }, Self { R: R2, D: D2, KBIP: KBIP2, diag: diag2 })
    }

    fn range(&mut self, rows: Range<usize>) -> SoftRows<'_> {
        SoftRows {
            R: &mut self.R[rows.clone()],
            D: &mut self.D[rows.clone()],
            KBIP: &mut self.KBIP[rows.clone()],
            diag: &mut self.diag[rows],
        }
    }
}

impl Softness<'_> {
    /// R = (1 − d) / d · diag(J M⁻¹ Jᵀ).
    fn regularization(self, diag: f64) -> f64 {
        let r = (1.0 - self.imp) * diag / self.imp;
        // NaN stays: a model without inertia must not look sound
        if r < MINVAL { MINVAL } else { r }
    }

    fn consistent_diag(self, r: f64) -> f64 {
        r * self.imp / (1.0 - self.imp)
    }

    /// Regularisation of friction, from that of the normal force.
    fn tangential(self, normal: f64) -> f64 {
        normal / MINVAL.max(self.impratio)
    }

    fn kbip(self, j: usize) -> [f64; 4] {
        let (k, b) = stiffness_damping(self.p, self.kind, j);
        [k, b, self.imp, self.slope]
    }

    fn rows(self, out: SoftRows) {
        for j in 0..out.R.len() {
            out.R[j] = self.regularization(out.diag[j]);
            out.KBIP[j] = self.kbip(j);
        }
        self.finish(out);
    }

    /// Regularisation of friction: R₁ = R₀ / impratio, R_j μ_j² = R₁ μ₁².
    fn ellipse(self, con: &mut Contact, out: SoftRows) {
        let f = con.friction;
        out.R[0] = self.regularization(out.diag[0]);
        out.R[1] = self.tangential(out.R[0]);
        con.mu = f[0] * (out.R[1] / out.R[0]).sqrt();
        for j in 1..out.R.len() - 1 {
            out.R[j + 1] = out.R[1] * f[0] * f[0] / (f[j] * f[j]);
        }
        for (j, kbip) in out.KBIP.iter_mut().enumerate() {
            *kbip = self.kbip(j);
        }
        self.finish(out);
    }

    /// All edges of a pyramid share 2 μ² R₀.
    fn pyramid(self, con: &mut Contact, out: SoftRows) {
        let normal = self.regularization(out.diag[0]);
        con.mu = con.friction[0] * (self.tangential(normal) / normal).sqrt();
        let common = 2.0 * con.mu * con.mu * normal;
        out.R.fill(common);
        out.D.fill(1.0 / common);
        out.diag.fill(self.consistent_diag(common));
        out.KBIP.fill(self.kbip(0));
    }

    fn finish(self, out: SoftRows) {
        for ((d, diag), &r) in out.D.iter_mut().zip(out.diag).zip(&*out.R) {
            *d = 1.0 / r;
            *diag = self.consistent_diag(r);
        }
    }
}

/// Stiffness and damping of row `j` of a constraint.
fn stiffness_damping(p: &SolverParams, kind: ConstraintType, j: usize) -> (f64, f64) {
    let tangent = kind == ConstraintType::ContactElliptic && j > 0;
    let solref = if tangent && p.solreffriction != [0.0; 2] { p.solreffriction } else { p.solref };
    let friction = tangent || matches!(kind, ConstraintType::FrictionDof | ConstraintType::FrictionTendon);
    let (k, b) = reference_gains(solref, p.solimp[1]);
    (if friction { 0.0 } else { k }, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F3.11: impedance at its landmarks: dmin at the margin, dmax beyond the width, the sigmoid between.
    #[test]
    fn impedance_curve() {
        let solimp = [0.9, 0.95, 0.001, 0.5, 2.0];
        assert_eq!(impedance(&solimp, 0.0, 0.0), (0.9, 0.0));
        assert_eq!(impedance(&solimp, -0.01, 0.0), (0.95, 0.0));
        let (at_mid, slope) = impedance(&solimp, -0.0005, 0.0);
        assert!((at_mid - 0.925).abs() < 1e-15 && slope < 0.0);
        // y(0.25) = 0.25² / 0.5
        assert!((impedance(&solimp, 0.00025, 0.0).0 - (0.9 + 0.05 * 0.125)).abs() < 1e-15);
        assert_eq!(impedance(&[0.8, 0.8, 0.001, 0.5, 2.0], -1.0, 0.0), (0.8, 0.0));
        assert!(
            (impedance(&[0.0001, 0.9999, 1.0, 0.5, 1.0], 0.3, 0.0).0 - (0.0001 + 0.3 * 0.9998)).abs() < 1e-15
        );
    }
}
