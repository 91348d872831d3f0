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
        let kind = TypeId::of::<T>();
        if self.0.as_ref().is_none_or(|content| content.kind != kind) {
            self.make::<T>();
        }
        let content = self.0.as_mut().and_then(Content::get);
        content.expect("it was made above if it was not there")
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

    #[inline(always)]
    fn get<T: 'static>(&mut self) -> Option<&mut T> {
        let memory = std::ptr::from_mut(&mut *self.memory).cast::<T>();
        // SAFETY: what has this kind was boxed as a `T` by `new`; it is borrowed as long as `self` is.
        (self.kind == TypeId::of::<T>()).then(|| unsafe { &mut *memory })
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
