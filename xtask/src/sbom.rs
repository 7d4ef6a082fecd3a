//! What a program is made of, as a bill of materials in the JSON of `CycloneDX`: every package that
//! is linked into it, with version and licence.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The bill of a package's program on a target. The same lock file gives the same bytes.
pub(crate) fn of(root: &Path, package: &str, target: &str) -> Result<String, String> {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", target])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("`cargo metadata` can't be run: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("`cargo metadata` failed: {error}"))?;
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> =
        array(&metadata["packages"]).into_iter().map(|found| (text(&found["id"]), found)).collect();
    let nodes: BTreeMap<String, Value> = array(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|found| (text(&found["id"]), found))
        .collect();
    let program = packages
        .iter()
        .find(|(_, found)| found["name"] == package)
        .map(|(id, _)| id.clone())
        .ok_or_else(|| format!("there is no package {package}"))?;
    // What builds or tests it is not in it.
    let linked = |id: &str| -> BTreeSet<String> {
        let dependencies = nodes.get(id).map(|node| array(&node["deps"])).unwrap_or_default();
        let is_linked =
            |found: &&Value| array(&found["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        dependencies.iter().filter(is_linked).map(|found| text(&found["pkg"])).collect()
    };
    let (mut known, mut next) = (BTreeSet::new(), vec![program.clone()]);
    while let Some(id) = next.pop() {
        if known.insert(id.clone()) {
            next.extend(linked(&id));
        }
    }
    let reference = |id: &str| {
        let found = &packages[id];
        format!("pkg:cargo/{}@{}", text(&found["name"]), text(&found["version"]))
    };
    let component = |id: &String| {
        let found = &packages[id];
        json!({
            "type": if *id == program { "application" } else { "library" },
            "bom-ref": reference(id),
            "name": found["name"],
            "version": found["version"],
            "purl": reference(id),
            // Cargo's older notation has a slash for OR.
            "licenses": [{ "expression": text(&found["license"]).replace('/', " OR ").replace("  ", " ") }],
        })
    };
    let components: Vec<Value> =
        known.iter().filter(|id| **id != program).map(&component).collect();
    let edges = known.iter().map(|id| {
        let to: Vec<String> = linked(id).iter().map(|id| reference(id)).collect();
        json!({ "ref": reference(id), "dependsOn": to })
    });
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(&program), "properties": [{ "name": "target", "value": target }] },
        "components": components,
        "dependencies": edges.collect::<Vec<_>>(),
    });
    Ok(format!("{bill:#}\n"))
}
