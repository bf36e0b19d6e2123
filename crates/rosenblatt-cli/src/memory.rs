//! The allocator of the system, under which a failed allocation ends the command as every error does: with one line.

#![allow(unsafe_code)] // each call is handed on as it is

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::{self, Write},
    process,
};

use crate::exit::FAILED;

#[global_allocator]
static ALLOCATOR: OrError = OrError;

struct OrError;

// SAFETY: this is the allocator of the system, but that a null pointer is given out only to who asks for room.
unsafe impl GlobalAlloc for OrError {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the conditions are those of this function.
        or_error(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        or_error(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        or_error(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

fn or_error(new: *mut u8, size: usize) -> *mut u8 {
    if new.is_null() && !rosenblatt_data::is_asking_for_room() {
        // Nothing here allocates.
        let _ = writeln!(
            io::stderr(),
            "error: not enough memory: {size} more bytes were refused\nhint: use fewer features or rows, or a machine with more memory"
        );
        process::exit(i32::from(FAILED));
    }
    new
}
