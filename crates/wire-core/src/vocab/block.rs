//! Names in blocks of a fixed size.

/// A name of a vocabulary in a block of a fixed size.
///
/// An encoder copies the whole block, in two instructions, and then uses only [`NameBlock::length`]
/// bytes of it. Copying only the name would branch on its length, which processors mispredict.
///
/// ```
/// use wire_core::Kind;
///
/// let block = Kind::Function.abbreviation_block().expect("because it is listed");
/// assert_eq!(&block.bytes()[..block.length()], b"fn");
/// assert!(Kind::from("widget").abbreviation_block().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameBlock {
    bytes: [u8; NameBlock::SIZE],
    length: u8,
}

impl NameBlock {
    /// The size of a block in bytes; the longest name is shorter.
    pub const SIZE: usize = 24;

    /// The name, followed by zeros.
    #[inline]
    pub const fn bytes(&self) -> &[u8; NameBlock::SIZE] {
        &self.bytes
    }

    /// The length of the name in bytes; at most [`NameBlock::SIZE`].
    #[inline]
    pub const fn length(&self) -> usize {
        self.length as usize
    }

    const fn new(word: &str) -> Self {
        let word = word.as_bytes();
        assert!(word.len() <= NameBlock::SIZE);
        let mut bytes = [0; NameBlock::SIZE];
        let mut at = 0;
        while at < word.len() {
            bytes[at] = word[at];
            at += 1;
        }
        #[allow(clippy::cast_possible_truncation)] // checked above
        let length = word.len() as u8;
        NameBlock { bytes, length }
    }
}

/// The blocks of a vocabulary by id.
pub(super) struct Blocks([NameBlock; Blocks::MOST]);

impl Blocks {
    const MOST: usize = 64;

    pub(super) const fn new(words: &[(&str, u8)]) -> Self {
        let mut blocks = [NameBlock::new(""); Blocks::MOST];
        let mut index = 0;
        while index < words.len() {
            let (word, id) = words[index];
            blocks[id as usize] = NameBlock::new(word);
            index += 1;
        }
        Blocks(blocks)
    }

    /// The block of this id; `None` when no name can have the id.
    #[inline]
    pub(super) fn get(&self, id: u8) -> Option<&NameBlock> {
        self.0.get(usize::from(id))
    }
}
