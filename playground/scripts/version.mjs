// The version of all packages, which every page shows.
import manifest from "../../crates/wire-js/package.json" with { type: "json" };

export const { version } = manifest;
