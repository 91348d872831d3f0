//! Shared memory between Rust and NumPy.
//!
//! A [`Shared`] owns a model or a simulation state; Python objects and the NumPy views made from them hold it by
//! reference count, so a view outlives the object it came from.
//!
//! - **Arrays of fixed size** never move and are never freed before the value is: their places are noted once. A view
//!   of one can be made at any time, also while another thread is stepping. Python may write into it at any time too,
//!   as users of MuJoCo expect; the engine therefore checks every index that it reads from such memory.
//! - **Everything else** is reached by entering: many may read, one may write. Who finds the door closed gets an
//!   exception that says who is inside; nobody waits, so nothing can lock up.
//! - **Callbacks** are lent the value by the stage that calls them, on their own thread and for as long as they run.
//! - **Lists whose length changes** are lent too: a view shows the list itself until the next writer enters. The list
//!   then moves into the view's keeping and the state goes on with a copy, so a view never points to memory that is
//!   gone.
//! - **After a panic** of a writer the value says that it is unusable until it is repaired; its memory stays.
#![allow(unsafe_code)] // the one place where Python and Rust share memory

use crate::functions::fatal;
use crate::guard::{self, current_call};
use ligament_model::array::{ArrayMut, ArrayRef, Shape};
use ligament_model::data::Retired;
use numpy::{Element, PyArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Keeps memory alive for as long as a view of it exists.
pub type Keeper = Arc<dyn Any + Send + Sync>;

/// What lives in shared memory.
pub trait Content: Send + Sync + Sized + 'static {
    /// What users call it.
    const NAME: &'static str;
    /// How it becomes usable again after an internal error.
    const REMEDY: &'static str;
    /// Places of all arrays of fixed size, in an order of its own.
    fn places(&mut self) -> Vec<Place>;
    /// Forgets what may be half done after an internal error.
    fn tidy(&mut self);
}

/// Moves a list out of its owner, leaving a copy.
pub type Renew<T> = fn(&mut T) -> Retired;
/// Where a lent list goes when its owner moves on.
type Slot = Arc<OnceLock<Retired>>;

/// A list that views point into.
struct Loan<T> {
    list: usize,
    renew: Renew<T>,
    slot: Slot,
}

/// The value in the hands of a callback.
struct Lent<T> {
    value: *mut T,
    writable: bool,
    thread: usize,
    readers: usize,
    written: bool,
}

/// What entering has to look at besides the door, while there is anything of the kind.
struct State<T> {
    lent: Option<Lent<T>>,
    /// The call that ended in the middle.
    broken: Option<&'static str>,
    loans: Vec<Loan<T>>,
}

/// Bit of the door: someone writes.
const WRITER: u32 = 1 << 31;
/// Bit of the door: it does not tell all, there is something in `state`.
const MORE: u32 = 1 << 30;

/// A value that Python views point into. It never moves.
pub struct Shared<T> {
    value: UnsafeCell<T>,
    /// Number of readers, and the bits above.
    door: AtomicU32,
    /// Thread and function of the first who entered, for messages.
    thread: AtomicUsize,
    call: AtomicPtr<&'static str>,
    state: Mutex<State<T>>,
    places: OnceLock<Box<[Place]>>,
}

// SAFETY: the value is only reached through `read` and `write`, which let in many readers or one writer, and through
// the places of its arrays, which hold plain numbers. `T` may move between threads and be read by several.
unsafe impl<T: Content> Send for Shared<T> {}
// SAFETY: see above.
unsafe impl<T: Content> Sync for Shared<T> {}

/// A number that no other living thread has.
fn this_thread() -> usize {
    thread_local!(static MARK: u8 = const { 0 });
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

impl<T: Content> Shared<T> {
    pub fn new(value: T) -> Arc<Self> {
        let shared = Arc::new(Self {
            value: UnsafeCell::new(value),
            door: AtomicU32::new(0),
            thread: AtomicUsize::new(0),
            call: AtomicPtr::new(std::ptr::null_mut()),
            state: Mutex::new(State { lent: None, broken: None, loans: Vec::new() }),
            places: OnceLock::new(),
        });
        // SAFETY: nobody else knows the value yet, and from here on it does not move.
        let places = unsafe { &mut *shared.value.get() }.places();
        shared.places.get_or_init(|| places.into());
        shared
    }

    /// The place of an array of fixed size, by the order of [`Content::places`].
    pub fn place(&self, index: usize) -> Option<Place> {
        self.places.get()?.get(index).copied()
    }

    /// Where the value is.
    pub fn address(&self) -> *mut T {
        self.value.get()
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says at the door whether there is something in the state. Whoever calls this is inside, or has just left a
    /// state with nothing in it.
    fn note(&self, state: &State<T>) {
        if state.lent.is_some() || state.broken.is_some() || !state.loans.is_empty() {
            self.door.fetch_or(MORE, Ordering::AcqRel);
        } else {
            self.door.fetch_and(!MORE, Ordering::AcqRel);
        }
    }

    /// Goes through the door if nobody is in the way; `writer` says what for.
    fn pass(&self, writer: bool, in_the_way: u32) -> bool {
        let mut bits = self.door.load(Ordering::Relaxed);
        loop {
            if bits & in_the_way != 0 {
                return false;
            }
            let next = if writer { bits | WRITER } else { bits + 1 };
            match self.door.compare_exchange_weak(bits, next, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => {
                    if bits & !MORE == 0 {
                        self.thread.store(this_thread(), Ordering::Relaxed);
                        self.call.store(std::ptr::from_ref(current_call()).cast_mut(), Ordering::Relaxed);
                    }
                    return true;
                }
                Err(now) => bits = now,
            }
        }
    }

    /// Enters to read.
    pub fn read(&self) -> PyResult<Reader<'_, T>> {
        if self.pass(false, WRITER | MORE) {
            return Ok(self.reader());
        }
        let mut state = self.state();
        state.usable()?;
        self.read_carefully(&mut state)
    }

    /// Enters to read what is right in any case, such as sizes.
    pub fn look(&self) -> PyResult<Reader<'_, T>> {
        if self.pass(false, WRITER | MORE) {
            Ok(self.reader())
        } else {
            self.read_carefully(&mut self.state())
        }
    }

    fn reader(&self) -> Reader<'_, T> {
        Reader { shared: self, value: self.value.get(), lent: false, can_follow_views: true }
    }

    fn read_carefully(&self, state: &mut State<T>) -> PyResult<Reader<'_, T>> {
        if let Some(lent) = state.lent_here() {
            if lent.written {
                return Err(self.busy());
            }
            lent.readers += 1;
            return Ok(Reader {
                shared: self,
                value: lent.value,
                lent: true,
                can_follow_views: lent.writable,
            });
        }
        if self.pass(false, WRITER) { Ok(self.reader()) } else { Err(self.busy()) }
    }

    /// Enters to write. Views of lists are independent of what happens next.
    pub fn write(&self) -> PyResult<Writer<'_, T>> {
        if self.pass(true, !0) {
            return Ok(self.writer());
        }
        let mut state = self.state();
        state.usable()?;
        self.write_carefully(&mut state)
    }

    /// Enters to overwrite everything: also after an internal error. [`Writer::repaired`] makes it usable again.
    pub fn overwrite(&self) -> PyResult<Writer<'_, T>> {
        let mut state = self.state();
        let mut writer = self.write_carefully(&mut state)?;
        if state.broken.is_some() {
            writer.tidy();
        }
        Ok(writer)
    }

    fn writer(&self) -> Writer<'_, T> {
        Writer { shared: self, value: self.value.get(), lent: false }
    }

    fn write_carefully(&self, state: &mut State<T>) -> PyResult<Writer<'_, T>> {
        let writer = match state.lent_here() {
            Some(lent) if !lent.writable => {
                let text = format!(
                    "the {} can only be read inside this callback, which {} called",
                    T::NAME,
                    self.user()
                );
                return Err(PyRuntimeError::new_err(text));
            }
            Some(lent) if lent.written || lent.readers > 0 => return Err(self.busy()),
            Some(lent) => {
                lent.written = true;
                Writer { shared: self, value: lent.value, lent: true }
            }
            None if self.pass(true, !MORE) => self.writer(),
            None => return Err(self.busy()),
        };
        // SAFETY: the writer is inside: nobody else has a reference to the value.
        state.recall(unsafe { &mut *writer.value });
        self.note(state);
        Ok(writer)
    }

    /// Lends the value to a callback that may change it.
    pub fn lend_mut<R>(&self, value: &mut T, callback: impl FnOnce() -> R) -> R {
        self.lend_pointer(std::ptr::from_mut(value), true, callback)
    }

    /// Lends the value to a callback that may only read it.
    pub fn lend<R>(&self, value: &T, callback: impl FnOnce() -> R) -> R {
        self.lend_pointer(std::ptr::from_ref(value).cast_mut(), false, callback)
    }

    /// `value` is borrowed by the caller, who is the writer inside, while the callback runs.
    fn lend_pointer<R>(&self, value: *mut T, writable: bool, callback: impl FnOnce() -> R) -> R {
        /// Takes the value back, also when the callback panics.
        struct TakeBack<'a, T: Content>(&'a Shared<T>, Option<Lent<T>>);
        impl<T: Content> Drop for TakeBack<'_, T> {
            fn drop(&mut self) {
                let mut state = self.0.state();
                let Some(lent) = std::mem::replace(&mut state.lent, self.1.take()) else { return };
                if lent.writable {
                    // SAFETY: the callback has ended, and what it entered by it has left: the value, which the caller
                    // of `lend_mut` borrowed for writing, has no other reference now.
                    state.recall(unsafe { &mut *lent.value });
                }
                self.0.note(&state);
            }
        }
        let lent = Lent { value, writable, thread: this_thread(), readers: 0, written: false };
        let mut state = self.state();
        let outer = state.lent.replace(lent);
        self.note(&state);
        drop(state);
        let back = TakeBack(self, outer);
        let result = callback();
        drop(back);
        result
    }

    /// Is the value in the hands of a callback of this thread?
    pub fn is_lent(&self) -> bool {
        self.door.load(Ordering::Relaxed) & MORE != 0 && self.state().lent_here().is_some()
    }

    /// The function of the first who entered.
    fn user(&self) -> &'static str {
        // SAFETY: null, or a pointer made from a reference that lives for ever.
        let call = unsafe { self.call.load(Ordering::Relaxed).as_ref() };
        call.map_or("", |name| guard::known_as(name))
    }

    fn busy(&self) -> PyErr {
        let (name, call) = (T::NAME, self.user());
        let text = if self.thread.load(Ordering::Relaxed) == this_thread() {
            format!("the {name} is being used by {call}: it cannot be used from inside this callback")
        } else {
            format!("the {name} is being used by {call} in another thread")
        };
        PyRuntimeError::new_err(text)
    }
}

impl<T: Content> State<T> {
    /// The value, if it was lent to a callback of this thread.
    fn lent_here(&mut self) -> Option<&mut Lent<T>> {
        self.lent.as_mut().filter(|lent| lent.thread == this_thread())
    }

    fn usable(&self) -> PyResult<()> {
        let Some(call) = self.broken else { return Ok(()) };
        let (name, remedy) = (T::NAME, T::REMEDY);
        Err(fatal(format!("the {name} is unusable after an internal error in {call}: {remedy}")))
    }

    /// Hands all lent lists over to their views and leaves copies with the owner.
    fn recall(&mut self, owner: &mut T) {
        for Loan { renew, slot, .. } in self.loans.drain(..) {
            // without a view left, the list may stay where it is
            if Arc::strong_count(&slot) > 1 {
                slot.get_or_init(|| renew(owner));
            }
        }
    }
}

/// Someone who reads the value.
pub struct Reader<'a, T: Content> {
    shared: &'a Shared<T>,
    value: *const T,
    lent: bool,
    /// Lists that are looked at now can be handed to their views before they change.
    pub can_follow_views: bool,
}

impl<T: Content> Reader<'_, T> {
    /// Notes that a view of a list exists; the view has to hold the result. No writer is inside, and the next one will
    /// hand the list over.
    pub fn lend_list(&self, owner: &Arc<Shared<T>>, list: usize, renew: Renew<T>) -> Keeper {
        let mut state = self.shared.state();
        let known = state.loans.iter().find(|loan| loan.list == list).map(|loan| loan.slot.clone());
        let slot = known.unwrap_or_else(|| {
            let slot = Slot::default();
            state.loans.push(Loan { list, renew, slot: slot.clone() });
            slot
        });
        self.shared.note(&state);
        Arc::new((slot, owner.clone()))
    }
}

impl<T: Content> Deref for Reader<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: while this reader is inside, nobody enters to write.
        unsafe { &*self.value }
    }
}

impl<T: Content> Drop for Reader<'_, T> {
    fn drop(&mut self) {
        if !self.lent {
            self.shared.door.fetch_sub(1, Ordering::Release);
        } else if let Some(lent) = self.shared.state().lent_here() {
            lent.readers -= 1;
        }
    }
}

/// The one who changes the value.
pub struct Writer<'a, T: Content> {
    shared: &'a Shared<T>,
    value: *mut T,
    lent: bool,
}

impl<T: Content> Writer<'_, T> {
    /// Says that everything has been overwritten, so that an earlier error does not matter any more.
    pub fn repaired(&mut self) {
        let mut state = self.shared.state();
        state.broken = None;
        self.shared.note(&state);
    }
}

impl<T: Content> Deref for Writer<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: while this writer is inside, nobody else enters.
        unsafe { &*self.value }
    }
}

impl<T: Content> DerefMut for Writer<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: while this writer is inside, nobody else enters.
        unsafe { &mut *self.value }
    }
}

impl<T: Content> Drop for Writer<'_, T> {
    fn drop(&mut self) {
        let panicking = std::thread::panicking();
        if self.lent || panicking {
            let mut state = self.shared.state();
            if panicking {
                state.broken = Some(self.shared.user());
                self.shared.note(&state);
            }
            if let Some(lent) = state.lent_here().filter(|_| self.lent) {
                lent.written = false;
            }
        }
        if !self.lent {
            self.shared.door.fetch_and(!WRITER, Ordering::Release);
        }
    }
}

/// A value of scenes that Python views point into: used only while the interpreter lock is held, from the beginning of
/// a call to its end.
pub struct Locked<T>(UnsafeCell<T>);

// SAFETY: the interpreter lock lets one thread in at a time; the package does not load where there is none.
unsafe impl<T: Send> Send for Locked<T> {}
// SAFETY: see above.
unsafe impl<T: Send> Sync for Locked<T> {}

impl<T> Locked<T> {
    pub fn new(value: T) -> Arc<Self> {
        Arc::new(Self(UnsafeCell::new(value)))
    }

    /// Read access for the duration of one call.
    pub fn get(&self) -> &T {
        // SAFETY: calls are serialised by the interpreter lock, and no reference outlives its call.
        unsafe { &*self.0.get() }
    }

    /// Write access for the duration of one call.
    #[allow(clippy::mut_from_ref)]
    pub fn get_mut(&self) -> &mut T {
        // SAFETY: as in `get`.
        unsafe { &mut *self.0.get() }
    }
}

macro_rules! places {
    ($($kind:ident $ty:ty),+) => {
        /// Where an array is.
        #[derive(Clone, Copy)]
        pub enum Place {
            $($kind(*mut [$ty]),)+
        }

        impl From<ArrayMut<'_>> for Place {
            fn from(array: ArrayMut<'_>) -> Self {
                match array { $(ArrayMut::$kind(x) => Self::$kind(x),)+ }
            }
        }

        impl From<ArrayRef<'_>> for Place {
            fn from(array: ArrayRef<'_>) -> Self {
                match array { $(ArrayRef::$kind(x) => Self::$kind(std::ptr::from_ref(x).cast_mut()),)+ }
            }
        }

        /// A NumPy array over memory that `keeper` keeps where it is.
        pub fn view<'py>(py: Python<'py>, place: Place, shape: Shape, keeper: Keeper) -> PyResult<Bound<'py, PyAny>> {
            match place { $(Place::$kind(x) => typed_view(py, x, shape, keeper),)+ }
        }

        /// An empty NumPy array of its own, for lists without entries.
        pub fn empty<'py>(py: Python<'py>, kind: Place, shape: Shape) -> Bound<'py, PyAny> {
            use numpy::ndarray::IxDyn;
            match kind { $(Place::$kind(_) => PyArray::<$ty, IxDyn>::zeros(py, shape.dims(), false).into_any(),)+ }
        }
    };
}
places!(F64 f64, F32 f32, I32 i32, I64 i64, U64 u64, U8 u8);

// SAFETY: a place is an address; what is done with it is up to `view`.
unsafe impl Send for Place {}
// SAFETY: see above.
unsafe impl Sync for Place {}

/// Holds what keeps the memory of a view alive.
#[pyclass(frozen)]
pub struct Owner {
    _keeper: Keeper,
}

fn typed_view<'py, T: Element>(
    py: Python<'py>,
    memory: *mut [T],
    shape: Shape,
    keeper: Keeper,
) -> PyResult<Bound<'py, PyAny>> {
    let count: usize = shape.dims().iter().product();
    if count != memory.len() {
        return Err(fatal(format!("an array of {count} numbers has {} in memory", memory.len())));
    }
    let owner = Bound::new(py, Owner { _keeper: keeper })?.into_any();
    let dims = numpy::ndarray::IxDyn(shape.dims());
    // SAFETY: the memory is contiguous and has exactly as many elements as the shape; `owner` keeps it alive.
    Ok(unsafe {
        let borrowed = numpy::ndarray::ArrayView::from_shape_ptr(dims, memory.cast::<T>().cast_const());
        PyArray::borrow_from_array(&borrowed, owner).into_any()
    })
}

/// One field of all records of a list, as a view with gaps: records are `stride` bytes apart. `first` is the field of
/// the first of `count` records that `keeper` keeps where they are.
///
/// # Safety
/// There are so many records at this place, and `stride` is a multiple of the size of `T`.
pub unsafe fn column<'py, T: Element>(
    py: Python<'py>,
    first: *const T,
    count: usize,
    width: Option<usize>,
    stride: usize,
    keeper: Keeper,
) -> PyResult<Bound<'py, PyAny>> {
    use numpy::ndarray::{ArrayView, IxDyn, ShapeBuilder};
    if count == 0 {
        let shape = Shape::default().with(0);
        let shape = width.map_or(shape, |n| shape.with(n));
        return Ok(PyArray::<T, IxDyn>::zeros(py, shape.dims(), false).into_any());
    }
    let owner = Bound::new(py, Owner { _keeper: keeper })?.into_any();
    let step = stride / size_of::<T>();
    let shape = match width {
        Some(n) => IxDyn(&[count, n]).strides(IxDyn(&[step, 1])),
        None => IxDyn(&[count]).strides(IxDyn(&[step])),
    };
    // SAFETY: the caller says that the records are there, and `owner` keeps them alive.
    Ok(unsafe { PyArray::borrow_from_array(&ArrayView::from_shape_ptr(shape, first), owner) }.into_any())
}
