//! Numbers of four worlds side by side: the working memory of stages that compute them together.

use crate::workspace::RungeKutta;
use ligament_math::four::Four;
use ligament_model::workspace::Workspace;
use ligament_model::{Data, Model};

/// Numbers in a row, whatever arrays they are grouped in.
pub(crate) trait Flat {
    type Number;
    fn flat(&self) -> &[Self::Number];
    fn flat_mut(&mut self) -> &mut [Self::Number];
}

macro_rules! flat {
    ($($number:ty),*) => {$(
        impl Flat for [$number] {
            type Number = $number;
            fn flat(&self) -> &[$number] {
                self
            }
            fn flat_mut(&mut self) -> &mut [$number] {
                self
            }
        }

        impl<const N: usize> Flat for [[$number; N]] {
            type Number = $number;
            fn flat(&self) -> &[$number] {
                self.as_flattened()
            }
            fn flat_mut(&mut self) -> &mut [$number] {
                self.as_flattened_mut()
            }
        }
    )*};
}
flat!(f64, Four);

/// Numbers of each world become numbers of four.
pub(crate) fn gather<A: Flat<Number = f64> + ?Sized, B: Flat<Number = Four> + ?Sized>(
    from: [&A; 4],
    to: &mut B,
) {
    let (from, to) = (from.map(A::flat), to.flat_mut());
    let (blocks, rest) = to.as_chunks_mut::<4>();
    let whole = 4 * blocks.len();
    let worlds = from.map(|numbers| numbers[..whole].as_chunks::<4>().0);
    for (k, block) in blocks.iter_mut().enumerate() {
        *block = Four::transposed(worlds.map(|world| Four::new(world[k])));
    }
    for (k, number) in rest.iter_mut().enumerate() {
        *number = Four::new(from.map(|numbers| numbers[whole + k]));
    }
}

/// Numbers of four worlds become numbers of each.
pub(crate) fn scatter<A: Flat<Number = Four> + ?Sized, B: Flat<Number = f64> + ?Sized>(
    from: &A,
    to: [&mut B; 4],
) {
    let (blocks, rest) = from.flat().as_chunks::<4>();
    let whole = 4 * blocks.len();
    let [a, b, c, d] = to.map(|numbers| numbers.flat_mut().split_at_mut(whole));
    let worlds = [a.0, b.0, c.0, d.0].map(|numbers| numbers.as_chunks_mut::<4>().0);
    let [a0, b0, c0, d0] = worlds;
    for ((((block, a), b), c), d) in blocks.iter().zip(a0).zip(b0).zip(c0).zip(d0) {
        [*a, *b, *c, *d] = Four::transposed(*block).map(Four::numbers);
    }
    for (k, number) in rest.iter().enumerate() {
        [a.1[k], b.1[k], c.1[k], d.1[k]] = number.numbers();
    }
}

macro_rules! lanes {
    ($($name:ident: $shape:ty,)*) => {
        /// What four worlds have, under the names of [`Data`]'s fields.
        #[derive(Debug)]
        pub struct Lanes {
            $(pub(crate) $name: Box<[$shape]>,)*
            /// Accelerations of and forces on bodies in the recursion of Newton and Euler.
            pub(crate) recursion: [Box<[[Four; 6]]>; 2],
            /// Forces, then accelerations, of a system with the pattern of M.
            pub(crate) solution: Box<[Four]>,
            /// The same in each world.
            pub(crate) accelerations: [Box<[f64]>; 4],
            pub(crate) runge_kutta: [RungeKutta; 4],
            /// The working memory of stages that go world by world: one for all, so that it stays in the caches.
            pub(crate) workspace: Workspace,
        }

        impl Lanes {
            /// Room for four worlds of the model, of which this is one.
            pub fn new(m: &Model, d: &Data) -> Self {
                Self {
                    $($name: vec![<$shape>::default(); d.$name.len()].into(),)*
                    recursion: std::array::from_fn(|_| vec![Default::default(); m.nbody].into()),
                    solution: vec![Four::default(); m.nv].into(),
                    accelerations: std::array::from_fn(|_| vec![0.0; m.nv].into()),
                    runge_kutta: Default::default(),
                    workspace: Workspace::default(),
                }
            }

            /// Is there room for four worlds like this one?
            pub(crate) fn fits(&self, d: &Data) -> bool {
                true $(&& self.$name.len() == d.$name.len())*
            }
        }
    };
}

lanes! {
    qpos: Four,
    qvel: Four,
    mocap_pos: [Four; 3],
    mocap_quat: [Four; 4],
    xpos: [Four; 3],
    xquat: [Four; 4],
    xmat: [Four; 9],
    xipos: [Four; 3],
    ximat: [Four; 9],
    xanchor: [Four; 3],
    xaxis: [Four; 3],
    geom_xpos: [Four; 3],
    geom_xmat: [Four; 9],
    site_xpos: [Four; 3],
    site_xmat: [Four; 9],
    subtree_com: [Four; 3],
    cinert: [Four; 10],
    cdof: [Four; 6],
    crb: [Four; 10],
    M: Four,
    qLD: Four,
    qLDiagInv: Four,
    cvel: [Four; 6],
    cdof_dot: [Four; 6],
    qfrc_bias: Four,
    qfrc_smooth: Four,
    qfrc_constraint: Four,
}
