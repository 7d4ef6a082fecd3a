//! The tests of the repository itself, as one program.

mod rooms;
mod scripts;
