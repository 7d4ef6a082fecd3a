//! Words in blocks of one size.

/// A word of a vocabulary in a block of a fixed size.
///
/// An encoder copies the whole block, which is two instructions, and then counts only
/// [`Block::length`] of it. Copying just the word branches by its length, which no processor
/// foresees.
///
/// ```
/// use wire_core::Kind;
///
/// let block = Kind::Function.abbreviation_block().expect("because it is listed");
/// assert_eq!(&block.bytes()[..block.length()], b"fn");
/// assert!(Kind::from("widget").abbreviation_block().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    bytes: [u8; Block::SIZE],
    length: u8,
}

impl Block {
    /// The size of a block in bytes; the longest word is shorter.
    pub const SIZE: usize = 24;

    /// The word, and zeros behind it.
    #[inline]
    pub const fn bytes(&self) -> &[u8; Block::SIZE] {
        &self.bytes
    }

    /// Bytes of the word; at most [`Block::SIZE`].
    #[inline]
    pub const fn length(&self) -> usize {
        self.length as usize
    }

    const fn new(word: &str) -> Self {
        let word = word.as_bytes();
        assert!(word.len() <= Block::SIZE);
        let mut bytes = [0; Block::SIZE];
        let mut at = 0;
        while at < word.len() {
            bytes[at] = word[at];
            at += 1;
        }
        #[allow(clippy::cast_possible_truncation)] // checked above
        let length = word.len() as u8;
        Block { bytes, length }
    }
}

/// The blocks of a vocabulary by id.
pub(super) struct Blocks([Block; Blocks::MOST]);

impl Blocks {
    const MOST: usize = 64;

    pub(super) const fn new(words: &[(&str, u8)]) -> Self {
        let mut blocks = [Block::new(""); Blocks::MOST];
        let mut index = 0;
        while index < words.len() {
            let (word, id) = words[index];
            blocks[id as usize] = Block::new(word);
            index += 1;
        }
        Blocks(blocks)
    }

    /// The block of this id, if any word can have it.
    #[inline]
    pub(super) fn get(&self, id: u8) -> Option<&Block> {
        self.0.get(usize::from(id))
    }
}
