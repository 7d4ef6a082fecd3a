use gcf::generic::{Decoder, Encoder, Spec};
use serde_json::Value;
use wire_benches::json::document;
#[test]
fn probe() {
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(20000);
    let from: u64 = std::env::var("FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut bad = 0; let mut known = 0;
    for seed in from..from + n {
        let v = document(seed);
        let ours = Encoder::new().spec(Spec::V3_6).to_string(&v).unwrap();
        let theirs = gcf_peer::encode_generic(&v).unwrap();
        let back: Result<Value, _> = Decoder::new().from_str(&ours);
        let mut problems = vec![];
        if ours != theirs { problems.push(format!("BYTES ours\n{ours}theirs\n{theirs}")); }
        match back { Ok(b) if b == v => {}, Ok(b) => if format!("{}", canon(&b)) != format!("{}", canon(&v)) {problems.push(format!("OURS DECODES\n{b}\n{ours}"))}, Err(e) => problems.push(format!("OUR ERROR {e}\n{ours}")) }
        let plain = Encoder::new().to_string(&v).unwrap();
        match Decoder::new().from_str::<Value>(&plain) { Ok(b) if format!("{}", canon(&b)) == format!("{}", canon(&v)) => {}, e => problems.push(format!("PLAIN {e:?}\n{plain}")) }
        match gcf_peer::decode_generic(&theirs) { Ok(b) => {
            if format!("{}", canon(&b)) != format!("{}", canon(&v)) { problems.push(format!("PEER DECODES {b}\n{theirs}")); } }, Err(e) => problems.push(format!("PEER ERROR {e}\n{theirs}")) }
        let peer_reads = matches!(gcf_peer::decode_generic(&theirs), Ok(b) if canon(&b) == canon(&v));
        if !peer_reads && !problems.iter().any(|p| p.starts_with("OUR") || p.starts_with("PLAIN")) { known += 1; continue; }
        if !problems.is_empty() { bad += 1; if bad <= 12 { println!("== seed {seed}\n{v}\n{}", problems.join("\n")); } }
    }
    println!("bad {bad} of {n}, peer cannot read itself {known}");
}
fn canon(v: &Value) -> Value {
    match v {
        Value::Number(n) => { match n.as_f64() { Some(f) if n.is_f64() && f.fract() == 0.0 && f.abs() < 9007199254740992.0 => Value::from(f as i64), _ => v.clone() } }
        Value::Array(a) => a.iter().map(canon).collect(),
        Value::Object(o) => { let mut keys: Vec<_> = o.iter().map(|(k, v)| (k.clone(), canon(v))).collect(); keys.sort_by(|a, b| a.0.cmp(&b.0)); Value::Object(keys.into_iter().collect()) }
        _ => v.clone(),
    }
}
