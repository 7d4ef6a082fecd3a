//! The same bytes as the crate `gcf` 3.0.1, which writes specification 3.5, for random JSON; and
//! each reads what both write.
//!
//! `DOCUMENTS=1000000 cargo test --release --test generic -- --nocapture` for more of them.

use gcf::Spec;
use wire_benches_gcf_3_0::generic::{Peer, compare, documents};

#[test]
fn the_crate_of_specification_3_5() {
    let peer = Peer {
        spec: Spec::V3_5,
        one_kind_of_number: false,
        encode: Box::new(|value| {
            gcf_peer::encode_generic(value).map_err(|error| error.to_string())
        }),
        decode: Box::new(|text| gcf_peer::decode_generic(text).map_err(|error| error.to_string())),
    };
    compare(&peer, documents());
}
