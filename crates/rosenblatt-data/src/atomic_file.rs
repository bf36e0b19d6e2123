//! Files that are written whole or not at all.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::NamedTempFile;

/// A file that takes the place of an old one only when it is complete.
///
/// The bytes go to a temporary file in the same folder, which [`commit`](Self::commit) syncs and
/// renames; dropped without that, it vanishes and the old file stays as it was. A link stays a link:
/// its target is replaced. What is not a regular file (a pipe, `/dev/null`) is written to directly.
#[derive(Debug)]
pub struct AtomicFile {
    /// Present until the file is complete.
    bytes: Option<BufWriter<Bytes>>,
    path: PathBuf,
    /// The temporary file, on the list of unfinished ones until this is dropped.
    temporary: Option<PathBuf>,
}

#[derive(Debug)]
enum Bytes {
    Temporary(NamedTempFile),
    Direct(File),
}

/// The temporary files of this process that are not complete.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all files that are not complete, for a process that ends at once.
pub fn discard_unfinished() {
    for path in unfinished().drain(..) {
        // It may be complete by now, or gone.
        let _ = fs::remove_file(path);
    }
}

/// How the names of temporary files begin.
const PREFIX: &str = ".rosenblatt-";

/// Removes the temporary files beside `path` whose processes were killed.
///
/// A temporary file is locked for as long as its process writes it, and the system takes the lock of a process that is
/// dead. Where there are no locks nothing is removed.
pub fn discard_abandoned(path: &Path) {
    let Ok(path) = follow_links(path) else { return };
    let Ok(entries) = fs::read_dir(folder(&path)) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // Removed with the lock held, so that its maker, if there is one after all, sees it.
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a temporary file that is locked.
fn locked(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let temporary =
            builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        // Before it was locked it may have been taken for abandoned: then another is made.
        let is_taken = matches!(temporary.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && temporary.path().exists() {
            return Ok(temporary);
        }
    }
}

impl AtomicFile {
    /// Writes a file that holds these bytes.
    ///
    /// # Errors
    /// What the system says; whatever stood at `path` then still does.
    pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(bytes)?;
        file.commit()
    }

    /// Where a file for `path` will stand: links are followed, and the folder has one spelling.
    ///
    /// # Errors
    /// What the system says, for example of a folder that is not there.
    pub fn destination(path: &Path) -> io::Result<PathBuf> {
        let path = follow_links(path)?;
        let name = path.file_name().unwrap_or_default();
        Ok(folder(&path).canonicalize()?.join(name))
    }

    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::create_with_mode(path, None)
    }

    /// The same with these permissions, instead of those of the old file or of any new one. The system takes from them
    /// what it takes from every new file.
    pub(crate) fn create_with_mode(path: &Path, mode: Option<u32>) -> io::Result<Self> {
        let path = follow_links(path)?;
        let existing = fs::metadata(&path).ok();
        if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Self::new(Bytes::Direct(file), path, None));
        }
        // Asked first, because the error then speaks of no temporary file.
        fs::metadata(folder(&path))?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Those of the old file, else those of any new one; a temporary file's own are private.
            let any = || fs::Permissions::from_mode(0o666);
            let usual = || existing.map_or_else(any, |metadata| metadata.permissions());
            builder.permissions(mode.map_or_else(usual, fs::Permissions::from_mode));
        }
        #[cfg(not(unix))]
        let _ = mode;
        let temporary = locked(builder.prefix(PREFIX), folder(&path))?;
        let name = temporary.path().to_owned();
        unfinished().push(name.clone());
        Ok(Self::new(Bytes::Temporary(temporary), path, Some(name)))
    }

    fn new(bytes: Bytes, path: PathBuf, temporary: Option<PathBuf>) -> Self {
        AtomicFile { bytes: Some(BufWriter::with_capacity(1 << 16, bytes)), path, temporary }
    }

    /// Puts the complete file in its place.
    ///
    /// # Errors
    /// What the system says; the old file is then as it was.
    pub fn commit(mut self) -> io::Result<()> {
        let Some(bytes) = self.bytes.take() else { return Ok(()) };
        let bytes = bytes.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Bytes::Temporary(temporary) = bytes {
            temporary.as_file().sync_all()?;
            temporary.persist(&self.path).map_err(|error| error.error)?;
            #[cfg(unix)]
            File::open(folder(&self.path))?.sync_all()?;
        }
        Ok(())
    }

    fn bytes(&mut self) -> io::Result<&mut BufWriter<Bytes>> {
        self.bytes.as_mut().ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            unfinished().retain(|path| path != temporary);
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes()?.flush()
    }
}

impl Seek for AtomicFile {
    /// Only regular files can.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes()?.seek(to)
    }
}

impl Seek for Bytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Bytes::Temporary(file) => file.seek(to),
            Bytes::Direct(file) => file.seek(to),
        }
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

/// Where a path leads through links, also when nothing is there yet.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
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

    #[test]
    fn only_abandoned_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        let mut file = AtomicFile::create(&path).unwrap();
        fs::write(folder.path().join(".rosenblatt-dead"), "half").unwrap();
        fs::write(folder.path().join("other"), "whole").unwrap();
        fs::create_dir(folder.path().join(".rosenblatt-folder")).unwrap();
        discard_abandoned(&path);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        discard_abandoned(&path);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
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
        let (nowhere, dangling) = (folder.path().join("nowhere"), folder.path().join("dangling"));
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        AtomicFile::create(&dangling).unwrap().commit().unwrap();
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink() && nowhere.is_file());
        let looped = folder.path().join("looped");
        std::os::unix::fs::symlink("looped", &looped).unwrap();
        assert!(AtomicFile::create(&looped).is_err());
    }
}
