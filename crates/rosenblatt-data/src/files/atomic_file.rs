//! Files that are written whole or not at all.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::NamedTempFile;
use twox_hash::XxHash3_128;

/// A file that takes the place of an old one only when it is complete.
///
/// The bytes go to a temporary file in the same folder, which [`commit`](Self::commit) syncs and
/// renames; dropped without that, it vanishes and the old file stays as it was. A link stays a link:
/// its target is replaced. Anything but a regular file (a pipe, `/dev/null`) is written to directly.
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

/// How the names of temporary files end.
const SUFFIX: &str = ".part";
/// The number of random letters and digits in the name of a temporary file.
const RANDOM: usize = 12;

/// How the names of the temporary files of one output begin: with a hash of its name, which may be too long to be a
/// part of another one.
fn prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    format!(".rosenblatt-{:032x}-", XxHash3_128::oneshot(name.as_encoded_bytes()))
}

/// Whether a file of this name is a temporary file of the output with this `prefix`.
fn is_temporary(name: &str, prefix: &str) -> bool {
    let random = name.strip_prefix(prefix).and_then(|name| name.strip_suffix(SUFFIX));
    let plain = |random: &str| random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    random.is_some_and(|random| random.len() == RANDOM && plain(random))
}

/// Checks that a file can be written at `path`, as far as that can be known before, and removes the temporary files
/// for `path` that killed processes left. Nothing else is changed.
///
/// A process locks its temporary file while it writes it, and the system releases the locks of a dead process. Temporary
/// files for `path` that the user owns and that have no lock are removed. Where there are no locks nothing is removed.
///
/// # Errors
/// The error that writing would end in: the folder is not there or cannot be written to, `path` is a folder or no name.
pub fn prepare(path: &Path) -> io::Result<()> {
    let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let path = follow_links(path)?;
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => return platform::prepare(&path, &found),
        Ok(_) => {}
        Err(error) => {
            let is_new = error.kind() == io::ErrorKind::NotFound;
            if !is_new || is_folder || path.file_name().is_none() {
                return Err(error);
            }
        }
    }
    let own = AtomicFile::create(&path)?;
    if let Some(temporary) = &own.temporary {
        let made = fs::symlink_metadata(temporary)?;
        platform::may_replace(&path, &made)?;
        discard_abandoned(&path, &made);
    }
    Ok(())
}

/// Removes the abandoned temporary files for `path` of the owner of `own`.
fn discard_abandoned(path: &Path, own: &fs::Metadata) {
    let Ok(entries) = fs::read_dir(folder(path)) else { return };
    let prefix = prefix(path);
    for entry in entries.flatten() {
        let is_ours = is_temporary(&entry.file_name().to_string_lossy(), &prefix);
        // No link is followed.
        let Ok(found) = entry.metadata() else { continue };
        if !is_ours || !found.is_file() || !platform::same_owner(&found, own) {
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

/// Owners, permissions and kinds of files, as far as the system has them.
#[cfg(unix)]
mod platform {
    use std::{
        fs::{self, Metadata},
        io,
        os::unix::fs::{FileTypeExt, MetadataExt},
        path::Path,
    };

    use nix::unistd::{AccessFlags, access};

    /// Whether what is no file can be written to. It is not opened: a pipe that is opened and closed is at its end.
    pub(super) fn prepare(path: &Path, found: &Metadata) -> io::Result<()> {
        if found.file_type().is_socket() {
            return Err(io::Error::other("it is a socket"));
        }
        Ok(access(path, AccessFlags::W_OK)?)
    }

    /// Whether the user may replace what is at `path`: in a folder like `/tmp` only the owner may. `own` is a file
    /// that the user made there.
    pub(super) fn may_replace(path: &Path, own: &Metadata) -> io::Result<()> {
        const STICKY: u32 = 0o1000;
        const ROOT: u32 = 0;
        let Ok(old) = fs::symlink_metadata(path) else { return Ok(()) };
        let folder = fs::metadata(super::folder(path))?;
        let may = [old.uid(), folder.uid()].contains(&own.uid()) || own.uid() == ROOT;
        if may || folder.mode() & STICKY == 0 {
            Ok(())
        } else {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }

    pub(super) fn same_owner(one: &Metadata, other: &Metadata) -> bool {
        one.uid() == other.uid()
    }
}

#[cfg(not(unix))]
mod platform {
    use std::{fs::Metadata, io, path::Path};

    pub(super) fn prepare(_: &Path, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn may_replace(_: &Path, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// A folder's files are its owner's.
    pub(super) fn same_owner(_: &Metadata, _: &Metadata) -> bool {
        true
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
    /// As of [`Self::commit`].
    pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(bytes)?;
        file.commit()
    }

    /// Where a file for `path` will stand: links are followed, and the folder has one spelling.
    ///
    /// # Errors
    /// The error of the system, for example when the folder is not there.
    pub fn destination(path: &Path) -> io::Result<PathBuf> {
        let path = follow_links(path)?;
        let name = path.file_name().unwrap_or_default();
        Ok(folder(&path).canonicalize()?.join(name))
    }

    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// The error of the system.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::create_with_mode(path, None)
    }

    /// Begins a file with these permissions, instead of those of the old file or of any new one. The system's mask for
    /// new files applies.
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
        let prefix = prefix(&path);
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        let temporary = locked(&builder, folder(&path))?;
        let name = temporary.path().to_owned();
        unfinished().push(name.clone());
        Ok(Self::new(Bytes::Temporary(temporary), path, Some(name)))
    }

    fn new(bytes: Bytes, path: PathBuf, temporary: Option<PathBuf>) -> Self {
        AtomicFile { bytes: Some(BufWriter::with_capacity(1 << 16, bytes)), path, temporary }
    }

    /// Puts the complete file in its place and waits until the disk has it.
    ///
    /// # Errors
    /// The error of the system. The old file is then unchanged, except if syncing the folder fails after the rename: then
    /// the new file is in place.
    pub fn commit(mut self) -> io::Result<()> {
        let Some(bytes) = self.bytes.take() else { return Ok(()) };
        let bytes = bytes.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Bytes::Temporary(temporary) = bytes {
            temporary.as_file().sync_all()?;
            // A folder in which one can write need not be one that can be opened. Its new entry is then not waited for.
            #[cfg(unix)]
            let folder = File::open(folder(&self.path));
            temporary.persist(&self.path).map_err(|error| error.error)?;
            #[cfg(unix)]
            folder.map_or(Ok(()), |folder| folder.sync_all())?;
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

impl Bytes {
    /// The file itself: errors of the temporary file's own functions would name it, which says nothing to anybody.
    fn file(&mut self) -> &mut File {
        match self {
            Bytes::Temporary(file) => file.as_file_mut(),
            Bytes::Direct(file) => file,
        }
    }
}

impl Seek for Bytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file().seek(to)
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
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

pub(crate) fn folder(path: &Path) -> &Path {
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

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn only_abandoned_files_of_the_same_output_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let path = at("model");
        let (own, other) = (prefix(&path), prefix(&at("model2")));
        let abandoned = format!("{own}abcdefghijkl.part");
        let kept = [
            format!("{other}abcdefghijkl.part"),
            format!("{own}abcdefghijk.part"),
            format!("{own}abcdefghijkl"),
            format!("{own}abcdefghijk-.part"),
            ".rosenblatt-x.csv.rosenblatt-pack".to_owned(),
            ".rosenblatt-notes".to_owned(),
            "other".to_owned(),
        ];
        for name in kept.iter().chain([&abandoned]) {
            fs::write(at(name), "half").unwrap();
        }
        fs::create_dir(at(&format!("{own}afolderafold.part"))).unwrap();
        // One that is written now.
        let mut file = AtomicFile::create(&path).unwrap();
        prepare(&path).unwrap();
        assert!(!at(&abandoned).exists());
        let all = names(folder.path());
        assert_eq!(all.len(), kept.len() + 2);
        assert!(kept.iter().all(|name| all.contains(name)));
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        prepare(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()).len(), kept.len() + 2);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_never_taken_for_abandoned_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        fs::write(folder.path().join("precious"), "whole").unwrap();
        let link = folder.path().join(format!("{}abcdefghijkl.part", prefix(&path)));
        std::os::unix::fs::symlink("precious", &link).unwrap();
        prepare(&path).unwrap();
        assert!(link.exists());
    }

    /// Errors of writing are found before, and nothing is made or changed.
    #[test]
    fn an_output_without_a_place_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("file"), "old").unwrap();
        let long = "x".repeat(300);
        let bad = ["folder", "folder/", "file/", "new/", "file/x", "nowhere/x", "..", &long];
        for name in bad {
            assert!(prepare(&at(name)).is_err(), "{name}");
        }
        assert!(prepare(Path::new("")).is_err());
        for name in ["file", "new", "folder/new", &long[..255]] {
            prepare(&at(name)).unwrap();
        }
        assert_eq!(names(folder.path()), ["file", "folder"]);
        assert_eq!(fs::read_to_string(at("file")).unwrap(), "old");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_opened_to_see_whether_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let _listener = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        assert!(prepare(&at("socket")).is_err());
        // Opening it would wait for a reader.
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        prepare(&at("pipe")).unwrap();
        prepare(Path::new("/dev/null")).unwrap();
        std::os::unix::fs::symlink("nowhere/x", at("dangling")).unwrap();
        assert!(prepare(&at("dangling")).is_err());
    }

    /// No name is made that is longer than a folder takes.
    #[test]
    fn the_longest_name_has_a_temporary_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(255));
        AtomicFile::write(&path, b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
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
