# A contributor adds a format, by the page that says how.
cargo xtask follow docs/adding-a-format.md
cargo clippy --quiet --package wire-gcq --all-targets -- -D warnings
