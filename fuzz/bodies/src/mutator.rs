//! A seeded mutator: the same seed and corpus give the same inputs, on every machine.

/// Makes inputs out of a corpus.
#[derive(Debug)]
pub struct Mutator<'c> {
    state: u64,
    seeds: &'c [Vec<u8>],
}

/// Pieces that the formats give a meaning to.
const PIECES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b" ",
    b"\t",
    b"@",
    b"<@",
    b"@0<@0 calls\n",
    b"@0 fn a 0.50 x\n",
    b"## edges\n",
    b"## edges [1]\n",
    b"## edges [?]\n",
    b"## targets\n",
    b"## distance_9\n",
    b"## _summary symbols=1 edges=0\n",
    b"##! summary edges=1\n",
    b"# c\n",
    b" symbols=1",
    b" edges=0",
    b" session=true",
    b" profile=graph",
    b"18446744073709551616",
    b"4294967295",
    b"-1",
    b"0",
    b"NaN",
    b"1e308",
    b"\"",
    b"\\u0000",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"\xff",
    b"\xc3\xa9",
    b"\xc2\xa0",
    b"\x00",
    b"\x7f",
    b"\x80",
    b"\x80\x00",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"GCF ",
    b"GCB1\x01",
];

impl<'c> Mutator<'c> {
    /// A mutator of these inputs.
    ///
    /// # Panics
    ///
    /// When there are none.
    pub fn new(seed: u64, seeds: &'c [Vec<u8>]) -> Self {
        assert!(!seeds.is_empty(), "there is nothing to mutate");
        Mutator { state: seed, seeds }
    }

    /// The next input: one of the corpus, with one to eight changes.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.seed().to_vec();
        for _ in 0..=self.below(8) {
            self.change(&mut input);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        match self.below(8) {
            0 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << self.below(8);
                }
            }
            1 => input.truncate(at),
            2 => {
                let end = (at + 1 + self.below(8)).min(input.len());
                input.drain(at.min(end)..end);
            }
            3 => {
                let piece = PIECES[self.below(PIECES.len())];
                input.splice(at..at, piece.iter().copied());
            }
            4 => {
                // A piece in the place of as many bytes.
                let piece = PIECES[self.below(PIECES.len())];
                let end = (at + piece.len()).min(input.len());
                input.splice(at..end, piece.iter().copied());
            }
            5 => self.change_line(input, at),
            6 => {
                let other = self.seed();
                let from = self.below(other.len() + 1);
                let length = self.below(other.len() - from + 1);
                input.splice(at..at, other[from..from + length].iter().copied());
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = self.random().to_le_bytes()[0];
                }
            }
        }
    }

    /// Removes or doubles the line around `at`.
    fn change_line(&mut self, input: &mut Vec<u8>, at: usize) {
        let start = input[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |lf| lf + 1);
        let end = input[at..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(input.len(), |lf| at + lf + 1);
        if self.below(2) == 0 {
            input.drain(start..end);
        } else {
            let line = input[start..end].to_vec();
            input.splice(end..end, line);
        }
    }

    fn seed(&mut self) -> &'c [u8] {
        let seeds = self.seeds;
        &seeds[self.below(seeds.len())]
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.random() % (bound as u64)).expect("because it is below a usize")
    }

    /// `SplitMix64`.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let seeds = [b"GCF tool=t symbols=0\n".to_vec(), b"GCB1\x01\x00".to_vec()];
        let inputs = |seed| {
            let mut mutator = Mutator::new(seed, &seeds);
            (0..100).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
    }
}
