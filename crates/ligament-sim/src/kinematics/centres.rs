//! Centres of mass of subtrees, and inertias and motion axes about them: kernels on slices.

use crate::support::skeleton::{Body, Cut, Divide, Dof, Skeleton, Span};
use ligament_math::four::Four;
use ligament_math::{MINVAL, Mat3, Number, Vec3, mat3, spatial, vec3};
use ligament_model::Model;
use ligament_model::enums::JointType;
use std::ops::{Index, Range};

/// Masses of bodies and of what hangs on them.
#[derive(Clone, Copy)]
pub(super) struct Masses<'a> {
    skeleton: Skeleton<'a>,
    root: &'a [i32],
    mass: &'a [f64],
    inertia: &'a [Vec3],
    subtree: &'a [f64],
}

impl<'a> Masses<'a> {
    #[inline(always)]
    pub fn of(m: &'a Model) -> Self {
        Self {
            skeleton: Skeleton::of(m),
            root: &m.body_rootid[..m.nbody],
            mass: &m.body_mass[..m.nbody],
            inertia: &m.body_inertia[..m.nbody],
            subtree: &m.body_subtreemass[..m.nbody],
        }
    }

    /// Mass times position of some bodies.
    #[inline(always)]
    pub fn own_moments<T: Number>(
        &self,
        xipos: &(impl Index<usize, Output = [T; 3]> + ?Sized),
        bodies: impl Iterator<Item = usize>,
        out: &mut Span<Body, [T; 3]>,
    ) {
        for i in bodies {
            out[i] = vec3::scale(xipos[i], T::splat(self.mass[i]));
        }
    }

    /// Adds the moments of `bodies`, children first, to those of their parents; a sleeping body still holds its centre, not
    /// its moment. The world's is left for [`Self::world_moment`].
    #[inline(always)]
    pub fn add_to_parents<T: Number>(
        &self,
        bodies: impl Iterator<Item = usize>,
        asleep: impl Fn(usize) -> bool,
        out: &mut Span<Body, [T; 3]>,
    ) {
        for i in bodies {
            let parent = self.skeleton.parent[i] as usize;
            if parent > 0 {
                out[parent] = vec3::add(out[parent], self.moment(out[i], i, &asleep));
            }
        }
    }

    /// Moment of everything, from those of the world's children, given last first.
    pub fn world_moment<T: Number>(
        &self,
        bodies: impl Iterator<Item = usize>,
        asleep: impl Fn(usize) -> bool,
        moments: &mut [[T; 3]],
    ) {
        let mut sum = moments[0];
        for i in bodies.filter(|&i| self.skeleton.parent[i] == 0) {
            sum = vec3::add(sum, self.moment(moments[i], i, &asleep));
        }
        moments[0] = sum;
    }

    #[inline]
    fn moment<T: Number>(&self, held: [T; 3], i: usize, asleep: impl Fn(usize) -> bool) -> [T; 3] {
        if asleep(i) { vec3::scale(held, T::splat(self.subtree[i])) } else { held }
    }

    /// Centre of mass from a moment.
    #[inline]
    pub fn centre<T: Number>(&self, moment: [T; 3], xipos: [T; 3], i: usize) -> [T; 3] {
        centre_of(self.subtree[i], moment, xipos)
    }

    /// Moments become centres; inertias and motion axes are taken about the centre of each tree.
    #[inline(always)]
    pub fn about_centres<T: Number, P, R, J>(
        &self,
        poses: &CentrePoses<P, R, J>,
        bodies: impl Iterator<Item = usize>,
        out: &mut Centres<T>,
    ) where
        P: Index<usize, Output = [T; 3]> + ?Sized,
        R: Index<usize, Output = [T; 9]> + ?Sized,
        J: Index<usize, Output = [T; 3]> + ?Sized,
    {
        for i in bodies {
            let xipos = poses.xipos[i];
            out.com[i] = self.centre(out.com[i], xipos, i);
            let com = out.com[self.root[i] as usize];
            let (inertia, mass) = (T::all(self.inertia[i]), T::splat(self.mass[i]));
            out.cinert[i] = spatial::inertia_about(inertia, &poses.ximat[i], vec3::sub(xipos, com), mass);
            for j in self.skeleton.joints(i) {
                let (kind, dof) = (self.skeleton.kind[j], self.skeleton.dof[j] as usize);
                let offset = vec3::sub(com, poses.xanchor[j]);
                joint_axes(kind, &poses.xmat[i], poses.xaxis[j], offset, out.cdof.from(dof));
            }
        }
    }
}

impl Masses<'_> {
    /// [`Self::about_centres`] of points: nothing hangs on them, and their three joints slide.
    #[inline(never)]
    pub fn about_points(self, poses: CentreSlices<f64>, points: Range<usize>, mut out: Centres<f64>) {
        let joint = self.skeleton.joints(points.start).start;
        let (dof, count) = (self.skeleton.dof[joint] as usize, 3 * points.len());
        let axes = poses.xaxis[joint..joint + count].iter();
        for (cdof, &axis) in out.cdof.range(dof..dof + count).iter_mut().zip(axes) {
            *cdof = spatial::join([0.0; 3], axis);
        }
        let places = poses.xipos[points.clone()].iter().zip(&poses.ximat[points.clone()]);
        let bodies = self.mass[points.clone()].iter().zip(&self.inertia[points.clone()]);
        let bodies = bodies.zip(&self.subtree[points.clone()]);
        let results = out.com.range(points.clone()).iter_mut().zip(out.cinert.range(points));
        for (((&xipos, ximat), ((&mass, &inertia), &subtree)), (com, cinert)) in
            places.zip(bodies).zip(results)
        {
            *com = centre_of(subtree, *com, xipos);
            let offset = vec3::sub(xipos, *com);
            *cinert = if is_identity(ximat) {
                spatial::inertia_beside(inertia, offset, mass)
            } else {
                spatial::inertia_about(inertia, ximat, offset, mass)
            };
        }
    }
}

#[inline(always)]
fn is_identity(&[a, b, c, d, e, f, g, h, i]: &Mat3) -> bool {
    let first = Four::new([1.0, 0.0, 0.0, 0.0]);
    (Four::new([a, b, c, d]) == first) & (Four::new([e, f, g, h]) == first) & (i == 1.0)
}

/// Centre of a mass from its moment; what has no mass has it where it is.
#[inline]
fn centre_of<T: Number>(mass: f64, moment: [T; 3], xipos: [T; 3]) -> [T; 3] {
    if mass < MINVAL { xipos } else { vec3::scale(moment, T::splat(1.0 / mass)) }
}

/// What [`Masses::about_centres`] reads of a state: lists of everything, or spans of a piece.
pub(super) struct CentrePoses<'a, P: ?Sized, R: ?Sized, J: ?Sized> {
    pub xipos: &'a P,
    pub ximat: &'a R,
    pub xmat: &'a R,
    pub xanchor: &'a J,
    pub xaxis: &'a J,
}

/// [`CentrePoses`] of everything.
pub(super) type CentreSlices<'a, T> = CentrePoses<'a, [[T; 3]], [[T; 9]], [[T; 3]]>;

impl<P: ?Sized, R: ?Sized, J: ?Sized> Clone for CentrePoses<'_, P, R, J> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized, R: ?Sized, J: ?Sized> Copy for CentrePoses<'_, P, R, J> {}

/// Centres of mass of consecutive subtrees (moments before), inertias of bodies and motion axes.
pub(super) struct Centres<'a, T> {
    pub com: Span<'a, Body, [T; 3]>,
    pub cinert: Span<'a, Body, [T; 10]>,
    pub cdof: Span<'a, Dof, [T; 6]>,
}

impl<T: Number> Divide for Centres<'_, T> {
    fn divide(self, cut: &Cut) -> (Self, Self) {
        let (com, com2) = self.com.divide(cut);
        let (cinert, cinert2) = self.cinert.divide(cut);
        let (cdof, cdof2) = self.cdof.divide(cut);
        (Self { com, cinert, cdof }, Self { com: com2, cinert: cinert2, cdof: cdof2 })
    }
}

/// Motion axes of a joint; `offset` leads from its anchor to the reference point.
#[inline(always)]
fn joint_axes<T: Number>(kind: i32, xmat: &[T; 9], axis: [T; 3], offset: [T; 3], cdof_out: &mut [[T; 6]]) {
    let rotation = |axis: [T; 3]| spatial::join(axis, vec3::cross(axis, offset));
    match JointType::try_from(kind) {
        Ok(JointType::Free) => {
            for (k, axis) in cdof_out.iter_mut().take(3).enumerate() {
                *axis = T::all([0.0; 6]);
                axis[3 + k] = T::splat(1.0);
            }
            for k in 0..3 {
                cdof_out[3 + k] = rotation(mat3::col(xmat, k));
            }
        }
        Ok(JointType::Ball) => {
            for k in 0..3 {
                cdof_out[k] = rotation(mat3::col(xmat, k));
            }
        }
        Ok(JointType::Slide) => cdof_out[0] = spatial::join(T::all([0.0; 3]), axis),
        Ok(JointType::Hinge) => cdof_out[0] = rotation(axis),
        Err(_) => {}
    }
}
