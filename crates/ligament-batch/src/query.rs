//! Questions about the geometry of worlds: Jacobians of points, and rays.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::operation::{At, Operation};
use crate::table::Parts;
use crate::worlds::Select;
use ligament_geom::ray::Ray;
use ligament_math::{MINVAL, vec3};
use ligament_sim::flex::flex_kinematics;
use ligament_sim::kinematics::{com_pos, kinematics};
use ligament_sim::ray::{RayFilter, ray};
use ligament_sim::support;

/// Rays of all worlds of a call, the same number in each.
pub struct Rays<'a> {
    /// Worlds × rays × 3.
    pub origins: &'a [f64],
    /// Worlds × rays × 3.
    pub directions: &'a [f64],
    /// Worlds × rays: bodies whose geoms a ray ignores; -1: none.
    pub exclude: &'a [i32],
    /// Visible groups; `None`: all.
    pub groups: Option<[u8; 6]>,
    /// Whether geoms that cannot move are seen.
    pub include_static: bool,
}

/// What rays meet.
pub struct RayHits<'a> {
    /// Worlds × rays: distance, -1 for none.
    pub distance: &'a mut [f64],
    /// Worlds × rays: the geom, -1 for none.
    pub geom: &'a mut [i32],
    /// Worlds × rays × 3: surface normals, zero for none.
    pub normal: Option<&'a mut [f64]>,
}

fn expect(what: &'static str, got: usize, expected: usize) -> Result<(), BatchError> {
    if got == expected { Ok(()) } else { Err(BatchError::Length { what, got, expected }) }
}

#[allow(unsafe_code)] // parts of one array are written by different threads
impl Batch {
    /// Jacobians (3 × nv for each world of the call) of points fixed to bodies, one of each per world of the call. State
    /// and results stay as they are.
    pub fn jac(
        &mut self,
        select: Select<'_>,
        bodies: &[i32],
        points: &[[f64; 3]],
        jacp: Option<&mut [f64]>,
        jacr: Option<&mut [f64]>,
    ) -> Result<usize, BatchError> {
        select.check(self.nsim())?;
        let (count, nv, nbody) = (select.len(self.nsim()), self.model().nv, self.model().nbody);
        expect("body", bodies.len(), count)?;
        expect("point", points.len(), count)?;
        if let Some(&body) = bodies.iter().find(|&&body| usize::try_from(body).map_or(true, |b| b >= nbody)) {
            return Err(BatchError::Body { body, count: nbody });
        }
        for (name, out) in [("jacp", &jacp), ("jacr", &jacr)] {
            if let Some(out) = out {
                expect(name, out.len(), count * 3 * nv)?;
            }
        }
        let jacp = jacp.map(|out| Parts::new(out, count));
        let jacr = jacr.map(|out| Parts::new(out, count));
        let function = |m: &_, d: &mut _, at: At| {
            kinematics(m, d);
            com_pos(m, d);
            // SAFETY: a call runs each of its items once, on one thread.
            let (p, r) =
                unsafe { (jacp.as_ref().map(|x| x.part(at.item)), jacr.as_ref().map(|x| x.part(at.item))) };
            support::jac(m, d, p, r, points[at.item], bodies[at.item] as usize);
            Ok(())
        };
        self.run(select, &Operation::Apply { function: &function, save: false })
    }

    /// The first geom that each ray meets. State and results stay as they are.
    pub fn ray(
        &mut self,
        select: Select<'_>,
        rays: &Rays<'_>,
        hits: RayHits<'_>,
    ) -> Result<usize, BatchError> {
        select.check(self.nsim())?;
        let (worlds, nbody) = (select.len(self.nsim()), self.model().nbody);
        let count = rays.exclude.len();
        expect("bodyexclude", count, count.checked_div(worlds).unwrap_or(0) * worlds)?;
        expect("pnt", rays.origins.len(), 3 * count)?;
        expect("vec", rays.directions.len(), 3 * count)?;
        expect("dist", hits.distance.len(), count)?;
        expect("geomid", hits.geom.len(), count)?;
        if let Some(&body) = rays.exclude.iter().find(|&&b| b < -1 || i64::from(b) >= nbody as i64) {
            return Err(BatchError::BodyExclude { body, count: nbody });
        }
        let directions = rays.directions.as_chunks::<3>().0;
        if directions.iter().any(|&direction| vec3::norm(direction) < MINVAL) {
            return Err(BatchError::ShortRay);
        }
        if let Some(normal) = &hits.normal {
            expect("normal", normal.len(), 3 * count)?;
        }
        let origins = rays.origins.as_chunks::<3>().0;
        let distance = Parts::new(hits.distance, worlds);
        let geom = Parts::new(hits.geom, worlds);
        let normal = hits.normal.map(|normal| Parts::new(normal, worlds));
        let per_world = count.checked_div(worlds).unwrap_or(0);
        let function = |m: &_, d: &mut _, at: At| {
            kinematics(m, d);
            flex_kinematics(m, d);
            // SAFETY: a call runs each of its items once, on one thread.
            let (distance, geom, mut normal) = unsafe {
                (distance.part(at.item), geom.part(at.item), normal.as_ref().map(|x| x.part(at.item)))
            };
            for k in 0..per_world {
                let i = at.item * per_world + k;
                let filter = RayFilter {
                    groups: rays.groups.as_ref(),
                    include_static: rays.include_static,
                    exclude_body: rays.exclude[i],
                };
                let found = ray(m, d, &Ray { origin: origins[i], direction: directions[i] }, &filter);
                distance[k] = found.map_or(-1.0, |f| f.hit.distance);
                geom[k] = found.map_or(-1, |f| f.geom as i32);
                if let Some(normal) = &mut normal {
                    normal[3 * k..3 * k + 3].copy_from_slice(&found.map_or([0.0; 3], |f| f.hit.normal));
                }
            }
            Ok(())
        };
        self.run(select, &Operation::Apply { function: &function, save: false })
    }
}
