//! Paths of spatial tendons: stretches from site to site, straight or around a geom.

use super::actuation::wraps;
use super::tree::Tree;
use ligament_model::Model;
use ligament_model::enums::WrapType;
use ligament_sim::wrap::Obstacle;

/// A dof that one end of a straight piece moves with and the other does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub dof: u32,
    /// Place in the tendon's Jacobian.
    pub place: u32,
    /// It moves the end of the piece, not its start.
    pub end: bool,
}

/// A straight piece of a path between points of two bodies. A dof that moves both ends turns the piece and does not
/// stretch it; only the others are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub bodies: [u32; 2],
    pub moments: Vec<Moment>,
}

/// A geom that a stretch may have to go around.
#[derive(Debug, Clone)]
pub struct Around<N = f64> {
    pub geom: u32,
    pub kind: Obstacle,
    pub radius: N,
    /// Site that says on which side.
    pub side: Option<u32>,
    /// From the first site to the geom, and from the geom to the second.
    pub pieces: [Piece; 2],
}

/// Part of a spatial tendon from one site to the next.
#[derive(Debug, Clone)]
pub struct Stretch<N = f64> {
    pub sites: [u32; 2],
    pub direct: Piece,
    pub obstacle: Option<Around<N>>,
    /// What its length is divided by, behind a pulley.
    pub divisor: N,
    /// Its inverse.
    pub share: N,
}

/// The path of a spatial tendon whose Jacobian has the columns `dofs`.
pub(super) fn stretches(m: &Model, tree: &Tree, t: usize, dofs: &[u32]) -> Vec<Stretch> {
    let range = wraps(m, t);
    let kind = |w: usize| WrapType::try_from(m.wrap_type[w]).unwrap_or(WrapType::None);
    let (mut path, mut divisor) = (Vec::new(), 1.0);
    let mut w = range.start;
    while w + 1 < range.end {
        if kind(w) == WrapType::Pulley {
            divisor = m.wrap_prm[w];
        }
        if kind(w) == WrapType::Pulley || kind(w + 1) == WrapType::Pulley {
            w += 1;
            continue;
        }
        let around = match kind(w + 1) {
            WrapType::Sphere => Some(Obstacle::Sphere),
            WrapType::Cylinder => Some(Obstacle::Cylinder),
            _ => None,
        };
        let next = w + if around.is_some() { 2 } else { 1 };
        let sites = [w, next].map(|w| m.wrap_objid[w] as u32);
        let bodies = sites.map(|s| m.site_bodyid[s as usize] as u32);
        let obstacle = around.map(|kind| {
            let geom = m.wrap_objid[w + 1] as usize;
            let on = m.geom_bodyid[geom] as u32;
            let side = m.wrap_prm[w + 1].round();
            Around {
                geom: geom as u32,
                kind,
                radius: m.geom_size[geom][0],
                side: (side >= 0.0 && side < m.nsite as f64).then_some(side as u32),
                pieces: [piece(tree, [bodies[0], on], dofs), piece(tree, [on, bodies[1]], dofs)],
            }
        });
        path.push(Stretch {
            sites,
            direct: piece(tree, bodies, dofs),
            obstacle,
            divisor,
            share: 1.0 / divisor,
        });
        w = next;
    }
    path
}

fn piece(tree: &Tree, bodies: [u32; 2], dofs: &[u32]) -> Piece {
    let [start, end] = bodies.map(|b| tree.chain(b as usize));
    let common = start.iter().zip(end).take_while(|(a, b)| a == b).count();
    let moment = |dof: u32, end: bool| {
        let place = dofs.binary_search(&dof).unwrap_or(0) as u32;
        Moment { dof, place, end }
    };
    let moments = start[common..].iter().map(|&d| moment(d, false));
    Piece { bodies, moments: moments.chain(end[common..].iter().map(|&d| moment(d, true))).collect() }
}
