//! `ra update --watch`: the changes that it notices and reports.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use crate::processes::process;
use crate::sandbox::Sandbox;

/// Longer than anything here takes on a busy machine.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

struct WatchProcess {
    child: Child,
    lines: Receiver<String>,
}

impl WatchProcess {
    fn begin(sandbox: &Sandbox) -> Self {
        let mut child = process(sandbox, &["update", "--watch"]).spawn().expect("a process");
        let (sender, lines) = mpsc::channel();
        send_lines(child.stdout.take().expect("its output"), sender.clone());
        send_lines(child.stderr.take().expect("its errors"), sender);
        Self { child, lines }
    }

    /// Waits for a line that contains this text.
    fn expect(&self, text: &str) {
        let mut seen = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(TEST_TIMEOUT) {
            if line.contains(text) {
                return;
            }
            seen.push(line);
        }
        panic!("no line has {text:?}: {seen:#?}");
    }
}

impl Drop for WatchProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send_lines(stream: impl Read + Send + 'static, to: Sender<String>) {
    thread::spawn(move || {
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.for_each(|line| drop(to.send(line)));
    });
}

#[test]
fn documents_configuration_and_trees_are_watched() {
    let configuration = "root = true\n[trees]\ndocs = \"docs\"\n";
    let sandbox = Sandbox::with(&[(".ra.toml", configuration), ("docs/a.md", "# A\n\ntext\n")]);
    let watching = WatchProcess::begin(&sandbox);
    watching.expect("watching for changes");
    sandbox.write("docs/b.md", "# B\n\nmore\n");
    watching.expect("updated (1 added");
    sandbox.write("notes/c.md", "# C\n\nnotes\n");
    sandbox.write(".ra.toml", format!("{configuration}notes = \"notes\"\n"));
    watching.expect("3 documents");
    sandbox.write("notes/d.md", "# D\n\nnotes\n");
    watching.expect("4 documents");
    sandbox.write(".ra.toml", "root = tru\n");
    watching.expect("error: ");
    sandbox.write("docs/e.md", "# E\n\nmore\n");
    sandbox.write(".ra.toml", format!("{configuration}gone = \"gone\"\n"));
    watching.expect("gone");
    sandbox.write("gone/f.md", "# F\n\nback\n");
    watching.expect("4 documents");
    #[cfg(unix)]
    {
        // The target of the link is in a directory that is not watched.
        sandbox.write("aside/target.md", "# T\n\nfar\n");
        std::os::unix::fs::symlink("../aside/target.md", sandbox.path("docs/link.md")).unwrap();
        watching.expect("updated (1 added");
        sandbox.write("aside/target.md", "# T\n\nfarther\n");
        watching.expect("1 changed");
        std::fs::remove_file(sandbox.path("docs/link.md")).unwrap();
        watching.expect("1 removed");
    }
    // A directory is watched by what it is, not by its name.
    let spare = sandbox.path("spare");
    std::fs::rename(sandbox.path("gone"), &spare).unwrap();
    sandbox.write("gone/g.md", "# G\n\nnew\n");
    watching.expect("1 added");
    sandbox.write("gone/h.md", "# H\n\nnew\n");
    watching.expect("5 documents");
}
