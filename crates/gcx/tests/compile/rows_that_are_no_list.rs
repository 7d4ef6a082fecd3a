#[derive(serde::Serialize)]
struct Found {
    total: u32,
}

struct Row;

fn main() {
    let _ = gcx::to_string("search", &Found { total: 7 });
    let _ = gcx::Encoder::new().to_vec("search", [Row]);
}
