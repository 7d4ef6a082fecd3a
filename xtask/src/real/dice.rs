//! Numbers that look random and are the same everywhere.

/// A linear congruential generator of 64 bits, of which the upper ones are used.
pub(super) struct Dice(u64);

impl Dice {
    /// A sequence of its own for each name.
    pub(super) fn new(name: &str) -> Self {
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Dice(seed)
    }

    /// A number below this one.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// One of these.
    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).expect("because it is below a length")]
    }

    /// So many digits of base 16.
    pub(super) fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| char::from(self.one(b"0123456789abcdef"))).collect()
    }

    /// A suffix as Kubernetes makes it.
    pub(super) fn suffix(&mut self, letters: usize) -> String {
        (0..letters).map(|_| char::from(self.one(b"bcdfghjklmnpqrstvwxz2456789"))).collect()
    }

    /// A UUID of version 4.
    pub(super) fn uuid(&mut self) -> String {
        let (first, second, third) = (self.hex(8), self.hex(4), self.hex(3));
        let variant = char::from(self.one(b"89ab"));
        format!("{first}-{second}-4{third}-{variant}{}-{}", self.hex(3), self.hex(12))
    }

    /// A time of the first half of 2026, to the second.
    pub(super) fn time(&mut self) -> String {
        let (month, day) = (self.below(6) + 1, self.below(28) + 1);
        let (hour, minute, second) = (self.below(24), self.below(60), self.below(60));
        format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// A sum of money, with cents.
    pub(super) fn money(&mut self, below: u64) -> f64 {
        let cents = u32::try_from(self.below(below * 100)).expect("because sums are small");
        f64::from(cents) / 100.0
    }
}
