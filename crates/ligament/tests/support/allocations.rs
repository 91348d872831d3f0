//! Counts the allocations of the current thread and their bytes. A test program that wants them counted makes [`Counting`] its
//! `#[global_allocator]`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

pub struct Counting;
thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });
thread_local!(static BYTES: Cell<isize> = const { Cell::new(0) });

/// Allocations of this thread so far.
pub fn allocations() -> usize {
    COUNT.with(Cell::get)
}

/// Bytes this thread allocated and did not free so far.
pub fn bytes() -> isize {
    BYTES.with(Cell::get)
}

fn note(count: usize, bytes: isize) {
    COUNT.with(|c| c.set(c.get() + count));
    BYTES.with(|b| b.set(b.get() + bytes));
}

#[allow(unsafe_code)] // an allocator can only be written this way; it forwards every call unchanged
// SAFETY: every call is forwarded unchanged to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as isize);
        // SAFETY: forwarded with the caller's guarantees.
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(1, new_size as isize - layout.size() as isize);
        // SAFETY: forwarded with the caller's guarantees.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        note(0, -(layout.size() as isize));
        // SAFETY: forwarded with the caller's guarantees.
        unsafe { System.dealloc(ptr, layout) }
    }
}
