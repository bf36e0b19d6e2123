//! Files that are written whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// A file that takes the place of an old one only when it is complete.
///
/// The bytes go to a temporary file in the same folder, which [`commit`](Self::commit) syncs and
/// renames; dropped without that, it vanishes and the old file stays as it was. A link stays a link:
/// its target is replaced. What is not a regular file (a pipe, `/dev/null`) is written to directly.
#[derive(Debug)]
pub struct AtomicFile {
    bytes: BufWriter<Bytes>,
    path: PathBuf,
}

#[derive(Debug)]
enum Bytes {
    Temporary(NamedTempFile),
    Direct(File),
}

impl AtomicFile {
    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> io::Result<Self> {
        let existing = fs::metadata(path);
        if existing.as_ref().is_ok_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Self::new(Bytes::Direct(file), path.to_owned()));
        }
        let path = if existing.is_ok() { fs::canonicalize(path)? } else { path.to_owned() };
        // Asked first, because the error then speaks of no temporary file.
        fs::metadata(folder(&path))?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The permissions of any new file; the temporary file's own would be private.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let temporary = builder.prefix(".rosenblatt-").tempfile_in(folder(&path))?;
        Ok(Self::new(Bytes::Temporary(temporary), path))
    }

    fn new(bytes: Bytes, path: PathBuf) -> Self {
        AtomicFile { bytes: BufWriter::with_capacity(1 << 16, bytes), path }
    }

    /// Puts the complete file in its place.
    ///
    /// # Errors
    /// What the system says; the old file is then as it was.
    pub fn commit(self) -> io::Result<()> {
        let bytes = self.bytes.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Bytes::Temporary(temporary) = bytes {
            temporary.as_file().sync_all()?;
            temporary.persist(&self.path).map_err(|error| error.error)?;
            #[cfg(unix)]
            File::open(folder(&self.path))?.sync_all()?;
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes.flush()
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Bytes::Temporary(file) => file.write(bytes),
            Bytes::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Bytes::Temporary(file) => file.flush(),
            Bytes::Direct(file) => file.flush(),
        }
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        AtomicFile::create(Path::new("/dev/null")).unwrap().commit().unwrap();
    }
}
