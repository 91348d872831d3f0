//! The state of one simulation and everything computed from it.

use crate::array::{ArrayMut, ArrayRef, Element, Shape};
use crate::callbacks::Callbacks;
use crate::constants::{NISLAND, NSOLVER};
use crate::contact::Contact;
use crate::enums::{Timer, Warning};
use crate::fault::Fault;
use crate::fields::data::data_fields;
use crate::fields::extent;
use crate::limits::{Spent, bytes_of_array, default_effort, default_memory};
use crate::model::{Model, Sizes};
use crate::plugin::{Descents, PluginInstance};
use crate::storage::{Fixed, List};
use crate::workspace::Workspace;
use std::sync::Arc;

/// How often a warning was raised and what it last concerned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WarningStat {
    /// What the last one concerned: an index, a count or a size.
    pub lastinfo: i32,
    /// How often.
    pub number: i32,
}

/// Accumulated seconds and number of calls of a stage.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TimerStat {
    /// Seconds in all.
    pub duration: f64,
    /// Number of calls.
    pub number: i32,
}

/// What happened in one iteration of the constraint solver.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SolverStat {
    /// Cost reduction, scaled by 1/trace(M(qpos0)).
    pub improvement: f64,
    /// Gradient norm, scaled likewise (primal solvers).
    pub gradient: f64,
    /// Slope at the end of the line search.
    pub lineslope: f64,
    /// Rows that act.
    pub nactive: i32,
    /// Rows that changed their state.
    pub nchange: i32,
    /// Evaluations of the line search.
    pub neval: i32,
    /// Rank-one updates of the factor.
    pub nupdate: i32,
}

/// Number of warning kinds.
pub const NWARNING: usize = Warning::INFO.members.len();
/// Number of timers.
pub const NTIMER: usize = Timer::INFO.members.len();

/// What is known about an array of the simulation state.
#[derive(Clone, Copy)]
pub struct DataField {
    /// Name of the array.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Names of the sizes its axes have, without the trailing axis of vector-valued elements.
    pub extents: &'static [&'static str],
    /// Whether its length changes from step to step.
    pub dynamic: bool,
    /// What a step needs it for.
    pub role: Role,
    /// Shape in a state.
    pub shape: fn(&Sizes, &Data) -> Shape,
    /// Read access.
    pub get: fn(&Data) -> ArrayRef<'_>,
    /// Write access.
    pub get_mut: fn(&mut Data) -> ArrayMut<'_>,
    /// What can be done with a list whose length changes; nothing for arrays of fixed size.
    pub list: Option<ListAccess>,
}

/// What a step needs an array of the state for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A step reads what the last one left.
    State,
    /// Set by the user; a step reads it and leaves it as it is.
    Input,
    /// Lists that follow from `tree_asleep`.
    Sleep,
    /// Set by a reset for good.
    Constant,
    /// Computed in a step before it is read, except for trees that sleep: these keep their results.
    Result,
}

macro_rules! role {
    () => {
        Role::Result
    };
    (state) => {
        Role::State
    };
    (input) => {
        Role::Input
    };
    (sleep) => {
        Role::Sleep
    };
    (constant) => {
        Role::Constant
    };
}

/// Access to a list whose length changes from step to step.
#[derive(Clone, Copy)]
pub struct ListAccess {
    /// Moves the list out and leaves a copy in its place, so that views of the old memory can outlive a change of size.
    pub renew: fn(&mut Data) -> Retired,
    /// Changes the number of rows; new ones are zero.
    pub resize: fn(&mut Data, usize),
}

/// An array that was moved out of a state; it only has to stay alive.
pub type Retired = Box<dyn std::any::Any + Send + Sync>;

/// Moves a list out and leaves a copy with room for as many entries as before.
pub fn renew<T: Clone + Send + Sync + 'static>(list: &mut List<T>) -> Retired {
    Box::new(list.renew())
}

/// A scalar of the simulation state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// A number.
    Real(f64),
    /// A count.
    Count(usize),
    /// A flag.
    Flag(bool),
}

impl From<f64> for Scalar {
    fn from(x: f64) -> Self {
        Self::Real(x)
    }
}
impl From<usize> for Scalar {
    fn from(x: usize) -> Self {
        Self::Count(x)
    }
}
impl From<bool> for Scalar {
    fn from(x: bool) -> Self {
        Self::Flag(x)
    }
}

/// Numbers that can be set from any other.
trait SetNumber {
    fn set(&mut self, value: f64);
}
impl SetNumber for f64 {
    fn set(&mut self, value: f64) {
        *self = value;
    }
}
impl SetNumber for usize {
    fn set(&mut self, value: f64) {
        *self = value as usize;
    }
}
impl SetNumber for bool {
    fn set(&mut self, value: f64) {
        *self = value != 0.0;
    }
}

fn with_inner<T: Element>(shape: Shape) -> Shape {
    match T::INNER {
        Some(n) => shape.with(n),
        None => shape,
    }
}

macro_rules! emit_data {
    (
        scalars { $($scalar:ident : $sty:ty, $sdoc:literal $(, $srole:ident)?;)+ }
        fixed { $($name:ident : $ty:ty [$($dim:ident $(* $k:literal)?),+] $doc:literal $(, $role:ident)?;)+ }
        dynamic { $($dyn_name:ident : $dyn_ty:ty [$dyn_dim:ident] $dyn_doc:literal;)+ }
    ) => {
        /// The state of one simulation, everything computed from it, and the working memory of the stages.
        ///
        /// Arrays of fixed size never move once allocated; the others keep their capacity between steps.
        #[derive(Clone)]
        pub struct Data {
            $(#[doc = $sdoc] pub $scalar: $sty,)+
            $(#[doc = $doc] pub $name: Fixed<$ty>,)+
            $(#[doc = $dyn_doc] pub $dyn_name: List<$dyn_ty>,)+
            /// Detected contacts.
            pub contact: List<Contact>,
            /// Potential and kinetic energy.
            pub energy: [f64; 2],
            /// Solver statistics per island and iteration (`NISLAND * NSOLVER`).
            pub solver: Fixed<SolverStat>,
            /// Number of solver iterations per island.
            pub solver_niter: [i32; NISLAND],
            /// Non-zeros of the Hessian or of efc_AR, per island.
            pub solver_nnz: [i32; NISLAND],
            /// Forward/inverse comparison: norms of the force differences.
            pub solver_fwdinv: [f64; 2],
            /// Warnings so far, by kind.
            pub warning: [WarningStat; NWARNING],
            /// Times of the stages, if there is a clock.
            pub timer: [TimerStat; NTIMER],
            /// User functions called during a step.
            pub callbacks: Callbacks,
            /// Run-time side of the plugin instances.
            pub plugins: Arc<[PluginInstance]>,
            /// Where collision detection searched the distance fields of plugins; only drawn.
            pub descents: Descents,
            /// Bytes that contacts, constraint rows and the solver's matrices may take together; a scene that needs more ends
            /// the step with an error.
            pub memory: u64,
            /// Operations, about as many as multiplications, that collision detection, projection and the solver may take
            /// together in a step; a scene that needs more ends the step with an error.
            pub effort: u64,
            /// What the step has taken of it so far.
            pub spent: Spent,
            /// Threads that may work on one step of a large scene; the numbers do not depend on it. One: the caller alone.
            pub threads: usize,
            /// Why the last position stage is incomplete; `None`: it is not.
            pub fault: Option<Fault>,
            /// Working memory of the stages; holds nothing that outlives a stage.
            pub workspace: Workspace,
        }

        impl Data {
            /// Zeroed state for a model of these sizes. Most callers want the simulation crate's `make_data`, which also resets.
            pub fn allocate(sizes: &Sizes) -> Self {
                Self {
                    $($scalar: Default::default(),)+
                    $($name: Fixed::filled(<$ty as Element>::ZERO, 1 $(* extent!(sizes, $dim $(, $k)?))+),)+
                    $($dyn_name: List::empty(),)+
                    contact: List::empty(),
                    energy: [0.0; 2],
                    solver: Fixed::filled(SolverStat::default(), NISLAND * NSOLVER),
                    solver_niter: [0; NISLAND],
                    solver_nnz: [0; NISLAND],
                    solver_fwdinv: [0.0; 2],
                    warning: [WarningStat::default(); NWARNING],
                    timer: [TimerStat::default(); NTIMER],
                    callbacks: Callbacks::default(),
                    plugins: Arc::new([]),
                    descents: Descents::default(),
                    memory: default_memory(sizes),
                    effort: default_effort(sizes.nv),
                    spent: Spent::default(),
                    threads: 1,
                    fault: None,
                    workspace: Workspace::default(),
                }
            }

            /// Bytes of the arrays of fixed size.
            pub(crate) fn bytes_of(sizes: &Sizes) -> u64 {
                let arrays = [$(bytes_of_array::<$ty>(&[$(extent!(sizes, $dim $(, $k)?)),+]),)+];
                arrays.into_iter().fold(0, u64::saturating_add)
            }

            /// Zeroes every number, empties every list; callbacks and capacities stay.
            pub fn clear(&mut self) {
                self.clear_except(&[]);
            }

            /// [`Data::clear`] that leaves some arrays of fixed size as they are.
            pub fn clear_except(&mut self, kept: &[&str]) {
                $(self.$scalar = Default::default();)+
                $(if !kept.contains(&stringify!($name)) { self.$name.fill(<$ty as Element>::ZERO); })+
                $(self.$dyn_name.clear();)+
                self.contact.clear();
                self.descents.clear();
                self.fault = None;
                self.spent = Spent::default();
                self.energy = [0.0; 2];
                self.solver.fill(SolverStat::default());
                self.solver_niter = [0; NISLAND];
                self.solver_nnz = [0; NISLAND];
                self.solver_fwdinv = [0.0; 2];
                self.warning = [WarningStat::default(); NWARNING];
                self.timer = [TimerStat::default(); NTIMER];
            }

            /// Forgets constraints and islands; contacts stay, without constraint rows.
            pub fn clear_constraints(&mut self) {
                $(self.$dyn_name.clear();)+
                (self.nefc, self.nisland) = (0, 0);
                for contact in &mut self.contact {
                    contact.efc_address = -1;
                }
            }

            /// Copies everything but working memory and callbacks from a state of the same sizes; fixed arrays do not move.
            pub fn assign(&mut self, source: &Self) {
                $(self.$scalar = source.$scalar;)+
                $(self.$name.clone_from(&source.$name);)+
                $(self.$dyn_name.clone_from(&source.$dyn_name);)+
                self.contact.clone_from(&source.contact);
                self.energy = source.energy;
                self.solver.clone_from(&source.solver);
                self.solver_niter = source.solver_niter;
                self.solver_nnz = source.solver_nnz;
                self.solver_fwdinv = source.solver_fwdinv;
                self.warning = source.warning;
                self.timer = source.timer;
                self.plugins.clone_from(&source.plugins);
                self.descents.clone_from(&source.descents);
            }

            /// All array fields but the contacts, in the order of the table.
            pub const FIELDS: &'static [DataField] = &[
                $(DataField {
                    name: stringify!($name),
                    doc: $doc,
                    extents: &[$(concat!(stringify!($dim) $(, "*", stringify!($k))?),)+],
                    dynamic: false,
                    role: role!($($role)?),
                    shape: |sizes, _| with_inner::<$ty>(Shape::default()$(.with(extent!(sizes, $dim $(, $k)?)))+),
                    get: |d| <$ty as Element>::flat(&d.$name),
                    get_mut: |d| <$ty as Element>::flat_mut(&mut d.$name),
                    list: None,
                },)+
                $(DataField {
                    name: stringify!($dyn_name),
                    doc: $dyn_doc,
                    extents: &[stringify!($dyn_dim)],
                    dynamic: true,
                    role: Role::Result,
                    shape: |_, d| with_inner::<$dyn_ty>(Shape::default().with(d.$dyn_name.len())),
                    get: |d| <$dyn_ty as Element>::flat(&d.$dyn_name),
                    get_mut: |d| <$dyn_ty as Element>::flat_mut(&mut d.$dyn_name),
                    list: Some(ListAccess {
                        renew: |d| renew(&mut d.$dyn_name),
                        resize: |d, n| d.$dyn_name.resize(n, <$dyn_ty as Element>::ZERO),
                    }),
                },)+
            ];

            /// Names of all scalars.
            pub const SCALARS: &'static [&'static str] = &[$(stringify!($scalar),)+];

            /// Descriptions of all scalars, in the same order.
            pub const SCALAR_DOCS: &'static [&'static str] = &[$($sdoc,)+];

            /// What a step needs each scalar for, in the order of [`Data::SCALARS`].
            pub const SCALAR_ROLES: &'static [Role] = &[$(role!($($srole)?),)+];

            /// A scalar by name.
            pub fn scalar(&self, name: &str) -> Option<Scalar> {
                match name { $(stringify!($scalar) => Some(self.$scalar.into()),)+ _ => None }
            }

            /// Sets a scalar by name; false when there is none of that name.
            pub fn set_scalar(&mut self, name: &str, value: f64) -> bool {
                match name { $(stringify!($scalar) => self.$scalar.set(value),)+ _ => return false }
                true
            }
        }
    };
}
data_fields!(emit_data);

impl Data {
    /// Zeroed state for a model.
    pub fn new(model: &Model) -> Self {
        Self::allocate(model.sizes())
    }

    /// Notes why a stage is incomplete, with a warning that says how much there is.
    pub fn fail(&mut self, fault: Fault, warning: Warning, info: usize) {
        if self.fault.is_none() {
            self.warn(warning, info);
            self.fault = Some(fault);
        }
    }

    /// Whether the arrays have the lengths that the model calls for.
    pub fn fits(&self, m: &Model) -> bool {
        let lengths = [
            (self.qpos.len(), m.nq),
            (self.qvel.len(), m.nv),
            (self.ctrl.len(), m.nu),
            (self.act.len(), m.na),
            (self.xpos.len(), m.nbody),
            (self.xanchor.len(), m.njnt),
            (self.geom_xpos.len(), m.ngeom),
            (self.site_xpos.len(), m.nsite),
            (self.cam_xpos.len(), m.ncam),
            (self.light_xpos.len(), m.nlight),
            (self.flexvert_xpos.len(), m.nflexvert),
            (self.flexedge_length.len(), m.nflexedge),
            (self.flexelem_aabb.len(), m.nflexelem),
            (self.flexedge_J.len(), m.nJfe),
            (self.flexvert_J.len(), m.nJfv),
            (self.ten_length.len(), m.ntendon),
            (self.wrap_obj.len(), m.nwrap),
            (self.eq_active.len(), m.neq),
            (self.mocap_pos.len(), m.nmocap),
            (self.sensordata.len(), m.nsensordata),
            (self.history.len(), m.nhistory),
            (self.userdata.len(), m.nuserdata),
            (self.qM.len(), m.nM),
            (self.M.len(), m.nC),
            (self.qDeriv.len(), m.nD),
            (self.actuator_moment.len(), m.nJmom),
            (self.plugin.len(), m.nplugin),
            (self.plugin_state.len(), m.npluginstate),
            (self.tree_asleep.len(), m.ntree),
            (self.bvh_active.len(), m.nbvh),
            (self.bvh_aabb_dyn.len(), m.nbvhdynamic),
        ];
        lengths.iter().all(|(found, expected)| found == expected)
    }

    /// Forgets all islands.
    pub fn clear_islands(&mut self) {
        (self.nisland, self.nidof) = (0, 0);
        for list in [
            &mut self.tree_island,
            &mut self.island_ntree,
            &mut self.island_itreeadr,
            &mut self.map_itree2tree,
            &mut self.dof_island,
            &mut self.island_nv,
            &mut self.island_idofadr,
            &mut self.island_dofadr,
            &mut self.map_dof2idof,
            &mut self.map_idof2dof,
            &mut self.efc_island,
            &mut self.island_ne,
            &mut self.island_nf,
            &mut self.island_nefc,
            &mut self.island_iefcadr,
            &mut self.map_efc2iefc,
            &mut self.map_iefc2efc,
        ] {
            list.clear();
        }
    }

    /// Notes that results which are computed on demand are no longer those of the state.
    pub fn clear_currency(&mut self) {
        self.flg_energypos = false;
        self.flg_energyvel = false;
        self.flg_subtreevel = false;
        self.flg_rnepost = false;
    }

    /// Counts a warning, as the reference does instead of failing in the middle of a step.
    pub fn warn(&mut self, warning: Warning, info: usize) {
        let stat = &mut self.warning[warning as usize];
        stat.lastinfo = info as i32;
        stat.number += 1;
    }
}

impl std::fmt::Debug for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Data").field("time", &self.time).field("qpos", &self.qpos).finish_non_exhaustive()
    }
}
