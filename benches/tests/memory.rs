//! How much memory encoding and decoding take: counted allocations, so that every run says the
//! same.

use allocation_counter::{AllocationInfo, measure};
use wire_benches::documents::{Order, orders};
use wire_benches::rows::{hits, traversal};
use wire_benches::{pack, shuffled};

const FEW: usize = 1_000;
const MANY: usize = 100_000;

/// Allocations that a buffer makes that doubles until it holds a hundred times as much.
const DOUBLINGS: u64 = 8;

/// What the work allocates, of which a first run may set up what later ones use.
fn allocated<O>(mut work: impl FnMut() -> O) -> AllocationInfo {
    drop(work());
    measure(|| drop(work()))
}

/// That a hundred times as many items take no more allocations but for so many growing buffers.
#[track_caller]
fn no_allocation_an_item(buffers: u64, few: AllocationInfo, many: AllocationInfo) {
    let (few, many) = (few.count_total, many.count_total);
    assert!(
        many <= few + buffers * DOUBLINGS,
        "{few} allocations of 1,000 items, {many} of 100,000"
    );
}

#[test]
fn encoders_of_payloads_write_into_one_buffer() {
    for count in [FEW, MANY] {
        let payload = pack(count, 1);
        let gcf = allocated(|| gcf::graph::to_vec(&payload).unwrap());
        assert!(gcf.count_total <= 2, "{gcf:?}");
        let gcb = allocated(|| gcb::to_vec(&payload).unwrap());
        assert!(gcb.count_total <= 2, "{gcb:?}");
        // Besides the text the ids, and the order of the symbols.
        let payload = shuffled(&payload, 2);
        let gcf = allocated(|| gcf::graph::to_vec(&payload).unwrap());
        assert!(gcf.count_total <= 5, "{gcf:?}");
    }
}

#[test]
fn decoders_of_payloads_make_a_vector_a_section() {
    for count in [FEW, MANY] {
        let payload = pack(count, 1);
        let text = gcf::graph::to_string(&payload).unwrap();
        let gcf = allocated(|| gcf::graph::from_str(&text).unwrap());
        assert!(gcf.count_total <= 4, "{gcf:?}");
        assert!(gcf.bytes_max * 2 <= text.len() as u64 * 5, "{gcf:?} of {} bytes", text.len());
        let bytes = gcb::to_vec(&payload).unwrap();
        let gcb = allocated(|| gcb::from_slice(&bytes).unwrap());
        assert!(gcb.count_total <= 2, "{gcb:?}");
        assert!(gcb.bytes_max * 2 <= bytes.len() as u64 * 5, "{gcb:?} of {} bytes", bytes.len());
        let view = allocated(|| gcb::View::new(&bytes).unwrap().symbols().count());
        assert_eq!(view.count_total, 0);
    }
}

#[test]
fn rows_are_written_and_read_without_an_allocation_each() {
    let write = |count: usize| {
        let rows: Vec<[String; 3]> =
            hits(count, 1).into_iter().map(|hit| [hit.id, hit.name, hit.sig]).collect();
        allocated(|| {
            let mut writer = gcx::Writer::new(Vec::new());
            let header = gcx::Header::new("search", ["id", "name", "sig"]).with_rows(count as u64);
            writer.begin(&header).unwrap();
            rows.iter().for_each(|row| writer.row(row).unwrap());
            writer.finish().unwrap()
        })
    };
    no_allocation_an_item(1, write(FEW), write(MANY));
    let of_structs = |count: usize| {
        let hits = hits(count, 1);
        allocated(|| gcx::to_string("search_symbols", &hits).unwrap())
    };
    no_allocation_an_item(2, of_structs(FEW), of_structs(MANY));
    let read = |count: usize| {
        let text = gcx::to_string("search_symbols", hits(count, 1)).unwrap();
        allocated(|| {
            let mut reader = gcx::SliceReader::new(&text);
            reader.next_section().unwrap();
            let mut row = gcx::Row::default();
            while reader.read_row(&mut row).unwrap() {}
        })
    };
    no_allocation_an_item(0, read(FEW), read(MANY));
}

#[test]
fn encoders_of_responses_and_documents_make_no_allocation_an_item() {
    let goon = |count: usize| {
        let response = goon::GraphResponse::from_value(&traversal(count, 1)).unwrap();
        allocated(|| goon::to_string(&response).unwrap())
    };
    no_allocation_an_item(4, goon(FEW), goon(MANY));
    // Its values, their text, the list of rows, and the text.
    let generic = |count: usize| {
        let hits = hits(count, 1);
        allocated(|| gcf::to_string(&hits).unwrap())
    };
    no_allocation_an_item(4, generic(FEW), generic(MANY));
}

#[test]
fn structs_are_decoded_in_proportion_to_their_json() {
    for count in [FEW, MANY] {
        let orders = orders(count, 1);
        let json = serde_json::to_string(&orders).unwrap().len() as u64;
        let text = gcf::to_string(&orders).unwrap();
        let generic = allocated(|| gcf::from_str::<Vec<Order>>(&text).unwrap());
        // The structs, their list twice while it grows, and nodes of 16 bytes: 3.2 times the JSON.
        assert!(generic.bytes_max * 10 <= json * 33, "{generic:?} of {json} bytes of JSON");
    }
}
