//! Big-endian numbers at places of a table; `None` past its end.

/// Bytes of the typeface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a>(pub(super) &'a [u8]);

impl Table<'_> {
    pub(super) fn from(self, start: usize) -> Option<Self> {
        self.0.get(start..).map(Table)
    }

    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(super) fn u16(self, at: usize) -> Option<u16> {
        Some(u16::from_be_bytes(*self.0.get(at..)?.first_chunk()?))
    }

    pub(super) fn i16(self, at: usize) -> Option<i16> {
        Some(self.u16(at)? as i16)
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_be_bytes(*self.0.get(at..)?.first_chunk()?))
    }
}
