//! The interface between the blocks of a file and the parser of its format.

use crate::{fault::Fault, table::batch::Batch};

/// Parses blocks, each on its own and on any thread.
pub(crate) trait BlockParser: Send + Sync {
    /// Parses a block of whole records; `is_last` tells whether the file ends with it.
    fn parse(&self, block: &[u8], is_last: bool) -> Result<Batch, Fault>;
}

/// A parser that is compiled a second time for processors with BMI1 and BMI2. For that, the parser's `parse` has to be
/// `#[inline(always)]`.
pub(crate) struct WithBmi2<P>(pub(crate) P);

impl<P: BlockParser> BlockParser for WithBmi2<P> {
    fn parse(&self, block: &[u8], is_last: bool) -> Result<Batch, Fault> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
            #[target_feature(enable = "bmi1,bmi2")]
            fn with_bmi2<P: BlockParser>(
                parser: &P,
                block: &[u8],
                is_last: bool,
            ) -> Result<Batch, Fault> {
                parser.parse(block, is_last)
            }
            // SAFETY: the function needs BMI1 and BMI2, which were just detected.
            #[allow(unsafe_code)]
            return unsafe { with_bmi2(&self.0, block, is_last) };
        }
        self.0.parse(block, is_last)
    }
}
