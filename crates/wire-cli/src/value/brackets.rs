//! How deep a byte of a JSON text is nested, found byte by byte and without parsing the rest.

/// The arrays and objects around the bytes so far.
#[derive(Default)]
pub(super) struct Brackets {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Brackets {
    /// Goes on by a byte. It returns how many arrays and objects are open after it; `None` within a
    /// string.
    pub(super) fn after(&mut self, byte: u8) -> Option<usize> {
        if self.in_string {
            self.in_string = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return None;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                return None;
            }
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Some(self.depth)
    }

    /// Whether the bytes so far are no part of an array, object or string.
    pub(super) fn is_outside(&self) -> bool {
        self.depth == 0 && !self.in_string
    }

    /// How many are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }
}
