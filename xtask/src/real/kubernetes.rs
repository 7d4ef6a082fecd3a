//! Lists as `kubectl get … -o json` prints them, after the public schema of Kubernetes' API.

use serde_json::{Value, json};

use super::dice::Dice;

const SERVICES: [(&str, &str, u64); 4] = [
    ("checkout", "registry.example.com/shop/checkout:2.14.3", 8080),
    ("catalog", "registry.example.com/shop/catalog:1.9.0", 8080),
    ("payments", "registry.example.com/shop/payments:4.2.1", 9090),
    ("search", "registry.example.com/shop/search:0.31.7", 7700),
];

fn list(items: &[Value]) -> Value {
    json!({ "apiVersion": "v1", "items": items, "kind": "List", "metadata": { "resourceVersion": "" } })
}

/// Pods of some deployments.
pub(super) fn pods() -> Value {
    let dice = &mut Dice::new("pods");
    let mut items = Vec::new();
    for (name, image, port) in SERVICES {
        let replica_set = format!("{name}-{}", dice.suffix(10));
        let owner = dice.uuid();
        for _ in 0..3 {
            items.push(pod(dice, (name, image, port), &replica_set, &owner));
        }
    }
    list(&items)
}

fn pod(
    dice: &mut Dice,
    (name, image, port): (&str, &str, u64),
    replica_set: &str,
    owner: &str,
) -> Value {
    let created = dice.time();
    let (node, restarts) = (dice.below(5), dice.one(&[0, 0, 0, 1, 7]));
    let address = format!("10.42.{node}.{}", dice.below(250) + 2);
    let host = format!("192.168.10.{}", node + 20);
    let hash = &replica_set[name.len() + 1..];
    let conditions: Vec<Value> = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"]
        .iter()
        .map(|kind| json!({ "lastProbeTime": null, "lastTransitionTime": created, "status": "True", "type": kind }))
        .collect();
    let probe = |path: &str| {
        json!({
            "failureThreshold": 3, "httpGet": { "path": path, "port": "http", "scheme": "HTTP" },
            "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1
        })
    };
    let volume = format!("kube-api-access-{}", dice.suffix(5));
    let toleration = |key: &str| json!({ "effect": "NoExecute", "key": key, "operator": "Exists", "tolerationSeconds": 300 });
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "creationTimestamp": created,
            "generateName": format!("{replica_set}-"),
            "labels": { "app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "shop", "pod-template-hash": hash },
            "name": format!("{replica_set}-{}", dice.suffix(5)),
            "namespace": "shop",
            "ownerReferences": [{
                "apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true,
                "kind": "ReplicaSet", "name": replica_set, "uid": owner
            }],
            "resourceVersion": (dice.below(900_000) + 100_000).to_string(),
            "uid": dice.uuid()
        },
        "spec": {
            "containers": [{
                "env": [
                    { "name": "LOG_LEVEL", "value": "info" },
                    { "name": "DATABASE_URL", "valueFrom": { "secretKeyRef": { "key": "url", "name": format!("{name}-database") } } }
                ],
                "image": image,
                "imagePullPolicy": "IfNotPresent",
                "livenessProbe": probe("/healthz"),
                "name": name,
                "ports": [{ "containerPort": port, "name": "http", "protocol": "TCP" }],
                "readinessProbe": probe("/readyz"),
                "resources": { "limits": { "cpu": "1", "memory": "512Mi" }, "requests": { "cpu": "100m", "memory": "128Mi" } },
                "terminationMessagePath": "/dev/termination-log",
                "terminationMessagePolicy": "File",
                "volumeMounts": [{ "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": volume, "readOnly": true }]
            }],
            "dnsPolicy": "ClusterFirst",
            "enableServiceLinks": true,
            "nodeName": format!("worker-{node}"),
            "preemptionPolicy": "PreemptLowerPriority",
            "priority": 0,
            "restartPolicy": "Always",
            "schedulerName": "default-scheduler",
            "securityContext": {},
            "serviceAccount": "default",
            "serviceAccountName": "default",
            "terminationGracePeriodSeconds": 30,
            "tolerations": [toleration("node.kubernetes.io/not-ready"), toleration("node.kubernetes.io/unreachable")],
            "volumes": [{ "name": volume, "projected": { "defaultMode": 420, "sources": [
                { "serviceAccountToken": { "expirationSeconds": 3607, "path": "token" } },
                { "configMap": { "items": [{ "key": "ca.crt", "path": "ca.crt" }], "name": "kube-root-ca.crt" } },
                { "downwardAPI": { "items": [{ "fieldRef": { "apiVersion": "v1", "fieldPath": "metadata.namespace" }, "path": "namespace" }] } }
            ] } }]
        },
        "status": {
            "conditions": conditions,
            "containerStatuses": [{
                "containerID": format!("containerd://{}", dice.hex(64)),
                "image": image,
                "imageID": format!("{}@sha256:{}", image.split(':').next().unwrap_or(image), dice.hex(64)),
                "lastState": {},
                "name": name,
                "ready": true,
                "restartCount": restarts,
                "started": true,
                "state": { "running": { "startedAt": created } }
            }],
            "hostIP": host,
            "hostIPs": [{ "ip": host }],
            "phase": "Running",
            "podIP": address,
            "podIPs": [{ "ip": address }],
            "qosClass": "Burstable",
            "startTime": created
        }
    })
}

/// What happened to them.
pub(super) fn events() -> Value {
    let dice = &mut Dice::new("events");
    let items: Vec<Value> = (0..40).map(|_| event(dice)).collect();
    list(&items)
}

fn event(dice: &mut Dice) -> Value {
    let (service, image, _) = dice.one(&SERVICES);
    let pod = format!("{service}-{}-{}", dice.suffix(10), dice.suffix(5));
    let node = format!("worker-{}", dice.below(5));
    let (reason, kind, component, message) = match dice.below(5) {
        0 => (
            "Scheduled",
            "Normal",
            "default-scheduler",
            format!("Successfully assigned shop/{pod} to {node}"),
        ),
        1 => (
            "Pulled",
            "Normal",
            "kubelet",
            format!("Container image \"{image}\" already present on machine"),
        ),
        2 => ("Started", "Normal", "kubelet", format!("Started container {service}")),
        3 => (
            "Unhealthy",
            "Warning",
            "kubelet",
            "Readiness probe failed: HTTP probe failed with statuscode: 503".to_owned(),
        ),
        _ => (
            "BackOff",
            "Warning",
            "kubelet",
            format!("Back-off restarting failed container {service} in pod {pod}_shop"),
        ),
    };
    let (first, last) = (dice.time(), dice.time());
    let source = if component == "kubelet" {
        json!({ "component": component, "host": node })
    } else {
        json!({ "component": component })
    };
    json!({
        "apiVersion": "v1",
        "count": dice.below(20) + 1,
        "eventTime": null,
        "firstTimestamp": first,
        "involvedObject": {
            "apiVersion": "v1", "fieldPath": format!("spec.containers{{{service}}}"), "kind": "Pod", "name": pod, "namespace": "shop",
            "resourceVersion": (dice.below(900_000) + 100_000).to_string(), "uid": dice.uuid()
        },
        "kind": "Event",
        "lastTimestamp": last,
        "message": message,
        "metadata": {
            "creationTimestamp": first, "name": format!("{pod}.{}", dice.hex(16)), "namespace": "shop",
            "resourceVersion": (dice.below(900_000) + 100_000).to_string(), "uid": dice.uuid()
        },
        "reason": reason,
        "reportingComponent": component,
        "reportingInstance": node,
        "source": source,
        "type": kind
    })
}
