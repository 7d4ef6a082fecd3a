# The author of an MCP server wants to answer in GCX: the page from its first line to its last, in a project of one's own.
export WIRE="$PWD"
"$XTASK" follow docs/mcp-server.md --folder "$SCRATCH"
cd "$SCRATCH/server"
FORMAT=gcx cargo run --quiet > answer.gcx
cargo run --quiet --manifest-path "$WIRE/Cargo.toml" --package wire-cli -- check answer.gcx
# Who asks for nothing gets what they always got.
cargo run --quiet > answer.json
cargo run --quiet --manifest-path "$WIRE/Cargo.toml" --package wire-cli -- convert answer.json --to gcx --tool search_symbols | cmp - answer.gcx
