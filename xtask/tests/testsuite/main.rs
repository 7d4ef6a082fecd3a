//! The tests of the repository itself, as one program.

mod manifests;
mod numbers;
mod rooms;
mod scripts;
