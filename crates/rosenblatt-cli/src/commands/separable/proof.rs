//! The proof of a file, of whichever kind.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use rosenblatt::separability::{Certificate, LeastErrorsCertificate, SeparationCertificate};
use serde::{Deserialize, de::IgnoredAny};

use crate::error::CliError;

/// A certificate of any kind.
pub(super) enum Proof {
    Hyperplane(Certificate),
    Separation(SeparationCertificate),
    LeastErrors(LeastErrorsCertificate),
}

/// The key that each kind alone has.
#[derive(Deserialize)]
struct Kind {
    separation: Option<IgnoredAny>,
    least_errors: Option<IgnoredAny>,
}

/// Reads a certificate, which any program may have written, up to a limit.
pub(super) fn read(path: &Path) -> Result<Proof, CliError> {
    /// More than any data set that fits into memory needs.
    const LARGEST: u64 = 1 << 30;
    let failure = |problem| CliError::Certificate { file: path.display().to_string(), problem };
    let failed = |error: io::Error| failure(error.to_string());
    let file = File::open(path).map_err(failed)?;
    let mut reader = BufReader::new(file.take(LARGEST + 1));
    let mut bytes = reader.fill_buf().map_err(failed)?.to_vec();
    // A file that does not begin as an object is not read to its end, which it may not have.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_none_or(|&byte| byte == b'{') {
        bytes.clear();
        reader.read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(failure(format!("it has more than {LARGEST} bytes")));
    }
    of(&bytes).map_err(|error| failure(format!("this is not a certificate: {error}")))
}

fn of(bytes: &[u8]) -> Result<Proof, serde_json::Error> {
    match serde_json::from_slice(bytes)? {
        Kind { separation: Some(_), .. } => serde_json::from_slice(bytes).map(Proof::Separation),
        Kind { least_errors: Some(_), .. } => serde_json::from_slice(bytes).map(Proof::LeastErrors),
        _ => serde_json::from_slice(bytes).map(Proof::Hyperplane),
    }
}
