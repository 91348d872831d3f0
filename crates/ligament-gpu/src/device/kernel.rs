//! Kernels of a model: how they are made, told where their tables are, and launched.

use super::machine::{Args, Given, Kind, Memory, Program};
use super::numbers::{padded, size, to_bytes};
use super::recipe::{Preparation, Recipe};
use super::result::Mode;
use super::{Field, GpuError, GpuWorlds};
use crate::tables::{Capacity, Precision, Tables, Wanted};
use ligament_model::Model;

pub(super) struct Kernel {
    pub(super) program: Box<dyn Program>,
    pub(super) room: Room,
}

/// What a kernel has for the contacts of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) capacity: Capacity,
    /// Without the algorithms for general convex shapes: smaller, sooner compiled, faster.
    pub(super) plain: bool,
}

impl Room {
    /// The same wishes for a kernel with this room.
    pub(super) fn of(self, wanted: &Wanted) -> Wanted {
        Wanted { capacity: Some(self.capacity), plain: self.plain, ..wanted.clone() }
    }

    /// What a world is given next that had not enough.
    pub(super) fn more(self) -> Self {
        if self.plain {
            Self { plain: false, ..self }
        } else {
            Self { capacity: self.capacity.doubled(), ..self }
        }
    }
}

/// What a kernel of the model needs on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelFacts {
    /// Bytes of shared memory a world takes; none where it is too large for it and is stepped in device memory.
    pub shared_bytes: usize,
    /// Registers of a thread.
    pub registers: usize,
    /// Bytes of a thread's stack.
    pub local_bytes: usize,
    /// Worlds that run at a time on one multiprocessor.
    pub resident: usize,
    /// Bytes of device memory of a world's state and inputs, and of a world that is too large for shared memory.
    pub state_bytes: usize,
}

impl GpuWorlds {
    pub(super) fn launch(&mut self, kernel: usize, nstep: i32, mode: Mode) -> Result<(), GpuError> {
        self.turns.clear()?;
        let at = |memory: &dyn Memory| memory.address();
        let f = |field: Field| at(&*self.fields[field as usize]);
        // inputs that nobody has written are zero
        let given = |field: Field| if self.touched[field as usize] { f(field) } else { 0 };
        let args = Args {
            state: [f(Field::Qpos), f(Field::Qvel), f(Field::Act), f(Field::Warmstart), f(Field::Time)],
            inputs: [f(Field::Ctrl), given(Field::QfrcApplied), given(Field::XfrcApplied)],
            results: self.results.table(),
            status: at(&*self.status),
            done: at(&*self.done),
            counts: at(&*self.counts),
            overflow: at(&*self.overflow),
            turns: at(&*self.turns),
            nworld: self.count as i32,
            nstep,
            rounds: 1,
            mode: mode.bits(),
        };
        // SAFETY: every address is of an array of the size the kernel reads and writes, and lives as long as self.
        unsafe { self.kernels[kernel].program.steps(args) }
    }

    /// Compiles the first kernel. Where it is a plain one, the next is compiled while worlds take their first steps: two compilations at
    /// once take as long as one after the other.
    pub(super) fn begin(&mut self, capacity: Capacity) -> Result<(), GpuError> {
        (self.first, self.misses, self.next) = (0, 0, None);
        self.kernels.clear();
        let room = Room { capacity, plain: self.tables.has_general };
        self.compile(room)?;
        if room.plain {
            self.next = self.recipe(room.more())?.prepare();
        }
        Ok(())
    }

    /// Compiles the first kernel of a model while its worlds are made.
    pub(super) fn prepare(
        model: &Model,
        tables: &Tables,
        precision: Precision,
        kind: Kind,
    ) -> Result<Option<Preparation>, GpuError> {
        let plain = Wanted { plain: tables.has_general, ..Wanted::default() };
        Ok((kind.recipe)(&Tables::new(model, &plain)?, precision)?.prepare())
    }

    pub(super) fn recipe(&self, room: Room) -> Result<Recipe, GpuError> {
        (self.kind.recipe)(&Tables::new(&self.model, &room.of(&self.wanted))?, self.precision)
    }

    /// Compiles the kernels with room for contacts.
    pub(super) fn compile(&mut self, room: Room) -> Result<(), GpuError> {
        if !room.plain {
            self.next = None; // is done
        }
        let program = self.device.load(&self.recipe(room)?)?;
        let sizes = program.sizes();
        self.make_room(sizes.polytope, sizes.kept, sizes.world)?;
        self.kernels.push(Kernel { program, room });
        self.tell() // memory that grew has moved
    }

    /// Room in device memory for each world: for a polytope and for what it keeps, where its contacts need them, and for the world
    /// itself, where shared memory is too small.
    fn make_room(&mut self, polytope: usize, kept: usize, world: usize) -> Result<(), GpuError> {
        let count = self.count;
        let rooms = [(&mut self.scratch, polytope), (&mut self.kept, kept), (&mut self.worlds, world)];
        for (room, bytes) in rooms.into_iter().filter(|(room, bytes)| count * bytes > room.len()) {
            let (needed, free) = (count * bytes, self.device.free_memory()?);
            if needed > free {
                return Err(GpuError::Memory { worlds: count, needed: needed >> 20, free: free >> 20 });
            }
            *room = self.device.zeroed(needed)?;
        }
        Ok(())
    }

    /// Tells all kernels where their tables are.
    pub(super) fn tell(&mut self) -> Result<(), GpuError> {
        let f = |field: Field| self.fields[field as usize].address();
        let given = Given {
            ints: self.ints.address(),
            reals: self.reals.address(),
            own: self.own.address(),
            mocap_pos: f(Field::MocapPos),
            mocap_quat: f(Field::MocapQuat),
            scratch: self.scratch.address(),
            history: f(Field::History),
            kept: self.kept.address(),
            worlds: self.worlds.address(),
        };
        self.kernels.iter_mut().try_for_each(|kernel| kernel.program.tell(&given))
    }

    /// Makes tables and kernels again for other wishes; the state stays.
    pub(super) fn rebuild(&mut self, wanted: Wanted) -> Result<(), GpuError> {
        let kernel = self.kernels.get(self.first); // none where the last compilation failed
        let capacity = kernel.map_or(self.tables.capacity, |kernel| kernel.room.capacity);
        let tables = Tables::new(&self.model, &wanted)?;
        self.ints = self.device.holding(&padded(&tables.ints))?;
        self.reals = self.device.holding(&to_bytes(&tables.reals, self.precision))?;
        // what worlds have kept was right for what they had
        self.kept.clear()?;
        (self.tables, self.wanted) = (tables, wanted);
        self.begin(capacity)
    }

    /// Facts about the kernel that steps begin with.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn facts(&self) -> Result<KernelFacts, GpuError> {
        let program = &self.kernels[self.first].program;
        let (facts, sizes) = (program.facts()?, program.sizes());
        let row: usize = Field::ALL.iter().map(|f| f.width(&self.tables)).sum();
        let numbers = row + self.tables.own.len() + self.results.columns();
        Ok(KernelFacts {
            shared_bytes: facts.shared_bytes,
            registers: facts.registers,
            local_bytes: facts.local_bytes,
            resident: facts.resident,
            state_bytes: numbers * size(self.precision) + 5 * size_of::<i32>() + sizes.world,
        })
    }
}
