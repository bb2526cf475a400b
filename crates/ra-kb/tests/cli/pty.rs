//! Runs `ra` in a terminal of a given size: a pseudo-terminal whose other end the test holds.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::sandbox::Sandbox;

/// A terminal that supports colors, without a pager.
pub(crate) struct Terminal<'s> {
    sandbox: &'s Sandbox,
    size: (u16, u16),
    environment: Vec<(&'s str, String)>,
}

/// The output on a terminal after a command has ended.
pub(crate) struct TerminalOutput {
    pub(crate) code: Option<i32>,
    /// Stdout and stderr, in the order in which they were written.
    pub(crate) text: String,
}

impl TerminalOutput {
    /// The text without colors and links.
    pub(crate) fn plain(&self) -> String {
        anstream::adapter::strip_str(&self.text).to_string()
    }
}

impl<'s> Terminal<'s> {
    pub(crate) fn new(sandbox: &'s Sandbox, columns: u16, rows: u16) -> Self {
        let usual = [("TERM", "xterm-256color"), ("PATH", "/usr/bin:/bin"), ("PAGER", "cat")];
        let environment = usual.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
        Self { sandbox, size: (columns, rows), environment }
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &'s str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// Sets a shell script as the pager.
    pub(crate) fn pager(self, script: &str) -> Self {
        self.sandbox.write("~/pager.sh", script);
        let path = self.sandbox.path("~/pager.sh");
        self.env("RA_PAGER", format!("sh {}", path.display()))
    }

    /// Runs `ra`.
    pub(crate) fn ra(&self, args: &[&str]) -> TerminalOutput {
        let mut command = Command::new(self.sandbox.command().get_program());
        command.args(args);
        self.run(command)
    }

    /// Runs a shell command line, in which `ra` is a command.
    pub(crate) fn shell(&self, line: &str) -> TerminalOutput {
        let program = self.sandbox.command().get_program().to_string_lossy().into_owned();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("ra() {{ '{program}' \"$@\"; }}; {line}")]);
        self.run(command)
    }

    fn run(&self, mut command: Command) -> TerminalOutput {
        let (mut master, slave) = self.open();
        let end = || Stdio::from(slave.try_clone().expect("a descriptor"));
        command.current_dir(self.sandbox.project()).env_clear().env("HOME", self.sandbox.home());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("a process");
        // Reading from the terminal ends when no process has it open any more.
        drop((command, slave));
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            match master.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Linux returns this error at the end.
                Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => break,
                Err(error) => panic!("{error}"),
            }
        }
        let code = child.wait().expect("an end").code();
        TerminalOutput { code, text: String::from_utf8_lossy(&bytes).replace("\r\n", "\n") }
    }

    fn open(&self) -> (File, File) {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&master).expect("a terminal");
        unlockpt(&master).expect("a terminal");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let path = name.to_str().expect("a path");
        let slave = OpenOptions::new().read(true).write(true).open(path).expect("the other end");
        let (ws_col, ws_row) = self.size;
        tcsetwinsize(&slave, Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 }).expect("a size");
        (File::from(master), slave)
    }
}
