//! The stand-in for the check of mapped files in a program that maps none.

use crate::read_error::ReadError;

/// The content of a mapped file when it was opened: there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seal {}

impl Seal {
    /// Never called, because there is no value.
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        match *self {}
    }
}
