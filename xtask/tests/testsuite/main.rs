//! The tests of the repository itself, as one program.

mod manifests;
mod rooms;
mod scripts;
