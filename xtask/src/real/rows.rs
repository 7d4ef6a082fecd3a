//! Logs and tables, as log services and databases answer queries.

use serde_json::{Map, Value, json};

use super::dice::Dice;

/// Requests, as a log service answers a query: one shape for all.
pub(super) fn access_log() -> Value {
    let dice = &mut Dice::new("access log");
    (0..150)
        .map(|index| {
            let route = dice.one(&["/cart", "/cart/items", "/orders/{id}", "/products", "/products/{id}", "/search"]);
            json!({
                "time": format!("2026-05-04T10:{:02}:{:02}.{:03}Z", index / 6 % 60, index * 10 % 60, dice.below(1000)),
                "level": dice.one(&["info", "info", "info", "info", "warn"]),
                "service": dice.one(&["checkout", "catalog", "search"]),
                "method": dice.one(&["GET", "GET", "GET", "POST", "DELETE"]),
                "route": route,
                "status": dice.one(&[200, 200, 200, 201, 304, 404, 503]),
                "duration_ms": dice.money(400),
                "bytes": dice.below(40_000),
                "trace_id": dice.hex(32),
                "user_agent": dice.one(&["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "curl/8.7.1", "shop-android/4.11"])
            })
        })
        .collect()
}

/// Structured lines of a program: each message has attributes of its own.
pub(super) fn application_log() -> Value {
    let dice = &mut Dice::new("application log");
    (0..100)
        .map(|_| {
            let (level, target, message) = dice.one(&[
                ("INFO", "checkout::cart", "cart updated"),
                ("INFO", "checkout::payment", "payment captured"),
                ("WARN", "checkout::retry", "upstream slow, retrying"),
                ("ERROR", "checkout::payment", "gateway refused the charge: insufficient funds on the card that ends in 4242"),
                ("DEBUG", "sqlx::query", "SELECT id, total, currency FROM orders WHERE customer_id = $1 ORDER BY created_at DESC LIMIT 20"),
            ]);
            let mut fields = Map::new();
            match message.as_bytes()[0] {
                b'c' => fields.extend([("cart_id".to_owned(), json!(dice.hex(12))), ("items".to_owned(), json!(dice.below(9) + 1))]),
                b'p' => fields.extend([("order_id".to_owned(), json!(dice.below(90_000) + 10_000)), ("amount".to_owned(), json!(dice.money(300)))]),
                b'u' => fields.extend([("attempt".to_owned(), json!(dice.below(4) + 1)), ("elapsed_ms".to_owned(), json!(dice.below(3000)))]),
                b'g' => fields.extend([("order_id".to_owned(), json!(dice.below(90_000) + 10_000)), ("decline_code".to_owned(), json!("51"))]),
                _ => fields.extend([("rows".to_owned(), json!(dice.below(21))), ("elapsed_ms".to_owned(), json!(dice.below(40)))]),
            }
            json!({
                "timestamp": dice.time(),
                "level": level,
                "target": target,
                "message": message,
                "fields": Value::Object(fields),
                "span": { "name": "request", "request_id": dice.uuid() }
            })
        })
        .collect()
}

/// A short answer: few rows with few fields.
pub(super) fn open_orders() -> Value {
    let dice = &mut Dice::new("open orders");
    (0..8)
        .map(|index| {
            json!({
                "order_id": 58_101 + index,
                "customer": dice.one(&["Ann Lee", "Bo Lind", "Cleo Varga", "Dev Okafor"]),
                "due": dice.time()[..10],
                "total": dice.money(400),
                "paid": dice.below(3) != 0
            })
        })
        .collect()
}

/// Rows of a database, with nulls.
pub(super) fn orders() -> Value {
    let dice = &mut Dice::new("orders");
    (0..150)
        .map(|index| {
            let quantity = dice.below(5) + 1;
            json!({
                "order_id": 58_101 + index,
                "placed_at": dice.time(),
                "customer": dice.one(&["Ann Lee", "Bo Lind", "Cleo Varga", "Dev Okafor", "Eva Roth", "Finn O'Hara"]),
                "country": dice.one(&["DE", "FR", "NL", "SE", "US"]),
                "sku": format!("{}-{:04}", dice.one(&["CHAIR", "DESK", "LAMP", "SHELF"]), dice.below(60)),
                "quantity": quantity,
                "unit_price": dice.money(400),
                "paid": dice.below(8) != 0,
                "coupon": (dice.below(5) == 0).then(|| dice.one(&["SPRING10", "WELCOME"]))
            })
        })
        .collect()
}

/// Samples of sensors: numbers and little else.
pub(super) fn metrics() -> Value {
    let dice = &mut Dice::new("metrics");
    (0..150_u64)
        .map(|index| {
            json!({
                "timestamp": 1_777_888_800 + index / 5 * 60,
                "host": format!("worker-{}", index % 5),
                "cpu": dice.money(100),
                "memory_mb": dice.below(16_000),
                "disk_read": dice.below(900_000),
                "disk_write": dice.below(900_000),
                "load1": dice.money(8)
            })
        })
        .collect()
}
