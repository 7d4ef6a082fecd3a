//! How much of the stack is left: objects may be nested as deeply as fits.
//!
//! Threads of Python may have small stacks, by `threading.stack_size`. The walk over an object is a
//! recursion that also calls Python, so a bound of its depth alone does not fit every stack. It is
//! known for Linux with glibc (musl reports only the part of the main stack that is in use) and for
//! macOS; elsewhere the bound of the depth is the only one.

use std::cell::Cell;

/// What the rest of a call needs: writing what was read, and `default=`.
const RESERVE: usize = 64 * 1024;

/// The stack of a thread.
pub(crate) struct Stack {
    /// Its lowest address; 0 where the system does not say.
    lowest: usize,
}

impl Stack {
    /// That of this thread.
    pub(crate) fn here() -> Self {
        Stack { lowest: lowest() }
    }

    /// Whether there is too little left to go one level deeper, on the same thread.
    #[inline]
    pub(crate) fn is_nearly_full(&self) -> bool {
        let here = 0_u8;
        let here = std::ptr::from_ref(&here).addr();
        here.saturating_sub(self.lowest) < RESERVE
    }
}

/// The lowest address, which is asked for once a thread.
fn lowest() -> usize {
    thread_local! {
        static LOWEST: Cell<Option<usize>> = const { Cell::new(None) };
    }
    LOWEST.with(|cached| {
        cached.get().unwrap_or_else(|| {
            let lowest = ask();
            cached.set(Some(lowest));
            lowest
        })
    })
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn ask() -> usize {
    let mut attributes = std::mem::MaybeUninit::uninit();
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are read only after they were written, and released afterwards; all
    // pointers are to locals.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return 0;
        }
        let found =
            libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if found == 0 { lowest.addr() } else { 0 }
    }
}

#[cfg(target_os = "macos")]
#[allow(unsafe_code)]
fn ask() -> usize {
    // SAFETY: both functions only read what the system knows of this thread.
    unsafe {
        let thread = libc::pthread_self();
        let highest = libc::pthread_get_stackaddr_np(thread).addr();
        highest.saturating_sub(libc::pthread_get_stacksize_np(thread))
    }
}

#[cfg(not(any(all(target_os = "linux", target_env = "gnu"), target_os = "macos")))]
fn ask() -> usize {
    0
}
