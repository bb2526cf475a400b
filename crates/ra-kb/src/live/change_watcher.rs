//! Detects whether documents may have changed since the last check, without reading each of them.
//!
//! Linux reports every change in a watched directory before the call that made the change returns. So if
//! inotify has no events, nothing has changed until now. That saves every query over 14,600 documents a walk of
//! 90 ms. Other systems report changes later, and file systems that other machines write to don't report them at
//! all; there the watcher is unavailable and every check is a walk.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ra_core::corpus::Watchlist;
use ra_core::kb::KnowledgeBase;

/// The changes that a check found, in order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ObservedChange {
    /// No changes.
    Nothing,
    /// Files in watched directories have changed.
    Files,
    /// The set of watched directories, or the rules that select documents, may have changed.
    Places,
}

/// Watches everything that the answers of a knowledge base depend on.
pub(super) struct ChangeWatcher {
    watch: system::Watch,
    /// Files outside of the watched directories, with their last known state.
    stamps: Vec<Stamped>,
    /// Documents that can change without a change in their directory, with their last known state.
    shared: Vec<Stamped>,
}

/// How often the watchlist is read before giving up on directories that keep changing.
const TRIES: usize = 4;

impl ChangeWatcher {
    /// Starts to watch a knowledge base and the files of its configuration, whose states were taken before it
    /// was read. Returns `None` if changes cannot be watched reliably.
    pub(super) fn start(kb: &KnowledgeBase, configuration: Vec<Stamped>) -> Option<Self> {
        let mut watch = system::Watch::new()?;
        let mut known = Watchlist::default();
        for _ in 0..TRIES {
            let list = kb.watchlist();
            if !is_local(kb, &list) {
                return None;
            }
            // List until nothing is new: a directory created after its parent was listed but before the parent
            // was watched is in the next list.
            if list == known {
                let all = configuration.into_iter().chain(stamped(list.files)).collect();
                return Some(Self { watch, stamps: telling(all), shared: Vec::new() });
            }
            watch.add(&list.directories)?;
            known = list;
        }
        None
    }

    /// Returns the changes since the last call.
    pub(super) fn look(&mut self) -> ObservedChange {
        let have_changed = |stamps: &mut [Stamped]| {
            let changed = stamps.iter_mut().filter_map(|(path, known)| {
                let now = FileState::of(path);
                (now != *known).then(|| *known = now)
            });
            changed.count() > 0
        };
        let places =
            if have_changed(&mut self.stamps) { ObservedChange::Places } else { ObservedChange::Nothing };
        let files =
            if have_changed(&mut self.shared) { ObservedChange::Files } else { ObservedChange::Nothing };
        places.max(files).max(self.watch.read())
    }

    /// Sets the documents that can change without a change in their directory. Returns true if the set is
    /// unchanged; otherwise earlier changes to the new ones are unknown.
    pub(super) fn watch_shared_files(&mut self, shared: &[PathBuf]) -> bool {
        let is_known = self.shared.iter().map(|(path, _)| path).eq(shared);
        if !is_known {
            self.shared = stamped(shared.to_vec());
        }
        is_known
    }
}

/// True if only this machine can change the watched files.
fn is_local(kb: &KnowledgeBase, list: &Watchlist) -> bool {
    let roots: Vec<&Path> = kb.config().trees.iter().map(|tree| tree.root.as_path()).collect();
    let elsewhere = list
        .directories
        .iter()
        .map(PathBuf::as_path)
        .filter(|it| !roots.iter().any(|root| it.starts_with(root)));
    let places = roots.iter().copied().chain(elsewhere).map(Path::canonicalize);
    places.collect::<Result<Vec<_>, _>>().is_ok_and(|places| system::are_local(&places))
}

/// Metadata that identifies one state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileState {
    modified: Option<SystemTime>,
    /// The ctime, which programs cannot set.
    changed: (i64, i64),
    size: u64,
    identity: (u64, u64),
}

/// A path with the state of its file, or `None` if there is no file.
pub(super) type Stamped = (PathBuf, Option<FileState>);

/// Pairs each path with the current state of its file.
pub(super) fn stamped(paths: Vec<PathBuf>) -> Vec<Stamped> {
    let stamped = |path: PathBuf| {
        let stamp = FileState::of(&path);
        (path, stamp)
    };
    paths.into_iter().map(stamped).collect()
}

/// Drops duplicates, and paths below a path that does not exist.
fn telling(mut all: Vec<Stamped>) -> Vec<Stamped> {
    // Descendants sort directly after their ancestor. The sort is stable, so the earlier of two states of a
    // path is kept and a change between them is still noticed.
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all.dedup_by(|(path, _), (before, stamp)| path == before || stamp.is_none() && path.starts_with(before));
    all
}

impl FileState {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        // The mtime and size of a directory change with its contents, which don't matter here.
        let is_file = metadata.is_file();
        Some(Self {
            modified: metadata.modified().ok().filter(|_| is_file),
            changed: if is_file { changed(&metadata) } else { (0, 0) },
            size: if is_file { metadata.len() } else { 0 },
            identity: identity(&metadata),
        })
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_metadata: &Metadata) -> (i64, i64) {
    (0, 0)
}

#[cfg(not(unix))]
fn identity(_metadata: &Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::io::ErrorKind;
    use std::path::{Path, PathBuf};

    use super::ObservedChange;
    use inotify::{EventMask, Inotify, WatchMask};

    /// The maximum number of watched directories. The system limits the watches of all programs together.
    const MAX_WATCHED_DIRECTORIES: usize = 100_000;

    /// File systems that only this machine can change.
    const LOCAL: &[&str] =
        &["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "tmpfs", "overlay", "ramfs"];

    /// Names of files whose contents decide which documents there are.
    const RULES: &[&str] = &[".gitignore", ".ignore"];

    pub(super) struct Watch {
        inotify: Inotify,
        buffer: Vec<u8>,
        /// The mount table as last read. A mount over a watched directory causes no event.
        mounts: String,
    }

    const MOUNTS: &str = "/proc/self/mountinfo";

    fn mount_list() -> String {
        fs::read_to_string(MOUNTS).unwrap_or_default()
    }

    struct Mount {
        at: PathBuf,
        is_local: bool,
    }

    impl Watch {
        pub(super) fn new() -> Option<Self> {
            Some(Self { inotify: Inotify::init().ok()?, buffer: vec![0; 1 << 16], mounts: mount_list() })
        }

        /// Watches directories; `None` if one of them cannot be watched.
        pub(super) fn add(&mut self, directories: &[PathBuf]) -> Option<()> {
            if directories.len() > MAX_WATCHED_DIRECTORIES {
                return None;
            }
            let changes = WatchMask::CREATE
                | WatchMask::DELETE
                | WatchMask::MODIFY
                | WatchMask::CLOSE_WRITE
                | WatchMask::ATTRIB
                | WatchMask::MOVE
                | WatchMask::DELETE_SELF
                | WatchMask::MOVE_SELF
                | WatchMask::ONLYDIR;
            let mut watches = self.inotify.watches();
            for directory in directories {
                match watches.add(directory, changes) {
                    Ok(_) => {}
                    // It was removed after it was listed; its parent reports that.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(_) => return None,
                }
            }
            Some(())
        }

        /// Reads all events since the last call.
        pub(super) fn read(&mut self) -> ObservedChange {
            let mut seen = ObservedChange::Nothing;
            let mounts = mount_list();
            if mounts != self.mounts {
                self.mounts = mounts;
                seen = ObservedChange::Places;
            }
            loop {
                let events = match self.inotify.read_events(&mut self.buffer) {
                    Ok(events) => events,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => return seen,
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(_) => return ObservedChange::Places,
                };
                for event in events {
                    let structure = EventMask::ISDIR
                        | EventMask::DELETE_SELF
                        | EventMask::MOVE_SELF
                        | EventMask::UNMOUNT
                        | EventMask::Q_OVERFLOW;
                    let is_rule =
                        event.name.and_then(|name| name.to_str()).is_some_and(|name| RULES.contains(&name));
                    let places = event.mask.intersects(structure) || is_rule;
                    seen = seen.max(if places { ObservedChange::Places } else { ObservedChange::Files });
                }
            }
        }
    }

    /// True if these directories, given by canonical path, and everything below them are on file systems that
    /// only this machine can change.
    pub(super) fn are_local(directories: &[PathBuf]) -> bool {
        are_on_local(&mounts(&mount_list()), directories)
    }

    fn are_on_local(mounts: &[Mount], directories: &[PathBuf]) -> bool {
        directories.iter().all(|directory| {
            let above = mounts.iter().enumerate().filter(|(_, mount)| directory.starts_with(&mount.at));
            // If two are mounted at the same path, the later one hides the earlier.
            let nearest = above.max_by_key(|(nr, mount)| (mount.at.as_os_str().len(), *nr));
            let mut below = mounts.iter().filter(|mount| mount.at.starts_with(directory));
            nearest.is_some_and(|(_, mount)| mount.is_local) && below.all(|mount| mount.is_local)
        })
    }

    /// Parses the mount table, in which each line is `id parent dev root AT options… - TYPE source …`.
    fn mounts(list: &str) -> Vec<Mount> {
        let mount = |line: &str| {
            let (before, after) = line.split_once(" - ")?;
            let at = before.split(' ').nth(4)?;
            let kind = after.split(' ').next()?;
            Some(Mount { at: unescaped(at), is_local: LOCAL.contains(&kind) })
        };
        list.lines().filter_map(mount).collect()
    }

    /// Decodes the octal escapes that the mount table uses for white space and backslashes.
    fn unescaped(text: &str) -> PathBuf {
        let plain = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
        let text = plain.iter().fold(text.to_owned(), |text, (code, plain)| text.replace(code, plain));
        Path::new(&text).to_owned()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_others_can_change_is_not_watched() {
            let list = "21 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n\
                        30 21 0:40 / /home/a\\040b rw - nfs4 server:/a rw\n\
                        31 30 8:2 / /home/a\\040b/disk rw - xfs /dev/sdb1 rw\n";
            let mounts = mounts(list);
            for (directories, local) in [
                (&["/srv/docs"][..], true),
                (&["/srv/docs", "/home/a b/docs"], false),
                (&["/home/a b/disk/docs"], true),
                (&["/home/a"], true),
                (&["/home"], false),
            ] {
                let paths: Vec<PathBuf> = directories.iter().map(PathBuf::from).collect();
                assert_eq!(are_on_local(&mounts, &paths), local, "{directories:?}");
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::path::PathBuf;

    use super::ObservedChange;

    /// Changes cannot be watched reliably on this system.
    pub(super) enum Watch {}

    impl Watch {
        pub(super) fn new() -> Option<Self> {
            None
        }

        pub(super) fn add(&mut self, _directories: &[PathBuf]) -> Option<()> {
            match *self {}
        }

        pub(super) fn read(&mut self) -> ObservedChange {
            match *self {}
        }
    }

    pub(super) fn are_local(_directories: &[PathBuf]) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use ra_core::config::{Config, SystemDirs};

    use super::*;

    #[test]
    fn nothing_is_looked_at_twice_or_below_what_is_not_there() {
        let here = FileState::of(Path::new("/"));
        let look = |path: &str, stamp| (PathBuf::from(path), stamp);
        let all = vec![
            look("/a/.git/info/exclude", None),
            look("/a/.git", None),
            look("/a/.gitignore", None),
            look("/b/info", None),
            look("/b", here),
            look("/b", None),
            look("/", here),
        ];
        let paths: Vec<(String, bool)> = telling(all)
            .into_iter()
            .map(|(path, stamp)| (path.display().to_string(), stamp.is_some()))
            .collect();
        let expected =
            [("/", true), ("/a/.git", false), ("/a/.gitignore", false), ("/b", true), ("/b/info", false)];
        assert_eq!(paths, expected.map(|(path, is_there)| (path.to_owned(), is_there)));
    }

    /// Changes of every kind, each with the least that the watcher must report. Each builds on those before it.
    #[test]
    fn the_watcher_misses_no_change() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        let write = |path: &str, text: &str| fs::write(at(path), text).unwrap();
        fs::create_dir_all(at("docs/guide")).unwrap();
        fs::create_dir_all(at("elsewhere")).unwrap();
        write(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n");
        write("docs/guide/a.md", "# A\n\ntext\n");
        write("elsewhere/target.md", "# T\n\ntext\n");
        std::os::unix::fs::symlink(at("elsewhere/target.md"), at("docs/link.md")).unwrap();
        let places =
            SystemDirs { cwd: dir.path().to_owned(), home: None, cache: at("cache"), temp: at("temp") };
        let kb = || KnowledgeBase::open(Config::load(&places, &[]).unwrap());
        let changes: &[(&str, ObservedChange, &dyn Fn())] = &[
            ("nothing", ObservedChange::Nothing, &|| {}),
            ("a file that is read", ObservedChange::Nothing, &|| {
                drop(fs::read(at("docs/guide/a.md")).unwrap())
            }),
            ("a file outside", ObservedChange::Nothing, &|| write("other.md", "x")),
            ("a changed file", ObservedChange::Files, &|| write("docs/guide/a.md", "# A\n\nother\n")),
            ("a new file", ObservedChange::Files, &|| write("docs/new.md", "x")),
            ("a renamed file", ObservedChange::Files, &|| {
                fs::rename(at("docs/new.md"), at("docs/b.md")).unwrap()
            }),
            ("a removed file", ObservedChange::Files, &|| fs::remove_file(at("docs/b.md")).unwrap()),
            ("the target of a link", ObservedChange::Files, &|| {
                write("elsewhere/target.md", "# T\n\nother\n")
            }),
            ("a new directory", ObservedChange::Places, &|| fs::create_dir(at("docs/more")).unwrap()),
            ("a file in the new directory", ObservedChange::Files, &|| write("docs/more/c.md", "x")),
            ("an ignore file", ObservedChange::Places, &|| write("docs/.ignore", "more\n")),
            ("a file that is ignored", ObservedChange::Nothing, &|| write("docs/more/c.md", "y")),
            ("the configuration", ObservedChange::Places, &|| {
                write(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nother = \"elsewhere\"\n");
            }),
            ("a configuration below it", ObservedChange::Nothing, &|| write("docs/guide/.ra.txt", "x")),
            ("a moved root", ObservedChange::Places, &|| fs::rename(at("docs"), at("moved")).unwrap()),
        ];
        let mut watcher = ChangeWatcher::start(&kb(), stamped(places.files())).expect("a local directory");
        for (what, expected, change) in changes {
            change();
            let seen = watcher.look();
            // The watcher may also report files that no pattern selects, but it must not miss one that matters.
            assert!(seen >= *expected, "{what}: {seen:?}");
            assert!(
                *expected != ObservedChange::Nothing || seen < ObservedChange::Places,
                "{what}: {seen:?}"
            );
            if matches!(
                *what,
                "nothing" | "a file that is read" | "a file outside" | "a file that is ignored"
            ) {
                assert_eq!(seen, ObservedChange::Nothing, "{what}");
            }
            if seen == ObservedChange::Places && *what != "a moved root" {
                watcher = ChangeWatcher::start(&kb(), stamped(places.files())).expect("a local directory");
            }
            assert!(
                watcher.look() == ObservedChange::Nothing || *what == "a moved root",
                "{what} was seen twice"
            );
        }
    }
}
