//! The place where a simulation state keeps the working memory of the simulation crate.
#![allow(unsafe_code)]

use std::any::{Any, TypeId};

/// Working memory that carries nothing from step to step. Only the crate that simulates knows what is in it.
///
/// A clone is empty. A workspace may be moved (`std::mem::take`) from one simulation of a model to another, so that
/// many states that take turns share the memory of one.
#[derive(Default)]
pub struct Workspace(Option<Content>);

/// What lies in a workspace, with its type: only [`Content::new`] makes one. The memory itself would have to be asked for its type
/// by a call through a table, some twenty times a step.
struct Content {
    kind: TypeId,
    memory: Box<dyn Any + Send + Sync>,
}

impl Workspace {
    /// What lies in it; made when there is nothing yet.
    #[inline]
    pub fn get<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        if self.0.as_ref().is_none_or(|content| content.kind != TypeId::of::<T>()) {
            self.make::<T>();
        }
        let Some(content) = &mut self.0 else { unreachable!("it was made above if it was not there") };
        // SAFETY: it has this kind: it had it before, or has just been made with it.
        unsafe { content.get() }
    }

    #[cold]
    #[inline(never)]
    fn make<T: Default + Send + Sync + 'static>(&mut self) {
        self.0 = Some(Content::new(T::default()));
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl Content {
    fn new<T: Send + Sync + 'static>(memory: T) -> Self {
        Self { kind: TypeId::of::<T>(), memory: Box::new(memory) }
    }

    /// # Safety
    /// This must be its kind.
    #[inline(always)]
    unsafe fn get<T: 'static>(&mut self) -> &mut T {
        debug_assert_eq!(self.kind, TypeId::of::<T>());
        let memory = std::ptr::from_mut(&mut *self.memory).cast::<T>();
        // SAFETY: what has this kind was boxed as a `T` by `new`; it is borrowed as long as `self` is.
        unsafe { &mut *memory }
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").finish_non_exhaustive()
    }
}
