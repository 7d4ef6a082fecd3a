//! A seeded mutator: the same seed and corpus give the same inputs, on every machine.

use crate::Random;

/// Makes inputs out of a corpus.
#[derive(Debug)]
pub struct Mutator<'c> {
    random: Random,
    /// What is changed.
    seeds: Vec<&'c [u8]>,
    /// What pieces of others come from.
    all: &'c [Vec<u8>],
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
    // The generic profile.
    b" profile=generic",
    b"## [2]{a,b}\n",
    b"## [?]{a}\n",
    b"## [1:]{key,a}\n",
    b"{@id,a} group=a\n",
    b"## a [1]: x\n",
    b"@0 ^|1\n",
    b".a [1]{b}\n",
    b"^{a,b}",
    b"a>b",
    b"|",
    b"~",
    b"-",
    b"=",
    b"  ",
    b"##! summary",
    b" key=id",
    b" delta=true",
    b" base_root=a new_root=b",
    b"## added [1]{@id}\n",
    b"## removed\n",
    b"## edges_added\na -> b c\n",
    // GCX1.
    b"GCX1 tool=t fields=a,b rows=1\n",
    b" typed=objects:integer,json*",
    b" fields=",
    b" rows=2",
    b"\\t",
    b"\\n",
    // GOON.
    b"@nodes\n",
    b"@edges\n",
    b"@rows\n",
    b"A(1):\n1 a=1\n",
    b"A:1 --> A:2 depth=1\n",
    b"nodes:1\n",
    b"group_by:u(node:A)\n",
    b"_len",
    b"...",
    // XML.
    b"<symbol name=\"a\"/>",
    b"</edges>",
    b"&#10;",
    b"<![CDATA[",
];

impl<'c> Mutator<'c> {
    /// A mutator of those of these inputs that begin with one of `begins`, which takes pieces of
    /// all of them.
    ///
    /// # Panics
    ///
    /// When there are none.
    pub fn new(seed: u64, all: &'c [Vec<u8>], begins: &[&str]) -> Self {
        let wanted =
            |input: &&Vec<u8>| begins.iter().any(|start| input.starts_with(start.as_bytes()));
        let seeds: Vec<&[u8]> = all.iter().filter(wanted).map(Vec::as_slice).collect();
        assert!(!seeds.is_empty(), "there is nothing to mutate");
        Mutator { random: Random::new(seed), seeds, all }
    }

    /// The next input: one of the corpus, with one to eight changes.
    pub fn next_input(&mut self) -> Vec<u8> {
        let seed = self.below(self.seeds.len());
        let mut input = self.seeds[seed].to_vec();
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
                let all = self.all;
                // Mostly of the same format.
                let other = match self.below(4) {
                    0 => &all[self.below(all.len())],
                    _ => {
                        let seed = self.below(self.seeds.len());
                        self.seeds[seed]
                    }
                };
                let from = self.below(other.len() + 1);
                let length = self.below(other.len() - from + 1);
                input.splice(at..at, other[from..from + length].iter().copied());
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = self.random.next().to_le_bytes()[0];
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

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }
}
