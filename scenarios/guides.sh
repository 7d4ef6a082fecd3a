# Five readers follow their guides, and others the pages of clients and of tokens, from the first line to the last, each output compared.
export WIRE="$PWD"
cargo build --quiet --package wire-cli --package wire-proxy
PATH="$CARGO_TARGET_DIR/debug:$PATH"
export PATH
for page in server rows graph client replicas; do
    "$XTASK" follow "docs/guides/$page.md" --folder "$SCRATCH"
done
"$XTASK" follow docs/clients.md --folder "$SCRATCH"
"$XTASK" follow docs/costs.md --folder "$SCRATCH"
