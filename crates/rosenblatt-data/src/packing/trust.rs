//! Whether a cache, which is found by its name alone, may be trusted.
//!
//! Any user who may write in the folder of the data can put a file of that name there, with the right key and the wrong
//! rows. The cache is trusted only where the running user wrote it: it is a regular file and no link, the user
//! owns it, and neither group nor others may write it. (The owner's other files cannot harm: the key says whose rows a
//! file has, and what this program packed has the rows of its key.)
//!
//! One risk remains: a packed file in an archive belongs to the user who unpacks it. A user who takes data from another person
//! takes the rows from that person too, and the note that names the packed file says so. On systems without owners and modes, only links are
//! refused.

use std::{fmt, fs, fs::File, path::Path};

/// Why a cache is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Distrust {
    /// It is a link, a pipe or the like.
    NoFile,
    /// Another user owns it, with this number.
    OtherOwner(u32),
    /// Its group or everybody may write it.
    OthersMayWrite,
    /// It cannot be opened.
    NotReadable,
}

impl fmt::Display for Distrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distrust::NoFile => f.write_str("it is no regular file"),
            Distrust::OtherOwner(user) => write!(f, "user {user} owns it"),
            Distrust::OthersMayWrite => f.write_str("other users may write it"),
            Distrust::NotReadable => f.write_str("it cannot be read"),
        }
    }
}

/// The file in the place of the cache.
pub(super) enum CacheFile {
    Nothing,
    /// A file of the running user.
    Own(File),
    Distrusted(Distrust),
}

/// Opens the file of this name, if it may be trusted.
pub(super) fn find(path: &Path) -> CacheFile {
    match open(path) {
        Ok(file) => CacheFile::Own(file),
        Err(None) => CacheFile::Nothing,
        Err(Some(distrust)) => CacheFile::Distrusted(distrust),
    }
}

fn open(path: &Path) -> Result<File, Option<Distrust>> {
    let unreadable = |_| Some(Distrust::NotReadable);
    // Asked before it is opened, because opening a pipe waits.
    let named = fs::symlink_metadata(path).map_err(|_| None)?;
    if !named.is_file() {
        return Err(Some(Distrust::NoFile));
    }
    let file = File::open(path).map_err(unreadable)?;
    let opened = file.metadata().map_err(unreadable)?;
    match distrust(&named, &opened) {
        None => Ok(file),
        distrust => Err(distrust),
    }
}

/// Judges the file that was opened; it must be the one that had the name.
#[cfg(unix)]
fn distrust(named: &fs::Metadata, opened: &fs::Metadata) -> Option<Distrust> {
    use std::os::unix::fs::MetadataExt;

    /// The permissions of the group and of others to write.
    const OTHERS_WRITE: u32 = 0o022;
    if (named.dev(), named.ino()) != (opened.dev(), opened.ino()) {
        return Some(Distrust::NoFile);
    }
    if opened.uid() != nix::unistd::geteuid().as_raw() {
        return Some(Distrust::OtherOwner(opened.uid()));
    }
    (opened.mode() & OTHERS_WRITE != 0).then_some(Distrust::OthersMayWrite)
}

#[cfg(not(unix))]
fn distrust(_: &fs::Metadata, _: &fs::Metadata) -> Option<Distrust> {
    None
}
