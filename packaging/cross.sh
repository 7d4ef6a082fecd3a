#!/bin/sh
# Builds a program for Linux without a C library on a Debian where rustup's targets can't be downloaded, and runs it (after `apt-get update`):
#
#     packaging/cross.sh wire-proxy aarch64-unknown-linux-musl wire-proxy schema
#
# Debian's compiler builds the standard library from its sources, zig links, qemu runs. Nothing is installed outside of target/cross.
set -eu
cd "$(dirname "$0")/.."
package=$1 triple=$2 program=$3
shift 3
cross=$PWD/target/cross

if [ ! -e "$cross/done" ]; then
    mkdir -p "$cross/packages"
    (cd "$cross/packages" && apt-get download libllvm22 libstd-rust-web-1.96 libstd-rust-web-dev qemu-user-static rust-web-src rustc-web)
    for file in "$cross"/packages/*.deb; do dpkg-deb --extract "$file" "$cross"; done
    rm -r "$cross/packages"
    python3 -m venv "$cross/venv"
    "$cross/venv/bin/pip" install --quiet cargo-zigbuild==0.24.1 ziglang==0.17.1
    touch "$cross/done"
fi
export PATH="$cross/venv/bin:$PATH"
export RUSTC="$cross/usr/bin/rustc" RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Clink-self-contained=no
LD_LIBRARY_PATH="$cross/usr/lib/$(gcc -print-multiarch)" \
    cargo zigbuild -Zbuild-std=std,panic_abort --profile dist --locked --target "$triple" --package "$package" --target-dir target

built=target/$triple/dist/$program
ls -l "$built"
case $triple in
    "$(uname -m)"-*) "$built" "$@" ;;
    *) "$cross/usr/bin/qemu-${triple%%-*}-static" "$built" "$@" ;;
esac
