//! Reads and writes files that may be hostile.
//!
//! A cloned repository decides what is behind a path: a named pipe that blocks when opened, a link to a device that
//! never ends, a link to a file of the user. Every file that `ra` reads or writes goes through here.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// The maximum size of a configuration, ignore or template file.
pub const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// The maximum size of a document.
pub const MAX_DOCUMENT_BYTES: u64 = 256 << 20;

/// Opens a regular file for reading, following links. Anything else is an error, and opening it never blocks.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, platform::read_options())
}

/// Opens a regular file for reading, unless the last component of the path is a link.
pub fn open_no_follow(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is a link"));
    }
    open_with(path, platform::no_follow(platform::read_options()))
}

fn open_with(path: &Path, options: fs::OpenOptions) -> io::Result<File> {
    let file = options.open(path).map_err(|error| match error.kind() {
        // Windows doesn't open directories, and gives this reason.
        ErrorKind::PermissionDenied if path.is_dir() => ErrorKind::IsADirectory.into(),
        _ => error,
    })?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok(file)
}

/// Reads a regular file of at most `max` bytes.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_all(&mut open(path)?, max)
}

/// Reads a regular file of at most `max` bytes as text.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    let invalid = |_| io::Error::new(ErrorKind::InvalidData, "it is not valid UTF-8");
    String::from_utf8(read(path, max)?).map_err(invalid)
}

/// Reads the rest of an open file of at most `max` bytes.
pub fn read_all(file: &mut File, max: u64) -> io::Result<Vec<u8>> {
    let size = file.metadata()?.len();
    let too_large =
        || io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {}", in_units(max)));
    if size > max {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    // The file may grow while it is read.
    file.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max { Err(too_large()) } else { Ok(bytes) }
}

fn in_units(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}

/// New contents of a file. They are in a file beside it until they replace it.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    path: PathBuf,
}

impl Replacement {
    /// Writes the contents and syncs them to the disk. They get the permissions of the file that they replace; a new
    /// file gets the usual ones.
    pub fn new(path: &Path, bytes: &[u8]) -> io::Result<Self> {
        let replaced = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
        let mut builder = Builder::new();
        // Temporary files are private by default.
        if let Some(usual) = platform::usual_permissions() {
            builder.permissions(usual);
        }
        let file = write_beside(path, &mut builder, bytes)?;
        if let Some(replaced) = replaced {
            file.as_file().set_permissions(replaced.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Replaces the file atomically. A link is replaced, not followed. A replacement that is dropped instead leaves
    /// nothing behind.
    pub fn commit(self) -> io::Result<()> {
        self.file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Replaces a file of the user atomically and syncs it to the disk.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Replacement::new(path, bytes)?.commit()
}

/// Replaces a file that only this user can read atomically and syncs it to the disk.
pub fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = write_beside(path, &mut Builder::new(), bytes)?;
    file.as_file().sync_all()?;
    Replacement { file, path: path.to_owned() }.commit()
}

/// Does the same, but doesn't wait for the disk: after a power failure the file may be empty.
pub fn replace_private_unsynced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = write_beside(path, &mut Builder::new(), bytes)?;
    Replacement { file, path: path.to_owned() }.commit()
}

fn write_beside(path: &Path, builder: &mut Builder<'_, '_>, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = builder.prefix(TEMPORARY).tempfile_in(directory);
    let mut file = file.map_err(|error| system_error(&error))?;
    file.write_all(bytes).map_err(|error| system_error(&error))?;
    Ok(file)
}

/// Truncates a file to its first `keep` bytes and appends `bytes`. Creates the file if it doesn't exist. A link is an
/// error.
pub fn append(path: &Path, keep: u64, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_with(path, platform::write_options())?;
    file.set_len(keep)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(bytes)
}

/// Makes the entries of a directory durable, if the system supports it.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    // Not every system can open a directory as a file; the others don't need this for renames.
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// Returns the underlying system error. Some crates wrap it together with a path and don't expose it as their source,
/// so its code is parsed from their message.
pub fn system_error(error: &io::Error) -> io::Error {
    match error.raw_os_error().or_else(|| code_in(&error.to_string())) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

fn code_in(text: &str) -> Option<i32> {
    let (_, rest) = text.split_once("(os error ")?;
    rest.split_once(')')?.0.parse().ok()
}

/// The prefix of the names of unfinished files.
pub const TEMPORARY: &str = ".tmp";

/// Opens a file for locking, and creates it if it doesn't exist. A link is an error.
pub fn open_lock(path: &Path) -> io::Result<File> {
    open_with(path, platform::write_options())
}

/// Creates a directory that only this user can change, or checks that it is one: a real directory that the user owns
/// and others can't write.
pub fn private_directory(path: &Path) -> io::Result<()> {
    if let Err(error) = platform::create_private(path)
        && error.kind() != ErrorKind::AlreadyExists
    {
        return Err(error);
    }
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is not a directory"));
    }
    platform::check_owner(&metadata)
}

/// Removes `.` and `..` from a path without asking the file system. A symlink may lead elsewhere.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Returns the part of a path below a directory, with `/`; `None` if it isn't below, or isn't valid Unicode.
pub fn below(path: &Path, directory: &Path) -> Option<String> {
    let parts = path.strip_prefix(directory).ok()?.components().map(|part| part.as_os_str().to_str());
    Some(parts.collect::<Option<Vec<&str>>>()?.join("/"))
}

/// Returns the path of a file that exists with all links resolved, as people write it. On Windows, the standard library
/// returns `\\?\C:\docs`, which many programs don't understand.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    Ok(real.to_str().and_then(without_verbatim_prefix).map_or_else(|| real.clone(), PathBuf::from))
}

/// Windows reads longer paths only with the prefix.
const MAX_PLAIN_PATH_CHARS: usize = 259;

/// Returns the plain form of a path of Windows that begins with `\\?\`; `None` if the path has no other form.
fn without_verbatim_prefix(path: &str) -> Option<&str> {
    let plain = path.strip_prefix(r"\\?\")?;
    let is_on_drive = plain.starts_with(|c: char| c.is_ascii_alphabetic()) && plain[1..].starts_with(r":\");
    // Without the prefix, Windows drops dots and spaces at the end of a name.
    let is_kept = |name: &str| !name.ends_with(['.', ' ']);
    let is_same = is_on_drive && plain.split('\\').all(is_kept) && plain.len() <= MAX_PLAIN_PATH_CHARS;
    is_same.then_some(plain)
}

/// Returns the effective id of the user.
pub fn user_id() -> u32 {
    platform::user_id()
}

/// True if links form a loop.
pub fn is_link_loop(error: &io::Error) -> bool {
    platform::is_link_loop(error)
}

#[cfg(unix)]
mod platform {
    use std::fs::{DirBuilder, Metadata, OpenOptions, Permissions};
    use std::io::{self, ErrorKind};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::Path;

    use rustix::fs::OFlags;

    /// Without `NONBLOCK`, opening a pipe waits for its other end.
    const FLAGS: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY);

    fn flagged(mut options: OpenOptions, flags: OFlags) -> OpenOptions {
        options.custom_flags(flags.bits().cast_signed());
        options
    }

    pub(super) fn read_options() -> OpenOptions {
        let mut options = OpenOptions::new();
        options.read(true);
        flagged(options, FLAGS)
    }

    pub(super) fn no_follow(options: OpenOptions) -> OpenOptions {
        flagged(options, FLAGS | OFlags::NOFOLLOW)
    }

    pub(super) fn write_options() -> OpenOptions {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        no_follow(options)
    }

    /// The permissions of a new file, before the system applies the umask.
    pub(super) fn usual_permissions() -> Option<Permissions> {
        Some(Permissions::from_mode(0o666))
    }

    pub(super) fn create_private(path: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(path)
    }

    pub(super) fn is_link_loop(error: &io::Error) -> bool {
        // The standard library's `ErrorKind` for it isn't stable yet.
        error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
    }

    pub(super) fn user_id() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    pub(super) fn check_owner(metadata: &Metadata) -> io::Result<()> {
        let refused = |why| Err(io::Error::new(ErrorKind::PermissionDenied, why));
        if metadata.uid() != user_id() {
            return refused("it belongs to another user");
        }
        if metadata.mode() & 0o022 != 0 {
            return refused("other users can write to it");
        }
        Ok(())
    }
}

#[cfg(windows)]
mod platform {
    use std::fs::{self, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    /// `FILE_FLAG_OPEN_REPARSE_POINT`: opens a link itself, which then isn't a regular file.
    const OPEN_LINK: u32 = 0x0020_0000;

    /// `ERROR_CANT_RESOLVE_FILENAME`
    const CANT_RESOLVE: i32 = 1921;

    pub(super) fn read_options() -> OpenOptions {
        let mut options = OpenOptions::new();
        options.read(true);
        options
    }

    /// The caller has looked for a link. A file that OneDrive has to fetch first can't be read with `OPEN_LINK`.
    pub(super) fn no_follow(options: OpenOptions) -> OpenOptions {
        options
    }

    pub(super) fn write_options() -> OpenOptions {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true).custom_flags(OPEN_LINK);
        options
    }

    pub(super) fn usual_permissions() -> Option<Permissions> {
        None
    }

    pub(super) fn create_private(path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    pub(super) fn is_link_loop(error: &io::Error) -> bool {
        error.raw_os_error() == Some(CANT_RESOLVE)
    }

    pub(super) fn user_id() -> u32 {
        0
    }

    pub(super) fn check_owner(_metadata: &Metadata) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn only_regular_files_of_a_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "12345").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        symlink(at("loop"), at("loop")).unwrap();
        fs::create_dir(at("directory")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .unwrap();
        for (name, max, expected) in [
            ("file", 5, Ok("12345")),
            ("link", 5, Ok("12345")),
            ("file", 4, Err(ErrorKind::FileTooLarge)),
            ("zero", 5, Err(ErrorKind::InvalidInput)),
            ("pipe", 5, Err(ErrorKind::InvalidInput)),
            ("directory", 5, Err(ErrorKind::IsADirectory)),
            ("missing", 5, Err(ErrorKind::NotFound)),
        ] {
            let read = read_text(&at(name), max).map_err(|error| error.kind());
            assert_eq!(read.as_deref(), expected.as_ref().map(|text| *text), "{name}");
        }
        assert!(read(&at("loop"), 5).is_err());
        assert!(open_no_follow(&at("file")).is_ok() && open_no_follow(&at("link")).is_err());
    }

    #[test]
    fn a_link_is_replaced_and_never_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("precious"), "mine").unwrap();
        symlink(at("precious"), at("link")).unwrap();
        replace(&at("link"), b"new").unwrap();
        assert_eq!(fs::read_to_string(at("link")).unwrap(), "new");
        assert_eq!(fs::read_to_string(at("precious")).unwrap(), "mine");
        symlink(at("precious"), at("lock")).unwrap();
        assert!(open_lock(&at("lock")).is_err());
        assert!(append(&at("lock"), 0, b"new").is_err());
        assert_eq!(fs::read_to_string(at("precious")).unwrap(), "mine");
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        fs::write(at("usual"), "").unwrap();
        fs::write(at("shared"), "old").unwrap();
        fs::set_permissions(at("shared"), fs::Permissions::from_mode(0o664)).unwrap();
        symlink(at("shared"), at("link")).unwrap();
        for name in ["new", "shared", "link"] {
            replace(&at(name), b"new").unwrap();
            assert_eq!(fs::read_to_string(at(name)).unwrap(), "new");
        }
        assert_eq!((mode("new"), mode("shared"), mode("link")), (mode("usual"), 0o664, mode("usual")));
        replace_private(&at("private"), b"").unwrap();
        replace_private(&at("shared"), b"").unwrap();
        assert_eq!((mode("private"), mode("shared")), (0o600, 0o600));
        drop(Replacement::new(&at("dropped"), b"").unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
    }

    #[test]
    fn a_path_of_windows_loses_its_prefix_if_it_stays_the_same_path() {
        for (path, plain) in [
            (r"\\?\C:\docs\guide.md", Some(r"C:\docs\guide.md")),
            (r"\\?\C:\", Some(r"C:\")),
            (r"\\?\UNC\server\share", None),
            (r"\\?\C:\docs.\guide.md", None),
            (r"\\?\C:\docs \guide.md", None),
            (r"\\?\", None),
            (r"C:\docs", None),
            ("/home/me", None),
        ] {
            assert_eq!(without_verbatim_prefix(path), plain, "{path}");
        }
        assert_eq!(without_verbatim_prefix(&format!(r"\\?\C:\{}", "x".repeat(300))), None);
    }

    #[test]
    fn the_code_of_the_system_is_found_in_the_text_of_an_error() {
        assert_eq!(code_in("Too many open files (os error 24) at path \"x\""), Some(24));
        for text in ["", "os error 24", "(os error )", "(os error x)"] {
            assert_eq!(code_in(text), None, "{text}");
        }
    }

    #[test]
    fn a_directory_is_private_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(private_directory(&at("new")).is_ok() && private_directory(&at("new")).is_ok());
        assert_eq!(fs::metadata(at("new")).unwrap().permissions().mode() & 0o777, 0o700);
        symlink(at("new"), at("link")).unwrap();
        fs::write(at("file"), "").unwrap();
        fs::create_dir(at("open")).unwrap();
        fs::set_permissions(at("open"), fs::Permissions::from_mode(0o777)).unwrap();
        for name in ["link", "file", "open"] {
            assert_eq!(
                private_directory(&at(name)).map_err(|error| error.kind()),
                Err(ErrorKind::PermissionDenied),
                "{name}"
            );
        }
    }
}
