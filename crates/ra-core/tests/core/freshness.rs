//! The index follows the disk, doesn't assume what it can't read, and survives damage to its files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ra_core::Error;
use ra_core::config::Value;
use ra_core::error::Hint;
use ra_core::kb::{FetchExtent, FindingKind, IndexState, KnowledgeBase, NoProgress};

use crate::kb_helpers::{
    answer, answers, content, env_with, everything, exactly, ids, open, search_request, set, sorted_ids,
};
use crate::test_env::TestEnv;

/// Sets a file's mtime to a moment long past, which any clock can tell from now.
fn age(env: &TestEnv, path: &str, seconds: u64) {
    let file = File::options().write(true).open(env.path(path)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
}

/// Waits until the tick of the last change is over, so files read since then don't have to be read again.
fn wait_for_mtime_tick() {
    std::thread::sleep(Duration::from_millis(30));
}

/// Returns how many documents the last search added, modified and removed in the index.
fn work(kb: &KnowledgeBase) -> (usize, usize, usize) {
    let freshness = answers(kb, &search_request("zebra")).freshness;
    assert_eq!(freshness.stale, None);
    (freshness.added, freshness.modified, freshness.removed)
}

#[test]
fn every_kind_of_change_is_seen_by_the_next_search() {
    let env = env_with(&[("a.md", "# A\n\nzebra one\n"), ("b.md", "# B\n\nzebra two\n")]);
    let kb = open(&env, &exactly());
    assert_eq!(work(&kb), (2, 0, 0));
    assert_eq!(sorted_ids(&kb, "zebra"), ["a.md#a", "b.md#b"]);
    env.write("p/docs/a.md", "# A\n\nzebra three\n");
    assert_eq!(ids(&kb, "one"), [""; 0]);
    assert_eq!(ids(&kb, "three"), ["a.md#a"]);
    fs::rename(env.path("p/docs/a.md"), env.path("p/docs/c.md")).unwrap();
    assert_eq!(work(&kb), (1, 0, 1));
    assert_eq!(ids(&kb, "three"), ["c.md#a"]);
    fs::remove_file(env.path("p/docs/b.md")).unwrap();
    assert_eq!(sorted_ids(&kb, "zebra"), ["c.md#a"]);
    env.write("p/docs/sub/d.md", "# D\n\nzebra four\n");
    assert_eq!(sorted_ids(&kb, "zebra"), ["c.md#a", "sub/d.md#d"]);
    fs::rename(env.path("p/docs/sub"), env.path("p/docs/bus")).unwrap();
    assert_eq!(sorted_ids(&kb, "zebra"), ["bus/d.md#d", "c.md#a"]);
    fs::remove_dir_all(env.path("p/docs/bus")).unwrap();
    age(&env, "p/docs/c.md", 1_000_000);
    assert_eq!(sorted_ids(&kb, "zebra"), ["c.md#a"]);
    assert_eq!(kb.status().unwrap().index.state, IndexState::Current);
}

#[cfg(unix)]
#[test]
fn a_document_replaced_by_something_that_leads_nowhere_is_gone() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n"), ("sub/b.md", "# B\n\nzebra\n")]);
    let kb = open(&env, &exactly());
    assert_eq!(sorted_ids(&kb, "zebra"), ["a.md#a", "sub/b.md#b"]);
    fs::remove_file(env.path("p/docs/a.md")).unwrap();
    env.link("a.md", "p/docs/a.md");
    fs::remove_dir_all(env.path("p/docs/sub")).unwrap();
    env.write("p/docs/sub", "a file where the directory was\n");
    let found = answers(&kb, &search_request("zebra"));
    assert_eq!((found.answers[0].passages.len(), found.freshness.removed), (0, 2));
    assert_eq!((found.freshness.stale, found.freshness.warnings.len()), (None, 0));
}

#[test]
fn get_and_lists_are_as_fresh_as_searches() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n")]);
    let kb = open(&env, &exactly());
    assert_eq!(kb.documents(&[], &NoProgress).unwrap().0.len(), 1);
    env.write("p/docs/b.md", "# B\n\nlion\n");
    assert_eq!(kb.documents(&[], &NoProgress).unwrap().0.len(), 2);
    env.write("p/docs/b.md", "# B\n\ntiger\n\n# C\n\nlion\n");
    assert_eq!(kb.chunks(&["b.md".into()], &NoProgress).unwrap().0.len(), 2);
    env.write("p/docs/b.md", "# D\n\npuma\n");
    let fetched = kb.get(&["b.md#d".into()], FetchExtent::Named, &NoProgress).unwrap().0.remove(0).unwrap();
    assert_eq!(fetched.content.as_deref(), Some("# D\n\npuma\n"));
}

#[test]
fn a_change_that_keeps_size_and_time_is_seen_when_the_file_was_just_read() {
    // The first read is in the tick of the file's last change, so its mtime proves nothing.
    let env = env_with(&[("a.md", "# A\n\nzebra one\n")]);
    let kb = open(&env, &exactly());
    let path = env.path("p/docs/a.md");
    // A time in the future makes sure of that, however slow the machine is.
    let moment = SystemTime::now() + Duration::from_secs(60);
    File::options().write(true).open(&path).unwrap().set_modified(moment).unwrap();
    assert_eq!(ids(&kb, "one"), ["a.md#a"]);
    env.write("p/docs/a.md", "# A\n\nzebra two\n");
    File::options().write(true).open(&path).unwrap().set_modified(moment).unwrap();
    assert_eq!(ids(&kb, "one"), [""; 0]);
    assert_eq!(ids(&kb, "two"), ["a.md#a"]);
}

#[cfg(unix)]
#[test]
fn a_change_that_hides_behind_an_old_time_is_seen() {
    // Programs can set the mtime of a file, but not its ctime.
    let env = env_with(&[("a.md", "# A\n\nzebra one\n"), ("b.md", "# B\n\nzebra six\n")]);
    ["p/docs/a.md", "p/docs/b.md"].iter().for_each(|path| age(&env, path, 1_000_000));
    let kb = open(&env, &exactly());
    assert_eq!(ids(&kb, "one"), ["a.md#a"]);
    env.write("p/docs/a.md", "# A\n\nzebra two\n");
    age(&env, "p/docs/a.md", 1_000_000);
    assert_eq!((ids(&kb, "one").len(), ids(&kb, "two")), (0, vec!["a.md#a".to_owned()]));
    for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
        let path = |name: &str| env.path(&format!("p/docs/{name}.md"));
        fs::rename(path(from), path(to)).unwrap();
    }
    assert_eq!((ids(&kb, "six"), ids(&kb, "two")), (vec!["a.md#b".to_owned()], vec!["b.md#a".to_owned()]));
}

#[cfg(unix)]
#[test]
fn a_tree_that_is_another_directory_now_has_the_documents_of_that() {
    let env = TestEnv::new();
    for (version, text) in [("v1", "release one"), ("v2", "release two")] {
        env.write(&format!("p/{version}/a.md"), text);
        age(&env, &format!("p/{version}/a.md"), 1_000_000);
    }
    for (version, word) in [("v1", "one"), ("v2", "two"), ("v1", "one")] {
        env.write("p/.ra.toml", format!("root = true\n[trees]\ndocs = \"{version}\"\n"));
        assert_eq!(ids(&open(&env, &exactly()), word), ["a.md"], "{version}");
    }
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"gone\"\n");
    assert_eq!(ids(&open(&env, &exactly()), "one"), [""; 0], "what is gone was never indexed");
}

#[test]
fn what_changes_after_the_look_is_not_shown_as_it_was() {
    // The shown text is read from the disk and compared with the indexed one.
    let env = env_with(&[("a.md", "# A\n\nzebra one\n")]);
    let kb = open(&env, &exactly());
    let (snapshot, _) = kb.refresh(&NoProgress).unwrap();
    env.write("p/docs/a.md", "# A\n\nzebra two\n");
    let answer = kb.search(&search_request("one"), &snapshot).unwrap().answers.remove(0);
    assert_eq!((answer.passages.len(), answer.vanished), (0, 1));
    let fetched = kb.get(&["a.md".into()], FetchExtent::Named, &snapshot).unwrap().0.remove(0);
    assert!(fetched.unwrap_err().to_string().contains("changed while it was being read"));
}

#[test]
fn a_new_time_with_the_same_text_costs_no_indexing() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n")]);
    age(&env, "p/docs/a.md", 1_000_000);
    wait_for_mtime_tick();
    let kb = open(&env, &exactly());
    assert_eq!(work(&kb), (1, 0, 0));
    assert_eq!(work(&kb), (0, 0, 0));
    age(&env, "p/docs/a.md", 2_000_000);
    wait_for_mtime_tick();
    assert_eq!(work(&kb), (0, 0, 0));
    let generation = answers(&kb, &search_request("zebra")).freshness.generation;
    assert_eq!(
        answers(&kb, &search_request("zebra")).freshness.generation,
        generation,
        "nothing more to write"
    );
}

#[test]
fn a_tree_that_cannot_be_seen_keeps_its_documents() {
    let env = TestEnv::new();
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nother = \"other\"\n");
    env.write("p/docs/a.md", "# A\n\nzebra\n");
    env.write("p/other/b.md", "# B\n\nlion\n");
    let kb = open(&env, &exactly());
    assert_eq!(work(&kb), (2, 0, 0));
    fs::rename(env.path("p/docs"), env.path("p/away")).unwrap();
    env.write("p/other/c.md", "# C\n\npuma\n");
    let found = answers(&kb, &search_request("puma OR lion"));
    assert_eq!(found.answers[0].passages.len(), 2);
    assert!(found.freshness.warnings.iter().any(|warning| warning.starts_with("docs: could not be read")));
    assert_eq!(kb.status().unwrap().trees[0].chunks, Some(1), "what the tree held is still known");
    // Even a rebuild keeps it.
    let updated = kb.rebuild(&NoProgress).unwrap();
    assert!(!updated.rebuilt, "{updated:?}");
    fs::rename(env.path("p/away"), env.path("p/docs")).unwrap();
    assert_eq!(work(&kb), (0, 0, 0), "nothing has to be read again");
    assert_eq!(ids(&kb, "zebra"), ["a.md#a"]);
}

#[test]
fn a_tree_that_is_no_longer_configured_is_forgotten() {
    let env = TestEnv::new();
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nother = \"other\"\n");
    env.write("p/docs/a.md", "# A\n\nzebra\n");
    env.write("p/other/b.md", "# B\n\nzebra\n");
    assert_eq!(ids(&open(&env, &exactly()), "zebra").len(), 2);
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n");
    assert_eq!(ids(&open(&env, &exactly()), "zebra"), ["a.md#a"]);
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = { path = \"docs\", exclude = [\"a.md\"] }\n");
    assert_eq!(ids(&open(&env, &exactly()), "zebra"), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_keeps_what_was_known_of_it() {
    use std::os::unix::fs::PermissionsExt;
    let env = env_with(&[("a.md", "# A\n\nzebra\n"), ("b.md", "# B\n\nlion\n")]);
    let kb = open(&env, &exactly());
    assert_eq!(work(&kb), (2, 0, 0));
    let path = env.path("p/docs/a.md");
    env.write("p/docs/a.md", "# A\n\nzebra and more\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // Permissions don't apply to the superuser.
    if File::open(&path).is_ok() {
        return;
    }
    let found = answers(&kb, &search_request("lion"));
    assert_eq!(found.answers[0].passages.len(), 1);
    assert!(found.freshness.warnings.iter().any(|warning| warning.contains("a.md could not be read")));
    assert_eq!(kb.documents(&[], &NoProgress).unwrap().0.len(), 2);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(ids(&kb, "more"), ["a.md#a"]);
}

#[test]
fn a_file_that_becomes_binary_leaves_the_index_and_may_come_back() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n")]);
    let kb = open(&env, &exactly());
    assert_eq!(ids(&kb, "zebra"), ["a.md#a"]);
    env.write("p/docs/a.md", b"\x7fELF\0\0\0\0zebra");
    assert_eq!(ids(&kb, "zebra"), [""; 0]);
    assert_eq!(kb.documents(&[], &NoProgress).unwrap().0.len(), 0);
    env.write("p/docs/a.md", "# A\n\nzebra again\n");
    assert_eq!(ids(&kb, "zebra"), ["a.md#a"]);
}

#[test]
fn an_empty_file_is_no_result_and_no_trouble() {
    let env = env_with(&[("a.md", ""), ("b.md", " \n\n"), ("c.md", "# Only a heading\n")]);
    let kb = open(&env, &exactly());
    assert_eq!(ids(&kb, "heading"), ["c.md"]);
    assert_eq!(ids(&kb, "zebra"), [""; 0]);
    env.write("p/docs/a.md", "zebra\n");
    assert_eq!(ids(&kb, "zebra"), ["a.md"]);
    env.write("p/docs/a.md", "");
    assert_eq!(ids(&kb, "zebra"), [""; 0]);
}

#[test]
fn a_change_of_stemmer_or_chunking_rebuilds_the_index() {
    let env = env_with(&[("a.md", "# A\n\nrunning\n\n# B\n\nzebra\n")]);
    let kb = open(&env, &exactly());
    assert_eq!(ids(&kb, "run"), ["a.md#a"]);
    let mut plain = exactly();
    plain.push(set("search", "stemmer", Value::Text("none".into())));
    let unstemmed = open(&env, &plain);
    assert_eq!(unstemmed.status().unwrap().index.state, IndexState::Outdated);
    assert_eq!(work(&unstemmed), (1, 0, 0));
    assert_eq!(ids(&unstemmed, "run"), [""; 0]);
    let mut whole = exactly();
    whole.push(set("settings", "chunk_at_headings", Value::Bool(false)));
    assert_eq!(ids(&open(&env, &whole), "zebra"), ["a.md"]);
    assert_eq!(ids(&open(&env, &exactly()), "zebra"), ["a.md#b"]);
    assert_eq!(places(&env), ["CURRENT", "lock", "store"], "what was replaced is gone");
}

#[test]
fn an_older_index_is_rebuilt_and_a_newer_one_is_left_alone() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n")]);
    let kb = open(&env, &exactly());
    kb.rebuild(&NoProgress).unwrap();
    let meta = |env: &TestEnv| {
        let store = fs::read_dir(env.path(&env.index(""))).unwrap().flatten();
        let store = store.map(|entry| entry.path()).find(|path| path.join("meta.json").is_file());
        store.unwrap().join("meta.json")
    };
    let written_by = |env: &TestEnv, version: &str| {
        let text = fs::read_to_string(meta(env)).unwrap();
        let start = text.find("fingerprint").unwrap() + "fingerprint\\\":\\\"".len();
        let end = start + text[start..].find(' ').unwrap();
        fs::write(meta(env), format!("{}{version}{}", &text[..start], &text[end..])).unwrap();
    };
    written_by(&env, "1");
    assert_eq!(ids(&open(&env, &exactly()), "zebra"), ["a.md#a"]);
    written_by(&env, "4000000000");
    let before = fs::read(meta(&env)).unwrap();
    let kb = open(&env, &exactly());
    for failed in [kb.refresh(&NoProgress).err(), kb.rebuild(&NoProgress).err(), kb.status().err()] {
        assert!(matches!(failed, Some(Error::NewerIndex { .. })), "{failed:?}");
    }
    assert_eq!(fs::read(meta(&env)).unwrap(), before);
}

#[test]
fn the_index_of_a_project_that_is_long_gone_is_removed() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n")]);
    let index = |name: &str| env.config(name).index_dir;
    for name in ["gone", "lately", "there"] {
        env.write(&format!("{name}/.ra.toml"), "root = true\n[trees]\ndocs = \".\"\n");
        env.write(&format!("{name}/a.md"), "zebra\n");
        KnowledgeBase::open(env.config(name)).rebuild(&NoProgress).unwrap();
    }
    let places = ["gone", "lately", "there"].map(index);
    for (name, place) in ["gone", "there"].iter().zip([&places[0], &places[2]]) {
        age(&env, &env.name(&place.join("CURRENT")), 1_000_000);
        assert!(place.is_dir(), "{name}");
    }
    fs::remove_dir_all(env.path("gone")).unwrap();
    fs::remove_dir_all(env.path("lately")).unwrap();
    env.write(&env.name(&env.path("home/.cache/ra/mine/CURRENT")), "not an index\n");
    open(&env, &exactly()).rebuild(&NoProgress).unwrap();
    assert_eq!(places.map(|place| place.is_dir()), [false, true, true]);
    assert!(env.path("home/.cache/ra/mine/CURRENT").is_file());
}

/// Returns the names in the index directory, without the numbers of stores.
fn places(env: &TestEnv) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(env.path(&env.index("")))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .map(|name| if name.starts_with("store-") { "store".to_owned() } else { name })
        .collect();
    names.sort();
    names
}

/// Returns every file of the index.
fn index_files(env: &TestEnv) -> Vec<PathBuf> {
    fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { collect(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    collect(&env.path(&env.index("")), &mut files);
    files.sort();
    files
}

/// Kinds of damage to a file.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Removed,
    Emptied,
    Halved,
    Garbled,
    Flipped(usize),
}

impl Damage {
    fn inflict(self, path: &Path) {
        let mut bytes = fs::read(path).unwrap();
        match self {
            Damage::Removed => return fs::remove_file(path).unwrap(),
            Damage::Emptied => bytes.clear(),
            Damage::Halved => bytes.truncate(bytes.len() / 2),
            Damage::Garbled => bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(31) ^ 0x5a),
            Damage::Flipped(part) => {
                let at = bytes.len() * part / 8;
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 0x10;
                }
            }
        }
        // Replace the file instead of writing to it, as a copy back from a bad disk would do.
        fs::remove_file(path).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Files whose damage shows in answers, and the queries they answer.
const LIBRARY: &[(&str, &str)] = &[
    ("a.md", "---\ntags: [draft]\n---\n# Alpha\n\nzebra crossing\n\n## Deep\n\nlion and zebra\n"),
    ("sub/b.md", "# Beta\n\nzebra handle error-handling\n"),
    ("c.txt", "plain zebra text about getUserName\n"),
];

const QUESTIONS: &[&str] =
    &["zebra", "\"lion and zebra\"", "hadle", "title:beta", "tags:draft", "path:sub/", "tree:docs"];

/// Returns an environment with these files, all of them old, so reading them once is enough.
fn old_library() -> TestEnv {
    let env = env_with(LIBRARY);
    for (path, _) in LIBRARY {
        age(&env, &format!("p/docs/{path}"), 1_000_000);
    }
    env
}

fn report(kb: &KnowledgeBase) -> Vec<String> {
    QUESTIONS.iter().map(|query| format!("{query}: {}", ids(kb, query).join(" "))).collect()
}

#[test]
fn an_index_that_lost_or_garbled_a_file_answers_rightly() {
    let env = old_library();
    let expected = report(&open(&env, &everything()));
    let count = index_files(&env).len();
    assert!(count > 8, "{:?}", index_files(&env));
    for damage in [Damage::Removed, Damage::Emptied, Damage::Halved, Damage::Garbled] {
        for nr in 0..count {
            let Some(path) = index_files(&env).into_iter().nth(nr) else { continue };
            if path.ends_with("lock") {
                continue;
            }
            damage.inflict(&path);
            let kb = open(&env, &everything());
            assert_eq!(report(&kb), expected, "{damage:?} {}", path.display());
            assert_eq!(
                kb.status().unwrap().index.state,
                IndexState::Current,
                "{damage:?} {}",
                path.display()
            );
        }
    }
}

#[test]
fn a_flipped_bit_never_shows_wrong_text() {
    // Not every bit can be checked at every start. Whatever such an index contains, the shown text is on the disk.
    let env = old_library();
    let kb = open(&env, &everything());
    let expected = report(&kb);
    for part in [0, 3, 6] {
        for nr in 0..index_files(&env).len() {
            let Some(path) = index_files(&env).into_iter().nth(nr) else { continue };
            if path.ends_with("lock") {
                continue;
            }
            Damage::Flipped(part).inflict(&path);
            let kb = open(&env, &everything());
            for query in QUESTIONS {
                let name = path.display();
                let found = kb.search(&search_request(query), &NoProgress);
                let found = found.unwrap_or_else(|error| panic!("{name} {part} {query}: {error:?}"));
                for passage in &found.answers[0].passages {
                    let text = fs::read_to_string(env.path(&format!("p/docs/{}", passage.id.doc.path)));
                    assert!(text.is_ok_and(|text| text.contains(&content(passage))), "{name} {part} {query}");
                }
            }
            kb.rebuild(&NoProgress).unwrap();
            assert_eq!(report(&kb), expected, "{} {part}", path.display());
        }
    }
}

#[test]
fn a_changed_byte_in_a_column_is_noticed_at_once() {
    let env = TestEnv::with(&[("p/docs/a.md", "# A\n\nzebra one\n"), ("p/docs/b.md", "# B\n\nzebra two\n")]);
    let kb = open(&env, &everything());
    let expected = report(&kb);
    let is_column = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "fast");
    let path = index_files(&env).into_iter().find(is_column).expect("columns");
    for at in 0..fs::metadata(&path).unwrap().len() as usize {
        // Every answer rebuilds the index, so its columns are in another file each time.
        let path = index_files(&env).into_iter().find(is_column).expect("columns");
        let mut bytes = fs::read(&path).unwrap();
        let Some(byte) = bytes.get_mut(at) else { continue };
        *byte ^= 0x55;
        fs::write(&path, bytes).unwrap();
        assert_eq!(report(&open(&env, &everything())), expected, "byte {at}");
    }
}

#[test]
fn a_flipped_bit_is_found_by_a_check_and_mended_by_a_rebuild() {
    let env = old_library();
    let kb = open(&env, &everything());
    let expected = report(&kb);
    assert!(!kb.check().damaged);
    let is_segment = |path: &PathBuf| {
        let in_use = !path.parent().is_some_and(|parent| parent.ends_with("damaged"));
        let extension = path.extension().and_then(|extension| extension.to_str());
        in_use && matches!(extension, Some("term" | "idx" | "pos" | "store" | "fast" | "fieldnorm"))
    };
    let count = index_files(&env).into_iter().filter(is_segment).count();
    assert!(count >= 5, "{:?}", index_files(&env));
    for nr in 0..count {
        let path = index_files(&env).into_iter().filter(is_segment).nth(nr).unwrap();
        Damage::Flipped(4).inflict(&path);
        let kb = open(&env, &everything());
        let found = kb.check();
        // An index that can't be opened at all needs no finding: the next search repairs it.
        let unreadable = matches!(kb.status().unwrap().index.state, IndexState::Damaged(_));
        assert!(found.damaged || unreadable, "{}", path.display());
        assert_eq!(found.damaged, found.findings.iter().any(|finding| finding.kind == FindingKind::Index));
        kb.rebuild(&NoProgress).unwrap();
        assert!(!kb.check().damaged);
        assert_eq!(report(&kb), expected, "{}", path.display());
    }
}

#[test]
fn files_that_changed_places_are_no_crash() {
    let env = old_library();
    let kb = open(&env, &everything());
    let expected = report(&kb);
    // A second segment, whose files are as intact as those of the first.
    let files: Vec<_> = (0..30).map(|nr| format!("p/docs/more/{nr}.md")).collect();
    for (nr, path) in files.iter().enumerate() {
        env.write(path, format!("# Report {nr}\n\n{}\n", "zebra crossing and others ".repeat(nr + 1)));
        age(&env, path, 1_000_000);
    }
    let more = report(&kb);
    assert_ne!(more, expected);
    for extension in ["term", "idx", "pos", "store", "fast", "fieldnorm"] {
        let found = index_files(&env).into_iter().filter(|path| {
            path.extension().is_some_and(|found| found == extension)
                && !path.display().to_string().contains("damaged")
        });
        let found: Vec<PathBuf> = found.collect();
        if let [first, second, ..] = &found[..] {
            let (one, other) = (fs::read(first).unwrap(), fs::read(second).unwrap());
            for (path, bytes) in [(first, other), (second, one)] {
                fs::remove_file(path).unwrap();
                fs::write(path, bytes).unwrap();
            }
            let kb = open(&env, &everything());
            for query in QUESTIONS {
                kb.search(&search_request(query), &NoProgress)
                    .unwrap_or_else(|error| panic!("{extension} {query}: {error:?}"));
            }
            kb.rebuild(&NoProgress).unwrap();
        }
        // An update of the rebuilt index makes two segments again.
        env.write("p/docs/one-more.md", format!("# One more\n\nzebra {extension}\n"));
        assert_eq!(ids(&kb, &format!("title:more {extension}")), ["one-more.md#one-more"]);
    }
}

#[test]
fn a_foreign_directory_in_place_of_the_index_is_no_obstacle() {
    type Spoil = fn(&TestEnv);
    let cases: &[(&str, Spoil)] = &[
        ("other files", |env| {
            env.write(&env.index("notes.txt"), "mine");
            env.write(&env.index("store-x/y"), "z");
            env.write(&env.index("CURRENT"), "store-9\n");
        }),
        ("a path that leads away", |env| {
            env.write(&env.index("CURRENT"), "../../docs\n");
        }),
        ("a path that leads away in disguise", |env| {
            env.write(&env.index("CURRENT"), "store-1/../../../docs\n");
        }),
        ("bytes that are no text", |env| {
            env.write(&env.index("CURRENT"), b"\xff\xfe\0\0");
        }),
        ("a store without an index", |env| {
            env.write(&env.index("CURRENT"), "store-1\n");
            env.write(&env.index("store-1/meta.json"), "{}");
        }),
        ("a store that is a file", |env| {
            env.write(&env.index("CURRENT"), "store-1\n");
            env.write(&env.index("store-1"), "x");
        }),
    ];
    for (name, spoil) in cases {
        let env = old_library();
        spoil(&env);
        let kb = open(&env, &everything());
        assert_eq!(ids(&kb, "lion"), ["a.md#deep"], "{name}");
        assert_eq!(kb.status().unwrap().index.state, IndexState::Current, "{name}");
        assert!(env.path("p/docs/a.md").is_file(), "{name}");
    }
}

#[test]
fn a_directory_in_the_place_of_a_file_is_named_and_left_alone() {
    for name in ["CURRENT", "lock"] {
        let env = old_library();
        env.write(&env.index(&format!("{name}/mine.txt")), "x");
        let kb = open(&env, &everything());
        let error = kb.search(&search_request("lion"), &NoProgress).unwrap_err();
        assert!(error.to_string().ends_with(name), "{error}");
        let hint = Hint::from("a directory is in the way; move or remove it");
        assert_eq!(error.hint(), Some(hint));
        assert!(env.path(&env.index(&format!("{name}/mine.txt"))).is_file());
        fs::remove_dir_all(env.path(&env.index(name))).unwrap();
        assert_eq!(ids(&kb, "lion"), ["a.md#deep"], "{name}");
    }
}

#[test]
fn a_damaged_index_is_moved_aside_where_it_can_be_looked_at() {
    let env = old_library();
    let kb = open(&env, &everything());
    let expected = report(&kb);
    let meta = index_files(&env).into_iter().find(|path| path.ends_with("meta.json")).unwrap();
    fs::write(&meta, "{ garbled").unwrap();
    assert!(matches!(kb.status().unwrap().index.state, IndexState::Damaged(_)));
    assert_eq!(report(&kb), expected);
    assert_eq!(places(&env), ["CURRENT", "damaged", "lock", "store"]);
    assert_eq!(fs::read_to_string(env.path(&env.index("damaged/meta.json"))).unwrap(), "{ garbled");
}

#[test]
fn an_update_repairs_damage_even_if_a_tree_cannot_be_read() {
    let env = TestEnv::new();
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nother = \"other\"\n");
    env.write("p/docs/a.md", "# A\n\nzebra\n");
    env.write("p/other/b.md", "# B\n\nzebra\n");
    let kb = open(&env, &exactly());
    let warned = |kept: &str| {
        let warnings = kb.update(&NoProgress).unwrap().freshness.warnings;
        assert!(
            matches!(&warnings[..], [one] if one.starts_with("other: ") && one.ends_with(kept)),
            "{warnings:?}"
        );
    };
    assert_eq!(ids(&kb, "zebra").len(), 2);
    fs::remove_dir_all(env.path("p/other")).unwrap();
    warned("what was indexed of it before is kept");
    assert_eq!(ids(&kb, "zebra").len(), 1, "the text of the other is gone");
    let meta = index_files(&env).into_iter().find(|path| path.ends_with("meta.json")).unwrap();
    fs::write(&meta, "{ garbled").unwrap();
    warned("nothing of it is indexed");
    assert_eq!(kb.status().unwrap().index.state, IndexState::Current);
    assert_eq!(ids(&kb, "zebra"), ["a.md#a"]);
}

#[test]
fn a_tree_whose_root_is_now_a_missing_directory_keeps_nothing() {
    let env = TestEnv::new();
    env.write("p/docs/a.md", "# A\n\nzebra\n");
    let warnings = ["docs", "dosc"].map(|path| {
        env.write("p/.ra.toml", format!("root = true\n[trees]\ndocs = \"{path}\"\n"));
        let kb = open(&env, &exactly());
        let warnings = kb.update(&NoProgress).unwrap().freshness.warnings;
        assert_eq!(ids(&kb, "zebra").len(), usize::from(path == "docs"), "{path}");
        warnings
    });
    let [none, one] = &warnings;
    assert_eq!(none, &[""; 0]);
    assert!(matches!(&one[..], [one] if one.ends_with("nothing of it is indexed")), "{one:?}");
}

#[test]
fn what_a_killed_process_left_is_cleared_by_the_next_change() {
    let env = old_library();
    let kb = open(&env, &everything());
    assert_eq!(ids(&kb, "lion"), ["a.md#deep"]);
    env.write(&env.index("store-7/half"), "x");
    env.write(&env.index(".tmpabc"), "store-7");
    assert_eq!(ids(&kb, "lion"), ["a.md#deep"]);
    env.write("p/docs/d.md", "# D\n\nlion\n");
    assert_eq!(sorted_ids(&kb, "lion"), ["a.md#deep", "d.md#d"]);
    assert_eq!(places(&env), ["CURRENT", "lock", "store"]);
}

#[cfg(unix)]
#[test]
fn a_project_that_cannot_be_written_is_indexed_in_the_cache() {
    use std::os::unix::fs::PermissionsExt;
    let env = old_library();
    let project = env.path("p");
    fs::set_permissions(&project, fs::Permissions::from_mode(0o555)).unwrap();
    // Permissions don't apply to the superuser.
    if File::create(project.join("probe")).is_ok() {
        return;
    }
    let kb = open(&env, &everything());
    let found = answers(&kb, &search_request("lion"));
    assert_eq!(found.answers[0].passages.len(), 1);
    assert!(found.freshness.warnings.iter().any(|warning| warning.contains("the index is in ")));
    assert!(!env.path("p/.ra").exists());
    fs::set_permissions(&project, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_reader_answers_from_the_last_commit_while_another_writes() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n")]);
    let kb = open(&env, &everything());
    assert_eq!(ids(&kb, "zebra"), ["a.md#a"]);
    let lock = File::options().write(true).open(env.path(&env.index("lock"))).unwrap();
    lock.lock().unwrap();
    env.write("p/docs/b.md", "# B\n\nzebra\n");
    let found = answers(&kb, &search_request("zebra"));
    assert_eq!(found.freshness.stale.as_deref(), Some("another process is updating the index"));
    assert_eq!(found.answers[0].passages.len(), 1);
    lock.unlock().unwrap();
    let found = answers(&kb, &search_request("zebra"));
    assert_eq!((found.freshness.stale, found.answers[0].passages.len()), (None, 2));
}

#[test]
fn what_vanishes_between_the_check_and_the_reading_is_counted_not_shown() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n"), ("b.md", "# B\n\nzebra\n")]);
    let kb = open(&env, &everything());
    assert_eq!(ids(&kb, "zebra").len(), 2);
    // While the lock is held the index can't be updated, so the comparison with the disk doesn't help.
    let lock = File::options().write(true).open(env.path(&env.index("lock"))).unwrap();
    lock.lock().unwrap();
    fs::remove_file(env.path("p/docs/a.md")).unwrap();
    let answer = answer(&kb, &search_request("zebra"));
    assert_eq!((answer.passages.len(), answer.vanished), (1, 1));
}

#[test]
fn segments_that_another_process_has_replaced_are_not_damage() {
    let env = env_with(&[("a.md", "# A\n\nzebra\n"), ("b.md", "# B\n\nzebra\n")]);
    let kb = open(&env, &everything());
    let (snapshot, _) = kb.refresh(&NoProgress).unwrap();
    fs::remove_file(env.path("p/docs/a.md")).unwrap();
    for path in index_files(&env).iter().filter(|path| path.extension().is_some_and(|kind| kind == "pos")) {
        fs::remove_file(path).unwrap();
    }
    let answer = kb.search(&search_request("zebra"), &snapshot).unwrap().answers.remove(0);
    assert_eq!((answer.passages.len(), answer.vanished), (1, 1));
}

#[test]
fn a_first_index_can_be_begun_with_some_documents_and_is_completed_by_the_next_question() {
    let env = env_with(&[("a.md", "# A\n\npuma\n"), ("b.md", "# B\n\npuma\n"), ("c.md", "# C\n\npuma\n")]);
    let kb = open(&env, &everything());
    kb.begin(2, &NoProgress).unwrap();
    let (snapshot, _) = kb.last_commit().unwrap().expect("an index");
    assert_eq!(kb.document_names(&snapshot).len(), 2);
    assert!(snapshot.commit().is_fragment);
    kb.begin(1, &NoProgress).unwrap();
    let (snapshot, _) = kb.last_commit().unwrap().expect("an index");
    assert_eq!(kb.document_names(&snapshot).len(), 2, "what is there is left as it is");
    assert_eq!(ids(&kb, "puma").len(), 3);
    let (snapshot, _) = kb.last_commit().unwrap().expect("an index");
    assert!(!snapshot.commit().is_fragment);
}

#[test]
fn an_index_that_was_begun_keeps_what_cannot_be_seen_and_is_no_fragment_when_it_has_all() {
    for (begun, is_fragment) in [(2, false), (1, true)] {
        let env = env_with(&[("a.md", "# A\n\npuma\n"), ("b.md", "# B\n\npuma\n")]);
        env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nmore = \"more\"\n");
        env.write("p/more/c.md", "# C\n\npuma\n");
        let kb = open(&env, &everything());
        kb.begin(begun, &NoProgress).unwrap();
        let (snapshot, _) = kb.last_commit().unwrap().expect("an index");
        assert_eq!(snapshot.commit().is_fragment, is_fragment);
        fs::rename(env.path("p/more"), env.path("p/away")).unwrap();
        env.write("p/docs/d.md", "# D\n\npuma\n");
        let freshness = answers(&kb, &search_request("puma")).freshness;
        assert_eq!(freshness.stale, None);
        fs::rename(env.path("p/away"), env.path("p/more")).unwrap();
        let (snapshot, _) = kb.last_commit().unwrap().expect("an index");
        assert_eq!(kb.document_names(&snapshot).len(), 4);
    }
}

#[test]
fn the_status_of_a_known_index_is_told_without_a_look_at_the_trees() {
    let env = old_library();
    let kb = open(&env, &everything());
    let (snapshot, _) = kb.refresh(&NoProgress).unwrap();
    let (walked, known) = (kb.status().unwrap(), kb.commit_status(&snapshot));
    assert_eq!(format!("{known:?}"), format!("{walked:?}"));
    for tree in kb.config().trees.iter() {
        fs::rename(&tree.root, tree.root.with_extension("moved")).unwrap();
    }
    assert_eq!(format!("{:?}", kb.commit_status(&snapshot).trees), format!("{:?}", walked.trees));
}
